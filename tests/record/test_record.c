/* SPDX-License-Identifier: MIT
 *
 * Recordings: a session that is written, read, played and printed; files that
 * are damaged, cut off, too large or made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "record/format.h"
#include "record/player.h"
#include "record/reader.h"
#include "record/trace.h"
#include "record/writer.h"

enum {
   SIZE = 8, /* of the window, pixels each way */
   NUM_TEXELS = SIZE * SIZE,
   WINDOW = FREE,
   TEXTURE,
   BUFFER,
   FORMAT = 67, /* R8G8B8A8_UNORM on the wire */
};

/* ---- a session ----------------------------------------------------------- */

static const char blue[] = "FRAG\n"
                           "DCL OUT[0], COLOR\n"
                           "IMM[0] FLT32 {0, 0, 0x3f800000, 0x3f800000}\n"
                           "  0: MOV OUT[0], IMM[0]\n"
                           "  1: END\n";

static int
make_file(void)
{
   const int file = memfd_create("recording", 0);

   assert_true(file >= 0);
   return file;
}

static void
create_window(struct client *client)
{
   const struct virgl_resource_desc desc = {
      TG_TEXTURE_2D, FORMAT, 0x8a, SIZE, SIZE, 1, 1, 0, 0};

   assert_int_equal(
      virgl_host_create_resource(client->host, WINDOW, &desc, NULL), TG_OK);
   CREATE(client, SURFACE, WINDOW, WINDOW, FORMAT, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, WINDOW);
}

/* Three frames: cleared red, drawn blue, and with a texture in a corner that
 * came through shared memory, which the client changes at once. */
static void
play_client(struct client *client, uint32_t frames[3][NUM_TEXELS],
            uint32_t *shared)
{
   const uint32_t one = client_float(1);

   client_set_up(client, FORMAT, SIZE, SIZE);
   create_window(client);
   COMMAND(client, CLEAR, 4, one, 0, 0, one, 0, 0, 0);
   client_run(client);
   client_get(client, WINDOW, SIZE, SIZE, frames[0], sizeof(frames[0]));
   client_set_fragment_shader(client, blue);
   client_draw(client);
   client_run(client);
   client_get(client, WINDOW, SIZE, SIZE, frames[1], sizeof(frames[1]));
   client_create(client, TEXTURE, TG_TEXTURE_2D, FORMAT, 2, 1, shared);
   shared[0] = 0xff123456;
   shared[1] = 0xff654321;
   COMMAND(client, TRANSFER3D, TEXTURE, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 1);
   client_run(client);
   shared[0] = shared[1] = 0;
   COMMAND(client, RESOURCE_COPY_REGION, WINDOW, 0, 3, 4, 0, TEXTURE, 0, 0, 0,
           0, 2, 1, 1);
   client_run(client);
   client_get(client, WINDOW, SIZE, SIZE, frames[2], sizeof(frames[2]));
   virgl_host_destroy_resource(client->host, TEXTURE);
}

struct session {
   uint32_t frames[3][NUM_TEXELS];
   char line[200]; /* the last that the writer logged */
};

static void
keep_line(void *user, const char *line)
{
   struct session *session = user;

   snprintf(session->line, sizeof(session->line), "%s", line);
}

/* Records it into a file; at most so many bytes, 0: any. */
static void
record(int file, uint64_t max_bytes, struct session *session)
{
   static struct client client;
   static uint32_t shared[2];
   struct record_writer writer;
   const struct record_writer_options options = {
      .file = file,
      .max_bytes = max_bytes,
      .log = keep_line,
      .user = session,
   };

   *session = (struct session){0};
   record_writer_init(&writer, &options);
   client_init_with(&client,
                    (struct virgl_host_options){.observer = &writer.observer});
   play_client(&client, session->frames, shared);
   record_writer_finish(&writer);
   client_finish(&client);
}

/* ---- what is played ------------------------------------------------------ */

struct played {
   uint32_t frames[3][NUM_TEXELS];
   uint64_t checksums[3];
   unsigned count, most;
   struct record_results results;
   char fault[160];
};

