/* SPDX-License-Identifier: MIT
 *
 * Textures whose texels are told apart by their values, and which of them each
 * thread of a warp looks at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "row_texels.h"
#include "util/bits.h"

enum {
   SIZE = 4, /* texels each way of level 0 */
   LEVELS = 3,
   SAMPLES = 4,
};

/* ---- textures ------------------------------------------------------------ */

/* A texel: its level, its layer, face, slice or sample, and its place. */
struct texel {
   unsigned level, slice, x, y;
};

/* Integers up to 2048, which halves have too; each texel and component its
 * own. */
static float
value_of(const struct texel *texel, unsigned component)
{
   return (float)(1 + 512 * component + 128 * texel->level + 16 * texel->slice +
                  4 * texel->y + texel->x);
}

/* What is compared with, between 0 and 1. */
static float
depth_of(const struct texel *texel)
{
   return value_of(texel, 0) / 2048.0f;
}

static bool
is_compared(const struct row_case *row)
{
   return strstr(row->modifiers, ".DC") != NULL;
}

static bool
is_multisampled(const struct row_case *row)
{
   return strstr(row->modifiers, ".MS") != NULL;
}

/* Samples are told apart as slices are. */
static void
fill_samples(struct tg_resource *resource)
{
   static float texels[SIZE * SIZE][4];
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};

   for (unsigned i = 0; i < SAMPLES * SIZE * SIZE; i++) {
      const unsigned sample = i / (SIZE * SIZE), at = i % (SIZE * SIZE);
      const struct texel texel = {0, sample, at % SIZE, at / SIZE};

      for (unsigned c = 0; c < 4; c++)
         texels[at][c] = value_of(&texel, c);
      if (at == SIZE * SIZE - 1)
         assert_int_equal(
            tg_resource_write(resource, 0, sample, &box, texels, 0, 0), TG_OK);
   }
}

static void
fill_level(struct tg_resource *resource, unsigned level, uint32_t height,
           uint32_t slices, bool is_depth)
{
   static float texels[SIZE * SIZE * 6 * 4];
   const uint32_t width = SIZE >> level;
   const struct tg_box box = {0, 0, 0, width, height, slices};
   float *next = texels;

   for (uint32_t i = 0; i < width * height * slices; i++) {
      const struct texel texel = {level, i / (width * height), i % width,
                                  i / width % height};

      for (unsigned c = 0; c < (is_depth ? 1 : 4); c++)
         *next++ = is_depth ? depth_of(&texel) : value_of(&texel, c);
   }
   assert_int_equal(tg_resource_write(resource, level, 0, &box, texels, 0, 0),
                    TG_OK);
}

void
row_make_texture(const struct row_case *row, struct tg_view_desc *view_out,
                 struct tg_sampler_desc *sampler_out)
{
   static const struct {
      const char *target;
      uint32_t texture, layers;
   } kinds[] = {
      {"1D", TG_TEXTURE_1D, 1},
      {"2D", TG_TEXTURE_2D, 1},
      {"3D", TG_TEXTURE_3D, 1},
      {"CUBE", TG_TEXTURE_CUBE, 6},
      {"ARRAY_2D", TG_TEXTURE_2D_ARRAY, 5},
   };
   unsigned kind = 0;

   while (strcmp(kinds[kind].target, row->target) != 0)
      kind++;
   const bool is_1d = kinds[kind].texture == TG_TEXTURE_1D;
   const bool is_3d = kinds[kind].texture == TG_TEXTURE_3D;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = kinds[kind].texture,
      .format = tg_format_number(is_compared(row) ? "R32_FLOAT"
                                                  : "R32G32B32A32_FLOAT"),
      .width = SIZE,
      .height = is_1d ? 1u : (uint32_t)SIZE,
      .depth = is_3d ? (uint32_t)SIZE : 1u,
      .layers = kinds[kind].layers,
      .last_level = is_multisampled(row) ? 0 : LEVELS - 1,
      .samples = is_multisampled(row) ? SAMPLES : 1,
   };

   struct tg_resource *resource;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   if (is_multisampled(row))
      fill_samples(resource);
   for (unsigned level = 0; level < LEVELS && !is_multisampled(row); level++)
      fill_level(resource, level, is_1d ? 1u : (uint32_t)SIZE >> level,
                 is_3d ? (uint32_t)SIZE >> level : kinds[kind].layers,
                 is_compared(row));
   *view_out = tg_view_desc_of(resource);
   *sampler_out = (struct tg_sampler_desc){
      .size = sizeof(struct tg_sampler_desc),
      .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE,
               TG_WRAP_CLAMP_TO_EDGE},
      .mip_filter = TG_MIP_NEAREST,
      .max_lod = 1000.0f,
      .compare_func = TG_COMPARE_LEQUAL,
      /* Only .LL leaves it to the sampler whether there is a comparison. */
      .compares = is_compared(row) && row->number == 5,
   };
}

/* ---- operands ------------------------------------------------------------ */

static bool
has(const struct row_case *row, char operand)
{
   return strchr(row->ra, operand) || strchr(row->rb, operand);
}

