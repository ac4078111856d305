/* SPDX-License-Identifier: MIT
 *
 * User memory: storage in memory of the caller: whether a resource fits there,
 * and where its texels lie.
 */
#include "resource/resource.h"

enum { ALIGNMENT = 4 };

static enum tg_result
complain(struct tg_diagnostics *diagnostics, const char *what)
{
   return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                      "memory of the caller %s", what);
}

/* One level and one sample: nothing has to be stored beside the texels, and
 * nothing is decoded that changes meanwhile. */
static enum tg_result
check_kind(const struct tg_resource_desc *desc,
           const struct format_info *format, struct tg_diagnostics *diagnostics)
{
   if (desc->last_level > 0 || desc->samples > 1)
      return complain(diagnostics, "is for one level and one sample");
   if (format->block_width * format->block_height > 1)
      return tg_complain(diagnostics, TG_ERROR_UNSUPPORTED, "resource",
                         "memory of the caller cannot have the compressed "
                         "format %s",
                         format->name);
   return TG_OK;
}

/* A stride, or the least there can be for 0. */
static enum tg_result
find_stride(const char *name, uint64_t given, uint64_t least, uint32_t unit,
            struct tg_diagnostics *diagnostics, uint64_t *stride_out)
{
   *stride_out = given ? given : least;
   if (*stride_out < least || *stride_out > TG_MAX_RESOURCE_SIZE)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "the %s stride is %llu bytes; it can be %llu to %llu",
                         name, (unsigned long long)given,
                         (unsigned long long)least,
                         (unsigned long long)TG_MAX_RESOURCE_SIZE);
   if (*stride_out % unit)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "the %s stride is %llu bytes; expected a multiple of "
                         "%u",
                         name, (unsigned long long)given, unit);
   return TG_OK;
}

static enum tg_result
find_strides(const struct tg_resource_memory *memory,
             struct resource_storage *storage,
             struct tg_diagnostics *diagnostics)
{
   const struct format_info *format = storage->format;
   struct resource_level *level = &storage->layout.level[0];
   enum tg_result result =
      find_stride("row", memory->row_stride, level->row_pitch, format->unit,
                  diagnostics, &level->row_pitch);

   level->sample_pitch = level->row_pitch * level->height;
   if (result == TG_OK)
      result = find_stride("slice", memory->slice_stride, level->sample_pitch,
                           format->unit, diagnostics, &level->slice_pitch);
   return result;
}

/* Up to the last texel. Strides are below 2^32, and slices and rows few, so
 * that nothing overflows. */
static uint64_t
count_bytes(const struct resource_storage *storage)
{
   const struct resource_level *level = &storage->layout.level[0];

   if (!level->width)
      return 0;
   return (level->num_slices - 1) * level->slice_pitch +
          (level->height - 1) * level->row_pitch +
          (uint64_t)level->width * storage->format->block_bytes;
}

/* Code reads whole words, also the last. */
static enum tg_result
check_size(const struct tg_resource_memory *memory, uint64_t num_bytes,
           struct tg_diagnostics *diagnostics)
{
   const uint64_t rounded = (num_bytes + 3) & ~UINT64_C(3);

   if (num_bytes > TG_MAX_RESOURCE_SIZE)
      return tg_complain(diagnostics, TG_ERROR_LIMIT, "resource",
                         "a resource of %llu bytes is too large; the most is "
                         "4 GiB - 1",
                         (unsigned long long)num_bytes);
   if (rounded > memory->num_bytes)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "memory of the caller has %llu bytes; the resource "
                         "takes %llu",
                         (unsigned long long)memory->num_bytes,
                         (unsigned long long)rounded);
   return TG_OK;
}

enum tg_result
resource_storage_init_caller_memory(struct resource_storage *storage,
                                    const struct tg_resource_desc *desc,
                                    const struct tg_resource_memory *memory,
                                    struct tg_diagnostics *diagnostics)
{
   enum tg_result result = check_kind(desc, storage->format, diagnostics);

   if (result != TG_OK)
      return result;
   if (!memory->address || (uintptr_t)memory->address % ALIGNMENT)
      return complain(diagnostics, "does not begin at a multiple of 4");
   resource_lay_out(desc, storage->format, &storage->layout);
   result = find_strides(memory, storage, diagnostics);
   if (result != TG_OK)
      return result;
   storage->layout.size = count_bytes(storage);
   result = check_size(memory, storage->layout.size, diagnostics);
   if (result != TG_OK)
      return result;
   storage->data = memory->address;
   storage->num_bytes = storage->layout.size;
   storage->is_borrowed = true;
   storage->release = memory->release;
   storage->user = memory->user;
   return TG_OK;
}
