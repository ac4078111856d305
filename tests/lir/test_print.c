/* SPDX-License-Identifier: MIT
 *
 * The printer: a listing to the letter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "listing.h"

static const char listing[] = "var $0 b32 TEMP[0].x\n"
                              "var $1 b1 cond\n"
                              "var $2 b64 wide\n"
                              "array 0 64 TEMP\n"
                              "size const[2] 17\n"
                              "size const[0] 4096\n"
                              "function 0 main {\n"
                              "   %0 = const32 0x0\n"
                              "   origin 3\n"
                              "   %1 = const32 0x3f800000 ; 1\n"
                              "   %2 = const32 0xff800000 ; -inf\n"
                              "   %3 = const32 0x10\n"
                              "   %4 = const64 0xbfe0000000000000 ; -0.5\n"
                              "   %5 = getvar32 $0 ; TEMP[0].x\n"
                              "   %6 = fadd %1, %5\n"
                              "   setvar32 $0, %6 ; TEMP[0].x\n"
                              "   origin 4\n"
                              "   %8 = flt %5, %6\n"
                              "   setvar1 $1, %8 ; cond\n"
                              "   setvar64 $2, %4 ; wide\n"
                              "   if %8\n"
                              "      origin 5\n"
                              "      %12 = load32 const[2], %3\n"
                              "      loop\n"
                              "         br 2\n"
                              "      end\n"
                              "   else\n"
                              "      store32 output[0], %0, %6\n"
                              "      %18 = load32 array[0], %0 ; TEMP\n"
                              "   end\n"
                              "   origin none\n"
                              "   call 1 ; helper\n"
                              "   trace 7, %6\n"
                              "   kill %8\n"
                              "}\n"
                              "function 1 helper {\n"
                              "   %0 = uniform const32 0x0\n"
                              "   %1 = uniform ineg %0\n"
                              "   %2 = lane\n"
                              "   %3 = const32 0x1\n"
                              "   %4 = iadd %2, %3\n"
                              "   %5 = run 2 load32 const[0], %2\n"
                              "   %6 = load32 const[0], %4\n"
                              "}\n";

static void
test_listing(void **state)
{
   struct lir_module module;

   (void)state;
   lir_module_init(&module, NULL);
   uint32_t x = lir_module_add_var(&module, LIR_TYPE_B32, "TEMP[0].x");
   uint32_t cond = lir_module_add_var(&module, LIR_TYPE_B1, "cond");
   uint32_t wide = lir_module_add_var(&module, LIR_TYPE_B64, "wide");
   uint32_t array = lir_module_add_array(&module, 64, "TEMP");
   assert_true(lir_module_declare_size(&module, 2, 17));
   assert_true(lir_module_declare_size(&module, 0, LIR_MAX_SIZE_WORDS));

   struct lir_builder b;
   lir_builder_init(&b, &module, lir_module_add_function(&module, "main"));
   uint32_t helper = lir_module_add_function(&module, "helper");
   b.origin = 3;
   lir_value one = lir_constf(&b, 1.0f);
   lir_const32(&b, 0xff800000);
   lir_value sixteen = lir_const32(&b, 16);
   lir_value half = lir_constd(&b, -0.5);
   lir_value temp = lir_getvar(&b, x);
   lir_value sum = lir_fadd(&b, one, temp);
   lir_setvar(&b, x, sum);
   b.origin = 4;
   lir_value less = lir_flt(&b, temp, sum);
   lir_setvar(&b, cond, less);
   lir_setvar(&b, wide, half);
   uint32_t level = lir_begin_if(&b, less);
   assert_int_equal(level, 1);
   b.origin = 5;
   lir_load32(&b, LIR_SPACE_CONST, 2, sixteen);
   level = lir_begin_loop(&b);
   lir_br(&b, level);
   lir_end(&b);
   lir_begin_else(&b);
   lir_store32(&b, LIR_SPACE_OUTPUT, 0, (lir_value){0}, sum);
   lir_load32(&b, LIR_SPACE_ARRAY, array, (lir_value){0});
   lir_end(&b);
   b.origin = LIR_NO_ORIGIN;
   lir_call(&b, helper);
   lir_trace(&b, 7, sum);
   lir_kill(&b, less);
   assert_false(b.failed);

   lir_builder_init(&b, &module, helper);
   lir_ineg(&b, (lir_value){0});
   lir_value lane = lir_lane(&b);
   lir_value next = lir_const32(&b, 1);
   next = lir_iadd(&b, lane, next);
   lir_load32(&b, LIR_SPACE_CONST, 0, lane);
   lir_load32(&b, LIR_SPACE_CONST, 0, next);
   module.functions[helper].insts[5].num_words = 2;
   module.functions[helper].insts[0].is_uniform = true;
   module.functions[helper].insts[1].is_uniform = true;
   assert_null(lir_verify(&module));

   char *text = lir_print(&module);
   assert_string_equal(text, listing);
   tg_string_free(text);
   lir_module_finish(&module);
}

/* The reader that other tests rely on gives back what was printed. */
static void
test_reader(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, listing);
   char *text = lir_print(&module);
   assert_string_equal(text, listing);
   tg_string_free(text);
   lir_module_finish(&module);
}

