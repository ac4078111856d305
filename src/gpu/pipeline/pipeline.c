/* SPDX-License-Identifier: MIT
 *
 * The geometry pipeline of a draw: its stages in their order, what each needs,
 * and a batch's way through them.
 */
#include "gpu/pipeline/pipeline.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gpu/core/call.h"
#include "gpu/core/grow.h"
#include "util/minmax.h"

/* Vertices that one primitive may become where batches run side by side, and
 * shapes of a batch beyond which a part is spilled where it may become more. */
enum { MAX_AMPLIFICATION = 1 << 15, MAX_SHAPES = 1 << 15 };

/* Primitives that pay together, and tiles that they touch before they do. */
enum { PAID_AT_ONCE = 64, MANY_TOUCHES = 2048 };

/* Bytes of a pipeline that are cleared before it is made. */
enum { CLEARED = offsetof(struct gpu_pipeline, vertex) };

/* ---- workers ------------------------------------------------------------- */

static void
finish_pipeline(struct gpu_worker *worker)
{
   struct gpu_pipeline_worker *own = worker->pipeline;
   void *memory = own, *tess_memory = own->tess_memory;
   void *bits = own->records.bits, *window = own->records.window;
   gpu_stream_finish(&own->vertices);
   gpu_stream_finish(&own->tessellated);
   gpu_stream_finish(&own->emitted);
   gpu_grow(worker->allocator, &tess_memory, sizeof(*own->tess_memory), 0);
   gpu_grow(worker->allocator, &bits, own->bits_capacity, 0);
   gpu_grow(worker->allocator, &window,
            own->window_capacity * sizeof(*own->records.window), 0);
   gpu_grow(worker->allocator, &memory, sizeof(*own), 0);
   worker->pipeline = NULL;
}

struct gpu_pipeline_worker *
gpu_pipeline_worker(struct gpu_worker *worker)
{
   void *memory = NULL;
   if (worker->pipeline)
      return worker->pipeline;
   if (!gpu_grow(worker->allocator, &memory, 0,
                 sizeof(struct gpu_pipeline_worker)))
      return NULL;
   struct gpu_pipeline_worker *own = memory;
   memset(own, 0, sizeof(*own));
   gpu_stream_init(&own->vertices, worker->allocator);
   gpu_stream_init(&own->tessellated, worker->allocator);
   gpu_stream_init(&own->emitted, worker->allocator);
   worker->pipeline = own;
   worker->finish_pipeline = finish_pipeline;
   return own;
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

/* Are all shaders there that the draw needs? */
static enum tg_result
check_stages(const struct gpu_state *state, const struct tg_draw_info *info,
             struct tg_diagnostics *diagnostics)
{
   const struct tg_gpu_shader *eval = state->shader[TG_GPU_TESS_EVAL];
   const struct tg_gpu_shader *ctrl = state->shader[TG_GPU_TESS_CTRL];
   if (!state->shader[TG_GPU_VERTEX])
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "there is no vertex shader");
   if (!state->shader[TG_GPU_FRAGMENT] &&
       !state->rasterizer->state.rasterizer_discard)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "there is no fragment shader");
   if (ctrl && !eval)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state",
         "%s controls patches, and there is no shader that "
         "evaluates them",
         ctrl->shader->source.name);
   if (eval && info->mode != TG_PRIM_PATCHES)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "draw",
                                "%s evaluates patches; what is drawn are %s",
                                eval->shader->source.name,
                                tg_primitive_row(info->mode)->name);
   if (!eval && info->mode == TG_PRIM_PATCHES)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "patches are drawn, and there is no shader that "
         "evaluates them");
   return TG_OK;
}

