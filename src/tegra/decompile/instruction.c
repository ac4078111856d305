/* SPDX-License-Identifier: MIT
 *
 * Sequentialization of an instruction into lines of TGSI. It reads everything
 * before it writes anything: the units take turns in an order in which neither
 * sees what the other wrote, or the vector unit's result waits. What a
 * predicate gates is computed first and then selected component by component.
 */
#include "tegra/decompile/decompile.h"

#include <assert.h>

#include "util/length.h"

/* ---- what is written ----------------------------------------------------- */

static bool
has_relative_export(const union tegra_instruction *instruction)
{
   return instruction->export_rel && !instruction->bit120;
}

static bool
can_export(const struct decompile *decompile,
           const union tegra_instruction *instruction)
{
   struct decompile_range range =
      decompile_instruction_exports(decompile, instruction);

   return range.first < range.end && range.first < TG_TEGRA_NUM_EXPORTS;
}

struct decompile_writes
decompile_instruction_writes(const struct decompile *decompile,
                             const union tegra_instruction *instruction,
                             enum tegra_unit unit)
{
   bool is_vector = unit == TEGRA_VECTOR;
   unsigned mask = is_vector ? instruction->v_mask : instruction->s_mask;
   unsigned op = is_vector ? instruction->v_op : instruction->s_op;
   struct decompile_writes writes = {
      .rd = is_vector ? instruction->v_rd : instruction->s_rd,
   };

   if (!decompile_has_value(instruction, unit) ||
       decompile_predicate_writes(decompile, instruction) == DECOMPILE_NEVER)
      return writes;
   if (tegra_opcodes[unit][op].result == TEGRA_RESULT_ADDR) {
      writes.mask = writes.address = writes.rd % 2 ? 0 : mask;
      return writes;
   }
   if (writes.rd < TG_TEGRA_NUM_TEMPORARIES)
      writes.temporary = mask;
   if (instruction->export_vec == is_vector &&
       can_export(decompile, instruction))
      writes.exported = mask;
   if (instruction->cs && instruction->cwr)
      writes.condition = mask;
   if (!is_vector) {
      struct decompile_writes first =
         decompile_instruction_writes(decompile, instruction, TEGRA_VECTOR);

      if (first.rd == writes.rd)
         writes.temporary &= ~first.temporary;
      writes.condition &= ~first.condition;
   }
   writes.mask = writes.temporary | writes.exported | writes.condition;
   return writes;
}

enum tegra_effect
decompile_instruction_stack_effect(const union tegra_instruction *instruction)
{
   unsigned vector = tegra_opcodes[TEGRA_VECTOR][instruction->v_op].effect;
   unsigned scalar = tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect;
   bool vector_moves =
      vector == TEGRA_EFFECT_PUSH || vector == TEGRA_EFFECT_POP;
   bool scalar_moves =
      scalar == TEGRA_EFFECT_PUSH || scalar == TEGRA_EFFECT_POP;

   if (vector_moves && scalar_moves && vector != scalar)
      return TEGRA_EFFECT_NONE;
   return vector_moves   ? (enum tegra_effect)vector
          : scalar_moves ? (enum tegra_effect)scalar
                         : TEGRA_EFFECT_NONE;
}

/* Reads the operation what the other unit writes? */
static bool
reads(const struct decompile *decompile,
      const union tegra_instruction *instruction, enum tegra_unit unit,
      const struct decompile_writes *other)
{
   struct decompile_writes own =
      decompile_instruction_writes(decompile, instruction, unit);

   if (decompile_operand_components(instruction, unit, TEGRA_TEMPORARY,
                                    own.mask, (int)other->rd) &
       other->temporary)
      return true;
   if (!other->address)
      return false;
   return (own.exported && has_relative_export(instruction)) ||
          (instruction->attr_rel &&
           decompile_operand_components(instruction, unit, TEGRA_ATTRIBUTE,
                                        own.mask, -1)) ||
          (instruction->const_rel &&
           decompile_operand_components(instruction, unit, TEGRA_CONSTANT,
                                        own.mask, -1));
}

/* ---- results ------------------------------------------------------------- */

enum { MAX_DESTINATIONS = 3 };

struct destination {
   struct decompile_text reg;
   unsigned mask;
   bool is_address, is_export;
};

/* What a unit writes, and how far it is. */
struct result {
   struct decompile_writes writes;
   struct destination destinations[MAX_DESTINATIONS];
   unsigned num_destinations;
   bool waits;                  /* it is in `value`, to be stored */
   struct decompile_text value; /* a source */
};

static void
add_destination(struct result *result, struct decompile_text reg, unsigned mask)
{
   result->destinations[result->num_destinations++] =
      (struct destination){.reg = reg, .mask = mask};
}

