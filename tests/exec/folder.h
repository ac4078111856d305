/* SPDX-License-Identifier: MIT
 *
 * Folders that tests make below /tmp, and take away with all files in them.
 */
#ifndef TESTS_EXEC_FOLDER_H
#define TESTS_EXEC_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
   char path[64];
};

static inline struct folder
folder_make(void)
{
   struct folder folder = {"/tmp/test-code-XXXXXX"};

   if (!mkdtemp(folder.path))
      abort();
   return folder;
}

/* Calls a function with the path of each file; how many there are. */
static inline unsigned
folder_each(const struct folder *folder,
            void (*function)(const char *path, void *user), void *user)
{
   DIR *entries = opendir(folder->path);
   const struct dirent *entry;
   unsigned count = 0;

   while (entries && (entry = readdir(entries))) {
      char path[512];

      if (entry->d_name[0] == '.')
         continue;
      snprintf(path, sizeof(path), "%s/%s", folder->path, entry->d_name);
      if (function)
         function(path, user);
      count++;
   }
   closedir(entries);
   return count;
}

static inline void
folder_remove_file(const char *path, void *user)
{
   (void)user;
   unlink(path);
}

static inline void
folder_remove(const struct folder *folder)
{
   chmod(folder->path, 0700);
   folder_each(folder, folder_remove_file, NULL);
   if (rmdir(folder->path) != 0)
      abort();
}

#endif
