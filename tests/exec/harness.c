/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/passes.h"
#include "tungsten/base.h"

unsigned
all_executors(const struct exec_executor *executors[MAX_EXECUTORS])
{
   const char *name;
   unsigned count = 0;

   for (unsigned i = 0; (name = tg_executor_name(i)); i++) {
      const struct exec_executor *executor = exec_find_executor(name);
      unsigned j = 0;

      while (j < count && executors[j] != executor)
         j++;
      assert_true(j < MAX_EXECUTORS);
      executors[j] = executor;
      count += j == count;
   }
   return count;
}

void
begin(struct harness *harness)
{
   memset(harness, 0, sizeof(*harness));
   lir_module_init(&harness->module, NULL);
   assert_int_equal(lir_module_add_function(&harness->module, "main"), 0);
   lir_builder_init(&harness->b, &harness->module, 0);
   harness->wave.launched = 0xffff;
   harness->wave.live = 0xffff;
   harness->wave.loop_budget = 1000;
   harness->wave.output.data = harness->output;
   harness->wave.output.num_words = MAX_OUTPUTS;
}

void
end(struct harness *harness)
{
   lir_module_finish(&harness->module);
}

void
give(struct harness *harness, uint32_t index, lir_value value)
{
   lir_value at = lir_const32(&harness->b, index);

   lir_store32(&harness->b, LIR_SPACE_OUTPUT, 0, at, value);
}

void *
make_scratch(const struct exec_executor *executor,
             const struct exec_program *program)
{
   size_t size = (executor->scratch_size(program) + 63) / 64 * 64;
   void *scratch = aligned_alloc(64, size ? size : 64);

   assert_non_null(scratch);
   memset(scratch, 0xa5, size);
   return scratch;
}

void
open_compiled(struct compiled *compiled, const struct exec_executor *executor,
              const struct lir_module *module)
{
   *compiled = (struct compiled){.executor = executor};
   assert_int_equal(executor->compile(NULL, module, &compiled->program), TG_OK);
   compiled->scratch = make_scratch(executor, compiled->program);
}

void
close_compiled(struct compiled *compiled)
{
   free(compiled->scratch);
   compiled->executor->destroy(compiled->program);
}

void
run_on(struct harness *harness, const struct exec_executor *executor)
{
   struct exec_wave wave = harness->wave;
   struct compiled compiled;

   assert_false(harness->b.failed);
   assert_null(lir_verify(&harness->module));
   memset(harness->output, 0, sizeof(harness->output));
   open_compiled(&compiled, executor, &harness->module);
   harness->result = executor->run(compiled.program, &harness->wave,
                                   compiled.scratch, &harness->fault);
   close_compiled(&compiled);

   /* The next run begins alike; what became of `live` is seen by `check`. */
   uint32_t live = harness->wave.live;
   harness->wave = wave;
   harness->wave.live = live;
}

void
run_on_all(struct harness *harness, void (*check)(struct harness *harness))
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   unsigned count = all_executors(executors);
   uint32_t live = harness->wave.live;

   assert_true(count > 0);
   for (unsigned i = 0; i < count; i++) {
      harness->wave.live = live;
      run_on(harness, executors[i]);
      check(harness);
   }
   harness->wave.live = live;
}

void
expect(const struct harness *harness, uint32_t index,
       const uint32_t expected[LIR_LANES])
{
   for (unsigned i = 0; i < LIR_LANES; i++) {
      if (harness->output[index][i] != expected[i])
         fail_msg("output %u, lane %u: %u, expected %u", index, i,
                  harness->output[index][i], expected[i]);
   }
}

void
expect_all(const struct harness *harness, uint32_t index, uint32_t expected)
{
   uint32_t lanes[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      lanes[i] = expected;
   expect(harness, index, lanes);
}
