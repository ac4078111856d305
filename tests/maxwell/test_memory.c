/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out while programs are read, decoded and run: it is told,
 * and nothing is kept.
 */
#include "../sweep.h"

#include <string.h>

#include "cubins.h"
#include "tungsten/maxwell.h"

enum { THREADS = TG_MAXWELL_NUM_THREADS };

static const char text[] = "TEXS RZ, R0, R4, R5, 0x0, 2D, RG;\n"
                           "TEXS.F16.LL R3, R2, R4, R6, 0x0, 2D, RGB;\n"
                           "TEX.LL.AOFFI R8, R4, R6, 0x0, 2D, 0xf;\n"
                           "TLDS.LZ RZ, R0, R7, R7, 0x0, 2D, A;\n";

static enum tg_result
assemble(const struct tg_allocator *allocator,
         struct tg_diagnostics *diagnostics, const char *source,
         struct tg_maxwell_program **program_out)
{
   *program_out = NULL;
   return tg_maxwell_assemble(allocator, "t", source, strlen(source),
                              diagnostics, program_out);
}

static enum tg_result
assemble_body(const struct tg_allocator *allocator)
{
   struct tg_maxwell_program *program;
   enum tg_result result = assemble(allocator, NULL, text, &program);

   assert_int_equal(result == TG_OK, program != NULL);
   tg_maxwell_program_destroy(program);
   return result;
}

static enum tg_result
decode_body(const struct tg_allocator *allocator)
{
   static const uint64_t words[100];
   struct tg_maxwell_program *program = NULL;
   enum tg_result result =
      tg_maxwell_decode(allocator, "t", words, NULL, 100, NULL, &program);

   assert_int_equal(result == TG_OK, program != NULL);
   tg_maxwell_program_destroy(program);
   return result;
}

static enum tg_result
decode_code_body(const struct tg_allocator *allocator)
{
   static const uint64_t words[100];
   struct tg_maxwell_program *program = NULL;
   enum tg_result result =
      tg_maxwell_decode_code(allocator, "t", words, 100, NULL, &program);

   assert_int_equal(result == TG_OK, program != NULL);
   tg_maxwell_program_destroy(program);
   return result;
}

static enum tg_result
cubin_body(const struct tg_allocator *allocator)
{
   static const uint64_t words[8];
   static const struct cubin_section sections[] = {
      {".text.a", words, 4}, {".nv.info", words, 1}, {".text.b", words, 8}};
   static uint8_t bytes[2048];
   struct tg_maxwell_cubin *cubin = NULL;
   size_t size = cubin_make(53, sections, 3, bytes, sizeof(bytes));
   enum tg_result result =
      tg_maxwell_cubin_read(allocator, "t", bytes, size, NULL, &cubin);

   assert_int_equal(result == TG_OK, cubin != NULL);
   tg_maxwell_cubin_destroy(cubin);
   return result;
}

static enum tg_result
run_body(const struct tg_allocator *allocator)
{
   static uint32_t registers[TG_MAXWELL_NUM_REGISTERS][THREADS];
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = 4,
      .height = 4,
      .depth = 1,
      .layers = 1,
   };
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;
   struct tg_maxwell_program *program;
   struct tg_resource *resource;

   assert_int_equal(assemble(NULL, NULL, text, &program), TG_OK);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   const struct tg_view_desc view = tg_view_desc_of(resource),
                             *const headers[] = {&view};
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT,
                                *const samplers[] = {&sampler};
   warp.registers = registers;
   warp.is_fragment = true;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   enum tg_result result =
      tg_maxwell_run(allocator, program, &warp, NULL, NULL, NULL);
   tg_resource_destroy(resource);
   tg_maxwell_program_destroy(program);
   return result;
}

static enum tg_result
maxwell_lower_body(const struct tg_allocator *allocator)
{
   static const char shader_text[] =
      "FRAG\n"
      "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
      "DCL OUT[0], COLOR\n"
      "DCL SAMP[0..1]\n"
      "DCL SVIEW[0], 2D, FLOAT\n"
      "DCL SVIEW[1], CUBE, FLOAT\n"
      "DCL TEMP[0..1]\n"
      "  0: TEX TEMP[0], IN[0], SAMP[0], 2D\n"
      "  1: TXB TEMP[1], TEMP[0].yxzw, SAMP[1], CUBE\n"
      "  2: ADD OUT[0], TEMP[0], TEMP[1]\n"
      "  3: END\n";
   struct tg_maxwell_lowering *lowering = NULL;
   struct tg_shader *shader;

   assert_int_equal(tg_shader_parse(NULL, "t", shader_text,
                                    sizeof(shader_text) - 1, TG_DIALECT_2019,
                                    NULL, &shader),
                    TG_OK);
   enum tg_result result =
      tg_maxwell_lower(allocator, shader, NULL, NULL, &lowering);
   assert_int_equal(result == TG_OK, lowering != NULL);
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   return result;
}

static void
assembling(void **state)
{
   (void)state;
   sweep(assemble_body);
}

static void
decoding(void **state)
{
   (void)state;
   sweep(decode_body);
   sweep(decode_code_body);
   sweep(cubin_body);
}

static void
running(void **state)
{
   (void)state;
   sweep(run_body);
}

static void
lowering(void **state)
{
   (void)state;
   sweep(maxwell_lower_body);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(assembling),
      cmocka_unit_test(decoding),
      cmocka_unit_test(running),
      cmocka_unit_test(lowering),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
