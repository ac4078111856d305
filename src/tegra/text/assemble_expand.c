/* SPDX-License-Identifier: MIT
 *
 * Macro expansion: operations that become several instructions. They are alone
 * in theirs, and the destination holds what is between the steps: so it must be
 * a register, must not be read by later steps as what it was, and cannot be
 * written under a condition.
 */
#include "tegra/text/assemble.h"

#include <assert.h>

#include "util/length.h"

/* What the text gives, by origin: 1 to 3 are sources, 4 the destination. */
enum { DESTINATION = 4, NUM_ORIGINS };

struct expanded {
   const struct assemble_expansion *expansion;
   struct tg_word name;
   unsigned rd, mask;
   struct assemble_source from[NUM_ORIGINS];
};

/* Takes the destination. */
static bool
parse_destination(struct assembler *as, struct expanded *expanded)
{
   struct assemble_line line = {0};
   struct tg_word word = tg_lexer_peek_word(&as->lexer);

   if (!assemble_destination(as, &line, TEGRA_VECTOR, expanded->expansion->name,
                             false))
      return false;
   expanded->rd = line.instruction.v_rd;
   expanded->mask = line.instruction.v_mask;
   if (expanded->rd == TEGRA_NO_REGISTER)
      return assemble_error(as, word.position, "destination",
                            "write r0 to r31, and export what is in there",
                            "%s needs a register to write",
                            expanded->expansion->name);
   expanded->from[DESTINATION] = (struct assemble_source){
      .operand = {.file = TEGRA_TEMPORARY,
                  .index = (uint16_t)expanded->rd,
                  .swizzle = TEGRA_IDENTITY},
      .position = word.position,
   };
   return true;
}

static bool
parse_operands(struct assembler *as, struct expanded *expanded)
{
   if (!parse_destination(as, expanded))
      return false;
   for (unsigned i = 1; i <= expanded->expansion->num_sources; i++) {
      if (!assemble_char(as, ',', "',' and a source") ||
          !assemble_source(as, &expanded->from[i]))
         return false;
   }
   return true;
}

/* Is it still what the text means when a step after the first reads it? */
static bool
check_source(struct assembler *as, const struct expanded *expanded,
             unsigned origin)
{
   const struct assemble_source *source = &expanded->from[origin];

   if (origin == DESTINATION || source->operand.file != TEGRA_TEMPORARY ||
       source->operand.index != expanded->rd)
      return true;
   return assemble_error(as, source->position, "overwritten",
                         "let it write another register",
                         "%s would read r%u after it has written it",
                         expanded->expansion->name, expanded->rd);
}

/* Fills in one of the instructions. */
static bool
encode_step(struct assembler *as, struct assemble_line *line,
            const struct expanded *expanded, unsigned index)
{
   assert(index < TG_LENGTH(expanded->expansion->steps));
   const struct assemble_step *step = &expanded->expansion->steps[index];
   const struct tg_position at = expanded->name.position;
   enum tegra_source places[TEGRA_NUM_SOURCES];
   unsigned count =
      tegra_isa_sources(&tegra_opcodes[step->unit][step->opcode], places);

   if (!assemble_set_field(as, line, tegra_unit_fields[step->unit].op,
                           step->opcode, at) ||
       !assemble_set_field(as, line, tegra_unit_fields[step->unit].rd,
                           expanded->rd, at) ||
       !assemble_set_field(as, line, tegra_unit_fields[step->unit].mask,
                           expanded->mask, at))
      return false;
   for (unsigned i = 0; i < count; i++) {
      unsigned origin = step->sources[i] & ASSEMBLE_ORIGIN;
      struct assemble_source source = assemble_derive(
         &expanded->from[origin], step->sources[i], expanded->mask);

      if ((index && !check_source(as, expanded, origin)) ||
          !assemble_set_source(as, line, places[i], &source))
         return false;
   }
   return true;
}

/* Options that would have to hold for all steps are refused. */
static bool
check_options(struct assembler *as, const struct assemble_line *options,
              struct tg_word name)
{
   if (options->explicit & TEGRA_FIELD_BIT(cc))
      return assemble_error(as, name.position, "expansion", "branch around it",
                            "%.*s is several instructions, and none of them "
                            "can be conditional",
                            tg_lexer_word_shown(name), name.text);
   if (options->raw_explicit)
      return assemble_error(as, name.position, "expansion",
                            "write the instructions themselves",
                            "%.*s is several instructions, and fields of one "
                            "cannot be set",
                            tg_lexer_word_shown(name), name.text);
   return true;
}

bool
assemble_expand(struct assembler *as, const struct assemble_line *options,
                const struct assemble_expansion *expansion)
{
   struct expanded expanded = {
      .expansion = expansion,
      .name = tg_lexer_word(&as->lexer),
   };
   struct assemble_line lines[ASSEMBLE_MAX_STEPS];
   unsigned count = 0;

   if (!check_options(as, options, expanded.name) ||
       !parse_operands(as, &expanded) ||
       !assemble_char(as, ';', "';', as it stands alone"))
      return false;
   while (count < ASSEMBLE_MAX_STEPS &&
          expansion->steps[count].opcode != TEGRA_VECTOR_NOP)
      count++;
   for (unsigned i = 0; i < count; i++) {
      lines[i] = (struct assemble_line){
         .position = options->position,
         .instruction.bit120 = options->instruction.bit120,
         .explicit = TEGRA_FIELD_BIT(end) | TEGRA_FIELD_BIT(bit120),
      };
      if (i + 1 == count)
         lines[i] = *options; /* options on the result */
      if (!encode_step(as, &lines[i], &expanded, i))
         return false;
   }
   for (unsigned i = 0; i < count; i++) {
      if (!assemble_add_instruction(as, &lines[i]))
         return false;
   }
   return true;
}
