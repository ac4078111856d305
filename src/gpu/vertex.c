/* SPDX-License-Identifier: MIT
 *
 * The vertex kernel, as LIR: attributes are fetched where the shader reads its
 * inputs, and what the fragments want of its outputs is stored behind it.
 */
#include "gpu/vertex.h"

#include "format/format.h"
#include "gpu/key.h"
#include "lower/texel.h"

/* Words of INPUT memory. */
enum { INPUT_VERTEX, INPUT_INSTANCE };

/* Words of the STAGE constants: rows of element i, and behind them all: */
enum { STAGE_START_INSTANCE = TG_MAX_VERTEX_ELEMENTS };

/* ---- writing the kernel -------------------------------------------------- */

struct writer {
   const struct gpu_vertex_key *key;
   const struct tg_gpu_shader *shader;
   bool is_checked;
};

static lir_value
emit_input_word(struct lir_builder *builder, uint32_t word)
{
   const lir_value index = lir_const32(builder, word);
   return lir_load32(builder, LIR_SPACE_INPUT, 0, index);
}

/* The number of the element's row that this lane reads. */
static lir_value
emit_row(struct lir_builder *builder, const struct gpu_element_key *element)
{
   if (!element->instance_divisor)
      return emit_input_word(builder, INPUT_VERTEX);
   const lir_value instance = emit_input_word(builder, INPUT_INSTANCE);
   const lir_value divisor = lir_const32(builder, element->instance_divisor);
   const lir_value row = lir_udiv(builder, instance, divisor);
   const lir_value at = lir_const32(builder, STAGE_START_INSTANCE);
   const lir_value start =
      lir_load32(builder, LIR_SPACE_CONST, GPU_BINDING_STAGE, at);
   return lir_iadd(builder, start, row);
}

/* Rows that do not exist are read from where nothing is. Those that do lie
 * within the buffer, so the product cannot wrap. */
static lir_value
emit_address(struct lir_builder *builder, const struct gpu_element_key *element,
             uint32_t number)
{
   const lir_value row = emit_row(builder, element);
   const lir_value at = lir_const32(builder, number);
   const lir_value count =
      lir_load32(builder, LIR_SPACE_CONST, GPU_BINDING_STAGE, at);
   const lir_value exists = lir_ult(builder, row, count);
   const lir_value stride = lir_const32(builder, element->stride);
   const lir_value offset = lir_const32(builder, element->src_offset);
   const lir_value start = lir_imul(builder, row, stride);
   const lir_value address = lir_iadd(builder, start, offset);
   const lir_value nowhere = lir_const32(builder, UINT32_MAX - 4);
   return lir_sel32(builder, exists, address, nowhere);
}

static lir_value
vertex_input(void *user, struct lir_builder *builder, uint32_t reg,
             unsigned channel, enum lower_place place, const lir_value at[2])
{
   const struct writer *writer = user;
   (void)place;
   (void)at;
   if (reg >= writer->key->num_elements)
      return lir_const32(builder, 0);

   lir_value texel[4];
   const struct gpu_element_key *element = &writer->key->elements[reg];
   const lir_value address = emit_address(builder, element, reg);
   lower_texel_load(builder, element->format, LIR_SPACE_BUFFER,
                    GPU_BINDING_VERTEX + element->buffer, address, texel);
   return texel[channel];
}

static lir_value
vertex_sysval(void *user, struct lir_builder *builder, uint32_t reg,
              unsigned channel)
{
   const struct writer *writer = user;
   const struct gpu_semantic *sysval = &writer->shader->sysval[reg];
   if (channel == 0 && sysval->name == TG_SEMANTIC_VERTEXID)
      return emit_input_word(builder, INPUT_VERTEX);
   if (channel == 0 && sysval->name == TG_SEMANTIC_INSTANCEID)
      return emit_input_word(builder, INPUT_INSTANCE);
   return lir_const32(builder, 0);
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
      .sysval = vertex_sysval,
      .epilogue = vertex_epilogue,
   };
   const struct lower_options options = {
      .stage = &stage,
      .keys = &writer->key->bound,
      .check = writer->is_checked,
   };
   return lower_shader(writer->shader->shader, &options, module, diagnostics);
}

/* ---- state --------------------------------------------------------------- */

/* Vertices have formats of one to four words that read as floats. */
static bool
is_vertex_format(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return info->layout == FORMAT_LAYOUT_PLAIN &&
          info->class == FORMAT_CLASS_FLOAT &&
          info->colorspace == FORMAT_COLORSPACE_RGB && info->unit == 4 &&
          info->num_units <= 4;
}

static enum tg_result
make_element_key(const struct gpu_state *state, uint32_t number,
                 struct tg_diagnostics *diagnostics,
                 struct gpu_element_key *out)
{
   const struct tg_vertex_element *element = &state->elements[number];
   const struct tg_vertex_buffer *buffer =
      &state->vertex_buffers[element->vertex_buffer_index];
   if (!is_vertex_format((enum tg_format)element->format) ||
       buffer->stride % 4 || element->src_offset % 4 || buffer->offset % 4)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                          "vertex element %u has format %u, stride %u, offset "
                          "%u, which is not supported",
                          number, (unsigned)element->format, buffer->stride,
                          element->src_offset);
   *out = (struct gpu_element_key){
      .src_offset = element->src_offset / 4,
      .stride = buffer->stride / 4,
      .instance_divisor = element->instance_divisor,
      .format = (uint16_t)element->format,
      .buffer = element->vertex_buffer_index,
   };
   return TG_OK;
}

