/* SPDX-License-Identifier: MIT
 *
 * Loads and stores. Loads read in all lanes, stores write in active ones, the
 * lowest first; outside of the bounds loads give 0 and stores do nothing.
 * Indices of words are below 2^31, for which the caller of the code stands.
 */
#include "exec/x86/memory.h"
#include "exec/x86/block.h"
#include "exec/x86/emitter.h"

#define FRAME(field) offsetof(struct jit_frame, field)

/* ---- bounds -------------------------------------------------------------- */

/* Units of a load or store, as powers of two of bytes. */
static unsigned
scale_of(const struct x86_inst *inst)
{
   switch (inst->op) {
   case LIR_OP_load8:
   case LIR_OP_store8: return 0;
   case LIR_OP_load16:
   case LIR_OP_store16: return 1;
   default: return 2;
   }
}

static bool
is_uniform_space(uint64_t mem)
{
   return lir_mem_space(mem) < LIR_NUM_UNIFORM_SPACES;
}

static size_t
place_of_binding(const struct x86_emitter *e, uint64_t mem)
{
   return FRAME(memory) +
          jit_find_place(e->shape, mem) * sizeof(struct jit_memory);
}

static int32_t *
find_bound(struct x86_emitter *e, const struct x86_inst *inst)
{
   return &e->bounds[jit_find_place(e->shape, inst->imm) * 3 + scale_of(inst)];
}

/* The last index of a unit, at most 2^32 - 1, in all lanes of a slot. Where
 * nothing is bound it is that of a zero to be read. */
static void
emit_bound(struct x86_emitter *e, const struct x86_inst *inst, int32_t slot)
{
   const size_t place = place_of_binding(e, inst->imm);
   const unsigned scale = scale_of(inst);

   x86_asm_load(&e->a, X86_PAIR, X86_RAX,
                x86_field(place + offsetof(struct jit_memory, num_bytes)));
   if (scale)
      x86_asm_shift(&e->a, X86_PAIR, X86_RAX, -(int)scale);
   x86_asm_set(&e->a, X86_RCX, UINT32_MAX);
   x86_asm_compute(&e->a, X86_CMP, X86_PAIR, X86_RAX, x86_register(X86_RCX));
   x86_asm_move_if(&e->a, X86_ABOVE, X86_PAIR, X86_RAX, X86_RCX);
   x86_asm_set(&e->a, X86_RCX, 1);
   x86_asm_compute(&e->a, X86_CMP, X86_WORD, X86_RAX, x86_register(X86_RCX));
   x86_asm_move_if(&e->a, X86_BELOW, X86_WORD, X86_RAX, X86_RCX);
   x86_asm_compute_imm(&e->a, X86_SUB, X86_WORD, x86_register(X86_RAX), 1);
   x86_asm_vector(&e->a, X86_vmovd_load, 0, 0, x86_register(X86_RAX));
   x86_asm_vector(&e->a, X86_vpbroadcastd, 0, 0, x86_register(0));
   x86_asm_vector(&e->a, X86_vmovaps_store, 0, 0, x86_stack(slot));
}

void
x86_emit_memory_bounds(struct x86_emitter *e)
{
   for (uint32_t i = 0; i < e->unit.num_insts; i++) {
      const struct x86_inst *inst = &e->unit.insts[i];

      if (inst->op == X86_OP_leave || inst->op == LIR_OP_memsize ||
          lir_op_row(inst->op)->imm != LIR_IMM_MEM ||
          !is_uniform_space(inst->imm) || inst->is_inside)
         continue;
      int32_t *bound = find_bound(e, inst);
      if (*bound != X86_NO_SLOT)
         continue;
      *bound = x86_reg_take_slot(e, X86_VECTOR_BYTES);
      emit_bound(e, inst, *bound);
   }
}

struct x86_operand
x86_bound_of(struct x86_emitter *e, const struct x86_inst *inst)
{
   return x86_stack(*find_bound(e, inst));
}

void
x86_load_data(struct x86_emitter *e, uint64_t mem, enum x86_general to)
{
   x86_asm_load(
      &e->a, X86_PAIR, to,
      x86_field(place_of_binding(e, mem) + offsetof(struct jit_memory, data)));
}

