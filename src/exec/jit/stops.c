/* SPDX-License-Identifier: MIT
 *
 * Barriers, as LLVM IR: suspension and resumption. A wave that stops leaves
 * what is live there in memory of its own and goes on to the next wave; when
 * all have stopped the code returns, and when it is called again each finds its
 * place by a switch. Values have a home in that memory from where they are
 * computed on; what is written again, variables, masks, turns of loops, is
 * saved at each stop. In between all of them have allocas, of which LLVM makes
 * SSA values, so that after a stop only what is used up to the next one is
 * loaded.
 */
#include "exec/jit/emit.h"
#include "exec/path.h"

#define FRAME(field) offsetof(struct jit_frame, field)
#define ROUND(field) offsetof(struct exec_round, field)
#define WAIT(field) (ROUND(wait) + offsetof(struct exec_wait, field))

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
jit_find_kept_at_stops(struct jit_emitter *e, struct jit_scope *scope)
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

/* ---- what is kept -------------------------------------------------------- */

struct jit_kept {
   LLVMValueRef place;
   LLVMTypeRef type;
   uint32_t offset;
   bool is_value; /* it is stored where it is computed, and not again */
   bool is_read;
};

enum { SCALAR_BYTES = sizeof(uint64_t) };

static uint32_t
take_rows(struct jit_emitter *e, uint32_t count)
{
   const uint32_t offset = e->kept_bytes;

   e->kept_bytes += count * ROW_BYTES;
   if (e->kept_bytes > JIT_MAX_KEPT)
      e->result = TG_ERROR_LIMIT;
   return offset;
}

/* Memory for a value of a type. Scalars and masks share rows. */
static uint32_t
take_memory(struct jit_emitter *e, LLVMTypeRef type)
{
   if (type == e->words || type == e->pairs)
      return take_rows(e, type == e->pairs ? 2 : 1);
   if (e->scalars_end % ROW_BYTES == 0)
      e->scalars_end = take_rows(e, 1);
   e->scalars_end += SCALAR_BYTES;
   return e->scalars_end - SCALAR_BYTES;
}

/* NULL when out of memory. */
static struct jit_kept *
add_kept(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef place)
{
   if (!tg_arena_reserve(&e->arena, (void **)&e->kept, &e->kept_capacity,
                         e->num_kept, sizeof(*e->kept))) {
      e->result = TG_ERROR_MEMORY;
      return NULL;
   }
   struct jit_kept *kept = &e->kept[e->num_kept++];
   *kept = (struct jit_kept){place, type, take_memory(e, type), false, false};
   return kept;
}

LLVMValueRef
jit_keep_at_stop(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef first)
{
   const LLVMValueRef place = jit_alloca(e, type, first);

   if (e->shape->has_barriers)
      add_kept(e, type, place);
   return place;
}

static LLVMValueRef
home_of(struct jit_emitter *e, const struct jit_kept *kept)
{
   LLVMValueRef offset = llvm.ConstInt(e->i64, kept->offset, false);

   return llvm.BuildGEP2(e->b, e->i8, e->kept_memory, &offset, 1, "");
}

void
jit_keep_value_at_stop(struct jit_emitter *e, uint32_t index)
{
   struct jit_scope *scope = e->scope;
   const LLVMValueRef value = scope->values[index];

   if (!scope->is_kept || !scope->is_kept[index] || scope->is_hoisted[index] ||
       llvm.IsConstant(value))
      return;
   const LLVMTypeRef type = llvm.TypeOf(value);
   scope->places[index] = jit_alloca(e, type, value);
   struct jit_kept *kept = add_kept(e, type, scope->places[index]);
   if (!kept)
      return;
   kept->is_value = true;
   llvm.BuildStore(e->b, value, home_of(e, kept));
}

/* Finds out what is read at all, as most masks are not: before stops read it.
 */
static void
find_reads(struct jit_emitter *e)
{
   for (uint32_t i = 0; i < e->num_kept; i++) {
      LLVMUseRef use = llvm.GetFirstUse(e->kept[i].place);

      while (use && !llvm.IsALoadInst(llvm.GetUser(use)))
         use = llvm.GetNextUse(use);
      e->kept[i].is_read = use != NULL;
   }
}

/* The first `count` of what is kept: what is there at a stop. */
static void
save(struct jit_emitter *e, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct jit_kept *kept = &e->kept[i];

      if (!kept->is_value && kept->is_read)
         llvm.BuildStore(e->b,
                         llvm.BuildLoad2(e->b, kept->type, kept->place, ""),
                         home_of(e, kept));
   }
}

