/* SPDX-License-Identifier: MIT
 *
 * Control flow, construct by construct. What each lane must give was worked out
 * by following that lane through the text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cases.h"

#define D10 TG_DIALECT_2010
#define D11 TG_DIALECT_2011
#define D19 TG_DIALECT_2019

/* ---- IF ------------------------------------------------------------------ */

static void
test_if(void **state)
{
   static const struct shader_case cases[] = {
      {"IF takes what is not 0",
       D19,
       NULL,
       "IF IN[0].yyyy\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "END\n",
       {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
      {"IF: -0 is false", D19, NULL,
       "MOV OUT[0].x, IMM[2].xxxx\n"
       "IF IMM[3].wwww\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "END\n",
       ALL_LANES(4)},
      {"IF: NaN is true", D10, NULL,
       "IF IMM[4].xxxx\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "END\n",
       ALL_LANES(1)},
      {"IF: denormals are not flushed", D19, NULL,
       "IF IMM[4].yyyy\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "END\n",
       ALL_LANES(1)},
      {"UIF looks at bits: -0 is true", D19, NULL,
       "UIF IMM[3].wwww\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ENDIF\n"
       "END\n",
       ALL_LANES(1)},
      {"IFC looks at bits, and has ELSE",
       D10,
       NULL,
       "IFC IN[0].zzzz\n"
       "  MOV OUT[0].x, IMM[0].yyyy\n"
       "ELSE\n"
       "  MOV OUT[0].x, IMM[0].zzzz\n"
       "ENDIF\n"
       "END\n",
       {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}},
      {"ELSE leaves out who took the first part",
       D19,
       NULL,
       "MOV TEMP[0].x, IN[0].zzzz\n"
       "UIF TEMP[0].xxxx\n"
       "  MOV TEMP[0].x, IMM[0].xxxx\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "ELSE\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "ENDIF\n"
       "END\n",
       {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}},
      {"IF in IF",
       D19,
       NULL,
       "UIF IN[0].wwww\n" /* lanes 4 to 15 */
       "  UIF IN[0].zzzz\n"
       "    MOV OUT[0].x, IMM[0].yyyy\n"
       "  ELSE\n"
       "    MOV OUT[0].x, IMM[0].zzzz\n"
       "  ENDIF\n"
       "ELSE\n"
       "  UIF IN[0].zzzz\n"
       "    MOV OUT[0].x, IMM[0].wwww\n"
       "  ENDIF\n"
       "ENDIF\n"
       "UADD OUT[0].x, OUT[0].xxxx, IMM[2].zzzz\n"
       "NOP\n"
       "END\n",
       {8, 11, 8, 11, 10, 9, 10, 9, 10, 9, 10, 9, 10, 9, 10, 9}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- loops --------------------------------------------------------------- */

/* Leaves the loop when TEMP[0].x has reached `bound`, else counts it up. */
#define COUNT_TO(bound)                                                        \
   "USGE TEMP[0].y, TEMP[0].xxxx, " bound "\n"                                 \
   "UIF TEMP[0].yyyy\n"                                                        \
   "  BRK\n"                                                                   \
   "ENDIF\n"                                                                   \
   "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"

static void
test_loops(void **state)
{
   static const struct shader_case cases[] = {
      {"each lane leaves in its turn",
       D19,
       NULL,
       "BGNLOOP\n" COUNT_TO(
          "IN[0].xxxx") "  UADD OUT[0].x, OUT[0].xxxx, TEMP[0].xxxx\n"
                        "ENDLOOP\n"
                        "END\n",
       /* 1 + 2 + ... + lane */
       {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120}},
      {"CONT skips the rest of the body",
       D19,
       NULL,
       "BGNLOOP\n" COUNT_TO(
          "IN[0].xxxx") "  AND TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy\n"
                        "  UIF TEMP[0].zzzz\n"
                        "    CONT\n"
                        "  ENDIF\n"
                        "  UADD OUT[0].x, OUT[0].xxxx, TEMP[0].xxxx\n"
                        "ENDLOOP\n"
                        "END\n",
       /* 2 + 4 + ... up to lane */
       {0, 0, 2, 2, 6, 6, 12, 12, 20, 20, 30, 30, 42, 42, 56, 56}},
      {"BRK leaves the inner loop only",
       D19,
       NULL,
       "BGNLOOP\n" COUNT_TO(
          "IMM[0].wwww") "  MOV TEMP[1].x, IMM[0].xxxx\n"
                         "  BGNLOOP\n"
                         "    USEQ TEMP[1].y, TEMP[1].xxxx, IN[0].wwww\n"
                         "    BREAKC TEMP[1].yyyy\n"
                         "    UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
                         "    UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
                         "  ENDLOOP\n"
                         "ENDLOOP\n"
                         "END\n",
       /* 3 times lane / 4 */
       {0, 0, 0, 0, 3, 3, 3, 3, 6, 6, 6, 6, 9, 9, 9, 9}},
      {"REP runs as often as its operand, rounded down",
       D10,
       NULL,
       "REP IMM[1].wwww\n" /* 2.5 */
       "  REP IN[0].yyyy\n"
       "    UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "  ENDREP\n"
       "ENDREP\n"
       "END\n",
       {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}},
      {"REP: its operand is read once", D10, NULL,
       "MOV TEMP[0], IMM[1].zzzz\n" /* 2.0 */
       "REP TEMP[0].xxxx\n"
       "  ADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "ENDREP\n"
       "END\n",
       ALL_LANES(2)},
      {"REP of a negative number, and of NaN, does nothing", D10, NULL,
       "REP -IN[0].yyyy\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "ENDREP\n"
       "REP IMM[4].xxxx\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "ENDREP\n"
       "UADD OUT[0].x, OUT[0].xxxx, IMM[2].zzzz\n"
       "END\n",
       ALL_LANES(8)},
      {"REP without operand ends by BRK",
       D10,
       NULL,
       "REP\n" COUNT_TO("IN[0].xxxx") "ENDREP\n"
                                      "MOV OUT[0].x, TEMP[0].xxxx\n"
                                      "END\n",
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
      {"CONT in REP goes to where it is counted",
       D10,
       NULL,
       "REP IMM[1].zzzz\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "  UIF IN[0].zzzz\n"
       "    CONT\n"
       "  ENDIF\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n"
       "ENDREP\n"
       "END\n",
       {10, 2, 10, 2, 10, 2, 10, 2, 10, 2, 10, 2, 10, 2, 10, 2}},
      {"BRK leaves REP",
       D10,
       NULL,
       "REP IN[0].yyyy\n"
       "  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "  UIF IN[0].zzzz\n"
       "    BRK\n"
       "  ENDIF\n"
       "ENDREP\n"
       "END\n",
       {0, 1, 2, 1, 4, 1, 6, 1, 8, 1, 10, 1, 12, 1, 14, 1}},
      {"BGNFOR counts y down and steps x by z",
       D10,
       "DCL LOOP[0]\n",
       "MOV TEMP[1], IMM[1].wwww\n"  /* 2.5, rounded down to 2 */
       "MOV TEMP[1].y, IN[0].yyyy\n" /* as often as the lane's number */
       "ADD TEMP[1].z, IMM[1].yyyy, IMM[1].zzzz\n" /* 3 */
       "BGNFOR LOOP[0], TEMP[1]\n"
       "  UADD OUT[1].x, OUT[1].xxxx, IMM[0].yyyy\n"
       "ENDFOR LOOP[0]\n"
       "F2I OUT[0].x, LOOP[0].xxxx\n"
       "MAD TEMP[2].x, IN[0].yyyy, TEMP[1].zzzz, IMM[1].zzzz\n"
       "SEQ TEMP[2].y, TEMP[2].xxxx, LOOP[0].xxxx\n"
       "IF TEMP[2].yyyy\n"
       "  USEQ TEMP[2].z, OUT[1].xxxx, IN[0].xxxx\n"
       "  UIF TEMP[2].zzzz\n"
       "    UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n" /* 100: all agrees */
       "  ENDIF\n"
       "ENDIF\n"
       "END\n",
       /* 102 + 3 * lane */
       {102, 105, 108, 111, 114, 117, 120, 123, 126, 129, 132, 135, 138, 141,
        144, 147}},
      {"BGNFOR: lanes that it leaves out go on behind it",
       D10,
       "DCL LOOP[0]\n",
       "MOV TEMP[1].y, IN[0].yyyy\n"
       "ADD TEMP[1].y, TEMP[1].yyyy, -IMM[1].zzzz\n" /* lane - 2 */
       "BGNFOR LOOP[0], TEMP[1]\n"
       "  CONT\n"
       "ENDFOR LOOP[0]\n"
       "F2I OUT[0].x, LOOP[0].yyyy\n"
       "END\n",
       {(uint32_t)-2, (uint32_t)-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {"BGNFOR: the index names a register", D10, "DCL LOOP[0]\n",
       "MOV TEMP[1], IMM[1].yyyy\n"   /* from 1, step 1 */
       "MOV TEMP[1].y, IMM[1].zzzz\n" /* twice */
       "BGNFOR LOOP[0], TEMP[1]\n"
       "  UADD OUT[0].x, OUT[0].xxxx, CONST[1][LOOP[0].x].yyyy\n"
       "ENDFOR LOOP[0]\n"
       "END\n",
       /* 1005 + 1009 */
       ALL_LANES(2014)},
      {"BGNFOR in an address register, which holds floats in 2010", D10, NULL,
       "MOV TEMP[1], IMM[1].yyyy\n"
       "MOV TEMP[1].y, IMM[1].zzzz\n"
       "BGNFOR ADDR[0], TEMP[1]\n"
       "  UADD OUT[0].x, OUT[0].xxxx, CONST[1][ADDR[0].x].yyyy\n"
       "ENDFOR ADDR[0]\n"
       "END\n",
       ALL_LANES(2014)},
      {"and integers in 2019", D19, NULL,
       "MOV TEMP[1], IMM[1].yyyy\n"
       "MOV TEMP[1].y, IMM[1].zzzz\n"
       "BGNFOR ADDR[0], TEMP[1]\n"
       "  UADD OUT[0].x, OUT[0].xxxx, CONST[1][ADDR[0].x].yyyy\n"
       "ENDFOR ADDR[0]\n"
       "END\n",
       ALL_LANES(2014)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- SWITCH -------------------------------------------------------------- */

#define ADD(imm) "UADD OUT[0].x, OUT[0].xxxx, " imm "\n"

static void
test_switch(void **state)
{
   static const struct shader_case cases[] = {
      {"labels, fall-through, DEFAULT in the middle",
       D19,
       NULL,
       "SWITCH IN[0].xxxx\n" ADD("IMM[3].zzzz") /* 1000, for nobody */
       "CASE IMM[0].yyyy\n"                     /* 1 */
       ADD("IMM[0].yyyy") "CASE IMM[0].zzzz\n"  /* 2 */
       ADD("IMM[0].zzzz") "BRK\n"
                          "DEFAULT\n" ADD("IMM[3].yyyy") /* 100 */
       "CASE IMM[0].wwww\n"                              /* 3 */
       ADD("IMM[2].xxxx")                                /* 4 */
       "BRK\n"
       "CASE IMM[2].xxxx\n" /* 4 */
       ADD("IMM[2].zzzz")   /* 8 */
       "ENDSWITCH\n"
       "END\n",
       {104, 3, 2, 4, 8, 104, 104, 104, 104, 104, 104, 104, 104, 104, 104,
        104}},
      {"DEFAULT first, entered by lanes that match no later label",
       D19,
       NULL,
       "SWITCH IN[0].wwww\n"
       "DEFAULT\n" ADD("IMM[0].yyyy") "CASE IMM[0].yyyy\n" /* 1 */
       ADD("IMM[0].zzzz") "BRK\n"
                          "CASE IMM[0].zzzz\n" /* 2 */
       ADD("IMM[2].xxxx") "ENDSWITCH\n"
                          "END\n",
       {3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4, 3, 3, 3, 3}},
      {"without DEFAULT other lanes do nothing",
       D19,
       NULL,
       "SWITCH IN[0].xxxx\n"
       "CASE IMM[2].wwww\n" /* 15 */
       ADD("IMM[0].yyyy") "ENDSWITCH\n"
                          "END\n",
       {[15] = 1}},
      {"of two equal labels the first is entered",
       D19,
       NULL,
       "SWITCH IN[0].zzzz\n"
       "CASE IMM[0].yyyy\n" ADD("IMM[0].yyyy") "BRK\n"
                                               "CASE IMM[0].yyyy\n" ADD(
                                                  "IMM[0].zzzz") "ENDSWITCH\n"
                                                                 "END\n",
       {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}},
      {"a SWITCH without labels", D19, NULL,
       "SWITCH IN[0].zzzz\n" ADD("IMM[0].yyyy") "ENDSWITCH\n" ADD(
          "IMM[0].zzzz") "END\n",
       ALL_LANES(2)},
      {"SWITCH in SWITCH: BRK leaves the inner one",
       D19,
       NULL,
       "SWITCH IN[0].zzzz\n"
       "CASE IMM[0].xxxx\n"
       "  SWITCH IN[0].wwww\n"
       "  CASE IMM[0].yyyy\n" ADD(
          "IMM[0].yyyy") "  BRK\n"
                         "  DEFAULT\n" ADD("IMM[0].zzzz") "  ENDSWITCH\n" ADD(
                            "IMM[2].xxxx") "CASE IMM[0].yyyy\n" ADD("IMM[2]."
                                                                    "zzzz") "EN"
                                                                            "DS"
                                                                            "WI"
                                                                            "TC"
                                                                            "H"
                                                                            "\n"
                                                                            "EN"
                                                                            "D"
                                                                            "\n",
       /* even: 2 (lanes 4 to 7: 1) + 4 + 8; odd: 8 */
       {14, 8, 14, 8, 13, 8, 13, 8, 14, 8, 14, 8, 14, 8, 14, 8}},
      {"BRK in a SWITCH in a loop leaves the SWITCH, CONT the iteration",
       D19,
       NULL,
       "BGNLOOP\n" COUNT_TO("IMM[2].xxxx") "  SWITCH IN[0].zzzz\n"
                                           "  CASE IMM[0].yyyy\n"
                                           "    CONT\n"
                                           "  CASE IMM[0].xxxx\n"
                                           "    BRK\n"
                                           "  ENDSWITCH\n" ADD(
                                              "IMM[0].yyyy") "ENDLOOP\n"
                                                             "END\n",
       {4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0}},
      {"CASE operands are those of the SWITCH's moment",
       D19,
       NULL,
       "MOV TEMP[1].x, IMM[0].yyyy\n" /* 1 */
       "SWITCH IN[0].xxxx\n"
       "CASE IMM[0].xxxx\n"
       "  MOV TEMP[1].x, IMM[0].xxxx\n"
       "  BRK\n"
       "CASE TEMP[1].xxxx\n" ADD("IMM[0].yyyy") "ENDSWITCH\n"
                                                "END\n",
       {0, 1}},
      {"DEFAULT goes by all labels of its own SWITCH only", D19, NULL,
       "SWITCH IN[0].zzzz\n"
       "DEFAULT\n"
       "  SWITCH IMM[0].xxxx\n"
       "  CASE IMM[0].yyyy\n" ADD("IMM[3].zzzz") "  ENDSWITCH\n" ADD(
          "IMM[0].yyyy") "ENDSWITCH\n"
                         "END\n",
       ALL_LANES(1)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- subroutines --------------------------------------------------------- */

static void
test_subroutines(void **state)
{
   static const struct shader_case cases[] = {
      {"CAL, and RET for some lanes",
       D19,
       NULL,
       "0: CAL :4\n"
       "1: CAL :4\n"
       "2: UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "3: END\n"
       "4: BGNSUB\n"
       "5:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "6:   UIF IN[0].zzzz\n"
       "7:     RET\n"
       "8:   ENDIF\n"
       "9:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "10: ENDSUB\n",
       {106, 102, 106, 102, 106, 102, 106, 102, 106, 102, 106, 102, 106, 102,
        106, 102}},
      {"CALLNZ calls in some lanes, the others wait",
       D10,
       NULL,
       "0: CALLNZ IN[0].zzzz :3\n"
       "1: UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "2: RET\n"
       "3: BGNSUB\n"
       "4:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "5:   RET\n"
       "6: ENDSUB\n",
       {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}},
      {"RET out of a loop and a SWITCH of a subroutine",
       D19,
       NULL,
       "0: CAL :2\n"
       "1: END\n"
       "2: BGNSUB\n"
       "3:   BGNLOOP\n"
       "4:     UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "5:     SWITCH IN[0].zzzz\n"
       "6:     CASE IMM[0].yyyy\n"
       "7:       RET\n"
       "8:     ENDSWITCH\n"
       "9:     USGE TEMP[0].x, OUT[0].xxxx, IMM[0].wwww\n"
       "10:    BREAKC TEMP[0].xxxx\n"
       "11:  ENDLOOP\n"
       "12:  UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "13: ENDSUB\n",
       {103, 1, 103, 1, 103, 1, 103, 1, 103, 1, 103, 1, 103, 1, 103, 1}},
      {"CAL inside of a loop keeps who has left it",
       D19,
       NULL,
       "0: BGNLOOP\n"
       "1:   USGE TEMP[0].x, OUT[0].xxxx, IN[0].xxxx\n"
       "2:   BREAKC TEMP[0].xxxx\n"
       "3:   CAL :6\n"
       "4: ENDLOOP\n"
       "5: END\n"
       "6: BGNSUB\n"
       "7:   BGNLOOP\n"
       "8:     BRK\n"
       "9:   ENDLOOP\n"
       "10:  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "11: ENDSUB\n",
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
      {"recursion, as deep as the lane's number",
       D19,
       NULL,
       "0: MOV TEMP[0].x, IN[0].xxxx\n"
       "1: CAL :3\n"
       "2: END\n"
       "3: BGNSUB\n"
       "4:   UIF TEMP[0].xxxx\n"
       "5:     UADD TEMP[0].x, TEMP[0].xxxx, IMM[3].xxxx\n"
       "6:     CAL :3\n"
       "7:     UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "8:   ENDIF\n"
       "9: ENDSUB\n",
       {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}},
      {"recursion inside of REP: each call counts for itself", D10, NULL,
       /* f(2) = 2, f(d) = 2 * (f(d + 1) + 1): f(1) = 6, f(0) = 14 */
       "0: CAL :2\n"
       "1: END\n"
       "2: BGNSUB\n"
       "3:   REP IMM[1].zzzz\n"
       "4:     USLT TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
       "5:     UIF TEMP[0].yyyy\n"
       "6:       UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
       "7:       CAL :2\n"
       "8:       UADD TEMP[0].x, TEMP[0].xxxx, IMM[3].xxxx\n"
       "9:     ENDIF\n"
       "10:    UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "11:  ENDREP\n"
       "12: ENDSUB\n",
       ALL_LANES(14)},
      {"recursion inside of SWITCH: each call selects for itself", D19, NULL,
       /* Depth 0 enters label 1 (+4 behind the call), depth 1 label 0 (+1) and
        * falls through to label 1 with nobody left to call (+4). */
       "0: CAL :2\n"
       "1: END\n"
       "2: BGNSUB\n"
       "3:   USEQ TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"
       "4:   AND TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy\n"
       "5:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
       "6:   SWITCH TEMP[0].yyyy\n"
       "7:   CASE IMM[0].xxxx\n"
       "8:     UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "9:   CASE IMM[0].yyyy\n"
       "10:    UIF TEMP[0].yyyy\n"
       "11:      CAL :2\n"
       "12:    ENDIF\n"
       "13:    UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n"
       "14:  ENDSWITCH\n"
       "15: ENDSUB\n",
       ALL_LANES(9)},
      {"RET in the main part ends a lane, and keeps its outputs",
       D19,
       NULL,
       "MOV OUT[0].x, IMM[0].yyyy\n"
       "BGNLOOP\n"
       "  UIF IN[0].zzzz\n"
       "    RET\n"
       "  ENDIF\n"
       "  BRK\n"
       "ENDLOOP\n"
       "UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n"
       "END\n",
       {5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1}},
      {"what stands behind RET and END is not run", D19, NULL,
       "0: CAL :4\n"
       "1: UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "2: END\n"
       "3: UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "4: BGNSUB\n"
       "5:   RET\n"
       "6:   UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "7: ENDSUB\n",
       ALL_LANES(1)},
      {"the main part ends where a subroutine begins, END or not", D19, NULL,
       "0: CAL :2\n"
       "1: UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "2: BGNSUB\n"
       "3:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "4: ENDSUB\n",
       ALL_LANES(3)},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- BRA ----------------------------------------------------------------- */

static void
test_branches(void **state)
{
   static const struct shader_case cases[] = {
      {"forward, over a whole construct", D10, NULL,
       "0: BRA :4\n"
       "1: IF IN[0].yyyy\n"
       "2:   MOV OUT[0].x, IMM[3].yyyy\n"
       "3: ENDIF\n"
       "4: UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "5: END\n",
       ALL_LANES(1)},
      {"inside of an IF, for the lanes that are there",
       D10,
       NULL,
       "0: UIF IN[0].zzzz\n"
       "1:   BRA :3\n"
       "2:   UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "3:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "4: ENDIF\n"
       "5: UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "6: END\n",
       {1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3}},
      {"crossing jumps: 0, 4, 5, 2, 3, 6", D10, NULL,
       "0: UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n" /* + 1 */
       "1: BRA :4\n"
       "2: UMUL OUT[0].x, OUT[0].xxxx, IMM[0].wwww\n" /* * 3 */
       "3: BRA :6\n"
       "4: UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n" /* + 4 */
       "5: BRA :2\n"
       "6: UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n" /* + 2 */
       "7: END\n",
       /* (1 + 4) * 3 + 2 */
       ALL_LANES(17)},
      {"backward, until RET has taken all lanes away",
       D10,
       NULL,
       "0: USGE TEMP[0].x, OUT[0].xxxx, IN[0].xxxx\n"
       "1: UIF TEMP[0].xxxx\n"
       "2:   RET\n"
       "3: ENDIF\n"
       "4: UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "5: BRA :0\n"
       "6: MOV OUT[0].x, IMM[3].xxxx\n"
       "7: END\n",
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
      {"the path runs into itself without a jump to there",
       D10,
       NULL,
       /* 0, 1, 5, 6, 3, 4, then 5 again: 6 is reached from 4 too. */
       "0: MOV TEMP[1].x, IMM[0].xxxx\n"
       "1: BRA :5\n"
       "2: MOV OUT[0].x, IMM[3].xxxx\n"
       "3: UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n" /* + 4 */
       "4: NOP\n"
       "5: USGE TEMP[0].x, OUT[0].xxxx, IN[0].xxxx\n"
       "6: UIF TEMP[0].xxxx\n"
       "7:   RET\n"
       "8: ENDIF\n"
       "9: BRA :3\n"
       "10: END\n",
       /* the lane's number, rounded up to fours */
       {0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 16, 16, 16}},
      {"a cycle inside of a loop, left by its BRK",
       D10,
       NULL,
       "0: BGNLOOP\n"
       "1:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "2:   USGE TEMP[0].x, OUT[0].xxxx, IN[0].xxxx\n"
       "3:   BREAKC TEMP[0].xxxx\n"
       "4:   BRA :1\n"
       "5: ENDLOOP\n"
       "6: UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "7: END\n",
       {101, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113,
        114, 115}},
      {"a cycle in a subroutine that is called twice", D10, NULL,
       "0: CAL :4\n"
       "1: MOV TEMP[0].x, IMM[0].xxxx\n"
       "2: CAL :4\n"
       "3: END\n"
       "4: BGNSUB\n"
       "5:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "6:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
       "7:   USEQ TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\n"
       "8:   UIF TEMP[0].yyyy\n"
       "9:     RET\n"
       "10:  ENDIF\n"
       "11:  BRA :5\n"
       "12: ENDSUB\n",
       ALL_LANES(6)},
      {"among the instructions of one label, and to the next label",
       D19,
       NULL,
       "0: SWITCH IN[0].wwww\n"
       "1: CASE IMM[0].xxxx\n"
       "2:   BRA :4\n"
       "3:   UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "4:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n" /* + 1 */
       "5: CASE IMM[0].yyyy\n"
       "6:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n" /* + 2 */
       "7:   BRA :9\n"
       "8:   UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "9: CASE IMM[0].zzzz\n"
       "10:  UADD OUT[0].x, OUT[0].xxxx, IMM[2].xxxx\n" /* + 4 */
       "11: ENDSWITCH\n"
       "12: END\n",
       {7, 7, 7, 7, 6, 6, 6, 6, 4, 4, 4, 4, 0, 0, 0, 0}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- predicates ---------------------------------------------------------- */

static void
test_predicates(void **state)
{
   static const struct shader_case cases[] = {
      {"they guard each channel of a destination",
       D10,
       "DCL PRED[0]\n",
       "MOV PRED[0].x, IN[0].zzzz\n"
       "MOV PRED[0].y, IN[0].wwww\n"
       "(PRED[0].xyyy) MOV TEMP[0].xy, IMM[2].zzzz\n" /* 8 */
       "(!PRED[0].xyyy) MOV TEMP[0].xy, IMM[0].yyyy\n"
       "UMAD OUT[0].x, TEMP[0].yyyy, IMM[3].yyyy, TEMP[0].xxxx\n"
       "END\n",
       {101, 108, 101, 108, 801, 808, 801, 808, 801, 808, 801, 808, 801, 808,
        801, 808}},
      {"they guard BRK, CONT, CAL and RET",
       D10,
       "DCL PRED[0]\n",
       "0: MOV PRED[0].x, IN[0].zzzz\n"
       "1: BGNLOOP\n"
       "2:   (PRED[0].xxxx) BRK\n"
       "3:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n"
       "4:   BRK\n"
       "5: ENDLOOP\n"
       "6: (!PRED[0].xxxx) CAL :10\n"
       "7: (PRED[0].xxxx) RET\n"
       "8: UADD OUT[0].x, OUT[0].xxxx, IMM[3].yyyy\n"
       "9: END\n"
       "10: BGNSUB\n"
       "11:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
       "12: ENDSUB\n",
       {103, 0, 103, 0, 103, 0, 103, 0, 103, 0, 103, 0, 103, 0, 103, 0}},
   };

   (void)state;
   RUN_CASES("VERT", cases);
}

/* ---- what does not end well ---------------------------------------------- */

static void
expect_failure(const char *text, enum tg_result result, const char *complaint)
{
   static struct runner runner;

   runner_init(&runner, TG_DIALECT_2019, text);
   assert_int_equal(runner.result, TG_OK);
   runner_run(&runner);
   assert_int_equal(runner.result, result);
   if (complaint) {
      assert_true(tg_diagnostics_count(runner.diagnostics) > 0);
      assert_string_equal(tg_diagnostics_get(runner.diagnostics, 0)->message,
                          complaint);
   } else {
      assert_int_equal(tg_diagnostics_count(runner.diagnostics), 0);
   }
   runner_finish(&runner);
}

static void
test_failures(void **state)
{
   (void)state;
   expect_failure("VERT\n"
                  "BGNLOOP\n"
                  "ENDLOOP\n"
                  "END\n",
                  TG_ERROR_LIMIT, NULL);
   expect_failure("VERT\n"
                  "0: NOP\n"
                  "1: BRA :0\n"
                  "2: END\n",
                  TG_ERROR_LIMIT, NULL);
   expect_failure("VERT\n"
                  "0: CAL :2\n"
                  "1: END\n"
                  "2: BGNSUB\n"
                  "3:   CAL :2\n"
                  "4: ENDSUB\n",
                  TG_ERROR_LIMIT, NULL);
   expect_failure("VERT\n"
                  "DCL IN[0]\n"
                  "0: IF IN[0].xxxx\n"
                  "1:   NOP\n"
                  "2: ENDIF\n"
                  "3: BRA :2\n"
                  "4: END\n",
                  TG_ERROR_INPUT,
                  "BRA :2 leads into another construct, or to another label of "
                  "SWITCH");
   expect_failure("VERT\n"
                  "DCL IN[0]\n"
                  "0: SWITCH IN[0].xxxx\n"
                  "1: CASE IN[0].xxxx\n"
                  "2:   BRA :4\n"
                  "3: CASE IN[0].yyyy\n"
                  "4:   NOP\n"
                  "5: ENDSWITCH\n"
                  "6: END\n",
                  TG_ERROR_INPUT,
                  "BRA :4 leads into another construct, or to another label of "
                  "SWITCH");
   expect_failure("VERT\n"
                  "DCL PRED[0]\n"
                  "0: (PRED[0].xxxx) BRA :1\n"
                  "1: END\n",
                  TG_ERROR_INPUT, "BRA cannot have a predicate");
   expect_failure("VERT\n"
                  "UNK67\n"
                  "UNK67\n"
                  "END\n",
                  TG_ERROR_UNSUPPORTED, "UNK67 is not executed");
}

/* ---- entry points -------------------------------------------------------- */

static const char kernels[] = "COMP\n"
                              "DCL OUT[0]\n"
                              "IMM[0] INT32 {1, 2, 4, 8}\n"
                              "0: BGNSUB\n"
                              "1:   MOV OUT[0].x, IMM[0].yyyy\n"
                              "2:   RET\n"
                              "3: ENDSUB\n"
                              "4: BGNSUB\n"
                              "5:   CAL :0\n"
                              "6:   UADD OUT[0].x, OUT[0].xxxx, IMM[0].zzzz\n"
                              "7:   RET\n"
                              "8: ENDSUB\n";

static void
expect_entry(uint32_t entry, enum tg_result result, uint32_t expected)
{
   static struct runner runner;

   runner_init(&runner, TG_DIALECT_2019, kernels);
   runner.options.entry = entry;
   runner_run(&runner);
   assert_int_equal(runner.result, result);
   if (result == TG_OK)
      assert_int_equal(runner.output[0][3], expected);
   runner_finish(&runner);
}

static void
test_entries(void **state)
{
   (void)state;
   expect_entry(0, TG_OK, 2);
   expect_entry(4, TG_OK, 6);
   expect_entry(5, TG_ERROR_INPUT, 0);
   expect_entry(1000, TG_ERROR_INPUT, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_if),       cmocka_unit_test(test_loops),
      cmocka_unit_test(test_switch),   cmocka_unit_test(test_subroutines),
      cmocka_unit_test(test_branches), cmocka_unit_test(test_predicates),
      cmocka_unit_test(test_failures), cmocka_unit_test(test_entries),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
