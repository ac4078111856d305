/* SPDX-License-Identifier: MIT
 *
 * Random blocks through the scheduler. Small ones have as few words as there
 * are in any order, which is found by trying all, or fewer with exports
 * gathered; of larger ones the operations are all there, in an order that is as
 * good as that before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mir_text.h"
#include "sweep.h"
#include "tegra/mir/reads_writes.h"
#include "tegra/mir/word.h"
#include "tegra/schedule/schedule.h"

enum { SMALL = 9, LARGE = 150, NUM_TEMPORARIES = 12 };

/* ---- random blocks ------------------------------------------------------- */

static uint32_t
below(uint64_t *random, uint32_t limit)
{
   *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*random >> 33) % limit;
}

static struct mir_source
random_source(uint64_t *random)
{
   static const uint8_t files[] = {MIR_TEMPORARY, MIR_TEMPORARY, MIR_CONSTANT,
                                   MIR_ATTRIBUTE};
   struct mir_source source = {.file = files[below(random, 4)]};

   source.swizzle = below(random, 2) ? TEGRA_IDENTITY : 0;
   source.index =
      below(random, source.file == MIR_TEMPORARY ? NUM_TEMPORARIES : 3);
   return source;
}

/* Sources may be more than one operation can read at once, which matters to
 * pairs only. */
static struct mir_op
random_op(uint64_t *random)
{
   static const struct {
      enum tegra_unit unit;
      unsigned opcode;
   } kinds[] = {
      {TEGRA_VECTOR, TEGRA_VECTOR_MOV}, {TEGRA_VECTOR, TEGRA_VECTOR_MUL},
      {TEGRA_VECTOR, TEGRA_VECTOR_ADD}, {TEGRA_VECTOR, TEGRA_VECTOR_MAD},
      {TEGRA_VECTOR, TEGRA_VECTOR_DP4}, {TEGRA_SCALAR, TEGRA_SCALAR_RCP},
      {TEGRA_SCALAR, TEGRA_SCALAR_MOV},
   };
   unsigned kind = below(random, sizeof(kinds) / sizeof(kinds[0]));
   struct mir_op op = mir_op(kinds[kind].unit, kinds[kind].opcode, 0);

   op.mask = (uint8_t)(1 + below(random, 15));
   op.saturate = below(random, 12) == 0;
   if (below(random, 3) == 0)
      op.export_index = (uint8_t)below(random, 6);
   else
      op.temporary = below(random, NUM_TEMPORARIES);
   for (unsigned i = 0; i < mir_num_sources(&op); i++)
      op.source[i] = random_source(random);
   return op;
}

/* Each operation has its number as its origin. False when out of memory. */
static bool
fill(struct mir *mir, const struct tg_allocator *allocator, uint32_t num_ops,
     uint64_t *random)
{
   static const struct tg_shader shader;

   mir_init(mir, allocator, &shader);
   mir->end = mir_add_block(mir);
   mir->num_temporaries = NUM_TEMPORARIES;
   for (uint32_t i = 0; i < num_ops && mir->end != MIR_NONE; i++) {
      struct mir_op op = random_op(random);
      op.origin = i;
      if (!mir_append(mir, mir->end, &op))
         return false;
   }
   return mir->end != MIR_NONE;
}

/* ---- what is allowed ----------------------------------------------------- */

static bool
meet(const struct mir_access *a, unsigned num_a, const struct mir_access *b,
     unsigned num_b)
{
   for (unsigned i = 0; i < num_a * num_b; i++) {
      if (a[i % num_a].location == b[i / num_a].location &&
          (a[i % num_a].mask & b[i / num_a].mask))
         return true;
   }
   return false;
}

enum order { ANY_ORDER, SAME_WORD, LATER_WORD };

