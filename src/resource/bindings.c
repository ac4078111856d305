/* SPDX-License-Identifier: MIT
 *
 * Binding tables: slots of each kind, and what is in them.
 */
#include "resource/bindings.h"

#include <assert.h>
#include <string.h>

#include "abi/layout.h"
#include "format/format.h"
#include "util/length.h"

enum tg_result
tg_bindings_create(const struct tg_allocator *allocator,
                   struct tg_bindings **bindings_out)
{
   assert(bindings_out);
   if (!allocator)
      allocator = tg_default_allocator();

   struct tg_bindings *bindings =
      allocator->resize(allocator->user, NULL, 0, sizeof(*bindings));
   if (!bindings)
      return TG_ERROR_MEMORY;
   *bindings = (struct tg_bindings){
      .refs = TG_REFCOUNT_INIT,
      .allocator = allocator,
   };
   *bindings_out = bindings;
   return TG_OK;
}

struct tg_bindings *
tg_bindings_ref(struct tg_bindings *bindings)
{
   if (bindings)
      tg_refcount_add(&bindings->refs);
   return bindings;
}

static void
drop_resources(struct tg_bindings *bindings)
{
   for (unsigned i = 0; i < RESOURCE_NUM_PLACES; i++) {
      resource_block_drop(bindings->blocks[i]);
      tg_resource_destroy(bindings->resources[i]);
   }
}

/* A resource, or NULL, is now in a place, from an offset on. What its memory is
 * was worked out, but for where that is if it may be renamed. */
static void
put_resource(struct tg_bindings *bindings, unsigned place,
             struct tg_resource *resource, uint32_t offset,
             struct exec_memory *memory)
{
   assert(place < TG_LENGTH(bindings->resources));
   struct resource_hold hold = {0};

   if (resource && resource_is_buffer(resource)) {
      hold = resource_hold(resource);
      memory->data = hold.memory.data + offset / 4;
   }
   resource_replace(&bindings->resources[place], resource);
   resource_block_drop(bindings->blocks[place]);
   bindings->blocks[place] = hold.block;
}

void
tg_bindings_destroy(struct tg_bindings *bindings)
{
   if (!bindings || !tg_refcount_drop(&bindings->refs))
      return;

   const struct tg_allocator *allocator = bindings->allocator;
   resource_forget_snapshots(bindings);
   drop_resources(bindings);
   resource_upload_finish(&bindings->upload);
   allocator->resize(allocator->user, bindings, sizeof(*bindings), 0);
}

void
resource_copy_bindings(struct tg_bindings *to, const struct tg_bindings *from)
{
   const struct tg_bindings before = {
      .refs = to->refs,
      .allocator = to->allocator,
      .upload = to->upload,
   };

   for (unsigned i = 0; i < RESOURCE_NUM_PLACES; i++) {
      tg_resource_ref(from->resources[i]);
      resource_block_ref(from->blocks[i]);
   }
   resource_forget_snapshots(to);
   drop_resources(to);
   *to = *from;
   to->refs = before.refs;
   to->allocator = before.allocator;
   to->upload = before.upload;
   memset(to->tables, 0, sizeof(to->tables));
   memset(to->chunks, 0, sizeof(to->chunks));
}

static enum tg_result
check_place(const char *what, unsigned place, unsigned num_places,
            struct tg_diagnostics *diagnostics)
{
   if (place < num_places)
      return TG_OK;
   return tg_complain(diagnostics, TG_ERROR_INPUT, "bindings",
                      "there is no %s %u; the last is %u", what, place,
                      num_places - 1);
}

/* ---- compression --------------------------------------------------------- */

static bool
may_be_compressed(const struct tg_resource *resource)
{
   return resource->desc.samples > 1 ||
          format_has_depth((enum tg_format)resource->desc.format);
}

/* A texture, or NULL, is now in a place. */
static void
note_texture(struct tg_bindings *bindings, unsigned place,
             struct tg_resource *resource)
{
   assert(place < TG_LENGTH(bindings->compressible));
   struct tg_resource **noted = &bindings->compressible[place];

