/* SPDX-License-Identifier: MIT */
#include "random_tgsi.h"

#include <stdbool.h>

#include "util/strbuf.h"

enum {
   MAX_LABELS = 64,
   MAX_SUBROUTINES = 3,
   NUM_LOOP_COUNTERS = 16, /* channels of TEMP[8..11], one a loop */
   MAX_DEPTH = 4,
};

struct generator {
   struct random_numbers numbers;
   struct tg_strbuf text;
   uint32_t num_instructions;

   /* Labels are known when what they name has been written: a shader is
    * written twice, and the first time only for them. */
   uint32_t label[MAX_LABELS]; /* of BRA, in the order of the jumps */
   uint32_t num_labels;
   uint32_t subroutine[MAX_SUBROUTINES]; /* of CAL */
   uint32_t num_subroutines;

   bool is_fragment, is_indirect;
   uint32_t num_counters;
   uint32_t first_callable; /* subroutines before it may not be called */
   unsigned depth;
   unsigned num_loops; /* around this place, in this subroutine */
   unsigned num_breakable;
};

/* ---- numbers ------------------------------------------------------------- */

static uint64_t
next_number(struct random_numbers *numbers)
{
   uint64_t x = numbers->state += UINT64_C(0x9e3779b97f4a7c15);

   x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
   return x ^ x >> 31;
}

uint32_t
random_below(struct random_numbers *numbers, uint32_t bound)
{
   return (uint32_t)((next_number(numbers) >> 32) * bound >> 32);
}

uint32_t
random_float_bits(struct random_numbers *numbers)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x40400000,
      0x3f000000, 0xc0200000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
      0x807fffff, 0x7f7fffff, 0x4b000001, 0x33800000,
   };
   uint32_t kind = random_below(numbers, 4);

   if (kind == 0)
      return random_below(numbers, UINT32_MAX);
   return special[random_below(numbers, 16)];
}

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

static char
channel(struct generator *g)
{
   return "xyzw"[below(g, 4)];
}

/* Each in a statement of its own: C would call them in any order. */
static void
add_swizzle(struct generator *g)
{
   char x = channel(g), y = channel(g), z = channel(g), w = channel(g);

   tg_strbuf_printf(&g->text, ".%c%c%c%c", x, y, z, w);
}

static void
add_float(struct generator *g)
{
   bool is_negative = one_in(g, 5);
   bool is_absolute = one_in(g, 8);
   uint32_t kind = below(g, 8);

   tg_strbuf_printf(&g->text, ", %s%s", is_negative ? "-" : "",
                    is_absolute ? "|" : "");
   if (kind == 0)
      tg_strbuf_printf(&g->text, "IN[%u]", below(g, 2));
   else if (kind == 1)
      tg_strbuf_printf(&g->text, "CONST[0][%u]", below(g, 4));
   else if (kind == 2)
      tg_strbuf_printf(&g->text, "IMM[%u]", below(g, 2));
   else if (kind == 3 && g->is_indirect)
      tg_strbuf_add(&g->text, one_in(g, 2) ? "TEMP[ADDR[0].y+7]"
                                           : "CONST[0][ADDR[0].x-4]");
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]", below(g, 8));
   add_swizzle(g);
   if (is_absolute)
      tg_strbuf_add(&g->text, "|");
}

static void
add_integer(struct generator *g)
{
   uint32_t kind = below(g, 8);

   tg_strbuf_add(&g->text, one_in(g, 6) ? ", -" : ", ");
   if (kind == 0)
      tg_strbuf_printf(&g->text, "IN[%u]", 2 + below(g, 2));
   else if (kind == 1)
      tg_strbuf_printf(&g->text, "CONST[1][%u]", below(g, 4));
   else if (kind == 2)
      tg_strbuf_printf(&g->text, "IMM[%u]", 2 + below(g, 2));
   else if (kind == 3 && g->is_indirect)
      tg_strbuf_add(&g->text, one_in(g, 2) ? "TEMP[ADDR[0].x+12]"
                                           : "CONST[1][ADDR[0].x-4]");
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]", 12 + below(g, 8));
   add_swizzle(g);
}

static void
add_write_mask(struct generator *g)
{
   uint32_t mask = 1 + below(g, 15);

   tg_strbuf_add(&g->text, ".");
   for (unsigned c = 0; c < 4; c++) {
      if (mask & 1u << c)
         tg_strbuf_add_char(&g->text, "xyzw"[c]);
   }
}

