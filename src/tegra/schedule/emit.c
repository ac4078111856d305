/* SPDX-License-Identifier: MIT
 *
 * Code emission: operations are paired, get their registers, and become words
 * of a program.
 */
#include <string.h>

#include "tegra/mir/compile.h"
#include "tegra/mir/word.h"
#include "tegra/schedule/registers.h"
#include "tegra/schedule/schedule.h"

/* ---- the program --------------------------------------------------------- */

struct emit {
   const struct mir *mir;
   struct tg_tegra_program *program;
   uint32_t *starts; /* [block]: number of its first word */
};

static uint32_t
word_size(const struct mir_block *block, uint32_t index)
{
   return index + 1 < block->num_ops && block->ops[index + 1].paired ? 2 : 1;
}

/* Does something go to the beginning of a block by another way than from the
 * block before it? */
static bool
is_target(const struct mir *mir, uint32_t target)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];
      const struct mir_op *last =
         block->num_ops ? &block->ops[block->num_ops - 1] : NULL;

      if (last && mir_is_jump(last) &&
          (last->target == target || i + 1 == target))
         return true;
   }
   return false;
}

/* The program ends with the last word of the block `end`. One that does nothing
 * is needed when that word is a jump, or there is none and the end is reached
 * from elsewhere than the word above. */
static bool
needs_word_to_end(const struct mir *mir)
{
   const struct mir_block *end = &mir->blocks[mir->end];

   if (end->num_ops)
      return mir_is_jump(&end->ops[end->num_ops - 1]);
   for (uint32_t i = mir->end; i-- > 0;) {
      if (is_target(mir, i + 1))
         return true;
      if (mir->blocks[i].num_ops)
         return false;
   }
   return true;
}

/* Numbers the words; returns how many there are. */
static uint32_t
count_words(const struct mir *mir, uint32_t *starts)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      starts[i] = count;
      for (uint32_t j = 0; j < block->num_ops; j += word_size(block, j))
         count++;
      count += i == mir->end && needs_word_to_end(mir);
   }
   return count;
}

static struct tg_position
position_of(const struct emit *emit, const struct mir_op *op)
{
   const struct tg_shader *shader = emit->mir->shader;
   struct tg_position nowhere = {.column = emit->program->num_instructions};

   return op->origin < shader->num_instructions && shader->source.text
             ? shader->instructions[op->origin].position
             : nowhere;
}

static void
emit_block(struct emit *emit, const struct mir_block *block)
{
   for (uint32_t i = 0; i < block->num_ops;) {
      uint32_t size = word_size(block, i);
      struct mir_op ops[2];

      memcpy(ops, &block->ops[i], size * sizeof(*ops));
      if (ops[size - 1].target != MIR_NONE)
         ops[size - 1].target = emit->starts[ops[size - 1].target];

      union tegra_instruction instruction = word_pack(ops, size);
      tegra_program_add(emit->program, &instruction, position_of(emit, ops));
      i += size;
   }
}

static void
emit_end(struct emit *emit)
{
   struct tg_tegra_program *program = emit->program;
   union tegra_instruction instruction = word_pack(NULL, 0);

   if (needs_word_to_end(emit->mir))
      tegra_program_add(
         program, &instruction,
         (struct tg_position){.column = program->num_instructions});

   uint32_t *words = program->words[program->num_instructions - 1];
   instruction = tegra_isa_decode(words);
   instruction.end = 1;
   tegra_isa_encode(&instruction, words);
}

static enum tg_result
add_names(const struct mir *mir, struct tg_tegra_program *program)
{
   for (unsigned kind = 0; kind < TEGRA_NUM_NAMES; kind++) {
      for (uint32_t i = 0;
           i < tegra_program_num_names((enum tg_tegra_name)kind); i++) {
         const char *name = mir->names[kind][i];

         if (!name)
            continue;
         program->names[kind][i] =
            tg_arena_strndup(&program->arena, name, strlen(name));
         if (!program->names[kind][i])
            return TG_ERROR_MEMORY;
      }
   }
   return TG_OK;
}

static enum tg_result
emit_program(const struct mir *mir, uint32_t *starts,
             struct tg_tegra_program *program)
{
   struct emit emit = {mir, program, starts};

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      emit_block(&emit, &mir->blocks[i]);
      if (i == mir->end)
         emit_end(&emit);
   }
   memcpy(program->constants, mir->constants, sizeof(program->constants));
   memcpy(program->constant_masks, mir->constant_masks,
          sizeof(program->constant_masks));
   return add_names(mir, program);
}

