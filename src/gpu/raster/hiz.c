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
#include "tgsi/shader/shader.h"
#include "util/bits.h"
#include "util/minmax.h"

enum {
   /* Pixels of a shape's bounds in a block from which on bounds are read. */
   WORTH_READING = 32,
   /* Quads that may be written before they are read again: all of a block. */
   WORTH_READING_AGAIN = 32,
   PARTS = 4, /* blocks of 4 by 4 pixels in one */
};

/* Of two numbers; the second if one is NaN. */
static float
lesser(float a, float b)
{
   return a < b ? a : b;
}

static float
greater(float a, float b)
{
   return a > b ? a : b;
}

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
   hiz->surface = NULL;
   const struct format_channel *depth =
      format_depth_channel((enum tg_format)surface->format);
   if (!surface->resource || !depth)
      return;
   hiz->surface = surface;
   hiz->x = x;
   hiz->y = y;
   hiz->width = target->width;
   hiz->height = target->height;
   hiz->layer = 0;
   hiz->margin = margin_of(depth);
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

/* Columns of a row: each has bounds of its own, so that they do not wait for
 * each other. */
typedef uint32_t row_words __attribute__((vector_size(GPU_HIZ_SIZE * 4)));
typedef int32_t row_numbers __attribute__((vector_size(GPU_HIZ_SIZE * 4)));
typedef float row_floats __attribute__((vector_size(GPU_HIZ_SIZE * 4)));

/* The first word of each texel. What is outside of the framebuffer is as the
 * last column that is not. */
static void
load_row(const struct rows *rows, uint32_t i, size_t stride, row_words *row_out)
{
   const unsigned char *row = find_row(rows, i);
   uint32_t words[GPU_HIZ_SIZE] = {0};
   if (stride == sizeof(uint32_t) && rows->width == GPU_HIZ_SIZE) {
      memcpy(row_out, row, sizeof(*row_out));
      return;
   }
   for (uint32_t k = 0; k < GPU_HIZ_SIZE; k++)
      memcpy(&words[k], row + tg_min_u32(k, rows->width - 1) * stride,
             stride < sizeof(uint32_t) ? stride : sizeof(uint32_t));
   memcpy(row_out, words, sizeof(words));
}

/* A NaN is no bound. */
static bool
read_floats(const struct rows *rows, size_t stride, struct gpu_hiz_block *block)
{
   row_floats least = (row_floats){0} + INFINITY, greatest = -least;
   row_numbers is_nan = {0};
   bool is_ordered = true;
   for (uint32_t i = 0; i < rows->num_samples * rows->height; i++) {
      row_words words;
      load_row(rows, i, stride, &words);
      const row_floats depth = (row_floats)words;
      const row_words less = (row_words)(depth < least);
      const row_words more = (row_words)(depth > greatest);
      is_nan |= depth != depth;
      least = (row_floats)((words & less) | ((row_words)least & ~less));
      greatest = (row_floats)((words & more) | ((row_words)greatest & ~more));
   }
   block->min = INFINITY;
   block->max = -INFINITY;
   for (uint32_t i = 0; i < GPU_HIZ_SIZE; i++) {
      is_ordered &= !is_nan[i];
      block->min = lesser(least[i], block->min);
      block->max = greater(greatest[i], block->max);
   }
   return is_ordered;
}

/* The same for depths of up to 32 bits, which keep their order. They are
 * compared as signed numbers with the highest bit flipped. */
static void
read_integers(const struct rows *rows, size_t stride,
              const struct format_channel *channel, struct gpu_hiz_block *block)
{
   const uint32_t mask = (uint32_t)format_greatest(channel);
   const uint32_t flip = UINT32_C(1) << 31;
   row_numbers least = (row_numbers){0} + INT32_MAX, greatest = ~least;
   uint32_t min = UINT32_MAX, max = 0;
   for (uint32_t i = 0; i < rows->num_samples * rows->height; i++) {
      row_words words;
      load_row(rows, i, stride, &words);
      const row_numbers depth =
         (row_numbers)((words >> channel->shift & mask) ^ flip);
      const row_numbers less = depth<least, more = depth> greatest;
      least = (depth & less) | (least & ~less);
      greatest = (depth & more) | (greatest & ~more);
   }
   for (uint32_t i = 0; i < GPU_HIZ_SIZE; i++) {
      min = tg_min_u32(min, (uint32_t)least[i] ^ flip);
      max = tg_max_u32(max, (uint32_t)greatest[i] ^ flip);
   }
   block->min = (float)(min / (double)mask);
   block->max = (float)(max / (double)mask);
}

