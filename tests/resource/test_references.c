/* SPDX-License-Identifier: MIT
 *
 * References: who keeps a resource, and that it goes with the last of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../bind.h"
#include "resource/bindings.h"
#include "util/quota.h"

/* All memory of a test, so that what is gone can be seen. */
static struct tg_quota memory;

static int
set_up(void **state)
{
   (void)state;
   tg_quota_init(&memory, NULL, UINT64_MAX);
   return 0;
}

static uint64_t
held(void)
{
   return atomic_load(&memory.held);
}

static struct tg_resource *
make(uint32_t target, uint32_t format)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = format,
      .width = 64,
      .height = format ? 64 : 0,
      .samples = target == TG_TEXTURE_2D_ARRAY ? 4 : 0,
      .layers = target == TG_TEXTURE_2D_ARRAY ? 2 : 0,
   };
   struct tg_resource *resource;

   assert_int_equal(
      tg_resource_create(&memory.allocator, &desc, NULL, &resource), TG_OK);
   return resource;
}

static struct tg_bindings *
make_bindings(void)
{
   struct tg_bindings *bindings;

   assert_int_equal(tg_bindings_create(&memory.allocator, &bindings), TG_OK);
   return bindings;
}

static void
goes_with_the_last_reference(void **state)
{
   struct tg_resource *resource = make(TG_TEXTURE_BUFFER, TG_FORMAT_NONE);
   (void)state;

   assert_ptr_equal(tg_resource_ref(resource), resource);
   assert_ptr_equal(tg_resource_ref(resource), resource);
   tg_resource_destroy(resource);
   tg_resource_destroy(resource);
   assert_int_equal(tg_resource_get_desc(resource)->width, 64);
   tg_resource_destroy(resource);
   assert_int_equal(held(), 0);

   struct tg_bindings *bindings = make_bindings();
   assert_ptr_equal(tg_bindings_ref(bindings), bindings);
   tg_bindings_destroy(bindings);
   assert_int_not_equal(held(), 0);
   tg_bindings_destroy(bindings);
   assert_int_equal(held(), 0);
}

static void
nothing_is_no_object(void **state)
{
   (void)state;
   assert_null(tg_resource_ref(NULL));
   assert_null(tg_bindings_ref(NULL));
   tg_resource_destroy(NULL);
   tg_bindings_destroy(NULL);
}

/* Binds a resource, or NULL, in one kind of place. */
typedef enum tg_result
bind_function(struct tg_bindings *bindings, struct tg_resource *resource);

static enum tg_result
bind_texture(struct tg_bindings *bindings, struct tg_resource *resource)
{
   if (!resource)
      return tg_bindings_set_view(bindings, 127, NULL, NULL);
   const struct tg_view_desc all = tg_view_desc_of(resource);
   return bind_view(bindings, 127, &all, NULL);
}

static enum tg_result
bind_image(struct tg_bindings *bindings, struct tg_resource *resource)
{
   const struct tg_image image =
      resource ? tg_image_of(resource) : (struct tg_image){0};

   return tg_bindings_set_image(bindings, 63, resource ? &image : NULL, NULL);
}

static enum tg_result
bind_color(struct tg_bindings *bindings, struct tg_resource *resource)
{
   const struct tg_image image =
      resource ? tg_image_of(resource) : (struct tg_image){0};

   return tg_bindings_set_color(bindings, 7, resource ? &image : NULL, NULL);
}

static enum tg_result
bind_constants(struct tg_bindings *bindings, struct tg_resource *resource)
{
   return tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 31, resource, 0,
                                 64, NULL);
}

static enum tg_result
bind_global(struct tg_bindings *bindings, struct tg_resource *resource)
{
   return tg_bindings_set_buffer(bindings, TG_BUFFER_GLOBAL, 0, resource, 0, 64,
                                 NULL);
}

static const struct {
   bind_function *bind;
   uint32_t target, format;
} kinds[] = {
   {bind_texture, TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM},
   {bind_texture, TG_TEXTURE_2D_ARRAY, TG_FORMAT_R8G8B8A8_UNORM},
   {bind_texture, TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB},
   {bind_image, TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT},
   {bind_image, TG_TEXTURE_BUFFER, TG_FORMAT_NONE},
   {bind_color, TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT},
   {bind_constants, TG_TEXTURE_BUFFER, TG_FORMAT_NONE},
   {bind_global, TG_TEXTURE_BUFFER, TG_FORMAT_NONE},
};

enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Another resource, nothing, and the end of the bindings let go of one. */
static void
what_is_bound_stays(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_KINDS; i++) {
      struct tg_bindings *bindings = make_bindings();
      const uint64_t empty = held();
      struct tg_resource *first = make(kinds[i].target, kinds[i].format);
      struct tg_resource *second = make(kinds[i].target, kinds[i].format);

      assert_int_equal(kinds[i].bind(bindings, first), TG_OK);
      const uint64_t both = held();
      tg_resource_destroy(first);
      assert_int_equal(held(), both);
      assert_int_equal(kinds[i].bind(bindings, first), TG_OK);
      assert_int_equal(kinds[i].bind(bindings, second), TG_OK);
      assert_true(held() < both);
      tg_resource_destroy(second);
      assert_int_equal(kinds[i].bind(bindings, NULL), TG_OK);
      assert_int_equal(held(), empty);

      first = make(kinds[i].target, kinds[i].format);
      assert_int_equal(kinds[i].bind(bindings, first), TG_OK);
      tg_resource_destroy(first);
      tg_bindings_destroy(bindings);
      assert_int_equal(held(), 0);
   }
}

/* A place that is refused keeps what it has. */
static void
refusals_keep_what_is_bound(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *buffer = make(TG_TEXTURE_BUFFER, TG_FORMAT_NONE);
   struct tg_resource *texture = make(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM);
   (void)state;

   assert_int_equal(bind_constants(bindings, buffer), TG_OK);
   tg_resource_destroy(buffer);
   const uint64_t before = held();
   assert_int_equal(bind_constants(bindings, texture), TG_ERROR_INPUT);
   assert_int_equal(held(), before);
   tg_resource_destroy(texture);
   assert_true(held() < before);
   tg_bindings_destroy(bindings);
   assert_int_equal(held(), 0);
}

static void
copies_hold_their_own(void **state)
{
   struct tg_bindings *from = make_bindings(), *to = make_bindings();
   (void)state;

   for (unsigned i = 0; i < NUM_KINDS; i++) {
      struct tg_resource *resource = make(kinds[i].target, kinds[i].format);

      assert_int_equal(kinds[i].bind(from, resource), TG_OK);
      tg_resource_destroy(resource);
   }
   resource_copy_bindings(to, from);
   resource_copy_bindings(to, from);
   tg_bindings_destroy(from);
   assert_int_equal(to->keys.images[63].format, TG_FORMAT_R32_UINT);
   for (unsigned i = 0; i < NUM_KINDS; i++)
      assert_int_equal(kinds[i].bind(to, NULL), TG_OK);
   tg_bindings_destroy(to);
   assert_int_equal(held(), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(goes_with_the_last_reference, set_up),
      cmocka_unit_test_setup(nothing_is_no_object, set_up),
      cmocka_unit_test_setup(what_is_bound_stays, set_up),
      cmocka_unit_test_setup(refusals_keep_what_is_bound, set_up),
      cmocka_unit_test_setup(copies_hold_their_own, set_up),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
