/* SPDX-License-Identifier: MIT
 *
 * The inside of the interpreter: what a program looks like when it is decoded,
 * and what changes while a wave runs.
 *
 * Every value, variable and word of an array has a slot in the scratch of the
 * run, one word or pair of words for each lane, so that a handler is a loop
 * over lanes. Truth values are words of all ones or zero in slots; which lanes
 * are active, live or remembered by a construct is a bit a lane.
 *
 * Scratch, from its beginning:
 *   struct interp_state
 *   constants, 32 bits then 64   filled in when the wave starts
 *   variables, arrays            zeroed when the wave starts
 *   table of lane memory         input, sysval, output, then the arrays
 *   frames                       of functions, see compile.c
 *   saved frames                 of recursive calls
 */
#ifndef TG_EXEC_INTERP_INTERP_H
#define TG_EXEC_INTERP_INTERP_H

#include "exec/exec.h"

enum interp_op {
#define LIR_ALU1(name, r, a, expression, title) INTERP_##name,
#define LIR_ALU2(name, r, a, b, expression, title) INTERP_##name,
#define LIR_ALU3(name, r, a, b, c, expression, title) INTERP_##name,
#define LIR_ATOMIC(name, n, expression, title) INTERP_##name,
#include "lir/ops.def"
#define INTERP_OP(name, title) INTERP_##name,
#include "exec/interp/ops.def"
   INTERP_NUM_OPS
};

struct interp_state;
struct interp_inst;

/* Does one instruction and goes on with the next. Each rendering of the
 * handlers has its own type for this, see handlers_next.inc. */
typedef void (*interp_handler)(void);

/* Offsets are bytes from the beginning of the scratch, of slots unless said
 * otherwise; jumps are instructions from this one.
 *
 *            result      a           b           c         imm
 *   compute  value       operand     operand     operand
 *   load     value       index                             space, binding
 *   load_at  value       the index itself                  space, binding
 *   load_run value       index                             space, binding
 *   store                index       value                 space, binding
 *   atomic   old word    index       operands              space, binding
 *   memsize  value                                         space, binding
 *   set      variable    value
 *   block    remembered
 *   if       remembered  condition   else lanes            jump: else or end
 *   else                             else lanes            jump: end
 *   end      remembered                                    jump: escape
 *   repeat   remembered  jump: top                         jump: escape
 *   br       remembered              number    jump: past  jump: escape
 *   br_if    remembered  condition   number    jump: past  jump: escape
 *   call     remembered  jump: entry
 *   return   remembered
 *   barrier              turns       number    number
 *   turn     turn
 *   enter                turns       number    number
 *   save     frame       size
 *
 * After a load_run come the loads that it may do too, and then steps over.
 *
 * "turns" is the offset of as many words as "number" says, the turns of the
 * loops that are open, outermost first; "turn" is the offset of one of them.
 *
 * "remembered" is the offset of a bit mask: lanes that go on after the end.
 * Masks of nested constructs are neighbours, so br names the outermost that it
 * leaves and how many. An escape is where to go when no lane is left: the next
 * else or end outwards. `past` is after the end of the level of a br; the
 * scalar yardstick in bench/ follows it. */
struct interp_inst {
   interp_handler run;
   uint32_t result, a, b, c;
   uint64_t imm;
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct interp_inst) == 32,
               "two instructions a cache line");

/* Where a handler finds an operand. Handlers carry the two words computed last
 * in registers: operations that compute a word carry it on, all others leave
 * what is carried as it is. */
enum interp_source { INTERP_SLOT, INTERP_LAST, INTERP_EARLIER, INTERP_SOURCES };

/* One rendering of the handlers. An operation that may find operands elsewhere
 * than in slots has a handler for each choice of sources; its index has their
 * numbers as digits to base INTERP_SOURCES, the first operand's first. Pairs
 * are never carried and have no digit. */
struct interp_set {
   const interp_handler *handlers[INTERP_NUM_OPS];
   uint32_t slot_size; /* bytes of a slot for words; one for pairs is twice */
};

struct interp_constant {
   uint64_t value;
   uint32_t slot;
   bool is_wide;
};

struct interp_array {
   uint32_t slot; /* of word 0 */
   uint32_t num_words;
};

struct interp_program {
   struct tg_arena arena; /* owns everything below and the program itself */
   const struct interp_inst *insts;
   const uint32_t *origins; /* of each instruction */
   uint32_t num_insts;
   uint32_t entry; /* index of the first function's first instruction */

   const struct interp_constant *constants;
   uint32_t num_constants;
   const struct interp_array *arrays;
   uint32_t num_arrays;

   uint32_t zeroed, zeroed_end; /* variables and arrays */
   uint32_t lane_memory;        /* offset of the table */
   uint32_t saved;              /* offset of the saved frames */
   size_t scratch_size;
   bool has_barriers;
   bool may_wait;        /* see lir_find_waits() */
   uint32_t start_steps; /* what it costs to begin a wave */
};

/* Why a wave runs no further. */
enum interp_stop { INTERP_END, INTERP_BARRIER, INTERP_PAUSE, INTERP_FAULT };

/* What changes while a wave runs, besides its slots. It lies in the scratch, so
 * that a wave which waits at a barrier can go on. */
struct interp_state {
   uint32_t active;
   uint32_t live;
   uint64_t budget; /* of back edges and calls */
   /* Where the wave would have begun if what it has run stood in a row that
    * ends where it is: jumps move it along, so that the distance of the two is
    * what ran, in bytes of instructions. `slice` is that distance from which on
    * it pauses. */
   uintptr_t since, slice;
   uint64_t count;       /* for clock; programs without it do not count */
   uint32_t depth;       /* of calls */
   uint64_t path;        /* of the calls that are open, if there are barriers */
   unsigned char *saved; /* end of the saved frames */
   struct exec_wave *wave;
   const struct exec_lane_memory *lane_memory;
   const struct interp_inst *stopped_at;
   enum interp_stop stop; /* why there */
   const char *fault;     /* of INTERP_FAULT */
   const struct interp_inst *return_to[LIR_MAX_CALL_DEPTH];
   uint64_t paths[LIR_MAX_CALL_DEPTH + 1]; /* by depth: outside of a call */
};

/* Decodes a verified module for one instruction set of the handlers, and frees
 * that: compile.c. */
enum tg_result
interp_compile(const struct tg_allocator *allocator,
               const struct lir_module *module, const struct interp_set *set,
               struct interp_program **program_out);
void
interp_destroy(struct interp_program *program);

#endif
