/* SPDX-License-Identifier: MIT
 *
 * The code cache's folder: what is kept is found; what is damaged, cut off, too
 * long, of another name, another owner or no file is not, and is replaced;
 * folders that others write, that are full and that can not be written; the
 * bound; and processes that write at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "exec/store/entry.h"
#include "exec/store/folder.h"
#include "folder.h"

enum { NOBODY = 65534, BLOCK = 4096 };

static const char object[] = "machine code";

static struct tg_code_cache *
open_cache(const struct folder *folder, uint64_t max_bytes)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;
   struct tg_code_cache *cache = NULL;

   options.folder = folder->path;
   options.max_bytes = max_bytes;
   assert_int_equal(tg_code_cache_create(NULL, &options, NULL, &cache), TG_OK);
   return cache;
}

static struct exec_digest
digest_of(unsigned number)
{
   struct exec_digest digest;

   memset(&digest, 0x5a, sizeof(digest));
   memcpy(digest.bytes, &number, sizeof(number));
   return digest;
}

static void
keep(struct tg_code_cache *cache, unsigned number, const void *data,
     size_t size)
{
   const struct exec_digest digest = digest_of(number);

   cache->store.keep(cache->store.user, &digest, data, size);
}

/* Is it there, and what was kept? */
static bool
has(struct tg_code_cache *cache, unsigned number)
{
   const struct exec_digest digest = digest_of(number);
   struct exec_object found;

   if (!cache->store.find(cache->store.user, &digest, &found))
      return false;
   assert_int_equal(found.size, sizeof(object));
   assert_memory_equal(found.data, object, sizeof(object));
   free(found.data);
   return true;
}

static struct tg_code_cache_statistics
ask(const struct tg_code_cache *cache)
{
   struct tg_code_cache_statistics statistics = TG_CODE_CACHE_STATISTICS_INIT;

   assert_int_equal(tg_code_cache_get_statistics(cache, &statistics), TG_OK);
   return statistics;
}

/* The path of an entry. */
static void
path_of(const struct folder *folder, unsigned number, char path[256])
{
   const struct exec_digest digest = digest_of(number);
   char name[EXEC_FILE_NAME];

   exec_folder_name(&digest, name);
   snprintf(path, 256, "%s/%s", folder->path, name);
}

static void
put_file(const char *path, const void *bytes, size_t num_bytes)
{
   FILE *file = fopen(path, "wb");

   assert_non_null(file);
   assert_int_equal(fwrite(bytes, 1, num_bytes, file), num_bytes);
   fclose(file);
   chmod(path, 0600);
}

static size_t
get_file(const char *path, unsigned char *bytes, size_t most)
{
   FILE *file = fopen(path, "rb");

   assert_non_null(file);
   const size_t count = fread(bytes, 1, most, file);
   fclose(file);
   return count;
}

/* ---- finding ------------------------------------------------------------- */

static void
test_kept_is_found(void **state)
{
   const struct folder folder = folder_make();
   struct tg_code_cache *cache = open_cache(&folder, 0);

   (void)state;
   assert_false(has(cache, 1));
   keep(cache, 1, object, sizeof(object));
   assert_true(has(cache, 1));
   assert_false(has(cache, 2));
   struct tg_code_cache_statistics statistics = ask(cache);
   assert_int_equal(statistics.found, 1);
   assert_int_equal(statistics.missed, 2);
   assert_int_equal(statistics.kept, 1);
   assert_int_equal(statistics.refused, 0);
   assert_int_equal(statistics.lost, 0);
   tg_code_cache_destroy(cache);
   cache = open_cache(&folder, 0);
   assert_true(has(cache, 1));
   tg_code_cache_destroy(cache);
   folder_remove(&folder);
}

/* ---- damage -------------------------------------------------------------- */

struct damaged {
   struct folder folder;
   struct tg_code_cache *cache;
   char path[256];
   unsigned char bytes[256];
   size_t num_bytes;
};

