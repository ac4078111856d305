/* SPDX-License-Identifier: MIT
 *
 * Resources: which there can be, and that what is written is read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../desc.h"
#include "complaint.h"
#include "resource/resource.h"
#include "tgsi/tables/tables.h"

enum { RGBA8 = TG_FORMAT_R8G8B8A8_UNORM, RGB32 = TG_FORMAT_R32G32B32_FLOAT };

/* ---- refusals ------------------------------------------------------------ */

struct refusal {
   struct tg_resource_desc desc;
   enum tg_result result;
   const char *message;
};

static const struct refusal refusals[] = {
   {DESC(9, RGBA8, 1, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "there is no texture target 9"},
   {DESC(UINT32_MAX, RGBA8, 1, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "there is no texture target 4294967295"},
   {DESC(TG_TEXTURE_2D, 0, 1, 1, 1, 1, 0, 1), TG_ERROR_UNSUPPORTED,
    "textures cannot have the format NONE"},
   {DESC(TG_TEXTURE_2D, 100000, 1, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "there is no format 100000"},
   {DESC(TG_TEXTURE_2D, TG_FORMAT_NV12, 1, 1, 1, 1, 0, 1), TG_ERROR_UNSUPPORTED,
    "textures cannot have the format NV12"},

   {DESC(TG_TEXTURE_BUFFER, 0, 4, 2, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a buffer has a width and nothing else"},
   {DESC(TG_TEXTURE_BUFFER, 0, 4, 1, 1, 1, 1, 1), TG_ERROR_INPUT,
    "a buffer has a width and nothing else"},
   {DESC(TG_TEXTURE_BUFFER, 0, 4, 1, 1, 1, 0, 2), TG_ERROR_INPUT,
    "a buffer has a width and nothing else"},

   {DESC(TG_TEXTURE_1D, RGBA8, 0, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 1D texture has a width of 1 to 16384, not 0"},
   {DESC(TG_TEXTURE_1D, RGBA8, 16385, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 1D texture has a width of 1 to 16384, not 16385"},
   {DESC(TG_TEXTURE_1D, RGBA8, 8, 2, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 1D texture has a height of 1, not 2"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, 0, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 2D texture has a height of 1 to 16384, not 0"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, UINT32_MAX, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 2D texture has a height of 1 to 16384, not 4294967295"},
   {DESC(TG_TEXTURE_3D, RGBA8, 2049, 1, 1, 1, 0, 1), TG_ERROR_INPUT,
    "a 3D texture has a width of 1 to 2048, not 2049"},
   {DESC(TG_TEXTURE_3D, RGBA8, 8, 8, 0, 1, 0, 1), TG_ERROR_INPUT,
    "a 3D texture has a depth of 1 to 2048, not 0"},
   {DESC(TG_TEXTURE_3D, RGBA8, 8, 8, 8, 2, 0, 1), TG_ERROR_INPUT,
    "a 3D texture has a number of layers of 1, not 2"},
   {DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 8, 8, 1, 2049, 0, 1), TG_ERROR_INPUT,
    "a 2D_ARRAY texture has a number of layers of 1 to 2048, not 2049"},
   {DESC(TG_TEXTURE_CUBE, RGBA8, 8, 8, 1, 5, 0, 1), TG_ERROR_INPUT,
    "a CUBE texture has 6 faces a cube and 6 at most, not 5"},
   {DESC(TG_TEXTURE_CUBE, RGBA8, 8, 4, 1, 6, 0, 1), TG_ERROR_INPUT,
    "faces of a cube are square, not 8 by 4"},
   {DESC(TG_TEXTURE_CUBE_ARRAY, RGBA8, 8, 8, 1, 2048, 0, 1), TG_ERROR_INPUT,
    "a CUBE_ARRAY texture has 6 faces a cube and 2046 at most, not 2048"},

   {DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 8, 8, 1, 1, 0, 4), TG_ERROR_INPUT,
    "a 2D texture with samples cannot have the compressed format DXT1_RGB"},
   {DESC(TG_TEXTURE_3D, RGBA8, 8, 8, 8, 1, 0, 4), TG_ERROR_INPUT,
    "a 3D texture has one sample, not 4"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 0, 3), TG_ERROR_INPUT,
    "a texture has 1, 2, 4, 8 or 16 samples, not 3"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 0, 32), TG_ERROR_INPUT,
    "a texture has 1, 2, 4, 8 or 16 samples, not 32"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 1, 4), TG_ERROR_INPUT,
    "a 2D texture with samples has level 0 only, not to level 1"},
   {DESC(TG_TEXTURE_RECT, RGBA8, 8, 8, 1, 1, 1, 1), TG_ERROR_INPUT,
    "a RECT texture has level 0 only, not to level 1"},
   {DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 4, 1), TG_ERROR_INPUT,
    "a texture of 8 by 8 by 1 has level 3 at last, not 4"},
   {DESC(TG_TEXTURE_3D, RGBA8, 1, 1, 9, 1, UINT32_MAX, 1), TG_ERROR_INPUT,
    "a texture of 1 by 1 by 9 has level 3 at last, not 4294967295"},

   /* 16384 * 16384 * 4 layers * 4 bytes are 4 GiB, one byte too many. */
   {DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 16384, 16384, 1, 4, 0, 1), TG_ERROR_LIMIT,
    "a resource of 4294967296 bytes is too large; the most is 4 GiB - 1"},
   {DESC(TG_TEXTURE_2D_ARRAY, TG_FORMAT_R32G32B32A32_FLOAT, 16384, 16384, 1,
         2048, 0, 16),
    TG_ERROR_LIMIT,
    "a resource of 140737488355328 bytes is too large; the most is 4 GiB - 1"},
};

static void
test_refusals(void **state)
{
   (void)state;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      struct tg_resource *resource = NULL;

      assert_int_equal(
         tg_resource_create(NULL, &refusals[i].desc, diagnostics, &resource),
         refusals[i].result);
      assert_null(resource);
      expect_complaint(diagnostics, refusals[i].message);
   }
   tg_diagnostics_destroy(diagnostics);
}

#ifdef TEST_LARGEST
/* Untouched memory costs nothing, so the largest of each can be made; but where
 * the system promises no more than it has, not all of them. */
static void
test_largest(void **state)
{
   (void)state;
   static const struct tg_resource_desc descs[] = {
      DESC(TG_TEXTURE_BUFFER, 0, UINT32_MAX, 1, 1, 1, 0, 1),
      DESC(TG_TEXTURE_1D, RGBA8, 16384, 1, 1, 1, 14, 1),
      DESC(TG_TEXTURE_2D, RGBA8, 16384, 16384, 1, 1, 14, 1),
      DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 512, 512, 1, 2048, 0, 1),
      DESC(TG_TEXTURE_3D, RGBA8, 2048, 2048, 128, 1, 0, 1),
      DESC(TG_TEXTURE_CUBE_ARRAY, RGBA8, 512, 512, 1, 2046, 9, 1),
   };

   for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
      struct tg_resource *resource = NULL;
      enum tg_result result =
         tg_resource_create(NULL, &descs[i], NULL, &resource);

      assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
      tg_resource_destroy(resource);
   }
}
#endif

/* ---- round trips --------------------------------------------------------- */

/* Writes to every texel what no other has, then reads all of it. */
static void
fill_and_compare(const struct tg_resource_desc *given)
{
   struct tg_resource *resource = make_resource(given);
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   uint32_t texel_bytes = desc->target == TG_TEXTURE_BUFFER
                             ? 1
                             : tg_format_get_block(desc->format).bytes;

   for (int pass = 0; pass < 2; pass++) {
      unsigned value = 1;

      for (uint32_t level = 0; level <= desc->last_level; level++) {
         uint32_t width = desc->width >> level, height = desc->height >> level;
         uint32_t depth = desc->depth >> level;
         struct tg_box box = {
            .width = width ? width : 1,
            .height = height ? height : 1,
            .depth = desc->layers * (depth ? depth : 1),
         };
         size_t size = (size_t)box.width * box.height * box.depth * texel_bytes;
         unsigned char *bytes = malloc(size);
         assert_non_null(bytes);

         for (uint32_t sample = 0; sample < desc->samples; sample++) {
            if (pass == 0) {
               for (size_t i = 0; i < size; i++)
                  bytes[i] = (unsigned char)(value++ * 2654435761u >> 24);
               assert_int_equal(
                  tg_resource_write(resource, level, sample, &box, bytes, 0, 0),
                  TG_OK);
               continue;
            }
            assert_int_equal(
               tg_resource_read(resource, level, sample, &box, bytes, 0, 0),
               TG_OK);
            for (size_t i = 0; i < size; i++)
               assert_int_equal(bytes[i],
                                (unsigned char)(value++ * 2654435761u >> 24));
         }
         free(bytes);
      }
   }
   tg_resource_destroy(resource);
}

static void
test_round_trips(void **state)
{
   (void)state;
   static const struct tg_resource_desc descs[] = {
      DESC(.target = TG_TEXTURE_BUFFER, .width = 1001),
      DESC(TG_TEXTURE_1D, RGBA8, 37, 1, 1, 1, 5, 1),
      DESC(TG_TEXTURE_2D, RGBA8, 37, 21, 1, 1, 5, 1),
      DESC(TG_TEXTURE_2D, RGB32, 1, 130, 0, 0, 7, 0),
      DESC(TG_TEXTURE_3D, RGB32, 5, 6, 7, 1, 2, 1),
      DESC(TG_TEXTURE_CUBE, RGBA8, 9, 9, 1, 6, 3, 1),
      DESC(TG_TEXTURE_RECT, RGBA8, 33, 7, 1, 1, 0, 1),
      DESC(TG_TEXTURE_1D_ARRAY, RGBA8, 19, 1, 1, 5, 4, 1),
      DESC(TG_TEXTURE_2D_ARRAY, RGB32, 6, 11, 1, 3, 3, 1),
      DESC(TG_TEXTURE_CUBE_ARRAY, RGBA8, 5, 5, 1, 12, 2, 1),
      DESC(TG_TEXTURE_2D, RGBA8, 7, 5, 1, 1, 0, 2),
      DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 7, 5, 1, 3, 0, 16),
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8_UNORM, 7, 5, 1, 1, 2, 1),
      DESC(TG_TEXTURE_3D, TG_FORMAT_R16_FLOAT, 7, 5, 3, 1, 2, 1),
      DESC(TG_TEXTURE_CUBE, TG_FORMAT_R64G64B64A64_FLOAT, 3, 3, 1, 6, 1, 1),
      DESC(TG_TEXTURE_2D, TG_FORMAT_Z32_FLOAT_S8X24_UINT, 3, 3, 1, 1, 1, 1),
   };

   for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++)
      fill_and_compare(&descs[i]);
}

