/* SPDX-License-Identifier: MIT
 *
 * From a shader's text to the lines of its code: what a debugger finds, which
 * reads the object as DWARF 4 says and knows nothing of what wrote it. Each
 * line of the shaders has a constant that no other has, so that code that reads
 * it is known to be of that line, whatever the table says.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/jit/debug.h"
#include "exec/x86/emitter.h"
#include "lir/passes.h"
#include "lower/lower.h"
#include "util/length.h"

/* ---- what a debugger reads ----------------------------------------------- */

/* Bytes that are read in order, and never beyond the end. */
struct reader {
   const uint8_t *at, *end;
};

static uint64_t
read_number(struct reader *reader, unsigned num_bytes)
{
   uint64_t number = 0;

   assert_true((size_t)(reader->end - reader->at) >= num_bytes);
   for (unsigned i = 0; i < num_bytes; i++)
      number |= (uint64_t)*reader->at++ << i * 8;
   return number;
}

static uint64_t
read_uleb(struct reader *reader)
{
   uint64_t number = 0;

   for (unsigned shift = 0;; shift += 7) {
      const uint64_t byte = read_number(reader, 1);

      assert_true(shift < 64);
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80)
         return number;
   }
}

static int64_t
read_sleb(struct reader *reader)
{
   int64_t number = 0, weight = 1;

   for (;;) {
      const int byte = (int)read_number(reader, 1);

      if (byte < 0x80)
         return number + weight * (byte < 0x40 ? byte : byte - 0x80);
      number += weight * (byte - 0x80);
      weight *= 0x80;
   }
}

static const char *
read_string(struct reader *reader)
{
   const char *string = (const char *)reader->at;

   while (read_number(reader, 1) != 0)
      ;
   return string;
}

/* What is in a unit after its length; the reader is after the unit. */
static struct reader
read_unit(struct reader *reader)
{
   const uint64_t length = read_number(reader, 4);
   struct reader unit = {reader->at, reader->at + length};

   assert_true(length <= (size_t)(reader->end - reader->at));
   reader->at += length;
   return unit;
}

static struct reader
open_section(const struct reader *object, const char *name)
{
   Elf64_Ehdr header;
   Elf64_Shdr names, section;
   const uint8_t *file = object->at;

   memcpy(&header, file, sizeof(header));
   assert_memory_equal(header.e_ident, ELFMAG, SELFMAG);
   const uint8_t *table = file + header.e_shoff;
   memcpy(&names, table + header.e_shstrndx * sizeof(names), sizeof(names));
   for (unsigned i = 1; i < header.e_shnum; i++) {
      memcpy(&section, table + i * sizeof(section), sizeof(section));
      if (strcmp((const char *)file + names.sh_offset + section.sh_name,
                 name) != 0)
         continue;
      assert_true(section.sh_offset + section.sh_size <=
                  (size_t)(object->end - file));
      return (struct reader){
         file + section.sh_offset,
         file + section.sh_offset + section.sh_size,
      };
   }
   fail_msg("no section %s", name);
   return (struct reader){0};
}

/* ---- entries ------------------------------------------------------------- */

enum { NUM_ATTRIBUTES = 0x40 }; /* more than the highest that there is */

/* An entry's attributes by number: numbers, and strings. */
struct entry {
   uint64_t tag;
   bool has_children;
   uint64_t number[NUM_ATTRIBUTES];
   const char *string[NUM_ATTRIBUTES];
};

/* Moves to what follows the code of an abbreviation. */
static void
find_abbreviation(struct reader *reader, uint64_t code)
{
   while (read_uleb(reader) != code) {
      read_uleb(reader);
      read_number(reader, 1);
      while (read_uleb(reader) | read_uleb(reader))
         ;
   }
}

