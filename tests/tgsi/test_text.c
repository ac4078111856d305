/* SPDX-License-Identifier: MIT
 *
 * The text parser: what a shader holds after it, and how it behaves at its
 * limits. What is accepted and printed, and every complaint, is in the folders
 * canonical, forms and bad.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tgsi/shader/shader.h"

/* ---- helpers ------------------------------------------------------------- */

/* Parses what must be free of mistakes; diagnostics are not asked for. */
static struct tg_shader *
parse(const char *text)
{
   struct tg_shader *shader = NULL;

   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_non_null(shader);
   return shader;
}

/* An allocator that counts bytes and says no after some calls. */
struct counter {
   size_t bytes;
   size_t calls_left; /* SIZE_MAX: always yes */
};

static void *
counting_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct counter *counter = user;

   if (new_size > old_size && counter->calls_left != SIZE_MAX) {
      if (counter->calls_left == 0)
         return NULL;
      counter->calls_left--;
   }
   counter->bytes += new_size - old_size;
   if (!new_size) {
      free(ptr);
      return NULL;
   }
   return realloc(ptr, new_size);
}

/* `count` copies of a line behind a header. */
static char *
repeat(const char *header, const char *line, size_t count)
{
   size_t header_length = strlen(header), line_length = strlen(line);
   char *text = malloc(header_length + count * line_length + 1);

   assert_non_null(text);
   memcpy(text, header, header_length + 1);
   for (size_t i = 0; i < count; i++)
      memcpy(text + header_length + i * line_length, line, line_length + 1);
   return text;
}

/* ---- tables -------------------------------------------------------------- */

#define ASSERT_ALL_FOUND(rows, count, find)                                    \
   for (size_t i = 0; i < (count); i++) {                                      \
      if (rows[i].name)                                                        \
         assert_int_equal(find(rows[i].name, strlen(rows[i].name)), i);        \
   }

static void
test_every_name_is_found(void **state)
{
   (void)state;
   ASSERT_ALL_FOUND(tg_opcodes, TG_NUM_OPCODES, tg_opcode_find)
   ASSERT_ALL_FOUND(tg_files, TG_NUM_FILES, tg_file_find)
   ASSERT_ALL_FOUND(tg_semantics, TG_NUM_SEMANTICS, tg_semantic_find)
   ASSERT_ALL_FOUND(tg_properties, TG_NUM_PROPERTIES, tg_property_find)
   ASSERT_ALL_FOUND(tg_targets, TG_NUM_TARGETS, tg_target_find)
   ASSERT_ALL_FOUND(tg_primitives, TG_NUM_PRIMITIVES, tg_primitive_find)
   ASSERT_ALL_FOUND(tg_processors, TG_NUM_PROCESSORS, tg_processor_find)
   for (size_t i = 0; i < TG_NUM_FORMATS; i++) {
      char name[80];

      snprintf(name, sizeof(name), "pipe_format_%s", tg_formats[i].name);
      assert_int_equal(tg_format_find(name, strlen(name)), i);
   }
}

static void
test_only_whole_words_are_found(void **state)
{
   (void)state;
   assert_int_equal(tg_opcode_find("MO", 2), -1);
   assert_int_equal(tg_opcode_find("MOVE", 4), -1);
   assert_int_equal(tg_opcode_find("MOVE", 3), TG_OPCODE_MOV);
   assert_int_equal(tg_file_find("CONSTBUF", 5), TG_FILE_CONST);
   assert_int_equal(tg_file_find("", 0), -1);
   assert_int_equal(tg_format_find("PIPE_FORMAT_", 12), -1);
   assert_int_equal(tg_format_find("R32_FLOAT", 9), -1);
}

/* ---- what is in a shader ------------------------------------------------- */

static void
test_texture_tokens(void **state)
{
   struct tg_shader *shader =
      parse("FRAG\n"
            "TEX TEMP[0], IN[0], SAMP[0], 2D\n"
            "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0], IMM[0].xzy\n"
            "SVIEWINFO TEMP[0], IMM[0], SVIEW[0]\n"
            "SAMP2HND TEMP[0], SAMP[0], 3D\n");
   const struct tg_instruction *tex = &shader->instructions[0];
   const struct tg_instruction *sample = &shader->instructions[1];

   (void)state;
   assert_true(tex->has_texture);
   assert_int_equal(tex->target, TG_TARGET_2D);
   assert_int_equal(tex->tex_return_type, TG_RETURN_TYPE_UNKNOWN);
   assert_int_equal(tex->num_tex_offsets, 0);
   assert_false(tex->has_memory);

   assert_true(sample->has_texture);
   assert_int_equal(sample->target, TG_TARGET_UNKNOWN);
   assert_int_equal(sample->num_tex_offsets, 1);
   assert_int_equal(sample->tex_offset[0].file, TG_FILE_IMM);
   assert_memory_equal(sample->tex_offset[0].swizzle, "\0\2\1", 3);

   assert_false(shader->instructions[2].has_texture);
   assert_true(shader->instructions[3].has_texture);
   assert_true(shader->instructions[3].has_memory);
   tg_shader_destroy(shader);
}

