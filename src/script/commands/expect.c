/* SPDX-License-Identifier: MIT
 *
 * Expectations of the run of a lone shader: outputs, discarded lanes, emitted
 * vertices.
 */
#include <string.h>

#include "script/commands/commands.h"

/* ---- expect killed ------------------------------------------------------- */

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
   if (!runner->has_outputs)
      return fail_without_run(runner, command);

   uint32_t killed = tg_run_killed(runner->run);
   if (killed == command->number)
      return TG_OK;
   return script_fail(runner, command, "the discarded lanes are 0x%04x",
                      killed);
}

/* ---- expect OUT ---------------------------------------------------------- */

static bool
read_mask(struct script_cursor *cursor, unsigned *mask_out)
{
   static const char letters[] = "xyzw";

   *mask_out = 15;
   if (cursor->at == cursor->end || *cursor->at != '.')
      return true;
   cursor->at++;

   struct script_word word = cursor_peek_word(cursor);
   const char *at = letters;
   *mask_out = 0;
   for (size_t i = 0; i < word.length; i++) {
      const char *letter = memchr(at, word.text[i], (size_t)(letters + 4 - at));
      if (!letter)
         return cursor_complain(cursor, "expected some of xyzw, in this order");
      *mask_out |= 1u << (letter - letters);
      at = letter + 1;
   }
   if (!word.length)
      return cursor_complain(cursor, "expected some of xyzw");
   cursor->at += word.length;
   return true;
}

/* OUT[r] [.mask] [lane L] = VALUES [within T] */
static bool
read_expectation(struct script_cursor *cursor,
                 struct script_expectation *expectation)
{
   if (!script_read_register(cursor, &expectation->reg))
      return false;
   if (expectation->reg.file != SCRIPT_OUT)
      return cursor_complain(cursor, "only output registers are compared");
   if (!read_mask(cursor, &expectation->mask) ||
       !script_read_register_lane(cursor, &expectation->lane) ||
       !cursor_expect_char(cursor, '='))
      return false;
   unsigned num_words = (unsigned)__builtin_popcount(expectation->mask);
   return script_read_values(cursor, SCRIPT_PLAIN_INTEGER, num_words,
                             &expectation->values) &&
          script_read_compare_tolerance(cursor, &expectation->tolerance);
}

bool
script_read_expect_output(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   (void)script;
   command->expectation.vertex = SCRIPT_NO_VERTEX;
   return read_expectation(cursor, &command->expectation);
}

bool
script_read_expect_vertex(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   (void)script;
   return cursor_read_number(cursor, 0, SCRIPT_MAX_EMITTED, "a vertex",
                             &command->expectation.vertex) &&
          read_expectation(cursor, &command->expectation);
}

/* All channels of the register, at the end or when a vertex was emitted. */
static bool
get_register(const struct script_runner *runner,
             const struct script_expectation *expectation, unsigned lane,
             uint32_t words[4])
{
   const struct script_register *reg = &expectation->reg;

   if (expectation->vertex == SCRIPT_NO_VERTEX)
      return tg_run_get_output(runner->run, reg->dimension, reg->index, lane,
                               words) == TG_OK;
   const struct script_emission *emission =
      script_emitted_vertex(&runner->emitted, lane, expectation->vertex);
   if (!emission || reg->has_dimension ||
       reg->index >= runner->emitted.num_outputs)
      return false;
   memcpy(words, emission->words[reg->index], 4 * sizeof(*words));
   return true;
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
   if (!get_register(runner, expectation, lane, all))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (expectation->mask >> i & 1)
         words[count++] = all[i];
   }
   return true;
}

/* Reports the first lane that has other values, and how many more have. */
static enum tg_result
fail_lanes(struct script_runner *runner, const struct script_command *command,
           unsigned lane, const uint32_t *words, unsigned num_more)
{
   const struct script_values *values = &command->expectation.values;
   struct tg_strbuf message = {.allocator = runner->allocator};

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

   if (!runner->has_outputs)
      return fail_without_run(runner, command);
   if (expectation->lane != SCRIPT_ALL_LANES) {
      lane = (unsigned)expectation->lane;
      end = lane + 1;
   }
   for (; lane < end; lane++) {
      if (!get_words(runner, expectation, lane, words))
         return script_fail(runner, command,
                            "there is no such register, lane or vertex");
      if (script_compare_values(&expectation->values, words,
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

enum tg_result
script_do_expect_vertex(struct script_runner *runner,
                        const struct script_command *command)
{
   return script_do_expect_output(runner, command);
}

/* ---- expect emitted ------------------------------------------------------ */

bool
script_read_expect_emitted(struct script_cursor *cursor,
                           const struct script *script,
                           struct script_command *command)
{
   struct script_expectation *expectation = &command->expectation;

   (void)script;
   return cursor_read_number(cursor, 0, SCRIPT_MAX_EMITTED,
                             "a number of vertices", &expectation->vertex) &&
          script_read_register_lane(cursor, &expectation->lane);
}

enum tg_result
script_do_expect_emitted(struct script_runner *runner,
                         const struct script_command *command)
{
   const struct script_expectation *expectation = &command->expectation;

   if (!runner->has_outputs)
      return fail_without_run(runner, command);
   if (expectation->lane >= (int)runner->num_lanes)
      return script_fail(runner, command, "the run has no lane %d",
                         expectation->lane);
   for (unsigned lane = 0; lane < runner->num_lanes; lane++) {
      uint32_t num_emitted = tg_run_num_emitted(runner->run, lane);

      if ((expectation->lane == SCRIPT_ALL_LANES ||
           expectation->lane == (int)lane) &&
          num_emitted != expectation->vertex)
         return script_fail(runner, command, "lane %u has emitted %u", lane,
                            num_emitted);
   }
   return TG_OK;
}
