/* SPDX-License-Identifier: MIT
 *
 * Which accesses are proven to be in bounds: the pass marks them, and the
 * verifier takes the mark where it holds and nowhere else. Most rows come in
 * pairs, one of which is off by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "listing.h"

#define MAIN "function 0 main {\n%0 = const32 0\n%1 = load32 input[0], %0\n"
#define FOUR "array 0 4 a\n" MAIN
#define X "var $0 b32 x\narray 0 4 a\n" MAIN
#define SIZE "size const[5] 3\nsize const[7] 4\n" MAIN
#define LOOK_UP(index) "%9 = load32 const[7], %" #index "\n}"
#define LOAD(index) "%9 = load32 array[0], %" #index "\n}"

/* The last instruction of the first function is the access. */
static const struct {
   const char *why;
   const char *listing;
   bool is_inside;
} rows[] = {
   {"the last word", FOUR "%2 = const32 3\n" LOAD(2), true},
   {"the word after it", FOUR "%2 = const32 4\n" LOAD(2), false},
   {"the first of none", "array 0 0 a\n" MAIN LOAD(0), false},
   {"the first of one", "array 0 1 a\n" MAIN LOAD(0), true},
   {"anything", FOUR LOAD(1), false},
   {"a mask", FOUR "%2 = const32 3\n%3 = iand %1, %2\n" LOAD(3), true},
   {"a mask that is too wide",
    FOUR "%2 = const32 4\n%3 = iand %1, %2\n" LOAD(3), false},
   {"a clamp", FOUR "%2 = const32 3\n%3 = umin %1, %2\n" LOAD(3), true},
   {"a clamp to the size", FOUR "%2 = const32 4\n%3 = umin %1, %2\n" LOAD(3),
    false},
   {"a signed clamp on one side",
    FOUR "%2 = const32 3\n%3 = imin %1, %2\n" LOAD(3), false},
   {"on both",
    FOUR "%2 = const32 3\n%3 = imin %1, %2\n%4 = imax %3, %0\n" LOAD(4), true},
   {"on both, from -1",
    FOUR "%2 = const32 3\n%3 = imin %1, %2\n%4 = const32 0xffffffff\n"
         "%5 = imax %3, %4\n" LOAD(5),
    false},
   {"beyond the sign bit", FOUR "%2 = const32 0x80000000\n" LOAD(2), false},
   {"a sum",
    FOUR "%2 = const32 1\n%3 = iand %1, %2\n%4 = const32 2\n"
         "%5 = iadd %3, %4\n" LOAD(5),
    true},
   {"a sum that is one more",
    FOUR "%2 = const32 1\n%3 = iand %1, %2\n%4 = const32 3\n"
         "%5 = iadd %3, %4\n" LOAD(5),
    false},
   {"a difference that is -1 once",
    FOUR "%2 = const32 3\n%3 = iand %1, %2\n%4 = const32 1\n"
         "%5 = isub %3, %4\n" LOAD(5),
    false},
   {"a sum that wraps in some lanes",
    FOUR "%2 = const32 0xfffffffc\n%3 = umax %1, %2\n%4 = const32 3\n"
         "%5 = iadd %3, %4\n" LOAD(5),
    false},
   {"a product that wraps",
    FOUR "%2 = const32 0x10000\n%3 = ior %1, %2\n%4 = imul %3, %3\n" LOAD(4),
    false},
   {"a remainder", FOUR "%2 = const32 4\n%3 = urem %1, %2\n" LOAD(3), true},
   {"by one more", FOUR "%2 = const32 5\n%3 = urem %1, %2\n" LOAD(3), false},
   {"by 0", FOUR "%2 = const32 0\n%3 = urem %1, %2\n" LOAD(3), false},
   {"the lane", "array 0 16 a\n" MAIN "%2 = lane\n" LOAD(2), true},
   {"the lane, of 15", "array 0 15 a\n" MAIN "%2 = lane\n" LOAD(2), false},
   {"a shift",
    FOUR "%2 = const32 1\n%3 = iand %1, %2\n%4 = ishl %3, %2\n" LOAD(4), true},
   {"a shift by one more",
    FOUR "%2 = const32 1\n%3 = iand %1, %2\n%4 = const32 2\n"
         "%5 = ishl %3, %4\n" LOAD(5),
    false},
   {"a shift by anything",
    FOUR "%2 = const32 1\n%3 = iand %1, %2\n%4 = ishl %3, %1\n" LOAD(4), false},
   {"an arithmetic shift of a sign",
    FOUR "%2 = const32 31\n%3 = ishr %1, %2\n" LOAD(3), false},
   {"a logical shift of it", FOUR "%2 = const32 30\n%3 = ushr %1, %2\n" LOAD(3),
    true},
   {"by one less", FOUR "%2 = const32 29\n%3 = ushr %1, %2\n" LOAD(3), false},
   {"a weight",
    FOUR "%2 = fsat %1\n%3 = const32 0x40400000\n%4 = fmul %2, %3\n"
         "%5 = f2u %4\n" LOAD(5),
    true},
   {"a weight times 4",
    FOUR "%2 = fsat %1\n%3 = const32 0x40800000\n%4 = fmul %2, %3\n"
         "%5 = f2u %4\n" LOAD(5),
    false},
   {"a float that may be below 0",
    FOUR "%2 = const32 0x40400000\n%3 = fmin %1, %2\n%4 = f2i %3\n" LOAD(4),
    false},
   {"one of two",
    FOUR "%2 = const32 3\n%3 = i2b %1\n%4 = sel32 %3, %0, %2\n" LOAD(4), true},
   {"one of two, of which one is outside",
    FOUR "%2 = const32 4\n%3 = i2b %1\n%4 = sel32 %3, %0, %2\n" LOAD(4), false},
   {"all ones or zero", FOUR "%2 = i2b %1\n%3 = b2i %2\n" LOAD(3), false},
   {"a byte of 256",
    "array 0 256 a\n" MAIN "%2 = load8 buffer[0], %1\n" LOAD(2), true},
   {"a byte of 255",
    "array 0 255 a\n" MAIN "%2 = load8 buffer[0], %1\n" LOAD(2), false},
   {"what is written to a variable",
    X "%2 = const32 3\n%3 = umin %1, %2\nsetvar32 $0, %3\n"
      "%4 = getvar32 $0\n" LOAD(4),
    true},
   {"what is counted up",
    X "%2 = getvar32 $0\n%3 = const32 1\n%4 = iadd %2, %3\nsetvar32 $0, "
      "%4\n" LOAD(2),
    false},
   {"what is written to it later",
    X "loop\n%2 = getvar32 $0\n%3 = load32 array[0], %2\nsetvar32 $0, %1\n"
      "end\n%4 = getvar32 $0\n" LOAD(4),
    false},
   {"what is written to it in a call",
    "var $0 b32 x\narray 0 4 a\nfunction 0 main {\n%0 = const32 0\ncall 1\n"
    "%2 = getvar32 $0\n%3 = load32 array[0], %2\n}\n"
    "function 1 called {\n%0 = const32 0\n%1 = const32 4\nsetvar32 $0, %1\n}",
    false},
   {"where a condition leads, but others load too",
    FOUR "%2 = const32 4\n%3 = ult %1, %2\nblock\n%4 = bnot %3\nif %4\nbr 1\n"
         "end\nend\n" LOAD(1),
    false},
   {"the other array is longer",
    "array 0 4 a\narray 1 5 b\n" MAIN "%2 = const32 4\n" LOAD(2), false},
   {"that one",
    "array 0 4 a\narray 1 5 b\n" MAIN
    "%2 = const32 4\n%3 = load32 array[1], %2\n}",
    true},
   {"a store",
    FOUR "%2 = const32 3\n%3 = iand %1, %2\n"
         "store32 array[0], %3, %1\n}",
    true},
   {"a store outside",
    FOUR "%2 = const32 7\n%3 = iand %1, %2\n"
         "store32 array[0], %3, %1\n}",
    false},
   {"memory of a size that waves bring", FOUR "%9 = load32 input[0], %0\n}",
    false},
   {"memory that all lanes share", FOUR "%9 = load32 const[0], %0\n}", false},
   {"constants of a declared size", SIZE LOOK_UP(0), true},
   {"others of those", SIZE "%9 = load32 const[6], %0\n}", false},
   {"anything in them", SIZE LOOK_UP(1), false},
   {"the last word of them", SIZE "%2 = const32 3\n" LOOK_UP(2), true},
   {"the word after that", SIZE "%2 = const32 4\n" LOOK_UP(2), false},
   {"a mask in them", SIZE "%2 = const32 3\n%3 = iand %1, %2\n" LOOK_UP(3),
    true},
   {"a clamp to the declared size",
    SIZE "%2 = const32 4\n%3 = umin %1, %2\n" LOOK_UP(3), false},
   {"a mask in those of another size",
    SIZE "%2 = const32 3\n%3 = iand %1, %2\n%9 = load32 const[5], %3\n}",
    false},
   {"a byte of them", SIZE "%9 = load8 const[7], %0\n}", false},
   {"a halfword of them", SIZE "%9 = load16 const[7], %0\n}", false},
   {"their size", SIZE "%9 = memsize const[7]\n}", false},
   {"textures of that number", SIZE "%9 = load32 texture[7], %0\n}", false},
   {"its size", FOUR "%9 = memsize const[0]\n}", false},
   {"no access", FOUR "%9 = iadd %0, %0\n}", false},
};

