/* SPDX-License-Identifier: MIT
 *
 * From a writer of LIR to code, and kernels as text.
 */
#include <inttypes.h>
#include <string.h>

#include "exec/kernel.h"
#include "lir/passes.h"
#include "tgsi/shader/shader.h"
#include "util/diagnostics.h"
#include "util/strbuf.h"
#include "util/work.h"

/* ---- complaints ---------------------------------------------------------- */

static const struct tg_source *
text_of(const struct exec_source *source)
{
   static const struct tg_source draw = {.name = "draw"};

   return source->shader ? &source->shader->source : &draw;
}

/* Every module passes the verifier, or a room above this one has a bug. Then it
 * does not run. */
static enum tg_result
refuse(const struct exec_source *source, const char *pass, const char *what,
       struct tg_diagnostics *diagnostics)
{
   if (what == lir_verify_no_memory)
      return TG_ERROR_MEMORY;
   if (pass)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "internal-error",
                  text_of(source), (struct tg_position){0}, NULL,
                  "the pass %s left something wrong: %s", pass, what);
   else
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "internal-error",
                  text_of(source), (struct tg_position){0}, NULL,
                  "the shader was lowered wrongly: %s", what);
   return TG_ERROR_UNSUPPORTED;
}

/* ---- text ---------------------------------------------------------------- */

/* Kind, key and counts as comments, then the listing. */
static char *
print_kernel(const struct exec_compiler *compiler,
             const struct exec_source *source, const struct lir_module *module)
{
   struct tg_strbuf out = {.allocator = compiler->allocator};
   char *counts = lir_print_counts(module, ";   ");
   char *listing = lir_print(module);

   tg_strbuf_printf(&out, "; kernel: %s\n", source->kind);
   if (source->shader)
      tg_strbuf_printf(&out, "; shader: %s\n", source->shader->source.name);
   if (source->members) {
      tg_strbuf_add(&out, "; key:\n");
      tg_members_print(&out, source->members, source->key, ";   ");
   }
   tg_strbuf_printf(&out, "; counts:\n%s%s", counts ? counts : "",
                    listing ? listing : "");
   out.failed |= !counts || !listing;
   tg_string_free(counts);
   tg_string_free(listing);
   return tg_strbuf_take(&out);
}

static enum tg_result
report(const struct exec_compiler *compiler, const struct exec_source *source,
       const struct lir_module *module)
{
   if (!compiler->print)
      return TG_OK;
   char *text = print_kernel(compiler, source, module);
   if (!text)
      return TG_ERROR_MEMORY;
   compiler->print(compiler->print_user, source->kind, text);
   tg_string_free(text);
   return TG_OK;
}

/* ---- profiling ----------------------------------------------------------- */

/* The title by which users know a source. */
static void
print_title(const struct exec_source *source, char title[TG_SHADER_TITLE])
{
   if (source->shader)
      tg_shader_title(source->shader, title);
   else
      snprintf(title, TG_SHADER_TITLE, "%s", source->kind);
}

static uint32_t
find_profile_shader(const struct exec_compiler *compiler,
                    const struct exec_source *source)
{
   char title[TG_SHADER_TITLE];

   if (!compiler->profile)
      return 0;
   print_title(source, title);
   return profile_shader(compiler->profile, title);
}

/* Begins a span of the source's shader. */
static void
begin_span(const struct exec_compiler *compiler,
           const struct exec_source *source, enum tg_profile_stage stage)
{
   if (compiler->profile)
      profile_begin_span(compiler->profile, stage,
                         (struct profile_subject){
                            .shader = find_profile_shader(compiler, source),
                         });
}

/* ---- symbols ------------------------------------------------------------- */

static bool
add_lines(const struct tg_shader *shader, struct lir_module *module)
{
   const uint32_t count = shader->num_instructions;
   const char *file = shader->source.name;
   uint32_t *lines = tg_arena_array(&module->arena, count, sizeof(*lines));

   if (!lines)
      return false;
   for (uint32_t i = 0; i < count; i++)
      lines[i] = shader->instructions[i].position.line;
   module->symbols.lines = lines;
   module->symbols.num_lines = count;
   module->symbols.file = tg_arena_strndup(&module->arena, file, strlen(file));
   return module->symbols.file;
}

/* Names and lines for debuggers and profilers, where code is generated. */
static bool
add_symbols(const struct exec_compiler *compiler,
            const struct exec_source *source, struct lir_module *module)
{
   char title[TG_SHADER_TITLE];

   if (compiler->executor == exec_interpreter())
      return true;
   print_title(source, title);
   module->symbols.name =
      tg_arena_strndup(&module->arena, title, strlen(title));
   return module->symbols.name &&
          (!source->shader || add_lines(source->shader, module));
}

/* ---- compiling ----------------------------------------------------------- */

static enum tg_result
verify(const struct exec_source *source, struct lir_module *module,
       struct tg_diagnostics *diagnostics)
{
   const char *what = lir_verify(module);

   return what ? refuse(source, NULL, what, diagnostics) : TG_OK;
}

