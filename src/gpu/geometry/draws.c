/* SPDX-License-Identifier: MIT
 *
 * Draw ranges of a call.
 */
#include "gpu/geometry/draws.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/fault.h"
#include "gpu/core/grow.h"
#include "gpu/geometry/stream_output.h"
#include "resource/resource.h"

/* ---- memory of indirect draws -------------------------------------------- */

/* The words of a draw in an indirect buffer; without indices there is no
 * INDEX_BIAS, and what is after it comes a word earlier. */
enum indirect_word {
   INDIRECT_COUNT,
   INDIRECT_INSTANCE_COUNT,
   INDIRECT_START,
   INDIRECT_INDEX_BIAS,
   INDIRECT_START_INSTANCE,
   INDIRECT_WORDS,
};

static uint32_t
num_indirect_words(const struct tg_draw_info *info)
{
   return info->index_size ? INDIRECT_WORDS : INDIRECT_WORDS - 1;
}

/* Bytes of a buffer, all of which there are. */
static const uint8_t *
find_bytes(const struct resource_hold *buffer, uint64_t offset,
           uint64_t num_bytes)
{
   const struct exec_memory *memory = &buffer->memory;
   if (offset > memory->num_bytes || num_bytes > memory->num_bytes - offset)
      return NULL;
   return (const uint8_t *)memory->data + offset;
}

static enum tg_result
check_indirect_buffer(const char *name, const struct tg_resource *buffer,
                      uint32_t offset, struct tg_diagnostics *diagnostics)
{
   if (!resource_is_buffer(buffer))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "%s is not a buffer", name);
   if (offset % 4)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "%s_offset is %u; expected a multiple of 4",
                                name, offset);
   return TG_OK;
}

/* The buffer may hold a smaller number. */
static enum tg_result
read_num_draws(struct gpu_draws *draws, struct tg_diagnostics *diagnostics)
{
   const struct tg_draw_info *info = &draws->info;
   if (!info->indirect_count)
      return TG_OK;
   const enum tg_result result =
      check_indirect_buffer("indirect_count", info->indirect_count,
                            info->indirect_count_offset, diagnostics);
   if (result != TG_OK)
      return result;
   uint32_t number;
   struct resource_hold hold = resource_hold(info->indirect_count);
   const uint8_t *at =
      find_bytes(&hold, info->indirect_count_offset, sizeof(number));
   if (at)
      memcpy(&number, at, sizeof(number));
   resource_release(&hold);
   if (!at)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "indirect_count_offset is %u; the buffer has %llu "
         "bytes",
         info->indirect_count_offset,
         (unsigned long long)tg_resource_get_size(info->indirect_count));
   if (number < draws->num_draws)
      draws->num_draws = number;
   return TG_OK;
}

static struct gpu_range
decode(const struct tg_draw_info *info, const uint8_t *at)
{
   uint32_t words[INDIRECT_WORDS];
   memcpy(words, at, num_indirect_words(info) * sizeof(*words));
   return (struct gpu_range){
      .count = words[INDIRECT_COUNT],
      .instance_count = words[INDIRECT_INSTANCE_COUNT],
      .start = words[INDIRECT_START],
      .index_bias = info->index_size ? (int32_t)words[INDIRECT_INDEX_BIAS] : 0,
      .start_instance = words[num_indirect_words(info) - 1],
   };
}

/* Bytes from one draw's arguments to the next one's. */
static uint32_t
indirect_pitch(const struct tg_draw_info *info)
{
   return info->indirect_stride ? info->indirect_stride
                                : num_indirect_words(info) * 4;
}

static enum tg_result
copy_indirect(struct gpu_draws *draws, const uint8_t *at)
{
   void *memory = NULL;
   if (!gpu_grow(draws->allocator, &memory, 0,
                 draws->num_draws * sizeof(*draws->indirect)))
      return TG_ERROR_MEMORY;
   draws->indirect = memory;
   draws->num_indirect = draws->num_draws;
   for (uint32_t i = 0; i < draws->num_draws; i++)
      draws->indirect[i] =
         decode(&draws->info, at + (size_t)i * indirect_pitch(&draws->info));
   return TG_OK;
}

static enum tg_result
read_indirect(struct gpu_draws *draws, struct tg_diagnostics *diagnostics)
{
   const struct tg_draw_info *info = &draws->info;
   if (!draws->num_draws)
      return TG_OK;
   if (info->indirect_stride % 4)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "indirect_stride is %u; expected a multiple of 4",
         info->indirect_stride);
   const uint64_t num_bytes =
      (uint64_t)(draws->num_draws - 1) * indirect_pitch(info) +
      num_indirect_words(info) * 4;
   struct resource_hold hold = resource_hold(info->indirect);
   const uint8_t *at = find_bytes(&hold, info->indirect_offset, num_bytes);
   const enum tg_result result = at ? copy_indirect(draws, at) : TG_ERROR_INPUT;
   resource_release(&hold);
   if (!at)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "%u indirect draws reach beyond their buffer of %llu bytes",
         draws->num_draws,
         (unsigned long long)tg_resource_get_size(info->indirect));
   return result;
}

/* ---- checks -------------------------------------------------------------- */

