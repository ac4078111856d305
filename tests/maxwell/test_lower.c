/* SPDX-License-Identifier: MIT
 *
 * Which form each texture opcode of TGSI becomes with each target, in fragment
 * shaders and others: expectations are those of the forms' own documentation,
 * not of the tables that the lowering reads.
 */
#include "sweep.h"

#include <stdio.h>
#include <string.h>

#include "maxwell/lower/lower.h"
#include "util/strbuf.h"

/* One instruction of a shader with three inputs, one output and a view. */
struct lower_case {
   const char *stage;
   const char *target; /* of the view */
   const char *code;   /* behind "OUT[0], " */
   const char *opcode;
   const char *mnemonic; /* what becomes of it */
   const char *operands; /* target and mask; NULL: whatever they are */
};

static const struct lower_case cases[] = {
   {"FRAG", "1D", "IN[0], SAMP[0], 1D", "TEX", "TEX", "1D, 0xf"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TEX", "TEXS", "2D, RGBA"},
   {"FRAG", "RECT", "IN[0], SAMP[0], RECT", "TEX", "TEXS", "2D, RGBA"},
   {"FRAG", "3D", "IN[0], SAMP[0], 3D", "TEX", "TEXS", "3D, RGBA"},
   {"FRAG", "CUBE", "IN[0], SAMP[0], CUBE", "TEX", "TEXS", "CUBE, RGBA"},
   {"FRAG", "1D", "IN[0], SAMP[0], SHADOW1D", "TEX", "TEX.DC", "1D, 0xf"},
   {"FRAG", "2D", "IN[0], SAMP[0], SHADOW2D", "TEX", "TEXS.DC", "2D, RGBA"},
   {"FRAG", "RECT", "IN[0], SAMP[0], SHADOWRECT", "TEX", "TEXS.DC", "2D, RGBA"},
   {"FRAG", "CUBE", "IN[0], SAMP[0], SHADOWCUBE", "TEX", "TEX.DC", "CUBE, 0xf"},
   {"FRAG", "1D_ARRAY", "IN[0], SAMP[0], 1D_ARRAY", "TEX", "TEX",
    "ARRAY_1D, 0xf"},
   {"FRAG", "2D_ARRAY", "IN[0], SAMP[0], 2D_ARRAY", "TEX", "TEXS",
    "ARRAY_2D, RGBA"},
   {"FRAG", "2D_ARRAY", "IN[0], SAMP[0], SHADOW2D_ARRAY", "TEX", "TEX.DC",
    "ARRAY_2D, 0xf"},
   {"FRAG", "CUBEARRAY", "IN[0], SAMP[0], CUBEARRAY", "TEX", "TEX",
    "ARRAY_CUBE, 0xf"},
   {"FRAG", "CUBEARRAY", "IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY", "TEX2",
    "TEX.DC", "ARRAY_CUBE, 0xf"},

   {"VERT", "1D", "IN[0], SAMP[0], 1D", "TEX", "TEXS.LZ", "1D, RGBA"},
   {"VERT", "2D", "IN[0], SAMP[0], 2D", "TEX", "TEXS.LZ", "2D, RGBA"},
   {"VERT", "3D", "IN[0], SAMP[0], 3D", "TEX", "TEXS.LZ", "3D, RGBA"},
   {"VERT", "CUBE", "IN[0], SAMP[0], CUBE", "TEX", "TEXS.LL", "CUBE, RGBA"},
   {"VERT", "2D", "IN[0], SAMP[0], SHADOW2D", "TEX", "TEXS.LZ.DC", "2D, RGBA"},
   {"VERT", "1D", "IN[0], SAMP[0], SHADOW1D", "TEX", "TEX.LZ.DC", "1D, 0xf"},
   {"VERT", "CUBE", "IN[0], SAMP[0], SHADOWCUBE", "TEX", "TEX.LZ.DC",
    "CUBE, 0xf"},
   {"VERT", "2D_ARRAY", "IN[0], SAMP[0], 2D_ARRAY", "TEX", "TEXS.LZ",
    "ARRAY_2D, RGBA"},
   {"VERT", "2D_ARRAY", "IN[0], SAMP[0], SHADOW2D_ARRAY", "TEX", "TEXS.LZ.DC",
    "ARRAY_2D, RGBA"},
   {"VERT", "2D", "IN[0], SAMP[0], 2D", "TXB", "TEXS.LL", "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TEX_LZ", "TEXS.LZ", "2D, RGBA"},

   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TXL", "TEXS.LL", "2D, RGBA"},
   {"FRAG", "2D", "IMM[0], SAMP[0], 2D", "TXL", "TEXS.LZ", "2D, RGBA"},
   {"FRAG", "1D", "IN[0], SAMP[0], 1D", "TXL", "TEX.LL", "1D, 0xf"},
   {"FRAG", "3D", "IN[0], SAMP[0], 3D", "TXL", "TEX.LL", "3D, 0xf"},
   {"FRAG", "CUBE", "IN[0], SAMP[0], CUBE", "TXL", "TEXS.LL", "CUBE, RGBA"},
   {"FRAG", "2D", "IN[0], SAMP[0], SHADOW2D", "TXL", "TEX.LL.DC", "2D, 0xf"},
   {"FRAG", "2D_ARRAY", "IN[0], SAMP[0], 2D_ARRAY", "TXL", "TEX.LL",
    "ARRAY_2D, 0xf"},
   {"FRAG", "CUBEARRAY", "IN[0], IN[1], SAMP[0], CUBEARRAY", "TXL2", "TEX.LL",
    "ARRAY_CUBE, 0xf"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TXB", "TEX.LB", "2D, 0xf"},
   {"FRAG", "2D", "IMM[0], SAMP[0], 2D", "TXB", "TEXS", "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TXP", "TEXS", "2D, RGBA"},
   {"FRAG", "2D", "IN[0], IN[1], IN[2], SAMP[0], 2D", "TXD", "TXD", "2D, 0xf"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D, IMM[1].xyz", "TEX", "TEX.AOFFI",
    "2D, 0xf"},

   {"FRAG", "1D", "IN[0], SAMP[0], 1D", "TXF", "TLDS.LL", "1D, RGBA"},
   {"FRAG", "1D", "IN[0], SAMP[0], 1D", "TXF_LZ", "TLDS.LZ", "1D, RGBA"},
   {"FRAG", "BUFFER", "IN[0], SAMP[0], BUFFER", "TXF", "TLDS.LZ", "1D, RGBA"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "TXF", "TLDS.LL", "2D, RGBA"},
   {"FRAG", "2D", "IMM[0], SAMP[0], 2D", "TXF", "TLDS.LZ", "2D, RGBA"},
   {"FRAG", "RECT", "IN[0], SAMP[0], RECT", "TXF", "TLDS.LL", "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D, IMM[1].xyz", "TXF", "TLDS.LL.AOFFI",
    "2D, RGBA"},
   {"FRAG", "3D", "IN[0], SAMP[0], 3D", "TXF_LZ", "TLDS.LZ", "3D, RGBA"},
   {"FRAG", "3D", "IN[0], SAMP[0], 3D", "TXF", "TLD.LL", "3D, 0xf"},
   {"FRAG", "2D_ARRAY", "IN[0], SAMP[0], 2D_ARRAY", "TXF_LZ", "TLDS.LZ",
    "ARRAY_2D, RGBA"},
   {"FRAG", "2D_ARRAY", "IN[0], SAMP[0], 2D_ARRAY", "TXF", "TLD.LL",
    "ARRAY_2D, 0xf"},
   {"FRAG", "1D_ARRAY", "IN[0], SAMP[0], 1D_ARRAY", "TXF_LZ", "TLD.LZ",
    "ARRAY_1D, 0xf"},
   {"FRAG", "2D_MSAA", "IN[0], SAMP[0], 2D_MSAA", "TXF", "TLDS.LZ.MS",
    "2D, RGBA"},
   {"FRAG", "2D_ARRAY_MSAA", "IN[0], SAMP[0], 2D_ARRAY_MSAA", "TXF",
    "TLD.LZ.MS", "ARRAY_2D, 0xf"},

   {"FRAG", "2D", "IN[0], IMM[2].xxxx, SAMP[0], 2D", "TG4", "TLD4S.G", NULL},
   {"FRAG", "2D", "IN[0], IMM[2].xxxx, SAMP[0], 2D, IMM[1].xyz", "TG4",
    "TLD4S.G.AOFFI", NULL},
   {"FRAG", "2D", "IN[0], IMM[2].xxxx, SAMP[0], SHADOW2D", "TG4", "TLD4S.R.DC",
    NULL},
   {"FRAG", "CUBE", "IN[0], IMM[2].xxxx, SAMP[0], CUBE", "TG4", "TLD4.G",
    "CUBE, 0xf"},
   {"FRAG", "2D", "IN[0].xxxx, SAMP[0], 2D", "TXQ", "TXQ", "0xf"},
   {"FRAG", "2D", "IN[0], SAMP[0], 2D", "LODQ", "TMML.LOD", "2D, 0x3"},

   {"FRAG", "2D", "IN[0], SVIEW[0], SAMP[1]", "SAMPLE", "TEXS", "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SVIEW[0], SAMP[1], IN[1]", "SAMPLE_C", "TEXS.DC",
    "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SVIEW[0], SAMP[1], IN[1]", "SAMPLE_L", "TEXS.LL",
    "2D, RGBA"},
   {"FRAG", "2D", "IN[0], SVIEW[0], SAMP[1], IN[1]", "SAMPLE_B", "TEX.LB",
    "2D, 0xf"},
   {"FRAG", "2D", "IN[0], SVIEW[0]", "SAMPLE_I", "TLDS.LL", "2D, RGBA"},
};

/* ---- running ------------------------------------------------------------- */

static char *
make_shader(const struct lower_case *with)
{
   bool is_fragment = strcmp(with->stage, "FRAG") == 0;
   struct tg_strbuf out = {0};

   tg_strbuf_printf(&out, "%s\n", with->stage);
   for (unsigned i = 0; i < 3; i++)
      tg_strbuf_printf(&out,
                       is_fragment ? "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n"
                                   : "DCL IN[%u]\n",
                       i, i);
   tg_strbuf_printf(&out,
                    "DCL OUT[0], %s\nDCL SAMP[0..1]\n"
                    "DCL SVIEW[0], %s, FLOAT\n"
                    "IMM[0] FLT32 {0.5, 0.25, 0.75, 0.0}\n"
                    "IMM[1] INT32 {1, -2, 3, 0}\n"
                    "IMM[2] UINT32 {1, 0, 0, 0}\n"
                    "0: %s OUT[0], %s\n1: END\n",
                    is_fragment ? "COLOR" : "GENERIC[0]", with->target,
                    with->opcode, with->code);
   return tg_strbuf_take(&out);
}

static struct tg_shader *
parse(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, "t", text, strlen(text), TG_DIALECT_2019,
                       diagnostics, &shader) != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);
      print_error("%s\n%s", text, complaints);
      tg_string_free(complaints);
   }
   tg_diagnostics_destroy(diagnostics);
   assert_non_null(shader);
   return shader;
}

