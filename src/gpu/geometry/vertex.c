/* SPDX-License-Identifier: MIT
 *
 * The vertex kernel, as LIR: attributes are fetched before the shader's
 * code, and its outputs are stored after it. What a vertex is comes in INPUT
 * words, and system values in those of their registers.
 */
#include "gpu/geometry/vertex.h"

#include <assert.h>
#include <string.h>

#include "abi/subgroup.h"
#include "gpu/setup/view_sides.h"
#include "lower/lower.h"
#include "util/clones.h"
#include "util/four.h"
#include "util/length.h"
#include "util/minmax.h"

enum input_word {
   INPUT_VERTEX, /* with the base */
   INPUT_INSTANCE,
   INPUT_START_INSTANCE,
   NUM_INPUT_WORDS,
};

/* ---- the key ------------------------------------------------------------- */

struct vertex_key {
   uint64_t shader_id;
   struct gpu_fetch_key elements[TG_MAX_VERTEX_ELEMENTS]; /* that are read */
   struct abi_keys bound; /* as far as the shader sees it */
};

_Static_assert(sizeof(struct vertex_key) ==
                  8 + TG_MAX_VERTEX_ELEMENTS * sizeof(struct gpu_fetch_key) +
                     sizeof(struct abi_keys),
               "no padding");

static const struct tg_member element_members[] = {
   TG_NAMED(gpu_fetch_key, format, tg_format_name),
   TG_NUMBER(gpu_fetch_key, rate),
   TG_NUMBER(gpu_fetch_key, is_aligned),
   {0},
};

static const struct tg_member key_members[] = {
   TG_NUMBER(vertex_key, shader_id),
   TG_STRUCTS(vertex_key, elements, element_members),
   TG_STRUCT(vertex_key, bound, abi_key_members),
   {0},
};

/* ---- writing the kernel -------------------------------------------------- */

struct writer {
   const struct vertex_key *key;
   const struct tg_gpu_shader *shader;
   bool is_checked;
   /* Attributes that were fetched, for their other channels. */
   bool is_fetched[TG_MAX_VERTEX_ELEMENTS];
   lir_value attribute[TG_MAX_VERTEX_ELEMENTS][4];
};

static lir_value
emit_input_word(struct lir_builder *builder, enum input_word word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, LIR_SPACE_INPUT, 0, index);
}

static void
fetch(struct writer *writer, struct lir_builder *builder, uint32_t number)
{
   assert(number < TG_LENGTH(writer->key->elements));
   const struct gpu_fetch_place place = {
      .words_binding = GPU_BINDING_STAGE,
      .first_word = number * GPU_FETCH_WORDS,
      .memory_binding = GPU_BINDING_VERTEX + number,
   };
   struct gpu_fetch_row row;
   row.vertex = emit_input_word(builder, INPUT_VERTEX);
   row.instance = emit_input_word(builder, INPUT_INSTANCE);
   row.start_instance = emit_input_word(builder, INPUT_START_INSTANCE);
   gpu_fetch_emit(builder, &writer->key->elements[number], &place, &row,
                  writer->attribute[number]);
   writer->is_fetched[number] = true;
}

/* An input without an element reads as 0. */
static lir_value
vertex_input(void *user, struct lir_builder *builder, uint32_t reg,
             unsigned channel, enum lower_place place, const lir_value at[2])
{
   struct writer *writer = user;
   (void)place;
   (void)at;
   if (reg >= TG_MAX_VERTEX_ELEMENTS || !writer->key->elements[reg].format)
      return lir_const32(builder, 0);
   if (!writer->is_fetched[reg])
      fetch(writer, builder, reg);
   return writer->attribute[reg][channel];
}

static void
vertex_epilogue(void *user, struct lir_builder *builder,
                const uint32_t (*output_var)[4], uint32_t num_outputs)
{
   (void)user;
   for (uint32_t i = 0; i < num_outputs * 4; i++) {
      const uint32_t var = output_var[i / 4][i % 4];
      const lir_value value =
         var != UINT32_MAX ? lir_getvar(builder, var) : lir_const32(builder, 0);
      const lir_value index = lir_const32(builder, i);
      lir_store32(builder, LIR_SPACE_OUTPUT, 0, index, value);
   }
}

