/* SPDX-License-Identifier: MIT
 *
 * A host of the virgl protocol: what Mesa's virgl driver sends, resources and
 * a stream of commands, becomes calls of Tungsten's public API. A transport,
 * which has the socket or the virtual device, creates a host for each client,
 * and hands on what comes.
 *
 * Everything a client sends is hostile: handles, sizes, words of commands, and
 * memory that it shares, which it may write at any time. What cannot be done is
 * written to the log in one line, and left out; only commands that are cut off
 * end a client.
 *
 * A host is used by one thread at a time.
 */
#ifndef VIRGL_VIRGL_H
#define VIRGL_VIRGL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/gpu.h"

struct virgl_host;

struct virgl_observer;

struct virgl_host_options {
   struct tg_device *device; /* it must outlive the host */
   unsigned max_gl_version;  /* that is advertised: 330 for 3.3; 0: the most */
   /* Offsets of index buffers lead to the first index of each draw; false: they
    * are mended where Mesa 22.3 sends others. */
   bool exact_index_offsets;
   uint32_t max_objects;    /* of all sub-contexts; 0: 2^20 */
   double max_call_seconds; /* of a draw, a blit, a dispatch; 0: 10 */
   uint32_t max_log_lines;  /* more are left out, and it is said; 0: 1,000 */
   /* A line of the log, without its end: control characters of the client are
    * left out. May be NULL. */
   void (*log)(void *user, const char *line);
   void *user;
   /* Sees what the client sends; it must outlive the host. NULL: nobody does.
    */
   const struct virgl_observer *observer;
};

/* Creates a host for one client. Copies the options. TG_ERROR_MEMORY. */
enum tg_result
virgl_host_create(const struct virgl_host_options *options,
                  struct virgl_host **host_out);

/* Ends all work, and releases all memory. Takes NULL. */
void
virgl_host_destroy(struct virgl_host *host);

/* ---- capabilities -------------------------------------------------------- */

enum {
   VIRGL_CAPSET1_BYTES = 308,
   VIRGL_CAPSET2_BYTES = 1376,
};

/* Writes capability set 1 or 2, of as many bytes; both are made from the
 * device's capabilities. Without memory that resources share with the client,
 * what it looks for there alone is not offered: GET_MEMORY_INFO. */
void
virgl_host_get_capset(const struct virgl_host *host, unsigned version,
                      bool shares_memory, unsigned char *bytes_out);

/* ---- resources ----------------------------------------------------------- */

/* As clients ask for it; the numbers are those of the wire. */
struct virgl_resource_desc {
   uint32_t target, format, bind;
   uint32_t width, height, depth;
   uint32_t array_size, last_level, num_samples;
};

/* Bytes of the memory that a client shares for it: all levels, one after the
 * other, without gaps; 0 with several samples. False when there can be no such
 * resource. */
bool
virgl_layout_count_bytes(const struct virgl_resource_desc *desc,
                         uint64_t *num_bytes_out);

/* Memory that is shared with the client. */
struct virgl_memory {
   void *address;
   uint64_t num_bytes;
   /* Called once, by any thread, when the host needs it no more. NULL: nobody
    * is. */
   void (*release)(void *user);
   void *user;
   /* Makes what is at `address` memory that is not shared any more, with the
    * same contents, and returns another address of what is; NULL, and nothing
    * has changed, without memory. Called once at most, by the thread that calls
    * the host. With it, a render target may live in the memory until the client
    * uploads to it; NULL: none does. */
   void *(*make_private)(void *user);
};

/* Creates a resource, whose contents are all zero. `memory` may be NULL, and is
 * released after an error, too. TG_ERROR_INPUT, with a line in the log, for
 * handle 0, one that is in use, and what cannot be; TG_ERROR_UNSUPPORTED,
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
virgl_host_create_resource(struct virgl_host *host, uint32_t handle,
                           const struct virgl_resource_desc *desc,
                           const struct virgl_memory *memory);

/* Destroys a resource; what uses it goes on. Unknown handles do nothing. */
void
virgl_host_destroy_resource(struct virgl_host *host, uint32_t handle);

/* A box of a level: signed, as the wire has it; depth counts slices. */
struct virgl_box {
   int32_t x, y, z, width, height, depth;
};

/* `offset` is where the box begins in the memory, strides are bytes from row of
 * blocks to row, and from slice to slice, 0 for those of the level. */
struct virgl_transfer {
   uint32_t handle, level;
   struct virgl_box box;
   uint32_t stride, layer_stride;
   uint64_t offset;
};

