/* SPDX-License-Identifier: MIT
 *
 * Lowering with a stage around it: its functions are asked for what they should
 * be, and what they give arrives. And bounds, and what is traced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../sweep.h"
#include "abi/events.h"
#include "runner.h"

/* ---- a stage that writes down what it is asked --------------------------- */

struct log {
   char text[2048];
   uint32_t num_outputs;
   bool is_declared[8];
};

__attribute__((format(printf, 2, 3))) static void
note(struct log *log, const char *format, ...)
{
   size_t length = strlen(log->text);
   va_list args;

   va_start(args, format);
   vsnprintf(log->text + length, sizeof(log->text) - length, format, args);
   va_end(args);
}

/* Input r.c is the float 10 * r + c, at other places 100 times the place more,
 * and what it was asked for as integers. */
static lir_value
give_input(void *user, struct lir_builder *builder, uint32_t reg,
           unsigned channel, enum lower_place place, const lir_value at[2])
{
   note(user, "IN[%u].%c@%d ", (unsigned)reg, "xyzw"[channel], (int)place);
   if (place == LOWER_PLACE_SAMPLE)
      return at[0];
   return lir_constf(builder,
                     (float)(100 * (int)place + 10 * (int)reg + (int)channel));
}

static lir_value
give_sysval(void *user, struct lir_builder *builder, uint32_t reg,
            unsigned channel)
{
   note(user, "SV[%u].%c ", (unsigned)reg, "xyzw"[channel]);
   return lir_const32(builder, 5000 + 10 * reg + channel);
}

/* Stores OUT[r].c to word r * 4 + c, and notes which registers there are. */
static void
take_outputs(void *user, struct lir_builder *builder,
             const uint32_t (*output_var)[4], uint32_t num_outputs)
{
   struct log *log = user;

   log->num_outputs = num_outputs;
   for (uint32_t r = 0; r < num_outputs; r++) {
      log->is_declared[r] = output_var[r][0] != UINT32_MAX;
      for (unsigned c = 0; c < 4 && log->is_declared[r]; c++) {
         lir_value value = lir_getvar(builder, output_var[r][c]);
         lir_value word = lir_const32(builder, r * 4 + c);

         lir_store32(builder, LIR_SPACE_OUTPUT, 0, word, value);
      }
   }
}

/* Runs a text inside of the stage. Both times that a runner lowers are noted;
 * `log` is the second. */
static void
run_in_stage(struct runner *runner, struct log *log, const char *text)
{
   static struct lower_stage stage;

   stage = (struct lower_stage){
      .user = log,
      .input = give_input,
      .sysval = give_sysval,
      .epilogue = take_outputs,
   };
   *log = (struct log){0};
   runner_init(runner, TG_DIALECT_2019, text);
   assert_int_equal(runner->result, TG_OK);
   runner->options.stage = &stage;
   runner_run(runner);

   size_t half = strlen(log->text) / 2;
   assert_memory_equal(log->text, log->text + half, half);
   log->text[half] = '\0';
}

static uint32_t
bits(float value)
{
   uint32_t word;

   memcpy(&word, &value, sizeof(word));
   return word;
}

/* ---- tests --------------------------------------------------------------- */

static struct runner runner;
static struct log asked;

static void
test_values(void **state)
{
   (void)state;
   run_in_stage(&runner, &asked,
                "FRAG\n"
                "DCL IN[0..2], GENERIC[0], PERSPECTIVE\n"
                "DCL OUT[0], COLOR[0]\n"
                "DCL OUT[2], COLOR[1]\n"
                "DCL SV[0], SAMPLEID\n"
                "0: MOV OUT[0].xy, IN[2].zwzw\n"
                "1: CAL :3\n"
                "2: END\n"
                "3: BGNSUB\n"
                "4:   MOV OUT[0].z, IN[1].xxxx\n"
                "5:   MOV OUT[2].w, SV[0].yyyy\n"
                "6: ENDSUB\n");
   assert_int_equal(runner.result, TG_OK);
   assert_string_equal(asked.text, "IN[1].x@0 IN[2].z@0 IN[2].w@0 SV[0].y ");
   assert_int_equal(asked.num_outputs, 3);
   assert_true(asked.is_declared[0] && asked.is_declared[2]);
   assert_false(asked.is_declared[1]);
   assert_int_equal(runner.output[0][7], bits(22.0f));
   assert_int_equal(runner.output[1][7], bits(23.0f));
   assert_int_equal(runner.output[2][7], bits(10.0f));
   assert_int_equal(runner.output[3][7], 0);
   assert_int_equal(runner.output[11][7], 5001);
   runner_finish(&runner);
}