static void
read_attribute(struct reader *reader, uint64_t name, uint64_t form,
               struct entry *entry)
{
   assert_true(name < NUM_ATTRIBUTES);
   switch (form) {
   case 0x01: /* DW_FORM_addr */
   case 0x07: entry->number[name] = read_number(reader, 8); break; /* data8 */
   case 0x08: entry->string[name] = read_string(reader); break;    /* string */
   case 0x0b: entry->number[name] = read_number(reader, 1); break; /* data1 */
   case 0x0f: entry->number[name] = read_uleb(reader); break;      /* udata */
   case 0x17: entry->number[name] = read_number(reader, 4); break; /* offset */
   case 0x19: entry->number[name] = 1; break; /* flag_present */
   default: fail_msg("form %u", (unsigned)form);
   }
}

static struct entry
read_entry(const struct reader *object, struct reader *reader)
{
   struct reader abbreviation = open_section(object, ".debug_abbrev");
   struct entry entry = {0};

   find_abbreviation(&abbreviation, read_uleb(reader));
   entry.tag = read_uleb(&abbreviation);
   entry.has_children = read_number(&abbreviation, 1) == 1;
   for (;;) {
      const uint64_t name = read_uleb(&abbreviation);
      const uint64_t form = read_uleb(&abbreviation);

      if (!name && !form)
         return entry;
      read_attribute(reader, name, form, &entry);
   }
}

/* ---- line number programs ------------------------------------------------ */

enum { MAX_ROWS = 256, MAX_OPCODES = 32 };

struct row {
   uint64_t address;
   uint64_t line, file;
   bool is_statement, is_end;
};

struct table {
   const char *folder, *file; /* of file 1; NULL: the unit's folder */
   struct row rows[MAX_ROWS];
   unsigned num_rows;
};

struct program {
   uint64_t least_instruction, line_range, opcode_base;
   int64_t line_base;
   bool is_statement;
   uint64_t num_operands[MAX_OPCODES];
};

/* Folders and files; one file is expected. */
static void
read_files(struct reader *header, struct table *table)
{
   const char *folders[4] = {NULL};
   unsigned num_folders = 1;

   for (const char *name; *(name = read_string(header)); num_folders++) {
      assert_true(num_folders < TG_LENGTH(folders));
      folders[num_folders] = name;
   }
   table->file = read_string(header);
   assert_true(*table->file);
   const uint64_t folder = read_uleb(header);
   assert_true(folder < num_folders);
   table->folder = folders[folder];
   read_uleb(header);
   read_uleb(header);
   assert_string_equal(read_string(header), "");
}

/* The program's reader is then at its first opcode. */
static struct program
read_header(struct reader *unit, struct table *table)
{
   struct program program = {0};

   assert_int_equal(read_number(unit, 2), 4);
   struct reader header = read_unit(unit);
   program.least_instruction = read_number(&header, 1);
   assert_int_equal(read_number(&header, 1), 1);
   program.is_statement = read_number(&header, 1) == 1;
   program.line_base = (int8_t)read_number(&header, 1);
   program.line_range = read_number(&header, 1);
   program.opcode_base = read_number(&header, 1);
   assert_true(program.opcode_base <= MAX_OPCODES);
   for (unsigned i = 1; i < program.opcode_base; i++)
      program.num_operands[i] = read_number(&header, 1);
   read_files(&header, table);
   assert_ptr_equal(header.at, header.end);
   return program;
}

static void
append_row(struct table *table, const struct row *row)
{
   assert_true(table->num_rows < MAX_ROWS);
   table->rows[table->num_rows++] = *row;
}

static struct row
first_row(const struct program *program)
{
   return (struct row){
      .line = 1,
      .file = 1,
      .is_statement = program->is_statement,
   };
}

static void
run_extended(const struct program *program, struct reader *reader,
             struct row *row, struct table *table)
{
   const uint64_t length = read_uleb(reader);
   const uint8_t *begin = reader->at;

