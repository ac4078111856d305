/* SPDX-License-Identifier: MIT
 *
 * Results of a texture instruction: their values, with the steps after it that
 * bring them to where the shader wants them.
 */
#include "maxwell/lower/plan.h"

/* What a channel of the destination gets: a component of the texel, or bits
 * that are known. */
struct content {
   uint8_t component;
   bool is_known;
   uint32_t bits;
};

static struct content
known(uint32_t bits)
{
   return (struct content){.is_known = true, .bits = bits};
}

static struct content
component(unsigned number)
{
   return (struct content){.component = (uint8_t)number};
}

/* A surface of one sample reports 1 and the middle of the pixel, or zeros, as
 * the dialect has it. The number of samples is in A. */
static struct content
samples_in(const struct maxwell_lower_plan *plan, unsigned channel)
{
   enum { ALPHA = 3, HALF = 0x3f000000 };
   const struct tg_shader *shader = plan->lowering->shader;
   bool is_zero = tg_dialect_row(shader->dialect)->samples_zero;
   bool is_number = plan->row->work == MAXWELL_LOWER_WORK_SAMPLES;

   if (channel > !is_number)
      return known(0);
   if (!plan->is_multisampled && (is_zero || !is_number))
      return known(is_zero ? 0 : HALF);
   return component(is_number ? ALPHA : channel);
}

/* Views permute what comes out, but for sizes. RESINFO has no levels of a 1D
 * array. TMML has its two levels the other way round. */
static struct content
content_of(const struct maxwell_lower_plan *plan, unsigned channel)
{
   const struct tg_src *object = &plan->instruction->src[plan->row->object];
   unsigned from =
      object->reg.file == TG_FILE_SAMP ? channel : object->swizzle[channel];
   enum { LEVELS = 3 };

   switch (plan->row->work) {
   case MAXWELL_LOWER_WORK_SAMPLES:
   case MAXWELL_LOWER_WORK_POSITIONS: return samples_in(plan, from);
   case MAXWELL_LOWER_WORK_LEVEL:
      return from < 2 ? component(1 - from) : known(0);
   case MAXWELL_LOWER_WORK_SIZE:
      return plan->instruction->opcode == TG_OPCODE_RESINFO &&
                   plan->target == TG_TARGET_1D_ARRAY && channel == LEVELS
                ? known(0)
                : component(channel);
   default: return component(from);
   }
}

/* Is the channel written, and read later? */
static bool
is_used(const struct maxwell_lower_plan *plan, unsigned channel)
{
   const struct tg_dst *dst = &plan->instruction->dst[0];

   if (plan->instruction->num_dst == 0 || !(dst->writemask >> channel & 1))
      return false;
   return maxwell_lower_value_is_live_after(plan->lowering, plan->fetch->at,
                                            &dst->reg, channel);
}

/* The value that a channel of the destination gets, or MAXWELL_LOWER_NONE if it
 * is in memory. */
static uint32_t
value_written(const struct maxwell_lower_plan *plan, unsigned channel)
{
   return maxwell_lower_value_after(plan->lowering, plan->fetch->at,
                                    &plan->instruction->dst[0].reg, channel);
}

bool
maxwell_lower_used_results(const struct maxwell_lower_plan *plan,
                           unsigned *components_out)
{
   bool is_any = false;

   *components_out = 0;
   for (unsigned c = 0; c < 4; c++) {
      struct content content = content_of(plan, c);

      if (!is_used(plan, c))
         continue;
      is_any = true;
      if (!content.is_known)
         *components_out |= 1u << content.component;
   }
   return is_any;
}

/* Appends the step that stores what another one, if it is no move, makes. */
static bool
store(struct maxwell_lower_plan *plan, struct maxwell_lower_step step,
      unsigned channel)
{
   const struct tg_register *reg = &plan->instruction->dst[0].reg;
   struct maxwell_lower_step last = {
      .kind = MAXWELL_LOWER_STEP_STORE,
      .guard = step.guard,
      .dst = MAXWELL_LOWER_NONE,
      .src = step.src,
      .src2 = MAXWELL_LOWER_NONE,
      .text = maxwell_lower_operand_text(plan, reg, channel)};

   if (step.kind != MAXWELL_LOWER_STEP_MOVE &&
       step.kind != MAXWELL_LOWER_STEP_KNOWN) {
      last.src = maxwell_lower_make_operand(plan, step);
      if (last.src == MAXWELL_LOWER_NONE)
         return false;
   }
   return last.text && maxwell_lower_plan_step(plan, last);
}

