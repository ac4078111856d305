/* SPDX-License-Identifier: MIT
 *
 * Data-race detection: two accesses of the same unit of memory by different
 * threads, one of them a write, not both atomic, and nothing that orders them.
 * What orders accesses of one block is a barrier between them; nothing orders
 * blocks.
 *
 * So the order of accesses is known from where they are, and a race is found
 * whether or not the threads happen to meet. Each unit has a cell with the
 * accesses that a later one could race with, in the manner of FastTrack's
 * epochs (Flanagan and Freund, 2009): an epoch here is a number of barriers
 * that the block has passed, and stands for a clock of all its threads. Blocks
 * are run one after the other, so per kind of access three are enough:
 *
 *    first    the newest epoch's first access
 *    second   the same epoch's first by another thread than that
 *    other    any of an earlier block
 *
 * An access by thread t races with `first` or `second` of a kind that conflicts
 * if any thread but t has accessed in the same epoch: of two different threads
 * one is not t. Older epochs of the block are ordered, and of the other blocks'
 * accesses one is as good as all. Nothing is missed and nothing is imagined,
 * as far as units of one size go: memory that is bound as units of two sizes
 * has cells for each.
 */
#include <assert.h>
#include <string.h>

#include "check/access.h"
#include "util/length.h"

enum { PAGE_CELLS = 256, TABLE_SIZE = 1 << 16, MAX_PAGES = 1 << 14 };

struct event {
   uint32_t block; /* from 1; 0: none */
   uint32_t epoch;
   uint32_t who; /* instruction << 10 | thread */
};

_Static_assert(TG_MAX_INSTRUCTIONS <= 1 << 22, "instructions have 22 bits");

enum { NUM_KINDS = ABI_ACCESS_ATOMIC + 1 };

struct cell {
   struct event first[NUM_KINDS], second[NUM_KINDS], other[NUM_KINDS];
   uint32_t touched_by, written_by; /* block; 0: none */
};

struct check_page {
   uint64_t key; /* number of the first unit << 3 | bytes of one */
   struct cell cells[PAGE_CELLS];
};

/* ---- cells --------------------------------------------------------------- */

/* NULL when there is no room; then the check says so at its end. */
static struct check_page *
find_page(struct check *check, uint64_t key)
{
   uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 48;

   for (;; hash++) {
      struct check_page **entry = &check->pages[hash % TABLE_SIZE];

      if (*entry && (*entry)->key == key)
         return *entry;
      if (*entry)
         continue;
      if (check->num_pages == MAX_PAGES) {
         check->is_full = true;
         return NULL;
      }
      *entry = tg_arena_alloc(&check->arena, sizeof(**entry));
      if (!*entry) {
         check->out_of_memory = true;
         return NULL;
      }
      (*entry)->key = key;
      check->num_pages++;
      return *entry;
   }
}

bool
check_races_create(struct check *check)
{
   check->pages =
      tg_arena_array(&check->arena, TABLE_SIZE, sizeof(*check->pages));
   return check->pages != NULL;
}

void
check_races_begin(struct check *check)
{
   for (unsigned i = 0; i < TABLE_SIZE && check->num_pages; i++) {
      if (check->pages[i])
         memset(check->pages[i]->cells, 0, sizeof(check->pages[i]->cells));
   }
   check->block = 1;
   check->epoch = 0;
}

static struct cell *
find_cell(struct check *check, const struct check_access *access,
          unsigned number)
{
   uint64_t address = (uint64_t)(uintptr_t)access->memory->data / access->unit +
                      access->index + number;
   struct check_page *page =
      find_page(check, address / PAGE_CELLS * PAGE_CELLS << 3 | access->unit);

   return page ? &page->cells[address % PAGE_CELLS] : NULL;
}

/* ---- races --------------------------------------------------------------- */

static bool
conflicts(enum abi_access_kind a, enum abi_access_kind b)
{
   return a != b || a == ABI_ACCESS_STORE;
}

/* Is this access unordered with one by the thread at hand? */
static bool
is_unordered(const struct check *check, const struct event *event,
             uint32_t thread)
{
   if (event->block == 0)
      return false;
   return event->block != check->block ||
          (event->epoch == check->epoch && (event->who & 1023) != thread);
}

/* An access that races with the one at hand, and its kind; or NULL. */
static const struct event *
find_race(const struct check *check, const struct cell *cell,
          enum abi_access_kind kind, uint32_t thread,
          enum abi_access_kind *kind_out)
{
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      const struct event *events[] = {&cell->first[k], &cell->second[k],
                                      &cell->other[k]};

      *kind_out = (enum abi_access_kind)k;
      if (!conflicts(kind, *kind_out))
         continue;
      for (unsigned i = 0; i < 3; i++) {
         if (is_unordered(check, events[i], thread))
            return events[i];
      }
   }
   return NULL;
}

static void
note(const struct check *check, struct cell *cell, enum abi_access_kind kind,
     const struct event *event)
{
   assert(kind < TG_LENGTH(cell->first));
   struct event *first = &cell->first[kind];
   struct event *second = &cell->second[kind];

   if (first->block && first->block != check->block)
      cell->other[kind] = *first;
   if (first->block != check->block || first->epoch != check->epoch) {
      *first = *event;
      second->block = 0;
   } else if (second->block == 0 &&
              (first->who & 1023) != (event->who & 1023)) {
      *second = *event;
   }
}

static void
report(struct check *check, const struct check_wave *wave,
       const struct check_access *access, const struct event *event,
       enum abi_access_kind kind)
{
   const uint32_t instruction = event->who >> 10;
   struct check_name who = check_lane_name(check, wave, access->lane);
   struct check_name other =
      check_thread_name(check, event->block, event->who & 1023);
   struct check_place_name place = check_place_name(check, wave, access);

   if (!check_finding_is_new(check, wave->instruction, CHECK_DATA_RACE))
      return;
   check_report_finding(
      check, wave->instruction, CHECK_DATA_RACE,
      event->block == check->block ? "no barrier of the block is between them"
                                   : "blocks have no order",
      "%s %s %s, and %s %s it in line %u", who.text,
      check_name_verb(access->kind), place.text, other.text,
      check_name_verb(kind),
      (unsigned)check->shader->instructions[instruction].position.line);
}

/* One unit; whether it was written before. */
static bool
touch(struct check *check, const struct check_wave *wave,
      const struct check_access *access, struct cell *cell)
{
   const bool is_shared = access->space == LIR_SPACE_SHARED;
   const uint32_t thread = wave->number * LIR_LANES + access->lane;
   const struct event event = {check->block, check->epoch,
                               wave->instruction << 10 | thread};
   enum abi_access_kind kind;

   /* Each block has shared memory of its own, at the same address. */
   if (is_shared && cell->touched_by != check->block)
      *cell = (struct cell){.touched_by = check->block};

   const bool was_written = !is_shared || cell->written_by == check->block;
   const struct event *race =
      find_race(check, cell, access->kind, thread, &kind);
   if (race && check->is_dispatch)
      report(check, wave, access, race, kind);
   note(check, cell, access->kind, &event);
   if (access->kind != ABI_ACCESS_LOAD)
      cell->written_by = check->block;
   return was_written;
}

bool
check_race(struct check *check, const struct check_wave *wave,
           const struct check_access *access)
{
   bool was_written = true;

   for (unsigned i = 0; i < access->num_units; i++) {
      struct cell *cell = find_cell(check, access, i);

      if (cell)
         was_written &= touch(check, wave, access, cell);
   }
   return was_written;
}
