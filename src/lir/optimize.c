/* SPDX-License-Identifier: MIT
 *
 * The pipeline, and the gate that every pass goes through.
 */
#include <string.h>

#include "lir/passes.h"
#include "util/length.h"
#include "util/work.h"

/* One round. The order is that in which they make work for each other. */
#define PASSES(pass)                                                           \
   pass(inline) pass(fold) pass(copy) pass(cse) pass(vrp) pass(dead_store)     \
      pass(flow) pass(dce) pass(licm)

/* Real shaders need two or three rounds. */
enum { MAX_ROUNDS = 8 };

/* Units of work of a pass over an instruction. */
enum { WORK_PASS = 16 };

struct pass {
   const char *name;
   bool is_required; /* by executors: it always runs */
   enum tg_result (*run)(struct lir_module *module, bool *changed_out);
};

static const struct pass pipeline[] = {
#define PASS(name) {#name, false, lir_pass_##name},
   PASSES(PASS)};

/* What comes last, of code that changes no more: what executors know alone, and
 * what they are told. */
static const struct pass ending[] = {
   {"signatures", true, lir_pass_signatures},
   {"bounds", false, lir_pass_bounds},
   {"uniformity", false, lir_pass_uniformity},
   {"vectorize", false, lir_pass_vectorize},
};

const char *const lir_pass_names[] = {
#define NAME(name) #name,
   PASSES(NAME) "signatures", "bounds", "uniformity", "vectorize", NULL,
};

static void
print_module(const struct lir_module *module, const char *after, FILE *file)
{
   char *listing = lir_print(module);

   fprintf(file, "; after %s\n%s", after, listing ? listing : "");
   tg_string_free(listing);
}

static bool
is_chosen(const struct pass *pass, const struct lir_pass_options *options)
{
   if (options->skip && strcmp(options->skip, pass->name) == 0)
      return false;
   return !options->only || strcmp(options->only, pass->name) == 0;
}

static bool
is_listed(const struct pass *pass, const struct lir_pass_options *options)
{
   return options->print_after && is_chosen(pass, options) &&
          (!options->after || strcmp(options->after, pass->name) == 0);
}

static uint64_t
count_insts(const struct lir_module *module)
{
   uint64_t count = 1;

   for (uint32_t i = 0; i < module->num_functions; i++)
      count += module->functions[i].num_insts;
   return count;
}

static enum tg_result
verify_after(const struct pass *pass, struct lir_module *module,
             const struct lir_pass_options *options)
{
   const char *what = lir_verify(module);

   if (!what)
      return TG_OK;
   if (what == lir_verify_no_memory)
      return TG_ERROR_MEMORY;
   if (options->fault_out)
      *options->fault_out = (struct lir_pass_fault){pass->name, what};
   return TG_ERROR_UNSUPPORTED;
}

/* The gate. */
static enum tg_result
run_pass(const struct pass *pass, struct lir_module *module,
         const struct lir_pass_options *options, bool *changed_out)
{
   if (!pass->is_required && !is_chosen(pass, options))
      return TG_OK;
   if (!tg_work_pay(options->work, WORK_PASS * count_insts(module)))
      return TG_ERROR_LIMIT;

   enum tg_result result = pass->run(module, changed_out);
   if (result == TG_OK && is_listed(pass, options))
      print_module(module, pass->name, options->print_after);
   if (result == TG_OK && options->verify_each)
      result = verify_after(pass, module, options);
   return result;
}

static enum tg_result
run_passes(const struct pass *passes, size_t count, struct lir_module *module,
           const struct lir_pass_options *options, bool *changed_out)
{
   for (size_t i = 0; i < count; i++) {
      enum tg_result result =
         run_pass(&passes[i], module, options, changed_out);

      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

/* Proofs of code that passes may change. */
static void
clear_proofs(struct lir_module *module)
{
   for (uint32_t k = 0; k < module->num_functions; k++) {
      for (uint32_t i = 0; i < module->functions[k].num_insts; i++) {
         module->functions[k].insts[i].is_inside = false;
         module->functions[k].insts[i].num_words = 0;
      }
   }
}

enum tg_result
lir_optimize(struct lir_module *module, const struct lir_pass_options *options)
{
   static const struct lir_pass_options usual = {0};
   bool changed = true;

   if (!options)
      options = &usual;
   clear_proofs(module);
   for (uint32_t i = 0; changed && !options->disable && i < MAX_ROUNDS; i++) {
      changed = false;
      enum tg_result result =
         run_passes(pipeline, TG_LENGTH(pipeline), module, options, &changed);
      if (result != TG_OK)
         return result;
   }
   return run_passes(ending, TG_LENGTH(ending), module, options, &changed);
}
