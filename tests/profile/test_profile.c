/* SPDX-License-Identifier: MIT
 *
 * Profiles by themselves: spans that nest, what is kept and what is lost, names
 * from strangers, tables and traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "trace.h"
#include "util/clock.h"

static struct tg_profile *
create(uint32_t max_spans)
{
   struct tg_profile_options options = TG_PROFILE_OPTIONS_INIT;
   struct tg_profile *profile;

   options.max_spans = max_spans;
   assert_int_equal(tg_profile_create(NULL, &options, &profile), TG_OK);
   return profile;
}

static struct tg_profile_total
total_of(struct tg_profile *profile, enum tg_profile_stage stage)
{
   struct tg_profile_total total = TG_PROFILE_TOTAL_INIT;

   assert_int_equal(tg_profile_get_total(profile, stage, &total), TG_OK);
   return total;
}

static struct tg_profile_counters
counters_of(struct tg_profile *profile)
{
   struct tg_profile_counters counters = TG_PROFILE_COUNTERS_INIT;

   assert_int_equal(tg_profile_get_counters(profile, &counters), TG_OK);
   return counters;
}

static const cJSON *
arguments_of(const cJSON *event)
{
   return cJSON_GetObjectItemCaseSensitive(event, "args");
}

/* One span of a draw and a shader. */
static void
record(struct tg_profile *profile, enum tg_profile_stage stage, uint64_t draw,
       uint32_t shader)
{
   profile_begin(profile, stage,
                 (struct profile_subject){.draw = draw, .shader = shader});
   profile_end(profile);
}

static void
spend(uint64_t nanoseconds)
{
   const uint64_t end = tg_clock_now() + nanoseconds;

   while (tg_clock_now() < end)
      continue;
}

/* The same of a span that takes so many microseconds at least. */
static void
record_long(struct tg_profile *profile, enum tg_profile_stage stage,
            uint64_t draw, uint32_t shader, uint64_t microseconds)
{
   profile_begin(profile, stage,
                 (struct profile_subject){.draw = draw, .shader = shader});
   spend(microseconds * 1000);
   profile_end(profile);
}

/* ---- stages -------------------------------------------------------------- */

static void
names_each_stage_once(void **state)
{
   (void)state;
   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++) {
      const char *name = tg_profile_stage_name((enum tg_profile_stage)i);

      assert_non_null(name);
      for (unsigned k = 0; k < i; k++)
         assert_string_not_equal(
            name, tg_profile_stage_name((enum tg_profile_stage)k));
   }
   assert_null(tg_profile_stage_name(TG_NUM_PROFILE_STAGES));
}

static void
refuses_an_unknown_stage(void **state)
{
   struct tg_profile_total total = TG_PROFILE_TOTAL_INIT;
   struct tg_profile *profile = create(0);

   (void)state;
   assert_int_equal(
      tg_profile_get_total(profile, TG_NUM_PROFILE_STAGES, &total),
      TG_ERROR_INPUT);
   tg_profile_destroy(profile);
}

/* ---- spans --------------------------------------------------------------- */

static void
does_nothing_without_a_profile(void **state)
{
   (void)state;
   tg_profile_begin(NULL, TG_PROFILE_DECODE);
   tg_profile_end(NULL);
   tg_profile_mark_frame(NULL);
   tg_profile_number_draw(NULL, 3);
   tg_profile_destroy(NULL);
   assert_int_equal(profile_next_draw(NULL), 0);
   assert_int_equal(profile_shader(NULL, "FRAG"), 0);
   profile_count_in_span(NULL, PROFILE_KERNELS_MADE);
}

