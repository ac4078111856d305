/* SPDX-License-Identifier: MIT
 *
 * The stages of a draw in their order: what each needs, and a batch's way
 * through them.
 */
#include "gpu/pipeline.h"

#include <math.h>
#include <string.h>

#include "gpu/setup.h"

/* ---- workers ------------------------------------------------------------- */

enum tg_result
gpu_pipeline_workers_create(struct tg_gpu *gpu)
{
   for (unsigned i = 0; i < gpu->num_workers; i++) {
      void *memory = NULL;
      if (!gpu_grow(&gpu->allocator, &memory, 0,
                    sizeof(struct gpu_pipeline_worker)))
         return TG_ERROR_MEMORY;
      struct gpu_pipeline_worker *own = memory;
      memset(own, 0, sizeof(*own));
      gpu_stream_init(&own->vertices, &gpu->allocator);
      gpu->geometry_workers[i].pipeline = own;
   }
   return TG_OK;
}

void
gpu_pipeline_workers_destroy(struct tg_gpu *gpu)
{
   for (unsigned i = 0; gpu->geometry_workers && i < gpu->num_workers; i++) {
      struct gpu_pipeline_worker *own = gpu->geometry_workers[i].pipeline;
      void *memory = own;
      if (!own)
         continue;
      gpu_stream_finish(&own->vertices);
      gpu_grow(&gpu->allocator, &memory, sizeof(*own), 0);
   }
}

/* ---- the draw ------------------------------------------------------------ */

/* The last shader before rasterisation. */
static const struct tg_gpu_shader *
last_shader(const struct gpu_state *state)
{
   if (state->shader[TG_GPU_GEOMETRY])
      return state->shader[TG_GPU_GEOMETRY];
   if (state->shader[TG_GPU_TESS_EVAL])
      return state->shader[TG_GPU_TESS_EVAL];
   return state->shader[TG_GPU_VERTEX];
}

static enum tg_result
check_stages(const struct gpu_state *state, const struct tg_draw_info *info,
             struct tg_diagnostics *diagnostics)
{
   if (!state->shader[TG_GPU_VERTEX])
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no vertex shader");
   if (!state->shader[TG_GPU_FRAGMENT] && !state->rasterizer.rasterizer_discard)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no fragment shader");
   for (unsigned i = TG_GPU_GEOMETRY; i < TG_NUM_GPU_STAGES; i++) {
      if (state->shader[i])
         return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                             "%s: a shader of this stage cannot be drawn with",
                             state->shader[i]->shader->source.name);
   }
   if (gpu_primitive_vertices((enum tg_primitive)info->mode, 0) != 3 &&
       !state->rasterizer.rasterizer_discard)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "draw",
                          "primitives of kind %s are not supported",
                          tg_primitives[info->mode].name);
   return TG_OK;
}

enum tg_result
gpu_pipeline_init(struct gpu_pipeline *pipeline, struct tg_gpu *gpu,
                  struct tg_arena *arena, const struct tg_draw_info *info,
                  struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = &gpu->state;
   *pipeline = (struct gpu_pipeline){.gpu = gpu};
   enum tg_result result = check_stages(state, info, diagnostics);
   if (result != TG_OK)
      return result;
   pipeline->is_sequential = state->shader[TG_GPU_VERTEX]->writes_memory;
   result = gpu_vertex_stage_init(&pipeline->vertex, gpu, diagnostics);
   if (result != TG_OK || state->rasterizer.rasterizer_discard)
      return result;
   result =
      gpu_link(last_shader(state), state->shader[TG_GPU_FRAGMENT],
               state->rasterizer.flatshade, diagnostics, &pipeline->interface);
   if (result != TG_OK || pipeline->interface.position == GPU_NO_REGISTER)
      return result;
   return gpu_fragment_draw_create(gpu, &pipeline->interface, arena,
                                   diagnostics, &pipeline->fragments);
}

enum tg_result
gpu_pipeline_finish(struct gpu_pipeline *pipeline)
{
   return gpu_end_check(pipeline->vertex.check);
}

/* ---- triangles ----------------------------------------------------------- */

/* What drawing a primitive of a batch takes. */
struct drawing {
   const struct gpu_pipeline *pipeline;
   struct gpu_worker *worker;
   struct gpu_batch *batch;
};

static bool
is_culled(const struct tg_rasterizer_state *rasterizer, bool is_front)
{
   const uint8_t face = is_front ? TG_FACE_FRONT : TG_FACE_BACK;
   return rasterizer->cull_face & face;
}