static bool
take_frame(void *user, uint64_t number, uint64_t checksum,
           const struct virgl_frame *frame)
{
   struct played *played = user;

   assert_int_equal(number, played->count);
   assert_true(number < 3);
   assert_int_equal(frame->width, SIZE);
   assert_int_equal(frame->height, SIZE);
   assert_int_equal(frame->format, tg_format_number("R8G8B8A8_UNORM"));
   for (unsigned y = 0; y < SIZE; y++)
      memcpy(&played->frames[number][y * SIZE],
             (const char *)frame->pixels + y * frame->stride, SIZE * 4);
   played->checksums[number] = checksum;
   return ++played->count < played->most;
}

static void
play(int file, unsigned num_threads, unsigned most, struct played *played)
{
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   struct record_play_options options = {
      .frame = take_frame, .user = played, .max_shared = 1 << 20};
   struct record_reader reader;

   *played = (struct played){.most = most};
   device_options.num_threads = num_threads;
   assert_int_equal(tg_device_create(NULL, &device_options, &options.device),
                    TG_OK);
   if (record_reader_init(&reader, file))
      assert_int_equal(record_play(&reader, &options, &played->results), TG_OK);
   memcpy(played->fault, reader.fault, sizeof(played->fault));
   record_reader_finish(&reader);
   tg_device_destroy(options.device);
}

/* Red, blue, and two texels of a texture in blue. */
static void
frames_are_the_same(void **state)
{
   static struct session session;
   static struct played played;
   const int file = make_file();
   (void)state;

   record(file, 0, &session);
   assert_string_equal(session.line, "");
   for (unsigned num_threads = 1; num_threads <= 8; num_threads *= 2) {
      play(file, num_threads, 3, &played);
      assert_string_equal(played.fault, "");
      assert_int_equal(played.count, 3);
      assert_int_equal(played.results.frames, 3);
      assert_int_equal(played.results.frames_different, 0);
      assert_memory_equal(played.frames, session.frames, sizeof(played.frames));
   }
   for (unsigned i = 0; i < NUM_TEXELS; i++) {
      assert_int_equal(played.frames[0][i], 0xff0000ff);
      assert_int_equal(played.frames[1][i], 0xffff0000);
      assert_int_equal(played.frames[2][i], i == 4 * SIZE + 3   ? 0xff123456
                                            : i == 4 * SIZE + 4 ? 0xff654321
                                                                : 0xffff0000);
   }
   assert_int_equal(played.results.gpu.draws, 1);
   play(file, 1, 2, &played);
   assert_int_equal(played.count, 2);
   close(file);
}

/* ---- shared memory ------------------------------------------------------- */

static struct record_writer *asked;
static uint32_t raced[2];

/* A client that writes as soon as its memory has been read. */
static const void *
change_at_once(void *user, const void *bytes, uint64_t num_bytes)
{
   const void *used = asked->observer.read_shared(user, bytes, num_bytes);

   raced[0] = raced[1] = 0;
   return used;
}

/* What is drawn with is what was recorded. */
static void
races_are_recorded(void **state)
{
   static struct client client;
   static struct session session;
   static struct played played;
   struct record_writer writer;
   const struct record_writer_options options = {
      .file = make_file(), .log = keep_line, .user = &session};
   (void)state;

   record_writer_init(&writer, &options);
   struct virgl_observer observer = writer.observer;
   observer.read_shared = change_at_once;
   asked = &writer;
   client_init_with(&client,
                    (struct virgl_host_options){.observer = &observer});
   play_client(&client, session.frames, raced);
   record_writer_finish(&writer);
   client_finish(&client);
   assert_int_equal(session.frames[2][4 * SIZE + 3], 0xff123456);
   play(options.file, 1, 3, &played);
   assert_string_equal(played.fault, "");
   assert_memory_equal(played.frames, session.frames, sizeof(played.frames));
   close(options.file);
}

