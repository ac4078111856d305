/* SPDX-License-Identifier: MIT
 *
 * Labels, and the fix-up of branches to them, when all is read.
 */
#include "tegra/text/assemble.h"

#include <stdio.h>

#include "util/ascii.h"

enum { MAX_LABELS = 1024 };

static bool
is_same_name(struct tg_word a, struct tg_word b)
{
   return a.length == b.length &&
          tg_ascii_compare(a.text, b.text, a.length) == 0;
}

static const struct assemble_label *
find_label(const struct assembler *as, struct tg_word name)
{
   for (uint32_t i = 0; i < as->num_labels; i++) {
      if (is_same_name(as->labels[i].name, name))
         return &as->labels[i];
   }
   return NULL;
}

bool
assemble_label(struct assembler *as, struct tg_word name)
{
   const struct assemble_label *before = find_label(as, name);

   tg_lexer_accept(&as->lexer, ':');
   if (before) {
      char note[64];

      snprintf(note, sizeof(note), "the first is in line %u",
               before->name.position.line);
      return assemble_error(as, name.position, "double-label", note,
                            "a second label '%.*s'", tg_lexer_word_shown(name),
                            name.text);
   }
   if (as->num_labels == MAX_LABELS) {
      as->failure = TG_ERROR_INPUT;
      return assemble_error(as, name.position, "too-many", NULL,
                            "a program has at most %d labels", MAX_LABELS);
   }
   if (!tg_arena_reserve(&as->arena, (void **)&as->labels, &as->label_capacity,
                         as->num_labels, sizeof(*as->labels))) {
      as->failure = TG_ERROR_MEMORY;
      return false;
   }
   as->labels[as->num_labels++] = (struct assemble_label){
      .name = name, .instruction = as->program->num_instructions};
   return true;
}

bool
assemble_branch(struct assembler *as, const struct assemble_line *line)
{
   const struct assemble_branch branch = {
      .name = line->label,
      .instruction = as->program->num_instructions,
      .has_rc = line->explicit & TEGRA_FIELD_BIT(rc_swz),
      .is_overridden = line->raw_explicit & TEGRA_FIELD_BIT(rc_swz),
   };

   if (!tg_arena_reserve(&as->arena, (void **)&as->branches,
                         &as->branch_capacity, as->num_branches,
                         sizeof(*as->branches))) {
      as->failure = TG_ERROR_MEMORY;
      return false;
   }
   as->branches[as->num_branches++] = branch;
   return true;
}

/* A branch to `name` of an instruction that was read. */
static bool
resolve_branch(struct assembler *as, const struct assemble_branch *branch)
{
   uint32_t *words = as->program->words[branch->instruction];
   const struct assemble_label *label = find_label(as, branch->name);
   struct tg_word name = branch->name;

   if (!label)
      return assemble_error(as, name.position, "unknown-label",
                            "a label stands before an instruction, as 'name:'",
                            "there is no label '%.*s'",
                            tg_lexer_word_shown(name), name.text);
   if (label->instruction >= as->program->num_instructions)
      return assemble_error(as, name.position, "empty-label",
                            "put one there, as EXEC_END NOPv;",
                            "no instruction follows the label '%.*s'",
                            tg_lexer_word_shown(name), name.text);

   union tegra_instruction instruction = tegra_isa_decode(words);
   if (branch->has_rc && instruction.rc_swz != label->instruction)
      return assemble_error(as, name.position, "shared-target",
                            "put the branch into an instruction of its own",
                            "the target takes the place of the swizzle of rC");
   if (!branch->is_overridden)
      instruction.rc_swz = (uint16_t)label->instruction;
   tegra_isa_encode(&instruction, words);
   return true;
}

void
assemble_resolve_branches(struct assembler *as)
{
   for (uint32_t i = 0; i < as->num_branches; i++)
      resolve_branch(as, &as->branches[i]);
}
