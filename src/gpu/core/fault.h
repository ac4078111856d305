/* SPDX-License-Identifier: MIT
 *
 * Faults: what goes wrong while shaders run, which is found by a worker and
 * reported later, and complaints about calls, which are reported at once.
 */
#ifndef TG_GPU_FAULT_H
#define TG_GPU_FAULT_H

#include "tungsten/gpu.h"
#include "util/work.h"

/* A call as users know it. */
struct gpu_call_name {
   enum tg_call_kind kind;
   uint64_t number;
   uint64_t draw; /* its number in the device's profile, or 0 */
};

/* What went wrong while shaders ran. */
struct gpu_fault {
   enum tg_result result;
   const struct tg_shader *shader; /* or NULL */
   struct tg_position position;    /* in its text */
   const char *what; /* static; NULL of TG_ERROR_LIMIT: the work has ended */
   double late;      /* or these seconds of the call, unless they are 0 */
   struct gpu_call_name call;
};

/* Adds a diagnostic that no line of a shader is the cause of; returns `result`.
 */
enum tg_result
gpu_fault_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
                   const char *code, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* Turns a fault into a diagnostic; returns its result. `work` paid for what
 * ran. */
enum tg_result
gpu_report_fault(const struct tg_work *work, const struct gpu_fault *fault,
                 struct tg_diagnostics *diagnostics);

/* Charges the work budget for what the caller's thread does itself.
 * TG_ERROR_LIMIT, with a diagnostic, when the work has ended. NULL has no
 * limits. */
enum tg_result
gpu_fault_charge(struct tg_work *work, uint64_t cost,
                 struct tg_diagnostics *diagnostics);

#endif