static enum tg_result
write_kernel(void *user, const void *key, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   struct writer *writer = user;
   writer->key = key;
   const struct lower_stage stage = {
      .user = writer,
      .input = vertex_input,
      .epilogue = vertex_epilogue,
   };
   const struct lower_options options = {
      .stage = &stage,
      .keys = &writer->key->bound,
      .check = writer->is_checked,
   };
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}

/* ---- setting up ---------------------------------------------------------- */

/* What is in a vertex buffer, held for the draw. */
static const struct exec_memory *
hold_buffer(struct gpu_vertex_stage *stage, const struct gpu_state *state,
            uint32_t index)
{
   assert(index < TG_LENGTH(stage->buffers));
   if (!(stage->held >> index & 1))
      stage->buffers[index] =
         resource_hold(state->vertex_buffers[index].buffer);
   stage->held |= UINT32_C(1) << index;
   return &stage->buffers[index].memory;
}

/* Elements that no input reads make no difference. Returns how many keys there
 * are. */
static uint32_t
bind_elements(struct gpu_vertex_stage *stage, const struct gpu_state *state,
              struct gpu_fetch_key keys[TG_MAX_VERTEX_ELEMENTS])
{
   const struct tg_vertex_elements *elements = state->vertex_elements;
   struct exec_memory *constants = stage->memory.constants;
   for (uint32_t i = 0; i < elements->count; i++) {
      const struct tg_vertex_element *element = &elements->elements[i];
      constants[GPU_BINDING_VERTEX + i] = (struct exec_memory){0};
      keys[i] = (struct gpu_fetch_key){0};
      if (!stage->shader->input[i].declared)
         continue;
      const uint32_t index = element->vertex_buffer_index;
      const struct gpu_fetch fetch =
         gpu_fetch_bind(element, &state->vertex_buffers[index],
                        hold_buffer(stage, state, index));
      keys[i] = fetch.key;
      memcpy(stage->fetch_words + i * GPU_FETCH_WORDS, fetch.words,
             sizeof(fetch.words));
      constants[GPU_BINDING_VERTEX + i] = fetch.memory;
   }
   stage->memory.num_constants = GPU_BINDING_VERTEX + elements->count;
   constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = stage->fetch_words,
      .num_bytes =
         elements->count * GPU_FETCH_WORDS * sizeof(*stage->fetch_words),
   };
   return elements->count;
}

static enum tg_result
find_kernel(const struct gpu_compiler *compiler,
            const struct tg_gpu_shader *shader,
            const struct gpu_fetch_key *elements, uint32_t num_elements,
            const struct tg_bindings *bindings,
            struct tg_diagnostics *diagnostics,
            const struct exec_kernel **kernel_out)
{
   struct writer writer = {
      .shader = shader,
      .is_checked = compiler->check,
   };
   struct vertex_key key = {.shader_id = shader->id};
   assert(num_elements <= TG_LENGTH(key.elements));
   memcpy(key.elements, elements, num_elements * sizeof(*elements));
   abi_mask_binding_keys(&bindings->keys, &shader->seen, &key.bound);
   const struct exec_source source = {
      .kind = "VERT",
      .key = &key,
      .key_size = sizeof(key),
      .members = key_members,
      .shader = shader->shader,
      .write = write_kernel,
      .user = &writer,
   };
   return gpu_kernel_get(compiler, &source, diagnostics, kernel_out);
}

/* That of the last draw, or else another one. */
static enum tg_result
update_kernel(struct gpu_vertex_kernel *last,
              const struct gpu_compiler *compiler,
              const struct tg_gpu_shader *shader,
              const struct gpu_fetch_key *elements, uint32_t num_elements,
              const struct tg_bindings *bindings,
              struct tg_diagnostics *diagnostics)
{
   const size_t size = num_elements * sizeof(*elements);
   assert(size <= sizeof(last->elements));
   if (last->kernel && last->shader_id == shader->id &&
       last->keys_version == bindings->keys_version &&
       last->num_elements == num_elements &&
       memcmp(last->elements, elements, size) == 0)
      return TG_OK;
   last->shader_id = shader->id;
   last->keys_version = bindings->keys_version;
   last->num_elements = num_elements;
   memcpy(last->elements, elements, size);
   last->kernel = NULL;
   return find_kernel(compiler, shader, elements, num_elements, bindings,
                      diagnostics, &last->kernel);
}

