/* SPDX-License-Identifier: MIT
 *
 * Register allocation: virtual registers become r0 to r31.
 */
#ifndef TEGRA_SCHEDULE_REGISTERS_H
#define TEGRA_SCHEDULE_REGISTERS_H

#include "tegra/mir/compile.h"

enum registers_how {
   REGISTERS_PLAIN, /* components stay where they are */
   /* Components move, so that registers that use few share one. Only before
    * operations are paired. */
   REGISTERS_PACKED,
};

/* Register allocation: gives temporaries registers. `*fits_out` is whether they
 * suffice; else nothing has changed. TG_ERROR_MEMORY. */
enum tg_result
registers_assign(struct mir *mir, enum registers_how how, bool *fits_out);

/* Complains of the instruction at which the most are in use. TG_ERROR_LIMIT,
 * TG_ERROR_MEMORY. */
enum tg_result
registers_complain(const struct compile *compile, struct mir *mir);

#endif
