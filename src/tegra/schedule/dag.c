/* SPDX-License-Identifier: MIT
 *
 * Construction of the dependence graph: forms of operations, pairs, heights
 * (the length of the critical path to the end).
 */
#include "tegra/schedule/dag.h"

#include <string.h>

#include "util/minmax.h"

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

enum { ZERO = 0, ONE = 0x3f800000 };

/* A move that gives all components 0, or all 1, of the program's constants
 * needs none of them. */
static bool
truth_form(const struct mir *mir, struct mir_op *op)
{
   uint32_t word = ZERO, all = ZERO;
   bool is_first = true;

   for (unsigned i = 0; i < 4 && mir_is_move(op); i++) {
      if (!tegra_mask_has(op->mask, i))
         continue;
      if (!mir_known_word(mir, &op->source[0], i, &word) ||
          !(word == ZERO || word == ONE) || !(is_first || word == all))
         return false;
      all = word;
      is_first = false;
   }
   op->unit = TEGRA_VECTOR;
   op->opcode = all == ONE ? TEGRA_VECTOR_STR : TEGRA_VECTOR_SFL;
   memset(op->source, 0, sizeof(op->source));
   return !is_first;
}

static void
add_form(struct dag_node *node, const struct mir_op *op)
{
   uint32_t index = node->num_forms++;

   node->forms[index] = *op;
   node->units |= (uint8_t)(1u << op->unit);
   word_claim(op, &node->claims[index]);
}

static void
find_forms(struct dag_node *node, const struct mir *mir,
           const struct mir_op *op)
{
   struct mir_op form = *op;

   form.paired = false;
   add_form(node, &form);
   if (other_form(&form))
      add_form(node, &form);
   form = node->forms[0];
   if (truth_form(mir, &form))
      add_form(node, &form);
}

/* Sets in `known` the operations that `like` has the same. */
static void
find_nodes(struct dag *dag, const struct mir *mir,
           const struct mir_block *block, const struct dag *like,
           uint64_t *known)
{
   for (uint32_t i = 0; i < block->num_ops; i++) {
      const struct mir_op *op = &block->ops[i];

      if (like && i < like->num_ops &&
          memcmp(op, &like->nodes[i].forms[0], sizeof(*op)) == 0) {
         dag->nodes[i] = like->nodes[i];
         row_set(known, i);
      } else {
         find_forms(&dag->nodes[i], mir, op);
      }
   }
}

/* ---- pairs --------------------------------------------------------------- */

/* Can the two be in one word, whichever is the vector operation? */
static bool
find_pair(const struct dag *dag, uint32_t a, uint32_t b,
          struct dag_word *word_out)
{
   const struct dag_node *nodes[] = {&dag->nodes[a], &dag->nodes[b]};
   const unsigned both = 1u << TEGRA_VECTOR | 1u << TEGRA_SCALAR;

   if ((nodes[0]->units | nodes[1]->units) != both)
      return false;
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

struct dag_word
dag_pair(const struct dag *dag, uint32_t a, uint32_t b)
{
   struct dag_word word = dag_alone(a);

   find_pair(dag, tg_min_u32(a, b), tg_max_u32(a, b), &word);
   return word;
}

/* What has to be in an earlier word than `op`: what it needs the result of, and
 * what another one stands between, as a word has no room for three. `before`
 * has the rows of all that comes before an operation, up to that of `op`, which
 * is added. */
static void
find_earlier(const struct dag *dag, uint32_t op, uint64_t *before,
             uint64_t *earlier)
{
   uint32_t row_size = dag->depend.row_size;
   const uint64_t *strict = depend_strict(&dag->depend, op);
   const uint64_t *weak = depend_weak(&dag->depend, op);
   uint64_t *all = before + (size_t)op * row_size;

   memcpy(earlier, strict, row_size * sizeof(*earlier));
   ROW_FOR_EACH (strict, i, op)
      row_add(earlier, before + (size_t)i * row_size, row_size);
   ROW_FOR_EACH (weak, i, op)
      row_add(earlier, before + (size_t)i * row_size, row_size);
   row_add(all, earlier, row_size);
   row_add(all, weak, row_size);
}

/* What is known of pairs of operations that `like` has, too. */
static void
copy_compatible(struct dag *dag, const struct dag *like, const uint64_t *known)
{
   uint32_t size = tg_min_u32(like->depend.row_size, dag->depend.row_size);

   ROW_FOR_EACH (known, i, dag->num_ops) {
      for (uint32_t j = 0; j < size; j++)
         dag_compatible(dag, i)[j] = dag_compatible(like, i)[j] & known[j];
   }
}

static void
find_compatible(struct dag *dag, const uint64_t *known)
{
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      bool is_known = row_has(known, i);

      for (uint32_t j = 0; j < i; j++) {
         struct dag_word word;

         if ((is_known && row_has(known, j)) || !find_pair(dag, j, i, &word))
            continue;
         row_set(dag_compatible(dag, i), j);
         row_set(dag_compatible(dag, j), i);
      }
   }
}

