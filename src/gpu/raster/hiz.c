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

#include "gpu/raster/hiz_read.h"
#include "gpu/state/shader.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"
#include "util/minmax.h"

enum {
   /* Pixels of a shape's bounds in a block from which on bounds are read. */
   WORTH_READING = 32,
   /* Quads that may be written before they are read again: all of a block. */
   WORTH_READING_AGAIN = 32,
   MOST_OF_SMALL = 3, /* blocks of a small shape's bounds, each way */
   PARTS = 4,         /* blocks of 4 by 4 pixels in one */
};

static const struct gpu_hiz_bounds anything = {-INFINITY, INFINITY};

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

/* May a fragment be discarded for anything but its depth? */
static bool
may_discard(const struct gpu_state *state)
{
   const struct tg_depth_stencil_alpha_state *test =
      &state->depth_stencil_alpha->state;
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   return test->alpha_enabled || test->depth_bounds_test ||
          test->stencil[0].enabled || test->stencil[1].enabled ||
          state->blend->state.alpha_to_coverage || shader->kills ||
          gpu_find_output(shader, TG_SEMANTIC_SAMPLEMASK, 0) != GPU_NO_REGISTER;
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
      .keeps = !may_discard(state),
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
margin_of(const struct format_channel *depth)
{
   if (depth->type == FORMAT_TYPE_FLOAT)
      return 0.0f;
   return 2.0f / (float)format_greatest(depth) + 0x1p-23f;
}

void
gpu_hiz_begin(struct gpu_hiz *hiz, const struct tg_framebuffer_state *target,
              uint32_t x, uint32_t y)
{
   const struct tg_surface *surface = &target->depth_stencil;
   const struct format_channel *depth =
      format_depth_channel((enum tg_format)surface->format);
   hiz->surface = NULL;
   hiz->x = x;
   hiz->y = y;
   hiz->width = target->width;
   hiz->height = target->height;
   if (!surface->resource || !depth)
      return;
   hiz->surface = surface;
   hiz->layer = 0;
   hiz->margin = margin_of(depth);
   gpu_hiz_forget(hiz);
}

/* ---- clears -------------------------------------------------------------- */

/* The first word of a texel; depth is in it. */
static uint32_t
first_word(const uint8_t *texel, uint32_t num_bytes)
{
   uint32_t word = 0;
   memcpy(&word, texel, tg_min_u32(num_bytes, sizeof(word)));
   return word;
}

/* Which bits of the depths a pattern changes. */
enum extent { NOTHING, SOME, EVERYTHING };

static enum extent
depth_extent(enum tg_format format, const struct resource_pattern *pattern)
{
   const uint32_t depth = gpu_hiz_depth_mask(format);
   const uint32_t mask = first_word(pattern->mask, pattern->num_bytes) & depth;
   if (!mask)
      return NOTHING;
   return mask == depth ? EVERYTHING : SOME;
}

/* The bounds that all depths have which a pattern makes. */
static struct gpu_hiz_block
cleared_block(enum tg_format format, const struct resource_pattern *pattern)
{
   struct gpu_hiz_block block = {0};
   block.is_known = gpu_hiz_read_texel(format, pattern->value, &block.bounds);
   return block;
}

/* Of what block `number` of a row or column has in the framebuffer, is some
 * between `min` and `max`, which is not included, or all of it? */
static enum extent
extent_along(uint32_t tile, uint32_t number, uint32_t size, uint32_t min,
             uint32_t max)
{
   const uint32_t first = tile + number * GPU_HIZ_SIZE;
   const uint32_t end = tg_min_u32(first + GPU_HIZ_SIZE, size);
   if (first >= max || end <= min)
      return NOTHING;
   return first >= min && end <= max ? EVERYTHING : SOME;
}

static bool
has_same_layers(const struct tg_surface *a, const struct tg_surface *b)
{
   return a->format == b->format && a->first_layer == b->first_layer &&
          a->last_layer == b->last_layer;
}

void
gpu_hiz_clear(struct gpu_hiz *hiz, const struct tg_surface *surface,
              const struct resource_pattern *pattern,
              const struct tg_scissor *area)
{
   if (!hiz->surface || hiz->surface->resource != surface->resource ||
       hiz->surface->level != surface->level)
      return;
   const enum tg_format format = (enum tg_format)hiz->surface->format;
   const enum extent depths = depth_extent(format, pattern);
   const struct gpu_hiz_block cleared = cleared_block(format, pattern);
   const bool is_known =
      depths == EVERYTHING && has_same_layers(hiz->surface, surface);
   for (uint32_t i = 0; i < GPU_HIZ_BLOCKS && depths != NOTHING; i++) {
      const enum extent down =
         extent_along(hiz->y, i, hiz->height, area->min_y, area->max_y);
      for (uint32_t k = 0; k < GPU_HIZ_BLOCKS && down != NOTHING; k++) {
         const enum extent across =
            extent_along(hiz->x, k, hiz->width, area->min_x, area->max_x);
         if (across == NOTHING)
            continue;
         hiz->blocks[i][k] =
            is_known && down == EVERYTHING && across == EVERYTHING
               ? cleared
               : (struct gpu_hiz_block){0};
      }
   }
}

/* ---- bounds of a shape --------------------------------------------------- */

static float
word_as_float(const uint32_t *constants, uint32_t word)
{
   return tg_float_of_bits(constants[word]);
}

/* Over rectangles of so many pixels. */
static void
find_plane(const uint32_t *constants, int32_t width, int32_t height,
           struct gpu_hiz_plane *plane)
{
   const double a = word_as_float(constants, GPU_SHAPE_Z);
   const double da_dx = word_as_float(constants, GPU_SHAPE_Z + GPU_PLANE_DX);
   const double da_dy = word_as_float(constants, GPU_SHAPE_Z + GPU_PLANE_DY);
   const double across = da_dx * width, down = da_dy * height;
   *plane = (struct gpu_hiz_plane){
      .x = word_as_float(constants, GPU_SHAPE_X),
      .y = word_as_float(constants, GPU_SHAPE_Y),
      .a = a,
      .da_dx = da_dx,
      .da_dy = da_dy,
      .least = (across < 0 ? across : 0) + (down < 0 ? down : 0),
      .greatest = (across > 0 ? across : 0) + (down > 0 ? down : 0),
      .room = 0x1p-21 * (fabs(a) + fabs(across) + fabs(down)),
   };
}

/* Over the rectangle at (x, y), with some room for rounding. */
static struct gpu_hiz_bounds
bound_plane(const struct gpu_hiz_plane *plane, int32_t x, int32_t y)
{
   const double across = (x - plane->x) * plane->da_dx;
   const double down = (y - plane->y) * plane->da_dy;
   const double corner = plane->a + across + down;
   const double room = plane->room + 0x1p-21 * (fabs(across) + fabs(down));
   return (struct gpu_hiz_bounds){(float)(corner + plane->least - room),
                                  (float)(corner + plane->greatest + room)};
}

/* Of the depths that the shape writes there. They are held to [0, 1] at most: a
 * bound that is beyond the far end is there. */
static struct gpu_hiz_bounds
bound_depths(const struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             const struct gpu_hiz_plane *plane, int32_t x, int32_t y)
{
   const uint32_t *constants = hiz->constants;
   struct gpu_hiz_bounds z = bound_plane(plane, x, y);
   if (mode->clamps) {
      z.min = gpu_lesser(z.min, word_as_float(constants, GPU_SHAPE_MAX_DEPTH));
      z.max = gpu_greater(z.max, word_as_float(constants, GPU_SHAPE_MIN_DEPTH));
   }
   return (struct gpu_hiz_bounds){gpu_lesser(z.min, 1.0f) - hiz->margin,
                                  gpu_greater(z.max, 0.0f) + hiz->margin};
}

static bool
fails_everywhere(enum tg_compare func, const struct gpu_hiz_bounds *shape,
                 const struct gpu_hiz_bounds *buffer)
{
   switch (func) {
   case TG_COMPARE_NEVER: return true;
   case TG_COMPARE_LESS: return shape->min >= buffer->max;
   case TG_COMPARE_LEQUAL: return shape->min > buffer->max;
   case TG_COMPARE_GREATER: return shape->max <= buffer->min;
   case TG_COMPARE_GEQUAL: return shape->max < buffer->min;
   case TG_COMPARE_EQUAL:
      return shape->min > buffer->max || shape->max < buffer->min;
   default: return false;
   }
}

static bool
passes_everywhere(enum tg_compare func, const struct gpu_hiz_bounds *shape,
                  const struct gpu_hiz_bounds *buffer)
{
   switch (func) {
   case TG_COMPARE_LESS: return shape->max < buffer->min;
   case TG_COMPARE_LEQUAL: return shape->max <= buffer->min;
   case TG_COMPARE_GREATER: return shape->min > buffer->max;
   case TG_COMPARE_GEQUAL: return shape->min >= buffer->max;
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

static void
use_layer(struct gpu_hiz *hiz, uint32_t layer)
{
   if (layer != hiz->layer)
      gpu_hiz_forget(hiz);
   hiz->layer = layer;
}

static struct gpu_hiz_block *
find_block(struct gpu_hiz *hiz, uint32_t layer, uint32_t number)
{
   assert(number < GPU_HIZ_BLOCKS * GPU_HIZ_BLOCKS);
   use_layer(hiz, layer);
   return &hiz->blocks[number / GPU_HIZ_BLOCKS][number % GPU_HIZ_BLOCKS];
}

/* Pixels of the shape's bounds, one way, between two pixels of a block. */
static int32_t
overlap(int32_t shape_min, int32_t shape_max, int32_t first)
{
   return tg_min_i32(shape_max, first + GPU_HIZ_SIZE - 1) -
          tg_max_i32(shape_min, first) + 1;
}

/* Is there a depth that would fail? */
static bool
may_hide(enum tg_compare func)
{
   return func != TG_COMPARE_ALWAYS && func != TG_COMPARE_NOTEQUAL;
}

/* Does what is written leave the bound alone that tells what fails? */
static bool
is_one_sided(enum tg_compare func)
{
   return func == TG_COMPARE_LESS || func == TG_COMPARE_LEQUAL ||
          func == TG_COMPARE_GREATER || func == TG_COMPARE_GEQUAL;
}

/* Pixels of the shape's bounds in the block at (x, y). */
static int32_t
num_bounded(const struct gpu_shape *shape, uint32_t x, uint32_t y)
{
   return overlap(shape->min_x, shape->max_x, (int32_t)x) *
          overlap(shape->min_y, shape->max_y, (int32_t)y);
}

/* Reads the bounds of a block that are not known, or not tight, if the shape
 * may have much in it. */
static void
refresh(struct gpu_hiz *hiz, const struct gpu_shape *shape, uint32_t x,
        uint32_t y, struct gpu_hiz_block *block)
{
   if ((block->is_known && block->num_written < WORTH_READING_AGAIN) ||
       num_bounded(shape, x, y) < WORTH_READING)
      return;
   block->is_known = gpu_hiz_read(hiz, x, y, &block->bounds);
   block->num_written = 0;
}

/* What is written is on one side of what was there: that bound stays a bound,
 * and the other goes as far as the shape. */
static void
widen(struct gpu_hiz_bounds *bounds, enum tg_compare func,
      const struct gpu_hiz_bounds *shape)
{
   switch (func) {
   case TG_COMPARE_NEVER:
   case TG_COMPARE_EQUAL: break;
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL:
      bounds->min = gpu_lesser(shape->min, bounds->min);
      break;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL:
      bounds->max = gpu_greater(shape->max, bounds->max);
      break;
   default:
      bounds->min = gpu_lesser(shape->min, bounds->min);
      bounds->max = gpu_greater(shape->max, bounds->max);
   }
}

static bool
is_bounded(const struct gpu_hiz_bounds *shape)
{
   return shape->min <= shape->max; /* none of them is a NaN */
}

static void
note_written(struct gpu_hiz_block *block, uint32_t num_quads)
{
   block->num_written =
      (uint8_t)tg_min_u32(UINT8_MAX, block->num_written + num_quads);
}

/* For the first time that a shape asks for a block. One that is not hidden
 * widens what the block has, as what is drawn will. */
static bool
is_hidden(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
          const struct gpu_shape *shape, uint32_t number)
{
   const uint32_t x = hiz->x + number % GPU_HIZ_BLOCKS * GPU_HIZ_SIZE;
   const uint32_t y = hiz->y + number / GPU_HIZ_BLOCKS * GPU_HIZ_SIZE;
   const enum tg_compare func = (enum tg_compare)mode->func;
   struct gpu_hiz_block *block = find_block(hiz, shape->layer, number);
   if (may_hide(func))
      refresh(hiz, shape, x, y, block);
   block->num_whole = 0;
   block->shape = (struct gpu_hiz_bounds){NAN, NAN}; /* nobody will ask */
   if (block->is_known ||
       num_bounded(shape, x, y) == GPU_HIZ_SIZE * GPU_HIZ_SIZE)
      block->shape =
         bound_depths(hiz, mode, &hiz->plane, (int32_t)x, (int32_t)y);
   if (block->is_known && fails_everywhere(func, &block->shape, &block->bounds))
      return true;
   if (mode->writes)
      widen(&block->bounds, func,
            is_bounded(&block->shape) ? &block->shape : &anything);
   return false;
}

bool
gpu_hiz_hides(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
              const struct gpu_shape *shape, int32_t x, int32_t y)
{
   if (!hiz->surface || !mode->hides)
      return false;
   const uint32_t number = block_number(hiz, x, y);
   const uint64_t bit = UINT64_C(1) << number;
   if (!hiz->asked)
      find_plane(hiz->constants, GPU_HIZ_SIZE, GPU_HIZ_SIZE, &hiz->plane);
   if (!(hiz->asked & bit) && is_hidden(hiz, mode, shape, number))
      hiz->hidden |= bit;
   hiz->asked |= bit;
   return hiz->hidden & bit;
}

static struct gpu_hiz_bounds
bound_square(const struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             int32_t x, int32_t y, int32_t size)
{
   struct gpu_hiz_plane plane;
   find_plane(hiz->constants, size, size, &plane);
   return bound_depths(hiz, mode, &plane, x, y);
}

bool
gpu_hiz_would_hide(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
                   const struct gpu_shape *shape, int32_t x, int32_t y)
{
   const enum tg_compare func = (enum tg_compare)mode->func;
   if (!hiz->surface || !mode->hides || !may_hide(func))
      return false;
   const uint32_t number = block_number(hiz, x, y);
   struct gpu_hiz_block *block = find_block(hiz, shape->layer, number);
   refresh(hiz, shape, (uint32_t)x, (uint32_t)y, block);
   const struct gpu_hiz_bounds depths =
      bound_square(hiz, mode, x, y, GPU_HIZ_SIZE);
   return block->is_known && fails_everywhere(func, &depths, &block->bounds);
}

bool
gpu_hiz_passes(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
               const struct gpu_shape *shape,
               const struct gpu_hiz_bounds *depths, int32_t x, int32_t y,
               int32_t size)
{
   const enum tg_compare func = (enum tg_compare)mode->func;
   struct gpu_hiz_bounds bounds;
   if (!hiz->surface || func == TG_COMPARE_ALWAYS)
      return true;
   if ((!depths && !mode->hides) || !may_hide(func))
      return false;
   bounds = depths ? *depths : bound_square(hiz, mode, x, y, size);
   for (int32_t j = y; j < y + size; j += GPU_HIZ_SIZE) {
      for (int32_t i = x; i < x + size; i += GPU_HIZ_SIZE) {
         struct gpu_hiz_block *block =
            find_block(hiz, shape->layer, block_number(hiz, i, j));
         refresh(hiz, shape, (uint32_t)i, (uint32_t)j, block);
         if (!block->is_known ||
             !passes_everywhere(func, &bounds, &block->bounds))
            return false;
      }
   }
   return true;
}

/* The shape covers all samples of a block: each is now no further than the
 * shape's depth on the side that passes, or is that depth. */
static void
tighten(struct gpu_hiz_block *block, enum tg_compare func)
{
   const struct gpu_hiz_bounds *shape = &block->shape;
   struct gpu_hiz_bounds *bounds = &block->bounds;
   const struct gpu_hiz_bounds before = block->is_known ? *bounds : anything;
   switch (func) {
   case TG_COMPARE_NEVER:
   case TG_COMPARE_EQUAL: return;
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL:
      bounds->max = gpu_lesser(shape->max, before.max);
      bounds->min = before.min;
      break;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL:
      bounds->min = gpu_greater(shape->min, before.min);
      bounds->max = before.max;
      break;
   default: *bounds = *shape;
   }
   block->is_known = true;
   block->num_written = 0;
}

/* All of a block is covered as soon as its four parts are. */
void
gpu_hiz_note(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             uint32_t layer, int32_t x, int32_t y, uint32_t num_quads,
             unsigned num_whole)
{
   if (!hiz->surface || !mode->writes)
      return;
   const uint32_t number = block_number(hiz, x, y);
   const bool is_asked = hiz->asked >> number & 1;
   struct gpu_hiz_block *block = find_block(hiz, layer, number);
   note_written(block, num_quads);
   if (!is_asked) {
      widen(&block->bounds, (enum tg_compare)mode->func, &anything);
      return;
   }
   block->num_whole = (uint8_t)(block->num_whole + num_whole);
   if (block->num_whole == PARTS && mode->keeps && is_bounded(&block->shape))
      tighten(block, (enum tg_compare)mode->func);
}

/* ---- small shapes -------------------------------------------------------- */

/* A shape's bounds in the tile: pixels, and the blocks that have them, all of
 * them inclusive. */
struct part {
   int32_t min_x, min_y, max_x, max_y;
   uint32_t first_column, first_row, last_column, last_row;
};

static struct part
find_part(const struct gpu_hiz *hiz, const struct gpu_shape *shape)
{
   const int32_t x = (int32_t)hiz->x, y = (int32_t)hiz->y;
   struct part part = {
      .min_x = tg_max_i32(shape->min_x, x),
      .min_y = tg_max_i32(shape->min_y, y),
      .max_x = tg_min_i32(shape->max_x, x + GPU_TILE_SIZE - 1),
      .max_y = tg_min_i32(shape->max_y, y + GPU_TILE_SIZE - 1),
   };
   assert(part.min_x <= part.max_x && part.min_y <= part.max_y);
   part.first_column = (uint32_t)(part.min_x - x) / GPU_HIZ_SIZE;
   part.first_row = (uint32_t)(part.min_y - y) / GPU_HIZ_SIZE;
   part.last_column = (uint32_t)(part.max_x - x) / GPU_HIZ_SIZE;
   part.last_row = (uint32_t)(part.max_y - y) / GPU_HIZ_SIZE;
   return part;
}

bool
gpu_hiz_is_small(const struct gpu_hiz *hiz, const struct gpu_shape *shape)
{
   const struct part part = find_part(hiz, shape);
   return part.last_column - part.first_column < MOST_OF_SMALL &&
          part.last_row - part.first_row < MOST_OF_SMALL;
}

static struct gpu_hiz_bounds
bound_part(const struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
           const struct part *part)
{
   struct gpu_hiz_plane plane;
   find_plane(hiz->constants, part->max_x + 1 - part->min_x,
              part->max_y + 1 - part->min_y, &plane);
   return bound_depths(hiz, mode, &plane, part->min_x, part->min_y);
}

/* Is a depth known of which one between 0 and 1 might fail? */
static bool
may_fail(enum tg_compare func, const struct gpu_hiz_block *block)
{
   if (!block->is_known)
      return false;
   switch (func) {
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL: return block->bounds.max < 1.0f;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL: return block->bounds.min > 0.0f;
   default: return true;
   }
}

/* False when nothing of the shape can be hidden, whatever its depths. */
static bool
refresh_part(struct gpu_hiz *hiz, enum tg_compare func,
             const struct gpu_shape *shape, const struct part *part)
{
   bool may_be_hidden = true;
   for (uint32_t i = part->first_row; i <= part->last_row; i++) {
      for (uint32_t k = part->first_column; k <= part->last_column; k++) {
         struct gpu_hiz_block *block = &hiz->blocks[i][k];
         refresh(hiz, shape, hiz->x + k * GPU_HIZ_SIZE,
                 hiz->y + i * GPU_HIZ_SIZE, block);
         may_be_hidden &= may_fail(func, block);
      }
   }
   return may_be_hidden;
}

static bool
is_part_hidden(const struct gpu_hiz *hiz, enum tg_compare func,
               const struct part *part, const struct gpu_hiz_bounds *shape)
{
   for (uint32_t i = part->first_row; i <= part->last_row; i++) {
      for (uint32_t k = part->first_column; k <= part->last_column; k++) {
         const struct gpu_hiz_block *block = &hiz->blocks[i][k];
         assert(block->is_known);
         if (!fails_everywhere(func, shape, &block->bounds))
            return false;
      }
   }
   return true;
}

/* Bit i: block i is one of them. */
static uint64_t
blocks_of_part(const struct part *part)
{
   const uint32_t columns =
      (2u << part->last_column) - (1u << part->first_column);
   uint64_t blocks = 0;
   for (uint32_t i = part->first_row; i <= part->last_row; i++)
      blocks |= (uint64_t)columns << i * GPU_HIZ_BLOCKS;
   return blocks;
}

/* Half of the bounds is written at the most, for all that is known. */
static void
note_part(struct gpu_hiz *hiz, enum tg_compare func, const struct part *part,
          const struct gpu_hiz_bounds *shape)
{
   const uint32_t num_columns = part->last_column - part->first_column + 1;
   const uint32_t num_rows = part->last_row - part->first_row + 1;
   const uint32_t num_pixels = (uint32_t)(part->max_x + 1 - part->min_x) *
                               (uint32_t)(part->max_y + 1 - part->min_y);
   const uint32_t num_quads = num_pixels / (8 * num_columns * num_rows) + 1;
   for (uint32_t i = part->first_row; i <= part->last_row; i++) {
      for (uint32_t k = part->first_column; k <= part->last_column; k++) {
         widen(&hiz->blocks[i][k].bounds, func, shape);
         note_written(&hiz->blocks[i][k], num_quads);
      }
   }
}

bool
gpu_hiz_hides_shape(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
                    const struct gpu_shape *shape)
{
   const enum tg_compare func = (enum tg_compare)mode->func;
   if (!hiz->surface || (!mode->hides && !mode->writes))
      return false;
   const struct part part = find_part(hiz, shape);
   struct gpu_hiz_bounds depths = anything;
   use_layer(hiz, shape->layer);
   const bool is_tested =
      mode->hides && may_hide(func) && refresh_part(hiz, func, shape, &part);
   /* Else nobody asks for the bound that they would widen. */
   if (is_tested || (mode->hides && !is_one_sided(func)))
      depths = bound_part(hiz, mode, &part);
   if (is_tested && is_part_hidden(hiz, func, &part, &depths)) {
      hiz->hidden = blocks_of_part(&part);
      return true;
   }
   if (mode->writes)
      note_part(hiz, func, &part, is_bounded(&depths) ? &depths : &anything);
   return false;
}
