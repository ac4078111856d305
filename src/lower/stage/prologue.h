/* SPDX-License-Identifier: MIT
 *
 * The code around a shader's own, in its entry function.
 */
#ifndef TG_LOWER_STAGE_PROLOGUE_H
#define TG_LOWER_STAGE_PROLOGUE_H

#include "lower/operands/context.h"

/* Emits what comes before a shader: inputs from the stage's functions, tables
 * of immediates, defaults of outputs. */
void
lower_prologue(struct lower_context *context);

/* Emits what comes after a shader: outputs to the stage's function or to lane
 * memory. */
void
lower_epilogue(struct lower_context *context);

/* Stores all outputs to lane memory. */
void
lower_epilogue_store_outputs(struct lower_context *context);

#endif
