/* SPDX-License-Identifier: MIT
 *
 * Running fragments: keys and memory of the stage, and waves of four quads.
 */
#include "gpu/fragment.h"

#include "gpu/fragment_kernel.h"
#include "lower/texel.h"

enum { QUADS_PER_WAVE = LIR_LANES / 4 };

/* ---- state --------------------------------------------------------------- */

static enum tg_result
check_surface(const struct gpu_framebuffer *framebuffer,
              const struct tg_resource *resource, bool is_depth,
              struct tg_diagnostics *diagnostics)
{
   const enum tg_format format = (enum tg_format)resource->desc.format;
   const bool fits = is_depth ? format == TG_FORMAT_Z32_FLOAT
                              : format == TG_FORMAT_R8G8B8A8_UNORM ||
                                   format == TG_FORMAT_R32G32B32A32_FLOAT;
   if (!fits)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                          "format %u cannot be a %s buffer", (unsigned)format,
                          is_depth ? "depth" : "colour");
   if (resource->desc.target != TG_TEXTURE_2D || resource->desc.samples > 1)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                          "a %s buffer is a 2D texture without samples",
                          is_depth ? "depth" : "colour");
   if (resource->desc.width < framebuffer->width ||
       resource->desc.height < framebuffer->height)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "a %s buffer of %u by %u is smaller than the "
                          "framebuffer, %u by %u",
                          is_depth ? "depth" : "colour", resource->desc.width,
                          resource->desc.height, framebuffer->width,
                          framebuffer->height);
   return TG_OK;
}

static enum tg_result
bind_surfaces(struct gpu_fragment_stage *stage,
              const struct gpu_framebuffer *framebuffer,
              struct tg_diagnostics *diagnostics)
{
   if (framebuffer->num_colors > GPU_MAX_COLORS)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "%u colour buffers; there can be %u",
                          framebuffer->num_colors, (unsigned)GPU_MAX_COLORS);
   for (uint32_t i = 0; i < GPU_NUM_SURFACE_BINDINGS; i++) {
      const bool is_depth = i == GPU_BINDING_DEPTH;
      struct tg_resource *resource = is_depth ? framebuffer->depth
                                     : i < framebuffer->num_colors
                                        ? framebuffer->color[i]
                                        : NULL;
      if (!resource)
         continue;
      const enum tg_result result =
         check_surface(framebuffer, resource, is_depth, diagnostics);
      if (result != TG_OK)
         return result;
      stage->surfaces[i] = resource_memory(resource);
      stage->frame[GPU_FRAME_PITCH + i] = resource->desc.width;
   }
   stage->frame[GPU_FRAME_HEIGHT] = framebuffer->height;
   return TG_OK;
}

/* FBFETCH reads the colour buffers that are drawn to. */
static enum tg_result
bind_colors(struct gpu_fragment_stage *stage, const struct gpu_state *state,
            struct tg_diagnostics *diagnostics,
            const struct tg_bindings **bindings)
{
   const struct gpu_framebuffer *framebuffer = &state->framebuffer;
   enum tg_result result = TG_OK;
   stage->with_colors = **bindings;
   *bindings = &stage->with_colors;
   for (uint32_t i = 0; i < framebuffer->num_colors && result == TG_OK; i++) {
      if (!framebuffer->color[i])
         continue;
      struct tg_image image = tg_image_of(framebuffer->color[i]);
      result =
         tg_bindings_set_color(&stage->with_colors, i, &image, diagnostics);
   }
   return result;
}

static enum tg_result
make_key(const struct gpu_state *state, struct tg_diagnostics *diagnostics,
         struct gpu_fragment_key *key)
{
   const struct gpu_framebuffer *framebuffer = &state->framebuffer;
   *key = (struct gpu_fragment_key){
      .shader_id = state->fs->id,
      .num_colors = (uint8_t)framebuffer->num_colors,
      .flatshade = state->rasterizer.flatshade,
   };
   if (state->depth.func >= LOWER_NUM_COMPARES)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no depth function %u",
                          (unsigned)state->depth.func);
   if (state->depth.enabled && framebuffer->depth) {
      key->depth_enabled = true;
      key->depth_write = state->depth.writemask;
      key->depth_func = state->depth.func;
      key->depth_format = (uint16_t)framebuffer->depth->desc.format;
   }
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      if (framebuffer->color[i])
         key->color_format[i] = (uint16_t)framebuffer->color[i]->desc.format;
   }
   return TG_OK;
}

