/* SPDX-License-Identifier: MIT
 *
 * Uninitialized registers, by shadow values, and what comes of reading them.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "check/state.h"
#include "util/length.h"

enum { ORIGIN_TABLE_SIZE = 1 << 14, MAX_ORIGINS = ORIGIN_TABLE_SIZE / 2 };

/* ---- origins ------------------------------------------------------------- */

bool
check_register_origins_create(struct check *check)
{
   struct tg_arena *arena = &check->arena;

   check->origins = tg_arena_array(arena, MAX_ORIGINS, sizeof(*check->origins));
   check->origin_table =
      tg_arena_array(arena, ORIGIN_TABLE_SIZE, sizeof(*check->origin_table));
   if (!check->origins || !check->origin_table)
      return false;
   memset(check->origin_table, 0xff,
          ORIGIN_TABLE_SIZE * sizeof(*check->origin_table));
   return true;
}

static struct check_origin
get_origin(const struct check *check, uint32_t number)
{
   if (number < check->num_channels)
      return (struct check_origin){number, CHECK_NONE};
   return check->origins[number - check->num_channels];
}

/* The origin of what an instruction computes from a value of this origin. When
 * there are too many the reader is forgotten. */
static uint32_t
computed_origin(struct check *check, uint32_t number, uint32_t reader)
{
   if (number >= check->num_channels)
      return number;

   uint32_t hash = (number * 0x9e3779b1u ^ reader) * 0x85ebca6bu >> 18;
   for (;; hash = (hash + 1) % ORIGIN_TABLE_SIZE) {
      uint32_t *entry = &check->origin_table[hash % ORIGIN_TABLE_SIZE];

      if (*entry == CHECK_NONE) {
         if (check->num_origins == MAX_ORIGINS)
            return number;
         *entry = check->num_origins++;
         check->origins[*entry] = (struct check_origin){number, reader};
      }
      if (check->origins[*entry].channel == number &&
          check->origins[*entry].reader == reader)
         return *entry + check->num_channels;
   }
}

/* ---- values -------------------------------------------------------------- */

/* The lanes of `b` that are defined in `a` become undefined there. */
static void
merge(struct check_value *a, const struct check_value *b)
{
   uint32_t lanes = b->undefined & ~a->undefined;

   a->undefined |= b->undefined;
   for (; lanes != 0; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);

      a->origin[lane] = b->origin[lane];
   }
}

/* Adds a channel to what a value is computed from. What comes first is the
 * origin. */
static void
read_lanes(const struct check_wave *wave, uint32_t channel, uint16_t lanes,
           struct check_value *value)
{
   const struct check_shadow *shadow = &wave->shadows[channel];
   uint32_t found = lanes & (shadow->unwritten | shadow->undefined) &
                    ~(uint32_t)value->undefined;

   value->undefined |= (uint16_t)found;
   for (; found != 0; found &= found - 1) {
      unsigned lane = (unsigned)__builtin_ctz(found);

      value->origin[lane] =
         shadow->unwritten >> lane & 1 ? channel : shadow->origin[lane];
   }
}

/* The shadow of a channel, or CHECK_NONE. */
static uint32_t
find_channel(const struct check *check, unsigned file_number, uint32_t index,
             unsigned channel)
{
   assert(file_number < TG_LENGTH(check->files));
   const struct check_file *file = &check->files[file_number];

   if (!file->has_shadow || index >= file->num_registers)
      return CHECK_NONE;
   return file->first_channel + index * 4 + channel;
}

/* That of a register of the operand's file and first bracket. */
static uint32_t
find_operand_channel(const struct check *check, const struct tg_register *reg,
                     uint32_t index, unsigned channel)
{
   const struct abi_numbers numbers =
      abi_layout_numbers_of(&check->layout, reg);

   if (index >= numbers.count)
      return CHECK_NONE;
   return find_channel(check, reg->file, numbers.first + index, channel);
}

/* Calls for each channel of the shadows that the register is, in some lanes. */
static void
read_register(const struct check *check, const struct check_wave *wave,
              unsigned operand, const struct tg_register *reg, unsigned channel,
              struct check_value *value)
{
   uint32_t number =
      find_operand_channel(check, reg, (uint32_t)reg->index.offset, channel);

