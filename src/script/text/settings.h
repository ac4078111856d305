/* SPDX-License-Identifier: MIT
 *
 * Values given to registers: one by one as `IN[0] lane 2 = 1, 2, 3, 4`, or as
 * the lines of a values file, `IN[0] lane2: 3f800000 0 0 40490fdb`, which is
 * also how the outputs of a run are written.
 */
#ifndef TG_SCRIPT_TEXT_SETTINGS_H
#define TG_SCRIPT_TEXT_SETTINGS_H

#include "script/text/values.h"
#include "tungsten/run.h"
#include "util/arena.h"

struct script_setting {
   struct script_register reg;
   int lane; /* or SCRIPT_ALL_LANES */
   uint32_t words[4];
   struct tg_position position;
};

struct script_settings {
   struct script_setting *items; /* in an arena */
   uint32_t count, capacity;
};

/* Reads `REGISTER [lane N] = VALUES`. */
bool
script_read_setting(struct script_cursor *cursor, enum script_plain plain,
                    struct script_setting *setting_out);

/* Appends the setting that a whole source is, and those of a values file. In
 * a values file OUT[r] means IN[r], so that what one shader has written can be
 * given to the next, and lines of events (KILLED, EMIT) are read past.
 * TG_ERROR_INPUT, TG_ERROR_MEMORY. */
enum tg_result
script_parse_setting(const struct tg_source *source,
                     struct tg_diagnostics *diagnostics, struct tg_arena *arena,
                     struct script_settings *settings);
enum tg_result
script_parse_settings(const struct tg_source *source,
                      struct tg_diagnostics *diagnostics,
                      struct tg_arena *arena, struct script_settings *settings);

/* Lanes that it takes to have every lane that is named; at least 1. */
unsigned
script_lanes_of_settings(const struct script_settings *settings);

/* Gives one value to a run that has `num_lanes`; a lane beyond them or a
 * register that the shader lacks is TG_ERROR_INPUT with a diagnostic. */
enum tg_result
script_apply_setting(const struct script_setting *setting,
                     const struct tg_source *source, unsigned num_lanes,
                     struct tg_run *run, struct tg_diagnostics *diagnostics);

/* Calls a function for each output register of a run and each lane, lanes
 * innermost; once, with SCRIPT_ALL_LANES, for registers that all lanes share.
 */
typedef void (*script_output_function)(void *user,
                                       const struct script_register *reg,
                                       int lane, const uint32_t words[4]);
void
script_for_each_output_setting(const struct tg_run *run, unsigned num_lanes,
                               script_output_function function, void *user);

/* A line of a values file. */
void
script_print_setting(struct tg_strbuf *out, const struct script_register *reg,
                     int lane, const uint32_t words[4]);

/* The outputs of a run as lines of a values file. */
void
script_print_settings(struct tg_strbuf *out, const struct tg_run *run,
                      unsigned num_lanes);

#endif
