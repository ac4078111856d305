/* SPDX-License-Identifier: MIT
 *
 * Blits by hand: what becomes of samples, levels and compressed textures; boxes
 * that are hostile, and what is refused.
 */
#include "../context.h"
#include "../desc.h"
#include "../sweep.h"

#include <string.h>

#include "blit_reference.h"
#include "gpu/core/limits.h"
#include "util/length.h"
#include "util/work.h"

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

static struct tg_context *
make_gpu(void)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu;

   options.num_threads = 2;
   assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
   return gpu;
}

/* ---- conversions --------------------------------------------------------- */

static uint32_t
texel_word(const struct tg_resource *resource, uint32_t x, uint32_t y,
           uint32_t sample)
{
   uint32_t word;

   memcpy(&word, resource_texel(resource, 0, sample, x, y, 0), sizeof(word));
   return word;
}

/* Samples of 0 and 255 in sRGB: linear 0 and 1, of which the mean of one and
 * three is 0.25, which is code 137 (1.055 * 0.25^(1/2.4) - 0.055 = 0.5371 of
 * 255 are 136.96); alpha is linear, 255 / 4 = 63.75. As UNORM all are 64. */
static void
resolves_in_linear_space(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   struct tg_resource *src = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_SRGB, 2, 2, 1, 1, 0, 4));
   struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_SRGB, 2, 2, 1, 1, 0, 1));
   struct tg_blit_info info = blit_all(dst, src);
   const uint32_t ones = UINT32_MAX;

   memcpy(resource_texel(src, 0, 2, 1, 0, 0), &ones, sizeof(ones));
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_int_equal(texel_word(dst, 1, 0, 0), 0x40898989);
   assert_int_equal(texel_word(dst, 0, 0, 0), 0);
   info.src.format = info.dst.format = TG_FORMAT_R8G8B8A8_UNORM;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_int_equal(texel_word(dst, 1, 0, 0), 0x40404040);
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
   tg_context_destroy(gpu);
}

/* Where the byte of a pixel is in a slice of the plane that says which are of
 * one colour: microtiles of 4 by 4, whose pixels are in Morton order. */
static uint32_t
plane_place(uint32_t x, uint32_t y, uint32_t width)
{
   static const uint32_t column[4] = {0, 1, 4, 5}, row[4] = {0, 2, 8, 10};

   return (y / 4 * ((width + 3) / 4) + x / 4) * 16 + row[y % 4] + column[x % 4];
}

/* Of pixels of one colour only the first sample is stored: a resolve reads no
 * other, and a copy of samples makes all. */
static void
sees_pixels_of_one_color(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D_ARRAY, TG_FORMAT_R8G8B8A8_UNORM, 3, 2, 1, 2, 0, 4);
   struct tg_resource *src = blit_make(&desc), *copy = blit_make(&desc);
   struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D_ARRAY, TG_FORMAT_R8G8B8A8_UNORM, 3, 2, 1, 2, 0, 1));
   struct tg_blit_info info = blit_all(dst, src);
   const uint32_t first = 0x80808080, other = UINT32_MAX;

   for (uint32_t s = 0; s < 4; s++) {
      memcpy(resource_texel(src, 0, s, 2, 1, 1), s ? &other : &first, 4);
      memcpy(resource_texel(src, 0, s, 1, 1, 1), s ? &other : &first, 4);
   }
   uint8_t *is_one = resource_keep_one_color(src);
   is_one[16 + plane_place(2, 1, 3)] = 1;
   /* (128 + 3 * 255) / 4 = 223.25 */
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   uint32_t word;
   memcpy(&word, resource_texel(dst, 0, 0, 2, 1, 1), sizeof(word));
   assert_int_equal(word, first);
   memcpy(&word, resource_texel(dst, 0, 0, 1, 1, 1), sizeof(word));
   assert_int_equal(word, 0xdfdfdfdf);

   info = blit_all(copy, src);
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   memcpy(&word, resource_texel(copy, 0, 3, 2, 1, 1), sizeof(word));
   assert_int_equal(word, first);
   memcpy(&word, resource_texel(copy, 0, 3, 1, 1, 1), sizeof(word));
   assert_int_equal(word, other);
   tg_resource_destroy(src);
   tg_resource_destroy(copy);
   tg_resource_destroy(dst);
   tg_context_destroy(gpu);
}

