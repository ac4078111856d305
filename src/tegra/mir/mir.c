/* SPDX-License-Identifier: MIT
 *
 * Construction of the compiler's IR: how operations are made and kept.
 */
#include "tegra/mir/mir.h"

#include <assert.h>
#include <string.h>

#include "util/length.h"

/* ---- building ------------------------------------------------------------ */

void
mir_init(struct mir *mir, const struct tg_allocator *allocator,
         const struct tg_shader *shader)
{
   *mir = (struct mir){
      .shader = shader,
      .end = MIR_NONE,
      .fused = tg_dialect_row(shader->dialect)->fuses,
   };
   tg_arena_init(&mir->arena, allocator);
}

void
mir_finish(struct mir *mir)
{
   tg_arena_finish(&mir->arena);
}

uint32_t
mir_add_temporary(struct mir *mir)
{
   return mir->num_temporaries++;
}

uint32_t
mir_add_block(struct mir *mir)
{
   if (!tg_arena_reserve(&mir->arena, (void **)&mir->blocks,
                         &mir->block_capacity, mir->num_blocks,
                         sizeof(*mir->blocks)))
      return MIR_NONE;
   return mir->num_blocks++;
}

bool
mir_insert_blocks(struct mir *mir, uint32_t index, uint32_t count)
{
   uint32_t after = mir->num_blocks - index;

   for (uint32_t i = 0; i < count; i++) {
      if (mir_add_block(mir) == MIR_NONE)
         return false;
   }
   memmove(&mir->blocks[index + count], &mir->blocks[index],
           after * sizeof(*mir->blocks));
   memset(&mir->blocks[index], 0, count * sizeof(*mir->blocks));
   mir->end += mir->end >= index ? count : 0;
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      struct mir_op *last = mir_last(&mir->blocks[i]);

      if (last && last->target != MIR_NONE && last->target >= index)
         last->target += count;
   }
   return true;
}

bool
mir_append(struct mir *mir, uint32_t block, const struct mir_op *op)
{
   assert(block < mir->num_blocks);
   struct mir_block *to = &mir->blocks[block];

   if (!tg_arena_reserve(&mir->arena, (void **)&to->ops, &to->capacity,
                         to->num_ops, sizeof(*to->ops)))
      return false;
   to->ops[to->num_ops++] = *op;
   return true;
}

bool
mir_insert(struct mir *mir, uint32_t block, uint32_t index,
           const struct mir_op *op)
{
   struct mir_op copy = *op; /* it may stand in the array that moves */

   if (!mir_append(mir, block, &copy))
      return false;

   assert(block < mir->num_blocks);
   struct mir_block *to = &mir->blocks[block];
   assert(index < to->num_ops);
   memmove(&to->ops[index + 1], &to->ops[index],
           (to->num_ops - 1 - index) * sizeof(*to->ops));
   to->ops[index] = copy;
   return true;
}

struct mir_op
mir_op(enum tegra_unit unit, unsigned opcode, uint32_t origin)
{
   return (struct mir_op){
      .unit = (uint8_t)unit,
      .opcode = (uint8_t)opcode,
      .temporary = MIR_NONE,
      .export_index = TEGRA_NO_EXPORT,
      .target = MIR_NONE,
      .origin = origin,
   };
}

/* ---- asking -------------------------------------------------------------- */

unsigned
mir_components_read(const struct mir_op *op, unsigned index)
{
   assert(index < TG_LENGTH(op->source));
   unsigned wanted = tegra_isa_components_read(mir_info(op), op->mask);
   unsigned swizzle = op->source[index].swizzle;
   unsigned components = 0;

   if (swizzle == TEGRA_IDENTITY)
      return wanted;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(wanted, i))
         components |= tegra_mask_bit(tegra_swizzle_get(swizzle, i));
   }
   return components;
}

bool
mir_is_move(const struct mir_op *op)
{
   return op->unit == TEGRA_VECTOR ? op->opcode == TEGRA_VECTOR_MOV
                                   : op->opcode == TEGRA_SCALAR_MOV;
}

bool
mir_is_jump(const struct mir_op *op)
{
   unsigned effect = mir_info(op)->effect;

   return effect == TEGRA_EFFECT_BRANCH || effect == TEGRA_EFFECT_CALL ||
          effect == TEGRA_EFFECT_RETURN;
}

bool
mir_opposite(const struct mir_predicate *predicate, struct mir_predicate *out)
{
   bool has_opposite = predicate->less == predicate->greater &&
                       predicate->less != predicate->equal;

   *out = *predicate;
   out->less ^= true;
   out->equal ^= true;
   out->greater ^= true;
   return has_opposite;
}

