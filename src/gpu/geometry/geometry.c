/* SPDX-License-Identifier: MIT
 *
 * The geometry stage. Vertices become records in the order in which lanes emit
 * them; a list for each lane says which are its own, so that primitives come
 * out lane by lane.
 */
#include "gpu/geometry/geometry.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/fault.h"
#include "gpu/core/grow.h"
#include "gpu/geometry/primitive.h"
#include "util/length.h"

/* Bytes of records that one wave may emit; larger shaders run in fewer lanes.
 */
#define MAX_WAVE_BYTES (UINT32_C(8) << 20)

/* ---- setting up ---------------------------------------------------------- */

static enum tg_result
check_primitives(const struct tg_shader *shader, enum tg_primitive input,
                 struct tg_diagnostics *diagnostics)
{
   const uint32_t wanted = tg_shader_property(
      shader, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_PRIMITIVE_TRIANGLES);
   const uint32_t made = tg_shader_property(
      shader, TG_PROPERTY_GS_OUTPUT_PRIMITIVE, TG_PRIMITIVE_TRIANGLE_STRIP);
   if (wanted != input)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "%s reads %s; what comes to it are %s", shader->source.name,
         wanted < TG_NUM_PRIMITIVES ? tg_primitive_row(wanted)->name
                                    : "no primitives",
         tg_primitive_row(input)->name);
   if (made != TG_PRIMITIVE_POINTS && made != TG_PRIMITIVE_LINE_STRIP &&
       made != TG_PRIMITIVE_TRIANGLE_STRIP)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "%s makes %s; a geometry shader can make POINTS, "
         "LINE_STRIP or TRIANGLE_STRIP",
         shader->source.name,
         made < TG_NUM_PRIMITIVES ? tg_primitive_row(made)->name
                                  : "no primitives");
   return TG_OK;
}

static uint32_t
lanes_for(uint32_t max_vertices, uint32_t record_words)
{
   const uint32_t bytes =
      max_vertices * record_words * (uint32_t)sizeof(uint32_t);
   const uint32_t lanes = MAX_WAVE_BYTES / (bytes ? bytes : 1);
   if (lanes == 0)
      return 1;
   return lanes < LIR_LANES ? lanes : LIR_LANES;
}

enum tg_result
gpu_geometry_init(struct gpu_geometry *geometry,
                  const struct gpu_compiler *compiler,
                  const struct gpu_state *state,
                  const struct tg_gpu_shader *producer, enum tg_primitive input,
                  struct tg_diagnostics *diagnostics)
{
   *geometry = (struct gpu_geometry){
      .first_provokes = state->rasterizer->state.flatshade_first,
   };
   enum tg_result result = gpu_stage_init(&geometry->stage, compiler, state,
                                          TG_GPU_GEOMETRY, 0, diagnostics);
   if (result != TG_OK)
      return result;

   const struct tg_gpu_shader *shader = geometry->stage.shader;
   const struct tg_shader *source = shader->shader;
   result = check_primitives(source, input, diagnostics);
   if (result != TG_OK)
      return result;
   gpu_gather_init(&geometry->gather, producer, shader);
   geometry->num_invocations =
      tg_shader_property(source, TG_PROPERTY_GS_INVOCATIONS, 1);
   geometry->max_vertices =
      tg_shader_property(source, TG_PROPERTY_GS_MAX_OUTPUT_VERTICES, 0);
   geometry->num_lanes =
      lanes_for(geometry->max_vertices, gpu_record_words(shader));
   geometry->output = (uint8_t)tg_shader_property(
      source, TG_PROPERTY_GS_OUTPUT_PRIMITIVE, TG_PRIMITIVE_TRIANGLE_STRIP);
   return TG_OK;
}

enum tg_result
gpu_geometry_finish(struct gpu_geometry *geometry)
{
   return gpu_stage_finish(&geometry->stage);
}

enum tg_primitive
gpu_geometry_primitive(const struct gpu_geometry *geometry)
{
   switch (geometry->output) {
   case TG_PRIMITIVE_POINTS: return TG_PRIMITIVE_POINTS;
   case TG_PRIMITIVE_LINE_STRIP: return TG_PRIMITIVE_LINES;
   default: return TG_PRIMITIVE_TRIANGLES;
   }
}

/* ---- what lanes emit ----------------------------------------------------- */

struct emitted {
   uint32_t record;
   uint8_t stream;
   bool is_last; /* of its strip */
};

/* A run over a stream of primitives. */
struct run {
   const struct gpu_geometry *geometry;
   struct gpu_worker *worker;
   const struct gpu_stream *in;
   struct gpu_stream *out;
   const struct exec_wave *wave;

   struct emitted *emitted;   /* max_vertices for each lane */
   uint32_t count[LIR_LANES]; /* of each lane */
   /* The place after a lane's newest vertex of a stream; 0: there is none. */
   uint32_t newest[LIR_LANES][TG_MAX_STREAMS];
   uint32_t streams; /* bits of those that have vertices */
   bool failed;
};

