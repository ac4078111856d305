/* SPDX-License-Identifier: MIT
 *
 * Uses of uninitialized temporaries: reads of TEMP that no path has written
 * before. A forward may-be-written analysis over the structure of control flow,
 * in one walk over the instructions of a shader without errors.
 *
 * What can be written before a loop's body, by an earlier iteration, counts as
 * written in all of it; so does what a subroutine or an indirect destination
 * writes, and everything where a BRA jumps. The arms of an IF do not see each
 * other's writes; those of a SWITCH may fall through and do.
 */
#include <assert.h>
#include <string.h>

#include "tgsi/validate/validate.h"

/* Channels that became written in an arm of an IF that is still open. */
struct write {
   uint16_t temp;
   uint8_t mask;
};

struct branch {
   uint32_t begin;  /* of the writes of the first arm */
   uint32_t middle; /* of those of the second */
};

struct values {
   struct validation *validation;
   uint8_t *written;  /* by register: channels that some path has written */
   uint8_t *reported; /* channels whose reads have been complained about */
   uint32_t num_temps;
   struct write *writes;
   uint32_t num_writes;
   struct branch branches[TG_MAX_NESTING];
   unsigned num_branches; /* open */
   unsigned num_loops;    /* open */
};

/* ---- writes -------------------------------------------------------------- */

static void
define(struct values *values, uint32_t temp, unsigned mask)
{
   const unsigned added = mask & ~values->written[temp];

   values->written[temp] |= added;
   if (added && values->num_branches)
      values->writes[values->num_writes++] =
         (struct write){(uint16_t)temp, (uint8_t)added};
}

static bool
is_temp(const struct values *values, const struct tg_register *reg)
{
   return reg->file == TG_FILE_TEMP && !reg->index.indirect &&
          reg->index.offset >= 0 &&
          (uint32_t)reg->index.offset < values->num_temps;
}

static void
define_destinations(struct values *values,
                    const struct tg_instruction *instruction)
{
   for (unsigned i = 0; i < instruction->num_dst; i++) {
      const struct tg_dst *dst = &instruction->dst[i];

      if (is_temp(values, &dst->reg))
         define(values, (uint32_t)dst->reg.index.offset, dst->writemask);
   }
}

static void
define_range(struct values *values, uint32_t begin, uint32_t end)
{
   for (uint32_t i = begin; i < end; i++)
      define_destinations(values, &values->validation->shader->instructions[i]);
}

/* An index that is computed may be any of its array, or of the file. */
static void
define_indirect(struct values *values)
{
   const struct tg_shader *shader = values->validation->shader;
   bool is_written[TG_MAX_ARRAY_ID + 1] = {false}; /* [0]: any register */

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      for (unsigned d = 0; d < instruction->num_dst; d++) {
         const struct tg_register *reg = &instruction->dst[d].reg;

         if (reg->file == TG_FILE_TEMP && reg->index.indirect)
            is_written[reg->index.array_id] = true;
      }
   }
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_TEMP &&
          (is_written[0] ||
           (declaration->has_array && is_written[declaration->array_id])))
         memset(values->written + declaration->first, TG_MASK_XYZW,
                declaration->last - declaration->first + 1u);
   }
}

/* What counts as written when the main program begins. */
static void
define_first(struct values *values)
{
   const struct tg_shader *shader = values->validation->shader;
   const struct tg_flow_info *flow = &values->validation->flow;
   bool has_branch = false;

   for (uint32_t i = 0; i < shader->num_instructions; i++)
      has_branch |=
         tg_opcode_row(shader->instructions[i].opcode)->flow == TG_FLOW_BRANCH;
   define_indirect(values);
   define_range(values, 0,
                has_branch ? shader->num_instructions : flow->main_begin);
   define_range(values, flow->main_end, shader->num_instructions);
}

/* ---- control flow -------------------------------------------------------- */

static void
begin_second_arm(struct values *values)
{
   struct branch *branch = &values->branches[values->num_branches - 1];

   branch->middle = values->num_writes;
   for (uint32_t i = branch->begin; i < branch->middle; i++)
      values->written[values->writes[i].temp] &= ~values->writes[i].mask;
}

/* What either arm has written; each channel stays in one entry. */
static void
join(struct values *values)
{
   const struct branch *branch = &values->branches[--values->num_branches];

   for (uint32_t i = branch->begin; i < branch->middle; i++) {
      struct write *write = &values->writes[i];

      write->mask &= ~values->written[write->temp];
      values->written[write->temp] |= write->mask;
   }
   if (!values->num_branches)
      values->num_writes = 0;
}

