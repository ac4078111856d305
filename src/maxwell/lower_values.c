/* SPDX-License-Identifier: MIT
 *
 * Values of a shader: which definitions and uses of a register's component
 * belong together, and where each value is alive.
 *
 * Liveness comes first, backwards over the control flow until nothing changes.
 * Then what a component holds before an instruction is joined with what it
 * holds behind those that may come before, wherever it is alive.
 */
#include <string.h>

#include "maxwell/lower.h"
#include "tgsi/reads.h"

enum {
   MOST_CELLS = 1 << 23, /* instructions times components */
   MOST_SUCCESSORS = 2,
};

struct lower_components {
   uint32_t count;
   /* The number of component x of a register; those of y, z, w follow.
    * LOWER_NONE: it is not in a register. By file and index. */
   uint32_t *first[TG_NUM_FILES];
   uint32_t num_registers[TG_NUM_FILES];

   /* For each instruction a row of bits: components alive before and behind
    * it, and those that it writes. */
   uint32_t words; /* of a row */
   uint32_t *before, *behind, *written;

   /* Nodes to be joined: that of component c before instruction i is
    * i * count + c; those of what instructions write follow, likewise. A node
    * is the root of its set or refers to another one. */
   uint32_t num_instructions;
   uint32_t *node;
   uint32_t *value_of; /* value of a root, or LOWER_NONE */
};

/* ---- bits ---------------------------------------------------------------- */

static bool
get_bit(const uint32_t *row, uint32_t bit)
{
   return row[bit / 32] >> bit % 32 & 1;
}

static void
set_bit(uint32_t *row, uint32_t bit)
{
   row[bit / 32] |= 1u << bit % 32;
}

/* ---- components ---------------------------------------------------------- */

/* Files whose registers can be components: others are memory, constants or
 * objects. */
static bool
is_register_file(enum tg_file file)
{
   return file == TG_FILE_TEMP || file == TG_FILE_IN || file == TG_FILE_OUT ||
          file == TG_FILE_SV;
}

/* A file is memory if one of its registers is reached by an index that is not
 * known, or has two. */
static void
mark_memory(const struct tg_register *reg, bool is_memory[TG_NUM_FILES])
{
   if (reg->index.indirect || reg->has_dimension)
      is_memory[reg->file] = true;
}

static void
find_memory(const struct tg_shader *shader, bool is_memory[TG_NUM_FILES])
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      for (unsigned d = 0; d < instruction->num_dst; d++)
         mark_memory(&instruction->dst[d].reg, is_memory);
      for (unsigned s = 0; s < instruction->num_src; s++)
         mark_memory(&instruction->src[s].reg, is_memory);
   }
}

/* Numbers the components of every declared register that is no memory. */
static bool
number_components(struct tg_maxwell_lowering *lowering,
                  struct lower_components *components)
{
   const struct tg_shader *shader = lowering->shader;
   bool is_memory[TG_NUM_FILES] = {false};

   find_memory(shader, is_memory);
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      uint32_t *count = &components->num_registers[declaration->file];

      if (is_register_file(declaration->file) && *count <= declaration->last)
         *count = declaration->last + 1u;
   }
   for (unsigned file = 0; file < TG_NUM_FILES; file++) {
      uint32_t count = components->num_registers[file];

      components->first[file] =
         tg_arena_array(&lowering->arena, count, sizeof(uint32_t));
      if (!components->first[file])
         return false;
      for (uint32_t r = 0; r < count; r++) {
         components->first[file][r] =
            is_memory[file] ? LOWER_NONE : components->count;
         components->count += is_memory[file] ? 0 : 4;
      }
   }
   return true;
}

static uint32_t
component(const struct lower_components *components, enum tg_file file,
          uint32_t index, unsigned channel)
{
   if (index >= components->num_registers[file] ||
       components->first[file][index] == LOWER_NONE)
      return LOWER_NONE;
   return components->first[file][index] + channel;
}

