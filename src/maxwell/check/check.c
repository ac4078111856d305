/* SPDX-License-Identifier: MIT
 *
 * The checker, tg_maxwell_check(): each instruction against the rules of
 * findings.def. What is no texture instruction is passed over.
 */
#include <assert.h>
#include <stdio.h>

#include "maxwell/isa/program.h"

enum finding {
#define MAXWELL_FINDING(id, ...) FINDING_##id,
#include "maxwell/check/findings.def"
   NUM_FINDINGS
};

static const struct {
   enum tg_severity severity;
   const char *code, *note;
} rows[NUM_FINDINGS] = {
#define MAXWELL_FINDING(id, severity, code, title, note)                       \
   {TG_SEVERITY_##severity, code, note},
#include "maxwell/check/findings.def"
#include "util/length.h"
};

enum {
   NUM_SCOREBOARDS = 6,
   NUM_REGISTERS = TG_MAXWELL_NUM_REGISTERS,
   /* What is waited for: registers, and the predicates after them. */
   FIRST_PREDICATE = NUM_REGISTERS,
   NUM_RESULTS = FIRST_PREDICATE + TG_MAXWELL_NUM_PREDICATES,
};

struct check {
   const struct tg_maxwell_program *program;
   enum tg_maxwell_version version;
   struct tg_diagnostics *diagnostics;
   enum tg_result result;

   /* The instruction that is looked at. */
   uint32_t index;
   struct maxwell_instruction instruction;
   union maxwell_control control;
   bool is_scheduled;
   struct maxwell_group sources[2], results[2];

   /* Bit b: an instruction that is not waited for yet releases scoreboard b
    * when it has written the register or predicate. */
   uint8_t pending[NUM_RESULTS];
};

static void
report(struct check *check, enum finding finding, const char *format, ...)
   __attribute__((format(printf, 3, 4)));
static void
report(struct check *check, enum finding finding, const char *format, ...)
{
   assert(finding < TG_LENGTH(rows));
   va_list args;

   if (rows[finding].severity == TG_SEVERITY_ERROR)
      check->result = TG_ERROR_INPUT;
   va_start(args, format);
   tg_vdiagnose(check->diagnostics, rows[finding].severity, rows[finding].code,
                &check->program->source,
                check->program->positions[check->index], rows[finding].note,
                format, args);
   va_end(args);
}

static const char *
form_name(const struct check *check)
{
   return maxwell_forms[check->instruction.form].name;
}

static bool
is_full(const struct check *check)
{
   return maxwell_forms[check->instruction.form].kind == MAXWELL_KIND_FULL;
}

/* ---- rows and masks ------------------------------------------------------ */

static bool
check_target(struct check *check)
{
   const struct maxwell_instruction *instruction = &check->instruction;
   const char *name = maxwell_dims[instruction->dim].name;

   if (!maxwell_form_has(instruction->form, MAXWELL_FIELD_dim))
      return true;
   if (!(maxwell_forms[instruction->form].targets >> instruction->dim & 1)) {
      report(check, FINDING_NO_TARGET, "%s has no target %s", form_name(check),
             name);
      return false;
   }
   if (instruction->dc && (instruction->dim == MAXWELL_DIM_3D ||
                           instruction->dim == MAXWELL_DIM_ARRAY_3D))
      report(check, FINDING_COMPARED_3D, "%s compares a texture that is %s",
             form_name(check), name);
   return true;
}

/* Finds the registers. False when nothing more can be said; of what no document
 * says what it reads, that are results and control bits. */
static bool
check_tables(struct check *check)
{
   const struct maxwell_instruction *instruction = &check->instruction;
   bool has_row = is_full(check) || maxwell_isa_find_row(instruction);
   bool has_mask = maxwell_result_registers(instruction, check->results);

   if (!has_row)
      report(check, FINDING_NO_ROW, "%s has no row %u", form_name(check),
             instruction->row);
   if (!has_mask)
      report(check, FINDING_NO_MASK, "no mask has code %u beside R%u",
             instruction->wmask, instruction->rd1);
   if (!check_target(check) || !has_row || !has_mask)
      return false;
   if (maxwell_source_registers(instruction, check->sources) ||
       !maxwell_has_known_registers(instruction))
      return true;
   report(check, FINDING_NO_MODE, "%s has a field with the value %u",
          form_name(check),
          maxwell_form_has(instruction->form, MAXWELL_FIELD_offset)
             ? instruction->offset
             : instruction->lod);
   return false;
}

/* ---- registers ----------------------------------------------------------- */

static void
check_group(struct check *check, const char *name,
            const struct maxwell_group *group)
{
   unsigned alignment =
      maxwell_register_alignment(&check->instruction, group->count);

   if (group->base == MAXWELL_RZ || group->count == 0)
      return;
   if (group->base % alignment)
      report(check, is_full(check) ? FINDING_FULL_ALIGNMENT : FINDING_ALIGNMENT,
             "%s is R%u and the first of %u registers", name, group->base,
             group->count);
   if (group->base + group->count > NUM_REGISTERS)
      report(check, FINDING_RANGE, "%s is R%u and the first of %u registers",
             name, group->base, group->count);
}

static void
check_sources(struct check *check)
{
   static const char *const names[] = {"Ra", "Rb"};
   bool is_known = maxwell_has_known_registers(&check->instruction);

   for (unsigned i = 0; i < 2 && is_known; i++) {
      const struct maxwell_group *group = &check->sources[i];

      if (group->count && group->base == MAXWELL_RZ)
         report(check, FINDING_SOURCE_RZ, "%s is RZ and holds %u parameter%s",
                names[i], group->count, group->count > 1 ? "s" : "");
      if (!group->count && group->base != MAXWELL_RZ)
         report(check, FINDING_RB_NOT_RZ, "%s is R%u and holds nothing",
                names[i], group->base);
      check_group(check, names[i], group);
   }
}

static void
check_results(struct check *check)
{
   const struct maxwell_group *rd0 = &check->results[0];
   const struct maxwell_group *rd1 = &check->results[1];

   check_group(check, "Rd0", rd0);
   check_group(check, "Rd1", rd1);
   if (rd0->count && rd1->count && rd0->base != MAXWELL_RZ &&
       rd1->base != MAXWELL_RZ && rd0->base < rd1->base + rd1->count &&
       rd1->base < rd0->base + rd0->count)
      report(check, FINDING_OVERLAP,
             "Rd0, from R%u on, and Rd1, from R%u on, overlap", rd0->base,
             rd1->base);
   if ((rd0->count == 0 || rd0->base == MAXWELL_RZ) &&
       !maxwell_isa_writes_predicate(&check->instruction))
      report(check, FINDING_NO_RESULT, "%s writes its result nowhere",
             form_name(check));
}

/* ---- formats and control ------------------------------------------------- */

static void
check_guard(struct check *check)
{
   if (check->instruction.pred == MAXWELL_PT && check->instruction.pnot)
      report(check, FINDING_NEVER, "%s is never executed", form_name(check));
}

static void
check_half(struct check *check)
{
   const struct maxwell_instruction *instruction = &check->instruction;

   if (maxwell_isa_is_half(instruction) &&
       check->version != TG_MAXWELL_SPA_5_0 &&
       maxwell_program_is_integer(check->program, instruction->index))
      report(check, FINDING_HALF_INTEGER,
             "the texture at 0x%x has integers, which .F16 cannot return",
             instruction->index);
}

/* ---- scoreboards --------------------------------------------------------- */

static void
await(struct check *check)
{
   for (unsigned i = 0; i < NUM_RESULTS; i++)
      check->pending[i] &= (uint8_t)~check->control.wait;
}

/* Of a register, or of a predicate from FIRST_PREDICATE on. */
static void
check_result_awaited(struct check *check, unsigned number)
{
   bool is_predicate = number >= FIRST_PREDICATE;

   if (!check->pending[number])
      return;
   report(check, FINDING_NOT_AWAITED,
          "%c%u is read and scoreboard %d was not waited for",
          is_predicate ? 'P' : 'R',
          is_predicate ? number - FIRST_PREDICATE : number,
          __builtin_ctz(check->pending[number]));
   check->pending[number] = 0;
}

static void
check_awaited(struct check *check, const struct maxwell_group *group)
{
   for (unsigned i = 0; i < group->count; i++) {
      if (group->base + i < NUM_REGISTERS)
         check_result_awaited(check, group->base + i);
   }
}

static void
note_pending(struct check *check, const struct maxwell_group *group)
{
   for (unsigned i = 0; i < group->count; i++) {
      unsigned number = group->base + i;

      if (number < NUM_REGISTERS)
         check->pending[number] = (uint8_t)(1u << check->control.write);
   }
}

static void
note_predicate(struct check *check)
{
   if (maxwell_isa_writes_predicate(&check->instruction))
      check->pending[FIRST_PREDICATE + check->instruction.dpred] =
         (uint8_t)(1u << check->control.write);
}

/* Only of code that is scheduled. */
static void
check_schedule(struct check *check)
{
   if (check->control.t && check->control.p)
      report(check, FINDING_BOTH_PHASES, "%s has both .T and .P",
             form_name(check));
   if (!check->is_scheduled)
      return;
   if (check->instruction.pred != MAXWELL_PT)
      check_result_awaited(check, FIRST_PREDICATE + check->instruction.pred);
   check_awaited(check, &check->sources[0]);
   check_awaited(check, &check->sources[1]);
   if (check->control.write < NUM_SCOREBOARDS) {
      note_pending(check, &check->results[0]);
      note_pending(check, &check->results[1]);
      note_predicate(check);
   } else if (check->results[0].count ||
              maxwell_isa_writes_predicate(&check->instruction)) {
      report(check, FINDING_NO_BARRIER,
             "no instruction can wait for the result of this %s",
             form_name(check));
   }
}

/* ---- the program --------------------------------------------------------- */

static void
check_instruction(struct check *check)
{
   union maxwell_control rest =
      maxwell_isa_decode_control(check->program->controls[check->index]);

   check->control = rest;
   rest.t = rest.p = 0;
   check->is_scheduled = maxwell_isa_encode_control(&rest) != 0;
   await(check);
   if (!maxwell_isa_decode(check->program->words[check->index],
                           &check->instruction))
      return;
   check_guard(check);
   if (!check_tables(check))
      return;
   check_sources(check);
   check_results(check);
   check_half(check);
   check_schedule(check);
}

enum tg_result
tg_maxwell_check(const struct tg_maxwell_program *program,
                 enum tg_maxwell_version version,
                 struct tg_diagnostics *diagnostics)
{
   assert(program);
   struct check check = {
      .program = program, .version = version, .diagnostics = diagnostics};

   for (uint32_t i = 0; i < program->num_instructions; i++) {
      check.index = i;
      check_instruction(&check);
   }
   return check.result;
}
