/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly of triangle lists and strips.
 */
#include "gpu/assemble.h"

#include <string.h>

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct tg_draw_info *info,
                   const struct tg_draw_range *range, bool first_provokes)
{
   *assembler = (struct gpu_assembler){
      .info = info,
      .range = *range,
      .first_provokes = first_provokes,
   };
}

/* The value at a place of the index buffer; 0 beyond its end. */
static uint32_t
fetch_index(const struct tg_draw_info *info, uint64_t place)
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
   const struct tg_draw_info *info = assembler->info;
   const uint64_t place = (uint64_t)assembler->range.start + assembler->next++;
   if (!info->index_size) {
      *vertex_out = (uint32_t)place;
      return true;
   }
   const uint32_t index = fetch_index(info, place);
   *vertex_out = index + (uint32_t)assembler->range.index_bias;
   return !info->primitive_restart || index != info->restart_index;
}

static uint16_t
find_place(struct gpu_assembly *assembly, uint32_t vertex)
{
   const uint32_t mask = 2 * GPU_BATCH_VERTICES - 1;
   uint32_t at = vertex * UINT32_C(2654435761) >> 16 & mask;
   while (assembly->place[at]) {
      const uint16_t place = (uint16_t)(assembly->place[at] - 1);
      if (assembly->indices[place] == vertex)
         return place;
      at = (at + 1) & mask;
   }
   const uint16_t place = (uint16_t)assembly->num_vertices++;
   assembly->indices[place] = vertex;
   assembly->place[at] = (uint16_t)(place + 1);
   return place;
}

/* Every second triangle of a strip is turned round, so that all wind alike.
 * Which two vertices change places leaves the provoking one where it is. */
static void
emit(struct gpu_assembler *assembler, struct gpu_assembly *assembly)
{
   uint32_t order[3] = {0, 1, 2};
   if (assembler->is_odd) {
      const unsigned fixed = assembler->first_provokes ? 0 : 2;
      const unsigned a = fixed == 0 ? 1 : 0;
      const unsigned b = fixed == 0 ? 2 : 1;
      order[a] = b;
      order[b] = a;
   }
   struct gpu_assembled *triangle =
      &assembly->triangles[assembly->num_triangles++];
   for (unsigned i = 0; i < 3; i++)
      triangle->vertex[i] = find_place(assembly, assembler->held[order[i]]);
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
gpu_assembler_fill(struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly)
{
   assembly->num_vertices = 0;
   assembly->num_triangles = 0;
   memset(assembly->place, 0, sizeof(assembly->place));

   while (assembler->next < assembler->range.count &&
          assembly->num_triangles < GPU_BATCH_TRIANGLES &&
          assembly->num_vertices + 3 <= GPU_BATCH_VERTICES) {
      uint32_t vertex;
      if (!next_vertex(assembler, &vertex)) {
         assembler->num_held = 0;
         assembler->is_odd = false;
         continue;
      }
      assembler->held[assembler->num_held++] = vertex;
      if (assembler->num_held < 3)
         continue;
      emit(assembler, assembly);
      advance(assembler);
   }
   return assembly->num_triangles > 0;
}
