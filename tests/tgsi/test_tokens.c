/* SPDX-License-Identifier: MIT
 *
 * The binary form: words worked out by hand from the layout of the fields, and
 * streams that must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tgsi/shader/shader.h"
#include "tgsi/tokens/tokens.h"

/* ---- the table of fields ------------------------------------------------- */

/* Fields of one word do not overlap; ANY stands in every body word. */
static void
test_fields_do_not_overlap(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_TOKEN_FIELDS; i++) {
      const struct token_field_info *a = &token_fields[i];

      assert_true(a->bits > 0 && a->first + a->bits <= 32);
      for (unsigned j = 0; j < i; j++) {
         const struct token_field_info *b = &token_fields[j];

         if (strcmp(a->word, b->word) == 0)
            assert_true(a->first >= b->first + b->bits ||
                        b->first >= a->first + a->bits);
      }
   }
}

static void
test_signed_field(void **state)
{
   uint32_t word = 0;

   (void)state;
   assert_true(token_put(&word, TOKEN_SRC_INDEX, (uint32_t)-2));
   assert_int_equal(word, 0xfffe << 6);
   assert_int_equal((int32_t)token_get(word, TOKEN_SRC_INDEX), -2);

   word = 0;
   assert_true(token_put(&word, TOKEN_SRC_INDEX, 32767));
   word = 0;
   assert_false(token_put(&word, TOKEN_SRC_INDEX, 32768));
   word = 0;
   assert_true(token_put(&word, TOKEN_ARRAY_ID, 1023));
   word = 0;
   assert_false(token_put(&word, TOKEN_ARRAY_ID, 1024));
}

/* Every number of a layout leads back to what it came from. */
static void
test_numbers_are_inverse(void **state)
{
   static const enum tg_token_layout layouts[] = {
      TG_TOKENS_MESA_20_0,
      TG_TOKENS_MESA_23_3,
   };

   (void)state;
   for (unsigned i = 0; i < 2; i++) {
      enum tg_token_layout layout = layouts[i];
      unsigned num_formats = 0;

      for (uint32_t n = 0; n < 1024; n++) {
         int format = token_to_format(layout, n);
         int semantic = token_to_semantic(layout, n);
         int processor = token_to_processor(layout, n);
         int opcode = token_to_opcode(layout, n);

         num_formats += format >= 0;
         if (format >= 0)
            assert_int_equal(token_from_format(layout, format), n);
         if (semantic >= 0)
            assert_int_equal(token_from_semantic(layout, semantic), n);
         if (processor >= 0)
            assert_int_equal(token_from_processor(layout, processor), n);
         if (opcode >= 0)
            assert_int_equal(token_from_opcode(layout, opcode), n);
      }
      assert_int_equal(num_formats, layout == TG_TOKENS_MESA_20_0 ? 376 : 430);
   }
   assert_int_equal(token_to_processor(TG_TOKENS_MESA_20_0, 1),
                    TG_PROCESSOR_FRAG);
   assert_int_equal(token_to_processor(TG_TOKENS_MESA_23_3, 1),
                    TG_PROCESSOR_TESS_CTRL);
   assert_int_equal(token_to_opcode(TG_TOKENS_MESA_23_3, 212), -1);
}

/* ---- a shader and its words ---------------------------------------------- */

static struct tg_shader *
make_shader(void)
{
   const struct tg_source source = {.name = "made"};

   return tg_shader_create(NULL, TG_PROCESSOR_FRAG, TG_DIALECT_2019, &source);
}

static void
set_swizzle(struct tg_src *src, uint8_t x, uint8_t y, uint8_t z, uint8_t w)
{
   memcpy(src->swizzle, (const uint8_t[]){x, y, z, w}, 4);
}

static void
add_bare_instruction(struct tg_shader *shader, enum tg_opcode opcode)
{
   const struct tg_instruction_draft draft = {.head = {.opcode = opcode}};

   assert_non_null(tg_shader_add_instruction(shader, &draft));
}

