/* SPDX-License-Identifier: MIT
 *
 * Every row of TEXS with every mask, with results of 32 bits and as halves: how
 * it encodes, which registers it reads and writes, and what is in them then.
 * The tables here were typed from the specification and are not those of src/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tungsten/maxwell.h"
#include "util/bits.h"

enum {
   THREADS = TG_MAXWELL_NUM_THREADS,
   SIZE = 4, /* texels each way of level 0 */
   LEVELS = 3,
   SAMPLES = 4,
   HANDLE_INDEX = 0x28,
   RA = 8,
   RB_PAIR = 14,
   RB_SINGLE = 13,
   RD0 = 20,
   RD1 = 26,
};

/* ---- the specification's tables ------------------------------------------ */

/* What Ra and Rb hold: coordinates s, t and r, the layer a, the level l, and
 * the reference c; integers x, y and z, v for the level, o for the offset, and
 * the sample m. */
static const struct row_case {
   const char *form;
   unsigned number;
   const char *modifiers, *target;
   const char *ra, *rb;
} row_cases[] = {
   {"TEXS", 0, ".LZ", "1D", "s", ""},
   {"TEXS", 1, "", "2D", "s", "t"},
   {"TEXS", 2, ".LZ", "2D", "s", "t"},
   {"TEXS", 3, ".LL", "2D", "st", "l"},
   {"TEXS", 4, ".DC", "2D", "st", "c"},
   {"TEXS", 5, ".LL.DC", "2D", "st", "lc"},
   {"TEXS", 6, ".LZ.DC", "2D", "st", "c"},
   {"TEXS", 7, "", "ARRAY_2D", "as", "t"},
   {"TEXS", 8, ".LZ", "ARRAY_2D", "as", "t"},
   {"TEXS", 9, ".LZ.DC", "ARRAY_2D", "as", "tc"},
   {"TEXS", 10, "", "3D", "st", "r"},
   {"TEXS", 11, ".LZ", "3D", "st", "r"},
   {"TEXS", 12, "", "CUBE", "st", "r"},
   {"TEXS", 13, ".LL", "CUBE", "st", "rl"},
   {"TLDS", 0, ".LZ", "1D", "x", ""},
   {"TLDS", 1, ".LL", "1D", "x", "v"},
   {"TLDS", 2, ".LZ", "2D", "x", "y"},
   {"TLDS", 4, ".LZ.AOFFI", "2D", "xy", "o"},
   {"TLDS", 5, ".LL", "2D", "xy", "v"},
   {"TLDS", 6, ".LZ.MS", "2D", "xy", "m"},
   {"TLDS", 7, ".LZ", "3D", "xy", "z"},
   {"TLDS", 8, ".LZ", "ARRAY_2D", "a", "xy"},
   {"TLDS", 12, ".LL.AOFFI", "2D", "xy", "vo"},
};

/* Components of each register; of halves the low one first, - is 0. */
static const struct mask_case {
   const char *name;
   bool has_rd1;
   unsigned code;
   const char *rd0[2], *rd1[2]; /* the registers with 32 bits */
   const char *half_rd0, *half_rd1;
} mask_cases[] = {
   {"R", false, 0, {"R"}, {0}, "R-", NULL},
   {"G", false, 1, {"G"}, {0}, "G-", NULL},
   {"B", false, 2, {"B"}, {0}, "B-", NULL},
   {"A", false, 3, {"A"}, {0}, "A-", NULL},
   {"RG", false, 4, {"R", "G"}, {0}, "RG", NULL},
   {"RA", false, 5, {"R", "A"}, {0}, "RA", NULL},
   {"GA", false, 6, {"G", "A"}, {0}, "GA", NULL},
   {"BA", false, 7, {"B", "A"}, {0}, "BA", NULL},
   {"RGB", true, 0, {"R", "G"}, {"B"}, "RG", "B-"},
   {"RGA", true, 1, {"R", "G"}, {"A"}, "RG", "A-"},
   {"RBA", true, 2, {"R", "B"}, {"A"}, "RB", "A-"},
   {"GBA", true, 3, {"G", "B"}, {"A"}, "GB", "A-"},
   {"RGBA", true, 4, {"R", "G"}, {"B", "A"}, "RG", "BA"},
};

