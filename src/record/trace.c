/* SPDX-License-Identifier: MIT
 *
 * The printer of recordings: chunks, the commands of streams, and shaders,
 * whose pieces are joined.
 */
#include "record/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "virgl/wire/print.h"
#include "virgl/wire/protocol.h"
#include "virgl/wire/stream.h"

enum { MAX_TEXT = 16 << 20, MAX_TARGETS = 256 };

/* Of the words of CREATE_OBJECT SHADER. */
enum { HANDLE = 1, STAGE = 2, OFFSET = 3, NUM_OUTPUTS = 5 };

struct trace {
   const struct record_trace_options *options;
   struct tg_strbuf *out;
   uint64_t num_frames;
   uint64_t num_draws; /* commands, from the beginning of the recording */
   /* Display targets: reading one back whole is a frame. Of more than these no
    * frames are seen. */
   struct target {
      uint32_t handle;
      struct virgl_resource_desc desc;
   } targets[MAX_TARGETS];
   uint32_t num_targets;
   /* A shader that has not come whole. */
   struct tg_strbuf text;
   uint32_t handle, text_size;
   bool has_failed;
};

static bool
is_wanted(const struct trace *trace)
{
   const struct record_trace_options *options = trace->options;

   return !options->has_frames || (trace->num_frames >= options->first_frame &&
                                   trace->num_frames <= options->last_frame);
}

/* ---- frames -------------------------------------------------------------- */

static void
note_target(struct trace *trace, const struct record_create *create)
{
   const struct virgl_resource_desc desc = record_format_unpack_desc(create);

   if (!(desc.bind & VIRGL_BIND_DISPLAY_TARGET) ||
       trace->num_targets == MAX_TARGETS)
      return;
   trace->targets[trace->num_targets++] = (struct target){create->handle, desc};
}

static void
forget_target(struct trace *trace, uint32_t handle)
{
   for (uint32_t i = 0; i < trace->num_targets; i++) {
      if (trace->targets[i].handle == handle)
         trace->targets[i] = trace->targets[--trace->num_targets];
   }
}

static bool
is_frame(const struct trace *trace, const struct record_transfer *get)
{
   const struct virgl_transfer transfer = record_format_unpack_transfer(get);

   for (uint32_t i = 0; i < trace->num_targets; i++) {
      const struct target *target = &trace->targets[i];

      if (target->handle == get->handle)
         return virgl_transfer_is_frame(&target->desc, &transfer);
   }
   return false;
}

/* ---- shaders ------------------------------------------------------------- */

static void
end_shader(struct trace *trace, const struct virgl_command *command)
{
   const struct record_trace_options *options = trace->options;
   struct tg_strbuf *text = &trace->text;
   const size_t length = text->data ? strlen(text->data) : 0;
   char room[16];

   tg_hide_controls(text->data, length, TG_CONTROLS_OF_LINES);
   if (options->shader && !text->failed && is_wanted(trace))
      options->shader(options->user, trace->handle,
                      virgl_print_stage(command->words[STAGE], room),
                      text->data ? text->data : "", length);
   for (const char *line = text->data; is_wanted(trace) && line && *line;) {
      const size_t count = strcspn(line, "\n");

      tg_strbuf_add(trace->out, "      ");
      tg_strbuf_add_n(trace->out, line, count);
      tg_strbuf_add_char(trace->out, '\n');
      line += count + (line[count] == '\n');
   }
   trace->has_failed |= text->failed;
   tg_strbuf_finish(text);
   trace->text_size = 0;
}

/* Words that precede the text of a piece. */
static uint32_t
count_head(const struct virgl_command *command)
{
   const uint32_t *words = command->words;

   if (words[OFFSET] & VIRGL_SHADER_IS_LATER_PIECE || !words[NUM_OUTPUTS] ||
       words[STAGE] == VIRGL_STAGE_COMPUTE)
      return VIRGL_SHADER_HEAD;
   return words[NUM_OUTPUTS] < command->length
             ? VIRGL_SHADER_HEAD + VIRGL_SHADER_STRIDES +
                  VIRGL_SHADER_OUTPUT * words[NUM_OUTPUTS]
             : command->length;
}

