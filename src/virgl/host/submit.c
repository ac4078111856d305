/* SPDX-License-Identifier: MIT
 *
 * Command dispatch: each command of a stream goes to its handler. One that is
 * refused is logged and left out.
 */
#include "virgl/core/log.h"
#include "virgl/object/query.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/stream.h"

static enum tg_result (*const commands[VIRGL_NUM_COMMANDS])(
   const struct virgl_call *call) = {
#define VIRGL_COMMAND(number, NAME, id, least, unit)                           \
   [VIRGL_##NAME] = virgl_do_##id,
#include "virgl/wire/commands.def"
};

/* Barriers: the work of a context is in order. Markers and hints: nobody
 * needs them. */
enum tg_result
virgl_do_nop(const struct virgl_call *call)
{
   (void)call;
   return TG_OK;
}

enum tg_result
virgl_do_refused(const struct virgl_call *call)
{
   return virgl_refuse_call(call, "no capability offers it");
}

enum tg_result
virgl_do_get_memory_info(const struct virgl_call *call)
{
   const uint64_t used =
      tg_device_get_memory(call->host->options.device, NULL) / 1024;
   const uint64_t total = UINT64_C(1) << 21;
   struct virgl_memory_info info = {
      .total_device = (uint32_t)total,
      .available_device = (uint32_t)(used < total ? total - used : 0),
   };

   virgl_resource_write_shared(call->host, call->words[1], &info, sizeof(info));
   return TG_OK;
}

static void
do_command(struct virgl_host *host, const struct virgl_command *command)
{
   const struct virgl_call call = {
      .host = host,
      .context = host->contexts.current,
      .words = command->words,
      .length = command->length,
      .object = command->object,
      .diagnostics = host->diagnostics,
   };
   const char *name = virgl_stream_command_name(command->number);

   if (!name) {
      virgl_log(host, "word %zu: there is no command %u", command->position,
                command->number);
      return;
   }
   tg_diagnostics_clear(host->diagnostics);
   const enum tg_result result = commands[command->number](&call);
   if (result != TG_OK)
      virgl_log_failure(host, result, "%s at word %zu", name,
                        command->position);
}

/* Lets the transport see to what has come meanwhile. */
static void
look(struct virgl_host *host, const struct virgl_stream *stream)
{
   if (!host->look || host->options.observer)
      return;
   host->left = stream->words + stream->next;
   host->num_left = stream->num_words - stream->next;
   host->look(host->look_user);
   host->num_left = 0;
}

/* What is done now and then between commands. A frame of many draws is drawn
 * while it is decoded. */
static void
pause_decoding(struct virgl_host *host, const struct virgl_stream *stream)
{
   look(host, stream);
   tg_context_flush_if_idle(host->context);
}

static enum tg_result
do_commands(struct virgl_host *host, const uint32_t *words, size_t num_words)
{
   enum { COMMANDS_PER_PAUSE = 128 };
   struct virgl_stream stream = {.words = words, .num_words = num_words};
   struct virgl_command command;
   uint32_t num_commands = 0;

   while (virgl_stream_next(&stream, &command)) {
      if (!command.error) {
         do_command(host, &command);
         if (++num_commands % COMMANDS_PER_PAUSE == 0)
            pause_decoding(host, &stream);
         continue;
      }
      const char *name = virgl_stream_command_name(command.number);
      virgl_log(host, "%s at word %zu has %u words: %s",
                name ? name : "a command", command.position, command.length,
                command.error);
      return TG_ERROR_INPUT;
   }
   virgl_write_query_results(host->contexts.current);
   tg_context_flush(host->contexts.current->context, NULL);
   return TG_OK;
}

enum tg_result
virgl_host_submit(struct virgl_host *host, const uint32_t *words,
                  size_t num_words)
{
   const struct virgl_observer *observer = host->options.observer;

   if (observer)
      observer->submit(observer->user, words, num_words);
   host->num_submits++;
   tg_profile_begin(host->profile, TG_PROFILE_DECODE);
   const enum tg_result result = do_commands(host, words, num_words);
   tg_profile_end(host->profile);
   return result;
}
