/* SPDX-License-Identifier: MIT
 *
 * Profiles of commands: tables on standard output, traces in files.
 */
#include "cli/commands/profiling.h"

#include <errno.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/standard_output.h"
#include "util/strbuf.h"

bool
cli_can_profile(const struct cli_options *options)
{
   const char *path = options->profile;

   if (!path)
      return true;
   if (cli_is_stdio(path)) {
      cli_complain("--profile wants a file: tables go to standard output");
      return false;
   }
   if (file_can_write(path))
      return true;
   cli_complain("cannot write '%s': %s", path, strerror(errno));
   return false;
}

bool
cli_create_profile(const struct cli_options *options,
                   struct tg_profile **profile_out)
{
   *profile_out = NULL;
   if (!cli_can_profile(options))
      return false;
   return !options->profile ||
          cli_diagnostics_status(tg_profile_create(NULL, NULL, profile_out)) ==
             CLI_OK;
}

/* A tg_write_function, whose user is a string builder. */
static bool
add_bytes(void *user, const char *bytes, size_t num_bytes)
{
   struct tg_strbuf *text = user;

   tg_strbuf_add_n(text, bytes, num_bytes);
   return !text->failed;
}

/* The file is replaced as a whole. */
static bool
write_trace(const char *path, struct tg_profile *profile)
{
   struct tg_strbuf text = {0};
   const enum tg_result result =
      tg_profile_write_trace(profile, add_bytes, &text);
   const bool is_good =
      cli_diagnostics_status(result == TG_OK ? TG_OK : TG_ERROR_MEMORY) ==
         CLI_OK &&
      cli_write_file(path, text.data, text.length);

   tg_strbuf_finish(&text);
   return is_good;
}

bool
cli_put_profile(const struct cli_options *options, struct tg_profile *profile)
{
   if (!profile)
      return true;
   const bool is_printed =
      options->json || cli_output_string(tg_profile_text(profile));
   return write_trace(options->profile, profile) && is_printed;
}
