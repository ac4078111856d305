/* SPDX-License-Identifier: MIT
 *
 * Backward liveness of components of registers, over the control flow, to a
 * fixed point.
 */
#include <assert.h>
#include <string.h>

#include "maxwell/lower/values.h"
#include "tgsi/analysis/instruction.h"
#include "util/length.h"

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
bool
maxwell_lower_number_live_components(
   struct tg_maxwell_lowering *lowering,
   struct maxwell_lower_components *components)
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
            is_memory[file] ? MAXWELL_LOWER_NONE : components->count;
         components->count += is_memory[file] ? 0 : 4;
      }
   }
   return true;
}

uint32_t
maxwell_lower_live_component(const struct maxwell_lower_components *components,
                             enum tg_file file, uint32_t index,
                             unsigned channel)
{
   assert(file < TG_LENGTH(components->num_registers));
   if (index >= components->num_registers[file] ||
       components->first[file][index] == MAXWELL_LOWER_NONE)
      return MAXWELL_LOWER_NONE;
   return components->first[file][index] + channel;
}

uint32_t
maxwell_lower_live_component_of(
   const struct maxwell_lower_components *components,
   const struct tg_register *reg, unsigned channel)
{
   if (reg->index.indirect || reg->has_dimension || reg->index.offset < 0)
      return MAXWELL_LOWER_NONE;
   return maxwell_lower_live_component(components, reg->file,
                                       (uint32_t)reg->index.offset, channel);
}

/* ---- control flow -------------------------------------------------------- */

static uint32_t
after_partner(const struct tg_flow_node *nodes, uint32_t at)
{
   return nodes[at].partner == TG_NO_INSTRUCTION ? MAXWELL_LOWER_NONE
                                                 : nodes[at].partner + 1;
}

/* Where an arm of a SWITCH is entered from: its cases are a chain, and after
 * the last stands the default, if any, else the end. */
static uint32_t
next_case(const struct tg_flow_node *nodes, uint32_t at)
{
   const struct tg_flow_node *node = &nodes[at];
   uint32_t begin = node->partner;

   if (node->next != TG_NO_INSTRUCTION)
      return node->next;
   return begin == TG_NO_INSTRUCTION ? MAXWELL_LOWER_NONE
                                     : nodes[begin].partner;
}

/* The instructions that may come next. */
static unsigned
successors(const struct tg_maxwell_lowering *lowering, uint32_t at,
           uint32_t out[MAXWELL_LOWER_MOST_SUCCESSORS])
{
   const struct tg_instruction *instructions = lowering->shader->instructions;
   const struct tg_flow_node *nodes = lowering->flow.nodes;
   const struct tg_flow_node *node = &nodes[at];
   bool is_conditional = instructions[at].opcode == TG_OPCODE_BREAKC ||
                         instructions[at].opcode == TG_OPCODE_BRA;

   out[0] = at + 1;
   switch (tg_opcode_row(instructions[at].opcode)->flow) {
   case TG_FLOW_IF:
      out[1] = node->partner;
      if (instructions[node->partner].opcode == TG_OPCODE_ELSE)
         out[1]++;
      return 2;
   case TG_FLOW_ELSE: out[0] = node->partner; return 1;
   case TG_FLOW_LOOP:
      out[1] = after_partner(nodes, at);
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
      out[is_conditional] = after_partner(nodes, node->partner);
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
maxwell_lower_live_successors(const struct tg_maxwell_lowering *lowering,
                              uint32_t at,
                              uint32_t out[MAXWELL_LOWER_MOST_SUCCESSORS])
{
   uint32_t all[MAXWELL_LOWER_MOST_SUCCESSORS];
   unsigned count = successors(lowering, at, all), kept = 0;

   for (unsigned i = 0; i < count; i++) {
      if (all[i] < lowering->shader->num_instructions)
         out[kept++] = all[i];
   }
   return kept;
}

/* ---- what instructions read and write ------------------------------------ */

static void
mark_source(const struct maxwell_lower_components *components,
            const struct tg_src *src, unsigned channels, uint32_t *row)
{
   for (unsigned c = 0; c < 4; c++) {
      uint32_t number = MAXWELL_LOWER_NONE;

      if (channels >> c & 1)
         number = maxwell_lower_live_component_of(components, &src->reg,
                                                  src->swizzle[c]);
      if (number != MAXWELL_LOWER_NONE)
         maxwell_lower_set_bit(row, number);
   }
}

/* All outputs are read where a vertex is emitted, and at the end. */
static bool
reads_outputs(const struct tg_instruction *instruction)
{
   unsigned flow = tg_opcode_row(instruction->opcode)->flow;

   return flow == TG_FLOW_END || flow == TG_FLOW_RETURN ||
          instruction->opcode == TG_OPCODE_EMIT;
}

static void
mark_outputs(const struct maxwell_lower_components *components, uint32_t *row)
{
   for (uint32_t r = 0; r < components->num_registers[TG_FILE_OUT]; r++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t number =
            maxwell_lower_live_component(components, TG_FILE_OUT, r, c);

         if (number != MAXWELL_LOWER_NONE)
            maxwell_lower_set_bit(row, number);
      }
   }
}

/* Marks in `row` the components that an instruction reads. */
static void
mark_reads(const struct tg_maxwell_lowering *lowering, uint32_t at,
           uint32_t *row)
{
   assert(at < lowering->shader->num_instructions);
   const struct maxwell_lower_components *components = lowering->components;
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
         uint32_t number = offset->index < 0
                              ? MAXWELL_LOWER_NONE
                              : maxwell_lower_live_component(
                                   components, offset->file,
                                   (uint32_t)offset->index, offset->swizzle[c]);
         if (number != MAXWELL_LOWER_NONE)
            maxwell_lower_set_bit(row, number);
      }
   }
   if (reads_outputs(instruction))
      mark_outputs(components, row);
}