   switch (read_number(reader, 1)) {
   case 1: /* DW_LNE_end_sequence */
      row->is_end = true;
      append_row(table, row);
      *row = first_row(program);
      break;
   case 2: row->address = read_number(reader, 8); break; /* set_address */
   default: fail_msg("an extended opcode");
   }
   assert_true((size_t)(reader->at - begin) == length);
}

static void
run_special(const struct program *program, unsigned opcode, struct row *row,
            struct table *table)
{
   const uint64_t rest = opcode - program->opcode_base;

   row->address += rest / program->line_range * program->least_instruction;
   row->line +=
      (uint64_t)(program->line_base + (int64_t)(rest % program->line_range));
   append_row(table, row);
}

static void
run_standard(const struct program *program, unsigned opcode,
             struct reader *reader, struct row *row, struct table *table)
{
   switch (opcode) {
   case 1: append_row(table, row); break;
   case 2: row->address += read_uleb(reader); break;
   case 3: row->line += (uint64_t)read_sleb(reader); break;
   case 4: row->file = read_uleb(reader); break;
   case 6: row->is_statement = !row->is_statement; break;
   case 8:
      row->address += (255 - program->opcode_base) / program->line_range;
      break;
   case 9: row->address += read_number(reader, 2); break;
   default:
      for (uint64_t i = 0; i < program->num_operands[opcode]; i++)
         read_uleb(reader);
   }
}

static void
read_table(const struct reader *object, struct table *table)
{
   struct reader section = open_section(object, ".debug_line");
   struct reader unit = read_unit(&section);

   assert_ptr_equal(section.at, section.end);
   *table = (struct table){0};
   const struct program program = read_header(&unit, table);
   struct row row = first_row(&program);
   while (unit.at < unit.end) {
      const unsigned opcode = (unsigned)read_number(&unit, 1);

      if (opcode >= program.opcode_base)
         run_special(&program, opcode, &row, table);
      else if (opcode == 0)
         run_extended(&program, &unit, &row, table);
      else
         run_standard(&program, opcode, &unit, &row, table);
   }
}

static uint64_t
find_line(const struct table *table, uint64_t address)
{
   for (unsigned i = 0; i + 1 < table->num_rows; i++) {
      if (address >= table->rows[i].address &&
          address < table->rows[i + 1].address)
         return table->rows[i].line;
   }
   return 0;
}

/* ---- from text to an object ---------------------------------------------- */

static const uint64_t code_address = 0x7f0012345000;

struct compiled {
   struct tg_arena arena;
   struct lir_module module;
   struct x86_emitter *e;
   char *object;
   struct reader file;
   struct table table;
};