static uint32_t
component_of(const struct lower_components *components,
             const struct tg_register *reg, unsigned channel)
{
   if (reg->index.indirect || reg->has_dimension || reg->index.offset < 0)
      return LOWER_NONE;
   return component(components, reg->file, (uint32_t)reg->index.offset,
                    channel);
}

/* ---- control flow -------------------------------------------------------- */

static uint32_t
behind_partner(const struct tg_flow_node *nodes, uint32_t at)
{
   return nodes[at].partner == TG_NO_INSTRUCTION ? LOWER_NONE
                                                 : nodes[at].partner + 1;
}

/* Where an arm of a SWITCH is entered from: its cases are a chain, and behind
 * the last stands the default, if there is one, else the end. */
static uint32_t
next_case(const struct tg_flow_node *nodes, uint32_t at)
{
   const struct tg_flow_node *node = &nodes[at];
   uint32_t begin = node->partner;

   if (node->next != TG_NO_INSTRUCTION)
      return node->next;
   return begin == TG_NO_INSTRUCTION ? LOWER_NONE : nodes[begin].partner;
}

/* The instructions that may come next. */
static unsigned
successors(const struct tg_maxwell_lowering *lowering, uint32_t at,
           uint32_t out[MOST_SUCCESSORS])
{
   const struct tg_instruction *instructions = lowering->shader->instructions;
   const struct tg_flow_node *nodes = lowering->flow.nodes;
   const struct tg_flow_node *node = &nodes[at];
   bool is_conditional = instructions[at].opcode == TG_OPCODE_BREAKC ||
                         instructions[at].opcode == TG_OPCODE_BRA;

   out[0] = at + 1;
   switch (tg_opcodes[instructions[at].opcode].flow) {
   case TG_FLOW_IF:
      out[1] = node->partner;
      if (instructions[node->partner].opcode == TG_OPCODE_ELSE)
         out[1]++;
      return 2;
   case TG_FLOW_ELSE: out[0] = node->partner; return 1;
   case TG_FLOW_LOOP:
      out[1] = behind_partner(nodes, at);
      return instructions[at].opcode == TG_OPCODE_BGNLOOP ? 1 : 2;
   case TG_FLOW_ENDLOOP:
      out[1] = node->partner;
      if (instructions[at].opcode == TG_OPCODE_ENDLOOP)
         out[0] = node->partner;
      return 2;
   case TG_FLOW_SWITCH:
      out[0] = node->next == TG_NO_INSTRUCTION ? node->partner : node->next;
      return 1;
   case TG_FLOW_CASE: out[1] = next_case(nodes, at); return 2;
   case TG_FLOW_BREAK:
      out[is_conditional] = behind_partner(nodes, node->partner);
      return 1 + is_conditional;
   case TG_FLOW_CONTINUE: out[0] = node->partner; return 1;
   case TG_FLOW_BRANCH: out[1] = node->partner; return 2;
   case TG_FLOW_RETURN:
   case TG_FLOW_END: return 0;
   default: return 1;
   }
}

/* Without those that are not there. */
unsigned
lower_successors(const struct tg_maxwell_lowering *lowering, uint32_t at,
                 uint32_t out[MOST_SUCCESSORS])
{
   uint32_t all[MOST_SUCCESSORS];
   unsigned count = successors(lowering, at, all), kept = 0;

   for (unsigned i = 0; i < count; i++) {
      if (all[i] < lowering->shader->num_instructions)
         out[kept++] = all[i];
   }
   return kept;
}

/* ---- what instructions read and write ------------------------------------ */

static void
mark_source(const struct lower_components *components, const struct tg_src *src,
            unsigned channels, uint32_t *row)
{
   for (unsigned c = 0; c < 4; c++) {
      uint32_t number = LOWER_NONE;

      if (channels >> c & 1)
         number = component_of(components, &src->reg, src->swizzle[c]);
      if (number != LOWER_NONE)
         set_bit(row, number);
   }
}

