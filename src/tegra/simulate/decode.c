/* SPDX-License-Identifier: MIT
 *
 * Predecoding: everything that the words alone decide is decided here, once.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate/simulate.h"
#include "util/length.h"

struct decoder {
   struct simulate_machine *machine;
   union tegra_instruction fields;
   struct simulate_instruction *instruction;
   const struct tegra_opcode_info *info[TEGRA_NUM_UNITS];
   uint32_t num_constants; /* that have rows */
   /* Rows of c[index], or UINT32_MAX. */
   uint32_t row_of_constant[TG_TEGRA_NUM_CONSTANTS];
};

/* ---- results ------------------------------------------------------------- */

/* Does an address operation write A0? The number of its destination must be
 * even: NV40, from which it stems, has a second address register after odd
 * ones. "No register" is odd, too. */
static bool
writes_address(const struct decoder *decoder)
{
   return decoder->info[TEGRA_VECTOR]->result == TEGRA_RESULT_ADDR &&
          decoder->fields.v_rd % 2 == 0;
}

static void
decode_destination(struct decoder *decoder, enum tegra_unit unit)
{
   const union tegra_instruction *fields = &decoder->fields;
   struct simulate_machine *machine = decoder->machine;
   struct simulate_slot *slot = &decoder->instruction->slot[unit];
   unsigned rd = unit == TEGRA_VECTOR ? fields->v_rd : fields->s_rd;

   switch (decoder->info[unit]->result) {
   case TEGRA_RESULT_NONE: break;
   case TEGRA_RESULT_ADDR:
      slot->is_address = writes_address(decoder);
      slot->to = slot->is_address ? machine->address : NULL;
      break;
   default:
      slot->to =
         rd < TG_TEGRA_NUM_TEMPORARIES ? machine->temporaries[rd] : NULL;
      slot->index = (uint8_t)rd;
      slot->saturates = fields->sat;
      slot->exports =
         fields->export_vec == (unit == TEGRA_VECTOR) &&
         (fields->export_rel || fields->export_index < TG_TEGRA_NUM_EXPORTS);
      slot->sets_condition = fields->cs && fields->cwr;
   }
}

static void
decode_slot(struct decoder *decoder, enum tegra_unit unit)
{
   const union tegra_instruction *fields = &decoder->fields;
   const struct tegra_opcode_info *info = decoder->info[unit];
   struct simulate_slot *slot = &decoder->instruction->slot[unit];
   bool is_vector = unit == TEGRA_VECTOR;
   unsigned opcode = is_vector ? fields->v_op : fields->s_op;
   bool is_replicated = info->result == TEGRA_RESULT_REPL;

   decode_destination(decoder, unit);
   slot->mask = is_vector ? fields->v_mask : fields->s_mask;
   if (!slot->to && !slot->exports && !slot->sets_condition)
      slot->mask = 0;
   if (!slot->mask)
      return;

   const struct simulate_set *set = decoder->machine->set;
   slot->function = set->functions[unit][opcode];
   if (is_vector && decoder->machine->is_fused && set->fused[opcode])
      slot->function = set->fused[opcode];
   slot->kind = info->result;
   slot->distinct = is_replicated ? tegra_mask_bit(0) : slot->mask;
   for (unsigned k = 0; k < 4; k++)
      slot->result[k] = decoder->machine->result[unit][is_replicated ? 0 : k];
}

/* The conditions that the predicate bits accept. An unordered one passes for
 * "not equal" and for "any". */
static unsigned
accepted_conditions(const union tegra_instruction *fields)
{
   return (fields->p_lt ? SIMULATE_LESS : 0) |
          (fields->p_eq ? SIMULATE_EQUAL : 0) |
          (fields->p_gt ? SIMULATE_GREATER : 0) |
          (fields->p_lt && fields->p_gt ? SIMULATE_UNORDERED : 0);
}

static void
decode_predicate(struct decoder *decoder)
{
   const union tegra_instruction *fields = &decoder->fields;
   struct simulate_instruction *instruction = decoder->instruction;

   instruction->accepted = (uint8_t)accepted_conditions(fields);
   instruction->cr = (uint8_t)fields->cr;
   instruction->swizzle = (uint8_t)fields->p_swz;
   if (fields->cc && instruction->accepted != SIMULATE_ANY)
      instruction->gated = instruction->slot[TEGRA_VECTOR].mask |
                           instruction->slot[TEGRA_SCALAR].mask;
}

/* ---- sources ------------------------------------------------------------- */

/* The rows of c[index], with the constant in all lanes. */
static simulate_row *
constant_rows(struct decoder *decoder, unsigned index)
{
   assert(index < TG_LENGTH(decoder->row_of_constant));
   struct simulate_machine *machine = decoder->machine;
   uint32_t *row = &decoder->row_of_constant[index];

   if (*row == UINT32_MAX) {
      *row = decoder->num_constants++;
      for (unsigned k = 0; k < 4; k++) {
         FOR_LANES (i)
            machine->constant_rows[*row][k][i] = machine->constants[index][k];
      }
   }
   return machine->constant_rows[*row];
}

