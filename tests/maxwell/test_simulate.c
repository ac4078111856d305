/* SPDX-License-Identifier: MIT
 *
 * What tests on the GPU of a Switch saw, replayed: textures whose levels have
 * one colour each, fetched with every mask, format and kind of level.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/isa/isa.h"
#include "util/bits.h"

enum { SIZE = 8, LEVELS = 4, HANDLE_INDEX = 0x28, THREADS = 32 };

static uint32_t registers[TG_MAXWELL_NUM_REGISTERS][THREADS];
static uint32_t constants[HANDLE_INDEX + 1];
static struct tg_view_desc view;
static struct tg_sampler_desc sampler = {
   .size = sizeof(sampler),
   .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE,
            TG_WRAP_CLAMP_TO_EDGE},
   .mip_filter = TG_MIP_NEAREST,
   .max_lod = 1000.0f,
   .compare_func = TG_COMPARE_LEQUAL,
};

/* A texture of which each level of each slice has one colour. */
static void
make_texture(uint32_t target, uint32_t layers, const char *format,
             const float colors[][4])
{
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = tg_format_number(format),
      .width = SIZE,
      .height = SIZE,
      .depth = target == TG_TEXTURE_3D ? SIZE : 1,
      .layers = layers,
      .last_level = LEVELS - 1,
   };
   unsigned channels = strcmp(format, "R32_FLOAT") == 0 ? 1 : 4;
   static float texels[SIZE * SIZE * SIZE * 4];

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &view.resource),
                    TG_OK);
   for (uint32_t level = 0; level < LEVELS; level++) {
      uint32_t size = SIZE >> level;
      uint32_t slices = target == TG_TEXTURE_3D ? size : layers;
      struct tg_box box = {0, 0, 0, size, size, slices};

      for (uint32_t i = 0; i < size * size * slices * channels; i++)
         texels[i] = colors[level][i % channels];
      assert_int_equal(
         tg_resource_write(view.resource, level, 0, &box, texels, 0, 0), TG_OK);
   }
   view = tg_view_desc_of(view.resource);
}

static const float four_colors[LEVELS][4] = {
   {1, 1, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 1, 1, 1}};

static int
make_colors(void **state)
{
   (void)state;
   make_texture(TG_TEXTURE_2D, 1, "R32G32B32A32_FLOAT", four_colors);
   return 0;
}

static int
make_colors_3d(void **state)
{
   (void)state;
   make_texture(TG_TEXTURE_3D, 1, "R32G32B32A32_FLOAT", four_colors);
   return 0;
}

static int
make_colors_cube(void **state)
{
   (void)state;
   make_texture(TG_TEXTURE_CUBE, 6, "R32G32B32A32_FLOAT", four_colors);
   return 0;
}

static int
make_depth(void **state)
{
   static const float depths[LEVELS][4] = {{0.7f}, {0.7f}, {0.7f}, {0.7f}};

   (void)state;
   make_texture(TG_TEXTURE_2D, 1, "R32_FLOAT", depths);
   return 0;
}

/* Layer 0 is (1, 0, 0, 0) but for its first texel, which is 0. */
static int
make_array(void **state)
{
   static const float colors[LEVELS][4] = {
      {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
   static const float none[4];
   struct tg_box first = {0, 0, 0, 1, 1, 1};

   (void)state;
   make_texture(TG_TEXTURE_2D_ARRAY, 4, "R32G32B32A32_FLOAT", colors);
   return tg_resource_write(view.resource, 0, 0, &first, none, 0, 0);
}

/* A texture of one level, each cube or, without cubes, each layer of which has
 * its own colour: n + 1, n + 2, n + 3, n + 4. */
static void
make_layers(uint32_t target, uint32_t layers, uint32_t layers_of_one)
{
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = tg_format_number("R32G32B32A32_FLOAT"),
      .width = SIZE,
      .height = target == TG_TEXTURE_1D_ARRAY ? 1 : SIZE,
      .depth = 1,
      .layers = layers,
   };
   static float texels[SIZE * SIZE * 4];

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &view.resource),
                    TG_OK);
   for (uint32_t layer = 0; layer < layers; layer++) {
      struct tg_box box = {0, 0, layer, SIZE, desc.height, 1};

      for (uint32_t i = 0; i < SIZE * desc.height * 4; i++)
         texels[i] = (float)(layer / layers_of_one + 1 + i % 4);
      assert_int_equal(
         tg_resource_write(view.resource, 0, 0, &box, texels, 0, 0), TG_OK);
   }
   view = tg_view_desc_of(view.resource);
}

