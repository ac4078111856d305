/* SPDX-License-Identifier: MIT
 *
 * Parsing of instructions: their slots, and the encoding of all that was read.
 */
#include <stdio.h>

#include "tegra/text/assemble.h"

/* ---- operations ---------------------------------------------------------- */

/* An operation as the text names it, which an instruction holds as `opcode`. */
struct operation {
   enum tegra_unit unit;
   unsigned opcode;
   const struct assemble_pseudo *pseudo; /* or NULL */
   bool is_numbered;                     /* by OPv28, with any operands */
   struct tg_word word;
};

/* Takes the number out of `OPv28`, an opcode by its number. False when the word
 * is something else. */
static bool
read_numbered(struct tg_word word, uint32_t *number_out)
{
   struct tg_word name = {word.text, 3, word.position};
   struct tg_word digits = {word.text + 3, word.length - 3, word.position};

   return word.length > 3 &&
          (tg_lexer_word_is(name, "OPv") || tg_lexer_word_is(name, "OPs")) &&
          assemble_read_number(digits, number_out);
}

static bool
unknown_operation(struct assembler *as, struct tg_word word)
{
   char note[80] = "names of vector operations end in v, of scalar ones in s";
   uint32_t number;

   if (!word.length)
      return assemble_expected(as, "an operation");
   if (assemble_find_pseudo_expansion(word))
      return assemble_error(
         as, word.position, "expansion", "give it an EXEC of its own",
         "%.*s is several instructions", tg_lexer_word_shown(word), word.text);
   if (read_numbered(word, &number))
      return assemble_error(as, word.position, "out-of-range",
                            "it is at most 31", "opcode %u is out of range",
                            number);

   const char *meant = assemble_suggest_operation(word);
   if (meant)
      snprintf(note, sizeof(note), "did you mean %s?", meant);
   return assemble_error(as, word.position, "unknown-operation", note,
                         "unknown operation '%.*s'", tg_lexer_word_shown(word),
                         word.text);
}

/* The unit of an operation with this name, or none. */
static bool
find_unit(struct tg_word word, struct operation *operation)
{
   size_t last = word.length - 1;

   operation->word = word;
   for (int unit = 0; unit < TEGRA_NUM_UNITS && word.length > 1; unit++) {
      operation->unit = (enum tegra_unit)unit;
      if ((word.text[last] | 0x20) == tegra_unit_letter[unit])
         return true;
   }
   return false;
}

static bool
find_numbered(struct tg_word word, struct operation *operation)
{
   struct tg_word name = {word.text, 3, word.position};
   uint32_t number;

   if (!read_numbered(word, &number) || number >= TEGRA_NUM_OPCODES)
      return false;
   find_unit(name, operation);
   operation->word = word;
   operation->opcode = number;
   operation->is_numbered = true;
   return true;
}

static bool
find_operation(struct tg_word word, struct operation *operation)
{
   *operation = (struct operation){0};
   if (find_numbered(word, operation))
      return true;
   if (!find_unit(word, operation))
      return false;
   operation->pseudo = assemble_find_pseudo(word);
   if (operation->pseudo) {
      operation->opcode = operation->pseudo->opcode;
      return true;
   }
   int opcode =
      tegra_isa_find_opcode(operation->unit, word.text, word.length - 1);
   operation->opcode = (unsigned)opcode;
   return opcode >= 0;
}

/* ---- their operands ------------------------------------------------------ */

/* Takes `,` and a source. */
static bool
parse_source(struct assembler *as, struct assemble_source *source)
{
   return assemble_char(as, ',', "',' and a source") &&
          assemble_source(as, source);
}

