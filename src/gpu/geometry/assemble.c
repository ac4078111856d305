/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly.
 */
#include "gpu/geometry/assemble.h"

#include <stddef.h>
#include <string.h>

static bool
has_adjacency(const struct tg_draw_info *info)
{
   return info->mode >= TG_PRIM_LINES_ADJACENCY &&
          info->mode <= TG_PRIM_TRIANGLE_STRIP_ADJACENCY;
}

/* Vertices of each primitive, once adjacency is left out. */
static uint32_t
count_corners(const struct tg_draw_info *info,
              const struct gpu_assembler_options *options)
{
   const uint32_t num = gpu_primitive_vertices((enum tg_primitive)info->mode,
                                               info->vertices_per_patch);
   return has_adjacency(info) && !options->keeps_adjacency ? num / 2 : num;
}

/* Twice as many as an assembly may have vertices, or more. */
static uint32_t
count_places(const struct gpu_draws *draws)
{
   uint32_t num_places = 2;
   while (num_places / 2 < draws->num_vertices &&
          num_places < 2 * GPU_ASSEMBLY_VERTICES)
      num_places *= 2;
   return num_places;
}

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct gpu_draws *draws,
                   const struct gpu_assembler_options *options)
{
   const uint32_t most = options->amplification
                            ? GPU_ASSEMBLY_AMPLIFIED / options->amplification
                            : GPU_ASSEMBLY_PRIMITIVES;
   memset(assembler, 0, offsetof(struct gpu_assembler, place));
   assembler->draws = draws;
   assembler->options = *options;
   assembler->vertices_per_primitive = count_corners(&draws->info, options);
   assembler->max_primitives = most ? most : 1;
   assembler->num_places = count_places(draws);
   if (draws->info.index_size)
      assembler->indices = draws->indices.memory;
}

/* ---- vertices ------------------------------------------------------------ */

/* The value at a place of the index buffer; 0 beyond its end. */
static uint32_t
fetch_index(const struct gpu_assembler *assembler, uint64_t place)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   const uint64_t first = info->index_offset + place * info->index_size;
   if (first + info->index_size > assembler->indices.num_bytes)
      return 0;
   const uint8_t *at = (const uint8_t *)assembler->indices.data + first;
   uint32_t word;
   uint16_t half;
   switch (info->index_size) {
   case 1: return *at;
   case 2: memcpy(&half, at, sizeof(half)); return half;
   default: memcpy(&word, at, sizeof(word)); return word;
   }
}

/* A number beyond 2^32 - 1 is 2^32 - 1, a row that no buffer has. Those below 0
 * are as shaders see them, modulo 2^32. */
static uint32_t
hold(int64_t number)
{
   return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* The next vertex number. False at a restart. */
static bool
next_vertex(struct gpu_assembler *assembler, uint32_t *vertex_out)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   const struct gpu_range *range = &assembler->range;
   const uint64_t place = (uint64_t)range->start + assembler->next++;
   if (!info->index_size) {
      *vertex_out = hold((int64_t)place);
      return true;
   }
   const uint32_t index = fetch_index(assembler, place);
   *vertex_out = hold((int64_t)index + range->index_bias);
   return !info->primitive_restart || index != info->restart_index;
}

/* ---- assemblies ---------------------------------------------------------- */

static uint16_t
find_place(struct gpu_assembler *assembler, struct gpu_assembly *assembly,
           uint32_t vertex)
{
   const uint32_t mask = assembler->num_places - 1;
   const uint32_t instance = assembler->instance;
   const uint32_t mixed = vertex + instance * UINT32_C(0x85ebca6b);
   uint32_t at = mixed * UINT32_C(2654435761) >> 16 & mask;
   while (assembler->place[at]) {
      const uint16_t place = (uint16_t)(assembler->place[at] - 1);
      if (assembly->vertex[place] == vertex &&
          assembly->instance[place] == instance)
         return place;
      at = (at + 1) & mask;
   }
   const uint16_t place = (uint16_t)assembly->num_vertices++;
   assembly->vertex[place] = vertex;
   assembly->instance[place] = instance;
   assembler->place[at] = (uint16_t)(place + 1);
   return place;
}

/* Leaves those vertices out of a primitive that are there for a geometry shader
 * alone. */
