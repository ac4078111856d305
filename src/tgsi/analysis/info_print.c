/* SPDX-License-Identifier: MIT
 *
 * The two printed forms of a tg_info: JSON for programs, lines for people. The
 * names in the JSON are part of the public interface.
 */
#include <assert.h>
#include <stdio.h>

#include "tgsi/analysis/info.h"
#include "util/json.h"
#include "util/length.h"
#include "util/strbuf.h"

static const char *const use_words[TG_NUM_USES] = {
#define TG_INFO_WORD(name, word) [TG_USES_NUMBER_##name] = word,
   TG_INFO_USES(TG_INFO_WORD)
#undef TG_INFO_WORD
};

/* A mask as its letters; it stays good until the end of the expression. */
struct mask_text {
   char text[5];
};

static struct mask_text
mask_text(unsigned mask)
{
   struct mask_text text = {""};
   int length = 0;

   for (int channel = 0; channel < 4; channel++) {
      if (mask & 1u << channel)
         text.text[length++] = "xyzw"[channel];
   }
   return text;
}

/* What the shader uses; NULL when out of memory. */
static struct tg_info *
scan(const struct tg_shader *shader)
{
   const struct tg_allocator *allocator = shader->arena.allocator;
   struct tg_info *info =
      allocator->resize(allocator->user, NULL, 0, sizeof(*info));

   if (!info || tg_info_scan(shader, info) == TG_OK)
      return info;
   allocator->resize(allocator->user, info, sizeof(*info), 0);
   return NULL;
}

/* ---- JSON ---------------------------------------------------------------- */

static void
add_opcodes(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *opcodes = tg_json_object(json, json->root, "opcodes");

   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (info->opcodes[i])
         tg_json_number(json, opcodes, tg_opcode_row(i)->name,
                        info->opcodes[i]);
   }
}

static void
add_properties(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *properties =
      tg_json_object(json, json->root, "properties");

   for (int i = 0; i < TG_NUM_PROPERTIES; i++) {
      if (info->has_property[i])
         tg_json_number(json, properties, tg_property_row(i)->name,
                        info->properties[i]);
   }
}

static void
add_files(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *files = tg_json_object(json, json->root, "files");

   for (int i = 0; i < TG_NUM_FILES; i++) {
      const struct tg_info_file *file = &info->files[i];

      if (!file->count)
         continue;
      struct tg_json_value *entry =
         tg_json_object(json, files, tg_file_row(i)->name);
      tg_json_number(json, entry, "count", file->count);
      tg_json_number(json, entry, "max", file->max);
      tg_json_number(json, entry, "arrays", file->last_array);
      tg_json_bool(json, entry, "indirect_read", file->indirect_read);
      tg_json_bool(json, entry, "indirect_write", file->indirect_write);
      tg_json_bool(json, entry, "indirect_dimension", file->indirect_dimension);
   }
}

/* Starts the entry of one register with what all kinds of them have. */
static struct tg_json_value *
add_register(struct tg_json *json, struct tg_json_value *array,
             const struct tg_info_register *reg, uint32_t index)
{
   struct tg_json_value *entry = tg_json_object(json, array, NULL);
   tg_json_number(json, entry, "register", index);
   tg_json_string(json, entry, "semantic",
                  tg_semantic_row(reg->semantic)->name);
   tg_json_number(json, entry, "index", reg->semantic_index);
   tg_json_string(json, entry, "declared", mask_text(reg->declared).text);
   tg_json_string(json, entry, "read", mask_text(reg->read).text);
   return entry;
}

static void
add_inputs(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *array = tg_json_array(json, json->root, "inputs");

   for (uint32_t i = 0; i < info->inputs.count; i++) {
      const struct tg_info_register *reg = &info->inputs.list[i];

      if (!reg->is_declared)
         continue;
      struct tg_json_value *entry = add_register(json, array, reg, i);
      tg_json_string(json, entry, "interpolate",
                     tg_interpolate_names[reg->interpolate]);
      tg_json_string(json, entry, "location", tg_location_names[reg->location]);
   }
}