static void
begin(struct damaged *damaged)
{
   damaged->folder = folder_make();
   damaged->cache = open_cache(&damaged->folder, 0);
   keep(damaged->cache, 1, object, sizeof(object));
   path_of(&damaged->folder, 1, damaged->path);
   damaged->num_bytes =
      get_file(damaged->path, damaged->bytes, sizeof(damaged->bytes));
   assert_int_equal(damaged->num_bytes, EXEC_ENTRY_HEADER + sizeof(object));
}

/* It is refused, and what is kept then takes its place. */
static void
expect_refusal(struct damaged *damaged)
{
   const uint64_t before = ask(damaged->cache).refused;

   assert_false(has(damaged->cache, 1));
   assert_int_equal(ask(damaged->cache).refused, before + 1);
   keep(damaged->cache, 1, object, sizeof(object));
   assert_true(has(damaged->cache, 1));
}

static void
end(struct damaged *damaged)
{
   tg_code_cache_destroy(damaged->cache);
   folder_remove(&damaged->folder);
}

static void
test_each_bit(void **state)
{
   struct damaged damaged;

   (void)state;
   begin(&damaged);
   for (size_t i = 0; i < damaged.num_bytes * 8; i++) {
      damaged.bytes[i / 8] ^= (unsigned char)(1 << i % 8);
      put_file(damaged.path, damaged.bytes, damaged.num_bytes);
      damaged.bytes[i / 8] ^= (unsigned char)(1 << i % 8);
      expect_refusal(&damaged);
   }
   end(&damaged);
}

static void
test_lengths(void **state)
{
   struct damaged damaged;

   (void)state;
   begin(&damaged);
   for (size_t i = 0; i < damaged.num_bytes; i++) {
      put_file(damaged.path, damaged.bytes, i);
      expect_refusal(&damaged);
   }
   put_file(damaged.path, damaged.bytes, damaged.num_bytes + 1);
   expect_refusal(&damaged);
   put_file(damaged.path, damaged.bytes, damaged.num_bytes);
   assert_int_equal(truncate(damaged.path, INT64_C(1) << 40), 0);
   expect_refusal(&damaged);
   end(&damaged);
}

static void
test_other_names(void **state)
{
   struct damaged damaged;
   char other[256];

   (void)state;
   begin(&damaged);
   path_of(&damaged.folder, 2, other);
   assert_int_equal(rename(damaged.path, other), 0);
   assert_false(has(damaged.cache, 2));
   assert_int_equal(ask(damaged.cache).refused, 1);
   end(&damaged);
}

/* What is no file of this user's, though its bytes are good. */
static void
test_what_is_no_file(void **state)
{
   struct damaged damaged;
   char other[256];

   (void)state;
   begin(&damaged);
   snprintf(other, sizeof(other), "%s/other", damaged.folder.path);
   assert_int_equal(rename(damaged.path, other), 0);
   assert_int_equal(symlink(other, damaged.path), 0);
   expect_refusal(&damaged);
   unlink(damaged.path);
   assert_int_equal(mkfifo(damaged.path, 0600), 0);
   expect_refusal(&damaged);
   assert_int_equal(chmod(damaged.path, 0620), 0);
   expect_refusal(&damaged);
   assert_int_equal(chmod(damaged.path, 0602), 0);
   expect_refusal(&damaged);
   if (geteuid() == 0) {
      assert_int_equal(chown(damaged.path, NOBODY, NOBODY), 0);
      expect_refusal(&damaged);
   }
   end(&damaged);
}

/* ---- folders ------------------------------------------------------------- */

static enum tg_result
try_folder(const char *path)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_code_cache *cache = NULL;

   options.folder = path;
   const enum tg_result result =
      tg_code_cache_create(NULL, &options, diagnostics, &cache);
   assert_int_equal(tg_diagnostics_count(diagnostics), result != TG_OK);
   tg_diagnostics_destroy(diagnostics);
   tg_code_cache_destroy(cache);
   return result;
}

