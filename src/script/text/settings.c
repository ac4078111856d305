/* SPDX-License-Identifier: MIT
 *
 * Parsing and printing of registers before and after a run.
 */
#include "script/text/settings.h"

#include <string.h>

enum { MAX_SETTINGS = 1 << 20 };

/* ---- reading ------------------------------------------------------------- */

bool
script_read_setting(struct script_cursor *cursor, enum script_plain plain,
                    struct script_setting *setting_out)
{
   struct script_values values;

   *setting_out = (struct script_setting){.position = cursor_position(cursor)};
   if (!script_read_register(cursor, &setting_out->reg))
      return false;
   if (setting_out->reg.file == SCRIPT_OUT)
      return cursor_complain(cursor, "an output register cannot be set");
   if (!script_read_register_lane(cursor, &setting_out->lane) ||
       !cursor_expect_char(cursor, '=') ||
       !script_read_values(cursor, plain, 4, &values) ||
       !cursor_expect_end(cursor))
      return false;
   memcpy(setting_out->words, values.words, sizeof(setting_out->words));
   return true;
}

static bool
read_hex_word(struct script_cursor *cursor, uint32_t *out)
{
   struct script_word word = cursor_peek_word(cursor);

   if (!word.length)
      return cursor_complain(cursor, "expected four words");
   if (!cursor_word_to_hex(word, out))
      return cursor_complain(cursor, "expected eight hexadecimal digits");
   cursor->at += word.length;
   return true;
}

static bool
read_values_line(struct script_cursor *cursor, struct script_setting *setting)
{
   *setting = (struct script_setting){.position = cursor_position(cursor)};
   if (!script_read_register(cursor, &setting->reg) ||
       !script_read_register_lane(cursor, &setting->lane) ||
       !cursor_expect_char(cursor, ':'))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (!read_hex_word(cursor, &setting->words[i]))
         return false;
   }
   if (setting->reg.file == SCRIPT_OUT)
      setting->reg.file = SCRIPT_IN;
   return cursor_expect_end(cursor);
}

static enum tg_result
append(struct script_cursor *cursor, struct tg_arena *arena,
       struct script_settings *settings, const struct script_setting *setting)
{
   if (settings->count == MAX_SETTINGS) {
      cursor_complain(cursor, "there are more than %d settings", MAX_SETTINGS);
      return TG_ERROR_LIMIT;
   }
   if (!tg_arena_reserve(arena, (void **)&settings->items, &settings->capacity,
                         settings->count, sizeof(*settings->items)))
      return TG_ERROR_MEMORY;
   settings->items[settings->count++] = *setting;
   return TG_OK;
}

enum tg_result
script_parse_setting(const struct tg_source *source,
                     struct tg_diagnostics *diagnostics, struct tg_arena *arena,
                     struct script_settings *settings)
{
   struct script_cursor cursor = cursor_at_start(source, diagnostics);
   struct script_setting setting;

   if (!cursor_next_line(&cursor))
      cursor.line = 1; /* an empty line, to complain about */
   if (!script_read_setting(&cursor, SCRIPT_PLAIN_FLOAT, &setting))
      return TG_ERROR_INPUT;
   return append(&cursor, arena, settings, &setting);
}

/* A line of a run's output that sets nothing. */
static bool
is_event(struct script_cursor *cursor)
{
   return cursor_accept_words(cursor, "KILLED:") ||
          cursor_accept_words(cursor, "EMIT") ||
          cursor_accept_words(cursor, "ENDPRIM");
}

enum tg_result
script_parse_settings(const struct tg_source *source,
                      struct tg_diagnostics *diagnostics,
                      struct tg_arena *arena, struct script_settings *settings)
{
   struct script_cursor cursor = cursor_at_start(source, diagnostics);
   enum tg_result result = TG_OK;

   while (cursor_next_line(&cursor)) {
      struct script_setting setting;

      if (cursor_at_end(&cursor) || is_event(&cursor))
         continue;
      if (!read_values_line(&cursor, &setting)) {
         result = TG_ERROR_INPUT;
         continue;
      }
      enum tg_result appended = append(&cursor, arena, settings, &setting);
      if (appended != TG_OK)
         return appended;
   }
   return result;
}

