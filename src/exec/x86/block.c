/* SPDX-License-Identifier: MIT
 *
 * Blocks of surfaces: lanes that are the pixels of a block of 4 by 4 look at
 * four rows of four units. Whether they are is found out when the code runs,
 * once for an index: it is faster than to gather and to scatter. The halves of
 * a wave are alike but for the rows, so that the tables of the first do for
 * both.
 */
#include "exec/x86/block.h"

#include "exec/block.h"
#include "exec/x86/memory.h"

enum { ALL_LANES = 0xff, PLACE_FIRST = 8, PLACE_PITCH = 16 };

/* The index of the first lane in EDX, and in R8D how much greater that of the
 * lane below it is. */
static void
find_pitch(struct x86_emitter *e, unsigned index)
{
   const unsigned below = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vmovd_store, index, 0, x86_register(X86_RDX));
   x86_asm_vector_imm(&e->a, X86_vpshufd, below, 0, x86_register(index), 0xee);
   x86_asm_vector(&e->a, X86_vmovd_store, below, 0, x86_register(X86_R8));
   x86_asm_compute(&e->a, X86_SUB, X86_WORD, X86_R8, x86_register(X86_RDX));
}

/* Sets the flags to equal if the lanes' indices are those of a block. */
static void
compare_block(struct x86_emitter *e, unsigned low, unsigned high)
{
   const unsigned pitch = x86_reg_scratch(e), expected = x86_reg_scratch(e);
   const unsigned first = x86_reg_scratch(e);

   x86_broadcast(e, pitch, X86_R8);
   x86_broadcast(e, first, X86_RDX);
   x86_asm_vector(&e->a, X86_vpand, expected, pitch,
                  x86_asm_constant(&e->a, exec_block_odd));
   x86_asm_vector(&e->a, X86_vpaddd, expected, expected,
                  x86_asm_constant(&e->a, exec_block_column));
   x86_asm_vector(&e->a, X86_vpaddd, expected, expected, x86_register(first));
   x86_asm_vector(&e->a, X86_vpcmpeqd, first, expected, x86_register(low));
   x86_asm_vector(&e->a, X86_vpaddd, pitch, pitch, x86_register(pitch));
   x86_asm_vector(&e->a, X86_vpaddd, expected, expected, x86_register(pitch));
   x86_asm_vector(&e->a, X86_vpcmpeqd, expected, expected, x86_register(high));
   x86_asm_vector(&e->a, X86_vandps, first, first, x86_register(expected));
   x86_asm_vector(&e->a, X86_vmovmskps, X86_R9, 0, x86_register(first));
   x86_asm_compute_imm(&e->a, X86_CMP, X86_WORD, x86_register(X86_R9),
                       ALL_LANES);
}

/* Goes to `other` unless the block is inside of the bounds, and no two lanes
 * are at the same unit. */
static void
check_bounds(struct x86_emitter *e, const struct x86_inst *inst, uint32_t other)
{
   x86_asm_compute_imm(&e->a, X86_CMP, X86_WORD, x86_register(X86_R8),
                       EXEC_BLOCK_SIZE);
   x86_asm_jump_if(&e->a, X86_BELOW, other);
   x86_asm_lea(&e->a, X86_R9,
               x86_at_index(X86_R8, X86_R8, 1, EXEC_BLOCK_SIZE - 1));
   x86_asm_compute(&e->a, X86_ADD, X86_PAIR, X86_R9, x86_register(X86_RDX));
   x86_asm_load(&e->a, X86_WORD, X86_R10, x86_bound_of(e, inst));
   x86_asm_compute(&e->a, X86_CMP, X86_PAIR, X86_R9, x86_register(X86_R10));
   x86_asm_jump_if(&e->a, X86_ABOVE, other);
}

static void
emit_block(struct x86_emitter *e, const struct x86_inst *inst, int32_t place)
{
   const uint32_t other = x86_asm_label(&e->a);
   const uint32_t value = inst->operand[0];
   const unsigned low = x86_reg_value(e, value, 0), high = x86_reg_scratch(e);

   x86_asm_vector(&e->a, X86_vmovups_load, high, 0,
                  x86_reg_high_half(e, value));
   x86_asm_store_imm(&e->a, X86_WORD, x86_stack(place), 0);
   find_pitch(e, low);
   compare_block(e, low, high);
   x86_asm_jump_if(&e->a, X86_NOT_EQUAL, other);
   check_bounds(e, inst, other);
   x86_load_data(e, inst->imm, X86_RAX);
   x86_asm_lea(&e->a, X86_RAX, x86_at_index(X86_RAX, X86_RDX, 2, 0));
   x86_asm_shift(&e->a, X86_PAIR, X86_R8, 2);
   x86_asm_store_imm(&e->a, X86_WORD, x86_stack(place), 1);
   x86_asm_store(&e->a, X86_PAIR, x86_stack(place + PLACE_FIRST), X86_RAX);
   x86_asm_store(&e->a, X86_PAIR, x86_stack(place + PLACE_PITCH), X86_R8);
   x86_asm_place(&e->a, other);
   x86_reg_forget(e);
}

