/* SPDX-License-Identifier: MIT
 *
 * Compilation of a lookup: a shader of one instruction, which reads its
 * operands from its inputs. So texels come from the samplers that all else
 * uses.
 */
#include <string.h>

#include "maxwell/simulate/simulate.h"
#include "tungsten/run.h"
#include "util/strbuf.h"

enum {
   FIRST_OFFSET = MAXWELL_SOURCES,
   NUM_INPUTS = FIRST_OFFSET + MAXWELL_OFFSETS
};

struct maxwell_kernel {
   struct maxwell_kernel *next;
   struct maxwell_kernel_key key;
   struct tg_shader *shader;
   struct tg_program *program;
};

/* ---- the shader ---------------------------------------------------------- */

/* The operands of an opcode, in their order: values from inputs, but the
 * component of a gather as an immediate if there is no reference in its place,
 * and the sampler. */
static void
print_operands(struct tg_strbuf *out, enum tg_opcode opcode,
               enum tg_target target)
{
   const struct tg_opcode_info *info = tg_opcode_row(opcode);
   bool has_component =
      opcode == TG_OPCODE_TG4 && tg_target_row(target)->reference != 5;

   for (unsigned i = 0; i < info->num_src; i++) {
      if (info->src_type[i] == TG_TYPE_SAMP)
         tg_strbuf_add(out, ", SAMP[0]");
      else if (has_component && i == 1)
         tg_strbuf_add(out, ", IMM[0].xxxx");
      else
         tg_strbuf_printf(out, ", IN[%u]", i);
   }
}

static char *
print_shader(const struct tg_allocator *allocator,
             const struct maxwell_kernel_key *key)
{
   const char *target = tg_target_row(key->target)->name;
   struct tg_strbuf out = {.allocator = allocator};

   tg_strbuf_add(&out, key->is_fragment ? "FRAG\n" : "VERT\n");
   for (unsigned i = 0; i < NUM_INPUTS; i++) {
      if (key->is_fragment)
         tg_strbuf_printf(&out, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", i, i);
      else
         tg_strbuf_printf(&out, "DCL IN[%u]\n", i);
   }
   tg_strbuf_printf(&out, "DCL OUT[0], %s\nDCL SAMP[0]\n",
                    key->is_fragment ? "COLOR" : "GENERIC[0]");
   tg_strbuf_printf(&out, "DCL SVIEW[0], %s, %s\n",
                    tg_target_row(tg_target_row(key->target)->plain)->name,
                    tg_return_type_names[key->type]);
   tg_strbuf_printf(&out, "IMM[0] UINT32 {%u, 0, 0, 0}\n", key->component);
   tg_strbuf_printf(&out, "0: %s OUT[0]", tg_opcode_row(key->opcode)->name);
   print_operands(&out, key->opcode, key->target);
   tg_strbuf_printf(&out, ", %s", target);
   for (unsigned i = 0; i < key->num_offsets; i++)
      tg_strbuf_printf(&out, ", IN[%u].xyz", FIRST_OFFSET + i);
   tg_strbuf_add(&out, "\n1: END\n");
   return tg_strbuf_take(&out);
}

/* What does not validate is a combination that TGSI has not. */
static enum tg_result
compile(struct maxwell_kernels *kernels, struct maxwell_kernel *kernel)
{
   const struct tg_allocator *allocator = kernels->arena.allocator;
   char *text = print_shader(allocator, &kernel->key);
   if (!text)
      return TG_ERROR_MEMORY;

   enum tg_result result =
      tg_shader_parse(allocator, "lookup", text, strlen(text), TG_DIALECT_2019,
                      NULL, &kernel->shader);
   tg_string_free(text);
   if (result == TG_OK)
      result = tg_program_create(allocator, kernel->shader, NULL, NULL,
                                 &kernel->program);
   return result == TG_ERROR_INPUT ? TG_ERROR_UNSUPPORTED : result;
}

static bool
is_same(const struct maxwell_kernel_key *a, const struct maxwell_kernel_key *b)
{
   return a->opcode == b->opcode && a->target == b->target &&
          a->type == b->type && a->component == b->component &&
          a->num_offsets == b->num_offsets && a->is_fragment == b->is_fragment;
}

/* Its memory is the arena's. */
static void
finish(struct maxwell_kernel *kernel)
{
   tg_program_destroy(kernel->program);
   tg_shader_destroy(kernel->shader);
}

static enum tg_result
find(struct maxwell_kernels *kernels, const struct maxwell_kernel_key *key,
     const struct maxwell_kernel **kernel_out)
{
   for (struct maxwell_kernel *kernel = kernels->first; kernel;
        kernel = kernel->next) {
      *kernel_out = kernel;
      if (is_same(&kernel->key, key))
         return TG_OK;
   }

   struct maxwell_kernel *kernel =
      tg_arena_alloc(&kernels->arena, sizeof(*kernel));
   if (!kernel)
      return TG_ERROR_MEMORY;
   kernel->key = *key;
   enum tg_result result = compile(kernels, kernel);
   if (result != TG_OK) {
      finish(kernel);
      return result;
   }
   kernel->next = kernels->first;
   kernels->first = kernel;
   *kernel_out = kernel;
   return TG_OK;
}

void
maxwell_kernels_init(struct maxwell_kernels *kernels,
                     const struct tg_allocator *allocator)
{
   *kernels = (struct maxwell_kernels){0};
   tg_arena_init(&kernels->arena, allocator);
}

void
maxwell_kernels_finish(struct maxwell_kernels *kernels)
{
   for (struct maxwell_kernel *kernel = kernels->first; kernel;
        kernel = kernel->next)
      finish(kernel);
   tg_arena_finish(&kernels->arena);
}

/* ---- running ------------------------------------------------------------- */

/* The words of a register that begin at thread `first`. */
static enum tg_result
set_input(struct tg_run *run, unsigned index, unsigned first,
          const uint32_t (*channels)[MAXWELL_THREADS], unsigned num_channels)
{
   enum tg_result result = TG_OK;

   for (unsigned lane = 0; lane < TG_MAX_LANES && result == TG_OK; lane++) {
      uint32_t words[4] = {0};

      for (unsigned c = 0; c < num_channels; c++)
         words[c] = channels[c][first + lane];
      result = tg_run_set(run, TG_RUN_INPUT, 0, index, (int)lane, words);
   }
   return result;
}

static enum tg_result
set_inputs(struct tg_run *run, unsigned first,
           const struct maxwell_lookup *lookup)
{
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < MAXWELL_SOURCES && result == TG_OK; i++)
      result = set_input(run, i, first, lookup->source[i], 4);
   for (unsigned i = 0; i < MAXWELL_OFFSETS && result == TG_OK; i++)
      result = set_input(run, FIRST_OFFSET + i, first, lookup->offset[i], 3);
   return result;
}

