/* SPDX-License-Identifier: MIT
 *
 * The scan of declarations and instructions that fills a tg_info. What an
 * opcode means is asked of its row alone.
 */
#include "tgsi/analysis/info.h"

#include "tgsi/analysis/flow.h"
#include "tgsi/analysis/instruction.h"
#include "tgsi/analysis/memory.h"

/* ---- declarations -------------------------------------------------------- */

static struct tg_info_registers *
registers_of(struct tg_info *info, unsigned file)
{
   switch (file) {
   case TG_FILE_IN: return &info->inputs;
   case TG_FILE_OUT: return &info->outputs;
   case TG_FILE_SV: return &info->sysvals;
   default: return NULL;
   }
}

static struct tg_info_object *
objects_of(struct tg_info *info, unsigned file)
{
   switch (file) {
   case TG_FILE_CONST:
   case TG_FILE_CONSTBUF: return info->const_buffers;
   case TG_FILE_SAMP:
   case TG_FILE_SVIEW: return info->samplers;
   case TG_FILE_IMAGE: return info->images;
   case TG_FILE_BUFFER: return info->buffers;
   default: return NULL;
   }
}

static struct tg_info_object *
objects_of_declaration(struct tg_info *info,
                       const struct tg_declaration *declaration)
{
   if (declaration->file != TG_FILE_RES)
      return objects_of(info, declaration->file);
   switch (tg_memory_resource_kind(declaration)) {
   case TG_RESOURCE_VIEW: return info->samplers;
   case TG_RESOURCE_BUFFER: return info->buffers;
   default: return info->images;
   }
}

static void
scan_registers(struct tg_info *info, struct tg_info_registers *registers,
               const struct tg_declaration *declaration)
{
   unsigned last = declaration->last;

   if (last >= TG_INFO_MAX_REGISTERS) {
      info->uses |= TG_USES_MORE_REGISTERS;
      last = TG_INFO_MAX_REGISTERS - 1;
   }
   for (unsigned i = declaration->first; i <= last; i++) {
      struct tg_info_register *reg = &registers->list[i];

      reg->is_declared = true;
      reg->semantic = declaration->semantic;
      reg->semantic_index =
         (uint16_t)(declaration->semantic_index + (i - declaration->first));
      reg->interpolate = declaration->interpolate;
      reg->location = declaration->location;
      reg->declared |= declaration->usage_mask;
      for (int channel = 0; channel < 4; channel++) {
         if (!(declaration->usage_mask & 1u << channel))
            continue;
         reg->stream[channel] = declaration->stream[channel];
         if (declaration->file == TG_FILE_OUT)
            info->stream_components[declaration->stream[channel] & 3]++;
      }
   }
   if (last >= declaration->first && registers->count <= last)
      registers->count = last + 1;
}

static void
scan_semantic(struct tg_info *info, const struct tg_declaration *declaration)
{
   const uint64_t bit = UINT64_C(1) << declaration->semantic;

   if (!declaration->has_semantic)
      return;
   if (declaration->file == TG_FILE_IN)
      info->in_semantics |= bit;
   else if (declaration->file == TG_FILE_OUT)
      info->out_semantics |= bit;
   else if (declaration->file == TG_FILE_SV)
      info->sv_semantics |= bit;
}

/* A constant without a dimension is in buffer 0. */
static void
scan_constants(struct tg_info *info, const struct tg_declaration *declaration)
{
   const unsigned buffer =
      declaration->has_dimension ? declaration->dimension : 0;

   if (buffer >= TG_INFO_MAX_OBJECTS) {
      info->uses |= TG_USES_MORE_REGISTERS;
      return;
   }
   info->const_buffers[buffer].is_declared = true;
   if (info->const_buffers[buffer].count <= declaration->last)
      info->const_buffers[buffer].count = declaration->last + 1u;
}

static void
scan_objects(struct tg_info *info, struct tg_info_object *objects,
             const struct tg_declaration *declaration)
{
   for (unsigned i = declaration->first; i <= declaration->last; i++) {
      if (i >= TG_INFO_MAX_OBJECTS) {
         info->uses |= TG_USES_MORE_REGISTERS;
         return;
      }
      if (declaration->file != TG_FILE_SVIEW)
         objects[i].is_declared = true;
      if (declaration->file == TG_FILE_SAMP ||
          declaration->file == TG_FILE_CONSTBUF)
         continue;
      objects[i].target = declaration->target;
      objects[i].return_type = declaration->return_type[0];
      objects[i].format = declaration->format;
   }
}

