/* SPDX-License-Identifier: MIT
 *
 * The two printed forms of a tg_info: JSON for programs, lines for people. The
 * names in the JSON are part of the public interface.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "tgsi/info.h"
#include "util/strbuf.h"

static const char *const use_words[TG_NUM_USES] = {
#define TG_INFO_WORD(name, word) [TG_USES_NUMBER_##name] = word,
   TG_INFO_USES(TG_INFO_WORD)
#undef TG_INFO_WORD
};

static const char *
dialect_name(enum tg_dialect dialect)
{
   static const char *const names[] = {
      [TG_DIALECT_2010] = "2010",
      [TG_DIALECT_2011] = "2011",
      [TG_DIALECT_2019] = "2019",
   };
   return names[dialect];
}

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

/* Semantics of which the number tells something. */
static bool
has_index(const struct tg_info_register *reg)
{
   return reg->semantic_index || reg->semantic == TG_SEMANTIC_GENERIC ||
          reg->semantic == TG_SEMANTIC_TEXCOORD;
}

/* ---- JSON ---------------------------------------------------------------- */

static void
add_opcodes(cJSON *object, const struct tg_info *info)
{
   cJSON *opcodes = cJSON_AddObjectToObject(object, "opcodes");

   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (info->opcodes[i])
         cJSON_AddNumberToObject(opcodes, tg_opcodes[i].name, info->opcodes[i]);
   }
}

static void
add_properties(cJSON *object, const struct tg_info *info)
{
   cJSON *properties = cJSON_AddObjectToObject(object, "properties");

   for (int i = 0; i < TG_NUM_PROPERTIES; i++) {
      if (info->has_property[i])
         cJSON_AddNumberToObject(properties, tg_properties[i].name,
                                 info->properties[i]);
   }
}

static void
add_files(cJSON *object, const struct tg_info *info)
{
   cJSON *files = cJSON_AddObjectToObject(object, "files");

   for (int i = 0; i < TG_NUM_FILES; i++) {
      const struct tg_info_file *file = &info->files[i];

      if (!file->count)
         continue;
      cJSON *entry = cJSON_AddObjectToObject(files, tg_files[i].name);
      cJSON_AddNumberToObject(entry, "count", file->count);
      cJSON_AddNumberToObject(entry, "max", file->max);
      cJSON_AddNumberToObject(entry, "arrays", file->last_array);
      cJSON_AddBoolToObject(entry, "indirect_read", file->indirect_read);
      cJSON_AddBoolToObject(entry, "indirect_write", file->indirect_write);
      cJSON_AddBoolToObject(entry, "indirect_dimension",
                            file->indirect_dimension);
   }
}

/* Starts the entry of one register with what all kinds of them have. */
static cJSON *
add_register(cJSON *array, const struct tg_info_register *reg, uint32_t index)
{
   cJSON *entry = cJSON_CreateObject();

   cJSON_AddItemToArray(array, entry);
   cJSON_AddNumberToObject(entry, "register", index);
   cJSON_AddStringToObject(entry, "semantic", tg_semantics[reg->semantic].name);
   cJSON_AddNumberToObject(entry, "index", reg->semantic_index);
   cJSON_AddStringToObject(entry, "declared", mask_text(reg->declared).text);
   cJSON_AddStringToObject(entry, "read", mask_text(reg->read).text);
   return entry;
}

static void
add_inputs(cJSON *object, const struct tg_info *info)
{
   cJSON *array = cJSON_AddArrayToObject(object, "inputs");

   for (uint32_t i = 0; i < info->inputs.count; i++) {
      const struct tg_info_register *reg = &info->inputs.list[i];

      if (!reg->is_declared)
         continue;
      cJSON *entry = add_register(array, reg, i);
      cJSON_AddStringToObject(entry, "interpolate",
                              tg_interpolate_names[reg->interpolate]);
      cJSON_AddStringToObject(entry, "location",
                              tg_location_names[reg->location]);
   }
}

