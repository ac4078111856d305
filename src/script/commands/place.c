/* SPDX-License-Identifier: MIT
 *
 * The commands that change how a place is bound, and those that look at what
 * its memory holds; texels are looked at in expect_texels.c.
 */
#include <string.h>

#include "script/commands/commands.h"
#include "script/text/choices.h"

/* Units of work of a value of a buffer that is compared. */
enum { VALUE_WORK = 8 };

/* ---- PLACE N LINE -------------------------------------------------------- */

bool
script_read_place(struct script_cursor *cursor, const struct script *script,
                  struct script_command *command)
{
   const struct script_place *place =
      script_read_place_name(cursor, script, command->rule->words);
   bool good = false;
   if (!place)
      return false;

   command->place = place;
   if (!script_accept_place_change(cursor, place, &command->place_change,
                                   &good))
      return cursor_complain(cursor, "expected a line of a view or sampler");
   return good;
}

enum tg_result
script_do_place(struct script_runner *runner,
                const struct script_command *command)
{
   struct script_bound_place *place =
      &runner->bound.places[command->place->index];

   script_apply_rule(&command->place_change, &place->binding);
   place->position = command->position;
   runner->bound.is_current = false;
   return TG_OK;
}

/* ---- expect BUFFER ------------------------------------------------------- */

bool
script_read_place_tolerance(struct script_cursor *cursor, bool is_float,
                            struct script_tolerance *tolerance)
{
   struct script_cursor before = *cursor;

   if (!script_read_compare_tolerance(cursor, tolerance))
      return false;
   return is_float || tolerance->kind == SCRIPT_EXACT ||
          cursor_complain(&before, "only floats have a tolerance");
}

/* The rest of a line of values, which is read twice: when the script is, and
 * when they are compared, value by value. */
static bool
skip_values(struct script_cursor *cursor, const struct script_type *type,
            uint32_t *count_out)
{
   for (*count_out = 0;;) {
      struct script_values value = {0};

      if (!script_read_typed_value(cursor, type, &value))
         return false;
      ++*count_out;
      cursor_accept_char(cursor, ',');

      const struct script_word word = cursor_peek_word(cursor);
      if (cursor_at_end(cursor) || cursor_word_is(word, "within"))
         return true;
   }
}

/* [at BYTE] [all] TYPE VALUE ... [within T] */
static bool
read_data(struct script_cursor *cursor, struct script_data *data)
{
   *data = (struct script_data){0};
   if (cursor_accept_words(cursor, "at") &&
       !cursor_read_number(cursor, 0, UINT32_MAX, "a byte", &data->offset))
      return false;
   data->is_all = cursor_accept_words(cursor, "all");
   data->type = script_accept_value_type(cursor);
   if (!data->type)
      return script_complain_of_value_type(cursor);
   data->values = *cursor;
   if (!skip_values(cursor, data->type, &data->count))
      return false;
   if (data->is_all && data->count != 1)
      return cursor_complain(cursor, "all of a buffer is one value");
   return script_read_place_tolerance(
      cursor, script_value_type_is_float(data->type), &data->tolerance);
}

/* A value of a buffer. */
static void
get_value(const uint8_t *bytes, unsigned size, uint32_t words[2])
{
   uint64_t bits = 0;

   for (unsigned i = 0; i < size; i++)
      bits |= (uint64_t)bytes[i] << i * 8;
   words[0] = (uint32_t)bits;
   words[1] = (uint32_t)(bits >> 32);
}

static enum tg_result
fail_value(struct script_runner *runner, const struct script_command *command,
           uint64_t offset, const uint32_t words[2], uint64_t num_wrong)
{
   struct tg_strbuf message = {.allocator = runner->allocator};

   tg_strbuf_printf(&message, "byte %llu is ", (unsigned long long)offset);
   script_format_typed_value(&message, command->data.type, words);
   if (num_wrong > 1)
      tg_strbuf_printf(&message, "; %llu values are wrong in all",
                       (unsigned long long)num_wrong);
   enum tg_result result = script_fail(
      runner, command, "%s", message.data ? message.data : "out of memory");
   tg_strbuf_finish(&message);
   return result;
}

static enum tg_result
compare_values(struct script_runner *runner,
               const struct script_command *command, const uint8_t *bytes,
               uint64_t count)
{
   const struct script_data *data = &command->data;
   const unsigned size = script_value_type_size(data->type);
   struct script_cursor cursor = data->values;
   struct script_values expected = {0};
   uint64_t num_wrong = 0, wrong_offset = 0;
   uint32_t words[2], wrong[2] = {0};

   for (uint64_t i = 0; i < count; i++) {
      const uint64_t offset = data->offset + i * size;

      if (!i || !data->is_all) {
         expected.count = 0;
         script_read_typed_value(&cursor, data->type, &expected);
         cursor_accept_char(&cursor, ',');
      }
      get_value(bytes + offset, size, words);
      if (script_compare_values(&expected, words, &data->tolerance) ||
          num_wrong++)
         continue;
      wrong_offset = offset;
      memcpy(wrong, words, sizeof(wrong));
   }
   return num_wrong
             ? fail_value(runner, command, wrong_offset, wrong, num_wrong)
             : TG_OK;
}

static enum tg_result
expect_data(struct script_runner *runner, const struct script_command *command)
{
   const struct script_data *data = &command->data;
   const unsigned type_size = script_value_type_size(data->type);
   struct tg_resource *resource = script_bound_resource(runner, command->place);
   const uint8_t *bytes = tg_resource_map_buffer(resource);
   const uint64_t size = tg_resource_get_size(resource);

   if (!bytes)
      return script_fail(runner, command, "this is a texture, not a buffer");
   const uint64_t rest = size > data->offset ? size - data->offset : 0;
   const uint64_t count = data->is_all ? rest / type_size : data->count;

   if (count * type_size > rest || !count)
      return script_fail(runner, command, "it has %llu bytes",
                         (unsigned long long)size);
   enum tg_result result = script_runner_touch_pixels(runner, command, count);
   if (result == TG_OK && !tg_work_pay(&runner->work, count * VALUE_WORK))
      return TG_ERROR_LIMIT;
   return result == TG_OK ? compare_values(runner, command, bytes, count)
                          : result;
}

/* ---- expect PLACE -------------------------------------------------------- */

bool
script_read_expect_place(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   const char *words = command->rule->words + strlen("expect ");
   const struct script_place *place =
      script_read_place_name(cursor, script, words);
   if (!place)
      return false;

   command->place = place;
   switch (script_place_rules[place->kind].holds) {
   case SCRIPT_HOLDS_TEXELS:
      return script_read_expect_texels_area(cursor, place, &command->area);
   case SCRIPT_HOLDS_BYTES: return read_data(cursor, &command->data);
   }
   return cursor_complain(cursor, "a sampler holds nothing");
}

enum tg_result
script_do_expect_place(struct script_runner *runner,
                       const struct script_command *command)
{
   enum tg_result result = script_bound_create(runner);

   if (result != TG_OK)
      return result;
   return script_place_rules[command->place->kind].holds == SCRIPT_HOLDS_TEXELS
             ? script_expect_texels(runner, command)
             : expect_data(runner, command);
}
