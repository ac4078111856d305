/* SPDX-License-Identifier: MIT
 *
 * The state of a running test, and the limits that it has.
 */
#include "script/run/runner.h"

#include <string.h>

bool
script_runner_count_texels(struct script_runner *runner, uint64_t num_texels)
{
   if (num_texels > runner->limits->pixels - runner->num_pixels)
      return false;
   runner->num_pixels += num_texels;
   return true;
}

enum tg_result
script_runner_touch_pixels(struct script_runner *runner,
                           const struct script_command *command,
                           uint64_t num_pixels)
{
   return script_runner_count_texels(runner, num_pixels)
             ? TG_OK
             : script_fail(runner, command,
                           "the test clears and compares more than %llu pixels",
                           (unsigned long long)runner->limits->pixels);
}

enum tg_result
script_runner_parse_shader(struct script_runner *runner,
                           const struct script_shader *shader,
                           struct tg_diagnostics *diagnostics,
                           struct tg_shader **shader_out)
{
   const struct script *script = runner->script;

   /* The text begins after the head, so it starts with that line's end;
    * empty lines for all before it give each line its number. */
   const struct tg_allocator *allocator = runner->allocator;
   const size_t num_before = shader->line - 1;
   const size_t length = num_before + shader->length;
   char *text = allocator->resize(allocator->user, NULL, 0, length + 1);
   if (!text)
      return TG_ERROR_MEMORY;
   memset(text, '\n', num_before);
   memcpy(text + num_before, shader->text, shader->length);

   enum tg_result result =
      tg_shader_parse(allocator, script->source.name, text, length,
                      script->dialect, diagnostics, shader_out);
   allocator->resize(allocator->user, text, length + 1, 0);
   return result;
}

static void
start_work(struct script_runner *runner, const struct script_limits *limits)
{
   struct tg_work_options options = TG_WORK_OPTIONS_INIT;

   options.max_work = limits->work;
   options.max_seconds = limits->seconds;
   options.note = limits->note;
   tg_work_init(&runner->work, &options);
   runner->work.is_explained = true;
}

enum tg_result
script_runner_init(struct script_runner *runner, const struct script *script,
                   struct tg_diagnostics *diagnostics)
{
   tg_quota_init(&runner->quota, script->quota.below,
                 script->limits.memory - script->quota.held);
   runner->allocator = &runner->quota.allocator;
   start_work(runner, &script->limits);
   runner->limits = &script->limits;
   runner->script = script;
   runner->diagnostics = diagnostics;
   runner->shader = script->num_shaders ? &script->shaders[0] : NULL;
   runner->num_lanes = TG_MAX_LANES;
   runner->is_checked = script->limits.check;
   tg_arena_init(&runner->arena, runner->allocator);

   enum tg_result result = script_drawing_init(runner);
   if (result == TG_OK)
      result = script_bound_init(runner);
   return result;
}

void
script_runner_finish(struct script_runner *runner)
{
   script_drawing_finish(runner);
   script_maps_finish(runner);
   script_emitted_finish(&runner->emitted);
   tg_diagnostics_destroy(runner->findings.list);
   tg_run_destroy(runner->run);
   tg_program_destroy(runner->program.program);
   tg_shader_destroy(runner->program.shader);
   script_bound_finish(runner);
   tg_diagnostics_destroy(runner->errors);
   tg_arena_finish(&runner->arena);
}
