/* SPDX-License-Identifier: MIT
 *
 * The disassembler: instructions as text. What has a value that the text cannot
 * say is printed as a word, so that the assembler makes the same bits of
 * everything.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/isa/control.h"
#include "maxwell/isa/modifiers.h"
#include "maxwell/isa/program.h"
#include "util/minmax.h"
#include "util/strbuf.h"

enum {
   MOST_OPERANDS = 8,
   OPERAND_SIZE = 32,   /* bytes of one, with its NUL */
   MNEMONIC_WIDTH = 12, /* in columns; what the specification's examples have */
};

/* One line, in its pieces. */
struct line {
   char address[24]; /* empty when it is not wanted */
   char guard[8];
   char mnemonic[48];
   char operands[MOST_OPERANDS][OPERAND_SIZE];
   unsigned num_operands;
   char control[80]; /* empty when there is nothing to say */
   char reads[80];   /* registers, without the last */
   char last_read[OPERAND_SIZE];
   char writes[80];
   char word[32];
};

/* The widest piece of each column. */
struct widths {
   int operand[MOST_OPERANDS];
   int last_read;
};

/* ---- pieces -------------------------------------------------------------- */

/* Adds to the end of a string in an array; what does not fit is not added,
 * which no instruction comes to. */
static void
append(char *text, size_t size, const char *format, ...)
   __attribute__((format(printf, 3, 4)));
static void
append(char *text, size_t size, const char *format, ...)
{
   size_t length = strlen(text);
   va_list args;

   va_start(args, format);
   vsnprintf(text + length, size - length, format, args);
   va_end(args);
}
#define APPEND(array, ...) append(array, sizeof(array), __VA_ARGS__)

static void
print_register(char out[OPERAND_SIZE], unsigned number)
{
   if (number == MAXWELL_RZ)
      snprintf(out, OPERAND_SIZE, "RZ");
   else
      snprintf(out, OPERAND_SIZE, "R%u", number);
}

static void
print_predicate(char out[OPERAND_SIZE], unsigned number)
{
   if (number == MAXWELL_PT)
      snprintf(out, OPERAND_SIZE, "PT");
   else
      snprintf(out, OPERAND_SIZE, "P%u", number);
}

static void
print_query(char out[OPERAND_SIZE], unsigned number)
{
   for (unsigned i = 0; i < MAXWELL_NUM_QUERIES; i++) {
      if (maxwell_queries[i].number == number) {
         snprintf(out, OPERAND_SIZE, "%s", maxwell_queries[i].name);
         return;
      }
   }
   snprintf(out, OPERAND_SIZE, "0x%x", number);
}

/* Prints the operand that a letter of isa/forms.def stands for. False when it
 * is left out. */
static bool
print_operand(char out[OPERAND_SIZE], char letter,
              const struct maxwell_instruction *instruction,
              const struct maxwell_properties *properties, unsigned flags)
{
   switch (letter) {
   case 'p':
      print_predicate(out, instruction->dpred);
      return instruction->dpred != MAXWELL_PT;
   case '1': print_register(out, instruction->rd1); return true;
   case '0': print_register(out, instruction->rd0); return true;
   case 'a': print_register(out, instruction->ra); return true;
   case 'b':
      print_register(out, instruction->rb);
      return instruction->rb != MAXWELL_RZ || !(flags & TG_MAXWELL_PRINT_SHORT);
   case 'i':
      snprintf(out, OPERAND_SIZE, "0x%x", instruction->index);
      return true;
   case 'd':
      snprintf(out, OPERAND_SIZE, "%s", maxwell_dims[properties->dim].name);
      return true;
   case 'm':
      snprintf(out, OPERAND_SIZE, "%s",
               maxwell_isa_find_mask(instruction)->name);
      return true;
   case 'x':
      snprintf(out, OPERAND_SIZE, "0x%x", instruction->mask);
      return true;
   default: print_query(out, instruction->query); return true;
   }
}

