/* SPDX-License-Identifier: MIT
 *
 * From LLVM modules to machine code in this process: LLVM's passes, its code
 * generator, and ORC's linker, which maps code writable first and executable
 * then, never both at once.
 */
#include "exec/jit/target.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "exec/jit/names.h"
#include "jit_sources.h"
#include "tungsten/base.h"

/* Straight code of many vectors; what LIR's passes did is not done again. */
#define PASSES "function(lower-expect,sroa,early-cse,simplifycfg,adce)"

/* ---- what is made once --------------------------------------------------- */

static struct {
   pthread_once_t once;
   LLVMOrcLLJITRef linker; /* NULL: LLVM could not make one */
   char *triple, *cpu, *features;
} process = {.once = PTHREAD_ONCE_INIT};

static void
recover(const char *reason);

static bool
succeeded(LLVMErrorRef error)
{
   if (!error)
      return true;
   char *message = llvm.GetErrorMessage(error); /* takes the error */
   llvm.DisposeErrorMessage(message);
   return false;
}

/* The features of a machine, which it takes. Where gathers are instructions
 * LLVM is told to use them: they are as fast as loads lane by lane, and code is
 * a third shorter. */
static char *
add_fast_gathers(char *features)
{
   char *more = NULL;

   if (!strstr(features, "+avx2") ||
       asprintf(&more, "%s,+fast-gather", features) < 0)
      return features;
   llvm.DisposeMessage(features);
   return more;
}

static void
init_process(void)
{
   llvm.InstallFatalErrorHandler(recover);
   process.triple = llvm.GetDefaultTargetTriple();
   process.cpu = llvm.GetHostCPUName();
   process.features = add_fast_gathers(llvm.GetHostCPUFeatures());
   if (!succeeded(llvm.OrcCreateLLJIT(&process.linker, NULL)))
      process.linker = NULL;
   else if (jit_names_are_for_gdb())
      succeeded(llvm.OrcLLJITEnableDebugSupport(process.linker));
}

static LLVMOrcLLJITRef
get_linker(void)
{
   pthread_once(&process.once, init_process);
   return process.linker;
}

/* `has` of a set, or whether this machine has a feature. */
static bool
has_feature(const struct jit_set *set, bool has, const char *feature)
{
   if (set->cpu)
      return has;
   pthread_once(&process.once, init_process);
   return strstr(process.features, feature) != NULL;
}

bool
jit_target_has_half(const struct jit_set *set)
{
   return has_feature(set, set->has_half, "+f16c");
}

bool
jit_target_has_avx2(const struct jit_set *set)
{
   return has_feature(set, set->has_avx2, "+avx2");
}

bool
jit_target_has_avx512(const struct jit_set *set)
{
   return has_feature(set, set->has_avx512, "+avx512f");
}

static bool
is_of_amd(void)
{
   return strncmp(process.cpu, "znver", strlen("znver")) == 0;
}

/* AMD's scatters are microcode: there the loop over lanes stays. */
bool
jit_target_has_scatter(const struct jit_set *set)
{
   return has_feature(set, set->has_scatter, "+avx512f") &&
          (set->cpu || !is_of_amd());
}

/* Of LLVM's models those of AMD have code scheduled once more after register
 * allocation, which takes 4 % of the time to compile and makes code no faster.
 * With AVX-512 the other model would have LLVM split vectors in two. */
const char *
jit_target_tuning(const struct jit_set *set)
{
   return has_feature(set, false, "+avx2") &&
                !has_feature(set, false, "+avx512f") && is_of_amd()
             ? "haswell"
             : NULL;
}

/* ---- what code depends on ------------------------------------------------ */

static void
add_text(llvm_blake3_hasher *hasher, const char *text)
{
   llvm.blake3_update(hasher, text, strlen(text) + 1);
}

static const char *
cpu_of(const struct jit_set *set)
{
   return set->cpu ? set->cpu : process.cpu;
}

static const char *
features_of(const struct jit_set *set)
{
   return set->cpu ? set->features : process.features;
}

void
jit_target_identify(const struct jit_set *set, llvm_blake3_hasher *hasher)
{
   unsigned major, minor, patch;
   char versions[160];

   pthread_once(&process.once, init_process);
   llvm.GetVersion(&major, &minor, &patch);
   snprintf(versions, sizeof(versions), "tungsten %s %s, LLVM %u.%u.%u",
            tg_version_string(), JIT_SOURCES, major, minor, patch);
   add_text(hasher, versions);
   add_text(hasher, PASSES);
   add_text(hasher, process.triple);
   add_text(hasher, cpu_of(set));
   add_text(hasher, features_of(set));
}

