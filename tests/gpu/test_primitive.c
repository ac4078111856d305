/* SPDX-License-Identifier: MIT
 *
 * Primitive types against the tables of the OpenGL specification: which
 * vertices, in which order, which provokes (table 13.2), and which edges of
 * quads and polygons are real. Vertices are a, b, c, ...; the provoking one is
 * in upper case; behind a triangle are its real edges if not all are; `|` is a
 * restart. A line is behind `-` if its strip goes on, a triangle behind `+` if
 * its quad or polygon does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/primitive.h"

static const struct {
   enum tg_primitive mode;
   const char *vertices;
   const char *last;  /* with the last vertex provoking */
   const char *first; /* with the first */
} cases[] = {
   {TG_PRIMITIVE_POINTS, "abc", "A B C", "A B C"},
   {TG_PRIMITIVE_LINES, "abcde", "aB cD", "Ab Cd"},
   {TG_PRIMITIVE_LINES, "abc|def", "aB dE", "Ab De"},
   {TG_PRIMITIVE_LINE_STRIP, "abcd", "aB -bC -cD", "Ab -Bc -Cd"},
   {TG_PRIMITIVE_LINE_LOOP, "abcd", "aB -bC -cD -dA", "Ab -Bc -Cd -Da"},
   {TG_PRIMITIVE_LINE_LOOP, "ab", "aB -bA", "Ab -Ba"},
   {TG_PRIMITIVE_LINE_LOOP, "a|bcd|bc", "bC -cD -dB bC -cB",
    "Bc -Cd -Db Bc -Cb"},
   {TG_PRIMITIVE_TRIANGLES, "abcdefgh", "abC deF", "Abc Def"},
   {TG_PRIMITIVE_TRIANGLE_STRIP, "abcdef", "abC cbD cdE edF",
    "Abc Bdc Cde Dfe"},
   {TG_PRIMITIVE_TRIANGLE_STRIP, "abcd|efgh", "abC cbD efG gfH",
    "Abc Bdc Efg Fhg"},
   {TG_PRIMITIVE_TRIANGLE_FAN, "abcde", "abC acD adE", "Bca Cda Dea"},
   {TG_PRIMITIVE_QUADS, "abcdefghi", "abD:5 +bcD:3 efH:5 +fgH:3",
    "Abc:3 +Acd:6 Efg:3 +Egh:6"},
   {TG_PRIMITIVE_QUAD_STRIP, "abcdefg", "abD:3 +aDc:6 cdF:3 +cFe:6",
    "Abd:3 +Adc:6 Cdf:3 +Cfe:6"},
   {TG_PRIMITIVE_POLYGON, "abcde", "bcA:5 +cdA:1 +deA:3",
    "Abc:3 +Acd:2 +Ade:6"},
   {TG_PRIMITIVE_POLYGON, "abc|de|fgh", "bcA ghF", "Abc Fgh"},
   {TG_PRIMITIVE_LINES_ADJACENCY, "abcdefghi", "abCd efGh", "aBcd eFgh"},
   {TG_PRIMITIVE_LINE_STRIP_ADJACENCY, "abcdef", "abCd -bcDe -cdEf",
    "aBcd -bCde -cDef"},
   {TG_PRIMITIVE_TRIANGLES_ADJACENCY, "abcdefghijklm", "abcdEf ghijKl",
    "Abcdef Ghijkl"},
   /* One triangle; three; a vertex too many. In the numbers of OpenGL 4.6,
    * table 10.1, the first of three is 1 3 5 with 2 7 4 beside, the second 5 3
    * 7 with 1 6 9, the third 5 7 9 with 3 10 8. Where the first vertex provokes
    * the second begins with 3, as table 13.2 has it. */
   {TG_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, "abcdef", "abcfEd", "Abcfed"},
   {TG_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, "abcdefghijk",
    "abcgEd eacfGi ecgjIh", "Abcged Cfgiea Ecgjih"},
   /* Two: the second is 5 3 7 with 1 6 8. */
   {TG_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, "abcdefgh|abcde", "abcgEd eacfGh",
    "Abcged Cfghea"},
   {TG_PRIMITIVE_PATCHES, "abcdefgh", "Abc:0 Def:0", "Abc:0 Def:0"},
};

static void
write_primitives(const struct gpu_primitive *primitives, unsigned num,
                 char text[256])
{
   for (unsigned p = 0; p < num; p++) {
      const struct gpu_primitive *primitive = &primitives[p];
      char *at = text + strlen(text);

      if (at != text)
         *at++ = ' ';
      if (primitive->is_more)
         *at++ = '+';
      else if (!primitive->begins)
         *at++ = '-';
      for (unsigned i = 0; i < primitive->num_vertices; i++) {
         const bool provokes = i == primitive->provoking;

         *at++ = (char)((provokes ? 'A' : 'a') + (char)primitive->vertex[i]);
      }
      if (primitive->edges != 7)
         at += sprintf(at, ":%u", primitive->edges);
      *at = '\0';
   }
}

static void
decompose(enum tg_primitive mode, const char *vertices, bool first_provokes,
          char text[256])
{
   struct gpu_decomposer decomposer;
   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE];

   text[0] = '\0';
   gpu_primitives_init(&decomposer, mode, first_provokes, 3);
   for (const char *at = vertices; *at; at++) {
      const unsigned num =
         *at == '|'
            ? gpu_primitives_end(&decomposer, out)
            : gpu_primitives_add(&decomposer, (uint32_t)(*at - 'a'), out);

      write_primitives(out, num, text);
   }
   const unsigned num = gpu_primitives_end(&decomposer, out);
   write_primitives(out, num, text);
}

static void
test_cases(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char text[256];

      decompose(cases[i].mode, cases[i].vertices, false, text);
      assert_string_equal(text, cases[i].last);
      decompose(cases[i].mode, cases[i].vertices, true, text);
      assert_string_equal(text, cases[i].first);
   }
}

/* A fan and a loop remember their first vertex however long they are, and a
 * patch may have 32. */
static void
test_long(void **state)
{
   struct gpu_decomposer decomposer;
   struct gpu_primitive out[GPU_MAX_PRIMITIVES_AT_ONCE];
   unsigned num = 0;

   (void)state;
   gpu_primitives_init(&decomposer, TG_PRIMITIVE_TRIANGLE_FAN, false, 0);
   for (uint32_t i = 0; i < 1000; i++)
      num = gpu_primitives_add(&decomposer, 5000 + i, out);
   assert_int_equal(num, 1);
   assert_int_equal(out[0].vertex[0], 5000);
   assert_int_equal(out[0].vertex[1], 5998);
   assert_int_equal(out[0].vertex[2], 5999);

   gpu_primitives_init(&decomposer, TG_PRIMITIVE_PATCHES, false, 32);
   for (uint32_t i = 0; i < 64; i++)
      num = gpu_primitives_add(&decomposer, i, out);
   assert_int_equal(num, 1);
   assert_int_equal(out[0].num_vertices, 32);
   assert_int_equal(out[0].vertex[0], 32);
   assert_int_equal(out[0].vertex[31], 63);
}

/* Every type is in the table above. */
static void
test_all_modes(void **state)
{
   (void)state;
   for (int mode = 0; mode < TG_NUM_PRIMITIVES; mode++) {
      bool found = false;

      for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
         found |= (int)cases[i].mode == mode;
      assert_true(found);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_long),
      cmocka_unit_test(test_all_modes),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
