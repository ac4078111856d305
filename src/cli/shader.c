/* SPDX-License-Identifier: MIT
 *
 * Options that are about shaders, in the terms of the library.
 */
#include "cli/shader.h"

#include <stdlib.h>
#include <string.h>

#include "cli/files.h"

/* The words of the choices stand in options.def in this order. */
enum tg_dialect
cli_dialect(const struct cli_options *options)
{
   static const enum tg_dialect dialects[] = {
      TG_DIALECT_2019,
      TG_DIALECT_2011,
      TG_DIALECT_2010,
   };
   return dialects[options->dialect];
}

enum tg_token_layout
cli_layout(const struct cli_options *options)
{
   static const enum tg_token_layout layouts[] = {
      TG_TOKENS_MESA_20_0,
      TG_TOKENS_MESA_23_3,
   };
   return layouts[options->layout];
}

struct tg_shader *
cli_load_shader(struct cli_call *call, const char *path)
{
   size_t length;
   char *text = cli_read(path, &length);
   if (!text)
      return NULL;

   struct tg_shader *shader = NULL;
   cli_status_of(tg_shader_parse(NULL, path, text, length,
                                 cli_dialect(&call->options), call->diagnostics,
                                 &shader));
   free(text);
   return shader;
}

int
cli_print_shader(const struct tg_shader *shader,
                 const struct cli_options *options, const char *path)
{
   unsigned flags = options->floats_as_hex ? TG_PRINT_FLOATS_AS_HEX : 0;

   return cli_write_string(path, tg_shader_print(shader, flags));
}
