/* SPDX-License-Identifier: MIT
 *
 * The simulator's driver, tg_maxwell_run(): registers to lookups and texels to
 * registers. What lies between is kernel.c's.
 *
 * Assumptions where documents are silent: a NaN among float parameters counts
 * as 0; an invalid texture, and one with other dimensions than the instruction
 * asks for, reads as 0; TMML gives the level in units of 1/256, unclamped in R
 * and clamped in G.
 */
#include "maxwell/simulate/simulate.h"

#include <assert.h>

#include "lir/eval.h"
#include "maxwell/isa/program.h"
#include "util/bits.h"
#include "util/sized.h"

struct simulate {
   const struct tg_maxwell_program *program;
   struct tg_maxwell_warp *warp;
   struct maxwell_kernels kernels;
   struct tg_diagnostics *diagnostics;
   tg_maxwell_trace_function trace;
   void *user;

   /* The instruction that is executed. */
   uint32_t index;
   struct maxwell_instruction instruction;
   struct maxwell_group sources[2], results[2];
   struct maxwell_lookup lookup;
   uint32_t texels[4][MAXWELL_THREADS]; /* of the threads that fetch */
};

static void
warn(const struct simulate *simulate, const char *code, const char *note,
     const char *message)
{
   tg_diagnose(simulate->diagnostics, TG_SEVERITY_WARNING, code,
               &simulate->program->source,
               simulate->program->positions[simulate->index], note, "%s",
               message);
}

/* ---- registers ----------------------------------------------------------- */

static uint32_t
read_register(const struct simulate *simulate, unsigned number, unsigned thread)
{
   return number < TG_MAXWELL_NUM_REGISTERS
             ? simulate->warp->registers[number][thread]
             : 0;
}

static void
trace_register(const struct simulate *simulate, unsigned number,
               uint32_t threads, bool is_write)
{
   struct tg_maxwell_access access = {
      .instruction = simulate->index,
      .is_write = is_write,
      .is_half = is_write && maxwell_isa_is_half(&simulate->instruction),
      .number = (uint8_t)number,
      .threads = threads,
   };

   if (!simulate->trace || number >= TG_MAXWELL_NUM_REGISTERS)
      return;
   access.words = simulate->warp->registers[number];
   simulate->trace(simulate->user, &access);
}

static void
trace_predicate(const struct simulate *simulate, unsigned number,
                uint32_t threads)
{
   uint32_t words[MAXWELL_THREADS];
   struct tg_maxwell_access access = {
      .instruction = simulate->index,
      .is_write = true,
      .number = (uint8_t)number,
      .threads = threads,
      .words = words,
      .is_predicate = true,
   };

   if (!simulate->trace)
      return;
   for (unsigned t = 0; t < MAXWELL_THREADS; t++)
      words[t] = simulate->warp->predicates[t] >> number & 1;
   simulate->trace(simulate->user, &access);
}

static void
trace_groups(const struct simulate *simulate,
             const struct maxwell_group groups[2], uint32_t threads,
             bool is_write)
{
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < groups[i].count && groups[i].base != MAXWELL_RZ;
           j++)
         trace_register(simulate, groups[i].base + j, threads, is_write);
   }
}

/* The threads for which the guard holds. */
static uint32_t
guarded(const struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   uint32_t threads = 0;

   for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
      bool holds = instruction->pred == MAXWELL_PT ||
                   (simulate->warp->predicates[t] >> instruction->pred & 1);

      if (holds != (bool)instruction->pnot)
         threads |= 1u << t;
   }
   return threads & simulate->warp->active;
}

/* ---- lookups ------------------------------------------------------------- */

/* Prepares the lookup of a texture. False, with a warning, when it can only
 * read as 0. */
static bool
prepare(struct simulate *simulate, const struct tg_view_desc *view,
        const struct tg_sampler_desc *sampler)
{
   struct maxwell_lookup *lookup = &simulate->lookup;

   if (!maxwell_lookup_prepare(lookup, &simulate->instruction,
                               simulate->sources, view, sampler,
                               simulate->warp->is_fragment)) {
      warn(simulate, "target",
           "what hardware returns then is not known in all cases; here it is 0",
           "the texture has other dimensions than the instruction asks for");
      return false;
   }
   lookup->threads = simulate->warp->active;
   maxwell_lookup_set_parameters(lookup, simulate->sources,
                                 simulate->warp->registers);
   return true;
}

/* A level in units of 1/256. */
static uint32_t
fixed_level(uint32_t word)
{
   float level = lir_roundf(tg_float_of_bits(word) * 256.0f);

   return (uint32_t)lir_f2i(level) & 0xffff;
}

/* TMML's levels are fixed-point numbers; TXQ has the samples in A. */
static void
convert_result(struct maxwell_lookup *lookup)
{
   for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
      uint32_t x = lookup->result[0][t], y = lookup->result[1][t];

      if (lookup->key.opcode == TG_OPCODE_LODQ) {
         lookup->result[0][t] = fixed_level(y);
         lookup->result[1][t] = fixed_level(x);
      } else if (lookup->key.opcode == TG_OPCODE_TXQS) {
         lookup->result[0][t] = lookup->result[1][t] = lookup->result[2][t] = 0;
         lookup->result[3][t] = x;
      }
   }
}

