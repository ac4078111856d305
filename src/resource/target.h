/* SPDX-License-Identifier: MIT
 *
 * Texture targets: what resources and views of each may be.
 */
#ifndef TG_RESOURCE_TARGET_H
#define TG_RESOURCE_TARGET_H

#include "tgsi/tables/tables.h"
#include "tungsten/resource.h"

/* Textures of one kind lie in memory alike. */
enum resource_kind {
   RESOURCE_KIND_BUFFER,
   RESOURCE_KIND_1D,
   RESOURCE_KIND_2D,
   RESOURCE_KIND_3D,
};

struct resource_target {
   const char *name;
   uint8_t kind;        /* enum resource_kind */
   uint8_t target;      /* enum tg_target */
   uint8_t target_msaa; /* with samples; TG_TARGET_UNKNOWN: it has none */
   uint8_t faces;       /* 6: its layers are faces of cubes; else 1 */
   bool has_levels;
   uint32_t max_width, max_height, max_depth; /* 1: it has not this size */
   uint32_t max_layers;
};

enum { RESOURCE_NUM_TARGETS = TG_TEXTURE_CUBE_ARRAY + 1 };

/* By enum tg_texture_target. */
extern const struct resource_target resource_targets[RESOURCE_NUM_TARGETS];

/* Is the target an array: has it as many layers as there are, or as many as it
 * says? */
static inline bool
resource_target_is_array(const struct resource_target *target)
{
   return target->max_layers > target->faces;
}

#endif
