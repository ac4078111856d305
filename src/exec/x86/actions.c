/* SPDX-License-Identifier: MIT
 *
 * Code of operations that do not compute: constants, variables, operations
 * across lanes and on the wave; and the table of all of them.
 */
#include "exec/x86/emitter.h"
#include "exec/x86/memory.h"

#define ACTION(name)                                                           \
   static void emit_##name(struct x86_emitter *e, const struct x86_inst *inst)

#define CALL_FIELD(field)                                                      \
   (offsetof(struct jit_frame, call) + offsetof(struct jit_call, field))

static int32_t
half_offset(const struct x86_emitter *e)
{
   return (int32_t)(e->half * X86_VECTOR_BYTES);
}

/* ---- values and variables ------------------------------------------------ */

/* The number of the lane. */
ACTION(lane)
{
   uint32_t lanes[X86_HALF_LANES];

   (void)inst;
   for (unsigned i = 0; i < X86_HALF_LANES; i++)
      lanes[i] = e->half * X86_HALF_LANES + i;
   x86_asm_vector(&e->a, X86_vmovaps_load, x86_reg_result(e, 0), 0,
                  x86_asm_constant(&e->a, lanes));
}

static bool
is_scalar(const struct x86_emitter *e, const struct x86_inst *inst)
{
   return e->unit.var_is_scalar[inst->imm];
}

/* The place of a part of a variable. */
static struct x86_operand
var_place(const struct x86_emitter *e, const struct x86_inst *inst,
          unsigned num_parts, unsigned part)
{
   const unsigned number = is_scalar(e, inst) ? 0 : e->half * num_parts + part;

   return x86_stack(e->vars[inst->imm] + (int32_t)(number * X86_VECTOR_BYTES));
}

static unsigned
num_var_parts(const struct x86_emitter *e, const struct x86_inst *inst)
{
   return !is_scalar(e, inst) && e->module->vars[inst->imm].type == LIR_TYPE_B64
             ? 2
             : 1;
}

ACTION(getvar)
{
   const unsigned num_parts = num_var_parts(e, inst);

   for (unsigned part = 0; part < x86_reg_num_parts(e, e->at); part++) {
      const unsigned target = x86_reg_result(e, part);

      x86_asm_vector(&e->a, X86_vmovaps_load, target, 0,
                     var_place(e, inst, num_parts, part));
   }
}

/* A truth value of a part. */
static unsigned
active_part(struct x86_emitter *e, unsigned num_parts, unsigned part)
{
   const unsigned active = x86_reg_value(e, x86_active_value(e), 0);
   const unsigned words = num_parts == 2 ? x86_reg_scratch(e) : active;

   if (num_parts == 1)
      return active;
   x86_asm_vector_imm(&e->a, X86_vextractf128, active, 0, x86_register(words),
                      (uint8_t)part);
   x86_asm_vector(&e->a, X86_vpmovsxdq, words, 0, x86_register(words));
   return words;
}

/* Lanes that were not launched may change: nobody looks at them. */
ACTION(setvar)
{
   const unsigned num_parts = num_var_parts(e, inst);

   for (unsigned part = 0; part < num_parts; part++) {
      const struct x86_operand place = var_place(e, inst, num_parts, part);
      unsigned value = x86_reg_value(e, inst->operand[0], part);

      if (!is_scalar(e, inst) && !e->is_full && inst->op != LIR_OP_putvar32) {
         const unsigned active = active_part(e, num_parts, part);
         const unsigned old = x86_reg_scratch(e);

         x86_asm_vector(&e->a, X86_vmovaps_load, old, 0, place);
         x86_asm_vector_imm(&e->a, X86_vblendvps, old, old, x86_register(value),
                            (uint8_t)(active << 4));
         value = old;
      }
      x86_asm_vector(&e->a, X86_vmovaps_store, value, 0, place);
   }
}

/* ---- quads --------------------------------------------------------------- */

enum { RIGHT = 0xf5, LEFT = 0xa0, BOTTOM = 0xee, TOP = 0x44 };