enum tg_result
gpu_vertex_stage_init(struct gpu_vertex_stage *stage,
                      const struct gpu_compiler *compiler,
                      const struct gpu_state *state,
                      struct gpu_vertex_kernel *last,
                      struct tg_diagnostics *diagnostics)
{
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_VERTEX];
   const struct tg_bindings *bindings =
      resource_bindings(state->bindings[TG_GPU_VERTEX]);
   struct gpu_fetch_key elements[TG_MAX_VERTEX_ELEMENTS];
   stage->shader = shader;
   stage->num_words = shader->layout.num_outputs * 4;
   stage->position = gpu_find_output(shader, TG_SEMANTIC_POSITION, 0);
   stage->held = 0;
   gpu_stage_memory_init(&stage->memory, bindings);
   const uint32_t num_elements = bind_elements(stage, state, elements);
   enum tg_result result = gpu_stage_begin_check(
      compiler, shader, CHECK_VERTICES, diagnostics, &stage->check);
   if (result == TG_OK)
      result = update_kernel(last, compiler, shader, elements, num_elements,
                             bindings, diagnostics);
   stage->kernel = last->kernel;
   return result;
}

enum tg_result
gpu_vertex_stage_finish(struct gpu_vertex_stage *stage)
{
   for (uint32_t held = stage->held; held; held &= held - 1)
      resource_release(&stage->buffers[__builtin_ctz(held)]);
   return gpu_stage_end_check(stage->check);
}

/* ---- what waves read ----------------------------------------------------- */

/* Vertices of an assembly, those of a wave or of several. */
struct vertices {
   const struct gpu_assembly *assembly;
   uint32_t first, count;
};

static uint32_t
base_vertex_of(const struct tg_shader *shader,
               const struct gpu_assembly *assembly)
{
   const bool is_of_indices = shader->quirks & TG_QUIRK_BASE_OF_INDICES;

   return is_of_indices && !assembly->is_indexed ? 0 : assembly->base_vertex;
}

static uint32_t
sysval_of(const struct tg_shader *shader, enum tg_semantic semantic,
          const struct gpu_assembly *assembly, uint32_t number, unsigned lane)
{
   assert(number < TG_LENGTH(assembly->vertex));
   const uint32_t vertex = assembly->vertex[number];
   switch (semantic) {
   case TG_SEMANTIC_VERTEXID: return vertex;
   case TG_SEMANTIC_VERTEXID_NOBASE: return vertex - assembly->base_vertex;
   case TG_SEMANTIC_BASEVERTEX: return base_vertex_of(shader, assembly);
   case TG_SEMANTIC_INSTANCEID: return assembly->instance[number];
   case TG_SEMANTIC_BASEINSTANCE: return assembly->start_instance;
   case TG_SEMANTIC_DRAWID: return assembly->draw_id;
   default: return abi_subgroup_value(semantic, lane);
   }
}

/* Lanes without a vertex are as the first one. */
static void
fill_input(uint32_t lanes[LIR_LANES], const uint32_t *numbers, uint32_t count)
{
   if (count == LIR_LANES) {
      memcpy(lanes, numbers, LIR_LANES * sizeof(*lanes));
      return;
   }
   tg_fill_words(lanes, numbers[0], LIR_LANES);
   memcpy(lanes, numbers, count * sizeof(*lanes));
}

static void
fill_inputs(const struct vertices *vertices, uint32_t (*input)[LIR_LANES])
{
   const struct gpu_assembly *assembly = vertices->assembly;
   fill_input(input[INPUT_VERTEX], &assembly->vertex[vertices->first],
              vertices->count);
   fill_input(input[INPUT_INSTANCE], &assembly->instance[vertices->first],
              vertices->count);
   tg_fill_words(input[INPUT_START_INSTANCE], assembly->start_instance,
                 LIR_LANES);
}

static void
fill_sysvals(const struct tg_gpu_shader *shader,
             const struct vertices *vertices, uint32_t (*sysval)[LIR_LANES])
{
   const uint32_t num_sysvals = shader->layout.num_sysvals;
   memset(sysval, 0, num_sysvals * 4 * sizeof(*sysval));
   for (uint32_t i = 0; i < num_sysvals; i++) {
      if (!shader->sysval[i].declared)
         continue;
      for (uint32_t lane = 0; lane < vertices->count; lane++)
         sysval[i * 4][lane] =
            sysval_of(shader->shader, (enum tg_semantic)shader->sysval[i].name,
                      vertices->assembly, vertices->first + lane, lane);
   }
}

/* ---- records ------------------------------------------------------------- */