   if (resource)
      resource->is_seen = true;
   if (resource && !may_be_compressed(resource))
      resource = NULL;
   bindings->num_compressible += (resource != NULL) - (*noted != NULL);
   *noted = resource;
}

void
resource_settle_bindings(const struct tg_bindings *bindings)
{
   if (!bindings || !bindings->num_compressible)
      return;
   for (unsigned i = 0; i < RESOURCE_NUM_TEXTURE_PLACES; i++) {
      if (bindings->compressible[i])
         resource_settle_one_color(bindings->compressible[i]);
   }
}

/* ---- views, samplers, images --------------------------------------------- */

enum tg_result
tg_bindings_set_view(struct tg_bindings *bindings, unsigned place,
                     struct tg_view *view, struct tg_diagnostics *diagnostics)
{
   static const struct resource_binding nothing;
   const struct resource_binding *binding = view ? &view->binding : &nothing;
   const enum tg_result result =
      check_place("view", place, ABI_MAX_VIEWS, diagnostics);

   if (result != TG_OK)
      return result;
   resource_forget_snapshot_slot(bindings, RESOURCE_VIEWS, place);
   assert(place < TG_LENGTH(bindings->keys.views));
   bindings->keys.views[place] = binding->key.view;
   bindings->textures[place] = binding->memory;
   put_resource(bindings, RESOURCE_FIRST_TEXTURE + place,
                view ? view->resource : NULL, 0, &bindings->textures[place]);
   note_texture(bindings, place, view ? view->resource : NULL);
   memcpy(&bindings->descriptors[ABI_VIEW_FIRST + place * ABI_VIEW_WORDS],
          binding->words, ABI_VIEW_WORDS * sizeof(uint32_t));
   return TG_OK;
}

enum tg_result
tg_bindings_set_sampler(struct tg_bindings *bindings, unsigned place,
                        struct tg_sampler *sampler,
                        struct tg_diagnostics *diagnostics)
{
   static const struct tg_sampler nothing;
   const enum tg_result result =
      check_place("sampler", place, ABI_MAX_SAMPLERS, diagnostics);

   if (result != TG_OK)
      return result;
   const struct tg_sampler *bound = sampler ? sampler : &nothing;
   resource_forget_snapshot_slot(bindings, RESOURCE_SAMPLERS, place);
   assert(place < TG_LENGTH(bindings->keys.samplers));
   bindings->keys.samplers[place] = bound->key;
   memcpy(&bindings->descriptors[ABI_SAMPLER_FIRST + place * ABI_SAMPLER_WORDS],
          bound->words, sizeof(bound->words));
   return TG_OK;
}

/* An image, or a colour that is bound after them. */
static enum tg_result
set_image(struct tg_bindings *bindings, const char *name, unsigned place,
          unsigned num_places, unsigned first_binding,
          struct abi_image_key *keys, const struct tg_image *image,
          struct tg_diagnostics *diagnostics)
{
   struct resource_binding binding = {0};
   enum tg_result result = check_place(name, place, num_places, diagnostics);

   if (result == TG_OK && image)
      result = resource_describe_image_view(image, name, place, diagnostics,
                                            &binding);
   if (result != TG_OK)
      return result;

   const unsigned number = first_binding + place;
   resource_forget_snapshot_slot(bindings, RESOURCE_IMAGES, number);
   keys[place] = binding.key.image;
   bindings->images[number] = binding.memory;
   put_resource(bindings, RESOURCE_FIRST_IMAGE + number,
                image ? image->resource : NULL, 0, &bindings->images[number]);
   note_texture(bindings, ABI_MAX_VIEWS + number,
                image ? image->resource : NULL);
   memcpy(&bindings->descriptors[ABI_IMAGE_FIRST + number * ABI_IMAGE_WORDS],
          binding.words, ABI_IMAGE_WORDS * sizeof(uint32_t));
   return TG_OK;
}

