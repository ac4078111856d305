/* SPDX-License-Identifier: MIT
 *
 * Several contexts of one device: bytes become calls that make objects, share
 * them, let go of them in any order while they are in use, and stop work in
 * every way that there is. Nothing crashes or leaks, what is refused says why,
 * and a fault that is told has a call.
 *
 * After its end the input goes on with numbers that follow from it, so that
 * each has NUM_CALLS calls.
 */
#include "../state.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_shaders.h"
#include "tungsten/gpu.h"

enum {
   NUM_CALLS = 96,
   NUM_SHADERS = sizeof(gpu_shaders) / sizeof(gpu_shaders[0]),
   NUM_CONTEXTS = 3,
   NUM_SLOTS = 6, /* of objects of a kind */
   SIZE = 72,     /* pixels of most textures, each way */
   BUFFER_BYTES = 4096,
   MAX_WORK = 1 << 20,
};

/* A context, and what cannot outlive it. */
struct user {
   struct tg_context *context;
   struct tg_query *query;
   struct tg_stream_target *target;
   struct tg_map *map;
};

struct world {
   struct tg_device *device;
   struct tg_diagnostics *diagnostics;
   struct tg_work *work; /* that two of the contexts may share */
   struct user users[NUM_CONTEXTS];
   struct tg_gpu_shader *shaders[NUM_SHADERS];
   struct tg_resource *textures[NUM_SLOTS], *buffers[NUM_SLOTS];
   struct tg_view *views[NUM_SLOTS];
   struct tg_sampler *samplers[NUM_SLOTS];
   struct tg_bindings *bindings[NUM_SLOTS];
   struct tg_blend *blends[NUM_SLOTS];
   struct tg_rasterizer *rasterizers[NUM_SLOTS];
   struct tg_depth_stencil_alpha *tests[NUM_SLOTS];
   struct tg_vertex_elements *elements[NUM_SLOTS];
   struct tg_fence *fences[NUM_SLOTS];
   unsigned num_memories; /* of the caller, that are in use */

   const uint8_t *data;
   size_t size;
   uint64_t random;
};

static struct tg_shader *sources[NUM_SHADERS];
static struct tg_program *program;

/* ---- numbers from the input ---------------------------------------------- */

static uint8_t
next_byte(struct world *world)
{
   if (world->size) {
      world->size--;
      world->random = (world->random ^ *world->data) * UINT64_C(0x100000001b3);
      return *world->data++;
   }
   world->random =
      world->random * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint8_t)(world->random >> 56);
}

static uint32_t
below(struct world *world, uint32_t bound)
{
   return next_byte(world) % bound;
}

static bool
flag(struct world *world)
{
   return next_byte(world) & 1;
}

static bool
rarely(struct world *world, unsigned count)
{
   return below(world, count) == 0;
}

/* Mostly below `bound`. */
static uint32_t
number(struct world *world, uint32_t bound)
{
   return rarely(world, 32) ? next_byte(world) * UINT32_C(0x01010101)
                            : below(world, bound);
}

static float
real(struct world *world)
{
   return ((float)next_byte(world) - 128.0f) / 64.0f;
}

#define ANY(world, slots) (&(world)->slots[below(world, NUM_SLOTS)])

static struct user *
any_user(struct world *world)
{
   return &world->users[below(world, NUM_CONTEXTS)];
}

/* ---- results ------------------------------------------------------------- */

/* A call that fails has said why, if it can. */
static bool
done(struct world *world, enum tg_result result)
{
   if (result == TG_ERROR_IO)
      abort();
   if (result != TG_OK && result != TG_ERROR_MEMORY &&
       !tg_diagnostics_num_errors(world->diagnostics))
      abort();
   tg_diagnostics_clear(world->diagnostics);
   return result == TG_OK;
}

static void
done_silently(enum tg_result result)
{
   if (result == TG_ERROR_IO || result == TG_ERROR_UNSUPPORTED)
      abort();
}

/* ---- resources ----------------------------------------------------------- */

/* Memory of the caller, which says when it is not used any more. */
struct memory {
   struct world *world;
   uint32_t words[SIZE * SIZE];
};

static void
release(void *user)
{
   struct memory *memory = user;
   __atomic_fetch_sub(&memory->world->num_memories, 1, __ATOMIC_SEQ_CST);
   free(memory);
}

