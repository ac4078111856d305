/* SPDX-License-Identifier: MIT
 *
 * Each TGSI opcode that computes with floats, in each generation of the
 * language, on the vertex unit as the interpreter runs it (corpus_try()): with
 * and without masks, swizzles, modifiers and clamp, and over its own sources.
 * Those that the unit does not have and that round apart do so by no more than
 * is said here.
 *
 *    test_operations LEAST-NUMBER
 *    test_operations --table    with a line for each opcode
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"
#include "util/strbuf.h"

enum { NUM_FORMS = 3 };

/* Units of the last place for ordinary operands; 0 of all others. Of RFL the
 * quotient is one apart, and what is subtracted from it cancels. */
static const struct {
   uint16_t opcode;
   uint32_t ulps;
} bounds[] = {
   {TG_OPCODE_DIV, 2},       {TG_OPCODE_SQRT, 2}, {TG_OPCODE_POW, 16},
   {TG_OPCODE_RFL, 1 << 13}, {TG_OPCODE_NRM, 2},  {TG_OPCODE_NRM4, 2},
};

struct outcome {
   unsigned num_compiled, num_exact, failures;
   uint32_t greatest;
   char reason[200];
};

static uint32_t
bound_of(enum tg_opcode opcode)
{
   for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
      if (bounds[i].opcode == opcode)
         return bounds[i].ulps;
   }
   return 0;
}

static bool
is_float(enum tg_type type)
{
   return type == TG_TYPE_F32 || type == TG_TYPE_UNTYPED;
}

static bool
computes_with_floats(const struct tg_opcode_info *info)
{
   bool all = info->name && info->num_dst == 1 && info->num_src > 0 &&
              is_float((enum tg_type)info->dst_type);

   for (unsigned i = 0; i < info->num_src; i++)
      all &= is_float((enum tg_type)info->src_type[i]);
   return all;
}

/* ---- shaders ------------------------------------------------------------- */

/* An instruction by itself; with all that operands can have; and with a
 * destination that is read. */
static char *
write_shader(const struct tg_opcode_info *info, unsigned form)
{
   static const char *const destinations[NUM_FORMS] = {"OUT[0]", "OUT[0].yzw",
                                                       "TEMP[0].xyw"};
   static const char *const sources[NUM_FORMS][4] = {
      {"IN[0]", "IN[1]", "IN[2]", "IN[3]"},
      {"-IN[0].wzyx", "|IN[1].yyxx|", "-|CONST[0].zwxy|", "IN[2]"},
      {"TEMP[0].yxwz", "TEMP[0].wyxy", "IN[1]", "TEMP[0]"},
   };
   struct tg_strbuf text = {0};

   tg_strbuf_printf(&text,
                    "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\n"
                    "DCL CONST[0]\nDCL TEMP[0]\n"
                    "0: MOV TEMP[0], IN[0]\n"
                    "1: %s%s %s",
                    info->name, form == 1 ? "_SAT" : "", destinations[form]);
   for (unsigned i = 0; i < info->num_src; i++)
      tg_strbuf_printf(&text, ", %s", sources[form][i]);
   tg_strbuf_printf(&text, "\n2: %s\n3: END\n",
                    form == 2 ? "MOV OUT[0], TEMP[0]" : "NOP");
   return tg_strbuf_take(&text);
}

/* ---- opcodes ------------------------------------------------------------- */

static void
try_values(const char *name, const struct tg_shader *shader,
           enum corpus_values values, struct outcome *outcome)
{
   struct corpus_result result;

   corpus_try(name, shader, 1, values, &result);
   outcome->failures += result.failures;
   if (!result.words[CORPUS_OPTIMISED]) {
      snprintf(outcome->reason, sizeof(outcome->reason), "%s", result.reason);
      return;
   }
   outcome->num_compiled++;
   if (values == CORPUS_ORDINARY_VALUES &&
       result.difference.greatest > outcome->greatest)
      outcome->greatest = result.difference.greatest;
}

static void
try_form(const struct tg_opcode_info *info, unsigned form,
         enum tg_dialect dialect, struct outcome *outcome)
{
   char *text = write_shader(info, form);
   struct tg_shader *shader =
      text ? corpus_parse(NULL, text, strlen(text), dialect) : NULL;
   char name[64];

   snprintf(name, sizeof(name), "%s, form %u, dialect %u", info->name, form,
            (unsigned)dialect);
   if (shader) {
      try_values(name, shader, CORPUS_ALL_VALUES, outcome);
      try_values(name, shader, CORPUS_ORDINARY_VALUES, outcome);
   }
   tg_shader_destroy(shader);
   tg_string_free(text);
}

static void
try_opcode(enum tg_opcode opcode, struct outcome *outcome)
{
   const struct tg_opcode_info *info = &tg_opcodes[opcode];

   for (unsigned form = 0; form < NUM_FORMS; form++) {
      try_form(info, form, TG_DIALECT_2010, outcome);
      try_form(info, form, TG_DIALECT_2011, outcome);
      try_form(info, form, TG_DIALECT_2019, outcome);
   }
   if (outcome->greatest <= bound_of(opcode))
      return;
   fprintf(stderr, "%s: %u ulp from the interpreter\n", info->name,
           outcome->greatest);
   outcome->failures++;
}

int
main(int argc, char **argv)
{
   bool table = argc == 2 && strcmp(argv[1], "--table") == 0;
   unsigned num_compiled = 0, failures = 0;

   if (argc != 2) {
      fprintf(stderr, "usage: test_operations LEAST-NUMBER | --table\n");
      return 2;
   }
   for (unsigned i = 0; i < TG_NUM_OPCODES; i++) {
      struct outcome outcome = {0};
      if (!computes_with_floats(&tg_opcodes[i]))
         continue;
      try_opcode((enum tg_opcode)i, &outcome);
      num_compiled += outcome.num_compiled > 0;
      failures += outcome.failures;
      if (table && outcome.num_compiled > 0)
         printf("| %s | %u |\n", tg_opcodes[i].name, outcome.greatest);
      else if (table && outcome.reason[0])
         printf("| %s | %s |\n", tg_opcodes[i].name, outcome.reason);
   }
   printf("%u opcodes compile\n", num_compiled);
   if (failures > 0)
      return 1;
   return !table && num_compiled < strtoul(argv[1], NULL, 10);
}