static void
test_computed_values(void **state)
{
   (void)state;
   run_in_stage(&runner, &asked,
                "FRAG\n"
                "DCL IN[0..1], GENERIC[0], PERSPECTIVE\n"
                "DCL OUT[0..1], COLOR[0]\n"
                "DCL SV[0], SAMPLEID\n"
                "DCL ADDR[0]\n"
                "IMM[0] INT32 {1, 0, 0, 0}\n"
                "0: UARL ADDR[0].x, IMM[0].xxxx\n"
                "1: MOV OUT[ADDR[0].x-1].x, IN[ADDR[0].x].yyyy\n"
                "2: MOV OUT[ADDR[0].x].y, SV[ADDR[0].x-1].zzzz\n"
                "3: MOV OUT[1].z, IN[0].wwww\n"
                "4: END\n");
   assert_int_equal(runner.result, TG_OK);
   assert_int_equal(runner.output[0][0], bits(11.0f));
   assert_int_equal(runner.output[5][0], 5002);
   assert_int_equal(runner.output[6][0], bits(3.0f));
   runner_finish(&runner);
}

static void
test_places(void **state)
{
   (void)state;
   run_in_stage(&runner, &asked,
                "FRAG\n"
                "DCL IN[0..1], GENERIC[0], PERSPECTIVE\n"
                "DCL OUT[0..1], COLOR[0]\n"
                "DCL ADDR[0]\n"
                "IMM[0] INT32 {1, 0, 77, 0}\n"
                "IMM[1] FLT32 {0.5, 0.0, 0.0, 0.0}\n"
                "0: UARL ADDR[0].x, IMM[0].xxxx\n"
                "1: INTERP_CENTROID OUT[0].x, -IN[1].yyyy\n"
                "2: INTERP_OFFSET OUT[0].y, IN[ADDR[0].x].zzzz, IMM[1]\n"
                "3: INTERP_SAMPLE OUT[0].z, IN[0].xxxx, IMM[0].zzzz\n"
                "4: END\n");
   assert_int_equal(runner.result, TG_OK);
   assert_int_equal(runner.output[0][0], bits(-111.0f));
   assert_int_equal(runner.output[1][0], bits(312.0f));
   assert_int_equal(runner.output[2][0], 77);
   assert_non_null(
      strstr(asked.text, "IN[1].y@1 IN[0].z@3 IN[1].z@3 IN[0].x@2"));
   runner_finish(&runner);
}

/* ---- what executes ------------------------------------------------------- */

/* All but those that were removed. */
static void
test_opcodes(void **state)
{
   (void)state;
   assert_true(lower_has_opcode(TG_OPCODE_ADD));
   assert_true(lower_has_opcode(TG_OPCODE_SAMPLE));
   assert_false(lower_has_opcode(TG_OPCODE_UNK67));
   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      const bool is_one =
         tg_opcodes[i].name && tg_opcodes[i].group != TG_GROUP_GAP;

      assert_int_equal(lower_has_opcode((enum tg_opcode)i), is_one);
   }
}

/* ---- layouts ------------------------------------------------------------- */

static void
expect_limit(const char *text, const char *complaint)
{
   runner_init(&runner, TG_DIALECT_2019, text);
   assert_int_equal(runner.result, TG_ERROR_LIMIT);
   assert_string_equal(tg_diagnostics_get(runner.diagnostics, 0)->message,
                       complaint);
   runner_finish(&runner);
}