/* ---- code generation ----------------------------------------------------- */

/* GDB steps through code in the order of lines; machine sinking, for one, would
 * drop them. The values are the same. */
static LLVMCodeGenOptLevel
code_level(void)
{
   return jit_names_are_for_gdb() ? LLVMCodeGenLevelNone
                                  : LLVMCodeGenLevelDefault;
}

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
   return llvm.CreateTargetMachine(target, process.triple, cpu_of(set),
                                   features_of(set), code_level(), LLVMRelocPIC,
                                   LLVMCodeModelSmall);
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
generate(const struct jit_set *set, LLVMModuleRef module)
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

/* ---- fatal errors -------------------------------------------------------- */

/* LLVM ends the process when it can not go on, as where it has no instruction
 * for something. Its handler, which is of the whole process, leaves it instead:
 * what LLVM had made for that module is lost, so that it may happen a few times
 * and not more. */
enum { MAX_FATAL_ERRORS = 8 };

static atomic_uint num_fatal_errors;
static _Thread_local jmp_buf *recovery; /* of what this thread generates */

/* In a thread that is not here it is the error of another user of LLVM, which
 * ends the process, as it would without Tungsten. */
static void
recover(const char *reason)
{
   if (!recovery) {
      fprintf(stderr, "LLVM ERROR: %s\n", reason);
      return;
   }
   atomic_fetch_add(&num_fatal_errors, 1);
   longjmp(*recovery, 1);
}

LLVMMemoryBufferRef
jit_target_generate(const struct jit_set *set, LLVMModuleRef module,
                    bool *is_lost_out)
{
   jmp_buf place;

   pthread_once(&process.once, init_process);
   *is_lost_out = false;
   if (atomic_load(&num_fatal_errors) >= MAX_FATAL_ERRORS)
      return NULL;
   recovery = &place;
   if (setjmp(place)) {
      recovery = NULL;
      *is_lost_out = true;
      return NULL;
   }
   LLVMMemoryBufferRef object = generate(set, module);
   recovery = NULL;
   return object;
}

/* ---- linking ------------------------------------------------------------- */

/* The size of the first symbol of that name with a size: a file symbol, which
 * has none, may have the same name. */
static size_t
find_symbol_size(LLVMBinaryRef binary, LLVMSymbolIteratorRef symbols,
                 const char *name)
{
   size_t size = 0;

   while (!size && !llvm.ObjectFileIsSymbolIteratorAtEnd(binary, symbols)) {
      if (strcmp(llvm.GetSymbolName(symbols), name) == 0)
         size = llvm.GetSymbolSize(symbols);
      llvm.MoveToNextSymbol(symbols);
   }
   return size;
}

/* Bytes of a function of an object file; 0 where they are not known. */
static size_t
find_size(LLVMMemoryBufferRef object, const char *name)
{
   char *message = NULL;
   LLVMBinaryRef binary = llvm.CreateBinary(object, NULL, &message);

   if (!binary) {
      llvm.DisposeMessage(message);
      return 0;
   }
   LLVMSymbolIteratorRef symbols = llvm.ObjectFileCopySymbolIterator(binary);
   const size_t size = find_symbol_size(binary, symbols, name);
   llvm.DisposeSymbolIterator(symbols);
   llvm.DisposeBinary(binary);
   return size;
}

bool
jit_target_link(LLVMMemoryBufferRef object, const char *name,
                struct jit_linked *linked_out)
{
   LLVMOrcExecutorAddress address;

   if (!get_linker()) {
      llvm.DisposeMemoryBuffer(object);
      return false;
   }
   LLVMOrcJITDylibRef library = llvm.OrcLLJITGetMainJITDylib(process.linker);
   *linked_out = (struct jit_linked){
      .tracker = llvm.OrcJITDylibCreateResourceTracker(library),
      .size = jit_names_are_for_perf() ? find_size(object, name) : 0,
   };
   if (succeeded(llvm.OrcLLJITAddObjectFileWithRT(
          process.linker, linked_out->tracker, object)) &&
       succeeded(llvm.OrcLLJITLookup(process.linker, &address, name))) {
      linked_out->function = (jit_function)(uintptr_t)address;
      return true;
   }
   jit_target_unlink(linked_out);
   return false;
}

void
jit_target_unlink(struct jit_linked *linked)
{
   if (!linked->tracker)
      return;
   succeeded(llvm.OrcResourceTrackerRemove(linked->tracker));
   llvm.OrcReleaseResourceTracker(linked->tracker);
   *linked = (struct jit_linked){0};
}
