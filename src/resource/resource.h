/* SPDX-License-Identifier: MIT
 *
 * The internals of a resource, for the files of this room.
 */
#ifndef TG_RESOURCE_RESOURCE_H
#define TG_RESOURCE_RESOURCE_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "exec/exec.h"
#include "resource/block.h"
#include "resource/layout.h"
#include "util/diagnostics.h"
#include "util/length.h"
#include "util/refcount.h"

/* Bytes of a cache line, with which memory of our own begins. */
enum { RESOURCE_ALIGNMENT = 64 };

/* Texels in memory. */
struct resource_storage {
   const struct format_info *format;
   struct resource_layout layout;
   uint32_t *data;
   uint64_t num_bytes;
   void *memory; /* of our own, which has the data */

   /* Of texels that were decoded: what as, and other such storage. */
   enum tg_format decoded_as;
   struct resource_storage *next;

   /* Of memory of the caller; `release`, unless NULL, gives it back. */
   bool is_borrowed;
   void (*release)(void *user);
   void *user;
};

struct tg_resource {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   struct tg_resource_desc desc;

   /* In the format of `desc`. Of a buffer that has a block `data` may change at
    * any time: resource_hold() gives what it is, and keeps it. */
   struct resource_storage written;

   pthread_mutex_t mutex;

   /* Of a buffer in memory of our own, under the mutex: the block that it lives
    * in, which resource_place_without_hold() looks at without; one that it has
    * left, for the next renaming, or NULL; and whether it has to stay where it
    * is, for good or while it is pinned. */
   struct resource_block *_Atomic block;
   struct resource_block *spare;
   bool is_fixed;
   uint32_t num_pins;

   /* What is made when it is first asked for, by any thread: under the mutex,
    * but read without. Storages are not changed once they are in the list. */
   struct resource_storage *_Atomic decoded;
   struct exec_undefined undefined; /* bits NULL: all of it is defined */

   /* See one_color.c. */
   uint8_t *_Atomic one_color; /* a byte a pixel, or NULL */
   atomic_bool may_be_one_color;

   /* See clears.c. */
   struct resource_clears *clears; /* or NULL */
   atomic_bool keeps_clears;       /* some of them may be pending */
   atomic_bool is_seen; /* something may read it at any time, with no scene */
};

/* Is it a buffer, and not a texture? */
static inline bool
resource_is_buffer(const struct tg_resource *resource)
{
   return resource->desc.target == TG_TEXTURE_BUFFER;
}

/* Slices of a level: depth, or layers. */
static inline uint32_t
resource_num_slices(const struct tg_resource *resource, uint32_t level)
{
   assert(level < TG_LENGTH(resource->written.layout.level));
   return resource->written.layout.level[level].num_slices;
}

/* The texel, or block, at a place of a level, which exists, in the memory
 * `data` of a resource that is held. */
static inline void *
resource_texel_in(void *data, const struct tg_resource *resource,
                  uint32_t level, uint32_t sample, uint32_t x, uint32_t y,
                  uint32_t z)
{
   const struct resource_storage *written = &resource->written;

   return (unsigned char *)data +
          resource_address(&written->layout.level[level], x, y, z, sample);
}

/* resource_texel_in() of a texture. */
static inline void *
resource_texel(const struct tg_resource *resource, uint32_t level,
               uint32_t sample, uint32_t x, uint32_t y, uint32_t z)
{
   assert(!resource_is_buffer(resource));
   return resource_texel_in(resource->written.data, resource, level, sample, x,
                            y, z);
}

/* Puts a resource, or NULL, into a place that holds a reference. */
static inline void
resource_replace(struct tg_resource **place, struct tg_resource *resource)
{
   struct tg_resource *before = *place;

   *place = tg_resource_ref(resource);
   tg_resource_destroy(before);
}

/* All of a texture. */
static inline struct exec_memory
resource_memory(const struct tg_resource *resource)
{
   assert(!resource_is_buffer(resource));
   return (struct exec_memory){
      resource->written.data,
      resource->written.num_bytes,
   };
}

/* ---- rename.c ------------------------------------------------------------ */

/* All memory of a resource as it is at one time, which stays there and is of
 * use until it is released. */
struct resource_hold {
   struct exec_memory memory;
   struct resource_block *block; /* a reference, or NULL */
};

/* Holds the memory of a resource, which may be renamed meanwhile, until
 * resource_release(). NULL gives nothing. Any thread. */
struct resource_hold
resource_hold(const struct tg_resource *resource_or_null);

