/* SPDX-License-Identifier: MIT
 *
 * Primitive assembly.
 */
#include "gpu/geometry/assemble.h"

#include <assert.h>
#include <string.h>

#include "util/four.h"
#include "util/minmax.h"

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
          num_places < GPU_ASSEMBLY_PLACES)
      num_places *= 2;
   return num_places;
}

_Static_assert(GPU_ASSEMBLY_PLACES >= 2 * GPU_ASSEMBLY_VERTICES,
               "at most half of the entries get used");
_Static_assert(GPU_ASSEMBLY_CORNERS >= 3 * GPU_ASSEMBLY_PRIMITIVES,
               "plain primitives have up to three");

void
gpu_assembler_init(struct gpu_assembler *assembler,
                   const struct gpu_draws *draws,
                   const struct gpu_assembler_options *options)
{
   const uint32_t most = options->amplification
                            ? GPU_ASSEMBLY_AMPLIFIED / options->amplification
                            : GPU_ASSEMBLY_PRIMITIVES;
   *assembler = (struct gpu_assembler){
      .draws = draws,
      .options = *options,
      .topology = gpu_topology_of((enum tg_primitive)draws->info.mode),
   };
   assembler->vertices_per_primitive = count_corners(&draws->info, options);
   assembler->max_primitives = most ? most : 1;
   assembler->max_taken =
      draws->info.index_size ? GPU_ASSEMBLY_VERTICES : GPU_ASSEMBLY_UNINDEXED;
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

/* Indices from a place on; 0 beyond the end of the buffer. */
static void
fetch_indices(const struct gpu_assembler *assembler, uint64_t place,
              uint32_t count, uint32_t *index)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   const uint32_t size = info->index_size;
   const uint64_t first = info->index_offset + place * size;
   const uint64_t num_bytes = assembler->indices.num_bytes;
   const uint64_t left = first < num_bytes ? (num_bytes - first) / size : 0;
   const uint32_t num = left < count ? (uint32_t)left : count;
   uint16_t halves[GPU_ASSEMBLY_VERTICES];
   assert(count <= GPU_ASSEMBLY_VERTICES);
   memset(index + num, 0, (count - num) * sizeof(*index));
   if (!num)
      return;
   const uint8_t *bytes = (const uint8_t *)assembler->indices.data + first;
   if (size == 4) {
      memcpy(index, bytes, num * sizeof(*index));
      return;
   }
   if (size == 2)
      memcpy(halves, bytes, num * sizeof(*halves));
   for (uint32_t i = 0; i < num; i++)
      index[i] = size == 2 ? halves[i] : bytes[i];
}

/* The next vertex number. False at a restart. */
static bool
next_vertex(struct gpu_assembler *assembler, uint32_t *vertex_out)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   const struct gpu_range *range = &assembler->at.range;
   const uint64_t place = (uint64_t)range->start + assembler->at.next++;
   if (!info->index_size) {
      /* Beyond 2^32 - 1 it is a row that no buffer has. */
      *vertex_out = place > UINT32_MAX ? UINT32_MAX : (uint32_t)place;
      return true;
   }
   const uint32_t index = fetch_index(assembler, place);
   *vertex_out = index + (uint32_t)range->index_bias;
   return !info->primitive_restart || index != info->restart_index;
}

/* ---- assemblies ---------------------------------------------------------- */

static void
empty(struct gpu_assembly *assembly)
{
   assembly->num_read = assembly->num_restarts = 0;
   assembly->num_ends = assembly->num_whole = 0;
   assembly->num_vertices = assembly->num_primitives = 0;
   assembly->num_taken = 0;
}

static void
forget_places(struct gpu_assembly *assembly)
{
   memset(assembly->place, 0, assembly->num_places * sizeof(*assembly->place));
}