/* What the primitives of a draw are once they are assembled. */
static enum tg_primitive
assembled_primitive(const struct tg_draw_info *info)
{
   switch (gpu_primitive_vertices((enum tg_primitive)info->mode, 0)) {
   case 1: return TG_PRIMITIVE_POINTS;
   case 2: return TG_PRIMITIVE_LINES;
   case 4: return TG_PRIMITIVE_LINES_ADJACENCY;
   case 6: return TG_PRIMITIVE_TRIANGLES_ADJACENCY;
   default: return TG_PRIMITIVE_TRIANGLES;
   }
}

static bool
writes_memory(const struct gpu_state *state)
{
   bool writes = false;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      writes |= i != TG_GPU_FRAGMENT && state->shader[i] &&
                state->shader[i]->writes_memory;
   return writes;
}

/* Points that a patch becomes at most. */
static uint64_t
max_points(const struct gpu_tess_eval *eval)
{
   float most = 1.0f;
   if (eval->has_ctrl)
      return GPU_TESS_MAX_POINTS;
   for (unsigned i = 0; i < 4; i++)
      most = fmaxf(most, eval->levels.outer[i]);
   for (unsigned i = 0; i < 2; i++)
      most = fmaxf(most, eval->levels.inner[i]);
   /* Spacings round up to the next level but one at most. */
   const uint64_t level =
      most < GPU_TESS_MAX_LEVEL - 2 ? (uint64_t)most + 2 : GPU_TESS_MAX_LEVEL;
   return (level + 1) * (level + 1);
}

/* Vertices that a primitive becomes at most after the vertex shader; 0 where
 * no stage makes any. A grid has less than two triangles for each point. */
static uint64_t
amplification(const struct gpu_pipeline *pipeline)
{
   const struct gpu_geometry *geometry = &pipeline->geometry;
   const uint64_t points = pipeline->has_tess ? max_points(&pipeline->tess) : 0;
   if (!pipeline->has_geometry)
      return points;
   const uint64_t emitted =
      (uint64_t)geometry->max_vertices * geometry->num_invocations;
   return (points ? points * 2 : 1) * (emitted ? emitted : 1);
}

/* The stages between vertices and fragments, those that there are. */
static enum tg_result
init_middle(struct gpu_pipeline *pipeline,
            const struct gpu_pipeline_source *source,
            const struct tg_draw_info *info, struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = source->state;
   const struct tg_gpu_shader *producer = state->shader[TG_GPU_VERTEX];
   enum tg_primitive primitive = assembled_primitive(info);
   enum tg_result result = TG_OK;

   if (state->shader[TG_GPU_TESS_EVAL]) {
      pipeline->has_tess = true;
      result = gpu_tess_eval_init(&pipeline->tess, source->compiler, state,
                                  diagnostics);
      producer = pipeline->tess.stage.shader;
      primitive = gpu_tess_eval_primitive(&pipeline->tess);
   }
   if (result == TG_OK && state->shader[TG_GPU_GEOMETRY]) {
      pipeline->has_geometry = true;
      result = gpu_geometry_init(&pipeline->geometry, source->compiler, state,
                                 producer, primitive, diagnostics);
      producer = pipeline->geometry.stage.shader;
      primitive = gpu_geometry_primitive(&pipeline->geometry);
   }
   if (result != TG_OK)
      return result;

   const uint64_t most = amplification(pipeline);
   const uint32_t num_vertices = tg_primitive_row(primitive)->num_vertices;
   pipeline->amplification = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
   pipeline->is_boundless = most > MAX_AMPLIFICATION;
   /* Without a geometry shader adjacent vertices are not used. */
   pipeline->num_corners =
      (uint8_t)(num_vertices > 3 ? num_vertices / 2 : num_vertices);
   gpu_stream_output_init(&pipeline->stream_output, state, producer,
                          pipeline->num_corners);
   pipeline->has_stream_output =
      gpu_stream_output_is_active(&pipeline->stream_output);
   return TG_OK;
}