/* ---- indices ------------------------------------------------------------- */

static bool
is_constant_index(const struct x86_emitter *e, const struct x86_inst *inst,
                  uint32_t *index_out)
{
   const struct x86_inst *index = &e->unit.insts[inst->operand[0]];

   if (index->op != LIR_OP_const32)
      return false;
   *index_out = (uint32_t)index->imm;
   return true;
}

static bool
has_uniform_index(const struct x86_emitter *e, const struct x86_inst *inst)
{
   return e->unit.insts[inst->operand[0]].is_uniform;
}

/* An index that is the same in all lanes, in a general register. */
static void
load_index(struct x86_emitter *e, const struct x86_inst *inst,
           enum x86_general to)
{
   uint32_t index;

   if (is_constant_index(e, inst, &index)) {
      x86_asm_set(&e->a, to, index);
      return;
   }
   const struct x86_operand from = x86_reg_source(e, inst->operand[0], 0);
   if (from.kind == X86_REGISTER)
      x86_asm_vector(&e->a, X86_vmovd_store, from.reg, 0, x86_register(to));
   else
      x86_asm_load(&e->a, X86_WORD, to, from);
}

void
x86_broadcast(struct x86_emitter *e, unsigned target, enum x86_general from)
{
   x86_asm_vector(&e->a, X86_vmovd_load, target, 0, x86_register(from));
   x86_asm_vector(&e->a, X86_vpbroadcastd, target, 0, x86_register(target));
}

/* ---- uniform spaces, by halves ------------------------------------------- */

static bool
is_static(const struct x86_emitter *e, const struct x86_inst *inst)
{
   const struct jit_place *place =
      &e->shape->bindings[jit_find_place(e->shape, inst->imm)];
   uint32_t index;

   return scale_of(inst) == 2 && is_constant_index(e, inst, &index) &&
          index < place->static_words;
}

static void
load_static(struct x86_emitter *e, const struct x86_inst *inst)
{
   uint32_t index = 0;

   is_constant_index(e, inst, &index);
   x86_load_data(e, inst->imm, X86_RAX);
   x86_asm_vector(&e->a, X86_vbroadcastss, x86_reg_result(e, 0), 0,
                  x86_at(X86_RAX, (int32_t)(index * 4)));
}

/* RDX, which points to the unit of the index in RCX, becomes the address of
 * zeros if that is outside of the bounds. */
static void
check_unit(struct x86_emitter *e, const struct x86_inst *inst)
{
   x86_asm_lea(&e->a, X86_RSI, x86_field(FRAME(zeros)));
   x86_asm_compute(&e->a, X86_CMP, X86_WORD, X86_RCX, x86_bound_of(e, inst));
   x86_asm_move_if(&e->a, X86_ABOVE, X86_PAIR, X86_RDX, X86_RSI);
}

/* The unit at an index that is the same in all lanes, or zeros. */
static void
load_at_uniform(struct x86_emitter *e, const struct x86_inst *inst)
{
   const unsigned scale = scale_of(inst);

   load_index(e, inst, X86_RCX);
   x86_load_data(e, inst->imm, X86_RAX);
   x86_asm_lea(&e->a, X86_RDX, x86_at_index(X86_RAX, X86_RCX, scale, 0));
   if (!inst->is_inside)
      check_unit(e, inst);
   const unsigned target = x86_reg_result_over(e, 0);
   if (scale == 2) {
      x86_asm_vector(&e->a, X86_vbroadcastss, target, 0, x86_at(X86_RDX, 0));
   } else {
      x86_asm_load_part(&e->a, 8u << scale, X86_RAX, x86_at(X86_RDX, 0));
      x86_broadcast(e, target, X86_RAX);
   }
}

static void
set_all(struct x86_emitter *e, unsigned mask)
{
   x86_asm_vector(&e->a, X86_vpcmpeqd, mask, mask, x86_register(mask));
}

/* Sets a mask where an index is inside of the bounds. */
static void
find_inside(struct x86_emitter *e, const struct x86_inst *inst, unsigned mask,
            unsigned index)
{
   if (inst->is_inside) {
      set_all(e, mask);
      return;
   }
   x86_asm_vector(&e->a, X86_vpminud, mask, index, x86_bound_of(e, inst));
   x86_asm_vector(&e->a, X86_vpcmpeqd, mask, mask, x86_register(index));
}

