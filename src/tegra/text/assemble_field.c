/* SPDX-License-Identifier: MIT
 *
 * Encoding of fields, and conflicts between operations that cannot share an
 * instruction: a field that would have two values.
 */
#include "tegra/text/assemble.h"

#include <stdio.h>

/* How a complaint prints a value of a field. */
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

/* Of all fields that several operands share. */
static const struct shared {
   uint8_t field;
   uint8_t shown; /* enum shown */
   const char *code;
   const char *what;
   const char *note;
} shared[] = {
   {TEGRA_FIELD_const_index, SHOWN_CONSTANT, "two-constants",
    "two constants in an instruction", one_of_a_kind},
   {TEGRA_FIELD_attr_index, SHOWN_ATTRIBUTE, "two-attributes",
    "two attributes in an instruction", one_of_a_kind},
   {TEGRA_FIELD_a_sel, SHOWN_ADDRESS, "two-addresses",
    "two components of A0 in an instruction", one_address},
   {TEGRA_FIELD_cr, SHOWN_CONDITION, "two-conditions",
    "two condition registers in an instruction", one_condition},
   {TEGRA_FIELD_rc_type, SHOWN_FILE, "two-registers", "two registers in rC",
    one_rc},
   {TEGRA_FIELD_rc_index, SHOWN_TEMPORARY, "two-registers",
    "two registers in rC", one_rc},
   {TEGRA_FIELD_rc_swz, SHOWN_SWIZZLE, "two-swizzles", "rC with two swizzles",
    one_rc},
   {TEGRA_FIELD_rc_neg, SHOWN_NEGATE, "two-signs", "rC with two signs", one_rc},
   {TEGRA_FIELD_rc_abs, SHOWN_ABSOLUTE, "two-signs",
    "rC with and without abs()", one_rc},
   {TEGRA_FIELD_const_rel, SHOWN_RELATIVE, "relative-and-not",
    "constants relative and not", all_relative},
   {TEGRA_FIELD_attr_rel, SHOWN_RELATIVE, "relative-and-not",
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
complain_twice(struct assembler *as, const struct assemble_line *line,
               unsigned field, unsigned before, unsigned value,
               struct tg_position position)
{
   const struct shared *row = shared;
   char was[16], is[16];

   if (field == TEGRA_FIELD_rc_swz && line->has_target)
      return assemble_error(as, position, "shared-target",
                            "put the branch into an instruction of its own",
                            "the swizzle of rC and a target share their place");
   while (row < shared + sizeof(shared) / sizeof(shared[0]) &&
          row->field != field)
      row++;
   if (row == shared + sizeof(shared) / sizeof(shared[0]))
      return true; /* no operand shares it: an option that is repeated */
   show(was, sizeof(was), (enum shown)row->shown, before);
   show(is, sizeof(is), (enum shown)row->shown, value);
   return assemble_error(as, position, row->code, row->note, "%s: %s after %s",
                         row->what, is, was);
}

bool
assemble_set_field(struct assembler *as, struct assemble_line *line,
                   unsigned field, unsigned value, struct tg_position position)
{
   unsigned before = line->instruction.field[field];
   bool is_relative =
      field == TEGRA_FIELD_const_rel || field == TEGRA_FIELD_attr_rel;

   if ((line->explicit & tegra_field_bit(field)) && before != value) {
      if (!complain_twice(as, line, field, before, value, position))
         return false;
      if (is_relative) /* one makes all of them so */
         value = 1;
   }
   line->explicit |= tegra_field_bit(field);
   line->instruction.field[field] = (uint16_t)value;
   return true;
}
