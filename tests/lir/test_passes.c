/* SPDX-License-Identifier: MIT
 *
 * What each pass does and what it must leave alone, as listings before and
 * after. Without an "after" nothing changes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "listing.h"

struct row {
   const char *why;
   const char *before;
   const char *after;
};

typedef enum tg_result (*pass_function)(struct lir_module *, bool *);

static void
check_rows(pass_function pass, const struct row *rows, size_t num_rows)
{
   for (size_t i = 0; i < num_rows; i++) {
      struct lir_module module;
      bool changed = false;

      listing_parse(&module, rows[i].before);
      const char *error = lir_verify(&module);
      if (error)
         fail_msg("%s: %s", rows[i].why, error);
      assert_int_equal(pass(&module, &changed), TG_OK);
      assert_null(lir_verify(&module));
      if (changed != (rows[i].after != NULL))
         fail_msg("%s: changed is %d", rows[i].why, changed);
      print_message("%s\n", rows[i].why);
      listing_check(&module, rows[i].after ? rows[i].after : rows[i].before);
      lir_module_finish(&module);
   }
}

#define CHECK_ROWS(pass, rows)                                                 \
   check_rows(pass, rows, sizeof(rows) / sizeof((rows)[0]))

#define X "var $0 b32 x\n"
#define XY X "var $1 b32 y\n"
#define MAIN "function 0 main {\n%0 = const32 0\n"
#define CALLED "}\nfunction 1 called {\n%0 = const32 0\n"
#define OTHER "function 2 other {\n%0 = const32 0\n"

/* ---- inline -------------------------------------------------------------- */

/* Functions: what it is given, in the other order; and one that never is a
 * leaf. */
#define SWAP                                                                   \
   "}\nfunction 1 swap params 2 results 2 {\n%0 = const32 0\n"                 \
   "%1 = param32 0\n%2 = param32 1\nsetresult32 0, %2\nsetresult32 1, %1\n}\n"
#define CALLS_ITSELF                                                           \
   "function 2 itself params 1 results 1 {\n%0 = const32 0\n%1 = param32 0\n"  \
   "%2 = i2b %1\nif %2\narg32 0, %0\ncall 2\nend\nsetresult32 0, %1\n}\n"

static const struct row inline_rows[] = {
   {"a function that is called once goes to its call",
    X MAIN "%1 = lane\ncall 1\n%3 = iadd %1, %0\ntrace 0, %3\n" CALLED
           "%1 = inot %0\nsetvar32 $0, %1\n}",
    X MAIN "%1 = lane\nblock\n%3 = inot %0\nsetvar32 $0, %3\nend\n"
           "%6 = iadd %1, %0\ntrace 0, %6\n" CALLED
           "%1 = inot %0\nsetvar32 $0, %1\n}"},
   {"its returns leave the block, its constructs are deeper",
    MAIN "%1 = lane\n%2 = i2b %1\nif %2\ncall 1\ntrace 0, %1\nend\n" CALLED
         "%1 = lane\n%2 = i2b %1\nif %2\nbr 0\nend\nloop\nif %2\nbr 1\nend\n"
         "end\n}",
    MAIN "%1 = lane\n%2 = i2b %1\nif %2\nblock\n%5 = lane\n%6 = i2b %5\n"
         "if %6\nbr 2\nend\nloop\nif %6\nbr 3\nend\nend\nend\n"
         "trace 0, %1\nend\n" CALLED
         "%1 = lane\n%2 = i2b %1\nif %2\nbr 0\nend\nloop\nif %2\nbr 1\nend\n"
         "end\n}"},
   {"one of two calls in each other at a time",
    MAIN "call 1\n" CALLED "call 2\n}\nfunction 2 inner {\n%0 = const32 0\n"
         "trace 0, %0\n}",
    MAIN "block\ncall 2\nend\n" CALLED "block\ntrace 0, %0\nend\n}\n"
         "function 2 inner {\n%0 = const32 0\ntrace 0, %0\n}"},
   {"a small function goes to each of its calls",
    X MAIN "call 1\n%2 = lane\ntrace 0, %2\ncall 1\n" CALLED
           "%1 = inot %0\nsetvar32 $0, %1\n}",
    X MAIN "block\n%2 = inot %0\nsetvar32 $0, %2\nend\n%5 = lane\n"
           "trace 0, %5\nblock\n%8 = inot %0\nsetvar32 $0, %8\nend\n" CALLED
           "%1 = inot %0\nsetvar32 $0, %1\n}"},
   {"what is called twice and calls something, when its calls are gone",
    MAIN "call 1\ncall 1\n" CALLED "call 2\n}\nfunction 2 inner {\n"
         "%0 = const32 0\ntrace 0, %0\n}",
    MAIN "call 1\ncall 1\n" CALLED "block\ntrace 0, %0\nend\n}\n"
         "function 2 inner {\n%0 = const32 0\ntrace 0, %0\n}"},
   {"arguments take the place of parameters, results are variables",
    "function 0 main {\n%0 = const32 0\n%1 = lane\n%2 = inot %1\n"
    "arg32 0, %1\narg32 1, %2\ncall 1\n%6 = result32 0\n%7 = result32 1\n"
    "trace 0, %6\ntrace 1, %7\n" SWAP,
    "var $0 b32 swap.result0\nvar $1 b32 swap.result1\n"
    "function 0 main {\n%0 = const32 0\n%1 = lane\n%2 = inot %1\n"
    "block\nputvar32 $0, %0\nputvar32 $1, %0\nsetvar32 $0, %2\n"
    "setvar32 $1, %1\nend\n%6 = getvar32 $0\n%7 = getvar32 $1\n"
    "trace 0, %6\ntrace 1, %7\n" SWAP},
   {"the results of all its calls are the same variables",
    "function 0 main {\n%0 = const32 0\n%1 = lane\n"
    "arg32 0, %0\narg32 1, %1\ncall 1\n%6 = result32 1\n"
    "arg32 0, %1\narg32 1, %6\ncall 1\n%7 = result32 1\ntrace 0, %7\n" SWAP,
    "var $0 b32 swap.result0\nvar $1 b32 swap.result1\n"
    "function 0 main {\n%0 = const32 0\n%1 = lane\n"
    "block\nputvar32 $0, %0\nputvar32 $1, %0\nsetvar32 $0, %1\n"
    "setvar32 $1, %0\nend\n%6 = getvar32 $1\n"
    "block\nputvar32 $0, %0\nputvar32 $1, %0\nsetvar32 $0, %6\n"
    "setvar32 $1, %1\nend\n%7 = getvar32 $1\ntrace 0, %7\n" SWAP},
   {"other calls keep their arguments and results",
    "function 0 main {\n%0 = const32 0\n%1 = lane\n"
    "arg32 0, %1\ncall 2\n%6 = result32 0\n"
    "arg32 0, %6\narg32 1, %1\ncall 1\n%7 = result32 0\n"
    "arg32 0, %7\ncall 2\n%9 = result32 0\ntrace 0, %9\n" SWAP CALLS_ITSELF,
    "var $0 b32 swap.result0\nvar $1 b32 swap.result1\n"
    "function 0 main {\n%0 = const32 0\n%1 = lane\n"
    "arg32 0, %1\ncall 2\n%6 = result32 0\n"
    "block\nputvar32 $0, %0\nputvar32 $1, %0\nsetvar32 $0, %1\n"
    "setvar32 $1, %6\nend\n%7 = getvar32 $0\n"
    "arg32 0, %7\ncall 2\n%9 = result32 0\ntrace 0, %9\n" SWAP CALLS_ITSELF},
   {"not what calls itself",
    MAIN "call 1\n" CALLED "%1 = lane\n%2 = i2b %1\nif %2\ncall 1\nend\n}",
    NULL},
   {"not what is called by itself alone, nor the first",
    MAIN "trace 0, %0\n" CALLED
         "call 1\n}\nfunction 2 other {\n%0 = const32 0\n"
         "call 0\n}",
    NULL},
};