static void
restore(struct jit_emitter *e, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const struct jit_kept *kept = &e->kept[i];

      if (kept->is_read)
         llvm.BuildStore(
            e->b, llvm.BuildLoad2(e->b, kept->type, home_of(e, kept), ""),
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

struct jit_stop {
   LLVMBasicBlockRef save, restore;
   LLVMBasicBlockRef on; /* after the barrier */
   uint32_t num_kept;    /* that are there */
};

/* A wave's number of its stop is in the first row of its memory. */
void
jit_find_memory_kept_at_stops(struct jit_emitter *e)
{
   if (!e->shape->has_barriers)
      return;
   const LLVMValueRef scratch = jit_round_field(e, e->pointer, ROUND(scratch));
   LLVMValueRef offset = jit_field(e, e->i64, FRAME(kept));

   e->kept_memory = llvm.BuildGEP2(e->b, e->i8, scratch, &offset, 1, "");
   e->kept_bytes = ROW_BYTES;
   e->scalars_end = SCALAR_BYTES;
}

void
jit_begin_stops(struct jit_emitter *e)
{
   if (!e->shape->has_barriers)
      return;
   e->stop = jit_block(e, "stop");
   e->resume = jit_block(e, "resume");
   e->begin = jit_block(e, "begin");
   const LLVMValueRef resumes = jit_field(e, e->i32, FRAME(resumes));
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntEQ, resumes, zero, ""),
                    e->begin, e->resume);
   jit_enter_block(e, e->begin);
}

static void
end_stop(struct jit_emitter *e, const struct jit_stop *stop)
{
   llvm.PositionBuilderAtEnd(e->b, stop->save);
   save(e, stop->num_kept);
   llvm.BuildBr(e->b, e->stop);
   llvm.PositionBuilderAtEnd(e->b, stop->restore);
   restore(e, stop->num_kept);
   llvm.BuildBr(e->b, stop->on);
}

/* A wave that does not stop goes on at once, the same way, so that no value is
 * live across a barrier but in memory. */
static void
emit_choice(struct jit_emitter *e)
{
   const LLVMBasicBlockRef wait = jit_block(e, "wait");
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);

   llvm.PositionBuilderAtEnd(e->b, e->stop);
   const LLVMValueRef stops = jit_field(e, e->i32, FRAME(stops));
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, stops, zero, ""),
                    wait, e->resume);
   llvm.PositionBuilderAtEnd(e->b, wait);
   jit_stop_round_wave(e);
}

void
jit_end_stops(struct jit_emitter *e)
{
   if (!e->shape->has_barriers)
      return;
   find_reads(e);
   emit_choice(e);
   llvm.PositionBuilderAtEnd(e->b, e->resume);
   const LLVMValueRef number =
      llvm.BuildLoad2(e->b, e->i32, e->kept_memory, "");
   const LLVMValueRef where =
      llvm.BuildSwitch(e->b, number, e->begin, e->num_stops);
   for (uint32_t i = 0; i < e->num_stops; i++) {
      llvm.AddCase(where, llvm.ConstInt(e->i32, i + 1, false),
                   e->stops[i].restore);
      end_stop(e, &e->stops[i]);
   }
}

void
jit_end_waits_at_stops(struct jit_emitter *e)
{
   if (e->shape->has_barriers)
      jit_set_round_field(e, WAIT(lanes), llvm.ConstInt(e->i32, 0, false));
}

/* Leaves what is known of the barrier, and where to go on. */
static void
emit_stop(struct jit_emitter *e, const struct lir_inst *inst,
          const struct jit_stop *stop)
{
   if (!tg_arena_reserve(&e->arena, (void **)&e->stops, &e->stops_capacity,
                         e->num_stops, sizeof(*e->stops))) {
      e->result = TG_ERROR_MEMORY;
      return;
   }
   e->stops[e->num_stops++] = *stop;
   e->num_insts += stop->num_kept;
   jit_set_round_field(e, WAIT(origin),
                       llvm.ConstInt(e->i32, inst->origin, false));
   jit_set_round_field(e, WAIT(lanes), jit_bits_of_mask(e, jit_active(e)));
   jit_set_round_field(e, WAIT(visit), find_path(e, e->scope));
   llvm.BuildStore(e->b, llvm.ConstInt(e->i32, e->num_stops, false),
                   e->kept_memory);
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
   const struct jit_stop stop = {
      .save = jit_block(e, "barrier"),
      .restore = jit_block(e, "restore"),
      .on = jit_block(e, "on"),
      .num_kept = e->num_kept,
   };

   jit_control_count_steps(e);
   llvm.BuildBr(e->b, stop.save);
   jit_enter_block(e, stop.save);
   emit_stop(e, inst, &stop);
   jit_enter_block(e, stop.on);
   forget_masks(e);
   return NULL;
}
