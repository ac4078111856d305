/* SPDX-License-Identifier: MIT
 *
 * The structure of control flow: partners worked out by hand for shaders that
 * are lists of opcodes, and the codes of what does not fit together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tgsi/analysis/flow.h"

#define N TG_NO_INSTRUCTION
#define OP(name) TG_OPCODE_##name
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct tg_shader *
make_shader_of(enum tg_dialect dialect, enum tg_processor processor,
               const uint16_t *opcodes, size_t count)
{
   const struct tg_source source = {.name = "flow"};
   struct tg_shader *shader =
      tg_shader_create(NULL, processor, dialect, &source);

   assert_non_null(shader);
   for (size_t i = 0; i < count; i++) {
      const struct tg_instruction_draft draft = {.head.opcode = opcodes[i]};

      assert_non_null(tg_shader_add_instruction(shader, &draft));
   }
   return shader;
}

static struct tg_shader *
make_shader(enum tg_processor processor, const uint16_t *opcodes, size_t count)
{
   return make_shader_of(TG_DIALECT_2019, processor, opcodes, count);
}

static void
set_label(struct tg_shader *shader, uint32_t index, uint32_t label)
{
   shader->instructions[index].has_label = true;
   shader->instructions[index].label = label;
}

static void
test_partners(void **state)
{
   (void)state;
   static const struct {
      uint16_t opcode;
      uint32_t partner, next, parent;
   } rows[] = {
      {OP(UIF), 2, N, N},        /* 0 */
      {OP(NOP), N, N, 0},        /* 1 */
      {OP(ELSE), 9, N, N},       /* 2 */
      {OP(BGNLOOP), 8, N, 2},    /* 3 */
      {OP(IF), 6, N, 3},         /* 4 */
      {OP(BRK), 3, N, 4},        /* 5 */
      {OP(ENDIF), 4, N, 3},      /* 6 */
      {OP(CONT), 3, N, 3},       /* 7 */
      {OP(ENDLOOP), 3, N, 2},    /* 8 */
      {OP(ENDIF), 0, N, N},      /* 9 */
      {OP(SWITCH), 15, 11, N},   /* 10 */
      {OP(CASE), 10, 13, 10},    /* 11 */
      {OP(BRK), 10, N, 10},      /* 12 */
      {OP(DEFAULT), 10, 14, 10}, /* 13 */
      {OP(CASE), 10, N, 10},     /* 14 */
      {OP(ENDSWITCH), 10, N, N}, /* 15 */
      {OP(CAL), 18, N, N},       /* 16 */
      {OP(END), N, N, N},        /* 17 */
      {OP(BGNSUB), 20, N, N},    /* 18 */
      {OP(RET), 18, N, 18},      /* 19 */
      {OP(ENDSUB), 18, N, N},    /* 20 */
   };
   uint16_t opcodes[COUNT(rows)];
   for (size_t i = 0; i < COUNT(rows); i++)
      opcodes[i] = rows[i].opcode;

   struct tg_shader *shader =
      make_shader(TG_PROCESSOR_FRAG, opcodes, COUNT(rows));
   set_label(shader, 16, 18);

   struct tg_flow_info flow;
   assert_int_equal(tg_flow_analyse(shader, NULL, &flow), TG_OK);
   for (size_t i = 0; i < COUNT(rows); i++) {
      assert_int_equal(flow.nodes[i].partner, rows[i].partner);
      assert_int_equal(flow.nodes[i].next, rows[i].next);
      assert_int_equal(flow.nodes[i].parent, rows[i].parent);
      assert_int_equal(flow.nodes[i].default_label, i == 10 ? 13 : N);
   }
   assert_int_equal(flow.num_subroutines, 1);
   assert_int_equal(flow.subroutines[0], 18);
   assert_int_equal(flow.main_begin, 0);
   assert_int_equal(flow.main_end, 17);
   assert_int_equal(flow.num_ends, 1);
   assert_int_equal(flow.max_depth, 3);
   assert_false(flow.only_subroutines);

   tg_flow_finish(&flow);
   tg_shader_destroy(shader);
}

/* END inside of constructs, which 2010 and 2011 allow: it belongs to the
 * subroutine, and closes nothing. */
static void
test_nested_ends(void **state)
{
   (void)state;
   static const uint16_t opcodes[] = {
      OP(IF),     OP(END), OP(ENDIF), OP(NOP),   OP(END),
      OP(BGNSUB), OP(IF),  OP(END),   OP(ENDIF), OP(ENDSUB),
   };
   static const enum tg_dialect dialects[] = {TG_DIALECT_2010, TG_DIALECT_2011};

   for (size_t i = 0; i < COUNT(dialects); i++) {
      struct tg_shader *shader = make_shader_of(dialects[i], TG_PROCESSOR_VERT,
                                                opcodes, COUNT(opcodes));
      struct tg_flow_info flow;

      assert_int_equal(tg_flow_analyse(shader, NULL, &flow), TG_OK);
      assert_int_equal(flow.num_ends, 1);
      assert_int_equal(flow.main_end, 4);
      assert_int_equal(flow.nodes[1].partner, N);
      assert_int_equal(flow.nodes[7].partner, 5);
      tg_flow_finish(&flow);
      tg_shader_destroy(shader);
   }
}

