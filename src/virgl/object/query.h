/* SPDX-License-Identifier: MIT
 *
 * Queries of a client: their results go to the memory of a resource.
 */
#ifndef VIRGL_OBJECT_QUERY_H
#define VIRGL_OBJECT_QUERY_H

struct virgl_context;

/* Writes the results that were asked for; waits until they are there. */
void
virgl_write_query_results(struct virgl_context *context);

#endif
