/* SPDX-License-Identifier: MIT
 *
 * Dead code: values that nothing needs, variables that are written and never
 * read, functions that nobody calls.
 *
 * What has an effect is needed, and what it uses. A write to a variable is
 * needed when some needed instruction reads that variable, anywhere. So a
 * counter that only counts itself goes too.
 */
#include <assert.h>

#include "lir/passes.h"
#include "lir/rewrite.h"

/* An instruction by its function and its number there. */
struct place {
   uint32_t function;
   uint32_t index;
};

struct marker {
   struct lir_module *module;
   bool **needed;            /* for each function that is called, for each
                              * instruction; NULL for the other functions */
   bool *var_needed;         /* for each variable */
   struct place **writes;    /* for each function, for each write the one of the
                              * same variable that was seen before it */
   struct place *last_write; /* for each variable */
   struct place *todo;       /* marked, operands not yet looked at */
   size_t num_todo;
   uint32_t *called; /* functions that are called, in the order found */
   uint32_t num_called;
};

#define NOWHERE UINT32_MAX

/* ---- which functions ----------------------------------------------------- */

static bool
mark_function(struct marker *marker, struct tg_arena *arena, uint32_t function)
{
   assert(function < marker->module->num_functions);
   uint32_t num_insts = marker->module->functions[function].num_insts;

   if (marker->needed[function])
      return true;
   marker->needed[function] = tg_arena_array(arena, num_insts, sizeof(bool));
   marker->writes[function] =
      tg_arena_array(arena, num_insts, sizeof(struct place));
   marker->called[marker->num_called++] = function;
   return marker->needed[function] && marker->writes[function];
}

/* Also makes room for all that may be to do. */
static bool
mark_functions(struct marker *marker, struct tg_arena *arena)
{
   const struct lir_module *module = marker->module;
   size_t num_insts = 0;

   if (!mark_function(marker, arena, 0))
      return false;
   for (uint32_t i = 0; i < marker->num_called; i++) {
      const struct lir_function *function =
         &module->functions[marker->called[i]];

      num_insts += function->num_insts;
      for (uint32_t k = 0; k < function->num_insts; k++) {
         const struct lir_inst *inst = &function->insts[k];

         if (lir_op_row(inst->op)->imm == LIR_IMM_FUNCTION &&
             !mark_function(marker, arena, (uint32_t)inst->imm))
            return false;
      }
   }
   marker->todo = tg_arena_array(arena, num_insts, sizeof(*marker->todo));
   return marker->todo;
}

/* ---- which instructions -------------------------------------------------- */

static void
mark(struct marker *marker, struct place place)
{
   bool *needed = &marker->needed[place.function][place.index];

   if (*needed)
      return;
   *needed = true;
   marker->todo[marker->num_todo++] = place;
}

static void
mark_variable(struct marker *marker, uint64_t var)
{
   if (marker->var_needed[var])
      return;
   marker->var_needed[var] = true;
   for (struct place place = marker->last_write[var]; place.index != NOWHERE;
        place = marker->writes[place.function][place.index])
      mark(marker, place);
}

static bool
is_var_write(const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   return info->imm == LIR_IMM_VAR && (info->flags & LIR_FLAG_WRITE);
}

/* Marks what has an effect, and lists the writes of each variable. */
static void
mark_effects(struct marker *marker, uint32_t function)
{
   assert(function < marker->module->num_functions);
   const struct lir_function *f = &marker->module->functions[function];

   mark(marker, (struct place){function, 0}); /* const32 0 always stays */
   for (uint32_t i = 0; i < f->num_insts; i++) {
      const struct lir_inst *inst = &f->insts[i];
      const struct place place = {function, i};

      if (is_var_write(inst)) {
         marker->writes[function][i] = marker->last_write[inst->imm];
         marker->last_write[inst->imm] = place;
      } else if (lir_op_row(inst->op)->flags &
                 (LIR_FLAG_WRITE | LIR_FLAG_CONTROL)) {
         mark(marker, place);
      }
   }
}

static void
mark_used(struct marker *marker, struct place place)
{
   const struct lir_inst *inst =
      &marker->module->functions[place.function].insts[place.index];
   const struct lir_op_info *info = lir_op_row(inst->op);

   for (unsigned i = 0; i < info->num_operands; i++)
      mark(marker, (struct place){place.function, inst->operand[i].index});
   if (info->imm == LIR_IMM_VAR && !(info->flags & LIR_FLAG_WRITE))
      mark_variable(marker, inst->imm);
}

