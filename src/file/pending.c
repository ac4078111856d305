/* SPDX-License-Identifier: MIT
 *
 * Atomic publication of one file. A file without a name vanishes with its
 * process, so it is linked to its name when it is complete. As a link does not
 * replace, one that is to replace another gets a name for the meantime, and is
 * renamed at once.
 */
#include "file/pending.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
   MAX_LINKS = 40,  /* that a path leads through, as in the kernel */
   MAX_TRIES = 100, /* names for the meantime that others have */
};

/* ---- where it goes ------------------------------------------------------- */

/* How much of a path names the folder. */
static int
folder_length(const char *path)
{
   const char *slash = strrchr(path, '/');

   return slash ? (int)(slash - path) + 1 : 0;
}

/* The name of a path's folder, to be freed; NULL when out of memory. */
static char *
folder_of(const char *path)
{
   const int length = folder_length(path);

   return length ? strndup(path, (size_t)length) : strdup(".");
}

/* What the link at a path points to, as a path; NULL with errno, which is
 * EINVAL where there is no link. */
static char *
read_link(const char *path)
{
   char target[PATH_MAX];
   char *full;
   const ssize_t length = readlink(path, target, sizeof(target) - 1);

   if (length < 0)
      return NULL;
   target[length] = '\0';
   const int folder = *target == '/' ? 0 : folder_length(path);
   return asprintf(&full, "%.*s%s", folder, path, target) < 0 ? NULL : full;
}

/* Where links end that lead to no file yet. */
static char *
follow_links(const char *path)
{
   char *at = strdup(path);

   for (int i = 0; at && i < MAX_LINKS; i++) {
      char *next = read_link(at);

      if (!next && (errno == EINVAL || errno == ENOENT))
         return at;
      free(at);
      at = next;
   }
   if (at)
      errno = ELOOP;
   free(at);
   return NULL;
}

/* A regular file that is there. One that no path leads to, as it was removed
 * while it was open, is written to as it is. */
static bool
find_existing(struct file_pending *file, const char *path,
              const struct stat *info)
{
   struct stat found;

   file->replaces = true;
   file->mode = info->st_mode & 0777;
   file->user = info->st_uid;
   file->group = info->st_gid;
   file->target = realpath(path, NULL);
   if (file->target &&
       (stat(file->target, &found) != 0 || found.st_dev != info->st_dev ||
        found.st_ino != info->st_ino)) {
      free(file->target);
      file->target = NULL;
   }
   return !file->target ||
          faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS) == 0;
}

bool
file_pending_init(struct file_pending *file, const char *path)
{
   struct stat info;

   *file = (struct file_pending){.fd = -1};
   if (stat(path, &info) == 0)
      return !S_ISREG(info.st_mode) || find_existing(file, path, &info);
   if (errno == ENOENT)
      file->target = follow_links(path);
   return file->target != NULL;
}

static bool
is_folder(const char *path)
{
   struct stat info;

   return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool
file_pending_is_allowed(const struct file_pending *file, const char *path)
{
   if (!*path || is_folder(path)) {
      errno = *path ? EISDIR : ENOENT;
      return false;
   }
   if (!file->target)
      return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
   char *folder = folder_of(file->target);
   const bool is_allowed =
      folder && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
   const int reason = errno;
   free(folder);
   errno = reason;
   return is_allowed;
}

/* ---- making it ----------------------------------------------------------- */

/* Nobody else reads what will replace a file before it has that file's mode. */
static mode_t
first_mode(const struct file_pending *file)
{
   return file->replaces ? 0600 : 0666;
}

/* The file's name among the descriptors of the process, by which it is
 * linked. */
static void
name_descriptor(const struct file_pending *file, char name[32])
{
   snprintf(name, 32, "/proc/self/fd/%d", file->fd);
}

bool
file_pending_create(struct file_pending *file)
{
   char descriptor[32];
   char *folder = folder_of(file->target);
   if (!folder)
      return false;

   file->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, first_mode(file));
   free(folder);
   if (file->fd < 0)
      return false;
   name_descriptor(file, descriptor);
   if (access(descriptor, F_OK) == 0)
      return true;
   close(file->fd); /* without /proc it could not be linked */
   file->fd = -1;
   return false;
}

