/* SPDX-License-Identifier: MIT
 *
 * A sanitizer for shaders: receives the trace events of a shader that was
 * lowered with lower_options.check, and reports what is legal for the
 * executors, who define everything, and still a mistake: values that were never
 * written and accesses out of bounds.
 *
 * Registers have shadows, as in Memcheck (Seward and Nethercote, "Using
 * Valgrind to detect undefined value errors with bit-precision", 2005) and
 * MemorySanitizer (Stepanov and Serebryany, 2015): a value that was computed
 * from one that was never written is as undefined as that, which is no mistake
 * until it matters. It does where it decides a branch, a discard, an address, a
 * coordinate or what is stored, and in an output at the end. A shadow has the
 * value's origin, so that the complaint can name it. Memory is looked at where
 * it is read; race.c says how races are found.
 *
 * A check belongs to one thread. What it finds is the same each time.
 */
#ifndef TG_CHECK_CHECK_H
#define TG_CHECK_CHECK_H

#include "abi/events.h"
#include "abi/layout.h"
#include "exec/exec.h"

struct check;

/* Creates the check of a shader that runs in up to `num_waves` waves at a time.
 * The shader must outlive it. TG_ERROR_MEMORY. */
enum tg_result
check_create(const struct tg_allocator *allocator,
             const struct tg_shader *shader, const struct abi_layout *layout,
             unsigned num_waves, struct check **check_out);

/* Takes NULL. */
void
check_destroy(struct check *check);

/* Begins a run: findings go to `diagnostics` as errors, each instruction and
 * code once. */
void
check_begin(struct check *check, struct tg_diagnostics *diagnostics);

/* Declares the run a dispatch of blocks with so many threads; wave w of one has
 * its threads from 16 w on. Blocks come in their order, x counting fastest,
 * each with all its waves. */
void
check_begin_dispatch(struct check *check, const uint32_t block_size[3],
                     const uint64_t grid[3]);
void
check_begin_block(struct check *check);

/* Orders accesses: all threads of the block are at a barrier. */
void
check_pass_barrier(struct check *check);

/* What lanes are called: lanes, unless it is one of these, which lanes of draws
 * have the numbers of in words 0 and 1 of the wave's input memory. */
enum check_lanes {
   CHECK_LANES,
   CHECK_VERTICES, /* vertex and instance */
   CHECK_PIXELS,   /* x and y */
};
void
check_name_lanes(struct check *check, enum check_lanes lanes);

/* Begins a wave, in which nothing is written yet. `state` must live as long as
 * the wave. */
void
check_begin_wave(struct check *check, unsigned wave,
                 const struct exec_wave *state);

/* Routes a trace event of abi/events.h to the detectors, as exec_listener.trace
 * receives it. */
void
check_trace_event(struct check *check, unsigned wave, uint64_t tag,
                  uint32_t lanes, const uint32_t value[LIR_LANES]);

/* Ends a wave that came to its end, or one that did not. */
void
check_end_wave(struct check *check, unsigned wave);
void
check_stop_wave(struct check *check, unsigned wave,
                const struct exec_fault *fault);

/* These lanes were done when the others of the wave were at a barrier. */
void
check_miss_barrier(struct check *check, unsigned wave, uint32_t instruction,
                   uint32_t lanes);

/* Ends the run: puts the findings in the order of their places, and says how
 * many there are. TG_ERROR_MEMORY if there was not enough to look at all. */
enum tg_result
check_end(struct check *check, uint32_t *num_findings_out);

#endif
