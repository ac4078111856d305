/* SPDX-License-Identifier: MIT
 *
 * Lifetime of a shader, and its growth while it is made.
 */
#include "tgsi/shader/shader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct tg_shader *
tg_shader_create(const struct tg_allocator *allocator,
                 enum tg_processor processor, enum tg_dialect dialect,
                 const struct tg_source *source)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_shader *shader = tg_arena_alloc(&arena, sizeof(*shader));
   if (!shader || !tg_source_copy(&arena, source, &shader->source)) {
      tg_arena_finish(&arena);
      return NULL;
   }
   shader->refs = (struct tg_refcount)TG_REFCOUNT_INIT;
   shader->processor = processor;
   shader->dialect = dialect;
   shader->arena = arena;
   return shader;
}

/* ---- the arrays ---------------------------------------------------------- */

/* Gives the array at `*elements` another size; the new elements are zero.
 * False when out of memory, and then nothing has changed. */
static bool
resize(struct tg_shader *shader, void **elements, uint32_t *capacity,
       uint32_t new_capacity, size_t element_size)
{
   const struct tg_allocator *allocator = shader->arena.allocator;
   size_t old_size = *capacity * element_size;
   size_t new_size = new_capacity * element_size;

   if (new_size == old_size)
      return true;
   void *moved =
      allocator->resize(allocator->user, *elements, old_size, new_size);
   if (!moved && new_size)
      return false;
   if (new_size > old_size)
      memset((char *)moved + old_size, 0, new_size - old_size);
   *elements = moved;
   *capacity = new_capacity;
   return true;
}

/* Room for one more after `count`. The bounds on counts keep products small.
 */
static bool
reserve(struct tg_shader *shader, void **elements, uint32_t *capacity,
        uint32_t count, uint32_t bound, size_t element_size)
{
   if (count >= bound)
      return false;
   if (count < *capacity)
      return true;
   return resize(shader, elements, capacity, *capacity ? *capacity * 2 : 2,
                 element_size);
}

/* Calls X for each array with the bound on its length. */
#define FOR_EACH_ARRAY(X)                                                      \
   X(declarations, num_declarations, declaration_capacity,                     \
     TG_MAX_DECLARATIONS)                                                      \
   X(immediates, num_immediates, immediate_capacity, TG_MAX_IMMEDIATES)        \
   X(properties, num_properties, property_capacity, TG_MAX_PROPERTIES)         \
   X(instructions, num_instructions, instruction_capacity,                     \
     TG_MAX_INSTRUCTIONS)                                                      \
   X(items, num_items, item_capacity, UINT32_MAX)                              \
   X(elements, num_elements, element_capacity, TG_MAX_ELEMENTS)

void
tg_shader_seal(struct tg_shader *shader)
{
#define SEAL(array, count, capacity, bound)                                    \
   resize(shader, (void **)&shader->array, &shader->capacity, shader->count,   \
          sizeof(*shader->array));
   FOR_EACH_ARRAY(SEAL)
#undef SEAL
}

void
tg_shader_set_quirks(struct tg_shader *shader, uint32_t quirks)
{
   assert(shader);
   shader->quirks = quirks;
}

struct tg_shader *
tg_shader_ref(const struct tg_shader *shader)
{
   struct tg_shader *counted = (struct tg_shader *)(uintptr_t)shader;

   if (counted)
      tg_refcount_add(&counted->refs);
   return counted;
}

void
tg_shader_destroy(struct tg_shader *shader)
{
   if (!shader || !tg_refcount_drop(&shader->refs))
      return;

#define FREE(array, count, capacity, bound)                                    \
   resize(shader, (void **)&shader->array, &shader->capacity, 0,               \
          sizeof(*shader->array));
   FOR_EACH_ARRAY(FREE)
#undef FREE

   /* The shader lies in its own arena. */
   struct tg_arena arena = shader->arena;
   tg_arena_finish(&arena);
}

static bool
add_item(struct tg_shader *shader, enum tg_item_kind kind, uint32_t index)
{
   if (!reserve(shader, (void **)&shader->items, &shader->item_capacity,
                shader->num_items, UINT32_MAX, sizeof(*shader->items)))
      return false;
   shader->items[shader->num_items++] = (struct tg_item){
      .kind = (uint8_t)kind,
      .index = index,
   };
   return true;
}

/* A copy of `count` elements in the shader's arena; NULL for none. */
static bool
copy_array(struct tg_shader *shader, const void *from, size_t count,
           size_t size, void **copy_out)
{
   *copy_out = NULL;
   if (!count)
      return true;
   *copy_out = tg_arena_array(&shader->arena, count, size);
   if (!*copy_out)
      return false;
   memcpy(*copy_out, from, count * size);
   return true;
}

