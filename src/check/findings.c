/* SPDX-License-Identifier: MIT
 *
 * Reporting of findings as diagnostics: each code once for an instruction, and
 * in the end in the order of their places.
 */
#include <assert.h>
#include <stdio.h>

#include "check/state.h"

static const char *const codes[CHECK_NUM_CODES] = {
#define CHECK_FINDING(id, code, title) [CHECK_##id] = code,
#include "check/findings.def"
#include "util/length.h"
};

_Static_assert(CHECK_NUM_CODES <= 16, "`reported` has a bit for each");

bool
check_finding_is_new(struct check *check, uint32_t instruction,
                     enum check_code code)
{
   const uint16_t bit = (uint16_t)(1u << code);

   if (check->reported[instruction] & bit)
      return false;
   check->reported[instruction] |= bit;
   return true;
}

void
check_report_finding(struct check *check, uint32_t instruction,
                     enum check_code code, const char *note, const char *format,
                     ...)
{
   assert(code < TG_LENGTH(codes));
   const struct tg_shader *shader = check->shader;
   va_list args;

   check->num_findings++;
   va_start(args, format);
   assert(instruction < shader->num_instructions);
   tg_vdiagnose(check->diagnostics, TG_SEVERITY_ERROR, codes[code],
                &shader->source, shader->instructions[instruction].position,
                note, format, args);
   va_end(args);
}
