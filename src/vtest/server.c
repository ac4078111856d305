/* SPDX-License-Identifier: MIT
 *
 * The accept loop. A client that connects waits in this process, which reads
 * nothing of what comes, until a whole header is there; then a process is made
 * for it. So clients that say nothing cost a descriptor each.
 */
#include "vtest/server.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/exec.h"
#include "record/writer.h"
#include "tungsten/gpu.h"
#include "util/clock.h"
#include "util/descriptor.h"
#include "util/length.h"
#include "virgl/virgl.h"
#include "vtest/connection.h"
#include "vtest/keeper.h"
#include "vtest/pace.h"
#include "vtest/protocol.h"
#include "vtest/sandbox.h"
#include "vtest/shared.h"

static const uint64_t end_nanoseconds = UINT64_C(2) * 1000 * 1000 * 1000;

enum {
   MAX_WAITING = 512, /* connections without a process */
   HEADER_BYTES = 8,
   SEND_SECONDS = 60, /* that a client may leave a reply unread */
   NUM_EVENTS = 32,
   MAX_CLIENTS = 1024,
};

struct server {
   const struct vtest_server_options *options;
   int listening, signals, events;
   sigset_t before;          /* the mask of signals */
   int waiting[MAX_WAITING]; /* descriptors, the oldest first */
   unsigned num_waiting;
   struct vtest_pace clients[MAX_CLIENTS];
   unsigned num_clients, num_started;
   uint64_t next_look; /* at all of them, tg_clock_now() */
   uint64_t step;      /* from one to the next */
   bool has_keepers;   /* code is kept */
   bool is_over;
};

/* ---- a client ------------------------------------------------------------ */

struct client {
   int socket;
   unsigned number;             /* from 1 */
   bool is_sandboxed;           /* the process is the client's alone */
   bool has_keeper;             /* which has the code cache */
   _Atomic uint32_t *num_reads; /* counts them, or NULL */
};

static void
write_line(void *user, const char *line)
{
   const struct vtest_server_options *options = user;
   char text[640];
   const int length = snprintf(text, sizeof(text), "tungsten: client %d: %s\n",
                               (int)getpid(), line);

   if (options->log >= 0 && length > 0 &&
       write(options->log, text,
             (size_t)length < sizeof(text) ? (size_t)length
                                           : sizeof(text) - 1) < 0)
      return;
}

static void
log_refusals(const struct vtest_server_options *options,
             const struct tg_code_statistics *code)
{
   char line[96];

   if (code->refused == 0)
      return;
   snprintf(line, sizeof(line), "LLVM made no code of %" PRIu64 " kernel%s",
            code->refused, code->refused == 1 ? "" : "s");
   write_line((void *)(uintptr_t)options, line);
}

/* A file of a client, numbered from 1, for what it is to hold; -1: there is
 * none. */
static int
open_file(const struct vtest_server_options *options, const char *first_path,
          unsigned number, const char *what)
{
   char path[PATH_MAX], line[PATH_MAX + 96];

   if (!first_path)
      return -1;
   if (number > 1)
      snprintf(path, sizeof(path), "%s.%u", first_path, number);
   else
      snprintf(path, sizeof(path), "%s", first_path);
   const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (file < 0) {
      snprintf(line, sizeof(line), "no %s, cannot open '%s': %s", what, path,
               strerror(errno));
      write_line((void *)(uintptr_t)options, line);
   }
   return file;
}

static void
close_file(int file)
{
   if (file >= 0)
      close(file);
}

