/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly of triangle lists and strips.
 */
#include "gpu/assemble.h"

#include <string.h>

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct gpu_draw_info *info, bool first_provokes)
{
   *assembler = (struct gpu_assembler){
      .info = info,
      .first_provokes = first_provokes,
   };
}

/* The value at a place of the index buffer; 0 beyond its end. */
static uint32_t
fetch_index(const struct gpu_draw_info *info, uint64_t place)
{
   const struct exec_memory buffer = resource_memory(info->index_buffer);
   const uint64_t byte = place * info->index_size;
   if (byte + info->index_size > buffer.num_bytes)
      return 0;
   const uint32_t word = buffer.data[byte / 4];
   if (info->index_size == 4)
      return word;
   return word >> (byte % 4 * 8) & 0xffff;
}

/* The next vertex number. False at a restart. */
static bool
next_vertex(struct gpu_assembler *assembler, uint32_t *vertex_out)
{
   const struct gpu_draw_info *info = assembler->info;
   const uint64_t place = (uint64_t)info->start + assembler->next++;
   if (!info->index_size) {
      *vertex_out = (uint32_t)place;
      return true;
   }
   const uint32_t index = fetch_index(info, place);
   *vertex_out = index + (uint32_t)info->index_bias;
   return !info->primitive_restart || index != info->restart_index;
}

static uint16_t
find_place(struct gpu_batch *batch, uint32_t vertex)
{
   const uint32_t mask = 2 * GPU_BATCH_VERTICES - 1;
   uint32_t at = vertex * UINT32_C(2654435761) >> 16 & mask;
   while (batch->place[at]) {
      const uint16_t place = (uint16_t)(batch->place[at] - 1);
      if (batch->indices[place] == vertex)
         return place;
      at = (at + 1) & mask;
   }
   const uint16_t place = (uint16_t)batch->num_vertices++;
   batch->indices[place] = vertex;
   batch->place[at] = (uint16_t)(place + 1);
   return place;
}

/* Every second triangle of a strip is turned round, so that all wind alike.
 * Which two vertices change places leaves the provoking one where it is. */
static void
emit(struct gpu_assembler *assembler, struct gpu_batch *batch)
{
   uint32_t order[3] = {0, 1, 2};
   if (assembler->is_odd) {
      const unsigned fixed = assembler->first_provokes ? 0 : 2;
      const unsigned a = fixed == 0 ? 1 : 0;
      const unsigned b = fixed == 0 ? 2 : 1;
      order[a] = b;
      order[b] = a;
   }
   struct gpu_batch_triangle *triangle =
      &batch->triangles[batch->num_triangles++];
   for (unsigned i = 0; i < 3; i++)
      triangle->vertex[i] = find_place(batch, assembler->held[order[i]]);
   triangle->provoking = assembler->first_provokes ? 0 : 2;
   triangle->id = assembler->num_emitted++;
}

/* Behind a triangle: a strip keeps its last two vertices. */
static void
advance(struct gpu_assembler *assembler)
{
   if (assembler->info->mode == TG_PRIMITIVE_TRIANGLES) {
      assembler->num_held = 0;
      return;
   }
   assembler->held[0] = assembler->held[1];
   assembler->held[1] = assembler->held[2];
   assembler->num_held = 2;
   assembler->is_odd = !assembler->is_odd;
}

bool
gpu_assembler_fill(struct gpu_assembler *assembler, struct gpu_batch *batch)
{
   batch->num_vertices = 0;
   batch->num_triangles = 0;
   memset(batch->place, 0, sizeof(batch->place));

   while (assembler->next < assembler->info->count &&
          batch->num_triangles < GPU_BATCH_TRIANGLES &&
          batch->num_vertices + 3 <= GPU_BATCH_VERTICES) {
      uint32_t vertex;
      if (!next_vertex(assembler, &vertex)) {
         assembler->num_held = 0;
         assembler->is_odd = false;
         continue;
      }
      assembler->held[assembler->num_held++] = vertex;
      if (assembler->num_held < 3)
         continue;
      emit(assembler, batch);
      advance(assembler);
   }
   return batch->num_triangles > 0;
}
