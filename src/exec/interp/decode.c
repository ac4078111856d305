/* SPDX-License-Identifier: MIT
 *
 * One function of LIR becomes decoded instructions. Values get slots of the
 * function's frame as they are computed and give them back after their last
 * use. A row of `decoders` says for each operation how.
 *
 * A frame: the lanes that each construct remembers, by level, then the lanes
 * that wait for the else of each if, then, where there are barriers, the turn
 * of each open loop, then slots.
 */
#include <assert.h>

#include "exec/interp/compiler.h"
#include "exec/interp/lifetime.h"
#include "exec/path.h"

/* A jump to an instruction of LIR that may not be decoded yet. */
struct jump {
   uint32_t inst;
   uint32_t target;
   enum jump_field { IN_A, IN_C, IN_IMM } field;
};

/* Slots that nobody uses at the moment. */
struct free_slots {
   uint32_t *slots;
   uint32_t num, capacity;
};

/* A construct that is open where decoding stands. */
struct construct {
   uint32_t escape; /* its else or end, whichever comes next */
   uint32_t end;
};

struct decoder {
   struct interp_compiler *compiler;
   struct interp_frame *frame;
   const struct lir_function *function;
   struct interp_lifetimes lifetimes;

   uint32_t *slot;     /* by value */
   uint32_t *position; /* by instruction: the first that it became */
   uint32_t *expiring; /* by instruction: a value that dies there + 1, or 0 */
   uint32_t *expiring_next;   /* by value: another one + 1, or 0 */
   struct free_slots free[2]; /* of words, of pairs */
   uint64_t frame_end;

   struct jump *jumps;
   uint32_t num_jumps, jump_capacity;
   struct construct open[LIR_MAX_LEVELS + 1];
   uint32_t level;
   uint32_t num_loops;     /* of the constructs that are open */
   uint32_t uncounted;     /* instructions since the last INTERP_count */
   uint32_t last, earlier; /* values that are carried, or UINT32_MAX */
   uint32_t at;            /* instruction at hand */
};

/* ---- slots --------------------------------------------------------------- */

static bool
is_wide(const struct decoder *decoder, uint32_t value)
{
   assert(value < decoder->function->num_insts);
   return lir_op_row(decoder->function->insts[value].op)->type == LIR_TYPE_B64;
}

static uint32_t
take_slot(struct decoder *decoder, bool wide)
{
   struct free_slots *free_slots = &decoder->free[wide];

   if (free_slots->num > 0)
      return free_slots->slots[--free_slots->num];

   uint64_t slot = decoder->frame_end;
   decoder->frame_end += (uint64_t)decoder->compiler->set->slot_size << wide;
   if (!interp_compile_check_scratch(decoder->compiler, decoder->frame_end))
      return 0;
   return (uint32_t)slot;
}

static void
give_slot(struct decoder *decoder, uint32_t slot, bool wide)
{
   struct free_slots *free_slots = &decoder->free[wide];

   if (!tg_arena_reserve(&decoder->compiler->arena, (void **)&free_slots->slots,
                         &free_slots->capacity, free_slots->num,
                         sizeof(*free_slots->slots))) {
      decoder->compiler->result = TG_ERROR_MEMORY;
      return;
   }
   free_slots->slots[free_slots->num++] = slot;
}

/* A slot for the value at hand, up to its last use. */
static uint32_t
result_slot(struct decoder *decoder)
{
   uint32_t value = decoder->at;
   uint32_t last = decoder->lifetimes.last[value];

   decoder->slot[value] = take_slot(decoder, is_wide(decoder, value));
   decoder->expiring_next[value] = decoder->expiring[last];
   decoder->expiring[last] = value + 1;
   return decoder->slot[value];
}

/* Operands are live until the instruction's result has its slot, so that the
 * two are never the same. */
