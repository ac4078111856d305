/* SPDX-License-Identifier: MIT
 *
 * Which lanes a wave of a compute shader has. Its last quad may lack some, and
 * what a register holds in those is not defined.
 */
#ifndef TG_LOWER_STAGE_DERIVATIVE_H
#define TG_LOWER_STAGE_DERIVATIVE_H

#include "lower/operands/context.h"

/* Keeps the mask of launched lanes, if the shader needs it. Belongs to the
 * prologue, where all of them are active. */
void
lower_derivative_keep_launched(struct lower_context *context);

#endif