/* Fragments, unless none come of the draw. */
static enum tg_result
init_fragments(struct gpu_pipeline *pipeline,
               const struct gpu_pipeline_source *source, struct tg_arena *arena,
               struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = source->state;
   if (state->rasterizer->state.rasterizer_discard)
      return TG_OK;
   const enum tg_result result =
      gpu_link(last_shader(state), state->shader[TG_GPU_FRAGMENT],
               &state->rasterizer->state, diagnostics, &pipeline->interface);
   if (result != TG_OK || pipeline->interface.position == GPU_NO_REGISTER)
      return result;
   gpu_setup_state_init(&pipeline->setup, state, last_shader(state),
                        &pipeline->interface);
   return gpu_fragment_draw_create(source->fragments, &pipeline->interface,
                                   pipeline->num_corners, arena, diagnostics,
                                   &pipeline->fragments);
}

static void
find_clamped(struct gpu_pipeline *pipeline, const struct gpu_state *state)
{
   static const struct {
      enum tg_semantic name;
      uint32_t index;
   } colors[] = {
      {TG_SEMANTIC_COLOR, 0},
      {TG_SEMANTIC_COLOR, 1},
      {TG_SEMANTIC_BCOLOR, 0},
      {TG_SEMANTIC_BCOLOR, 1},
   };
   for (unsigned i = 0; i < 4 && state->rasterizer->state.clamp_vertex_color;
        i++) {
      const uint8_t reg =
         gpu_find_output(last_shader(state), colors[i].name, colors[i].index);
      if (reg != GPU_NO_REGISTER)
         pipeline->clamped[pipeline->num_clamped++] = reg;
   }
}

static enum tg_result
init_vertices(struct gpu_pipeline *pipeline,
              const struct gpu_pipeline_source *source,
              struct tg_diagnostics *diagnostics)
{
   pipeline->has_vertex = true;
   return gpu_vertex_stage_init(&pipeline->vertex, source->compiler,
                                source->state, source->vertex, diagnostics);
}

static enum tg_result
make(struct gpu_pipeline *pipeline, const struct gpu_pipeline_source *source,
     struct tg_arena *arena, const struct tg_draw_info *info,
     struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = source->state;
   enum tg_result result = check_stages(state, info, diagnostics);
   if (result == TG_OK && source->links_strictly)
      result = gpu_check_links(state, diagnostics);
   if (result == TG_OK)
      result = init_vertices(pipeline, source, diagnostics);
   if (result == TG_OK)
      result = init_middle(pipeline, source, info, diagnostics);
   if (result == TG_OK)
      result = init_fragments(pipeline, source, arena, diagnostics);
   if (result == TG_OK)
      find_clamped(pipeline, state);
   pipeline->is_sequential = pipeline->is_boundless || writes_memory(state) ||
                             state->rasterizer->state.line_stipple_enable;
   return result;
}

/* Would it be of use to draws after this one? With other stages than these two
 * more is looked at than the version of the state. */
static bool
is_lasting(const struct gpu_pipeline *pipeline,
           const struct gpu_pipeline_source *source)
{
   return pipeline->fragments && !pipeline->has_tess &&
          !pipeline->has_geometry && !pipeline->has_stream_output &&
          !source->state->num_stream_targets && !source->compiler->check;
}

static bool
is_current(const struct gpu_pipeline *pipeline,
           const struct gpu_pipeline_source *source,
           const struct tg_draw_info *info)
{
   const struct gpu_state *state = source->state;
   return pipeline->version && pipeline->version == state->version &&
          pipeline->mode == info->mode && !state->num_stream_targets &&
          resource_snapshot_is_current(&pipeline->fragments->bound,
                                       state->bindings[TG_GPU_FRAGMENT]);
}

