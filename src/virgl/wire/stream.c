/* SPDX-License-Identifier: MIT
 *
 * The iterator over a command stream: headers, lengths, objects.
 */
#include "virgl/wire/stream.h"

#include "virgl/wire/protocol.h"

/* A name, and which lengths there are. */
struct row {
   const char *name;
   uint16_t least, unit;
};

static const struct row commands[VIRGL_NUM_COMMANDS] = {
#define VIRGL_COMMAND(number, NAME, id, least, unit)                           \
   [VIRGL_##NAME] = {#NAME, least, unit},
#include "virgl/wire/commands.def"
};

static const struct row objects[VIRGL_NUM_OBJECTS] = {
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   [VIRGL_OBJECT_##NAME] = {#NAME, least, unit},
#include "virgl/wire/objects.def"
};

const char *
virgl_stream_command_name(uint32_t number)
{
   return number < VIRGL_NUM_COMMANDS ? commands[number].name : NULL;
}

const char *
virgl_stream_object_name(uint32_t number)
{
   return number < VIRGL_NUM_OBJECTS ? objects[number].name : NULL;
}

static const char *
check_length(const struct row *row, uint32_t length)
{
   if (length < row->least)
      return "it is too short";
   if (row->unit && (length - row->least) % row->unit)
      return "it ends within an element";
   return NULL;
}

static const char *
check_command(const struct virgl_command *command)
{
   if (!virgl_stream_command_name(command->number))
      return NULL;
   const char *error =
      check_length(&commands[command->number], command->length);
   if (!error && command->number == VIRGL_CREATE_OBJECT &&
       virgl_stream_object_name(command->object))
      error = check_length(&objects[command->object], command->length);
   return error;
}

bool
virgl_stream_next(struct virgl_stream *stream, struct virgl_command *command)
{
   if (stream->next >= stream->num_words)
      return false;
   const size_t position = stream->next;
   const uint32_t header = stream->words[position];
   *command = (struct virgl_command){
      .words = &stream->words[position],
      .length = virgl_bits(header, 16, 16),
      .number = virgl_bits(header, 0, 8),
      .object = virgl_bits(header, 8, 8),
      .position = position,
   };
   if (command->length >= stream->num_words - position)
      command->error = "it ends after the stream";
   else
      command->error = check_command(command);
   stream->next =
      command->error ? stream->num_words : position + 1 + command->length;
   return true;
}
