/* SPDX-License-Identifier: MIT
 *
 * Meshes without gaps: a sample in a mesh is drawn once, whichever of its
 * triangles it belongs to.
 *
 * usage: test_watertight [MESHES]
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "mesh.h"
#include "random.h"
#include "rig.h"

static int num_meshes = 4000;

/* Each fragment adds 1. */
static const char fragment_shader[] = "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
                                      "MOV OUT[0], IMM[0].xxxx\n"
                                      "END\n";

static void
start(struct rig *rig, struct ref_setup *setup, int size, int num_samples)
{
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .targets = {{
         .blend_enable = true,
         .rgb_src_factor = TG_BLEND_ONE,
         .rgb_dst_factor = TG_BLEND_ONE,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ONE,
         .colormask = TG_CHANNEL_RGBA,
      }},
   };
   *setup = (struct ref_setup){
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = tg_viewport_of((uint32_t)size, (uint32_t)size, false, false),
      .width = size,
      .height = size,
      .num_samples = num_samples,
   };
   rig_init(rig, 0);
   rig_set_shader(rig, TG_GPU_VERTEX, rig_plain_vertices);
   rig_set_shader(rig, TG_GPU_FRAGMENT, fragment_shader);
   rig_expect_ok(rig, bind_blend(rig->gpu, &blend, rig->diagnostics));
   rig_set_framebuffer(rig, setup, "R32_FLOAT", NULL);
}

/* ---- small meshes, each in a cell of its own ------------------------------
 */

enum {
   CELL = 16,
   CELLS = 32, /* each way */
   SIZE = CELL * CELLS,
   MESHES = CELLS * CELLS,
};

/* All numbers are exact. Point 0 has a depth. */
static uint32_t
add_vertices(const struct mesh *mesh, int cell_x, int cell_y, float hub_z,
             struct rig_vertex *vertices)
{
   uint32_t count = 0;
   for (int i = 0; i < mesh->num_triangles; i++) {
      for (int k = 0; k < 3; k++) {
         const int p = mesh->triangle[i][k];
         struct rig_vertex *v = &vertices[count++];
         const double x = cell_x * CELL + mesh->point[p].x / 256.0;
         const double y = cell_y * CELL + mesh->point[p].y / 256.0;
         v->position[0] = (float)(x / (SIZE / 2) - 1);
         v->position[1] = (float)(y / (SIZE / 2) - 1);
         v->position[2] = p == 0 ? hub_z : 0;
         v->position[3] = 1;
      }
   }
   return count;
}

/* How far the first point is, in 256ths of a pixel. */
static int64_t
distance_to_hub(const struct mesh *mesh, int32_t x, int32_t y)
{
   return llabs((int64_t)mesh->point[0].x - x) +
          llabs((int64_t)mesh->point[0].y - y);
}

/* Nearer than `hole` to the first point there may be nothing. */
static void
check_cell(const struct mesh *mesh, int cell_x, int cell_y, int num_samples,
           int sample, int64_t hole, float (*picture)[SIZE])
{
   const struct ref_place place = ref_sample_place(num_samples, sample);
   for (int y = 0; y < CELL; y++) {
      for (int x = 0; x < CELL; x++) {
         const int32_t at_x = x * 256 + (int32_t)place.x;
         const int32_t at_y = y * 256 + (int32_t)place.y;
         const bool is_in = mesh_contains(mesh, at_x, at_y);
         const float count = picture[cell_y * CELL + y][cell_x * CELL + x];
         if (count == 0 && distance_to_hub(mesh, at_x, at_y) < hole)
            continue;
         if (count != (is_in ? 1.0f : 0.0f))
            fail_msg("sample %d of pixel (%d, %d) of cell (%d, %d) was drawn "
                     "%g times, not %d",
                     sample, x, y, cell_x, cell_y, (double)count, is_in);
      }
   }
}

/* With `has_hole` these are fans whose first point lies a little in front of
 * the near plane: as much is cut off from every triangle there as is rounded.
 */
static void
draw_small_meshes(struct rig *rig, int num_samples, bool has_hole,
                  uint64_t *seed)
{
   static struct mesh meshes[MESHES];
   static struct rig_vertex vertices[MESHES * MESH_MAX_TRIANGLES * 3];
   static float picture[SIZE][SIZE];
   const int first_resource = rig->num_resources;
   uint32_t count = 0;
   for (int i = 0; i < MESHES; i++) {
      const int depth = -8 - (int)random_below(seed, 8);
      mesh_make(&meshes[i], has_hole ? MESH_FAN : MESH_ANY, CELL, seed);
      count += add_vertices(&meshes[i], i % CELLS, i / CELLS,
                            has_hole ? -1 - (float)ldexp(1, depth) : 0,
                            &vertices[count]);
   }
   rig_clear(rig);
   rig_set_vertices(rig, vertices, count);
   rig_draw(rig, TG_PRIM_TRIANGLES, count);
   for (int s = 0; s < num_samples; s++) {
      rig_read(rig, rig_color(rig), s, picture);
      for (int i = 0; i < MESHES; i++)
         check_cell(&meshes[i], i % CELLS, i / CELLS, num_samples, s,
                    has_hole ? 24 : 0, picture);
   }
   rig_drop_resources(rig, first_resource);
}

