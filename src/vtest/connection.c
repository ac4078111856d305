/* SPDX-License-Identifier: MIT
 *
 * The message loop of a client. What is wrong with a resource, a transfer or a
 * command is the host's to log and to leave out; what cannot be followed, an
 * unknown message or a length that is none, ends the connection.
 */
#include "vtest/connection.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/controls.h"
#include "virgl/virgl.h"
#include "vtest/frames.h"
#include "vtest/protocol.h"
#include "vtest/shared.h"
#include "vtest/wire.h"

enum {
   MAX_SUBMIT_WORDS = 1 << 20,   /* clients send 66,560 at most */
   MAX_INLINE_BYTES = 256 << 20, /* of a transfer that has its data */
   MAX_NAME_BYTES = 4096,
   MAX_WORDS = 11, /* of a message but SUBMIT */
};

struct connection {
   struct vtest_connection_options options;
   struct vtest_input input;
   uint32_t length; /* of the message at work */
   uint32_t words[MAX_WORDS];
   bool shares_memory; /* of the client's: since it asked for such a version */
   void *buffer; /* of what is larger, for all messages */
   size_t buffer_size;
   struct vtest_statistics statistics;
};

static void
write_line(const struct connection *connection, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

static void
write_line(const struct connection *connection, const char *format, ...)
{
   char line[256];
   va_list args;

   if (!connection->options.log)
      return;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   connection->options.log(connection->options.user, line);
}

static bool
read_bytes(struct connection *connection, void *bytes, size_t num_bytes)
{
   if (!vtest_wire_input_read(&connection->input, bytes, num_bytes))
      return false;
   connection->statistics.bytes_received += num_bytes;
   return true;
}

static bool
write_bytes(struct connection *connection, const void *bytes, size_t num_bytes)
{
   connection->statistics.bytes_sent += num_bytes;
   return vtest_wire_write(connection->options.socket, bytes, num_bytes);
}

/* In one piece, for which the client wakes up once. */
static bool
reply(struct connection *connection, uint32_t length, uint32_t number,
      const void *bytes, size_t num_bytes)
{
   struct {
      uint32_t header[2];
      unsigned char bytes[VIRGL_CAPSET2_BYTES];
   } message = {.header = {length, number}};

   assert(num_bytes <= sizeof(message.bytes));
   if (num_bytes)
      memcpy(message.bytes, bytes, num_bytes);
   return write_bytes(connection, &message, sizeof(message.header) + num_bytes);
}

/* Room for so many bytes; NULL, and the connection ends, without memory. */
static void *
get_buffer(struct connection *connection, size_t num_bytes)
{
   if (num_bytes <= connection->buffer_size)
      return connection->buffer;
   void *buffer = realloc(connection->buffer, num_bytes);
   if (!buffer) {
      write_line(connection, "no memory for a message of %zu bytes", num_bytes);
      return NULL;
   }
   connection->buffer = buffer;
   connection->buffer_size = num_bytes;
   return buffer;
}

/* ---- beginning ----------------------------------------------------------- */

/* The length is one of bytes. */
static bool
create_renderer(struct connection *connection)
{
   char name[MAX_NAME_BYTES];

   if (connection->length > sizeof(name)) {
      write_line(connection, "a name of %u bytes is too long",
                 connection->length);
      return false;
   }
   memset(name, 0, sizeof(name));
   if (!read_bytes(connection, name, connection->length))
      return false;
   snprintf(connection->statistics.name, sizeof(connection->statistics.name),
            "%.63s", name);
   tg_hide_controls(connection->statistics.name,
                    strlen(connection->statistics.name), TG_CONTROLS_NONE);
   write_line(connection, "'%s' has come", connection->statistics.name);
   return true;
}

static bool
ping(struct connection *connection)
{
   return reply(connection, 0, VTEST_PING, NULL, 0);
}

/* Under version 2 glxinfo ends itself: single-buffered visuals make Mesa read
 * back a window that is not there. */
static bool
protocol_version(struct connection *connection)
{
   const bool is_glxinfo = strcmp(connection->statistics.name, "glxinfo") == 0;
   const uint32_t version =
      connection->words[0] >= VTEST_VERSION_SHARED && !is_glxinfo
         ? connection->options.max_version
         : VTEST_VERSION_INLINE;

   connection->shares_memory = version >= VTEST_VERSION_SHARED;
   return reply(connection, 1, VTEST_PROTOCOL_VERSION, &version,
                sizeof(version));
}

/* The length of a reply is one of bytes, and 1; its number that of the set. */
static bool
get_caps(struct connection *connection)
{
   unsigned char set[VIRGL_CAPSET1_BYTES];

   virgl_host_get_capset(connection->options.host, 1,
                         connection->shares_memory, set);
   return reply(connection, sizeof(set) + 1, 1, set, sizeof(set));
}

static bool
get_caps2(struct connection *connection)
{
   unsigned char set[VIRGL_CAPSET2_BYTES];

   virgl_host_get_capset(connection->options.host, 2,
                         connection->shares_memory, set);
   return reply(connection, sizeof(set) + 1, 2, set, sizeof(set));
}

/* ---- resources ----------------------------------------------------------- */

static struct virgl_resource_desc
desc_of(const uint32_t words[MAX_WORDS])
{
   return (struct virgl_resource_desc){
      .target = words[1],
      .format = words[2],
      .bind = words[3],
      .width = words[4],
      .height = words[5],
      .depth = words[6],
      .array_size = words[7],
      .last_level = words[8],
      .num_samples = words[9],
   };
}

static bool
resource_create(struct connection *connection)
{
   const struct virgl_resource_desc desc = desc_of(connection->words);

   virgl_host_create_resource(connection->options.host, connection->words[0],
                              &desc, NULL);
   return true;
}

/* The client waits for a byte and a descriptor; without one it knows that there
 * is no memory. */
static bool
resource_create2(struct connection *connection)
{
   const struct virgl_resource_desc desc = desc_of(connection->words);
   const uint32_t num_bytes = connection->words[10];
   struct virgl_memory memory = {0};

   if (!num_bytes)
      return resource_create(connection);
   const int file =
      vtest_share(connection->options.account, num_bytes, &memory);
   if (file < 0)
      write_line(connection, "resource %u: no memory to share, %u bytes",
                 connection->words[0], num_bytes);
   else
      virgl_host_create_resource(connection->options.host, connection->words[0],
                                 &desc, &memory);
   const bool is_good =
      vtest_wire_write_descriptor(connection->options.socket, file);
   if (file >= 0)
      close(file);
   return is_good;
}

static bool
resource_unref(struct connection *connection)
{
   virgl_host_destroy_resource(connection->options.host, connection->words[0]);
   return true;
}

/* ---- transfers ----------------------------------------------------------- */

static struct virgl_box
box_of(const uint32_t *words)
{
   return (struct virgl_box){
      (int32_t)words[0], (int32_t)words[1], (int32_t)words[2],
      (int32_t)words[3], (int32_t)words[4], (int32_t)words[5],
   };
}

/* With their data, whose bytes follow; room for it. */
static unsigned char *
begin_inline(struct connection *connection, struct virgl_transfer *transfer)
{
   const uint32_t *words = connection->words;
   const uint32_t num_bytes = words[10];

   *transfer = (struct virgl_transfer){
      .handle = words[0],
      .level = words[1],
      .stride = words[2],
      .layer_stride = words[3],
      .box = box_of(words + 4),
   };
   if (num_bytes > MAX_INLINE_BYTES) {
      write_line(connection, "a transfer of %u bytes is too large", num_bytes);
      return NULL;
   }
   return get_buffer(connection, (size_t)num_bytes + 1);
}

/* After a read-back: was it of a frame? */
static void
note_read(struct connection *connection, const struct virgl_transfer *transfer,
          void *data, uint64_t num_bytes)
{
   struct virgl_frame frame;

   if (connection->options.num_reads)
      atomic_fetch_add_explicit(connection->options.num_reads, 1,
                                memory_order_relaxed);
   if (!virgl_host_find_frame(connection->options.host, transfer, data,
                              num_bytes, &frame))
      return;
   connection->statistics.frames++;
   tg_profile_mark_frame(connection->options.profile);
   if (connection->options.frames)
      vtest_frames_put(connection->options.frames, &frame);
}

/* What cannot be read is zero: the client counts on the bytes. */
static bool
transfer_get(struct connection *connection)
{
   struct virgl_transfer transfer;
   unsigned char *bytes = begin_inline(connection, &transfer);
   const uint32_t num_bytes = connection->words[10];

   if (!bytes)
      return false;
   memset(bytes, 0, num_bytes);
   if (virgl_host_transfer_get(connection->options.host, &transfer, bytes,
                               num_bytes) == TG_OK)
      note_read(connection, &transfer, bytes, num_bytes);
   return write_bytes(connection, bytes, num_bytes);
}

static bool
transfer_put(struct connection *connection)
{
   struct virgl_transfer transfer;
   unsigned char *bytes = begin_inline(connection, &transfer);
   const uint32_t num_bytes = connection->words[10];

   if (!bytes || !read_bytes(connection, bytes, num_bytes))
      return false;
   virgl_host_transfer_put(connection->options.host, &transfer, bytes,
                           num_bytes);
   return true;
}

/* Through shared memory. The size that the client gives, words[8], is not
 * always that of the box, which is checked instead. */
static struct virgl_transfer
shared_transfer(const struct connection *connection)
{
   return (struct virgl_transfer){
      .handle = connection->words[0],
      .level = connection->words[1],
      .box = box_of(connection->words + 2),
      .offset = connection->words[9],
   };
}

static bool
transfer_get2(struct connection *connection)
{
   const struct virgl_transfer transfer = shared_transfer(connection);

   if (virgl_host_transfer_get(connection->options.host, &transfer, NULL, 0) ==
       TG_OK)
      note_read(connection, &transfer, NULL, 0);
   return true;
}

static bool
transfer_put2(struct connection *connection)
{
   const struct virgl_transfer transfer = shared_transfer(connection);

   virgl_host_transfer_put(connection->options.host, &transfer, NULL, 0);
   return true;
}

/* ---- commands ------------------------------------------------------------ */

static bool
submit(struct connection *connection)
{
   const size_t num_words = connection->length;

   if (num_words > MAX_SUBMIT_WORDS) {
      write_line(connection, "%zu words of commands are too many", num_words);
      return false;
   }
   connection->statistics.submits++;
   uint32_t *words = get_buffer(connection, num_words * 4 + 4);
   if (!words || !read_bytes(connection, words, num_words * 4))
      return false;
   return virgl_host_submit(connection->options.host, words, num_words) ==
          TG_OK;
}

static bool
busy_wait(struct connection *connection)
{
   const uint32_t handle = connection->words[0];
   uint32_t is_busy = 0;

   if (connection->words[1] & VTEST_BUSY_WAIT_WAITS)
      virgl_host_wait(connection->options.host, handle);
   else
      is_busy = virgl_host_is_busy(connection->options.host, handle);
   return reply(connection, 1, VTEST_BUSY_WAIT, &is_busy, sizeof(is_busy));
}

/* ---- messages ------------------------------------------------------------ */

/* Words that follow the header, which the length says, too, unless it is one of
 * something else. */
static const struct message {
   const char *name;
   uint32_t num_words;
   bool has_other_length;
   bool (*run)(struct connection *connection);
} messages[VTEST_NUM_MESSAGES] = {
   [VTEST_GET_CAPS] = {"GET_CAPS", 0, false, get_caps},
   [VTEST_RESOURCE_CREATE] = {"RESOURCE_CREATE", 10, false, resource_create},
   [VTEST_RESOURCE_UNREF] = {"RESOURCE_UNREF", 1, false, resource_unref},
   [VTEST_TRANSFER_GET] = {"TRANSFER_GET", 11, false, transfer_get},
   [VTEST_TRANSFER_PUT] = {"TRANSFER_PUT", 11, true, transfer_put},
   [VTEST_SUBMIT] = {"SUBMIT", 0, true, submit},
   [VTEST_BUSY_WAIT] = {"BUSY_WAIT", 2, false, busy_wait},
   [VTEST_CREATE_RENDERER] = {"CREATE_RENDERER", 0, true, create_renderer},
   [VTEST_GET_CAPS2] = {"GET_CAPS2", 0, false, get_caps2},
   [VTEST_PING] = {"PING", 0, false, ping},
   [VTEST_PROTOCOL_VERSION] = {"PROTOCOL_VERSION", 1, false, protocol_version},
   [VTEST_RESOURCE_CREATE2] = {"RESOURCE_CREATE2", 11, false, resource_create2},
   [VTEST_TRANSFER_GET2] = {"TRANSFER_GET2", 10, true, transfer_get2},
   [VTEST_TRANSFER_PUT2] = {"TRANSFER_PUT2", 10, true, transfer_put2},
};

static bool
run_message(struct connection *connection, uint32_t number)
{
   const struct message *message =
      number < VTEST_NUM_MESSAGES ? &messages[number] : NULL;

   if (!message || !message->run) {
      write_line(connection, "there is no message %u", number);
      return false;
   }
   if (!message->has_other_length && connection->length != message->num_words) {
      write_line(connection, "%s has %u words, not %u", message->name,
                 message->num_words, connection->length);
      return false;
   }
   return read_bytes(connection, connection->words, message->num_words * 4) &&
          message->run(connection);
}

/* ---- while commands are done --------------------------------------------- */

/* Is the next message this one, and all there? Then it is read. */
static bool
take_message(struct connection *connection, uint32_t number)
{
   const uint32_t num_words = messages[number].num_words;
   uint32_t words[2 + MAX_WORDS];
   const size_t num_bytes = (2 + num_words) * sizeof(words[0]);
   const void *bytes = vtest_wire_input_peek(&connection->input, num_bytes);

   if (!bytes)
      return false;
   memcpy(words, bytes, num_bytes);
   if (words[0] != num_words || words[1] != number)
      return false;
   if (number == VTEST_BUSY_WAIT && (words[3] & VTEST_BUSY_WAIT_WAITS))
      return false;
   connection->statistics.messages++;
   return read_bytes(connection, words, 2 * sizeof(words[0])) &&
          read_bytes(connection, connection->words, num_words * 4);
}

/* What has nothing to do with the commands that are done is answered before
 * they are, as the client waits for that before it sends more. */
static void
answer_meanwhile(void *user)
{
   struct connection *connection = user;

   for (;;) {
      if (take_message(connection, VTEST_BUSY_WAIT)) {
         const uint32_t is_busy = !virgl_host_is_unused(
            connection->options.host, connection->words[0]);

         reply(connection, 1, VTEST_BUSY_WAIT, &is_busy, sizeof(is_busy));
      } else if (take_message(connection, VTEST_RESOURCE_CREATE2)) {
         resource_create2(connection);
      } else {
         break;
      }
   }
}

/* ---- the loop ------------------------------------------------------------ */

static bool
has_no_message(void *user)
{
   struct connection *connection = user;

   return !vtest_wire_input_peek(&connection->input, 2 * sizeof(uint32_t));
}

/* The header of the next message, for which the client takes its time. This
 * thread draws meanwhile: it is not idle while there are tiles to draw. */
static bool
read_header(struct connection *connection, uint32_t header[2])
{
   const uint64_t begin = tg_clock_now();
   tg_profile_begin(connection->options.profile, TG_PROFILE_IDLE);
   virgl_host_help(connection->options.host, has_no_message, connection);
   const bool is_there = read_bytes(connection, header, 2 * sizeof(header[0]));

   tg_profile_end(connection->options.profile);
   connection->statistics.nanoseconds_waited += tg_clock_now() - begin;
   connection->statistics.messages += is_there;
   return is_there;
}

bool
vtest_connection_run(const struct vtest_connection_options *options,
                     struct vtest_statistics *statistics_out)
{
   struct connection connection = {
      .options = *options,
      .input.socket = options->socket,
   };
   const uint64_t begin = tg_clock_now();
   uint32_t header[2];
   bool is_good = true;

   virgl_host_set_look(options->host, answer_meanwhile, &connection);
   while (is_good && read_header(&connection, header)) {
      connection.length = header[0];
      is_good = run_message(&connection, header[1]);
   }
   virgl_host_set_look(options->host, NULL, NULL);
   connection.statistics.nanoseconds = tg_clock_now() - begin;
   virgl_host_wait(options->host, 0);
   virgl_host_get_statistics(options->host, &connection.statistics.gpu);
   *statistics_out = connection.statistics;
   write_line(&connection, "'%s' %s", connection.statistics.name,
              is_good ? "has gone" : "was ended");
   free(connection.buffer);
   return is_good;
}
