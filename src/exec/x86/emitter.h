/* SPDX-License-Identifier: MIT
 *
 * The code generator for x86-64 with AVX2: one pass over a unit, with registers
 * allocated as it goes.
 *
 * A wave is two halves of 8 lanes, a register each. Instructions up to the next
 * one that needs both halves at once are a segment. Its halves take turns, a
 * run of instructions each: of long runs most values need a register in one
 * half at a time, and of short ones the processor, which looks ahead so far,
 * has two chains of operations that do not wait for each other.
 * What is uniform is computed once, for the first half, in all lanes of a
 * register. A value that is used beyond its segment has a slot of the stack,
 * and is stored there when it is computed; registers are empty between
 * segments.
 *
 * Truth values are words of ones or zeros. Words of 64 bits take two registers
 * a half, its parts. Uniform values have one part and one half.
 */
#ifndef TG_EXEC_X86_EMITTER_H
#define TG_EXEC_X86_EMITTER_H

#include "exec/jit/debug.h"
#include "exec/jit/frame.h"
#include "exec/jit/shape.h"
#include "exec/x86/assembler.h"
#include "exec/x86/unit.h"

enum {
   X86_HALF_LANES = 8,
   X86_NUM_VECTORS = 16,
   X86_VECTOR_BYTES = 32,
   X86_MAX_STACK = 1 << 16, /* bytes; what takes more is left to others */
   X86_MAX_CODE = 1 << 22,  /* likewise: a br has code for each level */
   X86_NO_SLOT = -1,
   X86_RUN = 16, /* instructions of one half before the other's: a power of 2 */
};

/* General registers that keep what they hold. The others are free. */
#define X86_FRAME X86_RBX
#define X86_ROUND X86_R12
#define X86_INPUT X86_R13
#define X86_SYSVAL X86_R14
#define X86_OUTPUT X86_R15

/* Fixed places on the stack, from its pointer on. Masks are two halves. */
enum {
   X86_LAUNCHED = 0,
   X86_ACTIVE = 64,
   X86_LIVE = 128,
   X86_FIRST_LIVE = 192,   /* what is live when a wave of the round begins */
   X86_BUFFER = 256,       /* two rows of words */
   X86_FIRST_BUDGET = 384, /* that each wave begins with */
   X86_NUM_MORE = 392,     /* waves of the round after this one */
   X86_NUM_LIVE = 396,     /* lanes that were live after those before it */
   X86_FIRST_SLOT = 448,
};

/* What a vector register holds: part p of half h of value v is 4v + 2h + p. */
struct x86_held {
   uint32_t key;
   uint64_t next_use; /* in the order of what is emitted */
};

/* A construct that is open. */
struct x86_level {
   uint16_t op;      /* LIR_OP_block, _if, _loop; _call for a function */
   bool is_plain_if; /* its condition is uniform */
   bool in_then;     /* no else has come yet */
   bool was_full;    /* all launched lanes entered */
   bool is_lossy;    /* lanes that are not all leave it by br */
   bool stays_full;  /* of a loop: its lanes leave it together */
   bool has_else;
   uint32_t top, other, end, exit; /* labels, as in struct jit_level */
   int32_t remembered, otherwise;  /* slots of masks, or none */
};

/* What code knows of an index of a surface: see x86_find_block(). */
struct x86_block {
   uint32_t index; /* a value */
   uint64_t mem;
   uint32_t level; /* where it was found out, and where it stays known */
   int32_t place;  /* a slot: a word, which is 0 where lanes are no block; the
                    * address of the first row, the distance of rows */
};

/* The line table, for debuggers. */
struct x86_lines {
   bool is_wanted;
   struct jit_line_row *rows; /* offsets rise, lines alternate */
   uint32_t num_rows, capacity;
};

/* An end of the wave, emitted after the rest. */
struct x86_fault {
   uint32_t label, origin;
   bool is_full; /* the active lanes are the launched ones */
   enum jit_end how;
};

