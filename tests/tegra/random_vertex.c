/* SPDX-License-Identifier: MIT
 *
 * A shader is written twice: the first time for the numbers of the instructions
 * that calls go to.
 */
#include "random_vertex.h"

#include <stdbool.h>

#include "random_tgsi.h"
#include "util/strbuf.h"

enum {
   NUM_SUBROUTINES = 2,
   NUM_COUNTERS = 8, /* channels of TEMP[6..7], one a loop */
   MAX_DEPTH = 3,
};

struct generator {
   struct random_numbers numbers;
   struct tg_strbuf text;
   unsigned parts;
   uint32_t num_instructions;
   uint32_t subroutine[NUM_SUBROUTINES];
   unsigned first_callable; /* subroutines before it may not be called */
   unsigned num_counters, depth, num_loops;
};

static uint32_t
below(struct generator *g, uint32_t bound)
{
   return random_below(&g->numbers, bound);
}

static bool
one_in(struct generator *g, uint32_t chances)
{
   return below(g, chances) == 0;
}

/* ---- operands ------------------------------------------------------------ */

/* ADDR[0].x is 0 to 2, ADDR[0].y 3 to 5. */
static void
add_register(struct generator *g)
{
   static const char *const indirect[] = {
      "CONST[ADDR[0].x+%u]", "IN[ADDR[0].x+%u]",      "CONST[ADDR[0].y-%u]",
      "IN[ADDR[0].y-%u]",    "TEMP[ADDR[0].x+%u](1)", "TEMP[ADDR[0].y+%u](1)",
   };
   uint32_t kind = below(g, 10);

   if (kind == 0 && g->parts & RANDOM_VERTEX_ADDRESSES) {
      static const uint8_t least[] = {0, 0, 2, 2, 9, 6};
      uint32_t which = below(g, 6);
      uint32_t offset = least[which] + below(g, 2);
      tg_strbuf_printf(&g->text, indirect[which], offset);
   } else if (kind < 2) {
      tg_strbuf_printf(&g->text, "IN[%u]", below(g, 4));
   } else if (kind == 2) {
      tg_strbuf_printf(&g->text, "CONST[%u]", below(g, 6));
   } else if (kind == 3) {
      tg_strbuf_printf(&g->text, "CONST[1][%u]", below(g, 3));
   } else if (kind == 4) {
      tg_strbuf_printf(&g->text, "IMM[%u]", below(g, 3));
   } else {
      tg_strbuf_printf(&g->text, "TEMP[%u]", below(g, 6));
   }
}

static void
add_swizzle(struct generator *g)
{
   tg_strbuf_add_char(&g->text, '.');
   for (unsigned i = 0; i < 4; i++)
      tg_strbuf_add_char(&g->text, "xyzw"[below(g, 4)]);
}

static void
add_source(struct generator *g)
{
   bool is_negative = one_in(g, 4), is_absolute = one_in(g, 6);

   tg_strbuf_printf(&g->text, ", %s%s", is_negative ? "-" : "",
                    is_absolute ? "|" : "");
   add_register(g);
   if (!one_in(g, 3))
      add_swizzle(g);
   if (is_absolute)
      tg_strbuf_add_char(&g->text, '|');
}

static void
add_mask(struct generator *g)
{
   uint32_t mask = one_in(g, 3) ? 15 : 1 + below(g, 15);

   tg_strbuf_add_char(&g->text, '.');
   for (unsigned i = 0; i < 4; i++) {
      if (mask >> i & 1)
         tg_strbuf_add_char(&g->text, "xyzw"[i]);
   }
}

static void
add_destination(struct generator *g)
{
   if (one_in(g, 10) && g->parts & RANDOM_VERTEX_ADDRESSES)
      tg_strbuf_printf(&g->text, "TEMP[ADDR[0].x+%u](1)", 9 + below(g, 2));
   else if (one_in(g, 6))
      tg_strbuf_printf(&g->text, "OUT[%u]", below(g, 4));
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]", below(g, 6));
   add_mask(g);
}

/* ---- instructions -------------------------------------------------------- */

static void
begin(struct generator *g, const char *name)
{
   tg_strbuf_printf(&g->text, "%u: %s", g->num_instructions++, name);
}

static void
add_line(struct generator *g, const char *text)
{
   begin(g, text);
   tg_strbuf_add(&g->text, "\n");
}

