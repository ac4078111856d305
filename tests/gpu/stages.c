/* SPDX-License-Identifier: MIT
 *
 * Making shaders and records for tests of single stages, and noting down what
 * comes out.
 */
#include "stages.h"
#include "../context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool
take(void *user, struct gpu_stream *piece)
{
   struct stages *stages = user;
   const uint32_t count = piece->vertices_per_primitive;
   stages->num_pieces++;
   if (piece->num_records > stages->largest_piece)
      stages->largest_piece = piece->num_records;
   for (uint32_t i = 0; i < piece->num_primitives; i++) {
      const uint32_t number = stages->num_taken++;
      if (number >= STAGES_MAX_TAKEN)
         continue;
      struct taken_primitive *taken = &stages->taken[number];
      memset(taken, 0, sizeof(*taken));
      taken->is = piece->primitives[i];
      for (uint32_t v = 0; v < count; v++) {
         const uint32_t vertex = piece->vertices[i * count + v];
         const uint32_t words = piece->words_per_record < STAGES_WORDS
                                   ? piece->words_per_record
                                   : STAGES_WORDS;
         assert_true(vertex < piece->num_records);
         memcpy(taken->words[v], gpu_stream_record(piece, vertex),
                words * sizeof(uint32_t));
      }
   }
   return true;
}

void
stages_init(struct stages *stages, bool check)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = 1;
   options.check = check;
   memset(stages, 0, sizeof(*stages));
   stages->diagnostics = tg_diagnostics_create(NULL);
   assert_int_equal(context_alone(NULL, &options, NULL, &stages->gpu), TG_OK);
   stages->worker = gpu_workers_borrow(&stages->gpu->device->workers);
   assert_non_null(stages->worker);
   stages->sink = (struct gpu_sink){take, stages};
   gpu_stream_init(&stages->in, stages->gpu->allocator);
   gpu_stream_init(&stages->out, stages->gpu->allocator);
}

void
stages_finish(struct stages *stages)
{
   gpu_stream_finish(&stages->in);
   gpu_stream_finish(&stages->out);
   gpu_workers_return(&stages->gpu->device->workers, stages->worker);
   tg_context_destroy(stages->gpu);
   for (unsigned i = 0; i < stages->num_shaders; i++) {
      tg_gpu_shader_destroy(stages->shaders[i]);
      tg_shader_destroy(stages->sources[i]);
   }
   tg_diagnostics_destroy(stages->diagnostics);
}

struct tg_gpu_shader *
stages_shader(struct stages *stages, const char *text)
{
   struct tg_shader **source = &stages->sources[stages->num_shaders];
   struct tg_gpu_shader **shader = &stages->shaders[stages->num_shaders++];
   enum tg_result result =
      tg_shader_parse(NULL, "test", text, strlen(text), TG_DIALECT_2019,
                      stages->diagnostics, source);
   if (result == TG_OK)
      result = tg_gpu_shader_create(tg_context_get_device(stages->gpu), *source,
                                    NULL, stages->diagnostics, shader);
   if (result == TG_OK)
      result = tg_context_set_shader(stages->gpu, (*shader)->stage, *shader,
                                     stages->diagnostics);
   if (result != TG_OK) {
      char *complaints = stages_complaints(stages);
      fail_msg("%s", complaints);
   }
   return *shader;
}

void
stages_fill(struct stages *stages, uint32_t num_registers,
            uint32_t num_vertices, uint32_t count, uint32_t first_id)
{
   struct gpu_stream *in = &stages->in;
   gpu_stream_begin(in, num_registers * 4, num_vertices);
   uint32_t *records = gpu_stream_add_records(in, num_vertices * count);
   assert_non_null(records);
   for (uint32_t v = 0; v < num_vertices * count; v++) {
      for (uint32_t word = 0; word < num_registers * 4; word++) {
         const float value = (float)(v * 100 + word / 4 * 10 + word % 4);
         memcpy(&records[v * num_registers * 4 + word], &value, sizeof(value));
      }
   }
   for (uint32_t p = 0; p < count; p++) {
      const struct gpu_stream_primitive primitive = {.id = first_id + p};
      uint32_t vertices[ABI_MAX_VERTICES];
      for (uint32_t v = 0; v < num_vertices; v++)
         vertices[v] = p * num_vertices + v;
      assert_true(gpu_stream_add_primitive(in, vertices, &primitive));
   }
}

char *
stages_complaints(struct stages *stages)
{
   char *text = tg_diagnostics_text(stages->diagnostics);
   tg_diagnostics_destroy(stages->diagnostics);
   stages->diagnostics = tg_diagnostics_create(NULL);
   return text;
}

float
stages_float(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}
