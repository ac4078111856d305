/* SPDX-License-Identifier: MIT
 *
 * Cubins: their sections of code come out by name, whatever else is in them;
 * what is not within the file is refused, and nothing beyond it is read.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cubins.h"
#include "tungsten/maxwell.h"

enum { ROOM = 4096, NUM_SECTIONS = 4 };

/* Two bundles; the second control group of the first is 0x0407bf. */
static const uint64_t first_words[] = {
   0x001f8080f7e207b1, 0xd820056ff0470907, 0xd820057ff0870908,
   0x50b0000000070f00, 0x001f8000fc0007e0, 0x50b0000000070f00,
   0x50b0000000070f00, 0xdf40028780070200,
};
static const uint64_t second_words[] = {
   0x001f8000fc0007e0,
   0xd800008ffff70400,
   0x50b0000000070f00,
   0x50b0000000070f00,
};
static const uint64_t other_words[] = {UINT64_MAX};

/* In the file at CUBIN_FIRST and after it. */
static const struct cubin_section sections[NUM_SECTIONS] = {
   {".nv.info", other_words, 1},
   {".text._Z5firstPf", first_words, 8},
   {".text.second", second_words, 4},
   {".texture", other_words, 1},
};

enum { INFO = CUBIN_FIRST, FIRST_TEXT, SECOND_TEXT };

/* Bytes in a block of their size, so that what is read beyond is found. */
struct file {
   uint8_t *bytes;
   size_t size;
};

static struct file
copy(const uint8_t *bytes, size_t size)
{
   struct file file = {malloc(size ? size : 1), size};

   assert_non_null(file.bytes);
   memcpy(file.bytes, bytes, size);
   return file;
}

static struct file
make_file(unsigned sm, const struct cubin_section *list, size_t count)
{
   static uint8_t bytes[ROOM];

   return copy(bytes, cubin_make(sm, list, count, bytes, sizeof(bytes)));
}

/* Reads the file and frees it. What is said is the caller's. */
static enum tg_result
read_file(struct file file, struct tg_maxwell_cubin **cubin_out,
          char **said_out)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   *cubin_out = NULL;
   enum tg_result result = tg_maxwell_cubin_read(
      NULL, "a.cubin", file.bytes, file.size, diagnostics, cubin_out);
   *said_out = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   free(file.bytes);
   assert_int_equal(result == TG_OK, *cubin_out != NULL);
   return result;
}

static void
expect_refused(struct file file, const char *expected)
{
   struct tg_maxwell_cubin *cubin;
   char *said;

   assert_int_equal(read_file(file, &cubin, &said), TG_ERROR_INPUT);
   assert_string_equal(said, expected);
   tg_string_free(said);
}

/* ---- what is read -------------------------------------------------------- */

static void
sections_are_programs(void **state)
{
   struct tg_maxwell_cubin *cubin;
   char *said;

   (void)state;
   assert_int_equal(
      read_file(make_file(61, sections, NUM_SECTIONS), &cubin, &said), TG_OK);
   assert_string_equal(said, "");
   tg_string_free(said);
   assert_int_equal(tg_maxwell_cubin_num_sections(cubin), 2);
   assert_string_equal(tg_maxwell_cubin_section_name(cubin, 0),
                       ".text._Z5firstPf");
   assert_string_equal(tg_maxwell_cubin_section_name(cubin, 1), ".text.second");

   const struct tg_maxwell_program *first = tg_maxwell_cubin_program(cubin, 0);
   const struct tg_maxwell_program *second = tg_maxwell_cubin_program(cubin, 1);
   assert_int_equal(tg_maxwell_num_instructions(first), 6);
   assert_true(tg_maxwell_words(first)[0] == 0xd820056ff0470907);
   assert_true(tg_maxwell_words(first)[5] == 0xdf40028780070200);
   assert_int_equal(tg_maxwell_controls(first)[0], 0x0207b1);
   assert_int_equal(tg_maxwell_controls(first)[1], 0x0407bf);
   assert_int_equal(tg_maxwell_controls(first)[2], 0x0007e0);
   assert_int_equal(tg_maxwell_num_instructions(second), 3);
   assert_true(tg_maxwell_words(second)[0] == 0xd800008ffff70400);
   assert_int_equal(tg_maxwell_controls(second)[0], 0x0007e0);
   tg_maxwell_cubin_destroy(cubin);
}

/* A section may be called .text alone, and may be empty. */
static void
names_of_code(void **state)
{
   const struct cubin_section list[] = {{".text", second_words, 4},
                                        {".text.empty", second_words, 0}};
   struct tg_maxwell_cubin *cubin;
   char *said;

   (void)state;
   for (unsigned sm = 50; sm <= 62; sm += 12) {
      assert_int_equal(read_file(make_file(sm, list, 2), &cubin, &said), TG_OK);
      tg_string_free(said);
      assert_int_equal(tg_maxwell_cubin_num_sections(cubin), 1);
      assert_string_equal(tg_maxwell_cubin_section_name(cubin, 0), ".text");
      tg_maxwell_cubin_destroy(cubin);
   }
}

