/* SPDX-License-Identifier: MIT
 *
 * The keeper's process, its workers, and how a client asks. A request is a
 * struct request and as many bytes of a module as it says; a reply is a number
 * of bytes, and these: an object, or none.
 */
#include "vtest/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/exec.h"
#include "util/clock.h"
#include "util/descriptor.h"
#include "vtest/sandbox.h"

enum {
   MAX_MODULE = 1 << 20, /* bytes; code of larger ones is not generated */
   WORKER_SECONDS = 10,
   WORKER_BYTES = 1 << 30,
};

struct request {
   struct exec_digest digest;
   uint32_t num_bytes; /* of a module; 0: it is only looked for */
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

/* ---- a worker ------------------------------------------------------------ */

/* Leaves standard streams and two descriptors, `a` up to `b`. */
static void
close_all_but(int a, int b)
{
   close_range(STDERR_FILENO + 1, (unsigned)a - 1, 0);
   if (b > a + 1)
      close_range((unsigned)a + 1, (unsigned)b - 1, 0);
   close_range((unsigned)b + 1, ~0u, 0);
}

static bool
limit_worker(void)
{
   const struct rlimit seconds = {WORKER_SECONDS, WORKER_SECONDS};
   const struct rlimit bytes = {WORKER_BYTES, WORKER_BYTES};

   return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
          setrlimit(RLIMIT_CPU, &seconds) == 0 &&
          setrlimit(RLIMIT_DATA, &bytes) == 0 && vtest_enter_sandbox();
}

/* Has nothing but the module, which may be hostile, and a socket for the
 * object. Without a sandbox it makes none. */
static int
work(const struct exec_executor *executor, const void *module, size_t num_bytes,
     int to)
{
   struct exec_object object;

   close_all_but(to, to);
   return limit_worker() && executor->make_object(module, num_bytes, &object) &&
                send_all(to, object.data, object.size)
             ? 0
             : 1;
}

/* Reads to the end, or for so long; how many bytes there were, or 0. */
static size_t
read_until(int from, unsigned char *bytes, size_t most, uint64_t end)
{
   size_t size = 0;

   while (size < most) {
      struct pollfd event = {.fd = from, .events = POLLIN};
      const uint64_t now = tg_clock_now();
      const int milliseconds = now < end ? (int)((end - now) / 1000000) + 1 : 0;

      if (poll(&event, 1, milliseconds) <= 0)
         return 0;
      const ssize_t count = read(from, bytes + size, most - size);
      if (count < 0)
         return 0;
      if (count == 0)
         return size;
      size += (size_t)count;
   }
   return 0;
}

/* What a worker writes before it ends well. */
static bool
take_object(pid_t worker, int from, struct exec_object *object_out)
{
   const uint64_t end = tg_clock_now() + WORKER_SECONDS * UINT64_C(1000000000);
   unsigned char *bytes = malloc(EXEC_MAX_OBJECT);
   const size_t size =
      bytes ? read_until(from, bytes, EXEC_MAX_OBJECT, end) : 0;
   int status = 1;

   if (size == 0)
      kill(worker, SIGKILL);
   while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
      ;
   if (size > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      *object_out = (struct exec_object){bytes, size};
      return true;
   }
   free(bytes);
   return false;
}

static bool
make_object(const struct exec_executor *executor, const void *module,
            size_t num_bytes, struct exec_object *object_out)
{
   int ends[2];

   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return false;
   const pid_t worker = fork();
   if (worker == 0)
      _exit(work(executor, module, num_bytes, ends[1]));
   close(ends[1]);
   const bool is_made = worker > 0 && take_object(worker, ends[0], object_out);
   close(ends[0]);
   return is_made;
}

/* ---- the keeper ---------------------------------------------------------- */

struct keeping {
   int socket;
   struct tg_code_cache *cache;
   const char *name; /* of the executor */
   const struct exec_executor *executor;
};

/* LLVM is loaded when the first module comes. */
static bool
has_executor(struct keeping *keeping)
{
   if (!keeping->executor)
      keeping->executor = exec_find_executor(keeping->name);
   return keeping->executor && keeping->executor->digest;
}

/* Under the digest that its bytes have, whatever the client says. */
static bool
find_or_make(struct keeping *keeping, const void *module, size_t num_bytes,
             struct exec_object *object_out)
{
   const struct exec_store *store = &keeping->cache->store;
   struct exec_digest digest;

