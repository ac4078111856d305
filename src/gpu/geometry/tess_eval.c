/* SPDX-License-Identifier: MIT
 *
 * The tessellation evaluation stage. A wave is 16 points of one patch, whose
 * vertices are memory that all its lanes see, the STAGE binding.
 */
#include "gpu/geometry/tess_eval.h"

#include <string.h>

/* ---- setting up ---------------------------------------------------------- */

/* A property of the evaluation shader, or of the control shader if only that
 * has it. */
static uint32_t
property(const struct gpu_tess_eval *eval, enum tg_property_name name,
         uint32_t otherwise)
{
   if (eval->has_ctrl)
      otherwise =
         tg_shader_property(eval->ctrl.stage.shader->shader, name, otherwise);
   return tg_shader_property(eval->stage.shader->shader, name, otherwise);
}

static enum tg_result
init_mode(struct gpu_tess_eval *eval, struct tg_diagnostics *diagnostics)
{
   const uint32_t domain =
      property(eval, TG_PROPERTY_TES_PRIM_MODE, TG_PRIMITIVE_POINTS);
   if (domain != TG_PRIMITIVE_LINES && domain != TG_PRIMITIVE_TRIANGLES &&
       domain != TG_PRIMITIVE_QUADS)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "draw",
         "%s has no TES_PRIM_MODE that patches can be cut "
         "into: lines (1), triangles (4) or quads (7)",
         eval->stage.shader->shader->source.name);
   eval->mode = (struct gpu_tess_mode){
      .domain = (uint8_t)domain,
      .spacing = (uint8_t)property(eval, TG_PROPERTY_TES_SPACING, 0),
      .is_clockwise = property(eval, TG_PROPERTY_TES_VERTEX_ORDER_CW, 0) != 0,
      .has_points = property(eval, TG_PROPERTY_TES_POINT_MODE, 0) != 0,
   };
   return TG_OK;
}

enum tg_result
gpu_tess_eval_init(struct gpu_tess_eval *eval,
                   const struct gpu_compiler *compiler,
                   const struct gpu_state *state,
                   struct tg_diagnostics *diagnostics)
{
   const struct tg_gpu_shader *producer = state->shader[TG_GPU_VERTEX];
   enum tg_result result = TG_OK;

   *eval = (struct gpu_tess_eval){
      .has_ctrl = state->shader[TG_GPU_TESS_CTRL] != NULL,
      .first_provokes = state->rasterizer->state.flatshade_first,
   };
   memcpy(eval->levels.outer, state->tess_outer, sizeof(state->tess_outer));
   memcpy(eval->levels.inner, state->tess_inner, sizeof(state->tess_inner));
   if (eval->has_ctrl) {
      result = gpu_tess_ctrl_init(&eval->ctrl, compiler, state, producer,
                                  diagnostics);
      producer = eval->ctrl.stage.shader;
   }
   if (result == TG_OK)
      result = gpu_stage_init(&eval->stage, compiler, state, TG_GPU_TESS_EVAL,
                              lir_mem(LIR_SPACE_CONST, GPU_BINDING_STAGE),
                              diagnostics);
   if (result != TG_OK)
      return result;
   gpu_gather_init(&eval->gather, producer, eval->stage.shader);
   return init_mode(eval, diagnostics);
}

enum tg_result
gpu_tess_eval_finish(struct gpu_tess_eval *eval)
{
   const enum tg_result ctrl = gpu_stage_finish(&eval->ctrl.stage);
   const enum tg_result own = gpu_stage_finish(&eval->stage);
   return ctrl != TG_OK ? ctrl : own;
}

enum tg_primitive
gpu_tess_eval_primitive(const struct gpu_tess_eval *eval)
{
   if (eval->mode.has_points)
      return TG_PRIMITIVE_POINTS;
   return eval->mode.domain == TG_PRIMITIVE_LINES ? TG_PRIMITIVE_LINES
                                                  : TG_PRIMITIVE_TRIANGLES;
}

/* ---- inputs -------------------------------------------------------------- */

