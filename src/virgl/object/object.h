/* SPDX-License-Identifier: MIT
 *
 * Objects of a sub-context.
 */
#ifndef VIRGL_OBJECT_H
#define VIRGL_OBJECT_H

#include "virgl/core/call.h"

/* Destroys all objects of a sub-context. */
void
virgl_objects_finish(struct virgl_context *context);

/* Handlers: create() makes the object of a command, whose `thing_out` may be
 * NULL where nothing is made yet; bind() takes NULL. */
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   enum tg_result virgl_create_##id(const struct virgl_call *call,             \
                                    void **thing_out);                         \
   void virgl_drop_##id(struct virgl_context *context, void *thing);           \
   enum tg_result virgl_bind_##id(const struct virgl_call *call, void *thing);
#include "virgl/wire/objects.def"

#endif