/* Where the second of two operations has to be, seen from the first. */
static enum order
order_of(const struct mir *mir, const struct mir_op *a, const struct mir_op *b)
{
   struct mir_access a_reads[MIR_MAX_READS], a_writes[MIR_MAX_WRITES];
   struct mir_access b_reads[MIR_MAX_READS], b_writes[MIR_MAX_WRITES];
   unsigned num_a_reads = mir_reads(mir, a, a_reads);
   unsigned num_a_writes = mir_writes(mir, a, a_writes);
   unsigned num_b_reads = mir_reads(mir, b, b_reads);
   unsigned num_b_writes = mir_writes(mir, b, b_writes);

   if (meet(a_writes, num_a_writes, b_reads, num_b_reads) ||
       meet(a_writes, num_a_writes, b_writes, num_b_writes))
      return LATER_WORD;
   return meet(a_reads, num_a_reads, b_writes, num_b_writes) ? SAME_WORD
                                                             : ANY_ORDER;
}

/* As moves of both units, and sums both ways around. */
static unsigned
forms_of(const struct mir_op *op, struct mir_op forms[2])
{
   bool is_vector = op->unit == TEGRA_VECTOR;

   forms[0] = forms[1] = *op;
   if (mir_is_move(op)) {
      forms[1].unit = is_vector ? TEGRA_SCALAR : TEGRA_VECTOR;
      forms[1].opcode = is_vector ? TEGRA_SCALAR_MOV : TEGRA_VECTOR_MOV;
      return 2;
   }
   if (is_vector && op->opcode == TEGRA_VECTOR_ADD) {
      forms[1].source[0] = op->source[1];
      forms[1].source[1] = op->source[0];
      return 2;
   }
   return 1;
}

static bool
share_a_word(const struct mir_op *vector, const struct mir_op *scalar)
{
   struct word_claim claims[2];

   if (vector->unit != TEGRA_VECTOR || scalar->unit != TEGRA_SCALAR)
      return false;
   word_claim(vector, &claims[0]);
   word_claim(scalar, &claims[1]);
   return word_can_pair(vector, &claims[0], scalar, &claims[1]);
}

static bool
can_pair(const struct mir_op *a, const struct mir_op *b)
{
   struct mir_op a_forms[2], b_forms[2];
   unsigned num_a = forms_of(a, a_forms), num_b = forms_of(b, b_forms);

   for (unsigned i = 0; i < num_a * num_b; i++) {
      const struct mir_op *one = &a_forms[i % num_a];
      const struct mir_op *other = &b_forms[i / num_a];

      if (share_a_word(one, other) || share_a_word(other, one))
         return true;
   }
   return false;
}

/* ---- small blocks -------------------------------------------------------- */

struct all {
   unsigned num_ops;
   enum order orders[SMALL][SMALL];
   bool pairs[SMALL][SMALL];
   uint8_t words[1 << SMALL]; /* [what is done]: so far, and 1 */
};

/* Can it come now, if `with` does? SMALL: nothing else does. */
static bool
can_come(const struct all *all, unsigned done, unsigned op, unsigned with)
{
   if (done >> op & 1)
      return false;
   for (unsigned i = 0; i < op; i++) {
      if (done >> i & 1 || all->orders[i][op] == ANY_ORDER)
         continue;
      if (i != with || all->orders[i][op] == LATER_WORD)
         return false;
   }
   return true;
}

static void
come_to(struct all *all, unsigned done, unsigned more)
{
   uint8_t words = (uint8_t)(all->words[done] + 1);
   uint8_t *to = &all->words[done | more];

   if (!*to || *to > words)
      *to = words;
}

static unsigned
try_all(const struct mir *mir)
{
   const struct mir_block *block = &mir->blocks[mir->end];
   struct all all = {.num_ops = block->num_ops, .words = {1}};
   unsigned n = all.num_ops;

   for (unsigned i = 0; i < n; i++) {
      for (unsigned j = i + 1; j < n; j++) {
         all.orders[i][j] = order_of(mir, &block->ops[i], &block->ops[j]);
         all.pairs[i][j] = can_pair(&block->ops[i], &block->ops[j]);
      }
   }
   for (unsigned done = 0; done + 1 < 1u << n; done++) {
      for (unsigned i = 0; i < n && all.words[done]; i++) {
         if (can_come(&all, done, i, SMALL))
            come_to(&all, done, 1u << i);
         for (unsigned j = i + 1; j < n; j++) {
            if (all.pairs[i][j] && can_come(&all, done, i, j) &&
                can_come(&all, done, j, i))
               come_to(&all, done, 1u << i | 1u << j);
         }
      }
   }
   return all.words[(1u << n) - 1] - 1u;
}

