/* SPDX-License-Identifier: MIT */
#include "lower_table.h"

#include <math.h>
#include <stdio.h>

#include "maxwell/lower/plan.h"

/* ---- what is expressible ------------------------------------------------- */

/* Lookups that TEXS can do: with derivatives, at level 0, at a level. That of
 * SHADOW2D needs to know the sampler; it does not count. */
static const struct {
   bool derived, zero, level;
} lookups[TG_NUM_TARGETS] = {
   [TG_TARGET_1D] = {.zero = true},
   [TG_TARGET_2D] = {true, true, true},
   [TG_TARGET_RECT] = {true, true, true},
   [TG_TARGET_3D] = {true, true, false},
   [TG_TARGET_CUBE] = {true, true, true},
   [TG_TARGET_SHADOW2D] = {true, true, false},
   [TG_TARGET_SHADOWRECT] = {true, true, false},
   [TG_TARGET_2D_ARRAY] = {true, true, false},
   [TG_TARGET_SHADOW2D_ARRAY] = {.zero = true},
};

/* Fetches that TLDS can do: at level 0, at a level, with an offset. */
static const struct {
   bool zero, level, offset;
} fetches[TG_NUM_TARGETS] = {
   [TG_TARGET_BUFFER] = {true, true, false},
   [TG_TARGET_1D] = {true, true, false},
   [TG_TARGET_2D] = {true, true, true},
   [TG_TARGET_RECT] = {true, true, true},
   [TG_TARGET_3D] = {.zero = true},
   [TG_TARGET_2D_ARRAY] = {.zero = true},
   [TG_TARGET_2D_MSAA] = {true, true, false},
};

/* Is a channel of a source an immediate 0? */
static bool
is_zero(const struct tg_shader *shader, const struct tg_src *src,
        unsigned channel)
{
   return src->reg.file == TG_FILE_IMM && !src->reg.index.indirect &&
          shader->immediates[src->reg.index.offset]
                .words[src->swizzle[channel]] == 0;
}

/* The target of an opcode that has none is that of the view's declaration. */
static enum tg_target
target_of(const struct tg_shader *shader,
          const struct tg_instruction *instruction, bool compares)
{
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file != TG_FILE_SVIEW ||
          declaration->first > instruction->src[1].reg.index.offset ||
          declaration->last < instruction->src[1].reg.index.offset)
         continue;
      switch (declaration->target) {
      case TG_TARGET_2D: return compares ? TG_TARGET_SHADOW2D : TG_TARGET_2D;
      case TG_TARGET_2D_ARRAY:
         return compares ? TG_TARGET_SHADOW2D_ARRAY : TG_TARGET_2D_ARRAY;
      default: return compares ? TG_TARGET_UNKNOWN : declaration->target;
      }
   }
   return TG_TARGET_UNKNOWN;
}

static bool
is_lookup(const struct tg_shader *shader, enum tg_target target, bool derives)
{
   bool is_fragment = shader->processor == TG_PROCESSOR_FRAG;

   return derives && is_fragment ? lookups[target].derived
                                 : lookups[target].zero;
}

static bool
is_level_lookup(enum tg_target target, bool level_is_zero)
{
   return level_is_zero ? lookups[target].zero : lookups[target].level;
}

static bool
is_fetch(enum tg_target target, bool level_is_zero, unsigned num_offsets)
{
   return (level_is_zero ? fetches[target].zero : fetches[target].level) &&
          (num_offsets == 0 || (num_offsets == 1 && fetches[target].offset));
}

/* A gather of four components of a 2D texture. */
static bool
is_gather(enum tg_target target, const struct tg_instruction *instruction)
{
   return (target == TG_TARGET_2D || target == TG_TARGET_RECT ||
           target == TG_TARGET_SHADOW2D || target == TG_TARGET_SHADOWRECT) &&
          instruction->num_tex_offsets <= 1 &&
          instruction->dst[0].writemask == 15;
}

/* Does the instruction name its texture by number? Others have a handle. */
static bool
names_texture(const struct tg_instruction *instruction)
{
   for (unsigned s = 1; s < instruction->num_src; s++) {
      const struct tg_register *reg = &instruction->src[s].reg;

      if (reg->file == TG_FILE_SAMP || reg->file == TG_FILE_SVIEW)
         return !reg->index.indirect;
   }
   return false;
}