/* What is between rows is not part of their checksum. */
static void
checksums_are_of_texels(void **state)
{
   static const unsigned char packed[] = {1, 2, 3, 4, 5, 6, 7, 8};
   static const unsigned char strided[] = {1, 2, 99, 3, 4, 98, 97,
                                           5, 6, 96, 7, 8, 95};
   struct virgl_rows rows = {packed, 8, 8, 8, 1, 1};
   const uint64_t expected = record_checksum_rows(&rows);
   (void)state;

   rows = (struct virgl_rows){strided, 2, 3, 7, 2, 2};
   assert_true(record_checksum_rows(&rows) == expected);
   rows.row_bytes = 3;
   assert_true(record_checksum_rows(&rows) != expected);
}

/* ---- files --------------------------------------------------------------- */

static unsigned char *
read_file(int file, size_t *size_out)
{
   const off_t size = lseek(file, 0, SEEK_END);
   unsigned char *bytes = malloc((size_t)size);

   assert_non_null(bytes);
   assert_int_equal(pread(file, bytes, (size_t)size, 0), size);
   *size_out = (size_t)size;
   return bytes;
}

/* How many chunks can be read, and what is wrong then. */
static uint64_t
count_chunks(const unsigned char *bytes, size_t size, char fault[160])
{
   const int file = make_file();
   struct record_reader reader;
   struct record_chunk chunk;
   uint64_t count = 0;

   assert_int_equal(write(file, bytes, size), size);
   if (record_reader_init(&reader, file)) {
      while (record_reader_next(&reader, &chunk))
         count++;
   }
   memcpy(fault, reader.fault, sizeof(reader.fault));
   record_reader_finish(&reader);
   close(file);
   return count;
}

/* Wherever a byte is another one, or the file ends: no chunk from there on. */
static void
damage_is_found(void **state)
{
   static struct session session;
   const int file = make_file();
   char fault[160];
   size_t size;
   (void)state;

   record(file, 0, &session);
   unsigned char *bytes = read_file(file, &size);
   const uint64_t count = count_chunks(bytes, size, fault);
   assert_string_equal(fault, "");
   uint64_t before = 0;
   for (size_t i = 0; i < size; i++) {
      bytes[i] ^= 0x10;
      const uint64_t damaged = count_chunks(bytes, size, fault);
      bytes[i] ^= 0x10;
      assert_true(damaged < count);
      assert_true(damaged >= before);
      assert_true(fault[0]);
      before = damaged;
      const uint64_t cut = count_chunks(bytes, i, fault);
      assert_true(cut == damaged || cut + 1 == damaged);
      assert_true(fault[0]);
   }
   assert_int_equal(before, count - 1);
   free(bytes);
   close(file);
}

static void
faults_are_sentences(void **state)
{
   static struct session session;
   const int file = make_file();
   char fault[160];
   size_t size;
   (void)state;

   record(file, 0, &session);
   unsigned char *bytes = read_file(file, &size);
   bytes[8] = 2;
   count_chunks(bytes, size, fault);
   assert_string_equal(fault,
                       "chunk 0, byte 0: a recording of version 2, not 1");
   bytes[8] = 1;
   bytes[0] = 'T';
   count_chunks(bytes, size, fault);
   assert_string_equal(fault, "chunk 0, byte 0: this is no recording");
   bytes[0] = 0x89;
   bytes[16] = 77;
   count_chunks(bytes, size, fault);
   assert_string_equal(fault, "chunk 0, byte 16: there is no kind 77");
   bytes[16] = RECORD_SESSION;
   bytes[16 + 24] ^= 1;
   count_chunks(bytes, size, fault);
   assert_string_equal(fault, "chunk 0, byte 16: SESSION is damaged");
   count_chunks(bytes, 16 + 23, fault);
   assert_string_equal(fault, "chunk 0, byte 16: the recording was cut off");
   free(bytes);
   close(file);
}

/* Of a file that becomes shorter while it is read. */
static void
files_may_shrink(void **state)
{
   static struct session session;
   struct record_reader reader;
   struct record_chunk chunk;
   const int file = make_file();
   (void)state;

   record(file, 0, &session);
   assert_true(record_reader_init(&reader, file));
   assert_int_equal(ftruncate(file, 16 + 24 + 1), 0);
   assert_false(record_reader_next(&reader, &chunk));
   assert_string_equal(reader.fault, "chunk 0, byte 16: the file ends here");
   record_reader_finish(&reader);
   close(file);
}

