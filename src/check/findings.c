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
check_is_new(struct check *check, uint32_t instruction, enum check_code code)
{
   const uint16_t bit = (uint16_t)(1u << code);

   if (check->reported[instruction] & bit)
      return false;
   check->reported[instruction] |= bit;
   return true;
}

void
check_report(struct check *check, uint32_t instruction, enum check_code code,
             const char *note, const char *format, ...)
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

struct check_name
check_thread_name(const struct check *check, uint32_t block, uint32_t thread)
{
   const uint32_t *size = check->block_size;
   const uint64_t number = block - 1;
   struct check_name name;

   snprintf(name.text, sizeof(name.text),
            "thread (%u, %u, %u) of block (%llu, %llu, %llu)",
            (unsigned)(thread % size[0]),
            (unsigned)(thread / size[0] % size[1]),
            (unsigned)(thread / size[0] / size[1]),
            (unsigned long long)(number % check->grid[0]),
            (unsigned long long)(number / check->grid[0] % check->grid[1]),
            (unsigned long long)(number / check->grid[0] / check->grid[1]));
   return name;
}

struct check_name
check_lane_name(const struct check *check, const struct check_wave *wave,
                unsigned lane)
{
   struct check_name name;

   if (check->is_dispatch)
      return check_thread_name(check, check->block,
                               wave->number * LIR_LANES + lane);
   if (check->lanes == CHECK_LANES) {
      snprintf(name.text, sizeof(name.text), "lane %u", lane);
      return name;
   }

   uint32_t(*words)[LIR_LANES] = wave->state->input.data;
   if (check->lanes == CHECK_PIXELS)
      snprintf(name.text, sizeof(name.text), "pixel (%d, %d)",
               (int)words[0][lane], (int)words[1][lane]);
   else
      snprintf(name.text, sizeof(name.text), "vertex %u of instance %u",
               (unsigned)words[0][lane], (unsigned)words[1][lane]);
   return name;
}
