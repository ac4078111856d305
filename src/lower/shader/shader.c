/* SPDX-License-Identifier: MIT
 *
 * From a shader to a LIR module: which function lowers which opcode, and the
 * order in which everything is done.
 */
#include "lower/lower.h"

#include "lower/flow/flow.h"
#include "lower/operands/operands.h"
#include "lower/operands/registers.h"
#include "lower/sample/sample.h"
#include "tgsi/analysis/instruction.h"

/* ---- the columns of opcodes.def ------------------------------------------ */

typedef void (*lowering_function)(struct lower_context *context);

static const lowering_function lowering[TG_NUM_OPCODES] = {
#define TG_OPCODE(name, number, dst, min, src, dst_type, types, reads, result, \
                  group, flags, flow, closer, specs, stages, lower, lir,       \
                  title)                                                       \
   [number] = lower_op_##lower,
#include "tgsi/tables/opcodes.def"
};

static const uint16_t lir_op[TG_NUM_OPCODES] = {
#define TG_OPCODE(name, number, dst, min, src, dst_type, types, reads, result, \
                  group, flags, flow, closer, specs, stages, lower, lir,       \
                  title)                                                       \
   [number] = LIR_OP_##lir,
#include "tgsi/tables/opcodes.def"
};

/* Never called: check_opcodes() comes first. */
void
lower_op_none(struct lower_context *context)
{
   lower_error(context, TG_ERROR_UNSUPPORTED, "unsupported-opcode",
               "%s is not executed", context->info->name);
}

bool
lower_has_opcode(enum tg_opcode opcode)
{
   return (unsigned)opcode < TG_NUM_OPCODES && lowering[opcode] &&
          lowering[opcode] != lower_op_none;
}

/* ---- unsupported opcodes ------------------------------------------------- */

static bool
can_lower(const struct lower_context *context,
          const struct tg_instruction *instruction)
{
   const struct tg_opcode_info *row =
      tg_instruction_row(context->shader, instruction);

   return lower_has_opcode((enum tg_opcode)(row - tg_opcodes));
}

/* Every opcode that does not execute is named once, where it first stands. */
static void
check_opcodes(struct lower_context *context)
{
   bool is_reported[TG_NUM_OPCODES] = {false};

   for (uint32_t i = 0; i < context->shader->num_instructions; i++) {
      const struct tg_instruction *instruction =
         &context->shader->instructions[i];
      uint16_t opcode = instruction->opcode;

      if (can_lower(context, instruction) || is_reported[opcode])
         continue;
      is_reported[opcode] = true;
      context->instruction = instruction;
      lower_error(context, TG_ERROR_UNSUPPORTED, "unsupported-opcode",
                  "%s is not executed", tg_opcode_row(opcode)->name);
   }
}

/* A bound of LIR that the builder has reached, and of what; the builder only
 * knows that it failed. NULL: none, it was memory. */
static const char *
find_bound(const struct lir_builder *builder, unsigned *bound_out)
{
   const struct lir_module *module = builder->module;
   uint32_t num_insts = 0;

   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (num_insts < module->functions[i].num_insts)
         num_insts = module->functions[i].num_insts;
   }
   const struct {
      uint32_t count;
      unsigned bound;
      const char *what;
   } bounds[] = {
      {builder->level + 1, LIR_MAX_LEVELS, "constructs in each other"},
      {module->num_vars, LIR_MAX_VARS, "variables"},
      {module->num_functions, LIR_MAX_FUNCTIONS, "functions"},
      {num_insts, LIR_MAX_INSTS, "operations"},
   };

   for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
      *bound_out = bounds[i].bound;
      if (bounds[i].count >= bounds[i].bound)
         return bounds[i].what;
   }
   return NULL;
}

/* Why the builder failed. */
static enum tg_result
builder_result(const struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   const uint32_t reached =
      context->instruction
         ? (uint32_t)(context->instruction - shader->instructions)
         : 0;
   unsigned bound;
   const char *what = find_bound(&context->builder, &bound);

   if (!what)
      return TG_ERROR_MEMORY;
   tg_diagnose(
      context->diagnostics, TG_SEVERITY_ERROR, "limit", &shader->source,
      (struct tg_position){0}, NULL,
      "the shader is too large to be run: with instruction %u of %u it "
      "has more than %u %s",
      (unsigned)reached, (unsigned)shader->num_instructions, bound, what);
   return TG_ERROR_LIMIT;
}

/* ---- instructions -------------------------------------------------------- */

/* A predicate guards what an instruction does. One that begins, divides or ends
 * a construct does nothing that could be left undone for some lanes. */
static bool
may_have_predicate(const struct tg_opcode_info *info)
{
   return info->flow == TG_FLOW_NONE || info->flow == TG_FLOW_BREAK ||
          info->flow == TG_FLOW_CONTINUE || info->flow == TG_FLOW_CALL ||
          info->flow == TG_FLOW_RETURN;
}

void
lower_instruction(struct lower_context *context, uint32_t index)
{
   struct lir_builder *builder = &context->builder;

   lower_operands_begin(context, index);

   const struct tg_instruction *instruction = context->instruction;
   const size_t row = (size_t)(context->info - tg_opcodes);
   lowering_function lower = lowering[row];
   context->op = lir_op[row];

   if (instruction->has_predicate && !may_have_predicate(context->info)) {
      lower_error(context, TG_ERROR_INPUT, "bad-predicate",
                  "%s cannot have a predicate", context->info->name);
   }

   /* Where there is a destination the predicate guards its channels. */
   if (instruction->has_predicate && instruction->num_dst == 0) {
      lir_begin_if(builder, lower_operands_predicate(context, 0));
      lower(context);
      lir_end(builder);
   } else {
      lower(context);
      lower_dst_commit(context);
   }
}

/* ---- the shader ---------------------------------------------------------- */

static void
lower_all(struct lower_context *context, struct lir_module *module)
{
   struct abi_layout layout;

   check_opcodes(context);
   lower_fail(context,
              abi_get_layout(context->shader, context->diagnostics, &layout));
   if (context->result != TG_OK)
      return;

   uint32_t entry = lir_module_add_function(module, "main");
   lir_builder_init(&context->builder, module, entry);
   context->samples = sample_functions_create(&context->builder, context->arena,
                                              context->options->keys);
   if (entry == UINT32_MAX || !context->samples ||
       !lower_operands_create(context) || !lower_roots_create(context) ||
       !lower_registers_create(context, &layout)) {
      lower_fail(context, TG_ERROR_MEMORY);
      return;
   }
   lower_fail(context, lower_flow_create(context));
   if (context->result == TG_OK)
      lower_program(context);
   lower_flow_finish(context);
   if (context->builder.failed)
      lower_fail(context, builder_result(context));
}

enum tg_result
lower_shader(const struct tg_shader *shader,
             const struct lower_options *options, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   static const struct lower_options usual = {0};
   struct tg_arena arena;
   struct lower_context context = {
      .arena = &arena,
      .shader = shader,
      .options = options ? options : &usual,
      .diagnostics = diagnostics,
      .dialect = tg_dialect_row(shader->dialect),
      .mul_zero_wins =
         tg_shader_property(shader, TG_PROPERTY_MUL_ZERO_WINS, 0) != 0,
   };

   tg_arena_init(&arena, module->arena.allocator);
   lower_all(&context, module);
   tg_arena_finish(&arena);
   return context.result;
}
