/* SPDX-License-Identifier: MIT
 *
 * The commands that say where stream output goes.
 */
#include "script/commands/commands.h"

/* ---- stream target N buffer M [at BYTE] [size BYTES] --------------------- */

bool
script_read_stream_target(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   struct script_stream_target *target = &command->stream_target;

   *target = (struct script_stream_target){.size = SCRIPT_AS_IS};
   if (!cursor_read_number(cursor, 0, TG_MAX_STREAM_BUFFERS - 1, "a target",
                           &target->number))
      return false;
   target->buffer = script_read_place_buffer(cursor, script);
   if (!target->buffer)
      return false;
   if (cursor_accept_words(cursor, "at") &&
       !cursor_read_number(cursor, 0, UINT32_MAX, "a byte", &target->offset))
      return false;
   return !cursor_accept_words(cursor, "size") ||
          cursor_read_number(cursor, 0, UINT32_MAX - 1, "a number of bytes",
                             &target->size);
}

enum tg_result
script_do_stream_target(struct script_runner *runner,
                        const struct script_command *command)
{
   const struct script_stream_target *info = &command->stream_target;
   struct tg_stream_target **target =
      &runner->drawing.stream_targets[info->number];
   struct tg_stream_target *created = NULL;
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   struct tg_resource *buffer = script_bound_resource(runner, info->buffer);
   const uint32_t all = (uint32_t)tg_resource_get_size(buffer);
   uint32_t size = info->size;
   if (size == SCRIPT_AS_IS)
      size = all > info->offset ? all - info->offset : 0;
   result = tg_stream_target_create(runner->drawing.gpu, buffer, info->offset,
                                    size, runner->diagnostics, &created);
   if (result == TG_OK) {
      tg_stream_target_destroy(*target);
      *target = created;
   }
   return script_drawing_result(runner, command, result,
                                "there is no such target");
}

/* ---- stream begin, resume, end ------------------------------------------- */

/* Binds the targets up to the last that there is. */
static enum tg_result
bind_targets(struct script_runner *runner, const struct script_command *command,
             uint32_t offset)
{
   struct script_drawing *drawing = &runner->drawing;
   uint32_t offsets[TG_MAX_STREAM_BUFFERS];
   unsigned count = 0;
   enum tg_result result = script_drawing_begin(runner, command);
   if (result != TG_OK)
      return result;

   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++) {
      offsets[i] = offset;
      if (drawing->stream_targets[i])
         count = i + 1;
   }
   result = tg_context_set_stream_targets(drawing->gpu, count,
                                          drawing->stream_targets, offsets,
                                          runner->diagnostics);
   return script_drawing_result(runner, command, result,
                                "the targets were not set");
}

bool
script_read_stream_begin(struct script_cursor *cursor,
                         const struct script *script,
                         struct script_command *command)
{
   (void)cursor, (void)script, (void)command;
   return true;
}

enum tg_result
script_do_stream_begin(struct script_runner *runner,
                       const struct script_command *command)
{
   return bind_targets(runner, command, 0);
}

bool
script_read_stream_resume(struct script_cursor *cursor,
                          const struct script *script,
                          struct script_command *command)
{
   (void)cursor, (void)script, (void)command;
   return true;
}

enum tg_result
script_do_stream_resume(struct script_runner *runner,
                        const struct script_command *command)
{
   return bind_targets(runner, command, TG_STREAM_APPEND);
}

bool
script_read_stream_end(struct script_cursor *cursor,
                       const struct script *script,
                       struct script_command *command)
{
   (void)cursor, (void)script, (void)command;
   return true;
}

enum tg_result
script_do_stream_end(struct script_runner *runner,
                     const struct script_command *command)
{
   enum tg_result result = script_drawing_begin(runner, command);

   if (result == TG_OK)
      result = tg_context_set_stream_targets(runner->drawing.gpu, 0, NULL, NULL,
                                             runner->diagnostics);
   return result;
}
