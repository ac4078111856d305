/* SPDX-License-Identifier: MIT
 *
 * LOAD, STORE, RESQ and atomics on words: every file, bounds at every edge,
 * masks and swizzles, lanes that do not take part, and the order of those that
 * do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "memory_cases.h"

/* ---- loads --------------------------------------------------------------- */

static void
test_loads(void **state)
{
   static const struct memory_case cases[] = {
      {"each lane its word",
       NULL,
       LANE_ADDRESS "LOAD OUT[0].x, BUFFER[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109,
        0x10a, 0x10b, 0x10c, 0x10d, 0x10e, 0x10f},
       {{0}}},
      {"the low two bits of an address do not count",
       NULL,
       "LOAD OUT[0].x, BUFFER[0], IN[0].xxxx\n"
       "END\n",
       {0x100, 0x100, 0x100, 0x100, 0x101, 0x101, 0x101, 0x101, 0x102, 0x102,
        0x102, 0x102, 0x103, 0x103, 0x103, 0x103},
       {{0}}},
      {"each word has bounds of its own: the fourth",
       NULL,
       LANE_ADDRESS "LOAD TEMP[1], BUFFER[0], TEMP[0].xxxx\n"
                    "MOV OUT[0].x, TEMP[1].wwww\n"
                    "END\n",
       {0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x10b, 0x10c,
        0x10d, 0x10e, 0x10f, 0, 0, 0},
       {{0}}},
      {"and the first of the same",
       NULL,
       LANE_ADDRESS "LOAD TEMP[1], BUFFER[3], TEMP[0].xxxx\n"
                    "MOV OUT[0].x, TEMP[1].xxxx\n"
                    "END\n",
       {0x300, 0x301, 0x302, 0x303},
       {{0}}},
      {"a word that is half outside is outside",
       NULL,
       LANE_ADDRESS "LOAD OUT[0].x, BUFFER[1], TEMP[0].xxxx\n"
                    "END\n",
       {0x200, 0x201, 0x202, 0x203, 0x204},
       {{0}}},
      {"what is not bound is 0",
       NULL,
       "LOAD OUT[0].x, BUFFER[2], IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"the last address of all",
       NULL,
       "LOAD OUT[0].x, BUFFER[0], IMM[3].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"and the words behind it do not begin anew",
       NULL,
       "LOAD TEMP[1].yzw, BUFFER[0], IMM[3].xxxx\n"
       "OR TEMP[1].x, TEMP[1].yyyy, TEMP[1].zzzz\n"
       "OR OUT[0].x, TEMP[1].xxxx, TEMP[1].wwww\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"a swizzle permutes what was loaded",
       NULL,
       "LOAD TEMP[1].xy, BUFFER[0].wzyx, IMM[2].zzzz\n" /* from byte 8 */
       "SHL TEMP[1].y, TEMP[1].yyyy, IMM[2].zzzz\n"
       "OR OUT[0].x, TEMP[1].xxxx, TEMP[1].yyyy\n"
       "END\n",
       ALL_LANES(0x105 | 0x10400),
       {{0}}},
      {"the write mask leaves the rest alone",
       NULL,
       "MOV TEMP[1], IMM[2]\n"
       "LOAD TEMP[1].yw, BUFFER[0], IMM[0].xxxx\n"
       "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].zzzz\n" /* 12 */
       "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n" /* 0x101 */
       "UADD OUT[0].x, TEMP[1].xxxx, TEMP[1].wwww\n"  /* 0x103 */
       "END\n",
       ALL_LANES(12 + 0x101 + 0x103),
       {{0}}},
      {"the address may be what is written",
       NULL,
       LANE_ADDRESS "LOAD TEMP[0], BUFFER[3], TEMP[0].xxxx\n"
                    "MOV OUT[0].x, TEMP[0].xxxx\n"
                    "END\n",
       {0x300, 0x301, 0x302, 0x303},
       {{0}}},
      {"an address may be negated",
       NULL,
       "LOAD OUT[0].x, BUFFER[0], -IMM[3].xxxx\n"
       "END\n",
       ALL_LANES(0x100),
       {{0}}},
      {"qualifiers change nothing",
       NULL,
       "LOAD OUT[0].x, BUFFER[0], IMM[2].xxxx, COHERENT, RESTRICT, VOLATILE\n"
       "END\n",
       ALL_LANES(0x101),
       {{0}}},
      {"bits are moved as they are, NaNs too",
       NULL,
       "STORE BUFFER[0].x, IMM[0].xxxx, IMM[5].wwww\n"
       "LOAD TEMP[0].x, CONST[1][0], IMM[2].xxxx\n" /* 1001 */
       "STORE BUFFER[0].x, IMM[0].xxxx, IMM[4].xxxx\n"
       "LOAD OUT[0].x, BUFFER[0], IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(2143289344),
       {{BUFFER_0, 0, 2143289344}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

/* ---- which buffer -------------------------------------------------------- */

static void
test_computed_buffers(void **state)
{
   static const struct memory_case cases[] = {
      {"each lane its own buffer",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "LOAD OUT[0].x, BUFFER[ADDR[0].x], IMM[2].xxxx\n"
       "END\n",
       {0x101, 0x101, 0x101, 0x101, 0x201, 0x201, 0x201, 0x201, 0, 0, 0, 0,
        0x301, 0x301, 0x301, 0x301},
       {{0}}},
      {"an index that no declaration has",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "LOAD OUT[0].x, BUFFER[ADDR[0].x+2], IMM[2].xxxx\n"
       "END\n",
       {0, 0, 0, 0, 0x301, 0x301, 0x301, 0x301},
       {{0}}},
      {"an index in front of all",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "LOAD OUT[0].x, BUFFER[ADDR[0].x-1], IMM[2].xxxx\n"
       "END\n",
       {0, 0, 0, 0, 0x101, 0x101, 0x101, 0x101, 0x201, 0x201, 0x201, 0x201},
       {{0}}},
      {"the address register may be what is written",
       NULL,
       "MOV TEMP[0], IN[0]\n"
       "LOAD TEMP[0], BUFFER[TEMP[0].w], TEMP[0].xxxx\n"
       "MOV OUT[0].x, TEMP[0].xxxx\n"
       "END\n",
       {0x100, 0x100, 0x100, 0x100, 0x201, 0x201, 0x201, 0x201, 0, 0, 0, 0,
        0x303, 0x303, 0x303, 0x303},
       {{0}}},
      {"stores",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "STORE BUFFER[ADDR[0].x].xy, IMM[2].zzzz, IN[0].xwww\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{BUFFER_0, 2, 3},
        {BUFFER_0, 3, 0},
        {BUFFER_1, 2, 7},
        {BUFFER_1, 3, 1},
        {BUFFER_3, 2, 15},
        {BUFFER_3, 3, 3}}},
      {"atomics, in the lanes' order",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "ATOMXCHG OUT[0].x, BUFFER[ADDR[0].x], IMM[0].xxxx, IN[0].xxxx\n"
       "END\n",
       {0x100, 0, 1, 2, 0x200, 4, 5, 6, 0, 0, 0, 0, 0x300, 12, 13, 14},
       {{BUFFER_0, 0, 3}, {BUFFER_1, 0, 7}, {BUFFER_3, 0, 15}}},
      {"sizes",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "RESQ OUT[0].x, BUFFER[ADDR[0].x]\n"
       "END\n",
       {64, 64, 64, 64, 22, 22, 22, 22, 0, 0, 0, 0, 16, 16, 16, 16},
       {{0}}},
      {"in a subroutine, twice",
       NULL,
       "0: UARL ADDR[0].x, IN[0].wwww\n"
       "1: CAL :5\n"
       "2: CAL :5\n"
       "3: MOV OUT[0].x, TEMP[1].xxxx\n"
       "4: END\n"
       "5: BGNSUB\n"
       "6:   LOAD TEMP[0].x, BUFFER[ADDR[0].x], IMM[0].xxxx\n"
       "7:   UADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx\n"
       "8: ENDSUB\n",
       {0x200, 0x200, 0x200, 0x200, 0x400, 0x400, 0x400, 0x400, 0, 0, 0, 0,
        0x600, 0x600, 0x600, 0x600},
       {{0}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

/* ---- stores -------------------------------------------------------------- */

static void
test_stores(void **state)
{
   static const struct memory_case cases[] = {
      {"the last lane wins",
       NULL,
       "STORE BUFFER[0].x, IMM[0].xxxx, IN[0].xxxx\n"
       "LOAD OUT[0].x, BUFFER[0], IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(15),
       {{BUFFER_0, 0, 15}}},
      {"the write mask leaves gaps",
       NULL,
       "STORE BUFFER[0].xz, IMM[2].xxxx, IMM[2]\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{BUFFER_0, 1, 4}, {BUFFER_0, 3, 8}}},
      {"each word has bounds of its own",
       NULL,
       "SHL TEMP[0].x, IN[0].xxxx, IMM[2].xxxx\n" /* 16 * lane */
       "STORE BUFFER[1], TEMP[0].xxxx, IN[0].xxxx\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{BUFFER_1, 0, 0},
        {BUFFER_1, 1, 0},
        {BUFFER_1, 2, 0},
        {BUFFER_1, 3, 0},
        {BUFFER_1, 4, 1}}},
      {"a word that is half outside stays",
       NULL,
       LANE_ADDRESS "STORE BUFFER[1].x, TEMP[0].xxxx, IN[0].xxxx\n"
                    "MOV OUT[0].x, IMM[0].xxxx\n"
                    "END\n",
       ALL_LANES(0),
       {{BUFFER_1, 0, 0},
        {BUFFER_1, 1, 1},
        {BUFFER_1, 2, 2},
        {BUFFER_1, 3, 3},
        {BUFFER_1, 4, 4}}},
      {"the low two bits of an address do not count",
       NULL,
       "STORE BUFFER[0].x, IN[0].xxxx, IN[0].xxxx\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{BUFFER_0, 0, 3},
        {BUFFER_0, 1, 7},
        {BUFFER_0, 2, 11},
        {BUFFER_0, 3, 15}}},
      {"addresses do not begin anew",
       NULL,
       "STORE BUFFER[0], IMM[3].xxxx, IN[0]\n"
       "STORE BUFFER[2], IMM[0].xxxx, IN[0]\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"only active lanes store",
       NULL,
       LANE_ADDRESS "UIF IN[0].zzzz\n"
                    "  STORE BUFFER[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                    "ENDIF\n"
                    "LOAD OUT[0].x, BUFFER[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x100, 0, 0x102, 0, 0x104, 0, 0x106, 0, 0x108, 0, 0x10a, 0, 0x10c, 0,
        0x10e, 0},
       {{BUFFER_0, 1, 0},
        {BUFFER_0, 3, 0},
        {BUFFER_0, 5, 0},
        {BUFFER_0, 7, 0},
        {BUFFER_0, 9, 0},
        {BUFFER_0, 11, 0},
        {BUFFER_0, 13, 0},
        {BUFFER_0, 15, 0}}},
      {"a predicate lets channels be stored",
       "DCL PRED[0]\n",
       "USEQ PRED[0].x, IN[0].xxxx, IMM[2].yyyy\n" /* lane 5 */
       "USEQ PRED[0].y, IN[0].xxxx, IMM[4].zzzz\n" /* lane 7 */
       "(PRED[0].xyxx) STORE BUFFER[0].xy, IMM[0].xxxx, IN[0].xxxx\n"
       "MOV OUT[0].x, IMM[0].xxxx\n"
       "END\n",
       ALL_LANES(0),
       {{BUFFER_0, 0, 5}, {BUFFER_0, 1, 7}}},
      {"and atomics happen, by its first",
       "DCL PRED[0]\n",
       "USEQ PRED[0].x, IN[0].xxxx, IMM[2].yyyy\n"
       "(PRED[0].xxxx) ATOMUADD OUT[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
       "END\n",
       {0, 0, 0, 0, 0, 0x100},
       {{BUFFER_0, 0, 0x101}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

/* ---- files --------------------------------------------------------------- */

static void
test_constants(void **state)
{
   static const struct memory_case cases[] = {
      {"CONSTBUF by address",
       "DCL CONSTBUF[1]\n",
       LANE_ADDRESS "LOAD OUT[0].x, CONSTBUF[1], TEMP[0].xxxx\n"
                    "END\n",
       {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011,
        1012, 1013, 1014, 1015},
       {{0}}},
      {"CONSTBUF has bounds",
       "DCL CONSTBUF[2]\n",
       LANE_ADDRESS "LOAD OUT[0].x, CONSTBUF[2].yyyy, TEMP[0].xxxx\n"
                    "END\n",
       {2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009, 2010, 2011, 2012,
        2013, 2014, 2015, 0},
       {{0}}},
      {"CONSTBUF, each lane its own, declared as CONST",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "LOAD OUT[0].x, CONSTBUF[ADDR[0].x], IMM[2].xxxx\n"
       "END\n",
       {1, 1, 1, 1, 1001, 1001, 1001, 1001},
       {{0}}},
      {"CONST[b][r] begins at register r",
       NULL,
       LANE_ADDRESS "LOAD OUT[0].x, CONST[1][2], TEMP[0].xxxx\n"
                    "END\n",
       {1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015},
       {{0}}},
      {"CONST, each lane its own buffer and register",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "UARL ADDR[1].x, IN[0].zzzz\n"
       "LOAD OUT[0].x, CONST[ADDR[0].x][ADDR[1].x-1], IMM[2].xxxx\n"
       "END\n",
       {0, 1, 0, 1, 0, 1001, 0, 1001},
       {{0}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

static void
test_counters(void **state)
{
   static const struct memory_case cases[] = {
      {"counters are words",
       NULL,
       "LOAD OUT[0].x, HWATOMIC[0][ADDR[0].y+2], IN[0].xxxx\n" /* lane 8: 4 * 2
                                                                */
       "END\n",
       {0x602, 0x603, 0x604, 0x605, 0x606, 0x607, 0, 0, 0x602},
       {{0}}},
      {"another buffer",
       NULL,
       "LOAD OUT[0].x, HWATOMIC[2][1], IMM[0].yyyy\n"
       "END\n",
       ALL_LANES(0x802),
       {{0}}},
      {"a computed counter, negative ones too",
       NULL,
       "UARL ADDR[0].x, IN[0].xxxx\n"
       "LOAD OUT[0].x, HWATOMIC[0][ADDR[0].x-4], IMM[0].yyyy\n"
       "END\n",
       {0, 0, 0, 0, 0x601, 0x602, 0x603, 0x604, 0x605, 0x606, 0x607},
       {{0}}},
      {"an offset that is negative",
       NULL,
       "LOAD TEMP[0].xy, HWATOMIC[0][1], IMM[3].xxxx\n"
       "OR OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"the register once more, in bytes, is no offset",
       NULL,
       "LOAD OUT[0].x, HWATOMIC[0][2], IMM[2].zzzz\n"
       "END\n",
       ALL_LANES(0x602),
       {{0}}},
      {"also where it is computed",
       NULL,
       "SHL TEMP[0].x, IN[0].xxxx, IMM[0].zzzz\n"
       "UADD TEMP[0].x, TEMP[0].xxxx, IMM[2].xxxx\n" /* 4 * (lane + 1) */
       "UARL ADDR[0].x, IN[0].xxxx\n"
       "LOAD OUT[0].x, HWATOMIC[0][ADDR[0].x+1], TEMP[0].xxxx\n"
       "END\n",
       {0x601, 0x602, 0x603, 0x604, 0x605, 0x606, 0x607},
       {{0}}},
      {"a computed buffer",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "ATOMUADD OUT[0].x, HWATOMIC[ADDR[0].x][1], IMM[0].xxxx, IMM[0].yyyy\n"
       "END\n",
       {0x601, 0x602, 0x603, 0x604, 0, 0, 0, 0, 0x801, 0x802, 0x803, 0x804},
       {{COUNTERS_0, 1, 0x605}, {COUNTERS_2, 1, 0x805}}},
      {"behind the last counter nothing happens",
       NULL,
       "ATOMUADD OUT[0].x, HWATOMIC[2][ADDR[0].y+2], IN[0].xxxx, IMM[0].yyyy\n"
       "END\n",
       {0x802, 0x803, 0, 0, 0, 0, 0, 0, 0x803}, /* lane 8: 4 * 2 */
       {{COUNTERS_2, 2, 0x804}, {COUNTERS_2, 3, 0x804}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

static void
test_kinds_of_memory(void **state)
{
   static const struct memory_case cases[] = {
      {"SHARED",
       "DCL MEMORY[0], SHARED\n",
       LANE_ADDRESS "STORE MEMORY[0].x, IMM[2].xxxx, IMM[3].yyyy\n"
                    "LOAD OUT[0].x, MEMORY[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x500, 100, 0x502, 0x503, 0x504, 0x505, 0x506, 0x507, 0x508, 0x509,
        0x50a, 0x50b, 0x50c, 0x50d, 0x50e, 0x50f},
       {{SHARED, 1, 100}}},
      {"GLOBAL",
       "DCL MEMORY[0], GLOBAL\n",
       LANE_ADDRESS "STORE MEMORY[0].x, IMM[2].xxxx, IMM[3].yyyy\n"
                    "LOAD OUT[0].x, MEMORY[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x400, 100, 0x402, 0x403, 0x404, 0x405, 0x406, 0x407},
       {{GLOBAL, 1, 100}}},
      {"INPUT",
       "DCL MEMORY[0], INPUT\n",
       LANE_ADDRESS "LOAD OUT[0].x, MEMORY[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x700, 0x701, 0x702, 0x703, 0x704, 0x705, 0x706, 0x707},
       {{0}}},
      {"PRIVATE is 0 at first, and each lane's own",
       "DCL MEMORY[0], PRIVATE\n",
       "LOAD TEMP[1].x, MEMORY[0], IMM[0].xxxx\n"
       "STORE MEMORY[0].x, IMM[0].xxxx, IN[0].xxxx\n"
       "LOAD TEMP[1].y, MEMORY[0].xxxx, IMM[0].xxxx\n"
       "UADD OUT[0].x, TEMP[1].xxxx, TEMP[1].yyyy\n"
       "END\n",
       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
       {{0}}},
      {"PRIVATE has 4096 bytes",
       "DCL MEMORY[0], PRIVATE\n",
       "UADD TEMP[1].x, IMM[2].xxxx, IMM[2].zzzz\n"
       "SHL TEMP[1].y, IMM[0].yyyy, TEMP[1].xxxx\n" /* 4096 */
       "UADD TEMP[1].x, TEMP[1].yyyy, -IMM[2].xxxx\n"
       "STORE MEMORY[0].xy, TEMP[1].xxxx, IMM[2]\n"
       "LOAD TEMP[0].xy, MEMORY[0], TEMP[1].xxxx\n"
       "LOAD TEMP[0].z, MEMORY[0].xxxx, TEMP[1].yyyy\n"
       "UMAD TEMP[0].x, TEMP[0].yyyy, IMM[3].zzzz, TEMP[0].xxxx\n"
       "UMAD OUT[0].x, TEMP[0].zzzz, IMM[3].zzzz, TEMP[0].xxxx\n"
       "END\n",
       ALL_LANES(4),
       {{0}}},
      {"a register that is not declared is the one that is",
       "DCL MEMORY[1], SHARED\n",
       "LOAD OUT[0].x, MEMORY[0], IMM[2].xxxx\n"
       "END\n",
       ALL_LANES(0x501),
       {{0}}},
      {"two kinds in one program",
       "DCL MEMORY[0], GLOBAL\nDCL MEMORY[1], SHARED\n",
       "LOAD TEMP[0].x, MEMORY[0], IMM[2].xxxx\n"
       "LOAD TEMP[0].y, MEMORY[1].xxxx, IMM[2].xxxx\n"
       "UADD OUT[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
       "END\n",
       ALL_LANES(0x401 + 0x501),
       {{0}}},
   };

   (void)state;
   RUN_MEMORY_CASES("COMP", cases);
}

static void
test_resources(void **state)
{
   static const struct memory_case cases[] = {
      {"RES that is RAW is a buffer",
       "DCL RES[0..1], BUFFER, RAW, WR\n",
       LANE_ADDRESS "STORE RES[0].x, IMM[2].xxxx, IMM[3].yyyy\n"
                    "LOAD TEMP[1].xy, RES[1], TEMP[0].xxxx\n"
                    "ATOMUADD TEMP[2].x, RES[0], IMM[2].zzzz, IMM[0].yyyy\n"
                    "MOV OUT[0].x, TEMP[1].yyyy\n"
                    "END\n",
       {0x201, 0x202, 0x203, 0x204},
       {{BUFFER_0, 1, 100}, {BUFFER_0, 2, 0x112}}},
      {"RGLOBAL",
       NULL,
       "STORE RGLOBAL.x, IMM[0].xxxx, IMM[2].xxxx\n"
       "LOAD OUT[0].x, RGLOBAL, IMM[2].xxxx\n"
       "END\n",
       ALL_LANES(0x401),
       {{GLOBAL, 0, 4}}},
      {"RLOCAL",
       NULL,
       "STORE RLOCAL.x, IMM[0].xxxx, IMM[2].xxxx\n"
       "LOAD OUT[0].x, RLOCAL, IMM[2].xxxx\n"
       "END\n",
       ALL_LANES(0x501),
       {{SHARED, 0, 4}}},
      {"RPRIVATE",
       NULL,
       "STORE RPRIVATE.x, IMM[0].xxxx, IN[0].xxxx\n"
       "ATOMUADD OUT[0].x, RPRIVATE, IMM[0].xxxx, IMM[0].yyyy\n"
       "LOAD OUT[0].x, RPRIVATE, IMM[0].xxxx\n"
       "END\n",
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
       {{0}}},
      {"RINPUT",
       NULL,
       "LOAD OUT[0].x, RINPUT, IMM[2].xxxx\n"
       "END\n",
       ALL_LANES(0x701),
       {{0}}},
   };

   (void)state;
   RUN_MEMORY_CASES("COMP", cases);
}

/* ---- atomics ------------------------------------------------------------- */

/* What each does to a word, said once more; `compare` is for ATOMCAS. */
static uint32_t
uadd(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return old + value;
}
static uint32_t
xchg(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)old, (void)compare;
   return value;
}
static uint32_t
cas(uint32_t old, uint32_t compare, uint32_t value)
{
   return old == compare ? value : old;
}
static uint32_t and (uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return old & value;
}
static uint32_t or (uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return old | value;
}
static uint32_t xor (uint32_t old, uint32_t compare, uint32_t value) {
   (void)compare;
   return old ^ value;
} static uint32_t umin(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return value < old ? value : old;
}
static uint32_t
umax(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return value > old ? value : old;
}
static uint32_t
imin(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return (int32_t)value < (int32_t)old ? value : old;
}
static uint32_t
imax(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return (int32_t)value > (int32_t)old ? value : old;
}
static uint32_t
fadd(uint32_t old, uint32_t compare, uint32_t value)
{
   float a, b;

   (void)compare;
   memcpy(&a, &old, sizeof(a));
   memcpy(&b, &value, sizeof(b));
   a += b;
   memcpy(&old, &a, sizeof(old));
   return old;
}
static uint32_t
inc_wrap(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   return (uint64_t)old + 1 < value ? old + 1 : 0;
}
static uint32_t
dec_wrap(uint32_t old, uint32_t compare, uint32_t value)
{
   (void)compare;
   if (value == 0)
      return 0;
   return old == 0 || old > value ? value - 1 : old - 1;
}

static const struct {
   const char *name;
   uint32_t (*after)(uint32_t old, uint32_t compare, uint32_t value);
} atomics[] = {
   {"ATOMUADD", uadd},         {"ATOMXCHG", xchg}, {"ATOMCAS", cas},
   {"ATOMAND", and},           {"ATOMOR", or },    {"ATOMXOR", xor},
   {"ATOMUMIN", umin},         {"ATOMUMAX", umax}, {"ATOMIMIN", imin},
   {"ATOMIMAX", imax},         {"ATOMFADD", fadd}, {"ATOMINC_WRAP", inc_wrap},
   {"ATOMDEC_WRAP", dec_wrap},
};

enum { NUM_ATOMICS = sizeof(atomics) / sizeof(atomics[0]) };

/* Values that lanes bring: IN[1].x; and what ATOMCAS compares with: IN[1].y. */
static const uint32_t values[LIR_LANES] = {
   3, 0x80000000, 0x3f800000, 5, 0, 1, 0xffffffff, 7,
   7, 0x40200000, 2,          1, 9, 9, 0x7fffffff, 4,
};
static const uint32_t compares[LIR_LANES] = {
   0x105, 3, 0, 0x3f800000, 5, 5, 0, 1, 7, 8, 7, 2, 1, 0, 9, 1,
};

/* Of floats one NaN counts as any other: of two the compiler chooses. */
static void
assert_same_word(unsigned atomic, uint32_t word, uint32_t expected)
{
   const uint32_t infinity = 0x7f800000;
   const bool are_nan = atomics[atomic].after == fadd &&
                        (word & 0x7fffffff) > infinity &&
                        (expected & 0x7fffffff) > infinity;

   if (!are_nan)
      assert_int_equal(word, expected);
}

/* All lanes that do take part work on one word, in their order; the others do
 * nothing and get 0. */
static void
run_atomic(const char *processor, const char *file, const char *declarations,
           unsigned memory, unsigned word, unsigned atomic, uint32_t live)
{
   static struct runner runner;
   uint32_t content = 0x100 * memory + word;
   uint32_t expected[LIR_LANES] = {0};
   char text[1024];

   snprintf(text, sizeof(text),
            "%s\nDCL IN[0..1]%s\nDCL OUT[0]%s\n%s"
            "IMM[0] UINT32 {0, 4, 8, 12}\n"
            "%s OUT[0].xy, %s, IMM[0].%s, %sIN[1].xxxx\nEND\n",
            processor,
            strcmp(processor, "FRAG") ? "" : ", GENERIC[0], CONSTANT",
            strcmp(processor, "FRAG") ? "" : ", COLOR", declarations,
            atomics[atomic].name, file, word ? "wwww" : "xxxx",
            atomics[atomic].after == cas ? "IN[1].yyyy, " : "");
   runner_init(&runner, TG_DIALECT_2019, text);
   bind_memories(&runner);
   runner.live = live;
   memcpy(runner.input[4], values, sizeof(values));
   memcpy(runner.input[5], compares, sizeof(compares));
   runner_run(&runner);
   if (runner.result != TG_OK)
      fail_msg("%s\n%s", text, tg_diagnostics_text(runner.diagnostics));
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (!(live & 1u << lane))
         continue;
      expected[lane] = content;
      content = atomics[atomic].after(content, compares[lane], values[lane]);
   }
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      assert_same_word(atomic, runner.output[0][lane], expected[lane]);
      assert_same_word(atomic, runner.output[1][lane], expected[lane]);
   }
   assert_same_word(atomic, runner.memories[memory - 1].words[word], content);
   runner_finish(&runner);
}

static void
test_atomics(void **state)
{
   (void)state;
   for (unsigned a = 0; a < NUM_ATOMICS; a++) {
      run_atomic("VERT", "BUFFER[0]", "DCL BUFFER[0]\n", BUFFER_0, 0, a,
                 0xffff);
      run_atomic("VERT", "BUFFER[3]", "DCL BUFFER[3]\n", BUFFER_3, 3, a,
                 0xffff);
      run_atomic("FRAG", "BUFFER[1]", "DCL BUFFER[1]\n", BUFFER_1, 3, a,
                 0x1ff3);
      run_atomic("COMP", "MEMORY[0]", "DCL MEMORY[0], SHARED\n", SHARED, 3, a,
                 0xffff);
      run_atomic("COMP", "MEMORY[0]", "DCL MEMORY[0], GLOBAL\n", GLOBAL, 0, a,
                 0xffff);
      run_atomic("VERT", "HWATOMIC[0][0]", "DCL HWATOMIC[0][0]\n", COUNTERS_0,
                 0, a, 0xffff);
   }
}

/* In memory of its own a lane finds what it left there itself: 6. */
static void
test_private_atomics(void **state)
{
   (void)state;
   for (unsigned a = 0; a < NUM_ATOMICS; a++) {
      static struct runner runner;
      char text[1024];

      snprintf(text, sizeof(text),
               "COMP\nDCL IN[0..1]\nDCL OUT[0]\nDCL MEMORY[0], PRIVATE\n"
               "IMM[0] UINT32 {0, 4, 6, 0}\n"
               "STORE MEMORY[0].x, IMM[0].yyyy, IMM[0].zzzz\n"
               "%s OUT[0].x, MEMORY[0], IMM[0].yyyy, %sIN[1].xxxx\n"
               "LOAD OUT[0].y, MEMORY[0].xxxx, IMM[0].yyyy\n"
               "END\n",
               atomics[a].name, atomics[a].after == cas ? "IN[1].yyyy, " : "");
      runner_init(&runner, TG_DIALECT_2019, text);
      memcpy(runner.input[4], values, sizeof(values));
      memcpy(runner.input[5], compares, sizeof(compares));
      runner_run(&runner);
      assert_int_equal(runner.result, TG_OK);
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         assert_int_equal(runner.output[0][lane], 6);
         assert_int_equal(runner.output[1][lane],
                          atomics[a].after(6, compares[lane], values[lane]));
      }
      runner_finish(&runner);
   }
}

static void
test_atomic_bounds(void **state)
{
   static const struct memory_case cases[] = {
      {"each lane its word, as far as there are any",
       NULL,
       LANE_ADDRESS "ATOMUADD OUT[0].x, BUFFER[3], TEMP[0].xxxx, IMM[3].yyyy\n"
                    "END\n",
       {0x300, 0x301, 0x302, 0x303},
       {{BUFFER_3, 0, 0x364},
        {BUFFER_3, 1, 0x365},
        {BUFFER_3, 2, 0x366},
        {BUFFER_3, 3, 0x367}}},
      {"a word that is half outside stays",
       NULL,
       "ATOMXCHG OUT[0].x, BUFFER[1], IMM[5].zzzz, IMM[0].yyyy\n" /* 20 */
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"the low two bits of an address do not count",
       NULL,
       "ATOMUMAX OUT[0].x, BUFFER[0], IN[0].xxxx, IMM[3].zzzz\n"
       "END\n",
       {0x100, 1000, 1000, 1000, 0x101, 1000, 1000, 1000, 0x102, 1000, 1000,
        1000, 0x103, 1000, 1000, 1000},
       {{BUFFER_0, 0, 1000},
        {BUFFER_0, 1, 1000},
        {BUFFER_0, 2, 1000},
        {BUFFER_0, 3, 1000}}},
      {"what is not bound",
       NULL,
       "ATOMUADD OUT[0].x, BUFFER[2], IMM[0].xxxx, IMM[0].yyyy\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"only active lanes, in their order",
       NULL,
       "UIF IN[0].zzzz\n"
       "  ATOMXCHG OUT[0].x, BUFFER[0], IMM[0].xxxx, IN[0].xxxx\n"
       "ENDIF\n"
       "END\n",
       {0, 0x100, 0, 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 13},
       {{BUFFER_0, 0, 15}}},
   };

   (void)state;
   RUN_MEMORY_CASES("VERT", cases);
}

/* Text cannot say that nothing is written. */
static void
test_empty_mask(void **state)
{
   static struct runner runner;

   (void)state;
   runner_init(&runner, TG_DIALECT_2019,
               "VERT\nDCL BUFFER[0]\nDCL TEMP[0]\nDCL OUT[0]\n"
               "IMM[0] UINT32 {0, 2, 0, 0}\n"
               "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
               "END\n");
   bind_memories(&runner);
   runner.shader->instructions[0].dst[0].writemask = 0;
   assert_int_equal(tg_shader_validate(runner.shader, runner.diagnostics),
                    TG_OK);
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);
   assert_int_equal(runner.memories[BUFFER_0 - 1].words[0], 0x100 + 32);
   runner_finish(&runner);
}

/* ---- helpers ------------------------------------------------------------- */

/* Lanes 4 to 11 are live. */
static void
test_helpers(void **state)
{
   static const struct memory_case cases[] = {
      {"loads run in all lanes",
       NULL,
       LANE_ADDRESS "LOAD OUT[0].x, BUFFER[0], TEMP[0].xxxx\n"
                    "END\n",
       {0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109,
        0x10a, 0x10b, 0x10c, 0x10d, 0x10e, 0x10f},
       {{0}}},
      {"stores do not",
       NULL,
       LANE_ADDRESS "STORE BUFFER[0].x, TEMP[0].xxxx, IN[0].xxxx\n"
                    "MOV OUT[0].x, IMM[0].xxxx\n"
                    "END\n",
       ALL_LANES(0),
       {{BUFFER_0, 4, 4},
        {BUFFER_0, 5, 5},
        {BUFFER_0, 6, 6},
        {BUFFER_0, 7, 7},
        {BUFFER_0, 8, 8},
        {BUFFER_0, 9, 9},
        {BUFFER_0, 10, 10},
        {BUFFER_0, 11, 11}}},
      {"nor do atomics, which give 0 there",
       NULL,
       "ATOMXCHG OUT[0].x, BUFFER[0], IMM[0].xxxx, IN[0].xxxx\n"
       "END\n",
       {0, 0, 0, 0, 0x100, 4, 5, 6, 7, 8, 9, 10},
       {{BUFFER_0, 0, 11}}},
      {"a lane that was killed is a helper",
       NULL,
       "ADD TEMP[0].x, IN[0].yyyy, -IMM[1].wwww\n" /* lane - 2.5 */
       "ADD TEMP[0].x, IMM[1].wwww, -TEMP[0].xxxx\n"
       "KILL_IF TEMP[0].xxxx\n" /* lanes from 6 on */
       "ATOMXCHG OUT[0].x, BUFFER[0], IMM[0].xxxx, IN[0].xxxx\n"
       "END\n",
       {0, 0, 0, 0, 0x100, 4},
       {{BUFFER_0, 0, 5}}},
      {"computed buffers",
       NULL,
       "UARL ADDR[0].x, IN[0].wwww\n"
       "ATOMXCHG OUT[0].x, BUFFER[ADDR[0].x-1], IMM[0].xxxx, IN[0].xxxx\n"
       "END\n",
       {0, 0, 0, 0, 0x100, 4, 5, 6, 0x200, 8, 9, 10},
       {{BUFFER_0, 0, 7}, {BUFFER_1, 0, 11}}},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
      run_memory_case("FRAG", TG_DIALECT_2019, 0x0ff0, &cases[i]);
}

/* ---- sizes and dialects -------------------------------------------------- */

static void
test_sizes(void **state)
{
   static const struct memory_case cases[] = {
      {"bytes, and nothing else",
       NULL,
       "RESQ TEMP[0], BUFFER[1]\n"
       "UMAD TEMP[0].x, TEMP[0].yyyy, IMM[3].zzzz, TEMP[0].xxxx\n"
       "UMAD TEMP[0].x, TEMP[0].zzzz, IMM[3].zzzz, TEMP[0].xxxx\n"
       "UMAD OUT[0].x, TEMP[0].wwww, IMM[3].zzzz, TEMP[0].xxxx\n"
       "END\n",
       ALL_LANES(22),
       {{0}}},
      {"what is not bound has none",
       NULL,
       "RESQ OUT[0].x, BUFFER[2]\n"
       "END\n",
       ALL_LANES(0),
       {{0}}},
      {"memory of a kernel",
       "DCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n",
       "RESQ TEMP[0].x, MEMORY[0]\n"
       "RESQ TEMP[1].x, MEMORY[1]\n"
       "UADD OUT[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
       "END\n",
       ALL_LANES(64 + 4096),
       {{0}}},
   };

   (void)state;
   RUN_MEMORY_CASES("COMP", cases);
}

/* Address registers hold floats in 2010 and 2011. */
static void
test_dialects(void **state)
{
   static const struct memory_case row = {
      "an address register is an address",
      NULL,
      "ARL ADDR[0].x, IN[0].yyyy\n"
      "LOAD OUT[0].x, BUFFER[0], ADDR[0].xxxx\n"
      "END\n",
      {0x100, 0x100, 0x100, 0x100, 0x101, 0x101, 0x101, 0x101, 0x102, 0x102,
       0x102, 0x102, 0x103, 0x103, 0x103, 0x103},
      {{0}}};

   (void)state;
   run_memory_case("VERT", TG_DIALECT_2011, 0xffff, &row);
   run_memory_case("VERT", TG_DIALECT_2019, 0xffff, &row);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_computed_buffers),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_counters),
      cmocka_unit_test(test_kinds_of_memory),
      cmocka_unit_test(test_resources),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_private_atomics),
      cmocka_unit_test(test_atomic_bounds),
      cmocka_unit_test(test_empty_mask),
      cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_dialects),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
