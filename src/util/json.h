/* SPDX-License-Identifier: MIT
 *
 * JSON output: a tree of values, printed when it is whole. The first piece that
 * there is no memory for makes all of it fail: check once, at the end.
 */
#ifndef TG_UTIL_JSON_H
#define TG_UTIL_JSON_H

#include <stdbool.h>

#include "util/arena.h"

struct tg_json_value;
struct tg_strbuf;

struct tg_json {
   struct tg_arena arena;      /* owns all values */
   struct tg_json_value *root; /* an object or an array */
   bool failed;
};

/* Each adds to an object, under a name, or with `name` NULL to an array. A
 * `parent` NULL, which one that failed returns, is passed over. Strings are
 * copied; bytes of them that are not UTF-8 become U+FFFD. A number that is not
 * finite becomes null. */
struct tg_json_value *
tg_json_object(struct tg_json *json, struct tg_json_value *parent,
               const char *name);
struct tg_json_value *
tg_json_array(struct tg_json *json, struct tg_json_value *parent,
              const char *name);
void
tg_json_string(struct tg_json *json, struct tg_json_value *parent,
               const char *name, const char *text);
void
tg_json_number(struct tg_json *json, struct tg_json_value *parent,
               const char *name, double number);
void
tg_json_bool(struct tg_json *json, struct tg_json_value *parent,
             const char *name, bool value);
void
tg_json_null(struct tg_json *json, struct tg_json_value *parent,
             const char *name);

/* Starts with an empty object or array. `allocator` NULL is the default. */
void
tg_json_init_object(struct tg_json *json, const struct tg_allocator *allocator);
void
tg_json_init_array(struct tg_json *json, const struct tg_allocator *allocator);

/* Finishes the text, which the caller frees with tg_string_free(), or NULL when
 * memory ran out on the way. Frees the rest. */
char *
tg_json_take(struct tg_json *json);

/* Adds a string in quotation marks to a text that the caller writes itself, as
 * where it is too long for a tree. */
void
tg_json_print_string(struct tg_strbuf *out, const char *text);

#endif
