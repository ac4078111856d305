/* SPDX-License-Identifier: MIT
 *
 * The vtest protocol: how a client of virgl reaches a host through a socket.
 * A message is a header of two words, its length and its number, and words;
 * the length counts words, with exceptions that connection.c has. All are
 * little-endian.
 */
#ifndef VTEST_PROTOCOL_H
#define VTEST_PROTOCOL_H

#define VTEST_DEFAULT_PATH "/tmp/.virgl_test"

enum vtest_message {
   VTEST_GET_CAPS = 1,
   VTEST_RESOURCE_CREATE,
   VTEST_RESOURCE_UNREF,
   VTEST_TRANSFER_GET,
   VTEST_TRANSFER_PUT,
   VTEST_SUBMIT,
   VTEST_BUSY_WAIT,
   VTEST_CREATE_RENDERER,
   VTEST_GET_CAPS2,
   VTEST_PING,
   VTEST_PROTOCOL_VERSION,
   VTEST_RESOURCE_CREATE2, /* from here on with protocol version 2 */
   VTEST_TRANSFER_GET2,
   VTEST_TRANSFER_PUT2,
   VTEST_NUM_MESSAGES,
};

/* The versions that there are: transfers with their data, and through shared
 * memory. */
enum { VTEST_VERSION_INLINE = 0, VTEST_VERSION_SHARED = 2 };

enum { VTEST_BUSY_WAIT_WAITS = 1 }; /* of the flags of BUSY_WAIT */

#endif
