/* SPDX-License-Identifier: MIT
 *
 * Parsing of instructions. How many operands there are and what follows them is
 * in the opcode's row; no opcode has a case of its own here.
 */
#include <stdio.h>

#include "tgsi/text/parse.h"
#include "util/ascii.h"

/* ---- the mnemonic -------------------------------------------------------- */

/* Cuts the suffix from the word's end if it is there. */
static bool
cut_suffix(struct tg_word *word, const char *suffix, size_t length)
{
   if (word->length <= length ||
       tg_ascii_compare(word->text + word->length - length, suffix, length))
      return false;
   word->length -= length;
   return true;
}

#define CUT_SUFFIX(word, suffix) cut_suffix(word, suffix, sizeof(suffix) - 1)

/* A mnemonic has suffixes: _SAT or _SATNV and then _PRECISE. */
bool
tg_parse_find_mnemonic(struct tg_word *word, struct tg_instruction *head)
{
   int opcode = tg_opcode_find(word->text, word->length);

   if (opcode < 0) {
      head->precise = CUT_SUFFIX(word, "_PRECISE");
      if (CUT_SUFFIX(word, "_SAT"))
         head->saturate = TG_SATURATE_ZERO_ONE;
      else if (CUT_SUFFIX(word, "_SATNV"))
         head->saturate = TG_SATURATE_MINUS_ONE_ONE;
      if (head->precise || head->saturate)
         opcode = tg_opcode_find(word->text, word->length);
   }
   if (opcode < 0)
      return false;
   head->opcode = (uint16_t)opcode;
   return true;
}

static bool
parse_mnemonic(struct tg_parser *parser, struct tg_instruction *head)
{
   struct tg_word word = tg_lexer_word(&parser->lexer);

   if (!word.length)
      return tg_parse_expected(parser, "an opcode");
   if (!tg_parse_find_mnemonic(&word, head))
      return tg_parse_unknown(parser, &tg_vocabulary_opcodes, word);
   head->position = word.position;
   return true;
}

/* ---- operands ------------------------------------------------------------ */

/* The comma before every operand but the first. */
static bool
parse_comma(struct tg_parser *parser, const struct tg_instruction *head,
            const char *operand)
{
   char what[96];

   if (head->num_dst + head->num_src == 0 ||
       tg_lexer_accept(&parser->lexer, ','))
      return true;
   snprintf(what, sizeof(what), "',' and the %s of %s", operand,
            tg_opcode_row(head->opcode)->name);
   return tg_parse_expected(parser, what);
}

/* Does a source follow that the opcode may have and need not? */
static bool
has_more_sources(struct tg_parser *parser, const struct tg_instruction *head)
{
   if (head->num_dst + head->num_src == 0)
      return tg_parse_at_src(parser);
   return tg_lexer_peek(&parser->lexer) == ',';
}

static bool
parse_operands(struct tg_parser *parser, struct tg_instruction_draft *draft,
               const struct tg_opcode_info *info)
{
   static const char *const ordinals[TG_MAX_SRC] = {
      "first source",  "second source", "third source",
      "fourth source", "fifth source",
   };
   struct tg_instruction *head = &draft->head;

   for (; head->num_dst < info->num_dst; head->num_dst++) {
      if (!parse_comma(parser, head, "destination") ||
          !tg_parse_dst(parser, &draft->dst[head->num_dst]))
         return false;
   }
   for (; head->num_src < info->num_src; head->num_src++) {
      if (head->num_src >= info->min_src && !has_more_sources(parser, head))
         break;
      if (!parse_comma(parser, head, ordinals[head->num_src]) ||
          !tg_parse_src(parser, &draft->src[head->num_src]))
         return false;
   }
   return true;
}

static bool
parse_target(struct tg_parser *parser, struct tg_instruction *head,
             const struct tg_opcode_info *info)
{
   unsigned target = TG_TARGET_UNKNOWN;

   if (!(info->flags & (TG_OPCODE_FLAG_TARGET | TG_OPCODE_FLAG_TEXTOKEN)))
      return true;
   if ((info->flags & TG_OPCODE_FLAG_TARGET) &&
       (!parse_comma(parser, head, "texture target") ||
        !tg_parse_word(parser, &tg_vocabulary_targets, &target)))
      return false;
   head->has_texture = true;
   head->target = (uint8_t)target;
   head->tex_return_type = TG_RETURN_TYPE_UNKNOWN;
   return true;
}

/* ---- what may follow the operands ---------------------------------------- */

static bool
parse_offset(struct tg_parser *parser, struct tg_instruction_draft *draft,
             struct tg_word word)
{
   struct tg_instruction *head = &draft->head;

