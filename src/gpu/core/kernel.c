/* SPDX-License-Identifier: MIT
 *
 * The cache of kernels: a hash table of chains, doubled when it is full. Keys
 * of two stages cannot be mistaken for each other: they begin with the shader's
 * id.
 */
#include "gpu/core/kernel.h"

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
   gpu_grow(compiler->allocator, &old, cache->num_buckets * sizeof(*cache->buckets),
            0);
   cache->buckets = buckets;
   cache->num_buckets = num_buckets;
   return true;
}

static enum tg_result
compile(const struct gpu_compiler *compiler, const void *key,
        gpu_kernel_writer write, void *user,
        struct tg_diagnostics *diagnostics, struct exec_program **program_out)
{
   struct tg_work *work = compiler->work;
   struct lir_module module;
   lir_module_init(&module, compiler->allocator);
   enum tg_result result = write(user, key, &module, diagnostics);
   if (result == TG_OK)
      result =
         lir_optimize(&module, &(struct lir_pass_options){.work = work});
   if (result == TG_ERROR_LIMIT && tg_work_has_ended(work))
      tg_work_diagnose(work, diagnostics, NULL, (struct tg_position){0});
   if (result == TG_OK) {
      result = compiler->executor->compile(compiler->allocator, &module, program_out);
      if (result == TG_ERROR_LIMIT)
         gpu_complain(diagnostics, result, "draw",
                      "the values of the shader need more than the %llu bytes "
                      "that they may have",
                      (unsigned long long)EXEC_MAX_SCRATCH);
   }
   lir_module_finish(&module);
   return result;
}

enum tg_result
gpu_kernel_get(const struct gpu_compiler *compiler, const void *key,
               size_t key_size, const struct tg_shader *shader,
               gpu_kernel_writer write, void *user,
               struct tg_diagnostics *diagnostics,
               const struct gpu_kernel **kernel_out)
{
   const uint64_t hash = XXH64(key, key_size, 0);
   *kernel_out = find(compiler->cache, key, key_size, hash);
   if (*kernel_out)
      return TG_OK;

   struct exec_program *program = NULL;
   const enum tg_result result =
      compile(compiler, key, write, user, diagnostics, &program);
   if (result != TG_OK)
      return result;

   void *memory = NULL;
   if (!reserve(compiler) || !gpu_grow(compiler->allocator, &memory, 0,
                                  sizeof(struct gpu_kernel) + key_size)) {
      compiler->executor->destroy(program);
      return TG_ERROR_MEMORY;
   }
   struct gpu_kernel_cache *cache = compiler->cache;
   struct gpu_kernel *kernel = memory;
   struct gpu_kernel **bucket =
      &cache->buckets[hash & (cache->num_buckets - 1)];
   memcpy(kernel + 1, key, key_size);
   *kernel = (struct gpu_kernel){
      .program = program,
      .scratch_size = compiler->executor->scratch_size(program),
      .shader = shader,
      .key = kernel + 1,
      .key_size = key_size,
      .hash = hash,
      .next = *bucket,
   };
   *bucket = kernel;
   cache->num_kernels++;
   *kernel_out = kernel;
   return TG_OK;
}

void
gpu_kernel_cache_finish(const struct gpu_compiler *compiler)
{
   struct gpu_kernel_cache *cache = compiler->cache;
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct gpu_kernel *k = cache->buckets[i], *next; k; k = next) {
         next = k->next;
         compiler->executor->destroy(k->program);
         void *memory = k;
         gpu_grow(compiler->allocator, &memory, sizeof(*k) + k->key_size, 0);
      }
   }
   void *buckets = cache->buckets;
   gpu_grow(compiler->allocator, &buckets,
            cache->num_buckets * sizeof(*cache->buckets), 0);
   *cache = (struct gpu_kernel_cache){0};
}
