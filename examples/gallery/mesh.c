/* SPDX-License-Identifier: MIT
 *
 * Meshes from functions and from 3DS files, pictures from PNG files.
 */
#include "mesh.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../picture.h"

#define DATA_FOLDER "/usr/share/glmark2"

static void *
allocate(size_t count, size_t size)
{
   void *memory = calloc(count ? count : 1, size);

   if (!memory)
      fail("mesh", "out of memory");
   return memory;
}

struct mesh
mesh_create(uint32_t num_vertices, uint32_t num_indices)
{
   return (struct mesh){
      .vertices = allocate(num_vertices, sizeof(struct mesh_vertex)),
      .indices = allocate(num_indices, sizeof(uint32_t)),
      .num_vertices = num_vertices,
      .num_indices = num_indices,
   };
}

void
mesh_free(struct mesh *mesh)
{
   free(mesh->vertices);
   free(mesh->indices);
   *mesh = (struct mesh){0};
}

void
mesh_smooth(struct mesh *mesh)
{
   for (uint32_t i = 0; i < mesh->num_vertices; i++)
      mesh->vertices[i].normal = (struct vec3){0};
   for (uint32_t i = 0; i + 2 < mesh->num_indices; i += 3) {
      struct mesh_vertex *corner[3];

      for (int k = 0; k < 3; k++)
         corner[k] = &mesh->vertices[mesh->indices[i + (uint32_t)k]];
      const struct vec3 normal =
         vec3_cross(vec3_sub(corner[1]->position, corner[0]->position),
                    vec3_sub(corner[2]->position, corner[0]->position));
      for (int k = 0; k < 3; k++)
         corner[k]->normal = vec3_add(corner[k]->normal, normal);
   }
   for (uint32_t i = 0; i < mesh->num_vertices; i++) {
      struct vec3 *normal = &mesh->vertices[i].normal;

      if (vec3_dot(*normal, *normal) > 0)
         *normal = vec3_normalize(*normal);
   }
}

/* ---- made by functions --------------------------------------------------- */

/* Corners in the order that makes the triangles' fronts look to where u turned
 * towards v looks. */
static void
set_square(uint32_t *indices, uint32_t corner, uint32_t stride)
{
   const uint32_t below = corner + stride;

   indices[0] = corner;
   indices[1] = corner + 1;
   indices[2] = below;
   indices[3] = below;
   indices[4] = corner + 1;
   indices[5] = below + 1;
}

struct mesh
mesh_surface(uint32_t columns, uint32_t rows, mesh_function function)
{
   struct mesh mesh =
      mesh_create((columns + 1) * (rows + 1), columns * rows * 6);

   for (uint32_t i = 0; i < mesh.num_vertices; i++) {
      const float u = (float)(i % (columns + 1)) / (float)columns;
      const float v = (float)(i / (columns + 1)) / (float)rows;

      mesh.vertices[i] = (struct mesh_vertex){
         .position = function(u, v),
         .uv = {u, v},
      };
   }
   for (uint32_t i = 0; i < columns * rows; i++)
      set_square(mesh.indices + (size_t)i * 6,
                 i / columns * (columns + 1) + i % columns, columns + 1);
   mesh_smooth(&mesh);
   return mesh;
}

/* The first vertex of four that follow each other, row by row. */
static void
add_square(struct mesh *mesh, uint32_t first, struct vec3 corner,
           struct vec3 along, struct vec3 across, float repeat)
{
   for (uint32_t i = 0; i < 4; i++) {
      const float u = (float)(i % 2), v = (float)(i / 2);
      const struct vec3 offset =
         vec3_add(vec3_scale(along, u), vec3_scale(across, v));

      mesh->vertices[first + i] = (struct mesh_vertex){
         .position = vec3_add(corner, offset),
         .normal = vec3_normalize(vec3_cross(along, across)),
         .uv = {u * repeat, (1 - v) * repeat},
      };
   }
   set_square(mesh->indices + (size_t)first / 4 * 6, first, 2);
}

