/* SPDX-License-Identifier: MIT
 *
 * From LLVM modules to machine code in this process: LLVM's passes, its code
 * generator, and ORC's linker, which maps code writable first and executable
 * then, never both at once.
 */
#include "exec/jit/target.h"

#include <pthread.h>
#include <string.h>

/* Straight code of many vectors; what LIR's passes did is not done again. */
#define PASSES "function(sroa,early-cse,simplifycfg,instsimplify,adce)"

/* ---- what is made once --------------------------------------------------- */

static struct {
   pthread_once_t once;
   LLVMOrcLLJITRef linker; /* NULL: LLVM could not make one */
   char *triple, *cpu, *features;
} process = {.once = PTHREAD_ONCE_INIT};

static bool
succeeded(LLVMErrorRef error)
{
   if (!error)
      return true;
   char *message = llvm.GetErrorMessage(error); /* takes the error */
   llvm.DisposeErrorMessage(message);
   return false;
}

static void
init_process(void)
{
   process.triple = llvm.GetDefaultTargetTriple();
   process.cpu = llvm.GetHostCPUName();
   process.features = llvm.GetHostCPUFeatures();
   if (!succeeded(llvm.OrcCreateLLJIT(&process.linker, NULL)))
      process.linker = NULL;
}

static LLVMOrcLLJITRef
get_linker(void)
{
   pthread_once(&process.once, init_process);
   return process.linker;
}

bool
jit_has_half(const struct jit_set *set)
{
   if (set->cpu)
      return set->has_half;
   pthread_once(&process.once, init_process);
   return strstr(process.features, "+f16c") != NULL;
}

/* ---- code generation ----------------------------------------------------- */

/* A target machine is for one thread at a time. */
static LLVMTargetMachineRef
make_machine(const struct jit_set *set)
{
   LLVMTargetRef target;
   char *message = NULL;

   if (llvm.GetTargetFromTriple(process.triple, &target, &message)) {
      llvm.DisposeMessage(message);
      return NULL;
   }
   return llvm.CreateTargetMachine(
      target, process.triple, set->cpu ? set->cpu : process.cpu,
      set->cpu ? set->features : process.features, LLVMCodeGenLevelDefault,
      LLVMRelocPIC, LLVMCodeModelJITDefault);
}

static bool
run_passes(LLVMTargetMachineRef machine, LLVMModuleRef module)
{
   LLVMPassBuilderOptionsRef options = llvm.CreatePassBuilderOptions();
   const bool is_done =
      succeeded(llvm.RunPasses(module, PASSES, machine, options));

   llvm.DisposePassBuilderOptions(options);
   return is_done;
}

/* An object file; NULL when LLVM refuses. */
static LLVMMemoryBufferRef
emit_object(LLVMTargetMachineRef machine, LLVMModuleRef module)
{
   LLVMMemoryBufferRef object = NULL;
   char *message = NULL;

   if (!llvm.TargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
                                             &message, &object))
      return object;
   llvm.DisposeMessage(message);
   return NULL;
}

static LLVMMemoryBufferRef
generate_object(const struct jit_set *set, LLVMModuleRef module)
{
   LLVMTargetMachineRef machine = make_machine(set);
   LLVMMemoryBufferRef object = NULL;

   if (!machine)
      return NULL;
   LLVMTargetDataRef layout = llvm.CreateTargetDataLayout(machine);
   llvm.SetModuleDataLayout(module, layout);
   llvm.SetTarget(module, process.triple);
   llvm.DisposeTargetData(layout);
   if (run_passes(machine, module))
      object = emit_object(machine, module);
   llvm.DisposeTargetMachine(machine);
   return object;
}

/* ---- linking ------------------------------------------------------------- */

/* Takes the object over. */
static bool
link_object(LLVMMemoryBufferRef object, const char *name,
            struct jit_code *code_out)
{
   LLVMOrcJITDylibRef library = llvm.OrcLLJITGetMainJITDylib(process.linker);
   LLVMOrcResourceTrackerRef tracker =
      llvm.OrcJITDylibCreateResourceTracker(library);
   LLVMOrcExecutorAddress address;

   *code_out = (struct jit_code){.tracker = tracker};
   if (succeeded(
          llvm.OrcLLJITAddObjectFileWithRT(process.linker, tracker, object)) &&
       succeeded(llvm.OrcLLJITLookup(process.linker, &address, name))) {
      code_out->function = (jit_function)(uintptr_t)address;
      return true;
   }
   jit_free_code(code_out);
   return false;
}

bool
jit_generate(const struct jit_set *set, LLVMModuleRef module, const char *name,
             struct jit_code *code_out)
{
   if (!get_linker())
      return false;
   LLVMMemoryBufferRef object = generate_object(set, module);
   return object && link_object(object, name, code_out);
}

void
jit_free_code(struct jit_code *code)
{
   if (!code->tracker)
      return;
   succeeded(llvm.OrcResourceTrackerRemove(code->tracker));
   llvm.OrcReleaseResourceTracker(code->tracker);
   *code = (struct jit_code){0};
}