static void
test_inline(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_inline, inline_rows);
}

/* A construct too deep is not made. */
static void
test_inline_depth(void **state)
{
   static const unsigned depths[] = {LIR_MAX_LEVELS - 2, LIR_MAX_LEVELS - 1};

   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      struct lir_builder builder;
      struct lir_module module;
      bool changed = false;

      lir_module_init(&module, NULL);
      const uint32_t first = lir_module_add_function(&module, "main");
      const uint32_t called = lir_module_add_function(&module, "called");
      lir_builder_init(&builder, &module, first);
      lir_call(&builder, called);
      lir_builder_init(&builder, &module, called);
      for (unsigned k = 0; k < depths[i]; k++)
         lir_begin_block(&builder);
      for (unsigned k = 0; k < depths[i]; k++)
         lir_end(&builder);
      assert_false(builder.failed);
      assert_null(lir_verify(&module));
      assert_int_equal(lir_pass_inline(&module, &changed), TG_OK);
      assert_null(lir_verify(&module));
      assert_int_equal(changed, i == 0);
      lir_module_finish(&module);
   }
}

/* A module whose first function calls the second, of `num_insts` instructions,
 * `num_calls` times. */
static void
make_calls(struct lir_module *module, unsigned num_calls, unsigned num_insts)
{
   struct lir_builder builder;

   lir_module_init(module, NULL);
   const uint32_t first = lir_module_add_function(module, "main");
   const uint32_t called = lir_module_add_function(module, "called");
   lir_builder_init(&builder, module, first);
   for (unsigned i = 0; i < num_calls; i++)
      lir_call(&builder, called);
   lir_builder_init(&builder, module, called);
   while (module->functions[called].num_insts < num_insts)
      lir_lane(&builder);
   assert_false(builder.failed);
   assert_null(lir_verify(module));
}

static unsigned
count_calls(const struct lir_function *function)
{
   unsigned count = 0;

   for (uint32_t i = 0; i < function->num_insts; i++)
      count += function->insts[i].op == LIR_OP_call;
   return count;
}

/* A function of more than 300 instructions goes to its only call alone; smaller
 * ones to all calls, as long as the module has at most 16,384 instructions: 183
 * calls, a constant, 300 called and 53 times 300 inlined are as many. */
static void
test_inline_sizes(void **state)
{
   static const struct {
      unsigned num_calls, num_insts, num_left, num_insts_after;
   } rows[] = {
      {2, 300, 0, 1 + 2 + 2 * 300},    {2, 301, 2, 1 + 2},
      {1, 301, 0, 1 + 1 + 301},        {1, 20000, 0, 1 + 1 + 20000},
      {183, 300, 130, 184 + 53 * 300}, {184, 300, 132, 185 + 52 * 300},
   };

   (void)state;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;
      bool changed = false;

      make_calls(&module, rows[i].num_calls, rows[i].num_insts);
      assert_int_equal(lir_pass_inline(&module, &changed), TG_OK);
      assert_null(lir_verify(&module));
      const struct lir_function *function = module.functions;
      assert_int_equal(changed, rows[i].num_left < rows[i].num_calls);
      assert_int_equal(count_calls(function), rows[i].num_left);
      assert_int_equal(function->num_insts, rows[i].num_insts_after);
      lir_module_finish(&module);
   }
}

/* ---- signatures ---------------------------------------------------------- */

static const struct row signature_rows[] = {
   {"functions without", X MAIN "call 1\n" CALLED "setvar32 $0, %0\n}", NULL},
   {"parameters and results become variables",
    X MAIN
    "%1 = lane\narg32 0, %1\narg32 1, %0\ncall 1\n%5 = result32 0\n"
    "%6 = result32 1\n%7 = isub %5, %6\ntrace 0, %7\nsetvar32 $0, %7\n" SWAP,
    X "var $1 b32 swap.param0\nvar $2 b32 swap.param1\n"
      "var $3 b32 swap.result0\nvar $4 b32 swap.result1\n" MAIN
      "%1 = lane\nputvar32 $1, %1\nputvar32 $2, %0\ncall 1\n%5 = getvar32 $3\n"
      "%6 = getvar32 $4\n%7 = isub %5, %6\ntrace 0, %7\nsetvar32 $0, %7\n"
      "}\nfunction 1 swap {\n%0 = const32 0\nputvar32 $3, %0\n"
      "putvar32 $4, %0\n%1 = getvar32 $1\n%2 = getvar32 $2\n"
      "setvar32 $3, %2\nsetvar32 $4, %1\n}"},
   {"what the callee does not use is not given",
    MAIN "%1 = lane\narg32 0, %0\narg32 1, %1\narg32 2, %0\ncall 1\n"
         "trace 0, %1\n}\nfunction 1 called params 3 {\n%0 = const32 0\n"
         "%1 = param32 1\ntrace 1, %1\n}",
    "var $0 b32 called.param0\nvar $1 b32 called.param1\n"
    "var $2 b32 called.param2\n" MAIN "%1 = lane\nputvar32 $1, %1\ncall 1\n"
    "trace 0, %1\n}\nfunction 1 called {\n%0 = const32 0\n"
    "%1 = getvar32 $1\ntrace 1, %1\n}"},
   {"each function has its own",
    MAIN "arg32 0, %0\ncall 1\narg32 0, %0\ncall 2\n"
         "%5 = result32 0\ntrace 0, %5\n}\n"
         "function 1 one params 1 {\n%0 = const32 0\n%1 = param32 0\n"
         "arg32 0, %1\ncall 2\n%4 = result32 0\ntrace 1, %4\n}\n"
         "function 2 two params 1 results 1 {\n%0 = const32 0\n"
         "%1 = param32 0\nsetresult32 0, %1\n}",
    "var $0 b32 one.param0\nvar $1 b32 two.param0\nvar $2 b32 "
    "two.result0\n" MAIN "putvar32 $0, %0\ncall 1\nputvar32 $1, %0\ncall 2\n"
    "%5 = getvar32 $2\ntrace 0, %5\n}\n"
    "function 1 one {\n%0 = const32 0\n%1 = getvar32 $0\n"
    "putvar32 $1, %1\ncall 2\n%4 = getvar32 $2\ntrace 1, %4\n}\n"
    "function 2 two {\n%0 = const32 0\nputvar32 $2, %0\n"
    "%1 = getvar32 $1\nsetvar32 $2, %1\n}"},
};

static void
test_signatures(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_signatures, signature_rows);
}

/* An allocator that fails after so many successes. */
static void *
resize_sometimes(void *user, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *usual = tg_default_allocator();
   unsigned *num_left = user;

   if (new_size > 0 && *num_left == 0)
      return NULL;
   *num_left -= new_size > 0;
   return usual->resize(usual->user, ptr, old_size, new_size);
}

