/* SPDX-License-Identifier: MIT
 *
 * tungsten test FILE...
 *
 * The report has the form of the Test Anything Protocol.
 */
#include <stdio.h>

#include "cli/io/diagnostics.h"
#include "cli/io/script.h"

struct report {
   unsigned num_passed, num_failed;
   bool verbose;
   struct cli_kernels kernels;
};

/* What was diagnosed, each line after a #. */
static void
print_comments(const struct tg_diagnostics *diagnostics)
{
   char *text = tg_diagnostics_text(diagnostics);
   bool line_start = true;

   for (const char *c = text; c && *c; c++) {
      if (line_start)
         fputs("# ", stdout);
      putchar(*c);
      line_start = *c == '\n';
   }
   tg_string_free(text);
}

/* One line of the report. `line` 0 stands for the file itself. */
static void
report_test(struct report *report, bool passed, const char *path,
            const char *name, uint32_t line)
{
   unsigned number = report->num_passed + report->num_failed + 1;

   printf("%s %u - %s", passed ? "ok" : "not ok", number, path);
   if (line && (report->verbose || !*name))
      printf(":%u", line);
   printf("%s%s\n", *name ? ": " : "", name);
   if (passed)
      report->num_passed++;
   else
      report->num_failed++;
}

static void
run_tests(struct cli_call *call, const char *path, const struct script *script,
          struct report *report)
{
   for (size_t i = 0; i < script_model_num_tests(script); i++) {
      enum tg_result result = script_run_test(script, i, call->diagnostics);

      report_test(report, result == TG_OK, path,
                  script_model_test_name(script, i),
                  script_model_test_line(script, i));
      if (result != TG_OK)
         print_comments(call->diagnostics);
      tg_diagnostics_clear(call->diagnostics);
      cli_diagnostics_status(result);
   }
}

static void
run_file(struct cli_call *call, const char *path, struct report *report)
{
   struct script *script = NULL;
   enum tg_result result =
      cli_load_script(call, path, &report->kernels, NULL, &script);

   if (result == TG_OK) {
      run_tests(call, path, script, report);
   } else {
      cli_print_diagnostics(call->diagnostics, &call->options);
      tg_diagnostics_clear(call->diagnostics);
      report_test(report, false, path, tg_result_name(result), 0);
   }
   script_destroy(script);
}

int
cmd_test(struct cli_call *call)
{
   struct report report = {.verbose = call->options.verbose};

   if (!cli_kernels_init(&report.kernels, &call->options))
      return CLI_USAGE;
   for (int i = 0; i < call->num_operands; i++)
      run_file(call, call->operands[i], &report);
   printf("1..%u\n%u passed, %u failed\n",
          report.num_passed + report.num_failed, report.num_passed,
          report.num_failed);
   if (!report.num_passed && !report.num_failed) {
      cli_complain("there is no [test] in what was given");
      return CLI_FAILED;
   }
   return cli_kernels_status(&report.kernels,
                             report.num_failed ? CLI_FAILED : CLI_OK);
}
