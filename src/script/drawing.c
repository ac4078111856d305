/* SPDX-License-Identifier: MIT
 *
 * From the sections of a script to resources and shaders of the GPU.
 */
#include "script/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "resource/bindings.h"
#include "script/findings.h"
#include "script/runner.h"
#include "script/script.h"

void
script_drawing_init(struct script_drawing *drawing)
{
   *drawing = (struct script_drawing){
      .width = 64,
      .height = 64,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .rasterizer = TG_RASTERIZER_INIT,
      .depth_test = {.depth_writemask = true, .depth_func = TG_COMPARE_LESS},
   };
}

static void
destroy_stage(struct script_draw_stage *stage)
{
   tg_bindings_destroy(stage->bindings);
   for (unsigned i = 0; i < TG_MAX_CONSTANT_BUFFERS; i++)
      tg_resource_destroy(stage->constants[i]);
   tg_gpu_shader_destroy(stage->gpu);
   tg_shader_destroy(stage->shader);
}

void
script_drawing_finish(struct script_drawing *drawing)
{
   destroy_stage(&drawing->fragment);
   destroy_stage(&drawing->vertex);
   tg_gpu_destroy(drawing->gpu);
   tg_resource_destroy(drawing->indices);
   tg_resource_destroy(drawing->vertices);
   tg_resource_destroy(drawing->depth);
   tg_resource_destroy(drawing->color);
}

/* ---- framebuffer --------------------------------------------------------- */

static enum tg_result
create_target(struct script_runner *runner, enum tg_format format,
              struct tg_resource **resource_out)
{
   const struct tg_resource_desc desc = {
      .target = TG_TEXTURE_2D,
      .format = format,
      .width = runner->drawing.width,
      .height = runner->drawing.height,
   };
   return tg_resource_create(runner->allocator, &desc, runner->diagnostics,
                             resource_out);
}

/* Makes the GPU, with a bound on what its draws may cost. */
static enum tg_result
create_gpu(struct script_runner *runner)
{
   struct tg_gpu_options options = TG_GPU_OPTIONS_INIT;

   options.num_threads = 1;
   options.check = runner->is_checked;
   options.max_work = runner->limits->work;
   return tg_gpu_create(runner->allocator, &options, &runner->drawing.gpu);
}

static enum tg_result
set_framebuffer(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;
   const struct tg_framebuffer_state framebuffer = {
      .width = drawing->width,
      .height = drawing->height,
      .num_colors = 1,
      .colors = {{.resource = drawing->color}},
      .depth_stencil = {.resource = drawing->depth},
   };
   const struct tg_viewport viewport =
      tg_viewport_of(drawing->width, drawing->height, drawing->y_up,
                     drawing->rasterizer.clip_halfz);
   enum tg_result result =
      tg_gpu_set_framebuffer(drawing->gpu, &framebuffer, runner->diagnostics);

   if (result == TG_OK)
      result = tg_gpu_set_viewports(drawing->gpu, 0, 1, &viewport,
                                    runner->diagnostics);
   return result;
}

enum tg_result
script_drawing_begin(struct script_runner *runner,
                     const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;
   enum tg_result result = TG_OK;

   if (drawing->width > runner->limits->max_size ||
       drawing->height > runner->limits->max_size)
      return script_fail(runner, command, "the framebuffer is too large");
   if (!drawing->gpu)
      result = create_gpu(runner);
   if (result == TG_OK && !drawing->color)
      result = create_target(runner, drawing->format, &drawing->color);
   if (result == TG_OK && !drawing->depth)
      result = create_target(runner, TG_FORMAT_Z32_FLOAT, &drawing->depth);
   if (result != TG_OK && result != TG_ERROR_MEMORY)
      return script_fail(runner, command, "there is no such framebuffer: %s",
                         tg_result_name(result));

   return result == TG_OK ? set_framebuffer(runner) : result;
}

enum tg_result
script_drawing_clear(struct script_runner *runner, uint32_t buffers,
                     const float color[4])
{
   struct tg_gpu *gpu = runner->drawing.gpu;
   union tg_color value;

   memcpy(value.f, color, sizeof(value.f));
   enum tg_result result = tg_gpu_clear(
      gpu, buffers, NULL, &value, (double)color[0], 0, runner->diagnostics);
   return result == TG_OK ? tg_gpu_finish(gpu, runner->diagnostics) : result;
}

/* ---- buffers ------------------------------------------------------------- */

