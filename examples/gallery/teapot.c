/* SPDX-License-Identifier: MIT
 *
 * The control points of the teapot (Newell, 1975) and of a floor, as patches.
 */
#include "teapot.h"

#include <stdbool.h>

/* A place in the plane that the handle and the spout are in: how far from the
 * axis, and how high. */
struct place {
   float x, y;
};

/* A part that is the same all around: four places from above to below. At its
 * ends it takes so much of a relief, whose rows it takes from v to v. */
struct ring {
   struct place place[4];
   float relief[2], v[2];
};

static const struct ring rings[] = {
   /* the rim */
   {{{1.4f, 2.4f}, {1.3375f, 2.53125f}, {1.4375f, 2.53125f}, {1.5f, 2.4f}},
    {0, 0},
    {0, 0}},
   /* the body */
   {{{1.5f, 2.4f}, {1.75f, 1.875f}, {2, 1.35f}, {2, 0.9f}}, {0, 1}, {0, 0.5f}},
   {{{2, 0.9f}, {2, 0.45f}, {1.5f, 0.225f}, {1.5f, 0.15f}}, {1, 0}, {0.5f, 1}},
   /* the lid */
   {{{0, 3.15f}, {0.8f, 3.15f}, {0, 2.85f}, {0.2f, 2.7f}}, {0, 0}, {0, 0}},
   {{{0.2f, 2.7f}, {0.4f, 2.55f}, {1.3f, 2.55f}, {1.3f, 2.4f}}, {0, 0}, {0, 0}},
   /* the bottom */
   {{{1.5f, 0.15f}, {1.5f, 0.075f}, {1.425f, 0}, {0, 0}}, {0, 0}, {0, 0}},
};

/* A section of a tube: its inside and outside in the plane, how wide it is. */
struct section {
   struct place inner, outer;
   float half_width;
};

/* Two patches long: the fourth section belongs to both. */
enum { TUBE_SECTIONS = 7 };

static const struct section handle[TUBE_SECTIONS] = {
   {{-1.6f, 2.025f}, {-1.5f, 2.25f}, 0.3f},
   {{-2.3f, 2.025f}, {-2.5f, 2.25f}, 0.3f},
   {{-2.7f, 2.025f}, {-3, 2.25f}, 0.3f},
   {{-2.7f, 1.8f}, {-3, 1.8f}, 0.3f},
   {{-2.7f, 1.575f}, {-3, 1.35f}, 0.3f},
   {{-2.5f, 1.125f}, {-2.65f, 0.9375f}, 0.3f},
   {{-2, 0.9f}, {-1.9f, 0.6f}, 0.3f},
};

static const struct section spout[TUBE_SECTIONS] = {
   {{1.7f, 1.425f}, {1.7f, 0.6f}, 0.66f},
   {{2.6f, 1.425f}, {3.1f, 0.825f}, 0.66f},
   {{2.3f, 2.1f}, {2.4f, 2.025f}, 0.25f},
   {{2.7f, 2.4f}, {3.3f, 2.4f}, 0.25f},
   {{2.8f, 2.475f}, {3.525f, 2.49375f}, 0.25f},
   {{2.9f, 2.475f}, {3.45f, 2.5125f}, 0.15f},
   {{2.8f, 2.4f}, {3.2f, 2.4f}, 0.15f},
};

enum { NUM_RINGS = sizeof(rings) / sizeof(rings[0]) };

/* ---- patches ------------------------------------------------------------- */

/* Point (i, j) of a patch, the column and the row. */
static struct mesh_vertex *
point_of(struct mesh *mesh, uint32_t patch, uint32_t i, uint32_t j)
{
   return &mesh->vertices[patch * PATCH_VERTICES + j * 4 + i];
}

/* The quarter of a ring that begins at the angle with this sine and cosine.
 * Newell has the circle's inner points at 0.56 of the radius. */
static void
set_quarter(struct mesh *mesh, uint32_t patch, const struct ring *ring,
            uint32_t quarter)
{
   static const float along[4] = {1, 1, 0.56f, 0}, across[4] = {0, 0.56f, 1, 1};
   const float c = (float)((quarter == 0) - (quarter == 2));
   const float s = (float)((quarter == 1) - (quarter == 3));

   const bool is_smooth = ring->v[0] == ring->v[1];

   for (uint32_t k = 0; k < PATCH_VERTICES; k++) {
      const uint32_t i = k % 4, j = k / 4;
      const float radius = ring->place[j].x;
      const float x = radius * along[i], z = radius * across[i];

      *point_of(mesh, patch, i, j) = (struct mesh_vertex){
         .position = {c * x + s * z, ring->place[j].y, c * z - s * x},
         .normal = {ring->relief[j / 2], 0, 0},
         .uv = {is_smooth ? 0 : 0.5f * (float)(quarter + i / 2),
                ring->v[j / 2]},
      };
   }
}

/* Half of a tube's part, in front or behind (side 1 or -1). */
static void
set_half(struct mesh *mesh, uint32_t patch, const struct section *sections,
         float side)
{
   for (uint32_t k = 0; k < PATCH_VERTICES; k++) {
      const uint32_t i = side > 0 ? k % 4 : 3 - k % 4, j = k / 4;
      const struct section *section = &sections[j];
      const struct place *place = i < 2 ? &section->inner : &section->outer;
      const float z = i % 3 ? section->half_width * side : 0;

      point_of(mesh, patch, k % 4, j)->position =
         (struct vec3){place->x, place->y, z};
   }
}

static void
set_indices(struct mesh *mesh)
{
   for (uint32_t i = 0; i < mesh->num_indices; i++)
      mesh->indices[i] = i;
}

struct mesh
mesh_teapot(void)
{
   enum { NUM_POINTS = (NUM_RINGS * 4 + 8) * PATCH_VERTICES };
   struct mesh mesh = mesh_create(NUM_POINTS, NUM_POINTS);
   uint32_t patch = 0;

   for (uint32_t i = 0; i < NUM_RINGS * 4; i++)
      set_quarter(&mesh, patch++, &rings[i / 4], i % 4);
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t first = i / 2 * 3;
      const float side = i % 2 ? -1 : 1;

      set_half(&mesh, patch++, handle + first, side);
      set_half(&mesh, patch++, spout + first, side);
   }
   set_indices(&mesh);
   return mesh;
}

struct mesh
mesh_floor(float size, uint32_t num_patches, float repeat)
{
   const uint32_t num_points = num_patches * num_patches * PATCH_VERTICES;
   struct mesh mesh = mesh_create(num_points, num_points);

   for (uint32_t k = 0; k < num_points; k++) {
      const uint32_t patch = k / PATCH_VERTICES, i = k % 4, j = k / 4 % 4;
      const float u =
         ((float)(patch % num_patches) + (float)i / 3) / (float)num_patches;
      const float v =
         ((float)(patch / num_patches) + (float)j / 3) / (float)num_patches;

      *point_of(&mesh, patch, i, j) = (struct mesh_vertex){
         .position = {(u - 0.5f) * size, 0, (0.5f - v) * size},
         .normal = {1, 0, 0},
         .uv = {u * repeat, v * repeat},
      };
   }
   set_indices(&mesh);
   return mesh;
}
