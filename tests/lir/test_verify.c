/* SPDX-License-Identifier: MIT
 *
 * The verifier: one wrong module for each rule, with the words it is refused
 * in, and right ones next to them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "listing.h"

#define MAIN "function 0 main {\n%0 = const32 0\n"
#define CALLED "}\nfunction 1 called"

struct row {
   const char *text;
   const char *error; /* NULL where the module is right */
};

static const struct row rows[] = {
   /* operands */
   {MAIN "%1 = iadd %0, %0\n}", NULL},
   {MAIN "%1 = iadd %0, %2\n%2 = const32 1\n}",
    "function main, %1 (iadd): operand is not defined before"},
   {MAIN "%1 = ladd %0, %0\n}",
    "function main, %1 (ladd): operand has the wrong type"},
   {MAIN "%1 = const1 1\n%2 = iadd %0, %1\n}",
    "function main, %2 (iadd): operand has the wrong type"},

   /* visibility */
   {MAIN "block\n%1 = const32 1\n%2 = ineg %1\nend\n}", NULL},
   {MAIN "%1 = const32 1\nblock\nblock\n%2 = ineg %1\nend\nend\n}", NULL},
   {MAIN "block\n%1 = const32 1\nend\n%2 = ineg %1\n}",
    "function main, %4 (ineg): operand is in a scope that was closed"},
   {MAIN "block\n%1 = const32 1\nend\nblock\n%2 = ineg %1\nend\n}",
    "function main, %5 (ineg): operand is in a scope that was closed"},
   {MAIN "%1 = i2b %0\nif %1\n%2 = const32 1\nelse\n%3 = ineg %2\nend\n}",
    "function main, %5 (ineg): operand is in a scope that was closed"},
   {MAIN "%1 = i2b %0\nif %1\nelse\n%2 = const32 1\nend\n%3 = ineg %2\n}",
    "function main, %6 (ineg): operand is in a scope that was closed"},
   {MAIN "loop\n%1 = const32 1\nblock\n%2 = ineg %1\nend\nbr 1\nend\n}", NULL},

   /* constants */
   {MAIN "%1 = const1 1\n}", NULL},
   {MAIN "%1 = const1 2\n}",
    "function main, %1 (const1): constant is no truth value"},
   {MAIN "%1 = const32 0xffffffff\n}", NULL},
   {MAIN "%1 = const32 0x100000000\n}",
    "function main, %1 (const32): constant has more than 32 bits"},

   /* variables */
   {"var $0 b64 v\n" MAIN "%1 = getvar64 $0\nsetvar64 $0, %1\n}", NULL},
   {"var $0 b64 v\n" MAIN "%1 = getvar64 $1\n}",
    "function main, %1 (getvar64): no such variable"},
   {"var $0 b64 v\n" MAIN "%1 = getvar32 $0\n}",
    "function main, %1 (getvar32): variable has another type"},
   {"var $0 b64 v\n" MAIN "setvar32 $0, %0\n}",
    "function main, %1 (setvar32): variable has another type"},

   /* memory */
   {"array 0 4 a\n" MAIN "%1 = load32 array[0], %0\n}", NULL},
   {"array 0 4 a\n" MAIN "%1 = load32 array[1], %0\n}",
    "function main, %1 (load32): no such array"},
   {MAIN "%1 = load32 const[7], %0\n}", NULL},
   {MAIN "%1 = load32 input[0], %0\n}", NULL},
   {MAIN "%1 = load32 input[1], %0\n}",
    "function main, %1 (load32): this space has one binding, 0"},
   {"array 0 4 a\n" MAIN "%1 = atomic_add array[0], %0, %0\n}", NULL},
   {MAIN "%1 = atomic_add shared[0], %0, %0\n}", NULL},
   {MAIN "%1 = atomic_add output[0], %0, %0\n}",
    "function main, %1 (atomic_add): each lane has this space for itself"},
   {"array 0 4 a\n" MAIN "%1 = load8 array[0], %0\n}",
    "function main, %1 (load8): each lane has this space for itself"},
   {"array 0 4 a\n" MAIN "%1 = memsize array[0]\n}",
    "function main, %1 (memsize): each lane has this space for itself"},
   {MAIN "%1 = atomic_add const[0], %0, %0\n}",
    "function main, %1 (atomic_add): space is read-only"},
   {MAIN "store32 output[0], %0, %0\nstore32 buffer[1], %0, %0\n}", NULL},
   {MAIN "store32 surface[1], %0, %0\n}", NULL},
   {MAIN "store32 const[0], %0, %0\n}",
    "function main, %1 (store32): space is read-only"},
   {MAIN "store32 texture[0], %0, %0\n}",
    "function main, %1 (store32): space is read-only"},
   {MAIN "store32 input[0], %0, %0\n}",
    "function main, %1 (store32): space is read-only"},
   {MAIN "store32 sysval[0], %0, %0\n}",
    "function main, %1 (store32): space is read-only"},
   {"array 0 0x100000 a\n" MAIN "}", NULL},
   {"array 0 0x100000 a\narray 1 1 b\n" MAIN "}",
    "arrays of 1048577 words; a module has at most 1048576"},

   /* declared sizes */
   {"size const[7] 1\nsize const[0xffffffff] 0x1000\n" MAIN "}", NULL},
   {"size const[7] 0\n" MAIN "}",
    "size of const[7]: 0 words; declared are 1 to 4096"},
   {"size const[7] 0x1001\n" MAIN "}",
    "size of const[7]: 4097 words; declared are 1 to 4096"},
   {"size const[7] 3\nsize const[8] 3\nsize const[7] 3\n" MAIN "}",
    "size of const[7]: declared twice"},

   /* control */
   {MAIN "br 0\n}", NULL},
   {MAIN "block\nbr 1\nend\n}", NULL},
   {MAIN "br 1\n}", "function main, %1 (br): no construct at this level"},
   {MAIN "block\nend\nbr 1\n}",
    "function main, %3 (br): no construct at this level"},
   {MAIN "call 0\n}", NULL},
   {MAIN "call 1\n}", "function main, %1 (call): no such function"},
   {MAIN "trace 0xffffffffffffffff, %0\n}", NULL},
   {MAIN "end\n}", "function main, %1 (end): nothing to close"},
   {MAIN "else\n}", "function main, %1 (else): nothing to close"},
   {MAIN "block\nelse\nend\n}",
    "function main, %2 (else): the innermost construct is no if without else"},
   {MAIN "loop\nelse\nend\n}",
    "function main, %2 (else): the innermost construct is no if without else"},
   {MAIN "%1 = i2b %0\nif %1\nelse\nelse\nend\n}",
    "function main, %4 (else): the innermost construct is no if without else"},
   {MAIN "block\n}", "function main: a construct is not closed"},

   /* parameters and results */
   {MAIN "%1 = lane\narg32 0, %1\narg32 1, %0\ncall 1\n%5 = result32 0\n"
         "%6 = result32 1\ntrace 0, %6\n" CALLED " params 2 results 2 {\n"
         "%0 = const32 0\n%1 = param32 0\n%2 = param32 1\nsetresult32 1, %1\n"
         "setresult32 0, %2\nsetresult32 1, %2\n}",
    NULL},
   {MAIN "arg32 0, %0\narg32 1, %0\ncall 1\n%4 = result32 1\n" CALLED
         " params 2 results 2 {\n%0 = const32 0\n%1 = param32 1\n}",
    NULL},
   {"function 0 main params 1 {\n%0 = const32 0\n}",
    "the first function has parameters or results"},
   {"function 0 main results 1 {\n%0 = const32 0\n}",
    "the first function has parameters or results"},
   {MAIN CALLED " params 64 results 64 {\n%0 = const32 0\n}", NULL},
   {MAIN CALLED " params 65 {\n%0 = const32 0\n}",
    "function called: 65 parameters and 0 results; there are at most 64 of "
    "each"},
   {MAIN CALLED " results 65 {\n%0 = const32 0\n}",
    "function called: 0 parameters and 65 results; there are at most 64 of "
    "each"},
   {MAIN "call 1\n" CALLED " params 1 {\n%0 = const32 0\n}",
    "function main, %1 (call): 0 arguments for 1 parameters"},
   {MAIN "arg32 0, %0\narg32 1, %0\ncall 1\n" CALLED
         " params 1 {\n%0 = const32 0\n}",
    "function main, %3 (call): 2 arguments for 1 parameters"},
   {MAIN "arg32 1, %0\ncall 1\n" CALLED " params 1 {\n%0 = const32 0\n}",
    "function main, %1 (arg32): arguments come in their order"},
   {MAIN "arg32 0, %0\narg32 0, %0\ncall 1\n" CALLED
         " params 2 {\n%0 = const32 0\n}",
    "function main, %2 (arg32): arguments come in their order"},
   {MAIN "arg32 0, %0\n%2 = lane\ncall 1\n" CALLED
         " params 1 {\n%0 = const32 0\n}",
    "function main, %2 (lane): comes between arguments and their call"},
   {MAIN "arg32 0, %0\n" CALLED " params 1 {\n%0 = const32 0\n}",
    "function main: ends with arguments of no call"},
   {MAIN "arg32 0, %0\ncall 7\n}",
    "function main, %2 (call): no such function"},
   {MAIN "%1 = param32 0\n}", "function main, %1 (param32): no such parameter"},
   {MAIN CALLED " params 1 {\n%0 = const32 0\n%1 = param32 1\n}",
    "function called, %1 (param32): no such parameter"},
   {MAIN CALLED " params 1 {\n%0 = const32 0\n%1 = lane\n%2 = param32 0\n}",
    "function called, %2 (param32): parameters begin a function, in their "
    "order"},
   {MAIN CALLED
    " params 2 {\n%0 = const32 0\n%1 = param32 1\n%2 = param32 0\n}",
    "function called, %2 (param32): parameters begin a function, in their "
    "order"},
   {MAIN CALLED
    " params 2 {\n%0 = const32 0\n%1 = param32 1\n%2 = param32 1\n}",
    "function called, %2 (param32): parameters begin a function, in their "
    "order"},
   {MAIN "setresult32 0, %0\n}",
    "function main, %1 (setresult32): no such result"},
   {MAIN CALLED " results 1 {\n%0 = const32 0\nsetresult32 1, %0\n}",
    "function called, %1 (setresult32): no such result"},
   {MAIN "%1 = result32 0\n}",
    "function main, %1 (result32): results follow a call"},
   {MAIN "call 1\n%2 = lane\n%3 = result32 0\n" CALLED
         " results 1 {\n%0 = const32 0\n}",
    "function main, %3 (result32): results follow a call"},
   {MAIN "call 1\n%2 = result32 1\n" CALLED " results 1 {\n%0 = const32 0\n}",
    "function main, %2 (result32): no such result"},
   {MAIN "call 1\n%2 = result32 1\n%3 = result32 0\n" CALLED
         " results 2 {\n%0 = const32 0\n}",
    "function main, %3 (result32): results come in their order"},
   {MAIN "call 1\n%2 = result32 0\n%3 = result32 0\n" CALLED
         " results 2 {\n%0 = const32 0\n}",
    "function main, %3 (result32): results come in their order"},
   {MAIN "call 1\n" CALLED " results 1 {\n%0 = const32 0\n%1 = result32 0\n}",
    "function called, %1 (result32): results follow a call"},

   /* functions */
   {"", "there is no function"},
   {"function 0 main {\n}", "function main: does not begin with const32 0"},
   {"function 0 main {\n%0 = const32 1\n}",
    "function main: does not begin with const32 0"},
   {MAIN "}\nfunction 1 other {\n%0 = const32 0\nend\n}",
    "function other, %1 (end): nothing to close"},
};

