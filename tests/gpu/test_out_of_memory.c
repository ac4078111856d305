/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out anywhere: a device, a context, all kinds of objects, and
 * a frame that uses them, with the first allocation failing, the second, ...
 * until none does; and with all failing from there on. What is not made leaves
 * nothing; a frame either is right or has told TG_ERROR_MEMORY; and after it
 * the context draws the right one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tgsi/tables/tables.h"
#include "tungsten/gpu.h"

enum {
   WIDTH = 72, /* two tiles */
   HEIGHT = 16,
   NUM_PIXELS = WIDTH * HEIGHT,
   SMALL = 64,        /* bytes; a write of a part renames the buffer */
   LARGE = 128 << 10, /* a write of a part is queued */
   NUM_BLOCKS = 5,
   CLEARED = 3, /* pixel of LENT's first row */
   STREAMED = 16 << 10,
};

/* ---- memory -------------------------------------------------------------- */

/* Counts what is held, and refuses requests. */
struct meter {
   _Atomic size_t held;     /* bytes */
   _Atomic size_t requests; /* for more memory, from 1 on */
   size_t first_refused, last_refused;
};

static void *
metered_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct meter *meter = user;

   if (new_size > old_size) {
      const size_t request = atomic_fetch_add(&meter->requests, 1) + 1;

      if (request >= meter->first_refused && request <= meter->last_refused)
         return NULL;
   }
   atomic_fetch_add(&meter->held, new_size - old_size);
   if (new_size)
      return realloc(ptr, new_size);
   free(ptr);
   return NULL;
}

/* ---- shaders ------------------------------------------------------------- */

enum { COMPUTE = TG_NUM_GPU_STAGES, NUM_SOURCES };

static const char *const texts[NUM_SOURCES] = {
   [TG_GPU_VERTEX] = "VERT\n"
                     "DCL IN[0]\n"
                     "DCL IN[1]\n"
                     "DCL OUT[0], POSITION\n"
                     "DCL OUT[1], GENERIC[0]\n"
                     "MOV OUT[0], IN[0]\n"
                     "MOV OUT[1], IN[1]\n"
                     "END\n",
   [TG_GPU_TESS_CTRL] = "TESS_CTRL\n"
                        "PROPERTY TCS_VERTICES_OUT 3\n"
                        "DCL IN[][0], POSITION\n"
                        "DCL IN[][1], GENERIC[0]\n"
                        "DCL OUT[][0], POSITION\n"
                        "DCL OUT[][1], GENERIC[0]\n"
                        "DCL OUT[2], TESSOUTER\n"
                        "DCL OUT[3], TESSINNER\n"
                        "DCL SV[0], INVOCATIONID\n"
                        "DCL ADDR[0]\n"
                        "IMM[0] FLT32 {3, 3, 3, 2}\n"
                        "UARL ADDR[0].x, SV[0].xxxx\n"
                        "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
                        "MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n"
                        "MOV OUT[2], IMM[0]\n"
                        "MOV OUT[3].xy, IMM[0].wwww\n"
                        "END\n",
   [TG_GPU_TESS_EVAL] = "TESS_EVAL\n"
                        "PROPERTY TES_PRIM_MODE 4\n" /* triangles */
                        "DCL IN[][0], POSITION\n"
                        "DCL IN[][1], GENERIC[0]\n"
                        "DCL SV[0], TESSCOORD\n"
                        "DCL OUT[0], POSITION\n"
                        "DCL OUT[1], GENERIC[0]\n"
                        "DCL TEMP[0]\n"
                        "MUL TEMP[0], SV[0].xxxx, IN[0][0]\n"
                        "MAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\n"
                        "MAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\n"
                        "MUL TEMP[0], SV[0].xxxx, IN[0][1]\n"
                        "MAD TEMP[0], SV[0].yyyy, IN[1][1], TEMP[0]\n"
                        "MAD OUT[1], SV[0].zzzz, IN[2][1], TEMP[0]\n"
                        "END\n",
   [TG_GPU_GEOMETRY] = "GEOM\n"
                       "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
                       "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                       "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"
                       "DCL IN[][0], POSITION\n"
                       "DCL IN[][1], GENERIC[0]\n"
                       "DCL OUT[0], POSITION\n"
                       "DCL OUT[1], GENERIC[0]\n"
                       "IMM[0] UINT32 {0, 0, 0, 0}\n"
                       "MOV OUT[0], IN[0][0]\n"
                       "MOV OUT[1], IN[0][1]\n"
                       "EMIT IMM[0].xxxx\n"
                       "MOV OUT[0], IN[1][0]\n"
                       "MOV OUT[1], IN[1][1]\n"
                       "EMIT IMM[0].xxxx\n"
                       "MOV OUT[0], IN[2][0]\n"
                       "MOV OUT[1], IN[2][1]\n"
                       "EMIT IMM[0].xxxx\n"
                       "ENDPRIM IMM[0].xxxx\n"
                       "END\n",
   /* The sum of two textures, of constants that are copied, and of those in a
    * small and in a large buffer. */
   [TG_GPU_FRAGMENT] = "FRAG\n"
                       "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                       "DCL OUT[0], COLOR\n"
                       "DCL CONST[0][0]\n"
                       "DCL CONST[1][0]\n"
                       "DCL CONST[2][0..2]\n"
                       "DCL SAMP[0..1]\n"
                       "DCL SVIEW[0], 2D, FLOAT\n"
                       "DCL SVIEW[1], 2D, FLOAT\n"
                       "DCL TEMP[0..1]\n"
                       "TEX TEMP[0], IN[0], SAMP[0], 2D\n"
                       "TEX TEMP[1], IN[0], SAMP[1], 2D\n"
                       "ADD TEMP[0], TEMP[0], TEMP[1]\n"
                       "ADD TEMP[0], TEMP[0], CONST[0][0]\n"
                       "ADD TEMP[0], TEMP[0], CONST[1][0]\n"
                       "ADD OUT[0], TEMP[0], CONST[2][2]\n"
                       "END\n",
   /* Word i is i + 7. */
   [COMPUTE] = "COMP\n"
               "DCL SV[0], BLOCK_ID\n"
               "DCL BUFFER[0]\n"
               "DCL TEMP[0]\n"
               "IMM[0] UINT32 {4, 7, 0, 0}\n"
               "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
               "UADD TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n"
               "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
               "END\n",
};