static void
lower(const char *text, struct lir_module *module)
{
   const struct lower_options options = {0};
   struct tg_shader *shader;

   assert_int_equal(tg_shader_parse(NULL, "folder/a.tgsi", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_int_equal(tg_shader_validate(shader, NULL), TG_OK);
   lir_module_init(module, NULL);
   assert_int_equal(lower_shader(shader, &options, module, NULL), TG_OK);
   uint32_t *lines =
      tg_arena_array(&module->arena, shader->num_instructions, sizeof(*lines));
   assert_non_null(lines);
   for (uint32_t i = 0; i < shader->num_instructions; i++)
      lines[i] = shader->instructions[i].position.line;
   module->symbols = (struct lir_symbols){
      .name = "FRAG a",
      .file = "folder/a.tgsi",
      .lines = lines,
      .num_lines = shader->num_instructions,
   };
   tg_shader_destroy(shader);
   assert_null(lir_verify(module));
   assert_int_equal(lir_optimize(module, NULL), TG_OK);
}

static void
compile(const char *text, struct compiled *compiled)
{
   static struct jit_shape shape;
   struct x86_emitter *e;
   size_t size;

   lower(text, &compiled->module);
   assert_true(jit_survey(&compiled->module, &shape));
   tg_arena_init(&compiled->arena, NULL);
   e = compiled->e = tg_arena_alloc(&compiled->arena, sizeof(*e));
   assert_non_null(e);
   assert_int_equal(x86_emit(e, &compiled->module, &shape, &compiled->arena),
                    TG_OK);
   x86_asm_size(&e->a);
   compiled->object = jit_make_debug_object(
      &(struct jit_debug_info){
         .module = &compiled->module,
         .code = (const void *)(uintptr_t)code_address,
         .size = e->a.num_bytes,
         .rows = e->lines.rows,
         .num_rows = e->lines.num_rows,
         .prologue = e->prologue,
      },
      &size);
   assert_non_null(compiled->object);
   compiled->file = (struct reader){
      (const uint8_t *)compiled->object,
      (const uint8_t *)compiled->object + size,
   };
   read_table(&compiled->file, &compiled->table);
}

static void
release(struct compiled *compiled)
{
   tg_string_free(compiled->object);
   tg_arena_finish(&compiled->arena);
   lir_module_finish(&compiled->module);
}

/* ---- what is to be found ------------------------------------------------- */

/* One sequence, in the order of addresses, from the beginning of the code to
 * its end. */
static void
check_order(const struct compiled *compiled)
{
   const struct table *table = &compiled->table;
   const struct row *last = &table->rows[table->num_rows - 1];

   assert_true(table->num_rows >= 2);
   assert_true(table->rows[0].address == code_address);
   for (const struct row *row = table->rows; row < last; row++) {
      assert_true(row->address < row[1].address);
      assert_int_equal(row->file, 1);
      assert_true(row->is_statement);
      assert_false(row->is_end);
   }
   assert_true(last->is_end);
   assert_true(last->address == code_address + compiled->e->a.num_bytes);
}

/* Code that reads a constant is of a line, wherever that is; so much of it
 * there is at least. */
static void
check_constant(const struct compiled *compiled, float constant, uint64_t line,
               unsigned least)
{
   const struct x86_assembler *a = &compiled->e->a;
   float lanes[X86_CONSTANT_BYTES / sizeof(float)];
   unsigned count = 0;

   for (unsigned i = 0; i < TG_LENGTH(lanes); i++)
      lanes[i] = constant;
   for (uint32_t i = 0; i < a->num_fixups; i++) {
      const struct x86_fixup *fixup = &a->fixups[i];

      if (!fixup->is_constant ||
          memcmp(a->constants[fixup->target], lanes, sizeof(lanes)) != 0)
         continue;
      assert_int_equal(find_line(&compiled->table, code_address + fixup->place),
                       line);
      count++;
   }
   assert_true(count >= least);
}

/* Jumps to a place are of a line; there are some. */
static void
check_jumps(const struct compiled *compiled, uint32_t place, uint64_t line)
{
   const struct x86_assembler *a = &compiled->e->a;
   unsigned count = 0;

   for (uint32_t i = 0; i < a->num_fixups; i++) {
      const struct x86_fixup *fixup = &a->fixups[i];

      if (fixup->is_constant || a->labels[fixup->target] != place)
         continue;
      assert_int_equal(find_line(&compiled->table, code_address + fixup->place),
                       line);
      count++;
   }
   assert_true(count > 0);
}

/* The line of code that stores the number of a TGSI instruction for a fault,
 * and of the jumps to it: an immediate word, for a field of the frame whose
 * displacement takes one byte or four. */
static void
check_fault(const struct compiled *compiled, uint32_t origin, uint64_t line)
{
   const uint32_t field = offsetof(struct jit_frame, fault_origin);
   const uint8_t *bytes = compiled->e->a.bytes;
   unsigned count = 0;

   for (uint32_t i = 0; i + 10 <= compiled->e->a.num_bytes; i++) {
      uint32_t displacement, stored;

      memcpy(&displacement, bytes + i + 2, 4);
      memcpy(&stored, bytes + i + (field < 0x80 ? 3 : 6), 4);
      displacement = field < 0x80 ? displacement & 0xff : displacement;
      if (bytes[i] != 0xc7 || bytes[i + 1] != (field < 0x80 ? 0x43 : 0x83) ||
          displacement != field || stored != origin)
         continue;
      assert_int_equal(find_line(&compiled->table, code_address + i), line);
      check_jumps(compiled, i, line);
      count++;
   }
   assert_true(count > 0);
}

/* ---- shaders ------------------------------------------------------------- */

static const char straight[] =
   "FRAG\n"                                   /* 1 */
   "DCL IN[0], GENERIC[0], PERSPECTIVE\n"     /* 2 */
   "DCL OUT[0], COLOR\n"                      /* 3 */
   "DCL TEMP[0]\n"                            /* 4 */
   "IMM[0] FLT32 {3.25, 5.5, 7.75, 9.125}\n"  /* 5 */
   "MUL TEMP[0], IN[0], IMM[0].xxxx\n"        /* 6 */
   "\n"                                       /* 7 */
   "ADD TEMP[0], TEMP[0], IMM[0].yyyy\n"      /* 8 */
   "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n" /* 28 */
   "MUL TEMP[0], TEMP[0].yzwx,\n"             /* 29 */
   "    IMM[0].zzzz\n"                        /* 30 */
   "ADD OUT[0], TEMP[0], IMM[0].wwww\n"       /* 31 */
   "END\n";                                   /* 32 */

/* Both halves of a wave, of four channels, are of a line before the next. */
static void
test_straight(void **state)
{
   static const uint64_t lines[] = {6, 8, 29, 31};
   struct compiled compiled = {0};

   (void)state;
   compile(straight, &compiled);
   check_order(&compiled);
   check_constant(&compiled, 3.25f, 6, 8);
   check_constant(&compiled, 5.5f, 8, 8);
   check_constant(&compiled, 7.75f, 29, 8);
   check_constant(&compiled, 9.125f, 31, 8);
   assert_int_equal(compiled.table.num_rows, TG_LENGTH(lines) + 1);
   for (unsigned i = 0; i < TG_LENGTH(lines); i++)
      assert_int_equal(compiled.table.rows[i].line, lines[i]);
   release(&compiled);
}

/* A loop; its end is instruction 7, counted from 0. */
static const char loop[] = "FRAG\n"                                  /* 1 */
                           "DCL IN[0], GENERIC[0], PERSPECTIVE\n"    /* 2 */
                           "DCL OUT[0], COLOR\n"                     /* 3 */
                           "DCL TEMP[0..1]\n"                        /* 4 */
                           "IMM[0] FLT32 {3.25, 5.5, 7.75, 9.125}\n" /* 5 */
                           "MUL TEMP[0], IN[0], IMM[0].xxxx\n"       /* 6 */
                           "BGNLOOP\n"                               /* 7 */
                           "  FSGE TEMP[1].x, TEMP[0], IMM[0].yyyy\n"
                           "  UIF TEMP[1].xxxx\n" /* 9 */
                           "    BRK\n"
                           "  ENDIF\n"                             /* 11 */
                           "  ADD TEMP[0], TEMP[0], IMM[0].zzzz\n" /* 12 */
                           "ENDLOOP\n"                             /* 13 */
                           "ADD OUT[0], TEMP[0], IMM[0].wwww\n"    /* 14 */
                           "END\n";

static void
test_loop(void **state)
{
   struct compiled compiled = {0};

   (void)state;
   compile(loop, &compiled);
   check_order(&compiled);
   check_constant(&compiled, 3.25f, 6, 8);
   check_constant(&compiled, 5.5f, 8, 2);
   check_constant(&compiled, 7.75f, 12, 8);
   check_constant(&compiled, 9.125f, 14, 8);
   check_fault(&compiled, 7, 13);
   release(&compiled);
}

/* The unit and its function, of which nothing follows. */
static void
test_entries(void **state)
{
   struct compiled compiled = {0};
   char *folder = realpath(".", NULL);

   (void)state;
   assert_non_null(folder);
   compile(straight, &compiled);
   struct reader section = open_section(&compiled.file, ".debug_info");
   struct reader reader = read_unit(&section);
   assert_ptr_equal(section.at, section.end);
   assert_int_equal(read_number(&reader, 2), 4);
   assert_int_equal(read_number(&reader, 4), 0);
   assert_int_equal(read_number(&reader, 1), 8);

   const struct entry unit = read_entry(&compiled.file, &reader);
   assert_int_equal(unit.tag, 0x11); /* DW_TAG_compile_unit */
   assert_true(unit.has_children);
   assert_string_equal(unit.string[0x03], "folder/a.tgsi"); /* DW_AT_name */
   assert_string_equal(unit.string[0x1b], folder);          /* comp_dir */
   assert_int_equal(unit.number[0x10], 0);                  /* stmt_list */
   assert_true(unit.number[0x11] == code_address);          /* low_pc */
   assert_int_equal(unit.number[0x12], compiled.e->a.num_bytes); /* high_pc */

   const struct entry function = read_entry(&compiled.file, &reader);
   assert_int_equal(function.tag, 0x2e); /* DW_TAG_subprogram */
   assert_false(function.has_children);
   assert_string_equal(function.string[0x03], "FRAG_a");
   assert_int_equal(function.number[0x3a], 1); /* decl_file */
   assert_int_equal(function.number[0x3b], 6); /* decl_line */
   assert_true(function.number[0x11] == code_address);
   assert_int_equal(function.number[0x12], compiled.e->a.num_bytes);

   assert_int_equal(read_number(&reader, 1), 0);
   assert_ptr_equal(reader.at, reader.end);
   assert_string_equal(compiled.table.file, "folder/a.tgsi");
   assert_null(compiled.table.folder);
   release(&compiled);
   free(folder);
}

/* ---- the prologue -------------------------------------------------------- */

/* Registers by DWARF's numbers, and how they are pushed. */
static const struct {
   uint8_t number, bytes[2], num_bytes;
} pushes[] = {
   {6, {0x55}, 1},        /* RBP */
   {3, {0x53}, 1},        /* RBX */
   {12, {0x41, 0x54}, 2}, /* R12 to R15 */
   {13, {0x41, 0x55}, 2}, {14, {0x41, 0x56}, 2}, {15, {0x41, 0x57}, 2},
};

/* Each register is saved where it has just been pushed; RBP is a copy of RSP
 * where that has been copied. */
static void
test_prologue(void **state)
{
   static const uint8_t copies[][3] = {{0x48, 0x8b, 0xec}, {0x48, 0x89, 0xe5}};
   struct compiled compiled = {0};
   unsigned seen = 0;

   (void)state;
   compile(straight, &compiled);
   const struct jit_prologue *prologue = &compiled.e->prologue;
   const uint8_t *bytes = compiled.e->a.bytes;
   uint32_t offset = 0;
   assert_int_equal(prologue->num_saves, TG_LENGTH(pushes));
   for (unsigned i = 0; i < prologue->num_saves; i++) {
      unsigned k = 0;

      while (k < TG_LENGTH(pushes) &&
             pushes[k].number != prologue->saves[i].reg)
         k++;
      assert_true(k < TG_LENGTH(pushes));
      assert_memory_equal(bytes + offset, pushes[k].bytes, pushes[k].num_bytes);
      offset += pushes[k].num_bytes;
      assert_int_equal(prologue->saves[i].offset, offset);
      seen |= 1u << k;
   }
   assert_int_equal(seen, (1u << TG_LENGTH(pushes)) - 1);
   assert_true(memcmp(bytes + offset, copies[0], 3) == 0 ||
               memcmp(bytes + offset, copies[1], 3) == 0);
   assert_int_equal(prologue->frame_offset, offset + 3);
   release(&compiled);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_entries),
      cmocka_unit_test(test_prologue),
   };

   setenv("TUNGSTEN_JIT_DEBUG", "gdb", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
