/* SPDX-License-Identifier: MIT
 *
 * Modules: their memory, and what they are made of.
 */
#include "lir/builder.h"

#include <assert.h>
#include <string.h>

void
lir_module_init(struct lir_module *module, const struct tg_allocator *allocator)
{
   *module = (struct lir_module){0};
   tg_arena_init(&module->arena, allocator);
}

void
lir_module_finish(struct lir_module *module)
{
   tg_arena_finish(&module->arena);
   *module = (struct lir_module){.arena = module->arena};
}

static const char *
copy_name(struct lir_module *module, const char *name)
{
   return tg_arena_strndup(&module->arena, name, strlen(name));
}

static void *
copy_array(struct lir_module *module, const void *from, size_t count,
           size_t size)
{
   void *to = tg_arena_array(&module->arena, count, size);

   if (to && count)
      memcpy(to, from, count * size);
   return to;
}

static bool
copy_function(struct lir_module *module, struct lir_function *function)
{
   function->name = copy_name(module, function->name);
   function->insts = copy_array(module, function->insts, function->num_insts,
                                sizeof(*function->insts));
   function->capacity = function->num_insts;
   return function->name && function->insts;
}

static bool
copy_symbols(struct lir_module *module, struct lir_symbols *symbols)
{
   const struct lir_symbols from = *symbols;

   if (from.name)
      symbols->name = copy_name(module, from.name);
   if (from.file)
      symbols->file = copy_name(module, from.file);
   if (from.lines)
      symbols->lines =
         copy_array(module, from.lines, from.num_lines, sizeof(*from.lines));
   return !from.name == !symbols->name && !from.file == !symbols->file &&
          !from.lines == !symbols->lines;
}

bool
lir_module_copy(const struct lir_module *from, struct lir_module *to)
{
   const struct tg_arena arena = to->arena;

   *to = *from;
   to->arena = arena;
   to->function_capacity = from->num_functions;
   to->var_capacity = from->num_vars;
   to->array_capacity = from->num_arrays;
   to->size_capacity = from->num_sizes;
   to->functions = copy_array(to, from->functions, from->num_functions,
                              sizeof(*from->functions));
   to->vars = copy_array(to, from->vars, from->num_vars, sizeof(*from->vars));
   to->arrays =
      copy_array(to, from->arrays, from->num_arrays, sizeof(*from->arrays));
   to->sizes =
      copy_array(to, from->sizes, from->num_sizes, sizeof(*from->sizes));
   bool is_copied = copy_symbols(to, &to->symbols) && to->functions &&
                    to->vars && to->arrays && to->sizes;
   for (uint32_t i = 0; is_copied && i < to->num_functions; i++)
      is_copied = copy_function(to, &to->functions[i]);
   for (uint32_t i = 0; is_copied && i < to->num_vars; i++)
      is_copied = (to->vars[i].name = copy_name(to, to->vars[i].name));
   for (uint32_t i = 0; is_copied && i < to->num_arrays; i++)
      is_copied = (to->arrays[i].name = copy_name(to, to->arrays[i].name));
   return is_copied;
}

uint32_t
lir_module_add_function(struct lir_module *module, const char *name)
{
   assert(name);
   if (module->num_functions >= LIR_MAX_FUNCTIONS ||
       !tg_arena_reserve(&module->arena, (void **)&module->functions,
                         &module->function_capacity, module->num_functions,
                         sizeof(*module->functions)))
      return UINT32_MAX;

   uint32_t index = module->num_functions;
   struct lir_function *function = &module->functions[index];

   *function = (struct lir_function){.name = copy_name(module, name)};
   if (!function->name ||
       !tg_arena_reserve(&module->arena, (void **)&function->insts,
                         &function->capacity, 0, sizeof(*function->insts)))
      return UINT32_MAX;
   function->insts[0] = (struct lir_inst){
      .op = LIR_OP_const32,
      .origin = LIR_NO_ORIGIN,
   };
   function->num_insts = 1;
   return module->num_functions++;
}

uint32_t
lir_module_add_var(struct lir_module *module, enum lir_type type,
                   const char *name)
{
   assert(name);
   assert(type > LIR_TYPE_V && type <= LIR_TYPE_B64);
   if (module->num_vars >= LIR_MAX_VARS ||
       !tg_arena_reserve(&module->arena, (void **)&module->vars,
                         &module->var_capacity, module->num_vars,
                         sizeof(*module->vars)))
      return UINT32_MAX;
   name = copy_name(module, name);
   if (!name)
      return UINT32_MAX;
   module->vars[module->num_vars] = (struct lir_var){
      .name = name,
      .type = (uint8_t)type,
   };
   return module->num_vars++;
}

uint32_t
lir_module_add_array(struct lir_module *module, uint32_t num_words,
                     const char *name)
{
   assert(name);
   if (!tg_arena_reserve(&module->arena, (void **)&module->arrays,
                         &module->array_capacity, module->num_arrays,
                         sizeof(*module->arrays)))
      return UINT32_MAX;
   name = copy_name(module, name);
   if (!name)
      return UINT32_MAX;
   module->arrays[module->num_arrays] = (struct lir_array){
      .name = name,
      .num_words = num_words,
   };
   return module->num_arrays++;
}

/* ---- declared sizes ------------------------------------------------------ */

static struct lir_size *
find_size(const struct lir_module *module, uint32_t binding)
{
   for (uint32_t i = 0; i < module->num_sizes; i++) {
      if (module->sizes[i].binding == binding)
         return &module->sizes[i];
   }
   return NULL;
}

uint32_t
lir_module_declared_words(const struct lir_module *module, uint32_t binding)
{
   const struct lir_size *size = find_size(module, binding);

   return size ? size->num_words : 0;
}

static struct lir_size *
add_size(struct lir_module *module, uint32_t binding)
{
   if (module->num_sizes >= LIR_MAX_SIZES ||
       !tg_arena_reserve(&module->arena, (void **)&module->sizes,
                         &module->size_capacity, module->num_sizes,
                         sizeof(*module->sizes)))
      return NULL;
   struct lir_size *size = &module->sizes[module->num_sizes++];
   *size = (struct lir_size){.binding = binding};
   return size;
}

bool
lir_module_declare_size(struct lir_module *module, uint32_t binding,
                        uint32_t num_words)
{
   assert(num_words > 0 && num_words <= LIR_MAX_SIZE_WORDS);
   struct lir_size *size = find_size(module, binding);

   if (!size)
      size = add_size(module, binding);
   if (!size)
      return false;
   size->num_words = num_words > size->num_words ? num_words : size->num_words;
   return true;
}
