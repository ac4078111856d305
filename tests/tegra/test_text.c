/* SPDX-License-Identifier: MIT
 *
 * The assembly language: instructions with known words both ways, what is
 * written shorter, and everything around instructions. What is refused is in
 * the folder bad.
 */
#include "../sweep.h"

#include <stdio.h>
#include <string.h>

#include "tegra/isa/isa.h"

static struct tg_tegra_program *
assemble(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   if (tg_tegra_assemble(NULL, "t", text, strlen(text), 0, diagnostics,
                         &program) != TG_OK) {
      char *said = tg_diagnostics_text(diagnostics);
      print_error("%s%s", text, said);
      tg_string_free(said);
      fail();
   }
   tg_diagnostics_destroy(diagnostics);
   return program;
}

static void
expect_words(const char *text, const uint32_t *words, uint32_t count)
{
   struct tg_tegra_program *program = assemble(text);

   assert_int_equal(tg_tegra_num_instructions(program), count);
   for (uint32_t i = 0; i < count * TG_TEGRA_WORDS; i++) {
      if (tg_tegra_words(program)[i] != words[i])
         print_error("%s: word %u\n", text, i);
      assert_int_equal(tg_tegra_words(program)[i], words[i]);
   }
   tg_tegra_program_destroy(program);
}

/* What words print as; the caller frees it. */
static char *
print_words(const uint32_t *words, uint32_t count, unsigned flags)
{
   struct tg_tegra_program *program = NULL;

   assert_int_equal(
      tg_tegra_decode(NULL, "t", words, count * TG_TEGRA_WORDS, NULL, &program),
      TG_OK);
   char *text = tg_tegra_print(program, flags);
   tg_tegra_program_destroy(program);
   assert_non_null(text);
   return text;
}

/* ---- known words --------------------------------------------------------- */

struct vector {
   const char *text;
   uint32_t words[TG_TEGRA_WORDS];
};

static const struct vector vectors[] = {
#define TEGRA_TEXT(text, ...) {text, {__VA_ARGS__}},
#include "vectors.def"
};

static void
vectors_assemble(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
      expect_words(vectors[i].text, vectors[i].words, 1);
}

static void
vectors_print(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
      char *text = print_words(vectors[i].words, 1, 0);
      char expected[256];

      snprintf(expected, sizeof(expected), ".asm\n%s\n", vectors[i].text);
      assert_string_equal(text, expected);
      tg_string_free(text);
   }
}

/* Those of NVIDIA's driver, which have their own defaults. */
static void
driver_words_print(void **state)
{
   static const uint32_t words[][TG_TEGRA_WORDS] = {
#define TEGRA_DRIVER(...) {__VA_ARGS__},
#include "vectors.def"
   };
   char *text = print_words(words[0], 3, 0);

   (void)state;
   assert_string_equal(text,
                       ".defaults nvidia\n"
                       ".asm\n"
                       "EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw;\n"
                       "EXEC_END(export[7]=vector) MOVv r63.xyzw, a[1].xyzw;\n"
                       "EXEC_END NOPv;\n");
   expect_words(text, words[0], 3);
   tg_string_free(text);
}

/* In grate's style RETs has the destination that was read last. */
static void
a_return_has_the_destination_before_it(void **state)
{
   static const uint32_t none[TG_TEGRA_WORDS] = {0x0002886c, 0x6040010d,
                                                 0x8106c003, 0x6001e07c};
   static const uint32_t own[TG_TEGRA_WORDS] = {0x0002886c, 0x6040010d,
                                                0x8106c003, 0x6001e1fc};
   static const uint32_t nvidia[TG_TEGRA_WORDS] = {0x0002886c, 0x6040010d,
                                                   0x8106c083, 0x6041fffc};

   (void)state;
   expect_words("EXEC(eq) RETs MOVv r5, a[1];", none, 1);
   expect_words("EXEC(eq)(s_rd=3) MOVv r5, a[1] RETs;", own, 1);
   expect_words(".defaults nvidia EXEC(eq) MOVv r5, a[1] RETs;", nvidia, 1);
}