/* A chunk of which a bit was turned ends the play there. */
static void
all_before_the_damage_is_played(void **state)
{
   static struct session session;
   static struct played played;
   const int file = make_file();
   (void)state;

   record(file, 0, &session);
   const off_t size = lseek(file, 0, SEEK_END);
   assert_int_equal(ftruncate(file, size - 100), 0);
   play(file, 1, 3, &played);
   assert_true(played.count >= 2);
   assert_memory_equal(played.frames, session.frames,
                       played.count * sizeof(played.frames[0]));
   assert_non_null(strstr(played.fault, "cut off"));
   close(file);
}

/* ---- ends ---------------------------------------------------------------- */

/* What the last chunk says. */
static enum record_end
get_end(int file, uint64_t *size_out)
{
   struct record_reader reader;
   struct record_chunk chunk;
   uint32_t end = 77;

   assert_true(record_reader_init(&reader, file));
   while (record_reader_next(&reader, &chunk)) {
      if (chunk.kind == RECORD_END)
         end = *(const uint32_t *)chunk.bytes;
   }
   assert_string_equal(reader.fault, "");
   *size_out = reader.position;
   record_reader_finish(&reader);
   return (enum record_end)end;
}

/* At every size the file is whole, and not larger. */
static void
sizes_are_bounded(void **state)
{
   static struct session session;
   static struct played played;
   uint64_t whole, size;
   (void)state;

   const int file = make_file();
   record(file, 0, &session);
   assert_int_equal(get_end(file, &whole), RECORD_END_CLIENT);
   close(file);
   for (uint64_t most = 100; most <= whole; most += whole / 7) {
      const int small = make_file();

      record(small, most, &session);
      assert_int_equal(get_end(small, &size), RECORD_END_SIZE);
      assert_true(size <= most);
      assert_int_equal(lseek(small, 0, SEEK_END), size);
      assert_non_null(strstr(session.line, "it has its greatest size"));
      play(small, 1, 3, &played);
      assert_string_equal(played.fault, "");
      close(small);
   }
   for (unsigned less = 0; less < 2; less++) {
      const int exact = make_file();

      record(exact, whole - less, &session);
      assert_int_equal(get_end(exact, &size),
                       less ? RECORD_END_SIZE : RECORD_END_CLIENT);
      close(exact);
   }
}

/* In a process of its own, whose files are bounded: what does not fit any more
 * is cut off again, and the client goes on. */
static void
full_disks_end_it(void **state)
{
   static struct session session;
   const int file = make_file();
   const struct rlimit most = {1000, 1000};
   struct record_reader reader;
   struct record_chunk chunk;
   int status;
   (void)state;

   const pid_t process = fork();
   if (process == 0) {
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &most);
      record(file, 0, &session);
      _exit(strstr(session.line, "the recording ends after") &&
                  session.frames[2][0] == 0xffff0000
               ? 0
               : 1);
   }
   assert_int_equal(waitpid(process, &status, 0), process);
   assert_int_equal(status, 0);
   assert_true(record_reader_init(&reader, file));
   while (record_reader_next(&reader, &chunk))
      ;
   assert_int_equal(reader.position, lseek(file, 0, SEEK_END));
   assert_non_null(strstr(reader.fault, "cut off"));
   record_reader_finish(&reader);
   close(file);
}

/* ---- files that are made up ---------------------------------------------- */

struct forger {
   int file;
   uint64_t num_chunks;
};

static void
forge_chunk(struct forger *forger, uint32_t kind, const void *bytes,
            uint64_t num_bytes)
{
   const struct record_chunk_head head = {
      .kind = kind,
      .num_bytes = num_bytes,
      .checksum =
         record_checksum(forger->num_chunks++, kind, bytes, num_bytes, NULL, 0),
   };

   assert_int_equal(write(forger->file, &head, sizeof(head)), sizeof(head));
   assert_int_equal(write(forger->file, bytes, num_bytes), num_bytes);
}

