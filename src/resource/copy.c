/* SPDX-License-Identifier: MIT
 *
 * Copies between resources, of blocks as they are. Where both boxes are in the
 * same level they may overlap (as memmove): rows are taken in the order in
 * which none is written before it was read.
 */
#include <assert.h>
#include <string.h>

#include "resource/resource.h"

/* Blocks of the one level become those of the other. */
struct copy {
   struct tg_resource *dst;
   const struct tg_resource *src;
   struct resource_hold dst_hold, src_hold;
   struct resource_blocks to, from;
};

/* ---- checks -------------------------------------------------------------- */

static enum tg_result
check_kinds(const struct tg_resource *dst, const struct tg_resource *src,
            struct tg_diagnostics *diagnostics)
{
   const struct format_info *to = dst->written.format;
   const struct format_info *from = src->written.format;

   if (resource_is_buffer(dst) != resource_is_buffer(src))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "copy",
                         "a buffer and a texture are not copied to each other");
   if (to->block_bytes != from->block_bytes)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "copy",
                         "%s has blocks of %u bytes, %s of %u", from->name,
                         from->block_bytes, to->name, to->block_bytes);
   if (dst->desc.samples != src->desc.samples)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "copy",
                         "%u samples are not copied to %u", src->desc.samples,
                         dst->desc.samples);
   return TG_OK;
}

/* Blocks from texel `first` of an axis on; false when they are not all there,
 * or `first` is inside one. */
static bool
place_axis(uint32_t first, uint32_t block_size, uint32_t count, uint32_t end,
           uint32_t *first_out)
{
   assert(block_size > 0);
   *first_out = first / block_size;
   return first % block_size == 0 && *first_out <= end &&
          count <= end - *first_out;
}

static bool
place(struct copy *copy, uint32_t level_number, uint32_t x, uint32_t y,
      uint32_t z)
{
   const struct format_info *format = copy->dst->written.format;

   if (level_number > copy->dst->desc.last_level)
      return false;
   const struct resource_level *level =
      &copy->dst->written.layout.level[level_number];
   copy->to = copy->from;
   copy->to.level = level_number;
   return place_axis(x, format->block_width, copy->from.width, level->width,
                     &copy->to.x) &&
          place_axis(y, format->block_height, copy->from.height, level->height,
                     &copy->to.y) &&
          place_axis(z, 1, copy->from.depth, level->num_slices, &copy->to.z);
}

/* ---- moving -------------------------------------------------------------- */

/* Copies blocks that lie after each other in both, from block `x` of row `y` of
 * slice `z` of the box on. */
static void
copy_run(const struct copy *copy, uint32_t sample, uint32_t x, uint32_t y,
         uint32_t z, uint32_t count)
{
   const size_t num_bytes =
      (size_t)count * copy->src->written.format->block_bytes;
   void *to =
      resource_texel_in(copy->dst_hold.memory.data, copy->dst, copy->to.level,
                        sample, copy->to.x + x, copy->to.y + y, copy->to.z + z);
   const void *from = resource_texel_in(
      copy->src_hold.memory.data, copy->src, copy->from.level, sample,
      copy->from.x + x, copy->from.y + y, copy->from.z + z);

   memmove(to, from, num_bytes);
   resource_define(copy->dst, to, num_bytes);
}

/* Row `number` of the box, counted through its rows, samples and slices. Of
 * tiled levels it is block by block. */
static void
copy_row(const struct copy *copy, uint64_t number, bool is_upwards)
{
   const uint32_t num_samples = copy->src->desc.samples;
   const uint32_t y = (uint32_t)(number % copy->from.height);
   const uint32_t plane = (uint32_t)(number / copy->from.height);
   const uint32_t sample = plane % num_samples;
   const uint32_t z = plane / num_samples;
   const uint32_t width = copy->from.width;

   if (num_samples == 1) {
      copy_run(copy, 0, 0, y, z, width);
      return;
   }
   for (uint32_t i = 0; i < width; i++)
      copy_run(copy, sample, is_upwards ? width - 1 - i : i, y, z, 1);
}

/* Does each block move to one that comes after it, in the order of slices, rows
 * and columns? */
static bool
moves_upwards(const struct copy *copy)
{
   const struct resource_blocks *to = &copy->to, *from = &copy->from;

   if (to->z != from->z)
      return to->z > from->z;
   return to->y != from->y ? to->y > from->y : to->x > from->x;
}

/* Within a level all rows move by the same distance. */
static void
move(const struct copy *copy)
{
   const uint64_t num_rows =
      (uint64_t)copy->from.height * copy->from.depth * copy->src->desc.samples;
   const bool is_upwards = moves_upwards(copy);

   for (uint64_t i = 0; i < num_rows; i++)
      copy_row(copy, is_upwards ? num_rows - 1 - i : i, is_upwards);
}

enum tg_result
resource_copy(struct tg_resource *dst, uint32_t dst_level, uint32_t dst_x,
              uint32_t dst_y, uint32_t dst_z, const struct tg_resource *src,
              uint32_t src_level, const struct tg_box *src_box,
              struct tg_diagnostics *diagnostics)
{
   struct copy copy = {.dst = dst, .src = src};
   enum tg_result result = check_kinds(dst, src, diagnostics);

   if (result != TG_OK)
      return result;
   if (!resource_find_blocks(src, src_level, 0, src_box, &copy.from))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "copy",
                         "the source has no such box of blocks in level %u",
                         src_level);
   if (!place(&copy, dst_level, dst_x, dst_y, dst_z))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "copy",
                         "level %u of the target has no room for the box at "
                         "(%u, %u, %u)",
                         dst_level, dst_x, dst_y, dst_z);
   if (!copy.from.width || !copy.from.height || !copy.from.depth)
      return TG_OK;
   resource_settle_one_color_blocks(src, &copy.from);
   resource_settle_one_color_blocks(dst, &copy.to);
   copy.dst_hold = resource_hold(dst);
   copy.src_hold = resource_hold(src);
   move(&copy);
   resource_release(&copy.dst_hold);
   resource_release(&copy.src_hold);
   resource_decode_blocks(dst, &copy.to);
   return TG_OK;
}