static uint16_t
find_place(struct gpu_assembly *assembly, uint32_t vertex, uint32_t instance)
{
   const uint32_t mask = assembly->num_places - 1;
   const uint32_t mixed = vertex + instance * UINT32_C(0x85ebca6b);
   uint32_t at = mixed * UINT32_C(2654435761) >> 16 & mask;
   while (assembly->place[at]) {
      const uint16_t place = (uint16_t)(assembly->place[at] - 1);
      if (assembly->vertex[place] == vertex &&
          assembly->instance[place] == instance)
         return place;
      at = (at + 1) & mask;
   }
   const uint16_t place = (uint16_t)assembly->num_vertices++;
   assembly->vertex[place] = vertex;
   assembly->instance[place] = instance;
   assembly->place[at] = (uint16_t)(place + 1);
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
      assembler->at.num_ids++;
      assembly->num_whole++;
   }
   for (unsigned i = 0; i < primitive->num_vertices; i++)
      corner[i] =
         find_place(assembly, primitive->vertex[i], assembler->at.instance);
   assembly->primitives[assembly->num_primitives++] =
      (struct gpu_stream_primitive){
         .id = assembler->at.num_ids - 1,
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

/* ---- runs of primitives ----------------------------------------------------
 */

/* Does no vertex number of a range exceed 32 bits? */
static bool
is_in_range(const struct gpu_range *range)
{
   return (uint64_t)range->start + range->count <= UINT64_C(1) << 32;
}

/* Does primitive n of a range follow from n? */
static bool
is_plain(const struct gpu_assembler *assembler, const struct gpu_range *range)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   return assembler->topology &&
          (info->index_size ? !info->primitive_restart : is_in_range(range));
}

static void
end_plain_instance(struct gpu_cursor *at, struct gpu_assembly *assembly)
{
   assembly->num_read += at->range.count - at->next;
   assembly->num_ends++;
   at->instance++;
   at->next = at->num_ids = 0;
}

/* Primitives of a run that there is room for. */
static uint32_t
room_for(const struct gpu_assembler *assembler,
         const struct gpu_assembly *assembly)
{
   const struct gpu_topology *topology = assembler->topology;
   const uint32_t most =
      tg_min_u32(assembler->max_primitives, GPU_ASSEMBLY_PRIMITIVES);
   const uint32_t vertices = assembler->max_taken - assembly->num_taken;
   return tg_min_u32(most - assembly->num_primitives,
                     gpu_topology_primitives(topology, vertices));
}

/* Takes the next run of an instance, and counts it. False when the assembly is
 * full, or nothing is left of the draw. */
static bool
take_run(const struct gpu_assembler *assembler, struct gpu_cursor *at,
         struct gpu_assembly *assembly, struct gpu_primitive_run *run)
{
   const struct gpu_topology *topology = assembler->topology;
   const uint32_t num = gpu_topology_primitives(topology, at->range.count);
   while (!num && at->instance < at->range.instance_count &&
          assembly->num_read < GPU_ASSEMBLY_READ)
      end_plain_instance(at, assembly);
   const uint32_t count =
      tg_min_u32(num - at->num_ids, room_for(assembler, assembly));
   if (!count || at->instance == at->range.instance_count)
      return false;
   *run = (struct gpu_primitive_run){
      .first = at->num_ids,
      .count = count,
      .first_provokes = assembler->options.first_provokes,
   };
   at->num_ids += count;
   const uint32_t next = gpu_topology_vertices(topology, at->num_ids);
   assembly->num_read += next - at->next;
   assembly->num_taken += gpu_topology_vertices(topology, count);
   assembly->num_primitives += count;
   assembly->num_whole += count;
   at->next = next;
   if (at->num_ids == num)
      end_plain_instance(at, assembly);
   return true;
}

/* Vertex numbers of an unindexed run, none of which the assembly has. */
static void
place_sequence(struct gpu_assembly *assembly, uint32_t first, uint32_t count,
               uint32_t instance, uint16_t *place)
{
   const uint32_t base = assembly->num_vertices;
   tg_count_words(&assembly->vertex[base], first, count);
   tg_fill_words(&assembly->instance[base], instance, count);
   tg_count_halves(place, (uint16_t)base, count);
   assembly->num_vertices += count;
}

static void
place_indices(const struct gpu_assembler *assembler,
              struct gpu_assembly *assembly, uint64_t first, uint32_t count,
              uint32_t instance, uint16_t *place)
{
   const uint32_t bias = (uint32_t)assembly->begin.range.index_bias;
   uint32_t index[GPU_ASSEMBLY_VERTICES];
   fetch_indices(assembler, first, count, index);
   for (uint32_t i = 0; i < count; i++)
      place[i] = find_place(assembly, index[i] + bias, instance);
}

static void
place_vertices(const struct gpu_assembler *assembler,
               struct gpu_assembly *assembly, uint32_t first, uint32_t count,
               uint32_t instance, uint16_t *place)
{
   const uint64_t from = (uint64_t)assembly->begin.range.start + first;
   if (assembly->is_indexed)
      place_indices(assembler, assembly, from, count, instance, place);
   else
      place_sequence(assembly, (uint32_t)from, count, instance, place);
}

