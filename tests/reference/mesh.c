/* SPDX-License-Identifier: MIT
 *
 * Random meshes.
 */
#include "mesh.h"

#include <assert.h>
#include <math.h>

#include "random.h"

/* How points are scattered. */
struct scatter {
   uint64_t *seed;
   int32_t size; /* in 256ths */
   bool on_centres;
   int32_t flatness; /* how often thinner than high the mesh is */
};

static int32_t
to_lattice(const struct scatter *scatter, double at)
{
   const double inside = fmin(fmax(at, 0), scatter->size);
   if (!scatter->on_centres)
      return (int32_t)inside;
   const int32_t pixel = (int32_t)(inside / 256);
   const int32_t last = scatter->size / 256 - 1;
   return (pixel < last ? pixel : last) * 256 + 128;
}

static int
add_point(struct mesh *mesh, const struct scatter *scatter, double x, double y)
{
   assert(mesh->num_points < MESH_MAX_POINTS);
   mesh->point[mesh->num_points].x = to_lattice(scatter, x / scatter->flatness);
   mesh->point[mesh->num_points].y = to_lattice(scatter, y);
   return mesh->num_points++;
}

static int64_t
area(const struct mesh *mesh, int a, int b, int c)
{
   const int64_t x1 = mesh->point[b].x - mesh->point[a].x;
   const int64_t y1 = mesh->point[b].y - mesh->point[a].y;
   const int64_t x2 = mesh->point[c].x - mesh->point[a].x;
   const int64_t y2 = mesh->point[c].y - mesh->point[a].y;
   return x1 * y2 - x2 * y1;
}

/* Begins at any corner and runs either way. */
static void
add_triangle(struct mesh *mesh, uint64_t *seed, int a, int b, int c)
{
   const int corner[3] = {a, b, c};
   const int first = (int)random_below(seed, 3);
   const int step = random_below(seed, 2) ? 1 : 2;
   assert(mesh->num_triangles < MESH_MAX_TRIANGLES);
   int *triangle = mesh->triangle[mesh->num_triangles++];
   for (int i = 0; i < 3; i++)
      triangle[i] = corner[(first + i * step) % 3];
}

/* ---- kinds --------------------------------------------------------------- */

/* A centre and points around it. */
static bool
make_fan(struct mesh *mesh, const struct scatter *scatter)
{
   const int count = 3 + (int)random_below(scatter->seed, 9);
   const double half = scatter->size / 2.0;
   const int centre = add_point(mesh, scatter, half, half);
   for (int i = 0; i < count; i++) {
      const double angle =
         (i + random_between(scatter->seed, 0, 0.9)) * 6.2831853 / count;
      const double radius = random_between(scatter->seed, 0.05, 1) * half;
      mesh->corner[mesh->num_corners++] = add_point(
         mesh, scatter, half + radius * cos(angle), half + radius * sin(angle));
   }
   for (int i = 0; i < count; i++) {
      const int a = mesh->corner[i], b = mesh->corner[(i + 1) % count];
      if (area(mesh, centre, a, b) < 0)
         return false;
      add_triangle(mesh, scatter->seed, centre, a, b);
   }
   return true;
}

/* Between a row of points above and one below. */
static bool
make_strip(struct mesh *mesh, const struct scatter *scatter)
{
   const int count = 2 + (int)random_below(scatter->seed, 8);
   int row[2][10];
   for (int i = 0; i < count; i++) {
      for (int side = 0; side < 2; side++) {
         const double x =
            (i + random_between(scatter->seed, 0, 0.9)) * scatter->size / count;
         const double y = random_between(scatter->seed, 0, 0.5) + side * 0.5;
         row[side][i] = add_point(mesh, scatter, x, y * scatter->size);
      }
   }
   for (int i = 0; i + 1 < count; i++) {
      if (area(mesh, row[0][i], row[0][i + 1], row[1][i]) < 0 ||
          area(mesh, row[0][i + 1], row[1][i + 1], row[1][i]) < 0)
         return false;
      add_triangle(mesh, scatter->seed, row[0][i], row[0][i + 1], row[1][i]);
      add_triangle(mesh, scatter->seed, row[0][i + 1], row[1][i + 1],
                   row[1][i]);
   }
   for (int i = 0; i < count; i++)
      mesh->corner[mesh->num_corners++] = row[0][i];
   for (int i = count; i-- > 0;)
      mesh->corner[mesh->num_corners++] = row[1][i];
   return true;
}

enum { GRID = 4 };

static void
add_grid_outline(struct mesh *mesh, int (*grid)[GRID + 1])
{
   for (int i = 0; i < GRID; i++)
      mesh->corner[mesh->num_corners++] = grid[0][i];
   for (int i = 0; i < GRID; i++)
      mesh->corner[mesh->num_corners++] = grid[i][GRID];
   for (int i = GRID; i > 0; i--)
      mesh->corner[mesh->num_corners++] = grid[GRID][i];
   for (int i = GRID; i > 0; i--)
      mesh->corner[mesh->num_corners++] = grid[i][0];
}

