/* SPDX-License-Identifier: MIT
 *
 * The listing of a module, whose grammar is in docs/lir.md. It holds all of
 * the module, so two modules with the same listing are the same.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lir/passes.h"
#include "util/strbuf.h"

static const char *const type_names[] = {
   [LIR_TYPE_V] = "v",
   [LIR_TYPE_B1] = "b1",
   [LIR_TYPE_B32] = "b32",
   [LIR_TYPE_B64] = "b64",
};

/* Bits are listed as a number too when they look like one that somebody wrote:
 * not too large, not too small. Small integers are denormals, so they do not.
 */
static bool
looks_like_float(double value)
{
   double magnitude = fabs(value);

   return isinf(value) || (magnitude > 1e-12 && magnitude < 1e12);
}

static void
print_float_comment(struct tg_strbuf *out, const struct lir_inst *inst)
{
   if (inst->op == LIR_OP_const32) {
      uint32_t bits = (uint32_t)inst->imm;
      float value;

      memcpy(&value, &bits, sizeof(value));
      if (looks_like_float(value))
         tg_strbuf_double(out, " ; %.9g", value);
   } else if (inst->op == LIR_OP_const64) {
      double value;

      memcpy(&value, &inst->imm, sizeof(value));
      if (looks_like_float(value))
         tg_strbuf_double(out, " ; %.17g", value);
   }
}

static void
print_immediate(struct tg_strbuf *out, const struct lir_inst *inst)
{
   switch ((enum lir_imm_kind)lir_op_row(inst->op)->imm) {
   case LIR_IMM_NONE: break;
   case LIR_IMM_CONST: tg_strbuf_printf(out, " 0x%" PRIx64, inst->imm); break;
   case LIR_IMM_VAR: tg_strbuf_printf(out, " $%" PRIu64, inst->imm); break;
   case LIR_IMM_MEM:
      tg_strbuf_printf(out, " %s[%u]",
                       lir_space_names[lir_mem_space(inst->imm)],
                       lir_mem_binding(inst->imm));
      break;
   case LIR_IMM_LEVEL:
   case LIR_IMM_FUNCTION:
   case LIR_IMM_SLOT:
   case LIR_IMM_TAG: tg_strbuf_printf(out, " %" PRIu64, inst->imm); break;
   }
}

static void
print_comment(struct tg_strbuf *out, const struct lir_module *module,
              const struct lir_inst *inst)
{
   switch ((enum lir_imm_kind)lir_op_row(inst->op)->imm) {
   case LIR_IMM_CONST: print_float_comment(out, inst); break;
   case LIR_IMM_VAR:
      tg_strbuf_printf(out, " ; %s", module->vars[inst->imm].name);
      break;
   case LIR_IMM_FUNCTION:
      tg_strbuf_printf(out, " ; %s", module->functions[inst->imm].name);
      break;
   case LIR_IMM_MEM:
      if (lir_mem_space(inst->imm) == LIR_SPACE_ARRAY)
         tg_strbuf_printf(out, " ; %s",
                          module->arrays[lir_mem_binding(inst->imm)].name);
      break;
   case LIR_IMM_NONE:
   case LIR_IMM_LEVEL:
   case LIR_IMM_SLOT:
   case LIR_IMM_TAG: break;
   }
}

static void
print_instruction(struct tg_strbuf *out, const struct lir_module *module,
                  const struct lir_inst *inst, uint32_t index)
{
   const struct lir_op_info *info = lir_op_row(inst->op);
   const char *separator = info->imm == LIR_IMM_NONE ? " " : ", ";

   if (info->type != LIR_TYPE_V)
      tg_strbuf_printf(out, "%%%u = ", index);
   if (inst->is_uniform)
      tg_strbuf_add(out, "uniform ");
   if (inst->is_inside)
      tg_strbuf_add(out, "inside ");
   if (inst->num_words)
      tg_strbuf_printf(out, "run %u ", inst->num_words);
   tg_strbuf_add(out, info->name);
   print_immediate(out, inst);
   for (unsigned i = 0; i < info->num_operands; i++) {
      tg_strbuf_printf(out, "%s%%%u", separator, inst->operand[i].index);
      separator = ", ";
   }
   print_comment(out, module, inst);
   tg_strbuf_add_char(out, '\n');
}

/* A line before the first instruction of each TGSI instruction. */
static void
print_origin(struct tg_strbuf *out, uint32_t origin)
{
   if (origin == LIR_NO_ORIGIN)
      tg_strbuf_add(out, "origin none\n");
   else
      tg_strbuf_printf(out, "origin %u\n", origin);
}

/* Deeper scopes are not shown deeper, or listings would grow with the square of
 * the depth. */
enum { DEEPEST_INDENT = 20 };

static void
indent(struct tg_strbuf *out, uint32_t level)
{
   for (uint32_t i = 0; i <= level && i <= DEEPEST_INDENT; i++)
      tg_strbuf_add(out, "   ");
}

static void
print_signature(struct tg_strbuf *out, const struct lir_function *function)
{
   if (function->num_params)
      tg_strbuf_printf(out, " params %u", function->num_params);
   if (function->num_results)
      tg_strbuf_printf(out, " results %u", function->num_results);
}

static void
print_function(struct tg_strbuf *out, const struct lir_module *module,
               uint32_t index)
{
   assert(index < module->num_functions);
   const struct lir_function *function = &module->functions[index];
   uint32_t origin = LIR_NO_ORIGIN;
   uint32_t level = 0;

   tg_strbuf_printf(out, "function %u %s", index, function->name);
   print_signature(out, function);
   tg_strbuf_add(out, " {\n");
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (inst->origin != origin) {
         origin = inst->origin;
         indent(out, level);
         print_origin(out, origin);
      }
      if (lir_op_row(inst->op)->flags & LIR_FLAG_CLOSE)
         level--;
      indent(out, level);
      print_instruction(out, module, inst, i);
      if (lir_op_row(inst->op)->flags & LIR_FLAG_OPEN)
         level++;
   }
   tg_strbuf_add(out, "}\n");
}

char *
lir_print(const struct lir_module *module)
{
   struct tg_strbuf out = {.allocator = module->arena.allocator};

   if (module->has_tiled_surfaces)
      tg_strbuf_add(&out, "tiled surfaces\n");
   for (uint32_t i = 0; i < module->num_vars; i++)
      tg_strbuf_printf(&out, "var $%u %s %s\n", i,
                       type_names[module->vars[i].type], module->vars[i].name);
   for (uint32_t i = 0; i < module->num_arrays; i++)
      tg_strbuf_printf(&out, "array %u %u %s\n", i, module->arrays[i].num_words,
                       module->arrays[i].name);
   for (uint32_t i = 0; i < module->num_sizes; i++)
      tg_strbuf_printf(&out, "size %s[%u] %u\n",
                       lir_space_names[LIR_SPACE_CONST],
                       module->sizes[i].binding, module->sizes[i].num_words);
   for (uint32_t i = 0; i < module->num_functions; i++)
      print_function(&out, module, i);
   return tg_strbuf_take(&out);
}
