/* SPDX-License-Identifier: MIT
 *
 * Profiles as tables: counters, stages, and the shaders and draws that took
 * longest.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/draws.h"
#include "util/strbuf.h"

enum { MAX_ROWS = 20 };

static double
milliseconds(uint64_t nanoseconds)
{
   return 1e-6 * (double)nanoseconds;
}

/* Of the time that all threads were at work together. */
static double
percent(uint64_t nanoseconds, uint64_t busy)
{
   return busy ? 100 * (double)nanoseconds / (double)busy : 0;
}

/* ---- counters ------------------------------------------------------------ */

static void
add_counter(struct tg_strbuf *out, const char *label, uint64_t value)
{
   tg_strbuf_printf(out, "%-36s %12" PRIu64 "\n", label, value);
}

static void
add_counters(struct tg_strbuf *out, const struct tg_profile_counters *counters)
{
   tg_strbuf_printf(out, "%-36s %12.3f\n", "seconds profiled",
                    counters->seconds);
   add_counter(out, "draws profiled", counters->draws);
   add_counter(out, "frames profiled", counters->frames);
   add_counter(out, "kernels made", counters->kernels_made);
   add_counter(out, "kernels found in memory", counters->kernels_found);
   add_counter(out, "machine code made", counters->code_made);
   add_counter(out, "machine code found in the code cache",
               counters->code_loaded);
   add_counter(out, "machine code found in memory", counters->code_shared);
   if (counters->spans_lost)
      add_counter(out, "spans not kept", counters->spans_lost);
}

/* ---- stages -------------------------------------------------------------- */

static uint64_t
find_busy(const struct profile_sums *sums)
{
   uint64_t busy = 0;

   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++) {
      if (!profile_stages[i].is_wait)
         busy += sums->stages[i].nanoseconds;
   }
   return busy;
}

static void
add_stages(struct tg_strbuf *out, const struct profile_sums *sums, bool waits,
           uint64_t busy)
{
   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++) {
      const struct profile_sum *sum = &sums->stages[i];

      if (profile_stages[i].is_wait != waits || !sum->spans)
         continue;
      tg_strbuf_printf(out, "%-36s %12.3f", profile_stages[i].title,
                       milliseconds(sum->nanoseconds));
      if (waits)
         tg_strbuf_printf(out, " %7s", "");
      else
         tg_strbuf_printf(out, " %7.1f", percent(sum->nanoseconds, busy));
      tg_strbuf_printf(out, " %12" PRIu64 "\n", sum->spans);
   }
}

static void
add_stage_table(struct tg_strbuf *out, const struct profile_sums *sums,
                uint64_t busy)
{
   tg_strbuf_printf(out, "\n%-36s %12s %7s %12s\n", "stage, all threads", "ms",
                    "%", "spans");
   add_stages(out, sums, false, busy);
   tg_strbuf_printf(out, "%-36s %12.3f %7.1f\n", "together", milliseconds(busy),
                    percent(busy, busy));
   add_stages(out, sums, true, busy);
}

/* ---- shaders ------------------------------------------------------------- */

struct shader {
   const char *name;
   struct profile_shader_sum sum;
};

static uint64_t
total_of(const struct shader *shader)
{
   return shader->sum.run.nanoseconds + shader->sum.compiling;
}

static int
compare_shaders(const void *a, const void *b)
{
   const struct shader *first = a, *second = b;
   const uint64_t of_first = total_of(first), of_second = total_of(second);

   if (of_first != of_second)
      return of_first < of_second ? 1 : -1;
   return strcmp(first->name, second->name);
}

static void
add_up_shaders(const struct tg_profile *profile, struct shader *shaders,
               uint32_t count)
{
   for (uint32_t i = 1; i < count; i++)
      shaders[i - 1].name = profile->shaders[i];
   for (struct profile_thread *thread = profile->newest; thread;
        thread = thread->next) {
      pthread_mutex_lock(&thread->mutex);
      for (uint32_t i = 1; i < thread->num_shaders && i < count; i++) {
         const struct profile_shader_sum *from = &thread->shaders[i];
         struct profile_shader_sum *to = &shaders[i - 1].sum;

         to->run.spans += from->run.spans;
         to->run.nanoseconds += from->run.nanoseconds;
         to->compiling += from->compiling;
      }
      pthread_mutex_unlock(&thread->mutex);
   }
}

