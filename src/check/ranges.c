/* SPDX-License-Identifier: MIT
 *
 * Bounds of indirect registers: indices that are computed, and lead past the
 * registers of their file, their array, their vertices or their constant
 * buffer.
 */
#include <stdio.h>

#include "check/state.h"

/* The numbers that a bracket chooses from, and what they are called. */
struct choice {
   uint32_t first, count;
   const bool *is_good; /* by number, or NULL: all of them are */
   const char *file;
   uint32_t array_id, buffer; /* or CHECK_NONE; an array of TEMPX */
};

static bool
is_good(const struct choice *choice, uint32_t index)
{
   return index - choice->first < choice->count &&
          (!choice->is_good || choice->is_good[index]);
}

/* The registers of a constant buffer that is bound. */
static uint32_t
num_constants(const struct check_wave *wave, uint32_t buffer)
{
   const struct exec_wave *state = wave->state;

   if (buffer >= ABI_MAX_CONST_BUFFERS ||
       buffer >= state->num_memories[LIR_SPACE_CONST])
      return 0;

   uint64_t count = state->memory[LIR_SPACE_CONST][buffer].num_bytes / 16;
   return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* What the last bracket of an operand chooses from. */
static struct choice
choose_register(const struct check *check, const struct check_wave *wave,
                const struct tg_register *reg, uint32_t buffer)
{
   const struct check_file *file = &check->files[reg->file];
   uint32_t id = reg->index.array_id;
   struct choice choice = {
      .file = tg_file_row(reg->file)->name,
      .array_id = CHECK_NONE,
      .buffer = CHECK_NONE,
   };

   if (id && id < file->num_arrays && file->arrays[id].count) {
      choice.first = file->arrays[id].first;
      choice.count = file->arrays[id].count;
      choice.array_id = id;
   } else if (reg->file == TG_FILE_CONST) {
      choice.count = num_constants(wave, buffer);
      choice.buffer = buffer;
   } else if (reg->file == TG_FILE_TEMPX) {
      const struct abi_numbers numbers =
         abi_layout_numbers_of(&check->layout, reg);

      choice.count = numbers.count;
      choice.is_good = file->is_declared + numbers.first;
      choice.buffer = buffer;
   } else {
      choice.count = file->num_registers;
      choice.is_good = file->is_declared;
   }
   return choice;
}

/* What the first bracket chooses from: vertices or constant buffers. Of other
 * files it is not computed. */
static struct choice
choose_dimension(const struct check *check, const struct tg_register *reg)
{
   const struct abi_layout *layout = &check->layout;
   struct choice choice = {
      .count = UINT32_MAX,
      .file = tg_file_row(reg->file)->name,
      .array_id = CHECK_NONE,
      .buffer = CHECK_NONE,
   };

   if (reg->file == TG_FILE_CONST)
      choice.count = layout->num_const_buffers;
   else if (reg->file == TG_FILE_IN)
      choice.count = layout->num_input_vertices;
   else if (reg->file == TG_FILE_OUT)
      choice.count = layout->num_output_vertices;
   return choice;
}

static void
describe(const struct choice *choice, char *text, size_t size)
{
   char array[32] = "", buffer[32] = "";

   if (choice->array_id != CHECK_NONE)
      snprintf(array, sizeof(array), "array %u, ", (unsigned)choice->array_id);
   if (choice->buffer != CHECK_NONE)
      snprintf(buffer, sizeof(buffer), "[%u]", (unsigned)choice->buffer);
   if (choice->count == 0)
      snprintf(text, size, "%s%s, which is empty", choice->file, buffer);
   else
      snprintf(text, size, "%s%s%s[%u..%u]", array, choice->file, buffer,
               (unsigned)choice->first,
               (unsigned)(choice->first + choice->count - 1));
}

static void
report(struct check *check, const struct check_wave *wave, unsigned lane,
       const struct tg_index *bracket, const struct choice *choice,
       uint32_t index)
{
   struct check_name name = check_lane_name(check, wave, lane);
   char note[80], range[96];

   if (!check_finding_is_new(check, wave->instruction, CHECK_REGISTER_RANGE))
      return;
   snprintf(note, sizeof(note), "the index is %s[%d].%c%+d",
            tg_file_row(bracket->file)->name, (int)bracket->index,
            "xyzw"[bracket->component & 3], (int)bracket -> offset);
   describe(choice, range, sizeof(range));
   check_report_finding(check, wave->instruction, CHECK_REGISTER_RANGE,
                        bracket->indirect ? note : NULL,
                        "index %d in %s leads out of %s", (int)index, name.text,
                        range);
}

/* The bracket's value in a lane. */
static uint32_t
value_of(const struct check_wave *wave, unsigned operand, unsigned dimension,
         const struct tg_index *bracket, unsigned lane)
{
   return bracket->indirect ? wave->index[operand][dimension][lane]
                            : (uint32_t)bracket->offset;
}

static void
check_lane(struct check *check, const struct check_wave *wave, unsigned operand,
           const struct tg_register *reg, unsigned lane)
{
   uint32_t dimension = 0;

   if (reg->has_dimension) {
      struct choice choice = choose_dimension(check, reg);

      dimension = value_of(wave, operand, 1, &reg->dimension, lane);
      if (!is_good(&choice, dimension)) {
         report(check, wave, lane, &reg->dimension, &choice, dimension);
         return;
      }
   }

   struct choice choice = choose_register(check, wave, reg, dimension);
   uint32_t index = value_of(wave, operand, 0, &reg->index, lane);
   if (!is_good(&choice, index))
      report(check, wave, lane, &reg->index, &choice, index);
}

/* What is not computed the validator has looked at, but for the size of the
 * constant buffer that is bound. */
static void
check_operand(struct check *check, const struct check_wave *wave,
              unsigned operand, const struct tg_register *reg)
{
   bool is_computed =
      reg->index.indirect || (reg->has_dimension && reg->dimension.indirect);
   uint32_t lanes = wave->live;

   if (!is_computed && reg->file != TG_FILE_CONST)
      return;
   if (!is_computed)
      lanes &= -lanes; /* one is as good as all */
   for (; lanes != 0; lanes &= lanes - 1)
      check_lane(check, wave, operand, reg, (unsigned)__builtin_ctz(lanes));
}

void
check_ranges(struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);

   for (unsigned s = 0; s < instruction->num_src; s++)
      check_operand(check, wave, s, &instruction->src[s].reg);
   for (unsigned d = 0; d < instruction->num_dst; d++)
      check_operand(check, wave, TG_MAX_SRC + d, &instruction->dst[d].reg);
}
