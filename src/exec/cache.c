/* SPDX-License-Identifier: MIT
 *
 * The kernel cache: a hash table of chains, doubled when it is full.
 */
#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL /* and nothing to be linked */
#include <xxhash.h>

#include "exec/kernel.h"

enum { FIRST_BUCKETS = 64 };

static void *
allocate(const struct exec_cache *cache, size_t size)
{
   return cache->allocator->resize(cache->allocator->user, NULL, 0, size);
}

static void
release(const struct exec_cache *cache, void *memory, size_t size)
{
   if (memory)
      cache->allocator->resize(cache->allocator->user, memory, size, 0);
}

/* ---- kernels ------------------------------------------------------------- */

static void
destroy(const struct exec_cache *cache, struct exec_kernel *kernel)
{
   exec_code_destroy(cache->allocator, kernel->code);
   release(cache, kernel, sizeof(*kernel) + kernel->key_size);
}

/* Takes the code over; NULL, and it is gone, when out of memory. */
static struct exec_kernel *
create(const struct exec_cache *cache, const struct exec_source *source,
       uint64_t hash, struct exec_code *code)
{
   struct exec_kernel *kernel =
      allocate(cache, sizeof(*kernel) + source->key_size);

   if (!kernel) {
      exec_code_destroy(cache->allocator, code);
      return NULL;
   }
   memcpy(kernel + 1, source->key, source->key_size);
   *kernel = (struct exec_kernel){
      .code = code,
      .shader = source->shader,
      .key = kernel + 1,
      .key_size = source->key_size,
      .hash = hash,
   };
   return kernel;
}

/* ---- the table ----------------------------------------------------------- */

static struct exec_kernel *
find(const struct exec_cache *cache, const void *key, size_t key_size,
     uint64_t hash)
{
   if (!cache->num_buckets)
      return NULL;
   struct exec_kernel *kernel = cache->buckets[hash & (cache->num_buckets - 1)];

   while (kernel && (kernel->hash != hash || kernel->key_size != key_size ||
                     memcmp(kernel->key, key, key_size) != 0))
      kernel = kernel->next;
   return kernel;
}

static void
insert(struct exec_kernel **buckets, uint32_t num_buckets,
       struct exec_kernel *kernel)
{
   struct exec_kernel **bucket = &buckets[kernel->hash & (num_buckets - 1)];

   kernel->next = *bucket;
   *bucket = kernel;
}

/* Makes room for one more kernel. */
static bool
reserve(struct exec_cache *cache)
{
   if (cache->num_kernels < cache->num_buckets)
      return true;

   const uint32_t num_buckets =
      cache->num_buckets ? cache->num_buckets * 2 : FIRST_BUCKETS;
   const size_t size = num_buckets * sizeof(*cache->buckets);
   struct exec_kernel **buckets = allocate(cache, size);
   if (!buckets)
      return false;
   memset(buckets, 0, size);
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct exec_kernel *k = cache->buckets[i], *next; k; k = next) {
         next = k->next;
         insert(buckets, num_buckets, k);
      }
   }
   release(cache, cache->buckets, cache->num_buckets * sizeof(*cache->buckets));
   cache->buckets = buckets;
   cache->num_buckets = num_buckets;
   return true;
}

/* Adds a kernel, unless another thread was faster: the one that is there then,
 * or NULL when out of memory. Takes the kernel over. */
static const struct exec_kernel *
add(struct exec_cache *cache, struct exec_kernel *kernel)
{
   pthread_mutex_lock(&cache->mutex);
   const struct exec_kernel *there =
      find(cache, kernel->key, kernel->key_size, kernel->hash);
   if (!there && reserve(cache)) {
      insert(cache->buckets, cache->num_buckets, kernel);
      cache->num_kernels++;
      there = kernel;
   }
   pthread_mutex_unlock(&cache->mutex);
   if (there != kernel)
      destroy(cache, kernel);
   return there;
}

static const struct exec_kernel *
look_up(struct exec_cache *cache, const struct exec_source *source,
        uint64_t hash)
{
   pthread_mutex_lock(&cache->mutex);
   const struct exec_kernel *kernel =
      find(cache, source->key, source->key_size, hash);
   pthread_mutex_unlock(&cache->mutex);
   return kernel;
}

/* Compiles without the lock: others go on meanwhile. */
enum tg_result
exec_cache_get(struct exec_cache *cache, const struct exec_compiler *compiler,
               const struct exec_source *source,
               struct tg_diagnostics *diagnostics,
               const struct exec_kernel **kernel_out, bool *is_new_out)
{
   assert(source->key_size > 0);
   assert(compiler->allocator == cache->allocator);
   const uint64_t hash = XXH64(source->key, source->key_size, 0);

   if (is_new_out)
      *is_new_out = false;
   *kernel_out = look_up(cache, source, hash);
   if (*kernel_out) {
      profile_count_in_span(compiler->profile, PROFILE_KERNELS_FOUND);
      return TG_OK;
   }

   struct exec_code *code;
   const enum tg_result result =
      exec_compile(compiler, source, diagnostics, &code);
   if (result != TG_OK)
      return result;
   struct exec_kernel *kernel = create(cache, source, hash, code);
   *kernel_out = kernel ? add(cache, kernel) : NULL;
   if (is_new_out)
      *is_new_out = kernel && *kernel_out == kernel;
   return *kernel_out ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- the cache ----------------------------------------------------------- */

enum tg_result
exec_cache_init(struct exec_cache *cache, const struct tg_allocator *allocator)
{
   *cache = (struct exec_cache){.allocator = allocator};
   return pthread_mutex_init(&cache->mutex, NULL) == 0 ? TG_OK
                                                       : TG_ERROR_MEMORY;
}

static bool
begins_with(const struct exec_kernel *kernel, const void *prefix, size_t size)
{
   return kernel->key_size >= size && memcmp(kernel->key, prefix, size) == 0;
}

void
exec_cache_drop(struct exec_cache *cache, const void *prefix,
                size_t prefix_size)
{
   pthread_mutex_lock(&cache->mutex);
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct exec_kernel **link = &cache->buckets[i]; *link;) {
         struct exec_kernel *kernel = *link;

         if (!begins_with(kernel, prefix, prefix_size)) {
            link = &kernel->next;
            continue;
         }
         *link = kernel->next;
         cache->num_kernels--;
         destroy(cache, kernel);
      }
   }
   pthread_mutex_unlock(&cache->mutex);
}

void
exec_cache_finish(struct exec_cache *cache)
{
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct exec_kernel *k = cache->buckets[i], *next; k; k = next) {
         next = k->next;
         destroy(cache, k);
      }
   }
   release(cache, cache->buckets, cache->num_buckets * sizeof(*cache->buckets));
   pthread_mutex_destroy(&cache->mutex);
}
