/* SPDX-License-Identifier: MIT
 *
 * Recordings that commands read.
 */
#include "cli/commands/recording.h"

#include <unistd.h>

#include "cli/io/diagnostics.h"
#include "file/open.h"

bool
cli_open_recording(const char *path, struct record_reader *reader)
{
   const char *fault;
   const int file = file_open(path, &fault);

   if (file < 0) {
      cli_complain("cannot read '%s': %s", path, fault);
      return false;
   }
   if (record_reader_init(reader, file))
      return true;
   cli_close_recording(path, reader);
   return false;
}

bool
cli_close_recording(const char *path, struct record_reader *reader)
{
   const bool is_good = !reader->fault[0];

   if (!is_good)
      cli_complain("%s: %s", path, reader->fault);
   record_reader_finish(reader);
   close(reader->file);
   return is_good;
}