static struct tg_maxwell_lowering *
lower(const struct tg_shader *shader)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_lowering *lowering = NULL;

   if (tg_maxwell_lower(NULL, shader, NULL, diagnostics, &lowering) != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);
      print_error("%s", complaints);
      tg_string_free(complaints);
   }
   tg_diagnostics_destroy(diagnostics);
   assert_non_null(lowering);
   return lowering;
}

/* Is the name of the instruction this, without .NODEP and .P, and does the
 * line end in these operands? */
static bool
is_expected(const char *line, const struct lower_case *with)
{
   char expected[64];
   size_t length =
      (size_t)snprintf(expected, sizeof(expected), "%s%s.P ", with->mnemonic,
                       strcmp(with->stage, "FRAG") == 0 ? ".NODEP" : "");

   if (strncmp(line, expected, length) != 0)
      return false;
   snprintf(expected, sizeof(expected), ", %s &",
            with->operands ? with->operands : "0x0");
   return strstr(line, expected) != NULL;
}

static void
each_opcode_and_target(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char *text = make_shader(&cases[i]);
      struct tg_shader *shader = parse(text);
      struct tg_maxwell_lowering *lowering = lower(shader);
      const struct tg_maxwell_program *program =
         tg_maxwell_lowering_program(lowering);
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      char *line = tg_maxwell_print(program, 0);

      assert_int_equal(tg_maxwell_num_instructions(program), 1);
      if (!is_expected(line, &cases[i]))
         fail_msg("%s of %s became %s", cases[i].opcode, cases[i].code, line);
      assert_int_equal(tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics),
                       TG_OK);
      assert_int_equal(tg_diagnostics_count(diagnostics), 0);
      tg_diagnostics_destroy(diagnostics);
      tg_string_free(line);
      tg_maxwell_lowering_destroy(lowering);
      tg_shader_destroy(shader);
      tg_string_free(text);
   }
}

