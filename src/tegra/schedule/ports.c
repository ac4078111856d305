/* SPDX-License-Identifier: MIT
 *
 * Legalization of operand ports: a word has one constant index, one attribute
 * index and one component of A0 for all its operands. What an operation reads
 * beyond that is copied into registers before it; copies serve the operations
 * after them in the block.
 */
#include <string.h>

#include "tegra/mir/reads_writes.h"
#include "tegra/schedule/literals.h"

/* A register that a block already has the value of. */
struct copy {
   struct mir_source source; /* a constant or attribute */
   uint32_t index;           /* of the operation that copies it */
};

struct ports {
   struct mir *mir;
   uint32_t block;
   struct copy *copies;
   uint32_t num_copies, capacity;
};

/* ---- which source goes --------------------------------------------------- */

static struct copy *
find_copy(struct ports *ports, const struct mir_source *source)
{
   for (uint32_t i = 0; i < ports->num_copies; i++) {
      if (mir_same_register(&ports->copies[i].source, source))
         return &ports->copies[i];
   }
   return NULL;
}

/* Operations from `index` on that read the same register as `source`. */
static uint32_t
count_readers(const struct mir_block *block, uint32_t index,
              const struct mir_source *source)
{
   uint32_t count = 0;

   for (uint32_t i = index; i < block->num_ops; i++) {
      const struct mir_op *op = &block->ops[i];
      bool reads = false;

      for (unsigned j = 0; j < mir_num_sources(op); j++)
         reads |= mir_same_register(&op->source[j], source);
      count += reads;
   }
   return count;
}

/* How much there is for a copy of a source: most when there is one already. */
static uint32_t
worth(struct ports *ports, uint32_t index, const struct mir_source *source)
{
   if (find_copy(ports, source))
      return UINT32_MAX;
   return count_readers(&ports->mir->blocks[ports->block], index, source);
}

/* Do the two sources fight for a port? */
static bool
clash(const struct mir_source *a, const struct mir_source *b)
{
   if (a->relative && b->relative && a->address != b->address)
      return true;
   return a->file == b->file &&
          (a->file == MIR_CONSTANT || a->file == MIR_ATTRIBUTE) &&
          !mir_same_register(a, b);
}

/* The source of an operation that should be copied, or -1. */
static int
choose_source(struct ports *ports, uint32_t index)
{
   const struct mir_op *op = &ports->mir->blocks[ports->block].ops[index];
   unsigned count = mir_num_sources(op);

   for (unsigned i = 0; i < count; i++) {
      const struct mir_source *a = &op->source[i];

      if (op->export_relative && a->relative &&
          a->address != op->export_address)
         return (int)i;
      for (unsigned j = i + 1; j < count; j++) {
         const struct mir_source *b = &op->source[j];

         if (clash(a, b))
            return (int)(worth(ports, index, a) > worth(ports, index, b) ? i
                                                                         : j);
      }
   }
   return -1;
}

/* ---- copies -------------------------------------------------------------- */

/* Puts a copy of the register of `source` before operation `*index`. */
static struct copy *
add_copy(struct ports *ports, uint32_t *index, const struct mir_source *source)
{
   struct mir *mir = ports->mir;
   struct mir_op op = mir_op(TEGRA_SCALAR, TEGRA_SCALAR_MOV,
                             mir->blocks[ports->block].ops[*index].origin);

   op.temporary = mir_add_temporary(mir);
   op.source[0] = *source;
   op.source[0].negate = op.source[0].absolute = false;
   op.source[0].swizzle = TEGRA_IDENTITY;
   if (!tg_arena_reserve(&mir->arena, (void **)&ports->copies, &ports->capacity,
                         ports->num_copies, sizeof(*ports->copies)) ||
       !mir_insert(mir, ports->block, *index, &op))
      return NULL;

   struct copy *copy = &ports->copies[ports->num_copies++];
   *copy = (struct copy){op.source[0], (*index)++};
   return copy;
}

/* All sources of the operation that read the register of source `which` read a
 * copy of it. False when out of memory. */
static bool
use_copy(struct ports *ports, uint32_t *index, unsigned which)
{
   struct mir_block *block = &ports->mir->blocks[ports->block];
   struct mir_source source = block->ops[*index].source[which];
   struct copy *copy = find_copy(ports, &source);

   if (!copy)
      copy = add_copy(ports, index, &source);
   if (!copy)
      return false;

   struct mir_op *from = &block->ops[copy->index];
   struct mir_op *op = &block->ops[*index];
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (!mir_same_register(&op->source[i], &source))
         continue;
      from->mask |= (uint8_t)mir_components_read(op, i);
      op->source[i].file = MIR_TEMPORARY;
      op->source[i].index = from->temporary;
      op->source[i].relative = false;
   }
   return true;
}

/* Copies through A0 are of no use when it changes. */
static void
forget_relative(struct ports *ports)
{
   uint32_t kept = 0;

   for (uint32_t i = 0; i < ports->num_copies; i++) {
      if (!ports->copies[i].source.relative)
         ports->copies[kept++] = ports->copies[i];
   }
   ports->num_copies = kept;
}

static bool
keep_to_ports(struct ports *ports)
{
   struct mir_block *block = &ports->mir->blocks[ports->block];

   ports->num_copies = 0;
   for (uint32_t i = 0; i < block->num_ops; i++) {
      int which;

      while ((which = choose_source(ports, i)) >= 0) {
         if (!use_copy(ports, &i, (unsigned)which))
            return false;
      }
      if (mir_writes_address(&block->ops[i]))
         forget_relative(ports);
   }
   return true;
}

enum tg_result
schedule_ports(const struct compile *compile, struct mir *mir)
{
   enum tg_result result = literals_place(compile, mir);
   struct ports ports = {.mir = mir};

   if (result != TG_OK)
      return result;
   for (ports.block = 0; ports.block < mir->num_blocks; ports.block++) {
      if (!keep_to_ports(&ports))
         return TG_ERROR_MEMORY;
   }
   return TG_OK;
}