/* PROPERTY NEXT_SHADER FRAG
 * DCL IN[0], COLOR, LINEAR
 * DCL CONST[1][0..7]
 * IMM[0] FLT32 {1, 2, 3, 4}
 *   0: MAD_SAT OUT[0].xz, -|IN[0].yyyy|, IMM[0], CONST[1][ADDR[0].y+3]
 *   1: END */
static struct tg_shader *
make_small_shader(void)
{
   struct tg_shader *shader = make_shader();

   struct tg_property *property = tg_shader_add_property(shader);
   property->name = TG_PROPERTY_NEXT_SHADER;
   property->num_values = 1;
   property->values[0] = TG_PROCESSOR_FRAG;

   struct tg_declaration *input = tg_shader_add_declaration(shader);
   input->file = TG_FILE_IN;
   input->usage_mask = TG_MASK_XYZW;
   input->has_semantic = true;
   input->semantic = TG_SEMANTIC_COLOR;
   input->has_interpolate = true;
   input->interpolate = TG_INTERPOLATE_LINEAR;

   struct tg_declaration *constants = tg_shader_add_declaration(shader);
   constants->file = TG_FILE_CONST;
   constants->usage_mask = TG_MASK_XYZW;
   constants->has_dimension = true;
   constants->dimension = 1;
   constants->last = 7;

   struct tg_immediate *immediate = tg_shader_add_immediate(shader);
   immediate->num_words = 4;
   memcpy(immediate->words, (const float[]){1, 2, 3, 4}, 16);

   struct tg_instruction_draft mad_draft = {0};
   struct tg_instruction_draft *mad = &mad_draft;
   mad->head.opcode = TG_OPCODE_MAD;
   mad->head.saturate = TG_SATURATE_ZERO_ONE;
   mad->head.num_dst = 1;
   mad->head.num_src = 3;
   mad->dst[0].reg.file = TG_FILE_OUT;
   mad->dst[0].writemask = TG_MASK_X | TG_MASK_Z;
   mad->src[0].reg.file = TG_FILE_IN;
   mad->src[0].absolute = true;
   mad->src[0].negate = true;
   set_swizzle(&mad->src[0], 1, 1, 1, 1);
   mad->src[1].reg.file = TG_FILE_IMM;
   set_swizzle(&mad->src[1], 0, 1, 2, 3);
   mad->src[2].reg = (struct tg_register){
      .file = TG_FILE_CONST,
      .has_dimension = true,
      .dimension = {.offset = 1},
      .index = {.offset = 3,
                .indirect = true,
                .file = TG_FILE_ADDR,
                .component = 1},
   };
   set_swizzle(&mad->src[2], 0, 1, 2, 3);

   assert_non_null(tg_shader_add_instruction(shader, mad));
   add_bare_instruction(shader, TG_OPCODE_END);
   return shader;
}

static const uint32_t small_words_20[] = {
   2 | 22 << 8, /* header: 2 words, 22 after it */
   1,           /* FRAG */
   /* PROPERTY: type 3, 2 words, name 19; value FRAG */
   3 | 2 << 4 | 19 << 12,
   1,
   /* IN[0]: 4 words, file 2, all channels, semantic, interpolated */
   0 | 4 << 4 | 2 << 12 | 15 << 16 | 1 << 21 | 1 << 22,
   0,
   1, /* LINEAR */
   1, /* COLOR[0] */
   /* CONST[1][0..7]: 3 words, file 1, dimension */
   0 | 3 << 4 | 1 << 12 | 15 << 16 | 1 << 20,
   7 << 16,
   1,
   /* IMM: type 1, 5 words, FLT32 */
   1 | 5 << 4,
   0x3f800000,
   0x40000000,
   0x40400000,
   0x40800000,
   /* MAD_SAT: type 2, 6 words after this, opcode 16, 1 dst, 3 src */
   0x01b10062,
   0x00000053, /* OUT[0].xz */
   0xd5400002, /* -|IN[0].yyyy| */
   0x39000007, /* IMM[0] */
   0x390000f1, /* CONST, indirect, dimension, +3 */
   0x00100006, /* ADDR[0].y */
   0x00010000, /* dimension 1 */
   /* END: opcode 117 */
   2 | 117 << 12,
};