static struct tg_shader *sources[NUM_SOURCES];

static int
parse_sources(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_SOURCES; i++)
      assert_int_equal(tg_shader_parse(NULL, "test", texts[i], strlen(texts[i]),
                                       TG_DIALECT_2019, NULL, &sources[i]),
                       TG_OK);
   return 0;
}

static int
destroy_sources(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_SOURCES; i++)
      tg_shader_destroy(sources[i]);
   return 0;
}

/* ---- all that is made ---------------------------------------------------- */

enum resource_name {
   COLOR,
   DEPTH,
   TEXTURE,
   BLOCKS, /* a compressed texture */
   LENT,   /* lives in memory of the caller */
   VERTICES,
   INDICES,
   INDIRECT,
   SMALL_CONSTANTS,
   LARGE_CONSTANTS,
   STORED, /* by the dispatch */
   COPIED,
   VERTICES_OUT,
   RESULTS,
   NUM_RESOURCES,
};

#define BUFFER_(bytes)                                                         \
   {                                                                           \
      .target = TG_TEXTURE_BUFFER, .width = (bytes)                            \
   }
#define TEXTURE_(of, w, h)                                                     \
   {                                                                           \
      .target = TG_TEXTURE_2D, .format = TG_FORMAT_##of, .width = (w),         \
      .height = (h)                                                            \
   }

static const struct tg_resource_desc descs[NUM_RESOURCES] = {
   [COLOR] = TEXTURE_(R32G32B32A32_FLOAT, WIDTH, HEIGHT),
   [DEPTH] = TEXTURE_(Z24_UNORM_S8_UINT, WIDTH, HEIGHT),
   [TEXTURE] = TEXTURE_(R8G8B8A8_UNORM, 4, 4),
   [BLOCKS] = TEXTURE_(DXT1_RGB, 4, 4),
   [LENT] = TEXTURE_(R8G8B8A8_UNORM, WIDTH, HEIGHT),
   [VERTICES] = BUFFER_(3 * 32),
   [INDICES] = BUFFER_(6),
   [INDIRECT] = BUFFER_(16),
   [SMALL_CONSTANTS] = BUFFER_(SMALL),
   [LARGE_CONSTANTS] = BUFFER_(LARGE),
   [STORED] = BUFFER_(NUM_BLOCKS * 4),
   [COPIED] = BUFFER_(NUM_BLOCKS * 4),
   [VERTICES_OUT] = BUFFER_(STREAMED),
   [RESULTS] = BUFFER_(4),
};

