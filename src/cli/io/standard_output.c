/* SPDX-License-Identifier: MIT
 *
 * Standard output, of which nothing gets lost unsaid.
 */
#include "cli/io/standard_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "util/strbuf.h"

/* Why standard output is not all that was printed, errno, or 0: the stream
 * itself only remembers that it is so. */
static int lost_output;

static bool
keep_reason(bool good)
{
   if (!good && !lost_output)
      lost_output = errno ? errno : EIO;
   return good;
}

bool
cli_output_bytes(const void *data, size_t size)
{
   return keep_reason(fwrite(data, 1, size, stdout) == size);
}

bool
cli_output_string(char *string)
{
   if (!string) {
      cli_complain("%s", tg_result_name(TG_ERROR_MEMORY));
      return false;
   }
   keep_reason(fputs(string, stdout) >= 0);
   tg_string_free(string);
   return true;
}

bool
cli_output_json(char *json)
{
   return cli_output_string(json) && putchar('\n') != EOF;
}

bool
cli_close_stdout(void)
{
   keep_reason(fflush(stdout) == 0 && !ferror(stdout));
   if (lost_output)
      cli_complain("cannot write standard output: %s", strerror(lost_output));
   return !lost_output;
}

void
cli_guard_stdio(void)
{
   for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
      if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
         open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
   }
}

bool
cli_is_stdio(const char *path)
{
   return !path || strcmp(path, "-") == 0;
}
