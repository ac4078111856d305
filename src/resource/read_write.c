/* SPDX-License-Identifier: MIT
 *
 * Transfers: copies between the caller's memory and boxes of a resource.
 */
#include <assert.h>
#include <string.h>

#include "resource/resource.h"
#include "util/copy.h"

/* One axis of a box, in texels, as blocks. False when it is not in the level
 * or goes through a block. */
static bool
find_axis(uint32_t first, uint32_t size, uint32_t level_size,
          uint32_t block_size, uint32_t *first_out, uint32_t *size_out)
{
   if (first > level_size || size > level_size - first)
      return false;
   *first_out = first;
   *size_out = size;
   if (block_size == 1)
      return true;
   const uint32_t end = first + size;
   if (first % block_size || (end % block_size && end != level_size))
      return false;
   *first_out = first / block_size;
   *size_out = size / block_size + (size % block_size != 0);
   return true;
}

bool
resource_find_blocks(const struct tg_resource *resource, uint32_t level,
                     uint32_t sample, const struct tg_box *box,
                     struct resource_blocks *blocks)
{
   const struct tg_resource_desc *desc = &resource->desc;
   const struct format_info *format = resource->written.format;

   if (level > desc->last_level || sample >= desc->samples)
      return false;
   *blocks = (struct resource_blocks){.level = level, .sample = sample};
   return find_axis(box->x, box->width, resource_minify(desc->width, level),
                    format->block_width, &blocks->x, &blocks->width) &&
          find_axis(box->y, box->height, resource_minify(desc->height, level),
                    format->block_height, &blocks->y, &blocks->height) &&
          find_axis(box->z, box->depth, resource_num_slices(resource, level), 1,
                    &blocks->z, &blocks->depth);
}

/* The caller's rows of blocks. */
struct rows {
   size_t bytes; /* of a row */
   size_t row_stride, slice_stride;
};

static struct rows
find_rows(const struct tg_resource *resource,
          const struct resource_blocks *blocks, size_t row_stride,
          size_t slice_stride)
{
   struct rows rows = {
      .bytes = (size_t)blocks->width * resource->written.format->block_bytes,
   };

   rows.row_stride = row_stride ? row_stride : rows.bytes;
   rows.slice_stride =
      slice_stride ? slice_stride : rows.row_stride * blocks->height;
   return rows;
}

/* Blocks of the resource that lie after each other, and their place in the
 * caller's row. */
struct run {
   unsigned char *first;
   size_t at, num_bytes;
};

/* The run that begins `x` blocks from the first of row `y` of slice `z` of a
 * box. */
static struct run
find_run(const struct resource_hold *hold, const struct tg_resource *resource,
         const struct resource_blocks *blocks, uint32_t x, uint32_t y,
         uint32_t z)
{
   const struct resource_level *level =
      &resource->written.layout.level[blocks->level];
   const size_t block_bytes = level->block_bytes;

   return (struct run){
      .first = resource_texel_in(hold->memory.data, resource, blocks->level,
                                 blocks->sample, blocks->x + x, blocks->y + y,
                                 blocks->z + z),
      .at = x * block_bytes,
      .num_bytes =
         resource_run(level, blocks->x + x, blocks->width - x) * block_bytes,
   };
}

/* Copies a row of a box from the caller's memory. */
static void
write_row(struct tg_resource *resource, const struct resource_hold *hold,
          const struct resource_blocks *blocks, uint32_t y, uint32_t z,
          const unsigned char *row, size_t num_bytes)
{
   const size_t block_bytes = resource->written.format->block_bytes;

   assert(block_bytes > 0);
   for (size_t done = 0; done < num_bytes;) {
      const struct run run =
         find_run(hold, resource, blocks, (uint32_t)(done / block_bytes), y, z);

      tg_copy_row(run.first, row + run.at, run.num_bytes);
      resource_define(resource, run.first, run.num_bytes);
      done += run.num_bytes;
   }
}

