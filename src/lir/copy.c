/* SPDX-License-Identifier: MIT
 *
 * Copy propagation through variables. For each variable the walk knows the
 * last instruction that wrote or read it, and so a value that it holds: in all
 * lanes if it was read, or written by all lanes; else in the lanes that are
 * active now, for these are among those that were active then.
 *
 * That knowledge ends where the scope of the instruction ends, for lanes may
 * come there that did not run it; at a call that may write the variable; and
 * at the top of a loop that writes it further down. What a variable holds in
 * lanes that are not active matters to CROSS operations alone, so reads that
 * feed one are only replaced by what is known in all lanes.
 */
#include <assert.h>

#include "lir/calls.h"
#include "lir/passes.h"
#include "lir/rewrite.h"
#include "lir/scope.h"

#define NOWHERE UINT32_MAX

/* What is known of a variable. */
struct knowledge {
   uint32_t since; /* instruction, or NOWHERE when nothing is known */
   lir_value value;
   bool in_all_lanes;
};

struct copier {
   struct lir_calls calls;
   struct knowledge *known; /* for each variable */
   uint32_t *next_write;    /* for each variable, walking backward */

   /* About the function that is rewritten: */
   struct lir_rewrite *rewrite;
   struct lir_scopes scopes;
   bool *feeds_cross; /* for each value */
   uint32_t *ahead;   /* of getvar and setvar: the next write of the variable;
                       * of a loop: its end */
   struct lir_met_calls met;
   bool all_lanes_active; /* at level 0 */

   uint32_t num_loops;                /* that are open */
   uint32_t loop_end[LIR_MAX_LEVELS]; /* of each open loop, outer first */
   uint32_t loops_at[LIR_MAX_LEVELS]; /* open loops up to this level */
};

/* ---- looking ahead ------------------------------------------------------- */

static void
forget_variables(struct copier *copier)
{
   const struct lir_function *function = copier->rewrite->function;
   bool once =
      lir_calls_only_once(&copier->calls, copier->rewrite->function_index);

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->imm != LIR_IMM_VAR)
         continue;
      /* When the wave starts they are zero, as is the first value. */
      bool is_zero =
         once && copier->rewrite->module->vars[inst->imm].type == LIR_TYPE_B32;
      copier->known[inst->imm] = (struct knowledge){
         .since = is_zero ? 0 : NOWHERE,
         .in_all_lanes = true,
      };
      copier->next_write[inst->imm] = NOWHERE;
   }
}

static void
look_at_variable(struct copier *copier, const struct lir_inst *inst,
                 uint32_t index)
{
   uint32_t *next_write = &copier->next_write[inst->imm];
   const uint32_t next_call =
      lir_met_calls_next(&copier->met, copier->calls.writers[inst->imm]);

   copier->ahead[index] = next_call < *next_write ? next_call : *next_write;
   if (lir_op_row(inst->op)->flags & LIR_FLAG_WRITE)
      *next_write = index;
}

/* Does it matter what lanes hold that are not active? What is written in all
 * lanes may come to a CROSS operation that reads it. */
static bool
sees_all_lanes(const struct lir_inst *inst)
{
   return lir_op_row(inst->op)->flags & LIR_FLAG_CROSS ||
          inst->op == LIR_OP_arg32 || inst->op == LIR_OP_putvar32;
}

/* Fills in `ahead` and `feeds_cross`. */
static void
look_ahead(struct copier *copier)
{
   const struct lir_function *function = copier->rewrite->function;
   uint32_t level = 0;
   uint32_t *end = copier->loop_end; /* of each open construct, for now */

   lir_met_calls_init(&copier->met, NOWHERE);
   for (uint32_t i = function->num_insts; i-- > 0;) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_op_info *info = lir_op_row(inst->op);

      if (info->imm == LIR_IMM_VAR)
         look_at_variable(copier, inst, i);
      else if (inst->op == LIR_OP_call)
         lir_met_calls_pass(&copier->met, &copier->calls, inst, i);
      else if (inst->op == LIR_OP_end)
         end[level++] = i;
      else if (inst->op != LIR_OP_else && (info->flags & LIR_FLAG_OPEN))
         copier->ahead[i] = end[--level];

      if (!sees_all_lanes(inst) && !copier->feeds_cross[i])
         continue;
      for (unsigned k = 0; k < info->num_operands; k++)
         copier->feeds_cross[inst->operand[k].index] = true;
   }
}

/* ---- the walk ------------------------------------------------------------ */

/* Whether a loop that began after `since` and is open here writes the variable
 * of instruction `index` after it: then the write may have come before. */
static bool
is_written_in_loop(const struct copier *copier, uint32_t since, uint32_t index)
{
   uint32_t outside = copier->loops_at[copier->scopes.level_of[since]];

   return copier->num_loops > outside &&
          copier->ahead[index] < copier->loop_end[outside];
}

