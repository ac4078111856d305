/* SPDX-License-Identifier: MIT
 *
 * Object lifetime in a sub-context: made, bound and destroyed by their handles.
 * What is bound holds a reference of its own, so an object may be destroyed at
 * any time.
 */
#include "virgl/object/object.h"

#include <assert.h>

struct type {
   enum tg_result (*create)(const struct virgl_call *call, void **thing_out);
   void (*drop)(struct virgl_context *context, void *thing);
   enum tg_result (*bind)(const struct virgl_call *call, void *thing);
};

#define BIND_true(id) virgl_bind_##id
#define BIND_false(id) NULL

static const struct type types[VIRGL_NUM_OBJECTS] = {
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   [VIRGL_OBJECT_##                                                            \
      NAME] = {virgl_create_##id, virgl_drop_##id, BIND_##is_bound(id)},
#include "virgl/wire/objects.def"
};

static void
drop(struct virgl_context *context, const struct virgl_handle *handle)
{
   types[handle->type].drop(context, handle->thing);
   context->host->num_objects--;
}

static void
remove_object(struct virgl_context *context, uint32_t handle)
{
   struct virgl_handle *found = virgl_handles_find(&context->objects, handle);

   if (!found)
      return;
   const struct virgl_handle removed = *found;
   virgl_handles_remove(&context->objects, found);
   drop(context, &removed);
}

void
virgl_objects_finish(struct virgl_context *context)
{
   for (uint32_t i = 0; i < context->objects.num_places; i++) {
      if (context->objects.places[i].number)
         drop(context, &context->objects.places[i]);
   }
   virgl_handles_finish(&context->objects);
}

static enum tg_result
check_type(const struct virgl_call *call)
{
   if (call->object == VIRGL_OBJECT_NULL || call->object >= VIRGL_NUM_OBJECTS)
      return virgl_refuse_call(call, "there are no objects of type %u",
                               call->object);
   return TG_OK;
}

/* In place of what had the handle. */
enum tg_result
virgl_do_create_object(const struct virgl_call *call)
{
   struct virgl_context *context = call->context;
   struct virgl_host *host = call->host;
   const uint32_t handle = call->words[1];
   void *thing = NULL;
   enum tg_result result = check_type(call);

   if (result == TG_OK && !handle)
      result = virgl_refuse_call(call, "an object needs a handle");
   if (result == TG_OK && !virgl_handles_find(&context->objects, handle) &&
       host->num_objects >= host->options.max_objects)
      result = virgl_refuse_call(call, "there are %u objects already",
                                 host->num_objects);
   if (result == TG_OK)
      result = types[call->object].create(call, &thing);
   if (result != TG_OK || !thing)
      return result;
   remove_object(context, handle);
   host->num_objects++;
   if (virgl_handles_add(&context->objects, handle, call->object, thing))
      return TG_OK;
   drop(context, &(struct virgl_handle){handle, call->object, thing});
   return TG_ERROR_MEMORY;
}

enum tg_result
virgl_do_bind_object(const struct virgl_call *call)
{
   const uint32_t handle = call->words[1];
   enum tg_result result = check_type(call);

   if (result != TG_OK)
      return result;
   const struct type *type = &types[call->object];
   if (!type->bind)
      return virgl_refuse_call(call, "objects of type %u are not bound so",
                               call->object);
   void *thing = virgl_find_object(call->context, handle,
                                   (enum virgl_object_number)call->object);
   result = type->bind(call, thing);
   if (result == TG_OK && handle && !thing)
      result = virgl_refuse_call(call, "there is no such object %u", handle);
   return result;
}

/* Of whatever type, as handles are of all types together. */
enum tg_result
virgl_do_destroy_object(const struct virgl_call *call)
{
   const uint32_t handle = call->words[1];

   if (!virgl_handles_find(&call->context->objects, handle))
      return virgl_refuse_call(call, "there is no object %u", handle);
   remove_object(call->context, handle);
   return TG_OK;
}
