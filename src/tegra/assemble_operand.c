/* SPDX-License-Identifier: MIT
 *
 * Operands: registers, indices, swizzles, masks, targets, and the fields that
 * they are. What cannot share an instruction is found here, as a field that
 * would have two values.
 */
#include "tegra/assemble.h"

#include <stdio.h>
#include <string.h>

/* ---- fields that are said twice ------------------------------------------ */

/* How a value of a field is told in a complaint. */
enum shown {
   SHOWN_CONSTANT,
   SHOWN_ATTRIBUTE,
   SHOWN_TEMPORARY,
   SHOWN_ADDRESS,
   SHOWN_FILE,
   SHOWN_SWIZZLE,
   SHOWN_NEGATE,
   SHOWN_ABSOLUTE,
   SHOWN_RELATIVE,
   SHOWN_CONDITION,
};

static const char one_of_a_kind[] =
   "an instruction reads one; copy the other to a temporary before it";
static const char one_rc[] =
   "ADD, MAD and the scalar operation read the same rC";
static const char one_address[] =
   "an instruction uses one component of A0, for all that is relative";
static const char one_condition[] = "an instruction tests and sets one of them";
static const char all_relative[] =
   "of one kind all are relative or none is; copy one to a temporary before";

/* Of all fields that several operands share. Those that are in doubt are what
 * grate's assembler takes: the later value replaces the earlier one. */
static const struct shared {
   uint8_t field;
   uint8_t shown; /* enum shown */
   bool is_doubt;
   const char *code;
   const char *what;
   const char *note;
} shared[] = {
   {TEGRA_FIELD_const_index, SHOWN_CONSTANT, false, "two-constants",
    "two constants in an instruction", one_of_a_kind},
   {TEGRA_FIELD_attr_index, SHOWN_ATTRIBUTE, false, "two-attributes",
    "two attributes in an instruction", one_of_a_kind},
   {TEGRA_FIELD_a_sel, SHOWN_ADDRESS, false, "two-addresses",
    "two components of A0 in an instruction", one_address},
   {TEGRA_FIELD_cr, SHOWN_CONDITION, false, "two-conditions",
    "two condition registers in an instruction", one_condition},
   {TEGRA_FIELD_rc_type, SHOWN_FILE, false, "two-registers",
    "two registers in rC", one_rc},
   {TEGRA_FIELD_rc_index, SHOWN_TEMPORARY, false, "two-registers",
    "two registers in rC", one_rc},
   {TEGRA_FIELD_rc_swz, SHOWN_SWIZZLE, true, "two-swizzles",
    "rC with two swizzles", one_rc},
   {TEGRA_FIELD_rc_neg, SHOWN_NEGATE, true, "two-signs", "rC with two signs",
    one_rc},
   {TEGRA_FIELD_rc_abs, SHOWN_ABSOLUTE, true, "two-signs",
    "rC with and without abs()", one_rc},
   {TEGRA_FIELD_const_rel, SHOWN_RELATIVE, true, "relative-and-not",
    "constants relative and not", all_relative},
   {TEGRA_FIELD_attr_rel, SHOWN_RELATIVE, true, "relative-and-not",
    "attributes relative and not", all_relative},
};

static void
show(char *out, size_t size, enum shown shown, unsigned value)
{
   static const char *const files[] = {"u", "a temporary", "an attribute",
                                       "a constant"};

   switch (shown) {
   case SHOWN_CONSTANT: snprintf(out, size, "c[%u]", value); break;
   case SHOWN_ATTRIBUTE: snprintf(out, size, "a[%u]", value); break;
   case SHOWN_TEMPORARY: snprintf(out, size, "r%u", value); break;
   case SHOWN_CONDITION: snprintf(out, size, "CR%u", value); break;
   case SHOWN_ADDRESS: snprintf(out, size, "A0.%c", "xyzw"[value & 3]); break;
   case SHOWN_FILE: snprintf(out, size, "%s", files[value & 3]); break;
   case SHOWN_SWIZZLE:
      snprintf(out, size, ".%c%c%c%c", "xyzw"[tegra_swizzle_get(value, 0)],
               "xyzw"[tegra_swizzle_get(value, 1)],
               "xyzw"[tegra_swizzle_get(value, 2)],
               "xyzw"[tegra_swizzle_get(value, 3)]);
      break;
   case SHOWN_NEGATE: snprintf(out, size, value ? "negated" : "plain"); break;
   case SHOWN_ABSOLUTE: snprintf(out, size, value ? "abs()" : "plain"); break;
   case SHOWN_RELATIVE:
      snprintf(out, size, value ? "relative" : "absolute");
      break;
   }
}

