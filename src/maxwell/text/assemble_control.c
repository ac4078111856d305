/* SPDX-License-Identifier: MIT
 *
 * Parsing of control bits before an instruction, in two notations, and after
 * it. What is written of them begins with those that ask for nothing; what is
 * not written at all are bits of 0.
 */
#include "maxwell/text/assemble.h"

#include <string.h>

#include "maxwell/isa/control.h"
#include "util/ascii.h"
#include "util/number.h"

/* There are six scoreboards; 6 has a code and no scoreboard, and 7 is none. */
enum { NUM_SCOREBOARDS = 6, MOST_BOARD = 7, MOST_STALL = 15, MOST_REUSE = 3 };

/* Begins with bits that ask for nothing, but keeps those of the phase. */
static void
begin_schedule(struct maxwell_statement *statement)
{
   union maxwell_control idle =
      maxwell_isa_decode_control(maxwell_idle_control());

   if (statement->has_schedule)
      return;
   idle.t = statement->control.t;
   idle.p = statement->control.p;
   statement->control = idle;
   statement->has_schedule = true;
}

/* ---- in front ------------------------------------------------------------ */

/* Is the text that is left a prefix of this shape? Signs in it mean: 0 to 5 the
 * digit of its place or a minus, # a digit, ? a sign that its field reads. */
static bool
fits_shape(const struct tg_lexer *lexer, const char *shape)
{
   const char *text = lexer->here.at;

   if ((size_t)(lexer->end - text) < strlen(shape))
      return false;
   for (unsigned i = 0; shape[i]; i++) {
      char c = text[i];
      bool is_digit = c >= '0' && c <= '9';
      bool fits = shape[i] == '?'   ? true
                  : shape[i] == '#' ? is_digit
                  : shape[i] >= '0' && shape[i] <= '5'
                     ? c == shape[i] || c == '-'
                     : c == shape[i];

      if (!fits)
         return false;
   }
   return true;
}

/* A scoreboard's digit or a minus. */
static bool
read_scoreboard_sign(char c, uint8_t none, uint8_t *out)
{
   *out = c == '-' ? none : (uint8_t)(c - '0');
   return c == '-' || (c >= '0' && c <= '0' + MOST_BOARD);
}

/* `[B--2---:R0:W5:-:S01]`, as CuAssembler has it. */
static bool
read_cuasm_fields(const char *text, union maxwell_control *control)
{
   enum { WAIT = 2, READ = 10, WRITE = 13, YIELD = 15, STALL = 18 };
   unsigned stall =
      (unsigned)(text[STALL] - '0') * 10 + (unsigned)(text[STALL + 1] - '0');

   control->wait = 0;
   for (unsigned i = 0; i < NUM_SCOREBOARDS; i++)
      control->wait |= (uint8_t)((text[WAIT + i] != '-') << i);
   control->yield = text[YIELD] == '-';
   control->stall = (uint8_t)stall;
   return read_scoreboard_sign(text[READ],
                               maxwell_controls[MAXWELL_CONTROL_read].none,
                               &control->read) &&
          read_scoreboard_sign(text[WRITE],
                               maxwell_controls[MAXWELL_CONTROL_write].none,
                               &control->write) &&
          (text[YIELD] == '-' || text[YIELD] == 'Y') && stall <= MOST_STALL;
}

/* Scoreboards are counted from 1 here. */
static bool
read_maxas_scoreboard(char c, uint8_t *out)
{
   *out = c == '-' ? MOST_BOARD : (uint8_t)(c - '1');
   return c == '-' || (c >= '1' && c < '1' + NUM_SCOREBOARDS);
}

/* `04:1:6:-:f`, as maxas has it. */
static bool
read_maxas_fields(const char *text, union maxwell_control *control)
{
   enum { READ = 3, WRITE = 5, YIELD = 7, STALL = 9 };
   char yield = tg_ascii_lower(text[YIELD]);
   uint64_t wait = 0, stall;

   if (memcmp(text, "--", 2) != 0 &&
       (tg_number_of_digits(text, 2, 16, &wait) != TG_NUMBER_GOOD ||
        wait >> NUM_SCOREBOARDS))
      return false;
   if (tg_number_of_digits(text + STALL, 1, 16, &stall) != TG_NUMBER_GOOD)
      return false;
   control->wait = (uint8_t)wait;
   control->stall = (uint8_t)stall;
   control->yield = yield == '-';
   return read_maxas_scoreboard(text[READ], &control->read) &&
          read_maxas_scoreboard(text[WRITE], &control->write) &&
          (yield == '-' || yield == 'y');
}

