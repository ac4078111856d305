/* SPDX-License-Identifier: MIT
 *
 * Objects that are destroyed while they are set, bound and drawn with, in any
 * order: what was drawn is there, and nothing else is left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../bind.h"
#include "../context.h"
#include "resource/resource.h"
#include "tungsten/gpu.h"
#include "util/quota.h"

enum { SIZE = 150, NUM_ORDERS = 60 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

/* A few hundred turns, so that it is not done when objects go. */
static const char fragment_text[] =
   "FRAG\n"
   "DCL IN[0], POSITION\n" /* each pixel runs by itself */
   "DCL OUT[0], COLOR\n"
   "DCL SAMP[0]\n"
   "DCL SVIEW[0], 2D, FLOAT\n"
   "DCL CONST[0][0]\n"
   "DCL BUFFER[0]\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] UINT32 {0, 1, 200, 0}\n"
   "MOV TEMP[0].x, IMM[0].xxxx\n"
   "BGNLOOP\n"
   "  USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
   "  UIF TEMP[0].yyyy\n"
   "    BRK\n"
   "  ENDIF\n"
   "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "ENDLOOP\n"
   "TXF TEMP[1], IMM[0].xxxx, SAMP[0], 2D\n"
   "ADD TEMP[1], TEMP[1], CONST[0][0]\n"
   "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n"
   "ADD OUT[0], TEMP[1], TEMP[0].xxxx\n"
   "END\n";

enum object {
   TEXTURE,
   CONSTANTS,
   BUFFER,
   VERTICES,
   DEPTH,
   COLOR,
   NUM_RESOURCES,
   BINDINGS = NUM_RESOURCES,
   VERTEX_SHADER,
   FRAGMENT_SHADER,
   VERTEX_SOURCE,
   FRAGMENT_SOURCE,
   BLEND,
   RASTERIZER,
   DEPTH_STENCIL_ALPHA,
   VERTEX_ELEMENTS,
   GPU,
   NUM_OBJECTS,
};

struct world {
   struct tg_quota memory;
   struct tg_quota depth_memory; /* of the depth buffer */
   struct tg_context *gpu;
   struct tg_shader *sources[2];
   struct tg_gpu_shader *shaders[2];
   struct tg_bindings *bindings;
   struct tg_blend *blend;
   struct tg_rasterizer *rasterizer;
   struct tg_depth_stencil_alpha *tests;
   struct tg_vertex_elements *elements;
   struct tg_resource *resources[NUM_RESOURCES];
};

static struct tg_resource *
make(struct tg_quota *memory, uint32_t format, uint32_t size, const void *data)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = format ? TG_TEXTURE_2D : TG_TEXTURE_BUFFER,
      .format = format,
      .width = size,
      .height = format ? size : 0,
   };
   const struct tg_box all = {.width = size, .height = 1, .depth = 1};
   struct tg_resource *made;

   assert_int_equal(tg_resource_create(&memory->allocator, &desc, NULL, &made),
                    TG_OK);
   if (data)
      assert_int_equal(tg_resource_write(made, 0, 0, &all, data, 0, 0), TG_OK);
   return made;
}

static void
make_resources(struct world *world)
{
   static const float positions[3][4] = {
      {-1, -1, 0, 1}, {7, -1, 0, 1}, {-1, 7, 0, 1}};
   static const float two[4] = {2, 2, 2, 2}, three[4] = {3, 3, 3, 3};
   static const float four = 4;
   struct tg_resource **resources = world->resources;

   resources[TEXTURE] =
      make(&world->memory, TG_FORMAT_R32G32B32A32_FLOAT, 1, two);
   resources[CONSTANTS] =
      make(&world->memory, TG_FORMAT_NONE, sizeof(three), three);
   resources[BUFFER] =
      make(&world->memory, TG_FORMAT_NONE, sizeof(four), &four);
   resources[VERTICES] =
      make(&world->memory, TG_FORMAT_NONE, sizeof(positions), positions);
   resources[DEPTH] =
      make(&world->depth_memory, TG_FORMAT_Z32_FLOAT, SIZE, NULL);
   resources[COLOR] = make(&world->memory, TG_FORMAT_R32_FLOAT, SIZE, NULL);
}

static void
make_shaders(struct world *world)
{
   static const char *const texts[2] = {vertex_text, fragment_text};

   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(tg_shader_parse(&world->memory.allocator, "test",
                                       texts[i], strlen(texts[i]),
                                       TG_DIALECT_2019, NULL,
                                       &world->sources[i]),
                       TG_OK);
      assert_int_equal(tg_gpu_shader_create(tg_context_get_device(world->gpu),
                                            world->sources[i], NULL, NULL,
                                            &world->shaders[i]),
                       TG_OK);
   }
}