/* ---- whole listings ------------------------------------------------------ */

static void
expect_listing(const char *text, const char *expected)
{
   struct tg_shader *shader = parse(text);
   struct tg_maxwell_lowering *lowering = lower(shader);
   char *listing = tg_maxwell_lowering_print(lowering);

   assert_string_equal(listing, expected);
   tg_string_free(listing);
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
}

/* Two textures at the same place share its registers; the first fetch is
 * followed by one that takes derivatives, so it may not drop killed threads.
 * Pairs come first: x and y to R0, RG to R2, as both are alive at the second
 * fetch; then z to R4, and what that fetch gives to R0, since nothing reads x
 * any more. It waits for the first fetch to have read R0, two cycles after that
 * was issued. */
static void
coordinates_are_shared(void **state)
{
   (void)state;
   expect_listing(
      "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
      "DCL SAMP[0..1]\nDCL SVIEW[0..1], 3D, FLOAT\nDCL TEMP[0..1]\n"
      "0: TEX TEMP[0].xy, IN[0], SAMP[0], 3D\n"
      "1: TEX TEMP[1].w, IN[0], SAMP[1], 3D\n"
      "2: ADD OUT[0], TEMP[0].xyxy, TEMP[1].wwww\n"
      "3: END\n",
      "# handle 0x0: view 0, sampler 0\n"
      "# handle 0x1: view 1, sampler 1\n"
      "0: TEX TEMP[0].xy, IN[0], SAMP[0], 3D\n"
      "        TEXS.T RZ, R2, R0, R4, 0x0, 3D, RG &rd=5 &wr=0 ?stall=2;\n"
      "1: TEX TEMP[1].w, IN[0], SAMP[1], 3D\n"
      "        TEXS.NODEP.P RZ, R0, R0, R4, 0x1, 3D, A &req=5 &rd=5 &wr=1 "
      "?stall=2;\n"
      "2: ADD OUT[0], TEMP[0].xyxy, TEMP[1].wwww  # &req=0,1,5\n"
      "3: END\n"
      "# 2 scalar, 0 full, 0 not needed; 0 moves, 0 conversions, 5 "
      "registers\n");
}

