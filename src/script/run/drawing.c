/* SPDX-License-Identifier: MIT
 *
 * Lazy creation of what a test draws with, from the sections of its script.
 */
#include "script/run/drawing.h"

#include <assert.h>
#include <string.h>

#include "format/format.h"
#include "resource/bindings.h"
#include "script/run/runner.h"
#include "script/script.h"
#include "util/length.h"

/* The shader of a stage that no command has chosen has the stage's name. */
static uint32_t
find_shader(const struct script *script, unsigned stage)
{
   assert(stage < TG_LENGTH(script_stage_names));
   const char *name = script_stage_names[stage];
   const struct script_shader *shader = script_model_find_shader(
      script, (struct script_word){name, strlen(name)});

   return shader ? (uint32_t)(shader - script->shaders) : SCRIPT_NO_SHADER;
}

enum tg_result
script_drawing_init(struct script_runner *runner)
{
   const struct script *script = runner->script;
   struct script_drawing *drawing = &runner->drawing;

   script_state_init(&drawing->state);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      drawing->stages[i].shader = find_shader(script, i);
   for (unsigned i = 0; i < SCRIPT_NUM_ATTACHMENTS; i++)
      drawing->attachments[i].kind = SCRIPT_ATTACH_OWN;
   for (uint32_t i = 0; i < script->vertices.num_columns; i++)
      drawing->elements[i].element = (struct tg_vertex_element){
         .src_offset = script->vertices.columns[i].offset,
         .format = script->vertices.columns[i].format,
         .instance_divisor = script->vertices.columns[i].divisor,
      };
   drawing->num_elements = script->vertices.num_columns;
   for (unsigned i = 0; i < TG_MAX_VERTEX_BUFFERS; i++)
      drawing->buffers[i] = (struct script_element){
         .is_nothing = i > 0,
         .stride = script->vertices.stride,
      };
   drawing->shaders = tg_arena_array(&runner->arena, script->num_shaders,
                                     sizeof(*drawing->shaders));
   return drawing->shaders ? TG_OK : TG_ERROR_MEMORY;
}

void
script_drawing_finish(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;

   tg_context_destroy(drawing->gpu); /* with its stream targets */
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      tg_bindings_destroy(drawing->stages[i].bindings);
      for (unsigned j = 0; j < TG_MAX_CONSTANT_BUFFERS; j++)
         tg_resource_destroy(drawing->stages[i].constants[j]);
   }
   for (uint32_t i = 0; drawing->shaders && i < runner->script->num_shaders;
        i++) {
      tg_gpu_shader_destroy(drawing->shaders[i].gpu);
      tg_shader_destroy(drawing->shaders[i].shader);
   }
   for (unsigned i = 0; i < SCRIPT_NUM_ATTACHMENTS; i++)
      tg_resource_destroy(drawing->own[i]);
   tg_resource_destroy(drawing->indices);
   tg_resource_destroy(drawing->vertices);
}

enum tg_result
script_drawing_result(struct script_runner *runner,
                      const struct script_command *command,
                      enum tg_result result, const char *failure)
{
   if (result == TG_OK || result == TG_ERROR_MEMORY || runner->has_given_up)
      return result;
   return script_fail(runner, command, "%s: %s", failure,
                      tg_result_name(result));
}

enum tg_result
script_drawing_wait(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;

   if (!drawing->last_draw)
      return TG_OK;
   return script_drawing_result(
      runner, drawing->last_draw,
      tg_context_finish(drawing->gpu, runner->diagnostics),
      "what was drawn so far did not come to its end");
}

enum tg_result
script_drawing_read(struct script_runner *runner, struct tg_resource *resource,
                    uint32_t level, uint32_t sample, const struct tg_box *box,
                    void *texels)
{
   struct tg_context *gpu = runner->drawing.gpu;

   return gpu ? tg_context_read(gpu, resource, level, sample, box, texels, 0, 0)
              : tg_resource_read(resource, level, sample, box, texels, 0, 0);
}

/* ---- framebuffer --------------------------------------------------------- */

/* What an attachment of the test's own is. */
static struct tg_resource_desc
own_desc(const struct script_state *state, unsigned number)
{
   return (struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc),
      .target = state->layers > 1 ? TG_TEXTURE_2D_ARRAY : TG_TEXTURE_2D,
      .format =
         number == SCRIPT_DEPTH ? state->depth_format : state->formats[number],
      .width = state->width,
      .height = state->height,
      .depth = 1,
      .layers = state->layers,
      .samples = state->samples,
   };
}