static void
test_words_of_mesa_20(void **state)
{
   struct tg_shader *shader = make_small_shader();
   uint32_t *words;
   size_t num_words;

   (void)state;
   assert_int_equal(
      tg_shader_encode(shader, TG_TOKENS_MESA_20_0, NULL, &words, &num_words),
      TG_OK);
   assert_int_equal(num_words, sizeof(small_words_20) / 4);
   assert_memory_equal(words, small_words_20, sizeof(small_words_20));
   tg_tokens_free(words);
   tg_shader_destroy(shader);
}

/* 23.3 numbers FRAG 4, as a stage and as a value. */
static void
test_words_of_mesa_23(void **state)
{
   struct tg_shader *shader = make_small_shader();
   uint32_t expected[sizeof(small_words_20) / 4];
   uint32_t *words;
   size_t num_words;

   (void)state;
   memcpy(expected, small_words_20, sizeof(expected));
   expected[1] = 4;
   expected[3] = 4;
   assert_int_equal(
      tg_shader_encode(shader, TG_TOKENS_MESA_23_3, NULL, &words, &num_words),
      TG_OK);
   assert_int_equal(num_words, sizeof(expected) / 4);
   assert_memory_equal(words, expected, sizeof(expected));
   tg_tokens_free(words);
   tg_shader_destroy(shader);
}

static void
test_decode_gives_the_shader_back(void **state)
{
   struct tg_shader *shader;
   uint32_t *words;
   size_t num_words;

   (void)state;
   assert_int_equal(tg_shader_decode(NULL, "words", small_words_20,
                                     sizeof(small_words_20) / 4,
                                     TG_TOKENS_MESA_20_0, TG_DIALECT_2019, NULL,
                                     &shader),
                    TG_OK);
   assert_int_equal(shader->processor, TG_PROCESSOR_FRAG);
   assert_int_equal(shader->num_instructions, 2);
   assert_int_equal(shader->properties[0].values[0], TG_PROCESSOR_FRAG);
   assert_int_equal(shader->instructions[0].src[2].reg.index.offset, 3);
   assert_int_equal(shader->instructions[0].src[2].reg.index.component, 1);
   assert_int_equal(
      tg_shader_encode(shader, TG_TOKENS_MESA_20_0, NULL, &words, &num_words),
      TG_OK);
   assert_memory_equal(words, small_words_20, sizeof(small_words_20));
   tg_tokens_free(words);
   tg_shader_destroy(shader);
}

/* Immediates of fewer than four words, which only tokens have: what is printed
 * can be parsed, and the words that are missing are 0. */
static void
test_short_immediates_are_read_back(void **state)
{
   static const uint32_t words[] = {
      2 | 5 << 8,           1,    /* FRAG, five words */
      1 | 1 << 4,                 /* FLT32, no value */
      1 | 3 << 4 | 1 << 18, 7, 8, /* UINT32, two */
      2 | 117 << 12,              /* END */
   };
   struct tg_shader *shader = NULL, *again = NULL;

   (void)state;
   assert_int_equal(tg_shader_decode(NULL, "words", words, 7,
                                     TG_TOKENS_MESA_20_0, TG_DIALECT_2019, NULL,
                                     &shader),
                    TG_OK);
   char *text = tg_shader_print(shader, 0);
   assert_string_equal(text, "FRAG\n"
                             "IMM[0] FLT32 {}\n"
                             "IMM[1] UINT32 {7, 8}\n"
                             "  0: END\n");
   assert_int_equal(tg_shader_parse(NULL, "text", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &again),
                    TG_OK);
   for (uint32_t i = 0; i < 2; i++) {
      assert_int_equal(again->immediates[i].num_words, 4);
      assert_memory_equal(again->immediates[i].words,
                          shader->immediates[i].words,
                          sizeof(shader->immediates[i].words));
   }
   tg_string_free(text);
   tg_shader_destroy(again);
   tg_shader_destroy(shader);
}

