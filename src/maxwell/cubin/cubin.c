/* SPDX-License-Identifier: MIT
 *
 * The code in a cubin: a 64-bit ELF file for CUDA, of which the sections .text
 * and .text.NAME are read and nothing else. Whatever the file says of offsets
 * and sizes is compared with what there is before it is used; sections may not
 * share bytes or names, so that memory stays in proportion to the file.
 */
#include <assert.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>

#include "maxwell/isa/program.h"

enum {
   /* Of e_flags: the number of sm_NN. */
   SM_MASK = 0xff,
   FIRST_SM = 50,
   LAST_SM = 62,
   WORD = sizeof(uint64_t),
};

struct section {
   const char *name;
   struct tg_maxwell_program *program;
};

struct tg_maxwell_cubin {
   struct tg_arena arena; /* owns the cubin and its names, not the programs */
   uint32_t num_sections, capacity;
   struct section *sections;
};

/* Bytes of the file. */
struct extent {
   uint64_t offset, size;
};

struct reader {
   const struct tg_allocator *allocator;
   struct tg_diagnostics *diagnostics;
   const char *name;
   const uint8_t *bytes;
   size_t size;
   struct tg_maxwell_cubin *cubin;

   uint64_t headers; /* where those of sections begin */
   uint32_t num_headers;
   struct extent names;
   /* What the sections that are read may still take of the file and of the
    * names: they share neither. */
   uint64_t bytes_left, names_left;
};

static enum tg_result
complain(const struct reader *reader, const char *note, const char *format, ...)
   __attribute__((format(printf, 3, 4)));
static enum tg_result
complain(const struct reader *reader, const char *note, const char *format, ...)
{
   struct tg_source source = {.name = reader->name};
   va_list args;

   va_start(args, format);
   tg_vdiagnose(reader->diagnostics, TG_SEVERITY_ERROR, "cubin", &source,
                (struct tg_position){0}, note, format, args);
   va_end(args);
   return TG_ERROR_INPUT;
}

/* ---- fields -------------------------------------------------------------- */

/* A little-endian number of up to eight bytes. */
static uint64_t
read_number(const uint8_t *at, size_t size)
{
   uint64_t number = 0;

   for (size_t i = 0; i < size; i++)
      number |= (uint64_t)at[i] << 8 * i;
   return number;
}

/* A member of the header of the file or a section that begins at `at`. */
#define FIELD(at, type, member)                                                \
   read_number((at) + offsetof(type, member), sizeof(((type *)0)->member))

/* Is all of it in the file? */
static bool
is_within(const struct reader *reader, struct extent extent)
{
   return extent.offset <= reader->size &&
          extent.size <= reader->size - extent.offset;
}

/* `index` is below `num_headers`. */
static const uint8_t *
section_header(const struct reader *reader, uint64_t index)
{
   return reader->bytes + reader->headers + index * sizeof(Elf64_Shdr);
}

static struct extent
section_extent(const uint8_t *header)
{
   return (struct extent){FIELD(header, Elf64_Shdr, sh_offset),
                          FIELD(header, Elf64_Shdr, sh_size)};
}

/* ---- the header of the file ---------------------------------------------- */

static enum tg_result
check_kind(const struct reader *reader)
{
   const uint8_t *bytes = reader->bytes;

   if (reader->size < sizeof(Elf64_Ehdr))
      return complain(reader, NULL, "the file ends within its ELF header");
   if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
      return complain(reader, NULL,
                      "a cubin for Maxwell is a little-endian ELF file of 64 "
                      "bits");

   uint64_t machine = FIELD(bytes, Elf64_Ehdr, e_machine);
   if (machine != EM_CUDA)
      return complain(reader, "cubins have 190, CUDA",
                      "this ELF file is for machine %u, and no cubin",
                      (unsigned)machine);
   unsigned sm = FIELD(bytes, Elf64_Ehdr, e_flags) & SM_MASK;
   if (sm < FIRST_SM || sm > LAST_SM)
      return complain(reader, "Maxwell and Pascal are sm_50 to sm_62",
                      "this cubin is for sm_%u", sm);
   return TG_OK;
}

