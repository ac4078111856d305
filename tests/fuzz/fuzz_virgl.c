/* SPDX-License-Identifier: MIT
 *
 * A host of the virgl protocol: bytes become its calls, with streams of
 * commands and shared memory that is full of other numbers all the time.
 * Nothing crashes, and a resource that is made after all of it is zero.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_calls.h"
#include "fuzz_device.h"
#include "record/format.h"
#include "virgl/virgl.h"

enum {
   MAX_SHARED = 1 << 20, /* bytes of a resource */
   MAX_DATA = 1 << 20,   /* that are read back at once */
   FRESH = 0x7fffffff,   /* a handle that inputs hardly have */
   FRESH_SIZE = 64,
};

static const double max_call_seconds = 0.02;

/* ---- shared memory ------------------------------------------------------- */

/* Pieces of numbers, the same in all of one memory: they are made once. */
static void
scramble(char *bytes, uint64_t num_bytes)
{
   static uint32_t piece[1024];
   static uint32_t random = 1;

   for (unsigned i = 0; i < sizeof(piece) / sizeof(piece[0]); i++) {
      random = random * 1664525 + 1013904223;
      piece[i] = random;
   }
   for (uint64_t i = 0; i < num_bytes; i += sizeof(piece)) {
      const uint64_t left = num_bytes - i;

      memcpy(bytes + i, piece, left < sizeof(piece) ? left : sizeof(piece));
   }
}

static bool
share(uint64_t num_bytes, struct virgl_memory *memory)
{
   if (num_bytes > MAX_SHARED)
      return false;
   void *address = malloc(num_bytes);
   if (!address)
      abort();
   scramble(address, num_bytes);
   *memory = (struct virgl_memory){address, num_bytes, free, address};
   return true;
}

/* ---- calls --------------------------------------------------------------- */

static void
create(struct virgl_host *host, const struct record_create *create_)
{
   const struct virgl_resource_desc desc = record_format_unpack_desc(create_);
   struct virgl_memory memory;

   if (!create_->num_shared_bytes)
      virgl_host_create_resource(host, create_->handle, &desc, NULL);
   else if (share(create_->num_shared_bytes, &memory))
      virgl_host_create_resource(host, create_->handle, &desc, &memory);
}

static void
put(struct virgl_host *host, const struct record_transfer *packed,
    uint32_t num_bytes)
{
   const struct virgl_transfer transfer = record_format_unpack_transfer(packed);
   const uint32_t num_data = num_bytes - (uint32_t)sizeof(*packed);

   if (packed->flags & RECORD_IS_DATA)
      virgl_host_transfer_put(host, &transfer, packed + 1, num_data);
   else
      virgl_host_transfer_put(host, &transfer, NULL, 0);
}

/* The ends of all rows: a sanitizer sees what is not there. */
static void
read_frame(const struct virgl_frame *frame)
{
   static volatile uint8_t sum;
   const size_t row_bytes =
      (size_t)frame->width * tg_format_get_block(frame->format).bytes;

   for (uint32_t y = 0; y < frame->height; y++) {
      const uint8_t *row = (const uint8_t *)frame->pixels + y * frame->stride;

      sum = (uint8_t)(sum + row[0] + row[row_bytes - 1]);
   }
}

static void
get(struct virgl_host *host, const struct record_transfer *packed)
{
   const struct virgl_transfer transfer = record_format_unpack_transfer(packed);
   const uint64_t num_bytes =
      packed->num_bytes < MAX_DATA ? packed->num_bytes : MAX_DATA;
   void *data = packed->flags & RECORD_IS_DATA ? malloc(num_bytes + 1) : NULL;
   struct virgl_frame frame;

   if (virgl_host_transfer_get(host, &transfer, data, num_bytes) == TG_OK &&
       virgl_host_find_frame(host, &transfer, data, num_bytes, &frame))
      read_frame(&frame);
   free(data);
}

/* One that is too short for its kind does nothing. False: the client is to be
 * ended. */
static bool
run_call(struct virgl_host *host, uint8_t kind, const void *bytes,
         uint32_t num_bytes)
{
   const bool has_transfer = num_bytes >= sizeof(struct record_transfer);

   if (kind == RECORD_CREATE && num_bytes >= sizeof(struct record_create))
      create(host, bytes);
   else if (kind == RECORD_DESTROY && num_bytes >= 4)
      virgl_host_destroy_resource(host, *(const uint32_t *)bytes);
   else if (kind == RECORD_PUT && has_transfer)
      put(host, bytes, num_bytes);
   else if (kind == RECORD_GET && has_transfer)
      get(host, bytes);
   else if (kind == RECORD_SUBMIT)
      return virgl_host_submit(host, bytes, num_bytes / 4) == TG_OK;
   else if (kind == RECORD_WAIT)
      virgl_host_wait(host, 0);
   return true;
}

/* The bytes of each call are a block of their own, for sanitizers. */
static void
run_calls(struct virgl_host *host, const uint8_t *data, size_t size)
{
   bool is_good = true;

   while (is_good && size >= sizeof(struct fuzz_call)) {
      struct fuzz_call call;

      memcpy(&call, data, sizeof(call));
      data += sizeof(call);
      size -= sizeof(call);
      const uint32_t count =
         call.num_bytes < size ? call.num_bytes : (uint32_t)size;
      void *bytes = malloc(count ? count : 1);
      if (!bytes)
         abort();
      memcpy(bytes, data, count);
      is_good = run_call(host, call.kind, bytes, count);
      free(bytes);
      data += count;
      size -= count;
   }
}

/* ---- what must hold ------------------------------------------------------ */

static void
check_fresh(struct virgl_host *host)
{
   const struct virgl_resource_desc desc = {
      .target = TG_TEXTURE_2D,
      .format = 67, /* R8G8B8A8_UNORM */
      .width = FRESH_SIZE,
      .height = FRESH_SIZE,
      .depth = 1,
      .array_size = 1,
   };
   const struct virgl_transfer transfer = {
      .handle = FRESH, .box = {0, 0, 0, FRESH_SIZE, FRESH_SIZE, 1}};
   static uint32_t texels[FRESH_SIZE * FRESH_SIZE];

   memset(texels, 0xff, sizeof(texels));
   /* Without memory, or with that handle in use, there is none. */
   if (virgl_host_create_resource(host, FRESH, &desc, NULL) != TG_OK ||
       virgl_host_transfer_get(host, &transfer, texels, sizeof(texels)) !=
          TG_OK)
      return;
   for (unsigned i = 0; i < FRESH_SIZE * FRESH_SIZE; i++) {
      if (texels[i])
         abort();
   }
}

static void
drop_line(void *user, const char *line)
{
   (void)user;
   if (!line[0] || strchr(line, '\n'))
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct virgl_host *host;

   const struct virgl_host_options options = {
      .device = fuzz_device(),
      .max_call_seconds = max_call_seconds,
      .log = drop_line,
   };
   if (virgl_host_create(&options, &host) != TG_OK)
      abort();
   run_calls(host, data, size);
   check_fresh(host);
   virgl_host_destroy(host);
   return 0;
}
