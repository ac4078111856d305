/* SPDX-License-Identifier: MIT
 *
 * The atomics: one LIR operation each, named in the opcode's row. They act in
 * lanes that are live and active, the lowest first, and give the word as it was
 * to all channels that are written; where nothing happens, 0. What they do does
 * not depend on the write mask.
 */
#include "lower/memory/memory.h"

#include "lower/operands/operands.h"
#include "lower/operands/trace.h"

static lir_value
replace_word(struct lower_context *context, const struct lower_access *access,
             uint32_t place, lir_value word)
{
   const struct lower_object *object = access->object;

   lower_trace_word(context, ABI_ACCESS_ATOMIC, object->space,
                    object->first_binding + place, word);
   return lir_atomic(&context->builder, context->op, object->space,
                     object->first_binding + place, word, access->compare,
                     access->value[0]);
}

/* A value that is made under a condition comes out through a variable. */
static lir_value
replace_where_allowed(struct lower_context *context,
                      const struct lower_access *access, uint32_t place,
                      lir_value word)
{
   struct lir_builder *builder = &context->builder;

   if (lower_has_effect_everywhere(context))
      return replace_word(context, access, place, word);

   const uint32_t *vars = lower_object_result_vars(context);
   lower_begin_effect(context, 0);
   lir_value old = replace_word(context, access, place, word);
   lir_setvar(builder, vars[0], old);
   lower_end_effect(context);
   return lir_getvar(builder, vars[0]);
}

static void
atomic_word(struct lower_context *context, const struct lower_access *access,
            uint32_t place, lir_value result[4])
{
   if (lir_space_is_read_only(access->object->space))
      return;

   lir_value word = lower_memory_word_of(context, access);
   result[0] = replace_where_allowed(context, access, place, word);
}

static void
atomic_word_of_row(struct lower_context *context,
                   const struct lower_access *access, uint32_t place,
                   lir_value result[4])
{
   lir_value word;

   if (lower_rows_word(context, access, place, &word))
      result[0] = replace_where_allowed(context, access, place, word);
}

static void
atomic_texel(struct lower_context *context, const struct lower_access *access,
             uint32_t place, lir_value result[4])
{
   lir_value word;

   if (lower_image_word(context, access, place, &word))
      result[0] = replace_where_allowed(context, access, place, word);
}

static const lower_access_function atomics[LOWER_NUM_OBJECT_KINDS] = {
   [LOWER_OBJECT_NOTHING] = atomic_word,
   [LOWER_OBJECT_WORDS] = atomic_word,
   [LOWER_OBJECT_IMAGE] = atomic_texel,
   [LOWER_OBJECT_ROWS] = atomic_word_of_row,
};

void
lower_op_atomic(struct lower_context *context)
{
   const bool compares = lir_op_row(context->op)->num_operands == 3;
   struct lower_object object = lower_find_object(context);
   struct lower_access access = {.object = &object};
   lir_value old[4];

   lower_memory_address(context, 1, &access);
   if (compares)
      access.compare = lower_src(context, 2, 0);
   access.value[0] = lower_src(context, compares ? 3 : 2, 0);
   lower_each_object_place(context, &access, atomics[object.kind], old);
   lower_dst_all(context, 0, old[0]);
}
