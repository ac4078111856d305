/* SPDX-License-Identifier: MIT
 *
 * What others want to know of a dispatch.
 */
#ifndef TG_RUN_DISPATCH_H
#define TG_RUN_DISPATCH_H

#include "tungsten/run.h"

/* Threads of a grid; UINT64_MAX stands for more. 0 for one that tg_dispatch()
 * refuses. */
uint64_t
run_count_threads(const struct tg_program *program, const struct tg_grid *grid);

#endif