/* With a host of its own. `recording` is a file, or -1. */
static bool
serve_with(const struct vtest_server_options *options,
           const struct client *client, int recording, struct tg_device *device)
{
   const struct record_writer_options writer_options = {
      .file = recording,
      .max_bytes = options->max_record_bytes,
      .max_gl_version = options->max_gl_version,
      .exact_index_offsets = options->exact_index_offsets,
      .log = write_line,
      .user = (void *)(uintptr_t)options,
   };
   struct record_writer writer;
   struct vtest_account account = {.most = options->max_memory};
   const struct virgl_host_options host_options = {
      .device = device,
      .max_gl_version = options->max_gl_version,
      .exact_index_offsets = options->exact_index_offsets,
      .log = write_line,
      .user = (void *)(uintptr_t)options,
      .observer = recording >= 0 ? &writer.observer : NULL,
   };
   struct virgl_host *host;

   if (virgl_host_create(&host_options, &host) != TG_OK) {
      write_line((void *)(uintptr_t)options, "no memory to begin with");
      return false;
   }
   if (recording >= 0)
      record_writer_init(&writer, &writer_options);
   const struct vtest_connection_options connection = {
      .socket = client->socket,
      .host = host,
      .account = &account,
      .max_version = options->max_version,
      .frames = options->frames,
      .num_reads = client->num_reads,
      .profile = tg_device_get_profile(device),
      .log = write_line,
      .user = (void *)(uintptr_t)options,
   };
   struct vtest_statistics statistics;
   const bool is_good = vtest_connection_run(&connection, &statistics);
   statistics.code = (struct tg_code_statistics)TG_CODE_STATISTICS_INIT;
   tg_device_get_code_statistics(device, &statistics.code);
   statistics.profile = tg_device_get_profile(device);
   log_refusals(options, &statistics.code);
   if (options->report)
      options->report(options, &statistics);
   if (recording >= 0)
      record_writer_finish(&writer);
   virgl_host_destroy(host);
   return is_good;
}

static volatile sig_atomic_t socket_at_work, is_ended;

/* The client's process ends as if the client had gone. */
static void
stop_reading(int number)
{
   (void)number;
   is_ended = true;
   shutdown((int)socket_at_work, SHUT_RD);
}

static void
take_end_signal(int socket)
{
   const struct sigaction action = {.sa_handler = stop_reading,
                                    .sa_flags = SA_RESTART};

   socket_at_work = socket;
   sigaction(SIGTERM, &action, NULL);
}

/* A tg_write_function, whose user is a descriptor. */
static bool
write_bytes(void *user, const char *bytes, size_t num_bytes)
{
   return tg_descriptor_write_all(*(const int *)user, bytes, num_bytes);
}

static void
write_profile(const struct vtest_server_options *options,
              struct tg_profile *profile, int file)
{
   const enum tg_result result =
      tg_profile_write_trace(profile, write_bytes, &file);
   char line[96];

   if (result == TG_OK)
      return;
   snprintf(line, sizeof(line), "the profile is not whole: %s",
            result == TG_ERROR_IO ? strerror(errno) : tg_result_name(result));
   write_line((void *)(uintptr_t)options, line);
}

/* NULL where none is asked for, or when out of memory. */
static struct tg_profile *
create_profile(const struct vtest_server_options *options)
{
   struct tg_profile *profile = NULL;

   if (options->is_profiled || options->profile_path)
      tg_profile_create(NULL, NULL, &profile);
   return profile;
}

/* With a device that looks for code in this cache, or NULL. */
static bool
serve_profiled(const struct vtest_server_options *options,
               const struct client *client, struct tg_code_cache *code_cache,
               int recording, struct tg_profile *profile)
{
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   struct tg_device *device;

   device_options.num_threads = options->num_threads;
   device_options.max_memory = options->max_memory;
   device_options.executor = options->executor;
   device_options.code_cache = code_cache;
   device_options.profile = profile;
   if (tg_device_create(NULL, &device_options, &device) != TG_OK)
      return false;
   if (client->is_sandboxed && !vtest_enter_sandbox())
      write_line((void *)(uintptr_t)options,
                 "this kernel has no seccomp: there is no sandbox");
   const bool is_good = serve_with(options, client, recording, device);
   tg_device_destroy(device);
   return is_good;
}

