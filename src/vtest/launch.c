/* SPDX-License-Identifier: MIT
 *
 * One program with a server of its own: a folder with a socket, a process that
 * serves it, the program, and their end.
 */
#include "vtest/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vtest/protocol.h"

enum { CANNOT_START = 127, ENDED_BY_SIGNAL = 128 };

struct launch {
   char folder[64], path[96];
   int listening;
   int place;             /* of the file at VTEST_DEFAULT_PATH, or -1 */
   uint32_t *num_clients; /* in memory that the server shares */
   pid_t server;
};

/* ---- the folder and the socket ------------------------------------------- */

static bool
open_socket(struct launch *launch, char sentence[], unsigned sentence_size)
{
   const char *parent = getenv("XDG_RUNTIME_DIR");

   snprintf(launch->folder, sizeof(launch->folder), "%.40s/tungsten-XXXXXX",
            parent && access(parent, W_OK) == 0 ? parent : "/tmp");
   if (!mkdtemp(launch->folder)) {
      snprintf(sentence, sentence_size, "cannot make '%s': %s", launch->folder,
               strerror(errno));
      launch->folder[0] = '\0';
      return false;
   }
   snprintf(launch->path, sizeof(launch->path), "%s/socket", launch->folder);
   launch->listening = vtest_listen(launch->path, sentence, sentence_size);
   return launch->listening >= 0;
}

/* Something for a socket to be mounted on, where nothing is: another server's
 * socket, which does not open, serves as well. Those who use it hold a lock, so
 * that the last one takes it away. */
static void
open_place(struct launch *launch)
{
   launch->place = open(VTEST_DEFAULT_PATH,
                        O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
   if (launch->place >= 0 && flock(launch->place, LOCK_SH | LOCK_NB) != 0) {
      close(launch->place);
      launch->place = -1;
   }
}

static void
close_place(struct launch *launch)
{
   struct stat status;

   if (launch->place < 0)
      return;
   if (flock(launch->place, LOCK_EX | LOCK_NB) == 0 &&
       fstat(launch->place, &status) == 0 && S_ISREG(status.st_mode) &&
       status.st_size == 0 && status.st_uid == geteuid())
      unlink(VTEST_DEFAULT_PATH);
   close(launch->place);
}

/* ---- the server ---------------------------------------------------------- */

static bool
start_server(struct launch *launch, const struct vtest_server_options *options)
{
   struct vtest_server_options own = *options;
   const pid_t parent = getpid();

   launch->num_clients = mmap(NULL, sizeof(uint32_t), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (launch->num_clients == MAP_FAILED)
      return false;
   own.num_clients = launch->num_clients;
   own.is_single = false;
   launch->server = fork();
   if (launch->server == 0) {
      /* Signals of the terminal are for the program. */
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      _exit(getppid() == parent && vtest_serve(launch->listening, &own) ? 0
                                                                        : 1);
   }
   return launch->server > 0;
}

/* ---- the program --------------------------------------------------------- */

static void
write_file(const char *path, const char *text)
{
   const int file = open(path, O_WRONLY | O_CLOEXEC);

   if (file < 0)
      return;
   if (write(file, text, strlen(text)) < 0)
      perror(path);
   close(file);
}

/* A mount namespace, within a user namespace in which this user is itself
 * unless it is the superuser. */
static bool
enter_namespace(void)
{
   const uid_t user = geteuid();
   const gid_t group = getegid();
   char line[64];

   if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return false;
   if (user != 0) {
      write_file("/proc/self/setgroups", "deny");
      snprintf(line, sizeof(line), "%u %u 1", (unsigned)user, (unsigned)user);
      write_file("/proc/self/uid_map", line);
      snprintf(line, sizeof(line), "%u %u 1", (unsigned)group, (unsigned)group);
      write_file("/proc/self/gid_map", line);
   }
   return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* Mesa before 23 finds the socket, too. */
static void
mount_socket(const struct launch *launch)
{
   if (!enter_namespace() ||
       mount(launch->path, VTEST_DEFAULT_PATH, NULL, MS_BIND, NULL) != 0)
      fprintf(stderr,
              "tungsten: no mount namespace: Mesa before 23 will not find the "
              "server\n");
}

/* What keeps Mesa's client from ending and from standing still, for users to
 * overrule:
 *   GDK_GL         GTK 3 uses textures of pixmaps, for which that client calls
 *                  a function that it does not have for a socket
 *   DRAW_USE_LLVM  GL_SELECT, GL_FEEDBACK and glRasterPos() are the client's,
 *                  which may compile for minutes with LLVM */
static void
set_defaults(void)
{
   setenv("GDK_GL", "software-draw-surface", false);
   setenv("DRAW_USE_LLVM", "false", false);
}

static void
run_program(const struct launch *launch, char *const arguments[])
{
   setenv("GALLIUM_DRIVER", "virpipe", true);
   setenv("LIBGL_ALWAYS_SOFTWARE", "true", true);
   setenv("VTEST_SOCKET_NAME", launch->path, true);
   set_defaults();
   mount_socket(launch);
   execvp(arguments[0], arguments);
   fprintf(stderr, "tungsten: cannot run '%s': %s\n", arguments[0],
           strerror(errno));
   _exit(CANNOT_START);
}

static int
wait_for(pid_t process)
{
   int status;

   while (waitpid(process, &status, 0) < 0) {
      if (errno != EINTR)
         return CANNOT_START;
   }
   return WIFEXITED(status) ? WEXITSTATUS(status)
                            : ENDED_BY_SIGNAL + WTERMSIG(status);
}

static volatile sig_atomic_t program_at_work;

static void
pass_on(int number)
{
   kill((pid_t)program_at_work, number);
}

/* What ends the program leaves this process to tidy up: signals of the terminal
 * reach both, others are passed on. */
static void
take_signals(pid_t program)
{
   static const int passed[] = {SIGTERM, SIGHUP};
   struct sigaction action = {.sa_handler = pass_on};

   program_at_work = program;
   for (unsigned i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
      sigaction(passed[i], &action, NULL);
   signal(SIGINT, SIG_IGN);
   signal(SIGQUIT, SIG_IGN);
}

static int
start_program(const struct launch *launch, char *const arguments[])
{
   const pid_t program = fork();

   if (program == 0)
      run_program(launch, arguments);
   if (program < 0)
      return CANNOT_START;
   take_signals(program);
   return wait_for(program);
}

/* ---- all of it ----------------------------------------------------------- */

static void
finish(struct launch *launch)
{
   if (launch->server > 0) {
      kill(launch->server, SIGTERM);
      wait_for(launch->server);
   }
   if (launch->listening >= 0)
      close(launch->listening);
   close_place(launch);
   if (launch->path[0])
      unlink(launch->path);
   if (launch->folder[0])
      rmdir(launch->folder);
}

int
vtest_launch(char *const arguments[],
             const struct vtest_server_options *options, char sentence[],
             unsigned sentence_size)
{
   struct launch launch = {.listening = -1, .place = -1};
   int status = CANNOT_START;

   if (open_socket(&launch, sentence, sentence_size)) {
      open_place(&launch);
      if (!start_server(&launch, options)) {
         snprintf(sentence, sentence_size, "cannot start a server: %s",
                  strerror(errno));
      } else {
         status = start_program(&launch, arguments);
         if (!*launch.num_clients && status != CANNOT_START)
            snprintf(sentence, sentence_size,
                     "'%s' did not ask for the server: it uses no OpenGL, or "
                     "its Mesa has no driver 'virpipe'",
                     arguments[0]);
      }
   }
   finish(&launch);
   return status;
}
