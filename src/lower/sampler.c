/* SPDX-License-Identifier: MIT
 *
 * Texture sampling as LIR, from the outside in: the opcode's level of detail,
 * the unit's function, mipmap selection, filtering within a level, wrapping.
 *
 * Every float step stands here in the order in which it is computed; other
 * orders would be as good, but two of them would not give the same bits.
 */
#include "lower/sampler.h"

#include <math.h>

#include "lower/math_functions.h"
#include "lower/texel.h"

/* What the functions below share while one unit's function is written. */
struct sample {
   struct lir_builder *builder;
   const struct lower_samplers *samplers;
   const struct lower_unit_key *key;
   unsigned unit;
   lir_value s, t;
   lir_value last_level;
};

/* ---- small arithmetic ---------------------------------------------------- */

/* a + weight * (b - a): exactly a where the weight is 0. */
static lir_value
emit_lerp(struct lir_builder *builder, lir_value a, lir_value b,
          lir_value weight)
{
   const lir_value difference = lir_fsub(builder, b, a);
   const lir_value part = lir_fmul(builder, weight, difference);
   return lir_fadd(builder, a, part);
}

/* x, or 0 where it is infinite or NaN. */
static lir_value
emit_finite(struct lir_builder *builder, lir_value x)
{
   const lir_value magnitude = lir_fabs(builder, x);
   const lir_value infinity = lir_constf(builder, INFINITY);
   const lir_value is_finite = lir_flt(builder, magnitude, infinity);
   const lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_finite, x, zero);
}

/* x, or 0 where it is NaN. */
static lir_value
emit_number(struct lir_builder *builder, lir_value x)
{
   const lir_value is_number = lir_feq(builder, x, x);
   const lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_number, x, zero);
}

/* A word of the unit's description. */
static lir_value
load_view(struct lir_builder *builder, const struct lower_samplers *samplers,
          unsigned unit, enum lower_unit_word word)
{
   const lir_value at = lir_const32(builder, unit * LOWER_UNIT_WORDS + word);
   return lir_load32(builder, LIR_SPACE_CONST, samplers->constant_binding, at);
}

/* ---- wrapping ------------------------------------------------------------ */

/* One coordinate on one level: size in texels as integer and float. */
struct axis {
   enum lower_wrap wrap;
   lir_value coord;
   lir_value size;
   lir_value size_float;
};

/* The coordinate in texels: for REPEAT within [0, size], else as it is. */
static lir_value
emit_scale(struct lir_builder *builder, const struct axis *axis)
{
   lir_value coord = axis->coord;
   if (axis->wrap == LOWER_WRAP_REPEAT) {
      const lir_value whole = lir_ffloor(builder, coord);
      coord = lir_fsub(builder, coord, whole);
   }
   return lir_fmul(builder, coord, axis->size_float);
}

/* Clamps a float to [low, high]; NaN cannot occur here. */
static lir_value
emit_clamp(struct lir_builder *builder, lir_value x, lir_value low,
           lir_value high)
{
   const lir_value above = lir_fmax(builder, x, low);
   return lir_fmin(builder, above, high);
}

/* The texel that a coordinate lies in. A fraction that rounded up to 1 still
 * belongs to the last texel. */
static lir_value
emit_wrap_nearest(struct lir_builder *builder, const struct axis *axis)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value one = lir_const32(builder, 1);
   const lir_value scaled = emit_scale(builder, axis);
   const lir_value inside = emit_clamp(builder, scaled, zero, axis->size_float);
   const lir_value texel = lir_f2u(builder, inside);
   const lir_value last = lir_isub(builder, axis->size, one);
   return lir_umin(builder, texel, last);
}

