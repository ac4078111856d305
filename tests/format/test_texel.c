/* SPDX-License-Identifier: MIT
 *
 * Reading and writing one texel in C: values worked out by hand for each family
 * of formats, and that what was read is written as it was.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "format/channel.h"
#include "format/format.h"
#include "format/srgb.h"

enum { MAX_BYTES = 32 };

static uint32_t
bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static float
float_of(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}

/* ---- values worked out by hand ------------------------------------------- */

/* A texel as a little-endian number, what it reads as, and the same way back.
 */
struct float_case {
   enum tg_format format;
   uint64_t texel;
   float color[4];
};

#define INF __builtin_inff()

static const struct float_case float_cases[] = {
   /* Unsigned normalised: v / (2^n - 1). */
   {TG_FORMAT_R8G8B8A8_UNORM, 0xff330100, {0, 1 / 255.0f, 0.2f, 1}},
   {TG_FORMAT_B8G8R8A8_UNORM, 0x800000ff, {0, 0, 1, 128 / 255.0f}},
   {TG_FORMAT_B8G8R8X8_UNORM, 0x00ff0000, {1, 0, 0, 1}},
   {TG_FORMAT_X8R8G8B8_UNORM, 0x0000ff00, {1, 0, 0, 1}},
   {TG_FORMAT_A8R8G8B8_UNORM, 0x0000ff33, {1, 0, 0, 0.2f}},
   {TG_FORMAT_B5G6R5_UNORM, 31 << 11 | 21 << 5, {1, 21 / 63.0f, 0, 1}},
   {TG_FORMAT_R5G6B5_UNORM, 31 << 11 | 21 << 5, {0, 21 / 63.0f, 1, 1}},
   {TG_FORMAT_B5G5R5A1_UNORM, 0x8000 | 31 << 10 | 1, {1, 0, 1 / 31.0f, 1}},
   {TG_FORMAT_A1B5G5R5_UNORM, 1 | 31 << 11, {1, 0, 0, 1}},
   {TG_FORMAT_R3G3B2_UNORM, 3 << 6 | 7, {1, 0, 1, 1}},
   {TG_FORMAT_R10G10B10A2_UNORM, UINT32_C(2) << 30 | 1023, {1, 0, 0, 2 / 3.0f}},
   {TG_FORMAT_R16G16_UNORM, 0x00018000, {32768 / 65535.0f, 1 / 65535.0f, 0, 1}},
   {TG_FORMAT_R32_UNORM, 0xffffffff, {1, 0, 0, 1}},
   /* 2^31 / (2^32 - 1) is 0.5 (1 + 2^-32 + ...): nearest is 0.5. */
   {TG_FORMAT_R32_UNORM, 0x80000000, {0.5f, 0, 0, 1}},
   /* Signed normalised: v / (2^(n-1) - 1). */
   {TG_FORMAT_R8G8_SNORM, 0x817f, {1, -1, 0, 1}},
   {TG_FORMAT_R8G8_SNORM, 0xff40, {64 / 127.0f, -1 / 127.0f, 0, 1}},
   {TG_FORMAT_R16_SNORM, 0x8001, {-1, 0, 0, 1}},
   {TG_FORMAT_R10G10B10A2_SNORM,
    UINT32_C(3) << 30 | 511 << 10 | 0x201,
    {-1, 1, 0, -1}},
   {TG_FORMAT_R8SG8SB8UX8U_NORM, 0x00ff8140, {64 / 127.0f, -1, 1, 1}},
   {TG_FORMAT_R5SG5SB6U_NORM, 63 << 10 | 15 << 5 | 0x11, {-1, 1, 1, 1}},
   {TG_FORMAT_R32_SNORM, 0x80000001, {-1, 0, 0, 1}},
   /* What is left to a unit vector. */
   {TG_FORMAT_R8G8Bx_SNORM, 0x7f00, {0, 1, 0, 1}},
   {TG_FORMAT_R8G8Bx_SNORM, 0x0000, {0, 0, 1, 1}},
   /* Integers that read as floats. */
   {TG_FORMAT_R8G8_USCALED, 0xff07, {7, 255, 0, 1}},
   {TG_FORMAT_R8G8_SSCALED, 0x80fe, {-2, -128, 0, 1}},
   {TG_FORMAT_R16_SSCALED, 0x8000, {-32768, 0, 0, 1}},
   {TG_FORMAT_R10G10B10A2_SSCALED, UINT32_C(2) << 30 | 0x200, {-512, 0, 0, -2}},
   {TG_FORMAT_R32_USCALED, 0xffffff00, {4294967040.0f, 0, 0, 1}},
   {TG_FORMAT_R32_FIXED, 0xffff8000, {-0.5f, 0, 0, 1}},
   {TG_FORMAT_R32_FIXED, 0x00018000, {1.5f, 0, 0, 1}},
   /* Floats of 64, 32, 16, 11 and 10 bits. */
   {TG_FORMAT_R64_FLOAT, UINT64_C(0xc000000000000000), {-2, 0, 0, 1}},
   {TG_FORMAT_R32_FLOAT, 0x40490fdb, {0x1.921fb6p1f, 0, 0, 1}},
   {TG_FORMAT_R16G16_FLOAT, 0x7bff3c00, {1, 65504, 0, 1}},
   {TG_FORMAT_R16G16_FLOAT, 0xfc008001, {-0x1p-24f, -INF, 0, 1}},
   {TG_FORMAT_R16_FLOAT, 0x03ff, {1023 * 0x1p-24f, 0, 0, 1}},
   /* 1.0 has exponent 15: 15 << 6 and 15 << 5. */
   {TG_FORMAT_R11G11B10_FLOAT, 960 | 960 << 11 | 480u << 22, {1, 1, 1, 1}},
   /* The greatest: (2 - 2^-6) 2^15, (2 - 2^-5) 2^15. */
   {TG_FORMAT_R11G11B10_FLOAT, 0x7bf | 991u << 22, {65024, 0, 64512, 1}},
   /* The least: 2^-20 and 2^-19; infinity. */
   {TG_FORMAT_R11G11B10_FLOAT,
    1 | 0x7c0 << 11 | 1u << 22,
    {0x1p-20f, INF, 0x1p-19f, 1}},
   /* Shared exponent: m 2^(E - 24). */
   {TG_FORMAT_R9G9B9E5_FLOAT, 16u << 27 | 256 | 128 << 9, {1, 0.5f, 0, 1}},
   {TG_FORMAT_R9G9B9E5_FLOAT, 31u << 27 | 511, {65408, 0, 0, 1}},
   {TG_FORMAT_R9G9B9E5_FLOAT, 1 << 18, {0, 0, 0x1p-24f, 1}},
   /* Absent components. */
   {TG_FORMAT_R8_UNORM, 0xff, {1, 0, 0, 1}},
   {TG_FORMAT_L8_UNORM, 0x33, {0.2f, 0.2f, 0.2f, 1}},
   {TG_FORMAT_A8_UNORM, 0x33, {0, 0, 0, 0.2f}},
   {TG_FORMAT_I8_UNORM, 0x33, {0.2f, 0.2f, 0.2f, 0.2f}},
   {TG_FORMAT_L8A8_UNORM, 0xff33, {0.2f, 0.2f, 0.2f, 1}},
   {TG_FORMAT_R8A8_UNORM, 0xff33, {0.2f, 0, 0, 1}},
   {TG_FORMAT_A8R8_UNORM, 0xff33, {1, 0, 0, 0.2f}},
   {TG_FORMAT_G8R8_UNORM, 0xff33, {1, 0.2f, 0, 1}},
   /* Depth, (z, z, z, 1). */
   {TG_FORMAT_Z16_UNORM, 0xffff, {1, 1, 1, 1}},
   {TG_FORMAT_Z24X8_UNORM, 0x00ffffff, {1, 1, 1, 1}},
   {TG_FORMAT_Z32_FLOAT, 0x3e800000, {0.25f, 0.25f, 0.25f, 1}},
   /* sRGB: the ends, and alpha, which is linear. */
   {TG_FORMAT_R8G8B8A8_SRGB, 0x330000ff, {1, 0, 0, 0.2f}},
   {TG_FORMAT_L8A8_SRGB, 0x33ff, {1, 1, 1, 0.2f}},
   /* 10 / 255 is in the linear piece: 10 / 255 / 12.92 = 10 / 3294.6. */
   {TG_FORMAT_R8_SRGB, 10, {0x1.8dd6c2p-9f, 0, 0, 1}},
   {TG_FORMAT_B5G6R5_SRGB, 31 << 11, {1, 0, 0, 1}},
};

