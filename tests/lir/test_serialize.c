/* SPDX-License-Identifier: MIT
 *
 * Modules as bytes: what is read is what was written, member by member; each
 * part of a module is in its bytes; and bytes that are cut off, too long or out
 * of range are none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "lir/serialize.h"
#include "random_lir.h"

enum {
   NUM_RANDOM = 200,
   INST_BYTES = 29,
   COUNT_BYTES = 16,
   HEADER_BYTES = COUNT_BYTES + 1,
};

static struct tg_strbuf
write_bytes(const struct lir_module *module)
{
   struct tg_strbuf bytes = {0};

   lir_serialize(module, &bytes);
   assert_false(bytes.failed);
   return bytes;
}

static bool
is_module(const void *bytes, size_t num_bytes)
{
   struct lir_module module;

   lir_module_init(&module, NULL);
   const bool is_good = lir_deserialize(bytes, num_bytes, &module);
   lir_module_finish(&module);
   return is_good;
}

/* ---- the way and back ---------------------------------------------------- */

static void
check_insts(const struct lir_function *a, const struct lir_function *b)
{
   assert_int_equal(a->num_insts, b->num_insts);
   for (uint32_t i = 0; i < a->num_insts; i++) {
      const struct lir_inst *x = &a->insts[i], *y = &b->insts[i];

      assert_int_equal(x->op, y->op);
      assert_int_equal(x->is_uniform, y->is_uniform);
      assert_int_equal(x->is_inside, y->is_inside);
      assert_int_equal(x->num_words, y->num_words);
      assert_int_equal(x->origin, y->origin);
      assert_true(x->imm == y->imm);
      for (unsigned k = 0; k < lir_op_row(x->op)->num_operands; k++)
         assert_int_equal(x->operand[k].index, y->operand[k].index);
   }
}

static void
check_same(const struct lir_module *a, const struct lir_module *b)
{
   assert_int_equal(a->num_functions, b->num_functions);
   assert_int_equal(a->num_vars, b->num_vars);
   assert_int_equal(a->num_arrays, b->num_arrays);
   assert_int_equal(a->num_sizes, b->num_sizes);
   for (uint32_t i = 0; i < a->num_vars; i++)
      assert_int_equal(a->vars[i].type, b->vars[i].type);
   for (uint32_t i = 0; i < a->num_arrays; i++)
      assert_int_equal(a->arrays[i].num_words, b->arrays[i].num_words);
   for (uint32_t i = 0; i < a->num_sizes; i++) {
      assert_int_equal(a->sizes[i].binding, b->sizes[i].binding);
      assert_int_equal(a->sizes[i].num_words, b->sizes[i].num_words);
   }
   for (uint32_t i = 0; i < a->num_functions; i++)
      check_insts(&a->functions[i], &b->functions[i]);
}

static void
test_way_and_back(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < NUM_RANDOM; seed++) {
      struct lir_module module, again;
      const struct lir_pass_options options = {0};

      random_lir(&module, seed);
      assert_int_equal(lir_optimize(&module, &options), TG_OK);
      struct tg_strbuf bytes = write_bytes(&module);
      lir_module_init(&again, NULL);
      assert_true(lir_deserialize(bytes.data, bytes.length, &again));
      assert_null(lir_verify(&again));
      check_same(&module, &again);
      tg_strbuf_finish(&bytes);
      lir_module_finish(&again);
      lir_module_finish(&module);
   }
}

/* ---- bytes that are none ------------------------------------------------- */

/* One function, a variable, an array and a declared size. */
static void
make_small(struct lir_module *module)
{
   struct lir_builder b;

   lir_module_init(module, NULL);
   assert_int_equal(lir_module_add_var(module, LIR_TYPE_B32, "v"), 0);
   assert_int_equal(lir_module_add_array(module, 7, "a"), 0);
   assert_true(lir_module_declare_size(module, 4, 9));
   assert_int_equal(lir_module_add_function(module, "main"), 0);
   lir_builder_init(&b, module, 0);
   lir_setvar(&b, 0, lir_iadd(&b, lir_lane(&b), lir_const32(&b, 3)));
}

