/* SPDX-License-Identifier: MIT
 *
 * A GPU of the public API with what the tests against the reference draw with:
 * shaders of a few kinds, a framebuffer, a buffer of vertices. What fails ends
 * the test.
 */
#ifndef TESTS_REFERENCE_RIG_H
#define TESTS_REFERENCE_RIG_H

#include "reference.h"

/* As it lies in memory: IN[0] position, IN[1] and IN[2] attributes, IN[3]
 * {point size, edge flag, 0, 0}, IN[4] and IN[5] clip distances. */
struct rig_vertex {
   float position[4];
   float attribute[REF_NUM_ATTRIBUTES][4];
   float point_size, edge_flag, unused[2];
   float clip_distance[TG_MAX_CLIP_PLANES];
};

enum { RIG_MAX_SHADERS = 16, RIG_MAX_RESOURCES = 64 };

struct rig {
   struct tg_diagnostics *diagnostics;
   struct tg_context *gpu;
   struct tg_framebuffer_state framebuffer;
   int num_shaders, num_resources;
   struct tg_shader *sources[RIG_MAX_SHADERS];
   struct tg_gpu_shader *shaders[RIG_MAX_SHADERS];
   struct tg_resource *resources[RIG_MAX_RESOURCES];
};

void
rig_init(struct rig *rig, unsigned num_threads);
void
rig_finish(struct rig *rig);

/* Fails, with what the diagnostics say, if the result is not TG_OK. */
void
rig_expect_ok(const struct rig *rig, enum tg_result result);

/* Makes a shader and sets it. Those of the vertices below: POSITION and
 * attributes alone, or everything. */
void
rig_set_shader(struct rig *rig, enum tg_gpu_stage stage, const char *text);
extern const char rig_plain_vertices[];
extern const char rig_full_vertices[];

/* They belong to the rig. NONE makes a buffer. */
struct tg_resource *
rig_texture(struct rig *rig, const char *format, int width, int height,
            int num_samples);
struct tg_resource *
rig_buffer(struct rig *rig, const void *data, size_t size);

/* Destroys resources from the rig's `first` on. */
void
rig_drop_resources(struct rig *rig, int first);

/* A framebuffer with one colour and, if it is not NULL, a depth buffer of the
 * setup's size and samples, and the setup's rasterizer, viewport, scissor and
 * stipple. */
void
rig_set_framebuffer(struct rig *rig, const struct ref_setup *setup,
                    const char *color, const char *depth);
void
rig_set_setup(struct rig *rig, const struct ref_setup *setup);

struct tg_resource *
rig_color(const struct rig *rig);
struct tg_resource *
rig_depth(const struct rig *rig);

/* What the reference is given for a vertex. */
struct ref_vertex
rig_ref_vertex(const struct rig_vertex *vertex);

void
rig_set_vertices(struct rig *rig, const struct rig_vertex *vertices,
                 size_t count);
void
rig_draw(struct rig *rig, enum tg_prim mode, uint32_t count);

/* All texels of a sample, row after row. */
void
rig_read(struct rig *rig, struct tg_resource *texture, int sample, void *data);
void
rig_write(struct rig *rig, struct tg_resource *texture, int sample,
          const void *data);
/* The framebuffer: colour and stencil to 0, depth to 1. */
void
rig_clear(struct rig *rig);

#endif