static enum tg_result
find_headers(struct reader *reader)
{
   const uint8_t *bytes = reader->bytes;
   uint64_t num_headers = FIELD(bytes, Elf64_Ehdr, e_shnum);
   struct extent headers = {
      .offset = FIELD(bytes, Elf64_Ehdr, e_shoff),
      .size = num_headers * sizeof(Elf64_Shdr),
   };

   if (num_headers == 0)
      return complain(reader, NULL, "this cubin has no sections");
   if (FIELD(bytes, Elf64_Ehdr, e_shentsize) != sizeof(Elf64_Shdr))
      return complain(reader, NULL, "headers of sections have %zu bytes",
                      sizeof(Elf64_Shdr));
   if (!is_within(reader, headers))
      return complain(reader, NULL,
                      "the headers of sections are not within the file");
   reader->headers = headers.offset;
   reader->num_headers = (uint32_t)num_headers;
   return TG_OK;
}

static enum tg_result
find_names(struct reader *reader)
{
   uint64_t index = FIELD(reader->bytes, Elf64_Ehdr, e_shstrndx);
   if (index >= reader->num_headers)
      return complain(reader, NULL, "there is no section with names");

   reader->names = section_extent(section_header(reader, index));
   if (!is_within(reader, reader->names))
      return complain(reader, NULL,
                      "the names of sections are not within the file");
   return TG_OK;
}

/* ---- sections ------------------------------------------------------------ */

/* The name of a section; NULL when it does not end, or has bytes that no symbol
 * has. */
static const char *
name_of(const struct reader *reader, const uint8_t *header)
{
   const uint64_t offset = FIELD(header, Elf64_Shdr, sh_name);
   const char *name =
      (const char *)reader->bytes + reader->names.offset + offset;

   for (uint64_t i = offset; i < reader->names.size; i++) {
      const char c = name[i - offset];

      if (c == '\0')
         return name;
      if (c <= ' ' || c > '~')
         return NULL;
   }
   return NULL;
}

static bool
is_code(const char *name)
{
   static const char text[] = ".text";
   const size_t length = sizeof(text) - 1;

   return strncmp(name, text, length) == 0 &&
          (name[length] == '\0' || name[length] == '.');
}

/* Takes from what is left. False when that is not enough. */
static bool
take(uint64_t *left, uint64_t amount)
{
   if (amount > *left)
      return false;
   *left -= amount;
   return true;
}

/* The words of a section as a program. */
static enum tg_result
decode(const struct reader *reader, const char *name, struct extent extent,
       struct tg_maxwell_program **program_out)
{
   const uint8_t *bytes = reader->bytes + extent.offset;
   const size_t count = (size_t)(extent.size / WORD);
   enum tg_result result = TG_ERROR_MEMORY;
   struct tg_arena scratch;

   tg_arena_init(&scratch, reader->allocator);
   uint64_t *words = tg_arena_array(&scratch, count, WORD);
   const char *full_name =
      tg_arena_printf(&scratch, "%s(%s)", reader->name, name);
   if (words && full_name) {
      for (size_t i = 0; i < count; i++)
         words[i] = read_number(bytes + i * WORD, WORD);
      result = tg_maxwell_decode_code(reader->allocator, full_name, words,
                                      count, reader->diagnostics, program_out);
   }
   tg_arena_finish(&scratch);
   return result;
}

static enum tg_result
add_section(struct reader *reader, const char *name, struct extent extent)
{
   struct tg_maxwell_cubin *cubin = reader->cubin;
   struct section section;

   if (!tg_arena_reserve(&cubin->arena, (void **)&cubin->sections,
                         &cubin->capacity, cubin->num_sections,
                         sizeof(*cubin->sections)))
      return TG_ERROR_MEMORY;
   section.name = tg_arena_strndup(&cubin->arena, name, strlen(name));
   if (!section.name)
      return TG_ERROR_MEMORY;
   enum tg_result result = decode(reader, name, extent, &section.program);
   if (result == TG_OK)
      cubin->sections[cubin->num_sections++] = section;
   return result;
}