enum tg_result
gpu_fragment_stage_init(struct gpu_fragment_stage *stage,
                        struct gpu_context *context,
                        const struct gpu_state *state,
                        const struct gpu_interface *interface,
                        struct tg_diagnostics *diagnostics)
{
   struct gpu_fragment_key key;
   *stage = (struct gpu_fragment_stage){
      .context = context,
      .diagnostics = diagnostics,
   };
   enum tg_result result =
      bind_surfaces(stage, &state->framebuffer, diagnostics);
   if (result == TG_OK)
      result = make_key(state, diagnostics, &key);
   const struct tg_bindings *bindings = resource_bindings(state->fragment);
   if (result == TG_OK && state->fs->fetches_colors)
      result = bind_colors(stage, state, diagnostics, &bindings);
   if (result != TG_OK)
      return result;

   lower_mask_keys(&bindings->keys, &state->fs->seen, &key.bound);
   gpu_stage_memory_init(&stage->memory, bindings);
   stage->memory.constants[GPU_BINDING_FRAME] = (struct exec_memory){
      .data = stage->frame,
      .num_bytes = GPU_FRAME_WORDS * 4,
   };
   struct gpu_fragment_writer writer = {
      .shader = state->fs,
      .interface = interface,
      .is_checked = context->is_checked,
   };
   result = gpu_begin_check(context, state->fs, CHECK_PIXELS, diagnostics,
                            &stage->check);
   if (result != TG_OK)
      return result;
   return gpu_kernel_get(context, &key, sizeof(key), state->fs->shader,
                         gpu_fragment_write_kernel, &writer, diagnostics,
                         &stage->kernel);
}

/* ---- running it ---------------------------------------------------------- */

void
gpu_fragment_begin(struct gpu_fragment_stage *stage, uint32_t *constants,
                   uint32_t num_words)
{
   stage->memory.constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = constants,
      .num_bytes = num_words * UINT64_C(4),
   };
}

void
gpu_fragment_quad(void *user, int32_t x, int32_t y, unsigned mask)
{
   struct gpu_fragment_stage *stage = user;
   const uint32_t first = stage->num_quads * 4;
   for (uint32_t i = 0; i < 4; i++) {
      stage->input[0][first + i] = (uint32_t)x + (i & 1);
      stage->input[1][first + i] = (uint32_t)y + (i >> 1);
   }
   stage->live |= mask << first;
   if (++stage->num_quads == QUADS_PER_WAVE)
      gpu_fragment_flush(stage);
}

void
gpu_fragment_flush(struct gpu_fragment_stage *stage)
{
   if (!stage->num_quads)
      return;

   struct exec_wave wave = {
      .launched = (UINT32_C(1) << stage->num_quads * 4) - 1,
      .live = stage->live,
      .input = {.data = stage->input, .num_words = 2},
   };
   struct gpu_statistics *statistics = &stage->context->statistics;
   statistics->fragment_waves++;
   statistics->fragments += (unsigned)__builtin_popcount(stage->live);
   stage->num_quads = 0;
   stage->live = 0;
   if (stage->result != TG_OK)
      return;

   gpu_stage_memory_bind(&stage->memory, &wave);
   wave.memory[LIR_SPACE_SURFACE] = stage->surfaces;
   wave.num_memories[LIR_SPACE_SURFACE] = GPU_NUM_SURFACE_BINDINGS;
   stage->result = gpu_run_wave(stage->context, stage->kernel, stage->check,
                                &wave, stage->diagnostics);
}
