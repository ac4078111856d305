/* SPDX-License-Identifier: MIT
 *
 * Fast clears that are pending: all readers and writers of a depth buffer find
 * them stored, in all samples and in granules that the texture has a part of,
 * and nothing else changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "resource/bindings.h"
#include "resource/resource.h"

/* Two tiles by two, of which the right and lower ones have 6 and 9 pixels. */
enum { WIDTH = 70, HEIGHT = 73, BEFORE = 0x11111111, CLEARED = 0x22222222 };

static struct tg_resource *
create_of(enum tg_texture_target target, uint32_t layers, uint32_t last_level,
          uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = TG_FORMAT_Z32_FLOAT,
      .width = WIDTH,
      .height = HEIGHT,
      .layers = layers,
      .last_level = last_level,
      .samples = samples,
   };
   struct tg_resource *resource;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   return resource;
}

/* Granules of a tile that are pending in these tests: the first, and the last
 * of the first row; those of the upper left tile alone, or of all. */
enum { PENDING = 1 << 0 | 1 << 3 };

static bool
is_pending(uint32_t x, uint32_t y)
{
   return y % 64 < 16 && (x % 64 < 16 || x % 64 >= 48);
}

static void
make_pending(struct tg_resource *resource)
{
   uint8_t texel[RESOURCE_CLEAR_TEXEL] = {0};

   memset(texel, CLEARED & 0xff, sizeof(uint32_t));
   resource_keep_clears(resource);
   for (uint32_t y = 0; y < HEIGHT; y += 64) {
      for (uint32_t x = 0; x < WIDTH; x += 64) {
         struct resource_clear *clear = resource_find_clear(resource, x, y);

         assert_non_null(clear);
         resource_put_clear(resource, clear, PENDING, texel);
      }
   }
}

static struct tg_resource *
create(uint32_t samples)
{
   const uint32_t texel = BEFORE;
   const struct resource_pattern before =
      resource_fill_pattern(&texel, sizeof(texel));
   const struct resource_blocks all = {
      .width = WIDTH, .height = HEIGHT, .depth = 1};
   struct tg_resource *resource = create_of(TG_TEXTURE_2D, 1, 0, samples);

   resource_fill(resource, &all, &before);
   make_pending(resource);
   return resource;
}

/* What is in memory, but for texels that were written since, in the box. */
static void
expect_stored(const struct tg_resource *resource,
              const struct tg_box *written_or_null)
{
   const struct tg_box none = {0};
   const struct tg_box *box = written_or_null ? written_or_null : &none;

   for (uint32_t i = 0; i < WIDTH * HEIGHT * resource->desc.samples; i++) {
      const uint32_t x = i % WIDTH, y = i / WIDTH % HEIGHT;
      const uint32_t *texel =
         resource_texel(resource, 0, i / (WIDTH * HEIGHT), x, y, 0);

      if (x >= box->x && x < box->x + box->width && y >= box->y &&
          y < box->y + box->height)
         continue;
      assert_int_equal(*texel, is_pending(x, y) ? CLEARED : BEFORE);
   }
}

static const struct tg_box one = {3, 5, 0, 1, 1, 1};

static void
reads_find_clears(void **test)
{
   (void)test;

   for (uint32_t samples = 1; samples <= 4; samples += 3) {
      struct tg_resource *resource = create(samples);
      uint32_t value = 0;

      assert_int_equal(
         tg_resource_read(resource, 0, samples - 1, &one, &value, 0, 0), TG_OK);
      assert_int_equal(value, CLEARED);
      expect_stored(resource, NULL);
      assert_true(resource->keeps_clears);
      assert_false(resource->clears->is_pending);
      assert_int_equal(resource_find_clear(resource, 69, 72)->pending, 0);
      tg_resource_destroy(resource);
   }
}

static void
writes_are_over_clears(void **test)
{
   struct tg_resource *resource = create(1);
   const uint32_t value = 7;
   (void)test;

   assert_int_equal(tg_resource_write(resource, 0, 0, &one, &value, 0, 0),
                    TG_OK);
   expect_stored(resource, &one);
   assert_int_equal(*(uint32_t *)resource_texel(resource, 0, 0, 3, 5, 0), 7);
   tg_resource_destroy(resource);
}