static struct forger
forge_session(uint32_t flags)
{
   struct record_head head = {.version = RECORD_VERSION};
   const struct record_session session = {.flags = flags};
   struct forger forger = {.file = make_file()};

   memcpy(head.magic, RECORD_MAGIC, sizeof(head.magic));
   assert_int_equal(write(forger.file, &head, sizeof(head)), sizeof(head));
   forge_chunk(&forger, RECORD_SESSION, &session, sizeof(session));
   return forger;
}

static struct forger
forge(void)
{
   return forge_session(0);
}

static void
expect_fault(struct forger *forger, const char *fault)
{
   static struct played played;
   const uint32_t end = RECORD_END_CLIENT;

   forge_chunk(forger, RECORD_END, &end, sizeof(end));
   play(forger->file, 1, 3, &played);
   if (fault)
      assert_non_null(strstr(played.fault, fault));
   else
      assert_string_equal(played.fault, "");
   close(forger->file);
}

static void
forgeries_are_refused(void **state)
{
   static const uint32_t word = 0;
   /* COPY_TRANSFER3D and TRANSFER3D of what there is not; a transfer that reads
    * shared memory; a command that is cut off. */
   static const uint32_t upload[] = {
      13 << 16 | 43, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1};
   static const uint32_t broken[] = {20 << 16 | 43, 1};
   const struct record_create create = {
      .handle = 1,
      .desc = {TG_TEXTURE_2D, FORMAT, 0x8a, 1, 1, 1, 1, 0, 0},
      .num_shared_bytes = 4,
   };
   struct record_create huge = create;
   struct record_transfer get = {.handle = 1, .box = {0, 0, 0, 1, 1, 1}};
   struct forger forger = forge();
   (void)state;

   expect_fault(&forger, NULL);
   forger = forge();
   forge_chunk(&forger, RECORD_SHARED, &word, 4);
   expect_fault(&forger, "SHARED without a command that reads it");
   forger = forge();
   huge.num_shared_bytes = UINT64_MAX;
   forge_chunk(&forger, RECORD_CREATE, &huge, sizeof(huge));
   expect_fault(&forger, "no memory for what the client shared");
   forger = forge();
   get.flags = RECORD_IS_COMMAND;
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   expect_fault(&forger, "a GET of a command without it");
   forger = forge();
   get.flags = RECORD_IS_DATA;
   get.num_bytes = UINT64_MAX;
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   expect_fault(&forger, "no memory for what is read back");
   forger = forge();
   forge_chunk(&forger, RECORD_SUBMIT, upload, sizeof(upload));
   forge_chunk(&forger, RECORD_SUBMIT, broken, sizeof(broken));
   forge_chunk(&forger, RECORD_DESTROY, &word, 4);
   get.num_bytes = 3; /* of four */
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   expect_fault(&forger, NULL);
   forger = forge();
   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   forge_chunk(&forger, RECORD_SUBMIT, upload, sizeof(upload));
   forge_chunk(&forger, RECORD_WAIT, NULL, 0);
   expect_fault(&forger, "it is of another kind than what follows here");
   forger = forge();
   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   forge_chunk(&forger, RECORD_SUBMIT, upload, sizeof(upload));
   forge_chunk(&forger, RECORD_SHARED, &word, 3);
   expect_fault(&forger, "SHARED has another size than what is read");
}

/* Of all resources there are together, 1 MiB: see play(). */
static void
shared_memory_is_bounded(void **state)
{
   static const uint32_t handle = 1;
   struct record_create create = {
      .handle = handle,
      .desc = {TG_TEXTURE_2D, FORMAT, 0x8a, 1, 1, 1, 1, 0, 0},
      .num_shared_bytes = 1 << 20,
   };
   struct forger forger = forge();
   (void)state;

   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   forge_chunk(&forger, RECORD_DESTROY, &handle, sizeof(handle));
   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   expect_fault(&forger, NULL);
   forger = forge();
   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   create.handle++;
   create.num_shared_bytes = 1;
   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   expect_fault(&forger, "no memory for what the client shared");
}

