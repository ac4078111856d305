/* SPDX-License-Identifier: MIT
 *
 * Forms of operations, heights, pairs.
 */
#include "tegra/dag.h"

/* ---- forms --------------------------------------------------------------- */

/* An operation that does the same, in `*op`. */
static bool
other_form(struct mir_op *op)
{
   if (op->unit == TEGRA_VECTOR && op->opcode == TEGRA_VECTOR_MOV) {
      op->unit = TEGRA_SCALAR;
      op->opcode = TEGRA_SCALAR_MOV;
      return true;
   }
   if (op->unit == TEGRA_SCALAR && op->opcode == TEGRA_SCALAR_MOV) {
      op->unit = TEGRA_VECTOR;
      op->opcode = TEGRA_VECTOR_MOV;
      return true;
   }
   if (op->unit == TEGRA_VECTOR && op->opcode == TEGRA_VECTOR_ADD) {
      struct mir_source source = op->source[0];

      op->source[0] = op->source[1];
      op->source[1] = source;
      return true;
   }
   return false;
}

static void
find_forms(struct dag_node *node, const struct mir_op *op)
{
   node->forms[0] = *op;
   node->forms[0].paired = false;
   node->forms[1] = node->forms[0];
   node->num_forms = other_form(&node->forms[1]) ? 2 : 1;
   for (uint32_t i = 0; i < node->num_forms; i++)
      word_claim(&node->forms[i], &node->claims[i]);
}

bool
dag_can_pair(const struct dag *dag, uint32_t a, uint32_t b,
             struct dag_word *word_out)
{
   const struct dag_node *nodes[] = {&dag->nodes[a], &dag->nodes[b]};

   for (unsigned i = 0; i < nodes[0]->num_forms * nodes[1]->num_forms; i++) {
      uint32_t form[] = {i % nodes[0]->num_forms, i / nodes[0]->num_forms};
      unsigned vector = nodes[0]->forms[form[0]].unit == TEGRA_VECTOR ? 0 : 1;
      unsigned scalar = 1 - vector;
      const struct mir_op *v = &nodes[vector]->forms[form[vector]];
      const struct mir_op *s = &nodes[scalar]->forms[form[scalar]];

      if (v->unit != TEGRA_VECTOR || s->unit != TEGRA_SCALAR ||
          !word_can_pair(v, &nodes[vector]->claims[form[vector]], s,
                         &nodes[scalar]->claims[form[scalar]]))
         continue;
      *word_out = (struct dag_word){
         {(uint16_t)(vector ? b : a), (uint16_t)(vector ? a : b)},
         {(uint8_t)form[vector], (uint8_t)form[scalar]},
      };
      return true;
   }
   return false;
}

/* ---- heights ------------------------------------------------------------- */

/* Operations come behind those that they depend on, so one way back is enough.
 */
static void
find_heights(struct dag *dag)
{
   for (uint32_t i = dag->num_ops; i-- > 0;) {
      struct dag_node *node = &dag->nodes[i];

      node->height = node->height ? node->height : 1;
      for (uint32_t j = 0; j < i; j++) {
         bool strict = depend_has(depend_strict(&dag->depend, i), j);
         bool weak = depend_has(depend_weak(&dag->depend, i), j);
         uint32_t height = strict ? node->height + 1 : node->height;

         if ((strict || weak) && dag->nodes[j].height < height)
            dag->nodes[j].height = height;
      }
   }
}

bool
dag_find(struct dag *dag, const struct mir *mir, const struct mir_block *block,
         struct tg_arena *arena)
{
   dag->num_ops = block->num_ops;
   dag->nodes = tg_arena_array(arena, block->num_ops, sizeof(*dag->nodes));
   if (!dag->nodes || !depend_find(&dag->depend, mir, block, arena))
      return false;
   for (uint32_t i = 0; i < block->num_ops; i++)
      find_forms(&dag->nodes[i], &block->ops[i]);
   find_heights(dag);
   return true;
}
