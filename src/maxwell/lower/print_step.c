/* SPDX-License-Identifier: MIT
 *
 * Steps as text. Those that are no texture instructions are written as
 * steps.def has them; they have no words here.
 */
#include "maxwell/lower/print.h"

const struct maxwell_lower_step_info
   maxwell_lower_steps[MAXWELL_LOWER_NUM_STEPS] = {
#define MAXWELL_LOWER_STEP(id, class, plural, text)                            \
   {MAXWELL_LOWER_CLASS_##class, plural, text},
#include "maxwell/lower/steps.def"
};

static void
print_register(struct tg_strbuf *out,
               const struct tg_maxwell_lowering *lowering, uint32_t value)
{
   if (value == MAXWELL_LOWER_NONE)
      tg_strbuf_add(out, "RZ");
   else
      tg_strbuf_printf(out, "R%u", lowering->values[value].reg);
}

static void
print_modified(struct tg_strbuf *out,
               const struct tg_maxwell_lowering *lowering,
               const struct maxwell_lower_step *step)
{
   const char *bar = step->absolute ? "|" : "";

   tg_strbuf_printf(out, "%s%s", step->negate ? "-" : "", bar);
   print_register(out, lowering, step->src);
   tg_strbuf_add(out, bar);
}

/* Two letters for each thread of the quad. */
static void
print_signs(struct tg_strbuf *out, unsigned signs)
{
   static const char *const names[] = {
      [MAXWELL_LOWER_SIGNS_PP] = "PP",
      [MAXWELL_LOWER_SIGNS_NP] = "NP",
      [MAXWELL_LOWER_SIGNS_ZP] = "ZP",
   };

   for (unsigned lane = 0; lane < MAXWELL_LOWER_QUAD; lane++)
      tg_strbuf_add(out, names[signs >> 2 * lane & 3]);
}

/* What stands for a letter after % in the text of a row. */
static void
print_part(struct tg_strbuf *out, const struct tg_maxwell_lowering *lowering,
           const struct maxwell_lower_step *step, char part)
{
   switch (part) {
   case 'd': print_register(out, lowering, step->dst); return;
   case 'a': print_register(out, lowering, step->src); return;
   case 'b': print_register(out, lowering, step->src2); return;
   case 'm': print_modified(out, lowering, step); return;
   case 'h': tg_strbuf_printf(out, "H%u", step->shift / 16u); return;
   case 'f':
      tg_strbuf_printf(out, "0x%x", (unsigned)step->width << 8 | step->shift);
      return;
   case 'l': tg_strbuf_printf(out, "0x%x", step->lane); return;
   case 'k': tg_strbuf_printf(out, "0x%x", step->lanes); return;
   case 's': print_signs(out, step->signs); return;
   default: tg_strbuf_add(out, step->text);
   }
}

void
maxwell_lower_print_boards(struct tg_strbuf *out, unsigned boards)
{
   const char *before = " &req=";

   for (unsigned i = 0; i < 6; i++) {
      if (boards >> i & 1) {
         tg_strbuf_printf(out, "%s%u", before, i);
         before = ",";
      }
   }
}

/* TGSI's predicates have no registers here. */
static void
print_guard(struct tg_strbuf *out, const struct tg_instruction *instruction,
            unsigned channel)
{
   tg_strbuf_printf(out, "@%sPRED[%d].%c ",
                    instruction->predicate_negate ? "!" : "",
                    instruction->predicate_index,
                    "xyzw"[instruction->predicate_swizzle[channel]]);
}

void
maxwell_lower_print_step(struct tg_strbuf *out,
                         const struct tg_maxwell_lowering *lowering,
                         const struct maxwell_lower_fetch *fetch,
                         const struct maxwell_lower_step *step)
{
   if (step->guard)
      print_guard(out, &lowering->shader->instructions[fetch->at],
                  step->guard - 1u);
   for (const char *at = maxwell_lower_steps[step->kind].text; *at; at++) {
      if (*at == '%')
         print_part(out, lowering, step, *++at);
      else
         tg_strbuf_add_char(out, *at);
   }
   maxwell_lower_print_boards(out, step->wait);
   tg_strbuf_add_char(out, ';');
}
