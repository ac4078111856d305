/* SPDX-License-Identifier: MIT
 *
 * Solid fills: shapes whose fragments all become the same texels, whatever was
 * there, as those of one opaque colour do. Where such a shape covers a whole
 * square, its texels are stored as a clear stores them.
 */
#ifndef TG_GPU_SOLID_H
#define TG_GPU_SOLID_H

#include "gpu/core/key.h"
#include "gpu/raster/hiz.h"
#include "gpu/state/shader.h"
#include "resource/resource.h"

struct gpu_fragment_worker;

/* What a solid shape stores in each pixel that it covers. A pattern of no bytes
 * leaves the surface alone. */
struct gpu_solid {
   struct resource_pattern color[TG_MAX_COLOR_BUFFERS];
   struct resource_pattern depth;
   struct gpu_hiz_bounds depths; /* of the one that is stored */
};

/* Can a kernel's shapes be solid? Then it depends on their planes, and on how
 * they blend: nothing that its fragments store follows from their place. Bit n
 * of `*colors_out`: they store colour n. */
bool
gpu_solid_is_possible(const struct tg_gpu_shader *shader,
                      const struct gpu_fragment_key *key, uint8_t *colors_out);

/* What the shape at work stores if it is solid and its fragments pass the depth
 * test; NULL: it is not. Runs a wave of its kernel when it is first asked. */
const struct gpu_solid *
gpu_solid_find(struct gpu_fragment_worker *fragments);

#endif