   if (!reg->index.indirect) {
      if (number != CHECK_NONE)
         read_lanes(wave, number, wave->lanes, value);
      return;
   }
   for (uint32_t lanes = wave->lanes; lanes != 0; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);

      assert(operand < TG_LENGTH(wave->index));
      number = find_operand_channel(check, reg, wave->index[operand][0][lane],
                                    channel);
      if (number != CHECK_NONE)
         read_lanes(wave, number, (uint16_t)(1u << lane), value);
   }
}

static void
read_source(const struct check *check, const struct check_wave *wave,
            unsigned s, unsigned mask, struct check_value *value)
{
   const struct tg_src *src = &check_instruction(check, wave)->src[s];

   for (unsigned c = 0; c < 4; c++) {
      if (mask & 1u << c)
         read_register(check, wave, s, &src->reg, src->swizzle[c], value);
   }
}

/* ---- complaints ---------------------------------------------------------- */

/* "TEMP[3].y", and in which line that was declared. */
struct channel_name {
   struct abi_channel_name name;
   uint32_t line;
};

static struct channel_name
name_channel(const struct check *check, uint32_t number)
{
   const struct tg_shader *shader = check->shader;
   struct channel_name name = {.line = 0};
   unsigned f = 0;

   while (f + 1 < TG_NUM_FILES && (!check->files[f].has_shadow ||
                                   number - check->files[f].first_channel >=
                                      check->files[f].num_registers * 4))
      f++;

   uint32_t channel = number - check->files[f].first_channel;
   uint32_t reg = channel / 4;
   name.name = abi_layout_name_channel(&check->layout, f, reg, channel % 4);
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      uint32_t first =
         abi_layout_numbers_in(&check->layout, f, declaration->dimension).first;

      if (declaration->file == f && first + declaration->first <= reg &&
          reg <= first + declaration->last)
         name.line = declaration->position.line;
   }
   return name;
}

/* Complains that `what` depends on a value, when lanes of it that count are
 * undefined. */
static void
complain(struct check *check, const struct check_wave *wave,
         uint32_t instruction, const struct check_value *value, uint16_t lanes,
         const char *what)
{
   unsigned found = value->undefined & lanes;

   if (!found ||
       !check_finding_is_new(check, instruction, CHECK_UNDEFINED_VALUE))
      return;

   unsigned lane = (unsigned)__builtin_ctz(found);
   struct check_origin origin = get_origin(check, value->origin[lane]);
   struct channel_name name = name_channel(check, origin.channel);
   struct check_name who = check_lane_name(check, wave, lane);
   char note[128];
   int length = snprintf(note, sizeof(note), "%s is declared in line %u",
                         name.name.text, (unsigned)name.line);
   if (origin.reader != CHECK_NONE && origin.reader != instruction)
      snprintf(
         note + length, sizeof(note) - (size_t)length,
         " and first used in line %u",
         (unsigned)check->shader->instructions[origin.reader].position.line);
   check_report_finding(check, instruction, CHECK_UNDEFINED_VALUE, note,
                        "%s depends on %s, which %s has not written", what,
                        name.name.text, who.text);
}

/* ---- what an instruction uses -------------------------------------------- */

static void
use_bracket(struct check *check, const struct check_wave *wave,
            const struct tg_index *bracket)
{
   struct check_value value = {.undefined = 0};
   uint32_t number;

   if (!bracket->indirect)
      return;
   number = find_channel(check, bracket->file, (uint32_t)bracket->index,
                         bracket->component);
   if (number == CHECK_NONE)
      return;
   read_lanes(wave, number, wave->lanes, &value);
   complain(check, wave, wave->instruction, &value, wave->live,
            "which register is used");
}

static void
use_brackets(struct check *check, const struct check_wave *wave,
             const struct tg_register *reg)
{
   use_bracket(check, wave, &reg->index);
   if (reg->has_dimension)
      use_bracket(check, wave, &reg->dimension);
}

static void
use_predicate(struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   unsigned written = instruction->num_dst ? instruction->dst[0].writemask : 1;
   struct check_value value = {.undefined = 0};

   for (unsigned c = 0; c < 4; c++) {
      uint32_t number = find_channel(check, TG_FILE_PRED,
                                     (uint32_t)instruction->predicate_index,
                                     instruction->predicate_swizzle[c]);

      if (written & 1u << c && number != CHECK_NONE)
         read_lanes(wave, number, wave->lanes, &value);
   }
   complain(check, wave, wave->instruction, &value, wave->lanes,
            "what the predicate allows");
}

