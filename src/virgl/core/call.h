/* SPDX-License-Identifier: MIT
 *
 * A command and its handler.
 */
#ifndef VIRGL_CORE_CALL_H
#define VIRGL_CORE_CALL_H

#include "virgl/core/context.h"
#include "virgl/core/host.h"

/* A command, and for whom it is. */
struct virgl_call {
   struct virgl_host *host;
   struct virgl_context *context; /* the current one */
   const uint32_t *words;         /* words[0] is the header */
   uint32_t length;               /* of what follows the header */
   uint32_t object;               /* enum virgl_object_number, checked */
   struct tg_diagnostics *diagnostics;
};

/* Refuses a command: says what is wrong with it. Returns TG_ERROR_INPUT. */
enum tg_result
virgl_refuse_call(const struct virgl_call *call, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Handlers. */
#define VIRGL_COMMAND(number, NAME, id, least, unit)                           \
   enum tg_result virgl_do_##id(const struct virgl_call *call);
#include "virgl/wire/commands.def"

#endif
