/* SPDX-License-Identifier: MIT
 *
 * The life of a shader, and how it grows.
 */
#include "tgsi/shader.h"

#include <string.h>

struct tg_shader *
tg_shader_create(const struct tg_allocator *allocator,
                 enum tg_processor processor, enum tg_dialect dialect,
                 const struct tg_source *source)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_shader *shader = tg_arena_alloc(&arena, sizeof(*shader));
   if (!shader)
      goto fail;
   shader->processor = processor;
   shader->dialect = dialect;
   shader->source.name = tg_arena_strndup(&arena, source->name,
                                          strlen(source->name));
   if (!shader->source.name)
      goto fail;
   if (source->text) {
      shader->source.length = source->length;
      shader->source.text =
         tg_arena_strndup(&arena, source->text, source->length);
      if (!shader->source.text)
         goto fail;
   }
   shader->arena = arena;
   return shader;

fail:
   tg_arena_finish(&arena);
   return NULL;
}

void
tg_shader_destroy(struct tg_shader *shader)
{
   if (!shader)
      return;

   /* The shader lies in its own arena. */
   struct tg_arena arena = shader->arena;
   tg_arena_finish(&arena);
}

static bool
add_item(struct tg_shader *shader, enum tg_item_kind kind, uint32_t index)
{
   if (!tg_arena_reserve(&shader->arena, (void **)&shader->items,
                         &shader->item_capacity, shader->num_items,
                         sizeof(*shader->items)))
      return false;
   shader->items[shader->num_items++] = (struct tg_item){
      .kind = (uint8_t)kind,
      .index = index,
   };
   return true;
}

#define DEFINE_ADD(type, KIND, array, count, capacity, bound)                 \
   struct tg_##type *tg_shader_add_##type(struct tg_shader *shader)           \
   {                                                                          \
      if (shader->count >= (bound) ||                                         \
          !tg_arena_reserve(&shader->arena, (void **)&shader->array,          \
                            &shader->capacity, shader->count,                 \
                            sizeof(*shader->array)) ||                        \
          !add_item(shader, TG_ITEM_##KIND, shader->count))                   \
         return NULL;                                                         \
      return &shader->array[shader->count++];                                 \
   }

DEFINE_ADD(declaration, DECLARATION, declarations, num_declarations,
           declaration_capacity, TG_MAX_DECLARATIONS)
DEFINE_ADD(immediate, IMMEDIATE, immediates, num_immediates,
           immediate_capacity, TG_MAX_IMMEDIATES)
DEFINE_ADD(property, PROPERTY, properties, num_properties, property_capacity,
           TG_MAX_PROPERTIES)
DEFINE_ADD(instruction, INSTRUCTION, instructions, num_instructions,
           instruction_capacity, TG_MAX_INSTRUCTIONS)

uint32_t
tg_shader_property(const struct tg_shader *shader, enum tg_property_name name,
                   uint32_t otherwise)
{
   for (uint32_t i = shader->num_properties; i-- > 0;) {
      const struct tg_property *property = &shader->properties[i];

      if (property->name == name && property->num_values)
         return property->values[0];
   }
   return otherwise;
}

bool
tg_file_is_per_vertex(enum tg_processor processor, enum tg_file file)
{
   if (file == TG_FILE_IN)
      return processor == TG_PROCESSOR_GEOM ||
             processor == TG_PROCESSOR_TESS_CTRL ||
             processor == TG_PROCESSOR_TESS_EVAL;
   return file == TG_FILE_OUT && processor == TG_PROCESSOR_TESS_CTRL;
}

bool
tg_declaration_is_per_vertex(enum tg_processor processor,
                             const struct tg_declaration *declaration)
{
   if (!tg_file_is_per_vertex(processor, declaration->file))
      return false;
   if (processor == TG_PROCESSOR_GEOM)
      return true;
   if (!declaration->has_semantic)
      return true;
   return declaration->semantic != TG_SEMANTIC_PATCH &&
          declaration->semantic != TG_SEMANTIC_TESSINNER &&
          declaration->semantic != TG_SEMANTIC_TESSOUTER &&
          declaration->semantic != TG_SEMANTIC_PRIM_ID;
}

const char *
tg_shader_processor_name(const struct tg_shader *shader)
{
   return tg_processors[shader->processor].name;
}

enum tg_dialect
tg_shader_dialect(const struct tg_shader *shader)
{
   return shader->dialect;
}

uint32_t
tg_shader_num_instructions(const struct tg_shader *shader)
{
   return shader->num_instructions;
}
