/* SPDX-License-Identifier: MIT
 *
 * The code cache: a folder with a file for each object, named by its digest.
 * Files are written under another name and renamed, so that each is whole.
 */
#ifndef TG_EXEC_STORE_FOLDER_H
#define TG_EXEC_STORE_FOLDER_H

#include <pthread.h>

#include "exec/store.h"
#include "tungsten/code_cache.h"

enum {
   EXEC_FILE_NAME = 2 * EXEC_DIGEST_BYTES + 1, /* with its NUL */
};

/* See struct tg_code_cache_statistics. */
struct exec_store_counts {
   atomic_uint_fast64_t found, missed, refused, kept, lost, removed;
};

struct tg_code_cache {
   struct tg_allocator allocator;
   struct exec_store store; /* its functions; `user` is the cache */
   struct exec_store_counts counts;
   int folder; /* descriptor, or -1 where others do the work */
   uint64_t max_bytes;
   pthread_mutex_t mutex; /* of all that follows */
   uint64_t num_bytes;    /* in the folder, as far as known */
   uint64_t num_unseen;   /* of these added since it was looked at */
   unsigned next_number;  /* of a file that is being written */
};

/* What executors are given; NULL gives NULL. */
static inline const struct exec_store *
exec_cache_store(const struct tg_code_cache *cache)
{
   return cache ? &cache->store : NULL;
}

/* Finds, and keeps, in the folder. */
bool
exec_folder_find(void *cache, const struct exec_digest *digest,
                 struct exec_object *object_out);
void
exec_folder_keep(void *cache, const struct exec_digest *digest,
                 const void *data, size_t size);

/* Can nobody but this user and the superuser write a file or folder? */
struct stat;
bool
exec_folder_is_ours(const struct stat *status);

/* The name of the file of a digest. */
void
exec_folder_name(const struct exec_digest *digest, char name[EXEC_FILE_NAME]);

/* evict.c: looks what is in the folder, and removes what was not used for the
 * longest time until `more` bytes fit; and what writers left that were killed.
 * The mutex is held. */
void
exec_evict_from_folder(struct tg_code_cache *cache, uint64_t more);

/* What a file of so many bytes takes. */
static inline uint64_t
exec_folder_blocks(uint64_t num_bytes)
{
   enum { BLOCK = 4096 };

   return (num_bytes + BLOCK - 1) / BLOCK * BLOCK;
}

/* Names of files that are being written begin with it. */
#define EXEC_FOLDER_NEW "new-"

#endif
