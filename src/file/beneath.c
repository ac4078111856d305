/* SPDX-License-Identifier: MIT
 *
 * Path resolution beneath a folder: by openat2(2) with RESOLVE_BENEATH, or by
 * walking from name to name.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file/open.h"

enum {
   OPEN_FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
   MAX_TRIES = 16, /* while others rename what the path goes through */
   MAX_LINKS = 40, /* that a path leads through, as in the kernel */
   MAX_DEPTH = 64, /* folders below the first */
};

int
file_look_up_beneath_by_kernel(int root, const char *path)
{
   struct open_how how = {
      .flags = OPEN_FLAGS,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
   };
   int tries = 0;
   int fd;

   do {
      fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
   } while (fd < 0 && (errno == EAGAIN || errno == EINTR) &&
            ++tries < MAX_TRIES);
   return fd;
}

/* ---- by hand ------------------------------------------------------------- */

/* Where a walk is. Its way back is a list of descriptors, as `..` of a folder
 * that was moved leads elsewhere. */
struct walk {
   int folders[MAX_DEPTH + 1]; /* the first is not the walk's own */
   unsigned depth;
   unsigned num_links;
   char rest[PATH_MAX]; /* of the path */
};

static bool
fail(int reason)
{
   errno = reason;
   return false;
}

/* Takes the next name off the rest. */
static bool
take_name(struct walk *walk, char name[NAME_MAX + 1])
{
   const size_t length = strcspn(walk->rest, "/");
   if (length > NAME_MAX)
      return fail(ENAMETOOLONG);

   memcpy(name, walk->rest, length);
   name[length] = '\0';
   const char *next = walk->rest + length;
   memmove(walk->rest, next, strlen(next) + 1);
   return true;
}

/* Slashes before the next name; there are none when the path is at its end. */
static void
skip_slashes(struct walk *walk)
{
   const size_t length = strspn(walk->rest, "/");

   memmove(walk->rest, walk->rest + length, strlen(walk->rest + length) + 1);
}

static bool
go_up(struct walk *walk)
{
   if (!walk->depth)
      return fail(EXDEV);
   close(walk->folders[walk->depth--]);
   return true;
}

static bool
go_down(struct walk *walk, const char *name)
{
   if (walk->depth == MAX_DEPTH)
      return fail(ENAMETOOLONG);
   const int fd = openat(walk->folders[walk->depth], name,
                         O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
   if (fd < 0)
      return false;
   walk->folders[++walk->depth] = fd;
   return true;
}

/* Puts where a link points before the rest of the path. */
static bool
follow(struct walk *walk, const char *target)
{
   char path[2 * PATH_MAX];

   if (*target == '/')
      return fail(EXDEV);
   if (++walk->num_links > MAX_LINKS)
      return fail(ELOOP);
   const int length = snprintf(path, sizeof(path), "%s%s", target, walk->rest);
   if (length >= PATH_MAX)
      return fail(ENAMETOOLONG);
   memcpy(walk->rest, path, (size_t)length + 1);
   return true;
}

/* Goes to the next name; sets `*fd_out` when it was the last. */
static bool
step(struct walk *walk, int *fd_out)
{
   char name[NAME_MAX + 1], target[PATH_MAX];

   if (!take_name(walk, name))
      return false;
   const bool is_last = !*walk->rest;
   const int folder = walk->folders[walk->depth];
   if (strcmp(name, "..") == 0)
      return go_up(walk);
   if (strcmp(name, ".") == 0)
      return true;
   const ssize_t length = readlinkat(folder, name, target, sizeof(target) - 1);
   if (length >= 0) {
      target[length] = '\0';
      return follow(walk, target);
   }
   if (errno != EINVAL) /* which means that it is no link */
      return false;
   if (!is_last)
      return go_down(walk, name);
   *fd_out = openat(folder, name, OPEN_FLAGS | O_NOFOLLOW);
   return *fd_out >= 0;
}

int
file_look_up_beneath_by_hand(int root, const char *path)
{
   struct walk walk = {.folders = {root}};
   const size_t length = strlen(path);
   int fd = -1;
   bool good;

   if (length >= sizeof(walk.rest) || length == 0 || *path == '/') {
      errno = length == 0 ? ENOENT : *path == '/' ? EXDEV : ENAMETOOLONG;
      return -1;
   }
   memcpy(walk.rest, path, length + 1);
   do {
      good = step(&walk, &fd);
      skip_slashes(&walk);
   } while (good && fd < 0 && *walk.rest);
   if (good && fd < 0) /* it ends at a folder */
      fd = openat(walk.folders[walk.depth], ".", OPEN_FLAGS);
   const int reason = errno;
   while (walk.depth)
      go_up(&walk);
   errno = reason;
   return fd;
}
