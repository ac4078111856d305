/* SPDX-License-Identifier: MIT
 *
 * A folder of a test's own, which is the current one while the test runs.
 */
#ifndef TESTS_FILE_FOLDER_H
#define TESTS_FILE_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder_path[64];

static int
folder_make(void **test)
{
   (void)test;
   snprintf(folder_path, sizeof(folder_path), "/tmp/tungsten-file-XXXXXX");
   return mkdtemp(folder_path) ? chdir(folder_path) : -1;
}

static int
folder_remove(void **test)
{
   char command[128];

   (void)test;
   snprintf(command, sizeof(command), "rm -rf %s", folder_path);
   return chdir("/") == 0 ? system(command) : -1;
}

static inline void
folder_put(const char *path, const char *text)
{
   const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

   assert_true(fd >= 0);
   assert_int_equal(write(fd, text, strlen(text)), strlen(text));
   assert_int_equal(close(fd), 0);
}

static inline void
folder_expect(const char *path, const char *text)
{
   char found[256] = "";
   const int fd = open(path, O_RDONLY);

   assert_true(fd >= 0);
   assert_true(read(fd, found, sizeof(found) - 1) >= 0);
   assert_string_equal(found, text);
   close(fd);
}

/* How many names there are. */
static inline int
folder_count(void)
{
   struct dirent **entries;
   const int count = scandir(".", &entries, NULL, NULL);

   for (int i = 0; i < count; i++)
      free(entries[i]);
   free(entries);
   return count - 2;
}

#endif
