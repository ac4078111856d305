/* SPDX-License-Identifier: MIT
 *
 * The disassembler: a program as text that assembles to the same words.
 */
#include <assert.h>
#include <string.h>

#include "tegra/isa/program.h"
#include "tegra/text/view.h"
#include "util/bits.h"
#include "util/length.h"
#include "util/strbuf.h"

struct printer {
   struct tg_strbuf out;
   const struct tg_tegra_program *program;
   enum tegra_style style;
   unsigned flags;
   bool is_target[TG_TEGRA_MAX_INSTRUCTIONS]; /* and so has a label */
};

/* ---- writing ------------------------------------------------------------- */

static void
add(struct printer *printer, const char *text)
{
   tg_strbuf_add(&printer->out, text);
}

/* There are many numbers, and printf() takes its time. */
static void
add_number(struct printer *printer, uint32_t number)
{
   char digits[10];
   size_t at = sizeof(digits);

   do {
      digits[--at] = (char)('0' + number % 10);
      number /= 10;
   } while (number);
   tg_strbuf_add_n(&printer->out, digits + at, sizeof(digits) - at);
}

static void
add_swizzle(struct printer *printer, unsigned swizzle)
{
   char text[5] = {'.'};

   for (unsigned i = 0; i < 4; i++)
      text[1 + i] = "xyzw"[tegra_swizzle_get(swizzle, i)];
   tg_strbuf_add_n(&printer->out, text, sizeof(text));
}

static void
add_mask(struct printer *printer, unsigned mask)
{
   char text[5] = {'.'};

   for (unsigned i = 0; i < 4; i++)
      text[1 + i] = tegra_mask_has(mask, i) ? "xyzw"[i] : '*';
   tg_strbuf_add_n(&printer->out, text, sizeof(text));
}

/* `[3]`, `[A0.x]` or `[A0.x + 3]`. */
static void
add_index(struct printer *printer, unsigned index, bool is_relative,
          unsigned address)
{
   add(printer, "[");
   if (is_relative) {
      add(printer, "A0.");
      tg_strbuf_add_char(&printer->out, "xyzw"[address]);
      if (index)
         add(printer, " + ");
   }
   if (index || !is_relative)
      add_number(printer, index);
   add(printer, "]");
}

static void
add_source(struct printer *printer, const struct tegra_view *view,
           enum tegra_source source)
{
   static const char *const files[] = {"u", "r", "a", "c"};
   struct tegra_operand operand = tegra_isa_get_source(&view->given, source);

   if (operand.negate)
      add(printer, "-");
   if (operand.absolute)
      add(printer, "abs(");
   add(printer, files[operand.file]);
   if (operand.file == TEGRA_TEMPORARY)
      add_number(printer, operand.index);
   else if (operand.file != TEGRA_UNDEFINED)
      add_index(printer, operand.index, operand.relative, view->given.a_sel);
   add_swizzle(printer, operand.swizzle);
   if (operand.absolute)
      add(printer, ")");
}

static void
add_target(struct printer *printer, unsigned target)
{
   assert(target < TG_LENGTH(printer->is_target));
   add(printer, printer->is_target[target] ? " L" : " ");
   add_number(printer, target);
}

static void
add_mnemonic(struct printer *printer, enum tegra_unit unit, unsigned opcode)
{
   assert(unit < TG_LENGTH(tegra_opcodes));
   const char *name = tegra_opcodes[unit][opcode].name;

   add(printer, name ? name : "OP");
   tg_strbuf_add_char(&printer->out, tegra_unit_letter[unit]);
   if (!name)
      add_number(printer, opcode);
}

