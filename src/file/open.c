/* SPDX-License-Identifier: MIT
 *
 * Opening and reading of files that something names: see open.h.
 */
#include "file/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BENEATH = 256 << 20 /* bytes, as the sentence below says */ };

/* Why a regular file of at most `most` bytes cannot be read; NULL: it can. `fd`
 * is what open() returned. */
static const char *
find_fault(int fd, int64_t most)
{
   struct stat info;

   if (fd < 0 && errno == EXDEV)
      return "outside of the folder that may be read";
   if (fd < 0 || fstat(fd, &info) != 0)
      return strerror(errno);
   if (!S_ISREG(info.st_mode))
      return "not a regular file";
   return info.st_size > most ? "larger than 256 MiB" : NULL;
}

static int
check(int fd, int64_t most, const char **fault_out)
{
   *fault_out = find_fault(fd, most);
   if (!*fault_out)
      return fd;
   if (fd >= 0)
      close(fd);
   return -1;
}

int
file_open(const char *path, const char **fault_out)
{
   const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

   return check(fd, INT64_MAX, fault_out);
}

static int
look_up(const char *folder, const char *path)
{
   const int root =
      open(*folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
   if (root < 0)
      return -1;

   int fd = file_look_up_beneath_by_kernel(root, path);
   /* Filters of system calls answer with EPERM to what they do not know. */
   if (fd < 0 && (errno == ENOSYS || errno == EPERM))
      fd = file_look_up_beneath_by_hand(root, path);
   const int reason = errno;
   close(root);
   errno = reason;
   return fd;
}

int
file_open_beneath(const char *folder, const char *path, const char **fault_out)
{
   return check(look_up(folder, path), MAX_BENEATH, fault_out);
}
