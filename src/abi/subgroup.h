/* SPDX-License-Identifier: MIT
 *
 * System values of subgroups. A subgroup is a wave.
 */
#ifndef TG_ABI_SUBGROUP_H
#define TG_ABI_SUBGROUP_H

#include <stdint.h>

#include "tgsi/tables/tables.h"

/* The first word of a SUBGROUP_* system value; 0 of any other. Masks have a bit
 * for each lane of the wave, so that their other words are 0. */
uint32_t
abi_subgroup_value(enum tg_semantic semantic, unsigned lane);

#endif