static void
test_zero_at_first(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, RGBA8, 100, 100, 1, 1, 6, 1);
   struct tg_resource *resource = make_resource(&desc);
   struct tg_box box = {0, 0, 0, 100, 100, 1};
   uint32_t texels[100 * 100], all = 0;

   assert_int_equal(tg_resource_read(resource, 0, 0, &box, texels, 0, 0),
                    TG_OK);
   for (size_t i = 0; i < 100 * 100; i++)
      all |= texels[i];
   assert_int_equal(all, 0);
   tg_resource_destroy(resource);
}

/* ---- boxes --------------------------------------------------------------- */

/* Texel (x, y, z) of the box comes from where the strides say. */
static void
test_strides(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_3D, TG_FORMAT_R32_UINT, 4, 4, 4, 1, 0, 1);
   struct tg_resource *resource = make_resource(&desc);
   uint32_t given[100], taken[8], all[64];

   for (uint32_t i = 0; i < 100; i++)
      given[i] = 1000 + i;
   const struct tg_box box = {1, 2, 1, 2, 2, 2};
   assert_int_equal(
      tg_resource_write(resource, 0, 0, &box, given, 5 * 4, 40 * 4), TG_OK);
   assert_int_equal(tg_resource_read(resource, 0, 0, &box, taken, 0, 0), TG_OK);
   static const uint32_t expected[8] = {1000, 1001, 1005, 1006,
                                        1040, 1041, 1045, 1046};
   assert_memory_equal(taken, expected, sizeof(expected));

   const struct tg_box whole = {0, 0, 0, 4, 4, 4};
   assert_int_equal(tg_resource_read(resource, 0, 0, &whole, all, 0, 0), TG_OK);
   assert_int_equal(all[1 * 16 + 2 * 4 + 1], 1000);
   assert_int_equal(all[2 * 16 + 3 * 4 + 2], 1046);
   uint32_t num_written = 0;
   for (size_t i = 0; i < 64; i++)
      num_written += all[i] != 0;
   assert_int_equal(num_written, 8);
   tg_resource_destroy(resource);
}

