/* SPDX-License-Identifier: MIT
 *
 * The validator where text does not reach: shaders that only tokens could
 * bring, sizes that are meant to hurt, and memory that runs out. What text can
 * say is in the folder check/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tgsi/shader/shader.h"

static struct tg_shader *
make_shader(enum tg_processor processor, const struct tg_allocator *allocator)
{
   const struct tg_source source = {.name = "shader"};
   struct tg_shader *shader =
      tg_shader_create(allocator, processor, TG_DIALECT_2019, &source);

   assert_non_null(shader);
   return shader;
}

static struct tg_declaration *
declare(struct tg_shader *shader, enum tg_file file, uint16_t first,
        uint16_t last)
{
   struct tg_declaration *declaration = tg_shader_add_declaration(shader);

   assert_non_null(declaration);
   declaration->file = (uint8_t)file;
   declaration->usage_mask = TG_MASK_XYZW;
   declaration->first = first;
   declaration->last = last;
   return declaration;
}

static void
add(struct tg_shader *shader, const struct tg_instruction_draft *draft)
{
   assert_non_null(tg_shader_add_instruction(shader, draft));
}

static void
add_end(struct tg_shader *shader)
{
   add(shader, &(struct tg_instruction_draft){.head.opcode = TG_OPCODE_END});
}

/* The codes of all complaints, separated by spaces. Destroys the shader. */
static void
check_codes(struct tg_shader *shader, const char *expected)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   enum tg_result result = tg_shader_validate(shader, diagnostics);
   char codes[512] = "";

   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      if (i > 0)
         strcat(codes, " ");
      strcat(codes, tg_diagnostics_get(diagnostics, i)->code);
   }
   assert_string_equal(codes, expected);
   assert_int_equal(
      result, tg_diagnostics_num_errors(diagnostics) ? TG_ERROR_INPUT : TG_OK);
   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
}

/* ---- what only tokens can say -------------------------------------------- */

/* MOV TEMP[0], TEMP[0] with other counts of operands. */
static struct tg_shader *
make_move(uint8_t num_dst, uint8_t num_src)
{
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_instruction_draft move = {
      .head.opcode = TG_OPCODE_MOV,
      .head.num_dst = num_dst,
      .head.num_src = num_src,
   };

   for (int i = 0; i < TG_MAX_DST; i++) {
      move.dst[i].reg.file = TG_FILE_TEMP;
      move.dst[i].writemask = TG_MASK_XYZW;
   }
   for (int i = 0; i < TG_MAX_SRC; i++)
      move.src[i].reg.file = TG_FILE_TEMP;
   declare(shader, TG_FILE_TEMP, 0, 0);
   add(shader, &move);
   add_end(shader);
   return shader;
}

static void
test_operand_counts(void **state)
{
   (void)state;
   check_codes(make_move(1, 1), "uninitialized-register");
   check_codes(make_move(1, 2), "operand-count unused-register");
   check_codes(make_move(1, 0), "operand-count unused-register");
   check_codes(make_move(2, 1), "operand-count unused-register");
   check_codes(make_move(0, 1), "operand-count unused-register");
}

static void
test_empty_masks(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_instruction_draft move = {
      .head = {.opcode = TG_OPCODE_MOV, .num_dst = 1, .num_src = 1},
      .dst[0].reg.file = TG_FILE_TEMP,
      .src[0].reg.file = TG_FILE_TEMP,
   };

   declare(shader, TG_FILE_TEMP, 0, 0);
   declare(shader, TG_FILE_TEMP, 1, 1)->usage_mask = 0;
   add(shader, &move);
   add_end(shader);
   check_codes(shader, "empty-mask empty-mask unused-register");
}

