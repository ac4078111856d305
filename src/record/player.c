/* SPDX-License-Identifier: MIT
 *
 * Playback of a recording by a host. While a chunk is played, the player
 * observes the host: shared memory that it reads, and texels that commands read
 * back, are the chunks that follow.
 */
#include "record/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DATA_BYTES = 256 << 20 }; /* that are read back at once */

struct player {
   const struct record_play_options *options;
   struct record_reader *reader;
   struct virgl_host *host;
   struct record_results *results;
   uint64_t num_shared; /* bytes */
   /* Of the GET that is played. */
   uint64_t checksum;
   bool was_read;
   bool is_over;
};

/* The file does not say what the host asks for. */
static void
fail(struct player *player, const char *what)
{
   struct record_reader *reader = player->reader;

   if (!reader->fault[0])
      snprintf(reader->fault, sizeof(reader->fault),
               "chunk %llu, byte %llu: %s",
               (unsigned long long)reader->num_chunks,
               (unsigned long long)reader->position, what);
   reader->is_over = true;
   player->is_over = true;
}

/* ---- shared memory ------------------------------------------------------- */

struct share {
   struct player *player;
   void *address;
   uint64_t num_bytes;
};

static void
free_share(void *user)
{
   struct share *share = user;

   share->player->num_shared -= share->num_bytes;
   free(share->address);
   free(share);
}

/* False without memory, or when the client had more than there may be. */
static bool
make_share(struct player *player, uint64_t num_bytes,
           struct virgl_memory *memory)
{
   const uint64_t most = player->options->max_shared;

   if (most && num_bytes > most - player->num_shared)
      return false;
   struct share *share = malloc(sizeof(*share));
   void *address = share ? calloc(1, num_bytes) : NULL;
   if (!address) {
      free(share);
      return false;
   }
   *share = (struct share){player, address, num_bytes};
   *memory = (struct virgl_memory){address, num_bytes, free_share, share};
   player->num_shared += num_bytes;
   return true;
}

/* ---- what the host asks for meanwhile ------------------------------------ */

static bool
pull(struct player *player, enum record_kind kind, struct record_chunk *chunk)
{
   if (player->is_over)
      return false;
   if (!record_reader_next(player->reader, chunk)) {
      player->is_over = true;
      return false;
   }
   if (chunk->kind == kind)
      return true;
   if (chunk->kind == RECORD_END) {
      player->is_over = true;
      return false;
   }
   fail(player, "it is of another kind than what follows here");
   return false;
}

static const void *
read_shared(void *user, const void *bytes, uint64_t num_bytes)
{
   struct record_chunk chunk;

   if (!pull(user, RECORD_SHARED, &chunk))
      return bytes;
   if (chunk.num_bytes == num_bytes)
      return chunk.bytes;
   fail(user, "SHARED has another size than what is read");
   return bytes;
}

static void
compare(struct player *player, uint64_t recorded, uint64_t played)
{
   player->results->reads++;
   player->results->reads_different += recorded != played;
}

static void
take_get(void *user, const struct virgl_transfer *transfer, bool is_data,
         bool is_command, const struct virgl_rows *rows)
{
   struct player *player = user;
   struct record_chunk chunk;
   (void)transfer;
   (void)is_data;

   player->checksum = record_checksum_rows(rows);
   player->was_read = true;
   if (!is_command || !pull(player, RECORD_GET, &chunk))
      return;
   const struct record_transfer *recorded = chunk.bytes;
   compare(player, recorded->checksum, player->checksum);
}

/* These are what the player does. */
static void
ignore_create(void *user, uint32_t handle,
              const struct virgl_resource_desc *desc, uint64_t num_bytes)
{
   (void)user;
   (void)handle;
   (void)desc;
   (void)num_bytes;
}

static void
ignore_destroy(void *user, uint32_t handle)
{
   (void)user;
   (void)handle;
}

static void
ignore_put(void *user, const struct virgl_transfer *transfer, const void *data,
           uint64_t num_bytes)
{
   (void)user;
   (void)transfer;
   (void)data;
   (void)num_bytes;
}

static void
ignore_submit(void *user, const uint32_t *words, size_t num_words)
{
   (void)user;
   (void)words;
   (void)num_words;
}

static void
ignore_wait(void *user)
{
   (void)user;
}

/* ---- chunks -------------------------------------------------------------- */

static void
play_create(struct player *player, const struct record_chunk *chunk)
{
   const struct record_create *create = chunk->bytes;
   const struct virgl_resource_desc desc = record_format_unpack_desc(create);
   struct virgl_memory memory;

   if (create->num_shared_bytes &&
       !make_share(player, create->num_shared_bytes, &memory)) {
      fail(player, "no memory for what the client shared");
      return;
   }
   virgl_host_create_resource(player->host, create->handle, &desc,
                              create->num_shared_bytes ? &memory : NULL);
}

static void
play_destroy(struct player *player, const struct record_chunk *chunk)
{
   const uint32_t *handle = chunk->bytes;

   virgl_host_destroy_resource(player->host, *handle);
}