/* The halves of a vector become words of a record and of the fourth after it.
 */
static inline void
store_halves(uint32_t *record, size_t stride, tg_eight v)
{
   tg_store_four(record, __builtin_shufflevector(v, v, 0, 1, 2, 3));
   tg_store_four(record + stride * 4,
                 __builtin_shufflevector(v, v, 4, 5, 6, 7));
}

/* Four words of eight lanes become those of eight records. */
static inline void
store_eight(uint32_t (*output)[LIR_LANES], uint32_t lane, size_t stride,
            uint32_t *record)
{
   tg_eight a = tg_load_eight(&output[0][lane]);
   tg_eight b = tg_load_eight(&output[1][lane]);
   tg_eight c = tg_load_eight(&output[2][lane]);
   tg_eight d = tg_load_eight(&output[3][lane]);
   tg_transpose_twice(&a, &b, &c, &d);
   store_halves(record, stride, a);
   store_halves(record + stride, stride, b);
   store_halves(record + stride * 2, stride, c);
   store_halves(record + stride * 3, stride, d);
}

/* Of `count` lanes; a record has whole registers, of four words each. */
TG_CLONES static void
store_records(uint32_t (*output)[LIR_LANES], uint32_t num_words, uint32_t count,
              uint32_t *records)
{
   const uint32_t whole = count & ~7u;
   for (uint32_t lane = 0; lane < whole; lane += 8) {
      for (uint32_t word = 0; word < num_words; word += 4)
         store_eight(output + word, lane, num_words,
                     records + (size_t)lane * num_words + word);
   }
   for (uint32_t lane = whole; lane < count; lane++) {
      for (uint32_t word = 0; word < num_words; word++)
         records[(size_t)lane * num_words + word] = output[word][lane];
   }
}

/* Of `count` lanes. */
TG_CLONES static void
store_sides(uint32_t (*position)[LIR_LANES], uint32_t count, uint8_t *sides)
{
   uint8_t some[LIR_LANES];
   const bool is_whole = count == LIR_LANES;
   gpu_view_sides_of_lanes(position, is_whole ? sides : some);
   if (!is_whole)
      memcpy(sides, some, count);
}

/* ---- running it ---------------------------------------------------------- */

enum {
   MAX_ROUNDS = 16, /* waves that are run together */
   MAX_ROWS = 1024, /* of their lane memory, beside the inputs */
};

/* Waves that are run together, and memory for each of them. */
struct rounds {
   uint32_t most;
   uint32_t num_sysvals; /* words */
   uint32_t (*input)[LIR_LANES];
   uint32_t (*sysval)[LIR_LANES];
   uint32_t (*output)[LIR_LANES];
};

/* False, and a fault, when out of memory. */
static bool
init_rounds(struct rounds *rounds, const struct gpu_vertex_stage *stage,
            struct gpu_worker *worker)
{
   const uint32_t num_sysvals = stage->shader->layout.num_sysvals * 4;
   const uint32_t num_rows = num_sysvals + stage->num_words;
   const uint32_t most = MAX_ROWS / tg_max_u32(num_rows, MAX_ROWS / MAX_ROUNDS);
   rounds->most = tg_max_u32(most, 1);
   rounds->num_sysvals = num_sysvals;
   rounds->input = gpu_worker_lane_words(worker, &worker->input,
                                         rounds->most * NUM_INPUT_WORDS);
   rounds->sysval = gpu_worker_lane_words(worker, &worker->sysval,
                                          rounds->most * num_sysvals);
   rounds->output = gpu_worker_lane_words(worker, &worker->output,
                                          rounds->most * stage->num_words);
   return worker->fault.result == TG_OK;
}

static struct exec_round
make_round(const struct gpu_vertex_stage *stage, const struct rounds *rounds,
           uint32_t number, const struct vertices *vertices)
{
   assert(vertices->count <= LIR_LANES && number < rounds->most);
   const uint32_t lanes = (UINT32_C(1) << vertices->count) - 1;
   const uint32_t sysval = number * rounds->num_sysvals;
   const struct exec_round round = {
      .launched = lanes,
      .live = lanes,
      .input = rounds->input + number * NUM_INPUT_WORDS,
      .sysval = rounds->num_sysvals ? rounds->sysval + sysval : NULL,
      .output = rounds->output + number * stage->num_words,
   };
   fill_inputs(vertices, round.input);
   if (rounds->num_sysvals)
      fill_sysvals(stage->shader, vertices, round.sysval);
   return round;
}

