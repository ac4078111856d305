/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void
run_case(const char *processor, const struct shader_case *row)
{
   static struct runner runner;
   const char *why = NULL;
   char text[4096];

   snprintf(text, sizeof(text), "%s\n%s" CASE_PREAMBLE "%s", processor,
            row->declarations ? row->declarations : "", row->body);
   runner_init(&runner, row->dialect, text);
   bool is_right = runner_try(&runner, &why);
   if (!is_right || runner.result != TG_OK) {
      char *complaints = tg_diagnostics_text(runner.diagnostics);

      fail_msg("%s: %s, %s\n%s", row->name, is_right ? "ended" : why,
               tg_result_name(runner.result), complaints ? complaints : "");
   }
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (runner.output[0][lane] != row->expected[lane])
         fail_msg("%s: lane %u gave 0x%x, not 0x%x", row->name, lane,
                  runner.output[0][lane], row->expected[lane]);
   }
   runner_finish(&runner);
}

void
run_cases(const char *processor, const struct shader_case *cases,
          size_t num_cases)
{
   for (size_t i = 0; i < num_cases; i++)
      run_case(processor, &cases[i]);
}