static void
complaints_name_the_section(void **state)
{
   static const uint64_t words[4] = {1ull << 63};
   const struct cubin_section odd[] = {{".text.odd", second_words, 5 - 2}};
   const struct cubin_section list[] = {{".text.main", words, 4}};

   (void)state;
   expect_refused(make_file(52, list, 1),
                  "a.cubin(.text.main): error: this is no word of control "
                  "bits\nnote: control words have bit 63 clear\n");
   expect_refused(make_file(52, odd, 1),
                  "a.cubin(.text.odd): word 3: error: the code ends within a "
                  "bundle\nnote: code is four words for three instructions\n");
}

/* ---- what is refused ----------------------------------------------------- */

/* What is written where: into the header of the file, or that of a section. */
struct fault {
   size_t section; /* 0: the file */
   size_t offset, size;
   uint64_t value;
   const char *said; /* without what is the same for all */
};

#define OF_FILE(member, value, said)                                           \
   {                                                                           \
      0, offsetof(Elf64_Ehdr, member), sizeof(((Elf64_Ehdr *)0)->member),      \
         value, said                                                           \
   }
#define OF_SECTION(section, member, value, said)                               \
   {                                                                           \
      section, offsetof(Elf64_Shdr, member),                                   \
         sizeof(((Elf64_Shdr *)0)->member), value, said                        \
   }

static const struct fault faults[] = {
   OF_FILE(e_ident[EI_CLASS], ELFCLASS32,
           "a cubin for Maxwell is a little-endian ELF file of 64 bits\n"),
   OF_FILE(e_ident[EI_DATA], ELFDATA2MSB,
           "a cubin for Maxwell is a little-endian ELF file of 64 bits\n"),
   OF_FILE(e_ident[EI_MAG1], 'e', "this is no ELF file\n"),
   OF_FILE(e_machine, EM_X86_64,
           "this ELF file is for machine 62, and no cubin\n"
           "note: cubins have 190, CUDA\n"),
   OF_FILE(e_flags, 0x4b054b,
           "this cubin is for sm_75\n"
           "note: Maxwell and Pascal are sm_50 to sm_62\n"),
   OF_FILE(e_flags, 49,
           "this cubin is for sm_49\n"
           "note: Maxwell and Pascal are sm_50 to sm_62\n"),
   OF_FILE(e_flags, 63,
           "this cubin is for sm_63\n"
           "note: Maxwell and Pascal are sm_50 to sm_62\n"),
   OF_FILE(e_shnum, 0, "this cubin has no sections\n"),
   OF_FILE(e_shnum, NUM_SECTIONS + 3,
           "the headers of sections are not within the file\n"),
   OF_FILE(e_shentsize, 40, "headers of sections have 64 bytes\n"),
   OF_FILE(e_shoff, UINT64_MAX,
           "the headers of sections are not within the file\n"),
   OF_FILE(e_shoff, UINT64_MAX - 383,
           "the headers of sections are not within the file\n"),
   OF_FILE(e_shstrndx, NUM_SECTIONS + 2, "there is no section with names\n"),
   OF_SECTION(CUBIN_NAMES, sh_offset, UINT64_MAX,
              "the names of sections are not within the file\n"),
   OF_SECTION(CUBIN_NAMES, sh_size, UINT64_MAX,
              "the names of sections are not within the file\n"),
   OF_SECTION(CUBIN_NAMES, sh_size, 1,
              "section 1 has no name that can be read\n"
              "note: names are of printable ASCII characters\n"),
   /* Without the last NUL, after which there is another one. */
   OF_SECTION(CUBIN_NAMES, sh_size, 58,
              "section 5 has no name that can be read\n"
              "note: names are of printable ASCII characters\n"),
   OF_SECTION(INFO, sh_name, UINT32_MAX,
              "section 2 has no name that can be read\n"
              "note: names are of printable ASCII characters\n"),
   OF_SECTION(FIRST_TEXT, sh_offset, UINT64_MAX,
              "the code of section 3 is not within the file\n"),
   OF_SECTION(FIRST_TEXT, sh_offset, UINT64_MAX - 63,
              "the code of section 3 is not within the file\n"),
   OF_SECTION(FIRST_TEXT, sh_size, ROOM,
              "the code of section 3 is not within the file\n"),
   OF_SECTION(FIRST_TEXT, sh_size, UINT64_MAX - 31,
              "the code of section 3 is not within the file\n"),
   OF_SECTION(FIRST_TEXT, sh_size, 60,
              "the code of section 3 ends within a word\n"
              "note: code is four words for three instructions\n"),
   OF_SECTION(FIRST_TEXT, sh_type, SHT_NOBITS,
              "the code of section 3 is not within the file\n"),
};

