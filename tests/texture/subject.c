/* SPDX-License-Identifier: MIT
 *
 * The texture of a case, made level by level.
 */
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------- */

/* SplitMix64. */
uint32_t
random_word(struct random_source *random)
{
   uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)((z ^ z >> 31) >> 32);
}

int
random_below(struct random_source *random, int bound)
{
   return (int)(random_word(random) % (uint32_t)bound);
}

int
random_around(struct random_source *random, int bound)
{
   return random_below(random, 2 * bound + 1) - bound;
}

float
random_part(struct random_source *random)
{
   return (float)(random_word(random) >> 8) * 0x1p-24f;
}

/* ---- texels -------------------------------------------------------------- */

static double
to_double(enum format_class class, uint32_t word)
{
   float value;

   if (class == FORMAT_CLASS_UINT)
      return word;
   if (class == FORMAT_CLASS_SINT)
      return (int32_t)word;
   memcpy(&value, &word, sizeof(value));
   return value;
}

/* Bits of a float channel would mostly be huge, tiny or no numbers. */
static bool
has_floats(const struct format_info *info)
{
   return info->layout == FORMAT_LAYOUT_R9G9B9E5 ||
          (info->layout == FORMAT_LAYOUT_PLAIN &&
           info->channel[0].type == FORMAT_TYPE_FLOAT);
}

static void
fill_block(enum tg_format format, uint8_t *block, struct random_source *random)
{
   const struct format_info *info = format_info(format);
   uint32_t words[4];

   for (unsigned i = 0; i < info->block_bytes; i++)
      block[i] = (uint8_t)random_word(random);
   if (!has_floats(info))
      return;
   for (int c = 0; c < 4; c++) {
      const float value = random_part(random) * 2.5f - 0.75f;
      memcpy(&words[c], &value, sizeof(value));
   }
   format_pack(format, words, block);
}

/* One slice of one level of one sample. */
struct slice {
   uint8_t *blocks;
   size_t block_stride;
   int width, height;
};

/* `format` is that of the view: it decides which bits make sense. */
static bool
make_slice(struct slice *slice, enum tg_format format, int width, int height,
           struct random_source *random)
{
   const struct format_info *info = format_info(format);
   const int columns = (width + info->block_width - 1) / info->block_width;
   const int rows = (height + info->block_height - 1) / info->block_height;

   slice->width = width;
   slice->height = height;
   slice->block_stride = (size_t)columns * info->block_bytes;
   slice->blocks = malloc((size_t)rows * slice->block_stride);
   if (!slice->blocks)
      return false;
   for (int i = 0; i < rows * columns; i++)
      fill_block(format, slice->blocks + (size_t)i * info->block_bytes, random);
   return true;
}

static bool
decode_slice(const struct slice *slice, enum tg_format format,
             double (*texels)[4], int stride)
{
   const enum tg_format decoded = format_decoded(format);
   const struct format_info *info = format_info(decoded);
   const size_t texel_stride = (size_t)slice->width * info->block_bytes;
   uint8_t *bytes = slice->blocks;

   if (decoded != format) {
      bytes = malloc(texel_stride * (size_t)slice->height);
      if (!bytes)
         return false;
      format_decode(format, slice->blocks, slice->block_stride, bytes,
                    texel_stride, (uint32_t)slice->width,
                    (uint32_t)slice->height);
   }
   for (int i = 0; i < slice->width * slice->height; i++) {
      uint32_t words[4];

      format_unpack(decoded, bytes + (size_t)i * info->block_bytes, words);
      for (int c = 0; c < 4; c++)
         texels[i * stride][c] = to_double(info->class, words[c]);
   }
   if (bytes != slice->blocks)
      free(bytes);
   return true;
}

/* ---- the resource -------------------------------------------------------- */

static const uint8_t texture_target[TG_NUM_TARGETS] = {
   [TG_TARGET_BUFFER] = TG_TEXTURE_BUFFER,
   [TG_TARGET_1D] = TG_TEXTURE_1D,
   [TG_TARGET_2D] = TG_TEXTURE_2D,
   [TG_TARGET_3D] = TG_TEXTURE_3D,
   [TG_TARGET_CUBE] = TG_TEXTURE_CUBE,
   [TG_TARGET_RECT] = TG_TEXTURE_RECT,
   [TG_TARGET_1D_ARRAY] = TG_TEXTURE_1D_ARRAY,
   [TG_TARGET_2D_ARRAY] = TG_TEXTURE_2D_ARRAY,
   [TG_TARGET_2D_MSAA] = TG_TEXTURE_2D,
   [TG_TARGET_2D_ARRAY_MSAA] = TG_TEXTURE_2D_ARRAY,
   [TG_TARGET_CUBE_ARRAY] = TG_TEXTURE_CUBE_ARRAY,
};