static void
mark_all(struct marker *marker)
{
   for (uint32_t i = 0; i < marker->num_called; i++)
      mark_effects(marker, marker->called[i]);
   while (marker->num_todo > 0)
      mark_used(marker, marker->todo[--marker->num_todo]);
}

/* ---- dropping ------------------------------------------------------------ */

static bool
drop_in_function(struct lir_rewrite *rewrite, void *user)
{
   const struct marker *marker = user;
   const bool *needed = marker->needed[rewrite->function_index];

   for (uint32_t i = 0; needed && i < rewrite->function->num_insts; i++) {
      if (!needed[i])
         lir_rewrite_drop(rewrite, i);
   }
   return true;
}

/* Gives new numbers to immediates of one kind. */
static void
renumber(struct lir_module *module, enum lir_imm_kind kind,
         const uint32_t *new_number)
{
   for (uint32_t i = 0; i < module->num_functions; i++) {
      struct lir_function *function = &module->functions[i];

      for (uint32_t k = 0; k < function->num_insts; k++) {
         struct lir_inst *inst = &function->insts[k];

         if (lir_op_row(inst->op)->imm == kind)
            inst->imm = new_number[inst->imm];
      }
   }
}

static bool
drop_functions(struct marker *marker, uint32_t *new_number)
{
   struct lir_module *module = marker->module;
   uint32_t num_kept = 0;

   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (!marker->needed[i])
         continue;
      new_number[i] = num_kept;
      module->functions[num_kept++] = module->functions[i];
   }
   if (num_kept == module->num_functions)
      return false;
   module->num_functions = num_kept;
   renumber(module, LIR_IMM_FUNCTION, new_number);
   return true;
}

static bool
drop_variables(struct marker *marker, uint32_t *new_number)
{
   struct lir_module *module = marker->module;
   uint32_t num_kept = 0;

   for (uint32_t i = 0; i < module->num_vars; i++) {
      if (!marker->var_needed[i])
         continue;
      new_number[i] = num_kept;
      module->vars[num_kept++] = module->vars[i];
   }
   if (num_kept == module->num_vars)
      return false;
   module->num_vars = num_kept;
   renumber(module, LIR_IMM_VAR, new_number);
   return true;
}

static bool
marker_init(struct marker *marker, struct tg_arena *arena,
            struct lir_module *module)
{
   uint32_t num_functions = module->num_functions;
   uint32_t num_vars = module->num_vars;

   *marker = (struct marker){
      .module = module,
      .needed = tg_arena_array(arena, num_functions, sizeof(bool *)),
      .writes = tg_arena_array(arena, num_functions, sizeof(struct place *)),
      .called = tg_arena_array(arena, num_functions, sizeof(uint32_t)),
      .var_needed = tg_arena_array(arena, num_vars, sizeof(bool)),
      .last_write = tg_arena_array(arena, num_vars, sizeof(struct place)),
   };
   if (!marker->needed || !marker->writes || !marker->called ||
       !marker->var_needed || !marker->last_write)
      return false;
   for (uint32_t i = 0; i < num_vars; i++)
      marker->last_write[i].index = NOWHERE;
   return mark_functions(marker, arena);
}

enum tg_result
lir_pass_dce(struct lir_module *module, bool *changed_out)
{
   enum tg_result result = TG_ERROR_MEMORY;
   struct marker marker;
   struct tg_arena arena;

   tg_arena_init(&arena, module->arena.allocator);
   uint32_t *new_function =
      tg_arena_array(&arena, module->num_functions, sizeof(uint32_t));
   uint32_t *new_var =
      tg_arena_array(&arena, module->num_vars, sizeof(uint32_t));
   if (!new_function || !new_var || !marker_init(&marker, &arena, module))
      goto done;

   mark_all(&marker);
   result = lir_rewrite_module(module, drop_in_function, &marker, changed_out);
   if (result != TG_OK)
      goto done;
   *changed_out |= drop_functions(&marker, new_function);
   *changed_out |= drop_variables(&marker, new_var);

done:
   tg_arena_finish(&arena);
   return result;
}
