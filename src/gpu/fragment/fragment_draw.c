/* SPDX-License-Identifier: MIT
 *
 * What the fragments of a draw need: kernels, surfaces, constants, bindings.
 */
#include "gpu/fragment/fragment.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/fragment/fragment_key.h"
#include "util/bits.h"
#include "util/length.h"

/* ---- surfaces ------------------------------------------------------------ */

static const struct tg_surface *
find_surface(const struct tg_framebuffer_state *framebuffer, uint32_t binding)
{
   if (binding == GPU_BINDING_DEPTH)
      return &framebuffer->depth_stencil;
   return binding < framebuffer->num_colors ? &framebuffer->colors[binding]
                                            : NULL;
}

/* Where the level begins. */
static void
bind_surface(struct gpu_fragment_draw *draw, uint32_t binding,
             const struct tg_surface *surface)
{
   assert(binding < TG_LENGTH(draw->surfaces));
   const struct tg_resource *resource = surface->resource;
   const struct resource_level *level =
      &resource->written.layout.level[surface->level];
   const struct format_info *info = format_info(surface->format);
   const struct exec_memory all = resource_memory(resource);
   uint32_t *words =
      &draw->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   draw->surfaces[binding] = (struct exec_memory){
      .data = all.data + level->offset / 4,
      .num_bytes = all.num_bytes - level->offset,
   };
   words[GPU_SURFACE_OFFSET] =
      (uint32_t)(surface->first_layer * level->slice_pitch / info->unit);
   words[GPU_SURFACE_ROW] = (uint32_t)(level->row_pitch / info->unit);
   words[GPU_SURFACE_SLICE] = (uint32_t)(level->slice_pitch / info->unit);
   words[GPU_SURFACE_SAMPLE] = (uint32_t)(level->sample_pitch / info->unit);
}

/* The plane that says which pixels are one colour; false if there is none. */
static bool
bind_one_color(struct gpu_fragment_draw *draw, uint32_t color,
               const struct tg_surface *surface)
{
   const struct resource_level *level =
      &surface->resource->written.layout.level[0];
   const uint32_t binding = GPU_BINDING_ONE_COLOR + color;
   const uint32_t layer = resource_one_color_slice(level);
   uint32_t *words =
      &draw->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   if (!resource_keep_one_color(surface->resource))
      return false;
   draw->surfaces[binding] = resource_one_color_memory(surface->resource);
   words[GPU_SURFACE_OFFSET] = surface->first_layer * layer;
   words[GPU_SURFACE_ROW] = resource_whole_microtiles(level->width);
   words[GPU_SURFACE_SLICE] = layer;
   return true;
}

static void
bind_surfaces(struct gpu_fragment_draw *draw,
              const struct tg_framebuffer_state *framebuffer)
{
   for (uint32_t i = 0; i <= GPU_BINDING_DEPTH; i++) {
      const struct tg_surface *surface = find_surface(framebuffer, i);
      if (!surface || !surface->resource)
         continue;
      bind_surface(draw, i, surface);
      if (i != GPU_BINDING_DEPTH && bind_one_color(draw, i, surface))
         draw->one_color |= (uint8_t)(1u << i);
   }
}

/* ---- the draw ------------------------------------------------------------ */

static void
fill_frame(const struct gpu_state *state, uint32_t frame[GPU_FRAME_WORDS])
{
   const struct tg_depth_stencil_alpha_state *test =
      &state->depth_stencil_alpha->state;
   frame[GPU_FRAME_HEIGHT] = state->framebuffer.height;
   for (unsigned i = 0; i < 4; i++)
      frame[GPU_FRAME_BLEND_COLOR + i] =
         tg_bits_of_float(state->blend_color[i]);
   frame[GPU_FRAME_ALPHA_REF] = tg_bits_of_float(test->alpha_ref_value);
   frame[GPU_FRAME_DEPTH_BOUNDS] = tg_bits_of_float(test->depth_bounds_min);
   frame[GPU_FRAME_DEPTH_BOUNDS + 1] = tg_bits_of_float(test->depth_bounds_max);
   frame[GPU_FRAME_STENCIL_REF] = state->stencil_ref[0];
   frame[GPU_FRAME_STENCIL_REF + 1] = state->stencil_ref[1];
}