static void
add_piece(struct trace *trace, const struct virgl_command *command)
{
   const uint32_t *words = command->words;
   const uint32_t head = count_head(command);

   if (!(words[OFFSET] & VIRGL_SHADER_IS_LATER_PIECE)) {
      tg_strbuf_finish(&trace->text);
      trace->handle = words[HANDLE];
      trace->text_size = words[OFFSET] <= MAX_TEXT ? words[OFFSET] : 0;
   }
   if (!trace->text_size || trace->handle != words[HANDLE] ||
       head >= command->length)
      return;
   const uint32_t offset = words[OFFSET] & VIRGL_SHADER_IS_LATER_PIECE
                              ? words[OFFSET] & ~VIRGL_SHADER_IS_LATER_PIECE
                              : 0;
   const size_t count = (command->length - head) * sizeof(*words);
   const uint64_t end = offset + (uint64_t)count;
   const size_t left = trace->text_size - trace->text.length;
   const char *piece = (const char *)&words[1 + head];
   tg_strbuf_add_n(&trace->text, piece,
                   strnlen(piece, count < left ? count : left));
   if (end >= trace->text_size)
      end_shader(trace, command);
}

/* ---- chunks -------------------------------------------------------------- */

static void
print_create(struct trace *trace, const struct record_create *create)
{
   const uint32_t *desc = create->desc;
   char target[16], format[16];

   tg_strbuf_printf(
      trace->out,
      "CREATE %" PRIu32 " %s %s bind=0x%" PRIx32 " %" PRIu32 "x%" PRIu32
      "x%" PRIu32 " layers=%" PRIu32 " last_level=%" PRIu32 " samples=%" PRIu32
      " shared=%" PRIu64 "\n",
      create->handle, virgl_print_target(desc[0], target),
      virgl_print_format(desc[1], format), desc[2], desc[3], desc[4], desc[5],
      desc[6], desc[7], desc[8], create->num_shared_bytes);
}

static void
print_transfer(struct trace *trace, const char *name,
               const struct record_transfer *transfer)
{
   const int32_t *box = transfer->box;

   tg_strbuf_printf(trace->out,
                    "%s %" PRIu32 " level=%" PRIu32 " box=%" PRId32 ",%" PRId32
                    ",%" PRId32 " %" PRId32 "x%" PRId32 "x%" PRId32
                    " stride=%" PRIu32 ",%" PRIu32 " offset=%" PRIu64 "%s",
                    name, transfer->handle, transfer->level, box[0], box[1],
                    box[2], box[3], box[4], box[5], transfer->stride,
                    transfer->layer_stride, transfer->offset,
                    transfer->flags & RECORD_IS_DATA ? "" : " shared");
}

static void
print_get(struct trace *trace, const struct record_transfer *get)
{
   print_transfer(trace, "GET", get);
   tg_strbuf_printf(trace->out, " checksum=%016" PRIx64, get->checksum);
   if (!(get->flags & RECORD_IS_COMMAND) && is_frame(trace, get))
      tg_strbuf_printf(trace->out, " frame=%" PRIu64, trace->num_frames);
   tg_strbuf_add_char(trace->out, '\n');
}

/* Draws have the numbers by which profiles name them. */
static void
print_command(struct trace *trace, const struct virgl_command *command)
{
   tg_strbuf_printf(trace->out, "   %zu: ", command->position);
   if (command->error)
      tg_strbuf_add(trace->out, command->error);
   else
      virgl_print_command(command, trace->out);
   if (!command->error && command->number == VIRGL_DRAW_VBO)
      tg_strbuf_printf(trace->out, " draw=%" PRIu64, trace->num_draws);
   tg_strbuf_add_char(trace->out, '\n');
}