/* The two texels around a coordinate, and the weight of the second. */
static void
emit_wrap_linear(struct lir_builder *builder, const struct axis *axis,
                 lir_value texel_out[2], lir_value *weight_out)
{
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value one = lir_const32(builder, 1);
   const lir_value last = lir_isub(builder, axis->size, one);
   lir_value scaled = emit_scale(builder, axis);
   if (axis->wrap == LOWER_WRAP_CLAMP_TO_EDGE) {
      const lir_value high = lir_fsub(builder, axis->size_float, half);
      scaled = emit_clamp(builder, scaled, half, high);
   }
   const lir_value from_centre = lir_fsub(builder, scaled, half);
   const lir_value floored = lir_ffloor(builder, from_centre);
   *weight_out = lir_fsub(builder, from_centre, floored);

   const lir_value first = lir_f2i(builder, floored);
   const lir_value second = lir_iadd(builder, first, one);
   if (axis->wrap == LOWER_WRAP_CLAMP_TO_EDGE) {
      texel_out[0] = lir_umin(builder, first, last);
      texel_out[1] = lir_umin(builder, second, last);
      return;
   }
   /* From -1 to last, and from 0 to size. */
   const lir_value zero = lir_const32(builder, 0);
   const lir_value is_before = lir_ilt(builder, first, zero);
   const lir_value is_behind = lir_ige(builder, second, axis->size);
   texel_out[0] = lir_sel32(builder, is_before, last, first);
   texel_out[1] = lir_sel32(builder, is_behind, zero, second);
}

/* ---- one level ----------------------------------------------------------- */

/* A level's place: its sizes and its first word. */
struct level {
   struct axis s, t;
   lir_value offset;
};

/* Size of a level: halved once a level, not below 1. */
static void
emit_axis(const struct sample *sample, lir_value coord, enum lower_wrap wrap,
          enum lower_unit_word word, lir_value level, struct axis *out)
{
   struct lir_builder *builder = sample->builder;
   const lir_value full =
      load_view(builder, sample->samplers, sample->unit, word);
   const lir_value shifted = lir_ushr(builder, full, level);
   const lir_value one = lir_const32(builder, 1);
   const lir_value size = lir_umax(builder, shifted, one);
   *out = (struct axis){
      .wrap = wrap,
      .coord = coord,
      .size = size,
      .size_float = lir_u2f(builder, size),
   };
}

static struct level
emit_level(const struct sample *sample, lir_value level)
{
   struct lir_builder *builder = sample->builder;
   struct level out;
   emit_axis(sample, sample->s, sample->key->wrap_s, LOWER_UNIT_WIDTH, level,
             &out.s);
   emit_axis(sample, sample->t, sample->key->wrap_t, LOWER_UNIT_HEIGHT, level,
             &out.t);

   const lir_value first = lir_const32(
      builder, sample->unit * LOWER_UNIT_WORDS + LOWER_UNIT_OFFSETS);
   const lir_value at = lir_iadd(builder, first, level);
   out.offset = lir_load32(builder, LIR_SPACE_CONST,
                           sample->samplers->constant_binding, at);
   return out;
}

static void
emit_fetch(const struct sample *sample, const struct level *level, lir_value i,
           lir_value j, lir_value texel_out[4])
{
   struct lir_builder *builder = sample->builder;
   const struct format_info *info = format_info(sample->key->format);
   const lir_value rows = lir_imul(builder, j, level->s.size);
   lir_value index = lir_iadd(builder, rows, i);
   if (info->num_units > 1) {
      const lir_value units = lir_const32(builder, info->num_units);
      index = lir_imul(builder, index, units);
   }
   index = lir_iadd(builder, level->offset, index);
   lower_texel_load(builder, sample->key->format, LIR_SPACE_TEXTURE,
                    sample->unit, index, texel_out);
}

static void
emit_nearest(const struct sample *sample, lir_value level_number,
             lir_value texel_out[4])
{
   const struct level level = emit_level(sample, level_number);
   const lir_value i = emit_wrap_nearest(sample->builder, &level.s);
   const lir_value j = emit_wrap_nearest(sample->builder, &level.t);
   emit_fetch(sample, &level, i, j, texel_out);
}

static void
emit_linear(const struct sample *sample, lir_value level_number,
            lir_value texel_out[4])
{
   struct lir_builder *builder = sample->builder;
   const struct level level = emit_level(sample, level_number);
   lir_value i[2], j[2], weight_s, weight_t;
   emit_wrap_linear(builder, &level.s, i, &weight_s);
   emit_wrap_linear(builder, &level.t, j, &weight_t);

   lir_value row[2][4];
   for (unsigned y = 0; y < 2; y++) {
      lir_value left[4], right[4];
      emit_fetch(sample, &level, i[0], j[y], left);
      emit_fetch(sample, &level, i[1], j[y], right);
      for (unsigned c = 0; c < 4; c++)
         row[y][c] = emit_lerp(builder, left[c], right[c], weight_s);
   }
   for (unsigned c = 0; c < 4; c++)
      texel_out[c] = emit_lerp(builder, row[0][c], row[1][c], weight_t);
}

