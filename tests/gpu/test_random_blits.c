/* SPDX-License-Identifier: MIT
 *
 * Blits at random, of all formats, targets, filters and flips, against the
 * reference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../context.h"
#include "../desc.h"
#include "blit_reference.h"

static uint32_t random_state = 1;

/* xorshift32 */
static uint32_t
random32(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 17;
   random_state ^= random_state << 5;
   return random_state;
}

static int32_t
random_between(int32_t first, int32_t last)
{
   return first + (int32_t)(random32() % (uint32_t)(last - first + 1));
}

static struct blit_counts counts;

/* ---- resources ----------------------------------------------------------- */

static bool
has_plain_texels(enum tg_format format)
{
   return format_info(format)->layout != FORMAT_LAYOUT_NONE &&
          !format_is_compressed(format);
}

/* Finite numbers, some beyond what normalised formats have; small integers as
 * well as large ones. */
static void
random_words(enum tg_format format, uint32_t words[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const float value = (float)random_between(-300, 1300) / 1000.0f;

      if (format_info(format)->class != FORMAT_CLASS_FLOAT)
         words[i] = random32() >> random32() % 32;
      else
         memcpy(&words[i], &value, sizeof(value));
   }
}

static void
fill_texel(enum tg_format format, void *texel)
{
   uint32_t words[4];

   random_words(format, words);
   if (format_info(format)->colorspace != FORMAT_COLORSPACE_ZS ||
       format_has_depth(format))
      format_pack(format, words, texel);
   if (format_has_stencil(format))
      format_pack_stencil(format, (uint8_t)random32(), texel);
}

static void
fill_randomly(struct tg_resource *resource, enum tg_format format)
{
   const struct resource_storage *written = &resource->written;
   const size_t num_bytes = format_info(format)->block_bytes;

   for (uint32_t l = 0; l <= resource->desc.last_level; l++) {
      const struct resource_level *level = &written->layout.level[l];
      const uint64_t size = level->slice_pitch * level->num_slices;

      for (uint64_t i = 0; i < size; i += num_bytes)
         fill_texel(format, (char *)written->data + level->offset + i);
   }
}

static struct tg_context *
make_gpu(void)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu;

   options.num_threads = 2;
   assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
   return gpu;
}

/* ---- random blits -------------------------------------------------------- */

static struct tg_resource_desc
random_desc(enum tg_format format)
{
   static const struct tg_resource_desc descs[] = {
      DESC(TG_TEXTURE_1D, 0, 21, 1, 1, 1, 2, 1),
      DESC(TG_TEXTURE_1D_ARRAY, 0, 19, 1, 1, 5, 1, 1),
      DESC(TG_TEXTURE_2D, 0, 17, 13, 1, 1, 2, 1),
      DESC(TG_TEXTURE_2D, 0, 9, 7, 1, 1, 0, 4),
      DESC(TG_TEXTURE_RECT, 0, 12, 11, 1, 1, 0, 1),
      DESC(TG_TEXTURE_2D_ARRAY, 0, 8, 9, 1, 4, 1, 1),
      DESC(TG_TEXTURE_2D_ARRAY, 0, 7, 6, 1, 3, 0, 4),
      DESC(TG_TEXTURE_2D_ARRAY, 0, 5, 6, 1, 2, 0, 2),
      DESC(TG_TEXTURE_3D, 0, 9, 8, 7, 1, 1, 1),
      DESC(TG_TEXTURE_CUBE, 0, 8, 8, 1, 6, 1, 1),
   };
   struct tg_resource_desc desc =
      descs[random32() % (sizeof(descs) / sizeof(descs[0]))];

   desc.format = format;
   return desc;
}

/* Often all of an axis, mostly inside of it, and often turned over. */
static void
random_span(uint32_t size, int32_t *start, int32_t *length)
{
   const int32_t n = (int32_t)size;
   int32_t first = 0, last = n;

   switch (random32() % 4) {
   case 0:
   case 1: break;
   case 2:
      first = random_between(0, n - 1);
      last = random_between(first + 1, n);
      break;
   default:
      first = random_between(-n, n);
      last = random_between(-n, 2 * n);
      break;
   }
   const bool is_turned = random32() % 3 == 0;
   *start = is_turned ? last : first;
   *length = is_turned ? first - last : last - first;
}

static struct tg_blit_side
random_side(struct tg_resource *resource)
{
   struct tg_blit_side side = {
      .resource = resource,
      .level = random32() % (resource->desc.last_level + 1),
   };
   const struct resource_level *level =
      &resource->written.layout.level[side.level];

   random_span(level->width, &side.x, &side.width);
   random_span(level->height, &side.y, &side.height);
   random_span(level->num_slices, &side.z, &side.depth);
   return side;
}

/* Where one channel changes what others read as. */
static bool
has_linked_channels(enum tg_format format)
{
   const struct format_info *info = format_info(format);

   return info->layout == FORMAT_LAYOUT_R9G9B9E5 ||
          info->swizzle[2] == FORMAT_SWIZZLE_NORMAL;
}

