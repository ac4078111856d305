/* SPDX-License-Identifier: MIT
 *
 * A connection: the messages of one client, from the first to the last, done
 * with a host of its own.
 */
#ifndef VTEST_CONNECTION_H
#define VTEST_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tungsten/gpu.h"

struct virgl_host;
struct vtest_account;
struct vtest_frames;

/* What a client asked for, from its first message to its last. */
struct vtest_statistics {
   char name[64]; /* of the client */
   uint64_t messages, submits, frames;
   uint64_t bytes_received, bytes_sent; /* through the socket */
   uint64_t nanoseconds;
   uint64_t nanoseconds_waited; /* for the next message */
   struct tg_context_statistics gpu;
   struct tg_code_statistics code; /* of the device */
   struct tg_profile *profile;     /* of the device, or NULL */
};

struct vtest_connection_options {
   int socket;                    /* stays the caller's */
   struct virgl_host *host;       /* likewise */
   struct vtest_account *account; /* of memory that is shared; it must outlive
                                   * the host */
   unsigned max_version;          /* of the protocol: 0 or 2 */
   struct vtest_frames *frames;   /* gets each that the client shows; or NULL */
   _Atomic uint32_t *num_reads;   /* counts its read-backs; or NULL */
   struct tg_profile *profile;    /* gets frames and waits; or NULL */
   /* A line of the log, without its end. */
   void (*log)(void *user, const char *line);
   void *user;
};

/* Serves the client until it goes, or sends what cannot be followed. True: it
 * has gone at the end of a message. */
bool
vtest_connection_run(const struct vtest_connection_options *options,
                     struct vtest_statistics *statistics_out);

#endif
