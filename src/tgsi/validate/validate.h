/* SPDX-License-Identifier: MIT
 *
 * What the files of the validator share: the state of one validation, how
 * complaints are made, and one function for each family of rules. validate.c
 * calls the families in order; each lives in the file that is named for it.
 *
 * Rules report and go on. A rule that needs something that an earlier rule has
 * found broken says nothing about it.
 */
#ifndef TG_TGSI_VALIDATE_H
#define TG_TGSI_VALIDATE_H

#include "tgsi/analysis/declared.h"
#include "tgsi/analysis/flow.h"
#include "tgsi/analysis/instruction.h"

struct validation {
   const struct tg_shader *shader;
   struct tg_diagnostics *diagnostics;
   struct tg_arena arena; /* what the rules need while they run */
   enum tg_result result;
   bool is_strict; /* warn of what real producers write too */

   struct tg_declared declared;
   struct tg_flow_info flow; /* from validate_flow() on */
   uint8_t *masks;           /* by declaration: channels, with other pieces' */
   bool *is_used;            /* by declaration: accessed directly */
   bool is_used_whole[TG_NUM_FILES]; /* by file: accessed indirectly */
   uint32_t *arrays;                 /* keys of ARRAY(n), sorted */
   uint32_t num_arrays;
   uint32_t value_files;    /* 1 << enum tg_file: values are read from them */
   uint32_t writable_files; /* and written to these */
   uint32_t num_vertices[TG_NUM_FILES]; /* of per-vertex IN and OUT */
   bool has_texture_kind[2]; /* an opcode of TG_GROUP_TEX, of SAMPLE was seen */

   /* The instruction at hand. */
   const struct tg_instruction *instruction;
   const struct tg_opcode_info *info; /* its row: tg_instruction_row() */
};

/* ---- complaints ---------------------------------------------------------- */

/* Adds a diagnostic of the validator. `code` is stable, `note` may be NULL. */
void
validate_report(struct validation *validation, enum tg_severity severity,
                struct tg_position position, const char *code, const char *note,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
void
validate_error(struct validation *validation, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));
void
validate_warning(struct validation *validation, struct tg_position position,
                 const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* A note, or an operand, that lives as long as the expression it stands in. */
struct validate_text {
   char text[160];
};
struct validate_text
validate_format_text(const char *format, ...)
   __attribute__((format(printf, 1, 2)));

/* `CONST[1][ADDR[0].x+3]`, as the shader's text spells it. */
struct validate_text
validate_register_text(const struct tg_register *reg);

/* "xz": the channels of a mask. */
struct validate_text
validate_mask_text(unsigned mask);

/* "VERT or GEOM": the stages of a set; "no stage" of none. */
struct validate_text
validate_stages_text(unsigned stages);

/* ---- questions that several families ask --------------------------------- */

/* Files with all of these accesses (TG_ACCESS_*) and none of those, as a set
 * of 1 << enum tg_file. */
uint32_t
validate_operand_files_with(unsigned access, unsigned without);

/* A register of RES that nothing declares: RGLOBAL and the like. */
bool
validate_is_kernel_memory(const struct tg_register *reg);

/* The declaration of the register of an operand that is not indirect, or NULL.
 */
const struct tg_declaration *
validate_find_register(const struct validation *validation,
                       const struct tg_register *reg);

/* The channels of the register of source `src` that the instruction, whose row
 * is `row`, needs in any case: after the swizzle, and x of what is stored in a
 * texel, whose format may have no more. */
unsigned
validate_operand_channels(const struct tg_instruction *instruction,
                          const struct tg_opcode_info *row, unsigned src);

/* Checks that the register of an operand is declared, and its indices. */
void
validate_register(struct validation *validation, const struct tg_register *reg);

/* ---- families of rules, of the whole shader ------------------------------ */

/* Check a shader, one kind of rule each. */
void
validate_declaration_order(struct validation *validation);
void
validate_properties(struct validation *validation);
void
validate_declarations(struct validation *validation);
void
validate_declared_immediates(struct validation *validation);
void
validate_flow(struct validation *validation);
void
validate_texture_views(struct validation *validation);
void
validate_values(struct validation *validation);
void
validate_unused_declarations(struct validation *validation);

/* ---- families of rules, of the instruction at hand ----------------------- */

/* Check an instruction: its stage, counts of operands, what else the opcode
 * asks for. False when the operands do not fit the opcode's row and are better
 * not looked at. */
bool
validate_opcode(struct validation *validation);
void
validate_opcode_modifiers(struct validation *validation);
void
validate_operands(struct validation *validation);
void
validate_texture(struct validation *validation);
void
validate_memory(struct validation *validation);

#endif
