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
   rig_expect_ok(rig, tg_gpu_set_blend(rig->gpu, &blend, rig->diagnostics));
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

/* All numbers are exact. */
static uint32_t
add_vertices(const struct mesh *mesh, int cell_x, int cell_y,
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
         v->position[3] = 1;
      }
   }
   return count;
}

static void
check_cell(const struct mesh *mesh, int cell_x, int cell_y, int num_samples,
           int sample, float (*picture)[SIZE])
{
   const struct ref_place place = ref_sample_place(num_samples, sample);
   for (int y = 0; y < CELL; y++) {
      for (int x = 0; x < CELL; x++) {
         const bool is_in = mesh_contains(mesh, x * 256 + (int32_t)place.x,
                                          y * 256 + (int32_t)place.y);
         const float count = picture[cell_y * CELL + y][cell_x * CELL + x];
         if (count != (is_in ? 1.0f : 0.0f))
            fail_msg("sample %d of pixel (%d, %d) of cell (%d, %d) was drawn "
                     "%g times, not %d",
                     sample, x, y, cell_x, cell_y, (double)count, is_in);
      }
   }
}

static void
draw_small_meshes(struct rig *rig, int num_samples, uint64_t *seed)
{
   static struct mesh meshes[MESHES];
   static struct rig_vertex vertices[MESHES * MESH_MAX_TRIANGLES * 3];
   static float picture[SIZE][SIZE];
   const int first_resource = rig->num_resources;
   uint32_t count = 0;
   for (int i = 0; i < MESHES; i++) {
      mesh_make(&meshes[i], CELL, seed);
      count += add_vertices(&meshes[i], i % CELLS, i / CELLS, &vertices[count]);
   }
   rig_clear(rig);
   rig_set_vertices(rig, vertices, count);
   rig_draw(rig, TG_PRIM_TRIANGLES, count);
   for (int s = 0; s < num_samples; s++) {
      rig_read(rig, rig_color(rig), s, picture);
      for (int i = 0; i < MESHES; i++)
         check_cell(&meshes[i], i % CELLS, i / CELLS, num_samples, s, picture);
   }
   rig_drop_resources(rig, first_resource);
}

static void
small_meshes_are_watertight(void **test)
{
   const int counts[] = {1, 4, 1, 2, 1, 8, 1, 16};
   uint64_t seed = 5;
   int done = 0;
   (void)test;
   for (int i = 0; done < num_meshes; i = (i + 1) % 8) {
      struct ref_setup setup;
      struct rig rig;
      start(&rig, &setup, SIZE, counts[i]);
      for (int k = 0; k < 8 && done < num_meshes; k++, done += MESHES)
         draw_small_meshes(&rig, counts[i], &seed);
      rig_finish(&rig);
   }
   print_message("%d small meshes\n", done);
}

/* ---- large meshes, seen at any angle ------------------------------------- */

enum { VIEW = 64, GRID = 6 };

/* A parallelogram in space with vertices scattered on it, from far behind the
 * eye to beyond the far plane; or one that lies across the screen, up to a
 * million pixels wide. */
static void
make_grid(uint64_t *seed, float grid[GRID + 1][GRID + 1][4])
{
   double origin[4], way[2][4];
   const double scale = ldexp(1, (int)random_below(seed, 14) - 2);
   const bool is_flat = random_below(seed, 2);
   for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 2; k++)
         way[k][i] = random_between(seed, -scale, scale);
      origin[i] = random_between(seed, -1, 1);
   }
   if (is_flat) {
      origin[3] = random_between(seed, 0.5, 2);
      origin[2] = way[0][2] = way[1][2] = way[0][3] = way[1][3] = 0;
   }
   for (int y = 0; y <= GRID; y++) {
      for (int x = 0; x <= GRID; x++) {
         const double s = (x + random_between(seed, 0, 0.4)) / GRID - 0.5;
         const double t = (y + random_between(seed, 0, 0.4)) / GRID - 0.5;
         for (int i = 0; i < 4; i++)
            grid[y][x][i] = (float)(origin[i] + s * way[0][i] + t * way[1][i]);
      }
   }
}

static uint32_t
add_corner(struct rig_vertex *vertices, uint32_t count, const float position[4])
{
   memcpy(vertices[count].position, position, sizeof(vertices->position));
   return count + 1;
}