static void
play_put(struct player *player, const struct record_chunk *chunk)
{
   const struct record_transfer *packed = chunk->bytes;
   const struct virgl_transfer transfer = record_format_unpack_transfer(packed);

   if (packed->flags & RECORD_IS_DATA)
      virgl_host_transfer_put(player->host, &transfer, packed + 1,
                              chunk->num_bytes - sizeof(*packed));
   else
      virgl_host_transfer_put(player->host, &transfer, NULL, 0);
}

static void
finish_get(struct player *player, const struct record_transfer *packed,
           const struct virgl_transfer *transfer, void *data,
           uint64_t num_bytes)
{
   struct record_results *results = player->results;
   struct virgl_frame frame;

   if (!player->was_read)
      return;
   if (!virgl_host_find_frame(player->host, transfer, data, num_bytes,
                              &frame)) {
      compare(player, packed->checksum, player->checksum);
      return;
   }
   tg_profile_mark_frame(tg_device_get_profile(player->options->device));
   if (packed->checksum != player->checksum && !results->frames_different++)
      results->first_different = results->frames;
   if (player->options->frame &&
       !player->options->frame(player->options->user, results->frames,
                               player->checksum, &frame))
      player->is_over = true;
   results->frames++;
}

static void
play_get(struct player *player, const struct record_chunk *chunk)
{
   const struct record_transfer packed =
      *(const struct record_transfer *)chunk->bytes;
   const struct virgl_transfer transfer =
      record_format_unpack_transfer(&packed);
   const bool is_data = packed.flags & RECORD_IS_DATA;
   const uint64_t num_bytes = is_data ? packed.num_bytes : 0;
   void *data =
      is_data && num_bytes <= MAX_DATA_BYTES ? malloc(num_bytes + 1) : NULL;

   if (packed.flags & RECORD_IS_COMMAND) {
      fail(player, "a GET of a command without it");
   } else if (is_data && !data) {
      fail(player, "no memory for what is read back");
   } else {
      player->was_read = false;
      virgl_host_transfer_get(player->host, &transfer, data, num_bytes);
      finish_get(player, &packed, &transfer, data, num_bytes);
   }
   free(data);
}

/* The words stay while the chunks after them are read. */
static void
play_submit(struct player *player, const struct record_chunk *chunk)
{
   const size_t num_words = chunk->num_bytes / sizeof(uint32_t);
   void *words = record_reader_take_bytes(player->reader);

   if (words)
      virgl_host_submit(player->host, words, num_words);
   free(words);
}

static void
play_wait(struct player *player, const struct record_chunk *chunk)
{
   (void)chunk;
   virgl_host_wait(player->host, 0);
}

static void
play_nothing(struct player *player, const struct record_chunk *chunk)
{
   (void)player;
   (void)chunk;
}

static void
play_stray(struct player *player, const struct record_chunk *chunk)
{
   (void)chunk;
   fail(player, "SHARED without a command that reads it");
}

static void (*const plays[RECORD_NUM_KINDS])(struct player *player,
                                             const struct record_chunk *) = {
   [RECORD_SESSION] = play_nothing, [RECORD_CREATE] = play_create,
   [RECORD_DESTROY] = play_destroy, [RECORD_PUT] = play_put,
   [RECORD_GET] = play_get,         [RECORD_SUBMIT] = play_submit,
   [RECORD_SHARED] = play_stray,    [RECORD_WAIT] = play_wait,
   [RECORD_END] = play_nothing,
};

/* ---- a recording --------------------------------------------------------- */

/* The first chunk says how the host was made. */
static enum tg_result
create_host(struct player *player, const struct record_chunk *chunk,
            const struct virgl_observer *observer)
{
   const struct record_session *session = chunk->bytes;
   const struct virgl_host_options options = {
      .device = player->options->device,
      .max_gl_version = session->max_gl_version,
      .exact_index_offsets = session->flags & RECORD_HAS_EXACT_INDEX_OFFSETS,
      .max_call_seconds = player->options->max_call_seconds,
      .log = player->options->log,
      .user = player->options->user,
      .observer = observer,
   };

   return virgl_host_create(&options, &player->host);
}

enum tg_result
record_play(struct record_reader *reader,
            const struct record_play_options *options,
            struct record_results *results_out)
{
   struct player player = {
      .options = options, .reader = reader, .results = results_out};
   const struct virgl_observer observer = {
      &player,       ignore_create, ignore_destroy, ignore_put,
      ignore_submit, ignore_wait,   read_shared,    take_get,
   };
   struct record_chunk chunk;

   *results_out = (struct record_results){.gpu = TG_CONTEXT_STATISTICS_INIT};
   if (!record_reader_next(reader, &chunk))
      return TG_OK;
   const enum tg_result result = create_host(&player, &chunk, &observer);
   if (result != TG_OK)
      return result;
   while (!player.is_over && record_reader_next(reader, &chunk))
      plays[chunk.kind](&player, &chunk);
   virgl_host_wait(player.host, 0);
   virgl_host_get_statistics(player.host, &results_out->gpu);
   virgl_host_destroy(player.host);
   return TG_OK;
}
