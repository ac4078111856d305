/* SPDX-License-Identifier: MIT
 *
 * tungsten dispatch FILE
 */
#include <stdarg.h>
#include <string.h>

#include "cli/commands/array.h"
#include "cli/io/diagnostics.h"
#include "cli/io/progress.h"
#include "cli/io/shader.h"
#include "cli/io/work.h"
#include "cli/table/handlers.h"
#include "run/program.h"
#include "script/text/settings.h"
#include "tgsi/analysis/info.h"
#include "tgsi/analysis/memory.h"
#include "util/quota.h"
#include "util/work.h"

#define DEFAULT_MEMORY (UINT64_C(1) << 30)

/* What one call of the command has to do with. */
struct job {
   struct cli_call *call;
   const struct tg_allocator *allocator;
   const struct tg_shader *shader;
   struct tg_program *program;
   struct tg_bindings *bindings;
   struct cli_arrays arrays;
   struct tg_info info;
   struct tg_grid grid;
   struct tg_work work;
};

/* ---- sizes --------------------------------------------------------------- */

/* Reads one to three numbers with commas between them; how many, or 0. */
static unsigned
read_sizes(const char *text, uint64_t sizes[3])
{
   unsigned count = 0;

   for (const char *at = text; count < 3; at++) {
      const char *first = at;
      uint64_t size = 0;

      for (; *at >= '0' && *at <= '9' && at - first < 10; at++)
         size = size * 10 + (uint64_t)(*at - '0');
      if (at == first)
         return 0;
      sizes[count++] = size;
      if (*at != ',')
         return *at ? 0 : count;
   }
   return 0;
}

static bool
read_size_option(const char *name, const char *text, uint64_t sizes[3],
                 unsigned *count_out)
{
   *count_out = 0;
   if (!text)
      return true;
   *count_out = read_sizes(text, sizes);
   if (*count_out)
      return true;
   cli_complain("--%s is one, two or three numbers with commas between them, "
                "not '%s'",
                name, text);
   return false;
}

static bool
read_grid(struct cli_call *call, struct tg_grid *grid)
{
   const struct cli_options *options = &call->options;
   uint64_t block[3] = {0};
   unsigned num_block, num_grid;

   *grid = (struct tg_grid)TG_GRID_INIT;
   if (!read_size_option("grid", options->grid, grid->grid, &num_grid) ||
       !read_size_option("block", options->block, block, &num_block))
      return false;
   for (unsigned i = 0; i < 3; i++)
      grid->block[i] = block[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)block[i];
   grid->work_dim = num_grid > num_block ? num_grid : num_block;
   grid->entry = (uint32_t)options->entry;
   grid->num_threads = (unsigned)options->threads;
   grid->shared_size = (uint32_t)options->shared;
   grid->loop_budget = options->wave_budget;
   return true;
}

/* ---- what the shader declares -------------------------------------------- */

/* The place of a register that a declaration declares, if arrays can be bound
 * there. */
static bool
place_of(const struct tg_declaration *declaration, uint32_t reg,
         struct cli_place *place_out)
{
   switch ((enum tg_file)declaration->file) {
   case TG_FILE_RES:
      if (tg_memory_resource_kind(declaration) != TG_RESOURCE_BUFFER)
         return false;
      break;
   case TG_FILE_BUFFER: break;
   case TG_FILE_HWATOMIC:
      *place_out =
         (struct cli_place){TG_BUFFER_COUNTER, declaration->dimension};
      return true;
   default: return false;
   }
   *place_out = (struct cli_place){TG_BUFFER_SHADER, reg};
   return true;
}

/* Every buffer of the shader has an array, so that a misspelt place is found.
 * One complaint a declaration is enough. */
