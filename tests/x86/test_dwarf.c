/* SPDX-License-Identifier: MIT
 *
 * What debuggers are given: the rows that the emitter notes; a line number
 * program byte by byte, worked out from DWARF 4, section 6.2 (a special opcode
 * is line advance + 5 + 14 * address advance + 13, up to 255), and what unwinds
 * frames likewise, from section 6.4; and the object that they are in.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/jit/dwarf.h"
#include "exec/x86/emitter.h"
#include "util/length.h"

/* clang-format off */
static const uint8_t expected[] = {
   89, 0, 0, 0,                    /* bytes that follow: 2 + 4 + 30 + 53 */
   4, 0,                           /* the version */
   30, 0, 0, 0,                    /* bytes of the header that follow */
   1, 1, 1, 0xfb, 14, 13,          /* lines from -5 on, 14 of them; 12 opcodes, */
   0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, /* and the numbers of their operands */
   0,                              /* no folders */
   't', '.', 't', 'g', 's', 'i', 0, 0, 0, 0, 0,

   0, 9, 2, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* the address */
   0 + 5 + 13,                     /* offset 0, line 1 */
   1 + 5 + 14 * 3 + 13,            /* 3, 2 */
   255,                            /* 20, 1: -1 + 5 + 14 * 17 + 13 */
   2, 18, 3, 1, 1,                 /* 38, 2: 14 * 18 is too much */
   2, 0xea, 2, 3, 0xaa, 2, 1,      /* 400, 300: 362 is 2 * 128 + 0x6a, and 298
                                    * 2 * 128 + 0x2a */
   -5 + 5 + 14 * 1 + 13,           /* 401, 295 */
   2, 1, 3, 0x7a, 1,               /* 402, 289: -6 is 0x7a of seven bits */
   2, 8, 3, 10, 1,                 /* 410, 299: 10 is more than 8 */
   2, 20, 3, 0x9c, 0x7f, 1,        /* 430, 199: -100 is 0x1c - 128 */
   2, 17, 3, 0, 1,                 /* 447, 199: 5 + 14 * 17 + 13 is 256 */
   2, 53,                          /* the end, 500 */
   0, 1, 1,
};
/* clang-format on */

static void
test_lines(void **state)
{
   static const struct jit_line_row rows[] = {
      {0, 1},     {3, 2},     {20, 1},    {38, 2},    {400, 300},
      {401, 295}, {402, 289}, {410, 299}, {430, 199}, {447, 199},
   };
   const struct lir_module module = {.symbols.file = "t.tgsi"};
   const struct jit_debug_info info = {
      .module = &module,
      .code = (const void *)(uintptr_t)0x1122334455667788,
      .size = 500,
      .rows = rows,
      .num_rows = TG_LENGTH(rows),
   };
   struct tg_strbuf out = {0};

   (void)state;
   jit_dwarf_write_lines(&out, &info);
   assert_false(out.failed);
   assert_int_equal(out.length, sizeof(expected));
   assert_memory_equal(out.data, expected, sizeof(expected));
   tg_strbuf_finish(&out);
}

/* ---- frames -------------------------------------------------------------- */

/* Of a function that pushes RBP, RBX and R12, with DWARF's numbers 6, 3 and 12:
 * up to offsets 1, 2 and 4; and that copies RSP to RBP up to offset 7. */
/* clang-format off */
static const uint8_t expected_frames[] = {
   20, 0, 0, 0,                    /* bytes that follow, four of them no-ops */
   0xff, 0xff, 0xff, 0xff,         /* a common entry */
   4, 0, 8, 0,                     /* version, nothing added, addresses */
   1, 0x78, 16,                    /* factors: 1 and -8; the return address, */
   0x0c, 7, 8, 0x80 + 16, 1,       /* 8 below the CFA, which is RSP + 8 */
   0, 0, 0, 0,

   44, 0, 0, 0,                    /* 4 + 8 + 8 + 18, and six */
   0, 0, 0, 0,                     /* where the common entry is */
   0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
   0xf4, 1, 0, 0, 0, 0, 0, 0,      /* 500 bytes of code */
   0x40 + 1, 0x0e, 16, 0x80 + 6, 2,
   0x40 + 1, 0x0e, 24, 0x80 + 3, 3,
   0x40 + 2, 0x0e, 32, 0x80 + 12, 4,
   0x40 + 3, 0x0d, 6,              /* the CFA is RBP + 32 */
   0, 0, 0, 0, 0, 0,
};
/* clang-format on */