static void
emit_filter(const struct sample *sample, enum lower_filter filter,
            lir_value level, lir_value texel_out[4])
{
   if (filter == LOWER_FILTER_LINEAR)
      emit_linear(sample, level, texel_out);
   else
      emit_nearest(sample, level, texel_out);
}

/* ---- mipmaps ------------------------------------------------------------- */

static void
set_texel(const struct sample *sample, const lir_value texel[4])
{
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(sample->builder, sample->samplers->texel_var[c], texel[c]);
}

/* Blends the two levels around `lod`. The second is left out by a wave that
 * needs it nowhere. */
static void
emit_mip_linear(const struct sample *sample, enum lower_filter filter,
                lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   lir_value texel[4], next[4];
   const lir_value floored = lir_ffloor(builder, lod);
   const lir_value weight = lir_fsub(builder, lod, floored);
   const lir_value level = lir_f2u(builder, floored);
   emit_filter(sample, filter, level, texel);
   set_texel(sample, texel);

   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value is_between = lir_flt(builder, zero, weight);
   lir_begin_if(builder, is_between);
   const lir_value one = lir_const32(builder, 1);
   const lir_value level1 = lir_iadd(builder, level, one);
   emit_filter(sample, filter, level1, next);
   for (unsigned c = 0; c < 4; c++)
      next[c] = emit_lerp(builder, texel[c], next[c], weight);
   set_texel(sample, next);
   lir_end(builder);
}

/* Samples with one of the two filters, at a lod between 0 and the last level.
 */
static void
emit_mip(const struct sample *sample, enum lower_filter filter, lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   lir_value texel[4];

   if (sample->key->mip_filter == LOWER_MIP_LINEAR) {
      emit_mip_linear(sample, filter, lod);
      return;
   }
   lir_value level = lir_const32(builder, 0);
   if (sample->key->mip_filter == LOWER_MIP_NEAREST) {
      const lir_value half = lir_constf(builder, 0.5f);
      const lir_value raised = lir_fadd(builder, lod, half);
      const lir_value rounded = lir_f2u(builder, raised);
      level = lir_umin(builder, rounded, sample->last_level);
   }
   emit_filter(sample, filter, level, texel);
   set_texel(sample, texel);
}

/* ---- the unit's function ------------------------------------------------- */

/* The shader's lod with the sampler's bias, within the sampler's range; the
 * lower bound wins where they cross. */
static lir_value
emit_clamped_lod(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const struct lower_samplers *samplers = sample->samplers;
   const lir_value given = lir_getvar(builder, samplers->lod_var);
   const lir_value bias =
      load_view(builder, samplers, sample->unit, LOWER_UNIT_LOD_BIAS);
   const lir_value low =
      load_view(builder, samplers, sample->unit, LOWER_UNIT_MIN_LOD);
   const lir_value high =
      load_view(builder, samplers, sample->unit, LOWER_UNIT_MAX_LOD);
   const lir_value biased = lir_fadd(builder, given, bias);
   const lir_value number = emit_number(builder, biased);
   const lir_value below = lir_fmin(builder, number, high);
   return lir_fmax(builder, below, low);
}

/* A lod of 0 or less magnifies. That is judged before the lod is held to the
 * levels that there are, so that a texture of one level can be minified. */
static void
emit_body(struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const struct lower_samplers *samplers = sample->samplers;
   const lir_value s = lir_getvar(builder, samplers->coord_var[0]);
   const lir_value t = lir_getvar(builder, samplers->coord_var[1]);
   sample->s = emit_finite(builder, s);
   sample->t = emit_finite(builder, t);
   sample->last_level =
      load_view(builder, samplers, sample->unit, LOWER_UNIT_LAST_LEVEL);

   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value lod = emit_clamped_lod(sample);
   const lir_value last = lir_u2f(builder, sample->last_level);
   const lir_value held = emit_clamp(builder, lod, zero, last);

   if (sample->key->min_filter == sample->key->mag_filter) {
      emit_mip(sample, sample->key->min_filter, held);
      return;
   }
   const lir_value is_min = lir_flt(builder, zero, lod);
   lir_begin_if(builder, is_min);
   emit_mip(sample, sample->key->min_filter, held);
   lir_begin_else(builder);
   lir_value texel[4];
   const lir_value base = lir_const32(builder, 0);
   emit_filter(sample, sample->key->mag_filter, base, texel);
   set_texel(sample, texel);
   lir_end(builder);
}

