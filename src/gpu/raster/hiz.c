/* SPDX-License-Identifier: MIT
 *
 * Depth bounds of hierarchical Z. Those of a shape over a block come from its
 * plane: with no rounding they would be at the corners, and as it is they are
 * within a few rounding errors of there.
 */
#include "gpu/raster/hiz.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/state/shader.h"
#include "resource/resource.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"
#include "util/minmax.h"

enum {
   /* Pixels of a shape's bounds in a block from which on bounds are read. */
   WORTH_READING = 16,
   /* Quads that may be written before they are read again: all of a block. */
   WORTH_READING_AGAIN = 16,
};

/* ---- draws --------------------------------------------------------------- */

static bool
changes_stencil(const struct tg_stencil_state *stencil)
{
   return stencil->enabled && (stencil->fail_op != TG_STENCIL_KEEP ||
                               stencil->zfail_op != TG_STENCIL_KEEP);
}

/* Has a fragment an effect though it fails the depth test? Or one whose depth
 * is not that of the shape? */
static bool
shader_prevents(const struct tg_gpu_shader *shader)
{
   return !shader->early_depth &&
          (shader->writes_memory ||
           gpu_find_output(shader, TG_SEMANTIC_POSITION, 0) != GPU_NO_REGISTER);
}

struct gpu_hiz_mode
gpu_hiz_mode(const struct gpu_state *state)
{
   const struct tg_depth_stencil_alpha_state *test =
      &state->depth_stencil_alpha->state;
   if (!test->depth_enabled)
      return (struct gpu_hiz_mode){.func = TG_COMPARE_ALWAYS};
   return (struct gpu_hiz_mode){
      .hides = !changes_stencil(&test->stencil[0]) &&
               !changes_stencil(&test->stencil[1]) &&
               !shader_prevents(state->shader[TG_GPU_FRAGMENT]),
      .writes = test->depth_writemask,
      .func = test->depth_func,
      .clamps = state->rasterizer->state.depth_clamp,
   };
}

/* ---- tiles --------------------------------------------------------------- */

void
gpu_hiz_forget(struct gpu_hiz *hiz)
{
   memset(hiz->blocks, 0, sizeof(hiz->blocks));
}

/* Depths of n bits are rounded by half of 1 / (2^n - 1); bounds of them are
 * rounded to floats. */
static float
margin_of(const struct format_info *format)
{
   const struct format_channel *depth = &format->channel[format->depth];
   if (depth->type == FORMAT_TYPE_FLOAT)
      return 0.0f;
   return 2.0f / (float)format_greatest(depth) + 0x1p-23f;
}

void
gpu_hiz_begin(struct gpu_hiz *hiz, const struct tg_framebuffer_state *target,
              uint32_t x, uint32_t y)
{
   const struct tg_surface *surface = &target->depth_stencil;
   hiz->surface = NULL;
   if (!surface->resource || !format_has_depth((enum tg_format)surface->format))
      return;
   hiz->surface = surface;
   hiz->x = x;
   hiz->y = y;
   hiz->width = target->width;
   hiz->height = target->height;
   hiz->layer = 0;
   hiz->margin = margin_of(format_info((enum tg_format)surface->format));
   gpu_hiz_forget(hiz);
}

/* ---- bounds of the buffer ------------------------------------------------ */

/* Pixels of the framebuffer that a block has, and where they are. */
struct rows {
   const unsigned char *first;
   size_t row_pitch, sample_pitch;
   uint32_t width, height, num_samples;
};

static struct rows
find_rows(const struct gpu_hiz *hiz, uint32_t x, uint32_t y)
{
   const struct tg_surface *surface = hiz->surface;
   const struct tg_resource *resource = surface->resource;
   const struct resource_level *level =
      &resource->written.layout.level[surface->level];
   return (struct rows){
      .first = resource_texel(resource, surface->level, 0, x, y,
                              surface->first_layer + hiz->layer),
      .row_pitch = level->row_pitch,
      .sample_pitch = level->sample_pitch,
      .width = tg_min_u32(GPU_HIZ_SIZE, hiz->width - x),
      .height = tg_min_u32(GPU_HIZ_SIZE, hiz->height - y),
      .num_samples = resource->desc.samples,
   };
}

/* A row of a block, of all rows of all samples. */
static const unsigned char *
find_row(const struct rows *rows, uint32_t i)
{
   return rows->first + i / rows->height * rows->sample_pitch +
          i % rows->height * rows->row_pitch;
}

/* Each column has bounds of its own, so that they do not wait for each other. A
 * NaN is no bound. */
