/* SPDX-License-Identifier: MIT
 *
 * Parsing of operands: registers, indices, swizzles, masks, targets, and the
 * fields that they are.
 */
#include "tegra/text/assemble.h"

#include <assert.h>

#include "util/length.h"

/* ---- letters ------------------------------------------------------------- */

enum { MAX_LETTERS = 4 };

int
assemble_component(char letter)
{
   switch (letter) {
   case 'x':
   case 'X': return 0;
   case 'y':
   case 'Y': return 1;
   case 'z':
   case 'Z': return 2;
   case 'w':
   case 'W': return 3;
   default: return -1;
   }
}

/* Takes up to four letters x, y, z, w, and `*` for a mask, which may have
 * blanks between them; -1 is a `*`. False when there are none, or more. */
static bool
take_letters(struct assembler *as, bool is_mask, int components[MAX_LETTERS],
             unsigned *count_out)
{
   struct tg_lexer *lexer = &as->lexer;
   unsigned count = 0;

   for (;;) {
      struct tg_word word = tg_lexer_peek_word(lexer);
      int star = -1;
      bool is_star = is_mask && !word.length && tg_lexer_accept(lexer, '*');

      for (size_t i = 0; i < word.length; i++) {
         if (assemble_component(word.text[i]) < 0)
            word.length = 0;
      }
      if (!word.length && !is_star)
         break;
      if (count + (is_star ? 1 : word.length) > MAX_LETTERS)
         return false;
      if (is_star)
         components[count++] = star;
      for (size_t i = 0; i < word.length; i++)
         components[count++] = assemble_component(word.text[i]);
      if (word.length)
         tg_lexer_word(lexer);
   }
   *count_out = count;
   return count > 0;
}

bool
assemble_swizzle(struct assembler *as, uint8_t *swizzle_out)
{
   struct tg_lexer *lexer = &as->lexer;
   int c[MAX_LETTERS];
   unsigned count = 0;

   tg_lexer_peek(lexer);
   struct tg_position position = tg_lexer_position(lexer, lexer->here);
   if (!take_letters(as, false, c, &count) || (count != 1 && count != 4))
      return assemble_error(as, position, "swizzle",
                            "it is one or four of the letters x, y, z and w",
                            "this is not a swizzle");
   for (unsigned i = count; i < MAX_LETTERS; i++)
      c[i] = c[0];
   *swizzle_out = (uint8_t)tegra_swizzle((unsigned)c[0], (unsigned)c[1],
                                         (unsigned)c[2], (unsigned)c[3]);
   return true;
}

/* The mask that letters make: each in its place with `*` in the others, or
 * those that are written in their order. */
static bool
mask_of(const int components[MAX_LETTERS], unsigned count, unsigned *mask_out)
{
   bool has_stars = false;
   int last = -1;

   *mask_out = 0;
   for (unsigned i = 0; i < count; i++)
      has_stars |= components[i] < 0;
   for (unsigned i = 0; i < count; i++) {
      int c = components[i];

      if (c < 0)
         continue;
      if (has_stars ? c != (int)i : c <= last)
         return false;
      last = c;
      *mask_out |= tegra_mask_bit((unsigned)c);
   }
   return !has_stars || count == MAX_LETTERS;
}

/* `.` and a mask, or all components. */
static bool
parse_mask(struct assembler *as, unsigned *mask_out)
{
   struct tg_lexer *lexer = &as->lexer;
   int components[MAX_LETTERS];
   unsigned count = 0;

   *mask_out = TEGRA_MASK_XYZW;
   if (!tg_lexer_accept(lexer, '.'))
      return true;
   tg_lexer_peek(lexer);
   struct tg_position position = tg_lexer_position(lexer, lexer->here);
   if (!take_letters(as, true, components, &count) ||
       !mask_of(components, count, mask_out))
      return assemble_error(as, position, "mask",
                            "it is the components that are written, as xz, "
                            "or x*z*",
                            "this is not a mask");
   if (!*mask_out)
      return assemble_doubt(as, position, "empty-mask", "NOP does nothing too",
                            "this mask writes no component");
   return true;
}

