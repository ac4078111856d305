/* SPDX-License-Identifier: MIT
 *
 * The size of the memory around a shader, from its declarations, and where in
 * their file registers with two brackets are.
 */
#include "abi/layout.h"

#include <assert.h>
#include <stdio.h>

#include "tgsi/analysis/memory.h"

static uint32_t
max_resources(const struct tg_declaration *declaration)
{
   switch (tg_memory_resource_kind(declaration)) {
   case TG_RESOURCE_VIEW: return ABI_MAX_VIEWS;
   case TG_RESOURCE_BUFFER: return ABI_MAX_BUFFERS;
   default: return ABI_MAX_IMAGES;
   }
}

/* The bound on the registers of a file. Files without values have none. */
static uint32_t
max_registers(const struct tg_declaration *declaration)
{
   const enum tg_file file = declaration->file;
   static const uint32_t bound[TG_NUM_FILES] = {
      [TG_FILE_CONST] = ABI_MAX_CONST_REGISTERS,
      [TG_FILE_IN] = ABI_MAX_INPUTS,
      [TG_FILE_OUT] = ABI_MAX_OUTPUTS,
      [TG_FILE_TEMP] = ABI_MAX_TEMPS,
      [TG_FILE_TEMPX] = ABI_MAX_TEMPS,
      [TG_FILE_ADDR] = ABI_MAX_TEMPS,
      [TG_FILE_SV] = ABI_MAX_SYSVALS,
      [TG_FILE_PRED] = ABI_MAX_TEMPS,
      [TG_FILE_LOOP] = ABI_MAX_TEMPS,
      [TG_FILE_BUFFER] = ABI_MAX_BUFFERS,
      [TG_FILE_IMAGE] = ABI_MAX_IMAGES,
      [TG_FILE_SAMP] = ABI_MAX_SAMPLERS,
      [TG_FILE_SVIEW] = ABI_MAX_VIEWS,
      [TG_FILE_CONSTBUF] = ABI_MAX_CONST_BUFFERS,
   };

   if (file == TG_FILE_RES)
      return max_resources(declaration);
   return bound[file] ? bound[file] : UINT32_MAX;
}

/* The bound on the first bracket of files that have one. */
static const struct dimension_bound {
   uint32_t bound;
   const char *what;
} dimensions[TG_NUM_FILES] = {
   [TG_FILE_CONST] = {ABI_MAX_CONST_BUFFERS, "constant buffers"},
   [TG_FILE_HWATOMIC] = {ABI_MAX_COUNTERS, "buffers of counters"},
   [TG_FILE_TEMPX] = {ABI_MAX_TEMP_ARRAYS, "arrays of temporaries"},
};

static bool
check_bounds(const struct tg_shader *shader,
             const struct tg_declaration *declaration,
             struct tg_diagnostics *diagnostics)
{
   enum tg_file file = declaration->file;
   uint32_t bound = max_registers(declaration);
   const struct dimension_bound *dimension = &dimensions[file];

   if (declaration->last >= bound) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "register-limit",
                  &shader->source, declaration->position, NULL,
                  "%s[%u] is beyond the %u registers that a shader may have",
                  tg_file_row(file)->name, (unsigned)declaration->last,
                  (unsigned)bound);
      return false;
   }
   if (dimension->bound && declaration->dimension >= dimension->bound) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "register-limit",
                  &shader->source, declaration->position, NULL,
                  "%s[%u] is beyond the %u %s that a shader may have",
                  tg_file_row(file)->name, (unsigned)declaration->dimension,
                  (unsigned)dimension->bound, dimension->what);
      return false;
   }
   return true;
}

static void
grow(uint32_t *count, const struct tg_declaration *declaration)
{
   if (*count < declaration->last + 1u)
      *count = declaration->last + 1u;
}

static void
add_declaration(struct abi_layout *layout,
                const struct tg_declaration *declaration)
{
   uint32_t buffer = declaration->dimension;

   switch ((enum tg_file)declaration->file) {
   case TG_FILE_IN: grow(&layout->num_inputs, declaration); break;
   case TG_FILE_OUT: grow(&layout->num_outputs, declaration); break;
   case TG_FILE_SV: grow(&layout->num_sysvals, declaration); break;
   case TG_FILE_CONST:
      grow(&layout->num_const_registers[buffer], declaration);
      if (layout->num_const_buffers <= buffer)
         layout->num_const_buffers = buffer + 1;
      break;
   case TG_FILE_TEMPX:
      grow(&layout->first_of_array[buffer + 1], declaration);
      break;
   default: break;
   }
}