/* Without memory for all of them no function is lowered. */
static void
test_signatures_without_memory(void **state)
{
   enum tg_result result = TG_ERROR_MEMORY;
   unsigned num_failures = 0;

   (void)state;
   while (result != TG_OK) {
      unsigned num_left = num_failures;
      const struct tg_allocator allocator = {resize_sometimes, &num_left};
      struct lir_module module;
      bool changed = false;

      listing_parse(&module, signature_rows[1].before);
      const struct tg_allocator *usual = module.arena.allocator;
      module.arena.allocator = &allocator;
      result = lir_pass_signatures(&module, &changed);
      module.arena.allocator = usual;
      assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
      assert_int_equal(changed, result == TG_OK);
      assert_int_equal(module.functions[0].insts[2].op == LIR_OP_putvar32,
                       result == TG_OK);
      assert_int_equal(module.functions[1].num_params, result == TG_OK ? 0 : 2);
      assert_null(lir_verify(&module));
      num_failures += result == TG_ERROR_MEMORY;
      lir_module_finish(&module);
   }
   assert_true(num_failures > 0);
}

/* ---- fold ---------------------------------------------------------------- */

static const struct row fold_rows[] = {
   {"operations on constants are computed",
    MAIN "%1 = const32 2\n%2 = const32 3\n%3 = imul %1, %2\n"
         "%4 = pack64 %3, %1\ntrace 0, %3\n}",
    MAIN "%1 = const32 2\n%2 = const32 3\n%3 = const32 6\n"
         "%4 = const64 0x200000006\ntrace 0, %3\n}"},
   {"results are folded on",
    MAIN "%1 = inot %0\n%2 = ilt %1, %0\n%3 = b2i %2\ntrace 0, %3\n}",
    MAIN "%1 = const32 0xffffffff\n%2 = const1 1\n%3 = const32 0xffffffff\n"
         "trace 0, %3\n}"},
   {"a constant goes to the right",
    MAIN "%1 = lane\n%2 = const32 3\n%3 = iadd %2, %1\n%4 = isub %2, %1\n"
         "trace 0, %3\n}",
    MAIN "%1 = lane\n%2 = const32 3\n%3 = iadd %1, %2\n%4 = isub %2, %1\n"
         "trace 0, %3\n}"},
   {"rules look through what was folded before",
    MAIN "%1 = lane\n%2 = isub %1, %1\n%3 = iadd %1, %2\ntrace 0, %3\n}",
    MAIN "%1 = lane\n%2 = const32 0\ntrace 0, %1\n}"},
   {"a + 0 is not a where -0 is",
    MAIN "%1 = lane\n%2 = fadd %1, %0\n%3 = fsub %1, %1\ntrace 0, %2\n}", NULL},
};

static void
test_fold(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_fold, fold_rows);
}

/* ---- copy ---------------------------------------------------------------- */

static const struct row copy_rows[] = {
   {"a read gives what was written",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = getvar32 $0\ntrace 0, %2\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ntrace 0, %1\n}"},
   {"a second read gives the first",
    X MAIN "call 1\n%1 = getvar32 $0\n%2 = getvar32 $0\n%3 = iadd %1, %2\n"
           "trace 0, %3\n" CALLED "%1 = lane\nsetvar32 $0, %1\n}",
    X MAIN "call 1\n%1 = getvar32 $0\n%3 = iadd %1, %1\n"
           "trace 0, %3\n" CALLED "%1 = lane\nsetvar32 $0, %1\n}"},
   {"variables begin as zero", X MAIN "%1 = getvar32 $0\ntrace 0, %1\n}",
    X MAIN "trace 0, %0\n}"},
   {"what a variable holds need not be written to it",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = getvar32 $0\nsetvar32 $0, %2\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n}"},
   {"into an if, and past one that does not write",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = i2b %1\nif %2\n"
           "%3 = getvar32 $0\ntrace 0, %3\nend\n%4 = getvar32 $0\n"
           "trace 1, %4\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = i2b %1\nif %2\n"
           "trace 0, %1\nend\ntrace 1, %1\n}"},
   {"not past an if that writes, nor into its else",
    X MAIN "%1 = lane\n%2 = i2b %1\nsetvar32 $0, %1\nif %2\n"
           "setvar32 $0, %0\nelse\n%3 = getvar32 $0\ntrace 0, %3\nend\n"
           "%4 = getvar32 $0\ntrace 1, %4\n}",
    NULL},
   {"not into a loop that writes further down",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n%2 = getvar32 $0\n"
           "%3 = i2b %2\nif %3\nbr 1\nend\n%4 = inot %2\nsetvar32 $0, %4\n"
           "end\n}",
    NULL},
   {"into a loop that does not write",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n%2 = getvar32 $0\n"
           "%3 = i2b %2\nif %3\nbr 1\nend\nend\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n"
           "%3 = i2b %1\nif %3\nbr 1\nend\nend\n}"},
   {"not into an inner loop whose outer one writes behind it",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\nloop\n%2 = getvar32 $0\n"
           "%3 = i2b %2\nif %3\nbr 1\nend\nend\nsetvar32 $0, %0\nend\n}",
    NULL},
   {"not past a call that writes",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\n%2 = getvar32 $0\n"
           "trace 0, %2\n" CALLED "setvar32 $0, %0\n}",
    NULL},
   {"past a call that does not",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\n%2 = getvar32 $0\n"
           "trace 0, %2\n" CALLED "}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\ntrace 0, %1\n" CALLED "}"},
   {"past the one call that does not",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\n%2 = getvar32 $0\n"
           "trace 0, %2\ncall 2\n" CALLED "}\n" OTHER "setvar32 $0, %0\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\n"
           "trace 0, %1\ncall 2\n" CALLED "}\n" OTHER "setvar32 $0, %0\n}"},
   {"not past the other, though the first came between",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 2\ncall 1\n%2 = getvar32 $0\n"
           "trace 0, %2\n" CALLED "}\n" OTHER "setvar32 $0, %0\n}",
    NULL},
   {"not into a loop with a call that writes further down",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n%2 = getvar32 $0\n"
           "%3 = i2b %2\nif %3\nbr 1\nend\ncall 1\ncall 2\nend\n" CALLED
           "setvar32 $0, %0\n}\n" OTHER "}",
    NULL},
   {"into a loop of a function, whatever another function calls",
    X MAIN "call 1\ncall 2\n" CALLED "%1 = lane\nsetvar32 $0, %1\nloop\n"
           "%2 = getvar32 $0\n%3 = i2b %2\nif %3\nbr 1\nend\nend\n}\n" OTHER
           "setvar32 $0, %0\n}",
    X MAIN "call 1\ncall 2\n" CALLED "%1 = lane\nsetvar32 $0, %1\nloop\n"
           "%3 = i2b %1\nif %3\nbr 1\nend\nend\n}\n" OTHER
           "setvar32 $0, %0\n}"},
   {"into a loop with a call that does not",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n%2 = getvar32 $0\n"
           "%3 = i2b %2\nif %3\nbr 1\nend\ncall 1\nend\ncall 2\n" CALLED
           "}\n" OTHER "setvar32 $0, %0\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nloop\n"
           "%3 = i2b %1\nif %3\nbr 1\nend\ncall 1\nend\ncall 2\n" CALLED
           "}\n" OTHER "setvar32 $0, %0\n}"},
   {"to what looks at other lanes, after a write in all lanes",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nputvar32 $0, %1\n"
           "%3 = getvar32 $0\n%4 = ineg %3\n%5 = fddx %4\ntrace 0, %5\n"
           "end\n}",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nputvar32 $0, %1\n"
           "%4 = ineg %1\n%5 = fddx %4\ntrace 0, %5\n"
           "end\n}"},
   {"not to a write in all lanes, if some lanes wrote",
    XY MAIN "%1 = lane\n%2 = i2b %1\nif %2\nsetvar32 $0, %1\n"
            "%3 = getvar32 $0\n%4 = ineg %3\nputvar32 $1, %4\nend\n}",
    NULL},
   {"nor to an argument",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nsetvar32 $0, %1\n"
           "%3 = getvar32 $0\narg32 0, %3\ncall 1\nend\n}\n"
           "function 1 called params 1 {\n%0 = const32 0\n}",
    NULL},
   {"a write in all lanes of what some lanes hold stays",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nsetvar32 $0, %1\n"
           "putvar32 $0, %1\nend\n}",
    NULL},
   {"one of what all lanes hold goes",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nputvar32 $0, %1\n"
           "putvar32 $0, %1\nend\n}",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nputvar32 $0, %1\nend\n}"},
   {"to what looks at other lanes, if all lanes wrote",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = getvar32 $0\n%3 = ineg %2\n"
           "%4 = fddx %3\ntrace 0, %4\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %1\n%3 = ineg %1\n"
           "%4 = fddx %3\ntrace 0, %4\n}"},
   {"not to that, if some lanes wrote",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nsetvar32 $0, %1\n"
           "%3 = getvar32 $0\n%4 = ineg %3\n%5 = fddx %4\ntrace 0, %5\n"
           "end\n}",
    NULL},
   {"nor if some lanes had left",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nbr 0\nend\nsetvar32 $0, %1\n"
           "%3 = getvar32 $0\n%4 = fddx %3\ntrace 0, %4\n}",
    NULL},
   {"nor in a function that some lanes may call",
    X MAIN "call 1\n" CALLED "%1 = lane\nsetvar32 $0, %1\n"
           "%3 = getvar32 $0\n%4 = fddx %3\ntrace 0, %4\n}",
    NULL},
};

