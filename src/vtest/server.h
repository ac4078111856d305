/* SPDX-License-Identifier: MIT
 *
 * The vtest server: a sandboxed process for each client.
 */
#ifndef VTEST_SERVER_H
#define VTEST_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct vtest_frames;
struct vtest_statistics;

struct vtest_server_options {
   const char *path;        /* of the socket; NULL: VTEST_DEFAULT_PATH */
   unsigned num_threads;    /* of each client; 0: as many as processors */
   const char *executor;    /* as in struct tg_device_options */
   struct tg_code_cache *code_cache; /* a folder, or NULL */
   uint64_t max_memory;     /* bytes of a client, and as many that are shared */
   unsigned max_gl_version; /* 330 for 3.3; 0: the most */
   bool exact_index_offsets; /* as in struct virgl_host_options */
   unsigned max_version;     /* of the protocol: 0 or 2 */
   unsigned max_clients;     /* at a time; others wait */
   int log;                  /* descriptor that lines are written to, or -1 */
   bool is_single;           /* serves one client in this process, and ends */
   uint32_t *num_clients;    /* counts those that came, in memory that may be
                              * shared; or NULL */
   struct vtest_frames *frames; /* gets what clients show; or NULL */
   /* What clients send is recorded in this file, of the second client and later
    * ones PATH.2, PATH.3 and so on, each of at most so many bytes; or NULL. */
   const char *record_path;
   uint64_t max_record_bytes; /* 0: any */
   bool is_profiled;          /* statistics have a profile */
   /* Each client is profiled, and its trace written to this file, of the second
    * client and later ones PATH.2, PATH.3 and so on; or NULL. */
   const char *profile_path;
   /* Called at the end of a client, in its process and sandbox; or NULL. */
   void (*report)(const struct vtest_server_options *options,
                  const struct vtest_statistics *statistics);
};

#define VTEST_USUAL_MEMORY (UINT64_C(4) << 30)
#define VTEST_USUAL_CLIENTS 256

/* Listens on a socket at a path, mode 0600. What is replaced there: a socket
 * at which nobody listens any more, and an empty file on which no program of
 * vtest_launch() has a socket mounted. -1 with a sentence in `error`. */
int
vtest_listen(const char *path, char error[], unsigned error_size);

/* Serves the clients of a socket that listens until SIGTERM or SIGINT, and then
 * ends all of them; the socket is closed. False after an error, with errno
 * set. */
bool
vtest_serve(int listening, const struct vtest_server_options *options);

#endif