static void
add_float_dst(struct generator *g)
{
   uint32_t kind = below(g, 8);

   if (kind == 0)
      tg_strbuf_printf(&g->text, "OUT[%u]", below(g, 2));
   else if (kind == 1 && g->is_indirect)
      tg_strbuf_add(&g->text, "TEMP[ADDR[0].y+7]");
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]", below(g, 8));
   add_write_mask(g);
}

static void
add_integer_dst(struct generator *g)
{
   uint32_t kind = below(g, 8);

   if (kind == 0)
      tg_strbuf_printf(&g->text, "OUT[%u]", 2 + below(g, 2));
   else if (kind == 1 && g->is_indirect)
      tg_strbuf_add(&g->text, "TEMP[ADDR[0].x+12]");
   else
      tg_strbuf_printf(&g->text, "TEMP[%u]", 12 + below(g, 8));
   add_write_mask(g);
}

/* ---- instructions without constructs ------------------------------------- */

static void
begin_instruction(struct generator *g, const char *name)
{
   tg_strbuf_printf(&g->text, "%u: %s", g->num_instructions++, name);
}

static void
end_instruction(struct generator *g)
{
   tg_strbuf_add(&g->text, "\n");
}

/* An instruction that is the same text each time. */
static void
add_plain(struct generator *g, const char *text)
{
   begin_instruction(g, text);
   end_instruction(g);
}

/* An opcode and its operands: f and i for floats and integers, destination
 * first. */
struct form {
   const char *name;
   const char *operands;
};

static const struct form forms[] = {
   {"MOV", "ff"},        {"ADD", "fff"},        {"MUL", "fff"},
   {"MAD", "ffff"},      {"MIN", "fff"},        {"MAX", "fff"},
   {"SLT", "fff"},       {"SEQ", "fff"},        {"SNE", "fff"},
   {"FLR", "ff"},        {"FRC", "ff"},         {"RCP", "ff"},
   {"RSQ", "ff"},        {"SQRT", "ff"},        {"DP2", "fff"},
   {"DP3", "fff"},       {"DP4", "fff"},        {"LRP", "ffff"},
   {"CMP", "ffff"},      {"SSG", "ff"},         {"ROUND", "ff"},
   {"DIV", "fff"},       {"MOV_SAT", "ff"},     {"ADD_SAT", "fff"},
   {"LIT", "ff"},        {"DST", "fff"},        {"EX2", "ff"},
   {"UCMP", "fiff"},     {"I2F", "fi"},         {"U2F", "fi"},
   {"MOV", "ii"},        {"UADD", "iii"},       {"UMUL", "iii"},
   {"UMAD", "iiii"},     {"AND", "iii"},        {"OR", "iii"},
   {"XOR", "iii"},       {"NOT", "ii"},         {"SHL", "iii"},
   {"ISHR", "iii"},      {"USHR", "iii"},       {"IMIN", "iii"},
   {"UMAX", "iii"},      {"USEQ", "iii"},       {"ISLT", "iii"},
   {"USGE", "iii"},      {"IDIV", "iii"},       {"UDIV", "iii"},
   {"UMOD", "iii"},      {"MOD", "iii"},        {"IABS", "ii"},
   {"INEG", "ii"},       {"POPC", "ii"},        {"UMSB", "ii"},
   {"BREV", "ii"},       {"UCMP", "iiii"},      {"IMUL_HI", "iii"},
   {"F2I", "if"},        {"F2U", "if"},         {"FSLT", "iff"},
   {"FSNE", "iff"},      {"U64ADD", "iii"},     {"I64NEG", "ii"},
   {"U64MUL", "iii"},    {"U64SLT", "iii"},     {"VOTE_ANY", "ii"},
   {"VOTE_EQ", "ii"},    {"BALLOT", "ii"},      {"READ_FIRST", "ff"},
   {"READ_FIRST", "ii"}, {"READ_INVOC", "iii"}, {"READ_INVOC", "ffi"},
};