static uint32_t
make_function(struct lower_samplers *samplers, struct lir_module *module,
              unsigned unit)
{
   static const char *const names[] = {"sampler s", "sampler t", "sampler lod",
                                       "texel x",   "texel y",   "texel z",
                                       "texel w"};
   uint32_t *vars[] = {
      &samplers->coord_var[0], &samplers->coord_var[1], &samplers->lod_var,
      &samplers->texel_var[0], &samplers->texel_var[1], &samplers->texel_var[2],
      &samplers->texel_var[3],
   };
   for (unsigned i = 0; i < 7; i++) {
      if (*vars[i] == UINT32_MAX)
         *vars[i] = lir_add_var(module, LIR_TYPE_B32, names[i]);
      if (*vars[i] == UINT32_MAX)
         return UINT32_MAX;
   }

   struct lir_builder builder;
   const uint32_t function = lir_add_function(module, "sampler");
   if (function == UINT32_MAX)
      return UINT32_MAX;
   lir_builder_init(&builder, module, function);
   struct sample sample = {
      .builder = &builder,
      .samplers = samplers,
      .key = &samplers->keys[unit],
      .unit = unit,
   };
   emit_body(&sample);
   return builder.failed ? UINT32_MAX : function;
}

/* ---- level of detail ----------------------------------------------------- */

/* The square of a derivative's length in texels. */
static lir_value
emit_length2(struct lir_builder *builder, lir_value ds, lir_value dt,
             lir_value width, lir_value height)
{
   const lir_value u = lir_fmul(builder, ds, width);
   const lir_value v = lir_fmul(builder, dt, height);
   const lir_value u2 = lir_fmul(builder, u, u);
   const lir_value v2 = lir_fmul(builder, v, v);
   return lir_fadd(builder, u2, v2);
}

/* log2 of the longer of the two derivatives, as half the log2 of its square.
 * NaN becomes 0. */
static lir_value
emit_footprint_lod(const struct lower_samplers *samplers,
                   struct lir_builder *builder, unsigned unit,
                   const lir_value dx[2], const lir_value dy[2])
{
   const lir_value w = load_view(builder, samplers, unit, LOWER_UNIT_WIDTH);
   const lir_value h = load_view(builder, samplers, unit, LOWER_UNIT_HEIGHT);
   const lir_value width = lir_u2f(builder, w);
   const lir_value height = lir_u2f(builder, h);
   const lir_value x2 = emit_length2(builder, dx[0], dx[1], width, height);
   const lir_value y2 = emit_length2(builder, dy[0], dy[1], width, height);
   const lir_value longer = lir_fmax(builder, x2, y2);
   const lir_value log = lower_math_log2(builder, longer);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value lod = lir_fmul(builder, log, half);
   return emit_number(builder, lod);
}

/* From the differences within the quad; 0 where there are no quads. */
static lir_value
emit_implicit_lod(const struct lower_samplers *samplers,
                  struct lir_builder *builder, unsigned unit,
                  const lir_value coord[2])
{
   if (!samplers->has_quads)
      return lir_constf(builder, 0.0f);

   lir_value dx[2], dy[2];
   for (unsigned i = 0; i < 2; i++) {
      dx[i] = lir_fddx(builder, coord[i]);
      dy[i] = lir_fddy(builder, coord[i]);
   }
   return emit_footprint_lod(samplers, builder, unit, dx, dy);
}

/* The lod that an opcode asks for, and the coordinate divided where it says
 * so. False for opcodes that are not known here. */