static void
follow(struct values *values, uint32_t index)
{
   const struct validation *validation = values->validation;

   assert(index < validation->shader->num_instructions);
   switch (
      tg_opcode_row(validation->shader->instructions[index].opcode)->flow) {
   case TG_FLOW_IF:
      values->branches[values->num_branches++] =
         (struct branch){values->num_writes, values->num_writes};
      break;
   case TG_FLOW_ELSE: begin_second_arm(values); break;
   case TG_FLOW_ENDIF: join(values); break;
   case TG_FLOW_LOOP:
      if (values->num_loops++ == 0)
         define_range(values, index, validation->flow.nodes[index].partner);
      break;
   case TG_FLOW_ENDLOOP: values->num_loops--; break;
   default: break;
   }
}

/* ---- reads --------------------------------------------------------------- */

static void
check_read(struct values *values, const struct tg_instruction *instruction,
           uint32_t temp, unsigned mask)
{
   const unsigned missing =
      mask & ~values->written[temp] & ~values->reported[temp];

   if (!missing)
      return;
   values->reported[temp] |= missing;
   validate_warning(values->validation, instruction->position,
                    "uninitialized-register", "it reads as zero",
                    "%s reads TEMP[%u].%s, which nothing has written",
                    tg_opcode_row(instruction->opcode)->name, temp,
                    validate_mask_text(missing).text);
}

static void
check_bracket(struct values *values, const struct tg_instruction *instruction,
              const struct tg_index *index)
{
   const struct tg_register reg = {
      .file = index->file,
      .index.offset = index->index,
   };

   if (index->indirect && is_temp(values, &reg))
      check_read(values, instruction, (uint32_t)index->index,
                 1u << index->component);
}

static void
check_brackets(struct values *values, const struct tg_instruction *instruction,
               const struct tg_register *reg)
{
   check_bracket(values, instruction, &reg->index);
   if (reg->has_dimension)
      check_bracket(values, instruction, &reg->dimension);
}

/* A TEMP in the place of a view is the render target, and no value. */
static void
check_source(struct values *values, const struct tg_instruction *instruction,
             unsigned src)
{
   const struct tg_opcode_info *row =
      tg_instruction_row(values->validation->shader, instruction);
   const struct tg_src *operand = &instruction->src[src];

   check_brackets(values, instruction, &operand->reg);
   if (is_temp(values, &operand->reg) && row->src_type[src] != TG_TYPE_VIEW)
      check_read(values, instruction, (uint32_t)operand->reg.index.offset,
                 validate_operand_channels(instruction, row, src));
}

static void
check_offset(struct values *values, const struct tg_instruction *instruction,
             const struct tg_tex_offset *offset)
{
   const struct tg_register reg = {
      .file = offset->file,
      .index.offset = offset->index,
   };
   unsigned mask = 0;

   if (!instruction->has_texture || !is_temp(values, &reg))
      return;
   for (unsigned i = 0; i < tg_target_row(instruction->target)->num_offsets;
        i++)
      mask |= 1u << offset->swizzle[i];
   check_read(values, instruction, (uint32_t)offset->index, mask);
}

static void
check_reads(struct values *values, const struct tg_instruction *instruction)
{
   for (unsigned i = 0; i < instruction->num_src; i++)
      check_source(values, instruction, i);
   for (unsigned i = 0; i < instruction->num_dst; i++)
      check_brackets(values, instruction, &instruction->dst[i].reg);
   for (unsigned i = 0; i < instruction->num_tex_offsets; i++)
      check_offset(values, instruction, &instruction->tex_offset[i]);
}

/* ---- the walk ------------------------------------------------------------ */

static void
walk(struct values *values)
{
   const struct tg_shader *shader = values->validation->shader;
   const struct tg_flow_info *flow = &values->validation->flow;

   define_first(values);
   for (uint32_t i = flow->main_begin; i < flow->main_end; i++) {
      follow(values, i);
      check_reads(values, &shader->instructions[i]);
      define_destinations(values, &shader->instructions[i]);
   }
   values->num_branches = 0;
   define_range(values, flow->main_begin, flow->main_end);
   for (uint32_t i = flow->main_end; i < shader->num_instructions; i++)
      check_reads(values, &shader->instructions[i]);
}

static bool
allocate(struct values *values)
{
   const struct tg_shader *shader = values->validation->shader;
   struct tg_arena *arena = &values->validation->arena;
   size_t num_writes = 0;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_TEMP &&
          declaration->last >= values->num_temps)
         values->num_temps = declaration->last + 1u;
   }
   for (uint32_t i = 0; i < shader->num_instructions; i++)
      num_writes += shader->instructions[i].num_dst;
   values->written = tg_arena_array(arena, values->num_temps, 1);
   values->reported = tg_arena_array(arena, values->num_temps, 1);
   values->writes = tg_arena_array(arena, num_writes, sizeof(*values->writes));
   return values->written && values->reported && values->writes;
}

void
validate_values(struct validation *validation)
{
   struct values values = {.validation = validation};

   if (validation->result != TG_OK)
      return;
   if (allocate(&values))
      walk(&values);
   else
      validation->result = TG_ERROR_MEMORY;
}