struct x86_emitter {
   struct x86_assembler a;
   struct tg_arena *arena;
   const struct lir_module *module;
   const struct jit_shape *shape;
   struct x86_unit unit;
   struct x86_lines lines;
   struct jit_prologue prologue; /* for debuggers, too */
   enum tg_result result;        /* TG_ERROR_LIMIT: too large */

   /* Where it is. */
   uint32_t at;   /* the instruction */
   uint32_t end;  /* of the segment */
   unsigned half; /* 0 or 1 */
   bool is_before_waves;
   uint32_t uncounted; /* instructions since the last branch */

   /* Registers. */
   struct x86_held held[X86_NUM_VECTORS];
   uint16_t used, locked; /* bits of registers */
   int8_t *register_of;   /* by key; -1: none */
   int32_t *slots;        /* by value: offset on the stack, or none */
   uint8_t *stored;       /* by value: bit 2 * half + part is in the slot */

   /* The stack. */
   int32_t stack;          /* bytes */
   uint32_t stack_fixup;   /* where their number stands in the code */
   int32_t *free_slots[3]; /* of 32, 64 and 128 bytes */
   uint32_t num_free[3], free_capacity[3];
   uint32_t *slotted; /* values with slots that may be freed */
   uint32_t num_slotted, slotted_capacity;
   int32_t *vars;              /* by variable: where it is on the stack */
   uint32_t *first_array_word; /* by array */
   int32_t *bounds; /* by binding and unit: see x86_bound(); or none */

   /* Control. */
   struct x86_level *levels;
   uint32_t level;
   bool is_full;             /* all launched lanes are active here */
   bool is_dead;             /* nothing comes here: after a br */
   struct x86_block *blocks; /* those of inner levels last */
   uint32_t num_blocks, block_capacity;
   struct x86_fault *faults;
   uint32_t num_faults, fault_capacity;
   uint32_t round, wave, done; /* labels */
};

/* Emits the code of a module, which then waits in the assembler.
 * TG_ERROR_LIMIT: it is too large, or has something that is not emitted.
 * TG_ERROR_MEMORY. */
enum tg_result
x86_emit(struct x86_emitter *e, const struct lir_module *module,
         const struct jit_shape *shape, struct tg_arena *arena);

static inline const struct x86_inst *
x86_current(const struct x86_emitter *e)
{
   return &e->unit.insts[e->at];
}

/* ---- lines.c ------------------------------------------------------------- */

/* Begins the line table, if debuggers want it. */
void
x86_begin_lines(struct x86_emitter *e);

/* Code from here on came from an origin. Without one, or a line of it, it keeps
 * the line of what precedes it. */
void
x86_locate_line_at(struct x86_emitter *e, uint32_t origin);

/* The end of those of the instructions from `at` to `end` that are of one line
 * or none; `end` if debuggers want no lines. */
uint32_t
x86_find_end_of_line(const struct x86_emitter *e, uint32_t at, uint32_t end);

static inline uint32_t
x86_end_of_line(const struct x86_emitter *e, uint32_t at, uint32_t end)
{
   return e->lines.is_wanted ? x86_find_end_of_line(e, at, end) : end;
}

/* A register has been pushed. */
void
x86_note_save_for_lines(struct x86_emitter *e, enum x86_general reg);

static inline void
x86_locate(struct x86_emitter *e, uint32_t origin)
{
   if (e->lines.is_wanted)
      x86_locate_line_at(e, origin);
}

/* ---- registers.c --------------------------------------------------------- */

/* The active lanes, as a value that has no instruction. */
static inline uint32_t
x86_active_value(const struct x86_emitter *e)
{
   return e->unit.num_insts;
}

bool
x86_reg_init(struct x86_emitter *e);

/* How many parts a value has. */
unsigned
x86_reg_num_parts(const struct x86_emitter *e, uint32_t value);

/* Is it a row of inputs or system values, which is used where it is and never
 * loaded? */
bool
x86_needs_no_register(const struct x86_emitter *e, const struct x86_inst *inst);

/* A part of a value, in a register that stays as it is up to x86_reg_finish().
 */
unsigned
x86_reg_value(struct x86_emitter *e, uint32_t value, unsigned part);

/* The same, where it is: in a register or in memory. */
struct x86_operand
x86_reg_source(struct x86_emitter *e, uint32_t value, unsigned part);

