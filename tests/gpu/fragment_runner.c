/* SPDX-License-Identifier: MIT
 *
 * Fragment kernels by themselves.
 */
#include "fragment_runner.h"
#include "../context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/passes.h"
#include "util/bits.h"

/* ---- the shader ---------------------------------------------------------- */

static bool
is_attribute(const struct gpu_semantic *input)
{
   return input->declared && input->name != TG_SEMANTIC_POSITION &&
          input->name != TG_SEMANTIC_FACE &&
          input->name != TG_SEMANTIC_PRIM_ID &&
          input->name != TG_SEMANTIC_LAYER &&
          input->name != TG_SEMANTIC_VIEWPORT_INDEX;
}

static uint8_t
interpolation_of(const struct gpu_semantic *input)
{
   switch (input->interpolate) {
   case TG_INTERPOLATE_CONSTANT: return GPU_INTERPOLATE_CONSTANT;
   case TG_INTERPOLATE_LINEAR: return GPU_INTERPOLATE_LINEAR;
   default: return GPU_INTERPOLATE_PERSPECTIVE;
   }
}

static void
make_interface(struct fragment_runner *runner)
{
   struct gpu_interface *interface = &runner->interface;
   for (uint32_t i = 0; i < runner->shader->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &runner->shader->input[i];
      if (!is_attribute(input))
         continue;
      const uint32_t attribute = interface->num_attributes++;
      interface->input[attribute] = (uint8_t)i;
      runner->key.interpolation[attribute] = interpolation_of(input);
   }
}

static void
make_wave(struct fragment_runner *runner)
{
   for (uint32_t y = 0; y < RUNNER_HEIGHT; y++) {
      for (uint32_t x = 0; x < RUNNER_WIDTH; x++) {
         const unsigned lane = fragment_runner_lane(x, y);
         runner->input[GPU_FRAGMENT_X][lane] = x;
         runner->input[GPU_FRAGMENT_TEXEL_X][lane] = x;
         runner->input[GPU_FRAGMENT_Y][lane] = y;
         runner->input[GPU_FRAGMENT_TEXEL_Y][lane] = y;
         runner->input[GPU_FRAGMENT_COVERAGE][lane] = 1;
      }
   }
   runner->launched = runner->live = (1u << LIR_LANES) - 1;
}

void
fragment_runner_init(struct fragment_runner *runner, const char *text)
{
   memset(runner, 0, sizeof(*runner));
   const struct tg_device_options options = {.size = sizeof(options),
                                             .num_threads = 1};
   runner->diagnostics = tg_diagnostics_create(NULL);
   assert_non_null(runner->diagnostics);
   assert_int_equal(context_alone(NULL, &options, NULL, &runner->gpu), TG_OK);
   enum tg_result result =
      tg_shader_parse(NULL, "test", text, strlen(text), TG_DIALECT_2019,
                      runner->diagnostics, &runner->source);
   if (result == TG_OK)
      result = tg_gpu_shader_create(tg_context_get_device(runner->gpu),
                                    runner->source, NULL, runner->diagnostics,
                                    &runner->shader);
   if (result != TG_OK) {
      char *message = tg_diagnostics_text(runner->diagnostics);
      printf("%s\n%s", text, message ? message : "");
      tg_string_free(message);
      fail();
   }
   runner->key.num_samples = 1;
   runner->stage[GPU_SHAPE_FACE] = tg_bits_of_float(1.0f);
   fragment_runner_plane(runner, GPU_SHAPE_W, 1.0f, 0.0f, 0.0f);
   make_interface(runner);
   make_wave(runner);
}

void
fragment_runner_finish(struct fragment_runner *runner)
{
   tg_gpu_shader_destroy(runner->shader);
   tg_shader_destroy(runner->source);
   tg_context_destroy(runner->gpu);
   tg_diagnostics_destroy(runner->diagnostics);
}

/* ---- memory -------------------------------------------------------------- */

unsigned
fragment_runner_lane(uint32_t x, uint32_t y)
{
   const uint32_t quad = y / 2 * (RUNNER_WIDTH / 2) + x / 2;
   return quad * 4 + y % 2 * 2 + x % 2;
}