/* ---- refusals ------------------------------------------------------------ */

static void
assert_refused(const uint32_t *words, size_t num_words, const char *expected)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   assert_int_equal(tg_shader_decode(NULL, "t", words, num_words,
                                     TG_TOKENS_MESA_20_0, TG_DIALECT_2019,
                                     diagnostics, &shader),
                    TG_ERROR_INPUT);
   assert_null(shader);
   char *text = tg_diagnostics_text(diagnostics);
   assert_string_equal(text, expected);
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

#define REFUSED(expected, ...)                                                 \
   do {                                                                        \
      const uint32_t words_[] = {__VA_ARGS__};                                 \
      assert_refused(words_, sizeof(words_) / sizeof(*words_), expected);      \
   } while (0)

static void
test_too_many_items(void **state)
{
   enum { COUNT = TG_MAX_PROPERTIES + 1 };
   static uint32_t words[2 + COUNT] = {2 | COUNT << 8, 1};

   (void)state;
   for (int i = 0; i < COUNT; i++)
      words[2 + i] = 3 | 1 << 4; /* property 0 without a value */
   assert_refused(words, 2 + COUNT,
                  "t: word 1026: error: a shader has at most 1024 "
                  "properties\n");
}

/* A header with one body word and the rest of a one-item stream. */
#define BODY(count) 2 | (count) << 8, 1

static void
test_bad_headers(void **state)
{
   (void)state;
   assert_refused(NULL, 0, "t: error: the tokens end inside an item\n");
   REFUSED("t: error: a header has at least 2 words, not 1\n", 1, 1);
   REFUSED("t: word 1: error: no stage has the number 9 in Mesa 20.0\n", 2, 9);
   REFUSED("t: word 1: error: the header promises 7 words, and there are 2\n",
           2 | 5 << 8, 1);
   REFUSED("t: word 3: error: there are words after the body\n", 2, 1, 0, 5);
}

static void
test_bad_items(void **state)
{
   (void)state;
   REFUSED("t: word 2: error: no token has the type 7\n", BODY(1), 7);
   REFUSED("t: word 2: error: no register file has the number 15\n", BODY(2),
           15 << 12, 0);
   REFUSED("t: word 2: error: the tokens end inside an item\n", BODY(1),
           2 << 12);
   REFUSED("t: word 4: error: no semantic has the number 200 in Mesa 20.0\n",
           BODY(3), 2 << 12 | 1 << 21, 0, 200);
   REFUSED("t: word 2: error: an immediate has 1 to 5 words, not 10\n", BODY(1),
           1 | 10 << 4);
   REFUSED("t: word 2: error: no immediate type has the number 6\n", BODY(1),
           1 | 1 << 4 | 6 << 18);
   REFUSED("t: word 2: error: a property has 1 to 9 words, not 0\n", BODY(1),
           3);
   REFUSED("t: word 2: error: no property has the number 29\n", BODY(1),
           3 | 1 << 4 | 29 << 12);
   REFUSED("t: word 2: error: no opcode has the number 255 in Mesa 20.0\n",
           BODY(1), 2 | 255 << 12);
   REFUSED("t: word 2: error: an instruction has at most 2 destinations and 5 "
           "sources, not 3 and 0\n",
           BODY(1), 2 | 1 << 12 | 3 << 21);
   REFUSED("t: word 3: error: a texture instruction has at most 4 offsets, not "
           "5\n",
           BODY(2), 2 | 52 << 12 | 1 << 28, 2 | 5 << 8);
   REFUSED("t: word 3: error: no texture target has the number 19\n", BODY(2),
           2 | 52 << 12 | 1 << 28, 19);
   REFUSED("t: word 3: error: no format has the number 376 in Mesa 20.0\n",
           BODY(2), 2 | 161 << 12 | 1 << 29, 376 << 12);
   REFUSED("t: word 4: error: a register has at most two dimensions\n", BODY(3),
           2 | 1 << 12 | 1 << 21, 4 | 1 << 9, 2);
}

