/* SPDX-License-Identifier: MIT
 *
 * Iteration over a command stream: from words to commands whose length is one
 * that such a command has. What the words say is not looked at.
 */
#ifndef VIRGL_WIRE_STREAM_H
#define VIRGL_WIRE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct virgl_stream {
   const uint32_t *words;
   size_t num_words;
   size_t next; /* the word at which the next command begins */
};

struct virgl_command {
   const uint32_t *words; /* words[0] is the header */
   uint32_t length;       /* of what follows the header */
   uint32_t number;       /* enum virgl_command_number, or one above */
   uint32_t object;       /* enum virgl_object_number, or one above */
   size_t position;       /* of the header in the stream */
   const char *error;     /* why the stream ends here, or NULL */
};

/* Steps to the next command. False at the end. A command that is cut off, or
 * too short or uneven for what it is, has an error, and ends the stream. One of
 * an unknown number or object is whole as long as it says. */
bool
virgl_stream_next(struct virgl_stream *stream, struct virgl_command *command);

/* The name of a command, or a type of object; NULL for a number that is none.
 */
const char *
virgl_stream_command_name(uint32_t number);

const char *
virgl_stream_object_name(uint32_t number);

#endif