enum tg_result
tg_bindings_set_image(struct tg_bindings *bindings, unsigned place,
                      const struct tg_image *image,
                      struct tg_diagnostics *diagnostics)
{
   return set_image(bindings, "image", place, ABI_MAX_IMAGES, 0,
                    bindings->keys.images, image, diagnostics);
}

enum tg_result
tg_bindings_set_color(struct tg_bindings *bindings, unsigned place,
                      const struct tg_image *image,
                      struct tg_diagnostics *diagnostics)
{
   assert(bindings);
   return set_image(bindings, "color", place, ABI_MAX_COLORS, ABI_IMAGE_COLORS,
                    bindings->keys.colors, image, diagnostics);
}

/* ---- buffers ------------------------------------------------------------- */

/* Where the places of a file of buffers are. */
struct buffer_places {
   const char *name;
   bool is_constant;
   unsigned first_binding, num_places;
};

static const struct buffer_places buffer_places[] = {
   [TG_BUFFER_SHADER] = {"buffer", false, 0, ABI_MAX_BUFFERS},
   [TG_BUFFER_COUNTER] = {"counter buffer", false, ABI_BUFFER_COUNTERS,
                          ABI_MAX_COUNTERS},
   [TG_BUFFER_CONSTANT] = {"constant buffer", true, 0, ABI_MAX_CONST_BUFFERS},
   [TG_BUFFER_GLOBAL] = {"global memory", false, ABI_BUFFER_GLOBAL, 1},
   [TG_BUFFER_INPUT] = {"input memory", true, ABI_CONST_INPUT, 1},
};

enum { NUM_BUFFER_FILES = sizeof(buffer_places) / sizeof(buffer_places[0]) };

enum tg_result
tg_bindings_set_buffer(struct tg_bindings *bindings, enum tg_buffer_file file,
                       unsigned place, struct tg_resource *resource,
                       uint32_t offset, uint32_t size,
                       struct tg_diagnostics *diagnostics)
{
   struct exec_memory memory = {0};

   if ((unsigned)file >= NUM_BUFFER_FILES)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "bindings",
                         "there is no file of buffers %u", (unsigned)file);
   const struct buffer_places *places = &buffer_places[file];
   enum tg_result result =
      check_place(places->name, place, places->num_places, diagnostics);
   if (result == TG_OK && resource)
      result = resource_check_viewed_range(
         &(struct resource_subject){places->name, place, diagnostics}, resource,
         offset, size);
   if (result != TG_OK)
      return result;
   if (resource)
      memory = (struct exec_memory){
         .num_bytes = size,
         .undefined = resource_undefined(resource),
      };

   const unsigned number = places->first_binding + place;
   const unsigned first = places->is_constant ? 0 : RESOURCE_FIRST_BUFFER;
   struct exec_memory *bound =
      places->is_constant ? bindings->constants : bindings->buffers;
   resource_forget_snapshot_slot(
      bindings, places->is_constant ? RESOURCE_CONSTANTS : RESOURCE_BUFFERS,
      number);
   bound[number] = memory;
   put_resource(bindings, first + number, resource, offset, &bound[number]);
   return TG_OK;
}

/* ---- constants that are copied ------------------------------------------- */

static enum tg_result
check_constants(const void *data, uint32_t num_bytes,
                struct tg_diagnostics *diagnostics)
{
   static_assert(TG_MAX_INLINE_CONSTANTS == ABI_MAX_CONST_REGISTERS * 16,
                 "all that a shader can address");
   if (num_bytes > TG_MAX_INLINE_CONSTANTS)
      return tg_complain(diagnostics, TG_ERROR_LIMIT, "bindings",
                         "%u bytes of constants are too many; the most is %d",
                         num_bytes, (int)TG_MAX_INLINE_CONSTANTS);
   if (num_bytes && !data)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "bindings",
                         "%u bytes of constants are nowhere", num_bytes);
   return TG_OK;
}