static void
test_rows(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;

      listing_parse(&module, rows[i].text);
      const char *error = lir_verify(&module);
      if (rows[i].error) {
         assert_non_null(error);
         assert_string_equal(error, rows[i].error);
      } else if (error) {
         fail_msg("%s\nrefused: %s", rows[i].text, error);
      }
      lir_module_finish(&module);
   }
}

/* What a listing cannot say. */
static void
test_op_number(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN "br 0\n}");
   module.functions[0].insts[1].op = LIR_NUM_OPS;
   assert_string_equal(lir_verify(&module),
                       "function main, %1: no such operation");
   lir_module_finish(&module);
}

static void
test_superfluous_immediate(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN "%1 = ineg %0\n}");
   module.functions[0].insts[1].imm = 5;
   assert_string_equal(
      lir_verify(&module),
      "function main, %1 (ineg): has an immediate, should have none");
   lir_module_finish(&module);
}

static void
test_memory_space(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN "%1 = load32 const[0], %0\n}");
   module.functions[0].insts[1].imm = (uint64_t)LIR_NUM_SPACES << 32;
   assert_string_equal(lir_verify(&module),
                       "function main, %1 (load32): no such space");
   lir_module_finish(&module);
}

static void
test_variable_type(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, "var $0 b32 v\n" MAIN "}");
   module.vars[0].type = LIR_TYPE_V;
   assert_string_equal(lir_verify(&module), "variable $0 has no type");
   lir_module_finish(&module);
}

