/* SPDX-License-Identifier: MIT
 *
 * What fragments go through on their way out: compare functions, stencil and
 * blending, each against the formula of the OpenGL specification in plain C.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../exec/harness.h"
#include "lower/fixed_function/blend.h"
#include "lower/fixed_function/dither.h"
#include "lower/fixed_function/stencil.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static struct harness harness;

static uint32_t
bits_of(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static void
check_result(struct harness *h)
{
   assert_int_equal(h->result, TG_OK);
}

/* A word in every lane that passes do not know. */
static lir_value
unknown(uint32_t word)
{
   static uint32_t input[16][LIR_LANES];
   static uint32_t num;
   struct lir_builder *b = &harness.b;

   if (!harness.wave.input.data)
      num = 0;
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      input[num][lane] = word;
   harness.wave.input.data = input;
   harness.wave.input.num_words = num + 1;
   return lir_load32(b, LIR_SPACE_INPUT, 0, lir_const32(b, num++));
}

/* ---- comparing ----------------------------------------------------------- */

static const struct {
   enum tg_compare func;
   const char *when; /* of less, equal, greater; and u: with NaN */
} compares[] = {
   {TG_COMPARE_NEVER, ""},    {TG_COMPARE_LESS, "<"},
   {TG_COMPARE_EQUAL, "="},   {TG_COMPARE_LEQUAL, "<="},
   {TG_COMPARE_GREATER, ">"}, {TG_COMPARE_NOTEQUAL, "<>u"},
   {TG_COMPARE_GEQUAL, "=>"}, {TG_COMPARE_ALWAYS, "<=>u"},
};

static bool
compare(enum tg_compare func, char relation)
{
   return strchr(compares[func].when, relation) != NULL;
}

static void
test_compares(void **state)
{
   (void)state;
   for (unsigned i = 0; i < LENGTH(compares); i++) {
      const enum tg_compare func = compares[i].func;
      struct lir_builder *b = &harness.b;

      assert_int_equal(func, i);
      begin(&harness);
      const lir_value one = unknown(bits_of(1.0f));
      const lir_value two = unknown(bits_of(2.0f));
      const lir_value nan = unknown(bits_of(NAN));
      const lir_value high = unknown(UINT32_C(0x80000000));
      give(&harness, 0,
           lir_b2i(b, lower_compare_func_of_floats(b, func, one, two)));
      give(&harness, 1,
           lir_b2i(b, lower_compare_func_of_floats(b, func, two, two)));
      give(&harness, 2,
           lir_b2i(b, lower_compare_func_of_floats(b, func, two, one)));
      give(&harness, 3,
           lir_b2i(b, lower_compare_func_of_floats(b, func, nan, one)));
      give(&harness, 4,
           lir_b2i(b, lower_compare_func_of_uints(b, func, one, high)));
      give(&harness, 5,
           lir_b2i(b, lower_compare_func_of_uints(b, func, high, high)));
      give(&harness, 6,
           lir_b2i(b, lower_compare_func_of_uints(b, func, high, one)));
      run_on_all(&harness, check_result);
      expect_all(&harness, 0, compare(func, '<') ? UINT32_MAX : 0);
      expect_all(&harness, 1, compare(func, '=') ? UINT32_MAX : 0);
      expect_all(&harness, 2, compare(func, '>') ? UINT32_MAX : 0);
      expect_all(&harness, 3, compare(func, 'u') ? UINT32_MAX : 0);
      expect_all(&harness, 4, compare(func, '<') ? UINT32_MAX : 0);
      expect_all(&harness, 5, compare(func, '=') ? UINT32_MAX : 0);
      expect_all(&harness, 6, compare(func, '>') ? UINT32_MAX : 0);
      end(&harness);
   }
}

/* ---- stencil ------------------------------------------------------------- */