/* What every point of the patch finds. */
struct patch_words {
   uint32_t id, num_vertices;
   uint32_t outer[4], inner[4];
};

static struct patch_words
words_of(const struct gpu_patch *patch)
{
   struct patch_words words = {patch->id, patch->num_vertices, {0}, {0}};
   memcpy(words.outer, patch->levels.outer, sizeof(patch->levels.outer));
   memcpy(words.inner, patch->levels.inner, sizeof(patch->levels.inner));
   return words;
}

/* Levels that no register feeds are those that were set. */
static void
gather(const struct gpu_tess_eval *eval, const struct gpu_patch *patch,
       uint32_t *inputs)
{
   const struct tg_gpu_shader *shader = eval->stage.shader;
   const struct patch_words words = words_of(patch);
   const uint32_t num_inputs = eval->gather.num_inputs;
   for (uint32_t v = 0; v < patch->num_vertices; v++)
      gpu_gather_vertex(&eval->gather, patch->record[v],
                        inputs + v * num_inputs * 4);
   for (uint32_t i = 0; i < num_inputs; i++) {
      const struct gpu_semantic *input = &shader->input[i];
      if (!input->declared)
         continue;
      if (input->name == TG_SEMANTIC_PRIM_ID)
         inputs[i * 4] = words.id;
      if (input->name == TG_SEMANTIC_TESSOUTER)
         memcpy(inputs + i * 4, words.outer, sizeof(words.outer));
      if (input->name == TG_SEMANTIC_TESSINNER)
         memcpy(inputs + i * 4, words.inner, sizeof(words.inner));
   }
}

/* System values of the patch; those of points are left. */
static void
fill_sysvals(const struct tg_gpu_shader *shader, const struct gpu_patch *patch,
             uint32_t (*sysvals)[LIR_LANES])
{
   const struct patch_words words = words_of(patch);
   gpu_gather_clear_sysvals(shader, sysvals);
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++) {
      uint32_t(*channels)[LIR_LANES] = sysvals + i * 4;
      if (!shader->sysval[i].declared)
         continue;
      switch (shader->sysval[i].name) {
      case TG_SEMANTIC_PRIM_ID:
         gpu_gather_spread(channels, &words.id, 1);
         break;
      case TG_SEMANTIC_VERTICESIN:
         gpu_gather_spread(channels, &words.num_vertices, 1);
         break;
      case TG_SEMANTIC_TESSOUTER:
         gpu_gather_spread(channels, words.outer, 4);
         break;
      case TG_SEMANTIC_TESSINNER:
         gpu_gather_spread(channels, words.inner, 4);
         break;
      default: break;
      }
   }
}

static void
fill_coordinates(const struct tg_gpu_shader *shader, const float (*coords)[3],
                 uint32_t count, uint32_t (*sysvals)[LIR_LANES])
{
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++) {
      if (!shader->sysval[i].declared ||
          shader->sysval[i].name != TG_SEMANTIC_TESSCOORD)
         continue;
      for (uint32_t lane = 0; lane < count; lane++) {
         for (unsigned c = 0; c < 3; c++)
            memcpy(&sysvals[i * 4 + c][lane], &coords[lane][c],
                   sizeof(uint32_t));
      }
   }
}

/* ---- running ------------------------------------------------------------- */

/* Runs the shader at points, 16 at most, of which the patch is bound. */
static bool
shade_wave(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
           const struct gpu_tess_memory *memory, const float (*coords)[3],
           uint32_t num_points, uint32_t *records)
{
   const struct tg_gpu_shader *shader = eval->stage.shader;
   struct exec_wave wave = gpu_stage_wave(&eval->stage, num_points);
   const uint32_t count = (uint32_t)__builtin_popcount(wave.launched);
   wave.memory[LIR_SPACE_CONST] = memory->constants;
   wave.sysval = (struct exec_lane_memory){
      .data = worker->sysval.data,
      .num_words = shader->layout.num_sysvals * 4,
   };
   wave.output = (struct exec_lane_memory){
      .data = worker->output.data,
      .num_words = gpu_record_words(shader),
   };
   fill_coordinates(shader, coords, count, wave.sysval.data);
   if (!gpu_run_wave(worker, eval->stage.kernel, eval->stage.check, &wave))
      return false;
   gpu_gather_store_records(
      shader, (const uint32_t(*)[LIR_LANES])wave.output.data, count, records);
   return true;
}