static bool
make_from_memory(struct world *world, const struct tg_resource_desc *desc,
                 struct tg_resource **made)
{
   struct memory *memory = calloc(1, sizeof(*memory));
   struct tg_resource_memory given = TG_RESOURCE_MEMORY_INIT;
   if (!memory)
      abort();
   memory->world = world;
   given.address = memory->words;
   given.num_bytes = sizeof(memory->words) - (rarely(world, 16) ? 4 : 0);
   given.row_stride = rarely(world, 8) ? number(world, 255) : 0;
   given.release = release;
   given.user = memory;
   if (!done(world, tg_resource_create_from_memory(NULL, desc, &given,
                                                   world->diagnostics, made))) {
      free(memory);
      return false;
   }
   __atomic_fetch_add(&world->num_memories, 1, __ATOMIC_SEQ_CST);
   return true;
}

static void
make_texture(struct world *world)
{
   static const char *const formats[] = {"R8G8B8A8_UNORM",    "R32_FLOAT",
                                         "R8G8B8A8_UINT",     "B5G6R5_UNORM",
                                         "Z24_UNORM_S8_UINT", "DXT1_RGBA"};
   struct tg_resource **slot = ANY(world, textures), *made = NULL;
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   desc.target = rarely(world, 4) ? below(world, 9) : TG_TEXTURE_2D;
   desc.format = tg_format_number(formats[below(world, 6)]);
   desc.width = rarely(world, 4) ? 1 + below(world, 90) : SIZE;
   desc.height = rarely(world, 4) ? 1 + below(world, 90) : SIZE;
   desc.layers = rarely(world, 4) ? below(world, 7) : 1;
   desc.samples = rarely(world, 6) ? 4 : 1;
   desc.last_level = rarely(world, 4) ? below(world, 4) : 0;
   if (rarely(world, 3)
          ? !make_from_memory(world, &desc, &made)
          : !done(world,
                  tg_resource_create(tg_device_get_allocator(world->device),
                                     &desc, world->diagnostics, &made)))
      return;
   tg_resource_destroy(*slot);
   *slot = made;
}

static void
make_buffer(struct world *world)
{
   struct tg_resource **slot = ANY(world, buffers), *made = NULL;
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   desc.width = rarely(world, 4) ? 1 + 64 * below(world, 64) : BUFFER_BYTES;
   if (rarely(world, 3)
          ? !make_from_memory(world, &desc, &made)
          : !done(world,
                  tg_resource_create(NULL, &desc, world->diagnostics, &made)))
      return;
   float *words = tg_resource_map_buffer(made);
   for (unsigned i = 0; words && i < desc.width / 4; i++)
      words[i] = i % 4 == 3 ? 1 : real(world);
   tg_resource_destroy(*slot);
   *slot = made;
}

static void
make_view(struct world *world)
{
   struct tg_view **slot = ANY(world, views), *made = NULL;
   struct tg_resource *resource =
      flag(world) ? *ANY(world, buffers) : *ANY(world, textures);
   if (!resource)
      return;
   struct tg_view_desc desc = tg_view_desc_of(resource);
   if (rarely(world, 4)) {
      desc.first_level = number(world, 3);
      desc.last_layer = number(world, 3);
      desc.swizzle[below(world, 4)] = (uint8_t)number(world, 6);
   }
   if (!done(world, tg_view_create(NULL, &desc, world->diagnostics, &made)))
      return;
   tg_view_destroy(*slot);
   *slot = made;
}

static void
make_sampler(struct world *world)
{
   struct tg_sampler **slot = ANY(world, samplers), *made = NULL;
   struct tg_sampler_desc desc = TG_SAMPLER_DESC_INIT;
   desc.border_color.f[below(world, 4)] = real(world);
   if (!done(world, tg_sampler_create(NULL, &desc, world->diagnostics, &made)))
      return;
   tg_sampler_destroy(*slot);
   *slot = made;
}

/* ---- bindings ------------------------------------------------------------ */