/* Bits of the index that say which part of a word it is, as a count of bits. */
static void
find_part(struct x86_emitter *e, unsigned scale, unsigned count, unsigned index)
{
   x86_asm_vector(&e->a, X86_vpand, count, index, x86_word(e, scale ? 1 : 3));
   x86_asm_vector_imm(&e->a, X86_vpshiftd_imm, 6, count, x86_register(count),
                      scale ? 4 : 3);
}

/* Words are gathered, of which bytes and halfwords are parts: memory begins at
 * a word, and reading the rest of the last one is harmless. */
static void
gather(struct x86_emitter *e, const struct x86_inst *inst)
{
   const unsigned scale = scale_of(inst);
   const unsigned index = x86_reg_value(e, inst->operand[0], 0);
   const unsigned mask = x86_reg_scratch(e), target = x86_reg_result(e, 0);
   unsigned word = index;

   find_inside(e, inst, mask, index);
   x86_load_data(e, inst->imm, X86_RAX);
   if (scale < 2) {
      word = x86_reg_scratch(e);
      x86_asm_vector_imm(&e->a, X86_vpshiftd_imm, 2, word, x86_register(index),
                         (uint8_t)(2 - scale));
   }
   x86_asm_vector(&e->a, X86_vxorps, target, target, x86_register(target));
   x86_asm_vector(&e->a, X86_vpgatherdd, target, mask,
                  x86_at_index(X86_RAX, word, 2, 0));
   if (scale == 2)
      return;
   find_part(e, scale, word, index);
   x86_asm_vector(&e->a, X86_vpsrlvd, target, target, x86_register(word));
   x86_asm_vector(&e->a, X86_vpand, target, target,
                  x86_word(e, scale ? 0xffff : 0xff));
}

static void
load_uniform_space(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (is_static(e, inst))
      load_static(e, inst);
   else if (has_uniform_index(e, inst))
      load_at_uniform(e, inst);
   else
      gather(e, inst);
}

/* ---- lane memory --------------------------------------------------------- */

/* The first row of lane memory, in a register: the one given, unless there is
 * one that has it. */
static enum x86_general
find_rows(struct x86_emitter *e, uint64_t mem, enum x86_general free)
{
   const uint32_t binding = lir_mem_binding(mem);

   switch (lir_mem_space(mem)) {
   case LIR_SPACE_INPUT: return X86_INPUT;
   case LIR_SPACE_SYSVAL: return X86_SYSVAL;
   case LIR_SPACE_OUTPUT: return X86_OUTPUT;
   default: break;
   }
   x86_asm_load(&e->a, X86_PAIR, free, x86_field(FRAME(arrays)));
   const uint32_t first = e->first_array_word[binding];
   if (first)
      x86_asm_lea(&e->a, free,
                  x86_at(free, (int32_t)(first * sizeof(uint32_t[LIR_LANES]))));
   return free;
}

uint32_t
x86_array_words(const struct x86_emitter *e, uint64_t mem)
{
   return e->module->arrays[lir_mem_binding(mem)].num_words;
}

/* Where the number of rows stands; of an array it is a constant. */
static struct x86_operand
count_of_rows(struct x86_emitter *e, uint64_t mem)
{
   switch (lir_mem_space(mem)) {
   case LIR_SPACE_INPUT: return x86_field(FRAME(num_input));
   case LIR_SPACE_SYSVAL: return x86_field(FRAME(num_sysval));
   case LIR_SPACE_OUTPUT: return x86_field(FRAME(num_output));
   default: return x86_word(e, x86_array_words(e, mem));
   }
}

static bool
is_static_row(const struct x86_emitter *e, const struct x86_inst *inst,
              uint32_t *index_out)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   if (!is_constant_index(e, inst, index_out))
      return false;
   return *index_out <
          (space == LIR_SPACE_ARRAY
              ? x86_array_words(e, inst->imm)
              : e->shape->static_lane_words[space - LIR_SPACE_INPUT]);
}

