/* SPDX-License-Identifier: MIT
 *
 * Sampler views and image views: which there can be of a resource, as key and
 * as words. View objects never change, so that any number of bindings may share
 * them.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "resource/bindings.h"
#include "resource/target.h"
#include "util/sized.h"

static enum tg_result
complain(const struct resource_subject *subject, enum tg_result result,
         const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum tg_result
complain(const struct resource_subject *subject, enum tg_result result,
         const char *format, ...)
{
   char text[160];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (subject->place == RESOURCE_NO_PLACE)
      return tg_complain(subject->diagnostics, result, "bindings", "%s: %s",
                         subject->name, text);
   return tg_complain(subject->diagnostics, result, "bindings", "%s %u: %s",
                      subject->name, subject->place, text);
}

/* ---- formats ------------------------------------------------------------- */

/* Blocks of texels, which are decoded to be read? */
static bool
is_compressed(uint32_t number)
{
   return format_is_compressed((enum tg_format)number);
}

static enum tg_result
check_known(const struct resource_subject *subject, uint32_t number)
{
   const char *name = tg_format_name(number);

   if (tg_format_is_supported(number))
      return TG_OK;
   if (!name)
      return complain(subject, TG_ERROR_INPUT, "there is no format %u", number);
   if (number == TG_FORMAT_NONE)
      return complain(subject, TG_ERROR_INPUT, "it has no format");
   return complain(subject, TG_ERROR_UNSUPPORTED,
                   "textures cannot have the format %s", name);
}

/* Can texels of the resource be seen through the format? */
static enum tg_result
check_cast(const struct resource_subject *subject,
           const struct tg_resource *resource, uint32_t number)
{
   enum tg_result result = check_known(subject, number);

   if (result != TG_OK)
      return result;
   const struct format_info *own = resource->written.format;
   const struct format_info *format = format_info((enum tg_format)number);
   if (resource_is_buffer(resource) &&
       tg_format_get_uses(number) & TG_FORMAT_USE_TEXEL_BUFFER)
      return TG_OK;
   if (resource_is_buffer(resource))
      return complain(subject, TG_ERROR_INPUT,
                      "a buffer cannot have the compressed format %s",
                      format->name);
   if (format->block_bytes != own->block_bytes)
      return complain(subject, TG_ERROR_INPUT,
                      "%s has blocks of %u bytes, %s of the texture %u",
                      format->name, format->block_bytes, own->name,
                      own->block_bytes);
   if (is_compressed(number) && (format->block_width != own->block_width ||
                                 format->block_height != own->block_height))
      return complain(subject, TG_ERROR_INPUT,
                      "%s has blocks of %u by %u texels, %s of the texture %u "
                      "by %u",
                      format->name, format->block_width, format->block_height,
                      own->name, own->block_width, own->block_height);
   return TG_OK;
}

/* Is it a depth that lies between 0 and 1? */
static bool
is_fixed_depth(enum tg_format format)
{
   const struct format_channel *depth = format_depth_channel(format);
   return depth && depth->type == FORMAT_TYPE_UNORM;
}

/* ---- parts of a resource ------------------------------------------------- */

enum tg_result
resource_check_viewed_range(const struct resource_subject *subject,
                            const struct tg_resource *resource, uint32_t offset,
                            uint32_t size)
{
   const uint32_t width = resource->desc.width;

   if (!resource_is_buffer(resource))
      return complain(subject, TG_ERROR_INPUT, "a texture is no buffer");
   if (offset % TG_BUFFER_OFFSET_ALIGNMENT)
      return complain(subject, TG_ERROR_INPUT,
                      "the offset %u is not a multiple of %d", offset,
                      TG_BUFFER_OFFSET_ALIGNMENT);
   if (offset > width || size > width - offset)
      return complain(subject, TG_ERROR_INPUT,
                      "%u bytes from %u on are not in a buffer of %u bytes",
                      size, offset, width);
   return TG_OK;
}

static enum tg_result
check_layers(const struct resource_subject *subject, uint32_t first,
             uint32_t last, uint32_t num_layers)
{
   if (first <= last && last < num_layers)
      return TG_OK;
   return complain(subject, TG_ERROR_INPUT,
                   "layers %u to %u of a texture with %u", first, last,
                   num_layers);
}