static void
add_run(const struct gpu_assembler *assembler, struct gpu_assembly *assembly,
        const struct gpu_primitive_run *run, uint32_t instance)
{
   const struct gpu_topology *topology = assembler->topology;
   const uint32_t count = gpu_topology_vertices(topology, run->count);
   const uint32_t first = run->first * topology->step;
   const uint32_t before = assembly->num_primitives - run->count;
   const uint32_t hub = topology->has_hub;
   uint16_t place[GPU_ASSEMBLY_VERTICES];
   assert(count <= GPU_ASSEMBLY_VERTICES);
   if (hub)
      place_vertices(assembler, assembly, 0, 1, instance, place);
   place_vertices(assembler, assembly, first + hub, count - hub, instance,
                  place + hub);
   topology->write(run, place,
                   &assembly->corner[before * topology->num_vertices],
                   &assembly->primitives[before]);
}

void
gpu_assembler_fill(const struct gpu_assembler *assembler,
                   struct gpu_assembly *assembly)
{
   struct gpu_cursor at = assembly->begin;
   struct gpu_primitive_run run;
   uint32_t instance = at.instance;
   if (!assembly->is_plain)
      return;
   empty(assembly);
   if (assembly->is_indexed)
      forget_places(assembly);
   while (take_run(assembler, &at, assembly, &run)) {
      add_run(assembler, assembly, &run, instance);
      instance = at.instance;
   }
}

/* ---- draws --------------------------------------------------------------- */

static void
begin_instance(struct gpu_assembler *assembler)
{
   const struct tg_draw_info *info = &assembler->draws->info;
   assembler->at.next = 0;
   assembler->at.num_ids = 0;
   if (!assembler->is_plain)
      gpu_primitives_init(&assembler->decomposer, (enum tg_primitive)info->mode,
                          assembler->options.first_provokes,
                          info->vertices_per_patch);
}

/* The next draw that is not empty. */
static bool
begin_draw(struct gpu_assembler *assembler)
{
   const struct gpu_draws *draws = assembler->draws;
   while (assembler->next_draw < draws->num_draws) {
      const struct gpu_range range =
         gpu_draws_get(draws, assembler->next_draw++);
      if (!range.count || !range.instance_count)
         continue;
      assembler->at = (struct gpu_cursor){.range = range};
      assembler->is_within = true;
      assembler->is_plain = is_plain(assembler, &range);
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
   const bool is_end = assembler->at.next == assembler->at.range.count;
   uint32_t vertex;
   unsigned num;
   const bool is_vertex = !is_end && next_vertex(assembler, &vertex);
   assembly->num_read += !is_end;
   assembly->num_restarts += !is_end && !is_vertex;
   assembly->num_ends += is_end;
   if (is_vertex)
      num = gpu_primitives_add(&assembler->decomposer, vertex, out);
   else
      num = gpu_primitives_end(&assembler->decomposer, out);
   for (unsigned i = 0; i < num; i++) {
      if (out[i].num_vertices != assembly->vertices_per_primitive)
         drop_adjacency(&out[i]);
      add_primitive(assembler, assembly, &out[i]);
   }
   if (!is_end)
      return;
   assembler->is_within =
      ++assembler->at.instance < assembler->at.range.instance_count;
   if (assembler->is_within)
      begin_instance(assembler);
}

/* Only counts the runs, which are found again when they are filled in. */
static void
cut_runs(struct gpu_assembler *assembler, struct gpu_assembly *assembly)
{
   struct gpu_primitive_run run;
   while (take_run(assembler, &assembler->at, assembly, &run))
      continue;
   assembler->is_within =
      assembler->at.instance < assembler->at.range.instance_count;
}

static void
begin_assembly(const struct gpu_assembler *assembler,
               struct gpu_assembly *assembly)
{
   const struct gpu_range *range = &assembler->at.range;
   assembly->is_indexed = assembler->draws->info.index_size;
   assembly->base_vertex =
      assembly->is_indexed ? (uint32_t)range->index_bias : range->start;
   assembly->start_instance = range->start_instance;
   assembly->draw_id = range->draw_id;
   assembly->vertices_per_primitive = assembler->vertices_per_primitive;
   assembly->is_plain = assembler->is_plain;
   assembly->begin = assembler->at;
   assembly->num_places = assembler->num_places;
   empty(assembly);
}

bool
gpu_assembler_cut(struct gpu_assembler *assembler,
                  struct gpu_assembly *assembly)
{
   if (!assembler->is_within && !begin_draw(assembler))
      return false;
   begin_assembly(assembler, assembly);
   if (assembler->is_plain) {
      cut_runs(assembler, assembly);
      return true;
   }
   forget_places(assembly);
   while (assembler->is_within && has_room(assembler, assembly))
      advance(assembler, assembly);
   return true;
}
