/* SPDX-License-Identifier: MIT
 *
 * Code by digests: programs of the same LIR share it; a process that finds it
 * in the code cache generates none, and computes the same; what it is made for
 * and each part of LIR are in the digest; objects are made of bytes, and of
 * hostile ones none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../exec/folder.h"
#include "../exec/harness.h"
#include "exec/store/folder.h"
#include "lir/passes.h"
#include "lir/serialize.h"

/* A program that multiplies the number of each lane. */
struct maker {
   struct exec_build build;
   struct exec_counters counters;
   struct tg_code_cache *cache;
};

static void
open_cache(struct maker *maker, const struct folder *folder)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;

   *maker = (struct maker){.build.counters = &maker->counters};
   options.folder = folder->path;
   assert_int_equal(tg_code_cache_create(NULL, &options, NULL, &maker->cache),
                    TG_OK);
   maker->build.store = exec_cache_store(maker->cache);
}

static void
write_module(struct harness *harness, uint32_t factor)
{
   begin(harness);
   lir_value lane = lir_lane(&harness->b);
   give(harness, 0,
        lir_imul(&harness->b, lane, lir_const32(&harness->b, factor)));
   assert_null(lir_verify(&harness->module));
}

static struct exec_program *
make(struct maker *maker, const char *name, uint32_t factor)
{
   struct harness harness;
   struct exec_program *program;

   write_module(&harness, factor);
   assert_int_equal(exec_find_executor(name)->compile(
                       &maker->build, &harness.module, &program),
                    TG_OK);
   end(&harness);
   return program;
}

static void
run_and_destroy(struct exec_program *program, uint32_t factor)
{
   const struct exec_executor *executor = exec_find_executor("jit");
   struct exec_fault fault;
   struct harness harness;
   void *scratch = make_scratch(executor, program);

   begin(&harness);
   assert_int_equal(executor->run(program, &harness.wave, scratch, &fault),
                    TG_OK);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      assert_int_equal(harness.output[0][i], factor * i);
   free(scratch);
   executor->destroy(program);
   end(&harness);
}

static void
expect_counts(const struct maker *maker, unsigned compiled, unsigned loaded,
              unsigned shared)
{
   assert_int_equal(maker->counters.compiled, compiled);
   assert_int_equal(maker->counters.loaded, loaded);
   assert_int_equal(maker->counters.shared, shared);
}

static void
test_same_code_is_shared(void **state)
{
   struct maker maker = {.build.counters = &maker.counters};

   (void)state;
   struct exec_program *first = make(&maker, "jit", 3);
   struct exec_program *second = make(&maker, "jit", 3);
   struct exec_program *other = make(&maker, "jit", 5);
   expect_counts(&maker, 2, 0, 1);
   run_and_destroy(first, 3);
   run_and_destroy(second, 3);
   run_and_destroy(other, 5);
   run_and_destroy(make(&maker, "jit", 3), 3);
   expect_counts(&maker, 3, 0, 1);
}

static void
test_warm_start(void **state)
{
   static const char *const names[] = {"jit", "auto"};
   const struct folder folder = folder_make();
   struct maker cold, warm;

   (void)state;
   open_cache(&cold, &folder);
   run_and_destroy(make(&cold, "jit", 7), 7);
   run_and_destroy(make(&cold, "jit", 9), 9);
   expect_counts(&cold, 2, 0, 0);
   tg_code_cache_destroy(cold.cache);
   for (unsigned i = 0; i < 2; i++) {
      open_cache(&warm, &folder);
      run_and_destroy(make(&warm, names[i], 7), 7);
      run_and_destroy(make(&warm, names[i], 9), 9);
      expect_counts(&warm, 0, 2, 0);
      tg_code_cache_destroy(warm.cache);
   }
   folder_remove(&folder);
}

/* Code that is damaged in a way that no checksum tells. */
static void
spoil(const char *path, void *user)
{
   FILE *file = fopen(path, "r+b");

   (void)user;
   assert_non_null(file);
   fseek(file, 0, SEEK_END);
   const long size = ftell(file);
   fseek(file, size / 2, SEEK_SET);
   const int byte = fgetc(file);
   fseek(file, size / 2, SEEK_SET);
   fputc(byte ^ 1, file);
   fclose(file);
}

static void
test_damaged_code(void **state)
{
   const struct folder folder = folder_make();
   struct maker maker;

   (void)state;
   open_cache(&maker, &folder);
   run_and_destroy(make(&maker, "jit", 7), 7);
   assert_int_equal(folder_each(&folder, spoil, NULL), 1);
   run_and_destroy(make(&maker, "jit", 7), 7);
   expect_counts(&maker, 2, 0, 0);
   run_and_destroy(make(&maker, "jit", 7), 7);
   expect_counts(&maker, 2, 1, 0);
   tg_code_cache_destroy(maker.cache);
   folder_remove(&folder);
}