static void
test_memory_tokens(void **state)
{
   struct tg_shader *shader =
      parse("COMP\n"
            "BARRIER\n"
            "LOAD TEMP[0], IMAGE[0], TEMP[0], VOLATILE, COHERENT, 3D, "
            "PIPE_FORMAT_R32_FLOAT\n"
            "ATOMFADD TEMP[0], BUFFER[0], TEMP[0], TEMP[0]\n"
            "ATOMFADD TEMP[0], BUFFER[0], TEMP[0], TEMP[0], RESTRICT\n"
            "MEMBAR IMM[0]\n");
   const struct tg_instruction *barrier = &shader->instructions[0];
   const struct tg_instruction *load = &shader->instructions[1];

   (void)state;
   assert_true(barrier->has_memory);
   assert_int_equal(barrier->qualifiers, 0);
   assert_int_equal(barrier->memory_target, 0);
   assert_int_equal(barrier->memory_format, 0);

   assert_int_equal(load->qualifiers,
                    TG_QUALIFIER_VOLATILE | TG_QUALIFIER_COHERENT);
   assert_int_equal(load->memory_target, TG_TARGET_3D);
   assert_int_equal(load->memory_format, TG_FORMAT_R32_FLOAT);

   assert_false(shader->instructions[2].has_memory);
   assert_true(shader->instructions[3].has_memory);
   assert_int_equal(shader->instructions[3].qualifiers, TG_QUALIFIER_RESTRICT);
   assert_false(shader->instructions[4].has_memory);
   tg_shader_destroy(shader);
}

static void
test_registers(void **state)
{
   struct tg_shader *shader =
      parse("GEOM\n"
            "MAD_SAT_PRECISE OUT[ADDR[1].z-7](3).yw, "
            "-|IN[TEMP[2]+4][ADDR[0].y](9).wxyz|, CONST[5], IMM[0].z\n");
   const struct tg_instruction *mad = &shader->instructions[0];
   const struct tg_register *out = &mad->dst[0].reg;
   const struct tg_register *in = &mad->src[0].reg;

   (void)state;
   assert_int_equal(mad->opcode, TG_OPCODE_MAD);
   assert_int_equal(mad->saturate, TG_SATURATE_ZERO_ONE);
   assert_true(mad->precise);
   assert_int_equal(mad->num_dst, 1);
   assert_int_equal(mad->num_src, 3);

   assert_int_equal(mad->dst[0].writemask, TG_MASK_Y | TG_MASK_W);
   assert_int_equal(out->file, TG_FILE_OUT);
   assert_false(out->has_dimension);
   assert_true(out->index.indirect);
   assert_int_equal(out->index.file, TG_FILE_ADDR);
   assert_int_equal(out->index.index, 1);
   assert_int_equal(out->index.component, 2);
   assert_int_equal(out->index.offset, -7);
   assert_int_equal(out->index.array_id, 3);

   assert_true(mad->src[0].negate);
   assert_true(mad->src[0].absolute);
   assert_memory_equal(mad->src[0].swizzle, "\3\0\1\2", 4);
   assert_true(in->has_dimension);
   assert_int_equal(in->dimension.file, TG_FILE_TEMP);
   assert_int_equal(in->dimension.index, 2);
   assert_int_equal(in->dimension.component, 0);
   assert_int_equal(in->dimension.offset, 4);
   assert_int_equal(in->dimension.array_id, 0);
   assert_int_equal(in->index.component, 1);
   assert_int_equal(in->index.array_id, 9);

   assert_false(mad->src[1].reg.index.indirect);
   assert_int_equal(mad->src[1].reg.index.offset, 5);
   assert_memory_equal(mad->src[1].swizzle, "\0\1\2\3", 4);
   assert_memory_equal(mad->src[2].swizzle, "\2\2\2\2", 4);
   tg_shader_destroy(shader);
}

