/* SPDX-License-Identifier: MIT
 *
 * Every row of lower.def with every target, in fragment shaders and others, in
 * both dialects that have such opcodes and with all numbers of operands: what
 * is legal TGSI is lowered and gives the texels of the interpreter, and the
 * checker finds nothing in it. What is refused, and what cannot be run, is
 * listed here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lower_trial.h"
#include "util/strbuf.h"

static const uint16_t opcodes[] = {
#define MAXWELL_LOWER_ROW(opcode, ...) TG_OPCODE_##opcode,
#include "maxwell/lower/lower.def"
};

enum { NUM_OPCODES = sizeof(opcodes) / sizeof(opcodes[0]) };

struct attempt {
   enum tg_opcode opcode;
   enum tg_target target;
   unsigned num_src;
   bool is_fragment;
   enum tg_dialect dialect;
};

static const char *
plain_name(enum tg_target target)
{
   return tg_targets[tg_targets[target].plain].name;
}

static void
print_operands(struct tg_strbuf *out, const struct attempt *attempt)
{
   const struct tg_opcode_info *info = &tg_opcodes[attempt->opcode];
   bool is_old = attempt->dialect == TG_DIALECT_2011;

   for (unsigned i = 0; i < attempt->num_src; i++) {
      if (info->src_type[i] == TG_TYPE_SAMP)
         tg_strbuf_add(out, ", SAMP[0]");
      else if (info->src_type[i] == TG_TYPE_VIEW)
         tg_strbuf_add(out, is_old ? ", RES[0]" : ", SVIEW[0].yxwz");
      else
         tg_strbuf_printf(out, ", IN[%u]", i);
   }
   if (info->flags & TG_OPCODE_FLAG_TARGET)
      tg_strbuf_printf(out, ", %s", tg_targets[attempt->target].name);
}

static char *
print_shader(const struct attempt *attempt)
{
   bool is_old = attempt->dialect == TG_DIALECT_2011;
   struct tg_strbuf out = {0};

   tg_strbuf_add(&out, attempt->is_fragment ? "FRAG\n" : "VERT\n");
   for (unsigned i = 0; i < TG_MAX_SRC; i++)
      tg_strbuf_printf(&out,
                       attempt->is_fragment
                          ? "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n"
                          : "DCL IN[%u]\n",
                       i, i);
   tg_strbuf_printf(&out, "DCL OUT[0], %s\nDCL SAMP[0]\n",
                    attempt->is_fragment ? "COLOR" : "GENERIC[0]");
   tg_strbuf_printf(
      &out, is_old ? "DCL RES[0], %s, FLOAT\n" : "DCL SVIEW[0], %s, FLOAT\n",
      plain_name(attempt->target));
   tg_strbuf_printf(&out, "0: %s OUT[0]", tg_opcodes[attempt->opcode].name);
   print_operands(&out, attempt);
   tg_strbuf_add(&out, "\n1: END\n");
   return tg_strbuf_take(&out);
}

/* NULL when it is not legal. */
static struct tg_shader *
parse(const struct attempt *attempt, const char *text)
{
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, "attempt", text, strlen(text), attempt->dialect,
                       NULL, &shader) == TG_OK &&
       tg_shader_validate(shader, NULL) == TG_OK)
      return shader;
   tg_shader_destroy(shader);
   return NULL;
}

/* ---- what cannot be done ------------------------------------------------- */

/* Derivatives that TXD does not take are for quads, which vertices are not in.
 */
static bool
is_refused(const struct attempt *attempt)
{
   const struct tg_target_info *info = &tg_targets[attempt->target];
   enum tg_target plain = info->plain;
   bool compares =
      attempt->opcode == TG_OPCODE_TXD && info->flags & TG_TARGET_FLAG_SHADOW;
   bool has_three = plain == TG_TARGET_3D || plain == TG_TARGET_CUBE ||
                    plain == TG_TARGET_CUBE_ARRAY;

   return !attempt->is_fragment &&
          (attempt->opcode == TG_OPCODE_TXD ||
           attempt->opcode == TG_OPCODE_SAMPLE_D) &&
          (compares || has_three);
}