static void
mark_writes(const struct tg_maxwell_lowering *lowering, uint32_t at,
            uint32_t *row)
{
   assert(at < lowering->shader->num_instructions);
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         uint32_t number =
            maxwell_lower_live_component_of(lowering->components, &dst->reg, c);

         if ((dst->writemask >> c & 1) && number != MAXWELL_LOWER_NONE)
            maxwell_lower_set_bit(row, number);
      }
   }
}

/* ---- liveness ------------------------------------------------------------ */

/* Works out what is alive before one instruction from what is after it. True
 * when that is more than was known. */
static bool
flow_backwards(const struct tg_maxwell_lowering *lowering, uint32_t at)
{
   assert(at < lowering->shader->num_instructions);
   const struct maxwell_lower_components *components = lowering->components;
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];
   uint32_t *before = maxwell_lower_row_of(components, components->before, at);
   uint32_t *after = maxwell_lower_row_of(components, components->after, at);
   const uint32_t *written =
      maxwell_lower_row_of(components, components->written, at);
   uint32_t next[MAXWELL_LOWER_MOST_SUCCESSORS];
   unsigned count = maxwell_lower_live_successors(lowering, at, next);
   bool changed = false;

   for (uint32_t w = 0; w < components->words; w++) {
      uint32_t live = after[w];

      for (unsigned i = 0; i < count; i++)
         live |=
            maxwell_lower_row_of(components, components->before, next[i])[w];
      uint32_t kept = instruction->has_predicate ? live : live & ~written[w];
      changed |= (before[w] | kept) != before[w] || live != after[w];
      after[w] = live;
      before[w] |= kept;
   }
   return changed;
}

void
maxwell_lower_find_liveness(struct tg_maxwell_lowering *lowering)
{
   struct maxwell_lower_components *components = lowering->components;
   uint32_t count = lowering->shader->num_instructions;
   size_t size = (size_t)count * components->words * sizeof(uint32_t);
   bool changed = true;

   for (uint32_t i = 0; i < count; i++) {
      mark_writes(lowering, i,
                  maxwell_lower_row_of(components, components->written, i));
      mark_reads(lowering, i,
                 maxwell_lower_row_of(components, components->before, i));
   }
   if (maxwell_lower_has_subroutines(lowering)) {
      memset(components->before, 0xff, size);
      memset(components->after, 0xff, size);
      return;
   }
   while (changed) {
      changed = false;
      for (uint32_t i = count; i-- > 0;)
         changed |= flow_backwards(lowering, i);
   }
}
