/* SPDX-License-Identifier: MIT
 *
 * LOAD, STORE and RESQ, and what they do with words: memory that is addressed
 * by bytes, of which the low two bits are ignored. Each word has bounds of its
 * own, those of what is bound. Loads run in all lanes, helpers too.
 *
 * What they do with texels is in image.c, with the rows of texels in
 * image_rows.c.
 */
#include "lower/memory/memory.h"

#include <assert.h>

#include "abi/layout.h"
#include "lower/operands/operands.h"
#include "lower/operands/trace.h"
#include "util/length.h"

/* ---- words --------------------------------------------------------------- */

/* A counter is the register and the offset, both in counters. Where the offset
 * is the register once more, in bytes, Mesa has written it, and it is not
 * added. Both are small enough that their sum is no other word. */
static lir_value
counter_of(struct lower_context *context, const struct lower_access *access)
{
   struct lir_builder *builder = &context->builder;
   lir_value base = access->object->base;
   if (context->shader->quirks & TG_QUIRK_COUNTERS_BY_REGISTER)
      return base;
   lir_value offset = access->at[0];
   lir_value two = lir_const32(builder, 2);
   lir_value base_bytes = lir_ishl(builder, base, two);
   lir_value says_the_same = lir_ieq(builder, offset, base_bytes);
   lir_value bound = lir_const32(builder, LOWER_NO_WORD);
   lir_value distance = lir_umin(builder, offset, bound);
   lir_value sum = lir_iadd(builder, base, distance);

   return lir_sel32(builder, says_the_same, base, sum);
}

lir_value
lower_memory_word_of(struct lower_context *context,
                     const struct lower_access *access)
{
   struct lir_builder *builder = &context->builder;
   const struct lower_object *object = access->object;

   if (object->is_counter)
      return counter_of(context, access);

   lir_value two = lir_const32(builder, 2);
   lir_value word = lir_ushr(builder, access->at[0], two);
   return object->has_base ? lir_iadd(builder, object->base, word) : word;
}

lir_value
lower_memory_word_after(struct lir_builder *builder, lir_value word,
                        unsigned channel)
{
   assert(channel < 4);
   lir_value offset = lir_const32(builder, channel);

   return channel ? lir_iadd(builder, word, offset) : word;
}

static void
load_words(struct lower_context *context, const struct lower_access *access,
           uint32_t place, lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const struct lower_object *object = access->object;
   lir_value word = lower_memory_word_of(context, access);

   for (unsigned c = 0; c < 4; c++) {
      if (!(access->channels & 1u << c))
         continue;

      lir_value index = lower_memory_word_after(builder, word, c);
      lower_trace_word(context, ABI_ACCESS_LOAD, object->space,
                       object->first_binding + place, index);
      result[c] = lir_load32(builder, object->space,
                             object->first_binding + place, index);
   }
}

static void
store_word(struct lower_context *context, const struct lower_access *access,
           uint32_t place, unsigned channel)
{
   assert(channel < TG_LENGTH(access->value));
   struct lir_builder *builder = &context->builder;
   const struct lower_object *object = access->object;
   lir_value word = lower_memory_word_of(context, access);
   lir_value index = lower_memory_word_after(builder, word, channel);

   lower_trace_word(context, ABI_ACCESS_STORE, object->space,
                    object->first_binding + place, index);
   lir_store32(builder, object->space, object->first_binding + place, index,
               access->value[channel]);
}

/* A predicate may hold for some of the words. */
void
lower_memory_store_each(struct lower_context *context,
                        const struct lower_access *access, uint32_t place,
                        lower_store_function store)
{
   const bool has_predicate = context->instruction->has_predicate;

   if (!has_predicate)
      lower_begin_effect(context, 0);
   for (unsigned c = 0; c < 4; c++) {
      if (!(access->channels & 1u << c))
         continue;
      if (has_predicate)
         lower_begin_effect(context, c);
      store(context, access, place, c);
      if (has_predicate)
         lower_end_effect(context);
   }
   if (!has_predicate)
      lower_end_effect(context);
}

static void
store_words(struct lower_context *context, const struct lower_access *access,
            uint32_t place, lir_value result[4])
{
   (void)result;
   if (!lir_space_is_read_only(access->object->space))
      lower_memory_store_each(context, access, place, store_word);
}

static void
query_words(struct lower_context *context, const struct lower_access *access,
            uint32_t place, lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const struct lower_object *object = access->object;

   result[0] =
      object->space == LIR_SPACE_ARRAY
         ? lir_const32(builder, ABI_PRIVATE_WORDS * 4)
         : lir_memsize(builder, object->space, object->first_binding + place);
}

/* ---- opcodes ------------------------------------------------------------- */

static const struct {
   lower_access_function load, store, query;
} accesses[LOWER_NUM_OBJECT_KINDS] = {
   [LOWER_OBJECT_NOTHING] = {load_words, store_words, query_words},
   [LOWER_OBJECT_WORDS] = {load_words, store_words, query_words},
   [LOWER_OBJECT_IMAGE] = {lower_image_load, lower_image_store,
                           lower_image_query},
   [LOWER_OBJECT_ROWS] = {lower_rows_load, lower_rows_store, lower_rows_query},
};

void
lower_memory_address(struct lower_context *context, unsigned src,
                     struct lower_access *access)
{
   assert(src < context->instruction->num_src);
   const enum lower_object_kind kind = access->object->kind;
   const bool has_coordinates =
      kind == LOWER_OBJECT_IMAGE || kind == LOWER_OBJECT_ROWS;

   for (unsigned c = 0; c < (has_coordinates ? 4 : 1); c++)
      access->at[c] = lower_src(context, src, c);
}

/* The swizzle of the object permutes what was loaded; that of a handle says
 * where it stands. */
static unsigned
channel_loaded(const struct lower_context *context,
               const struct lower_object *object, unsigned channel)
{
   assert(channel < TG_LENGTH(context->instruction->src[0].swizzle));
   return object->is_handle ? channel
                            : context->instruction->src[0].swizzle[channel];
}

void
lower_op_load(struct lower_context *context)
{
   struct lower_object object = lower_find_object(context);
   struct lower_access access = {.object = &object};
   lir_value result[4];

   for (unsigned c = 0; c < 4; c++) {
      if (lower_dst_writes(context, 0, c))
         access.channels |= 1u << channel_loaded(context, &object, c);
   }
   lower_memory_address(context, 1, &access);
   lower_each_object_place(context, &access, accesses[object.kind].load,
                           result);
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[channel_loaded(context, &object, c)]);
}

void
lower_op_store(struct lower_context *context)
{
   struct lower_object object = lower_find_object(context);
   struct lower_access access = {
      .object = &object,
      .channels = context->instruction->dst[0].writemask,
   };
   lir_value unused[4];

   lower_memory_address(context, 0, &access);
   for (unsigned c = 0; c < 4; c++)
      access.value[c] = lower_src(context, 1, c);
   lower_each_object_place(context, &access, accesses[object.kind].store,
                           unused);
}

void
lower_op_resq(struct lower_context *context)
{
   struct lower_object object = lower_find_object(context);
   struct lower_access access = {.object = &object};
   lir_value result[4];

   lower_each_object_place(context, &access, accesses[object.kind].query,
                           result);
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[c]);
}