static bool
is_own(const struct script_drawing *drawing, unsigned number)
{
   const struct script_state *state = &drawing->state;

   if (drawing->attachments[number].kind != SCRIPT_ATTACH_OWN)
      return false;
   return number == SCRIPT_DEPTH
             ? state->depth_format != TG_FORMAT_NONE
             : number < state->num_targets && state->formats[number];
}

/* Makes an attachment, again if it is not as the state says. Nothing may be
 * drawn to what is about to go. */
static enum tg_result
update_own(struct script_runner *runner, unsigned number)
{
   struct script_drawing *drawing = &runner->drawing;
   assert(number < TG_LENGTH(drawing->own));
   struct tg_resource **own = &drawing->own[number];
   const struct tg_resource_desc desc = own_desc(&drawing->state, number);

   if (*own && !memcmp(tg_resource_get_desc(*own), &desc, sizeof(desc)))
      return TG_OK;
   tg_resource_destroy(*own);
   *own = NULL;
   return tg_resource_create(runner->allocator, &desc, runner->diagnostics,
                             own);
}

struct tg_surface
script_drawing_surface(const struct script_runner *runner, unsigned number)
{
   const struct script_drawing *drawing = &runner->drawing;
   const struct script_attachment *attachment = &drawing->attachments[number];

   if (is_own(drawing, number))
      return tg_surface_of(drawing->own[number]);
   if (attachment->kind != SCRIPT_ATTACH_PLACE ||
       (number != SCRIPT_DEPTH && number >= drawing->state.num_targets))
      return (struct tg_surface){0};

   struct tg_resource *resource =
      script_bound_resource(runner, attachment->place);
   struct tg_surface surface = tg_surface_of(resource);
   surface.format = attachment->format;
   surface.level = attachment->level;
   surface.last_layer =
      script_place_level_extent(tg_resource_get_desc(resource), surface.level)
         .slices -
      1;
   if (attachment->layers[0] != SCRIPT_AS_IS) {
      surface.first_layer = attachment->layers[0];
      surface.last_layer = attachment->layers[1];
   }
   return surface;
}

static enum tg_result
update_framebuffer(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;
   const struct script_state *state = &drawing->state;
   struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = state->width,
      .height = state->height,
      .layers = state->layers,
      .samples = state->samples,
      .num_colors = state->num_targets,
   };

   enum tg_result result = tg_context_set_framebuffer(drawing->gpu, NULL, NULL);
   for (unsigned i = 0; i < SCRIPT_NUM_ATTACHMENTS && result == TG_OK; i++) {
      if (is_own(drawing, i))
         result = update_own(runner, i);
   }
   if (result == TG_OK)
      result = script_maps_begin(runner);
   if (result != TG_OK)
      return result;
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++)
      framebuffer.colors[i] = script_drawing_surface(runner, i);
   framebuffer.depth_stencil = script_drawing_surface(runner, SCRIPT_DEPTH);
   return tg_context_set_framebuffer(drawing->gpu, &framebuffer,
                                     runner->diagnostics);
}

static enum tg_result
create_gpu(struct script_runner *runner)
{
   const struct script_limits *limits = runner->limits;
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct tg_device *device;

   device_options.num_threads = limits->num_threads;
   if (limits->one_processor)
      device_options.num_threads = 1;
   device_options.check = runner->is_checked;
   device_options.executor = limits->executor;
   device_options.code_cache = limits->code_cache;
   device_options.profile = limits->profile;
   device_options.verify_each = limits->verify_each;
   device_options.print_kernel = limits->print_kernel;
   device_options.print_user = limits->print_user;
   options.work = &runner->work;
   enum tg_result result =
      tg_device_create(runner->allocator, &device_options, &device);
   if (result != TG_OK)
      return result;
   result = tg_context_create(device, &options, &runner->drawing.gpu);
   tg_device_destroy(device); /* the context's is left */
   return result;
}

/* Is memory about to be replaced that draws may still be at work on? */
static bool
replaces_memory(const struct script_drawing *drawing)
{
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      if (!drawing->stages[i].has_constants)
         return true;
   }
   return !drawing->has_framebuffer;
}

enum tg_result
script_drawing_begin(struct script_runner *runner,
                     const struct script_command *command)
{
   struct script_drawing *drawing = &runner->drawing;
   enum tg_result result = TG_OK;

   if (drawing->state.width > runner->limits->max_size ||
       drawing->state.height > runner->limits->max_size)
      return script_fail(runner, command,
                         "the framebuffer is %u by %u pixels, and may have %u "
                         "each way",
                         drawing->state.width, drawing->state.height,
                         runner->limits->max_size);
   if (replaces_memory(drawing))
      result = script_drawing_wait(runner);
   if (result == TG_OK && !drawing->gpu)
      result = create_gpu(runner);
   if (result == TG_OK)
      result = script_bound_create(runner);
   if (result == TG_OK && !drawing->has_framebuffer)
      result =
         script_drawing_result(runner, command, update_framebuffer(runner),
                               "there is no such framebuffer");
   drawing->has_framebuffer = result == TG_OK;
   return result;
}