struct world {
   const struct tg_allocator *allocator;
   unsigned num_threads;
   enum tg_on_fault on_fault;
   struct tg_device *device;
   struct tg_context *context;
   struct tg_blend *blend;
   struct tg_rasterizer *rasterizer;
   struct tg_depth_stencil_alpha *tests;
   struct tg_vertex_elements *elements;
   struct tg_gpu_shader *shaders[TG_NUM_GPU_STAGES];
   struct tg_program *program;
   struct tg_resource *resources[NUM_RESOURCES];
   uint32_t lent[NUM_PIXELS];
   unsigned num_releases; /* of `lent` */
   struct tg_view *views[2];
   struct tg_sampler *sampler;
   struct tg_bindings *bindings[2]; /* of fragments, of the dispatch */
   struct tg_stream_target *target;
   struct tg_query *query;
   bool is_counting; /* the query */
   bool has_failed;  /* the frame: TG_ERROR_MEMORY was told */
};

static enum tg_result
make_device(struct world *world)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   options.num_threads = world->num_threads;
   return tg_device_create(world->allocator, &options, &world->device);
}

static enum tg_result
make_context(struct world *world)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;

   options.on_fault = world->on_fault;
   return tg_context_create(world->device, &options, &world->context);
}

/* Colours add up. */
static enum tg_result
make_blend(struct world *world)
{
   struct tg_blend_state state = TG_BLEND_INIT;

   state.targets[0].blend_enable = true;
   state.targets[0].rgb_src_factor = state.targets[0].rgb_dst_factor =
      TG_BLEND_ONE;
   state.targets[0].alpha_src_factor = state.targets[0].alpha_dst_factor =
      TG_BLEND_ONE;
   return tg_blend_create(world->device, &state, NULL, &world->blend);
}

static enum tg_result
make_rasterizer(struct world *world)
{
   return tg_rasterizer_create(world->device, NULL, NULL, &world->rasterizer);
}

static enum tg_result
make_tests(struct world *world)
{
   struct tg_depth_stencil_alpha_state state = TG_DEPTH_STENCIL_ALPHA_INIT;

   state.depth_enabled = true;
   state.depth_func = TG_COMPARE_LEQUAL;
   state.depth_writemask = true;
   return tg_depth_stencil_alpha_create(world->device, &state, NULL,
                                        &world->tests);
}

static enum tg_result
make_elements(struct world *world)
{
   static const struct tg_vertex_element elements[2] = {
      {.format = TG_FORMAT_R32G32B32A32_FLOAT},
      {.format = TG_FORMAT_R32G32B32A32_FLOAT, .src_offset = 16},
   };

   return tg_vertex_elements_create(world->device, 2, elements, NULL,
                                    &world->elements);
}

/* Vertices come out of the geometry shader as they went into the first. */
static enum tg_result
make_shaders(struct world *world)
{
   struct tg_stream_output_info info = TG_STREAM_OUTPUT_INFO_INIT;
   enum tg_result result = TG_OK;

   info.num_outputs = 2;
   info.outputs[0].num_components = info.outputs[1].num_components = 4;
   info.outputs[1].register_index = 1;
   info.outputs[1].dst_offset = 4;
   info.stride[0] = 8;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES && result == TG_OK; i++)
      result = tg_gpu_shader_create(world->device, sources[i],
                                    i == TG_GPU_GEOMETRY ? &info : NULL, NULL,
                                    &world->shaders[i]);
   return result;
}

static enum tg_result
make_program(struct world *world)
{
   return tg_program_create(world->allocator, sources[COMPUTE], NULL, NULL,
                            &world->program);
}

static void
released(void *user)
{
   struct world *world = user;

   world->num_releases++;
}

static enum tg_result
make_resources(struct world *world)
{
   struct tg_resource_memory memory = TG_RESOURCE_MEMORY_INIT;
   enum tg_result result = TG_OK;

   memory.address = world->lent;
   memory.num_bytes = sizeof(world->lent);
   memory.release = released;
   memory.user = world;
   for (unsigned i = 0; i < NUM_RESOURCES && result == TG_OK; i++) {
      struct tg_resource_desc desc = descs[i];

      desc.size = sizeof(desc);
      if (i == LENT)
         result = tg_resource_create_from_memory(
            world->allocator, &desc, &memory, NULL, &world->resources[i]);
      else
         result = tg_resource_create(world->allocator, &desc, NULL,
                                     &world->resources[i]);
   }
   return result;
}

