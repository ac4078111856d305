/* SPDX-License-Identifier: MIT
 *
 * The vtest protocol: a client of it, against a connection and against a server
 * with its processes. Every message, every one that cannot be followed, and
 * clients that come, stay, go and are killed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tungsten/gpu.h"
#include "virgl/virgl.h"
#include "vtest/connection.h"
#include "vtest/frames.h"
#include "vtest/pace.h"
#include "vtest/protocol.h"
#include "vtest/sandbox.h"
#include "vtest/server.h"
#include "vtest/shared.h"
#include "vtest/wire.h"

enum { MOST_SHARED = 1 << 20 };

/* ---- a connection in a thread -------------------------------------------- */

struct served {
   int socket; /* the client's end */
   struct vtest_connection_options options;
   struct vtest_statistics statistics;
   struct vtest_account account;
   struct tg_device *device;
   struct virgl_host *host;
   pthread_t thread;
   bool is_good;   /* what the connection gave */
   char line[256]; /* the last of its log but that it has gone */
};

static void
take_line(void *user, const char *line)
{
   struct served *served = user;

   if (line[0] != '\'')
      snprintf(served->line, sizeof(served->line), "%s", line);
}

static void *
run(void *user)
{
   struct served *served = user;

   served->is_good =
      vtest_connection_run(&served->options, &served->statistics);
   close(served->options.socket);
   return NULL;
}

static void
prepare(struct served *served)
{
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   const struct timeval most = {.tv_sec = 20};
   int ends[2];

   *served = (struct served){.account.most = MOST_SHARED};
   device_options.num_threads = 1;
   assert_int_equal(tg_device_create(NULL, &device_options, &served->device),
                    TG_OK);
   const struct virgl_host_options options = {.device = served->device};
   assert_int_equal(virgl_host_create(&options, &served->host), TG_OK);
   assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
   setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
   served->socket = ends[0];
   served->options = (struct vtest_connection_options){
      .socket = ends[1],
      .host = served->host,
      .account = &served->account,
      .max_version = VTEST_VERSION_SHARED,
      .log = take_line,
      .user = served,
   };
}

static void
start(struct served *served)
{
   assert_int_equal(pthread_create(&served->thread, NULL, run, served), 0);
}

static void
begin(struct served *served)
{
   prepare(served);
   start(served);
}

/* The connection has come to its end. */
static void
join(struct served *served)
{
   close(served->socket);
   pthread_join(served->thread, NULL);
}

static void
finish(struct served *served)
{
   virgl_host_destroy(served->host);
   tg_device_destroy(served->device);
   assert_int_equal(served->account.used, 0);
}

static void
end(struct served *served)
{
   join(served);
   assert_true(served->is_good);
   assert_string_equal(served->line, "");
   finish(served);
}

static void
send_words(int socket, const uint32_t *words, unsigned count)
{
   assert_true(vtest_wire_write(socket, words, count * 4));
}

static void
expect_words(int socket, const uint32_t *words, unsigned count)
{
   uint32_t got[8];

   assert_true(vtest_wire_read(socket, got, count * 4));
   assert_memory_equal(got, words, count * 4);
}

#define SEND(socket, ...)                                                      \
   send_words(socket, (const uint32_t[]){__VA_ARGS__},                         \
              sizeof((uint32_t[]){__VA_ARGS__}) / 4)
#define EXPECT(socket, ...)                                                    \
   expect_words(socket, (const uint32_t[]){__VA_ARGS__},                       \
                sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static void
say_name(int socket, const char *name)
{
   const uint32_t length = (uint32_t)strlen(name) + 1;

   SEND(socket, length, VTEST_CREATE_RENDERER);
   assert_true(vtest_wire_write(socket, name, length));
}

/* The byte that follows a creation, and its descriptor, or -1. */
static int
take_descriptor(int socket)
{
   char byte, room[CMSG_SPACE(sizeof(int))] = {0};
   struct iovec bytes = {&byte, 1};
   struct msghdr message = {.msg_iov = &bytes,
                            .msg_iovlen = 1,
                            .msg_control = room,
                            .msg_controllen = sizeof(room)};
   int descriptor = -1;

   assert_int_equal(recvmsg(socket, &message, 0), 1);
   if (CMSG_FIRSTHDR(&message))
      memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)),
             sizeof(descriptor));
   return descriptor;
}

/* ---- messages ------------------------------------------------------------ */

/* A bit of word 688, of what is read in shared memory alone. */
enum { GET_MEMORY_INFO = 1 << 3 };

static void
clients_begin(void **state)
{
   static unsigned char set[VIRGL_CAPSET2_BYTES];
   struct served served;
   (void)state;

   begin(&served);
   say_name(served.socket, "gears");
   SEND(served.socket, 0, VTEST_PING, 2, VTEST_BUSY_WAIT, 0, 0);
   EXPECT(served.socket, 0, VTEST_PING, 1, VTEST_BUSY_WAIT, 0);
   static const uint32_t versions[][2] = {
      {0, 0}, {1, 0}, {2, 2}, {3, 2}, {UINT32_MAX, 2}};
   for (unsigned i = 0; i < 5; i++) {
      SEND(served.socket, 1, VTEST_PROTOCOL_VERSION, versions[i][0]);
      EXPECT(served.socket, 1, VTEST_PROTOCOL_VERSION, versions[i][1]);
   }
   SEND(served.socket, 0, VTEST_GET_CAPS2, 0, VTEST_GET_CAPS);
   EXPECT(served.socket, 1377, 2);
   assert_true(vtest_wire_read(served.socket, set, 1376));
   assert_int_equal(set[0], 2);
   assert_int_equal(set[688] & GET_MEMORY_INFO, GET_MEMORY_INFO);
   EXPECT(served.socket, 309, 1);
   assert_true(vtest_wire_read(served.socket, set, 308));
   assert_int_equal(set[0], 1);
   end(&served);
}