/* ---- vertices ------------------------------------------------------------ */

static enum tg_result
create_buffer(struct script_runner *runner, const void *bytes,
              uint32_t num_bytes, struct tg_resource **resource_out)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = num_bytes,
   };
   enum tg_result result = tg_resource_create(
      runner->allocator, &desc, runner->diagnostics, resource_out);
   if (result == TG_OK && bytes)
      memcpy(tg_resource_map_buffer(*resource_out), bytes, num_bytes);
   return result;
}

static enum tg_result
create_vertices(struct script_runner *runner)
{
   const struct script_vertex_data *data = &runner->script->vertices;

   if (runner->drawing.vertices || !data->num_bytes)
      return TG_OK;
   return create_buffer(runner, data->bytes, data->num_bytes,
                        &runner->drawing.vertices);
}

static struct tg_vertex_buffer
make_vertex_buffer(const struct script_runner *runner, unsigned number)
{
   assert(number < TG_LENGTH(runner->drawing.buffers));
   const struct script_element *buffer = &runner->drawing.buffers[number];

   if (buffer->is_nothing)
      return (struct tg_vertex_buffer){0};
   return (struct tg_vertex_buffer){
      .buffer = buffer->buffer ? script_bound_resource(runner, buffer->buffer)
                               : runner->drawing.vertices,
      .offset = buffer->offset,
      .stride = buffer->stride,
   };
}

static enum tg_result
bind_elements(const struct script_drawing *drawing,
              struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(drawing->gpu);
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
   struct tg_vertex_elements *object = NULL;
   enum tg_result result;

   for (unsigned i = 0; i < TG_MAX_VERTEX_ELEMENTS; i++)
      elements[i] = drawing->elements[i].element;
   result = tg_vertex_elements_create(device, drawing->num_elements, elements,
                                      diagnostics, &object);
   if (result == TG_OK)
      result =
         tg_context_bind_vertex_elements(drawing->gpu, object, diagnostics);
   tg_vertex_elements_destroy(object);
   return result;
}

static enum tg_result
update_elements(struct script_runner *runner,
                struct tg_diagnostics *diagnostics)
{
   struct script_drawing *drawing = &runner->drawing;
   struct tg_vertex_buffer buffers[TG_MAX_VERTEX_BUFFERS];
   enum tg_result result = create_vertices(runner);

   if (result != TG_OK || drawing->has_elements)
      return result;
   for (unsigned i = 0; i < TG_MAX_VERTEX_BUFFERS; i++)
      buffers[i] = make_vertex_buffer(runner, i);
   result = bind_elements(drawing, diagnostics);
   if (result == TG_OK)
      result = tg_context_set_vertex_buffers(
         drawing->gpu, 0, TG_MAX_VERTEX_BUFFERS, buffers, diagnostics);
   drawing->has_elements = result == TG_OK;
   return result;
}

enum tg_result
script_drawing_indices(struct script_runner *runner, unsigned size,
                       struct tg_resource **buffer_out)
{
   const struct script_index_data *data = &runner->script->indices;
   struct script_drawing *drawing = &runner->drawing;

   if (drawing->indices && drawing->index_size != size) {
      tg_resource_destroy(drawing->indices);
      drawing->indices = NULL;
   }
   *buffer_out = drawing->indices;
   if (drawing->indices || !data->count)
      return TG_OK;
   enum tg_result result = create_buffer(
      runner, NULL, (data->count * size + 3) & ~3u, &drawing->indices);
   if (result != TG_OK)
      return result;

   uint8_t *bytes = tg_resource_map_buffer(drawing->indices);
   for (uint32_t i = 0; i < data->count; i++) {
      for (unsigned j = 0; j < size; j++)
         bytes[i * size + j] = (uint8_t)(data->indices[i] >> j * 8);
   }
   drawing->index_size = size;
   *buffer_out = drawing->indices;
   return TG_OK;
}

/* ---- stages -------------------------------------------------------------- */

/* Registers of each buffer of constants that settings reach. */
static void
count_registers(const struct script_settings *settings,
                uint32_t num_registers[TG_MAX_CONSTANT_BUFFERS])
{
   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_register *reg = &settings->items[i].reg;

      if (num_registers[reg->dimension] <= reg->index)
         num_registers[reg->dimension] = reg->index + 1;
   }
}