static bool
is_implicit(const struct row_case *row)
{
   return !strstr(row->modifiers, ".L");
}

/* The texel that a thread looks at. With implicit levels odd quads step by a
 * texel of level 1, so that is what they see; all threads of even quads look at
 * the same texel, of level 0. */
static struct texel
texel_of(const struct row_case *row, unsigned thread)
{
   const unsigned quad = thread / 4;
   struct texel texel = {0, 0, thread % SIZE, thread / 3 % SIZE};

   if (has(row, 'l') || has(row, 'v'))
      texel.level = thread % LEVELS;
   if (is_implicit(row)) {
      texel.level =
         has(row, 'r') && !strcmp(row->target, "CUBE") ? 0 : quad % 2;
      texel.x = texel.level ? thread % 2 : quad / 2;
      texel.y = texel.level ? thread / 2 % 2 : (quad + 1) % SIZE;
   }
   texel.x %= SIZE >> texel.level;
   texel.y %= SIZE >> texel.level;
   if (!strcmp(row->target, "1D"))
      texel.y = 0;
   if (is_multisampled(row))
      texel.slice = quad % SAMPLES;
   if (!strcmp(row->target, "ARRAY_2D"))
      texel.slice = quad % 5;
   if (!strcmp(row->target, "3D"))
      texel.slice = quad % (SIZE >> texel.level);
   if (!strcmp(row->target, "CUBE"))
      texel.slice = quad % 6;
   return texel;
}

/* A coordinate in the middle of a texel. */
static float
middle_of(unsigned at, unsigned level)
{
   return ((float)at + 0.5f) / (float)(SIZE >> level);
}

/* The direction to a texel of a face: the major axis and the signs of the
 * others are those of OpenGL's table of cube maps. */
static float
direction(const struct texel *texel, char axis)
{
   const float u = 2 * middle_of(texel->x, texel->level) - 1;
   const float v = 2 * middle_of(texel->y, texel->level) - 1;
   const float faces[6][3] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v},
                              {u, -1, -v}, {u, -v, 1},  {-u, -v, -1}};

   return faces[texel->slice][axis == 's' ? 0 : axis == 't' ? 1 : 2];
}

/* Does the comparison of this thread hold, the reference being at most what is
 * there? */
static bool
passes(unsigned thread)
{
   return thread % 3 != 1;
}

/* Offsets from -2 to 2, where there are any. */
static int
offset_of(const struct row_case *row, unsigned thread, unsigned axis)
{
   return has(row, 'o') ? (int)((thread + 2 * axis) % 5) - 2 : 0;
}

static uint32_t
integer_of(const struct row_case *row, unsigned thread, char operand)
{
   const struct texel texel = texel_of(row, thread);
   const int dx = offset_of(row, thread, 0), dy = offset_of(row, thread, 1);

   switch (operand) {
   case 'x': return texel.x - (unsigned)dx;
   case 'y': return texel.y - (unsigned)dy;
   case 'v': return texel.level;
   case 'a': return texel.slice | 0xabcd0000; /* of which 16 bits count */
   case 'o': return ((unsigned)dx & 15) | ((unsigned)dy & 15) << 4;
   default: return texel.slice; /* z, or the sample */
   }
}

uint32_t
row_operand(const struct row_case *row, unsigned thread, char operand)
{
   const struct texel texel = texel_of(row, thread);
   float value = 0;

   switch (operand) {
   case 's': value = middle_of(texel.x, texel.level); break;
   case 't': value = middle_of(texel.y, texel.level); break;
   case 'r': value = middle_of(texel.slice, texel.level); break;
   case 'l': value = (float)texel.level; break;
   case 'c':
      value = depth_of(&texel) + (passes(thread) ? -1 : 1) / 4096.0f;
      break;
   default: return integer_of(row, thread, operand);
   }
   if (!strcmp(row->target, "CUBE") && strchr("str", operand))
      value = direction(&texel, operand);
   return tg_bits_of_float(value);
}

uint32_t
row_component(const struct row_case *row, unsigned thread, char component)
{
   const struct texel texel = texel_of(row, thread);
   const unsigned number = (unsigned)(strchr("RGBA", component) - "RGBA");

   if (!is_compared(row))
      return tg_bits_of_float(value_of(&texel, number));
   return tg_bits_of_float(component == 'A' || passes(thread) ? 1.0f : 0.0f);
}

/* The bits of a half that is 0 or an integer from 1 to 2048. */
static uint32_t
half_of(uint32_t word)
{
   const uint32_t value = (uint32_t)tg_float_of_bits(word);
   unsigned exponent = 0;

   if (!value)
      return 0;
   while (value >> (exponent + 1))
      exponent++;
   return (exponent + 15) << 10 | ((value << 10 >> exponent) & 0x3ff);
}

uint32_t
row_half(const struct row_case *row, unsigned thread, char component)
{
   return component == '-' ? 0 : half_of(row_component(row, thread, component));
}

uint32_t
row_depth(const struct row_case *row, unsigned thread)
{
   const struct texel texel = texel_of(row, thread);

   return tg_bits_of_float(depth_of(&texel));
}