static enum tg_result
check_levels(const struct resource_subject *subject,
             const struct tg_view_desc *view)
{
   const struct tg_resource_desc *desc = &view->resource->desc;

   if (view->first_level > view->last_level ||
       view->last_level > desc->last_level)
      return complain(subject, TG_ERROR_INPUT,
                      "levels %u to %u of a texture with levels 0 to %u",
                      view->first_level, view->last_level, desc->last_level);
   if (view->first_level == view->last_level)
      return TG_OK;
   if (view->target == TG_TEXTURE_RECT)
      return complain(subject, TG_ERROR_INPUT,
                      "a RECT view has one level, not %u to %u",
                      view->first_level, view->last_level);
   /* Levels of blocks are rounded up, and so are no levels of texels. */
   if (is_compressed(desc->format) && !is_compressed(view->format))
      return complain(subject, TG_ERROR_INPUT,
                      "a view of the blocks of a texture has one level, not %u "
                      "to %u",
                      view->first_level, view->last_level);
   return TG_OK;
}

/* Has the view as many layers as its target wants? */
static enum tg_result
check_num_layers(const struct resource_subject *subject,
                 const struct tg_view_desc *view)
{
   const struct resource_target *target = &resource_targets[view->target];
   const struct tg_resource_desc *desc = &view->resource->desc;
   const uint32_t count = view->last_layer - view->first_layer + 1;
   const bool is_array = resource_target_is_array(target);

   if (is_array ? count % target->faces : count != target->faces)
      return complain(subject, TG_ERROR_INPUT,
                      "layers %u to %u are %u; a %s view has %s%u",
                      view->first_layer, view->last_layer, count, target->name,
                      is_array ? "a multiple of " : "", target->faces);
   if (target->faces == 6 && desc->width != desc->height)
      return complain(subject, TG_ERROR_INPUT,
                      "faces of a cube are square, not %u by %u", desc->width,
                      desc->height);
   return TG_OK;
}

static enum tg_result
check_target(const struct resource_subject *subject,
             const struct tg_view_desc *view)
{
   const struct tg_resource_desc *desc = &view->resource->desc;

   if (view->target >= RESOURCE_NUM_TARGETS)
      return complain(subject, TG_ERROR_INPUT, "there is no texture target %u",
                      view->target);
   const struct resource_target *target = &resource_targets[view->target];
   const struct resource_target *own = &resource_targets[desc->target];
   if (target->kind != own->kind ||
       (desc->samples > 1 && target->target_msaa == TG_TARGET_UNKNOWN))
      return complain(subject, TG_ERROR_INPUT, "a %s texture%s has no %s view",
                      own->name, desc->samples > 1 ? " with samples" : "",
                      target->name);
   return TG_OK;
}

static enum tg_result
check_view(const struct resource_subject *subject,
           const struct tg_view_desc *view)
{
   enum tg_result result = check_target(subject, view);

   for (unsigned i = 0; i < 4 && result == TG_OK; i++) {
      if (view->swizzle[i] >= ABI_NUM_SWIZZLES)
         result = complain(subject, TG_ERROR_INPUT, "there is no swizzle %u",
                           view->swizzle[i]);
   }
   if (result == TG_OK)
      result = check_cast(subject, view->resource, view->format);
   if (result == TG_OK && resource_is_buffer(view->resource))
      return resource_check_viewed_range(subject, view->resource, view->offset,
                                         view->size);
   if (result == TG_OK)
      result = check_levels(subject, view);
   if (result == TG_OK)
      result = check_layers(subject, view->first_layer, view->last_layer,
                            view->resource->desc.layers);
   if (result == TG_OK)
      result = check_num_layers(subject, view);
   return result;
}

/* ---- keys and words ------------------------------------------------------ */

/* Where that of a buffer is shows when it is bound. */
static struct exec_memory
memory_of(const struct tg_resource *resource,
          const struct resource_storage *storage)
{
   return (struct exec_memory){
      .data = resource_is_buffer(resource) ? NULL : storage->data,
      .num_bytes = storage->num_bytes,
   };
}

static enum tg_target
target_of(uint32_t target, uint32_t samples)
{
   const struct resource_target *info = &resource_targets[target];

   return (enum tg_target)(samples > 1 ? info->target_msaa : info->target);
}

static void
describe_buffer(uint32_t offset, uint32_t size,
                const struct format_info *format,
                uint32_t words[ABI_VIEW_WORDS])
{
   words[ABI_VIEW_WIDTH] = size / format->block_bytes;
   words[ABI_VIEW_HEIGHT] = 1;
   words[ABI_VIEW_DEPTH] = 1;
   words[ABI_VIEW_LAYERS] = 1;
   words[ABI_VIEW_LEVELS] = 1;
   words[ABI_VIEW_SAMPLES] = 1;
   words[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_OFFSET] = offset / format->unit;
}

