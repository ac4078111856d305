/* SPDX-License-Identifier: MIT
 *
 * From modules to code in memory, which is written first and executable then,
 * never both at once.
 */
#include "exec/x86/x86.h"

#include <cpuid.h>
#include <sys/mman.h>

#define XXH_INLINE_ALL /* and nothing to be linked */
#include <xxhash.h>

#include "exec/jit/names.h"
#include "exec/x86/emitter.h"

/* Not all compilers have a name for it. Virtual machines trap the instruction,
 * so the processor is asked once. */
static bool
has_f16c(void)
{
   enum { NOT_ASKED, NO, YES };
   static _Atomic int answer = NOT_ASKED;

   if (answer == NOT_ASKED) {
      unsigned a, b, c, d;

      answer = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) ? YES : NO;
   }
   return answer == YES;
}

bool
x86_is_there(void)
{
   return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") &&
          has_f16c();
}

/* ---- memory -------------------------------------------------------------- */

static void
map(struct x86_assembler *a, struct x86_code *code)
{
   const size_t size = x86_asm_size(a);
   void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

   if (memory == MAP_FAILED)
      return;
   x86_asm_copy(a, memory);
   if (mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
      munmap(memory, size);
      return;
   }
   *code = (struct x86_code){
      .memory = memory,
      .size = size,
      .function = (jit_function)(uintptr_t)memory,
   };
}

static void
name(const struct x86_emitter *e, const struct x86_code *code)
{
   if (!code->memory || !jit_wants_names())
      return;
   const uint64_t hash = XXH64(code->memory, code->size, 0);
   jit_add_name_to_map(e->module, (uint32_t)hash, code->memory, code->size);
   jit_show_to_gdb(&(struct jit_debug_info){
      .module = e->module,
      .code = code->memory,
      .size = e->a.num_bytes,
      .rows = e->lines.rows,
      .num_rows = e->lines.num_rows,
      .prologue = e->prologue,
   });
}

void
x86_release(struct x86_code *code)
{
   if (code->memory && !jit_wants_names())
      munmap(code->memory, code->size);
   *code = (struct x86_code){0};
}

/* ---- compiling ----------------------------------------------------------- */

enum tg_result
x86_compile(const struct lir_module *module, const struct jit_shape *shape,
            const struct tg_allocator *allocator, struct x86_code *code_out)
{
   struct x86_emitter e;
   struct tg_arena arena;

   *code_out = (struct x86_code){0};
   tg_arena_init(&arena, allocator);
   const enum tg_result result = x86_emit(&e, module, shape, &arena);
   if (result == TG_OK) {
      map(&e.a, code_out);
      name(&e, code_out);
   }
   tg_arena_finish(&arena);
   return result == TG_ERROR_MEMORY ? result : TG_OK;
}
