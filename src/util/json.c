/* SPDX-License-Identifier: MIT
 *
 * Trees of JSON.
 */
#include "util/json.h"

#include <stddef.h>

/* Gives `item` to its parent. NULL when it could not be made or given. */
static cJSON *
add(struct tg_json *json, cJSON *parent, const char *name, cJSON *item)
{
   if (item && parent &&
       (name ? cJSON_AddItemToObject(parent, name, item)
             : cJSON_AddItemToArray(parent, item)))
      return item;
   cJSON_Delete(item);
   json->failed = true;
   return NULL;
}

cJSON *
tg_json_object(struct tg_json *json, cJSON *parent, const char *name)
{
   return add(json, parent, name, cJSON_CreateObject());
}

cJSON *
tg_json_array(struct tg_json *json, cJSON *parent, const char *name)
{
   return add(json, parent, name, cJSON_CreateArray());
}

void
tg_json_string(struct tg_json *json, cJSON *parent, const char *name,
               const char *text)
{
   add(json, parent, name, cJSON_CreateString(text));
}

void
tg_json_number(struct tg_json *json, cJSON *parent, const char *name,
               double number)
{
   add(json, parent, name, cJSON_CreateNumber(number));
}

void
tg_json_bool(struct tg_json *json, cJSON *parent, const char *name, bool value)
{
   add(json, parent, name, cJSON_CreateBool(value));
}

void
tg_json_null(struct tg_json *json, cJSON *parent, const char *name)
{
   add(json, parent, name, cJSON_CreateNull());
}

void
tg_json_init_object(struct tg_json *json)
{
   *json = (struct tg_json){.root = cJSON_CreateObject()};
}

void
tg_json_init_array(struct tg_json *json)
{
   *json = (struct tg_json){.root = cJSON_CreateArray()};
}

char *
tg_json_take(struct tg_json *json)
{
   char *text = json->root && !json->failed ? cJSON_Print(json->root) : NULL;

   cJSON_Delete(json->root);
   *json = (struct tg_json){0};
   return text;
}