static void
change_bindings(struct world *world)
{
   struct tg_bindings **slot = ANY(world, bindings);
   const unsigned place = number(world, 3);
   if (!*slot && tg_bindings_create(NULL, slot) != TG_OK)
      abort();
   struct tg_resource *buffer = *ANY(world, buffers);
   switch (below(world, 6)) {
   case 0:
   case 1:
      done(world, tg_bindings_set_view(*slot, place, *ANY(world, views),
                                       world->diagnostics));
      break;
   case 2:
      done(world, tg_bindings_set_sampler(*slot, place, *ANY(world, samplers),
                                          world->diagnostics));
      break;
   case 3: {
      struct tg_resource *texture = *ANY(world, textures);
      const struct tg_image image =
         texture ? tg_image_of(texture) : (struct tg_image){0};
      done(world, tg_bindings_set_image(*slot, place, texture ? &image : NULL,
                                        world->diagnostics));
      break;
   }
   case 4: {
      const float words[8] = {real(world), real(world), real(world), 1};
      done(world,
           tg_bindings_set_constants(*slot, place, words, 4 * number(world, 9),
                                     world->diagnostics));
      break;
   }
   default:
      done(world,
           tg_bindings_set_buffer(*slot, (enum tg_buffer_file)below(world, 3),
                                  place, buffer, 4 * number(world, 8),
                                  number(world, 255), world->diagnostics));
   }
}

static void
use_bindings(struct world *world)
{
   tg_context_set_bindings(any_user(world)->context,
                           (enum tg_gpu_stage)below(world, TG_NUM_GPU_STAGES),
                           *ANY(world, bindings));
}

/* ---- state --------------------------------------------------------------- */

static void
make_blend(struct world *world)
{
   struct tg_blend **slot = ANY(world, blends), *made = NULL;
   struct tg_blend_state state = TG_BLEND_INIT;
   state.logicop_enable = rarely(world, 4);
   state.logicop_func = (uint8_t)number(world, 16);
   state.targets[0].colormask = (uint8_t)number(world, 16);
   if (!done(world,
             tg_blend_create(world->device, &state, world->diagnostics, &made)))
      return;
   tg_blend_destroy(*slot);
   *slot = made;
}

static void
make_rasterizer(struct world *world)
{
   struct tg_rasterizer **slot = ANY(world, rasterizers), *made = NULL;
   struct tg_rasterizer_state state = TG_RASTERIZER_INIT;
   state.fill_front = (uint8_t)number(world, 3);
   state.rasterizer_discard = rarely(world, 8);
   state.line_stipple_enable = rarely(world, 8);
   state.scissor = rarely(world, 8);
   if (!done(world, tg_rasterizer_create(world->device, &state,
                                         world->diagnostics, &made)))
      return;
   tg_rasterizer_destroy(*slot);
   *slot = made;
}

static void
make_tests(struct world *world)
{
   struct tg_depth_stencil_alpha **slot = ANY(world, tests), *made = NULL;
   struct tg_depth_stencil_alpha_state state = TG_DEPTH_STENCIL_ALPHA_INIT;
   state.depth_enabled = flag(world);
   state.depth_writemask = flag(world);
   state.depth_func = (uint8_t)number(world, 8);
   if (!done(world, tg_depth_stencil_alpha_create(world->device, &state,
                                                  world->diagnostics, &made)))
      return;
   tg_depth_stencil_alpha_destroy(*slot);
   *slot = made;
}

static void
make_elements(struct world *world)
{
   struct tg_vertex_elements **slot = ANY(world, elements), *made = NULL;
   struct tg_vertex_element list[2] = {
      {.format = tg_format_number("R32G32B32A32_FLOAT")},
      {.format = tg_format_number("R32G32_FLOAT")}};
   list[1].src_offset = (uint16_t)number(world, 32);
   if (!done(world, tg_vertex_elements_create(world->device, 2, list,
                                              world->diagnostics, &made)))
      return;
   tg_vertex_elements_destroy(*slot);
   *slot = made;
}

static void
bind_state(struct world *world)
{
   struct tg_context *context = any_user(world)->context;
   const float color[4] = {real(world), 0, 1, 1};
   switch (below(world, 5)) {
   case 0:
      done(world, tg_context_bind_blend(context, *ANY(world, blends),
                                        world->diagnostics));
      break;
   case 1:
      done(world, tg_context_bind_rasterizer(context, *ANY(world, rasterizers),
                                             world->diagnostics));
      break;
   case 2:
      done(world, tg_context_bind_depth_stencil_alpha(
                     context, *ANY(world, tests), world->diagnostics));
      break;
   case 3:
      done(world, tg_context_bind_vertex_elements(
                     context, *ANY(world, elements), world->diagnostics));
      break;
   default: tg_context_set_blend_color(context, color);
   }
}