struct mir_source
mir_swizzle(struct mir_source source, unsigned swizzle)
{
   struct mir_source result = source;

   if (source.file != MIR_LITERAL)
      result.swizzle = (uint8_t)tegra_swizzle_of(swizzle, source.swizzle);
   for (unsigned i = 0; i < 4; i++)
      result.literal[i] = source.literal[tegra_swizzle_get(swizzle, i)];
   return result;
}

uint32_t
mir_literal(const struct mir_source *source, unsigned lane)
{
   assert(lane < TG_LENGTH(source->literal));
   uint32_t word = source->literal[lane];

   word = source->absolute ? word & 0x7fffffff : word;
   return source->negate ? word ^ 0x80000000 : word;
}

bool
mir_known_word(const struct mir *mir, const struct mir_source *source,
               unsigned lane, uint32_t *word_out)
{
   unsigned component = tegra_swizzle_get(source->swizzle, lane);
   struct mir_source literal = *source;

   if (source->file != MIR_CONSTANT || source->relative ||
       !(mir->constant_masks[source->index] >> component & 1))
      return false;
   assert(lane < TG_LENGTH(literal.literal));
   literal.literal[lane] = mir->constants[source->index][component];
   *word_out = mir_literal(&literal, lane);
   return true;
}

/* The lane of component i goes to component i of `order`. */
static unsigned
move_lanes(unsigned swizzle, unsigned order)
{
   unsigned lane[4] = {0};

   for (unsigned i = 0; i < 4; i++)
      lane[tegra_swizzle_get(order, i)] = tegra_swizzle_get(swizzle, i);
   return tegra_swizzle(lane[0], lane[1], lane[2], lane[3]);
}

void
mir_permute(struct mir_op *op, unsigned order)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i))
         mask |= tegra_mask_bit(tegra_swizzle_get(order, i));
   }
   op->mask = (uint8_t)mask;
   op->predicate.swizzle = (uint8_t)move_lanes(op->predicate.swizzle, order);
   if (mir_info(op)->reads != TEGRA_READS_MASK)
      return;
   for (unsigned i = 0; i < mir_num_sources(op); i++)
      op->source[i] =
         mir_swizzle(op->source[i], move_lanes(TEGRA_IDENTITY, order));
}

static void
renumber_op(struct mir_op *op, uint32_t *number, uint32_t *count)
{
   for (unsigned i = 0; i <= mir_num_sources(op); i++) {
      bool is_source = i < mir_num_sources(op);
      uint32_t *it = is_source ? &op->source[i].index : &op->temporary;

      if (is_source ? op->source[i].file != MIR_TEMPORARY : *it == MIR_NONE)
         continue;
      if (!number[*it])
         number[*it] = ++*count;
      *it = number[*it] - 1;
   }
}

bool
mir_renumber(struct mir *mir)
{
   struct tg_arena arena;
   tg_arena_init(&arena, mir->arena.allocator);
   /* [register]: its new number and 1 */
   uint32_t *number =
      tg_arena_array(&arena, mir->num_temporaries, sizeof(*number));
   uint32_t count = 0;

   for (uint32_t i = 0; i < mir->num_blocks && number; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         renumber_op(&mir->blocks[i].ops[j], number, &count);
   }
   mir->num_temporaries = number ? count : mir->num_temporaries;
   tg_arena_finish(&arena);
   return number != NULL;
}

bool
mir_same_register(const struct mir_source *a, const struct mir_source *b)
{
   if (a->file != b->file || a->relative != b->relative)
      return false;
   if (a->file == MIR_LITERAL)
      return memcmp(a->literal, b->literal, sizeof(a->literal)) == 0;
   return a->index == b->index && (!a->relative || a->address == b->address);
}

unsigned
mir_successors(const struct mir *mir, uint32_t block,
               uint32_t successors[MIR_MAX_SUCCESSORS])
{
   const struct mir_op *last = mir_last(&mir->blocks[block]);
   bool jumps = last && mir_is_jump(last);
   unsigned count = 0;

   if (jumps && mir_info(last)->effect == TEGRA_EFFECT_RETURN)
      successors[count++] = mir->num_blocks;
   else if (jumps)
      successors[count++] = last->target;
   if ((!jumps || last->predicate.enabled) && block != mir->end &&
       block + 1 < mir->num_blocks)
      successors[count++] = block + 1;
   return count;
}
