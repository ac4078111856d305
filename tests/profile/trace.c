/* SPDX-License-Identifier: MIT
 *
 * Reading and checking of traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum { MAX_EVENTS = 1 << 16, MAX_DEPTH = 64 };

/* A complete event, in nanoseconds. */
struct event {
   double thread;
   uint64_t begin, end, self;
   const char *stage;
};

double
number_of(const cJSON *object, const char *name)
{
   const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, name);

   assert_non_null(number);
   assert_true(cJSON_IsNumber(number));
   return number->valuedouble;
}

static const char *
string_of(const cJSON *object, const char *name)
{
   const cJSON *string = cJSON_GetObjectItemCaseSensitive(object, name);

   assert_non_null(string);
   assert_true(cJSON_IsString(string));
   return string->valuestring;
}

static uint64_t
nanoseconds_of(const cJSON *object, const char *name)
{
   return (uint64_t)llround(number_of(object, name) * 1000);
}

/* ---- nesting ------------------------------------------------------------- */

/* By thread and begin, the longer first. */
static int
compare(const void *a, const void *b)
{
   const struct event *first = a, *second = b;

   if (first->thread != second->thread)
      return first->thread < second->thread ? -1 : 1;
   if (first->begin != second->begin)
      return first->begin < second->begin ? -1 : 1;
   return first->end > second->end ? -1 : first->end < second->end;
}

static bool
is_within(const struct event *inner, const struct event *outer)
{
   return inner->thread == outer->thread && inner->begin >= outer->begin &&
          inner->end <= outer->end;
}

static void
check_nesting(struct event *events, size_t count)
{
   const struct event *open[MAX_DEPTH];
   uint64_t inner[MAX_DEPTH];
   size_t depth = 0;

   qsort(events, count, sizeof(*events), compare);
   for (size_t i = 0; i <= count; i++) {
      while (depth > 0 &&
             (i == count || !is_within(&events[i], open[depth - 1]))) {
         const struct event *event = open[--depth];

         if (i < count && events[i].thread == event->thread)
            assert_true(events[i].begin >= event->end);
         assert_int_equal(event->end - event->begin - inner[depth],
                          event->self);
         if (depth > 0)
            inner[depth - 1] += event->end - event->begin;
      }
      if (i == count)
         break;
      assert_true(depth < MAX_DEPTH);
      inner[depth] = 0;
      open[depth++] = &events[i];
   }
}

/* ---- totals -------------------------------------------------------------- */

static void
check_totals(const cJSON *trace, const struct event *events, size_t count)
{
   const cJSON *other = cJSON_GetObjectItemCaseSensitive(trace, "otherData");
   const cJSON *stages = cJSON_GetObjectItemCaseSensitive(other, "stages");

   assert_int_equal(cJSON_GetArraySize(stages), TG_NUM_PROFILE_STAGES);
   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++) {
      const char *name = tg_profile_stage_name((enum tg_profile_stage)i);
      const cJSON *stage = cJSON_GetObjectItemCaseSensitive(stages, name);
      uint64_t spans = 0, nanoseconds = 0;

      for (size_t k = 0; k < count; k++) {
         spans += strcmp(events[k].stage, name) == 0;
         nanoseconds += strcmp(events[k].stage, name) == 0 ? events[k].self : 0;
      }
      assert_int_equal(number_of(stage, "spans"), spans);
      assert_int_equal(number_of(stage, "nanoseconds"), nanoseconds);
   }
}

/* ---- the trace ----------------------------------------------------------- */

static const cJSON *
events_of(const cJSON *trace)
{
   const cJSON *events = cJSON_GetObjectItemCaseSensitive(trace, "traceEvents");

   assert_true(cJSON_IsArray(events));
   return events;
}

static size_t
take_events(const cJSON *trace, struct event *events)
{
   const cJSON *event;
   size_t count = 0;

   cJSON_ArrayForEach(event, events_of(trace))
   {
      if (strcmp(string_of(event, "ph"), "X") != 0)
         continue;
      const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(event, "args");
      const uint64_t begin = nanoseconds_of(event, "ts");

      assert_true(count < MAX_EVENTS);
      events[count++] = (struct event){
         .thread = number_of(event, "tid"),
         .begin = begin,
         .end = begin + nanoseconds_of(event, "dur"),
         .self = nanoseconds_of(arguments, "self_us"),
         .stage = string_of(event, "cat"),
      };
   }
   return count;
}

static void
check(const cJSON *trace)
{
   const cJSON *other = cJSON_GetObjectItemCaseSensitive(trace, "otherData");
   struct event *events = calloc(MAX_EVENTS, sizeof(*events));
   assert_non_null(events);
   const size_t count = take_events(trace, events);

   if (number_of(other, "spans_lost") == 0) {
      check_nesting(events, count);
      check_totals(trace, events, count);
   }
   free(events);
}

struct text {
   char *bytes;
   size_t length;
};

static bool
take(void *user, const char *bytes, size_t num_bytes)
{
   struct text *text = user;

   text->bytes = realloc(text->bytes, text->length + num_bytes + 1);
   assert_non_null(text->bytes);
   memcpy(text->bytes + text->length, bytes, num_bytes);
   text->length += num_bytes;
   text->bytes[text->length] = '\0';
   return true;
}

cJSON *
read_trace(struct tg_profile *profile)
{
   struct text text = {0};

   assert_int_equal(tg_profile_write_trace(profile, take, &text), TG_OK);
   cJSON *trace = cJSON_ParseWithOpts(text.bytes, NULL, true);
   assert_non_null(trace);
   free(text.bytes);
   check(trace);
   return trace;
}

unsigned
count_events(const cJSON *trace, const char *kind, const char *name)
{
   const cJSON *event;
   unsigned count = 0;

   cJSON_ArrayForEach(event, events_of(trace))
   {
      count += strcmp(string_of(event, "ph"), kind) == 0 &&
               (!name || strcmp(string_of(event, "name"), name) == 0);
   }
   return count;
}

const cJSON *
find_event(const cJSON *trace, const char *name)
{
   const cJSON *event;

   cJSON_ArrayForEach(event, events_of(trace))
   {
      if (strcmp(string_of(event, "ph"), "X") == 0 &&
          strcmp(string_of(event, "name"), name) == 0)
         return event;
   }
   fail_msg("the trace has no event '%s'", name);
   return NULL;
}
