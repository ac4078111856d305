/* SPDX-License-Identifier: MIT
 *
 * A reader of listings. What does not fit fails an assertion, with the rest of
 * the text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mir_text.h"

/* What a shader would be, for tests that have none. */
static const struct tg_shader no_shader = {.source = {.name = "test"}};

/* ---- pieces -------------------------------------------------------------- */

static bool
accept(const char **text, const char *word)
{
   size_t length = strlen(word);

   if (strncmp(*text, word, length) != 0)
      return false;
   *text += length;
   return true;
}

static void
expect(const char **text, const char *word)
{
   if (!accept(text, word))
      fail_msg("%s expected at: %.40s", word, *text);
}

static unsigned
read_number(const char **text, int base)
{
   char *end;
   unsigned number = (unsigned)strtoul(*text, &end, base);

   if (end == *text)
      fail_msg("a number expected at: %.40s", *text);
   *text = end;
   return number;
}

static unsigned
read_component(const char **text)
{
   const char *letter = strchr("xyzw", **text);

   if (!letter)
      fail_msg("a component expected at: %.40s", *text);
   (*text)++;
   return (unsigned)(letter - "xyzw");
}

static unsigned
read_swizzle(const char **text)
{
   unsigned lane[4];

   expect(text, ".");
   for (unsigned i = 0; i < 4; i++)
      lane[i] = read_component(text);
   return tegra_swizzle(lane[0], lane[1], lane[2], lane[3]);
}

static unsigned
read_mask(const char **text)
{
   unsigned mask = 0;

   expect(text, ".");
   for (unsigned i = 0; i < 4; i++) {
      if (!accept(text, "*")) {
         assert_int_equal(read_component(text), i);
         mask |= tegra_mask_bit(i);
      }
   }
   return mask;
}

/* `[A0.x + 3]` or `3`; returns whether it is the former. */
static bool
read_index(const char **text, unsigned *index_out, uint8_t *address_out)
{
   bool relative = accept(text, "[A0.");

   if (relative) {
      *address_out = (uint8_t)read_component(text);
      expect(text, " + ");
   }
   *index_out = read_number(text, 10);
   if (relative)
      expect(text, "]");
   return relative;
}

/* ---- an operation -------------------------------------------------------- */

static void
read_literal(const char **text, struct mir_source *source)
{
   source->file = MIR_LITERAL;
   expect(text, "{");
   for (unsigned i = 0; i < 4; i++)
      source->literal[i] = read_number(text, 16);
   expect(text, "}");
}

static struct mir_source
read_source(const char **text)
{
   struct mir_source source = {0};

   source.negate = accept(text, "-");
   source.absolute = accept(text, "abs(");
   if (**text == '{') {
      read_literal(text, &source);
   } else {
      const char *letter = strchr("utac", **text);

      assert_non_null(letter);
      source.file = (uint8_t)(letter - "utac");
      (*text)++;
      source.relative = read_index(text, &source.index, &source.address);
   }
   source.swizzle = (uint8_t)read_swizzle(text);
   if (source.absolute)
      expect(text, ")");
   return source;
}

static struct mir_predicate
read_predicate(const char **text)
{
   struct mir_predicate predicate = {.enabled = true};

   predicate.condition = (uint8_t)read_number(text, 10);
   predicate.swizzle = (uint8_t)read_swizzle(text);
   expect(text, " ");
   predicate.less = accept(text, "<");
   predicate.equal = accept(text, "=");
   predicate.greater = accept(text, ">");
   expect(text, ") ");
   return predicate;
}

static struct mir_op
read_opcode(const char **text)
{
   size_t length = strspn(*text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
   enum tegra_unit unit = (*text)[length] == 'v' ? TEGRA_VECTOR : TEGRA_SCALAR;
   int opcode = tegra_isa_find_opcode(unit, *text, length);

   if (opcode < 0)
      fail_msg("an opcode expected at: %.40s", *text);
   *text += length + 1;
   return mir_op(unit, (unsigned)opcode, 0);
}

static void
read_destinations(const char **text, struct mir_op *op)
{
   while (**text == ' ') {
      unsigned index;

      if (accept(text, " t")) {
         op->temporary = read_number(text, 10);
      } else if (accept(text, " export")) {
         op->export_relative = read_index(text, &index, &op->export_address);
         op->export_index = (uint8_t)index;
      } else if (accept(text, " cr")) {
         op->sets_condition = true;
         op->condition = (uint8_t)read_number(text, 10);
      } else {
         break;
      }
   }
   if (**text == '.')
      op->mask = (uint8_t)read_mask(text);
}

static struct mir_op
read_op(const char **text)
{
   bool paired = accept(text, " & ");
   bool predicated = !paired && accept(text, "   ") ? accept(text, "(cr")
                                                    : accept(text, "(cr");
   struct mir_predicate predicate = {0};

   if (predicated)
      predicate = read_predicate(text);

   struct mir_op op = read_opcode(text);
   op.paired = paired;
   op.predicate = predicate;
   op.saturate = accept(text, "_sat");
   read_destinations(text, &op);
   for (unsigned i = 0; i < mir_num_sources(&op); i++) {
      expect(text, ", ");
      op.source[i] = read_source(text);
   }
   if (accept(text, " block "))
      op.target = read_number(text, 10);
   expect(text, "\n");
   return op;
}

/* ---- the listing --------------------------------------------------------- */

static void
note_register(struct mir *mir, uint32_t number)
{
   if (number != MIR_NONE && number >= mir->num_temporaries)
      mir->num_temporaries = number + 1;
}

void
mir_read(struct mir *mir, const char *listing)
{
   uint32_t block = MIR_NONE;

   mir_init(mir, NULL, &no_shader);
   while (*listing) {
      if (accept(&listing, "block ")) {
         block = mir_add_block(mir);
         assert_int_equal(read_number(&listing, 10), block);
         if (accept(&listing, ", the end"))
            mir->end = block;
         expect(&listing, "\n");
         continue;
      }
      struct mir_op op = read_op(&listing);

      note_register(mir, op.temporary);
      for (unsigned i = 0; i < mir_num_sources(&op); i++) {
         if (op.source[i].file == MIR_TEMPORARY)
            note_register(mir, op.source[i].index);
      }
      assert_int_not_equal(block, MIR_NONE);
      assert_true(mir_append(mir, block, &op));
   }
}

void
assert_mir(const struct mir *mir, const char *expected)
{
   char *listing = mir_print(mir, 0);

   assert_null(mir_verify(mir));
   assert_string_equal(listing, expected);
   tg_string_free(listing);
}

struct compile
test_compile(const struct tg_tegra_compile_options *options)
{
   static const struct tg_tegra_compile_options defaults =
      TG_TEGRA_COMPILE_OPTIONS_INIT;

   return (struct compile){.options = options ? options : &defaults};
}