static void
describe_levels(const struct tg_view_desc *view,
                const struct resource_storage *storage, uint32_t unit,
                uint32_t words[ABI_VIEW_WORDS])
{
   const struct tg_resource_desc *desc = &view->resource->desc;
   const struct resource_level *first =
      &storage->layout.level[view->first_level];

   words[ABI_VIEW_WIDTH] = first->width;
   words[ABI_VIEW_HEIGHT] = first->height;
   words[ABI_VIEW_DEPTH] =
      desc->target == TG_TEXTURE_3D ? first->num_slices : 1;
   words[ABI_VIEW_LAYERS] = view->last_layer - view->first_layer + 1;
   words[ABI_VIEW_LEVELS] = view->last_level - view->first_level + 1;
   words[ABI_VIEW_SAMPLES] = desc->samples;
   words[ABI_VIEW_SAMPLE_PITCH] = (uint32_t)(first->sample_pitch / unit);
   for (uint32_t i = view->first_level; i <= view->last_level; i++) {
      const struct resource_level *level = &storage->layout.level[i];
      uint32_t *word = &words[ABI_VIEW_LEVEL_WORDS +
                              (i - view->first_level) * ABI_LEVEL_WORDS];

      word[ABI_LEVEL_OFFSET] =
         (uint32_t)((level->offset + view->first_layer * level->slice_pitch) /
                    unit);
      word[ABI_LEVEL_ROW_PITCH] = (uint32_t)(level->row_pitch / unit);
      word[ABI_LEVEL_SLICE_PITCH] = (uint32_t)(level->slice_pitch / unit);
   }
}

enum tg_result
resource_describe_view(const struct tg_view_desc *view, const char *name,
                       unsigned place, struct tg_diagnostics *diagnostics,
                       struct resource_binding *binding)
{
   const struct resource_subject subject = {name, place, diagnostics};
   struct tg_resource *resource = view->resource;
   if (!resource)
      return complain(&subject, TG_ERROR_INPUT, "it has no resource");
   enum tg_result result = check_view(&subject, view);

   if (result != TG_OK)
      return result;
   const enum tg_format number = (enum tg_format)view->format;
   const struct resource_storage *storage = &resource->written;
   if (is_compressed(number))
      result = resource_get_decoded(resource, number, diagnostics, &storage);
   if (result != TG_OK)
      return result;

   /* Of the texels as they lie there. */
   const enum tg_format texel_number = format_decoded(number);
   const struct format_info *format = format_info(texel_number);
   binding->memory = memory_of(resource, storage);
   binding->key.view = (struct abi_view_key){
      .format = (uint16_t)texel_number,
      .target = (uint8_t)target_of(view->target, resource->desc.samples),
      .swizzle = {view->swizzle[0], view->swizzle[1], view->swizzle[2],
                  view->swizzle[3]},
      .is_depth = is_fixed_depth(texel_number),
   };
   if (resource_is_buffer(resource))
      describe_buffer(view->offset, view->size, format, binding->words);
   else
      describe_levels(view, storage, format->unit, binding->words);
   return TG_OK;
}

/* ---- images -------------------------------------------------------------- */

static enum tg_result
check_image(const struct resource_subject *subject,
            const struct tg_image *image, uint32_t format)
{
   const struct tg_resource *resource = image->resource;
   enum tg_result result = check_cast(subject, resource, format);

   if (result != TG_OK)
      return result;
   if (resource_is_buffer(resource))
      return resource_check_viewed_range(subject, resource, image->offset,
                                         image->size);
   if (!(tg_format_get_uses(resource->desc.format) & TG_FORMAT_USE_IMAGE))
      return complain(subject, TG_ERROR_INPUT,
                      "a texture of the compressed format %s is no image",
                      resource->written.format->name);
   if (image->level > resource->desc.last_level)
      return complain(subject, TG_ERROR_INPUT,
                      "level %u of a texture with levels 0 to %u", image->level,
                      resource->desc.last_level);
   return check_layers(subject, image->first_layer, image->last_layer,
                       resource_num_slices(resource, image->level));
}

