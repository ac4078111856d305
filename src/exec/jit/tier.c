/* SPDX-License-Identifier: MIT
 *
 * Tiered compilation: a queue of modules that are hot, and the thread that
 * compiles them. What is compiled there is allocated by malloc().
 */
#include "exec/jit/tier.h"

#include <pthread.h>
#include <stdlib.h>

#include "exec/jit/names.h"
#include "util/pool.h"

/* Steps for each instruction of a module after which it is hot. LLVM takes as
 * long for an instruction as the interpreter for some 4,000 steps, and as code
 * that is there for some 20,000, of which it saves a quarter to a half. */
enum {
   HOT_INTERPRETED = 1 << 11,
   HOT_CODE = 1 << 16,
};

/* ---- one job ------------------------------------------------------------- */

static void
publish(struct jit_job *job)
{
   if (job->code)
      atomic_store_explicit(&job->function, jit_code_function(job->code),
                            memory_order_release);
}

/* Unless the process or the store has it. */
static enum tg_result
compile_job(struct jit_job *job, const struct lir_module *module,
            const struct tg_allocator *allocator)
{
   enum tg_result result = TG_OK;

   job->code = jit_find_code(&job->request, module);
   if (!job->code)
      result = jit_make_code(&job->request, module, job->shape, allocator,
                             &job->code);
   publish(job);
   return result;
}

enum tg_result
jit_tier_compile_now(struct jit_job *job, const struct lir_module *module,
                     const struct tg_allocator *allocator)
{
   return jit_request_code_of_module(&job->request, module)
             ? compile_job(job, module, allocator)
             : TG_ERROR_MEMORY;
}

static uint64_t
count_insts(const struct lir_module *module)
{
   uint64_t count = 0;

   for (uint32_t i = 0; i < module->num_functions; i++)
      count += module->functions[i].num_insts;
   return count;
}

enum tg_result
jit_tier_compile_later(struct jit_job *job, const struct lir_module *module)
{
   if (!jit_request_code_of_module(&job->request, module))
      return TG_ERROR_MEMORY;
   job->code = jit_find_code(&job->request, module);
   publish(job);
   if (job->code)
      return TG_OK;
   lir_module_init(&job->module, NULL);
   if (!lir_module_copy(module, &job->module)) {
      lir_module_finish(&job->module);
      return TG_ERROR_MEMORY;
   }
   const bool has_code =
      atomic_load_explicit(&job->function, memory_order_relaxed) != NULL;
   job->patience =
      count_insts(module) * (has_code ? HOT_CODE : HOT_INTERPRETED);
   return TG_OK;
}

/* ---- the queue ----------------------------------------------------------- */

static struct {
   pthread_mutex_t mutex; /* of all that follows, and of the jobs' states */
   pthread_cond_t is_more, is_less;
   struct jit_job *first;
   struct jit_job **end; /* where the next one is linked */
   bool has_thread, ends;
   pthread_t thread;
} queue = {
   .mutex = PTHREAD_MUTEX_INITIALIZER,
   .is_more = PTHREAD_COND_INITIALIZER,
   .is_less = PTHREAD_COND_INITIALIZER,
   .end = &queue.first,
};

static struct jit_job *
take_first(void)
{
   struct jit_job *job = queue.first;

   queue.first = job->next;
   if (!queue.first)
      queue.end = &queue.first;
   job->state = JIT_JOB_RUNNING;
   return job;
}

static void *
compile_jobs(void *user)
{
   (void)user;
   pthread_mutex_lock(&queue.mutex);
   for (;;) {
      while (!queue.first && !queue.ends)
         pthread_cond_wait(&queue.is_more, &queue.mutex);
      if (queue.ends)
         break;
      struct jit_job *job = take_first();
      pthread_mutex_unlock(&queue.mutex);
      compile_job(job, &job->module, NULL);
      lir_module_finish(&job->module);
      pthread_mutex_lock(&queue.mutex);
      job->state = JIT_JOB_DONE;
      pthread_cond_broadcast(&queue.is_less);
   }
   pthread_mutex_unlock(&queue.mutex);
   return NULL;
}

static void
enqueue(struct jit_job *job)
{
   pthread_mutex_lock(&queue.mutex);
   if (queue.has_thread) {
      job->state = JIT_JOB_QUEUED;
      job->next = NULL;
      *queue.end = job;
      queue.end = &job->next;
      pthread_cond_signal(&queue.is_more);
   }
   pthread_mutex_unlock(&queue.mutex);
}

static void
unlink_job(const struct jit_job *job)
{
   struct jit_job **place = &queue.first;

   while (*place != job)
      place = &(*place)->next;
   *place = job->next;
   if (!job->next)
      queue.end = place;
}

void
jit_tier_note_steps(struct jit_job *job, uint64_t steps)
{
   if (atomic_load_explicit(&job->steps, memory_order_relaxed) >= job->patience)
      return;
   const uint64_t before =
      atomic_fetch_add_explicit(&job->steps, steps, memory_order_relaxed);
   if (before < job->patience && before + steps >= job->patience)
      enqueue(job);
}

void
jit_tier_finish_job(struct jit_job *job)
{
   pthread_mutex_lock(&queue.mutex);
   if (job->state == JIT_JOB_QUEUED)
      unlink_job(job);
   while (job->state == JIT_JOB_RUNNING)
      pthread_cond_wait(&queue.is_less, &queue.mutex);
   pthread_mutex_unlock(&queue.mutex);
   lir_module_finish(&job->module);
   jit_release_code(job->code);
}

/* ---- the thread ---------------------------------------------------------- */

/* LLVM must not be at work while the process takes it down. */
static void
end_thread(void)
{
   pthread_mutex_lock(&queue.mutex);
   const bool has_thread = queue.has_thread;
   queue.ends = true;
   queue.has_thread = false;
   pthread_cond_signal(&queue.is_more);
   pthread_mutex_unlock(&queue.mutex);
   if (has_thread)
      pthread_join(queue.thread, NULL);
}

/* A child of fork() has no thread but the one that called it. */
static void
forget_thread(void)
{
   jit_forget_threads_of_code();
   jit_forget_names();
   pthread_mutex_init(&queue.mutex, NULL);
   pthread_cond_init(&queue.is_more, NULL);
   pthread_cond_init(&queue.is_less, NULL);
   queue.first = NULL;
   queue.end = &queue.first;
   queue.has_thread = false;
}

static void
register_handlers(void)
{
   atexit(end_thread);
   pthread_atfork(NULL, NULL, forget_thread);
}

bool
jit_tier_start_thread(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, register_handlers);
   pthread_mutex_lock(&queue.mutex);
   if (!queue.has_thread && !queue.ends)
      queue.has_thread =
         tg_pool_start_thread(&queue.thread, compile_jobs, NULL);
   const bool has_thread = queue.has_thread;
   pthread_mutex_unlock(&queue.mutex);
   return has_thread;
}
