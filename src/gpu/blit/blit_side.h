/* SPDX-License-Identifier: MIT
 *
 * The source and target of a blit: whether there are such, and where they lie.
 */
#ifndef TG_GPU_BLIT_SIDE_H
#define TG_GPU_BLIT_SIDE_H

#include "gpu/blit/blit_kernel.h"
#include "resource/bindings.h"
#include "tungsten/gpu.h"

/* A side as it is in memory. */
struct gpu_blit_memory {
   const struct tg_blit_side *given;
   struct resource_binding binding; /* of all slices of the level */
   enum tg_format format;           /* of the texels, decoded */
   const struct format_info *info;
   const struct resource_level *level; /* of the resource, not decoded */
   uint32_t size[3];
   uint32_t pitch[GPU_BLIT_AXES]; /* units; tiled levels: not of X and Y */
   uint32_t offset;               /* units */
};

/* Units from the first position of an axis to another. */
uint32_t
gpu_blit_place(const struct gpu_blit_memory *side, unsigned axis,
               uint32_t position);

/* Validates source and destination of a blit. The mask becomes what both have
 * of what is asked for. TG_ERROR_INPUT; of a compressed source also
 * TG_ERROR_LIMIT and TG_ERROR_MEMORY. */
enum tg_result
gpu_blit_find_sides(const struct tg_blit_info *info,
                    struct tg_diagnostics *diagnostics,
                    struct gpu_blit_memory *to, struct gpu_blit_memory *from,
                    uint8_t *mask_out);

#endif
