/* SPDX-License-Identifier: MIT
 *
 * Rules about properties: their values, their stages, and those that a stage
 * cannot do without.
 */
#include "tgsi/validate/validate.h"

/* The primitives that a geometry shader reads and writes, and into which a
 * tessellator cuts, as sets. Others are numbers without a meaning there. */
static const struct {
   uint8_t name; /* enum tg_property_name */
   uint32_t primitives;
   const char *note;
} primitive_rules[] = {
   {TG_PROPERTY_GS_INPUT_PRIMITIVE,
    1u << TG_PRIMITIVE_POINTS | 1u << TG_PRIMITIVE_LINES |
       1u << TG_PRIMITIVE_LINES_ADJACENCY | 1u << TG_PRIMITIVE_TRIANGLES |
       1u << TG_PRIMITIVE_TRIANGLES_ADJACENCY,
    "geometry shaders read points, lines and triangles, with adjacency or not"},
   {TG_PROPERTY_GS_OUTPUT_PRIMITIVE,
    1u << TG_PRIMITIVE_POINTS | 1u << TG_PRIMITIVE_LINE_STRIP |
       1u << TG_PRIMITIVE_TRIANGLE_STRIP,
    "geometry shaders write points, line strips and triangle strips"},
   {TG_PROPERTY_TES_PRIM_MODE,
    1u << TG_PRIMITIVE_LINES | 1u << TG_PRIMITIVE_TRIANGLES |
       1u << TG_PRIMITIVE_QUADS,
    "patches are cut into lines (1), triangles (4) or quads (7)"},
};
enum {
   NUM_PRIMITIVE_RULES = sizeof(primitive_rules) / sizeof(*primitive_rules)
};

static void
check_primitive(struct validation *validation,
                const struct tg_property *property)
{
   const uint32_t value = property->values[0];

   for (int i = 0; i < NUM_PRIMITIVE_RULES; i++) {
      if (primitive_rules[i].name != property->name)
         continue;
      if (!(primitive_rules[i].primitives & 1u << value))
         validate_warning(validation, property->position, "odd-primitive",
                          primitive_rules[i].note, "%s of %s",
                          tg_property_row(property->name)->name,
                          tg_primitive_row(value)->name);
   }
}

static void
check_property(struct validation *validation,
               const struct tg_property *property)
{
   const struct tg_property_info *info = tg_property_row(property->name);
   const enum tg_processor processor = validation->shader->processor;

   if (!(info->stages & 1u << processor))
      validate_report(
         validation, (enum tg_severity)info->elsewhere, property->position,
         "bad-stage",
         validate_format_text("it belongs to %s",
                              validate_stages_text(info->stages).text)
            .text,
         "%s has no meaning in %s", info->name,
         tg_processor_row(processor)->name);
   if (property->num_values == 0) {
      validate_error(validation, property->position, "bad-property", NULL,
                     "%s has no value", info->name);
      return;
   }
   if (property->values[0] < info->least ||
       property->values[0] > info->greatest) {
      validate_error(
         validation, property->position, "bad-property",
         validate_format_text("expected %u to %u", info->least, info->greatest)
            .text,
         "%s has the value %u", info->name, property->values[0]);
      return;
   }
   check_primitive(validation, property);
}

/* Without these the stage cannot run. */
static const struct {
   uint8_t processor, name;
   enum tg_severity severity;
   const char *note;
} needed[] = {
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_SEVERITY_ERROR,
    "it says how many vertices each input has"},
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_OUTPUT_PRIMITIVE, TG_SEVERITY_ERROR,
    "it says what the emitted vertices make"},
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_MAX_OUTPUT_VERTICES, TG_SEVERITY_ERROR,
    "it says how many vertices are kept"},
   {TG_PROCESSOR_TESS_CTRL, TG_PROPERTY_TCS_VERTICES_OUT, TG_SEVERITY_WARNING,
    "32 are taken"},
   {TG_PROCESSOR_TESS_EVAL, TG_PROPERTY_TES_PRIM_MODE, TG_SEVERITY_WARNING,
    "patches are cut into lines (1), triangles (4) or quads (7)"},
};

/* The one that counts: the last. NULL if there is none. */
static const struct tg_property *
find_property(const struct tg_shader *shader, uint8_t name)
{
   for (uint32_t i = shader->num_properties; i-- > 0;) {
      if (shader->properties[i].name == name)
         return &shader->properties[i];
   }
   return NULL;
}

static void
check_needed(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
      if (needed[i].processor == shader->processor &&
          !find_property(shader, needed[i].name))
         validate_report(validation, needed[i].severity, shader->position,
                         "missing-property", needed[i].note, "%s without %s",
                         tg_processor_row(shader->processor)->name,
                         tg_property_row(needed[i].name)->name);
   }
}

/* ---- properties against each other --------------------------------------- */

/* Both kinds of distances share the two vectors of CLIPDIST. */
static void
check_distances(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   const uint32_t clip =
      tg_shader_property(shader, TG_PROPERTY_NUM_CLIPDIST_ENABLED, 0);
   const struct tg_property *cull =
      find_property(shader, TG_PROPERTY_NUM_CULLDIST_ENABLED);
   const uint32_t most =
      tg_property_row(TG_PROPERTY_NUM_CLIPDIST_ENABLED)->greatest;

   if (cull && clip <= most && cull->values[0] <= most &&
       clip + cull->values[0] > most)
      validate_error(validation, cull->position, "bad-property",
                     validate_format_text("there are %u for both", most).text,
                     "%u clip and %u cull distances are enabled", clip,
                     cull->values[0]);
}

static void
check_coverage(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   const struct tg_property *coverage =
      find_property(shader, TG_PROPERTY_FS_POST_DEPTH_COVERAGE);

   if (coverage && coverage->values[0] &&
       !tg_shader_property(shader, TG_PROPERTY_FS_EARLY_DEPTH_STENCIL, 0))
      validate_error(validation, coverage->position, "bad-property",
                     "it needs FS_EARLY_DEPTH_STENCIL 1",
                     "FS_POST_DEPTH_COVERAGE without early tests");
}

/* A block's size is known in all dimensions or in none. */
static void
check_block_size(struct validation *validation)
{
   static const uint8_t names[] = {TG_PROPERTY_CS_FIXED_BLOCK_WIDTH,
                                   TG_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                   TG_PROPERTY_CS_FIXED_BLOCK_DEPTH};
   bool is_known = false;

   for (size_t i = 0; i < sizeof(names); i++)
      is_known |= tg_shader_property(validation->shader, names[i], 0) > 0;
   for (size_t i = 0; i < sizeof(names) && is_known; i++) {
      const struct tg_property *property =
         find_property(validation->shader, names[i]);

      if (property && property->num_values && !property->values[0])
         validate_error(validation, property->position, "bad-property",
                        "a size is at least 1 in each dimension, or 0 in all",
                        "%s is 0 and another dimension is not",
                        tg_property_row(names[i])->name);
   }
}

void
validate_properties(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (uint32_t i = 0; i < shader->num_properties; i++)
      check_property(validation, &shader->properties[i]);
   check_needed(validation);
   check_distances(validation);
   check_coverage(validation);
   check_block_size(validation);
}
