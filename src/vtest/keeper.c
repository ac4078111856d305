/* SPDX-License-Identifier: MIT
 *
 * The broker process of a code cache, and its protocol. A request is a struct
 * request and as many bytes of a module as it says. One without a module looks
 * for an object; the reply is a number of bytes, and these. A module is an
 * offer, which has no reply: it waits in a queue until a thread has its object
 * made, while processors have nothing else to do.
 */
#include "vtest/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "exec/exec.h"
#include "util/descriptor.h"
#include "vtest/maker.h"

enum {
   MAX_MODULE = 1 << 20,  /* bytes; code of larger ones is not generated */
   MAX_OFFERED = 8 << 20, /* bytes of modules that wait; others are dropped */
   SECONDS_LEFT = 5,      /* for what waits when the client has gone */
   REPLY_SECONDS = 10,    /* after which a keeper is taken to be gone */
};

struct request {
   struct exec_digest digest;
   uint32_t num_bytes; /* of a module; 0: the object is looked for */
};

/* ---- bytes --------------------------------------------------------------- */

/* To a socket; no signal if nobody reads it. */
static bool
send_all(int socket, const void *from, size_t num_bytes)
{
   const char *bytes = from;

   while (num_bytes > 0) {
      const ssize_t count = send(socket, bytes, num_bytes, MSG_NOSIGNAL);

      if (count < 0 && errno == EINTR)
         continue;
      if (count <= 0)
         return false;
      bytes += count;
      num_bytes -= (size_t)count;
   }
   return true;
}

/* ---- modules that are offered -------------------------------------------- */

struct offer {
   struct offer *next;
   size_t num_bytes;
   unsigned char module[];
};

struct keeping {
   int socket;
   struct tg_code_cache *cache;
   const char *executor; /* its name */

   pthread_mutex_t mutex; /* of what follows */
   pthread_cond_t changed;
   struct offer *first;
   struct offer **end; /* where the next one is linked */
   size_t num_bytes;   /* of all that wait */
   bool is_making;
};

static void
add_offer(struct keeping *keeping, struct offer *offer)
{
   pthread_mutex_lock(&keeping->mutex);
   const bool is_taken = keeping->num_bytes + offer->num_bytes <= MAX_OFFERED;
   if (is_taken) {
      *keeping->end = offer;
      keeping->end = &offer->next;
      keeping->num_bytes += offer->num_bytes;
      pthread_cond_broadcast(&keeping->changed);
   }
   pthread_mutex_unlock(&keeping->mutex);
   if (!is_taken)
      free(offer);
}

static struct offer *
wait_for_offer(struct keeping *keeping)
{
   pthread_mutex_lock(&keeping->mutex);
   keeping->is_making = false;
   pthread_cond_broadcast(&keeping->changed);
   while (!keeping->first)
      pthread_cond_wait(&keeping->changed, &keeping->mutex);
   struct offer *offer = keeping->first;
   keeping->first = offer->next;
   if (!keeping->first)
      keeping->end = &keeping->first;
   keeping->num_bytes -= offer->num_bytes;
   keeping->is_making = true;
   pthread_mutex_unlock(&keeping->mutex);
   return offer;
}

/* Under the digest that its bytes have, whatever the client says. */
static void
make_and_keep(const struct keeping *keeping, const struct offer *offer)
{
   const struct exec_store *store = &keeping->cache->store;
   const struct exec_executor *executor = exec_find_executor(keeping->executor);
   struct exec_digest digest;
   struct exec_object object;

   if (!executor || !executor->digest)
      return;
   executor->digest(offer->module, offer->num_bytes, &digest);
   if (!store->find(store->user, &digest, &object)) {
      if (!vtest_make_object(executor, offer->module, offer->num_bytes,
                             &object))
         return;
      store->keep(store->user, &digest, object.data, object.size);
   }
   free(object.data);
}

static void *
take_offers(void *user)
{
   const struct sched_param none = {0};
   struct keeping *keeping = user;

   sched_setscheduler(0, SCHED_IDLE, &none); /* of this thread, and makers */
   for (;;) {
      struct offer *offer = wait_for_offer(keeping);

      make_and_keep(keeping, offer);
      free(offer);
   }
   return NULL;
}

/* Until nothing waits, or the time is over. */
static void
finish_offers(struct keeping *keeping)
{
   struct timespec end;

   clock_gettime(CLOCK_MONOTONIC, &end);
   end.tv_sec += SECONDS_LEFT;
   pthread_mutex_lock(&keeping->mutex);
   while (keeping->first || keeping->is_making) {
      if (pthread_cond_clockwait(&keeping->changed, &keeping->mutex,
                                 CLOCK_MONOTONIC, &end) != 0)
         break;
   }
   pthread_mutex_unlock(&keeping->mutex);
}

/* ---- requests ------------------------------------------------------------ */

static bool
reply(const struct keeping *keeping, const struct exec_digest *digest)
{
   const struct exec_store *store = &keeping->cache->store;
   struct exec_object object = {0};

   if (!store->find(store->user, digest, &object))
      object = (struct exec_object){0};
   const uint32_t size = (uint32_t)object.size;
   const bool is_sent = send_all(keeping->socket, &size, sizeof(size)) &&
                        send_all(keeping->socket, object.data, size);
   free(object.data);
   return is_sent;
}

