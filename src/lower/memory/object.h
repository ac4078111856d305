/* SPDX-License-Identifier: MIT
 *
 * What the object operand of a memory opcode names, and code for each thing
 * that it may be. LOAD, STORE, RESQ and the atomics share this; what they do
 * with words is in memory.c and atomic.c, with texels in image.c.
 *
 * Most operands name one thing. Where a bracket is computed, or a register
 * holds a handle, each lane may name another one: then there is a piece of code
 * for each, which the lanes enter that name it. Lanes go in their order within
 * a piece; the pieces go by their number.
 */
#ifndef TG_LOWER_MEMORY_OBJECT_H
#define TG_LOWER_MEMORY_OBJECT_H

#include "lower/operands/context.h"

/* Words from here on no memory has, and adding a few does not lead back. */
#define LOWER_NO_WORD (UINT32_C(1) << 30)

enum lower_object_kind {
   LOWER_OBJECT_NOTHING, /* reads give 0, writes do nothing */
   LOWER_OBJECT_WORDS,
   LOWER_OBJECT_IMAGE,
   LOWER_OBJECT_ROWS, /* the words that the rows of an image are */
   LOWER_NUM_OBJECT_KINDS,
};

struct lower_object {
   enum lower_object_kind kind;
   enum lir_space space;
   uint32_t first_binding; /* of place 0 */
   uint64_t places;        /* bit p: it may be the one in place p */
   bool is_computed;       /* then `number` is the place, else there is one */
   lir_value number;

   /* WORDS: where addresses begin; and whether they count counters, and have
    * the base as memory.c says. */
   bool has_base, is_counter;
   lir_value base; /* in words */

   /* IMAGE and ROWS: what the instruction, or else the declaration, says it is.
    */
   uint8_t target;  /* enum tg_target */
   uint16_t format; /* of IMAGE: enum tg_format; NONE: that of the view */

   bool is_handle; /* what names it is a value, so its swizzle is no one's */
};

/* The object operand of the instruction at hand: its destination if it stores,
 * else source 0. */
struct lower_object
lower_find_object(struct lower_context *context);

/* What an instruction asks of an object. */
struct lower_access {
   const struct lower_object *object;
   unsigned channels;  /* TG_MASK_*: the words or channels that matter */
   lir_value at[4];    /* an address, or coordinates; unused ones are 0 */
   lir_value value[4]; /* STORE and atomics */
   lir_value compare;  /* ATOMCAS */
};

/* The code for one place. What `result` is not given stays 0. */
typedef void (*lower_access_function)(struct lower_context *context,
                                      const struct lower_access *access,
                                      uint32_t place, lir_value result[4]);

/* Emits code for each thing that the object operand may be: appends it for each
 * place that the object may be; `result_out` is 0 in lanes that name none. */
void
lower_each_object_place(struct lower_context *context,
                        const struct lower_access *access,
                        lower_access_function function,
                        lir_value result_out[4]);

/* What stands between these has its effect only where there is one: in lanes
 * that are no helpers and whose predicate holds, by this channel of it. */
void
lower_begin_effect(struct lower_context *context, unsigned channel);
void
lower_end_effect(struct lower_context *context);

/* Do lower_begin_effect() and lower_end_effect() emit no condition? */
bool
lower_has_effect_everywhere(const struct lower_context *context);

/* Variables for results that are made inside of constructs; made 0. */
const uint32_t *
lower_object_result_vars(struct lower_context *context);

/* ---- images: image.c ----------------------------------------------------- */

/* Load, store and query of an image, accessed as `access->object` says. */
void
lower_image_load(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4]);
void
lower_image_store(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4]);
void
lower_image_query(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4]);

/* Load, store and query of the words of an image's rows: image_rows.c. */
void
lower_rows_load(struct lower_context *context,
                const struct lower_access *access, uint32_t place,
                lir_value result[4]);
void
lower_rows_store(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4]);
void
lower_rows_query(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4]);

/* Where x, y, layer and sample of a pixel are among the coordinates of an
 * image. */
void
lower_image_pixel(const struct lower_object *object, const lir_value pixel[4],
                  lir_value at_out[4]);

/* For atomics: the word that is a texel, one that no memory has where there is
 * none. False when the image cannot be accessed so. */
bool
lower_image_word(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value *word_out);
bool
lower_rows_word(struct lower_context *context,
                const struct lower_access *access, uint32_t place,
                lir_value *word_out);

#endif