static void
add_form(struct generator *g, const struct form *form)
{
   begin_instruction(g, form->name);
   tg_strbuf_add(&g->text, " ");
   if (form->operands[0] == 'f')
      add_float_dst(g);
   else
      add_integer_dst(g);
   for (const char *kind = &form->operands[1]; *kind; kind++) {
      if (*kind == 'f')
         add_float(g);
      else
         add_integer(g);
   }
   end_instruction(g);
}

/* Around the array of integers and up, around that of floats and down. */
static void
add_address(struct generator *g)
{
   if (!g->is_indirect)
      return;
   begin_instruction(g, "AND TEMP[12].xy");
   add_integer(g);
   tg_strbuf_add(&g->text, ", IMM[2].wwww\n"); /* 15 */
   add_plain(g, "UARL ADDR[0].x, TEMP[12].xxxx");
   add_plain(g, "UARL ADDR[0].y, -TEMP[12].yyyy");
}

static void
add_quad_opcode(struct generator *g)
{
   static const struct form quad_forms[] = {{"DDX", "ff"}, {"DDY_FINE", "ff"}};

   if (!g->is_fragment)
      return;
   switch (below(g, 4)) {
   case 0:
      begin_instruction(g, "KILL_IF ");
      tg_strbuf_printf(&g->text, "TEMP[%u].xxxx\n", below(g, 8));
      break;
   case 1:
      begin_instruction(g, "READ_HELPER ");
      add_integer_dst(g);
      end_instruction(g);
      break;
   default: add_form(g, &quad_forms[below(g, 2)]); break;
   }
}

/* ---- memory -------------------------------------------------------------- */

/* m in the operands: buffers of integers; M: that of floats. */
static const struct form memory_forms[] = {
   {"LOAD", "im"},      {"LOAD", "fM"},          {"RESQ", "im"},
   {"STORE", "mi"},     {"STORE", "Mf"},         {"ATOMUADD", "imi"},
   {"ATOMXCHG", "imi"}, {"ATOMCAS", "imii"},     {"ATOMAND", "imi"},
   {"ATOMOR", "imi"},   {"ATOMXOR", "imi"},      {"ATOMUMIN", "imi"},
   {"ATOMUMAX", "imi"}, {"ATOMIMIN", "imi"},     {"ATOMIMAX", "imi"},
   {"ATOMFADD", "fMf"}, {"ATOMINC_WRAP", "imi"}, {"ATOMDEC_WRAP", "imi"},
};

/* With a write mask where it is stored to. */
static void
add_buffer(struct generator *g, bool has_floats, bool is_stored)
{
   if (has_floats)
      tg_strbuf_add(&g->text, "BUFFER[2]");
   else if (g->is_indirect && one_in(g, 2))
      tg_strbuf_add(&g->text, "BUFFER[ADDR[0].x-1]");
   else
      tg_strbuf_printf(&g->text, "BUFFER[%u]", 3 * below(g, 2));
   if (is_stored)
      add_write_mask(g);
   else if (one_in(g, 2))
      add_swizzle(g);
}

/* An address up to 100, behind the end of all buffers, comes first. */
static void
add_memory(struct generator *g)
{
   const struct form *form =
      &memory_forms[below(g, sizeof(memory_forms) / sizeof(memory_forms[0]))];
   bool is_stored = form->operands[0] == 'm' || form->operands[0] == 'M';

   begin_instruction(g, "AND TEMP[17].w");
   add_integer(g);
   tg_strbuf_add(&g->text, ", IMM[3].wwww\n");
   begin_instruction(g, form->name);
   tg_strbuf_add(&g->text, " ");
   for (const char *kind = form->operands; *kind; kind++) {
      bool is_first = kind == form->operands;

      if (*kind == 'm' || *kind == 'M') {
         tg_strbuf_add(&g->text, is_first ? "" : ", ");
         add_buffer(g, *kind == 'M', is_stored);
         if (form->name[0] != 'R')
            tg_strbuf_add(&g->text, ", TEMP[17].wwww");
      } else if (*kind == 'f') {
         (is_first ? add_float_dst : add_float)(g);
      } else {
         (is_first ? add_integer_dst : add_integer)(g);
      }
   }
   end_instruction(g);
}

static void
add_simple(struct generator *g)
{
   uint32_t kind = below(g, 16);

   if (kind == 0)
      add_address(g);
   else if (kind == 1)
      add_quad_opcode(g);
   else if (kind == 2)
      add_memory(g);
   else
      add_form(g, &forms[below(g, sizeof(forms) / sizeof(forms[0]))]);
}

