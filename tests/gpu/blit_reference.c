/* SPDX-License-Identifier: MIT
 *
 * The reference for blits.
 */
#include "blit_reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- resources ----------------------------------------------------------- */

struct tg_resource *
blit_make(const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = NULL;

   assert_int_equal(tg_resource_create(NULL, desc, NULL, &resource), TG_OK);
   return resource;
}

struct tg_blit_side
blit_side(struct tg_resource *resource, uint32_t level)
{
   return (struct tg_blit_side){
      .resource = resource,
      .level = level,
      .width = (int32_t)resource_minify(resource->desc.width, level),
      .height = (int32_t)resource_minify(resource->desc.height, level),
      .depth = (int32_t)resource_num_slices(resource, level),
   };
}

struct tg_blit_info
blit_all(struct tg_resource *dst, struct tg_resource *src)
{
   return (struct tg_blit_info){
      .size = sizeof(struct tg_blit_info),
      .dst = blit_side(dst, 0),
      .src = blit_side(src, 0),
      .mask = TG_CHANNEL_RGBA,
   };
}

static struct tg_resource *
make_clone(const struct tg_resource *resource)
{
   struct tg_resource *clone = blit_make(&resource->desc);

   memcpy(clone->written.data, resource->written.data,
          (size_t)resource->written.num_bytes);
   return clone;
}

/* Where a texel is; sizes of a level as arrays, z counting slices. */
struct at {
   uint32_t x, y, z, sample;
};

static void
level_size(const struct tg_resource *resource, uint32_t level, uint32_t size[3])
{
   const struct resource_level *found = &resource->written.layout.level[level];

   size[0] = found->width;
   size[1] = found->height;
   size[2] = found->num_slices;
}

static void *
texel_at(const struct tg_resource *resource, uint32_t level, struct at at)
{
   return resource_texel(resource, level, at.sample, at.x, at.y, at.z);
}

/* ---- the reference ------------------------------------------------------- */

/* What the reference makes of a texel. */
struct expected {
   bool is_drawn;
   double color[4];
   uint32_t integer[4];
   double depth;
   uint8_t stencil;
   bool is_exact; /* no arithmetic but conversion */
};

static enum tg_format
side_format(const struct tg_blit_side *side)
{
   return (enum tg_format)(side->format ? side->format
                                        : side->resource->desc.format);
}

/* The source's place, in half texels of the target's length: the numerator
 * over `2 * length`, of which `length` is above 0. */
struct fraction {
   int64_t numerator, denominator;
};

static struct fraction
map_axis(int32_t to, int32_t to_start, int32_t to_length, int32_t from_start,
         int32_t from_length)
{
   const int64_t sign = to_length < 0 ? -1 : 1;
   const int64_t length = sign * to_length;
   const int64_t steps = sign * (2 * ((int64_t)to - to_start) + 1);

   return (struct fraction){
      2 * length * from_start + steps * from_length,
      2 * length,
   };
}

static int64_t
floor_of(struct fraction f)
{
   int64_t whole = f.numerator / f.denominator;

   return whole * f.denominator > f.numerator ? whole - 1 : whole;
}

/* One axis: the nearest texel, and the two with their weight. */
struct tap {
   bool is_drawn;
   uint32_t nearest, first, second;
   double weight;
};

static uint32_t
hold(int64_t value, uint32_t size)
{
   return value < 0 ? 0 : value >= size ? size - 1 : (uint32_t)value;
}

static struct tap
find_tap(int32_t to, int32_t to_start, int32_t to_length, uint32_t to_size,
         int32_t from_start, int32_t from_length, uint32_t from_size)
{
   const int64_t end = (int64_t)to_start + to_length;
   const bool is_inside =
      to_length < 0 ? to < to_start && to >= end : to >= to_start && to < end;
   struct tap tap = {0};

   if (!is_inside || from_length == 0 || to < 0 || (uint32_t)to >= to_size)
      return tap;
   const struct fraction f =
      map_axis(to, to_start, to_length, from_start, from_length);
   const int64_t nearest = floor_of(f);
   const double corner = (double)f.numerator / (double)f.denominator - 0.5;
   const struct fraction back = {f.numerator - f.denominator / 2,
                                 f.denominator};
   const int64_t first = floor_of(back);

   tap.is_drawn = nearest >= 0 && nearest < from_size;
   tap.nearest = hold(nearest, from_size);
   tap.first = hold(first, from_size);
   tap.second = hold(first + 1, from_size);
   tap.weight = corner - (double)first;
   return tap;
}

