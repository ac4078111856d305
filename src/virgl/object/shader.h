/* SPDX-License-Identifier: MIT
 *
 * Shader creation: text that comes in pieces, and what is made of it.
 */
#ifndef VIRGL_OBJECT_SHADER_H
#define VIRGL_OBJECT_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "tungsten/gpu.h"

struct virgl_host;
struct virgl_context;

/* Bytes of a shader's text: more is refused. */
#define VIRGL_MAX_SHADER_TEXT (UINT32_C(4) << 20)

/* Of compute a program, of other stages a shader; neither: it was refused, and
 * nothing is drawn with it. */
struct virgl_shader {
   uint32_t num_references;
   uint32_t stage;
   struct tg_gpu_shader *shader;
   struct tg_program *program;
   struct tg_shader *source; /* that the program borrows */
};

/* Drops a reference. Takes NULL. */
void
virgl_shader_unref(struct virgl_host *host, struct virgl_shader *shader);

/* Is a shader bound that was refused? */
bool
virgl_shaders_are_refused(const struct virgl_context *context);

/* Lets go of the pieces of a shader that did not come whole. */
void
virgl_shader_text_finish(struct virgl_context *context);

#endif