static void
test_floats(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(float_cases) / sizeof(*float_cases); i++) {
      const struct float_case *row = &float_cases[i];
      const struct format_info *info = format_info(row->format);
      uint64_t texel = 0;
      uint32_t words[4];
      format_unpack(row->format, &row->texel, words);
      for (unsigned c = 0; c < 4; c++)
         if (words[c] != bits_of(row->color[c])) {
            printf("%s, row %u: word %u is %a, expected %a\n", info->name, i, c,
                   (double)float_of(words[c]), (double)row->color[c]);
            fail();
         }
      memcpy(words, row->color, sizeof(words));
      format_pack(row->format, words, &texel);
      assert_int_equal(texel, row->texel);
   }
}

struct integer_case {
   enum tg_format format;
   uint64_t texel;
   int32_t words[4];
};

static const struct integer_case integer_cases[] = {
   {TG_FORMAT_R8G8B8A8_UINT, 0xff030200, {0, 2, 3, 255}},
   {TG_FORMAT_R8G8B8A8_SINT, 0xff7f80fe, {-2, -128, 127, -1}},
   {TG_FORMAT_R16_SINT, 0x8000, {-32768, 0, 0, 1}},
   {TG_FORMAT_R32_UINT, 0xffffffff, {-1, 0, 0, 1}},
   {TG_FORMAT_R10G10B10A2_UINT, UINT32_C(3) << 30 | 1023, {1023, 0, 0, 3}},
   {TG_FORMAT_B10G10R10A2_UINT, UINT32_C(1) << 30 | 1023, {0, 0, 1023, 1}},
   {TG_FORMAT_L8_UINT, 9, {9, 9, 9, 1}},
   {TG_FORMAT_A16_SINT, 0xffff, {0, 0, 0, -1}},
   {TG_FORMAT_I8_UINT, 9, {9, 9, 9, 9}},
   {TG_FORMAT_R8G8B8X8_UINT, 0x00030201, {1, 2, 3, 1}},
   {TG_FORMAT_S8_UINT, 0x81, {0x81, 0x81, 0x81, 0x81}},
   {TG_FORMAT_X24S8_UINT, 0x81000000, {0x81, 0x81, 0x81, 0x81}},
   {TG_FORMAT_S8X24_UINT, 0x81, {0x81, 0x81, 0x81, 0x81}},
   {TG_FORMAT_X32_S8X24_UINT, UINT64_C(0x8100000000), {0x81, 0x81, 0x81, 0x81}},
};