/* A section with code becomes a program; others are passed over. */
static enum tg_result
read_section(struct reader *reader, uint32_t index)
{
   const uint8_t *header = section_header(reader, index);
   const struct extent extent = section_extent(header);
   const char *name = name_of(reader, header);

   if (!name)
      return complain(reader, "names are of printable ASCII characters",
                      "section %u has no name that can be read", index);
   if (!is_code(name) || extent.size == 0)
      return TG_OK;
   if (FIELD(header, Elf64_Shdr, sh_type) != SHT_PROGBITS ||
       !is_within(reader, extent))
      return complain(reader, NULL,
                      "the code of section %u is not within the file", index);
   if (extent.size % WORD)
      return complain(reader, "code is four words for three instructions",
                      "the code of section %u ends within a word", index);
   if (!take(&reader->bytes_left, extent.size) ||
       !take(&reader->names_left, strlen(name) + 1))
      return complain(reader, NULL, "section %u overlaps another one", index);
   return add_section(reader, name, extent);
}

static enum tg_result
read_sections(struct reader *reader)
{
   enum tg_result result = TG_OK;

   reader->bytes_left = reader->size;
   reader->names_left = reader->names.size;
   for (uint32_t i = 1; result == TG_OK && i < reader->num_headers; i++)
      result = read_section(reader, i);
   if (result == TG_OK && reader->cubin->num_sections == 0)
      result = complain(reader, NULL, "this cubin has no code");
   return result;
}

/* ---- cubins -------------------------------------------------------------- */

bool
tg_maxwell_is_elf(const void *bytes, size_t size)
{
   return size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static struct tg_maxwell_cubin *
create(const struct tg_allocator *allocator)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_maxwell_cubin *cubin = tg_arena_alloc(&arena, sizeof(*cubin));
   if (cubin)
      cubin->arena = arena;
   return cubin;
}

enum tg_result
tg_maxwell_cubin_read(const struct tg_allocator *allocator, const char *name,
                      const void *bytes, size_t size,
                      struct tg_diagnostics *diagnostics,
                      struct tg_maxwell_cubin **cubin_out)
{
   assert(cubin_out);
   struct reader reader = {
      .allocator = allocator,
      .diagnostics = diagnostics,
      .name = name,
      .bytes = bytes,
      .size = size,
      .cubin = create(allocator),
   };
   if (!reader.cubin)
      return TG_ERROR_MEMORY;

   enum tg_result result = tg_maxwell_is_elf(bytes, size)
                              ? check_kind(&reader)
                              : complain(&reader, NULL, "this is no ELF file");
   if (result == TG_OK)
      result = find_headers(&reader);
   if (result == TG_OK)
      result = find_names(&reader);
   if (result == TG_OK)
      result = read_sections(&reader);
   if (result == TG_OK)
      *cubin_out = reader.cubin;
   else
      tg_maxwell_cubin_destroy(reader.cubin);
   return result;
}

void
tg_maxwell_cubin_destroy(struct tg_maxwell_cubin *cubin)
{
   if (!cubin)
      return;

   for (uint32_t i = 0; i < cubin->num_sections; i++)
      tg_maxwell_program_destroy(cubin->sections[i].program);
   struct tg_arena arena = cubin->arena; /* which owns the cubin */
   tg_arena_finish(&arena);
}

uint32_t
tg_maxwell_cubin_num_sections(const struct tg_maxwell_cubin *cubin)
{
   assert(cubin);
   return cubin->num_sections;
}

const char *
tg_maxwell_cubin_section_name(const struct tg_maxwell_cubin *cubin,
                              uint32_t index)
{
   assert(index < cubin->num_sections);
   assert(cubin);
   return cubin->sections[index].name;
}

const struct tg_maxwell_program *
tg_maxwell_cubin_program(const struct tg_maxwell_cubin *cubin, uint32_t index)
{
   assert(index < cubin->num_sections);
   assert(cubin);
   return cubin->sections[index].program;
}
