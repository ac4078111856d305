/* SPDX-License-Identifier: MIT
 *
 * The commands that run one shader on lanes: shader, lanes, set, run, and what
 * is expected of its outputs.
 */
#include <string.h>

#include "script/runner.h"

/* ---- what is run ----------------------------------------------------------
 */

/* Forgets the last run, and with `program` its program. */
static void
forget(struct script_runner *runner, bool program)
{
   tg_run_destroy(runner->run);
   runner->run = NULL;
   if (!program)
      return;
   tg_program_destroy(runner->program.program);
   tg_shader_destroy(runner->program.shader);
   runner->program = (struct script_program){0};
}

bool
script_read_shader(struct script_cursor *cursor, const struct script *script,
                   struct script_command *command)
{
   const struct script_shader *shader =
      script_find_shader(script, script_peek_word(cursor));

   if (!shader)
      return script_complain(cursor, "expected the name of a shader above");
   script_read_word(cursor);
   command->shader = (uint32_t)(shader - script->shaders);
   return true;
}

enum tg_result
script_do_shader(struct script_runner *runner,
                 const struct script_command *command)
{
   forget(runner, true);
   runner->shader = &runner->script->shaders[command->shader];
   return TG_OK;
}

bool
script_read_lanes(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   uint32_t number;

   (void)script;
   if (!script_read_number(cursor, 1, TG_MAX_LANES, "a number of lanes",
                           &number))
      return false;
   command->number = number;
   return true;
}

enum tg_result
script_do_lanes(struct script_runner *runner,
                const struct script_command *command)
{
   runner->num_lanes = (unsigned)command->number;
   return TG_OK;
}

bool
script_read_loop_budget(struct script_cursor *cursor,
                        const struct script *script,
                        struct script_command *command)
{
   uint32_t number;

   (void)script;
   if (!script_read_number(cursor, 1, UINT32_MAX, "a number of turns", &number))
      return false;
   command->number = number;
   return true;
}

enum tg_result
script_do_loop_budget(struct script_runner *runner,
                      const struct script_command *command)
{
   runner->loop_budget = command->number;
   return TG_OK;
}

bool
script_read_set(struct script_cursor *cursor, const struct script *script,
                struct script_command *command)
{
   (void)script;
   command->stage = SCRIPT_STAGE_ALONE;
   if (script_accept_words(cursor, "vertex"))
      command->stage = SCRIPT_STAGE_VERTEX;
   else if (script_accept_words(cursor, "fragment"))
      command->stage = SCRIPT_STAGE_FRAGMENT;
   if (!script_read_setting(cursor, SCRIPT_PLAIN_INTEGER, &command->setting))
      return false;
   const struct script_setting *setting = &command->setting;
   if (command->stage == SCRIPT_STAGE_ALONE)
      return true;
   if (setting->reg.file != SCRIPT_CONST || setting->lane != SCRIPT_ALL_LANES)
      return script_complain(cursor, "for a draw only constants are set");
   return setting->reg.dimension < GPU_MAX_CONST_BUFFERS ||
          script_complain(cursor, "there is no such constant buffer");
}

enum tg_result
script_do_set(struct script_runner *runner,
              const struct script_command *command)
{
   struct script_settings *settings = &runner->settings[command->stage];

   if (!tg_arena_reserve(&runner->arena, (void **)&settings->items,
                         &settings->capacity, settings->count,
                         sizeof(*settings->items)))
      return TG_ERROR_MEMORY;
   settings->items[settings->count++] = command->setting;
   return TG_OK;
}

/* ---- run ------------------------------------------------------------------
 */

static enum tg_result
compile(struct script_runner *runner, struct tg_diagnostics *diagnostics)
{
   struct script_program *program = &runner->program;
   enum tg_result result = TG_OK;

   if (!program->shader)
      result = script_parse_shader(runner->script, runner->shader, diagnostics,
                                   &program->shader);
   if (result == TG_OK && !program->program)
      result =
         tg_program_create(runner->script->arena.allocator, program->shader,
                           NULL, diagnostics, &program->program);
   return result;
}