enum tg_result
gpu_pipeline_begin(struct gpu_pipeline *pipeline,
                   const struct gpu_pipeline_source *source,
                   struct tg_arena *arena, const struct tg_draw_info *info,
                   struct tg_diagnostics *diagnostics)
{
   const bool was_current = is_current(pipeline, source, info);
   enum tg_result result;
   if (was_current) {
      result = init_vertices(pipeline, source, diagnostics);
   } else {
      memset(pipeline, 0, CLEARED);
      result = make(pipeline, source, arena, info, diagnostics);
   }
   pipeline->is_made_again = !was_current;
   if (result == TG_OK && !was_current && is_lasting(pipeline, source)) {
      pipeline->version = source->state->version;
      pipeline->mode = info->mode;
   }
   return result;
}

void
gpu_pipeline_forget(struct gpu_pipeline *pipeline)
{
   pipeline->version = 0;
   pipeline->fragments = NULL;
}

enum tg_result
gpu_pipeline_end(struct gpu_pipeline *pipeline)
{
   const enum tg_result vertex =
      pipeline->has_vertex ? gpu_vertex_stage_finish(&pipeline->vertex) : TG_OK;
   const enum tg_result tess =
      pipeline->has_tess ? gpu_tess_eval_finish(&pipeline->tess) : TG_OK;
   const enum tg_result geometry =
      pipeline->has_geometry ? gpu_geometry_finish(&pipeline->geometry) : TG_OK;
   pipeline->has_vertex = pipeline->has_tess = pipeline->has_geometry = false;
   if (vertex != TG_OK)
      return vertex;
   return tess != TG_OK ? tess : geometry;
}

/* ---- shapes -------------------------------------------------------------- */

static uint32_t *
reserve_constants(void *user, uint32_t num_words, uint32_t *first_out)
{
   struct gpu_batch *batch = user;
   *first_out = batch->num_constants;
   return gpu_batch_add_constants(batch, num_words);
}

static struct gpu_shape *
room_for_shapes(void *user, uint32_t count)
{
   return gpu_batch_room_for_shapes(user, count);
}

static bool
add_shapes(void *user, const struct gpu_shape *shapes, uint32_t count)
{
   return gpu_batch_add_shapes(user, shapes, count);
}

/* In place: a copy would wait for what was just stored in parts. It has `count`
 * vertices. */
static inline __attribute__((always_inline)) void
find_primitive(const struct gpu_stream *stream, uint32_t number, uint32_t count,
               struct gpu_setup_primitive *primitive)
{
   assert(number < stream->num_primitives);
   const struct gpu_stream_primitive *from = &stream->primitives[number];
   *primitive = (struct gpu_setup_primitive){
      .num_vertices = (uint8_t)count,
      .provoking = from->provoking,
      .edges = from->edges,
      .restarts_stipple = from->begins,
      .id = from->id,
   };
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t vertex = stream->vertices[number * count + i];
      primitive->number[i] = vertex;
      primitive->vertex[i] = gpu_stream_record(stream, vertex);
   }
}

/* Has setup use a stream's records. */
static bool
use_records(struct gpu_setup *setup, struct gpu_worker *worker,
            const struct gpu_stream *stream)
{
   struct gpu_pipeline_worker *own = worker->pipeline;
   struct gpu_setup_records *records = &own->records;
   void *bits = records->bits, *window = records->window;
   const bool has_bits =
      gpu_reserve(worker->allocator, &bits, &own->bits_capacity, 0,
                  stream->num_records, sizeof(*records->bits));
   const bool has_window =
      gpu_reserve(worker->allocator, &window, &own->window_capacity, 0,
                  stream->num_records, sizeof(*records->window));
   *records = (struct gpu_setup_records){
      .words = stream->records,
      .words_per_record = stream->words_per_record,
      .count = stream->num_records,
      .sides = stream->has_sides ? stream->sides : NULL,
      .bits = bits,
      .window = window,
   };
   if (has_bits && has_window)
      gpu_setup_use_records(setup, records, stream->vertices_per_primitive);
   return has_bits && has_window;
}

