/* SPDX-License-Identifier: MIT
 *
 * Solid fills: which kernels and shapes they are, and the texels, which come
 * from a wave of the kernel that draws a block of its own.
 */
#include "gpu/fragment/solid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/core/waves.h"
#include "gpu/fragment/fragment.h"
#include "gpu/fragment/fragment_key.h"
#include "gpu/fragment/fragment_parts.h"
#include "gpu/raster/hiz_read.h"
#include "util/bits.h"
#include "util/length.h"

/* ---- kernels ------------------------------------------------------------- */

/* Is it the same for all fragments of a shape whose planes are constant? */
static bool
is_of_shape(unsigned semantic)
{
   return semantic == TG_SEMANTIC_FACE || semantic == TG_SEMANTIC_PRIM_ID ||
          semantic == TG_SEMANTIC_LAYER ||
          semantic == TG_SEMANTIC_VIEWPORT_INDEX;
}

static bool
reads_its_place(const struct tg_gpu_shader *shader)
{
   bool found = shader->fetches_colors;
   for (uint32_t i = 0; i < shader->layout.num_inputs; i++)
      found |= shader->input[i].declared &&
               shader->input[i].name == TG_SEMANTIC_POSITION;
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++)
      found |=
         shader->sysval[i].declared && !is_of_shape(shader->sysval[i].name);
   return found;
}

bool
gpu_solid_is_possible(const struct tg_gpu_shader *shader,
                      const struct gpu_fragment_key *key, uint8_t *colors_out)
{
   const struct fragment_kernel kernel = {.shader = shader, .key = key};
   uint8_t reading;
   *colors_out = fragment_output_colors(&kernel, &reading);
   for (uint32_t i = 0; reading >> i; i++) {
      if (reading >> i & 1 && !fragment_output_is_monotonic(&kernel, i))
         return false;
   }
   return gpu_fragment_key_is_plain(key) && !reads_its_place(shader) &&
          !shader->writes_memory && !shader->early_depth;
}

/* ---- shapes -------------------------------------------------------------- */

/* Have the planes that a kernel reads the same value everywhere? That is `a`
 * where the other coefficients are 0, but for the sign of a zero. */
static bool
has_constant_planes(const struct exec_code *code, const uint32_t *constants)
{
   const uint32_t minus_zero = UINT32_C(1) << 31;
   for (uint32_t i = 0; i < code->num_sysvals; i++) {
      const uint32_t word = code->sysvals[i];
      if (word < GPU_SHAPE_Z)
         continue;
      const bool is_slope =
         (word - GPU_SHAPE_Z) % GPU_PLANES_WORDS >= GPU_PLANE_DX;
      if (is_slope ? constants[word] & ~minus_zero
                   : constants[word] == minus_zero)
         return false;
   }
   return true;
}

/* ---- a block of its own -------------------------------------------------- */

enum {
   MOST_TEXEL_BYTES = 16,
   NUM_SURFACES = GPU_BINDING_DEPTH + 1,
};

/* Surfaces of 4 by 4 pixels, and what a wave needs to draw to them: rows of
 * lanes first, each of them aligned. */
struct canvas {
   _Alignas(
      GPU_LANE_ALIGNMENT) uint32_t input[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   uint32_t output[GPU_FRAGMENT_OUTPUT_WORDS][LIR_LANES];
   uint32_t texels[NUM_SURFACES][GPU_BLOCK_PIXELS * MOST_TEXEL_BYTES / 4];
   struct exec_memory surfaces[NUM_SURFACES];
   struct exec_memory constants[GPU_BINDING_VERTEX];
   uint32_t frame[GPU_FRAME_WORDS];
};

_Static_assert(LIR_LANES * sizeof(uint32_t) % GPU_LANE_ALIGNMENT == 0,
               "a row after another is aligned");

static void
add_surface(struct canvas *canvas, uint32_t binding, enum tg_format format)
{
   const struct format_info *info = format_info(format);
   uint32_t *words =
      &canvas->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   assert(binding < NUM_SURFACES && info->block_bytes <= MOST_TEXEL_BYTES);
   canvas->surfaces[binding] = (struct exec_memory){
      .data = canvas->texels[binding],
      .num_bytes = (uint64_t)GPU_BLOCK_PIXELS * info->block_bytes,
   };
   words[GPU_SURFACE_ROW] = GPU_BLOCK_SIZE * info->block_bytes / info->unit;
}

/* Half of it are all zeros, half all ones: the least and the greatest that a
 * colour can be. */
static void
add_color(struct canvas *canvas, uint32_t number, enum tg_format format)
{
   const size_t half =
      (size_t)format_info(format)->block_bytes * GPU_BLOCK_PIXELS / 2;
   add_surface(canvas, number, format);
   memset((uint8_t *)canvas->texels[number] + half, 0xff, half);
}

/* A depth that is further than any, for the test to pass. */
static uint32_t
furthest_depth(enum tg_format format, enum tg_compare func)
{
   const struct format_channel *channel = format_depth_channel(format);
   const bool is_far = func == TG_COMPARE_LESS || func == TG_COMPARE_LEQUAL;
   if (channel->type == FORMAT_TYPE_FLOAT)
      return tg_bits_of_float(is_far ? INFINITY : -INFINITY);
   return is_far ? (uint32_t)format_greatest(channel) << channel->shift : 0;
}

static void
fill_depths(struct canvas *canvas, enum tg_format format, uint32_t depth)
{
   const size_t num_bytes = format_info(format)->block_bytes;
   uint8_t *texels = (uint8_t *)canvas->texels[GPU_BINDING_DEPTH];
   for (size_t i = 0; i < GPU_BLOCK_PIXELS; i++)
      memcpy(texels + i * num_bytes, &depth,
             num_bytes < sizeof(depth) ? num_bytes : sizeof(depth));
}

static void
init_canvas(const struct gpu_fragment_worker *fragments, struct canvas *canvas)
{
   const struct tg_framebuffer_state *framebuffer = fragments->framebuffer;
   const struct gpu_fragment_draw *draw = fragments->draw;
   const enum tg_format depth =
      (enum tg_format)framebuffer->depth_stencil.format;
   memset(canvas, 0, sizeof(*canvas));
   memcpy(canvas->frame, draw->frame, sizeof(canvas->frame));
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      if (framebuffer->colors[i].resource)
         add_color(canvas, i, (enum tg_format)framebuffer->colors[i].format);
   }
   if (framebuffer->depth_stencil.resource) {
      add_surface(canvas, GPU_BINDING_DEPTH, depth);
      if (format_has_depth(depth))
         fill_depths(canvas, depth,
                     furthest_depth(depth, (enum tg_compare)draw->hiz.func));
   }
   memcpy(canvas->constants, fragments->constants, sizeof(canvas->constants));
   canvas->constants[GPU_BINDING_FRAME].data = canvas->frame;
}