static void
test_ends(void **state)
{
   struct lir_module module;

   (void)state;
   make_small(&module);
   struct tg_strbuf bytes = write_bytes(&module);
   assert_true(is_module(bytes.data, bytes.length));
   for (size_t i = 0; i < bytes.length; i++) {
      char *cut = malloc(i + 1); /* exact, for sanitizers */

      memcpy(cut, bytes.data, i);
      assert_false(is_module(cut, i));
      free(cut);
   }
   assert_false(is_module(bytes.data, bytes.length + 1));
   tg_strbuf_finish(&bytes);
   lir_module_finish(&module);
}

/* Counts that no bytes stand for take no memory, and no op is beyond the
 * table. */
static void
test_ranges(void **state)
{
   struct lir_module module;

   (void)state;
   make_small(&module);
   struct tg_strbuf bytes = write_bytes(&module);
   const size_t first_inst =
      HEADER_BYTES + 1 + sizeof(uint32_t[3]) + sizeof(uint32_t);
   for (size_t place = 0; place < COUNT_BYTES; place += sizeof(uint32_t)) {
      char kept[4];

      memcpy(kept, bytes.data + place, sizeof(kept));
      memset(bytes.data + place, 0xff, sizeof(kept));
      assert_false(is_module(bytes.data, bytes.length));
      memcpy(bytes.data + place, kept, sizeof(kept));
   }
   assert_true(is_module(bytes.data, bytes.length));
   bytes.data[COUNT_BYTES] = 2;
   assert_false(is_module(bytes.data, bytes.length));
   bytes.data[COUNT_BYTES] = 1;
   assert_true(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 2] = 2;
   assert_false(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 2] = 1;
   assert_true(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 3] = 2;
   assert_false(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 3] = 1;
   assert_true(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 4] = LIR_MAX_RUN + 1;
   assert_false(is_module(bytes.data, bytes.length));
   bytes.data[first_inst + 4] = LIR_MAX_RUN;
   assert_true(is_module(bytes.data, bytes.length));
   bytes.data[first_inst] = (char)LIR_NUM_OPS;
   assert_false(is_module(bytes.data, bytes.length));
   tg_strbuf_finish(&bytes);
   lir_module_finish(&module);
}

/* ---- what is in the bytes ------------------------------------------------ */

static void
check_differs(const struct tg_strbuf *bytes, const struct lir_module *module)
{
   struct tg_strbuf other = write_bytes(module);

   assert_true(other.length != bytes->length ||
               memcmp(other.data, bytes->data, bytes->length) != 0);
   tg_strbuf_finish(&other);
}

/* Does a change of this member show, and undoing it, too? */
#define CHECK_MEMBER(member)                                                   \
   do {                                                                        \
      (member) ^= 1;                                                           \
      check_differs(&bytes, &module);                                          \
      (member) ^= 1;                                                           \
   } while (0)

static void
test_members(void **state)
{
   struct lir_module module;

   (void)state;
   make_small(&module);
   struct lir_inst *add = &module.functions[0].insts[3];
   assert_int_equal(add->op, LIR_OP_iadd);
   struct tg_strbuf bytes = write_bytes(&module);
   CHECK_MEMBER(module.has_tiled_surfaces);
   CHECK_MEMBER(module.vars[0].type);
   CHECK_MEMBER(module.arrays[0].num_words);
   CHECK_MEMBER(module.sizes[0].binding);
   CHECK_MEMBER(module.sizes[0].num_words);
   CHECK_MEMBER(add->op);
   CHECK_MEMBER(add->is_uniform);
   CHECK_MEMBER(add->is_inside);
   CHECK_MEMBER(add->num_words);
   CHECK_MEMBER(add->origin);
   CHECK_MEMBER(add->operand[0].index);
   CHECK_MEMBER(add->operand[1].index);
   CHECK_MEMBER(add->imm);

   /* Not in them: what stands where there is no operand. */
   add->operand[2].index ^= 1;
   struct tg_strbuf again = write_bytes(&module);
   assert_int_equal(again.length, bytes.length);
   assert_memory_equal(again.data, bytes.data, bytes.length);
   tg_strbuf_finish(&again);
   tg_strbuf_finish(&bytes);
   lir_module_finish(&module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_way_and_back),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_members),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
