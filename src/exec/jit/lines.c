/* SPDX-License-Identifier: MIT
 *
 * Line tables: DWARF that maps code to the lines of TGSI that it came from, as
 * one function of a compile unit for each module.
 */
#include "exec/jit/lines.h"

#include <stdlib.h>
#include <string.h>

#include "exec/jit/names.h"
#include "exec/jit/source.h"

struct jit_lines {
   LLVMDIBuilderRef builder;
   LLVMMetadataRef function;
};

/* LLVM drops debug information without the version that it knows. */
static void
set_version(const struct jit_emitter *e)
{
   static const char flag[] = "Debug Info Version";
   const LLVMValueRef version =
      llvm.ConstInt(e->i32, llvm.DebugMetadataVersion(), false);

   llvm.AddModuleFlag(e->llvm, LLVMModuleFlagBehaviorWarning, flag,
                      strlen(flag), llvm.ValueAsMetadata(version));
}

static LLVMMetadataRef
create_file(LLVMDIBuilderRef builder, const struct lir_symbols *symbols)
{
   const char *name = jit_find_source_file(symbols);
   char *folder = jit_find_source_folder(symbols);
   const char *where = folder ? folder : "";
   const LLVMMetadataRef file = llvm.DIBuilderCreateFile(
      builder, name, strlen(name), where, strlen(where));

   free(folder);
   return file;
}

/* DWARF has no code for TGSI; debuggers know C. */
static void
create_unit(LLVMDIBuilderRef builder, LLVMMetadataRef file)
{
   static const char producer[] = "tungsten";

   llvm.DIBuilderCreateCompileUnit(builder, LLVMDWARFSourceLanguageC99, file,
                                   producer, strlen(producer), true, "", 0, 0,
                                   "", 0, LLVMDWARFEmissionFull, 0, false,
                                   false, "", 0, "", 0);
}

/* Without a linkage name, which GDB would show in place of the title. */
static LLVMMetadataRef
create_function(LLVMDIBuilderRef builder, LLVMMetadataRef file,
                const struct lir_module *module)
{
   char title[JIT_TITLE_BYTES];
   const unsigned line = jit_find_source_line(&module->symbols, 0);
   const LLVMMetadataRef type = llvm.DIBuilderCreateSubroutineType(
      builder, file, NULL, 0, LLVMDIFlagZero);

   jit_print_name(module, title);
   return llvm.DIBuilderCreateFunction(builder, file, title, strlen(title), "",
                                       0, file, line, type, false, true, line,
                                       LLVMDIFlagZero, true);
}

void
jit_begin_lines(struct jit_emitter *e)
{
   if (!jit_names_are_for_gdb())
      return;
   struct jit_lines *lines = tg_arena_alloc(&e->arena, sizeof(*lines));
   if (!lines)
      return; /* code without them is as good */
   lines->builder = llvm.CreateDIBuilder(e->llvm);
   const LLVMMetadataRef file =
      create_file(lines->builder, &e->module->symbols);
   create_unit(lines->builder, file);
   lines->function = create_function(lines->builder, file, e->module);
   llvm.SetSubprogram(e->function, lines->function);
   set_version(e);
   e->lines = lines;
   jit_locate_line_at(e, 0);
}

/* Code without an origin keeps the line of what precedes it. */
void
jit_locate_line_at(struct jit_emitter *e, uint32_t origin)
{
   const uint32_t line = jit_find_source_line(&e->module->symbols, origin);

   if (line)
      llvm.SetCurrentDebugLocation2(
         e->b, llvm.DIBuilderCreateDebugLocation(e->context, line, 0,
                                                 e->lines->function, NULL));
}

void
jit_end_lines(struct jit_emitter *e)
{
   if (!e->lines)
      return;
   llvm.DIBuilderFinalize(e->lines->builder);
   llvm.DisposeDIBuilder(e->lines->builder);
   e->lines = NULL;
}