/* The field has the value `before`, and is to have `value`. True when that may
 * replace it. */
static bool
say_twice(struct assembler *as, const struct assemble_line *line,
          unsigned field, unsigned before, unsigned value,
          struct tg_position position)
{
   const struct shared *row = shared;
   char was[16], is[16];

   if (field == TEGRA_FIELD_rc_swz && line->has_target)
      return assemble_doubt(as, position, "target-and-rc",
                            "put the branch into an instruction of its own",
                            "the swizzle of rC and a target share their place");
   while (row < shared + sizeof(shared) / sizeof(shared[0]) &&
          row->field != field)
      row++;
   if (row == shared + sizeof(shared) / sizeof(shared[0]))
      return true; /* no operand shares it: an option that is repeated */
   show(was, sizeof(was), (enum shown)row->shown, before);
   show(is, sizeof(is), (enum shown)row->shown, value);
   if (row->is_doubt)
      return assemble_doubt(as, position, row->code, row->note,
                            "%s: %s after %s", row->what, is, was);
   return assemble_error(as, position, row->code, row->note, "%s: %s after %s",
                         row->what, is, was);
}

bool
assemble_say(struct assembler *as, struct assemble_line *line, unsigned field,
             unsigned value, struct tg_position position)
{
   unsigned before = line->instruction.field[field];
   bool is_relative =
      field == TEGRA_FIELD_const_rel || field == TEGRA_FIELD_attr_rel;

   if ((line->said & tegra_field_bit(field)) && before != value) {
      if (!say_twice(as, line, field, before, value, position))
         return false;
      if (is_relative) /* one makes all of them so */
         value = 1;
   }
   line->said |= tegra_field_bit(field);
   line->instruction.field[field] = (uint16_t)value;
   return true;
}

/* ---- letters ------------------------------------------------------------- */

enum { MAX_LETTERS = 4 };

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

/* Is it the letter and digits, and nothing else? */
static bool
read_register(struct tg_word word, char letter, uint32_t *index_out)
{
   struct tg_word digits = {word.text + 1, word.length - 1, word.position};

   return word.length > 1 && (word.text[0] | 0x20) == letter &&
          digits.text[0] >= '0' && digits.text[0] <= '9' &&
          assemble_read_number(digits, index_out);
}

/* `CR0` or `CR1`: the register of conditions and nothing else is written. */
static bool
is_condition(struct tg_word word)
{
   return tg_word_is(word, "CR0") || tg_word_is(word, "CR1");
}

bool
assemble_at_destination(struct assembler *as)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t index;

   return read_register(word, 'r', &index) || tg_word_is(word, "A0") ||
          is_condition(word);
}

static bool
say_condition(struct assembler *as, struct assemble_line *line,
              struct tg_word word)
{
   return assemble_say(as, line, TEGRA_FIELD_cs, 1, word.position) &&
          assemble_say(as, line, TEGRA_FIELD_cwr, 1, word.position) &&
          assemble_say(as, line, TEGRA_FIELD_cr, word.text[2] == '1',
                       word.position);
}

/* The number that stands in the field of the destination. */
static bool
read_destination(struct assembler *as, struct assemble_line *line,
                 struct tg_word word, const char *opcode, bool is_address_op,
                 uint32_t *index_out)
{
   if (tg_word_is(word, "A0")) {
      *index_out = 0;
      return is_address_op || assemble_error(as, word.position, "destination",
                                             "ARLv, ARRv and ARAv write it",
                                             "%s cannot write A0", opcode);
   }
   if (is_condition(word) && !is_address_op) {
      *index_out = TEGRA_NO_REGISTER;
      return say_condition(as, line, word);
   }
   if (!read_register(word, 'r', index_out))
      return assemble_expected(as, is_address_op ? "A0"
                                                 : "r0, r63 or CR0 to write");
   if (*index_out >= TG_TEGRA_NUM_TEMPORARIES &&
       *index_out != TEGRA_NO_REGISTER)
      return assemble_error(as, word.position, "register",
                            "r0 to r31 can be written, and r63 is none",
                            "there is no register %.*s", tg_word_shown(word),
                            word.text);
   if (is_address_op && *index_out % 2)
      return assemble_doubt(as, word.position, "odd-address",
                            "write A0, which is r0 in the word",
                            "with the odd destination %.*s A0 stays as it is",
                            tg_word_shown(word), word.text);
   return true;
}

