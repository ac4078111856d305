/* SPDX-License-Identifier: MIT
 *
 * Stream output targets.
 */
#ifndef VIRGL_OBJECT_STREAM_OUTPUT_H
#define VIRGL_OBJECT_STREAM_OUTPUT_H

#include <stdint.h>

struct virgl_context;
struct tg_stream_target;

/* What a draw takes its count from, of which the protocol has but the size: of
 * the targets of so many bytes one that is a vertex buffer, of several or none
 * the one that was set last; or NULL. */
struct tg_stream_target *
virgl_drawn_stream_target(const struct virgl_context *context,
                          uint32_t num_bytes);

#endif
