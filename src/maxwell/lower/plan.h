/* SPDX-License-Identifier: MIT
 *
 * Expansion of a texture instruction of TGSI into steps: what plan.c and form.c
 * decide about it and operands.c finds values for.
 */
#ifndef MAXWELL_LOWER_PLAN_H
#define MAXWELL_LOWER_PLAN_H

#include "maxwell/lower/lower.h"

enum maxwell_lower_work {
   MAXWELL_LOWER_WORK_LOOKUP,
   MAXWELL_LOWER_WORK_FETCH,
   MAXWELL_LOWER_WORK_GATHER,
   MAXWELL_LOWER_WORK_SIZE,
   MAXWELL_LOWER_WORK_SAMPLES,
   MAXWELL_LOWER_WORK_POSITIONS,
   MAXWELL_LOWER_WORK_LEVEL,
};

/* A row of lower.def. */
struct maxwell_lower_row {
   uint16_t opcode;
   uint8_t work;      /* enum maxwell_lower_work */
   uint8_t lod;       /* enum maxwell_lod */
   uint8_t level_src; /* source, or 9 */
   uint8_t level_channel;
   uint8_t reference;  /* source, or 9 */
   uint8_t derivative; /* source, or 9 */
   uint8_t object;     /* source */
};

enum { MAXWELL_LOWER_NO_SOURCE = 9 };

/* A register of the fetches in a quad that each of them has for itself: the
 * value of the thread that it is for, in each thread moved by that thread's
 * derivatives in x and y, if there are any. */
struct maxwell_lower_carried {
   uint32_t place; /* value of the register */
   uint32_t value;
   uint32_t derivative[2]; /* values, or MAXWELL_LOWER_NONE */
};

struct maxwell_lower_plan {
   struct tg_maxwell_lowering *lowering;
   struct maxwell_lower_fetch *fetch;
   const struct tg_instruction *instruction;
   const struct maxwell_lower_row *row;
   enum tg_target target;
   enum maxwell_lod lod; /* that the instruction has, not that it asks for */
   bool compares, is_multisampled;
   bool fetches_faces; /* of a cube, which are layers then */
   uint8_t level_src;  /* as in the row, if the target has levels */
   uint8_t level_channel;
   bool is_in_quad;     /* no form takes its derivatives */
   unsigned components; /* of the texel that are used */
   uint32_t reciprocal; /* value of 1 / w, once it was made */
   uint32_t handle;     /* value of one in a register, or MAXWELL_LOWER_NONE */
   struct maxwell_lower_carried carried[2 * MAXWELL_MAX_GROUP];
   uint32_t num_carried;
   enum tg_result result; /* TG_OK, or why there is no plan */
};

/* ---- plan.c -------------------------------------------------------------- */

/* The row of an opcode, or NULL: it does nothing with textures. */
const struct maxwell_lower_row *
maxwell_lower_plan_row(enum tg_opcode opcode);

/* Appends a step. False when out of memory. */
bool
maxwell_lower_plan_step(struct maxwell_lower_plan *plan,
                        struct maxwell_lower_step step);

/* The same of one without operands of its own: one that saves or restores who
 * is active, or the fetch of this number. */
bool
maxwell_lower_plan_bare_step(struct maxwell_lower_plan *plan,
                             enum maxwell_lower_step_kind kind, unsigned word);

/* ---- form.c -------------------------------------------------------------- */

/* What the instruction asks for: target, level and what goes with them. */
void
maxwell_lower_form_request(struct maxwell_lower_plan *plan);

/* Chooses the form, with modifiers and mask, or refuses the instruction. */
void
maxwell_lower_choose_form(struct maxwell_lower_plan *plan);

/* Is the texture named by a handle in a register, not by number? */
bool
maxwell_lower_form_is_bindless(const struct maxwell_lower_plan *plan);

/* ---- slots.c, nodep.c ---------------------------------------------------- */

/* Finds the slot of the instruction's handle, if it has one. */
void
maxwell_lower_set_slot(struct maxwell_lower_plan *plan);

/* Gives all slots their indices. TG_ERROR_LIMIT. */
enum tg_result
maxwell_lower_number_slots(struct tg_maxwell_lowering *lowering);