/* Stencils 0, 0x5a and 0xff with a reference of 0x13c, whose low bits count. */
static const struct {
   enum tg_stencil_op op;
   uint8_t after[3];
} stencil_ops[] = {
   {TG_STENCIL_KEEP, {0, 0x5a, 0xff}},
   {TG_STENCIL_ZERO, {0, 0, 0}},
   {TG_STENCIL_REPLACE, {0x3c, 0x3c, 0x3c}},
   {TG_STENCIL_INCR, {1, 0x5b, 0xff}},
   {TG_STENCIL_DECR, {0, 0x59, 0xfe}},
   {TG_STENCIL_INCR_WRAP, {1, 0x5b, 0}},
   {TG_STENCIL_DECR_WRAP, {0xff, 0x59, 0xfe}},
   {TG_STENCIL_INVERT, {0xff, 0xa5, 0}},
};

/* `op` where the tests end as `stencil_passes` and `depth_passes` say; the two
 * other ways to end have operations that would be noticed. */
static void
check_stencil_op(enum tg_stencil_op op, bool stencil_passes, bool depth_passes,
                 uint8_t before, uint8_t writemask, uint8_t after)
{
   struct lower_stencil_key key = {
      .enabled = 1,
      .func = TG_COMPARE_ALWAYS,
      .fail_op = TG_STENCIL_INVERT,
      .zfail_op = TG_STENCIL_INVERT,
      .zpass_op = TG_STENCIL_INVERT,
      .writemask = writemask,
   };
   struct lir_builder *b = &harness.b;

   if (!stencil_passes)
      key.fail_op = (uint8_t)op;
   else if (!depth_passes)
      key.zfail_op = (uint8_t)op;
   else
      key.zpass_op = (uint8_t)op;

   begin(&harness);
   const lir_value reference = unknown(0x13c);
   const lir_value stencil = unknown(before);
   const lir_value passes = lir_i2b(b, unknown(stencil_passes));
   const lir_value zpasses = lir_i2b(b, unknown(depth_passes));
   give(&harness, 0,
        lower_stencil_update(b, &key, reference, stencil, passes, zpasses));
   run_on_all(&harness, check_result);
   expect_all(&harness, 0, after);
   end(&harness);
}

static void
test_stencil_ops(void **state)
{
   static const uint8_t before[3] = {0, 0x5a, 0xff};

   (void)state;
   for (unsigned i = 0; i < LENGTH(stencil_ops); i++) {
      for (unsigned k = 0; k < 3; k++) {
         const enum tg_stencil_op op = stencil_ops[i].op;
         const uint8_t after = stencil_ops[i].after[k];

         assert_int_equal(op, i);
         check_stencil_op(op, false, true, before[k], 0xff, after);
         check_stencil_op(op, true, false, before[k], 0xff, after);
         check_stencil_op(op, true, true, before[k], 0xff, after);
         check_stencil_op(op, true, true, before[k], 0x0f,
                          (uint8_t)((before[k] & 0xf0) | (after & 0x0f)));
         check_stencil_op(op, true, true, before[k], 0, before[k]);
      }
   }
}

/* The reference comes first: 3 LESS 5; with a mask of 1 both are 1. */
static void
test_stencil_test(void **state)
{
   struct lower_stencil_key key = {
      .enabled = 1,
      .func = TG_COMPARE_LESS,
      .valuemask = 0xff,
   };
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   const lir_value three = unknown(3);
   const lir_value five = unknown(5);
   give(&harness, 0, lir_b2i(b, lower_stencil_test(b, &key, three, five)));
   give(&harness, 1, lir_b2i(b, lower_stencil_test(b, &key, five, three)));
   key.valuemask = 1;
   give(&harness, 2, lir_b2i(b, lower_stencil_test(b, &key, three, five)));
   key.enabled = 0;
   give(&harness, 3, lir_b2i(b, lower_stencil_test(b, &key, five, three)));
   run_on_all(&harness, check_result);
   expect_all(&harness, 0, UINT32_MAX);
   expect_all(&harness, 1, 0);
   expect_all(&harness, 2, 0);
   expect_all(&harness, 3, UINT32_MAX);
   end(&harness);
}

/* ---- blending ------------------------------------------------------------ */

