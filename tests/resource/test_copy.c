/* SPDX-License-Identifier: MIT
 *
 * Copies and fills. What each block of the target must be afterwards is said by
 * its coordinates, from what all blocks of both resources were before; boxes
 * that overlap are so no different from others.
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

enum {
   RGBA8 = TG_FORMAT_R8G8B8A8_UNORM,
   R32 = TG_FORMAT_R32_UINT,
   RG32 = TG_FORMAT_R32G32_UINT,
   DXT1 = TG_FORMAT_DXT1_RGBA,
   TURNS = 4000,
};

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

/* ---- what a level holds -------------------------------------------------- */

/* Blocks of a level in the order x, y, z, sample. */
struct image {
   uint32_t width, height, depth, samples, block_bytes;
   uint8_t *bytes;
};

static uint32_t
blocks_of(uint32_t texels, uint32_t block)
{
   return (texels + block - 1) / block;
}

static uint8_t *
image_block(const struct image *image, uint32_t x, uint32_t y, uint32_t z,
            uint32_t sample)
{
   const size_t number =
      ((sample * (size_t)image->depth + z) * image->height + y) * image->width +
      x;

   return image->bytes + number * image->block_bytes;
}

static struct tg_box
whole_level(const struct tg_resource *resource, uint32_t level)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);

   return (struct tg_box){
      .width = resource_minify(desc->width, level),
      .height = resource_minify(desc->height, level),
      .depth = desc->target == TG_TEXTURE_3D
                  ? resource_minify(desc->depth, level)
                  : desc->layers,
   };
}

static struct image
read_level(const struct tg_resource *resource, uint32_t level)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct tg_box box = whole_level(resource, level);
   struct tg_format_block block = {1, 1, 1};

   if (desc->target != TG_TEXTURE_BUFFER)
      block = tg_format_get_block(desc->format);
   struct image image = {
      .width = blocks_of(box.width, block.width),
      .height = blocks_of(box.height, block.height),
      .depth = box.depth,
      .samples = desc->samples,
      .block_bytes = block.bytes,
   };
   const size_t sample_bytes =
      (size_t)image.width * image.height * image.depth * image.block_bytes;
   image.bytes = malloc(sample_bytes * image.samples);
   for (uint32_t s = 0; s < image.samples; s++)
      assert_int_equal(tg_resource_read(resource, level, s, &box,
                                        image.bytes + s * sample_bytes, 0, 0),
                       TG_OK);
   return image;
}

static void
fill_randomly(struct tg_resource *resource)
{
   const size_t size = (size_t)resource->written.num_bytes / 4;

   for (size_t i = 0; i < size; i++)
      resource->written.data[i] = random32();
}

/* ---- copies -------------------------------------------------------------- */

struct case_of_copy {
   struct tg_resource_desc dst, src;
   bool is_within; /* src is dst */
};

static const struct case_of_copy copies[] = {
   {DESC(TG_TEXTURE_BUFFER, 0, 61, 1, 1, 1, 0, 1),
    DESC(TG_TEXTURE_BUFFER, 0, 47, 1, 1, 1, 0, 1), false},
   {DESC(TG_TEXTURE_BUFFER, 0, 61, 1, 1, 1, 0, 1), {0}, true},
   {DESC(TG_TEXTURE_2D, RGBA8, 13, 9, 1, 1, 2, 1),
    DESC(TG_TEXTURE_2D_ARRAY, R32, 7, 12, 1, 3, 1, 1), false},
   {DESC(TG_TEXTURE_2D, RGBA8, 13, 9, 1, 1, 2, 1), {0}, true},
   {DESC(TG_TEXTURE_3D, RG32, 6, 5, 7, 1, 1, 1), {0}, true},
   {DESC(TG_TEXTURE_3D, RG32, 6, 5, 7, 1, 1, 1),
    DESC(TG_TEXTURE_CUBE, RG32, 6, 6, 1, 6, 0, 1), false},
   {DESC(TG_TEXTURE_2D_ARRAY, RGBA8, 5, 4, 1, 3, 0, 4), {0}, true},
   {DESC(TG_TEXTURE_2D, RGBA8, 5, 4, 1, 1, 0, 4),
    DESC(TG_TEXTURE_2D_ARRAY, R32, 5, 4, 1, 3, 0, 4), false},
   {DESC(TG_TEXTURE_2D, DXT1, 21, 18, 1, 1, 2, 1), {0}, true},
   {DESC(TG_TEXTURE_2D, DXT1, 21, 18, 1, 1, 1, 1),
    DESC(TG_TEXTURE_2D, RG32, 9, 9, 1, 1, 0, 1), false},
   {DESC(TG_TEXTURE_2D, RG32, 9, 9, 1, 1, 0, 1),
    DESC(TG_TEXTURE_2D, DXT1, 21, 18, 1, 1, 1, 1), false},
   {DESC(TG_TEXTURE_1D_ARRAY, R32, 9, 1, 1, 5, 3, 1), {0}, true},
};

