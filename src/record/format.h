/* SPDX-License-Identifier: MIT
 *
 * The file format of recordings, which docs/record.md describes: a head, and
 * chunks. Numbers are little-endian, as the machines are that Tungsten runs on.
 */
#ifndef RECORD_FORMAT_H
#define RECORD_FORMAT_H

#include <stdint.h>

#include "virgl/virgl.h"

#define RECORD_MAGIC "\x89TGVIRGL"

enum { RECORD_VERSION = 1 };

struct record_head {
   char magic[8];
   uint32_t version, reserved;
};

/* By the numbers of the file; the rows of chunks.def. */
enum record_kind {
#define RECORD_CHUNK(number, NAME, least, greatest) RECORD_##NAME = (number),
#include "record/chunks.def"
   RECORD_NUM_KINDS,
};

/* What precedes the bytes of a chunk. */
struct record_chunk_head {
   uint32_t kind, reserved;
   uint64_t num_bytes;
   uint64_t checksum; /* record_checksum() */
};

/* The checksum of a chunk: XXH64 of the chunk's number from 0, of kind and
 * size, and of the bytes, which may come in two pieces. */
uint64_t
record_checksum(uint64_t number, uint32_t kind, const void *first,
                uint64_t num_first, const void *rest, uint64_t num_rest);

/* The checksum of a read-back: XXH64 of the texels of rows, without what is
 * between them. */
uint64_t
record_checksum_rows(const struct virgl_rows *rows);

/* ---- the bytes of chunks ------------------------------------------------- */

/* SESSION: then the version of Tungsten that recorded it, as text. */
struct record_session {
   uint32_t max_gl_version; /* that was advertised at most; 0: all */
   uint32_t flags;
};

enum {
   RECORD_HAS_EXACT_INDEX_OFFSETS = 1, /* see struct virgl_host_options */
};

struct record_create {
   uint32_t handle;
   uint32_t desc[9]; /* in the order of struct virgl_resource_desc */
   uint64_t num_shared_bytes;
};

enum {
   RECORD_IS_DATA = 1,    /* not shared memory: of PUT the data follow */
   RECORD_IS_COMMAND = 2, /* of GET: by a command, not the client */
};

struct record_transfer {
   uint32_t handle, level;
   int32_t box[6]; /* x, y, z, width, height, depth */
   uint32_t stride, layer_stride;
   uint64_t offset;
   uint32_t flags, reserved;
   /* Of GET: record_checksum_rows(), and bytes up to the last of these. */
   uint64_t checksum, num_bytes;
};

struct virgl_resource_desc
record_format_unpack_desc(const struct record_create *create);

struct virgl_transfer
record_format_unpack_transfer(const struct record_transfer *packed);

/* END: why the recording is at its end. */
enum record_end {
   RECORD_END_CLIENT,  /* the client has gone, or was ended */
   RECORD_END_SIZE,    /* it would have become too large */
   RECORD_END_TROUBLE, /* memory ran out */
};

#endif
