/* SPDX-License-Identifier: MIT
 *
 * Framed socket I/O: whole pieces of a message.
 */
#include "vtest/wire.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "util/minmax.h"

/* At least one byte, and as many as have come; 0 at the end. */
static size_t
receive(int socket, void *bytes, size_t num_bytes)
{
   ssize_t count;

   do
      count = recv(socket, bytes, num_bytes, 0);
   while (count < 0 && errno == EINTR);
   return count > 0 ? (size_t)count : 0;
}

bool
vtest_wire_read(int socket, void *bytes, size_t num_bytes)
{
   char *at = bytes;

   while (num_bytes) {
      const size_t count = receive(socket, at, num_bytes);

      if (!count)
         return false;
      at += count;
      num_bytes -= count;
   }
   return true;
}

/* How many bytes there were. */
static size_t
take(struct vtest_input *input, void *bytes, size_t num_bytes)
{
   assert(input->first <= input->end && input->end <= sizeof(input->bytes));
   const size_t count = tg_min_u64(num_bytes, input->end - input->first);

   memcpy(bytes, input->bytes + input->first, count);
   input->first += count;
   return count;
}

bool
vtest_wire_input_read(struct vtest_input *input, void *bytes, size_t num_bytes)
{
   char *at = bytes;

   for (;;) {
      const size_t count = take(input, at, num_bytes);

      at += count;
      num_bytes -= count;
      if (!num_bytes)
         return true;
      if (num_bytes >= sizeof(input->bytes))
         return vtest_wire_read(input->socket, at, num_bytes);
      input->first = 0;
      input->end = receive(input->socket, input->bytes, sizeof(input->bytes));
      if (!input->end)
         return false;
   }
}

const void *
vtest_wire_input_peek(struct vtest_input *input, size_t num_bytes)
{
   const size_t num_here = input->end - input->first;

   assert(num_bytes <= sizeof(input->bytes));
   if (num_here >= num_bytes)
      return input->bytes + input->first;
   memmove(input->bytes, input->bytes + input->first, num_here);
   input->first = 0;
   input->end = num_here;
   const ssize_t count =
      recv(input->socket, input->bytes + num_here,
           sizeof(input->bytes) - num_here, MSG_DONTWAIT);
   if (count > 0)
      input->end += (size_t)count;
   return input->end >= num_bytes ? input->bytes : NULL;
}

bool
vtest_wire_write(int socket, const void *bytes, size_t num_bytes)
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
vtest_wire_write_descriptor(int socket, int descriptor)
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