static void
use_sources(struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   const struct check_row *row = &check->rows[wave->instruction];

   for (unsigned s = 0; s < instruction->num_src && row->use; s++) {
      struct check_value value = {.undefined = 0};

      read_source(check, wave, s, row->used[s], &value);
      complain(check, wave, wave->instruction, &value, wave->live, row->use);
   }
}

/* A register of values in the place of what is stored to holds a handle. */
static void
use_handle(struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   const struct check_row *row = &check->rows[wave->instruction];
   struct check_value value = {.undefined = 0};

   if (tg_opcode_row(instruction->opcode)->dst_type != TG_TYPE_MEM)
      return;
   for (unsigned c = 0; c < 2; c++)
      read_register(check, wave, TG_MAX_SRC, &instruction->dst[0].reg, c,
                    &value);
   complain(check, wave, wave->instruction, &value, wave->live, row->use);
}

static void
use_texture_offsets(struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   const struct check_row *row = &check->rows[wave->instruction];

   for (unsigned i = 0; i < instruction->num_tex_offsets; i++) {
      const struct tg_tex_offset *offset = &instruction->tex_offset[i];
      struct check_value value = {.undefined = 0};

      for (unsigned c = 0; c < 3; c++) {
         uint32_t number = find_channel(
            check, offset->file, (uint32_t)offset->index, offset->swizzle[c]);

         if (number != CHECK_NONE)
            read_lanes(wave, number, wave->lanes, &value);
      }
      complain(check, wave, wave->instruction, &value, wave->live, row->use);
   }
}

/* ---- what it computes ---------------------------------------------------- */

/* Moves bits, and so is no use of them. */
static bool
is_copy(const struct tg_opcode_info *info)
{
   return info->dst_type == TG_TYPE_UNTYPED &&
          info->src_type[0] == TG_TYPE_UNTYPED && info->num_src == 1;
}

/* Differences between lanes of a quad are as undefined as any of both; what
 * looks at the whole wave is as undefined as any active lane. */
static void
spread(const struct check_wave *wave, const struct tg_opcode_info *info,
       struct check_value *value)
{
   unsigned size = info->group == TG_GROUP_DERIV      ? 4
                   : info->group == TG_GROUP_SUBGROUP ? LIR_LANES
                                                      : 1;

   for (unsigned first = 0; first < LIR_LANES && size > 1; first += size) {
      unsigned lanes = ((1u << size) - 1) << first & wave->lanes;
      unsigned found = lanes & value->undefined;

      if (!found)
         continue;

      uint32_t origin = value->origin[__builtin_ctz(found)];
      for (lanes &= ~found; lanes != 0; lanes &= lanes - 1)
         value->origin[__builtin_ctz(lanes)] = origin;
      value->undefined |= ((1u << size) - 1) << first & wave->lanes;
   }
}

static void
set_reader(struct check *check, const struct check_wave *wave,
           struct check_value *value)
{
   for (uint32_t lanes = value->undefined; lanes != 0; lanes &= lanes - 1) {
      uint32_t *origin = &value->origin[__builtin_ctz(lanes)];

      *origin = computed_origin(check, *origin, wave->instruction);
   }
}

static void
compute_results(struct check *check, struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   const struct tg_opcode_info *info = tg_opcode_row(instruction->opcode);
   const struct check_row *row = &check->rows[wave->instruction];

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      for (unsigned c = 0; c < 4; c++) {
         struct check_value *result = &wave->result[d][c];

         result->undefined = 0;
         for (unsigned s = 0; s < instruction->num_src; s++)
            read_source(check, wave, s, row->reads[d][c][s], result);
         if (result->undefined == 0)
            continue;
         spread(wave, info, result);
         if (!is_copy(info))
            set_reader(check, wave, result);
      }
   }
}

/* ---- events -------------------------------------------------------------- */

void
check_registers_begin(struct check *check, struct check_wave *wave)
{
   for (uint32_t i = 0; i < check->num_channels; i++) {
      wave->shadows[i].unwritten = UINT16_MAX;
      wave->shadows[i].undefined = 0;
   }
}