static void
drop_adjacency(struct gpu_primitive *primitive)
{
   const unsigned first = primitive->num_vertices == 4 ? 1 : 0;
   const unsigned step = primitive->num_vertices == 4 ? 1 : 2;
   primitive->num_vertices /= 2;
   primitive->provoking = (uint8_t)((primitive->provoking - first) / step);
   for (unsigned i = 0; i < primitive->num_vertices; i++)
      primitive->vertex[i] = primitive->vertex[first + i * step];
}

static void
add_primitive(struct gpu_assembler *assembler, struct gpu_assembly *assembly,
              const struct gpu_primitive *primitive)
{
   uint16_t *corner =
      &assembly
          ->corner[assembly->num_primitives * assembly->vertices_per_primitive];
   if (!primitive->is_more) {
      assembler->num_ids++;
      assembly->num_whole++;
   }
   for (unsigned i = 0; i < primitive->num_vertices; i++)
      corner[i] = find_place(assembler, assembly, primitive->vertex[i]);
   assembly->primitives[assembly->num_primitives++] =
      (struct gpu_stream_primitive){
         .id = assembler->num_ids - 1,
         .provoking = primitive->provoking,
         .edges = primitive->edges,
         .begins = primitive->begins,
      };
}

/* For all that one vertex completes. */
static bool
has_room(const struct gpu_assembler *assembler,
         const struct gpu_assembly *assembly)
{
   const uint32_t num = assembly->num_primitives + GPU_MAX_PRIMITIVES_AT_ONCE;
   return assembly->num_primitives < assembler->max_primitives &&
          num <= GPU_ASSEMBLY_PRIMITIVES &&
          num * assembly->vertices_per_primitive <= GPU_ASSEMBLY_CORNERS &&
          assembly->num_vertices + GPU_MAX_PATCH_VERTICES <=
             GPU_ASSEMBLY_VERTICES &&
          assembly->num_read < GPU_ASSEMBLY_READ;
}

/* ---- draws --------------------------------------------------------------- */

static void
begin_instance(struct gpu_assembler *assembler)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   assembler->next = 0;
   assembler->num_ids = 0;
   gpu_decomposer_init(&assembler->decomposer, (enum tg_primitive)info->mode,
                       assembler->options.first_provokes,
                       info->vertices_per_patch);
}

/* The next draw that is not empty. */
static bool
begin_draw(struct gpu_assembler *assembler)
{
   const struct gpu_draws *draws = assembler->draws;
   while (assembler->next_draw < draws->num_draws) {
      assembler->range = gpu_draws_get(draws, assembler->next_draw++);
      if (!assembler->range.count || !assembler->range.instance_count)
         continue;
      assembler->is_within = true;
      assembler->instance = 0;
      begin_instance(assembler);
      return true;
   }
   return false;
}

/* Goes on by one vertex, or by the end of an instance. */
static void
advance(struct gpu_assembler *assembler, struct gpu_assembly *assembly)
{
   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE];
   const bool is_end = assembler->next == assembler->range.count;
   uint32_t vertex;
   unsigned num;
   assembly->num_read += !is_end;
   assembly->num_ends += is_end;
   if (!is_end && next_vertex(assembler, &vertex))
      num = gpu_decomposer_add(&assembler->decomposer, vertex, out);
   else
      num = gpu_decomposer_end(&assembler->decomposer, out);
   for (unsigned i = 0; i < num; i++) {
      if (out[i].num_vertices != assembly->vertices_per_primitive)
         drop_adjacency(&out[i]);
      add_primitive(assembler, assembly, &out[i]);
   }
   if (!is_end)
      return;
   assembler->is_within =
      ++assembler->instance < assembler->range.instance_count;
   if (assembler->is_within)
      begin_instance(assembler);
}

bool
gpu_assembler_fill(struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly)
{
   if (!assembler->is_within && !begin_draw(assembler))
      return false;
   const struct gpu_range *range = &assembler->range;
   assembly->is_indexed = assembler->draws->info.index_size;
   assembly->base_vertex =
      assembly->is_indexed ? (uint32_t)range->index_bias : range->start;
   assembly->start_instance = range->start_instance;
   assembly->draw_id = range->draw_id;
   assembly->num_read = assembly->num_ends = assembly->num_whole = 0;
   assembly->num_vertices = assembly->num_primitives = 0;
   assembly->vertices_per_primitive = assembler->vertices_per_primitive;
   memset(assembler->place, 0,
          assembler->num_places * sizeof(*assembler->place));
   while (assembler->is_within && has_room(assembler, assembly))
      advance(assembler, assembly);
   return true;
}
