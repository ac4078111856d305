/* SPDX-License-Identifier: MIT
 *
 * The keeper of a code cache: a client without files finds what is kept, and
 * gets objects made of its modules, and finds others meanwhile; what it says
 * that an object is, is not believed; and bytes that are no module, requests
 * that are none, and a keeper that was killed leave everybody well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../exec/folder.h"
#include "exec/exec.h"
#include "lir/builder.h"
#include "lir/serialize.h"
#include "vtest/keeper.h"
#include "vtest/sandbox.h"

struct client {
   struct folder folder;
   struct tg_code_cache *cache; /* in the folder */
   struct vtest_keeper keeper;
   const struct exec_store *store; /* of the keeper */
   struct tg_strbuf module;
   struct exec_digest digest; /* of it */
};

static void
write_module(struct tg_strbuf *bytes, uint32_t value)
{
   struct lir_module module;
   struct lir_builder b;

   lir_module_init(&module, NULL);
   assert_int_equal(lir_module_add_function(&module, "main"), 0);
   lir_builder_init(&b, &module, 0);
   const lir_value at = lir_const32(&b, 0);
   lir_store32(&b, LIR_SPACE_OUTPUT, 0, at, lir_const32(&b, value));
   lir_serialize(&module, bytes);
   lir_module_finish(&module);
}

static void
begin(struct client *client)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;

   *client = (struct client){.folder = folder_make()};
   options.folder = client->folder.path;
   assert_int_equal(tg_code_cache_create(NULL, &options, NULL, &client->cache),
                    TG_OK);
   assert_true(vtest_keeper_begin(&client->keeper, client->cache, "jit"));
   client->store = exec_cache_store(&client->keeper.cache);
   write_module(&client->module, 7);
   exec_find_executor("jit")->digest(client->module.data, client->module.length,
                                     &client->digest);
}

static void
end(struct client *client)
{
   int status;

   vtest_keeper_end(&client->keeper);
   assert_true(wait(&status) > 0);
   tg_strbuf_finish(&client->module);
   tg_code_cache_destroy(client->cache);
   folder_remove(&client->folder);
}

static bool
finds(const struct client *client, const struct exec_digest *digest)
{
   struct exec_object object;

   if (!client->store->find(client->store->user, digest, &object))
      return false;
   assert_true(object.size > 0);
   free(object.data);
   return true;
}

static void
offer(const struct client *client, const struct tg_strbuf *module)
{
   client->store->offer(client->store->user, module->data, module->length);
}

/* A minute at most. */
static bool
comes_to_have(const struct client *client, const struct exec_digest *digest)
{
   const struct timespec step = {.tv_nsec = 10 * 1000 * 1000};

   for (unsigned i = 0; i < 6000; i++) {
      if (finds(client, digest))
         return true;
      nanosleep(&step, NULL);
   }
   return false;
}

/* The files of the folder. */
static unsigned
num_kept(const struct client *client)
{
   return folder_each(&client->folder, NULL, NULL);
}

/* A module of so many operations, each of which needs the one before. */
static void
write_long_module(struct tg_strbuf *bytes, unsigned length)
{
   struct lir_module module;
   struct lir_builder b;

   lir_module_init(&module, NULL);
   assert_int_equal(lir_module_add_function(&module, "main"), 0);
   lir_builder_init(&b, &module, 0);
   lir_value value = lir_load32(&b, LIR_SPACE_INPUT, 0, lir_const32(&b, 0));
   for (unsigned i = 0; i < length; i++)
      value = lir_imul(&b, value, lir_iadd(&b, value, lir_const32(&b, i)));
   lir_store32(&b, LIR_SPACE_OUTPUT, 0, lir_const32(&b, 0), value);
   lir_serialize(&module, bytes);
   lir_module_finish(&module);
}

/* ---- processes ----------------------------------------------------------- */

/* A line of /proc/PID/status, which has a number. */
static long
status_of(const char *process, const char *line)
{
   char path[64], text[4096];

   snprintf(path, sizeof(path), "/proc/%.16s/status", process);
   FILE *file = fopen(path, "r");
   const size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
   if (file)
      fclose(file);
   text[length] = 0;
   const char *found = strstr(text, line);
   return found ? strtol(found + strlen(line), NULL, 10) : -1;
}

/* The number of a child as text; false: there is none. */
static bool
find_child(long parent, char process[32])
{
   DIR *folder = opendir("/proc");
   struct dirent *entry;
   bool is_found = false;

   assert_non_null(folder);
   while (!is_found && (entry = readdir(folder))) {
      is_found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
                 status_of(entry->d_name, "\nPPid:") == parent;
      if (is_found)
         snprintf(process, 32, "%.16s", entry->d_name);
   }
   closedir(folder);
   return is_found;
}

/* KiB of its own that the child of this process has. */
static long
memory_of_keeper(void)
{
   char keeper[32];

   assert_true(find_child(getpid(), keeper));
   return status_of(keeper, "\nRssAnon:");
}

/* ---- what is made is kept ------------------------------------------------ */

static void
test_keeps_what_is_offered(void **state)
{
   struct client client;

   (void)state;
   begin(&client);
   assert_null(client.store->keep);
   assert_false(finds(&client, &client.digest));
   offer(&client, &client.module);
   assert_true(comes_to_have(&client, &client.digest));
   offer(&client, &client.module);
   vtest_keeper_wait(&client.keeper);
   assert_int_equal(num_kept(&client), 1);
   end(&client);
}

/* The keeper makes what was offered to it before it ends, be it at work on that
 * or not yet. */