static bool
make_grid(struct mesh *mesh, const struct scatter *scatter)
{
   const double cell = scatter->size / (GRID + 1.0);
   int grid[GRID + 1][GRID + 1];
   for (int y = 0; y <= GRID; y++) {
      for (int x = 0; x <= GRID; x++)
         grid[y][x] = add_point(
            mesh, scatter, (x + random_between(scatter->seed, 0, 0.9)) * cell,
            (y + random_between(scatter->seed, 0, 0.9)) * cell);
   }
   for (int y = 0; y < GRID; y++) {
      for (int x = 0; x < GRID; x++) {
         const int a = grid[y][x], b = grid[y][x + 1];
         const int c = grid[y + 1][x + 1], d = grid[y + 1][x];
         if (area(mesh, a, b, c) < 0 || area(mesh, a, c, d) < 0)
            return false;
         add_triangle(mesh, scatter->seed, a, b, c);
         add_triangle(mesh, scatter->seed, a, c, d);
      }
   }
   add_grid_outline(mesh, grid);
   return true;
}

/* A triangle; again and again one is cut into three by a point in it. */
static bool
make_cut_triangle(struct mesh *mesh, const struct scatter *scatter)
{
   const int cuts = (int)random_below(scatter->seed, 10);
   for (int i = 0; i < 3; i++)
      mesh->corner[mesh->num_corners++] = add_point(
         mesh, scatter, random_between(scatter->seed, 0, scatter->size),
         random_between(scatter->seed, 0, scatter->size));
   add_triangle(mesh, scatter->seed, 0, 1, 2);
   for (int i = 0; i < cuts; i++) {
      int *t = mesh->triangle[random_below(scatter->seed,
                                           (uint32_t)mesh->num_triangles)];
      const int a = t[0], b = t[1], c = t[2];
      const int64_t whole = area(mesh, a, b, c);
      const double u = random_between(scatter->seed, 0, 1);
      const double v = random_between(scatter->seed, 0, 1 - u);
      const double x = mesh->point[a].x * u + mesh->point[b].x * v +
                       mesh->point[c].x * (1 - u - v);
      const double y = mesh->point[a].y * u + mesh->point[b].y * v +
                       mesh->point[c].y * (1 - u - v);
      const int p = add_point(mesh, scatter, x * scatter->flatness, y);
      const int64_t parts[3] = {area(mesh, a, b, p), area(mesh, b, c, p),
                                area(mesh, c, a, p)};
      const bool is_inside = whole > 0
                                ? parts[0] > 0 && parts[1] > 0 && parts[2] > 0
                                : parts[0] < 0 && parts[1] < 0 && parts[2] < 0;
      if (!is_inside)
         continue;
      t[2] = p;
      add_triangle(mesh, scatter->seed, b, c, p);
      add_triangle(mesh, scatter->seed, c, a, p);
   }
   return true;
}

void
mesh_make(struct mesh *mesh, enum mesh_kind kind, int size, uint64_t *seed)
{
   static bool (*const kinds[])(struct mesh *, const struct scatter *) = {
      [MESH_FAN] = make_fan,
      [MESH_STRIP] = make_strip,
      [MESH_GRID] = make_grid,
      [MESH_CUT_TRIANGLE] = make_cut_triangle,
   };
   bool is_good;
   do {
      const struct scatter scatter = {
         .seed = seed,
         .size = size * 256,
         .on_centres = kind == MESH_ANY && random_once_in(seed, 4),
         .flatness = random_once_in(seed, 4) ? 64 : 1,
      };
      mesh->num_points = mesh->num_triangles = mesh->num_corners = 0;
      is_good = kinds[kind == MESH_ANY ? random_below(seed, MESH_ANY) : kind](
         mesh, &scatter);
   } while (!is_good);
}

/* ---- outlines ------------------------------------------------------------ */

/* Edges to the left of the place, upwards and downwards ones against each
 * other. */
bool
mesh_contains(const struct mesh *mesh, int32_t x, int32_t y)
{
   int winding = 0;
   for (int i = 0; i < mesh->num_corners; i++) {
      const int a = mesh->corner[i];
      const int b = mesh->corner[(i + 1) % mesh->num_corners];
      const int64_t ax = mesh->point[a].x - x, ay = mesh->point[a].y - y;
      const int64_t bx = mesh->point[b].x - x, by = mesh->point[b].y - y;
      if ((ay <= 0) == (by <= 0))
         continue;
      const bool is_down = by > 0;
      const int64_t side = ax * by - bx * ay; /* of the place, times it */
      const bool is_left = is_down ? side <= 0 : side >= 0;
      winding += is_left ? (is_down ? 1 : -1) : 0;
   }
   return winding != 0;
}