/* RDX, which points to the row of the index in RCX, becomes the address of
 * `other`, a field of the frame, if there is no such row. */
static void
check_row(struct x86_emitter *e, const struct x86_inst *inst, size_t other)
{
   x86_asm_compute(&e->a, X86_CMP, X86_WORD, X86_RCX,
                   count_of_rows(e, inst->imm));
   /* The flags stay as they are up to the move. */
   x86_asm_lea(&e->a, X86_RSI, x86_field(other));
   x86_asm_move_if(&e->a, X86_NOT_BELOW, X86_PAIR, X86_RDX, X86_RSI);
}

/* The half of a row whose index is the same in all lanes, or of `other`, a
 * field of the frame, if there is none. RAX and others are used. */
static struct x86_operand
find_row(struct x86_emitter *e, const struct x86_inst *inst, size_t other)
{
   const int32_t half = (int32_t)(e->half * X86_VECTOR_BYTES);
   uint32_t index;

   if (is_static_row(e, inst, &index)) {
      const enum x86_general rows = find_rows(e, inst->imm, X86_RAX);

      return x86_at(rows,
                    (int32_t)(index * sizeof(uint32_t[LIR_LANES])) + half);
   }
   load_index(e, inst, X86_RCX);
   const enum x86_general rows = find_rows(e, inst->imm, X86_RAX);
   x86_asm_lea(&e->a, X86_RDX, x86_at_index(X86_RCX, X86_RCX, 0, 0));
   x86_asm_lea(&e->a, X86_RDX, x86_at_index(X86_RDX, X86_RDX, 0, 0));
   x86_asm_lea(&e->a, X86_RDX, x86_at_index(X86_RDX, X86_RDX, 0, 0));
   x86_asm_lea(&e->a, X86_RDX, x86_at_index(rows, X86_RDX, 3, 0));
   if (!inst->is_inside)
      check_row(e, inst, other);
   return x86_at(X86_RDX, half);
}

static struct x86_operand
lane_numbers(struct x86_emitter *e)
{
   uint32_t lanes[X86_HALF_LANES];

   for (unsigned i = 0; i < X86_HALF_LANES; i++)
      lanes[i] = e->half * X86_HALF_LANES + i;
   return x86_asm_constant(&e->a, lanes);
}

/* Sets a mask where each lane has a row of its own. `word` is overwritten. */
static void
find_rows_inside(struct x86_emitter *e, const struct x86_inst *inst,
                 unsigned index, unsigned word, unsigned inside)
{
   if (inst->is_inside) {
      set_all(e, inside);
      return;
   }
   /* A count may be 0: what is inside is not at least that. */
   x86_asm_vector(&e->a, X86_vbroadcastss, word, 0,
                  count_of_rows(e, inst->imm));
   x86_asm_vector(&e->a, X86_vpmaxud, inside, index, x86_register(word));
   x86_asm_vector(&e->a, X86_vpcmpeqd, inside, inside, x86_register(index));
   x86_asm_vector(&e->a, X86_vpxor, inside, inside, x86_word(e, UINT32_MAX));
}

/* Each lane's word of the row of its own, as an index in an array of words, and
 * whether there is one. */
static void
find_words(struct x86_emitter *e, const struct x86_inst *inst, unsigned word,
           unsigned inside)
{
   const unsigned index = x86_reg_value(e, inst->operand[0], 0);

   find_rows_inside(e, inst, index, word, inside);
   x86_asm_vector_imm(&e->a, X86_vpshiftd_imm, 6, word, x86_register(index), 4);
   x86_asm_vector(&e->a, X86_vpaddd, word, word, lane_numbers(e));
}

static void
load_lane_space(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (has_uniform_index(e, inst)) {
      const struct x86_operand row = find_row(e, inst, FRAME(zeros));

      x86_asm_vector(&e->a, X86_vmovups_load, x86_reg_result_over(e, 0), 0,
                     row);
      return;
   }
   const unsigned word = x86_reg_scratch(e), inside = x86_reg_scratch(e);
   const unsigned target = x86_reg_result(e, 0);
   find_words(e, inst, word, inside);
   const enum x86_general rows = find_rows(e, inst->imm, X86_RAX);
   x86_asm_vector(&e->a, X86_vxorps, target, target, x86_register(target));
   x86_asm_vector(&e->a, X86_vpgatherdd, target, inside,
                  x86_at_index(rows, word, 2, 0));
}

