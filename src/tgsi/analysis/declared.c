/* SPDX-License-Identifier: MIT
 *
 * Register declarations as sorted disjoint ranges: made by one sort and one
 * sweep, which cuts off what an earlier range has already.
 */
#include "tgsi/analysis/declared.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/length.h"

static int
compare(uint32_t a, uint32_t b)
{
   return (a > b) - (a < b);
}

static int
compare_ranges(const void *first, const void *second)
{
   const struct tg_declared_range *a = first;
   const struct tg_declared_range *b = second;

   if (a->file != b->file)
      return compare(a->file, b->file);
   if (a->dimension != b->dimension)
      return compare(a->dimension, b->dimension);
   if (a->first != b->first)
      return compare(a->first, b->first);
   return compare(a->declaration, b->declaration);
}

static void
collect(struct tg_declared *declared, const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_NULL ||
          declaration->file >= TG_NUM_FILES ||
          declaration->first > declaration->last)
         continue;
      declared->ranges[declared->num_ranges++] = (struct tg_declared_range){
         .declaration = i,
         .dimension = declaration->has_dimension ? declaration->dimension : 0,
         .first = declaration->first,
         .last = declaration->last,
         .file = declaration->file,
      };
   }
}

static void
note_overlap(struct tg_declared *declared, uint32_t a, uint32_t b)
{
   uint32_t later = a > b ? a : b;

   if (declared->overlaps[later] == TG_NO_DECLARATION)
      declared->overlaps[later] = a > b ? b : a;
}

/* Makes the sorted ranges disjoint. `reach` is the range so far that reaches
 * furthest in its file and dimension. */
static void
cut_overlaps(struct tg_declared *declared)
{
   const uint32_t num_sorted = declared->num_ranges;
   struct tg_declared_range reach = {.file = TG_FILE_NULL};

   declared->num_ranges = 0;
   for (uint32_t i = 0; i < num_sorted; i++) {
      struct tg_declared_range range = declared->ranges[i];
      bool same_space =
         range.file == reach.file && range.dimension == reach.dimension;

      if (same_space && range.first <= reach.last) {
         note_overlap(declared, range.declaration, reach.declaration);
         if (range.last <= reach.last)
            continue;
         range.first = (uint16_t)(reach.last + 1);
      }
      declared->ranges[declared->num_ranges++] = range;
      reach = range;
   }
}

static void
index_files(struct tg_declared *declared)
{
   uint32_t next = 0;

   for (int file = 0; file < TG_NUM_FILES; file++) {
      declared->file_begin[file] = next;
      while (next < declared->num_ranges && declared->ranges[next].file == file)
         next++;
   }
   declared->file_begin[TG_NUM_FILES] = next;
}

bool
tg_declared_init(struct tg_declared *declared, const struct tg_shader *shader,
                 struct tg_arena *arena)
{
   const uint32_t count = shader->num_declarations;

   *declared = (struct tg_declared){
      .ranges = tg_arena_array(arena, count, sizeof(*declared->ranges)),
      .overlaps = tg_arena_array(arena, count, sizeof(*declared->overlaps)),
   };
   if (!declared->ranges || !declared->overlaps)
      return false;
   memset(declared->overlaps, 0xff, count * sizeof(*declared->overlaps));

   collect(declared, shader);
   qsort(declared->ranges, declared->num_ranges, sizeof(*declared->ranges),
         compare_ranges);
   cut_overlaps(declared);
   index_files(declared);
   return true;
}

/* The last range of a file that begins at or before a register, or NULL. */
static const struct tg_declared_range *
find_range(const struct tg_declared *declared, enum tg_file file,
           uint32_t dimension, int64_t index)
{
   assert(file < TG_LENGTH(declared->file_begin));
   uint32_t low = declared->file_begin[file];
   uint32_t high = declared->file_begin[file + 1];
   const uint32_t begin = low;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      const struct tg_declared_range *range = &declared->ranges[middle];

      if (range->dimension < dimension ||
          (range->dimension == dimension && range->first <= index))
         low = middle + 1;
      else
         high = middle;
   }
   return low > begin ? &declared->ranges[low - 1] : NULL;
}

const struct tg_declaration *
tg_declared_find(const struct tg_declared *declared,
                 const struct tg_shader *shader, enum tg_file file,
                 uint32_t dimension, int32_t index)
{
   const struct tg_declared_range *range =
      find_range(declared, file, dimension, index);

   if (!range || range->dimension != dimension || index < range->first ||
       index > range->last)
      return NULL;
   return &shader->declarations[range->declaration];
}

bool
tg_declared_has_file(const struct tg_declared *declared, enum tg_file file)
{
   assert(file < TG_LENGTH(declared->file_begin));
   return declared->file_begin[file] < declared->file_begin[file + 1];
}

bool
tg_declared_has_dimension(const struct tg_declared *declared, enum tg_file file,
                          uint32_t dimension)
{
   const struct tg_declared_range *range =
      find_range(declared, file, dimension, INT32_MAX);

   return range && range->dimension == dimension;
}