/* Compiles and runs the shader with the values that were set so far. */
static enum tg_result
run_shader(struct script_runner *runner, struct tg_diagnostics *diagnostics)
{
   forget(runner, false);
   enum tg_result result = compile(runner, diagnostics);
   if (result != TG_OK)
      return result;

   struct tg_run *run;
   result = tg_run_create(runner->program.program, runner->num_lanes, &run);
   if (result != TG_OK)
      return result;
   if (runner->loop_budget)
      tg_run_set_loop_budget(run, runner->loop_budget);
   const struct script_settings *settings =
      &runner->settings[SCRIPT_STAGE_ALONE];
   for (uint32_t i = 0; i < settings->count && result == TG_OK; i++)
      result =
         script_apply_setting(&settings->items[i], &runner->script->source,
                              runner->num_lanes, run, diagnostics);
   if (result == TG_OK)
      result = tg_run_execute(run, diagnostics);
   if (result == TG_OK)
      runner->run = run;
   else
      tg_run_destroy(run);
   return result;
}

bool
script_read_run(struct script_cursor *cursor, const struct script *script,
                struct script_command *command)
{
   (void)command;
   return script->num_shaders ||
          script_complain(cursor, "there is no shader above");
}

enum tg_result
script_do_run(struct script_runner *runner,
              const struct script_command *command)
{
   enum tg_result result = run_shader(runner, runner->diagnostics);

   if (result == TG_OK || result == TG_ERROR_MEMORY)
      return result;
   return script_fail(runner, command, "the shader did not run: %s",
                      tg_result_name(result));
}

/* ---- expect error ---------------------------------------------------------
 */

bool
script_read_expect_error(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   return script_read_run(cursor, script, command) &&
          script_read_string(cursor, "a part of the error", &command->text);
}

/* Whether one of the errors contains a text. */
static bool
has_error(const struct tg_diagnostics *diagnostics, struct script_word text)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (diagnostic->severity == TG_SEVERITY_ERROR &&
          memmem(diagnostic->message, strlen(diagnostic->message), text.text,
                 text.length))
         return true;
   }
   return false;
}

enum tg_result
script_do_expect_error(struct script_runner *runner,
                       const struct script_command *command)
{
   struct tg_diagnostics *errors =
      tg_diagnostics_create(runner->script->arena.allocator);
   if (!errors)
      return TG_ERROR_MEMORY;

   enum tg_result result = run_shader(runner, errors);
   if (result == TG_OK) {
      result = script_fail(runner, command, "the shader runs without error");
   } else if (result != TG_ERROR_MEMORY) {
      const struct tg_diagnostic *first = tg_diagnostics_get(errors, 0);

      result =
         has_error(errors, command->text)
            ? TG_OK
            : script_fail(runner, command, "no error says so; the first is: %s",
                          first ? first->message : tg_result_name(result));
   }
   tg_diagnostics_destroy(errors);
   return result;
}

/* ---- expect killed --------------------------------------------------------
 */

bool
script_read_expect_killed(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_values mask = {0};

   (void)script;
   if (!script_read_value(cursor, SCRIPT_PLAIN_INTEGER, &mask))
      return false;
   command->number = mask.words[0];
   return true;
}

static enum tg_result
fail_without_run(struct script_runner *runner,
                 const struct script_command *command)
{
   return script_fail(runner, command, "nothing was run before");
}

enum tg_result
script_do_expect_killed(struct script_runner *runner,
                        const struct script_command *command)
{
   if (!runner->run)
      return fail_without_run(runner, command);

   uint32_t killed = tg_run_killed(runner->run);
   if (killed == command->number)
      return TG_OK;
   return script_fail(runner, command, "the discarded lanes are 0x%04x",
                      killed);
}

