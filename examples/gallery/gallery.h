/* SPDX-License-Identifier: MIT
 *
 * What the scenes of the gallery share: a GPU, what is made for it, and the
 * usual ways to set its state. All of it is destroyed with the gallery. What
 * goes wrong is said on standard error, and ends the program.
 */
#ifndef EXAMPLES_GALLERY_H
#define EXAMPLES_GALLERY_H

#include <tungsten/gpu.h>

#include "mesh.h"

enum { GALLERY_MAX_OBJECTS = 128 };

struct gallery {
   struct tg_diagnostics *diagnostics;
   struct tg_device *device;
   struct tg_context *gpu;
   const char *folder; /* of the shaders */

   /* To be destroyed. */
   struct tg_resource *resources[GALLERY_MAX_OBJECTS];
   struct tg_bindings *bindings[GALLERY_MAX_OBJECTS];
   struct tg_shader *sources[GALLERY_MAX_OBJECTS];
   struct tg_gpu_shader *shaders[GALLERY_MAX_OBJECTS];
   unsigned num_resources, num_bindings, num_shaders;
};

/* `num_threads` 0: as many as there are processors. */
void
gallery_open(struct gallery *gallery, const char *folder, unsigned num_threads);
/* With an executor of tg_executor_name(); NULL: the usual one. */
void
gallery_open_on(struct gallery *gallery, const char *folder,
                unsigned num_threads, const char *executor);
void
gallery_close(struct gallery *gallery);

/* Ends the program if something went wrong. */
void
gallery_check(struct gallery *gallery, enum tg_result result);

/* ---- objects ------------------------------------------------------------- */

/* `data` may be NULL. */
struct tg_resource *
gallery_buffer(struct gallery *gallery, const void *data, size_t size);

/* One level, to be drawn to. */
struct tg_resource *
gallery_target(struct gallery *gallery, const char *format, uint32_t width,
               uint32_t height, uint32_t samples);

/* Texels 0xAABBGGRR, with all levels. */
struct tg_resource *
gallery_picture(struct gallery *gallery, const uint32_t *texels, uint32_t width,
                uint32_t height);

/* The same from a file of glmark2-data. */
struct tg_resource *
gallery_read_picture(struct gallery *gallery, const char *file);

struct tg_gpu_shader *
gallery_shader(struct gallery *gallery, const char *file);

/* CONST[0] is `size` bytes of constants. */
struct tg_bindings *
gallery_bindings(struct gallery *gallery, const void *constants, size_t size);

/* SVIEW[place] with SAMP[place]. */
void
gallery_bind(struct gallery *gallery, struct tg_bindings *bindings,
             unsigned place, struct tg_resource *texture,
             const struct tg_sampler_desc *desc);

/* Linear between texels and levels; nearest without levels, to the edge. */
extern const struct tg_sampler_desc gallery_smooth, gallery_exact;

/* A mesh on the GPU. */
struct gallery_mesh {
   struct tg_resource *vertices, *indices;
   uint32_t num_indices;
};

/* Takes the mesh over. */
struct gallery_mesh
gallery_mesh(struct gallery *gallery, struct mesh *mesh);

/* ---- state and draws ----------------------------------------------------- */

/* Draws go there, all of it being the viewport. `depth` may be NULL. */
void
gallery_draw_to(struct gallery *gallery, unsigned num_colors,
                struct tg_resource *const *colors, struct tg_resource *depth);

/* The shaders of two stages, none in the others. */
void
gallery_use(struct gallery *gallery, struct tg_gpu_shader *vertex,
            struct tg_gpu_shader *fragment);

/* Between those two. */
void
gallery_use_tessellation(struct gallery *gallery, struct tg_gpu_shader *control,
                         struct tg_gpu_shader *evaluation);
void
gallery_use_geometry(struct gallery *gallery, struct tg_gpu_shader *geometry);

/* What the two stages see. */
void
gallery_see(struct gallery *gallery, struct tg_bindings *vertex,
            struct tg_bindings *fragment);

/* Depth is tested, and written if fragments are nearer. */
void
gallery_test_depth(struct gallery *gallery, bool enabled);

/* What has an alpha below 1 lets through what is behind. */
void
gallery_blend(struct gallery *gallery, bool enabled);

/* State objects of descriptions, which replace the last ones. */
void
gallery_test(struct gallery *gallery,
             const struct tg_depth_stencil_alpha_state *state);
void
gallery_blend_by(struct gallery *gallery, const struct tg_blend_state *state);
void
gallery_rasterize(struct gallery *gallery,
                  const struct tg_rasterizer_state *rasterizer);

void
gallery_clear(struct gallery *gallery, const float color[4]);

/* `patch_vertices` is for TG_PRIM_PATCHES. */
void
gallery_draw(struct gallery *gallery, const struct gallery_mesh *mesh,
             enum tg_prim mode, unsigned patch_vertices);

/* Three vertices, which no buffer has: fullscreen.vert.tgsi covers all with
 * them. */
void
gallery_draw_all(struct gallery *gallery);

/* calloc() that does not fail. */
void *
gallery_allocate(size_t size);

/* Waits for what was drawn; texels 0xAABBGGRR, to be freed with free(). */
uint32_t *
gallery_read(struct gallery *gallery, struct tg_resource *texture);

#endif