static enum tg_result
make_views(struct world *world)
{
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < 2 && result == TG_OK; i++) {
      const struct tg_view_desc desc =
         tg_view_desc_of(world->resources[TEXTURE + i]);

      result = tg_view_create(world->allocator, &desc, NULL, &world->views[i]);
   }
   return result;
}

static enum tg_result
make_sampler(struct world *world)
{
   return tg_sampler_create(world->allocator, NULL, NULL, &world->sampler);
}

static enum tg_result
bind_buffer(struct world *world, unsigned bindings, enum tg_buffer_file file,
            unsigned place, enum resource_name name)
{
   return tg_bindings_set_buffer(world->bindings[bindings], file, place,
                                 world->resources[name], 0, descs[name].width,
                                 NULL);
}

static enum tg_result
make_bindings(struct world *world)
{
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < 2 && result == TG_OK; i++)
      result = tg_bindings_create(world->allocator, &world->bindings[i]);
   for (unsigned i = 0; i < 2 && result == TG_OK; i++) {
      result =
         tg_bindings_set_view(world->bindings[0], i, world->views[i], NULL);
      if (result == TG_OK)
         result = tg_bindings_set_sampler(world->bindings[0], i, world->sampler,
                                          NULL);
   }
   if (result == TG_OK)
      result = bind_buffer(world, 0, TG_BUFFER_CONSTANT, 0, SMALL_CONSTANTS);
   if (result == TG_OK)
      result = bind_buffer(world, 0, TG_BUFFER_CONSTANT, 2, LARGE_CONSTANTS);
   if (result == TG_OK)
      result = bind_buffer(world, 1, TG_BUFFER_SHADER, 0, STORED);
   return result;
}

static enum tg_result
make_target(struct world *world)
{
   return tg_stream_target_create(world->context,
                                  world->resources[VERTICES_OUT], 0, STREAMED,
                                  NULL, &world->target);
}

static enum tg_result
make_query(struct world *world)
{
   return tg_query_create(world->context, TG_QUERY_OCCLUSION_COUNTER, 0, NULL,
                          &world->query);
}

static enum tg_result
make_world(struct world *world)
{
   static enum tg_result (*const steps[])(struct world * world) = {
      make_device,   make_context,  make_blend,   make_rasterizer, make_tests,
      make_elements, make_shaders,  make_program, make_resources,  make_views,
      make_sampler,  make_bindings, make_target,  make_query,
   };
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps) && result == TG_OK;
        i++)
      result = steps[i](world);
   return result;
}

/* The context is not the last to go: what was made of it holds the device. */
static void
destroy_world(struct world *world)
{
   const bool has_lent = world->resources[LENT] != NULL;

   if (world->context) {
      tg_stream_target_destroy(world->target);
      tg_query_destroy(world->query);
   }
   tg_context_destroy(world->context);
   tg_device_destroy(world->device);
   for (unsigned i = 0; i < 2; i++) {
      tg_bindings_destroy(world->bindings[i]);
      tg_view_destroy(world->views[i]);
   }
   tg_sampler_destroy(world->sampler);
   for (unsigned i = 0; i < NUM_RESOURCES; i++)
      tg_resource_destroy(world->resources[i]);
   tg_program_destroy(world->program);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      tg_gpu_shader_destroy(world->shaders[i]);
   tg_vertex_elements_destroy(world->elements);
   tg_depth_stencil_alpha_destroy(world->tests);
   tg_rasterizer_destroy(world->rasterizer);
   tg_blend_destroy(world->blend);
   assert_int_equal(world->num_releases, has_lent);
}

/* ---- a frame ------------------------------------------------------------- */

/* Calls of a lost context are skipped. */
static bool
is_lost(const struct world *world)
{
   const enum tg_reset_status status =
      tg_context_get_reset_status(world->context);

   assert_true(status == TG_RESET_NONE || status == TG_RESET_UNKNOWN);
   return status == TG_RESET_UNKNOWN;
}

/* A call went well, or there was no memory for it or one before. */
static bool
note(struct world *world, enum tg_result result)
{
   if (result != TG_OK && !(result == TG_ERROR_LIMIT && is_lost(world)))
      assert_int_equal(result, TG_ERROR_MEMORY);
   world->has_failed |= result != TG_OK;
   return result == TG_OK;
}