static int
run_small_meshes(int num_left, bool has_hole)
{
   static const int counts[] = {1, 4, 1, 2, 1, 8, 1, 16};
   uint64_t seed = 5;
   int done = 0;
   for (int i = 0; done < num_left; i = (i + 1) % 8) {
      struct ref_setup setup;
      struct rig rig;
      start(&rig, &setup, SIZE, counts[i]);
      for (int k = 0; k < 8 && done < num_left; k++, done += MESHES)
         draw_small_meshes(&rig, counts[i], has_hole, &seed);
      rig_finish(&rig);
   }
   return done;
}

static void
small_meshes_are_watertight(void **test)
{
   (void)test;
   print_message("%d small meshes\n", run_small_meshes(num_meshes, false));
}

static void
fans_that_are_cut_are_watertight(void **test)
{
   (void)test;
   print_message("%d fans that are cut\n",
                 run_small_meshes(num_meshes / 4, true));
}

/* ---- large meshes, seen at any angle ------------------------------------- */

enum {
   VIEW = 64,
   MAX_GRID = 20, /* cells each way */
   MAX_TRIANGLES = MAX_GRID * MAX_GRID * 2,
};

struct grid {
   int size;
   float point[MAX_GRID + 1][MAX_GRID + 1][4];
};

/* A parallelogram in space with vertices scattered on it, from far behind the
 * eye to beyond the far plane; or one that lies across the screen, up to a
 * million pixels wide. */
static void
make_grid(uint64_t *seed, struct grid *grid)
{
   double origin[4], way[2][4];
   const double scale = ldexp(1, (int)random_below(seed, 14) - 2);
   const bool is_flat = random_below(seed, 2);
   grid->size = random_below(seed, 4) ? 4 : MAX_GRID;
   for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 2; k++)
         way[k][i] = random_between(seed, -scale, scale);
      origin[i] = random_between(seed, -1, 1);
   }
   if (is_flat) {
      origin[3] = random_between(seed, 0.5, 2);
      origin[2] = way[0][2] = way[1][2] = way[0][3] = way[1][3] = 0;
   }
   for (int y = 0; y <= grid->size; y++) {
      for (int x = 0; x <= grid->size; x++) {
         const double s = (x + random_between(seed, 0, 0.4)) / grid->size - 0.5;
         const double t = (y + random_between(seed, 0, 0.4)) / grid->size - 0.5;
         for (int i = 0; i < 4; i++)
            grid->point[y][x][i] =
               (float)(origin[i] + s * way[0][i] + t * way[1][i]);
      }
   }
}

static uint32_t
add_corner(struct rig_vertex *vertices, uint32_t count, const float position[4])
{
   memcpy(vertices[count].position, position, sizeof(vertices->position));
   return count + 1;
}

/* A cell is cut along either diagonal; its triangles have any winding, which is
 * noted in an attribute. */
static uint32_t
add_cell(struct rig_vertex *vertices, uint32_t count, uint64_t *seed,
         const float *const corner[4])
{
   const unsigned turn = random_below(seed, 2);
   for (unsigned i = 0; i < 2; i++) {
      const unsigned first = turn + 2 * i;
      const unsigned flip = random_below(seed, 2);
      vertices[count].attribute[0][0] = (float)flip;
      count = add_corner(vertices, count, corner[first % 4]);
      count = add_corner(vertices, count, corner[(first + 1 + flip) % 4]);
      count = add_corner(vertices, count, corner[(first + 2 - flip) % 4]);
   }
   return count;
}

static uint32_t
add_grid(struct rig_vertex *vertices, uint64_t *seed, const struct grid *grid)
{
   uint32_t count = 0;
   for (int y = 0; y < grid->size; y++) {
      for (int x = 0; x < grid->size; x++) {
         const float *const corner[4] = {
            grid->point[y][x], grid->point[y][x + 1], grid->point[y + 1][x + 1],
            grid->point[y + 1][x]};
         count = add_cell(vertices, count, seed, corner);
      }
   }
   return count;
}

/* What the reference sees of a mesh. */
struct view {
   struct ref_setup setup;
   int num_shapes;
   bool is_cut; /* any of them */
   struct ref_shape shapes[MAX_TRIANGLES];
};

/* False if the mesh is seen so much from its edge that rounding folds it: then
 * triangles do overlap. */
