/* SPDX-License-Identifier: MIT
 *
 * For goldens that are named for codes of diagnostics: which code has been said
 * of a file that is named for it.
 */
#ifndef TESTS_GOLDEN_CODES_H
#define TESTS_GOLDEN_CODES_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tungsten/base.h"

struct golden_code {
   const char *code;
   bool is_covered;
};

/* Notes what has been said of the file `name`. */
static void
golden_cover(struct golden_code *codes, size_t num_codes, const char *name,
             const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const char *code = tg_diagnostics_get(diagnostics, i)->code;
      size_t length = strlen(code);

      for (size_t j = 0; j < num_codes; j++) {
         if (strcmp(codes[j].code, code) == 0 &&
             strncmp(name, code, length) == 0 && name[length] == '.')
            codes[j].is_covered = true;
      }
   }
}

/* Prints the codes that no file has; returns whether there are none. */
static bool
golden_all_covered(const struct golden_code *codes, size_t num_codes)
{
   bool all = true;

   for (size_t i = 0; i < num_codes; i++) {
      if (codes[i].is_covered)
         continue;
      printf("no file has what it is named for: %s\n", codes[i].code);
      all = false;
   }
   return all;
}

#endif