/* What a client's files hold is written within the sandbox, and so they are
 * opened first. */
static bool
serve_client(const struct vtest_server_options *options,
             const struct client *client, struct tg_code_cache *code_cache)
{
   const int recording =
      open_file(options, options->record_path, client->number, "recording");
   const int trace =
      open_file(options, options->profile_path, client->number, "profile");
   const struct timeval most = {.tv_sec = SEND_SECONDS};
   struct tg_profile *profile = create_profile(options);

   setsockopt(client->socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
   const bool is_good =
      serve_profiled(options, client, code_cache, recording, profile);
   if (profile && trace >= 0)
      write_profile(options, profile, trace);
   tg_profile_destroy(profile);
   close_file(trace);
   close_file(recording);
   return is_good;
}

/* What is in the folder of the cache the client's process gets from its keeper,
 * which has it alone. While that is at work for it the client counts as one. */
static bool
serve_with_keeper(const struct vtest_server_options *options,
                  const struct client *client)
{
   struct vtest_keeper keeper;
   const bool has_keeper =
      client->has_keeper &&
      vtest_keeper_begin(&keeper, options->code_cache, options->executor);

   if (options->code_cache)
      close(options->code_cache->folder);
   if (!has_keeper)
      return serve_client(options, client, NULL);
   const bool is_good = serve_client(options, client, &keeper.cache);
   close(client->socket);
   if (!is_ended)
      vtest_keeper_wait(&keeper);
   vtest_keeper_end(&keeper);
   return is_good;
}

/* ---- processes ----------------------------------------------------------- */

/* Leaves standard streams, the log and one descriptor; and of the memory that
 * is shared with processes that of this one. */
static void
close_others(struct server *server, int socket)
{
   close(server->listening);
   close(server->signals);
   close(server->events);
   for (unsigned i = 0; i < server->num_waiting; i++) {
      if (server->waiting[i] != socket)
         close(server->waiting[i]);
   }
   for (unsigned i = 0; i < server->num_clients; i++)
      vtest_pace_end(&server->clients[i]);
}

static int
run_client(struct server *server, const struct client *client)
{
   close_others(server, client->socket);
   take_end_signal(client->socket);
   sigprocmask(SIG_SETMASK, &server->before, NULL);
   return vtest_sandbox_limit_process() &&
                serve_with_keeper(server->options, client)
             ? 0
             : 1;
}

static void
start_client(struct server *server, int socket)
{
   struct vtest_pace pace;

   server->num_started++;
   if (!vtest_pace_begin(&pace))
      return;
   pace.process = fork();
   if (pace.process == 0) {
      const struct client client = {
         .socket = socket,
         .number = server->num_started,
         .is_sandboxed = true,
         .has_keeper = server->has_keepers,
         .num_reads = pace.num_reads,
      };

      _exit(run_client(server, &client));
   }
   if (pace.process < 0) {
      vtest_pace_end(&pace);
      return;
   }
   server->clients[server->num_clients++] = pace;
   if (server->options->num_clients)
      ++*server->options->num_clients;
}

/* Once for each client. */
static void
report_held_clients(struct server *server)
{
   for (unsigned i = 0; i < server->num_clients; i++) {
      struct vtest_pace *client = &server->clients[i];
      char line[96];

      if (!client->is_stopped || client->is_reported)
         continue;
      client->is_reported = true;
      snprintf(line, sizeof(line),
               "process %d takes long for a frame; others come first",
               (int)client->process);
      write_line((void *)(uintptr_t)server->options, line);
   }
}

static void
look_at_clients(struct server *server)
{
   const uint64_t now = tg_clock_now();

   if (now < server->next_look || !server->num_clients)
      return;
   const bool is_held =
      vtest_pace_look(server->clients, server->num_clients, now);
   server->step = is_held ? VTEST_PACE_SHORT_STEP : VTEST_PACE_STEP;
   server->next_look = now + server->step;
   report_held_clients(server);
}

/* Milliseconds until then; one client that is alone is not held. */
static int
time_to_wait(const struct server *server)
{
   if (server->num_clients < 2 && server->step != VTEST_PACE_SHORT_STEP)
      return -1;
   return (int)(server->step / VTEST_PACE_MILLISECOND);
}

/* ---- waiting connections ------------------------------------------------- */

/* A client's process has the socket, too, so that closing it here does not end
 * its events, and its number may be that of another one soon. */
static void
forget(struct server *server, unsigned place)
{
   assert(place < TG_LENGTH(server->waiting));
   epoll_ctl(server->events, EPOLL_CTL_DEL, server->waiting[place], NULL);
   close(server->waiting[place]);
   server->num_waiting--;
   memmove(&server->waiting[place], &server->waiting[place + 1],
           (server->num_waiting - place) * sizeof(server->waiting[0]));
}

/* Is it this user, or the superuser? */
static bool
is_allowed(int socket)
{
   struct ucred peer;
   socklen_t size = sizeof(peer);

   return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
          (peer.uid == geteuid() || peer.uid == 0);
}

/* Of too many the one that has waited longest goes. */
static void
take_connection(struct server *server)
{
   const int socket = accept4(server->listening, NULL, NULL, SOCK_CLOEXEC);

   if (socket < 0)
      return;
   struct epoll_event event = {.events = EPOLLIN | EPOLLET | EPOLLRDHUP,
                               .data.fd = socket};
   if (!is_allowed(socket) ||
       epoll_ctl(server->events, EPOLL_CTL_ADD, socket, &event) != 0) {
      close(socket);
      return;
   }
   if (server->num_waiting == MAX_WAITING)
      forget(server, 0);
   server->waiting[server->num_waiting++] = socket;
}

/* One that will send no more: without a whole header it is forgotten. */
static void
end_connection(struct server *server, int socket)
{
   char header[HEADER_BYTES];

   for (unsigned i = 0; i < server->num_waiting; i++) {
      if (server->waiting[i] == socket &&
          recv(socket, header, sizeof(header), MSG_PEEK | MSG_DONTWAIT) <
             HEADER_BYTES) {
         forget(server, i);
         return;
      }
   }
}

/* Starts those of which a header is there, as many as there may be; those that
 * have gone are forgotten. */
static void
start_clients(struct server *server)
{
   for (unsigned i = 0; i < server->num_waiting;) {
      char header[HEADER_BYTES];
      const ssize_t count = recv(server->waiting[i], header, sizeof(header),
                                 MSG_PEEK | MSG_DONTWAIT);
      const bool is_gone =
         count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);

      if (count == HEADER_BYTES && server->num_clients < MAX_CLIENTS &&
          server->num_clients < server->options->max_clients) {
         start_client(server, server->waiting[i]);
         forget(server, i);
      } else if (is_gone) {
         forget(server, i);
      } else {
         i++;
      }
   }
}

