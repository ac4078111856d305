/* SPDX-License-Identifier: MIT
 *
 * The writer: an observer that writes a chunk for each call. A chunk is written
 * in one piece; one that does not fit on the disk is cut off again.
 */
#include "record/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record/format.h"

/* Room for the last chunk. */
enum { END_BYTES = sizeof(struct record_chunk_head) + sizeof(uint32_t) };

static void
end_with(struct record_writer *writer, const char *why)
{
   char line[160];

   writer->is_over = true;
   snprintf(line, sizeof(line), "the recording ends after %llu bytes: %s",
            (unsigned long long)writer->num_bytes, why);
   if (writer->options.log)
      writer->options.log(writer->options.user, line);
}

static bool
write_pieces(int file, struct iovec *pieces, int count)
{
   while (count) {
      ssize_t written = writev(file, pieces, count);

      if (written < 0 && errno == EINTR)
         continue;
      if (written < 0)
         return false;
      for (; count && (size_t)written >= pieces->iov_len; pieces++, count--)
         written -= (ssize_t)pieces->iov_len;
      if (count) {
         pieces->iov_base = (char *)pieces->iov_base + written;
         pieces->iov_len -= (size_t)written;
      }
   }
   return true;
}

/* A chunk whose bytes come in two pieces. */
static void
write_chunk(struct record_writer *writer, enum record_kind kind,
            const void *first, uint64_t num_first, const void *rest,
            uint64_t num_rest)
{
   assert(kind < RECORD_NUM_KINDS);
   struct record_chunk_head head = {
      .kind = kind,
      .num_bytes = num_first + num_rest,
      .checksum = record_checksum(writer->num_chunks, kind, first, num_first,
                                  rest, num_rest),
   };
   struct iovec pieces[3] = {
      {&head, sizeof(head)},
      {(void *)(uintptr_t)first, num_first},
      {(void *)(uintptr_t)rest, num_rest},
   };

   if (!write_pieces(writer->options.file, pieces, 3)) {
      const int error = errno;

      /* On a pipe there is no way back. */
      if (ftruncate(writer->options.file, (off_t)writer->num_bytes) == 0)
         lseek(writer->options.file, (off_t)writer->num_bytes, SEEK_SET);
      end_with(writer, strerror(error));
      return;
   }
   writer->num_chunks++;
   writer->num_bytes += sizeof(head) + head.num_bytes;
}

static void
write_end(struct record_writer *writer, enum record_end end)
{
   const uint32_t reason = end;

   write_chunk(writer, RECORD_END, &reason, sizeof(reason), NULL, 0);
}

static void
add_chunk(struct record_writer *writer, enum record_kind kind,
          const void *first, uint64_t num_first, const void *rest,
          uint64_t num_rest)
{
   assert(!num_rest || rest);
   const uint64_t most = writer->options.max_bytes;
   const uint64_t wanted =
      sizeof(struct record_chunk_head) + num_first + num_rest + END_BYTES;

   if (writer->is_over)
      return;
   if (!most ||
       (writer->num_bytes <= most && wanted <= most - writer->num_bytes)) {
      write_chunk(writer, kind, first, num_first, rest, num_rest);
      return;
   }
   write_end(writer, RECORD_END_SIZE);
   if (!writer->is_over)
      end_with(writer, "it has its greatest size");
}

/* ---- the observer -------------------------------------------------------- */

static void
add_create(void *user, uint32_t handle, const struct virgl_resource_desc *desc,
           uint64_t num_bytes)
{
   const struct record_create create = {
      .handle = handle,
      .desc = {desc->target, desc->format, desc->bind, desc->width,
               desc->height, desc->depth, desc->array_size, desc->last_level,
               desc->num_samples},
      .num_shared_bytes = num_bytes,
   };

   add_chunk(user, RECORD_CREATE, &create, sizeof(create), NULL, 0);
}

static void
add_destroy(void *user, uint32_t handle)
{
   add_chunk(user, RECORD_DESTROY, &handle, sizeof(handle), NULL, 0);
}