static enum tg_result
optimize(const struct exec_compiler *compiler, const struct exec_source *source,
         struct lir_module *module, struct tg_diagnostics *diagnostics)
{
   struct lir_pass_fault fault = {0};
   const struct lir_pass_options options = {
      .disable = compiler->no_optimize,
      .verify_each = compiler->verify_each,
      .print_after = compiler->print_after,
      .after = compiler->after,
      .work = compiler->work,
      .fault_out = &fault,
   };
   const enum tg_result result = lir_optimize(module, &options);

   return fault.what ? refuse(source, fault.pass, fault.what, diagnostics)
                     : result;
}

enum tg_result
exec_write_module(const struct exec_compiler *compiler,
                  const struct exec_source *source, struct lir_module *module,
                  struct tg_diagnostics *diagnostics)
{
   begin_span(compiler, source, TG_PROFILE_LOWER);
   enum tg_result result =
      source->write(source->user, source->key, module, diagnostics);
   if (result == TG_OK)
      result = verify(source, module, diagnostics);
   profile_end(compiler->profile);
   begin_span(compiler, source, TG_PROFILE_PASSES);
   if (result == TG_OK)
      result = optimize(compiler, source, module, diagnostics);
   if (result == TG_ERROR_LIMIT && tg_work_has_ended(compiler->work))
      tg_work_diagnose(compiler->work, diagnostics, text_of(source),
                       (struct tg_position){0});
   if (result == TG_OK)
      result = verify(source, module, diagnostics);
   profile_end(compiler->profile);
   return result;
}

/* The executor knows no shaders, and so has no words for this. */
static enum tg_result
compile(const struct exec_compiler *compiler, const struct exec_source *source,
        const struct lir_module *module, struct tg_diagnostics *diagnostics,
        struct exec_program **program_out)
{
   const struct exec_build build = {
      .allocator = compiler->allocator,
      .store = compiler->store,
      .counters = compiler->counters,
      .profile = compiler->profile,
      .profile_shader = find_profile_shader(compiler, source),
   };
   begin_span(compiler, source, TG_PROFILE_INTERPRETER);
   const enum tg_result result =
      compiler->executor->compile(&build, module, program_out);
   profile_end(compiler->profile);

   if (result == TG_ERROR_LIMIT)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit", text_of(source),
                  (struct tg_position){0}, NULL,
                  "the values of the shader need more than the %" PRIu64
                  " bytes that they may have",
                  EXEC_MAX_SCRATCH);
   return result;
}

/* Words of SYSVAL memory that are listed. */
enum { MAX_SYSVALS = 1 << 10 };

static void *
resize(const struct exec_compiler *compiler, void *memory, size_t size,
       size_t new_size)
{
   const struct tg_allocator *allocator = compiler->allocator;

   return allocator->resize(allocator->user, memory, size, new_size);
}

static enum tg_result
list_sysvals(const struct exec_compiler *compiler,
             const struct lir_module *module, struct exec_code *code)
{
   bool is_loaded[MAX_SYSVALS] = {false};
   uint16_t words[MAX_SYSVALS];
   uint32_t count = 0;

   code->has_all_sysvals =
      lir_find_loads(module, LIR_SPACE_SYSVAL, is_loaded, MAX_SYSVALS);
   for (uint32_t i = 0; i < MAX_SYSVALS; i++) {
      words[count] = (uint16_t)i;
      count += is_loaded[i];
   }
   if (count == 0)
      return TG_OK;
   code->sysvals = resize(compiler, NULL, 0, count * sizeof(*words));
   if (!code->sysvals)
      return TG_ERROR_MEMORY;
   memcpy(code->sysvals, words, count * sizeof(*words));
   code->num_sysvals = count;
   return TG_OK;
}

static enum tg_result
make_program(const struct exec_compiler *compiler,
             const struct exec_source *source,
             struct tg_diagnostics *diagnostics, struct exec_code *code)
{
   struct lir_module module;

   lir_module_init(&module, compiler->allocator);
   enum tg_result result =
      exec_write_module(compiler, source, &module, diagnostics);
   if (result == TG_OK)
      result = report(compiler, source, &module);
   if (result == TG_OK && !add_symbols(compiler, source, &module))
      result = TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = list_sysvals(compiler, &module, code);
   if (result == TG_OK)
      result = compile(compiler, source, &module, diagnostics, &code->program);
   lir_module_finish(&module);
   return result;
}

enum tg_result
exec_compile(const struct exec_compiler *compiler,
             const struct exec_source *source,
             struct tg_diagnostics *diagnostics, struct exec_code **code_out)
{
   struct exec_code *code = resize(compiler, NULL, 0, sizeof(*code));

   if (!code)
      return TG_ERROR_MEMORY;
   *code = (struct exec_code){.executor = compiler->executor};
   const enum tg_result result =
      make_program(compiler, source, diagnostics, code);
   if (result != TG_OK) {
      exec_code_destroy(compiler->allocator, code);
      return result;
   }
   code->scratch_size = code->executor->scratch_size(code->program);
   profile_count_in_span(compiler->profile, PROFILE_KERNELS_MADE);
   *code_out = code;
   return TG_OK;
}

void
exec_code_destroy(const struct tg_allocator *allocator, struct exec_code *code)
{
   if (!code)
      return;
   code->executor->destroy(code->program);
   if (code->sysvals)
      allocator->resize(allocator->user, code->sysvals,
                        code->num_sysvals * sizeof(*code->sysvals), 0);
   allocator->resize(allocator->user, code, sizeof(*code), 0);
}