static void
test_frames(void **state)
{
   const struct jit_debug_info info = {
      .code = (const void *)(uintptr_t)0x1122334455667788,
      .size = 500,
      .prologue =
         {
            .saves = {{1, 6}, {2, 3}, {4, 12}},
            .num_saves = 3,
            .frame_offset = 7,
         },
   };
   struct tg_strbuf out = {0};

   (void)state;
   jit_dwarf_write_frames(&out, &info);
   assert_false(out.failed);
   assert_int_equal(out.length, sizeof(expected_frames));
   assert_memory_equal(out.data, expected_frames, sizeof(expected_frames));
   tg_strbuf_finish(&out);
}

/* ---- objects ------------------------------------------------------------- */

static const void *
find_section(const char *object, const char *name, Elf64_Shdr *section_out)
{
   const Elf64_Ehdr *header = (const void *)object;
   const Elf64_Shdr *sections = (const void *)(object + header->e_shoff);
   const char *names = object + sections[header->e_shstrndx].sh_offset;

   for (unsigned i = 1; i < header->e_shnum; i++) {
      if (strcmp(names + sections[i].sh_name, name) != 0)
         continue;
      *section_out = sections[i];
      return object + sections[i].sh_offset;
   }
   return NULL;
}

/* With lines and without. */
static void
test_object(void **state)
{
   static const struct jit_line_row row = {0, 1};
   const struct lir_module module = {
      .symbols = {.name = "FRAG shader", .file = "t.tgsi"},
   };

   (void)state;
   for (uint32_t num_rows = 0; num_rows <= 1; num_rows++) {
      const struct jit_debug_info info = {
         .module = &module,
         .code = (const void *)(uintptr_t)0x1122334455667788,
         .size = 500,
         .rows = &row,
         .num_rows = num_rows,
         .prologue.frame_offset = 3,
      };
      Elf64_Shdr section;
      size_t size;
      char *object = jit_make_debug_object(&info, &size);

      assert_non_null(object);
      assert_non_null(find_section(object, ".text", &section));
      assert_int_equal(section.sh_type, SHT_NOBITS);
      assert_true(section.sh_addr == 0x1122334455667788);
      assert_int_equal(section.sh_size, 500);
      const char *strings = find_section(object, ".strtab", &section);
      const Elf64_Sym *symbols = find_section(object, ".symtab", &section);
      assert_int_equal(section.sh_size, 2 * sizeof(*symbols));
      assert_int_equal(section.sh_info, 1);
      assert_string_equal(strings + symbols[1].st_name, "FRAG_shader");
      assert_true(symbols[1].st_value == 0x1122334455667788);
      assert_int_equal(symbols[1].st_size, 500);
      assert_non_null(find_section(object, ".debug_frame", &section));
      assert_int_equal(!find_section(object, ".debug_line", &section),
                       num_rows == 0);
      assert_int_equal(!find_section(object, ".debug_info", &section),
                       num_rows == 0);
      tg_string_free(object);
   }
}

/* ---- rows ---------------------------------------------------------------- */

/* Code of origins 0, 1, 1, none and one without a line, and 2; of 2 and 0 there
 * is none before others come. */
static void
test_rows(void **state)
{
   static const uint32_t lines[] = {7, 9, 0, 12};
   static const struct {
      uint32_t offset, origin;
   } steps[] = {
      {0, 0},  {10, 1}, {20, 1},  {30, LIR_NO_ORIGIN},
      {40, 2}, {50, 3}, {60, 0},  {60, 3},
      {70, 0}, {70, 1}, {80, 77},
   };
   static const struct jit_line_row expected_rows[] = {
      {0, 7},
      {10, 9},
      {50, 12},
      {70, 9},
   };
   const struct lir_module module = {
      .symbols = {.lines = lines, .num_lines = TG_LENGTH(lines)},
   };
   struct tg_arena arena;
   struct x86_emitter *e;

   (void)state;
   tg_arena_init(&arena, NULL);
   e = tg_arena_alloc(&arena, sizeof(*e));
   assert_non_null(e);
   e->module = &module;
   e->arena = &arena;
   for (size_t i = 0; i < TG_LENGTH(steps); i++) {
      e->a.num_bytes = steps[i].offset;
      x86_locate_line_at(e, steps[i].origin);
   }
   assert_int_equal(e->lines.num_rows, TG_LENGTH(expected_rows));
   assert_memory_equal(e->lines.rows, expected_rows, sizeof(expected_rows));
   tg_arena_finish(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_frames),
      cmocka_unit_test(test_object),
      cmocka_unit_test(test_rows),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