static void
expire(struct decoder *decoder, uint32_t at)
{
   uint32_t next = decoder->expiring[at];

   while (next != 0) {
      uint32_t value = next - 1;

      give_slot(decoder, decoder->slot[value], is_wide(decoder, value));
      next = decoder->expiring_next[value];
   }
}

static uint32_t
operand_slot(const struct decoder *decoder, const struct lir_inst *inst,
             unsigned index)
{
   return decoder->slot[inst->operand[index].index];
}

static enum interp_source
operand_source(const struct decoder *decoder, const struct lir_inst *inst,
               unsigned index)
{
   uint32_t value = inst->operand[index].index;

   if (value == decoder->last)
      return INTERP_LAST;
   return value == decoder->earlier ? INTERP_EARLIER : INTERP_SLOT;
}

/* ---- emission ------------------------------------------------------------ */

/* Appends an instruction with the handler for these sources; its index. */
static uint32_t
append_from(struct decoder *decoder, enum interp_op op, unsigned sources,
            struct interp_inst inst)
{
   struct interp_compiler *compiler = decoder->compiler;

   if (!tg_arena_reserve(&compiler->arena, (void **)&compiler->insts,
                         &compiler->inst_capacity, compiler->num_insts,
                         sizeof(*compiler->insts)) ||
       !tg_arena_reserve(&compiler->arena, (void **)&compiler->origins,
                         &compiler->origin_capacity, compiler->num_insts,
                         sizeof(*compiler->origins))) {
      compiler->result = TG_ERROR_MEMORY;
      return 0;
   }
   inst.run = compiler->set->handlers[op][sources];
   compiler->insts[compiler->num_insts] = inst;
   compiler->origins[compiler->num_insts] =
      decoder->at < decoder->function->num_insts
         ? decoder->function->insts[decoder->at].origin
         : LIR_NO_ORIGIN;
   return compiler->num_insts++;
}

/* With all operands in slots. */
static uint32_t
append(struct decoder *decoder, enum interp_op op, struct interp_inst inst)
{
   return append_from(decoder, op, 0, inst);
}

/* Makes a field of a decoded instruction lead to an instruction of LIR. */
static void
add_jump(struct decoder *decoder, uint32_t inst, uint32_t target,
         enum jump_field field)
{
   if (!tg_arena_reserve(&decoder->compiler->arena, (void **)&decoder->jumps,
                         &decoder->jump_capacity, decoder->num_jumps,
                         sizeof(*decoder->jumps))) {
      decoder->compiler->result = TG_ERROR_MEMORY;
      return;
   }
   decoder->jumps[decoder->num_jumps++] = (struct jump){
      .inst = inst,
      .target = target,
      .field = field,
   };
}

static void
resolve_jumps(struct decoder *decoder)
{
   for (uint32_t i = 0; i < decoder->num_jumps; i++) {
      const struct jump *jump = &decoder->jumps[i];
      struct interp_inst *inst = &decoder->compiler->insts[jump->inst];
      uint32_t distance = decoder->position[jump->target] - jump->inst;

      if (jump->field == IN_IMM)
         inst->imm = (uint64_t)(int32_t)distance;
      else
         *(jump->field == IN_A ? &inst->a : &inst->c) = distance;
   }
}

/* What ran since the last time, before something looks or leads elsewhere. */
static void
count_instructions(struct decoder *decoder)
{
   uint32_t count = decoder->uncounted;

   decoder->uncounted = 0;
   if (decoder->compiler->has_clock && count > 0)
      append(decoder, INTERP_count, (struct interp_inst){.imm = count});
}

/* ---- values -------------------------------------------------------------- */

/* Operands and immediate as they are. The decoded instruction's index. */
static uint32_t
append_plain(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op, unsigned sources)
{
   const struct lir_op_info *info = lir_op_row(inst->op);
   uint32_t operand[3] = {0};

   for (unsigned i = 0; i < info->num_operands; i++)
      operand[i] = operand_slot(decoder, inst, i);
   return append_from(
      decoder, op, sources,
      (struct interp_inst){
         .result = info->type != LIR_TYPE_V ? result_slot(decoder) : 0,
         .a = operand[0],
         .b = operand[1],
         .c = operand[2],
         .imm = inst->imm,
      });
}

