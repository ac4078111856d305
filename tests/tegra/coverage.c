/* SPDX-License-Identifier: MIT
 *
 * All that is to be covered stands in one list of names, which is made from the
 * tables; a file and the claims are sets of it.
 */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tegra/isa/isa.h"

enum {
   FIRST_FIELD = 0,
   FIRST_OPCODE = FIRST_FIELD + TEGRA_NUM_FIELDS, /* by unit and number */
   FIRST_END = FIRST_OPCODE + TEGRA_NUM_UNITS * TEGRA_NUM_OPCODES,
   NUM_ITEMS = FIRST_END + TG_TEGRA_NUM_ENDS,
};

struct coverage {
   char names[NUM_ITEMS][32];
   bool claimed[NUM_ITEMS];
   bool has[NUM_ITEMS]; /* the file */
   /* What the file's first instruction has there; a field is tested when
    * another has something else. */
   union tegra_instruction first;
   bool has_first;
};

static void
name_opcodes(struct coverage *coverage, enum tegra_unit unit)
{
   static const char *const unit_names[] = {"vector", "scalar"};

   for (unsigned i = 0; i < TEGRA_NUM_OPCODES; i++) {
      char *name = coverage->names[FIRST_OPCODE + unit * TEGRA_NUM_OPCODES + i];
      size_t size = sizeof(coverage->names[0]);
      const struct tegra_opcode_info *info = &tegra_opcodes[unit][i];

      if (info->name)
         snprintf(name, size, "%s %s", unit_names[unit], info->name);
      else
         snprintf(name, size, "%s %u", unit_names[unit], i);
   }
}

struct coverage *
coverage_create(void)
{
   struct coverage *coverage = calloc(1, sizeof(*coverage));
   size_t size = sizeof(coverage->names[0]);

   if (!coverage)
      abort();
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++)
      snprintf(coverage->names[FIRST_FIELD + i], size, "field %s",
               tegra_fields[i].name);
   name_opcodes(coverage, TEGRA_VECTOR);
   name_opcodes(coverage, TEGRA_SCALAR);
   for (unsigned i = 0; i < TG_TEGRA_NUM_ENDS; i++)
      snprintf(coverage->names[FIRST_END + i], size, "end %s",
               tg_tegra_end_name((enum tg_tegra_end)i));
   return coverage;
}

void
coverage_destroy(struct coverage *coverage)
{
   free(coverage);
}

void
coverage_begin_file(struct coverage *coverage)
{
   memset(coverage->has, 0, sizeof(coverage->has));
   coverage->has_first = false;
}

void
coverage_add_program(struct coverage *coverage,
                     const struct tg_tegra_program *program)
{
   const uint32_t *words = tg_tegra_words(program);
   uint32_t count = tg_tegra_num_instructions(program);

   for (uint32_t i = 0; i < count; i++) {
      union tegra_instruction instruction =
         tegra_isa_decode(words + (size_t)i * TG_TEGRA_WORDS);
      if (!coverage->has_first)
         coverage->first = instruction;
      coverage->has_first = true;
      for (unsigned j = 0; j < TEGRA_NUM_FIELDS; j++)
         coverage->has[FIRST_FIELD + j] |=
            instruction.field[j] != coverage->first.field[j];
      coverage->has[FIRST_OPCODE + instruction.v_op] = true;
      coverage->has[FIRST_OPCODE + TEGRA_NUM_OPCODES + instruction.s_op] = true;
   }
}

void
coverage_add_end(struct coverage *coverage, enum tg_tegra_end end)
{
   coverage->has[FIRST_END + end] = true;
}

static unsigned
claim(struct coverage *coverage, const char *path, const char *name)
{
   for (unsigned i = 0; i < NUM_ITEMS; i++) {
      if (strcmp(name, coverage->names[i]) != 0)
         continue;
      coverage->claimed[i] = true;
      if (!coverage->has[i])
         fprintf(stderr, "%s: claims to cover '%s', and has none\n", path,
                 name);
      return !coverage->has[i];
   }
   fprintf(stderr, "%s: there is no '%s' to cover\n", path, name);
   return 1;
}

unsigned
coverage_end_file(struct coverage *coverage, const char *path,
                  const char *claims)
{
   unsigned wrong = 0;
   char name[64];

   while (claims && *claims) {
      size_t length = strcspn(claims, ",");
      snprintf(name, sizeof(name), "%.*s", (int)length, claims);
      wrong += claim(coverage, path, name);
      claims += length;
      claims += strspn(claims, ", ");
   }
   return wrong;
}

unsigned
coverage_missing(const struct coverage *coverage)
{
   unsigned missing = 0;

   for (unsigned i = 0; i < NUM_ITEMS; i++) {
      if (coverage->claimed[i])
         continue;
      fprintf(stderr, "no golden test covers '%s'\n", coverage->names[i]);
      missing++;
   }
   return missing;
}