static bool
parse_sources(struct assembler *as, struct assemble_line *line,
              const struct operation *operation)
{
   static const uint8_t plain[TEGRA_NUM_SOURCES] = {1, 2, 3};
   const struct assemble_pseudo *pseudo = operation->pseudo;
   const uint8_t *how = pseudo ? pseudo->sources : plain;
   struct assemble_source text[TEGRA_NUM_SOURCES];
   enum tegra_source places[TEGRA_NUM_SOURCES];
   const struct tegra_opcode_info *info =
      &tegra_opcodes[operation->unit][operation->opcode];
   unsigned count = tegra_isa_sources(info, places);
   unsigned num_read = 0;

   for (unsigned i = 0; i < count; i++) {
      unsigned from = (how[i] & ASSEMBLE_ORIGIN) - 1u;

      if (from == num_read && !parse_source(as, &text[num_read++]))
         return false;
      struct assemble_source source =
         assemble_derive(&text[from], how[i], TEGRA_MASK_XYZW);
      source.lanes = tegra_isa_components_read(info, TEGRA_MASK_XYZW);
      if (!assemble_set_source(as, line, places[i], &source))
         return false;
   }
   return true;
}

/* What stands after an opcode without a name: all may be there, in the order
 * of the registers. */
static bool
parse_any_operands(struct assembler *as, struct assemble_line *line,
                   const struct operation *operation)
{
   static const enum tegra_source places[TEGRA_NUM_UNITS][TEGRA_NUM_SOURCES] = {
      [TEGRA_VECTOR] = {TEGRA_RA, TEGRA_RB, TEGRA_RC},
      [TEGRA_SCALAR] = {TEGRA_RC},
   };
   unsigned most = operation->unit == TEGRA_VECTOR ? TEGRA_NUM_SOURCES : 1;

   if (!assemble_at_destination(as))
      return true;
   if (!assemble_destination(as, line, operation->unit, "this", false))
      return false;
   for (unsigned i = 0; i < most && tg_lexer_peek(&as->lexer) == ','; i++) {
      struct assemble_source source;

      if (!parse_source(as, &source) ||
          !assemble_set_source(as, line, places[operation->unit][i], &source))
         return false;
   }
   return true;
}

static bool
parse_operands(struct assembler *as, struct assemble_line *line,
               const struct operation *operation)
{
   const struct tegra_opcode_info *info =
      &tegra_opcodes[operation->unit][operation->opcode];
   const bool is_address_op = info->result == TEGRA_RESULT_ADDR;
   char name[16];

   if (operation->is_numbered)
      return parse_any_operands(as, line, operation);
   if (info->operands == TEGRA_OPERANDS_TARGET)
      return assemble_target(as, line);
   if (info->result == TEGRA_RESULT_NONE)
      return true;
   snprintf(name, sizeof(name), "%.*s", tg_lexer_word_shown(operation->word),
            operation->word.text);
   if (!assemble_destination(as, line, operation->unit, name, is_address_op))
      return false;
   if (tegra_source_may_be_implied(operation->unit, operation->opcode) &&
       tg_lexer_peek(&as->lexer) != ',')
      return assemble_doubt(as, operation->word.position, "no-source",
                            "write its source after the destination",
                            "%s reads nothing that is defined", name);
   return parse_sources(as, line, operation);
}

/* The conditions that a branch of its own name accepts. */
static bool
encode_conditions(struct assembler *as, struct assemble_line *line,
                  const struct operation *operation)
{
   const tegra_field_set fields =
      TEGRA_FIELD_BIT(p_lt) | TEGRA_FIELD_BIT(p_eq) | TEGRA_FIELD_BIT(p_gt);
   unsigned conditions = operation->pseudo ? operation->pseudo->conditions : 0;

   if (!conditions)
      return true;
   if (line->explicit & fields)
      return assemble_error(as, operation->word.position, "conditions",
                            "BRAs, CALs and RETs take them from the options",
                            "%.*s says itself which conditions it accepts",
                            tg_lexer_word_shown(operation->word),
                            operation->word.text);
   line->instruction.p_lt = (conditions & ASSEMBLE_LESS) != 0;
   line->instruction.p_eq = (conditions & ASSEMBLE_EQUAL) != 0;
   line->instruction.p_gt = (conditions & ASSEMBLE_GREATER) != 0;
   line->explicit |= fields;
   return true;
}

