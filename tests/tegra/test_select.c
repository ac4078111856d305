/* SPDX-License-Identifier: MIT
 *
 * What TGSI becomes: the operations of each opcode, worked out by hand from
 * what src/lower says that it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tegra/select/select.h"

/* ---- selecting ----------------------------------------------------------- */

static const char declarations[] = "VERT\n"
                                   "DCL IN[0..3]\n"
                                   "DCL OUT[0], POSITION\n"
                                   "DCL OUT[1], GENERIC[0]\n"
                                   "DCL CONST[0..7]\n"
                                   "DCL CONST[2][0..3]\n"
                                   "DCL TEMP[0..3]\n"
                                   "DCL ADDR[0..1]\n"
                                   "DCL PRED[0]\n"
                                   "IMM[0] FLT32 {0.5, 1.0, 2.0, -3.0}\n"
                                   "IMM[1] UINT32 {0x3f800000, 7, 1, 0}\n";

/* The listing of a program with these instructions, or its complaints. */
static char *
select_text(enum tg_dialect dialect, const char *body, bool exact)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   const struct compile compile = {.options = &options,
                                   .diagnostics = diagnostics};
   struct tg_shader *shader = NULL;
   struct mir mir;
   char text[4096];
   char *listing;

   options.exact = exact;
   snprintf(text, sizeof(text), "%s%sEND\n", declarations, body);
   tg_shader_parse(NULL, "test", text, strlen(text), dialect, diagnostics,
                   &shader);
   if (!shader || tg_shader_validate(shader, diagnostics))
      fail_msg("%s", tg_diagnostics_text(diagnostics));
   mir_init(&mir, NULL, shader);
   if (select_mir(&compile, &mir) == TG_OK)
      listing = mir_print(&mir, 0);
   else
      listing = tg_diagnostics_text(diagnostics);
   mir_finish(&mir);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return listing;
}

/* ---- arithmetic ---------------------------------------------------------- */

struct selected {
   enum tg_dialect dialect;
   bool exact;
   const char *body, *expected;
};

static const struct selected selected[] = {
#define SELECTED(dialect, body, expected)                                      \
   {TG_DIALECT_##dialect, false, body, expected},
#define SELECTED_EXACT(dialect, body, expected)                                \
   {TG_DIALECT_##dialect, true, body, expected},
#include "selected.def"
};

static void
operations_of_each_opcode(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(selected) / sizeof(selected[0]); i++) {
      char *listing =
         select_text(selected[i].dialect, selected[i].body, selected[i].exact);

      if (strcmp(listing, selected[i].expected) != 0)
         fail_msg("%s gives\n%s", selected[i].body, listing);
      tg_string_free(listing);
   }
}

/* ---- the table ----------------------------------------------------------- */

static void
every_opcode_has_a_row(void **state)
{
   (void)state;
   for (unsigned i = 0; i < TG_NUM_OPCODES; i++) {
      bool exists = tg_opcodes[i].name != NULL;

      assert_int_equal(select_rows[i].how != SELECT_NOTHING, exists);
      assert_int_equal(select_rows[i].how == SELECT_EXPANSION,
                       select_rows[i].expand != NULL);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_of_each_opcode),
      cmocka_unit_test(every_opcode_has_a_row),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