static void
test_folders(void **state)
{
   const struct folder folder = folder_make();
   char path[128];

   (void)state;
   assert_int_equal(try_folder(NULL), TG_ERROR_INPUT);
   snprintf(path, sizeof(path), "%s/none/none", folder.path);
   assert_int_equal(try_folder(path), TG_ERROR_IO);
   snprintf(path, sizeof(path), "%s/made", folder.path);
   assert_int_equal(try_folder(path), TG_OK);
   assert_int_equal(chmod(path, 0775), 0);
   assert_int_equal(try_folder(path), TG_ERROR_IO);
   assert_int_equal(chmod(path, 0707), 0);
   assert_int_equal(try_folder(path), TG_ERROR_IO);
   assert_int_equal(chmod(path, 0755), 0);
   assert_int_equal(try_folder(path), TG_OK);
   if (geteuid() == 0) {
      assert_int_equal(chown(path, NOBODY, NOBODY), 0);
      assert_int_equal(try_folder(path), TG_ERROR_IO);
   }
   rmdir(path);
   put_file(path, "", 0);
   assert_int_equal(try_folder(path), TG_ERROR_IO);
   folder_remove(&folder);
}

/* Calls a function in a process of its own. */
static void
in_child(void (*function)(const struct folder *folder),
         const struct folder *folder)
{
   const pid_t child = fork();
   int status;

   if (child == 0) {
      function(folder);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
}

#define REQUIRE(condition)                                                     \
   do {                                                                        \
      if (!(condition))                                                        \
         _exit(1);                                                             \
   } while (0)

static void
use_read_only(const struct folder *folder)
{
   if (geteuid() == 0)
      REQUIRE(seteuid(NOBODY) == 0);
   struct tg_code_cache *cache = open_cache(folder, 0);
   REQUIRE(has(cache, 1));
   keep(cache, 2, object, sizeof(object));
   REQUIRE(!has(cache, 2));
   REQUIRE(ask(cache).lost == 1);
   tg_code_cache_destroy(cache);
}

static void
test_read_only_folder(void **state)
{
   const struct folder folder = folder_make();
   struct tg_code_cache *cache = open_cache(&folder, 0);
   char path[256];

   (void)state;
   keep(cache, 1, object, sizeof(object));
   tg_code_cache_destroy(cache);
   path_of(&folder, 1, path);
   chmod(path, 0444);
   chmod(folder.path, 0555);
   in_child(use_read_only, &folder);
   folder_remove(&folder);
}

/* Files end after some bytes, as on a full disk. */
static void
use_full(const struct folder *folder)
{
   const struct rlimit few = {EXEC_ENTRY_HEADER + 4, RLIM_INFINITY};
   struct tg_code_cache *cache = open_cache(folder, 0);

   signal(SIGXFSZ, SIG_IGN);
   REQUIRE(setrlimit(RLIMIT_FSIZE, &few) == 0);
   keep(cache, 1, object, sizeof(object));
   REQUIRE(!has(cache, 1));
   REQUIRE(ask(cache).lost == 1 && ask(cache).refused == 0);
   REQUIRE(folder_each(folder, NULL, NULL) == 0);
   tg_code_cache_destroy(cache);
}

static void
test_full_folder(void **state)
{
   const struct folder folder = folder_make();

   (void)state;
   in_child(use_full, &folder);
   folder_remove(&folder);
}

/* ---- the bound ----------------------------------------------------------- */

static void
set_age(const struct folder *folder, unsigned number, unsigned hours)
{
   const struct timespec time = {.tv_sec = 1700000000 - 3600 * (time_t)hours};
   const struct timespec times[2] = {time, time};
   char path[256];

   path_of(folder, number, path);
   assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Ten blocks hold ten files; before the eleventh a quarter is freed: the
 * oldest three, of which the use of one does not let it be. */
static void
test_bound(void **state)
{
   const struct folder folder = folder_make();
   struct tg_code_cache *cache = open_cache(&folder, 10 * BLOCK);
   char path[256];

   (void)state;
   snprintf(path, sizeof(path), "%s/notes", folder.path);
   put_file(path, "of somebody", 11);
   for (unsigned i = 0; i < 10; i++) {
      keep(cache, i, object, sizeof(object));
      set_age(&folder, i, 100 - i);
   }
   assert_int_equal(ask(cache).removed, 0);
   assert_true(has(cache, 1));
   keep(cache, 10, object, sizeof(object));
   assert_int_equal(ask(cache).removed, 3);
   for (unsigned i = 0; i <= 10; i++)
      assert_int_equal(has(cache, i), i == 1 || i > 3);
   assert_int_equal(access(path, F_OK), 0);
   tg_code_cache_destroy(cache);
   folder_remove(&folder);
}

static void
test_too_large(void **state)
{
   static char large[3 * BLOCK];
   const struct folder folder = folder_make();
   struct tg_code_cache *cache = open_cache(&folder, 2 * BLOCK);

   (void)state;
   keep(cache, 1, object, sizeof(object));
   keep(cache, 2, large, sizeof(large));
   assert_int_equal(ask(cache).lost, 1);
   assert_true(has(cache, 1));
   tg_code_cache_destroy(cache);
   folder_remove(&folder);
}

/* What another process added, and what one that was killed left. */
static void
test_others(void **state)
{
   const struct folder folder = folder_make();
   struct tg_code_cache *cache = open_cache(&folder, 64 * BLOCK);
   struct tg_code_cache *other = open_cache(&folder, 1000 * BLOCK);
   const struct timespec long_ago[2] = {{.tv_sec = 1700000000},
                                        {.tv_sec = 1700000000}};
   char left[256], fresh[256];

   (void)state;
   snprintf(left, sizeof(left), "%s/new-1-1", folder.path);
   snprintf(fresh, sizeof(fresh), "%s/new-1-2", folder.path);
   put_file(left, object, sizeof(object));
   put_file(fresh, object, sizeof(object));
   assert_int_equal(utimensat(AT_FDCWD, left, long_ago, 0), 0);
   for (unsigned i = 0; i < 100; i++)
      keep(other, i, object, sizeof(object));
   for (unsigned i = 100; i < 106; i++)
      keep(cache, i, object, sizeof(object));
   assert_true(folder_each(&folder, NULL, NULL) <= 64 + 1);
   assert_int_equal(access(left, F_OK), -1);
   assert_int_equal(access(fresh, F_OK), 0);
   tg_code_cache_destroy(other);
   tg_code_cache_destroy(cache);
   folder_remove(&folder);
}

/* ---- processes at once --------------------------------------------------- */

static void
write_and_read(const struct folder *folder)
{
   struct tg_code_cache *cache = open_cache(folder, 0);

   for (unsigned i = 0; i < 2000; i++) {
      keep(cache, i % 4, object, sizeof(object));
      REQUIRE(has(cache, (i + 1) % 4) || i < 4);
   }
   REQUIRE(ask(cache).refused == 0 && ask(cache).lost == 0);
   tg_code_cache_destroy(cache);
}

static void
test_two_processes(void **state)
{
   const struct folder folder = folder_make();
   pid_t children[2];

   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      children[i] = fork();
      if (children[i] == 0) {
         write_and_read(&folder);
         _exit(0);
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      int status;

      assert_int_equal(waitpid(children[i], &status, 0), children[i]);
      assert_int_equal(status, 0);
   }
   assert_int_equal(folder_each(&folder, NULL, NULL), 4);
   folder_remove(&folder);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept_is_found),
      cmocka_unit_test(test_each_bit),
      cmocka_unit_test(test_lengths),
      cmocka_unit_test(test_other_names),
      cmocka_unit_test(test_what_is_no_file),
      cmocka_unit_test(test_folders),
      cmocka_unit_test(test_read_only_folder),
      cmocka_unit_test(test_full_folder),
      cmocka_unit_test(test_bound),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_others),
      cmocka_unit_test(test_two_processes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