static void
add_outputs(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *array = tg_json_array(json, json->root, "outputs");

   for (uint32_t i = 0; i < info->outputs.count; i++) {
      const struct tg_info_register *reg = &info->outputs.list[i];

      if (!reg->is_declared)
         continue;
      struct tg_json_value *entry = add_register(json, array, reg, i);
      tg_json_string(json, entry, "written", mask_text(reg->written).text);
      if (info->processor != TG_PROCESSOR_GEOM)
         continue;
      struct tg_json_value *streams = tg_json_array(json, entry, "streams");
      for (int channel = 0; channel < 4; channel++)
         tg_json_number(json, streams, NULL, reg->stream[channel]);
   }
}

static void
add_sysvals(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *array =
      tg_json_array(json, json->root, "system_values");

   for (uint32_t i = 0; i < info->sysvals.count; i++) {
      if (info->sysvals.list[i].is_declared)
         add_register(json, array, &info->sysvals.list[i], i);
   }
}

static void
add_const_buffers(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *array =
      tg_json_array(json, json->root, "const_buffers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *buffer = &info->const_buffers[i];

      if (!buffer->is_declared)
         continue;
      struct tg_json_value *entry = tg_json_object(json, array, NULL);
      tg_json_number(json, entry, "buffer", i);
      tg_json_number(json, entry, "registers", buffer->count);
      tg_json_bool(json, entry, "indirect", buffer->is_indirect);
   }
}

static void
add_samplers(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *array = tg_json_array(json, json->root, "samplers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *sampler = &info->samplers[i];

      if (!sampler->is_declared && sampler->target == TG_TARGET_UNKNOWN)
         continue;
      struct tg_json_value *entry = tg_json_object(json, array, NULL);
      tg_json_number(json, entry, "sampler", i);
      tg_json_string(json, entry, "target",
                     tg_target_row(sampler->target)->name);
      tg_json_string(json, entry, "type",
                     tg_return_type_names[sampler->return_type]);
   }
}

/* Images and buffers. */
static struct tg_json_value *
add_memory(struct tg_json *json, struct tg_json_value *array,
           const struct tg_info_object *memory, const char *name, int index)
{
   struct tg_json_value *entry = tg_json_object(json, array, NULL);
   tg_json_number(json, entry, name, index);
   tg_json_bool(json, entry, "loaded", memory->is_loaded);
   tg_json_bool(json, entry, "stored", memory->is_stored);
   tg_json_bool(json, entry, "atomic", memory->is_atomic);
   return entry;
}

static void
add_memories(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *images = tg_json_array(json, json->root, "images");
   struct tg_json_value *buffers = tg_json_array(json, json->root, "buffers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *image = &info->images[i];

      if (!image->is_declared)
         continue;
      struct tg_json_value *entry = add_memory(json, images, image, "image", i);
      tg_json_string(json, entry, "target", tg_target_row(image->target)->name);
      tg_json_string(json, entry, "format", tg_format_row(image->format)->name);
   }
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->buffers[i].is_declared)
         add_memory(json, buffers, &info->buffers[i], "buffer", i);
   }
}

static void
add_uses(struct tg_json *json, const struct tg_info *info)
{
   struct tg_json_value *uses = tg_json_array(json, json->root, "uses");
   struct tg_json_value *modes =
      tg_json_array(json, json->root, "interpolation");

   for (int i = 0; i < TG_NUM_USES; i++) {
      if (info->uses & 1u << i)
         tg_json_string(json, uses, NULL, use_words[i]);
   }
   for (int mode = 0; mode < TG_NUM_INTERPOLATES; mode++) {
      for (int place = 0; place < TG_NUM_LOCATIONS; place++) {
         char name[32];

         if (!info->interpolates[mode][place])
            continue;
         snprintf(name, sizeof(name), "%s %s", tg_interpolate_names[mode],
                  tg_location_names[place]);
         tg_json_string(json, modes, NULL, name);
      }
   }
}

static void
add_streams(struct tg_json *json, const struct tg_info *info)
{
   if (info->processor != TG_PROCESSOR_GEOM)
      return;

   struct tg_json_value *array =
      tg_json_array(json, json->root, "stream_components");
   for (int stream = 0; stream < 4; stream++)
      tg_json_number(json, array, NULL, info->stream_components[stream]);
}