/* Of a name no terminal obeys anything. */
static void
names_are_clean(void **state)
{
   struct served served;
   (void)state;

   begin(&served);
   say_name(served.socket, "a\x1b[2J\x7f \xc2\x9b\xc3\xa4\n");
   end(&served);
   assert_string_equal(served.statistics.name, "a?[2J? ??\xc3\xa4?");
}

static void
glxinfo_has_version_0(void **state)
{
   static unsigned char set[VIRGL_CAPSET2_BYTES];
   struct served served;
   (void)state;

   begin(&served);
   say_name(served.socket, "glxinfo");
   SEND(served.socket, 1, VTEST_PROTOCOL_VERSION, 2);
   EXPECT(served.socket, 1, VTEST_PROTOCOL_VERSION, 0);
   SEND(served.socket, 0, VTEST_GET_CAPS2);
   EXPECT(served.socket, 1377, 2);
   assert_true(vtest_wire_read(served.socket, set, 1376));
   assert_int_equal(set[688] & GET_MEMORY_INFO, 0);
   end(&served);
}

/* 8 by 2 texels of four bytes. */
static void
memory_is_shared(void **state)
{
   enum { NUM_BYTES = 64 };
   struct served served;
   (void)state;

   begin(&served);
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 3, 2, 67, 8, 8, 2, 1, 1, 0,
        0, NUM_BYTES);
   const int file = take_descriptor(served.socket);
   assert_true(file >= 0);
   assert_int_not_equal(ftruncate(file, 1), 0);
   unsigned char *bytes =
      mmap(NULL, NUM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
   assert_ptr_not_equal(bytes, MAP_FAILED);
   for (unsigned i = 0; i < NUM_BYTES; i++)
      bytes[i] = (unsigned char)(i + 1);
   /* All of it in, and one texel of the second row out. */
   SEND(served.socket, 26, VTEST_TRANSFER_PUT2, 3, 0, 0, 0, 0, 8, 2, 1, 64, 0);
   SEND(served.socket, 2, VTEST_BUSY_WAIT, 3, 1);
   EXPECT(served.socket, 1, VTEST_BUSY_WAIT, 0);
   memset(bytes, 0, NUM_BYTES);
   SEND(served.socket, 11, VTEST_TRANSFER_GET2, 3, 0, 2, 1, 0, 1, 1, 1, 4, 40);
   SEND(served.socket, 2, VTEST_BUSY_WAIT, 3, 1);
   EXPECT(served.socket, 1, VTEST_BUSY_WAIT, 0);
   for (unsigned i = 0; i < NUM_BYTES; i++)
      assert_int_equal(bytes[i], i >= 40 && i < 44 ? i + 1 : 0);
   munmap(bytes, NUM_BYTES);
   close(file);
   SEND(served.socket, 1, VTEST_RESOURCE_UNREF, 3);
   end(&served);
}

static void
data_comes_inline(void **state)
{
   unsigned char bytes[16], got[16];
   struct served served;
   (void)state;

   begin(&served);
   for (unsigned i = 0; i < 16; i++)
      bytes[i] = (unsigned char)(100 + i);
   SEND(served.socket, 10, VTEST_RESOURCE_CREATE, 4, 2, 67, 8, 2, 2, 1, 1, 0,
        0);
   SEND(served.socket, 15, VTEST_TRANSFER_PUT, 4, 0, 8, 16, 0, 0, 0, 2, 2, 1,
        16);
   assert_true(vtest_wire_write(served.socket, bytes, 16));
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 4, 0, 0, 0, 0, 1, 0, 2, 1, 1, 8);
   assert_true(vtest_wire_read(served.socket, got, 8));
   assert_memory_equal(got, bytes + 8, 8);
   /* Of what is not there come zeros. */
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 9, 0, 0, 0, 0, 0, 0, 2, 1, 1, 8);
   assert_true(vtest_wire_read(served.socket, got, 8));
   assert_memory_equal(got, "\0\0\0\0\0\0\0\0", 8);
   end(&served);
}

/* A frame: all of level 0 of a display target (bind 0x8a), inline or through
 * shared memory, of which the last one stays. */