/* FBFETCH reads the colour buffers that are drawn to. */
static enum tg_result
bind_colors(struct tg_bindings *bindings,
            const struct tg_framebuffer_state *framebuffer,
            struct tg_diagnostics *diagnostics)
{
   enum tg_result result = TG_OK;
   for (uint32_t i = 0; i < framebuffer->num_colors && result == TG_OK; i++) {
      const struct tg_surface *surface = &framebuffer->colors[i];
      if (!surface->resource)
         continue;
      const struct tg_image image = {
         .resource = surface->resource,
         .format = surface->format,
         .level = surface->level,
         .first_layer = surface->first_layer,
         .last_layer = surface->last_layer,
      };
      result = tg_bindings_set_color(bindings, i, &image, diagnostics);
   }
   return result;
}

/* What polygons are drawn as. */
static enum gpu_shape_kind
filled_kind(uint8_t mode)
{
   return mode == TG_POLYGON_LINE    ? GPU_SHAPE_LINE
          : mode == TG_POLYGON_POINT ? GPU_SHAPE_POINT
                                     : GPU_SHAPE_POLYGON;
}

static bool
makes_shapes(const struct tg_rasterizer_state *rasterizer, unsigned num_corners,
             enum gpu_shape_kind kind)
{
   switch (num_corners) {
   case 1: return kind == GPU_SHAPE_POINT;
   case 2: return kind == GPU_SHAPE_LINE;
   default:
      return kind == filled_kind(rasterizer->fill_front) ||
             kind == filled_kind(rasterizer->fill_back);
   }
}

/* What may become of squares without waves. */
static void
find_shortcuts(struct gpu_fragment_kernels *kernels,
               const struct tg_gpu_shader *shader,
               const struct gpu_interface *interface,
               const struct gpu_fragment_key *key)
{
   kernels->may_be_solid =
      gpu_solid_is_possible(shader, key, &kernels->solid_colors);
   gpu_copy_init(&kernels->copy, shader, interface, key);
}

static enum tg_result
make_kernels(struct gpu_fragment_kernels *kernels,
             const struct gpu_fragment_source *source,
             const struct gpu_interface *interface,
             struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = source->state;
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_writer writer = {
      .shader = shader,
      .interface = interface,
      .is_checked = source->compiler->check,
   };
   enum tg_result result = TG_OK;
   kernels->may_be_solid = kernels->copy.is_possible = false;
   for (unsigned i = 0; i < GPU_NUM_SHAPE_KINDS && result == TG_OK; i++) {
      struct gpu_fragment_key key;
      kernels->kernel[i] = NULL;
      if (!makes_shapes(&state->rasterizer->state, kernels->num_corners,
                        (enum gpu_shape_kind)i))
         continue;
      gpu_fragment_make_key(state, interface, (enum gpu_shape_kind)i, &key);
      key.one_color = kernels->one_color;
      key.tells_cost = kernels->tells_cost;
      abi_mask_binding_keys(&kernels->bound, &shader->seen, &key.bound);
      const struct exec_source kernel_source = {
         .kind = "FRAG",
         .key = &key,
         .key_size = sizeof(key),
         .members = gpu_fragment_key_members,
         .shader = shader->shader,
         .write = gpu_fragment_write_kernel,
         .user = &writer,
      };
      result = gpu_kernel_get(source->compiler, &kernel_source, diagnostics,
                              &kernels->kernel[i]);
      kernels->num_samples = key.is_per_sample ? key.num_samples : 1;
      kernels->tells_samples = gpu_fragment_kernel_tells_samples(shader, &key);
      if (i == GPU_SHAPE_POLYGON)
         find_shortcuts(kernels, shader, interface, &key);
   }
   return result;
}

/* Bindings that are set to what they were are another version with the same
 * keys. */
static bool
has_keys(struct gpu_fragment_kernels *last, const struct tg_bindings *bindings)
{
   if (last->keys_version == bindings->keys_version)
      return true;
   if (memcmp(&last->bound, &bindings->keys, sizeof(last->bound)) != 0)
      return false;
   last->keys_version = bindings->keys_version;
   return true;
}