static void
scan_declaration(struct tg_info *info, const struct tg_declaration *declaration)
{
   struct tg_info_file *file = &info->files[declaration->file];
   struct tg_info_registers *registers = registers_of(info, declaration->file);
   struct tg_info_object *objects = objects_of_declaration(info, declaration);

   if (declaration->first > declaration->last)
      return;
   file->count += declaration->last - declaration->first + 1u;
   if (file->max < declaration->last)
      file->max = declaration->last;
   if (declaration->has_array && file->last_array < declaration->array_id)
      file->last_array = declaration->array_id;
   scan_semantic(info, declaration);
   if (registers)
      scan_registers(info, registers, declaration);
   if (declaration->file == TG_FILE_CONST)
      scan_constants(info, declaration);
   else if (objects)
      scan_objects(info, objects, declaration);
}

/* ---- operands ------------------------------------------------------------ */

/* An index reads one channel of a register. */
static void
note_address(struct tg_info *info, const struct tg_index *index)
{
   struct tg_info_registers *registers = registers_of(info, index->file);

   if (index->indirect && registers && index->index >= 0 &&
       index->index < TG_INFO_MAX_REGISTERS)
      registers->list[index->index].read |= (uint8_t)(1u << index->component);
}

static void
note_indirect(struct tg_info *info, const struct tg_register *reg, bool write)
{
   struct tg_info_file *file = &info->files[reg->file];

   if (reg->index.indirect && write)
      file->indirect_write = true;
   else if (reg->index.indirect)
      file->indirect_read = true;
   if (reg->has_dimension && reg->dimension.indirect)
      file->indirect_dimension = true;

   if (reg->has_dimension)
      note_address(info, &reg->dimension);
   note_address(info, &reg->index);
}

/* Marks channels of a register, or of all of them where an index decides. */
static void
note_access(struct tg_info_registers *registers, const struct tg_register *reg,
            unsigned read, unsigned written)
{
   const int32_t index = reg->index.offset;

   for (uint32_t i = 0; i < registers->count; i++) {
      struct tg_info_register *list = &registers->list[i];

      if (!reg->index.indirect) {
         if (index < 0 || (uint32_t)index >= registers->count)
            return;
         list = &registers->list[index];
      }
      list->read |= (uint8_t)read;
      list->written |= (uint8_t)written;
      if (!reg->index.indirect)
         return;
   }
}

static void
note_constant(struct tg_info *info, const struct tg_register *reg)
{
   const bool any = reg->has_dimension && reg->dimension.indirect;
   const int32_t buffer = reg->has_dimension ? reg->dimension.offset : 0;

   if (!reg->index.indirect && !any)
      return;
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (any || i == buffer)
         info->const_buffers[i].is_indirect |=
            info->const_buffers[i].is_declared;
   }
}

/* What a fragment reads of an input, and how that is made. */
static void
note_input(struct tg_info *info, const struct tg_register *reg, unsigned read)
{
   for (uint32_t i = 0; i < info->inputs.count; i++) {
      const struct tg_info_register *input = &info->inputs.list[i];

      if (!input->is_declared ||
          (!reg->index.indirect && reg->index.offset != (int32_t)i))
         continue;
      info->interpolates[input->interpolate][input->location] = true;
      if (input->semantic == TG_SEMANTIC_POSITION && read & TG_MASK_Z)
         info->uses |= TG_USES_POSITION_Z;
   }
}

/* Outputs that a TESS_CTRL reads, which the others of its patch wrote. */
static void
note_output_read(struct tg_info *info, const struct tg_register *reg)
{
   for (uint32_t i = 0; i < info->outputs.count; i++) {
      const unsigned semantic = info->outputs.list[i].semantic;

      if (!reg->index.indirect && reg->index.offset != (int32_t)i)
         continue;
      if (semantic == TG_SEMANTIC_PATCH)
         info->uses |= TG_USES_PATCH_OUTPUTS;
      else if (semantic == TG_SEMANTIC_TESSINNER ||
               semantic == TG_SEMANTIC_TESSOUTER)
         info->uses |= TG_USES_TESS_FACTORS;
      else
         info->uses |= TG_USES_VERTEX_OUTPUTS;
   }
}

