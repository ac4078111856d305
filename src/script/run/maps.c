/* SPDX-License-Identifier: MIT
 *
 * Maps of a picture: how often each pixel was shaded, at what cost, and how
 * deep it is.
 */
#include "format/format.h"
#include "script/run/runner.h"
#include "util/block.h"
#include "util/memory.h"

/* ---- counters ------------------------------------------------------------ */

static void
free_words(const struct tg_allocator *allocator, uint32_t *words, size_t size)
{
   if (words)
      allocator->resize(allocator->user, words, size, 0);
}

void
script_maps_finish(struct script_runner *runner)
{
   struct tg_pixel_counters *counters = &runner->drawing.counters;

   const size_t size =
      (size_t)counters->width * counters->height * sizeof(uint32_t);

   free_words(runner->allocator, counters->fragments, size);
   free_words(runner->allocator, counters->instructions, size);
   *counters =
      (struct tg_pixel_counters){.size = sizeof(struct tg_pixel_counters)};
}

static bool
make_words(const struct script_runner *runner, enum script_map map,
           uint32_t **words_out)
{
   const struct script_drawing *drawing = &runner->drawing;
   const struct script_state *state = &drawing->state;
   const size_t count = (size_t)state->width * state->height;

   if (drawing->wanted_maps >> map & 1)
      *words_out = tg_alloc_zeroed(runner->allocator, count * sizeof(uint32_t));
   return *words_out || !(drawing->wanted_maps >> map & 1);
}

enum tg_result
script_maps_begin(struct script_runner *runner)
{
   struct script_drawing *drawing = &runner->drawing;
   struct tg_pixel_counters counters = {
      .size = sizeof(counters),
      .width = drawing->state.width,
      .height = drawing->state.height,
   };

   if (!drawing->wanted_maps)
      return TG_OK;
   tg_context_set_pixel_counters(drawing->gpu, NULL);
   script_maps_finish(runner);
   const bool is_there =
      make_words(runner, SCRIPT_MAP_OVERDRAW, &counters.fragments) &&
      make_words(runner, SCRIPT_MAP_INSTRUCTIONS, &counters.instructions);
   drawing->counters = counters;
   if (!is_there)
      return TG_ERROR_MEMORY;
   tg_context_set_pixel_counters(drawing->gpu, &counters);
   return TG_OK;
}

/* ---- maps ---------------------------------------------------------------- */

static enum tg_result
complain(const struct script_runner *runner, uint32_t line)
{
   const struct tg_source source = {.name = runner->script->source.name};

   tg_diagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed", &source,
               (struct tg_position){.line = line, .column = 1}, NULL,
               "the test has no depths");
   return TG_ERROR_INPUT;
}

static void
copy_words(const uint32_t *words, size_t count, float *map)
{
   for (size_t i = 0; i < count; i++)
      map[i] = (float)words[i];
}

static enum tg_result
copy_depths(struct script_runner *runner, uint32_t line, float *map)
{
   const struct script_state *state = &runner->drawing.state;
   const struct tg_surface surface =
      script_drawing_surface(runner, SCRIPT_DEPTH);

   if (!surface.resource)
      return complain(runner, line);
   const enum tg_format format =
      (enum tg_format)tg_resource_get_desc(surface.resource)->format;
   const uint32_t texel_size = tg_format_get_block(format).bytes;
   const struct tg_allocator *allocator = runner->allocator;
   const size_t row_size = (size_t)state->width * texel_size;
   uint8_t *row = allocator->resize(allocator->user, NULL, 0, row_size);
   enum tg_result result = row ? TG_OK : TG_ERROR_MEMORY;

   if (result == TG_OK && !format_has_depth(format))
      result = complain(runner, line);
   for (uint32_t y = 0; y < state->height && result == TG_OK; y++) {
      const struct tg_box box = {
         .y = y,
         .z = surface.first_layer,
         .width = state->width,
         .height = 1,
         .depth = 1,
      };

      result = script_drawing_read(runner, surface.resource, surface.level, 0,
                                   &box, row);
      for (uint32_t x = 0; x < state->width && result == TG_OK; x++) {
         union tg_color depth;

         format_unpack(format, row + (size_t)x * texel_size, depth.u);
         map[(size_t)y * state->width + x] = depth.f[0];
      }
   }
   if (row)
      allocator->resize(allocator->user, row, row_size, 0);
   return result;
}

enum tg_result
script_maps_copy(struct script_runner *runner, uint32_t line, unsigned wanted,
                 float *maps_out[SCRIPT_NUM_MAPS])
{
   const struct script_drawing *drawing = &runner->drawing;
   const struct tg_allocator *below = runner->quota.below;
   const size_t count = (size_t)drawing->state.width * drawing->state.height;
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < SCRIPT_NUM_MAPS && result == TG_OK; i++) {
      if (!(wanted >> i & 1))
         continue;
      maps_out[i] = tg_block_resize(below, NULL, count * sizeof(float));
      if (!maps_out[i])
         result = TG_ERROR_MEMORY;
      else if (i == SCRIPT_MAP_DEPTH)
         result = copy_depths(runner, line, maps_out[i]);
      else
         copy_words(i == SCRIPT_MAP_OVERDRAW ? drawing->counters.fragments
                                             : drawing->counters.instructions,
                    count, maps_out[i]);
   }
   return result;
}
