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

#include "gpu/context.h"
#include "gpu/core/key.h"
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
reserve(struct tg_gpu *gpu)
{
   struct gpu_kernel_cache *cache = &gpu->kernels;
   if (cache->num_kernels < cache->num_buckets)
      return true;

   const uint32_t num_buckets =
      cache->num_buckets ? cache->num_buckets * 2 : 64;
   void *memory = NULL;
   if (!gpu_grow(&gpu->allocator, &memory, 0,
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
   gpu_grow(&gpu->allocator, &old, cache->num_buckets * sizeof(*cache->buckets),
            0);
   cache->buckets = buckets;
   cache->num_buckets = num_buckets;
   return true;
}

static enum tg_result
compile(struct tg_gpu *gpu, const void *key, gpu_kernel_writer write,
        void *user, struct tg_diagnostics *diagnostics,
        struct exec_program **program_out)
{
   struct lir_module module;
   lir_module_init(&module, &gpu->allocator);
   enum tg_result result = write(user, key, &module, diagnostics);
   if (result == TG_OK)
      result =
         lir_optimize(&module, &(struct lir_pass_options){.work = gpu->work});
   if (result == TG_ERROR_LIMIT && tg_work_has_ended(gpu->work))
      gpu_charge(gpu, 0, diagnostics);
   if (result == TG_OK) {
      result = gpu->executor->compile(&gpu->allocator, &module, program_out);
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
gpu_kernel_get(struct tg_gpu *gpu, const void *key, size_t key_size,
               const struct tg_shader *shader, gpu_kernel_writer write,
               void *user, struct tg_diagnostics *diagnostics,
               const struct gpu_kernel **kernel_out)
{
   const uint64_t hash = XXH64(key, key_size, 0);
   *kernel_out = find(&gpu->kernels, key, key_size, hash);
   if (*kernel_out)
      return TG_OK;

   struct exec_program *program = NULL;
   const enum tg_result result =
      compile(gpu, key, write, user, diagnostics, &program);
   if (result != TG_OK)
      return result;

   void *memory = NULL;
   if (!reserve(gpu) || !gpu_grow(&gpu->allocator, &memory, 0,
                                  sizeof(struct gpu_kernel) + key_size)) {
      gpu->executor->destroy(program);
      return TG_ERROR_MEMORY;
   }
   struct gpu_kernel_cache *cache = &gpu->kernels;
   struct gpu_kernel *kernel = memory;
   struct gpu_kernel **bucket =
      &cache->buckets[hash & (cache->num_buckets - 1)];
   memcpy(kernel + 1, key, key_size);
   *kernel = (struct gpu_kernel){
      .program = program,
      .scratch_size = gpu->executor->scratch_size(program),
      .shader = shader,
      .key = kernel + 1,
      .key_size = key_size,
      .hash = hash,
      .next = *bucket,
   };
   *bucket = kernel;
   cache->num_kernels++;
   gpu->num_kernels++;
   *kernel_out = kernel;
   return TG_OK;
}

void
gpu_kernel_cache_finish(struct tg_gpu *gpu)
{
   struct gpu_kernel_cache *cache = &gpu->kernels;
   for (uint32_t i = 0; i < cache->num_buckets; i++) {
      for (struct gpu_kernel *k = cache->buckets[i], *next; k; k = next) {
         next = k->next;
         gpu->executor->destroy(k->program);
         void *memory = k;
         gpu_grow(&gpu->allocator, &memory, sizeof(*k) + k->key_size, 0);
      }
   }
   void *buckets = cache->buckets;
   gpu_grow(&gpu->allocator, &buckets,
            cache->num_buckets * sizeof(*cache->buckets), 0);
   *cache = (struct gpu_kernel_cache){0};
}