static enum tg_result
check_declarations(struct job *job)
{
   const struct tg_shader *shader = job->shader;
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      struct cli_place place;

      for (uint32_t reg = declaration->first; reg <= declaration->last; reg++) {
         if (!place_of(declaration, reg, &place) ||
             cli_find_array(&job->arrays, place))
            continue;
         tg_diagnose(
            job->call->diagnostics, TG_SEVERITY_ERROR, "no-array",
            &shader->source, declaration->position,
            "--buffer or --zeros binds one", "no array is bound to %s[%u]",
            tg_file_row(declaration->file)->name, (unsigned)place.number);
         result = TG_ERROR_INPUT;
         break;
      }
   }
   return result;
}

/* Buffers are known one by one, all other memory as a whole. */
static bool
may_write(const struct tg_info *info, struct cli_place place)
{
   bool writes = info->uses & (TG_USES_MEMORY_WRITES | TG_USES_ATOMICS);

   if (place.file == TG_BUFFER_CONSTANT || place.file == TG_BUFFER_INPUT)
      return false;
   if (place.file != TG_BUFFER_SHADER || place.number >= TG_INFO_MAX_OBJECTS ||
       !info->buffers[place.number].is_declared)
      return writes;
   return info->buffers[place.number].is_stored ||
          info->buffers[place.number].is_atomic;
}

/* ---- arrays -------------------------------------------------------------- */

static enum tg_result
list_arrays(struct job *job)
{
   const struct cli_options *options = &job->call->options;
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < options->buffer.count && result == TG_OK; i++)
      result = cli_add_array_file(&job->arrays, options->buffer.items[i]);
   for (unsigned i = 0; i < options->zeros.count && result == TG_OK; i++)
      result =
         cli_add_zero_arrays(&job->arrays, job->allocator,
                             options->zeros.items[i], job->call->diagnostics);
   for (unsigned i = 0; i < options->save.count && result == TG_OK; i++)
      result = cli_add_output_array(&job->arrays, options->save.items[i]);
   return result;
}

static enum tg_result
bind_arrays(struct job *job)
{
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < job->arrays.count && result == TG_OK; i++) {
      struct cli_array *array = &job->arrays.list[i];

      array->is_written = array->input && may_write(&job->info, array->place);
      if (array->input)
         result = cli_load_array(array, job->allocator, &job->work,
                                 job->call->diagnostics);
      if (result == TG_OK)
         result = tg_bindings_set_buffer(
            job->bindings, array->place.file, array->place.number,
            array->resource, 0, tg_resource_get_desc(array->resource)->width,
            job->call->diagnostics);
   }
   return result;
}

/* ---- constants ----------------------------------------------------------- */

