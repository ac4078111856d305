/* SPDX-License-Identifier: MIT
 *
 * Four programs: straight vector arithmetic, transcendental functions,
 * integers in a loop, and a loop that lanes leave at different times.
 */
#include "programs.h"

#include "lower/math/functions.h"

/* ---- vectors ------------------------------------------------------------- */

struct vector {
   lir_value channel[4];
};

static struct vector
load_vector(struct lir_builder *b, enum lir_space space, uint32_t reg)
{
   struct vector v;

   for (uint32_t i = 0; i < 4; i++) {
      lir_value index = lir_const32(b, reg * 4 + i);
      v.channel[i] = lir_load32(b, space, 0, index);
   }
   return v;
}

static void
store_vector(struct lir_builder *b, uint32_t reg, const struct vector *v)
{
   for (uint32_t i = 0; i < 4; i++) {
      lir_value index = lir_const32(b, reg * 4 + i);
      lir_store32(b, LIR_SPACE_OUTPUT, 0, index, v->channel[i]);
   }
}

static lir_value
dot(struct lir_builder *b, const struct vector *v, const struct vector *w,
    unsigned num_channels)
{
   lir_value sum = lir_fmul(b, v->channel[0], w->channel[0]);

   for (unsigned i = 1; i < num_channels; i++) {
      lir_value product = lir_fmul(b, v->channel[i], w->channel[i]);
      sum = lir_fadd(b, sum, product);
   }
   return sum;
}

static struct vector
normalize(struct lir_builder *b, const struct vector *v)
{
   lir_value one = lir_constf(b, 1.0f);
   lir_value square = dot(b, v, v, 3);
   lir_value length = lir_fsqrt(b, square);
   lir_value inverse = lir_fdiv(b, one, length);
   struct vector result = *v;

   for (unsigned i = 0; i < 3; i++)
      result.channel[i] = lir_fmul(b, v->channel[i], inverse);
   return result;
}

/* ---- a vertex shader ----------------------------------------------------- */

/* Position by a 4x4 matrix, normal by a 3x3 one and to unit length, texture
 * coordinates as they are. */
static void
build_transform(struct lir_builder *b)
{
   struct vector position = load_vector(b, LIR_SPACE_INPUT, 0);
   struct vector normal = load_vector(b, LIR_SPACE_INPUT, 1);
   struct vector coord = load_vector(b, LIR_SPACE_INPUT, 2);
   struct vector clip;
   struct vector turned = normal;

   for (uint32_t i = 0; i < 4; i++) {
      struct vector row = load_vector(b, LIR_SPACE_CONST, i);
      clip.channel[i] = dot(b, &row, &position, 4);
   }
   for (uint32_t i = 0; i < 3; i++) {
      struct vector row = load_vector(b, LIR_SPACE_CONST, 4 + i);
      turned.channel[i] = dot(b, &row, &normal, 3);
   }
   turned = normalize(b, &turned);
   store_vector(b, 0, &clip);
   store_vector(b, 1, &turned);
   store_vector(b, 2, &coord);
}

/* ---- a fragment shader --------------------------------------------------- */

static lir_value
clamp_to_zero(struct lir_builder *b, lir_value x)
{
   lir_value zero = lir_constf(b, 0.0f);

   return lir_fmax(b, x, zero);
}

/* Diffuse and specular light of one lamp, the latter by a power, in fog that
 * grows exponentially. */
static void
build_lighting(struct lir_builder *b)
{
   struct vector given_normal = load_vector(b, LIR_SPACE_INPUT, 0);
   struct vector given_half = load_vector(b, LIR_SPACE_INPUT, 1);
   struct vector albedo = load_vector(b, LIR_SPACE_INPUT, 2);
   struct vector lamp = load_vector(b, LIR_SPACE_CONST, 0);
   struct vector shine = load_vector(b, LIR_SPACE_CONST, 1);
   struct vector fog = load_vector(b, LIR_SPACE_CONST, 2);
   struct vector normal = normalize(b, &given_normal);
   struct vector half = normalize(b, &given_half);
   lir_value facing = dot(b, &normal, &lamp, 3);
   lir_value diffuse = clamp_to_zero(b, facing);
   lir_value mirrored = dot(b, &normal, &half, 3);
   lir_value base = clamp_to_zero(b, mirrored);
   lir_value specular = lower_math_pow(b, base, shine.channel[3]);
   lir_value thickness = lir_fmul(b, fog.channel[3], given_half.channel[3]);
   lir_value exponent = lir_fneg(b, thickness);
   lir_value clear = lower_math_exp2(b, exponent);
   struct vector color;

   for (unsigned i = 0; i < 3; i++) {
      lir_value lit = lir_fmul(b, albedo.channel[i], diffuse);
      lir_value spot = lir_fmul(b, shine.channel[i], specular);
      lir_value sum = lir_fadd(b, lit, spot);
      lir_value distance = lir_fsub(b, sum, fog.channel[i]);
      lir_value kept = lir_fmul(b, distance, clear);
      color.channel[i] = lir_fadd(b, kept, fog.channel[i]);
   }
   color.channel[3] = albedo.channel[3];
   store_vector(b, 0, &color);
}

