/* SPDX-License-Identifier: MIT
 *
 * A sub-context: the state and the objects of one OpenGL context of a client.
 * It draws with a context of Tungsten's. Of a client one is current: commands
 * are for it, and of all others the work is done.
 */
#ifndef VIRGL_CORE_CONTEXT_H
#define VIRGL_CORE_CONTEXT_H

#include <assert.h>

#include "tungsten/gpu.h"
#include "virgl/core/handles.h"
#include "virgl/wire/protocol.h"

struct virgl_host;
struct virgl_query;
struct virgl_shader;
struct virgl_stream_target;

/* A shader of which the first pieces are there. */
struct virgl_text {
   uint32_t handle;
   uint32_t stage;
   uint32_t size, filled; /* bytes */
   char *bytes;           /* NULL: there is none */
   bool has_stream_output;
   struct tg_stream_output_info stream_output;
};

/* As SET_INDEX_BUFFER left it; no resource: none. */
struct virgl_index_buffer {
   struct tg_resource *resource; /* a reference */
   uint32_t size, offset;        /* bytes */
   bool is_new;                  /* no draw has come since */
};

/* Targets that were set together: setting the same ones again goes on where
 * they are. */
struct virgl_stream_list {
   uint32_t handle[TG_MAX_STREAM_BUFFERS];
};

enum { VIRGL_MAX_STREAM_LISTS = 256 };

struct virgl_context {
   struct virgl_host *host;
   uint32_t number;
   struct tg_context *context;
   struct tg_bindings *bindings[VIRGL_NUM_STAGES];
   struct virgl_handles objects; /* virgl_object_number is the type */

   struct virgl_shader *shaders[VIRGL_NUM_STAGES]; /* references, or NULL */
   struct virgl_text text; /* of a shader that has not come whole yet */

   struct virgl_index_buffer index_buffer;
   uint32_t vertex_buffers[TG_MAX_VERTEX_BUFFERS]; /* resources, or 0 */
   bool sets_indices_first; /* and then vertex buffers: not Mesa 22.3 */
   bool has_attachments;    /* of the framebuffer */

   struct virgl_query *results; /* that are to be written, in a list */

   struct virgl_stream_list stream_lists[VIRGL_MAX_STREAM_LISTS];
   unsigned num_stream_lists;
   struct virgl_stream_target *stream_targets; /* all, in a list */
   uint64_t num_stream_uses;
};

/* The sub-contexts of a client, of which 0 is always there. */
struct virgl_contexts {
   struct virgl_context *first; /* number 0 */
   struct virgl_handles others;
   struct virgl_context *current;
};

/* The object of a handle, or NULL if there is none of that type; 0 is none. */
static inline void *
virgl_find_object(const struct virgl_context *context, uint32_t handle,
                  enum virgl_object_number type)
{
   assert(type < VIRGL_NUM_OBJECTS);
   const struct virgl_handle *found =
      virgl_handles_find(&context->objects, handle);

   return found && found->type == type ? found->thing : NULL;
}

#endif
