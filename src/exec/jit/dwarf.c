/* SPDX-License-Identifier: MIT
 *
 * Writes DWARF 4, in its 32-bit format: a compile unit and its function
 * (.debug_abbrev and .debug_info, section 7.5), their line number program
 * (.debug_line, section 6.2), and what unwinds frames (.debug_frame, section
 * 6.4), with the registers of x86-64's psABI.
 */
#include "exec/jit/dwarf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/jit/names.h"
#include "exec/jit/source.h"
#include "util/length.h"

enum {
   DWARF_VERSION = 4,
   ADDRESS_BYTES = 8,
   LENGTH_BYTES = 4, /* of a unit, before it */
};

/* ---- numbers ------------------------------------------------------------- */

/* The least significant byte first. */
static void
add(struct tg_strbuf *out, uint64_t value, unsigned num_bytes)
{
   for (unsigned i = 0; i < num_bytes; i++)
      tg_strbuf_add_char(out, (char)(value >> i * 8 & 0xff));
}

static void
add_byte(struct tg_strbuf *out, unsigned value)
{
   add(out, value, 1);
}

/* LEB128: seven bits a byte, the lowest first; the eighth: more come. */
static void
add_unsigned(struct tg_strbuf *out, uint64_t value)
{
   for (; value >= 0x80; value >>= 7)
      add_byte(out, 0x80 | (value & 0x7f));
   add_byte(out, (unsigned)value);
}

/* The last byte's seventh bit is the sign. */
static void
add_signed(struct tg_strbuf *out, int64_t value)
{
   for (; value < -0x40 || value >= 0x40; value >>= 7)
      add_byte(out, 0x80 | (value & 0x7f));
   add_byte(out, value & 0x7f);
}

static void
add_string(struct tg_strbuf *out, const char *text)
{
   tg_strbuf_add_n(out, text, strlen(text) + 1);
}

static void
add_code_address(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   add(out, (uintptr_t)info->code, ADDRESS_BYTES);
}

/* Where the code is: its beginning and its size. */
static void
add_range(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   add_code_address(out, info);
   add(out, info->size, 8);
}

/* Appends a length, which end_length() fills in: of what lies between. */
static size_t
begin_length(struct tg_strbuf *out)
{
   add(out, 0, LENGTH_BYTES);
   return out->length;
}

static void
end_length(struct tg_strbuf *out, size_t begin)
{
   if (out->failed)
      return;
   const size_t length = out->length - begin;

   for (unsigned i = 0; i < LENGTH_BYTES; i++)
      out->data[begin - LENGTH_BYTES + i] = (char)(length >> i * 8 & 0xff);
}

/* ---- frames -------------------------------------------------------------- */

enum { RBP = 6, RSP = 7, RETURN_ADDRESS = 16 }; /* registers */

/* The first two have their operand in the lower six bits. */
enum {
   CFA_ADVANCE_LOC = 0x40,
   CFA_OFFSET = 0x80,
   CFA_NOP = 0x00,
   CFA_DEF_CFA = 0x0c,
   CFA_DEF_CFA_REGISTER = 0x0d,
   CFA_DEF_CFA_OFFSET = 0x0e,
   SIX_BITS = 0x3f,
};

enum { WORD_BYTES = 8, CIE_ID = -1 };

/* A register is so many words below the CFA, where the caller's frame ends. */
static void
add_saved(struct tg_strbuf *out, unsigned reg, unsigned num_words)
{
   add_byte(out, CFA_OFFSET | reg);
   add_unsigned(out, num_words);
}

/* Entries are whole words, with their length. */
static void
end_frame(struct tg_strbuf *out, size_t begin)
{
   while (!out->failed && (out->length - begin + LENGTH_BYTES) % WORD_BYTES)
      add_byte(out, CFA_NOP);
   end_length(out, begin);
}

/* A common information entry: how it is when a function is called. */
static void
write_common_frame(struct tg_strbuf *out)
{
   const size_t begin = begin_length(out);

   add(out, (uint32_t)CIE_ID, 4);
   add_byte(out, DWARF_VERSION);
   add_string(out, ""); /* no augmentation */
   add_byte(out, ADDRESS_BYTES);
   add_byte(out, 0);             /* of a segment */
   add_unsigned(out, 1);         /* the factor of addresses */
   add_signed(out, -WORD_BYTES); /* and of offsets */
   add_unsigned(out, RETURN_ADDRESS);
   add_byte(out, CFA_DEF_CFA);
   add_unsigned(out, RSP);
   add_unsigned(out, WORD_BYTES);
   add_saved(out, RETURN_ADDRESS, 1);
   end_frame(out, begin);
}