static enum tg_result
create_buffer(struct script_runner *runner, const uint32_t *words,
              uint32_t num_words, struct tg_resource **resource_out)
{
   const struct tg_resource_desc desc = {
      .target = TG_TEXTURE_BUFFER,
      .width = num_words * 4,
   };
   enum tg_result result = tg_resource_create(
      runner->allocator, &desc, runner->diagnostics, resource_out);
   if (result == TG_OK && words)
      memcpy(tg_resource_map_buffer(*resource_out), words, num_words * 4);
   return result;
}

static enum tg_result
create_vertices(struct script_runner *runner)
{
   static const enum tg_format formats[] = {
      TG_FORMAT_R32_FLOAT,
      TG_FORMAT_R32G32_FLOAT,
      TG_FORMAT_R32G32B32_FLOAT,
      TG_FORMAT_R32G32B32A32_FLOAT,
   };
   const struct script_vertex_data *data = &runner->script->vertices;
   struct script_drawing *drawing = &runner->drawing;
   uint32_t offset = 0;

   if (drawing->vertices || !data->num_words)
      return TG_OK;
   for (uint32_t i = 0; i < data->num_columns; i++) {
      drawing->elements[i] = (struct tg_vertex_element){
         .src_offset = offset * 4,
         .format = formats[data->num_channels[i] - 1],
      };
      offset += data->num_channels[i];
   }
   drawing->num_elements = data->num_columns;
   return create_buffer(runner, data->words, data->num_words,
                        &drawing->vertices);
}

static enum tg_result
create_indices(struct script_runner *runner)
{
   const struct script_index_data *data = &runner->script->indices;

   if (runner->drawing.indices || !data->count)
      return TG_OK;
   return create_buffer(runner, data->indices, data->count,
                        &runner->drawing.indices);
}

/* Makes the buffers anew that the settings of a stage give values. */
static enum tg_result
update_constants(struct script_runner *runner, enum script_stage stage,
                 struct tg_resource **buffers)
{
   const struct script_settings *settings = &runner->settings[stage];
   uint32_t num_registers[TG_MAX_CONSTANT_BUFFERS] = {0};

   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_register *reg = &settings->items[i].reg;
      uint32_t *count = &num_registers[reg->dimension];

      if (*count <= reg->index)
         *count = reg->index + 1;
   }
   for (unsigned i = 0; i < TG_MAX_CONSTANT_BUFFERS; i++) {
      tg_resource_destroy(buffers[i]);
      buffers[i] = NULL;
      if (!num_registers[i])
         continue;
      enum tg_result result =
         create_buffer(runner, NULL, num_registers[i] * 4, &buffers[i]);
      if (result != TG_OK)
         return result;
   }
   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_setting *setting = &settings->items[i];
      uint32_t *words = tg_resource_map_buffer(buffers[setting->reg.dimension]);

      memcpy(words + (size_t)setting->reg.index * 4, setting->words,
             sizeof(setting->words));
   }
   return TG_OK;
}

/* ---- shaders and textures ------------------------------------------------ */

static enum tg_result
create_shader(struct script_runner *runner, const char *name,
              struct script_draw_stage *stage)
{
   const struct script_word word = {name, strlen(name)};
   const struct script_shader *text = script_find_shader(runner->script, word);
   struct tg_diagnostics *diagnostics = runner->diagnostics;

   if (!text || stage->gpu)
      return TG_OK; /* the GPU complains about one that is missing */
   enum tg_result result = TG_OK;
   if (!stage->shader)
      result = script_parse_shader(runner, text, diagnostics, &stage->shader);
   if (result == TG_OK)
      result = tg_gpu_shader_create(runner->drawing.gpu, stage->shader, NULL,
                                    diagnostics, &stage->gpu);
   return result;
}

/* A stage sees what is bound for all, and constants of its own. */
static enum tg_result
bind_stage(struct script_runner *runner, enum script_stage number,
           struct script_draw_stage *stage)
{
   enum tg_result result = TG_OK;

   if (!stage->bindings)
      result = tg_bindings_create(runner->allocator, &stage->bindings);
   if (result == TG_OK)
      result = update_constants(runner, number, stage->constants);
   if (result != TG_OK)
      return result;

   resource_copy_bindings(stage->bindings, runner->bound.bindings);
   for (unsigned i = 0; i < TG_MAX_CONSTANT_BUFFERS && result == TG_OK; i++) {
      if (stage->constants[i] && !script_has_constants(runner->script, i))
         result = tg_bindings_set_buffer(
            stage->bindings, TG_BUFFER_CONSTANT, i, stage->constants[i], 0,
            tg_resource_get_desc(stage->constants[i])->width, NULL);
   }
   return result;
}

/* ---- drawing ------------------------------------------------------------- */