/* Copies texels into a resource, or out of it, in the order of the commands:
 * from and to `data`, or its shared memory for NULL. TG_ERROR_INPUT, with a
 * line in the log, when the box is not in the level or the memory;
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. Then nothing was copied. */
enum tg_result
virgl_host_transfer_put(struct virgl_host *host,
                        const struct virgl_transfer *transfer, const void *data,
                        uint64_t num_bytes);
enum tg_result
virgl_host_transfer_get(struct virgl_host *host,
                        const struct virgl_transfer *transfer, void *data,
                        uint64_t num_bytes);

/* Is this read-back one of a frame, what a client shows? All of level 0 of a 2D
 * texture of this description, one slice, which was created to be displayed and
 * has texels, not compressed blocks. */
bool
virgl_transfer_is_frame(const struct virgl_resource_desc *desc,
                        const struct virgl_transfer *transfer);

struct virgl_frame {
   uint32_t format; /* as in tungsten/resource.h */
   uint32_t width, height;
   uint64_t stride;    /* bytes from row to row, as the client chose them: rows
                        * may overlap; row 0 is the top */
   const void *pixels; /* the memory that it was read to */
};

/* Was what virgl_host_transfer_get() has just done, with these arguments, of a
 * frame? */
bool
virgl_host_find_frame(struct virgl_host *host,
                      const struct virgl_transfer *transfer, void *data,
                      uint64_t num_bytes, struct virgl_frame *frame_out);

/* ---- commands ------------------------------------------------------------ */

/* Executes a command buffer, which is read once. TG_ERROR_INPUT, with a line in
 * the log, when one is cut off or too short: the client is to be ended.
 * TG_ERROR_MEMORY. What else goes wrong is left out. */
enum tg_result
virgl_host_submit(struct virgl_host *host, const uint32_t *words,
                  size_t num_words);

/* Has `look` called now and then between the commands of a buffer, unless there
 * is an observer: what a client waits for while its commands are done need not
 * wait for them. It may create resources, and ask whether they are unused.
 * NULL: nothing is called. */
void
virgl_host_set_look(struct virgl_host *host, void (*look)(void *user),
                    void *user);

/* Is a resource, which is no fence, used by nothing that was sent so far? One
 * that may be counts as used: commands that are still to be done use it where a
 * word of theirs is its number. Begins nothing. */
bool
virgl_host_is_unused(struct virgl_host *host, uint32_t handle);

/* Is work unfinished of what was sent before a fence was made, or of what uses
 * another resource; or any, if there is no such resource? Begins it. */
bool
virgl_host_is_busy(struct virgl_host *host, uint32_t handle);

/* Waits for the work that virgl_host_is_busy() asks about; results of queries
 * are in shared memory then. */
void
virgl_host_wait(struct virgl_host *host, uint32_t handle);

/* Takes part in the work for as long as `goes_on` says, which is asked now and
 * then, and there is some that nobody has begun. It must not call the host. */
void
virgl_host_help(struct virgl_host *host, bool (*goes_on)(void *user),
                void *user);

/* ---- observers ----------------------------------------------------------- */

/* Rows of texels that were read back. */
struct virgl_rows {
   const unsigned char *first;
   uint64_t row_bytes;            /* that were written */
   uint64_t stride, layer_stride; /* bytes */
   uint32_t num_rows, num_slices;
};

/* What a client makes a host do: with the same calls, and the same bytes from
 * read_shared(), another host draws the same. Called by the thread that calls
 * the host; no pointer is good after a call. */
struct virgl_observer {
   void *user;
   /* The functions of the same names begin. `num_bytes` is of the memory that
    * is shared; `data` NULL is that memory. */
   void (*create_resource)(void *user, uint32_t handle,
                           const struct virgl_resource_desc *desc,
                           uint64_t num_bytes);
   void (*destroy_resource)(void *user, uint32_t handle);
   void (*put)(void *user, const struct virgl_transfer *transfer,
               const void *data, uint64_t num_bytes);
   void (*submit)(void *user, const uint32_t *words, size_t num_words);
   void (*wait)(void *user);
   /* Shared memory is read, by put() or a command: returns as many bytes, which
    * are used for those, and are good until the next call. */
   const void *(*read_shared)(void *user, const void *bytes,
                              uint64_t num_bytes);
   /* Texels were read back, by virgl_host_transfer_get() to data or shared
    * memory, or by a command. */
   void (*get)(void *user, const struct virgl_transfer *transfer, bool is_data,
               bool is_command, const struct virgl_rows *rows);
};

/* ---- what was done ------------------------------------------------------- */

/* Statistics of all sub-contexts, also those that are gone. */
void
virgl_host_get_statistics(const struct virgl_host *host,
                          struct tg_context_statistics *statistics_out);

#endif
