/* SPDX-License-Identifier: MIT
 *
 * Implementation limits of the GPU; what callers may know is in the public
 * header.
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

/* What is done beside waves costs, in units of util/work.h. docs/limits.md says
 * how long they take. */
enum {
   GPU_WORK_CALL = 4096, /* a draw or a blit, whatever it does */
   GPU_WORK_DRAW = 64,   /* each range of vertices, empty ones too */
   GPU_WORK_VERTEX = 8, /* an index that is read, and its place in primitives */
   GPU_WORK_POINT = 16, /* of a patch, and its place in primitives */
   GPU_WORK_OUTPUT = 8, /* a piece of a vertex that goes to a stream target */
   GPU_WORK_PRIMITIVE = 256, /* clipped, culled, its planes */
   GPU_WORK_TOUCH = 8,       /* a tile in which a shape may be */
   GPU_WORK_TILE = 512,      /* that is begun */
   GPU_WORK_SHAPE = 64,      /* in a tile */
   GPU_WORK_QUAD = 4,        /* of a shape, before fragments are shaded */
};

#endif
