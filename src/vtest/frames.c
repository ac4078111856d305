/* SPDX-License-Identifier: MIT
 *
 * Double-buffered sharing of the last frame: two slots, of which one holds it
 * while the next frame is copied to the other. The mutex is robust, for clients
 * that are killed.
 */
#include "vtest/frames.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "virgl/virgl.h"

enum { MAX_FRAME_BYTES = 256 << 20 };

struct slot {
   uint32_t format, width, height, row_bytes;
   unsigned char pixels[MAX_FRAME_BYTES];
};

/* Pages that nobody writes take no memory. */
struct vtest_frames {
   pthread_mutex_t mutex;
   unsigned last; /* 0: there is none; 1 and 2 are slots */
   struct slot slots[2];
};

struct vtest_frames *
vtest_frames_create(void)
{
   pthread_mutexattr_t attributes;
   struct vtest_frames *frames =
      mmap(NULL, sizeof(*frames), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

   if (frames == MAP_FAILED)
      return NULL;
   pthread_mutexattr_init(&attributes);
   pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
   pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
   pthread_mutex_init(&frames->mutex, &attributes);
   pthread_mutexattr_destroy(&attributes);
   return frames;
}

void
vtest_frames_destroy(struct vtest_frames *frames)
{
   if (frames)
      munmap(frames, sizeof(*frames));
}

static bool
lock(struct vtest_frames *frames)
{
   const int error = pthread_mutex_lock(&frames->mutex);

   if (error == EOWNERDEAD)
      return pthread_mutex_consistent(&frames->mutex) == 0;
   return error == 0;
}

void
vtest_frames_put(struct vtest_frames *frames, const struct virgl_frame *frame)
{
   const uint64_t row_bytes =
      (uint64_t)frame->width * tg_format_get_block(frame->format).bytes;

   if (row_bytes * frame->height > MAX_FRAME_BYTES || !lock(frames))
      return;
   const unsigned next = frames->last == 1 ? 2 : 1;
   struct slot *slot = &frames->slots[next - 1];
   slot->format = frame->format;
   slot->width = frame->width;
   slot->height = frame->height;
   slot->row_bytes = (uint32_t)row_bytes;
   for (uint64_t y = 0; y < frame->height; y++)
      memcpy(slot->pixels + y * row_bytes,
             (const char *)frame->pixels + y * frame->stride, row_bytes);
   frames->last = next;
   pthread_mutex_unlock(&frames->mutex);
}

bool
vtest_frames_get(struct vtest_frames *frames, struct virgl_frame *frame_out)
{
   if (!lock(frames))
      return false;
   const unsigned last = frames->last;
   const struct slot *slot = &frames->slots[last == 2];
   *frame_out = (struct virgl_frame){
      .format = slot->format,
      .width = slot->width,
      .height = slot->height,
      .stride = slot->row_bytes,
      .pixels = slot->pixels,
   };
   pthread_mutex_unlock(&frames->mutex);
   return (last == 1 || last == 2) &&
          frame_out->stride ==
             (uint64_t)frame_out->width *
                tg_format_get_block(frame_out->format).bytes &&
          frame_out->stride * frame_out->height <= MAX_FRAME_BYTES;
}