/* Fills rows of LONG pixels with words of which the first sample is `first`, or
 * any if it is 0, and the others are all ones; all pixels but one are marked as
 * of one colour. Resolved upside down without the first SKIPPED columns, which
 * no wave begins with. */
enum { LONG = 43, TALL = 7, SKIPPED = 2, DIFFERS_X = 23, DIFFERS_Y = 1 };

static void
resolve_rows(enum tg_format format, uint32_t first, uint32_t firsts[TALL][LONG],
             uint32_t resolved[TALL][LONG])
{
   struct tg_context *gpu = make_gpu();
   struct tg_resource *src = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, format, LONG, TALL, 1, 1, 0, 4));
   struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, format, LONG, TALL, 1, 1, 0, 1));
   struct tg_blit_info info = blit_all(dst, src);
   uint8_t *is_one = resource_keep_one_color(src);

   for (uint32_t i = 0; i < TALL * LONG; i++) {
      const uint32_t x = i % LONG, y = i / LONG, ones = UINT32_MAX;

      is_one[plane_place(x, y, LONG)] = x != DIFFERS_X || y != DIFFERS_Y;
      firsts[y][x] = first ? first : random32();
      for (uint32_t s = 0; s < 4; s++)
         memcpy(resource_texel(src, 0, s, x, y, 0), s ? &ones : &firsts[y][x],
                sizeof(ones));
   }
   info.src.y = TALL;
   info.src.height = -TALL;
   info.scissor_enable = true;
   info.scissor.min_x = SKIPPED;
   info.scissor.max_x = LONG;
   info.scissor.max_y = TALL;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   for (uint32_t y = 0; y < TALL; y++)
      memcpy(resolved[y], resource_texel(dst, 0, 0, 0, y, 0),
             sizeof(resolved[y]));
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
   tg_context_destroy(gpu);
}

/* All codes of a byte come back, and the pixel that differs is a mean. */
static void
moves_pixels_of_one_color(void **test)
{
   (void)test;
   uint32_t firsts[TALL][LONG], resolved[TALL][LONG];

   resolve_rows(TG_FORMAT_B8G8R8A8_UNORM, 0, firsts, resolved);
   for (uint32_t y = 0; y < TALL; y++) {
      const uint32_t from_y = TALL - 1 - y;

      for (uint32_t x = 0; x < LONG; x++) {
         uint32_t expected = x < SKIPPED ? 0 : firsts[from_y][x];

         if (x == DIFFERS_X && from_y == DIFFERS_Y)
            continue;
         assert_int_equal(resolved[y][x], expected);
      }
   }
   /* (128 + 3 * 255) / 4 = 223.25 */
   resolve_rows(TG_FORMAT_B8G8R8A8_UNORM, 0x80808080, firsts, resolved);
   assert_int_equal(resolved[TALL - 1 - DIFFERS_Y][DIFFERS_X], 0xdfdfdfdf);
}

/* Bits without a meaning become 0, and of the two codes of -1 the least is
 * written as the other. */
static void
converts_pixels_of_one_color(void **test)
{
   (void)test;
   uint32_t firsts[TALL][LONG], resolved[TALL][LONG];

   resolve_rows(TG_FORMAT_R8G8B8X8_UNORM, UINT32_MAX, firsts, resolved);
   assert_int_equal(resolved[0][LONG - 1], 0x00ffffff);
   resolve_rows(TG_FORMAT_R8G8B8A8_SNORM, 0x80808080, firsts, resolved);
   assert_int_equal(resolved[0][LONG - 1], 0x81818181);
}