/* The next primitive, of those up to `end`, of which something may be seen. */
static inline __attribute__((always_inline)) uint32_t
skip_beside(struct gpu_setup *setup, const struct gpu_stream *stream,
            uint32_t first, uint32_t end, uint32_t count)
{
   bool begins = false;
   uint32_t i = first;
   for (; i < end; i++) {
      if (!stream->primitives[i].stream &&
          !gpu_setup_is_beside(setup, &stream->vertices[i * count], count))
         break;
      begins |= !stream->primitives[i].stream && stream->primitives[i].begins;
   }
   gpu_setup_skip(setup, begins);
   return i;
}

/* Primitives that are set up at once, each of `count` vertices. */
struct group {
   struct gpu_setup_primitive primitives[GPU_SETUP_AT_ONCE];
   uint32_t num, most;
};

/* Finds the next ones from `first` on of which something may be seen. Returns
 * where the rest begins. */
static inline __attribute__((always_inline)) uint32_t
find_group(struct gpu_setup *setup, const struct gpu_stream *stream,
           uint32_t first, uint32_t end, uint32_t count, struct group *group)
{
   uint32_t i = first;
   for (group->num = 0; group->num < group->most; i++) {
      i = skip_beside(setup, stream, i, end, count);
      if (i >= end)
         break;
      find_primitive(stream, i, count, &group->primitives[group->num++]);
   }
   return i;
}

/* With a number of vertices that is known its loops are short. */
static uint32_t
next_group(struct gpu_setup *setup, const struct gpu_stream *stream,
           uint32_t first, uint32_t end, struct group *group)
{
   switch (stream->vertices_per_primitive) {
   case 1: return find_group(setup, stream, first, end, 1, group);
   case 2: return find_group(setup, stream, first, end, 2, group);
   default: return find_group(setup, stream, first, end, 3, group);
   }
}

/* Trivial reject of all primitives at once: are all records beyond the same
 * side of the view? */
static bool
are_all_beside(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   const uint32_t whole = records->count & ~7u;
   uint64_t all = UINT64_C(0x0101010101010101) * GPU_SETUP_OUTSIDE;
   for (uint32_t i = 0; i < whole && all; i += 8) {
      uint64_t eight;
      memcpy(&eight, &records->bits[i], sizeof(eight));
      all &= eight;
   }
   all &= all >> 32;
   all &= all >> 16;
   all &= all >> 8;
   for (uint32_t i = whole; i < records->count; i++)
      all &= records->bits[i];
   return records->count > 0 && all & GPU_SETUP_OUTSIDE;
}

static bool
pay_for_touches(struct gpu_worker *worker, const struct gpu_batch *batch,
                uint32_t *num_paid)
{
   const uint64_t num = batch->num_asked - *num_paid;
   *num_paid = batch->num_asked;
   return gpu_pay(worker, GPU_WORK_TOUCH * num);
}

/* Primitives that pay together, unless they touch many tiles. */
static bool
set_up_some(struct gpu_setup *setup, struct gpu_worker *worker,
            const struct gpu_stream *stream, const struct gpu_batch *batch,
            uint32_t first, uint32_t end)
{
   struct group group;
   uint32_t num_paid = batch->num_asked;
   group.most = gpu_setup_at_once(setup);
   for (uint32_t i = first; i < end;) {
      i = next_group(setup, stream, i, end, &group);
      if (!gpu_setup_primitives(setup, group.primitives, group.num))
         return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
      if (batch->num_asked - num_paid >= MANY_TOUCHES &&
          !pay_for_touches(worker, batch, &num_paid))
         return false;
   }
   return pay_for_touches(worker, batch, &num_paid) &&
          gpu_pay(worker, GPU_WORK_PRIMITIVE * (uint64_t)(end - first));
}

/* Leaves out all primitives. Of lines one in the middle of a strip may be the
 * first; all others begin. */
