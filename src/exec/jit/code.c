/* SPDX-License-Identifier: MIT
 *
 * Machine code by digest: a table of what the process has linked, with counts
 * of references; the store; and code generation where neither has it.
 */
#include "exec/jit/code.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/jit/emit.h"
#include "exec/jit/names.h"
#include "exec/jit/target.h"
#include "lir/passes.h"
#include "lir/serialize.h"
#include "profile/profile.h"
#include "util/clock.h"

bool
jit_load_llvm_for_code(void)
{
   return llvm_load();
}

/* ---- digests ------------------------------------------------------------- */

void
jit_digest_of_code(const struct jit_set *set, const void *bytes,
                   size_t num_bytes, struct exec_digest *digest_out)
{
   llvm_blake3_hasher hasher;

   llvm.blake3_init(&hasher);
   jit_target_identify(set, &hasher);
   llvm.blake3_update(&hasher, bytes, num_bytes);
   llvm.blake3_finalize(&hasher, digest_out->bytes, EXEC_DIGEST_BYTES);
}

bool
jit_request_code_of_module(struct jit_request *request,
                           const struct lir_module *module)
{
   struct tg_strbuf bytes = {.allocator = module->arena.allocator};

   lir_serialize(module, &bytes);
   const bool is_good = !bytes.failed;
   if (is_good)
      jit_digest_of_code(request->set, bytes.data, bytes.length,
                         &request->digest);
   tg_strbuf_finish(&bytes);
   return is_good;
}

enum { NAME_BYTES = 80 };

/* The symbol of a function: its digest, which no other function of
 * the process has. */
static void
name_function(const struct exec_digest *digest, char name[NAME_BYTES])
{
   char *end = name + sprintf(name, "kernel_");

   for (unsigned i = 0; i < EXEC_DIGEST_BYTES; i++)
      end += sprintf(end, "%02x", digest->bytes[i]);
}

/* ---- counting ------------------------------------------------------------ */

static void
count(struct exec_counters *counters, atomic_uint_fast64_t *counter,
      uint64_t begin)
{
   atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
   atomic_fetch_add_explicit(&counters->nanoseconds, tg_clock_now() - begin,
                             memory_order_relaxed);
}

/* Adds one to the counter of that name, where the caller has counters, and to
 * that of the profile, if any. */
#define COUNT(request, name, profiled, begin)                                  \
   do {                                                                        \
      struct exec_counters *counters_ = (request)->counters;                   \
                                                                               \
      if (counters_)                                                           \
         count(counters_, &counters_->name, begin);                            \
      profile_count_in_span((request)->profile, profiled);                     \
   } while (0)

static void
begin_span(const struct jit_request *request, enum tg_profile_stage stage)
{
   profile_begin(request->profile, stage,
                 (struct profile_subject){.shader = request->profile_shader});
}

/* ---- what the process has ------------------------------------------------ */

struct jit_code {
   struct exec_digest digest;
   struct jit_linked linked;
   unsigned refs;
   struct jit_code *next; /* in its bucket */
};

enum { NUM_BUCKETS = 1 << 10 };

static struct {
   pthread_mutex_t mutex; /* of the buckets, and of linking */
   struct jit_code *buckets[NUM_BUCKETS];
} table = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct jit_code **
find_bucket(const struct exec_digest *digest)
{
   uint16_t hash;

   memcpy(&hash, digest->bytes, sizeof(hash));
   return &table.buckets[hash % NUM_BUCKETS];
}

/* Adds a reference to what is there; the mutex is held. */
static struct jit_code *
ref_code(const struct exec_digest *digest)
{
   struct jit_code *code = *find_bucket(digest);

   while (code && memcmp(&code->digest, digest, sizeof(*digest)) != 0)
      code = code->next;
   if (code)
      code->refs++;
   return code;
}

static struct jit_code *
find_linked(const struct exec_digest *digest)
{
   pthread_mutex_lock(&table.mutex);
   struct jit_code *code = ref_code(digest);
   pthread_mutex_unlock(&table.mutex);
   return code;
}

