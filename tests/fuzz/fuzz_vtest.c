/* SPDX-License-Identifier: MIT
 *
 * A connection of the vtest protocol: bytes are what a client sends, and its
 * replies are read and forgotten. The connection ends, whatever they are, and
 * leaves neither memory nor descriptors.
 */
#include "fuzz.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz_device.h"
#include "virgl/virgl.h"
#include "vtest/connection.h"
#include "vtest/protocol.h"
#include "vtest/shared.h"
#include "vtest/wire.h"

enum { MOST_SHARED = 16 << 20 };

/* The client: one thread sends, another one takes the replies. Descriptors that
 * are not asked for are closed. */
struct client {
   int socket;
   const uint8_t *data;
   size_t size;
};

static void *
send_all(void *user)
{
   const struct client *client = user;

   vtest_wire_write(client->socket, client->data, client->size);
   shutdown(client->socket, SHUT_WR);
   return NULL;
}

static void *
take_replies(void *user)
{
   const struct client *client = user;
   static char bytes[1 << 16];

   while (recv(client->socket, bytes, sizeof(bytes), 0) > 0)
      ;
   return NULL;
}

static void
serve(int socket)
{
   const struct virgl_host_options host_options = {.device = fuzz_device(),
                                                   .max_call_seconds = 0.02};
   struct vtest_account account = {.most = MOST_SHARED};
   struct vtest_statistics statistics;
   struct virgl_host *host;

   if (virgl_host_create(&host_options, &host) != TG_OK)
      abort();
   const struct vtest_connection_options options = {
      .socket = socket,
      .host = host,
      .account = &account,
      .max_version = VTEST_VERSION_SHARED,
   };
   vtest_connection_run(&options, &statistics);
   virgl_host_destroy(host);
   if (account.used)
      abort();
}

/* The number that the next descriptor would have: one that is left changes it.
 */
static int
next_descriptor(int any)
{
   const int next = dup(any);

   if (next < 0)
      abort();
   close(next);
   return next;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   pthread_t threads[2];
   int ends[2];

   if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
      abort();
   const int next = next_descriptor(ends[0]);
   struct client client = {ends[0], data, size};
   if (pthread_create(&threads[0], NULL, send_all, &client) != 0 ||
       pthread_create(&threads[1], NULL, take_replies, &client) != 0)
      abort();
   serve(ends[1]);
   shutdown(ends[1], SHUT_RDWR);
   for (unsigned i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   if (next_descriptor(ends[0]) != next)
      abort();
   close(ends[0]);
   close(ends[1]);
   return 0;
}
