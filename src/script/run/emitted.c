/* SPDX-License-Identifier: MIT
 *
 * The listener of emitted vertices.
 */
#include "script/run/emitted.h"

/* A shader may end as many primitives as its loops have turns. */
enum { MAX_EMISSIONS = 1 << 20 };

/* The output registers of a lane as they are now. */
static bool
copy_outputs(struct script_emitted *emitted, unsigned lane,
             struct script_emission *emission)
{
   uint32_t(*words)[4] =
      tg_arena_array(&emitted->arena, emitted->num_outputs, sizeof(*words));
   if (!words)
      return false;
   for (uint32_t i = 0; i < emitted->num_outputs; i++)
      tg_run_get_output(emitted->run, 0, i, lane, words[i]);
   emission->words = (const uint32_t(*)[4])words;
   return true;
}

static void
on_emit(void *user, unsigned lane, uint32_t stream, bool is_end)
{
   struct script_emitted *emitted = user;
   struct script_emission emission = {
      .lane = (uint8_t)lane,
      .is_end = is_end,
      .stream = stream,
   };

   if (emitted->out_of_memory)
      return;
   if (emitted->count == MAX_EMISSIONS ||
       (!is_end && !copy_outputs(emitted, lane, &emission)) ||
       !tg_arena_reserve(&emitted->arena, (void **)&emitted->items,
                         &emitted->capacity, emitted->count,
                         sizeof(*emitted->items))) {
      emitted->out_of_memory = true;
      return;
   }
   emitted->items[emitted->count++] = emission;
}

void
script_emitted_listen(struct script_emitted *emitted,
                      const struct tg_allocator *allocator, struct tg_run *run)
{
   script_emitted_finish(emitted);
   tg_arena_init(&emitted->arena, allocator);
   emitted->run = run;
   emitted->num_outputs = tg_run_num_outputs(run);
   tg_run_set_emit(run, on_emit, emitted);
}

void
script_emitted_finish(struct script_emitted *emitted)
{
   if (emitted->run)
      tg_arena_finish(&emitted->arena);
   *emitted = (struct script_emitted){0};
}

const struct script_emission *
script_emitted_vertex(const struct script_emitted *emitted, unsigned lane,
                      uint32_t vertex)
{
   for (uint32_t i = 0; i < emitted->count; i++) {
      const struct script_emission *emission = &emitted->items[i];

      if (emission->lane == lane && !emission->is_end && !vertex--)
         return emission;
   }
   return NULL;
}

struct script_register
script_emitted_register(uint32_t index)
{
   return (struct script_register){.file = SCRIPT_OUT, .index = index};
}

void
script_print_emission(struct tg_strbuf *out,
                      const struct script_emission *emission)
{
   tg_strbuf_printf(out, "%s lane%u stream%u\n",
                    emission->is_end ? "ENDPRIM" : "EMIT", emission->lane,
                    emission->stream);
}