void
fragment_runner_plane(struct fragment_runner *runner, uint32_t word, float a,
                      float da_dx, float da_dy)
{
   runner->stage[word] = tg_bits_of_float(a);
   runner->stage[word + GPU_PLANE_DX] = tg_bits_of_float(da_dx);
   runner->stage[word + GPU_PLANE_DY] = tg_bits_of_float(da_dy);
}

void
fragment_runner_attribute(struct fragment_runner *runner, uint32_t attribute,
                          unsigned channel, float a, float da_dx, float da_dy)
{
   fragment_runner_plane(runner, gpu_shape_attribute(attribute, channel), a,
                         da_dx, da_dy);
}

static void
lay_out(struct fragment_runner *runner, uint32_t binding, uint32_t units,
        uint32_t num_samples)
{
   uint32_t *words =
      &runner->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   words[GPU_SURFACE_ROW] = RUNNER_WIDTH * units;
   words[GPU_SURFACE_SAMPLE] = RUNNER_WIDTH * RUNNER_HEIGHT * units;
   words[GPU_SURFACE_SLICE] = words[GPU_SURFACE_SAMPLE] * num_samples;
}

/* A pixel's place among those of a sample. */
static uint32_t
pixel_number(const struct fragment_runner *runner, uint32_t x, uint32_t y)
{
   return runner->key.num_samples > 1 ? fragment_runner_lane(x, y)
                                      : y * RUNNER_WIDTH + x;
}

static enum tg_format
format_of(const struct fragment_runner *runner, uint32_t binding)
{
   return (enum tg_format)(binding == GPU_BINDING_DEPTH
                              ? runner->key.depth_format
                              : runner->key.color_format[binding]);
}

void
fragment_runner_surface(struct fragment_runner *runner, uint32_t binding,
                        enum tg_format format, unsigned num_layers)
{
   struct gpu_fragment_key *key = &runner->key;
   const struct format_info *info = format_info(format);
   assert_true(num_layers * key->num_samples * RUNNER_WIDTH * RUNNER_HEIGHT *
                  info->block_bytes <=
               sizeof(runner->surfaces[0]));
   lay_out(runner, binding, info->num_units, key->num_samples);
   if (binding == GPU_BINDING_DEPTH) {
      key->depth_format = (uint16_t)format;
      return;
   }
   key->color_format[binding] = (uint16_t)format;
   key->blend[binding].colormask = TG_CHANNEL_RGBA;
   if (key->num_colors <= binding)
      key->num_colors = (uint8_t)(binding + 1);
   lay_out(runner, GPU_BINDING_ONE_COLOR + binding, 1, 1);
}

void *
fragment_runner_texel(struct fragment_runner *runner, uint32_t binding,
                      uint32_t x, uint32_t y, unsigned sample, unsigned layer)
{
   const struct format_info *info = format_info(format_of(runner, binding));
   const uint32_t plane = layer * runner->key.num_samples + sample;
   const uint32_t texel =
      plane * RUNNER_HEIGHT * RUNNER_WIDTH + pixel_number(runner, x, y);
   return (char *)runner->surfaces[binding] + texel * info->block_bytes;
}

uint8_t *
fragment_runner_one_color(struct fragment_runner *runner, uint32_t color,
                          uint32_t x, uint32_t y)
{
   uint8_t *bytes = (uint8_t *)runner->surfaces[GPU_BINDING_ONE_COLOR + color];
   return &bytes[pixel_number(runner, x, y)];
}

void
fragment_runner_bind_colors(struct fragment_runner *runner)
{
   for (uint32_t i = 0; i < runner->key.num_colors; i++) {
      const uint32_t *frame =
         &runner->frame[GPU_FRAME_SURFACES + i * GPU_SURFACE_WORDS];
      uint32_t *words =
         &runner->images[(ABI_IMAGE_COLORS + i) * ABI_IMAGE_WORDS];
      const bool has_samples = runner->key.num_samples > 1;
      runner->key.bound.colors[i] = (struct abi_image_key){
         .format = runner->key.color_format[i],
         .resource_format = runner->key.color_format[i],
         .target = has_samples ? TG_TARGET_2D_MSAA : TG_TARGET_2D,
      };
      words[ABI_IMAGE_WIDTH] = RUNNER_WIDTH;
      words[ABI_IMAGE_HEIGHT] = RUNNER_HEIGHT;
      words[ABI_IMAGE_DEPTH] = 1;
      words[ABI_IMAGE_SAMPLES] = runner->key.num_samples;
      words[ABI_IMAGE_ROW_PITCH] = frame[GPU_SURFACE_ROW];
      words[ABI_IMAGE_SLICE_PITCH] = frame[GPU_SURFACE_SLICE];
      words[ABI_IMAGE_SAMPLE_PITCH] = frame[GPU_SURFACE_SAMPLE];
   }
}