enum tg_result
tg_bindings_set_constants(struct tg_bindings *bindings, unsigned place,
                          const void *data, uint32_t num_bytes,
                          struct tg_diagnostics *diagnostics)
{
   assert(bindings);
   struct resource_block *block = NULL;
   struct exec_memory memory = {0};
   enum tg_result result =
      check_place("constant buffer", place, ABI_MAX_CONST_BUFFERS, diagnostics);

   if (result == TG_OK)
      result = check_constants(data, num_bytes, diagnostics);
   if (result != TG_OK)
      return result;
   if (num_bytes) {
      memory.num_bytes = (num_bytes + UINT64_C(3)) & ~UINT64_C(3);
      memory.data =
         resource_upload_alloc(&bindings->upload, bindings->allocator,
                               (size_t)memory.num_bytes, &block);
      if (!memory.data)
         return TG_ERROR_MEMORY;
      memcpy(memory.data, data, num_bytes);
   }
   resource_forget_snapshot_slot(bindings, RESOURCE_CONSTANTS, place);
   assert(place < TG_LENGTH(bindings->resources));
   resource_replace(&bindings->resources[place], NULL);
   resource_block_drop(bindings->blocks[place]);
   bindings->blocks[place] = block;
   bindings->constants[place] = memory;
   return TG_OK;
}

/* ---- waves --------------------------------------------------------------- */

const struct tg_bindings *
resource_bindings(const struct tg_bindings *bindings_or_null)
{
   static const struct tg_bindings nothing;

   return bindings_or_null ? bindings_or_null : &nothing;
}

void
resource_bind_wave(const struct tg_bindings *bindings, struct exec_wave *wave)
{
   bindings = resource_bindings(bindings);
   wave->memory[LIR_SPACE_TEXTURE] = bindings->textures;
   wave->num_memories[LIR_SPACE_TEXTURE] = ABI_MAX_VIEWS;
   wave->memory[LIR_SPACE_IMAGE] = bindings->images;
   wave->num_memories[LIR_SPACE_IMAGE] = ABI_NUM_IMAGE_BINDINGS;
   wave->memory[LIR_SPACE_BUFFER] = bindings->buffers;
   wave->num_memories[LIR_SPACE_BUFFER] = ABI_NUM_BUFFER_BINDINGS;
}

/* Executors do not write through read-only spaces. */
static struct exec_memory
read_only(const uint32_t *words, size_t num_words)
{
   return (struct exec_memory){
      .data = (uint32_t *)(uintptr_t)words,
      .num_bytes = num_words * sizeof(*words),
   };
}

struct exec_memory
resource_tables(void)
{
   return read_only(abi_tables, ABI_TABLE_WORDS);
}

void
resource_bind_constants(const struct tg_bindings *bindings,
                        struct exec_memory constants[ABI_NUM_CONST_BINDINGS])
{
   bindings = resource_bindings(bindings);
   for (unsigned i = 0; i < bindings->ends[RESOURCE_CONSTANTS]; i++) {
      if (bindings->constants[i].data)
         constants[i] = bindings->constants[i];
   }
   for (unsigned i = 0; i < ABI_NUM_VIEW_CHUNKS; i++)
      constants[ABI_CONST_VIEWS + i] =
         read_only(&bindings->descriptors[ABI_VIEW_FIRST +
                                          i * ABI_CHUNK_VIEWS * ABI_VIEW_WORDS],
                   ABI_CHUNK_VIEWS * ABI_VIEW_WORDS);
   constants[ABI_CONST_SAMPLERS] =
      read_only(&bindings->descriptors[ABI_SAMPLER_FIRST],
                ABI_MAX_SAMPLERS * ABI_SAMPLER_WORDS);
   constants[ABI_CONST_IMAGES] =
      read_only(&bindings->descriptors[ABI_IMAGE_FIRST],
                ABI_NUM_IMAGE_BINDINGS * ABI_IMAGE_WORDS);
   constants[ABI_CONST_TABLES] = resource_tables();
}