static void
write_box(struct world *world, enum resource_name name, uint32_t x,
          uint32_t width, uint32_t height, const void *data)
{
   const struct tg_box box = {x, 0, 0, width, height, 1};

   note(world, tg_context_write(world->context, world->resources[name], 0, 0,
                                &box, data, 0, 0));
}

static void
write_bytes(struct world *world, enum resource_name name, uint32_t first,
            uint32_t num_bytes, const void *data)
{
   write_box(world, name, first, num_bytes, 1, data);
}

static void
map_bytes(struct world *world, enum resource_name name, uint32_t first,
          uint32_t num_bytes, const void *data, uint32_t flags)
{
   const struct tg_box box = {first, 0, 0, num_bytes, 1, 1};
   struct tg_map *map = NULL;

   if (!note(world, tg_context_map(world->context, world->resources[name], 0,
                                   &box, TG_MAP_WRITE | flags, NULL, &map)))
      return;
   memcpy(tg_map_get_data(map, NULL, NULL), data, num_bytes);
   note(world, tg_context_unmap(world->context, map));
}

/* Red texels, and white ones. */
static void
upload(struct world *world)
{
   static const float vertices[3][8] = {
      {-1, -1, 0, 1, 0, 0, 0, 1},
      {3, -1, 0, 1, 2, 0, 0, 1},
      {-1, 3, 0, 1, 0, 2, 0, 1},
   };
   static const uint16_t indices[3] = {0, 1, 2};
   static const uint32_t indirect[4] = {3, 1, 0, 0};
   static const uint8_t red[8] = {0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0};
   uint32_t white[16];

   memset(white, 0xff, sizeof(white));
   write_box(world, TEXTURE, 0, 4, 4, white);
   write_box(world, BLOCKS, 0, 4, 4, red);
   map_bytes(world, VERTICES, 0, sizeof(vertices), vertices,
             TG_MAP_DISCARD_WHOLE);
   write_bytes(world, INDICES, 0, sizeof(indices), indices);
   write_bytes(world, INDIRECT, 0, sizeof(indirect), indirect);
}

/* What is summed up in red, in three places. */
static void
set_copied_constants(struct world *world, float value)
{
   const float words[4] = {value};

   note(world, tg_bindings_set_constants(world->bindings[0], 1, words,
                                         sizeof(words), NULL));
}

static void
set_small_constants(struct world *world, float value)
{
   const float words[SMALL / 4] = {value};

   write_bytes(world, SMALL_CONSTANTS, 0, sizeof(words), words);
}

/* More than a scene has room for without asking. */
static void
set_large_constants(struct world *world, float value)
{
   static float words[48 << 8] = {0};

   words[0] = value;
   write_bytes(world, LARGE_CONSTANTS, 32, sizeof(words), words);
}

static void
set_state(struct world *world)
{
   struct tg_context *context = world->context;
   const struct tg_viewport viewport =
      tg_viewport_of(WIDTH, HEIGHT, false, false);
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;

   framebuffer.width = WIDTH;
   framebuffer.height = HEIGHT;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(world->resources[COLOR]);
   framebuffer.depth_stencil = tg_surface_of(world->resources[DEPTH]);
   note(world, tg_context_bind_blend(context, world->blend, NULL));
   note(world, tg_context_bind_rasterizer(context, world->rasterizer, NULL));
   note(world,
        tg_context_bind_depth_stencil_alpha(context, world->tests, NULL));
   note(world, tg_context_bind_vertex_elements(context, world->elements, NULL));
   note(world, tg_context_set_viewports(context, 0, 1, &viewport, NULL));
   note(world, tg_context_set_framebuffer(context, &framebuffer, NULL));
   tg_context_set_bindings(context, TG_GPU_FRAGMENT, world->bindings[0]);
}

/* Vertices and fragments, or all five stages and the stream target. */
static void
set_stages(struct world *world, bool all)
{
   const uint32_t from_start = 0;

   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      const bool is_set = all || i == TG_GPU_VERTEX || i == TG_GPU_FRAGMENT;

      note(world,
           tg_context_set_shader(world->context, (enum tg_gpu_stage)i,
                                 is_set ? world->shaders[i] : NULL, NULL));
   }
   note(world,
        tg_context_set_stream_targets(world->context, all ? 1 : 0,
                                      &world->target, &from_start, NULL));
}