static void
set_windows(struct world *world)
{
   struct tg_scissor rectangles[TG_MAX_WINDOW_RECTANGLES];
   const unsigned count = number(world, 4);
   for (unsigned i = 0; i < TG_MAX_WINDOW_RECTANGLES; i++)
      rectangles[i] =
         (struct tg_scissor){next_byte(world) / 4, next_byte(world) / 4,
                             next_byte(world), next_byte(world)};
   done(world, tg_context_set_window_rectangles(any_user(world)->context,
                                                flag(world), count, rectangles,
                                                world->diagnostics));
}

static void
set_framebuffer(struct world *world)
{
   struct tg_framebuffer_state state = TG_FRAMEBUFFER_INIT;
   struct tg_resource *color = *ANY(world, textures);
   struct tg_resource *depth = *ANY(world, textures);
   state.width = state.height = SIZE;
   if (color) {
      state.num_colors = 1;
      state.colors[0] = tg_surface_of(color);
      state.width = tg_resource_get_desc(color)->width;
      state.height = tg_resource_get_desc(color)->height;
   }
   if (depth && rarely(world, 4))
      state.depth_stencil = tg_surface_of(depth);
   done(world, tg_context_set_framebuffer(any_user(world)->context, &state,
                                          world->diagnostics));
}

static void
set_vertices(struct world *world)
{
   const struct tg_vertex_buffer buffer = {
      *ANY(world, buffers), number(world, 64), (uint16_t)(4 * below(world, 8))};
   done(world, tg_context_set_vertex_buffers(any_user(world)->context, 0, 1,
                                             &buffer, world->diagnostics));
}

static struct tg_gpu_shader *
get_shader(struct world *world, unsigned which)
{
   struct tg_gpu_shader *made = NULL;
   if (world->shaders[which] && !rarely(world, 4))
      return world->shaders[which];
   if (!done(world, tg_gpu_shader_create(world->device, sources[which], NULL,
                                         world->diagnostics, &made)))
      return NULL;
   tg_gpu_shader_destroy(world->shaders[which]);
   return world->shaders[which] = made;
}

/* Those of another stage are refused. */
static void
set_shader(struct world *world)
{
   struct tg_context *context = any_user(world)->context;
   struct tg_gpu_shader *shader = get_shader(world, below(world, NUM_SHADERS));
   for (unsigned i = 0; shader && i < TG_NUM_GPU_STAGES; i++)
      done(world, tg_context_set_shader(context, (enum tg_gpu_stage)i, shader,
                                        world->diagnostics));
   for (unsigned i = TG_GPU_FRAGMENT + 1; i < TG_NUM_GPU_STAGES; i++) {
      if (flag(world))
         done(world, tg_context_set_shader(context, (enum tg_gpu_stage)i, NULL,
                                           world->diagnostics));
   }
}

/* What most draws need. */
static void
set_usual_shaders(struct world *world, struct tg_context *context)
{
   done(world, tg_context_set_shader(context, TG_GPU_VERTEX,
                                     get_shader(world, 0), world->diagnostics));
   done(world, tg_context_set_shader(
                  context, TG_GPU_FRAGMENT,
                  get_shader(world, NUM_SHADERS - 7 + below(world, 7)),
                  world->diagnostics));
}

/* ---- work ---------------------------------------------------------------- */

static void
draw(struct world *world)
{
   const struct tg_draw_range range = {.count = number(world, 24)};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   info.mode = rarely(world, 4) ? below(world, 15) : TG_PRIM_TRIANGLES;
   info.vertices_per_patch = 3;
   if (range.count > 1000)
      info.instance_count = 0;
   done(world,
        tg_context_draw(any_user(world)->context, &info, world->diagnostics));
}

static void
clear(struct world *world)
{
   const union tg_color color = {.f = {real(world), 1, 0, 1}};
   done(world, tg_context_clear(any_user(world)->context,
                                below(world, TG_CLEAR_ALL + 1), NULL, &color,
                                0.5, 3, world->diagnostics));
}