/* Runs the shader at all points, into new records. */
static bool
shade_points(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
             struct gpu_tess_memory *memory, const struct gpu_patch *patch,
             struct gpu_stream *out)
{
   const struct tg_gpu_shader *shader = eval->stage.shader;
   const struct gpu_tess_patch *points = &memory->points;
   uint32_t *records = gpu_stream_add_records(out, points->num_points);
   if (!records)
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   if (!gpu_worker_lane_words(worker, &worker->sysval,
                              shader->layout.num_sysvals * 4 + 1) ||
       !gpu_worker_lane_words(worker, &worker->output, out->words_per_record))
      return false;

   gather(eval, patch, memory->inputs);
   gpu_bind_tess_ctrl_patch(memory, &eval->stage, patch->num_vertices);
   fill_sysvals(shader, patch, worker->sysval.data);
   for (uint32_t first = 0; first < points->num_points; first += LIR_LANES) {
      if (!shade_wave(eval, worker, memory, points->coord + first,
                      points->num_points - first,
                      records + (size_t)first * out->words_per_record))
         return false;
   }
   worker->count[GPU_COUNT_DS_INVOCATIONS] += points->num_points;
   return true;
}

static bool
join_points(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
            const struct gpu_tess_patch *points, uint32_t id,
            uint32_t first_record, struct gpu_stream *out)
{
   const uint32_t count = out->vertices_per_primitive;
   const struct gpu_stream_primitive primitive = {
      .id = id,
      .provoking = eval->first_provokes ? 0 : (uint8_t)(count - 1),
      .edges = 7,
      .begins = true,
   };
   for (uint32_t i = 0; i + count <= points->num_indices; i += count) {
      uint32_t vertices[3];
      for (uint32_t v = 0; v < count; v++)
         vertices[v] = first_record + points->index[i + v];
      if (!gpu_stream_add_primitive(out, vertices, &primitive))
         return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   }
   return true;
}

static bool
run_patch(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
          struct gpu_tess_memory *memory, struct gpu_patch *patch,
          struct gpu_stream *out)
{
   const uint32_t first_record = out->num_records;
   if (eval->has_ctrl && !gpu_tess_ctrl_run(&eval->ctrl, worker, memory, patch))
      return false;
   gpu_tessellate(&eval->mode, &patch->levels, &memory->points);
   if (!gpu_pay(worker, GPU_WORK_POINT * (uint64_t)memory->points.num_points))
      return false;
   if (memory->points.num_indices == 0)
      return true;
   return shade_points(eval, worker, memory, patch, out) &&
          join_points(eval, worker, &memory->points, patch->id, first_record,
                      out);
}

bool
gpu_tess_eval_run(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
                  struct gpu_tess_memory *memory, const struct gpu_stream *in,
                  struct gpu_stream *out, const struct gpu_sink *sink)
{
   const uint32_t record_words = gpu_record_words(eval->stage.shader);
   const uint32_t num_vertices =
      tg_primitive_row(gpu_tess_eval_primitive(eval))->num_vertices;

   gpu_stream_begin(out, record_words, num_vertices);
   for (uint32_t i = 0; i < in->num_primitives; i++) {
      const uint32_t *vertices = in->vertices + i * in->vertices_per_primitive;
      struct gpu_patch patch = {
         .id = in->primitives[i].id,
         .num_vertices = in->vertices_per_primitive,
         .levels = eval->levels,
      };
      for (uint32_t v = 0; v < patch.num_vertices; v++)
         patch.record[v] = gpu_stream_record(in, vertices[v]);
      if (!run_patch(eval, worker, memory, &patch, out) ||
          !gpu_stream_hand_on(out, sink, GPU_STREAM_PIECE))
         return false;
   }
   return gpu_stream_hand_on(out, sink, 1);
}