/* The trace is checked to the nanosecond when it is read. */
static void
counts_time_once(void **state)
{
   struct tg_profile *profile = create(0);

   (void)state;
   tg_profile_begin(profile, TG_PROFILE_DECODE);
   tg_profile_begin(profile, TG_PROFILE_UPLOAD);
   tg_profile_end(profile);
   tg_profile_begin(profile, TG_PROFILE_UPLOAD);
   tg_profile_begin(profile, TG_PROFILE_WAIT);
   tg_profile_end(profile);
   tg_profile_end(profile);
   tg_profile_end(profile);
   assert_int_equal(total_of(profile, TG_PROFILE_DECODE).spans, 1);
   assert_int_equal(total_of(profile, TG_PROFILE_UPLOAD).spans, 2);
   assert_int_equal(total_of(profile, TG_PROFILE_WAIT).spans, 1);
   assert_int_equal(total_of(profile, TG_PROFILE_READ).spans, 0);

   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "X", NULL), 4);
   const cJSON *whole = find_event(trace, "decode");
   double seconds = total_of(profile, TG_PROFILE_DECODE).seconds +
                    total_of(profile, TG_PROFILE_UPLOAD).seconds +
                    total_of(profile, TG_PROFILE_WAIT).seconds;
   assert_true(seconds > 0);
   assert_float_equal(number_of(whole, "dur") * 1e-6, seconds, 1e-9);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

static void
counts_nothing_that_is_open(void **state)
{
   struct tg_profile *profile = create(0);

   (void)state;
   tg_profile_end(profile); /* of nothing */
   tg_profile_begin(profile, TG_PROFILE_DECODE);
   assert_int_equal(total_of(profile, TG_PROFILE_DECODE).spans, 0);
   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "X", NULL), 0);
   cJSON_Delete(trace);
   tg_profile_end(profile);
   assert_int_equal(total_of(profile, TG_PROFILE_DECODE).spans, 1);
   tg_profile_destroy(profile);
}

/* Compiling and waiting are for the draw around them; tiles that are drawn
 * meanwhile are not. */
static void
belongs_to_the_call_around_it(void **state)
{
   struct tg_profile *profile = create(0);

   (void)state;
   profile_begin(profile, TG_PROFILE_DRAW,
                 (struct profile_subject){.draw = 5, .call = 9});
   record(profile, TG_PROFILE_LOWER, 0, 0);
   tg_profile_begin(profile, TG_PROFILE_WAIT);
   record(profile, TG_PROFILE_TILE, 0, 0);
   tg_profile_end(profile);
   profile_end(profile);

   cJSON *trace = read_trace(profile);
   const cJSON *lower = arguments_of(find_event(trace, "lower"));
   assert_int_equal(number_of(lower, "draw"), 5);
   assert_int_equal(number_of(lower, "call"), 9);
   const cJSON *wait = arguments_of(find_event(trace, "wait"));
   assert_int_equal(number_of(wait, "draw"), 5);
   assert_false(
      cJSON_HasObjectItem(arguments_of(find_event(trace, "tile")), "draw"));
   assert_int_equal(count_events(trace, "X", "draw 5"), 1);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

/* ---- bounds -------------------------------------------------------------- */

static void
keeps_the_newest_spans(void **state)
{
   struct tg_profile *profile = create(4);

   (void)state;
   for (uint64_t i = 1; i <= 10; i++)
      record(profile, TG_PROFILE_DRAW, i, 0);
   assert_int_equal(total_of(profile, TG_PROFILE_DRAW).spans, 10);
   assert_int_equal(counters_of(profile).spans_lost, 6);
   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "X", NULL), 4);
   for (int i = 7; i <= 10; i++) {
      char name[32];

      snprintf(name, sizeof(name), "draw %d", i);
      assert_int_equal(count_events(trace, "X", name), 1);
   }
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

/* Rings begin small and grow: none is lost on the way. */
static void
keeps_all_spans_that_it_may(void **state)
{
   struct tg_profile *profile = create(1000);

   (void)state;
   for (uint64_t i = 1; i <= 1000; i++)
      record(profile, TG_PROFILE_DRAW, i, 0);
   assert_int_equal(counters_of(profile).spans_lost, 0);
   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "X", NULL), 1000);
   assert_int_equal(count_events(trace, "X", "draw 1"), 1);
   cJSON_Delete(trace);
   record(profile, TG_PROFILE_DRAW, 1001, 0);
   assert_int_equal(counters_of(profile).spans_lost, 1);
   tg_profile_destroy(profile);
}