/* One triangle of what clipping left. */
static bool
draw_window_triangle(struct drawing *drawing, const struct gpu_setup_info *info,
                     const struct gpu_window_vertex v[3])
{
   const struct gpu_state *state = &drawing->pipeline->gpu->state;
   struct gpu_batch *batch = drawing->batch;
   struct gpu_shape shape;
   if (!gpu_setup_edges(v, state->framebuffer.width, state->framebuffer.height,
                        &shape))
      return true;
   shape.kind = GPU_SHAPE_POLYGON;
   shape.constants = batch->num_constants;
   uint32_t *constants =
      gpu_batch_add_constants(batch, batch->draw->words_per_shape);
   if (!constants)
      return gpu_fail(drawing->worker, TG_ERROR_MEMORY, "out of memory");
   gpu_setup_planes(info, v, constants);
   drawing->worker->count[GPU_COUNT_TRIANGLES]++;
   if (!gpu_batch_add_shape(batch, &shape))
      return gpu_fail(drawing->worker, TG_ERROR_MEMORY, "out of memory");
   return true;
}

/* Twice the area of a fan. */
static int64_t
fan_area(const struct gpu_window_vertex *v, uint32_t count)
{
   int64_t area = 0;
   for (uint32_t i = 2; i < count; i++)
      area += gpu_area((struct gpu_window_vertex[3]){v[0], v[i - 1], v[i]});
   return area;
}

/* A fan has one face. Rounding its corners may turn a sliver of it round; what
 * that covers others cover too, or nothing should. */
static bool
draw_fan(struct drawing *drawing, const struct gpu_window_vertex *v,
         uint32_t count, const float *provoking, uint32_t id)
{
   const struct gpu_state *state = &drawing->pipeline->gpu->state;
   const struct tg_rasterizer_state *rasterizer = &state->rasterizer;
   const int64_t area = fan_area(v, count);
   const bool is_ccw = area < 0;
   const struct gpu_setup_info info = {
      .interface = &drawing->pipeline->interface,
      .provoking = provoking,
      .is_front = is_ccw == rasterizer->front_ccw,
      .primitive_id = id,
      .max_depth = 1.0f,
   };
   if (!area || is_culled(rasterizer, info.is_front))
      return true;

   for (uint32_t i = 2; i < count; i++) {
      const struct gpu_window_vertex triangle[3] = {v[0], v[i - 1], v[i]};
      if ((gpu_area(triangle) < 0) == is_ccw &&
          !draw_window_triangle(drawing, &info, triangle))
         return false;
   }
   return true;
}

/* Clips, and draws what is left as a fan. */
static bool
draw_triangle(struct drawing *drawing, const struct gpu_stream *stream,
              uint32_t number)
{
   const struct gpu_pipeline *pipeline = drawing->pipeline;
   const struct gpu_stream_primitive *primitive = &stream->primitives[number];
   struct gpu_clipper *clipper = &drawing->worker->pipeline->clipper;
   const float *corner[3], *polygon[GPU_MAX_POLYGON];
   struct gpu_window_vertex v[GPU_MAX_POLYGON];
   for (unsigned i = 0; i < 3; i++)
      corner[i] = (const float *)gpu_stream_record(
         stream, stream->vertices[number * 3 + i]);

   const uint32_t count = gpu_clip_triangle(clipper, corner, polygon);
   for (uint32_t i = 0; i < count; i++)
      v[i] = gpu_window_vertex(&pipeline->gpu->state.viewports[0],
                               &pipeline->interface, polygon[i]);
   return draw_fan(drawing, v, count, corner[primitive->provoking],
                   primitive->id);
}

/* ---- batches ------------------------------------------------------------- */

bool
gpu_pipeline_run(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
                 const struct gpu_assembly *assembly, struct gpu_batch *batch)
{
   struct gpu_pipeline_worker *own = worker->pipeline;
   struct drawing drawing = {pipeline, worker, batch};
   if (!gpu_vertex_stage_run(&pipeline->vertex, worker, assembly,
                             &own->vertices))
      return false;
   if (!pipeline->fragments)
      return true;
   own->clipper.interface = &pipeline->interface;
   own->clipper.halfz = pipeline->gpu->state.rasterizer.clip_halfz;
   for (uint32_t i = 0; i < own->vertices.num_primitives; i++) {
      if (!draw_triangle(&drawing, &own->vertices, i))
         return false;
   }
   return gpu_batch_seal(batch) ||
          gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
}
