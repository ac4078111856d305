/* SPDX-License-Identifier: MIT
 *
 * Whole pieces of a message.
 */
#include "vtest/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

bool
vtest_read(int socket, void *bytes, size_t num_bytes)
{
   char *at = bytes;

   while (num_bytes) {
      const ssize_t count = recv(socket, at, num_bytes, 0);

      if (count < 0 && errno == EINTR)
         continue;
      if (count <= 0)
         return false;
      at += count;
      num_bytes -= (size_t)count;
   }
   return true;
}

bool
vtest_write(int socket, const void *bytes, size_t num_bytes)
{
   const char *at = bytes;

   while (num_bytes) {
      const ssize_t count = send(socket, at, num_bytes, MSG_NOSIGNAL);

      if (count < 0 && errno == EINTR)
         continue;
      if (count <= 0)
         return false;
      at += count;
      num_bytes -= (size_t)count;
   }
   return true;
}

bool
vtest_write_descriptor(int socket, int descriptor)
{
   char byte = 0;
   struct iovec bytes = {&byte, 1};
   union {
      struct cmsghdr header;
      char room[CMSG_SPACE(sizeof(int))];
   } control;
   struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
   ssize_t count;

   if (descriptor >= 0) {
      memset(&control, 0, sizeof(control));
      message.msg_control = &control;
      message.msg_controllen = sizeof(control.room);
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(header), &descriptor, sizeof(descriptor));
   }
   do
      count = sendmsg(socket, &message, MSG_NOSIGNAL);
   while (count < 0 && errno == EINTR);
   return count == 1;
}