char *
tg_shader_info_json(const struct tg_shader *shader)
{
   const struct tg_allocator *allocator = shader->arena.allocator;
   struct tg_info *info = scan(shader);
   struct tg_json json;
   if (!info)
      return NULL;

   tg_json_init_object(&json, allocator);
   tg_json_string(&json, json.root, "processor",
                  tg_processor_row(info->processor)->name);
   tg_json_string(&json, json.root, "dialect",
                  tg_dialect_row(info->dialect)->name);
   tg_json_number(&json, json.root, "instructions", info->num_instructions);
   tg_json_number(&json, json.root, "immediates", info->num_immediates);
   tg_json_number(&json, json.root, "subroutines", info->num_subroutines);
   tg_json_number(&json, json.root, "depth", info->max_depth);
   add_properties(&json, info);
   add_files(&json, info);
   add_inputs(&json, info);
   add_sysvals(&json, info);
   add_outputs(&json, info);
   add_streams(&json, info);
   add_const_buffers(&json, info);
   add_samplers(&json, info);
   add_memories(&json, info);
   add_uses(&json, info);
   add_opcodes(&json, info);
   allocator->resize(allocator->user, info, sizeof(*info), 0);
   return tg_json_take(&json);
}

/* ---- text ---------------------------------------------------------------- */

static void
print_registers(struct tg_strbuf *out, const char *title, const char *file,
                const struct tg_info_registers *registers)
{
   for (uint32_t i = 0; i < registers->count; i++) {
      const struct tg_info_register *reg = &registers->list[i];

      if (!reg->is_declared)
         continue;
      tg_strbuf_printf(out, "%s %s[%u] %s", title, file, i,
                       tg_semantic_row(reg->semantic)->name);
      if (tg_semantic_shows_index(reg->semantic, reg->semantic_index))
         tg_strbuf_printf(out, "[%u]", reg->semantic_index);
      if (reg->read)
         tg_strbuf_printf(out, ", reads %s", mask_text(reg->read).text);
      if (reg->written)
         tg_strbuf_printf(out, ", writes %s", mask_text(reg->written).text);
      tg_strbuf_add_char(out, '\n');
   }
}

static void
print_files(struct tg_strbuf *out, const struct tg_info *info)
{
   for (int i = 0; i < TG_NUM_FILES; i++) {
      const struct tg_info_file *file = &info->files[i];

      if (!file->count)
         continue;
      tg_strbuf_printf(out, "file %s: %u declared", tg_file_row(i)->name,
                       file->count);
      if (file->indirect_read || file->indirect_write ||
          file->indirect_dimension)
         tg_strbuf_add(out, ", indexed");
      tg_strbuf_add_char(out, '\n');
   }
}

static void
print_objects(struct tg_strbuf *out, const struct tg_info *info)
{
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->const_buffers[i].is_declared)
         tg_strbuf_printf(out, "constants %d: %u registers\n", i,
                          info->const_buffers[i].count);
   }
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->samplers[i].is_declared)
         tg_strbuf_printf(out, "sampler %d: %s\n", i,
                          tg_target_row(info->samplers[i].target)->name);
   }
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->images[i].is_declared)
         tg_strbuf_printf(out, "image %d: %s %s\n", i,
                          tg_target_row(info->images[i].target)->name,
                          tg_format_row(info->images[i].format)->name);
   }
}

char *
tg_shader_info_text(const struct tg_shader *shader)
{
   assert(shader);
   const struct tg_allocator *allocator = shader->arena.allocator;
   struct tg_info *info = scan(shader);
   struct tg_strbuf out = {.allocator = allocator};
   if (!info)
      return NULL;

   tg_strbuf_printf(&out,
                    "%s\n"
                    "instructions: %u\n"
                    "immediates: %u\n"
                    "subroutines: %u\n"
                    "nesting: %u\n",
                    tg_processor_row(info->processor)->name,
                    info->num_instructions, info->num_immediates,
                    info->num_subroutines, info->max_depth);
   print_registers(&out, "input", "IN", &info->inputs);
   print_registers(&out, "system value", "SV", &info->sysvals);
   print_registers(&out, "output", "OUT", &info->outputs);
   print_files(&out, info);
   print_objects(&out, info);
   for (int i = 0; i < TG_NUM_USES; i++) {
      if (info->uses & 1u << i)
         tg_strbuf_printf(&out, "uses %s\n", use_words[i]);
   }
   allocator->resize(allocator->user, info, sizeof(*info), 0);
   return tg_strbuf_take(&out);
}