static void
add_outputs(cJSON *object, const struct tg_info *info)
{
   cJSON *array = cJSON_AddArrayToObject(object, "outputs");

   for (uint32_t i = 0; i < info->outputs.count; i++) {
      const struct tg_info_register *reg = &info->outputs.list[i];

      if (!reg->is_declared)
         continue;
      cJSON *entry = add_register(array, reg, i);
      cJSON_AddStringToObject(entry, "written", mask_text(reg->written).text);
      if (info->processor != TG_PROCESSOR_GEOM)
         continue;
      cJSON *streams = cJSON_AddArrayToObject(entry, "streams");
      for (int channel = 0; channel < 4; channel++)
         cJSON_AddItemToArray(streams,
                              cJSON_CreateNumber(reg->stream[channel]));
   }
}

static void
add_sysvals(cJSON *object, const struct tg_info *info)
{
   cJSON *array = cJSON_AddArrayToObject(object, "system_values");

   for (uint32_t i = 0; i < info->sysvals.count; i++) {
      if (info->sysvals.list[i].is_declared)
         add_register(array, &info->sysvals.list[i], i);
   }
}

static void
add_const_buffers(cJSON *object, const struct tg_info *info)
{
   cJSON *array = cJSON_AddArrayToObject(object, "const_buffers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *buffer = &info->const_buffers[i];

      if (!buffer->is_declared)
         continue;
      cJSON *entry = cJSON_CreateObject();
      cJSON_AddItemToArray(array, entry);
      cJSON_AddNumberToObject(entry, "buffer", i);
      cJSON_AddNumberToObject(entry, "registers", buffer->count);
      cJSON_AddBoolToObject(entry, "indirect", buffer->is_indirect);
   }
}

static void
add_samplers(cJSON *object, const struct tg_info *info)
{
   cJSON *array = cJSON_AddArrayToObject(object, "samplers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *sampler = &info->samplers[i];

      if (!sampler->is_declared && sampler->target == TG_TARGET_UNKNOWN)
         continue;
      cJSON *entry = cJSON_CreateObject();
      cJSON_AddItemToArray(array, entry);
      cJSON_AddNumberToObject(entry, "sampler", i);
      cJSON_AddStringToObject(entry, "target",
                              tg_targets[sampler->target].name);
      cJSON_AddStringToObject(entry, "type",
                              tg_return_type_names[sampler->return_type]);
   }
}

/* Images and buffers. */
static cJSON *
add_memory(cJSON *array, const struct tg_info_object *memory, const char *name,
           int index)
{
   cJSON *entry = cJSON_CreateObject();

   cJSON_AddItemToArray(array, entry);
   cJSON_AddNumberToObject(entry, name, index);
   cJSON_AddBoolToObject(entry, "loaded", memory->is_loaded);
   cJSON_AddBoolToObject(entry, "stored", memory->is_stored);
   cJSON_AddBoolToObject(entry, "atomic", memory->is_atomic);
   return entry;
}

static void
add_memories(cJSON *object, const struct tg_info *info)
{
   cJSON *images = cJSON_AddArrayToObject(object, "images");
   cJSON *buffers = cJSON_AddArrayToObject(object, "buffers");

   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      const struct tg_info_object *image = &info->images[i];

      if (!image->is_declared)
         continue;
      cJSON *entry = add_memory(images, image, "image", i);
      cJSON_AddStringToObject(entry, "target", tg_targets[image->target].name);
      cJSON_AddStringToObject(entry, "format", tg_formats[image->format].name);
   }
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->buffers[i].is_declared)
         add_memory(buffers, &info->buffers[i], "buffer", i);
   }
}

