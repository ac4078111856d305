/* SPDX-License-Identifier: MIT
 *
 * Barriers, as LLVM IR: suspension and resumption. Code that stops returns, and
 * when it is called again a switch leads to where it stopped. In between what
 * is live there is in the scratch: variables, masks, turns of loops, and values
 * that are used after a barrier. These have allocas, of which LLVM makes SSA
 * values again. All stops save and restore all of them, so that there is one
 * piece of code for it.
 */
#include "exec/jit/emit.h"
#include "exec/path.h"

#define FRAME(field) offsetof(struct jit_frame, field)

/* A row of words; of pairs it takes two. */
enum { ROW_BYTES = sizeof(uint32_t[LIR_LANES]) };

/* ---- values that are used after a barrier -------------------------------- */

struct survey {
   const struct lir_function *function;
   uint32_t *end_of;    /* by loop: its end */
   uint32_t *num_stops; /* by instruction: up to it */
   uint32_t *last_use;  /* by value */
   uint32_t open[LIR_MAX_LEVELS + 1];
   uint32_t level;
};

static void
find_ends(struct survey *survey)
{
   const struct lir_function *function = survey->function;
   uint32_t num_stops = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const uint8_t flags = lir_op_row(function->insts[i].op)->flags;

      if (flags & LIR_FLAG_CLOSE)
         survey->end_of[survey->open[survey->level--]] = i;
      if (flags & LIR_FLAG_OPEN)
         survey->open[++survey->level] = i;
      num_stops += function->insts[i].op == LIR_OP_barrier ||
                   function->insts[i].op == LIR_OP_call;
      survey->num_stops[i] = num_stops;
   }
}

/* A use is up to the end of the outermost loop around it that the value is not
 * in: the next turn uses it again. */
static void
note_use(struct survey *survey, uint32_t value, uint32_t at)
{
   for (uint32_t i = 1; i <= survey->level; i++) {
      const uint32_t open = survey->open[i];

      if (open > value && survey->function->insts[open].op == LIR_OP_loop) {
         at = survey->end_of[open];
         break;
      }
   }
   if (at > survey->last_use[value])
      survey->last_use[value] = at;
}

static void
find_uses(struct survey *survey)
{
   const struct lir_function *function = survey->function;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_op_info *row = lir_op_row(inst->op);

      for (unsigned k = 0; k < row->num_operands; k++)
         note_use(survey, inst->operand[k].index, i);
      survey->level -= (row->flags & LIR_FLAG_CLOSE) != 0;
      if (row->flags & LIR_FLAG_OPEN)
         survey->open[++survey->level] = i;
   }
}

bool
jit_find_kept(struct jit_emitter *e, struct jit_scope *scope)
{
   const uint32_t count = scope->function->num_insts;
   struct survey *survey = tg_arena_alloc(&e->arena, sizeof(*survey));

   scope->is_kept = tg_arena_array(&e->arena, count, sizeof(bool));
   scope->places = tg_arena_array(&e->arena, count, sizeof(LLVMValueRef));
   if (!survey || !scope->is_kept || !scope->places)
      return false;
   survey->function = scope->function;
   survey->end_of = tg_arena_array(&e->arena, count, sizeof(uint32_t));
   survey->num_stops = tg_arena_array(&e->arena, count, sizeof(uint32_t));
   survey->last_use = tg_arena_array(&e->arena, count, sizeof(uint32_t));
   if (!survey->end_of || !survey->num_stops || !survey->last_use)
      return false;
   find_ends(survey);
   find_uses(survey);
   for (uint32_t i = 0; i < count; i++)
      scope->is_kept[i] =
         survey->last_use[i] > i &&
         survey->num_stops[survey->last_use[i]] > survey->num_stops[i];
   return true;
}

void
jit_keep_value(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;
   const LLVMValueRef value = scope->values[index];

   if (scope->is_kept && scope->is_kept[index] && !scope->is_hoisted[index] &&
       !llvm.IsConstant(value))
      scope->places[index] = jit_keep(e, llvm.TypeOf(value), value);
}

/* ---- what is kept -------------------------------------------------------- */

struct jit_kept {
   LLVMValueRef place;
   LLVMTypeRef type;
   uint32_t offset;
};

LLVMValueRef
jit_keep(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef first)
{
   const LLVMValueRef place = jit_alloca(e, type, first);

   if (!e->shape->has_barriers)
      return place;
   if (!tg_arena_reserve(&e->arena, (void **)&e->kept, &e->kept_capacity,
                         e->num_kept, sizeof(*e->kept))) {
      e->result = TG_ERROR_MEMORY;
      return place;
   }
   e->kept[e->num_kept++] = (struct jit_kept){place, type, e->kept_bytes};
   e->kept_bytes += type == e->pairs ? 2 * ROW_BYTES : ROW_BYTES;
   if (e->kept_bytes > JIT_MAX_KEPT)
      e->result = TG_ERROR_LIMIT;
   return place;
}

static LLVMValueRef
place_in_scratch(struct jit_emitter *e, LLVMValueRef scratch,
                 const struct jit_kept *kept)
{
   LLVMValueRef offset = llvm.ConstInt(e->i64, kept->offset, false);

   return llvm.BuildGEP2(e->b, e->i8, scratch, &offset, 1, "");
}