/* Part of an axis of a level, now and then beyond it, at blocks mostly. */
static void
choose_axis(uint32_t size, uint32_t block, uint32_t *first, uint32_t *count)
{
   *first = random32() % (size + 2);
   *count = random32() % (size + 2);
   if (random32() % 8 == 0)
      return;
   *first = *first / block * block;
   *first = *first < size ? *first : 0;
   *count = *count <= size - *first ? *count / block * block : size - *first;
}

/* What is to be copied where, in blocks; false when that must be refused. */
static bool
choose_blocks(uint32_t first, uint32_t count, uint32_t size, uint32_t block,
              uint32_t *first_out, uint32_t *count_out)
{
   *first_out = first / block;
   *count_out = blocks_of(count, block);
   return first % block == 0 && first + count <= size &&
          (count % block == 0 || first + count == size);
}

struct boxes {
   uint32_t dst_level, src_level;
   uint32_t dst[3];   /* texels */
   uint32_t src[3];   /* texels */
   uint32_t size[3];  /* texels of the source */
   uint32_t to[3];    /* blocks */
   uint32_t from[3];  /* blocks */
   uint32_t count[3]; /* blocks */
   bool is_good;
};

static void
sizes_of(const struct tg_resource *resource, uint32_t level, uint32_t size[3],
         uint32_t block[3])
{
   const struct tg_box box = whole_level(resource, level);
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   struct tg_format_block format = {1, 1, 1};

   if (desc->target != TG_TEXTURE_BUFFER)
      format = tg_format_get_block(desc->format);
   size[0] = box.width;
   size[1] = box.height;
   size[2] = box.depth;
   block[0] = format.width;
   block[1] = format.height;
   block[2] = 1;
}

static struct boxes
choose_boxes(const struct tg_resource *dst, const struct tg_resource *src)
{
   struct boxes boxes = {
      .dst_level = random32() % (tg_resource_get_desc(dst)->last_level + 1),
      .src_level = random32() % (tg_resource_get_desc(src)->last_level + 1),
      .is_good = true,
   };
   uint32_t src_size[3], src_block[3], dst_size[3], dst_block[3];

   sizes_of(src, boxes.src_level, src_size, src_block);
   sizes_of(dst, boxes.dst_level, dst_size, dst_block);
   for (unsigned i = 0; i < 3; i++) {
      uint32_t unused;

      choose_axis(src_size[i], src_block[i], &boxes.src[i], &boxes.size[i]);
      choose_axis(dst_size[i], dst_block[i], &boxes.dst[i], &unused);
      boxes.is_good &=
         choose_blocks(boxes.src[i], boxes.size[i], src_size[i], src_block[i],
                       &boxes.from[i], &boxes.count[i]);
      boxes.to[i] = boxes.dst[i] / dst_block[i];
      boxes.is_good &=
         boxes.dst[i] % dst_block[i] == 0 &&
         boxes.to[i] + boxes.count[i] <= blocks_of(dst_size[i], dst_block[i]);
   }
   return boxes;
}

