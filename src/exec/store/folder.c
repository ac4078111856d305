/* SPDX-License-Identifier: MIT
 *
 * The code cache's folder: reading and writing entries. What is
 * read is machine code, so nobody else may have written it.
 */
#include "exec/store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "exec/store/entry.h"
#include "util/descriptor.h"
#include "util/diagnostics.h"

enum {
   SECONDS_UNTIL_TOUCHED = 60 * 60, /* a use shows in the time of the file */
   LOOKS_PER_BOUND = 16,
};

/* ---- trust --------------------------------------------------------------- */

bool
exec_folder_is_ours(const struct stat *status)
{
   return (status->st_uid == geteuid() || status->st_uid == 0) &&
          !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* ---- reading ------------------------------------------------------------- */

void
exec_folder_name(const struct exec_digest *digest, char name[EXEC_FILE_NAME])
{
   for (unsigned i = 0; i < EXEC_DIGEST_BYTES; i++)
      sprintf(name + 2 * (size_t)i, "%02x", digest->bytes[i]);
}

/* The object of a whole entry. */
static bool
read_entry(int file, size_t num_bytes, const struct exec_digest *digest,
           struct exec_object *object_out)
{
   unsigned char *entry = malloc(num_bytes);

   if (!entry || !tg_descriptor_read_all(file, entry, num_bytes) ||
       !exec_entry_is_good(digest, entry, num_bytes)) {
      free(entry);
      return false;
   }
   object_out->data = entry;
   object_out->size = num_bytes - EXEC_ENTRY_HEADER;
   memmove(entry, entry + EXEC_ENTRY_HEADER, object_out->size);
   return true;
}

/* What is used is not the oldest. */
static void
touch(int file, const struct stat *status)
{
   if (time(NULL) - status->st_mtime > SECONDS_UNTIL_TOUCHED)
      futimens(file, NULL);
}

static bool
read_file(int file, const struct exec_digest *digest,
          struct exec_object *object_out)
{
   struct stat status;

   if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
       !exec_folder_is_ours(&status) || status.st_size <= EXEC_ENTRY_HEADER ||
       status.st_size > EXEC_ENTRY_HEADER + EXEC_MAX_OBJECT ||
       !read_entry(file, (size_t)status.st_size, digest, object_out))
      return false;
   touch(file, &status);
   return true;
}

static void
count(atomic_uint_fast64_t *counter)
{
   atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

bool
exec_folder_find(void *user, const struct exec_digest *digest,
                 struct exec_object *object_out)
{
   struct tg_code_cache *cache = user;
   char name[EXEC_FILE_NAME];

   exec_folder_name(digest, name);
   const int file =
      openat(cache->folder, name,
             O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
   if (file < 0) {
      count(errno == ENOENT ? &cache->counts.missed : &cache->counts.refused);
      return false;
   }
   const bool is_good = read_file(file, digest, object_out);
   close(file);
   count(is_good ? &cache->counts.found : &cache->counts.refused);
   return is_good;
}

/* ---- writing ------------------------------------------------------------- */

static bool
write_entry(int file, const struct exec_digest *digest, const void *data,
            size_t size)
{
   unsigned char header[EXEC_ENTRY_HEADER];

   exec_entry_header(digest, data, size, header);
   return tg_descriptor_write_all(file, header, sizeof(header)) &&
          tg_descriptor_write_all(file, data, size);
}

/* The file gets its name, whatever had it, when it is whole. It need not be on
 * the disk: what a crash leaves of it has another checksum. */
static bool
write_file(struct tg_code_cache *cache, unsigned number,
           const struct exec_digest *digest, const void *data, size_t size)
{
   char name[EXEC_FILE_NAME], new_name[64];

   exec_folder_name(digest, name);
   snprintf(new_name, sizeof(new_name), EXEC_FOLDER_NEW "%d-%u", (int)getpid(),
            number);
   const int file = openat(cache->folder, new_name,
                           O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
   if (file < 0)
      return false;
   const bool is_written = write_entry(file, digest, data, size);
   if (close(file) == 0 && is_written &&
       renameat(cache->folder, new_name, cache->folder, name) == 0)
      return true;
   unlinkat(cache->folder, new_name, 0);
   return false;
}

/* Counts a new file in, after room was made for it; false if it is too large.
 * The mutex is held. */
static bool
reserve(struct tg_code_cache *cache, uint64_t more)
{
   if (more > cache->max_bytes)
      return false;
   if (cache->num_bytes + more > cache->max_bytes ||
       cache->num_unseen + more > cache->max_bytes / LOOKS_PER_BOUND)
      exec_evict_from_folder(cache, more);
   cache->num_bytes += more;
   cache->num_unseen += more;
   return true;
}

void
exec_folder_keep(void *user, const struct exec_digest *digest, const void *data,
                 size_t size)
{
   struct tg_code_cache *cache = user;
   const uint64_t more = exec_folder_blocks(EXEC_ENTRY_HEADER + size);

   pthread_mutex_lock(&cache->mutex);
   const bool fits = reserve(cache, more);
   const unsigned number = cache->next_number++;
   pthread_mutex_unlock(&cache->mutex);
   const bool is_kept = fits && write_file(cache, number, digest, data, size);
   count(is_kept ? &cache->counts.kept : &cache->counts.lost);
}
