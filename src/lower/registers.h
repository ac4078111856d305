/* SPDX-License-Identifier: MIT
 *
 * Where the registers of a shader live while it runs. Nobody outside of this
 * header's users knows whether a register is a variable, a word of memory or a
 * constant.
 *
 * A file whose registers are all named directly lives in LIR variables, one for
 * each channel. Where a single access computes its register, the whole file
 * lives in lane memory, so that direct and indirect accesses agree.
 */
#ifndef TG_LOWER_REGISTERS_H
#define TG_LOWER_REGISTERS_H

#include "lower/context.h"

enum lower_location_kind {
   LOWER_LOCATION_NOWHERE, /* not declared: reads give 0, writes nothing */
   LOWER_LOCATION_VARIABLE,
   LOWER_LOCATION_IMMEDIATE,
   LOWER_LOCATION_MEMORY,
   LOWER_LOCATION_BUFFERS, /* of one of the constant buffers, by lane */
};

/* One register, or one for each lane where brackets are computed. */
struct lower_location {
   enum lower_location_kind kind;
   uint8_t file;           /* VARIABLE: enum tg_file */
   uint32_t index;         /* VARIABLE, IMMEDIATE: the register */
   uint64_t memory;        /* MEMORY: lir_mem() */
   bool is_computed;       /* MEMORY, BUFFERS: which of the next two counts */
   uint32_t constant_word; /* of channel x */
   lir_value word;         /* of channel x */
   lir_value is_inside;    /* with `word`: a truth value, is it in bounds */
   lir_value buffer;       /* BUFFERS: the constant buffer's number */
};

/* Looks through declarations and operands and decides where each file lives.
 * False when out of memory. */
bool
lower_registers_create(struct lower_context *context,
                       const struct lower_layout *layout);

/* The code in front of the shader's: inputs from the stage's functions, tables
 * of immediates. */
void
lower_prologue(struct lower_context *context);

/* The code behind it: outputs to the stage's function or to lane memory. */
void
lower_epilogue(struct lower_context *context);

/* Stores all outputs to lane memory. */
void
lower_store_outputs(struct lower_context *context);

/* The registers that are declared with this file; for per-vertex ones, of one
 * vertex. */
uint32_t
lower_num_registers(const struct lower_context *context, enum tg_file file);
bool
lower_is_declared(const struct lower_context *context, enum tg_file file,
                  uint32_t index);

/* The integer value of a bracket that is computed, offset included. */
lir_value
lower_index(struct lower_context *context, const struct tg_index *index);

/* Reads address registers now; load and store may come later, inside of
 * constructs that were opened since. */
struct lower_location
lower_locate(struct lower_context *context, const struct tg_register *reg);

lir_value
lower_load(struct lower_context *context, const struct lower_location *location,
           unsigned channel);
void
lower_store(struct lower_context *context,
            const struct lower_location *location, unsigned channel,
            lir_value value);

#endif
