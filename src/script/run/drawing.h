/* SPDX-License-Identifier: MIT
 *
 * What a test draws with: a GPU and what was made for it from the script, when
 * a command first wants it.
 */
#ifndef TG_SCRIPT_RUN_DRAWING_H
#define TG_SCRIPT_RUN_DRAWING_H

#include "script/run/state.h"
#include "script/script.h"
#include "script/sections/model.h"

struct script_runner;
struct script_picture;

/* A shader of the script, made ready for draws. */
struct script_drawn_shader {
   struct tg_shader *shader;
   struct tg_gpu_shader *gpu;
};

/* A stage: its shader, and what it sees. */
struct script_draw_stage {
   uint32_t shader;    /* in the script's list, or SCRIPT_NO_SHADER */
   bool has_constants; /* as the settings say */
   struct tg_bindings *bindings;
   struct tg_resource *constants[TG_MAX_CONSTANT_BUFFERS]; /* that were set */
};

struct script_drawing {
   unsigned wanted_maps; /* bit i: enum script_map */
   struct tg_pixel_counters counters;

   struct script_state state;
   struct script_attachment attachments[SCRIPT_NUM_ATTACHMENTS];
   struct script_element elements[TG_MAX_VERTEX_ELEMENTS];
   uint32_t num_elements;
   struct script_element buffers[TG_MAX_VERTEX_BUFFERS];

   struct tg_context *gpu;                 /* NULL: nothing was made yet */
   const struct script_command *last_draw; /* or clear; NULL: none */
   bool has_state;     /* what the GPU has is as the fields above say: */
   bool has_framebuffer, has_elements;
   struct tg_resource *own[SCRIPT_NUM_ATTACHMENTS];
   struct tg_resource *vertices, *indices;
   unsigned index_size; /* of `indices` */
   struct script_draw_stage stages[TG_NUM_GPU_STAGES];
   struct script_drawn_shader *shaders; /* as many as the script has */
   struct tg_stream_target *stream_targets[TG_MAX_STREAM_BUFFERS];
   struct tg_query *queries[SCRIPT_MAX_QUERIES];
   uint8_t query_types[SCRIPT_MAX_QUERIES];
};

/* What a test draws with, nothing of which is made yet. TG_ERROR_MEMORY. */
enum tg_result
script_drawing_init(struct script_runner *runner);

void
script_drawing_finish(struct script_runner *runner);

/* Makes what is missing of the GPU, the memory of places and the framebuffer.
 * Complains in the name of the command. */
enum tg_result
script_drawing_begin(struct script_runner *runner,
                     const struct script_command *command);

/* After script_drawing_begin(): brings all else that a draw takes up to date,
 * state, shaders, vertices, and what stages see. */
enum tg_result
script_drawing_prepare(struct script_runner *runner,
                       struct tg_diagnostics *diagnostics);

/* The buffer of [index data] with indices of this size; NULL if there is
 * none. */
enum tg_result
script_drawing_indices(struct script_runner *runner, unsigned size,
                       struct tg_resource **buffer_out);

/* Waits for all that was drawn; what went wrong with it fails the last draw. */
enum tg_result
script_drawing_wait(struct script_runner *runner);

/* What became of a call of the GPU: fails the command unless it went well. */
enum tg_result
script_drawing_result(struct script_runner *runner,
                      const struct script_command *command,
                      enum tg_result result, const char *failure);

/* An attachment of the framebuffer; its resource is NULL if there is none. */
struct tg_surface
script_drawing_surface(const struct script_runner *runner, unsigned number);

/* Copies the colours of a surface's first layer: those of a sample, or with
 * SCRIPT_AS_IS the mean of all. The picture is a block of the allocator. */
enum tg_result
script_picture_copy(struct script_runner *runner,
                    const struct tg_allocator *allocator,
                    const struct tg_surface *surface, uint32_t sample,
                    struct script_picture *picture_out);

/* The same of the first target, see script_test_render(). `line` is that of the
 * test. */
bool
script_has_picture(const struct script_runner *runner);
enum tg_result
script_picture_of_test(struct script_runner *runner, uint32_t line,
                       struct script_picture *picture_out);

/* The maps that are wanted; see script_test_render(). */
enum tg_result
script_maps_copy(struct script_runner *runner, uint32_t line, unsigned wanted,
                 float *maps_out[SCRIPT_NUM_MAPS]);

/* Counts what is done for each pixel from now on, from 0, for maps that are
 * wanted of a framebuffer of this size. */
enum tg_result
script_maps_begin(struct script_runner *runner);

void
script_maps_finish(struct script_runner *runner);

/* Reads a box of texels when all that was drawn before is done. */
enum tg_result
script_drawing_read(struct script_runner *runner, struct tg_resource *resource,
                    uint32_t level, uint32_t sample, const struct tg_box *box,
                    void *texels);

#endif
