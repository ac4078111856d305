/* SPDX-License-Identifier: MIT
 *
 * Binding tables and descriptors, as abi/bindings.h says: keys, which code is
 * made for, and words and memory, which it reads. All is worked out when
 * something is bound, and nothing when it runs.
 */
#ifndef TG_RESOURCE_BINDINGS_H
#define TG_RESOURCE_BINDINGS_H

#include "abi/bindings.h"
#include "exec/exec.h"
#include "resource/resource.h"
#include "resource/upload.h"

enum {
   RESOURCE_NUM_TEXTURE_PLACES = ABI_MAX_VIEWS + ABI_NUM_IMAGE_BINDINGS,
   RESOURCE_FIRST_TEXTURE = ABI_NUM_CONST_BINDINGS,
   RESOURCE_FIRST_IMAGE = RESOURCE_FIRST_TEXTURE + ABI_MAX_VIEWS,
   RESOURCE_FIRST_BUFFER = RESOURCE_FIRST_IMAGE + ABI_NUM_IMAGE_BINDINGS,
   RESOURCE_NUM_PLACES = RESOURCE_FIRST_BUFFER + ABI_NUM_BUFFER_BINDINGS,
};

/* Slots that are kept together: see snapshot.c. */
enum resource_slot_kind {
   RESOURCE_CONSTANTS,
   RESOURCE_VIEWS,
   RESOURCE_SAMPLERS,
   RESOURCE_IMAGES,
   RESOURCE_BUFFERS,
   RESOURCE_NUM_KINDS,
};

/* Parts of these that change together. */
enum resource_chunk_number {
   RESOURCE_CHUNK_CONSTANTS,
   RESOURCE_CHUNK_VIEWS,
   RESOURCE_CHUNK_SAMPLERS = RESOURCE_CHUNK_VIEWS + ABI_NUM_VIEW_CHUNKS,
   RESOURCE_CHUNK_IMAGES,
   RESOURCE_CHUNK_BUFFERS,
   RESOURCE_NUM_CHUNKS,
};

struct resource_chunk;
struct resource_table;

struct tg_bindings {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   struct abi_keys keys;
   /* Equal of two bindings, or at two times: the keys are equal. */
   uint64_t keys_version;
   uint64_t version; /* equal at two times: all is */
   /* From here on nothing is bound: enum resource_slot_kind. It may be more
    * than need be, unless that was looked at for this version. */
   uint16_t ends[RESOURCE_NUM_KINDS];
   uint64_t trimmed_version;
   uint32_t descriptors[ABI_DESCRIPTOR_WORDS];

   /* What is not bound has no words. */
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS];
   struct exec_memory textures[ABI_MAX_VIEWS];
   struct exec_memory images[ABI_NUM_IMAGE_BINDINGS];
   struct exec_memory buffers[ABI_NUM_BUFFER_BINDINGS];

   /* References on what these are of, in that order, or NULL; and on the blocks
    * in which the memory is, of buffers that may be renamed. Constants that
    * were copied are in a block, and of no resource. */
   struct tg_resource *resources[RESOURCE_NUM_PLACES];
   struct resource_block *blocks[RESOURCE_NUM_PLACES];
   uint64_t num_renames; /* that have been seen */

   /* The textures among them that may be compressed: views, then images. */
   uint32_t num_compressible;
   struct tg_resource *compressible[RESOURCE_NUM_TEXTURE_PLACES];

   /* Of what is bound now; NULL until the next snapshot. */
   struct resource_table *tables[RESOURCE_NUM_KINDS];
   struct resource_chunk *chunks[RESOURCE_NUM_CHUNKS];

   /* Where these, and constants that are copied, are made. */
   struct resource_upload upload;
};

/* Decompresses the textures that are bound, before anything reads or writes
 * them: stores all their samples. NULL does nothing. */
void
resource_settle_bindings(const struct tg_bindings *bindings_or_null);

/* The bindings, or empty ones for NULL. */
const struct tg_bindings *
resource_bindings(const struct tg_bindings *bindings_or_null);

/* Binds what other bindings have. */
void
resource_copy_bindings(struct tg_bindings *to, const struct tg_bindings *from);

/* Points a wave's TEXTURE, IMAGE and BUFFER memory at what is bound, which must
 * not be changed while it runs. NULL: at nothing. */
void
resource_bind_wave(const struct tg_bindings *bindings, struct exec_wave *wave);

/* The memory of abi_tables. */
struct exec_memory
resource_tables(void);

