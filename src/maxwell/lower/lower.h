/* SPDX-License-Identifier: MIT
 *
 * Between TGSI and texture instructions: values, the steps that a texture
 * instruction becomes, and the registers that both get.
 *
 * A value is what some definitions of a register's component have in common
 * with the uses that they reach (a web), a constant, or something that a step
 * makes for the next one. Each has one register as long as it lives.
 * Instructions that are no texture instructions write their results wherever
 * that is; only what packing forces costs a move.
 *
 * The stages, in their order: liveness.c finds where components are alive and
 * values.c which of them are one value; plan.c finds what each texture
 * instruction becomes: its form with form.c, its steps and what must stand side
 * by side with operands.c, offsets.c, results.c, quad.c, slots.c and nodep.c;
 * place.c gives registers, with conflicts.c and tuples.c, which puts in moves;
 * schedule.c gives control bits. print.c and print_step.c show what came out.
 */
#ifndef MAXWELL_LOWER_H
#define MAXWELL_LOWER_H

#include "maxwell/isa/modifiers.h"
#include "maxwell/isa/program.h"
#include "tgsi/analysis/flow.h"
#include "tgsi/shader/shader.h"

/* ---- values -------------------------------------------------------------- */

enum maxwell_lower_value_kind {
   MAXWELL_LOWER_COMPONENT, /* of a register: file, index, channel */
   MAXWELL_LOWER_CONSTANT, /* CONST, index and channel; or the bits of a word */
   MAXWELL_LOWER_WORD,
   MAXWELL_LOWER_FRESH, /* made by a step for one after it */
};

#define MAXWELL_LOWER_NONE UINT32_MAX

struct maxwell_lower_value {
   uint8_t kind; /* enum maxwell_lower_value_kind */
   uint8_t file; /* enum tg_file, of a component */
   uint8_t channel;
   uint32_t index;     /* of the register, or the word */
   uint32_t dimension; /* of CONST */
   uint32_t at;        /* instruction: of a fresh value */
   uint16_t reg;       /* physical; MAXWELL_RZ until it has one */
   /* How often it is written, two standing for more, and the last instruction
    * that does. Of fresh values only those that are written more than once. */
   uint8_t num_definitions;
   uint32_t definition;
   bool reaches_others; /* is written in threads that are elsewhere, too */
};

/* ---- steps --------------------------------------------------------------- */

/* What they do is in steps.def. */
enum maxwell_lower_step_kind {
#define MAXWELL_LOWER_STEP(id, class, plural, text) MAXWELL_LOWER_STEP_##id,
#include "maxwell/lower/steps.def"
   MAXWELL_LOWER_NUM_STEPS
};

enum maxwell_lower_step_class {
   MAXWELL_LOWER_CLASS_MOVE,
   MAXWELL_LOWER_CLASS_CONVERSION,
   MAXWELL_LOWER_CLASS_QUAD,
   MAXWELL_LOWER_CLASS_FETCH,
};

struct maxwell_lower_step_info {
   uint8_t class; /* enum maxwell_lower_step_class */
   const char *plural;
   const char *text;
};

extern const struct maxwell_lower_step_info
   maxwell_lower_steps[MAXWELL_LOWER_NUM_STEPS];

/* How FSWZADD adds in a lane, of what quads need. */
enum maxwell_lower_signs {
   MAXWELL_LOWER_SIGNS_PP, /* src + src2 */
   MAXWELL_LOWER_SIGNS_NP, /* src2 - src */
   MAXWELL_LOWER_SIGNS_ZP, /* src2 */
};

struct maxwell_lower_step {
   uint8_t kind; /* enum maxwell_lower_step_kind */
   bool absolute, negate;
   uint8_t shift, width;
   uint8_t word;            /* of a fetch */
   uint8_t lane;            /* of each quad */
   uint8_t lanes;           /* of each quad, a bit each */
   uint8_t signs; /* two bits for each lane, enum maxwell_lower_signs */
   uint8_t guard;           /* channel of TGSI's predicate plus one; 0: none */
   uint8_t wait;            /* scoreboards to wait for before, a bit each */
   uint32_t dst, src, src2; /* values, or MAXWELL_LOWER_NONE */
   const char *text;
};

/* Values that must have consecutive registers. */
struct maxwell_lower_tuple {
   uint8_t count;
   uint8_t alignment;
   uint32_t value[MAXWELL_MAX_GROUP * 2];
};

/* A texture instruction of Maxwell. */
struct maxwell_lower_word {
   struct maxwell_instruction instruction;
   union maxwell_control control;
   uint32_t program_index;
   struct maxwell_lower_tuple results[2];
};

enum { MAXWELL_LOWER_QUAD = 4 }; /* threads */

/* What one texture instruction of TGSI became: one word, or one for each thread
 * of a quad, or none if all that is read of it is known. */
