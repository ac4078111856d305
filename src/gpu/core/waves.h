/* SPDX-License-Identifier: MIT
 *
 * Dispatch of a kernel's waves, which pay for what they run.
 */
#ifndef TG_GPU_WAVES_H
#define TG_GPU_WAVES_H

#include "check/check.h"
#include "gpu/core/kernel.h"
#include "gpu/core/worker.h"

/* Times that the loops of one wave may go back to their top. */
#define GPU_LOOP_BUDGET (UINT64_C(1) << 24)

/* Runs one wave of a kernel, with a check or NULL. False after the worker's
 * first fault, which is then this one's. */
bool
gpu_run_wave(struct gpu_worker *worker, const struct exec_kernel *kernel,
             struct check *check, struct exec_wave *wave);

/* Runs the waves of one block, which wait for each other at barriers. */
bool
gpu_run_waves(struct gpu_worker *worker, const struct exec_kernel *kernel,
              struct check *check, struct exec_wave *waves, uint32_t num_waves);

/* Runs the waves of rounds one after the other, which differ by these alone,
 * and leaves what struct exec_round says. `*num_run` is how many rounds have
 * ended, all of them unless it returns false. */
bool
gpu_run_wave_rounds(struct gpu_worker *worker, const struct exec_kernel *kernel,
                    struct check *check, struct exec_wave *wave,
                    struct exec_round *rounds, uint32_t count,
                    uint32_t *num_run);

#endif
