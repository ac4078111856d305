/* SPDX-License-Identifier: MIT
 *
 * The log of a host: one line for what cannot be done.
 */
#ifndef VIRGL_CORE_LOG_H
#define VIRGL_CORE_LOG_H

#include "tungsten/base.h"

struct virgl_host;

/* Logs one line. */
void
virgl_log(struct virgl_host *host, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Logs what failed, and the first error of the diagnostics, or else the name of
 * the result. The diagnostics are cleared. */
void
virgl_log_failure(struct virgl_host *host, enum tg_result result,
                  const char *format, ...)
   __attribute__((format(printf, 3, 4)));

#endif
