/* SPDX-License-Identifier: MIT
 *
 * Values of a texture instruction's results, with the steps behind it that
 * bring them to where the shader wants them.
 */
#include "maxwell/lower_plan.h"

/* The component of the texel that a channel of the destination gets: views
 * permute what comes out, TMML has its two levels the other way round, and the
 * number of samples is in A. */
static unsigned
component_for(const struct lower_plan *plan, unsigned channel)
{
   const struct tg_src *object = &plan->instruction->src[plan->row->object];
   enum { ALPHA = 3 };

   if (object->reg.file != TG_FILE_SAMP)
      channel = object->swizzle[channel];
   if (plan->row->work == LOWER_WORK_SAMPLES)
      return ALPHA;
   return plan->row->work == LOWER_WORK_LEVEL && channel < 2 ? 1 - channel
                                                             : channel;
}

/* Is the channel written, and read later? */
static bool
is_used(const struct lower_plan *plan, unsigned channel)
{
   const struct tg_dst *dst = &plan->instruction->dst[0];

   if (plan->instruction->num_dst == 0 || !(dst->writemask >> channel & 1))
      return false;
   return lower_is_live_behind(plan->lowering, plan->fetch->at, &dst->reg,
                               channel);
}

/* The value that a channel of the destination gets, or LOWER_NONE if it is in
 * memory. */
static uint32_t
value_written(const struct lower_plan *plan, unsigned channel)
{
   return lower_value_behind(plan->lowering, plan->fetch->at,
                             &plan->instruction->dst[0].reg, channel);
}

unsigned
lower_used_components(const struct lower_plan *plan)
{
   unsigned components = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (is_used(plan, c))
         components |= 1u << component_for(plan, c);
   }
   return components;
}

/* Appends the step that brings a value to a channel of the destination. False
 * when out of memory. */
static bool
bring(struct lower_plan *plan, struct lower_step step, unsigned channel)
{
   const struct tg_register *reg = &plan->instruction->dst[0].reg;

   step.dst = value_written(plan, channel);
   if (step.dst == LOWER_NONE) {
      step.kind = LOWER_STEP_STORE;
      step.text = lower_operand_text(plan, reg, channel);
      if (!step.text)
         return false;
   }
   return lower_add_step(plan->lowering, plan->fetch, step);
}

/* Can the fetch write the channel's own register? Not if that would be so in
 * threads that are elsewhere. Where there are none a value that is written is
 * none that is read, which others of a quad's fetches would still do. */
static bool
is_direct(const struct lower_plan *plan, unsigned channel)
{
   return plan->row->work != LOWER_WORK_LEVEL &&
          plan->instruction->saturate == TG_SATURATE_NONE &&
          !plan->instruction->has_predicate && !plan->fetch->reaches_others &&
          value_written(plan, channel) != LOWER_NONE;
}

static bool
is_half(const struct lower_plan *plan)
{
   return maxwell_is_half(&plan->fetch->words[0].instruction);
}

/* What a result's register holds: one component, or two as halves, plus one. */
static unsigned
low_component(unsigned content)
{
   return content & 7;
}

static unsigned
high_component(unsigned content)
{
   return content >> 4;
}

/* Is one of them what a channel of the destination is to have? */
static bool
is_wanted(const struct lower_plan *plan, unsigned content, unsigned channel)
{
   unsigned component = component_for(plan, channel) + 1;

   return is_used(plan, channel) && (component == low_component(content) ||
                                     component == high_component(content));
}

uint32_t
lower_result(struct lower_plan *plan, unsigned content)
{
   for (unsigned c = 0; c < 4 && !is_half(plan); c++) {
      if (is_wanted(plan, content, c) && is_direct(plan, c))
         return value_written(plan, c);
   }
   return lower_fresh(plan);
}

static struct lower_step
step_from(const struct lower_plan *plan, unsigned content, uint32_t value,
          unsigned channel)
{
   struct lower_step step = {
      .kind = LOWER_STEP_MOVE, .src = value, .src2 = LOWER_NONE};

   if (is_half(plan)) {
      step.kind = LOWER_STEP_UNHALF;
      step.shift =
         component_for(plan, channel) + 1 == low_component(content) ? 0 : 16;
   } else if (plan->row->work == LOWER_WORK_LEVEL) {
      step.kind = LOWER_STEP_LEVEL;
   } else if (plan->instruction->saturate != TG_SATURATE_NONE) {
      step.kind = LOWER_STEP_SATURATE;
   }
   return step;
}

bool
lower_bring_result(struct lower_plan *plan, unsigned content, uint32_t value)
{
   for (unsigned c = 0; c < 4; c++) {
      if (is_wanted(plan, content, c) && value_written(plan, c) != value &&
          !bring(plan, step_from(plan, content, value, c), c))
         return false;
   }
   return true;
}