/* Lane by lane in a quad: one of its lanes minus another. */
static void
difference(struct x86_emitter *e, const struct x86_inst *inst, uint8_t to,
           uint8_t from)
{
   const unsigned value = x86_reg_value(e, inst->operand[0], 0);
   const unsigned end = x86_reg_scratch(e), begin = x86_reg_scratch(e);

   x86_asm_vector_imm(&e->a, X86_vpermilps_imm, end, 0, x86_register(value),
                      to);
   x86_asm_vector_imm(&e->a, X86_vpermilps_imm, begin, 0, x86_register(value),
                      from);
   x86_asm_vector(&e->a, X86_vsubps, x86_reg_result_over(e, 0), end,
                  x86_register(begin));
}

ACTION(fddx)
{
   difference(e, inst, RIGHT, LEFT);
}

ACTION(fddy)
{
   difference(e, inst, BOTTOM, TOP);
}

/* The instruction looks at the low 2 bits, in each half of a register. */
ACTION(read_quad)
{
   const unsigned value = x86_reg_value(e, inst->operand[0], 0);
   const struct x86_operand from = x86_reg_source(e, inst->operand[1], 0);

   x86_asm_vector(&e->a, X86_vpermilps, x86_reg_result_over(e, 0), value, from);
}

/* ---- all lanes ----------------------------------------------------------- */

