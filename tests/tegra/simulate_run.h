/* SPDX-License-Identifier: MIT
 *
 * Programs made by tests and run on vertices that tests fill in.
 */
#ifndef TESTS_TEGRA_SIMULATE_RUN_H
#define TESTS_TEGRA_SIMULATE_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tegra/simulate/simulate.h"

enum { MAX_VERTICES = 40 };

struct run {
   uint32_t attributes[MAX_VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint32_t exports[MAX_VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint8_t ends[MAX_VERTICES];
   struct tg_tegra_batch batch;
};

void
set(uint32_t words[4], float x, float y, float z, float w);

/* Two attributes, the same for each vertex. */
void
begin(struct run *run, uint32_t num_vertices);

struct tg_tegra_program *
decode(const void *words, size_t size);

/* Runs words with the code for an instruction set and returns what is
 * complained of, to be freed. */
char *
execute_with(const char *set, struct run *run, const void *words, size_t size);

char *
execute(struct run *run, const void *words, size_t size);

/* Runs words that nothing is wrong with. */
void
execute_cleanly(struct run *run, const void *words, size_t size);

void
expect(const uint32_t words[4], float x, float y, float z, float w);

/* The position is the first attribute, export 7 the second. */
void
expect_attributes(const struct run *run);

/* Nothing, unconditionally; tests fill in what they want. */
union tegra_instruction
nop(void);

size_t
encode(const union tegra_instruction *instructions, size_t num,
       uint32_t (*words)[4]);

/* r[rd] = a[index], or an export. */
union tegra_instruction
mov_attribute(unsigned rd, unsigned index);

/* export[index] = r[ra], and the end. */
union tegra_instruction
export_temporary(unsigned index, unsigned ra);

/* r0 = a[0]; do r1 += r0 while (r0 -= 1) > 0; so that r1 is 1 + ... + a[0]. */
enum { SUM_LENGTH = 5 };

void
make_sum(union tegra_instruction *sum);

void
begin_sum(struct run *run, uint32_t num_vertices);

#endif