/* Values with few bits, so that every product and sum is exact. */
static const float src[4] = {0.5f, 0.25f, 1.0f, 0.75f};
static const float src1[4] = {0.125f, 0.5f, 0.75f, 0.25f};
static const float dst[4] = {0.75f, 0.5f, 0.0f, 0.5f};
static const float constant[4] = {0.25f, 0.125f, 0.5f, 0.875f};

/* What each factor is for red, green, blue and alpha, worked out from table
 * 17.2 of the specification and the colours above. */
static const struct {
   unsigned factor;
   float is[4];
} factors[] = {
   {TG_BLEND_ONE, {1, 1, 1, 1}},
   {TG_BLEND_SRC_COLOR, {0.5f, 0.25f, 1, 0.75f}},
   {TG_BLEND_SRC_ALPHA, {0.75f, 0.75f, 0.75f, 0.75f}},
   {TG_BLEND_DST_ALPHA, {0.5f, 0.5f, 0.5f, 0.5f}},
   {TG_BLEND_DST_COLOR, {0.75f, 0.5f, 0, 0.5f}},
   {TG_BLEND_SRC_ALPHA_SATURATE, {0.5f, 0.5f, 0.5f, 1}},
   {TG_BLEND_CONST_COLOR, {0.25f, 0.125f, 0.5f, 0.875f}},
   {TG_BLEND_CONST_ALPHA, {0.875f, 0.875f, 0.875f, 0.875f}},
   {TG_BLEND_SRC1_COLOR, {0.125f, 0.5f, 0.75f, 0.25f}},
   {TG_BLEND_SRC1_ALPHA, {0.25f, 0.25f, 0.25f, 0.25f}},
   {TG_BLEND_ZERO, {0, 0, 0, 0}},
   {TG_BLEND_INV_SRC_COLOR, {0.5f, 0.75f, 0, 0.25f}},
   {TG_BLEND_INV_SRC_ALPHA, {0.25f, 0.25f, 0.25f, 0.25f}},
   {TG_BLEND_INV_DST_ALPHA, {0.5f, 0.5f, 0.5f, 0.5f}},
   {TG_BLEND_INV_DST_COLOR, {0.25f, 0.5f, 1, 0.5f}},
   {TG_BLEND_INV_CONST_COLOR, {0.75f, 0.875f, 0.5f, 0.125f}},
   {TG_BLEND_INV_CONST_ALPHA, {0.125f, 0.125f, 0.125f, 0.125f}},
   {TG_BLEND_INV_SRC1_COLOR, {0.875f, 0.5f, 0.25f, 0.75f}},
   {TG_BLEND_INV_SRC1_ALPHA, {0.75f, 0.75f, 0.75f, 0.75f}},
};

static void
give_blended(const struct lower_blend_key *key, enum lower_blend_range range,
             const float *s, const float *s1, const float *d, const float *c)
{
   struct lower_blend_colors colors;
   lir_value out[4];

   for (unsigned i = 0; i < 4; i++) {
      colors.src[i] = unknown(bits_of(s[i]));
      colors.src1[i] = unknown(bits_of(s1[i]));
      colors.dst[i] = unknown(bits_of(d[i]));
      colors.constant[i] = unknown(bits_of(c[i]));
   }
   lower_blend(&harness.b, key, range, &colors, out);
   for (unsigned i = 0; i < 4; i++)
      give(&harness, i, out[i]);
}

static float
equation(enum tg_blend_func func, float s, float s_factor, float d,
         float d_factor)
{
   switch (func) {
   case TG_BLEND_SUBTRACT: return s * s_factor - d * d_factor;
   case TG_BLEND_REVERSE_SUBTRACT: return d * d_factor - s * s_factor;
   case TG_BLEND_MIN: return s < d ? s : d;
   case TG_BLEND_MAX: return s > d ? s : d;
   default: return s * s_factor + d * d_factor;
   }
}

/* Factor i for the source and factor k for the target; alpha has them the other
 * way round and the next function. */
