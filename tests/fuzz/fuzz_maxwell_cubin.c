/* SPDX-License-Identifier: MIT
 *
 * Cubins: whatever the bytes are, there is an error or the code of sections,
 * which takes no more words than there are bytes and can be used like any
 * other.
 */
#include "fuzz.h"

#include "fuzz_copy.h"
#include "maxwell_use.h"

enum { MOST_USED = 4 /* sections */ };

static void
use_sections(const struct tg_maxwell_cubin *cubin, size_t size)
{
   const uint32_t count = tg_maxwell_cubin_num_sections(cubin);
   size_t num_words = 0;

   for (uint32_t i = 0; i < count; i++) {
      const struct tg_maxwell_program *program =
         tg_maxwell_cubin_program(cubin, i);

      num_words += tg_maxwell_num_code_words(program);
      if (strncmp(tg_maxwell_cubin_section_name(cubin, i), ".text", 5) != 0)
         abort();
      if (i < MOST_USED) {
         maxwell_go_through_text(program, (unsigned)size % MAXWELL_FLAGS);
         maxwell_go_through_code(program);
         maxwell_use(program);
      }
   }
   if (count == 0 || num_words > size / sizeof(uint64_t))
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_cubin *cubin = NULL;
   uint8_t *bytes = fuzz_copy(data, size);

   if (!diagnostics)
      abort();
   enum tg_result result =
      tg_maxwell_cubin_read(NULL, "fuzz", bytes, size, diagnostics, &cubin);
   free(bytes);
   if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0) ||
       (result == TG_OK) != (cubin != NULL))
      abort();
   if (cubin)
      use_sections(cubin, size);
   tg_maxwell_cubin_destroy(cubin);
   tg_diagnostics_destroy(diagnostics);
   return 0;
}