struct decompile_range
decompile_instruction_exports(const struct decompile *decompile,
                              const union tegra_instruction *instruction)
{
   int index = instruction->export_index;

   if (!has_relative_export(instruction))
      return (struct decompile_range){.first = index, .end = index + 1};
   return decompile_operand_range(decompile, instruction, (unsigned)index,
                                  TG_TEGRA_NUM_EXPORTS);
}

static struct decompile_text
export_register(struct decompile *decompile,
                const union tegra_instruction *instruction)
{
   unsigned index = instruction->export_index;
   struct decompile_range range =
      decompile_instruction_exports(decompile, instruction);

   for (int i = range.first; i < range.end; i++)
      decompile->uses_export[i] = true;
   if (!has_relative_export(instruction))
      return decompile_text_format("OUT[%u]", index);
   return decompile_text_format(
      "OUT[%s]", decompile_operand_index(decompile, instruction, index).text);
}

static struct result
find_result(struct decompile *decompile,
            const union tegra_instruction *instruction, enum tegra_unit unit)
{
   struct result result = {
      .writes = decompile_instruction_writes(decompile, instruction, unit),
   };
   const struct decompile_writes *writes = &result.writes;

   if (writes->temporary)
      add_destination(&result, decompile_text_temporary(decompile, writes->rd),
                      writes->temporary);
   if (writes->address) {
      decompile->uses_address[0] = true;
      add_destination(&result, decompile_text_format("ADDR[0]"),
                      writes->address);
      result.destinations[0].is_address = true;
   }
   if (writes->condition)
      add_destination(
         &result,
         decompile_text_role(decompile, DECOMPILE_CONDITION + instruction->cr),
         writes->condition);
   if (writes->exported) {
      add_destination(&result, export_register(decompile, instruction),
                      writes->exported);
      result.destinations[result.num_destinations - 1].is_export = true;
   }
   return result;
}

/* The value into a temporary of its own, from where it is stored later. */
static void
compute(struct decompile *decompile, const struct decompile_operands *operands,
        enum tegra_unit unit, struct result *result)
{
   result->waits = true;
   result->value = decompile_text_role(decompile, DECOMPILE_RESULT + unit);
   decompile_value(decompile, operands, unit, result->value.text,
                   result->writes.mask);
}

/* Stores a value that waits, where a gate is, by selecting between it and what
 * is there. */
static void
store(struct decompile *decompile, struct result *result, bool is_gated)
{
   for (unsigned i = 0; i < result->num_destinations && result->waits; i++) {
      const struct destination *to = &result->destinations[i];
      struct decompile_text mask = decompile_text_mask(to->mask);
      const char *value = result->value.text;

      if (is_gated)
         decompile_text_line(
            decompile, "UCMP %s%s, %s, %s, %s",
            to->is_address ? value : to->reg.text, mask.text,
            decompile_text_role(decompile, DECOMPILE_GATE).text, value,
            to->reg.text);
      if (!is_gated || to->is_address)
         decompile_text_line(decompile, "%s %s%s, %s",
                             to->is_address ? "UARL" : "MOV", to->reg.text,
                             mask.text, value);
   }
   result->waits = false;
}

/* The value straight to where it goes; from there to where else. */
static void
write_result(struct decompile *decompile,
             const struct decompile_operands *operands, enum tegra_unit unit,
             struct result *result)
{
   const struct destination *first = &result->destinations[0];

   if (!result->writes.mask)
      return;
   if (first->mask != result->writes.mask ||
       (first->is_export && result->num_destinations > 1)) {
      compute(decompile, operands, unit, result);
      store(decompile, result, false);
      return;
   }
   decompile_value(decompile, operands, unit, first->reg.text, first->mask);
   for (unsigned i = 1; i < result->num_destinations; i++) {
      const struct destination *to = &result->destinations[i];

      decompile_text_line(decompile, "MOV %s%s, %s", to->reg.text,
                          decompile_text_mask(to->mask).text, first->reg.text);
   }
}

static void
write_gated(struct decompile *decompile,
            const struct decompile_operands *operands,
            struct result results[TEGRA_NUM_UNITS], bool pops)
{
   unsigned masks[TEGRA_NUM_UNITS] = {results[TEGRA_VECTOR].writes.mask,
                                      results[TEGRA_SCALAR].writes.mask};

   if (!masks[TEGRA_VECTOR] && !masks[TEGRA_SCALAR])
      return;
   decompile_write_predicate_gate(decompile, operands->instruction,
                                  masks[TEGRA_VECTOR] | masks[TEGRA_SCALAR]);
   for (unsigned u = 0; u < TEGRA_NUM_UNITS; u++) {
      bool is_alone = !masks[1 - u] && results[u].num_destinations == 1;

      if (!masks[u])
         continue;
      results[u].waits = true;
      if (!is_alone || pops ||
          !decompile_value_is_copy(decompile, operands, u, masks[u],
                                   &results[u].value))
         compute(decompile, operands, u, &results[u]);
   }
}

/* ---- the stack ----------------------------------------------------------- */