static void
bind(struct world *world)
{
   const struct tg_view_desc view = tg_view_desc_of(world->resources[TEXTURE]);
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   struct tg_bindings *bindings;

   assert_int_equal(tg_bindings_create(&world->memory.allocator, &bindings),
                    TG_OK);
   assert_int_equal(bind_view(bindings, 0, &view, NULL), TG_OK);
   assert_int_equal(bind_sampler(bindings, 0, &sampler, NULL), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 0,
                                           world->resources[CONSTANTS], 0, 16,
                                           NULL),
                    TG_OK);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_SHADER, 0,
                                           world->resources[BUFFER], 0, 4,
                                           NULL),
                    TG_OK);
   world->bindings = bindings;
}

static void
bind_objects(struct world *world)
{
   const struct tg_vertex_element element = {
      .format = TG_FORMAT_R32G32B32A32_FLOAT,
   };
   struct tg_context *gpu = world->gpu;
   struct tg_device *device = tg_context_get_device(gpu);

   assert_int_equal(tg_blend_create(device, NULL, NULL, &world->blend), TG_OK);
   assert_int_equal(
      tg_rasterizer_create(device, NULL, NULL, &world->rasterizer), TG_OK);
   assert_int_equal(
      tg_depth_stencil_alpha_create(device, NULL, NULL, &world->tests), TG_OK);
   assert_int_equal(
      tg_vertex_elements_create(device, 1, &element, NULL, &world->elements),
      TG_OK);
   assert_int_equal(tg_context_bind_blend(gpu, world->blend, NULL), TG_OK);
   assert_int_equal(tg_context_bind_rasterizer(gpu, world->rasterizer, NULL),
                    TG_OK);
   assert_int_equal(
      tg_context_bind_depth_stencil_alpha(gpu, world->tests, NULL), TG_OK);
   assert_int_equal(tg_context_bind_vertex_elements(gpu, world->elements, NULL),
                    TG_OK);
}

static void
set_state(struct world *world)
{
   const struct tg_vertex_buffer vertices = {
      .buffer = world->resources[VERTICES],
      .stride = 16,
   };
   const struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = SIZE,
      .height = SIZE,
      .num_colors = 1,
      .colors = {tg_surface_of(world->resources[COLOR])},
      .depth_stencil = tg_surface_of(world->resources[DEPTH]),
   };
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);
   struct tg_context *gpu = world->gpu;

   assert_int_equal(
      tg_context_set_shader(gpu, TG_GPU_VERTEX, world->shaders[0], NULL),
      TG_OK);
   assert_int_equal(
      tg_context_set_shader(gpu, TG_GPU_FRAGMENT, world->shaders[1], NULL),
      TG_OK);
   tg_context_set_bindings(gpu, TG_GPU_FRAGMENT, world->bindings);
   assert_int_equal(tg_context_set_framebuffer(gpu, &framebuffer, NULL), TG_OK);
   assert_int_equal(tg_context_set_viewports(gpu, 0, 1, &viewport, NULL),
                    TG_OK);
   bind_objects(world);
   assert_int_equal(tg_context_set_vertex_buffers(gpu, 0, 1, &vertices, NULL),
                    TG_OK);
}

static void
begin(struct world *world, unsigned num_threads)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   *world = (struct world){0};
   tg_quota_init(&world->memory, NULL, UINT64_MAX);
   tg_quota_init(&world->depth_memory, NULL, UINT64_MAX);
   options.num_threads = num_threads;
   assert_int_equal(
      context_alone(&world->memory.allocator, &options, NULL, &world->gpu),
      TG_OK);
   make_resources(world);
   make_shaders(world);
   bind(world);
   set_state(world);
}

static enum tg_result
draw(struct world *world)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   return tg_context_draw(world->gpu, &info, NULL);
}

static void
destroy(struct world *world, enum object object)
{
   switch (object) {
   case BINDINGS: tg_bindings_destroy(world->bindings); break;
   case VERTEX_SHADER: tg_gpu_shader_destroy(world->shaders[0]); break;
   case FRAGMENT_SHADER: tg_gpu_shader_destroy(world->shaders[1]); break;
   case VERTEX_SOURCE: tg_shader_destroy(world->sources[0]); break;
   case FRAGMENT_SOURCE: tg_shader_destroy(world->sources[1]); break;
   case BLEND: tg_blend_destroy(world->blend); break;
   case RASTERIZER: tg_rasterizer_destroy(world->rasterizer); break;
   case DEPTH_STENCIL_ALPHA:
      tg_depth_stencil_alpha_destroy(world->tests);
      break;
   case VERTEX_ELEMENTS: tg_vertex_elements_destroy(world->elements); break;
   case GPU: tg_context_destroy(world->gpu); break;
   default: tg_resource_destroy(world->resources[object]); break;
   }
}

