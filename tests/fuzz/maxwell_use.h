/* SPDX-License-Identifier: MIT
 *
 * What may be done with any program for Maxwell: it is printed and read back,
 * becomes code and comes back, is checked and run. Done twice it gives the
 * same.
 */
#ifndef TG_TESTS_FUZZ_MAXWELL_USE_H
#define TG_TESTS_FUZZ_MAXWELL_USE_H

#include <stdlib.h>
#include <string.h>

#include "tungsten/maxwell.h"

enum {
   MAXWELL_BANK = 64,
   MAXWELL_TEXTURES = 5,
   MAXWELL_MOST_RUN = 16,  /* instructions of a program that is run */
   MAXWELL_FLAGS = 1 << 7, /* of tg_maxwell_print() */
};

typedef uint32_t maxwell_registers[TG_MAXWELL_NUM_REGISTERS]
                                  [TG_MAXWELL_NUM_THREADS];

static inline bool
maxwell_is_same(const struct tg_maxwell_program *a,
                const struct tg_maxwell_program *b)
{
   uint32_t count = tg_maxwell_num_instructions(a);

   return tg_maxwell_num_instructions(b) == count &&
          memcmp(tg_maxwell_words(a), tg_maxwell_words(b),
                 count * sizeof(uint64_t)) == 0 &&
          memcmp(tg_maxwell_controls(a), tg_maxwell_controls(b),
                 count * sizeof(uint32_t)) == 0;
}

/* ---- text and code ------------------------------------------------------- */

/* What is printed assembles to the same, and prints the same. */
static inline void
maxwell_go_through_text(const struct tg_maxwell_program *program,
                        unsigned flags)
{
   struct tg_maxwell_program *again = NULL;
   char *text = tg_maxwell_print(program, flags);

   if (!text || tg_maxwell_assemble(NULL, "printed", text, strlen(text), NULL,
                                    &again) != TG_OK)
      abort();
   char *text_again = tg_maxwell_print(again, flags);
   if (!text_again || strcmp(text, text_again) != 0 ||
       !maxwell_is_same(program, again))
      abort();
   tg_string_free(text_again);
   tg_string_free(text);
   tg_maxwell_program_destroy(again);
}

/* Code has the same instructions, and perhaps NOPs behind them. */
static inline void
maxwell_go_through_code(const struct tg_maxwell_program *program)
{
   const size_t num_words = tg_maxwell_num_code_words(program);
   const uint32_t count = tg_maxwell_num_instructions(program);
   struct tg_maxwell_program *again = NULL;
   uint64_t *words = malloc(num_words * sizeof(*words));

   if (!words)
      abort();
   tg_maxwell_encode_code(program, words);
   enum tg_result result =
      tg_maxwell_decode_code(NULL, "code", words, num_words, NULL, &again);
   /* The last bundle may reach beyond what a program can have. */
   if (result != TG_OK && count + 3 <= TG_MAXWELL_MAX_INSTRUCTIONS)
      abort();
   if (result == TG_OK &&
       (memcmp(tg_maxwell_words(program), tg_maxwell_words(again),
               count * sizeof(uint64_t)) != 0 ||
        memcmp(tg_maxwell_controls(program), tg_maxwell_controls(again),
               count * sizeof(uint32_t)) != 0))
      abort();
   tg_maxwell_program_destroy(again);
   free(words);
}

/* ---- a warp -------------------------------------------------------------- */

/* One texture of each kind. */
struct maxwell_objects {
   struct tg_view_desc views[MAXWELL_TEXTURES];
   const struct tg_view_desc
      *headers[MAXWELL_TEXTURES + 1]; /* the last is none */
   struct tg_sampler_desc sampler;
   const struct tg_sampler_desc *samplers[2];
};

static inline struct tg_view_desc
maxwell_make_view(uint32_t target, const char *format)
{
   struct tg_resource *resource = NULL;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = tg_format_number(format),
      .width = 4,
      .height = target == TG_TEXTURE_1D ? 1 : 4,
      .depth = target == TG_TEXTURE_3D ? 4 : 1,
      .layers = target == TG_TEXTURE_CUBE       ? 6
                : target == TG_TEXTURE_2D_ARRAY ? 3
                                                : 1,
      .last_level = 1,
   };

   if (tg_resource_create(NULL, &desc, NULL, &resource) != TG_OK)
      abort();
   return tg_view_desc_of(resource);
}