/* ---- expect OUT -----------------------------------------------------------
 */

static bool
read_mask(struct script_cursor *cursor, unsigned *mask_out)
{
   static const char letters[] = "xyzw";

   *mask_out = 15;
   if (cursor->at == cursor->end || *cursor->at != '.')
      return true;
   cursor->at++;

   struct script_word word = script_peek_word(cursor);
   const char *at = letters;
   *mask_out = 0;
   for (size_t i = 0; i < word.length; i++) {
      const char *letter = memchr(at, word.text[i], (size_t)(letters + 4 - at));
      if (!letter)
         return script_complain(cursor, "expected some of xyzw, in this order");
      *mask_out |= 1u << (letter - letters);
      at = letter + 1;
   }
   if (!word.length)
      return script_complain(cursor, "expected some of xyzw");
   cursor->at += word.length;
   return true;
}

bool
script_read_expect_output(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_expectation *expectation = &command->expectation;

   (void)script;
   if (!script_read_register(cursor, &expectation->reg))
      return false;
   if (expectation->reg.file != SCRIPT_OUT)
      return script_complain(cursor, "only output registers are compared");
   if (!read_mask(cursor, &expectation->mask) ||
       !script_read_lane(cursor, &expectation->lane) ||
       !script_expect_char(cursor, '='))
      return false;
   unsigned num_words = (unsigned)__builtin_popcount(expectation->mask);
   return script_read_values(cursor, SCRIPT_PLAIN_INTEGER, num_words,
                             &expectation->values) &&
          script_read_tolerance(cursor, &expectation->tolerance);
}

/* The words of the channels that are compared, without gaps. */
static bool
get_words(const struct script_runner *runner,
          const struct script_expectation *expectation, unsigned lane,
          uint32_t words[4])
{
   uint32_t all[4];
   unsigned count = 0;

   memset(words, 0, 4 * sizeof(*words));
   if (tg_run_get_output(runner->run, expectation->reg.dimension,
                         expectation->reg.index, lane, all) != TG_OK)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (expectation->mask >> i & 1)
         words[count++] = all[i];
   }
   return true;
}

/* Tells of the first lane that has other values, and how many more have. */
static enum tg_result
fail_lanes(struct script_runner *runner, const struct script_command *command,
           unsigned lane, const uint32_t *words, unsigned num_more)
{
   const struct script_values *values = &command->expectation.values;
   struct tg_strbuf message = {0};

   tg_strbuf_printf(&message, "lane %u has ", lane);
   script_format_values(&message, words, values->kinds, values->count);
   if (num_more)
      tg_strbuf_printf(&message, "; %u more lane%s wrong too", num_more,
                       num_more == 1 ? " is" : "s are");
   enum tg_result result = script_fail(
      runner, command, "%s", message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

enum tg_result
script_do_expect_output(struct script_runner *runner,
                        const struct script_command *command)
{
   const struct script_expectation *expectation = &command->expectation;
   unsigned lane = 0, end = runner->num_lanes;
   unsigned num_wrong = 0, first_wrong = 0;
   uint32_t wrong[4], words[4];

   if (!runner->run)
      return fail_without_run(runner, command);
   if (expectation->lane != SCRIPT_ALL_LANES) {
      lane = (unsigned)expectation->lane;
      end = lane + 1;
   }
   for (; lane < end; lane++) {
      if (!get_words(runner, expectation, lane, words))
         return script_fail(runner, command,
                            "the run has no such register or lane");
      if (script_values_match(&expectation->values, words,
                              &expectation->tolerance))
         continue;
      if (!num_wrong++) {
         first_wrong = lane;
         memcpy(wrong, words, sizeof(wrong));
      }
   }
   return num_wrong
             ? fail_lanes(runner, command, first_wrong, wrong, num_wrong - 1)
             : TG_OK;
}