/* ---- loops --------------------------------------------------------------- */

static void
store_word(struct lir_builder *b, uint32_t at, lir_value value)
{
   lir_value index = lir_const32(b, at);

   lir_store32(b, LIR_SPACE_OUTPUT, 0, index, value);
}

/* 32 rounds of the finishing steps of a hash: shifts, multiplications, xors. */
static void
build_hash(struct lir_builder *b)
{
   uint32_t state = lir_module_add_var(b->module, LIR_TYPE_B32, "state");
   uint32_t round = lir_module_add_var(b->module, LIR_TYPE_B32, "round");
   lir_value zero = lir_const32(b, 0);
   lir_value one = lir_const32(b, 1);
   lir_value rounds = lir_const32(b, 32);
   lir_value shift1 = lir_const32(b, 16);
   lir_value shift2 = lir_const32(b, 13);
   lir_value factor1 = lir_const32(b, 0x85ebca6b);
   lir_value factor2 = lir_const32(b, 0xc2b2ae35);
   lir_value seed = lir_load32(b, LIR_SPACE_INPUT, 0, zero);

   lir_setvar(b, state, seed);
   uint32_t loop = lir_begin_loop(b);
   lir_value done = lir_getvar(b, round);
   lir_value is_enough = lir_uge(b, done, rounds);
   lir_begin_if(b, is_enough);
   lir_br(b, loop);
   lir_end(b);
   lir_value x = lir_getvar(b, state);
   lir_value high = lir_ushr(b, x, shift1);
   x = lir_ixor(b, x, high);
   x = lir_imul(b, x, factor1);
   high = lir_ushr(b, x, shift2);
   x = lir_ixor(b, x, high);
   x = lir_imul(b, x, factor2);
   high = lir_ushr(b, x, shift1);
   x = lir_ixor(b, x, high);
   x = lir_iadd(b, x, done);
   lir_setvar(b, state, x);
   lir_value next = lir_iadd(b, done, one);
   lir_setvar(b, round, next);
   lir_end(b);
   lir_value result = lir_getvar(b, state);
   store_word(b, 0, result);
}

/* The escape time of a point of the plane, at most 64 rounds. The points of a
 * wave leave after 2 to 64. */
static void
build_escape(struct lir_builder *b)
{
   uint32_t re_var = lir_module_add_var(b->module, LIR_TYPE_B32, "re");
   uint32_t im_var = lir_module_add_var(b->module, LIR_TYPE_B32, "im");
   uint32_t round = lir_module_add_var(b->module, LIR_TYPE_B32, "round");
   lir_value one = lir_const32(b, 1);
   lir_value rounds = lir_const32(b, 64);
   lir_value four = lir_constf(b, 4.0f);
   struct vector input = load_vector(b, LIR_SPACE_INPUT, 0);
   lir_value scale = lir_constf(b, 1.5f);
   lir_value start = lir_constf(b, -1.25f);
   lir_value wide = lir_fmul(b, input.channel[0], scale);
   lir_value re0 = lir_fadd(b, wide, start);
   lir_value im0 = lir_fmul(b, input.channel[1], scale);

   uint32_t loop = lir_begin_loop(b);
   lir_value re = lir_getvar(b, re_var);
   lir_value im = lir_getvar(b, im_var);
   lir_value re_square = lir_fmul(b, re, re);
   lir_value im_square = lir_fmul(b, im, im);
   lir_value distance = lir_fadd(b, re_square, im_square);
   lir_value done = lir_getvar(b, round);
   lir_value is_far = lir_fge(b, distance, four);
   lir_value is_enough = lir_uge(b, done, rounds);
   lir_value leaves = lir_bor(b, is_far, is_enough);
   lir_begin_if(b, leaves);
   lir_br(b, loop);
   lir_end(b);
   lir_value difference = lir_fsub(b, re_square, im_square);
   lir_value next_re = lir_fadd(b, difference, re0);
   lir_value product = lir_fmul(b, re, im);
   lir_value twice = lir_fadd(b, product, product);
   lir_value next_im = lir_fadd(b, twice, im0);
   lir_setvar(b, re_var, next_re);
   lir_setvar(b, im_var, next_im);
   lir_value next = lir_iadd(b, done, one);
   lir_setvar(b, round, next);
   lir_end(b);
   lir_value result = lir_getvar(b, round);
   store_word(b, 0, result);
}

const struct bench_program bench_programs[] = {
   {"transform", "a vertex shader: two matrices, one unit vector",
    build_transform},
   {"lighting", "a fragment shader: a power, an exponential, unit vectors",
    build_lighting},
   {"hash", "integers in a loop of 32 rounds", build_hash},
   {"escape", "a loop that lanes leave at different times", build_escape},
};

const unsigned bench_num_programs =
   sizeof(bench_programs) / sizeof(bench_programs[0]);