static int
make_layers_1d(void **state)
{
   (void)state;
   make_layers(TG_TEXTURE_1D_ARRAY, 4, 1);
   return 0;
}

static int
make_layers_2d(void **state)
{
   (void)state;
   make_layers(TG_TEXTURE_2D_ARRAY, 4, 1);
   return 0;
}

static int
make_two_cubes(void **state)
{
   (void)state;
   make_layers(TG_TEXTURE_CUBE_ARRAY, 12, 6);
   return 0;
}

/* 0.7 in the first layer and 0 in the others. */
static int
make_depth_array(void **state)
{
   static const float depths[LEVELS][4];
   static float first[SIZE * SIZE];
   struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};

   (void)state;
   make_texture(TG_TEXTURE_2D_ARRAY, 4, "R32_FLOAT", depths);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      first[i] = 0.7f;
   return tg_resource_write(view.resource, 0, 0, &box, first, 0, 0);
}

static int
destroy_texture(void **state)
{
   (void)state;
   tg_resource_destroy(view.resource);
   return 0;
}

/* ---- running ------------------------------------------------------------- */

static void
set_register(unsigned number, uint32_t word)
{
   for (unsigned t = 0; t < THREADS; t++)
      registers[number][t] = word;
}

static struct tg_maxwell_warp
make_warp(void)
{
   static const struct tg_view_desc *const headers[] = {&view};
   static const struct tg_sampler_desc *const samplers[] = {&sampler};
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;

   warp.registers = registers;
   warp.constants = constants;
   warp.num_constants = HANDLE_INDEX + 1;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   return warp;
}

static enum tg_result
run_warp(const char *text, struct tg_maxwell_warp *warp)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;
   enum tg_result result =
      tg_maxwell_assemble(NULL, "t", text, strlen(text), diagnostics, &program);

   if (result == TG_OK)
      result = tg_maxwell_run(NULL, program, warp, NULL, NULL, diagnostics);
   if (result != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);
      print_message("%s", complaints);
      tg_string_free(complaints);
   }
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
   return result;
}

/* R0 to R3 of every thread after an instruction that found them 0. */
static void
expect_words(const char *text, const uint32_t expected[4])
{
   struct tg_maxwell_warp warp = make_warp();

   for (unsigned i = 0; i < 4; i++)
      set_register(i, 0);
   assert_int_equal(run_warp(text, &warp), TG_OK);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned t = 0; t < THREADS; t++)
         assert_int_equal(registers[i][t], expected[i]);
   }
}

/* The same as floats, each a digit. */
static void
expect(const char *text, const char *digits)
{
   uint32_t words[4];

   for (unsigned i = 0; i < 4; i++)
      words[i] = tg_bits_of_float((float)(digits[i] - '0'));
   expect_words(text, words);
}

/* The same as halves in R0 and R1. */
static void
expect_halves(const char *text, const char *digits)
{
   uint32_t words[4] = {0};

   for (unsigned i = 0; i < 4; i++)
      words[i / 2] |= (digits[i] == '1' ? 0x3c00u : 0) << 16 * (i % 2);
   expect_words(text, words);
}

/* ---- what hardware did --------------------------------------------------- */

static const struct {
   const char *mask, *digits;
} mask_cases[] = {
   {"G", "1000"},   {"B", "0000"},   {"A", "1000"},   {"RG", "1100"},
   {"RA", "1100"},  {"GA", "1100"},  {"BA", "0100"},  {"RGB", "1100"},
   {"RGA", "1110"}, {"RBA", "1010"}, {"GBA", "1010"}, {"RGBA", "1101"},
   {"R", "1000"},
};

static void
masks(void **state)
{
   (void)state;
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   for (size_t i = 0; i < sizeof(mask_cases) / sizeof(mask_cases[0]); i++) {
      const char *mask = mask_cases[i].mask;
      bool has_rd1 = strlen(mask) > 2;
      char text[80];

      snprintf(text, sizeof(text), "TEXS.LZ %s, R0, R4, R5, 0x28, 2D, %s;",
               has_rd1 ? "R2" : "RZ", mask);
      expect(text, mask_cases[i].digits);
      snprintf(text, sizeof(text), "TEXS.F16.LZ %s, R0, R4, R5, 0x28, 2D, %s;",
               has_rd1 ? "R1" : "RZ", mask);
      expect_halves(text, mask_cases[i].digits);
   }
}