static void
test_copy(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_copy, copy_rows);
}

/* ---- cse ----------------------------------------------------------------- */

static const struct row cse_rows[] = {
   {"equal operations are one",
    MAIN "%1 = lane\n%2 = lane\n%3 = ineg %1\n%4 = ineg %2\n"
         "trace 0, %3\ntrace 1, %4\n}",
    MAIN "%1 = lane\n%3 = ineg %1\ntrace 0, %3\ntrace 1, %3\n}"},
   {"constants too",
    MAIN "%1 = const32 0\n%2 = const64 0\n%3 = const32 1\n%4 = const32 1\n"
         "trace 0, %1\ntrace 1, %4\n}",
    MAIN "%2 = const64 0\n%3 = const32 1\ntrace 0, %0\ntrace 1, %3\n}"},
   {"operands may change places where they may",
    MAIN "%1 = lane\n%2 = iadd %1, %0\n%3 = iadd %0, %1\n%4 = isub %1, %0\n"
         "%5 = isub %0, %1\ntrace 0, %3\n}",
    MAIN "%1 = lane\n%2 = iadd %1, %0\n%4 = isub %1, %0\n"
         "%5 = isub %0, %1\ntrace 0, %2\n}"},
   {"loads of what nobody writes",
    MAIN "%1 = load32 const[0], %0\n%2 = load32 const[0], %0\n"
         "%3 = load32 const[1], %0\n%4 = load32 input[0], %0\n"
         "%5 = load32 input[0], %0\ntrace 0, %2\ntrace 0, %5\n}",
    MAIN "%1 = load32 const[0], %0\n%3 = load32 const[1], %0\n"
         "%4 = load32 input[0], %0\ntrace 0, %1\ntrace 0, %4\n}"},
   {"not of what may be written",
    MAIN "%1 = load32 buffer[0], %0\n%2 = load32 buffer[0], %0\n"
         "%3 = load32 output[0], %0\n%4 = load32 output[0], %0\n}",
    NULL},
   {"not what depends on who is active, and not variables",
    X MAIN "%1 = read_first %0\n%2 = read_first %0\n%3 = getvar32 $0\n"
           "%4 = getvar32 $0\n%5 = live\n%6 = live\n}",
    NULL},
   {"from outside a construct",
    MAIN "%1 = ineg %0\nblock\n%2 = ineg %0\ntrace 0, %2\nend\n}",
    MAIN "%1 = ineg %0\nblock\ntrace 0, %1\nend\n}"},
   {"not out of one, and not from the other arm",
    MAIN "%1 = i2b %0\nif %1\n%2 = ineg %0\nelse\n%3 = ineg %0\nend\n"
         "%4 = ineg %0\n}",
    NULL},
};

static void
test_cse(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_cse, cse_rows);
}

/* ---- vrp ----------------------------------------------------------------- */

#define INPUT MAIN "%1 = load32 input[0], %0\n"
#define BYTE INPUT "%2 = bytef %1, %0\n"