static void
draw(struct world *world, enum resource_name vertices,
     const struct tg_draw_info *info)
{
   const struct tg_vertex_buffer buffer = {
      .buffer = world->resources[vertices],
      .stride = 32,
   };

   note(world,
        tg_context_set_vertex_buffers(world->context, 0, 1, &buffer, NULL));
   note(world, tg_context_draw(world->context, info, NULL));
}

static void
draw_triangle(struct world *world)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   set_stages(world, false);
   draw(world, VERTICES, &info);
}

static void
draw_patch(struct world *world)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   info.mode = TG_PRIM_PATCHES;
   info.vertices_per_patch = 3;
   info.index_size = 2;
   info.index_buffer = world->resources[INDICES];
   set_stages(world, true);
   draw(world, VERTICES, &info);
}

static void
draw_streamed(struct world *world)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.count_from_stream_output = world->target;
   set_stages(world, false);
   draw(world, VERTICES_OUT, &info);
}

static void
draw_indirect(struct world *world)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.indirect = world->resources[INDIRECT];
   set_stages(world, false);
   draw(world, VERTICES, &info);
}

/* Each pixel becomes 16 + 18 + 21 + 21 = 76 in red; each of the four draws has
 * all of them. */
static void
draw_all(struct world *world)
{
   const float ten = 10;

   set_copied_constants(world, 4);
   set_small_constants(world, 2);
   set_large_constants(world, 8);
   draw_triangle(world);
   set_small_constants(world, 3);
   set_large_constants(world, 9);
   draw_patch(world);
   set_copied_constants(world, 3);
   write_bytes(world, SMALL_CONSTANTS, 0, 4, &(const float){6});
   map_bytes(world, LARGE_CONSTANTS, 32, 4, &ten, TG_MAP_DISCARD_RANGE);
   draw_streamed(world);
   draw_indirect(world);
}

static void
blit_by(struct world *world, enum resource_name from, int32_t rows)
{
   const struct tg_blit_side all = {
      .width = WIDTH, .height = HEIGHT - rows, .depth = 1};
   struct tg_blit_info info = TG_BLIT_INFO_INIT;

   info.src = info.dst = all;
   info.src.resource = world->resources[from];
   info.dst.resource = world->resources[LENT];
   info.dst.y = rows;
   note(world, tg_context_blit(world->context, &info, NULL));
}

/* Into LENT, in which a pixel is cleared then, and copied down a row with all
 * others. */
static void
blit(struct world *world)
{
   static const uint32_t ones = 0x01010101;
   const struct tg_box pixel = {CLEARED, 0, 0, 1, 1, 1};

   blit_by(world, COLOR, 0);
   note(world, tg_context_clear_texture(world->context, world->resources[LENT],
                                        0, &pixel, &ones, NULL));
   blit_by(world, LENT, 1);
}

static void
dispatch_and_copy(struct world *world)
{
   static const uint32_t junk = 99;
   const struct tg_box all = {0, 0, 0, NUM_BLOCKS * 4, 1, 1};
   struct tg_grid grid = TG_GRID_INIT;

   grid.grid[0] = NUM_BLOCKS;
   note(world, tg_context_clear_buffer(world->context, world->resources[STORED],
                                       0, NUM_BLOCKS * 4, &junk, 4, NULL));
   note(world, tg_context_dispatch(world->context, world->program,
                                   world->bindings[1], &grid, NULL));
   note(world, tg_context_copy(world->context, world->resources[COPIED], 0, 0,
                               0, 0, world->resources[STORED], 0, &all, NULL));
}

/* A query whose end was refused goes on, in the next frame, too. */
static void
begin_query(struct world *world)
{
   if (world->is_counting)
      note(world, tg_query_end(world->query, NULL));
   world->is_counting = note(world, tg_query_begin(world->query, NULL));
}

static void
end_query(struct world *world)
{
   if (!world->is_counting || !note(world, tg_query_end(world->query, NULL)))
      return;
   world->is_counting = false;
   note(world, tg_query_write_result(world->query, true, TG_QUERY_VALUE_U32, 0,
                                     world->resources[RESULTS], 0, NULL));
}

static void
flush(struct world *world)
{
   struct tg_fence *fence = NULL;

   if (note(world, tg_context_flush(world->context, &fence)))
      assert_true(tg_fence_wait(fence, UINT64_MAX));
   tg_fence_destroy(fence);
}