/* ---- running ------------------------------------------------------------- */

static void
run_program(struct fragment_runner *runner, const struct exec_program *program)
{
   static uint32_t tables[ABI_TABLE_WORDS];
   static uint32_t shapes[GPU_MAX_SHAPE_WORDS][LIR_LANES];
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct exec_memory constants[GPU_NUM_CONST_BINDINGS] = {
      [ABI_CONST_IMAGES] = {runner->images, sizeof(runner->images)},
      [ABI_CONST_TABLES] = {tables, sizeof(tables)},
      [GPU_BINDING_FRAME] = {runner->frame, sizeof(runner->frame)},
   };
   struct exec_memory surfaces[GPU_NUM_SURFACE_BINDINGS];
   struct exec_memory images[ABI_NUM_IMAGE_BINDINGS] = {{0}};
   struct exec_fault fault;
   memcpy(tables, abi_tables, sizeof(tables));
   for (unsigned i = 0; i < GPU_MAX_SHAPE_WORDS * LIR_LANES; i++)
      shapes[i / LIR_LANES][i % LIR_LANES] = runner->stage[i / LIR_LANES];
   for (unsigned i = 0; i < GPU_NUM_SURFACE_BINDINGS; i++)
      surfaces[i] =
         (struct exec_memory){runner->surfaces[i], sizeof(runner->surfaces[i])};
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++)
      images[ABI_IMAGE_COLORS + i] = surfaces[i];
   struct exec_wave wave = {
      .launched = runner->launched,
      .live = runner->live,
      .memory = {[LIR_SPACE_CONST] = constants,
                 [LIR_SPACE_SURFACE] = surfaces,
                 [LIR_SPACE_IMAGE] = images},
      .num_memories = {[LIR_SPACE_CONST] = GPU_NUM_CONST_BINDINGS,
                       [LIR_SPACE_SURFACE] = GPU_NUM_SURFACE_BINDINGS,
                       [LIR_SPACE_IMAGE] = ABI_NUM_IMAGE_BINDINGS},
      .input = {runner->input, GPU_FRAGMENT_INPUT_WORDS},
      .sysval = {shapes, GPU_MAX_SHAPE_WORDS},
      .output = {runner->output, GPU_FRAGMENT_OUTPUT_WORDS},
      .loop_budget = 1000,
   };
   const size_t size = executor->scratch_size(program);
   void *scratch = aligned_alloc(64, (size + 64) / 64 * 64);
   assert_non_null(scratch);
   memset(scratch, 0xa5, size);
   assert_int_equal(executor->run(program, &wave, scratch, &fault), TG_OK);
   free(scratch);
   runner->live = wave.live;
}

static void
write_and_run(struct fragment_runner *runner, bool optimized)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct gpu_fragment_writer writer = {
      .shader = runner->shader,
      .interface = &runner->interface,
   };
   const struct lir_pass_options options = {.disable = !optimized,
                                            .verify_each = true};
   struct exec_program *program;
   struct lir_module module;
   lir_module_init(&module, NULL);
   assert_int_equal(gpu_fragment_write_kernel(&writer, &runner->key, &module,
                                              runner->diagnostics),
                    TG_OK);
   assert_null(lir_verify(&module));
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   assert_int_equal(executor->compile(NULL, &module, &program), TG_OK);
   run_program(runner, program);
   executor->destroy(program);
   runner->num_insts = 0;
   for (uint32_t i = 0; i < module.num_functions; i++)
      runner->num_insts += module.functions[i].num_insts;
   lir_module_finish(&module);
}

void
fragment_runner_run(struct fragment_runner *runner)
{
   struct fragment_runner *other = malloc(sizeof(*other));
   assert_non_null(other);
   *other = *runner;
   write_and_run(other, false);
   write_and_run(runner, true);
   assert_memory_equal(other->surfaces, runner->surfaces,
                       sizeof(runner->surfaces));
   assert_memory_equal(other->output, runner->output, sizeof(runner->output));
   assert_int_equal(other->live, runner->live);
   free(other);
}
