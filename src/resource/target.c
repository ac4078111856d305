/* SPDX-License-Identifier: MIT
 *
 * The table of texture targets.
 */
#include "resource/target.h"

enum {
   SIZE = TG_MAX_TEXTURE_SIZE,
   DEPTH = TG_MAX_TEXTURE_DEPTH,
   LAYERS = TG_MAX_TEXTURE_LAYERS,
   FACES = LAYERS - LAYERS % 6, /* of whole cubes */
};

#define TARGET(name, kind, msaa, ...)                                          \
   [TG_TEXTURE_##name] = {#name, RESOURCE_KIND_##kind, TG_TARGET_##name,       \
                          TG_TARGET_##msaa, __VA_ARGS__}

/* clang-format off */
const struct resource_target resource_targets[RESOURCE_NUM_TARGETS] = {
   /*                                   faces levels width     height depth  layers */
   TARGET(BUFFER,     BUFFER, UNKNOWN,       1, false, UINT32_MAX, 1,  1,     1),
   TARGET(1D,         1D,     UNKNOWN,       1, true,  SIZE,  1,       1,     1),
   TARGET(2D,         2D,     2D_MSAA,       1, true,  SIZE,  SIZE,    1,     1),
   TARGET(3D,         3D,     UNKNOWN,       1, true,  DEPTH, DEPTH,   DEPTH, 1),
   TARGET(CUBE,       2D,     UNKNOWN,       6, true,  SIZE,  SIZE,    1,     6),
   TARGET(RECT,       2D,     UNKNOWN,       1, false, SIZE,  SIZE,    1,     1),
   TARGET(1D_ARRAY,   1D,     UNKNOWN,       1, true,  SIZE,  1,       1,     LAYERS),
   TARGET(2D_ARRAY,   2D,     2D_ARRAY_MSAA, 1, true,  SIZE,  SIZE,    1,     LAYERS),
   TARGET(CUBE_ARRAY, 2D,     UNKNOWN,       6, true,  SIZE,  SIZE,    1,     FACES),
};
/* clang-format on */
