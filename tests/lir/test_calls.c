/* SPDX-License-Identifier: MIT
 *
 * Effects of calls on variables, each worked out by hand from the call graph.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/calls.h"
#include "lir/passes.h"
#include "listing.h"

struct fixture {
   struct lir_module module;
   struct tg_arena arena;
   struct lir_calls calls;
};

static void
begin(struct fixture *f)
{
   assert_null(lir_verify(&f->module));
   tg_arena_init(&f->arena, NULL);
   assert_true(lir_calls_init(&f->calls, &f->arena, &f->module));
}

static void
end(struct fixture *f)
{
   tg_arena_finish(&f->arena);
   lir_module_finish(&f->module);
}

/* The variables, as a string of their digits, of which a mask has the class of
 * a function. */
static const char *
list_variables(const struct fixture *f, uint32_t function,
               const uint64_t *masks)
{
   static char list[16];
   size_t length = 0;

   assert_in_range(f->calls.class_of[function], 0, LIR_CALL_CLASSES - 1);
   for (uint32_t i = 0; i < f->module.num_vars; i++) {
      if (masks[i] >> f->calls.class_of[function] & 1)
         length +=
            (size_t)snprintf(list + length, sizeof(list) - length, "%u", i);
   }
   list[length] = '\0';
   return list;
}

#define VARS                                                                   \
   "var $0 b32 a\nvar $1 b32 b\nvar $2 b32 c\nvar $3 b32 d\nvar $4 b32 e\n"
#define FUNCTION(n, code)                                                      \
   "function " #n " f" #n " {\n%0 = const32 0\n" code "}\n"
#define GET(n) "%1 = getvar32 $" #n "\n"
#define SET(n) "setvar32 $" #n ", %0\n"

static void
test_effects(void **state)
{
   static const struct {
      const char *why;
      const char *listing;
      struct {
         uint32_t function;
         const char *reads, *writes;
      } effects[4]; /* until the function is 0 */
   } rows[] = {
      {"each its own",
       VARS FUNCTION(0, "call 1\ncall 2\n") FUNCTION(1, GET(1) SET(2))
          FUNCTION(2, GET(3) SET(4)),
       {{1, "1", "2"}, {2, "3", "4"}}},
      {"several may have the same effect",
       VARS FUNCTION(0, "call 1\ncall 2\n") FUNCTION(1, GET(1) SET(2))
          FUNCTION(2, GET(1) SET(2)),
       {{1, "1", "2"}, {2, "1", "2"}}},
      {"and those of what it calls, through another function",
       VARS FUNCTION(0, "call 1\ncall 2\ncall 3\n")
          FUNCTION(1, GET(0) "call 2\n") FUNCTION(2, SET(1) "call 3\n")
             FUNCTION(3, GET(2) SET(3)),
       {{1, "02", "13"}, {2, "2", "13"}, {3, "2", "3"}}},
      {"also when a callee comes before its caller",
       VARS FUNCTION(0, "call 3\n") FUNCTION(1, GET(2) SET(3))
          FUNCTION(2, SET(1) "call 1\n") FUNCTION(3, GET(0) "call 2\n"),
       {{1, "2", "3"}, {2, "2", "13"}, {3, "02", "13"}}},
      {"functions that call each other have the same",
       VARS FUNCTION(0, "call 1\n") FUNCTION(1, GET(0) "call 2\n")
          FUNCTION(2, SET(1) "call 3\n") FUNCTION(3, GET(4) "call 1\n"),
       {{1, "04", "1"}, {2, "04", "1"}, {3, "04", "1"}}},
      {"not those of the caller, nor of what nobody calls",
       VARS FUNCTION(0, GET(0) SET(1) "call 1\n") FUNCTION(1, GET(2))
          FUNCTION(2, SET(3)),
       {{1, "2", ""}}},
      {"the first function, when it is called",
       VARS FUNCTION(0, GET(0) "call 1\n") FUNCTION(1, SET(1) "call 0\n"),
       {{1, "0", "1"}}},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct fixture f;

      print_message("%s\n", rows[i].why);
      listing_parse(&f.module, rows[i].listing);
      begin(&f);
      for (size_t k = 0; k < 4 && rows[i].effects[k].function; k++) {
         const uint32_t function = rows[i].effects[k].function;

         assert_string_equal(list_variables(&f, function, f.calls.readers),
                             rows[i].effects[k].reads);
         assert_string_equal(list_variables(&f, function, f.calls.writers),
                             rows[i].effects[k].writes);
      }
      end(&f);
   }
}

