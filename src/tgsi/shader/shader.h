/* SPDX-License-Identifier: MIT
 *
 * A shader in memory. The parser and the token decoder build it; after that it
 * does not change, and printer, encoder, validator, scanner and lowering read
 * it. It holds what was written, also where that makes no sense: judging is
 * the validator's work.
 *
 * Declarations, immediates, properties and instructions each stand in an array
 * of their own; `items` keeps the order in which they came.
 */
#ifndef TG_TGSI_SHADER_H
#define TG_TGSI_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"
#include "tungsten/tgsi.h"
#include "util/arena.h"
#include "util/diagnostics.h"
#include "util/refcount.h"

/* Bounds on what a shader may hold. Tokens could hold no more of most. */
enum {
   TG_MAX_INSTRUCTIONS = 1 << 20,
   TG_MAX_DECLARATIONS = 1 << 16,
   TG_MAX_IMMEDIATES = 1 << 16,
   TG_MAX_ELEMENTS = 1 << 16,
   TG_MAX_PROPERTIES = 1 << 10,
   TG_MAX_PROPERTY_VALUES = 8,
   TG_MAX_ARRAY_ID = 1023,
   TG_MAX_LABEL = (1 << 24) - 1,
   TG_MAX_NESTING = 256, /* IF, loops, SWITCH and BGNSUB in each other */
};

/* One bracket of an operand: [offset] or [FILE[index].component + offset]. */
struct tg_index {
   int32_t offset; /* fits 16 bits signed in tokens */
   bool indirect;
   uint8_t file;      /* of the address register, enum tg_file */
   uint8_t component; /* of the address register, 0 to 3 */
   uint16_t array_id; /* 0: none */
   int32_t index;     /* of the address register */
};

/* An operand's register. In text the first of two brackets is `dimension`. */
struct tg_register {
   uint8_t file; /* enum tg_file */
   bool has_dimension;
   struct tg_index index;
   struct tg_index dimension;
};

struct tg_dst {
   struct tg_register reg;
   uint8_t writemask; /* TG_MASK_* */
};

struct tg_src {
   struct tg_register reg;
   uint8_t swizzle[4]; /* channel that is read as x, y, z, w */
   bool absolute;      /* applied first */
   bool negate;
};

struct tg_tex_offset {
   uint8_t file; /* enum tg_file */
   uint8_t swizzle[3];
   int32_t index;
};

/* The clamp that a suffix asks for. */
enum tg_saturate {
   TG_SATURATE_NONE,
   TG_SATURATE_ZERO_ONE,      /* _SAT */
   TG_SATURATE_MINUS_ONE_ONE, /* _SATNV, until 2014 */
};

struct tg_instruction {
   struct tg_position position; /* of the mnemonic, for diagnostics */
   uint16_t opcode;             /* enum tg_opcode */
   uint8_t saturate;            /* enum tg_saturate */
   bool precise;
   uint8_t num_dst, num_src, num_tex_offsets;

   bool has_label; /* a branch target was written */
   uint32_t label; /* index of an instruction, 24 bits in tokens */

   bool has_texture;        /* a texture token is there */
   uint8_t target;          /* enum tg_target */
   uint8_t tex_return_type; /* enum tg_return_type */

   bool has_memory;        /* a memory token is there */
   uint8_t qualifiers;     /* enum tg_qualifier, or-ed */
   uint8_t memory_target;  /* enum tg_target */
   uint16_t memory_format; /* enum tg_format */

   bool has_predicate; /* (PRED[n].xyzw) in front, until 2017 */
   bool predicate_negate;
   uint8_t predicate_swizzle[4];
   int32_t predicate_index;

   /* As many as the counts above say; NULL when there is none. */
   struct tg_dst *dst;
   struct tg_src *src;
   struct tg_tex_offset *tex_offset;
};

/* An instruction while it is put together, with room for all operands. */
struct tg_instruction_draft {
   struct tg_instruction head; /* its three pointers are not used */
   struct tg_dst dst[TG_MAX_DST];
   struct tg_src src[TG_MAX_SRC];
   struct tg_tex_offset tex_offset[TG_MAX_TEX_OFFSETS];
};

struct tg_declaration {
   struct tg_position position;
   uint8_t file;       /* enum tg_file */
   uint8_t usage_mask; /* TG_MASK_* */
   bool has_dimension; /* and not a per-vertex bracket, which has no number */
   bool local;
   bool invariant;
   bool has_array;
   bool has_semantic;
   bool has_interpolate;
   uint16_t first, last;
   uint16_t dimension;
   uint16_t array_id;
   uint8_t semantic; /* enum tg_semantic */
   uint8_t stream[4];
   uint16_t semantic_index;
   uint8_t interpolate;      /* enum tg_interpolate */
   uint8_t location;         /* enum tg_location */
   uint8_t cylindrical_wrap; /* TG_MASK_* */
   bool atomic;              /* BUFFER */
   uint8_t memory_type;      /* MEMORY: enum tg_memory_type */
   uint8_t target;           /* IMAGE, SVIEW, RES: enum tg_target */
   bool raw, writable;       /* IMAGE, RES */
   uint16_t format;          /* IMAGE: enum tg_format */
   bool has_return_type;     /* RES: written as a view of 2011 */
   uint8_t return_type[4];   /* SVIEW, RES: enum tg_return_type */
   uint32_t first_element;   /* IMMX: of the first register's values */
};

