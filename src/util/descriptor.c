/* SPDX-License-Identifier: MIT
 *
 * Loops over read() and write().
 */
#include "util/descriptor.h"

#include <errno.h>
#include <unistd.h>

bool
tg_descriptor_read_all(int file, void *to, size_t num_bytes)
{
   char *bytes = to;

   while (num_bytes > 0) {
      const ssize_t count = read(file, bytes, num_bytes);

      if (count < 0 && errno == EINTR)
         continue;
      if (count <= 0)
         return false;
      bytes += count;
      num_bytes -= (size_t)count;
   }
   return true;
}

bool
tg_descriptor_write_all(int file, const void *from, size_t num_bytes)
{
   const char *bytes = from;

   while (num_bytes > 0) {
      const ssize_t count = write(file, bytes, num_bytes);

      if (count < 0 && errno == EINTR)
         continue;
      if (count <= 0)
         return false;
      bytes += count;
      num_bytes -= (size_t)count;
   }
   return true;
}
