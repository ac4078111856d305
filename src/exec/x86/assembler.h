/* SPDX-License-Identifier: MIT
 *
 * An assembler for x86-64 with AVX2: instructions are appended to a buffer,
 * jumps go to labels that may be placed later, and constants of 32 bytes lie
 * after the code. What does not fit in memory is lost, and `failed` set.
 */
#ifndef TG_EXEC_X86_ASSEMBLER_H
#define TG_EXEC_X86_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"

enum x86_general {
   X86_RAX,
   X86_RCX,
   X86_RDX,
   X86_RBX,
   X86_RSP,
   X86_RBP,
   X86_RSI,
   X86_RDI,
   X86_R8,
   X86_R9,
   X86_R10,
   X86_R11,
   X86_R12,
   X86_R13,
   X86_R14,
   X86_R15,
};

enum {
   X86_NO_INDEX = 0xff,
   X86_CONSTANT_BYTES = 32,
};

enum x86_instruction {
#define X86_VECTOR(name, prefix, map, w, opcode, bits) X86_##name,
#include "exec/x86/instructions.def"
   X86_NUM_INSTRUCTIONS,
};

enum x86_operand_kind {
   X86_REGISTER,
   X86_MEMORY,
   X86_POOL, /* a constant */
};

/* What the last source of an instruction may be. */
struct x86_operand {
   uint8_t kind;  /* enum x86_operand_kind */
   uint8_t reg;   /* or the base */
   uint8_t index; /* or X86_NO_INDEX */
   uint8_t scale; /* of the index, as a power of two */
   int32_t displacement;
   uint32_t constant;
};

struct x86_fixup {
   uint32_t place;  /* of four bytes, which are to be a distance */
   uint32_t from;   /* where it is counted from */
   uint32_t target; /* a label or a constant */
   bool is_constant;
};

struct x86_assembler {
   struct tg_arena *arena;
   uint8_t *bytes;
   uint32_t num_bytes, byte_capacity;
   uint32_t *labels; /* places, or X86_NOWHERE */
   uint32_t num_labels, label_capacity;
   struct x86_fixup *fixups;
   uint32_t num_fixups, fixup_capacity;
   uint8_t (*constants)[X86_CONSTANT_BYTES];
   uint32_t num_constants, constant_capacity;
   uint32_t *buckets; /* of constants by their bytes: a number plus 1 */
   bool failed;
};

/* All memory comes from the arena. */
void
x86_asm_init(struct x86_assembler *a, struct tg_arena *arena);

/* Bytes of code and constants together; the distances are filled in. */
uint32_t
x86_asm_size(struct x86_assembler *a);

/* Copies both to memory of that size. */
void
x86_asm_copy(const struct x86_assembler *a, void *memory);

/* ---- operands ------------------------------------------------------------ */

static inline struct x86_operand
x86_register(unsigned reg)
{
   return (struct x86_operand){.kind = X86_REGISTER, .reg = (uint8_t)reg};
}

static inline struct x86_operand
x86_at(enum x86_general base, int32_t displacement)
{
   return (struct x86_operand){
      .kind = X86_MEMORY,
      .reg = (uint8_t)base,
      .index = X86_NO_INDEX,
      .displacement = displacement,
   };
}

/* `index` is a general register or, in a gather, a vector. */
static inline struct x86_operand
x86_at_index(enum x86_general base, unsigned index, unsigned scale,
             int32_t displacement)
{
   return (struct x86_operand){
      .kind = X86_MEMORY,
      .reg = (uint8_t)base,
      .index = (uint8_t)index,
      .scale = (uint8_t)scale,
      .displacement = displacement,
   };
}

/* The constant of these bytes, which are copied. */
struct x86_operand
x86_asm_constant(struct x86_assembler *a, const void *bytes);

/* Subtracts a number of bytes from the stack's pointer, which is filled in
 * later, at the place that is returned. */
uint32_t
x86_asm_take_stack(struct x86_assembler *a);
void
x86_asm_fill_in(struct x86_assembler *a, uint32_t place, uint32_t value);

/* ---- labels -------------------------------------------------------------- */

