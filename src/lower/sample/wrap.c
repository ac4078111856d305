/* SPDX-License-Identifier: MIT
 *
 * Wrap modes: from a coordinate to the one or two texels that it leads to along
 * an axis, by the rules of OpenGL (section 8.14 of 4.6; GL_CLAMP as in 2.1; the
 * other mirrored modes as in EXT_texture_mirror_clamp).
 *
 * A texel offset moves texels, so it is added after the scaling and before
 * the wrapping. Where a mode repeats, coordinate and offset are reduced to
 * one period before they meet, which keeps the fraction's bits and lets the
 * offset be any integer.
 */
#include "lower/sample/parts.h"

#include <assert.h>

#include "util/length.h"

/* Offsets beyond this lead past each texture. It is a little less than where
 * coordinates are held, so that a far coordinate wins over a far offset. */
#define MAX_OFFSET ((1 << 30) - (1 << 20))
#define MAX_PLACE 0x1p30f

/* One axis while it is wrapped. */
struct axis {
   struct lir_builder *builder;
   enum tg_wrap wrap;
   bool is_normalized;
   bool is_finite;
   bool has_offset;
   lir_value coord;
   lir_value offset;
   lir_value size, size_float;
   lir_value last; /* texel */
   lir_value pitch;
};

/* ---- what is wrapped ----------------------------------------------------- */

/* The seams of a cube do what wrap modes do elsewhere. */
static enum tg_wrap
wrap_mode(const struct sample *sample, unsigned axis, bool is_linear)
{
   if (sample->is_cube && sample->sampler->seamless_cube)
      return is_linear ? TG_WRAP_CLAMP_TO_BORDER : TG_WRAP_CLAMP_TO_EDGE;
   return (enum tg_wrap)sample->sampler->wrap[axis];
}

static struct axis
make_axis(const struct sample *sample, const struct sample_level *level,
          unsigned axis, lir_value coord, unsigned offset, bool is_linear)
{
   assert(axis < sample->num_axes);
   assert(offset < TG_LENGTH(sample->offset));
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_const32(builder, 1);

   return (struct axis){
      .builder = builder,
      .wrap = wrap_mode(sample, axis, is_linear),
      .is_normalized = sample->is_normalized,
      .is_finite = sample->is_cube,
      .has_offset = sample->kind.num_offsets > offset,
      .coord = coord,
      .offset = sample->offset[offset][axis],
      .size = level->size[axis],
      .size_float = level->size_float[axis],
      .last = lir_isub(builder, level->size[axis], one),
      .pitch = level->pitch[axis],
   };
}

/* Clamps to [low, high]. */
static lir_value
emit_clamp(struct lir_builder *builder, lir_value x, lir_value low,
           lir_value high)
{
   const lir_value raised = lir_fmax(builder, x, low);
   return lir_fmin(builder, raised, high);
}

/* The coordinate in texels plus `shift`, with one rounding. What is not finite
 * counts as 0. */
static lir_value
emit_scaled(const struct axis *axis, lir_value shift)
{
   const lir_value coord =
      axis->is_finite ? axis->coord : sample_finite(axis->builder, axis->coord);

   if (!axis->is_normalized)
      return lir_fadd(axis->builder, coord, shift);
   return lir_ffma(axis->builder, coord, axis->size_float, shift);
}

/* The offset as a float, plus `shift`. */
static lir_value
emit_shift(const struct axis *axis, float shift)
{
   struct lir_builder *builder = axis->builder;
   const lir_value constant = lir_constf(builder, shift);

   if (!axis->has_offset)
      return constant;
   const lir_value offset = lir_i2f(builder, axis->offset);
   return lir_fadd(builder, offset, constant);
}

/* ---- taps ---------------------------------------------------------------- */

static lir_value
emit_part(const struct axis *axis, lir_value place)
{
   return lir_imul(axis->builder, place, axis->pitch);
}

/* The part of the texel after one: an addition, which takes a fraction of the
 * time of a multiplication. */