/* What this version of the format has no meaning for. */
static void
unknown_fields_are_refused(void **state)
{
   const struct record_transfer plain = {.handle = 1,
                                         .box = {0, 0, 0, 1, 1, 1}};
   struct record_transfer transfer;
   struct {
      struct record_transfer transfer;
      uint32_t texel;
   } put = {.transfer = plain};
   struct forger forger = forge_session(2);
   (void)state;

   expect_fault(&forger, "SESSION has a field of an unknown value");
   for (unsigned i = 0; i < 32; i++) {
      transfer = plain;
      transfer.flags = UINT32_C(1) << i;
      forger = forge();
      forge_chunk(&forger, RECORD_PUT, &transfer, sizeof(transfer));
      expect_fault(&forger, transfer.flags == RECORD_IS_DATA
                               ? NULL
                               : "PUT has a field of an unknown value");
      forger = forge();
      forge_chunk(&forger, RECORD_GET, &transfer, sizeof(transfer));
      expect_fault(&forger, transfer.flags == RECORD_IS_DATA ? NULL
                            : transfer.flags == RECORD_IS_COMMAND
                               ? "a GET of a command without it"
                               : "GET has a field of an unknown value");
   }
   transfer = plain;
   transfer.reserved = 1;
   forger = forge();
   forge_chunk(&forger, RECORD_GET, &transfer, sizeof(transfer));
   expect_fault(&forger, "GET has a field of an unknown value");
   forger = forge();
   forge_chunk(&forger, RECORD_PUT, &put, sizeof(put));
   expect_fault(&forger, "PUT has a field of an unknown value");
   transfer = plain;
   transfer.checksum = 1;
   forger = forge();
   forge_chunk(&forger, RECORD_PUT, &transfer, sizeof(transfer));
   expect_fault(&forger, "PUT has a field of an unknown value");
   transfer = plain;
   transfer.num_bytes = 1;
   forger = forge();
   forge_chunk(&forger, RECORD_PUT, &transfer, sizeof(transfer));
   expect_fault(&forger, "PUT has a field of an unknown value");
}

/* An END of this reason, and then so many bytes. */
static void
expect_end(uint32_t reason, size_t num_bytes, const char *fault)
{
   static struct played played;
   struct forger forger = forge();

   forge_chunk(&forger, RECORD_END, &reason, sizeof(reason));
   assert_int_equal(write(forger.file, "abc", num_bytes), num_bytes);
   play(forger.file, 1, 3, &played);
   if (fault)
      assert_non_null(strstr(played.fault, fault));
   else
      assert_string_equal(played.fault, "");
   close(forger.file);
}

static void
nothing_follows_the_end(void **state)
{
   (void)state;

   expect_end(RECORD_END_CLIENT, 0, NULL);
   expect_end(RECORD_END_TROUBLE, 0, NULL);
   expect_end(RECORD_END_TROUBLE + 1, 0, "END has a field of an unknown value");
   expect_end(RECORD_END_CLIENT, 1, "END precedes the end of the file");
}

/* A frame that is not the recorded one is told. */
static void
differences_are_told(void **state)
{
   static struct played played;
   const struct record_create create = {
      .handle = 1,
      .desc = {TG_TEXTURE_2D, FORMAT, 0x8a, SIZE, SIZE, 1, 1, 0, 0},
   };
   struct record_transfer get = {
      .handle = 1,
      .box = {0, 0, 0, SIZE, SIZE, 1},
      .flags = RECORD_IS_DATA,
      .num_bytes = NUM_TEXELS * 4,
   };
   static const uint32_t black[NUM_TEXELS];
   const struct virgl_rows rows = {
      .first = (const unsigned char *)black,
      .row_bytes = SIZE * 4,
      .stride = SIZE * 4,
      .num_rows = SIZE,
      .num_slices = 1,
   };
   struct forger forger = forge();
   (void)state;

   forge_chunk(&forger, RECORD_CREATE, &create, sizeof(create));
   get.checksum = record_checksum_rows(&rows);
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   get.checksum++;
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   get.box[3] = 1; /* a column, which is no frame */
   forge_chunk(&forger, RECORD_GET, &get, sizeof(get));
   play(forger.file, 1, 3, &played);
   assert_int_equal(played.results.frames, 2);
   assert_int_equal(played.results.frames_different, 1);
   assert_int_equal(played.results.first_different, 1);
   assert_int_equal(played.results.reads, 1);
   assert_int_equal(played.results.reads_different, 1);
   close(forger.file);
}

