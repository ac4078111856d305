/* SPDX-License-Identifier: MIT
 *
 * The keeper of a code cache: a client without files finds what is kept, and
 * gets objects made of its modules; what it says that an object is, is not
 * believed; and bytes that are no module, requests that are none, and a keeper
 * that was killed leave everybody well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

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

static bool
makes(const struct client *client, const struct exec_digest *digest,
      const void *bytes, size_t num_bytes)
{
   struct exec_object object;

   if (!client->store->make(client->store->user, digest, bytes, num_bytes,
                            &object))
      return false;
   assert_true(object.size > 0);
   free(object.data);
   return true;
}

/* The files of the folder. */
static unsigned
num_kept(const struct client *client)
{
   return folder_each(&client->folder, NULL, NULL);
}

/* ---- what is made is kept ------------------------------------------------ */

static void
test_finds_and_makes(void **state)
{
   struct client client;

   (void)state;
   begin(&client);
   assert_null(client.store->keep);
   assert_false(finds(&client, &client.digest));
   assert_true(
      makes(&client, &client.digest, client.module.data, client.module.length));
   assert_true(finds(&client, &client.digest));
   assert_int_equal(num_kept(&client), 1);
   assert_true(
      makes(&client, &client.digest, client.module.data, client.module.length));
   assert_int_equal(num_kept(&client), 1);
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
   if (child == 0)
      _exit(vtest_enter_sandbox() &&
                  makes(&client, &client.digest, client.module.data,
                        client.module.length) &&
                  finds(&client, &client.digest)
               ? 0
               : 1);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   end(&client);
}

/* ---- what is not believed ------------------------------------------------ */

/* An object of one module under the digest of another would be run by those who
 * have the other. */
static void
test_wrong_digest(void **state)
{
   struct client client;
   struct exec_digest others = {.bytes = {1, 2, 3}};

   (void)state;
   begin(&client);
   assert_true(
      makes(&client, &others, client.module.data, client.module.length));
   assert_false(finds(&client, &others));
   assert_true(finds(&client, &client.digest));
   assert_int_equal(num_kept(&client), 1);
   end(&client);
}

static void
test_no_module(void **state)
{
   static char zeros[1 << 16];
   struct client client;

   (void)state;
   begin(&client);
   assert_false(makes(&client, &client.digest, "module", 6));
   assert_false(makes(&client, &client.digest, zeros, sizeof(zeros)));
   assert_false(makes(&client, &client.digest, client.module.data,
                      client.module.length - 1));
   assert_int_equal(num_kept(&client), 0);
   assert_true(
      makes(&client, &client.digest, client.module.data, client.module.length));
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
   assert_false(makes(&client, &client.digest, zeros, size));
   assert_true(
      makes(&client, &client.digest, client.module.data, client.module.length));
   /* Said past the functions that a good client calls. */
   request[8] = UINT32_MAX;
   assert_int_equal(send(client.keeper.socket, request, sizeof(request), 0),
                    sizeof(request));
   assert_int_equal(recv(client.keeper.socket, &byte, 1, 0), 0);
   assert_false(finds(&client, &client.digest));
   assert_int_equal(client.keeper.socket, -1);
   assert_false(finds(&client, &client.digest));
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
   assert_false(finds(&client, &client.digest));
   assert_false(
      makes(&client, &client.digest, client.module.data, client.module.length));
   end(&client);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_finds_and_makes),
      cmocka_unit_test(test_from_the_sandbox),
      cmocka_unit_test(test_wrong_digest),
      cmocka_unit_test(test_no_module),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_killed),
   };
   if (!exec_find_executor("jit"))
      return 77; /* this build has no JIT, or LLVM's library is not there */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
