/* SPDX-License-Identifier: MIT
 *
 * What the files of the assembler share: the state of a reading, complaints,
 * and its parts.
 */
#ifndef MAXWELL_TEXT_ASSEMBLE_H
#define MAXWELL_TEXT_ASSEMBLE_H

#include "maxwell/isa/modifiers.h"
#include "maxwell/isa/program.h"
#include "util/lexer.h"

/* Braces around two instructions. */
enum maxwell_pair_state {
   MAXWELL_PAIR_NONE,
   MAXWELL_PAIR_OPEN,
   MAXWELL_PAIR_BROKEN, /* open, with a mistake in it */
};

struct maxwell_pair {
   enum maxwell_pair_state state;
   struct tg_position position; /* of the brace that opens it */
   uint32_t first;              /* instruction in it */
};

struct maxwell_assembler {
   struct tg_lexer lexer;
   struct tg_diagnostics *diagnostics; /* may be NULL */
   struct tg_maxwell_program *program;
   struct maxwell_pair pair;
   uint32_t num_errors;
   enum tg_result failure; /* TG_OK, or why it makes no sense to go on */
};

/* What has been read of an instruction. */
struct maxwell_statement {
   struct tg_position position; /* of its name */
   struct tg_word name;
   struct maxwell_instruction instruction;
   struct maxwell_properties properties;
   bool has_target;
   bool has_schedule; /* some control bits were written */
   union maxwell_control control;
};

/* Makes an error of what printf() would make of the format; returns false. */
bool
maxwell_assemble_error(struct maxwell_assembler *assembler,
                       struct tg_position position, const char *code,
                       const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* "expected WHAT, found ..." at what comes next; returns false. */
bool
maxwell_assemble_expected(struct maxwell_assembler *assembler, const char *what,
                          const char *note);

/* Takes a number, decimal or with 0x, up to `most`. */
bool
maxwell_assemble_number(struct maxwell_assembler *assembler, const char *what,
                        uint64_t most, uint64_t *number_out);

/* Takes a predicate, P0 to P6 or PT. */
bool
maxwell_assemble_predicate(struct maxwell_assembler *assembler, uint16_t *out);

/* Takes the operands that the form has, from the first to the last
 * (assemble_operands.c). */
bool
maxwell_read_operands(struct maxwell_assembler *assembler,
                      struct maxwell_statement *statement);

/* Takes control bits before an instruction, or after it, if any are
 * written there (assemble_control.c). */
bool
maxwell_assemble_control_prefix(struct maxwell_assembler *assembler,
                                struct maxwell_statement *statement);
bool
maxwell_assemble_control_schedule(struct maxwell_assembler *assembler,
                                  struct maxwell_statement *statement);

/* Takes a brace that opens a pair, if it comes next; and the one that closes
 * it, which does (assemble_pair.c). */
bool
maxwell_open_pair(struct maxwell_assembler *assembler);
void
maxwell_close_pair(struct maxwell_assembler *assembler);

/* Says why maxwell_set_modifiers() has failed; always false. */
bool
maxwell_refuse_modifiers(struct maxwell_assembler *assembler,
                         const struct maxwell_statement *statement);

#endif