/* Leaves nothing of frames before; each call is made whatever became of those
 * before it. */
static void
make_frame(struct world *world)
{
   const union tg_color black = {{0}};
   struct tg_clear_info clear = TG_CLEAR_INIT;

   world->has_failed = false;
   clear.surface = tg_surface_of(world->resources[LENT]);
   upload(world);
   set_state(world);
   note(world,
        tg_context_clear(world->context, TG_CLEAR_COLOR0 | TG_CLEAR_DEPTH, NULL,
                         &black, 1.0, 0, NULL));
   note(world, tg_context_clear_surface(world->context, &clear, NULL));
   begin_query(world);
   draw_all(world);
   end_query(world);
   blit(world);
   flush(world);
   dispatch_and_copy(world);
   note(world, tg_context_finish(world->context, NULL));
}

static void
read_back(struct world *world, enum resource_name name, void *data)
{
   const struct tg_box all = {.width = descs[name].width,
                              .height = name == COLOR ? HEIGHT : 1,
                              .depth = 1};

   assert_int_equal(tg_context_read(world->context, world->resources[name], 0,
                                    0, &all, data, 0, 0),
                    TG_OK);
}

static void
expect_frame(struct world *world)
{
   float color[NUM_PIXELS][4];
   uint32_t words[NUM_BLOCKS], num_samples;

   read_back(world, COLOR, color);
   for (unsigned i = 0; i < NUM_PIXELS; i++)
      assert_true(color[i][0] == 76);
   for (unsigned i = 0; i < NUM_PIXELS; i++)
      assert_int_equal(world->lent[i], i == CLEARED || i == CLEARED + WIDTH
                                          ? 0x01010101
                                          : 0xffffffff);
   read_back(world, COPIED, words);
   for (unsigned i = 0; i < NUM_BLOCKS; i++)
      assert_int_equal(words[i], i + 7);
   read_back(world, RESULTS, &num_samples);
   assert_int_equal(num_samples, 4 * NUM_PIXELS);
}

/* ---- tests --------------------------------------------------------------- */

/* True: the first of these requests was made. */
static bool
refuse(unsigned num_threads, enum tg_on_fault on_fault, size_t first,
       size_t last)
{
   static struct world world;
   struct meter meter = {.first_refused = first, .last_refused = last};
   const struct tg_allocator allocator = {metered_resize, &meter};

   world = (struct world){
      .allocator = &allocator,
      .num_threads = num_threads,
      .on_fault = on_fault,
   };
   const enum tg_result result = make_world(&world);
   if (result == TG_OK) {
      make_frame(&world);
      if (!world.has_failed)
         expect_frame(&world);
   } else {
      assert_int_equal(result, TG_ERROR_MEMORY);
   }
   const bool is_refused = meter.requests >= first;
   if (result == TG_OK && is_refused) {
      meter.last_refused = 0;
      if (is_lost(&world)) {
         assert_true(on_fault == TG_FAULT_RESET && world.has_failed);
         tg_context_reset(world.context);
      }
      make_frame(&world);
      assert_false(world.has_failed);
      expect_frame(&world);
   }
   destroy_world(&world);
   if (meter.held)
      fail_msg("request %zu: %zu bytes are held", first, (size_t)meter.held);
   return is_refused;
}

static void
once(void **state)
{
   (void)state;
   for (unsigned num_threads = 1; num_threads <= 3; num_threads += 2) {
      size_t request = 1;

      while (refuse(num_threads, TG_FAULT_GO_ON, request, request))
         request++;
      assert_true(request > 300);
   }
}

static void
from_then_on(void **state)
{
   (void)state;
   for (unsigned num_threads = 1; num_threads <= 3; num_threads += 2) {
      size_t request = 1;

      while (refuse(num_threads, TG_FAULT_GO_ON, request, SIZE_MAX))
         request++;
      assert_true(request > 300);
   }
}

/* What is lost goes on when it is reset. */
static void
lost(void **state)
{
   size_t request = 1;
   (void)state;

   while (refuse(2, TG_FAULT_RESET, request, request))
      request++;
   assert_true(request > 300);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(once),
      cmocka_unit_test(from_then_on),
      cmocka_unit_test(lost),
   };

   return cmocka_run_group_tests(tests, parse_sources, destroy_sources);
}