static unsigned
count_words(const struct mir *mir)
{
   const struct mir_block *block = &mir->blocks[mir->end];
   unsigned count = 0;

   for (uint32_t i = 0; i < block->num_ops; i++)
      count += !block->ops[i].paired;
   return count;
}

static void
small_blocks_are_as_short_as_can_be(void **state)
{
   struct compile compile = test_compile(NULL);
   uint64_t random = 1;
   unsigned num_paired = 0, num_gathered = 0;

   (void)state;
   for (unsigned i = 0; i < 6000; i++) {
      struct mir mir;
      uint32_t least;

      assert_true(fill(&mir, NULL, 2 + below(&random, SMALL - 1), &random));
      unsigned num_ops = mir.blocks[mir.end].num_ops;
      unsigned words = try_all(&mir);
      assert_int_equal(schedule_least_words(&mir, &least), TG_OK);
      assert_true(least <= words);
      assert_int_equal(schedule_mir(&compile, &mir, i % 2), TG_OK);
      assert_null(mir_verify(&mir));
      if (i % 2)
         assert_in_range(count_words(&mir), least, words);
      else
         assert_int_equal(count_words(&mir), words);
      num_paired += words < num_ops;
      num_gathered += mir.blocks[mir.end].num_ops > num_ops;
      mir_finish(&mir);
   }
   assert_true(num_paired > 500);
   assert_true(num_gathered > 20);
}

/* ---- large ones ---------------------------------------------------------- */

/* Are operations in an order that `before` allows? */
static void
check_order(const struct mir *mir, const struct mir_op *before,
            uint32_t num_ops)
{
   const struct mir_block *block = &mir->blocks[mir->end];
   uint32_t words[LARGE], word = 0;

   assert_int_equal(block->num_ops, num_ops);
   memset(words, 0, sizeof(words));
   for (uint32_t i = 0; i < num_ops; i++) {
      word += !block->ops[i].paired;
      assert_int_equal(words[block->ops[i].origin], 0);
      words[block->ops[i].origin] = word;
   }
   for (uint32_t i = 0; i < num_ops; i++) {
      for (uint32_t j = i + 1; j < num_ops; j++) {
         enum order order = order_of(mir, &before[i], &before[j]);

         assert_true(order == ANY_ORDER || words[i] < words[j] ||
                     (order == SAME_WORD && words[i] == words[j]));
      }
   }
}

static void
large_blocks_stay_in_order(void **state)
{
   struct compile compile = test_compile(NULL);
   uint64_t random = 2;

   (void)state;
   for (unsigned i = 0; i < 12; i++) {
      uint32_t num_ops = 60 + below(&random, LARGE - 59), least;
      struct mir_op before[LARGE];
      struct mir mir;

      assert_true(fill(&mir, NULL, num_ops, &random));
      memcpy(before, mir.blocks[mir.end].ops, num_ops * sizeof(*before));
      assert_int_equal(schedule_least_words(&mir, &least), TG_OK);
      assert_int_equal(schedule_mir(&compile, &mir, false), TG_OK);
      assert_null(mir_verify(&mir));
      check_order(&mir, before, num_ops);
      assert_true(count_words(&mir) >= least && count_words(&mir) < num_ops);
      mir_finish(&mir);
   }
}

static enum tg_result
schedule_large(const struct tg_allocator *allocator)
{
   struct compile compile = test_compile(NULL);
   enum tg_result result = TG_ERROR_MEMORY;
   uint64_t random = 3;
   struct mir mir;
   uint32_t least;

   if (fill(&mir, allocator, 70, &random))
      result = schedule_least_words(&mir, &least);
   if (result == TG_OK)
      result = schedule_mir(&compile, &mir, true);
   mir_finish(&mir);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(schedule_large);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_blocks_are_as_short_as_can_be),
      cmocka_unit_test(large_blocks_stay_in_order),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
