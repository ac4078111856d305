/* SPDX-License-Identifier: MIT
 *
 * What the tests of the simulator share.
 */
#include "simulate_run.h"

#include <string.h>

/* ---- programs ------------------------------------------------------------ */

void
set(uint32_t words[4], float x, float y, float z, float w)
{
   const float values[] = {x, y, z, w};

   memcpy(words, values, sizeof(values));
}

void
begin(struct run *run, uint32_t num_vertices)
{
   memset(run, 0, sizeof(*run));
   for (uint32_t i = 0; i < num_vertices; i++) {
      set(run->attributes[i][0], -1, 1, 0, 1);
      set(run->attributes[i][1], 0.25f, 1, 0.5f, 0.75f);
   }
   run->batch = (struct tg_tegra_batch){
      .size = sizeof(run->batch),
      .num_vertices = num_vertices,
      .attributes = run->attributes[0][0],
      .constants = run->constants[0],
      .exports = run->exports[0][0],
      .ends = run->ends,
   };
}

struct tg_tegra_program *
decode(const void *words, size_t size)
{
   struct tg_tegra_program *program = NULL;

   assert_int_equal(tg_tegra_decode(NULL, "t", words, size / 4, NULL, &program),
                    TG_OK);
   return program;
}

char *
execute_with(const char *set, struct run *run, const void *words, size_t size)
{
   struct tg_tegra_program *program = decode(words, size);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_int_equal(simulate_run(set, program, &run->batch, diagnostics),
                    TG_OK);
   char *text = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   tg_tegra_program_destroy(program);
   return text;
}

char *
execute(struct run *run, const void *words, size_t size)
{
   return execute_with(NULL, run, words, size);
}

void
execute_cleanly(struct run *run, const void *words, size_t size)
{
   char *text = execute(run, words, size);

   assert_string_equal(text, "");
   tg_string_free(text);
   for (uint32_t i = 0; i < run->batch.num_vertices; i++)
      assert_int_equal(run->ends[i], TG_TEGRA_ENDED);
}

void
expect(const uint32_t words[4], float x, float y, float z, float w)
{
   uint32_t expected[4];

   set(expected, x, y, z, w);
   assert_memory_equal(words, expected, sizeof(expected));
}

void
expect_attributes(const struct run *run)
{
   expect(run->exports[0][0], -1, 1, 0, 1);
   expect(run->exports[0][7], 0.25f, 1, 0.5f, 0.75f);
}

/* ---- instructions made here ---------------------------------------------- */

union tegra_instruction
nop(void)
{
   return (union tegra_instruction){
      .export_index = TEGRA_NO_EXPORT,
      .s_rd = TEGRA_NO_REGISTER,
      .v_rd = TEGRA_NO_REGISTER,
      .ra_swz = TEGRA_IDENTITY,
      .rb_swz = TEGRA_IDENTITY,
      .rc_swz = TEGRA_IDENTITY,
      .p_swz = TEGRA_IDENTITY,
      .p_lt = 1,
      .p_eq = 1,
      .p_gt = 1,
   };
}

size_t
encode(const union tegra_instruction *instructions, size_t num,
       uint32_t (*words)[4])
{
   for (size_t i = 0; i < num; i++)
      tegra_isa_encode(&instructions[i], words[i]);
   return num * sizeof(*words);
}

union tegra_instruction
mov_attribute(unsigned rd, unsigned index)
{
   union tegra_instruction mov = nop();

   mov.v_op = TEGRA_VECTOR_MOV;
   mov.v_rd = (uint16_t)rd;
   mov.v_mask = TEGRA_MASK_XYZW;
   mov.ra_type = TEGRA_ATTRIBUTE;
   mov.attr_index = (uint16_t)index;
   return mov;
}

union tegra_instruction
export_temporary(unsigned index, unsigned ra)
{
   union tegra_instruction mov = nop();

   mov.v_op = TEGRA_VECTOR_MOV;
   mov.v_mask = TEGRA_MASK_XYZW;
   mov.ra_type = TEGRA_TEMPORARY;
   mov.ra_index = (uint16_t)ra;
   mov.export_vec = 1;
   mov.export_index = (uint16_t)index;
   mov.end = 1;
   return mov;
}

void
make_sum(union tegra_instruction *sum)
{
   sum[0] = mov_attribute(0, 0);
   sum[1] = mov_attribute(1, 1);
   sum[2] = nop();
   sum[2].v_op = TEGRA_VECTOR_ADD;
   sum[2].v_rd = 1;
   sum[2].v_mask = TEGRA_MASK_XYZW;
   sum[2].ra_type = TEGRA_TEMPORARY;
   sum[2].ra_index = 1;
   sum[2].rc_type = TEGRA_TEMPORARY;
   sum[3] = sum[2];
   sum[3].v_rd = 0;
   sum[3].ra_index = 0;
   sum[3].rc_type = TEGRA_CONSTANT;
   sum[3].rc_neg = 1;
   sum[3].cs = 1;
   sum[3].cwr = 1;
   sum[4] = export_temporary(3, 1);
   sum[4].p_swz = TEGRA_XXXX;
   sum[4].s_op = TEGRA_SCALAR_BRA;
   sum[4].rc_swz = 2;
   sum[4].p_lt = 0;
   sum[4].p_eq = 0;
}

void
begin_sum(struct run *run, uint32_t num_vertices)
{
   begin(run, num_vertices);
   set(run->constants[0], 1, 1, 1, 1);
   for (uint32_t i = 0; i < num_vertices; i++) {
      float count = (float)(1 + i * 7 % num_vertices);

      set(run->attributes[i][0], count, count, count, count);
      set(run->attributes[i][1], 0, 0, 0, 0);
   }
}