static void
add_slot(struct printer *printer, const struct tegra_view *view,
         enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(view->slots));
   const struct tegra_view_slot *slot = &view->slots[unit];
   const struct tegra_unit_fields *fields = &tegra_unit_fields[unit];
   const uint16_t *given = view->given.field;

   if (!slot->is_shown)
      return;
   add(printer, " ");
   add_mnemonic(printer, unit, given[fields->op]);
   if (slot->has_destination) {
      add(printer, slot->is_address_op ? " A0" : " r");
      if (!slot->is_address_op)
         add_number(printer, given[fields->rd]);
      add_mask(printer, given[fields->mask]);
   }
   for (unsigned i = 0; i < slot->num_sources; i++) {
      add(printer, ", ");
      add_source(printer, view, slot->sources[i]);
   }
   if (slot->has_target)
      add_target(printer, given[TEGRA_FIELD_rc_swz]);
}

static void
add_options(struct printer *printer, const struct tegra_view *view)
{
   static const struct {
      uint8_t field;
      const char *text;
   } flags[] = {
      {TEGRA_FIELD_cs, "(cs)"},         {TEGRA_FIELD_cwr, "(cwr)"},
      {TEGRA_FIELD_cc, "(cc)"},         {TEGRA_FIELD_p_lt, "(lt)"},
      {TEGRA_FIELD_p_eq, "(eq)"},       {TEGRA_FIELD_p_gt, "(gt)"},
      {TEGRA_FIELD_cr, "(cr=1)"},       {TEGRA_FIELD_sat, "(saturate)"},
      {TEGRA_FIELD_bit120, "(bit120)"},
   };
   const union tegra_instruction *given = &view->given;

   if (view->explicit & TEGRA_FIELD_BIT(export_index)) {
      add(printer, "(export");
      add_index(printer, given->export_index, given->export_rel, given->a_sel);
      add(printer, given->export_vec ? "=vector)" : "=scalar)");
   }
   for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
      if ((view->explicit & tegra_field_bit(flags[i].field)) &&
          given->field[flags[i].field])
         add(printer, flags[i].text);
   }
   if (given->p_swz != TEGRA_IDENTITY) {
      add(printer, "(p");
      add_swizzle(printer, given->p_swz);
      add(printer, ")");
   }
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS && view->raw; i++) {
      if (!(view->raw & tegra_field_bit(i)))
         continue;
      add(printer, "(");
      add(printer, tegra_fields[i].name);
      add(printer, "=");
      add_number(printer, view->is.field[i]);
      add(printer, ")");
   }
}

/* The fields that are not 0, lowest first, in a line of their own. */
static void
add_fields(struct printer *printer, const union tegra_instruction *instruction)
{
   add(printer, "   //");
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (!instruction->field[i])
         continue;
      add(printer, " ");
      add(printer, tegra_fields[i].name);
      add(printer, "=");
      add_number(printer, instruction->field[i]);
   }
   add(printer, "\n");
}

static void
add_instruction(struct printer *printer, uint32_t index)
{
   assert(index < TG_LENGTH(printer->program->words));
   const uint32_t *words = printer->program->words[index];
   struct tegra_view view;

   tegra_view(&view, words, printer->style);
   if (printer->is_target[index]) {
      add(printer, "L");
      add_number(printer, index);
      add(printer, ":\n");
   }
   add(printer, view.given.end ? "EXEC_END" : "EXEC");
   add_options(printer, &view);
   add_slot(printer, &view, TEGRA_VECTOR);
   add_slot(printer, &view, TEGRA_SCALAR);
   add(printer, ";");
   if (printer->flags & TG_TEGRA_PRINT_WORDS)
      tg_strbuf_printf(&printer->out, " // %08x %08x %08x %08x", words[0],
                       words[1], words[2], words[3]);
   add(printer, "\n");
   if (printer->flags & TG_TEGRA_PRINT_FIELDS)
      add_fields(printer, &view.is);
}

/* ---- declarations -------------------------------------------------------- */

/* A name in quotes; what cannot stand there becomes `?`. */
static void
add_name(struct printer *printer, const char *name)
{
   enum { MAX_NAME = 253 };
   size_t length = strnlen(name, MAX_NAME);

   add(printer, "\"");
   for (size_t i = 0; i < length; i++) {
      bool is_plain = name[i] >= ' ' && name[i] <= '~' && name[i] != '"';

      tg_strbuf_add_char(&printer->out, is_plain ? name[i] : '?');
   }
   add(printer, "\"");
}

