/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell run FILE
 */
#include <stdlib.h>

#include "cli/io/diagnostics.h"
#include "cli/io/script.h"
#include "cli/maxwell/input.h"
#include "cli/maxwell/registers.h"
#include "cli/maxwell/trace.h"
#include "cli/maxwell/values.h"
#include "script/run/textures.h"

enum { QUAD = 4, SAMPLER_SHIFT = 20 /* in a handle */ };

/* ---- textures ------------------------------------------------------------ */

/* What --textures names, or nothing. */
struct objects {
   struct script *script;
   struct script_textures *textures;
};

static enum tg_result
read_objects(struct cli_call *call, struct objects *objects)
{
   const char *path = call->options.textures;
   if (!path)
      return TG_OK;

   enum tg_result result =
      cli_load_script(call, path, NULL, NULL, &objects->script);
   if (result == TG_OK)
      result = script_textures_create(objects->script, call->diagnostics,
                                      &objects->textures);
   return result;
}

static void
finish_objects(struct objects *objects)
{
   script_textures_destroy(objects->textures);
   script_destroy(objects->script);
}

/* Handles of what there is, where the bank was given nothing. */
static void
fill_bank(struct cli_maxwell_values *values,
          const struct script_textures *textures)
{
   for (uint32_t i = 0; i < TG_MAX_VIEWS; i++) {
      if (textures->views[i] && !values->is_given[i])
         values->bank[i] = i << SAMPLER_SHIFT | i;
   }
}

/* ---- the run ------------------------------------------------------------- */

static uint32_t
active_threads(const struct cli_call *call, uint32_t num_threads)
{
   if (call->options.fragment)
      num_threads = (num_threads + QUAD - 1) / QUAD * QUAD;
   return UINT32_MAX >> (TG_MAXWELL_NUM_THREADS - num_threads);
}

static struct tg_maxwell_warp
make_warp(const struct cli_call *call, struct cli_maxwell_values *values,
          const struct script_textures *textures)
{
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;

   warp.registers = values->registers;
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++)
      warp.predicates[t] = values->predicates[t];
   warp.active = active_threads(call, values->num_threads);
   warp.killed = values->killed;
   warp.is_fragment = call->options.fragment;
   warp.constants = values->bank;
   warp.num_constants = CLI_MAXWELL_BANK;
   warp.via_header = call->options.via_header;
   warp.version = cli_maxwell_input_version(&call->options);
   if (textures) {
      warp.headers = textures->views;
      warp.num_headers = TG_MAX_VIEWS;
      warp.samplers = textures->samplers;
      warp.num_samplers = TG_MAX_SAMPLERS;
   }
   return warp;
}

static enum tg_result
run_warp(struct cli_call *call, const struct tg_maxwell_program *program,
         struct tg_maxwell_warp *warp)
{
   struct cli_maxwell_trace trace = {0};
   bool good = !call->options.trace ||
               cli_maxwell_input_lines_init(&trace.lines, program);
   enum tg_result result =
      good ? tg_maxwell_run(NULL, program, warp, cli_maxwell_trace_event,
                            &trace, call->diagnostics)
           : TG_ERROR_MEMORY;

   if (result == TG_OK)
      result =
         cli_print_registers(&trace, warp, cli_run_format(&call->options));
   cli_lines_finish(&trace.lines);
   return result;
}

static enum tg_result
run_program(struct cli_call *call, const struct tg_maxwell_program *program,
            struct cli_maxwell_values *values)
{
   struct objects objects = {0};
   enum tg_result result = read_objects(call, &objects);

   if (result == TG_OK && objects.textures)
      fill_bank(values, objects.textures);
   if (result == TG_OK) {
      struct tg_maxwell_warp warp = make_warp(call, values, objects.textures);

      result = run_warp(call, program, &warp);
   }
   finish_objects(&objects);
   return result;
}

/* Of a cubin one section is run. */
static bool
is_one_program(const struct cli_call *call,
               const struct cli_maxwell_input *input)
{
   if (input->end - input->first == 1)
      return true;
   cli_complain("'%s' has %u sections of code; --section names one",
                call->operands[0], input->end - input->first);
   return false;
}

int
cmd_maxwell_run(struct cli_call *call)
{
   struct cli_maxwell_values *values = NULL;
   struct cli_maxwell_input input;
   int status = CLI_FAILED;

   if (cli_maxwell_input_read(call, call->operands[0],
                              (enum cli_maxwell_form)call->options.input_form,
                              &input) &&
       is_one_program(call, &input)) {
      enum tg_result result = cli_maxwell_values_read(call, &values);

      if (result == TG_OK)
         result = run_program(
            call, cli_maxwell_input_program(&input, input.first), values);
      status = cli_diagnostics_status(result);
   }
   free(values);
   cli_maxwell_input_finish(&input);
   return status;
}