/* `levels` blocks in each other. */
static void
build_nest(struct lir_module *module, uint32_t levels)
{
   struct lir_builder builder;

   lir_module_init(module, NULL);
   lir_builder_init(&builder, module, lir_module_add_function(module, "main"));
   for (uint32_t i = 0; i < levels; i++)
      lir_build(&builder, LIR_OP_block, NULL, 0);
   for (uint32_t i = 0; i < levels; i++)
      lir_build(&builder, LIR_OP_end, NULL, 0);
   assert_false(builder.failed);
}

static void
test_levels(void **state)
{
   struct lir_module module;

   (void)state;
   build_nest(&module, LIR_MAX_LEVELS - 1);
   assert_null(lir_verify(&module));
   lir_module_finish(&module);

   build_nest(&module, LIR_MAX_LEVELS);
   assert_string_equal(
      lir_verify(&module),
      "function main, %1024 (block): 1024 constructs in each other; there are "
      "at most 1023");
   lir_module_finish(&module);
}

static void
test_number_of_sizes(void **state)
{
   struct lir_size sizes[LIR_MAX_SIZES + 1];
   struct lir_module module;

   (void)state;
   for (uint32_t i = 0; i <= LIR_MAX_SIZES; i++)
      sizes[i] = (struct lir_size){i, 1};
   listing_parse(&module, MAIN "}");
   module.sizes = sizes;
   module.num_sizes = LIR_MAX_SIZES;
   assert_null(lir_verify(&module));
   module.num_sizes++;
   assert_string_equal(lir_verify(&module),
                       "33 declared sizes; a module has at most 32");
   lir_module_finish(&module);
}

