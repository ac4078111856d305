/* SPDX-License-Identifier: MIT
 *
 * tungsten trace FILE
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/recording.h"
#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/standard_output.h"
#include "cli/table/handlers.h"
#include "record/trace.h"
#include "util/ascii.h"

/* Text is printed when there is so much of it. */
enum { FLUSH_BYTES = 1 << 16 };

struct trace {
   const char *folder; /* of shaders, or NULL */
   unsigned num_shaders;
   bool has_failed;
};

/* FOLDER/0001.frag.tgsi, as tungsten-split(1) names them. */
static void
write_shader(void *user, uint32_t handle, const char *stage, const char *text,
             size_t length)
{
   struct trace *trace = user;
   struct tg_strbuf path = {0};
   (void)handle;

   if (trace->has_failed)
      return;
   tg_strbuf_printf(&path, "%s/%04u.", trace->folder, ++trace->num_shaders);
   for (; *stage; stage++)
      tg_strbuf_add_char(&path, tg_ascii_lower(*stage));
   tg_strbuf_add(&path, ".tgsi");
   if (path.failed || !cli_write_file(path.data, text, length))
      trace->has_failed = true;
   tg_strbuf_finish(&path);
}

static bool
print_text(void *user, struct tg_strbuf *out)
{
   const struct trace *trace = user;

   if (trace->has_failed)
      return false;
   if (out->length < FLUSH_BYTES)
      return true;
   return cli_output_string(tg_strbuf_take(out));
}

static bool
make_folder(const char *folder)
{
   if (mkdir(folder, 0777) == 0 || errno == EEXIST)
      return true;
   cli_complain("cannot make '%s': %s", folder, strerror(errno));
   return false;
}

int
cmd_trace(struct cli_call *call)
{
   const struct cli_options *options = &call->options;
   const char *path = call->operands[0];
   struct trace trace = {.folder = options->shaders};
   const struct record_trace_options trace_options = {
      .shader = options->shaders ? write_shader : NULL,
      .flush = print_text,
      .user = &trace,
      .has_frames = options->frame.is_given,
      .first_frame = (uint64_t)options->frame.value,
      .last_frame = (uint64_t)options->frame.value,
   };
   struct record_reader reader;
   struct tg_strbuf out = {0};

   if ((options->shaders && !make_folder(options->shaders)) ||
       !cli_open_recording(path, &reader))
      return CLI_FAILED;
   bool is_good = record_trace(&reader, &trace_options, &out);
   if (out.length && !out.failed)
      is_good = cli_output_string(tg_strbuf_take(&out)) && is_good;
   if (out.failed)
      cli_complain("out of memory");
   tg_strbuf_finish(&out);
   is_good = cli_close_recording(path, &reader) && is_good;
   return is_good && !trace.has_failed ? CLI_OK : CLI_FAILED;
}
