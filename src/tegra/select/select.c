/* SPDX-License-Identifier: MIT
 *
 * Instruction selection: the table of opcodes, and one instruction after the
 * other.
 */
#include "tegra/select/select.h"

#include <assert.h>

/* ---- the tables ---------------------------------------------------------- */

#define SELECT_ROW_VECTOR(detail)                                              \
   .how = SELECT_VECTOR, .opcode = TEGRA_VECTOR_##detail
#define SELECT_ROW_SCALAR(detail)                                              \
   .how = SELECT_SCALAR, .opcode = TEGRA_SCALAR_##detail
#define SELECT_ROW_EXPANSION(detail)                                           \
   .how = SELECT_EXPANSION, .expand = select_op_##detail
#define SELECT_ROW_REFUSED(detail)                                             \
   .how = SELECT_REFUSED, .reason = SELECT_REFUSED_##detail

const struct select_row select_rows[TG_NUM_OPCODES] = {
#define SELECT(opcode, how, detail, rule)                                      \
   [TG_OPCODE_##opcode] = {SELECT_ROW_##how(detail), .kinds = KINDS_##rule},
#include "tegra/select/select.def"
};

struct refusal {
   const char *code, *text;
};

static const struct refusal refusals[] = {
#define SELECT_REFUSAL(id, code, text) {code, text},
#include "tegra/select/refusals.def"
#include "util/length.h"
};

static void
refuse_at(struct select *select, struct tg_position position, const char *what,
          enum select_refusal reason)
{
   assert(reason < TG_LENGTH(refusals));
   if (select->result == TG_OK)
      select->result = TG_ERROR_UNSUPPORTED;
   tg_diagnose(select->compile->diagnostics, TG_SEVERITY_ERROR,
               refusals[reason].code, &select->shader->source, position, NULL,
               "%s cannot be compiled: %s", what, refusals[reason].text);
}

void
select_refuse_at(struct select *select, uint32_t index,
                 enum select_refusal reason)
{
   assert(index < select->shader->num_instructions);
   const struct tg_instruction *instruction =
      &select->shader->instructions[index];

   refuse_at(select, instruction->position,
             tg_opcode_row(instruction->opcode)->name, reason);
}

void
select_refuse(struct select *select, enum select_refusal reason)
{
   if (!select->is_refused)
      select_refuse_at(select, select->index, reason);
   select->is_refused = true;
}

/* ---- an instruction ------------------------------------------------------ */

/* One operation, of the sources that the unit's opcode has. */
static void
select_directly(struct select *select, const struct select_row *row)
{
   enum tegra_unit unit =
      row->how == SELECT_VECTOR ? TEGRA_VECTOR : TEGRA_SCALAR;
   const struct tegra_opcode_info *info = &tegra_opcodes[unit][row->opcode];
   enum tegra_source order[TEGRA_NUM_SOURCES];
   struct mir_source sources[TEGRA_NUM_SOURCES] = {0};
   unsigned num_sources = tegra_isa_sources(info, order);

   for (unsigned i = 0; i < num_sources; i++) {
      sources[i] = select_source(select, i);
      if (info->reads == TEGRA_READS_X)
         sources[i] = mir_component(sources[i], 0);
   }
   select_emit(select, unit, row->opcode, select_result(select), num_sources,
               sources);
}

void
select_begin_instruction(struct select *select, uint32_t index)
{
   select->index = index;
   select->instruction = &select->shader->instructions[index];
   select->info = tg_opcode_row(select->instruction->opcode);
}

void
select_instruction(struct select *select, uint32_t index)
{
   assert(index < select->shader->num_instructions);
   const struct select_row *row =
      &select_rows[select->shader->instructions[index].opcode];

   select_begin_instruction(select, index);
   select->is_refused = false;
   if (row->how == SELECT_REFUSED) {
      select_refuse(select, row->reason);
      return;
   }
   select_begin_guard(select);
   select_check_result(select);
   select_begin_result(select);
   if (row->how != SELECT_EXPANSION)
      select_directly(select, row);
   else if (!select->is_refused)
      row->expand(select);
   select_finish_result(select);
   select_end_guard(select);
}

/* ---- the shader ---------------------------------------------------------- */

/* What cannot become 256 instructions, whatever is removed, takes no time. */
enum { MAX_INSTRUCTIONS = 8192 };

static enum tg_result
complain_of_size(const struct select *select)
{
   return mir_limit(select->compile, select->mir, 0,
                    "a program has at most 256 instructions",
                    "a shader of %u instructions over %u registers of TEMP "
                    "is too large for the vertex unit",
                    (unsigned)select->shader->num_instructions,
                    (unsigned)select->files[TG_FILE_TEMP].count);
}

static enum tg_result
find_kinds(struct select *select)
{
   enum tg_result result = TG_ERROR_LIMIT;

   if (select->shader->num_instructions <= MAX_INSTRUCTIONS)
      result = kinds_create(&select->mir->arena, select->shader, &select->flow,
                            &select->kinds);
   return result == TG_ERROR_LIMIT ? complain_of_size(select) : result;
}

static enum tg_result
select_shader(struct select *select)
{
   enum tg_result result = tg_flow_analyse(
      select->shader, select->compile->diagnostics, &select->flow);

   if (!result)
      result = select_layout(select);
   if (!result)
      result = find_kinds(select);
   if (result)
      return result;
   return select_program(select);
}

enum tg_result
select_mir(const struct compile *compile, struct mir *mir)
{
   struct select select = {
      .compile = compile,
      .mir = mir,
      .shader = mir->shader,
      .zero_wins =
         tg_shader_property(mir->shader, TG_PROPERTY_MUL_ZERO_WINS, 0) != 0,
   };
   enum tg_result result = select_shader(&select);

   tg_flow_finish(&select.flow);
   return result;
}