/* The codes of a texel, 0 for channels that it has not. */
static void
find_codes(enum tg_format format, const void *texel, uint32_t codes[4])
{
   const struct format_info *info = format_info(format);
   float words[4];

   format_unpack(format, texel, (uint32_t *)words);
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *channel = format_channel_of(info, i);

      codes[i] =
         channel ? (uint32_t)(words[i] * (float)format_greatest(channel) + 0.5f)
                 : 0;
   }
}

/* Bits of a texel of up to four bytes that are channels. */
static uint32_t
channel_bits(enum tg_format format)
{
   const float ones[4] = {1, 1, 1, 1};
   uint32_t texel = 0;

   format_pack(format, (const uint32_t *)ones, &texel);
   return texel;
}

/* A pixel's mean by its codes: (sum + samples / 2) / samples, whole. */
static void
check_codes(const struct tg_resource *src, bool is_one, uint32_t x, uint32_t y,
            const void *found)
{
   const enum tg_format format = (enum tg_format)src->desc.format;
   const uint32_t samples = src->desc.samples;
   uint32_t sum[4] = {0}, codes[4], bits = 0;

   for (uint32_t s = 0; s < samples; s++) {
      find_codes(format, resource_texel(src, 0, is_one ? 0 : s, x, y, 0),
                 codes);
      for (unsigned i = 0; i < 4; i++)
         sum[i] += codes[i];
   }
   find_codes(format, found, codes);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(codes[i], (sum[i] + samples / 2) / samples);
   memcpy(&bits, found, format_info(format)->block_bytes);
   assert_int_equal(bits & ~channel_bits(format), 0);
}

enum { ACROSS = 21, DOWN = 14 };

/* Of the box that begins at (left, top), turned over or not. */
struct resolve_box {
   int32_t left, top, width, height;
   bool is_turned_x, is_turned_y;
};

static void
check_resolve(struct tg_context *gpu, enum tg_format format, uint32_t samples,
              bool has_plane, const struct resolve_box *box)
{
   struct tg_resource *src = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, format, ACROSS, DOWN, 1, 1, 0, samples));
   struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, format, ACROSS, DOWN, 1, 1, 0, 1));
   uint8_t *is_one = has_plane ? resource_keep_one_color(src) : NULL;
   unsigned char *bytes = (unsigned char *)src->written.data;
   uint8_t marked[DOWN][ACROSS] = {{0}};
   struct tg_blit_info info = blit_all(dst, src);

   for (uint64_t i = 0; i < src->written.num_bytes; i++)
      bytes[i] = (unsigned char)random32();
   /* Runs of both kinds, and single ones. */
   for (uint32_t i = 0; i < ACROSS * DOWN && is_one; i++) {
      const uint32_t x = i % ACROSS, y = i / ACROSS;

      marked[y][x] = x < 8 || (x < 16 ? random32() % 2 : 0);
      is_one[plane_place(x, y, ACROSS)] = marked[y][x];
   }
   info.src.x = box->is_turned_x ? box->left + box->width : box->left;
   info.src.width = box->is_turned_x ? -box->width : box->width;
   info.src.y = box->is_turned_y ? box->top + box->height : box->top;
   info.src.height = box->is_turned_y ? -box->height : box->height;
   info.dst.x = info.dst.y = 0;
   info.dst.width = box->width;
   info.dst.height = box->height;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   for (int32_t y = 0; y < box->height; y++) {
      for (int32_t x = 0; x < box->width; x++) {
         const int32_t column = box->is_turned_x ? box->width - 1 - x : x;
         const int32_t row = box->is_turned_y ? box->height - 1 - y : y;
         const uint32_t from_x = (uint32_t)(box->left + column);
         const uint32_t from_y = (uint32_t)(box->top + row);

         check_codes(src, marked[from_y][from_x], from_x, from_y,
                     resource_texel(dst, 0, 0, (uint32_t)x, (uint32_t)y, 0));
      }
   }
   /* Nothing is written beside the box. */
   const unsigned char none[4] = {0};
   if (box->width < ACROSS)
      assert_memory_equal(resource_texel(dst, 0, 0, (uint32_t)box->width, 0, 0),
                          none, format_info(format)->block_bytes);
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
}

