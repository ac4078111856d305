/* SPDX-License-Identifier: MIT
 *
 * What image.c and image_rows.c share: where things are in an image, in units
 * of the format that is bound.
 */
#ifndef TG_LOWER_MEMORY_IMAGE_H
#define TG_LOWER_MEMORY_IMAGE_H

#include "format/format.h"
#include "lower/memory/object.h"
#include "lower/operands/trace.h"

/* The format of texels as they lie in memory, NONE when nothing is bound that
 * fits the target of the access. */
enum tg_format
image_format_bound(const struct lower_context *context,
                   const struct lower_access *access, uint32_t place);

/* A word of the descriptor of an image. */
lir_value
image_word(struct lower_context *context, uint32_t place,
           enum abi_image_word word);

struct image_spot {
   lir_value index; /* of a unit */
   lir_value is_inside;
};

/* Adds a coordinate to an address: its bound, and its part of the address. */
void
image_spot_add(struct lower_context *context, struct image_spot *spot,
               lir_value coordinate, lir_value bound, lir_value part);

/* The part of the address that texel `x` of a row has, whose format is bound.
 */
lir_value
image_column(struct lower_context *context, const struct lower_access *access,
             const struct format_info *bound, lir_value x);

/* Are images of the access tiled? */
bool
image_is_tiled(const struct lower_access *access);

/* Emits the address of the row that all coordinates but x lead to. */
struct image_spot
image_find_row(struct lower_context *context, const struct lower_access *access,
               uint32_t place);

/* Emits trace events of the coordinates of an access, x being given. */
void
image_trace_coordinates(struct lower_context *context,
                        const struct lower_access *access, lir_value x);

/* Emits the trace event of an access that the image does not allow. */
void
image_trace_nothing(struct lower_context *context,
                    const struct lower_access *access,
                    enum abi_access_kind kind, uint32_t place);

#endif