static void
add_operation(struct generator *g)
{
   static const struct {
      const char *name;
      unsigned num_sources;
   } forms[] = {
      {"MOV", 1},   {"MOV", 1},   {"ADD", 2}, {"MUL", 2}, {"MAD", 3},
      {"MIN", 2},   {"MAX", 2},   {"SLT", 2}, {"SGE", 2}, {"SEQ", 2},
      {"SGT", 2},   {"SLE", 2},   {"SNE", 2}, {"FLR", 1}, {"FRC", 1},
      {"CEIL", 1},  {"TRUNC", 1}, {"RCP", 1}, {"RSQ", 1}, {"SQRT", 1},
      {"ROUND", 1}, {"DP2", 2},   {"DP3", 2}, {"DP4", 2}, {"LRP", 3},
      {"CMP", 3},   {"SSG", 1},   {"DIV", 2}, {"LIT", 1}, {"DST", 2},
      {"EX2", 1},   {"LG2", 1},   {"EXP", 1}, {"LOG", 1}, {"POW", 2},
      {"SIN", 1},   {"COS", 1},   {"ADD", 2}, {"MUL", 2}, {"MAD", 3},
   };
   uint32_t which = below(g, sizeof(forms) / sizeof(forms[0]));

   begin(g, forms[which].name);
   tg_strbuf_add(&g->text, one_in(g, 8) ? "_SAT " : " ");
   add_destination(g);
   for (unsigned i = 0; i < forms[which].num_sources; i++)
      add_source(g);
   tg_strbuf_add(&g->text, "\n");
}

/* A source or destination of some kind: f a float, m a truth value, i an
 * integer, l one that is an immediate, 1 what makes a float of a truth value.
 */
static void
add_operand(struct generator *g, char kind, bool is_source)
{
   if (kind == 'f') {
      (is_source ? add_source : add_destination)(g);
      return;
   }
   tg_strbuf_add(&g->text, is_source ? ", " : "");
   if (kind == '1')
      tg_strbuf_add(&g->text, "IMM[0].yyyy");
   else if (kind == 'l' || (kind == 'i' && is_source && one_in(g, 3)))
      tg_strbuf_add(&g->text, "IMM[3]");
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]",
                       (kind == 'm' ? 13 : 15) + below(g, 2));
   if (kind != '1')
      (is_source ? add_swizzle : add_mask)(g);
}

static void
add_typed(struct generator *g, const char *name, const char *kinds)
{
   begin(g, name);
   tg_strbuf_add_char(&g->text, ' ');
   for (unsigned i = 0; kinds[i]; i++)
      add_operand(g, kinds[i], i > 0);
   tg_strbuf_add(&g->text, "\n");
}

/* Products are of small numbers only: who multiplies in a loop leaves what a
 * float holds. */
static void
add_integer_operation(struct generator *g)
{
   static const struct {
      const char *name, *kinds;
   } forms[] = {
      {"FSLT", "mff"},  {"FSGE", "mff"}, {"FSEQ", "mff"},  {"FSNE", "mff"},
      {"ISLT", "mii"},  {"ISGE", "mii"}, {"USEQ", "mii"},  {"USNE", "mii"},
      {"AND", "mmm"},   {"OR", "mmm"},   {"XOR", "mmm"},   {"NOT", "mm"},
      {"MOV", "ii"},    {"MOV", "mm"},   {"IMIN", "iii"},  {"IMAX", "iii"},
      {"INEG", "ii"},   {"AND", "imi"},  {"UCMP", "imii"}, {"UCMP", "mmmm"},
      {"I2F", "fi"},    {"AND", "fm1"},  {"UCMP", "fmff"}, {"UCMP", "fmff"},
      {"INEG", "im"},   {"UADD", "iii"}, {"IDIV", "iii"},  {"MOD", "iii"},
      {"AND", "iil"},   {"OR", "iil"},   {"ISHR", "iil"},  {"NOT", "ii"},
      {"IBFE", "iill"}, {"LSB", "ii"},   {"IMSB", "ii"},   {"ISSG", "ii"},
   };
   uint32_t which = below(g, sizeof(forms) / sizeof(forms[0]));

   add_typed(g, forms[which].name, forms[which].kinds);
}

