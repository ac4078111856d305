/* SPDX-License-Identifier: MIT
 *
 * Variants: lowered, optimised, compiled and kept. There are few, so that a
 * list will do.
 */
#include "run/variant.h"

#include <string.h>
#include <threads.h>

#include "lir/passes.h"
#include "resource/bindings.h"
#include "run/program.h"
#include "tgsi/info.h"

_Static_assert(sizeof(struct program_key) ==
                  sizeof(struct lower_keys) + sizeof(uint32_t),
               "no padding");

struct program_variants {
   /* Bytes of 0xff where the shader can see what is bound; others do not count.
    */
   struct lower_keys seen;
   bool sees_bindings;

   mtx_t lock;
   struct program_variant *first; /* the newest */
};

/* ---- what a shader can see ----------------------------------------------- */

#define SEE(array, first, count)                                               \
   memset(&(array)[first], 0xff, (count) * sizeof((array)[0]))

#define SEE_ALL(array) memset(array, 0xff, sizeof(array))

/* Places `first` to `last` of an array of `size`, as far as there are any. */
static size_t
count_places(const struct tg_declaration *declaration, size_t size)
{
   size_t end = declaration->last + (size_t)1;

   if (declaration->first >= size)
      return 0;
   return (end < size ? end : size) - declaration->first;
}

static void
see_declaration(struct lower_keys *seen,
                const struct tg_declaration *declaration)
{
   uint32_t first = declaration->first;
   size_t views = count_places(declaration, LOWER_MAX_VIEWS);
   size_t samplers = count_places(declaration, LOWER_MAX_SAMPLERS);
   size_t images = count_places(declaration, LOWER_MAX_IMAGES);

   switch ((enum tg_file)declaration->file) {
   case TG_FILE_SAMP:
      SEE(seen->views, first, views);
      SEE(seen->samplers, first, samplers);
      break;
   case TG_FILE_SVIEW: SEE(seen->views, first, views); break;
   case TG_FILE_IMAGE: SEE(seen->images, first, images); break;
   case TG_FILE_RES:
      SEE(seen->views, first, views);
      SEE(seen->images, first, images);
      break;
   default: break;
   }
}

/* Handles lead to any place. */
static void
see_uses(struct lower_keys *seen, uint32_t uses)
{
   if (uses & TG_USES_BINDLESS_SAMPLERS) {
      SEE_ALL(seen->views);
      SEE_ALL(seen->samplers);
   }
   if (uses & TG_USES_BINDLESS_IMAGES)
      SEE_ALL(seen->images);
   if (uses & TG_USES_FRAMEBUFFER_FETCH)
      SEE_ALL(seen->colors);
}

static void
find_seen(const struct tg_program *program, struct program_variants *variants)
{
   static const struct lower_keys none;
   const struct tg_shader *shader = program->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++)
      see_declaration(&variants->seen, &shader->declarations[i]);
   see_uses(&variants->seen, program->uses);
   variants->sees_bindings = memcmp(&variants->seen, &none, sizeof(none)) != 0;
}

static void
mask_key(const struct program_variants *variants,
         const struct tg_bindings *bindings, uint32_t entry,
         struct program_key *key)
{
   *key = (struct program_key){.entry = entry};
   if (!bindings || !variants->sees_bindings)
      return;

   const unsigned char *bound = (const unsigned char *)&bindings->keys;
   const unsigned char *seen = (const unsigned char *)&variants->seen;
   unsigned char *bytes = (unsigned char *)&key->bound;
   for (size_t i = 0; i < sizeof(key->bound); i++)
      bytes[i] = bound[i] & seen[i];
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
                  "the shader needs too much memory to be run");
   return result;
}

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
   };
   enum tg_result result =
      lower_shader(program->shader, &lower_options, module, diagnostics);

   if (result == TG_OK)
      result = verify(module, program->shader, diagnostics);
   if (result == TG_OK)
      result = lir_optimize(module, &pass_options);
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

   mask_key(variants, bindings, entry, &key);
   mtx_lock(&variants->lock);
   enum tg_result result = find_or_create(program, &key, diagnostics, &variant);
   mtx_unlock(&variants->lock);
   *variant_out = variant;
   return result;
}

enum tg_result
program_variants_create(struct tg_program *program,
                        struct tg_diagnostics *diagnostics)
{
   const struct tg_allocator *allocator = program->allocator;
   const struct program_variant *unbound;
   struct program_variants *variants =
      allocator->resize(allocator->user, NULL, 0, sizeof(*variants));

   if (!variants)
      return TG_ERROR_MEMORY;
   *variants = (struct program_variants){0};
   if (mtx_init(&variants->lock, mtx_plain) != thrd_success) {
      allocator->resize(allocator->user, variants, sizeof(*variants), 0);
      return TG_ERROR_MEMORY;
   }
   program->variants = variants;

   find_seen(program, variants);
   return program_get_variant(program, NULL, 0, diagnostics, &unbound);
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
   mtx_destroy(&variants->lock);
   program->allocator->resize(program->allocator->user, variants,
                              sizeof(*variants), 0);
}