static void
decode_plain(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op)
{
   append_plain(decoder, inst, op, 0);
}

/* The handler of the instruction at hand carries its word on. */
static void
carry_on(struct decoder *decoder)
{
   decoder->earlier = decoder->last;
   decoder->last = decoder->at;
}

/* An operation that computes. */
static void
decode_compute(struct decoder *decoder, const struct lir_inst *inst,
               enum interp_op op)
{
   const struct lir_op_info *info = lir_op_row(inst->op);
   unsigned sources = 0;

   for (unsigned i = 0; i < info->num_operands; i++) {
      if (info->operand_type[i] != LIR_TYPE_B64)
         sources = sources * INTERP_SOURCES + operand_source(decoder, inst, i);
   }
   append_plain(decoder, inst, op, sources);
   if (info->type != LIR_TYPE_B64)
      carry_on(decoder);
}

static void
decode_clock(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op)
{
   count_instructions(decoder);
   decode_plain(decoder, inst, op);
}

static void
decode_const(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op)
{
   if (decoder->lifetimes.last[decoder->at] == decoder->at)
      return; /* nobody reads it */

   uint64_t value = interp_compile_constant_value(inst);
   uint32_t slot = interp_compile_find_constant(decoder->compiler, value,
                                                op == INTERP_const64);

   if (slot != UINT32_MAX) {
      decoder->slot[decoder->at] = slot;
      return;
   }
   append(decoder, op,
          (struct interp_inst){
             .result = result_slot(decoder),
             .imm = value,
          });
}

static void
decode_getvar(struct decoder *decoder, const struct lir_inst *inst,
              enum interp_op op)
{
   uint32_t slot = decoder->compiler->slot_of_var[inst->imm];

   if (decoder->lifetimes.is_alias[decoder->at]) {
      decoder->slot[decoder->at] = slot;
      return;
   }
   append(decoder, op,
          (struct interp_inst){
             .result = result_slot(decoder),
             .a = slot,
          });
}

static void
decode_setvar(struct decoder *decoder, const struct lir_inst *inst,
              enum interp_op op)
{
   unsigned sources = 0;

   if (op == INTERP_set32)
      sources = operand_source(decoder, inst, 0);
   append_from(decoder, op, sources,
               (struct interp_inst){
                  .result = decoder->compiler->slot_of_var[inst->imm],
                  .a = operand_slot(decoder, inst, 0),
               });
}

static void
decode_putvar(struct decoder *decoder, const struct lir_inst *inst,
              enum interp_op op)
{
   append(decoder, op,
          (struct interp_inst){
             .result = decoder->compiler->slot_of_var[inst->imm],
             .a = operand_slot(decoder, inst, 0),
          });
}

/* ---- memory -------------------------------------------------------------- */

/* Who knows the index of a word of memory. */
enum index_kind {
   INDEX_AT,   /* the instruction itself */
   INDEX_SAME, /* any lane */
   INDEX_EACH, /* each lane for itself */
};

static enum index_kind
kind_of_index(const struct decoder *decoder, const struct lir_inst *inst)
{
   const struct lir_inst *index =
      &decoder->function->insts[inst->operand[0].index];

   if (interp_has_constant_index(decoder->function, inst))
      return INDEX_AT;
   return index->is_uniform ? INDEX_SAME : INDEX_EACH;
}

/* How memory behaves, besides what it is for. */
enum memory_kind {
   MEMORY_FIXED,   /* uniform, never written */
   MEMORY_SHARED,  /* uniform, and others may write it at any time */
   MEMORY_SURFACE, /* the same, and lanes are pixels, mostly of a block */
   MEMORY_LANE,    /* each lane's own */
   MEMORY_KINDS,
};