static enum tg_result
check_primitives(const struct tg_draw_info *info,
                 struct tg_diagnostics *diagnostics)
{
   if (info->mode > TG_PRIM_PATCHES)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "mode is %u; there is no such primitive",
                                (unsigned)info->mode);
   if (info->mode == TG_PRIM_PATCHES &&
       (info->vertices_per_patch < 1 ||
        info->vertices_per_patch > TG_MAX_PATCH_VERTICES))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "vertices_per_patch is %u; expected 1 to %u",
                                (unsigned)info->vertices_per_patch,
                                (unsigned)TG_MAX_PATCH_VERTICES);
   return TG_OK;
}

static enum tg_result
check_indices(const struct tg_draw_info *info,
              struct tg_diagnostics *diagnostics)
{
   if (!info->index_size)
      return TG_OK;
   if (info->index_size != 1 && info->index_size != 2 && info->index_size != 4)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "index_size is %u; expected 1, 2 or 4, or 0 for none",
         (unsigned)info->index_size);
   if (!info->index_buffer || !resource_is_buffer(info->index_buffer))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "an indexed draw without a buffer of indices");
   return TG_OK;
}

static enum tg_result
check_source(const struct tg_draw_info *info,
             struct tg_diagnostics *diagnostics)
{
   if (info->indirect && info->count_from_stream_output)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "both indirect and count_from_stream_output are set");
   if (info->indirect_count && !info->indirect)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "indirect_count is set, but indirect is not");
   if (info->count_from_stream_output && info->index_size)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "count_from_stream_output is set, and so is "
                                "index_size");
   if (!info->indirect && !info->count_from_stream_output && info->num_draws &&
       !info->draws)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "there are no draws, but num_draws is %u",
                                info->num_draws);
   return TG_OK;
}

static enum tg_result
check_num_draws(const struct gpu_draws *draws,
                struct tg_diagnostics *diagnostics)
{
   if (draws->num_draws > TG_MAX_DRAWS)
      return gpu_fault_complain(diagnostics, TG_ERROR_LIMIT, "draw",
                                "num_draws is %u; a call may have 2^20",
                                draws->num_draws);
   return TG_OK;
}

static enum tg_result
count_vertices(struct gpu_draws *draws, struct tg_diagnostics *diagnostics)
{
   for (uint32_t i = 0; i < draws->num_draws; i++) {
      const struct gpu_range range = gpu_draws_get(draws, i);
      const uint64_t number = (uint64_t)range.count * range.instance_count;
      if (number > TG_MAX_DRAW_VERTICES - draws->num_vertices)
         return gpu_fault_complain(
            diagnostics, TG_ERROR_LIMIT, "draw",
            "draw %u has %u vertices times %u instances; a "
            "call may have 2^30 in all",
            i, range.count, range.instance_count);
      draws->num_vertices += number;
   }
   return TG_OK;
}

/* ---- the draws ----------------------------------------------------------- */

static enum tg_result
check_info(const struct tg_draw_info *info, struct tg_diagnostics *diagnostics)
{
   enum tg_result result = check_primitives(info, diagnostics);
   if (result == TG_OK)
      result = check_indices(info, diagnostics);
   if (result == TG_OK)
      result = check_source(info, diagnostics);
   if (result == TG_OK && info->indirect)
      result = check_indirect_buffer("indirect", info->indirect,
                                     info->indirect_offset, diagnostics);
   return result;
}

enum tg_result
gpu_draws_init(struct gpu_draws *draws, const struct tg_allocator *allocator,
               const struct tg_draw_info *info,
               struct tg_diagnostics *diagnostics)
{
   *draws = (struct gpu_draws){.allocator = allocator, .info = *info};
   draws->num_draws = info->num_draws;
   enum tg_result result = check_info(&draws->info, diagnostics);
   if (draws->info.count_from_stream_output) {
      draws->num_draws = 1;
      draws->num_streamed = draws->info.count_from_stream_output->num_vertices;
   }
   if (result == TG_OK)
      result = read_num_draws(draws, diagnostics);
   if (result == TG_OK)
      result = check_num_draws(draws, diagnostics);
   if (result == TG_OK && draws->info.indirect)
      result = read_indirect(draws, diagnostics);
   if (result == TG_OK)
      result = count_vertices(draws, diagnostics);
   if (result == TG_OK && info->index_size)
      draws->indices = resource_hold(info->index_buffer);
   if (result != TG_OK)
      gpu_draws_finish(draws);
   return result;
}

void
gpu_draws_finish(struct gpu_draws *draws)
{
   void *memory = draws->indirect;
   resource_release(&draws->indices);
   gpu_grow(draws->allocator, &memory,
            draws->num_indirect * sizeof(*draws->indirect), 0);
   draws->indirect = NULL;
   draws->num_indirect = 0;
}

struct gpu_range
gpu_draws_get(const struct gpu_draws *draws, uint32_t number)
{
   assert(number < draws->num_draws);
   const struct tg_draw_info *info = &draws->info;
   struct gpu_range range = {
      .count = draws->num_streamed,
      .start_instance = info->start_instance,
      .instance_count = info->instance_count,
   };
   if (draws->indirect) {
      range = draws->indirect[number];
   } else if (!info->count_from_stream_output) {
      range.start = info->draws[number].start;
      range.count = info->draws[number].count;
      range.index_bias = info->index_size ? info->draws[number].index_bias : 0;
   }
   range.draw_id = info->first_draw_id + number;
   return range;
}
