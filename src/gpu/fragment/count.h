/* SPDX-License-Identifier: MIT
 *
 * Counters of fragments.
 */
#ifndef TG_GPU_FRAGMENT_COUNT_H
#define TG_GPU_FRAGMENT_COUNT_H

#include "gpu/fragment/fragment.h"

/* Counts the first rounds of the worker, which have run. These lanes of them
 * were live before. */
void
gpu_fragment_count_rounds(const struct gpu_fragment_worker *fragments,
                          uint32_t num_rounds,
                          const uint32_t live[GPU_MAX_ROUNDS]);

/* Counts fragments that were filled in without a wave, all of which pass. */
void
gpu_fragment_count_filled(const struct gpu_fragment_worker *fragments,
                          uint32_t num_fragments);

#endif
