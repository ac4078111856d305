/* SPDX-License-Identifier: MIT
 *
 * A host as the files of this room see it: its options, resources, sub-contexts
 * and what it has submitted.
 */
#ifndef VIRGL_CORE_HOST_H
#define VIRGL_CORE_HOST_H

#include "tungsten/caps.h"
#include "virgl/core/context.h"
#include "virgl/core/handles.h"
#include "virgl/virgl.h"

struct virgl_host {
   struct virgl_host_options options;
   struct tg_profile *profile; /* the device's, or NULL */
   struct tg_caps caps;
   struct tg_diagnostics *diagnostics;   /* of the command that is done */
   const struct tg_allocator *allocator; /* the device's */
   struct virgl_handles resources;       /* struct virgl_resource */
   uint32_t num_objects;                 /* of all sub-contexts */
   uint32_t num_log_lines;
   struct virgl_contexts contexts;
   struct tg_context *context; /* the current one's: transfers are its work */
   uint64_t num_submits;       /* so far */
   uint64_t num_done;  /* of them, all before it, that are known to be */
   uint64_t num_draws; /* commands so far, those that were refused too */
   struct tg_context_statistics statistics; /* of sub-contexts that are gone */

   void (*look)(void *user); /* or NULL */
   void *look_user;
   const uint32_t *left; /* words that are still to be done when it is called */
   size_t num_left;
};

#endif