static void
print_mnemonic(struct line *line, const struct maxwell_instruction *instruction,
               const struct maxwell_properties *properties)
{
   APPEND(line->mnemonic, "%s", maxwell_forms[instruction->form].name);
   for (unsigned i = 0; i < MAXWELL_NUM_MODIFIERS; i++) {
      const struct maxwell_modifier *modifier = &maxwell_modifiers[i];

      if (properties->value[modifier->property] == modifier->value)
         APPEND(line->mnemonic, ".%s", modifier->name);
   }
}

static void
print_guard(struct line *line, const struct maxwell_instruction *instruction)
{
   char name[OPERAND_SIZE];

   if (instruction->pred == MAXWELL_PT && !instruction->pnot)
      return;
   print_predicate(name, instruction->pred);
   APPEND(line->guard, "@%s%s ", instruction->pnot ? "!" : "", name);
}

/* ---- registers in a comment ---------------------------------------------- */

/* The registers of two groups, in their order. Returns how many. */
static unsigned
list_registers(const struct maxwell_group *first,
               const struct maxwell_group *second,
               char names[2 * MAXWELL_MAX_GROUP][OPERAND_SIZE])
{
   const struct maxwell_group *groups[] = {first, second};
   unsigned count = 0;

   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < groups[i]->count; j++)
         print_register(names[count++],
                        tg_min_u32(groups[i]->base + j, MAXWELL_RZ));
   }
   return count;
}

/* "A & B", "A, B, & C", up to the last one, which is left out. */
static void
join(char *out, size_t size, char names[][OPERAND_SIZE], unsigned count)
{
   for (unsigned i = 0; i + 1 < count; i++)
      append(out, size, "%s%s", names[i], count > 2 ? ", " : " ");
   if (count > 1)
      append(out, size, "& ");
}

static void
note_accesses(struct line *line, const struct maxwell_instruction *instruction)
{
   struct maxwell_group sources[2], results[2];
   char names[2 * MAXWELL_MAX_GROUP][OPERAND_SIZE];

   if (!maxwell_source_registers(instruction, sources) ||
       !maxwell_result_registers(instruction, results))
      return;

   unsigned count = list_registers(&sources[0], &sources[1], names);
   join(line->reads, sizeof(line->reads), names, count);
   APPEND(line->last_read, "%s", names[count - 1]);

   count = list_registers(&results[1], &results[0], names);
   join(line->writes, sizeof(line->writes), names, count);
   APPEND(line->writes, "%s", count ? names[count - 1] : "nothing");
}

/* ---- lines --------------------------------------------------------------- */

/* False when text cannot say what the instruction is. */
static bool
make_line(struct line *line, const struct maxwell_instruction *instruction,
          uint32_t control, unsigned flags)
{
   struct maxwell_properties properties;

   if (!maxwell_get_modifiers(instruction, control, &properties) ||
       (maxwell_form_has(instruction->form, MAXWELL_FIELD_wmask) &&
        !maxwell_isa_find_mask(instruction)))
      return false;

   print_guard(line, instruction);
   print_mnemonic(line, instruction, &properties);
   for (const char *letter = maxwell_forms[instruction->form].operands; *letter;
        letter++) {
      char *operand = line->operands[line->num_operands];

      if (print_operand(operand, *letter, instruction, &properties, flags))
         line->num_operands++;
   }
   if (flags & TG_MAXWELL_PRINT_REGISTERS)
      note_accesses(line, instruction);
   return true;
}

static struct line
line_of(const struct tg_maxwell_program *program, uint32_t index,
        unsigned flags)
{
   uint64_t word = program->words[index];
   uint32_t control = program->controls[index];
   struct maxwell_instruction instruction;
   struct line line = {0};

   bool is_known = maxwell_isa_decode(word, &instruction) &&
                   make_line(&line, &instruction, control, flags);
   if (!is_known) {
      line = (struct line){.mnemonic = ".word", .num_operands = 1};
      snprintf(line.operands[0], sizeof(line.operands[0]), "0x%016llx",
               (unsigned long long)word);
   }
   if (flags & TG_MAXWELL_PRINT_ADDRESSES)
      APPEND(line.address, "/*%04zx*/ ", maxwell_program_code_address(index));
   maxwell_print_control(line.control, sizeof(line.control), control, !is_known,
                         flags & TG_MAXWELL_PRINT_PREFIX);
   if (flags & TG_MAXWELL_PRINT_WORDS)
      APPEND(line.word, " %016llx %06x", (unsigned long long)word, control);
   return line;
}

