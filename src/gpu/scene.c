/* SPDX-License-Identifier: MIT
 *
 * Bins: filling them, and emptying them tile by tile.
 */
#include "gpu/scene.h"

#include <string.h>

enum { FULL_SCENE = 1 << 15 /* triangles */ };

enum tg_result
gpu_scene_init(struct gpu_scene *scene, const struct tg_allocator *allocator,
               uint32_t width, uint32_t height, uint32_t words_per_triangle)
{
   void *bins = NULL;
   *scene = (struct gpu_scene){
      .allocator = *allocator,
      .width = width,
      .height = height,
      .num_columns = (width + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
      .num_rows = (height + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
      .words_per_triangle = words_per_triangle,
   };
   const size_t size =
      (size_t)scene->num_columns * scene->num_rows * sizeof(*scene->bins);
   if (!gpu_grow(allocator, &bins, 0, size))
      return TG_ERROR_MEMORY;
   if (bins)
      memset(bins, 0, size);
   scene->bins = bins;
   return TG_OK;
}

static void
release(struct gpu_scene *scene, void *memory, size_t size)
{
   gpu_grow(&scene->allocator, &memory, size, 0);
}

void
gpu_scene_finish(struct gpu_scene *scene)
{
   const uint32_t num_bins =
      scene->bins ? scene->num_columns * scene->num_rows : 0;
   for (uint32_t i = 0; i < num_bins; i++)
      release(scene, scene->bins[i].triangles,
              scene->bins[i].capacity * sizeof(uint32_t));
   release(scene, scene->bins, num_bins * sizeof(*scene->bins));
   release(scene, scene->triangles,
           scene->triangle_capacity * sizeof(*scene->triangles));
   release(scene, scene->constants,
           scene->constant_capacity * sizeof(*scene->constants));
   *scene = (struct gpu_scene){0};
}

bool
gpu_scene_is_full(const struct gpu_scene *scene)
{
   return scene->num_triangles >= FULL_SCENE;
}

/* Room for `count` elements more behind `used`. */
static bool
reserve(struct gpu_scene *scene, void **elements, uint32_t *capacity,
        uint32_t used, uint32_t count, size_t size)
{
   uint32_t wanted = *capacity ? *capacity : 16;
   if (used + count <= *capacity)
      return true;
   while (wanted < used + count)
      wanted *= 2;
   if (!gpu_grow(&scene->allocator, elements, *capacity * size, wanted * size))
      return false;
   *capacity = wanted;
   return true;
}

static bool
add_to_bin(struct gpu_scene *scene, struct gpu_bin *bin, uint32_t triangle)
{
   void *elements = bin->triangles;
   if (!reserve(scene, &elements, &bin->capacity, bin->count, 1,
                sizeof(*bin->triangles)))
      return false;
   bin->triangles = elements;
   bin->triangles[bin->count++] = triangle;
   return true;
}

static bool
add_to_bins(struct gpu_scene *scene, const struct gpu_triangle *triangle,
            uint32_t index)
{
   const int32_t size = GPU_TILE_SIZE;
   for (int32_t row = triangle->min_y / size; row <= triangle->max_y / size;
        row++) {
      for (int32_t column = triangle->min_x / size;
           column <= triangle->max_x / size; column++) {
         const size_t bin = (size_t)row * scene->num_columns + (size_t)column;
         if (gpu_raster_touches(triangle, column * size, row * size) &&
             !add_to_bin(scene, &scene->bins[bin], index))
            return false;
      }
   }
   return true;
}

enum tg_result
gpu_scene_add(struct gpu_scene *scene, const struct gpu_triangle *triangle,
              uint32_t **constants_out)
{
   void *triangles = scene->triangles, *constants = scene->constants;
   if (!reserve(scene, &triangles, &scene->triangle_capacity,
                scene->num_triangles, 1, sizeof(*scene->triangles)))
      return TG_ERROR_MEMORY;
   scene->triangles = triangles;
   if (!reserve(scene, &constants, &scene->constant_capacity,
                scene->num_constants, scene->words_per_triangle,
                sizeof(*scene->constants)))
      return TG_ERROR_MEMORY;
   scene->constants = constants;

   const uint32_t index = scene->num_triangles++;
   scene->triangles[index] = *triangle;
   scene->triangles[index].constants = scene->num_constants;
   *constants_out = scene->constants + scene->num_constants;
   scene->num_constants += scene->words_per_triangle;
   return add_to_bins(scene, triangle, index) ? TG_OK : TG_ERROR_MEMORY;
}

static void
draw_tile(struct gpu_scene *scene, uint32_t column, uint32_t row,
          struct gpu_fragment_stage *stage)
{
   struct gpu_bin *bin = &scene->bins[row * scene->num_columns + column];
   for (uint32_t i = 0; i < bin->count && stage->result == TG_OK; i++) {
      const struct gpu_triangle *triangle =
         &scene->triangles[bin->triangles[i]];
      gpu_fragment_begin(stage, scene->constants + triangle->constants,
                         scene->words_per_triangle);
      gpu_raster_tile(triangle, (int32_t)(column * GPU_TILE_SIZE),
                      (int32_t)(row * GPU_TILE_SIZE), gpu_fragment_quad, stage);
      gpu_fragment_flush(stage);
   }
   bin->count = 0;
}

enum tg_result
gpu_scene_draw(struct gpu_scene *scene, struct gpu_fragment_stage *stage)
{
   for (uint32_t row = 0; row < scene->num_rows; row++) {
      for (uint32_t column = 0; column < scene->num_columns; column++)
         draw_tile(scene, column, row, stage);
   }
   scene->num_triangles = 0;
   scene->num_constants = 0;
   return stage->result;
}