static const struct row vrp_rows[] = {
   {"clamps that change nothing",
    BYTE "%3 = fmax %2, %0\n%4 = const32 0x437f0000\n%5 = fmin %3, %4\n"
         "%6 = fabs %5\ntrace 0, %6\n}",
    BYTE "%4 = const32 0x437f0000\ntrace 0, %2\n}"},
   {"the other operand of a clamp",
    BYTE "%3 = const32 0x43800000\n%4 = fmax %2, %3\n%5 = fmin %3, %2\n"
         "trace 0, %4\ntrace 0, %5\n}",
    BYTE "%3 = const32 0x43800000\ntrace 0, %3\ntrace 0, %2\n}"},
   {"a saturation of what is from 0 to 1",
    INPUT "%2 = fsat %1\n%3 = fsat %2\ntrace 0, %3\n}",
    INPUT "%2 = fsat %1\ntrace 0, %2\n}"},
   {"not of what may be NaN or -0, nor is beyond",
    INPUT "%2 = ffloor %1\n%3 = fsub %1, %2\n%4 = fsat %3\n%5 = fsat %1\n"
          "%6 = fneg %5\n%7 = fneg %6\n%8 = fsat %7\n%9 = fabs %6\n"
          "%10 = bytef %1, %0\n%11 = fsat %10\ntrace 0, %4\ntrace 0, %8\n"
          "trace 0, %9\ntrace 0, %11\n}",
    NULL},
   {"between zeros of unlike signs, if it is known which have one",
    INPUT "%2 = fsat %1\n%3 = fneg %2\n%4 = fmin %2, %3\n%5 = fmin %3, %0\n"
          "%6 = fmax %3, %0\n%7 = fneg %3\n%8 = fmin %3, %7\n"
          "%9 = fmax %3, %7\ntrace 0, %4\ntrace 0, %5\ntrace 0, %6\n"
          "trace 0, %8\ntrace 0, %9\n}",
    INPUT "%2 = fsat %1\n%3 = fneg %2\n%7 = fneg %3\n%8 = fmin %3, %7\n"
          "%9 = fmax %3, %7\ntrace 0, %3\ntrace 0, %3\ntrace 0, %0\n"
          "trace 0, %8\ntrace 0, %9\n}"},
   {"integers are clamped likewise",
    INPUT "%2 = const32 15\n%3 = iand %1, %2\n%4 = umin %3, %2\n"
          "%5 = umax %2, %4\n%6 = const32 0xffffffff\n%7 = imax %4, %6\n"
          "%8 = imin %6, %7\n%9 = iand %7, %2\n%10 = const32 13\n"
          "%11 = iand %7, %10\n%12 = const32 7\n%13 = iand %7, %12\n"
          "trace 0, %5\ntrace 0, %8\ntrace 0, %9\ntrace 0, %11\n"
          "trace 0, %13\n}",
    INPUT "%2 = const32 15\n%3 = iand %1, %2\n%6 = const32 0xffffffff\n"
          "%10 = const32 13\n%11 = iand %3, %10\n%12 = const32 7\n"
          "%13 = iand %3, %12\ntrace 0, %2\ntrace 0, %6\ntrace 0, %3\n"
          "trace 0, %11\ntrace 0, %13\n}"},
   {"unsigned conversions of what has no sign",
    BYTE "%3 = f2u %2\n%4 = u2f %3\n%5 = u2f %1\n%6 = f2u %1\n%7 = fneg %2\n"
         "%8 = f2u %7\ntrace 0, %4\ntrace 0, %5\ntrace 0, %6\ntrace 0, %8\n}",
    BYTE "%3 = f2i %2\n%4 = i2f %3\n%5 = u2f %1\n%6 = f2u %1\n%7 = fneg %2\n"
         "%8 = const32 0\ntrace 0, %4\ntrace 0, %5\ntrace 0, %6\n"
         "trace 0, %8\n}"},
   {"comparisons that are decided",
    BYTE "%3 = flt %2, %0\n%4 = const32 0x43800000\n%5 = fge %2, %4\n"
         "%6 = feq %2, %2\n%7 = const32 0xff\n%8 = iand %1, %7\n"
         "%9 = ilt %8, %0\n%10 = ult %7, %8\n%11 = uge %8, %0\nif %3\n"
         "trace 0, %1\nend\nif %5\ntrace 0, %1\nend\nif %6\ntrace 0, %1\n"
         "end\nif %9\ntrace 0, %1\nend\nif %10\ntrace 0, %1\nend\nif %11\n"
         "trace 0, %1\nend\n}",
    BYTE "%3 = const1 0\n%4 = const32 0x43800000\n%5 = const1 0\n"
         "%6 = const1 1\n%7 = const32 0xff\n%8 = iand %1, %7\n"
         "%9 = const1 0\n%10 = const1 0\n%11 = const1 1\nif %3\n"
         "trace 0, %1\nend\nif %5\ntrace 0, %1\nend\nif %6\ntrace 0, %1\n"
         "end\nif %9\ntrace 0, %1\nend\nif %10\ntrace 0, %1\nend\nif %11\n"
         "trace 0, %1\nend\n}"},
   {"not those with what may be NaN",
    INPUT "%2 = fge %1, %1\n%3 = feq %1, %1\n%4 = flt %1, %0\nif %2\n"
          "trace 0, %1\nend\nif %3\ntrace 0, %1\nend\nif %4\n"
          "trace 0, %1\nend\n}",
    NULL},
};

static void
test_vrp(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_vrp, vrp_rows);
}

/* ---- dead_store ---------------------------------------------------------- */

static const struct row dead_store_rows[] = {
   {"a write before the next one",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nsetvar32 $0, %0\n%2 = getvar32 $0\n"
           "trace 0, %2\n}",
    X MAIN "%1 = lane\nsetvar32 $0, %0\n%2 = getvar32 $0\ntrace 0, %2\n}"},
   {"a write that nobody reads",
    X MAIN "%1 = getvar32 $0\ntrace 0, %1\nsetvar32 $0, %0\n}",
    X MAIN "%1 = getvar32 $0\ntrace 0, %1\n}"},
   {"also where lanes leave early",
    X MAIN "%1 = lane\n%2 = i2b %1\n%3 = getvar32 $0\ntrace 0, %3\n"
           "setvar32 $0, %1\nif %2\nbr 0\nend\n}",
    X MAIN "%1 = lane\n%2 = i2b %1\n%3 = getvar32 $0\ntrace 0, %3\n"
           "if %2\nbr 0\nend\n}"},
   {"in an if, before a write behind it",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nsetvar32 $0, %1\nend\n"
           "setvar32 $0, %0\n%3 = getvar32 $0\ntrace 0, %3\n}",
    X MAIN "%1 = lane\n%2 = i2b %1\nif %2\nend\n"
           "setvar32 $0, %0\n%3 = getvar32 $0\ntrace 0, %3\n}"},
   {"before a write in all lanes",
    X MAIN "%1 = lane\nsetvar32 $0, %1\nputvar32 $0, %0\n%2 = getvar32 $0\n"
           "trace 0, %2\n}",
    X MAIN "%1 = lane\nputvar32 $0, %0\n%2 = getvar32 $0\ntrace 0, %2\n}"},
   {"not a write in all lanes, before one that some do",
    X MAIN "%1 = lane\nputvar32 $0, %1\nsetvar32 $0, %0\n%2 = getvar32 $0\n"
           "trace 0, %2\n}",
    NULL},
   {"but if nobody reads it",
    X MAIN "%1 = getvar32 $0\ntrace 0, %1\nputvar32 $0, %0\n}",
    X MAIN "%1 = getvar32 $0\ntrace 0, %1\n}"},
   {"not before a write that some lanes do",
    X MAIN "%1 = lane\n%2 = i2b %1\nsetvar32 $0, %1\nif %2\n"
           "setvar32 $0, %0\nend\n%3 = getvar32 $0\ntrace 0, %3\n}",
    NULL},
   {"not where lanes leave before the next write",
    X MAIN "%1 = lane\n%2 = i2b %1\nblock\nsetvar32 $0, %1\nif %2\nbr 1\n"
           "end\nsetvar32 $0, %0\nend\n%3 = getvar32 $0\ntrace 0, %3\n}",
    NULL},
   {"not where a loop reads it again",
    X MAIN "loop\n%1 = getvar32 $0\n%2 = i2b %1\nif %2\nbr 1\nend\n"
           "%3 = lane\nsetvar32 $0, %3\nend\n}",
    NULL},
   {"not where a loop reads it before the write behind the loop",
    X MAIN "loop\n%1 = getvar32 $0\n%2 = i2b %1\n%3 = lane\n"
           "setvar32 $0, %3\nend\nsetvar32 $0, %0\n}",
    X MAIN "loop\n%1 = getvar32 $0\n%2 = i2b %1\n%3 = lane\n"
           "setvar32 $0, %3\nend\n}"},
   {"not before a call that reads",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\nsetvar32 $0, %0\n"
           "call 1\n" CALLED "%1 = getvar32 $0\ntrace 0, %1\n}",
    NULL},
   {"before a call that does not, though another does",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\nsetvar32 $0, %0\n"
           "call 2\nsetvar32 $0, %1\ncall 1\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}",
    X MAIN "%1 = lane\ncall 1\nsetvar32 $0, %0\n"
           "call 2\ncall 1\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}"},
   {"not before a call that reads, though the next call does not",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 2\ncall 1\n"
           "setvar32 $0, %0\ncall 1\ncall 2\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}",
    NULL},
   {"not where a call above, in a loop, reads it",
    X MAIN "loop\ncall 2\ncall 1\n%1 = lane\nsetvar32 $0, %1\n%2 = i2b %1\n"
           "if %2\nbr 1\nend\nend\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}",
    NULL},
   {"where a call above, in a loop, does not",
    X MAIN "call 2\nloop\ncall 1\n%1 = lane\nsetvar32 $0, %1\n%2 = i2b %1\n"
           "if %2\nbr 1\nend\nend\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}",
    X MAIN "call 2\nloop\ncall 1\n%1 = lane\n%2 = i2b %1\n"
           "if %2\nbr 1\nend\nend\n" CALLED "}\n" OTHER
           "%1 = getvar32 $0\ntrace 0, %1\n}"},
   {"not in a function that is called",
    X MAIN "call 1\n%1 = getvar32 $0\ntrace 0, %1\n" CALLED
           "setvar32 $0, %0\n}",
    NULL},
};

