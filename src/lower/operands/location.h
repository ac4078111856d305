/* SPDX-License-Identifier: MIT
 *
 * The place of one operand's register: found once, then read and written by
 * channel.
 */
#ifndef TG_LOWER_OPERANDS_LOCATION_H
#define TG_LOWER_OPERANDS_LOCATION_H

#include "lower/operands/context.h"

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
   uint8_t file;           /* VARIABLE, IMMEDIATE: enum tg_file */
   uint32_t index;         /* VARIABLE, IMMEDIATE: the register's number */
   uint64_t memory;        /* MEMORY: lir_mem() */
   bool is_computed;       /* MEMORY, BUFFERS: which of the next two counts */
   uint32_t constant_word; /* of channel x */
   lir_value word;         /* of channel x */
   lir_value is_inside;    /* with `word`: a truth value, is it in bounds */
   lir_value buffer;       /* BUFFERS: the constant buffer's number */
};

/* Resolves an operand, direct or indirect: reads address registers now; load
 * and store may come later, inside of constructs that were opened since. */
struct lower_location
lower_locate(struct lower_context *context, const struct tg_register *reg);

/* The place of a register that is named directly. */
struct lower_location
lower_locate_direct(struct lower_context *context, enum tg_file file,
                    uint32_t index);

/* The integer value of a bracket that is computed, offset included. */
lir_value
lower_index_location(struct lower_context *context,
                     const struct tg_index *index);

/* Loads a channel from where lower_locate() found it. */
lir_value
lower_load_location(struct lower_context *context,
                    const struct lower_location *location, unsigned channel);
/* Stores a channel there. */
void
lower_store_location(struct lower_context *context,
                     const struct lower_location *location, unsigned channel,
                     lir_value value);

#endif
