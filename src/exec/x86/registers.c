/* SPDX-License-Identifier: MIT
 *
 * Register allocation while code is emitted: values come into registers when
 * they are used, and the one whose next use is farthest leaves when a register
 * is needed (Belady). Slots of the stack are taken for values that outlive
 * their segment, and for those that leave before their last use.
 */
#include "exec/x86/emitter.h"

#include <string.h>

#define NO_KEY UINT32_MAX

enum {
   NO_REGISTER = -1,
   KEYS = 4, /* of a value: two halves of two parts each */
};

bool
x86_reg_init(struct x86_emitter *e)
{
   const size_t num_values = (size_t)e->unit.num_insts + 1;

   e->register_of = tg_arena_array(e->arena, num_values, KEYS);
   e->slots = tg_arena_array(e->arena, num_values, sizeof(*e->slots));
   e->stored = tg_arena_array(e->arena, num_values, sizeof(*e->stored));
   if (!e->register_of || !e->slots || !e->stored)
      return false;
   memset(e->register_of, NO_REGISTER, num_values * KEYS);
   for (size_t i = 0; i < num_values; i++)
      e->slots[i] = X86_NO_SLOT;
   return true;
}

/* ---- values -------------------------------------------------------------- */

static bool
is_active_value(const struct x86_emitter *e, uint32_t value)
{
   return value == x86_active_value(e);
}

static bool
is_uniform(const struct x86_emitter *e, uint32_t value)
{
   return !is_active_value(e, value) && e->unit.insts[value].is_uniform;
}

static bool
is_constant(const struct x86_emitter *e, uint32_t value)
{
   return !is_active_value(e, value) && x86_is_constant(&e->unit.insts[value]);
}

bool
x86_needs_no_register(const struct x86_emitter *e, const struct x86_inst *inst)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   if (inst->op != LIR_OP_load32 ||
       (space != LIR_SPACE_INPUT && space != LIR_SPACE_SYSVAL))
      return false;
   const struct x86_inst *index = &e->unit.insts[inst->operand[0]];
   return index->op == LIR_OP_const32 &&
          index->imm < e->shape->static_lane_words[space - LIR_SPACE_INPUT];
}

static bool
is_row(const struct x86_emitter *e, uint32_t value)
{
   return !is_active_value(e, value) &&
          x86_needs_no_register(e, &e->unit.insts[value]);
}

unsigned
x86_reg_num_parts(const struct x86_emitter *e, uint32_t value)
{
   return !is_active_value(e, value) && !e->unit.insts[value].is_uniform &&
                e->unit.insts[value].type == LIR_TYPE_B64
             ? 2
             : 1;
}

static unsigned
slot_bytes(const struct x86_emitter *e, uint32_t value)
{
   return is_uniform(e, value)
             ? X86_VECTOR_BYTES
             : 2 * X86_VECTOR_BYTES * x86_reg_num_parts(e, value);
}

/* A uniform value has one half and one part alone, whichever is asked for. */
static uint32_t
key_of(const struct x86_emitter *e, uint32_t value, unsigned part)
{
   const uint32_t first = KEYS * value;

   if (is_uniform(e, value))
      return first;
   return first + 2 * e->half + (x86_reg_num_parts(e, value) == 2 ? part : 0);
}

static uint32_t
value_of(uint32_t key)
{
   return key / KEYS;
}

static unsigned
half_of(uint32_t key)
{
   return key / 2 % 2;
}

/* The bit of a half's part in `stored`. */
static unsigned
stored_bit(uint32_t key)
{
   return 1u << key % KEYS;
}

static bool
is_stored(const struct x86_emitter *e, uint32_t key)
{
   const uint32_t value = value_of(key);

   return is_active_value(e, value) || is_constant(e, value) ||
          is_row(e, value) || e->stored[value] & stored_bit(key);
}

/* ---- where values are in memory ------------------------------------------ */

