/* SPDX-License-Identifier: MIT
 *
 * Kernels: how they are compiled, found again, dropped, and compiled better
 * while waves run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/kernel.h"
#include "harness.h"

/* Its kernel gives `factor` times the lane's number, in rounds of a loop. */
struct key {
   uint32_t shader;
   uint32_t factor;
};

static const struct tg_member members[] = {
   TG_NUMBER(key, shader),
   TG_NUMBER(key, factor),
   {0},
};

static enum tg_result
write_kernel(void *user, const void *key_bytes, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct key *key = key_bytes;
   struct lir_builder b;

   (void)user;
   (void)diagnostics;
   if (lir_module_add_function(module, "main") == UINT32_MAX)
      return TG_ERROR_MEMORY;
   lir_builder_init(&b, module, 0);
   const uint32_t sum = lir_module_add_var(module, LIR_TYPE_B32, "sum");
   const uint32_t round = lir_module_add_var(module, LIR_TYPE_B32, "round");
   const uint32_t level = lir_begin_loop(&b);
   const lir_value number = lir_getvar(&b, round);
   const lir_value factor = lir_const32(&b, key->factor);
   const lir_value is_over = lir_uge(&b, number, factor);
   lir_begin_if(&b, is_over);
   lir_br(&b, level);
   lir_end(&b);
   const lir_value old = lir_getvar(&b, sum);
   const lir_value lane = lir_lane(&b);
   const lir_value more = lir_iadd(&b, old, lane);
   lir_setvar(&b, sum, more);
   const lir_value one = lir_const32(&b, 1);
   const lir_value next = lir_iadd(&b, number, one);
   lir_setvar(&b, round, next);
   lir_end(&b);
   const lir_value value = lir_getvar(&b, sum);
   const lir_value at = lir_const32(&b, 0);
   lir_store32(&b, LIR_SPACE_OUTPUT, 0, at, value);
   return b.failed ? TG_ERROR_MEMORY : TG_OK;
}

static struct exec_source
source_of(const struct key *key)
{
   return (struct exec_source){
      .kind = "TEST",
      .key = key,
      .key_size = sizeof(*key),
      .members = members,
      .write = write_kernel,
   };
}

static struct exec_compiler
compiler_of(const struct tg_allocator *allocator, const char *executor)
{
   return (struct exec_compiler){
      .allocator = allocator,
      .executor = exec_find_executor(executor),
   };
}

static void
make_cache(struct exec_cache *cache)
{
   assert_int_equal(exec_cache_init(cache, tg_default_allocator()), TG_OK);
}

static const struct exec_kernel *
get(struct exec_cache *cache, uint32_t shader, uint32_t factor, bool is_new)
{
   const struct exec_compiler compiler = compiler_of(cache->allocator, NULL);
   const struct key key = {shader, factor};
   const struct exec_source source = source_of(&key);
   const struct exec_kernel *kernel;
   bool was_new;

   assert_int_equal(
      exec_cache_get(cache, &compiler, &source, NULL, &kernel, &was_new),
      TG_OK);
   assert_int_equal(was_new, is_new);
   return kernel;
}

/* Runs a wave slice by slice; whether each lane has what it should. */
static bool
run_code(const struct exec_code *code, uint32_t factor)
{
   uint32_t output[1][LIR_LANES] = {{0}};
   struct exec_fault fault;
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .loop_budget = 1000,
      .slice = 16,
      .output = {output, 1},
   };
   void *scratch = make_scratch(code->executor, code->program);
   enum tg_result result =
      code->executor->run(code->program, &wave, scratch, &fault);
   bool is_right = true;

   while (result == TG_OK && wave.is_paused)
      result = code->executor->resume(code->program, &wave, scratch, &fault);
   free(scratch);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      is_right &= output[0][i] == i * factor;
   return result == TG_OK && is_right;
}

/* ---- the cache ----------------------------------------------------------- */

static void
test_cache(void **state)
{
   struct exec_cache cache;

   (void)state;
   make_cache(&cache);
   /* More than the first table has room for. */
   for (uint32_t i = 0; i < 200; i++)
      assert_true(run_code(exec_kernel_code(get(&cache, i % 2, i, true)), i));
   const struct exec_kernel *one = get(&cache, 1, 7, false);
   assert_true(run_code(exec_kernel_code(one), 7));
   exec_cache_drop(&cache, &(uint32_t){0}, sizeof(uint32_t));
   assert_ptr_equal(get(&cache, 1, 7, false), one);
   get(&cache, 0, 8, true);
   exec_cache_finish(&cache);
}

/* ---- tiers --------------------------------------------------------------- */

