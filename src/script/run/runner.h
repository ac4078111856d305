/* SPDX-License-Identifier: MIT
 *
 * The state of a test that is being run, its diagnostics and limits.
 */
#ifndef TG_SCRIPT_RUN_RUNNER_H
#define TG_SCRIPT_RUN_RUNNER_H

#include "script/run/bound.h"
#include "script/run/drawing.h"
#include "script/run/emitted.h"
#include "script/script.h"
#include "script/sections/model.h"

/* A shader that was compiled for a test. */
struct script_program {
   struct tg_shader *shader;
   struct tg_program *program;
};

enum { SCRIPT_MAX_FINDINGS = 1000 };

/* What the last checked run said. */
struct script_findings {
   struct tg_diagnostics *list; /* NULL before the first */
   bool is_expected[SCRIPT_MAX_FINDINGS];
};

struct script_runner {
   const struct script *script;
   const struct script_limits *limits;
   struct tg_quota quota; /* of all memory that the test takes */
   const struct tg_allocator *allocator;
   struct tg_work work; /* of all that the test does */
   struct tg_diagnostics *diagnostics;
   struct tg_arena arena;
   bool has_given_up;     /* something that the whole test needs went wrong */
   bool is_end_explained; /* that of the work */
   bool is_incomplete;    /* more than expectations did: the picture is wrong */
   struct tg_diagnostics
      *errors;           /* of the library, to be said in other words */
   uint64_t num_pixels;  /* and texels, that were filled and looked at */
   uint64_t num_threads; /* that were dispatched */
   const struct script_shader
      *shader; /* that `run` takes; NULL: none is there */
   unsigned num_lanes;
   uint64_t loop_budget; /* 0: the usual one */
   struct script_settings settings[SCRIPT_NUM_STAGES];
   struct script_program program; /* of `shader`, once it has been run */
   struct tg_run *run; /* of the program, with the first `num_applied` of its
                          settings; NULL: none yet */
   unsigned run_lanes; /* that it has */
   uint32_t num_applied;
   bool has_outputs; /* the last run came to its end */
   bool is_checked;  /* runs are looked at: commands/check.h */
   bool is_trying;   /* a command that must fail is carried out */
   struct script_findings findings;
   struct script_emitted emitted; /* by it */
   struct script_bound bound;
   struct script_drawing drawing;
};

/* Makes a runner of one that is all zero, but for the maps that are wanted; it
 * is to be finished in any case. */
enum tg_result
script_runner_init(struct script_runner *runner, const struct script *script,
                   struct tg_diagnostics *diagnostics);

void
script_runner_finish(struct script_runner *runner);

/* Says that a command went wrong; returns TG_ERROR_INPUT. Where the work has
 * ended that is what went wrong, and is said once: TG_ERROR_LIMIT. */
enum tg_result
script_fail(struct script_runner *runner, const struct script_command *command,
            const char *format, ...) __attribute__((format(printf, 3, 4)));

/* An empty list for what the library says; NULL when out of memory. And the
 * first error in it, or what is known of it. */
struct tg_diagnostics *
script_errors(struct script_runner *runner);
const char *
script_first_error(const struct script_runner *runner);

/* Says that a place or something else of the file cannot be as it is; nothing
 * more of the test is carried out. Returns `result`. */
enum tg_result
script_blame(struct script_runner *runner, struct tg_position position,
             enum tg_result result, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* Reads a picture that the script names. Unless it is TG_OK or TG_ERROR_MEMORY
 * script_first_error() says what is wrong. The picture is a block of
 * util/block.h. */
enum tg_result
script_load_picture(struct script_runner *runner, const char *path,
                    uint32_t *width_out, uint32_t *height_out,
                    uint8_t **rgba_out);

/* The script's folder, with a slash at its end, or "" for the current one; NULL
 * when out of memory. */
const char *
script_load_picture_folder(struct script_runner *runner);

/* Charges the test's limit for texels that are about to be filled; false when
 * they are too many. */
bool
script_runner_count_texels(struct script_runner *runner, uint64_t num_texels);

/* Charges the test's limit for pixels that a command is about to touch;
 * TG_ERROR_INPUT after script_fail() when the test's limit is reached. */
enum tg_result
script_runner_touch_pixels(struct script_runner *runner,
                           const struct script_command *command,
                           uint64_t num_pixels);

/* Parses a shader of the script so that diagnostics have the places of the
 * file. */
enum tg_result
script_runner_parse_shader(struct script_runner *runner,
                           const struct script_shader *shader,
                           struct tg_diagnostics *diagnostics,
                           struct tg_shader **shader_out);

#endif