/* CONST memory: puts what is bound, descriptors and tables included, in the
 * place of what is there already. NULL: tables only. */
void
resource_bind_constants(const struct tg_bindings *bindings,
                        struct exec_memory constants[ABI_NUM_CONST_BINDINGS]);

/* ---- snapshot.c ---------------------------------------------------------- */

/* What was bound at one time, with references on it; does not change. */
struct resource_snapshot {
   struct resource_table *tables[RESOURCE_NUM_KINDS]; /* NULL: nothing of it */
   size_t num_new_bytes; /* of tables that were made for it */
};

/* Takes one of bindings, or of nothing. False when out of memory, and then
 * there is nothing to drop. */
bool
resource_snapshot_take(struct tg_bindings *bindings_or_null,
                       struct resource_snapshot *snapshot);

/* Would taking it now give the same? */
bool
resource_snapshot_is_current(const struct resource_snapshot *snapshot,
                             struct tg_bindings *bindings_or_null);

/* Adds a reference to a snapshot. */
struct resource_snapshot
resource_snapshot_ref(const struct resource_snapshot *snapshot);

/* Drops a reference to a snapshot. */
void
resource_snapshot_drop(struct resource_snapshot *snapshot);

/* As resource_bind_wave() and resource_bind_constants(), but that constants
 * which are not bound become empty. */
void
resource_snapshot_bind_wave(const struct resource_snapshot *snapshot,
                            struct exec_wave *wave);
void
resource_snapshot_bind_constants(
   const struct resource_snapshot *snapshot,
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS]);

/* The memory of slots; those beyond `count` are empty. */
struct resource_slots {
   const struct exec_memory *memory;
   uint32_t count;
   uint64_t copied; /* bit i: slot i has constants that were copied */
};

struct resource_slots
resource_snapshot_slots(const struct resource_snapshot *snapshot,
                        enum resource_slot_kind kind);

/* Invalidates what is known of a slot, or of all slots, before they change. */
void
resource_forget_snapshot_slot(struct tg_bindings *bindings,
                              enum resource_slot_kind kind, unsigned slot);
void
resource_forget_snapshots(struct tg_bindings *bindings);

/* Before the bindings are used: finds buffers that were renamed, and where the
 * slots end that are bound. Takes NULL. */
void
resource_refresh_snapshot(struct tg_bindings *bindings_or_null);

/* ---- view.c -------------------------------------------------------------- */

/* The place of what is not bound: then the name stands alone. */
#define RESOURCE_NO_PLACE UINT32_MAX

/* What complaints are about. */
struct resource_subject {
   const char *name;
   unsigned place;
   struct tg_diagnostics *diagnostics;
};

/* Are these bytes of a buffer ones that can be bound? TG_ERROR_INPUT. */
enum tg_result
resource_check_viewed_range(const struct resource_subject *subject,
                            const struct tg_resource *resource, uint32_t offset,
                            uint32_t size);

/* A view or an image as code sees it. */
struct resource_binding {
   struct exec_memory memory;
   union {
      struct abi_view_key view;
      struct abi_image_key image;
   } key;
   uint32_t words[ABI_VIEW_WORDS]; /* those of an image are fewer */
};

/* Each checks a description and says how it is bound. `name` and `place` stand
 * in complaints. TG_ERROR_INPUT; of a view of a compressed format also
 * TG_ERROR_LIMIT and TG_ERROR_MEMORY. */
enum tg_result
resource_describe_view(const struct tg_view_desc *view, const char *name,
                       unsigned place, struct tg_diagnostics *diagnostics,
                       struct resource_binding *binding);
enum tg_result
resource_describe_image_view(const struct tg_image *image, const char *name,
                             unsigned place, struct tg_diagnostics *diagnostics,
                             struct resource_binding *binding);

/* ---- sampler.c ----------------------------------------------------------- */

enum tg_result
resource_describe_sampler(const struct tg_sampler_desc *sampler,
                          struct tg_diagnostics *diagnostics,
                          struct abi_sampler_key *key,
                          uint32_t words[ABI_SAMPLER_WORDS]);

/* ---- view.c, sampler.c --------------------------------------------------- */

/* Neither changes. */
struct tg_view {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   struct tg_resource *resource; /* a reference */
   struct resource_binding binding;
};

struct tg_sampler {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   struct abi_sampler_key key;
   uint32_t words[ABI_SAMPLER_WORDS];
};

#endif
