/* SPDX-License-Identifier: MIT
 *
 * Variants: lowered, optimised, compiled and kept. There are few, so that a
 * list will do.
 */
#include "run/variant.h"

#include <pthread.h>
#include <string.h>

#include "lir/passes.h"
#include "resource/bindings.h"
#include "run/program.h"
#include "util/work.h"

_Static_assert(sizeof(struct program_key) ==
                  sizeof(struct lower_keys) + sizeof(uint32_t),
               "no padding");

struct program_variants {
   struct lower_keys seen; /* see lower_find_seen() */
   bool sees_bindings;
   const struct program_variant *unbound; /* for entry 0 */

   pthread_mutex_t lock;
   struct program_variant *first; /* the newest */
};

static void
make_key(const struct program_variants *variants,
         const struct tg_bindings *bindings, uint32_t entry,
         struct program_key *key)
{
   *key = (struct program_key){.entry = entry};
   if (bindings && variants->sees_bindings)
      lower_mask_keys(&bindings->keys, &variants->seen, &key->bound);
}

/* ---- code ---------------------------------------------------------------- */

/* Every module passes the verifier, or a room above this one has a bug. Then
 * it does not run. */
static enum tg_result
verify(struct lir_module *module, const struct tg_shader *shader,
       struct tg_diagnostics *diagnostics)
{
   const char *fault = lir_verify(module);

   if (!fault)
      return TG_OK;
   if (fault == lir_verify_no_memory)
      return TG_ERROR_MEMORY;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "internal-error",
               &shader->source, (struct tg_position){0}, NULL,
               "the shader was lowered wrongly: %s", fault);
   return TG_ERROR_UNSUPPORTED;
}

/* The executor knows no shaders, and so has no words for this. */
static enum tg_result
compile(const struct tg_program *program, const struct lir_module *module,
        struct tg_diagnostics *diagnostics, struct exec_program **code_out)
{
   enum tg_result result =
      program->executor->compile(program->allocator, module, code_out);

   if (result == TG_ERROR_LIMIT)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit",
                  &program->shader->source, (struct tg_position){0}, NULL,
                  "the values of the shader need more than the %llu bytes that "
                  "they may have",
                  (unsigned long long)EXEC_MAX_SCRATCH);
   return result;
}

/* Units of work of an instruction that is lowered. */
enum { LOWER_WORK = 512 };

static enum tg_result
lower_and_compile(const struct tg_program *program,
                  const struct program_key *key, struct lir_module *module,
                  struct tg_diagnostics *diagnostics,
                  struct exec_program **code_out)
{
   const struct lower_options lower_options = {
      .trace = program->options.trace,
      .check = program->options.check,
      .keys = &key->bound,
      .entry = key->entry,
   };
   const struct lir_pass_options pass_options = {
      .disable = !program->options.optimize,
      .work = program->options.work,
   };
   enum tg_result result = TG_OK;

   if (!tg_work_pay(program->options.work,
                    LOWER_WORK * (uint64_t)program->shader->num_instructions))
      result = TG_ERROR_LIMIT;
   if (result == TG_OK)
      result =
         lower_shader(program->shader, &lower_options, module, diagnostics);
   if (result == TG_OK)
      result = verify(module, program->shader, diagnostics);
   if (result == TG_OK)
      result = lir_optimize(module, &pass_options);
   if (result == TG_ERROR_LIMIT && tg_work_has_ended(program->options.work))
      tg_work_diagnose(program->options.work, diagnostics,
                       &program->shader->source, (struct tg_position){0});
   if (result == TG_OK)
      result = verify(module, program->shader, diagnostics);
   if (result == TG_OK)
      result = compile(program, module, diagnostics, code_out);
   return result;
}

static void
destroy_variant(const struct tg_program *program,
                struct program_variant *variant)
{
   if (variant->code)
      program->executor->destroy(variant->code);
   program->allocator->resize(program->allocator->user, variant,
                              sizeof(*variant), 0);
}

static enum tg_result
create_variant(const struct tg_program *program, const struct program_key *key,
               struct tg_diagnostics *diagnostics,
               struct program_variant **variant_out)
{
   const struct tg_allocator *allocator = program->allocator;
   struct lir_module module;
   struct program_variant *variant =
      allocator->resize(allocator->user, NULL, 0, sizeof(*variant));

   if (!variant)
      return TG_ERROR_MEMORY;
   *variant = (struct program_variant){.key = *key};

   lir_module_init(&module, allocator);
   enum tg_result result =
      lower_and_compile(program, key, &module, diagnostics, &variant->code);
   lir_module_finish(&module);
   if (result != TG_OK) {
      destroy_variant(program, variant);
      return result;
   }
   variant->scratch_size = program->executor->scratch_size(variant->code);
   *variant_out = variant;
   return TG_OK;
}

/* ---- the set ------------------------------------------------------------- */

/* The variant with a key; made, if there is none. Under the lock. */
static enum tg_result
find_or_create(const struct tg_program *program, const struct program_key *key,
               struct tg_diagnostics *diagnostics,
               struct program_variant **variant_out)
{
   struct program_variants *variants = program->variants;
   struct program_variant *variant = variants->first;

   while (variant && memcmp(&variant->key, key, sizeof(*key)) != 0)
      variant = variant->next;
   if (!variant) {
      enum tg_result result =
         create_variant(program, key, diagnostics, &variant);

      if (result != TG_OK)
         return result;
      variant->next = variants->first;
      variants->first = variant;
   }
   *variant_out = variant;
   return TG_OK;
}

enum tg_result
program_get_variant(const struct tg_program *program,
                    const struct tg_bindings *bindings, uint32_t entry,
                    struct tg_diagnostics *diagnostics,
                    const struct program_variant **variant_out)
{
   struct program_variants *variants = program->variants;
   struct program_variant *variant = NULL;
   struct program_key key;

   if (!variants->sees_bindings && entry == 0) {
      *variant_out = variants->unbound;
      return TG_OK;
   }
   make_key(variants, bindings, entry, &key);
   pthread_mutex_lock(&variants->lock);
   enum tg_result result = find_or_create(program, &key, diagnostics, &variant);
   pthread_mutex_unlock(&variants->lock);
   *variant_out = variant;
   return result;
}

enum tg_result
program_variants_create(struct tg_program *program,
                        struct tg_diagnostics *diagnostics)
{
   const struct tg_allocator *allocator = program->allocator;
   static const struct program_key nothing;
   struct program_variants *variants =
      allocator->resize(allocator->user, NULL, 0, sizeof(*variants));

   if (!variants)
      return TG_ERROR_MEMORY;
   *variants = (struct program_variants){0};
   if (pthread_mutex_init(&variants->lock, NULL) != 0) {
      allocator->resize(allocator->user, variants, sizeof(*variants), 0);
      return TG_ERROR_MEMORY;
   }
   program->variants = variants;

   lower_find_seen(program->shader, program->uses, &variants->seen);
   variants->sees_bindings =
      memcmp(&variants->seen, &nothing.bound, sizeof(nothing.bound)) != 0;
   enum tg_result result =
      create_variant(program, &nothing, diagnostics, &variants->first);
   variants->unbound = variants->first;
   return result;
}

void
program_variants_destroy(struct tg_program *program)
{
   struct program_variants *variants = program->variants;

   if (!variants)
      return;
   for (struct program_variant *v = variants->first, *next; v; v = next) {
      next = v->next;
      destroy_variant(program, v);
   }
   pthread_mutex_destroy(&variants->lock);
   program->allocator->resize(program->allocator->user, variants,
                              sizeof(*variants), 0);
}
