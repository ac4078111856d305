/* SPDX-License-Identifier: MIT
 *
 * docs/lir.md, the argument of this program, has a line for every operation
 * that agrees with its row in ops.def. A line that is missing is printed, to
 * be pasted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/lir.h"
#include "util/strbuf.h"

static const char *page_name;

static const char *const type_names[] = {"", "b1", "b32", "b64"};

static const char *const imm_names[] = {
   [LIR_IMM_NONE] = "",        [LIR_IMM_CONST] = " number",
   [LIR_IMM_VAR] = " $var",    [LIR_IMM_MEM] = " space[binding]",
   [LIR_IMM_LEVEL] = " level", [LIR_IMM_FUNCTION] = " function",
   [LIR_IMM_SLOT] = " slot",   [LIR_IMM_TAG] = " tag",
};

/* | `b32 = fadd b32, b32` | Add | */
static char *
expected_line(const struct lir_op_info *info)
{
   const char *separator = info->imm == LIR_IMM_NONE ? " " : ", ";
   struct tg_strbuf line = {0};

   tg_strbuf_add(&line, "| `");
   if (info->type != LIR_TYPE_V)
      tg_strbuf_printf(&line, "%s = ", type_names[info->type]);
   tg_strbuf_printf(&line, "%s%s", info->name, imm_names[info->imm]);
   for (unsigned i = 0; i < info->num_operands; i++) {
      tg_strbuf_printf(&line, "%s%s", separator,
                       type_names[info->operand_type[i]]);
      separator = ", ";
   }
   tg_strbuf_printf(&line, "` | %s |\n", info->title);
   return tg_strbuf_take(&line);
}

static char *
read_page(void)
{
   FILE *file = fopen(page_name, "r");
   struct tg_strbuf text = {0};
   char buffer[4096];
   size_t length;

   assert_non_null(file);
   while ((length = fread(buffer, 1, sizeof(buffer), file)) > 0)
      tg_strbuf_add_n(&text, buffer, length);
   fclose(file);
   return tg_strbuf_take(&text);
}

static uint32_t
count(const char *text, const char *word)
{
   uint32_t number = 0;

   while ((text = strstr(text, word))) {
      number++;
      text++;
   }
   return number;
}

static void
test_operations(void **state)
{
   char *page = read_page();
   uint32_t num_missing = 0;

   (void)state;
   assert_non_null(page);
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      char *line = expected_line(&lir_ops[op]);

      if (count(page, line) != 1) {
         print_error("%s", line);
         num_missing++;
      }
      tg_string_free(line);
   }
   assert_int_equal(num_missing, 0);
   /* Nor a line for something that is none. */
   assert_int_equal(count(page, "\n| `"), LIR_NUM_OPS);
   tg_string_free(page);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
   };

   if (argc < 2)
      return 1;
   page_name = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
