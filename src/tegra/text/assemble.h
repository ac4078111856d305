/* SPDX-License-Identifier: MIT
 *
 * What the files of the assembler share: its state, complaints, and the
 * instruction that is being read. Every function that returns bool returns
 * false after it has complained; the statement is then given up and the
 * assembler goes on with the next one.
 *
 * An instruction is read into fields, and every field that the text says
 * something about is remembered. Whatever may not share an instruction is so
 * found as a field that is set twice.
 */
#ifndef TEGRA_TEXT_ASSEMBLE_H
#define TEGRA_TEXT_ASSEMBLE_H

#include <locale.h>

#include "tegra/isa/implied.h"
#include "tegra/isa/program.h"
#include "util/lexer.h"

struct assemble_label {
   struct tg_word name;
   uint32_t instruction; /* the one that follows */
};

/* A branch to a label. */
struct assemble_branch {
   struct tg_word name;
   uint32_t instruction; /* that branches */
   bool has_rc;          /* and reads rC too: the swizzle must be the target */
   bool is_overridden;   /* by an option */
};

/* What statements declare; the first are those of enum tg_tegra_name. */
enum assemble_section {
   ASSEMBLE_ATTRIBUTES = TG_TEGRA_ATTRIBUTE,
   ASSEMBLE_EXPORTS = TG_TEGRA_EXPORT,
   ASSEMBLE_UNIFORMS = TG_TEGRA_UNIFORM,
   ASSEMBLE_CONSTANTS,
   ASSEMBLE_CODE,
   ASSEMBLE_NUM_SECTIONS,
   /* One whose name was complained of: what it declares is stepped over. */
   ASSEMBLE_UNKNOWN = ASSEMBLE_NUM_SECTIONS,
};

struct assembler {
   struct tg_lexer lexer;
   struct tg_diagnostics *diagnostics; /* may be NULL */
   struct tg_tegra_program *program;
   struct tg_arena arena; /* labels and branches */
   locale_t c_locale;     /* floats have a point, whatever the user's say */
   bool is_strict;
   bool ends_last; /* the last instruction gets the end bit */
   enum tegra_style style;
   enum assemble_section section;
   bool has_end; /* some instruction has the end bit */
   struct assemble_label *labels;
   uint32_t num_labels, label_capacity;
   struct assemble_branch *branches;
   uint32_t num_branches, branch_capacity;
   size_t num_errors;
   enum tg_result failure; /* TG_OK, or why it makes no sense to go on */
};

/* The instruction that is being read. */
struct assemble_line {
   struct tg_position position;
   union tegra_instruction instruction;
   tegra_field_set explicit;     /* members that the text gives */
   union tegra_instruction raw;  /* by options with the names of fields, */
   tegra_field_set raw_explicit; /* which go before all else */
   bool has_target;              /* rc_swz is one, or will be */
   unsigned rc_lanes;            /* of rc_swz that operations read */
   struct tg_word label;         /* the target, or empty */
};

/* ---- complaints (assemble.c) --------------------------------------------- */

