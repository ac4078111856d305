/* SPDX-License-Identifier: MIT
 *
 * What is found in shaders: each fact is read off the text above it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <string.h>

#include "tgsi/analysis/info.h"
#include "tgsi/analysis/instruction.h"

#define SEMANTIC(name) (UINT64_C(1) << TG_SEMANTIC_##name)

static struct tg_shader *
parse(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   tg_shader_parse(NULL, "info", text, strlen(text), TG_DIALECT_2019,
                   diagnostics, &shader);
   if (shader)
      tg_shader_validate(shader, diagnostics);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 0);
   tg_diagnostics_destroy(diagnostics);
   return shader;
}

static struct tg_info
scan(const char *text)
{
   struct tg_shader *shader = parse(text);
   struct tg_info info;

   assert_int_equal(tg_info_scan(shader, &info), TG_OK);
   tg_shader_destroy(shader);
   return info;
}

static const char fragment[] =
   "FRAG\n"
   "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
   "DCL IN[0], POSITION, LINEAR\n"
   "DCL IN[1].xy, GENERIC[3], PERSPECTIVE, CENTROID\n"
   "DCL OUT[0], COLOR\n"
   "DCL OUT[1], POSITION\n"
   "DCL SAMP[2]\n"
   "DCL CONST[1][0..7]\n"
   "DCL TEMP[0..3], ARRAY(1), LOCAL\n"
   "DCL TEMP[4]\n"
   "DCL ADDR[0]\n"
   "IMM[0] UINT32 {0, 1, 2, 3}\n"
   "UARL ADDR[0].x, IMM[0].xxxx\n"
   "UIF IMM[0].yyyy\n"
   "  TXP TEMP[4], IN[1].xyxy, SAMP[2], RECT\n"
   "  MOV TEMP[ADDR[0].x](1), TEMP[4]\n"
   "ENDIF\n"
   "KILL_IF CONST[1][ADDR[0].x]\n"
   "DDX OUT[0].xy, TEMP[ADDR[0].x](1)\n"
   "MOV OUT[1].z, IN[0].zzzz\n"
   "END\n";

static void
test_fragment_declarations(void **state)
{
   (void)state;
   const struct tg_info info = scan(fragment);

   assert_int_equal(info.processor, TG_PROCESSOR_FRAG);
   assert_true(info.has_property[TG_PROPERTY_FS_COORD_ORIGIN]);
   assert_int_equal(info.properties[TG_PROPERTY_FS_COORD_ORIGIN], 1);
   assert_false(info.has_property[TG_PROPERTY_FS_COORD_PIXEL_CENTER]);
   assert_int_equal(info.files[TG_FILE_TEMP].count, 5);
   assert_int_equal(info.files[TG_FILE_TEMP].max, 4);
   assert_int_equal(info.files[TG_FILE_TEMP].last_array, 1);
   assert_int_equal(info.files[TG_FILE_SV].max, -1);
   assert_int_equal(info.inputs.count, 2);
   assert_int_equal(info.outputs.count, 2);
   assert_int_equal(info.inputs.list[1].semantic_index, 3);
   assert_int_equal(info.inputs.list[1].location, TG_LOCATION_CENTROID);
   assert_int_equal(info.inputs.list[1].declared, TG_MASK_X | TG_MASK_Y);
   assert_true(info.const_buffers[1].is_declared);
   assert_int_equal(info.const_buffers[1].count, 8);
   assert_false(info.const_buffers[0].is_declared);
   assert_int_equal(info.num_immediates, 1);
   assert_true(info.in_semantics == (SEMANTIC(POSITION) | SEMANTIC(GENERIC)));
   assert_true(info.out_semantics == (SEMANTIC(POSITION) | SEMANTIC(COLOR)));
   assert_true(info.sv_semantics == 0);
}

static void
test_fragment_instructions(void **state)
{
   (void)state;
   const struct tg_info info = scan(fragment);

   assert_int_equal(info.num_instructions, 9);
   assert_int_equal(info.opcodes[TG_OPCODE_MOV], 2);
   assert_int_equal(info.opcodes[TG_OPCODE_TEX], 0);
   assert_int_equal(info.max_depth, 1);
   assert_int_equal(info.inputs.list[0].read, TG_MASK_Z);
   /* Coordinates x and y of the swizzle, and its w, which is y. */
   assert_int_equal(info.inputs.list[1].read, TG_MASK_X | TG_MASK_Y);
   assert_int_equal(info.outputs.list[0].written, TG_MASK_X | TG_MASK_Y);
   assert_int_equal(info.outputs.list[1].written, TG_MASK_Z);
   assert_true(info.files[TG_FILE_TEMP].indirect_write);
   assert_true(info.files[TG_FILE_TEMP].indirect_read);
   assert_true(info.files[TG_FILE_CONST].indirect_read);
   assert_false(info.files[TG_FILE_CONST].indirect_dimension);
   assert_true(info.const_buffers[1].is_indirect);
   assert_int_equal(info.samplers[2].target, TG_TARGET_RECT);
   assert_true(info.interpolates[TG_INTERPOLATE_LINEAR][TG_LOCATION_CENTER]);
   assert_true(
      info.interpolates[TG_INTERPOLATE_PERSPECTIVE][TG_LOCATION_CENTROID]);
   assert_false(
      info.interpolates[TG_INTERPOLATE_PERSPECTIVE][TG_LOCATION_CENTER]);
   assert_int_equal(info.uses,
                    TG_USES_KILL | TG_USES_DERIVATIVES | TG_USES_POSITION_Z);
}