/* Gives a word to all lanes. */
static void
give_all(struct x86_emitter *e, const struct x86_inst *inst,
         struct x86_operand word)
{
   for (e->half = 0; e->half < (inst->is_uniform ? 1 : 2); e->half++) {
      const unsigned target = x86_reg_result(e, 0);

      if (word.kind == X86_REGISTER) {
         x86_asm_vector(&e->a, X86_vmovd_load, target, 0, word);
         x86_asm_vector(&e->a, X86_vpbroadcastd, target, 0,
                        x86_register(target));
      } else {
         x86_asm_vector(&e->a, X86_vbroadcastss, target, 0, word);
      }
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

/* Both halves of a value, at the buffer on the stack. */
static void
fill_buffer(struct x86_emitter *e, uint32_t value, int32_t place, bool masked)
{
   for (e->half = 0; e->half < 2; e->half++) {
      const unsigned reg = x86_reg_value(e, value, 0);

      if (masked) {
         const unsigned active = x86_reg_value(e, x86_active_value(e), 0);
         const unsigned both = x86_reg_scratch(e);

         x86_asm_vector(&e->a, X86_vandps, both, active, x86_register(reg));
         x86_asm_vector(&e->a, X86_vmovaps_store, both, 0,
                        x86_stack(place + half_offset(e)));
      } else {
         x86_asm_vector(&e->a, X86_vmovaps_store, reg, 0,
                        x86_stack(place + half_offset(e)));
      }
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

ACTION(ballot)
{
   fill_buffer(e, inst->operand[0], X86_BUFFER, true);
   x86_bits_of_mask(e, X86_BUFFER, X86_RAX, X86_RCX);
   give_all(e, inst, x86_register(X86_RAX));
}

/* Code runs only while a lane is active. */
ACTION(read_first)
{
   fill_buffer(e, inst->operand[0], X86_BUFFER, false);
   x86_bits_of_mask(e, x86_active_place(e), X86_RAX, X86_RCX);
   x86_asm_count_trailing_zeros(&e->a, X86_RAX, X86_RAX);
   give_all(e, inst, x86_at_index(X86_RSP, X86_RAX, 2, X86_BUFFER));
}

/* Zeros where lanes are not active, gathered; what is beyond the lanes is
 * masked out. */
ACTION(read_lane)
{
   fill_buffer(e, inst->operand[0], X86_BUFFER, true);
   for (e->half = 0; e->half < 2; e->half++) {
      const unsigned from = x86_reg_value(e, inst->operand[1], 0);
      const unsigned mask = x86_reg_scratch(e), target = x86_reg_result(e, 0);

      x86_asm_vector(&e->a, X86_vpminud, mask, from,
                     x86_word(e, LIR_LANES - 1));
      x86_asm_vector(&e->a, X86_vpcmpeqd, mask, mask, x86_register(from));
      x86_asm_vector(&e->a, X86_vxorps, target, target, x86_register(target));
      x86_asm_vector(&e->a, X86_vpgatherdd, target, mask,
                     x86_at_index(X86_RSP, from, 2, X86_BUFFER));
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

/* ---- the wave ------------------------------------------------------------ */

ACTION(live)
{
   (void)inst;
   x86_asm_vector(&e->a, X86_vmovaps_load, x86_reg_result(e, 0), 0,
                  x86_stack(X86_LIVE + half_offset(e)));
}

ACTION(kill)
{
   const struct x86_operand live = x86_stack(X86_LIVE + half_offset(e));
   const unsigned active = x86_reg_value(e, x86_active_value(e), 0);
   const struct x86_operand where = x86_reg_source(e, inst->operand[0], 0);
   const unsigned killed = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vandps, killed, active, where);
   x86_asm_vector(&e->a, X86_vandnps, killed, killed, live);
   x86_asm_vector(&e->a, X86_vmovaps_store, killed, 0, live);
}

/* Only a wave that is alone runs code that has barriers. */
ACTION(barrier)
{
   (void)e;
   (void)inst;
}

static void
tell(struct x86_emitter *e, const struct x86_inst *inst, enum jit_helper helper)
{
   x86_give_row(e, inst->operand[0], CALL_FIELD(a));
   x86_give_active(e);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(CALL_FIELD(tag)),
                     (uint32_t)inst->imm);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(CALL_FIELD(tag) + 4),
                     (uint32_t)(inst->imm >> 32));
   x86_emit_helper_call(e, helper);
}

ACTION(trace)
{
   tell(e, inst, JIT_HELPER_trace);
}

ACTION(emit)
{
   tell(e, inst, JIT_HELPER_emit);
}

ACTION(endprim)
{
   tell(e, inst, JIT_HELPER_endprim);
}

/* ---- rare operations ----------------------------------------------------- */

#define PAIRS(field)                                                           \
   (offsetof(struct jit_frame, pairs) + offsetof(struct jit_pairs, field))

enum { PAIRS_BYTES = LIR_LANES * sizeof(uint64_t) };

/* Four lanes of pairs at a field. */
static struct x86_operand
pairs_at(const struct x86_emitter *e, size_t field, unsigned part)
{
   return x86_field(field + (2 * e->half + part) * X86_VECTOR_BYTES);
}

/* A value as pairs; words have zeros above them. */
static void
give_pairs(struct x86_emitter *e, uint32_t value, size_t field)
{
   const bool is_wide = e->unit.insts[value].type == LIR_TYPE_B64;

   for (e->half = 0; e->half < 2; e->half++) {
      for (unsigned part = 0; part < 2; part++) {
         unsigned reg = x86_reg_value(e, value, is_wide ? part : 0);

         if (!is_wide) {
            const unsigned words = reg;

            reg = x86_reg_scratch(e);
            x86_asm_vector_imm(&e->a, X86_vextractf128, words, 0,
                               x86_register(reg), (uint8_t)part);
            x86_asm_vector(&e->a, X86_vpmovzxdq, reg, 0, x86_register(reg));
         }
         x86_asm_vector(&e->a, X86_vmovups_store, reg, 0,
                        pairs_at(e, field, part));
      }
      x86_reg_forget(e);
   }
}

/* The low words of two parts. */
static void
take_words(struct x86_emitter *e)
{
   const unsigned target = x86_reg_result(e, 0);

   x86_asm_vector(&e->a, X86_vmovups_load, target, 0,
                  pairs_at(e, PAIRS(result), 0));
   x86_asm_vector_imm(&e->a, X86_vshufps, target, target,
                      pairs_at(e, PAIRS(result), 1), 0x88);
   x86_asm_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(target), 0xd8);
}

static void
take_pairs(struct x86_emitter *e)
{
   for (unsigned part = 0; part < x86_reg_num_parts(e, e->at); part++) {
      const unsigned target = x86_reg_result(e, part);

      x86_asm_vector(&e->a, X86_vmovups_load, target, 0,
                     pairs_at(e, PAIRS(result), part));
   }
}

static void
evaluate(struct x86_emitter *e, const struct x86_inst *inst)
{
   for (unsigned k = 0; k < x86_num_operands(inst); k++)
      give_pairs(e, inst->operand[k], PAIRS(operand) + k * PAIRS_BYTES);
   x86_asm_store_imm(&e->a, X86_WORD, x86_field(PAIRS(op)), inst->op);
   x86_emit_helper_call(e, JIT_HELPER_evaluate);
   for (e->half = 0; e->half < (inst->is_uniform ? 1 : 2); e->half++) {
      if (inst->type == LIR_TYPE_B64)
         take_pairs(e);
      else
         take_words(e);
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

/* ---- the table ----------------------------------------------------------- */

/* Those that compute are in x86_alus, constants lie with the code, and control
 * is in control.c. What is in none, the clock, is left to the interpreter. */
static const x86_action actions[LIR_NUM_OPS] = {
#define LIR_ATOMIC(name, n, expression, title) [LIR_OP_##name] = x86_atomic,
#include "lir/ops.def"
   [LIR_OP_lane] = emit_lane,
   [LIR_OP_getvar1] = emit_getvar,
   [LIR_OP_getvar32] = emit_getvar,
   [LIR_OP_getvar64] = emit_getvar,
   [LIR_OP_setvar1] = emit_setvar,
   [LIR_OP_setvar32] = emit_setvar,
   [LIR_OP_setvar64] = emit_setvar,
   [LIR_OP_putvar32] = emit_setvar,
   [LIR_OP_fddx] = emit_fddx,
   [LIR_OP_fddy] = emit_fddy,
   [LIR_OP_read_quad] = emit_read_quad,
   [LIR_OP_ballot] = emit_ballot,
   [LIR_OP_read_first] = emit_read_first,
   [LIR_OP_read_lane] = emit_read_lane,
   [LIR_OP_live] = emit_live,
   [LIR_OP_kill] = emit_kill,
   [LIR_OP_barrier] = emit_barrier,
   [LIR_OP_fence] = x86_fence_memory,
   [LIR_OP_load8] = x86_load_half,
   [LIR_OP_load16] = x86_load_half,
   [LIR_OP_load32] = x86_load_half,
   [LIR_OP_store8] = x86_store_both,
   [LIR_OP_store16] = x86_store_both,
   [LIR_OP_store32] = x86_store_both,
   [LIR_OP_memsize] = x86_memsize,
   [LIR_OP_trace] = emit_trace,
   [LIR_OP_emit] = emit_emit,
   [LIR_OP_endprim] = emit_endprim,
};

static bool
is_lane_store(const struct x86_inst *inst)
{
   return inst->op == LIR_OP_store32 &&
          lir_mem_space(inst->imm) >= LIR_NUM_UNIFORM_SPACES;
}

x86_action
x86_find_whole_action(const struct x86_inst *inst)
{
   return actions[inst->op] == x86_load_half ? x86_load_both
                                             : x86_find_action(inst);
}

x86_action
x86_find_action(const struct x86_inst *inst)
{
   if (x86_is_call(inst->op))
      return evaluate;
   return is_lane_store(inst) ? x86_store_half : actions[inst->op];
}

/* A load of what code writes comes after all lanes of a store before it. */
static bool
reads_what_is_written(const struct x86_emitter *e, const struct x86_inst *inst)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   if (lir_space_is_read_only(space) || space >= LIR_NUM_UNIFORM_SPACES)
      return false;
   return space == LIR_SPACE_SURFACE || e->shape->writes_shared;
}

bool
x86_is_action_of_segment(const struct x86_emitter *e,
                         const struct x86_inst *inst)
{
   if (x86_is_control(inst))
      return false;
   if (x86_is_constant(inst) || x86_alus[inst->op])
      return true;
   switch (inst->op) {
   case LIR_OP_lane:
   case LIR_OP_getvar1:
   case LIR_OP_getvar32:
   case LIR_OP_getvar64:
   case LIR_OP_setvar1:
   case LIR_OP_setvar32:
   case LIR_OP_setvar64:
   case LIR_OP_putvar32:
   case LIR_OP_fddx:
   case LIR_OP_fddy:
   case LIR_OP_read_quad:
   case LIR_OP_live:
   case LIR_OP_kill:
   case LIR_OP_memsize: return true;
   case LIR_OP_load8:
   case LIR_OP_load16:
   case LIR_OP_load32: return !reads_what_is_written(e, inst);
   default: return is_lane_store(inst);
   }
}
