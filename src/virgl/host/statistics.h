/* SPDX-License-Identifier: MIT
 *
 * Statistics of a host.
 */
#ifndef VIRGL_HOST_STATISTICS_H
#define VIRGL_HOST_STATISTICS_H

#include "tungsten/gpu.h"

/* Adds what a context of Tungsten's has done. */
void
virgl_add_statistics(struct tg_context_statistics *sum,
                     const struct tg_context *context);

#endif