static void
read_row(const struct tg_resource *resource, const struct resource_hold *hold,
         const struct resource_blocks *blocks, uint32_t y, uint32_t z,
         unsigned char *row, size_t num_bytes)
{
   const size_t block_bytes = resource->written.format->block_bytes;

   assert(block_bytes > 0);
   for (size_t done = 0; done < num_bytes;) {
      const struct run run =
         find_run(hold, resource, blocks, (uint32_t)(done / block_bytes), y, z);

      tg_copy_row(row + run.at, run.first, run.num_bytes);
      done += run.num_bytes;
   }
}

/* To where a buffer is, which is not renamed meanwhile. */
static void
write_bytes(struct tg_resource *buffer, const struct exec_memory *memory,
            uint32_t offset, uint32_t num_bytes, const void *data)
{
   unsigned char *first = (unsigned char *)memory->data + offset;

   assert((uint64_t)offset + num_bytes <= memory->num_bytes);
   tg_copy_row(first, data, num_bytes);
   resource_define(buffer, first, num_bytes);
}

/* A buffer has one row, of bytes. While a few are written no one may rename it;
 * for more the memory is held. */
static void
write_buffer(struct tg_resource *buffer, const struct resource_blocks *blocks,
             const void *data)
{
   enum { FEW = 4096 };

   if (blocks->width <= FEW) {
      pthread_mutex_lock(&buffer->mutex);
      const struct exec_memory memory = resource_place_without_hold(buffer);
      write_bytes(buffer, &memory, blocks->x, blocks->width, data);
      pthread_mutex_unlock(&buffer->mutex);
      return;
   }
   struct resource_hold hold = resource_hold(buffer);
   write_bytes(buffer, &hold.memory, blocks->x, blocks->width, data);
   resource_release(&hold);
}

void
resource_write_blocks(struct tg_resource *resource,
                      const struct resource_blocks *blocks, const void *data,
                      size_t row_stride, size_t slice_stride)
{
   if (resource_is_buffer(resource) && blocks->height && blocks->depth) {
      write_buffer(resource, blocks, data);
      return;
   }
   resource_settle_one_color_blocks(resource, blocks);
   const struct rows rows =
      find_rows(resource, blocks, row_stride, slice_stride);
   struct resource_hold hold = resource_hold(resource);

   for (uint32_t z = 0; z < blocks->depth; z++) {
      for (uint32_t y = 0; y < blocks->height; y++)
         write_row(resource, &hold, blocks, y, z,
                   (const unsigned char *)data + z * rows.slice_stride +
                      y * rows.row_stride,
                   rows.bytes);
   }
   resource_release(&hold);
   resource_decode_blocks(resource, blocks);
}

enum tg_result
tg_resource_write(struct tg_resource *resource, uint32_t level, uint32_t sample,
                  const struct tg_box *box, const void *data, size_t row_stride,
                  size_t slice_stride)
{
   assert(resource);
   assert(box);
   struct resource_blocks blocks;

   if (!resource_find_blocks(resource, level, sample, box, &blocks))
      return TG_ERROR_INPUT;
   resource_write_blocks(resource, &blocks, data, row_stride, slice_stride);
   return TG_OK;
}

enum tg_result
tg_resource_read(const struct tg_resource *resource, uint32_t level,
                 uint32_t sample, const struct tg_box *box, void *data,
                 size_t row_stride, size_t slice_stride)
{
   assert(resource);
   assert(box);
   struct resource_blocks blocks;

   if (!resource_find_blocks(resource, level, sample, box, &blocks))
      return TG_ERROR_INPUT;
   resource_settle_one_color_blocks(resource, &blocks);
   const struct rows rows =
      find_rows(resource, &blocks, row_stride, slice_stride);
   struct resource_hold hold = resource_hold(resource);

   for (uint32_t z = 0; z < blocks.depth; z++) {
      for (uint32_t y = 0; y < blocks.height; y++)
         read_row(resource, &hold, &blocks, y, z,
                  (unsigned char *)data + z * rows.slice_stride +
                     y * rows.row_stride,
                  rows.bytes);
   }
   resource_release(&hold);
   return TG_OK;
}
