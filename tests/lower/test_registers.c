/* SPDX-License-Identifier: MIT
 *
 * Registers: which of them an operand names, in bounds and out of bounds, and
 * what a dialect changes about it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cases.h"

#define D10 TG_DIALECT_2010
#define D11 TG_DIALECT_2011
#define D19 TG_DIALECT_2019

/* TEMP[r].x is 10 + r for registers 0 to 7. */
#define FILL_TEMPS                                                             \
   "UADD TEMP[0].x, IMM[2].yyyy, IMM[2].yyyy\n"                                \
   "UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[2].x, TEMP[1].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[3].x, TEMP[2].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[4].x, TEMP[3].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[5].x, TEMP[4].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[6].x, TEMP[5].xxxx, IMM[0].yyyy\n"                               \
   "UADD TEMP[7].x, TEMP[6].xxxx, IMM[0].yyyy\n"

/* ---- operands ------------------------------------------------------------ */

static void
test_operands(void **state)
{
   static const struct shader_case cases[] = {
      {"all sources are read before anything is written", D19, NULL,
       "MOV TEMP[0], IMM[2]\n" /* 4, 5, 8, 15 */
       "MOV TEMP[0], TEMP[0].wzyx\n"
       "UMAD TEMP[1].x, TEMP[0].xxxx, IMM[3].yyyy, TEMP[0].wwww\n"
       "MOV OUT[0].x, TEMP[1].xxxx\n"
       "END\n",
       ALL_LANES(1504)},
      {"the write mask leaves the rest alone", D19, NULL,
       "MOV OUT[0].xy, IMM[2].zzzz\n"
       "MOV OUT[0].yzw, IMM[2].yyyy\n"
       "END\n",
       ALL_LANES(8)},
      {"outputs can be read, and are 0 at first", D19, NULL,
       "UADD OUT[0].x, OUT[1].wwww, IMM[0].yyyy\n"
       "UADD OUT[0].x, OUT[0].xxxx, OUT[0].xxxx\n"
       "END\n",
       ALL_LANES(2)},
      {"absolute before negate, as floats for MOV", D19, NULL,
       "MOV OUT[0].x, -|IMM[1].yyyy|\n"
       "END\n",
       ALL_LANES(0xbf800000)},
      {"negate of integers is two's complement", D19, NULL,
       "UADD OUT[0].x, IMM[2].yyyy, -IMM[0].yyyy\n"
       "END\n",
       ALL_LANES(4)},
      {"_SAT: 2.5 becomes 1", D19, NULL,
       "MOV_SAT OUT[0].x, IMM[1].wwww\n"
       "END\n",
       ALL_LANES(0x3f800000)},
      {"_SAT: NaN and -0 become +0", D19, NULL,
       "MOV_SAT TEMP[0].x, IMM[4].xxxx\n"
       "MOV_SAT TEMP[0].y, IMM[3].wwww\n"
       "OR OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "END\n",
       ALL_LANES(0)},
      {"_SAT leaves integers alone", D19, NULL,
       "UADD_SAT OUT[0].x, IMM[2].xxxx, IMM[2].xxxx\n"
       "END\n",
       ALL_LANES(8)},
      {"_SATNV: -2.5 becomes -1", D10, NULL,
       "MOV_SATNV OUT[0].x, -IMM[1].wwww\n"
       "END\n",
       ALL_LANES(0xbf800000)},
      {"_SATNV: 0.5 stays", D10, NULL,
       "ADD TEMP[0].x, IMM[1].wwww, -IMM[1].zzzz\n"
       "MOV_SATNV OUT[0].x, TEMP[0].xxxx\n"
       "END\n",
       ALL_LANES(0x3f000000)},
      {"_SAT of doubles clamps pairs", D19, "DCL TEMP[8]\n",
       "F2D TEMP[0], IMM[1].wwww\n" /* 2.5 */
       "DADD_SAT TEMP[1].xy, TEMP[0].xyxy, TEMP[0].xyxy\n"
       "D2I OUT[0].x, TEMP[1].xyxy\n"
       "END\n",
       ALL_LANES(1)},
      {"subroutines see inputs and registers",
       D19,
       NULL,
       "0: MOV TEMP[0].x, IMM[2].zzzz\n"
       "1: CAL :3\n"
       "2: END\n"
       "3: BGNSUB\n"
       "4:   UADD OUT[0].x, IN[0].xxxx, TEMP[0].xxxx\n"
       "5: ENDSUB\n",
       {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- computed registers -------------------------------------------------- */

static void
test_reading(void **state)
{
   static const struct shader_case cases[] = {
      {"TEMP, each lane another, 0 behind the last",
       D19,
       NULL,
       FILL_TEMPS "UARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV OUT[0].x, TEMP[ADDR[0].x+1].xxxx\n"
                  "END\n",
       {11, 12, 13, 14, 15, 16, 17}},
      {"TEMP, 0 in front of the first",
       D19,
       NULL,
       FILL_TEMPS "UARL ADDR[0].y, IN[0].xxxx\n"
                  "MOV OUT[0].x, TEMP[ADDR[0].y-3].xxxx\n"
                  "END\n",
       {0, 0, 0, 10, 11, 12, 13, 14, 15, 16, 17}},
      {"TEMP indexed by TEMP",
       D19,
       NULL,
       FILL_TEMPS "MOV TEMP[2].y, IN[0].wwww\n"
                  "MOV OUT[0].x, TEMP[TEMP[2].y].xxxx\n"
                  "END\n",
       {10, 10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13}},
      {"registers between two declarations are none",
       D19,
       "DCL TEMP[12..13]\n",
       FILL_TEMPS "MOV TEMP[12].x, IMM[3].yyyy\n"
                  "MOV TEMP[13].x, IMM[3].zzzz\n"
                  "UARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV TEMP[ADDR[0].x].y, IMM[0].yyyy\n"
                  "UMAD OUT[0].x, TEMP[ADDR[0].x].yyyy, IMM[2].xxxx, "
                  "TEMP[ADDR[0].x].xxxx\n"
                  "END\n",
       {14, 15, 16, 17, 18, 19, 20, 21, 0, 0, 0, 0, 104, 1004, 0, 0}},
      {"a register after the last of an array is none", D19,
       "DCL TEMPX[0][0..1]\nDCL TEMPX[1][0]\n",
       "MOV TEMPX[1][0].x, IMM[0].yyyy\n" /* 1 */
       "MOV TEMPX[0][3].x, IMM[3].yyyy\n"
       "UMAD OUT[0].x, TEMPX[0][2].xxxx, IMM[3].yyyy, TEMPX[1][0].xxxx\n"
       "END\n",
       ALL_LANES(1)},
      {"an ArrayID narrows nothing",
       D19,
       "DCL TEMP[8..9], ARRAY(1)\n",
       FILL_TEMPS "UARL ADDR[0].x, -IN[0].wwww\n"
                  "MOV OUT[0].x, TEMP[ADDR[0].x+8](1).xxxx\n"
                  "END\n",
       {0, 0, 0, 0, 17, 17, 17, 17, 16, 16, 16, 16, 15, 15, 15, 15}},
      {"an index of which four times is small again", D19, NULL,
       FILL_TEMPS
       "SHL TEMP[0].y, IMM[0].yyyy, IMM[5].xxxx\n" /* 2^30 */
       "UADD TEMP[0].y, TEMP[0].yyyy, IN[0].wwww\n"
       "UARL ADDR[0].x, TEMP[0].yyyy\n"
       "UADD OUT[0].x, TEMP[ADDR[0].x].xxxx, CONST[1][ADDR[0].x].xxxx\n"
       "UADD OUT[0].x, OUT[0].xxxx, IN[ADDR[0].x].xxxx\n"
       "UADD OUT[0].x, OUT[0].xxxx, IMM[ADDR[0].x].wwww\n"
       "END\n",
       ALL_LANES(0)},
      {"-1 and offset 1 make 0", D19, NULL,
       "UARL ADDR[0].x, IMM[3].xxxx\n"
       "MOV OUT[0].x, CONST[1][ADDR[0].x+1].yyyy\n"
       "END\n",
       ALL_LANES(1001)},
      {"CONST, as far as the buffer that is bound",
       D19,
       "DCL CONST[2][0]\n",
       "UARL ADDR[0].x, IN[0].xxxx\n"
       "MOV OUT[0].x, CONST[2][ADDR[0].x-1].zzzz\n"
       "END\n",
       {0, 2002, 2006, 2010, 2014}},
      {"CONST, the buffer computed",
       D19,
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "MOV OUT[0].x, CONST[ADDR[0].x][2].wwww\n"
       "END\n",
       {11, 11, 11, 11, 1011, 1011, 1011, 1011}},
      {"CONST, both computed",
       D19,
       NULL,
       "UARL ADDR[0].x, IN[0].zzzz\n"
       "UARL ADDR[1].y, IN[0].wwww\n"
       "MOV OUT[0].x, CONST[ADDR[0].x][ADDR[1].y+2].xxxx\n"
       "END\n",
       {8, 1008, 8, 1008, 12, 1012, 12, 1012}},
      {"CONST without a second bracket is buffer 0",
       D19,
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "UADD OUT[0].x, CONST[ADDR[0].x].xxxx, CONST[1].yyyy\n"
       "END\n",
       {5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13, 17, 17, 17, 17}},
      {"IN",
       D19,
       "DCL IN[1..2]\n",
       "UARL ADDR[0].x, IN[0].wwww\n"
       "MOV OUT[0].x, IN[ADDR[0].x].yyyy\n"
       "UIF ADDR[0].xxxx\n"
       "ELSE\n"
       "  MOV OUT[0].x, IN[ADDR[0].x].xxxx\n"
       "ENDIF\n"
       "END\n",
       {0, 1, 2, 3, 504, 505, 506, 507, 908, 909, 910, 911, 0, 0, 0, 0}},
      {"SV",
       D19,
       "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\n",
       "UARL ADDR[0].x, IN[0].wwww\n"
       "MOV OUT[0].x, SV[ADDR[0].x].xxxx\n"
       "END\n",
       {5000, 5001, 5002, 5003, 5404, 5405, 5406, 5407}},
      {"IMM",
       D19,
       NULL,
       "UARL ADDR[0].x, IN[0].xxxx\n"
       "MOV OUT[0].x, IMM[ADDR[0].x].yyyy\n"
       "END\n",
       {1, 0x3f800000, 5, 100, 1, 1482907561}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

static void
test_writing(void **state)
{
   static const struct shader_case cases[] = {
      {"TEMP, each lane another, and direct reads agree",
       D19,
       NULL,
       FILL_TEMPS "UARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV TEMP[ADDR[0].x].x, IMM[3].yyyy\n"
                  "UADD OUT[0].x, TEMP[2].xxxx, TEMP[7].xxxx\n"
                  "END\n",
       {29, 29, 117, 29, 29, 29, 29, 112, 29, 29, 29, 29, 29, 29, 29, 29}},
      {"out of bounds nothing is written",
       D19,
       NULL,
       FILL_TEMPS "UARL ADDR[0].x, IN[0].xxxx\n"
                  "MOV TEMP[ADDR[0].x-8].x, IMM[3].yyyy\n"
                  "UADD OUT[0].x, TEMP[0].xxxx, TEMP[7].xxxx\n"
                  "END\n",
       {27, 27, 27, 27, 27, 27, 27, 27, 117, 27, 27, 27, 27, 27, 27, 110}},
      {"lanes that are not active write nothing",
       D19,
       NULL,
       FILL_TEMPS "UIF IN[0].zzzz\n"
                  "  UARL ADDR[0].x, IMM[0].yyyy\n"
                  "  MOV TEMP[ADDR[0].x].x, IMM[3].yyyy\n"
                  "ENDIF\n"
                  "MOV OUT[0].x, TEMP[1].xxxx\n"
                  "END\n",
       {11, 100, 11, 100, 11, 100, 11, 100, 11, 100, 11, 100, 11, 100, 11,
        100}},
      {"OUT, and reading it again",
       D19,
       NULL,
       "UARL ADDR[0].x, IN[0].zzzz\n"
       "MOV OUT[ADDR[0].x].x, IMM[2].yyyy\n"
       "UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "UADD OUT[0].x, OUT[0].xxxx, OUT[ADDR[0].x].xxxx\n"
       "END\n",
       /* even: 5 + 1, twice; odd: 1 + 5 */
       {12, 6, 12, 6, 12, 6, 12, 6, 12, 6, 12, 6, 12, 6, 12, 6}},
      {"the index is what it was before the instruction", D19, NULL,
       /* TEMP[0].x is 0, and becomes 1 before TEMP[0].y is written. */
       "MOV TEMP[TEMP[0].x].xy, IMM[0].yyyy\n"
       "UMAD OUT[0].x, TEMP[0].yyyy, IMM[3].yyyy, TEMP[1].yyyy\n"
       "END\n",
       ALL_LANES(100)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- address registers --------------------------------------------------- */

static void
test_addresses(void **state)
{
   static const struct shader_case cases[] = {
      {"ARL of 2019 rounds down to an integer", D19, NULL,
       "ARL ADDR[0].x, -IMM[1].wwww\n" /* -2.5 */
       "MOV OUT[0].x, ADDR[0].xxxx\n"
       "END\n",
       ALL_LANES((uint32_t)-3)},
      {"ARL of 2010 rounds down to a float", D10, NULL,
       "ARL ADDR[0].x, -IMM[1].wwww\n"
       "MOV OUT[0].x, ADDR[0].xxxx\n"
       "END\n",
       ALL_LANES(0xc0400000)},
      {"ARL of 2011 does too", D11, NULL,
       "ARL ADDR[0].x, -IMM[1].wwww\n"
       "MOV OUT[0].x, ADDR[0].xxxx\n"
       "END\n",
       ALL_LANES(0xc0400000)},
      {"ARL of NaN is 0, of what is too large the largest", D19, NULL,
       "ARL ADDR[0].x, IMM[4].xxxx\n"
       "MUL TEMP[0].x, IMM[5].yyyy, IMM[5].yyyy\n" /* 1e30 */
       "ARL ADDR[0].y, TEMP[0].xxxx\n"
       "UADD OUT[0].x, ADDR[0].xxxx, ADDR[0].yyyy\n"
       "END\n",
       ALL_LANES(0x7fffffff)},
      {"ARR rounds to the nearest, halves to even", D19, NULL,
       "ARR ADDR[0].x, IMM[1].wwww\n"              /* 2.5 */
       "ADD TEMP[0].x, IMM[1].wwww, IMM[1].yyyy\n" /* 3.5 */
       "ARR ADDR[0].y, TEMP[0].xxxx\n"
       "UMAD OUT[0].x, ADDR[0].xxxx, IMM[3].yyyy, ADDR[0].yyyy\n"
       "END\n",
       ALL_LANES(204)},
      {"floats index in 2010",
       D10,
       NULL,
       "ARL ADDR[0].x, IN[0].yyyy\n"
       "MOV OUT[0].x, CONST[1][ADDR[0].x+1].xxxx\n"
       "END\n",
       {1004, 1008, 1012}},
      {"integers index in 2010 where an opcode of integers wrote them",
       D10,
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "UADD ADDR[0].x, ADDR[0].xxxx, IMM[0].yyyy\n"
       "MOV OUT[0].x, CONST[1][ADDR[0].x].xxxx\n"
       "END\n",
       {1004, 1004, 1004, 1004, 1008, 1008, 1008, 1008, 1012, 1012, 1012,
        1012}},
      {"ARA adds pairs, in 2010",
       D10,
       NULL,
       "ARL ADDR[0].x, IN[0].yyyy\n"
       "ARL ADDR[0].z, -IMM[1].wwww\n" /* -3 */
       "ARA ADDR[1].x, ADDR[0]\n"
       "MOV OUT[0].x, CONST[1][ADDR[1].x].yyyy\n"
       "END\n",
       {0, 0, 0, 1001, 1005, 1009, 1013}},
      {"ARA adds pairs, in 2019", D19, NULL,
       "UARL ADDR[0], IMM[2]\n" /* 4, 5, 8, 15 */
       "ARA ADDR[1].zw, ADDR[0]\n"
       "UMAD OUT[0].x, ADDR[1].zzzz, IMM[3].yyyy, ADDR[1].wwww\n"
       "UADD OUT[0].x, OUT[0].xxxx, ADDR[1].xxxx\n" /* not in the mask: 0 */
       "END\n",
       ALL_LANES(1220)},
      {"ARL of 2010, ARA and MOV give a float", D10, NULL,
       "ARL ADDR[0].x, IMM[1].wwww\n" /* 2 */
       "ARL ADDR[0].z, IMM[1].yyyy\n" /* 1 */
       "ARA ADDR[0].x, ADDR[0]\n"
       "MOV OUT[0].x, ADDR[0].xxxx\n"
       "END\n",
       ALL_LANES(0x40400000)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

static void
test_address_stack(void **state)
{
   static const struct shader_case cases[] = {
      {"POPA gives back what PUSHA took", D19, NULL,
       "UARL ADDR[0], IMM[2]\n"
       "PUSHA ADDR[0]\n"
       "UARL ADDR[0], IMM[0]\n"
       "PUSHA ADDR[0].wzyx\n"
       "POPA ADDR[1]\n" /* 3, 2, 1, 0 */
       "POPA ADDR[0]\n" /* 4, 5, 8, 15 */
       "UMAD OUT[0].x, ADDR[1].xxxx, IMM[3].yyyy, ADDR[0].wwww\n"
       "END\n",
       ALL_LANES(315)},
      {"POPA takes four whatever it writes", D19, NULL,
       "UARL ADDR[0], IMM[2]\n"
       "PUSHA ADDR[0]\n"
       "PUSHA ADDR[0].wzyx\n"
       "POPA ADDR[1].w\n" /* 4 */
       "POPA ADDR[1].x\n" /* 4 */
       "UMAD OUT[0].x, ADDR[1].xxxx, IMM[3].yyyy, ADDR[1].wwww\n"
       "END\n",
       ALL_LANES(404)},
      {"an empty stack gives 0",
       D19,
       NULL,
       "UARL ADDR[0], IMM[2]\n"
       "UIF IN[0].zzzz\n"
       "  PUSHA ADDR[0]\n"
       "ENDIF\n"
       "POPA ADDR[1]\n"
       "POPA ADDR[0]\n"
       "UADD OUT[0].x, ADDR[1].xxxx, ADDR[0].xxxx\n"
       "END\n",
       {0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4}},
      {"a full stack takes no more", D19, NULL,
       /* 20 times four words, of which the first 16 find room; the last that
        * did is number 15. */
       "BGNLOOP\n"
       "  USEQ TEMP[0].y, TEMP[0].xxxx, IMM[5].zzzz\n"
       "  BREAKC TEMP[0].yyyy\n"
       "  UARL ADDR[0], TEMP[0].xxxx\n"
       "  PUSHA ADDR[0]\n"
       "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
       "ENDLOOP\n"
       "POPA ADDR[1]\n"
       "MOV OUT[0].x, ADDR[1].xxxx\n"
       "END\n",
       ALL_LANES(15)},
      {"subroutines share the stack; what it holds is floats in 2010",
       D10,
       NULL,
       "0: ARL ADDR[0].x, IN[0].yyyy\n"
       "1: PUSHA ADDR[0]\n"
       "2: CAL :5\n"
       "3: MOV OUT[0].x, CONST[1][ADDR[1].x].xxxx\n"
       "4: END\n"
       "5: BGNSUB\n"
       "6:   POPA ADDR[1]\n"
       "7: ENDSUB\n",
       {1000, 1004, 1008, 1012}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operands),      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_writing),       cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_address_stack),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