/* Appends the step that brings a value to a channel of the destination. False
 * when out of memory. */
static bool
bring(struct maxwell_lower_plan *plan, struct maxwell_lower_step step,
      unsigned channel)
{
   step.guard = plan->instruction->has_predicate ? (uint8_t)(channel + 1) : 0;
   step.dst = value_written(plan, channel);
   return step.dst == MAXWELL_LOWER_NONE ? store(plan, step, channel)
                                         : maxwell_lower_plan_step(plan, step);
}

/* Can the fetch write the channel's own register? Not if that would be so in
 * threads that are elsewhere. Where there are none a value that is written is
 * none that is read, which others of a quad's fetches would still do. */
static bool
is_direct(const struct maxwell_lower_plan *plan, unsigned channel)
{
   return plan->row->work != MAXWELL_LOWER_WORK_LEVEL &&
          plan->instruction->saturate == TG_SATURATE_NONE &&
          !plan->instruction->has_predicate && !plan->fetch->reaches_others &&
          value_written(plan, channel) != MAXWELL_LOWER_NONE;
}

static bool
is_half(const struct maxwell_lower_plan *plan)
{
   return maxwell_isa_is_half(&plan->fetch->words[0].instruction);
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
is_wanted(const struct maxwell_lower_plan *plan, unsigned content,
          unsigned channel)
{
   struct content wanted = content_of(plan, channel);
   unsigned number = wanted.component + 1u;

   return is_used(plan, channel) && !wanted.is_known &&
          (number == low_component(content) ||
           number == high_component(content));
}

uint32_t
maxwell_lower_result(struct maxwell_lower_plan *plan, unsigned content)
{
   for (unsigned c = 0; c < 4 && !is_half(plan); c++) {
      if (is_wanted(plan, content, c) && is_direct(plan, c))
         return value_written(plan, c);
   }
   return maxwell_lower_fresh_operand(plan);
}

static struct maxwell_lower_step
step_from(const struct maxwell_lower_plan *plan, unsigned content,
          uint32_t value, unsigned channel)
{
   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_MOVE,
                                     .src = value,
                                     .src2 = MAXWELL_LOWER_NONE};

   if (is_half(plan)) {
      unsigned number = content_of(plan, channel).component + 1u;

      step.kind = MAXWELL_LOWER_STEP_UNHALF;
      step.shift = number == low_component(content) ? 0 : 16;
   } else if (plan->row->work == MAXWELL_LOWER_WORK_LEVEL) {
      step.kind = MAXWELL_LOWER_STEP_LEVEL;
   } else if (plan->instruction->saturate != TG_SATURATE_NONE) {
      step.kind = MAXWELL_LOWER_STEP_SATURATE;
   }
   return step;
}

bool
maxwell_lower_bring_result(struct maxwell_lower_plan *plan, unsigned content,
                           uint32_t value)
{
   for (unsigned c = 0; c < 4; c++) {
      if (is_wanted(plan, content, c) && value_written(plan, c) != value &&
          !bring(plan, step_from(plan, content, value, c), c))
         return false;
   }
   return true;
}

bool
maxwell_lower_known_results(struct maxwell_lower_plan *plan)
{
   for (unsigned c = 0; c < 4; c++) {
      struct content content = content_of(plan, c);
      struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_KNOWN,
                                        .src = MAXWELL_LOWER_NONE,
                                        .src2 = MAXWELL_LOWER_NONE};

      if (!is_used(plan, c) || !content.is_known)
         continue;
      if (content.bits) {
         step.src = maxwell_lower_word_operand(plan, content.bits);
         if (step.src == MAXWELL_LOWER_NONE)
            return false;
      }
      if (!bring(plan, step, c))
         return false;
   }
   return true;
}
