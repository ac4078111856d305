/* SPDX-License-Identifier: MIT
 *
 * The code cache of the public API: its lifetime and its statistics.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec/store/folder.h"
#include "util/diagnostics.h"
#include "util/sized.h"

/* The descriptor; -1 with a diagnostic. */
static int
open_folder(const char *path, struct tg_diagnostics *diagnostics)
{
   struct stat status;

   mkdir(path, 0700);
   const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   if (folder < 0) {
      tg_complain(diagnostics, TG_ERROR_IO, "code-cache",
                  "cannot open the folder '%s': %s", path, strerror(errno));
      return -1;
   }
   if (fstat(folder, &status) == 0 && exec_folder_is_ours(&status))
      return folder;
   tg_complain(diagnostics, TG_ERROR_IO, "code-cache",
               "others may write to '%s', whose code would be run", path);
   close(folder);
   return -1;
}

static void
destroy(struct tg_code_cache *cache)
{
   const struct tg_allocator allocator = cache->allocator;

   if (cache->folder >= 0)
      close(cache->folder);
   allocator.resize(allocator.user, cache, sizeof(*cache), 0);
}

enum tg_result
tg_code_cache_create(const struct tg_allocator *allocator,
                     const struct tg_code_cache_options *given,
                     struct tg_diagnostics *diagnostics,
                     struct tg_code_cache **cache_out)
{
   assert(cache_out);
   struct tg_code_cache_options options;
   enum tg_result result =
      tg_code_cache_options_take(&options, given, diagnostics);
   if (result == TG_OK && !options.folder)
      result = tg_complain(diagnostics, TG_ERROR_INPUT, "code-cache",
                           "a code cache wants a folder");
   if (result != TG_OK)
      return result;
   if (!allocator)
      allocator = tg_default_allocator();
   struct tg_code_cache *cache =
      allocator->resize(allocator->user, NULL, 0, sizeof(*cache));
   if (!cache)
      return TG_ERROR_MEMORY;
   *cache = (struct tg_code_cache){
      .allocator = *allocator,
      .store = {exec_folder_find, NULL, exec_folder_keep, cache},
      .folder = open_folder(options.folder, diagnostics),
      .max_bytes =
         options.max_bytes ? options.max_bytes : TG_CODE_CACHE_USUAL_BYTES,
   };
   if (cache->folder < 0 || pthread_mutex_init(&cache->mutex, NULL) != 0) {
      result = cache->folder < 0 ? TG_ERROR_IO : TG_ERROR_MEMORY;
      destroy(cache);
      return result;
   }
   exec_evict_from_folder(cache, 0);
   *cache_out = cache;
   return TG_OK;
}

void
tg_code_cache_destroy(struct tg_code_cache *cache)
{
   if (!cache)
      return;
   pthread_mutex_destroy(&cache->mutex);
   destroy(cache);
}

enum tg_result
tg_code_cache_get_statistics(const struct tg_code_cache *cache,
                             struct tg_code_cache_statistics *statistics_out)
{
   assert(cache);
   assert(statistics_out);
   const struct exec_store_counts *counts = &cache->counts;
   const struct tg_code_cache_statistics statistics = {
      .found = atomic_load(&counts->found),
      .missed = atomic_load(&counts->missed),
      .refused = atomic_load(&counts->refused),
      .kept = atomic_load(&counts->kept),
      .lost = atomic_load(&counts->lost),
      .removed = atomic_load(&counts->removed),
   };

   return tg_code_cache_statistics_give(&statistics, statistics_out);
}