/* The outer ones are whole. */
static void
loses_what_is_too_deep(void **state)
{
   enum { DEPTH = 40, MOST = 32 };
   struct tg_profile *profile = create(0);

   (void)state;
   for (unsigned i = 0; i < DEPTH; i++)
      tg_profile_begin(profile, TG_PROFILE_DECODE);
   for (unsigned i = 0; i < DEPTH; i++)
      tg_profile_end(profile);
   assert_int_equal(total_of(profile, TG_PROFILE_DECODE).spans, MOST);
   assert_int_equal(counters_of(profile).spans_lost, DEPTH - MOST);
   record(profile, TG_PROFILE_READ, 0, 0);
   assert_int_equal(total_of(profile, TG_PROFILE_READ).spans, 1);
   tg_profile_destroy(profile);
}

/* ---- threads ------------------------------------------------------------- */

enum { NUM_THREADS = 8, NUM_ROUNDS = 500 };

static void *
record_rounds(void *user)
{
   struct tg_profile *profile = user;

   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      tg_profile_begin(profile, TG_PROFILE_TILE);
      record(profile, TG_PROFILE_FRAGMENT, i + 1,
             profile_shader(profile, "FRAG"));
      tg_profile_end(profile);
      profile_count_in_span(profile, PROFILE_KERNELS_FOUND);
   }
   return NULL;
}

/* Results are asked for meanwhile. */
static void
takes_many_threads(void **state)
{
   struct tg_profile *profile = create(0);
   pthread_t threads[NUM_THREADS];

   (void)state;
   for (unsigned i = 0; i < NUM_THREADS; i++)
      assert_int_equal(
         pthread_create(&threads[i], NULL, record_rounds, profile), 0);
   for (unsigned i = 0; i < 20; i++) {
      char *text = tg_profile_text(profile);

      assert_non_null(text);
      tg_string_free(text);
   }
   for (unsigned i = 0; i < NUM_THREADS; i++)
      pthread_join(threads[i], NULL);
   assert_int_equal(total_of(profile, TG_PROFILE_TILE).spans,
                    NUM_THREADS * NUM_ROUNDS);
   assert_int_equal(counters_of(profile).kernels_found,
                    NUM_THREADS * NUM_ROUNDS);
   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "X", NULL),
                    2 * NUM_THREADS * NUM_ROUNDS);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