/* A buffer may be larger than what it holds, if the rest is zero. */
static void
test_zeros_after_the_body(void **state)
{
   const uint32_t words[] = {2, 1, 0, 0, 0};
   struct tg_shader *shader;

   (void)state;
   assert_int_equal(tg_shader_decode(NULL, "t", words, 5, TG_TOKENS_MESA_20_0,
                                     TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_int_equal(shader->num_items, 0);
   tg_shader_destroy(shader);
}

static void
assert_not_encoded(struct tg_shader *shader, enum tg_token_layout layout,
                   const char *expected)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   uint32_t *words = NULL;
   size_t num_words;

   assert_int_equal(
      tg_shader_encode(shader, layout, diagnostics, &words, &num_words),
      TG_ERROR_INPUT);
   assert_null(words);
   char *text = tg_diagnostics_text(diagnostics);
   assert_string_equal(text, expected);
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
}

static void
test_what_tokens_cannot_say(void **state)
{
   (void)state;

   struct tg_shader *shader = make_shader();
   add_bare_instruction(shader, TG_OPCODE_BRA);
   add_bare_instruction(shader, TG_OPCODE_SUB);
   assert_not_encoded(
      shader, TG_TOKENS_MESA_20_0,
      "made: error: opcode BRA has no number in the tokens of Mesa 20.0\n"
      "made: error: opcode SUB has no number in the tokens of Mesa 20.0\n");

   shader = make_shader();
   add_bare_instruction(shader, TG_OPCODE_DFRACEXP);
   assert_not_encoded(shader, TG_TOKENS_MESA_23_3,
                      "made: error: opcode DFRACEXP has no number in the "
                      "tokens of Mesa 23.3\n");

   shader = make_shader();
   tg_shader_add_declaration(shader)->file = TG_FILE_PRED;
   assert_not_encoded(
      shader, TG_TOKENS_MESA_20_0,
      "made: error: file PRED has no number in the tokens of Mesa 20.0\n");

   shader = make_shader();
   tg_shader_add_declaration(shader)->file = TG_FILE_TEMPX;
   struct tg_instruction_draft constant = {
      .head = {.opcode = TG_OPCODE_MOV, .num_dst = 1, .num_src = 1},
      .dst[0].reg.file = TG_FILE_TEMP,
      .src[0].reg.file = TG_FILE_IMMX,
   };
   assert_non_null(tg_shader_add_instruction(shader, &constant));
   assert_not_encoded(
      shader, TG_TOKENS_MESA_23_3,
      "made: error: file TEMPX has no number in the tokens of Mesa 23.3\n"
      "made: error: file IMMX has no number in the tokens of Mesa 23.3\n");

   shader = make_shader();
   struct tg_instruction_draft mov = {
      .head = {.opcode = TG_OPCODE_MOV, .num_dst = 1},
      .dst = {{.reg = {.index = {.offset = 40000}}}},
   };
   assert_non_null(tg_shader_add_instruction(shader, &mov));
   assert_not_encoded(shader, TG_TOKENS_MESA_20_0,
                      "made: error: 40000 does not fit the 16 bits of token "
                      "field DST.INDEX\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields_do_not_overlap),
      cmocka_unit_test(test_signed_field),
      cmocka_unit_test(test_numbers_are_inverse),
      cmocka_unit_test(test_words_of_mesa_20),
      cmocka_unit_test(test_words_of_mesa_23),
      cmocka_unit_test(test_decode_gives_the_shader_back),
      cmocka_unit_test(test_short_immediates_are_read_back),
      cmocka_unit_test(test_bad_headers),
      cmocka_unit_test(test_bad_items),
      cmocka_unit_test(test_too_many_items),
      cmocka_unit_test(test_zeros_after_the_body),
      cmocka_unit_test(test_what_tokens_cannot_say),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