static void
test_integers(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(integer_cases) / sizeof(*integer_cases);
        i++) {
      const struct integer_case *row = &integer_cases[i];
      uint64_t texel = 0;
      uint32_t words[4];
      format_unpack(row->format, &row->texel, words);
      assert_memory_equal(words, row->words, sizeof(words));
      format_pack(row->format, words, &texel);
      assert_int_equal(texel, row->texel);
   }
}

/* ---- rounding and clamping ----------------------------------------------- */

static uint64_t
pack1(enum tg_format format, float x)
{
   const uint32_t words[4] = {bits_of(x), bits_of(x), bits_of(x), bits_of(x)};
   uint64_t texel = 0;
   format_pack(format, words, &texel);
   return texel;
}

static void
test_rounding(void **state)
{
   (void)state;
   static const struct {
      enum tg_format format;
      float x;
      uint64_t texel;
   } rows[] = {
      {TG_FORMAT_R8_UNORM, -1, 0},
      {TG_FORMAT_R8_UNORM, 2, 255},
      {TG_FORMAT_R8_UNORM, INF, 255},
      {TG_FORMAT_R8_UNORM, __builtin_nanf(""), 0},
      /* 255 * 0.5 = 127.5, to even; just below it. */
      {TG_FORMAT_R8_UNORM, 0.5f, 128},
      {TG_FORMAT_R8_UNORM, 0x1.fffffep-2f, 127},
      /* 3 * 0.5 = 1.5, and 1 * 0.5 = 0.5. */
      {TG_FORMAT_B5G5R5A1_UNORM, 0.5f, 16 | 16 << 5 | 16 << 10},
      {TG_FORMAT_R8_SNORM, -2, 0x81},
      {TG_FORMAT_R8_SNORM, -INF, 0x81},
      {TG_FORMAT_R8_SNORM, __builtin_nanf(""), 0},
      {TG_FORMAT_R8_SNORM, 0.5f, 64},    /* 63.5 */
      {TG_FORMAT_R8_SNORM, -0.5f, 0xc0}, /* -63.5 */
      {TG_FORMAT_R8_USCALED, 2.5f, 2},
      {TG_FORMAT_R8_USCALED, 3.5f, 4},
      {TG_FORMAT_R8_USCALED, 300, 255},
      {TG_FORMAT_R8_USCALED, -3, 0},
      {TG_FORMAT_R8_SSCALED, -2.5f, 0xfe},
      {TG_FORMAT_R8_SSCALED, -300, 0x80},
      {TG_FORMAT_R32_USCALED, 1e20f, 0xffffffff},
      {TG_FORMAT_R32_SSCALED, -1e20f, 0x80000000},
      {TG_FORMAT_R32_SSCALED, __builtin_nanf(""), 0},
      {TG_FORMAT_R32_FIXED, 1e20f, 0x7fffffff},
      {TG_FORMAT_R32_FIXED, 0x1.8p-17f, 1}, /* 0.75 of a unit */
      {TG_FORMAT_R32_FIXED, 0x1p-17f, 0},   /* half of one */
      /* Halves: 65520 is half way to what would be 65536. */
      {TG_FORMAT_R16_FLOAT, 65519, 0x7bff},
      {TG_FORMAT_R16_FLOAT, 65520, 0x7c00},
      {TG_FORMAT_R16_FLOAT, 0x1p-25f, 0},
      {TG_FORMAT_R16_FLOAT, 0x1.8p-25f, 1},
      {TG_FORMAT_R16_FLOAT, 0x1.ffcp-15f, 0x0400}, /* a tie: 1023.5 units */
      {TG_FORMAT_R16_FLOAT, -0.0f, 0x8000},
      {TG_FORMAT_R16_FLOAT, 0x1.002p0f, 0x3c00}, /* a tie */
      {TG_FORMAT_R16_FLOAT, 0x1.006p0f, 0x3c02}, /* a tie */
      /* Depth of 24 bits: half a unit is 0.5 / (2^24 - 1). */
      {TG_FORMAT_Z24X8_UNORM, 0x1p-25f, 0},
      {TG_FORMAT_Z24X8_UNORM, 0x1.000002p-25f, 1},
      {TG_FORMAT_Z24X8_UNORM, 0x1.fffffep-1f, 0xfffffe},
      {TG_FORMAT_Z32_UNORM, 0.5f, 0x80000000}, /* 2^31 - 0.5, to even */
      {TG_FORMAT_Z32_UNORM, 1, 0xffffffff},
      /* Beyond the ends of sRGB. */
      {TG_FORMAT_R8_SRGB, 1.5f, 255},
      {TG_FORMAT_R8_SRGB, -1, 0},
      {TG_FORMAT_R8_SRGB, __builtin_nanf(""), 0},
      /* 1.5 codes are 1.5 / 255 / 12.92 = 0.000455... */
      {TG_FORMAT_R8_SRGB, 0.0004552f, 1},
      {TG_FORMAT_R8_SRGB, 0.0004553f, 2},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
      if (pack1(rows[i].format, rows[i].x) != rows[i].texel) {
         printf("%s of %a is %#llx, expected %#llx\n",
                format_info(rows[i].format)->name, (double)rows[i].x,
                (unsigned long long)pack1(rows[i].format, rows[i].x),
                (unsigned long long)rows[i].texel);
         fail();
      }
}

/* Channels of 11, 11 and 10 bits. */
static void
test_unsigned_floats(void **state)
{
   (void)state;
   static const struct {
      float x;
      uint32_t eleven, ten;
   } rows[] = {
      {-1, 0, 0},
      {-INF, 0, 0},
      {INF, 0x7c0, 0x3e0},
      {1e30f, 0x7bf, 0x3df},
      {65535, 0x7bf, 0x3df},
      {__builtin_nanf(""), 0x7e0, 0x3f0},
      /* Ties at the 7th and at the 6th bit. */
      {1 + 0x1p-7f, 960, 480},
      {1 + 0x1p-6f, 961, 480},
      {1 + 0x3p-7f, 962, 481},
      {1 + 0x3p-6f, 963, 482},
      /* Half the least, and more than that. */
      {0x1p-21f, 0, 0},
      {0x1.8p-21f, 1, 0},
      {0x1p-20f, 1, 0},
      {0x1.8p-20f, 2, 1},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const uint64_t texel = pack1(TG_FORMAT_R11G11B10_FLOAT, rows[i].x);
      assert_int_equal(texel & 0x7ff, rows[i].eleven);
      assert_int_equal(texel >> 11 & 0x7ff, rows[i].eleven);
      assert_int_equal(texel >> 22, rows[i].ten);
   }
}

static void
test_shared_exponent(void **state)
{
   (void)state;
   static const struct {
      float rgb[3];
      uint32_t mantissa[3], exponent;
   } rows[] = {
      {{0, 0, 0}, {0, 0, 0}, 0},
      {{-1, __builtin_nanf(""), -INF}, {0, 0, 0}, 0},
      {{1e9f, INF, 0}, {511, 511, 0}, 31},
      /* 511.5 * 2^-9: rounds to 512, so the exponent grows and it is 256. */
      {{511.5f / 512, 0, 0}, {256, 0, 0}, 16},
      {{511.25f / 512, 0, 0}, {511, 0, 0}, 15},
      /* Halves go up: 256 + 2.5 units of 2^-8, and 0.5 of them. */
      {{1, 2.5f / 256, 0.5f / 256}, {256, 3, 1}, 16},
      {{1, 0x1.fffffep-10f, 0}, {256, 0, 0}, 16},
      /* The least exponent: units of 2^-24. */
      {{0x1p-24f, 0x1p-25f, 0x1.fffffep-26f}, {1, 1, 0}, 0},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      uint32_t words[4] = {0}, texel = 0;
      memcpy(words, rows[i].rgb, sizeof(rows[i].rgb));
      format_pack(TG_FORMAT_R9G9B9E5_FLOAT, words, &texel);
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(texel >> (c * 9) & 0x1ff, rows[i].mantissa[c]);
      assert_int_equal(texel >> 27, rows[i].exponent);
   }
}

static void
test_integers_clamp(void **state)
{
   (void)state;
   static const struct {
      enum tg_format format;
      uint32_t word;
      uint64_t texel;
   } rows[] = {
      {TG_FORMAT_R8_UINT, 256, 255},
      {TG_FORMAT_R8_UINT, UINT32_MAX, 255},
      {TG_FORMAT_R8_SINT, 200, 127},
      {TG_FORMAT_R8_SINT, (uint32_t)-200, 0x80},
      {TG_FORMAT_R16_SINT, 0x80000000, 0x8000},
      {TG_FORMAT_R32_SINT, 0x80000000, 0x80000000},
      {TG_FORMAT_S8_UINT, 300, 255},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const uint32_t words[4] = {rows[i].word};
      uint64_t texel = 0;
      format_pack(rows[i].format, words, &texel);
      assert_int_equal(texel, rows[i].texel);
   }
}

/* Is a float from 2^-8 to 1 the nearest to value / divisor? It is a multiple of
 * 2^-32, and so is half of its last place, unless that is below 2^-32. */
static bool
is_nearest(float quotient, uint64_t value, uint64_t divisor)
{
   const uint64_t found = (uint64_t)ldexp(quotient, 32) * divisor;
   const uint64_t exact = value << 32;
   const uint64_t error = found < exact ? exact - found : found - exact;
   const double half = ldexp(1, ilogbf(quotient) - 24 + 32);
   return (double)error <= half * (double)divisor;
}

/* Quotients by 2^32 - 1 and 2^31 - 1 near halves of a float's last place. */
static void
test_wide_quotients(void **state)
{
   (void)state;
   const struct format_channel unorm = {FORMAT_TYPE_UNORM, 32, 0};
   const struct format_channel snorm = {FORMAT_TYPE_SNORM, 32, 0};
   for (uint32_t i = 0; i < 1000; i++) {
      for (unsigned shift = 1; shift < 8; shift++) {
         /* Ends in one set bit below the last place, and near that. */
         const uint32_t middle = (0x1ffffff - 2 * i) << shift;
         const uint32_t value = middle - 1 + i % 3;
         assert_true(is_nearest(format_channel_to_float(&unorm, value), value,
                                UINT32_MAX));
         if (value <= INT32_MAX)
            assert_true(is_nearest(format_channel_to_float(&snorm, value),
                                   value, INT32_MAX));
      }
   }
   /* Just below the middle of the last two floats up to 1. */
   assert_true(format_channel_to_float(&unorm, 0xffffff7f) == 0x1.fffffep-1f);
}

/* ---- depth and stencil --------------------------------------------------- */

static void
test_depth_keeps_stencil(void **state)
{
   (void)state;
   const uint32_t one[4] = {bits_of(1)};
   uint32_t words[4];

   uint32_t packed = 0xab123456;
   format_pack(TG_FORMAT_Z24_UNORM_S8_UINT, one, &packed);
   assert_int_equal(packed, 0xabffffff);
   assert_int_equal(format_unpack_stencil(TG_FORMAT_Z24_UNORM_S8_UINT, &packed),
                    0xab);
   format_pack_stencil(TG_FORMAT_Z24_UNORM_S8_UINT, 0x12, &packed);
   assert_int_equal(packed, 0x12ffffff);

   packed = 0x123456ab;
   format_pack(TG_FORMAT_S8_UINT_Z24_UNORM, one, &packed);
   assert_int_equal(packed, 0xffffffab);
   format_pack_stencil(TG_FORMAT_S8_UINT_Z24_UNORM, 0x12, &packed);
   assert_int_equal(packed, 0xffffff12);

   uint32_t wide[2] = {0, 0xab};
   format_pack(TG_FORMAT_Z32_FLOAT_S8X24_UINT, one, wide);
   assert_int_equal(wide[0], bits_of(1));
   assert_int_equal(wide[1], 0xab);
   format_pack_stencil(TG_FORMAT_Z32_FLOAT_S8X24_UINT, 0x12, wide);
   assert_int_equal(wide[1], 0x12);
   format_unpack(TG_FORMAT_Z32_FLOAT_S8X24_UINT, wide, words);
   assert_int_equal(words[2], bits_of(1));
}

/* ---- there and back ------------------------------------------------------ */

static uint64_t
get(const uint8_t *texel, const struct format_channel *channel)
{
   uint64_t bits = 0;
   for (unsigned i = 0; i < channel->bits; i++) {
      const unsigned at = channel->shift + i;
      bits |= (uint64_t)(texel[at / 8] >> at % 8 & 1) << i;
   }
   return bits;
}

static void
put(uint8_t *texel, const struct format_channel *channel, uint64_t bits)
{
   for (unsigned i = 0; i < channel->bits; i++) {
      const unsigned at = channel->shift + i;
      texel[at / 8] &= (uint8_t) ~(1u << at % 8);
      texel[at / 8] |= (uint8_t)((bits >> i & 1) << at % 8);
   }
}

/* The bits that a channel's value comes back as: two encodings of -1 are one,
 * and so are all NaNs. */
static uint64_t
canonical(const struct format_channel *channel, uint64_t bits)
{
   const uint64_t sign = UINT64_C(1) << (channel->bits - 1);
   if (channel->type == FORMAT_TYPE_SNORM && bits == sign)
      return sign + 1;
   if (channel->type == FORMAT_TYPE_FLOAT && channel->bits <= 16) {
      const unsigned fraction = channel->bits == 16 ? 10 : channel->bits - 5u;
      const uint64_t exponent = UINT64_C(31) << fraction;
      if ((bits & exponent) == exponent && bits & ((1u << fraction) - 1))
         return exponent | 1u << (fraction - 1);
   }
   return bits;
}

static void
check_channel(enum tg_format format, unsigned number, uint64_t bits)
{
   const struct format_info *info = format_info(format);
   const struct format_channel *channel = &info->channel[number];
   uint8_t texel[MAX_BYTES] = {0}, again[MAX_BYTES] = {0};
   uint32_t words[4];
   put(texel, channel, bits);
   format_unpack(format, texel, words);
   format_pack(format, words, again);
   const uint64_t found = get(again, channel);
   if (found != canonical(channel, bits)) {
      printf("%s: channel %u of %#llx comes back as %#llx\n", info->name,
             number, (unsigned long long)bits, (unsigned long long)found);
      fail();
   }
}

/* Of more than 24 bits only these are floats when normalised or scaled. */
static const uint64_t edges[] = {
   0,          1,          2,          0x7f,       0x80,       0xff,
   0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,
   0xfffffe,   0xffffff,   0x7f800000, 0xff800000, 0x00800000, 0x7f7fffff,
   0x3f800000, 0x80000000, 0x00000001,
};

static bool
is_exact(const struct format_channel *channel, uint64_t bits)
{
   if (channel->bits <= 24)
      return true;
   if (channel->type == FORMAT_TYPE_FLOAT)
      return channel->bits == 32;
   if (channel->type == FORMAT_TYPE_UINT || channel->type == FORMAT_TYPE_SINT)
      return true;
   return bits <= 0xffffff;
}

static void
test_round_trip(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const enum tg_format format = (enum tg_format)i;
      const struct format_info *info = format_info(format);
      if (info->layout != FORMAT_LAYOUT_PLAIN)
         continue;
      for (unsigned c = 0; c < info->num_channels; c++) {
         const struct format_channel *channel = &info->channel[c];
         const bool is_other = format_has_depth(format) &&
                               format_has_stencil(format) && c != info->depth;
         if (channel->type == FORMAT_TYPE_VOID || is_other)
            continue;
         if (channel->bits <= 16) {
            for (uint32_t v = 0; v < 1u << channel->bits; v++)
               check_channel(format, c, v);
            continue;
         }
         const uint64_t mask = channel->bits == 64
                                  ? UINT64_MAX
                                  : (UINT64_C(1) << channel->bits) - 1;
         for (unsigned e = 0; e < sizeof(edges) / sizeof(*edges); e++)
            if (is_exact(channel, edges[e] & mask))
               check_channel(format, c, edges[e] & mask);
      }
   }
}