/* Texels of four bytes, which are resolved without a kernel, and others. */
static void
rounds_means_half_up(void **test)
{
   (void)test;
   static const enum tg_format formats[] = {
      TG_FORMAT_R8G8B8A8_UNORM, TG_FORMAT_B8G8R8X8_UNORM, TG_FORMAT_R8_UNORM,
      TG_FORMAT_R16G16_UNORM,   TG_FORMAT_B5G6R5_UNORM,
   };
   static const struct resolve_box boxes[] = {
      {0, 0, ACROSS, DOWN, false, false}, {0, 0, ACROSS, DOWN, false, true},
      {0, 0, ACROSS, DOWN, true, false},  {4, 4, 13, 9, false, true},
      {3, 1, 17, 12, false, false},       {2, 3, 15, 10, true, true},
      {5, 2, 1, 1, false, false},
   };
   struct tg_context *gpu = make_gpu();

   for (unsigned f = 0; f < TG_LENGTH(formats); f++) {
      for (uint32_t samples = 2; samples <= 16; samples *= 2) {
         for (unsigned i = 0; i < 2 * TG_LENGTH(boxes); i++)
            check_resolve(gpu, formats[f], samples, i % 2, &boxes[i / 2]);
      }
   }
   tg_context_destroy(gpu);
}

/* Colour (1, 0.5, 0, 0.25) over (0, 1, 1, 1) is (0.25, 0.875, 0.75, 0.8125). */
static void
blends_over(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R32G32B32A32_FLOAT, 1, 1, 1, 1, 0, 1);
   struct tg_resource *src = blit_make(&desc), *dst = blit_make(&desc);
   struct tg_blit_info info = blit_all(dst, src);
   const float over[4] = {1, 0.5f, 0, 0.25f}, under[4] = {0, 1, 1, 1};
   const float expected[4] = {0.25f, 0.875f, 0.75f, 0.8125f};

   memcpy(src->written.data, over, sizeof(over));
   memcpy(dst->written.data, under, sizeof(under));
   info.alpha_blend = true;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_memory_equal(dst->written.data, expected, sizeof(expected));
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
   tg_context_destroy(gpu);
}

/* Level 1 of a mipmap by a filter: means of four. */
static void
makes_mipmaps(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   struct tg_resource *texture = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT, 4, 2, 1, 1, 1, 1));
   struct tg_blit_info info = blit_all(texture, texture);
   const float texels[8] = {1, 2, 30, 40, 3, 6, 10, 20};
   const float means[2] = {3, 25};

   info.dst = blit_side(texture, 1);
   info.filter = TG_FILTER_LINEAR;
   memcpy(texture->written.data, texels, sizeof(texels));
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_memory_equal(resource_texel(texture, 1, 0, 0, 0, 0), means,
                       sizeof(means));
   tg_resource_destroy(texture);
   tg_context_destroy(gpu);
}

/* A block of DXT1 with colours red and blue; its texels choose 0, 1, 0, 1 in
 * the first row, and 0 elsewhere. It can be read, and not written. */
