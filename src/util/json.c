/* SPDX-License-Identifier: MIT
 *
 * The JSON printer (RFC 8259), over trees of values in an arena. Members stand
 * one a line, indented by tabs; elements follow each other.
 */
#include "util/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

enum kind {
   KIND_NULL,
   KIND_FALSE,
   KIND_TRUE,
   KIND_NUMBER,
   KIND_STRING,
   KIND_ARRAY,
   KIND_OBJECT,
};

struct tg_json_value {
   enum kind kind;
   const char *name; /* in an object */
   struct tg_json_value *next;
   struct tg_json_value *first, *last; /* of an array or object */
   const char *string;
   double number;
};

/* ---- making -------------------------------------------------------------- */

static struct tg_json_value *
create(struct tg_json *json, enum kind kind)
{
   struct tg_json_value *value = tg_arena_alloc(&json->arena, sizeof(*value));

   if (value)
      value->kind = kind;
   else
      json->failed = true;
   return value;
}

/* A copy of a string; NULL when out of memory. */
static const char *
copy(struct tg_json *json, const char *text)
{
   const char *string = tg_arena_strndup(&json->arena, text, strlen(text));

   if (!string)
      json->failed = true;
   return string;
}

/* Makes a value and gives it to its parent; NULL when that failed. */
static struct tg_json_value *
add(struct tg_json *json, struct tg_json_value *parent, const char *name,
    enum kind kind)
{
   struct tg_json_value *value = parent ? create(json, kind) : NULL;
   if (!value)
      return NULL;
   if (name && !(value->name = copy(json, name)))
      return NULL;
   if (parent->last)
      parent->last->next = value;
   else
      parent->first = value;
   parent->last = value;
   return value;
}

struct tg_json_value *
tg_json_object(struct tg_json *json, struct tg_json_value *parent,
               const char *name)
{
   return add(json, parent, name, KIND_OBJECT);
}

struct tg_json_value *
tg_json_array(struct tg_json *json, struct tg_json_value *parent,
              const char *name)
{
   return add(json, parent, name, KIND_ARRAY);
}

void
tg_json_string(struct tg_json *json, struct tg_json_value *parent,
               const char *name, const char *text)
{
   struct tg_json_value *value = add(json, parent, name, KIND_STRING);

   if (value)
      value->string = copy(json, text);
}

void
tg_json_number(struct tg_json *json, struct tg_json_value *parent,
               const char *name, double number)
{
   struct tg_json_value *value =
      add(json, parent, name, isfinite(number) ? KIND_NUMBER : KIND_NULL);

   if (value)
      value->number = number;
}

void
tg_json_bool(struct tg_json *json, struct tg_json_value *parent,
             const char *name, bool value)
{
   add(json, parent, name, value ? KIND_TRUE : KIND_FALSE);
}

void
tg_json_null(struct tg_json *json, struct tg_json_value *parent,
             const char *name)
{
   add(json, parent, name, KIND_NULL);
}

static void
init(struct tg_json *json, const struct tg_allocator *allocator, enum kind kind)
{
   *json = (struct tg_json){0};
   tg_arena_init(&json->arena, allocator);
   json->root = create(json, kind);
}

void
tg_json_init_object(struct tg_json *json, const struct tg_allocator *allocator)
{
   init(json, allocator, KIND_OBJECT);
}

void
tg_json_init_array(struct tg_json *json, const struct tg_allocator *allocator)
{
   init(json, allocator, KIND_ARRAY);
}

/* ---- strings ------------------------------------------------------------- */

/* The bytes of the character that a text begins with: 1 to 4, or 0 where they
 * are not UTF-8, as RFC 3629 defines it: no longer than needed, no surrogates,
 * nothing above U+10FFFF. */
static unsigned
character_length(const unsigned char *text)
{
   const unsigned first = text[0];
   const unsigned length = first < 0x80                    ? 1
                           : first >= 0xc2 && first < 0xe0 ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;

   for (unsigned i = 1; i < length; i++) {
      if ((text[i] & 0xc0) != 0x80)
         return 0;
   }
   if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
       (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f))
      return 0;
   return length;
}

