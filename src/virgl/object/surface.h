/* SPDX-License-Identifier: MIT
 *
 * Surfaces: render-target views of layers of a level of a resource.
 */
#ifndef VIRGL_OBJECT_SURFACE_H
#define VIRGL_OBJECT_SURFACE_H

#include "tungsten/gpu.h"

struct virgl_surface {
   struct tg_surface surface; /* with a reference on the resource */
   uint32_t width, height;    /* of the level */
};

#endif