static enum tg_result
run_lookup(struct simulate *simulate)
{
   enum tg_result result = maxwell_kernels_run(
      &simulate->kernels, &simulate->lookup, simulate->diagnostics);

   if (result == TG_ERROR_UNSUPPORTED)
      tg_diagnose(simulate->diagnostics, TG_SEVERITY_ERROR, "unsupported",
                  &simulate->program->source,
                  simulate->program->positions[simulate->index], NULL,
                  "there is no %s of %s to simulate this with",
                  tg_opcode_row(simulate->lookup.key.opcode)->name,
                  tg_target_row(simulate->lookup.key.target)->name);
   if (result == TG_OK)
      convert_result(&simulate->lookup);
   return result;
}

/* ---- handles ------------------------------------------------------------- */

static uint32_t
handle_of(const struct simulate *simulate, unsigned thread)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   const struct tg_maxwell_warp *warp = simulate->warp;

   if (!maxwell_forms[instruction->form].is_bindless)
      return instruction->index < warp->num_constants
                ? warp->constants[instruction->index]
                : 0;
   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->sources[i];

      for (unsigned j = 0; j < group->count; j++) {
         if (group->content[j] == MAXWELL_OPERAND_HANDLE)
            return read_register(simulate, group->base + j, thread);
      }
   }
   return 0;
}

/* Does the form look at a sampler at all? */
static bool
needs_sampler(const struct maxwell_instruction *instruction)
{
   return !maxwell_lookup_is_query(instruction) &&
          instruction->form != MAXWELL_FORM_TLD &&
          instruction->form != MAXWELL_FORM_TLD_B &&
          instruction->form != MAXWELL_FORM_TLDS;
}

/* The texture and sampler of a handle, NULL for a sampler that is not needed.
 * False, with a warning, when they are invalid. */
static bool
find_objects(const struct simulate *simulate, uint32_t handle,
             const struct tg_view_desc **view_out,
             const struct tg_sampler_desc **sampler_out)
{
   const struct tg_maxwell_warp *warp = simulate->warp;
   uint32_t header = handle & 0xfffff;
   uint32_t sampler = warp->via_header ? header : handle >> 20;
   bool has_header = header < warp->num_headers && warp->headers[header] &&
                     warp->headers[header]->resource;
   bool has_sampler = sampler < warp->num_samplers && warp->samplers[sampler];

   if (!has_header || (!has_sampler && needs_sampler(&simulate->instruction))) {
      warn(simulate, "invalid-texture",
           "its header or sampler is beyond the pool, or not there",
           "the texture is invalid and reads as 0");
      return false;
   }
   *view_out = warp->headers[header];
   *sampler_out = has_sampler ? warp->samplers[sampler] : NULL;
   return true;
}

/* Texels for threads that have the same handle. */
static enum tg_result
fetch(struct simulate *simulate, uint32_t handle, uint32_t threads)
{
   const struct tg_view_desc *view;
   const struct tg_sampler_desc *given = NULL;
   struct tg_sampler_desc sampler;
   bool is_zero = !find_objects(simulate, handle, &view, &given);
   enum tg_result result =
      tg_sampler_desc_take(&sampler, given, simulate->diagnostics);

   if (result != TG_OK)
      return result;
   is_zero = is_zero || !prepare(simulate, view, &sampler);
   if (is_zero)
      simulate->lookup.key.type = TG_RETURN_TYPE_FLOAT;
   else
      result = run_lookup(simulate);
   for (unsigned t = 0; t < MAXWELL_THREADS && result == TG_OK; t++) {
      for (unsigned c = 0; c < 4 && (threads >> t & 1); c++)
         simulate->texels[c][t] = is_zero ? 0 : simulate->lookup.result[c][t];
   }
   return result;
}

static enum tg_result
fetch_all(struct simulate *simulate, uint32_t threads)
{
   enum tg_result result = TG_OK;

   while (threads && result == TG_OK) {
      uint32_t handle = handle_of(simulate, (unsigned)__builtin_ctz(threads));
      uint32_t same = 0;

      for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
         if ((threads >> t & 1) && handle_of(simulate, t) == handle)
            same |= 1u << t;
      }
      result = fetch(simulate, handle, same);
      threads &= ~same;
   }
   return result;
}

/* ---- results ------------------------------------------------------------- */

static uint32_t
half_of(const struct simulate *simulate, unsigned component, unsigned thread)
{
   uint32_t word = component ? simulate->texels[component - 1][thread] : 0;
   bool is_float = simulate->lookup.key.type == TG_RETURN_TYPE_FLOAT;

   return is_float ? lir_f2h(word) : word & 0xffff;
}

/* The word of a register whose content is that of a result's group. */
static uint32_t
packed(const struct simulate *simulate, unsigned content, unsigned thread)
{
   unsigned low = content & 7, high = content >> 4;

   if (!maxwell_isa_is_half(&simulate->instruction))
      return simulate->texels[low - 1][thread];
   return half_of(simulate, low, thread) | half_of(simulate, high, thread)
                                              << 16;
}