static lir_value
emit_next_part(const struct axis *axis, lir_value part)
{
   return lir_iadd(axis->builder, part, axis->pitch);
}

/* ---- modes that repeat --------------------------------------------------- */

static bool
repeats(enum tg_wrap wrap)
{
   return wrap == TG_WRAP_REPEAT || wrap == TG_WRAP_MIRROR_REPEAT;
}

/* After how many texels they begin anew. */
static lir_value
emit_period(const struct axis *axis)
{
   if (axis->wrap == TG_WRAP_REPEAT)
      return axis->size;
   return lir_iadd(axis->builder, axis->size, axis->size);
}

static lir_value
emit_period_float(const struct axis *axis)
{
   if (axis->wrap == TG_WRAP_REPEAT)
      return axis->size_float;
   return lir_fadd(axis->builder, axis->size_float, axis->size_float);
}

/* The offset within [0, period). */
static lir_value
emit_reduced_offset(const struct axis *axis, lir_value period)
{
   struct lir_builder *builder = axis->builder;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value rest = lir_irem(builder, axis->offset, period);
   const lir_value is_negative = lir_ilt(builder, rest, zero);
   const lir_value raised = lir_iadd(builder, rest, period);
   return lir_sel32(builder, is_negative, raised, rest);
}

/* x minus the greatest multiple of `length` below it. A quotient beyond 2^24 is
 * rounded, so that what is left of a far x may be some lengths off. */
static lir_value
emit_rest(struct lir_builder *builder, lir_value x, lir_value length)
{
   const lir_value turns = lir_fdiv(builder, x, length);
   const lir_value whole = lir_ffloor(builder, turns);
   const lir_value back = lir_fneg(builder, whole);
   return lir_ffma(builder, back, length, x);
}

/* The coordinate within [0, period], in texels, plus `shift`. The fraction of a
 * small negative number may have been rounded up to the whole period. What is
 * not finite becomes 0. */
static lir_value
emit_reduced(const struct axis *axis, lir_value shift)
{
   struct lir_builder *builder = axis->builder;
   const lir_value length = emit_period_float(axis);
   const lir_value zero = lir_constf(builder, 0.0f);

   if (!axis->is_normalized) {
      const lir_value near = emit_rest(builder, axis->coord, length);
      const lir_value inside = emit_rest(builder, near, length);
      const lir_value number = emit_clamp(builder, inside, zero, length);
      return lir_fadd(builder, number, shift);
   }
   lir_value turns = axis->coord;
   if (axis->wrap == TG_WRAP_MIRROR_REPEAT) {
      const lir_value half = lir_constf(builder, 0.5f);
      turns = lir_fmul(builder, turns, half);
   }
   const lir_value whole = lir_ffloor(builder, turns);
   const lir_value part = lir_fsub(builder, turns, whole);
   const lir_value number = lir_fmax(builder, part, zero);
   return lir_ffma(builder, number, length, shift);
}

/* From [-1, period], or with an offset [-1, 2 period), to a texel. */
static lir_value
emit_repeated(const struct axis *axis, lir_value place, lir_value period)
{
   struct lir_builder *builder = axis->builder;
   const lir_value zero = lir_const32(builder, 0);
   lir_value below = place;

   if (axis->has_offset || axis->wrap == TG_WRAP_REPEAT) {
      const lir_value is_beyond = lir_ige(builder, place, period);
      const lir_value lowered = lir_isub(builder, place, period);
      below = lir_sel32(builder, is_beyond, lowered, place);
   }
   if (axis->wrap == TG_WRAP_REPEAT) {
      const lir_value is_before = lir_ilt(builder, below, zero);
      return lir_sel32(builder, is_before, axis->last, below);
   }
   /* The second half is the first from the end; -1, the last of a period, and
    * the first of the next are texel 0. */
   const lir_value one = lir_const32(builder, 1);
   const lir_value last = lir_isub(builder, period, one);
   const lir_value mirrored = lir_isub(builder, last, below);
   const lir_value lesser = lir_imin(builder, below, mirrored);
   return lir_imax(builder, lesser, zero);
}