static unsigned
through_swizzle(const struct tg_src *src, unsigned channels)
{
   unsigned mask = 0;

   for (int i = 0; i < 4; i++) {
      if (channels & 1u << i)
         mask |= 1u << src->swizzle[i];
   }
   return mask;
}

static void
scan_source(struct tg_info *info, const struct tg_instruction *instruction,
            const struct tg_opcode_info *row, unsigned src)
{
   const struct tg_src *operand = &instruction->src[src];
   const unsigned read =
      through_swizzle(operand, tg_instruction_reads(instruction, row, src));
   struct tg_info_registers *registers = registers_of(info, operand->reg.file);

   note_indirect(info, &operand->reg, false);
   if (registers)
      note_access(registers, &operand->reg, read, 0);
   if (operand->reg.file == TG_FILE_CONST)
      note_constant(info, &operand->reg);
   if (operand->reg.file == TG_FILE_IN && row->group != TG_GROUP_INTERP &&
       info->processor == TG_PROCESSOR_FRAG)
      note_input(info, &operand->reg, read);
   if (operand->reg.file == TG_FILE_OUT &&
       info->processor == TG_PROCESSOR_TESS_CTRL)
      note_output_read(info, &operand->reg);
}

/* A register of values that names memory is read: it holds a handle. */
static void
scan_destination(struct tg_info *info, const struct tg_opcode_info *row,
                 const struct tg_dst *dst)
{
   const bool is_handle = row->dst_type == TG_TYPE_MEM;
   struct tg_info_registers *registers = registers_of(info, dst->reg.file);

   note_indirect(info, &dst->reg, !is_handle);
   if (registers && is_handle)
      note_access(registers, &dst->reg, TG_MASK_X | TG_MASK_Y, 0);
   else if (registers)
      note_access(registers, &dst->reg, 0, dst->writemask);
}

/* ---- objects that instructions use --------------------------------------- */

/* The operand that names an object: a sampler or view, or memory. */
static const struct tg_register *
object_of(const struct tg_instruction *instruction,
          const struct tg_opcode_info *row)
{
   const struct tg_register *found = NULL;

   if (row->dst_type == TG_TYPE_MEM)
      return instruction->num_dst ? &instruction->dst[0].reg : NULL;
   for (unsigned i = 0; i < instruction->num_src; i++) {
      if (tg_type_is_object(row->src_type[i]))
         found = &instruction->src[i].reg;
   }
   return found;
}

static void
use_object(struct tg_info_object *object,
           const struct tg_instruction *instruction,
           const struct tg_opcode_info *row)
{
   if (row->flags & TG_OPCODE_FLAG_TARGET &&
       object->target == TG_TARGET_UNKNOWN)
      object->target = instruction->target;
   if (row->flags & TG_OPCODE_FLAG_ATOMIC)
      object->is_atomic = true;
   else if (row->flags & TG_OPCODE_FLAG_WRITES_MEM)
      object->is_stored = true;
   else if (instruction->opcode == TG_OPCODE_LOAD)
      object->is_loaded = true;
}

static void
use_objects(struct tg_info_object *objects, const struct tg_register *reg,
            const struct tg_instruction *instruction,
            const struct tg_opcode_info *row)
{
   for (int i = 0; objects && i < TG_INFO_MAX_OBJECTS; i++) {
      if (reg->index.indirect ? objects[i].is_declared : reg->index.offset == i)
         use_object(&objects[i], instruction, row);
   }
}

/* What a memory opcode uses is declared as a buffer or as an image. */
static void
use_resource(struct tg_info *info, const struct tg_register *reg,
             const struct tg_instruction *instruction,
             const struct tg_opcode_info *row)
{
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      if (!reg->index.indirect && reg->index.offset != i)
         continue;
      if (info->buffers[i].is_declared)
         use_object(&info->buffers[i], instruction, row);
      else if (info->images[i].is_declared)
         use_object(&info->images[i], instruction, row);
   }
}