static struct tg_box
any_box(struct world *world, const struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct tg_box whole = {0, 0, 0, desc->width, desc->height, 1};
   const struct tg_box box = {number(world, 9), number(world, 9), 0,
                              number(world, 9), number(world, 9), 1};
   return flag(world) ? whole : box;
}

static struct tg_resource *
any_resource(struct world *world)
{
   return flag(world) ? *ANY(world, textures) : *ANY(world, buffers);
}

static void
copy_or_blit(struct world *world)
{
   struct tg_context *context = any_user(world)->context;
   struct tg_resource *dst = any_resource(world), *src = any_resource(world);
   struct tg_blit_info info = TG_BLIT_INFO_INIT;
   if (!dst || !src)
      return;
   const struct tg_box box = any_box(world, src);
   if (flag(world)) {
      done(world, tg_context_copy(context, dst, 0, number(world, 9), 0, 0, src,
                                  0, &box, world->diagnostics));
      return;
   }
   info.dst = info.src = (struct tg_blit_side){
      .resource = src, .width = 40, .height = 30, .depth = 1};
   info.dst.resource = dst;
   info.dst.width = (int32_t)below(world, 72);
   info.filter = (uint8_t)number(world, 2);
   info.window_rectangle_enable = flag(world);
   done(world, tg_context_blit(context, &info, world->diagnostics));
}

static void
transfer(struct world *world)
{
   static uint32_t words[100 * 100];
   struct tg_context *context = any_user(world)->context;
   struct tg_resource *resource = any_resource(world);
   if (!resource)
      return;
   const struct tg_box box = any_box(world, resource);
   if ((uint64_t)box.width * box.height > 100 * 100)
      return;
   if (flag(world))
      done_silently(
         tg_context_read(context, resource, 0, 0, &box, words, 0, 0));
   else
      done_silently(
         tg_context_write(context, resource, 0, 0, &box, words, 0, 0));
}

static void
end_map(struct user *user)
{
   if (user->map)
      done_silently(tg_context_unmap(user->context, user->map));
   user->map = NULL;
}

static void
map(struct world *world)
{
   struct user *user = any_user(world);
   struct tg_resource *resource = any_resource(world);
   end_map(user);
   if (!resource)
      return;
   const struct tg_box box = any_box(world, resource);
   const uint32_t flags = number(world, 64);
   if (!done(world, tg_context_map(user->context, resource, 0, &box, flags,
                                   world->diagnostics, &user->map)))
      return;
   if (flags & TG_MAP_WRITE && box.width && box.height)
      memset(tg_map_get_data(user->map, NULL, NULL), 0x3f, 1);
}

static void
wait_for(struct world *world)
{
   struct tg_context *context = any_user(world)->context;
   const struct tg_resource *resource = any_resource(world);
   const enum tg_access access = flag(world) ? TG_ACCESS_READ : TG_ACCESS_WRITE;
   if (!resource)
      return;
   if (flag(world)) {
      tg_context_is_busy(context, resource, access);
      return;
   }
   if (tg_context_wait(context, resource, access, UINT64_MAX) &&
       tg_context_is_busy(context, resource, access))
      abort();
}

static void
dispatch(struct world *world)
{
   struct tg_bindings *bindings = *ANY(world, bindings);
   struct tg_grid grid = TG_GRID_INIT;
   grid.grid[0] = below(world, 4);
   done(world, tg_context_dispatch(any_user(world)->context, program, bindings,
                                   &grid, world->diagnostics));
}

/* ---- queries, targets, fences -------------------------------------------- */

static void
query(struct world *world)
{
   struct user *user = any_user(world);
   struct tg_resource *buffer = *ANY(world, buffers);
   union tg_query_result result;
   if (!user->query || rarely(world, 6)) {
      tg_query_destroy(user->query);
      user->query = NULL;
      done(world,
           tg_query_create(user->context, (enum tg_query_type)number(world, 13),
                           0, world->diagnostics, &user->query));
      return;
   }
   switch (below(world, 5)) {
   case 0: done(world, tg_query_begin(user->query, world->diagnostics)); break;
   case 1: done(world, tg_query_end(user->query, world->diagnostics)); break;
   case 2: tg_query_get_result(user->query, flag(world), &result); break;
   case 3:
      tg_context_set_condition(user->context, flag(world) ? user->query : NULL,
                               flag(world));
      break;
   default:
      done(world,
           tg_query_write_result(user->query, flag(world),
                                 (enum tg_query_value)number(world, 4),
                                 (int)below(world, 4) - 1, buffer,
                                 4 * number(world, 16), world->diagnostics));
   }
}

