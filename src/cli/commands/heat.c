/* SPDX-License-Identifier: MIT
 *
 * The color map of heat maps: from numbers to a ramp of colours whose
 * brightness grows evenly, so that more is brighter to every eye.
 */
#include "cli/commands/heat.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/picture.h"
#include "util/length.h"

static const struct map_info {
   const char *name;
   const char *unit;
   bool less_is_brighter;
} maps[SCRIPT_NUM_MAPS] = {
   [SCRIPT_MAP_OVERDRAW] = {"overdraw", "fragments a pixel", false},
   [SCRIPT_MAP_INSTRUCTIONS] = {"instructions", "instructions a pixel", false},
   [SCRIPT_MAP_DEPTH] = {"depth", "deep", true},
};

/* From black through purple and orange to white. */
static const uint8_t ramp[][3] = {
   {0, 0, 0},      {45, 15, 95},   {120, 30, 110},  {190, 55, 80},
   {235, 105, 40}, {250, 175, 60}, {255, 255, 225},
};
enum { NUM_STEPS = sizeof(ramp) / sizeof(ramp[0]) - 1 };

static void
paint(float share, uint8_t rgba[4])
{
   const float place = share * NUM_STEPS;
   const int step = place < NUM_STEPS ? (int)place : NUM_STEPS - 1;
   const float rest = place - (float)step;

   for (unsigned i = 0; i < 3; i++)
      rgba[i] = (uint8_t)((float)ramp[step][i] * (1 - rest) +
                          (float)ramp[step + 1][i] * rest + 0.5f);
   rgba[3] = 255;
}

/* The least and the greatest; counts begin at 0. */
static void
find_bounds(const struct map_info *info, const float *values, size_t count,
            float *least, float *greatest)
{
   *least = info->less_is_brighter ? INFINITY : 0;
   *greatest = info->less_is_brighter ? -INFINITY : 0;
   for (size_t i = 0; i < count; i++) {
      *least = fminf(*least, values[i]);
      *greatest = fmaxf(*greatest, values[i]);
   }
}

/* Without a difference all is black, if it is none, or else white. */
static float
find_share(const struct map_info *info, float value, float least,
           float greatest)
{
   const float share =
      greatest > least ? (value - least) / (greatest - least) : 0;
   return info->less_is_brighter ? 1 - share : share;
}

const char *
cli_heat_name(enum script_map map)
{
   assert(map < TG_LENGTH(maps));
   return maps[map].name;
}

enum tg_result
cli_add_heat(const struct script_rendering *rendering, enum script_map map,
             struct tg_strbuf *png, struct tg_strbuf *legend)
{
   assert(map < TG_LENGTH(maps));
   const struct script_picture *picture = &rendering->picture;
   const struct map_info *info = &maps[map];
   const float *values = rendering->maps[map];
   const size_t count = (size_t)picture->width * picture->height;
   uint8_t *rgba = calloc(count, 4);
   float least, greatest;

   if (!rgba)
      return TG_ERROR_MEMORY;
   find_bounds(info, values, count, &least, &greatest);
   for (size_t i = 0; i < count; i++)
      paint(find_share(info, values[i], least, greatest), rgba + i * 4);
   const enum tg_result result = file_encode_picture(
      NULL, picture->width, picture->height, rgba, png, legend);
   free(rgba);
   tg_strbuf_printf(legend, "black is %.9g, white is %.9g %s",
                    (double)(info->less_is_brighter ? greatest : least),
                    (double)(info->less_is_brighter ? least : greatest),
                    info->unit);
   return result;
}
