/* SPDX-License-Identifier: MIT
 *
 * A branch is a tube that tapers and bends; smaller ones leave it all along,
 * and the smallest have cards with leaves.
 */
#include "tree.h"

#include <stdbool.h>
#include <string.h>

#include "../demo/surface.h"
#include "../picture.h"

enum {
   MAX_VERTICES = 1 << 18,
   SIDES = 6, /* of a branch */
   SEGMENTS = 5,
   ORDERS = 4, /* trunk, branches, twigs, and those with leaves */
};

static const float pi = 3.14159265f;

/* ---- chance -------------------------------------------------------------- */

struct chance {
   uint32_t state;
};

/* 0 to 1. */
static float
next(struct chance *chance)
{
   chance->state = chance->state * 1664525 + 1013904223;
   return (float)(chance->state >> 8) * 0x1p-24f;
}

static float
between(struct chance *chance, float low, float high)
{
   return mixf(low, high, next(chance));
}

static struct vec3
any_direction(struct chance *chance)
{
   const float y = between(chance, -1, 1), angle = next(chance) * 2 * pi;
   const float radius = sqrtf(1 - y * y);

   return (struct vec3){radius * cosf(angle), y, radius * sinf(angle)};
}

/* ---- meshes that grow ---------------------------------------------------- */

static struct mesh
begin_mesh(void)
{
   struct mesh mesh = mesh_create(MAX_VERTICES, MAX_VERTICES * 6);

   mesh.num_vertices = mesh.num_indices = 0;
   return mesh;
}

static uint32_t
add_vertex(struct mesh *mesh, struct vec3 position, struct vec3 normal, float u,
           float v)
{
   if (mesh->num_vertices == MAX_VERTICES)
      fail("tree", "too many leaves");
   mesh->vertices[mesh->num_vertices] = (struct mesh_vertex){
      .position = position,
      .normal = normal,
      .uv = {u, v},
   };
   return mesh->num_vertices++;
}

static void
add_square(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
   const uint32_t corners[6] = {a, b, c, c, b, d};

   memcpy(mesh->indices + mesh->num_indices, corners, sizeof(corners));
   mesh->num_indices += 6;
}

/* A card with a picture's lower edge at `foot`. Its normals are given: those
 * of what it is a part of look better than its own. */
static void
add_card(struct mesh *mesh, struct vec3 foot, struct vec3 up,
         struct vec3 across, struct vec3 normal)
{
   const struct vec3 left = vec3_sub(foot, vec3_scale(across, 0.5f));
   uint32_t corner[4];

   for (int i = 0; i < 4; i++) {
      const float u = (float)(i % 2), v = (float)(i / 2);
      const struct vec3 offset =
         vec3_add(vec3_scale(across, u), vec3_scale(up, v));

      corner[i] = add_vertex(mesh, vec3_add(left, offset), normal,
                             0.01f + 0.98f * u, 0.99f - 0.98f * v);
   }
   add_square(mesh, corner[0], corner[1], corner[2], corner[3]);
}

/* ---- the tree ------------------------------------------------------------ */

struct growing {
   struct tree tree;
   struct chance chance;
   struct vec3 crown; /* its middle */
};

struct branch {
   struct vec3 foot, along; /* from end to end */
   float radius;            /* at the foot */
   unsigned order;          /* 0: the trunk */
};

/* Where a branch is after a part of it; it bends upwards. */
static struct vec3
branch_point(const struct branch *branch, float t)
{
   const float length = sqrtf(vec3_dot(branch->along, branch->along));
   struct vec3 point = vec3_add(branch->foot, vec3_scale(branch->along, t));

   if (branch->order)
      point.y += length * 0.22f * t * t;
   return point;
}

static float
branch_radius(const struct branch *branch, float t)
{
   return branch->radius * (1 - 0.72f * t);
}

/* Two directions at right angles to another, and to each other. */
static void
find_frame(struct vec3 along, struct vec3 *a, struct vec3 *b)
{
   const struct vec3 other =
      fabsf(along.y) > 0.9f * sqrtf(vec3_dot(along, along))
         ? (struct vec3){1, 0, 0}
         : (struct vec3){0, 1, 0};

   *a = vec3_normalize(vec3_cross(along, other));
   *b = vec3_normalize(vec3_cross(*a, along));
}

static void
add_tube(struct mesh *mesh, const struct branch *branch)
{
   const uint32_t first = mesh->num_vertices;
   struct vec3 a, b;

   find_frame(branch->along, &a, &b);
   for (uint32_t i = 0; i < (SEGMENTS + 1) * (SIDES + 1); i++) {
      const float t = (float)(i / (SIDES + 1)) / SEGMENTS;
      const float angle = (float)(i % (SIDES + 1)) * 2 * pi / SIDES;
      const struct vec3 out =
         vec3_add(vec3_scale(a, cosf(angle)), vec3_scale(b, sinf(angle)));
      const struct vec3 offset = vec3_scale(out, branch_radius(branch, t));

      add_vertex(mesh, vec3_add(branch_point(branch, t), offset), out,
                 angle / (2 * pi), t * 3);
   }
   for (uint32_t i = 0; i < SEGMENTS * SIDES; i++) {
      const uint32_t corner = first + i / SIDES * (SIDES + 1) + i % SIDES;

      add_square(mesh, corner, corner + 1, corner + SIDES + 1,
                 corner + SIDES + 2);
   }
}

