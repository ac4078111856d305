/* SPDX-License-Identifier: MIT
 *
 * Rules about properties: their values, their stages, and those that a stage
 * cannot do without.
 */
#include "tgsi/validate.h"

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
                          tg_properties[property->name].name,
                          tg_primitives[value].name);
   }
}

static void
check_property(struct validation *validation,
               const struct tg_property *property)
{
   const struct tg_property_info *info = &tg_properties[property->name];
   const enum tg_processor processor = validation->shader->processor;

   if (!(info->stages & 1u << processor))
      validate_warning(validation, property->position, "bad-stage",
                       validate_format("it belongs to %s",
                                       validate_stages_text(info->stages).text)
                          .text,
                       "%s has no meaning in %s", info->name,
                       tg_processors[processor].name);
   if (property->num_values == 0) {
      validate_error(validation, property->position, "bad-property", NULL,
                     "%s has no value", info->name);
      return;
   }
   if (property->values[0] < info->least ||
       property->values[0] > info->greatest) {
      validate_error(
         validation, property->position, "bad-property",
         validate_format("expected %u to %u", info->least, info->greatest).text,
         "%s has the value %u", info->name, property->values[0]);
      return;
   }
   check_primitive(validation, property);
}

/* Without these nobody could run the stage. */
static const struct {
   uint8_t processor, name;
   enum tg_severity severity;
   const char *note;
} needed[] = {
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_SEVERITY_ERROR,
    "it tells how many vertices each input has"},
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_OUTPUT_PRIMITIVE, TG_SEVERITY_ERROR,
    "it tells what the emitted vertices make"},
   {TG_PROCESSOR_GEOM, TG_PROPERTY_GS_MAX_OUTPUT_VERTICES, TG_SEVERITY_ERROR,
    "it tells how many vertices are kept"},
   {TG_PROCESSOR_TESS_CTRL, TG_PROPERTY_TCS_VERTICES_OUT, TG_SEVERITY_WARNING,
    "32 are taken"},
   {TG_PROCESSOR_TESS_EVAL, TG_PROPERTY_TES_PRIM_MODE, TG_SEVERITY_WARNING,
    "patches are cut into lines (1), triangles (4) or quads (7)"},
};

static bool
has_property(const struct tg_shader *shader, uint8_t name)
{
   for (uint32_t i = 0; i < shader->num_properties; i++) {
      if (shader->properties[i].name == name)
         return true;
   }
   return false;
}

static void
check_needed(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   struct tg_position top = {0};

   if (shader->source.text)
      top = (struct tg_position){.line = 1, .column = 1};
   for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
      if (needed[i].processor != shader->processor ||
          has_property(shader, needed[i].name))
         continue;
      const char *name = tg_properties[needed[i].name].name;

      if (needed[i].severity == TG_SEVERITY_ERROR)
         validate_error(validation, top, "missing-property", needed[i].note,
                        "%s without %s", tg_processors[shader->processor].name,
                        name);
      else
         validate_warning(validation, top, "missing-property", needed[i].note,
                          "%s without %s",
                          tg_processors[shader->processor].name, name);
   }
}

void
validate_properties(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (uint32_t i = 0; i < shader->num_properties; i++)
      check_property(validation, &shader->properties[i]);
   check_needed(validation);
}