static void
frames_are_kept(void **state)
{
   unsigned char bytes[16], got[16];
   struct virgl_frame frame;
   struct served served;
   (void)state;

   prepare(&served);
   struct vtest_frames *frames = vtest_frames_create();
   assert_non_null(frames);
   assert_false(vtest_frames_get(frames, &frame));
   _Atomic uint32_t num_reads = 0;
   served.options.frames = frames;
   served.options.num_reads = &num_reads;
   start(&served);
   for (unsigned i = 0; i < 16; i++)
      bytes[i] = (unsigned char)(100 + i);
   SEND(served.socket, 10, VTEST_RESOURCE_CREATE, 4, 2, 67, 0x8a, 2, 2, 1, 1, 0,
        0, 10, VTEST_RESOURCE_CREATE, 5, 2, 67, 0x0a, 2, 2, 1, 1, 0, 0);
   for (unsigned handle = 4; handle <= 5; handle++) {
      SEND(served.socket, 15, VTEST_TRANSFER_PUT, handle, 0, 8, 16, 0, 0, 0, 2,
           2, 1, 16);
      assert_true(vtest_wire_write(served.socket, bytes, 16));
      bytes[0] = 1;
   }
   /* A part of it, and all of what is no display target, are none. */
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 4, 0, 0, 0, 1, 0, 0, 1, 2, 1, 8);
   assert_true(vtest_wire_read(served.socket, got, 8));
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 5, 0, 0, 0, 0, 0, 0, 2, 2, 1,
        16);
   assert_true(vtest_wire_read(served.socket, got, 16));
   assert_false(vtest_frames_get(frames, &frame));
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 4, 0, 0, 0, 0, 0, 0, 2, 2, 1,
        16);
   assert_true(vtest_wire_read(served.socket, got, 16));
   join(&served);
   assert_true(vtest_frames_get(frames, &frame));
   assert_int_equal(frame.format, tg_format_number("R8G8B8A8_UNORM"));
   assert_int_equal(frame.width, 2);
   assert_int_equal(frame.height, 2);
   assert_int_equal(frame.stride, 8);
   bytes[0] = 100;
   assert_memory_equal(frame.pixels, bytes, 16);
   assert_int_equal(served.statistics.frames, 1);
   assert_int_equal(num_reads, 3);
   assert_int_equal(served.statistics.messages, 7);
   assert_int_equal(served.statistics.submits, 0);
   /* 2 of 12 words, 2 of 13 with 16 bytes, 3 of 13. */
   assert_int_equal(served.statistics.bytes_received,
                    2 * 48 + 2 * (52 + 16) + 3 * 52);
   assert_int_equal(served.statistics.bytes_sent, 8 + 16 + 16);
   finish(&served);
   vtest_frames_destroy(frames);
}

