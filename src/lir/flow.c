/* SPDX-License-Identifier: MIT
 *
 * Control flow: drops what no lane runs (after a br, after a loop that
 * nobody leaves, in an arm whose condition is constant), and constructs that
 * are empty or that nobody leaves early.
 *
 * The first walk decides, construct by construct, at its end. Loops that never
 * come to their end and ifs with one arm become blocks on the way. The second
 * walk counts levels anew.
 */
#include "lir/passes.h"
#include "lir/rewrite.h"

#define NOWHERE UINT32_MAX

/* What is known of an arm of an if, or of the body of something else. */
struct arm {
   uint32_t num_kept; /* instructions */
   uint32_t last_br;  /* the br of this very scope that nothing came after */
   bool is_reached;   /* some lane may come to its end */
};

struct construct {
   uint32_t begin;
   uint32_t divide;  /* its else, or NOWHERE */
   uint32_t num_brs; /* that leave it, and are kept */
   bool is_dead;     /* no lane comes to it */
   struct arm arm[2];
};

struct walker {
   struct lir_rewrite *rewrite;
   struct lir_inst *insts;
   bool dead; /* no lane comes here */
   uint32_t level;
   struct construct construct[LIR_MAX_LEVELS]; /* 0 is the function */
};

static struct construct *
innermost(struct walker *walker)
{
   return &walker->construct[walker->level];
}

static struct arm *
innermost_arm(struct walker *walker)
{
   struct construct *construct = innermost(walker);

   return &construct->arm[construct->divide != NOWHERE];
}

static void
drop(struct walker *walker, uint32_t index)
{
   lir_rewrite_drop(walker->rewrite, index);
}

/* ---- the end of an arm --------------------------------------------------- */

/* A br that only goes where its scope ends anyway. Loops repeat there. */
static void
drop_last_br(struct walker *walker, struct arm *arm)
{
   struct construct *construct = innermost(walker);
   uint32_t br = arm->last_br;

   if (br == NOWHERE || walker->insts[br].imm != walker->level ||
       (walker->level > 0 && walker->insts[construct->begin].op == LIR_OP_loop))
      return;
   drop(walker, br);
   arm->num_kept--;
   arm->is_reached = true;
   construct->num_brs--;
}

static void
finish_arm(struct walker *walker)
{
   struct arm *arm = innermost_arm(walker);

   arm->is_reached = !walker->dead;
   drop_last_br(walker, arm);
}

/* ---- the end of a construct ---------------------------------------------- */

/* Drops what opens and closes it, not what is in it. */
static void
unwrap(struct walker *walker, const struct construct *construct, uint32_t end)
{
   drop(walker, construct->begin);
   drop(walker, end);
}

static bool
finish_block(struct walker *walker, const struct construct *construct,
             uint32_t end)
{
   if (construct->num_brs > 0)
      return true;
   unwrap(walker, construct, end);
   return false;
}

/* `if` with nothing but an else arm: the condition is inverted where the if
 * stood, and the else becomes the if. */
static void
invert(struct walker *walker, const struct construct *construct)
{
   struct lir_inst *begin = &walker->insts[construct->begin];
   struct lir_inst *divide = &walker->insts[construct->divide];

   begin->op = LIR_OP_bnot;
   divide->op = LIR_OP_if;
   divide->operand[0].index = construct->begin;
   walker->rewrite->changed = true;
}

static bool
finish_if(struct walker *walker, const struct construct *construct,
          uint32_t end)
{
   bool has_else = construct->divide != NOWHERE;
   bool first_empty = construct->arm[0].num_kept == 0;
   bool second_empty = construct->arm[1].num_kept == 0;

   if (has_else && second_empty)
      drop(walker, construct->divide);
   if (first_empty && second_empty) {
      unwrap(walker, construct, end);
      return false;
   }
   if (first_empty)
      invert(walker, construct);
   return true;
}

/* The number of the constant condition of an if, or -1. */
static int
constant_condition(const struct walker *walker, uint32_t index)
{
   const struct lir_inst *inst = &walker->insts[index];

   if (inst->op != LIR_OP_if)
      return -1;
   inst = &walker->insts[inst->operand[0].index];
   return inst->op == LIR_OP_const1 ? (int)inst->imm : -1;
}

/* An if of which one arm was dropped, and a loop that runs once, are blocks. */
static void
become_block(struct walker *walker, const struct construct *construct)
{
   uint32_t begin = construct->begin;
   bool is_loop = walker->insts[begin].op == LIR_OP_loop;

   if (is_loop ? construct->arm[0].is_reached
               : constant_condition(walker, begin) < 0)
      return;
   if (construct->divide != NOWHERE)
      drop(walker, construct->divide);
   walker->insts[begin].op = LIR_OP_block;
   walker->rewrite->changed = true;
}