/* New addresses: of two comparisons, how many hold, and 3 more. */
static void
add_addresses(struct generator *g)
{
   begin(g, "SLT TEMP[8].xy");
   add_source(g);
   add_source(g);
   tg_strbuf_add(&g->text, "\n");
   add_line(g, "ADD TEMP[8].x, TEMP[8].xxxx, TEMP[8].yyyy");
   add_line(g, "ADD TEMP[8].y, TEMP[8].xxxx, IMM[0].wwww"); /* 3.0 */
   add_line(g, one_in(g, 2) ? "ARL ADDR[0].xy, TEMP[8].xyyy"
                            : "ARR ADDR[0].xy, TEMP[8].xyyy");
}

static void
add_block(struct generator *g);

static void
add_condition(struct generator *g)
{
   if (g->parts & RANDOM_VERTEX_INTEGERS && one_in(g, 2)) {
      char m = "xyzw"[below(g, 4)];
      begin(g, "UIF TEMP[");
      tg_strbuf_printf(&g->text, "%u].%c%c%c%c\n", 13 + below(g, 2), m, m, m,
                       m);
      return;
   }
   begin(g, "IF TEMP[");
   tg_strbuf_printf(&g->text, "%u].", below(g, 6));
   char c = "xyzw"[below(g, 4)];
   tg_strbuf_printf(&g->text, "%c%c%c%c\n", c, c, c, c);
}

/* Conditions that are often false, too. */
static void
add_if(struct generator *g)
{
   if (one_in(g, 2)) {
      begin(g, "SLT TEMP[");
      tg_strbuf_printf(&g->text, "%u]", below(g, 6));
      add_source(g);
      add_source(g);
      tg_strbuf_add(&g->text, "\n");
   }
   add_condition(g);
   add_block(g);
   if (one_in(g, 2)) {
      add_line(g, "ELSE");
      add_block(g);
   }
   add_line(g, "ENDIF");
}

/* Some vertices leave what they are in. */
static void
add_exit(struct generator *g)
{
   static const char *const exits[] = {"RET", "BRK", "CONT"};

   add_condition(g);
   add_line(g, exits[below(g, g->num_loops ? 3 : 1)]);
   add_line(g, "ENDIF");
}

/* At most three rounds, counted where nothing else writes; half of them from a
 * number that inputs decide. */
static void
add_loop(struct generator *g)
{
   if (g->num_counters == NUM_COUNTERS)
      return;

   unsigned reg = 6 + g->num_counters / 4;
   char c = "xyzw"[g->num_counters++ % 4];
   if (one_in(g, 2)) {
      begin(g, "MOV");
      tg_strbuf_printf(&g->text, " TEMP[%u].%c, IMM[0].xxxx\n", reg, c);
   } else {
      begin(g, "SLT");
      tg_strbuf_printf(&g->text, " TEMP[%u].%c", reg, c);
      add_source(g);
      add_source(g);
      tg_strbuf_add(&g->text, "\n");
   }
   add_line(g, "BGNLOOP");
   begin(g, "SGE");
   tg_strbuf_printf(&g->text, " TEMP[8].z, TEMP[%u].%c%c%c%c, IMM[0].wwww\n",
                    reg, c, c, c, c);
   add_line(g, "IF TEMP[8].zzzz");
   add_line(g, "BRK");
   add_line(g, "ENDIF");
   begin(g, "ADD");
   tg_strbuf_printf(&g->text, " TEMP[%u].%c, TEMP[%u].%c%c%c%c, IMM[0].yyyy\n",
                    reg, c, reg, c, c, c, c);
   g->num_loops++;
   add_block(g);
   g->num_loops--;
   add_line(g, "ENDLOOP");
}

/* Half of the labels run into the next. */
static void
add_switch(struct generator *g)
{
   uint32_t num_labels = 1 + below(g, 3), default_label = below(g, 4);

   if (!(g->parts & RANDOM_VERTEX_INTEGERS))
      return;
   add_typed(g, "MOV", "ii");
   add_line(g, "SWITCH TEMP[15].yyyy");
   for (uint32_t i = 0; i < num_labels; i++) {
      static const char *const labels[] = {
         "CASE IMM[3].xxxx", "CASE IMM[3].yyyy", "CASE IMM[3].wwww"};
      add_line(g, i == default_label ? "DEFAULT" : labels[i]);
      add_block(g);
      if (one_in(g, 2))
         add_line(g, "BRK");
   }
   add_line(g, "ENDSWITCH");
}

static void
add_call(struct generator *g)
{
   if (g->first_callable >= NUM_SUBROUTINES)
      return;
   unsigned callee =
      g->first_callable + below(g, NUM_SUBROUTINES - g->first_callable);
   begin(g, "CAL");
   tg_strbuf_printf(&g->text, " :%u\n", g->subroutine[callee]);
}