static void
reads_compressed_textures(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_resource *src = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_DXT1_RGBA, 4, 4, 1, 1, 0, 1));
   struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 0, 1));
   struct tg_blit_info info = blit_all(dst, src);
   const uint8_t block[8] = {0x00, 0xf8, 0x1f, 0x00, 0x44, 0, 0, 0};
   const struct tg_box box = {0, 0, 0, 4, 4, 1};

   assert_int_equal(tg_context_write(gpu, src, 0, 0, &box, block, 0, 0), TG_OK);
   assert_int_equal(tg_context_blit(gpu, &info, diagnostics), TG_OK);
   assert_int_equal(texel_word(dst, 0, 0, 0), 0xff0000ff);
   assert_int_equal(texel_word(dst, 1, 0, 0), 0xffff0000);
   assert_int_equal(texel_word(dst, 2, 0, 0), 0xff0000ff);
   assert_int_equal(texel_word(dst, 1, 1, 0), 0xff0000ff);
   info = blit_all(src, dst);
   assert_int_equal(tg_context_blit(gpu, &info, diagnostics), TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "the target has the compressed format DXT1_RGBA");
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
   tg_diagnostics_destroy(diagnostics);
   tg_context_destroy(gpu);
}

/* The greatest factors and offsets there are, all of them with nothing outside
 * of the textures touched. */
static void
takes_hostile_boxes(void **test)
{
   (void)test;
   static const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -16384,   -1, 0,
                                   1,         16384,         INT32_MAX};
   struct tg_context *gpu = make_gpu();
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 5, 4, 1, 1, 0, 1);
   struct tg_resource *src = blit_make(&desc), *dst = blit_make(&desc);

   for (unsigned n = 0; n < 5000; n++) {
      struct tg_blit_info info = blit_all(dst, src);
      int32_t *const numbers[] = {
         &info.dst.x, &info.dst.y, &info.dst.width, &info.dst.height,
         &info.src.x, &info.src.y, &info.src.width, &info.src.height};

      for (unsigned i = 0; i < 8; i++) {
         if (random32() % 2)
            *numbers[i] = edges[random32() % 8];
      }
      info.filter = (uint8_t)(random32() % 2);
      assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   }

   tg_resource_destroy(src);
   tg_resource_destroy(dst);
   tg_context_destroy(gpu);
}

/* ---- threads and conditions ---------------------------------------------- */

enum { WIDE = 400, HIGH = 300 };

/* A resolve, a filtered blit with a flip and a move, with so many threads. */
static struct tg_resource *
blit_with_threads(unsigned num_threads)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, WIDE, HIGH, 1, 1, 0, 4);
   struct tg_resource *four = blit_make(&desc);
   desc.samples = 1;
   struct tg_resource *one = blit_make(&desc), *result = blit_make(&desc);
   struct tg_blit_info info = blit_all(one, four);
   struct tg_context *gpu = NULL;

   random_state = 1;
   for (size_t i = 0; i < four->written.num_bytes / 4; i++)
      four->written.data[i] = random32();
   options.num_threads = num_threads;
   assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   info = blit_all(result, one);
   info.src.height = 150;
   info.src.x = 150;
   info.src.width = -150;
   info.filter = TG_FILTER_LINEAR;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   info = blit_all(result, one);
   info.src.y = HIGH;
   info.src.height = -HIGH;
   info.dst.x = WIDE / 2;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   tg_context_destroy(gpu);
   tg_resource_destroy(one);
   tg_resource_destroy(four);
   return result;
}

static void
threads_change_nothing(void **test)
{
   (void)test;
   static const unsigned counts[] = {2, 3, 8};
   struct tg_resource *expected = blit_with_threads(1);

   for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
      struct tg_resource *found = blit_with_threads(counts[i]);

      assert_memory_equal(found->written.data, expected->written.data,
                          WIDE * HIGH * 4);
      tg_resource_destroy(found);
   }
   tg_resource_destroy(expected);
}