/* All outputs are read where a vertex is emitted, and at the end. */
static bool
reads_outputs(const struct tg_instruction *instruction)
{
   unsigned flow = tg_opcodes[instruction->opcode].flow;

   return flow == TG_FLOW_END || flow == TG_FLOW_RETURN ||
          instruction->opcode == TG_OPCODE_EMIT;
}

static void
mark_outputs(const struct lower_components *components, uint32_t *row)
{
   for (uint32_t r = 0; r < components->num_registers[TG_FILE_OUT]; r++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t number = component(components, TG_FILE_OUT, r, c);

         if (number != LOWER_NONE)
            set_bit(row, number);
      }
   }
}

/* Marks in `row` the components that an instruction reads. */
static void
mark_reads(const struct tg_maxwell_lowering *lowering, uint32_t at,
           uint32_t *row)
{
   const struct lower_components *components = lowering->components;
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];
   const struct tg_opcode_info *info =
      tg_instruction_row(lowering->shader, instruction);

   for (unsigned s = 0; s < instruction->num_src; s++)
      mark_source(components, &instruction->src[s],
                  tg_instruction_reads(instruction, info, s), row);
   for (unsigned i = 0; i < instruction->num_tex_offsets; i++) {
      const struct tg_tex_offset *offset = &instruction->tex_offset[i];

      for (unsigned c = 0; c < 3; c++) {
         uint32_t number =
            offset->index < 0
               ? LOWER_NONE
               : component(components, offset->file, (uint32_t)offset->index,
                           offset->swizzle[c]);
         if (number != LOWER_NONE)
            set_bit(row, number);
      }
   }
   if (reads_outputs(instruction))
      mark_outputs(components, row);
}

static void
mark_writes(const struct tg_maxwell_lowering *lowering, uint32_t at,
            uint32_t *row)
{
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         uint32_t number = component_of(lowering->components, &dst->reg, c);

         if ((dst->writemask >> c & 1) && number != LOWER_NONE)
            set_bit(row, number);
      }
   }
}

/* ---- liveness ------------------------------------------------------------ */

static uint32_t *
row_of(const struct lower_components *components, uint32_t *rows, uint32_t at)
{
   return &rows[(size_t)at * components->words];
}

/* Works out what is alive before one instruction from what is behind it. True
 * when that is more than was known. */
static bool
flow_backwards(const struct tg_maxwell_lowering *lowering, uint32_t at)
{
   const struct lower_components *components = lowering->components;
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];
   uint32_t *before = row_of(components, components->before, at);
   uint32_t *behind = row_of(components, components->behind, at);
   const uint32_t *written = row_of(components, components->written, at);
   uint32_t next[MOST_SUCCESSORS];
   unsigned count = lower_successors(lowering, at, next);
   bool changed = false;

   for (uint32_t w = 0; w < components->words; w++) {
      uint32_t live = behind[w];

      for (unsigned i = 0; i < count; i++)
         live |= row_of(components, components->before, next[i])[w];
      uint32_t kept = instruction->has_predicate ? live : live & ~written[w];
      changed |= (before[w] | kept) != before[w] || live != behind[w];
      behind[w] = live;
      before[w] |= kept;
   }
   return changed;
}

/* Subroutines are called from several places: with them everything counts as
 * alive everywhere, and each component is one value. */
static bool
has_subroutines(const struct tg_maxwell_lowering *lowering)
{
   return lowering->flow.num_subroutines != 0;
}

static void
find_liveness(struct tg_maxwell_lowering *lowering)
{
   struct lower_components *components = lowering->components;
   uint32_t count = lowering->shader->num_instructions;
   size_t size = (size_t)count * components->words * sizeof(uint32_t);
   bool changed = true;

   for (uint32_t i = 0; i < count; i++) {
      mark_writes(lowering, i, row_of(components, components->written, i));
      mark_reads(lowering, i, row_of(components, components->before, i));
   }
   if (has_subroutines(lowering)) {
      memset(components->before, 0xff, size);
      memset(components->behind, 0xff, size);
      return;
   }
   while (changed) {
      changed = false;
      for (uint32_t i = count; i-- > 0;)
         changed |= flow_backwards(lowering, i);
   }
}

