/* SPDX-License-Identifier: MIT
 *
 * Texture opcodes: which operand is what, of each opcode and target, and which
 * view and sampler is meant.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sweep.h"
#include "lookup.h"
#include "lower/lower.h"

/* ---- each target --------------------------------------------------------- */

/* (0.3, 0.6) is in texel (1, 2); (0.5, 0.5) is between texels 1 and 2. */
static void
test_targets(void **state)
{
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 1D", "1D", NEAREST, {{0.3f, 9}},
       {1, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{0.3f, 0.6f}},
       {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D", "3D", NEAREST, {{0.3f, 0.6f, 0.9f}},
       {321, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], RECT", "RECT", NEAREST, {{1.5f, 2.9f}},
       {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 1D_ARRAY", "1D_ARRAY", NEAREST,
       {{0.3f, 1.6f}}, {201, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", NEAREST,
       {{0.3f, 0.6f, 0.5f}}, {121, 0, 0, 1}},
      /* Layers are held to those that there are. */
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", NEAREST,
       {{0.3f, 0.6f, 7}}, {221, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", NEAREST,
       {{0.3f, 0.6f, -7}}, {21, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", NEAREST,
       {{0.3f, 0.6f, NAN}}, {21, 0, 0, 1}},
      /* Faces: s = (sc / ma + 1) / 2. */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{2, 0.4f, 1.6f}},
       {10, 0, 0, 1}}, /* +x: sc = -z: s = 0.1, tc = -y: t = 0.4 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{-2, 0.4f, 1.6f}},
       {113, 0, 0, 1}}, /* -x: sc = z: s = 0.9 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{0.4f, 2, 1.6f}},
       {232, 0, 0, 1}}, /* +y: s = 0.6, tc = z: t = 0.9 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{0.4f, -2, 1.6f}},
       {302, 0, 0, 1}}, /* -y: tc = -z: t = 0.1 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{0.4f, 1.6f, 2}},
       {402, 0, 0, 1}}, /* +z: s = 0.6, tc = -y: t = 0.1 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", NEAREST, {{0.4f, 1.6f, -2}},
       {501, 0, 0, 1}}, /* -z: sc = -x: s = 0.4 */
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY", "CUBEARRAY", NEAREST,
       {{0.4f, 1.6f, -2, 1}}, {1101, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY", "CUBEARRAY", NEAREST,
       {{0.4f, 1.6f, -2, 0.4f}}, {501, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 1D", "1D", LINEAR, {{0.5f}},
       {1.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", LINEAR, {{0.5f, 0.5f}},
       {16.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", LINEAR, {{0.4375f, 0.6875f}},
       {23.75f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D", "3D", LINEAR, {{0.5f, 0.5f, 0.5f}},
       {166.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], RECT", "RECT", LINEAR, {{2, 1}},
       {6.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 1D_ARRAY", "1D_ARRAY", LINEAR, {{0.5f, 1}},
       {101.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D_ARRAY", "2D_ARRAY", LINEAR,
       {{0.5f, 0.5f, 2}}, {216.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBE", "CUBE", LINEAR, {{0, 0, 1}},
       {416.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], CUBEARRAY", "CUBEARRAY", LINEAR,
       {{0, 0, 1, 1}}, {1016.5f, 0, 0, 1}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- offsets ------------------------------------------------------------- */

/* IMM[1] is (-1, 1, -2, 2), IMM[3] (2^31 - 1, -2^31, ...), which repeat as -1
 * and 0 do. */
static void
test_offsets(void **state)
{
#define MIRRORED                                                               \
   {                                                                           \
      .wrap = {TG_WRAP_MIRROR_REPEAT, TG_WRAP_MIRROR_REPEAT},                  \
      .mip_filter = TG_MIP_NONE                                                \
   }
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx", "2D", NEAREST,
       {{0.3f, 0.6f}}, {2, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].wwx", "2D", NEAREST,
       {{0.6f, 0.6f}}, {0, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx", "2D", LINEAR,
       {{0.5f, 0.75f}}, {7.5f, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 3D, IMM[1].yzx", "3D", NEAREST,
       {{0.3f, 0.6f, 0.9f}}, {202, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw", "2D", NEAREST,
       {{0.3f, 0.6f}}, {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw", "2D", MIRRORED,
       {{0.3f, 0.6f}}, {20, 0, 0, 1}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D, IMM[3].xyw", "2D", LINEAR,
       {{0.3f, 0.6f}}, {3, 0, 0, 1}},
      {"TXL OUT[0], IN[0], SAMP[0], 2D, IMM[1].yxx", "2D", MIPMAPPED,
       {{0, 0, 0, 1}}, {1011, 0, 0, 1}},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IMM[1].yzx", "2D", NEAREST, {{1, 2}},
       {2, 0, 0, 1}, .takes_integers = true},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IN[1].xyz", "2D", NEAREST,
       {{1, 2}, {2, 1}}, {33, 0, 0, 1}, .takes_integers = true},
      {"TXF OUT[0], IN[0], SAMP[0], 2D, IN[1].xyz", "2D", NEAREST,
       {{1, 2}, {3, 1}}, {0, 0, 0, 0}, .takes_integers = true},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- texels by number ---------------------------------------------------- */

static void
test_fetches(void **state)
{
#define AT(...)                                                                \
   {                                                                           \
      __VA_ARGS__                                                              \
   }
#define FETCH(instruction, target, at, ...)                                    \
   {                                                                           \
      instruction, target, NEAREST, {at}, {__VA_ARGS__},                       \
         .takes_integers = true                                                \
   }
#define TXF(target, at, ...)                                                   \
   FETCH("TXF OUT[0], IN[0], SAMP[0], " target, target, AT at, __VA_ARGS__)
#define FETCH_2011(instruction, target, at, ...)                               \
   {                                                                           \
      instruction, target, NEAREST, {at}, {__VA_ARGS__},                       \
         .takes_integers = true, .is_2011 = true,                              \
         .declarations = "DCL RES[0], " target ", FLOAT\n"                     \
   }
   /* clang-format off */
   static const struct lookup lookups[] = {
      TXF("1D", (1, 0, 0, 1), 1001, 0, 0, 1),
      TXF("2D", (1, 2), 21, 0, 0, 1),
      TXF("2D", (1, 1, 0, 1), 1011, 0, 0, 1),
      /* Beside the texture there is nothing. */
      TXF("2D", (2, 1, 0, 1), 0, 0, 0, 0),
      TXF("2D", (-1, 1), 0, 0, 0, 0),
      TXF("2D", (0, 4), 0, 0, 0, 0),
      TXF("2D", (0, 0, 0, 3), 0, 0, 0, 0),
      TXF("2D", (0, 0, 0, -1), 0, 0, 0, 0),
      TXF("3D", (1, 2, 3), 321, 0, 0, 1),
      TXF("3D", (0, 0, 2, 1), 0, 0, 0, 0),
      TXF("RECT", (1, 2), 21, 0, 0, 1),
      TXF("RECT", (1, 2, 0, 1), 0, 0, 0, 0),
      TXF("1D_ARRAY", (1, 2), 201, 0, 0, 1),
      TXF("1D_ARRAY", (1, 3), 0, 0, 0, 0),
      TXF("2D_ARRAY", (1, 1, 2, 1), 1211, 0, 0, 1),
      TXF("2D_ARRAY", (1, 1, -1), 0, 0, 0, 0),
      TXF("CUBE", (1, 2, 4), 421, 0, 0, 1),
      TXF("CUBEARRAY", (1, 2, 11), 1121, 0, 0, 1),
      TXF("BUFFER", (11, 0, 0, 9), 11, 0, 0, 1),
      TXF("BUFFER", (12), 0, 0, 0, 0),
      TXF("2D_MSAA", (1, 2, 0, 3), 30021, 0, 0, 1),
      TXF("2D_MSAA", (1, 1, 0, 2), 20011, 0, 0, 1),
      TXF("2D_MSAA", (1, 2, 0, 4), 0, 0, 0, 0),
      TXF("2D_ARRAY_MSAA", (1, 2, 2, 1), 10221, 0, 0, 1),
      /* One sample counts as several, and lies as one. */
      FETCH("TXF OUT[0], IN[0], SAMP[0], 2D_MSAA", "2D", AT(1, 1, 0, 0), 11, 0,
       0, 1),
      FETCH("TXF OUT[0], IN[0], SAMP[0], 2D_MSAA", "2D", AT(1, 2, 0, 1), 0, 0,
       0, 0),
      FETCH("TXF_LZ OUT[0], IN[0], SAMP[0], 2D", "2D", AT(1, 2, 0, 1), 21, 0, 0,
       1),
      FETCH("SAMPLE_I OUT[0], IN[0], SVIEW[0]", "2D", AT(1, 1, 0, 1), 1011, 0,
       0, 1),
      FETCH("SAMPLE_I OUT[0], IN[0], SVIEW[0].wzyx", "2D_ARRAY", AT(1, 1, 2), 1,
       0, 0, 211),
      FETCH("SAMPLE_I OUT[0], IN[0], SVIEW[0]", "BUFFER", AT(5, 1, 1, 1), 5, 0,
       0, 1),
      FETCH("SAMPLE_I_MS OUT[0], IN[0], SVIEW[0], IMM[0].zzzz", "2D_MSAA",
       AT(1, 2, 0, 1), 20021, 0, 0, 1),
      FETCH("SAMPLE_I_MS OUT[0], IN[0], SVIEW[0], IMM[0].wwww", "2D_ARRAY_MSAA",
       AT(1, 2, 1, 1), 30121, 0, 0, 1),
      FETCH_2011("LOAD OUT[0], IN[0], RES[0]", "2D", AT(1, 1, 0, 1), 1011, 0, 0,
       1),
      FETCH_2011("LOAD_MS OUT[0], IN[0], RES[0], IMM[0].zzzz", "2D_MSAA",
       AT(1, 2, 0, 1), 20021, 0, 0, 1),
      FETCH_2011("LOAD_MS OUT[0], IN[0], RES[0]", "2D_MSAA", AT(1, 2, 0, 1),
       10021, 0, 0, 1),
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- questions ----------------------------------------------------------- */

static void
test_queries(void **state)
{
#define TXQ(target, level, ...)                                                \
   {                                                                           \
      "TXQ OUT[0], IN[0], SAMP[0], " target, target, NEAREST, {{level}},       \
         {__VA_ARGS__}, .takes_integers = true, .gives_integers = true         \
   }
#define ASK(instruction, target, x, ...)                                       \
   {                                                                           \
      instruction, target, NEAREST, {{x}}, {__VA_ARGS__},                      \
         .takes_integers = true, .gives_integers = true                        \
   }
#define ASK_2011(instruction, target, x, ...)                                  \
   {                                                                           \
      instruction, target, NEAREST, {{x}}, {__VA_ARGS__},                      \
         .takes_integers = true, .gives_integers = true, .is_2011 = true,      \
         .declarations = "DCL RES[0], " target ", FLOAT\n"                     \
   }
   /* clang-format off */
   static const struct lookup lookups[] = {
      TXQ("BUFFER", 1, 12, 0, 0, 1),
      TXQ("1D", 0, 4, 0, 0, 3),
      TXQ("2D", 1, 2, 2, 0, 3),
      TXQ("2D", 3, 0, 0, 0, 3),
      TXQ("2D", -1, 0, 0, 0, 3),
      TXQ("3D", 1, 2, 2, 2, 3),
      TXQ("CUBE", 2, 1, 1, 0, 3),
      TXQ("RECT", 7, 4, 4, 0, 1),
      TXQ("1D_ARRAY", 1, 2, 3, 0, 3),
      TXQ("2D_ARRAY", 1, 2, 2, 3, 3),
      TXQ("CUBEARRAY", 0, 4, 4, 2, 3),
      TXQ("2D_MSAA", 7, 4, 4, 0, 1),
      TXQ("2D_ARRAY_MSAA", 7, 4, 4, 3, 1),
      ASK("TXQS OUT[0], SAMP[0], 2D", "2D", 0, 1, 0, 0, 0),
      ASK("TXQS OUT[0], SAMP[0], 2D_MSAA", "2D_MSAA", 0, 4, 0, 0, 0),
      ASK("SVIEWINFO OUT[0], IN[0], SVIEW[0].wzyx", "2D", 1, 2, 2, 0, 3),
      ASK("SVIEWINFO OUT[0], IN[0], SVIEW[0]", "1D_ARRAY", 0, 4, 3, 0, 3),
      ASK_2011("RESINFO OUT[0], IN[0], RES[0]", "2D", 1, 2, 2, 0, 3),
      ASK_2011("RESINFO OUT[0], IN[0], RES[0]", "1D_ARRAY", 0, 4, 3, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0]", "2D", 0, 1, 0, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0]", "2D_MSAA", 0, 4, 0, 0, 0),
      ASK("SAMPLE_INFO OUT[0], SVIEW[0].yxzw", "2D_MSAA", 0, 0, 4, 0, 0),
      ASK("SAMPLE_INFO OUT[0], TEMP[0]", "2D", 0, 1, 0, 0, 0),
      ASK_2011("SAMPLE_INFO OUT[0], RES[0]", "2D", 0, 0, 0, 0, 0),
      /* Sample 1 of 4 is 6/16 to the right of the middle and 2/16 above. */
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx", "2D_MSAA", NEAREST, {{1}},
       {14 / 16.0f, 6 / 16.0f, 0, 0}, .takes_integers = true},
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx", "2D_MSAA", NEAREST, {{4}},
       {0.5f, 0.5f, 0, 0}, .takes_integers = true},
      {"SAMPLE_POS OUT[0], SVIEW[0], IN[0].xxxx", "2D", NEAREST, {{1}},
       {0.5f, 0.5f, 0, 0}, .takes_integers = true},
      ASK_2011("SAMPLE_POS OUT[0], RES[0], IN[0].xxxx", "2D", 0, 0, 0, 0, 0),
      ASK_2011("SAMPLE_POS OUT[0], RES[0], IN[0].xxxx", "2D_MSAA", 4, 0, 0, 0,
       0),
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- gathering ----------------------------------------------------------- */

static void
test_gathers(void **state)
{
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D", NEAREST,
       {{0.5f, 0.5f}}, {21, 22, 12, 11}},
      {"TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D", "2D", NEAREST,
       {{0.5f, 0.5f}}, {1, 1, 1, 1}},
      {"MOV TEMP[0], IMM[0].xxww\n"
       "  TG4 OUT[0], IN[0], TEMP[0].xxxx, SAMP[0], 2D", "2D", NEAREST,
       {{0.5f, 0.5f}}, {21, 22, 12, 11}},
      {"MOV TEMP[0], IMM[0].xxww\n"
       "  TG4 OUT[0], IN[0], TEMP[0].zzzz, SAMP[0], 2D", "2D", NEAREST,
       {{0.5f, 0.5f}}, {1, 1, 1, 1}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D_ARRAY", "2D_ARRAY", NEAREST,
       {{0.5f, 0.5f, 1}}, {121, 122, 112, 111}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], RECT", "RECT", NEAREST,
       {{2, 2}}, {21, 22, 12, 11}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], CUBE", "CUBE", NEAREST,
       {{0, 0, 1}}, {421, 422, 412, 411}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], CUBEARRAY", "CUBEARRAY",
       NEAREST, {{0, 0, 1, 1}}, {1021, 1022, 1012, 1011}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[1].yzx", "2D", NEAREST,
       {{0.5f, 0.5f}}, {2, 3, 33, 32}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].xxx, IMM[0].yxx, "
       "IMM[0].xyx, IMM[1].xxx", "2D", NEAREST, {{0.5f, 0.5f}},
       {11, 12, 21, 0}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOW2D", "2D", SHADOW(LESS),
       {{0.5f, 0.5f, 15 / 64.0f}}, {1, 1, 0, 0}, .is_depth = true},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOW2D_ARRAY", "2D_ARRAY",
       SHADOW(LESS), {{0.5f, 0.5f, 1, 121.5f / 64}}, {0, 1, 0, 0}, .is_depth =
       true},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], SHADOWCUBE", "CUBE",
       SHADOW(GREATER), {{0, 0, 1, 415 / 64.0f}}, {0, 0, 1, 1}, .is_depth =
       true},
      {"TG4 OUT[0], IN[0], IN[1].xxxx, SAMP[0], SHADOWCUBEARRAY", "CUBEARRAY",
       SHADOW(GREATER), {{0, 0, 1, 1}, {1011.5f / 64}}, {0, 0, 0, 1}, .is_depth
       = true},
      /* Texel -1 is 0, -2 is 1, -3 is 2 in a mirror. */
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D",
       {.wrap = {TG_WRAP_MIRROR_CLAMP_TO_EDGE}}, {{-0.4375f, 0.5f}},
       {22, 21, 11, 12}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D", LINEAR,
       {{0.0625f, 0.5f}}, {20, 20, 10, 10}},
      {"TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", "2D",
       {.wrap = {TG_WRAP_CLAMP}, .border_color.f = {-8}}, {{-3, 0.5f}},
       {-8, 20, 10, -8}},
      {"GATHER4 OUT[0], IN[0], SVIEW[0], SAMP[0]", "2D", NEAREST,
       {{0.5f, 0.5f}}, {21, 22, 12, 11}},
      {"GATHER4 OUT[0], IN[0], SVIEW[0].wzyx, SAMP[0]", "2D", NEAREST,
       {{0.5f, 0.5f}}, {11, 12, 22, 21}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- comparisons --------------------------------------------------------- */

/* (0.3, 0.6) is depth 21 / 64. */
static void
test_comparisons(void **state)
{
#define COMPARED(func, reference, k)                                           \
   {                                                                           \
      TEX_SHADOW, "2D", SHADOW(func), {{0.3f, 0.6f, (reference) / 64.0f}},     \
         {k, k, k, 1}, .is_depth = true                                        \
   }
#define PCF                                                                    \
   {                                                                           \
      .min_filter = TG_FILTER_LINEAR, .mag_filter = TG_FILTER_LINEAR,          \
      .mip_filter = TG_MIP_NONE, .compares = true,                             \
      .compare_func = TG_COMPARE_LESS                                          \
   }
   /* clang-format off */
   static const struct lookup lookups[] = {
      COMPARED(NEVER, 21, 0),
      COMPARED(LESS, 20, 1),
      COMPARED(LESS, 21, 0),
      COMPARED(EQUAL, 21, 1),
      COMPARED(EQUAL, 20, 0),
      COMPARED(LEQUAL, 21, 1),
      COMPARED(LEQUAL, 22, 0),
      COMPARED(GREATER, 22, 1),
      COMPARED(GREATER, 21, 0),
      COMPARED(NOTEQUAL, 22, 1),
      COMPARED(NOTEQUAL, 21, 0),
      COMPARED(GEQUAL, 21, 1),
      COMPARED(GEQUAL, 20, 0),
      COMPARED(ALWAYS, 21, 1),
      COMPARED(NOTEQUAL, NAN, 0),
      COMPARED(GEQUAL, NAN, 0),
      COMPARED(GREATER, 640, 1),
      /* Of four texels two pass. */
      {TEX_SHADOW, "2D", PCF, {{0.5f, 0.5f, 15 / 64.0f}}, {0.5f, 0.5f, 0.5f, 1},
       .is_depth = true},
      {TEX_SHADOW, "2D", PCF, {{0.5625f, 0.5f, 11.5f / 64}},
       {0.875f, 0.875f, 0.875f, 1}, .is_depth = true},
      /* A sampler that does not compare gives the depth. */
      {TEX_SHADOW, "2D", NEAREST, {{0.3f, 0.6f, 0}},
       {21 / 64.0f, 21 / 64.0f, 21 / 64.0f, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", SHADOW(LESS), {{0.3f, 0.6f, 0}},
       {21 / 64.0f, 21 / 64.0f, 21 / 64.0f, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW1D", "1D", SHADOW(EQUAL),
       {{0.3f, 9, 1 / 64.0f}}, {1, 1, 1, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOWRECT", "RECT", SHADOW(EQUAL),
       {{1, 2, 21 / 64.0f}}, {1, 1, 1, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW1D_ARRAY", "1D_ARRAY", SHADOW(EQUAL),
       {{0.3f, 2, 201 / 64.0f}}, {1, 1, 1, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOW2D_ARRAY", "2D_ARRAY", SHADOW(EQUAL),
       {{0.3f, 0.6f, 1, 121 / 64.0f}}, {1, 1, 1, 1}, .is_depth = true},
      {"TEX OUT[0], IN[0], SAMP[0], SHADOWCUBE", "CUBE", SHADOW(EQUAL),
       {{2, 0.4f, 1.6f, 10 / 64.0f}}, {1, 1, 1, 1}, .is_depth = true},
      {"TEX2 OUT[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY", "CUBEARRAY",
       SHADOW(EQUAL), {{2, 0.4f, 1.6f, 1}, {610 / 64.0f}}, {1, 1, 1, 1},
       .is_depth = true},
      {"TXP OUT[0], IN[0], SAMP[0], SHADOW2D", "2D", SHADOW(EQUAL),
       {{0.6f, 1.2f, 42 / 64.0f, 2}}, {1, 1, 1, 1}, .is_depth = true},
      {"TXL2 OUT[0], IN[0], IN[1], SAMP[0], SHADOWCUBE", "CUBE", SHADOW(EQUAL),
       {{2, 0.4f, 1.6f, 10 / 64.0f}, {1}}, {1, 1, 1, 1}, .is_depth = true},
      {"TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], SHADOW2D_ARRAY", "2D_ARRAY",
       SHADOW(EQUAL), {{0.3f, 0.6f, 1, 121 / 64.0f}}, {1, 1, 1, 1}, .is_depth =
       true},
      {"SAMPLE_C OUT[0], IN[0], SVIEW[0].x, SAMP[0], IN[1].xxxx", "2D",
       SHADOW(EQUAL), {{0.3f, 0.6f}, {21 / 64.0f}}, {1, 1, 1, 1}, .is_depth =
       true},
      {"SAMPLE_C_LZ OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx", "2D",
       SHADOW(EQUAL), {{0.3f, 0.6f}, {20 / 64.0f}}, {0, 0, 0, 1}, .is_depth =
       true},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- views --------------------------------------------------------------- */

static void
test_views(void **state)
{
   static const uint8_t swizzle[4] = {TG_SWIZZLE_W, TG_SWIZZLE_0, TG_SWIZZLE_X,
                                      TG_SWIZZLE_1};
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{0.3f, 0.6f}},
       {1, 0, 21, 1}, .swizzle = swizzle},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", "2D",
       {.wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_CLAMP_TO_BORDER},
        .mip_filter = TG_MIP_NONE, .border_color.f = {-8, 5, 6, 7}},
       {{-1, 0.6f}}, {1, 0, -8, 1}, .swizzle = swizzle},
      {"TXF OUT[0], IN[0], SAMP[0], 2D", "2D", NEAREST, {{7, 2}}, {0, 0, 0, 0},
       .takes_integers = true, .swizzle = swizzle},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]", "2D", NEAREST, {{0.3f, 0.6f}},
       {21, 0, 0, 1}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0].wyxz, SAMP[0]", "2D", NEAREST,
       {{0.3f, 0.6f}}, {1, 0, 21, 0}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0]", "2D_ARRAY", NEAREST,
       {{0.3f, 0.6f, 1}}, {121, 0, 0, 1}},
      {"SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[0], IMM[1].yzx", "2D", NEAREST,
       {{0.3f, 0.6f}}, {2, 0, 0, 1}},
      {"SAMPLE_B OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx", "2D", MIPMAPPED,
       {{0}, {-1}}, {1000, 0, 0, 1}, .dx = {1}},
      {"SAMPLE_L OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1].xxxx", "2D", MIPMAPPED,
       {{0, 0, 0, 1}, {2}}, {2000, 0, 0, 1}},
      {"SAMPLE_L OUT[0], IN[0], RES[0], SAMP[0]", "2D", MIPMAPPED,
       {{0, 0, 0, 1}}, {1000, 0, 0, 1}, .is_2011 = true, .declarations =
       "DCL RES[0], 2D, FLOAT\nDCL SAMP[0]\n"},
      {"SAMPLE_D OUT[0], IN[0], SVIEW[0], SAMP[0], IN[1], IN[2]", "2D",
       MIPMAPPED, {{0}, {0.5f}, {0, 0.25f}}, {1000, 0, 0, 1}},
      /* A view of another target is as none. */
      {"TEX OUT[0], IN[0], SAMP[0], 3D", "2D", NEAREST, {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], SAMP[0], 2D", NULL, NEAREST, {{0.3f, 0.6f}},
       {0, 0, 0, 0}, .declarations = "DCL SAMP[0]\n"},
      {"TXQ OUT[0], IN[0], SAMP[0], 2D", NULL, NEAREST, {{0}}, {0, 0, 0, 0},
       .declarations = "DCL SAMP[0]\n"},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- units that are computed --------------------------------------------- */

static void
test_computed_units(void **state)
{
#define TWO "DCL SAMP[0..1]\nDCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], 2D, FLOAT\n"
   /* clang-format off */
   static const struct lookup lookups[] = {
      {"UARL ADDR[0].x, IMM[0].xxxx\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D", "2D", NEAREST,
       {{0.3f, 0.6f}}, {21, 0, 0, 1}, .declarations = TWO},
      {"UARL ADDR[0].x, IMM[1].xxxx\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D", "2D", NEAREST,
       {{0.3f, 0.6f}}, {21, 0, 0, 1}, .declarations = TWO},
      /* Nothing is bound to the second, and the third is not declared. */
      {"UARL ADDR[0].x, IMM[0].yyyy\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D", "2D", NEAREST,
       {{0.3f, 0.6f}}, {0, 0, 0, 0}, .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].zzzz\n"
       "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D", "2D", NEAREST,
       {{0.3f, 0.6f}}, {0, 0, 0, 0}, .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].xxxx\n"
       "  SAMPLE OUT[0], IN[0], SVIEW[ADDR[0].x], SAMP[ADDR[0].x]", "2D",
       NEAREST, {{0.3f, 0.6f}}, {21, 0, 0, 1}, .declarations = TWO},
      {"UARL ADDR[0].x, IMM[0].yyyy\n"
       "  SAMPLE OUT[0], IN[0], SVIEW[0], SAMP[ADDR[0].x]", "2D", NEAREST,
       {{0.3f, 0.6f}}, {0, 0, 0, 0}, .declarations = TWO},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n" "  TEX OUT[0], IN[0], TEMP[0], 2D",
       "2D", NEAREST, {{0.3f, 0.6f}}, {21, 0, 0, 1}},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n"
       "  TXQ OUT[0], IMM[0].yyyy, TEMP[0], 2D", "2D", NEAREST, {{0}},
       {2, 2, 0, 3}, .gives_integers = true},
      {"SAMP2HND TEMP[0].xy, SAMP[0], 2D\n" "  MOV TEMP[0].y, IMM[0].yyyy\n"
       "  TEX OUT[0], IN[0], TEMP[0], 2D", "2D", NEAREST, {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], IMM[2], 2D", "2D", NEAREST, {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"TEX OUT[0], IN[0], IMM[3].xxxx, 2D", "2D", NEAREST, {{0.3f, 0.6f}},
       {0, 0, 0, 0}},
      {"SAMP2HND OUT[0], SAMP[0], 2D", "2D", NEAREST, {{0}},
       {0x10000, 0, 0x10000, 0}, .gives_integers = true},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* What differs from lane to lane is taken out again behind the lookup. */
static void
test_lanes(void **state)
{
   /* clang-format off */
   static const struct lookup lookups[] = {
      /* Nothing is bound to the sampler of every other lane. */
      {"ARL ADDR[0].x, IN[0].zzzz\n"
       "  TEX TEMP[0], IN[0], SAMP[ADDR[0].x], 2D\n"
       "  MAD OUT[0].x, IN[0].zzzz, IMM[2].xxxx, TEMP[0].xxxx", "2D", NEAREST,
       {{0.3f, 0.6f}}, {21, 0, 0, 0}, .dx = {0, 0, 1}, .declarations = TWO},
      {"TXL TEMP[0], IN[0], SAMP[0], 2D\n"
       "  MAD OUT[0].x, IN[0].wwww, IMM[2].yyyy, TEMP[0].xxxx", "2D", MIPMAPPED,
       {{0}}, {0, 0, 0, 0}, .dx = {0, 0, 0, 1}, .dy = {0, 0, 0, 1}},
      {"TXB TEMP[0], IN[0], SAMP[0], 2D\n"
       "  MAD OUT[0].x, IN[0].wwww, IMM[2].yyyy, TEMP[0].xxxx", "2D", MIPMAPPED,
       {{0, 0, 0, -1}}, {2000, 0, 0, 0}, .dx = {1, 0, 0, 1}},
      /* Lanes that do not come here take part in the quad. */
      {"SLT TEMP[1].x, IN[0].zzzz, IMM[2].xxxx\n" "  IF TEMP[1].xxxx\n"
       "    TEX TEMP[0], IN[0], SAMP[0], 2D\n" "  ENDIF\n"
       "  SGE TEMP[1].x, IN[0].zzzz, IMM[2].xxxx\n"
       "  MUL TEMP[1].x, TEMP[1].xxxx, IMM[2].yyyy\n"
       "  MAD OUT[0].x, TEMP[1].xxxx, IMM[2].zzzz, TEMP[0].xxxx", "2D",
       MIPMAPPED, {{0}}, {2000, 0, 0, 0}, .dx = {1, 0, 30}},
   };
   /* clang-format on */

   (void)state;
   CHECK(lookups, 0);
}

/* ---- memory that runs out ------------------------------------------------ */

/* Many functions, so that their list grows, too. */
static const char many_text[] =
   "FRAG\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
   "DCL OUT[0], COLOR\n"
   "DCL SAMP[0..20]\n"
   "DCL ADDR[0]\n"
   "IMM[0] INT32 {0, 1, 2, 3}\n"
   "  UARL ADDR[0].x, IMM[0].yyyy\n"
   "  TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D\n"
   "  TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[1], 2D, IMM[0].xyz\n"
   "  TXQ OUT[0], IMM[0].xxxx, SAMP[2], 2D\n"
   "  END\n";

static enum tg_result
lower_many(const struct tg_allocator *allocator)
{
   static struct abi_keys keys;
   const struct lower_options options = {.keys = &keys};
   struct tg_shader *shader = NULL;
   struct lir_module module;

   for (unsigned i = 0; i <= 20; i++) {
      keys.views[i].format = TG_FORMAT_R8G8B8A8_UNORM;
      keys.views[i].target = TG_TARGET_2D;
      keys.samplers[i].is_bound = true;
      keys.samplers[i].mip_filter = TG_MIP_LINEAR;
   }
   assert_int_equal(tg_shader_parse(NULL, "many", many_text,
                                    sizeof(many_text) - 1, TG_DIALECT_2019,
                                    NULL, &shader),
                    TG_OK);
   lir_module_init(&module, allocator);
   const enum tg_result result = lower_shader(shader, &options, &module, NULL);
   lir_module_finish(&module);
   tg_shader_destroy(shader);
   return result;
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   sweep(lower_many);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_targets), cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_fetches), cmocka_unit_test(test_queries),
      cmocka_unit_test(test_gathers), cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_views),   cmocka_unit_test(test_computed_units),
      cmocka_unit_test(test_lanes),   cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