/* Programs whose results were measured on hardware, with branches, calls and
 * the stack. The words are those of grate's assembler. */
static void
programs_assemble(void **state)
{
   static const uint32_t branches[] = {
      0x0000086c, 0x4800000d, 0x8006c000, 0x60001ffc, /* 0 */
      0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd, /* 1 */
      0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd, /* 2 */
      0x401f886c, 0x4840000d, 0x8106c000, 0xe001ff80, /* 3 */
      0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81, /* 4 */
      0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81, /* 5 */
      0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81, /* 6 */
      0x401f806c, 0x0040010d, 0x8106c003, 0x6001e01d, /* 7 */
      0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81, /* 8 */
   };
   static const uint32_t stack[] = {
      0x0000006c, 0x0344d00d, 0x8186c003, 0x6001807c, /* 0 */
      0x0000006c, 0x0680000d, 0x8006c003, 0x6000007c, /* 1 */
      0x0000086c, 0x5800000d, 0x8006c000, 0xc0001ffc, /* 2 */
      0x0000006c, 0xa000000d, 0x8006c003, 0x6000007c, /* 3 */
      0x481f806c, 0x0040020d, 0x8106c003, 0x6001e000, /* 4 */
      0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd, /* 5 */
      0x0000006c, 0x0347b02a, 0x8186c003, 0x6001e07c, /* 6 */
      0x481f886c, 0x6040050d, 0x8106c003, 0x6001ff9c, /* 7 */
      0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd, /* 8 */
   };

   (void)state;
   expect_words("EXEC(eq) BRAs 3;\n"
                "EXEC_END NOPv NOPs; EXEC_END NOPv NOPs;\n"
                "EXEC(export[0]=vector)(eq) MOVv r63.xyzw, a[0].xyzw BRAs 7;\n"
                "EXEC_END(export[0]=vector) MOVv r63.xyzw, c[0].xyzw NOPs;\n"
                "EXEC_END(export[0]=vector) MOVv r63.xyzw, c[0].xyzw NOPs;\n"
                "EXEC_END(export[0]=vector) MOVv r63.xyzw, c[0].xyzw NOPs;\n"
                "EXEC_END(export[7]=vector) MOVv r63.xyzw, a[1].xyzw;\n"
                "EXEC_END(export[0]=vector) MOVv r63.xyzw, c[0].xyzw NOPs;\n",
                branches, 9);
   expect_words(
      "EXEC ARLv A0.xy**, c[77].xyzw;\n"
      "EXEC PUSHAv;\n"
      "EXEC(eq) CALs callee;\n"
      "EXEC POPAs;\n"
      "EXEC(export[0]=vector) MOVv r63.xyzw, a[A0.x + 2].xyzw;\n"
      "EXEC_END NOPv NOPs;\n"
      "callee: EXEC ARLv A0.xyzw, c[123].yyyy;\n"
      "EXEC(export[7]=vector)(eq) MOVv r63.xyzw, a[A0.x + 5].xyzw RETs;\n"
      "EXEC_END NOPv NOPs;\n",
      stack, 9);
}

/* ---- what else the language has ------------------------------------------ */

