/* SPDX-License-Identifier: MIT
 *
 * A host as the files of this room know it.
 */
#ifndef VIRGL_HOST_H
#define VIRGL_HOST_H

#include "tungsten/caps.h"
#include "tungsten/gpu.h"
#include "virgl/handles.h"
#include "virgl/virgl.h"

struct virgl_host {
   struct virgl_host_options options;
   struct tg_caps caps;
   struct tg_diagnostics *diagnostics;   /* of the command that is done */
   const struct tg_allocator *allocator; /* the device's */
   struct virgl_handles resources;       /* struct virgl_resource */
   uint32_t num_objects;                 /* of all sub-contexts */
   uint32_t num_log_lines;
   struct tg_context *context; /* that transfers are done with */
};

/* ---- the log ------------------------------------------------------------- */

/* One line. */
void
virgl_log(struct virgl_host *host, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* What the diagnostics say, each line after a name; and clears them. */
void
virgl_log_diagnostics(struct virgl_host *host, const char *name);

#endif