static void
write_results(struct simulate *simulate, uint32_t threads)
{
   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->results[i];

      for (unsigned j = 0; j < group->count && group->base != MAXWELL_RZ; j++) {
         for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
            if (threads >> t & 1)
               simulate->warp->registers[group->base + j][t] =
                  packed(simulate, group->content[j], t);
         }
      }
   }
}

/* The predicate that is written, if any, holds where a texel is not resident.
 * Here all are. */
static void
write_predicate(struct simulate *simulate, uint32_t threads)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;

   if (!maxwell_isa_writes_predicate(instruction))
      return;
   for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
      if (threads >> t & 1)
         simulate->warp->predicates[t] &= (uint8_t) ~(1u << instruction->dpred);
   }
   trace_predicate(simulate, instruction->dpred, threads);
}

/* .NODEP leaves out the threads that were killed. Their registers take part in
 * derivatives all the same. */
static enum tg_result
run_instruction(struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   uint32_t threads = guarded(simulate);

   if (instruction->nodep)
      threads &= ~simulate->warp->killed;
   maxwell_source_registers(instruction, simulate->sources);
   maxwell_result_registers(instruction, simulate->results);
   trace_groups(simulate, simulate->sources, threads, false);
   enum tg_result result = fetch_all(simulate, threads);
   if (result != TG_OK)
      return result;
   if (threads && maxwell_isa_is_half(instruction) &&
       simulate->lookup.key.type != TG_RETURN_TYPE_FLOAT)
      warn(simulate, "half-integer", "without .F16 an integer texture is whole",
           "what .F16 returns of an integer texture is unpredictable");
   write_results(simulate, threads);
   trace_groups(simulate, simulate->results, threads, true);
   write_predicate(simulate, threads);
   return TG_OK;
}

/* ---- the program --------------------------------------------------------- */

static enum tg_result
refuse(const struct simulate *simulate, enum tg_result result, const char *code,
       const char *note, const char *message)
{
   tg_diagnose(simulate->diagnostics, TG_SEVERITY_ERROR, code,
               &simulate->program->source,
               simulate->program->positions[simulate->index], note, "%s",
               message);
   return result;
}

/* Is it known what a query answers? Of the type only the samples, in A. */
static bool
is_known_query(const struct maxwell_instruction *instruction)
{
   enum { DIMENSION = 1, TEXTURE_TYPE = 2, ALPHA = 8 };

   return instruction->query == DIMENSION ||
          (instruction->query == TEXTURE_TYPE &&
           (instruction->mask & ~ALPHA) == 0);
}

/* Says why an instruction that is legal cannot be simulated. */
static enum tg_result
check_known(struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   const uint64_t word = simulate->program->words[simulate->index];

   if (word == MAXWELL_NOP)
      return TG_OK;
   if (!maxwell_isa_decode(word, &simulate->instruction))
      return refuse(simulate, TG_ERROR_INPUT, "no-texture-instruction", NULL,
                    "this word is no texture instruction");
   if (instruction->lc || instruction->cl)
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported", NULL,
                    "where .LC and .CL have their operand is not known");
   if (!maxwell_has_known_registers(instruction))
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported", NULL,
                    "what this instruction does is not documented");
   if (maxwell_lookup_is_query(instruction) && !is_known_query(instruction))
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported",
                    "TEX_HEADER_DIMENSION, and of TEX_HEADER_TEXTURE_TYPE "
                    "component A",
                    "what this query answers is not known");
   return TG_OK;
}

static enum tg_result
check_all(struct simulate *simulate)
{
   enum tg_result result = tg_maxwell_check(
      simulate->program, simulate->warp->version, simulate->diagnostics);

   for (simulate->index = 0;
        result == TG_OK &&
        simulate->index < simulate->program->num_instructions;
        simulate->index++)
      result = check_known(simulate);
   return result;
}

enum tg_result
tg_maxwell_run(const struct tg_allocator *allocator,
               const struct tg_maxwell_program *program,
               struct tg_maxwell_warp *given, tg_maxwell_trace_function trace,
               void *user, struct tg_diagnostics *diagnostics)
{
   assert(program);
   struct tg_maxwell_warp warp;
   struct simulate simulate = {
      .program = program,
      .warp = &warp,
      .diagnostics = diagnostics,
      .trace = trace,
      .user = user,
   };
   enum tg_result result = tg_maxwell_warp_take(&warp, given, diagnostics);
   if (result == TG_OK)
      result = check_all(&simulate);
   if (result != TG_OK)
      return result;

   maxwell_kernels_init(&simulate.kernels, allocator);
   for (simulate.index = 0;
        result == TG_OK && simulate.index < program->num_instructions;
        simulate.index++) {
      /* What is none is a NOP. */
      if (maxwell_isa_decode(program->words[simulate.index],
                             &simulate.instruction))
         result = run_instruction(&simulate);
   }
   maxwell_kernels_finish(&simulate.kernels);
   tg_maxwell_warp_give(&warp, given);
   return result;
}
