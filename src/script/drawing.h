/* SPDX-License-Identifier: MIT
 *
 * What a test draws with: the state that its commands change, and a GPU
 * with the resources that were made from the script. They are made
 * when the first command wants them.
 */
#ifndef TG_SCRIPT_DRAWING_H
#define TG_SCRIPT_DRAWING_H

#include "script/model.h"

struct script_runner;
struct script_picture;

/* A stage: a shader of the script, compiled for draws, and what it sees. */
struct script_draw_stage {
   struct tg_shader *shader;
   struct tg_gpu_shader *gpu;
   struct tg_bindings *bindings;
   struct tg_resource *constants[TG_MAX_CONSTANT_BUFFERS]; /* that were set */
};

struct script_drawing {
   uint32_t width, height;
   enum tg_format format; /* of colours */
   bool y_up;             /* y = 1 is at the top of the picture */

   struct tg_gpu *gpu; /* NULL: nothing was made yet */
   struct tg_resource *color, *depth;
   struct tg_resource *vertices, *indices;
   struct script_draw_stage vertex, fragment;
   struct tg_rasterizer_state rasterizer;
   struct tg_depth_stencil_alpha_state depth_test;
   uint32_t num_elements;
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
};

/* The state before the first command: 64 by 64 pixels of R8G8B8A8_UNORM, no
 * tests. */
void
script_drawing_init(struct script_drawing *drawing);

void
script_drawing_finish(struct script_drawing *drawing);

/* Makes GPU and framebuffer, unless they are there. Complains in the name
 * of the command. */
enum tg_result
script_drawing_begin(struct script_runner *runner,
                     const struct script_command *command);

/* Clears buffers, a set of enum tg_clear, of the framebuffer that was begun. */
enum tg_result
script_drawing_clear(struct script_runner *runner, uint32_t buffers,
                     const float color[4]);

/* Makes what is missing of shaders, vertices and textures, brings constants
 * up to date, and draws. */
enum tg_result
script_drawing_draw(struct script_runner *runner,
                    const struct script_command *command);

/* Copies the colours; see script_render(). `line` is that of the test. */
enum tg_result
script_drawing_copy(const struct script_runner *runner, uint32_t line,
                    struct script_picture *picture_out);

#endif
