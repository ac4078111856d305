/* SPDX-License-Identifier: MIT
 *
 * The context: what draws share, and the few helpers that every file uses.
 */
#include "gpu/context.h"

#include <stdarg.h>

#include "util/diagnostics.h"
#include "util/strbuf.h"

enum { SCRATCH_ALIGNMENT = 64 };

bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size)
{
   if (!*ptr && !new_size)
      return true;
   void *grown = allocator->resize(allocator->user, *ptr, old_size, new_size);
   if (!grown && new_size)
      return false;
   *ptr = grown;
   return true;
}

enum tg_result
gpu_context_create(const struct tg_allocator *allocator,
                   struct gpu_context **context_out)
{
   void *memory = NULL;
   if (!allocator)
      allocator = tg_default_allocator();
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct gpu_context)))
      return TG_ERROR_MEMORY;
   struct gpu_context *context = memory;
   *context = (struct gpu_context){
      .allocator = *allocator,
      .executor = exec_interpreter(),
      .work_left = UINT64_MAX,
   };
   *context_out = context;
   return TG_OK;
}

void
gpu_context_destroy(struct gpu_context *context)
{
   if (!context)
      return;
   const struct tg_allocator allocator = context->allocator;
   void *memory = context;
   gpu_kernel_cache_finish(context);
   gpu_grow(&allocator, &context->scratch_block, context->scratch_block_size,
            0);
   gpu_grow(&allocator, &memory, sizeof(*context), 0);
}

/* Scratch for a kernel, or NULL when out of memory. */
static void *
scratch_for(struct gpu_context *context, const struct gpu_kernel *kernel)
{
   const size_t size = kernel->scratch_size + SCRATCH_ALIGNMENT;
   if (size > context->scratch_block_size) {
      if (!gpu_grow(&context->allocator, &context->scratch_block,
                    context->scratch_block_size, size))
         return NULL;
      context->scratch_block_size = size;
      const uintptr_t address = (uintptr_t)context->scratch_block;
      const uintptr_t up = -address & (SCRATCH_ALIGNMENT - 1);
      context->scratch = (char *)context->scratch_block + up;
   }
   return context->scratch;
}

void
gpu_set_work(struct gpu_context *context, uint64_t work)
{
   context->work_left = work;
}

const struct gpu_statistics *
gpu_get_statistics(const struct gpu_context *context)
{
   return &context->statistics;
}

enum tg_result
gpu_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *format, ...)
{
   const struct tg_source source = {.name = "draw"};
   struct tg_strbuf text = {0};
   va_list args;
   va_start(args, format);
   tg_strbuf_vprintf(&text, format, args);
   va_end(args);
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, code, &source,
               (struct tg_position){0}, NULL, "%s", text.data ? text.data : "");
   tg_strbuf_finish(&text);
   return result;
}

void
gpu_set_check(struct gpu_context *context)
{
   context->is_checked = true;
}

enum tg_result
gpu_begin_check(struct gpu_context *context, const struct gpu_shader *shader,
                enum check_lanes lanes, struct tg_diagnostics *diagnostics,
                struct check **check_out)
{
   *check_out = NULL;
   if (!context->is_checked)
      return TG_OK;

   const enum tg_result result = check_create(
      &context->allocator, shader->shader, &shader->layout, 1, check_out);
   if (result != TG_OK)
      return result;
   check_begin(*check_out, diagnostics);
   check_name_lanes(*check_out, lanes);
   return TG_OK;
}

enum tg_result
gpu_end_check(struct check *check)
{
   uint32_t num_findings;
   if (!check)
      return TG_OK;

   const enum tg_result result = check_end(check, &num_findings);
   check_destroy(check);
   return result;
}

static void
hear(void *user, uint64_t tag, uint32_t lanes, const uint32_t value[LIR_LANES])
{
   check_hear(user, 0, tag, lanes, value);
}

enum tg_result
gpu_run_wave(struct gpu_context *context, const struct gpu_kernel *kernel,
             struct check *check, struct exec_wave *wave,
             struct tg_diagnostics *diagnostics)
{
   const struct exec_listener listener = {.trace = hear, .user = check};
   struct exec_fault fault = {.origin = LIR_NO_ORIGIN};
   void *scratch = scratch_for(context, kernel);
   if (!scratch)
      return TG_ERROR_MEMORY;
   const uint64_t cost = kernel->shader->num_instructions / 64 + 1;
   const uint64_t turns = context->work_left / cost;
   if (!turns)
      return gpu_complain(diagnostics, TG_ERROR_LIMIT, "draw",
                          "the draws take too long");
   const uint64_t budget =
      turns - 1 < GPU_LOOP_BUDGET ? turns - 1 : GPU_LOOP_BUDGET;
   wave->loop_budget = budget;
   if (check) {
      wave->listener = &listener;
      check_begin_wave(check, 0, wave);
   }
   const enum tg_result result =
      context->executor->run(kernel->program, wave, scratch, &fault);
   context->work_left -= (1 + budget - wave->loop_budget) * cost;
   if (check && result == TG_OK)
      check_end_wave(check, 0);
   else if (check)
      check_stop_wave(check, 0, &fault);
   if (check || result == TG_OK)
      return result;

   const struct tg_shader *shader = kernel->shader;
   struct tg_position position = {0};
   if (fault.origin < shader->num_instructions)
      position = shader->instructions[fault.origin].position;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "run", &shader->source, position,
               NULL, "%s", fault.what ? fault.what : tg_result_name(result));
   return result;
}