/* Of a client that is killed while it copies a frame the one before stays. */
static void
half_frames_are_not_seen(void **state)
{
   static const uint32_t black[2] = {0, 0}, white[2] = {~0u, ~0u};
   const uint32_t rgba8 = tg_format_number("R8G8B8A8_UNORM");
   const long page = sysconf(_SC_PAGESIZE);
   /* Of which the second row cannot be read. */
   char *pages = mmap(NULL, 2 * (size_t)page, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   const struct virgl_frame first = {rgba8, 1, 2, 4, white};
   const struct virgl_frame half = {rgba8, 1, 2, (uint64_t)page, pages};
   const struct virgl_frame last = {rgba8, 1, 2, 4, black};
   struct vtest_frames *frames = vtest_frames_create();
   struct virgl_frame frame;
   int status;
   (void)state;

   assert_non_null(frames);
   assert_ptr_not_equal(pages, MAP_FAILED);
   assert_int_equal(mprotect(pages + page, (size_t)page, PROT_NONE), 0);
   vtest_frames_put(frames, &first);
   const pid_t client = fork();
   if (client == 0) {
      signal(SIGSEGV, SIG_DFL);
      vtest_frames_put(frames, &half);
      _exit(0);
   }
   assert_int_equal(waitpid(client, &status, 0), client);
   assert_true(WIFSIGNALED(status));
   assert_true(vtest_frames_get(frames, &frame));
   assert_memory_equal(frame.pixels, white, sizeof(white));
   vtest_frames_put(frames, &last);
   assert_true(vtest_frames_get(frames, &frame));
   assert_memory_equal(frame.pixels, black, sizeof(black));
   vtest_frames_destroy(frames);
   munmap(pages, 2 * (size_t)page);
}

static void
frames_outlive_their_writer(void **state)
{
   static const uint32_t pixels[4] = {1, 2, 3, 4};
   const uint32_t rgba8 = tg_format_number("R8G8B8A8_UNORM");
   const struct virgl_frame first = {rgba8, 2, 1, 16, pixels};
   const struct virgl_frame second = {rgba8, 1, 2, 12, pixels};
   const struct virgl_frame large = {rgba8, 16384, 16384, 65536, pixels};
   struct vtest_frames *frames = vtest_frames_create();
   struct virgl_frame frame;
   int status;
   (void)state;

   assert_non_null(frames);
   vtest_frames_put(frames, &first);
   const pid_t client = fork();
   if (client == 0) {
      vtest_frames_put(frames, &second);
      vtest_frames_put(frames, &large);
      raise(SIGKILL);
   }
   assert_int_equal(waitpid(client, &status, 0), client);
   assert_true(vtest_frames_get(frames, &frame));
   assert_int_equal(frame.width, 1);
   assert_int_equal(frame.stride, 4);
   assert_memory_equal(frame.pixels, "\1\0\0\0\4\0\0\0", 8);
   vtest_frames_destroy(frames);
}

/* From a read-back to the next one, of processor time. */
static void
long_work_is_seen(void **state)
{
   const uint64_t most = VTEST_PACE_MOST;
   struct vtest_pace pace;
   (void)state;

   assert_true(vtest_pace_begin(&pace));
   vtest_pace_note(&pace, most, 1);
   assert_false(vtest_pace_is_long(&pace));
   vtest_pace_note(&pace, most + 1, 2);
   assert_true(vtest_pace_is_long(&pace));
   atomic_fetch_add(pace.num_reads, 1);
   vtest_pace_note(&pace, 2 * most, 3);
   assert_false(vtest_pace_is_long(&pace));
   vtest_pace_note(&pace, 3 * most, 4);
   assert_false(vtest_pace_is_long(&pace));
   vtest_pace_note(&pace, 3 * most + 1, 5);
   assert_true(vtest_pace_is_long(&pace));
   vtest_pace_end(&pace);
}

/* Long ones do not wait for each other, nor for those that do nothing. */
static void
contention_is_seen(void **state)
{
   const uint64_t now = 100 * VTEST_PACE_STEP;
   struct vtest_pace paces[2];
   (void)state;

   for (unsigned i = 0; i < 2; i++)
      assert_true(vtest_pace_begin(&paces[i]));
   vtest_pace_note(&paces[0], VTEST_PACE_MOST + 1, now);
   assert_false(vtest_pace_has_contention(paces, 2, now));
   vtest_pace_note(&paces[1], 1, now);
   assert_true(vtest_pace_has_contention(paces, 2, now));
   assert_true(vtest_pace_has_contention(paces, 2, now + VTEST_PACE_STEP));
   assert_false(vtest_pace_has_contention(paces, 2, now + VTEST_PACE_STEP + 1));
   vtest_pace_note(&paces[1], 1, now + VTEST_PACE_STEP + 1);
   assert_false(vtest_pace_has_contention(paces, 2, now + VTEST_PACE_STEP + 1));
   vtest_pace_note(&paces[1], VTEST_PACE_MOST + 1, now);
   assert_false(vtest_pace_has_contention(paces, 2, now));
   atomic_fetch_add(paces[0].num_reads, 1);
   vtest_pace_note(&paces[0], VTEST_PACE_MOST + 2, now);
   assert_true(vtest_pace_has_contention(paces, 2, now));
   for (unsigned i = 0; i < 2; i++)
      vtest_pace_end(&paces[i]);
}

/* Works without end. */
static pid_t
start_work(void)
{
   const pid_t process = fork();

   if (process == 0) {
      volatile bool goes_on = true;

      alarm(60);
      while (goes_on)
         ;
   }
   return process;
}

static void
wait_until_stopped(pid_t process)
{
   siginfo_t info;

   assert_int_equal(waitid(P_PID, (id_t)process, &info, WSTOPPED | WNOWAIT), 0);
}

/* Looks for a period, step by step; in how many of them the first one ran. */
static unsigned
count_turns(struct vtest_pace paces[2], uint64_t *now)
{
   unsigned num_turns = 0;

   for (unsigned i = 0; i < VTEST_PACE_STEPS; i++) {
      const struct timespec some = {.tv_nsec = 20 * 1000 * 1000};

      nanosleep(&some, NULL); /* for the other to work */
      *now += VTEST_PACE_SHORT_STEP;
      vtest_pace_look(paces, 2, *now);
      num_turns += !paces[0].is_stopped;
      assert_false(paces[1].is_stopped);
   }
   return num_turns;
}

/* One process of two has taken long: it runs in one step of a period, until it
 * reads back, or the other has nothing to do. Time is ours to tell. */
static void
long_work_is_held(void **state)
{
   const struct timespec step = {.tv_nsec = 50 * 1000 * 1000};
   uint64_t now = 0;
   struct vtest_pace paces[2];
   (void)state;

   for (unsigned i = 0; i < 2; i++)
      assert_true(vtest_pace_begin(&paces[i]));
   paces[0].process = start_work();
   paces[1].process = start_work();
   for (unsigned i = 0; i < 1000 && !vtest_pace_is_long(&paces[0]); i++) {
      nanosleep(&step, NULL);
      atomic_fetch_add(paces[1].num_reads, 1);
      vtest_pace_look(paces, 2, now);
   }
   assert_true(vtest_pace_is_long(&paces[0]));
   assert_int_equal(count_turns(paces, &now), 1);
   assert_int_equal(count_turns(paces, &now), 1);
   now += VTEST_PACE_SHORT_STEP;
   assert_true(vtest_pace_look(paces, 2, now));
   assert_true(paces[0].is_stopped);
   wait_until_stopped(paces[0].process);

   kill(paces[1].process, SIGSTOP);
   wait_until_stopped(paces[1].process);
   vtest_pace_look(paces, 2, now);
   now += 2 * VTEST_PACE_STEP;
   assert_false(vtest_pace_look(paces, 2, now));
   assert_false(paces[0].is_stopped);
   const uint64_t used = paces[0].used;
   for (unsigned i = 0; i < 1000 && paces[0].used == used; i++) {
      nanosleep(&step, NULL);
      vtest_pace_look(paces, 2, now);
   }
   assert_true(paces[0].used > used);

   kill(paces[1].process, SIGCONT);
   assert_int_equal(count_turns(paces, &now), 1);
   now += VTEST_PACE_SHORT_STEP;
   vtest_pace_look(paces, 2, now);
   assert_true(paces[0].is_stopped);
   atomic_fetch_add(paces[0].num_reads, 1);
   assert_false(vtest_pace_look(paces, 2, now));
   assert_false(paces[0].is_stopped);
   for (unsigned i = 0; i < 2; i++) {
      kill(paces[i].process, SIGKILL);
      waitpid(paces[i].process, NULL, 0);
      vtest_pace_end(&paces[i]);
   }
}

/* Pieces of all sizes, less and more than the buffer; then the end. */
static void
input_is_read_whole(void **state)
{
   enum { SIZE = 5 * VTEST_INPUT_BYTES };
   static const size_t pieces[] = {1,
                                   7,
                                   0,
                                   VTEST_INPUT_BYTES - 9,
                                   3,
                                   VTEST_INPUT_BYTES,
                                   2 * VTEST_INPUT_BYTES};
   static unsigned char sent[SIZE], got[SIZE];
   static struct vtest_input input;
   size_t at = 0;
   int ends[2];
   (void)state;

   for (unsigned i = 0; i < SIZE; i++)
      sent[i] = (unsigned char)(i * 2654435761u >> 24);
   assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
   assert_true(vtest_wire_write(ends[0], sent, SIZE));
   close(ends[0]);
   input = (struct vtest_input){.socket = ends[1]};
   for (unsigned i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
      assert_true(vtest_wire_input_read(&input, got + at, pieces[i]));
      at += pieces[i];
   }
   assert_true(vtest_wire_input_read(&input, got + at, SIZE - at - 1));
   assert_false(vtest_wire_input_read(&input, got + SIZE - 1, 2));
   got[SIZE - 1] = sent[SIZE - 1];
   assert_memory_equal(got, sent, SIZE);
   close(ends[1]);
}

/* After that the file is another memory than the first address, and both count.
 * More than a page, and not a whole one. */
static void
memory_becomes_private(void **state)
{
   enum { SIZE = 5000 };
   struct vtest_account account = {.most = 2 * SIZE};
   struct virgl_memory memory, more;
   (void)state;

   const int file = vtest_share(&account, SIZE, &memory);
   assert_true(file >= 0);
   unsigned char *client =
      mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
   assert_ptr_not_equal(client, MAP_FAILED);
   unsigned char *first = memory.address;
   client[0] = 1;
   client[SIZE - 1] = 2;
   const int another = vtest_share(&account, 1, &more);
   assert_true(another >= 0);
   assert_null(memory.make_private(memory.user));
   client[0] = 3;
   assert_int_equal(first[0], 3);
   more.release(more.user);
   assert_int_equal(account.used, SIZE);
   unsigned char *shared = memory.make_private(memory.user);
   assert_non_null(shared);
   assert_int_equal(account.used, 2 * SIZE);
   client[0] = 4;
   first[SIZE - 1] = 5;
   assert_int_equal(first[0], 3);
   assert_int_equal(shared[0], 4);
   assert_int_equal(client[SIZE - 1], 2);
   shared[1] = 6;
   assert_int_equal(client[1], 6);
   memory.release(memory.user);
   assert_int_equal(account.used, 0);
   munmap(client, SIZE);
   close(another);
   close(file);
}

/* More than a client may share has no descriptor; it lives. */
static void
memory_is_bounded(void **state)
{
   struct served served;
   (void)state;

   begin(&served);
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 1, 0, 64, 16, MOST_SHARED, 1,
        1, 1, 0, 0, MOST_SHARED);
   const int file = take_descriptor(served.socket);
   assert_true(file >= 0);
   close(file);
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 2, 0, 64, 16, 4, 1, 1, 1, 0,
        0, 4);
   assert_int_equal(take_descriptor(served.socket), -1);
   SEND(served.socket, 1, VTEST_RESOURCE_UNREF, 1);
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 2, 0, 64, 16, 4, 1, 1, 1, 0,
        0, 4);
   const int another = take_descriptor(served.socket);
   assert_true(another >= 0);
   close(another);
   /* Of a size that no resource has, but the client hears. */
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 3, 99, 64, 16, 4, 1, 1, 1, 0,
        0, 4);
   close(take_descriptor(served.socket));
   join(&served);
   assert_true(served.is_good);
   assert_string_equal(served.line, "resource 2: no memory to share, 4 bytes");
   finish(&served);
}