/* ---- destinations -------------------------------------------------------- */

/* Is it `r` and decimal digits, and nothing else? */
static bool
read_register(struct tg_word word, uint32_t *index_out)
{
   struct tg_word digits = {word.text + 1, word.length - 1, word.position};

   return word.length > 1 && (word.text[0] | 0x20) == 'r' &&
          (word.length < 3 || (word.text[2] | 0x20) != 'x') &&
          assemble_read_number(digits, index_out);
}

/* `CR0` or `CR1`: the register of conditions and nothing else is written. */
static bool
is_condition(struct tg_word word)
{
   return tg_lexer_word_is(word, "CR0") || tg_lexer_word_is(word, "CR1");
}

bool
assemble_at_destination(struct assembler *as)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t index;

   return read_register(word, &index) || tg_lexer_word_is(word, "A0") ||
          is_condition(word);
}

static bool
encode_condition(struct assembler *as, struct assemble_line *line,
                 struct tg_word word)
{
   return assemble_set_field(as, line, TEGRA_FIELD_cs, 1, word.position) &&
          assemble_set_field(as, line, TEGRA_FIELD_cwr, 1, word.position) &&
          assemble_set_field(as, line, TEGRA_FIELD_cr, word.text[2] == '1',
                             word.position);
}

/* The number that stands in the field of the destination. */
static bool
read_destination(struct assembler *as, struct assemble_line *line,
                 struct tg_word word, const char *opcode, bool is_address_op,
                 uint32_t *index_out)
{
   if (tg_lexer_word_is(word, "A0")) {
      *index_out = 0;
      return is_address_op || assemble_error(as, word.position, "destination",
                                             "ARLv, ARRv and ARAv write it",
                                             "%s cannot write A0", opcode);
   }
   if (is_condition(word) && !is_address_op) {
      *index_out = TEGRA_NO_REGISTER;
      return encode_condition(as, line, word);
   }
   if (!read_register(word, index_out))
      return assemble_expected(as, is_address_op ? "A0"
                                                 : "r0, r63 or CR0 to write");
   if (*index_out >= TG_TEGRA_NUM_TEMPORARIES &&
       *index_out != TEGRA_NO_REGISTER)
      return assemble_error(as, word.position, "register",
                            "r0 to r31 can be written, and r63 is none",
                            "there is no register %.*s",
                            tg_lexer_word_shown(word), word.text);
   if (is_address_op && *index_out % 2)
      return assemble_doubt(as, word.position, "odd-address",
                            "write A0, which is r0 in the word",
                            "with the odd destination %.*s A0 stays as it is",
                            tg_lexer_word_shown(word), word.text);
   return true;
}

bool
assemble_destination(struct assembler *as, struct assemble_line *line,
                     enum tegra_unit unit, const char *opcode,
                     bool is_address_op)
{
   assert(unit < TG_LENGTH(tegra_unit_fields));
   const struct tegra_unit_fields *fields = &tegra_unit_fields[unit];
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t index = 0;
   unsigned mask;

   if (!read_destination(as, line, word, opcode, is_address_op, &index))
      return false;
   tg_lexer_word(&as->lexer);
   return parse_mask(as, &mask) &&
          assemble_set_field(as, line, fields->rd, index, word.position) &&
          assemble_set_field(as, line, fields->mask, mask, word.position);
}

/* ---- indices ------------------------------------------------------------- */

