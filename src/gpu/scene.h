/* SPDX-License-Identifier: MIT
 *
 * A scene: triangles that wait to be rasterised, in one bin for each tile of
 * the framebuffer. Tiles do not depend on each other; within a tile triangles
 * are drawn in the order in which they came.
 */
#ifndef TG_GPU_SCENE_H
#define TG_GPU_SCENE_H

#include "gpu/fragment.h"
#include "gpu/raster.h"

struct gpu_bin {
   uint32_t *triangles; /* indices in the scene */
   uint32_t count, capacity;
};

struct gpu_scene {
   struct tg_allocator allocator;
   uint32_t width, height; /* of the framebuffer, pixels */
   uint32_t num_columns, num_rows;
   struct gpu_bin *bins; /* row by row */

   struct gpu_triangle *triangles;
   uint32_t num_triangles, triangle_capacity;
   uint32_t *constants; /* of all triangles, one behind the other */
   uint32_t num_constants, constant_capacity;
   uint32_t words_per_triangle;
};

enum tg_result
gpu_scene_init(struct gpu_scene *scene, const struct tg_allocator *allocator,
               uint32_t width, uint32_t height, uint32_t words_per_triangle);

void
gpu_scene_finish(struct gpu_scene *scene);

/* So many triangles wait that they should be drawn now. */
bool
gpu_scene_is_full(const struct gpu_scene *scene);

/* Adds a triangle to the bins that it touches. `*constants_out` is where its
 * words belong, until the next call. */
enum tg_result
gpu_scene_add(struct gpu_scene *scene, const struct gpu_triangle *triangle,
              uint32_t **constants_out);

/* Draws and forgets all triangles. */
enum tg_result
gpu_scene_draw(struct gpu_scene *scene, struct gpu_fragment_stage *stage);

#endif
