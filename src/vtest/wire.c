/* SPDX-License-Identifier: MIT
 *
 * Framed socket I/O: whole pieces of a message, and adaptive spinning for the
 * next one.
 */
#include "vtest/wire.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "util/minmax.h"
#include "util/spin.h"

/* Adaptive spinning: waits that were short are counted up to this, and one is
 * short up to so many nanoseconds, of which a sleep costs a part. */
enum { MOST_SOON = 3, SOON = 2 * TG_SPIN_FOR_PROCESS };

/* Waits. At least one byte, and as many as have come; 0 at the end. */
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

/* Looks for a while if bytes have come, or the end. False: neither has. */
static bool
receive_soon(struct vtest_input *input)
{
   struct tg_spin spin = tg_spin_begin(TG_SPIN_FOR_PROCESS);
   ssize_t count;

   do
      count =
         recv(input->socket, input->bytes, sizeof(input->bytes), MSG_DONTWAIT);
   while (count < 0 && errno == EAGAIN && tg_spin(&spin));
   input->end = count > 0 ? (size_t)count : 0;
   return count >= 0 || (errno != EAGAIN && errno != EINTR);
}

/* Saturating, as a branch predictor counts. */
static void
note_wait(struct vtest_input *input, uint64_t nanoseconds)
{
   if (nanoseconds > SOON)
      input->num_soon -= input->num_soon > 0;
   else
      input->num_soon += input->num_soon < MOST_SOON;
}

/* Refills an empty buffer, with at least one byte; false at the end. Spins if
 * what was waited for of late came soon. */
static bool
refill(struct vtest_input *input)
{
   const uint64_t begun = tg_clock_now();

   input->first = 0;
   if (input->num_soon <= MOST_SOON / 2 || !receive_soon(input))
      input->end = receive(input->socket, input->bytes, sizeof(input->bytes));
   note_wait(input, tg_clock_now() - begun);
   return input->end > 0;
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
      if (!refill(input))
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