static void
test_dead_store(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_dead_store, dead_store_rows);
}

/* ---- flow ---------------------------------------------------------------- */

#define LANE_IF MAIN "%1 = lane\n%2 = i2b %1\n"

static const struct row flow_rows[] = {
   {"behind a br there is nothing",
    LANE_IF "block\nif %2\nbr 1\ntrace 0, %1\nend\ntrace 1, %1\nend\n}",
    LANE_IF "block\nif %2\nbr 1\nend\ntrace 1, %1\nend\n}"},
   {"a block that nobody leaves",
    LANE_IF "block\ntrace 0, %1\nblock\nif %2\nbr 2\nend\ntrace 1, %1\nend\n"
            "end\n}",
    LANE_IF "trace 0, %1\nblock\nif %2\nbr 1\nend\ntrace 1, %1\nend\n}"},
   {"an arm that is always taken",
    LANE_IF "%3 = const1 1\nif %3\ntrace 0, %1\nelse\ntrace 1, %1\nend\n}",
    LANE_IF "%3 = const1 1\ntrace 0, %1\n}"},
   {"an arm that is never taken",
    LANE_IF "%3 = const1 0\nif %3\ntrace 0, %1\nelse\ntrace 1, %1\nend\n"
            "if %3\ntrace 2, %1\nend\n}",
    LANE_IF "%3 = const1 0\ntrace 1, %1\n}"},
   {"an if that is always taken and left early becomes a block",
    LANE_IF "%3 = const1 1\nif %3\nif %2\nbr 1\nend\ntrace 0, %1\nend\n}",
    LANE_IF "%3 = const1 1\nblock\nif %2\nbr 1\nend\ntrace 0, %1\nend\n}"},
   {"what is empty",
    LANE_IF "if %2\nend\nif %2\nelse\nend\nblock\nif %2\nblock\nend\nend\n"
            "end\n}",
    LANE_IF "}"},
   {"an empty else", LANE_IF "if %2\ntrace 0, %1\nelse\nend\n}",
    LANE_IF "if %2\ntrace 0, %1\nend\n}"},
   {"an empty if before an else", LANE_IF "if %2\nelse\ntrace 0, %1\nend\n}",
    LANE_IF "%3 = bnot %2\nif %3\ntrace 0, %1\nend\n}"},
   {"a br to where its scope ends",
    LANE_IF "if %2\ntrace 0, %1\nbr 1\nelse\ntrace 1, %1\nbr 1\nend\nbr 0\n}",
    LANE_IF "if %2\ntrace 0, %1\nelse\ntrace 1, %1\nend\n}"},
   {"but a loop repeats there",
    LANE_IF "loop\nif %2\nbr 1\nend\ntrace 0, %1\nend\n}", NULL},
   {"a loop that runs once",
    LANE_IF "loop\ntrace 0, %1\nbr 1\nend\ntrace 1, %1\n}",
    LANE_IF "block\ntrace 0, %1\nbr 1\nend\ntrace 1, %1\n}"},
   {"behind a loop that nobody leaves there is nothing",
    LANE_IF "loop\ntrace 0, %1\nend\ntrace 1, %1\n}",
    LANE_IF "loop\ntrace 0, %1\nend\n}"},
   {"behind an if both of whose arms leave there is nothing",
    LANE_IF "if %2\ntrace 0, %1\nbr 0\nelse\ntrace 1, %1\nbr 0\nend\n"
            "trace 2, %1\n}",
    LANE_IF "if %2\ntrace 0, %1\nbr 0\nelse\ntrace 1, %1\nbr 0\nend\n}"},
   {"an endless loop stays", MAIN "loop\nend\n}", NULL},
};

static void
test_flow(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_flow, flow_rows);
}

/* ---- dce ----------------------------------------------------------------- */

static const struct row dce_rows[] = {
   {"values that nobody uses",
    MAIN "%1 = lane\n%2 = ineg %1\n%3 = load32 buffer[0], %2\n%4 = live\n"
         "%5 = fddx %1\ntrace 0, %0\n}",
    MAIN "trace 0, %0\n}"},
   {"variables that nobody reads",
    XY MAIN "%1 = lane\nsetvar32 $0, %1\nsetvar32 $1, %1\n%2 = getvar32 $1\n"
            "trace 0, %2\n}",
    "var $0 b32 y\n" MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = getvar32 $0\n"
    "trace 0, %2\n}"},
   {"variables that only feed each other",
    XY MAIN "%1 = getvar32 $0\n%2 = inot %1\nsetvar32 $1, %2\n"
            "%3 = getvar32 $1\nsetvar32 $0, %3\n}",
    MAIN "}"},
   {"functions that nobody calls",
    MAIN "call 2\n}\nfunction 1 unused {\n%0 = const32 0\ncall 2\n}\n"
         "function 2 used {\n%0 = const32 0\n}",
    MAIN "call 1\n}\nfunction 1 used {\n%0 = const32 0\n}"},
   {"a write is needed where another function reads",
    X MAIN "%1 = lane\nsetvar32 $0, %1\ncall 1\n" CALLED
           "%1 = getvar32 $0\ntrace 0, %1\n}",
    NULL},
   {"effects stay",
    MAIN "%1 = clock\n%2 = i2b %0\nkill %2\nbarrier\n"
         "store32 buffer[0], %0, %0\nemit %0\nendprim %0\n}",
    NULL},
};

static void
test_dce(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_dce, dce_rows);
}

/* ---- licm ---------------------------------------------------------------- */

/* Leaves the loop of the first level, or the second, where %2 is true. */
#define LEAVE "if %2\nbr 1\nend\n"
#define LEAVE_INNER "if %2\nbr 2\nend\n"

