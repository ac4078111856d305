/* SPDX-License-Identifier: MIT
 *
 * Parsing of operands, in the order that the row of the form says.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/text/assemble.h"
#include "util/ascii.h"
#include "util/length.h"
#include "util/number.h"

/* ---- registers ----------------------------------------------------------- */

/* Is the word R and digits, or RZ? */
static bool
looks_like_register(struct tg_word word)
{
   return word.length >= 2 && tg_ascii_lower(word.text[0]) == 'r' &&
          (tg_lexer_word_is(word, "RZ") ||
           (word.text[1] >= '0' && word.text[1] <= '9'));
}

static bool
looks_like_predicate(struct tg_word word)
{
   return word.length == 2 && tg_ascii_lower(word.text[0]) == 'p';
}

static bool
read_register(struct maxwell_assembler *assembler, uint16_t *out)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);
   uint64_t number = MAXWELL_RZ;

   if (!looks_like_register(word))
      return maxwell_assemble_expected(assembler, "a register",
                                       "registers are R0 to R254 and RZ");
   tg_lexer_word(&assembler->lexer);
   if (!tg_lexer_word_is(word, "RZ") &&
       (tg_number_read(word.text + 1, word.length - 1, &number) !=
           TG_NUMBER_GOOD ||
        number >= MAXWELL_RZ))
      return maxwell_assemble_error(assembler, word.position, "register",
                                    "registers are R0 to R254 and RZ",
                                    "there is no register %.*s",
                                    tg_lexer_word_shown(word), word.text);
   *out = (uint16_t)number;
   return true;
}

/* ---- words --------------------------------------------------------------- */

static const char *
dim_name(size_t index)
{
   assert(index < TG_LENGTH(maxwell_dims));
   return maxwell_dims[index].name;
}

static bool
read_target(struct maxwell_assembler *assembler,
            struct maxwell_statement *statement)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);

   for (unsigned i = 0; i < MAXWELL_NUM_DIMS; i++) {
      if (tg_lexer_word_is(word, maxwell_dims[i].name)) {
         tg_lexer_word(&assembler->lexer);
         statement->properties.dim = (uint8_t)i;
         return true;
      }
   }

   const char *meant =
      tg_did_you_mean(word.text, word.length, MAXWELL_NUM_DIMS, dim_name);
   if (!word.length || !meant)
      return maxwell_assemble_expected(
         assembler, "a target",
         "targets are 1D, 2D, 3D, CUBE and ARRAY_ of "
         "these");
   return maxwell_assemble_error(
      assembler, word.position, "target", NULL,
      "there is no target '%.*s'; did you mean '%s'?",
      tg_lexer_word_shown(word), word.text, meant);
}

/* The mask of a scalar form by name; left out it is RGBA. */
static bool
read_mask_name(struct maxwell_assembler *assembler,
               struct maxwell_statement *statement)
{
   struct maxwell_instruction *instruction = &statement->instruction;
   bool has_rd1 = instruction->rd1 != MAXWELL_RZ;
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);

   for (unsigned i = 0; i < MAXWELL_NUM_MASKS; i++) {
      const struct maxwell_mask *mask = &maxwell_masks[i];

      if (!tg_lexer_word_is(word, mask->name))
         continue;
      tg_lexer_word(&assembler->lexer);
      instruction->wmask = mask->code;
      if (mask->has_rd1 == has_rd1)
         return true;
      return maxwell_assemble_error(
         assembler, word.position, "mask",
         has_rd1 ? "beside an Rd1 it is RGB, RGA, RBA, GBA or RGBA"
                 : "with RZ for Rd1 it is R, G, B, A, RG, RA, GA or BA",
         "the mask %s %s", mask->name,
         mask->has_rd1 ? "needs a register for Rd1" : "needs RZ for Rd1");
   }
   return maxwell_assemble_expected(
      assembler, "a mask",
      "masks are R, G, B, A, RG, RA, GA, BA, RGB, RGA, "
      "RBA, GBA and RGBA");
}

static bool
expected_query(struct maxwell_assembler *assembler)
{
   char note[256] = "queries are numbers, or";

   for (unsigned i = 0; i < MAXWELL_NUM_QUERIES; i++) {
      size_t length = strlen(note);

      snprintf(note + length, sizeof(note) - length, "%s %s", i ? "," : "",
               maxwell_queries[i].name);
   }
   return maxwell_assemble_expected(assembler, "a query", note);
}