static enum memory_kind
kind_of_memory(const struct lir_inst *inst)
{
   enum lir_space space = lir_mem_space(inst->imm);

   if (space >= LIR_NUM_UNIFORM_SPACES)
      return MEMORY_LANE;
   if (space == LIR_SPACE_SURFACE)
      return MEMORY_SURFACE;
   return lir_space_is_read_only(space) ? MEMORY_FIXED : MEMORY_SHARED;
}

/* Where the table of lane memory has what an instruction names. */
static uint64_t
lane_memory_index(uint64_t mem)
{
   enum lir_space space = lir_mem_space(mem);
   uint64_t index = space - LIR_NUM_UNIFORM_SPACES;

   return space == LIR_SPACE_ARRAY ? index + lir_mem_binding(mem) : index;
}

/* By enum memory_kind and enum index_kind. */
struct memory_ops {
   enum interp_op op[MEMORY_KINDS][3];
};

/* The decoded operation. */
static enum interp_op
decode_memory(struct decoder *decoder, const struct lir_inst *inst,
              const struct memory_ops *ops)
{
   enum memory_kind memory = kind_of_memory(inst);
   bool in_lanes = memory == MEMORY_LANE;
   enum index_kind kind = kind_of_index(decoder, inst);
   struct lir_inst located = *inst;
   unsigned sources = 0;

   if (in_lanes)
      located.imm = lane_memory_index(inst->imm);
   if (in_lanes && kind != INDEX_EACH && inst->op == LIR_OP_store32)
      sources = operand_source(decoder, inst, 1);
   uint32_t index =
      append_plain(decoder, &located, ops->op[memory][kind], sources);
   if (kind == INDEX_AT && decoder->compiler->result == TG_OK)
      decoder->compiler->insts[index].a =
         (uint32_t)decoder->function->insts[inst->operand[0].index].imm;
   return ops->op[memory][kind];
}

/* The slot of a word of an array that is there for certain, or UINT32_MAX. */
static uint32_t
slot_of_word(const struct decoder *decoder, const struct lir_inst *inst)
{
   const struct interp_compiler *compiler = decoder->compiler;

   if (!inst->is_inside || lir_mem_space(inst->imm) != LIR_SPACE_ARRAY ||
       !interp_has_constant_index(decoder->function, inst))
      return UINT32_MAX;
   const struct interp_array *array =
      &compiler->arrays[lir_mem_binding(inst->imm)];
   const uint64_t word = decoder->function->insts[inst->operand[0].index].imm;
   assert(word < array->num_words);
   return array->slot + (uint32_t)word * compiler->set->slot_size;
}

/* Makes the load that was decoded last do the others of its run, too, if they
 * will be decoded as it was. Runs of two gain nothing. */
static void
begin_run(struct decoder *decoder, const struct lir_inst *inst)
{
   const enum interp_op op =
      inst->num_words == 4 ? INTERP_load_run_4 : INTERP_load_run_3;
   const struct interp_compiler *compiler = decoder->compiler;

   for (unsigned i = 0; i < inst->num_words; i++) {
      if (kind_of_index(decoder, &inst[i]) != INDEX_EACH)
         return;
   }
   if (inst->num_words > 2 && compiler->result == TG_OK)
      compiler->insts[compiler->num_insts - 1].run =
         compiler->set->handlers[op][0];
}

static void
decode_load(struct decoder *decoder, const struct lir_inst *inst,
            enum interp_op op)
{
   static const struct memory_ops ops = {{
      {INTERP_load_at, INTERP_load, INTERP_load_each},
      {INTERP_load_at, INTERP_load, INTERP_load_each_now},
      {INTERP_load_at, INTERP_load, INTERP_load_block},
      {INTERP_load_lane_at, INTERP_load_lane, INTERP_load_lane_each},
   }};

