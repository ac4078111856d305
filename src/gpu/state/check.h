/* SPDX-License-Identifier: MIT
 *
 * Validation of members and ranges of state.
 */
#ifndef TG_GPU_CHECK_H
#define TG_GPU_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

/* A member that is a number below a bound. */
struct gpu_member {
   const char *name;
   uint32_t value, bound;
};

/* TG_ERROR_INPUT for the first that is not. */
enum tg_result
gpu_check_members(const struct gpu_member *members, size_t count,
                  struct tg_diagnostics *diagnostics);

#define GPU_CHECK_MEMBERS(diagnostics, ...)                                    \
   gpu_check_members((const struct gpu_member[]){__VA_ARGS__},                 \
                     sizeof((const struct gpu_member[]){__VA_ARGS__}) /        \
                        sizeof(struct gpu_member),                             \
                     diagnostics)

/* TG_ERROR_INPUT for one that is not finite. */
enum tg_result
gpu_check_float(const char *name, float value,
                struct tg_diagnostics *diagnostics);

/* A part of an array that is set at once; TG_ERROR_INPUT beyond its end. */
enum tg_result
gpu_check_range(const char *name, unsigned first, unsigned count,
                unsigned bound, struct tg_diagnostics *diagnostics);

#endif
