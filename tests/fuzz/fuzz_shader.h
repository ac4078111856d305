/* SPDX-License-Identifier: MIT
 *
 * The shader that a fuzz target is given as text, for targets that take none
 * but valid ones.
 */
#ifndef TG_TESTS_FUZZ_SHADER_H
#define TG_TESTS_FUZZ_SHADER_H

#include "tungsten/tgsi.h"

/* NULL when the text does not parse or the shader is not valid. */
static inline struct tg_shader *
fuzz_valid_shader(const uint8_t *data, size_t size)
{
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, "fuzz", (const char *)data, size, TG_DIALECT_2019,
                       NULL, &shader) != TG_OK)
      return NULL;
   if (tg_shader_validate(shader, NULL) != TG_OK) {
      tg_shader_destroy(shader);
      return NULL;
   }
   return shader;
}

#endif
