/* SPDX-License-Identifier: MIT
 *
 * State objects: what is bound at first, what is refused, and what many
 * contexts and threads do with the same ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "gpu/context/context.h"
#include "tungsten/gpu.h"
#include "util/quota.h"

enum { NUM_THREADS = 3, NUM_ROUNDS = 20000 };

/* One object of each kind, of a device of its own. */
struct world {
   struct tg_quota memory;
   struct tg_device *device;
   struct tg_context *context;
   struct tg_blend *blend;
   struct tg_rasterizer *rasterizer;
   struct tg_depth_stencil_alpha *tests;
   struct tg_vertex_elements *elements;
   struct tg_diagnostics *said;
};

static void
begin(struct world *world)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   *world = (struct world){.said = tg_diagnostics_create(NULL)};
   tg_quota_init(&world->memory, NULL, UINT64_MAX);
   options.num_threads = 1;
   assert_int_equal(
      tg_device_create(&world->memory.allocator, &options, &world->device),
      TG_OK);
   struct tg_device *device = world->device;
   assert_int_equal(tg_context_create(device, NULL, &world->context), TG_OK);
   assert_int_equal(tg_blend_create(device, NULL, NULL, &world->blend), TG_OK);
   assert_int_equal(
      tg_rasterizer_create(device, NULL, NULL, &world->rasterizer), TG_OK);
   assert_int_equal(
      tg_depth_stencil_alpha_create(device, NULL, NULL, &world->tests), TG_OK);
   assert_int_equal(
      tg_vertex_elements_create(device, 0, NULL, NULL, &world->elements),
      TG_OK);
}

/* Nothing is left. */
static void
end(struct world *world)
{
   tg_context_destroy(world->context);
   tg_device_destroy(world->device);
   tg_blend_destroy(world->blend);
   tg_rasterizer_destroy(world->rasterizer);
   tg_depth_stencil_alpha_destroy(world->tests);
   tg_vertex_elements_destroy(world->elements);
   assert_int_equal(atomic_load(&world->memory.held), 0);
   tg_diagnostics_destroy(world->said);
}

static enum tg_result
bind_all(struct tg_context *context, const struct world *from,
         struct tg_diagnostics *said)
{
   enum tg_result result = tg_context_bind_blend(context, from->blend, said);

   if (result == TG_OK)
      result = tg_context_bind_rasterizer(context, from->rasterizer, said);
   if (result == TG_OK)
      result = tg_context_bind_depth_stencil_alpha(context, from->tests, said);
   if (result == TG_OK)
      result = tg_context_bind_vertex_elements(context, from->elements, said);
   return result;
}

/* All but how often it is used, and of which device it is. */
static void
expect_same(const void *a, const void *b, size_t size)
{
   const size_t head = sizeof(struct gpu_object);

   assert_memory_equal((const char *)a + head, (const char *)b + head,
                       size - head);
}

/* The constants have what creation works out of the defaults. */
static void
defaults_are_as_if_created(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   expect_same(world.blend, &gpu_default_blend, sizeof(gpu_default_blend));
   expect_same(world.rasterizer, &gpu_default_rasterizer,
               sizeof(gpu_default_rasterizer));
   expect_same(world.tests, &gpu_default_depth_stencil_alpha,
               sizeof(gpu_default_depth_stencil_alpha));
   expect_same(world.elements, &gpu_default_vertex_elements,
               sizeof(gpu_default_vertex_elements));
   end(&world);
}

/* NULL binds the constants again, and lets go of what was bound. */
static void
null_binds_the_defaults(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   const struct gpu_state *now = &world.context->state;
   assert_int_equal(bind_all(world.context, &world, NULL), TG_OK);
   assert_ptr_equal(now->blend, world.blend);
   assert_ptr_equal(now->rasterizer, world.rasterizer);
   assert_ptr_equal(now->depth_stencil_alpha, world.tests);
   assert_ptr_equal(now->vertex_elements, world.elements);
   assert_false(tg_refcount_is_one(&world.blend->object.refs));
   assert_int_equal(bind_all(world.context, &(struct world){0}, NULL), TG_OK);
   assert_ptr_equal(now->blend, &gpu_default_blend);
   assert_ptr_equal(now->rasterizer, &gpu_default_rasterizer);
   assert_ptr_equal(now->depth_stencil_alpha, &gpu_default_depth_stencil_alpha);
   assert_ptr_equal(now->vertex_elements, &gpu_default_vertex_elements);
   assert_true(tg_refcount_is_one(&world.blend->object.refs));
   assert_true(tg_refcount_is_one(&world.rasterizer->object.refs));
   assert_true(tg_refcount_is_one(&world.tests->object.refs));
   assert_true(tg_refcount_is_one(&world.elements->object.refs));
   end(&world);
}