static void
faults_are_refused(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
      const struct fault *fault = &faults[i];
      struct file file = make_file(61, sections, NUM_SECTIONS);
      size_t header =
         fault->section ? cubin_header(file.bytes, fault->section) : 0;
      char said[256] = "a.cubin: error: ";

      cubin_set(file.bytes + header + fault->offset, fault->value, fault->size);
      strcat(said, fault->said);
      expect_refused(file, said);
   }
}

/* The headers stand at the end, so no part of the file is a cubin. */
static void
parts_are_refused(void **state)
{
   struct file whole = make_file(61, sections, NUM_SECTIONS);

   (void)state;
   for (size_t size = 0; size < whole.size; size++) {
      struct tg_maxwell_cubin *cubin;
      char *said;

      assert_int_equal(read_file(copy(whole.bytes, size), &cubin, &said),
                       TG_ERROR_INPUT);
      assert_non_null(strstr(said, "error: "));
      tg_string_free(said);
   }
   free(whole.bytes);
}

/* Whatever a byte is, there is a cubin or an error. */
static void
bytes_may_be_anything(void **state)
{
   static const uint8_t values[] = {0x00, 0x01, 0x1f, 0x7f, 0x80, 0xff};
   struct file whole = make_file(61, sections, NUM_SECTIONS);

   (void)state;
   for (size_t i = 0; i < whole.size * sizeof(values); i++) {
      struct file file = copy(whole.bytes, whole.size);
      struct tg_maxwell_cubin *cubin;
      char *said;

      file.bytes[i / sizeof(values)] = values[i % sizeof(values)];
      enum tg_result result = read_file(file, &cubin, &said);
      assert_int_equal(result == TG_OK, said[0] == '\0');
      tg_string_free(said);
      tg_maxwell_cubin_destroy(cubin);
   }
   free(whole.bytes);
}

/* Sections that share their bytes or their name would cost more memory than the
 * file has bytes. */
static void
overlaps_are_refused(void **state)
{
   enum { LONG = 256 };
   static const uint64_t words[LONG];
   static char name[LONG] = ".text.";
   struct cubin_section twins[] = {{".text.a", words, LONG},
                                   {".text.b", words, 0}};
   uint8_t *first, *second;

   (void)state;
   struct file file = make_file(61, twins, 2);
   first = file.bytes + cubin_header(file.bytes, CUBIN_FIRST);
   second = file.bytes + cubin_header(file.bytes, CUBIN_FIRST + 1);
   memcpy(second + offsetof(Elf64_Shdr, sh_offset),
          first + offsetof(Elf64_Shdr, sh_offset), 2 * sizeof(uint64_t));
   expect_refused(file, "a.cubin: error: section 3 overlaps another one\n");

   memset(name + strlen(name), 'a', LONG - strlen(name) - 1);
   twins[0] = (struct cubin_section){name, words, 4};
   twins[1] = (struct cubin_section){".text.b", words, 4};
   file = make_file(61, twins, 2);
   first = file.bytes + cubin_header(file.bytes, CUBIN_FIRST);
   second = file.bytes + cubin_header(file.bytes, CUBIN_FIRST + 1);
   memcpy(second, first, sizeof(uint32_t));
   expect_refused(file, "a.cubin: error: section 3 overlaps another one\n");
}

/* A name may not become lines of text. */
static void
names_are_printable(void **state)
{
   static const char *const names[] = {".text.a\nTEXS", ".text.a b",
                                       ".text.\x7f", ".text.\xc3\xa4"};

   (void)state;
   for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      const struct cubin_section list[] = {{names[i], second_words, 4}};

      expect_refused(make_file(50, list, 1),
                     "a.cubin: error: section 2 has no name that can be read\n"
                     "note: names are of printable ASCII characters\n");
   }
}

static void
there_must_be_code(void **state)
{
   const struct cubin_section list[] = {{".nv.info", other_words, 1},
                                        {".text.empty", second_words, 0}};

   (void)state;
   expect_refused(make_file(50, list, 2),
                  "a.cubin: error: this cubin has no code\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_are_programs),
      cmocka_unit_test(names_of_code),
      cmocka_unit_test(complaints_name_the_section),
      cmocka_unit_test(faults_are_refused),
      cmocka_unit_test(parts_are_refused),
      cmocka_unit_test(bytes_may_be_anything),
      cmocka_unit_test(overlaps_are_refused),
      cmocka_unit_test(names_are_printable),
      cmocka_unit_test(there_must_be_code),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
