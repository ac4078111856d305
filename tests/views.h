/* SPDX-License-Identifier: MIT
 *
 * Textures for a shader whose text declares views, for tests and benchmarks: of
 * the declared target and type, small, and with no two texels of a row alike
 * where they have one sample.
 */
#ifndef TESTS_VIEWS_H
#define TESTS_VIEWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind.h"

enum {
   VIEWS_SIZE = 8,        /* of a texture, each way */
   VIEWS_MAX_PLACES = 32, /* of views */
   VIEWS_MAX_BYTES = VIEWS_SIZE * VIEWS_SIZE * VIEWS_SIZE * 2 * 16,
};

struct views_target {
   const char *name; /* in declarations of views */
   uint32_t target, layers, samples, height, depth;
};

static inline const struct views_target *
views_find_target(const char *name)
{
   static const struct views_target targets[] = {
      {"BUFFER", TG_TEXTURE_BUFFER, 0, 0, 0, 0},
      {"1D", TG_TEXTURE_1D, 0, 0, 0, 0},
      {"2D", TG_TEXTURE_2D, 0, 0, VIEWS_SIZE, 0},
      {"RECT", TG_TEXTURE_RECT, 0, 0, VIEWS_SIZE, 0},
      {"3D", TG_TEXTURE_3D, 0, 0, VIEWS_SIZE, VIEWS_SIZE},
      {"CUBE", TG_TEXTURE_CUBE, 6, 0, VIEWS_SIZE, 0},
      {"1D_ARRAY", TG_TEXTURE_1D_ARRAY, 2, 0, 0, 0},
      {"2D_ARRAY", TG_TEXTURE_2D_ARRAY, 2, 0, VIEWS_SIZE, 0},
      {"CUBEARRAY", TG_TEXTURE_CUBE_ARRAY, 12, 0, VIEWS_SIZE, 0},
      {"2D_MSAA", TG_TEXTURE_2D, 0, 4, VIEWS_SIZE, 0},
      {"2D_ARRAY_MSAA", TG_TEXTURE_2D_ARRAY, 2, 4, VIEWS_SIZE, 0},
   };

   for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
      if (strcmp(targets[i].name, name) == 0)
         return &targets[i];
   }
   return NULL;
}

static inline const char *
views_format(const char *type, bool is_shadow)
{
   if (strcmp(type, "UINT") == 0)
      return "R32G32B32A32_UINT";
   if (strcmp(type, "SINT") == 0)
      return "R32G32B32A32_SINT";
   return is_shadow ? "Z32_FLOAT" : "R8G8B8A8_UNORM";
}

/* Of words that are floats, for depth too. A texture of samples stays as it is.
 */
static inline void
views_fill(struct tg_resource *texture, const struct tg_resource_desc *desc)
{
   static uint32_t words[VIEWS_MAX_BYTES / sizeof(uint32_t)];
   const uint32_t layers = desc->layers ? desc->layers : 1;
   const struct tg_box box = {
      .width = desc->width,
      .height = desc->height ? desc->height : 1,
      .depth = desc->depth ? desc->depth : layers,
   };

   for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
      words[i] = 0x3f000000 + (uint32_t)i * 0x10307;
   if (desc->samples == 0 &&
       tg_resource_write(texture, 0, 0, &box, words, 0, 0) != TG_OK)
      abort();
}

static inline void
views_bind_texture(struct tg_bindings *bindings, unsigned place,
                   const struct views_target *target, const char *format,
                   bool is_shadow)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_sampler_desc how = TG_SAMPLER_DESC_INIT;
   struct tg_resource *texture = NULL;

   desc.target = target->target;
   desc.width = VIEWS_SIZE;
   desc.height = target->height;
   desc.depth = target->depth;
   desc.layers = target->layers;
   desc.samples = target->samples;
   if (target->target != TG_TEXTURE_BUFFER)
      desc.format = tg_format_number(format);
   how.min_filter = how.mag_filter = TG_FILTER_LINEAR;
   how.compares = is_shadow;
   how.compare_func = TG_COMPARE_LESS;
   if (tg_resource_create(NULL, &desc, NULL, &texture) != TG_OK)
      abort();
   const struct tg_view_desc all = tg_view_desc_of(texture);
   views_fill(texture, &desc);
   if (bind_view(bindings, place, &all, NULL) != TG_OK ||
       bind_sampler(bindings, place, &how, NULL) != TG_OK)
      abort();
   tg_resource_destroy(texture);
}

/* A texture for each view that is declared; NULL when out of memory. */
static inline struct tg_bindings *
views_bindings_for(const char *text)
{
   static const char shadow[] = "SHADOW";
   struct tg_bindings *bindings = NULL;

   if (tg_bindings_create(NULL, &bindings) != TG_OK)
      return NULL;
   for (const char *line = text; (line = strstr(line, "DCL SVIEW["));) {
      unsigned place;
      char name[32], type[32];

      line++;
      if (sscanf(line, "CL SVIEW[%u], %31[^,], %31[A-Z]", &place, name, type) !=
          3)
         continue;
      const bool is_shadow = strncmp(name, shadow, sizeof(shadow) - 1) == 0;
      const struct views_target *target =
         views_find_target(is_shadow ? name + sizeof(shadow) - 1 : name);
      if (place < VIEWS_MAX_PLACES && target)
         views_bind_texture(bindings, place, target,
                            views_format(type, is_shadow), is_shadow);
   }
   return bindings;
}

#endif