static void
test_bad_boxes(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 10, 6, 1, 3, 2, 1);
   static const struct {
      uint32_t level, sample;
      struct tg_box box;
   } bad[] = {
      {3, 0, {0, 0, 0, 1, 1, 1}},          {UINT32_MAX, 0, {0, 0, 0, 1, 1, 1}},
      {0, 1, {0, 0, 0, 1, 1, 1}},          {0, 0, {0, 0, 0, 11, 1, 1}},
      {0, 0, {10, 0, 0, 1, 1, 1}},         {0, 0, {11, 0, 0, 0, 1, 1}},
      {0, 0, {0, 0, 0, 1, 7, 1}},          {0, 0, {0, 5, 0, 1, UINT32_MAX, 1}},
      {0, 0, {UINT32_MAX, 0, 0, 2, 1, 1}}, {0, 0, {0, 0, 2, 1, 1, 2}},
      {1, 0, {0, 0, 0, 6, 1, 1}},          {2, 0, {0, 1, 0, 1, 1, 1}},
   };
   struct tg_resource *resource = make_resource(&desc);
   unsigned char byte = 77;

   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      assert_int_equal(tg_resource_read(resource, bad[i].level, bad[i].sample,
                                        &bad[i].box, &byte, 0, 0),
                       TG_ERROR_INPUT);
      assert_int_equal(tg_resource_write(resource, bad[i].level, bad[i].sample,
                                         &bad[i].box, &byte, 0, 0),
                       TG_ERROR_INPUT);
   }
   assert_int_equal(byte, 77);

   /* At the edge, but empty. */
   const struct tg_box empty = {10, 6, 3, 0, 0, 0};
   assert_int_equal(tg_resource_read(resource, 0, 0, &empty, NULL, 0, 0),
                    TG_OK);
   tg_resource_destroy(resource);
}