static void
test_compute_memory(void **state)
{
   (void)state;
   const struct tg_info info =
      scan("COMP\n"
           "DCL SV[0], THREAD_ID\n"
           "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, WR\n"
           "DCL BUFFER[0..2]\n"
           "DCL MEMORY[0], SHARED\n"
           "DCL TEMP[0]\n"
           "LOAD TEMP[0].x, BUFFER[0], SV[0].yyyy\n"
           "ATOMUADD TEMP[0].x, BUFFER[1], SV[0].xxxx, TEMP[0].xxxx\n"
           "ATOMXCHG TEMP[0].x, MEMORY[0], SV[0].xxxx, TEMP[0].xxxx\n"
           "BARRIER\n"
           "STORE IMAGE[1], SV[0], TEMP[0], 2D, PIPE_FORMAT_R32_UINT\n"
           "LOAD TEMP[0].x, BUFFER[2], SV[0].zzzz\n"
           "END\n");

   assert_true(info.buffers[0].is_loaded && !info.buffers[0].is_atomic);
   assert_true(info.buffers[1].is_atomic && !info.buffers[1].is_loaded);
   assert_true(info.images[1].is_stored && !info.images[1].is_loaded);
   assert_false(info.images[0].is_declared);
   assert_int_equal(info.images[1].format, TG_FORMAT_R32_UINT);
   assert_int_equal(info.images[1].target, TG_TARGET_2D);
   assert_int_equal(info.sysvals.list[0].read,
                    TG_MASK_X | TG_MASK_Y | TG_MASK_Z);
   assert_int_equal(info.uses, TG_USES_MEMORY_WRITES | TG_USES_SHARED_MEMORY |
                                  TG_USES_ATOMICS | TG_USES_BARRIER);
}

/* The registers of RES that are kinds of memory: one of them is shared. */
static void
test_kernel_memory(void **state)
{
   (void)state;
   const struct tg_info alone = scan("COMP\n"
                                     "DCL TEMP[0]\n"
                                     "LOAD TEMP[0].x, RINPUT, TEMP[0].xxxx\n"
                                     "STORE RPRIVATE.x, TEMP[0].xxxx, TEMP[0]\n"
                                     "END\n");
   const struct tg_info shared = scan("COMP\n"
                                      "DCL TEMP[0]\n"
                                      "LOAD TEMP[0].x, RLOCAL, TEMP[0].xxxx\n"
                                      "END\n");

   assert_false(alone.uses & TG_USES_SHARED_MEMORY);
   assert_true(shared.uses & TG_USES_SHARED_MEMORY);
}

/* RES is three things, by its declaration. */
static void
test_resources(void **state)
{
   (void)state;
   const struct tg_info info =
      scan("COMP\n"
           "DCL RES[0], BUFFER, RAW, WR\n"
           "DCL RES[1], 3D, WR\n"
           "DCL RES[2], 2D, FLOAT\n"
           "DCL TEMP[0]\n"
           "LOAD TEMP[0], TEMP[0], RES[2]\n"
           "STORE RES[1], TEMP[0], TEMP[0]\n"
           "ATOMUADD TEMP[0].x, RES[0], TEMP[0].xxxx, TEMP[0].xxxx\n"
           "END\n");

   assert_true(info.buffers[0].is_declared && info.buffers[0].is_atomic);
   assert_true(info.images[1].is_declared && info.images[1].is_stored);
   assert_int_equal(info.images[1].target, TG_TARGET_3D);
   assert_true(info.samplers[2].is_declared && info.samplers[2].is_loaded);
   assert_false(info.samplers[0].is_declared || info.samplers[1].is_declared);
   assert_false(info.images[0].is_declared || info.buffers[1].is_declared);
}