static void
test_waits(void **state)
{
   const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};

   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      struct tg_strbuf module = {0};
      struct client client;

      begin(&client);
      write_long_module(&module, 1000);
      offer(&client, &module);
      if (i)
         nanosleep(&moment, NULL);
      vtest_keeper_wait(&client.keeper);
      assert_int_equal(num_kept(&client), 1);
      tg_strbuf_finish(&module);
      end(&client);
   }
}

/* Whose code is made by a process that may do nothing else. */
static void
test_makers_are_sandboxed(void **state)
{
   struct tg_strbuf module = {0};
   struct client client;
   char keeper[32], maker[32];
   bool is_sandboxed = false;

   (void)state;
   begin(&client);
   assert_true(find_child(getpid(), keeper));
   write_long_module(&module, 1000);
   offer(&client, &module);
   while (!is_sandboxed && num_kept(&client) == 0)
      is_sandboxed = find_child(strtol(keeper, NULL, 10), maker) &&
                     status_of(maker, "\nSeccomp:") == 2;
   assert_true(is_sandboxed);
   tg_strbuf_finish(&module);
   end(&client);
}

/* A client in the sandbox, as it is when it draws. */
static void
test_from_the_sandbox(void **state)
{
   struct client client;
   int status;

   (void)state;
   begin(&client);
   const pid_t child = fork();
   if (child == 0) {
      if (!vtest_enter_sandbox())
         _exit(1);
      offer(&client, &client.module);
      if (!comes_to_have(&client, &client.digest))
         _exit(2);
      vtest_keeper_wait(&client.keeper);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   end(&client);
}

/* ---- what is looked for does not wait for what is made ------------------- */

/* The first is made while others are offered. LLVM takes a tenth of a second or
 * more for it. */
static void
test_finds_meanwhile(void **state)
{
   struct tg_strbuf module = {0};
   struct exec_digest digest;
   struct client client;

   (void)state;
   begin(&client);
   write_long_module(&module, 1000);
   exec_find_executor("jit")->digest(module.data, module.length, &digest);
   offer(&client, &module);
   offer(&client, &client.module);
   assert_false(finds(&client, &client.digest));
   assert_false(finds(&client, &digest));
   assert_true(comes_to_have(&client, &client.digest));
   assert_true(finds(&client, &digest));
   tg_strbuf_finish(&module);
   end(&client);
}

/* ---- what is no module --------------------------------------------------- */

static void
offer_bytes(const struct client *client, const void *bytes, size_t num_bytes)
{
   client->store->offer(client->store->user, bytes, num_bytes);
}

static void
test_no_module(void **state)
{
   static char zeros[1 << 16];
   struct client client;

   (void)state;
   begin(&client);
   offer_bytes(&client, "module", 6);
   offer_bytes(&client, zeros, sizeof(zeros));
   offer_bytes(&client, client.module.data, client.module.length - 1);
   offer_bytes(&client, client.module.data, 0);
   offer(&client, &client.module);
   assert_true(comes_to_have(&client, &client.digest));
   assert_int_equal(num_kept(&client), 1);
   end(&client);
}

static void
test_too_large(void **state)
{
   const size_t size = 2 << 20;
   char *zeros = calloc(1, size);
   struct client client;
   uint32_t request[9] = {0};
   char byte;

   (void)state;
   begin(&client);
   offer_bytes(&client, zeros, size);
   offer(&client, &client.module);
   assert_true(comes_to_have(&client, &client.digest));
   /* Said past the functions that a good client calls. */
   request[8] = UINT32_MAX;
   assert_int_equal(send(client.keeper.socket, request, sizeof(request), 0),
                    sizeof(request));
   assert_int_equal(recv(client.keeper.socket, &byte, 1, 0), 0);
   assert_false(finds(&client, &client.digest));
   assert_int_equal(client.keeper.socket, -1);
   assert_false(finds(&client, &client.digest));
   offer(&client, &client.module);
   free(zeros);
   end(&client);
}

/* Modules of 8 MiB may wait, which are no modules here. The keeper has read all
 * that was offered when it answers. */
static void
test_too_many(void **state)
{
   const size_t size = 1 << 20;
   char *zeros = calloc(1, size);
   struct client client;

   (void)state;
   begin(&client);
   assert_false(finds(&client, &client.digest));
   const long before = memory_of_keeper();
   assert_true(before > 0);
   for (unsigned i = 0; i < 200; i++)
      offer_bytes(&client, zeros, size);
   assert_false(finds(&client, &client.digest));
   assert_true(memory_of_keeper() < before + (64 << 10));
   while (!finds(&client, &client.digest)) {
      assert_true(client.keeper.socket >= 0);
      offer(&client, &client.module);
   }
   free(zeros);
   end(&client);
}

/* ---- ends ---------------------------------------------------------------- */

/* Asking one that has gone is no signal. */
static void
test_killed(void **state)
{
   struct client client;

   (void)state;
   begin(&client);
   assert_int_equal(shutdown(client.keeper.socket, SHUT_RDWR), 0);
   offer(&client, &client.module);
   assert_false(finds(&client, &client.digest));
   vtest_keeper_wait(&client.keeper);
   end(&client);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keeps_what_is_offered),
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_makers_are_sandboxed),
      cmocka_unit_test(test_from_the_sandbox),
      cmocka_unit_test(test_finds_meanwhile),
      cmocka_unit_test(test_no_module),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_killed),
   };
   if (!exec_find_executor("jit"))
      return 77; /* this build has no JIT, or LLVM's library is not there */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