static enum tg_result
make_key(const struct gpu_state *state, struct tg_diagnostics *diagnostics,
         struct gpu_vertex_key *key)
{
   *key = (struct gpu_vertex_key){
      .shader_id = state->shader[TG_GPU_VERTEX]->id,
      .num_elements = state->num_elements,
   };
   for (uint32_t i = 0; i < state->num_elements; i++) {
      const enum tg_result result =
         make_element_key(state, i, diagnostics, &key->elements[i]);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

static void
bind_buffers(struct gpu_vertex_stage *stage, const struct gpu_state *state)
{
   for (uint32_t i = 0; i < TG_MAX_VERTEX_BUFFERS; i++) {
      const struct tg_vertex_buffer *buffer = &state->vertex_buffers[i];
      if (!buffer->buffer)
         continue;
      const struct exec_memory all = resource_memory(buffer->buffer);
      if (buffer->offset < all.num_bytes)
         stage->memory.buffers[GPU_BINDING_VERTEX + i] = (struct exec_memory){
            .data = all.data + buffer->offset / 4,
            .num_bytes = all.num_bytes - buffer->offset,
         };
   }
}

/* The rows of an element that lie within its buffer. */
static uint32_t
count_rows(const struct gpu_element_key *element, uint64_t num_words)
{
   const uint64_t end =
      (uint64_t)element->src_offset + format_info(element->format)->num_units;
   if (end > num_words)
      return 0;
   if (!element->stride)
      return UINT32_MAX;
   return (uint32_t)((num_words - end) / element->stride + 1);
}

enum tg_result
gpu_vertex_stage_init(struct gpu_vertex_stage *stage, struct tg_gpu *gpu,
                      const struct tg_draw_info *info,
                      struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = &gpu->state;
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_VERTEX];
   const struct tg_bindings *bindings =
      resource_bindings(state->bindings[TG_GPU_VERTEX]);
   struct gpu_vertex_key key;
   *stage = (struct gpu_vertex_stage){
      .shader = shader,
      .num_words = shader->layout.num_outputs * 4,
   };
   gpu_stage_memory_init(&stage->memory, bindings);
   enum tg_result result = make_key(state, diagnostics, &key);
   if (result != TG_OK)
      return result;

   bind_buffers(stage, state);
   lower_mask_keys(&bindings->keys, &shader->seen, &key.bound);
   for (uint32_t i = 0; i < state->num_elements; i++) {
      const struct gpu_element_key *element = &key.elements[i];
      const uint32_t binding = GPU_BINDING_VERTEX + element->buffer;
      stage->constants[i] =
         count_rows(element, stage->memory.buffers[binding].num_bytes / 4);
   }
   stage->constants[STAGE_START_INSTANCE] = info->start_instance;
   stage->memory.constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = stage->constants,
      .num_bytes = (STAGE_START_INSTANCE + 1) * 4,
   };

   struct writer writer = {
      .shader = shader,
      .is_checked = gpu->options.check,
   };
   result =
      gpu_begin_check(gpu, shader, CHECK_VERTICES, diagnostics, &stage->check);
   if (result != TG_OK)
      return result;
   return gpu_kernel_get(gpu, &key, sizeof(key), shader->shader, write_kernel,
                         &writer, diagnostics, &stage->kernel);
}

/* ---- running it ---------------------------------------------------------- */

static bool
run_wave(const struct gpu_vertex_stage *stage, struct gpu_worker *worker,
         const uint32_t *indices, uint32_t count, uint32_t instance,
         uint32_t *records)
{
   const uint32_t lanes = (UINT32_C(1) << count) - 1;
   uint32_t(*input)[LIR_LANES] = gpu_lane_words(worker, &worker->input, 2);
   uint32_t(*output)[LIR_LANES] =
      gpu_lane_words(worker, &worker->output, stage->num_words);
   if (!input || (!output && stage->num_words))
      return false;
   struct exec_wave wave = {
      .launched = lanes,
      .live = lanes,
      .input = {.data = input, .num_words = 2},
      .output = {.data = output, .num_words = stage->num_words},
   };
   gpu_stage_memory_bind(&stage->memory, &wave);
   for (uint32_t i = 0; i < LIR_LANES; i++) {
      input[INPUT_VERTEX][i] = i < count ? indices[i] : 0;
      input[INPUT_INSTANCE][i] = instance;
   }
   if (!gpu_run_wave(worker, stage->kernel, stage->check, &wave))
      return false;
   worker->count[GPU_COUNT_VERTEX_WAVES]++;
   worker->count[GPU_COUNT_VS_INVOCATIONS] += count;

   for (uint32_t word = 0; word < stage->num_words; word++) {
      for (uint32_t i = 0; i < count; i++)
         records[i * stage->num_words + word] = output[word][i];
   }
   return true;
}

bool
gpu_vertex_stage_run(const struct gpu_vertex_stage *stage,
                     struct gpu_worker *worker, const uint32_t *indices,
                     uint32_t count, uint32_t instance, uint32_t *records)
{
   for (uint32_t i = 0; i < count; i += LIR_LANES) {
      const uint32_t left = count - i;
      if (!run_wave(stage, worker, indices + i,
                    left < LIR_LANES ? left : LIR_LANES, instance,
                    records + (size_t)i * stage->num_words))
         return false;
   }
   return true;
}