/* Is it in a register? */
bool
x86_reg_is_held(const struct x86_emitter *e, uint32_t value, unsigned part);

/* The second half of a value that is not of this segment, where it is in
 * memory. */
struct x86_operand
x86_reg_high_half(struct x86_emitter *e, uint32_t value);

/* A register of its own, up to x86_reg_finish(). */
unsigned
x86_reg_scratch(struct x86_emitter *e);

/* The register of the current instruction's value. */
unsigned
x86_reg_result(struct x86_emitter *e, unsigned part);

/* The same, which may be that of an operand that is used no more: all operands
 * have been read. */
unsigned
x86_reg_result_over(struct x86_emitter *e, unsigned part);

/* Makes the register of an operand that of the current instruction's value, if
 * the operand is used no more. */
bool
x86_reg_take_over(struct x86_emitter *e, unsigned k, unsigned part);

/* Makes a scratch register that of the current instruction's value. */
void
x86_reg_give(struct x86_emitter *e, unsigned part, unsigned reg);

/* Ends an instruction: its value is stored if it has to be. */
void
x86_reg_finish(struct x86_emitter *e);

/* Ends a segment, or a half of an instruction that is not of one: registers are
 * empty. */
void
x86_reg_forget(struct x86_emitter *e);

/* Frees the slots of values that are used no more after the instruction `at`.
 */
void
x86_reg_free_slots(struct x86_emitter *e);

/* Memory of the stack, 32, 64 or 128 bytes, and its return. */
int32_t
x86_reg_take_slot(struct x86_emitter *e, unsigned bytes);
void
x86_reg_return_slot(struct x86_emitter *e, int32_t slot, unsigned bytes);

static inline struct x86_operand
x86_stack(int32_t offset)
{
   return x86_at(X86_RSP, offset);
}

static inline struct x86_operand
x86_field(size_t offset)
{
   return x86_at(X86_FRAME, (int32_t)offset);
}

/* A word, or a pair, in all lanes. */
static inline struct x86_operand
x86_word(struct x86_emitter *e, uint32_t word)
{
   const uint32_t words[8] = {word, word, word, word, word, word, word, word};

   return x86_asm_constant(&e->a, words);
}

static inline struct x86_operand
x86_pair(struct x86_emitter *e, uint64_t pair)
{
   const uint64_t pairs[4] = {pair, pair, pair, pair};

   return x86_asm_constant(&e->a, pairs);
}

/* ---- alu.c, memory.c, actions.c, control.c ------------------------------- */

/* Operations that compute: the current instruction, for the current half. */
typedef void (*x86_alu)(struct x86_emitter *e);
extern const x86_alu x86_alus[LIR_NUM_OPS];

/* The others: for one half where they are of a segment, else for both. */
typedef void (*x86_action)(struct x86_emitter *e, const struct x86_inst *inst);

/* Does it need nothing of the other half? */
bool
x86_is_action_of_segment(const struct x86_emitter *e,
                         const struct x86_inst *inst);

/* The others: what emits an instruction of a segment, and one that is not of a
 * segment. NULL: it is not emitted at all. */
x86_action
x86_find_action(const struct x86_inst *inst);
x86_action
x86_find_whole_action(const struct x86_inst *inst);

void
x86_control(struct x86_emitter *e, const struct x86_inst *inst);
bool
x86_is_control(const struct x86_inst *inst);
void
x86_control_emit_faults(struct x86_emitter *e);
void
x86_control_count_steps(struct x86_emitter *e);

/* Bits of lanes of two halves at a place of the stack, in a register; another
 * one is used as well. */
void
x86_bits_of_mask(struct x86_emitter *e, int32_t mask, enum x86_general to,
                 enum x86_general other);
/* The place of the active lanes' mask. */
int32_t
x86_active_place(const struct x86_emitter *e);
void
x86_emit_leave(struct x86_emitter *e, enum jit_end how);
void
x86_emit_keep_live(struct x86_emitter *e);
void
x86_emit_helper_call(struct x86_emitter *e, enum jit_helper helper);

#endif