static void
strange_messages_end_it(void **state)
{
   static const struct {
      uint32_t words[4];
      const char *line;
   } rows[] = {
      {{0, 0}, "there is no message 0"},
      {{0, 15}, "there is no message 15"},
      {{0, UINT32_MAX}, "there is no message 4294967295"},
      {{1, VTEST_PING}, "PING has 0 words, not 1"},
      {{9, VTEST_RESOURCE_CREATE}, "RESOURCE_CREATE has 10 words, not 9"},
      {{12, VTEST_RESOURCE_CREATE2}, "RESOURCE_CREATE2 has 11 words, not 12"},
      {{2, VTEST_RESOURCE_UNREF}, "RESOURCE_UNREF has 1 words, not 2"},
      {{(1 << 20) + 1, VTEST_SUBMIT}, "1048577 words of commands are too many"},
      {{UINT32_MAX, VTEST_SUBMIT}, "4294967295 words of commands are too many"},
      {{4097, VTEST_CREATE_RENDERER}, "a name of 4097 bytes is too long"},
   };
   (void)state;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct served served;
      char byte;

      begin(&served);
      send_words(served.socket, rows[i].words, 2);
      assert_int_equal(recv(served.socket, &byte, 1, 0), 0);
      join(&served);
      assert_false(served.is_good);
      assert_string_equal(served.line, rows[i].line);
      finish(&served);
   }
}