/* Whole texels of up to 16 bits; what is void comes back as 0. */
static void
test_round_trip_of_small_texels(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const enum tg_format format = (enum tg_format)i;
      const struct format_info *info = format_info(format);
      if (info->layout != FORMAT_LAYOUT_PLAIN || info->block_bytes > 2)
         continue;
      for (uint32_t v = 0; v < 1u << (info->block_bytes * 8); v++) {
         uint8_t texel[2], expected[2] = {0}, found[2] = {0};
         uint32_t words[4];
         memcpy(texel, &v, sizeof(texel));
         for (unsigned c = 0; c < info->num_channels; c++) {
            const struct format_channel *channel = &info->channel[c];
            if (channel->type != FORMAT_TYPE_VOID)
               put(expected, channel, canonical(channel, get(texel, channel)));
         }
         format_unpack(format, texel, words);
         format_pack(format, words, found);
         if (memcmp(found, expected, info->block_bytes) != 0) {
            printf("%s: %#x does not come back\n", info->name, v);
            fail();
         }
      }
   }
}

/* All that have a greatest mantissa of 9 bits, or exponent 0. */
static void
test_round_trip_of_shared_exponents(void **state)
{
   (void)state;
   for (uint32_t exponent = 0; exponent < 32; exponent++) {
      for (uint32_t m = exponent ? 256 : 0; m < 512; m++) {
         const uint32_t texel =
            exponent << 27 | m << 9 | (m * 7 & 0xff) << 18 | (m ^ 0xff) % 256;
         uint32_t words[4], again = 0;
         format_unpack(TG_FORMAT_R9G9B9E5_FLOAT, &texel, words);
         format_pack(TG_FORMAT_R9G9B9E5_FLOAT, words, &again);
         assert_int_equal(again, texel);
      }
   }
}

/* Normalised channels of 32 bits are read to 24 bits of precision. */
static void
test_wide_channels_come_back_near(void **state)
{
   (void)state;
   for (uint64_t v = 0; v <= UINT32_MAX; v += 0xffff1) {
      const uint32_t texel = (uint32_t)v;
      uint32_t words[4], again = 0;
      format_unpack(TG_FORMAT_Z32_UNORM, &texel, words);
      format_pack(TG_FORMAT_Z32_UNORM, words, &again);
      assert_true(again - texel + 128 <= 256);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_floats),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_unsigned_floats),
      cmocka_unit_test(test_shared_exponent),
      cmocka_unit_test(test_integers_clamp),
      cmocka_unit_test(test_wide_quotients),
      cmocka_unit_test(test_depth_keeps_stencil),
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_round_trip_of_small_texels),
      cmocka_unit_test(test_round_trip_of_shared_exponents),
      cmocka_unit_test(test_wide_channels_come_back_near),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
