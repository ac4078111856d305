/* SPDX-License-Identifier: MIT
 *
 * Recordings: bytes are a file, once as they are, and once with checksums that
 * are right, so that what is wrong reaches those who use the chunks. It is
 * printed and played; text is of lines and printable, and a fault is one line.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_device.h"
#include "record/player.h"
#include "record/reader.h"
#include "record/trace.h"

enum { MAX_SHARED = 4 << 20, MAX_FRAMES = 64 };

static int file = -1;

/* ---- the file ------------------------------------------------------------ */

static void
fill_file(const uint8_t *data, size_t size)
{
   if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
      abort();
}

/* As far as chunks can be followed. */
static void
correct_checksums(uint8_t *data, size_t size)
{
   size_t position = sizeof(struct record_head);
   struct record_chunk_head head;

   for (uint64_t number = 0; position < size && size - position >= sizeof(head);
        number++) {
      uint8_t *at = data + position;

      memcpy(&head, at, sizeof(head));
      if (head.num_bytes > size - position - sizeof(head))
         return;
      head.checksum = record_checksum(number, head.kind, at + sizeof(head),
                                      head.num_bytes, NULL, 0);
      memcpy(at, &head, sizeof(head));
      position += sizeof(head) + head.num_bytes;
   }
}

/* ---- what must hold ------------------------------------------------------ */

static void
check_line(const char *line)
{
   for (; *line; line++) {
      if ((unsigned char)*line < ' ')
         abort();
   }
}

static void
check_text(const char *text, size_t length)
{
   for (size_t i = 0; i < length; i++) {
      if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
         abort();
   }
}

static void
check_shader(void *user, uint32_t handle, const char *stage, const char *text,
             size_t length)
{
   (void)user;
   (void)handle;
   check_line(stage);
   if (strlen(text) != length)
      abort();
   check_text(text, length);
}

static bool
check_and_drop(void *user, struct tg_strbuf *out)
{
   (void)user;
   check_text(out->data ? out->data : "", out->length);
   tg_strbuf_finish(out);
   return true;
}

/* How many chunks could be read. */
static uint64_t
trace(void)
{
   const struct record_trace_options options = {.shader = check_shader,
                                                .flush = check_and_drop};
   struct record_reader reader;
   struct tg_strbuf out = {0};

   if (record_reader_init(&reader, file))
      record_trace(&reader, &options, &out);
   check_line(reader.fault);
   tg_strbuf_finish(&out);
   record_reader_finish(&reader);
   return reader.num_chunks;
}

static bool
take_frame(void *user, uint64_t number, uint64_t checksum,
           const struct virgl_frame *frame)
{
   const uint64_t row_bytes =
      (uint64_t)frame->width * tg_format_get_block(frame->format).bytes;
   const struct virgl_rows rows = {
      .first = frame->pixels,
      .row_bytes = row_bytes,
      .stride = frame->stride,
      .num_rows = frame->height,
      .num_slices = 1,
   };
   (void)user;

   if (record_checksum_rows(&rows) != checksum)
      abort();
   return number < MAX_FRAMES;
}

static void
take_log(void *user, const char *line)
{
   (void)user;
   check_line(line);
}

static uint64_t
play(void)
{
   const struct record_play_options options = {
      .device = fuzz_device(),
      .max_shared = MAX_SHARED,
      .max_call_seconds = 0.02,
      .log = take_log,
      .frame = take_frame,
   };
   struct record_results results = {0};
   struct record_reader reader;

   if (record_reader_init(&reader, file))
      record_play(&reader, &options, &results);
   check_line(reader.fault);
   record_reader_finish(&reader);
   if (results.frames_different > results.frames ||
       results.reads_different > results.reads)
      abort();
   return reader.num_chunks;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (file < 0)
      file = memfd_create("recording", 0);
   fill_file(data, size);
   trace();
   uint8_t *corrected = malloc(size + 1);
   if (!corrected)
      abort();
   memcpy(corrected, data, size);
   correct_checksums(corrected, size);
   fill_file(corrected, size);
   free(corrected);
   if (play() > trace())
      abort();
   return 0;
}