static void
shuffle(enum object order[NUM_OBJECTS], uint32_t *seed)
{
   for (unsigned i = 0; i < NUM_OBJECTS; i++)
      order[i] = (enum object)i;
   for (unsigned i = NUM_OBJECTS - 1; i > 0; i--) {
      *seed = *seed * 1664525 + 1013904223;
      const unsigned other = (*seed >> 16) % (i + 1);
      const enum object swapped = order[i];

      order[i] = order[other];
      order[other] = swapped;
   }
}

/* All pixels are 2 + 3 + 4. */
static void
expect_pixels(struct tg_resource *color)
{
   static float pixels[SIZE * SIZE];
   const struct tg_box all = {.width = SIZE, .height = SIZE, .depth = 1};

   assert_int_equal(tg_resource_read(color, 0, 0, &all, pixels, 0, 0), TG_OK);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_true(pixels[i] == 9.0f);
}

/* One draw is on its way, and another one waits in the scene. */
static void
any_order_is_good(void **state)
{
   uint32_t seed = 1;
   (void)state;

   for (unsigned i = 0; i < NUM_ORDERS; i++) {
      enum object order[NUM_OBJECTS];
      struct world world;

      begin(&world, 1 + i % 3);
      struct tg_resource *color = tg_resource_ref(world.resources[COLOR]);
      assert_int_equal(draw(&world), TG_OK);
      assert_int_equal(tg_context_flush(world.gpu, NULL), TG_OK);
      assert_int_equal(draw(&world), TG_OK);
      shuffle(order, &seed);
      for (unsigned k = 0; k < NUM_OBJECTS; k++)
         destroy(&world, order[k]);
      expect_pixels(color);
      tg_resource_destroy(color);
      assert_int_equal(atomic_load(&world.memory.held), 0);
      assert_int_equal(atomic_load(&world.depth_memory.held), 0);
   }
}

/* Drops all but the GPU and the colours, on which it is told. */
static void
drop_all(struct world *world)
{
   for (unsigned i = 0; i < NUM_OBJECTS; i++) {
      if (i != GPU && i != COLOR)
         destroy(world, (enum object)i);
   }
}

static void
what_is_set_can_be_drawn_with(void **state)
{
   struct world world;
   (void)state;

   begin(&world, 2);
   drop_all(&world);
   assert_int_equal(draw(&world), TG_OK);
   assert_int_equal(tg_context_finish(world.gpu, NULL), TG_OK);
   expect_pixels(world.resources[COLOR]);
   destroy(&world, COLOR);
   destroy(&world, GPU);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
}

/* What is set anew lets go of what was set, once draws are done. */
static void
what_is_not_set_goes(void **state)
{
   struct world world;
   (void)state;

   begin(&world, 2);
   assert_int_equal(draw(&world), TG_OK);
   drop_all(&world);
   assert_true(atomic_load(&world.depth_memory.held) >= SIZE * SIZE * 4);
   tg_context_set_bindings(world.gpu, TG_GPU_FRAGMENT, NULL);
   assert_int_equal(tg_context_set_vertex_buffers(world.gpu, 0, 1, NULL, NULL),
                    TG_OK);
   assert_int_equal(tg_context_set_framebuffer(world.gpu, NULL, NULL), TG_OK);
   assert_int_equal(
      tg_context_set_shader(world.gpu, TG_GPU_FRAGMENT, NULL, NULL), TG_OK);
   assert_int_equal(tg_context_finish(world.gpu, NULL), TG_OK);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
   expect_pixels(world.resources[COLOR]);
   destroy(&world, COLOR);
   destroy(&world, GPU);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
}

/* The text that a diagnostic quotes is there, though its shader is not. */
static void
faults_name_shaders_that_are_gone(void **state)
{
   static const char endless[] =
      "FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n";
   struct tg_diagnostics *said = tg_diagnostics_create(NULL);
   struct tg_shader *source;
   struct tg_gpu_shader *shader;
   struct world world;
   (void)state;

   begin(&world, 2);
   assert_int_equal(tg_shader_parse(&world.memory.allocator, "endless", endless,
                                    strlen(endless), TG_DIALECT_2019, NULL,
                                    &source),
                    TG_OK);
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(world.gpu),
                                         source, NULL, NULL, &shader),
                    TG_OK);
   tg_shader_destroy(source);
   assert_int_equal(
      tg_context_set_shader(world.gpu, TG_GPU_FRAGMENT, shader, NULL), TG_OK);
   tg_gpu_shader_destroy(shader);
   assert_int_equal(draw(&world), TG_OK);
   assert_int_equal(
      tg_context_set_shader(world.gpu, TG_GPU_FRAGMENT, NULL, NULL), TG_OK);
   assert_int_equal(tg_context_finish(world.gpu, said), TG_ERROR_LIMIT);
   assert_string_equal(tg_diagnostics_get(said, 0)->file, "endless");
   for (unsigned i = 0; i < NUM_OBJECTS; i++)
      destroy(&world, (enum object)i);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
   tg_diagnostics_destroy(said);
}