bool
assemble_destination(struct assembler *as, struct assemble_line *line,
                     enum tegra_unit unit, const char *opcode,
                     bool is_address_op)
{
   static const uint8_t register_field[] = {TEGRA_FIELD_v_rd, TEGRA_FIELD_s_rd};
   static const uint8_t mask_field[] = {TEGRA_FIELD_v_mask, TEGRA_FIELD_s_mask};
   struct tg_word word = tg_lexer_peek_word(&as->lexer);
   uint32_t index = 0;
   unsigned mask;

   if (!read_destination(as, line, word, opcode, is_address_op, &index))
      return false;
   tg_lexer_word(&as->lexer);
   return parse_mask(as, &mask) &&
          assemble_say(as, line, register_field[unit], index, word.position) &&
          assemble_say(as, line, mask_field[unit], mask, word.position);
}

/* ---- indices ------------------------------------------------------------- */

/* `.x` behind A0, and what may be added. */
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
   *is_relative_out = tg_word_is(tg_lexer_peek_word(lexer), "A0");
   if (*is_relative_out) {
      tg_lexer_word(lexer);
      ok = parse_address(as, what, most, index_out, address_out);
   } else {
      ok = assemble_number(as, what, most, index_out);
   }
   return ok && assemble_char(as, ']', "']' behind the index");
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
      assemble_warning(as, source->position, "no-such-constant",
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

   if (tg_word_is(word, "u")) {
      operand->file = TEGRA_UNDEFINED;
   } else if (tg_word_is(word, "a")) {
      operand->file = TEGRA_ATTRIBUTE;
   } else if (tg_word_is(word, "c")) {
      operand->file = TEGRA_CONSTANT;
   } else if (read_register(word, 'r', &index)) {
      operand->file = TEGRA_TEMPORARY;
      if (index >= TG_TEGRA_NUM_TEMPORARIES)
         return assemble_error(
            as, word.position, "register", "r0 to r31 can be read",
            "there is no register %.*s", tg_word_shown(word), word.text);
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

   *source_out = (struct assemble_source){.operand.swizzle = TEGRA_IDENTITY};
   operand->negate = tg_lexer_accept(lexer, '-');
   if (tg_word_is(tg_lexer_peek_word(lexer), "abs")) {
      tg_lexer_word(lexer);
      operand->absolute = true;
      if (!assemble_char(as, '(', "'(' behind abs"))
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
say_index(struct assembler *as, struct assemble_line *line, unsigned index,
          unsigned relative, const struct assemble_source *source)
{
   const struct tegra_operand *operand = &source->operand;

   return assemble_say(as, line, index, operand->index, source->position) &&
          assemble_say(as, line, relative, operand->relative,
                       source->position) &&
          (!operand->relative ||
           assemble_say(as, line, TEGRA_FIELD_a_sel, source->address,
                        source->position));
}

bool
assemble_say_source(struct assembler *as, struct assemble_line *line,
                    enum tegra_source place,
                    const struct assemble_source *source)
{
   const struct tegra_source_fields *field = &tegra_source_fields[place];
   const struct tegra_operand *operand = &source->operand;
   const struct tg_position at = source->position;
   const bool is_temporary = operand->file == TEGRA_TEMPORARY;

   if (!assemble_say(as, line, field->type, operand->file, at) ||
       !assemble_say(as, line, field->index, is_temporary ? operand->index : 0,
                     at) ||
       !assemble_say(as, line, field->swz, operand->swizzle, at) ||
       !assemble_say(as, line, field->neg, operand->negate, at) ||
       !assemble_say(as, line, field->abs, operand->absolute, at))
      return false;
   if (operand->file == TEGRA_ATTRIBUTE)
      return say_index(as, line, TEGRA_FIELD_attr_index, TEGRA_FIELD_attr_rel,
                       source);
   if (operand->file == TEGRA_CONSTANT)
      return say_index(as, line, TEGRA_FIELD_const_index, TEGRA_FIELD_const_rel,
                       source);
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
          assemble_say(as, line, TEGRA_FIELD_rc_swz, target, word.position);
}
