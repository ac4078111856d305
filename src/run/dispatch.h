/* SPDX-License-Identifier: MIT
 *
 * Compute dispatches on a pool that others use too.
 */
#ifndef TG_RUN_DISPATCH_H
#define TG_RUN_DISPATCH_H

#include "tungsten/run.h"

struct tg_pool;
struct tg_pool_share;
struct tg_work;

/* tg_dispatch() by the threads of a pool, of which the caller is one, for the
 * owner of `share`, or NULL; those of a pool of its own with NULL; `work`, or
 * NULL, pays for its blocks. At most grid->num_threads of them are at work at a
 * time, and as many as memory is found for; other jobs of the pool go on
 * meanwhile. `num_threads_out`, unless it is NULL, becomes the number of the
 * grid's, UINT64_MAX for more, and 0 for one that is refused. */
enum tg_result
run_dispatch_on(struct tg_pool *pool, struct tg_pool_share *share,
                struct tg_work *work, const struct tg_program *program,
                const struct tg_bindings *bindings, const struct tg_grid *grid,
                struct tg_diagnostics *diagnostics, uint64_t *num_threads_out);

#endif
