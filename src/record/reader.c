/* SPDX-License-Identifier: MIT
 *
 * The reader: chunks from a file, each checked before it is returned.
 */
#include "record/reader.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct row {
   const char *name;
   uint64_t least, greatest;
} rows[RECORD_NUM_KINDS] = {
#define RECORD_CHUNK(number, NAME, least, greatest)                            \
   [RECORD_##NAME] = {#NAME, least, greatest},
#include "record/chunks.def"
};

const char *
record_reader_kind_name(uint32_t kind)
{
   return kind < RECORD_NUM_KINDS ? rows[kind].name : NULL;
}

static bool
fail(struct record_reader *reader, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

static bool
fail(struct record_reader *reader, const char *format, ...)
{
   const int length = snprintf(reader->fault, sizeof(reader->fault),
                               "chunk %" PRIu64 ", byte %" PRIu64 ": ",
                               reader->num_chunks, reader->position);
   va_list args;

   va_start(args, format);
   vsnprintf(reader->fault + length, sizeof(reader->fault) - (size_t)length,
             format, args);
   va_end(args);
   reader->is_over = true;
   return false;
}

/* All bytes of a place; false with a fault. */
static bool
read_at(struct record_reader *reader, uint64_t position, void *bytes,
        uint64_t num_bytes)
{
   for (uint64_t done = 0; done < num_bytes;) {
      const ssize_t count = pread(reader->file, (char *)bytes + done,
                                  num_bytes - done, (off_t)(position + done));

      if (count < 0 && errno == EINTR)
         continue;
      if (count < 0)
         return fail(reader, "%s", strerror(errno));
      if (count == 0)
         return fail(reader, "the file ends here");
      done += (uint64_t)count;
   }
   return true;
}

bool
record_reader_init(struct record_reader *reader, int file)
{
   struct record_head head;
   struct stat status;

   *reader = (struct record_reader){.file = file};
   if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
      return fail(reader, "this is no regular file");
   reader->file_size = (uint64_t)status.st_size;
   if (reader->file_size < sizeof(head))
      return fail(reader, "this is no recording");
   if (!read_at(reader, 0, &head, sizeof(head)))
      return false;
   if (memcmp(head.magic, RECORD_MAGIC, sizeof(head.magic)) != 0)
      return fail(reader, "this is no recording");
   if (head.version != RECORD_VERSION || head.reserved)
      return fail(reader, "a recording of version %" PRIu32 ", not %d",
                  head.version, RECORD_VERSION);
   reader->position = sizeof(head);
   return true;
}

void
record_reader_finish(struct record_reader *reader)
{
   free(reader->bytes);
   reader->bytes = NULL;
}

static bool
check_head(struct record_reader *reader, const struct record_chunk_head *head)
{
   const char *name = record_reader_kind_name(head->kind);
   const uint64_t left = reader->file_size - reader->position - sizeof(*head);

   if (!name || head->reserved)
      return fail(reader, "there is no kind %" PRIu32, head->kind);
   if (head->num_bytes < rows[head->kind].least ||
       head->num_bytes > rows[head->kind].greatest)
      return fail(reader, "%s of %" PRIu64 " bytes", name, head->num_bytes);
   if (head->num_bytes > left)
      return fail(reader,
                  "%s is cut off after %" PRIu64 " of %" PRIu64 " bytes", name,
                  left, head->num_bytes);
   if ((head->kind == RECORD_SESSION) != (reader->num_chunks == 0))
      return fail(reader, "%s is not in its place", name);
   if (head->kind == RECORD_END && head->num_bytes != left)
      return fail(reader, "END precedes the end of the file");
   if (head->kind == RECORD_SUBMIT && head->num_bytes % sizeof(uint32_t))
      return fail(reader, "SUBMIT ends within a word");
   return true;
}

static bool
is_transfer_known(enum record_kind kind, const struct record_transfer *transfer)
{
   assert(kind == RECORD_PUT || kind == RECORD_GET);
   const uint32_t flags =
      kind == RECORD_GET ? RECORD_IS_DATA | RECORD_IS_COMMAND : RECORD_IS_DATA;

   return !transfer->reserved && !(transfer->flags & ~flags);
}

/* Of a PUT the data are those after it, and nothing is read. */
static bool
is_put_known(const struct record_transfer *put, uint64_t num_bytes)
{
   return is_transfer_known(RECORD_PUT, put) && !put->checksum &&
          !put->num_bytes &&
          (put->flags & RECORD_IS_DATA || num_bytes == sizeof(*put));
}

static bool
is_known(enum record_kind kind, const void *bytes, uint64_t num_bytes)
{
   switch (kind) {
   case RECORD_SESSION:
      return ((const struct record_session *)bytes)->flags <=
             RECORD_HAS_EXACT_INDEX_OFFSETS;
   case RECORD_PUT: return is_put_known(bytes, num_bytes);
   case RECORD_GET: return is_transfer_known(kind, bytes);
   case RECORD_END: return *(const uint32_t *)bytes <= RECORD_END_TROUBLE;
   default: return true;
   }
}

/* Is a whole chunk what was written, and of this version of the format? */
static bool
check_bytes(struct record_reader *reader, const struct record_chunk_head *head)
{
   const char *name = record_reader_kind_name(head->kind);

   if (record_checksum(reader->num_chunks, head->kind, reader->bytes,
                       head->num_bytes, NULL, 0) != head->checksum)
      return fail(reader, "%s is damaged", name);
   if (!is_known((enum record_kind)head->kind, reader->bytes, head->num_bytes))
      return fail(reader, "%s has a field of an unknown value", name);
   return true;
}

void *
record_reader_take_bytes(struct record_reader *reader)
{
   void *bytes = reader->bytes;

   reader->bytes = NULL;
   reader->bytes_size = 0;
   return bytes;
}

static bool
reserve(struct record_reader *reader, uint64_t num_bytes)
{
   if (num_bytes <= reader->bytes_size)
      return true;
   void *bytes = realloc(reader->bytes, num_bytes);
   if (!bytes)
      return fail(reader, "no memory for %" PRIu64 " bytes", num_bytes);
   reader->bytes = bytes;
   reader->bytes_size = num_bytes;
   return true;
}

bool
record_reader_next(struct record_reader *reader, struct record_chunk *chunk)
{
   struct record_chunk_head head;

   if (reader->is_over)
      return false;
   if (reader->file_size - reader->position < sizeof(head))
      return fail(reader, "the recording was cut off");
   if (!read_at(reader, reader->position, &head, sizeof(head)) ||
       !check_head(reader, &head) || !reserve(reader, head.num_bytes) ||
       !read_at(reader, reader->position + sizeof(head), reader->bytes,
                head.num_bytes) ||
       !check_bytes(reader, &head))
      return false;
   *chunk = (struct record_chunk){
      .kind = (enum record_kind)head.kind,
      .number = reader->num_chunks,
      .position = reader->position,
      .bytes = reader->bytes,
      .num_bytes = head.num_bytes,
   };
   reader->position += sizeof(head) + head.num_bytes;
   reader->num_chunks++;
   reader->is_over = head.kind == RECORD_END;
   return true;
}