static void
emit_repeat_nearest(const struct axis *axis, struct sample_taps *taps)
{
   struct lir_builder *builder = axis->builder;
   const lir_value period = emit_period(axis);
   const lir_value no_shift = lir_constf(builder, 0.0f);
   const lir_value one = lir_const32(builder, 1);
   const lir_value reduced = emit_reduced(axis, no_shift);
   const lir_value texel = lir_f2u(builder, reduced);
   const lir_value last = lir_isub(builder, period, one);
   lir_value place = lir_umin(builder, texel, last);

   if (axis->has_offset) {
      const lir_value offset = emit_reduced_offset(axis, period);
      place = lir_iadd(builder, place, offset);
   }
   taps->place[0] = place;
   if (axis->has_offset || axis->wrap == TG_WRAP_MIRROR_REPEAT)
      taps->place[0] = emit_repeated(axis, place, period);
   taps->part[0] = emit_part(axis, taps->place[0]);
}

static void
emit_repeat_linear(const struct axis *axis, struct sample_taps *taps)
{
   struct lir_builder *builder = axis->builder;
   const lir_value period = emit_period(axis);
   lir_value shift = lir_constf(builder, -0.5f);

   if (axis->has_offset) {
      const lir_value offset = emit_reduced_offset(axis, period);
      const lir_value offset_float = lir_i2f(builder, offset);
      shift = lir_fadd(builder, offset_float, shift);
   }
   const lir_value one = lir_const32(builder, 1);
   const lir_value place = emit_reduced(axis, shift);
   const lir_value floored = lir_ffloor(builder, place);
   const lir_value first = lir_f2i(builder, floored);
   const lir_value second = lir_iadd(builder, first, one);

   taps->weight = lir_fsub(builder, place, floored);
   if (axis->wrap == TG_WRAP_REPEAT && !axis->has_offset) {
      const lir_value zero = lir_const32(builder, 0);
      const lir_value is_before = lir_ilt(builder, first, zero);
      const lir_value is_behind = lir_ige(builder, second, axis->size);
      const lir_value part = emit_part(axis, first);
      const lir_value next = emit_next_part(axis, part);
      const lir_value last = emit_part(axis, axis->last);
      taps->place[0] = lir_sel32(builder, is_before, axis->last, first);
      taps->place[1] = lir_sel32(builder, is_behind, zero, second);
      taps->part[0] = lir_sel32(builder, is_before, last, part);
      taps->part[1] = lir_sel32(builder, is_behind, zero, next);
      return;
   }
   taps->place[0] = emit_repeated(axis, first, period);
   taps->place[1] = emit_repeated(axis, second, period);
   taps->part[0] = emit_part(axis, taps->place[0]);
   taps->part[1] = emit_part(axis, taps->place[1]);
}

/* ---- modes that clamp ---------------------------------------------------- */

static bool
mirrors(enum tg_wrap wrap)
{
   return wrap >= TG_WRAP_MIRROR_CLAMP;
}

/* The mode that a mirrored one is after the mirror. */
static enum tg_wrap
behind_mirror(enum tg_wrap wrap)
{
   switch (wrap) {
   case TG_WRAP_MIRROR_CLAMP: return TG_WRAP_CLAMP;
   case TG_WRAP_MIRROR_CLAMP_TO_EDGE: return TG_WRAP_CLAMP_TO_EDGE;
   case TG_WRAP_MIRROR_CLAMP_TO_BORDER: return TG_WRAP_CLAMP_TO_BORDER;
   default: return wrap;
   }
}

/* -1 - place below 0: texel -1 is the image of texel 0. */
static lir_value
emit_mirrored(struct lir_builder *builder, lir_value place)
{
   const lir_value thirty_one = lir_const32(builder, 31);
   const lir_value sign = lir_ishr(builder, place, thirty_one);
   return lir_ixor(builder, place, sign);
}