/* ---- text ---------------------------------------------------------------- */

static unsigned num_shaders;

static void
take_shader(void *user, uint32_t handle, const char *stage, const char *text,
            size_t length)
{
   (void)user;
   if (num_shaders++ == 0)
      return;
   assert_int_equal(handle, 7);
   assert_string_equal(stage, "FRAG");
   assert_int_equal(length, strlen(blue));
   assert_string_equal(text, blue);
}

static char *
trace(int file, const struct record_trace_options *options)
{
   struct record_reader reader;
   struct tg_strbuf out = {0};

   assert_true(record_reader_init(&reader, file));
   assert_true(record_trace(&reader, options, &out));
   assert_string_equal(reader.fault, "");
   record_reader_finish(&reader);
   char *text = tg_strbuf_take(&out);
   assert_non_null(text);
   return text;
}

static void
expect_line(const char *text, const char *line)
{
   if (!text || !strstr(text, line))
      fail_msg("no '%s' in\n%s", line, text ? text : "nothing");
}

static void
sessions_are_readable(void **state)
{
   static struct session session;
   const struct record_trace_options options = {.shader = take_shader};
   const struct record_trace_options second = {
      .has_frames = true, .first_frame = 1, .last_frame = 1};
   const int file = make_file();
   (void)state;

   record(file, 0, &session);
   num_shaders = 0;
   char *text = trace(file, &options);
   assert_int_equal(num_shaders, 2);
   expect_line(text, "CREATE 10 2D R8G8B8A8_UNORM bind=0x8a 8x8x1 layers=1 "
                     "last_level=0 samples=0 shared=0\n");
   expect_line(text, "CLEAR buffers=0x4 r=1 a=1\n");
   expect_line(text, "CREATE_OBJECT DSA handle=2\n");
   expect_line(text, "CREATE_OBJECT BLEND handle=3 target[0]{ "
                     "colormask=0xf }\n");
   expect_line(text, "CREATE_OBJECT RASTERIZER handle=4 depth_clip "
                     "half_pixel_center point_size=1 "
                     "line_stipple_pattern=0xffff line_width=1\n");
   expect_line(text, "SET_VIEWPORT_STATE viewport[0]{ scale.x=4 scale.y=4 "
                     "scale.z=0.5 translate.x=4 translate.y=4 "
                     "translate.z=0.5 }\n");
   expect_line(text, "SET_VERTEX_BUFFERS buffer[0]{ stride=12 resource=2 }\n");
   expect_line(text, "      DCL OUT[0], COLOR\n");
   expect_line(text, "DRAW_VBO count=3 mode=TRIANGLES instance_count=1 "
                     "max_index=0x2 draw=1\n");
   expect_line(text, "TRANSFER3D resource=11 width=2 height=1 depth=1 "
                     "direction=1\nSHARED 8 bytes\n");
   expect_line(text, "RESOURCE_COPY_REGION dst=10 dst_x=3 dst_y=4 src=11 "
                     "width=2 height=1 depth=1\n");
   expect_line(text, " frame=2\nDESTROY 11\nEND the client has gone\n");
   tg_string_free(text);
   /* From the line after frame 0 to that of frame 1. */
   text = trace(file, &second);
   assert_null(strstr(text, "CLEAR"));
   assert_null(strstr(text, "TRANSFER3D"));
   expect_line(text, "DRAW_VBO");
   expect_line(text, " frame=1\n");
   assert_null(strstr(text, " frame=0\n"));
   tg_string_free(text);
   close(file);
}