static void
stream(struct world *world)
{
   struct user *user = any_user(world);
   struct tg_resource *buffer = *ANY(world, buffers);
   const uint32_t offset = 0;
   if (!user->target && buffer)
      done(world, tg_stream_target_create(
                     user->context, buffer, 4 * number(world, 9),
                     4 * number(world, 64), world->diagnostics, &user->target));
   if (user->target)
      done(world, tg_context_set_stream_targets(user->context, flag(world),
                                                &user->target, &offset,
                                                world->diagnostics));
   if (rarely(world, 4)) {
      tg_stream_target_destroy(user->target);
      user->target = NULL;
   }
}

static void
fence(struct world *world)
{
   struct tg_fence **slot = ANY(world, fences);
   if (*slot && flag(world)) {
      tg_fence_wait(*slot, flag(world) ? UINT64_MAX : 1000);
      return;
   }
   tg_fence_destroy(*slot);
   *slot = NULL;
   done_silently(tg_context_flush(any_user(world)->context, slot));
}

/* ---- stopping ------------------------------------------------------------ */

/* All contexts that a work may pay for are idle when it is refilled. */
static void
refill(struct world *world)
{
   for (unsigned i = 0; i < NUM_CONTEXTS; i++)
      done(world,
           tg_context_finish(world->users[i].context, world->diagnostics));
   tg_work_refill(tg_context_get_work(any_user(world)->context));
}

static void
stop(struct world *world)
{
   struct tg_context *context = any_user(world)->context;
   struct tg_context_fault fault = TG_CONTEXT_FAULT_INIT;
   switch (below(world, 6)) {
   case 0:
      if (rarely(world, 3))
         tg_context_cancel(context);
      break;
   case 1:
   case 2: refill(world); break;
   case 3:
      tg_context_reset(context);
      if (tg_context_get_reset_status(context) != TG_RESET_NONE)
         abort();
      break;
   case 4:
      if (tg_context_take_fault(context, &fault) != TG_OK ||
          (fault.num_calls == 0) != (fault.result == TG_OK) ||
          fault.call > tg_context_get_call(context) ||
          fault.num_calls > tg_context_get_call(context))
         abort();
      break;
   default: done(world, tg_context_finish(context, world->diagnostics));
   }
}

/* ---- lifetimes ----------------------------------------------------------- */

static void
begin_user(struct world *world, struct user *user)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, true, false);
   if (flag(world))
      options.work = world->work;
   options.max_work = MAX_WORK;
   options.max_call_seconds = flag(world) ? 0.001 : 0;
   options.on_fault = below(world, 2);
   if (tg_context_create(world->device, &options, &user->context) != TG_OK)
      abort();
   done(world, tg_context_set_viewports(user->context, 0, 1, &viewport,
                                        world->diagnostics));
   set_usual_shaders(world, user->context);
}

/* Its queries and targets go with it, or before it. */
static void
end_user(struct world *world, struct user *user)
{
   end_map(user);
   if (flag(world))
      tg_query_destroy(user->query);
   if (flag(world))
      tg_stream_target_destroy(user->target);
   tg_context_destroy(user->context);
   *user = (struct user){0};
}

static void
renew_user(struct world *world)
{
   struct user *user = any_user(world);
   end_user(world, user);
   begin_user(world, user);
}

