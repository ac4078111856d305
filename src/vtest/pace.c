/* SPDX-License-Identifier: MIT
 *
 * Priorities of clients. The system shares processors among threads, however
 * long they have run: endless work would take as much as any other. Nice values
 * cost a client nothing while it is alone.
 */
#include "vtest/pace.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

bool
vtest_pace_is_over(struct vtest_pace *pace, uint64_t now, uint64_t most)
{
   const uint32_t count =
      atomic_load_explicit(pace->num_reads, memory_order_relaxed);

   if (count != pace->seen) {
      pace->seen = count;
      pace->begin = now;
   }
   return !pace->is_slowed && now - pace->begin > most;
}

static bool
get_processor_time(pid_t process, uint64_t *nanoseconds_out)
{
   struct timespec time;
   clockid_t clock;

   if (clock_getcpuclockid(process, &clock) != 0 ||
       clock_gettime(clock, &time) != 0)
      return false;
   *nanoseconds_out =
      (uint64_t)time.tv_sec * 1000 * 1000 * 1000 + (uint64_t)time.tv_nsec;
   return true;
}

/* Each thread has a nice value of its own. */
static void
slow(pid_t process)
{
   char path[64];

   snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
   DIR *threads = opendir(path);
   if (!threads)
      return;
   for (struct dirent *entry = readdir(threads); entry;
        entry = readdir(threads)) {
      const int thread = atoi(entry->d_name);

      if (thread > 0)
         setpriority(PRIO_PROCESS, (id_t)thread,
                     getpriority(PRIO_PROCESS, (id_t)thread) + VTEST_PACE_NICE);
   }
   closedir(threads);
}

bool
vtest_pace_look(struct vtest_pace *pace)
{
   uint64_t now;

   if (!get_processor_time(pace->process, &now) ||
       !vtest_pace_is_over(pace, now, VTEST_PACE_MOST))
      return false;
   slow(pace->process);
   pace->is_slowed = true;
   return true;
}