/* ---- memory that runs out ------------------------------------------------ */

/* Control flow, a pair that needs a move, constants, an offset in steps, a
 * texture that is named indirectly, derivatives in a quad. */
static const char all_kinds[] =
   "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
   "DCL SAMP[0..1]\nDCL SVIEW[0..1], 2D, FLOAT\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
   "DCL CONST[0..1]\nIMM[0] INT32 {1, 2, 3, 4}\n"
   "0: UARL ADDR[0].x, IN[0].zzzz\n"
   "1: UIF IN[0].xxxx\n"
   "2: TEX TEMP[0].xyz, -IN[0], SAMP[0], 2D\n"
   "3: ENDIF\n"
   "4: TXL TEMP[1], TEMP[0].yxzz, SAMP[1], 2D\n"
   "5: TXF TEMP[2], CONST[1], SAMP[0], 2D, IN[0].xyz\n"
   "6: TEX_SAT TEMP[3], IN[0], SAMP[ADDR[0].x], 2D, IMM[0].xyz\n"
   "7: TXD TEMP[2], TEMP[2], IN[0], -IN[0], SAMP[0], SHADOW2D\n"
   "8: ADD TEMP[1], TEMP[1], TEMP[2]\n"
   "9: ADD OUT[0], TEMP[1], TEMP[3]\n"
   "10: END\n";