static void
condition_decides(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R32_UINT, 1, 1, 1, 1, 0, 1);
   struct tg_resource *dst = blit_make(&desc), *src = blit_make(&desc);
   struct tg_blit_info info = blit_all(dst, src);
   struct tg_query *query;

   src->written.data[0] = 7;
   assert_int_equal(
      tg_query_create(gpu, TG_QUERY_OCCLUSION_PREDICATE, 0, NULL, &query),
      TG_OK);
   assert_int_equal(tg_query_begin(query, NULL), TG_OK);
   assert_int_equal(tg_query_end(query, NULL), TG_OK);
   tg_context_set_condition(gpu, query, false);
   info.render_condition_enable = true;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_int_equal(dst->written.data[0], 0);
   info.render_condition_enable = false;
   assert_int_equal(tg_context_blit(gpu, &info, NULL), TG_OK);
   assert_int_equal(dst->written.data[0], 7);
   tg_context_destroy(gpu);
   tg_resource_destroy(dst);
   tg_resource_destroy(src);
}

/* ---- refusals ------------------------------------------------------------ */

static void
expect_refusal(struct tg_context *gpu, const struct tg_blit_info *info,
               const char *message)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_int_equal(tg_context_blit(gpu, info, diagnostics), TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message, message);
   tg_diagnostics_destroy(diagnostics);
}

static void
refuses_what_does_not_fit(void **test)
{
   (void)test;
   struct tg_context *gpu = make_gpu();
   struct tg_resource *floats = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 1, 1));
   struct tg_resource *integers = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R32_UINT, 4, 4, 1, 1, 0, 1));
   struct tg_resource *four = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 0, 4));
   struct tg_resource *two = blit_make(&(struct tg_resource_desc)DESC(
      TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 0, 2));
   struct tg_resource *buffer = blit_make(
      &(struct tg_resource_desc){.size = sizeof(struct tg_resource_desc),
                                 .target = TG_TEXTURE_BUFFER,
                                 .width = 64});

   struct tg_blit_info info = blit_all(floats, integers);
   expect_refusal(gpu, &info,
                  "R32_UINT has unsigned integers, which do not become the "
                  "floats of R8G8B8A8_UNORM");
   info.dst.format = TG_FORMAT_R32_SINT;
   expect_refusal(gpu, &info,
                  "R32_UINT has unsigned integers, which do not become the "
                  "signed integers of R32_SINT");
   info = blit_all(two, four);
   expect_refusal(gpu, &info, "4 samples do not become 2");
   info = blit_all(floats, floats);
   info.src.level = 2;
   expect_refusal(gpu, &info,
                  "source of a blit: levels 2 to 2 of a texture with levels 0 "
                  "to 1");
   info = blit_all(floats, floats);
   info.dst.format = TG_FORMAT_R32G32_FLOAT;
   expect_refusal(gpu, &info,
                  "target of a blit: R32G32_FLOAT has blocks of 8 bytes, "
                  "R8G8B8A8_UNORM of the texture 4");
   info.dst.format = 100000;
   expect_refusal(gpu, &info, "target of a blit: there is no format 100000");
   info = blit_all(floats, floats);
   info.mask = 64;
   expect_refusal(gpu, &info, "there is no mask 64");
   info.mask = 15;
   info.filter = 2;
   expect_refusal(gpu, &info, "there is no filter 2");
   info.filter = 0;
   info.src.resource = buffer;
   expect_refusal(gpu, &info, "the source of a blit is not a texture");
   info.dst.resource = NULL;
   expect_refusal(gpu, &info, "the target of a blit is not a texture");

   tg_resource_destroy(floats);
   tg_resource_destroy(integers);
   tg_resource_destroy(four);
   tg_resource_destroy(two);
   tg_resource_destroy(buffer);
   tg_context_destroy(gpu);
}

/* Five rows are five waves, one more than there may be; then nothing is drawn.
 */
