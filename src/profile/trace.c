/* SPDX-License-Identifier: MIT
 *
 * Profiles in Chrome's trace event format: an object with an array of events,
 * of which Perfetto reads complete events ("X"), instants ("i") and names of
 * processes and threads ("M").
 */
#include <assert.h>
#include <inttypes.h>
#include <unistd.h>

#include "profile/state.h"
#include "util/json.h"
#include "util/strbuf.h"

/* Bytes that are written together. */
enum { PIECE = 1 << 16 };

struct trace {
   const struct tg_profile *profile;
   struct tg_strbuf out;
   tg_write_function write;
   void *user;
   int process;
   bool is_refused; /* write() failed, and what follows is dropped */
   bool has_comma;  /* an event precedes the next */
};

/* ---- text ---------------------------------------------------------------- */

/* Empties the buffer into write(), once it holds so many bytes. */
static void
flush(struct trace *trace, size_t least)
{
   struct tg_strbuf *out = &trace->out;

   if (out->failed || out->length < least)
      return;
   trace->is_refused =
      trace->is_refused || !trace->write(trace->user, out->data, out->length);
   out->length = 0;
}

/* Begins an event: what all of them have. */
static void
begin_event(struct trace *trace, const char *kind, pid_t thread)
{
   tg_strbuf_printf(&trace->out, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d",
                    trace->has_comma ? "," : "", kind, trace->process,
                    (int)thread);
   trace->has_comma = true;
}

static void
end_event(struct trace *trace)
{
   tg_strbuf_add_char(&trace->out, '}');
   flush(trace, PIECE);
}

/* Microseconds, to the nanosecond. */
static void
add_time(struct tg_strbuf *out, const char *name, uint64_t nanoseconds)
{
   tg_strbuf_printf(out, ",\"%s\":%" PRIu64 ".%03u", name, nanoseconds / 1000,
                    (unsigned)(nanoseconds % 1000));
}

static void
add_member(struct tg_strbuf *out, const char *name, const char *text)
{
   tg_strbuf_printf(out, ",\"%s\":", name);
   tg_json_print_string(out, text);
}

/* ---- events -------------------------------------------------------------- */

static void
add_name(struct trace *trace, const char *event, pid_t thread, const char *name)
{
   begin_event(trace, "M", thread);
   add_member(&trace->out, "name", event);
   tg_strbuf_add(&trace->out, ",\"args\":{\"name\":");
   tg_json_print_string(&trace->out, name);
   tg_strbuf_add_char(&trace->out, '}');
   end_event(trace);
}

static void
add_frame(struct trace *trace, const struct profile_thread *thread,
          const struct profile_span *mark)
{
   struct tg_strbuf *out = &trace->out;

   begin_event(trace, "i", thread->number);
   tg_strbuf_printf(out, ",\"s\":\"p\",\"name\":\"frame %" PRIu64 "\"",
                    mark->draw);
   add_time(out, "ts", mark->begin - trace->profile->begin);
   end_event(trace);
}

/* Draws have their numbers, what is compiled the shader. */
static void
add_title(struct tg_strbuf *out, const struct profile_span *span,
          const char *shader)
{
   const struct profile_stage *stage = &profile_stages[span->stage];

   if (span->stage == TG_PROFILE_DRAW)
      tg_strbuf_printf(out, ",\"name\":\"draw %" PRIu64 "\"", span->draw);
   else
      add_member(out, "name",
                 stage->is_compiling && shader ? shader : stage->name);
   add_member(out, "cat", stage->name);
}

static void
add_arguments(struct tg_strbuf *out, const struct profile_span *span,
              const char *shader)
{
   tg_strbuf_printf(out, ",\"args\":{\"self_us\":%" PRIu64 ".%03u",
                    span->self / 1000, (unsigned)(span->self % 1000));
   if (span->draw)
      tg_strbuf_printf(out, ",\"draw\":%" PRIu64, span->draw);
   if (span->call)
      tg_strbuf_printf(out, ",\"call\":%" PRIu64, span->call);
   if (shader)
      add_member(out, "shader", shader);
   tg_strbuf_add_char(out, '}');
}

