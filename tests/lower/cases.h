/* SPDX-License-Identifier: MIT
 *
 * Tests as rows: the body of a shader and what OUT[0].x is in each lane.
 */
#ifndef TESTS_LOWER_CASES_H
#define TESTS_LOWER_CASES_H

#include "runner.h"

struct shader_case {
   const char *name;
   enum tg_dialect dialect;
   const char *declarations; /* more of them, or NULL */
   const char *body;
   uint32_t expected[LIR_LANES];
};

/* Every lane gives the same. */
#define ALL_LANES(v)                                                           \
   {                                                                           \
      v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v                           \
   }

/* What every case finds declared beside IN[0] and CONST of runner.h. */
#define CASE_PREAMBLE                                                          \
   "DCL IN[0]\n"                                                               \
   "DCL OUT[0..1]\n"                                                           \
   "DCL CONST[0][0..3]\n"                                                      \
   "DCL CONST[1][0..3]\n"                                                      \
   "DCL TEMP[0..7]\n"                                                          \
   "DCL ADDR[0..1]\n"                                                          \
   "IMM[0] INT32 {0, 1, 2, 3}\n"                                               \
   "IMM[1] FLT32 {0.0, 1.0, 2.0, 2.5}\n"                                       \
   "IMM[2] INT32 {4, 5, 8, 15}\n"                                              \
   "IMM[3] INT32 {-1, 100, 1000, -2147483648}\n"                               \
   "IMM[4] UINT32 {2143289344, 1, 7, 64}\n"  /* NaN, a denormal */             \
   "IMM[5] UINT32 {30, 1482907561, 20, 0}\n" /* y: 1e15 */

/* Runs each row as a shader of this kind ("VERT", "FRAG"). */
void
run_cases(const char *processor, const struct shader_case *cases,
          size_t num_cases);

#define RUN_CASES(processor, cases)                                            \
   run_cases(processor, cases, sizeof(cases) / sizeof((cases)[0]))

#endif