static void
test_kernels_without_main(void **state)
{
   (void)state;
   static const uint16_t opcodes[] = {
      OP(NOP),    OP(BGNSUB), OP(NOP),    OP(RET),
      OP(ENDSUB), OP(BGNSUB), OP(ENDSUB), OP(END),
   };
   struct tg_shader *shader =
      make_shader(TG_PROCESSOR_COMP, opcodes, COUNT(opcodes));
   struct tg_flow_info flow;

   assert_int_equal(tg_flow_analyse(shader, NULL, &flow), TG_OK);
   assert_true(flow.only_subroutines);
   assert_int_equal(flow.main_begin, 2);
   assert_int_equal(flow.main_end, 4);
   assert_int_equal(flow.num_subroutines, 2);
   assert_int_equal(flow.subroutines[1], 5);

   tg_flow_finish(&flow);
   tg_shader_destroy(shader);
}

/* A shader of these opcodes, each with label 1, gives these codes, in order
 * and separated by spaces. */
static void
check_faults(const uint16_t *opcodes, size_t count, const char *expected)
{
   struct tg_shader *shader = make_shader(TG_PROCESSOR_FRAG, opcodes, count);
   for (size_t i = 0; i < count; i++)
      set_label(shader, (uint32_t)i, 1);

   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_flow_info flow;
   assert_int_equal(tg_flow_analyse(shader, diagnostics, &flow),
                    TG_ERROR_INPUT);

   char codes[256] = "";
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      if (i > 0)
         strcat(codes, " ");
      strcat(codes, tg_diagnostics_get(diagnostics, i)->code);
   }
   assert_string_equal(codes, expected);

   tg_flow_finish(&flow);
   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
}

#define FAULTS(expected, ...)                                                  \
   check_faults((const uint16_t[]){__VA_ARGS__},                               \
                COUNT(((const uint16_t[]){__VA_ARGS__})), expected)

static void
test_faults(void **state)
{
   (void)state;
   FAULTS("unclosed-construct", OP(IF));
   FAULTS("unclosed-construct", OP(BGNLOOP), OP(IF), OP(ENDLOOP));
   FAULTS("unopened-construct", OP(ENDIF));
   FAULTS("unopened-construct", OP(ELSE));
   FAULTS("unopened-construct unclosed-construct", OP(BGNLOOP), OP(ENDREP));
   FAULTS("unopened-construct unclosed-construct", OP(REP), OP(ENDFOR));
   FAULTS("second-else", OP(IF), OP(ELSE), OP(ELSE), OP(ENDIF));
   FAULTS("second-default", OP(SWITCH), OP(DEFAULT), OP(DEFAULT),
          OP(ENDSWITCH));
   FAULTS("label-outside-switch", OP(CASE));
   FAULTS("label-outside-switch", OP(SWITCH), OP(IF), OP(CASE), OP(ENDIF),
          OP(ENDSWITCH));
   FAULTS("break-outside-loop", OP(IF), OP(BRK), OP(ENDIF));
   FAULTS("continue-outside-loop", OP(SWITCH), OP(CONT), OP(ENDSWITCH));
   FAULTS("nested-subroutine break-outside-loop", OP(BGNLOOP), OP(BGNSUB),
          OP(BRK), OP(ENDSUB), OP(ENDLOOP));
   FAULTS("nested-subroutine unopened-construct unclosed-construct", OP(IF),
          OP(BGNSUB), OP(ENDIF), OP(ENDSUB));
   FAULTS("nested-end", OP(IF), OP(END), OP(ENDIF));
   FAULTS("bad-label", OP(CAL), OP(NOP));
   FAULTS("bad-label", OP(BRA), OP(IF), OP(BRA), OP(ENDIF));
   FAULTS("bad-label", OP(BRA));
}

static void
test_missing_label(void **state)
{
   (void)state;
   static const uint16_t opcodes[] = {OP(CAL), OP(BRA)};
   struct tg_shader *shader =
      make_shader(TG_PROCESSOR_FRAG, opcodes, COUNT(opcodes));
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_flow_info flow;

   assert_int_equal(tg_flow_analyse(shader, diagnostics, &flow),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_count(diagnostics), 2);
   for (size_t i = 0; i < 2; i++)
      assert_string_equal(tg_diagnostics_get(diagnostics, i)->code,
                          "missing-label");

   tg_flow_finish(&flow);
   tg_diagnostics_destroy(diagnostics);
   tg_shader_destroy(shader);
}

/* As deep as allowed is good; one deeper ends the walk with one complaint. */
static void
test_nesting_bound(void **state)
{
   (void)state;
   for (int extra = 0; extra <= 1; extra++) {
      uint16_t opcodes[2 * (TG_MAX_NESTING + 1)];
      int depth = TG_MAX_NESTING + extra;

      for (int i = 0; i < depth; i++) {
         opcodes[i] = OP(IF);
         opcodes[depth + i] = OP(ENDIF);
      }

      struct tg_shader *shader =
         make_shader(TG_PROCESSOR_FRAG, opcodes, (size_t)depth * 2);
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_flow_info flow;
      assert_int_equal(tg_flow_analyse(shader, diagnostics, &flow),
                       extra ? TG_ERROR_INPUT : TG_OK);
      assert_int_equal(tg_diagnostics_count(diagnostics), extra);
      assert_int_equal(flow.max_depth, TG_MAX_NESTING);

      tg_flow_finish(&flow);
      tg_diagnostics_destroy(diagnostics);
      tg_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partners),
      cmocka_unit_test(test_nested_ends),
      cmocka_unit_test(test_kernels_without_main),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_missing_label),
      cmocka_unit_test(test_nesting_bound),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