enum {
   NUM_ROWS = sizeof(row_cases) / sizeof(row_cases[0]),
   NUM_MASKS = sizeof(mask_cases) / sizeof(mask_cases[0]),
};

/* ---- textures ------------------------------------------------------------ */

/* A texel: its level, its layer, face, slice or sample, and its place. */
struct texel {
   unsigned level, slice, x, y;
};

/* Integers up to 2048, which halves have too; each texel and component its
 * own. */
static float
value_of(const struct texel *texel, unsigned component)
{
   return (float)(1 + 512 * component + 128 * texel->level + 16 * texel->slice +
                  4 * texel->y + texel->x);
}

/* What is compared with, between 0 and 1. */
static float
depth_of(const struct texel *texel)
{
   return value_of(texel, 0) / 2048.0f;
}

static struct tg_view view;
static struct tg_sampler sampler;

static bool
is_compared(const struct row_case *row)
{
   return strstr(row->modifiers, ".DC") != NULL;
}

static bool
is_multisampled(const struct row_case *row)
{
   return strstr(row->modifiers, ".MS") != NULL;
}

/* Samples are told apart as slices are. */
static void
fill_samples(void)
{
   static float texels[SIZE * SIZE][4];
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};

   for (unsigned i = 0; i < SAMPLES * SIZE * SIZE; i++) {
      const unsigned sample = i / (SIZE * SIZE), at = i % (SIZE * SIZE);
      const struct texel texel = {0, sample, at % SIZE, at / SIZE};

      for (unsigned c = 0; c < 4; c++)
         texels[at][c] = value_of(&texel, c);
      if (at == SIZE * SIZE - 1)
         assert_int_equal(
            tg_resource_write(view.resource, 0, sample, &box, texels, 0, 0),
            TG_OK);
   }
}

static void
fill_level(unsigned level, uint32_t height, uint32_t slices, bool is_depth)
{
   static float texels[SIZE * SIZE * 6 * 4];
   const uint32_t width = SIZE >> level;
   const struct tg_box box = {0, 0, 0, width, height, slices};
   float *next = texels;

   for (uint32_t i = 0; i < width * height * slices; i++) {
      const struct texel texel = {level, i / (width * height), i % width,
                                  i / width % height};

      for (unsigned c = 0; c < (is_depth ? 1 : 4); c++)
         *next++ = is_depth ? depth_of(&texel) : value_of(&texel, c);
   }
   assert_int_equal(
      tg_resource_write(view.resource, level, 0, &box, texels, 0, 0), TG_OK);
}

static void
make_texture(const struct row_case *row)
{
   static const struct {
      const char *target;
      uint32_t texture, layers;
   } kinds[] = {
      {"1D", TG_TEXTURE_1D, 1},
      {"2D", TG_TEXTURE_2D, 1},
      {"3D", TG_TEXTURE_3D, 1},
      {"CUBE", TG_TEXTURE_CUBE, 6},
      {"ARRAY_2D", TG_TEXTURE_2D_ARRAY, 5},
   };
   unsigned kind = 0;

   while (strcmp(kinds[kind].target, row->target) != 0)
      kind++;
   const bool is_1d = kinds[kind].texture == TG_TEXTURE_1D;
   const bool is_3d = kinds[kind].texture == TG_TEXTURE_3D;
   const struct tg_resource_desc desc = {
      .target = kinds[kind].texture,
      .format = tg_format_number(is_compared(row) ? "R32_FLOAT"
                                                  : "R32G32B32A32_FLOAT"),
      .width = SIZE,
      .height = is_1d ? 1u : (uint32_t)SIZE,
      .depth = is_3d ? (uint32_t)SIZE : 1u,
      .layers = kinds[kind].layers,
      .last_level = is_multisampled(row) ? 0 : LEVELS - 1,
      .samples = is_multisampled(row) ? SAMPLES : 1,
   };

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &view.resource),
                    TG_OK);
   if (is_multisampled(row))
      fill_samples();
   for (unsigned level = 0; level < LEVELS && !is_multisampled(row); level++)
      fill_level(level, is_1d ? 1u : (uint32_t)SIZE >> level,
                 is_3d ? (uint32_t)SIZE >> level : kinds[kind].layers,
                 is_compared(row));
   view = tg_view_of(view.resource);
   sampler = (struct tg_sampler)TG_SAMPLER_INIT;
   sampler.wrap[0] = sampler.wrap[1] = sampler.wrap[2] = TG_WRAP_CLAMP_TO_EDGE;
   sampler.mip_filter = TG_MIP_NEAREST;
   sampler.max_lod = 1000.0f;
   sampler.compare_func = TG_COMPARE_LEQUAL;
   /* Only .LL leaves it to the sampler whether there is a comparison. */
   sampler.compares = is_compared(row) && row->number == 5;
}