static void
add_span(struct trace *trace, const struct profile_thread *thread,
         const struct profile_span *span)
{
   struct tg_strbuf *out = &trace->out;
   const char *shader =
      span->shader ? trace->profile->shaders[span->shader] : NULL;

   begin_event(trace, "X", thread->number);
   add_time(out, "ts", span->begin - trace->profile->begin);
   add_time(out, "dur", span->end - span->begin);
   add_title(out, span, shader);
   add_arguments(out, span, shader);
   end_event(trace);
}

static void
add_thread(struct trace *trace, struct profile_thread *thread)
{
   pthread_mutex_lock(&thread->mutex);
   add_name(trace, "thread_name", thread->number,
            thread->title ? thread->title : "thread");
   for (uint32_t i = 0; i < thread->num_kept; i++) {
      const struct profile_span *span = profile_span_at(thread, i);

      if (span->stage == PROFILE_FRAME)
         add_frame(trace, thread, span);
      else
         add_span(trace, thread, span);
   }
   pthread_mutex_unlock(&thread->mutex);
}

/* ---- the whole ----------------------------------------------------------- */

static void
add_counters(struct tg_strbuf *out, const struct tg_profile_counters *counters)
{
   tg_strbuf_add(out, "{\"seconds\":");
   tg_strbuf_double(out, "%.9f", counters->seconds);
#define ADD(name)                                                              \
   tg_strbuf_printf(out, ",\"" #name "\":%" PRIu64, counters->name)
   ADD(draws);
   ADD(frames);
   ADD(spans_lost);
   ADD(kernels_made);
   ADD(kernels_found);
   ADD(code_made);
   ADD(code_loaded);
   ADD(code_shared);
#undef ADD
}

static void
add_stages(struct tg_strbuf *out, const struct profile_sums *sums)
{
   tg_strbuf_add(out, ",\"stages\":{");
   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++)
      tg_strbuf_printf(
         out, "%s\n\"%s\":{\"spans\":%" PRIu64 ",\"nanoseconds\":%" PRIu64 "}",
         i ? "," : "", profile_stages[i].name, sums->stages[i].spans,
         sums->stages[i].nanoseconds);
   tg_strbuf_add_char(out, '}');
}

static void
add_all(struct trace *trace, struct tg_profile *profile)
{
   struct profile_sums sums;

   profile_add_up(profile, &sums);
   const struct tg_profile_counters counters = profile_counters(profile, &sums);
   tg_strbuf_add(&trace->out, "{\"displayTimeUnit\":\"ms\",\n\"otherData\":");
   add_counters(&trace->out, &counters);
   add_stages(&trace->out, &sums);
   tg_strbuf_add(&trace->out, "},\n\"traceEvents\":[");
   add_name(trace, "process_name", 0, "tungsten");
   for (struct profile_thread *thread = profile->newest; thread;
        thread = thread->next)
      add_thread(trace, thread);
   tg_strbuf_add(&trace->out, "\n]}\n");
   flush(trace, 1);
}

enum tg_result
tg_profile_write_trace(struct tg_profile *profile, tg_write_function write,
                       void *user)
{
   assert(profile);
   assert(write);
   struct trace trace = {
      .profile = profile,
      .out.allocator = &profile->allocator,
      .write = write,
      .user = user,
      .process = (int)getpid(),
   };

   pthread_mutex_lock(&profile->mutex);
   add_all(&trace, profile);
   pthread_mutex_unlock(&profile->mutex);
   const bool is_short = trace.out.failed;
   tg_strbuf_finish(&trace.out);
   if (trace.is_refused)
      return TG_ERROR_IO;
   return is_short ? TG_ERROR_MEMORY : TG_OK;
}