static enum tg_result
get_output(const struct tg_run *run, unsigned first,
           struct maxwell_lookup *lookup)
{
   enum tg_result result = TG_OK;

   for (unsigned lane = 0; lane < TG_MAX_LANES && result == TG_OK; lane++) {
      uint32_t words[4];

      result = tg_run_get_output(run, 0, 0, lane, words);
      for (unsigned c = 0; c < 4 && result == TG_OK; c++)
         lookup->result[c][first + lane] = words[c];
   }
   return result;
}

/* Sixteen threads from `first` on. */
static enum tg_result
run_part(const struct maxwell_kernel *kernel, struct tg_bindings *bindings,
         unsigned first, struct maxwell_lookup *lookup,
         struct tg_diagnostics *diagnostics)
{
   struct tg_run *run = NULL;
   enum tg_result result = tg_run_create(kernel->program, TG_MAX_LANES, &run);

   if (result == TG_OK) {
      tg_run_set_bindings(run, bindings);
      result = set_inputs(run, first, lookup);
   }
   if (result == TG_OK)
      result = tg_run_execute(run, diagnostics);
   if (result == TG_OK)
      result = get_output(run, first, lookup);
   tg_run_destroy(run);
   return result;
}

static enum tg_result
bind(const struct tg_allocator *allocator, const struct maxwell_lookup *lookup,
     struct tg_diagnostics *diagnostics, struct tg_bindings **bindings_out)
{
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;
   enum tg_result result = tg_bindings_create(allocator, bindings_out);

   if (result == TG_OK)
      result = tg_view_create(allocator, &lookup->view, diagnostics, &view);
   if (result == TG_OK)
      result =
         tg_sampler_create(allocator, &lookup->sampler, diagnostics, &sampler);
   if (result == TG_OK)
      result = tg_bindings_set_view(*bindings_out, 0, view, diagnostics);
   if (result == TG_OK)
      result = tg_bindings_set_sampler(*bindings_out, 0, sampler, diagnostics);
   tg_sampler_destroy(sampler);
   tg_view_destroy(view);
   return result;
}

enum tg_result
maxwell_kernels_run(struct maxwell_kernels *kernels,
                    struct maxwell_lookup *lookup,
                    struct tg_diagnostics *diagnostics)
{
   const struct maxwell_kernel *kernel;
   enum tg_result result = find(kernels, &lookup->key, &kernel);
   if (result != TG_OK)
      return result;

   struct tg_bindings *bindings = NULL;
   result = bind(kernels->arena.allocator, lookup, diagnostics, &bindings);
   for (unsigned first = 0; first < MAXWELL_THREADS && result == TG_OK;
        first += TG_MAX_LANES) {
      if (lookup->threads >> first & ((1u << TG_MAX_LANES) - 1))
         result = run_part(kernel, bindings, first, lookup, diagnostics);
   }
   tg_bindings_destroy(bindings);
   return result;
}
