/* SPDX-License-Identifier: MIT
 *
 * Perf maps: a line for each function, its address and size in hexadecimal, and
 * its name; and what TUNGSTEN_JIT_DEBUG asks for.
 */
#include "exec/jit/debug.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec/jit/target.h"
#include "exec/store.h"

/* ---- the environment variable -------------------------------------------- */

static struct {
   pthread_once_t once;
   bool perf, gdb;
} wanted = {.once = PTHREAD_ONCE_INIT};

/* Is a word one of those between commas? */
static bool
has_word(const char *words, const char *word)
{
   const size_t length = strlen(word);

   for (const char *at = words; at; at = strchr(at, ',')) {
      at += *at == ',';
      if (strncmp(at, word, length) == 0 && (!at[length] || at[length] == ','))
         return true;
   }
   return false;
}

static void
read_wanted(void)
{
   const char *words = getenv("TUNGSTEN_JIT_DEBUG");

   wanted.perf = has_word(words, "perf");
   wanted.gdb = has_word(words, "gdb");
}

bool
jit_wants_perf(void)
{
   pthread_once(&wanted.once, read_wanted);
   return wanted.perf;
}

bool
jit_wants_gdb(void)
{
   pthread_once(&wanted.once, read_wanted);
   return wanted.gdb;
}

static bool
is_of_name(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9');
}

void
jit_print_title(const struct lir_module *module, char title[JIT_TITLE_BYTES])
{
   const char *name = module->symbols.name;

   snprintf(title, JIT_TITLE_BYTES, "%s", name ? name : "kernel");
   for (char *at = title; *at; at++) {
      if (!is_of_name(*at))
         *at = '_';
   }
}

/* ---- perf's map ---------------------------------------------------------- */

static struct {
   pid_t process; /* whose it is: a child of fork() has another; 0: none */
   int file;      /* or -1 */
} map;

/* Replaces the map of an earlier process with the same number; O_EXCL, so that
 * a link that another user has put there is not followed. */
static int
create_map(pid_t process)
{
   char path[32];

   snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)process);
   unlink(path);
   return open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
}

void
jit_open_map(void)
{
   const pid_t process = getpid();

   if (!jit_wants_perf() || map.process == process)
      return;
   map.process = process;
   map.file = create_map(process);
}

/* Kernels of one shader for different state differ by their digests. */
void
jit_add_to_map(const struct lir_module *module,
               const struct exec_digest *digest,
               const struct jit_linked *linked)
{
   char title[JIT_TITLE_BYTES], line[JIT_TITLE_BYTES + 64];

   jit_open_map();
   if (!jit_wants_perf() || map.file < 0)
      return;
   jit_print_title(module, title);
   const int length = snprintf(
      line, sizeof(line), "%" PRIxPTR " %zx %s_%02x%02x%02x%02x\n",
      (uintptr_t)linked->function, linked->size, title, digest->bytes[0],
      digest->bytes[1], digest->bytes[2], digest->bytes[3]);
   if (write(map.file, line, (size_t)length) != length) {
      close(map.file);
      map.file = -1;
   }
}
