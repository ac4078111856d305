/* SPDX-License-Identifier: MIT
 *
 * The pipeline by its loads: pixels, triangles of 1, 16 and 256 pixels, and
 * vertices, with one thread and with two; and frames that overlap.
 * docs/performance.md explains the method.
 *
 *    bench_raster [LOAD]...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/gallery/gallery.h"
#include "../examples/picture.h"
#include "measure.h"

enum {
   NUM_ROUNDS = 15,
   NUM_FRAMES = 8, /* that overlap, or wait for each other */
   TEXTURE_SIZE = 256,
};

/* ---- loads --------------------------------------------------------------- */

enum unit { PIXELS, TRIANGLES, VERTICES };

/* A grid of squares, each of two triangles, drawn some times over. */
struct load {
   const char *name;
   enum unit unit;
   uint32_t num_cells; /* squares in a row, and rows */
   float cell;         /* pixels that a square is wide */
   uint32_t num_layers;
   bool depth, blend, texture, discard;
};

/* Two triangles of an area make a square as wide as the root of twice that. */
static const struct load loads[] = {
   {"colour", PIXELS, 1, 1024, 8},
   {"colour and depth", PIXELS, 1, 1024, 4, .depth = true},
   {"blended", PIXELS, 1, 1024, 4, .blend = true},
   {"bilinear texture", PIXELS, 1, 1024, 2, .texture = true},
   {"1 pixel", TRIANGLES, 128, 1.41421356f, 2, .depth = true},
   {"16 pixels", TRIANGLES, 128, 5.65685425f, 1, .depth = true},
   {"256 pixels", TRIANGLES, 48, 22.627417f, 1, .depth = true},
   {"vertices", VERTICES, 128, 1, 2, .discard = true},
};

enum { NUM_LOADS = sizeof(loads) / sizeof(loads[0]), FRAME_LOAD = 5 };

/* Pixels of the target each way. */
static uint32_t
target_size(const struct load *load)
{
   return (uint32_t)ceilf((float)load->num_cells * load->cell);
}

/* Pixels, triangles or vertices, in thousands. */
static double
load_size(const struct load *load)
{
   const double num_cells = (double)load->num_cells * load->num_cells;
   const double area = (double)load->cell * load->cell;
   const double parts[] = {
      [PIXELS] = area,
      [TRIANGLES] = 2,
      [VERTICES] = 6,
   };

   return num_cells * parts[load->unit] * load->num_layers * 1e-3;
}

/* ---- a GPU with a load --------------------------------------------------- */

struct subject {
   const struct load *load;
   struct gallery gallery;
   struct gallery_mesh mesh;
   struct tg_resource *color, *depth;
};

/* Where vertices are counted, none is used twice nearby. */
static struct mesh
make_grid(const struct load *load)
{
   const uint32_t num_cells = load->num_cells, num_columns = num_cells + 1;
   const float step = 2 * load->cell / (float)target_size(load);
   struct mesh mesh =
      mesh_create(num_columns * num_columns, num_cells * num_cells * 6);

   for (uint32_t i = 0; i < mesh.num_vertices; i++) {
      const float x = (float)(i % num_columns), y = (float)(i / num_columns);

      mesh.vertices[i] = (struct mesh_vertex){
         .position = {x * step - 1, y * step - 1, 0.25f},
         .normal = {x * 0.01f, y * 0.01f, 1},
         .uv = {x / (float)num_cells, y / (float)num_cells},
      };
   }
   if (load->unit == VERTICES) {
      for (uint32_t i = 0; i < mesh.num_indices; i++)
         mesh.indices[i] = i % mesh.num_vertices;
      return mesh;
   }
   for (uint32_t i = 0; i < num_cells * num_cells; i++) {
      const uint32_t corner = i / num_cells * num_columns + i % num_cells;
      const uint32_t above = corner + num_columns;
      const uint32_t square[6] = {corner,     corner + 1, above,
                                  corner + 1, above + 1,  above};

      memcpy(mesh.indices + (size_t)i * 6, square, sizeof(square));
   }
   return mesh;
}