/* ---- joining ------------------------------------------------------------- */

static uint32_t
root_of(const struct lower_components *components, uint32_t node)
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
join(const struct lower_components *components, uint32_t a, uint32_t b)
{
   a = root_of(components, a);
   b = root_of(components, b);
   if (a < b)
      components->node[b] = a;
   else
      components->node[a] = b;
}

static uint32_t
node_before(const struct lower_components *components, uint32_t at,
            uint32_t number)
{
   return at * components->count + number;
}

static uint32_t
node_behind(const struct lower_components *components, uint32_t at,
            uint32_t number)
{
   const uint32_t *written =
      &components->written[(size_t)at * components->words];
   uint32_t offset = get_bit(written, number)
                        ? components->num_instructions * components->count
                        : 0;

   return offset + node_before(components, at, number);
}

static void
join_flow(const struct tg_maxwell_lowering *lowering, uint32_t at)
{
   const struct lower_components *components = lowering->components;
   uint32_t next[MOST_SUCCESSORS];
   unsigned count = lower_successors(lowering, at, next);

   for (unsigned i = 0; i < count; i++) {
      const uint32_t *live = row_of(components, components->before, next[i]);

      for (uint32_t c = 0; c < components->count; c++) {
         if (get_bit(live, c))
            join(components, node_behind(components, at, c),
                 node_before(components, next[i], c));
      }
   }
   for (uint32_t c = 0; c < components->count; c++) {
      bool keeps = lowering->shader->instructions[at].has_predicate ||
                   has_subroutines(lowering);

      if (keeps)
         join(components, node_behind(components, at, c),
              node_before(components, at, c));
   }
}

static void
join_all(const struct tg_maxwell_lowering *lowering)
{
   const struct lower_components *components = lowering->components;
   uint32_t count = components->num_instructions;

   for (uint32_t i = 0; i < 2 * count * components->count; i++)
      components->node[i] = i;
   for (uint32_t i = 0; i < count; i++) {
      join_flow(lowering, i);
      for (uint32_t c = 0; c < components->count && has_subroutines(lowering);
           c++)
         join(components, node_before(components, 0, c),
              node_before(components, i, c));
   }
}

/* ---- values -------------------------------------------------------------- */

uint32_t
lower_add_value(struct tg_maxwell_lowering *lowering, struct lower_value value)
{
   if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->values,
                         &lowering->value_capacity, lowering->num_values,
                         sizeof(*lowering->values)))
      return LOWER_NONE;
   value.reg = MAXWELL_RZ;
   lowering->values[lowering->num_values] = value;
   return lowering->num_values++;
}

/* A value for the set of a node, unless it has one. */
static bool
give_value(struct tg_maxwell_lowering *lowering, struct lower_value value,
           uint32_t node)
{
   struct lower_components *components = lowering->components;
   uint32_t root = root_of(components, node);

   if (components->value_of[root] == LOWER_NONE)
      components->value_of[root] = lower_add_value(lowering, value);
   return components->value_of[root] != LOWER_NONE;
}

/* Values for one component at one instruction. */
static bool
give_values_at(struct tg_maxwell_lowering *lowering, uint32_t at,
               struct lower_value value, uint32_t number)
{
   const struct lower_components *components = lowering->components;
   bool is_live = get_bit(row_of(components, components->before, at), number);
   bool is_written =
      get_bit(row_of(components, components->written, at), number);

   return (!is_live ||
           give_value(lowering, value, node_before(components, at, number))) &&
          (!is_written ||
           give_value(lowering, value, node_behind(components, at, number)));
}