struct maxwell_lower_fetch {
   uint32_t at;         /* TGSI instruction */
   bool is_dead;        /* nothing reads what it would fetch */
   bool reaches_others; /* writes registers of threads that are elsewhere */
   bool needs_killed;   /* what a killed thread fetches is read */
   struct maxwell_lower_word words[MAXWELL_LOWER_QUAD];
   uint32_t num_words;
   struct maxwell_lower_tuple sources[2]; /* of all words */
   struct maxwell_lower_step
      *steps; /* MAXWELL_LOWER_STEP_FETCH is one for each word */
   uint32_t num_steps, step_capacity;
   uint32_t slot; /* of the handle, or MAXWELL_LOWER_NONE */
};

/* A handle's place: which view and sampler. */
struct maxwell_lower_slot {
   uint32_t view, sampler, index;
   uint32_t at;      /* the first TGSI instruction that needs it */
   bool is_of_faces; /* a cube's faces as layers of a 2D texture */
};

struct tg_maxwell_lowering {
   struct tg_arena arena; /* owns all below */
   const struct tg_shader *shader;
   struct tg_maxwell_lower_options options;
   struct tg_diagnostics *diagnostics;
   struct tg_flow_info flow;
   struct tg_maxwell_program *program;

   struct maxwell_lower_value *values;
   uint32_t num_values, value_capacity;

   /* Components of registers that live in registers: `num_components`. */
   struct maxwell_lower_components *components;

   struct maxwell_lower_fetch *fetches; /* in the order of the shader */
   uint32_t num_fetches, fetch_capacity;

   /* Scoreboards that each TGSI instruction waits for before its own work. */
   uint8_t *waits;

   /* What comes before the first instruction: constants moved to registers. */
   struct maxwell_lower_step *preamble;
   uint32_t num_preamble, preamble_capacity;

   struct maxwell_lower_slot *slots;
   uint32_t num_slots, slot_capacity;
   uint16_t num_registers; /* that were used */
};

/* ---- liveness.c, values.c ------------------------------------------------ */

/* Webs and liveness: finds components, their values and where they live.
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
maxwell_lower_find_values(struct tg_maxwell_lowering *lowering);

/* The instructions that may come next, two at most. */
unsigned
maxwell_lower_live_successors(const struct tg_maxwell_lowering *lowering,
                         uint32_t at, uint32_t out[2]);

/* The value that a component has just before, or just after, an instruction;
 * MAXWELL_LOWER_NONE when it is no component in a register. */
uint32_t
maxwell_lower_value_before(const struct tg_maxwell_lowering *lowering,
                           uint32_t at, const struct tg_register *reg,
                           unsigned channel);
uint32_t
maxwell_lower_value_after(const struct tg_maxwell_lowering *lowering,
                          uint32_t at, const struct tg_register *reg,
                          unsigned channel);

/* Is the component read after this instruction before it is written again? */
bool
maxwell_lower_value_is_live_after(const struct tg_maxwell_lowering *lowering,
                                  uint32_t at, const struct tg_register *reg,
                                  unsigned channel);

/* Calls back for each value that is alive before or after an instruction. */
typedef void (*maxwell_lower_live_function)(void *user, uint32_t value);
void
maxwell_lower_each_live_value(const struct tg_maxwell_lowering *lowering,
                              uint32_t at, bool after,
                              maxwell_lower_live_function function, void *user);

/* A new value, or MAXWELL_LOWER_NONE when out of memory. */
uint32_t
maxwell_lower_add_value(struct tg_maxwell_lowering *lowering,
                        struct maxwell_lower_value value);

/* ---- plan.c -------------------------------------------------------------- */

/* Instruction selection: finds what every texture instruction becomes.
 * TG_ERROR_LIMIT, TG_ERROR_UNSUPPORTED, TG_ERROR_MEMORY. */
enum tg_result
maxwell_lower_plan(struct tg_maxwell_lowering *lowering);

/* Puts a step just before all words and what they share, or just after.
 * False when out of memory. */
bool
maxwell_lower_plan_step_at(struct tg_maxwell_lowering *lowering,
                          struct maxwell_lower_fetch *fetch,
                          struct maxwell_lower_step step, bool is_after);

/* ---- place.c, schedule.c ------------------------------------------------- */

/* Registers for all values, with moves where tuples do not agree.
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
maxwell_lower_place(struct tg_maxwell_lowering *lowering);

/* Words with control bits, in lowering->program. TG_ERROR_LIMIT,
 * TG_ERROR_MEMORY. */
enum tg_result
maxwell_lower_schedule(struct tg_maxwell_lowering *lowering);

/* How many moves there are, of all fetches and before them. */
uint32_t
maxwell_lower_num_placed_moves(const struct tg_maxwell_lowering *lowering);

#endif
