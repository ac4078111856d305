/* SPDX-License-Identifier: MIT
 *
 * Writing kernels into a folder.
 */
#include "cli/io/kernels.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "util/ascii.h"
#include "util/strbuf.h"

enum { NUMBER_DIGITS = 4 /* at least */ };

bool
cli_kernels_init(struct cli_kernels *kernels, const struct cli_options *options)
{
   const char *folder = options->print_kernels;
   struct stat status;

   *kernels = (struct cli_kernels){.folder = folder};
   if (!folder)
      return true;
   if (mkdir(folder, 0777) == 0)
      return true;
   if (errno == EEXIST && stat(folder, &status) == 0) {
      errno = S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
      if (errno == 0 && access(folder, W_OK | X_OK) == 0)
         return true;
   }
   cli_complain("cannot write into '%s': %s", folder, strerror(errno));
   return false;
}

void
cli_kernels_print(void *user, const char *kind, const char *text)
{
   struct cli_kernels *kernels = user;
   const unsigned number = atomic_fetch_add(&kernels->count, 1) + 1;
   struct tg_strbuf path = {0};

   tg_strbuf_printf(&path, "%s/%0*u.", kernels->folder, NUMBER_DIGITS, number);
   for (; *kind; kind++)
      tg_strbuf_add_char(&path, tg_ascii_lower(*kind));
   tg_strbuf_add(&path, ".lir");
   if (path.failed)
      cli_complain("there is no memory for a kernel of --print-kernels");
   if (path.failed || !cli_write_file(path.data, text, strlen(text)))
      atomic_store(&kernels->failed, true);
   tg_strbuf_finish(&path);
}

int
cli_kernels_status(const struct cli_kernels *kernels, int status)
{
   return status == CLI_OK && kernels->failed ? CLI_FAILED : status;
}