static void
check_random_blit(struct tg_context *gpu, struct tg_resource *dst,
                  struct tg_resource *src)
{
   struct tg_blit_info info = {
      .size = sizeof(info),
      .dst = random_side(dst),
      .src = random_side(src),
      .mask = random32() % 3 ? 0x3f : (uint8_t)(random32() % 64),
      .filter = (uint8_t)(random32() % 2),
      .scissor_enable = random32() % 4 == 0,
      .scissor = {(uint16_t)(random32() % 5), (uint16_t)(random32() % 5),
                  (uint16_t)(5 + random32() % 15),
                  (uint16_t)(5 + random32() % 15)},
   };

   /* Lengths that are the same are frequent. */
   if (random32() % 3 == 0) {
      info.dst.width = random32() % 2 ? info.src.width : -info.src.width;
      info.dst.height = random32() % 2 ? info.src.height : -info.src.height;
      info.dst.depth = info.src.depth;
   }
   if (has_linked_channels((enum tg_format)dst->desc.format))
      info.mask |= TG_CHANNEL_RGBA;
   blit_and_check(gpu, &info, &counts);
}

static bool
samples_fit(const struct tg_resource_desc *dst,
            const struct tg_resource_desc *src)
{
   return dst->samples == src->samples || dst->samples == 1 ||
          src->samples == 1;
}

static void
check_pair(struct tg_context *gpu, enum tg_format to, enum tg_format from,
           unsigned num_turns)
{
   for (unsigned i = 0; i < num_turns; i++) {
      const struct tg_resource_desc to_desc = random_desc(to);
      const struct tg_resource_desc from_desc = random_desc(from);

      if (!samples_fit(&to_desc, &from_desc))
         continue;
      struct tg_resource *dst = blit_make(&to_desc);
      struct tg_resource *src = blit_make(&from_desc);
      fill_randomly(dst, to);
      fill_randomly(src, from);
      check_random_blit(gpu, dst, src);
      tg_resource_destroy(dst);
      tg_resource_destroy(src);
   }
}

/* Can one become the other, as colours or as depths? */
static bool
is_good_pair(enum tg_format to, enum tg_format from)
{
   const struct format_info *x = format_info(to), *y = format_info(from);

   return has_plain_texels(to) && has_plain_texels(from) &&
          (x->colorspace == FORMAT_COLORSPACE_ZS) ==
             (y->colorspace == FORMAT_COLORSPACE_ZS) &&
          (x->class == y->class || x->colorspace == FORMAT_COLORSPACE_ZS);
}

/* Each format from and to the widest of its class. */
static void
all_formats(void **test)
{
   (void)test;
   static const enum tg_format widest[] = {
      [FORMAT_CLASS_FLOAT] = TG_FORMAT_R32G32B32A32_FLOAT,
      [FORMAT_CLASS_SINT] = TG_FORMAT_R32G32B32A32_SINT,
      [FORMAT_CLASS_UINT] = TG_FORMAT_R32G32B32A32_UINT,
   };
   struct tg_context *gpu = make_gpu();

   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const enum tg_format format = (enum tg_format)i;
      const struct format_info *info = format_info(format);

      if (!has_plain_texels(format))
         continue;
      const enum tg_format other = info->colorspace == FORMAT_COLORSPACE_ZS
                                      ? TG_FORMAT_Z32_FLOAT_S8X24_UINT
                                      : widest[info->class];
      check_pair(gpu, other, format, 3);
      check_pair(gpu, format, other, 3);
      check_pair(gpu, format, format, 2);
   }
   tg_context_destroy(gpu);
}

static void
random_pairs(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();

   for (unsigned n = 0; n < 3000; n++) {
      const enum tg_format to = (enum tg_format)(random32() % TG_NUM_FORMATS);
      const enum tg_format from = (enum tg_format)(random32() % TG_NUM_FORMATS);

      if (is_good_pair(to, from))
         check_pair(gpu, to, from, 1);
   }
   tg_context_destroy(gpu);
}

/* All targets, filters and flips of a few formats, and within one texture. */
static void
random_boxes(void **test)
{
   (void)test;
   static const enum tg_format formats[] = {
      TG_FORMAT_R8G8B8A8_UNORM,    TG_FORMAT_R32_FLOAT,
      TG_FORMAT_B8G8R8A8_SRGB,     TG_FORMAT_R16_UINT,
      TG_FORMAT_Z24_UNORM_S8_UINT,
   };
   struct tg_context *gpu = make_gpu();

   for (unsigned n = 0; n < 2000; n++) {
      const enum tg_format to = formats[random32() % 5];
      const enum tg_format from = random32() % 2 ? to : formats[random32() % 5];

      if (is_good_pair(to, from))
         check_pair(gpu, to, from, 1);
   }
   for (unsigned n = 0; n < 1000; n++) {
      const enum tg_format format = formats[random32() % 5];
      const struct tg_resource_desc desc = random_desc(format);
      struct tg_resource *texture = blit_make(&desc);

      fill_randomly(texture, format);
      check_random_blit(gpu, texture, texture);
      tg_resource_destroy(texture);
   }
   assert_true(counts.drawn > counts.texels / 10);
   tg_context_destroy(gpu);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_boxes),
      cmocka_unit_test(all_formats),
      cmocka_unit_test(random_pairs),
   };

   return cmocka_run_group_tests_name("gpu: random blits", tests, NULL, NULL);
}