static int
minify(int size, int level)
{
   return size >> level > 0 ? size >> level : 1;
}

static struct tg_resource_desc
describe(const struct subject_recipe *recipe)
{
   const bool is_buffer = recipe->target == TG_TARGET_BUFFER;
   const unsigned bytes = format_info(recipe->format)->block_bytes;

   return (struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc),
      .target = texture_target[recipe->resource_target],
      .format = recipe->format,
      .width = (uint32_t)recipe->width * (is_buffer ? bytes : 1),
      .height = (uint32_t)recipe->height,
      .depth = (uint32_t)recipe->depth,
      .layers = (uint32_t)recipe->layers,
      .last_level = (uint32_t)recipe->num_levels - 1,
      .samples = (uint32_t)recipe->num_samples,
   };
}

static struct tg_view_desc
make_view(const struct subject *subject)
{
   const struct subject_recipe *recipe = &subject->recipe;
   struct tg_view_desc view = tg_view_desc_of(subject->resource);

   view.target = texture_target[recipe->target];
   view.format = recipe->view_format;
   view.first_level = (uint32_t)recipe->first_level;
   view.last_level = (uint32_t)recipe->last_level;
   view.first_layer = (uint32_t)recipe->first_layer;
   view.last_layer = (uint32_t)recipe->last_layer;
   memcpy(view.swizzle, recipe->swizzle, sizeof(view.swizzle));
   return view;
}

static struct reference_texture
make_reference(const struct subject_recipe *recipe)
{
   const struct format_info *info = format_info(recipe->view_format);
   struct reference_texture reference = {
      .target = recipe->target,
      .width = minify(recipe->width, recipe->first_level),
      .height = minify(recipe->height, recipe->first_level),
      .depth = minify(recipe->depth, recipe->first_level),
      .layers = recipe->last_layer - recipe->first_layer + 1,
      .num_levels = recipe->last_level - recipe->first_level + 1,
      .num_samples = recipe->num_samples,
      .is_fixed_point_depth =
         info->colorspace == FORMAT_COLORSPACE_ZS &&
         info->channel[info->swizzle[0]].type == FORMAT_TYPE_UNORM,
   };

   memcpy(reference.swizzle, recipe->swizzle, sizeof(reference.swizzle));
   return reference;
}

/* Where the reference keeps a texel's sample 0 of a slice's beginning; NULL
 * when the view does not show it. */
static double (*find_texels(struct subject *subject, int level, int slice))[4]
{
   const struct subject_recipe *recipe = &subject->recipe;
   const int is_3d = recipe->target == TG_TARGET_3D;
   const int first = is_3d ? 0 : recipe->first_layer;
   const int last = is_3d ? slice : recipe->last_layer;

   if (level < recipe->first_level || level > recipe->last_level ||
       slice < first || slice > last)
      return NULL;
   return subject->reference.texels[level - recipe->first_level] +
          (slice - first) * minify(recipe->width, level) *
             minify(recipe->height, level) * recipe->num_samples;
}

static bool
fill_slice(struct subject *subject, int level, int index, int sample,
           struct random_source *random)
{
   const struct subject_recipe *recipe = &subject->recipe;
   double(*texels)[4] = find_texels(subject, level, index);
   struct tg_box box = {
      .z = (uint32_t)index,
      .width = (uint32_t)minify(recipe->width, level),
      .height = (uint32_t)minify(recipe->height, level),
      .depth = 1,
   };
   struct slice slice;

   if (!make_slice(&slice, recipe->view_format, (int)box.width, (int)box.height,
                   random))
      return false;
   if (recipe->target == TG_TARGET_BUFFER)
      box.width *= format_info(recipe->format)->block_bytes;
   bool is_done =
      tg_resource_write(subject->resource, (uint32_t)level, (uint32_t)sample,
                        &box, slice.blocks, 0, 0) == TG_OK;
   if (is_done && texels)
      is_done = decode_slice(&slice, recipe->view_format, texels + sample,
                             recipe->num_samples);
   free(slice.blocks);
   return is_done;
}