static const struct row licm_rows[] = {
   {"what a loop does not change goes before it, in its order",
    LANE_IF "loop\n" LEAVE "%3 = const32 7\n%4 = iadd %1, %3\n"
            "%5 = imul %4, %4\ntrace 0, %5\n%6 = inot %1\n"
            "trace 1, %6\nend\n}",
    LANE_IF "%3 = const32 7\n%4 = iadd %1, %3\n%5 = imul %4, %4\n"
            "%6 = inot %1\nloop\n" LEAVE "trace 0, %5\ntrace 1, %6\nend\n}"},
   {"before the outermost that does not, what a loop changes before the inner",
    X LANE_IF "loop\n%3 = getvar32 $0\nloop\n%4 = inot %1\n"
              "%5 = iadd %3, %4\ntrace 0, %5\n" LEAVE_INNER "end\n"
              "setvar32 $0, %3\n" LEAVE "end\n}",
    X LANE_IF "%4 = inot %1\nloop\n%3 = getvar32 $0\n%5 = iadd %3, %4\n"
              "loop\ntrace 0, %5\n" LEAVE_INNER "end\n"
              "setvar32 $0, %3\n" LEAVE "end\n}"},
   {"what is cheap, out of an if and an else too",
    LANE_IF "loop\n" LEAVE "if %2\n%3 = inot %1\ntrace 0, %3\nelse\n"
            "%4 = ineg %1\ntrace 0, %4\nend\nend\n}",
    LANE_IF "%3 = inot %1\n%4 = ineg %1\nloop\n" LEAVE
            "if %2\ntrace 0, %3\nelse\ntrace 0, %4\nend\nend\n}"},
   {"a division out of a block, not out of an if",
    LANE_IF "loop\n" LEAVE "block\n%3 = udiv %1, %1\ntrace 0, %3\nend\n"
            "if %2\n%4 = urem %1, %1\ntrace 0, %4\nelse\n"
            "%5 = idiv %1, %1\ntrace 0, %5\nend\nend\n}",
    LANE_IF "%3 = udiv %1, %1\nloop\n" LEAVE "block\ntrace 0, %3\nend\n"
            "if %2\n%4 = urem %1, %1\ntrace 0, %4\nelse\n"
            "%5 = idiv %1, %1\ntrace 0, %5\nend\nend\n}"},
   {"but out of a loop that is in the if",
    LANE_IF "loop\n" LEAVE "if %2\nloop\n%3 = udiv %1, %1\ntrace 0, %3\n"
            "if %2\nbr 3\nend\nend\nend\nend\n}",
    LANE_IF "loop\n" LEAVE "if %2\n%3 = udiv %1, %1\nloop\ntrace 0, %3\n"
            "if %2\nbr 3\nend\nend\nend\nend\n}"},
   {"loads of what is never written, out of an if those of constants alone",
    LANE_IF "loop\n" LEAVE "%3 = load32 texture[0], %1\ntrace 0, %3\n"
            "if %2\n%4 = load32 const[0], %1\ntrace 0, %4\n"
            "%5 = load32 texture[0], %0\ntrace 0, %5\nend\nend\n}",
    LANE_IF "%3 = load32 texture[0], %1\n%4 = load32 const[0], %1\nloop\n" LEAVE
            "trace 0, %3\nif %2\ntrace 0, %4\n"
            "%5 = load32 texture[0], %0\ntrace 0, %5\nend\nend\n}"},
   {"not loads of what others write, nor what lanes have in common",
    LANE_IF "loop\n" LEAVE "%3 = load32 buffer[0], %1\ntrace 0, %3\n"
            "%4 = ballot %2\ntrace 0, %4\n%5 = fddx %1\ntrace 0, %5\n"
            "%6 = live\n%7 = b2i %6\ntrace 0, %7\n%8 = memsize buffer[0]\n"
            "trace 0, %8\nend\n}",
    NULL},
   {"nor reads of variables, and what follows from them",
    X LANE_IF "loop\n" LEAVE "%3 = getvar32 $0\n%4 = inot %3\n"
              "trace 0, %4\nend\n}",
    NULL},
   {"nothing where there is no loop, and nothing after one",
    LANE_IF "block\n%3 = inot %1\ntrace 0, %3\nend\nif %2\n"
            "%4 = ineg %1\ntrace 0, %4\nend\nloop\n" LEAVE "end\n"
            "%5 = iabs %1\ntrace 0, %5\n}",
    NULL},
   {"of two loops that follow each other, and in each function",
    LANE_IF "loop\n" LEAVE "%3 = inot %1\ntrace 0, %3\nend\nloop\n" LEAVE
            "%4 = ineg %1\ntrace 0, %4\nend\ncall 1\n" CALLED
            "%1 = lane\nloop\n%2 = i2b %1\n" LEAVE "end\n}",
    LANE_IF "%3 = inot %1\nloop\n" LEAVE "trace 0, %3\nend\n"
            "%4 = ineg %1\nloop\n" LEAVE "trace 0, %4\nend\ncall 1\n" CALLED
            "%1 = lane\n%2 = i2b %1\nloop\n" LEAVE "end\n}"},
};

static void
test_licm(void **state)
{
   (void)state;
   CHECK_ROWS(lir_pass_licm, licm_rows);
}

/* What stays in an if is known by its name: divisions, remainders, roots. */
static void
test_slow_operations(void **state)
{
   (void)state;
   for (unsigned op = 0; op < LIR_NUM_OPS; op++) {
      const char *name = lir_ops[op].name;
      const bool is_slow =
         strstr(name, "div") || strstr(name, "rem") || strstr(name, "sqrt");

      if (lir_op_is_slow[op] != is_slow)
         fail_msg("%s", name);
   }
}

/* Without memory for all of it nothing moves. */
static void
test_licm_without_memory(void **state)
{
   enum tg_result result = TG_ERROR_MEMORY;
   unsigned num_failures = 0;

   (void)state;
   while (result != TG_OK) {
      unsigned num_left = num_failures;
      const struct tg_allocator allocator = {resize_sometimes, &num_left};
      struct lir_module module;
      bool changed = false;

      listing_parse(&module, licm_rows[0].before);
      const struct tg_allocator *usual = module.arena.allocator;
      module.arena.allocator = &allocator;
      result = lir_pass_licm(&module, &changed);
      module.arena.allocator = usual;
      assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
      assert_int_equal(changed, result == TG_OK);
      listing_check(&module,
                    changed ? licm_rows[0].after : licm_rows[0].before);
      num_failures += result == TG_ERROR_MEMORY;
      lir_module_finish(&module);
   }
   assert_true(num_failures > 0);
}

/* ---- uniformity ---------------------------------------------------------- */

/* Only `is_uniform` changes, and that is in the listing. */
static void
check_uniformity(const char *listing)
{
   struct lir_module module;
   bool changed = false;

   listing_parse(&module, listing);
   assert_null(lir_verify(&module));
   assert_int_equal(lir_pass_uniformity(&module, &changed), TG_OK);
   assert_false(changed);
   listing_check(&module, listing);
   lir_module_finish(&module);
}

#define UMAIN "function 0 main {\n%0 = uniform const32 0\n"
#define ULANE "%1 = lane\n%2 = i2b %1\n"