static void
print_stream(struct trace *trace, const struct record_chunk *chunk)
{
   struct virgl_stream stream = {
      .words = chunk->bytes,
      .num_words = chunk->num_bytes / sizeof(uint32_t),
   };
   struct virgl_command command;

   if (is_wanted(trace))
      tg_strbuf_printf(trace->out, "SUBMIT %zu words\n", stream.num_words);
   while (virgl_stream_next(&stream, &command)) {
      trace->num_draws += !command.error && command.number == VIRGL_DRAW_VBO;
      if (is_wanted(trace))
         print_command(trace, &command);
      if (!command.error && command.number == VIRGL_CREATE_OBJECT &&
          command.object == VIRGL_OBJECT_SHADER)
         add_piece(trace, &command);
   }
}

static void
print_session(struct trace *trace, const struct record_chunk *chunk)
{
   const struct record_session *session = chunk->bytes;

   tg_strbuf_printf(
      trace->out, "SESSION gl=%" PRIu32 "%s tungsten=", session->max_gl_version,
      session->flags & RECORD_HAS_EXACT_INDEX_OFFSETS ? " exact-index-offsets"
                                                      : "");
   tg_strbuf_add_foreign(trace->out, (const char *)(session + 1),
                         chunk->num_bytes - sizeof(*session),
                         TG_CONTROLS_OF_LINES);
   tg_strbuf_add_char(trace->out, '\n');
}

static void
print_end(struct trace *trace, const uint32_t *reason)
{
   static const char *const reasons[] = {
      [RECORD_END_CLIENT] = "the client has gone",
      [RECORD_END_SIZE] = "the greatest size",
      [RECORD_END_TROUBLE] = "no memory",
   };

   tg_strbuf_printf(trace->out, "END %s\n", reasons[*reason]);
}

static void
print_chunk(struct trace *trace, const struct record_chunk *chunk)
{
   switch (chunk->kind) {
   case RECORD_SESSION: print_session(trace, chunk); break;
   case RECORD_CREATE: print_create(trace, chunk->bytes); break;
   case RECORD_DESTROY:
      tg_strbuf_printf(trace->out, "DESTROY %" PRIu32 "\n",
                       *(const uint32_t *)chunk->bytes);
      break;
   case RECORD_PUT:
      print_transfer(trace, "PUT", chunk->bytes);
      tg_strbuf_add_char(trace->out, '\n');
      break;
   case RECORD_GET: print_get(trace, chunk->bytes); break;
   case RECORD_SHARED:
      tg_strbuf_printf(trace->out, "SHARED %" PRIu64 " bytes\n",
                       chunk->num_bytes);
      break;
   case RECORD_END: print_end(trace, chunk->bytes); break;
   default:
      tg_strbuf_printf(trace->out, "%s\n",
                       record_reader_kind_name(chunk->kind));
      break;
   }
}

/* What is known from a chunk on. */
static void
note_chunk(struct trace *trace, const struct record_chunk *chunk)
{
   const struct record_transfer *get = chunk->bytes;

   if (chunk->kind == RECORD_CREATE)
      note_target(trace, chunk->bytes);
   else if (chunk->kind == RECORD_DESTROY)
      forget_target(trace, *(const uint32_t *)chunk->bytes);
   else if (chunk->kind == RECORD_GET && !(get->flags & RECORD_IS_COMMAND) &&
            is_frame(trace, get))
      trace->num_frames++;
}

bool
record_trace(struct record_reader *reader,
             const struct record_trace_options *options, struct tg_strbuf *out)
{
   struct trace trace = {.options = options, .out = out};
   struct record_chunk chunk;
   bool is_good = true;

   while (is_good && record_reader_next(reader, &chunk)) {
      if (chunk.kind == RECORD_SUBMIT)
         print_stream(&trace, &chunk);
      else if (is_wanted(&trace))
         print_chunk(&trace, &chunk);
      note_chunk(&trace, &chunk);
      is_good = !out->failed && !trace.has_failed &&
                (!options->flush || options->flush(options->user, out));
   }
   tg_strbuf_finish(&trace.text);
   return is_good;
}