/* The rows that a source takes its components from, or NULL for zeros. */
static simulate_row *
source_rows(struct decoder *decoder, const struct tegra_operand *operand)
{
   struct simulate_machine *machine = decoder->machine;
   struct simulate_instruction *instruction = decoder->instruction;

   switch (operand->file) {
   case TEGRA_TEMPORARY:
      return machine->temporaries[operand->index % TG_TEGRA_NUM_TEMPORARIES];
   case TEGRA_ATTRIBUTE:
      if (operand->relative) {
         instruction->reads_attribute_through_address = true;
         machine->attributes_read = UINT32_MAX;
         return machine->relative_attribute;
      }
      machine->attributes_read |= 1u << operand->index;
      return machine->attributes[operand->index];
   case TEGRA_CONSTANT:
      if (operand->relative) {
         instruction->reads_constant_through_address = true;
         return machine->relative_constant;
      }
      if (operand->index < TG_TEGRA_NUM_CONSTANTS)
         return constant_rows(decoder, operand->index);
      instruction->findings |= 1u << SIMULATE_CONSTANT_RANGE;
      return NULL;
   default:
      instruction->findings |= 1u << SIMULATE_UNDEFINED_SOURCE;
      return NULL;
   }
}

/* `mask`: the components that an operation takes, after the swizzle. */
static void
decode_source(struct decoder *decoder, enum tegra_source which, unsigned mask)
{
   struct tegra_operand operand = tegra_isa_get_source(&decoder->fields, which);
   struct simulate_instruction *instruction = decoder->instruction;
   assert(which < TG_LENGTH(instruction->source));
   struct simulate_source *source = &instruction->source[which];
   uint8_t components = 0;

   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(mask, k))
         components |= tegra_mask_bit(tegra_swizzle_get(operand.swizzle, k));
   }
   if (!components)
      return;

   simulate_row *rows = source_rows(decoder, &operand);
   for (unsigned k = 0; k < 4 && rows; k++)
      source->row[k] = rows[tegra_swizzle_get(operand.swizzle, k)];
   source->keep = operand.absolute ? 0x7fffffff : UINT32_MAX;
   source->flip = operand.negate ? 0x80000000 : 0;
   if (operand.file == TEGRA_TEMPORARY) {
      instruction->reads[which].index = (uint8_t)operand.index;
      instruction->reads[which].mask |= components;
   }
   if (operand.relative)
      instruction->address_reads |= tegra_mask_bit(decoder->fields.a_sel);
}

/* ARA adds the halves of A0. */
static void
decode_halves(struct decoder *decoder)
{
   struct simulate_instruction *instruction = decoder->instruction;
   unsigned mask = instruction->slot[TEGRA_VECTOR].mask;

   for (unsigned k = 0; k < 4 && !decoder->fields.bit120; k++) {
      unsigned low = k % 2, high = k % 2 + 2;

      instruction->source[TEGRA_RA].row[k] = decoder->machine->address[low];
      instruction->source[TEGRA_RB].row[k] = decoder->machine->address[high];
      if (tegra_mask_has(mask, k))
         instruction->address_reads |=
            tegra_mask_bit(low) | tegra_mask_bit(high);
   }
}

static void
decode_sources(struct decoder *decoder)
{
   struct simulate_instruction *instruction = decoder->instruction;
   const uint32_t *zero = decoder->machine->zero;

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
      instruction->source[i] =
         (struct simulate_source){{zero, zero, zero, zero}, .keep = UINT32_MAX};
   }
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct tegra_opcode_info *info = decoder->info[unit];
      unsigned mask = instruction->slot[unit].mask;
      enum tegra_source sources[TEGRA_NUM_SOURCES];
      unsigned count = mask ? tegra_isa_sources(info, sources) : 0;

      for (unsigned i = 0; i < count; i++)
         decode_source(decoder, sources[i],
                       tegra_isa_components_read(info, mask));
   }
   if (writes_address(decoder) && decoder->fields.v_op == TEGRA_VECTOR_ARA)
      decode_halves(decoder);
}

/* With nv_dst_dph the two have the operands of the other specification, which
 * are these in the other order. */
static void
swap_sources(struct decoder *decoder)
{
   struct simulate_source *source = decoder->instruction->source;
   unsigned op = decoder->fields.v_op;

   if (!decoder->machine->batch->nv_dst_dph ||
       (op != TEGRA_VECTOR_DST && op != TEGRA_VECTOR_DPH))
      return;
   struct simulate_source ra = source[TEGRA_RA];
   source[TEGRA_RA] = source[TEGRA_RB];
   source[TEGRA_RB] = ra;
}