/* Two ways to write the same instruction; the second is grate's. */
static const char *const equal[][2] = {
   /* letters and blanks */
   {"exec movV R1.XyZw,A[0x2].xyzw nops ;", "EXEC MOVv r1.xyzw, a[2].xyzw "
                                            "NOPs;"},
   {"EXEC MOVv r1.x y z w, a [ 2 ] . x y z w\r\n\tNOPs\n;",
    "EXEC MOVv r1.xyzw, a[2].xyzw NOPs;"},
   {"EXEC MOVv r1.* y * w, a[2].xyzw NOPs;",
    "EXEC MOVv r1.*y*w, a[2].xyzw NOPs;"},
   {"EXEC /* a ; */ MOVv r1.xyzw, // b ;\n a[2].xyzw NOPs;",
    "EXEC MOVv r1.xyzw, a[2].xyzw NOPs;"},
   {"EXEC NOPs MOVv r1.xyzw, a[2].xyzw;", "EXEC MOVv r1.xyzw, a[2].xyzw NOPs;"},
   /* short masks and swizzles */
   {"EXEC MOVv r1, a[2] NOPs;", "EXEC MOVv r1.xyzw, a[2].xyzw NOPs;"},
   {"EXEC MOVv r1.yw, a[2].z NOPs;", "EXEC MOVv r1.*y*w, a[2].zzzz NOPs;"},
   {"EXEC ARLv A0.w, -abs(c[2].x);", "EXEC ARLv A0.***w, -abs(c[2].xxxx);"},
   {"EXEC MOVs r1.x, abs(c[2]) NOPv;",
    "EXEC MOVs r1.x***, abs(c[2].xyzw) NOPv;"},
   {"EXEC(p.y)(cc)(lt) MOVv r1, a[2];",
    "EXEC(p.yyyy)(cc)(lt) MOVv r1.xyzw, a[2].xyzw;"},
   /* exports */
   {"EXEC(export[3]) MOVv r63, a[2];",
    "EXEC(export[3]=vector) MOVv r63.xyzw, a[2].xyzw;"},
   {"EXEC(export[A0.y]) MOVv r63, a[A0.y + 0];",
    "EXEC(export[A0.y]=vector) MOVv r63.xyzw, a[A0.y].xyzw;"},
   /* names of the same opcode */
   {"EXEC MVAv A0.x;", "EXEC ARAv A0.x***;"},
   {"EXEC PSHv POPs;", "EXEC PUSHAv POPAs;"},
   {"EXEC(eq) BRIs 5;", "EXEC(eq) BRAs 5;"},
   {"EXEC(eq) CLIs 5;", "EXEC(eq) CALs 5;"},
   {"EXEC ARLv r0.xyzw, c[1].xyzw;", "EXEC ARLv A0.xyzw, c[1].xyzw;"},
   /* opcodes by number */
   {"EXEC OPv1 r1.xyzw, a[2].xyzw NOPs;", "EXEC MOVv r1.xyzw, a[2].xyzw NOPs;"},
   {"EXEC OPv4 r1, r2, r3, -r4.x OPs1 r5, -r4.x;",
    "EXEC MADv r1.xyzw, r2.xyzw, r3.xyzw, -r4.xxxx MOVs r5.xyzw, -r4.xxxx;"},
   {"EXEC OPv0 OPs0;", "EXEC NOPv NOPs;"},
   {"EXEC OPs8 NOPv;", "EXEC NOPv BRXs;"},
   /* fields */
   {"EXEC(v_mask=5)(v_rd=9) MOVv r1.xyzw, a[2].xyzw;",
    "EXEC MOVv r9.*y*w, a[2].xyzw;"},
   {"EXEC(v_op=2)(rb_type=1)(rb_index=0x3) MOVv r1.xyzw, a[2].xyzw;",
    "EXEC MULv r1.xyzw, a[2].xyzw, r3.xyzw;"},
   {"EXEC(end=1) NOPv;", "EXEC_END NOPv;"},
   {".word 0x401f806c 0x0040000d 2164703235 0x6001FF80;",
    "EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;"},
   /* conditions as destinations */
   {"EXEC SLTv CR1, r0, c[2] NOPs;",
    "EXEC(cs)(cwr)(cr=1) SLTv r63.xyzw, r0.xyzw, c[2].xyzw NOPs;"},
   {"EXEC MOVs CR0.x, r3.w;", "EXEC(cs)(cwr) MOVs r63.x***, r3.wwww;"},
   /* operations that are others */
   {"EXEC SUBv r1, r2, -r3;", "EXEC ADDv r1.xyzw, r2.xyzw, r3.xyzw;"},
   {"EXEC SUBv r1, -r2, abs(r3);",
    "EXEC ADDv r1.xyzw, -r2.xyzw, -abs(r3.xyzw);"},
   {"EXEC ABSv r1, -c[3].y;", "EXEC MOVv r1.xyzw, abs(c[3].yyyy);"},
   {"EXEC NEGv r1, -abs(a[3]);", "EXEC MOVv r1.xyzw, abs(a[3].xyzw);"},
   {"EXEC SQRv r1.x, c[A0.z + 3].w;",
    "EXEC MULv r1.x***, c[A0.z + 3].wwww, c[A0.z + 3].wwww;"},
   {"EXEC MSUv r1, r2, r3, r4;",
    "EXEC MADv r1.xyzw, r2.xyzw, r3.xyzw, -r4.xyzw;"},
   {"EXEC NMAv r1, r2, r3, r4;",
    "EXEC MADv r1.xyzw, -r2.xyzw, r3.xyzw, r4.xyzw;"},
   {"EXEC CLRv r1.z ABSs r2, r3;",
    "EXEC SFLv r1.**z* MOVs r2.xyzw, abs(r3.xyzw);"},
   {"EXEC ONEv r1.z NEGs r2, r3;", "EXEC STRv r1.**z* MOVs r2.xyzw, -r3.xyzw;"},
   {"EXEC RSAs r1.x, -r3.y;", "EXEC RSQs r1.x***, abs(r3.yyyy);"},
   {"EXEC JMPs 9;", "EXEC(lt)(eq)(gt) BRAs 9;"},
   {"EXEC JSRs 9;", "EXEC(lt)(eq)(gt) CALs 9;"},
   {"EXEC RTSs;", "EXEC(lt)(eq)(gt) RETs;"},
   {"EXEC(p.x) BEQs 9;", "EXEC(eq)(p.xxxx) BRAs 9;"},
   {"EXEC BNEs 9;", "EXEC(lt)(gt) BRAs 9;"},
   {"EXEC BLTs 9;", "EXEC(lt) BRAs 9;"},
   {"EXEC BLEs 9;", "EXEC(lt)(eq) BRAs 9;"},
   {"EXEC BGTs 9;", "EXEC(gt) BRAs 9;"},
   {"EXEC(cr=1) BGEs 9;", "EXEC(cr=1)(gt)(eq) BRAs 9;"},
   /* rC of both units, which agree in what both read of it */
   {"EXEC ADDv r1, r2, r3 RCPs r4, r3.x;",
    "EXEC ADDv r1.xyzw, r2.xyzw, r3.xyzw RCPs r4.xyzw, r3.xyzw;"},
   {"EXEC RCPs r4.x, -c[3].w MADv r1, r1, r2, -c[3].wzyx;",
    "EXEC MADv r1.xyzw, r1.xyzw, r2.xyzw, -c[3].wzyx RCPs r4.x***, "
    "-c[3].wzyx;"},
   {"EXEC ADDv r1, r2, r3.yxwz LITs r4, r3.yxxz;",
    "EXEC ADDv r1.xyzw, r2.xyzw, r3.yxwz LITs r4.xyzw, r3.yxwz;"},
   /* labels, and targets that are an operand's swizzle by chance */
   {"here: EXEC(eq) BRAs HERE;", "EXEC(eq) BRAs 0;"},
   {"EXEC(eq) ADDv r1, r2, r3.xxxx BRAs 0;",
    "EXEC(eq)(s_op=9)(s_rd=63) ADDv r1, r2, r3.xxxx;"},
   {"one: two: EXEC(eq)(rc_swz=7) BRAs two;", "EXEC(eq) BRAs 7;"},
};

