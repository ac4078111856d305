/* SPDX-License-Identifier: MIT
 *
 * Limits of work and time, as --work and --time give them.
 */
#include "cli/io/work.h"

#include "util/work.h"

struct tg_work_options
cli_work_options(const struct cli_options *options)
{
   struct tg_work_options work = TG_WORK_OPTIONS_INIT;

   work.max_work =
      options->work.is_given ? (uint64_t)options->work.value : TG_WORK_USUAL;
   work.max_seconds =
      options->time.is_given ? options->time.value : TG_WORK_USUAL_SECONDS;
   work.note = "--work=N and --time=SECONDS set the limits; 0 is none";
   return work;
}
