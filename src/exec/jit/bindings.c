/* SPDX-License-Identifier: MIT
 *
 * Bases and sizes of bindings and of lane memory, as LLVM IR, from the frame.
 */
#include "exec/jit/emit.h"

#define FRAME(field) offsetof(struct jit_frame, field)

struct jit_binding *
jit_find_binding(struct jit_emitter *e, uint64_t mem)
{
   return &e->bindings[jit_find_place(e->shape, mem)];
}

static void
emit_binding(struct jit_emitter *e, uint32_t number)
{
   struct jit_binding *binding = &e->bindings[number];
   const size_t place = FRAME(memory) + number * sizeof(struct jit_memory);

   binding->data =
      jit_field(e, e->pointer, place + offsetof(struct jit_memory, data));
   binding->num_bytes =
      jit_field(e, e->i64, place + offsetof(struct jit_memory, num_bytes));
   binding->num_words =
      llvm.BuildTrunc(e->b,
                      llvm.BuildLShr(e->b, binding->num_bytes,
                                     llvm.ConstInt(e->i64, 2, false), ""),
                      e->i32, "");
}

/* Loads bases and sizes once for all waves. Lane memory but the arrays is in a
 * place of its own for each. */
void
jit_emit_bindings(struct jit_emitter *e)
{
   static const size_t words[] = {FRAME(num_input), FRAME(num_sysval),
                                  FRAME(num_output)};

   for (uint32_t i = 0; i < e->shape->num_bindings; i++)
      emit_binding(e, i);
   for (unsigned i = 0; i < 3; i++)
      e->lane_words[i] = jit_field(e, e->i32, words[i]);
   e->lane_data[3] = jit_field(e, e->pointer, FRAME(arrays));
}