   (void)op;
   const uint32_t slot = slot_of_word(decoder, inst);
   if (slot != UINT32_MAX) {
      append(decoder, INTERP_get32,
             (struct interp_inst){
                .result = result_slot(decoder),
                .a = slot,
             });
      return;
   }
   const enum interp_op load = decode_memory(decoder, inst, &ops);
   if (load == INTERP_load_each)
      begin_run(decoder, inst);
   if (load == INTERP_load_each || load == INTERP_load_block ||
       load == INTERP_load_lane_at)
      carry_on(decoder);
}

static void
decode_store(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op)
{
   static const struct memory_ops ops = {{
      {INTERP_NUM_OPS, INTERP_NUM_OPS, INTERP_NUM_OPS},
      {INTERP_store_each, INTERP_store_each, INTERP_store_each},
      {INTERP_store_each, INTERP_store_each, INTERP_store_block},
      {INTERP_store_lane_at, INTERP_store_lane, INTERP_store_lane_each},
   }};

   (void)op;
   const uint32_t slot = slot_of_word(decoder, inst);
   if (slot != UINT32_MAX)
      append_from(decoder, INTERP_set32, operand_source(decoder, inst, 1),
                  (struct interp_inst){
                     .result = slot,
                     .a = operand_slot(decoder, inst, 1),
                  });
   else
      decode_memory(decoder, inst, &ops);
}

/* ---- control ------------------------------------------------------------- */

/* Where a construct at this level remembers its lanes, and those for its
 * else. */
static uint32_t
remembered(const struct decoder *decoder, uint32_t level)
{
   return decoder->frame->begin + level * (uint32_t)sizeof(uint32_t);
}

static uint32_t
else_lanes(const struct decoder *decoder, uint32_t level)
{
   return remembered(decoder, decoder->lifetimes.max_level + level);
}

/* The word that counts the turns of an open loop, 0 being the outermost. */
static uint32_t
turn_of_loop(const struct decoder *decoder, uint32_t loop)
{
   return remembered(decoder, 2 * decoder->lifetimes.max_level + 1 + loop);
}

/* An instruction that needs to know where it is, in which turn of each loop:
 * see path.h. */
static void
append_where(struct decoder *decoder, enum interp_op op)
{
   append(decoder, op,
          (struct interp_inst){
             .a = turn_of_loop(decoder, 0),
             .b = decoder->num_loops,
             .imm = exec_path_place(decoder->frame->function, decoder->at),
          });
}

static void
append_turn(struct decoder *decoder, enum interp_op op, uint32_t loop)
{
   if (decoder->compiler->has_barriers)
      append(decoder, op,
             (struct interp_inst){.result = turn_of_loop(decoder, loop)});
}

static void
decode_barrier(struct decoder *decoder, const struct lir_inst *inst,
               enum interp_op op)
{
   (void)inst;
   append_where(decoder, op);
}

static void
open_construct(struct decoder *decoder)
{
   const uint32_t *match = decoder->lifetimes.match;
   uint32_t escape = match[decoder->at];
   bool has_else = decoder->function->insts[escape].op == LIR_OP_else;

   decoder->open[++decoder->level] = (struct construct){
      .escape = escape,
      .end = has_else ? match[escape] : escape,
   };
}

/* A block, or a loop, which begins like one. */
static void
decode_block(struct decoder *decoder, const struct lir_inst *inst,
             enum interp_op op)
{
   open_construct(decoder);
   append(decoder, op,
          (struct interp_inst){
             .result = remembered(decoder, decoder->level),
          });
   if (inst->op == LIR_OP_loop)
      append_turn(decoder, INTERP_first_turn, decoder->num_loops++);
}

/* Appends a br to a level, of the active lanes where `condition` is true if
 * there is one. */
static void
append_br(struct decoder *decoder, enum interp_op op, uint32_t level,
          unsigned source, uint32_t condition)
{
   const struct construct *left = &decoder->open[level];
   uint32_t index = append_from(decoder, op, source,
                                (struct interp_inst){
                                   .result = remembered(decoder, level + 1),
                                   .a = condition,
                                   .b = decoder->level - level,
                                });

   add_jump(decoder, index, level == 0 ? left->end : left->end + 1, IN_C);
   add_jump(decoder, index, decoder->open[decoder->level].escape, IN_IMM);
}