/* An atomic does its work also when nobody wants the old value. */
static void
test_atomic_with_empty_mask(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_COMP, NULL);
   struct tg_instruction_draft atomic = {
      .head = {.opcode = TG_OPCODE_ATOMUADD, .num_dst = 1, .num_src = 3},
      .dst[0].reg.file = TG_FILE_TEMP,
      .src[0].reg.file = TG_FILE_BUFFER,
      .src[1].reg.file = TG_FILE_TEMP,
      .src[2].reg.file = TG_FILE_TEMP,
   };

   declare(shader, TG_FILE_TEMP, 0, 0);
   declare(shader, TG_FILE_BUFFER, 0, 0);
   add(shader, &atomic);
   add_end(shader);
   check_codes(shader, "uninitialized-register");
}

static void
test_store_of_nothing(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_COMP, NULL);
   struct tg_instruction_draft store = {
      .head = {.opcode = TG_OPCODE_STORE, .num_dst = 1, .num_src = 2},
      .dst[0].reg.file = TG_FILE_BUFFER,
      .src[0].reg.file = TG_FILE_TEMP,
      .src[1].reg.file = TG_FILE_TEMP,
   };

   declare(shader, TG_FILE_TEMP, 0, 0);
   declare(shader, TG_FILE_BUFFER, 0, 0);
   add(shader, &store);
   add_end(shader);
   check_codes(shader, "empty-mask uninitialized-register");
}

static void
test_odd_declarations(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_GEOM, NULL);
   static const uint8_t needed[] = {
      TG_PROPERTY_GS_INPUT_PRIMITIVE,
      TG_PROPERTY_GS_OUTPUT_PRIMITIVE,
      TG_PROPERTY_GS_MAX_OUTPUT_VERTICES,
   };

   for (int i = 0; i < 3; i++) {
      struct tg_property *property = tg_shader_add_property(shader);

      property->name = needed[i];
      property->num_values = 1;
   }
   declare(shader, TG_FILE_TEMP, 3, 2);
   declare(shader, TG_FILE_OUT, 0, 0)->stream[2] = 4;
   add_end(shader);
   check_codes(shader, "reversed-range bad-stream unused-register "
                       "unused-register");
}

static void
test_missing_target(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_instruction_draft texture = {
      .head = {.opcode = TG_OPCODE_TEX, .num_dst = 1, .num_src = 2},
      .dst[0] = {.reg.file = TG_FILE_TEMP, .writemask = TG_MASK_XYZW},
      .src[0].reg.file = TG_FILE_TEMP,
      .src[1].reg.file = TG_FILE_SAMP,
   };

   declare(shader, TG_FILE_TEMP, 0, 0);
   declare(shader, TG_FILE_SAMP, 0, 0);
   add(shader, &texture);
   add_end(shader);
   check_codes(shader, "missing-target");
}

static void
test_stray_tokens(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_instruction_draft nop = {
      .head = {.opcode = TG_OPCODE_NOP,
               .has_texture = true,
               .has_memory = true},
   };

   add(shader, &nop);
   add_end(shader);
   check_codes(shader, "bad-target bad-memory");
}

static void
test_odd_words_of_immediate(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_immediate *immediate = tg_shader_add_immediate(shader);

   immediate->type = TG_IMM_TYPE_FLT64;
   immediate->num_words = 3;
   add_end(shader);
   check_codes(shader, "bad-immediate");
}

static void
test_property_without_value(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);

   tg_shader_add_property(shader)->name = TG_PROPERTY_NEXT_SHADER;
   add_end(shader);
   check_codes(shader, "bad-property");
}

/* ---- sizes --------------------------------------------------------------- */

/* Every declaration covers all registers that there are. */
static void
test_many_wide_declarations(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   clock_t begin = clock();

   for (int i = 0; i < TG_MAX_DECLARATIONS; i++)
      declare(shader, TG_FILE_TEMP, (uint16_t)(i & 7), UINT16_MAX);
   add_end(shader);
   assert_int_equal(tg_shader_validate(shader, diagnostics), TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics),
                    TG_MAX_DECLARATIONS - 1);
   assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10.0);

   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
}

/* Ranges that interlock: [0..1] [1..2] [2..3] ..., found whichever comes
 * first. */