static bool
read_floats(const struct rows *rows, size_t stride, struct gpu_hiz_block *block)
{
   float least[GPU_HIZ_SIZE], greatest[GPU_HIZ_SIZE];
   bool is_ordered = true;
   for (uint32_t i = 0; i < GPU_HIZ_SIZE; i++) {
      least[i] = INFINITY;
      greatest[i] = -INFINITY;
   }
   for (uint32_t i = 0; i < rows->num_samples * rows->height; i++) {
      const unsigned char *row = find_row(rows, i);
      for (uint32_t k = 0; k < rows->width; k++) {
         float depth;
         memcpy(&depth, row + k * stride, sizeof(depth));
         is_ordered &= !isnan(depth);
         least[k] = depth < least[k] ? depth : least[k];
         greatest[k] = depth > greatest[k] ? depth : greatest[k];
      }
   }
   block->min = INFINITY;
   block->max = -INFINITY;
   for (uint32_t i = 0; i < rows->width; i++) {
      block->min = fminf(block->min, least[i]);
      block->max = fmaxf(block->max, greatest[i]);
   }
   return is_ordered;
}

/* The same for depths of up to 32 bits, which keep their order. */
static void
read_integers(const struct rows *rows, size_t stride,
              const struct format_channel *channel, struct gpu_hiz_block *block)
{
   const uint32_t mask = (uint32_t)format_greatest(channel);
   uint32_t least = UINT32_MAX, greatest = 0;
   for (uint32_t i = 0; i < rows->num_samples * rows->height; i++) {
      const unsigned char *row = find_row(rows, i);
      for (uint32_t k = 0; k < rows->width; k++) {
         uint32_t word = 0;
         memcpy(&word, row + k * stride, stride < sizeof(word) ? stride : 4);
         word = word >> channel->shift & mask;
         least = word < least ? word : least;
         greatest = word > greatest ? word : greatest;
      }
   }
   block->min = (float)(least / (double)mask);
   block->max = (float)(greatest / (double)mask);
}

static bool
read_block(const struct gpu_hiz *hiz, uint32_t x, uint32_t y,
           struct gpu_hiz_block *block)
{
   const struct format_info *format =
      format_info((enum tg_format)hiz->surface->format);
   const struct format_channel *channel = &format->channel[format->depth];
   const struct rows rows = find_rows(hiz, x, y);
   if (channel->type == FORMAT_TYPE_FLOAT)
      return read_floats(&rows, format->block_bytes, block);
   read_integers(&rows, format->block_bytes, channel, block);
   return true;
}

/* ---- bounds of a shape --------------------------------------------------- */

static float
word_as_float(const uint32_t *constants, uint32_t word)
{
   return tg_float_of_bits(constants[word]);
}

/* Of the plane of z over the block at (x, y), with some room for rounding. */
static void
bound_shape(const uint32_t *constants, uint32_t x, uint32_t y, float *min_out,
            float *max_out)
{
   const double a = word_as_float(constants, GPU_SHAPE_Z);
   const double da_dx = word_as_float(constants, GPU_SHAPE_Z + 1);
   const double da_dy = word_as_float(constants, GPU_SHAPE_Z + 2);
   const double dx = x - (double)word_as_float(constants, GPU_SHAPE_X);
   const double dy = y - (double)word_as_float(constants, GPU_SHAPE_Y);
   const double corner = a + dx * da_dx + dy * da_dy;
   const double across = da_dx * GPU_HIZ_SIZE, down = da_dy * GPU_HIZ_SIZE;
   const double room = 0x1p-21 * (fabs(a) + fabs(dx * da_dx) + fabs(across) +
                                  fabs(dy * da_dy) + fabs(down));
   *min_out = (float)(corner + fmin(across, 0) + fmin(down, 0) - room);
   *max_out = (float)(corner + fmax(across, 0) + fmax(down, 0) + room);
}

/* Depths are held to [0, 1] at most: a bound that is beyond the far end is
 * there. */
static bool
fails_everywhere(enum tg_compare func, float min_z, float max_z, float margin,
                 const struct gpu_hiz_block *block)
{
   const float low = fminf(min_z, 1.0f) - margin;
   const float high = fmaxf(max_z, 0.0f) + margin;
   switch (func) {
   case TG_COMPARE_NEVER: return true;
   case TG_COMPARE_LESS: return low >= block->max;
   case TG_COMPARE_LEQUAL: return low > block->max;
   case TG_COMPARE_GREATER: return high <= block->min;
   case TG_COMPARE_GEQUAL: return high < block->min;
   case TG_COMPARE_EQUAL: return low > block->max || high < block->min;
   default: return false;
   }
}

