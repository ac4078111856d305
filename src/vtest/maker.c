/* SPDX-License-Identifier: MIT
 *
 * Sandboxed compilation: a process for one module, its limits, and the object
 * that is read from it.
 */
#include "vtest/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/descriptor.h"
#include "vtest/sandbox.h"

enum {
   MAKER_SECONDS = 10, /* of a processor */
   MAKER_BYTES = 1 << 30,
   MOST_SECONDS = 100, /* of time, since others come first */
};

/* ---- the process --------------------------------------------------------- */

static bool
limit_process(void)
{
   const struct rlimit seconds = {MAKER_SECONDS, MAKER_SECONDS};
   const struct rlimit bytes = {MAKER_BYTES, MAKER_BYTES};

   return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
          setrlimit(RLIMIT_CPU, &seconds) == 0 &&
          setrlimit(RLIMIT_DATA, &bytes) == 0 && vtest_enter_sandbox();
}

/* Has nothing but the module, which may be hostile, and a pipe for the
 * object. Without a sandbox it makes none. */
static int
work(const struct exec_executor *executor, const void *module, size_t num_bytes,
     int to)
{
   struct exec_object object;

   close_range(STDERR_FILENO + 1, (unsigned)to - 1, 0);
   close_range((unsigned)to + 1, ~0u, 0);
   return limit_process() &&
                executor->make_object(module, num_bytes, &object) &&
                tg_descriptor_write_all(to, object.data, object.size)
             ? 0
             : 1;
}

/* ---- what it makes ------------------------------------------------------- */

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

/* What a maker writes before it ends well. */
static bool
take_object(pid_t maker, int from, struct exec_object *object_out)
{
   const uint64_t end = tg_clock_now() + MOST_SECONDS * UINT64_C(1000000000);
   unsigned char *bytes = malloc(EXEC_MAX_OBJECT);
   const size_t size =
      bytes ? read_until(from, bytes, EXEC_MAX_OBJECT, end) : 0;
   int status = 1;

   if (size == 0)
      kill(maker, SIGKILL);
   while (waitpid(maker, &status, 0) < 0 && errno == EINTR)
      ;
   if (size > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      *object_out = (struct exec_object){bytes, size};
      return true;
   }
   free(bytes);
   return false;
}

bool
vtest_make_object(const struct exec_executor *executor, const void *module,
                  size_t num_bytes, struct exec_object *object_out)
{
   int ends[2];

   if (pipe2(ends, O_CLOEXEC) != 0)
      return false;
   const pid_t maker = fork();
   if (maker == 0)
      _exit(work(executor, module, num_bytes, ends[1]));
   close(ends[1]);
   const bool is_made = maker > 0 && take_object(maker, ends[0], object_out);
   close(ends[0]);
   return is_made;
}
