/* SPDX-License-Identifier: MIT
 *
 * Lowering of address registers. Where a shader has ADDR[0] alone and only
 * indexes with it, that is A0. Else an address register is a register of
 * floats, from which the components that index attributes and constants are
 * loaded into A0: each into one of its own when it is written, as long as A0
 * has enough; those that are too many, and indices below 0, which a word cannot
 * hold, when they are used.
 */
#include "tegra/select/select.h"

#include <string.h>

/* A0.w is for loads at uses, if there are such. */
enum { RELOADED = 3 };

/* ---- homes --------------------------------------------------------------- */

/* The component of A0 where a component of an address register is, or -1. */
static int
home_of(const struct select *select, const struct tg_index *index)
{
   const struct select_address *address = &select->address;

   for (unsigned i = 0; index->file == TG_FILE_ADDR && i < address->num_homes;
        i++) {
      if (address->homes[i].index == (uint32_t)index->index &&
          address->homes[i].component == index->component)
         return (int)i;
   }
   return -1;
}

/* What an index adds to; c[] and a[] have no more that a word could name. */
static int32_t
base_of(const struct select *select, const struct tg_register *reg)
{
   int32_t base = reg->index.offset;

   for (uint32_t i = 0; reg->file == TG_FILE_CONST && i < select->num_buffers;
        i++) {
      uint32_t dimension =
         reg->has_dimension ? (uint32_t)reg->dimension.offset : 0;

      if (select->buffers[i].dimension == dimension)
         base += (int32_t)select->buffers[i].base;
   }
   return base;
}

static bool
is_direct(const struct select *select, const struct tg_register *reg)
{
   int32_t base = base_of(select, reg);
   int32_t end = reg->file == TG_FILE_CONST ? TEGRA_NUM_CONSTANT_INDICES
                                            : TG_TEGRA_NUM_ATTRIBUTES;

   return base >= 0 && base < end && reg->index.file == TG_FILE_ADDR;
}

static void
give_home(struct select *select, const struct tg_index *index)
{
   struct select_address *address = &select->address;

   if (home_of(select, index) >= 0)
      return;
   if (address->num_homes == (address->reloads ? RELOADED : 4)) {
      address->reloads = true;
      address->num_homes = RELOADED;
      return;
   }
   address->homes[address->num_homes].index = (uint32_t)index->index;
   address->homes[address->num_homes].component = index->component;
   address->num_homes++;
}

static bool
has_files_in_words(const struct tg_register *reg)
{
   return reg->file == TG_FILE_IN || reg->file == TG_FILE_CONST;
}

/* ---- looking through the shader ------------------------------------------ */

/* Is it ADDR[0] as an index that a word can hold? */
static bool
is_plain_use(const struct select *select, const struct tg_register *reg)
{
   return !reg->index.indirect ||
          (has_files_in_words(reg) && is_direct(select, reg) &&
           reg->index.index == 0);
}

/* ADDR[0], all of it as it is. */
static bool
is_whole_address(const struct tg_instruction *instruction)
{
   const struct tg_register *reg = instruction->num_src
                                      ? &instruction->src[0].reg
                                      : &instruction->dst[0].reg;

   for (unsigned c = 0; c < 4; c++) {
      if (instruction->num_src && instruction->src[0].swizzle[c] != c)
         return false;
   }
   if (instruction->num_src &&
       (instruction->src[0].negate || instruction->src[0].absolute))
      return false;
   if (instruction->num_src == 0 && instruction->dst[0].writemask != 15)
      return false;
   return reg->file == TG_FILE_ADDR && !reg->index.indirect &&
          reg->index.offset == 0;
}

static bool
is_plain_instruction(const struct select *select,
                     const struct tg_instruction *instruction)
{
   enum tg_opcode_group group = tg_opcode_row(instruction->opcode)->group;
   bool is_plain = true;

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_register *reg = &instruction->dst[d].reg;

      is_plain &= !reg->index.indirect &&
                  (reg->file != TG_FILE_ADDR || reg->index.offset == 0);
   }
   for (unsigned s = 0; s < instruction->num_src; s++) {
      const struct tg_register *reg = &instruction->src[s].reg;

      is_plain &=
         is_plain_use(select, reg) &&
         (reg->file != TG_FILE_ADDR ||
          (group == TG_GROUP_ADDRESS && is_whole_address(instruction)));
   }
   return is_plain;
}