struct mesh
mesh_square(float size, float repeat)
{
   struct mesh mesh = mesh_create(4, 6);
   const float half = size * 0.5f;

   add_square(&mesh, 0, (struct vec3){-half, 0, half},
              (struct vec3){size, 0, 0}, (struct vec3){0, 0, -size}, repeat);
   return mesh;
}

struct mesh
mesh_cube(float size)
{
   const float half = size * 0.5f;
   const struct vec3 up = {0, size, 0};
   struct mesh mesh = mesh_create(24, 36);

   for (uint32_t i = 0; i < 4; i++) {
      const float c = (float)((i == 0) - (i == 2));
      const float s = (float)((i == 1) - (i == 3));
      const struct vec3 out = {s * half, 0, c * half};
      const struct vec3 along = {c * size, 0, -s * size};
      const struct vec3 corner = vec3_sub(out, vec3_scale(along, 0.5f));

      add_square(&mesh, i * 4, corner, along, up, 1);
   }
   add_square(&mesh, 16, (struct vec3){-half, size, half},
              (struct vec3){size, 0, 0}, (struct vec3){0, 0, -size}, 1);
   add_square(&mesh, 20, (struct vec3){-half, 0, -half},
              (struct vec3){size, 0, 0}, (struct vec3){0, 0, size}, 1);
   return mesh;
}

/* ---- read from files ----------------------------------------------------- */

const char *
data_path(const char *file)
{
   static char path[4096];

   snprintf(path, sizeof(path), DATA_FOLDER "/%s", file);
   return path;
}

/* A line of this kind: vertices are of `v`, triangles of `f`. */
static bool
is_line(const char *line, char kind)
{
   return line[0] == kind && line[1] == ' ';
}

static uint32_t
count_lines(FILE *stream, char kind)
{
   char line[256];
   uint32_t count = 0;

   rewind(stream);
   while (fgets(line, sizeof(line), stream))
      count += is_line(line, kind);
   rewind(stream);
   return count;
}

static void
read_lines(FILE *stream, const char *path, struct mesh *mesh)
{
   struct mesh_vertex *vertex = mesh->vertices;
   uint32_t *index = mesh->indices;
   char line[256];

   while (fgets(line, sizeof(line), stream)) {
      struct vec3 p;
      uint32_t i[3];

      if (is_line(line, 'v') &&
          sscanf(line + 2, "%f %f %f", &p.x, &p.y, &p.z) == 3)
         (vertex++)->position = p;
      if (!is_line(line, 'f') ||
          sscanf(line + 2, "%u %u %u", &i[0], &i[1], &i[2]) != 3)
         continue;
      for (int k = 0; k < 3; k++) {
         if (i[k] - 1 >= mesh->num_vertices)
            fail(path, "a triangle has a vertex that there is not");
         *index++ = i[k] - 1;
      }
   }
   mesh->num_indices = (uint32_t)(index - mesh->indices);
}

/* Moves a mesh to its place. */
static void
stand(struct mesh *mesh, float height)
{
   struct vec3 low = {INFINITY, INFINITY, INFINITY};
   struct vec3 high = {-INFINITY, -INFINITY, -INFINITY};

   for (uint32_t i = 0; i < mesh->num_vertices; i++) {
      const struct vec3 p = mesh->vertices[i].position;

      low =
         (struct vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
      high = (struct vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y),
                           fmaxf(high.z, p.z)};
   }
   const struct vec3 foot = {(low.x + high.x) / 2, low.y, (low.z + high.z) / 2};
   for (uint32_t i = 0; i < mesh->num_vertices; i++) {
      struct vec3 *p = &mesh->vertices[i].position;

      *p = vec3_scale(vec3_sub(*p, foot), height / (high.y - low.y));
   }
}

struct mesh
mesh_read(const char *file, float height)
{
   const char *path = data_path(file);
   FILE *stream = fopen(path, "r");

   if (!stream)
      fail(path, "cannot be read: the package glmark2-data has it");
   struct mesh mesh =
      mesh_create(count_lines(stream, 'v'), count_lines(stream, 'f') * 3);
   read_lines(stream, path, &mesh);
   fclose(stream);
   stand(&mesh, height);
   mesh_smooth(&mesh);
   return mesh;
}
