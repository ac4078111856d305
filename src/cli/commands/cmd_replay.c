/* SPDX-License-Identifier: MIT
 *
 * tungsten replay FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/frame.h"
#include "cli/commands/profiling.h"
#include "cli/commands/recording.h"
#include "cli/commands/statistics.h"
#include "cli/io/diagnostics.h"
#include "cli/io/standard_output.h"
#include "cli/table/handlers.h"
#include "record/player.h"
#include "tungsten/gpu.h"
#include "util/clock.h"
#include "util/json.h"
#include "util/work.h"
#include "vtest/server.h"

struct replay {
   const struct cli_options *options;
   struct tg_code_cache *code_cache; /* or NULL */
   struct tg_profile *profile;       /* or NULL */
   struct virgl_frame kept; /* whose pixels are this command's */
   void *pixels;
   size_t pixels_size;
   bool has_kept, has_failed;
   uint64_t nanoseconds;
   struct record_results results;
   struct tg_code_statistics code;
};

/* ---- frames -------------------------------------------------------------- */

/* The pixels go with the next call of the host. */
static bool
keep_frame(struct replay *replay, const struct virgl_frame *frame)
{
   const size_t row_bytes =
      (size_t)frame->width * tg_format_get_block(frame->format).bytes;
   const size_t size = row_bytes * frame->height;

   if (size > replay->pixels_size) {
      void *pixels = realloc(replay->pixels, size);

      if (!pixels) {
         cli_complain("no memory for a frame");
         replay->has_failed = true;
         return false;
      }
      replay->pixels = pixels;
      replay->pixels_size = size;
   }
   for (uint32_t y = 0; y < frame->height; y++)
      memcpy((char *)replay->pixels + y * row_bytes,
             (const char *)frame->pixels + y * frame->stride, row_bytes);
   replay->kept = *frame;
   replay->kept.stride = row_bytes;
   replay->kept.pixels = replay->pixels;
   replay->has_kept = true;
   return true;
}

static bool
take_frame(void *user, uint64_t number, uint64_t checksum,
           const struct virgl_frame *frame)
{
   struct replay *replay = user;
   const struct cli_options *options = replay->options;
   const bool is_asked_for = options->frame.is_given;

   if (options->checksums)
      printf("%" PRIu64 " %016" PRIx64 "\n", number, checksum);
   if (is_asked_for && number < (uint64_t)options->frame.value)
      return true;
   if (options->any_picture && !keep_frame(replay, frame))
      return false;
   return !is_asked_for;
}

static bool
write_picture(const struct replay *replay)
{
   const struct cli_options *options = replay->options;

   if (replay->has_failed)
      return false;
   if (options->frame.is_given &&
       (uint64_t)options->frame.value >= replay->results.frames) {
      cli_complain("the recording has no frame %" PRIu64,
                   (uint64_t)options->frame.value);
      return false;
   }
   if (!options->any_picture)
      return true;
   if (replay->has_kept)
      return cli_write_frame(options->any_picture, &replay->kept);
   cli_complain("cannot write '%s': the recording has no frame",
                options->any_picture);
   return false;
}

/* ---- what is printed ----------------------------------------------------- */

static double
count_seconds(const struct replay *replay)
{
   return 1e-9 * (double)replay->nanoseconds;
}

static bool
print_json(const struct replay *replay)
{
   const struct record_results *results = &replay->results;
   const double seconds = count_seconds(replay);
   struct tg_json json;

   tg_json_init_object(&json, NULL);
   tg_json_number(&json, json.root, "frames", (double)results->frames);
   tg_json_number(&json, json.root, "frames_different",
                  (double)results->frames_different);
   tg_json_number(&json, json.root, "reads", (double)results->reads);
   tg_json_number(&json, json.root, "reads_different",
                  (double)results->reads_different);
   tg_json_number(&json, json.root, "draws", (double)results->gpu.draws);
   tg_json_number(&json, json.root, "seconds", seconds);
   tg_json_number(&json, json.root, "frames_per_second",
                  seconds > 0 ? (double)results->frames / seconds : 0);
   return cli_output_json(tg_json_take(&json));
}

static bool
print_results(const struct replay *replay)
{
   const struct cli_options *options = replay->options;
   const struct record_results *results = &replay->results;

   if (options->json)
      return print_json(replay);
   printf("%" PRIu64 " frame%s, ", results->frames,
          results->frames == 1 ? "" : "s");
   if (results->frames_different)
      printf("%" PRIu64 " of them not as recorded, the first is frame %" PRIu64
             "\n",
             results->frames_different, results->first_different);
   else
      printf("as recorded\n");
   if (results->reads_different)
      printf("%" PRIu64 " of %" PRIu64 " other read-backs not as recorded\n",
             results->reads_different, results->reads);
   if (options->bench)
      printf("%.3f seconds, %.1f frames a second\n", count_seconds(replay),
             (double)results->frames / count_seconds(replay));
   if (options->client_stats)
      return cli_put_statistics(
         &(struct cli_statistics){results->gpu, replay->code, NULL}, false);
   return true;
}

/* ---- the command --------------------------------------------------------- */

static void
print_line(void *user, const char *line)
{
   (void)user;
   cli_complain("%s", line);
}

static bool
play(struct replay *replay, struct record_reader *reader)
{
   const struct cli_options *options = replay->options;
   const uint64_t memory =
      options->client_memory ? options->client_memory : VTEST_USUAL_MEMORY;
   const uint64_t seconds =
      options->call_time ? options->call_time : TG_WORK_USUAL_SECONDS;
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   struct record_play_options play_options = {
      .max_shared = memory,
      .max_call_seconds = (double)seconds,
      .log = options->verbose_log ? print_line : NULL,
      .frame = take_frame,
      .user = replay,
   };

   device_options.num_threads = (unsigned)options->threads;
   device_options.max_memory = memory;
   device_options.executor = options->executor;
   device_options.code_cache = replay->code_cache;
   device_options.profile = replay->profile;
   enum tg_result result =
      tg_device_create(NULL, &device_options, &play_options.device);
   if (result == TG_OK) {
      const uint64_t begin = tg_clock_now();

      result = record_play(reader, &play_options, &replay->results);
      replay->nanoseconds = tg_clock_now() - begin;
      replay->code = (struct tg_code_statistics)TG_CODE_STATISTICS_INIT;
      tg_device_get_code_statistics(play_options.device, &replay->code);
      tg_device_destroy(play_options.device);
   }
   if (result != TG_OK)
      cli_complain("cannot replay: %s", tg_result_name(result));
   return result == TG_OK;
}

int
cmd_replay(struct cli_call *call)
{
   const char *path = call->operands[0];
   struct replay replay = {
      .options = &call->options,
      .code_cache = call->code_cache,
   };
   struct record_reader reader;
   bool is_good = false;

   if (!cli_create_profile(&call->options, &replay.profile))
      return CLI_USAGE;
   if (cli_open_recording(path, &reader)) {
      is_good = play(&replay, &reader) && write_picture(&replay) &&
                print_results(&replay) && !replay.results.frames_different;
      is_good = cli_close_recording(path, &reader) && is_good;
      is_good = cli_put_profile(&call->options, replay.profile) && is_good;
   }
   tg_profile_destroy(replay.profile);
   free(replay.pixels);
   return is_good ? CLI_OK : CLI_FAILED;
}
