/* SPDX-License-Identifier: MIT
 *
 * What the texture opcodes share: texture.c reads the operands of those that
 * name a sampler, sample_opcodes.c of those that name a view and a sampler;
 * look_up.c finds out which these are and looks things up.
 */
#ifndef TG_LOWER_TEXTURE_H
#define TG_LOWER_TEXTURE_H

#include "lower/operands/context.h"
#include "lower/sample/sample.h"

/* A lookup that an instruction asks for. View and sampler of its kind are not
 * set yet. */
struct texture {
   struct sample_kind kind;
   lir_value argument[SAMPLE_NUM_ARGUMENTS]; /* 0 unless one is given */
};

/* Reads the coordinates that a target has, with layer and reference; of
 * integers for a fetch. `src` is the operand that has them. */
void
texture_read_coordinates(struct lower_context *context, struct texture *texture,
                         enum tg_target target, unsigned src);

/* The texel offsets of the instruction, if it has any. */
void
texture_read_offsets(struct lower_context *context, struct texture *texture);

/* Implicit level of detail: that of the derivatives, taken from the differences
 * in the quad; but 0 where there are no quads. */
void
texture_derive_lod(struct lower_context *context, struct texture *texture);
/* Implicit level of detail with a bias. */
void
texture_bias_lod(struct lower_context *context, struct texture *texture,
                 lir_value bias);
/* Explicit level of detail, or level. */
void
texture_give_lod(struct texture *texture, lir_value lod);
/* Explicit derivatives, in the operands `dx` and `dy`. */
void
texture_read_derivatives(struct lower_context *context, struct texture *texture,
                         unsigned dx, unsigned dy);

/* The slice of a cube, six each, that a fetch has in z. */
void
texture_read_slice(struct lower_context *context, struct texture *texture);

/* Whether a target has levels that are named by number. */
bool
texture_has_levels(enum tg_target target);

/* ---- look_up.c ----------------------------------------------------------- */

/* Emits the lookup through the view and sampler of the number that operand
 * `src` says. */
void
texture_look_up(struct lower_context *context, const struct texture *texture,
                unsigned src, lir_value result_out[4]);

/* Emits the lookup through the view that operand `view` says and the sampler
 * that `sampler` says; -1 if there is none. */
void
texture_look_up_view(struct lower_context *context,
                     const struct texture *texture, unsigned view, int sampler,
                     lir_value result_out[4]);

/* The target that the view of operand `src` is declared with, without SHADOW;
 * UNKNOWN if it is not declared. */
enum tg_target
texture_look_up_target(const struct lower_context *context, unsigned src);

#endif