static void
test_declaration(void **state)
{
   struct tg_shader *shader =
      parse("GEOM\n"
            "DCL OUT[2..3].xz, ARRAY(4), GENERIC[9], STREAM(0, 1, 2, 3), "
            "INVARIANT\n"
            "DCL IN[][1], COLOR, PERSPECTIVE, SAMPLE\n"
            "DCL CONST[3][0..15]\n");
   const struct tg_declaration *out = &shader->declarations[0];
   const struct tg_declaration *in = &shader->declarations[1];
   const struct tg_declaration *constants = &shader->declarations[2];

   (void)state;
   assert_int_equal(out->first, 2);
   assert_int_equal(out->last, 3);
   assert_int_equal(out->usage_mask, TG_MASK_X | TG_MASK_Z);
   assert_true(out->has_array && out->has_semantic && out->invariant);
   assert_int_equal(out->array_id, 4);
   assert_int_equal(out->semantic, TG_SEMANTIC_GENERIC);
   assert_int_equal(out->semantic_index, 9);
   assert_memory_equal(out->stream, "\0\1\2\3", 4);
   assert_false(out->has_interpolate || out->local || out->has_dimension);

   assert_false(in->has_dimension);
   assert_int_equal(in->first, 1);
   assert_true(in->has_interpolate);
   assert_int_equal(in->interpolate, TG_INTERPOLATE_PERSPECTIVE);
   assert_int_equal(in->location, TG_LOCATION_SAMPLE);

   assert_true(constants->has_dimension);
   assert_int_equal(constants->dimension, 3);
   assert_int_equal(constants->last, 15);
   tg_shader_destroy(shader);
}

static void
test_words_of_immediates(void **state)
{
   struct tg_shader *shader =
      parse("FRAG\n"
            "IMM FLT32 {0x7fc00001, 0.1, -0.0, 1e-45}\n"
            "IMM INT32 {-1, 0xff, +2, -2147483648}\n"
            "IMM FLT64 {0.1, -2}\n"
            "IMM UINT64 {0x123456789abcdef0, 1}\n"
            "IMM FLT32 {0.50000002980232239, 16777217.0}\n");
   const uint32_t expected[][4] = {
      {0x7fc00001, 0x3dcccccd, 0x80000000, 0x00000001},
      {0xffffffff, 0x000000ff, 0x00000002, 0x80000000},
      {0x9999999a, 0x3fb99999, 0x00000000, 0xc0000000},
      {0x9abcdef0, 0x12345678, 0x00000001, 0x00000000},
      /* Half way to the next float, and a bit more; and half way, to even. */
      {0x3f000001, 0x4b800000, 0, 0},
   };

   (void)state;
   assert_int_equal(shader->num_immediates, 5);
   for (size_t i = 0; i < shader->num_immediates; i++) {
      assert_int_equal(shader->immediates[i].num_words, 4);
      assert_memory_equal(shader->immediates[i].words, expected[i],
                          sizeof(expected[i]));
   }
   tg_shader_destroy(shader);
}

static void
test_order_and_positions(void **state)
{
   struct tg_shader *shader = parse("FRAG\n"
                                    "  DCL IN[0], COLOR, LINEAR\n"
                                    "\tIMM INT32 {0, 0, 0, 0}\n"
                                    " 12: (PRED[0]) MOV OUT[0], IN[0]\n"
                                    "PROPERTY VS_PROHIBIT_UCPS 1 END");
   const uint8_t kinds[] = {TG_ITEM_DECLARATION, TG_ITEM_IMMEDIATE,
                            TG_ITEM_INSTRUCTION, TG_ITEM_PROPERTY,
                            TG_ITEM_INSTRUCTION};

   (void)state;
   assert_int_equal(shader->num_items, 5);
   for (size_t i = 0; i < 5; i++)
      assert_int_equal(shader->items[i].kind, kinds[i]);
   assert_int_equal(shader->items[4].index, 1);

   /* Of the register, the word IMM, the mnemonic, the name. */
   assert_int_equal(shader->declarations[0].position.line, 2);
   assert_int_equal(shader->declarations[0].position.column, 7);
   assert_int_equal(shader->immediates[0].position.column, 2);
   assert_int_equal(shader->instructions[0].position.line, 4);
   assert_int_equal(shader->instructions[0].position.column, 16);
   assert_int_equal(shader->properties[0].position.column, 10);
   assert_int_equal(shader->instructions[1].position.column, 29);
   tg_shader_destroy(shader);
}

