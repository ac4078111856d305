/* SPDX-License-Identifier: MIT
 *
 * Texels in steps, for those who do something in between: the units of a texel
 * as they lie in memory, each with zeros above its 1, 2 or 4 bytes and as many
 * as the format's num_units says; the bits of its channels there; and the four
 * words that they stand for.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_TEXEL_UNITS_H
#define TG_LOWER_FIXED_FUNCTION_TEXEL_UNITS_H

#include "lower/fixed_function/texel.h"

/* Loads a unit of the texel that begins at `index`. */
lir_value
lower_texel_read_unit(struct lir_builder *builder,
                      const struct format_info *info, enum lir_space space,
                      uint32_t binding, lir_value index, unsigned unit);
/* Loads all units of a texel. */
void
lower_texel_read_units(struct lir_builder *builder, enum tg_format format,
                       enum lir_space space, uint32_t binding, lir_value index,
                       lir_value units_out[LOWER_MAX_TEXEL_WORDS]);

/* Stores a unit, or all units, of a texel, in active lanes. */
void
lower_texel_write_unit(struct lir_builder *builder,
                       const struct format_info *info, enum lir_space space,
                       uint32_t binding, lir_value index, unsigned unit,
                       lir_value word);
void
lower_texel_write_units(struct lir_builder *builder, enum tg_format format,
                        enum lir_space space, uint32_t binding, lir_value index,
                        const lir_value units[LOWER_MAX_TEXEL_WORDS]);

/* What lower_texel_load() would make of memory with these units. */
void
lower_texel_unpack_units(struct lir_builder *builder, enum tg_format format,
                         const lir_value units[LOWER_MAX_TEXEL_WORDS],
                         lir_value texel_out[4]);

/* What lower_texel_store_masked() would make of it. */
void
lower_texel_pack_units(struct lir_builder *builder, enum tg_format format,
                       const lir_value texel[4], unsigned mask,
                       lir_value units[LOWER_MAX_TEXEL_WORDS]);

/* The bits of a channel of up to 32 bits, and units with others there; `bits`
 * has zeros above. */
lir_value
lower_texel_get_unit_bits(struct lir_builder *builder, enum tg_format format,
                          const lir_value units[LOWER_MAX_TEXEL_WORDS],
                          unsigned channel);
void
lower_texel_set_unit_bits(struct lir_builder *builder, enum tg_format format,
                          unsigned channel, lir_value bits,
                          lir_value units[LOWER_MAX_TEXEL_WORDS]);

/* The bits of unit `unit` that the words of `mask` are stored to. */
uint32_t
lower_texel_unit_mask(enum tg_format format, unsigned unit, unsigned mask);

#endif