/* Where its memory is at this time, to be compared with other places: nobody
 * holds it. Any thread. */
struct exec_memory
resource_place_without_hold(const struct tg_resource *resource);

static inline void
resource_release(struct resource_hold *hold)
{
   resource_block_drop(hold->block);
   *hold = (struct resource_hold){0};
}

/* What is in a buffer after it was renamed. */
enum resource_contents {
   RESOURCE_KEPT,
   RESOURCE_CLEARED,     /* all zero */
   RESOURCE_OVERWRITTEN, /* anything: all of it is about to be written */
};

/* Buffer renaming: gives a buffer other memory; all who hold it keep what they
 * have. False when it has to stay where it is, or there is no memory. */
bool
resource_rename(struct tg_resource *resource, enum resource_contents contents);

/* Forbids renaming a buffer from now on. */
void
resource_forbid_renaming(struct tg_resource *resource);

/* Forbids renaming a buffer until it has been unpinned as often. */
void
resource_pin_against_renaming(struct tg_resource *resource);
void
resource_unpin_for_renaming(struct tg_resource *resource);

/* How often any resource was renamed so far: bindings that saw the same number
 * are up to date. */
uint64_t
resource_count_renames(void);

/* Lays out the storage of a format, and allocates zeros. TG_ERROR_LIMIT,
 * TG_ERROR_MEMORY. */
enum tg_result
resource_storage_init(struct resource_storage *storage,
                      const struct tg_resource_desc *desc,
                      const struct tg_allocator *allocator,
                      struct tg_diagnostics *diagnostics);

/* Lays out the storage of a format in memory of the caller, which is left as it
 * is. TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT; then it is not
 * released. */
enum tg_result
resource_storage_init_caller_memory(struct resource_storage *storage,
                                    const struct tg_resource_desc *desc,
                                    const struct tg_resource_memory *memory,
                                    struct tg_diagnostics *diagnostics);

void
resource_storage_finish(struct resource_storage *storage,
                        const struct tg_allocator *allocator);

/* ---- decode.c ------------------------------------------------------------ */

/* The texels of a compressed resource, its blocks being of this compressed
 * format; decoded when first asked for. TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
resource_get_decoded(struct tg_resource *resource, enum tg_format format,
                     struct tg_diagnostics *diagnostics,
                     const struct resource_storage **storage_out);

/* A part of a level, in blocks. */
struct resource_blocks {
   uint32_t level, sample;
   uint32_t x, y, z;
   uint32_t width, height, depth;
};

/* What it costs to fill or copy blocks, in all samples, in units of
 * util/work.h. */
uint64_t
resource_cost(const struct tg_resource *resource,
              const struct resource_blocks *blocks);

/* What it costs to see all of a resource through a format: nothing unless its
 * blocks are to be decoded for that first. */
uint64_t
resource_decoding_cost(const struct tg_resource *resource,
                       enum tg_format format);

/* Decodes again what was written. */
void
resource_decode_blocks(struct tg_resource *resource,
                       const struct resource_blocks *blocks);

void
resource_free_decoded(struct tg_resource *resource);

/* ---- read_write.c -------------------------------------------------------- */

/* The blocks of a box. False when there is no such level, sample or box. */
bool
resource_find_blocks(const struct tg_resource *resource, uint32_t level,
                     uint32_t sample, const struct tg_box *box,
                     struct resource_blocks *blocks);

/* Writes blocks that there are: tg_resource_write() without its checks. */
void
resource_write_blocks(struct tg_resource *resource,
                      const struct resource_blocks *blocks, const void *data,
                      size_t row_stride, size_t slice_stride);

/* ---- copy.c -------------------------------------------------------------- */

/* Copies blocks of one resource as they are to another place of it or of
 * another one, all samples: tg_context_copy(). TG_ERROR_INPUT. */
enum tg_result
resource_copy(struct tg_resource *dst, uint32_t dst_level, uint32_t dst_x,
              uint32_t dst_y, uint32_t dst_z, const struct tg_resource *src,
              uint32_t src_level, const struct tg_box *src_box,
              struct tg_diagnostics *diagnostics);

/* ---- fill.c -------------------------------------------------------------- */

enum { RESOURCE_MAX_BLOCK = 32 }; /* bytes of any format's */

/* What a block becomes: `value`, in the bits that `mask` has; the others stay.
 * The bits of `value` are within the mask. Of a buffer it is for as many bytes
 * each, of which a box has a multiple. */
struct resource_pattern {
   uint32_t num_bytes;
   uint8_t value[RESOURCE_MAX_BLOCK];
   uint8_t mask[RESOURCE_MAX_BLOCK];
};