/* ---- blocks -------------------------------------------------------------- */

static uint32_t
block_number(const struct gpu_hiz *hiz, int32_t x, int32_t y)
{
   return ((uint32_t)y - hiz->y) / GPU_HIZ_SIZE * GPU_HIZ_BLOCKS +
          ((uint32_t)x - hiz->x) / GPU_HIZ_SIZE;
}

static struct gpu_hiz_block *
find_block(struct gpu_hiz *hiz, uint32_t layer, uint32_t number)
{
   assert(number < GPU_HIZ_BLOCKS * GPU_HIZ_BLOCKS);
   if (layer != hiz->layer)
      gpu_hiz_forget(hiz);
   hiz->layer = layer;
   return &hiz->blocks[number / GPU_HIZ_BLOCKS][number % GPU_HIZ_BLOCKS];
}

/* Pixels of the shape's bounds, one way, between two pixels of a block. */
static int32_t
overlap(int32_t shape_min, int32_t shape_max, int32_t first)
{
   const int32_t last = first + GPU_HIZ_SIZE - 1;
   return (shape_max < last ? shape_max : last) -
          (shape_min > first ? shape_min : first) + 1;
}

static bool
is_worth_reading(const struct gpu_hiz_block *block,
                 const struct gpu_shape *shape, int32_t x, int32_t y)
{
   if (block->is_known && block->num_written < WORTH_READING_AGAIN)
      return false;
   return overlap(shape->min_x, shape->max_x, x) *
             overlap(shape->min_y, shape->max_y, y) >=
          WORTH_READING;
}

static bool
is_hidden(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
          const struct gpu_shape *shape, const uint32_t *constants,
          uint32_t number)
{
   const uint32_t x = hiz->x + number % GPU_HIZ_BLOCKS * GPU_HIZ_SIZE;
   const uint32_t y = hiz->y + number / GPU_HIZ_BLOCKS * GPU_HIZ_SIZE;
   struct gpu_hiz_block *block = find_block(hiz, shape->layer, number);
   float min_z, max_z;
   if (is_worth_reading(block, shape, (int32_t)x, (int32_t)y)) {
      block->is_known = read_block(hiz, x, y, block);
      block->num_written = 0;
   }
   if (!block->is_known)
      return false;
   bound_shape(constants, x, y, &min_z, &max_z);
   if (mode->clamps) {
      min_z = fminf(min_z, word_as_float(constants, GPU_SHAPE_MAX_DEPTH));
      max_z = fmaxf(max_z, word_as_float(constants, GPU_SHAPE_MIN_DEPTH));
   }
   return fails_everywhere((enum tg_compare)mode->func, min_z, max_z,
                           hiz->margin, block);
}

void
gpu_hiz_begin_shape(struct gpu_hiz *hiz)
{
   hiz->asked = hiz->hidden = 0;
}

bool
gpu_hiz_hides(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
              const struct gpu_shape *shape, const uint32_t *constants,
              int32_t x, int32_t y)
{
   if (!hiz->surface || !mode->hides)
      return false;
   const uint32_t number = block_number(hiz, x, y);
   const uint64_t bit = UINT64_C(1) << number;
   if (!(hiz->asked & bit) && is_hidden(hiz, mode, shape, constants, number))
      hiz->hidden |= bit;
   hiz->asked |= bit;
   return hiz->hidden & bit;
}

unsigned
gpu_hiz_num_hidden(const struct gpu_hiz *hiz)
{
   return (unsigned)__builtin_popcountll(hiz->hidden);
}

/* What is written is on one side of what was there: that bound stays a bound,
 * and the other goes. */
static void
widen(struct gpu_hiz_block *block, enum tg_compare func)
{
   switch (func) {
   case TG_COMPARE_NEVER:
   case TG_COMPARE_EQUAL: break;
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL: block->min = -INFINITY; break;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL: block->max = INFINITY; break;
   default: block->is_known = false; break;
   }
}

void
gpu_hiz_note(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             uint32_t layer, int32_t x, int32_t y, uint32_t num_quads)
{
   if (!hiz->surface || !mode->writes)
      return;
   struct gpu_hiz_block *block =
      find_block(hiz, layer, block_number(hiz, x, y));
   block->num_written =
      (uint8_t)tg_min_u32(UINT8_MAX, block->num_written + num_quads);
   widen(block, (enum tg_compare)mode->func);
}
