/* SPDX-License-Identifier: MIT
 *
 * Profiles: where the time of devices and programs goes, by stage, by shader
 * and by draw, as a table and as a trace for Perfetto (https://ui.perfetto.dev)
 * or chrome://tracing. A device that is created without one measures nothing.
 *
 * What is measured is spans: a batch of vertices, what a draw does in a tile, a
 * pass over a shader, a wait. Those of a thread nest. The time of a stage is
 * that of its spans without the spans within them, so that no time counts
 * twice.
 *
 * A profile is used by any number of threads at once. Its memory is bounded:
 * sums are of all spans, and of each thread the newest spans are kept for the
 * trace and the table of draws.
 */
#ifndef TUNGSTEN_PROFILE_H
#define TUNGSTEN_PROFILE_H

#include <stdbool.h>

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tg_profile;

struct tg_profile_options {
   size_t size;        /* sizeof(struct tg_profile_options) */
   uint32_t max_spans; /* that are kept of each thread, 48 bytes each; 0:
                        * TG_PROFILE_USUAL_SPANS */
};

#define TG_PROFILE_USUAL_SPANS 65536
#define TG_PROFILE_OPTIONS_INIT TG_INIT_(tg_profile_options, TG_NO_MEMBERS_)

/** An empty profile, for devices and programs that are created with it; it must
 * outlive them. `allocator` must be one for many threads. TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_profile_create(const struct tg_allocator *allocator,
                  const struct tg_profile_options *options,
                  struct tg_profile **profile_out);

/** Takes NULL. */
TG_API void
tg_profile_destroy(struct tg_profile *profile);

/* ---- stages -------------------------------------------------------------- */

/** Kinds of spans. */
enum tg_profile_stage {
   TG_PROFILE_DECODE,       /* commands of a client */
   TG_PROFILE_DRAW,         /* calls: state, keys, hazards, filling of bins */
   TG_PROFILE_VERTEX,       /* a batch */
   TG_PROFILE_TESSELLATION, /* a batch: both shaders and what is between them */
   TG_PROFILE_GEOMETRY,     /* a piece of a batch */
   TG_PROFILE_SETUP,        /* a piece: clipping, shapes, stream output */
   TG_PROFILE_TILE,         /* of a scene, beside what is drawn in it */
   TG_PROFILE_FRAGMENT,     /* a draw in a tile, from rasteriser to output */
   TG_PROFILE_CLEAR,        /* calls, and what they do in a tile */
   TG_PROFILE_BLIT,         /* calls, copies too, and parts of them */
   TG_PROFILE_COMPUTE,      /* calls of dispatches, and parts of them */
   TG_PROFILE_UPLOAD,       /* calls of writes and maps */
   TG_PROFILE_READ,         /* calls of read-backs */
   TG_PROFILE_LOWER,        /* compiling: TGSI to lane IR */
   TG_PROFILE_PASSES,       /* compiling: of lane IR */
   TG_PROFILE_INTERPRETER,  /* compiling: decoding for the interpreter */
   TG_PROFILE_CODE_CACHE,   /* looking for machine code that there is */
   TG_PROFILE_CODE,         /* compiling: machine code, by LLVM */
   TG_PROFILE_WAIT,         /* for what is drawn */
   TG_PROFILE_IDLE,         /* until a client asks for more */
   TG_NUM_PROFILE_STAGES,
};

/** "vertex", "code cache"; NULL for an unknown stage. */
TG_API const char *
tg_profile_stage_name(enum tg_profile_stage stage);

/* ---- of the caller's own ------------------------------------------------- */

/** Begins a span of the calling thread, for what the caller does itself, as to
 * decode commands; ends the one that it began last. Both take NULL, and do
 * nothing. */
TG_API void
tg_profile_begin(struct tg_profile *profile, enum tg_profile_stage stage);
TG_API void
tg_profile_end(struct tg_profile *profile);

/** Draws are numbered from 1 on, those that were refused too, in the order of
 * their calls. This gives the next one a number, and those after it follow: for
 * a caller that numbers draws itself, and does not draw each. Takes NULL. */
TG_API void
tg_profile_number_draw(struct tg_profile *profile, uint64_t number);

/** A frame is complete: a mark in the trace, numbered from 0. Takes NULL. */
TG_API void
tg_profile_mark_frame(struct tg_profile *profile);

/* ---- results ------------------------------------------------------------- */

/* Any thread may ask at any time. What has not ended is not counted. */

struct tg_profile_total {
   size_t size;    /* sizeof(struct tg_profile_total), set by the caller */
   uint64_t spans; /* of a stage, that have ended */
   double seconds; /* that they took, without spans within them, of all threads
                    * together */
};

#define TG_PROFILE_TOTAL_INIT TG_INIT_(tg_profile_total, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT for an unknown stage, and for a size that is not known; then
 * nothing is written. */
TG_API enum tg_result
tg_profile_get_total(struct tg_profile *profile, enum tg_profile_stage stage,
                     struct tg_profile_total *total_out);

struct tg_profile_counters {
   size_t size;            /* sizeof(struct tg_profile_counters), likewise */
   double seconds;         /* since the profile was created */
   uint64_t draws, frames; /* calls, and marks */
   uint64_t spans_lost;    /* that were not kept */
   uint64_t kernels_made;  /* lowered and compiled */
   uint64_t kernels_found; /* that were asked for again */
   uint64_t code_made;     /* machine code that LLVM made */
   uint64_t code_loaded;   /* that was in the code cache */
   uint64_t code_shared;   /* that the process had, for another kernel */
};

#define TG_PROFILE_COUNTERS_INIT TG_INIT_(tg_profile_counters, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT for a size that is not known, and then nothing is written. */
TG_API enum tg_result
tg_profile_get_counters(struct tg_profile *profile,
                        struct tg_profile_counters *counters_out);

/** Tables, as text: counters, stages, the shaders and the draws that took
 * longest. The string is the caller's, to be freed with tg_string_free(); NULL
 * when out of memory. */
TG_API char *
tg_profile_text(struct tg_profile *profile);

/** Takes the next bytes of a text. False: it failed, and is not called again.
 * It must not use the profile. */
typedef bool (*tg_write_function)(void *user, const char *bytes,
                                  size_t num_bytes);

/** Writes the spans that were kept, as JSON in Chrome's trace event format:
 * complete events in microseconds since the profile was created, with draw,
 * call and shader as their arguments, frames as instants, counters and totals
 * as `otherData`. Threads that end a span wait meanwhile. TG_ERROR_IO when
 * `write` failed, TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_profile_write_trace(struct tg_profile *profile, tg_write_function write,
                       void *user);

#ifdef __cplusplus
}
#endif

#endif
