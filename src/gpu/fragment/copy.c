/* SPDX-License-Identifier: MIT
 *
 * Blits by draws: which draws are some, which texels a square is a copy of, and
 * the copying of rows.
 *
 * Coordinates lead to the same texels as in the kernel, whose roundings are no
 * matter: they have to be so near the middle of a texel that nothing else can
 * come of them. With a linear filter the texels beside it then have weights
 * that are too small to change a code of 8 bits.
 */
#include "gpu/fragment/copy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/fragment/fragment.h"
#include "gpu/fragment/fragment_key.h"
#include "gpu/fragment/fragment_parts.h"
#include "resource/resource.h"
#include "util/bits.h"
#include "util/clones.h"

/* How far coordinates may be from the middle of a texel, in texels. Two axes of
 * a linear filter change a code by up to 2 * 255 times this. */
#define NEAREST_REACH 0.25
#define LINEAR_REACH (1.0 / 1536)

/* ---- formats ------------------------------------------------------------- */

/* Of channels that are not used it does not matter. */
static bool
is_byte(const struct format_info *info, unsigned number)
{
   const struct format_channel *channel = &info->channel[number];
   return format_word_of(info, number) == FORMAT_NUM_WORDS ||
          (channel->type == FORMAT_TYPE_UNORM && channel->bits == 8);
}

/* Bytes of colours, which are what they were once they are read and written. */
static bool
has_bytes(const struct format_info *info)
{
   bool has = info->layout == FORMAT_LAYOUT_PLAIN &&
              info->colorspace == FORMAT_COLORSPACE_RGB;
   for (unsigned i = 0; i < info->num_channels; i++)
      has &= is_byte(info, i);
   return has;
}

/* ---- bytes --------------------------------------------------------------- */

static unsigned
swizzled(const uint8_t swizzle[4], unsigned word)
{
   return word <= TG_SWIZZLE_W ? swizzle[word] : word;
}

/* Byte i of the target, from a word of what the view has. */
static void
place_byte(struct gpu_copy *copy, const struct format_info *from, unsigned i,
           unsigned word)
{
   const struct format_channel *channel =
      word <= TG_SWIZZLE_W ? format_channel_of(from, word) : NULL;
   const bool is_one =
      word == TG_SWIZZLE_1 ||
      (word <= TG_SWIZZLE_W && from->swizzle[word] == FORMAT_SWIZZLE_1);
   assert(i < GPU_COPY_BYTES);
   if (channel) {
      copy->from[i] = channel->shift / 8;
      copy->mask |= UINT32_C(0xff) << i * 8;
   } else if (is_one) {
      copy->rest |= UINT32_C(0xff) << i * 8;
   }
}

/* What becomes of the bytes of the target. */
static bool
place_bytes(struct gpu_copy *copy, const struct gpu_texture_copy *shader,
            const struct abi_view_key *view, const struct format_info *to)
{
   const struct format_info *from = format_info((enum tg_format)view->format);
   if (!has_bytes(from) || !has_bytes(to) ||
       from->block_bytes != to->block_bytes || to->block_bytes > GPU_COPY_BYTES)
      return false;
   copy->texel_bytes = from->block_bytes;
   copy->unit = from->unit;
   for (unsigned i = 0; i < to->num_channels; i++) {
      const unsigned word = format_word_of(to, i);
      if (word < FORMAT_NUM_WORDS)
         place_byte(copy, from, to->channel[i].shift / 8,
                    swizzled(view->swizzle, shader->swizzle[word]));
   }
   copy->is_plain = copy->mask == UINT32_MAX >> (32 - to->block_bytes * 8);
   for (unsigned i = 0; i < to->block_bytes; i++)
      copy->is_plain &= copy->from[i] == i;
   return copy->is_plain || to->block_bytes == GPU_COPY_BYTES;
}

/* ---- draws --------------------------------------------------------------- */