/* An entry that is whole but no object: LLVM refuses it. */
static void
test_no_object(void **state)
{
   const struct folder folder = folder_make();
   struct tg_strbuf bytes = {0};
   struct exec_digest digest;
   struct harness harness;
   struct maker maker;

   (void)state;
   open_cache(&maker, &folder);
   write_module(&harness, 7);
   lir_serialize(&harness.module, &bytes);
   exec_find_executor("jit")->digest(bytes.data, bytes.length, &digest);
   maker.build.store->keep(maker.build.store->user, &digest, "no code", 8);
   run_and_destroy(make(&maker, "jit", 7), 7);
   expect_counts(&maker, 1, 0, 0);
   tg_strbuf_finish(&bytes);
   end(&harness);
   tg_code_cache_destroy(maker.cache);
   folder_remove(&folder);
}

/* ---- digests ------------------------------------------------------------- */

static void
test_digests_tell_machines_apart(void **state)
{
   static const char *const names[] = {"jit-baseline", "jit-avx2",
                                       "jit-avx512"};
   static const char bytes[] = "a module";
   struct exec_digest digests[3], again;
   unsigned count = 0;

   (void)state;
   for (unsigned i = 0; i < 3; i++) {
      const struct exec_executor *executor = exec_find_executor(names[i]);

      if (executor)
         executor->digest(bytes, sizeof(bytes), &digests[count++]);
   }
   for (unsigned i = 1; i < count; i++)
      assert_memory_not_equal(&digests[0], &digests[i], sizeof(digests[0]));
   exec_find_executor("jit")->digest(bytes, sizeof(bytes), &digests[0]);
   exec_find_executor("auto")->digest(bytes, sizeof(bytes), &again);
   assert_memory_equal(&digests[0], &again, sizeof(again));
   exec_find_executor("jit")->digest(bytes, sizeof(bytes) - 1, &again);
   assert_memory_not_equal(&digests[0], &again, sizeof(again));
}

/* ---- objects of bytes ---------------------------------------------------- */

/* A store that has nothing, and is told of what is made. */
struct offers {
   unsigned count;
   struct exec_digest digest; /* of the last */
};

static bool
find_nothing(void *user, const struct exec_digest *digest,
             struct exec_object *object_out)
{
   struct offers *offers = user;

   (void)object_out;
   assert_int_equal(offers->count, 0);
   offers->digest = *digest;
   return false;
}

static void
take_offer(void *user, const void *bytes, size_t num_bytes)
{
   struct offers *offers = user;
   struct exec_digest digest;
   struct exec_object object;

   offers->count++;
   exec_find_executor("jit")->digest(bytes, num_bytes, &digest);
   assert_memory_equal(&digest, &offers->digest, sizeof(digest));
   assert_true(
      exec_find_executor("jit")->make_object(bytes, num_bytes, &object));
   free(object.data);
}

/* By bytes that have the digest of what was looked for, and an object. */
static void
test_offered(void **state)
{
   struct offers offers = {0};
   const struct exec_store store = {
      .find = find_nothing,
      .offer = take_offer,
      .user = &offers,
   };
   struct maker maker = {
      .build.store = &store,
      .build.counters = &maker.counters,
   };

   (void)state;
   run_and_destroy(make(&maker, "jit", 7), 7);
   assert_int_equal(offers.count, 1);
   expect_counts(&maker, 1, 0, 0);
}

static void
test_hostile_bytes(void **state)
{
   const struct exec_executor *executor = exec_find_executor("jit");
   struct tg_strbuf bytes = {0};
   struct exec_object object;
   struct harness harness;

   (void)state;
   write_module(&harness, 7);
   lir_serialize(&harness.module, &bytes);
   assert_false(executor->make_object("", 0, &object));
   assert_false(executor->make_object(bytes.data, bytes.length - 1, &object));
   bytes.data[bytes.length - 20] ^= 0x7f; /* an operand, which is nowhere */
   assert_false(executor->make_object(bytes.data, bytes.length, &object));
   bytes.data[bytes.length - 20] ^= 0x7f;
   assert_true(executor->make_object(bytes.data, bytes.length, &object));
   free(object.data);
   tg_strbuf_finish(&bytes);
   end(&harness);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_code_is_shared),
      cmocka_unit_test(test_warm_start),
      cmocka_unit_test(test_damaged_code),
      cmocka_unit_test(test_no_object),
      cmocka_unit_test(test_digests_tell_machines_apart),
      cmocka_unit_test(test_offered),
      cmocka_unit_test(test_hostile_bytes),
   };
   if (!exec_find_executor("jit"))
      return 77; /* LLVM's library is not there */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