static void
expect_title(const char *name, const char *text, const char *expected)
{
   struct tg_shader *shader;
   char title[TG_SHADER_TITLE];

   assert_int_equal(tg_shader_parse(NULL, name, text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   tg_shader_title(shader, title);
   assert_string_equal(title, expected);
   tg_shader_destroy(shader);
}

/* Of a name of more than 64 bytes the end. */
static void
test_titles(void **state)
{
   (void)state;
   expect_title("shader 7", "VERT\nEND", "VERT shader 7");
   expect_title("a.tgsi", "\n\nTESS_CTRL\nEND", "TESS_CTRL a.tgsi:3");
   expect_title("beginning/"
                "123456789 123456789 123456789 123456789 123456789 123456789 "
                "1234",
                "\nFRAG\nEND",
                "FRAG 123456789 123456789 123456789 123456789 123456789 "
                "123456789 1234:2");
}

/* ---- limits -------------------------------------------------------------- */

static void
assert_complaint(const char *text, size_t length, const char *expected)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   assert_int_equal(tg_shader_parse(NULL, "test", text, length, TG_DIALECT_2019,
                                    diagnostics, &shader),
                    TG_ERROR_INPUT);
   assert_null(shader);
   assert_int_equal(tg_diagnostics_count(diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message, expected);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_too_much(void **state)
{
   char *text;

   (void)state;
   assert_complaint("FRAG", (64 << 20) + 1,
                    "a shader has at most 67108864 bytes, not 67108865");

   text = repeat("FRAG", " DCL IN[0]", TG_MAX_DECLARATIONS + 2);
   assert_complaint(text, strlen(text),
                    "a shader has at most 65536 declarations");
   free(text);
   text = repeat("FRAG", " IMM INT32{1}", TG_MAX_IMMEDIATES + 2);
   assert_complaint(text, strlen(text),
                    "a shader has at most 65536 immediates");
   free(text);
   text = repeat("FRAG", " PROPERTY NEXT_SHADER 1", TG_MAX_PROPERTIES + 2);
   assert_complaint(text, strlen(text), "a shader has at most 1024 properties");
   free(text);
   text = repeat("FRAG", " NOP", TG_MAX_INSTRUCTIONS + 2);
   assert_complaint(text, strlen(text),
                    "a shader has at most 1048576 instructions");
   free(text);
}

static void
test_all_mistakes_are_counted(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *text = repeat("FRAG\n", "MVO\n", 3000);

   (void)state;
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, diagnostics, &shader),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 3000);
   assert_int_equal(tg_diagnostics_count(diagnostics), 1000);
   tg_diagnostics_destroy(diagnostics);
   free(text);
}

/* The promise of 40 bytes for each byte of text, and the shortest statements
 * that there are. */
static void
test_memory_is_in_proportion(void **state)
{
   static const char *const lines[] = {
      "NOP ",
      "DCL IN[0] ",
      "IMM FLT32{1} ",
      "IF IN[0]\n",
      "MOV IN[0],IN[0] ",
      "CAL:1 ",
      "CLOCK IN[0] ",
      "PROPERTY NEXT_SHADER 1 ",
   };

   (void)state;
   for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
      struct counter counter = {.calls_left = SIZE_MAX};
      const struct tg_allocator allocator = {counting_resize, &counter};
      struct tg_shader *shader = NULL;
      char *text = repeat("FRAG ", lines[i], 1000);

      assert_int_equal(tg_shader_parse(&allocator, "test", text, strlen(text),
                                       TG_DIALECT_2019, NULL, &shader),
                       TG_OK);
      assert_in_range(counter.bytes, 1, 40 * strlen(text));
      tg_shader_destroy(shader);
      assert_int_equal(counter.bytes, 0);
      free(text);
   }
}

static const char *const small_shader =
   "FRAG\n"
   "PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n"
   "DCL IN[0], GENERIC[3], PERSPECTIVE\n"
   "DCL SVIEW[0], 2D, FLOAT\n"
   "IMM[0] FLT32 {1.5, 0x3f800000, inf, -2e3}\n"
   "  0: (!PRED[0].x) TEX TEMP[ADDR[0].x+1](1), IN[0], SAMP[0], 2D, "
   "IMM[0].xyz\n"
   "  1: UIF TEMP[0].x :3\n"
   "  2: LOAD TEMP[0], BUFFER[0], TEMP[0], COHERENT\n"
   "  3: ENDIF\n"
   "  4: END\n";

