/* SPDX-License-Identifier: MIT
 *
 * The kernel cache: a hash table of chains, doubled when it is full. Keys
 * of two stages cannot be mistaken for each other: they begin with the shader's
 * id.
 */
#include "gpu/core/kernel.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL /* and nothing to be linked */
#include <xxhash.h>

#include "gpu/core/fault.h"
#include "gpu/core/key.h"
#include "gpu/core/memory.h"
#include "lir/passes.h"

static struct gpu_kernel *
find(const struct gpu_kernel_cache *cache, const void *key, size_t key_size,
     uint64_t hash)
{
   if (!cache->num_buckets)
      return NULL;
   struct gpu_kernel *kernel = cache->buckets[hash & (cache->num_buckets - 1)];
   while (kernel && (kernel->hash != hash || kernel->key_size != key_size ||
                     memcmp(kernel->key, key, key_size) != 0))
      kernel = kernel->next;
   return kernel;
}

/* Makes room for one more kernel. */
static bool
reserve(const struct gpu_compiler *compiler)
{
   struct gpu_kernel_cache *cache = compiler->cache;
   if (cache->num_kernels < cache->num_buckets)
      return true;

   const uint32_t num_buckets =
      cache->num_buckets ? cache->num_buckets * 2 : 64;
   void *memory = NULL;
   if (!gpu_grow(compiler->allocator, &memory, 0,
                 num_buckets * sizeof(*cache->buckets)))
      return false;
   struct gpu_kernel **buckets = memory;
   memset(buckets, 0, num_buckets * sizeof(*buckets));
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct gpu_kernel *k = cache->buckets[i], *next; k; k = next) {
         struct gpu_kernel **bucket = &buckets[k->hash & (num_buckets - 1)];
         next = k->next;
         k->next = *bucket;
         *bucket = k;
      }
   }
   void *old = cache->buckets;
   gpu_grow(compiler->allocator, &old,
            cache->num_buckets * sizeof(*cache->buckets), 0);
   cache->buckets = buckets;
   cache->num_buckets = num_buckets;
   return true;
}

static enum tg_result
compile(const struct gpu_compiler *compiler, const void *key,
        gpu_kernel_writer write, void *user, struct tg_diagnostics *diagnostics,
        struct exec_program **program_out)
{
   struct tg_work *work = compiler->work;
   struct lir_module module;
   lir_module_init(&module, compiler->allocator);
   enum tg_result result = write(user, key, &module, diagnostics);
   if (result == TG_OK)
      result = lir_optimize(&module, &(struct lir_pass_options){.work = work});
   if (result == TG_ERROR_LIMIT && tg_work_has_ended(work))
      tg_work_diagnose(work, diagnostics, NULL, (struct tg_position){0});
   if (result == TG_OK) {
      result =
         compiler->executor->compile(compiler->allocator, &module, program_out);
      if (result == TG_ERROR_LIMIT)
         gpu_complain(diagnostics, result, "draw",
                      "the values of the shader need more than the %llu bytes "
                      "that they may have",
                      (unsigned long long)EXEC_MAX_SCRATCH);
   }
   lir_module_finish(&module);
   return result;
}

static void
destroy(const struct gpu_compiler *compiler, struct gpu_kernel *kernel)
{
   void *memory = kernel;
   compiler->executor->destroy(kernel->program);
   gpu_grow(compiler->allocator, &memory, sizeof(*kernel) + kernel->key_size,
            0);
}

/* NULL, and the program is gone, when out of memory. */
static struct gpu_kernel *
create(const struct gpu_compiler *compiler, const void *key, size_t key_size,
       uint64_t hash, const struct tg_shader *shader,
       struct exec_program *program)
{
   void *memory = NULL;
   if (!gpu_grow(compiler->allocator, &memory, 0,
                 sizeof(struct gpu_kernel) + key_size)) {
      compiler->executor->destroy(program);
      return NULL;
   }
   struct gpu_kernel *kernel = memory;
   memcpy(kernel + 1, key, key_size);
   *kernel = (struct gpu_kernel){
      .program = program,
      .scratch_size = compiler->executor->scratch_size(program),
      .shader = shader,
      .key = kernel + 1,
      .key_size = key_size,
      .hash = hash,
   };
   return kernel;
}

