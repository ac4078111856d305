/* SPDX-License-Identifier: MIT
 *
 * A reader of LIR listings: one line at a time, words by the op's row.
 */
#include "listing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"

enum { MAX_NUMBER = 1 << 16, MAX_LINE = 256 };

struct reader {
   struct lir_module *module;
   struct lir_builder builder;
   uint32_t origin;
   uint32_t value_of[MAX_NUMBER]; /* instruction that a number names */
   char line[MAX_LINE];
   char *at; /* rest of the line */
};

/* The next word of the line, or NULL; a comma belongs to none. */
static char *
next_word(struct reader *reader)
{
   return strtok_r(NULL, " ,", &reader->at);
}

static uint64_t
number_after(const char *word, const char *prefix, const char *suffix)
{
   if (!word || strncmp(word, prefix, strlen(prefix)) != 0)
      fail_msg("expected %s..., found %s", prefix, word ? word : "the end");

   char *end;
   uint64_t number = strtoull(word + strlen(prefix), &end, 0);
   if (strcmp(end, suffix) != 0)
      fail_msg("no number: %s", word);
   return number;
}

static uint64_t
read_memory(const char *word)
{
   for (uint32_t space = 0; word && space < LIR_NUM_SPACES; space++) {
      size_t length = strlen(lir_space_names[space]);

      if (strncmp(word, lir_space_names[space], length) == 0 &&
          word[length] == '[')
         return lir_mem((enum lir_space)space,
                        (uint32_t)number_after(word + length, "[", "]"));
   }
   fail_msg("no space: %s", word ? word : "the end");
   return 0;
}

static uint64_t
read_immediate(struct reader *reader, enum lir_imm_kind kind)
{
   switch (kind) {
   case LIR_IMM_NONE: return 0;
   case LIR_IMM_VAR: return number_after(next_word(reader), "$", "");
   case LIR_IMM_MEM: return read_memory(next_word(reader));
   case LIR_IMM_CONST:
   case LIR_IMM_LEVEL:
   case LIR_IMM_FUNCTION:
   case LIR_IMM_SLOT:
   case LIR_IMM_TAG: return number_after(next_word(reader), "", "");
   }
   return 0;
}

static enum lir_op
find_op(const char *name)
{
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      if (strcmp(lir_ops[op].name, name) == 0)
         return (enum lir_op)op;
   }
   fail_msg("no op: %s", name);
   return LIR_OP_none;
}

/* The builder would assert that types fit, and tests of the verifier need
 * modules in which they do not; so instructions are added here. */
static void
add_instruction(struct reader *reader, struct lir_inst inst)
{
   struct lir_function *function =
      &reader->module->functions[reader->builder.function];

   assert_true(tg_arena_reserve(&reader->module->arena,
                                (void **)&function->insts, &function->capacity,
                                function->num_insts, sizeof(inst)));
   function->insts[function->num_insts++] = inst;
}

static void
read_instruction(struct reader *reader, char *word)
{
   struct lir_inst inst = {.origin = reader->origin};
   uint32_t *value = NULL;

   if (word[0] == '%') {
      value = &reader->value_of[number_after(word, "%", "") % MAX_NUMBER];
      assert_string_equal(next_word(reader), "=");
      word = next_word(reader);
   }
   if (strcmp(word, "uniform") == 0) {
      inst.is_uniform = true;
      word = next_word(reader);
   }
   if (strcmp(word, "inside") == 0) {
      inst.is_inside = true;
      word = next_word(reader);
   }
   if (strcmp(word, "run") == 0) {
      inst.num_words = (uint8_t)number_after(next_word(reader), "", "");
      word = next_word(reader);
   }
   inst.op = (uint16_t)find_op(word);
   inst.imm = read_immediate(reader, lir_ops[inst.op].imm);
   for (unsigned i = 0; i < lir_ops[inst.op].num_operands; i++) {
      uint64_t number = number_after(next_word(reader), "%", "");

      inst.operand[i].index = reader->value_of[number % MAX_NUMBER];
   }
   if (value)
      *value = reader->module->functions[reader->builder.function].num_insts;
   add_instruction(reader, inst);
}

