/* SPDX-License-Identifier: MIT
 *
 * Playback of a recording: the same calls of a host, without the client.
 */
#ifndef RECORD_PLAYER_H
#define RECORD_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/reader.h"

struct record_play_options {
   struct tg_device *device; /* that the host is to have */
   uint64_t max_shared;      /* bytes of the clients' memory; 0: any */
   double max_call_seconds;  /* as in struct virgl_host_options */
   /* A line of the host's log, as in struct virgl_host_options; or NULL. */
   void (*log)(void *user, const char *line);
   /* A frame, numbered from 0, and its checksum: record_checksum_rows(). The
    * pixels are good until it returns; false ends the play. Or NULL. */
   bool (*frame)(void *user, uint64_t number, uint64_t checksum,
                 const struct virgl_frame *frame);
   void *user;
};

struct record_results {
   uint64_t frames;
   uint64_t frames_different;       /* from those that were recorded */
   uint64_t first_different;        /* the number of the first of these */
   uint64_t reads, reads_different; /* what was read back else: results of
                                     * queries of time differ always */
   struct tg_context_statistics gpu;
};

/* Replays a recording up to its end, or what is wrong with the file, which the
 * reader has, and everything before is played. TG_ERROR_MEMORY without a host;
 * otherwise TG_OK. What the host refuses it refused when it was recorded. */
enum tg_result
record_play(struct record_reader *reader,
            const struct record_play_options *options,
            struct record_results *results_out);

#endif