static void
decode_br(struct decoder *decoder, const struct lir_inst *inst,
          enum interp_op op)
{
   append_br(decoder, op, (uint32_t)inst->imm, 0, 0);
}

/* Is there nothing in the if at hand but a br to the outside? */
static bool
is_if_br(const struct decoder *decoder)
{
   const struct lir_inst *inst = &decoder->function->insts[decoder->at];

   return inst[1].op == LIR_OP_br && inst[1].imm <= decoder->level &&
          inst[2].op == LIR_OP_end;
}

static void
decode_if(struct decoder *decoder, const struct lir_inst *inst,
          enum interp_op op)
{
   uint32_t condition = operand_slot(decoder, inst, 0);
   enum interp_source source = operand_source(decoder, inst, 0);

   if (is_if_br(decoder)) {
      append_br(decoder, INTERP_br_if, (uint32_t)inst[1].imm, source,
                condition);
      decoder->at += 2;
      return;
   }
   open_construct(decoder);
   uint32_t index =
      append_from(decoder, op, source,
                  (struct interp_inst){
                     .result = remembered(decoder, decoder->level),
                     .a = condition,
                     .b = else_lanes(decoder, decoder->level),
                  });
   add_jump(decoder, index, decoder->open[decoder->level].escape, IN_IMM);
}

static void
decode_else(struct decoder *decoder, const struct lir_inst *inst,
            enum interp_op op)
{
   struct construct *construct = &decoder->open[decoder->level];

   (void)inst;
   construct->escape = construct->end;
   uint32_t index = append(decoder, op,
                           (struct interp_inst){
                              .b = else_lanes(decoder, decoder->level),
                           });
   add_jump(decoder, index, construct->end, IN_IMM);
}

static void
decode_end(struct decoder *decoder, const struct lir_inst *inst,
           enum interp_op op)
{
   uint32_t opener = decoder->lifetimes.match[decoder->at];
   bool is_loop = decoder->function->insts[opener].op == LIR_OP_loop;

   (void)inst;
   if (is_loop)
      append_turn(decoder, INTERP_next_turn, --decoder->num_loops);
   uint32_t index = append(decoder, is_loop ? INTERP_repeat : op,
                           (struct interp_inst){
                              .result = remembered(decoder, decoder->level),
                           });
   if (is_loop)
      add_jump(decoder, index, opener + 1, IN_A);
   decoder->level--;
   add_jump(decoder, index, decoder->open[decoder->level].escape, IN_IMM);
}

static void
decode_call(struct decoder *decoder, const struct lir_inst *inst,
            enum interp_op op)
{
   struct interp_compiler *compiler = decoder->compiler;
   bool is_recursive = decoder->frame->is_recursive;

   /* The size of the frame is not known yet: see set_frame_size(). */
   struct interp_inst frame = {.result = decoder->frame->begin};
   if (compiler->has_barriers)
      append_where(decoder, INTERP_enter);
   if (is_recursive)
      append(decoder, INTERP_save, frame);
   uint32_t index = append(decoder, op, (struct interp_inst){0});
   if (is_recursive)
      append(decoder, INTERP_restore, frame);
   if (compiler->has_barriers)
      append(decoder, INTERP_leave, (struct interp_inst){0});

   if (!tg_arena_reserve(&compiler->arena, (void **)&compiler->calls,
                         &compiler->call_capacity, compiler->num_calls,
                         sizeof(*compiler->calls))) {
      compiler->result = TG_ERROR_MEMORY;
      return;
   }
   compiler->calls[compiler->num_calls++] = (struct interp_pending_call){
      .inst = index,
      .function = (uint32_t)inst->imm,
   };
}