static void
fills_are_over_clears(void **test)
{
   struct tg_resource *resource = create(1);
   const uint32_t value = 7;
   const struct resource_pattern pattern =
      resource_fill_pattern(&value, sizeof(value));
   const struct resource_blocks blocks = {
      .x = 3, .y = 5, .width = 1, .height = 1, .depth = 1};
   (void)test;

   resource_fill(resource, &blocks, &pattern);
   expect_stored(resource, &one);
   assert_int_equal(*(uint32_t *)resource_texel(resource, 0, 0, 3, 5, 0), 7);
   tg_resource_destroy(resource);
}

static void
copies_find_clears(void **test)
{
   struct tg_resource *from = create(1), *to = create(1);
   const struct tg_box box = {64, 0, 0, 1, 1, 1};
   (void)test;

   assert_int_equal(resource_copy(to, 0, 20, 20, 0, from, 0, &box, NULL),
                    TG_OK);
   expect_stored(from, NULL);
   expect_stored(to, &(struct tg_box){20, 20, 0, 1, 1, 1});
   assert_int_equal(*(uint32_t *)resource_texel(to, 0, 0, 20, 20, 0), CLEARED);
   tg_resource_destroy(from);
   tg_resource_destroy(to);
}

/* From then on none is kept. */
static void
what_is_bound_keeps_none(void **test)
{
   struct tg_resource *resource = create(1);
   const struct tg_view_desc desc = tg_view_desc_of(resource);
   struct tg_bindings *bindings;
   struct tg_view *view;
   (void)test;

   assert_int_equal(tg_view_create(NULL, &desc, NULL, &view), TG_OK);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   assert_int_equal(tg_bindings_set_view(bindings, 2, view, NULL), TG_OK);
   assert_int_equal(bindings->num_compressible, 1);
   resource_settle_bindings(bindings);
   expect_stored(resource, NULL);
   assert_null(resource_find_clear(resource, 0, 0));
   resource_keep_clears(resource);
   assert_null(resource_find_clear(resource, 0, 0));
   tg_view_destroy(view);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(resource);
}

static void
what_is_checked_keeps_none(void **test)
{
   struct tg_resource *resource = create(1);
   (void)test;

   assert_int_equal(tg_resource_set_undefined(resource), TG_OK);
   expect_stored(resource, NULL);
   resource_keep_clears(resource);
   assert_null(resource_find_clear(resource, 0, 0));
   tg_resource_destroy(resource);
}

static void
expect_none_kept(struct tg_resource *resource)
{
   resource_keep_clears(resource);
   assert_false(resource->keeps_clears);
   tg_resource_destroy(resource);
}

static void
memory_is_the_callers(void **test)
{
   static uint32_t texels[WIDTH * HEIGHT];
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_Z32_FLOAT,
      .width = WIDTH,
      .height = HEIGHT,
   };
   const struct tg_resource_memory memory = {
      .size = sizeof(memory),
      .address = texels,
      .num_bytes = sizeof(texels),
   };
   struct tg_resource *resource;
   (void)test;

   assert_int_equal(
      tg_resource_create_from_memory(NULL, &desc, &memory, NULL, &resource),
      TG_OK);
   expect_none_kept(resource);
}

static void
only_one_image_keeps_clears(void **test)
{
   (void)test;

   expect_none_kept(create_of(TG_TEXTURE_2D_ARRAY, 2, 0, 1));
   expect_none_kept(create_of(TG_TEXTURE_2D, 1, 1, 1));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_find_clears),
      cmocka_unit_test(writes_are_over_clears),
      cmocka_unit_test(fills_are_over_clears),
      cmocka_unit_test(copies_find_clears),
      cmocka_unit_test(what_is_bound_keeps_none),
      cmocka_unit_test(what_is_checked_keeps_none),
      cmocka_unit_test(memory_is_the_callers),
      cmocka_unit_test(only_one_image_keeps_clears),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