void
check_registers_step(struct check *check, struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);

   for (unsigned s = 0; s < instruction->num_src; s++)
      use_brackets(check, wave, &instruction->src[s].reg);
   for (unsigned d = 0; d < instruction->num_dst; d++)
      use_brackets(check, wave, &instruction->dst[d].reg);
   if (instruction->has_predicate)
      use_predicate(check, wave);
   use_sources(check, wave);
   use_handle(check, wave);
   use_texture_offsets(check, wave);
   compute_results(check, wave);
   if (instruction->opcode == TG_OPCODE_EMIT)
      check_registers_leave(check, wave, wave->live);
}

/* The channel depends on the source that was not chosen no longer. */
void
check_registers_choose(struct check *check, struct check_wave *wave,
                       uint32_t detail, uint16_t is_first)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   const struct check_row *row = &check->rows[wave->instruction];
   unsigned channel = detail & 3, first = detail >> 2 & 7, second = detail >> 5;
   struct check_value *result = &wave->result[0][channel];
   struct check_value by_first = {.undefined = 0};
   struct check_value by_second = {.undefined = 0};

   if (result->undefined == 0)
      return;
   result->undefined = 0;
   for (unsigned s = 0; s < instruction->num_src; s++) {
      if (s != first && s != second)
         read_source(check, wave, s, row->reads[0][channel][s], result);
   }
   set_reader(check, wave, result);
   read_source(check, wave, first, row->reads[0][channel][first], &by_first);
   read_source(check, wave, second, row->reads[0][channel][second], &by_second);
   by_first.undefined &= is_first;
   by_second.undefined &= (uint16_t)~is_first;
   merge(result, &by_first);
   merge(result, &by_second);
}

static void
write_lanes(struct check *check, struct check_wave *wave, uint32_t channel,
            const struct check_value *value, uint16_t lanes)
{
   const struct check_file *out = &check->files[TG_FILE_OUT];
   struct check_shadow *shadow = &wave->shadows[channel];
   uint32_t undefined = value->undefined & lanes;

   shadow->unwritten &= (uint16_t)~lanes;
   shadow->undefined &= (uint16_t)~lanes;
   shadow->undefined |= (uint16_t)undefined;
   for (; undefined != 0; undefined &= undefined - 1) {
      unsigned lane = (unsigned)__builtin_ctz(undefined);

      shadow->origin[lane] = value->origin[lane];
      if (channel - out->first_channel < out->num_registers * 4 &&
          out->has_shadow)
         wave->out_writer[channel - out->first_channel][lane] =
            wave->instruction;
   }
}

void
check_registers_write(struct check *check, struct check_wave *wave,
                      uint32_t detail, uint16_t lanes)
{
   unsigned d = detail >> 2, c = detail & 3;
   const struct tg_register *reg = &check_instruction(check, wave)->dst[d].reg;
   const struct check_value *value = &wave->result[d][c];
   uint32_t number =
      find_operand_channel(check, reg, (uint32_t)reg->index.offset, c);

   if (!reg->index.indirect) {
      if (number != CHECK_NONE)
         write_lanes(check, wave, number, value, lanes);
      return;
   }
   for (uint32_t left = lanes; left != 0; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctz(left);

      number = find_operand_channel(check, reg,
                                    wave->index[TG_MAX_SRC + d][0][lane], c);
      if (number != CHECK_NONE)
         write_lanes(check, wave, number, value, (uint16_t)(1u << lane));
   }
}

/* An output that was not written is a matter of who reads it. */
void
check_registers_leave(struct check *check, struct check_wave *wave,
                      uint16_t lanes)
{
   const struct check_file *out = &check->files[TG_FILE_OUT];

   for (uint32_t i = 0; out->has_shadow && i < out->num_registers * 4; i++) {
      uint32_t number = out->first_channel + i;
      uint32_t found = wave->shadows[number].undefined & lanes;
      struct check_value value = {.undefined = (uint16_t)found};

      for (; found != 0; found &= found - 1) {
         unsigned lane = (unsigned)__builtin_ctz(found);

         value.origin[lane] = wave->shadows[number].origin[lane];
         complain(check, wave, wave->out_writer[i][lane], &value,
                  (uint16_t)(1u << lane),
                  name_channel(check, number).name.text);
      }
   }
}