static bool
skip_all(struct gpu_setup *setup, struct gpu_worker *worker,
         const struct gpu_stream *stream)
{
   const uint32_t num = stream->num_primitives;
   bool begins = num > 0 && stream->vertices_per_primitive != 2;
   for (uint32_t i = 0; i < num && !begins; i++)
      begins = !stream->primitives[i].stream && stream->primitives[i].begins;
   gpu_setup_skip(setup, begins);
   return gpu_pay(worker, GPU_WORK_PRIMITIVE * (uint64_t)num);
}

/* Those of the first stream. */
static bool
set_up_primitives(struct gpu_setup *setup, struct gpu_worker *worker,
                  const struct gpu_stream *stream,
                  const struct gpu_batch *batch)
{
   bool is_good = true;
   if (are_all_beside(setup))
      return skip_all(setup, worker, stream);
   for (uint32_t first = 0, end; first < stream->num_primitives && is_good;
        first = end) {
      end = tg_min_u32(stream->num_primitives, first + PAID_AT_ONCE);
      is_good = set_up_some(setup, worker, stream, batch, first, end);
   }
   return is_good;
}

/* As many as primitives, most of the time; of a part of unknown size it is not
 * known. */
static uint32_t
num_expected_shapes(const struct gpu_pipeline *pipeline,
                    const struct gpu_stream *stream)
{
   return pipeline->is_boundless ? 0 : stream->num_primitives;
}

/* Makes shapes of all primitives that go to fragments. */
static bool
set_up(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
       const struct gpu_stream *stream, struct gpu_batch *batch)
{
   const struct gpu_shape_sink sink = {reserve_constants, room_for_shapes,
                                       add_shapes, batch};
   struct gpu_pipeline_worker *own = worker->pipeline;
   struct gpu_setup setup;
   gpu_setup_init(&setup, &pipeline->setup, &sink);
   if (!use_records(&setup, worker, stream) ||
       !gpu_batch_reserve(
          batch, num_expected_shapes(pipeline, stream),
          gpu_shape_num_words(pipeline->interface.num_attributes)))
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   setup.stipple_pixels = own->stipple_pixels;
   if (!set_up_primitives(&setup, worker, stream, batch))
      return false;
   own->stipple_pixels = setup.stipple_pixels;
   worker->count[GPU_COUNT_C_INVOCATIONS] += stream->num_primitives;
   worker->count[GPU_COUNT_C_PRIMITIVES] += setup.num_visible;
   worker->count[GPU_COUNT_TRIANGLES] += setup.num_polygons;
   worker->count[GPU_COUNT_LINES] += setup.num_lines;
   worker->count[GPU_COUNT_POINTS] += setup.num_points;
   return true;
}

/* ---- from stage to stage ------------------------------------------------- */

/* A part on its way. */
struct passage {
   const struct gpu_pipeline *pipeline;
   struct gpu_worker *worker;
   struct gpu_part *part;
};

/* Only a geometry shader has others than the first. */
static void
count_streams(struct gpu_worker *worker, const struct gpu_stream *stream,
              bool has_several)
{
   uint64_t *count = &worker->count[GPU_COUNT_STREAM_GENERATED];
   for (uint32_t i = 0; i < stream->num_primitives && has_several; i++)
      count[stream->primitives[i].stream]++;
   if (!has_several)
      count[0] += stream->num_primitives;
}

/* Keeps what goes to targets, and pays for its being written, too. */
static bool
collect_outputs(const struct passage *passage, const struct gpu_stream *stream)
{
   const struct gpu_stream_output *output = &passage->pipeline->stream_output;
   struct gpu_worker *worker = passage->worker;
   if (!gpu_pay(worker, gpu_stream_output_cost(output, stream)))
      return false;
   return gpu_stream_output_collect(output, stream, &passage->part->words) ||
          gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
}

