/* SPDX-License-Identifier: MIT
 *
 * View and sampler objects: made once, shared, and kept by what they are bound
 * to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../desc.h"
#include "../sweep.h"
#include "complaint.h"
#include "resource/bindings.h"

static const struct tg_resource_desc texture_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, 1, 0, 1);
static const struct tg_resource_desc blocks_desc =
   DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 8, 8, 1, 1, 0, 1);

static struct tg_view *
make_view(struct tg_resource *resource)
{
   const struct tg_view_desc all = tg_view_desc_of(resource);
   struct tg_view *view;

   assert_int_equal(tg_view_create(NULL, &all, NULL, &view), TG_OK);
   return view;
}

static struct tg_bindings *
make_bindings(void)
{
   struct tg_bindings *bindings;

   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   return bindings;
}

/* The caller keeps neither the resource nor the view. */
static void
bindings_keep_views(void **state)
{
   struct tg_bindings *bindings = make_bindings();
   struct tg_resource *resource = make_resource(&texture_desc);
   struct tg_view *view = make_view(resource);
   const uint32_t *texels = resource->written.data;
   (void)state;

   tg_resource_destroy(resource);
   assert_int_equal(tg_bindings_set_view(bindings, 0, view, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_view(bindings, 127, view, NULL), TG_OK);
   tg_view_destroy(view);
   assert_int_equal(tg_bindings_set_view(bindings, 0, NULL, NULL), TG_OK);
   struct exec_wave wave;
   resource_bind_wave(bindings, &wave);
   assert_ptr_equal(wave.memory[LIR_SPACE_TEXTURE][127].data, texels);
   assert_int_equal(texels[63], 0);
   tg_bindings_destroy(bindings);
}

static void
objects_are_counted(void **state)
{
   struct tg_resource *resource = make_resource(&texture_desc);
   struct tg_view *view = make_view(resource);
   struct tg_sampler *sampler;
   (void)state;

   assert_int_equal(tg_sampler_create(NULL, NULL, NULL, &sampler), TG_OK);
   assert_ptr_equal(tg_view_ref(view), view);
   assert_ptr_equal(tg_sampler_ref(sampler), sampler);
   tg_view_destroy(view);
   tg_sampler_destroy(sampler);
   assert_ptr_equal(view->resource, resource);
   assert_int_equal(sampler->key.is_bound, 1);
   tg_view_destroy(view);
   tg_sampler_destroy(sampler);
   tg_resource_destroy(resource);
   assert_null(tg_view_ref(NULL));
   assert_null(tg_sampler_ref(NULL));
   tg_view_destroy(NULL);
   tg_sampler_destroy(NULL);
}

/* NULL stands for what TG_SAMPLER_DESC_INIT says. */
static void
samplers_have_defaults(void **state)
{
   const struct tg_sampler_desc desc = TG_SAMPLER_DESC_INIT;
   struct tg_sampler *usual, *same;
   (void)state;

   assert_int_equal(tg_sampler_create(NULL, NULL, NULL, &usual), TG_OK);
   assert_int_equal(tg_sampler_create(NULL, &desc, NULL, &same), TG_OK);
   assert_memory_equal(&usual->key, &same->key, sizeof(same->key));
   assert_memory_equal(usual->words, same->words, sizeof(same->words));
   assert_int_equal(usual->key.mip_filter, TG_MIP_NONE);
   tg_sampler_destroy(same);
   tg_sampler_destroy(usual);
}

static void
what_is_not_there_is_refused(void **state)
{
   struct tg_diagnostics *said = tg_diagnostics_create(NULL);
   struct tg_bindings *bindings = make_bindings();
   const struct tg_view_desc nothing = {0};
   const struct tg_image no_image = {0};
   const struct tg_sampler_desc unsized = {0};
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;
   (void)state;

   assert_int_equal(tg_view_create(NULL, &nothing, said, &view),
                    TG_ERROR_INPUT);
   expect_complaint(said, "view: it has no resource");
   assert_null(view);
   assert_int_equal(tg_bindings_set_image(bindings, 2, &no_image, said),
                    TG_ERROR_INPUT);
   expect_complaint(said, "image 2: it has no resource");
   assert_int_equal(tg_sampler_create(NULL, &unsized, NULL, &sampler),
                    TG_ERROR_INPUT);
   assert_null(sampler);
   tg_bindings_destroy(bindings);
   tg_diagnostics_destroy(said);
}

/* A compressed texture, whose view has texels decoded. */
static enum tg_result
make_objects(const struct tg_allocator *allocator)
{
   struct tg_resource *resource = NULL;
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;
   enum tg_result result =
      tg_resource_create(allocator, &blocks_desc, NULL, &resource);

   if (result == TG_OK) {
      const struct tg_view_desc all = tg_view_desc_of(resource);
      result = tg_view_create(allocator, &all, NULL, &view);
   }
   if (result == TG_OK)
      result = tg_sampler_create(allocator, NULL, NULL, &sampler);
   tg_resource_destroy(resource);
   tg_view_destroy(view);
   tg_sampler_destroy(sampler);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(make_objects);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(bindings_keep_views),
      cmocka_unit_test(objects_are_counted),
      cmocka_unit_test(samplers_have_defaults),
      cmocka_unit_test(what_is_not_there_is_refused),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