static void
add_shader(struct tg_strbuf *out, const struct shader *shader, uint64_t busy)
{
   const struct profile_shader_sum *sum = &shader->sum;

   tg_strbuf_printf(out, "%-36s %12.3f %7.1f %12" PRIu64 " %12.3f\n",
                    shader->name, milliseconds(sum->run.nanoseconds),
                    percent(sum->run.nanoseconds, busy), sum->run.spans,
                    milliseconds(sum->compiling));
}

static void
add_shaders(struct tg_strbuf *out, const struct shader *shaders, uint32_t count,
            uint64_t busy)
{
   struct shader rest = {.name = "others"};

   tg_strbuf_printf(out, "\n%-36s %12s %7s %12s %12s\n", "shader", "ms", "%",
                    "spans", "compiling");
   for (uint32_t i = 0; i < count; i++) {
      const struct profile_shader_sum *sum = &shaders[i].sum;

      if (i < MAX_ROWS)
         add_shader(out, &shaders[i], busy);
      rest.sum.run.spans += i < MAX_ROWS ? 0 : sum->run.spans;
      rest.sum.run.nanoseconds += i < MAX_ROWS ? 0 : sum->run.nanoseconds;
      rest.sum.compiling += i < MAX_ROWS ? 0 : sum->compiling;
   }
   if (count > MAX_ROWS)
      add_shader(out, &rest, busy);
}

static void
add_shader_table(struct tg_strbuf *out, const struct tg_profile *profile,
                 uint64_t busy)
{
   struct tg_arena arena;
   const uint32_t count = atomic_load(&profile->num_shaders);

   if (count <= 1)
      return;
   tg_arena_init(&arena, &profile->allocator);
   struct shader *shaders = tg_arena_array(&arena, count, sizeof(*shaders));
   if (shaders) {
      add_up_shaders(profile, shaders, count);
      qsort(shaders, count - 1, sizeof(*shaders), compare_shaders);
      add_shaders(out, shaders, count - 1, busy);
   }
   out->failed |= !shaders;
   tg_arena_finish(&arena);
}

/* ---- draws --------------------------------------------------------------- */

static void
add_draw(struct tg_strbuf *out, const struct tg_profile *profile,
         const struct profile_draw *draw, uint64_t busy)
{
   tg_strbuf_printf(
      out, "%-12" PRIu64 " %12.3f %7.1f %12.3f %12.3f %12.3f %12.3f",
      draw->number, milliseconds(draw->total), percent(draw->total, busy),
      milliseconds(draw->geometry), milliseconds(draw->setup),
      milliseconds(draw->fragments), milliseconds(draw->compiling));
   if (draw->first_shader)
      tg_strbuf_printf(out, "  %s", profile->shaders[draw->first_shader]);
   if (draw->last_shader)
      tg_strbuf_printf(out, "%s%s", draw->first_shader ? ", " : "  ",
                       profile->shaders[draw->last_shader]);
   tg_strbuf_add_char(out, '\n');
}

static void
add_draw_table(struct tg_strbuf *out, const struct tg_profile *profile,
               uint64_t busy)
{
   struct profile_draws draws = {.allocator = &profile->allocator};

   out->failed |= !profile_find_draws(profile, &draws);
   if (draws.count)
      tg_strbuf_printf(out, "\n%-12s %12s %7s %12s %12s %12s %12s\n", "draw",
                       "ms", "%", "vertices", "setup", "fragments",
                       "compiling");
   for (size_t i = 0; i < draws.count && i < MAX_ROWS; i++)
      add_draw(out, profile, &draws.draws[i], busy);
   if (draws.count > MAX_ROWS)
      tg_strbuf_printf(out, "and %zu others\n", draws.count - MAX_ROWS);
   profile_draws_finish(&draws);
}

char *
tg_profile_text(struct tg_profile *profile)
{
   assert(profile);
   struct tg_strbuf out = {.allocator = &profile->allocator};
   struct profile_sums sums;

   pthread_mutex_lock(&profile->mutex);
   profile_add_up(profile, &sums);
   const struct tg_profile_counters counters = profile_counters(profile, &sums);
   const uint64_t busy = find_busy(&sums);
   add_counters(&out, &counters);
   add_stage_table(&out, &sums, busy);
   add_shader_table(&out, profile, busy);
   add_draw_table(&out, profile, busy);
   pthread_mutex_unlock(&profile->mutex);
   return tg_strbuf_take(&out);
}
