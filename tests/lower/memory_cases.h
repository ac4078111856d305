/* SPDX-License-Identifier: MIT
 *
 * Shaders that read and write memory, as rows: what lanes see of it and which
 * of its words are others afterwards. All the rest must be as it was.
 *
 * What every row finds bound; word w of it holds 0x100 * n + w:
 *    n = 1   BUFFER[0], 16 words       n = 5   MEMORY, SHARED, 16 words
 *    n = 2   BUFFER[1], 22 bytes       n = 6   HWATOMIC[0], 8 words
 *    n = 3   BUFFER[3], 4 words        n = 7   MEMORY, INPUT, 8 words
 *    n = 4   MEMORY, GLOBAL, 8 words   n = 8   HWATOMIC[2], 4 words
 * BUFFER[2] is declared and not bound.
 */
#ifndef TESTS_LOWER_MEMORY_CASES_H
#define TESTS_LOWER_MEMORY_CASES_H

#include "cases.h"

/* n of the list above: the number of a memory of the runner is n - 1. */
enum {
   BUFFER_0 = 1,
   BUFFER_1,
   BUFFER_3,
   GLOBAL,
   SHARED,
   COUNTERS_0,
   INPUT,
   COUNTERS_2,
};

struct changed_word {
   unsigned memory; /* n; 0 ends a list */
   unsigned word;
   uint32_t value;
};

struct memory_case {
   const char *name;
   const char *declarations; /* more of them, or NULL */
   const char *body;
   uint32_t expected[LIR_LANES]; /* OUT[0].x */
   struct changed_word changed[16];
};

/* Byte address 4 * lane, in TEMP[0].x. */
#define LANE_ADDRESS "SHL TEMP[0].x, IN[0].xxxx, IMM[0].zzzz\n"

/* Binds what is listed above. */
void
bind_memories(struct runner *runner);

/* Runs a row with these lanes live. */
void
run_memory_case(const char *processor, enum tg_dialect dialect, uint32_t live,
                const struct memory_case *row);

void
run_memory_cases(const char *processor, const struct memory_case *cases,
                 size_t num_cases);

#define RUN_MEMORY_CASES(processor, cases)                                     \
   run_memory_cases(processor, cases, sizeof(cases) / sizeof((cases)[0]))

#endif