/* A transfer of more than may come inline. */
static void
large_transfers_end_it(void **state)
{
   struct served served;
   char byte;
   (void)state;

   begin(&served);
   SEND(served.socket, 11, VTEST_TRANSFER_GET, 4, 0, 0, 0, 0, 0, 0, 2, 1, 1,
        UINT32_MAX);
   assert_int_equal(recv(served.socket, &byte, 1, 0), 0);
   join(&served);
   assert_string_equal(served.line,
                       "a transfer of 4294967295 bytes is too large");
   finish(&served);
}

/* A command that is cut off ends the client. */
static void
broken_streams_end_it(void **state)
{
   struct served served;
   char byte;
   (void)state;

   begin(&served);
   SEND(served.socket, 1, VTEST_SUBMIT, 0x00080007); /* CLEAR without words */
   assert_int_equal(recv(served.socket, &byte, 1, 0), 0);
   join(&served);
   assert_false(served.is_good);
   finish(&served);
}

/* Messages that come with commands are answered before all of these are done:
 * the last command is cut off, and what waits for it is not answered. */
static void
some_is_answered_meanwhile(void **state)
{
   enum { NUM_NOPS = 200 };
   uint32_t words[2 + NUM_NOPS + 1 + 4 + 4 + 13 + 4] = {NUM_NOPS + 1,
                                                        VTEST_SUBMIT};
   static const uint32_t others[] = {
      2,
      VTEST_BUSY_WAIT,
      1,
      0,
      2,
      VTEST_BUSY_WAIT,
      9,
      0,
      11,
      VTEST_RESOURCE_CREATE2,
      2,
      0,
      64,
      0x10,
      64,
      1,
      1,
      1,
      0,
      0,
      64,
      2,
      VTEST_BUSY_WAIT,
      1,
      VTEST_BUSY_WAIT_WAITS,
   };
   struct served served;
   char byte;
   (void)state;

   words[2 + NUM_NOPS] = 0x00080007; /* CLEAR without words */
   memcpy(&words[2 + NUM_NOPS + 1], others, sizeof(others));
   begin(&served);
   SEND(served.socket, 11, VTEST_RESOURCE_CREATE2, 1, 0, 64, 0x10, 64, 1, 1, 1,
        0, 0, 64);
   close(take_descriptor(served.socket));
   send_words(served.socket, words, sizeof(words) / sizeof(words[0]));
   EXPECT(served.socket, 1, VTEST_BUSY_WAIT, 0);
   EXPECT(served.socket, 1, VTEST_BUSY_WAIT, 1);
   const int file = take_descriptor(served.socket);
   assert_true(file >= 0);
   close(file);
   assert_true(recv(served.socket, &byte, 1, 0) <= 0);
   join(&served);
   assert_false(served.is_good);
   finish(&served);
}

static void
clients_go_at_any_byte(void **state)
{
   static const uint32_t message[] = {
      10, VTEST_RESOURCE_CREATE, 4, 2, 67, 8, 2, 2, 1, 1, 0, 0};
   (void)state;

   for (unsigned i = 0; i <= sizeof(message); i += 3) {
      struct served served;

      begin(&served);
      assert_true(vtest_wire_write(served.socket, message, i));
      join(&served);
      finish(&served);
   }
}

/* ---- sockets ------------------------------------------------------------- */

static char folder[64], path[96];

static int
make_folder(void **state)
{
   (void)state;
   strcpy(folder, "/tmp/tungsten-vtest-XXXXXX");
   if (!mkdtemp(folder))
      return -1;
   snprintf(path, sizeof(path), "%s/socket", folder);
   return 0;
}

static int
remove_folder(void **state)
{
   (void)state;
   unlink(path);
   return rmdir(folder);
}

static int
reach(void)
{
   struct sockaddr_un address = {.sun_family = AF_UNIX};
   const int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   const struct timeval most = {.tv_sec = 20};

   strcpy(address.sun_path, path);
   assert_true(socket_ >= 0);
   assert_int_equal(
      connect(socket_, (struct sockaddr *)&address, sizeof(address)), 0);
   setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
   return socket_;
}

