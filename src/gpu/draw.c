/* SPDX-License-Identifier: MIT
 *
 * A draw from beginning to end: what it needs is checked and made first, then
 * batches of vertices are shaded, and their triangles clipped, culled, set up
 * and put into bins; bins are drawn when there are many, and at the end.
 */
#include <math.h>
#include <string.h>

#include "gpu/assemble.h"
#include "gpu/clip.h"
#include "gpu/scene.h"

/* Vertices of all instances of one draw; a bound on what one call may cost. */
#define MAX_DRAW_VERTICES (UINT64_C(1) << 30)

struct draw {
   struct gpu_context *context;
   const struct gpu_state *state;
   const struct gpu_draw_info *info;
   struct gpu_interface interface;
   struct gpu_vertex_stage vertex;
   struct gpu_fragment_stage fragment;
   struct gpu_assembler assembler;
   struct gpu_batch batch;
   struct gpu_clipper clipper;
   struct gpu_scene scene;
   uint32_t *records; /* of the batch's vertices */
   size_t records_size;
};

/* ---- checks -------------------------------------------------------------- */

static enum tg_result
check_info(const struct gpu_draw_info *info, struct tg_diagnostics *diagnostics)
{
   if (info->mode != TG_PRIMITIVE_TRIANGLES &&
       info->mode != TG_PRIMITIVE_TRIANGLE_STRIP)
      return gpu_complain(
         diagnostics, TG_ERROR_UNSUPPORTED, "draw",
         "primitives of kind %s are not supported",
         info->mode < TG_NUM_PRIMITIVES ? tg_primitives[info->mode].name : "?");
   if (info->index_size != 0 && info->index_size != 2 && info->index_size != 4)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "draw",
                          "indices of %u bytes; expected 2 or 4, or 0 for none",
                          (unsigned)info->index_size);
   if (info->index_size &&
       (!info->index_buffer || !resource_is_buffer(info->index_buffer)))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "draw",
                          "an indexed draw without a buffer of indices");
   if (info->instance_count &&
       info->count > MAX_DRAW_VERTICES / info->instance_count)
      return gpu_complain(diagnostics, TG_ERROR_LIMIT, "draw",
                          "%u vertices times %u instances; a draw may have "
                          "2^30",
                          info->count, info->instance_count);
   return TG_OK;
}

static bool
viewport_is_sane(const struct gpu_viewport *viewport)
{
   for (unsigned i = 0; i < 3; i++) {
      const float reach =
         fabsf(viewport->scale[i]) + fabsf(viewport->translate[i]);
      if (!(reach <= GPU_MAX_WINDOW))
         return false;
   }
   return true;
}

static enum tg_result
check_state(const struct gpu_state *state, struct tg_diagnostics *diagnostics)
{
   const struct gpu_framebuffer *framebuffer = &state->framebuffer;
   if (!state->vs || state->vs->shader->processor != TG_PROCESSOR_VERT)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no vertex shader");
   if (!state->fs || state->fs->shader->processor != TG_PROCESSOR_FRAG)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no fragment shader");
   if (state->num_elements > GPU_MAX_VERTEX_ELEMENTS)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "%u vertex elements; there can be %u",
                          state->num_elements,
                          (unsigned)GPU_MAX_VERTEX_ELEMENTS);
   if (framebuffer->width > GPU_MAX_SIZE || framebuffer->height > GPU_MAX_SIZE)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "a framebuffer of %u by %u; expected %u at most",
                          framebuffer->width, framebuffer->height,
                          (unsigned)GPU_MAX_SIZE);
   if (!viewport_is_sane(&state->viewport))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "the viewport reaches further than %u",
                          (unsigned)GPU_MAX_WINDOW);
   return TG_OK;
}

/* ---- triangles ----------------------------------------------------------- */

static bool
is_culled(const struct gpu_rasterizer *rasterizer, bool is_front)
{
   const uint8_t face = is_front ? GPU_FACE_FRONT : GPU_FACE_BACK;
   return rasterizer->cull_face & face;
}

