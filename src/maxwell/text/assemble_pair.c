/* SPDX-License-Identifier: MIT
 *
 * Parsing of dual issue: braces around two instructions that are issued
 * together, as NVIDIA's listings have them. All that makes them a pair is that
 * the first stalls no cycle, so braces encode nothing and are only held against
 * that.
 */
#include "maxwell/text/assemble.h"

enum { INSTRUCTIONS = 2 };

bool
maxwell_open_pair(struct maxwell_assembler *assembler)
{
   struct tg_lexer *lexer = &assembler->lexer;
   struct maxwell_pair *pair = &assembler->pair;

   if (tg_lexer_peek(lexer) != '{')
      return true;

   struct tg_position position = tg_lexer_position(lexer, lexer->here);
   tg_lexer_accept(lexer, '{');
   if (pair->state == MAXWELL_PAIR_OPEN)
      return maxwell_assemble_error(assembler, position, "braces", NULL,
                                    "braces stand in braces");
   *pair = (struct maxwell_pair){MAXWELL_PAIR_OPEN, position,
                                 assembler->program->num_instructions};
   return true;
}

/* Looks at a pair that has been closed. */
static void
check_pair(struct maxwell_assembler *assembler, const struct maxwell_pair *pair)
{
   const struct tg_maxwell_program *program = assembler->program;
   uint32_t count = program->num_instructions - pair->first;

   if (count != INSTRUCTIONS) {
      maxwell_assemble_error(assembler, pair->position, "braces",
                             "two instructions are issued together",
                             "there %s %u instruction%s in braces",
                             count == 1 ? "is" : "are", count,
                             count == 1 ? "" : "s");
      return;
   }

   union maxwell_control control =
      maxwell_isa_decode_control(program->controls[pair->first]);
   if (control.stall)
      maxwell_assemble_error(
         assembler, program->positions[pair->first], "braces",
         "what is issued together has ?stall=0",
         "the first instruction in braces stalls %u cycle%s", control.stall,
         control.stall == 1 ? "" : "s");
}

void
maxwell_close_pair(struct maxwell_assembler *assembler)
{
   struct tg_lexer *lexer = &assembler->lexer;
   struct maxwell_pair pair = assembler->pair;
   struct tg_position position = tg_lexer_position(lexer, lexer->here);

   tg_lexer_accept(lexer, '}');
   assembler->pair.state = MAXWELL_PAIR_NONE;
   if (pair.state == MAXWELL_PAIR_NONE)
      maxwell_assemble_error(assembler, position, "braces", NULL,
                             "there is no '{' for this '}'");
   else if (pair.state == MAXWELL_PAIR_OPEN)
      check_pair(assembler, &pair);
}