static void
test_layouts(void **state)
{
   (void)state;
   runner_init(&runner, TG_DIALECT_2019,
               "GEOM\n"
               "PROPERTY GS_INPUT_PRIMITIVE LINES_ADJACENCY\n"
               "DCL IN[][0..2], GENERIC[0]\n"
               "DCL OUT[0..1], GENERIC[0]\n"
               "DCL SV[3], PRIMID\n"
               "DCL CONST[0..9]\n"
               "DCL CONST[2][5]\n"
               "END\n");
   assert_int_equal(runner.result, TG_OK);
   assert_int_equal(runner.layout.num_inputs, 3);
   assert_int_equal(runner.layout.num_input_vertices, 4);
   assert_int_equal(runner.layout.num_outputs, 2);
   assert_int_equal(runner.layout.num_output_vertices, 1);
   assert_int_equal(runner.layout.num_sysvals, 4);
   assert_int_equal(runner.layout.num_const_buffers, 3);
   assert_int_equal(runner.layout.num_const_registers[0], 10);
   assert_int_equal(runner.layout.num_const_registers[1], 0);
   assert_int_equal(runner.layout.num_const_registers[2], 6);
   runner_finish(&runner);

   expect_limit("VERT\nDCL TEMP[32768]\nEND\n",
                "TEMP[32768] is beyond the 32768 registers that a shader may "
                "have");
   expect_limit("VERT\nDCL IN[0..128]\nEND\n",
                "IN[128] is beyond the 128 registers that a shader may have");
   expect_limit("VERT\nDCL BUFFER[32]\nEND\n",
                "BUFFER[32] is beyond the 32 registers that a shader may have");
   expect_limit("VERT\nDCL IMAGE[64], 2D\nEND\n",
                "IMAGE[64] is beyond the 64 registers that a shader may have");
   expect_limit("VERT\nDCL SAMP[32]\nEND\n",
                "SAMP[32] is beyond the 32 registers that a shader may have");
   expect_limit("VERT\nDCL SVIEW[128], 2D, FLOAT\nEND\n",
                "SVIEW[128] is beyond the 128 registers that a shader may "
                "have");
   expect_limit("VERT\nDCL RES[32], BUFFER, RAW\nEND\n",
                "RES[32] is beyond the 32 registers that a shader may have");
   expect_limit("VERT\nDCL RES[64], 2D, WR\nEND\n",
                "RES[64] is beyond the 64 registers that a shader may have");
   expect_limit("VERT\nDCL RES[128], 2D, FLOAT\nEND\n",
                "RES[128] is beyond the 128 registers that a shader may have");
   expect_limit("VERT\nDCL HWATOMIC[16][0]\nEND\n",
                "HWATOMIC[16] is beyond the 16 buffers of counters that a "
                "shader may have");
   expect_limit("VERT\nDCL TEMPX[0][32768]\nEND\n",
                "TEMPX[32768] is beyond the 32768 registers that a shader may "
                "have");
   expect_limit("VERT\nDCL TEMPX[256][0]\nEND\n",
                "TEMPX[256] is beyond the 256 arrays of temporaries that a "
                "shader may have");
   expect_limit(
      "VERT\nDCL TEMPX[0][0..32000]\nDCL TEMPX[255][0..767]\nEND\n",
      "TEMPX has 32769 registers in all arrays, and a shader may have "
      "32768");
   expect_limit("VERT\nDCL CONST[32][0]\nEND\n",
                "CONST[32] is beyond the 32 constant buffers that a shader may "
                "have");
}

/* ---- traces -------------------------------------------------------------- */

static void
note_trace(void *user, uint64_t tag, uint32_t lanes,
           const uint32_t value[LIR_LANES])
{
   unsigned detail = abi_tag_detail(tag);

   assert_int_equal(abi_tag_event(tag), ABI_EVENT_WRITE);
   note(user, "%u %u.%c %x %u; ", (unsigned)abi_tag_instruction(tag),
        detail >> 2, "xyzw"[detail & 3], (unsigned)lanes, (unsigned)value[3]);
}

