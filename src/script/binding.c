/* SPDX-License-Identifier: MIT
 *
 * The lines of views and samplers: a table of words, of how what follows is
 * read, and of the fields that it goes to.
 */
#include "script/binding.h"

#include <string.h>

#include "script/place.h"
#include "script/words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_FIELDS = 4 };

/* Reads what follows the words into four numbers; where there is but one, it
 * is all of them. */
typedef bool (*read_function)(struct script_cursor *cursor,
                              const struct script_change_rule *rule,
                              enum script_plain plain, uint32_t numbers[4]);

struct script_change_rule {
   const char *words;
   unsigned kinds; /* of places: bit i is kind i */
   read_function read;
   const struct script_choice *choices;
   size_t num_choices;
   unsigned num_fields;
   struct {
      uint16_t offset;   /* in struct script_binding */
      uint16_t size;     /* 1 or 4 */
   } fields[MAX_FIELDS]; /* field i is set to number i */
};

/* ---- readers ------------------------------------------------------------- */

static void
set_all(uint32_t numbers[4], uint32_t number)
{
   for (unsigned i = 0; i < 4; i++)
      numbers[i] = number;
}

static bool
read_choice(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   uint32_t number;

   (void)plain;
   if (!script_read_choice(cursor, rule->choices, rule->num_choices, &number))
      return false;
   set_all(numbers, number);
   return true;
}

/* Whether there is a comparison, and which. */
static bool
read_compare(struct script_cursor *cursor,
             const struct script_change_rule *rule, enum script_plain plain,
             uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   if (!script_read_compare(cursor, &numbers[1]))
      return false;
   numbers[0] = numbers[1] != SCRIPT_COMPARE_OFF;
   if (!numbers[0])
      numbers[1] = TG_COMPARE_NEVER;
   return true;
}

static bool
read_lod(struct script_cursor *cursor, const struct script_change_rule *rule,
         enum script_plain plain, uint32_t numbers[4])
{
   double value;

   (void)rule;
   (void)plain;
   if (!script_read_double(cursor, "a level of detail", &value))
      return false;
   const float lod = (float)value;
   memcpy(&numbers[0], &lod, sizeof(lod));
   return true;
}

static bool
read_anisotropy(struct script_cursor *cursor,
                const struct script_change_rule *rule, enum script_plain plain,
                uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_number(cursor, 1, 16, "an anisotropy", &numbers[0]);
}

static bool
read_border(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   return script_read_words(cursor, plain, 4, numbers);
}

static bool
read_target(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_target(cursor, &numbers[0]);
}

static bool
read_format(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_format(cursor, &numbers[0]);
}

static bool
read_level(struct script_cursor *cursor, const struct script_change_rule *rule,
           enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   if (!script_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1, "a level",
                           &numbers[0]))
      return false;
   set_all(numbers, numbers[0]);
   return true;
}

static bool
read_levels(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_number(cursor, 0, TG_MAX_TEXTURE_LEVELS - 1,
                             "the first level", &numbers[0]) &&
          script_read_number(cursor, numbers[0], TG_MAX_TEXTURE_LEVELS - 1,
                             "the last level", &numbers[1]);
}

static bool
read_layers(struct script_cursor *cursor, const struct script_change_rule *rule,
            enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_number(cursor, 0, TG_MAX_TEXTURE_LAYERS - 1,
                             "the first layer", &numbers[0]) &&
          script_read_number(cursor, numbers[0], TG_MAX_TEXTURE_LAYERS - 1,
                             "the last layer", &numbers[1]);
}

static bool
read_bytes(struct script_cursor *cursor, const struct script_change_rule *rule,
           enum script_plain plain, uint32_t numbers[4])
{
   (void)rule;
   (void)plain;
   return script_read_number(cursor, 0, UINT32_MAX, "the first byte",
                             &numbers[0]) &&
          script_read_number(cursor, 0, UINT32_MAX - numbers[0],
                             "a number of bytes", &numbers[1]);
}