static void
add_leaves(struct growing *growing, const struct branch *branch)
{
   struct chance *chance = &growing->chance;

   for (int i = 0; i < 7; i++) {
      const struct vec3 foot = branch_point(branch, between(chance, 0.2f, 1));
      const struct vec3 out = vec3_normalize(vec3_sub(foot, growing->crown));
      struct vec3 up = vec3_add(vec3_scale(any_direction(chance), 0.8f), out);
      struct vec3 across, unused;

      up = vec3_scale(vec3_normalize(up), between(chance, 0.26f, 0.38f));
      find_frame(vec3_add(up, vec3_scale(any_direction(chance), 0.05f)),
                 &across, &unused);
      across = vec3_scale(across, 0.32f);
      add_card(&growing->tree.leaves, foot, up, across,
               vec3_normalize(
                  vec3_add(vec3_scale(any_direction(chance), 0.4f), out)));
   }
}

static void
grow(struct growing *growing, const struct branch *branch)
{
   static const int num_children[ORDERS] = {9, 6, 5, 0};
   static const float first_child[ORDERS] = {0.36f, 0.25f, 0.2f, 0};
   struct chance *chance = &growing->chance;
   const float length = sqrtf(vec3_dot(branch->along, branch->along));
   struct vec3 a, b;

   add_tube(&growing->tree.wood, branch);
   if (branch->order == ORDERS - 1)
      add_leaves(growing, branch);
   find_frame(branch->along, &a, &b);
   for (int i = 0; i < num_children[branch->order]; i++) {
      const float t =
         mixf(first_child[branch->order], 1,
              ((float)i + next(chance)) / (float)num_children[branch->order]);
      /* The golden angle spreads them around. */
      const float angle = (float)i * 2.4f + next(chance);
      const float ahead = between(chance, 0.45f, 0.8f);
      const struct vec3 out =
         vec3_add(vec3_scale(a, cosf(angle)), vec3_scale(b, sinf(angle)));
      const struct vec3 way =
         vec3_add(out, vec3_scale(branch->along, ahead / length));
      const float size = length * between(chance, 0.42f, 0.6f) *
                         (branch->order ? 1 : 1.25f - 0.6f * t);
      const struct branch child = {
         .foot = branch_point(branch, t),
         .along = vec3_scale(vec3_normalize(way), size),
         .radius = branch_radius(branch, t) * 0.55f,
         .order = branch->order + 1,
      };

      grow(growing, &child);
   }
}

struct tree
tree_grow(float height)
{
   struct growing growing = {
      .tree = {begin_mesh(), begin_mesh()},
      .chance = {7},
      .crown = {0, height * 0.55f, 0},
   };
   const struct branch trunk = {
      .along = {0.06f * height, 0.78f * height, 0.03f * height},
      .radius = height * 0.035f,
   };

   grow(&growing, &trunk);
   return growing.tree;
}

struct mesh
grass_grow(float radius, uint32_t num_cards)
{
   struct mesh mesh = begin_mesh();
   struct chance chance = {3};

   for (uint32_t i = 0; i < num_cards; i++) {
      const float distance = radius * sqrtf(next(&chance));
      const float angle = next(&chance) * 2 * pi;
      const float turn = next(&chance) * pi;
      const float size = between(&chance, 0.16f, 0.34f);
      const struct vec3 foot = {distance * sinf(angle), 0,
                                distance * cosf(angle)};
      const struct vec3 across = {0.5f * cosf(turn), 0, 0.5f * sinf(turn)};
      const struct vec3 up = {between(&chance, -0.08f, 0.08f), size,
                              between(&chance, -0.08f, 0.08f)};

      add_card(&mesh, foot, up, across, (struct vec3){0, 1, 0});
   }
   return mesh;
}

/* ---- pictures ------------------------------------------------------------ */

struct color {
   float r, g, b, a;
};

static uint32_t
to_texel(struct color color)
{
   const float channels[4] = {color.r, color.g, color.b, color.a};
   uint32_t texel = 0;

   for (int c = 0; c < 4; c++)
      texel |= (uint32_t)(clampf(channels[c], 0, 1) * 255 + 0.5f) << (c * 8);
   return texel;
}

/* Lays one colour over another, which keeps its own where there is nothing. */
static void
lay_over(struct color *below, struct color color)
{
   if (color.a <= 0)
      return;
   below->r = mixf(below->r, color.r, color.a);
   below->g = mixf(below->g, color.g, color.a);
   below->b = mixf(below->b, color.b, color.a);
   below->a = below->a + (1 - below->a) * color.a;
}