/* With a border its colour would count, however small its weight. */
static bool
is_borderless(unsigned wrap)
{
   return wrap == TG_WRAP_REPEAT || wrap == TG_WRAP_CLAMP_TO_EDGE ||
          wrap == TG_WRAP_MIRROR_REPEAT;
}

/* One filter, of the first level. */
static bool
has_one_filter(const struct abi_sampler_key *sampler)
{
   return sampler->is_bound && sampler->min_filter == sampler->mag_filter &&
          sampler->mip_filter == TG_MIP_NONE && sampler->max_anisotropy <= 1 &&
          (sampler->min_filter == TG_FILTER_NEAREST ||
           (is_borderless(sampler->wrap[0]) &&
            is_borderless(sampler->wrap[1])));
}

static bool
is_flat(unsigned target)
{
   return target == TG_TARGET_2D || target == TG_TARGET_RECT;
}

/* The coordinates' attribute. */
static bool
find_attribute(struct gpu_copy *copy, const struct gpu_interface *interface,
               const struct gpu_fragment_key *key, uint8_t input)
{
   const int attribute = gpu_link_interface_find(interface, input);
   if (attribute < 0)
      return false;
   const unsigned interpolation = key->interpolation[attribute];
   copy->attribute = (uint8_t)attribute;
   copy->is_perspective = interpolation == GPU_INTERPOLATE_PERSPECTIVE;
   return copy->is_perspective || interpolation == GPU_INTERPOLATE_LINEAR;
}

/* The fragments are the colour of one buffer, as it is. */
static bool
has_plain_output(const struct tg_gpu_shader *shader,
                 const struct gpu_fragment_key *key)
{
   const struct fragment_kernel kernel = {.shader = shader, .key = key};
   uint8_t reading;
   return gpu_fragment_key_is_plain(key) && !key->alpha_enabled &&
          shader->layout.num_outputs == 1 &&
          gpu_find_output(shader, TG_SEMANTIC_COLOR, 0) ==
             shader->copy.output &&
          fragment_output_colors(&kernel, &reading) == 1 && !reading &&
          !key->blend[0].enabled && !key->logic_enabled;
}

void
gpu_copy_init(struct gpu_copy *copy, const struct tg_gpu_shader *shader,
              const struct gpu_interface *interface,
              const struct gpu_fragment_key *key)
{
   const struct gpu_texture_copy *texture = &shader->copy;
   *copy = (struct gpu_copy){0};
   if (!texture->exists || texture->sampler >= ABI_MAX_SAMPLERS ||
       texture->sampler >= ABI_MAX_VIEWS || !has_plain_output(shader, key))
      return;
   const struct abi_view_key *view = &key->bound.views[texture->sampler];
   const struct abi_sampler_key *sampler =
      &key->bound.samplers[texture->sampler];
   copy->view = texture->sampler;
   copy->is_linear = sampler->min_filter == TG_FILTER_LINEAR;
   copy->is_normalized = !texture->is_rect && !sampler->unnormalized;
   copy->is_possible =
      is_flat(view->target) && has_one_filter(sampler) &&
      find_attribute(copy, interface, key, texture->input) &&
      place_bytes(copy, texture, view,
                  format_info((enum tg_format)key->color_format[0]));
}

/* ---- squares ------------------------------------------------------------- */

/* Along one axis of the texture, from pixel to pixel. */
struct axis {
   double a, da_dx, da_dy; /* texels, at the square's first pixel */
   double room;            /* for rounding */
   double texel;           /* of that pixel */
};

static double
word_as_double(const uint32_t *constants, uint32_t word)
{
   return tg_float_of_bits(constants[word]);
}

/* 1 / w is 1 everywhere. */
static bool
is_parallel(const uint32_t *constants)
{
   return word_as_double(constants, GPU_SHAPE_W) == 1.0 &&
          word_as_double(constants, GPU_SHAPE_W + GPU_PLANE_DX) == 0.0 &&
          word_as_double(constants, GPU_SHAPE_W + GPU_PLANE_DY) == 0.0;
}