static void
find_homes(struct select *select)
{
   const struct tg_shader *shader = select->shader;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      for (unsigned s = 0; s < instruction->num_src; s++) {
         const struct tg_register *reg = &instruction->src[s].reg;

         if (!reg->index.indirect || !has_files_in_words(reg))
            continue;
         if (is_direct(select, reg))
            give_home(select, &reg->index);
         else
            select->address.reloads = true;
      }
   }
}

void
select_lay_out_addresses(struct select *select)
{
   const struct tg_shader *shader = select->shader;
   struct select_address *address = &select->address;

   address->is_plain = true;
   for (uint32_t i = 0; i < shader->num_instructions; i++)
      address->is_plain &=
         is_plain_instruction(select, &shader->instructions[i]);
   if (!address->is_plain) {
      find_homes(select);
      if (address->reloads && address->num_homes > RELOADED)
         address->num_homes = RELOADED;
      return;
   }
   address->num_homes = 4;
   for (unsigned c = 0; c < 4; c++)
      address->homes[c].component = (uint8_t)c;
}

/* ---- reading ------------------------------------------------------------- */

struct mir_source
select_address_value(struct select *select, const struct tg_index *index)
{
   struct tg_register reg = {
      .file = index->file,
      .index = {.offset = index->index},
   };

   if (index->file != TG_FILE_ADDR && index->file != TG_FILE_LOOP) {
      select_refuse(select, SELECT_REFUSED_INDEX);
      return mir_number(0.0f);
   }
   return mir_component(select_register_operand(select, &reg),
                        index->component);
}

/* Loads A0.w for one use, and takes what it finds out of the way of the next.
 */
static struct mir_source
reload(struct select *select, const struct tg_register *reg, enum mir_file file)
{
   int32_t base = base_of(select, reg);
   struct select_place t = select_temporary_place(select, TEGRA_MASK_XYZW);
   struct mir_source value = select_address_value(select, &reg->index);
   struct mir_source found = {
      .file = (uint8_t)file,
      .swizzle = TEGRA_IDENTITY,
      .relative = true,
      .address = RELOADED,
      .index = base > 0 ? (uint32_t)base : 0,
   };

   if (reg->index.file == TG_FILE_LOOP) {
      struct select_place whole =
         select_temporary_place(select, tegra_mask_bit(0));
      select_truncate(select, whole, value);
      value = mir_component(select_value(whole), 0);
   }
   if (base < 0) {
      select_emit_vector2(select, TEGRA_VECTOR_ADD,
                          select_masked_place(t, tegra_mask_bit(0)), value,
                          mir_number((float)base));
      value = mir_component(select_value(t), 0);
   }
   select_emit_vector1(select, TEGRA_VECTOR_ARL,
                       select_no_place(tegra_mask_bit(RELOADED)), value);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, t, found);
   return select_value(t);
}

struct mir_source
select_addressed_register(struct select *select, const struct tg_register *reg)
{
   enum mir_file file =
      reg->file == TG_FILE_CONST ? MIR_CONSTANT : MIR_ATTRIBUTE;
   int home = home_of(select, &reg->index);

   if (base_of(select, reg) >= TEGRA_NUM_CONSTANT_INDICES) {
      select_refuse(select, SELECT_REFUSED_INDEX);
      return mir_number(0.0f);
   }
   if (home < 0 || !is_direct(select, reg))
      return reload(select, reg, file);
   return (struct mir_source){
      .file = (uint8_t)file,
      .swizzle = TEGRA_IDENTITY,
      .relative = true,
      .address = (uint8_t)home,
      .index = (uint32_t)base_of(select, reg),
   };
}

/* ---- writing ------------------------------------------------------------- */

/* The components of ADDR[index] in `mask` that have homes, from whole numbers
 * in a source: the swizzle brings each to its own. */