static void
scan_object(struct tg_info *info, const struct tg_instruction *instruction,
            const struct tg_opcode_info *row)
{
   const struct tg_register *reg = object_of(instruction, row);

   if (!reg)
      return;
   if (!(tg_file_row(reg->file)->access & TG_ACCESS_OBJ)) {
      if (row->group == TG_GROUP_TEX || row->group == TG_GROUP_SAMPLE)
         info->uses |= TG_USES_BINDLESS_SAMPLERS;
      else if (!tg_instruction_loads_constants(instruction))
         info->uses |= TG_USES_BINDLESS_IMAGES;
      return;
   }

   if (reg->file != TG_FILE_RES)
      use_objects(objects_of(info, reg->file), reg, instruction, row);
   else if (row->group == TG_GROUP_SAMPLE)
      use_objects(info->samplers, reg, instruction, row);
   else
      use_resource(info, reg, instruction, row);
}

static bool
is_shared(const struct tg_register *reg)
{
   return reg &&
          (reg->file == TG_FILE_MEMORY ||
           (reg->file == TG_FILE_RES && reg->index.offset == TG_RES_LOCAL));
}

/* Shared memory is not seen outside of the block that writes it. */
static void
scan_effects(struct tg_info *info, const struct tg_instruction *instruction,
             const struct tg_opcode_info *row)
{
   const struct tg_register *reg = object_of(instruction, row);

   if (row->flags & TG_OPCODE_FLAG_KILLS)
      info->uses |= TG_USES_KILL;
   if (row->flags & TG_OPCODE_FLAG_DERIVS)
      info->uses |= TG_USES_DERIVATIVES;
   if (row->flags & TG_OPCODE_FLAG_DOUBLE)
      info->uses |= TG_USES_DOUBLES;
   if (row->flags & TG_OPCODE_FLAG_ATOMIC)
      info->uses |= TG_USES_ATOMICS;
   if (row->src_type[0] == TG_TYPE_OUT)
      info->uses |= TG_USES_FRAMEBUFFER_FETCH;
   if (row->group == TG_GROUP_SUBGROUP)
      info->uses |= TG_USES_SUBGROUP;
   if (instruction->opcode == TG_OPCODE_BARRIER)
      info->uses |= TG_USES_BARRIER;
   if (is_shared(reg))
      info->uses |= TG_USES_SHARED_MEMORY;
   else if (row->flags & TG_OPCODE_FLAG_WRITES_MEM)
      info->uses |= TG_USES_MEMORY_WRITES;
}

/* ---- the whole ----------------------------------------------------------- */

static void
scan_instruction(struct tg_info *info, const struct tg_instruction *instruction,
                 const struct tg_opcode_info *row)
{
   info->opcodes[instruction->opcode]++;
   for (unsigned i = 0; i < instruction->num_dst; i++)
      scan_destination(info, row, &instruction->dst[i]);
   for (unsigned i = 0; i < instruction->num_src; i++)
      scan_source(info, instruction, row, i);
   scan_object(info, instruction, row);
   scan_effects(info, instruction, row);
}

static void
scan_properties(struct tg_info *info, const struct tg_shader *shader)
{
   if (shader->processor == TG_PROCESSOR_GEOM)
      info->properties[TG_PROPERTY_GS_INVOCATIONS] = 1;
   for (uint32_t i = 0; i < shader->num_properties; i++) {
      const struct tg_property *property = &shader->properties[i];

      if (property->num_values) {
         info->properties[property->name] = property->values[0];
         info->has_property[property->name] = true;
      }
   }
}

enum tg_result
tg_info_scan(const struct tg_shader *shader, struct tg_info *info)
{
   struct tg_flow_info flow;
   enum tg_result result = tg_flow_analyse(shader, NULL, &flow);

   *info = (struct tg_info){
      .processor = shader->processor,
      .dialect = shader->dialect,
      .num_instructions = shader->num_instructions,
      .num_immediates = shader->num_immediates,
      .num_subroutines = flow.num_subroutines,
      .max_depth = flow.max_depth,
   };
   tg_flow_finish(&flow);
   if (result == TG_ERROR_MEMORY)
      return result;

   for (int i = 0; i < TG_NUM_FILES; i++)
      info->files[i].max = -1;
   for (int i = 0; i < TG_INFO_MAX_OBJECTS; i++) {
      info->samplers[i].target = TG_TARGET_UNKNOWN;
      info->samplers[i].return_type = TG_RETURN_TYPE_UNKNOWN;
   }
   scan_properties(info, shader);
   for (uint32_t i = 0; i < shader->num_declarations; i++)
      scan_declaration(info, &shader->declarations[i]);
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      scan_instruction(info, instruction,
                       tg_instruction_row(shader, instruction));
   }
   return TG_OK;
}
