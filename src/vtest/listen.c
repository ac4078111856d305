/* SPDX-License-Identifier: MIT
 *
 * Listening sockets at a path.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "vtest/server.h"

enum { BACKLOG = 128 };

/* Does a server listen there? */
static bool
is_served(const struct sockaddr_un *address)
{
   const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   const bool is_there =
      probe >= 0 && (connect(probe, (const struct sockaddr *)address,
                             sizeof(*address)) == 0 ||
                     errno != ECONNREFUSED);

   if (probe >= 0)
      close(probe);
   return is_there;
}

/* Is the empty file a mount point that vtest_launch() holds a lock of? */
static bool
is_mount_point(const char *path)
{
   const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
   const bool is_held = file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0;

   if (file >= 0)
      close(file);
   return is_held;
}

/* Makes room for a socket, if that harms nobody. NULL, or why not. */
static const char *
clear_path(const struct sockaddr_un *address)
{
   struct stat status;

   if (lstat(address->sun_path, &status) != 0)
      return errno == ENOENT ? NULL : strerror(errno);
   if (!S_ISSOCK(status.st_mode) &&
       !(S_ISREG(status.st_mode) && status.st_size == 0))
      return "there is something that is no socket";
   if (status.st_uid != geteuid())
      return "it belongs to another user";
   if (S_ISSOCK(status.st_mode) && is_served(address))
      return "another server listens there";
   if (S_ISREG(status.st_mode) && is_mount_point(address->sun_path))
      return "'tungsten gl' uses it";
   return unlink(address->sun_path) == 0 ? NULL : strerror(errno);
}

int
vtest_listen(const char *path, char error[], unsigned error_size)
{
   struct sockaddr_un address = {.sun_family = AF_UNIX};

   if (strlen(path) >= sizeof(address.sun_path)) {
      snprintf(error, error_size, "'%s' is too long for a socket", path);
      return -1;
   }
   strcpy(address.sun_path, path);
   const char *why = clear_path(&address);
   if (why) {
      snprintf(error, error_size, "cannot listen at '%s': %s", path, why);
      return -1;
   }
   const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   const mode_t before = umask(0177);
   const bool is_good = listening >= 0 &&
                        bind(listening, (const struct sockaddr *)&address,
                             sizeof(address)) == 0 &&
                        listen(listening, BACKLOG) == 0;
   umask(before);
   if (is_good)
      return listening;
   snprintf(error, error_size, "cannot listen at '%s': %s", path,
            strerror(errno));
   if (listening >= 0)
      close(listening);
   return -1;
}