static void
emit_in_lane(struct run *run, unsigned lane, uint32_t stream)
{
   assert(lane < TG_LENGTH(run->count));
   const struct tg_gpu_shader *shader = run->geometry->stage.shader;
   const uint32_t max = run->geometry->max_vertices;
   if (run->count[lane] >= max)
      return;
   uint32_t *record = gpu_stream_add_records(run->out, 1);
   if (!record) {
      run->failed = true;
      return;
   }
   for (uint32_t word = 0; word < run->out->words_per_record; word++)
      record[word] = shader->output[word / 4].declared
                        ? run->wave->output.data[word][lane]
                        : 0;
   run->emitted[lane * max + run->count[lane]++] = (struct emitted){
      .record = run->out->num_records - 1,
      .stream = (uint8_t)stream,
   };
   run->newest[lane][stream] = run->count[lane];
   run->streams |= 1u << stream;
}

static void
on_emit(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(lanes);
      emit_in_lane(user, lane, stream[lane]);
   }
}

/* The lane's newest vertex of the stream is the last of its strip. */
static void
end_in_lane(struct run *run, unsigned lane, uint32_t stream)
{
   assert(lane < TG_LENGTH(run->newest));
   const uint32_t newest = run->newest[lane][stream];
   if (newest)
      run->emitted[lane * run->geometry->max_vertices + newest - 1].is_last =
         true;
}

static void
on_endprim(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(lanes);
      end_in_lane(user, lane, stream[lane]);
   }
}

/* ---- from vertices to primitives ----------------------------------------- */

static bool
add_primitive(struct run *run, const struct gpu_primitive *primitive,
              uint32_t id, unsigned stream, bool begins)
{
   const struct gpu_stream_primitive added = {
      .id = id,
      .provoking = primitive->provoking,
      .edges = primitive->edges,
      .begins = begins,
      .stream = (uint8_t)stream,
   };
   run->worker->count[GPU_COUNT_GS_PRIMITIVES]++;
   if (gpu_stream_add_primitive(run->out, primitive->vertex, &added))
      return true;
   return gpu_worker_fail(run->worker, TG_ERROR_MEMORY, "out of memory");
}

/* The strips of one lane and stream. */
static bool
cut_strips(struct run *run, unsigned lane, uint32_t id, unsigned stream)
{
   assert(lane < TG_LENGTH(run->count));
   const struct gpu_geometry *geometry = run->geometry;
   const struct emitted *list = run->emitted + lane * geometry->max_vertices;
   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE];
   struct gpu_decomposer decomposer;
   gpu_primitives_init(&decomposer, (enum tg_primitive)geometry->output,
                       geometry->first_provokes, 0);
   for (uint32_t i = 0; i < run->count[lane]; i++) {
      if (list[i].stream != stream)
         continue;
      const bool begins =
         decomposer.count + 1 == run->out->vertices_per_primitive;
      const unsigned num = gpu_primitives_add(&decomposer, list[i].record, out);
      for (unsigned p = 0; p < num; p++) {
         if (!add_primitive(run, &out[p], id, stream, begins))
            return false;
      }
      if (list[i].is_last)
         gpu_primitives_end(&decomposer, out);
   }
   return true;
}

/* ---- waves --------------------------------------------------------------- */

/* The inputs of a lane: those of its primitive's vertices, and PRIM_ID where it
 * is an input. */
static void
gather_lane(const struct run *run, uint32_t primitive, unsigned lane,
            uint32_t (*input)[LIR_LANES])
{
   assert(lane < LIR_LANES);
   const struct gpu_gather *gather = &run->geometry->gather;
   const struct tg_gpu_shader *shader = run->geometry->stage.shader;
   const uint32_t count = run->in->vertices_per_primitive;
   const uint32_t *vertices = run->in->vertices + (size_t)primitive * count;
   const uint32_t num_words = gather->num_inputs * 4;
   uint32_t words[ABI_MAX_INPUTS * 4];

   for (uint32_t v = 0; v < count; v++) {
      gpu_gather_vertex(gather, gpu_stream_record(run->in, vertices[v]), words);
      for (uint32_t i = 0; i < num_words; i++)
         input[v * num_words + i][lane] = words[i];
   }
   for (uint32_t i = 0; i < gather->num_inputs; i++) {
      if (shader->input[i].declared &&
          shader->input[i].name == TG_SEMANTIC_PRIM_ID)
         input[i * 4][lane] = run->in->primitives[primitive].id;
   }
}

static void
fill_sysvals_of_lane(const struct run *run, uint32_t primitive,
                     uint32_t invocation, unsigned lane,
                     uint32_t (*sysvals)[LIR_LANES])
{
   assert(lane < LIR_LANES);
   const struct tg_gpu_shader *shader = run->geometry->stage.shader;
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++) {
      if (!shader->sysval[i].declared)
         continue;
      if (shader->sysval[i].name == TG_SEMANTIC_PRIM_ID)
         sysvals[i * 4][lane] = run->in->primitives[primitive].id;
      if (shader->sysval[i].name == TG_SEMANTIC_INVOCATIONID)
         sysvals[i * 4][lane] = invocation;
   }
}

