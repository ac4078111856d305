/* SPDX-License-Identifier: MIT
 *
 * Shader variants: kernels of a shader alone, by what is bound.
 */
#include "run/variant.h"

#include <assert.h>
#include <string.h>

#include "exec/store/folder.h"
#include "resource/bindings.h"
#include "run/program.h"
#include "util/work.h"

/* What code is made for, without padding. */
struct key {
   struct abi_keys bound;
   uint32_t entry; /* lower_options.entry */
};

_Static_assert(sizeof(struct key) == sizeof(struct abi_keys) + sizeof(uint32_t),
               "no padding");

static const struct tg_member key_members[] = {
   TG_NUMBER(key, entry),
   TG_STRUCT(key, bound, abi_key_members),
   {0},
};

struct run_variants {
   struct abi_keys seen; /* see abi_find_seen_bindings() */
   bool sees_bindings;
   struct exec_cache cache;
   const struct exec_kernel *unbound; /* for entry 0 */
};

static void
make_key(const struct run_variants *variants,
         const struct tg_bindings *bindings, uint32_t entry, struct key *key)
{
   *key = (struct key){.entry = entry};
   if (bindings && variants->sees_bindings)
      abi_mask_binding_keys(&bindings->keys, &variants->seen, &key->bound);
}

/* ---- code ---------------------------------------------------------------- */

/* Units of work of an instruction that is lowered. */
enum { LOWER_WORK = 512 };

static enum tg_result
write_kernel(void *user, const void *key_bytes, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct tg_program *program = user;
   const struct key *key = key_bytes;
   const struct lower_options options = {
      .trace = program->options.trace,
      .check = program->options.check,
      .keys = &key->bound,
      .entry = key->entry,
   };

   if (!tg_work_pay(program->options.work,
                    LOWER_WORK * (uint64_t)program->shader->num_instructions))
      return TG_ERROR_LIMIT;
   return lower_shader(program->shader, &options, module, diagnostics);
}

static enum tg_result
get_kernel(const struct tg_program *program, const struct key *key,
           struct tg_diagnostics *diagnostics,
           const struct exec_kernel **kernel_out)
{
   const struct exec_compiler compiler = {
      .allocator = program->allocator,
      .executor = program->executor,
      .work = program->options.work,
      .no_optimize = !program->options.optimize,
      .verify_each = program->options.verify_each,
      .print = program->options.print_kernel,
      .print_user = program->options.print_user,
      .store = exec_cache_store(program->options.code_cache),
      .profile = program->options.profile,
   };
   const struct exec_source source = {
      .kind = tg_shader_processor_name(program->shader),
      .key = key,
      .key_size = sizeof(*key),
      .members = key_members,
      .shader = program->shader,
      .write = write_kernel,
      .user = (void *)program,
   };

   return exec_cache_get(&program->variants->cache, &compiler, &source,
                         diagnostics, kernel_out, NULL);
}

/* ---- the set ------------------------------------------------------------- */

enum tg_result
run_get_variant(const struct tg_program *program,
                const struct tg_bindings *bindings, uint32_t entry,
                struct tg_diagnostics *diagnostics,
                const struct exec_code **code_out)
{
   const struct run_variants *variants = program->variants;
   const struct exec_kernel *kernel = variants->unbound;
   enum tg_result result = TG_OK;

   if (variants->sees_bindings || entry != 0) {
      struct key key;

      make_key(variants, bindings, entry, &key);
      result = get_kernel(program, &key, diagnostics, &kernel);
   }
   *code_out = result == TG_OK ? exec_kernel_code(kernel) : NULL;
   return result;
}

enum tg_result
run_variants_create(struct tg_program *program,
                    struct tg_diagnostics *diagnostics)
{
   const struct tg_allocator *allocator = program->allocator;
   static const struct key nothing;
   struct run_variants *variants =
      allocator->resize(allocator->user, NULL, 0, sizeof(*variants));

   if (!variants)
      return TG_ERROR_MEMORY;
   *variants = (struct run_variants){0};
   if (exec_cache_init(&variants->cache, allocator) != TG_OK) {
      allocator->resize(allocator->user, variants, sizeof(*variants), 0);
      return TG_ERROR_MEMORY;
   }
   program->variants = variants;

   abi_find_seen_bindings(program->shader, program->uses, &variants->seen);
   variants->sees_bindings =
      memcmp(&variants->seen, &nothing.bound, sizeof(nothing.bound)) != 0;
   return get_kernel(program, &nothing, diagnostics, &variants->unbound);
}

void
run_variants_destroy(struct tg_program *program)
{
   struct run_variants *variants = program->variants;

   if (!variants)
      return;
   exec_cache_finish(&variants->cache);
   program->allocator->resize(program->allocator->user, variants,
                              sizeof(*variants), 0);
}