/* A copy is as the module was, and has all of it. */
static void
test_copy(void **state)
{
   struct lir_module module, copy;

   (void)state;
   listing_parse(&module, listing);
   lir_module_init(&copy, NULL);
   assert_true(lir_module_copy(&module, &copy));
   const uint32_t function = lir_module_add_function(&module, "more");
   assert_int_equal(lir_module_add_var(&module, LIR_TYPE_B32, "more"), 3);
   module.sizes[0].num_words = 1;
   module.functions[0].insts[3].imm = 0;
   lir_module_finish(&module);
   assert_null(lir_verify(&copy));
   char *text = lir_print(&copy);
   assert_string_equal(text, listing);
   tg_string_free(text);
   assert_int_equal(lir_module_add_function(&copy, "own"), function);
   assert_true(lir_module_declare_size(&copy, 3, 5));
   assert_int_equal(copy.num_sizes, 3);
   lir_module_finish(&copy);
}

/* What debuggers say of it is the copy's own, too. */
static void
test_copy_of_symbols(void **state)
{
   static const uint32_t lines[] = {7, 0, 9};
   char name[] = "FRAG shader 7", file[] = "shader 7";
   struct lir_module module, copy;

   (void)state;
   listing_parse(&module, listing);
   module.symbols = (struct lir_symbols){name, file, lines, 3};
   lir_module_init(&copy, NULL);
   assert_true(lir_module_copy(&module, &copy));
   memset(name, 'x', 4);
   memset(file, 'x', 4);
   assert_string_equal(copy.symbols.name, "FRAG shader 7");
   assert_string_equal(copy.symbols.file, "shader 7");
   assert_int_equal(copy.symbols.num_lines, 3);
   assert_ptr_not_equal(copy.symbols.lines, lines);
   assert_memory_equal(copy.symbols.lines, lines, sizeof(lines));
   lir_module_finish(&copy);
   lir_module_finish(&module);
}

/* An allocator that fails once, after so many allocations. */
static void *
resize_but_once(void *num_left, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *usual = tg_default_allocator();
   uint32_t *left = num_left;

   if (new_size > 0 && (*left)-- == 0)
      return NULL;
   return usual->resize(usual->user, ptr, old_size, new_size);
}

/* A copy is whole or fails. */
static void
test_copy_without_memory(void **state)
{
   struct lir_module module;
   bool is_copied = false;
   uint32_t num_allocations = 0;

   (void)state;
   listing_parse(&module, listing);
   while (module.num_sizes < LIR_MAX_SIZES)
      assert_true(lir_module_declare_size(&module, module.num_sizes + 1, 3));
   char *expected = lir_print(&module);
   for (; !is_copied; num_allocations++) {
      uint32_t left = num_allocations;
      const struct tg_allocator allocator = {resize_but_once, &left};
      struct lir_module copy;

      lir_module_init(&copy, &allocator);
      is_copied = lir_module_copy(&module, &copy);
      if (is_copied) {
         left = UINT32_MAX;
         char *text = lir_print(&copy);

         assert_string_equal(text, expected);
         tg_string_free(text);
      }
      lir_module_finish(&copy);
   }
   assert_true(num_allocations > 2);
   tg_string_free(expected);
   lir_module_finish(&module);
}

/* The largest of several declarations holds, and there are so many. */
static void
test_sizes(void **state)
{
   struct lir_module module;

   (void)state;
   lir_module_init(&module, NULL);
   assert_int_equal(lir_module_declared_words(&module, 0), 0);
   for (uint32_t i = LIR_MAX_SIZES; i > 0; i--)
      assert_true(lir_module_declare_size(&module, i, 2 * i));
   assert_false(lir_module_declare_size(&module, 0, 1));
   assert_true(lir_module_declare_size(&module, 3, 5));
   assert_true(lir_module_declare_size(&module, 4, 9));
   assert_int_equal(module.num_sizes, LIR_MAX_SIZES);
   assert_int_equal(lir_module_declared_words(&module, 0), 0);
   assert_int_equal(lir_module_declared_words(&module, 3), 6);
   assert_int_equal(lir_module_declared_words(&module, 4), 9);
   assert_int_equal(lir_module_declared_words(&module, 5), 10);
   lir_module_finish(&module);
}

static void
test_counts(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module, "function 0 main {\n%0 = const32 0\n%1 = lane\n"
                          "%2 = iadd %1, %1\n%3 = iadd %1, %2\ncall 1\n}\n"
                          "function 1 f {\n%0 = const32 0\n}\n");
   char *text = lir_print_counts(&module, "; ");
   /* Of as many the one that comes first in ops.def. */
   assert_string_equal(text, "; 6 instructions\n; 2 const32\n; 2 iadd\n"
                             "; 1 lane\n; 1 call\n");
   tg_string_free(text);
   lir_module_finish(&module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_listing),
      cmocka_unit_test(test_reader),
      cmocka_unit_test(test_copy),
      cmocka_unit_test(test_copy_of_symbols),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_copy_without_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
