/* SPDX-License-Identifier: MIT
 *
 * Parsing of binding lines: views and samplers.
 */
#include "script/sections/binding.h"

#include <string.h>

#include "script/sections/place.h"
#include "script/text/choices.h"

/* ---- readers ------------------------------------------------------------- */

static void
set_all(uint32_t numbers[4], uint32_t number)
{
   for (unsigned i = 0; i < 4; i++)
      numbers[i] = number;
}

static bool
read_border(struct script_cursor *cursor, const struct script_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   return script_read_word_values(cursor, plain, 4, numbers);
}

static bool
read_target(struct script_cursor *cursor, const struct script_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_target_choice(cursor, &numbers[0]);
}

static bool
read_format(struct script_cursor *cursor, const struct script_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_format_choice(cursor, &numbers[0]);
}

static bool
read_level(struct script_cursor *cursor, const struct script_rule *rule,
           enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   if (!cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &numbers[0]))
      return false;
   set_all(numbers, numbers[0]);
   return true;
}

static bool
read_levels(struct script_cursor *cursor, const struct script_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1,
                             "the first level", &numbers[0]) &&
          cursor_read_number(cursor, numbers[0], TG_MAX_TEXTURE_LEVELS - 1,
                             "the last level", &numbers[1]);
}

static bool
read_layers(struct script_cursor *cursor, const struct script_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return cursor_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                             "the first layer", &numbers[0]) &&
          cursor_read_number(cursor, numbers[0], TG_MAX_TEXTURE_LAYERS - 1,
                             "the last layer", &numbers[1]);
}

static bool
read_bytes(struct script_cursor *cursor, const struct script_rule *rule,
           enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return cursor_read_number(cursor, 0, UINT32_MAX, "the first byte",
                             &numbers[0]) &&
          cursor_read_number(cursor, 0, UINT32_MAX - numbers[0],
                             "a number of bytes", &numbers[1]);
}

static bool
read_swizzle(struct script_cursor *cursor, const struct script_rule *rule,
             enum script_plain plain, uint32_t numbers[4])
{
   static const char letters[] = "xyzw01"; /* in the order of tg_swizzle */
   const struct script_word word = cursor_peek_word(cursor);

   (void)rule;
   (void)plain;
   for (size_t i = 0; i < 4 && word.length == 4; i++) {
      const char *letter = memchr(letters, word.text[i], sizeof(letters) - 1);
      if (!letter)
         break;
      numbers[i] = (uint32_t)(letter - letters);
      if (i == 3) {
         cursor_read_word(cursor);
         return true;
      }
   }
   return cursor_complain(cursor, "expected four of xyzw01");
}

/* ---- the table ----------------------------------------------------------- */

static const struct script_choice wraps[] = {
   {"repeat", TG_WRAP_REPEAT},
   {"clamp", TG_WRAP_CLAMP},
   {"clamp_to_edge", TG_WRAP_CLAMP_TO_EDGE},
   {"clamp_to_border", TG_WRAP_CLAMP_TO_BORDER},
   {"mirror_repeat", TG_WRAP_MIRROR_REPEAT},
   {"mirror_clamp", TG_WRAP_MIRROR_CLAMP},
   {"mirror_clamp_to_edge", TG_WRAP_MIRROR_CLAMP_TO_EDGE},
   {"mirror_clamp_to_border", TG_WRAP_MIRROR_CLAMP_TO_BORDER},
};
static const struct script_choice filters[] = {
   {"nearest", TG_FILTER_NEAREST},
   {"linear", TG_FILTER_LINEAR},
};
static const struct script_choice mip_filters[] = {
   {"none", TG_MIP_NONE},
   {"nearest", TG_MIP_NEAREST},
   {"linear", TG_MIP_LINEAR},
};

#define KIND(id) (1u << SCRIPT_PLACE_##id)
#define SAMPLED (KIND(TEXTURE) | KIND(SAMPLER))
#define IMAGES (KIND(IMAGE) | KIND(COLOR))
#define BUFFERS                                                                \
   (KIND(BUFFER) | KIND(COUNTERS) | KIND(CONSTANTS) | KIND(GLOBAL) |           \
    KIND(INPUT))