static void
advance_frame(struct tg_strbuf *out, uint32_t *offset, uint32_t to)
{
   assert(to > *offset && to - *offset <= SIX_BITS);
   add_byte(out, CFA_ADVANCE_LOC | (to - *offset));
   *offset = to;
}

/* What pushes change, and what no longer does once RBP stays where it is. */
static void
write_prologue(struct tg_strbuf *out, const struct jit_prologue *prologue)
{
   uint32_t offset = 0;

   for (unsigned i = 0; i < prologue->num_saves; i++) {
      const unsigned num_words = i + 2; /* with the return address */

      advance_frame(out, &offset, prologue->saves[i].offset);
      add_byte(out, CFA_DEF_CFA_OFFSET);
      add_unsigned(out, num_words * WORD_BYTES);
      add_saved(out, prologue->saves[i].reg, num_words);
   }
   advance_frame(out, &offset, prologue->frame_offset);
   add_byte(out, CFA_DEF_CFA_REGISTER);
   add_unsigned(out, RBP);
}

/* At the end of a function only its return comes after RBP is popped: GDB looks
 * for that itself. */
void
jit_dwarf_write_frames(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   write_common_frame(out);
   const size_t begin = begin_length(out);
   add(out, 0, 4); /* the offset of the common entry */
   add_range(out, info);
   write_prologue(out, &info->prologue);
   end_frame(out, begin);
}

/* ---- entries ------------------------------------------------------------- */

enum { UNIT = 1, FUNCTION }; /* abbreviations */

enum { HAS_NO_CHILDREN, HAS_CHILDREN };

enum { TAG_COMPILE_UNIT = 0x11, TAG_SUBPROGRAM = 0x2e };

enum {
   AT_NAME = 0x03,
   AT_STMT_LIST = 0x10,
   AT_LOW_PC = 0x11,
   AT_HIGH_PC = 0x12,
   AT_LANGUAGE = 0x13,
   AT_COMP_DIR = 0x1b,
   AT_PRODUCER = 0x25,
   AT_PROTOTYPED = 0x27,
   AT_DECL_FILE = 0x3a,
   AT_DECL_LINE = 0x3b,
   AT_EXTERNAL = 0x3f,
};

enum {
   FORM_ADDR = 0x01,
   FORM_DATA8 = 0x07,
   FORM_STRING = 0x08,
   FORM_DATA1 = 0x0b,
   FORM_UDATA = 0x0f,
   FORM_SEC_OFFSET = 0x17,
   FORM_FLAG_PRESENT = 0x19,
};

/* In the order of write_unit() and write_function(). */
/* clang-format off */
static const uint8_t abbreviations[] = {
   UNIT, TAG_COMPILE_UNIT, HAS_CHILDREN,
   AT_PRODUCER,   FORM_STRING,
   AT_LANGUAGE,   FORM_DATA1,
   AT_NAME,       FORM_STRING,
   AT_COMP_DIR,   FORM_STRING,
   AT_LOW_PC,     FORM_ADDR,
   AT_HIGH_PC,    FORM_DATA8,
   AT_STMT_LIST,  FORM_SEC_OFFSET,
   0, 0,
   FUNCTION, TAG_SUBPROGRAM, HAS_NO_CHILDREN,
   AT_NAME,       FORM_STRING,
   AT_DECL_FILE,  FORM_DATA1,
   AT_DECL_LINE,  FORM_UDATA,
   AT_LOW_PC,     FORM_ADDR,
   AT_HIGH_PC,    FORM_DATA8,
   AT_PROTOTYPED, FORM_FLAG_PRESENT,
   AT_EXTERNAL,   FORM_FLAG_PRESENT,
   0, 0,
   0,
};
/* clang-format on */

void
jit_dwarf_write_abbreviations(struct tg_strbuf *out,
                              const struct jit_debug_info *info)
{
   (void)info;
   tg_strbuf_add_n(out, (const char *)abbreviations, sizeof(abbreviations));
}

enum { LANGUAGE_C99 = 0x0c }; /* there is no code for TGSI */

/* The numbers of files begin with 1; folder 0 is that of the unit. */
enum { FILE_NUMBER = 1, FOLDER_NUMBER = 0 };

static void
write_unit(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   char *folder = jit_find_source_folder(&info->module->symbols);

   add_unsigned(out, UNIT);
   add_string(out, "tungsten");
   add_byte(out, LANGUAGE_C99);
   add_string(out, jit_find_source_file(&info->module->symbols));
   add_string(out, folder ? folder : "");
   add_range(out, info);
   add(out, 0, 4); /* the offset in .debug_line */
   free(folder);
}