static void
equal_texts_have_equal_words(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(equal) / sizeof(equal[0]); i++) {
      struct tg_tegra_program *program = assemble(equal[i][1]);

      expect_words(equal[i][0], tg_tegra_words(program), 1);
      tg_tegra_program_destroy(program);
   }
}

/* One instruction of the text and the several that it is. */
static const char *const expansions[][2] = {
   {"EXEC CEILv r1.xz, r1.y;", "EXEC FLRv r1.x*z*, -r1.yyyy;"
                               "EXEC MOVv r1.x*z*, -r1.xyzw;"},
   {"EXEC_END(export[3])(saturate) DP2v r1.y, c[2].zwxy, -a[3];",
    "EXEC MULv r1.*y**, c[2].zzzz, -a[3].xxxx;"
    "EXEC_END(export[3])(saturate) MADv r1.*y**, c[2].wwww, -a[3].yyyy, r1;"},
   {"EXEC LRPv r1, r2, -r3, abs(r4);", "EXEC MADv r1, -r2, abs(r4), abs(r4);"
                                       "EXEC MADv r1, r2, -r3, r1;"},
   {"EXEC(cs)(cwr)(cr=1) NRMv r1.yzw, r2;",
    "EXEC DP3v r1.yzw, r2, r2;"
    "EXEC RSQs r1.yzw, r1.yyyy;"
    "EXEC(cs)(cwr)(cr=1) MULv r1.yzw, r2, r1;"},
   {"EXEC(bit120) XPDv r1.xyz, c[A0.x], r3.wzyx;",
    "EXEC(bit120) MULv r1.xyz, c[A0.x].zxyw, r3.zywx;"
    "EXEC(bit120) MADv r1.xyz, c[A0.x].yzxw, r3.ywzx, -r1;"},
   {"EXEC DIVs r1.zw, c[2].y, c[3].w;", "EXEC RCPs r1.zw, c[3].w;"
                                        "EXEC MULv r1.zw, c[2].y, r1.z;"},
   {"EXEC POWs r1.x, r2.x, r3.y;", "EXEC LG2s r1.x, r2.x;"
                                   "EXEC MULv r1.x, r3.y, r1.x;"
                                   "EXEC EX2s r1.x, r1.x;"},
   {"EXEC SQRTs r1, r1.w;", "EXEC RSQs r1, r1.w;"
                            "EXEC RCPs r1, r1.x;"},
};