static void
test_trace(void **state)
{
   const struct exec_listener listener = {.trace = note_trace, .user = &asked};

   (void)state;
   asked = (struct log){0};
   runner_init(&runner, TG_DIALECT_2019,
               "VERT\n"
               "DCL IN[0]\n"
               "DCL OUT[0], POSITION\n"
               "DCL TEMP[0..1]\n"
               "IMM[0] INT32 {4, 5, 6, 7}\n"
               "0: MOV TEMP[0].yw, IMM[0]\n"
               "1: UIF IN[0].zzzz\n"
               "2:   UADD OUT[0].x, TEMP[0].yyyy, IN[0].xxxx\n"
               "3: ENDIF\n"
               "4: END\n");
   runner.options.trace = true;
   runner.listener = &listener;
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);

   static const char once[] = "0 0.y ffff 5; 0 0.w ffff 7; 2 0.x aaaa 8; ";
   assert_memory_equal(asked.text, once, sizeof(once) - 1);
   assert_string_equal(asked.text + sizeof(once) - 1, once);
   runner_finish(&runner);
}

static void
note_event(void *user, uint64_t tag, uint32_t lanes,
           const uint32_t value[LIR_LANES])
{
   static const char letters[] = {
      [ABI_EVENT_INDEX] = 'i',  [ABI_EVENT_GUARD] = 'g',
      [ABI_EVENT_STEP] = 's',   [ABI_EVENT_CHOICE] = 'c',
      [ABI_EVENT_WRITE] = 'w',  [ABI_EVENT_COORDINATE] = 'o',
      [ABI_EVENT_ACCESS] = 'a',
   };

   note(user, "%u%c%u %x %x; ", (unsigned)abi_tag_instruction(tag),
        letters[abi_tag_event(tag)], abi_tag_detail(tag), (unsigned)lanes,
        (unsigned)value[3]);
}

/* Lane 3 finds 3 in IN[0].x, 1 in IN[0].z and 503 in IN[1].y. */
static void
test_events(void **state)
{
   const struct exec_listener listener = {.trace = note_event, .user = &asked};

   (void)state;
   asked = (struct log){0};
   runner_init(&runner, TG_DIALECT_2019,
               "VERT\n"
               "DCL IN[0..1]\n"
               "DCL OUT[0], POSITION\n"
               "DCL ADDR[0]\n"
               "DCL PRED[0]\n"
               "IMM[0] INT32 {4, 5, 6, 7}\n"
               "0: UARL ADDR[0].x, IN[0].xxxx\n"
               "1: MOV OUT[0].x, IN[ADDR[0].x-2].yyyy\n"
               "2: UCMP OUT[0].y, IN[0].zzzz, IMM[0].xxxx, IMM[0].yyyy\n"
               "3: MOV PRED[0].x, IN[0].zzzz\n"
               "4: (!PRED[0].xyyy) MOV OUT[0].zw, IMM[0]\n"
               "5: END\n");
   runner.options.check = true;
   runner.listener = &listener;
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);

   static const char once[] =
      "0s0 ffff ffffffff; 0w0 ffff 3; "
      "1i0 ffff 1; 1s0 ffff ffffffff; 1w0 ffff 1f7; "
      "2s0 ffff ffffffff; 2c69 ffff ffffffff; 2w1 ffff 4; "
      "3s0 ffff ffffffff; 3w0 ffff 1; "
      "4g0 ffff 0; 4g1 ffff ffffffff; 4g2 ffff ffffffff; 4g3 ffff ffffffff; "
      "4s0 ffff ffffffff; 4w2 ffff 6; 4w3 ffff 7; "
      "5s0 ffff ffffffff; ";
   assert_memory_equal(asked.text, once, sizeof(once) - 1);
   assert_string_equal(asked.text + sizeof(once) - 1, once);
   runner_finish(&runner);
}

/* Lane 3 loads words 0 and 1 from byte 3 on, and stores texel (3, 3.0) of an
 * image that is not there. */