static bool
fill_level(struct subject *subject, int level, struct random_source *random)
{
   const struct subject_recipe *recipe = &subject->recipe;
   const int num_slices = recipe->target == TG_TARGET_3D
                             ? minify(recipe->depth, level)
                             : recipe->layers;

   for (int slice = 0; slice < num_slices; slice++) {
      for (int sample = 0; sample < recipe->num_samples; sample++) {
         if (!fill_slice(subject, level, slice, sample, random))
            return false;
      }
   }
   return true;
}

static bool
allocate_texels(struct subject *subject)
{
   struct reference_texture *reference = &subject->reference;

   for (int level = 0; level < reference->num_levels; level++) {
      const int count = reference_width(reference, level) *
                        reference_height(reference, level) *
                        reference_depth(reference, level) * reference->layers *
                        reference->num_samples;

      reference->texels[level] =
         calloc((size_t)count, sizeof(*reference->texels[level]));
      if (!reference->texels[level])
         return false;
   }
   return true;
}

bool
subject_init(struct subject *subject, const struct subject_recipe *recipe,
             struct random_source *random, struct tg_diagnostics *diagnostics)
{
   const struct tg_resource_desc desc = describe(recipe);

   *subject = (struct subject){
      .recipe = *recipe,
      .reference = make_reference(recipe),
   };
   if (tg_resource_create(NULL, &desc, diagnostics, &subject->resource) !=
          TG_OK ||
       !allocate_texels(subject))
      return false;
   subject->view = make_view(subject);
   for (int level = 0; level < recipe->num_levels; level++) {
      if (!fill_level(subject, level, random))
         return false;
   }
   return true;
}

void
subject_finish(struct subject *subject)
{
   for (int level = 0; level < REFERENCE_MAX_LEVELS; level++)
      free(subject->reference.texels[level]);
   tg_resource_destroy(subject->resource);
}

/* ---- the border ---------------------------------------------------------- */

static double
clamp(double x, double low, double high)
{
   return fmin(fmax(x, low), high);
}

/* To what a channel can hold; floats are given that fit. */
static double
clamp_to_channel(const struct format_channel *channel, double x)
{
   const double half = ldexp(1, channel->bits - 1);

   switch ((enum format_type)channel->type) {
   case FORMAT_TYPE_UNORM: return clamp(x, 0, 1);
   case FORMAT_TYPE_SNORM: return clamp(x, -1, 1);
   case FORMAT_TYPE_UINT: return clamp(x, 0, 2 * half - 1);
   case FORMAT_TYPE_SINT: return clamp(x, -half, half - 1);
   default: return x;
   }
}

/* Words that are one channel take the first one's component: luminance is red,
 * and so is intensity. */
static double
get_border_word(const struct format_info *info, const double color[4], int word)
{
   const uint8_t from = info->swizzle[word];
   int first = 0;

   if (from > FORMAT_SWIZZLE_W)
      return from == FORMAT_SWIZZLE_1;
   while (info->swizzle[first] != from)
      first++;
   return info->layout == FORMAT_LAYOUT_PLAIN
             ? clamp_to_channel(&info->channel[from], color[first])
             : color[first];
}

/* OpenGL 4.6, 8.14.2: as a texel of the format's components, within its range;
 * of a depth it is the first component. */
void
subject_set_border(struct subject *subject,
                   const struct tg_sampler_desc *sampler)
{
   const enum tg_format format = format_decoded(subject->recipe.view_format);
   const struct format_info *info = format_info(format);
   double color[4];

   for (int c = 0; c < 4; c++)
      color[c] = to_double(info->class, sampler->border_color.u[c]);
   for (int c = 0; c < 4; c++)
      subject->reference.border[c] = get_border_word(info, color, c);
   if (info->colorspace != FORMAT_COLORSPACE_ZS)
      return;
   for (int c = 0; c < 3; c++)
      subject->reference.border[c] = subject->reference.is_fixed_point_depth
                                        ? clamp(color[0], 0, 1)
                                        : color[0];
   subject->reference.border[3] = 1;
}
