/* SPDX-License-Identifier: MIT
 *
 * The decompiler: from words to TGSI, in parts that know those before them:
 *
 *    text         lines, registers, immediates, declarations
 *    operand      registers, constants, immediates
 *    value        what an operation computes
 *    predicate    when it is written, or a jump happens
 *    instruction  the rest of a word: order of the units, export, condition
 *                 register, A0, stack
 *    flow         which instruction can follow which; `liveness`: what is read
 *                 before it is written
 *    structure    IF, loops and subroutines, over `function` and `graph`
 *    machine      a loop around a SWITCH, where flow has no structure
 *
 * r0 is TEMP[0], a[0] IN[0], c[0] CONST[0], export 0 OUT[0], A0 ADDR[0]. A
 * component of a condition register is a component of a TEMP that holds the
 * value whose sign it is.
 */
#ifndef TEGRA_DECOMPILE_H
#define TEGRA_DECOMPILE_H

#include "tegra/isa/program.h"
#include "util/strbuf.h"

/* ---- text ---------------------------------------------------------------- */

/* A piece of a line, by value. */
struct decompile_text {
   char text[64];
};

/* Temporaries beside r0 to r31. They are numbered after those in the order in
 * which they are first used. */
enum decompile_role {
   DECOMPILE_CONDITION, /* CR0, CR1 */
   DECOMPILE_GATE = DECOMPILE_CONDITION + TEGRA_NUM_CONDITIONS,
   DECOMPILE_RESULT, /* of the vector and of the scalar unit */
   DECOMPILE_WORK = DECOMPILE_RESULT + TEGRA_NUM_UNITS, /* two */
   DECOMPILE_FETCHED = DECOMPILE_WORK + 2, /* a constant from two places */
   DECOMPILE_BRANCH,
   DECOMPILE_FLAGS,   /* of ways that meet before others do */
   DECOMPILE_STATE,   /* of a machine: instruction, depth, entries' kinds */
   DECOMPILE_STACKED, /* an entry on its way */
   DECOMPILE_STACK,
   DECOMPILE_NUM_ROLES = DECOMPILE_STACK + TG_TEGRA_STACK_DEPTH,
};

enum { DECOMPILE_MAX_TEMPORARIES = 64 };

struct decompile_immediate {
   bool is_integer;
   bool is_vector;    /* a constant of the program: nothing is added to it */
   uint8_t num_words; /* in use */
   uint32_t constant; /* which one it is */
   uint32_t words[4];
};

struct decompile {
   struct tg_arena arena;
   const struct tg_tegra_program *program;
   struct tg_diagnostics *diagnostics;
   union tegra_instruction instructions[TG_TEGRA_MAX_INSTRUCTIONS];
   uint32_t num_instructions;
   bool out_of_memory;

   /* The text as far as it is written. */
   struct tg_strbuf body;
   uint32_t num_lines;
   unsigned nesting;
   struct decompile_immediate *immediates;
   uint32_t num_immediates, immediate_capacity;
   uint8_t roles[DECOMPILE_NUM_ROLES];     /* numbers of TEMP; 0: none yet */
   uint8_t num_registers, num_temporaries; /* of the program, of the shader */
   bool uses_temporary[DECOMPILE_MAX_TEMPORARIES];
   bool uses_attribute[TG_TEGRA_NUM_ATTRIBUTES];
   bool uses_constant[TG_TEGRA_NUM_CONSTANTS];
   bool uses_export[TG_TEGRA_NUM_EXPORTS];
   bool uses_address[2];
   bool uses_stack_array;

   /* Does every RET find what its call has left on the stack? */
   bool is_structured;
   /* Can control reach an instruction? */
   bool is_reached[TG_TEGRA_MAX_INSTRUCTIONS];
   bool ends; /* and to an end */
   /* Is a condition register written anywhere? If not it says "equal". */
   bool sets_condition[TEGRA_NUM_CONDITIONS];
   /* What a component of A0 ever holds lies between these. */
   int32_t least_address[4], most_address[4];
};

/* Forgets all text and what it uses. */
void
decompile_text_clear(struct decompile *decompile);

