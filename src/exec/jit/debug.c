/* SPDX-License-Identifier: MIT
 *
 * ELF: the header, the table of sections, and then what they contain. Code is
 * in none of it; its section has the address that the code has.
 */
#include <assert.h>
#include <elf.h>
#include <string.h>

#include "exec/jit/debug.h"
#include "exec/jit/dwarf.h"
#include "exec/jit/names.h"
#include "util/length.h"
#include "util/strbuf.h"

/* ---- sections ------------------------------------------------------------ */

enum { TEXT = 1, SYMBOLS, STRINGS, FRAMES };

static void
write_symbols(struct tg_strbuf *out, const struct jit_debug_info *info);
static void
write_strings(struct tg_strbuf *out, const struct jit_debug_info *info);

typedef void (*section_writer)(struct tg_strbuf *out,
                               const struct jit_debug_info *info);

/* By number. Those that follow the frames are there if there are lines. */
static const struct section {
   const char *name;
   uint32_t type;
   section_writer write; /* NULL: nothing of it is in the file */
} sections[] = {
   {"", SHT_NULL, NULL},
   [TEXT] = {".text", SHT_NOBITS, NULL},
   [SYMBOLS] = {".symtab", SHT_SYMTAB, write_symbols},
   [STRINGS] = {".strtab", SHT_STRTAB, write_strings},
   [FRAMES] = {".debug_frame", SHT_PROGBITS, jit_dwarf_write_frames},
   {".debug_abbrev", SHT_PROGBITS, jit_dwarf_write_abbreviations},
   {".debug_info", SHT_PROGBITS, jit_dwarf_write_entries},
   {".debug_line", SHT_PROGBITS, jit_dwarf_write_lines},
};

enum { NUM_SECTIONS = TG_LENGTH(sections) };

/* Where the name of a section is in .strtab; of NUM_SECTIONS: the symbol's. */
static uint32_t
place_of_name(unsigned section)
{
   size_t place = 0;

   for (unsigned i = 0; i < section; i++)
      place += strlen(sections[i].name) + 1;
   return (uint32_t)place;
}

static void
write_strings(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   char title[JIT_TITLE_BYTES];

   for (unsigned i = 0; i < NUM_SECTIONS; i++)
      tg_strbuf_add_n(out, sections[i].name, strlen(sections[i].name) + 1);
   jit_print_name(info->module, title);
   tg_strbuf_add_n(out, title, strlen(title) + 1);
}

/* The first symbol stands for none. */
static void
write_symbols(struct tg_strbuf *out, const struct jit_debug_info *info)
{
   const Elf64_Sym symbols[] = {
      {0},
      {
         .st_name = place_of_name(NUM_SECTIONS),
         .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
         .st_shndx = TEXT,
         .st_value = (uintptr_t)info->code,
         .st_size = info->size,
      },
   };

   tg_strbuf_add_n(out, (const char *)symbols, sizeof(symbols));
}

/* ---- objects ------------------------------------------------------------- */

enum { ALIGNMENT = 8 }; /* of contents in the file */

/* What precedes them in the file. */
struct head {
   Elf64_Ehdr header;
   Elf64_Shdr sections[NUM_SECTIONS];
};
_Static_assert(sizeof(struct head) % ALIGNMENT == 0, "contents are aligned");

static void
fill_header(Elf64_Ehdr *header, const struct jit_debug_info *info)
{
   *header = (Elf64_Ehdr){
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                  EV_CURRENT},
      .e_type = ET_EXEC,
      .e_machine = EM_X86_64,
      .e_version = EV_CURRENT,
      .e_shoff = offsetof(struct head, sections),
      .e_ehsize = sizeof(Elf64_Ehdr),
      .e_shentsize = sizeof(Elf64_Shdr),
      .e_shnum = info->num_rows ? NUM_SECTIONS : FRAMES + 1,
      .e_shstrndx = STRINGS,
   };
}

static void
fill_section(Elf64_Shdr *header, unsigned number, size_t offset, size_t size)
{
   *header = (Elf64_Shdr){
      .sh_name = place_of_name(number),
      .sh_type = sections[number].type,
      .sh_offset = offset,
      .sh_size = size,
      .sh_addralign = 1,
   };
}

/* What they have that others have not. */
static void
complete_sections(Elf64_Shdr headers[], const struct jit_debug_info *info)
{
   headers[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
   headers[TEXT].sh_addr = (uintptr_t)info->code;
   headers[TEXT].sh_size = info->size;
   headers[SYMBOLS].sh_link = STRINGS;
   headers[SYMBOLS].sh_info = 1; /* the first that is global */
   headers[SYMBOLS].sh_addralign = ALIGNMENT;
   headers[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
}

static void
align(struct tg_strbuf *out)
{
   while (!out->failed && out->length % ALIGNMENT)
      tg_strbuf_add_char(out, 0);
}

char *
jit_make_debug_object(const struct jit_debug_info *info, size_t *size_out)
{
   struct tg_strbuf out = {0};
   struct head head = {0};

   assert(info->size > 0);
   fill_header(&head.header, info);
   tg_strbuf_add_n(&out, (const char *)&head, sizeof(head));
   for (unsigned i = 1; i < head.header.e_shnum; i++) {
      align(&out);
      const size_t offset = out.length;
      if (sections[i].write)
         sections[i].write(&out, info);
      fill_section(&head.sections[i], i, offset, out.length - offset);
   }
   complete_sections(head.sections, info);
   if (!out.failed)
      memcpy(out.data, &head, sizeof(head));
   *size_out = out.length;
   return tg_strbuf_take(&out);
}