/* ---- constructs ---------------------------------------------------------- */

static void
add_block(struct generator *g);

static void
add_condition(struct generator *g)
{
   if (one_in(g, 2)) {
      begin_instruction(g, "UIF");
      tg_strbuf_printf(&g->text, " TEMP[%u].%s\n", 12 + below(g, 8), "xxxx");
   } else {
      begin_instruction(g, "IF");
      tg_strbuf_printf(&g->text, " TEMP[%u].%s\n", below(g, 8), "yyyy");
   }
}

static void
add_if(struct generator *g)
{
   add_condition(g);
   add_block(g);
   if (one_in(g, 2)) {
      add_plain(g, "ELSE");
      add_block(g);
   }
   add_plain(g, "ENDIF");
}

/* At most three rounds, counted where nothing else writes. */
static void
add_loop(struct generator *g)
{
   if (g->num_counters == NUM_LOOP_COUNTERS)
      return;

   unsigned reg = 8 + g->num_counters / 4;
   char c = "xyzw"[g->num_counters++ % 4];
   begin_instruction(g, "MOV");
   tg_strbuf_printf(&g->text, " TEMP[%u].%c, IMM[2].xxxx\n", reg, c);
   add_plain(g, "BGNLOOP");
   begin_instruction(g, "USGE");
   tg_strbuf_printf(&g->text, " TEMP[13].x, TEMP[%u].%c%c%c%c, IMM[2].%s\n",
                    reg, c, c, c, c, one_in(g, 2) ? "yyyy" : "zzzz");
   add_plain(g, "UIF TEMP[13].xxxx");
   add_plain(g, "BRK");
   add_plain(g, "ENDIF");
   begin_instruction(g, "UADD");
   tg_strbuf_printf(&g->text, " TEMP[%u].%c, TEMP[%u].%c%c%c%c, IMM[2].yyyy\n",
                    reg, c, reg, c, c, c, c);
   g->num_loops++;
   g->num_breakable++;
   add_block(g);
   g->num_loops--;
   g->num_breakable--;
   add_plain(g, "ENDLOOP");
}

/* Three rounds or fewer, NaN none. */
static void
add_rep(struct generator *g)
{
   begin_instruction(g, "MIN TEMP[0].w");
   add_float(g);
   tg_strbuf_add(&g->text, ", IMM[0].wwww\n"); /* 3.0 */
   add_plain(g, "REP TEMP[0].wwww");
   g->num_loops++;
   g->num_breakable++;
   add_block(g);
   g->num_loops--;
   g->num_breakable--;
   add_plain(g, "ENDREP");
}

static void
add_switch(struct generator *g)
{
   uint32_t num_labels = 1 + below(g, 4);
   uint32_t default_label = below(g, 6);

   begin_instruction(g, "AND TEMP[14].x");
   add_integer(g);
   tg_strbuf_add(&g->text, ", IMM[3].xxxx\n"); /* 3 */
   add_plain(g, "SWITCH TEMP[14].xxxx");
   g->num_breakable++;
   for (uint32_t i = 0; i < num_labels; i++) {
      if (i == default_label) {
         add_plain(g, "DEFAULT");
      } else {
         static const char *const labels[] = {"IMM[2].xxxx", "IMM[2].yyyy",
                                              "IMM[2].zzzz", "IMM[3].xxxx"};
         begin_instruction(g, "CASE ");
         tg_strbuf_printf(&g->text, "%s\n", labels[below(g, 4)]);
      }
      add_block(g);
      if (one_in(g, 2))
         add_plain(g, "BRK");
   }
   g->num_breakable--;
   add_plain(g, "ENDSWITCH");
}

/* Some lanes leave what they are in. */
static void
add_exit(struct generator *g)
{
   static const char *const exits[] = {"RET", "BRK", "CONT"};
   unsigned num_possible = g->num_loops ? 3 : g->num_breakable ? 2 : 1;

   add_condition(g);
   add_plain(g, exits[below(g, num_possible)]);
   add_plain(g, "ENDIF");
}