/* ---- mipmaps ------------------------------------------------------------- */

static void
write_level(struct tg_resource *resource, uint32_t width, uint32_t height,
            uint32_t depth, const void *texels)
{
   const struct tg_box box = {0, 0, 0, width, height, depth};

   assert_int_equal(tg_resource_write(resource, 0, 0, &box, texels, 0, 0),
                    TG_OK);
}

static void
expect_level(const struct tg_resource *resource, uint32_t level, uint32_t width,
             uint32_t height, uint32_t depth, const void *expected)
{
   const struct tg_box box = {0, 0, 0, width, height, depth};
   unsigned char texels[256];
   uint32_t bytes =
      tg_format_get_block(tg_resource_get_desc(resource)->format).bytes;

   assert_int_equal(tg_resource_read(resource, level, 0, &box, texels, 0, 0),
                    TG_OK);
   assert_memory_equal(texels, expected,
                       (size_t)width * height * depth * bytes);
}

/* 4 by 2, 2 by 1, 1 by 1: means of four, then of two. 0x80 is the mean of
 * 0, 255, 255 and 2, and 0x60 that of 0x80 and 0x40. */
static void
test_mipmaps(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, RGBA8, 4, 2, 1, 1, 2, 1);
   static const uint32_t base[8] = {0x000000, 0x0000ff, 0x40, 0x40,
                                    0x0000ff, 0x000002, 0x40, 0x40};
   struct tg_resource *resource = make_resource(&desc);

   write_level(resource, 4, 2, 1, base);
   assert_int_equal(tg_resource_generate_mipmaps(resource), TG_OK);
   expect_level(resource, 1, 2, 1, 1, (uint32_t[]){0x80, 0x40});
   expect_level(resource, 2, 1, 1, 1, (uint32_t[]){0x60});
   tg_resource_destroy(resource);
}

/* An odd row and column are left out; layers have levels each of their own,
 * slices are reduced. */
static void
test_mipmaps_of_slices(void **state)
{
   (void)state;
   static const struct tg_resource_desc layers_desc =
      DESC(TG_TEXTURE_1D_ARRAY, TG_FORMAT_R32_FLOAT, 3, 1, 1, 2, 1, 1);
   static const struct tg_resource_desc solid_desc =
      DESC(TG_TEXTURE_3D, TG_FORMAT_R32_FLOAT, 2, 1, 3, 1, 1, 1);
   static const float base[6] = {1, 2, 100, 5, 8, 100};
   struct tg_resource *layers = make_resource(&layers_desc);
   struct tg_resource *solid = make_resource(&solid_desc);

   write_level(layers, 3, 1, 2, base);
   assert_int_equal(tg_resource_generate_mipmaps(layers), TG_OK);
   expect_level(layers, 1, 1, 1, 2, (float[]){1.5f, 6.5f});

   /* Slices (1, 2) and (100, 5); (8, 100) is left out. */
   write_level(solid, 2, 1, 3, base);
   assert_int_equal(tg_resource_generate_mipmaps(solid), TG_OK);
   expect_level(solid, 1, 1, 1, 1, (float[]){27.0f});
   tg_resource_destroy(solid);
   tg_resource_destroy(layers);
}

