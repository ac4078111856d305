/* SPDX-License-Identifier: MIT
 *
 * A sanitizer for shaders: listens to what a shader tells that was lowered with
 * lower_options.check, and complains about what is legal for the executors, who
 * define everything, and still a mistake: values that were never written and
 * accesses out of bounds.
 *
 * Registers have shadows, as in Memcheck (Seward and Nethercote, "Using
 * Valgrind to detect undefined value errors with bit-precision", 2005) and
 * MemorySanitizer (Stepanov and Serebryany, 2015): a value that was computed
 * from one that was never written is as undefined as that, which is no mistake
 * until it matters. It does where it decides a branch, a discard, an address, a
 * coordinate or what is stored, and in an output at the end. A shadow has the
 * value's origin, so that the complaint can name it.
 *
 * A check belongs to one thread. What it finds is the same each time.
 */
#ifndef TG_CHECK_CHECK_H
#define TG_CHECK_CHECK_H

#include "exec/exec.h"
#include "lower/lower.h"

struct check;

/* Of a shader that runs in up to `num_waves` waves at a time. The shader must
 * outlive it. TG_ERROR_MEMORY. */
enum tg_result
check_create(const struct tg_allocator *allocator,
             const struct tg_shader *shader, const struct lower_layout *layout,
             unsigned num_waves, struct check **check_out);

/* Takes NULL. */
void
check_destroy(struct check *check);

/* A run begins: findings go to `diagnostics` as errors, each instruction and
 * code once. */
void
check_begin(struct check *check, struct tg_diagnostics *diagnostics);

/* A wave begins: nothing is written. `state` must live as long as the wave. */
void
check_begin_wave(struct check *check, unsigned wave,
                 const struct exec_wave *state);

/* An event of lower.h: what exec_listener.trace hears. */
void
check_hear(struct check *check, unsigned wave, uint64_t tag, uint32_t lanes,
           const uint32_t value[LIR_LANES]);

/* The wave came to its end, or did not. */
void
check_end_wave(struct check *check, unsigned wave);
void
check_stop_wave(struct check *check, unsigned wave,
                const struct exec_fault *fault);

/* These lanes were done when the others of the wave were at a barrier. */
void
check_miss_barrier(struct check *check, unsigned wave, uint32_t instruction,
                   uint32_t lanes);

/* The run ends: puts the findings in the order of their places; how many there
 * are. */
uint32_t
check_end(struct check *check);

#endif