struct decompile_text
decompile_text_format(const char *format, ...)
   __attribute__((format(printf, 1, 2)));

/* Writes an instruction: its number and indentation, then this. */
void
decompile_text_line(struct decompile *decompile, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Writes what opens a construct, closes it or stands between. */
void
decompile_text_open(struct decompile *decompile, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
void
decompile_text_close(struct decompile *decompile, const char *text);

/* The text of a temporary: TEMP[n], of the program or of a role. */
struct decompile_text
decompile_text_temporary(struct decompile *decompile, unsigned index);
struct decompile_text
decompile_text_role(struct decompile *decompile, unsigned role);

/* An immediate in all components. */
struct decompile_text
decompile_text_float(struct decompile *decompile, float value);
struct decompile_text
decompile_text_integer(struct decompile *decompile, int32_t value);

/* The register with the components that the program gives c[index], zeros being
 * those of constants that do not exist. */
struct decompile_text
decompile_text_given(struct decompile *decompile, uint32_t index);

/* The text of a write mask: `.xz` for 10, nothing for 15. */
struct decompile_text
decompile_text_mask(unsigned mask);

/* The swizzle for a reader of these components; nothing when it is the
 * identity. */
struct decompile_text
decompile_text_swizzle(unsigned swizzle, unsigned components);

/* Gives away the text of the whole shader: declarations, then what was written.
 * NULL when memory ran out. To be freed with tg_string_free(). */
char *
decompile_text_take(struct decompile *decompile);

/* ---- operands ------------------------------------------------------------ */

/* What the operands of an instruction are, found before anything is written.
 */
struct decompile_operands {
   const union tegra_instruction *instruction;
   struct decompile_text attribute, constant; /* registers; "" : not read */
};

/* Writes what finding them takes, for the components that the units write. */
void
decompile_find_operands(struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned v_mask, unsigned s_mask,
                        struct decompile_operands *operands);

/* The text of a relative index: ADDR[0].c+n */
struct decompile_text
decompile_operand_index(struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned field);

/* Those of `count` registers that A0 and the field can lead to, from `first` on
 * and before `end`. */
struct decompile_range {
   int first, end;
   bool may_be_less; /* the index may be below 0 */
};
struct decompile_range
decompile_operand_range(const struct decompile *decompile,
                        const union tegra_instruction *instruction,
                        unsigned field, unsigned count);

/* A source for a reader of these components; with `only` not negative, that
 * component in all. */
struct decompile_text
decompile_source_operand(struct decompile *decompile,
                         const struct decompile_operands *operands,
                         enum tegra_source source, unsigned components,
                         int only);

/* Does a number pass for every component of a source that is read, all of which
 * the program gives? */
bool
decompile_operand_is_known(const struct decompile *decompile,
                           const struct decompile_operands *operands,
                           enum tegra_source source, unsigned components,
                           bool (*passes)(float value));

/* The components that a unit reads of a file's register to write those of
 * `mask`; `index` -1 means any register. */
unsigned
decompile_operand_components(const union tegra_instruction *instruction,
                             enum tegra_unit unit, enum tegra_file file,
                             unsigned mask, int index);

/* ---- values -------------------------------------------------------------- */

static inline unsigned
decompile_opcode(const union tegra_instruction *instruction,
                 enum tegra_unit unit)
{
   return unit == TEGRA_VECTOR ? instruction->v_op : instruction->s_op;
}

bool
decompile_has_value(const union tegra_instruction *instruction,
                    enum tegra_unit unit);

/* Is it a MOV, whose source is its value? Then the source. */
bool
decompile_value_is_copy(struct decompile *decompile,
                        const struct decompile_operands *operands,
                        enum tegra_unit unit, unsigned mask,
                        struct decompile_text *source_out);

/* Writes what gives these components of a register the operation's value. The
 * register is written last, when all sources have been read. */
void
decompile_value(struct decompile *decompile,
                const struct decompile_operands *operands, enum tegra_unit unit,
                const char *reg, unsigned mask);

/* ---- predicates ---------------------------------------------------------- */

enum decompile_when {
   DECOMPILE_NEVER,
   DECOMPILE_SOMETIMES,
   DECOMPILE_ALWAYS,
};

/* When does an instruction write, and when does its branch happen? */
enum decompile_when
decompile_predicate_writes(const struct decompile *decompile,
                           const union tegra_instruction *instruction);
enum decompile_when
decompile_predicate_jumps(const struct decompile *decompile,
                          const union tegra_instruction *instruction);

/* Writes all ones to the gate, in the components of the mask that may be
 * written. */
void
decompile_write_predicate_gate(struct decompile *decompile,
                               const union tegra_instruction *instruction,
                               unsigned mask);

/* Writes what decides a jump that happens sometimes, and returns the operand of
 * an IF: it holds if the jump happens, or with `is_negated` if it does not.
 * With `is_early` it is good when the instruction has been written, too. */
struct decompile_text
decompile_predicate_condition(struct decompile *decompile,
                              const union tegra_instruction *instruction,
                              bool is_negated, bool is_early);

/* Does it take no instruction more if it is negated? */
bool
decompile_predicate_is_negated_freely(
   const union tegra_instruction *instruction);

/* ---- instructions -------------------------------------------------------- */

/* What a unit writes; masks as in words. */
struct decompile_writes {
   unsigned mask;      /* of the value, all that follow together */
   unsigned temporary; /* of `rd`, 0: not written */
   unsigned rd;
   unsigned exported;
   unsigned condition;
   unsigned address;
};
struct decompile_writes
decompile_instruction_writes(const struct decompile *decompile,
                             const union tegra_instruction *instruction,
                             enum tegra_unit unit);

/* The exports that a relative one, or else the one that an instruction names,
 * can be. */
struct decompile_range
decompile_instruction_exports(const struct decompile *decompile,
                              const union tegra_instruction *instruction);

/* What the stack sees of both units together: PUSH, POP or NONE. */
enum tegra_effect
decompile_instruction_stack_effect(const union tegra_instruction *instruction);

/* Can the export's number, which is relative, end the program? */
bool
decompile_instruction_may_abort(const struct decompile *decompile,
                                const union tegra_instruction *instruction);

/* Writes a RET for when it does. */
void
decompile_instruction_write_abort(struct decompile *decompile,
                                  const union tegra_instruction *instruction);

bool
decompile_instruction_sets_condition(
   const struct decompile *decompile,
   const union tegra_instruction *instruction);

/* Writes all that an instruction does but jumping. PUSHA puts A0 into the
 * register `stacked`, and POPA takes it from there. */
void
decompile_instruction(struct decompile *decompile, uint32_t number,
                      const char *stacked);

/* ---- flow ---------------------------------------------------------------- */

/* Collects facts about the program as a whole. */
void
decompile_learn_flow(struct decompile *decompile);

/* Where an instruction leads: to another, or to one of these. */
enum {
   DECOMPILE_ENDS = -1,
   DECOMPILE_ABORTS = -2,
};

struct decompile_exits {
   enum tegra_effect effect; /* of the scalar unit */
   enum decompile_when when; /* its jump, call or return happens */
   int jump;                 /* the target */
   int after;                /* where a call comes back to */
   int next;                 /* where it goes otherwise */
};
struct decompile_exits
decompile_flow_exits(const struct decompile *decompile, uint32_t number);

/* Calls `visit` with each instruction to which one may lead, not looking at the
 * stack: a RET leads after all calls. */
void
decompile_for_each_flow_exit(const struct decompile *decompile, uint32_t number,
                             void (*visit)(void *user, int exit), void *user);

/* Refuses programs that never end well. TG_ERROR_UNSUPPORTED. */
enum tg_result
decompile_check_flow_ends(struct decompile *decompile);

/* Writes zeros to what may be read, or leave the program, unwritten. */
void
decompile_initialise_live(struct decompile *decompile);

/* Writes the whole program, as structured control flow or as a loop over a
 * program counter. The first gives false, and text that is of no use, when its
 * flow has no structure. */
bool
decompile_structure(struct decompile *decompile);
void
decompile_machine(struct decompile *decompile);

#endif