/* ---- limits -------------------------------------------------------------- */

/* Operations in the words from `first` on, counted from the program's start:
 * the TGSI instruction that does not fit. */
static uint32_t
origin_of_word(const struct mir *mir, uint32_t word)
{
   uint32_t count = 0, origin = 0;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      for (uint32_t j = 0; j < block->num_ops; j += word_size(block, j)) {
         origin = block->ops[j].origin;
         if (count++ == word)
            return origin;
      }
   }
   return origin;
}

static enum tg_result
complain_of_words(const struct compile *compile, const struct mir *mir,
                  uint32_t num_words)
{
   return mir_limit(
      compile, mir, origin_of_word(mir, TG_TEGRA_MAX_INSTRUCTIONS),
      "a program has 256 instructions",
      "%u instructions are needed, and this does not fit", num_words);
}

static uint32_t
count_ops(const struct mir *mir)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < mir->num_blocks; i++)
      count += mir->blocks[i].num_ops;
   return count;
}

/* ---- registers and pairs ------------------------------------------------- */

/* Copies of all blocks, in the arena; NULL when out of memory. */
static struct mir_block *
save_blocks(struct mir *mir)
{
   struct mir_block *saved =
      tg_arena_array(&mir->arena, mir->num_blocks, sizeof(*saved));

   for (uint32_t i = 0; i < mir->num_blocks && saved; i++) {
      const struct mir_block *block = &mir->blocks[i];
      size_t size = block->num_ops * sizeof(*block->ops);

      saved[i].ops = tg_arena_alloc(&mir->arena, size);
      if (!saved[i].ops)
         return NULL;
      saved[i].num_ops = saved[i].capacity = block->num_ops;
      if (size)
         memcpy(saved[i].ops, block->ops, size);
   }
   return saved;
}

static enum tg_result
assign_registers(const struct compile *compile, struct mir *mir,
                 enum registers_how how, bool *fits_out)
{
   enum tg_result result = registers_assign(mir, how, fits_out);

   return result == TG_OK && *fits_out ? mir_trace(compile, mir, "registers", 0)
                                       : result;
}

/* Pairs operations and gives them registers; when there are not enough, the
 * other way around: registers sparingly, then what pairs are still possible. */
static enum tg_result
finish_ops(const struct compile *compile, struct mir *mir)
{
   bool schedules = compile->options->optimize > 0;
   struct mir_block *saved = save_blocks(mir);
   uint32_t num_temporaries = mir->num_temporaries;
   bool fits = false;
   enum tg_result result = saved ? TG_OK : TG_ERROR_MEMORY;

   if (result == TG_OK && schedules)
      result = schedule_mir(compile, mir, true);
   if (result == TG_OK)
      result = assign_registers(compile, mir, REGISTERS_PLAIN, &fits);
   if (result != TG_OK || fits)
      return result;

   memcpy(mir->blocks, saved, mir->num_blocks * sizeof(*saved));
   mir->num_temporaries = num_temporaries;
   result = assign_registers(compile, mir, REGISTERS_PACKED, &fits);
   if (result == TG_OK && !fits)
      return registers_complain(compile, mir);
   return result == TG_OK && schedules ? schedule_mir(compile, mir, false)
                                       : result;
}

enum tg_result
schedule_emit(const struct compile *compile, struct mir *mir,
              struct tg_tegra_program *program)
{
   uint32_t num_ops = count_ops(mir);

   /* Not even in pairs. */
   if (num_ops > 2 * TG_TEGRA_MAX_INSTRUCTIONS)
      return complain_of_words(compile, mir, (num_ops + 1) / 2);
   if (!mir_renumber(mir))
      return TG_ERROR_MEMORY;

   enum tg_result result = finish_ops(compile, mir);
   uint32_t *starts =
      tg_arena_array(&mir->arena, mir->num_blocks, sizeof(*starts));
   if (result != TG_OK || !starts)
      return result != TG_OK ? result : TG_ERROR_MEMORY;

   uint32_t num_words = count_words(mir, starts);
   if (num_words > TG_TEGRA_MAX_INSTRUCTIONS)
      return complain_of_words(compile, mir, num_words);
   return emit_program(mir, starts, program);
}
