/* SPDX-License-Identifier: MIT
 *
 * tungsten tegra run FILE
 */
#include <stdlib.h>

#include "cli/io/diagnostics.h"
#include "cli/tegra/exports.h"
#include "cli/tegra/program.h"
#include "cli/tegra/trace.h"
#include "cli/tegra/values.h"

/* Did all vertices come to their ends by an instruction that says so? */
static bool
all_ended(const struct tg_tegra_batch *batch)
{
   for (uint32_t i = 0; i < batch->num_vertices; i++) {
      if (batch->ends[i] != TG_TEGRA_ENDED)
         return false;
   }
   return true;
}

static enum tg_result
run_batch(struct cli_call *call, const struct tg_tegra_program *program,
          struct tg_tegra_batch *batch)
{
   struct cli_tegra_trace trace = {.num_vertices = batch->num_vertices};

   if (call->options.trace) {
      if (!cli_tegra_program_lines_init(&trace.lines, program))
         return TG_ERROR_MEMORY;
      batch->trace = cli_tegra_trace_event;
      batch->user = &trace;
   }
   enum tg_result result = tg_tegra_run(program, batch, call->diagnostics);
   if (result == TG_OK)
      result =
         cli_print_exports(program, batch, cli_run_format(&call->options));
   cli_lines_finish(&trace.lines);
   if (result == TG_OK && !all_ended(batch))
      result = TG_ERROR_INPUT;
   return result;
}

static enum tg_result
run_program(struct cli_call *call, const struct tg_tegra_program *program,
            const struct cli_tegra_values *values)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   enum tg_result result = TG_ERROR_MEMORY;

   batch.num_vertices = values->num_vertices;
   batch.attributes = values->attributes[0][0];
   batch.constants = values->constants[0];
   batch.exports = calloc(values->num_vertices,
                          TG_TEGRA_NUM_EXPORTS * 4 * sizeof(*batch.exports));
   batch.ends = calloc(values->num_vertices, sizeof(*batch.ends));
   batch.max_steps = (uint32_t)call->options.max_steps;
   batch.nv_dst_dph = call->options.nv_dst_dph;
   batch.mad = call->options.mad ? TG_TEGRA_MAD_FUSED : TG_TEGRA_MAD_SEPARATE;
   if (batch.exports && batch.ends)
      result = run_batch(call, program, &batch);
   free(batch.exports);
   free(batch.ends);
   return result;
}

int
cmd_tegra_run(struct cli_call *call)
{
   struct cli_tegra_values values;
   struct tg_tegra_program *program =
      cli_load_tegra_program(call, call->operands[0],
                             (enum cli_tegra_form)call->options.tegra_input, 0);
   if (!program)
      return CLI_FAILED;

   enum tg_result result = cli_tegra_values_read(call, program, &values);
   if (result == TG_OK)
      result = run_program(call, program, &values);
   cli_tegra_values_finish(&values);
   tg_tegra_program_destroy(program);
   return cli_diagnostics_status(result);
}
