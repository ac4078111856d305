/* SPDX-License-Identifier: MIT
 *
 * Structured control flow of a shader: which ELSE and ENDIF belong to an IF,
 * what a BRK leaves, where a CAL goes. The validator reports what does not fit
 * together; lowering and the derived info walk over what does.
 *
 * Time and memory are linear in the number of instructions, and nothing here
 * recurses.
 */
#ifndef TG_TGSI_ANALYSIS_FLOW_H
#define TG_TGSI_ANALYSIS_FLOW_H

#include "tgsi/shader/shader.h"

#define TG_NO_INSTRUCTION UINT32_MAX

/* What belongs to one instruction. All fields are indices of instructions or
 * TG_NO_INSTRUCTION.
 *
 *    opcode           partner                      next
 *    IF UIF IFC       its ELSE, else its ENDIF
 *    ELSE             its ENDIF
 *    ENDIF            its IF
 *    BGNLOOP ...      its end
 *    ENDLOOP ...      its begin
 *    SWITCH           its ENDSWITCH                first CASE or DEFAULT
 *    CASE DEFAULT     its SWITCH                   next CASE or DEFAULT
 *    ENDSWITCH        its SWITCH
 *    BGNSUB           its ENDSUB
 *    ENDSUB           its BGNSUB
 *    BRK BREAKC       begin of the loop or SWITCH that it leaves
 *    CONT             begin of the loop that it continues
 *    CAL CALLNZ       BGNSUB that it calls
 *    BRA              instruction that it jumps to
 *    RET              BGNSUB around it, none in the main program
 *    END              the same; legal there in 2010 and 2011
 */
struct tg_flow_node {
   uint32_t partner;
   uint32_t next;
   uint32_t parent;        /* IF, ELSE, loop, SWITCH or BGNSUB around it */
   uint32_t default_label; /* of a SWITCH: its DEFAULT */
};

struct tg_flow_info {
   struct tg_arena arena;
   struct tg_flow_node *nodes; /* one for each instruction */
   uint32_t *subroutines;      /* each BGNSUB, in order */
   uint32_t num_subroutines;

   /* The main program, [begin, end): up to the first END or BGNSUB outside of
    * all constructs. A COMP program that consists of subroutines has the body
    * of the first one here. */
   uint32_t main_begin, main_end;
   bool only_subroutines;

   uint32_t num_ends;  /* END instructions that close the program */
   uint32_t max_depth; /* constructs in each other, at the deepest */
};

/* Control-flow analysis: matches openers, ENDs and branches. Every fault is
 * reported to `diagnostics`, which may be NULL; then TG_ERROR_INPUT is
 * returned, `*flow_out` is filled as far as it makes sense, and partners may be
 * missing. In any case the caller ends with tg_flow_finish(). TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. */
enum tg_result
tg_flow_analyse(const struct tg_shader *shader,
                struct tg_diagnostics *diagnostics,
                struct tg_flow_info *flow_out);

/* Frees what tg_flow_analyse() gave. */
void
tg_flow_finish(struct tg_flow_info *flow);

#endif
