/* SPDX-License-Identifier: MIT
 *
 * Surfaces: render targets, bound or not.
 */
#ifndef TG_GPU_SURFACE_H
#define TG_GPU_SURFACE_H

#include "tungsten/gpu.h"

/* Is there such a part of the resource, and can it be drawn to as a colour, or
 * as depth and stencil? A format that was left out is filled in.
 * TG_ERROR_INPUT, of `name`. */
enum tg_result
gpu_check_surface(struct tg_surface *surface, const char *name, bool is_depth,
                  struct tg_diagnostics *diagnostics);

#endif