/* What is bound already may be bound again by its only owner. */
static void
binding_twice_is_good(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   assert_int_equal(tg_context_bind_blend(world.context, world.blend, NULL),
                    TG_OK);
   tg_blend_destroy(world.blend);
   assert_int_equal(tg_context_bind_blend(world.context, world.blend, NULL),
                    TG_OK);
   assert_true(tg_refcount_is_one(&world.blend->object.refs));
   world.blend = NULL;
   end(&world);
}

/* ---- refusals ------------------------------------------------------------ */

static void
expect_refusal(struct world *world, enum tg_result result, const char *message)
{
   assert_int_equal(result, TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_count(world->said), 1);
   assert_string_equal(tg_diagnostics_get(world->said, 0)->message, message);
   tg_diagnostics_clear(world->said);
}

static void
foreign_objects_are_refused(void **state)
{
   struct world ours, theirs;
   (void)state;

   begin(&ours);
   begin(&theirs);
   struct tg_context *context = ours.context;
   assert_int_equal(bind_all(context, &ours, NULL), TG_OK);
   expect_refusal(&ours,
                  tg_context_bind_blend(context, theirs.blend, ours.said),
                  "a blend object of another device cannot be bound");
   expect_refusal(
      &ours, tg_context_bind_rasterizer(context, theirs.rasterizer, ours.said),
      "a rasterizer object of another device cannot be bound");
   expect_refusal(
      &ours,
      tg_context_bind_depth_stencil_alpha(context, theirs.tests, ours.said),
      "a depth-stencil-alpha object of another device cannot be bound");
   expect_refusal(
      &ours,
      tg_context_bind_vertex_elements(context, theirs.elements, ours.said),
      "a vertex elements object of another device cannot be bound");
   assert_ptr_equal(context->state.blend, ours.blend);
   assert_ptr_equal(context->state.rasterizer, ours.rasterizer);
   assert_ptr_equal(context->state.depth_stencil_alpha, ours.tests);
   assert_ptr_equal(context->state.vertex_elements, ours.elements);
   assert_true(tg_refcount_is_one(&theirs.blend->object.refs));
   end(&theirs);
   end(&ours);
}

static void
foreign_shaders_are_refused(void **state)
{
   static const char text[] = "VERT\nEND\n";
   struct tg_gpu_shader *shader;
   struct tg_shader *source;
   struct world ours, theirs;
   (void)state;

   begin(&ours);
   begin(&theirs);
   assert_int_equal(tg_shader_parse(NULL, "theirs", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &source),
                    TG_OK);
   assert_int_equal(
      tg_gpu_shader_create(theirs.device, source, NULL, NULL, &shader), TG_OK);
   expect_refusal(
      &ours,
      tg_context_set_shader(ours.context, TG_GPU_VERTEX, shader, ours.said),
      "theirs is a shader of another device");
   assert_null(ours.context->state.shader[TG_GPU_VERTEX]);
   tg_shader_destroy(source);
   tg_gpu_shader_destroy(shader);
   end(&theirs);
   end(&ours);
}

static void
elements_without_an_array_are_refused(void **state)
{
   struct tg_vertex_elements *made = NULL;
   struct world world;
   (void)state;

   begin(&world);
   expect_refusal(
      &world,
      tg_vertex_elements_create(world.device, 1, NULL, world.said, &made),
      "1 vertex elements are wanted, and none are given");
   assert_null(made);
   end(&world);
}

/* ---- threads ------------------------------------------------------------- */

static void *
bind_many_times(void *user)
{
   const struct world *shared = user;
   struct tg_context *context;
   enum tg_result result = tg_context_create(shared->device, NULL, &context);

   if (result != TG_OK)
      return user;
   for (unsigned i = 0; i < NUM_ROUNDS && result == TG_OK; i++)
      result = bind_all(context, i % 2 ? &(struct world){0} : shared, NULL);
   tg_context_destroy(context);
   return result == TG_OK ? NULL : user;
}

static void
threads_share_objects(void **state)
{
   pthread_t threads[NUM_THREADS];
   struct world world;
   (void)state;

   begin(&world);
   for (unsigned i = 0; i < NUM_THREADS; i++)
      assert_int_equal(
         pthread_create(&threads[i], NULL, bind_many_times, &world), 0);
   for (unsigned i = 0; i < NUM_THREADS; i++) {
      void *failed = &world;
      assert_int_equal(pthread_join(threads[i], &failed), 0);
      assert_null(failed);
   }
   assert_true(tg_refcount_is_one(&world.blend->object.refs));
   assert_true(tg_refcount_is_one(&world.rasterizer->object.refs));
   assert_true(tg_refcount_is_one(&world.tests->object.refs));
   assert_true(tg_refcount_is_one(&world.elements->object.refs));
   end(&world);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_as_if_created),
      cmocka_unit_test(null_binds_the_defaults),
      cmocka_unit_test(binding_twice_is_good),
      cmocka_unit_test(foreign_objects_are_refused),
      cmocka_unit_test(foreign_shaders_are_refused),
      cmocka_unit_test(elements_without_an_array_are_refused),
      cmocka_unit_test(threads_share_objects),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