/* `.x` after A0, and what may be added. */
static bool
parse_address(struct assembler *as, const char *what, uint32_t most,
              uint32_t *index_out, unsigned *address_out)
{
   struct tg_lexer *lexer = &as->lexer;

   if (!assemble_char(as, '.', "'.' and a component of A0"))
      return false;
   struct tg_word word = tg_lexer_peek_word(lexer);
   int component = word.length == 1 ? assemble_component(word.text[0]) : -1;
   if (component < 0)
      return assemble_expected(as, "x, y, z or w");
   tg_lexer_word(lexer);
   *address_out = (unsigned)component;
   *index_out = 0;
   if (tg_lexer_peek(lexer) == '-')
      return assemble_error(as, tg_lexer_position(lexer, lexer->here),
                            "negative-offset",
                            "subtract it from what A0 is loaded with",
                            "an instruction cannot subtract from A0");
   return !tg_lexer_accept(lexer, '+') ||
          assemble_number(as, what, most, index_out);
}

bool
assemble_index(struct assembler *as, const char *what, uint32_t most,
               uint32_t *index_out, bool *is_relative_out,
               unsigned *address_out)
{
   struct tg_lexer *lexer = &as->lexer;
   bool ok;

   if (!assemble_char(as, '[', "'['"))
      return false;
   *is_relative_out = tg_lexer_word_is(tg_lexer_peek_word(lexer), "A0");
   if (*is_relative_out) {
      tg_lexer_word(lexer);
      ok = parse_address(as, what, most, index_out, address_out);
   } else {
      ok = assemble_number(as, what, most, index_out);
   }
   return ok && assemble_char(as, ']', "']' after the index");
}

/* ---- sources ------------------------------------------------------------- */

static bool
parse_indexed(struct assembler *as, struct assemble_source *source)
{
   const bool is_constant = source->operand.file == TEGRA_CONSTANT;
   const uint32_t most = is_constant ? TEGRA_NUM_CONSTANT_INDICES - 1
                                     : TG_TEGRA_NUM_ATTRIBUTES - 1;
   uint32_t index = 0;

   if (!assemble_index(as, is_constant ? "constant" : "attribute", most, &index,
                       &source->operand.relative, &source->address))
      return false;
   source->operand.index = (uint16_t)index;
   if (is_constant && !source->operand.relative &&
       index >= TG_TEGRA_NUM_CONSTANTS)
      assemble_warning(as, source->position, "constant-range",
                       "c[0] to c[255] are stored",
                       "c[%u] can be named, but does not exist", index);
   return true;
}

/* The register, and what is in its brackets. */
static bool
parse_register(struct assembler *as, struct assemble_source *source)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   struct tegra_operand *operand = &source->operand;
   uint32_t index;

   if (tg_lexer_word_is(word, "u")) {
      operand->file = TEGRA_UNDEFINED;
   } else if (tg_lexer_word_is(word, "a")) {
      operand->file = TEGRA_ATTRIBUTE;
   } else if (tg_lexer_word_is(word, "c")) {
      operand->file = TEGRA_CONSTANT;
   } else if (read_register(word, &index)) {
      operand->file = TEGRA_TEMPORARY;
      if (index >= TG_TEGRA_NUM_TEMPORARIES)
         return assemble_error(
            as, word.position, "register", "r0 to r31 can be read",
            "there is no register %.*s", tg_lexer_word_shown(word), word.text);
      operand->index = (uint16_t)index;
   } else {
      return assemble_expected(as, "a source: r0, a[0], c[0] or u");
   }
   tg_lexer_word(&as->lexer);
   return operand->file < TEGRA_ATTRIBUTE || parse_indexed(as, source);
}

bool
assemble_source(struct assembler *as, struct assemble_source *source_out)
{
   struct tg_lexer *lexer = &as->lexer;
   struct tegra_operand *operand = &source_out->operand;

   *source_out = (struct assemble_source){
      .operand.swizzle = TEGRA_IDENTITY,
      .lanes = TEGRA_MASK_XYZW,
   };
   operand->negate = tg_lexer_accept(lexer, '-');
   if (tg_lexer_word_is(tg_lexer_peek_word(lexer), "abs")) {
      tg_lexer_word(lexer);
      operand->absolute = true;
      if (!assemble_char(as, '(', "'(' after abs"))
         return false;
   }
   tg_lexer_peek(lexer);
   source_out->position = tg_lexer_position(lexer, lexer->here);
   if (!parse_register(as, source_out))
      return false;
   if (tg_lexer_accept(lexer, '.') && !assemble_swizzle(as, &operand->swizzle))
      return false;
   return !operand->absolute || assemble_char(as, ')', "')' that ends abs");
}

