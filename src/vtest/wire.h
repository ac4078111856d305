/* SPDX-License-Identifier: MIT
 *
 * Framed socket I/O: whole pieces of a message, to and from a socket that
 * waits.
 */
#ifndef VTEST_WIRE_H
#define VTEST_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads or writes all bytes; false at the end of the stream, after an error, or
 * when none came or went for as long as the socket's limits of time say. */
bool
vtest_wire_read(int socket, void *bytes, size_t num_bytes);
bool
vtest_wire_write(int socket, const void *bytes, size_t num_bytes);

enum { VTEST_INPUT_BYTES = 8192 };

/* What has come of a socket, and was not asked for yet: clients send several
 * small messages at a time. Begins as zeros but for the socket. */
struct vtest_input {
   int socket;
   size_t first, end; /* of what is left */
   unsigned char bytes[VTEST_INPUT_BYTES];
};

/* As vtest_wire_read(), which must not be used for the same socket besides.
 * What is as large as the buffer goes straight to where it belongs. */
bool
vtest_wire_input_read(struct vtest_input *input, void *bytes, size_t num_bytes);

/* So many bytes that come next, of the buffer's size at most, if they have come,
 * or NULL. They stay, until the next call. Never waits. */
const void *
vtest_wire_input_peek(struct vtest_input *input, size_t num_bytes);

/* Sends one byte of no meaning, and a descriptor with it; without one for -1.
 */
bool
vtest_wire_write_descriptor(int socket, int descriptor);

#endif
