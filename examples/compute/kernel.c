/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

enum { NUM_CONSTANTS = 64, MAX_TEXT = 1 << 16 };

/* Ends the program if something went wrong. */
static void
check(const struct kernel *kernel, enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(kernel->diagnostics);
   fputs(text ? text : "", stderr);
   tg_string_free(text);
   fail("compute", tg_result_name(result));
}

/* ---- kernels ------------------------------------------------------------- */

void
kernel_open(struct kernel *kernel, const char *file, const char *executor)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   static char text[MAX_TEXT];
   char path[4096];

   snprintf(path, sizeof(path), "%s%s", *file == '/' ? "" : COMPUTE_FOLDER "/",
            file);
   FILE *stream = fopen(path, "rb");
   if (!stream)
      fail(path, "cannot be read");
   size_t length = fread(text, 1, sizeof(text), stream);
   fclose(stream);

   *kernel = (struct kernel){.diagnostics = tg_diagnostics_create(NULL)};
   check(kernel, tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019,
                                 kernel->diagnostics, &kernel->shader));
   options.executor = executor;
   check(kernel, tg_program_create(NULL, kernel->shader, &options,
                                   kernel->diagnostics, &kernel->program));
   check(kernel, tg_bindings_create(NULL, &kernel->bindings));
   kernel->constants = make_buffer(NUM_CONSTANTS);
   check(kernel, tg_bindings_set_buffer(kernel->bindings, TG_BUFFER_CONSTANT, 0,
                                        kernel->constants, 0, NUM_CONSTANTS * 4,
                                        kernel->diagnostics));
}

void
kernel_close(struct kernel *kernel)
{
   tg_resource_destroy(kernel->constants);
   tg_bindings_destroy(kernel->bindings);
   tg_program_destroy(kernel->program);
   tg_shader_destroy(kernel->shader);
   tg_diagnostics_destroy(kernel->diagnostics);
}

struct tg_resource *
make_buffer(size_t num_words)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = (uint32_t)(num_words * 4),
      .height = 1,
      .depth = 1,
      .layers = 1,
   };
   struct tg_resource *buffer = NULL;

   if (tg_resource_create(NULL, &desc, NULL, &buffer) != TG_OK)
      fail("compute", "out of memory");
   return buffer;
}

void
kernel_bind(struct kernel *kernel, unsigned place, struct tg_resource *buffer)
{
   check(kernel, tg_bindings_set_buffer(
                    kernel->bindings, TG_BUFFER_SHADER, place, buffer, 0,
                    tg_resource_get_desc(buffer)->width, kernel->diagnostics));
}

void
kernel_set(struct kernel *kernel, const void *words, size_t num_words)
{
   memcpy(tg_resource_map_buffer(kernel->constants), words, num_words * 4);
}

void
kernel_run(struct kernel *kernel, uint32_t x, uint32_t y)
{
   struct tg_grid grid = TG_GRID_INIT;

   grid.grid[0] = x;
   grid.grid[1] = y;
   check(kernel, tg_dispatch(kernel->program, kernel->bindings, &grid,
                             kernel->diagnostics));
}
