/* SPDX-License-Identifier: MIT
 *
 * Vertices of geometry shaders. Outputs go to lane memory, where
 * listeners find them, and keep their values.
 */
#include "lower/stage/prologue.h"

enum { NUM_STREAMS = 4 };

/* Does `event` with the stream that the operand names, 0 without an operand.
 * Streams that do not exist are ignored. */
static void
do_for_stream(struct lower_context *context,
              void (*event)(struct lir_builder *builder, lir_value stream))
{
   struct lir_builder *builder = &context->builder;
   lir_value stream = lower_src(context, 0, 0);
   lir_value bound = lir_const32(builder, NUM_STREAMS);

   lir_begin_if(builder, lir_ult(builder, stream, bound));
   event(builder, stream);
   lir_end(builder);
}

void
lower_op_emit(struct lower_context *context)
{
   lower_epilogue_store_outputs(context);
   do_for_stream(context, lir_emit);
}

void
lower_op_endprim(struct lower_context *context)
{
   do_for_stream(context, lir_endprim);
}
