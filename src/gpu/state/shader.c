/* SPDX-License-Identifier: MIT
 *
 * Reflection of a shader for the pipeline: what each register of its interface
 * is for, and the properties that change how it is drawn with.
 */
#include "gpu/state/shader.h"

#include "gpu/core/fault.h"
#include "gpu/core/grow.h"
#include "gpu/device/device.h"
#include "tgsi/analysis/info.h"
#include "tgsi/tables/tables.h"
#include "util/sized.h"

/* Flat shading applies to the interpolation mode COLOR and, as the dialect has
 * it, to the semantics of colours, whatever their mode. */
static bool
follows_flatshade(const struct tg_dialect_info *dialect,
                  const struct tg_declaration *declaration)
{
   if (declaration->has_interpolate &&
       declaration->interpolate == TG_INTERPOLATE_COLOR)
      return true;
   return dialect->color_semantic && declaration->has_semantic &&
          (declaration->semantic == TG_SEMANTIC_COLOR ||
           declaration->semantic == TG_SEMANTIC_BCOLOR);
}

/* Writes down a declaration's registers. Those of an array have consecutive
 * semantic indices. */
static void
note_registers(struct gpu_semantic *semantics, uint32_t num_semantics,
               const struct tg_declaration *declaration,
               const struct tg_dialect_info *dialect)
{
   for (uint32_t i = declaration->first;
        i <= declaration->last && i < num_semantics; i++) {
      semantics[i] = (struct gpu_semantic){
         .declared = true,
         .name = declaration->has_semantic ? declaration->semantic
                                           : TG_NUM_SEMANTICS,
         .index =
            (uint16_t)(declaration->semantic_index + i - declaration->first),
         .interpolate = declaration->has_interpolate ? declaration->interpolate
                                                     : TG_INTERPOLATE_CONSTANT,
         .follows_flatshade = follows_flatshade(dialect, declaration),
         .location = declaration->location,
         .cylindrical = declaration->cylindrical_wrap,
      };
   }
}

static void
note_declarations(struct tg_gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   const struct tg_dialect_info *dialect = tg_dialect_row(source->dialect);

   for (uint32_t i = 0; i < source->num_declarations; i++) {
      const struct tg_declaration *declaration = &source->declarations[i];
      switch (declaration->file) {
      case TG_FILE_IN:
         note_registers(shader->input, ABI_MAX_INPUTS, declaration, dialect);
         break;
      case TG_FILE_OUT:
         note_registers(shader->output, ABI_MAX_OUTPUTS, declaration, dialect);
         break;
      case TG_FILE_SV:
         note_registers(shader->sysval, ABI_MAX_SYSVALS, declaration, dialect);
         break;
      default: break;
      }
   }
}

static void
note_instructions(struct tg_gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   for (uint32_t i = 0; i < source->num_instructions; i++) {
      const uint16_t flags =
         tg_opcode_row(source->instructions[i].opcode)->flags;
      shader->kills |= (flags & TG_OPCODE_FLAG_KILLS) != 0;
      shader->writes_memory |=
         (flags & (TG_OPCODE_FLAG_WRITES_MEM | TG_OPCODE_FLAG_ATOMIC)) != 0;
   }
}

static void
note_properties(struct tg_gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   shader->early_depth =
      tg_shader_property(source, TG_PROPERTY_FS_EARLY_DEPTH_STENCIL, 0);
   shader->color0_writes_all =
      tg_shader_property(source, TG_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS, 0);
   shader->origin_lower_left =
      tg_shader_property(source, TG_PROPERTY_FS_COORD_ORIGIN, 0);
   shader->post_depth_coverage =
      tg_shader_property(source, TG_PROPERTY_FS_POST_DEPTH_COVERAGE, 0);
   shader->depth_layout =
      (uint8_t)tg_shader_property(source, TG_PROPERTY_FS_DEPTH_LAYOUT, 0);
   shader->center_integer =
      tg_shader_property(source, TG_PROPERTY_FS_COORD_PIXEL_CENTER, 0);
}

static enum tg_gpu_stage
stage_of(enum tg_processor processor)
{
   switch (processor) {
   case TG_PROCESSOR_VERT: return TG_GPU_VERTEX;
   case TG_PROCESSOR_FRAG: return TG_GPU_FRAGMENT;
   case TG_PROCESSOR_GEOM: return TG_GPU_GEOMETRY;
   case TG_PROCESSOR_TESS_CTRL: return TG_GPU_TESS_CTRL;
   case TG_PROCESSOR_TESS_EVAL: return TG_GPU_TESS_EVAL;
   default: return TG_NUM_GPU_STAGES;
   }
}

enum tg_result
gpu_shader_init(struct tg_gpu_shader *shader, const struct tg_shader *source,
                const struct tg_stream_output_info *given,
                struct tg_diagnostics *diagnostics)
{
   struct tg_stream_output_info stream_output;
   struct abi_layout layout;
   struct tg_info info;
   const enum tg_gpu_stage stage = stage_of(source->processor);
   if (stage == TG_NUM_GPU_STAGES)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "shader",
                                "%s: a %s shader cannot be drawn with",
                                source->source.name,
                                tg_processor_row(source->processor)->name);
   enum tg_result result = tg_shader_validate(source, diagnostics);
   if (result == TG_OK)
      result = abi_get_layout(source, diagnostics, &layout);
   if (result == TG_OK)
      result = tg_stream_output_info_take(&stream_output, given, diagnostics);
   if (result == TG_OK)
      result = gpu_check_stream_output_info(source, &layout, &stream_output,
                                            diagnostics);
   if (result == TG_OK)
      result = tg_info_scan(source, &info);
   if (result != TG_OK)
      return result;

   *shader = (struct tg_gpu_shader){
      .refs = TG_REFCOUNT_INIT,
      .shader = tg_shader_ref(source),
      .stage = stage,
      .stream_output = stream_output,
      .has_stream_output = stream_output.num_outputs > 0,
      .layout = layout,
      .fetches_colors = (info.uses & TG_USES_FRAMEBUFFER_FETCH) != 0,
   };
   abi_find_seen_bindings(source, info.uses, &shader->seen);
   note_declarations(shader);
   note_instructions(shader);
   note_properties(shader);
   gpu_find_texture_copy(source, &shader->copy);
   return TG_OK;
}

uint8_t
gpu_find_output(const struct tg_gpu_shader *shader, enum tg_semantic name,
                uint32_t index)
{
   for (uint32_t i = 0; i < shader->layout.num_outputs; i++) {
      const struct gpu_semantic *output = &shader->output[i];
      if (output->declared && output->name == name && output->index == index)
         return (uint8_t)i;
   }
   return GPU_NO_REGISTER;
}

struct tg_gpu_shader *
tg_gpu_shader_ref(struct tg_gpu_shader *shader)
{
   if (shader)
      tg_refcount_add(&shader->refs);
   return shader;
}

void
tg_gpu_shader_destroy(struct tg_gpu_shader *shader)
{
   void *memory = shader;
   if (!shader || !tg_refcount_drop(&shader->refs))
      return;
   struct tg_device *device = shader->device;
   exec_cache_drop(&device->kernels, &shader->id, sizeof(shader->id));
   tg_shader_destroy(shader->shader);
   gpu_grow(&device->allocator, &memory, sizeof(*shader), 0);
   tg_device_destroy(device);
}
