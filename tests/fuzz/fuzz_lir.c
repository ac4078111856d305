/* SPDX-License-Identifier: MIT
 *
 * Modules of LIR as bytes, as the keeper of a code cache gets them from a
 * client. What is read and verifies is written as bytes that read as the same,
 * and can be decoded by the interpreter.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "exec/exec.h"
#include "lir/passes.h"
#include "lir/serialize.h"

static void
check_again(const struct lir_module *module)
{
   struct tg_strbuf first = {0}, second = {0};
   struct lir_module again;

   lir_serialize(module, &first);
   lir_module_init(&again, NULL);
   if (!lir_deserialize(first.data, first.length, &again) || lir_verify(&again))
      abort();
   lir_serialize(&again, &second);
   if (first.length != second.length ||
       memcmp(first.data, second.data, first.length) != 0)
      abort();
   tg_strbuf_finish(&first);
   tg_strbuf_finish(&second);
   lir_module_finish(&again);
}

static void
check_decoding(const struct lir_module *module)
{
   const struct exec_executor *executor = exec_find_executor("interp");
   struct exec_program *program;

   if (executor->compile(NULL, module, &program) == TG_OK)
      executor->destroy(program);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct lir_module module;

   lir_module_init(&module, NULL);
   if (lir_deserialize(data, size, &module) && !lir_verify(&module)) {
      check_again(&module);
      check_decoding(&module);
   }
   lir_module_finish(&module);
   return 0;
}