/* A kernel runs while it is compiled in the background, and gives the same. */
static void
test_tiers(void **state)
{
   const struct key key = {3, 50};
   const struct exec_compiler compiler =
      compiler_of(tg_default_allocator(), "auto");
   const struct exec_source source = source_of(&key);
   struct exec_code *code;

   (void)state;
   if (!compiler.executor)
      skip();
   assert_int_equal(exec_compile(&compiler, &source, NULL, &code), TG_OK);
   for (unsigned i = 0; i < 6000; i++)
      assert_true(run_code(code, key.factor));
   exec_code_destroy(compiler.allocator, code);
}

/* ---- text ---------------------------------------------------------------- */

struct heard {
   unsigned count;
   char kind[8];
   char text[2048];
};

static void
hear(void *user, const char *kind, const char *text)
{
   struct heard *heard = user;

   heard->count++;
   strncpy(heard->kind, kind, sizeof(heard->kind) - 1);
   strncpy(heard->text, text, sizeof(heard->text) - 1);
}

static void
test_text(void **state)
{
   const struct key key = {0, 2};
   struct exec_compiler compiler = compiler_of(tg_default_allocator(), NULL);
   const struct exec_source source = source_of(&key);
   struct heard heard = {0};
   struct exec_code *code;

   (void)state;
   compiler.print = hear;
   compiler.print_user = &heard;
   assert_int_equal(exec_compile(&compiler, &source, NULL, &code), TG_OK);
   exec_code_destroy(compiler.allocator, code);
   assert_int_equal(heard.count, 1);
   assert_string_equal(heard.kind, "TEST");
   const char *const start = "; kernel: TEST\n; key:\n;   factor 2\n"
                             "; counts:\n;   ";
   assert_memory_equal(heard.text, start, strlen(start));
   assert_non_null(strstr(heard.text, ";   1 lane\n"));
   assert_non_null(strstr(heard.text, "\nfunction 0 main {\n"));
}

/* ---- errors -------------------------------------------------------------- */

/* A br to a level that there is not. */
static enum tg_result
write_wrongly(void *user, const void *key, struct lir_module *module,
              struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = write_kernel(user, key, module, diagnostics);
   struct lir_function *function = &module->functions[0];

   for (uint32_t i = 0; result == TG_OK && i < function->num_insts; i++) {
      if (function->insts[i].op == LIR_OP_br)
         function->insts[i].imm = 9;
   }
   return result;
}

static void
test_wrong_module(void **state)
{
   const struct key key = {0, 2};
   const struct exec_compiler compiler =
      compiler_of(tg_default_allocator(), NULL);
   struct exec_source source = source_of(&key);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct exec_code *code;

   (void)state;
   source.write = write_wrongly;
   assert_int_equal(exec_compile(&compiler, &source, diagnostics, &code),
                    TG_ERROR_UNSUPPORTED);
   char *text = tg_diagnostics_text(diagnostics);
   assert_non_null(strstr(text, "lowered wrongly: function main, %"));
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

struct quota {
   unsigned left;
   size_t held;
};

static void *
resize_with_quota(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct quota *quota = user;
   const struct tg_allocator *allocator = tg_default_allocator();

   if (new_size > 0 && quota->left-- == 0) {
      quota->left = 0;
      return NULL;
   }
   quota->held += new_size - old_size;
   return allocator->resize(allocator->user, ptr, old_size, new_size);
}

/* Wherever memory runs out, nothing is left behind. */
static void
test_out_of_memory(void **state)
{
   struct quota quota = {0};
   const struct tg_allocator allocator = {resize_with_quota, &quota};
   struct heard heard = {0};
   struct exec_compiler compiler = compiler_of(&allocator, NULL);
   const struct key key = {1, 2};
   const struct exec_source source = source_of(&key);
   enum tg_result result = TG_ERROR_MEMORY;

   (void)state;
   compiler.print = hear;
   compiler.print_user = &heard;
   for (unsigned limit = 0; result != TG_OK; limit++) {
      const struct exec_kernel *kernel;
      struct exec_cache cache;

      assert_true(limit < 200);
      quota.left = limit;
      assert_int_equal(exec_cache_init(&cache, &allocator), TG_OK);
      result = exec_cache_get(&cache, &compiler, &source, NULL, &kernel, NULL);
      if (result != TG_OK) {
         assert_int_equal(result, TG_ERROR_MEMORY);
         assert_null(kernel);
      }
      exec_cache_finish(&cache);
      assert_int_equal(quota.held, 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cache),         cmocka_unit_test(test_tiers),
      cmocka_unit_test(test_text),          cmocka_unit_test(test_wrong_module),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests_name("exec: kernel", tests, NULL, NULL);
}
