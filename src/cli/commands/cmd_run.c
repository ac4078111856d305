/* SPDX-License-Identifier: MIT
 *
 * tungsten run FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/run_output.h"
#include "cli/io/shader.h"
#include "cli/io/work.h"
#include "cli/table/handlers.h"
#include "script/text/settings.h"
#include "util/quota.h"
#include "util/work.h"

#define DEFAULT_MEMORY (UINT64_C(1) << 30)

/* ---- values -------------------------------------------------------------- */

/* The settings of --values, then those of --set. Their sources live as long
 * as the arena, for complaints. */
struct values {
   struct tg_arena arena;
   struct script_settings file, set;
   struct tg_source file_source;
   struct tg_source *set_sources; /* one for each of `set` */
};

static enum tg_result
read_values_file(struct cli_call *call, struct values *values)
{
   const char *path = call->options.values;
   if (!path)
      return TG_OK;

   size_t length;
   char *text = cli_read_file(path, &length);
   if (!text)
      return TG_ERROR_IO;
   char *copy = tg_arena_strndup(&values->arena, text, length);
   free(text);
   if (!copy)
      return TG_ERROR_MEMORY;
   values->file_source = (struct tg_source){path, copy, length};
   return script_parse_settings(&values->file_source, call->diagnostics,
                                &values->arena, &values->file);
}

static enum tg_result
read_set_options(struct cli_call *call, struct values *values)
{
   const struct cli_list *list = &call->options.set;
   enum tg_result result = TG_OK;

   values->set_sources =
      tg_arena_array(&values->arena, list->count, sizeof(*values->set_sources));
   if (!values->set_sources)
      return TG_ERROR_MEMORY;
   for (unsigned i = 0; i < list->count && result == TG_OK; i++) {
      values->set_sources[i] = (struct tg_source){
         "--set",
         list->items[i],
         strlen(list->items[i]),
      };
      result = script_parse_setting(&values->set_sources[i], call->diagnostics,
                                    &values->arena, &values->set);
   }
   return result;
}

static enum tg_result
apply_values(struct cli_call *call, const struct values *values,
             unsigned num_lanes, struct tg_run *run)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < values->file.count && result == TG_OK; i++)
      result =
         script_apply_setting(&values->file.items[i], &values->file_source,
                              num_lanes, run, call->diagnostics);
   for (uint32_t i = 0; i < values->set.count && result == TG_OK; i++)
      result =
         script_apply_setting(&values->set.items[i], &values->set_sources[i],
                              num_lanes, run, call->diagnostics);
   return result;
}

static unsigned
choose_lanes(const struct cli_options *options, const struct values *values)
{
   unsigned by_file = script_lanes_of_settings(&values->file);
   unsigned by_set = script_lanes_of_settings(&values->set);

   if (options->lanes)
      return (unsigned)options->lanes;
   return by_file > by_set ? by_file : by_set;
}

/* ---- the run ------------------------------------------------------------- */

static enum tg_result
run_program(struct cli_call *call, const struct tg_allocator *allocator,
            const struct tg_shader *shader, const struct tg_program *program,
            struct values *values)
{
   unsigned num_lanes = choose_lanes(&call->options, values);
   struct cli_trace *trace = NULL;
   struct script_emitted emitted = {0};
   struct tg_run *run = NULL;
   enum tg_result result = tg_run_create(program, num_lanes, &run);

   if (result == TG_OK)
      result = apply_values(call, values, num_lanes, run);
   if (result != TG_OK)
      goto done;

   if (call->options.loop_budget)
      tg_run_set_loop_budget(run, call->options.loop_budget);
   if (call->options.trace) {
      trace = cli_run_trace_create(shader);
      if (!trace) {
         result = TG_ERROR_MEMORY;
         goto done;
      }
      tg_run_set_trace(run, cli_run_trace_event, trace);
   }
   script_emitted_listen(&emitted, allocator, run);
   result = tg_run_execute(run, call->diagnostics);
   if (result == TG_OK && emitted.out_of_memory)
      result = TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = cli_print_outputs(run, &emitted, num_lanes,
                                 cli_run_format(&call->options));

done:
   cli_run_trace_destroy(trace);
   script_emitted_finish(&emitted);
   tg_run_destroy(run);
   return result;
}

static enum tg_result
run_shader(struct cli_call *call, const struct tg_allocator *allocator,
           const struct tg_shader *shader, struct tg_work *work)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_program *program = NULL;
   struct values values = {0};

   options.optimize = !call->options.no_optimize;
   options.trace = call->options.trace;
   options.check = call->options.check;
   options.work = work;
   options.executor = call->options.executor;
   options.code_cache = call->code_cache;
   tg_arena_init(&values.arena, allocator);

   enum tg_result result = read_values_file(call, &values);
   if (result == TG_OK)
      result = read_set_options(call, &values);
   if (result == TG_OK)
      result = tg_program_create(allocator, shader, &options, call->diagnostics,
                                 &program);
   if (result == TG_OK)
      result = run_program(call, allocator, shader, program, &values);
   tg_program_destroy(program);
   tg_arena_finish(&values.arena);
   return result;
}

int
cmd_run(struct cli_call *call)
{
   const uint64_t memory = call->options.memory;
   const struct tg_work_options work_options = cli_work_options(&call->options);
   struct tg_quota quota;
   struct tg_work work;

   tg_work_init(&work, &work_options);
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   tg_quota_init(&quota, NULL, memory ? memory : DEFAULT_MEMORY);
   enum tg_result result = run_shader(call, &quota.allocator, shader, &work);
   tg_shader_destroy(shader);
   if (result == TG_ERROR_MEMORY && quota.refused) {
      cli_complain("the run takes more memory than the %llu bytes of --memory",
                   (unsigned long long)quota.most);
      return CLI_FAILED;
   }
   if (result == TG_OK && tg_diagnostics_num_errors(call->diagnostics))
      return CLI_FAILED; /* what --check found */
   return cli_diagnostics_status(result);
}
