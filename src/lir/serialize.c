/* SPDX-License-Identifier: MIT
 *
 * Serialization of modules. The form:
 *   u32  numbers of functions, variables, arrays, declared sizes
 *   u8   the type of each variable
 *   u32  the words of each array
 *   u32  the binding of each declared size, and its words
 *   of each function u32 its number of instructions, and these:
 *        u16 op, u8 is_uniform, u8 is_inside, u8 num_words, u32 origin,
 *        u32 operand[3], u64 imm
 */
#include "lir/serialize.h"

#include <string.h>

enum { INST_BYTES = 29 };

/* ---- writing ------------------------------------------------------------- */

static unsigned char *
put(unsigned char *to, uint64_t value, unsigned num_bytes)
{
   for (unsigned i = 0; i < num_bytes; i++)
      *to++ = (unsigned char)(value >> 8 * i);
   return to;
}

static void
add_number(struct tg_strbuf *out, uint64_t value, unsigned num_bytes)
{
   unsigned char bytes[sizeof(value)];

   put(bytes, value, num_bytes);
   tg_strbuf_add_n(out, (const char *)bytes, num_bytes);
}

/* Operands that the op does not have may hold anything. */
static void
add_inst(struct tg_strbuf *out, const struct lir_inst *inst)
{
   const unsigned num_operands = lir_op_row(inst->op)->num_operands;
   unsigned char bytes[INST_BYTES];
   unsigned char *to = bytes;

   to = put(to, inst->op, 2);
   to = put(to, inst->is_uniform, 1);
   to = put(to, inst->is_inside, 1);
   to = put(to, inst->num_words, 1);
   to = put(to, inst->origin, 4);
   for (unsigned i = 0; i < 3; i++)
      to = put(to, i < num_operands ? inst->operand[i].index : 0, 4);
   put(to, inst->imm, 8);
   tg_strbuf_add_n(out, (const char *)bytes, sizeof(bytes));
}

void
lir_serialize(const struct lir_module *module, struct tg_strbuf *out)
{
   add_number(out, module->num_functions, 4);
   add_number(out, module->num_vars, 4);
   add_number(out, module->num_arrays, 4);
   add_number(out, module->num_sizes, 4);
   add_number(out, module->has_tiled_surfaces, 1);
   for (uint32_t i = 0; i < module->num_vars; i++)
      add_number(out, module->vars[i].type, 1);
   for (uint32_t i = 0; i < module->num_arrays; i++)
      add_number(out, module->arrays[i].num_words, 4);
   for (uint32_t i = 0; i < module->num_sizes; i++) {
      add_number(out, module->sizes[i].binding, 4);
      add_number(out, module->sizes[i].num_words, 4);
   }
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      assert(function->num_params == 0 && function->num_results == 0);
      add_number(out, function->num_insts, 4);
      for (uint32_t i = 0; i < function->num_insts; i++)
         add_inst(out, &function->insts[i]);
   }
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
   const unsigned char *bytes;
   size_t num_bytes; /* that are left */
   bool failed;
};

static uint64_t
get(struct reader *reader, unsigned num_bytes)
{
   uint64_t value = 0;

   if (reader->num_bytes < num_bytes) {
      reader->failed = true;
      return 0;
   }
   for (unsigned i = 0; i < num_bytes; i++)
      value |= (uint64_t)reader->bytes[i] << 8 * i;
   reader->bytes += num_bytes;
   reader->num_bytes -= num_bytes;
   return value;
}

/* A number of things, each of so many bytes at least, that are to follow. */
static uint32_t
get_count(struct reader *reader, uint32_t most, unsigned item_bytes)
{
   const uint32_t count = (uint32_t)get(reader, 4);

   if (count <= most && count <= reader->num_bytes / item_bytes)
      return count;
   reader->failed = true;
   return 0;
}

static void *
make_array(struct lir_module *module, struct reader *reader, uint32_t count,
           size_t size)
{
   void *array = tg_arena_array(&module->arena, count, size);

   reader->failed |= !array;
   return array;
}

static void
get_inst(struct reader *reader, struct lir_inst *inst)
{
   inst->op = (uint16_t)get(reader, 2);
   const uint64_t is_uniform = get(reader, 1), is_inside = get(reader, 1);
   inst->is_uniform = is_uniform & 1;
   inst->is_inside = is_inside & 1;
   inst->num_words = (uint8_t)get(reader, 1);
   inst->origin = (uint32_t)get(reader, 4);
   for (unsigned i = 0; i < 3; i++)
      inst->operand[i].index = (uint32_t)get(reader, 4);
   inst->imm = get(reader, 8);
   reader->failed |= inst->op >= LIR_NUM_OPS || is_uniform > 1 ||
                     is_inside > 1 || inst->num_words > LIR_MAX_RUN;
}

static void
get_function(struct reader *reader, struct lir_module *module,
             struct lir_function *function)
{
   const uint32_t count = get_count(reader, LIR_MAX_INSTS, INST_BYTES);

   function->name = "";
   function->insts =
      make_array(module, reader, count, sizeof(*function->insts));
   function->capacity = count;
   for (uint32_t i = 0; i < count && !reader->failed; i++)
      get_inst(reader, &function->insts[i]);
   function->num_insts = reader->failed ? 0 : count;
}

static void
get_sizes(struct reader *reader, struct lir_module *module)
{
   module->sizes =
      make_array(module, reader, module->num_sizes, sizeof(*module->sizes));
   for (uint32_t i = 0; i < module->num_sizes && !reader->failed; i++) {
      module->sizes[i].binding = (uint32_t)get(reader, 4);
      module->sizes[i].num_words = (uint32_t)get(reader, 4);
   }
}

static void
get_globals(struct reader *reader, struct lir_module *module)
{
   module->vars =
      make_array(module, reader, module->num_vars, sizeof(*module->vars));
   module->arrays =
      make_array(module, reader, module->num_arrays, sizeof(*module->arrays));
   for (uint32_t i = 0; i < module->num_vars && !reader->failed; i++)
      module->vars[i] = (struct lir_var){"", (uint8_t)get(reader, 1)};
   for (uint32_t i = 0; i < module->num_arrays && !reader->failed; i++)
      module->arrays[i] = (struct lir_array){"", (uint32_t)get(reader, 4)};
}

bool
lir_deserialize(const void *bytes, size_t num_bytes, struct lir_module *module)
{
   struct reader reader = {.bytes = bytes, .num_bytes = num_bytes};

   assert(module->num_functions == 0);
   module->num_functions = get_count(&reader, LIR_MAX_FUNCTIONS, 4);
   module->num_vars = get_count(&reader, LIR_MAX_VARS, 1);
   module->num_arrays = get_count(&reader, LIR_MAX_ARRAY_WORDS, 4);
   module->num_sizes = get_count(&reader, LIR_MAX_SIZES, 8);
   const uint64_t is_tiled = get(&reader, 1);
   module->has_tiled_surfaces = is_tiled & 1;
   reader.failed |= is_tiled > 1;
   module->function_capacity = module->num_functions;
   module->var_capacity = module->num_vars;
   module->array_capacity = module->num_arrays;
   module->size_capacity = module->num_sizes;
   get_globals(&reader, module);
   get_sizes(&reader, module);
   module->functions = make_array(module, &reader, module->num_functions,
                                  sizeof(*module->functions));
   for (uint32_t i = 0; i < module->num_functions && !reader.failed; i++)
      get_function(&reader, module, &module->functions[i]);
   return !reader.failed && reader.num_bytes == 0;
}
