/* SPDX-License-Identifier: MIT
 *
 * Bandwidth control of clients. The system shares processors among threads,
 * however long they have run: endless work would take as much as any other.
 * Nice values can be lowered by the superuser alone, so that a process which
 * has them stays slow; one that is stopped goes on as soon as it may.
 */
#include "vtest/pace.h"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>

bool
vtest_pace_begin(struct vtest_pace *pace)
{
   void *shared = mmap(NULL, sizeof(*pace->num_reads), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

   *pace = (struct vtest_pace){0};
   if (shared == MAP_FAILED)
      return false;
   pace->num_reads = shared;
   return true;
}

void
vtest_pace_end(struct vtest_pace *pace)
{
   munmap(pace->num_reads, sizeof(*pace->num_reads));
}

/* ---- who is long, and who works ------------------------------------------ */

void
vtest_pace_note(struct vtest_pace *pace, uint64_t used, uint64_t now)
{
   const uint32_t count =
      atomic_load_explicit(pace->num_reads, memory_order_relaxed);

   if (used > pace->used)
      pace->worked = now;
   pace->used = used;
   if (count == pace->seen)
      return;
   pace->seen = count;
   pace->begin = used;
}

bool
vtest_pace_is_long(const struct vtest_pace *pace)
{
   return pace->used - pace->begin > VTEST_PACE_MOST;
}

bool
vtest_pace_has_contention(const struct vtest_pace *paces, unsigned count,
                          uint64_t now)
{
   bool has_long = false, has_work = false;

   for (unsigned i = 0; i < count; i++) {
      const bool is_long = vtest_pace_is_long(&paces[i]);

      has_long |= is_long;
      has_work |= !is_long && paces[i].worked &&
                  now - paces[i].worked <= VTEST_PACE_STEP;
   }
   return has_long && has_work;
}

bool
vtest_pace_is_turn(uint64_t now)
{
   return now / VTEST_PACE_SHORT_STEP % VTEST_PACE_STEPS == 0;
}

/* ---- processes ----------------------------------------------------------- */

static bool
get_processor_time(pid_t process, uint64_t *nanoseconds_out)
{
   struct timespec time;
   clockid_t clock;

   if (clock_getcpuclockid(process, &clock) != 0 ||
       clock_gettime(clock, &time) != 0)
      return false;
   *nanoseconds_out = (uint64_t)time.tv_sec * 1000 * VTEST_PACE_MILLISECOND +
                      (uint64_t)time.tv_nsec;
   return true;
}

static void
stop(struct vtest_pace *pace)
{
   if (!pace->is_stopped)
      kill(pace->process, SIGSTOP);
   pace->is_stopped = true;
}

void
vtest_pace_release(struct vtest_pace *pace)
{
   if (pace->is_stopped)
      kill(pace->process, SIGCONT);
   pace->is_stopped = false;
}

bool
vtest_pace_look(struct vtest_pace *paces, unsigned count, uint64_t now)
{
   for (unsigned i = 0; i < count; i++) {
      uint64_t used;

      if (get_processor_time(paces[i].process, &used))
         vtest_pace_note(&paces[i], used, now);
   }
   const bool has_contention = vtest_pace_has_contention(paces, count, now);
   for (unsigned i = 0; i < count; i++) {
      if (has_contention && vtest_pace_is_long(&paces[i]) &&
          !vtest_pace_is_turn(now))
         stop(&paces[i]);
      else
         vtest_pace_release(&paces[i]);
   }
   return has_contention;
}