/* Handles stand in registers, also where STORE writes; a constant buffer that
 * is read by addresses is none. */
static void
test_handles(void **state)
{
   (void)state;
   const struct tg_info given =
      scan("FRAG\n"
           "DCL IN[0], GENERIC[0], CONSTANT\n"
           "DCL OUT[0], COLOR\n"
           "DCL CONST[0][0]\n"
           "LOAD OUT[0], CONST[0][0], IN[0].zzzz, 2D\n"
           "STORE IN[0], IN[0].zzzz, IN[0].zzzz, 2D\n"
           "END\n");

   assert_int_equal(given.uses,
                    TG_USES_BINDLESS_IMAGES | TG_USES_MEMORY_WRITES);
   assert_int_equal(given.inputs.list[0].read,
                    TG_MASK_X | TG_MASK_Y | TG_MASK_Z);
   assert_int_equal(given.inputs.list[0].written, 0);

   const struct tg_info constant = scan("FRAG\n"
                                        "DCL OUT[0], COLOR\n"
                                        "DCL CONST[0][0]\n"
                                        "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                        "LOAD OUT[0], CONST[0][0], IMM[0]\n"
                                        "END\n");
   assert_int_equal(constant.uses, 0);
}

static void
test_geometry_streams(void **state)
{
   (void)state;
   const struct tg_info info =
      scan("GEOM\n"
           "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
           "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
           "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
           "DCL IN[][0], POSITION\n"
           "DCL OUT[0], POSITION\n"
           "DCL OUT[1].xyz, GENERIC[0], STREAM(1, 1, 2, 0)\n"
           "IMM[0] UINT32 {0, 0, 0, 0}\n"
           "MOV OUT[0], IN[0][0]\n"
           "MOV OUT[1].xyz, IN[0][0]\n"
           "EMIT IMM[0].xxxx\n"
           "END\n");

   assert_int_equal(info.stream_components[0], 4);
   assert_int_equal(info.stream_components[1], 2);
   assert_int_equal(info.stream_components[2], 1);
   assert_int_equal(info.properties[TG_PROPERTY_GS_INVOCATIONS], 1);
   assert_false(info.has_property[TG_PROPERTY_GS_INVOCATIONS]);
}

static void
test_more_registers_than_listed(void **state)
{
   (void)state;
   const struct tg_info info = scan("VERT\n"
                                    "DCL IN[0..200]\n"
                                    "DCL OUT[0], POSITION\n"
                                    "MOV OUT[0], IN[150]\n"
                                    "END\n");

   assert_int_equal(info.inputs.count, TG_INFO_MAX_REGISTERS);
   assert_int_equal(info.files[TG_FILE_IN].count, 201);
   assert_int_equal(info.uses, TG_USES_MORE_REGISTERS);
}

/* ---- channels that are read ---------------------------------------------- */

