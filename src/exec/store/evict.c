/* SPDX-License-Identifier: MIT
 *
 * Eviction from the code cache: least recently used first, by the times of
 * files. Files with names of others are left alone.
 */
#include "exec/store/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS_UNTIL_LEFT = 60 * 60 }; /* that no writer takes for a file */

struct file {
   char name[EXEC_FILE_NAME];
   struct timespec used;
   uint64_t num_bytes;
};

struct listing {
   struct file *files;
   size_t count, capacity;
   uint64_t num_bytes;
};

static bool
is_name(const char *name)
{
   return strlen(name) == EXEC_FILE_NAME - 1 &&
          strspn(name, "0123456789abcdef") == EXEC_FILE_NAME - 1;
}

static bool
is_new_name(const char *name)
{
   return strncmp(name, EXEC_FOLDER_NEW, strlen(EXEC_FOLDER_NEW)) == 0;
}

/* False when out of memory. */
static bool
add_file(struct listing *listing, const char *name, const struct stat *status)
{
   if (listing->count == listing->capacity) {
      const size_t capacity = listing->capacity ? listing->capacity * 2 : 256;
      struct file *files =
         reallocarray(listing->files, capacity, sizeof(*files));

      if (!files)
         return false;
      listing->files = files;
      listing->capacity = capacity;
   }
   struct file *file = &listing->files[listing->count++];
   memcpy(file->name, name, EXEC_FILE_NAME);
   file->used = status->st_mtim;
   file->num_bytes = exec_folder_blocks((uint64_t)status->st_size);
   listing->num_bytes += file->num_bytes;
   return true;
}

static void
list_file(struct tg_code_cache *cache, const char *name,
          struct listing *listing)
{
   struct stat status;

   if ((!is_name(name) && !is_new_name(name)) ||
       fstatat(cache->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      return;
   if (is_name(name))
      add_file(listing, name, &status);
   else if (time(NULL) - status.st_mtime > SECONDS_UNTIL_LEFT)
      unlinkat(cache->folder, name, 0);
}

static void
list_files(struct tg_code_cache *cache, struct listing *listing)
{
   const int folder =
      openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
   const struct dirent *entry;

   if (!entries) {
      if (folder >= 0)
         close(folder);
      return;
   }
   while ((entry = readdir(entries)))
      list_file(cache, entry->d_name, listing);
   closedir(entries);
}

static int
compare_use(const void *a, const void *b)
{
   const struct timespec *x = &((const struct file *)a)->used;
   const struct timespec *y = &((const struct file *)b)->used;

   if (x->tv_sec != y->tv_sec)
      return x->tv_sec < y->tv_sec ? -1 : 1;
   return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Beyond what has to go, so that it is not looked for again at once. */
static void
remove_oldest(struct tg_code_cache *cache, struct listing *listing,
              uint64_t most)
{
   qsort(listing->files, listing->count, sizeof(*listing->files), compare_use);
   for (size_t i = 0; i < listing->count && listing->num_bytes > most; i++) {
      if (unlinkat(cache->folder, listing->files[i].name, 0) != 0)
         continue;
      listing->num_bytes -= listing->files[i].num_bytes;
      atomic_fetch_add_explicit(&cache->counts.removed, 1,
                                memory_order_relaxed);
   }
}

void
exec_evict_from_folder(struct tg_code_cache *cache, uint64_t more)
{
   struct listing listing = {0};
   const uint64_t free_part = cache->max_bytes / 4;

   list_files(cache, &listing);
   if (listing.num_bytes + more > cache->max_bytes)
      remove_oldest(cache, &listing,
                    cache->max_bytes - (more > free_part ? more : free_part));
   cache->num_bytes = listing.num_bytes;
   cache->num_unseen = 0;
   free(listing.files);
}