static enum tg_result
find_kernels(struct gpu_fragment_draw *draw,
             const struct gpu_fragment_source *source,
             const struct gpu_interface *interface, unsigned num_corners,
             const struct tg_bindings *bindings,
             struct tg_diagnostics *diagnostics)
{
   struct gpu_fragment_kernels *last = source->last;
   const bool tells_cost = source->pixels->instructions != NULL;
   const bool needs_waves = source->compiler->check || source->pixels->width;
   enum tg_result result = TG_OK;
   if (!last->is_current || last->num_corners != num_corners ||
       last->one_color != draw->one_color || last->tells_cost != tells_cost ||
       !has_keys(last, bindings)) {
      last->num_corners = (uint8_t)num_corners;
      last->one_color = draw->one_color;
      last->tells_cost = tells_cost;
      last->bound = bindings->keys;
      last->keys_version = bindings->keys_version;
      result = make_kernels(last, source, interface, diagnostics);
      last->is_current = result == TG_OK;
   }
   memcpy(draw->kernel, last->kernel, sizeof(draw->kernel));
   draw->num_samples = last->num_samples;
   draw->tells_samples = last->tells_samples;
   draw->solid_colors = last->solid_colors;
   draw->copy = last->copy;
   draw->may_be_solid = last->may_be_solid && !needs_waves;
   draw->copy.is_possible &= !needs_waves;
   return result;
}

/* A copy of what is bound with the colours that FBFETCH reads. */
static enum tg_result
add_colors(const struct gpu_fragment_source *source,
           struct tg_diagnostics *diagnostics,
           struct tg_bindings **bindings_out)
{
   const struct gpu_state *state = source->state;
   const enum tg_result result =
      tg_bindings_create(source->compiler->allocator, bindings_out);
   if (result != TG_OK)
      return result;
   resource_copy_bindings(*bindings_out,
                          resource_bindings(state->bindings[TG_GPU_FRAGMENT]));
   return bind_colors(*bindings_out, &state->framebuffer, diagnostics);
}

/* Takes what is bound, and finds the kernels for it. */
static enum tg_result
take_bindings(struct gpu_fragment_draw *draw,
              const struct gpu_fragment_source *source,
              const struct gpu_interface *interface, unsigned num_corners,
              struct tg_diagnostics *diagnostics)
{
   struct tg_bindings *bindings = source->state->bindings[TG_GPU_FRAGMENT];
   struct tg_bindings *with_colors = NULL;
   enum tg_result result = TG_OK;
   if (draw->shader->fetches_colors) {
      result = add_colors(source, diagnostics, &with_colors);
      bindings = with_colors;
   }
   if (result == TG_OK && !resource_snapshot_take(bindings, &draw->bound))
      result = TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = find_kernels(draw, source, interface, num_corners,
                            resource_bindings(bindings), diagnostics);
   tg_bindings_destroy(with_colors);
   return result;
}

enum tg_result
gpu_fragment_draw_create(const struct gpu_fragment_source *source,
                         const struct gpu_interface *interface,
                         unsigned num_corners, struct tg_arena *arena,
                         struct tg_diagnostics *diagnostics,
                         struct gpu_fragment_draw **draw_out)
{
   const struct gpu_state *state = source->state;
   struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_draw *draw = tg_arena_alloc(arena, sizeof(*draw));
   if (!draw)
      return TG_ERROR_MEMORY;
   draw->shader = tg_gpu_shader_ref(shader);
   draw->epoch = source->epoch;
   draw->hiz = gpu_hiz_mode(state);
   draw->pixels = *source->pixels;
   draw->is_sequential = shader->writes_memory || source->compiler->check;
   draw->words_per_shape = gpu_shape_num_words(interface->num_attributes);
   gpu_raster_init(&draw->raster, state);
   bind_surfaces(draw, &state->framebuffer);
   fill_frame(state, draw->frame);

   enum tg_result result =
      take_bindings(draw, source, interface, num_corners, diagnostics);
   if (result == TG_OK)
      result = gpu_stage_begin_check(source->compiler, shader, CHECK_PIXELS,
                                     diagnostics, &draw->check);
   if (result != TG_OK) {
      gpu_fragment_draw_drop(draw);
      return result;
   }
   *draw_out = draw;
   return TG_OK;
}

enum tg_result
gpu_fragment_draw_copy(const struct gpu_fragment_draw *draw,
                       struct tg_arena *arena,
                       struct gpu_fragment_draw **draw_out)
{
   struct gpu_fragment_draw *copy = tg_arena_alloc(arena, sizeof(*copy));
   if (!copy)
      return TG_ERROR_MEMORY;
   *copy = *draw;
   tg_gpu_shader_ref(copy->shader);
   copy->bound = resource_snapshot_ref(&draw->bound);
   *draw_out = copy;
   return TG_OK;
}

void
gpu_fragment_draw_drop(void *dropped)
{
   struct gpu_fragment_draw *draw = dropped;
   resource_snapshot_drop(&draw->bound);
   tg_gpu_shader_destroy(draw->shader);
}