static void
add_statement(struct generator *g)
{
   static void (*const constructs[])(struct generator * g) = {
      add_if, add_if, add_if, add_loop, add_exit, add_call, add_switch,
   };

   if (g->parts & RANDOM_VERTEX_ADDRESSES && one_in(g, 12)) {
      add_addresses(g);
   } else if (g->parts & RANDOM_VERTEX_FLOW && g->depth < MAX_DEPTH &&
              one_in(g, 4)) {
      g->depth++;
      constructs[below(g, sizeof(constructs) / sizeof(constructs[0]))](g);
      g->depth--;
   } else if (g->parts & RANDOM_VERTEX_INTEGERS && one_in(g, 3)) {
      add_integer_operation(g);
   } else {
      add_operation(g);
   }
}

static void
add_block(struct generator *g)
{
   for (uint32_t count = 1 + below(g, 4); count > 0; count--)
      add_statement(g);
}

/* ---- shaders ------------------------------------------------------------- */

static void
add_beginning(struct generator *g)
{
   tg_strbuf_add(&g->text, "VERT\n"
                           "DCL IN[0..3]\n"
                           "DCL OUT[0], GENERIC[0]\n"
                           "DCL OUT[1], POSITION\n"
                           "DCL OUT[2..3], GENERIC[1]\n"
                           "DCL CONST[0..5]\n"
                           "DCL CONST[1][0..2]\n"
                           "DCL TEMP[0..8]\n"
                           "DCL TEMP[9..12], ARRAY(1)\n"
                           "DCL TEMP[13..16]\n"
                           "DCL ADDR[0]\n"
                           "IMM[0] FLT32 {0.0, 1.0, -2.5, 3.0}\n"
                           "IMM[1] FLT32 {0.5, 2.5, -1e-20, 7.0}\n"
                           "IMM[2] FLT32 {1.0, 1.0, 0.5, 1e20}\n"
                           "IMM[3] INT32 {0, 1, 3, -2}\n");
   for (unsigned i = 0; i < 6; i++) {
      begin(g, "MOV TEMP[");
      tg_strbuf_printf(&g->text, "%u], IN[%u]\n", i, below(g, 4));
   }
   for (unsigned i = 9; i < 13 && g->parts & RANDOM_VERTEX_ADDRESSES; i++) {
      begin(g, "MOV TEMP[");
      tg_strbuf_printf(&g->text, "%u], IN[%u]\n", i, below(g, 4));
   }
   if (g->parts & RANDOM_VERTEX_INTEGERS) {
      add_line(g, "FSLT TEMP[13], IN[0], IN[1]");
      add_line(g, "FSGE TEMP[14], IN[2], IN[3]");
      add_line(g, "MOV TEMP[15], IMM[3]");
      add_line(g, "MOV TEMP[16], IMM[3].yzwx");
   }
   add_line(g, "MOV TEMP[8].xy, IMM[0].xwww"); /* 0 and 3 */
   add_line(g, "ARL ADDR[0].xy, TEMP[8].xyyy");
}

static void
write_shader(struct generator *g, uint64_t seed, unsigned parts)
{
   g->numbers = (struct random_numbers){seed};
   g->parts = parts;
   g->num_instructions = 0;
   g->num_counters = 0;
   g->first_callable = 0;
   add_beginning(g);
   for (uint32_t count = 4 + below(g, 12); count > 0; count--)
      add_statement(g);
   for (unsigned i = 0; i < 4; i++) {
      begin(g, "MOV OUT[");
      tg_strbuf_printf(&g->text, "%u]%s, TEMP[%u]\n", i,
                       one_in(g, 2) ? ".xz" : "", below(g, 6));
   }
   add_line(g, "END");
   for (unsigned i = 0; i < NUM_SUBROUTINES && parts & RANDOM_VERTEX_FLOW;
        i++) {
      g->subroutine[i] = g->num_instructions;
      g->first_callable = i + 1;
      add_line(g, "BGNSUB");
      add_block(g);
      add_line(g, "RET");
      add_line(g, "ENDSUB");
   }
}

char *
random_vertex(uint64_t seed, unsigned parts)
{
   struct generator generator = {0};

   write_shader(&generator, seed, parts);
   tg_strbuf_finish(&generator.text);
   generator.text = (struct tg_strbuf){0};
   write_shader(&generator, seed, parts);
   return tg_strbuf_take(&generator.text);
}