/* The pattern that fills blocks with these bytes. */
struct resource_pattern
resource_fill_pattern(const void *block, size_t num_bytes);

/* Does nothing of a block stay? */
bool
resource_fill_has_all_bits(const struct resource_pattern *pattern);

/* Fills blocks of a level, in all samples. They exist. */
void
resource_fill(struct tg_resource *resource,
              const struct resource_blocks *blocks,
              const struct resource_pattern *pattern);

/* The same within a tile that is drawn, of which nothing is pending. */
void
resource_fill_tile(struct tg_resource *resource,
                   const struct resource_blocks *blocks,
                   const struct resource_pattern *pattern);

/* The same of the first samples alone, where nothing is compressed. */
void
resource_fill_samples(const struct tg_resource *resource,
                      const struct resource_blocks *blocks,
                      const struct resource_pattern *pattern,
                      uint32_t num_samples);

/* ---- clears.c ------------------------------------------------------------ */

enum {
   RESOURCE_CLEAR_TILE = 64,  /* pixels each way, that have one clear */
   RESOURCE_GRANULE = 16,     /* and of a part that is stored as a whole */
   RESOURCE_CLEAR_TEXEL = 16, /* bytes of a vector, of which a texel that is
                               * kept is the whole or an even part */
};

/* Of a tile, the last whole clear: granules that are not stored yet have this
 * texel everywhere, in all samples. */
struct resource_clear {
   uint16_t pending; /* bits, row by row */
   uint8_t texel[RESOURCE_CLEAR_TEXEL];
};

struct resource_clears {
   atomic_bool is_pending;       /* one of them may be */
   struct resource_clear tile[]; /* row by row */
};

/* Clears may be pending from now on, if the resource is one image that nothing
 * but scenes and immediate accesses has seen. The API thread. */
void
resource_keep_clears(struct tg_resource *resource);

/* That of a tile, by a pixel of it; NULL where none are kept. */
struct resource_clear *
resource_find_clear(const struct tg_resource *resource, uint32_t x, uint32_t y);

/* Leaves a clear pending, in granules of its tile. A thread a tile. */
void
resource_put_clear(const struct tg_resource *resource,
                   struct resource_clear *clear, uint32_t pending,
                   const uint8_t texel[RESOURCE_CLEAR_TEXEL]);

/* Fast clear elimination: stores what is pending, of all tiles or of one;
 * nobody may draw there. */
void
resource_settle_clears(const struct tg_resource *resource);
void
resource_settle_clear(const struct tg_resource *resource, uint32_t x,
                      uint32_t y);

void
resource_free_clears(struct tg_resource *resource);

/* ---- one_color.c --------------------------------------------------------- */

/* A byte for each pixel of a multisampled texture, where layout.h says: 1 where
 * all samples hold what the first does, which alone is stored.
 * Draws may set them from now on. NULL when there are no samples, or
 * out of memory. Those who draw already see no change when it is called again.
 */
uint8_t *
resource_keep_one_color(struct tg_resource *resource);

/* Is there anything to settle? */
static inline bool
resource_is_compressed(const struct tg_resource *resource)
{
   return resource->may_be_one_color || resource->keeps_clears;
}

/* The plane of compressed pixels as executors see it. */
struct exec_memory
resource_one_color_memory(const struct tg_resource *resource);

/* Decompression, and fast clear elimination: stores all samples of all pixels,
 * or of some; nobody may draw there. What was seen has no need of it again. */
void
resource_settle_one_color(struct tg_resource *resource);
void
resource_settle_one_color_blocks(const struct tg_resource *resource,
                                 const struct resource_blocks *blocks);

/* All samples of these pixels hold what the first does. There is a plane. */
void
resource_mark_one_color(const struct tg_resource *resource,
                        const struct resource_blocks *blocks);

void
resource_free_one_color(struct tg_resource *resource);

/* ---- undefined.c --------------------------------------------------------- */

/* Marks bytes, of whole units, as written. */
void
resource_define(const struct tg_resource *resource, const void *first,
                size_t num_bytes);

/* What executors are given along with the memory; NULL if it is defined. */
const struct exec_undefined *
resource_undefined(const struct tg_resource *resource);

/* May it be written without a word to others? It is not decoded, and nobody
 * asks which of its words are undefined. */
static inline bool
resource_is_plain(const struct tg_resource *resource)
{
   return !resource->decoded && !resource_undefined(resource);
}

void
resource_free_undefined(struct tg_resource *resource);

#endif