/* `before` and `earlier` are room for rows, of all operations and of one. */
static void
find_partners(struct dag *dag, uint64_t *before, uint64_t *earlier)
{
   memcpy(dag->partners, dag->compatible,
          (size_t)dag->num_ops * dag->depend.row_size * sizeof(uint64_t));
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      find_earlier(dag, i, before, earlier);
      ROW_FOR_EACH (earlier, j, i) {
         row_clear(dag_partners(dag, i), j);
         row_clear(dag_partners(dag, j), i);
      }
   }
}

/* ---- heights ------------------------------------------------------------- */

/* Operations come after those that they depend on, so one way forth is enough
 * for depths. */
static void
find_depth(struct dag *dag, uint32_t op)
{
   uint32_t depth = 1;

   ROW_FOR_EACH (depend_strict(&dag->depend, op), i, op)
      depth = tg_max_u32(depth, dag->nodes[i].depth + 1);
   ROW_FOR_EACH (depend_weak(&dag->depend, op), i, op)
      depth = tg_max_u32(depth, dag->nodes[i].depth);
   dag->nodes[op].depth = depth;
}

/* And one way back for heights. */
static void
raise_heights(struct dag *dag, uint32_t op)
{
   uint32_t height = dag->nodes[op].height;

   ROW_FOR_EACH (depend_strict(&dag->depend, op), i, op)
      dag->nodes[i].height = tg_max_u32(dag->nodes[i].height, height + 1);
   ROW_FOR_EACH (depend_weak(&dag->depend, op), i, op)
      dag->nodes[i].height = tg_max_u32(dag->nodes[i].height, height);
}

static void
find_heights(struct dag *dag)
{
   for (uint32_t i = 0; i < dag->num_ops; i++) {
      find_depth(dag, i);
      dag->nodes[i].height = 1;
   }
   for (uint32_t i = dag->num_ops; i-- > 0;)
      raise_heights(dag, i);
}

bool
dag_find(struct dag *dag, const struct mir *mir, const struct mir_block *block,
         const struct dag *like, struct tg_arena *arena)
{
   uint32_t row_size = row_size_of(block->num_ops);
   size_t size = (size_t)block->num_ops * row_size;
   uint64_t *rows = tg_arena_array(arena, size, 3 * sizeof(*rows));
   uint64_t *known = tg_arena_array(arena, row_size, 2 * sizeof(*known));

   dag->num_ops = block->num_ops;
   dag->nodes = tg_arena_array(arena, block->num_ops, sizeof(*dag->nodes));
   if (!rows || !known || !dag->nodes ||
       !depend_find(&dag->depend, mir, block, arena))
      return false;
   dag->compatible = rows;
   dag->partners = rows + size;
   find_nodes(dag, mir, block, like, known);
   find_heights(dag);
   if (like)
      copy_compatible(dag, like, known);
   find_compatible(dag, known);
   find_partners(dag, rows + 2 * size, known + row_size);
   return true;
}

/* ---- parts --------------------------------------------------------------- */

static void
restrict_row(uint64_t *part, const uint64_t *row, const uint32_t *ops,
             uint32_t num_ops)
{
   for (uint32_t i = 0; i < num_ops; i++) {
      if (row_has(row, ops[i]))
         row_set(part, i);
   }
}

bool
dag_restrict(struct dag *part, const struct dag *dag, const uint32_t *ops,
             uint32_t num_ops, struct tg_arena *arena)
{
   uint32_t row_size = row_size_of(num_ops);
   size_t size = (size_t)num_ops * row_size;
   uint64_t *rows = tg_arena_array(arena, size, 3 * sizeof(*rows));

   part->num_ops = num_ops;
   part->nodes = tg_arena_array(arena, num_ops, sizeof(*part->nodes));
   if (!rows || !part->nodes)
      return false;
   part->depend = (struct depend){num_ops, row_size, rows, rows + size};
   part->partners = rows + 2 * size;
   for (uint32_t i = 0; i < num_ops; i++) {
      part->nodes[i] = dag->nodes[ops[i]];
      restrict_row(depend_strict(&part->depend, i),
                   depend_strict(&dag->depend, ops[i]), ops, num_ops);
      restrict_row(depend_weak(&part->depend, i),
                   depend_weak(&dag->depend, ops[i]), ops, num_ops);
      restrict_row(dag_partners(part, i), dag_partners(dag, ops[i]), ops,
                   num_ops);
   }
   find_heights(part);
   return true;
}
