/* SPDX-License-Identifier: MIT
 *
 * Looking something up in a texture, as LIR. What a texture opcode asks for is
 * a kind of lookup and its arguments; for each kind, view and sampler that a
 * shader uses there is one function of the module, specialised by their keys
 * and called by every instruction that wants it. It takes its arguments from
 * variables, which it shares with all others, and leaves four words in four
 * variables more. Sizes, offsets and levels are data: abi/bindings.h.
 */
#ifndef TG_LOWER_SAMPLE_H
#define TG_LOWER_SAMPLE_H

#include "abi/bindings.h"
#include "lir/builder.h"
#include "util/arena.h"

enum sample_operation {
   SAMPLE_FILTER,
   SAMPLE_GATHER, /* the four texels of a linear filter, of one component */
   SAMPLE_FETCH,  /* one texel by integers, without a sampler */
   SAMPLE_LOD,    /* which level would be sampled, and the lod before clamps */
   /* Without texels: */
   SAMPLE_SIZE,
   SAMPLE_COUNT,    /* of samples */
   SAMPLE_POSITION, /* of one of them */
};

/* Where the level of detail comes from. */
enum sample_lod {
   SAMPLE_LOD_NONE,        /* nothing depends on it */
   SAMPLE_LOD_GIVEN,       /* an argument */
   SAMPLE_LOD_DERIVED,     /* the derivatives of the coordinates */
   SAMPLE_LOD_DERIVED_BIAS /* these, and the argument is a bias */
};

/* What a function is made for. No padding: kinds are compared as bytes. */
struct sample_kind {
   uint8_t operation; /* enum sample_operation */
   uint8_t target;    /* enum tg_target without SHADOW */
   uint8_t view, sampler;
   uint8_t lod;         /* enum sample_lod */
   uint8_t compares;    /* texels with the reference */
   uint8_t num_offsets; /* 0 or 1; SAMPLE_GATHER: 4, one for each texel */
   uint8_t component;   /* SAMPLE_GATHER: 0 to 3, or enum sample_component;
                         * SAMPLE_COUNT, SAMPLE_POSITION: 1 as in 2011, where
                         * what is not multisampled gives 0, and a sample that
                         * there is not is at 0 */
};

enum sample_component {
   SAMPLE_ANY_COMPONENT = 4, /* an argument */
   SAMPLE_RED, /* of the texture; the view's swizzle moves the four texels */
};

/* Floats, but for SAMPLE_FETCH, whose arguments are integers as those of the
 * queries are. */
enum sample_argument {
   SAMPLE_COORD,                  /* s, t, r */
   SAMPLE_LAYER = 3,              /* of an array */
   SAMPLE_REFERENCE,              /* compared with texels */
   SAMPLE_LEVEL,                  /* lod, bias or number of a level */
   SAMPLE_INDEX,                  /* of a sample, or the component to gather */
   SAMPLE_DX,                     /* of s, t, r */
   SAMPLE_DY = SAMPLE_DX + 3,     /* of s, t, r */
   SAMPLE_OFFSET = SAMPLE_DY + 3, /* integers; three for each offset */
   SAMPLE_NUM_ARGUMENTS = SAMPLE_OFFSET + 4 * 3,
};

/* The lookups of a shader while it is lowered. */
struct sample_functions;

/* NULL when out of memory. Lookups are called where the builder stands. What is
 * bound is in the keys; NULL: nothing. */
struct sample_functions *
sample_functions_create(struct lir_builder *builder, struct tg_arena *arena,
                        const struct abi_keys *keys);

/* The kind with what the keys make unimportant left out, so that instructions
 * share functions; false when there is nothing to look up, because view or
 * sampler is not bound, or the view is of another target. */
bool
sample_resolve(const struct sample_functions *functions,
               struct sample_kind *kind);

/* x and y of a sample of `count`, from the pixel's upper left, where a pixel is
 * 1 wide; `otherwise` both if there is no such sample. */
void
sample_query_place(struct lir_builder *builder, lir_value count,
                   lir_value number, float otherwise, lir_value place_out[2]);

/* Bit a: lookups of this kind read argument a. */
uint32_t
sample_arguments(const struct sample_kind *kind);

/* Calls the function of a kind that sample_resolve() left, with those of the
 * arguments that it reads. */
void
sample_call(struct sample_functions *functions, const struct sample_kind *kind,
            const lir_value argument[SAMPLE_NUM_ARGUMENTS],
            lir_value result_out[4]);

/* The result of several calls, each of which some lanes make: what was last
 * chosen, in active lanes. */
void
sample_choose(struct sample_functions *functions, const lir_value result[4]);
void
sample_get_chosen(struct sample_functions *functions, lir_value result_out[4]);

#endif
