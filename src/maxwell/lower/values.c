/* SPDX-License-Identifier: MIT
 *
 * Webs of a shader: which definitions and uses of a register's component belong
 * together. What a component holds before an instruction is joined with what it
 * holds after those that may come before, wherever it is alive.
 */
#include <assert.h>
#include <string.h>

#include "maxwell/lower/values.h"

enum { MOST_CELLS = 1 << 23 }; /* instructions times components */

/* ---- joining ------------------------------------------------------------- */

static uint32_t
root_of(const struct maxwell_lower_components *components, uint32_t node)
{
   uint32_t *parent = components->node;

   while (parent[node] != node) {
      parent[node] = parent[parent[node]];
      node = parent[node];
   }
   return node;
}

/* The lower node becomes the root, so that roots do not depend on the order. */
static void
join(const struct maxwell_lower_components *components, uint32_t a, uint32_t b)
{
   a = root_of(components, a);
   b = root_of(components, b);
   if (a < b)
      components->node[b] = a;
   else
      components->node[a] = b;
}

static uint32_t
node_before(const struct maxwell_lower_components *components, uint32_t at,
            uint32_t number)
{
   return at * components->count + number;
}

static uint32_t
node_after(const struct maxwell_lower_components *components, uint32_t at,
           uint32_t number)
{
   const uint32_t *written =
      &components->written[(size_t)at * components->words];
   uint32_t offset = maxwell_lower_get_bit(written, number)
                        ? components->num_instructions * components->count
                        : 0;

   return offset + node_before(components, at, number);
}

static void
join_flow(const struct tg_maxwell_lowering *lowering, uint32_t at)
{
   const struct maxwell_lower_components *components = lowering->components;
   uint32_t next[MAXWELL_LOWER_MOST_SUCCESSORS];
   unsigned count = maxwell_lower_live_successors(lowering, at, next);

   for (unsigned i = 0; i < count; i++) {
      const uint32_t *live =
         maxwell_lower_row_of(components, components->before, next[i]);

      for (uint32_t c = 0; c < components->count; c++) {
         if (maxwell_lower_get_bit(live, c))
            join(components, node_after(components, at, c),
                 node_before(components, next[i], c));
      }
   }
   for (uint32_t c = 0; c < components->count; c++) {
      assert(at < lowering->shader->num_instructions);
      bool keeps = lowering->shader->instructions[at].has_predicate ||
                   maxwell_lower_has_subroutines(lowering);

      if (keeps)
         join(components, node_after(components, at, c),
              node_before(components, at, c));
   }
}

static void
join_all(const struct tg_maxwell_lowering *lowering)
{
   const struct maxwell_lower_components *components = lowering->components;
   uint32_t count = components->num_instructions;

   for (uint32_t i = 0; i < 2 * count * components->count; i++)
      components->node[i] = i;
   for (uint32_t i = 0; i < count; i++) {
      join_flow(lowering, i);
      for (uint32_t c = 0;
           c < components->count && maxwell_lower_has_subroutines(lowering);
           c++)
         join(components, node_before(components, 0, c),
              node_before(components, i, c));
   }
}

/* ---- values -------------------------------------------------------------- */

uint32_t
maxwell_lower_add_value(struct tg_maxwell_lowering *lowering,
                        struct maxwell_lower_value value)
{
   if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->values,
                         &lowering->value_capacity, lowering->num_values,
                         sizeof(*lowering->values)))
      return MAXWELL_LOWER_NONE;
   value.reg = MAXWELL_RZ;
   lowering->values[lowering->num_values] = value;
   return lowering->num_values++;
}

/* A value for the set of a node, unless it has one. */
static bool
give_value(struct tg_maxwell_lowering *lowering,
           struct maxwell_lower_value value, uint32_t node)
{
   struct maxwell_lower_components *components = lowering->components;
   uint32_t root = root_of(components, node);

   if (components->value_of[root] == MAXWELL_LOWER_NONE)
      components->value_of[root] = maxwell_lower_add_value(lowering, value);
   return components->value_of[root] != MAXWELL_LOWER_NONE;
}

/* Values for one component at one instruction. */
static bool
give_values_at(struct tg_maxwell_lowering *lowering, uint32_t at,
               struct maxwell_lower_value value, uint32_t number)
{
   const struct maxwell_lower_components *components = lowering->components;
   bool is_live = maxwell_lower_get_bit(
      maxwell_lower_row_of(components, components->before, at), number);
   bool is_written = maxwell_lower_get_bit(
      maxwell_lower_row_of(components, components->written, at), number);

   return (!is_live ||
           give_value(lowering, value, node_before(components, at, number))) &&
          (!is_written ||
           give_value(lowering, value, node_after(components, at, number)));
}

static bool
give_values(struct tg_maxwell_lowering *lowering, enum tg_file file)
{
   const struct maxwell_lower_components *components = lowering->components;

   for (uint32_t r = 0; r < components->num_registers[file]; r++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t number = maxwell_lower_live_component(components, file, r, c);
         struct maxwell_lower_value value = {.kind = MAXWELL_LOWER_COMPONENT,
                                             .file = (uint8_t)file,
                                             .channel = (uint8_t)c,
                                             .index = r};

         for (uint32_t i = 0;
              i < components->num_instructions && number != MAXWELL_LOWER_NONE;
              i++) {
            if (!give_values_at(lowering, i, value, number))
               return false;
         }
      }
   }
   return true;
}

