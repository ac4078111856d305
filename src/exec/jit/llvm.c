/* SPDX-License-Identifier: MIT
 *
 * Loading LLVM's library. It stays loaded.
 */
#include "exec/jit/llvm.h"

#include <dlfcn.h>
#include <pthread.h>

#include "exec/jit/names.h"

#if defined(__x86_64__)
#define TARGET "X86"
#elif defined(__aarch64__)
#define TARGET "AArch64"
#endif

struct llvm_functions llvm;

static bool is_loaded;

struct row {
   const char *name;
   void **pointer;
};

static const struct row rows[] = {
#define LLVM_SYMBOL(name, symbol) {#symbol, (void **)&llvm.name},
#include "exec/jit/llvm.def"
};

/* What prepares the target: functions without parameters, named after it. */
static const char *const initializers[] = {
   "LLVMInitialize" TARGET "TargetInfo",
   "LLVMInitialize" TARGET "Target",
   "LLVMInitialize" TARGET "TargetMC",
   "LLVMInitialize" TARGET "AsmPrinter",
};

static bool
find_functions(void *library)
{
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      *rows[i].pointer = dlsym(library, rows[i].name);
      if (!*rows[i].pointer)
         return false;
   }
   return true;
}

static bool
initialize_target(void *library)
{
   for (unsigned i = 0; i < sizeof(initializers) / sizeof(initializers[0]);
        i++) {
      void (*initialize)(void);

      *(void **)&initialize = dlsym(library, initializers[i]);
      if (!initialize)
         return false;
      initialize();
   }
   return true;
}

static void
load(void)
{
   /* LLVM looks its GDB registration function up among global symbols. */
   const int scope = jit_names_are_for_gdb() ? RTLD_GLOBAL : RTLD_LOCAL;
   void *library = dlopen(JIT_LLVM_LIBRARY, RTLD_NOW | scope);

   if (!library)
      return;
   is_loaded = find_functions(library) && initialize_target(library);
   if (!is_loaded)
      dlclose(library);
}

bool
llvm_load(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;

   pthread_once(&once, load);
   return is_loaded;
}