/* Adds an error of what printf() would make of the format; returns false. */
bool
assemble_error(struct assembler *as, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* Adds a diagnostic for what grate's assembler takes and does not do as
 * written: a warning, after which it is true, or an error where that was asked
 * for. */
bool
assemble_doubt(struct assembler *as, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* Adds a warning of what is right, but hardly meant. */
void
assemble_warning(struct assembler *as, struct tg_position position,
                 const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* Complains "expected WHAT, found ..." at the byte that comes next. */
bool
assemble_expected(struct assembler *as, const char *what);

/* Takes `c`, or complains that `what` was expected. */
bool
assemble_char(struct assembler *as, char c, const char *what);

/* ---- numbers (assemble_number.c) ----------------------------------------- */

/* Reads decimal digits, or 0x and up to eight hexadecimal ones; false when the
 * word is something else or has more than 32 bits. */
bool
assemble_read_number(struct tg_word word, uint32_t *number_out);

/* Takes a number that is at most `most`. */
bool
assemble_number(struct assembler *as, const char *what, uint32_t most,
                uint32_t *number_out);

/* Takes one of the four numbers after `.word`. */
bool
assemble_word(struct assembler *as, uint32_t *word_out);

/* ---- fields (assemble_field.c) ------------------------------------------- */

/* Sets a field. False after a complaint: it was set to another value before. */
bool
assemble_set_field(struct assembler *as, struct assemble_line *line,
                   unsigned field, unsigned value, struct tg_position position);

/* ---- labels (assemble_label.c) ------------------------------------------- */

/* Defines a label: `name:`, of which the name was taken. */
bool
assemble_label(struct assembler *as, struct tg_word name);

/* The instruction that will be added next branches to a label. */
bool
assemble_branch(struct assembler *as, const struct assemble_line *line);

/* Resolves labels: all branch targets get their numbers. */
void
assemble_resolve_branches(struct assembler *as);

/* ---- operands (assemble_operand.c) --------------------------------------- */

/* The component that a letter names, or -1. */
int
assemble_component(char letter);

/* Takes a destination of an opcode of this unit and says it. */
bool
assemble_destination(struct assembler *as, struct assemble_line *line,
                     enum tegra_unit unit, const char *opcode,
                     bool is_address_op);

/* A source as the text has it. */
struct assemble_source {
   struct tegra_operand operand;
   unsigned address; /* the component of A0, where it is relative */
   unsigned lanes;   /* that the operation reads */
   struct tg_position position;
};

bool
assemble_source(struct assembler *as, struct assemble_source *source_out);

/* Says all that a source of an instruction holds. */
bool
assemble_set_source(struct assembler *as, struct assemble_line *line,
                    enum tegra_source place,
                    const struct assemble_source *source);

/* Takes what stands between the brackets of `c[A0.x + 3]`, and those. */
bool
assemble_index(struct assembler *as, const char *what, uint32_t most,
               uint32_t *index_out, bool *is_relative_out,
               unsigned *address_out);

/* Takes the letters of a swizzle. */
bool
assemble_swizzle(struct assembler *as, uint8_t *swizzle_out);

/* Takes a label or a number, and says it. */
bool
assemble_target(struct assembler *as, struct assemble_line *line);

/* Does a register come next that can be written? */
bool
assemble_at_destination(struct assembler *as);

/* ---- options (assemble_option.c) ----------------------------------------- */

/* Takes all options of an instruction. */
bool
assemble_options(struct assembler *as, struct assemble_line *line);

/* ---- operations that are others (assemble_pseudo.c) ---------------------- */

/* Bits of a source of the tables below that say where it comes from: 1 to 3 of
 * the text, 4 the destination. */
enum { ASSEMBLE_ORIGIN = 7 };

/* Conditions that a branch accepts. */
enum {
   ASSEMBLE_LESS = 1,
   ASSEMBLE_EQUAL = 2,
   ASSEMBLE_GREATER = 4,
};

/* An operation that is another one. */
struct assemble_pseudo {
   const char *name; /* with the letter of its unit */
   uint8_t unit, opcode;
   uint8_t sources[TEGRA_NUM_SOURCES];
   uint8_t conditions; /* 0: it is no branch */
};

enum { ASSEMBLE_MAX_STEPS = 3 };

struct assemble_step {
   uint8_t unit, opcode;
   uint8_t sources[TEGRA_NUM_SOURCES];
};

/* An operation that is several instructions; after the last step is NOP. */
struct assemble_expansion {
   const char *name; /* with the letter of a unit */
   uint8_t num_sources;
   struct assemble_step steps[ASSEMBLE_MAX_STEPS];
};

/* The pseudo-operation of a name, or NULL. */
const struct assemble_pseudo *
assemble_find_pseudo(struct tg_word word);
const struct assemble_expansion *
assemble_find_pseudo_expansion(struct tg_word word);

/* The operation that a word may have meant, or NULL. */
const char *
assemble_suggest_operation(struct tg_word word);

/* The source of the hardware's operation that a row makes of one of the text
 * when `mask` is written. */
struct assemble_source
assemble_derive(const struct assemble_source *text, unsigned how,
                unsigned mask);

/* Expands a pseudo-operation: takes it and `;`, and adds the instructions that
 * it is (assemble_expand.c). `options` is an instruction without operations. */
bool
assemble_expand(struct assembler *as, const struct assemble_line *options,
                const struct assemble_expansion *expansion);

/* ---- statements ---------------------------------------------------------- */

/* Assembles an instruction, from EXEC on, which was taken
 * (assemble_instruction.c). */
bool
assemble_instruction(struct assembler *as, bool is_end,
                     struct tg_position position);

/* Appends an instruction, with what it does not say. */
bool
assemble_add_instruction(struct assembler *as, struct assemble_line *line);

/* Assembles the words after `.word`, which was taken. */
bool
assemble_instruction_words(struct assembler *as, struct tg_position position);

/* Assembles the name of a register: `[index] = "name";`
 * (assemble_declaration.c). */
bool
assemble_name_declaration(struct assembler *as, enum tg_tegra_name kind);

/* Assembles a constant: `[index].x = 1.0;` */
bool
assemble_constant_declaration(struct assembler *as);

#endif
