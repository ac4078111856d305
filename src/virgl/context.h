/* SPDX-License-Identifier: MIT
 *
 * A sub-context: the state and the objects of one OpenGL context of a client.
 * It draws with a context of Tungsten's. Of a client one is current: commands
 * are for it, and of all others the work is done.
 */
#ifndef VIRGL_CONTEXT_H
#define VIRGL_CONTEXT_H

#include "tungsten/gpu.h"
#include "virgl/handles.h"
#include "virgl/protocol.h"
#include "virgl/shader.h"

struct virgl_host;
struct virgl_stream_target;

/* As SET_INDEX_BUFFER left it; no resource: none. */
struct virgl_index_buffer {
   struct tg_resource *resource; /* a reference */
   uint32_t size, offset;        /* bytes */
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
   bool has_attachments; /* of the framebuffer */

   struct virgl_query *results; /* that are to be written, in a list */

   struct virgl_stream_list stream_lists[VIRGL_MAX_STREAM_LISTS];
   unsigned num_stream_lists;
   struct virgl_stream_target *stream_targets; /* all, in a list */
   uint64_t num_stream_uses;
};

/* A command, and for whom it is. */
struct virgl_call {
   struct virgl_host *host;
   struct virgl_context *context; /* the current one */
   const uint32_t *words;         /* words[0] is the header */
   uint32_t length;               /* of what follows the header */
   uint32_t object;               /* enum virgl_object_number, checked */
   struct tg_diagnostics *diagnostics;
};

/* What is wrong with a command. Returns TG_ERROR_INPUT. */
enum tg_result
virgl_refuse(const struct virgl_call *call, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* ---- sub-contexts -------------------------------------------------------- */

/* The sub-contexts of a client, of which 0 is always there. */
struct virgl_contexts {
   struct virgl_context *first; /* number 0 */
   struct virgl_handles others;
   struct virgl_context *current;
};

/* TG_ERROR_MEMORY. */
enum tg_result
virgl_contexts_init(struct virgl_contexts *contexts, struct virgl_host *host);

/* Also of what virgl_contexts_init() left when it failed. */
void
virgl_contexts_finish(struct virgl_contexts *contexts);

/* Waits until all that was asked for is done. A fault of it is written
 * to the log. */
void
virgl_context_finish_work(struct virgl_context *context);

/* ---- objects ------------------------------------------------------------- */

/* The object of a handle, or NULL if there is none of that type; 0 is none. */
void *
virgl_find_object(const struct virgl_context *context, uint32_t handle,
                  enum virgl_object_number type);

/* Destroys all of them. */
void
virgl_objects_finish(struct virgl_context *context);

/* Handlers: create() makes the object of a command, whose `thing_out` may be
 * NULL where nothing is made yet; bind() takes NULL. */
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   enum tg_result virgl_create_##id(const struct virgl_call *call,             \
                                    void **thing_out);                         \
   void virgl_drop_##id(struct virgl_context *context, void *thing);           \
   enum tg_result virgl_bind_##id(const struct virgl_call *call, void *thing);
#include "virgl/objects.def"

#define VIRGL_COMMAND(number, NAME, id, least, unit)                           \
   enum tg_result virgl_do_##id(const struct virgl_call *call);
#include "virgl/commands.def"

#endif
