/* SPDX-License-Identifier: MIT
 *
 * Texture sampling as LIR. A sampler unit (a view and a sampler with the same
 * number) becomes one function of the module, made when a shader first uses
 * it, specialised by a key and called by each texture opcode; the level of
 * detail is worked out beside the opcode, where all lanes of a quad can be
 * seen. Sizes and offsets are data, so that textures of other sizes run the
 * same code.
 *
 * Known: target 2D with TEX, TXB, TXL, TXP, TXD and TEX_LZ.
 */
#ifndef TG_LOWER_SAMPLER_H
#define TG_LOWER_SAMPLER_H

#include "lower/bindings.h"
#include "lower/context.h"
#include "tgsi/shader.h"

enum { LOWER_MAX_UNITS = 16 };

/* What a unit's function is specialised for. No padding: keys are hashed. */
struct lower_unit_key {
   uint16_t format; /* enum tg_format; NONE: nothing is bound, all reads 0 */
   uint8_t wrap_s, wrap_t;         /* enum lower_wrap */
   uint8_t min_filter, mag_filter; /* enum lower_filter */
   uint8_t mip_filter;             /* enum lower_mip_filter */
   uint8_t zero;
};

/* The words that describe unit u, from word u * LOWER_UNIT_WORDS of the
 * constant binding. The texels of unit u are TEXTURE binding u. */
enum lower_unit_word {
   LOWER_UNIT_WIDTH, /* of level 0, in texels */
   LOWER_UNIT_HEIGHT,
   LOWER_UNIT_LAST_LEVEL,
   LOWER_UNIT_LOD_BIAS, /* floats */
   LOWER_UNIT_MIN_LOD,
   LOWER_UNIT_MAX_LOD,
   LOWER_UNIT_OFFSETS = 8, /* of each level, in words of the binding */
   LOWER_UNIT_MAX_LEVELS = 16,
   LOWER_UNIT_WORDS = LOWER_UNIT_OFFSETS + LOWER_UNIT_MAX_LEVELS,
};

/* The samplers of one shader while it is lowered. */
struct lower_samplers {
   const struct lower_unit_key *keys; /* LOWER_MAX_UNITS, borrowed */
   uint32_t constant_binding;
   bool has_quads; /* lanes are quads of pixels, so there are derivatives */

   /* The functions, UINT32_MAX before they are made, and the variables by
    * which they are called: in s, t, level of detail; out a texel. */
   uint32_t function[LOWER_MAX_UNITS];
   uint32_t coord_var[2], lod_var, texel_var[4];
};

void
lower_samplers_init(struct lower_samplers *samplers,
                    const struct lower_unit_key *keys,
                    uint32_t constant_binding, bool has_quads);

/* The texture hook of lower_stage with the samplers as `user`. */
bool
lower_samplers_texture(struct lower_samplers *samplers,
                       struct lir_builder *builder,
                       const struct tg_instruction *instruction,
                       const lir_value coord[4], const lir_value (*extra)[4],
                       lir_value texel[4]);

/* A texture opcode whose stage has a function for it. */
void
lower_texture_by_stage(struct lower_context *context);

#endif