static void
widen(struct widths *widths, const struct line *line)
{
   int last_read = (int)strlen(line->last_read);

   widths->last_read = tg_max_i32(widths->last_read, last_read);
   for (unsigned i = 0; i < line->num_operands; i++) {
      int width = (int)strlen(line->operands[i]);

      widths->operand[i] = tg_max_i32(widths->operand[i], width);
   }
}

/* Words stand to the right of their columns, but the last to the left. */
static void
print_operands(struct tg_strbuf *out, const struct line *line,
               const struct widths *widths)
{
   for (unsigned i = 0; i < line->num_operands; i++) {
      bool is_last = i + 1 == line->num_operands;
      int width = is_last ? 0 : widths->operand[i];

      tg_strbuf_printf(out, "%s%*s", i ? ", " : "", width, line->operands[i]);
   }
}

/* What stands after the sign of a comment, if there is a comment. */
static void
print_comment(struct tg_strbuf *out, const struct line *line,
              const struct widths *widths)
{
   unsigned last = line->num_operands - 1;
   int gap = widths->operand[last] - (int)strlen(line->operands[last]);

   if (!line->last_read[0] && !line->word[0])
      return;
   tg_strbuf_printf(out, "%*s #%s", gap > 0 ? gap : 0, "", line->word);
   if (line->last_read[0])
      tg_strbuf_printf(out, " reads %s%*s; writes %s", line->reads,
                       widths->last_read, line->last_read, line->writes);
}

static void
print_line(struct tg_strbuf *out, const struct line *line,
           const struct widths *widths, unsigned flags)
{
   bool is_aligned = flags & TG_MAXWELL_PRINT_ALIGN;
   bool has_prefix = line->control[0] == '[';

   tg_strbuf_add(out, line->address);
   if (has_prefix)
      tg_strbuf_printf(out, "%s ", line->control);
   tg_strbuf_printf(out, "%s%-*s ", line->guard,
                    is_aligned ? MNEMONIC_WIDTH - 1 : 0, line->mnemonic);
   print_operands(out, line, widths);
   if (!has_prefix && line->control[0])
      tg_strbuf_printf(out, " %s", line->control);
   tg_strbuf_add_char(out, ';');
   print_comment(out, line, widths);
   tg_strbuf_add_char(out, '\n');
}

/* The form of a word and all its fields, in a line of their own. */
static void
print_fields(struct tg_strbuf *out, uint64_t word)
{
   struct maxwell_instruction instruction;

   if (!maxwell_isa_decode(word, &instruction))
      return;
   const struct maxwell_form_info *form = &maxwell_forms[instruction.form];

   tg_strbuf_printf(out, "   # %s%s:", form->name,
                    form->is_bindless ? "_B" : "");
   for (unsigned i = 0; i < MAXWELL_NUM_FIELDS; i++) {
      if (maxwell_form_has(instruction.form, i))
         tg_strbuf_printf(out, " %s=%u", maxwell_field_names[i],
                          instruction.field[i]);
   }
   tg_strbuf_add_char(out, '\n');
}

char *
tg_maxwell_print(const struct tg_maxwell_program *program, unsigned flags)
{
   assert(program);
   struct tg_strbuf out = {.allocator = program->arena.allocator};
   struct widths widths = {0};
   bool is_aligned = flags & TG_MAXWELL_PRINT_ALIGN;

   for (unsigned i = 0; i <= MAXWELL_MAX_INDEX; i++) {
      if (maxwell_program_is_integer(program, i))
         tg_strbuf_printf(&out, ".integer 0x%x;\n", i);
   }
   for (uint32_t i = 0; i < program->num_instructions && is_aligned; i++) {
      struct line line = line_of(program, i, flags);
      widen(&widths, &line);
   }
   for (uint32_t i = 0; i < program->num_instructions; i++) {
      struct line line = line_of(program, i, flags);
      print_line(&out, &line, &widths, flags);
      if (flags & TG_MAXWELL_PRINT_FIELDS)
         print_fields(&out, program->words[i]);
   }
   return tg_strbuf_take(&out);
}