static void
work_may_run_out(void **test)
{
   (void)test;
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT, 9, 5, 1, 1, 0, 1);
   struct tg_resource *src = blit_make(&desc), *dst = blit_make(&desc);
   struct tg_blit_info info = blit_all(dst, src);

   for (unsigned work = 1; work <= 1 << 20; work += (1 << 20) - 1) {
      struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
      struct tg_context *gpu;

      options.max_work = work;
      assert_int_equal(context_alone(NULL, NULL, &options, &gpu), TG_OK);
      memset(src->written.data, 0x3f, 9 * 5 * 4);
      info.src.format = TG_FORMAT_L32_FLOAT; /* so that it is converted */
      assert_int_equal(tg_context_blit(gpu, &info, NULL),
                       work == 1 ? TG_ERROR_LIMIT : TG_OK);
      for (unsigned i = 0; i < 9 * 5; i++)
         assert_int_equal(dst->written.data[i], work == 1 ? 0 : 0x3f3f3f3f);
      tg_context_destroy(gpu);
   }
   tg_resource_destroy(src);
   tg_resource_destroy(dst);
}

/* A row of 16 pixels costs one, and each of its pixels one and its bytes: two
 * samples are 8 of these and cost nothing, 16 are 64 and cost one more. So
 * eight rows are 136 or 264, and 200 are enough for the first. */
static void
resolves_cost_their_samples(void **test)
{
   (void)test;
   _Static_assert(TG_WORK_BYTES == 64, "the comment");
   for (uint32_t samples = 2; samples <= 16; samples += 14) {
      struct tg_resource *src = blit_make(&(struct tg_resource_desc)DESC(
         TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 16, 8, 1, 1, 0, samples));
      struct tg_resource *dst = blit_make(&(struct tg_resource_desc)DESC(
         TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 16, 8, 1, 1, 0, 1));
      const struct tg_blit_info info = blit_all(dst, src);
      struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
      struct tg_context *gpu;

      options.max_work = GPU_WORK_CALL + 200;
      assert_int_equal(context_alone(NULL, NULL, &options, &gpu), TG_OK);
      memset(src->written.data, 0x3f, (size_t)src->written.num_bytes);
      assert_int_equal(tg_context_blit(gpu, &info, NULL),
                       samples == 2 ? TG_OK : TG_ERROR_LIMIT);
      for (unsigned i = 0; i < 16 * 8; i++)
         assert_int_equal(dst->written.data[i], samples == 2 ? 0x3f3f3f3f : 0);
      tg_context_destroy(gpu);
      tg_resource_destroy(src);
      tg_resource_destroy(dst);
   }
}

/* ---- memory -------------------------------------------------------------- */

/* A resolve, and a blit within one level. */
static enum tg_result
blit_twice(const struct tg_allocator *allocator)
{
   const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 9, 5, 1, 1, 0, 1);
   struct tg_resource_desc four = desc;
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu = NULL;

   four.samples = 4;
   options.num_threads = 1;
   struct tg_resource *dst = blit_make(&desc), *src = blit_make(&four);
   struct tg_blit_info resolve = blit_all(dst, src);
   struct tg_blit_info within = blit_all(dst, dst);
   within.src.x = 9;
   within.src.width = -9;
   enum tg_result result = context_alone(allocator, &options, NULL, &gpu);
   if (result == TG_OK)
      result = tg_context_blit(gpu, &resolve, NULL);
   if (result == TG_OK)
      result = tg_context_blit(gpu, &within, NULL);
   tg_context_destroy(gpu);
   tg_resource_destroy(dst);
   tg_resource_destroy(src);
   return result;
}

static void
memory_may_run_out(void **test)
{
   (void)test;
   sweep(blit_twice);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(resolves_in_linear_space),
      cmocka_unit_test(moves_pixels_of_one_color),
      cmocka_unit_test(converts_pixels_of_one_color),
      cmocka_unit_test(sees_pixels_of_one_color),
      cmocka_unit_test(rounds_means_half_up),
      cmocka_unit_test(blends_over),
      cmocka_unit_test(makes_mipmaps),
      cmocka_unit_test(reads_compressed_textures),
      cmocka_unit_test(takes_hostile_boxes),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(condition_decides),
      cmocka_unit_test(refuses_what_does_not_fit),
      cmocka_unit_test(work_may_run_out),
      cmocka_unit_test(resolves_cost_their_samples),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests_name("gpu: blit", tests, NULL, NULL);
}
