/* SPDX-License-Identifier: MIT
 *
 * Linking of vertex outputs to fragment inputs, by semantic.
 */
#include "gpu/state/link.h"

#include "gpu/core/fault.h"

static bool
comes_from_pipeline(const struct gpu_semantic *input)
{
   return input->name == TG_SEMANTIC_POSITION ||
          input->name == TG_SEMANTIC_FACE ||
          input->name == TG_SEMANTIC_PRIM_ID ||
          input->name == TG_SEMANTIC_LAYER ||
          input->name == TG_SEMANTIC_VIEWPORT_INDEX;
}

/* What follows the flat-shade state is smooth where it is off, be it declared
 * CONSTANT or not at all. */
static enum gpu_interpolation
interpolation_of(const struct gpu_semantic *input, bool flatshade)
{
   if (input->follows_flatshade && flatshade)
      return GPU_INTERPOLATE_CONSTANT;
   switch (input->interpolate) {
   case TG_INTERPOLATE_LINEAR: return GPU_INTERPOLATE_LINEAR;
   case TG_INTERPOLATE_PERSPECTIVE: return GPU_INTERPOLATE_PERSPECTIVE;
   default:
      return input->follows_flatshade ? GPU_INTERPOLATE_PERSPECTIVE
                                      : GPU_INTERPOLATE_CONSTANT;
   }
}

/* Shaders that do not know the semantics of sprites' coordinates have GENERIC
 * instead. */
static bool
reads_texcoord(const struct tg_gpu_shader *fs)
{
   for (uint32_t i = 0; i < fs->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &fs->input[i];
      if (input->declared && (input->name == TG_SEMANTIC_TEXCOORD ||
                              input->name == TG_SEMANTIC_PCOORD))
         return true;
   }
   return false;
}

static bool
is_sprite(const struct gpu_semantic *input,
          const struct tg_rasterizer_state *rasterizer, bool knows_texcoord)
{
   const enum tg_semantic replaced =
      knows_texcoord ? TG_SEMANTIC_TEXCOORD : TG_SEMANTIC_GENERIC;
   if (!rasterizer->point_quad_rasterization)
      return false;
   return input->name == TG_SEMANTIC_PCOORD ||
          (input->name == replaced && input->index < 32 &&
           rasterizer->sprite_coord_enable >> input->index & 1);
}

enum tg_result
gpu_link(const struct tg_gpu_shader *vs, const struct tg_gpu_shader *fs,
         const struct tg_rasterizer_state *rasterizer,
         struct tg_diagnostics *diagnostics,
         struct gpu_interface *interface_out)
{
   const bool knows_texcoord = reads_texcoord(fs);
   struct gpu_interface interface = {
      .position = gpu_find_output(vs, TG_SEMANTIC_POSITION, 0),
   };
   for (uint32_t i = 0; i < fs->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &fs->input[i];
      if (!input->declared || comes_from_pipeline(input))
         continue;
      if (interface.num_attributes == GPU_MAX_ATTRIBUTES)
         return gpu_fault_complain(
            diagnostics, TG_ERROR_LIMIT, "link", "%s has more than %u inputs",
            fs->shader->source.name, (unsigned)GPU_MAX_ATTRIBUTES);
      const uint32_t attribute = interface.num_attributes++;
      interface.input[attribute] = (uint8_t)i;
      interface.output[attribute] =
         gpu_find_output(vs, input->name, input->index);
      interface.interpolation[attribute] =
         interpolation_of(input, rasterizer->flatshade);
      interface.back_output[attribute] =
         input->name == TG_SEMANTIC_COLOR && rasterizer->light_twoside
            ? gpu_find_output(vs, TG_SEMANTIC_BCOLOR, input->index)
            : GPU_NO_REGISTER;
      /* Without a colour of fronts theirs is open. */
      if (interface.output[attribute] == GPU_NO_REGISTER)
         interface.output[attribute] = interface.back_output[attribute];
      interface.wrap[attribute] = input->cylindrical;
      interface.is_sprite[attribute] =
         is_sprite(input, rasterizer, knows_texcoord);
   }
   *interface_out = interface;
   return TG_OK;
}

/* ---- inputs that nothing feeds ------------------------------------------- */

/* What feeds an input beside outputs: the pipeline, sprites, and the levels of
 * patches that no shader controls. */
static bool
is_fed(const struct gpu_state *state, const struct tg_gpu_shader *shader,
       const struct gpu_semantic *input)
{
   const bool is_level = input->name == TG_SEMANTIC_TESSOUTER ||
                         input->name == TG_SEMANTIC_TESSINNER;
   switch (shader->stage) {
   case TG_GPU_FRAGMENT:
      return comes_from_pipeline(input) ||
             is_sprite(input, &state->rasterizer->state,
                       reads_texcoord(shader));
   case TG_GPU_GEOMETRY: return input->name == TG_SEMANTIC_PRIM_ID;
   case TG_GPU_TESS_EVAL: return is_level && !state->shader[TG_GPU_TESS_CTRL];
   default: return false;
   }
}

