/* SPDX-License-Identifier: MIT
 *
 * Pixels of one colour: whoever reads or writes samples finds in all of them
 * what the first holds where the plane says so, and nowhere else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "resource/bindings.h"
#include "resource/resource.h"

enum { WIDTH = 5, HEIGHT = 3, LAYERS = 2, SAMPLES = 4 };

static struct tg_resource *
create(void)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D_ARRAY,
      .format = TG_FORMAT_R32_UINT,
      .width = WIDTH,
      .height = HEIGHT,
      .layers = LAYERS,
      .samples = SAMPLES,
   };
   struct tg_resource *resource;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   return resource;
}

static uint32_t
number(uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
   return 1 + sample + SAMPLES * (x + WIDTH * (y + HEIGHT * z));
}

static void
fill_with_numbers(struct tg_resource *resource)
{
   for (uint32_t i = 0; i < WIDTH * HEIGHT * LAYERS * SAMPLES; i++) {
      const uint32_t sample = i % SAMPLES, x = i / SAMPLES % WIDTH;
      const uint32_t y = i / SAMPLES / WIDTH % HEIGHT;
      const uint32_t z = i / SAMPLES / WIDTH / HEIGHT;
      const uint32_t value = number(x, y, z, sample);
      const struct tg_box box = {x, y, z, 1, 1, 1};

      assert_int_equal(
         tg_resource_write(resource, 0, sample, &box, &value, 0, 0), TG_OK);
   }
}

/* Every third pixel is of one colour. */
static bool
is_marked(uint32_t x, uint32_t y, uint32_t z)
{
   return (x + WIDTH * (y + HEIGHT * z)) % 3 == 0;
}

/* Its byte: a slice is two microtiles of 16, the pixels of each in Morton
 * order. */
static uint32_t
pixel_number(uint32_t x, uint32_t y, uint32_t z)
{
   static const uint32_t column[WIDTH] = {0, 1, 4, 5, 16};
   static const uint32_t row[HEIGHT] = {0, 2, 8};

   return z * 32 + row[y] + column[x];
}

static void
mark(struct tg_resource *resource)
{
   uint8_t *plane = resource_keep_one_color(resource);

   assert_non_null(plane);
   for (uint32_t z = 0; z < LAYERS; z++) {
      for (uint32_t y = 0; y < HEIGHT; y++) {
         for (uint32_t x = 0; x < WIDTH; x++)
            plane[pixel_number(x, y, z)] = is_marked(x, y, z);
      }
   }
}

static uint32_t
read_sample(const struct tg_resource *resource, uint32_t x, uint32_t y,
            uint32_t z, uint32_t sample)
{
   const struct tg_box box = {x, y, z, 1, 1, 1};
   uint32_t value = 0;

   assert_int_equal(tg_resource_read(resource, 0, sample, &box, &value, 0, 0),
                    TG_OK);
   return value;
}

static void
expect_settled(const struct tg_resource *resource)
{
   for (uint32_t i = 0; i < WIDTH * HEIGHT * LAYERS * SAMPLES; i++) {
      const uint32_t sample = i % SAMPLES, x = i / SAMPLES % WIDTH;
      const uint32_t y = i / SAMPLES / WIDTH % HEIGHT;
      const uint32_t z = i / SAMPLES / WIDTH / HEIGHT;

      assert_int_equal(read_sample(resource, x, y, z, sample),
                       number(x, y, z, is_marked(x, y, z) ? 0 : sample));
   }
}

static void
reads_find_all_samples(void **test)
{
   struct tg_resource *resource = create();
   (void)test;

   fill_with_numbers(resource);
   mark(resource);
   expect_settled(resource);
   tg_resource_destroy(resource);
}

