/* SPDX-License-Identifier: MIT
 *
 * What the files of the checker share: what is known of each instruction, and
 * how findings are reported.
 *
 * First flow.c finds out which instructions are executed and what may
 * follow each, with the help of predicates.c and stack.c; then
 * values.c what each finds written and leaves to be read, by what
 * step.c knows of one; then each instruction in turn is held against
 * the rules, which stand in the file that knows what they ask.
 */
#ifndef TEGRA_CHECK_H
#define TEGRA_CHECK_H

#include "tegra/isa/program.h"

enum tegra_finding {
#define TEGRA_FINDING(id, ...) TEGRA_FINDING_##id,
#include "tegra/check/findings.def"
   TEGRA_NUM_FINDINGS
};

/* ---- an instruction ------------------------------------------------------ */

/* The half of an instruction that belongs to one unit. */
struct tegra_slot {
   const struct tegra_opcode_info *info;
   uint8_t opcode;
   uint8_t destination; /* 0 to 63, as in the word */
   uint8_t mask;        /* as in the word */
   bool has_result;     /* that a register, an export and CR can take */
   bool is_exported;    /* an export takes it, or would if there were one */
};

/* What can be written: each place is a vector. */
enum {
   TEGRA_PLACE_TEMPORARY = 0,
   TEGRA_PLACE_EXPORT = TEGRA_PLACE_TEMPORARY + TG_TEGRA_NUM_TEMPORARIES,
   TEGRA_PLACE_ADDRESS = TEGRA_PLACE_EXPORT + TG_TEGRA_NUM_EXPORTS,
   TEGRA_PLACE_CONDITION,
   TEGRA_NUM_PLACES = TEGRA_PLACE_CONDITION + TEGRA_NUM_CONDITIONS
};

/* Components of places; bits as in masks. */
struct tegra_places {
   uint8_t mask[TEGRA_NUM_PLACES];
};

/* Numbers of instructions. */
struct tegra_set {
   uint64_t bits[TG_TEGRA_MAX_INSTRUCTIONS / 64];
};

static inline bool
tegra_set_has(const struct tegra_set *set, uint32_t number)
{
   return set->bits[number / 64] >> number % 64 & 1;
}

static inline void
tegra_set_add(struct tegra_set *set, uint32_t number)
{
   set->bits[number / 64] |= UINT64_C(1) << number % 64;
}

/* Set union: adds those of `more`; says whether there were new ones. */
static inline bool
tegra_set_join(struct tegra_set *set, const struct tegra_set *more)
{
   uint64_t added = 0;

   for (unsigned i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS / 64; i++) {
      added |= more->bits[i] & ~set->bits[i];
      set->bits[i] |= more->bits[i];
   }
   return added != 0;
}

/* Do two sets intersect? */
static inline bool
tegra_set_meets(const struct tegra_set *a, const struct tegra_set *b)
{
   uint64_t common = 0;

   for (unsigned i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS / 64; i++)
      common |= a->bits[i] & b->bits[i];
   return common != 0;
}

/* How an entry of the stack can be missing. */
enum tegra_stack_fault {
   TEGRA_OVERFLOW,
   TEGRA_UNDERFLOW,
   TEGRA_MISMATCH,
   TEGRA_NUM_STACK_FAULTS
};

enum tegra_likelihood {
   TEGRA_NEVER,
   TEGRA_SOMETIMES, /* for all that is known */
   TEGRA_ALWAYS,
};

struct tegra_step {
   union tegra_instruction instruction;
   struct tegra_slot slots[TEGRA_NUM_UNITS];

   /* By flow.c. */
   bool is_reached;
   bool runs_off;     /* what follows is after the last instruction */
   bool can_end;      /* some path from here ends, well or badly */
   bool is_recursive; /* a call in what it calls */
   uint8_t jumps;     /* enum tegra_likelihood: it branches, calls, returns */
   uint8_t writes;    /* enum tegra_likelihood: its predicate lets it write */
   struct tegra_set successors;           /* instructions that may follow */
   uint32_t conditions;                   /* states before it: predicates.c */
   uint8_t stack[TEGRA_NUM_STACK_FAULTS]; /* enum tegra_likelihood */

   /* By values.c. */
   struct tegra_places written; /* before it, on some way here */
   struct tegra_places live;    /* after it: may yet be read */
};

struct tegra_check {
   const struct tg_tegra_program *program;
   struct tg_diagnostics *diagnostics;
   size_t num_reported; /* diagnostics that were there before */
   struct tg_arena arena;
   enum tg_result result;
   struct tegra_step *steps; /* one an instruction */
   uint32_t num_steps;
   /* Some way through it ends badly, or not at all: then nothing is said of
    * values. */
   bool has_stray_flow;
};

