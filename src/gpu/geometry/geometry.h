/* SPDX-License-Identifier: MIT
 *
 * The geometry stage: the shader runs for each primitive, several times if it
 * asks for invocations, and emits vertices of points or strips to up to four
 * streams. A lane is an invocation for a primitive.
 */
#ifndef TG_GPU_GEOMETRY_H
#define TG_GPU_GEOMETRY_H

#include "gpu/geometry/gather.h"
#include "gpu/geometry/stream.h"
#include "gpu/state/stage.h"

/* What a draw needs of it. Not to be moved once it is set up. */
struct gpu_geometry {
   struct gpu_stage stage;
   struct gpu_gather gather;
   uint32_t num_invocations; /* of each primitive */
   uint32_t max_vertices;    /* of each invocation, to all streams */
   uint32_t num_lanes;       /* that run together */
   uint8_t output;           /* enum tg_primitive */
   bool first_provokes;
};

/* For the geometry shader that is set, after `producer`, whose primitives are
 * of the kind `input`: POINTS, LINES or TRIANGLES, or with adjacency.
 * TG_ERROR_INPUT when the shader reads primitives of another kind. */
enum tg_result
gpu_geometry_init(struct gpu_geometry *geometry,
                  const struct gpu_compiler *compiler,
                  const struct gpu_state *state,
                  const struct tg_gpu_shader *producer, enum tg_primitive input,
                  struct tg_diagnostics *diagnostics);

/* TG_ERROR_MEMORY: of checks. */
enum tg_result
gpu_geometry_finish(struct gpu_geometry *geometry);

/* What its primitives are: POINTS, LINES or TRIANGLES. */
enum tg_primitive
gpu_geometry_primitive(const struct gpu_geometry *geometry);

/* Takes the primitives of `in`; what comes out is handed on through `out`, in
 * the order of primitives and invocations, in pieces of a bounded size. False
 * after a fault. */
bool
gpu_geometry_run(const struct gpu_geometry *geometry, struct gpu_worker *worker,
                 const struct gpu_stream *in, struct gpu_stream *out,
                 const struct gpu_sink *sink);

#endif