static void
expansions_are_their_instructions(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(expansions) / sizeof(expansions[0]); i++) {
      struct tg_tegra_program *program = assemble(expansions[i][1]);

      expect_words(expansions[i][0], tg_tegra_words(program),
                   tg_tegra_num_instructions(program));
      tg_tegra_program_destroy(program);
   }
}

/* What the text does not say, in the other style: worked out by hand from the
 * driver's words. */
static void
defaults_are_chosen(void **state)
{
   static const uint32_t mov[] = {0x401f9c6c, 0x0040000d, 0x8106c083,
                                  0x6041ff80};
   static const uint32_t nop[] = {0x001f9c6c, 0x0000000d, 0x8106c083,
                                  0x60401ffd};
   static const uint32_t branch[] = {0x001f8c6c, 0x4800000d, 0x8106c080,
                                     0x00401ffc};

   (void)state;
   expect_words(".defaults nvidia EXEC(export[0]) MOVv r63, a[0];", mov, 1);
   expect_words(".defaults NVIDIA EXEC_END NOPs;", nop, 1);
   expect_words(".defaults nvidia EXEC(lt)(eq) BRAs 0;", branch, 1);
   expect_words(".defaults nvidia .defaults grate EXEC MOVv r1, a[2] NOPs;",
                vectors[2].words, 1);
}

static void
constants_have_exact_bits(void **state)
{
   static const uint32_t expected[] = {7,          0x40e00000, 0xc0e00000,
                                       0x3f800000, 0x7fc00001, 0x80000000,
                                       0x3a83126f, 0x00000001, 0x4b800000};
   struct tg_tegra_program *program = assemble(
      ".constants\n"
      "[0].x = 7; [0].y = 7.0; [0].z = -7.0; [0].w = 0x3f800000;\n"
      "[1].x = 0x7FC00001; [1].y = -0.0; [1].z = 1.0e-3; [1].w = 1.4e-45;\n"
      "[255].w = 16777217.0;\n"
      ".asm EXEC_END NOPv;");
   uint32_t words[4];

   (void)state;
   assert_int_equal(tg_tegra_constant(program, 0, words), 15);
   assert_memory_equal(words, expected, sizeof(words));
   assert_int_equal(tg_tegra_constant(program, 1, words), 15);
   assert_memory_equal(words, expected + 4, sizeof(words));
   assert_int_equal(tg_tegra_constant(program, 255, words), 8);
   assert_int_equal(words[3], expected[8]);
   assert_int_equal(tg_tegra_constant(program, 2, words), 0);
   tg_tegra_program_destroy(program);
}