/* The last complaint is at the opcode and says what would be right. */
static void
expect_refusal(const struct attempt *attempt, const char *text,
               const struct tg_diagnostics *diagnostics)
{
   const char *name = tg_opcodes[attempt->opcode].name;
   size_t count = tg_diagnostics_count(diagnostics);

   assert_true(count > 0);
   const struct tg_diagnostic *said =
      tg_diagnostics_get(diagnostics, count - 1);
   for (uint32_t line = 1; line < said->line; line++)
      text = strchr(text, '\n') + 1;
   assert_int_equal(said->severity, TG_SEVERITY_ERROR);
   assert_string_equal(said->file, "attempt");
   assert_memory_equal(text + said->column - 1, name, strlen(name));
   assert_non_null(strstr(said->message, name));
   assert_non_null(strstr(said->note, "fragment shader"));
}

/* The simulator does not know where hardware has its samples. */
static bool
is_not_run(const struct attempt *attempt)
{
   return attempt->opcode == TG_OPCODE_SAMPLE_POS &&
          tg_targets[attempt->target].flags & TG_TARGET_FLAG_MSAA;
}

/* ---- trying -------------------------------------------------------------- */

static void
try_lowering(const struct attempt *attempt, struct tg_shader *shader,
             struct tg_maxwell_lowering *lowering, const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   const struct tg_maxwell_program *program =
      tg_maxwell_lowering_program(lowering);
   struct trial_options options = {.inputs = TRIAL_GRID};
   struct trial_totals totals = {0};

   if (tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics) != TG_OK ||
       tg_diagnostics_count(diagnostics) != 0)
      fail_msg("%s%s", text, tg_diagnostics_text(diagnostics));
   if (!is_not_run(attempt) &&
       (!trial_run("attempt", shader, lowering, &options, &totals) ||
        totals.texels == 0))
      fail_msg("%s%s", text, tg_maxwell_lowering_print(lowering));
   tg_diagnostics_destroy(diagnostics);
}

struct totals {
   unsigned legal, refused;
};

static void
try_one(const struct attempt *attempt, struct totals *totals)
{
   char *text = print_shader(attempt);
   struct tg_shader *shader = parse(attempt, text);
   struct tg_maxwell_lowering *lowering = NULL;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (shader) {
      enum tg_result result =
         tg_maxwell_lower(NULL, shader, NULL, diagnostics, &lowering);

      if (result != (is_refused(attempt) ? TG_ERROR_UNSUPPORTED : TG_OK))
         fail_msg("%s", text);
      if (result == TG_OK)
         try_lowering(attempt, shader, lowering, text);
      else
         expect_refusal(attempt, text, diagnostics);
      totals->legal++;
      totals->refused += result != TG_OK;
   }
   tg_diagnostics_destroy(diagnostics);
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   tg_string_free(text);
}

static void
try_target(enum tg_opcode opcode, enum tg_target target, struct totals *totals)
{
   const struct tg_opcode_info *info = &tg_opcodes[opcode];

   for (unsigned num_src = info->min_src; num_src <= info->num_src; num_src++) {
      for (unsigned i = 0; i < 4; i++) {
         struct attempt attempt = {.opcode = opcode,
                                   .target = target,
                                   .num_src = num_src,
                                   .is_fragment = i & 1,
                                   .dialect = i & 2 ? TG_DIALECT_2011
                                                    : TG_DIALECT_2019};

         try_one(&attempt, totals);
      }
   }
}

/* Refused are in two dialects TXD of nine targets and SAMPLE_D of five, as 3D,
 * and CUBE and CUBEARRAY also by their names as SHADOW targets. */
static void
all_that_is_legal_is_lowered(void **state)
{
   enum { NUM_REFUSED = 2 * (9 + 5) };
   struct totals totals = {0};

   (void)state;
   for (unsigned o = 0; o < NUM_OPCODES; o++) {
      unsigned num_before = totals.legal;

      for (unsigned t = 0; t < TG_NUM_TARGETS; t++)
         try_target(opcodes[o], t, &totals);
      if (totals.legal == num_before)
         fail_msg("nothing is legal of %s", tg_opcodes[opcodes[o]].name);
   }
   print_message("%u combinations\n", totals.legal);
   assert_int_equal(totals.refused, NUM_REFUSED);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_that_is_legal_is_lowered),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