static void
test_uniformity(void **state)
{
   (void)state;
   /* values */
   check_uniformity(UMAIN "%1 = lane\n%2 = uniform ineg %0\n%3 = iadd %1, %2\n"
                          "%4 = uniform load32 const[0], %2\n"
                          "%5 = load32 const[0], %3\n"
                          "%6 = load32 input[0], %2\n"
                          "%7 = uniform read_first %1\n"
                          "%8 = uniform clock\n%9 = live\n}");
   /* variables: written by all lanes; by some; in a called function */
   check_uniformity(X UMAIN "setvar32 $0, %0\n%1 = uniform getvar32 $0\n}");
   check_uniformity(X UMAIN ULANE "setvar32 $0, %1\n%3 = getvar32 $0\n}");
   check_uniformity(X UMAIN ULANE
                    "if %2\nsetvar32 $0, %0\nend\n%3 = getvar32 $0\n}");
   check_uniformity(X UMAIN
                    "%1 = uniform load32 const[0], %0\n%2 = uniform i2b %1\n"
                    "if %2\nsetvar32 $0, %1\nend\n%3 = uniform getvar32 $0\n}");
   /* A write in all lanes is one, whichever lanes are active. */
   check_uniformity(X UMAIN ULANE "if %2\nputvar32 $0, %0\nend\n"
                                  "%3 = uniform getvar32 $0\n}");
   check_uniformity(X UMAIN ULANE "if %2\nputvar32 $0, %1\nend\n"
                                  "%3 = getvar32 $0\n}");
   check_uniformity(X UMAIN "call 1\n%1 = getvar32 $0\n}\n"
                            "function 1 called {\n%0 = uniform const32 0\n"
                            "setvar32 $0, %0\n}");
   /* behind a br that some lanes took, until the end of what they left */
   check_uniformity(X UMAIN ULANE "block\nif %2\nbr 1\nend\nsetvar32 $0, %0\n"
                                  "end\n%3 = getvar32 $0\n}");
   check_uniformity(X UMAIN ULANE "block\nif %2\nbr 1\nend\nend\n"
                                  "setvar32 $0, %0\n"
                                  "%3 = uniform getvar32 $0\n}");
   /* a counter of a loop that all lanes leave at once; that some leave */
   check_uniformity(X UMAIN
                    "%1 = uniform const32 9\nuniform loop\n"
                    "%2 = uniform getvar32 $0\n"
                    "%3 = uniform iadd %2, %1\nsetvar32 $0, %3\n"
                    "%4 = uniform ult %3, %1\nif %4\nbr 1\nend\nend\n}");
   check_uniformity(X UMAIN "%1 = uniform const32 9\nloop\n%2 = getvar32 $0\n"
                            "%3 = iadd %2, %1\nsetvar32 $0, %3\n"
                            "%4 = lane\n%5 = i2b %4\nif %5\nbr 1\nend\nend\n}");
   /* of two loops the outer one, which is left from inside of the inner one;
    * the inner one alone; in a function that others call */
   check_uniformity(UMAIN ULANE "loop\nloop\nif %2\nbr 1\nend\nend\nend\n}");
   check_uniformity(UMAIN ULANE
                    "uniform loop\nloop\nif %2\nbr 2\nend\nend\nend\n}");
   check_uniformity(UMAIN "call 1\nuniform loop\nbr 1\nend\n}\n"
                          "function 1 called {\n%0 = uniform const32 0\n"
                          "%1 = lane\n%2 = i2b %1\n"
                          "uniform loop\nbr 1\nend\n"
                          "loop\nif %2\nbr 0\nend\nend\n}");
}

/* ---- the pipeline -------------------------------------------------------- */

static const char program[] =
   XY MAIN "%1 = lane\nsetvar32 $0, %1\n%2 = getvar32 $0\n%3 = iadd %0, %2\n"
           "setvar32 $1, %3\n%4 = getvar32 $1\n%5 = ieq %0, %0\nif %5\n"
           "trace 0, %4\nend\n}";

static void
test_pipeline(void **state)
{
   const struct lir_pass_options options = {.verify_each = true};
   struct lir_module module;

   (void)state;
   listing_parse(&module, program);
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   listing_check(&module, UMAIN "%1 = lane\ntrace 0, %1\n}");
   lir_module_finish(&module);
}

static void
test_options(void **state)
{
   struct lir_pass_options options = {.disable = true};
   struct lir_module module;

   (void)state;
   listing_parse(&module, X MAIN "%1 = lane\n%2 = lane\ntrace 0, %1\n}");
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   listing_check(&module, X UMAIN "%1 = lane\n%2 = lane\ntrace 0, %1\n}");
   options = (struct lir_pass_options){.skip = "dce"};
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   listing_check(&module, X UMAIN "%1 = lane\ntrace 0, %1\n}");
   options = (struct lir_pass_options){.only = "dce"};
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   listing_check(&module, UMAIN "%1 = lane\ntrace 0, %1\n}");
   lir_module_finish(&module);
}

static void
test_print_after(void **state)
{
   char *text = NULL;
   size_t length;
   FILE *file = open_memstream(&text, &length);
   const struct lir_pass_options options = {.print_after = file,
                                            .only = "fold"};
   struct lir_module module;

   (void)state;
   assert_non_null(file);
   listing_parse(&module, MAIN "%1 = ineg %0\n}");
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   lir_module_finish(&module);
   fclose(file);
   /* Once for the change, and once more until nothing changes. */
   assert_string_equal(text, "; after fold\nfunction 0 main {\n"
                             "   %0 = const32 0x0\n   %1 = const32 0x0\n}\n"
                             "; after fold\nfunction 0 main {\n"
                             "   %0 = const32 0x0\n   %1 = const32 0x0\n}\n");
   free(text);
}

/* Of one pass alone. */
static void
test_print_after_one(void **state)
{
   char *text = NULL;
   size_t length;
   FILE *file = open_memstream(&text, &length);
   const struct lir_pass_options options = {.print_after = file,
                                            .after = "uniformity"};
   struct lir_module module;

   (void)state;
   assert_non_null(file);
   listing_parse(&module, MAIN "%1 = ineg %0\n}");
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   lir_module_finish(&module);
   fclose(file);
   assert_string_equal(text, "; after uniformity\nfunction 0 main {\n"
                             "   %0 = uniform const32 0x0\n}\n");
   free(text);
}

/* A module that is wrong is found after a pass, which is named. */
static void
test_verify_each(void **state)
{
   struct lir_pass_fault fault = {0};
   struct lir_pass_options options = {.only = "copy", .fault_out = &fault};
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN "%1 = lane\n%2 = ineg %1\ntrace 0, %2\n}");
   module.functions[0].insts[2].operand[0].index = 3; /* not yet computed */
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   options.verify_each = true;
   assert_int_equal(lir_optimize(&module, &options), TG_ERROR_UNSUPPORTED);
   assert_string_equal(fault.pass, "copy");
   assert_non_null(strstr(fault.what, "%2 (ineg)"));
   lir_module_finish(&module);
}

/* ---- loads --------------------------------------------------------------- */

static void
loads_are_found(void **state)
{
   static const struct {
      const char *listing;
      bool is_all;
      bool word[4];
   } rows[] = {
      {MAIN "%1 = const32 2\n%2 = load32 sysval[0], %1\n"
            "%3 = load32 input[0], %0\n}\n",
       true,
       {false, false, true, false}},
      {MAIN "%1 = load32 sysval[0], %0\n%2 = const32 4\n"
            "%3 = load32 sysval[0], %2\n}\n",
       false,
       {true, false, false, false}},
      {MAIN "%1 = load32 sysval[0], %0\n%2 = load32 sysval[0], %1\n}\n",
       false,
       {true, false, false, false}},
      {MAIN "call 1\n" CALLED "%1 = const32 3\n%2 = load32 sysval[0], %1\n}\n",
       true,
       {false, false, false, true}},
   };
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      struct lir_module module;
      bool word[4] = {false};
      listing_parse(&module, rows[i].listing);
      assert_null(lir_verify(&module));
      assert_int_equal(lir_find_loads(&module, LIR_SPACE_SYSVAL, word, 4),
                       rows[i].is_all);
      assert_memory_equal(word, rows[i].word, sizeof(word));
      lir_module_finish(&module);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inline),
      cmocka_unit_test(test_inline_depth),
      cmocka_unit_test(test_inline_sizes),
      cmocka_unit_test(test_signatures),
      cmocka_unit_test(test_signatures_without_memory),
      cmocka_unit_test(test_fold),
      cmocka_unit_test(test_copy),
      cmocka_unit_test(test_cse),
      cmocka_unit_test(test_vrp),
      cmocka_unit_test(test_dead_store),
      cmocka_unit_test(test_flow),
      cmocka_unit_test(test_dce),
      cmocka_unit_test(test_licm),
      cmocka_unit_test(test_slow_operations),
      cmocka_unit_test(test_licm_without_memory),
      cmocka_unit_test(test_uniformity),
      cmocka_unit_test(test_pipeline),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_print_after),
      cmocka_unit_test(test_print_after_one),
      cmocka_unit_test(test_verify_each),
      cmocka_unit_test(loads_are_found),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
