/* SPDX-License-Identifier: MIT
 *
 * Hazards (RAW, WAR, WAW): which memory the scenes that are not done yet read
 * or write, so that an immediate access waits for those alone. Only the API
 * thread is here.
 */
#ifndef TG_GPU_USES_H
#define TG_GPU_USES_H

#include "resource/bindings.h"

struct gpu_fragment_draw;
struct tg_draw_info;
struct tg_context;

enum gpu_access {
   GPU_READS,
   GPU_WRITES, /* and may read */
};

/* Memories in use, some of them by scenes that are done. */
struct gpu_use_list {
   struct gpu_use *uses;
   uint32_t count, capacity;
};

/* What is read is much more than what is written, and reads do not wait for
 * it. */
struct gpu_busy {
   struct gpu_use_list read, written;
};

/* Records that the scene that is being filled, or will be next, uses what the
 * fragments of a draw read and write, or writes a resource. TG_ERROR_MEMORY. */
enum tg_result
gpu_note_uses_of_fragments(struct tg_context *context,
                           const struct gpu_fragment_draw *draw);
enum tg_result
gpu_note_use_of_target(struct tg_context *context,
                       const struct tg_resource *resource);

/* Hazards (RAW, WAR, WAW): waits for the scenes that an immediate access must
 * come after, those that write what it reads and all that use what it writes.
 */
void
gpu_wait_for(struct tg_context *context, const struct tg_resource *resource,
             enum gpu_access access);
/* gpu_wait_for() of some bytes of a buffer. */
void
gpu_wait_for_bytes(struct tg_context *context, const struct tg_resource *buffer,
                   uint32_t offset, uint32_t num_bytes, enum gpu_access access);

/* The number of the last scene that would be waited for; 0 for none. */
uint64_t
gpu_find_use(const struct tg_context *context,
             const struct tg_resource *resource, enum gpu_access access);

uint64_t
gpu_find_use_of_bytes(const struct tg_context *context,
                      const struct tg_resource *buffer, uint32_t offset,
                      uint32_t num_bytes, enum gpu_access access);
/* Of what a shader sees of what is bound, or NULL of all that is. */
uint64_t
gpu_find_use_of_bindings(const struct tg_context *context,
                         const struct tg_bindings *bindings,
                         const struct abi_keys *seen_or_null,
                         enum gpu_access access);

/* Would gpu_wait_for(), or gpu_wait_for_bytes(), wait? */
bool
gpu_has_busy_use(struct tg_context *context, const struct tg_resource *resource,
                 enum gpu_access access);
bool
gpu_has_busy_use_of_bytes(struct tg_context *context,
                          const struct tg_resource *buffer, uint32_t offset,
                          uint32_t num_bytes, enum gpu_access access);

/* Forgets the uses of memory that a buffer was moved out of. */
void
gpu_forget_uses(struct tg_context *context, const struct exec_memory *memory);

/* Does the scene that is being filled read these bytes? */
bool
gpu_has_read_use_of_bytes(struct tg_context *context,
                          const struct tg_resource *buffer, uint32_t offset,
                          uint32_t num_bytes);

/* Records that the scene that is being filled, or will be next, writes these
 * bytes. TG_ERROR_MEMORY. */
enum tg_result
gpu_note_use_of_bytes(struct tg_context *context,
                      const struct tg_resource *buffer, uint32_t offset,
                      uint32_t num_bytes);

/* gpu_wait_for() of all that is bound to a stage. */
void
gpu_wait_for_bindings(struct tg_context *context,
                      const struct tg_bindings *bindings,
                      enum gpu_access access);

/* gpu_wait_for() of what a draw reads and writes before its fragments:
 * vertices, indices, indirect arguments, what is bound to those stages. */
void
gpu_wait_for_geometry(struct tg_context *context,
                      const struct tg_draw_info *info);

/* Decompresses a texture, or NULL, or those that are bound to any stage: all
 * their samples are stored. */
void
gpu_settle_one_color(struct tg_context *context, struct tg_resource *resource);
void
gpu_settle_one_color_of_bindings(struct tg_context *context);

/* Frees the lists of uses. */
void
gpu_uses_finish(struct tg_context *context);

#endif
