/* SPDX-License-Identifier: MIT
 *
 * GDB's JIT interface, for code that has no object file: one is made of it in
 * memory, an ELF executable with one symbol, whose section is where the code
 * is. GDB stops at __jit_debug_register_code() and reads the descriptor; it
 * finds both by their names, as it finds those of LLVM, which registers its
 * objects itself.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/jit/names.h"

/* ---- what GDB reads ------------------------------------------------------ */

struct jit_code_entry {
   struct jit_code_entry *next, *previous;
   const char *file;
   uint64_t file_size;
};

enum { REGISTER = 1 };

struct jit_descriptor {
   uint32_t version;
   uint32_t action;
   struct jit_code_entry *relevant;
   struct jit_code_entry *first;
};

/* Local symbols: GDB takes a global one of the program to be what libraries
 * mean by that name, as LLVM's does. */
static struct jit_descriptor __attribute__((used))
__jit_debug_descriptor = {.version = 1};

/* The breakpoint; the compiler shall think that it does something. */
static void __attribute__((noinline, used)) __jit_debug_register_code(void)
{
   __asm__ volatile("" ::: "memory");
}

/* ---- objects ------------------------------------------------------------- */

enum { TEXT = 1, SYMBOLS, STRINGS, NUM_SECTIONS };

/* Names of sections, in the order of their numbers, each with a zero at its
 * end; the symbol's follows. */
#define SECTION_NAMES "\0.text\0.symtab\0.strtab"

static const uint32_t section_name[NUM_SECTIONS] = {0, 1, 7, 15};

struct object {
   struct jit_code_entry entry;
   Elf64_Ehdr header;
   Elf64_Shdr sections[NUM_SECTIONS];
   Elf64_Sym symbols[2];
   char names[sizeof(SECTION_NAMES) + JIT_TITLE_BYTES];
};

static uint64_t
offset_in_file(size_t offset)
{
   return offset - offsetof(struct object, header);
}

static void
fill_header(Elf64_Ehdr *header)
{
   *header = (Elf64_Ehdr){
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                  EV_CURRENT},
      .e_type = ET_EXEC,
      .e_machine = EM_X86_64,
      .e_version = EV_CURRENT,
      .e_shoff = offset_in_file(offsetof(struct object, sections)),
      .e_ehsize = sizeof(Elf64_Ehdr),
      .e_shentsize = sizeof(Elf64_Shdr),
      .e_shnum = NUM_SECTIONS,
      .e_shstrndx = STRINGS,
   };
}

/* The code itself is not in the file. */
static void
fill_sections(Elf64_Shdr sections[NUM_SECTIONS], const void *code, size_t size)
{
   sections[TEXT] = (Elf64_Shdr){
      .sh_type = SHT_NOBITS,
      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
      .sh_addr = (uintptr_t)code,
      .sh_size = size,
      .sh_addralign = 1,
   };
   sections[SYMBOLS] = (Elf64_Shdr){
      .sh_type = SHT_SYMTAB,
      .sh_offset = offset_in_file(offsetof(struct object, symbols)),
      .sh_size = sizeof(((struct object *)NULL)->symbols),
      .sh_link = STRINGS,
      .sh_info = 1, /* the first that is global */
      .sh_addralign = 8,
      .sh_entsize = sizeof(Elf64_Sym),
   };
   sections[STRINGS] = (Elf64_Shdr){
      .sh_type = SHT_STRTAB,
      .sh_offset = offset_in_file(offsetof(struct object, names)),
      .sh_size = sizeof(((struct object *)NULL)->names),
      .sh_addralign = 1,
   };
   for (unsigned i = 0; i < NUM_SECTIONS; i++)
      sections[i].sh_name = section_name[i];
}

/* NULL when out of memory. */
static struct object *
make_object(const struct lir_module *module, const void *code, size_t size)
{
   struct object *object = calloc(1, sizeof(*object));

   if (!object)
      return NULL;
   fill_header(&object->header);
   fill_sections(object->sections, code, size);
   memcpy(object->names, SECTION_NAMES, sizeof(SECTION_NAMES));
   jit_print_title(module, object->names + sizeof(SECTION_NAMES));
   object->symbols[1] = (Elf64_Sym){
      .st_name = sizeof(SECTION_NAMES),
      .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
      .st_shndx = TEXT,
      .st_value = (uintptr_t)code,
      .st_size = size,
   };
   object->entry.file = (const char *)&object->header;
   object->entry.file_size = offset_in_file(sizeof(*object));
   return object;
}

/* ---- registration -------------------------------------------------------- */

/* What is registered stays to the end of the process, as its code does. */
void
jit_show_to_gdb(const struct lir_module *module, const void *code, size_t size)
{
   struct object *object =
      jit_wants_gdb() ? make_object(module, code, size) : NULL;

   if (!object)
      return;
   pthread_mutex_lock(&jit_names_mutex);
   object->entry.next = __jit_debug_descriptor.first;
   if (object->entry.next)
      object->entry.next->previous = &object->entry;
   __jit_debug_descriptor.first = &object->entry;
   __jit_debug_descriptor.relevant = &object->entry;
   __jit_debug_descriptor.action = REGISTER;
   __jit_debug_register_code();
   pthread_mutex_unlock(&jit_names_mutex);
}