static void
names_threads_for_what_they_do(void **state)
{
   struct tg_profile *profile = create(0);
   pthread_t thread;

   (void)state;
   assert_int_equal(pthread_create(&thread, NULL, record_rounds, profile), 0);
   pthread_join(thread, NULL);
   cJSON *trace = read_trace(profile);
   const cJSON *event;
   unsigned count = 0;

   cJSON_ArrayForEach(event, cJSON_GetObjectItem(trace, "traceEvents"))
   {
      const cJSON *name = cJSON_GetObjectItem(arguments_of(event), "name");

      if (strcmp(cJSON_GetObjectItem(event, "name")->valuestring,
                 "thread_name") != 0)
         continue;
      assert_string_equal(name->valuestring, "worker");
      count++;
   }
   assert_int_equal(count, 1);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

/* ---- shaders ------------------------------------------------------------- */

static void
numbers_shaders_by_their_titles(void **state)
{
   struct tg_profile *profile = create(0);

   (void)state;
   const uint32_t first = profile_shader(profile, "FRAG shader 7");
   assert_int_not_equal(first, 0);
   assert_int_equal(profile_shader(profile, "FRAG shader 7"), first);
   assert_int_not_equal(profile_shader(profile, "VERT shader 7"), first);
   assert_int_not_equal(profile_shader(profile, "FRAG shader 70"), first);
   tg_profile_destroy(profile);
}

static void
has_no_name_for_one_too_many(void **state)
{
   enum { MOST = 4095 };
   struct tg_profile *profile = create(0);
   char name[16];

   (void)state;
   for (unsigned i = 0; i < MOST; i++) {
      snprintf(name, sizeof(name), "s%u", i);
      assert_int_not_equal(profile_shader(profile, name), 0);
   }
   assert_int_equal(profile_shader(profile, "one too many"), 0);
   assert_int_not_equal(profile_shader(profile, "s17"), 0);
   record(profile, TG_PROFILE_FRAGMENT, 1, 0);
   tg_profile_destroy(profile);
}

/* What a client, a terminal and JSON have to do with each other. */
static void
takes_names_of_strangers(void **state)
{
   struct tg_profile *profile = create(0);
   const uint32_t shader =
      profile_shader(profile, "a\"b\\c\x1b[2J\n\xff\xc3\xa4%s</script>");

   (void)state;
   record(profile, TG_PROFILE_FRAGMENT, 1, shader);
   cJSON *trace = read_trace(profile);
   const cJSON *arguments = arguments_of(find_event(trace, "fragment"));
   assert_string_equal(cJSON_GetObjectItem(arguments, "shader")->valuestring,
                       "a\"b\\c?[2J?\xef\xbf\xbd\xc3\xa4%s</script>");
   cJSON_Delete(trace);
   char *text = tg_profile_text(profile);
   assert_non_null(strstr(text, "a\"b\\c?[2J?\xff\xc3\xa4%s</script>"));
   tg_string_free(text);
   tg_profile_destroy(profile);
}

/* ---- draws and frames ---------------------------------------------------- */

static void
numbers_draws_and_frames(void **state)
{
   struct tg_profile *profile = create(0);

   (void)state;
   assert_int_equal(profile_next_draw(profile), 1);
   assert_int_equal(profile_next_draw(profile), 2);
   tg_profile_number_draw(profile, 10);
   assert_int_equal(profile_next_draw(profile), 10);
   assert_int_equal(profile_next_draw(profile), 11);
   assert_int_equal(counters_of(profile).draws, 11);
   tg_profile_mark_frame(profile);
   tg_profile_mark_frame(profile);
   assert_int_equal(counters_of(profile).frames, 2);
   cJSON *trace = read_trace(profile);
   assert_int_equal(count_events(trace, "i", NULL), 2);
   assert_int_equal(count_events(trace, "i", "frame 1"), 1);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

/* Milliseconds of a span of the trace, without those within it. */
static double
self_of(const cJSON *trace, const char *name)
{
   return number_of(arguments_of(find_event(trace, name)), "self_us") * 1e-3;
}

/* The row of a table that begins with a word. */
static const char *
find_row(const char *text, const char *table, const char *word)
{
   const char *row = strstr(text, table);

   assert_non_null(row);
   while ((row = strchr(row, '\n'))) {
      row++;
      if (strncmp(row, word, strlen(word)) == 0)
         return row;
   }
   fail_msg("%s has no row '%s'", table, word);
   return NULL;
}

static void
adds_up_draws(void **state)
{
   struct tg_profile *profile = create(0);
   const uint32_t vertex = profile_shader(profile, "VERT");
   const uint32_t fragment = profile_shader(profile, "FRAG");
   double total, percent, vertices, setup, fragments, compiling;

   (void)state;
   record(profile, TG_PROFILE_DRAW, 300, 0); /* another */
   profile_begin(profile, TG_PROFILE_DRAW,
                 (struct profile_subject){.draw = 12});
   record_long(profile, TG_PROFILE_PASSES, 0, vertex, 20);
   record_long(profile, TG_PROFILE_WAIT, 0, 0, 100);
   profile_end(profile);
   record_long(profile, TG_PROFILE_VERTEX, 12, vertex, 40);
   record_long(profile, TG_PROFILE_SETUP, 12, 0, 60);
   record_long(profile, TG_PROFILE_FRAGMENT, 12, fragment, 80);

   cJSON *trace = read_trace(profile);
   char *text = tg_profile_text(profile);
   const char *row = find_row(text, "\ndraw ", "12 ");
   assert_int_equal(sscanf(row, "12 %lf %lf %lf %lf %lf %lf", &total, &percent,
                           &vertices, &setup, &fragments, &compiling),
                    6);
   assert_float_equal(total,
                      self_of(trace, "draw 12") + self_of(trace, "VERT") +
                         self_of(trace, "vertex") + self_of(trace, "setup") +
                         self_of(trace, "fragment"),
                      0.001);
   assert_float_equal(vertices, self_of(trace, "vertex"), 0.001);
   assert_float_equal(setup, self_of(trace, "setup"), 0.001);
   assert_float_equal(fragments, self_of(trace, "fragment"), 0.001);
   assert_float_equal(compiling, self_of(trace, "VERT"), 0.001);
   assert_non_null(strstr(row, "  VERT, FRAG\n"));
   find_row(text, "\ndraw ", "300 ");
   tg_string_free(text);
   cJSON_Delete(trace);
   tg_profile_destroy(profile);
}

/* More than a table of the first size has room for; numbers far apart. */
static void
lists_the_longest_of_many_draws(void **state)
{
   struct tg_profile *profile = create(0);
   const uint64_t begin = tg_clock_now();

   (void)state;
   for (uint64_t i = 0; i < 3000; i++)
      record(profile, TG_PROFILE_DRAW, (i + 1) << 32, 0);
   const uint64_t others = tg_clock_now() - begin;
   record_long(profile, TG_PROFILE_DRAW, 77, 0, others / 1000 + 1);
   char *text = tg_profile_text(profile);
   const char *table = strstr(text, "\ndraw ");
   assert_non_null(table);
   assert_int_equal(strncmp(strchr(table + 1, '\n') + 1, "77 ", 3), 0);
   assert_non_null(strstr(table, "\nand 2981 others\n"));
   tg_string_free(text);
   tg_profile_destroy(profile);
}

/* ---- trouble ------------------------------------------------------------- */

static bool
refuse(void *user, const char *bytes, size_t num_bytes)
{
   (void)bytes;
   (void)num_bytes;
   ++*(unsigned *)user;
   return false;
}

static void
says_that_a_trace_is_not_whole(void **state)
{
   struct tg_profile *profile = create(0);
   unsigned num_calls = 0;

   (void)state;
   for (uint64_t i = 1; i < 5000; i++)
      record(profile, TG_PROFILE_DRAW, i, 0);
   assert_int_equal(tg_profile_write_trace(profile, refuse, &num_calls),
                    TG_ERROR_IO);
   assert_int_equal(num_calls, 1);
   tg_profile_destroy(profile);
}

/* Gives memory so many times. */
static void *
resize_some(void *user, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *allocator = tg_default_allocator();
   unsigned *left = user;

   if (new_size && *left == 0)
      return NULL;
   *left -= new_size > 0;
   return allocator->resize(allocator->user, ptr, old_size, new_size);
}

static bool
ignore(void *user, const char *bytes, size_t num_bytes)
{
   (void)user;
   (void)bytes;
   (void)num_bytes;
   return true;
}

/* True: there was enough. */
static bool
run_short_of_memory(unsigned times)
{
   unsigned left = times;
   const struct tg_allocator allocator = {resize_some, &left};
   struct tg_profile *profile;
   enum tg_result result = tg_profile_create(&allocator, NULL, &profile);

   if (result != TG_OK) {
      assert_int_equal(result, TG_ERROR_MEMORY);
      return false;
   }
   for (uint64_t i = 1; i <= 600; i++)
      record(profile, TG_PROFILE_FRAGMENT, i, profile_shader(profile, "FRAG"));
   char *text = tg_profile_text(profile);
   result = tg_profile_write_trace(profile, ignore, NULL);
   assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
   tg_string_free(text);
   const bool is_enough = text && result == TG_OK &&
                          total_of(profile, TG_PROFILE_FRAGMENT).spans == 600 &&
                          counters_of(profile).spans_lost == 0;
   tg_profile_destroy(profile);
   return is_enough;
}

static void
does_without_memory(void **state)
{
   unsigned times = 0;

   (void)state;
   while (!run_short_of_memory(times))
      assert_true(++times < 200);
   assert_true(times > 5);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_each_stage_once),
      cmocka_unit_test(refuses_an_unknown_stage),
      cmocka_unit_test(does_nothing_without_a_profile),
      cmocka_unit_test(counts_time_once),
      cmocka_unit_test(counts_nothing_that_is_open),
      cmocka_unit_test(belongs_to_the_call_around_it),
      cmocka_unit_test(keeps_the_newest_spans),
      cmocka_unit_test(keeps_all_spans_that_it_may),
      cmocka_unit_test(loses_what_is_too_deep),
      cmocka_unit_test(takes_many_threads),
      cmocka_unit_test(names_threads_for_what_they_do),
      cmocka_unit_test(numbers_shaders_by_their_titles),
      cmocka_unit_test(has_no_name_for_one_too_many),
      cmocka_unit_test(takes_names_of_strangers),
      cmocka_unit_test(numbers_draws_and_frames),
      cmocka_unit_test(adds_up_draws),
      cmocka_unit_test(lists_the_longest_of_many_draws),
      cmocka_unit_test(says_that_a_trace_is_not_whole),
      cmocka_unit_test(does_without_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
