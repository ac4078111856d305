/* SPDX-License-Identifier: MIT
 *
 * Kernels: the one way from LIR to a program. A module is written, verified,
 * improved by the passes, verified again and compiled by an executor. A cache
 * finds kernels again by the bytes of their keys.
 */
#ifndef TG_EXEC_KERNEL_H
#define TG_EXEC_KERNEL_H

#include <pthread.h>
#include <stdio.h>

#include "exec/exec.h"
#include "profile/profile.h"
#include "tungsten/run.h"
#include "tungsten/work.h"
#include "util/members.h"

struct tg_shader;

/* ---- compiling ----------------------------------------------------------- */

/* How kernels are made. */
struct exec_compiler {
   const struct tg_allocator *allocator;
   const struct exec_executor *executor;
   struct tg_work *work; /* that pays for the passes, or NULL */
   bool no_optimize;     /* run only the passes after the rounds */
   bool verify_each;     /* verify after each pass */
   FILE *print_after;    /* where the module is listed after passes, or NULL */
   const char *after;    /* after this pass alone; NULL: after each */
   tg_kernel_function print; /* is given each kernel that is made, or NULL */
   void *print_user;
   const struct exec_store *store; /* see struct exec_build */
   struct exec_counters *counters;
   struct tg_profile *profile; /* or NULL */
};

/* Writes a kernel's LIR into an empty module. `key` is the key that was asked
 * for. */
typedef enum tg_result (*exec_writer)(void *user, const void *key,
                                      struct lir_module *module,
                                      struct tg_diagnostics *diagnostics);

/* What a kernel is made of. */
struct exec_source {
   const char *kind; /* see tg_kernel_function */
   const void *key;
   size_t key_size;
   const struct tg_member *members; /* of the key, for print; NULL: none */
   const struct tg_shader *shader;  /* for the lines of complaints, or NULL */
   exec_writer write;
   void *user;
};

/* Writes, verifies and optimises a module, which is empty at first. Errors are
 * those of exec_compile(). */
enum tg_result
exec_write_module(const struct exec_compiler *compiler,
                  const struct exec_source *source, struct lir_module *module,
                  struct tg_diagnostics *diagnostics);

/* A program and who runs it. It never changes. */
struct exec_code {
   const struct exec_executor *executor;
   struct exec_program *program;
   size_t scratch_size; /* see struct exec_executor */
   /* Words of SYSVAL memory that it loads, the lowest first. Its callers need
    * not fill in the others, if it has a complete list. */
   uint16_t *sysvals;
   uint32_t num_sysvals;
   bool has_all_sysvals;
};

/* Writes, verifies, optimises and compiles a module to code that no cache
 * keeps. What the writer returns; TG_ERROR_LIMIT, with a diagnostic, when the
 * work has ended or the values need too much memory; TG_ERROR_UNSUPPORTED,
 * likewise, when a module does not verify; TG_ERROR_MEMORY. */
enum tg_result
exec_compile(const struct exec_compiler *compiler,
             const struct exec_source *source,
             struct tg_diagnostics *diagnostics, struct exec_code **code_out);

/* Destroys what exec_compile() gave. Takes NULL. `allocator` is that of the
 * compiler. */
void
exec_code_destroy(const struct tg_allocator *allocator, struct exec_code *code);

/* ---- the cache ----------------------------------------------------------- */

/* Code with its key. It stays where it is as long as the cache has it. */
struct exec_kernel {
   struct exec_code *code;
   const struct tg_shader *shader; /* of its source */
   const void *key;
   size_t key_size;
   uint64_t hash;
   struct exec_kernel *next; /* in its bucket */
};

/* Any thread may look kernels up and add some. */
struct exec_cache {
   const struct tg_allocator *allocator;
   pthread_mutex_t mutex; /* of all that follows */
   struct exec_kernel **buckets;
   uint32_t num_buckets; /* a power of two, or 0 */
   uint32_t num_kernels;
};

/* An empty cache of kernels, by their keys. TG_ERROR_MEMORY. `allocator` is
 * also that of the compilers that it is used with. */
enum tg_result
exec_cache_init(struct exec_cache *cache, const struct tg_allocator *allocator);

/* Destroys all kernels, which nobody runs any more. */
void
exec_cache_finish(struct exec_cache *cache);

/* The kernel with the key of the source; made when it is asked for the first
 * time, which `*is_new_out` tells, unless it is NULL. Errors are those of
 * exec_compile(). */
enum tg_result
exec_cache_get(struct exec_cache *cache, const struct exec_compiler *compiler,
               const struct exec_source *source,
               struct tg_diagnostics *diagnostics,
               const struct exec_kernel **kernel_out, bool *is_new_out);

/* Destroys the kernels whose keys begin with these bytes, which nobody runs any
 * more. */
void
exec_cache_drop(struct exec_cache *cache, const void *prefix,
                size_t prefix_size);

/* The code of a kernel. */
static inline const struct exec_code *
exec_kernel_code(const struct exec_kernel *kernel)
{
   return kernel->code;
}

#endif