/* One triangle of what clipping left. */
static enum tg_result
draw_window_triangle(struct draw *draw, const struct gpu_setup_info *info,
                     const struct gpu_window_vertex v[3])
{
   struct gpu_triangle triangle;
   if (!gpu_setup_edges(v, draw->scene.width, draw->scene.height, &triangle))
      return TG_OK;

   uint32_t *constants;
   const enum tg_result result =
      gpu_scene_add(&draw->scene, &triangle, &constants);
   if (result != TG_OK)
      return result;
   gpu_setup_planes(info, v, constants);
   draw->context->statistics.triangles++;
   if (gpu_scene_is_full(&draw->scene))
      return gpu_scene_draw(&draw->scene, &draw->fragment);
   return TG_OK;
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
static enum tg_result
draw_fan(struct draw *draw, const struct gpu_window_vertex *v, uint32_t count,
         const float *provoking, uint32_t id)
{
   const struct gpu_rasterizer *rasterizer = &draw->state->rasterizer;
   const int64_t area = fan_area(v, count);
   const bool is_ccw = area < 0;
   const struct gpu_setup_info info = {
      .interface = &draw->interface,
      .provoking = provoking,
      .is_front = is_ccw == rasterizer->front_ccw,
      .primitive_id = id,
   };
   if (!area || is_culled(rasterizer, info.is_front))
      return TG_OK;

   for (uint32_t i = 2; i < count; i++) {
      const struct gpu_window_vertex triangle[3] = {v[0], v[i - 1], v[i]};
      if ((gpu_area(triangle) < 0) != is_ccw)
         continue;
      const enum tg_result result = draw_window_triangle(draw, &info, triangle);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

/* Clips, and draws what is left as a fan. */
static enum tg_result
draw_triangle(struct draw *draw, const struct gpu_batch_triangle *triangle)
{
   const float *corner[3], *polygon[GPU_MAX_POLYGON];
   for (unsigned i = 0; i < 3; i++)
      corner[i] = (const float *)(draw->records + (size_t)triangle->vertex[i] *
                                                     draw->vertex.num_words);

   struct gpu_window_vertex v[GPU_MAX_POLYGON];
   const uint32_t count = gpu_clip_triangle(&draw->clipper, corner, polygon);
   for (uint32_t i = 0; i < count; i++)
      v[i] = gpu_window_vertex(&draw->state->viewport, polygon[i]);
   return draw_fan(draw, v, count, corner[triangle->provoking], triangle->id);
}

static enum tg_result
draw_instance(struct draw *draw, uint32_t instance)
{
   gpu_assembler_init(&draw->assembler, draw->info,
                      draw->state->rasterizer.flatshade_first);
   while (gpu_assembler_fill(&draw->assembler, &draw->batch)) {
      enum tg_result result = gpu_vertex_stage_run(
         &draw->vertex, draw->batch.indices, draw->batch.num_vertices, instance,
         draw->records);
      for (uint32_t i = 0; i < draw->batch.num_triangles && result == TG_OK;
           i++)
         result = draw_triangle(draw, &draw->batch.triangles[i]);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

/* ---- the draw ------------------------------------------------------------ */

/* All that can fail for reasons of state. */
static enum tg_result
prepare(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = draw->state;
   struct gpu_context *context = draw->context;
   enum tg_result result = check_info(draw->info, diagnostics);
   if (result == TG_OK)
      result = check_state(state, diagnostics);
   if (result == TG_OK)
      result = gpu_link(state->vs, state->fs, state->rasterizer.flatshade,
                        diagnostics, &draw->interface);
   if (result == TG_OK)
      result =
         gpu_vertex_stage_init(&draw->vertex, context, state, &draw->interface,
                               draw->info->start_instance, diagnostics);
   if (result == TG_OK)
      result = gpu_fragment_stage_init(&draw->fragment, context, state,
                                       &draw->interface, diagnostics);
   if (result == TG_OK)
      result = gpu_scene_init(
         &draw->scene, &context->allocator, state->framebuffer.width,
         state->framebuffer.height, gpu_setup_num_words(&draw->interface));
   if (result != TG_OK)
      return result;

   void *records = NULL;
   draw->records_size =
      (size_t)GPU_BATCH_VERTICES * draw->vertex.num_words * sizeof(uint32_t);
   if (!gpu_grow(&context->allocator, &records, 0, draw->records_size))
      return TG_ERROR_MEMORY;
   draw->records = records;
   draw->clipper.interface = &draw->interface;
   draw->clipper.halfz = state->rasterizer.clip_halfz;
   return TG_OK;
}

enum tg_result
gpu_draw(struct gpu_context *context, const struct gpu_state *state,
         const struct gpu_draw_info *info, struct tg_diagnostics *diagnostics)
{
   void *memory = NULL;
   if (!gpu_grow(&context->allocator, &memory, 0, sizeof(struct draw)))
      return TG_ERROR_MEMORY;
   struct draw *draw = memory;
   memset(draw, 0, sizeof(*draw));
   draw->context = context;
   draw->state = state;
   draw->info = info;

   enum tg_result result = prepare(draw, diagnostics);
   for (uint32_t i = 0; i < info->instance_count && result == TG_OK; i++)
      result = draw_instance(draw, i);
   if (result == TG_OK)
      result = gpu_scene_draw(&draw->scene, &draw->fragment);

   const enum tg_result vertex_checked = gpu_end_check(draw->vertex.check);
   const enum tg_result fragment_checked = gpu_end_check(draw->fragment.check);
   if (result == TG_OK)
      result = vertex_checked != TG_OK ? vertex_checked : fragment_checked;

   void *records = draw->records;
   gpu_grow(&context->allocator, &records, draw->records_size, 0);
   if (draw->scene.bins)
      gpu_scene_finish(&draw->scene);
   gpu_grow(&context->allocator, &memory, sizeof(*draw), 0);
   return result;
}