/* False when one of them is a NaN. */
static bool
read_rows(enum tg_format format, const struct rows *rows,
          struct gpu_hiz_block *block)
{
   const struct format_channel *channel = format_depth_channel(format);
   const size_t num_bytes = format_info(format)->block_bytes;
   if (channel->type == FORMAT_TYPE_FLOAT)
      return read_floats(rows, num_bytes, block);
   read_integers(rows, num_bytes, channel, block);
   return true;
}

static bool
read_block(const struct gpu_hiz *hiz, uint32_t x, uint32_t y,
           struct gpu_hiz_block *block)
{
   const struct rows rows = find_rows(hiz, x, y);
   if (hiz->settle)
      hiz->settle(hiz->user);
   return read_rows((enum tg_format)hiz->surface->format, &rows, block);
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
   const struct format_channel *channel = format_depth_channel(format);
   const uint32_t depth = UINT32_MAX >> (32 - channel->bits) << channel->shift;
   const uint32_t mask = first_word(pattern->mask, pattern->num_bytes) & depth;
   if (!mask)
      return NOTHING;
   return mask == depth ? EVERYTHING : SOME;
}

/* The bounds that all depths have which a pattern makes. */
static struct gpu_hiz_block
cleared_block(enum tg_format format, const struct resource_pattern *pattern)
{
   const struct rows texel = {
      .first = pattern->value,
      .width = 1,
      .height = 1,
      .num_samples = 1,
   };
   struct gpu_hiz_block block = {0};
   block.is_known = read_rows(format, &texel, &block);
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

static void
find_plane(const uint32_t *constants, struct gpu_hiz_plane *plane)
{
   const double a = word_as_float(constants, GPU_SHAPE_Z);
   const double da_dx = word_as_float(constants, GPU_SHAPE_Z + GPU_PLANE_DX);
   const double da_dy = word_as_float(constants, GPU_SHAPE_Z + GPU_PLANE_DY);
   const double across = da_dx * GPU_HIZ_SIZE, down = da_dy * GPU_HIZ_SIZE;
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

/* Over the block at (x, y), with some room for rounding. */
static void
bound_plane(const struct gpu_hiz_plane *plane, uint32_t x, uint32_t y,
            float *min_out, float *max_out)
{
   const double across = (x - plane->x) * plane->da_dx;
   const double down = (y - plane->y) * plane->da_dy;
   const double corner = plane->a + across + down;
   const double room = plane->room + 0x1p-21 * (fabs(across) + fabs(down));
   *min_out = (float)(corner + plane->least - room);
   *max_out = (float)(corner + plane->greatest + room);
}

/* Of the depths that the shape writes into a block. They are held to [0, 1] at
 * most: a bound that is beyond the far end is there. */
static void
bound_depths(const struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             uint32_t x, uint32_t y, struct gpu_hiz_block *block)
{
   const uint32_t *constants = hiz->constants;
   float min_z, max_z;
   bound_plane(&hiz->plane, x, y, &min_z, &max_z);
   if (mode->clamps) {
      min_z = lesser(min_z, word_as_float(constants, GPU_SHAPE_MAX_DEPTH));
      max_z = greater(max_z, word_as_float(constants, GPU_SHAPE_MIN_DEPTH));
   }
   block->shape_min = lesser(min_z, 1.0f) - hiz->margin;
   block->shape_max = greater(max_z, 0.0f) + hiz->margin;
}

static bool
fails_everywhere(enum tg_compare func, const struct gpu_hiz_block *block)
{
   const float low = block->shape_min, high = block->shape_max;
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

/* Is there a depth that would fail? */
static bool
may_hide(enum tg_compare func)
{
   return func != TG_COMPARE_ALWAYS && func != TG_COMPARE_NOTEQUAL;
}

/* Pixels of the shape's bounds in the block at (x, y). */
static int32_t
num_bounded(const struct gpu_shape *shape, uint32_t x, uint32_t y)
{
   return overlap(shape->min_x, shape->max_x, (int32_t)x) *
          overlap(shape->min_y, shape->max_y, (int32_t)y);
}

static bool
is_worth_reading(const struct gpu_hiz_block *block, int32_t num_pixels)
{
   return (!block->is_known || block->num_written >= WORTH_READING_AGAIN) &&
          num_pixels >= WORTH_READING;
}

/* What is written is on one side of what was there: that bound stays a bound,
 * and the other goes as far as the shape. */
static void
widen(struct gpu_hiz_block *block, enum tg_compare func, float least,
      float greatest)
{
   switch (func) {
   case TG_COMPARE_NEVER:
   case TG_COMPARE_EQUAL: break;
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL: block->min = lesser(least, block->min); break;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL: block->max = greater(greatest, block->max); break;
   default:
      block->min = lesser(least, block->min);
      block->max = greater(greatest, block->max);
   }
}

static bool
has_bounds(const struct gpu_hiz_block *block)
{
   return block->shape_min <= block->shape_max; /* none of them is a NaN */
}

static void
widen_by_shape(struct gpu_hiz_block *block, enum tg_compare func)
{
   const bool is_bounded = has_bounds(block);
   widen(block, func, is_bounded ? block->shape_min : -INFINITY,
         is_bounded ? block->shape_max : INFINITY);
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
   const int32_t num_pixels = num_bounded(shape, x, y);
   struct gpu_hiz_block *block = find_block(hiz, shape->layer, number);
   if (may_hide(func) && is_worth_reading(block, num_pixels)) {
      block->is_known = read_block(hiz, x, y, block);
      block->num_written = 0;
   }
   block->num_whole = 0;
   block->shape_min = block->shape_max = NAN; /* nobody will ask */
   if (block->is_known || num_pixels == GPU_HIZ_SIZE * GPU_HIZ_SIZE)
      bound_depths(hiz, mode, x, y, block);
   if (block->is_known && fails_everywhere(func, block))
      return true;
   if (mode->writes)
      widen_by_shape(block, func);
   return false;
}

void
gpu_hiz_begin_shape(struct gpu_hiz *hiz, const uint32_t *constants)
{
   hiz->asked = hiz->hidden = 0;
   hiz->constants = constants;
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
      find_plane(hiz->constants, &hiz->plane);
   if (!(hiz->asked & bit) && is_hidden(hiz, mode, shape, number))
      hiz->hidden |= bit;
   hiz->asked |= bit;
   return hiz->hidden & bit;
}

unsigned
gpu_hiz_num_hidden(const struct gpu_hiz *hiz)
{
   return hiz->hidden ? (unsigned)__builtin_popcountll(hiz->hidden) : 0;
}

/* The shape covers all samples of a block: each is now no further than the
 * shape's depth on the side that passes, or is that depth. */
static void
tighten(struct gpu_hiz_block *block, enum tg_compare func)
{
   const float least = block->shape_min, greatest = block->shape_max;
   switch (func) {
   case TG_COMPARE_NEVER:
   case TG_COMPARE_EQUAL: return;
   case TG_COMPARE_LESS:
   case TG_COMPARE_LEQUAL:
      block->max = block->is_known ? lesser(greatest, block->max) : greatest;
      block->min = block->is_known ? block->min : -INFINITY;
      break;
   case TG_COMPARE_GREATER:
   case TG_COMPARE_GEQUAL:
      block->min = block->is_known ? greater(least, block->min) : least;
      block->max = block->is_known ? block->max : INFINITY;
      break;
   default: block->min = least; block->max = greatest;
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
   block->num_written =
      (uint8_t)tg_min_u32(UINT8_MAX, block->num_written + num_quads);
   if (!is_asked) {
      widen(block, (enum tg_compare)mode->func, -INFINITY, INFINITY);
      return;
   }
   block->num_whole = (uint8_t)(block->num_whole + num_whole);
   if (block->num_whole == PARTS && mode->keeps && has_bounds(block))
      tighten(block, (enum tg_compare)mode->func);
}