/* A RETs of grate's has the destination of the operation before it, which is 0
 * where there is none, also if a vector operation comes after it. */
static bool
encode_return(struct assembler *as, struct assemble_line *line,
              const struct operation *operation)
{
   const struct tegra_opcode_info *info =
      &tegra_opcodes[operation->unit][operation->opcode];

   return info->effect != TEGRA_EFFECT_RETURN ||
          as->style != TEGRA_STYLE_GRATE ||
          (line->explicit & TEGRA_FIELD_BIT(v_op)) ||
          assemble_set_field(as, line, TEGRA_FIELD_s_rd, 0,
                             operation->word.position);
}

static bool
parse_operation(struct assembler *as, struct assemble_line *line)
{
   static const char *const units[] = {"vector", "scalar"};
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   struct operation operation;

   if (!find_operation(word, &operation))
      return unknown_operation(as, word);
   if (line->explicit & tegra_field_bit(tegra_unit_fields[operation.unit].op))
      return assemble_error(as, word.position, "two-operations",
                            "end the instruction with ';' and begin another",
                            "a second %s operation in an instruction",
                            units[operation.unit]);
   tg_lexer_word(&as->lexer);
   return assemble_set_field(as, line, tegra_unit_fields[operation.unit].op,
                             operation.opcode, word.position) &&
          encode_conditions(as, line, &operation) &&
          encode_return(as, line, &operation) &&
          parse_operands(as, line, &operation);
}

/* ---- instructions -------------------------------------------------------- */

/* Appends an instruction if there is room. */
static bool
add_instruction(struct assembler *as, const struct assemble_line *line)
{
   if (as->program->num_instructions == TG_TEGRA_MAX_INSTRUCTIONS) {
      as->failure = TG_ERROR_INPUT;
      return assemble_error(as, line->position, "too-many", NULL,
                            "a program has at most %d instructions",
                            TG_TEGRA_MAX_INSTRUCTIONS);
   }
   if (line->label.length && !assemble_branch(as, line))
      return false;
   as->has_end |= line->instruction.end != 0;
   tegra_program_add(as->program, &line->instruction, line->position);
   return true;
}

bool
assemble_add_instruction(struct assembler *as, struct assemble_line *line)
{
   tegra_imply(as->style, line->explicit, &line->instruction);
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (line->raw_explicit & tegra_field_bit(i))
         line->instruction.field[i] = line->raw.field[i];
   }
   return add_instruction(as, line);
}

/* Does a word come next that does not begin another instruction? */
static bool
is_at_operation(struct assembler *as)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);

   return word.length && !tg_lexer_word_is(word, "EXEC") &&
          !tg_lexer_word_is(word, "EXEC_END") &&
          tg_lexer_after(&as->lexer, word) != ':';
}

bool
assemble_instruction(struct assembler *as, bool is_end,
                     struct tg_position position)
{
   struct assemble_line line = {
      .position = position,
      .instruction.end = is_end,
      .explicit = TEGRA_FIELD_BIT(end),
   };

   if (!assemble_options(as, &line))
      return false;
   const struct assemble_expansion *expansion =
      assemble_find_pseudo_expansion(tg_lexer_peek_word(&as->lexer));
   if (expansion)
      return assemble_expand(as, &line, expansion);
   if (!parse_operation(as, &line))
      return false;
   if (is_at_operation(as) && !parse_operation(as, &line))
      return false;
   if (!assemble_char(as, ';', "';' after the instruction"))
      return false;

   return assemble_add_instruction(as, &line);
}

bool
assemble_instruction_words(struct assembler *as, struct tg_position position)
{
   struct assemble_line line = {.position = position};
   uint32_t words[TG_TEGRA_WORDS] = {0};

   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++) {
      if (!assemble_word(as, &words[i]))
         return false;
   }
   if (!assemble_char(as, ';', "';' after four words"))
      return false;
   line.instruction = tegra_isa_decode(words);
   return add_instruction(as, &line);
}