/* Whichever allocation fails: the result says so, and nothing is kept. */
static void
test_memory_runs_out(void **state)
{
   size_t length = strlen(small_shader);
   enum tg_result result = TG_ERROR_MEMORY;
   size_t num_calls = 0;

   (void)state;
   for (; result != TG_OK; num_calls++) {
      struct counter counter = {.calls_left = num_calls};
      const struct tg_allocator allocator = {counting_resize, &counter};
      struct tg_shader *shader = NULL;

      result = tg_shader_parse(&allocator, "test", small_shader, length,
                               TG_DIALECT_2019, NULL, &shader);
      if (result != TG_OK) {
         assert_int_equal(result, TG_ERROR_MEMORY);
         assert_null(shader);
         assert_int_equal(counter.bytes, 0);
      }
      tg_shader_destroy(shader);
   }
   assert_in_range(num_calls, 7, 100);
}

/* Each beginning of a shader, in memory that ends where it ends. */
static void
test_text_ends_anywhere(void **state)
{
   size_t length = strlen(small_shader);

   (void)state;
   for (size_t i = 0; i <= length; i++) {
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_shader *shader = NULL;
      char *text = malloc(i ? i : 1);

      assert_non_null(text);
      memcpy(text, small_shader, i);
      enum tg_result result = tg_shader_parse(
         NULL, "test", text, i, TG_DIALECT_2019, diagnostics, &shader);
      free(text);
      assert_true(result == TG_OK || result == TG_ERROR_INPUT);
      assert_int_equal(tg_diagnostics_num_errors(diagnostics),
                       result == TG_OK ? 0 : 1);
      tg_shader_destroy(shader);
      tg_diagnostics_destroy(diagnostics);
   }
}

/* Numbers have a point, also for users who write a comma. */
static void
test_locale_does_not_matter(void **state)
{
   static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",
                                       "fr_FR.UTF-8", "de_DE",
                                       "nl_NL.UTF-8", "sv_SE.UTF-8"};
   static const char text[] =
      "FRAG\nIMM[0] FLT32 {    1.5000,     0.2500,     0.0000,     0.0000}\n";
   bool has_locale = false;

   (void)state;
   for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      has_locale = has_locale || setlocale(LC_NUMERIC, names[i]);
   if (!has_locale)
      skip();
   struct tg_shader *shader = parse(text);
   char *printed = tg_shader_print(shader, 0);
   setlocale(LC_NUMERIC, "C");
   assert_string_equal(printed, text);
   tg_string_free(printed);
   tg_shader_destroy(shader);
}

/* ---- printing ------------------------------------------------------------ */

static void
test_floats_as_hex(void **state)
{
   struct tg_shader *shader = parse("FRAG\n"
                                    "IMM FLT32 {1, -0.0, nan(1), 1e-45}\n"
                                    "IMM FLT64 {1, 2}\n");
   char *printed = tg_shader_print(shader, TG_PRINT_FLOATS_AS_HEX);

   (void)state;
   assert_string_equal(printed,
                       "FRAG\n"
                       "IMM[0] FLT32 {0x3f800000, 0x80000000, 0x7fc00001, "
                       "0x00000001}\n"
                       "IMM[1] FLT64 {1.00000000, 2.00000000}\n");
   tg_string_free(printed);
   tg_shader_destroy(shader);
}

/* However deep the blocks, lines do not become longer than legal ones can. */
static void
test_indentation_is_bounded(void **state)
{
   char *text = repeat("FRAG\n", "IF IN[0]\n", 20000);
   struct tg_shader *shader = parse(text);
   char *printed = tg_shader_print(shader, 0);

   (void)state;
   assert_in_range(strlen(printed), 1, 20000 * (2 * TG_MAX_NESTING + 20));
   tg_string_free(printed);
   tg_shader_destroy(shader);
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_name_is_found),
      cmocka_unit_test(test_only_whole_words_are_found),
      cmocka_unit_test(test_texture_tokens),
      cmocka_unit_test(test_memory_tokens),
      cmocka_unit_test(test_registers),
      cmocka_unit_test(test_declaration),
      cmocka_unit_test(test_words_of_immediates),
      cmocka_unit_test(test_order_and_positions),
      cmocka_unit_test(test_titles),
      cmocka_unit_test(test_too_much),
      cmocka_unit_test(test_all_mistakes_are_counted),
      cmocka_unit_test(test_memory_is_in_proportion),
      cmocka_unit_test(test_memory_runs_out),
      cmocka_unit_test(test_text_ends_anywhere),
      cmocka_unit_test(test_locale_does_not_matter),
      cmocka_unit_test(test_floats_as_hex),
      cmocka_unit_test(test_indentation_is_bounded),
   };

   return cmocka_run_group_tests_name("tgsi: text", tests, NULL, NULL);
}