#define DEFINE_APPEND(function, type, KIND, array, count, capacity, bound)     \
   struct type *function(struct tg_shader *shader)                             \
   {                                                                           \
      if (!reserve(shader, (void **)&shader->array, &shader->capacity,         \
                   shader->count, bound, sizeof(*shader->array)) ||            \
          !add_item(shader, TG_ITEM_##KIND, shader->count))                    \
         return NULL;                                                          \
      return &shader->array[shader->count++];                                  \
   }

struct tg_element *
tg_shader_add_element(struct tg_shader *shader)
{
   if (!reserve(shader, (void **)&shader->elements, &shader->element_capacity,
                shader->num_elements, TG_MAX_ELEMENTS,
                sizeof(*shader->elements)))
      return NULL;
   return &shader->elements[shader->num_elements++];
}

DEFINE_APPEND(tg_shader_add_declaration, tg_declaration, DECLARATION,
              declarations, num_declarations, declaration_capacity,
              TG_MAX_DECLARATIONS)
DEFINE_APPEND(tg_shader_add_immediate, tg_immediate, IMMEDIATE, immediates,
              num_immediates, immediate_capacity, TG_MAX_IMMEDIATES)
DEFINE_APPEND(tg_shader_add_property, tg_property, PROPERTY, properties,
              num_properties, property_capacity, TG_MAX_PROPERTIES)
static DEFINE_APPEND(append_instruction, tg_instruction, INSTRUCTION,
                     instructions, num_instructions, instruction_capacity,
                     TG_MAX_INSTRUCTIONS)

   struct tg_instruction *tg_shader_add_instruction(
      struct tg_shader *shader, const struct tg_instruction_draft *draft)
{
   struct tg_instruction made = draft->head;

   if (!copy_array(shader, draft->dst, made.num_dst, sizeof(*made.dst),
                   (void **)&made.dst) ||
       !copy_array(shader, draft->src, made.num_src, sizeof(*made.src),
                   (void **)&made.src) ||
       !copy_array(shader, draft->tex_offset, made.num_tex_offsets,
                   sizeof(*made.tex_offset), (void **)&made.tex_offset))
      return NULL;

   struct tg_instruction *instruction = append_instruction(shader);
   if (instruction)
      *instruction = made;
   return instruction;
}

/* ---- asking -------------------------------------------------------------- */

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
tg_shader_file_is_per_vertex(enum tg_processor processor, enum tg_file file)
{
   if (file == TG_FILE_IN)
      return processor == TG_PROCESSOR_GEOM ||
             processor == TG_PROCESSOR_TESS_CTRL ||
             processor == TG_PROCESSOR_TESS_EVAL;
   return file == TG_FILE_OUT && processor == TG_PROCESSOR_TESS_CTRL;
}

bool
tg_shader_declaration_is_per_vertex(enum tg_processor processor,
                                    const struct tg_declaration *declaration)
{
   if (!tg_shader_file_is_per_vertex(processor, declaration->file))
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

bool
tg_shader_output_has_default_w(const struct tg_shader *shader,
                               const struct tg_declaration *declaration)
{
   if (!tg_dialect_row(shader->dialect)->output_w_one ||
       !declaration->has_semantic)
      return false;
   switch (declaration->semantic) {
   case TG_SEMANTIC_COLOR:
   case TG_SEMANTIC_BCOLOR: return true;
   case TG_SEMANTIC_POSITION: return shader->processor != TG_PROCESSOR_FRAG;
   default: return false;
   }
}

const char *
tg_shader_processor_name(const struct tg_shader *shader)
{
   assert(shader);
   return tg_processor_row(shader->processor)->name;
}

void
tg_shader_title(const struct tg_shader *shader, char title[TG_SHADER_TITLE])
{
   enum { MAX_NAME = 64 };
   const char *stage = tg_shader_processor_name(shader);
   const char *name = shader->source.name;
   const size_t length = strlen(name);

   if (length > MAX_NAME)
      name += length - MAX_NAME;
   if (shader->position.line > 1)
      snprintf(title, TG_SHADER_TITLE, "%s %s:%u", stage, name,
               shader->position.line);
   else
      snprintf(title, TG_SHADER_TITLE, "%s %s", stage, name);
}

enum tg_dialect
tg_shader_dialect(const struct tg_shader *shader)
{
   assert(shader);
   return shader->dialect;
}

uint32_t
tg_shader_num_instructions(const struct tg_shader *shader)
{
   assert(shader);
   return shader->num_instructions;
}