bool
maxwell_assemble_control_prefix(struct maxwell_assembler *assembler,
                                struct maxwell_statement *statement)
{
   static const char cuasm_shape[] = "[B012345:R?:W?:?:S##]";
   static const char maxas_shape[] = "??:?:?:?:?";
   struct tg_lexer *lexer = &assembler->lexer;
   const int first = tg_lexer_peek(lexer);
   const bool is_cuasm = first == '[';
   const bool is_maxas = first == '-' || (first >= '0' && first <= '9');

   if (!is_cuasm && !is_maxas)
      return true;

   const char *shape = is_cuasm ? cuasm_shape : maxas_shape;
   const char *text = lexer->here.at;
   begin_schedule(statement);
   if (!fits_shape(lexer, shape) ||
       !(is_cuasm ? read_cuasm_fields : read_maxas_fields)(text,
                                                           &statement->control))
      return maxwell_assemble_error(
         assembler, tg_lexer_position(lexer, lexer->here), "control-bits",
         "they have the form [B--2---:R0:W5:-:S01], or "
         "04:1:6:-:1 with scoreboards from 1 on",
         "these are no control bits");
   for (const char *end = text + strlen(shape); text < end; text++) {
      const char sign[] = {*text, '\0'};

      tg_lexer_accept_touching(lexer, sign);
   }
   return true;
}

/* ---- after -------------------------------------------------------------- */

static bool
read_field(struct maxwell_assembler *assembler, const char *what, uint64_t most,
           uint8_t *out)
{
   uint64_t number;

   tg_lexer_accept(&assembler->lexer, '=');
   if (!maxwell_assemble_number(assembler, what, most, &number))
      return false;
   *out = (uint8_t)number;
   return true;
}

/* `=0,3`, or `=0x09` as a mask. */
static bool
read_wait(struct maxwell_assembler *assembler, union maxwell_control *control)
{
   struct tg_lexer *lexer = &assembler->lexer;
   uint8_t board;

   tg_lexer_accept(lexer, '=');
   struct tg_word word = tg_lexer_peek_word(lexer);
   if (word.length > 1)
      return read_field(assembler, "mask of scoreboards",
                        (1u << NUM_SCOREBOARDS) - 1, &control->wait);

   control->wait = 0;
   do {
      if (!read_field(assembler, "scoreboard", NUM_SCOREBOARDS - 1, &board))
         return false;
      control->wait |= (uint8_t)(1u << board);
   } while (tg_lexer_accept(lexer, ','));
   return true;
}

/* What stands after & or ?, the word of which was taken. */
static bool
read_item(struct maxwell_assembler *assembler, struct tg_word word,
          union maxwell_control *control)
{
   if (tg_lexer_word_is(word, "req"))
      return read_wait(assembler, control);
   if (tg_lexer_word_is(word, "rd"))
      return read_field(assembler, "scoreboard", MOST_BOARD, &control->read);
   if (tg_lexer_word_is(word, "wr"))
      return read_field(assembler, "scoreboard", MOST_BOARD, &control->write);
   if (tg_lexer_word_is(word, "stall"))
      return read_field(assembler, "stall", MOST_STALL, &control->stall);
   if (tg_lexer_word_is(word, "reuse"))
      return read_field(assembler, "reuse", MOST_REUSE, &control->reuse);

   uint8_t *flag = tg_lexer_word_is(word, "t")       ? &control->t
                   : tg_lexer_word_is(word, "p")     ? &control->p
                   : tg_lexer_word_is(word, "yield") ? &control->yield
                                                     : NULL;
   if (!flag)
      return maxwell_assemble_error(
         assembler, word.position, "control-bits",
         "they are &req=N, &rd=N, &wr=N, ?stall=N, ?yield "
         "and ?reuse=N",
         "there are no control bits '%.*s'", tg_lexer_word_shown(word),
         word.text);
   *flag = flag != &control->yield;
   return true;
}

/* `rd2` as the specification's syntax has it is `rd` and then 2. */
static struct tg_word
take_name(struct tg_lexer *lexer)
{
   struct tg_word word = tg_lexer_peek_word(lexer);
   char text[2] = {0};
   size_t length = 0;

   while (length < word.length &&
          !(word.text[length] >= '0' && word.text[length] <= '9'))
      length++;
   word.length = length;
   for (size_t i = 0; i < length; i++) {
      text[0] = word.text[i];
      tg_lexer_accept_touching(lexer, text);
   }
   return word;
}

bool
maxwell_assemble_control_schedule(struct maxwell_assembler *assembler,
                                  struct maxwell_statement *statement)
{
   struct tg_lexer *lexer = &assembler->lexer;

   while (tg_lexer_accept(lexer, '&') || tg_lexer_accept(lexer, '?')) {
      begin_schedule(statement);
      if (!read_item(assembler, take_name(lexer), &statement->control))
         return false;
   }
   return true;
}
