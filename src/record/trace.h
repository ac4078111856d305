/* SPDX-License-Identifier: MIT
 *
 * The printer of recordings.
 */
#ifndef RECORD_TRACE_H
#define RECORD_TRACE_H

#include "record/reader.h"
#include "util/strbuf.h"

struct record_trace_options {
   /* A shader that has come whole, as the client sent it: its handle, its stage
    * ("FRAG", or a number), its text. Or NULL. */
   void (*shader)(void *user, uint32_t handle, const char *stage,
                  const char *text, size_t length);
   /* Text that is complete up to here, to be taken by tg_strbuf_take() or left;
    * false ends the trace. Or NULL. */
   bool (*flush)(void *user, struct tg_strbuf *out);
   void *user;
   bool has_frames;                  /* only these: */
   uint64_t first_frame, last_frame; /* from 0 */
};

/* Prints a recording to `out`: a line a chunk, with what it has of commands
 * after it, a line each and shaders as text. Ends with the recording, or with
 * what is wrong with it, which the reader has. False: flush() said so, or
 * memory ran out. */
bool
record_trace(struct record_reader *reader,
             const struct record_trace_options *options, struct tg_strbuf *out);

#endif