static const char sections[] =
   ".attributes\n"
   "[0] = \"position\";\n"
   "[15] = \"a colour, // not /* a comment\";\n"
   ".exports\n"
   "[0] = \"gl_Position\";\n"
   ".uniforms\n"
   "[255] = \"\";\n"
   ".constants\n"
   "[3].y = 0x3f000000; // 0.5\n"
   "[3].w = 0x7f800000; // inf\n"
   ".asm\n"
   "L0:\n"
   "EXEC(lt)(eq)(gt) NOPv BRAs L1; // 001f9c6c 4800000d 8006c000 20001ffc\n"
   "L1:\n"
   "EXEC_END(eq) NOPv BRAs L0; // 001f886c 4800000d 8006c000 00001ffd\n";

/* A text that is what the printer makes of it. */
static void
sections_are_kept(void **state)
{
   struct tg_tegra_program *program = assemble(sections);
   char *text =
      tg_tegra_print(program, TG_TEGRA_PRINT_LABELS | TG_TEGRA_PRINT_WORDS);

   (void)state;
   assert_string_equal(tg_tegra_name(program, TG_TEGRA_ATTRIBUTE, 0),
                       "position");
   assert_string_equal(tg_tegra_name(program, TG_TEGRA_UNIFORM, 255), "");
   assert_null(tg_tegra_name(program, TG_TEGRA_EXPORT, 15));
   assert_string_equal(text, sections);
   tg_string_free(text);
   tg_tegra_program_destroy(program);
}

/* Fields that no operand or option can tell. */
static void
strange_words_print(void **state)
{
   static const struct vector strange[] = {
      {"EXEC NOPv OPs31 r63.xyzw, u.xyzw;",
       {0x001f806c, 0xf800000d, 0x8006c003, 0x601e1ffc}},
      {"EXEC OPv28 r1.xyzw, c[2].xyzw, u.xyzw, u.xyzw NOPs;",
       {0x0000806c, 0x0700200d, 0x8186c003, 0x6001fffc}},
      {"EXEC(export_index=20)(v_rd=40) MOVv r63.xyzw, a[2].xyzw NOPs;",
       {0x0014006c, 0x0040020d, 0x8106c003, 0x6001ffd0}},
      {"EXEC(ra_index=33) MOVv r1.xyzw, r0.xyzw NOPs;",
       {0x0000806c, 0x0040000d, 0xc286c003, 0x6001fffc}},
      {"EXEC(attr_index=5)(a_sel=3)(unused=1) MOVv r1.xyzw, r0.xyzw NOPs;",
       {0x8000806f, 0x0040050d, 0x8086c003, 0x6001fffc}},
      {"EXEC(v_rd=0) NOPv;", {0x0000006c, 0x0000000d, 0x8006c003, 0x6000007c}},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
      char *text = print_words(strange[i].words, 1, 0);
      char expected[256];

      snprintf(expected, sizeof(expected), ".asm\n%s\n", strange[i].text);
      assert_string_equal(text, expected);
      expect_words(text, strange[i].words, 1);
      tg_string_free(text);
   }
}

/* ---- errors that depend on how it is called ------------------------------ */

/* What grate's assembler takes is taken, but not strictly. */
static void
doubtful_text_is_refused_strictly(void **state)
{
   static const char *const texts[] = {
      "EXEC SSGv r1;",
      "EXEC TXLv r1;",
      "EXEC ARLv r63.x, c[1];",
      "EXEC ARAv r1.x;",
      "EXEC MOVv r1.****, r2;",
      "EXEC(cs)(cs) NOPv;",
      "EXEC(export[1])(export[2]) NOPv;",
   };

   (void)state;
   for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_tegra_program *program = assemble(texts[i]);
      size_t length = strlen(texts[i]);

      tg_tegra_program_destroy(program);
      program = NULL;
      assert_int_equal(tg_tegra_assemble(NULL, "t", texts[i], length,
                                         TG_TEGRA_STRICT, diagnostics,
                                         &program),
                       TG_ERROR_INPUT);
      assert_null(program);
      assert_int_equal(tg_diagnostics_num_errors(diagnostics), 1);
      tg_diagnostics_destroy(diagnostics);
   }
}