static bool
do_primitives(const struct passage *passage, struct gpu_stream *stream)
{
   const struct gpu_pipeline *pipeline = passage->pipeline;
   struct gpu_worker *worker = passage->worker;
   struct gpu_part *part = passage->part;
   count_streams(worker, stream, pipeline->has_geometry);
   for (unsigned i = 0; i < pipeline->num_clamped; i++)
      gpu_stream_clamp(stream, pipeline->clamped[i]);
   if (pipeline->has_stream_output && !collect_outputs(passage, stream))
      return false;
   if (pipeline->fragments && stream->num_primitives &&
       !set_up(pipeline, worker, stream, &part->batch))
      return false;
   if (!pipeline->is_boundless || part->batch.num_shapes < MAX_SHAPES)
      return true;
   return part->spill(part->user, worker, part);
}

/* After the last shader. */
static bool
take_primitives(void *user, struct gpu_stream *stream)
{
   const struct passage *passage = user;
   gpu_begin_span(passage->worker, TG_PROFILE_SETUP, 0);
   const bool is_good = do_primitives(passage, stream);
   gpu_end_span(passage->worker);
   return is_good;
}

static bool
run_geometry(void *user, struct gpu_stream *stream)
{
   const struct passage *passage = user;
   const struct gpu_geometry *geometry = &passage->pipeline->geometry;
   const struct gpu_sink sink = {take_primitives, user};
   gpu_begin_span(passage->worker, TG_PROFILE_GEOMETRY,
                  geometry->stage.shader->profile_shader);
   const bool is_good =
      gpu_geometry_run(geometry, passage->worker, stream,
                       &passage->worker->pipeline->emitted, &sink);
   gpu_end_span(passage->worker);
   return is_good;
}

static bool
run_patches(struct passage *passage, const struct gpu_stream *stream)
{
   struct gpu_worker *worker = passage->worker;
   struct gpu_pipeline_worker *own = worker->pipeline;
   const struct gpu_sink sink = {
      passage->pipeline->has_geometry ? run_geometry : take_primitives,
      passage,
   };
   void *memory = own->tess_memory;
   if (!memory &&
       !gpu_grow(worker->allocator, &memory, 0, sizeof(*own->tess_memory)))
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   own->tess_memory = memory;
   gpu_begin_span(worker, TG_PROFILE_TESSELLATION,
                  passage->pipeline->tess.stage.shader->profile_shader);
   const bool is_good =
      gpu_tess_eval_run(&passage->pipeline->tess, worker, own->tess_memory,
                        stream, &own->tessellated, &sink);
   gpu_end_span(worker);
   return is_good;
}

static bool
run_vertices(const struct gpu_pipeline *pipeline, struct gpu_worker *worker)
{
   struct gpu_pipeline_worker *own = worker->pipeline;
   gpu_begin_span(worker, TG_PROFILE_VERTEX,
                  pipeline->vertex.shader->profile_shader);
   const bool is_good = gpu_vertex_stage_run(&pipeline->vertex, worker,
                                             &own->assembly, &own->vertices);
   gpu_end_span(worker);
   return is_good;
}

/* Sorts the shapes into bins. */
static bool
seal(struct gpu_worker *worker, struct gpu_batch *batch)
{
   gpu_begin_span(worker, TG_PROFILE_SETUP, 0);
   const bool is_good = gpu_batch_seal(batch);
   gpu_end_span(worker);
   return is_good || gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
}

bool
gpu_pipeline_run(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
                 struct gpu_part *part)
{
   struct passage passage = {pipeline, worker, part};
   struct gpu_stream *vertices = &worker->pipeline->vertices;
   bool is_good = run_vertices(pipeline, worker);
   if (is_good && pipeline->has_tess)
      is_good = run_patches(&passage, vertices);
   else if (is_good && pipeline->has_geometry)
      is_good = run_geometry(&passage, vertices);
   else if (is_good)
      is_good = take_primitives(&passage, vertices);
   if (!is_good || !pipeline->fragments)
      return is_good;
   return seal(worker, &part->batch);
}
