/* SPDX-License-Identifier: MIT
 *
 * JSON by way of cJSON, which leaves out what it has no memory for. Here the
 * first piece that is missing makes the whole fail: check once, at the end.
 */
#ifndef TG_UTIL_JSON_H
#define TG_UTIL_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

struct tg_json {
   cJSON *root; /* an object or an array */
   bool failed;
};

/* Each adds to an object, under a name, or with `name` NULL to an array. A
 * `parent` NULL, which one that failed returns, is passed over. Strings are
 * copied. */
cJSON *
tg_json_object(struct tg_json *json, cJSON *parent, const char *name);
cJSON *
tg_json_array(struct tg_json *json, cJSON *parent, const char *name);
void
tg_json_string(struct tg_json *json, cJSON *parent, const char *name,
               const char *text);
void
tg_json_number(struct tg_json *json, cJSON *parent, const char *name,
               double number);
void
tg_json_bool(struct tg_json *json, cJSON *parent, const char *name, bool value);
void
tg_json_null(struct tg_json *json, cJSON *parent, const char *name);

/* Starts with an empty object or array. */
void
tg_json_init_object(struct tg_json *json);
void
tg_json_init_array(struct tg_json *json);

/* The text, which the caller frees with tg_string_free(), or NULL when memory
 * ran out on the way. Frees the rest. */
char *
tg_json_take(struct tg_json *json);

#endif