static struct x86_operand
constant(struct x86_emitter *e, const struct x86_inst *inst)
{
   if (inst->op == LIR_OP_const1)
      return x86_word(e, inst->imm ? UINT32_MAX : 0);
   return inst->op == LIR_OP_const64 ? x86_pair(e, inst->imm)
                                     : x86_word(e, (uint32_t)inst->imm);
}

static struct x86_operand
place_in_slot(const struct x86_emitter *e, uint32_t key)
{
   const uint32_t value = value_of(key);
   const unsigned number = half_of(key) * x86_reg_num_parts(e, value) + key % 2;

   return x86_stack(e->slots[value] + (int32_t)(number * X86_VECTOR_BYTES));
}

static struct x86_operand
place_of_row(const struct x86_emitter *e, const struct x86_inst *inst,
             unsigned half)
{
   const uint64_t row = e->unit.insts[inst->operand[0]].imm;

   return x86_at(lir_mem_space(inst->imm) == LIR_SPACE_INPUT ? X86_INPUT
                                                             : X86_SYSVAL,
                 (int32_t)((2 * row + half) * X86_VECTOR_BYTES));
}

static struct x86_operand
memory_of(struct x86_emitter *e, uint32_t key)
{
   const uint32_t value = value_of(key);

   if (is_active_value(e, value))
      return x86_stack(x86_active_place(e) +
                       (int32_t)(half_of(key) * X86_VECTOR_BYTES));
   if (is_constant(e, value))
      return constant(e, &e->unit.insts[value]);
   if (is_row(e, value))
      return place_of_row(e, &e->unit.insts[value], half_of(key));
   assert(is_stored(e, key));
   return place_in_slot(e, key);
}

/* ---- slots --------------------------------------------------------------- */

static unsigned
size_class(unsigned bytes)
{
   return bytes == 32 ? 0 : bytes == 64 ? 1 : 2;
}

int32_t
x86_reg_take_slot(struct x86_emitter *e, unsigned bytes)
{
   const unsigned class = size_class(bytes);

   if (e->num_free[class])
      return e->free_slots[class][--e->num_free[class]];
   const int32_t slot = e->stack;
   e->stack += (int32_t)bytes;
   if (e->stack > X86_MAX_STACK) {
      e->result = TG_ERROR_LIMIT;
      e->stack = slot;
   }
   return slot;
}

void
x86_reg_return_slot(struct x86_emitter *e, int32_t slot, unsigned bytes)
{
   const unsigned class = size_class(bytes);
   void *slots = e->free_slots[class];

   if (!tg_arena_reserve(e->arena, &slots, &e->free_capacity[class],
                         e->num_free[class], sizeof(*e->free_slots[class])))
      return; /* it stays taken */
   e->free_slots[class] = slots;
   e->free_slots[class][e->num_free[class]++] = slot;
}

static void
give_slot(struct x86_emitter *e, uint32_t value)
{
   void *slotted = e->slotted;

   e->slots[value] = x86_reg_take_slot(e, slot_bytes(e, value));
   if (e->is_before_waves)
      return; /* it is never freed */
   if (!tg_arena_reserve(e->arena, &slotted, &e->slotted_capacity,
                         e->num_slotted, sizeof(*e->slotted)))
      return;
   e->slotted = slotted;
   e->slotted[e->num_slotted++] = value;
}

void
x86_reg_free_slots(struct x86_emitter *e)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < e->num_slotted; i++) {
      const uint32_t value = e->slotted[i];

      if (e->unit.insts[value].last_use > e->at)
         e->slotted[count++] = value;
      else
         x86_reg_return_slot(e, e->slots[value], slot_bytes(e, value));
   }
   e->num_slotted = count;
}

static void
store(struct x86_emitter *e, uint32_t key, unsigned reg)
{
   const uint32_t value = value_of(key);

   if (e->slots[value] == X86_NO_SLOT)
      give_slot(e, value);
   x86_asm_vector(&e->a, X86_vmovaps_store, reg, 0, place_in_slot(e, key));
   e->stored[value] |= (uint8_t)stored_bit(key);
}

/* ---- registers ----------------------------------------------------------- */

/* The place of a half's instruction in the order of what is emitted; about that
 * for debuggers, whose runs are shorter. */