/* Sums of floats are off by parts of 2^-24 of what is added. */
static struct axis
make_axis(const uint32_t *constants, uint32_t word, double scale, int32_t x,
          int32_t y, int32_t size)
{
   const double dx = x + 0.5 - word_as_double(constants, GPU_SHAPE_X);
   const double dy = y + 0.5 - word_as_double(constants, GPU_SHAPE_Y);
   const double a = word_as_double(constants, word);
   const double da_dx = word_as_double(constants, word + GPU_PLANE_DX);
   const double da_dy = word_as_double(constants, word + GPU_PLANE_DY);
   const double across = (fabs(dx) + size) * fabs(da_dx);
   const double down = (fabs(dy) + size) * fabs(da_dy);
   struct axis axis = {
      .a = scale * (a + dx * da_dx + dy * da_dy),
      .da_dx = scale * da_dx,
      .da_dy = scale * da_dy,
      .room = scale * (fabs(a) + across + down) * 0x1p-22,
   };
   axis.texel = floor(axis.a);
   return axis;
}

/* Is each pixel of the square in the middle of a texel, with one texel more in
 * each column and row? What changes evenly is furthest off in a corner. */
static bool
is_one_to_one(const struct axis *axis, int32_t columns, int32_t rows,
              int32_t size, double reach)
{
   const double across = (axis->da_dx - columns) * (size - 1);
   const double down = (axis->da_dy - rows) * (size - 1);
   const double first = axis->a - (axis->texel + 0.5);
   const double least =
      first + (across < 0 ? across : 0) + (down < 0 ? down : 0);
   const double greatest =
      first + (across > 0 ? across : 0) + (down > 0 ? down : 0);
   return least - axis->room >= -reach && greatest + axis->room <= reach;
}

/* Are so many texels there, in this direction? */
static bool
is_within(const struct axis *axis, int32_t step, int32_t size, double limit)
{
   const double last = axis->texel + step * (size - 1);
   return axis->texel >= 0 && last >= 0 && axis->texel < limit && last < limit;
}

/* The words of the view; NULL: nothing is bound. */
static const uint32_t *
find_view(const struct gpu_fragment_worker *fragments, uint32_t view)
{
   const struct exec_memory *words =
      &fragments->constants[ABI_CONST_VIEWS + view / ABI_CHUNK_VIEWS];
   const uint64_t first = view % ABI_CHUNK_VIEWS * ABI_VIEW_WORDS;
   if (words->num_bytes < (first + ABI_VIEW_WORDS) * sizeof(uint32_t))
      return NULL;
   return words->data + first;
}

static const struct exec_memory *
find_texels(const struct gpu_fragment_worker *fragments, uint32_t view)
{
   const struct exec_wave *wave = &fragments->wave;
   return view < wave->num_memories[LIR_SPACE_TEXTURE]
             ? &wave->memory[LIR_SPACE_TEXTURE][view]
             : NULL;
}

/* Does a texture lie where the draw's colours do? */
static bool
is_target(const struct gpu_fragment_draw *draw,
          const struct exec_memory *texels)
{
   const struct exec_memory *target = &draw->surfaces[0];
   const uintptr_t from = (uintptr_t)texels->data;
   const uintptr_t to = (uintptr_t)target->data;
   return from < to + target->num_bytes && to < from + texels->num_bytes;
}

/* Texels of level 0, from column and row on. */
static bool
find_rows(const struct gpu_fragment_worker *fragments, const uint32_t *words,
          const struct exec_memory *texels, uint32_t column, uint32_t row,
          int32_t step, int32_t size, struct gpu_copied *copied_out)
{
   const uint32_t texel_bytes = fragments->draw->copy.texel_bytes;
   const uint64_t unit = fragments->draw->copy.unit;
   const uint64_t pitch =
      words[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_ROW_PITCH] * unit;
   const uint64_t first =
      words[ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_OFFSET] * unit + row * pitch +
      (uint64_t)column * texel_bytes;
   const uint64_t last_row =
      step > 0 ? first + (uint64_t)(size - 1) * pitch : first;
   if (last_row + (uint64_t)size * texel_bytes > texels->num_bytes)
      return false;
   copied_out->first = (const uint8_t *)texels->data + first;
   copied_out->row_pitch = step * (int64_t)pitch;
   return true;
}