static void
push(struct decompile *decompile, const union tegra_instruction *instruction,
     const char *stacked)
{
   if (instruction->bit120) {
      decompile_text_line(decompile, "MOV %s, %s", stacked,
                          decompile_text_integer(decompile, 0).text);
      return;
   }
   decompile->uses_address[0] = true;
   decompile_text_line(decompile, "MOV %s, ADDR[0]", stacked);
}

static void
pop(struct decompile *decompile, const char *stacked)
{
   decompile->uses_address[0] = true;
   decompile_text_line(decompile, "UARL ADDR[0], %s", stacked);
}

/* ---- the whole ----------------------------------------------------------- */

bool
decompile_instruction_may_abort(const struct decompile *decompile,
                                const union tegra_instruction *instruction)
{
   unsigned field = instruction->export_index;
   struct decompile_range range =
      decompile_operand_range(decompile, instruction, field, TEGRA_NO_EXPORT);

   return has_relative_export(instruction) &&
          range.end > TG_TEGRA_NUM_EXPORTS && range.first < range.end;
}

void
decompile_instruction_write_abort(struct decompile *decompile,
                                  const union tegra_instruction *instruction)
{
   struct decompile_text work = decompile_text_role(decompile, DECOMPILE_WORK);
   char c = "xyzw"[instruction->a_sel];
   int first = (int)instruction->export_index - TG_TEGRA_NUM_EXPORTS;

   decompile->uses_address[0] = true;
   decompile_text_line(decompile, "UADD %s.x, ADDR[0].%c%c%c%c, %s", work.text,
                       c, c, c, c,
                       decompile_text_integer(decompile, first).text);
   decompile_text_line(
      decompile, "USLT %s.x, %s.xxxx, %s", work.text, work.text,
      decompile_text_integer(decompile, TEGRA_NO_EXPORT - TG_TEGRA_NUM_EXPORTS)
         .text);
   decompile_text_open(decompile, "UIF %s.xxxx", work.text);
   decompile_text_line(decompile, "RET");
   decompile_text_close(decompile, "ENDIF");
}

/* Both units in an order that keeps what they read. A0 may change when both
 * have read it. */
static void
write_units(struct decompile *decompile,
            const struct decompile_operands *operands,
            struct result results[TEGRA_NUM_UNITS], bool pops)
{
   const union tegra_instruction *instruction = operands->instruction;
   struct result *vector = &results[TEGRA_VECTOR];
   struct result *scalar = &results[TEGRA_SCALAR];
   bool scalar_reads =
      reads(decompile, instruction, TEGRA_SCALAR, &vector->writes);
   bool vector_reads =
      reads(decompile, instruction, TEGRA_VECTOR, &scalar->writes);

   if ((scalar_reads && vector_reads) || (pops && vector->writes.address)) {
      compute(decompile, operands, TEGRA_VECTOR, vector);
      write_result(decompile, operands, TEGRA_SCALAR, scalar);
   } else if (scalar_reads) {
      write_result(decompile, operands, TEGRA_SCALAR, scalar);
      write_result(decompile, operands, TEGRA_VECTOR, vector);
   } else {
      write_result(decompile, operands, TEGRA_VECTOR, vector);
      write_result(decompile, operands, TEGRA_SCALAR, scalar);
   }
}

bool
decompile_instruction_sets_condition(const struct decompile *decompile,
                                     const union tegra_instruction *instruction)
{
   return decompile_instruction_writes(decompile, instruction, TEGRA_VECTOR)
             .condition ||
          decompile_instruction_writes(decompile, instruction, TEGRA_SCALAR)
             .condition;
}

void
decompile_instruction(struct decompile *decompile, uint32_t number,
                      const char *stacked)
{
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   enum tegra_effect effect = decompile_instruction_stack_effect(instruction);
   bool is_gated =
      decompile_predicate_writes(decompile, instruction) == DECOMPILE_SOMETIMES;
   struct result results[TEGRA_NUM_UNITS];
   struct decompile_operands operands;

   for (unsigned u = 0; u < TEGRA_NUM_UNITS; u++)
      results[u] = find_result(decompile, instruction, u);
   struct result *vector = &results[TEGRA_VECTOR];
   struct result *scalar = &results[TEGRA_SCALAR];

   decompile_find_operands(decompile, instruction, vector->writes.mask,
                           scalar->writes.mask, &operands);
   if (effect == TEGRA_EFFECT_PUSH)
      push(decompile, instruction, stacked);
   if (is_gated)
      write_gated(decompile, &operands, results, effect == TEGRA_EFFECT_POP);
   else
      write_units(decompile, &operands, results, effect == TEGRA_EFFECT_POP);
   store(decompile, scalar, is_gated);
   if (!vector->writes.address)
      store(decompile, vector, is_gated);
   if (effect == TEGRA_EFFECT_POP)
      pop(decompile, stacked);
   store(decompile, vector, is_gated);
}
