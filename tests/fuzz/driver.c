/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target as an ordinary program: on each file named and each file
 * in the folders named, and on so many mutations of them as --mutate says, or
 * as many as --seconds leave time for. The same seed gives the same mutations.
 *
 *    fuzz_text [--mutate N] [--seconds N] [--seed S] FILE|FOLDER...
 *
 * When a target aborts, or takes longer than MAX_SECONDS for an input, that
 * input is in the file crash-input.
 */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

enum {
   MAX_BYTES = 1 << 20, /* bytes; the rest of a longer file is not used */
   MAX_FILES = 1 << 16, /* files */
   MAX_PIECE = 64,      /* bytes that one mutation moves */
   MAX_SECONDS = 20,    /* that one input may take */
};

struct input {
   uint8_t *data;
   size_t size;
};

static struct {
   struct input *list;
   size_t count;
} inputs;

/* What the target is looking at, for the file that tells of a crash. */
static struct {
   const uint8_t *data;
   size_t size;
} current;

static void
fail(const char *what, const char *name)
{
   fprintf(stderr, "%s: %s\n", what, name);
   exit(2);
}

/* ---- inputs -------------------------------------------------------------- */

static void
add_file(const char *path)
{
   FILE *file = fopen(path, "rb");
   uint8_t *data = malloc(MAX_BYTES);

   if (!file || !data || inputs.count == MAX_FILES)
      fail("cannot read", path);
   size_t size = fread(data, 1, MAX_BYTES, file);
   fclose(file);
   uint8_t *fitting = realloc(data, size ? size : 1);
   inputs.list[inputs.count++] = (struct input){fitting ? fitting : data, size};
}

static bool
is_folder(const char *path)
{
   struct stat status;

   if (stat(path, &status) != 0)
      fail("no such file", path);
   return S_ISDIR(status.st_mode);
}

static int
is_visible(const struct dirent *entry)
{
   return entry->d_name[0] != '.';
}

/* Files of a folder in the order of their names, so that a seed means the same
 * on every machine. */
static void
add_folder(const char *path)
{
   struct dirent **entries;
   int count = scandir(path, &entries, is_visible, alphasort);

   if (count < 0)
      fail("cannot list", path);
   for (int i = 0; i < count; i++) {
      char name[4096];

      snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
      if (!is_folder(name))
         add_file(name);
      free(entries[i]);
   }
   free(entries);
}

/* ---- mutation ------------------------------------------------------------ */

/* xorshift64*: small, and the same everywhere. */
static uint64_t random_state;

static uint64_t
random_number(void)
{
   random_state ^= random_state >> 12;
   random_state ^= random_state << 25;
   random_state ^= random_state >> 27;
   return random_state * UINT64_C(2685821657736338717);
}

/* Below `bound`, which is not 0. */
static size_t
random_below(size_t bound)
{
   return (size_t)(random_number() >> 16) % bound;
}

static size_t
least(size_t a, size_t b)
{
   return a < b ? a : b;
}

/* Puts `size` bytes at `at` into the buffer, which has room for MAX_BYTES. */
static void
insert(struct input *buffer, size_t at, const uint8_t *data, size_t size)
{
   size = least(size, MAX_BYTES - buffer->size);
   memmove(buffer->data + at + size, buffer->data + at, buffer->size - at);
   memcpy(buffer->data + at, data, size);
   buffer->size += size;
}

static void
cut(struct input *buffer, size_t at, size_t size)
{
   size = least(size, buffer->size - at);
   memmove(buffer->data + at, buffer->data + at + size,
           buffer->size - at - size);
   buffer->size -= size;
}

/* A piece of any input, at most MAX_PIECE bytes. */
static size_t
pick_piece(uint8_t piece[MAX_PIECE])
{
   const struct input *from = &inputs.list[random_below(inputs.count)];

   if (!from->size)
      return 0;
   size_t start = random_below(from->size);
   size_t size = least(1 + random_below(MAX_PIECE), from->size - start);
   memcpy(piece, from->data + start, size);
   return size;
}

