/* SPDX-License-Identifier: MIT
 *
 * The writer of recordings of what a client sends.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "virgl/virgl.h"

struct record_writer_options {
   int file;           /* open for writing, and empty; stays the caller's */
   uint64_t max_bytes; /* of the file; 0: any */
   /* As in struct virgl_host_options. */
   uint32_t max_gl_version;
   bool exact_index_offsets;
   /* Why there is no more, in one line; or NULL. */
   void (*log)(void *user, const char *line);
   void *user;
};

struct record_writer {
   struct record_writer_options options;
   struct virgl_observer observer; /* for a host */
   uint64_t num_chunks;
   uint64_t num_bytes; /* of the file, which ends at the end of a chunk */
   void *copy;         /* of shared memory */
   size_t copy_size;
   bool is_over; /* nothing is written any more */
};

/* Begins a recording: each chunk is in it, whole, before the call that it is
 * about is done. What cannot be written is logged, and ends the recording.
 * `writer` must not be moved. */
void
record_writer_init(struct record_writer *writer,
                   const struct record_writer_options *options);

/* Ends a recording. The host must have gone before, or have nothing more to do.
 */
void
record_writer_finish(struct record_writer *writer);

#endif
