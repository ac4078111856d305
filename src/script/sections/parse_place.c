/* SPDX-License-Identifier: MIT
 *
 * Parsing of the sections of places, [texture 3] or [buffer 0]: the head, the
 * memory that another place has already, and the lines of how it is bound. What
 * memory is made of is read by texture.c and buffer.c.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "script/sections/section.h"
#include "script/text/choices.h"
#include "util/length.h"

static unsigned
find_kind(const char *words)
{
   unsigned kind = 0;

   while (strcmp(script_place_rules[kind].words, words) != 0)
      kind++;
   return kind;
}

/* ---- names --------------------------------------------------------------- */

/* Reads the number of a place, unless there is but one of the kind. */
static bool
read_number(struct script_cursor *cursor, unsigned kind, uint32_t *number_out)
{
   assert(kind < TG_LENGTH(script_place_rules));
   const struct script_place_rule *rule = &script_place_rules[kind];
   char what[40];

   *number_out = 0;
   snprintf(what, sizeof(what), "a number after '%s'", rule->words);
   return rule->count == 1 ||
          cursor_read_number(cursor, 0, rule->count - 1, what, number_out);
}

static const struct script_place *
find_place(const struct script *script, unsigned kind, uint32_t number)
{
   for (uint32_t i = 0; i < script->num_places; i++) {
      if (script->places[i]->kind == kind &&
          script->places[i]->number == number)
         return script->places[i];
   }
   return NULL;
}

const struct script_place *
script_read_place_name(struct script_cursor *cursor,
                       const struct script *script, const char *words)
{
   const unsigned kind = find_kind(words);
   struct script_cursor before = *cursor;
   uint32_t number;

   if (!read_number(cursor, kind, &number))
      return NULL;
   const struct script_place *place = find_place(script, kind, number);
   if (!place)
      cursor_complain(&before, "there is no such %s above", words);
   return place;
}

const struct script_place *
script_read_place_owner(struct script_cursor *cursor,
                        const struct script *script)
{
   for (unsigned i = 0; i < SCRIPT_NUM_PLACE_KINDS; i++) {
      const struct script_place_rule *rule = &script_place_rules[i];

      if (rule->holds == SCRIPT_HOLDS_NOTHING ||
          !cursor_accept_words(cursor, rule->words))
         continue;
      const struct script_place *place =
         script_read_place_name(cursor, script, rule->words);
      return place && place->of ? place->of : place;
   }
   cursor_complain(cursor, "expected a texture, an image or a buffer");
   return NULL;
}

const struct script_place *
script_read_place_buffer(struct script_cursor *cursor,
                         const struct script *script)
{
   if (cursor_accept_words(cursor, "buffer"))
      return script_read_place_name(cursor, script, "buffer");
   cursor_complain(cursor, "expected buffer");
   return NULL;
}

/* ---- sections ------------------------------------------------------------ */

/* Whether something has been said of the memory. */
static bool
is_described(const struct script_memory *memory)
{
   return memory->contents != SCRIPT_CONTENTS_NONE || memory->num_bytes ||
          memory->desc.width;
}

static bool
read_of(struct script_parser *parser, struct script_place *place)
{
   if (place->of || is_described(&place->memory))
      return cursor_complain(&parser->cursor, "it has memory already");
   struct script_cursor before = parser->cursor;
   const struct script_place *owner =
      script_read_place_owner(&parser->cursor, parser->script);
   if (owner == place)
      return cursor_complain(&before, "it cannot show its own memory");
   place->of = owner;
   return owner != NULL;
}

uint32_t
script_place_format(const struct script_place *place)
{
   const struct script_place *owner = place->of ? place->of : place;

   return place->binding.format != SCRIPT_AS_IS ? place->binding.format
                                                : owner->memory.desc.format;
}

uint32_t
script_place_texel_format(const struct script_place *place)
{
   const struct script_place *owner = place->of ? place->of : place;

   return owner->memory.desc.format ? owner->memory.desc.format
                                    : script_place_format(place);
}

bool
script_accept_place_change(struct script_cursor *cursor,
                           const struct script_place *place,
                           struct script_change *change_out, bool *good_out)
{
   const enum script_plain plain =
      script_place_holds_integers(script_place_format(place))
         ? SCRIPT_PLAIN_INTEGER
         : SCRIPT_PLAIN_FLOAT;
   struct script_cursor before = *cursor;