/* ---- operands ------------------------------------------------------------ */

static bool
has(const struct row_case *row, char operand)
{
   return strchr(row->ra, operand) || strchr(row->rb, operand);
}

static bool
is_implicit(const struct row_case *row)
{
   return !strstr(row->modifiers, ".L");
}

/* The texel that a thread looks at. With implicit levels odd quads step by a
 * texel of level 1, so that is what they see; all threads of even quads look at
 * the same texel, of level 0. */
static struct texel
texel_of(const struct row_case *row, unsigned thread)
{
   const unsigned quad = thread / 4;
   struct texel texel = {0, 0, thread % SIZE, thread / 3 % SIZE};

   if (has(row, 'l') || has(row, 'v'))
      texel.level = thread % LEVELS;
   if (is_implicit(row)) {
      texel.level =
         has(row, 'r') && !strcmp(row->target, "CUBE") ? 0 : quad % 2;
      texel.x = texel.level ? thread % 2 : quad / 2;
      texel.y = texel.level ? thread / 2 % 2 : (quad + 1) % SIZE;
   }
   texel.x %= SIZE >> texel.level;
   texel.y %= SIZE >> texel.level;
   if (!strcmp(row->target, "1D"))
      texel.y = 0;
   if (is_multisampled(row))
      texel.slice = quad % SAMPLES;
   if (!strcmp(row->target, "ARRAY_2D"))
      texel.slice = quad % 5;
   if (!strcmp(row->target, "3D"))
      texel.slice = quad % (SIZE >> texel.level);
   if (!strcmp(row->target, "CUBE"))
      texel.slice = quad % 6;
   return texel;
}

/* A coordinate in the middle of a texel. */
static float
middle_of(unsigned at, unsigned level)
{
   return ((float)at + 0.5f) / (float)(SIZE >> level);
}

/* The direction to a texel of a face: the major axis and the signs of the
 * others are those of OpenGL's table of cube maps. */
static float
direction(const struct texel *texel, char axis)
{
   const float u = 2 * middle_of(texel->x, texel->level) - 1;
   const float v = 2 * middle_of(texel->y, texel->level) - 1;
   const float faces[6][3] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v},
                              {u, -1, -v}, {u, -v, 1},  {-u, -v, -1}};

   return faces[texel->slice][axis == 's' ? 0 : axis == 't' ? 1 : 2];
}

/* Does the comparison of this thread hold, the reference being at most what is
 * there? */
static bool
passes(unsigned thread)
{
   return thread % 3 != 1;
}

/* Offsets from -2 to 2, where there are any. */
static int
offset_of(const struct row_case *row, unsigned thread, unsigned axis)
{
   return has(row, 'o') ? (int)((thread + 2 * axis) % 5) - 2 : 0;
}

static uint32_t
integer_of(const struct row_case *row, unsigned thread, char operand)
{
   const struct texel texel = texel_of(row, thread);
   const int dx = offset_of(row, thread, 0), dy = offset_of(row, thread, 1);

   switch (operand) {
   case 'x': return texel.x - (unsigned)dx;
   case 'y': return texel.y - (unsigned)dy;
   case 'v': return texel.level;
   case 'a': return texel.slice | 0xabcd0000; /* of which 16 bits count */
   case 'o': return ((unsigned)dx & 15) | ((unsigned)dy & 15) << 4;
   default: return texel.slice; /* z, or the sample */
   }
}