static void
save(struct jit_emitter *e)
{
   const LLVMValueRef scratch = jit_field(e, e->pointer, FRAME(kept));

   for (uint32_t i = 0; i < e->num_kept; i++) {
      const struct jit_kept *kept = &e->kept[i];

      llvm.BuildStore(e->b, llvm.BuildLoad2(e->b, kept->type, kept->place, ""),
                      place_in_scratch(e, scratch, kept));
   }
}

static void
restore(struct jit_emitter *e)
{
   const LLVMValueRef scratch = jit_field(e, e->pointer, FRAME(kept));

   for (uint32_t i = 0; i < e->num_kept; i++) {
      const struct jit_kept *kept = &e->kept[i];
      const LLVMValueRef pointer = place_in_scratch(e, scratch, kept);

      llvm.BuildStore(e->b, llvm.BuildLoad2(e->b, kept->type, pointer, ""),
                      kept->place);
   }
}

/* ---- where a wave is ----------------------------------------------------- */

/* See exec_mix_path(). */
static LLVMValueRef
mix(struct jit_emitter *e, LLVMValueRef path, LLVMValueRef word)
{
   const LLVMValueRef factor = llvm.ConstInt(e->i64, EXEC_PATH_FACTOR, false);
   const LLVMValueRef half = llvm.ConstInt(e->i64, 32, false);

   path = llvm.BuildMul(e->b, llvm.BuildXor(e->b, path, word, ""), factor, "");
   return llvm.BuildXor(e->b, path, llvm.BuildLShr(e->b, path, half, ""), "");
}

/* The path to the instruction at which a function is, a call or a barrier. */
static LLVMValueRef
find_path(struct jit_emitter *e, const struct jit_scope *scope)
{
   LLVMValueRef path = scope->caller ? find_path(e, scope->caller)
                                     : llvm.ConstInt(e->i64, 0, false);
   const uint64_t place = exec_path_place(
      (uint32_t)(scope->function - e->module->functions), scope->at);

   path = mix(e, path, llvm.ConstInt(e->i64, place, false));
   for (uint32_t i = 1; i <= scope->level; i++) {
      const LLVMValueRef turn = scope->levels[i].turn;

      if (turn)
         path =
            mix(e, path,
                llvm.BuildZExt(e->b, llvm.BuildLoad2(e->b, e->i32, turn, ""),
                               e->i64, ""));
   }
   return path;
}

/* ---- stops --------------------------------------------------------------- */

void
jit_begin_stops(struct jit_emitter *e)
{
   if (!e->shape->has_barriers)
      return;
   e->stop = jit_block(e, "stop");
   e->resume = jit_block(e, "resume");
   e->begin = jit_block(e, "begin");
   const LLVMValueRef number = jit_field(e, e->i32, FRAME(resume));
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntEQ, number, zero, ""),
                    e->begin, e->resume);
   jit_enter_block(e, e->begin);
}

void
jit_end_stops(struct jit_emitter *e)
{
   if (!e->shape->has_barriers)
      return;
   llvm.PositionBuilderAtEnd(e->b, e->stop);
   save(e);
   jit_leave_wave(e, JIT_END_BARRIER);
   llvm.PositionBuilderAtEnd(e->b, e->resume);
   const LLVMValueRef number = jit_field(e, e->i32, FRAME(resume));
   restore(e);
   const LLVMValueRef where =
      llvm.BuildSwitch(e->b, number, e->begin, e->num_stops);
   for (uint32_t i = 0; i < e->num_stops; i++)
      llvm.AddCase(where, llvm.ConstInt(e->i32, i + 1, false), e->stops[i]);
}

/* Leaves what is known of the barrier, and where to go on. */
static void
emit_stop(struct jit_emitter *e, const struct lir_inst *inst,
          LLVMBasicBlockRef on)
{
   if (!tg_arena_reserve(&e->arena, (void **)&e->stops, &e->stops_capacity,
                         e->num_stops, sizeof(LLVMBasicBlockRef))) {
      e->result = TG_ERROR_MEMORY;
      return;
   }
   e->stops[e->num_stops++] = on;
   jit_set_field(e, FRAME(wait_origin),
                 llvm.ConstInt(e->i32, inst->origin, false));
   jit_set_field(e, FRAME(wait_lanes), jit_bits_of_mask(e, jit_active(e)));
   jit_set_field(e, FRAME(visit), find_path(e, e->scope));
   jit_set_field(e, FRAME(resume), llvm.ConstInt(e->i32, e->num_stops, false));
   llvm.BuildBr(e->b, e->stop);
}

/* Of masks no value holds where code may have come by the switch. */
static void
forget_masks(struct jit_emitter *e)
{
   e->active_mask = NULL;
   for (struct jit_scope *scope = e->scope; scope; scope = scope->caller) {
      for (uint32_t i = 0; i <= scope->level; i++)
         scope->levels[i].active_mask = NULL;
   }
}

LLVMValueRef
jit_emit_barrier(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMBasicBlockRef stop = jit_block(e, "barrier");
   const LLVMBasicBlockRef on = jit_block(e, "on");
   const LLVMValueRef stops = jit_field(e, e->i32, FRAME(stops));
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   jit_count_steps(e);
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, stops, zero, ""),
                    stop, on);
   jit_enter_block(e, stop);
   emit_stop(e, inst, on);
   jit_enter_block(e, on);
   forget_masks(e);
   return NULL;
}