bool
gpu_copy_find(const struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
              int32_t size, struct gpu_copied *copied_out)
{
   const struct gpu_copy *copy = &fragments->draw->copy;
   const uint32_t *constants = fragments->constants_of_shape;
   if (!copy->is_possible || (copy->is_perspective && !is_parallel(constants)))
      return false;
   const uint32_t *words = find_view(fragments, copy->view);
   const struct exec_memory *texels = find_texels(fragments, copy->view);
   if (!words || !texels || is_target(fragments->draw, texels) ||
       !resource_is_plain(fragments->framebuffer->colors[0].resource))
      return false;
   const double reach = copy->is_linear ? LINEAR_REACH : NEAREST_REACH;
   const double width = words[ABI_VIEW_WIDTH], height = words[ABI_VIEW_HEIGHT];
   const uint32_t word = gpu_shape_attribute(copy->attribute, 0);
   const struct axis s =
      make_axis(constants, word, copy->is_normalized ? width : 1, x, y, size);
   const struct axis t = make_axis(
      constants, word + 1, copy->is_normalized ? height : 1, x, y, size);
   const int32_t step = t.da_dy < 0 ? -1 : 1;
   return is_one_to_one(&s, 1, 0, size, reach) &&
          is_one_to_one(&t, 0, step, size, reach) &&
          is_within(&s, 1, size, width) && is_within(&t, step, size, height) &&
          find_rows(fragments, words, texels, (uint32_t)s.texel,
                    (uint32_t)t.texel, step, size, copied_out);
}

/* ---- stores -------------------------------------------------------------- */

uint64_t
gpu_copy_cost(const struct gpu_fragment_worker *fragments, int32_t size)
{
   const struct resource_blocks blocks = {
      .width = (uint32_t)size, .height = (uint32_t)size, .depth = 1};
   return resource_cost(fragments->framebuffer->colors[0].resource, &blocks);
}

/* Texels whose bytes change their places. */
TG_CLONES static void
store_swizzled(const struct gpu_copy *copy, const uint8_t *from, uint8_t *to,
               uint32_t count)
{
   const uint32_t shift[GPU_COPY_BYTES] = {
      copy->from[0] * 8u, copy->from[1] * 8u, copy->from[2] * 8u,
      copy->from[3] * 8u};
   for (uint32_t i = 0; i < count; i++) {
      uint32_t texel, result;
      memcpy(&texel, from + i * sizeof(texel), sizeof(texel));
      result = (texel >> shift[0] & 0xff) | (texel >> shift[1] & 0xff) << 8 |
               (texel >> shift[2] & 0xff) << 16 |
               (texel >> shift[3] & 0xff) << 24;
      result = (result & copy->mask) | copy->rest;
      memcpy(to + i * sizeof(result), &result, sizeof(result));
   }
}

void
gpu_copy_store(const struct gpu_fragment_worker *fragments,
               const struct gpu_copied *copied, int32_t x, int32_t y,
               int32_t size)
{
   const struct gpu_copy *copy = &fragments->draw->copy;
   const struct tg_surface *surface = &fragments->framebuffer->colors[0];
   const struct resource_level *level =
      &surface->resource->written.layout.level[surface->level];
   uint8_t *first =
      resource_texel(surface->resource, surface->level, 0, (uint32_t)x,
                     (uint32_t)y, surface->first_layer);
   for (int32_t i = 0; i < size; i++) {
      uint8_t *to = first + (uint64_t)i * level->row_pitch;
      const uint8_t *from = copied->first + i * copied->row_pitch;
      if (copy->is_plain)
         memcpy(to, from, (size_t)size * copy->texel_bytes);
      else
         store_swizzled(copy, from, to, (uint32_t)size);
   }
}