static void
sockets_are_for_one_user(void **state)
{
   char error[256] = "", name[128];
   struct stat status;
   (void)state;

   const int first = vtest_listen(path, error, sizeof(error));
   assert_true(first >= 0);
   assert_int_equal(stat(path, &status), 0);
   assert_int_equal(status.st_mode & 0777, 0600);
   assert_int_equal(vtest_listen(path, error, sizeof(error)), -1);
   assert_non_null(strstr(error, "another server listens there"));
   close(first);
   /* Nobody listens any more. */
   const int second = vtest_listen(path, error, sizeof(error));
   assert_true(second >= 0);
   close(second);
   unlink(path);
   /* A file, a link, and a name that is too long. */
   FILE *file = fopen(path, "w");
   fputs("text", file);
   fclose(file);
   assert_int_equal(vtest_listen(path, error, sizeof(error)), -1);
   assert_non_null(strstr(error, "no socket"));
   unlink(path);
   /* An empty file: a mount point while its lock is held, else left over. */
   const int place = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
   assert_int_equal(flock(place, LOCK_SH), 0);
   assert_int_equal(vtest_listen(path, error, sizeof(error)), -1);
   assert_non_null(strstr(error, "'tungsten gl' uses it"));
   close(place);
   const int third = vtest_listen(path, error, sizeof(error));
   assert_true(third >= 0);
   close(third);
   unlink(path);
   assert_int_equal(symlink("/nowhere", path), 0);
   assert_int_equal(vtest_listen(path, error, sizeof(error)), -1);
   assert_non_null(strstr(error, "no socket"));
   unlink(path);
   memset(name, 'a', sizeof(name) - 1);
   name[sizeof(name) - 1] = '\0';
   assert_int_equal(vtest_listen(name, error, sizeof(error)), -1);
   assert_non_null(strstr(error, "too long"));
}

/* ---- servers ------------------------------------------------------------- */

static pid_t
start_server_with(struct vtest_server_options options)
{
   char error[256];
   const int listening = vtest_listen(path, error, sizeof(error));

   assert_true(listening >= 0);
   const pid_t server = fork();
   if (server == 0)
      _exit(vtest_serve(listening, &options) ? 0 : 1);
   close(listening);
   return server;
}

static struct vtest_server_options
usual_options(unsigned max_clients)
{
   return (struct vtest_server_options){
      .num_threads = 1,
      .max_memory = 64 << 20,
      .max_version = VTEST_VERSION_SHARED,
      .max_clients = max_clients,
      .log = -1,
   };
}

static pid_t
start_server(unsigned max_clients)
{
   return start_server_with(usual_options(max_clients));
}

static void
stop_server(pid_t server)
{
   int status;

   assert_int_equal(kill(server, SIGTERM), 0);
   assert_int_equal(waitpid(server, &status, 0), server);
   assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
   unlink(path);
}

static void
expect_served(int socket)
{
   SEND(socket, 0, VTEST_PING, 2, VTEST_BUSY_WAIT, 0, 1);
   EXPECT(socket, 0, VTEST_PING, 1, VTEST_BUSY_WAIT, 0);
}

/* Entries of a folder of /proc. */
static unsigned
count_entries(const char *format, pid_t process)
{
   char name[64];
   unsigned count = 0;

   snprintf(name, sizeof(name), format, (int)process);
   DIR *stream = opendir(name);
   assert_non_null(stream);
   while (readdir(stream))
      count++;
   closedir(stream);
   return count;
}

/* Processes that the server has. */
static unsigned
count_children(pid_t server)
{
   char name[96], text[4096] = "";
   unsigned count = 0;

   snprintf(name, sizeof(name), "/proc/%d/task/%d/children", (int)server,
            (int)server);
   const int file = open(name, O_RDONLY);
   if (file < 0)
      return 0; /* this kernel does not say */
   if (read(file, text, sizeof(text) - 1) < 0)
      text[0] = '\0';
   close(file);
   for (const char *at = text; *at; at++)
      count += *at == ' ';
   return count;
}

static void
wait_for_children(pid_t server, unsigned count)
{
   for (unsigned i = 0; i < 1000 && count_children(server) != count; i++)
      usleep(10000);
   assert_int_equal(count_children(server), count);
}

static void
wait_for_descriptors(pid_t server, unsigned count)
{
   for (unsigned i = 0;
        i < 1000 && count_entries("/proc/%d/fd", server) != count; i++)
      usleep(10000);
   assert_int_equal(count_entries("/proc/%d/fd", server), count);
}

static void
servers_leak_nothing(void **state)
{
   (void)state;
   const pid_t server = start_server(256);
   int socket = reach();
   expect_served(socket);
   close(socket);
   wait_for_children(server, 0);
   const unsigned before = count_entries("/proc/%d/fd", server);
   for (unsigned i = 0; i < 100; i++) {
      socket = reach();
      if (i % 4 == 0)
         assert_int_equal(send(socket, "half", i % 8, MSG_NOSIGNAL), i % 8);
      else
         expect_served(socket);
      close(socket);
   }
   wait_for_children(server, 0);
   /* Those that said nothing are found gone by and by. */
   wait_for_descriptors(server, before);
   stop_server(server);
}

/* The second has the descriptor that the first had until it had a process: that
 * the first ends is nothing to it. */
static void
descriptors_have_one_connection(void **state)
{
   (void)state;
   const pid_t server = start_server(8);
   int first = reach();
   expect_served(first);
   close(first);
   wait_for_children(server, 0);
   const unsigned before = count_entries("/proc/%d/fd", server);
   first = reach();
   expect_served(first);
   wait_for_descriptors(server, before);
   const int second = reach();
   wait_for_descriptors(server, before + 1);
   close(first);
   wait_for_children(server, 0);
   expect_served(second);
   close(second);
   stop_server(server);
}