static bool
make_view(struct view *view, const struct rig_vertex *vertices,
          uint32_t num_vertices)
{
   bool has_side[2] = {false, false};
   view->num_shapes = 0;
   view->is_cut = false;
   for (uint32_t i = 0; i < num_vertices; i += 3) {
      const struct ref_vertex v[3] = {rig_ref_vertex(&vertices[i]),
                                      rig_ref_vertex(&vertices[i + 1]),
                                      rig_ref_vertex(&vertices[i + 2])};
      struct ref_shape shapes[REF_MAX_SHAPES];
      bool is_open = false;
      if (!ref_make_shapes(&view->setup, REF_TRIANGLE, v, shapes, &is_open))
         continue;
      has_side[shapes[0].is_front ^ (v[0].attribute[0][0] != 0)] = true;
      view->is_cut |= shapes[0].is_cut;
      view->shapes[view->num_shapes++] = shapes[0];
   }
   return !(has_side[0] && has_side[1]);
}

/* Is a place in one of the triangles? It is open where none has it for sure. */
static enum ref_cover
mesh_covers(const struct view *view, struct ref_place at)
{
   enum ref_cover mesh = REF_OUT;
   for (int i = 0; i < view->num_shapes && mesh != REF_IN; i++) {
      const enum ref_cover cover = ref_triangle_covers(&view->shapes[i], at);
      if (cover != REF_OUT)
         mesh = cover;
   }
   return mesh;
}

/* Nor is it open on an edge within the mesh: all around, a little farther off
 * than cut edges may be moved, the mesh goes on. */
static bool
is_within(const struct view *view, struct ref_place at)
{
   static const int around[16][2] = {{8, 0},  {7, 3},   {6, 6},   {3, 7},
                                     {0, 8},  {-3, 7},  {-6, 6},  {-7, 3},
                                     {-8, 0}, {-7, -3}, {-6, -6}, {-3, -7},
                                     {0, -8}, {3, -7},  {6, -6},  {7, -3}};
   for (int i = 0; i < 16; i++) {
      const struct ref_place place = {at.x + around[i][0], at.y + around[i][1]};
      if (mesh_covers(view, place) == REF_OUT)
         return false;
   }
   return true;
}

/* A sample in the mesh is drawn once, others not. At the rim of a mesh that was
 * cut, which may be all of it, rounding may have folded it. */
static bool
is_right(const struct view *view, struct ref_place at, double count,
         bool *is_in_out)
{
   const enum ref_cover cover = mesh_covers(view, at);
   *is_in_out = cover == REF_IN;
   if (count == (cover == REF_IN ? 1 : 0) && cover != REF_OPEN)
      return true;
   if (!view->is_cut || cover == REF_OUT)
      return false;
   *is_in_out = is_within(view, at);
   return count == 1 || (!*is_in_out && (cover == REF_OPEN || count > 1));
}

static void
check_view(const struct view *view, int sample, float (*picture)[VIEW],
           uint64_t *num_checked)
{
   for (int y = 0; y < VIEW; y++) {
      for (int x = 0; x < VIEW; x++) {
         struct ref_place at =
            ref_sample_place(view->setup.num_samples, sample);
         bool is_in;
         at.x += x * REF_SUBPIXELS;
         at.y += y * REF_SUBPIXELS;
         if (!is_right(view, at, (double)picture[y][x], &is_in))
            fail_msg("sample %d of pixel (%d, %d), which is %s the mesh, was "
                     "drawn %g times",
                     sample, x, y, is_in ? "in" : "not in",
                     (double)picture[y][x]);
         *num_checked += is_in;
      }
   }
}

/* False if it was folded. */
static bool
draw_large_mesh(struct rig *rig, struct view *view, uint64_t *seed,
                uint64_t *num_checked)
{
   static struct rig_vertex vertices[MAX_TRIANGLES * 3];
   static float picture[VIEW][VIEW];
   const int first_resource = rig->num_resources;
   struct grid grid;
   make_grid(seed, &grid);
   const uint32_t count = add_grid(vertices, seed, &grid);
   rig_clear(rig);
   rig_set_vertices(rig, vertices, count);
   rig_draw(rig, TG_PRIM_TRIANGLES, count);
   const bool is_good = make_view(view, vertices, count);
   for (int s = 0; is_good && s < view->setup.num_samples; s++) {
      rig_read(rig, rig_color(rig), s, picture);
      check_view(view, s, picture, num_checked);
   }
   rig_drop_resources(rig, first_resource);
   return is_good;
}

static void
large_meshes_are_watertight(void **test)
{
   static struct view view;
   const int count = num_meshes / 100;
   uint64_t seed = 9, num_checked = 0;
   int num_good = 0;
   (void)test;
   for (int samples = 1; samples <= 4; samples *= 4) {
      struct rig rig;
      start(&rig, &view.setup, VIEW, samples);
      for (int i = 0; i < count / samples; i++)
         num_good += draw_large_mesh(&rig, &view, &seed, &num_checked);
      rig_finish(&rig);
   }
   print_message("%d large meshes, %llu samples in them\n", num_good,
                 (unsigned long long)num_checked);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_meshes_are_watertight),
      cmocka_unit_test(fans_that_are_cut_are_watertight),
      cmocka_unit_test(large_meshes_are_watertight),
   };
   if (argc > 1)
      num_meshes = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