/* Draws all of it. False when its pixels do not pass. */
static bool
draw_canvas(struct gpu_fragment_worker *fragments, struct canvas *canvas)
{
   struct exec_wave wave = fragments->wave;
   struct exec_round round = {
      .launched = 0xffff,
      .live = 0xffff,
      .input = canvas->input,
      .sysval = gpu_fragment_share_shape(fragments),
      .output = canvas->output,
   };
   uint32_t num_run;
   gpu_fragment_init_block(canvas->input);
   wave.memory[LIR_SPACE_SURFACE] = canvas->surfaces;
   wave.num_memories[LIR_SPACE_SURFACE] = NUM_SURFACES;
   wave.memory[LIR_SPACE_CONST] = canvas->constants;
   return gpu_run_wave_rounds(fragments->worker, fragments->kernel, NULL, &wave,
                              &round, 1, &num_run) &&
          round.num_live == LIR_LANES;
}

/* ---- texels -------------------------------------------------------------- */

/* Of the texel that a depth is in, the stencil stays. */
static struct resource_pattern
depth_pattern(enum tg_format format, const uint32_t *texel)
{
   const uint32_t mask = gpu_hiz_depth_mask(format);
   struct resource_pattern pattern =
      resource_fill_pattern(texel, format_info(format)->block_bytes);
   if (!format_has_stencil(format))
      return pattern;
   memset(pattern.mask, 0, sizeof(pattern.mask));
   memcpy(pattern.mask, &mask, sizeof(mask));
   for (uint32_t i = 0; i < pattern.num_bytes; i++)
      pattern.value[i] &= pattern.mask[i];
   return pattern;
}

/* False where depths have no bounds that are as exact as they are. */
static bool
take_depth(const struct gpu_fragment_worker *fragments,
           const struct canvas *canvas, struct gpu_solid *solid)
{
   const enum tg_format format =
      (enum tg_format)fragments->framebuffer->depth_stencil.format;
   const struct format_channel *channel = format_depth_channel(format);
   if (!fragments->draw->hiz.writes || !channel)
      return true;
   if (channel->type != FORMAT_TYPE_FLOAT && channel->bits > 24)
      return false;
   solid->depth = depth_pattern(format, canvas->texels[GPU_BINDING_DEPTH]);
   return gpu_hiz_read_texel(format,
                             (const uint8_t *)canvas->texels[GPU_BINDING_DEPTH],
                             &solid->depths);
}

static bool
are_alike(const uint32_t *texels, size_t num_bytes)
{
   return memcmp(texels, (const uint8_t *)texels + num_bytes,
                 num_bytes * (GPU_BLOCK_PIXELS - 1)) == 0;
}

/* False where a colour depends on what was there. */
static bool
take_colors(const struct gpu_fragment_worker *fragments,
            const struct canvas *canvas, struct gpu_solid *solid)
{
   const struct tg_framebuffer_state *framebuffer = fragments->framebuffer;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      const size_t num_bytes =
         format_info((enum tg_format)framebuffer->colors[i].format)
            ->block_bytes;
      if (!(fragments->draw->solid_colors >> i & 1))
         continue;
      if (!are_alike(canvas->texels[i], num_bytes))
         return false;
      solid->color[i] = resource_fill_pattern(canvas->texels[i], num_bytes);
   }
   return true;
}

static bool
find(struct gpu_fragment_worker *fragments, struct gpu_solid *solid)
{
   struct canvas canvas;
   if (!has_constant_planes(exec_kernel_code(fragments->kernel),
                            fragments->constants_of_shape))
      return false;
   init_canvas(fragments, &canvas);
   if (!draw_canvas(fragments, &canvas))
      return false;
   *solid = (struct gpu_solid){0};
   return take_colors(fragments, &canvas, solid) &&
          take_depth(fragments, &canvas, solid);
}

const struct gpu_solid *
gpu_solid_find(struct gpu_fragment_worker *fragments)
{
   if (!fragments->has_asked_for_solid) {
      fragments->has_asked_for_solid = true;
      fragments->is_solid = find(fragments, &fragments->solid);
   }
   return fragments->is_solid ? &fragments->solid : NULL;
}
