/* SPDX-License-Identifier: MIT
 *
 * Perf maps: a line for each function, its address and size in hexadecimal, and
 * its name; and what TUNGSTEN_JIT_DEBUG asks for.
 */
#include "exec/jit/names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
jit_names_are_for_perf(void)
{
   pthread_once(&wanted.once, read_wanted);
   return wanted.perf;
}

bool
jit_names_are_for_gdb(void)
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
jit_print_name(const struct lir_module *module, char title[JIT_TITLE_BYTES])
{
   const char *name = module->symbols.name;

   snprintf(title, JIT_TITLE_BYTES, "%s", name ? name : "kernel");
   for (char *at = title; *at; at++) {
      if (!is_of_name(*at))
         *at = '_';
   }
}

/* ---- perf's map ---------------------------------------------------------- */

pthread_mutex_t jit_names_mutex = PTHREAD_MUTEX_INITIALIZER;

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

/* The mutex is held. */
static void
open_map(void)
{
   const pid_t process = getpid();

   if (map.process == process)
      return;
   map.process = process;
   map.file = create_map(process);
}

/* Likewise. */
static void
write_line(const char *line, size_t length)
{
   open_map();
   if (map.file >= 0 && write(map.file, line, length) != (ssize_t)length) {
      close(map.file);
      map.file = -1;
   }
}

void
jit_open_map_of_names(void)
{
   if (!jit_names_are_for_perf())
      return;
   pthread_mutex_lock(&jit_names_mutex);
   open_map();
   pthread_mutex_unlock(&jit_names_mutex);
}

void
jit_add_name_to_map(const struct lir_module *module, uint32_t number,
                    const void *code, size_t size)
{
   char title[JIT_TITLE_BYTES], line[JIT_TITLE_BYTES + 64];

   if (!jit_names_are_for_perf())
      return;
   jit_print_name(module, title);
   const int length =
      snprintf(line, sizeof(line), "%" PRIxPTR " %zx %s_%08" PRIx32 "\n",
               (uintptr_t)code, size, title, number);
   pthread_mutex_lock(&jit_names_mutex);
   write_line(line, (size_t)length);
   pthread_mutex_unlock(&jit_names_mutex);
}

void
jit_forget_names(void)
{
   pthread_mutex_init(&jit_names_mutex, NULL);
}