static uint32_t
operand_of(const struct row_case *row, unsigned thread, char operand)
{
   const struct texel texel = texel_of(row, thread);
   float value = 0;

   switch (operand) {
   case 's': value = middle_of(texel.x, texel.level); break;
   case 't': value = middle_of(texel.y, texel.level); break;
   case 'r': value = middle_of(texel.slice, texel.level); break;
   case 'l': value = (float)texel.level; break;
   case 'c':
      value = depth_of(&texel) + (passes(thread) ? -1 : 1) / 4096.0f;
      break;
   default: return integer_of(row, thread, operand);
   }
   if (!strcmp(row->target, "CUBE") && strchr("str", operand))
      value = direction(&texel, operand);
   return tg_bits_of_float(value);
}

/* The word that a component is, of 32 bits. */
static uint32_t
expected_component(const struct row_case *row, unsigned thread, char component)
{
   const struct texel texel = texel_of(row, thread);
   const unsigned number = (unsigned)(strchr("RGBA", component) - "RGBA");

   if (!is_compared(row))
      return tg_bits_of_float(value_of(&texel, number));
   return tg_bits_of_float(component == 'A' || passes(thread) ? 1.0f : 0.0f);
}

/* The bits of a half that is 0 or an integer from 1 to 2048. */
static uint32_t
half_of(uint32_t word)
{
   const uint32_t value = (uint32_t)tg_float_of_bits(word);
   unsigned exponent = 0;

   if (!value)
      return 0;
   while (value >> (exponent + 1))
      exponent++;
   return (exponent + 15) << 10 | ((value << 10 >> exponent) & 0x3ff);
}

static uint32_t
expected_half(const struct row_case *row, unsigned thread, char component)
{
   return component == '-'
             ? 0
             : half_of(expected_component(row, thread, component));
}

/* ---- a warp -------------------------------------------------------------- */

typedef uint32_t register_file[TG_MAXWELL_NUM_REGISTERS][THREADS];

static register_file registers, expected;

/* What a trace says, in its order. */
static struct {
   struct tg_maxwell_access accesses[16];
   unsigned count;
} trace;

static void
note_access(void *user, const struct tg_maxwell_access *access)
{
   (void)user;
   assert_true(trace.count < 16);
   trace.accesses[trace.count++] = *access;
   assert_ptr_equal(access->words, registers[access->number]);
}

static void
fill_registers(const struct row_case *row, unsigned rb)
{
   for (unsigned i = 0; i < TG_MAXWELL_NUM_REGISTERS; i++) {
      for (unsigned t = 0; t < THREADS; t++)
         registers[i][t] = 0xdead0000 + i * THREADS + t;
   }
   for (unsigned t = 0; t < THREADS; t++) {
      for (unsigned i = 0; row->ra[i]; i++)
         registers[RA + i][t] = operand_of(row, t, row->ra[i]);
      for (unsigned i = 0; row->rb[i]; i++)
         registers[rb + i][t] = operand_of(row, t, row->rb[i]);
   }
   memcpy(expected, registers, sizeof(registers));
}

/* Fills in what the registers are to be. */
static void
expect_results(const struct row_case *row, const struct mask_case *mask,
               bool is_half)
{
   for (unsigned t = 0; t < THREADS; t++) {
      for (unsigned i = 0; i < 2; i++) {
         const char *halves = i ? mask->half_rd1 : mask->half_rd0;
         const char *const *whole = i ? mask->rd1 : mask->rd0;
         const unsigned base = i ? RD1 : RD0;

         if (is_half && halves)
            expected[base][t] = expected_half(row, t, halves[0]) |
                                expected_half(row, t, halves[1]) << 16;
         for (unsigned j = 0; j < 2 && whole[j] && !is_half; j++)
            expected[base + j][t] = expected_component(row, t, whole[j][0]);
      }
   }
}

static unsigned
expect_accesses(unsigned first, unsigned base, unsigned count, bool is_write)
{
   for (unsigned i = 0; i < count; i++) {
      const struct tg_maxwell_access *access = &trace.accesses[first + i];

      assert_true(first + i < trace.count);
      assert_int_equal(access->instruction, 0);
      assert_int_equal(access->is_write, is_write);
      assert_int_equal(access->number, base + i);
      assert_int_equal(access->threads, UINT32_MAX);
   }
   return first + count;
}