/* Lane memory, filled for invocations from `first` on. */
static bool
fill_wave(const struct run *run, uint64_t first, uint32_t count,
          struct exec_wave *wave)
{
   const struct gpu_geometry *geometry = run->geometry;
   const struct tg_gpu_shader *shader = geometry->stage.shader;
   struct gpu_worker *worker = run->worker;
   const uint32_t input_words =
      run->in->vertices_per_primitive * geometry->gather.num_inputs * 4;
   const uint32_t sysval_words = shader->layout.num_sysvals * 4;
   const uint32_t output_words = run->out->words_per_record;

   wave->input.num_words = input_words;
   wave->input.data =
      gpu_worker_lane_words(worker, &worker->input, input_words + 1);
   wave->sysval.num_words = sysval_words;
   wave->sysval.data =
      gpu_worker_lane_words(worker, &worker->sysval, sysval_words + 1);
   wave->output.num_words = output_words;
   wave->output.data =
      gpu_worker_lane_words(worker, &worker->output, output_words);
   if (!wave->input.data || !wave->sysval.data || !wave->output.data)
      return false;

   gpu_gather_clear_sysvals(shader, wave->sysval.data);
   for (unsigned lane = 0; lane < count; lane++) {
      const uint64_t number = first + lane;
      const uint32_t primitive = (uint32_t)(number / geometry->num_invocations);
      const uint32_t invocation =
         (uint32_t)(number % geometry->num_invocations);
      gather_lane(run, primitive, lane, wave->input.data);
      fill_sysvals_of_lane(run, primitive, invocation, lane, wave->sysval.data);
   }
   return true;
}

/* Runs invocations `first` and so on, and adds what they make to `out`. */
static bool
run_wave(struct run *run, uint64_t first, uint32_t count)
{
   const struct gpu_geometry *geometry = run->geometry;
   const struct exec_listener listener = {
      .emit = on_emit,
      .endprim = on_endprim,
      .user = run,
   };
   struct exec_wave wave = gpu_stage_wave(&geometry->stage, count);
   wave.listener = &listener;
   run->wave = &wave;
   run->streams = 0;
   memset(run->count, 0, sizeof(run->count));
   memset(run->newest, 0, sizeof(run->newest));
   if (!fill_wave(run, first, count, &wave) ||
       !gpu_run_wave(run->worker, geometry->stage.kernel, geometry->stage.check,
                     &wave))
      return false;
   if (run->failed)
      return gpu_worker_fail(run->worker, TG_ERROR_MEMORY, "out of memory");

   run->worker->count[GPU_COUNT_GS_INVOCATIONS] += count;
   for (unsigned lane = 0; lane < count; lane++) {
      const uint32_t primitive =
         (uint32_t)((first + lane) / geometry->num_invocations);
      const uint32_t id = run->in->primitives[primitive].id;
      for (uint32_t left = run->streams; left; left &= left - 1) {
         if (!cut_strips(run, lane, id, (unsigned)__builtin_ctz(left)))
            return false;
      }
   }
   return true;
}

static bool
run_all(struct run *run, const struct gpu_sink *sink)
{
   const struct gpu_geometry *geometry = run->geometry;
   const uint64_t total =
      (uint64_t)run->in->num_primitives * geometry->num_invocations;
   for (uint64_t first = 0; first < total; first += geometry->num_lanes) {
      const uint64_t left = total - first;
      const uint32_t count =
         left < geometry->num_lanes ? (uint32_t)left : geometry->num_lanes;
      if (!run_wave(run, first, count) ||
          !gpu_stream_hand_on(run->out, sink, GPU_STREAM_PIECE))
         return false;
   }
   return gpu_stream_hand_on(run->out, sink, 1);
}

bool
gpu_geometry_run(const struct gpu_geometry *geometry, struct gpu_worker *worker,
                 const struct gpu_stream *in, struct gpu_stream *out,
                 const struct gpu_sink *sink)
{
   const struct tg_allocator *allocator = worker->allocator;
   const size_t size =
      (size_t)LIR_LANES * (geometry->max_vertices + 1) * sizeof(struct emitted);
   void *memory = NULL;
   if (!gpu_grow(allocator, &memory, 0, size))
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");

   struct run run = {
      .geometry = geometry,
      .worker = worker,
      .in = in,
      .out = out,
      .emitted = memory,
   };
   gpu_stream_begin(
      out, gpu_record_words(geometry->stage.shader),
      tg_primitive_row(gpu_geometry_primitive(geometry))->num_vertices);
   const bool good = run_all(&run, sink);
   gpu_grow(allocator, &memory, size, 0);
   return good;
}