/* Register numbers that are added to A0. */
static void
decode_indices(struct decoder *decoder)
{
   const union tegra_instruction *fields = &decoder->fields;
   struct simulate_machine *machine = decoder->machine;
   struct simulate_instruction *instruction = decoder->instruction;
   bool exports = instruction->slot[TEGRA_VECTOR].exports ||
                  instruction->slot[TEGRA_SCALAR].exports;

   instruction->attribute_index = (uint8_t)fields->attr_index;
   instruction->constant_index = fields->const_index;
   instruction->export_index = (uint8_t)fields->export_index;
   instruction->export_is_relative = fields->export_rel;
   instruction->exports_through_address = fields->export_rel && exports;
   instruction->address_is_zero = fields->bit120;
   instruction->address =
      fields->bit120 ? machine->zero : machine->address[fields->a_sel];
   if (fields->export_rel)
      instruction->address_reads |= tegra_mask_bit(fields->a_sel);
   if (fields->bit120)
      instruction->address_reads = 0;
   if (exports)
      machine->exports_written |=
         fields->export_rel ? UINT32_MAX : 1u << fields->export_index;
}

/* ---- control ------------------------------------------------------------- */

/* The stack sees both units, the vector unit first. The same push or pop of
 * both happens once, and a push beside a pop not at all. */
static void
decode_stack(struct decoder *decoder)
{
   unsigned vector = decoder->info[TEGRA_VECTOR]->effect;
   unsigned scalar = decoder->info[TEGRA_SCALAR]->effect;
   bool vector_moves =
      vector == TEGRA_EFFECT_PUSH || vector == TEGRA_EFFECT_POP;
   bool scalar_moves =
      scalar == TEGRA_EFFECT_PUSH || scalar == TEGRA_EFFECT_POP;

   if (vector_moves && scalar_moves) {
      vector = vector == scalar ? vector : TEGRA_EFFECT_NONE;
      scalar = TEGRA_EFFECT_NONE;
   }
   decoder->instruction->stack[TEGRA_VECTOR] = (uint8_t)vector;
   decoder->instruction->stack[TEGRA_SCALAR] =
      (uint8_t)(scalar == TEGRA_EFFECT_BRANCH ? TEGRA_EFFECT_NONE : scalar);
}

static void
decode_flow(struct decoder *decoder)
{
   struct simulate_instruction *instruction = decoder->instruction;
   unsigned effect = decoder->info[TEGRA_SCALAR]->effect;
   bool is_flow = effect == TEGRA_EFFECT_BRANCH ||
                  effect == TEGRA_EFFECT_CALL || effect == TEGRA_EFFECT_RETURN;

   decode_stack(decoder);
   instruction->flow = (uint8_t)(is_flow ? effect : TEGRA_EFFECT_NONE);
   instruction->target = (uint8_t)decoder->fields.rc_swz;
   instruction->end = decoder->fields.end;
}

/* ---- instructions -------------------------------------------------------- */

static bool
is_careful(const struct simulate_instruction *instruction)
{
   unsigned reads = instruction->address_reads;

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++)
      reads |= instruction->reads[i].mask;
   return reads || instruction->fault != TG_TEGRA_ENDED ||
          instruction->findings || instruction->export_is_relative ||
          instruction->reads_attribute_through_address ||
          instruction->reads_constant_through_address ||
          instruction->flow != TEGRA_EFFECT_NONE ||
          instruction->stack[TEGRA_VECTOR] != TEGRA_EFFECT_NONE ||
          instruction->stack[TEGRA_SCALAR] != TEGRA_EFFECT_NONE;
}

static bool
is_plain(const struct simulate_machine *machine,
         const struct simulate_instruction *instruction)
{
   bool is_plain = !instruction->is_careful && !instruction->gated &&
                   !instruction->end && !machine->has_doubtful_reads;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct simulate_slot *slot = &instruction->slot[unit];

      is_plain &= !slot->saturates && !slot->sets_condition;
   }
   return is_plain;
}

static void
decode_instruction(struct decoder *decoder)
{
   struct simulate_instruction *instruction = decoder->instruction;
   const union tegra_instruction *fields = &decoder->fields;

   decoder->info[TEGRA_VECTOR] = &tegra_opcodes[TEGRA_VECTOR][fields->v_op];
   decoder->info[TEGRA_SCALAR] = &tegra_opcodes[TEGRA_SCALAR][fields->s_op];
   instruction->fault = (uint8_t)tegra_isa_fault(fields);
   if (instruction->fault == TG_TEGRA_ENDED) {
      decode_slot(decoder, TEGRA_VECTOR);
      decode_slot(decoder, TEGRA_SCALAR);
      decode_predicate(decoder);
      decode_sources(decoder);
      swap_sources(decoder);
      decode_indices(decoder);
      decode_flow(decoder);
   }
}

void
simulate_decode(struct simulate_machine *machine)
{
   struct decoder decoder = {.machine = machine};

   memset(decoder.row_of_constant, 0xff, sizeof(decoder.row_of_constant));
   for (uint32_t i = 0; i < machine->num_instructions; i++) {
      decoder.fields = tegra_isa_decode(machine->program->words[i]);
      decoder.instruction = &machine->instructions[i];
      decode_instruction(&decoder);
   }
   simulate_find_undefined_reads(machine);
   for (uint32_t i = 0; i < machine->num_instructions; i++) {
      struct simulate_instruction *instruction = &machine->instructions[i];

      instruction->is_careful = is_careful(instruction);
      instruction->is_plain =
         is_plain(machine, instruction) && i + 1 < machine->num_instructions;
      if (instruction->is_plain)
         simulate_place(machine, instruction);
   }
}
