/* SPDX-License-Identifier: MIT
 *
 * tg_tegra_check(), the driver of the checker: decodes a program, has its
 * control flow analysed, holds each reachable instruction against all rules,
 * and makes diagnostics of what they find.
 */
#include "tegra/check/check.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- findings ------------------------------------------------------------ */

static const struct {
   enum tg_severity severity;
   const char *code, *note;
} rows[TEGRA_NUM_FINDINGS] = {
#define TEGRA_FINDING(id, severity, code, title, note)                         \
   {TG_SEVERITY_##severity, code, note},
#include "tegra/check/findings.def"
#include "util/length.h"
};

/* Has the assembler reported the same of the instruction's line? */
static bool
is_reported(const struct tegra_check *check, uint32_t number, const char *code)
{
   assert(number < TG_LENGTH(check->program->positions));
   uint32_t line = check->program->positions[number].line;

   for (size_t i = 0; line && i < check->num_reported; i++) {
      const struct tg_diagnostic *reported =
         tg_diagnostics_get(check->diagnostics, i);

      if (reported->line == line && strcmp(reported->code, code) == 0)
         return true;
   }
   return false;
}

void
tegra_check_report(struct tegra_check *check, uint32_t number,
                   enum tegra_finding finding, const char *format, ...)
{
   assert(finding < TG_LENGTH(rows));
   va_list args;

   if (rows[finding].severity == TG_SEVERITY_ERROR)
      check->result = TG_ERROR_INPUT;
   if (is_reported(check, number, rows[finding].code))
      return;
   va_start(args, format);
   tegra_program_vdiagnose(check->diagnostics, rows[finding].severity,
                           rows[finding].code, check->program, number,
                           rows[finding].note, format, args);
   va_end(args);
}

/* ---- names --------------------------------------------------------------- */

struct tegra_text
tegra_check_slot_text(const struct tegra_step *step, enum tegra_unit unit)
{
   const struct tegra_slot *slot = &step->slots[unit];
   struct tegra_text text;

   if (slot->info->name)
      snprintf(text.text, sizeof(text.text), "%s%c", slot->info->name,
               tegra_unit_letter[unit]);
   else
      snprintf(text.text, sizeof(text.text), "%s opcode %u",
               unit == TEGRA_VECTOR ? "vector" : "scalar", slot->opcode);
   return text;
}

struct tegra_text
tegra_check_place_text(unsigned place, unsigned mask)
{
   struct tegra_text text;
   char components[5];
   unsigned count = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         components[count++] = "xyzw"[i];
   }
   components[count] = '\0';
   if (place >= TEGRA_PLACE_CONDITION)
      snprintf(text.text, sizeof(text.text), "CR%u.%s",
               place - TEGRA_PLACE_CONDITION, components);
   else if (place == TEGRA_PLACE_ADDRESS)
      snprintf(text.text, sizeof(text.text), "A0.%s", components);
   else if (place >= TEGRA_PLACE_EXPORT)
      snprintf(text.text, sizeof(text.text), "export[%u].%s",
               place - TEGRA_PLACE_EXPORT, components);
   else
      snprintf(text.text, sizeof(text.text), "r%u.%s",
               place - TEGRA_PLACE_TEMPORARY, components);
   return text;
}

/* ---- the program --------------------------------------------------------- */

/* Unreachable instructions are reported once for all that stand together. */
static void
report_unreachable(struct tegra_check *check, uint32_t first)
{
   uint32_t last = first;

   if (first > 0 && !check->steps[first - 1].is_reached)
      return;
   while (last + 1 < check->num_steps && !check->steps[last + 1].is_reached)
      last++;
   if (first == last)
      tegra_check_report(check, first, TEGRA_FINDING_UNREACHABLE,
                         "never executed");
   else
      tegra_check_report(check, first, TEGRA_FINDING_UNREACHABLE,
                         "never executed, nor is what follows up to "
                         "instruction %u",
                         last);
}

static void
check_steps(struct tegra_check *check)
{
   for (uint32_t i = 0; i < check->num_steps; i++) {
      if (!check->steps[i].is_reached) {
         report_unreachable(check, i);
         continue;
      }
      tegra_check_fields_of(check, i);
      tegra_check_predicate_of(check, i);
      tegra_check_flow_of(check, i);
      tegra_check_stack_of(check, i);
      tegra_check_values_of(check, i);
   }
}

static bool
find_out(struct tegra_check *check)
{
   const struct tg_tegra_program *program = check->program;

   check->steps =
      tg_arena_array(&check->arena, check->num_steps, sizeof(*check->steps));
   if (!check->steps)
      return false;
   for (uint32_t i = 0; i < check->num_steps; i++)
      tegra_step_init(&check->steps[i], program->words[i]);
   if (!tegra_check_flow(check))
      return false;
   tegra_check_values(check);
   return true;
}

enum tg_result
tg_tegra_check(const struct tg_tegra_program *program,
               struct tg_diagnostics *diagnostics)
{
   assert(program);
   struct tegra_check check = {
      .program = program,
      .diagnostics = diagnostics,
      .num_reported = diagnostics ? tg_diagnostics_count(diagnostics) : 0,
      .num_steps = program->num_instructions,
   };

   tg_arena_init(&check.arena, program->arena.allocator);
   if (find_out(&check))
      check_steps(&check);
   else
      check.result = TG_ERROR_MEMORY;
   tg_arena_finish(&check.arena);
   return check.result;
}