/* Sets .NODEP where it may be. TG_ERROR_MEMORY. */
enum tg_result
maxwell_lower_set_nodep(struct tg_maxwell_lowering *lowering);

/* ---- operands.c ---------------------------------------------------------- */

/* A new value of a step of this instruction; MAXWELL_LOWER_NONE when out of
 * memory. */
uint32_t
maxwell_lower_fresh_operand(struct maxwell_lower_plan *plan);

/* A new value that a step makes, likewise. */
uint32_t
maxwell_lower_make_operand(struct maxwell_lower_plan *plan,
                           struct maxwell_lower_step step);

/* The value of these bits. */
uint32_t
maxwell_lower_word_operand(struct maxwell_lower_plan *plan, uint32_t bits);

/* A register's component as steps show what comes from memory, in the arena;
 * NULL when out of memory. */
const char *
maxwell_lower_operand_text(struct maxwell_lower_plan *plan,
                           const struct tg_register *reg, unsigned channel);

/* Is channel `channel` of a source the constant 0, as an immediate or moved
 * from one? */
bool
maxwell_lower_operand_is_zero(const struct maxwell_lower_plan *plan,
                              unsigned src, unsigned channel);

/* The value of a register's component before the instruction. */
uint32_t
maxwell_lower_register_operand(struct maxwell_lower_plan *plan,
                               const struct tg_register *reg, unsigned channel);

/* Channel `channel` of a source, with its modifiers. MAXWELL_LOWER_NONE when
 * out of memory. */
uint32_t
maxwell_lower_source_operand(struct maxwell_lower_plan *plan, unsigned src,
                             unsigned channel);

/* The value that a register of a source group is to have; steps that make it
 * are appended. MAXWELL_LOWER_NONE when out of memory. */
uint32_t
maxwell_lower_operand(struct maxwell_lower_plan *plan,
                      enum maxwell_operand operand);

/* A value for an object's index: the handle of an indirectly named texture. */
uint32_t
maxwell_lower_handle_operand(struct maxwell_lower_plan *plan);

/* ---- offsets.c ----------------------------------------------------------- */

/* Offsets from number `first` on as far as they share a register, from bit
 * `base` of it on: the immediate ones as a constant, the others over it. */
uint32_t
maxwell_lower_offset(struct maxwell_lower_plan *plan, unsigned first,
                     unsigned base);

/* ---- results.c ----------------------------------------------------------- */

/* The value of a register that the fetch writes, whose content is that of a
 * result's group: a channel of the destination itself if that may be, else a
 * new one. MAXWELL_LOWER_NONE when out of memory. */
uint32_t
maxwell_lower_result(struct maxwell_lower_plan *plan, unsigned content);

/* Appends the steps that bring what is in there to where the shader wants it.
 * False when out of memory. */
bool
maxwell_lower_bring_result(struct maxwell_lower_plan *plan, unsigned content,
                           uint32_t value);

/* The components of the texel that are read later; true if any channel of the
 * destination is, whose value may also be known without a fetch. */
bool
maxwell_lower_used_results(const struct maxwell_lower_plan *plan,
                           unsigned *components_out);

/* Appends the steps that write the channels whose values are known. False when
 * out of memory. */
bool
maxwell_lower_known_results(struct maxwell_lower_plan *plan);

/* ---- quad.c -------------------------------------------------------------- */

/* May threads that are not active at an instruction have values that they read
 * later? */
bool
maxwell_lower_quad_may_be_elsewhere(const struct tg_maxwell_lowering *lowering,
                                    uint32_t at);

/* The word whose results all others are put into. */
unsigned
maxwell_lower_quad_base(const struct maxwell_lower_plan *plan);

/* As maxwell_lower_operand(), of a fetch in a quad. */
uint32_t
maxwell_lower_quad_operand(struct maxwell_lower_plan *plan,
                           enum maxwell_operand operand);

/* Appends the fetches, with what makes their operands. False when out of
 * memory. */
bool
maxwell_lower_fetch_in_quad(struct maxwell_lower_plan *plan);

/* Appends the steps that put together what they gave. */
bool
maxwell_lower_keep_in_quad(struct maxwell_lower_plan *plan);

#endif
