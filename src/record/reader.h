/* SPDX-License-Identifier: MIT
 *
 * The reader of recordings, chunk by chunk. Nothing of the file is trusted: a
 * chunk is whole, of a size that its kind has, and what was written, or the
 * recording ends there.
 */
#ifndef RECORD_READER_H
#define RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/format.h"

/* Good until the next one is read. */
struct record_chunk {
   enum record_kind kind;
   uint64_t number;   /* from 0 */
   uint64_t position; /* byte of the file at which it begins */
   const void *bytes; /* aligned for any number */
   uint64_t num_bytes;
};

struct record_reader {
   int file;           /* stays the caller's */
   uint64_t file_size; /* at the beginning */
   uint64_t position, num_chunks;
   void *bytes;
   size_t bytes_size;
   bool is_over;
   char fault[160]; /* what is wrong with the file; empty: nothing */
};

/* Begins reading a recording: a regular file, from its first byte. False with a
 * fault when it is no recording, or one of another version; it is to be
 * finished all the same. */
bool
record_reader_init(struct record_reader *reader, int file);

void
record_reader_finish(struct record_reader *reader);

/* Reads the next chunk. False at the end, also one that is a fault. The last
 * chunk is END, unless the recording was cut off, which is a fault. */
bool
record_reader_next(struct record_reader *reader, struct record_chunk *chunk);

/* The bytes of the last chunk are the caller's from now on, to be freed with
 * free(). */
void *
record_reader_take_bytes(struct record_reader *reader);

/* The name of a kind of chunk, "SUBMIT"; NULL for a number that is none. */
const char *
record_reader_kind_name(uint32_t kind);

#endif