/* The offset held to where it leads past each texture. */
static lir_value
emit_bounded_offset(const struct axis *axis)
{
   struct lir_builder *builder = axis->builder;
   const lir_value most = lir_const32(builder, MAX_OFFSET);
   const lir_value least = lir_const32(builder, (uint32_t)-MAX_OFFSET);
   const lir_value below = lir_imin(builder, axis->offset, most);
   return lir_imax(builder, below, least);
}

/* The texel that lies at the coordinate plus `shift`, of an endless row of
 * texels. */
static lir_value
emit_texel(const struct axis *axis, float shift)
{
   struct lir_builder *builder = axis->builder;
   const lir_value constant = lir_constf(builder, shift);
   lir_value place = emit_scaled(axis, constant);

   if (axis->has_offset) {
      const lir_value high = lir_constf(builder, MAX_PLACE);
      const lir_value low = lir_constf(builder, -MAX_PLACE);
      place = emit_clamp(builder, place, low, high);
   }
   const lir_value floored = lir_ffloor(builder, place);
   const lir_value texel = lir_f2i(builder, floored);
   if (!axis->has_offset)
      return texel;
   const lir_value offset = emit_bounded_offset(axis);
   return lir_iadd(builder, texel, offset);
}

/* Tap i is a texel of the endless row, as the mode maps it to the texture. */
static void
set_tap(const struct axis *axis, lir_value texel, bool has_border,
        struct sample_taps *taps, unsigned i)
{
   assert(i < TG_LENGTH(taps->place));
   struct lir_builder *builder = axis->builder;
   const lir_value zero = lir_const32(builder, 0);
   lir_value place = texel;

   if (mirrors(axis->wrap))
      place = emit_mirrored(builder, place);
   taps->has_border = has_border;
   if (has_border) {
      taps->is_inside[i] = lir_ult(builder, place, axis->size);
   } else {
      const lir_value raised = lir_imax(builder, place, zero);
      place = lir_imin(builder, raised, axis->last);
   }
   taps->place[i] = place;
   taps->part[i] = emit_part(axis, place);
}

/* CLAMP is as CLAMP_TO_EDGE here: a coordinate of 1 belongs to the last texel.
 */
static void
emit_clamp_nearest(const struct axis *axis, struct sample_taps *taps)
{
   const lir_value texel = emit_texel(axis, 0.0f);
   const bool has_border = behind_mirror(axis->wrap) == TG_WRAP_CLAMP_TO_BORDER;

   set_tap(axis, texel, has_border, taps, 0);
}

/* The two texels of a footprint as they are, without the weights that let the
 * filter take others for them. */
static void
emit_clamp_gather(const struct axis *axis, struct sample_taps *taps)
{
   struct lir_builder *builder = axis->builder;
   const lir_value one = lir_const32(builder, 1);
   const bool has_border = behind_mirror(axis->wrap) != TG_WRAP_CLAMP_TO_EDGE;
   lir_value first = emit_texel(axis, -0.5f);

   /* Far to the right there must be another texel after it. */
   first = lir_imin(builder, first, axis->size);

   /* The coordinate is clamped to the texture's edges, or their images. */
   if (behind_mirror(axis->wrap) == TG_WRAP_CLAMP) {
      const lir_value minus_one = lir_const32(builder, UINT32_MAX);
      const lir_value low = mirrors(axis->wrap)
                               ? lir_isub(builder, minus_one, axis->size)
                               : minus_one;
      first = lir_imax(builder, first, low);
      first = lir_imin(builder, first, axis->last);
   }
   const lir_value second = lir_iadd(builder, first, one);
   set_tap(axis, first, has_border, taps, 0);
   set_tap(axis, second, has_border, taps, 1);
}

/* The coordinate in texels from the middle of the first one, held to where the
 * mode changes nothing any more: to the middles of the outermost texels, to the
 * edges, or to the middles of the first texels outside. Between its two texels
 * a filter does not mind the order, so what is mirrored is the coordinate. */