/* ---- signals ------------------------------------------------------------- */

static void
forget_client(struct server *server, pid_t process)
{
   for (unsigned i = 0; i < server->num_clients; i++) {
      if (server->clients[i].process == process) {
         vtest_pace_end(&server->clients[i]);
         server->clients[i] = server->clients[--server->num_clients];
      }
   }
}

static void
reap_clients(struct server *server)
{
   int status;
   pid_t process;

   while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
      forget_client(server, process);
      if (WIFSIGNALED(status) && WTERMSIG(status) != SIGTERM) {
         char line[64];

         snprintf(line, sizeof(line), "process %d was ended by signal %d",
                  (int)process, WTERMSIG(status));
         write_line((void *)(uintptr_t)server->options, line);
      }
   }
}

static void
take_signals(struct server *server)
{
   struct signalfd_siginfo info;

   while (read(server->signals, &info, sizeof(info)) == sizeof(info)) {
      if (info.ssi_signo == SIGCHLD)
         reap_clients(server);
      else
         server->is_over = true;
   }
}

/* ---- the loop ------------------------------------------------------------ */

static bool
watch(const struct server *server, int descriptor)
{
   struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};

   return epoll_ctl(server->events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static bool
begin(struct server *server)
{
   sigset_t signals;

   prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* of keepers */
   sigemptyset(&signals);
   sigaddset(&signals, SIGTERM);
   sigaddset(&signals, SIGINT);
   sigaddset(&signals, SIGCHLD);
   sigprocmask(SIG_BLOCK, &signals, &server->before);
   server->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
   server->events = epoll_create1(EPOLL_CLOEXEC);
   return server->signals >= 0 && server->events >= 0 &&
          watch(server, server->signals) && watch(server, server->listening);
}

static void
loop(struct server *server)
{
   struct epoll_event events[NUM_EVENTS];

   while (!server->is_over) {
      const int count =
         epoll_wait(server->events, events, NUM_EVENTS, time_to_wait(server));

      for (int i = 0; i < count; i++) {
         if (events[i].data.fd == server->listening)
            take_connection(server);
         else if (events[i].data.fd == server->signals)
            take_signals(server);
         else if (events[i].events & (EPOLLRDHUP | EPOLLHUP))
            end_connection(server, events[i].data.fd);
      }
      start_clients(server);
      look_at_clients(server);
   }
}

static void
signal_clients(const struct server *server, int number)
{
   for (unsigned i = 0; i < server->num_clients; i++)
      kill(server->clients[i].process, number);
}

/* Clients get a time to finish what they draw. */
static void
end_clients(struct server *server)
{
   const uint64_t begin = tg_clock_now();
   const struct timespec step = {.tv_nsec = 100 * 1000 * 1000};
   sigset_t ends;

   sigemptyset(&ends);
   sigaddset(&ends, SIGCHLD);
   signal_clients(server, SIGTERM);
   for (unsigned i = 0; i < server->num_clients; i++)
      vtest_pace_release(&server->clients[i]);
   reap_clients(server);
   while (server->num_clients && tg_clock_now() - begin < end_nanoseconds) {
      sigtimedwait(&ends, NULL, &step);
      reap_clients(server);
   }
   signal_clients(server, SIGKILL);
   while (server->num_clients) {
      const pid_t process = waitpid(-1, NULL, 0);

      if (process < 0 && errno != EINTR)
         break;
      forget_client(server, process);
   }
}

/* One after the other, in this process: for debuggers. */
static bool
serve_one(int listening, const struct vtest_server_options *options)
{
   const int socket = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

   if (socket < 0)
      return false;
   const struct client client = {.socket = socket, .number = 1};
   const bool is_good =
      is_allowed(socket) && serve_client(options, &client, options->code_cache);
   close(socket);
   return is_good;
}

/* There is a cache, and the executor has objects to keep. */
static bool
keeps_code(const struct vtest_server_options *options)
{
   const struct exec_executor *executor =
      options->code_cache ? exec_find_executor(options->executor) : NULL;

   return executor && executor->make_object;
}

bool
vtest_serve(int listening, const struct vtest_server_options *options)
{
   struct server server = {
      .options = options,
      .listening = listening,
      .step = VTEST_PACE_STEP,
      .has_keepers = keeps_code(options),
   };

   if (options->is_single) {
      const bool is_good = serve_one(listening, options);
      close(listening);
      return is_good;
   }
   const bool is_good = begin(&server);
   if (is_good)
      loop(&server);
   while (server.num_waiting)
      forget(&server, server.num_waiting - 1);
   end_clients(&server);
   close(server.signals);
   close(server.events);
   close(listening);
   sigprocmask(SIG_SETMASK, &server.before, NULL);
   return is_good;
}
