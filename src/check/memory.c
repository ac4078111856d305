/* SPDX-License-Identifier: MIT
 *
 * Bounds and initialization of memory: whether accesses are inside of what is
 * bound, and whether what they read was written.
 */
#include <stdio.h>
#include <string.h>

#include "check/access.h"
#include "tgsi/analysis/memory.h"

const struct tg_register *
check_memory_object(const struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);

   return tg_opcode_row(instruction->opcode)->dst_type == TG_TYPE_MEM
             ? &instruction->dst[0].reg
             : &instruction->src[0].reg;
}

bool
check_memory_is_by_bytes(const struct check *check,
                         const struct check_wave *wave,
                         const struct check_access *access)
{
   const struct tg_shader *shader = check->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_RES &&
          check_memory_object(check, wave)->file == TG_FILE_RES &&
          declaration->first <= access->binding &&
          access->binding <= declaration->last)
         return tg_memory_resource_kind(declaration) == TG_RESOURCE_ROWS;
   }
   return false;
}

/* ---- bounds -------------------------------------------------------------- */

static bool
is_inside(const struct check_access *access)
{
   const uint64_t end = (uint64_t)access->index + access->num_units;

   if (access->space == LIR_SPACE_ARRAY)
      return end <= ABI_PRIVATE_WORDS;
   return access->memory && access->num_units &&
          end * access->unit <= access->memory->num_bytes;
}

static void
report_outside(struct check *check, const struct check_wave *wave,
               const struct check_access *access)
{
   struct check_name who = check_lane_name(check, wave, access->lane);
   struct check_place_name place = check_place_name(check, wave, access);
   bool is_image = access->space == LIR_SPACE_IMAGE;
   bool is_bound = access->memory && access->memory->num_bytes;
   char note[80];

   if (!check_finding_is_new(check, wave->instruction,
                             is_image ? CHECK_IMAGE_RANGE : CHECK_MEMORY_RANGE))
      return;
   if (access->space == LIR_SPACE_ARRAY)
      snprintf(note, sizeof(note), "it has %d bytes", ABI_PRIVATE_WORDS * 4);
   else if (is_image)
      snprintf(note, sizeof(note), "%s",
               !access->num_units ? "no image is bound there that fits"
               : check_memory_is_by_bytes(check, wave, access)
                  ? "the word is outside of the image"
                  : "the texel is outside of the image");
   else if (is_bound)
      snprintf(note, sizeof(note), "it has %llu bytes",
               (unsigned long long)access->memory->num_bytes);
   else
      snprintf(note, sizeof(note), "nothing is bound there");
   check_report_finding(check, wave->instruction,
                        is_image ? CHECK_IMAGE_RANGE : CHECK_MEMORY_RANGE, note,
                        "%s %s %s, which is not there", who.text,
                        check_name_verb(access->kind), place.text);
}

/* ---- what was written ---------------------------------------------------- */

/* Notes that a lane writes a word of its own, and whether it had before. */
static bool
touch_private(struct check_wave *wave, const struct check_access *access)
{
   uint16_t *written = &wave->private_written[access->index];
   bool was_written = *written >> access->lane & 1;

   if (access->kind != ABI_ACCESS_LOAD)
      *written |= (uint16_t)(1u << access->lane);
   return was_written;
}

/* The same of words of a resource whose contents were undefined. */
static bool
touch_undefined(const struct check_access *access)
{
   const struct exec_undefined *undefined = access->memory->undefined;
   const uint64_t offset = (uint64_t)((const char *)access->memory->data -
                                      (const char *)undefined->data);
   const uint64_t first = offset + (uint64_t)access->index * access->unit;
   const uint64_t last = first + access->num_units * access->unit - 1;
   bool was_written = true;

   for (uint64_t word = first / 4; word <= last / 4; word++) {
      uint32_t *bits = &undefined->bits[word / 32];

      was_written &= !(*bits >> word % 32 & 1);
      if (access->kind != ABI_ACCESS_LOAD)
         *bits &= ~(UINT32_C(1) << word % 32);
   }
   return was_written;
}

static void
report_undefined(struct check *check, const struct check_wave *wave,
                 const struct check_access *access)
{
   struct check_name who = check_lane_name(check, wave, access->lane);
   struct check_place_name place = check_place_name(check, wave, access);
   const char *note = access->space == LIR_SPACE_SHARED
                         ? "shared memory is undefined when a "
                           "block begins"
                      : access->space == LIR_SPACE_ARRAY
                         ? "private memory is undefined when a thread begins"
                         : "it was bound with undefined contents";

   if (access->kind != ABI_ACCESS_STORE &&
       check_finding_is_new(check, wave->instruction, CHECK_UNDEFINED_MEMORY))
      check_report_finding(check, wave->instruction, CHECK_UNDEFINED_MEMORY,
                           note, "%s %s %s, which was never written", who.text,
                           check_name_verb(access->kind), place.text);
}

/* ---- the event ----------------------------------------------------------- */

static void
check_one(struct check *check, struct check_wave *wave,
          const struct check_access *access)
{
   bool was_written = true;

   if (!is_inside(access)) {
      report_outside(check, wave, access);
      return;
   }
   if (access->space == LIR_SPACE_ARRAY)
      was_written = touch_private(wave, access);
   else if (access->space == LIR_SPACE_SHARED ||
            (check->is_dispatch && access->space != LIR_SPACE_CONST))
      was_written = check_race(check, wave, access);
   if (access->memory && access->memory->undefined)
      was_written = touch_undefined(access);
   if (!was_written)
      report_undefined(check, wave, access);
}

/* Colours are not the shader's. */
static bool
is_of_interest(const struct check_access *access)
{
   return access->space != LIR_SPACE_IMAGE ||
          access->binding < ABI_IMAGE_COLORS;
}

void
check_memory_access(struct check *check, struct check_wave *wave,
                    uint32_t detail, const uint32_t index[LIR_LANES])
{
   const struct exec_wave *state = wave->state;
   struct check_access access = {
      .kind = (enum abi_access_kind)(detail & 3),
      .unit = detail >> 2 & 7,
      .num_units = detail >> 5 & 31,
      .space = (enum lir_space)(detail >> 10 & 15),
      .binding = detail >> 14,
   };

   if (!is_of_interest(&access))
      return;
   if (access.space < LIR_NUM_UNIFORM_SPACES &&
       access.binding < state->num_memories[access.space])
      access.memory = &state->memory[access.space][access.binding];
   for (uint32_t lanes = wave->lanes & wave->live; lanes; lanes &= lanes - 1) {
      access.lane = (unsigned)__builtin_ctz(lanes);
      access.index = index[access.lane];
      check_one(check, wave, &access);
   }
}