static void
load_homes(struct select *select, uint32_t index, unsigned mask,
           struct mir_source source)
{
   const struct select_address *address = &select->address;
   unsigned components[4] = {0, 1, 2, 3};
   unsigned loaded = 0;

   for (unsigned i = 0; i < address->num_homes; i++) {
      if (address->homes[i].index != index ||
          !tegra_mask_has(mask, address->homes[i].component))
         continue;
      components[i] = address->homes[i].component;
      loaded |= tegra_mask_bit(i);
   }
   select_emit_vector1(
      select, TEGRA_VECTOR_ARL, select_no_place(loaded),
      mir_swizzle(source, tegra_swizzle(components[0], components[1],
                                        components[2], components[3])));
}

/* The register of floats that is to be written before load_result(). */
static struct select_place
kept_place(struct select *select)
{
   const struct tg_register *reg = &select->instruction->dst[0].reg;
   struct select_place place = select_result(select);

   place.temporary = select_register_operand(select, reg).index;
   return place;
}

static void
load_kept(struct select *select, struct select_place kept)
{
   load_homes(select, (uint32_t)select->instruction->dst[0].reg.index.offset,
              kept.mask, select_value(kept));
}

static bool
writes_address(struct select *select)
{
   if (select->instruction->dst[0].reg.file == TG_FILE_ADDR &&
       !select->instruction->has_predicate)
      return true;
   select_refuse(select, SELECT_REFUSED_ADDRESS);
   return false;
}

/* The unit's opcode where ADDR[0] is A0; else the operand as whole numbers, and
 * what it loads of them. */
static void
load_address(struct select *select, enum tegra_vector_op opcode,
             void (*make_whole)(struct select *select,
                                struct select_place place, struct mir_source x))
{
   struct mir_source source = select_source(select, 0);

   if (!writes_address(select))
      return;
   if (select->address.is_plain) {
      select_emit_vector1(select, opcode, select_result(select), source);
      return;
   }
   struct select_place kept = kept_place(select);
   make_whole(select, kept, source);
   load_kept(select, kept);
}

static void
round_down(struct select *select, struct select_place place,
           struct mir_source x)
{
   select_emit_vector1(select, TEGRA_VECTOR_FLR, place, x);
}

static void
move(struct select *select, struct select_place place, struct mir_source x)
{
   select_emit_vector1(select, TEGRA_VECTOR_MOV, place, x);
}

void
select_op_arl(struct select *select)
{
   load_address(select, TEGRA_VECTOR_ARL, round_down);
}

void
select_op_arr(struct select *select)
{
   load_address(select, TEGRA_VECTOR_ARR, select_round);
}

/* Of an integer, which is whole already. */
void
select_op_uarl(struct select *select)
{
   load_address(select, TEGRA_VECTOR_ARL, move);
}

/* x and z are x + z, y and w are y + w. */
void
select_op_ara(struct select *select)
{
   if (!writes_address(select))
      return;
   if (select->address.is_plain) {
      select_emit_vector0(select, TEGRA_VECTOR_ARA, select_result(select));
      return;
   }
   struct mir_source source = select_source(select, 0);
   struct select_place kept = kept_place(select);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, kept,
                       mir_swizzle(source, tegra_swizzle(0, 1, 0, 1)),
                       mir_swizzle(source, tegra_swizzle(2, 3, 2, 3)));
   load_kept(select, kept);
}

/* ---- the stack ----------------------------------------------------------- */

/* The unit's stack takes all of A0 and nothing else. */
static void
use_stack(struct select *select, enum tegra_vector_op opcode)
{
   if (select->address.is_plain && is_whole_address(select->instruction))
      select_emit_vector0(select, opcode, select_no_place(TEGRA_MASK_XYZW));
   else
      select_refuse(select, SELECT_REFUSED_STACK);
}

void
select_op_pusha(struct select *select)
{
   use_stack(select, TEGRA_VECTOR_PUSHA);
}

void
select_op_popa(struct select *select)
{
   use_stack(select, TEGRA_VECTOR_POPA);
}