/* The values of one register of IMMX. */
struct tg_element {
   uint32_t words[4]; /* FLT32 */
};

struct tg_immediate {
   struct tg_position position;
   uint8_t type;      /* enum tg_imm_type */
   uint8_t num_words; /* 0 to 4, always 4 when it came from text */
   uint32_t words[4]; /* 64-bit values: low word first; the rest is 0 */
};

struct tg_property {
   struct tg_position position;
   uint8_t name;       /* enum tg_property_name */
   uint8_t num_values; /* tokens may have none */
   uint32_t values[TG_MAX_PROPERTY_VALUES];
};

enum tg_item_kind {
   TG_ITEM_DECLARATION,
   TG_ITEM_IMMEDIATE,
   TG_ITEM_PROPERTY,
   TG_ITEM_INSTRUCTION,
};

struct tg_item {
   uint8_t kind; /* enum tg_item_kind */
   uint32_t index;
};

struct tg_shader {
   struct tg_refcount refs; /* changes later, and so may the quirks */
   struct tg_arena arena;   /* owns the shader, the source and all operands */
   enum tg_processor processor;
   enum tg_dialect dialect;
   uint32_t quirks;             /* enum tg_quirk */
   struct tg_position position; /* of its stage; zero for tokens */

   /* The text that it came from, for carets; text NULL for tokens. The name
    * and the text are copies in the arena. */
   struct tg_source source;

   /* Each array is a piece of memory of its own, so that it can grow. */
   struct tg_declaration *declarations;
   struct tg_immediate *immediates;
   struct tg_property *properties;
   struct tg_instruction *instructions;
   struct tg_item *items;
   struct tg_element *elements; /* of declarations of IMMX: no items */
   uint32_t num_declarations, num_immediates, num_properties;
   uint32_t num_instructions, num_items, num_elements;

   /* Room in the arrays, of use while the shader is built. */
   uint32_t declaration_capacity, immediate_capacity, property_capacity;
   uint32_t instruction_capacity, item_capacity, element_capacity;
};

/* ---- building ------------------------------------------------------------ */

/* An empty shader, or NULL. The source's name and text are copied. */
struct tg_shader *
tg_shader_create(const struct tg_allocator *allocator,
                 enum tg_processor processor, enum tg_dialect dialect,
                 const struct tg_source *source);

/* Append a zeroed element and return it, or NULL when out of memory or over a
 * bound above. The pointer is good until the next element of the same kind is
 * appended. */
struct tg_declaration *
tg_shader_add_declaration(struct tg_shader *shader);
struct tg_immediate *
tg_shader_add_immediate(struct tg_shader *shader);
struct tg_property *
tg_shader_add_property(struct tg_shader *shader);
struct tg_element *
tg_shader_add_element(struct tg_shader *shader);

/* Appends a copy of the draft and returns it, likewise. */
struct tg_instruction *
tg_shader_add_instruction(struct tg_shader *shader,
                          const struct tg_instruction_draft *draft);

/* Gives back the room that the arrays have too much. Nothing is added after. */
void
tg_shader_seal(struct tg_shader *shader);

/* ---- asking -------------------------------------------------------------- */

/* The last value given to a property, or `otherwise`. */
uint32_t
tg_shader_property(const struct tg_shader *shader, enum tg_property_name name,
                   uint32_t otherwise);

/* Registers of this file and stage have a vertex as their first bracket, which
 * declarations write `[]`: inputs of GEOM, TESS_CTRL and TESS_EVAL, outputs of
 * TESS_CTRL. Those of PATCH, TESSINNER, TESSOUTER and PRIM_ID have not. */
bool
tg_shader_file_is_per_vertex(enum tg_processor processor, enum tg_file file);
bool
tg_shader_declaration_is_per_vertex(enum tg_processor processor,
                                    const struct tg_declaration *declaration);

/* What users know it by: its stage, the name of the source, and its line in it
 * where that is not the first: "FRAG shader 7", "FRAG scene.tgsi_test:12". Of a
 * long name the end, which says more of a path. */
enum { TG_SHADER_TITLE = 96 };
void
tg_shader_title(const struct tg_shader *shader, char title[TG_SHADER_TITLE]);

/* Has w of these outputs the default 1? In 2010 a color without alpha has alpha
 * 1, and a position is (0, 0, 0, 1) as far as it is not written; later no
 * output has a default. */
bool
tg_shader_output_has_default_w(const struct tg_shader *shader,
                               const struct tg_declaration *declaration);

#endif
