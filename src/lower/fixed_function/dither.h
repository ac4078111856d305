/* SPDX-License-Identifier: MIT
 *
 * Ordered dither as LIR: where a format has few bits, a pattern over pixels
 * decides which of the two nearest values a colour becomes.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_DITHER_H
#define TG_LOWER_FIXED_FUNCTION_DITHER_H

#include "format/format.h"
#include "lir/builder.h"

/* Has a format channels that are dithered? */
bool
lower_dithers(enum tg_format format);

/* Ordered dither: moves the channels that a format has as fewer than 8 bits of
 * a linear UNORM by less than half of their step, so that what the format can
 * hold stays as it is. Those are held to [0, 1] before; all others are left
 * alone. */
void
lower_dither(struct lir_builder *builder, enum tg_format format, lir_value x,
             lir_value y, lir_value color[4]);

#endif
