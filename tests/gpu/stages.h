/* SPDX-License-Identifier: MIT
 *
 * Stages by themselves: shaders from text, records by hand, and what comes out
 * as a list of primitives with the first words of their vertices.
 */
#ifndef TESTS_GPU_STAGES_H
#define TESTS_GPU_STAGES_H

#include "gpu/context/context.h"
#include "gpu/geometry/stream.h"

enum {
   STAGES_MAX_SHADERS = 8,
   STAGES_MAX_TAKEN = 4096, /* primitives that are kept; all are counted */
   STAGES_WORDS = 8,        /* of each vertex: registers 0 and 1 */
};

struct taken_primitive {
   struct gpu_stream_primitive is;
   uint32_t words[3][STAGES_WORDS];
};

struct stages {
   struct tg_context *gpu;
   struct tg_diagnostics *diagnostics;
   struct gpu_worker *worker; /* the first */
   struct tg_shader *sources[STAGES_MAX_SHADERS];
   struct tg_gpu_shader *shaders[STAGES_MAX_SHADERS];
   unsigned num_shaders;

   struct gpu_stream in, out;
   struct gpu_sink sink;
   unsigned num_pieces;
   uint32_t largest_piece; /* records */
   uint32_t num_taken;
   struct taken_primitive taken[STAGES_MAX_TAKEN];
};

/* `check` as of struct tg_context_options. Finish in any case. */
void
stages_init(struct stages *stages, bool check);
void
stages_finish(struct stages *stages);

/* Makes a shader and sets it for its stage. */
struct tg_gpu_shader *
stages_shader(struct stages *stages, const char *text);

/* Input of `count` primitives that have `num_vertices` each, of their own; a
 * record has `num_registers`. Register r, channel c of vertex v (from 0 through
 * all primitives) is the float v * 100 + r * 10 + c. The id of primitive p is
 * `first_id` + p. */
void
stages_fill(struct stages *stages, uint32_t num_registers,
            uint32_t num_vertices, uint32_t count, uint32_t first_id);

/* The text of all diagnostics so far, which are then forgotten. To be freed
 * with tg_string_free(). */
char *
stages_complaints(struct stages *stages);

float
stages_float(uint32_t bits);

#endif