static bool
is_in_scissor(const struct tg_blit_info *info, struct at at)
{
   const struct tg_scissor *scissor = &info->scissor;

   return !info->scissor_enable ||
          (at.x >= scissor->min_x && at.x < scissor->max_x &&
           at.y >= scissor->min_y && at.y < scissor->max_y);
}

/* The mean of a source texel's samples, or the one that is meant. */
static void
read_source(const struct tg_blit_info *info, const struct tg_resource *source,
            struct at at, double color[4])
{
   const enum tg_format format = side_format(&info->src);
   const uint32_t samples = source->desc.samples;
   const bool is_mean = samples > info->dst.resource->desc.samples &&
                        format_info(format)->colorspace != FORMAT_COLORSPACE_ZS;
   const uint32_t first = is_mean ? 0 : samples > 1 ? at.sample : 0;
   const uint32_t count = is_mean ? samples : 1;

   for (unsigned c = 0; c < 4; c++)
      color[c] = 0;
   for (uint32_t s = first; s < first + count; s++) {
      float words[4];

      at.sample = s;
      format_unpack(format, texel_at(source, info->src.level, at),
                    (uint32_t *)words);
      for (unsigned c = 0; c < 4; c++)
         color[c] += (double)words[c] / count;
   }
}

/* The mean of the eight texels around, by their weights. */
static void
filter(const struct tg_blit_info *info, const struct tg_resource *source,
       const struct tap tap[3], bool is_linear[3], uint32_t sample,
       double color[4])
{
   for (unsigned c = 0; c < 4; c++)
      color[c] = 0;
   for (unsigned corner = 0; corner < 8; corner++) {
      double weight = 1, texel[4];
      uint32_t place[3];

      for (unsigned i = 0; i < 3; i++) {
         const bool is_second = corner >> i & 1;

         place[i] = !is_linear[i] ? tap[i].nearest
                    : is_second   ? tap[i].second
                                  : tap[i].first;
         weight *= !is_linear[i] ? !is_second
                   : is_second   ? tap[i].weight
                                 : 1 - tap[i].weight;
      }
      if (weight == 0)
         continue;
      read_source(info, source,
                  (struct at){place[0], place[1], place[2], sample}, texel);
      for (unsigned c = 0; c < 4; c++)
         color[c] += weight * texel[c];
   }
}

static struct expected
expect_texel(const struct tg_blit_info *info, const struct tg_resource *source,
             struct at at)
{
   const struct tg_blit_side *dst = &info->dst, *src = &info->src;
   const enum tg_format format = side_format(src);
   const bool is_float = format_info(format)->class == FORMAT_CLASS_FLOAT;
   struct expected expected = {.is_exact = true};
   uint32_t to_size[3], from_size[3];

   level_size(dst->resource, dst->level, to_size);
   level_size(source, src->level, from_size);
   const struct tap tap[3] = {
      find_tap((int32_t)at.x, dst->x, dst->width, to_size[0], src->x,
               src->width, from_size[0]),
      find_tap((int32_t)at.y, dst->y, dst->height, to_size[1], src->y,
               src->height, from_size[1]),
      find_tap((int32_t)at.z, dst->z, dst->depth, to_size[2], src->z,
               src->depth, from_size[2]),
   };
   expected.is_drawn = tap[0].is_drawn && tap[1].is_drawn && tap[2].is_drawn &&
                       is_in_scissor(info, at);
   if (!expected.is_drawn)
      return expected;

