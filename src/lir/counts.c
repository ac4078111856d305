/* SPDX-License-Identifier: MIT
 *
 * How often a module has each operation, as text.
 */
#include <stdlib.h>

#include "lir/passes.h"
#include "util/strbuf.h"

struct count {
   uint32_t op;
   uint64_t number;
};

static int
compare_counts(const void *a, const void *b)
{
   const struct count *x = a, *y = b;

   if (x->number != y->number)
      return x->number < y->number ? 1 : -1;
   return x->op < y->op ? -1 : 1;
}

static uint64_t
count_module(const struct lir_module *module, struct count counts[LIR_NUM_OPS])
{
   uint64_t total = 0;

   for (uint32_t i = 0; i < LIR_NUM_OPS; i++)
      counts[i] = (struct count){.op = i};
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++)
         counts[function->insts[i].op].number++;
      total += function->num_insts;
   }
   return total;
}

char *
lir_print_counts(const struct lir_module *module, const char *indent)
{
   struct tg_strbuf out = {.allocator = module->arena.allocator};
   struct count counts[LIR_NUM_OPS];
   const unsigned long long total = count_module(module, counts);

   qsort(counts, LIR_NUM_OPS, sizeof(*counts), compare_counts);
   tg_strbuf_printf(&out, "%s%llu instructions\n", indent, total);
   for (uint32_t i = 0; i < LIR_NUM_OPS && counts[i].number > 0; i++)
      tg_strbuf_printf(&out, "%s%llu %s\n", indent,
                       (unsigned long long)counts[i].number,
                       lir_op_row(counts[i].op)->name);
   return tg_strbuf_take(&out);
}