static void
add_call(struct generator *g)
{
   if (g->first_callable >= g->num_subroutines)
      return;

   uint32_t callee =
      g->first_callable + below(g, g->num_subroutines - g->first_callable);
   bool has_condition = one_in(g, 3);
   begin_instruction(g, has_condition ? "CALLNZ" : "CAL");
   if (has_condition)
      tg_strbuf_printf(&g->text, " TEMP[%u].zzzz", 12 + below(g, 8));
   tg_strbuf_printf(&g->text, " :%u\n", g->subroutine[callee]);
}

/* Over a few instructions, which then nobody runs. */
static void
add_branch(struct generator *g)
{
   if (g->num_labels == MAX_LABELS)
      return;

   uint32_t label = g->num_labels++;
   begin_instruction(g, "BRA");
   tg_strbuf_printf(&g->text, " :%u\n", g->label[label]);
   add_block(g);
   g->label[label] = g->num_instructions;
   add_plain(g, "NOP");
}

static void
add_statement(struct generator *g)
{
   static void (*const constructs[])(struct generator * g) = {
      add_if,   add_if,   add_loop, add_rep,    add_switch,
      add_exit, add_exit, add_call, add_branch,
   };

   if (g->depth >= MAX_DEPTH || !one_in(g, 4)) {
      add_simple(g);
      return;
   }
   g->depth++;
   constructs[below(g, sizeof(constructs) / sizeof(constructs[0]))](g);
   g->depth--;
}

static void
add_block(struct generator *g)
{
   for (uint32_t count = 1 + below(g, 4); count > 0; count--)
      add_statement(g);
}

/* ---- shaders ------------------------------------------------------------- */

static void
add_declarations(struct generator *g)
{
   tg_strbuf_add(&g->text, g->is_fragment
                              ? "FRAG\n"
                                "DCL IN[0..3], GENERIC[0], PERSPECTIVE\n"
                                "DCL OUT[0..3], COLOR[0]\n"
                              : "VERT\n"
                                "DCL IN[0..3]\n"
                                "DCL OUT[0..3], GENERIC[0]\n");
   tg_strbuf_add(&g->text, "DCL CONST[0][0..3]\n"
                           "DCL CONST[1][0..3]\n"
                           "DCL BUFFER[0..3]\n"
                           "DCL TEMP[0..19]\n"
                           "DCL ADDR[0]\n"
                           "IMM[0] FLT32 {0.0, 1.0, -2.5, 3.0}\n"
                           "IMM[1] FLT32 {0.5, 1e20, -1e-20, 7.0}\n"
                           "IMM[2] INT32 {0, 1, 2, 15}\n"
                           "IMM[3] INT32 {3, -1, 2147483647, 100}\n");
}

/* What computes, behind a few instructions that fill registers. */
static void
add_body(struct generator *g)
{
   for (unsigned i = 0; i < 8; i++)
      add_simple(g);
   for (uint32_t count = 3 + below(g, 8); count > 0; count--)
      add_statement(g);
}

static void
add_outputs(struct generator *g)
{
   add_plain(g, "ADD OUT[0], TEMP[0], TEMP[1]");
   add_plain(g, "ADD OUT[1], OUT[1], TEMP[2]");
   add_plain(g, "XOR OUT[2], TEMP[12], TEMP[15]");
   add_plain(g, "XOR OUT[3], OUT[3], TEMP[16]");
}

static void
write_shader(struct generator *g, uint64_t seed)
{
   g->numbers = (struct random_numbers){seed};
   g->num_instructions = 0;
   g->num_labels = 0;
   g->num_counters = 0;
   g->is_fragment = one_in(g, 2);
   g->is_indirect = one_in(g, 3);
   g->num_subroutines = below(g, MAX_SUBROUTINES + 1);
   g->first_callable = 0;

   add_declarations(g);
   add_body(g);
   add_outputs(g);
   add_plain(g, "END");
   for (uint32_t i = 0; i < g->num_subroutines; i++) {
      g->subroutine[i] = g->num_instructions;
      g->first_callable = i + 1;
      add_plain(g, "BGNSUB");
      add_block(g);
      add_block(g);
      add_plain(g, "ENDSUB");
   }
}

char *
random_tgsi(uint64_t seed)
{
   struct generator generator = {0};

   write_shader(&generator, seed);
   tg_strbuf_finish(&generator.text);
   generator.text = (struct tg_strbuf){0};
   write_shader(&generator, seed);
   return tg_strbuf_take(&generator.text);
}