static void
expect_trace(const struct row_case *row, const struct mask_case *mask,
             unsigned rb, bool is_half)
{
   const unsigned n0 = is_half || !mask->rd0[1] ? 1 : 2;
   const unsigned n1 = !mask->has_rd1 ? 0 : is_half || !mask->rd1[1] ? 1 : 2;
   unsigned next = expect_accesses(0, RA, (unsigned)strlen(row->ra), false);

   next = expect_accesses(next, rb, (unsigned)strlen(row->rb), false);
   next = expect_accesses(next, RD0, n0, true);
   next = expect_accesses(next, RD1, n1, true);
   assert_int_equal(trace.count, next);
}

static struct tg_maxwell_warp
make_warp(void)
{
   static const struct tg_view *const headers[] = {&view};
   static const struct tg_sampler *const samplers[] = {&sampler};
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;

   warp.registers = registers;
   warp.is_fragment = true;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   return warp;
}

/* ---- cases --------------------------------------------------------------- */

static struct tg_maxwell_program *
assemble(const struct row_case *row, const struct mask_case *mask, unsigned rb,
         bool is_half)
{
   struct tg_maxwell_program *program = NULL;
   char rb_name[8], rd1_name[8], text[120];

   snprintf(rb_name, sizeof(rb_name), *row->rb ? "R%u" : "RZ", rb);
   snprintf(rd1_name, sizeof(rd1_name), mask->has_rd1 ? "R%u" : "RZ", RD1);
   snprintf(text, sizeof(text), "%s%s%s %s, R%u, R%u, %s, 0x%x, %s, %s;",
            row->form, is_half ? ".F16" : "", row->modifiers, rd1_name, RD0, RA,
            rb_name, HANDLE_INDEX, row->target, mask->name);
   assert_int_equal(
      tg_maxwell_assemble(NULL, "t", text, strlen(text), NULL, &program),
      TG_OK);
   return program;
}

static void
check_case(const struct row_case *row, const struct mask_case *mask,
           bool is_half)
{
   const unsigned rb = strlen(row->rb) == 2 ? RB_PAIR : RB_SINGLE;
   struct tg_maxwell_program *program = assemble(row, mask, rb, is_half);
   struct tg_maxwell_warp warp = make_warp();
   const uint64_t word = tg_maxwell_words(program)[0];

   assert_int_equal(word >> 57 & 1, strcmp(row->form, "TLDS") == 0);
   assert_int_equal(word >> 53 & 15, row->number);
   assert_int_equal(word >> 50 & 7, mask->code);
   assert_int_equal(word >> 59 & 1, !is_half);
   assert_int_equal(tg_maxwell_check(program, TG_MAXWELL_ANY, NULL), TG_OK);

   trace.count = 0;
   fill_registers(row, rb);
   expect_results(row, mask, is_half);
   assert_int_equal(
      tg_maxwell_run(NULL, program, &warp, note_access, NULL, NULL), TG_OK);
   assert_memory_equal(registers, expected, sizeof(registers));
   expect_trace(row, mask, rb, is_half);
   tg_maxwell_program_destroy(program);
}

static void
rows_and_masks(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_ROWS; i++) {
      make_texture(&row_cases[i]);
      for (unsigned j = 0; j < NUM_MASKS * 2; j++)
         check_case(&row_cases[i], &mask_cases[j / 2], j % 2);
      tg_resource_destroy(view.resource);
   }
}

/* Without a comparison in the sampler .LL.DC gives the depth itself, and all
 * others compare all the same. */
static void
absolute_levels_do_not_force_a_comparison(void **state)
{
   const struct row_case *row = &row_cases[5];
   struct tg_maxwell_program *program =
      assemble(row, &mask_cases[0], RB_PAIR, false);
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   make_texture(row);
   sampler.compares = false;
   fill_registers(row, RB_PAIR);
   assert_int_equal(tg_maxwell_run(NULL, program, &warp, NULL, NULL, NULL),
                    TG_OK);
   for (unsigned t = 0; t < THREADS; t++) {
      const struct texel texel = texel_of(row, t);

      assert_int_equal(registers[RD0][t], tg_bits_of_float(depth_of(&texel)));
   }
   tg_maxwell_program_destroy(program);
   tg_resource_destroy(view.resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_and_masks),
      cmocka_unit_test(absolute_levels_do_not_force_a_comparison),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