static void
set_frame_size(struct decoder *decoder, uint32_t first_inst)
{
   struct interp_compiler *compiler = decoder->compiler;
   uint64_t end = interp_round_up(decoder->frame_end);

   decoder->frame->size = (uint32_t)end - decoder->frame->begin;
   if (!decoder->frame->is_recursive)
      return;
   interp_handler save = compiler->set->handlers[INTERP_save][0];
   interp_handler restore = compiler->set->handlers[INTERP_restore][0];
   for (uint32_t i = first_inst; i < compiler->num_insts; i++) {
      struct interp_inst *inst = &compiler->insts[i];

      if (inst->run == save || inst->run == restore)
         inst->a = decoder->frame->size;
   }
}

/* ---- the table ----------------------------------------------------------- */

static const struct {
   void (*decode)(struct decoder *decoder, const struct lir_inst *inst,
                  enum interp_op op);
   enum interp_op op;
} decoders[LIR_NUM_OPS] = {
#define LIR_ALU1(name, r, a, expression, title)                                \
   [LIR_OP_##name] = {decode_compute, INTERP_##name},
#define LIR_ALU2(name, r, a, b, expression, title)                             \
   [LIR_OP_##name] = {decode_compute, INTERP_##name},
#define LIR_ALU3(name, r, a, b, c, expression, title)                          \
   [LIR_OP_##name] = {decode_compute, INTERP_##name},
#include "lir/ops.def"
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [LIR_OP_##name] = {decode_plain, INTERP_##name},
#include "lir/ops.def"
   [LIR_OP_const1] = {decode_const, INTERP_const32},
   [LIR_OP_const32] = {decode_const, INTERP_const32},
   [LIR_OP_const64] = {decode_const, INTERP_const64},
   [LIR_OP_lane] = {decode_plain, INTERP_lane},
   [LIR_OP_getvar1] = {decode_getvar, INTERP_get32},
   [LIR_OP_getvar32] = {decode_getvar, INTERP_get32},
   [LIR_OP_getvar64] = {decode_getvar, INTERP_get64},
   [LIR_OP_setvar1] = {decode_setvar, INTERP_set32},
   [LIR_OP_setvar32] = {decode_setvar, INTERP_set32},
   [LIR_OP_setvar64] = {decode_setvar, INTERP_set64},
   [LIR_OP_putvar32] = {decode_putvar, INTERP_get32},
   [LIR_OP_fddx] = {decode_plain, INTERP_fddx},
   [LIR_OP_fddy] = {decode_plain, INTERP_fddy},
   [LIR_OP_read_quad] = {decode_plain, INTERP_read_quad},
   [LIR_OP_ballot] = {decode_plain, INTERP_ballot},
   [LIR_OP_read_first] = {decode_plain, INTERP_read_first},
   [LIR_OP_read_lane] = {decode_plain, INTERP_read_lane},
   [LIR_OP_live] = {decode_plain, INTERP_live},
   [LIR_OP_kill] = {decode_plain, INTERP_kill},
   [LIR_OP_clock] = {decode_clock, INTERP_clock},
   [LIR_OP_barrier] = {decode_barrier, INTERP_barrier},
   [LIR_OP_fence] = {decode_plain, INTERP_fence},
   [LIR_OP_load8] = {decode_plain, INTERP_load8},
   [LIR_OP_load16] = {decode_plain, INTERP_load16},
   [LIR_OP_load32] = {decode_load, INTERP_NUM_OPS},
   [LIR_OP_store8] = {decode_plain, INTERP_store8},
   [LIR_OP_store16] = {decode_plain, INTERP_store16},
   [LIR_OP_memsize] = {decode_plain, INTERP_memsize},
   [LIR_OP_store32] = {decode_store, INTERP_NUM_OPS},
   [LIR_OP_block] = {decode_block, INTERP_block},
   [LIR_OP_if] = {decode_if, INTERP_if},
   [LIR_OP_else] = {decode_else, INTERP_else},
   [LIR_OP_loop] = {decode_block, INTERP_block},
   [LIR_OP_end] = {decode_end, INTERP_end},
   [LIR_OP_br] = {decode_br, INTERP_br},
   [LIR_OP_call] = {decode_call, INTERP_call},
   [LIR_OP_trace] = {decode_plain, INTERP_trace},
   [LIR_OP_emit] = {decode_plain, INTERP_emit},
   [LIR_OP_endprim] = {decode_plain, INTERP_endprim},
};

/* ---- the function -------------------------------------------------------- */

static bool
start_decoder(struct decoder *decoder)
{
   struct tg_arena *arena = &decoder->compiler->arena;
   size_t count = decoder->function->num_insts;

   if (!interp_find_lifetimes(arena, decoder->function,
                              decoder->compiler->write_of_var,
                              &decoder->lifetimes))
      return false;
   decoder->slot = tg_arena_array(arena, count, sizeof(*decoder->slot));
   decoder->position =
      tg_arena_array(arena, count + 1, sizeof(*decoder->position));
   decoder->expiring = tg_arena_array(arena, count, sizeof(*decoder->expiring));
   decoder->expiring_next =
      tg_arena_array(arena, count, sizeof(*decoder->expiring_next));
   if (!decoder->slot || !decoder->position || !decoder->expiring ||
       !decoder->expiring_next)
      return false;

   uint64_t num_words = 1 + 2 * (uint64_t)decoder->lifetimes.max_level;
   if (decoder->compiler->has_barriers)
      num_words += decoder->lifetimes.max_level;
   decoder->frame_end =
      interp_round_up(decoder->frame->begin + num_words * sizeof(uint32_t));
   decoder->open[0] = (struct construct){
      .escape = decoder->function->num_insts,
      .end = decoder->function->num_insts,
   };
   return true;
}

/* May what follows an instruction be reached from elsewhere? Then nobody knows
 * what is carried there. */
static bool
is_joined(uint16_t op)
{
   if (op == LIR_OP_barrier)
      return true;
   return lir_op_row(op)->flags & LIR_FLAG_CONTROL && op != LIR_OP_block &&
          op != LIR_OP_if;
}

/* Decodes the instruction at hand, or several that become one, and moves on to
 * the next. */
static void
decode_inst(struct decoder *decoder)
{
   uint32_t at = decoder->at;
   const struct lir_inst *inst = &decoder->function->insts[at];

   if (lir_op_row(inst->op)->flags & LIR_FLAG_CONTROL)
      count_instructions(decoder);
   decoder->position[at] = decoder->compiler->num_insts;
   assert(decoders[inst->op].decode);
   decoders[inst->op].decode(decoder, inst, decoders[inst->op].op);
   if (is_joined(inst->op))
      decoder->last = decoder->earlier = UINT32_MAX;
   expire(decoder, at);
   if (!(lir_op_row(inst->op)->flags & LIR_FLAG_CONTROL))
      decoder->uncounted++;
   decoder->at++;
}

void
interp_decode_function(struct interp_compiler *compiler,
                       struct interp_frame *frame)
{
   struct decoder decoder = {
      .compiler = compiler,
      .frame = frame,
      .last = UINT32_MAX,
      .earlier = UINT32_MAX,
      .function = &compiler->module->functions[frame->function],
   };
   uint32_t count = decoder.function->num_insts;
   uint32_t first_inst = compiler->num_insts;

   if (!start_decoder(&decoder)) {
      compiler->result = TG_ERROR_MEMORY;
      return;
   }
   compiler->entry[frame->function] = first_inst;
   while (decoder.at < count && compiler->result == TG_OK)
      decode_inst(&decoder);
   count_instructions(&decoder);
   decoder.position[count] = compiler->num_insts;
   append(&decoder, INTERP_return,
          (struct interp_inst){.result = remembered(&decoder, 0)});
   if (compiler->result != TG_OK)
      return;
   resolve_jumps(&decoder);
   set_frame_size(&decoder, first_inst);
}