   const bool linear =
      info->filter == TG_FILTER_LINEAR && is_float &&
      !(info->mask & TG_CHANNEL_S && format_has_stencil(format) &&
        format_has_stencil(side_format(dst)));
   bool is_linear[3] = {linear, linear,
                        linear && source->desc.target == TG_TEXTURE_3D};
   const struct at nearest = {
      tap[0].nearest, tap[1].nearest, tap[2].nearest,
      source->desc.samples > 1 && dst->resource->desc.samples > 1 ? at.sample
                                                                  : 0};
   const void *texel = texel_at(source, src->level, nearest);

   if (is_float) {
      filter(info, source, tap, is_linear, nearest.sample, expected.color);
      expected.depth = expected.color[0];
   } else {
      format_unpack(format, texel, expected.integer);
   }
   if (format_has_stencil(format))
      expected.stencil = format_unpack_stencil(format, texel);
   for (unsigned i = 0; i < 3; i++)
      expected.is_exact &= !is_linear[i];
   expected.is_exact &= source->desc.samples == dst->resource->desc.samples ||
                        source->desc.samples == 1;
   return expected;
}

/* ---- comparing ----------------------------------------------------------- */

/* How far a float may be from what a format makes of the exact value. */
static double
tolerance(const struct format_info *info, double value, double greatest)
{
   double step = 0;

   if (info->layout == FORMAT_LAYOUT_R9G9B9E5)
      return greatest / 128;
   for (unsigned c = 0; c < info->num_channels; c++) {
      const struct format_channel *channel = &info->channel[c];
      const double codes = ldexp(1, channel->bits < 24 ? channel->bits : 24);
      double found = 1.01 / (codes - 1);

      if (channel->type == FORMAT_TYPE_VOID)
         continue;
      if (info->colorspace == FORMAT_COLORSPACE_SRGB)
         found = 3.0 / (codes - 1);
      else if (channel->type == FORMAT_TYPE_SNORM)
         found = 1.01 / (codes / 2 - 1);
      else if (channel->type == FORMAT_TYPE_USCALED ||
               channel->type == FORMAT_TYPE_SSCALED)
         found = 1;
      else if (channel->type == FORMAT_TYPE_FLOAT && channel->bits < 16)
         found = fabs(value) / 16 + 1e-4;
      else if (channel->type == FORMAT_TYPE_FLOAT && channel->bits == 16)
         found = fabs(value) / 1024 + 1e-6;
      else if (channel->type == FORMAT_TYPE_FLOAT)
         found = greatest * 1e-6 + 1e-7;
      step = found > step ? found : step;
   }
   return step + 1e-6;
}

