/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly: from a draw's indices to triangles of vertex numbers,
 * gathered in batches whose vertices are shaded together. Within a batch each
 * number is shaded once.
 */
#ifndef TG_GPU_ASSEMBLE_H
#define TG_GPU_ASSEMBLE_H

#include "gpu/context.h"
#include "gpu/primitive.h"

enum {
   GPU_BATCH_VERTICES = 1024,
   GPU_BATCH_TRIANGLES = 2048,
};

struct gpu_assembled {
   uint16_t vertex[3]; /* places in gpu_assembly.indices, in winding order */
   uint8_t provoking;  /* which of the three */
   uint32_t id;        /* of the primitive in its draw */
};

struct gpu_assembly {
   uint32_t num_vertices;
   uint32_t num_triangles;
   uint32_t instance;
   uint32_t indices[GPU_BATCH_VERTICES];
   struct gpu_assembled triangles[GPU_BATCH_TRIANGLES];
   /* An open hash table: place + 1 of an index, or 0. */
   uint16_t place[2 * GPU_BATCH_VERTICES];
};

struct gpu_assembler {
   const struct tg_draw_info *info;
   struct tg_draw_range range;
   bool first_provokes;
   uint32_t next;        /* number of the index to read */
   uint32_t num_held;    /* indices of the running strip or triangle */
   uint32_t held[3];     /* the newest last */
   uint32_t num_emitted; /* triangles, for their ids */
   bool is_odd;          /* the next triangle of the strip is turned */
};

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct tg_draw_info *info,
                   const struct tg_draw_range *range, bool first_provokes);

/* Fills an assembly anew. False when there is nothing left. */
bool
gpu_assembler_fill(struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly);

#endif
