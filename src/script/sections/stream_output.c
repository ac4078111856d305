/* SPDX-License-Identifier: MIT
 *
 * Parsing of [stream output NAME]: which words of a shader's vertices go into
 * which buffers.
 */
#include <string.h>

#include "script/sections/section.h"

/* ---- [stream output NAME] ------------------------------------------------ */

enum { MAX_WORDS = UINT16_MAX /* of a vertex */ };

/* .xyz, channels that follow each other, or nothing: all of them. */
static bool
read_components(struct script_cursor *cursor, struct tg_stream_output *output)
{
   static const char letters[] = "xyzw";
   struct script_cursor before = *cursor;

   output->start_component = 0;
   output->num_components = 4;
   if (cursor->at == cursor->end || *cursor->at != '.')
      return true;
   cursor->at++;
   const struct script_word word = cursor_read_word(cursor);
   for (unsigned first = 0; first < 4; first++) {
      for (unsigned count = 1; count <= 4 - first; count++) {
         const struct script_word some = {letters + first, count};

         if (word.length != count || memcmp(word.text, some.text, count) != 0)
            continue;
         output->start_component = (uint8_t)first;
         output->num_components = (uint8_t)count;
         return true;
      }
   }
   return cursor_complain(&before,
                          "expected channels that follow each other, as .yz");
}

/* stride BUFFER WORDS */
static bool
read_stride(struct script_cursor *cursor, struct tg_stream_output_info *info)
{
   uint32_t buffer, words;

   if (!cursor_read_number(cursor, 0, TG_MAX_STREAM_BUFFERS - 1, "a buffer",
                           &buffer) ||
       !cursor_read_number(cursor, 0, MAX_WORDS, "a number of words", &words))
      return false;
   info->stride[buffer] = (uint16_t)words;
   return true;
}

/* OUT[r].xyz buffer B [at WORD] [stream S]; without a word it goes after what
 * is in the buffer already. */
static bool
read_output(struct script_cursor *cursor, struct tg_stream_output_info *info)
{
   struct tg_stream_output output = {0};
   struct script_register reg;
   uint32_t buffer, at, stream = 0;

   if (info->num_outputs == TG_MAX_STREAM_OUTPUTS)
      return cursor_complain(cursor, "there are more than %d outputs",
                             TG_MAX_STREAM_OUTPUTS);
   if (!script_read_register(cursor, &reg))
      return false;
   if (reg.file != SCRIPT_OUT || reg.has_dimension || reg.index > UINT8_MAX)
      return cursor_complain(cursor, "only output registers are written");
   if (!read_components(cursor, &output))
      return false;
   if (!cursor_accept_words(cursor, "buffer"))
      return cursor_complain(cursor, "expected buffer");
   if (!cursor_read_number(cursor, 0, TG_MAX_STREAM_BUFFERS - 1, "a buffer",
                           &buffer))
      return false;
   at = info->stride[buffer];
   if (cursor_accept_words(cursor, "at") &&
       !cursor_read_number(cursor, 0, MAX_WORDS - 4, "a word", &at))
      return false;
   if (cursor_accept_words(cursor, "stream") &&
       !cursor_read_number(cursor, 0, TG_MAX_STREAMS - 1, "a stream", &stream))
      return false;
   output.register_index = (uint8_t)reg.index;
   output.buffer = (uint8_t)buffer;
   output.stream = (uint8_t)stream;
   output.dst_offset = (uint16_t)at;
   if (info->stride[buffer] < at + output.num_components)
      info->stride[buffer] = (uint16_t)(at + output.num_components);
   info->outputs[info->num_outputs++] = output;
   return true;
}

static bool
read_line(struct script_cursor *cursor, struct tg_stream_output_info *info)
{
   return (cursor_accept_words(cursor, "stride") ? read_stride(cursor, info)
                                                 : read_output(cursor, info)) &&
          cursor_expect_end(cursor);
}

void
script_parse_stream_output(struct script_parser *parser,
                           struct script_word name)
{
   struct script *script = parser->script;
   const struct script_shader *shader = script_model_find_shader(script, name);
   struct tg_stream_output_info info = {.size = sizeof(info)};

   if (!shader)
      script_section_check(parser,
                           cursor_complain(&parser->cursor,
                                           "expected [stream output NAME] "
                                           "after the shader of this name"));
   while (script_next_section_words(parser) && !parser->out_of_memory)
      script_section_check(parser, read_line(&parser->cursor, &info));
   if (!shader ||
       !script_section_reserve(
          parser, (void **)&script->stream_outputs,
          &script->stream_output_capacity, script->num_stream_outputs, 1,
          SCRIPT_MAX_SHADERS, sizeof(*script->stream_outputs)))
      return;
   script->stream_outputs[script->num_stream_outputs++] =
      (struct script_stream_output){
         .shader = (uint32_t)(shader - script->shaders),
         .info = info,
      };
}

const struct tg_stream_output_info *
script_find_stream_output(const struct script *script, uint32_t shader)
{
   for (uint32_t i = 0; i < script->num_stream_outputs; i++) {
      if (script->stream_outputs[i].shader == shader)
         return &script->stream_outputs[i].info;
   }
   return NULL;
}