static void
what_is_bound_is_settled(void **test)
{
   struct tg_resource *resource = create();
   struct tg_bindings *bindings;
   (void)test;

   fill_with_numbers(resource);
   mark(resource);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   const struct tg_image image = tg_image_of(resource);
   assert_int_equal(tg_bindings_set_image(bindings, 1, &image, NULL), TG_OK);
   assert_int_equal(bindings->num_compressible, 1);
   resource_settle_bindings(bindings);
   const uint32_t *last = resource_texel(resource, 0, 3, 0, 0, 0);
   assert_int_equal(*last, number(0, 0, 0, 0));
   assert_false(resource->may_be_one_color);
   assert_int_equal(tg_bindings_set_image(bindings, 1, NULL, NULL), TG_OK);
   assert_int_equal(bindings->num_compressible, 0);
   expect_settled(resource);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

/* A write to one sample leaves the others what they were by the plane. */
static void
writes_keep_other_samples(void **test)
{
   const struct tg_box box = {0, 0, 0, 1, 1, 1};
   const uint32_t value = 99;
   struct tg_resource *resource = create();
   (void)test;

   fill_with_numbers(resource);
   mark(resource);
   assert_int_equal(tg_resource_write(resource, 0, 0, &box, &value, 0, 0),
                    TG_OK);
   assert_int_equal(read_sample(resource, 0, 0, 0, 0), 99);
   assert_int_equal(read_sample(resource, 0, 0, 0, 1), number(0, 0, 0, 0));
   tg_resource_destroy(resource);
}

/* Whole texels are stored once, parts of texels in all samples. */
static void
fills_mark_pixels(void **test)
{
   const struct resource_blocks blocks = {
      .x = 1, .width = 2, .height = HEIGHT, .depth = LAYERS};
   const uint32_t value = 0x5a5a0000;
   struct tg_resource *resource = create();
   struct resource_pattern pattern =
      resource_fill_pattern(&value, sizeof(value));
   (void)test;

   fill_with_numbers(resource);
   mark(resource);
   resource_fill(resource, &blocks, &pattern);
   assert_int_equal(resource->one_color[1], 1);
   const uint32_t *second = resource_texel(resource, 0, 1, 1, 0, 0);
   assert_int_equal(*second, number(1, 0, 0, 1));
   assert_int_equal(read_sample(resource, 1, 0, 0, 3), value);

   mark(resource);
   memset(pattern.mask, 0, 2);
   resource_fill(resource, &blocks, &pattern);
   assert_int_equal(resource->one_color[1], 0);
   assert_int_equal(read_sample(resource, 3, 2, 1, 2),
                    number(3, 2, 1, is_marked(3, 2, 1) ? 0 : 2));
   tg_resource_destroy(resource);
}

/* All columns are more than what a box has to have of the last microtile; other
 * slices and columns stay. */
static void
fills_mark_microtiles(void **test)
{
   const struct resource_blocks blocks[] = {
      {.z = 1, .width = WIDTH, .height = HEIGHT, .depth = 1},
      {.x = 4, .width = 1, .height = HEIGHT, .depth = 1},
      {.y = 1, .width = WIDTH, .height = HEIGHT - 1, .depth = 1},
      {.x = 1, .width = WIDTH - 1, .height = HEIGHT, .depth = 1}};
   const uint32_t value = 7;
   const struct resource_pattern pattern =
      resource_fill_pattern(&value, sizeof(value));
   (void)test;

   for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
      struct tg_resource *resource = create();

      fill_with_numbers(resource);
      const uint8_t *plane = resource_keep_one_color(resource);
      resource_fill(resource, &blocks[i], &pattern);
      for (uint32_t k = 0; k < WIDTH * HEIGHT * LAYERS; k++) {
         const uint32_t x = k % WIDTH, y = k / WIDTH % HEIGHT;
         const uint32_t z = k / WIDTH / HEIGHT;
         const bool is_filled =
            z == blocks[i].z && x >= blocks[i].x && y >= blocks[i].y;

         assert_int_equal(plane[pixel_number(x, y, z)], is_filled);
         assert_int_equal(read_sample(resource, x, y, z, 2),
                          is_filled ? value : number(x, y, z, 2));
      }
      tg_resource_destroy(resource);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_find_all_samples),
      cmocka_unit_test(what_is_bound_is_settled),
      cmocka_unit_test(writes_keep_other_samples),
      cmocka_unit_test(fills_mark_pixels),
      cmocka_unit_test(fills_mark_microtiles),
   };
   return cmocka_run_group_tests_name("resource: samples", tests, NULL, NULL);
}