/* Whether lanes may come after the end. */
static bool
goes_on(const struct walker *walker, const struct construct *construct)
{
   bool is_if = walker->insts[construct->begin].op == LIR_OP_if;
   bool is_loop = walker->insts[construct->begin].op == LIR_OP_loop;

   if (construct->num_brs > 0)
      return true;
   if (is_loop)
      return false;
   return construct->arm[0].is_reached || construct->arm[1].is_reached ||
          (is_if && construct->divide == NOWHERE);
}

/* Whether the construct is kept. */
static bool
finish_construct(struct walker *walker, const struct construct *construct,
                 uint32_t end)
{
   become_block(walker, construct);
   walker->dead = !goes_on(walker, construct);
   switch (walker->insts[construct->begin].op) {
   case LIR_OP_block: return finish_block(walker, construct, end);
   case LIR_OP_if: return finish_if(walker, construct, end);
   default: return true;
   }
}

/* ---- the first walk ------------------------------------------------------ */

static void
walk_open(struct walker *walker, uint32_t index)
{
   walker->construct[++walker->level] = (struct construct){
      .begin = index,
      .divide = NOWHERE,
      .is_dead = walker->dead,
      .arm = {{.last_br = NOWHERE}, {.last_br = NOWHERE}},
   };
   if (walker->dead)
      drop(walker, index);
   if (constant_condition(walker, index) == 0)
      walker->dead = true;
}

static void
walk_else(struct walker *walker, uint32_t index)
{
   struct construct *construct = innermost(walker);

   if (construct->is_dead) {
      drop(walker, index);
      return;
   }
   finish_arm(walker);
   construct->divide = index;
   walker->dead = constant_condition(walker, construct->begin) == 1;
}

static void
walk_end(struct walker *walker, uint32_t index)
{
   struct construct *construct = innermost(walker);

   if (construct->is_dead) {
      drop(walker, index);
      walker->level--;
      return;
   }
   finish_arm(walker);
   if (construct->divide == NOWHERE &&
       constant_condition(walker, construct->begin) == 0)
      construct->arm[1].is_reached = true; /* as if there were an else */

   uint32_t num_kept = construct->arm[0].num_kept + construct->arm[1].num_kept;
   bool kept = finish_construct(walker, construct, index);
   walker->level--;
   innermost_arm(walker)->num_kept += kept ? 1 : num_kept;
}

static void
walk_br(struct walker *walker, uint32_t index)
{
   struct arm *arm = innermost_arm(walker);

   walker->construct[walker->insts[index].imm].num_brs++;
   walker->dead = true;
   arm->last_br = index;
   arm->num_kept++;
}

static void
walk_instruction(struct walker *walker, uint32_t index)
{
   const struct lir_inst *inst = &walker->insts[index];

   if (inst->op == LIR_OP_else)
      walk_else(walker, index);
   else if (inst->op == LIR_OP_end)
      walk_end(walker, index);
   else if (lir_op_row(inst->op)->flags & LIR_FLAG_OPEN)
      walk_open(walker, index);
   else if (walker->dead)
      drop(walker, index);
   else if (inst->op == LIR_OP_br)
      walk_br(walker, index);
   else
      innermost_arm(walker)->num_kept++;
}

/* ---- the second walk ----------------------------------------------------- */

/* Constructs that were dropped no longer count as levels. */
static void
renumber_levels(struct lir_rewrite *rewrite)
{
   uint16_t new_level[LIR_MAX_LEVELS];
   uint32_t level = 0;

   new_level[0] = 0;
   for (uint32_t i = 0; i < rewrite->function->num_insts; i++) {
      struct lir_inst *inst = &rewrite->function->insts[i];
      bool keeps = lir_rewrite_keeps(rewrite, i);

      if (inst->op == LIR_OP_end) {
         level--;
      } else if (inst->op != LIR_OP_else &&
                 (lir_op_row(inst->op)->flags & LIR_FLAG_OPEN)) {
         level++;
         new_level[level] = (uint16_t)(new_level[level - 1] + keeps);
      } else if (inst->op == LIR_OP_br && keeps) {
         inst->imm = new_level[inst->imm];
      }
   }
}

static bool
simplify_function(struct lir_rewrite *rewrite, void *user)
{
   struct walker *walker = user;

   walker->rewrite = rewrite;
   walker->insts = rewrite->function->insts;
   walker->dead = false;
   walker->level = 0;
   walker->construct[0] = (struct construct){
      .divide = NOWHERE,
      .arm = {{.last_br = NOWHERE}},
   };
   for (uint32_t i = 0; i < rewrite->function->num_insts; i++)
      walk_instruction(walker, i);
   finish_arm(walker);
   renumber_levels(rewrite);
   return true;
}

enum tg_result
lir_pass_flow(struct lir_module *module, bool *changed_out)
{
   struct walker walker;

   return lir_rewrite_module(module, simplify_function, &walker, changed_out);
}