/* A label, which is to be placed once. */
uint32_t
x86_asm_label(struct x86_assembler *a);
void
x86_asm_place(struct x86_assembler *a, uint32_t label);

/* ---- vector instructions ------------------------------------------------- */

/* Of two operands `first` is 0. A store has its source as `target`. */
void
x86_asm_vector(struct x86_assembler *a, enum x86_instruction instruction,
               unsigned target, unsigned first, struct x86_operand second);
void
x86_asm_vector_imm(struct x86_assembler *a, enum x86_instruction instruction,
                   unsigned target, unsigned first, struct x86_operand second,
                   uint8_t immediate);

/* ---- general instructions ------------------------------------------------ */

/* Numbers of opcodes. */
enum x86_arithmetic {
   X86_ADD = 0,
   X86_OR = 1,
   X86_AND = 4,
   X86_SUB = 5,
   X86_XOR = 6,
   X86_CMP = 7,
};

enum x86_condition {
   X86_BELOW = 2,
   X86_NOT_BELOW = 3,
   X86_EQUAL = 4,
   X86_NOT_EQUAL = 5,
   X86_NOT_ABOVE = 6,
   X86_ABOVE = 7,
};

enum x86_width { X86_WORD, X86_PAIR }; /* 32 and 64 bits */

void
x86_asm_load(struct x86_assembler *a, enum x86_width width, enum x86_general to,
             struct x86_operand from);
void
x86_asm_store(struct x86_assembler *a, enum x86_width width,
              struct x86_operand to, enum x86_general from);
void
x86_asm_store_imm(struct x86_assembler *a, enum x86_width width,
                  struct x86_operand to, uint32_t value);
/* 8 or 16 bits, with zeros before them when loaded. */
void
x86_asm_load_part(struct x86_assembler *a, unsigned bits, enum x86_general to,
                  struct x86_operand from);
void
x86_asm_store_part(struct x86_assembler *a, unsigned bits,
                   struct x86_operand to, enum x86_general from);
void
x86_asm_set(struct x86_assembler *a, enum x86_general to, uint32_t value);
void
x86_asm_lea(struct x86_assembler *a, enum x86_general to,
            struct x86_operand from);
/* The flags of CMP; else `to` changes. */
void
x86_asm_compute(struct x86_assembler *a, enum x86_arithmetic operation,
                enum x86_width width, enum x86_general to,
                struct x86_operand from);
/* `to` may be memory; the value's sign is extended. */
void
x86_asm_compute_imm(struct x86_assembler *a, enum x86_arithmetic operation,
                    enum x86_width width, struct x86_operand to, int32_t value);
void
x86_asm_multiply_imm(struct x86_assembler *a, enum x86_general to,
                     struct x86_operand from, int32_t value);
/* A negative count shifts right, and zeros come in. */
void
x86_asm_shift(struct x86_assembler *a, enum x86_width width,
              enum x86_general to, int count);
void
x86_asm_move_if(struct x86_assembler *a, enum x86_condition condition,
                enum x86_width width, enum x86_general to,
                enum x86_general from);
void
x86_asm_count_trailing_zeros(struct x86_assembler *a, enum x86_general to,
                             enum x86_general from);
void
x86_asm_count_ones(struct x86_assembler *a, enum x86_general to,
                   enum x86_general from);
/* Clears the lowest bit, and compares with 0. */
void
x86_asm_clear_lowest(struct x86_assembler *a, enum x86_general to,
                     enum x86_general from);
void
x86_asm_push(struct x86_assembler *a, enum x86_general reg);
void
x86_asm_pop(struct x86_assembler *a, enum x86_general reg);
void
x86_asm_jump(struct x86_assembler *a, uint32_t label);
void
x86_asm_jump_if(struct x86_assembler *a, enum x86_condition condition,
                uint32_t label);
void
x86_asm_call(struct x86_assembler *a, struct x86_operand function);
void
x86_asm_fence(struct x86_assembler *a);
void
x86_asm_forget_upper(struct x86_assembler *a); /* vzeroupper */
void
x86_asm_return(struct x86_assembler *a);

#endif