#define FIELD(member) SCRIPT_FIELD(struct script_binding, member)
#define CHOICE(kinds_, words_, table, count, ...)                              \
   {                                                                           \
      .words = words_, .kinds = kinds_, SCRIPT_READ_CHOICE(table),             \
      .num_fields = count, .fields = {__VA_ARGS__},                            \
   }
#define READER(kinds_, words_, reader, count, ...)                             \
   {                                                                           \
      .words = words_, .kinds = kinds_, .read = reader, .num_fields = count,   \
      .fields = {__VA_ARGS__},                                                 \
   }
#define LOD(words_, member)                                                    \
   {                                                                           \
      .words = words_, .kinds = SAMPLED, .read = script_rule_read_floats,      \
      .what = "a level of detail", .num_fields = 1,                            \
      .fields = {FIELD(sampler.member)},                                       \
   }

static const struct script_rule rules[] = {
   CHOICE(SAMPLED, "wrap", wraps, 3, FIELD(sampler.wrap[0]),
          FIELD(sampler.wrap[1]), FIELD(sampler.wrap[2])),
   CHOICE(SAMPLED, "wrap_s", wraps, 1, FIELD(sampler.wrap[0])),
   CHOICE(SAMPLED, "wrap_t", wraps, 1, FIELD(sampler.wrap[1])),
   CHOICE(SAMPLED, "wrap_r", wraps, 1, FIELD(sampler.wrap[2])),
   CHOICE(SAMPLED, "filter", filters, 2, FIELD(sampler.min_filter),
          FIELD(sampler.mag_filter)),
   CHOICE(SAMPLED, "min filter", filters, 1, FIELD(sampler.min_filter)),
   CHOICE(SAMPLED, "mag filter", filters, 1, FIELD(sampler.mag_filter)),
   CHOICE(SAMPLED, "mip filter", mip_filters, 1, FIELD(sampler.mip_filter)),
   LOD("lod bias", lod_bias),
   LOD("min lod", min_lod),
   LOD("max lod", max_lod),
   {
      .words = "anisotropy",
      .kinds = SAMPLED,
      SCRIPT_READ_NUMBER(1, 16, "an anisotropy"),
      .num_fields = 1,
      .fields = {FIELD(sampler.max_anisotropy)},
   },
   READER(SAMPLED, "border", read_border, 1, FIELD(sampler.border_color)),
   READER(SAMPLED, "compare", script_rule_read_compare, 2,
          FIELD(sampler.compares), FIELD(sampler.compare_func)),
   CHOICE(SAMPLED, "unnormalized", script_switches, 1,
          FIELD(sampler.unnormalized_coords)),
   CHOICE(SAMPLED, "seamless", script_switches, 1,
          FIELD(sampler.seamless_cube)),

   READER(KIND(TEXTURE), "view target", read_target, 1, FIELD(target)),
   READER(KIND(TEXTURE) | IMAGES, "view format", read_format, 1, FIELD(format)),
   READER(KIND(TEXTURE), "view levels", read_levels, 2, FIELD(levels[0]),
          FIELD(levels[1])),
   READER(KIND(TEXTURE) | IMAGES, "view level", read_level, 2, FIELD(levels[0]),
          FIELD(levels[1])),
   READER(KIND(TEXTURE) | IMAGES, "view layers", read_layers, 2,
          FIELD(layers[0]), FIELD(layers[1])),
   READER(KIND(TEXTURE) | IMAGES | BUFFERS, "view bytes", read_bytes, 2,
          FIELD(bytes[0]), FIELD(bytes[1])),
   READER(KIND(TEXTURE), "view swizzle", read_swizzle, 4, FIELD(swizzle[0]),
          FIELD(swizzle[1]), FIELD(swizzle[2]), FIELD(swizzle[3])),
};

/* ---- lines --------------------------------------------------------------- */

bool
script_accept_binding_change(struct script_cursor *cursor, unsigned kind,
                             enum script_plain plain,
                             struct script_change *change_out, bool *good_out)
{
   for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
      if (rules[i].kinds >> kind & 1 &&
          script_accept_rule(cursor, &rules[i], plain, change_out, good_out))
         return true;
   }
   return false;
}

bool
script_binding_changes_sampler(const struct script_change *change)
{
   return change->rule->kinds >> SCRIPT_PLACE_SAMPLER & 1;
}
