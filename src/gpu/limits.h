/* SPDX-License-Identifier: MIT
 *
 * How much of everything there is inside the GPU; what callers may know is in
 * the public header.
 */
#ifndef TG_GPU_LIMITS_H
#define TG_GPU_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
   GPU_TILE_SIZE = 64,      /* pixels each way */
   GPU_MAX_ATTRIBUTES = 80, /* registers that a vertex hands to fragments */
   GPU_MAX_WAVES = 2,       /* that wait for each other: of a patch */
   GPU_NO_REGISTER = 0xff,  /* the register that a shader does not have */
};

#endif