static uint64_t
position_of(uint32_t at, unsigned half)
{
   const uint32_t before = at & ~(uint32_t)(X86_RUN - 1);

   return (uint64_t)at + before + half * X86_RUN;
}

static void
release(struct x86_emitter *e, unsigned reg)
{
   if (e->held[reg].key != NO_KEY)
      e->register_of[e->held[reg].key] = NO_REGISTER;
   e->used &= (uint16_t) ~(1u << reg);
}

static void
hold(struct x86_emitter *e, unsigned reg, uint32_t key, uint32_t next_use)
{
   e->held[reg] = (struct x86_held){key, position_of(next_use, half_of(key))};
   e->used |= (uint16_t)(1u << reg);
   e->locked |= (uint16_t)(1u << reg);
   if (key != NO_KEY)
      e->register_of[key] = (int8_t)reg;
}

/* The register whose value is used last; of those that are used at the same
 * time one that is in memory, too. */
static unsigned
find_victim(const struct x86_emitter *e)
{
   unsigned victim = X86_NUM_VECTORS;
   uint64_t farthest = 0;

   for (unsigned i = 0; i < X86_NUM_VECTORS; i++) {
      if (e->locked >> i & 1)
         continue;
      const uint64_t distance =
         e->held[i].next_use * 2 + is_stored(e, e->held[i].key);
      if (victim == X86_NUM_VECTORS || distance > farthest) {
         victim = i;
         farthest = distance;
      }
   }
   assert(victim < X86_NUM_VECTORS);
   return victim;
}

static unsigned
allocate(struct x86_emitter *e, uint32_t key, uint32_t next_use)
{
   const uint16_t left = (uint16_t)~e->used;
   unsigned reg;

   if (left) {
      reg = (unsigned)__builtin_ctz(left);
   } else {
      reg = find_victim(e);
      if (!is_stored(e, e->held[reg].key))
         store(e, e->held[reg].key, reg);
      release(e, reg);
   }
   hold(e, reg, key, next_use);
   return reg;
}

/* When a value is used next after the current instruction. */
static uint32_t
next_use_of(const struct x86_emitter *e, uint32_t value)
{
   const struct x86_inst *inst = x86_current(e);

   for (unsigned k = 0; k < x86_num_operands(inst); k++) {
      if (inst->operand[k] == value)
         return inst->next_use[k];
   }
   return e->at + 16; /* the active lanes: soon enough */
}

static void
fill(struct x86_emitter *e, unsigned reg, struct x86_operand from)
{
   x86_asm_vector(&e->a, X86_vmovups_load, reg, 0, from);
}

static bool
is_word(const struct x86_emitter *e, uint32_t value, uint64_t word)
{
   const struct x86_inst *inst = &e->unit.insts[value];

   return is_constant(e, value) && inst->imm == word &&
          inst->op != LIR_OP_const1;
}

unsigned
x86_reg_value(struct x86_emitter *e, uint32_t value, unsigned part)
{
   const uint32_t key = key_of(e, value, part);
   const int there = e->register_of[key];

   if (there != NO_REGISTER) {
      if (value != e->at)
         e->held[there].next_use =
            position_of(next_use_of(e, value), half_of(key));
      e->locked |= (uint16_t)(1u << there);
      return (unsigned)there;
   }
   const unsigned reg = allocate(e, key, next_use_of(e, value));
   if (is_word(e, value, 0))
      x86_asm_vector(&e->a, X86_vxorps, reg, reg, x86_register(reg));
   else
      fill(e, reg, memory_of(e, key));
   return reg;
}

bool
x86_reg_is_held(const struct x86_emitter *e, uint32_t value, unsigned part)
{
   return e->register_of[key_of(e, value, part)] != NO_REGISTER;
}

/* Constants are never worth a register; others are, if they are used again in
 * this half. */
