/* SPDX-License-Identifier: MIT
 *
 * Words for Maxwell: whatever they are, what is printed of them assembles to
 * the same words and control bits, code goes round, and they can be checked and
 * run. The first byte says what is printed and whether the rest is code.
 */
#include "fuzz.h"

#include "fuzz_copy.h"
#include "maxwell_use.h"

enum { MAX_WORDS = 64, CONTROL_BITS = 21, IS_CODE = 1 << 7 };

/* Half of the words are instructions; in the others are their control bits. */
static struct tg_maxwell_program *
decode(const uint8_t *data, size_t num_words)
{
   struct tg_maxwell_program *program = NULL;
   const size_t count = num_words / 2, size = count * sizeof(uint64_t);
   uint64_t *words = fuzz_copy(data, size);
   uint32_t *controls = fuzz_copy(data + size, count * sizeof(*controls));

   for (size_t i = 0; i < count; i++) {
      memcpy(&controls[i], data + size + i * sizeof(uint64_t),
             sizeof(*controls));
      controls[i] &= (1u << CONTROL_BITS) - 1;
   }
   enum tg_result result =
      tg_maxwell_decode(NULL, "fuzz", words, controls, count, NULL, &program);
   free(controls);
   free(words);
   if ((result == TG_OK) != (count > 0))
      abort();
   return program;
}

static struct tg_maxwell_program *
decode_code(const uint8_t *data, size_t num_words)
{
   struct tg_maxwell_program *program = NULL;
   uint64_t *words = fuzz_copy(data, num_words * sizeof(*words));
   enum tg_result result =
      tg_maxwell_decode_code(NULL, "fuzz", words, num_words, NULL, &program);

   free(words);
   if ((result == TG_OK) != (program != NULL))
      abort();
   return program;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size == 0)
      return 0;

   const unsigned what = data[0];
   size_t num_words = (size - 1) / sizeof(uint64_t);
   if (num_words > MAX_WORDS)
      num_words = MAX_WORDS;

   struct tg_maxwell_program *program = what & IS_CODE
                                           ? decode_code(data + 1, num_words)
                                           : decode(data + 1, num_words);
   if (!program)
      return 0;
   maxwell_go_through_text(program, what % MAXWELL_FLAGS);
   maxwell_go_through_code(program);
   maxwell_use(program);
   tg_maxwell_program_destroy(program);
   return 0;
}
