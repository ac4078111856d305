/* SPDX-License-Identifier: MIT
 *
 * Makes cubins.
 */
#include "cubins.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint64_t), CODE_ALIGNMENT = 32 };

struct writer {
   uint8_t *out;
   size_t size, room;
};

void
cubin_set(uint8_t *at, uint64_t value, size_t size)
{
   for (size_t i = 0; i < size; i++)
      at[i] = (uint8_t)(value >> 8 * i);
}

/* Appends zeros and returns where they begin. */
static size_t
append(struct writer *writer, size_t size, size_t alignment)
{
   size_t start = (writer->size + alignment - 1) / alignment * alignment;

   if (start + size > writer->room)
      abort();
   memset(writer->out + writer->size, 0, start + size - writer->size);
   writer->size = start + size;
   return start;
}

static size_t
append_name(struct writer *writer, const char *name)
{
   size_t size = strlen(name) + 1, start = append(writer, size, 1);

   memcpy(writer->out + start, name, size);
   return start;
}

size_t
cubin_header(const uint8_t *cubin, size_t index)
{
   size_t start = 0;

   for (size_t i = 0; i < sizeof(Elf64_Off); i++)
      start |= (size_t)cubin[offsetof(Elf64_Ehdr, e_shoff) + i] << 8 * i;
   return start + index * sizeof(Elf64_Shdr);
}

static void
set_section(struct writer *writer, size_t index, size_t name, uint32_t type,
            size_t offset, size_t size)
{
   uint8_t *header = writer->out + cubin_header(writer->out, index);

   CUBIN_SET(header, Elf64_Shdr, sh_name, name);
   CUBIN_SET(header, Elf64_Shdr, sh_type, type);
   CUBIN_SET(header, Elf64_Shdr, sh_offset, offset);
   CUBIN_SET(header, Elf64_Shdr, sh_size, size);
}

static void
set_file(uint8_t *header, unsigned sm, size_t num_sections)
{
   static const uint8_t identity[] = {
      0x7f,        'E',        'L',           'F', ELFCLASS64,
      ELFDATA2LSB, EV_CURRENT, 0x33 /* OS */, 7 /* version of its ABI */};

   memcpy(header, identity, sizeof(identity));
   CUBIN_SET(header, Elf64_Ehdr, e_type, ET_EXEC);
   CUBIN_SET(header, Elf64_Ehdr, e_machine, EM_CUDA);
   CUBIN_SET(header, Elf64_Ehdr, e_version, 0x6f);
   CUBIN_SET(header, Elf64_Ehdr, e_flags, sm << 16 | 0x500 | sm);
   CUBIN_SET(header, Elf64_Ehdr, e_ehsize, sizeof(Elf64_Ehdr));
   CUBIN_SET(header, Elf64_Ehdr, e_shentsize, sizeof(Elf64_Shdr));
   CUBIN_SET(header, Elf64_Ehdr, e_shnum, num_sections);
   CUBIN_SET(header, Elf64_Ehdr, e_shstrndx, CUBIN_NAMES);
}

size_t
cubin_make(unsigned sm, const struct cubin_section *sections, size_t count,
           uint8_t *out, size_t room)
{
   enum { MOST = 16 };
   struct writer writer = {.out = out, .room = room};
   size_t code[MOST], names[MOST];

   if (count > MOST)
      abort();
   append(&writer, sizeof(Elf64_Ehdr), 1);
   for (size_t i = 0; i < count; i++) {
      code[i] = append(&writer, sections[i].num_words * WORD, CODE_ALIGNMENT);
      for (size_t j = 0; j < sections[i].num_words; j++)
         cubin_set(out + code[i] + j * WORD, sections[i].words[j], WORD);
   }

   size_t table = append(&writer, 1, 1);
   size_t own_name = append_name(&writer, ".shstrtab");
   for (size_t i = 0; i < count; i++)
      names[i] = append_name(&writer, sections[i].name);
   size_t names_size = writer.size - table;

   size_t num_sections = CUBIN_FIRST + count;
   size_t headers = append(&writer, num_sections * sizeof(Elf64_Shdr), WORD);
   set_file(out, sm, num_sections);
   CUBIN_SET(out, Elf64_Ehdr, e_shoff, headers);
   set_section(&writer, CUBIN_NAMES, own_name - table, SHT_STRTAB, table,
               names_size);
   for (size_t i = 0; i < count; i++)
      set_section(&writer, CUBIN_FIRST + i, names[i] - table, SHT_PROGBITS,
                  code[i], sections[i].num_words * WORD);
   return writer.size;
}
