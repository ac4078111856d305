/* SPDX-License-Identifier: MIT
 *
 * Fatal errors of LLVM: a module that it has no instructions for is refused, in
 * any thread, and the process goes on; after some of them all modules are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "exec/jit/target.h"

/* What LLVM had made is lost, which is no leak to look for. */
__attribute__((visibility("default"))) const char *
__asan_default_options(void);

const char *
__asan_default_options(void)
{
   return "detect_leaks=0";
}

enum { MORE_THAN_ENOUGH = 20 };

static const struct jit_set generic = {.cpu = "x86-64", .features = ""};

static LLVMTypeRef
vector_type(LLVMContextRef context)
{
   return llvm.VectorType(llvm.IntTypeInContext(context, 64), 8);
}

/* A function that gives what it takes or, if it can not be selected, that with
 * its lanes exchanged by an instruction of AVX-512. */
static LLVMModuleRef
make_module(LLVMContextRef context, bool is_selectable)
{
   static const char name[] = "llvm.x86.avx512.permvar.di.512";
   const LLVMModuleRef module =
      llvm.ModuleCreateWithNameInContext("test", context);
   const LLVMTypeRef word = llvm.IntTypeInContext(context, 32);
   LLVMTypeRef pointer = llvm.PointerTypeInContext(context, 0);
   const LLVMTypeRef type = llvm.FunctionType(word, &pointer, 1, false);
   const LLVMValueRef function = llvm.AddFunction(module, "f", type);
   const LLVMBuilderRef b = llvm.CreateBuilderInContext(context);
   const LLVMValueRef place = llvm.GetParam(function, 0);

   llvm.PositionBuilderAtEnd(
      b, llvm.AppendBasicBlockInContext(context, function, "entry"));
   LLVMValueRef value = llvm.BuildLoad2(b, vector_type(context), place, "");
   if (!is_selectable) {
      LLVMValueRef both[2] = {value, value};
      const LLVMValueRef exchange = llvm.GetIntrinsicDeclaration(
         module, llvm.LookupIntrinsicID(name, strlen(name)), NULL, 0);

      value = llvm.BuildCall2(b, llvm.GlobalGetValueType(exchange), exchange,
                              both, 2, "");
   }
   llvm.BuildStore(b, value, place);
   llvm.BuildRet(b, llvm.ConstInt(word, 0, false));
   llvm.DisposeBuilder(b);
   return module;
}

/* Is there an object? */
static bool
generate(bool is_selectable, bool *is_lost_out)
{
   const LLVMContextRef context = llvm.ContextCreate();
   const LLVMModuleRef module = make_module(context, is_selectable);
   LLVMMemoryBufferRef object =
      jit_target_generate(&generic, module, is_lost_out);

   if (!*is_lost_out) {
      llvm.DisposeModule(module);
      llvm.ContextDispose(context);
   }
   if (!object)
      return false;
   llvm.DisposeMemoryBuffer(object);
   return true;
}

static void *
generate_what_is_lost(void *user)
{
   bool *is_lost = user;

   generate(false, is_lost);
   return NULL;
}

static void
test_the_process_goes_on(void **state)
{
   pthread_t thread;
   bool is_lost;

   (void)state;
   assert_true(generate(true, &is_lost));
   assert_false(is_lost);
   assert_false(generate(false, &is_lost));
   assert_true(is_lost);
   assert_true(generate(true, &is_lost));
   assert_int_equal(
      pthread_create(&thread, NULL, generate_what_is_lost, &is_lost), 0);
   pthread_join(thread, NULL);
   assert_true(is_lost);
   assert_true(generate(true, &is_lost));
}

static void
test_not_for_ever(void **state)
{
   bool is_lost;

   (void)state;
   for (unsigned i = 0; i < MORE_THAN_ENOUGH; i++)
      assert_false(generate(false, &is_lost));
   assert_false(is_lost); /* it was not tried */
   assert_false(generate(true, &is_lost));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_process_goes_on),
      cmocka_unit_test(test_not_for_ever),
   };

   if (!llvm_load())
      return 77; /* skipped: it was built with LLVM, and runs without */
   return cmocka_run_group_tests_name("jit: fatal", tests, NULL, NULL);
}