/* ---- before a run -------------------------------------------------------- */

unsigned
script_lanes_of_settings(const struct script_settings *settings)
{
   int last = 0;

   for (uint32_t i = 0; i < settings->count; i++) {
      if (settings->items[i].lane > last)
         last = settings->items[i].lane;
   }
   return (unsigned)last + 1;
}

static void
complain_register(const struct script_setting *setting,
                  const struct tg_source *source,
                  struct tg_diagnostics *diagnostics)
{
   struct tg_strbuf name = {
      .allocator = tg_diagnostics_allocator(diagnostics),
   };

   script_format_register(&name, &setting->reg);
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "no-such-register", source,
               setting->position, NULL, "the shader has no %s",
               name.data ? name.data : "such register");
   tg_strbuf_finish(&name);
}

enum tg_result
script_apply_setting(const struct script_setting *setting,
                     const struct tg_source *source, unsigned num_lanes,
                     struct tg_run *run, struct tg_diagnostics *diagnostics)
{
   static const enum tg_run_file files[SCRIPT_NUM_FILES] = {
      [SCRIPT_IN] = TG_RUN_INPUT,
      [SCRIPT_SV] = TG_RUN_SYSVAL,
      [SCRIPT_CONST] = TG_RUN_CONSTANT,
   };

   if (setting->lane >= (int)num_lanes) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "no-such-lane", source,
                  setting->position, NULL, "the run has no lane %d",
                  setting->lane);
      return TG_ERROR_INPUT;
   }
   enum tg_result result =
      tg_run_set(run, files[setting->reg.file], setting->reg.dimension,
                 setting->reg.index, setting->lane, setting->words);
   if (result == TG_ERROR_INPUT)
      complain_register(setting, source, diagnostics);
   return result;
}

/* ---- after a run --------------------------------------------------------- */

/* One register in the lanes that have it each, or in all. */
static void
for_each_lane(const struct tg_run *run, unsigned num_lanes,
              struct script_register reg, script_output_function function,
              void *user)
{
   const enum tg_run_output_kind kind = tg_run_output_kind(run, reg.index);
   const bool is_shared = kind != TG_RUN_OUTPUT_OF_LANE;
   uint32_t words[4];

   reg.has_dimension = kind == TG_RUN_OUTPUT_OF_VERTEX;
   for (unsigned lane = 0; lane < (is_shared ? 1 : num_lanes); lane++) {
      if (tg_run_get_output(run, reg.dimension, reg.index, lane, words) ==
          TG_OK)
         function(user, &reg, is_shared ? SCRIPT_ALL_LANES : (int)lane, words);
   }
}

void
script_for_each_output_setting(const struct tg_run *run, unsigned num_lanes,
                               script_output_function function, void *user)
{
   const uint32_t num_vertices = tg_run_num_output_vertices(run);
   const uint32_t num_outputs = tg_run_num_outputs(run);
   struct script_register reg = {.file = SCRIPT_OUT};

   for (reg.dimension = 0; reg.dimension < num_vertices; reg.dimension++) {
      for (reg.index = 0; reg.index < num_outputs; reg.index++)
         for_each_lane(run, num_lanes, reg, function, user);
   }
}

void
script_print_setting(struct tg_strbuf *out, const struct script_register *reg,
                     int lane, const uint32_t words[4])
{
   script_format_register(out, reg);
   if (lane != SCRIPT_ALL_LANES)
      tg_strbuf_printf(out, " lane%d", lane);
   tg_strbuf_printf(out, ": %08x %08x %08x %08x\n", words[0], words[1],
                    words[2], words[3]);
}

static void
print_output(void *user, const struct script_register *reg, int lane,
             const uint32_t words[4])
{
   script_print_setting(user, reg, lane, words);
}

void
script_print_settings(struct tg_strbuf *out, const struct tg_run *run,
                      unsigned num_lanes)
{
   script_for_each_output_setting(run, num_lanes, print_output, out);
   if (tg_run_killed(run))
      tg_strbuf_printf(out, "KILLED: %x\n", tg_run_killed(run));
}