static void
describe_level(const struct tg_image *image, uint32_t words[ABI_IMAGE_WORDS])
{
   const struct resource_storage *storage = &image->resource->written;
   const struct resource_level *level = &storage->layout.level[image->level];
   const uint32_t unit = storage->format->unit;

   words[ABI_IMAGE_WIDTH] = level->width;
   words[ABI_IMAGE_HEIGHT] = level->height;
   words[ABI_IMAGE_DEPTH] = image->last_layer - image->first_layer + 1;
   words[ABI_IMAGE_SAMPLES] = image->resource->desc.samples;
   words[ABI_IMAGE_OFFSET] =
      (uint32_t)((level->offset + image->first_layer * level->slice_pitch) /
                 unit);
   words[ABI_IMAGE_ROW_PITCH] = (uint32_t)(level->row_pitch / unit);
   words[ABI_IMAGE_SLICE_PITCH] = (uint32_t)(level->slice_pitch / unit);
   words[ABI_IMAGE_SAMPLE_PITCH] = (uint32_t)(level->sample_pitch / unit);
}

enum tg_result
resource_describe_image_view(const struct tg_image *image, const char *name,
                             unsigned place, struct tg_diagnostics *diagnostics,
                             struct resource_binding *binding)
{
   const struct resource_subject subject = {name, place, diagnostics};
   const struct tg_resource *resource = image->resource;
   if (!resource)
      return complain(&subject, TG_ERROR_INPUT, "it has no resource");
   const bool is_buffer = resource_is_buffer(resource);
   const uint32_t number =
      image->format ? image->format : resource->desc.format;
   enum tg_result result = check_image(&subject, image, number);

   if (result != TG_OK)
      return result;
   binding->memory = memory_of(resource, &resource->written);
   binding->memory.undefined = resource_undefined(resource);
   binding->key.image = (struct abi_image_key){
      .format = (uint16_t)number,
      .resource_format = (uint16_t)(is_buffer ? number : resource->desc.format),
      .target =
         (uint8_t)target_of(resource->desc.target, resource->desc.samples),
   };
   if (!is_buffer) {
      describe_level(image, binding->words);
      return TG_OK;
   }
   const struct format_info *format = format_info((enum tg_format)number);
   binding->words[ABI_IMAGE_WIDTH] = image->size / format->block_bytes;
   binding->words[ABI_IMAGE_HEIGHT] = 1;
   binding->words[ABI_IMAGE_DEPTH] = 1;
   binding->words[ABI_IMAGE_SAMPLES] = 1;
   binding->words[ABI_IMAGE_OFFSET] = image->offset / format->unit;
   return TG_OK;
}

/* ---- as it is ------------------------------------------------------------ */

struct tg_view_desc
tg_view_desc_of(struct tg_resource *resource)
{
   assert(resource);
   const struct tg_resource_desc *desc = &resource->desc;
   struct tg_view_desc view = {
      .resource = resource,
      .target = desc->target,
      .format = desc->format,
      .last_level = desc->last_level,
      .last_layer = desc->layers - 1,
      .swizzle = {TG_SWIZZLE_X, TG_SWIZZLE_Y, TG_SWIZZLE_Z, TG_SWIZZLE_W},
   };

   if (resource_is_buffer(resource)) {
      view.format = TG_FORMAT_R32_UINT;
      view.size = desc->width;
   }
   return view;
}

enum tg_result
tg_view_create(const struct tg_allocator *allocator,
               const struct tg_view_desc *desc,
               struct tg_diagnostics *diagnostics, struct tg_view **view_out)
{
   assert(desc);
   assert(view_out);
   struct resource_binding binding = {0};

   if (!allocator)
      allocator = tg_default_allocator();
   const enum tg_result result = resource_describe_view(
      desc, "view", RESOURCE_NO_PLACE, diagnostics, &binding);
   if (result != TG_OK)
      return result;

   struct tg_view *view =
      allocator->resize(allocator->user, NULL, 0, sizeof(*view));
   if (!view)
      return TG_ERROR_MEMORY;
   *view = (struct tg_view){
      .refs = TG_REFCOUNT_INIT,
      .allocator = allocator,
      .resource = tg_resource_ref(desc->resource),
      .binding = binding,
   };
   *view_out = view;
   return TG_OK;
}

struct tg_view *
tg_view_ref(struct tg_view *view)
{
   if (view)
      tg_refcount_add(&view->refs);
   return view;
}

void
tg_view_destroy(struct tg_view *view)
{
   if (!view || !tg_refcount_drop(&view->refs))
      return;

   const struct tg_allocator *allocator = view->allocator;
   tg_resource_destroy(view->resource);
   allocator->resize(allocator->user, view, sizeof(*view), 0);
}