static void
add_names(struct printer *printer, const char *section, enum tg_tegra_name kind)
{
   bool has_section = false;

   for (uint32_t i = 0; i < tegra_program_num_names(kind); i++) {
      assert(kind < TG_LENGTH(printer->program->names));
      const char *name = printer->program->names[kind][i];

      if (!name)
         continue;
      if (!has_section)
         add(printer, section);
      has_section = true;
      add_index(printer, i, false, 0);
      add(printer, " = ");
      add_name(printer, name);
      add(printer, ";\n");
   }
}

/* One component a line: its bits, and the float that they are in a comment. */
static void
add_constant(struct printer *printer, uint32_t index, unsigned component)
{
   assert(index < TG_LENGTH(printer->program->constants));
   uint32_t bits = printer->program->constants[index][component];

   add_index(printer, index, false, 0);
   tg_strbuf_printf(&printer->out, ".%c = 0x%08x; // ", "xyzw"[component],
                    bits);
   tg_strbuf_double(&printer->out, "%.9g", (double)tg_float_of_bits(bits));
   add(printer, "\n");
}

static void
add_constants(struct printer *printer)
{
   const struct tg_tegra_program *program = printer->program;
   bool has_section = false;

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (!(program->constant_masks[i] >> j & 1))
            continue;
         if (!has_section)
            add(printer, ".constants\n");
         has_section = true;
         add_constant(printer, i, j);
      }
   }
}

/* ---- the whole ----------------------------------------------------------- */

/* The style that leaves fewer raw options. */
static enum tegra_style
choose_style(const struct tg_tegra_program *program)
{
   enum tegra_style best = TEGRA_STYLE_GRATE;
   unsigned fewest = UINT32_MAX;

   for (int style = 0; style < TEGRA_NUM_STYLES; style++) {
      unsigned count = 0;

      for (uint32_t i = 0; i < program->num_instructions; i++) {
         struct tegra_view view;

         tegra_view(&view, program->words[i], (enum tegra_style)style);
         count += (unsigned)__builtin_popcountll(view.raw);
      }
      if (count < fewest) {
         best = (enum tegra_style)style;
         fewest = count;
      }
   }
   return best;
}

/* Instructions that a branch of the text goes to. */
static void
find_targets(struct printer *printer)
{
   for (uint32_t i = 0; i < printer->program->num_instructions; i++) {
      struct tegra_view view;

      tegra_view(&view, printer->program->words[i], printer->style);
      if (view.slots[TEGRA_SCALAR].has_target &&
          view.given.rc_swz < printer->program->num_instructions)
         printer->is_target[view.given.rc_swz] = true;
   }
}

char *
tg_tegra_print(const struct tg_tegra_program *program, unsigned flags)
{
   assert(program);
   struct printer printer = {
      .out = {.allocator = program->arena.allocator},
      .program = program,
      .style = choose_style(program),
      .flags = flags,
   };

   if (flags & TG_TEGRA_PRINT_LABELS)
      find_targets(&printer);
   add_names(&printer, ".attributes\n", TG_TEGRA_ATTRIBUTE);
   add_names(&printer, ".exports\n", TG_TEGRA_EXPORT);
   add_names(&printer, ".uniforms\n", TG_TEGRA_UNIFORM);
   add_constants(&printer);
   if (printer.style != TEGRA_STYLE_GRATE) {
      add(&printer, ".defaults ");
      add(&printer, tegra_style_names[printer.style]);
      add(&printer, "\n");
   }
   add(&printer, ".asm\n");
   for (uint32_t i = 0; i < program->num_instructions; i++)
      add_instruction(&printer, i);
   return tg_strbuf_take(&printer.out);
}
