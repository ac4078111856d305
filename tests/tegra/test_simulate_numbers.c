/* SPDX-License-Identifier: MIT
 *
 * Results of opcodes against those of the TGSI opcodes that mean the same, bit
 * for bit, over special and random words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tegra/isa/isa.h"
#include "tungsten/run.h"
#include "util/bits.h"

enum { NUM_ROUNDS = 300 };

struct row {
   const char *name; /* in TGSI */
   enum tegra_unit unit;
   unsigned opcode;
   unsigned num_sources;
};

#define VECTOR(name, num_sources)                                              \
   {                                                                           \
#name, TEGRA_VECTOR, TEGRA_VECTOR_##name, num_sources                    \
   }
#define SCALAR(name)                                                           \
   {                                                                           \
#name, TEGRA_SCALAR, TEGRA_SCALAR_##name, 1                              \
   }

/* Not RCC, whose bounds are rounded in TGSI; not MIN and MAX, where NaN is
 * another matter; and not DST and DPH, whose operands are others. */
static const struct row rows[] = {
   VECTOR(MOV, 1), VECTOR(MUL, 2), VECTOR(ADD, 2), VECTOR(MAD, 3),
   VECTOR(DP3, 2), VECTOR(DP4, 2), VECTOR(SLT, 2), VECTOR(SGE, 2),
   VECTOR(FRC, 1), VECTOR(FLR, 1), VECTOR(SEQ, 2), VECTOR(SGT, 2),
   VECTOR(SLE, 2), VECTOR(SNE, 2), VECTOR(SSG, 1), SCALAR(MOV),
   SCALAR(RCP),    SCALAR(RSQ),    SCALAR(EXP),    SCALAR(LOG),
   SCALAR(LIT),    SCALAR(LG2),    SCALAR(EX2),    SCALAR(SIN),
   SCALAR(COS),
};

/* ---- operands ------------------------------------------------------------ */

typedef uint32_t attributes[TG_TEGRA_NUM_ATTRIBUTES][4];

static uint32_t
next_random(uint64_t *seed)
{
   *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*seed >> 32);
}

/* Special words, ordinary numbers, and anything. */
static uint32_t
next_word(uint64_t *seed)
{
   static const float special[] = {
      0.0f,     -0.0f,    1.0f,   -1.0f,          INFINITY,   -INFINITY,
      NAN,      0.5f,     -0.5f,  0x1p-149f,      -0x1p-126f, 0x1p127f,
      -128.0f,  128.5f,   8.0f,   0x1.fffffep-1f, 0x1p-64f,   0x1p24f,
      -0x1p23f, 3.14159f, 100.0f, -149.5f,
   };
   uint32_t random = next_random(seed);

   switch (next_random(seed) % 3) {
   case 0:
      return tg_bits_of_float(
         special[random % (sizeof(special) / sizeof(special[0]))]);
   case 1: return tg_bits_of_float((float)(int32_t)random * 0x1p-26f);
   default: return random;
   }
}

static void
fill_in(attributes *vertices, uint64_t *seed)
{
   for (unsigned i = 0; i < TG_MAX_LANES; i++) {
      for (unsigned k = 0; k < 12; k++)
         vertices[i][k / 4][k % 4] = next_word(seed);
   }
}

/* ---- both sides ---------------------------------------------------------- */