/* The vertex shader's two matrices change nothing. */
static void
make_bindings(struct subject *subject)
{
   struct gallery *gallery = &subject->gallery;
   static uint32_t texels[TEXTURE_SIZE * TEXTURE_SIZE];
   const struct mat4 same = {
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
   const struct mat4 matrices[2] = {same, same};
   struct tg_bindings *vertex =
      gallery_bindings(gallery, matrices, sizeof(matrices));
   struct tg_bindings *fragment =
      gallery_bindings(gallery, matrices, sizeof(matrices));
   struct tg_sampler_desc bilinear = gallery_smooth;

   bilinear.mip_filter = TG_MIP_NONE;
   for (uint32_t i = 0; i < TEXTURE_SIZE * TEXTURE_SIZE; i++)
      texels[i] = i * 2654435761u;
   gallery_bind(gallery, fragment, 0,
                gallery_picture(gallery, texels, TEXTURE_SIZE, TEXTURE_SIZE),
                &bilinear);
   gallery_see(gallery, vertex, fragment);
}

static void
set_state(struct subject *subject)
{
   const struct load *load = subject->load;
   struct gallery *gallery = &subject->gallery;
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;
   const struct tg_depth_stencil_alpha_state test = {
      .size = sizeof(test),
      .depth_enabled = load->depth,
      .depth_writemask = load->depth,
      .depth_func = TG_COMPARE_LEQUAL, /* each layer is seen */
   };

   rasterizer.rasterizer_discard = load->discard;
   gallery_rasterize(gallery, &rasterizer);
   gallery_test(gallery, &test);
   gallery_blend(gallery, load->blend);
   gallery_use(
      gallery, gallery_shader(gallery, "examples/gallery/mesh.vert.tgsi"),
      gallery_shader(gallery, load->texture ? "bench/texture.frag.tgsi"
                                            : "bench/color.frag.tgsi"));
   gallery_draw_to(gallery, 1, &subject->color, subject->depth);
}

static void
make_subject(struct subject *subject, const struct load *load,
             unsigned num_threads)
{
   const uint32_t size = target_size(load);
   struct gallery *gallery = &subject->gallery;
   struct mesh grid = make_grid(load);

   subject->load = load;
   gallery_open(gallery, SOURCE_FOLDER, num_threads);
   subject->mesh = gallery_mesh(gallery, &grid);
   subject->color = gallery_target(gallery, "R8G8B8A8_UNORM", size, size, 1);
   subject->depth = gallery_target(gallery, "Z32_FLOAT", size, size, 1);
   make_bindings(subject);
   set_state(subject);
   gallery_clear(gallery, (const float[4]){0});
}

static void
draw(struct subject *subject)
{
   for (uint32_t i = 0; i < subject->load->num_layers; i++)
      gallery_draw(&subject->gallery, &subject->mesh, TG_PRIM_TRIANGLES, 0);
}

static void
finish(struct subject *subject)
{
   struct gallery *gallery = &subject->gallery;

   gallery_check(gallery,
                 tg_context_finish(gallery->gpu, gallery->diagnostics));
}

static double
measure(struct subject *subject)
{
   const double begin = now();

   draw(subject);
   finish(subject);
   return now() - begin;
}

/* As many bytes as the load's pixels have, as often. */
static double
measure_memset(const struct load *load, void *memory, size_t size)
{
   const double begin = now();

   for (uint32_t i = 0; i < load->num_layers; i++) {
      memset(memory, (int)i + 1, size);
      __asm__ volatile("" : : "r"(memory) : "memory");
   }
   return now() - begin;
}

/* ---- races --------------------------------------------------------------- */

/* One thread, two threads and memset() take turns. */
static void
race(const struct load *load)
{
   static struct subject subjects[2];
   double time[2][NUM_ROUNDS], scaling[NUM_ROUNDS], to_memset[NUM_ROUNDS];
   const size_t size =
      (size_t)target_size(load) * target_size(load) * (load->depth ? 8 : 4);
   void *memory = gallery_allocate(size);

   for (unsigned i = 0; i < 2; i++) {
      make_subject(&subjects[i], load, i + 1);
      measure(&subjects[i]);
   }
   for (int i = 0; i < NUM_ROUNDS; i++) {
      for (unsigned k = 0; k < 2; k++)
         time[k][i] = measure(&subjects[k]);
      scaling[i] = time[0][i] / time[1][i];
      to_memset[i] = time[0][i] / measure_memset(load, memory, size);
   }
   for (unsigned k = 0; k < 2; k++)
      bench_sort(time[k], NUM_ROUNDS);
   printf("%-18s %9.0f %9.0f  %6.2f", load->name,
          load_size(load) / time[0][NUM_ROUNDS / 2],
          load_size(load) / time[0][0], time[0][0] / time[1][0]);
   bench_print_ratio(scaling, NUM_ROUNDS);
   if (load->unit == PIXELS)
      bench_print_ratio(to_memset, NUM_ROUNDS);
   printf("\n");
   for (unsigned i = 0; i < 2; i++)
      gallery_close(&subjects[i].gallery);
   free(memory);
}

static double
measure_frames(struct subject *subject, bool overlap)
{
   struct gallery *gallery = &subject->gallery;
   const double begin = now();

   for (int i = 0; i < NUM_FRAMES; i++) {
      draw(subject);
      if (overlap)
         gallery_check(gallery, tg_context_flush(gallery->gpu, NULL));
      else
         finish(subject);
   }
   finish(subject);
   return now() - begin;
}

/* With two threads, frames that wait for each other against those that do not.
 */
static void
race_frames(const struct load *load)
{
   static struct subject subject;
   double ratio[NUM_ROUNDS];

   make_subject(&subject, load, 2);
   measure_frames(&subject, true);
   for (int i = 0; i < NUM_ROUNDS; i++) {
      ratio[i] = measure_frames(&subject, false);
      ratio[i] /= measure_frames(&subject, true);
   }
   printf("%-18s %9s %9s  %6s", "frames overlapping", "", "", "");
   bench_print_ratio(ratio, NUM_ROUNDS);
   printf("\n");
   gallery_close(&subject.gallery);
}

int
main(int argc, char **argv)
{
   static const char *const units[] = {
      [PIXELS] = "thousands of pixels a second",
      [TRIANGLES] = "thousands of triangles a second",
      [VERTICES] = "thousands of vertices a second",
   };

   printf("%-18s %9s %9s  %6s  %-23s  %s\n", "one thread:", "median", "best",
          "two:", "median gain of it", "times of memset()");
   for (int i = 0; i < NUM_LOADS; i++) {
      if (i == 0 || loads[i].unit != loads[i - 1].unit)
         printf("%s\n", units[loads[i].unit]);
      if (bench_is_wanted(loads[i].name, argc - 1, argv + 1))
         race(&loads[i]);
   }
   if (bench_is_wanted("frames", argc - 1, argv + 1))
      race_frames(&loads[FRAME_LOAD]);
   return 0;
}
