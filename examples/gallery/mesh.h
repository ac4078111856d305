/* SPDX-License-Identifier: MIT
 *
 * Meshes and pictures: made by functions, or read from Debian's glmark2-data.
 */
#ifndef EXAMPLES_GALLERY_MESH_H
#define EXAMPLES_GALLERY_MESH_H

#include <stdint.h>

#include "../vector.h"

/* IN[0], IN[1] and IN[2] of the vertex shaders. */
struct mesh_vertex {
   struct vec3 position, normal;
   float uv[2];
};

/* CONST[0] of mesh.vert.tgsi and patch.vert.tgsi. */
struct mesh_places {
   struct mat4 to_window, to_world;
};

struct mesh {
   struct mesh_vertex *vertices;
   uint32_t *indices;
   uint32_t num_vertices, num_indices;
};

/* Nothing in it, but room. */
struct mesh
mesh_create(uint32_t num_vertices, uint32_t num_indices);
void
mesh_free(struct mesh *mesh);

/* Triangles over the unit square of (u, v), with normals of their own. */
typedef struct vec3 (*mesh_function)(float u, float v);
struct mesh
mesh_surface(uint32_t columns, uint32_t rows, mesh_function function);

/* A level square around the origin, with coordinates that go from 0 to
 * `repeat`. */
struct mesh
mesh_square(float size, float repeat);

/* A cube that stands on y = 0, each face with all of a picture. */
struct mesh
mesh_cube(float size);

/* A Wavefront file's triangles, on y = 0 and of this height. */
struct mesh
mesh_read(const char *file, float height);

/* Each vertex gets the mean of the normals of its triangles, weighed by area.
 */
void
mesh_smooth(struct mesh *mesh);

/* A file of glmark2-data, "models/bunny.obj". */
const char *
data_path(const char *file);

#endif