/* sRGB is averaged as light: of black and white not 128 but 188. */
static void
test_mipmaps_of_srgb(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_1D, TG_FORMAT_R8G8B8A8_SRGB, 2, 1, 1, 1, 1, 1);
   static const uint32_t base[2] = {0xff000000, 0x01ffffff};
   struct tg_resource *resource = make_resource(&desc);

   write_level(resource, 2, 1, 1, base);
   assert_int_equal(tg_resource_generate_mipmaps(resource), TG_OK);
   expect_level(resource, 1, 1, 1, 1, (uint32_t[]){0x80bcbcbc});
   tg_resource_destroy(resource);
}

static void
test_no_mipmaps(void **state)
{
   (void)state;
   static const struct tg_resource_desc descs[] = {
      DESC(.target = TG_TEXTURE_BUFFER, .width = 4),
      DESC(TG_TEXTURE_2D, TG_FORMAT_R32_UINT, 2, 2, 1, 1, 1, 1),
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_SINT, 2, 2, 1, 1, 1, 1),
      DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 8, 8, 1, 1, 1, 1),
   };

   for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
      struct tg_resource *resource = make_resource(&descs[i]);

      assert_int_equal(tg_resource_generate_mipmaps(resource),
                       TG_ERROR_UNSUPPORTED);
      tg_resource_destroy(resource);
   }
}

/* ---- compressed formats -------------------------------------------------- */

/* Blocks of 4 by 4 texels and 8 bytes; of 10 by 6 there are 3 by 2. */
static void
test_blocks(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 10, 6, 1, 1, 2, 1);
   static const struct tg_box whole = {0, 0, 0, 10, 6, 1};
   static const struct tg_box corner = {8, 4, 0, 2, 2, 1};
   static const struct tg_box smallest = {0, 0, 0, 2, 1, 1};
   struct tg_resource *resource = make_resource(&desc);
   unsigned char blocks[48], block[8];

   for (unsigned i = 0; i < 48; i++)
      blocks[i] = (unsigned char)i;
   assert_int_equal(tg_resource_write(resource, 0, 0, &whole, blocks, 0, 0),
                    TG_OK);
   assert_int_equal(tg_resource_read(resource, 0, 0, &corner, block, 0, 0),
                    TG_OK);
   assert_memory_equal(block, blocks + 40, 8);
   assert_int_equal(tg_resource_write(resource, 2, 0, &smallest, block, 0, 0),
                    TG_OK);
   assert_int_equal(tg_resource_read(resource, 2, 0, &smallest, blocks, 0, 0),
                    TG_OK);
   assert_memory_equal(block, blocks, 8);
   /* 6 blocks, 2 of level 1 from byte 64 on, 1 of level 2 from byte 128. */
   assert_int_equal(tg_resource_get_size(resource), 136);
   tg_resource_destroy(resource);
}

/* Boxes that go through a block. */
static void
test_bad_blocks(void **state)
{
   (void)state;
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 10, 6, 1, 1, 0, 1);
   static const struct tg_box bad[] = {
      {0, 0, 0, 9, 4, 1}, {0, 0, 0, 4, 5, 1}, {2, 0, 0, 2, 4, 1},
      {0, 2, 0, 4, 4, 1}, {8, 4, 0, 4, 2, 1},
   };
   struct tg_resource *resource = make_resource(&desc);
   unsigned char blocks[48];

   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      assert_int_equal(tg_resource_read(resource, 0, 0, &bad[i], blocks, 0, 0),
                       TG_ERROR_INPUT);
   tg_resource_destroy(resource);
}

/* ---- questions ----------------------------------------------------------- */