static enum tg_result
complain_of_setting(struct job *job, const struct tg_source *source,
                    const struct script_setting *setting, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

static enum tg_result
complain_of_setting(struct job *job, const struct tg_source *source,
                    const struct script_setting *setting, const char *format,
                    ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(job->call->diagnostics, TG_SEVERITY_ERROR, "setting", source,
                setting->position, NULL, format, args);
   va_end(args);
   return TG_ERROR_INPUT;
}

/* Registers that no file gives are zeros, as many as the shader declares. */
static enum tg_result
set_constant(struct job *job, const struct tg_source *source,
             const struct script_setting *setting)
{
   const struct abi_layout *layout = &job->program->layout;
   const struct script_register *reg = &setting->reg;
   struct cli_place place = {TG_BUFFER_CONSTANT, reg->dimension};
   struct cli_array *array = cli_find_array(&job->arrays, place);

   if (reg->file != SCRIPT_CONST || setting->lane != SCRIPT_ALL_LANES)
      return complain_of_setting(job, source, setting,
                                 "constants can be set, in all threads");
   if (array && array->input)
      return complain_of_setting(job, source, setting,
                                 "this constant buffer comes from a file");
   if (reg->dimension >= layout->num_const_buffers ||
       reg->index >= layout->num_const_registers[reg->dimension])
      return complain_of_setting(job, source, setting,
                                 "the shader has no such register");
   if (!array) {
      enum tg_result result = cli_make_array(
         &job->arrays, job->allocator, place,
         layout->num_const_registers[reg->dimension] * UINT64_C(16),
         job->call->diagnostics, &array);

      if (result != TG_OK)
         return result;
   }

   uint64_t offset = reg->index * UINT64_C(16);
   uint64_t size = tg_resource_get_desc(array->resource)->width;
   if (offset + 16 > size)
      return complain_of_setting(
         job, source, setting,
         "this register ends at byte %llu, and CONST[%u] has %llu",
         (unsigned long long)offset + 16, (unsigned)place.number,
         (unsigned long long)size);
   memcpy((char *)tg_resource_map_buffer(array->resource) + offset,
          setting->words, 16);
   return TG_OK;
}

static enum tg_result
set_constants(struct job *job)
{
   const struct cli_list *list = &job->call->options.set;
   enum tg_result result = TG_OK;
   struct tg_arena arena;

   tg_arena_init(&arena, job->allocator);
   for (unsigned i = 0; i < list->count && result == TG_OK; i++) {
      const struct tg_source source = {
         "--set",
         list->items[i],
         strlen(list->items[i]),
      };
      struct script_settings settings = {0};

      result = script_parse_setting(&source, job->call->diagnostics, &arena,
                                    &settings);
      if (result == TG_OK)
         result = set_constant(job, &source, &settings.items[0]);
   }
   tg_arena_finish(&arena);
   return result;
}

/* ---- the dispatch -------------------------------------------------------- */

static enum tg_result
run_grid(struct job *job)
{
   struct cli_progress progress;

   cli_progress_begin(&progress);
   job->grid.progress = cli_progress_report;
   job->grid.user = &progress;
   enum tg_result result = tg_dispatch(job->program, job->bindings, &job->grid,
                                       job->call->diagnostics);
   cli_progress_end();
   return result;
}

/* Whether --check has found something: then arrays are not to be trusted. */
static bool
has_findings(const struct cli_call *call)
{
   return call->options.check && tg_diagnostics_num_errors(call->diagnostics);
}

static enum tg_result
run_job(struct job *job)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   options.optimize = !job->call->options.no_optimize;
   options.check = job->call->options.check;
   options.work = &job->work;
   options.executor = job->call->options.executor;
   options.code_cache = job->call->code_cache;
   enum tg_result result =
      tg_program_create(job->allocator, job->shader, &options,
                        job->call->diagnostics, &job->program);
   if (result == TG_OK)
      result = tg_info_scan(job->shader, &job->info);
   if (result == TG_OK)
      result = tg_bindings_create(job->allocator, &job->bindings);
   if (result == TG_OK)
      result = list_arrays(job);
   if (result == TG_OK)
      result = set_constants(job);
   if (result == TG_OK)
      result = check_declarations(job);
   if (result == TG_OK)
      result = bind_arrays(job);
   if (result == TG_OK)
      result = cli_check_output_arrays(&job->arrays);
   if (result == TG_OK)
      result = run_grid(job);
   if (result == TG_OK && !has_findings(job->call))
      result = cli_save_arrays(&job->arrays);
   tg_bindings_destroy(job->bindings);
   cli_arrays_finish(&job->arrays);
   tg_program_destroy(job->program);
   return result;
}

int
cmd_dispatch(struct cli_call *call)
{
   const uint64_t memory = call->options.memory;
   struct tg_quota quota;
   const struct tg_work_options work = cli_work_options(&call->options);
   struct job job = {.call = call, .allocator = &quota.allocator};

   if (!read_grid(call, &job.grid))
      return CLI_USAGE;
   tg_work_init(&job.work, &work);
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;

   tg_quota_init(&quota, NULL, memory ? memory : DEFAULT_MEMORY);
   job.shader = shader;
   enum tg_result result = run_job(&job);
   tg_shader_destroy(shader);
   if (result == TG_ERROR_MEMORY && quota.refused) {
      cli_complain("the dispatch takes more memory than the %llu bytes of "
                   "--memory",
                   (unsigned long long)quota.most);
      return CLI_FAILED;
   }
   if (result == TG_OK && has_findings(call))
      return CLI_FAILED;
   return cli_diagnostics_status(result);
}
