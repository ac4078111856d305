/* SPDX-License-Identifier: MIT
 *
 * How cases are made: what the number of a case decides, and what is left to
 * random numbers.
 */
#include "cases.h"

#include <string.h>

#include "case_parts.h"

static const uint8_t without_shadow[TG_NUM_TARGETS] = {
   [TG_TARGET_BUFFER] = TG_TARGET_BUFFER,
   [TG_TARGET_1D] = TG_TARGET_1D,
   [TG_TARGET_2D] = TG_TARGET_2D,
   [TG_TARGET_3D] = TG_TARGET_3D,
   [TG_TARGET_CUBE] = TG_TARGET_CUBE,
   [TG_TARGET_RECT] = TG_TARGET_RECT,
   [TG_TARGET_SHADOW1D] = TG_TARGET_1D,
   [TG_TARGET_SHADOW2D] = TG_TARGET_2D,
   [TG_TARGET_SHADOWRECT] = TG_TARGET_RECT,
   [TG_TARGET_1D_ARRAY] = TG_TARGET_1D_ARRAY,
   [TG_TARGET_2D_ARRAY] = TG_TARGET_2D_ARRAY,
   [TG_TARGET_SHADOW1D_ARRAY] = TG_TARGET_1D_ARRAY,
   [TG_TARGET_SHADOW2D_ARRAY] = TG_TARGET_2D_ARRAY,
   [TG_TARGET_SHADOWCUBE] = TG_TARGET_CUBE,
   [TG_TARGET_2D_MSAA] = TG_TARGET_2D_MSAA,
   [TG_TARGET_2D_ARRAY_MSAA] = TG_TARGET_2D_ARRAY_MSAA,
   [TG_TARGET_CUBE_ARRAY] = TG_TARGET_CUBE_ARRAY,
   [TG_TARGET_SHADOWCUBE_ARRAY] = TG_TARGET_CUBE_ARRAY,
};

/* A handle is only as good as what can be done with it. */
static enum tg_opcode
pick_opcode(enum tg_opcode opcode, enum tg_target target)
{
   static const uint16_t users[] = {TG_OPCODE_TEX, TG_OPCODE_TEX2,
                                    TG_OPCODE_TXF};

   if (texture_opcodes[opcode].form != FORM_HANDLE)
      return opcode;
   for (int i = 0; i < COUNT(users); i++) {
      if (texture_is_legal(users[i], target))
         return users[i];
   }
   return TG_OPCODE_TXQ;
}

/* 2011 has no targets for multisampled views: where samples make sense 2D and
 * 2DArray are those too. */
static enum tg_target
pick_view_target(const struct texture_case *c)
{
   const enum tg_target plain = without_shadow[c->target];

   if (!get_opcode(c)->finds_samples ||
       (get_form(c) != FORM_FETCH && c->number % 2))
      return plain;
   return plain == TG_TARGET_2D         ? TG_TARGET_2D_MSAA
          : plain == TG_TARGET_2D_ARRAY ? TG_TARGET_2D_ARRAY_MSAA
                                        : plain;
}

/* Two opcodes have an operand that w of the first stands for, if it is left
 * out: the level in 2011, and the sample. Without one SAMPLE_POS is about the
 * first. */
static bool
pick_short(const struct texture_case *c)
{
   return (c->opcode == TG_OPCODE_SAMPLE_L && c->is_old) ||
          ((c->opcode == TG_OPCODE_LOAD_MS ||
            c->opcode == TG_OPCODE_SAMPLE_POS) &&
           c->number % 3 == 2);
}

static void
pick_operand_swizzle(struct texture_case *c, struct random_source *random)
{
   const bool has_swizzle =
      tg_opcodes[c->opcode].group == TG_GROUP_SAMPLE && c->number % 4 == 2;

   for (unsigned i = 0; i < 4; i++)
      c->swizzle[i] =
         (uint8_t)(has_swizzle ? (unsigned)random_below(random, 4) : i);
}

static void
pick_offsets(struct texture_case *c)
{
   const unsigned most = texture_max_offsets(c->opcode);

   /* An offset would be read as the operand that was left out. */
   if (get_target(c)->num_offsets == 0 || c->uses_handle || c->is_short)
      return;
   if (c->number % 3 == 1)
      c->num_offsets = most > 1 && c->number % 2 == 0 ? most : most > 0;
   c->varies_offset = c->num_offsets == 1 && c->number % 2;
}

/* Has 2011 the opcode, and for this target? SAMPLE_L had its level where a cube
 * array has its layer. */
static bool
was_there(const struct texture_case *c)
{
   const struct tg_opcode_info *info = &tg_opcodes[c->opcode];

   return info->group == TG_GROUP_SAMPLE && (info->specs & TG_SPEC_2011) &&
          !(c->opcode == TG_OPCODE_SAMPLE_L &&
            c->view_target == TG_TARGET_CUBE_ARRAY);
}

bool
case_init(struct texture_case *c, enum tg_opcode opcode, enum tg_target target,
          unsigned number, unsigned attempt, struct tg_diagnostics *diagnostics)
{
   struct random_source random = {((uint64_t)opcode * 64 + target) * 4096 +
                                  number * 64 + attempt};

   memset(c, 0, sizeof(*c));
   c->subject_opcode = opcode;
   c->opcode = pick_opcode(opcode, target);
   c->uses_handle = c->opcode != opcode;
   c->target = target;
   c->number = number;
   c->view_target = pick_view_target(c);
   c->attempt = attempt;
   c->stage = get_form(c) != FORM_LOD && number % 8 == 5 ? TG_PROCESSOR_VERT
                                                         : TG_PROCESSOR_FRAG;
   c->is_old = get_opcode(c)->is_old || (number % 8 == 3 && was_there(c));
   c->is_short = pick_short(c);
   c->view_place = (unsigned)random_below(&random, 16);
   c->sampler_place = tg_opcodes[c->opcode].group == TG_GROUP_SAMPLE
                         ? (unsigned)random_below(&random, 16)
                         : c->view_place;
   c->component = random_below(&random, 4);
   pick_operand_swizzle(c, &random);

   case_pick_sampler(c, &random);
   const struct subject_recipe recipe = case_pick_texture(c, &random);
   if (!subject_init(&c->subject, &recipe, &random, diagnostics))
      return false;
   case_pick_border(c, &random);
   subject_set_border(&c->subject, &c->sampler);
   pick_offsets(c);
   case_pick_operands(c, &random);
   case_write_text(c);
   return true;
}

void
case_finish(struct texture_case *c)
{
   subject_finish(&c->subject);
}