static void
check_blend(unsigned i, unsigned k, enum tg_blend_func func)
{
   const enum tg_blend_func alpha_func =
      (enum tg_blend_func)((func + 1) % LOWER_NUM_BLEND_FUNCS);
   const struct lower_blend_key key = {
      .enabled = 1,
      .rgb_func = (uint8_t)func,
      .rgb_src_factor = (uint8_t)factors[i].factor,
      .rgb_dst_factor = (uint8_t)factors[k].factor,
      .alpha_func = (uint8_t)alpha_func,
      .alpha_src_factor = (uint8_t)factors[k].factor,
      .alpha_dst_factor = (uint8_t)factors[i].factor,
   };

   begin(&harness);
   give_blended(&key, LOWER_BLEND_UNORM, src, src1, dst, constant);
   run_on_all(&harness, check_result);
   for (unsigned c = 0; c < 3; c++)
      expect_all(&harness, c,
                 bits_of(equation(func, src[c], factors[i].is[c], dst[c],
                                  factors[k].is[c])));
   expect_all(&harness, 3,
              bits_of(equation(alpha_func, src[3], factors[k].is[3], dst[3],
                               factors[i].is[3])));
   end(&harness);
}

static void
test_blends(void **state)
{
   (void)state;
   for (unsigned i = 0; i < LENGTH(factors); i++) {
      for (unsigned func = 0; func < LOWER_NUM_BLEND_FUNCS; func++)
         check_blend(i, (i * 7 + func) % LENGTH(factors),
                     (enum tg_blend_func)func);
   }
}

/* Sources, constants and so factors are clamped to what the target can hold,
 * NaN to its least; a float target clamps nothing. Source times constant. */
static void
test_blend_clamps(void **state)
{
   const struct lower_blend_key key = {
      .enabled = 1,
      .rgb_src_factor = TG_BLEND_CONST_COLOR,
      .rgb_dst_factor = TG_BLEND_ZERO,
      .alpha_src_factor = TG_BLEND_CONST_COLOR,
      .alpha_dst_factor = TG_BLEND_ZERO,
   };
   static const float s[4] = {2.0f, -3.0f, 0.5f, -0.5f};
   static const float c[4] = {0.5f, 0.5f, 4.0f, -4.0f};
   static const float expected[3][4] = {
      [LOWER_BLEND_UNCLAMPED] = {1.0f, -1.5f, 2.0f, 2.0f},
      [LOWER_BLEND_UNORM] = {0.5f, 0.0f, 0.5f, 0.0f},
      [LOWER_BLEND_SNORM] = {0.5f, -0.5f, 0.5f, 0.5f},
   };

   (void)state;
   for (unsigned range = 0; range < 3; range++) {
      begin(&harness);
      give_blended(&key, (enum lower_blend_range)range, s, src1, dst, c);
      run_on_all(&harness, check_result);
      for (unsigned i = 0; i < 4; i++)
         expect_all(&harness, i, bits_of(expected[range][i]));
      end(&harness);
   }
}

/* Without blending the source goes through as it is. */
static void
test_no_blend(void **state)
{
   const struct lower_blend_key key = {0};
   static const float s[4] = {2.0f, -3.0f, 0.5f, INFINITY};

   (void)state;
   begin(&harness);
   give_blended(&key, LOWER_BLEND_UNORM, s, src1, dst, constant);
   run_on_all(&harness, check_result);
   for (unsigned i = 0; i < 4; i++)
      expect_all(&harness, i, bits_of(s[i]));
   end(&harness);
}

/* ---- logic operations ---------------------------------------------------- */