static void
run_tgsi(const struct row *row, attributes *vertices, uint32_t (*results)[4])
{
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;
   char text[200];

   int length = snprintf(
      text, sizeof(text),
      "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\n%s OUT[0], IN[0]%s%s\nEND\n",
      row->name, row->num_sources > 1 ? ", IN[1]" : "",
      row->num_sources > 2 ? ", IN[2]" : "");
   assert_int_equal(tg_shader_parse(NULL, "t", text, (size_t)length,
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_int_equal(tg_program_create(NULL, shader, NULL, NULL, &program),
                    TG_OK);
   assert_int_equal(tg_run_create(program, TG_MAX_LANES, &run), TG_OK);
   for (int i = 0; i < TG_MAX_LANES; i++) {
      for (unsigned k = 0; k < 3; k++)
         tg_run_set(run, TG_RUN_INPUT, 0, k, i, vertices[i][k]);
   }
   assert_int_equal(tg_run_execute(run, NULL), TG_OK);
   for (unsigned i = 0; i < TG_MAX_LANES; i++)
      tg_run_get_output(run, 0, 0, i, results[i]);
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
}

/* Two instructions fetch what cannot be fetched beside another attribute. */
static void
encode(const struct row *row, uint32_t words[3][4])
{
   static const union tegra_instruction mov = {
      .v_op = TEGRA_VECTOR_MOV,
      .v_mask = TEGRA_MASK_XYZW,
      .ra_type = TEGRA_ATTRIBUTE,
      .ra_swz = TEGRA_IDENTITY,
      .s_rd = TEGRA_NO_REGISTER,
      .export_index = TEGRA_NO_EXPORT,
   };
   union tegra_instruction last = mov, fetch[2] = {mov, mov};
   bool is_vector = row->unit == TEGRA_VECTOR;
   bool takes_c = is_vector && row->opcode == TEGRA_VECTOR_ADD;

   for (unsigned i = 0; i < 2; i++) {
      fetch[i].attr_index = (uint16_t)(i + 1);
      fetch[i].v_rd = (uint16_t)i;
      tegra_isa_encode(&fetch[i], words[i]);
   }
   last.end = 1;
   last.export_index = 0;
   last.export_vec = is_vector;
   last.v_op = (uint16_t)(is_vector ? row->opcode : TEGRA_VECTOR_NOP);
   last.v_rd = TEGRA_NO_REGISTER;
   last.s_op = (uint16_t)(is_vector ? TEGRA_SCALAR_NOP : row->opcode);
   last.s_mask = is_vector ? 0 : TEGRA_MASK_XYZW;
   last.rb_type = TEGRA_TEMPORARY;
   last.rb_swz = TEGRA_IDENTITY;
   last.rc_type = is_vector ? TEGRA_TEMPORARY : TEGRA_ATTRIBUTE;
   last.rc_index = is_vector && !takes_c;
   last.rc_swz = TEGRA_IDENTITY;
   tegra_isa_encode(&last, words[2]);
}

static void
run_tegra(const struct row *row, attributes *vertices, uint32_t (*results)[4])
{
   static uint32_t exports[TG_MAX_LANES][TG_TEGRA_NUM_EXPORTS][4];
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   struct tg_tegra_program *program = NULL;
   uint32_t words[3][4];

   encode(row, words);
   assert_int_equal(tg_tegra_decode(NULL, "t", words[0], 12, NULL, &program),
                    TG_OK);
   batch.num_vertices = TG_MAX_LANES;
   batch.attributes = vertices[0][0];
   batch.exports = exports[0][0];
   batch.mad = TG_TEGRA_MAD_FUSED;
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
   for (unsigned i = 0; i < TG_MAX_LANES; i++)
      memcpy(results[i], exports[i][0], sizeof(results[i]));
   tg_tegra_program_destroy(program);
}

/* ---- comparison ---------------------------------------------------------- */

/* One NaN counts as any other. */
static bool
is_same(uint32_t a, uint32_t b)
{
   return a == b || (isnan(tg_float_of_bits(a)) && isnan(tg_float_of_bits(b)));
}

static void
opcodes_give_the_bits_of_tgsi(void **state)
{
   static attributes vertices[TG_MAX_LANES];
   uint64_t seed = 1;

   (void)state;
   for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
      for (unsigned round = 0; round < NUM_ROUNDS; round++) {
         uint32_t expected[TG_MAX_LANES][4], got[TG_MAX_LANES][4];

         fill_in(vertices, &seed);
         run_tgsi(&rows[r], vertices, expected);
         run_tegra(&rows[r], vertices, got);
         for (unsigned i = 0; i < TG_MAX_LANES * 4; i++) {
            if (!is_same(expected[i / 4][i % 4], got[i / 4][i % 4]))
               fail_msg("%s: component %u is %08x, not %08x", rows[r].name,
                        i % 4, got[i / 4][i % 4], expected[i / 4][i % 4]);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(opcodes_give_the_bits_of_tgsi),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