/* Drops what a slot has, in use or not. */
static void
drop(struct world *world)
{
#define DROP(slots, destroy)                                                   \
   {                                                                           \
      const unsigned i = below(world, NUM_SLOTS);                              \
      destroy(world->slots[i]);                                                \
      world->slots[i] = NULL;                                                  \
      break;                                                                   \
   }
   switch (below(world, 10)) {
   case 0: DROP(textures, tg_resource_destroy)
   case 1: DROP(buffers, tg_resource_destroy)
   case 2: DROP(views, tg_view_destroy)
   case 3: DROP(samplers, tg_sampler_destroy)
   case 4: DROP(bindings, tg_bindings_destroy)
   case 5: DROP(blends, tg_blend_destroy)
   case 6: DROP(rasterizers, tg_rasterizer_destroy)
   case 7: DROP(tests, tg_depth_stencil_alpha_destroy)
   case 8: DROP(elements, tg_vertex_elements_destroy)
   default: DROP(fences, tg_fence_destroy)
   }
#undef DROP
}

static void
drop_all(struct world *world)
{
   for (unsigned i = 0; i < NUM_SLOTS; i++) {
      tg_resource_destroy(world->textures[i]);
      tg_resource_destroy(world->buffers[i]);
      tg_view_destroy(world->views[i]);
      tg_sampler_destroy(world->samplers[i]);
      tg_bindings_destroy(world->bindings[i]);
      tg_blend_destroy(world->blends[i]);
      tg_rasterizer_destroy(world->rasterizers[i]);
      tg_depth_stencil_alpha_destroy(world->tests[i]);
      tg_vertex_elements_destroy(world->elements[i]);
      tg_fence_destroy(world->fences[i]);
   }
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      tg_gpu_shader_destroy(world->shaders[i]);
}

/* ---- a run --------------------------------------------------------------- */

static void
call(struct world *world)
{
   static void (*const calls[])(struct world *) = {
      make_texture,
      make_buffer,
      make_view,
      make_sampler,
      make_blend,
      make_rasterizer,
      make_tests,
      make_elements,
      bind_state,
      bind_state,
      change_bindings,
      change_bindings,
      use_bindings,
      set_windows,
      set_framebuffer,
      set_vertices,
      set_shader,
      draw,
      draw,
      draw,
      draw,
      draw,
      clear,
      copy_or_blit,
      transfer,
      map,
      wait_for,
      dispatch,
      query,
      stream,
      fence,
      stop,
      stop,
      renew_user,
      drop,
   };
   calls[below(world, sizeof(calls) / sizeof(calls[0]))](world);
}

static void
begin(struct world *world)
{
   const struct tg_work_options limits = {sizeof(limits), MAX_WORK, 0, NULL};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = 1 + below(world, 4);
   options.max_memory = rarely(world, 4) ? UINT64_C(1) << 23 : 0;
   world->diagnostics = tg_diagnostics_create(NULL);
   if (tg_device_create(NULL, &options, &world->device) != TG_OK ||
       tg_work_create(NULL, &limits, &world->work) != TG_OK)
      abort();
   for (unsigned i = 0; i < NUM_CONTEXTS; i++)
      begin_user(world, &world->users[i]);
   for (unsigned i = 0; i < 3 * NUM_SLOTS; i++) {
      make_texture(world);
      make_buffer(world);
      make_view(world);
      make_elements(world);
      set_framebuffer(world);
      set_vertices(world);
      set_shader(world);
   }
}

/* The device's own references last as long as anything of it. */
static void
end(struct world *world)
{
   const bool is_first = flag(world);
   for (unsigned i = 0; i < NUM_CONTEXTS; i++)
      end_user(world, &world->users[i]);
   if (is_first) {
      drop_all(world);
      tg_device_destroy(world->device);
   } else {
      tg_device_ref(world->device);
      tg_device_destroy(world->device);
      drop_all(world);
      tg_device_destroy(world->device);
   }
   tg_work_destroy(world->work);
   tg_diagnostics_destroy(world->diagnostics);
   if (world->num_memories)
      abort();
}

static struct tg_shader *
parse(const char *text)
{
   struct tg_shader *shader;
   if (tg_shader_parse(NULL, "shader", text, strlen(text), TG_DIALECT_2019,
                       NULL, &shader) != TG_OK)
      abort();
   return shader;
}

static void
make_sources(void)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      sources[i] = parse(gpu_shaders[i]);
   if (tg_program_create(NULL, parse(gpu_compute_shader), NULL, NULL,
                         &program) != TG_OK)
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct world world = {.data = data, .size = size};
   if (!program)
      make_sources();
   begin(&world);
   for (unsigned i = 0; i < NUM_CALLS; i++)
      call(&world);
   end(&world);
   return 0;
}