static bool
read_query(struct maxwell_assembler *assembler, uint16_t *out)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);
   unsigned width = maxwell_fields[MAXWELL_FORM_TXQ][MAXWELL_FIELD_query].width;
   uint64_t number;

   for (unsigned i = 0; i < MAXWELL_NUM_QUERIES; i++) {
      if (tg_lexer_word_is(word, maxwell_queries[i].name)) {
         tg_lexer_word(&assembler->lexer);
         *out = maxwell_queries[i].number;
         return true;
      }
   }
   if (!word.length || word.text[0] < '0' || word.text[0] > '9')
      return expected_query(assembler);
   if (!maxwell_assemble_number(assembler, "query", (1u << width) - 1, &number))
      return false;
   *out = (uint16_t)number;
   return true;
}

/* ---- operands ------------------------------------------------------------ */

static bool
read_number_operand(struct maxwell_assembler *assembler, const char *what,
                    uint64_t most, uint16_t *out)
{
   uint64_t number;

   if (!maxwell_assemble_number(assembler, what, most, &number))
      return false;
   *out = (uint16_t)number;
   return true;
}

/* The handle's index. Forms that have it in a register have 0 here. */
static bool
read_index(struct maxwell_assembler *assembler,
           struct maxwell_statement *statement)
{
   bool has_index =
      maxwell_form_has(statement->instruction.form, MAXWELL_FIELD_index);

   return read_number_operand(assembler, "index",
                              has_index ? MAXWELL_MAX_INDEX : 0,
                              &statement->instruction.index);
}

/* Reads the operand that a letter of isa/forms.def stands for. */
static bool
read_operand(struct maxwell_assembler *assembler,
             struct maxwell_statement *statement, char letter)
{
   struct maxwell_instruction *instruction = &statement->instruction;

   switch (letter) {
   case 'p': return maxwell_assemble_predicate(assembler, &instruction->dpred);
   case '1': return read_register(assembler, &instruction->rd1);
   case '0': return read_register(assembler, &instruction->rd0);
   case 'a': return read_register(assembler, &instruction->ra);
   case 'b': return read_register(assembler, &instruction->rb);
   case 'i': return read_index(assembler, statement);
   case 'd': return read_target(assembler, statement);
   case 'm': return read_mask_name(assembler, statement);
   case 'x':
      return read_number_operand(assembler, "mask", MAXWELL_MASK_RGBA,
                                 &instruction->mask);
   default: return read_query(assembler, &instruction->query);
   }
}

/* May the operand be missing here, and is it? What it stands for then is set.
 */
static bool
is_left_out(struct maxwell_assembler *assembler,
            struct maxwell_statement *statement, char letter)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);

   if (letter == 'p' && !looks_like_predicate(word)) {
      statement->instruction.dpred = MAXWELL_PT;
      return true;
   }
   if (letter == 'b' && !looks_like_register(word)) {
      statement->instruction.rb = MAXWELL_RZ;
      return true;
   }
   return false;
}

/* A mask by name may be left out, with the comma before it, if there is an
 * Rd1: then it is RGBA. */
static bool
ends_without_mask(struct maxwell_assembler *assembler,
                  struct maxwell_statement *statement, char letter)
{
   struct maxwell_instruction *instruction = &statement->instruction;

   if (letter != 'm' || instruction->rd1 == MAXWELL_RZ ||
       tg_lexer_peek(&assembler->lexer) == ',')
      return false;
   instruction->wmask = maxwell_isa_mask_for(MAXWELL_MASK_RGBA)->code;
   return true;
}

bool
maxwell_read_operands(struct maxwell_assembler *assembler,
                      struct maxwell_statement *statement)
{
   const char *letters = maxwell_forms[statement->instruction.form].operands;
   bool needs_comma = false;

   for (; *letters; letters++) {
      if (ends_without_mask(assembler, statement, *letters))
         return true;
      if (needs_comma && !tg_lexer_accept(&assembler->lexer, ','))
         return maxwell_assemble_expected(assembler, "','", NULL);
      needs_comma = !is_left_out(assembler, statement, *letters);
      if (needs_comma && !read_operand(assembler, statement, *letters))
         return false;
   }
   return true;
}