static enum tg_result
lower_and_print(const struct tg_allocator *allocator)
{
   struct tg_shader *shader = parse(all_kinds);
   struct tg_maxwell_lowering *lowering = NULL;
   enum tg_result result =
      tg_maxwell_lower(allocator, shader, NULL, NULL, &lowering);

   if (result == TG_OK) {
      char *listing = tg_maxwell_lowering_print(lowering);
      char *json = tg_maxwell_lowering_json(lowering);

      if (!listing || !json)
         result = TG_ERROR_MEMORY;
      tg_string_free(listing);
      tg_string_free(json);
   } else {
      assert_null(lowering);
   }
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   return result;
}

static void
memory_runs_out(void **state)
{
   (void)state;
   sweep(lower_and_print);
}

/* ---- large shaders ------------------------------------------------------- */

/* A shader that writes each register, then one instruction, again and again,
 * before a fetch that needs what it gives. */
static char *
make_large(unsigned num_temps, unsigned num_instructions)
{
   struct tg_strbuf out = {0};

   tg_strbuf_printf(&out,
                    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n"
                    "DCL OUT[0], COLOR\nDCL SAMP[0]\n"
                    "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..%u]\n",
                    num_temps - 1);
   for (unsigned i = 0; i < num_instructions; i++)
      tg_strbuf_printf(&out,
                       i < num_temps ? "MOV TEMP[%u], IN[0]\n"
                                     : "ADD TEMP[0], TEMP[0], TEMP[%u]\n",
                       i % num_temps);
   tg_strbuf_add(&out, "TEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n");
   return tg_strbuf_take(&out);
}

static void
expect_limit(unsigned num_temps, unsigned num_instructions,
             const char *complaint)
{
   char *text = make_large(num_temps, num_instructions);
   struct tg_shader *shader = parse(text);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_lowering *lowering = NULL;

   assert_int_equal(
      tg_maxwell_lower(NULL, shader, NULL, diagnostics, &lowering),
      TG_ERROR_LIMIT);
   assert_null(lowering);
   size_t count = tg_diagnostics_count(diagnostics);
   assert_string_equal(tg_diagnostics_get(diagnostics, count - 1)->message,
                       complaint);
   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
   tg_string_free(text);
}

/* Four values for each instruction, the four that are there before, and those
 * of the fetch: 4 for OUT[0], and 6 that moves could add. */
static void
large_shaders_are_refused(void **state)
{
   (void)state;
   expect_limit(
      1, 10000,
      "there are 40014 values to find registers for, and may be 16384");
   /* Components of TEMP, of IN[0] and of OUT[0]. */
   expect_limit(2000, 4000,
                "4002 instructions with 8008 components of registers are "
                "32048016 to keep track of, and may be 8388608");
   expect_limit(64, 128, "255 registers do not suffice for this shader");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_opcode_and_target),
      cmocka_unit_test(coordinates_are_shared),
      cmocka_unit_test(memory_runs_out),
      cmocka_unit_test(large_shaders_are_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
