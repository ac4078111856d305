/* SPDX-License-Identifier: MIT
 *
 * Atomic writing of several files, in steps, each for all files, so that what
 * can fail comes first and what cannot be undone comes last.
 */
#include "file/write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/pending.h"

enum {
   PIECE = 1 << 20,   /* bytes between two looks at the signals that wait */
   MAX_NAMELESS = 64, /* files that are open at a time */
};

struct writer {
   const struct file_output *outputs;
   struct file_pending *files;
   unsigned count;
   bool holds_signals;
   sigset_t blocked; /* before they were held */
};

/* ---- signals ------------------------------------------------------------- */

static void
hold_signals(struct writer *writer)
{
   sigset_t all;

   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &writer->blocked);
   writer->holds_signals = true;
}

static void
release_signals(struct writer *writer)
{
   const int reason = errno;

   if (writer->holds_signals)
      pthread_sigmask(SIG_SETMASK, &writer->blocked, NULL);
   writer->holds_signals = false;
   errno = reason;
}

/* Does a signal wait that was not blocked before? It may be about to end the
 * process, which should not take long then. */
static bool
is_interrupted(const struct writer *writer)
{
   sigset_t pending;

   if (!writer->holds_signals || sigpending(&pending) != 0)
      return false;
   for (int i = 1; i < SIGRTMIN; i++) {
      if (i != SIGCHLD && i != SIGWINCH && i != SIGCONT && i != SIGURG &&
          sigismember(&pending, i) == 1 &&
          sigismember(&writer->blocked, i) == 0)
         return true;
   }
   return false;
}

/* ---- steps --------------------------------------------------------------- */

static bool
write_all(const struct writer *writer, int fd, const char *data, size_t size)
{
   while (size) {
      const ssize_t written = write(fd, data, size < PIECE ? size : PIECE);

      if (written < 0 && errno != EINTR)
         return false;
      if (is_interrupted(writer)) {
         errno = EINTR;
         return false;
      }
      if (written > 0) {
         data += written;
         size -= (size_t)written;
      }
   }
   return true;
}

static bool
write_output(const struct writer *writer, int fd,
             const struct file_output *output)
{
   return write_all(writer, fd, output->head, output->head_size) &&
          write_all(writer, fd, output->data, output->size);
}

static bool
find(struct writer *writer, unsigned i)
{
   return file_pending_init(&writer->files[i], writer->outputs[i].path);
}

/* Writes to a file that is there but for its name. */
static bool
fill(struct writer *writer, unsigned i)
{
   struct file_pending *file = &writer->files[i];

   return write_output(writer, file->fd, &writer->outputs[i]) &&
          file_pending_complete(file);
}

/* Writes a file without a name, where there are such. */
static bool
prepare(struct writer *writer, unsigned i)
{
   struct file_pending *file = &writer->files[i];

   return i >= MAX_NAMELESS || !file->target || !file_pending_create(file) ||
          fill(writer, i);
}

static bool
sync_nameless(struct writer *writer, unsigned i)
{
   return writer->files[i].fd < 0 || file_pending_sync(&writer->files[i]);
}

/* Writes to a pipe or device. */
static bool
write_through(struct writer *writer, unsigned i)
{
   const struct file_output *output = &writer->outputs[i];

   if (writer->files[i].target)
      return true;
   const int fd = open(output->path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
   if (fd < 0)
      return false;
   const bool good = write_output(writer, fd, output);
   const int reason = errno;
   const bool is_closed = close(fd) == 0;
   if (!good)
      errno = reason;
   return good && is_closed;
}

/* Writes a file under a name for the meantime, where there is no other way. */
static bool
prepare_named(struct writer *writer, unsigned i)
{
   struct file_pending *file = &writer->files[i];

   if (!file->target || file->fd >= 0)
      return true;
   const bool good = file_pending_create_named(file) && fill(writer, i) &&
                     file_pending_sync(file);
   file_pending_close(file);
   return good;
}

static bool
publish(struct writer *writer, unsigned i)
{
   struct file_pending *file = &writer->files[i];

   return !file->target || file_pending_publish(file);
}

static bool
sync_folder(struct writer *writer, unsigned i)
{
   const struct file_pending *file = &writer->files[i];
   const bool is_done =
      i > 0 && file_pending_share_folder(file, &writer->files[i - 1]);

   return !file->target || is_done || file_pending_sync_folder(file);
}

static bool
for_each(struct writer *writer, bool (*step)(struct writer *writer, unsigned i),
         const char **path_out)
{
   for (unsigned i = 0; i < writer->count; i++) {
      if (step(writer, i))
         continue;
      *path_out = writer->outputs[i].path;
      return false;
   }
   return true;
}

/* All files are open at once, which may be more than the process may have
 * without asking. */
static void
allow_descriptors(unsigned count)
{
   enum { OTHERS = 64 };
   const rlim_t wanted = (rlim_t)count + OTHERS;
   struct rlimit limit;

   if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
      return;
   limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
   setrlimit(RLIMIT_NOFILE, &limit);
}

static bool
write_files(struct writer *writer, const char **path_out)
{
   allow_descriptors(writer->count);
   if (!for_each(writer, find, path_out) ||
       !for_each(writer, prepare, path_out) ||
       !for_each(writer, sync_nameless, path_out) ||
       !for_each(writer, write_through, path_out))
      return false;
   hold_signals(writer);
   return for_each(writer, prepare_named, path_out) &&
          for_each(writer, publish, path_out) &&
          for_each(writer, sync_folder, path_out);
}

bool
file_write(const struct file_output *outputs, unsigned count,
           const char **path_out)
{
   struct writer writer = {.outputs = outputs, .count = count};

   if (!count)
      return true;
   *path_out = outputs[0].path;
   writer.files = calloc(count, sizeof(*writer.files));
   if (!writer.files)
      return false;
   for (unsigned i = 0; i < count; i++)
      writer.files[i].fd = -1;
   const bool good = write_files(&writer, path_out);
   for (unsigned i = 0; i < count; i++)
      file_pending_finish(&writer.files[i]);
   release_signals(&writer);
   free(writer.files);
   return good;
}

bool
file_can_write(const char *path)
{
   struct file_pending file;
   const bool is_good =
      file_pending_init(&file, path) && file_pending_is_allowed(&file, path);
   const int reason = errno;

   file_pending_finish(&file);
   errno = reason;
   return is_good;
}

/* ---- names --------------------------------------------------------------- */

/* The folder in which a file is or will be. */
static bool
stat_folder(const char *path, struct stat *info)
{
   const char *slash = strrchr(path, '/');
   char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
   const bool good =
      (!slash || folder) && stat(slash ? folder : ".", info) == 0;

   free(folder);
   return good;
}

static const char *
last_name(const char *path)
{
   const char *slash = strrchr(path, '/');

   return slash ? slash + 1 : path;
}

bool
file_is_same(const char *a, const char *b)
{
   struct stat of_a, of_b;
   const bool has_a = stat(a, &of_a) == 0;
   const bool has_b = stat(b, &of_b) == 0;

   if (has_a != has_b || (has_a && !S_ISREG(of_a.st_mode)))
      return false;
   if (!has_a && (strcmp(last_name(a), last_name(b)) != 0 ||
                  !stat_folder(a, &of_a) || !stat_folder(b, &of_b)))
      return false;
   return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}