static struct lir_inst *
last_inst(struct lir_module *module)
{
   return &module->functions[0].insts[module->functions[0].num_insts - 1];
}

static void
test_marks(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;
      bool changed = false;

      print_message("%s\n", rows[i].why);
      listing_parse(&module, rows[i].listing);
      last_inst(&module)->is_inside = !rows[i].is_inside;
      assert_int_equal(lir_pass_bounds(&module, &changed), TG_OK);
      assert_false(changed);
      assert_int_equal(last_inst(&module)->is_inside, rows[i].is_inside);
      assert_null(lir_verify(&module));
      lir_module_finish(&module);
   }
}

static void
test_verifier(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;

      print_message("%s\n", rows[i].why);
      listing_parse(&module, rows[i].listing);
      assert_null(lir_verify(&module));
      last_inst(&module)->is_inside = true;
      const char *error = lir_verify(&module);
      if (rows[i].is_inside) {
         assert_null(error);
      } else {
         assert_non_null(error);
         assert_non_null(strstr(error, "not proven to be in bounds"));
      }
      lir_module_finish(&module);
   }
}

/* A mark that other passes got is not believed: they may change the index. */
static void
test_cleared(void **state)
{
   const struct lir_pass_options only_fold = {.only = "fold"};
   struct lir_module module;

   (void)state;
   listing_parse(&module, FOUR LOAD(0));
   last_inst(&module)->is_inside = true;
   assert_int_equal(lir_optimize(&module, &only_fold), TG_OK);
   assert_false(last_inst(&module)->is_inside);
   assert_int_equal(lir_optimize(&module, NULL), TG_OK);
   lir_module_finish(&module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_marks),
      cmocka_unit_test(test_verifier),
      cmocka_unit_test(test_cleared),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