static void
print_ascii(struct tg_strbuf *out, char c)
{
   static const char controls[][2] = {
      {'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
      {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'},
   };

   for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
      if (c == controls[i][0]) {
         tg_strbuf_add_char(out, '\\');
         tg_strbuf_add_char(out, controls[i][1]);
         return;
      }
   }
   if ((unsigned char)c < ' ')
      tg_strbuf_printf(out, "\\u%04x", (unsigned)c);
   else
      tg_strbuf_add_char(out, c);
}

void
tg_json_print_string(struct tg_strbuf *out, const char *text)
{
   tg_strbuf_add_char(out, '"');
   while (*text) {
      const unsigned length = character_length((const unsigned char *)text);

      if (length == 1)
         print_ascii(out, *text);
      else if (length)
         tg_strbuf_add_n(out, text, length);
      else
         tg_strbuf_add(out, "\\ufffd");
      text += length ? length : 1;
   }
   tg_strbuf_add_char(out, '"');
}

/* ---- values -------------------------------------------------------------- */

/* With 15 digits where they are read back as the same number, as all integers
 * below 10^15 are, else with 17. Locale by locale the same is read. */
static void
print_number(struct tg_strbuf *out, double number)
{
   char digits[32];

   snprintf(digits, sizeof(digits), "%.15g", number);
   tg_strbuf_double(out, strtod(digits, NULL) == number ? "%.15g" : "%.17g",
                    number);
}

static void
print_value(struct tg_strbuf *out, const struct tg_json_value *value,
            int depth);

static void
print_array(struct tg_strbuf *out, const struct tg_json_value *array, int depth)
{
   tg_strbuf_add_char(out, '[');
   for (const struct tg_json_value *v = array->first; v; v = v->next) {
      print_value(out, v, depth);
      if (v->next)
         tg_strbuf_add(out, ", ");
   }
   tg_strbuf_add_char(out, ']');
}

static void
print_end(struct tg_strbuf *out, int depth)
{
   tg_strbuf_add_char(out, '\n');
   for (int i = 0; i < depth; i++)
      tg_strbuf_add_char(out, '\t');
}

static void
print_object(struct tg_strbuf *out, const struct tg_json_value *object,
             int depth)
{
   tg_strbuf_add_char(out, '{');
   for (const struct tg_json_value *v = object->first; v; v = v->next) {
      print_end(out, depth + 1);
      tg_json_print_string(out, v->name);
      tg_strbuf_add(out, ":\t");
      print_value(out, v, depth + 1);
      if (v->next)
         tg_strbuf_add_char(out, ',');
   }
   if (object->first)
      print_end(out, depth);
   tg_strbuf_add_char(out, '}');
}

/* Recurses as deep as the tree, which what writes it knows. */
static void
print_value(struct tg_strbuf *out, const struct tg_json_value *value, int depth)
{
   switch (value->kind) {
   case KIND_NULL: tg_strbuf_add(out, "null"); break;
   case KIND_FALSE: tg_strbuf_add(out, "false"); break;
   case KIND_TRUE: tg_strbuf_add(out, "true"); break;
   case KIND_NUMBER: print_number(out, value->number); break;
   case KIND_STRING: tg_json_print_string(out, value->string); break;
   case KIND_ARRAY: print_array(out, value, depth + 1); break;
   case KIND_OBJECT: print_object(out, value, depth); break;
   }
}

char *
tg_json_take(struct tg_json *json)
{
   struct tg_strbuf out = {.allocator = json->arena.allocator};
   char *text = NULL;

   if (json->root && !json->failed) {
      print_value(&out, json->root, 0);
      text = tg_strbuf_take(&out);
   }
   tg_arena_finish(&json->arena);
   *json = (struct tg_json){0};
   return text;
}