static const struct x86_block *
add_block(struct x86_emitter *e, const struct x86_inst *inst)
{
   static const struct x86_block none = {0};
   void *blocks = e->blocks;

   if (!tg_arena_reserve(e->arena, &blocks, &e->block_capacity, e->num_blocks,
                         sizeof(*e->blocks))) {
      e->result = TG_ERROR_MEMORY;
      return &none;
   }
   e->blocks = blocks;
   e->blocks[e->num_blocks] = (struct x86_block){
      .index = inst->operand[0],
      .mem = inst->imm,
      .level = e->level,
      .place = x86_reg_take_slot(e, X86_VECTOR_BYTES),
   };
   return &e->blocks[e->num_blocks++];
}

int32_t
x86_find_block(struct x86_emitter *e, const struct x86_inst *inst)
{
   for (uint32_t i = e->num_blocks; i-- > 0;) {
      const struct x86_block *block = &e->blocks[i];

      if (block->index == inst->operand[0] && block->mem == inst->imm)
         return block->place;
   }
   const struct x86_block *block = add_block(e, inst);
   emit_block(e, inst, block->place);
   return block->place;
}

void
x86_forget_blocks(struct x86_emitter *e)
{
   while (e->num_blocks && e->blocks[e->num_blocks - 1].level >= e->level)
      x86_reg_return_slot(e, e->blocks[--e->num_blocks].place,
                          X86_VECTOR_BYTES);
}

/* The two rows of a half, at RSI and RSI + RDI; or it goes to `other`. */
static void
find_rows_of_block(struct x86_emitter *e, int32_t place, uint32_t other)
{
   x86_asm_compute_imm(&e->a, X86_CMP, X86_WORD, x86_stack(place), 0);
   x86_asm_jump_if(&e->a, X86_EQUAL, other);
   x86_asm_load(&e->a, X86_PAIR, X86_RSI, x86_stack(place + PLACE_FIRST));
   x86_asm_load(&e->a, X86_PAIR, X86_RDI, x86_stack(place + PLACE_PITCH));
   if (e->half)
      x86_asm_lea(&e->a, X86_RSI, x86_at_index(X86_RSI, X86_RDI, 1, 0));
}

static struct x86_operand
second_row(void)
{
   return x86_at_index(X86_RSI, X86_RDI, 0, 0);
}

/* From two rows to lanes and back. */
static void
exchange_rows(struct x86_emitter *e, unsigned target, unsigned rows)
{
   x86_asm_vector_imm(&e->a, X86_vpermq, target, 0, x86_register(rows), 0xd8);
}

void
x86_load_rows_of_block(struct x86_emitter *e, int32_t place, unsigned target,
                       uint32_t other)
{
   find_rows_of_block(e, place, other);
   x86_asm_vector(&e->a, X86_vmovups_load4, target, 0, x86_at(X86_RSI, 0));
   x86_asm_vector_imm(&e->a, X86_vinsertf128, target, target, second_row(), 1);
   exchange_rows(e, target, target);
}

static void
store_rows(struct x86_emitter *e, unsigned rows)
{
   x86_asm_vector(&e->a, X86_vmovups_store4, rows, 0, x86_at(X86_RSI, 0));
   x86_asm_vector_imm(&e->a, X86_vextractf128, rows, 0, second_row(), 1);
}

/* Units of lanes that are not active are not even written as they are: somebody
 * else may write there. */
static void
store_part_of_rows(struct x86_emitter *e, unsigned rows, unsigned mask)
{
   x86_asm_vector(&e->a, X86_vmaskmovps_store4, rows, mask, x86_at(X86_RSI, 0));
   x86_asm_vector_imm(&e->a, X86_vextractf128, rows, 0, x86_register(rows), 1);
   x86_asm_vector_imm(&e->a, X86_vextractf128, mask, 0, x86_register(mask), 1);
   x86_asm_vector(&e->a, X86_vmaskmovps_store4, rows, mask, second_row());
}

void
x86_store_half_of_block(struct x86_emitter *e, int32_t place, unsigned value,
                        uint32_t other, uint32_t done)
{
   const uint32_t partial = x86_asm_label(&e->a);
   const unsigned active = x86_reg_value(e, x86_active_value(e), 0);
   const unsigned rows = x86_reg_scratch(e), mask = x86_reg_scratch(e);

   find_rows_of_block(e, place, other);
   exchange_rows(e, rows, value);
   x86_asm_vector(&e->a, X86_vmovmskps, X86_RCX, 0, x86_register(active));
   x86_asm_compute_imm(&e->a, X86_CMP, X86_WORD, x86_register(X86_RCX),
                       ALL_LANES);
   x86_asm_jump_if(&e->a, X86_NOT_EQUAL, partial);
   store_rows(e, rows);
   x86_asm_jump(&e->a, done);
   x86_asm_place(&e->a, partial);
   exchange_rows(e, mask, active);
   store_part_of_rows(e, rows, mask);
   x86_asm_jump(&e->a, done);
}