static void
test_chain_of_overlaps(void **state)
{
   (void)state;
   for (int reverse = 0; reverse <= 1; reverse++) {
      struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, NULL);
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

      for (int i = 0; i < 100; i++) {
         uint16_t first = (uint16_t)(reverse ? 99 - i : i);

         declare(shader, TG_FILE_TEMP, first, (uint16_t)(first + 1));
      }
      add_end(shader);
      assert_int_equal(tg_shader_validate(shader, diagnostics), TG_ERROR_INPUT);
      assert_int_equal(tg_diagnostics_num_errors(diagnostics), 99);
      tg_diagnostics_destroy(diagnostics);
      tg_shader_destroy(shader);
   }
}

/* As many instructions as there may be, each of which needs look-ups, behind
 * as many properties. */
static void
test_many_instructions(void **state)
{
   (void)state;
   struct tg_shader *shader = make_shader(TG_PROCESSOR_TESS_CTRL, NULL);
   struct tg_instruction_draft move = {
      .head = {.opcode = TG_OPCODE_MOV, .num_dst = 1, .num_src = 1},
      .dst[0] = {.reg = {.file = TG_FILE_OUT, .has_dimension = true},
                 .writemask = TG_MASK_XYZW},
      .src[0].reg = {.file = TG_FILE_IN, .has_dimension = true},
   };
   clock_t begin = clock();

   for (int i = 0; i < TG_MAX_PROPERTIES; i++) {
      struct tg_property *property = tg_shader_add_property(shader);

      property->name =
         i ? TG_PROPERTY_NUM_CLIPDIST_ENABLED : TG_PROPERTY_TCS_VERTICES_OUT;
      property->num_values = 1;
      property->values[0] = 4;
   }
   for (uint16_t i = 0; i < 32; i++) {
      declare(shader, TG_FILE_IN, i, i);
      declare(shader, TG_FILE_OUT, i, i);
   }
   for (int i = 0; i < TG_MAX_INSTRUCTIONS - 1; i++) {
      move.dst[0].reg.index.offset = i % 32;
      move.src[0].reg.index.offset = i % 32;
      add(shader, &move);
   }
   add_end(shader);
   check_codes(shader, "");
   assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10.0);
}

/* ---- memory -------------------------------------------------------------- */

struct quota {
   int left; /* allocations until one fails; below 0: none fails */
   long held;
};

static void *
resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct quota *quota = user;

   if (new_size && quota->left == 0)
      return NULL;
   if (new_size && quota->left > 0)
      quota->left--;
   quota->held += (long)new_size - (long)old_size;
   if (!new_size) {
      free(ptr);
      return NULL;
   }
   return realloc(ptr, new_size);
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   struct quota quota = {.left = -1};
   const struct tg_allocator allocator = {.resize = resize, .user = &quota};
   struct tg_shader *shader = make_shader(TG_PROCESSOR_VERT, &allocator);
   int failures = 0;

   for (uint16_t i = 0; i < 1000; i++)
      declare(shader, TG_FILE_TEMP, i, i);
   add_end(shader);
   const long held = quota.held;

   for (int allowed = 0;; allowed++) {
      quota.left = allowed;
      enum tg_result result = tg_shader_validate(shader, NULL);

      assert_int_equal(quota.held, held);
      if (result == TG_OK)
         break;
      assert_int_equal(result, TG_ERROR_MEMORY);
      failures++;
   }
   assert_true(failures > 0);
   quota.left = -1;
   tg_shader_destroy(shader);
   assert_int_equal(quota.held, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operand_counts),
      cmocka_unit_test(test_empty_masks),
      cmocka_unit_test(test_atomic_with_empty_mask),
      cmocka_unit_test(test_store_of_nothing),
      cmocka_unit_test(test_odd_declarations),
      cmocka_unit_test(test_missing_target),
      cmocka_unit_test(test_stray_tokens),
      cmocka_unit_test(test_odd_words_of_immediate),
      cmocka_unit_test(test_property_without_value),
      cmocka_unit_test(test_many_wide_declarations),
      cmocka_unit_test(test_chain_of_overlaps),
      cmocka_unit_test(test_many_instructions),
      cmocka_unit_test(test_out_of_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