/* The first eight digits of it. */
static uint32_t
number_of(const struct exec_digest *digest)
{
   const uint8_t *bytes = digest->bytes;

   return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
          (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Takes the object over; the mutex is held. Symbols are the module's. */
static struct jit_code *
add_code(const struct exec_digest *digest, LLVMMemoryBufferRef object,
         const struct lir_module *module)
{
   struct jit_code *code = calloc(1, sizeof(*code));
   char name[NAME_BYTES];

   if (!code) {
      llvm.DisposeMemoryBuffer(object);
      return NULL;
   }
   name_function(digest, name);
   if (!jit_target_link(object, name, &code->linked)) {
      free(code);
      return NULL;
   }
   jit_add_name_to_map(module, number_of(digest),
                       (const void *)(uintptr_t)code->linked.function,
                       code->linked.size);
   struct jit_code **bucket = find_bucket(digest);
   code->digest = *digest;
   code->refs = 1;
   code->next = *bucket;
   *bucket = code;
   return code;
}

/* Takes the object over, which is not needed where another thread was faster.
 * NULL when it can not be linked. */
static struct jit_code *
link_code(const struct exec_digest *digest, LLVMMemoryBufferRef object,
          const struct lir_module *module)
{
   pthread_mutex_lock(&table.mutex);
   struct jit_code *code = ref_code(digest);
   if (code)
      llvm.DisposeMemoryBuffer(object);
   else
      code = add_code(digest, object, module);
   pthread_mutex_unlock(&table.mutex);
   return code;
}

jit_function
jit_code_function(const struct jit_code *code)
{
   return code->linked.function;
}

void
jit_release_code(struct jit_code *code)
{
   if (!code)
      return;
   pthread_mutex_lock(&table.mutex);
   const bool is_last = --code->refs == 0 && !jit_wants_names();
   if (is_last) {
      struct jit_code **place = find_bucket(&code->digest);

      while (*place != code)
         place = &(*place)->next;
      *place = code->next;
      jit_target_unlink(&code->linked); /* before another one has its name */
   }
   pthread_mutex_unlock(&table.mutex);
   if (is_last)
      free(code);
}

void
jit_forget_threads_of_code(void)
{
   pthread_mutex_init(&table.mutex, NULL);
}

/* ---- objects ------------------------------------------------------------- */

/* What the environment variable TUNGSTEN_JIT_PRINT asks for, for work on the
 * emitter. */
static void
print(LLVMModuleRef module)
{
   char *text = llvm.PrintModuleToString(module);

   fputs(text, stderr);
   llvm.DisposeMessage(text);
}

/* NULL with TG_OK: there is no code for it. */
static enum tg_result
generate(const struct jit_set *set, const struct exec_digest *digest,
         const struct lir_module *module, const struct jit_shape *shape,
         const struct tg_allocator *allocator, LLVMMemoryBufferRef *object_out)
{
   char name[NAME_BYTES];
   struct jit_emitter e = {
      .module = module,
      .shape = shape,
      .has_half = jit_target_has_half(set),
      .has_avx2 = jit_target_has_avx2(set),
      .has_avx512 = jit_target_has_avx512(set),
      .has_scatter = jit_target_has_scatter(set),
      .tuning = jit_target_tuning(set),
      .context = llvm.ContextCreate(),
   };

   bool is_lost = false;

   *object_out = NULL;
   name_function(digest, name);
   tg_arena_init(&e.arena, allocator);
   e.llvm = llvm.ModuleCreateWithNameInContext(name, e.context);
   const enum tg_result result =
      jit_can_emit(module) ? jit_emit(&e, name) : TG_ERROR_LIMIT;
   if (result == TG_OK && getenv("TUNGSTEN_JIT_PRINT"))
      print(e.llvm);
   assert(result != TG_OK ||
          !llvm.VerifyModule(e.llvm, LLVMPrintMessageAction, NULL));
   if (result == TG_OK)
      *object_out = jit_target_generate(set, e.llvm, &is_lost);
   if (!is_lost) {
      llvm.DisposeModule(e.llvm);
      llvm.ContextDispose(e.context);
   }
   tg_arena_finish(&e.arena);
   return result == TG_ERROR_MEMORY ? result : TG_OK;
}

/* LLVM's copy of an object of the store, which is freed. */
static LLVMMemoryBufferRef
take_object(struct exec_object *object)
{
   LLVMMemoryBufferRef buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(
      object->data, object->size, "kernel");

   free(object->data);
   return buffer;
}

static bool
give_object(LLVMMemoryBufferRef buffer, struct exec_object *object_out)
{
   const size_t size = llvm.GetBufferSize(buffer);
   void *data = malloc(size);

   if (!data)
      return false;
   memcpy(data, llvm.GetBufferStart(buffer), size);
   *object_out = (struct exec_object){data, size};
   return true;
}

static bool
make_object_of(const struct jit_set *set, const struct exec_digest *digest,
               struct lir_module *module, struct exec_object *object_out)
{
   struct jit_shape *shape = calloc(1, sizeof(*shape));
   LLVMMemoryBufferRef buffer = NULL;

   if (shape && jit_survey(module, shape))
      generate(set, digest, module, shape, NULL, &buffer);
   free(shape);
   if (!buffer)
      return false;
   const bool is_good = give_object(buffer, object_out);
   llvm.DisposeMemoryBuffer(buffer);
   return is_good;
}

bool
jit_make_code_object(const struct jit_set *set, const void *bytes,
                     size_t num_bytes, struct exec_object *object_out)
{
   struct exec_digest digest;
   struct lir_module module;
   bool is_good = false;

   jit_digest_of_code(set, bytes, num_bytes, &digest);
   lir_module_init(&module, NULL);
   if (lir_deserialize(bytes, num_bytes, &module) && !lir_verify(&module))
      is_good = make_object_of(set, &digest, &module, object_out);
   lir_module_finish(&module);
   return is_good;
}

/* ---- requests ------------------------------------------------------------ */

/* Objects with line tables are neither looked for nor kept: those of others
 * have none. */
static const struct exec_store *
store_of(const struct jit_request *request)
{
   return jit_names_are_for_gdb() ? NULL : request->store;
}

static struct jit_code *
find_code(const struct jit_request *request, const struct lir_module *module)
{
   const struct exec_store *store = store_of(request);
   const uint64_t begin = request->counters ? tg_clock_now() : 0;
   struct jit_code *code = find_linked(&request->digest);
   struct exec_object object;

   if (code) {
      COUNT(request, shared, PROFILE_CODE_SHARED, begin);
      return code;
   }
   if (!store || !store->find ||
       !store->find(store->user, &request->digest, &object))
      return NULL;
   code = link_code(&request->digest, take_object(&object), module);
   if (code)
      COUNT(request, loaded, PROFILE_CODE_LOADED, begin);
   return code;
}

struct jit_code *
jit_find_code(const struct jit_request *request,
              const struct lir_module *module)
{
   begin_span(request, TG_PROFILE_CODE_CACHE);
   struct jit_code *code = find_code(request, module);
   profile_end(request->profile);
   return code;
}

static void
offer_module(const struct exec_store *store, const struct lir_module *module)
{
   struct tg_strbuf bytes = {0};

   lir_serialize(module, &bytes);
   if (!bytes.failed)
      store->offer(store->user, bytes.data, bytes.length);
   tg_strbuf_finish(&bytes);
}

/* What was made, or what it was made of. */
static void
tell_store(const struct jit_request *request, const struct lir_module *module,
           LLVMMemoryBufferRef object)
{
   const struct exec_store *store = store_of(request);
   const size_t size = llvm.GetBufferSize(object);

   if (!store || size > EXEC_MAX_OBJECT)
      return;
   if (store->keep)
      store->keep(store->user, &request->digest, llvm.GetBufferStart(object),
                  size);
   else if (store->offer)
      offer_module(store, module);
}

enum tg_result
jit_make_code(const struct jit_request *request,
              const struct lir_module *module, const struct jit_shape *shape,
              const struct tg_allocator *allocator, struct jit_code **code_out)
{
   const uint64_t begin = request->counters ? tg_clock_now() : 0;
   begin_span(request, TG_PROFILE_CODE);
   LLVMMemoryBufferRef object = NULL;

   *code_out = NULL;
   const enum tg_result result = generate(
      request->set, &request->digest, module, shape, allocator, &object);
   if (object) {
      tell_store(request, module, object);
      *code_out = link_code(&request->digest, object, module);
   }
   if (*code_out)
      COUNT(request, compiled, PROFILE_CODE_MADE, begin);
   else if (request->counters)
      count(request->counters, &request->counters->refused, begin);
   profile_end(request->profile);
   return result;
}