/* The block that is copied to (x, y, z), or NULL. */
static const uint8_t *
copied_block(const struct boxes *boxes, const struct image *src, uint32_t x,
             uint32_t y, uint32_t z, uint32_t sample)
{
   const uint32_t at[3] = {x, y, z};
   uint32_t from[3];

   for (unsigned i = 0; i < 3; i++) {
      if (at[i] < boxes->to[i] || at[i] >= boxes->to[i] + boxes->count[i])
         return NULL;
      from[i] = at[i] - boxes->to[i] + boxes->from[i];
   }
   return image_block(src, from[0], from[1], from[2], sample);
}

static void
check_copy(struct tg_resource *dst, struct tg_resource *src, unsigned *num_good)
{
   const struct boxes boxes = choose_boxes(dst, src);
   const struct tg_box box = {boxes.src[0],  boxes.src[1],  boxes.src[2],
                              boxes.size[0], boxes.size[1], boxes.size[2]};
   struct image from = read_level(src, boxes.src_level);
   struct image before = read_level(dst, boxes.dst_level);

   assert_int_equal(resource_copy(dst, boxes.dst_level, boxes.dst[0],
                                  boxes.dst[1], boxes.dst[2], src,
                                  boxes.src_level, &box, NULL),
                    boxes.is_good ? TG_OK : TG_ERROR_INPUT);
   struct image after = read_level(dst, boxes.dst_level);
   for (uint32_t s = 0; s < after.samples; s++) {
      for (uint32_t z = 0; z < after.depth; z++) {
         for (uint32_t y = 0; y < after.height; y++) {
            for (uint32_t x = 0; x < after.width; x++) {
               const uint8_t *expected =
                  boxes.is_good ? copied_block(&boxes, &from, x, y, z, s)
                                : NULL;

               if (!expected)
                  expected = image_block(&before, x, y, z, s);
               assert_memory_equal(image_block(&after, x, y, z, s), expected,
                                   after.block_bytes);
            }
         }
      }
   }
   *num_good += boxes.is_good;
   free(from.bytes);
   free(before.bytes);
   free(after.bytes);
}

static void
test_copies(void **state)
{
   (void)state;
   const size_t num_copies = sizeof(copies) / sizeof(copies[0]);

   for (size_t i = 0; i < num_copies; i++) {
      struct tg_resource *dst = make_resource(&copies[i].dst);
      struct tg_resource *src =
         copies[i].is_within ? dst : make_resource(&copies[i].src);
      unsigned num_good = 0;

      fill_randomly(dst);
      fill_randomly(src);
      for (unsigned n = 0; n < TURNS / num_copies; n++)
         check_copy(dst, src, &num_good);
      assert_true(num_good > 20);
      if (src != dst)
         tg_resource_destroy(src);
      tg_resource_destroy(dst);
   }
}

/* ---- refusals ------------------------------------------------------------ */