static void
test_memory_events(void **state)
{
   const struct exec_listener listener = {.trace = note_event, .user = &asked};
   const unsigned word = ABI_ACCESS(ABI_ACCESS_LOAD, 4, 1, LIR_SPACE_BUFFER, 3);
   const unsigned texel =
      ABI_ACCESS(ABI_ACCESS_STORE, 0, 0, LIR_SPACE_IMAGE, 2);
   char once[256];

   (void)state;
   asked = (struct log){0};
   runner_init(&runner, TG_DIALECT_2019,
               "VERT\n"
               "DCL IN[0]\n"
               "DCL OUT[0], POSITION\n"
               "DCL BUFFER[3]\n"
               "DCL IMAGE[2], 2D, PIPE_FORMAT_R32_UINT, WR\n"
               "0: LOAD OUT[0].xy, BUFFER[3], IN[0].xxxx\n"
               "1: STORE IMAGE[2], IN[0], IN[0], 2D, PIPE_FORMAT_R32_UINT\n"
               "2: END\n");
   runner.options.check = true;
   runner.listener = &listener;
   runner_run(&runner);
   assert_int_equal(runner.result, TG_OK);

   snprintf(once, sizeof(once),
            "0s0 ffff ffffffff; 0a%u ffff 0; 0a%u ffff 1; "
            "0w0 ffff 0; 0w1 ffff 0; "
            "1s0 ffff ffffffff; 1o0 ffff 3; 1o1 ffff 40400000; "
            "1a%u ffff ffffffff; 2s0 ffff ffffffff; ",
            word, word, texel);
   assert_memory_equal(asked.text, once, strlen(once));
   assert_string_equal(asked.text + strlen(once), once);
   runner_finish(&runner);
}

/* ---- out of memory ------------------------------------------------------- */

static unsigned num_lowered;

/* Lowers the runner's shader. */
static enum tg_result
lower_it(const struct tg_allocator *allocator)
{
   const struct lower_options options = {0};
   struct lir_module module;

   lir_module_init(&module, allocator);
   const enum tg_result result =
      lower_shader(runner.shader, &options, &module, runner.diagnostics);
   lir_module_finish(&module);
   num_lowered++;
   return result;
}

static void
test_memory(void **state)
{
   (void)state;
   runner_init(&runner, TG_DIALECT_2010,
               "VERT\n"
               "DCL IN[0..1]\n"
               "DCL OUT[0], POSITION\n"
               "DCL TEMP[0..255]\n"
               "DCL ADDR[0]\n"
               "IMM[0] FLT32 {1.0, 2.0, 3.0, 4.0}\n"
               "0: ARL ADDR[0].x, IN[0].xxxx\n"
               "1: MOV TEMP[ADDR[0].x], IMM[ADDR[0].x]\n"
               "2: PUSHA ADDR[0]\n"
               "3: REP IMM[0].xxxx\n"
               "4:   CAL :8\n"
               "5: ENDREP\n"
               "6: MOV OUT[0], TEMP[3]\n"
               "7: END\n"
               "8: BGNSUB\n"
               "9:   LIT TEMP[1], TEMP[2]\n"
               "10:  POW TEMP[1], TEMP[2].xxxx, TEMP[1].xxxx\n"
               "11: ENDSUB\n");
   num_lowered = 0;
   sweep(lower_it);
   assert_true(num_lowered > 6);
   runner_finish(&runner);
}

/* More instructions than what waits for them has room for at first. */
static void
test_memory_of_roots(void **state)
{
   enum { NUM_ROOTS = 40 };
   char text[8192] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n";
   size_t length = strlen(text);

   (void)state;
   for (unsigned i = 0; i < NUM_ROOTS; i++)
      length += (size_t)snprintf(text + length, sizeof(text) - length,
                                 "RSQ TEMP[0].x, IN[0].xxxx\n"
                                 "RCP OUT[0].x, TEMP[0].xxxx\n");
   snprintf(text + length, sizeof(text) - length, "END\n");
   runner_init(&runner, TG_DIALECT_2019, text);
   tg_shader_set_quirks(runner.shader, TG_QUIRKS_OF_VIRGL);
   sweep(lower_it);
   runner_finish(&runner);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),  cmocka_unit_test(test_computed_values),
      cmocka_unit_test(test_places),  cmocka_unit_test(test_opcodes),
      cmocka_unit_test(test_layouts), cmocka_unit_test(test_trace),
      cmocka_unit_test(test_events),  cmocka_unit_test(test_memory_events),
      cmocka_unit_test(test_memory),  cmocka_unit_test(test_memory_of_roots),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