static bool
read_offer(struct keeping *keeping, uint32_t num_bytes)
{
   struct offer *offer =
      num_bytes <= MAX_MODULE ? malloc(sizeof(*offer) + num_bytes) : NULL;

   if (!offer)
      return false;
   *offer = (struct offer){.num_bytes = num_bytes};
   if (!tg_descriptor_read_all(keeping->socket, offer->module, num_bytes)) {
      free(offer);
      return false;
   }
   add_offer(keeping, offer);
   return true;
}

static bool
serve_request(struct keeping *keeping)
{
   struct request request;

   if (!tg_descriptor_read_all(keeping->socket, &request, sizeof(request)))
      return false;
   return request.num_bytes > 0 ? read_offer(keeping, request.num_bytes)
                                : reply(keeping, &request.digest);
}

/* ---- the process --------------------------------------------------------- */

/* Standard streams that nobody reads. */
static bool
leave_streams(void)
{
   const int nothing = open("/dev/null", O_RDWR);

   return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
          dup2(nothing, STDOUT_FILENO) >= 0 &&
          dup2(nothing, STDERR_FILENO) >= 0;
}

/* Leaves standard streams and two descriptors, `a` up to `b`. */
static void
close_all_but(int a, int b)
{
   close_range(STDERR_FILENO + 1, (unsigned)a - 1, 0);
   if (b > a + 1)
      close_range((unsigned)a + 1, (unsigned)b - 1, 0);
   close_range((unsigned)b + 1, ~0u, 0);
}

/* Until the client goes, and for what it has offered. */
static void
keep(struct keeping *keeping)
{
   const int folder = keeping->cache->folder;
   const int socket = keeping->socket;
   pthread_t thread;

   if (!leave_streams())
      return;
   close_all_but(folder < socket ? folder : socket,
                 folder < socket ? socket : folder);
   signal(SIGTERM, SIG_IGN); /* which is for the client */
   if (pthread_create(&thread, NULL, take_offers, keeping) != 0)
      return;
   while (serve_request(keeping))
      ;
   finish_offers(keeping);
}

/* ---- the client's end ---------------------------------------------------- */

static bool
ask(int socket, const struct exec_digest *digest,
    struct exec_object *object_out)
{
   const struct request request = {.digest = *digest};
   uint32_t size = 0;

   if (!send_all(socket, &request, sizeof(request)) ||
       !tg_descriptor_read_all(socket, &size, sizeof(size)) ||
       size > EXEC_MAX_OBJECT)
      return false;
   *object_out = (struct exec_object){size ? malloc(size) : NULL, size};
   return size == 0 || (object_out->data &&
                        tg_descriptor_read_all(socket, object_out->data, size));
}

/* A keeper that has gone is asked nothing more. */
static void
leave(struct vtest_keeper *keeper)
{
   if (keeper->socket >= 0)
      close(keeper->socket);
   keeper->socket = -1;
}

static bool
find(void *user, const struct exec_digest *digest,
     struct exec_object *object_out)
{
   struct vtest_keeper *keeper = user;

   *object_out = (struct exec_object){0};
   pthread_mutex_lock(&keeper->mutex);
   if (keeper->socket >= 0 && !ask(keeper->socket, digest, object_out)) {
      leave(keeper);
      free(object_out->data);
      *object_out = (struct exec_object){0};
   }
   pthread_mutex_unlock(&keeper->mutex);
   return object_out->size > 0;
}

static void
offer(void *user, const void *module, size_t num_bytes)
{
   struct vtest_keeper *keeper = user;
   const struct request request = {.num_bytes = (uint32_t)num_bytes};

   if (num_bytes == 0 || num_bytes > MAX_MODULE)
      return;
   pthread_mutex_lock(&keeper->mutex);
   if (keeper->socket >= 0 &&
       (!send_all(keeper->socket, &request, sizeof(request)) ||
        !send_all(keeper->socket, module, num_bytes)))
      leave(keeper);
   pthread_mutex_unlock(&keeper->mutex);
}

bool
vtest_keeper_begin(struct vtest_keeper *keeper, struct tg_code_cache *cache,
                   const char *executor)
{
   const struct timeval most = {.tv_sec = REPLY_SECONDS};
   int ends[2];

   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return false;
   const pid_t process = fork();
   if (process == 0) {
      struct keeping keeping = {
         .socket = ends[1],
         .cache = cache,
         .executor = executor,
         .mutex = PTHREAD_MUTEX_INITIALIZER,
         .changed = PTHREAD_COND_INITIALIZER,
         .end = &keeping.first,
      };

      keep(&keeping);
      _exit(0);
   }
   close(ends[1]);
   setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
   setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
   *keeper = (struct vtest_keeper){
      .cache = {.store = {find, offer, NULL, keeper}, .folder = -1},
      .socket = ends[0],
      .mutex = PTHREAD_MUTEX_INITIALIZER,
   };
   if (process > 0)
      return true;
   vtest_keeper_end(keeper);
   return false;
}

/* It closes its end when it is done. */
void
vtest_keeper_wait(struct vtest_keeper *keeper)
{
   char byte;

   if (keeper->socket >= 0 && shutdown(keeper->socket, SHUT_WR) == 0)
      recv(keeper->socket, &byte, 1, 0);
}

void
vtest_keeper_end(struct vtest_keeper *keeper)
{
   leave(keeper);
   pthread_mutex_destroy(&keeper->mutex);
}