/* The trace of a shader of 8 bytes that comes in pieces of 4 and 8. */
static void
expect_pieces(uint32_t first, uint32_t second, const char *line)
{
   const uint32_t pieces[] = {
      6 << 16 | VIRGL_OBJECT_SHADER << 8 | VIRGL_CREATE_OBJECT,
      7,
      TG_GPU_FRAGMENT,
      8,
      1,
      0,
      first,
      7 << 16 | VIRGL_OBJECT_SHADER << 8 | VIRGL_CREATE_OBJECT,
      7,
      TG_GPU_FRAGMENT,
      VIRGL_SHADER_IS_LATER_PIECE,
      1,
      0,
      second,
      0x4c4b4a49,
   };
   static const uint32_t end = RECORD_END_CLIENT;
   const struct record_trace_options options = {0};
   struct forger forger = forge();

   forge_chunk(&forger, RECORD_SUBMIT, pieces, sizeof(pieces));
   forge_chunk(&forger, RECORD_END, &end, sizeof(end));
   char *text = trace(forger.file, &options);
   expect_line(text, line);
   tg_string_free(text);
   close(forger.file);
}

/* A text has the size that its first piece says, whatever the others have; and
 * no control character, which may begin in one piece and end in the next. */
static void
texts_come_in_pieces(void **state)
{
   (void)state;
   expect_pieces(0x44434241, 0x48474645, "      ABCDEFGH\n");
   expect_pieces(0xc2090a41, 0x1b47459b, "      A\n      \t??EG?\n");
}

/* A frame that is blue where the offset of the indices is exact, and else red.
 */
static void
index_offsets_are_played_as_recorded(void **state)
{
   static const uint16_t indices[3] = {0, 1, 2};
   static struct client client;
   static struct session session;
   static struct played played;
   const uint32_t one = client_float(1);
   struct record_writer writer;
   const struct record_writer_options options = {.file = make_file(),
                                                 .exact_index_offsets = true,
                                                 .log = keep_line,
                                                 .user = &session};
   (void)state;

   record_writer_init(&writer, &options);
   client_init_with(&client,
                    (struct virgl_host_options){.observer = &writer.observer,
                                                .exact_index_offsets = true});
   client_set_up(&client, FORMAT, SIZE, SIZE);
   create_window(&client);
   COMMAND(&client, CLEAR, 4, one, 0, 0, one, 0, 0, 0);
   client_set_fragment_shader(&client, blue);
   client_create(&client, TEXTURE, TG_TEXTURE_BUFFER, 64, 12, 1, NULL);
   client_put(&client, TEXTURE, 6, 1, indices, 6);
   COMMAND(&client, SET_INDEX_BUFFER, TEXTURE, 2, 0);
   COMMAND(&client, DRAW_VBO, 3, 3, TG_PRIM_TRIANGLES, 1, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
   client_run(&client);
   client_get(&client, WINDOW, SIZE, SIZE, session.frames[0],
              sizeof(session.frames[0]));
   record_writer_finish(&writer);
   client_finish(&client);
   assert_int_equal(session.frames[0][0], 0xffff0000);
   play(options.file, 1, 1, &played);
   assert_memory_equal(played.frames[0], session.frames[0],
                       sizeof(session.frames[0]));
   char *text = trace(options.file, &(struct record_trace_options){0});
   expect_line(text, "SESSION gl=0 exact-index-offsets tungsten=");
   tg_string_free(text);
   close(options.file);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_the_same),
      cmocka_unit_test(races_are_recorded),
      cmocka_unit_test(index_offsets_are_played_as_recorded),
      cmocka_unit_test(checksums_are_of_texels),
      cmocka_unit_test(damage_is_found),
      cmocka_unit_test(faults_are_sentences),
      cmocka_unit_test(files_may_shrink),
      cmocka_unit_test(all_before_the_damage_is_played),
      cmocka_unit_test(sizes_are_bounded),
      cmocka_unit_test(full_disks_end_it),
      cmocka_unit_test(forgeries_are_refused),
      cmocka_unit_test(shared_memory_is_bounded),
      cmocka_unit_test(unknown_fields_are_refused),
      cmocka_unit_test(nothing_follows_the_end),
      cmocka_unit_test(differences_are_told),
      cmocka_unit_test(sessions_are_readable),
      cmocka_unit_test(texts_come_in_pieces),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