static bool
emit_opcode_lod(const struct lower_samplers *samplers,
                struct lir_builder *builder,
                const struct tg_instruction *instruction, unsigned unit,
                const lir_value source[4], const lir_value (*extra)[4],
                lir_value coord[2], lir_value *lod_out)
{
   coord[0] = source[0];
   coord[1] = source[1];
   switch (instruction->opcode) {
   case TG_OPCODE_TEX:
      *lod_out = emit_implicit_lod(samplers, builder, unit, coord);
      return true;
   case TG_OPCODE_TXP:
      coord[0] = lir_fdiv(builder, source[0], source[3]);
      coord[1] = lir_fdiv(builder, source[1], source[3]);
      *lod_out = emit_implicit_lod(samplers, builder, unit, coord);
      return true;
   case TG_OPCODE_TXB: {
      const lir_value base = emit_implicit_lod(samplers, builder, unit, coord);
      const lir_value bias = emit_number(builder, source[3]);
      *lod_out = lir_fadd(builder, base, bias);
      return true;
   }
   case TG_OPCODE_TXL: *lod_out = emit_number(builder, source[3]); return true;
   case TG_OPCODE_TEX_LZ: *lod_out = lir_constf(builder, 0.0f); return true;
   case TG_OPCODE_TXD:
      *lod_out =
         emit_footprint_lod(samplers, builder, unit, extra[0], extra[1]);
      return true;
   default: return false;
   }
}

/* ---- the hook ------------------------------------------------------------ */

void
lower_samplers_init(struct lower_samplers *samplers,
                    const struct lower_unit_key *keys,
                    uint32_t constant_binding, bool has_quads)
{
   *samplers = (struct lower_samplers){
      .keys = keys,
      .constant_binding = constant_binding,
      .has_quads = has_quads,
      .coord_var = {UINT32_MAX, UINT32_MAX},
      .lod_var = UINT32_MAX,
      .texel_var = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
   };
   for (unsigned i = 0; i < LOWER_MAX_UNITS; i++)
      samplers->function[i] = UINT32_MAX;
}

/* The unit that the instruction's last source names, or -1. */
static int
sampler_unit(const struct tg_instruction *instruction)
{
   const struct tg_src *src = &instruction->src[instruction->num_src - 1];
   if (instruction->target != TG_TARGET_2D || instruction->num_tex_offsets ||
       src->reg.file != TG_FILE_SAMP || src->reg.index.indirect ||
       src->reg.index.offset < 0 || src->reg.index.offset >= LOWER_MAX_UNITS)
      return -1;
   return src->reg.index.offset;
}

bool
lower_samplers_texture(struct lower_samplers *samplers,
                       struct lir_builder *builder,
                       const struct tg_instruction *instruction,
                       const lir_value coord[4], const lir_value (*extra)[4],
                       lir_value texel[4])
{
   const int unit = sampler_unit(instruction);
   if (unit < 0)
      return false;
   if (samplers->keys[unit].format == TG_FORMAT_NONE) {
      for (unsigned c = 0; c < 4; c++)
         texel[c] = lir_const32(builder, 0);
      return true;
   }

   lir_value at[2], lod;
   if (!emit_opcode_lod(samplers, builder, instruction, (unsigned)unit, coord,
                        extra, at, &lod))
      return false;
   uint32_t *function = &samplers->function[unit];
   if (*function == UINT32_MAX)
      *function = make_function(samplers, builder->module, (unsigned)unit);
   if (*function == UINT32_MAX) {
      builder->failed = true;
      return true;
   }

   lir_setvar(builder, samplers->coord_var[0], at[0]);
   lir_setvar(builder, samplers->coord_var[1], at[1]);
   lir_setvar(builder, samplers->lod_var, lod);
   lir_call(builder, *function);
   for (unsigned c = 0; c < 4; c++)
      texel[c] = lir_getvar(builder, samplers->texel_var[c]);
   return true;
}

/* ---- opcodes ------------------------------------------------------------- */

/* Puts the channels of the sources that have values into `values`. */
static void
read_values(struct lower_context *context, lir_value values[TG_MAX_SRC][4])
{
   unsigned count = 0;

   for (unsigned s = 0; s < context->instruction->num_src; s++) {
      if (tg_type_is_object(context->info->src_type[s]))
         continue;
      for (unsigned c = 0; c < 4; c++)
         values[count][c] = lower_src(context, s, c);
      count++;
   }
}

void
lower_texture_by_stage(struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;
   lir_value values[TG_MAX_SRC + 1][4] = {{{0}}};
   lir_value texel[4] = {{0}};

   read_values(context, values);
   if (!stage || !stage->texture ||
       !stage->texture(stage->user, &context->builder, context->instruction,
                       values[0], (const lir_value(*)[4]) & values[1], texel)) {
      lower_error(context, TG_ERROR_UNSUPPORTED, "unsupported-opcode",
                  "%s is not supported here", context->info->name);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, texel[c]);
}