/* ---- findings ------------------------------------------------------------ */

/* Adds a diagnostic about instruction `number`. */
void
tegra_check_report(struct tegra_check *check, uint32_t number,
                   enum tegra_finding finding, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* A piece of a message. */
struct tegra_text {
   char text[32];
};

/* "MOVv", "vector opcode 29". */
struct tegra_text
tegra_check_slot_text(const struct tegra_step *step, enum tegra_unit unit);

/* "r3.xy", "export[0].xyzw", "A0.x", "CR1.w". */
struct tegra_text
tegra_check_place_text(unsigned place, unsigned mask);

/* ---- effects (step.c) ---------------------------------------------------- */

/* Decodes an instruction into its slots. */
void
tegra_step_init(struct tegra_step *step, const uint32_t words[TG_TEGRA_WORDS]);

/* Does one of the slots have this effect (enum tegra_effect)? */
bool
tegra_step_has(const struct tegra_step *step, enum tegra_effect effect);

/* Does it branch, call or return, if its predicate holds? */
bool
tegra_step_is_jump(const struct tegra_step *step);

bool
tegra_step_slot_loads_address(const struct tegra_slot *slot);

/* Does what it computes go to a register, an export, CR or A0? */
bool
tegra_step_slot_is_kept(const struct tegra_step *step,
                        const struct tegra_slot *slot);

/* Does it add A0 to an index? */
bool
tegra_step_is_relative(const struct tegra_step *step);

/* What it may write. An export that A0 decides is none of the places. */
struct tegra_places
tegra_step_writes(const struct tegra_step *step);

/* What it reads so that each unit gives the components of `needed`, and for
 * what else it does. */
struct tegra_places
tegra_step_reads(const struct tegra_step *step,
                 const uint8_t needed[TEGRA_NUM_UNITS]);

/* ---- predicates (predicates.c) ------------------------------------------- */

/* The states before the first instruction, as in tegra_step.conditions. */
enum { TEGRA_ALL_EQUAL = 0x22222222 };

/* How likely it branches, calls or returns. */
enum tegra_likelihood
tegra_predicate_jumps(const struct tegra_step *step);

/* How likely its predicate lets it write the components of its masks. */
enum tegra_likelihood
tegra_predicate_may_write(const struct tegra_step *step);

/* The states of the condition registers after an instruction. */
uint32_t
tegra_predicate_conditions(const struct tegra_step *step);

/* ---- the stack (stack.c) ------------------------------------------------- */

/* What may be on the stack at an instruction of a subroutine: bit b of
 * `bases[p]` says that the subroutine may have pushed p A0s onto b entries, the
 * highest of which is its return address. Of the main program b is 0. */
struct tegra_stacks {
   uint16_t bases[TG_TEGRA_STACK_DEPTH + 1];
};

enum { TEGRA_MAIN_BASE = 1 << 0 };

bool
tegra_stacks_is_empty(const struct tegra_stacks *stacks);

/* The stacks after PUSHA and POPA. Those with which they abort are not among
 * them; how is added to `faults`, a bit for each enum tegra_stack_fault. */
struct tegra_stacks
tegra_stacks_move(const struct tegra_step *step,
                  const struct tegra_stacks *before, unsigned *faults);

/* The bases that a call gives the subroutine. */
unsigned
tegra_stacks_call(const struct tegra_stacks *before, unsigned *faults);

/* The stacks after a call that came back with those bases. */
struct tegra_stacks
tegra_stacks_after_call(const struct tegra_stacks *before, unsigned exits);

/* The bases with which RET returns. */
unsigned
tegra_stacks_return(const struct tegra_stacks *before, unsigned *faults);

/* Notes how the instruction may abort in a subroutine that comes to it with
 * these stacks. */
void
tegra_stacks_note_faults(struct tegra_step *step,
                         const struct tegra_stacks *before);

/* Does it always abort for want of the right stack? */
bool
tegra_stacks_end_in_fault(const struct tegra_step *step);

/* ---- the whole program --------------------------------------------------- */

/* Control-flow and data-flow analysis of the whole program. The first is false
 * when out of memory. */
bool
tegra_check_flow(struct tegra_check *check);
void
tegra_check_values(struct tegra_check *check);

/* ---- rules on instruction `number`, which is executed -------------------- */

/* Check one instruction, each by the rules of its file. */
void
tegra_check_fields_of(struct tegra_check *check, uint32_t number);
void
tegra_check_flow_of(struct tegra_check *check, uint32_t number);
void
tegra_check_predicate_of(struct tegra_check *check, uint32_t number);
void
tegra_check_stack_of(struct tegra_check *check, uint32_t number);
void
tegra_check_values_of(struct tegra_check *check, uint32_t number);

#endif
