/* SPDX-License-Identifier: MIT
 *
 * Compressed blocks: bits put together by hand from the specifications, with
 * the texels that follow from them, and that no bytes do harm.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/astc_sequence.h"
#include "format/format.h"

enum { MAX_TEXEL_BYTES = 8, MAX_SIDE = 12 };

/* One block, decoded and read as floats. */
static float color[MAX_SIDE * MAX_SIDE][4];

static void
decode(enum tg_format format, const uint8_t *block)
{
   const struct format_info *info = format_info(format);
   const enum tg_format decoded = format_decoded(format);
   const size_t bytes = format_info(decoded)->block_bytes;
   uint8_t texels[MAX_SIDE * MAX_SIDE * MAX_TEXEL_BYTES];
   format_decode(format, block, 0, texels, info->block_width * bytes,
                 info->block_width, info->block_height);
   for (unsigned i = 0; i < info->block_width * info->block_height; i++) {
      uint32_t words[4];
      format_unpack(decoded, texels + i * bytes, words);
      memcpy(color[i], words, sizeof(words));
   }
}

static void
expect(unsigned texel, float r, float g, float b, float a)
{
   const float expected[4] = {r, g, b, a};
   for (unsigned c = 0; c < 4; c++)
      if (color[texel][c] != expected[c]) {
         printf("texel %u: channel %u is %.9g, expected %.9g\n", texel, c,
                (double)color[texel][c], (double)expected[c]);
         fail();
      }
}

/* Of 8-bit channels. */
static void
expect8(unsigned texel, int r, int g, int b, int a)
{
   expect(texel, (float)r / 255, (float)g / 255, (float)b / 255,
          (float)a / 255);
}

/* Sets `count` bits of a block, a little-endian number. */
static void
put(uint8_t *block, unsigned first, unsigned count, uint64_t value)
{
   for (unsigned i = 0; i < count; i++)
      block[(first + i) / 8] |= (uint8_t)((value >> i & 1) << (first + i) % 8);
}

/* ---- two texels ---------------------------------------------------------- */

static void
test_pairs(void **state)
{
   (void)state;
   static const uint8_t block[4] = {10, 20, 30, 40};
   decode(TG_FORMAT_R8G8_B8G8_UNORM, block);
   expect8(0, 10, 20, 30, 255);
   expect8(1, 10, 40, 30, 255);
   decode(TG_FORMAT_G8R8_G8B8_UNORM, block);
   expect8(0, 20, 10, 40, 255);
   expect8(1, 20, 30, 40, 255);
   decode(TG_FORMAT_R8G8_R8B8_UNORM, block);
   expect8(0, 10, 20, 40, 255);
   expect8(1, 30, 20, 40, 255);
   decode(TG_FORMAT_G8R8_B8R8_UNORM, block);
   expect8(0, 20, 10, 30, 255);
   expect8(1, 40, 10, 30, 255);
}

/* ---- S3TC ---------------------------------------------------------------- */

