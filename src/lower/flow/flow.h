/* SPDX-License-Identifier: MIT
 *
 * Control flow while a function is written: the constructs that are open, the
 * subroutines that are still to be written, and where the next instruction is.
 */
#ifndef TG_LOWER_FLOW_H
#define TG_LOWER_FLOW_H

#include "lower/operands/context.h"
#include "tgsi/analysis/flow.h"

/* An IF, loop or SWITCH, or, outermost, the body of a function. Its part at
 * hand (of an IF what is before or after ELSE, of a SWITCH what follows one
 * label) is instructions first to end, end being what closes it. */
struct lower_construct {
   uint32_t begin; /* IF, loop, SWITCH or BGNSUB */
   uint32_t first, end;
   uint32_t num_levels; /* LIR constructs to close after it */

   uint32_t break_level;    /* where BRK leads */
   uint32_t continue_level; /* where CONT leads */
   uint32_t counter;        /* REP: the variable that counts down */

   lir_value entry;     /* SWITCH: number of the label where a lane enters */
   uint32_t num_labels; /* SWITCH: labels that were passed, from 1 */

   bool is_repeating; /* inside of a cycle of BRA */
};

struct lower_flow {
   struct tg_flow_info info;
   bool *has_continue; /* by loop: is there a CONT for it? */

   /* The function at hand. */
   struct lower_construct open[TG_MAX_NESTING + 1]; /* [0] is the body */
   unsigned num_open;
   uint32_t next; /* instruction */
   bool is_done;  /* the path through the body ends here */
   bool is_subroutine;
   uint32_t exit_level; /* where RET leads */

   /* END in a subroutine: a variable that is 1 in lanes that have ended. */
   bool ends_in_subroutines;
   uint32_t ended;

   /* Subroutines by instruction: their LIR functions, UINT32_MAX when nobody
    * has called them yet. The called ones, in the order of the calls. */
   uint32_t *functions;
   uint32_t *called;
   uint32_t num_called;

   bool has_branches;
   bool *is_on_path; /* these two by instruction: branch.c */
   bool *is_cycle;
};

/* Control-flow analysis of a shader, and what lowering keeps about it.
 * TG_ERROR_INPUT, TG_ERROR_MEMORY. In any case lower_flow_finish() follows. */
enum tg_result
lower_flow_create(struct lower_context *context);
void
lower_flow_finish(struct lower_context *context);

/* Writes the entry function and all that it calls: shader/program.c. */
void
lower_program(struct lower_context *context);

/* Adds the construct that begins with the instruction at hand; it has no part
 * yet. Its LIR constructs are open already. */
struct lower_construct *
lower_flow_open(struct lower_context *context, uint32_t num_levels);

/* Makes [first, end) the part at hand of the innermost construct. */
void
lower_flow_enter_part(struct lower_context *context, uint32_t first,
                      uint32_t end);

/* Makes the instructions from the one at hand to its partner that part. */
void
lower_flow_enter_first_part(struct lower_context *context);

/* Closes the innermost construct, with what is open of it in LIR. */
void
lower_flow_close(struct lower_context *context);

/* The innermost construct that is open. */
struct lower_construct *
lower_flow_innermost(const struct lower_context *context);

/* Marks where the path that starts with the part at hand runs into itself, if
 * BRA makes it: branch.c. */
void
lower_follow_branches(struct lower_context *context);

/* Opens and closes the loops that backward BRAs make. False: another
 * instruction was chosen. */
bool
lower_branch_step_cycle(struct lower_context *context);

/* Lowers one instruction. */
void
lower_instruction(struct lower_context *context, uint32_t index);

#endif
