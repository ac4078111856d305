/* SPDX-License-Identifier: MIT
 *
 * A shader as the pipeline sees it: what each register of its interface is
 * for, and the properties that change how it is drawn with.
 */
#include "gpu/context.h"
#include "tgsi/info.h"

/* Writes down a declaration's registers. Those of an array have consecutive
 * semantic indices. */
static void
note_registers(struct gpu_semantic *semantics, uint32_t num_semantics,
               const struct tg_declaration *declaration)
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
      };
   }
}

static void
note_declarations(struct gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   for (uint32_t i = 0; i < source->num_declarations; i++) {
      const struct tg_declaration *declaration = &source->declarations[i];
      switch (declaration->file) {
      case TG_FILE_IN:
         note_registers(shader->input, LOWER_MAX_INPUTS, declaration);
         break;
      case TG_FILE_OUT:
         note_registers(shader->output, LOWER_MAX_OUTPUTS, declaration);
         break;
      case TG_FILE_SV:
         note_registers(shader->sysval, LOWER_MAX_SYSVALS, declaration);
         break;
      default: break;
      }
   }
}

static void
note_instructions(struct gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   for (uint32_t i = 0; i < source->num_instructions; i++) {
      const uint16_t flags = tg_opcodes[source->instructions[i].opcode].flags;
      shader->kills |= (flags & TG_OPCODE_FLAG_KILLS) != 0;
      shader->writes_memory |=
         (flags & (TG_OPCODE_FLAG_WRITES_MEM | TG_OPCODE_FLAG_ATOMIC)) != 0;
   }
}

static void
note_properties(struct gpu_shader *shader)
{
   const struct tg_shader *source = shader->shader;
   shader->early_depth =
      tg_shader_property(source, TG_PROPERTY_FS_EARLY_DEPTH_STENCIL, 0);
   shader->color0_writes_all =
      tg_shader_property(source, TG_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS, 0);
   shader->origin_lower_left =
      tg_shader_property(source, TG_PROPERTY_FS_COORD_ORIGIN, 0);
   shader->center_integer =
      tg_shader_property(source, TG_PROPERTY_FS_COORD_PIXEL_CENTER, 0);
}

static enum tg_result
check_supported(const struct tg_shader *shader,
                struct tg_diagnostics *diagnostics)
{
   if (shader->processor != TG_PROCESSOR_VERT &&
       shader->processor != TG_PROCESSOR_FRAG)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "shader",
                          "%s: a %s shader cannot be drawn with",
                          shader->source.name,
                          tg_processors[shader->processor].name);
   if (tg_shader_property(shader, TG_PROPERTY_VS_WINDOW_SPACE_POSITION, 0))
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "shader",
                          "%s: VS_WINDOW_SPACE_POSITION is not supported",
                          shader->source.name);
   return TG_OK;
}

enum tg_result
gpu_shader_create(struct gpu_context *context, const struct tg_shader *source,
                  struct tg_diagnostics *diagnostics,
                  struct gpu_shader **shader_out)
{
   struct lower_layout layout;
   struct tg_info info;
   enum tg_result result = check_supported(source, diagnostics);
   if (result == TG_OK)
      result = lower_get_layout(source, diagnostics, &layout);
   if (result == TG_OK)
      result = tg_info_scan(source, &info);
   if (result != TG_OK)
      return result;

   void *memory = NULL;
   if (!gpu_grow(&context->allocator, &memory, 0, sizeof(struct gpu_shader)))
      return TG_ERROR_MEMORY;
   struct gpu_shader *shader = memory;
   *shader = (struct gpu_shader){
      .allocator = context->allocator,
      .shader = source,
      .id = context->next_shader_id++,
      .layout = layout,
      .fetches_colors = (info.uses & TG_USES_FRAMEBUFFER_FETCH) != 0,
   };
   lower_find_seen(source, info.uses, &shader->seen);
   note_declarations(shader);
   note_instructions(shader);
   note_properties(shader);
   *shader_out = shader;
   return TG_OK;
}

void
gpu_shader_destroy(struct gpu_shader *shader)
{
   if (!shader)
      return;
   const struct tg_allocator allocator = shader->allocator;
   void *memory = shader;
   gpu_grow(&allocator, &memory, sizeof(*shader), 0);
}