static void
test_dxt1(void **state)
{
   (void)state;
   /* Red 31 above blue 31; codes 0 to 3. */
   static const uint8_t four[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
   decode(TG_FORMAT_DXT1_RGBA, four);
   expect8(0, 255, 0, 0, 255);
   expect8(1, 0, 0, 255, 255);
   expect8(2, 170, 0, 85, 255);
   expect8(3, 85, 0, 170, 255);
   expect8(15, 255, 0, 0, 255);
   /* The other way round: the middle, where 127.5 goes up, and black. */
   static const uint8_t three[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
   decode(TG_FORMAT_DXT1_RGBA, three);
   expect8(0, 0, 0, 255, 255);
   expect8(1, 255, 0, 0, 255);
   expect8(2, 128, 0, 128, 255);
   expect8(3, 0, 0, 0, 0);
   decode(TG_FORMAT_DXT1_RGB, three);
   expect8(3, 0, 0, 0, 255);
   /* Red 3 and green 5 above 0, a third of the way: 255 * 2 / 31 = 16.5 (less
    * than half), 255 * 10 / 3 / 63 = 13.5 (less than half). */
   static const uint8_t dark[8] = {0xa0, 0x18, 0, 0, 0x02, 0, 0, 0};
   decode(TG_FORMAT_DXT1_RGB, dark);
   expect8(0, 16, 13, 0, 255);
   /* sRGB is decoded when the texel is read: a code of 255 is 1. */
   decode(TG_FORMAT_DXT1_SRGB, four);
   expect(0, 1, 0, 0, 1);
}

static void
test_dxt3_and_dxt5(void **state)
{
   (void)state;
   /* Colours of equal end points have four values here. */
   static const uint8_t dxt3[16] = {0x10, 0xf8, 0,    0,    0,    0, 0, 0,
                                    0x00, 0x00, 0xff, 0xff, 0xff, 0, 0, 0};
   decode(TG_FORMAT_DXT3_RGBA, dxt3);
   expect8(0, 170, 170, 170, 0);
   expect8(1, 170, 170, 170, 17);
   expect8(2, 170, 170, 170, 136);
   expect8(3, 170, 170, 170, 255);
   expect8(4, 0, 0, 0, 0);

   /* Codes 0 to 7 of alpha from 255 to 0: sevenths. Three bits a texel:
    * 111 110 101 100 011 010 001 000. */
   static const int sevenths[8] = {255, 0, 219, 182, 146, 109, 73, 36};
   static const int fifths[8] = {0, 255, 51, 102, 153, 204, 0, 255};
   uint8_t dxt5[16] = {255, 0, 0x88, 0xc6, 0xfa};
   decode(TG_FORMAT_DXT5_RGBA, dxt5);
   for (unsigned i = 0; i < 8; i++)
      expect8(i, 0, 0, 0, sevenths[i]);
   dxt5[0] = 0;
   dxt5[1] = 255;
   decode(TG_FORMAT_DXT5_RGBA, dxt5);
   for (unsigned i = 0; i < 8; i++)
      expect8(i, 0, 0, 0, fifths[i]);
}

/* ---- RGTC and LATC ------------------------------------------------------- */

static void
test_rgtc(void **state)
{
   (void)state;
   uint8_t block[16] = {255, 0, 0x88, 0xc6, 0xfa};
   decode(TG_FORMAT_RGTC1_UNORM, block);
   expect(0, 1, 0, 0, 1);
   expect(1, 0, 0, 0, 1);
   expect(2, 6.0f / 7, 0, 0, 1);
   expect(7, 1.0f / 7, 0, 0, 1);
   decode(TG_FORMAT_LATC1_UNORM, block);
   expect(2, 6.0f / 7, 6.0f / 7, 6.0f / 7, 1);

   /* 100 and 200: (4 * 100 + 200) / 5 / 255, then the ends of the range. */
   block[8] = 100;
   block[9] = 200;
   memcpy(block + 10, block + 2, 6);
   decode(TG_FORMAT_RGTC2_UNORM, block);
   expect(2, 6.0f / 7, 120.0f / 255, 0, 1);
   expect(6, 2.0f / 7, 0, 0, 1);
   expect(7, 1.0f / 7, 1, 0, 1);
   decode(TG_FORMAT_LATC2_UNORM, block);
   expect(2, 6.0f / 7, 6.0f / 7, 6.0f / 7, 120.0f / 255);
}

static void
test_rgtc_signed(void **state)
{
   (void)state;
   uint8_t block[16] = {127, 0x81, 0x88, 0xc6, 0xfa};
   decode(TG_FORMAT_RGTC1_SNORM, block);
   expect(0, 1, 0, 0, 1);
   expect(1, -1, 0, 0, 1);
   expect(2, 5.0f / 7, 0, 0, 1);
   expect(7, -5.0f / 7, 0, 0, 1);
   /* -128 is -1, and below 127. */
   block[0] = 0x80;
   block[1] = 127;
   decode(TG_FORMAT_RGTC1_SNORM, block);
   expect(0, -1, 0, 0, 1);
   expect(2, -0.6f, 0, 0, 1);
   expect(6, -1, 0, 0, 1);
   expect(7, 1, 0, 0, 1);
}

/* ---- ETC ----------------------------------------------------------------- */

/* Texels of a column are neighbours in the block: 4 x + y. */
static unsigned
at(unsigned x, unsigned y)
{
   return y * 4 + x;
}

static void
test_etc_halves(void **state)
{
   (void)state;
   /* (15, 8, 0) of 4 bits with steps 2 and 8; black with 47 and 183. The first
    * column has codes 0 to 3. */
   static const uint8_t beside[8] = {0xf0, 0x80, 0, 0x1c, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC1_RGB8, beside);
   expect8(at(0, 0), 255, 138, 2, 255);
   expect8(at(0, 1), 255, 144, 8, 255);
   expect8(at(0, 2), 253, 134, 0, 255);
   expect8(at(0, 3), 247, 128, 0, 255);
   expect8(at(2, 0), 47, 47, 47, 255);
   /* Flipped, the lower half has the second colour. */
   static const uint8_t above[8] = {0xf0, 0x80, 0, 0x1d, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC2_RGB8, above);
   expect8(at(2, 0), 255, 138, 2, 255);
   expect8(at(0, 2), 0, 0, 0, 255);
   /* 5 bits: red 16 + 1, green 31 - 4, blue 0 + 0: 132 and 140, 255 and 222. */
   static const uint8_t relative[8] = {0x81, 0xfc, 0, 0x02, 0, 0, 0, 0};
   decode(TG_FORMAT_ETC2_RGB8, relative);
   expect8(at(0, 0), 134, 255, 2, 255);
   expect8(at(3, 3), 142, 224, 2, 255);
}

static void
test_etc2_paints(void **state)
{
   (void)state;
   /* T: red is 30 + 2. Colours a35 and 81c, distance 11. */
   static const uint8_t t[8] = {0xf2, 0x35, 0x81, 0xc6, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC2_RGB8, t);
   expect8(at(0, 0), 170, 51, 85, 255);
   expect8(at(0, 1), 147, 28, 215, 255);
   expect8(at(0, 2), 136, 17, 204, 255);
   expect8(at(0, 3), 125, 6, 193, 255);
   /* H: green is 1 - 4. Colours 469 and 2e1, whose order makes the distance
    * 32. */
   static const uint8_t h[8] = {0x23, 0x0c, 0x97, 0x0e, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC2_RGB8, h);
   expect8(at(0, 0), 100, 134, 185, 255);
   expect8(at(0, 1), 36, 70, 121, 255);
   expect8(at(0, 2), 66, 255, 49, 255);
   expect8(at(0, 3), 2, 206, 0, 255);
   /* Planar: blue is 0 - 4. Red grows to the right, green downwards. */
   static const uint8_t planar[8] = {0, 0, 0x04, 0x7f, 0, 0, 0x1f, 0xc0};
   static const int ramp[4] = {0, 64, 128, 191};
   decode(TG_FORMAT_ETC2_RGB8, planar);
   for (unsigned x = 0; x < 4; x++)
      for (unsigned y = 0; y < 4; y++)
         expect8(at(x, y), ramp[x], ramp[y], 0, 255);
}

/* Without the bit that says opaque, code 2 is transparent and code 0 adds
 * nothing. */
static void
test_etc2_transparent(void **state)
{
   (void)state;
   static const uint8_t block[8] = {0x80, 0, 0, 0, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC2_RGB8A1, block);
   expect8(at(0, 0), 132, 0, 0, 255);
   expect8(at(0, 1), 140, 8, 8, 255);
   expect8(at(0, 2), 0, 0, 0, 0);
   expect8(at(0, 3), 124, 0, 0, 255);
   static const uint8_t opaque[8] = {0x80, 0, 0, 0x02, 0, 0x0c, 0, 0x0a};
   decode(TG_FORMAT_ETC2_RGB8A1, opaque);
   expect8(at(0, 0), 134, 2, 2, 255);
   expect8(at(0, 2), 130, 0, 0, 255);
}

/* Base 100, multiplier 2, modifiers -1 -2 -3 -10 0 1 2 9; the first column has
 * codes 0, 3, 4 and 7, all others 4. */
static const uint8_t eac[16] = {100,  0x2d, 0x0e, 0x79, 0x24, 0x92, 0x49, 0x24,
                                0x80, 0x2d, 0x0e, 0x79, 0x24, 0x92, 0x49, 0x24};

static void
test_eac(void **state)
{
   (void)state;
   uint8_t alpha[16] = {0};
   memcpy(alpha, eac, 8);
   decode(TG_FORMAT_ETC2_RGBA8, alpha);
   expect8(at(0, 0), 2, 2, 2, 98);
   expect8(at(0, 1), 2, 2, 2, 80);
   expect8(at(0, 2), 2, 2, 2, 100);
   expect8(at(0, 3), 2, 2, 2, 118);

   /* 11 bits: 100 * 8 + 4, and eighths. */
   decode(TG_FORMAT_ETC2_R11_UNORM, eac);
   expect(at(0, 0), 788.0f / 2047, 0, 0, 1);
   expect(at(0, 1), 644.0f / 2047, 0, 0, 1);
   expect(at(3, 3), 804.0f / 2047, 0, 0, 1);
   /* A multiplier of 0 is an eighth. */
   memcpy(alpha, eac, 8);
   alpha[1] = 0x0d;
   decode(TG_FORMAT_ETC2_R11_UNORM, alpha);
   expect(at(0, 0), 803.0f / 2047, 0, 0, 1);

   /* Signed: 800 and -127 * 8, which -128 stands for too. */
   decode(TG_FORMAT_ETC2_RG11_SNORM, eac);
   expect(at(0, 0), 784.0f / 1023, -1, 0, 1);
   expect(at(0, 2), 800.0f / 1023, -1016.0f / 1023, 0, 1);
   expect(at(0, 3), 944.0f / 1023, -872.0f / 1023, 0, 1);
}

/* ---- BPTC ---------------------------------------------------------------- */

/* Mode 6: 7 bits a channel and one more for each end, indices of 4 bits. */
static void
test_bptc_one_subset(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   put(block, 0, 7, 1 << 6);
   put(block, 7, 14, 127);             /* red 255 and 1 */
   put(block, 21, 14, 127 << 7);       /* green 1 and 255 */
   put(block, 49, 14, 127 << 7 | 127); /* alpha 255 */
   put(block, 63, 2, 3);
   put(block, 68, 4, 15); /* texel 1 */
   put(block, 72, 4, 8);  /* texel 2: 34 of 64 */
   decode(TG_FORMAT_BPTC_RGBA_UNORM, block);
   expect8(0, 255, 1, 1, 255);
   expect8(1, 1, 255, 1, 255);
   expect8(2, 120, 136, 1, 255);
}

/* Mode 4: red and alpha change places; colours take the indices of 3 bits. */
static void
test_bptc_rotation(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   put(block, 0, 5, 1 << 4);
   put(block, 5, 2, 1);
   put(block, 7, 1, 1);
   put(block, 8, 10, 31);       /* red 255 and 0 */
   put(block, 38, 12, 63 << 6); /* alpha 0 and 255 */
   put(block, 51, 2, 3);        /* alpha of texel 1: all of the second */
   put(block, 83, 3, 1);        /* colour of texel 1: 9 of 64 */
   decode(TG_FORMAT_BPTC_RGBA_UNORM, block);
   expect8(0, 0, 0, 0, 255);
   /* (55 * 255 + 32) / 64 = 219.6 */
   expect8(1, 255, 0, 0, 219);
}

/* Mode 1, partition 0: the two columns to the right are the second subset. */
static void
test_bptc_two_subsets(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   put(block, 0, 2, 1 << 1);
   put(block, 8, 6, 63);  /* red of the first end: 254, with p-bit 255 */
   put(block, 20, 6, 63); /* red of the second subset's first end */
   put(block, 44, 6, 63); /* green of the same: its p-bit is 0 */
   put(block, 80, 2, 1);  /* p-bits */
   decode(TG_FORMAT_BPTC_RGBA_UNORM, block);
   /* 7 bits 1111111 extend to 255, 0000001 to 2, 1111110 to 253. */
   expect8(0, 255, 2, 2, 255);
   expect8(1, 255, 2, 2, 255);
   expect8(2, 253, 253, 0, 255);
   expect8(15, 253, 253, 0, 255);
}

static void
test_bptc_reserved(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   memset(block + 1, 0xff, 15);
   decode(TG_FORMAT_BPTC_RGBA_UNORM, block);
   expect8(7, 0, 0, 0, 0);
   block[0] = 0x13;
   decode(TG_FORMAT_BPTC_RGB_FLOAT, block);
   expect(7, 0, 0, 0, 1);
}

/* Mode 3: two ends of 10 bits, indices of 4. */
static void
test_bptc_float(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   put(block, 0, 5, 3);
   put(block, 5, 10, 0x3ff);  /* red: all ones */
   put(block, 15, 10, 0x200); /* green: the highest bit */
   put(block, 68, 4, 15);
   put(block, 72, 4, 8);
   decode(TG_FORMAT_BPTC_RGB_UFLOAT, block);
   /* 0xffff * 31 / 64 is 0x7bff; (0x200 << 15 | 0x4000) >> 9 is 0x8020, and of
    * that 31 / 64 is 0x3e0f. */
   expect(0, 65504, 0x1.83cp0f, 0, 1);
   expect(1, 0, 0, 0, 1);
   /* (30 * 65535 + 32) / 64 = 30720, and of that 31 / 64 is 0x3a20. */
   assert_true(color[2][0] == 0x1.88p-1f);
   /* Signed: red is -1, as 1 << 15 | 0x4000 >> 9 = 0x60 with a sign, of which
    * 31 / 32 is 93; green the least. */
   decode(TG_FORMAT_BPTC_RGB_FLOAT, block);
   expect(0, -93 * 0x1p-24f, -65504, 0, 1);
}

/* Mode 7: 11 bits and differences of 9. The highest bit lies apart. */
static void
test_bptc_float_differences(void **state)
{
   (void)state;
   uint8_t block[16] = {0};
   put(block, 0, 5, 7);
   put(block, 5, 10, 1);     /* red: 1 | 1 << 10 */
   put(block, 35, 9, 0x1ff); /* - 1 */
   put(block, 44, 1, 1);
   put(block, 68, 4, 15); /* texel 1 */
   decode(TG_FORMAT_BPTC_RGB_UFLOAT, block);
   /* (1025 << 15 | 0x4000) >> 10 = 0x8030, * 31 / 64 = 0x3e17;
    * (1024 << 15 | 0x4000) >> 10 = 0x8010, * 31 / 64 = 0x3e07. */
   expect(0, 0x1.85cp0f, 0, 0, 1);
   expect(1, 0x1.81cp0f, 0, 0, 1);
}

/* ---- ASTC ---------------------------------------------------------------- */

static void
expect_magenta(const uint8_t *block)
{
   decode(TG_FORMAT_ASTC_4x4, block);
   for (unsigned i = 0; i < 16; i++)
      expect8(i, 255, 0, 255, 255);
}

static void
test_astc_constant(void **state)
{
   (void)state;
   uint8_t block[16] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                        0xff, 0x12, 0x00, 0x34, 0x80, 0x56, 0xff, 0x78};
   decode(TG_FORMAT_ASTC_12x12, block);
   expect8(0, 0x12, 0x34, 0x56, 0x78);
   expect8(143, 0x12, 0x34, 0x56, 0x78);
   block[1] = 0xff; /* halves */
   expect_magenta(block);
   block[1] = 0xfd;
   block[2] = 0x00; /* an extent that ends where it begins */
   expect_magenta(block);
}

/* A grid of 4 by 4 with weights of 2 bits, which is mode 0x42, and two colours
 * of 8 bits a channel. */
static void
make_astc(uint8_t block[16], unsigned kind, const uint8_t *numbers,
          unsigned count)
{
   memset(block, 0, 16);
   put(block, 0, 11, 0x42);
   put(block, 13, 4, kind);
   for (unsigned i = 0; i < count; i++)
      put(block, 17 + 8 * i, 8, numbers[i]);
   block[15] = 0x38; /* from above: 0, 3, 1, and zeros */
}

static void
test_astc_weights(void **state)
{
   (void)state;
   static const uint8_t numbers[6] = {0, 255, 10, 20, 100, 200};
   uint8_t block[16];
   make_astc(block, 8, numbers, 6);
   decode(TG_FORMAT_ASTC_4x4, block);
   /* Weights 0, 64 and 21: (65535 * 21 + 32) / 64 / 256 = 84.0 and so on. */
   expect8(0, 0, 10, 100, 255);
   expect8(1, 255, 20, 200, 255);
   expect8(2, 84, 13, 133, 255);
   expect8(3, 0, 10, 100, 255);

   /* On 8 by 8 texels the grid is stretched: a step is (1024 + 4) / 7 = 146, so
    * texel 1 lies at (146 * 3 + 32) / 64 = 7 of 16 between weights 0 and 64,
    * which is 28. (65535 * 28 + 32) / 64 / 256 = 112.0 and so on. */
   block[15] = 0x30;
   decode(TG_FORMAT_ASTC_8x8, block);
   expect8(1, 112, 14, 144, 255);
}

/* Kinds of end points; texel 0 has the first, texel 1 the second. */
static void
test_astc_ends(void **state)
{
   (void)state;
   static const struct {
      unsigned kind, count;
      uint8_t numbers[8];
      int first[4], second[4];
   } rows[] = {
      {0, 2, {50, 60}, {50, 50, 50, 255}, {60, 60, 60, 255}},
      /* 50 / 4 and the upper bits of 0x85; 5 more. */
      {1, 2, {50, 0x85}, {140, 140, 140, 255}, {145, 145, 145, 255}},
      {4, 4, {50, 60, 70, 80}, {50, 50, 50, 70}, {60, 60, 60, 80}},
      /* 50 / 2, with the top bit of 0x82, and 1 more; alpha 35, and 1 less. */
      {5, 4, {50, 0x82, 70, 0x7e}, {153, 153, 153, 35}, {154, 154, 154, 34}},
      /* Scaled by 128 / 256. */
      {6, 4, {50, 60, 70, 128}, {25, 30, 35, 255}, {50, 60, 70, 255}},
      {8, 6, {1, 11, 2, 12, 3, 13}, {1, 2, 3, 255}, {11, 12, 13, 255}},
      /* The second is darker: they change places, contracted to blue. */
      {8, 6, {11, 1, 12, 2, 13, 3}, {2, 2, 3, 255}, {12, 12, 13, 255}},
      {9, 6, {2, 4, 4, 4, 6, 4}, {1, 2, 3, 255}, {3, 4, 5, 255}},
      /* Two less of each. */
      {9, 6, {20, 0x7c, 20, 0x7c, 20, 0x7c}, {8, 8, 8, 255}, {10, 10, 10, 255}},
      {10, 6, {50, 60, 70, 128, 1, 2}, {25, 30, 35, 1}, {50, 60, 70, 2}},
      {12, 8, {1, 11, 2, 12, 3, 13, 4, 5}, {1, 2, 3, 4}, {11, 12, 13, 5}},
      {12, 8, {11, 1, 12, 2, 13, 3, 4, 5}, {2, 2, 3, 5}, {12, 12, 13, 4}},
      {13, 8, {2, 4, 4, 4, 6, 4, 8, 4}, {1, 2, 3, 4}, {3, 4, 5, 6}},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const int *first = rows[i].first, *second = rows[i].second;
      uint8_t block[16];
      make_astc(block, rows[i].kind, rows[i].numbers, rows[i].count);
      decode(TG_FORMAT_ASTC_4x4, block);
      expect8(0, first[0], first[1], first[2], first[3]);
      expect8(1, second[0], second[1], second[2], second[3]);
   }
}

static void
test_astc_errors(void **state)
{
   (void)state;
   static const uint8_t numbers[8] = {0};
   uint8_t block[16] = {0};
   expect_magenta(block); /* a reserved mode */
   static const unsigned high_range[] = {2, 3, 7, 11};
   for (unsigned i = 0; i < 4; i++) {
      make_astc(block, high_range[i], numbers, 0);
      expect_magenta(block);
   }
   make_astc(block, 8, numbers, 0);
   put(block, 7, 1, 1); /* a grid of 5 columns */
   expect_magenta(block);
}

/* All digits come out of shared bits: 243 of base 3, 125 of base 5. */
static void
test_astc_sequences(void **state)
{
   (void)state;
   bool base3[243] = {false}, base5[125] = {false};
   for (unsigned bits = 0; bits < 256; bits++) {
      const uint8_t block[16] = {(uint8_t)bits};
      uint8_t n[5];
      astc_read_sequence(block, 0, 1, 5, n); /* 0 to 2 */
      const unsigned three =
         n[0] + 3u * n[1] + 9u * n[2] + 27u * n[3] + 81u * n[4];
      assert_true(three < 243);
      base3[three] = true;
      astc_read_sequence(block, 0, 3, 3, n); /* 0 to 4 */
      const unsigned five = n[0] + 5u * n[1] + 25u * n[2];
      assert_true(five < 125);
      base5[five] = true;
   }
   for (unsigned i = 0; i < 243; i++)
      assert_true(base3[i]);
   for (unsigned i = 0; i < 125; i++)
      assert_true(base5[i]);
   assert_int_equal(astc_sequence_bits(1, 5), 8);
   assert_int_equal(astc_sequence_bits(1, 6), 10);
   assert_int_equal(astc_sequence_bits(3, 3), 7);
   assert_int_equal(astc_sequence_bits(9, 4), 8 + 10);
}

/* Numbers stand for values that lie apart, reach both ends, and mirror. */
static void
check_values(unsigned range, unsigned most,
             uint8_t (*value_of)(unsigned range, unsigned number))
{
   bool found[256] = {false};
   const unsigned count = (unsigned)astc_ranges[range].base
                          << astc_ranges[range].bits;
   unsigned num_found = 0;
   for (unsigned i = 0; i < count; i++) {
      const uint8_t value = value_of(range, i);
      assert_true(value <= most && !found[value]);
      found[value] = true;
   }
   for (unsigned i = 0; i <= most; i++) {
      num_found += found[i];
      assert_int_equal(found[i], found[most - i]);
   }
   assert_int_equal(num_found, count);
   assert_true(found[0] && found[most]);
   /* Nearly even steps. */
   for (unsigned i = 0, last = 0; i <= most; i++) {
      if (!found[i])
         continue;
      assert_true((i - last) * (count - 1) <= most + 3 * (count - 1));
      last = i;
   }
}

static void
test_astc_values(void **state)
{
   (void)state;
   for (unsigned i = ASTC_FIRST_COLOR_RANGE; i < ASTC_NUM_RANGES; i++)
      check_values(i, 255, astc_color);
   for (unsigned i = 0; i < ASTC_NUM_WEIGHT_RANGES; i++)
      check_values(i, 64, astc_weight);
}

/* ---- images -------------------------------------------------------------- */

/* A width and height that are no multiples of blocks, and strides. */
static void
test_clipping(void **state)
{
   (void)state;
   uint8_t blocks[2][3][8] = {0};
   uint8_t texels[5][40];
   memset(texels, 0xee, sizeof(texels));
   for (unsigned y = 0; y < 2; y++)
      for (unsigned x = 0; x < 2; x++)
         blocks[y][x][1] = (uint8_t)((x + 2 * y) * 8); /* red 0 to 3 */
   format_decode(TG_FORMAT_DXT1_RGBA, blocks, sizeof(blocks[0]), texels,
                 sizeof(texels[0]), 6, 5);
   for (unsigned y = 0; y < 5; y++) {
      for (unsigned x = 0; x < 10; x++) {
         static const uint8_t red[4] = {0, 8, 16, 25};
         const uint8_t expected = x < 6 ? red[x / 4 + y / 4 * 2] : 0xee;
         assert_int_equal(texels[y][x * 4], expected);
      }
   }
   format_decode(TG_FORMAT_DXT1_RGBA, blocks, 0, NULL, 0, 0, 0);
}

/* Whatever the bytes are, what is written stays inside. */
static void
test_any_bytes(void **state)
{
   (void)state;
   uint64_t random = 1;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const enum tg_format format = (enum tg_format)i;
      if (!format_is_compressed(format))
         continue;
      const struct format_info *info = format_info(format);
      const unsigned bytes = format_info(info->decoded)->block_bytes;
      for (unsigned round = 0; round < 3000; round++) {
         uint8_t block[16];
         for (unsigned b = 0; b < 16; b++) {
            random = random * UINT64_C(6364136223846793005) + 1;
            block[b] = (uint8_t)(random >> 40);
         }
         const uint32_t width = 1 + (random >> 33) % info->block_width;
         const uint32_t height = 1 + (random >> 50) % info->block_height;
         const size_t size = (size_t)width * height * bytes;
         uint8_t *texels = malloc(size + 1);
         assert_non_null(texels);
         texels[size] = 0xee;
         format_decode(format, block, 0, texels, width * bytes, width, height);
         assert_int_equal(texels[size], 0xee);
         free(texels);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_dxt1),
      cmocka_unit_test(test_dxt3_and_dxt5),
      cmocka_unit_test(test_rgtc),
      cmocka_unit_test(test_rgtc_signed),
      cmocka_unit_test(test_etc_halves),
      cmocka_unit_test(test_etc2_paints),
      cmocka_unit_test(test_etc2_transparent),
      cmocka_unit_test(test_eac),
      cmocka_unit_test(test_bptc_one_subset),
      cmocka_unit_test(test_bptc_rotation),
      cmocka_unit_test(test_bptc_two_subsets),
      cmocka_unit_test(test_bptc_reserved),
      cmocka_unit_test(test_bptc_float),
      cmocka_unit_test(test_bptc_float_differences),
      cmocka_unit_test(test_astc_constant),
      cmocka_unit_test(test_astc_weights),
      cmocka_unit_test(test_astc_ends),
      cmocka_unit_test(test_astc_errors),
      cmocka_unit_test(test_astc_sequences),
      cmocka_unit_test(test_astc_values),
      cmocka_unit_test(test_clipping),
      cmocka_unit_test(test_any_bytes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