static bool
allocate(struct tg_maxwell_lowering *lowering)
{
   struct maxwell_lower_components *components = lowering->components;
   struct tg_arena *arena = &lowering->arena;
   size_t rows = (size_t)components->num_instructions * components->words;
   size_t nodes = 2 * (size_t)components->num_instructions * components->count;

   components->before = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->after = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->written = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->node = tg_arena_array(arena, nodes, sizeof(uint32_t));
   components->value_of = tg_arena_array(arena, nodes, sizeof(uint32_t));
   if (!components->before || !components->after || !components->written ||
       !components->node || !components->value_of)
      return false;
   memset(components->value_of, 0xff, nodes * sizeof(uint32_t));
   return true;
}

static void
note_definition(struct tg_maxwell_lowering *lowering, uint32_t at,
                const struct tg_dst *dst, unsigned channel)
{
   uint32_t number =
      maxwell_lower_value_after(lowering, at, &dst->reg, channel);
   if (!(dst->writemask >> channel & 1) || number == MAXWELL_LOWER_NONE)
      return;

   struct maxwell_lower_value *value = &lowering->values[number];
   value->num_definitions += value->num_definitions < 2;
   value->definition = at;
}

static void
note_definitions(struct tg_maxwell_lowering *lowering)
{
   const struct tg_shader *shader = lowering->shader;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      for (unsigned d = 0; d < shader->instructions[i].num_dst; d++) {
         for (unsigned c = 0; c < 4; c++)
            note_definition(lowering, i, &shader->instructions[i].dst[d], c);
      }
   }
}

enum tg_result
maxwell_lower_find_values(struct tg_maxwell_lowering *lowering)
{
   struct maxwell_lower_components *components =
      tg_arena_alloc(&lowering->arena, sizeof(*components));
   uint32_t count = lowering->shader->num_instructions;

   lowering->components = components;
   if (!components ||
       !maxwell_lower_number_live_components(lowering, components))
      return TG_ERROR_MEMORY;
   components->num_instructions = count;
   components->words = components->count / 32 + 1;
   if ((uint64_t)components->count * count > MOST_CELLS)
      return tg_complain(lowering->diagnostics, TG_ERROR_LIMIT, "limit",
                         "%u instructions with %u components of registers are "
                         "%llu to keep track of, and may be %d",
                         count, components->count,
                         (unsigned long long)components->count * count,
                         MOST_CELLS);
   if (!allocate(lowering))
      return TG_ERROR_MEMORY;

   maxwell_lower_find_liveness(lowering);
   join_all(lowering);
   for (unsigned file = 0; file < TG_NUM_FILES; file++) {
      if (!give_values(lowering, file))
         return TG_ERROR_MEMORY;
   }
   note_definitions(lowering);
   return TG_OK;
}

/* ---- asking -------------------------------------------------------------- */

static uint32_t
value_of_node(const struct maxwell_lower_components *components, uint32_t node)
{
   return components->value_of[root_of(components, node)];
}

uint32_t
maxwell_lower_value_before(const struct tg_maxwell_lowering *lowering,
                           uint32_t at, const struct tg_register *reg,
                           unsigned channel)
{
   const struct maxwell_lower_components *components = lowering->components;
   uint32_t number = maxwell_lower_live_component_of(components, reg, channel);

   return number == MAXWELL_LOWER_NONE
             ? MAXWELL_LOWER_NONE
             : value_of_node(components, node_before(components, at, number));
}

uint32_t
maxwell_lower_value_after(const struct tg_maxwell_lowering *lowering,
                          uint32_t at, const struct tg_register *reg,
                          unsigned channel)
{
   const struct maxwell_lower_components *components = lowering->components;
   uint32_t number = maxwell_lower_live_component_of(components, reg, channel);

   return number == MAXWELL_LOWER_NONE
             ? MAXWELL_LOWER_NONE
             : value_of_node(components, node_after(components, at, number));
}

bool
maxwell_lower_value_is_live_after(const struct tg_maxwell_lowering *lowering,
                                  uint32_t at, const struct tg_register *reg,
                                  unsigned channel)
{
   const struct maxwell_lower_components *components = lowering->components;
   uint32_t number = maxwell_lower_live_component_of(components, reg, channel);

   return number == MAXWELL_LOWER_NONE ||
          maxwell_lower_get_bit(
             maxwell_lower_row_of(components, components->after, at), number);
}

void
maxwell_lower_each_live_value(const struct tg_maxwell_lowering *lowering,
                              uint32_t at, bool after,
                              maxwell_lower_live_function function, void *user)
{
   const struct maxwell_lower_components *components = lowering->components;
   const uint32_t *row = maxwell_lower_row_of(
      components, after ? components->after : components->before, at);

   for (uint32_t c = 0; c < components->count; c++) {
      uint32_t node =
         after ? node_after(components, at, c) : node_before(components, at, c);
      uint32_t value = components->value_of[root_of(components, node)];

      if (maxwell_lower_get_bit(row, c) && value != MAXWELL_LOWER_NONE)
         function(user, value);
   }
}