static bool
give_values(struct tg_maxwell_lowering *lowering, enum tg_file file)
{
   const struct lower_components *components = lowering->components;

   for (uint32_t r = 0; r < components->num_registers[file]; r++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t number = component(components, file, r, c);
         struct lower_value value = {.kind = LOWER_COMPONENT,
                                     .file = (uint8_t)file,
                                     .channel = (uint8_t)c,
                                     .index = r};

         for (uint32_t i = 0;
              i < components->num_instructions && number != LOWER_NONE; i++) {
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
   struct lower_components *components = lowering->components;
   struct tg_arena *arena = &lowering->arena;
   size_t rows = (size_t)components->num_instructions * components->words;
   size_t nodes = 2 * (size_t)components->num_instructions * components->count;

   components->before = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->behind = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->written = tg_arena_array(arena, rows, sizeof(uint32_t));
   components->node = tg_arena_array(arena, nodes, sizeof(uint32_t));
   components->value_of = tg_arena_array(arena, nodes, sizeof(uint32_t));
   if (!components->before || !components->behind || !components->written ||
       !components->node || !components->value_of)
      return false;
   memset(components->value_of, 0xff, nodes * sizeof(uint32_t));
   return true;
}

enum tg_result
lower_find_values(struct tg_maxwell_lowering *lowering)
{
   struct lower_components *components =
      tg_arena_alloc(&lowering->arena, sizeof(*components));
   uint32_t count = lowering->shader->num_instructions;

   lowering->components = components;
   if (!components || !number_components(lowering, components))
      return TG_ERROR_MEMORY;
   components->num_instructions = count;
   components->words = components->count / 32 + 1;
   if ((uint64_t)components->count * count > MOST_CELLS)
      return tg_complain(lowering->diagnostics, TG_ERROR_LIMIT, "limit",
                         "%u instructions with %u components of registers are "
                         "too much to keep track of",
                         count, components->count);
   if (!allocate(lowering))
      return TG_ERROR_MEMORY;

   find_liveness(lowering);
   join_all(lowering);
   for (unsigned file = 0; file < TG_NUM_FILES; file++) {
      if (!give_values(lowering, file))
         return TG_ERROR_MEMORY;
   }
   return TG_OK;
}

/* ---- asking -------------------------------------------------------------- */

uint32_t
lower_value_before(const struct tg_maxwell_lowering *lowering, uint32_t at,
                   enum tg_file file, uint32_t index, unsigned channel)
{
   const struct lower_components *components = lowering->components;
   uint32_t number = component(components, file, index, channel);

   if (number == LOWER_NONE)
      return LOWER_NONE;
   return components
      ->value_of[root_of(components, node_before(components, at, number))];
}

uint32_t
lower_value_behind(const struct tg_maxwell_lowering *lowering, uint32_t at,
                   enum tg_file file, uint32_t index, unsigned channel)
{
   const struct lower_components *components = lowering->components;
   uint32_t number = component(components, file, index, channel);

   if (number == LOWER_NONE)
      return LOWER_NONE;
   return components
      ->value_of[root_of(components, node_behind(components, at, number))];
}

bool
lower_is_live_behind(const struct tg_maxwell_lowering *lowering, uint32_t at,
                     enum tg_file file, uint32_t index, unsigned channel)
{
   const struct lower_components *components = lowering->components;
   uint32_t number = component(components, file, index, channel);

   return number == LOWER_NONE ||
          get_bit(row_of(components, components->behind, at), number);
}

void
lower_each_live(const struct tg_maxwell_lowering *lowering, uint32_t at,
                bool behind, lower_live_function function, void *user)
{
   const struct lower_components *components = lowering->components;
   const uint32_t *row =
      row_of(components, behind ? components->behind : components->before, at);

   for (uint32_t c = 0; c < components->count; c++) {
      uint32_t node = behind ? node_behind(components, at, c)
                             : node_before(components, at, c);
      uint32_t value = components->value_of[root_of(components, node)];

      if (get_bit(row, c) && value != LOWER_NONE)
         function(user, value);
   }
}
