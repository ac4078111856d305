/* SPDX-License-Identifier: MIT
 *
 * Lifetime of sub-contexts.
 */
#ifndef VIRGL_HOST_CONTEXTS_H
#define VIRGL_HOST_CONTEXTS_H

#include "virgl/core/context.h"

/* Creates sub-context 0 and makes it current. TG_ERROR_MEMORY. */
enum tg_result
virgl_contexts_init(struct virgl_contexts *contexts, struct virgl_host *host);

/* Destroys all sub-contexts, also what virgl_contexts_init() left when it
 * failed. */
void
virgl_contexts_finish(struct virgl_contexts *contexts);

/* Waits until all work of a sub-context is done. A fault of it is written to
 * the log. */
void
virgl_context_finish_work(struct virgl_context *context);

#endif