static uint32_t
add_grid(struct rig_vertex *vertices, uint64_t *seed,
         float grid[GRID + 1][GRID + 1][4])
{
   uint32_t count = 0;
   for (int y = 0; y < GRID; y++) {
      for (int x = 0; x < GRID; x++) {
         const float *p[4] = {grid[y][x], grid[y][x + 1], grid[y + 1][x + 1],
                              grid[y + 1][x]};
         /* Either diagonal, any winding. */
         const unsigned turn = random_below(seed, 2);
         for (unsigned i = 0; i < 2; i++) {
            const unsigned first = turn + 2 * i;
            const unsigned flip = random_below(seed, 2);
            count = add_corner(vertices, count, p[first % 4]);
            count = add_corner(vertices, count, p[(first + 1 + flip) % 4]);
            count = add_corner(vertices, count, p[(first + 2 - flip) % 4]);
         }
      }
   }
   return count;
}

/* What the reference sees of a mesh. */
struct view {
   struct ref_setup setup;
   int num_shapes;
   struct ref_shape shapes[GRID * GRID * 2];
};

static void
make_view(struct view *view, const struct rig_vertex *vertices,
          uint32_t num_vertices)
{
   view->num_shapes = 0;
   for (uint32_t i = 0; i < num_vertices; i += 3) {
      const struct ref_vertex v[3] = {rig_ref_vertex(&vertices[i]),
                                      rig_ref_vertex(&vertices[i + 1]),
                                      rig_ref_vertex(&vertices[i + 2])};
      struct ref_shape shapes[REF_MAX_SHAPES];
      bool is_open = false;
      if (ref_make_shapes(&view->setup, REF_TRIANGLE, v, shapes, &is_open))
         view->shapes[view->num_shapes++] = shapes[0];
   }
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

static void
check_view(const struct view *view, int sample, float (*picture)[VIEW],
           uint64_t *num_checked)
{
   for (int y = 0; y < VIEW; y++) {
      for (int x = 0; x < VIEW; x++) {
         struct ref_place at =
            ref_sample_place(view->setup.num_samples, sample);
         at.x += x * REF_SUBPIXELS;
         at.y += y * REF_SUBPIXELS;
         const float count = picture[y][x];
         enum ref_cover cover = mesh_covers(view, at);
         if (cover == REF_OPEN && is_within(view, at))
            cover = REF_IN;
         if (count > 1 || (cover == REF_IN && count != 1) ||
             (cover == REF_OUT && count != 0))
            fail_msg("sample %d of pixel (%d, %d), which is %s the mesh, was "
                     "drawn %g times",
                     sample, x, y,
                     cover == REF_IN    ? "in"
                     : cover == REF_OUT ? "not in"
                                        : "at the rim of",
                     (double)count);
         *num_checked += cover == REF_IN;
      }
   }
}

static void
draw_large_mesh(struct rig *rig, struct view *view, uint64_t *seed,
                uint64_t *num_checked)
{
   static struct rig_vertex vertices[GRID * GRID * 6];
   static float picture[VIEW][VIEW];
   const int first_resource = rig->num_resources;
   float grid[GRID + 1][GRID + 1][4];
   make_grid(seed, grid);
   const uint32_t count = add_grid(vertices, seed, grid);
   rig_clear(rig);
   rig_set_vertices(rig, vertices, count);
   rig_draw(rig, TG_PRIM_TRIANGLES, count);
   make_view(view, vertices, count);
   for (int s = 0; s < view->setup.num_samples; s++) {
      rig_read(rig, rig_color(rig), s, picture);
      check_view(view, s, picture, num_checked);
   }
   rig_drop_resources(rig, first_resource);
}

static void
large_meshes_are_watertight(void **test)
{
   static struct view view;
   const int count = num_meshes / 20;
   uint64_t seed = 9, num_checked = 0;
   (void)test;
   for (int samples = 1; samples <= 4; samples *= 4) {
      struct rig rig;
      start(&rig, &view.setup, VIEW, samples);
      for (int i = 0; i < count / samples; i++)
         draw_large_mesh(&rig, &view, &seed, &num_checked);
      rig_finish(&rig);
   }
   print_message("%d large meshes, %llu samples in them\n", count + count / 4,
                 (unsigned long long)num_checked);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_meshes_are_watertight),
      cmocka_unit_test(large_meshes_are_watertight),
   };
   if (argc > 1)
      num_meshes = atoi(argv[1]);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