/* ---- stores lane by lane ------------------------------------------------- */

/* Stores what is in the buffer, indices first, in the lanes of a half whose
 * bits are in ECX: a loop, since the machine has no scatter. `data` is where
 * unit 0 is. */
static void
scatter(struct x86_emitter *e, unsigned scale, enum x86_general data)
{
   const uint32_t loop = x86_asm_label(&e->a), done = x86_asm_label(&e->a);

   x86_asm_compute(&e->a, X86_OR, X86_WORD, X86_RCX, x86_register(X86_RCX));
   x86_asm_jump_if(&e->a, X86_EQUAL, done);
   x86_asm_place(&e->a, loop);
   x86_asm_count_trailing_zeros(&e->a, X86_RDX, X86_RCX);
   x86_asm_load(&e->a, X86_WORD, X86_RSI,
                x86_at_index(X86_RSP, X86_RDX, 2, X86_BUFFER));
   x86_asm_load(&e->a, X86_WORD, X86_RDI,
                x86_at_index(X86_RSP, X86_RDX, 2, X86_BUFFER + 64));
   const struct x86_operand unit = x86_at_index(data, X86_RSI, scale, 0);
   if (scale == 2)
      x86_asm_store(&e->a, X86_WORD, unit, X86_RDI);
   else
      x86_asm_store_part(&e->a, 8u << scale, unit, X86_RDI);
   x86_asm_clear_lowest(&e->a, X86_RCX, X86_RCX);
   x86_asm_jump_if(&e->a, X86_NOT_EQUAL, loop);
   x86_asm_place(&e->a, done);
}

static void
fill_buffer(struct x86_emitter *e, unsigned index, unsigned value)
{
   x86_asm_vector(&e->a, X86_vmovaps_store, index, 0, x86_stack(X86_BUFFER));
   x86_asm_vector(&e->a, X86_vmovaps_store, value, 0,
                  x86_stack(X86_BUFFER + 64));
}

/* The active lanes of a mask's half, in ECX. */
static void
take_active(struct x86_emitter *e, unsigned mask)
{
   const unsigned active = x86_reg_value(e, x86_active_value(e), 0);

   x86_asm_vector(&e->a, X86_vandps, mask, mask, x86_register(active));
   x86_asm_vector(&e->a, X86_vmovmskps, X86_RCX, 0, x86_register(mask));
}

static void
store_row(struct x86_emitter *e, const struct x86_inst *inst)
{
   const struct x86_operand row = find_row(e, inst, FRAME(trash));
   const unsigned value = x86_reg_value(e, inst->operand[1], 0);
   const unsigned active = x86_reg_value(e, x86_active_value(e), 0);
   const unsigned old = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vmovups_load, old, 0, row);
   x86_asm_vector_imm(&e->a, X86_vblendvps, old, old, x86_register(value),
                      (uint8_t)(active << 4));
   x86_asm_vector(&e->a, X86_vmovups_store, old, 0, row);
}

static void
store_lane_space(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (has_uniform_index(e, inst)) {
      store_row(e, inst);
      return;
   }
   const unsigned word = x86_reg_scratch(e), inside = x86_reg_scratch(e);
   find_words(e, inst, word, inside);
   fill_buffer(e, word, x86_reg_value(e, inst->operand[1], 0));
   take_active(e, inside);
   const enum x86_general rows = find_rows(e, inst->imm, X86_RAX);
   scatter(e, 2, rows);
}

/* ---- spaces that code writes, both halves -------------------------------- */

/* Surfaces that have words for pixels are read and written by blocks. */
static bool
has_blocks(const struct x86_emitter *e, const struct x86_inst *inst)
{
   return lir_mem_space(inst->imm) == LIR_SPACE_SURFACE &&
          scale_of(inst) == 2 && !has_uniform_index(e, inst);
}