   if (!has_executor(keeping))
      return false;
   keeping->executor->digest(module, num_bytes, &digest);
   if (store->find(store->user, &digest, object_out))
      return true;
   if (!make_object(keeping->executor, module, num_bytes, object_out))
      return false;
   store->keep(store->user, &digest, object_out->data, object_out->size);
   return true;
}

/* False: no module came. */
static bool
read_and_make(struct keeping *keeping, uint32_t num_bytes,
              struct exec_object *object_out)
{
   void *module = num_bytes <= MAX_MODULE ? malloc(num_bytes) : NULL;
   const bool is_read =
      module && tg_descriptor_read_all(keeping->socket, module, num_bytes);

   if (is_read && !find_or_make(keeping, module, num_bytes, object_out))
      *object_out = (struct exec_object){0};
   free(module);
   return is_read;
}

static bool
reply(int socket, const struct exec_object *object)
{
   const uint32_t size = (uint32_t)object->size;

   return send_all(socket, &size, sizeof(size)) &&
          send_all(socket, object->data, size);
}

static bool
serve_request(struct keeping *keeping)
{
   const struct exec_store *store = &keeping->cache->store;
   struct exec_object object = {0};
   struct request request;
   bool is_good =
      tg_descriptor_read_all(keeping->socket, &request, sizeof(request));

   if (is_good && request.num_bytes > 0)
      is_good = read_and_make(keeping, request.num_bytes, &object);
   else if (is_good && !store->find(store->user, &request.digest, &object))
      object = (struct exec_object){0};
   is_good = is_good && reply(keeping->socket, &object);
   free(object.data);
   return is_good;
}

/* Standard streams that nobody reads. */
static bool
leave_streams(void)
{
   const int nothing = open("/dev/null", O_RDWR);

   return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
          dup2(nothing, STDOUT_FILENO) >= 0 &&
          dup2(nothing, STDERR_FILENO) >= 0;
}

/* Until the client goes. */
static void
keep(struct keeping *keeping)
{
   const int folder = keeping->cache->folder;
   const int socket = keeping->socket;

   if (!leave_streams())
      return;
   close_all_but(folder < socket ? folder : socket,
                 folder < socket ? socket : folder);
   signal(SIGTERM, SIG_IGN); /* which is for the client */
   while (serve_request(keeping))
      ;
}

/* ---- the client's end ---------------------------------------------------- */

/* A keeper that has gone is asked nothing more. */
static bool
ask(struct vtest_keeper *keeper, const struct request *request,
    const void *module, struct exec_object *object_out)
{
   uint32_t size = 0;

   if (!send_all(keeper->socket, request, sizeof(*request)) ||
       !send_all(keeper->socket, module, request->num_bytes) ||
       !tg_descriptor_read_all(keeper->socket, &size, sizeof(size)) ||
       size > EXEC_MAX_OBJECT)
      return false;
   *object_out = (struct exec_object){size ? malloc(size) : NULL, size};
   return size == 0 ||
          (object_out->data &&
           tg_descriptor_read_all(keeper->socket, object_out->data, size));
}

static bool
ask_for_object(struct vtest_keeper *keeper, const struct request *request,
               const void *module, struct exec_object *object_out)
{
   *object_out = (struct exec_object){0};
   pthread_mutex_lock(&keeper->mutex);
   if (keeper->socket >= 0 && !ask(keeper, request, module, object_out)) {
      close(keeper->socket);
      keeper->socket = -1;
      free(object_out->data);
      *object_out = (struct exec_object){0};
   }
   pthread_mutex_unlock(&keeper->mutex);
   return object_out->size > 0;
}

static bool
find(void *user, const struct exec_digest *digest,
     struct exec_object *object_out)
{
   const struct request request = {.digest = *digest};

   return ask_for_object(user, &request, NULL, object_out);
}

static bool
make(void *user, const struct exec_digest *digest, const void *module,
     size_t num_bytes, struct exec_object *object_out)
{
   const struct request request = {
      .digest = *digest,
      .num_bytes = (uint32_t)num_bytes,
   };

   return num_bytes <= MAX_MODULE &&
          ask_for_object(user, &request, module, object_out);
}

bool
vtest_keeper_begin(struct vtest_keeper *keeper, struct tg_code_cache *cache,
                   const char *executor)
{
   int ends[2];

   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return false;
   const pid_t process = fork();
   if (process == 0) {
      struct keeping keeping = {ends[1], cache, executor, NULL};

      keep(&keeping);
      _exit(0);
   }
   close(ends[1]);
   *keeper = (struct vtest_keeper){
      .cache = {.store = {find, make, NULL, keeper}, .folder = -1},
      .socket = ends[0],
      .mutex = PTHREAD_MUTEX_INITIALIZER,
   };
   if (process > 0)
      return true;
   close(ends[0]);
   return false;
}

void
vtest_keeper_end(struct vtest_keeper *keeper)
{
   if (keeper->socket >= 0)
      close(keeper->socket);
   pthread_mutex_destroy(&keeper->mutex);
}
