/* SPDX-License-Identifier: MIT
 *
 * TLD4S and TLD4: the four texels around a point, in the order of GL's
 * textureGather: left and right of the second row, right and left of the first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tungsten/maxwell.h"
#include "util/bits.h"

enum { SIZE = 4, THREADS = TG_MAXWELL_NUM_THREADS };

static uint32_t registers[TG_MAXWELL_NUM_REGISTERS][THREADS];
static struct tg_view_desc colors, depths;

/* Each component of each texel is another integer. */
static float
color_of(unsigned x, unsigned y, unsigned component)
{
   return (float)(1 + 16 * component + 4 * y + x);
}

static float
depth_of(unsigned x, unsigned y)
{
   return color_of(x, y, 0) / 32;
}

static struct tg_view_desc
make_view(const char *format, unsigned num_components)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number(format),
      .width = SIZE,
      .height = SIZE,
      .depth = 1,
      .layers = 1,
   };
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};
   struct tg_resource *resource;
   float texels[SIZE * SIZE * 4], *next = texels;

   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      const unsigned x = i % SIZE, y = i / SIZE;

      for (unsigned c = 0; c < num_components; c++)
         *next++ = num_components == 1 ? depth_of(x, y) : color_of(x, y, c);
   }
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   assert_int_equal(tg_resource_write(resource, 0, 0, &box, texels, 0, 0),
                    TG_OK);
   return tg_view_desc_of(resource);
}

static int
make_textures(void **state)
{
   (void)state;
   colors = make_view("R32G32B32A32_FLOAT", 4);
   depths = make_view("R32_FLOAT", 1);
   return 0;
}

static int
destroy_textures(void **state)
{
   (void)state;
   tg_resource_destroy(colors.resource);
   tg_resource_destroy(depths.resource);
   return 0;
}

static void
set_register(unsigned number, uint32_t word)
{
   for (unsigned t = 0; t < THREADS; t++)
      registers[number][t] = word;
}

/* R8 and R9, and R10 alone, are the middle; R12 is an offset, R14 an offset and
 * what is compared with, R16 that alone, R18 two pairs of offsets. */
static void
run(const char *text, const struct tg_view_desc *view)
{
   static const struct tg_sampler_desc sampler = {
      .size = sizeof(sampler),
      .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE,
               TG_WRAP_CLAMP_TO_EDGE},
      .max_lod = 1000.0f,
      .compare_func = TG_COMPARE_LEQUAL,
   };
   const struct tg_sampler_desc *const samplers[] = {&sampler};
   const struct tg_view_desc *const headers[] = {view};
   const uint32_t half = tg_bits_of_float(0.5f);
   const uint32_t offset = 1 | (-1 & 0x3f) << 8;
   const uint32_t reference = tg_bits_of_float(depth_of(0, 2));
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;
   struct tg_maxwell_program *program = NULL;

   memset(registers, 0xee, sizeof(registers));
   set_register(8, half);
   set_register(9, half);
   set_register(10, half);
   set_register(12, offset);
   set_register(14, offset);
   set_register(15, reference);
   set_register(16, reference);
   set_register(18, (0 | 1 << 8) | (1 | 0 << 8) << 16);
   set_register(19, ((-1 & 0x3f) | 1 << 8) | (2 | (-1 & 0x3f) << 8) << 16);
   warp.registers = registers;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   assert_int_equal(
      tg_maxwell_assemble(NULL, "t", text, strlen(text), NULL, &program),
      TG_OK);
   assert_int_equal(tg_maxwell_run(NULL, program, &warp, NULL, NULL, NULL),
                    TG_OK);
   tg_maxwell_program_destroy(program);
}

/* Are registers of all threads these floats? */
static void
expect(unsigned first, const float values[4])
{
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned t = 0; t < THREADS; t++)
         assert_int_equal(registers[first + i][t], tg_bits_of_float(values[i]));
   }
}

/* ---- cases --------------------------------------------------------------- */

/* Around the middle are the texels 1 and 2 of both axes. */
static void
components(void **state)
{
   static const char *const texts[] = {
      "TLD4S.R R2, R0, R8, R10, 0;",
      "TLD4S.G R2, R0, R8, R10, 0;",
      "TLD4S.B R2, R0, R8, R10, 0;",
      "TLD4S.A R2, R0, R8, R10, 0;",
   };
   static const char *const full_texts[] = {
      "TLD4.R R4, R8, RZ, 0, 2D, 0xf;",
      "TLD4.G R4, R8, RZ, 0, 2D, 0xf;",
      "TLD4.B R4, R8, RZ, 0, 2D, 0xf;",
      "TLD4.A R4, R8, RZ, 0, 2D, 0xf;",
   };

   (void)state;
   for (unsigned c = 0; c < 4; c++) {
      const float values[] = {color_of(1, 2, c), color_of(2, 2, c),
                              color_of(2, 1, c), color_of(1, 1, c)};

      run(texts[c], &colors);
      expect(0, values);
      run(full_texts[c], &colors);
      expect(4, values);
   }
}

/* In G they are 26, 27, 23 and 22. */
static void
halves(void **state)
{
   (void)state;
   run("TLD4S.F16.G R5, R4, R8, R10, 0;", &colors);
   for (unsigned t = 0; t < THREADS; t++) {
      assert_int_equal(registers[4][t], 0x4ec0u << 16 | 0x4e80);
      assert_int_equal(registers[5][t], 0x4d80u << 16 | 0x4dc0);
   }
}

/* By (1, -1) it is the texels 2 and 3 of rows 0 and 1. */
static void
offsets(void **state)
{
   const float values[] = {color_of(2, 1, 0), color_of(3, 1, 0),
                           color_of(3, 0, 0), color_of(2, 0, 0)};
   /* (0, 1), (1, 0), (-1, 1) and (2, -1), each from the texel (1, 1). */
   const float own_values[] = {color_of(1, 2, 0), color_of(2, 1, 0),
                               color_of(0, 2, 0), color_of(3, 0, 0)};

   (void)state;
   run("TLD4S.R.AOFFI R2, R0, R8, R12, 0;", &colors);
   expect(0, values);
   run("TLD4.R.AOFFI R4, R8, R12, 0, 2D, 0xf;", &colors);
   expect(4, values);
   run("TLD4.R.PTP R4, R8, R18, 0, 2D, 0xf;", &colors);
   expect(4, own_values);
}

/* The reference is the depth of the texel (0, 2), which is at most those of the
 * second row; by (1, -1) it is greater than all. */
static void
comparisons(void **state)
{
   static const float below[] = {1, 1, 0, 0}, none[] = {0, 0, 0, 0};

   (void)state;
   run("TLD4S.R.DC R2, R0, R8, R16, 0;", &depths);
   expect(0, below);
   run("TLD4S.R.AOFFI.DC R2, R0, R8, R14, 0;", &depths);
   expect(0, none);
   run("TLD4.R.DC R4, R8, R16, 0, 2D, 0xf;", &depths);
   expect(4, below);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(components),
      cmocka_unit_test(halves),
      cmocka_unit_test(offsets),
      cmocka_unit_test(comparisons),
   };

   return cmocka_run_group_tests(tests, make_textures, destroy_textures);
}
