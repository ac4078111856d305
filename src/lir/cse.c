/* SPDX-License-Identifier: MIT
 *
 * Common subexpressions: of two equal operations the later one goes, if it
 * can see the earlier. Operations are equal that have the same op, operands
 * and immediate, depend on nothing else, and so are equal in every lane.
 *
 * The table of operations seen so far is a plain hash table; what went out of
 * scope stays in it until something new takes the slot.
 */
#include "lir/passes.h"
#include "lir/rewrite.h"
#include "lir/scope.h"

/* Slots that are looked at for one operation. More would find a few more
 * matches, and let a function made for it take quadratic time. */
enum { MAX_PROBES = 8 };

struct table {
   const struct lir_function *function;
   struct lir_scopes scopes;
   uint32_t *slots; /* number of an instruction and 1, or 0 */
   uint32_t mask;
};

/* The operands, in an order that does not depend on the writer. */
static void
sorted_operands(const struct lir_inst *inst, uint32_t operands_out[3])
{
   unsigned count = lir_op_row(inst->op)->num_operands;

   for (unsigned i = 0; i < 3; i++)
      operands_out[i] = i < count ? inst->operand[i].index : 0;
   if (lir_op_commutes[inst->op] && operands_out[0] > operands_out[1]) {
      operands_out[0] = inst->operand[1].index;
      operands_out[1] = inst->operand[0].index;
   }
}

static bool
is_equal(const struct lir_inst *a, const struct lir_inst *b)
{
   uint32_t x[3], y[3];

   if (a->op != b->op || a->imm != b->imm)
      return false;
   sorted_operands(a, x);
   sorted_operands(b, y);
   return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

/* The multiplier is 2^64 by the golden ratio; high bits are mixed best. */
static uint32_t
hash_inst(const struct lir_inst *inst)
{
   const uint64_t multiplier = UINT64_C(0x9e3779b97f4a7c15);
   uint64_t hash = inst->op;
   uint32_t operands[3];

   sorted_operands(inst, operands);
   hash = (hash ^ inst->imm) * multiplier;
   for (unsigned i = 0; i < 3; i++)
      hash = (hash ^ hash >> 32 ^ operands[i]) * multiplier;
   return (uint32_t)(hash >> 32);
}

/* The earlier instruction that is equal and in sight; or `index` itself, which
 * has then taken a slot. */
static uint32_t
find_or_add(struct table *table, uint32_t index)
{
   const struct lir_inst *insts = table->function->insts;
   uint32_t home = hash_inst(&insts[index]) & table->mask;
   uint32_t free_slot = home; /* where no slot is free, the oldest goes */
   bool found_free = false;

   for (uint32_t i = 0; i < MAX_PROBES; i++) {
      uint32_t slot = (home + i) & table->mask;
      uint32_t content = table->slots[slot];
      uint32_t other = content - 1;
      bool in_sight = content && lir_scopes_see(&table->scopes, other);

      if (in_sight && is_equal(&insts[other], &insts[index]))
         return other;
      if (!in_sight && !found_free) {
         free_slot = slot;
         found_free = true;
      }
      if (!content)
         break;
   }
   table->slots[free_slot] = index + 1;
   return index;
}

static bool
table_init(struct table *table, struct lir_rewrite *rewrite)
{
   uint32_t num_insts = rewrite->function->num_insts;
   uint32_t size = 16;

   while (size < 2 * num_insts)
      size *= 2;
   table->function = rewrite->function;
   table->mask = size - 1;
   table->slots = tg_arena_array(rewrite->scratch, size, sizeof(*table->slots));
   return table->slots &&
          lir_scopes_init(&table->scopes, rewrite->scratch, num_insts);
}

static bool
merge_in_function(struct lir_rewrite *rewrite, void *user)
{
   struct lir_function *function = rewrite->function;
   struct table table;

   (void)user;
   if (!table_init(&table, rewrite))
      return false;
   for (uint32_t i = 0; i < function->num_insts; i++) {
      struct lir_inst *inst = &function->insts[i];

      lir_rewrite_operands(rewrite, inst);
      lir_scopes_pass(&table.scopes, i, (enum lir_op)inst->op);
      if (!lir_inst_is_pure(inst))
         continue;

      uint32_t same = find_or_add(&table, i);
      if (same != i)
         lir_rewrite_replace(rewrite, i, (lir_value){same});
   }
   return true;
}

enum tg_result
lir_pass_cse(struct lir_module *module, bool *changed_out)
{
   return lir_rewrite_module(module, merge_in_function, NULL, changed_out);
}