struct x86_operand
x86_reg_source(struct x86_emitter *e, uint32_t value, unsigned part)
{
   const uint32_t key = key_of(e, value, part);

   if (e->register_of[key] != NO_REGISTER)
      return x86_register(x86_reg_value(e, value, part));
   if (is_uniform(e, value) || next_use_of(e, value) >= e->end)
      return memory_of(e, key);
   return x86_register(x86_reg_value(e, value, part));
}

struct x86_operand
x86_reg_high_half(struct x86_emitter *e, uint32_t value)
{
   const unsigned half = e->half;

   e->half = 1;
   const struct x86_operand place = memory_of(e, key_of(e, value, 0));
   e->half = half;
   return place;
}

unsigned
x86_reg_scratch(struct x86_emitter *e)
{
   return allocate(e, NO_KEY, X86_NEVER);
}

unsigned
x86_reg_result(struct x86_emitter *e, unsigned part)
{
   return allocate(e, key_of(e, e->at, part), x86_current(e)->first_use);
}

/* Gives up the register of a part of an operand that this half uses no more. */
static void
drop_operand(struct x86_emitter *e, unsigned k, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);
   const int reg = e->register_of[key_of(e, inst->operand[k], part)];

   if (reg == NO_REGISTER || inst->next_use[k] < e->end)
      return;
   release(e, (unsigned)reg);
   e->locked &= (uint16_t) ~(1u << reg);
}

/* An operand of one part may be of use to the second part of the result. */
unsigned
x86_reg_result_over(struct x86_emitter *e, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);
   const unsigned num_parts = x86_reg_num_parts(e, e->at);

   for (unsigned k = 0; k < x86_num_operands(inst); k++) {
      if (x86_reg_num_parts(e, inst->operand[k]) == num_parts)
         drop_operand(e, k, part);
   }
   return x86_reg_result(e, part);
}

bool
x86_reg_take_over(struct x86_emitter *e, unsigned k, unsigned part)
{
   const struct x86_inst *inst = x86_current(e);
   const uint32_t value = inst->operand[k];
   const int reg = e->register_of[key_of(e, value, part)];

   if (reg == NO_REGISTER || inst->next_use[k] < e->end ||
       x86_reg_num_parts(e, value) != x86_reg_num_parts(e, e->at))
      return false;
   release(e, (unsigned)reg);
   hold(e, (unsigned)reg, key_of(e, e->at, part), inst->first_use);
   return true;
}

void
x86_reg_give(struct x86_emitter *e, unsigned part, unsigned reg)
{
   assert(e->held[reg].key == NO_KEY);
   hold(e, reg, key_of(e, e->at, part), x86_current(e)->first_use);
}

/* Is the current value needed where the register is empty? */
static bool
outlives_half(const struct x86_emitter *e)
{
   const struct x86_inst *inst = x86_current(e);

   if (e->is_before_waves)
      return inst->varies_in_use;
   return inst->last_use >= e->end || (inst->is_uniform && inst->varies_in_use);
}

static void
finish_result(struct x86_emitter *e)
{
   for (unsigned part = 0; part < x86_reg_num_parts(e, e->at); part++) {
      const uint32_t key = key_of(e, e->at, part);
      const int reg = e->register_of[key];

      if (reg == NO_REGISTER)
         continue;
      if (outlives_half(e) && !is_stored(e, key))
         store(e, key, (unsigned)reg);
      if (x86_current(e)->first_use >= e->end)
         release(e, (unsigned)reg);
   }
}

void
x86_reg_finish(struct x86_emitter *e)
{
   for (unsigned k = 0; k < 2 * x86_num_operands(x86_current(e)); k++)
      drop_operand(e, k / 2, k % 2);
   for (unsigned i = 0; i < X86_NUM_VECTORS; i++) {
      if (e->used >> i & 1 && e->held[i].key == NO_KEY)
         release(e, i);
   }
   if (x86_current(e)->type != LIR_TYPE_V)
      finish_result(e);
   e->locked = 0;
}

void
x86_reg_forget(struct x86_emitter *e)
{
   for (unsigned i = 0; i < X86_NUM_VECTORS; i++) {
      if (e->used >> i & 1)
         release(e, i);
   }
   e->locked = 0;
}
