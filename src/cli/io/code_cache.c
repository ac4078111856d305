/* SPDX-License-Identifier: MIT
 *
 * Opening of the code cache, and where it is unless a call says so: in the
 * user's folder of caches, as the XDG base directory specification names it.
 */
#include "cli/io/code_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/length.h"

static bool
open_in(struct cli_call *call, const char *folder,
        struct tg_diagnostics *diagnostics)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;

   options.folder = folder;
   options.max_bytes = call->options.cache_limit;
   return tg_code_cache_create(NULL, &options, diagnostics,
                               &call->code_cache) == TG_OK;
}

bool
cli_open_code_cache(struct cli_call *call)
{
   const char *folder =
      call->options.cache ? call->options.cache : call->options.usual_cache;

   return !folder || open_in(call, folder, call->diagnostics);
}

/* ---- without --cache ----------------------------------------------------- */

/* By Mesa's variable, which keeps its drivers from a cache of shaders. */
static bool
is_disabled(void)
{
   static const char *const words[] = {"1", "true", "y", "yes"};
   const char *value = getenv("MESA_SHADER_CACHE_DISABLE");

   for (unsigned i = 0; value && i < TG_LENGTH(words); i++) {
      if (strcasecmp(value, words[i]) == 0)
         return true;
   }
   return false;
}

/* A path of `first` and `second`. False: it is too long, or not absolute. */
static bool
join(char path[PATH_MAX], const char *first, const char *second)
{
   return first && first[0] == '/' &&
          snprintf(path, PATH_MAX, "%s%s", first, second) < PATH_MAX;
}

/* The folder of all caches, which is made if need be. */
static bool
find_caches(char path[PATH_MAX])
{
   if (!join(path, getenv("XDG_CACHE_HOME"), "") &&
       !join(path, getenv("HOME"), "/.cache"))
      return false;
   mkdir(path, 0700);
   return true;
}

/* With another user's HOME, as under sudo, there would be folders that this
 * user can not write later. */
static bool
is_of_this_user(const char *path)
{
   struct stat status;

   return stat(path, &status) == 0 && status.st_uid == geteuid();
}

void
cli_open_usual_code_cache(struct cli_call *call)
{
   char caches[PATH_MAX], folder[PATH_MAX];

   if (call->code_cache || call->options.no_cache || is_disabled() ||
       !find_caches(caches) || !is_of_this_user(caches) ||
       !join(folder, caches, "/tungsten"))
      return;
   open_in(call, folder, NULL);
}