/* Is there a scalar form for the instruction? */
static bool
is_expressible(const struct tg_shader *shader,
               const struct tg_instruction *instruction)
{
   const struct tg_src *src = instruction->src;
   unsigned opcode = instruction->opcode;
   unsigned num_offsets = instruction->num_tex_offsets;
   bool compares =
      opcode == TG_OPCODE_SAMPLE_C || opcode == TG_OPCODE_SAMPLE_C_LZ;
   enum tg_target target = instruction->target;

   if (!names_texture(instruction))
      return false;
   if (src[1].reg.file == TG_FILE_SVIEW)
      target = target_of(shader, instruction, compares);
   switch (opcode) {
   case TG_OPCODE_TXF:
   case TG_OPCODE_SAMPLE_I:
      return is_fetch(target, is_zero(shader, &src[0], 3), num_offsets);
   case TG_OPCODE_TXF_LZ: return is_fetch(target, true, num_offsets);
   case TG_OPCODE_TG4: return is_gather(target, instruction);
   default: break;
   }
   if (num_offsets)
      return false;
   switch (opcode) {
   case TG_OPCODE_TEX:
   case TG_OPCODE_TXP:
   case TG_OPCODE_SAMPLE:
   case TG_OPCODE_SAMPLE_C: return is_lookup(shader, target, true);
   case TG_OPCODE_TEX_LZ:
   case TG_OPCODE_SAMPLE_C_LZ: return is_lookup(shader, target, false);
   case TG_OPCODE_TXB:
      return is_zero(shader, &src[0], 3) && is_lookup(shader, target, true);
   case TG_OPCODE_SAMPLE_B:
      return is_zero(shader, &src[3], 0) && is_lookup(shader, target, true);
   case TG_OPCODE_TXL:
      return is_level_lookup(target, is_zero(shader, &src[0], 3));
   case TG_OPCODE_SAMPLE_L:
      return is_level_lookup(target, is_zero(shader, &src[3], 0));
   default: return false;
   }
}

/* ---- counting ------------------------------------------------------------ */

/* What a fetch in a quad costs beyond one instruction. */
static unsigned
cost_of_quad(const struct maxwell_lower_fetch *fetch)
{
   unsigned cost = fetch->is_dead ? 0 : fetch->num_words - 1;

   for (uint32_t s = 0; s < fetch->num_steps; s++)
      cost += maxwell_lower_steps[fetch->steps[s].kind].class ==
              MAXWELL_LOWER_CLASS_QUAD;
   return cost;
}

static void
add_fetch(struct lower_table *table, const struct tg_shader *shader,
          const struct maxwell_lower_fetch *fetch)
{
   unsigned form = fetch->words[0].instruction.form;
   bool is_scalar = maxwell_forms[form].kind == MAXWELL_KIND_SCALAR;

   if (fetch->is_dead) {
      table->dead++;
      return;
   }
   table->needed++;
   table->emulated += fetch->num_words > 1;
   table->forms[form] += fetch->num_words;
   *(is_scalar ? &table->scalar : &table->full) += fetch->num_words;
   if (is_expressible(shader, &shader->instructions[fetch->at])) {
      table->expressible++;
      table->expressible_scalar += is_scalar;
   }
   for (uint32_t s = 0; s < fetch->num_steps; s++)
      table->steps[fetch->steps[s].kind]++;
}

void
table_add(struct lower_table *table, const struct tg_maxwell_lowering *lowering)
{
   unsigned moves = maxwell_lower_num_placed_moves(lowering), in_quads = 0;
   unsigned needed_before = table->needed;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      add_fetch(table, lowering->shader, &lowering->fetches[i]);
      in_quads += cost_of_quad(&lowering->fetches[i]);
   }
   table->moves += moves;
   table->in_quads += in_quads;
   table->constants += lowering->num_preamble;

   unsigned needed = table->needed - needed_before;
   if (needed) {
      table->log_of_moves += log(1 + (double)moves / needed);
      table->log_of_added += log(1 + (double)(moves + in_quads) / needed);
      table->shaders++;
   }
}

double
table_share(const struct lower_table *table)
{
   return table->expressible
             ? (double)table->expressible_scalar / table->expressible
             : 1;
}

double
table_moves(const struct lower_table *table)
{
   return table->shaders ? exp(table->log_of_moves / table->shaders) - 1 : 0;
}

double
table_added(const struct lower_table *table)
{
   return table->shaders ? exp(table->log_of_added / table->shaders) - 1 : 0;
}

/* ---- printing ------------------------------------------------------------ */

static void
print_steps(const struct lower_table *table,
            enum maxwell_lower_step_class class)
{
   for (unsigned i = 0; i < MAXWELL_LOWER_NUM_STEPS; i++) {
      if (maxwell_lower_steps[i].class == class && table->steps[i])
         printf(" %u %s", table->steps[i], maxwell_lower_steps[i].plural);
   }
   printf("\n");
}

void
table_print(const struct lower_table *table)
{
   printf("forms:");
   for (unsigned i = 0; i < MAXWELL_NUM_FORMS; i++) {
      if (table->forms[i])
         printf(" %u %s%s", table->forms[i], maxwell_forms[i].name,
                maxwell_forms[i].is_bindless ? ".B" : "");
   }
   printf("; %u scalar, %u full, for %u instructions; %u not needed\n",
          table->scalar, table->full, table->needed, table->dead);
   printf("%u are expressible as scalar forms, %u of them are: %.1f %%\n",
          table->expressible, table->expressible_scalar,
          100 * table_share(table));
   printf("%u moves, %u of them constants at the start; %u in quads, of %u "
          "instructions\n",
          table->moves, table->constants, table->in_quads, table->emulated);
   printf("%.3f moves for each instruction, %.3f in the geometric mean over %u "
          "shaders; %.3f with what quads cost\n",
          table->needed ? (double)table->moves / table->needed : 0,
          table_moves(table), table->shaders, table_added(table));
   printf("conversions:");
   print_steps(table, MAXWELL_LOWER_CLASS_CONVERSION);
   printf("in quads:");
   print_steps(table, MAXWELL_LOWER_CLASS_QUAD);
}