/* The last instruction of each has the end bit, by the text or by a flag. */
static void
the_last_instruction_may_get_the_end_bit(void **state)
{
   static const struct {
      const char *text;
      unsigned flags;
   } ended[] = {
      {"EXEC NOPv; EXEC MOVv r1, a[2] NOPs;", TG_TEGRA_END_LAST},
      {".end_last .asm EXEC NOPv; EXEC MOVv r1, a[2] NOPs;", 0},
      {"EXEC NOPv; EXEC MOVv r1, a[2] NOPs; .END_LAST", 0},
      {"EXEC NOPv; EXEC_END MOVv r1, a[2] NOPs; .end_last", 0},
   };
   static const uint32_t last[TG_TEGRA_WORDS] = {0x0000806c, 0x0040020d,
                                                 0x8106c003, 0x6001fffd};

   (void)state;
   for (size_t i = 0; i < sizeof(ended) / sizeof(ended[0]); i++) {
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_tegra_program *program = NULL;

      assert_int_equal(tg_tegra_assemble(NULL, "t", ended[i].text,
                                         strlen(ended[i].text), ended[i].flags,
                                         diagnostics, &program),
                       TG_OK);
      assert_int_equal(tg_diagnostics_count(diagnostics), 0);
      assert_int_equal(tg_tegra_num_instructions(program), 2);
      assert_int_equal(tg_tegra_words(program)[3] & 1, 0);
      assert_memory_equal(tg_tegra_words(program) + TG_TEGRA_WORDS, last,
                          sizeof(last));
      tg_tegra_program_destroy(program);
      tg_diagnostics_destroy(diagnostics);
   }
}

static void
programs_have_at_most_256_instructions(void **state)
{
   enum { LENGTH = 11 };
   static char text[257 * LENGTH + 1];
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   (void)state;
   for (int i = 0; i < 257; i++)
      memcpy(text + i * LENGTH, "EXEC NOPv;\n", LENGTH);
   assert_int_equal(
      tg_tegra_assemble(NULL, "t", text, 256 * LENGTH, 0, NULL, &program),
      TG_OK);
   assert_int_equal(tg_tegra_num_instructions(program), 256);
   tg_tegra_program_destroy(program);
   program = NULL;
   assert_int_equal(tg_tegra_assemble(NULL, "t", text, 257 * LENGTH, 0,
                                      diagnostics, &program),
                    TG_ERROR_INPUT);
   assert_null(program);
   char *said = tg_diagnostics_text(diagnostics);
   assert_string_equal(
      said, "t:257:1: error: a program has at most 256 instructions\n"
            "EXEC NOPv;\n"
            "^\n");
   tg_string_free(said);
   tg_diagnostics_destroy(diagnostics);
}

static enum tg_result
assemble_all(const struct tg_allocator *allocator)
{
   struct tg_tegra_program *program = NULL;
   enum tg_result result = tg_tegra_assemble(
      allocator, "t", sections, sizeof(sections) - 1, 0, NULL, &program);

   tg_tegra_program_destroy(program);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(assemble_all);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_assemble),
      cmocka_unit_test(vectors_print),
      cmocka_unit_test(driver_words_print),
      cmocka_unit_test(a_return_has_the_destination_before_it),
      cmocka_unit_test(programs_assemble),
      cmocka_unit_test(equal_texts_have_equal_words),
      cmocka_unit_test(expansions_are_their_instructions),
      cmocka_unit_test(defaults_are_chosen),
      cmocka_unit_test(constants_have_exact_bits),
      cmocka_unit_test(sections_are_kept),
      cmocka_unit_test(strange_words_print),
      cmocka_unit_test(doubtful_text_is_refused_strictly),
      cmocka_unit_test(the_last_instruction_may_get_the_end_bit),
      cmocka_unit_test(programs_have_at_most_256_instructions),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