static void
write_function(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   char title[JIT_TITLE_BYTES];

   jit_print_name(info->module, title);
   add_unsigned(out, FUNCTION);
   add_string(out, title);
   add_byte(out, FILE_NUMBER);
   add_unsigned(out, jit_find_source_line(&info->module->symbols, 0));
   add_range(out, info);
}

void
jit_dwarf_write_entries(struct tg_strbuf *out,
                        const struct jit_debug_info *info)
{
   const size_t begin = begin_length(out);

   add(out, DWARF_VERSION, 2);
   add(out, 0, 4); /* the offset in .debug_abbrev */
   add_byte(out, ADDRESS_BYTES);
   write_unit(out, info);
   write_function(out, info);
   add_byte(out, 0); /* the unit has no more children */
   end_length(out, begin);
}

/* ---- line number programs ------------------------------------------------ */

/* Standard opcodes; a zero byte introduces the extended ones. */
enum {
   LNS_COPY = 1,
   LNS_ADVANCE_PC = 2,
   LNS_ADVANCE_LINE = 3,
   LNE_END_SEQUENCE = 1,
   LNE_SET_ADDRESS = 2,
};

/* Operands of the standard opcodes, from 1 on. */
static const uint8_t num_operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

/* Special opcodes advance line and address at once, and append a row. */
enum {
   OPCODE_BASE = TG_LENGTH(num_operands) + 1,
   LINE_BASE = -5, /* the least advance of the line */
   LINE_RANGE = 14,
   MOST_OPCODE = 255,
};

static void
write_program_header(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   add(out, DWARF_VERSION, 2);
   const size_t begin = begin_length(out);
   add_byte(out, 1); /* the least size of an instruction */
   add_byte(out, 1); /* operations of an instruction */
   add_byte(out, 1); /* rows are where breakpoints may be */
   add_byte(out, LINE_BASE & 0xff);
   add_byte(out, LINE_RANGE);
   add_byte(out, OPCODE_BASE);
   tg_strbuf_add_n(out, (const char *)num_operands, sizeof(num_operands));
   add_byte(out, 0); /* no folders but that of the unit */
   add_string(out, jit_find_source_file(&info->module->symbols));
   add_unsigned(out, FOLDER_NUMBER);
   add_unsigned(out, 0); /* when it was changed, and its size: not known */
   add_unsigned(out, 0);
   add_byte(out, 0); /* no more files */
   end_length(out, begin);
}

/* Has a special opcode room for it? */
static bool
is_special(uint32_t advance, int64_t line_advance)
{
   const int64_t line_part = line_advance - LINE_BASE;

   return line_part >= 0 && line_part < LINE_RANGE &&
          advance <= (MOST_OPCODE - OPCODE_BASE - line_part) / LINE_RANGE;
}

/* Appends a row. */
static void
advance_to_row(struct tg_strbuf *out, uint32_t advance, int64_t line_advance)
{
   if (is_special(advance, line_advance)) {
      add_byte(out, (unsigned)(line_advance - LINE_BASE) +
                       LINE_RANGE * advance + OPCODE_BASE);
      return;
   }
   add_byte(out, LNS_ADVANCE_PC);
   add_unsigned(out, advance);
   add_byte(out, LNS_ADVANCE_LINE);
   add_signed(out, line_advance);
   add_byte(out, LNS_COPY);
}

static void
begin_extended(struct tg_strbuf *out, unsigned opcode, unsigned num_bytes)
{
   add_byte(out, 0);
   add_unsigned(out, 1 + num_bytes);
   add_byte(out, opcode);
}

/* A program begins with address 0 and line 1. */
static void
write_program(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   uint32_t offset = 0, line = 1;

   begin_extended(out, LNE_SET_ADDRESS, ADDRESS_BYTES);
   add_code_address(out, info);
   for (uint32_t i = 0; i < info->num_rows; i++) {
      const struct jit_line_row *row = &info->rows[i];

      assert(i == 0 || row->offset > offset);
      assert(row->offset < info->size);
      advance_to_row(out, row->offset - offset, (int64_t)row->line - line);
      offset = row->offset;
      line = row->line;
   }
   add_byte(out, LNS_ADVANCE_PC);
   add_unsigned(out, info->size - offset);
   begin_extended(out, LNE_END_SEQUENCE, 0);
}

void
jit_dwarf_write_lines(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   const size_t begin = begin_length(out);

   write_program_header(out, info);
   write_program(out, info);
   end_length(out, begin);
}