static inline const struct maxwell_objects *
maxwell_objects(void)
{
   static struct maxwell_objects objects;

   if (objects.views[0].resource)
      return &objects;
   objects.views[0] = maxwell_make_view(TG_TEXTURE_2D, "R8G8B8A8_UNORM");
   objects.views[1] = maxwell_make_view(TG_TEXTURE_1D, "R32_FLOAT");
   objects.views[2] = maxwell_make_view(TG_TEXTURE_2D_ARRAY, "R32_UINT");
   objects.views[3] = maxwell_make_view(TG_TEXTURE_3D, "R16G16_FLOAT");
   objects.views[4] = maxwell_make_view(TG_TEXTURE_CUBE, "R8G8B8A8_UNORM");
   for (unsigned i = 0; i < MAXWELL_TEXTURES; i++)
      objects.headers[i] = &objects.views[i];
   objects.sampler = (struct tg_sampler_desc)TG_SAMPLER_DESC_INIT;
   objects.samplers[0] = &objects.sampler;
   return &objects;
}

static inline struct tg_maxwell_warp
maxwell_make_warp(maxwell_registers registers)
{
   static const uint32_t values[] = {
      0x00000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x80000000, 0x7f800000,
      0x00000001, 0x7fc00000, 0x447a0000, 0x00000002, 0xffffffff, 0x3e99999a,
      0x00000003, 0x40000000, 0xff800000, 0x7f7fffff,
   };
   static uint32_t bank[MAXWELL_BANK];
   const struct maxwell_objects *objects = maxwell_objects();
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;
   uint64_t seed = 1;

   for (unsigned i = 0; i < MAXWELL_BANK; i++)
      bank[i] = i % (MAXWELL_TEXTURES + 2) | (i / 16 % 3) << 20;
   for (unsigned i = 0; i < TG_MAXWELL_NUM_REGISTERS; i++) {
      for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++) {
         seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
         registers[i][t] = values[seed >> 60];
      }
   }
   for (unsigned t = 0; t < TG_MAXWELL_NUM_THREADS; t++)
      warp.predicates[t] = (uint8_t)(t * 5);
   warp.registers = registers;
   warp.active = 0xffff0fff;
   warp.killed = 0x00000102;
   warp.is_fragment = true;
   warp.constants = bank;
   warp.num_constants = MAXWELL_BANK;
   warp.headers = objects->headers;
   warp.num_headers = MAXWELL_TEXTURES + 1;
   warp.samplers = objects->samplers;
   warp.num_samplers = 2;
   return warp;
}

/* All that is said of a program; the string is the caller's. */
static inline char *
maxwell_say(const struct tg_maxwell_program *program,
            maxwell_registers registers, enum tg_result *result_out)
{
   struct tg_maxwell_warp warp = maxwell_make_warp(registers);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   if (!diagnostics)
      abort();

   enum tg_result result =
      tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics);
   if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   if (tg_maxwell_num_instructions(program) <= MAXWELL_MOST_RUN)
      result = tg_maxwell_run(NULL, program, &warp, NULL, NULL, diagnostics);
   if (result != TG_OK && result != TG_ERROR_INPUT &&
       result != TG_ERROR_UNSUPPORTED)
      abort();
   *result_out = result;
   char *said = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   return said;
}

static inline void
maxwell_use(const struct tg_maxwell_program *program)
{
   static maxwell_registers once, twice;
   enum tg_result result, result_again;
   char *said = maxwell_say(program, once, &result);
   char *said_again = maxwell_say(program, twice, &result_again);

   if (!said || !said_again || strcmp(said, said_again) != 0 ||
       result != result_again || memcmp(once, twice, sizeof(once)) != 0)
      abort();
   tg_string_free(said_again);
   tg_string_free(said);
}

#endif