static struct record_transfer
pack_transfer(const struct virgl_transfer *transfer, bool is_data)
{
   const struct virgl_box *box = &transfer->box;

   return (struct record_transfer){
      .handle = transfer->handle,
      .level = transfer->level,
      .box = {box->x, box->y, box->z, box->width, box->height, box->depth},
      .stride = transfer->stride,
      .layer_stride = transfer->layer_stride,
      .offset = transfer->offset,
      .flags = is_data ? RECORD_IS_DATA : 0,
   };
}

static void
add_put(void *user, const struct virgl_transfer *transfer, const void *data,
        uint64_t num_bytes)
{
   const struct record_transfer packed = pack_transfer(transfer, data != NULL);

   add_chunk(user, RECORD_PUT, &packed, sizeof(packed), data,
             data ? num_bytes : 0);
}

/* From the first to the last. */
static uint64_t
count_bytes(const struct virgl_rows *rows)
{
   if (!rows->num_rows || !rows->num_slices)
      return 0;
   return (rows->num_slices - 1) * rows->layer_stride +
          (rows->num_rows - 1) * rows->stride + rows->row_bytes;
}

static void
add_get(void *user, const struct virgl_transfer *transfer, bool is_data,
        bool is_command, const struct virgl_rows *rows)
{
   struct record_transfer packed = pack_transfer(transfer, is_data);

   if (is_command)
      packed.flags |= RECORD_IS_COMMAND;
   packed.checksum = record_checksum_rows(rows);
   packed.num_bytes = count_bytes(rows);
   add_chunk(user, RECORD_GET, &packed, sizeof(packed), NULL, 0);
}

static void
add_submit(void *user, const uint32_t *words, size_t num_words)
{
   add_chunk(user, RECORD_SUBMIT, words, num_words * sizeof(*words), NULL, 0);
}

static void
add_wait(void *user)
{
   add_chunk(user, RECORD_WAIT, NULL, 0, NULL, 0);
}

/* The client may write meanwhile: what is recorded and what is used are one
 * copy. */
static const void *
copy_shared(void *user, const void *bytes, uint64_t num_bytes)
{
   struct record_writer *writer = user;

   if (writer->is_over)
      return bytes;
   if (num_bytes > writer->copy_size) {
      void *copy = realloc(writer->copy, num_bytes);

      if (!copy) {
         write_end(writer, RECORD_END_TROUBLE);
         if (!writer->is_over)
            end_with(writer, "no memory for a copy of shared memory");
         return bytes;
      }
      writer->copy = copy;
      writer->copy_size = num_bytes;
   }
   if (num_bytes)
      memcpy(writer->copy, bytes, num_bytes);
   add_chunk(writer, RECORD_SHARED, writer->copy, num_bytes, NULL, 0);
   return writer->copy;
}

/* ---- the file ------------------------------------------------------------ */

void
record_writer_init(struct record_writer *writer,
                   const struct record_writer_options *options)
{
   struct record_head head = {.version = RECORD_VERSION};
   const struct record_session session = {
      .max_gl_version = options->max_gl_version,
      .flags =
         options->exact_index_offsets ? RECORD_HAS_EXACT_INDEX_OFFSETS : 0,
   };
   const char *version = tg_version_string();
   struct iovec piece = {&head, sizeof(head)};

   *writer = (struct record_writer){
      .options = *options,
      .observer = {writer, add_create, add_destroy, add_put, add_submit,
                   add_wait, copy_shared, add_get},
   };
   memcpy(head.magic, RECORD_MAGIC, sizeof(head.magic));
   if (!write_pieces(options->file, &piece, 1)) {
      end_with(writer, strerror(errno));
      return;
   }
   writer->num_bytes = sizeof(head);
   add_chunk(writer, RECORD_SESSION, &session, sizeof(session), version,
             strlen(version));
}

void
record_writer_finish(struct record_writer *writer)
{
   if (!writer->is_over)
      write_end(writer, RECORD_END_CLIENT);
   writer->is_over = true;
   free(writer->copy);
   writer->copy = NULL;
}