static void
load_half_of_block(struct x86_emitter *e, const struct x86_inst *inst,
                   int32_t place)
{
   const uint32_t other = x86_asm_label(&e->a), done = x86_asm_label(&e->a);
   const unsigned index = x86_reg_value(e, inst->operand[0], 0);
   const unsigned target = x86_reg_result(e, 0), mask = x86_reg_scratch(e);

   x86_load_rows_of_block(e, place, target, other);
   x86_asm_jump(&e->a, done);
   x86_asm_place(&e->a, other);
   find_inside(e, inst, mask, index);
   x86_load_data(e, inst->imm, X86_RAX);
   x86_asm_vector(&e->a, X86_vxorps, target, target, x86_register(target));
   x86_asm_vector(&e->a, X86_vpgatherdd, target, mask,
                  x86_at_index(X86_RAX, index, 2, 0));
   x86_asm_place(&e->a, done);
}

/* The two halves are of different slots. */
static void
load_block(struct x86_emitter *e, const struct x86_inst *inst)
{
   const int32_t place = x86_find_block(e, inst);

   for (e->half = 0; e->half < 2; e->half++) {
      load_half_of_block(e, inst, place);
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

static void
scatter_units(struct x86_emitter *e, const struct x86_inst *inst,
              unsigned index, unsigned value)
{
   const unsigned inside = x86_reg_scratch(e);

   find_inside(e, inst, inside, index);
   fill_buffer(e, index, value);
   take_active(e, inside);
   x86_load_data(e, inst->imm, X86_RAX);
   scatter(e, scale_of(inst), X86_RAX);
}

static void
store_half(struct x86_emitter *e, const struct x86_inst *inst, int32_t place)
{
   const uint32_t other = x86_asm_label(&e->a), done = x86_asm_label(&e->a);
   const unsigned index = x86_reg_value(e, inst->operand[0], 0);
   const unsigned value = x86_reg_value(e, inst->operand[1], 0);

   if (has_blocks(e, inst))
      x86_store_half_of_block(e, place, value, other, done);
   x86_asm_place(&e->a, other);
   scatter_units(e, inst, index, value);
   x86_asm_place(&e->a, done);
}

/* Where nothing is bound, nothing is stored. */
void
x86_store_both(struct x86_emitter *e, const struct x86_inst *inst)
{
   const uint32_t done = x86_asm_label(&e->a);
   const int32_t place = has_blocks(e, inst) ? x86_find_block(e, inst) : 0;

   x86_asm_compute_imm(&e->a, X86_CMP, X86_PAIR,
                       x86_field(place_of_binding(e, inst->imm) +
                                 offsetof(struct jit_memory, num_bytes)),
                       0);
   x86_asm_jump_if(&e->a, X86_EQUAL, done);
   for (e->half = 0; e->half < 2; e->half++) {
      store_half(e, inst, place);
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
   x86_asm_place(&e->a, done);
}

/* ---- instructions -------------------------------------------------------- */

void
x86_load_half(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (is_uniform_space(inst->imm))
      load_uniform_space(e, inst);
   else
      load_lane_space(e, inst);
}

/* Of what is uniform one half is loaded. */
void
x86_load_both(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (has_blocks(e, inst)) {
      load_block(e, inst);
      return;
   }
   for (e->half = 0; e->half < (inst->is_uniform ? 1 : 2); e->half++) {
      load_uniform_space(e, inst);
      x86_reg_finish(e);
      x86_reg_forget(e);
   }
}

void
x86_store_half(struct x86_emitter *e, const struct x86_inst *inst)
{
   store_lane_space(e, inst);
}

void
x86_memsize(struct x86_emitter *e, const struct x86_inst *inst)
{
   x86_asm_load(&e->a, X86_PAIR, X86_RAX,
                x86_field(place_of_binding(e, inst->imm) +
                          offsetof(struct jit_memory, num_bytes)));
   x86_asm_set(&e->a, X86_RCX, UINT32_MAX);
   x86_asm_compute(&e->a, X86_CMP, X86_PAIR, X86_RAX, x86_register(X86_RCX));
   x86_asm_move_if(&e->a, X86_ABOVE, X86_PAIR, X86_RAX, X86_RCX);
   x86_broadcast(e, x86_reg_result(e, 0), X86_RAX);
}