static void
levels(void **state)
{
   static const char *const digits[] = {"1101", "0100", "0010", "1111"};

   (void)state;
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   expect("TEXS R2, R0, R4, R5, 0x28, 2D, RGBA;", "1101");
   for (unsigned i = 0; i < LEVELS; i++) {
      set_register(6, tg_bits_of_float((float)i));
      expect("TEXS.LL R2, R0, R4, R6, 0x28, 2D, RGBA;", digits[i]);
   }
   expect("TEXS.LZ R2, R0, R4, RZ, 0x28, 1D, RGBA;", "0000");
}

static void
comparisons(void **state)
{
   (void)state;
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   set_register(6, tg_bits_of_float(0.8f));
   expect("TEXS.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "0001");
   set_register(6, tg_bits_of_float(0.6f));
   expect("TEXS.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "1111");
   expect("TEXS.LZ.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "1111");
   set_register(6, tg_bits_of_float(1.0f));
   set_register(7, tg_bits_of_float(0.6f));
   expect("TEXS.LZ.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "0001");
   expect("TEXS.LZ.DC R2, R0, R4, R6, 0x28, 2D, GBA;", "0010");
}

static void
arrays(void **state)
{
   static const struct {
      uint32_t layer;
      float s, t;
      const char *digits;
   } cases[] = {
      {0, 0, 0, "0000"},    {1, 0, 0, "1000"},    {0x3f800000, 0, 0, "0000"},
      {0, 0.5f, 0, "1000"}, {0, 0, 0.5f, "1000"},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      set_register(4, cases[i].layer);
      set_register(5, tg_bits_of_float(cases[i].s));
      set_register(6, tg_bits_of_float(cases[i].t));
      expect("TEXS R2, R0, R4, R6, 0x28, ARRAY_2D, RGBA;", cases[i].digits);
      expect("TEXS.LZ R2, R0, R4, R6, 0x28, ARRAY_2D, RGBA;", cases[i].digits);
   }
}

static void
volumes(void **state)
{
   (void)state;
   for (unsigned i = 4; i < 8; i++)
      set_register(i, tg_bits_of_float(0.5f));
   expect("TEXS R2, R0, R4, R6, 0x28, 3D, RGBA;", "1101");
   expect("TEXS.LZ R2, R0, R4, R6, 0x28, 3D, RGBA;", "1101");
}

static void
cubes(void **state)
{
   (void)state;
   for (unsigned i = 4; i < 7; i++)
      set_register(i, tg_bits_of_float(0.5f));
   set_register(7, tg_bits_of_float(1.0f));
   expect("TEXS R2, R0, R4, R6, 0x28, CUBE, RGBA;", "1101");
   expect("TEXS.LL R2, R0, R4, R6, 0x28, CUBE, RGBA;", "0100");
}

/* ---- targets ------------------------------------------------------------- */

static void
set_floats(unsigned first, unsigned count, float value)
{
   for (unsigned i = first; i < first + count; i++)
      set_register(i, tg_bits_of_float(value));
}

/* An instruction without a layer sees the first one of an array, and not as
 * many coordinates as there should be see nothing. */
static void
arrays_of_1d(void **state)
{
   (void)state;
   set_floats(4, 2, 0.5f);
   expect("TEX.LZ R0, R4, 0x28, 1D, 0xf;", "1234");
   expect("TEXS.LZ R2, R0, R4, 0x28, 1D, RGBA;", "1234");
   expect("TEX.LZ R0, R4, 0x28, 2D, 0xf;", "0000");
   set_register(4, 2);
   expect("TEX.LZ R0, R4, 0x28, ARRAY_1D, 0xf;", "3456");
   expect("TLD.LZ R0, R4, 0x28, 1D, 0xf;", "1234");
}

static void
arrays_of_2d(void **state)
{
   (void)state;
   set_floats(4, 4, 0.5f);
   expect("TEX.LZ R0, R4, 0x28, 2D, 0xf;", "1234");
   expect("TLD4.R R0, R4, 0x28, 2D, 0xf;", "1111");
   expect("TLD4.A R0, R4, 0x28, 2D, 0xf;", "4444");
   expect("TEX.LZ R0, R4, 0x28, CUBE, 0xf;", "0000");
   expect("TEX.LZ R0, R4, 0x28, 1D, 0xf;", "0000");
   expect("TEX.LZ R0, R4, 0x28, 3D, 0xf;", "0000");
   set_register(4, 3);
   set_register(5, 2);
   expect("TLDS.LZ R2, R0, R4, R5, 0x28, 2D, RGBA;", "1234");
   expect("TLDS.LZ R2, R0, R5, R4, 0x28, ARRAY_2D, RGBA;", "3456");
}

/* A query answers what the texture is, however many layers it has. */
static void
queries_of_arrays(void **state)
{
   const uint32_t expected[] = {SIZE, SIZE, 4, 1};

   (void)state;
   set_register(4, 0);
   expect_words("TXQ R0, R4, TEX_HEADER_DIMENSION, 0x28, 0xf;", expected);
}

static void
queries_of_1d_arrays(void **state)
{
   const uint32_t expected[] = {SIZE, 4, 0, 1};

   (void)state;
   set_register(4, 0);
   expect_words("TXQ R0, R4, TEX_HEADER_DIMENSION, 0x28, 0xf;", expected);
}

static void
compared_arrays(void **state)
{
   (void)state;
   set_floats(4, 2, 0.5f);
   set_register(6, tg_bits_of_float(0.8f));
   expect("TEXS.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "0001");
   set_register(6, tg_bits_of_float(0.5f));
   expect("TEXS.DC R2, R0, R4, R6, 0x28, 2D, RGBA;", "1111");
}

static void
arrays_of_cubes(void **state)
{
   (void)state;
   set_floats(4, 4, 0.5f);
   expect("TLD4.R R0, R4, 0x28, CUBE, 0xf;", "1111");
   expect("TLD4.B R0, R4, 0x28, CUBE, 0xf;", "3333");
   expect("TEX.LZ R0, R4, 0x28, CUBE, 0xf;", "1234");
   set_register(4, 1);
   expect("TLD4.R R0, R4, 0x28, ARRAY_CUBE, 0xf;", "2222");
}

/* The layer of what has none is the one that there is. */
static void
cubes_as_arrays(void **state)
{
   (void)state;
   set_floats(4, 4, 0.5f);
   expect("TEX.LZ R0, R4, 0x28, ARRAY_CUBE, 0xf;", "1101");
   set_register(4, 9);
   expect("TEX.LZ R0, R4, 0x28, ARRAY_CUBE, 0xf;", "1101");
}

/* ---- predicates ---------------------------------------------------------- */

/* What is resident makes it false, whatever it was, for the threads that fetch;
 * a guard reads it then. */
static void
predicates_are_written(void **state)
{
   static const char *const texts[] = {
      "TEX.LZ P0, R0, R4, 0x28, 2D, 0x1;",
      "TLD.LZ P0, R0, R6, 0x28, 2D, 0x1;",
      "TLD4.R P0, R0, R4, 0x28, 2D, 0x1;",
      "TEX.LL P0, R0, R4, R6, 0x28, 2D, 0x1;",
   };

   (void)state;
   set_floats(4, 2, 0.5f);
   set_register(6, 0);
   set_register(7, 0);
   for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
      struct tg_maxwell_warp warp = make_warp();

      warp.active = 0xffff;
      for (unsigned t = 0; t < THREADS; t++)
         warp.predicates[t] = 0x7f;
      assert_int_equal(run_warp(texts[i], &warp), TG_OK);
      for (unsigned t = 0; t < THREADS; t++)
         assert_int_equal(warp.predicates[t], t < 16 ? 0x7e : 0x7f);
   }
}

static void
guards_read_what_fetches_write(void **state)
{
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   set_floats(4, 2, 0.5f);
   set_register(0, 7);
   set_register(1, 7);
   warp.predicates[3] = 1 << 5;
   warp.predicates[4] = 1 << 5;
   warp.predicates[5] = 1 << 2 | 1 << 5;
   assert_int_equal(run_warp("@!P2 TEX.LZ P5, RZ, R4, 0x28, 2D, 0x1;\n"
                             "@P5 TEX.LZ R0, R4, 0x28, 2D, 0x1;\n"
                             "@!P5 TEX.LZ R1, R4, 0x28, 2D, 0x1;\n",
                             &warp),
                    TG_OK);
   for (unsigned t = 0; t < THREADS; t++) {
      assert_int_equal(registers[0][t], t == 5 ? 0x3f800000 : 7);
      assert_int_equal(registers[1][t], t == 5 ? 7 : 0x3f800000);
   }
}

/* ---- threads ------------------------------------------------------------- */

/* A guard, inactive threads and, with .NODEP, those that were killed keep what
 * their registers hold. */
static void
threads_that_do_not_fetch(void **state)
{
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   set_register(0, 7);
   set_register(1, 0);
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   warp.active = 0xffff;
   warp.killed = 0xf;
   for (unsigned t = 0; t < THREADS; t++)
      warp.predicates[t] = t >= 8 ? 1 << 3 : 0;
   assert_int_equal(
      run_warp("@P3 TEXS.LZ.NODEP RZ, R0, R4, R5, 0x28, 2D, R;\n"
               "@!P3 TEXS.LZ.NODEP RZ, R1, R4, R5, 0x28, 2D, R;\n",
               &warp),
      TG_OK);
   for (unsigned t = 0; t < THREADS; t++) {
      assert_int_equal(registers[0][t], t >= 8 && t < 16 ? 0x3f800000 : 7);
      assert_int_equal(registers[1][t], t >= 4 && t < 8 ? 0x3f800000 : 0);
   }
}

static void
invalid_textures_read_as_zero(void **state)
{
   (void)state;
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   constants[HANDLE_INDEX] = 1;
   expect("TEXS.LZ R2, R0, R4, R5, 0x28, 2D, RGBA;", "0000");
   constants[HANDLE_INDEX] = 1 << 20;
   expect("TEXS.LZ R2, R0, R4, R5, 0x28, 2D, RGBA;", "0000");
   constants[HANDLE_INDEX] = 0;
   expect("TEXS.LZ R2, R0, R4, R5, 0x28, 2D, RGBA;", "1101");
}

/* The header's number is the sampler's in this mode, whatever else is there. */
static void
samplers_may_be_the_headers(void **state)
{
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   set_register(0, 0);
   set_register(4, tg_bits_of_float(0.5f));
   set_register(5, tg_bits_of_float(0.5f));
   warp.via_header = true;
   constants[HANDLE_INDEX] = 5 << 20;
   assert_int_equal(run_warp("TEXS.LZ RZ, R0, R4, R5, 0x28, 2D, R;", &warp),
                    TG_OK);
   constants[HANDLE_INDEX] = 0;
   assert_int_equal(registers[0][0], 0x3f800000);
}

/* Code is filled up with NOPs, which do nothing. */
static void
nops_do_nothing(void **state)
{
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   set_floats(4, 2, 0.5f);
   set_register(0, 7);
   set_register(1, 7);
   assert_int_equal(run_warp(".word 0x50b0000000070f00;\n"
                             "TEXS.LZ RZ, R0, R4, R5, 0x28, 2D, R;\n"
                             ".word 0x50b0000000070f00 ?stall=0;\n",
                             &warp),
                    TG_OK);
   assert_int_equal(registers[0][0], 0x3f800000);
   assert_int_equal(registers[1][0], 7);
}

static void
what_is_not_legal_is_not_run(void **state)
{
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   set_register(0, 7);
   assert_int_equal(run_warp("TEXS R2, R0, R3, R5, 0x28, CUBE, RGBA;", &warp),
                    TG_ERROR_INPUT);
   assert_int_equal(run_warp(".word 0x1234;", &warp), TG_ERROR_INPUT);
   assert_int_equal(run_warp("TEX.LC R0, R4, R6, 0x28, 2D, 0xf;", &warp),
                    TG_ERROR_UNSUPPORTED);
   assert_int_equal(run_warp("TXA R0, R4, 0x28, 0xf;", &warp),
                    TG_ERROR_UNSUPPORTED);
   assert_int_equal(registers[0][0], 7);
}

int
main(void)
{
#define WITH(test, make)                                                       \
   cmocka_unit_test_setup_teardown(test, make, destroy_texture)
   const struct CMUnitTest tests[] = {
      WITH(masks, make_colors),
      WITH(levels, make_colors),
      WITH(comparisons, make_depth),
      WITH(arrays, make_array),
      WITH(volumes, make_colors_3d),
      WITH(cubes, make_colors_cube),
      WITH(arrays_of_1d, make_layers_1d),
      WITH(arrays_of_2d, make_layers_2d),
      WITH(queries_of_arrays, make_layers_2d),
      WITH(queries_of_1d_arrays, make_layers_1d),
      WITH(compared_arrays, make_depth_array),
      WITH(arrays_of_cubes, make_two_cubes),
      WITH(cubes_as_arrays, make_colors_cube),
      WITH(predicates_are_written, make_colors),
      WITH(guards_read_what_fetches_write, make_colors),
      WITH(threads_that_do_not_fetch, make_colors),
      WITH(invalid_textures_read_as_zero, make_colors),
      WITH(samplers_may_be_the_headers, make_colors),
      WITH(nops_do_nothing, make_colors),
      WITH(what_is_not_legal_is_not_run, make_colors),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
