/* SPDX-License-Identifier: MIT
 *
 * Window rectangles by a sweep line: between two rows at which a rectangle
 * begins or ends, the rectangles are intervals of columns.
 */
#include "gpu/context/windows.h"

#include <assert.h>

/* What is between min and, without it, max. */
struct interval {
   uint16_t min, max;
};

static uint16_t
clamp(uint16_t value, uint16_t min, uint16_t max)
{
   return value < min ? min : value > max ? max : value;
}

static void
insert_row(uint16_t *rows, uint32_t *count, uint16_t row)
{
   uint32_t at = *count;
   for (; at && rows[at - 1] > row; at--)
      rows[at] = rows[at - 1];
   rows[at] = row;
   ++*count;
}

static void
insert_interval(struct interval *intervals, uint32_t *count,
                struct interval interval)
{
   uint32_t at = *count;
   for (; at && intervals[at - 1].min > interval.min; at--)
      intervals[at] = intervals[at - 1];
   intervals[at] = interval;
   ++*count;
}

/* Rows at which something may begin, in their order; the area's last row ends
 * them. */
static uint32_t
find_rows(const struct gpu_window_rectangles *windows,
          const struct tg_scissor *area, uint16_t rows[GPU_MAX_WINDOW_ROWS + 1])
{
   uint32_t count = 0;
   insert_row(rows, &count, area->min_y);
   insert_row(rows, &count, area->max_y);
   for (uint32_t i = 0; i < windows->count; i++) {
      const struct tg_scissor *window = &windows->rectangle[i];
      insert_row(rows, &count, clamp(window->min_y, area->min_y, area->max_y));
      insert_row(rows, &count, clamp(window->max_y, area->min_y, area->max_y));
   }
   return count;
}

/* The columns that the rectangles have in a row, by where they begin. */
static uint32_t
find_columns(const struct gpu_window_rectangles *windows,
             const struct tg_scissor *area, uint16_t row,
             struct interval columns[TG_MAX_WINDOW_RECTANGLES])
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < windows->count; i++) {
      const struct tg_scissor *window = &windows->rectangle[i];
      const struct interval interval = {
         clamp(window->min_x, area->min_x, area->max_x),
         clamp(window->max_x, area->min_x, area->max_x)};
      if (row >= window->min_y && row < window->max_y &&
          interval.min < interval.max)
         insert_interval(columns, &count, interval);
   }
   return count;
}

static void
add_piece(struct gpu_window_pieces *pieces, const struct tg_scissor *row,
          uint16_t min_x, uint16_t max_x)
{
   if (min_x >= max_x)
      return;
   assert(pieces->count < GPU_MAX_WINDOW_PIECES);
   struct tg_scissor *piece = &pieces->piece[pieces->count++];
   *piece = *row;
   piece->min_x = min_x;
   piece->max_x = max_x;
}

/* The pieces of a row of the area: what intervals cover, or what is between
 * them. */
static void
cut_row(const struct gpu_window_rectangles *windows,
        const struct tg_scissor *row, struct gpu_window_pieces *pieces)
{
   struct interval columns[TG_MAX_WINDOW_RECTANGLES];
   const uint32_t count = find_columns(windows, row, row->min_y, columns);
   uint16_t end = row->min_x; /* all before it is done */
   for (uint32_t i = 0; i < count; i++) {
      const uint16_t begin = columns[i].min > end ? columns[i].min : end;
      if (windows->include)
         add_piece(pieces, row, begin, columns[i].max);
      else
         add_piece(pieces, row, end, columns[i].min);
      end = columns[i].max > end ? columns[i].max : end;
   }
   if (!windows->include)
      add_piece(pieces, row, end, row->max_x);
}

void
gpu_cut_windows(const struct gpu_window_rectangles *windows,
                const struct tg_scissor *area,
                struct gpu_window_pieces *pieces_out)
{
   uint16_t rows[GPU_MAX_WINDOW_ROWS + 1];
   const uint32_t num_rows = find_rows(windows, area, rows);
   pieces_out->count = 0;
   for (uint32_t i = 0; i + 1 < num_rows; i++) {
      struct tg_scissor row = *area;
      row.min_y = rows[i];
      row.max_y = rows[i + 1];
      if (row.min_y < row.max_y)
         cut_row(windows, &row, pieces_out);
   }
}
