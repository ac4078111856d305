/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/passes.h"
#include "lir/serialize.h"
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

static size_t
scratch_size(const struct exec_executor *executor,
             const struct exec_program *program)
{
   return (executor->scratch_size(program) + 63) / 64 * 64;
}

static void
fill_with_garbage(void *scratch, const struct exec_executor *executor,
                  const struct exec_program *program)
{
   memset(scratch, 0xa5, scratch_size(executor, program));
}

void *
make_scratch(const struct exec_executor *executor,
             const struct exec_program *program)
{
   const size_t size = scratch_size(executor, program);
   void *scratch = aligned_alloc(64, size ? size : 64);

   assert_non_null(scratch);
   fill_with_garbage(scratch, executor, program);
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

/* What was compiled last. A module that comes again, with other memory to run
 * on, is not compiled again: LLVM would take most of a test's time. */
enum { MAX_RECENT = 128 };
static struct {
   struct tg_strbuf bytes; /* the module's */
   struct compiled compiled;
} recent[MAX_RECENT];
static unsigned num_recent;

static bool
is_recent(unsigned i, const struct exec_executor *executor,
          const struct tg_strbuf *bytes)
{
   return recent[i].compiled.executor == executor &&
          recent[i].bytes.length == bytes->length &&
          memcmp(recent[i].bytes.data, bytes->data, bytes->length) == 0;
}

static struct compiled *
find_compiled(const struct exec_executor *executor,
              const struct lir_module *module)
{
   struct tg_strbuf bytes = {0};
   struct compiled compiled;

   lir_serialize(module, &bytes);
   assert_false(bytes.failed);
   for (unsigned i = 0; i < MAX_RECENT; i++) {
      if (!is_recent(i, executor, &bytes))
         continue;
      tg_strbuf_finish(&bytes);
      return &recent[i].compiled;
   }
   open_compiled(&compiled, executor, module);
   const unsigned oldest = num_recent++ % MAX_RECENT;

   if (recent[oldest].compiled.executor)
      close_compiled(&recent[oldest].compiled);
   tg_strbuf_finish(&recent[oldest].bytes);
   recent[oldest].bytes = bytes;
   recent[oldest].compiled = compiled;
   return &recent[oldest].compiled;
}

void
forget_compiled(void)
{
   for (unsigned i = 0; i < MAX_RECENT; i++) {
      if (!recent[i].compiled.executor)
         continue;
      close_compiled(&recent[i].compiled);
      recent[i].compiled.executor = NULL;
   }
}

void
run_on(struct harness *harness, const struct exec_executor *executor)
{
   struct exec_wave wave = harness->wave;

   assert_false(harness->b.failed);
   assert_null(lir_verify(&harness->module));
   memset(harness->output, 0, sizeof(harness->output));
   const struct compiled *compiled = find_compiled(executor, &harness->module);

   fill_with_garbage(compiled->scratch, executor, compiled->program);
   harness->result = executor->run(compiled->program, &harness->wave,
                                   compiled->scratch, &harness->fault);

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