/* Up to `most` waves, from vertex `first` on. */
static bool
run_rounds(const struct gpu_vertex_stage *stage, struct gpu_worker *worker,
           const struct rounds *rounds, struct exec_wave *wave,
           const struct vertices *vertices, const struct gpu_stream *stream)
{
   struct exec_round round[MAX_ROUNDS];
   struct vertices part = *vertices;
   uint32_t num = 0, num_run;
   for (; part.first < vertices->first + vertices->count; num++) {
      const uint32_t left = vertices->first + vertices->count - part.first;
      part.count = tg_min_u32(left, LIR_LANES);
      round[num] = make_round(stage, rounds, num, &part);
      part.first += part.count;
   }
   const bool is_good = gpu_run_wave_rounds(worker, stage->kernel, stage->check,
                                            wave, round, num, &num_run);
   for (uint32_t i = 0; i < num_run; i++) {
      const uint32_t done = i * LIR_LANES, first = vertices->first + done;
      const uint32_t count = tg_min_u32(vertices->count - done, LIR_LANES);
      worker->count[GPU_COUNT_VERTEX_WAVES]++;
      worker->count[GPU_COUNT_VS_INVOCATIONS] += count;
      store_records(round[i].output, stage->num_words, count,
                    stream->records + (size_t)first * stage->num_words);
      if (stream->has_sides)
         store_sides(round[i].output + stage->position * 4u, count,
                     stream->sides + first);
   }
   return is_good;
}

static bool
run_waves(const struct gpu_vertex_stage *stage, struct gpu_worker *worker,
          const struct gpu_assembly *assembly, const struct gpu_stream *stream)
{
   struct vertices vertices = {.assembly = assembly};
   struct rounds rounds;
   if (!init_rounds(&rounds, stage, worker))
      return false;
   struct exec_wave wave = {
      .input = {.num_words = NUM_INPUT_WORDS},
      .sysval = {.num_words = rounds.num_sysvals},
      .output = {.num_words = stage->num_words},
   };
   gpu_stage_memory_bind(&stage->memory, &wave);
   for (; vertices.first < assembly->num_vertices;
        vertices.first += vertices.count) {
      vertices.count = tg_min_u32(assembly->num_vertices - vertices.first,
                                  rounds.most * LIR_LANES);
      if (!run_rounds(stage, worker, &rounds, &wave, &vertices, stream))
         return false;
   }
   return true;
}

/* With their sides, if they have a position. */
static bool
add_records(const struct gpu_vertex_stage *stage, uint32_t count,
            struct gpu_stream *stream)
{
   const bool is_empty = !count || !stage->num_words;
   if (!gpu_stream_add_records(stream, count) && !is_empty)
      return false;
   return is_empty || stage->position == GPU_NO_REGISTER ||
          gpu_stream_add_sides(stream);
}

static bool
add_primitives(const struct gpu_assembly *assembly, struct gpu_stream *stream)
{
   const uint32_t num = assembly->num_primitives;
   struct gpu_stream_primitive *primitives;
   uint32_t *vertices;
   if (!num)
      return true;
   if (!gpu_stream_add_primitives(stream, num, &vertices, &primitives))
      return false;
   memcpy(primitives, assembly->primitives, num * sizeof(*primitives));
   const uint32_t num_corners = num * assembly->vertices_per_primitive;
   tg_widen_halves(vertices, assembly->corner, num_corners);
   return true;
}

bool
gpu_vertex_stage_run(const struct gpu_vertex_stage *stage,
                     struct gpu_worker *worker,
                     const struct gpu_assembly *assembly,
                     struct gpu_stream *stream)
{
   const uint64_t num_ends = assembly->num_ends;
   if (!gpu_pay(worker, GPU_WORK_VERTEX * (assembly->num_read + num_ends)))
      return false;
   gpu_stream_begin(stream, stage->num_words, assembly->vertices_per_primitive);
   if (!add_records(stage, assembly->num_vertices, stream))
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   if (!run_waves(stage, worker, assembly, stream))
      return false;
   if (!add_primitives(assembly, stream))
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   worker->count[GPU_COUNT_IA_VERTICES] +=
      assembly->num_read - assembly->num_restarts;
   worker->count[GPU_COUNT_IA_PRIMITIVES] += assembly->num_whole;
   return true;
}