/* Recreates the buffers that the settings of a stage give values. Nothing may
 * be drawn with those that are there. */
static enum tg_result
update_constants(struct script_runner *runner, unsigned number)
{
   assert(number < TG_LENGTH(runner->settings));
   const struct script_settings *settings = &runner->settings[number];
   struct script_draw_stage *stage = &runner->drawing.stages[number];
   uint32_t num_registers[TG_MAX_CONSTANT_BUFFERS] = {0};
   enum tg_result result = TG_OK;

   count_registers(settings, num_registers);
   for (unsigned i = 0; i < TG_MAX_CONSTANT_BUFFERS && result == TG_OK; i++) {
      tg_resource_destroy(stage->constants[i]);
      stage->constants[i] = NULL;
      if (num_registers[i])
         result = create_buffer(runner, NULL, num_registers[i] * 16,
                                &stage->constants[i]);
   }
   for (uint32_t i = 0; i < settings->count && result == TG_OK; i++) {
      const struct script_setting *setting = &settings->items[i];
      uint32_t *words =
         tg_resource_map_buffer(stage->constants[setting->reg.dimension]);

      memcpy(words + (size_t)setting->reg.index * 4, setting->words,
             sizeof(setting->words));
   }
   stage->has_constants = result == TG_OK;
   return result;
}

/* A stage sees what is bound for all, and constants of its own. */
static enum tg_result
bind_stage(struct script_runner *runner, unsigned number)
{
   assert(number < TG_LENGTH(runner->drawing.stages));
   struct script_draw_stage *stage = &runner->drawing.stages[number];
   enum tg_result result = TG_OK;

   if (!stage->bindings)
      result = tg_bindings_create(runner->allocator, &stage->bindings);
   if (result == TG_OK && !stage->has_constants)
      result = update_constants(runner, number);
   if (result != TG_OK)
      return result;

   resource_copy_bindings(stage->bindings, runner->bound.bindings);
   for (unsigned i = 0; i < TG_MAX_CONSTANT_BUFFERS && result == TG_OK; i++) {
      if (stage->constants[i] && !script_bound_has_constants(runner->script, i))
         result = tg_bindings_set_buffer(
            stage->bindings, TG_BUFFER_CONSTANT, i, stage->constants[i], 0,
            tg_resource_get_desc(stage->constants[i])->width, NULL);
   }
   tg_context_set_bindings(runner->drawing.gpu, (enum tg_gpu_stage)number,
                           stage->bindings);
   return result;
}

/* Makes a shader of the script ready for draws. */
static enum tg_result
create_shader(struct script_runner *runner, uint32_t number,
              struct tg_diagnostics *diagnostics)
{
   struct script_drawn_shader *drawn = &runner->drawing.shaders[number];
   enum tg_result result = TG_OK;

   if (drawn->gpu)
      return TG_OK;
   if (!drawn->shader)
      result = script_runner_parse_shader(
         runner, &runner->script->shaders[number], diagnostics, &drawn->shader);
   if (result == TG_OK)
      result = tg_gpu_shader_create(
         tg_context_get_device(runner->drawing.gpu), drawn->shader,
         script_find_stream_output(runner->script, number), diagnostics,
         &drawn->gpu);
   return result;
}

/* Sets the shader of a stage, or none. */
static enum tg_result
set_shader(struct script_runner *runner, unsigned number,
           struct tg_diagnostics *diagnostics)
{
   assert(number < TG_LENGTH(runner->drawing.stages));
   const uint32_t shader = runner->drawing.stages[number].shader;
   struct tg_gpu_shader *gpu = NULL;
   enum tg_result result = TG_OK;

   if (shader != SCRIPT_NO_SHADER) {
      result = create_shader(runner, shader, diagnostics);
      gpu = runner->drawing.shaders[shader].gpu;
   }
   return result == TG_OK ? tg_context_set_shader(runner->drawing.gpu,
                                                  (enum tg_gpu_stage)number,
                                                  gpu, diagnostics)
                          : result;
}

enum tg_result
script_drawing_prepare(struct script_runner *runner,
                       struct tg_diagnostics *diagnostics)
{
   struct script_drawing *drawing = &runner->drawing;
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < TG_NUM_GPU_STAGES && result == TG_OK; i++)
      result = set_shader(runner, i, diagnostics);
   if (result == TG_OK)
      result = update_elements(runner, diagnostics);
   if (result == TG_OK)
      result = script_bound_update(runner);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES && result == TG_OK; i++)
      result = bind_stage(runner, i);
   if (result == TG_OK && !drawing->has_state)
      result = script_state_apply(&drawing->state, drawing->gpu, diagnostics);
   drawing->has_state = result == TG_OK;
   return result;
}