static void
mutate_once(struct input *buffer)
{
   size_t at = buffer->size ? random_below(buffer->size) : 0;
   uint8_t piece[MAX_PIECE];
   size_t size = pick_piece(piece);
   uint8_t byte = (uint8_t)random_number();

   switch (random_below(7)) {
   case 0: /* a bit */
      if (buffer->size)
         buffer->data[at] ^= (uint8_t)(1 << random_below(8));
      break;
   case 1: /* a byte */
      if (buffer->size)
         buffer->data[at] = byte;
      break;
   case 2: /* a byte more */ insert(buffer, at, &byte, 1); break;
   case 3: /* less */ cut(buffer, at, 1 + random_below(MAX_PIECE / 4)); break;
   case 4: /* something from elsewhere */
      insert(buffer, at, piece, size);
      break;
   case 5: /* something from elsewhere instead */
      cut(buffer, at, size);
      insert(buffer, at, piece, size);
      break;
   case 6: /* the end is gone */
      if (random_below(4) == 0)
         buffer->size = at;
      break;
   }
}

/* ---- running ------------------------------------------------------------- */

static void
run(const uint8_t *data, size_t size)
{
   current.data = data;
   current.size = size;
   alarm(MAX_SECONDS);
   LLVMFuzzerTestOneInput(data, size);
}

/* Runs `count` mutations, or fewer when the time is over first; how many. */
static uint64_t
run_mutations(uint64_t count, time_t end, uint64_t seed)
{
   uint64_t done = 0;
   struct input buffer = {malloc(MAX_BYTES), 0};

   if (!buffer.data)
      fail("out of memory", "mutations");
   random_state = seed * 2 + 1;
   for (; done < count && time(NULL) < end; done++) {
      const struct input *from = &inputs.list[random_below(inputs.count)];

      buffer.size = from->size;
      memcpy(buffer.data, from->data, from->size);
      for (size_t times = 1 + random_below(8); times > 0; times--)
         mutate_once(&buffer);

      /* In memory of its own size, so that reading past the end is seen. */
      uint8_t *exact = malloc(buffer.size ? buffer.size : 1);
      if (!exact)
         fail("out of memory", "mutations");
      memcpy(exact, buffer.data, buffer.size);
      run(exact, buffer.size);
      free(exact);
   }
   free(buffer.data);
   return done;
}

static void
keep_crash(int signal_number)
{
   FILE *file = fopen("crash-input", "wb");

   if (file) {
      fwrite(current.data, 1, current.size, file);
      fclose(file);
   }
   signal(signal_number, SIG_DFL);
   raise(signal_number);
}

static uint64_t
number_after(int argc, char **argv, int *index)
{
   if (*index + 1 >= argc)
      fail("a number is missing behind", argv[*index]);
   return strtoull(argv[++*index], NULL, 10);
}

int
main(int argc, char **argv)
{
   uint64_t num_mutations = 0;
   uint64_t num_seconds = 0;
   uint64_t seed = 1;

   signal(SIGABRT, keep_crash);
   signal(SIGALRM, keep_crash);
   inputs.list = calloc(MAX_FILES, sizeof(*inputs.list));
   if (!inputs.list)
      fail("out of memory", "inputs");
   for (int i = 1; i < argc; i++) {
      if (strcmp(argv[i], "--mutate") == 0)
         num_mutations = number_after(argc, argv, &i);
      else if (strcmp(argv[i], "--seconds") == 0)
         num_seconds = number_after(argc, argv, &i);
      else if (strcmp(argv[i], "--seed") == 0)
         seed = number_after(argc, argv, &i);
      else if (is_folder(argv[i]))
         add_folder(argv[i]);
      else
         add_file(argv[i]);
   }
   if (!inputs.count)
      fail("usage", "[--mutate N] [--seconds N] [--seed S] FILE|FOLDER...");
   for (size_t i = 0; i < inputs.count; i++)
      run(inputs.list[i].data, inputs.list[i].size);
   if (num_seconds)
      num_mutations =
         run_mutations(UINT64_MAX, time(NULL) + (time_t)num_seconds, seed);
   else
      run_mutations(num_mutations, time(NULL) + INT32_MAX, seed);
   printf("%zu inputs, %" PRIu64 " mutations\n", inputs.count, num_mutations);

   for (size_t i = 0; i < inputs.count; i++)
      free(inputs.list[i].data);
   free(inputs.list);
   return 0;
}