static bool
read_swizzle(struct script_cursor *cursor,
             const struct script_change_rule *rule, enum script_plain plain,
             uint32_t numbers[4])
{
   static const char letters[] = "xyzw01"; /* in the order of tg_swizzle */
   const struct script_word word = script_peek_word(cursor);

   (void)rule;
   (void)plain;
   for (size_t i = 0; i < 4 && word.length == 4; i++) {
      const char *letter = memchr(letters, word.text[i], sizeof(letters) - 1);
      if (!letter)
         break;
      numbers[i] = (uint32_t)(letter - letters);
      if (i == 3) {
         script_read_word(cursor);
         return true;
      }
   }
   return script_complain(cursor, "expected four of xyzw01");
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
static const struct script_choice switches[] = {{"on", true}, {"off", false}};

#define KIND(id) (1u << SCRIPT_PLACE_##id)
#define SAMPLED (KIND(TEXTURE) | KIND(SAMPLER))
#define IMAGES (KIND(IMAGE) | KIND(COLOR))
#define BUFFERS                                                                \
   (KIND(BUFFER) | KIND(COUNTERS) | KIND(CONSTANTS) | KIND(GLOBAL) |           \
    KIND(INPUT))

#define FIELD(member)                                                          \
   {                                                                           \
      offsetof(struct script_binding, member),                                 \
         sizeof(((struct script_binding *)0)->member)                          \
   }
#define CHOICES(choices) read_choice, choices, COUNT(choices)
#define READER(name) read_##name, NULL, 0

static const struct script_change_rule rules[] = {
   {"wrap",
    SAMPLED,
    CHOICES(wraps),
    3,
    {FIELD(sampler.wrap[0]), FIELD(sampler.wrap[1]), FIELD(sampler.wrap[2])}},
   {"wrap_s", SAMPLED, CHOICES(wraps), 1, {FIELD(sampler.wrap[0])}},
   {"wrap_t", SAMPLED, CHOICES(wraps), 1, {FIELD(sampler.wrap[1])}},
   {"wrap_r", SAMPLED, CHOICES(wraps), 1, {FIELD(sampler.wrap[2])}},
   {"filter",
    SAMPLED,
    CHOICES(filters),
    2,
    {FIELD(sampler.min_filter), FIELD(sampler.mag_filter)}},
   {"min filter", SAMPLED, CHOICES(filters), 1, {FIELD(sampler.min_filter)}},
   {"mag filter", SAMPLED, CHOICES(filters), 1, {FIELD(sampler.mag_filter)}},
   {"mip filter",
    SAMPLED,
    CHOICES(mip_filters),
    1,
    {FIELD(sampler.mip_filter)}},
   {"lod bias", SAMPLED, READER(lod), 1, {FIELD(sampler.lod_bias)}},
   {"min lod", SAMPLED, READER(lod), 1, {FIELD(sampler.min_lod)}},
   {"max lod", SAMPLED, READER(lod), 1, {FIELD(sampler.max_lod)}},
   {"anisotropy",
    SAMPLED,
    READER(anisotropy),
    1,
    {FIELD(sampler.max_anisotropy)}},
   {"border",
    SAMPLED,
    READER(border),
    4,
    {FIELD(sampler.border_color.u[0]), FIELD(sampler.border_color.u[1]),
     FIELD(sampler.border_color.u[2]), FIELD(sampler.border_color.u[3])}},
   {"compare",
    SAMPLED,
    READER(compare),
    2,
    {FIELD(sampler.compares), FIELD(sampler.compare_func)}},
   {"unnormalized",
    SAMPLED,
    CHOICES(switches),
    1,
    {FIELD(sampler.unnormalized_coords)}},
   {"seamless", SAMPLED, CHOICES(switches), 1, {FIELD(sampler.seamless_cube)}},

   {"view target", KIND(TEXTURE), READER(target), 1, {FIELD(target)}},
   {"view format", KIND(TEXTURE) | IMAGES, READER(format), 1, {FIELD(format)}},
   {"view levels",
    KIND(TEXTURE),
    READER(levels),
    2,
    {FIELD(levels[0]), FIELD(levels[1])}},
   {"view level",
    KIND(TEXTURE) | IMAGES,
    READER(level),
    2,
    {FIELD(levels[0]), FIELD(levels[1])}},
   {"view layers",
    KIND(TEXTURE) | IMAGES,
    READER(layers),
    2,
    {FIELD(layers[0]), FIELD(layers[1])}},
   {"view bytes",
    KIND(TEXTURE) | IMAGES | BUFFERS,
    READER(bytes),
    2,
    {FIELD(bytes[0]), FIELD(bytes[1])}},
   {"view swizzle",
    KIND(TEXTURE),
    READER(swizzle),
    4,
    {FIELD(swizzle[0]), FIELD(swizzle[1]), FIELD(swizzle[2]),
     FIELD(swizzle[3])}},
};

/* ---- lines --------------------------------------------------------------- */

bool
script_accept_change(struct script_cursor *cursor, unsigned kind,
                     enum script_plain plain, struct script_change *change_out,
                     bool *good_out)
{
   for (size_t i = 0; i < COUNT(rules); i++) {
      const struct script_change_rule *rule = &rules[i];

      if (!(rule->kinds >> kind & 1) ||
          !script_accept_words(cursor, rule->words))
         continue;
      *change_out = (struct script_change){.rule = rule};
      *good_out = rule->read(cursor, rule, plain, change_out->numbers);
      return true;
   }
   return false;
}

bool
script_changes_sampler(const struct script_change *change)
{
   return change->rule->kinds >> SCRIPT_PLACE_SAMPLER & 1;
}

void
script_apply_change(const struct script_change *change,
                    struct script_binding *binding)
{
   const struct script_change_rule *rule = change->rule;

   for (unsigned i = 0; i < rule->num_fields; i++) {
      char *field = (char *)binding + rule->fields[i].offset;
      const uint8_t byte = (uint8_t)change->numbers[i];

      if (rule->fields[i].size == sizeof(byte))
         *field = (char)byte;
      else
         memcpy(field, &change->numbers[i], sizeof(change->numbers[i]));
   }
}
