/* SPDX-License-Identifier: MIT
 *
 * Creates a check; routes an execution's events to its detectors.
 */
#include <assert.h>
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

      wave->number = w;
      wave->shadows =
         tg_arena_array(arena, check->num_channels, sizeof(*wave->shadows));
      wave->out_writer = tg_arena_array(
         arena, out->has_shadow ? out->num_registers * (size_t)4 : 0,
         sizeof(*wave->out_writer));
      wave->private_written = tg_arena_array(arena, ABI_PRIVATE_WORDS,
                                             sizeof(*wave->private_written));
      if (!wave->shadows || !wave->out_writer || !wave->private_written)
         return false;
   }
   return check->waves != NULL;
}

enum tg_result
check_create(const struct tg_allocator *allocator,
             const struct tg_shader *shader, const struct abi_layout *layout,
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
   if (!check->reported || !check_plan(check) ||
       !check_register_origins_create(check) || !check_races_create(check) ||
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

/* x comes first. */
static void
add_coordinate(struct check_wave *wave, unsigned number,
               const uint32_t value[LIR_LANES])
{
   if (number == 0)
      wave->num_coordinates = 0;
   memcpy(wave->coordinate[wave->num_coordinates++ & 3], value,
          sizeof(wave->coordinate[0]));
}

void
check_trace_event(struct check *check, unsigned wave_number, uint64_t tag,
                  uint32_t lanes, const uint32_t value[LIR_LANES])
{
   assert(wave_number < check->num_waves);
   struct check_wave *wave = &check->waves[wave_number];
   uint32_t detail = abi_tag_detail(tag);

   wave->instruction = abi_tag_instruction(tag);
   wave->lanes = (uint16_t)lanes;
   switch (abi_tag_event(tag)) {
   case ABI_EVENT_INDEX:
      memcpy(wave->index[detail >> 1][detail & 1], value,
             sizeof(wave->index[0][0]));
      break;
   case ABI_EVENT_GUARD: wave->guard[detail] = check_lanes_of(value); break;
   case ABI_EVENT_STEP: step(check, wave, check_lanes_of(value)); break;
   case ABI_EVENT_CHOICE:
      check_registers_choose(check, wave, detail, check_lanes_of(value));
      break;
   case ABI_EVENT_WRITE:
      check_registers_write(check, wave, detail, (uint16_t)lanes);
      break;
   case ABI_EVENT_COORDINATE: add_coordinate(wave, detail, value); break;
   case ABI_EVENT_ACCESS:
      check_memory_access(check, wave, detail, value);
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
   check_races_begin(check);
   check->is_full = false;
   check->out_of_memory = false;
}

void
check_begin_dispatch(struct check *check, const uint32_t block_size[3],
                     const uint64_t grid[3])
{
   memcpy(check->block_size, block_size, sizeof(check->block_size));
   memcpy(check->grid, grid, sizeof(check->grid));
   check->is_dispatch = true;
   check->block = 0;
}

void
check_name_lanes(struct check *check, enum check_lanes lanes)
{
   check->lanes = lanes;
}

void
check_begin_block(struct check *check)
{
   /* Numbers come round after a time that nobody waits. */
   if (check->block == UINT32_MAX) {
      check_races_begin(check);
      check->block = 0;
   }
   check->block++;
   check->epoch = 0;
}

void
check_pass_barrier(struct check *check)
{
   check->epoch++;
}

void
check_begin_wave(struct check *check, unsigned wave,
                 const struct exec_wave *state)
{
   assert(wave < check->num_waves);
   check->waves[wave].state = state;
   memset(check->waves[wave].private_written, 0,
          ABI_PRIVATE_WORDS * sizeof(uint16_t));
   check_registers_begin(check, &check->waves[wave]);
}

void
check_end_wave(struct check *check, unsigned wave)
{
   assert(wave < check->num_waves);
   const struct exec_wave *state = check->waves[wave].state;

   check_registers_leave(check, &check->waves[wave],
                         (uint16_t)(state->launched & state->live));
}

void
check_stop_wave(struct check *check, unsigned wave_number,
                const struct exec_fault *fault)
{
   assert(wave_number < check->num_waves);
   struct check_wave *wave = &check->waves[wave_number];
   uint32_t instruction = fault->origin;

   if (instruction >= check->shader->num_instructions)
      instruction = wave->instruction;
   if (!check_finding_is_new(check, instruction, CHECK_ENDLESS_LOOP))
      return;

   unsigned lane = fault->lanes ? (unsigned)__builtin_ctz(fault->lanes) : 0;
   struct check_name who = check_lane_name(check, wave, lane);
   check_report_finding(check, instruction, CHECK_ENDLESS_LOOP, NULL,
                        "%s does not come to an end: %s", who.text,
                        fault->what);
}

void
check_miss_barrier(struct check *check, unsigned wave, uint32_t instruction,
                   uint32_t lanes)
{
   assert(wave < check->num_waves);
   unsigned lane = (unsigned)__builtin_ctz(lanes);
   struct check_name who = check_lane_name(check, &check->waves[wave], lane);

   if (check_finding_is_new(check, instruction, CHECK_DIVERGENT_BARRIER))
      check_report_finding(check, instruction, CHECK_DIVERGENT_BARRIER, NULL,
                           "%s does not reach this barrier", who.text);
}

enum tg_result
check_end(struct check *check, uint32_t *num_findings_out)
{
   if (check->diagnostics)
      tg_diagnostics_sort(check->diagnostics, check->first_diagnostic);
   if (check->is_full)
      tg_diagnose(check->diagnostics, TG_SEVERITY_WARNING, "check-limit",
                  &check->shader->source, (struct tg_position){0}, NULL,
                  "the shader uses more memory than a check keeps account of; "
                  "races beyond it were not looked for");
   check->diagnostics = NULL;
   *num_findings_out = check->num_findings;
   return check->out_of_memory ? TG_ERROR_MEMORY : TG_OK;
}