/* The index that all operands of a file share. */
static bool
encode_index(struct assembler *as, struct assemble_line *line, unsigned index,
             unsigned relative, const struct assemble_source *source)
{
   const struct tegra_operand *operand = &source->operand;

   return assemble_set_field(as, line, index, operand->index,
                             source->position) &&
          assemble_set_field(as, line, relative, operand->relative,
                             source->position) &&
          (!operand->relative ||
           assemble_set_field(as, line, TEGRA_FIELD_a_sel, source->address,
                              source->position));
}

/* The swizzle of rC. Operations that share it agree in the lanes that both
 * read; in the others it is that of their readers. */
static bool
encode_rc_swizzle(struct assembler *as, struct assemble_line *line,
                  const struct assemble_source *source)
{
   unsigned before = line->instruction.rc_swz;
   unsigned swizzle = source->operand.swizzle;
   unsigned both = tegra_swizzle_with(before, source->lanes, swizzle);

   if (line->rc_lanes &&
       tegra_swizzle_with(both, line->rc_lanes, before) == both) {
      line->instruction.rc_swz = (uint16_t)both;
      line->rc_lanes |= source->lanes;
      return true;
   }
   line->rc_lanes |= source->lanes;
   return assemble_set_field(as, line, TEGRA_FIELD_rc_swz, swizzle,
                             source->position);
}

static bool
encode_swizzle(struct assembler *as, struct assemble_line *line,
               enum tegra_source place, const struct assemble_source *source)
{
   if (place == TEGRA_RC)
      return encode_rc_swizzle(as, line, source);
   return assemble_set_field(as, line, tegra_source_fields[place].swz,
                             source->operand.swizzle, source->position);
}

bool
assemble_set_source(struct assembler *as, struct assemble_line *line,
                    enum tegra_source place,
                    const struct assemble_source *source)
{
   assert(place < TG_LENGTH(tegra_source_fields));
   const struct tegra_source_fields *field = &tegra_source_fields[place];
   const struct tegra_operand *operand = &source->operand;
   const struct tg_position at = source->position;
   const bool is_temporary = operand->file == TEGRA_TEMPORARY;

   if (!assemble_set_field(as, line, field->type, operand->file, at) ||
       !assemble_set_field(as, line, field->index,
                           is_temporary ? operand->index : 0, at) ||
       !encode_swizzle(as, line, place, source) ||
       !assemble_set_field(as, line, field->neg, operand->negate, at) ||
       !assemble_set_field(as, line, field->abs, operand->absolute, at))
      return false;
   if (operand->file == TEGRA_ATTRIBUTE)
      return encode_index(as, line, TEGRA_FIELD_attr_index,
                          TEGRA_FIELD_attr_rel, source);
   if (operand->file == TEGRA_CONSTANT)
      return encode_index(as, line, TEGRA_FIELD_const_index,
                          TEGRA_FIELD_const_rel, source);
   return true;
}

/* ---- targets ------------------------------------------------------------- */

bool
assemble_target(struct assembler *as, struct assemble_line *line)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t target = 0;

   if (!word.length)
      return assemble_expected(as, "a label or the number of an instruction");
   line->has_target = true;
   if (word.text[0] > '9') {
      line->label = tg_lexer_word(&as->lexer);
      return true;
   }
   return assemble_number(as, "target", TG_TEGRA_MAX_INSTRUCTIONS - 1,
                          &target) &&
          assemble_set_field(as, line, TEGRA_FIELD_rc_swz, target,
                             word.position);
}