static void
begin_function(struct reader *reader)
{
   next_word(reader);
   reader->builder.function =
      lir_module_add_function(reader->module, next_word(reader));
   struct lir_function *function =
      &reader->module->functions[reader->builder.function];
   function->num_insts = 0;
   for (char *word = next_word(reader); word && strcmp(word, "{") != 0;
        word = next_word(reader)) {
      uint32_t *count = strcmp(word, "params") == 0 ? &function->num_params
                                                    : &function->num_results;

      *count = (uint32_t)number_after(next_word(reader), "", "");
   }
   reader->origin = LIR_NO_ORIGIN;
   memset(reader->value_of, 0xff, sizeof(reader->value_of));
}

static void
add_variable(struct reader *reader)
{
   next_word(reader);
   const char *type = next_word(reader);
   const char *name = next_word(reader);

   lir_module_add_var(reader->module,
                      strcmp(type, "b1") == 0    ? LIR_TYPE_B1
                      : strcmp(type, "b64") == 0 ? LIR_TYPE_B64
                                                 : LIR_TYPE_B32,
                      name);
}

static void
add_array(struct reader *reader)
{
   next_word(reader);
   uint64_t num_words = number_after(next_word(reader), "", "");

   lir_module_add_array(reader->module, (uint32_t)num_words, next_word(reader));
}

/* Not lir_module_declare_size(), for the same reason. */
static void
add_size(struct reader *reader)
{
   struct lir_module *module = reader->module;
   const uint64_t memory = read_memory(next_word(reader));

   assert_int_equal(lir_mem_space(memory), LIR_SPACE_CONST);
   assert_true(tg_arena_reserve(&module->arena, (void **)&module->sizes,
                                &module->size_capacity, module->num_sizes,
                                sizeof(*module->sizes)));
   module->sizes[module->num_sizes++] = (struct lir_size){
      .binding = lir_mem_binding(memory),
      .num_words = (uint32_t)number_after(next_word(reader), "", ""),
   };
}

static void
read_line(struct reader *reader)
{
   reader->line[strcspn(reader->line, ";")] = '\0';

   char *word = strtok_r(reader->line, " ,", &reader->at);
   if (!word || strcmp(word, "}") == 0)
      return;
   if (strcmp(word, "tiled") == 0) {
      assert_string_equal(next_word(reader), "surfaces");
      reader->module->has_tiled_surfaces = true;
   } else if (strcmp(word, "var") == 0) {
      add_variable(reader);
   } else if (strcmp(word, "array") == 0) {
      add_array(reader);
   } else if (strcmp(word, "size") == 0) {
      add_size(reader);
   } else if (strcmp(word, "function") == 0) {
      begin_function(reader);
   } else if (strcmp(word, "origin") == 0) {
      const char *origin = next_word(reader);

      reader->origin = strcmp(origin, "none") == 0
                          ? LIR_NO_ORIGIN
                          : (uint32_t)number_after(origin, "", "");
   } else {
      read_instruction(reader, word);
   }
}

void
listing_parse(struct lir_module *module, const char *text)
{
   struct reader *reader = calloc(1, sizeof(*reader));

   assert_non_null(reader);
   lir_module_init(module, NULL);
   reader->module = module;
   while (*text) {
      size_t length = strcspn(text, "\n");

      assert_true(length < MAX_LINE);
      memcpy(reader->line, text, length);
      reader->line[length] = '\0';
      read_line(reader);
      text += length + (text[length] == '\n');
   }
   free(reader);
}

void
listing_check(const struct lir_module *module, const char *expected)
{
   struct lir_module other;

   listing_parse(&other, expected);
   char *expected_listing = lir_print(&other);
   char *listing = lir_print(module);
   assert_string_equal(listing, expected_listing);
   tg_string_free(listing);
   tg_string_free(expected_listing);
   lir_module_finish(&other);
}