/* A fault that nobody asks for keeps its shader until the GPU goes. */
static void
faults_that_are_not_read_leave_nothing(void **state)
{
   static const char endless[] =
      "FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nENDLOOP\nEND\n";
   struct tg_shader *source;
   struct tg_gpu_shader *shader;
   struct tg_fence *fence;
   struct world world;
   (void)state;

   begin(&world, 2);
   assert_int_equal(tg_shader_parse(&world.memory.allocator, "endless", endless,
                                    strlen(endless), TG_DIALECT_2019, NULL,
                                    &source),
                    TG_OK);
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(world.gpu),
                                         source, NULL, NULL, &shader),
                    TG_OK);
   assert_int_equal(
      tg_context_set_shader(world.gpu, TG_GPU_FRAGMENT, shader, NULL), TG_OK);
   assert_int_equal(draw(&world), TG_OK);
   assert_int_equal(tg_context_flush(world.gpu, &fence), TG_OK);
   assert_true(tg_fence_wait(fence, UINT64_MAX));
   tg_fence_destroy(fence);
   tg_gpu_shader_destroy(shader);
   tg_shader_destroy(source);
   for (unsigned i = 0; i < NUM_OBJECTS; i++)
      destroy(&world, (enum object)i);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
}

/* What draws keep of bindings that change fills scenes, which are then drawn.
 */
static void
scenes_keep_a_bounded_amount(void **state)
{
   const struct tg_draw_range nothing = {.count = 0};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct world world;
   (void)state;

   begin(&world, 1);
   info.draws = &nothing;
   const struct tg_view_desc all = tg_view_desc_of(world.resources[TEXTURE]);
   for (unsigned i = 0; i < 8000; i++) {
      assert_int_equal(bind_view(world.bindings, 127 - i % 2, &all, NULL),
                       TG_OK);
      assert_int_equal(tg_context_draw(world.gpu, &info, NULL), TG_OK);
   }
   assert_true(atomic_load(&world.memory.peak) < UINT64_C(100) << 20);
   for (unsigned i = 0; i < NUM_OBJECTS; i++)
      destroy(&world, (enum object)i);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
}

/* References that the caller adds count like the first. */
static void
references_add_up(void **state)
{
   struct world world;
   (void)state;

   begin(&world, 1);
   assert_ptr_equal(tg_gpu_shader_ref(world.shaders[0]), world.shaders[0]);
   assert_ptr_equal(tg_shader_ref(world.sources[0]), world.sources[0]);
   assert_ptr_equal(tg_blend_ref(world.blend), world.blend);
   assert_ptr_equal(tg_rasterizer_ref(world.rasterizer), world.rasterizer);
   assert_ptr_equal(tg_depth_stencil_alpha_ref(world.tests), world.tests);
   assert_ptr_equal(tg_vertex_elements_ref(world.elements), world.elements);
   assert_null(tg_gpu_shader_ref(NULL));
   assert_null(tg_shader_ref(NULL));
   assert_null(tg_blend_ref(NULL));
   assert_null(tg_rasterizer_ref(NULL));
   assert_null(tg_depth_stencil_alpha_ref(NULL));
   assert_null(tg_vertex_elements_ref(NULL));
   for (unsigned i = 0; i < NUM_OBJECTS; i++)
      destroy(&world, (enum object)i);
   assert_int_not_equal(atomic_load(&world.memory.held), 0);
   tg_gpu_shader_destroy(world.shaders[0]);
   tg_shader_destroy(world.sources[0]);
   tg_blend_destroy(world.blend);
   tg_rasterizer_destroy(world.rasterizer);
   tg_depth_stencil_alpha_destroy(world.tests);
   assert_int_not_equal(atomic_load(&world.memory.held), 0);
   tg_vertex_elements_destroy(world.elements);
   assert_int_equal(atomic_load(&world.memory.held), 0);
   assert_int_equal(atomic_load(&world.depth_memory.held), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_order_is_good),
      cmocka_unit_test(what_is_set_can_be_drawn_with),
      cmocka_unit_test(what_is_not_set_goes),
      cmocka_unit_test(faults_name_shaders_that_are_gone),
      cmocka_unit_test(faults_that_are_not_read_leave_nothing),
      cmocka_unit_test(scenes_keep_a_bounded_amount),
      cmocka_unit_test(references_add_up),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