static lir_value
emit_clamped(const struct axis *axis)
{
   struct lir_builder *builder = axis->builder;
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value zero = lir_constf(builder, 0.0f);
   lir_value place, low = zero, high = axis->size_float;

   if (mirrors(axis->wrap)) {
      const lir_value shift = emit_shift(axis, 0.0f);
      const lir_value scaled = emit_scaled(axis, shift);
      const lir_value magnitude = lir_fabs(builder, scaled);
      place = lir_fsub(builder, magnitude, half);
   } else {
      const lir_value shift = emit_shift(axis, -0.5f);
      place = emit_scaled(axis, shift);
   }
   switch (behind_mirror(axis->wrap)) {
   case TG_WRAP_CLAMP:
      high = lir_fsub(builder, axis->size_float, half);
      low = mirrors(axis->wrap) ? zero : lir_fneg(builder, half);
      break;
   case TG_WRAP_CLAMP_TO_BORDER:
      low = mirrors(axis->wrap) ? zero : lir_fneg(builder, one);
      break;
   default: high = lir_fsub(builder, axis->size_float, one); break;
   }
   return emit_clamp(builder, place, low, high);
}

static void
emit_clamp_linear(const struct axis *axis, struct sample_taps *taps)
{
   struct lir_builder *builder = axis->builder;
   const lir_value one = lir_const32(builder, 1);
   const lir_value place = emit_clamped(axis);
   const lir_value floored = lir_ffloor(builder, place);

   taps->weight = lir_fsub(builder, place, floored);
   taps->place[0] = lir_f2i(builder, floored);
   taps->place[1] = lir_iadd(builder, taps->place[0], one);
   taps->part[0] = emit_part(axis, taps->place[0]);
   taps->part[1] = emit_next_part(axis, taps->part[0]);
   if (behind_mirror(axis->wrap) == TG_WRAP_CLAMP_TO_EDGE) {
      const lir_value last = emit_part(axis, axis->last);
      taps->place[1] = lir_imin(builder, taps->place[1], axis->last);
      taps->part[1] = lir_umin(builder, taps->part[1], last);
      return;
   }
   taps->has_border = true;
   for (unsigned i = 0; i < 2; i++)
      taps->is_inside[i] = lir_ult(builder, taps->place[i], axis->size);
}

/* ---- all of them --------------------------------------------------------- */

typedef void (*emit_function)(const struct axis *axis,
                              struct sample_taps *taps);

/* With whichever of the two suits the wrap mode. */
static struct sample_taps
emit_taps(const struct axis *axis, emit_function repeat, emit_function clamp)
{
   struct sample_taps taps = {0};

   if (repeats(axis->wrap))
      repeat(axis, &taps);
   else
      clamp(axis, &taps);
   return taps;
}

void
sample_wrap_nearest(const struct sample *sample,
                    const struct sample_level *level, unsigned axis,
                    lir_value coord, unsigned offset,
                    struct sample_taps *taps_out)
{
   const struct axis made =
      make_axis(sample, level, axis, coord, offset, false);

   *taps_out = emit_taps(&made, emit_repeat_nearest, emit_clamp_nearest);
}

void
sample_wrap_linear(const struct sample *sample,
                   const struct sample_level *level, unsigned axis,
                   lir_value coord, unsigned offset,
                   struct sample_taps *taps_out)
{
   const struct axis made = make_axis(sample, level, axis, coord, offset, true);

   *taps_out = emit_taps(&made, emit_repeat_linear, emit_clamp_linear);
}

void
sample_wrap_gather(const struct sample *sample,
                   const struct sample_level *level, unsigned axis,
                   lir_value coord, unsigned offset,
                   struct sample_taps *taps_out)
{
   const struct axis made = make_axis(sample, level, axis, coord, offset, true);

   *taps_out = emit_taps(&made, emit_repeat_linear, emit_clamp_gather);
}
