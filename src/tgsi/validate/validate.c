/* SPDX-License-Identifier: MIT
 *
 * The validator's driver: the order in which the rules of the language are
 * checked, and what all of them use to complain.
 */
#include "tgsi/validate/validate.h"

#include <assert.h>
#include <stdarg.h>

/* ---- the order ----------------------------------------------------------- */

static void
validate_instruction(struct validation *validation)
{
   if (!validate_opcode(validation))
      return;
   validate_opcode_modifiers(validation);
   validate_operands(validation);
   validate_texture(validation);
   validate_memory(validation);
}

static void
validate_instructions(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      validation->instruction = &shader->instructions[i];
      validation->info = tg_instruction_row(shader, validation->instruction);
      validate_instruction(validation);
   }
}

/* Vertices that the first bracket of a per-vertex operand may count. */
static uint32_t
count_vertices(const struct tg_shader *shader, enum tg_file file)
{
   if (shader->processor == TG_PROCESSOR_TESS_CTRL && file == TG_FILE_OUT)
      return tg_shader_property(shader, TG_PROPERTY_TCS_VERTICES_OUT, 32);
   if (shader->processor != TG_PROCESSOR_GEOM)
      return 32;

   uint32_t primitive = tg_shader_property(
      shader, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_PRIMITIVE_TRIANGLES_ADJACENCY);
   return primitive < TG_NUM_PRIMITIVES
             ? tg_primitive_row(primitive)->num_vertices
             : UINT32_MAX;
}

/* Warnings about what is unused come last: no more than 1,000 complaints are
 * kept, and errors shall be among them. */
static void (*const families[])(struct validation *validation) = {
   validate_declaration_order,
   validate_properties,
   validate_declarations,
   validate_declared_immediates,
   validate_flow,
   validate_instructions,
   validate_texture_views,
   validate_values,
   validate_unused_declarations,
};

static enum tg_result
validate(const struct tg_shader *shader, bool is_strict,
         struct tg_diagnostics *diagnostics)
{
   struct validation validation = {
      .shader = shader,
      .diagnostics = diagnostics,
      .result = TG_OK,
      .is_strict = is_strict,
      .value_files = validate_operand_files_with(TG_ACCESS_R, TG_ACCESS_OBJ),
      .writable_files = validate_operand_files_with(TG_ACCESS_W, TG_ACCESS_OBJ),
      .num_vertices[TG_FILE_IN] = count_vertices(shader, TG_FILE_IN),
      .num_vertices[TG_FILE_OUT] = count_vertices(shader, TG_FILE_OUT),
   };
   const size_t num_before =
      diagnostics ? tg_diagnostics_count(diagnostics) : 0;
   tg_arena_init(&validation.arena, shader->arena.allocator);

   for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
      families[i](&validation);
      if (validation.result == TG_ERROR_MEMORY)
         break;
   }
   if (diagnostics)
      tg_diagnostics_sort(diagnostics, num_before);
   tg_flow_finish(&validation.flow);
   tg_arena_finish(&validation.arena);
   return validation.result;
}

enum tg_result
tg_shader_validate(const struct tg_shader *shader,
                   struct tg_diagnostics *diagnostics)
{
   assert(shader);
   return validate(shader, false, diagnostics);
}

enum tg_result
tg_shader_validate_strictly(const struct tg_shader *shader,
                            struct tg_diagnostics *diagnostics)
{
   assert(shader);
   return validate(shader, true, diagnostics);
}

/* ---- complaints ---------------------------------------------------------- */

static void
report(struct validation *validation, enum tg_severity severity,
       struct tg_position position, const char *code, const char *note,
       const char *format, va_list args)
{
   if (severity == TG_SEVERITY_ERROR)
      validation->result = TG_ERROR_INPUT;
   tg_vdiagnose(validation->diagnostics, severity, code,
                &validation->shader->source, position, note, format, args);
}

void
validate_report(struct validation *validation, enum tg_severity severity,
                struct tg_position position, const char *code, const char *note,
                const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(validation, severity, position, code, note, format, args);
   va_end(args);
}

void
validate_error(struct validation *validation, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(validation, TG_SEVERITY_ERROR, position, code, note, format, args);
   va_end(args);
}

void
validate_warning(struct validation *validation, struct tg_position position,
                 const char *code, const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(validation, TG_SEVERITY_WARNING, position, code, note, format, args);
   va_end(args);
}