static enum tg_result
prepare(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;
   enum tg_result result = create_shader(runner, "vertex", &drawing->vertex);

   if (result == TG_OK)
      result = create_shader(runner, "fragment", &drawing->fragment);
   if (result == TG_OK)
      result = create_vertices(runner);
   if (result == TG_OK)
      result = create_indices(runner);
   if (result == TG_OK)
      result = script_bound_update(runner);
   if (result == TG_OK)
      result = bind_stage(runner, SCRIPT_STAGE_VERTEX, &drawing->vertex);
   if (result == TG_OK)
      result = bind_stage(runner, SCRIPT_STAGE_FRAGMENT, &drawing->fragment);
   return result;
}

/* Hands the state to the GPU; what it says of it goes to `said`. */
static enum tg_result
set_state(struct script_runner *runner, struct tg_diagnostics *said)
{
   const struct script_drawing *drawing = &runner->drawing;
   struct tg_gpu *gpu = drawing->gpu;
   const struct tg_vertex_buffer vertices = {
      .buffer = drawing->vertices,
      .stride = runner->script->vertices.words_per_vertex * 4,
   };
   const enum tg_result results[] = {
      tg_gpu_set_shader(gpu, TG_GPU_VERTEX, drawing->vertex.gpu, said),
      tg_gpu_set_shader(gpu, TG_GPU_FRAGMENT, drawing->fragment.gpu, said),
      tg_gpu_set_rasterizer(gpu, &drawing->rasterizer, said),
      tg_gpu_set_depth_stencil_alpha(gpu, &drawing->depth_test, said),
      tg_gpu_set_vertex_elements(gpu, drawing->num_elements, drawing->elements,
                                 said),
      tg_gpu_set_vertex_buffers(gpu, 0, 1, &vertices, said),
   };

   tg_gpu_set_bindings(gpu, TG_GPU_VERTEX, drawing->vertex.bindings);
   tg_gpu_set_bindings(gpu, TG_GPU_FRAGMENT, drawing->fragment.bindings);
   for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
      if (results[i] != TG_OK)
         return results[i];
   }
   return TG_OK;
}

/* What the library says of the draw goes to `said`. */
static enum tg_result
run_draw(struct script_runner *runner, const struct script_command *command,
         struct tg_diagnostics *diagnostics, struct tg_diagnostics *said)
{
   const struct script_draw *draw = &command->draw;
   const struct tg_draw_range range = {
      .start = draw->first,
      .count = draw->count,
   };
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   enum tg_result result = prepare(runner);

   (void)diagnostics;
   info.mode = (uint8_t)draw->primitive;
   info.index_size = draw->indexed ? 4 : 0;
   info.index_buffer = draw->indexed ? runner->drawing.indices : NULL;
   info.draws = &range;
   info.instance_count = draw->num_instances;
   if (result == TG_OK)
      result = set_state(runner, said);
   if (result == TG_OK)
      result = tg_gpu_draw(runner->drawing.gpu, &info, said);
   if (result == TG_OK)
      result = tg_gpu_finish(runner->drawing.gpu, said);
   return result;
}

enum tg_result
script_drawing_draw(struct script_runner *runner,
                    const struct script_command *command)
{
   enum tg_result result = script_drawing_begin(runner, command);

   if (result != TG_OK)
      return result;
   return script_execute(runner, command, run_draw, "nothing was drawn");
}

enum tg_result
script_drawing_copy(const struct script_runner *runner, uint32_t line,
                    struct script_picture *picture_out)
{
   const struct script_drawing *drawing = &runner->drawing;
   const size_t num_pixels = (size_t)drawing->width * drawing->height;

   if (!drawing->color) {
      const struct tg_source source = {.name = runner->script->source.name};

      tg_diagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed",
                  &source, (struct tg_position){.line = line, .column = 1},
                  NULL, "the test draws nothing");
      return TG_ERROR_INPUT;
   }
   uint8_t *rgba = malloc(num_pixels * 4);
   if (!rgba)
      return TG_ERROR_MEMORY;

   for (size_t i = 0; i < num_pixels; i++) {
      uint32_t pixel;
      union tg_color color;

      format_unpack(drawing->format,
                    resource_texel(drawing->color, 0, 0,
                                   (uint32_t)(i % drawing->width),
                                   (uint32_t)(i / drawing->width), 0),
                    color.u);
      format_pack(TG_FORMAT_R8G8B8A8_UNORM, color.u, &pixel);
      for (unsigned j = 0; j < 4; j++)
         rgba[i * 4 + j] = (uint8_t)(pixel >> j * 8);
   }
   *picture_out = (struct script_picture){
      .width = drawing->width,
      .height = drawing->height,
      .rgba = rgba,
   };
   return TG_OK;
}

void
script_picture_finish(struct script_picture *picture)
{
   free(picture->rgba);
   *picture = (struct script_picture){0};
}
