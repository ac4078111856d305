/* SPDX-License-Identifier: MIT
 *
 * The commands of tests: the rows of commands.def as C, and what commands
 * share.
 */
#ifndef TG_SCRIPT_COMMANDS_H
#define TG_SCRIPT_COMMANDS_H

#include "script/run/runner.h"

/* ---- the table ----------------------------------------------------------- */

/* Reads what follows the command's words. False after a complaint. */
typedef bool (*script_read_function)(struct script_cursor *cursor,
                                     const struct script *script,
                                     struct script_command *command);

/* Carries a command out. TG_ERROR_INPUT after script_fail(), and the test goes
 * on; TG_ERROR_MEMORY. */
typedef enum tg_result (*script_do_function)(
   struct script_runner *runner, const struct script_command *command);

struct script_command_rule {
   const char *words;
   script_read_function read;
   script_do_function carry_out;
   unsigned flags;
};

enum {
   SCRIPT_COMMAND_STATE = 1 << 0, /* may stand in [state] too */
   SCRIPT_COMMAND_TRIED = 1 << 1, /* may follow `expect error` */
   SCRIPT_COMMAND_WAITS = 1 << 2, /* for what was drawn before */
};

#define SCRIPT_COMMAND(words, id, ...)                                         \
   bool script_read_##id(struct script_cursor *cursor,                         \
                         const struct script *script,                          \
                         struct script_command *command);                      \
   enum tg_result script_do_##id(struct script_runner *runner,                 \
                                 const struct script_command *command);
#include "script/commands/commands.def"

/* The rule with all flags whose words come next, which are stepped over, or
 * NULL. */
const struct script_command_rule *
script_find_command(struct script_cursor *cursor, unsigned flags);

/* The rule with these words, which there is. */
const struct script_command_rule *
script_find_command_rule(const char *words);

/* ---- what commands share --------------------------------------------------
 */

/* Units of work of a texel that is compared. */
enum { SCRIPT_TEXEL_WORK = 64 };

/* Parses and compiles the shader that `run` takes, unless that is done. */
enum tg_result
script_run_compile(struct script_runner *runner,
                   struct tg_diagnostics *diagnostics);

/* Turns that the loops of a run may have; 0: the usual number. */
uint64_t
script_run_loop_budget(const struct script_runner *runner);

/* Reads a tolerance, or nothing; only floats have one. */
bool
script_read_place_tolerance(struct script_cursor *cursor, bool is_float,
                            struct script_tolerance *tolerance);

/* Reads what texels of a place must be, and compares them. */
bool
script_read_expect_texels_area(struct script_cursor *cursor,
                               const struct script_place *place,
                               struct script_area *area);
enum tg_result
script_expect_texels(struct script_runner *runner,
                     const struct script_command *command);

/* Compares the picture of a surface's first layer with that of a file, and
 * writes beside it where they differ. */
enum tg_result
script_expect_picture(struct script_runner *runner,
                      const struct script_command *command,
                      const struct tg_surface *surface);

/* Whether `within X Y W H` comes next, and if so reads it: *good_out is false
 * after a complaint. And the rectangle as a scissor. */
bool
script_accept_clear_scissor(struct script_cursor *cursor, bool *has_scissor,
                            uint32_t scissor[4], bool *good_out);
struct tg_scissor
script_clear_scissor(const uint32_t scissor[4]);

/* A number as a texel's word of a format. */
uint32_t
script_expect_target_color_word(uint32_t format, double value);

/* The next run begins afresh. */
void
script_shader_forget_run(struct script_runner *runner);

/* The program is recompiled when it is next run. */
void
script_shader_forget_program(struct script_runner *runner);

#endif