static void
test_counts(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN "}");
   module.num_vars = LIR_MAX_VARS + 1;
   assert_string_equal(lir_verify(&module),
                       "1048577 variables; a module has at most 1048576");
   module.num_vars = 0;
   module.num_functions = LIR_MAX_FUNCTIONS + 1;
   assert_string_equal(lir_verify(&module),
                       "65537 functions; a module has at most 65536");
   module.num_functions = 1;
   module.functions[0].num_insts = LIR_MAX_INSTS + 1;
   assert_string_equal(lir_verify(&module),
                       "function main: 4194305 instructions; there are at most "
                       "4194304");
   lir_module_finish(&module);
}

/* Lowered, a parameter is a variable, and a result a variable and an
 * instruction. */
static void
test_counts_of_slots(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, MAIN CALLED " results 2 {\n%0 = const32 0\n}");
   module.functions[1].num_insts = LIR_MAX_INSTS - 1;
   assert_string_equal(lir_verify(&module),
                       "function called: 4194303 instructions; there are at "
                       "most 4194302");
   lir_module_finish(&module);

   lir_module_init(&module, NULL);
   lir_module_add_function(&module, "main");
   for (uint32_t i = 1; i <= LIR_MAX_VARS / 64; i++) {
      assert_int_equal(lir_module_add_function(&module, "called"), i);
      lir_set_signature(&module, i, 32, 32);
   }
   assert_null(lir_verify(&module));
   lir_module_add_var(&module, LIR_TYPE_B32, "v");
   assert_string_equal(lir_verify(&module),
                       "1048577 variables, parameters and results; a module "
                       "has at most 1048576");
   lir_module_finish(&module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_op_number),
      cmocka_unit_test(test_superfluous_immediate),
      cmocka_unit_test(test_memory_space),
      cmocka_unit_test(test_variable_type),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_number_of_sizes),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_counts_of_slots),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