static void
add_uses(cJSON *object, const struct tg_info *info)
{
   cJSON *uses = cJSON_AddArrayToObject(object, "uses");
   cJSON *modes = cJSON_AddArrayToObject(object, "interpolation");

   for (int i = 0; i < TG_NUM_USES; i++) {
      if (info->uses & 1u << i)
         cJSON_AddItemToArray(uses, cJSON_CreateString(use_words[i]));
   }
   for (int mode = 0; mode < TG_NUM_INTERPOLATES; mode++) {
      for (int place = 0; place < TG_NUM_LOCATIONS; place++) {
         char name[32];

         if (!info->interpolates[mode][place])
            continue;
         snprintf(name, sizeof(name), "%s %s", tg_interpolate_names[mode],
                  tg_location_names[place]);
         cJSON_AddItemToArray(modes, cJSON_CreateString(name));
      }
   }
}

static void
add_streams(cJSON *object, const struct tg_info *info)
{
   if (info->processor != TG_PROCESSOR_GEOM)
      return;

   cJSON *array = cJSON_AddArrayToObject(object, "stream_components");
   for (int stream = 0; stream < 4; stream++)
      cJSON_AddItemToArray(array,
                           cJSON_CreateNumber(info->stream_components[stream]));
}

/* cJSON's calls do nothing with the NULL that they return when out of memory,
 * so a piece may be missing then, and the text is NULL at the latest. */
char *
tg_shader_info_json(const struct tg_shader *shader)
{
   struct tg_info *info = malloc(sizeof(*info));
   cJSON *object = cJSON_CreateObject();
   char *text = NULL;

   if (!info || !object || tg_info_scan(shader, info) != TG_OK)
      goto done;
   cJSON_AddStringToObject(object, "processor",
                           tg_processors[info->processor].name);
   cJSON_AddStringToObject(object, "dialect", dialect_name(info->dialect));
   cJSON_AddNumberToObject(object, "instructions", info->num_instructions);
   cJSON_AddNumberToObject(object, "immediates", info->num_immediates);
   cJSON_AddNumberToObject(object, "subroutines", info->num_subroutines);
   cJSON_AddNumberToObject(object, "depth", info->max_depth);
   add_properties(object, info);
   add_files(object, info);
   add_inputs(object, info);
   add_sysvals(object, info);
   add_outputs(object, info);
   add_streams(object, info);
   add_const_buffers(object, info);
   add_samplers(object, info);
   add_memories(object, info);
   add_uses(object, info);
   add_opcodes(object, info);
   text = cJSON_Print(object);

done:
   cJSON_Delete(object);
   free(info);
   return text;
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
                       tg_semantics[reg->semantic].name);
      if (has_index(reg))
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
      tg_strbuf_printf(out, "file %s: %u declared", tg_files[i].name,
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
                          tg_targets[info->samplers[i].target].name);
   }
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (info->images[i].is_declared)
         tg_strbuf_printf(out, "image %d: %s %s\n", i,
                          tg_targets[info->images[i].target].name,
                          tg_formats[info->images[i].format].name);
   }
}

char *
tg_shader_info_text(const struct tg_shader *shader)
{
   struct tg_info *info = malloc(sizeof(*info));
   struct tg_strbuf out = {0};

   if (!info || tg_info_scan(shader, info) != TG_OK) {
      free(info);
      return NULL;
   }
   tg_strbuf_printf(&out,
                    "%s\n"
                    "instructions: %u\n"
                    "immediates: %u\n"
                    "subroutines: %u\n"
                    "nesting: %u\n",
                    tg_processors[info->processor].name, info->num_instructions,
                    info->num_immediates, info->num_subroutines,
                    info->max_depth);
   print_registers(&out, "input", "IN", &info->inputs);
   print_registers(&out, "system value", "SV", &info->sysvals);
   print_registers(&out, "output", "OUT", &info->outputs);
   print_files(&out, info);
   print_objects(&out, info);
   for (int i = 0; i < TG_NUM_USES; i++) {
      if (info->uses & 1u << i)
         tg_strbuf_printf(&out, "uses %s\n", use_words[i]);
   }
   free(info);
   return tg_strbuf_take(&out);
}