/* Tries a function with names in the target's folder until one is new. */
static bool
try_names(struct file_pending *file, bool (*take)(struct file_pending *file))
{
   struct timespec now;

   clock_gettime(CLOCK_REALTIME, &now);
   for (unsigned i = 0; i < MAX_TRIES; i++) {
      if (asprintf(&file->name, "%.*s.tungsten-%08x-%08x",
                   folder_length(file->target), file->target,
                   (unsigned)getpid(), (unsigned)now.tv_nsec + i) < 0) {
         file->name = NULL;
         return false;
      }
      if (take(file))
         return true;
      const int reason = errno;
      free(file->name);
      file->name = NULL;
      errno = reason;
      if (reason != EEXIST)
         return false;
   }
   return false;
}

static bool
create_name(struct file_pending *file)
{
   file->fd = open(file->name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                   first_mode(file));
   return file->fd >= 0;
}

bool
file_pending_create_named(struct file_pending *file)
{
   return try_names(file, create_name);
}

/* ---- giving it its name -------------------------------------------------- */

/* Its group may read and write it as before, if it can have that group. */
static bool
take_over(const struct file_pending *file)
{
   mode_t mode = file->mode;

   if (fchown(file->fd, file->user, file->group) != 0 &&
       fchown(file->fd, (uid_t)-1, file->group) != 0)
      mode &= ~(mode_t)S_IRWXG;
   return fchmod(file->fd, mode) == 0;
}

/* There are files that know no fsync(). */
static bool
sync_descriptor(int fd)
{
   return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ||
          errno == ENOSYS;
}

bool
file_pending_complete(const struct file_pending *file)
{
   if (file->replaces && !take_over(file))
      return false;
   sync_file_range(file->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
   return true;
}

bool
file_pending_sync(const struct file_pending *file)
{
   return sync_descriptor(file->fd);
}

static bool
link_to(const struct file_pending *file, const char *name)
{
   char descriptor[32];

   name_descriptor(file, descriptor);
   return linkat(AT_FDCWD, descriptor, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool
link_name(struct file_pending *file)
{
   return link_to(file, file->name);
}

static bool
rename_to_target(struct file_pending *file)
{
   if (rename(file->name, file->target) != 0)
      return false;
   free(file->name);
   file->name = NULL;
   return true;
}

bool
file_pending_publish(struct file_pending *file)
{
   if (!file->name && !link_to(file, file->target)) {
      if (errno != EEXIST || !try_names(file, link_name))
         return false;
   }
   return !file->name || rename_to_target(file);
}

/* ---- the folder ---------------------------------------------------------- */

bool
file_pending_share_folder(const struct file_pending *a,
                          const struct file_pending *b)
{
   const int length = a->target ? folder_length(a->target) : 0;

   return a->target && b->target && folder_length(b->target) == length &&
          strncmp(a->target, b->target, (size_t)length) == 0;
}

/* Not every folder can be opened. */
bool
file_pending_sync_folder(const struct file_pending *file)
{
   char *folder = folder_of(file->target);
   if (!folder)
      return false;

   const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   free(folder);
   if (fd < 0)
      return true;
   const bool good = fsync(fd) == 0 || errno != EIO;
   close(fd);
   return good;
}

/* ---- the end ------------------------------------------------------------- */

void
file_pending_close(struct file_pending *file)
{
   const int reason = errno;

   if (file->fd >= 0)
      close(file->fd);
   file->fd = -1;
   errno = reason;
}

void
file_pending_finish(struct file_pending *file)
{
   const int reason = errno;

   if (file->name)
      unlink(file->name);
   file_pending_close(file);
   free(file->name);
   free(file->target);
   errno = reason;
}