static void
expect_words(const struct tg_blit_info *info, const struct expected *expected,
             const uint32_t packed[4], const uint32_t found[4])
{
   const struct format_info *format = format_info(side_format(&info->dst));
   double greatest = 1;

   if (expected->is_exact || format->class != FORMAT_CLASS_FLOAT) {
      assert_memory_equal(found, packed, 4 * sizeof(*found));
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      greatest = fmax(greatest, fabs(expected->color[c]));
   for (unsigned c = 0; c < 4; c++) {
      float x, y;

      memcpy(&x, &found[c], sizeof(x));
      memcpy(&y, &packed[c], sizeof(y));
      if (fabs((double)x - (double)y) <= tolerance(format, (double)y, greatest))
         continue;
      print_error("%s: %g, not %g\n", format->name, (double)x, (double)y);
      fail();
   }
}

/* Bits of a colour's channels that are in the mask, or not. */
static void
expect_color(const struct tg_blit_info *info, const struct expected *expected,
             const void *was, const void *is)
{
   const enum tg_format format = side_format(&info->dst);
   uint8_t packed[RESOURCE_MAX_BLOCK] = {0};
   uint32_t words[4], old[4], new[4], found[4];

   for (unsigned c = 0; c < 4; c++) {
      const float value = (float)expected->color[c];

      memcpy(&words[c], &value, sizeof(value));
      if (format_info(format)->class != FORMAT_CLASS_FLOAT)
         words[c] = expected->integer[c];
   }
   format_unpack(format, was, old);
   format_pack(format, words, packed);
   format_unpack(format, packed, new);
   format_unpack(format, is, found);
   for (unsigned c = 0; c < 4; c++) {
      const unsigned from = format_info(format)->swizzle[c];
      unsigned word = 0;

      while (from <= FORMAT_SWIZZLE_W &&
             format_info(format)->swizzle[word] != from)
         word++;
      if (!(info->mask >> word & 1))
         new[c] = old[c];
   }
   expect_words(info, expected, new, found);
}

static void
expect_depth(const struct tg_blit_info *info, const struct expected *expected,
             const void *is)
{
   const enum tg_format format = side_format(&info->dst);
   const float depth = (float)expected->depth;
   uint8_t packed[RESOURCE_MAX_BLOCK] = {0};
   uint32_t words[4] = {0}, new[4], found[4];

   memcpy(words, &depth, sizeof(depth));
   format_pack(format, words, packed);
   format_unpack(format, packed, new);
   format_unpack(format, is, found);
   expect_words(info, expected, new, found);
}

static void
check_texel(const struct tg_blit_info *info, const struct tg_resource *source,
            const struct tg_resource *before, struct at at,
            struct blit_counts *counts)
{
   const enum tg_format format = side_format(&info->dst);
   const enum tg_format from = side_format(&info->src);
   const uint32_t num_bytes = format_info(format)->block_bytes;
   const void *was = texel_at(before, info->dst.level, at);
   const void *is = texel_at(info->dst.resource, info->dst.level, at);
   const struct expected expected = expect_texel(info, source, at);
   const bool is_zs = format_info(format)->colorspace == FORMAT_COLORSPACE_ZS;
   const bool has_depth = info->mask & TG_CHANNEL_Z &&
                          format_has_depth(format) && format_has_depth(from);
   const bool has_stencil = info->mask & TG_CHANNEL_S &&
                            format_has_stencil(format) &&
                            format_has_stencil(from);

   counts->texels++;
   counts->drawn += expected.is_drawn;
   if (!expected.is_drawn) {
      assert_memory_equal(is, was, num_bytes);
      return;
   }
   if (!is_zs) {
      expect_color(info, &expected, was, is);
      return;
   }
   if (has_depth) {
      expect_depth(info, &expected, is);
   } else if (format_has_depth(format)) {
      uint32_t old[4], found[4];

      format_unpack(format, was, old);
      format_unpack(format, is, found);
      assert_memory_equal(found, old, sizeof(found));
   }
   if (format_has_stencil(format))
      assert_int_equal(format_unpack_stencil(format, is),
                       has_stencil ? expected.stencil
                                   : format_unpack_stencil(format, was));
}

/* Blits, and compares the whole target; other levels stay as they are. */
void
blit_and_check(struct tg_context *gpu, const struct tg_blit_info *info,
               struct blit_counts *counts)
{
   struct tg_resource *dst = info->dst.resource;
   struct tg_resource *before = make_clone(dst);
   struct tg_resource *source = make_clone(info->src.resource);

   assert_int_equal(tg_context_blit(gpu, info, NULL), TG_OK);
   for (uint32_t l = 0; l <= dst->desc.last_level; l++) {
      uint32_t size[3];
      struct at at;

      level_size(dst, l, size);
      if (l != info->dst.level) {
         const struct resource_level *level = &dst->written.layout.level[l];

         assert_memory_equal((char *)dst->written.data + level->offset,
                             (char *)before->written.data + level->offset,
                             (size_t)(level->slice_pitch * level->num_slices));
         continue;
      }
      for (at.z = 0; at.z < size[2]; at.z++) {
         for (at.sample = 0; at.sample < dst->desc.samples; at.sample++) {
            for (at.y = 0; at.y < size[1]; at.y++) {
               for (at.x = 0; at.x < size[0]; at.x++)
                  check_texel(info, source, before, at, counts);
            }
         }
      }
   }
   tg_resource_destroy(before);
   tg_resource_destroy(source);
}