/* What is known of the variable of instruction `index`, or NULL. */
static const struct knowledge *
known_at(const struct copier *copier, uint32_t var, uint32_t index)
{
   const struct knowledge *known = &copier->known[var];

   if (known->since == NOWHERE ||
       !lir_scopes_see(&copier->scopes, known->since))
      return NULL;
   if (lir_met_calls_last(&copier->met, copier->calls.writers[var]) >
       known->since)
      return NULL;
   if (is_written_in_loop(copier, known->since, index))
      return NULL;
   return known;
}

static void
copy_read(struct copier *copier, uint32_t index)
{
   assert(index < copier->rewrite->function->num_insts);
   uint64_t var = copier->rewrite->function->insts[index].imm;
   const struct knowledge *known = known_at(copier, (uint32_t)var, index);

   if (known && (known->in_all_lanes || !copier->feeds_cross[index])) {
      lir_rewrite_replace(copier->rewrite, index, known->value);
      return;
   }
   copier->known[var] = (struct knowledge){
      .since = index,
      .value = {index},
      .in_all_lanes = true,
   };
}

static void
copy_write(struct copier *copier, uint32_t index)
{
   const struct lir_inst *inst = &copier->rewrite->function->insts[index];
   const struct knowledge *known = known_at(copier, (uint32_t)inst->imm, index);

   if (known && known->value.index == inst->operand[0].index &&
       (known->in_all_lanes || inst->op != LIR_OP_putvar32)) {
      lir_rewrite_drop(copier->rewrite, index);
      return;
   }
   copier->known[inst->imm] = (struct knowledge){
      .since = index,
      .value = inst->operand[0],
      .in_all_lanes = inst->op == LIR_OP_putvar32 ||
                      (copier->all_lanes_active && copier->scopes.level == 0),
   };
}

/* Keeps track of the loops that are open. */
static void
pass_control(struct copier *copier, uint32_t index, const struct lir_inst *inst)
{
   lir_scopes_pass(&copier->scopes, index, (enum lir_op)inst->op);

   uint32_t level = copier->scopes.level;
   if (inst->op == LIR_OP_end) {
      copier->num_loops = copier->loops_at[level];
   } else if (lir_op_row(inst->op)->flags & LIR_FLAG_OPEN) {
      if (inst->op == LIR_OP_loop)
         copier->loop_end[copier->num_loops++] = copier->ahead[index];
      copier->loops_at[level] = copier->num_loops;
   } else if (inst->op == LIR_OP_br && inst->imm == 0) {
      copier->all_lanes_active = false;
   } else if (inst->op == LIR_OP_call) {
      lir_met_calls_pass(&copier->met, &copier->calls, inst, index);
   }
}

static bool
prepare(struct copier *copier, struct lir_rewrite *rewrite)
{
   uint32_t num_insts = rewrite->function->num_insts;

   copier->rewrite = rewrite;
   copier->num_loops = 0;
   copier->all_lanes_active =
      lir_calls_only_once(&copier->calls, rewrite->function_index);
   copier->loops_at[0] = 0;
   copier->feeds_cross =
      tg_arena_array(rewrite->scratch, num_insts, sizeof(bool));
   copier->ahead =
      tg_arena_array(rewrite->scratch, num_insts, sizeof(*copier->ahead));
   return copier->feeds_cross && copier->ahead &&
          lir_scopes_init(&copier->scopes, rewrite->scratch, num_insts);
}

static bool
copy_in_function(struct lir_rewrite *rewrite, void *user)
{
   struct lir_function *function = rewrite->function;
   struct copier *copier = user;

   if (!prepare(copier, rewrite))
      return false;
   forget_variables(copier);
   look_ahead(copier);

   lir_met_calls_init(&copier->met, 0);
   for (uint32_t i = 0; i < function->num_insts; i++) {
      struct lir_inst *inst = &function->insts[i];

      lir_rewrite_operands(rewrite, inst);
      pass_control(copier, i, inst);
      if (lir_op_row(inst->op)->imm != LIR_IMM_VAR)
         continue;
      if (lir_op_row(inst->op)->flags & LIR_FLAG_WRITE)
         copy_write(copier, i);
      else
         copy_read(copier, i);
   }
   return true;
}

enum tg_result
lir_pass_copy(struct lir_module *module, bool *changed_out)
{
   enum tg_result result = TG_ERROR_MEMORY;
   struct copier copier;
   struct tg_arena arena;

   tg_arena_init(&arena, module->arena.allocator);
   copier.known =
      tg_arena_array(&arena, module->num_vars, sizeof(*copier.known));
   copier.next_write =
      tg_arena_array(&arena, module->num_vars, sizeof(*copier.next_write));
   if (copier.known && copier.next_write &&
       lir_calls_init(&copier.calls, &arena, module))
      result =
         lir_rewrite_module(module, copy_in_function, &copier, changed_out);
   tg_arena_finish(&arena);
   return result;
}