/* One leaf from its stalk at (x, y) in a direction: pointed, with veins. */
static struct color
leaf_color(float x, float y, float angle, float length, float tone)
{
   const float along = (x * cosf(angle) + y * sinf(angle)) / length;
   const float across = (y * cosf(angle) - x * sinf(angle)) / length;

   if (along <= 0 || along >= 1)
      return (struct color){0};
   const float half = 0.3f * powf(sinf(pi * powf(along, 0.8f)), 0.8f);
   const float inside = (half - fabsf(across)) * length * FOLIAGE_SIZE;
   const float rib = smoothstepf(0.02f, 0, fabsf(across)) * (1 - along);
   const float vein =
      smoothstepf(0.6f, 1, sinf((along + fabsf(across) * 0.9f) * 34)) * 0.12f;
   const float light = tone + 0.25f * rib + vein - 0.25f * fabsf(across) / 0.3f;

   return (struct color){0.34f * light, 0.62f * light, 0.17f * light,
                         clampf(inside + 0.5f, 0, 1)};
}

void
leaf_picture(uint32_t *texels)
{
   enum { NUM_LEAVES = 11 };

   for (uint32_t i = 0; i < FOLIAGE_SIZE * FOLIAGE_SIZE; i++) {
      const float x = ((float)(i % FOLIAGE_SIZE) + 0.5f) / FOLIAGE_SIZE - 0.5f;
      const float y = 1 - ((float)(i / FOLIAGE_SIZE) + 0.5f) / FOLIAGE_SIZE;
      struct color color = {0.28f, 0.5f, 0.14f, 0};

      if (fabsf(x) < 0.012f && y < 0.8f)
         color = (struct color){0.36f, 0.27f, 0.15f, 1};
      for (int k = 0; k < NUM_LEAVES; k++) {
         const float t = (float)k / (NUM_LEAVES - 1);
         const float side = k == NUM_LEAVES - 1 ? 0 : k % 2 ? -1 : 1;
         const float tone = 0.8f + 0.35f * noise((float)k * 3.7f, 0.5f, 64);

         lay_over(&color, leaf_color(x, y - 0.05f - t * 0.6f,
                                     pi / 2 - side * (1.15f - 0.5f * t),
                                     0.42f - 0.1f * t, tone));
      }
      texels[i] = to_texel(color);
   }
}

void
grass_picture(uint32_t *texels)
{
   enum { NUM_BLADES = 22 };

   for (uint32_t i = 0; i < FOLIAGE_SIZE * FOLIAGE_SIZE; i++) {
      const float x = ((float)(i % FOLIAGE_SIZE) + 0.5f) / FOLIAGE_SIZE;
      const float y = 1 - ((float)(i / FOLIAGE_SIZE) + 0.5f) / FOLIAGE_SIZE;
      struct color color = {0.30f, 0.48f, 0.14f, 0};

      for (int k = 0; k < NUM_BLADES; k++) {
         const float foot = ((float)k + 0.5f) / NUM_BLADES;
         const float lean = 0.22f * noise((float)k * 2.3f, 0.2f, 64);
         const float height = 0.75f + 0.24f * noise((float)k * 5.1f, 7.7f, 64);
         const float t = y / height;
         const float half = 0.018f * (1 - t);
         const float inside = half - fabsf(x - foot - lean * t * t);
         const float tone =
            0.55f + 0.5f * t + 0.2f * noise((float)k * 9.3f, 3.3f, 64);

         if (t < 1)
            lay_over(&color, (struct color){
                                0.42f * tone, 0.64f * tone, 0.20f * tone,
                                clampf(inside * FOLIAGE_SIZE + 0.5f, 0, 1)});
      }
      texels[i] = to_texel(color);
   }
}

/* Four octaves that repeat. */
static float
cloud(float u, float v, int period)
{
   float sum = 0, weight = 0.5f;

   for (int i = 0; i < 4; i++, period *= 2, weight *= 0.5f)
      sum += weight * noise(u * (float)period, v * (float)period, period);
   return sum;
}

static void
tint_picture(uint32_t *texels, int across, int along, struct color color)
{
   for (uint32_t i = 0; i < FOLIAGE_SIZE * FOLIAGE_SIZE; i++) {
      const float u = (float)(i % FOLIAGE_SIZE) / FOLIAGE_SIZE;
      const float v = (float)(i / FOLIAGE_SIZE) / FOLIAGE_SIZE;
      const float grain = noise(u * (float)across, v * (float)along, along);
      const float tone = 0.85f + 0.5f * cloud(u, v, 8) + 0.2f * grain;

      texels[i] = to_texel(
         (struct color){color.r * tone, color.g * tone, color.b * tone, 1});
   }
}

void
bark_picture(uint32_t *texels)
{
   tint_picture(texels, 64, 8, (struct color){0.46f, 0.36f, 0.27f, 1});
}

void
ground_picture(uint32_t *texels)
{
   tint_picture(texels, 64, 64, (struct color){0.36f, 0.44f, 0.20f, 1});
}