static void
test_refusals(void **state)
{
   (void)state;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_resource *buffer = make_resource(
      &(struct tg_resource_desc){.size = sizeof(struct tg_resource_desc),
                                 .target = TG_TEXTURE_BUFFER,
                                 .width = 64});
   struct tg_resource *one = make_resource(
      &(struct tg_resource_desc)DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 0, 1));
   struct tg_resource *four = make_resource(
      &(struct tg_resource_desc)DESC(TG_TEXTURE_2D, RGBA8, 8, 8, 1, 1, 0, 4));
   struct tg_resource *wide = make_resource(
      &(struct tg_resource_desc)DESC(TG_TEXTURE_2D, RG32, 8, 8, 1, 1, 0, 1));
   const struct tg_box box = {.width = 4, .height = 1, .depth = 1};
   const struct tg_box huge = {
      .x = 4, .width = UINT32_MAX, .height = UINT32_MAX, .depth = UINT32_MAX};

   assert_int_equal(
      resource_copy(one, 0, 0, 0, 0, buffer, 0, &box, diagnostics),
      TG_ERROR_INPUT);
   expect_complaint(diagnostics,
                    "a buffer and a texture are not copied to each other");
   assert_int_equal(resource_copy(one, 0, 0, 0, 0, wide, 0, &box, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "R32G32_UINT has blocks of 8 bytes, "
                                 "R8G8B8A8_UNORM of 4");
   assert_int_equal(resource_copy(one, 0, 0, 0, 0, four, 0, &box, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "4 samples are not copied to 1");
   assert_int_equal(resource_copy(one, 0, 0, 0, 0, one, 0, &huge, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics,
                    "the source has no such box of blocks in level 0");
   assert_int_equal(resource_copy(one, 0, 0, 0, 0, one, 7, &box, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics,
                    "the source has no such box of blocks in level 7");
   assert_int_equal(resource_copy(one, 0, UINT32_MAX, 2, UINT32_MAX, one, 0,
                                  &box, diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint(diagnostics, "level 0 of the target has no room for the "
                                 "box at (4294967295, 2, 4294967295)");
   assert_int_equal(
      resource_copy(one, UINT32_MAX, 0, 0, 0, one, 0, &box, diagnostics),
      TG_ERROR_INPUT);
   expect_complaint(diagnostics, "level 4294967295 of the target has no room "
                                 "for the box at (0, 0, 0)");
   tg_resource_destroy(buffer);
   tg_resource_destroy(one);
   tg_resource_destroy(four);
   tg_resource_destroy(wide);
   tg_diagnostics_destroy(diagnostics);
}

/* ---- fills --------------------------------------------------------------- */

/* Some bits of some texels of each sample. */
static void
check_fill(struct tg_resource *resource)
{
   struct image before = read_level(resource, 0);
   struct resource_pattern pattern = {.num_bytes = before.block_bytes};
   struct resource_blocks blocks = {
      .x = random32() % before.width,
      .y = random32() % before.height,
      .z = random32() % before.depth,
   };

   blocks.width = random32() % (before.width - blocks.x + 1);
   blocks.height = random32() % (before.height - blocks.y + 1);
   blocks.depth = random32() % (before.depth - blocks.z + 1);
   for (uint32_t i = 0; i < before.block_bytes; i++) {
      pattern.mask[i] = random32() % 2 ? 0xff : (uint8_t)random32();
      pattern.value[i] = (uint8_t)(random32() & pattern.mask[i]);
   }
   resource_fill(resource, &blocks, &pattern);

   struct image after = read_level(resource, 0);
   for (uint32_t s = 0; s < after.samples; s++) {
      for (uint32_t z = 0; z < after.depth; z++) {
         for (uint32_t y = 0; y < after.height; y++) {
            for (uint32_t x = 0; x < after.width; x++) {
               const bool is_inside =
                  x >= blocks.x && x < blocks.x + blocks.width &&
                  y >= blocks.y && y < blocks.y + blocks.height &&
                  z >= blocks.z && z < blocks.z + blocks.depth;
               const uint8_t *was = image_block(&before, x, y, z, s);
               const uint8_t *is = image_block(&after, x, y, z, s);

               for (uint32_t i = 0; i < after.block_bytes; i++) {
                  const unsigned mask = is_inside ? pattern.mask[i] : 0;

                  assert_int_equal(is[i] & mask, pattern.value[i] & mask);
                  assert_int_equal(is[i] & (0xff ^ mask),
                                   was[i] & (0xff ^ mask));
               }
            }
         }
      }
   }
   free(before.bytes);
   free(after.bytes);
}

static void
test_fills(void **state)
{
   (void)state;
   static const uint16_t formats[] = {
      TG_FORMAT_R8_UNORM,           TG_FORMAT_R5G6B5_UNORM,
      TG_FORMAT_R8G8B8_UNORM,       TG_FORMAT_Z24_UNORM_S8_UINT,
      TG_FORMAT_R32G32B32_FLOAT,    TG_FORMAT_Z32_FLOAT_S8X24_UINT,
      TG_FORMAT_R32G32B32A32_FLOAT,
   };

   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      struct tg_resource *resource =
         make_resource(&(struct tg_resource_desc)DESC(
            TG_TEXTURE_2D_ARRAY, formats[i], 11, 5, 1, 3, 0, 2));

      fill_randomly(resource);
      for (unsigned n = 0; n < 50; n++)
         check_fill(resource);
      tg_resource_destroy(resource);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_fills),
   };

   return cmocka_run_group_tests_name("resource: copy", tests, NULL, NULL);
}