/* Half a header makes no process, and keeps nobody out. */
static void
silent_clients_cost_little(void **state)
{
   enum { NUM_SILENT = 600 };
   static int silent[NUM_SILENT];
   (void)state;

   const pid_t server = start_server(4);
   for (unsigned i = 0; i < NUM_SILENT; i++) {
      silent[i] = reach();
      assert_int_equal(send(silent[i], "half", 4, MSG_NOSIGNAL), 4);
   }
   const int socket = reach();
   expect_served(socket);
   assert_true(count_children(server) <= 1);
   close(socket);
   for (unsigned i = 0; i < NUM_SILENT; i++)
      close(silent[i]);
   stop_server(server);
}

/* Killing a client's process harms no other, and room is there again. */
static void
others_live_on(void **state)
{
   int sockets[8], status;
   char byte;
   (void)state;

   const pid_t server = start_server(8);
   for (unsigned i = 0; i < 8; i++) {
      sockets[i] = reach();
      expect_served(sockets[i]);
   }
   char name[96], text[256] = "";
   snprintf(name, sizeof(name), "/proc/%d/task/%d/children", (int)server,
            (int)server);
   const int file = open(name, O_RDONLY);
   if (file >= 0 && read(file, text, sizeof(text) - 1) > 0) {
      assert_int_equal(kill((pid_t)strtol(text, NULL, 10), SIGKILL), 0);
      wait_for_children(server, 7);
   }
   if (file >= 0)
      close(file);
   unsigned num_alive = 0;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t ping[2] = {0, VTEST_PING};
      uint32_t got[2];

      num_alive += vtest_wire_write(sockets[i], ping, sizeof(ping)) &&
                   vtest_wire_read(sockets[i], got, sizeof(got));
   }
   assert_int_equal(num_alive, text[0] ? 7 : 8);
   const int another = reach();
   if (text[0])
      expect_served(another);
   close(another);
   /* SIGTERM ends all of them. */
   assert_int_equal(kill(server, SIGTERM), 0);
   assert_int_equal(waitpid(server, &status, 0), server);
   for (unsigned i = 0; i < 8; i++) {
      assert_true(recv(sockets[i], &byte, 1, 0) <= 0);
      close(sockets[i]);
   }
   unlink(path);
}

static uint64_t *reported; /* shared with processes */

static void
report(const struct vtest_server_options *options,
       const struct vtest_statistics *statistics)
{
   (void)options;
   *reported += statistics->messages;
}

/* SIGTERM lets clients come to their end, which is told. */
static void
servers_end_in_order(void **state)
{
   struct vtest_server_options options = usual_options(4);
   (void)state;

#ifdef __SANITIZE_THREAD__ /* which handles signals later */
   skip();
#endif
   reported = mmap(NULL, sizeof(*reported), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(reported, MAP_FAILED);
   options.report = report;
   const pid_t server = start_server_with(options);
   const int socket = reach();
   expect_served(socket);
   stop_server(server);
   assert_int_equal(*reported, 2);
   close(socket);
   munmap(reported, sizeof(*reported));
}

/* ---- the sandbox --------------------------------------------------------- */

/* What a process in the sandbox can do, as bits. */
static int
try_everything(void)
{
   int found = 0;
   int ends[2];

   if (!vtest_sandbox_limit_process() || pipe(ends) != 0 ||
       !vtest_enter_sandbox())
      return 128;
   if (open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM)
      found |= 1;
   if (socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM)
      found |= 2;
   if (execl("/bin/true", "true", (char *)NULL) < 0 && errno == EPERM)
      found |= 4;
   if (fork() < 0 && errno == EPERM)
      found |= 8;
   if (write(ends[1], "x", 1) == 1)
      found |= 16;
   void *memory = malloc(64 << 20);
   if (memory && memfd_create("x", 0) >= 0)
      found |= 32;
   free(memory);
   return found;
}

static void
sandboxes_hold(void **state)
{
   int status;
   (void)state;

#ifdef TEST_SANITIZED
   skip();
#endif
   const pid_t child = fork();
   if (child == 0)
      _exit(try_everything());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   if (WEXITSTATUS(status) == 128)
      skip();
   assert_int_equal(WEXITSTATUS(status), 63);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(clients_begin),
      cmocka_unit_test(names_are_clean),
      cmocka_unit_test(glxinfo_has_version_0),
      cmocka_unit_test(memory_is_shared),
      cmocka_unit_test(data_comes_inline),
      cmocka_unit_test(frames_are_kept),
      cmocka_unit_test(half_frames_are_not_seen),
      cmocka_unit_test(frames_outlive_their_writer),
      cmocka_unit_test(long_work_is_seen),
      cmocka_unit_test(contention_is_seen),
      cmocka_unit_test(long_work_is_held),
      cmocka_unit_test(input_is_read_whole),
      cmocka_unit_test(memory_becomes_private),
      cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(strange_messages_end_it),
      cmocka_unit_test(large_transfers_end_it),
      cmocka_unit_test(broken_streams_end_it),
      cmocka_unit_test(some_is_answered_meanwhile),
      cmocka_unit_test(clients_go_at_any_byte),
      cmocka_unit_test(sockets_are_for_one_user),
      cmocka_unit_test(servers_leak_nothing),
      cmocka_unit_test(descriptors_have_one_connection),
      cmocka_unit_test(silent_clients_cost_little),
      cmocka_unit_test(others_live_on),
      cmocka_unit_test(servers_end_in_order),
      cmocka_unit_test(sandboxes_hold),
   };

   return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
