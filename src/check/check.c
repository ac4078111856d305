/* SPDX-License-Identifier: MIT
 *
 * See check.h: creation, and who hears what.
 */
#include <string.h>

#include "check/state.h"

/* ---- creation ------------------------------------------------------------ */

static bool
create_waves(struct check *check)
{
   const struct check_file *out = &check->files[TG_FILE_OUT];
   struct tg_arena *arena = &check->arena;

   check->waves =
      tg_arena_array(arena, check->num_waves, sizeof(*check->waves));
   for (unsigned w = 0; check->waves && w < check->num_waves; w++) {
      struct check_wave *wave = &check->waves[w];

      wave->shadows =
         tg_arena_array(arena, check->num_channels, sizeof(*wave->shadows));
      wave->out_writer = tg_arena_array(
         arena, out->has_shadow ? out->num_registers * (size_t)4 : 0,
         sizeof(*wave->out_writer));
      if (!wave->shadows || !wave->out_writer)
         return false;
   }
   return check->waves != NULL;
}

enum tg_result
check_create(const struct tg_allocator *allocator,
             const struct tg_shader *shader, const struct lower_layout *layout,
             unsigned num_waves, struct check **check_out)
{
   struct tg_arena arena;

   tg_arena_init(&arena, allocator);
   struct check *check = tg_arena_alloc(&arena, sizeof(*check));
   if (!check) {
      tg_arena_finish(&arena);
      return TG_ERROR_MEMORY;
   }
   check->arena = arena;
   check->shader = shader;
   check->layout = *layout;
   check->num_waves = num_waves;
   check->reported = tg_arena_array(&check->arena, shader->num_instructions,
                                    sizeof(*check->reported));
   if (!check->reported || !check_plan(check) || !check_origins_create(check) ||
       !create_waves(check)) {
      check_destroy(check);
      return TG_ERROR_MEMORY;
   }
   *check_out = check;
   return TG_OK;
}

void
check_destroy(struct check *check)
{
   if (!check)
      return;

   struct tg_arena arena = check->arena;
   tg_arena_finish(&arena);
}

/* ---- events -------------------------------------------------------------- */

/* The predicate keeps an instruction from lanes that it allows no channel. */
static uint16_t
guarded_lanes(const struct check *check, const struct check_wave *wave)
{
   const struct tg_instruction *instruction = check_instruction(check, wave);
   unsigned written = instruction->num_dst ? instruction->dst[0].writemask : 1;
   uint16_t lanes = 0;

   if (!instruction->has_predicate)
      return UINT16_MAX;
   for (unsigned c = 0; c < 4; c++) {
      if (written & 1u << c)
         lanes |= wave->guard[c];
   }
   return lanes;
}

static void
step(struct check *check, struct check_wave *wave, uint16_t live)
{
   wave->live = wave->lanes & live & guarded_lanes(check, wave);
   check_ranges(check, wave);
   check_registers_step(check, wave);
}

void
check_hear(struct check *check, unsigned wave_number, uint64_t tag,
           uint32_t lanes, const uint32_t value[LIR_LANES])
{
   struct check_wave *wave = &check->waves[wave_number];
   uint32_t detail = lower_tag_detail(tag);

   wave->instruction = lower_tag_instruction(tag);
   wave->lanes = (uint16_t)lanes;
   switch (lower_tag_event(tag)) {
   case LOWER_EVENT_INDEX:
      memcpy(wave->index[detail >> 1][detail & 1], value,
             sizeof(wave->index[0][0]));
      break;
   case LOWER_EVENT_GUARD: wave->guard[detail] = check_lanes_of(value); break;
   case LOWER_EVENT_STEP: step(check, wave, check_lanes_of(value)); break;
   case LOWER_EVENT_CHOICE:
      check_registers_choose(check, wave, detail, check_lanes_of(value));
      break;
   case LOWER_EVENT_WRITE:
      check_registers_write(check, wave, detail, (uint16_t)lanes);
      break;
   }
}

/* ---- the run ------------------------------------------------------------- */

void
check_begin(struct check *check, struct tg_diagnostics *diagnostics)
{
   memset(check->reported, 0,
          check->shader->num_instructions * sizeof(*check->reported));
   check->diagnostics = diagnostics;
   check->first_diagnostic =
      diagnostics ? tg_diagnostics_count(diagnostics) : 0;
   check->num_findings = 0;
}

void
check_begin_wave(struct check *check, unsigned wave,
                 const struct exec_wave *state)
{
   check->waves[wave].state = state;
   check_registers_begin(check, &check->waves[wave]);
}

void
check_end_wave(struct check *check, unsigned wave)
{
   const struct exec_wave *state = check->waves[wave].state;

   check_registers_leave(check, &check->waves[wave],
                         (uint16_t)(state->launched & state->live));
}

void
check_stop_wave(struct check *check, unsigned wave_number,
                const struct exec_fault *fault)
{
   struct check_wave *wave = &check->waves[wave_number];
   uint32_t instruction = fault->origin;

   if (instruction >= check->shader->num_instructions)
      instruction = wave->instruction;
   if (!check_is_new(check, instruction, CHECK_ENDLESS_LOOP))
      return;

   unsigned lane = wave->lanes ? (unsigned)__builtin_ctz(wave->lanes) : 0;
   struct check_name who = check_lane_name(check, wave, lane);
   check_report(check, instruction, CHECK_ENDLESS_LOOP, NULL,
                "%s does not come to an end: %s", who.text, fault->what);
}

void
check_miss_barrier(struct check *check, unsigned wave, uint32_t instruction,
                   uint32_t lanes)
{
   unsigned lane = (unsigned)__builtin_ctz(lanes);
   struct check_name who = check_lane_name(check, &check->waves[wave], lane);

   if (check_is_new(check, instruction, CHECK_DIVERGENT_BARRIER))
      check_report(check, instruction, CHECK_DIVERGENT_BARRIER, NULL,
                   "%s does not reach this barrier", who.text);
}

uint32_t
check_end(struct check *check)
{
   if (check->diagnostics)
      tg_diagnostics_sort(check->diagnostics, check->first_diagnostic);
   check->diagnostics = NULL;
   return check->num_findings;
}