static uint32_t
logic(enum tg_logic_op op, uint32_t s, uint32_t d)
{
   switch (op) {
   case TG_LOGIC_CLEAR: return 0;
   case TG_LOGIC_NOR: return ~(s | d);
   case TG_LOGIC_AND_INVERTED: return ~s & d;
   case TG_LOGIC_COPY_INVERTED: return ~s;
   case TG_LOGIC_AND_REVERSE: return s & ~d;
   case TG_LOGIC_INVERT: return ~d;
   case TG_LOGIC_XOR: return s ^ d;
   case TG_LOGIC_NAND: return ~(s & d);
   case TG_LOGIC_AND: return s & d;
   case TG_LOGIC_EQUIV: return ~(s ^ d);
   case TG_LOGIC_NOOP: return d;
   case TG_LOGIC_OR_INVERTED: return ~s | d;
   case TG_LOGIC_COPY: return s;
   case TG_LOGIC_OR_REVERSE: return s | ~d;
   case TG_LOGIC_OR: return s | d;
   case TG_LOGIC_SET: return UINT32_MAX;
   }
   return 0;
}

static void
test_logic(void **state)
{
   const uint32_t s = 0x0f0f3355, d = 0x00ff0f33;

   (void)state;
   begin(&harness);
   const lir_value source = unknown(s);
   const lir_value target = unknown(d);
   for (unsigned op = 0; op < LOWER_NUM_LOGIC_OPS; op++)
      give(&harness, op,
           lower_blend_logic(&harness.b, (enum tg_logic_op)op, source, target));
   run_on_all(&harness, check_result);
   for (unsigned op = 0; op < LOWER_NUM_LOGIC_OPS; op++)
      expect_all(&harness, op, logic((enum tg_logic_op)op, s, d));
   end(&harness);
}

/* ---- dither -------------------------------------------------------------- */

/* The first rows of Bayer's matrix of 4 by 4. */
static const unsigned matrix[2][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}};

/* Red has 31 steps, green 63, of which the thresholds move it by 32nds; alpha
 * is no channel. Pixels from (4, 8) on, of which the pattern begins anew. */
static void
test_dither(void **state)
{
   struct lir_builder *b = &harness.b;

   (void)state;
   for (unsigned i = 0; i < 8; i++) {
      begin(&harness);
      const lir_value x = unknown(4 + i % 4);
      const lir_value y = unknown(8 + i / 4);
      lir_value color[4] = {
         unknown(bits_of(0.5f)),
         unknown(bits_of(2.0f)),
         unknown(bits_of(0.25f)),
         unknown(bits_of(0.5f)),
      };
      lower_dither(b, TG_FORMAT_B5G6R5_UNORM, x, y, color);
      for (unsigned c = 0; c < 4; c++)
         give(&harness, c, color[c]);
      run_on_all(&harness, check_result);
      const float share = ((float)matrix[i / 4][i % 4] - 7.5f) / 16;
      expect_all(&harness, 0, bits_of(0.5f + share * (1.0f / 31)));
      expect_all(&harness, 1, bits_of(1.0f + share * (1.0f / 63)));
      expect_all(&harness, 2, bits_of(0.25f + share * (1.0f / 31)));
      expect_all(&harness, 3, bits_of(0.5f));
      end(&harness);
   }
}

static void
test_no_dither(void **state)
{
   static const enum tg_format formats[] = {
      TG_FORMAT_R8G8B8A8_UNORM,
      TG_FORMAT_R16_FLOAT,
      TG_FORMAT_R9G9B9E5_FLOAT,
      TG_FORMAT_R8_SNORM,
   };

   (void)state;
   for (unsigned i = 0; i < LENGTH(formats); i++) {
      begin(&harness);
      const lir_value x = unknown(1);
      lir_value color[4];
      for (unsigned c = 0; c < 4; c++)
         color[c] = unknown(bits_of(1.5f));
      lower_dither(&harness.b, formats[i], x, x, color);
      for (unsigned c = 0; c < 4; c++)
         give(&harness, c, color[c]);
      run_on_all(&harness, check_result);
      for (unsigned c = 0; c < 4; c++)
         expect_all(&harness, c, bits_of(1.5f));
      end(&harness);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compares),     cmocka_unit_test(test_stencil_ops),
      cmocka_unit_test(test_stencil_test), cmocka_unit_test(test_blends),
      cmocka_unit_test(test_blend_clamps), cmocka_unit_test(test_no_blend),
      cmocka_unit_test(test_logic),        cmocka_unit_test(test_dither),
      cmocka_unit_test(test_no_dither),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