   if (!script_accept_binding_change(cursor, place->kind, plain, change_out,
                                     good_out))
      return false;
   if (*good_out && place->number >= TG_MAX_SAMPLERS &&
       script_binding_changes_sampler(change_out))
      *good_out =
         cursor_complain(&before, "there is no sampler %u", place->number);
   return true;
}

static bool
read_line(struct script_parser *parser, struct script_place *place)
{
   struct script_cursor *cursor = &parser->cursor;
   const uint8_t holds = script_place_rules[place->kind].holds;
   struct script_change change;
   bool good;

   if (script_accept_place_change(cursor, place, &change, &good)) {
      if (good)
         script_apply_rule(&change, &place->binding);
   } else if (holds == SCRIPT_HOLDS_NOTHING) {
      return cursor_complain(cursor, "there is no such line of a %s",
                             script_place_rules[place->kind].words);
   } else if (cursor_accept_words(cursor, "of")) {
      good = read_of(parser, place);
   } else if (place->of) {
      return cursor_complain(cursor, "its memory is that of another place");
   } else if (cursor_accept_words(cursor, "undefined")) {
      place->memory.is_undefined = true;
      good = true;
   } else {
      good = holds == SCRIPT_HOLDS_TEXELS
                ? script_read_texture_line(parser, &place->memory)
                : script_read_buffer_line(parser, &place->memory);
   }
   return good && cursor_expect_end(cursor);
}

/* Whether the memory of a place is whole; `head` stands at its section. */
static bool
check_place(struct script_cursor *head, struct script_place *place)
{
   struct script_memory *memory = &place->memory;

   switch (script_place_rules[place->kind].holds) {
   case SCRIPT_HOLDS_TEXELS:
      return place->of || script_finish_texture(head, memory);
   case SCRIPT_HOLDS_BYTES:
      return place->of || script_finish_buffer(head, memory);
   }
   return true;
}

static struct tg_position
line_position(const struct script_cursor *cursor)
{
   return (struct tg_position){
      .line = cursor->line,
      .column = 1,
      .offset = (uint32_t)(cursor->line_start - cursor->source->text),
   };
}

/* A texture brings the sampler of its number. */
static bool
is_taken(const struct script *script, unsigned kind, uint32_t number)
{
   return find_place(script, kind, number) ||
          (kind == SCRIPT_PLACE_SAMPLER &&
           find_place(script, SCRIPT_PLACE_TEXTURE, number)) ||
          (kind == SCRIPT_PLACE_TEXTURE &&
           find_place(script, SCRIPT_PLACE_SAMPLER, number));
}

/* The place that a head names, or NULL after a complaint. */
static struct script_place *
create_place(struct script_parser *parser, struct script_word name)
{
   struct script *script = parser->script;
   struct script_cursor head = parser->cursor;
   const unsigned kind = find_kind(parser->head);
   uint32_t number;

   head.at = name.text;
   head.end = name.text + name.length;
   if (!read_number(&head, kind, &number) || !cursor_expect_end(&head))
      return NULL;
   if (is_taken(script, kind, number)) {
      cursor_complain(&parser->cursor, "this place has a section already");
      return NULL;
   }
   struct script_place *place = tg_arena_alloc(&script->arena, sizeof(*place));
   if (!place || !script_section_reserve(
                    parser, (void **)&script->places, &script->place_capacity,
                    script->num_places, 1, SCRIPT_MAX_PLACES,
                    sizeof(struct script_place *))) {
      parser->out_of_memory = true;
      return NULL;
   }
   *place = (struct script_place){
      .kind = (uint8_t)kind,
      .number = number,
      .index = script->num_places,
      .position = line_position(&parser->cursor),
      .memory = script_texture_memory_init(script_place_rules[kind].holds),
      .binding = SCRIPT_BINDING_INIT,
   };
   script->places[script->num_places++] = place;
   return place;
}

void
script_parse_place(struct script_parser *parser, struct script_word name)
{
   struct script_cursor head = parser->cursor;
   struct script_place *place = create_place(parser, name);
   head.at = head.line_start;
   if (!place) {
      script_section_check(parser, false);
      script_skip_section(parser);
      return;
   }
   bool good = true;
   while (script_next_section_words(parser) && !parser->out_of_memory) {
      const bool is_good = read_line(parser, place);

      script_section_check(parser, is_good);
      good &= is_good;
   }
   if (good)
      script_section_check(parser, check_place(&head, place));
}
