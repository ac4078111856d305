/* SPDX-License-Identifier: MIT
 *
 * The command that runs a compute shader over a grid.
 */
#include <string.h>

#include "script/commands/check.h"

/* ---- reading ------------------------------------------------------------- */

/* One to three numbers; those that are missing are 1. */
static bool
read_counts(struct script_cursor *cursor, uint32_t greatest, const char *what,
            uint32_t counts[3])
{
   for (unsigned i = 0; i < 3; i++) {
      const struct script_word word = cursor_peek_word(cursor);
      const bool is_number =
         word.length && *word.text >= '0' && *word.text <= '9';

      counts[i] = 1;
      if ((!i || is_number) &&
          !cursor_read_number(cursor, 0, greatest, what, &counts[i]))
         return false;
   }
   return true;
}

/* indirect BUFFER N BYTE */
static bool
read_indirect(struct script_cursor *cursor, const struct script *script,
              struct script_dispatch *dispatch)
{
   if (!cursor_accept_words(cursor, "buffer"))
      return cursor_complain(cursor, "expected buffer");
   dispatch->indirect = script_read_place_name(cursor, script, "buffer");
   return dispatch->indirect &&
          cursor_read_number(cursor, 0, UINT32_MAX, "a byte of the buffer",
                             &dispatch->indirect_offset);
}

/* What may follow the grid, in any order. */
static const struct option {
   const char *words;
   const char *what;
   uint32_t least, greatest;
   size_t offset; /* in struct script_dispatch */
} options[] = {
   {"shared", "a number of bytes", 0, TG_MAX_SHARED_MEMORY,
    offsetof(struct script_dispatch, shared_size)},
   {"entry", "a label", 0, UINT32_MAX, offsetof(struct script_dispatch, entry)},
   {"work_dim", "a number of dimensions", 1, 3,
    offsetof(struct script_dispatch, work_dim)},
   {"threads", "a number of threads", 1, TG_MAX_DISPATCH_THREADS,
    offsetof(struct script_dispatch, num_threads)},
};

static bool
read_option(struct script_cursor *cursor, struct script_dispatch *dispatch)
{
   if (cursor_accept_words(cursor, "block"))
      return read_counts(cursor, TG_MAX_BLOCK_THREADS, "a number of threads",
                         dispatch->block);
   for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
      const struct option *option = &options[i];
      uint32_t *number =
         (uint32_t *)(void *)((char *)dispatch + option->offset);

      if (cursor_accept_words(cursor, option->words))
         return cursor_read_number(cursor, option->least, option->greatest,
                                   option->what, number);
   }
   return cursor_complain(cursor, "expected one of block, shared, entry, "
                                  "work_dim, threads");
}

bool
script_read_dispatch(struct script_cursor *cursor, const struct script *script,
                     struct script_command *command)
{
   struct script_dispatch *dispatch = &command->dispatch;

   *dispatch = (struct script_dispatch){0};
   if (!script->num_shaders)
      return cursor_complain(cursor, "there is no shader above");
   if (!(cursor_accept_words(cursor, "indirect")
            ? read_indirect(cursor, script, dispatch)
            : read_counts(cursor, UINT32_MAX, "a number of blocks",
                          dispatch->grid)))
      return false;
   while (!cursor_at_end(cursor)) {
      if (!read_option(cursor, dispatch))
         return false;
   }
   return true;
}

/* ---- running ------------------------------------------------------------- */

/* The blocks of the grid; one that cannot be read has none, which the library
 * then complains about. */
static void
find_grid(const struct script_runner *runner,
          const struct script_dispatch *dispatch, uint32_t grid[3])
{
   memcpy(grid, dispatch->grid, sizeof(dispatch->grid));
   if (!dispatch->indirect)
      return;
   struct tg_resource *buffer =
      script_bound_resource(runner, dispatch->indirect);
   const uint8_t *bytes = tg_resource_map_buffer(buffer);
   const uint64_t size = tg_resource_get_size(buffer);

   memset(grid, 0, sizeof(dispatch->grid));
   if (bytes && size >= 12 && dispatch->indirect_offset <= size - 12)
      memcpy(grid, bytes + dispatch->indirect_offset, 12);
}

/* Threads of a block: as many as there can be where the shader may choose. */
static uint64_t
threads_of_block(const uint32_t block[3])
{
   for (unsigned i = 0; i < 3; i++) {
      if (block[i] == 0)
         return TG_MAX_BLOCK_THREADS;
   }
   return (uint64_t)block[0] * block[1] * block[2];
}

static bool
count_threads(struct script_runner *runner,
              const struct script_dispatch *dispatch)
{
   uint64_t count = threads_of_block(dispatch->block);
   uint32_t grid[3];

   find_grid(runner, dispatch, grid);
   if (!grid[0] || !grid[1] || !grid[2])
      return true;
   for (unsigned i = 0; i < 3; i++) {
      if (__builtin_mul_overflow(count, grid[i], &count))
         return false;
   }
   if (count > runner->limits->threads - runner->num_threads)
      return false;
   runner->num_threads += count;
   return true;
}

static enum tg_result
run_grid(struct script_runner *runner, const struct script_dispatch *dispatch,
         struct tg_diagnostics *diagnostics)
{
   struct tg_grid grid = TG_GRID_INIT;

   for (unsigned i = 0; i < 3; i++) {
      grid.block[i] = dispatch->block[i];
      grid.grid[i] = dispatch->grid[i];
   }
   grid.work_dim = dispatch->work_dim;
   grid.entry = dispatch->entry;
   grid.num_threads = dispatch->num_threads;
   if (!grid.num_threads)
      grid.num_threads = runner->limits->num_threads;
   if (runner->limits->one_processor)
      grid.num_threads = 1;
   grid.shared_size = dispatch->shared_size;
   grid.loop_budget = script_run_loop_budget(runner);
   if (dispatch->indirect) {
      grid.indirect = script_bound_resource(runner, dispatch->indirect);
      grid.indirect_offset = dispatch->indirect_offset;
   }
   return runner->drawing.gpu
             ? tg_context_dispatch(runner->drawing.gpu, runner->program.program,
                                   runner->bound.bindings, &grid, diagnostics)
             : tg_dispatch(runner->program.program, runner->bound.bindings,
                           &grid, diagnostics);
}

static enum tg_result
run_dispatch(struct script_runner *runner, const struct script_command *command,
             struct tg_diagnostics *diagnostics, struct tg_diagnostics *said)
{
   const struct script_dispatch *dispatch = &command->dispatch;

   runner->has_outputs = false;
   enum tg_result result = script_run_compile(runner, diagnostics);
   if (result == TG_OK)
      result = script_bound_update(runner);
   if (result != TG_OK)
      return result;
   if (!count_threads(runner, dispatch))
      return script_blame(runner, command->position, TG_ERROR_LIMIT,
                          "the test dispatches more than %llu threads",
                          (unsigned long long)runner->limits->threads);
   result = script_bound_set_constants(runner);
   if (result == TG_OK)
      result = run_grid(runner, dispatch, said);
   script_bound_drop_constants(runner);
   return result;
}

enum tg_result
script_do_dispatch(struct script_runner *runner,
                   const struct script_command *command)
{
   return script_check_execution(runner, command, run_dispatch,
                                 "the shader was not dispatched");
}