static enum tg_result
check_inputs(const struct gpu_state *state,
             const struct tg_gpu_shader *producer,
             const struct tg_gpu_shader *consumer,
             struct tg_diagnostics *diagnostics)
{
   for (uint32_t i = 0; i < consumer->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &consumer->input[i];
      if (!input->declared || input->name >= TG_NUM_SEMANTICS ||
          is_fed(state, consumer, input) ||
          gpu_find_output(producer, (enum tg_semantic)input->name,
                          input->index) != GPU_NO_REGISTER)
         continue;
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "link",
         "IN[%u] of %s is %s[%u], which %s does not write", i,
         consumer->shader->source.name, tg_semantic_row(input->name)->name,
         (unsigned)input->index, producer->shader->source.name);
   }
   return TG_OK;
}

enum tg_result
gpu_check_links(const struct gpu_state *state,
                struct tg_diagnostics *diagnostics)
{
   static const enum tg_gpu_stage order[] = {TG_GPU_TESS_CTRL, TG_GPU_TESS_EVAL,
                                             TG_GPU_GEOMETRY, TG_GPU_FRAGMENT};
   const struct tg_gpu_shader *producer = state->shader[TG_GPU_VERTEX];
   for (unsigned i = 0; i < 4; i++) {
      const struct tg_gpu_shader *consumer = state->shader[order[i]];
      if (!consumer || (order[i] == TG_GPU_FRAGMENT &&
                        state->rasterizer->state.rasterizer_discard))
         continue;
      const enum tg_result result =
         check_inputs(state, producer, consumer, diagnostics);
      if (result != TG_OK)
         return result;
      producer = consumer;
   }
   return TG_OK;
}

/* ---- records ------------------------------------------------------------- */

/* The distances of a shader that does not say how many it writes all clip. */
static void
count_distances(const struct tg_shader *shader,
                struct gpu_record_layout *layout)
{
   uint32_t clip =
      tg_shader_property(shader, TG_PROPERTY_NUM_CLIPDIST_ENABLED, 0);
   uint32_t cull =
      tg_shader_property(shader, TG_PROPERTY_NUM_CULLDIST_ENABLED, 0);
   if (!clip && !cull)
      clip = TG_MAX_CLIP_PLANES;
   clip = clip < TG_MAX_CLIP_PLANES ? clip : TG_MAX_CLIP_PLANES;
   cull = cull < TG_MAX_CLIP_PLANES - clip ? cull : TG_MAX_CLIP_PLANES - clip;
   layout->num_clip_distances = (uint8_t)clip;
   layout->num_cull_distances = (uint8_t)cull;
}

void
gpu_link_record_layout(const struct tg_gpu_shader *shader,
                       struct gpu_record_layout *layout_out)
{
   const struct tg_shader *source = shader->shader;
   *layout_out = (struct gpu_record_layout){
      .position = gpu_find_output(shader, TG_SEMANTIC_POSITION, 0),
      .point_size = gpu_find_output(shader, TG_SEMANTIC_PSIZE, 0),
      .edge_flag = gpu_find_output(shader, TG_SEMANTIC_EDGEFLAG, 0),
      .layer = gpu_find_output(shader, TG_SEMANTIC_LAYER, 0),
      .viewport = gpu_find_output(shader, TG_SEMANTIC_VIEWPORT_INDEX, 0),
      .primitive_id = gpu_find_output(shader, TG_SEMANTIC_PRIM_ID, 0),
      .clip_vertex = gpu_find_output(shader, TG_SEMANTIC_CLIPVERTEX, 0),
      .clip_distance = {gpu_find_output(shader, TG_SEMANTIC_CLIPDIST, 0),
                        gpu_find_output(shader, TG_SEMANTIC_CLIPDIST, 1)},
      .prohibits_user_planes =
         tg_shader_property(source, TG_PROPERTY_VS_PROHIBIT_UCPS, 0),
      .is_layer_relative =
         tg_shader_property(source, TG_PROPERTY_LAYER_VIEWPORT_RELATIVE, 0),
      .is_window_space =
         tg_shader_property(source, TG_PROPERTY_VS_WINDOW_SPACE_POSITION, 0),
   };
   count_distances(source, layout_out);
}

int
gpu_link_interface_find(const struct gpu_interface *interface, uint32_t input)
{
   for (uint32_t i = 0; i < interface->num_attributes; i++) {
      if (interface->input[i] == input)
         return (int)i;
   }
   return -1;
}