static void
test_map(void **state)
{
   (void)state;
   struct tg_resource *buffer = make_resource(&(struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc), .width = 6});
   struct tg_resource *texture = make_resource(
      &(struct tg_resource_desc)DESC(TG_TEXTURE_1D, RGBA8, 1, 1, 1, 1, 0, 1));
   unsigned char bytes[2] = {8, 9};

   assert_int_equal(tg_resource_write(buffer, 0, 0,
                                      &(struct tg_box){4, 0, 0, 2, 1, 1}, bytes,
                                      0, 0),
                    TG_OK);
   const unsigned char *mapped = tg_resource_map_buffer(buffer);
   assert_memory_equal(mapped, "\0\0\0\0\10\11", 6);
   assert_int_equal(tg_resource_get_size(buffer), 6);
   assert_null(tg_resource_map_buffer(texture));
   tg_resource_destroy(texture);
   tg_resource_destroy(buffer);
   tg_resource_destroy(NULL);

   /* A buffer may have no bytes. */
   struct tg_resource *empty = make_resource(
      &(struct tg_resource_desc){.size = sizeof(struct tg_resource_desc)});
   assert_non_null(tg_resource_map_buffer(empty));
   assert_int_equal(tg_resource_get_size(empty), 0);
   tg_resource_destroy(empty);
}

static void
test_desc(void **state)
{
   (void)state;
   struct tg_resource *resource = make_resource(&(struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc),
      .target = TG_TEXTURE_1D_ARRAY,
      .format = RGBA8,
      .width = 3,
      .layers = 2,
   });
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);

   assert_int_equal(desc->height, 1);
   assert_int_equal(desc->depth, 1);
   assert_int_equal(desc->layers, 2);
   assert_int_equal(desc->samples, 1);
   tg_resource_destroy(resource);
   assert_int_equal(tg_full_last_level(1024, 600, 1), 10);
   assert_int_equal(tg_full_last_level(1, 1, 1), 0);
   assert_int_equal(tg_full_last_level(1, 1, 9), 3);
   assert_int_equal(tg_full_last_level(16384, 1, 1), 14);
}

static void
test_formats(void **state)
{
   (void)state;
   assert_int_equal(tg_format_number("R8G8B8A8_UNORM"), RGBA8);
   assert_int_equal(tg_format_number("r8g8b8a8_unorm"), RGBA8);
   assert_int_equal(tg_format_number("R8G8B8A8_UNOR"), 0);
   assert_int_equal(tg_format_number("R8G8B8A8_UNORMS"), 0);
   assert_int_equal(tg_format_number(""), 0);
   assert_string_equal(tg_format_name(RGBA8), "R8G8B8A8_UNORM");
   assert_null(tg_format_name(TG_NUM_FORMATS));
   assert_true(tg_format_is_supported(RGBA8));
   assert_false(tg_format_is_supported(0));
   assert_false(tg_format_is_supported(UINT32_MAX));
   assert_int_equal(tg_format_get_block(RGB32).bytes, 12);
   assert_int_equal(tg_format_get_block(RGB32).width, 1);
   assert_int_equal(tg_format_get_block(0).bytes, 0);
}

/* Five by six pixels have two microtiles each way, which are 8 by 8 texels of
 * two bytes for each of four samples. (4, 5) is the first column of the second
 * microtile, 16 texels on, and the second row of the lower two, after 2 * 16
 * and 2 more. */
static void
test_microtiles(void **state)
{
   static const struct tg_resource_desc desc =
      DESC(TG_TEXTURE_2D_ARRAY, TG_FORMAT_R16_UNORM, 5, 6, 1, 2, 0, 4);
   struct tg_resource *resource = NULL;

   (void)state;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   const struct resource_level *level = &resource->written.layout.level[0];
   assert_int_equal(level->row_pitch, 8 * 2);
   assert_int_equal(level->sample_pitch, 128);
   assert_int_equal(level->slice_pitch, 512);
   assert_int_equal(resource->written.layout.size, 1024);
   assert_int_equal(resource_address(level, 4, 5, 1, 2),
                    512 + 2 * 128 + (16 + 32 + 2) * 2);
   assert_int_equal(resource_address(level, 3, 3, 0, 0), 15 * 2);
   assert_int_equal(resource_address(level, 2, 1, 0, 0), 6 * 2);
   assert_int_equal(resource_run(level, 2, 3), 2);
   assert_int_equal(resource_run(level, 3, 3), 1);
   assert_int_equal(resource_run(level, 2, 1), 1);
   tg_resource_destroy(resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
#ifdef TEST_LARGEST
      cmocka_unit_test(test_largest),
#endif
      cmocka_unit_test(test_microtiles),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_zero_at_first),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_bad_boxes),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_desc),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_mipmaps),
      cmocka_unit_test(test_mipmaps_of_slices),
      cmocka_unit_test(test_mipmaps_of_srgb),
      cmocka_unit_test(test_no_mipmaps),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_bad_blocks),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
