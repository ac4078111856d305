/* SPDX-License-Identifier: MIT
 *
 * The .tgsi_test format: shaders, values, state, and tests that run them and
 * compare. docs/tgsi_test.md describes it.
 */
#ifndef TG_SCRIPT_H
#define TG_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/gpu.h"
#include "util/strbuf.h"
#include "util/work.h"

/* A file that was read; immutable. */
struct script;

/* What a file and each of its tests may use. */
struct script_limits {
   bool no_files;        /* pictures are neither read nor written */
   uint32_t max_size;    /* pixels each way of framebuffers */
   uint64_t memory;      /* bytes, of the file and one test together */
   uint64_t max_turns;   /* of the loops of a run; 0: as the test says */
   uint64_t work;        /* of a test, units of tungsten/work.h; 0: any */
   double seconds;       /* that a test may take; 0: any */
   const char *note;     /* how to raise these two; NULL: nothing is said */
   uint64_t pixels;      /* and texels, that are filled and looked at */
   uint64_t threads;     /* of all dispatches */
   unsigned num_threads; /* where a test says nothing; 0: all processors */
   const char *executor; /* as in struct tg_device_options */
   struct tg_code_cache *code_cache; /* likewise */
   struct tg_profile *profile;       /* likewise */
   bool one_processor;   /* draws and dispatches take one, whatever is said */
   bool check;           /* runs are looked at, as the command `check` says */
   bool verify_each;     /* these three as in struct tg_device_options */
   tg_kernel_function print_kernel;
   void *print_user;
};

/* Enough work for a picture of 4096 by 4096 that is covered 16 times. */
#define SCRIPT_LIMITS_INIT                                                     \
   {                                                                           \
      .max_size = 4096, .memory = UINT64_C(1) << 30, .work = TG_WORK_USUAL,    \
      .seconds = TG_WORK_USUAL_SECONDS, .pixels = UINT64_C(1) << 30,           \
      .threads = UINT64_C(1) << 28,                                            \
   }

/* Reads a file's text; `name` is what diagnostics call it, `limits` NULL are
 * the usual ones. After a mistake reading goes on at the next line, so that all
 * are reported.
 * TG_ERROR_INPUT, TG_ERROR_LIMIT (the text is too long, or takes too much
 * memory), TG_ERROR_MEMORY. */
enum tg_result
script_parse(const struct tg_allocator *allocator,
             const struct script_limits *limits, const char *name,
             const char *text, size_t length,
             struct tg_diagnostics *diagnostics, struct script **script_out);

/* Destroys a script. Takes NULL. */
void
script_destroy(struct script *script);

size_t
script_model_num_tests(const struct script *script);

/* What stands after the word in [test NAME], "" if nothing does. */
const char *
script_model_test_name(const struct script *script, size_t test);

/* The line of its section's head. */
uint32_t
script_model_test_line(const struct script *script, size_t test);

/* Runs a test to its end. TG_OK when everything was as expected; TG_ERROR_INPUT
 * when not, with a diagnostic for each command that failed; TG_ERROR_LIMIT,
 * with one, when it would take too much memory; TG_ERROR_MEMORY. */
enum tg_result
script_run_test(const struct script *script, size_t test,
                struct tg_diagnostics *diagnostics);

struct script_picture {
   uint32_t width, height;
   uint8_t *rgba; /* four bytes a pixel, rows from the top */
};

/* What can be known of each pixel, beside its colour. */
enum script_map {
   SCRIPT_MAP_OVERDRAW,     /* fragments that were shaded for it */
   SCRIPT_MAP_INSTRUCTIONS, /* that their waves ran */
   SCRIPT_MAP_DEPTH,        /* in the buffer, of the first sample */
   SCRIPT_NUM_MAPS,
};

/* What a test drew. */
struct script_rendering {
   struct script_picture picture; /* the colours of its framebuffer */
   struct tg_context_statistics statistics;
   struct tg_code_statistics code;
   float *maps[SCRIPT_NUM_MAPS]; /* as many values as pixels, or NULL */
};

/* Runs a test and gives what it drew, with the maps that are wanted (bit i:
 * enum script_map). TG_ERROR_INPUT also when the test draws nothing. Where
 * nothing worse happened than that expectations failed there is a picture all
 * the same; else its `rgba` is NULL. */
enum tg_result
script_test_render(const struct script *script, size_t test,
                   unsigned wanted_maps, struct tg_diagnostics *diagnostics,
                   struct script_rendering *rendering_out);

/* What is written beside a picture: adds "dir.d/scene.depth.png" for
 * "dir.d/scene.png" and "depth". */
void
script_expect_picture_beside(struct tg_strbuf *name, const char *picture,
                      const char *what);

void
script_test_rendering_finish(struct script_rendering *rendering);

#endif