/* Adds a kernel, unless another thread was faster: the one that is there then,
 * or NULL when out of memory. Takes the kernel over. */
static const struct gpu_kernel *
add(const struct gpu_compiler *compiler, struct gpu_kernel *kernel)
{
   struct gpu_kernel_cache *cache = compiler->cache;
   pthread_mutex_lock(&cache->mutex);
   const struct gpu_kernel *there =
      find(cache, kernel->key, kernel->key_size, kernel->hash);
   if (!there && reserve(compiler)) {
      struct gpu_kernel **bucket =
         &cache->buckets[kernel->hash & (cache->num_buckets - 1)];
      kernel->next = *bucket;
      *bucket = kernel;
      cache->num_kernels++;
      there = kernel;
   }
   pthread_mutex_unlock(&cache->mutex);
   if (there != kernel)
      destroy(compiler, kernel);
   return there;
}

static const struct gpu_kernel *
look_up(struct gpu_kernel_cache *cache, const void *key, size_t key_size,
        uint64_t hash)
{
   pthread_mutex_lock(&cache->mutex);
   const struct gpu_kernel *kernel = find(cache, key, key_size, hash);
   pthread_mutex_unlock(&cache->mutex);
   return kernel;
}

/* Compiles without the lock: others go on meanwhile. */
enum tg_result
gpu_kernel_get(const struct gpu_compiler *compiler, const void *key,
               size_t key_size, const struct tg_shader *shader,
               gpu_kernel_writer write, void *user,
               struct tg_diagnostics *diagnostics,
               const struct gpu_kernel **kernel_out)
{
   assert(key_size > 0);
   const uint64_t hash = XXH64(key, key_size, 0);
   *kernel_out = look_up(compiler->cache, key, key_size, hash);
   if (*kernel_out)
      return TG_OK;

   struct exec_program *program = NULL;
   const enum tg_result result =
      compile(compiler, key, write, user, diagnostics, &program);
   if (result != TG_OK)
      return result;
   struct gpu_kernel *kernel =
      create(compiler, key, key_size, hash, shader, program);
   *kernel_out = kernel ? add(compiler, kernel) : NULL;
   if (*kernel_out == kernel && kernel && compiler->num_compiled)
      ++*compiler->num_compiled;
   return *kernel_out ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- the cache ----------------------------------------------------------- */

void
gpu_kernel_cache_init(struct gpu_kernel_cache *cache)
{
   *cache = (struct gpu_kernel_cache){0};
   pthread_mutex_init(&cache->mutex, NULL);
}

static bool
is_of_shader(const struct gpu_kernel *kernel, uint64_t shader_id)
{
   return kernel->shader &&
          memcmp(kernel->key, &shader_id, sizeof(shader_id)) == 0;
}

void
gpu_kernel_cache_drop(const struct gpu_compiler *compiler, uint64_t shader_id)
{
   struct gpu_kernel_cache *cache = compiler->cache;
   pthread_mutex_lock(&cache->mutex);
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct gpu_kernel **link = &cache->buckets[i]; *link;) {
         struct gpu_kernel *kernel = *link;
         if (!is_of_shader(kernel, shader_id)) {
            link = &kernel->next;
            continue;
         }
         *link = kernel->next;
         cache->num_kernels--;
         destroy(compiler, kernel);
      }
   }
   pthread_mutex_unlock(&cache->mutex);
}

void
gpu_kernel_cache_finish(const struct gpu_compiler *compiler)
{
   struct gpu_kernel_cache *cache = compiler->cache;
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct gpu_kernel *k = cache->buckets[i], *next; k; k = next) {
         next = k->next;
         destroy(compiler, k);
      }
   }
   void *buckets = cache->buckets;
   gpu_grow(compiler->allocator, &buckets,
            cache->num_buckets * sizeof(*cache->buckets), 0);
   pthread_mutex_destroy(&cache->mutex);
}