/* Lays the arrays of TEMPX one after another. Each entry has the size of the
 * array before it. */
static enum tg_result
place_arrays(const struct tg_shader *shader, struct tg_diagnostics *diagnostics,
             struct abi_layout *layout)
{
   for (unsigned i = 0; i < ABI_MAX_TEMP_ARRAYS; i++)
      layout->first_of_array[i + 1] += layout->first_of_array[i];
   if (layout->first_of_array[ABI_MAX_TEMP_ARRAYS] <= ABI_MAX_TEMPS)
      return TG_OK;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "register-limit",
               &shader->source, (struct tg_position){0}, NULL,
               "TEMPX has %u registers in all arrays, and a shader may have %u",
               (unsigned)layout->first_of_array[ABI_MAX_TEMP_ARRAYS],
               (unsigned)ABI_MAX_TEMPS);
   return TG_ERROR_LIMIT;
}

/* The vertices of an input primitive, or of an output patch. */
static uint32_t
num_vertices(const struct tg_shader *shader, enum tg_file file)
{
   if (!tg_shader_file_is_per_vertex(shader->processor, file))
      return 1;
   if (file == TG_FILE_OUT) {
      uint32_t count = tg_shader_property(shader, TG_PROPERTY_TCS_VERTICES_OUT,
                                          ABI_MAX_VERTICES);

      return count < ABI_MAX_VERTICES ? count : ABI_MAX_VERTICES;
   }
   if (shader->processor != TG_PROCESSOR_GEOM)
      return ABI_MAX_VERTICES;

   uint32_t primitive = tg_shader_property(
      shader, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_PRIMITIVE_TRIANGLES_ADJACENCY);
   if (primitive >= TG_NUM_PRIMITIVES)
      primitive = TG_PRIMITIVE_TRIANGLES_ADJACENCY;
   return tg_primitive_row(primitive)->num_vertices;
}

enum tg_result
abi_get_layout(const struct tg_shader *shader,
               struct tg_diagnostics *diagnostics,
               struct abi_layout *layout_out)
{
   enum tg_result result = TG_OK;

   *layout_out = (struct abi_layout){
      .num_input_vertices = num_vertices(shader, TG_FILE_IN),
      .num_output_vertices = num_vertices(shader, TG_FILE_OUT),
   };
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (check_bounds(shader, declaration, diagnostics))
         add_declaration(layout_out, declaration);
      else
         result = TG_ERROR_LIMIT;
   }

   enum tg_result placed = place_arrays(shader, diagnostics, layout_out);
   return result != TG_OK ? result : placed;
}

/* ---- numbers ------------------------------------------------------------- */

struct abi_numbers
abi_layout_numbers_in(const struct abi_layout *layout, enum tg_file file,
                      uint32_t dimension)
{
   if (file != TG_FILE_TEMPX)
      return (struct abi_numbers){0, UINT32_MAX};
   if (dimension >= ABI_MAX_TEMP_ARRAYS)
      return (struct abi_numbers){0, 0};

   const uint32_t *first = &layout->first_of_array[dimension];
   return (struct abi_numbers){first[0], first[1] - first[0]};
}

struct abi_numbers
abi_layout_numbers_of(const struct abi_layout *layout,
                      const struct tg_register *reg)
{
   uint32_t dimension = 0;

   if (reg->has_dimension)
      dimension =
         reg->dimension.indirect ? UINT32_MAX : (uint32_t)reg->dimension.offset;
   return abi_layout_numbers_in(layout, reg->file, dimension);
}

struct abi_channel_name
abi_layout_name_channel(const struct abi_layout *layout, enum tg_file file,
                        uint32_t number, unsigned channel)
{
   assert(file < TG_NUM_FILES);
   assert(channel < 4);
   const uint32_t *first = layout->first_of_array;
   struct abi_channel_name name;
   unsigned array = 0;

   if (file != TG_FILE_TEMPX) {
      snprintf(name.text, sizeof(name.text), "%s[%u].%c",
               tg_file_row(file)->name, (unsigned)number, "xyzw"[channel]);
      return name;
   }
   while (array + 1 < ABI_MAX_TEMP_ARRAYS && number >= first[array + 1])
      array++;
   snprintf(name.text, sizeof(name.text), "TEMPX[%u][%u].%c", array,
            (unsigned)(number - first[array]), "xyzw"[channel]);
   return name;
}
