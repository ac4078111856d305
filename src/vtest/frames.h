/* SPDX-License-Identifier: MIT
 *
 * The last frame that was shown, in memory that the processes of a server
 * share: clients put frames there, the process that started the server reads
 * the last one at the end.
 */
#ifndef VTEST_FRAMES_H
#define VTEST_FRAMES_H

#include <stdbool.h>

struct vtest_frames;
struct virgl_frame;

/* Memory in which clients leave their last frame. NULL without memory.
 * Processes that are forked later share it. */
struct vtest_frames *
vtest_frames_create(void);

/* Unmaps it in this process. Takes NULL. */
void
vtest_frames_destroy(struct vtest_frames *frames);

/* Copies a frame; one of more than 256 MiB is left out. Any process, also one
 * that is killed meanwhile: then the frame before it stays. */
void
vtest_frames_put(struct vtest_frames *frames, const struct virgl_frame *frame);

/* The last frame, whose pixels are good until another one is put. False when
 * there is none. Clients wrote it: all of it lies in the memory, and no more is
 * known. */
bool
vtest_frames_get(struct vtest_frames *frames, struct virgl_frame *frame_out);

#endif