   if (head->num_tex_offsets == TG_MAX_TEX_OFFSETS)
      return tg_parse_error(parser, word.position, "too-many-offsets", NULL,
                            "%s has at most %d texture offsets",
                            tg_opcode_row(head->opcode)->name,
                            TG_MAX_TEX_OFFSETS);
   return tg_parse_tex_offset(parser,
                              &draft->tex_offset[head->num_tex_offsets++]);
}

/* A qualifier, target or format; of the last two the last one counts. */
static bool
parse_memory_argument(struct tg_parser *parser, struct tg_instruction *head,
                      struct tg_word word)
{
   static const struct tg_vocabulary *const vocabularies[] = {
      &tg_vocabulary_qualifiers,
      &tg_vocabulary_targets,
      &tg_vocabulary_formats,
   };
   enum { QUALIFIER, TARGET, FORMAT, NUM_KINDS };
   int number = -1;
   unsigned kind = 0;

   tg_lexer_word(&parser->lexer);
   for (; kind < NUM_KINDS; kind++) {
      number = vocabularies[kind]->find(word.text, word.length);
      if (number >= 0)
         break;
   }
   head->has_memory = true;
   switch (kind) {
   case QUALIFIER: head->qualifiers |= (uint8_t)(1 << number); return true;
   case TARGET: head->memory_target = (uint8_t)number; return true;
   case FORMAT: head->memory_format = (uint16_t)number; return true;
   }
   for (kind = 0; kind < NUM_KINDS; kind++) {
      if (tg_parse_suggest(parser, vocabularies[kind], word))
         return tg_parse_unknown(parser, vocabularies[kind], word);
   }
   return tg_parse_error(parser, word.position, "unknown-memory-argument", NULL,
                         "'%.*s' is no memory qualifier, texture target or "
                         "format",
                         tg_lexer_word_shown(word), word.text);
}

/* Texture offsets and memory arguments, each after a comma. A bracket shows
 * the register BUFFER[0] from the target BUFFER. */
static bool
parse_arguments(struct tg_parser *parser, struct tg_instruction_draft *draft,
                const struct tg_opcode_info *info)
{
   struct tg_lexer *lexer = &parser->lexer;
   bool has_offsets =
      info->flags & (TG_OPCODE_FLAG_TARGET | TG_OPCODE_FLAG_TEXTOKEN);
   bool has_arguments =
      info->flags & (TG_OPCODE_FLAG_MEMTOKEN | TG_OPCODE_FLAG_MEMARGS);

   draft->head.has_memory = info->flags & TG_OPCODE_FLAG_MEMTOKEN;
   while (tg_lexer_accept(lexer, ',')) {
      struct tg_word word = tg_lexer_peek_word(lexer);

      if (!word.length)
         return tg_parse_expected(parser, "an operand");
      bool is_register = tg_lexer_after(lexer, word) == '[';
      if (has_offsets && (is_register || !has_arguments)) {
         if (!parse_offset(parser, draft, word))
            return false;
      } else if (has_arguments && !is_register) {
         if (!parse_memory_argument(parser, &draft->head, word))
            return false;
      } else {
         return tg_parse_error(parser, word.position, "too-many-operands", NULL,
                               "%s has %d operand%s and no more", info->name,
                               info->num_dst + info->num_src,
                               info->num_dst + info->num_src == 1 ? "" : "s");
      }
   }
   return true;
}

/* `:n`, which may be left out. */
static bool
parse_branch_target(struct tg_parser *parser, struct tg_instruction *head,
                    const struct tg_opcode_info *info)
{
   int64_t label;

   if (tg_lexer_peek(&parser->lexer) != ':')
      return true;
   if (!(info->flags & TG_OPCODE_FLAG_LABEL))
      return tg_parse_error(
         parser, tg_lexer_position(&parser->lexer, parser->lexer.here),
         "no-branch", NULL, "%s goes nowhere and takes no label", info->name);
   tg_lexer_accept(&parser->lexer, ':');
   if (!tg_parse_number(parser, "label", 0, TG_MAX_LABEL, &label))
      return false;
   head->has_label = true;
   head->label = (uint32_t)label;
   return true;
}

bool
tg_parse_instruction(struct tg_parser *parser)
{
   struct tg_instruction_draft draft = {0};
   struct tg_instruction *head = &draft.head;

   if (tg_lexer_peek(&parser->lexer) == '(' &&
       !tg_parse_predicate(parser, head))
      return false;
   if (!parse_mnemonic(parser, head))
      return false;

   const struct tg_opcode_info *info = tg_opcode_row(head->opcode);
   if (!parse_operands(parser, &draft, info) ||
       !parse_target(parser, head, info) ||
       !parse_arguments(parser, &draft, info) ||
       !parse_branch_target(parser, head, info))
      return false;
   if (!tg_shader_add_instruction(parser->shader, &draft))
      return tg_parse_no_room(parser, head->position,
                              parser->shader->num_instructions,
                              TG_MAX_INSTRUCTIONS, "instructions");
   return true;
}
