/* SPDX-License-Identifier: MIT
 *
 * Stream output targets.
 */
#ifndef VIRGL_OBJECT_STREAM_OUTPUT_H
#define VIRGL_OBJECT_STREAM_OUTPUT_H

#include <stdint.h>

struct virgl_context;
struct tg_stream_target;

/* The target of so many bytes that was set last, or NULL. */
struct tg_stream_target *
virgl_last_stream_target(const struct virgl_context *context,
                         uint32_t num_bytes);

#endif