static void
test_only_once(void **state)
{
   static const struct {
      const char *listing;
      bool first, second;
   } rows[] = {
      {FUNCTION(0, "call 1\n") FUNCTION(1, ""), true, false},
      {FUNCTION(0, "") FUNCTION(1, ""), true, false},
      {FUNCTION(0, "call 1\n") FUNCTION(1, "call 0\n"), false, false},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct fixture f;

      listing_parse(&f.module, rows[i].listing);
      begin(&f);
      assert_int_equal(lir_calls_only_once(&f.calls, 0), rows[i].first);
      assert_int_equal(lir_calls_only_once(&f.calls, 1), rows[i].second);
      end(&f);
   }
}

/* The first function calls 70 more, and function i sets variable i. The first
 * 63 of them are told apart; what any of the others sets, all of them may. */
static void
test_many_functions(void **state)
{
   enum { NUM_CALLED = 70, NUM_APART = 63 };
   struct lir_builder builder;
   struct fixture f;

   (void)state;
   lir_module_init(&f.module, NULL);
   for (unsigned i = 0; i <= NUM_CALLED; i++) {
      assert_int_equal(lir_module_add_function(&f.module, "f"), i);
      assert_int_equal(lir_module_add_var(&f.module, LIR_TYPE_B32, "v"), i);
   }
   for (uint32_t i = 0; i <= NUM_CALLED; i++) {
      lir_builder_init(&builder, &f.module, i);
      lir_setvar(&builder, i, lir_const32(&builder, i));
      for (uint32_t k = 1; i == 0 && k <= NUM_CALLED; k++)
         lir_call(&builder, k);
      assert_false(builder.failed);
   }
   begin(&f);
   for (uint32_t i = 1; i <= NUM_CALLED; i++) {
      for (uint32_t k = 0; k <= NUM_CALLED; k++) {
         const bool may_set = i == k || (i > NUM_APART && k > NUM_APART);

         assert_int_equal(f.calls.writers[k] >> f.calls.class_of[i] & 1,
                          may_set);
         assert_int_equal(f.calls.readers[k], 0);
      }
   }
   end(&f);
}

/* Calls of functions 1, 2, 1, as instructions 1 to 3 of the first function. */
static void
test_met(void **state)
{
   const uint32_t nowhere = UINT32_MAX;
   struct lir_met_calls met;
   struct fixture f;

   (void)state;
   listing_parse(&f.module, FUNCTION(0, "call 1\ncall 2\ncall 1\n")
                               FUNCTION(1, "") FUNCTION(2, ""));
   begin(&f);
   const struct lir_inst *insts = f.module.functions[0].insts;
   const uint64_t one = 1ull << f.calls.class_of[1];
   const uint64_t two = 1ull << f.calls.class_of[2];

   lir_met_calls_init(&met, 0);
   assert_int_equal(lir_met_calls_last(&met, one | two), 0);
   lir_met_calls_pass(&met, &f.calls, &insts[1], 1);
   lir_met_calls_pass(&met, &f.calls, &insts[2], 2);
   assert_int_equal(lir_met_calls_last(&met, one), 1);
   assert_int_equal(lir_met_calls_last(&met, two), 2);
   assert_int_equal(lir_met_calls_last(&met, one | two), 2);
   lir_met_calls_pass(&met, &f.calls, &insts[3], 3);
   assert_int_equal(lir_met_calls_last(&met, one | two), 3);
   assert_int_equal(lir_met_calls_last(&met, two), 2);
   assert_int_equal(lir_met_calls_last(&met, 0), 0);

   lir_met_calls_init(&met, nowhere);
   assert_int_equal(lir_met_calls_next(&met, one | two), nowhere);
   lir_met_calls_pass(&met, &f.calls, &insts[3], 3);
   lir_met_calls_pass(&met, &f.calls, &insts[2], 2);
   assert_int_equal(lir_met_calls_next(&met, one), 3);
   assert_int_equal(lir_met_calls_next(&met, two), 2);
   assert_int_equal(lir_met_calls_next(&met, one | two), 2);
   assert_int_equal(lir_met_calls_next(&met, 0), nowhere);
   end(&f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_effects),
      cmocka_unit_test(test_only_once),
      cmocka_unit_test(test_many_functions),
      cmocka_unit_test(test_met),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