/* What an instruction, the first of a shader, reads of its sources. */
static void
check_reads(const char *instruction, const unsigned *expected, unsigned count)
{
   static const char head[] = "FRAG\n"
                              "DCL TEMP[0..9]\n"
                              "DCL SAMP[0]\n"
                              "DCL IMAGE[0], 2D_ARRAY, WR\n"
                              "DCL BUFFER[0]\n";
   char text[512];
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   strcpy(text, head);
   strcat(text, instruction);
   strcat(text, "\nEND\n");
   assert_int_equal(tg_shader_parse(NULL, "reads", text, strlen(text),
                                    TG_DIALECT_2019, diagnostics, &shader),
                    TG_OK);
   const struct tg_instruction *first = &shader->instructions[0];
   const struct tg_opcode_info *row = tg_instruction_row(shader, first);
   assert_int_equal(first->num_src, count);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(tg_instruction_reads(first, row, i), expected[i]);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

#define READS(instruction, ...)                                                \
   check_reads(instruction, (const unsigned[]){__VA_ARGS__},                   \
               sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

enum { X = 1, Y = 2, Z = 4, W = 8 };

static void
test_reads(void **state)
{
   (void)state;
   READS("ADD TEMP[0].xz, TEMP[1], TEMP[2]", X | Z, X | Z);
   READS("RCP TEMP[0].yzw, TEMP[1]", X);
   READS("DP3 TEMP[0].w, TEMP[1], TEMP[2]", X | Y | Z, X | Y | Z);
   READS("DST TEMP[0], TEMP[1], TEMP[2]", Y | Z, Y | W);
   READS("LIT TEMP[0].xw, TEMP[1]", 0);
   READS("LIT TEMP[0].y, TEMP[1]", X);
   READS("LIT TEMP[0].z, TEMP[1]", X | Y | W);
   READS("EXP TEMP[0].w, TEMP[1]", 0);
   READS("EXP TEMP[0].zw, TEMP[1]", X);
   READS("DADD TEMP[0].xy, TEMP[1], TEMP[2]", X | Y, X | Y);
   READS("DADD TEMP[0].w, TEMP[1], TEMP[2]", Z | W, Z | W);
   READS("DLDEXP TEMP[0].zw, TEMP[1], TEMP[2]", Z | W, Z);
   READS("U64SHL TEMP[0].zw, TEMP[1], TEMP[2]", Z | W, Y);
   READS("F2D TEMP[0], TEMP[1]", X | Y);
   READS("D2F TEMP[0].y, TEMP[1]", Z | W);
   READS("KILL_IF TEMP[1]", X | Y | Z | W);
   READS("TEX TEMP[0], TEMP[1], SAMP[0], 2D", X | Y, 0);
   READS("TEX TEMP[0], TEMP[1], SAMP[0], SHADOW1D", X | Z, 0);
   READS("TEX TEMP[0], TEMP[1], SAMP[0], SHADOW2D_ARRAY", X | Y | Z | W, 0);
   READS("TEX TEMP[0], TEMP[1], TEMP[2], 3D", X | Y | Z, X | Y);
   READS("TXL TEMP[0], TEMP[1], SAMP[0], 1D", X | W, 0);
   READS("TXD TEMP[0], TEMP[1], TEMP[2], TEMP[3], SAMP[0], 2D_ARRAY", X | Y | Z,
         X | Y, X | Y, 0);
   READS("LODQ TEMP[0], TEMP[1], SAMP[0], SHADOW2D_ARRAY", X | Y, 0);
   READS("LOAD TEMP[0], BUFFER[0], TEMP[1]", 0, X);
   READS("LOAD TEMP[0], IMAGE[0], TEMP[1], 2D_ARRAY", 0, X | Y | Z);
}

/* ---- the printed forms --------------------------------------------------- */

static void
test_json(void **state)
{
   (void)state;
   struct tg_shader *shader = parse(fragment);
   char *text = tg_shader_info_json(shader);
   cJSON *json = cJSON_Parse(text);

   assert_non_null(json);
   assert_string_equal(
      cJSON_GetStringValue(cJSON_GetObjectItem(json, "processor")), "FRAG");
   const cJSON *opcodes = cJSON_GetObjectItem(json, "opcodes");
   assert_int_equal(cJSON_GetObjectItem(opcodes, "MOV")->valueint, 2);
   assert_null(cJSON_GetObjectItem(opcodes, "TEX"));
   const cJSON *input =
      cJSON_GetArrayItem(cJSON_GetObjectItem(json, "inputs"), 1);
   assert_string_equal(
      cJSON_GetStringValue(cJSON_GetObjectItem(input, "semantic")), "GENERIC");
   assert_string_equal(
      cJSON_GetStringValue(cJSON_GetObjectItem(input, "location")), "CENTROID");
   const cJSON *uses = cJSON_GetObjectItem(json, "uses");
   assert_int_equal(cJSON_GetArraySize(uses), 3);
   assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(uses, 0)),
                       "kill");

   cJSON_Delete(json);
   tg_string_free(text);
   tg_shader_destroy(shader);
}

static void
test_text(void **state)
{
   (void)state;
   struct tg_shader *shader = parse(fragment);
   char *text = tg_shader_info_text(shader);

   assert_string_equal(text, "FRAG\n"
                             "instructions: 9\n"
                             "immediates: 1\n"
                             "subroutines: 0\n"
                             "nesting: 1\n"
                             "input IN[0] POSITION, reads z\n"
                             "input IN[1] GENERIC[3], reads xy\n"
                             "output OUT[0] COLOR, writes xy\n"
                             "output OUT[1] POSITION, writes z\n"
                             "file CONST: 8 declared, indexed\n"
                             "file IN: 2 declared\n"
                             "file OUT: 2 declared\n"
                             "file TEMP: 5 declared, indexed\n"
                             "file SAMP: 1 declared\n"
                             "file ADDR: 1 declared\n"
                             "constants 1: 8 registers\n"
                             "sampler 2: RECT\n"
                             "uses kill\n"
                             "uses derivatives\n"
                             "uses position_z\n");
   tg_string_free(text);
   tg_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fragment_declarations),
      cmocka_unit_test(test_fragment_instructions),
      cmocka_unit_test(test_compute_memory),
      cmocka_unit_test(test_kernel_memory),
      cmocka_unit_test(test_resources),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_geometry_streams),
      cmocka_unit_test(test_more_registers_than_listed),
      cmocka_unit_test(test_reads),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_text),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
