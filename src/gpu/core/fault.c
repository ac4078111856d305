/* SPDX-License-Identifier: MIT
 *
 * Faults and complaints as diagnostics.
 */
#include "gpu/core/fault.h"

#include <stdarg.h>

#include "tgsi/shader.h"
#include "util/diagnostics.h"

enum tg_result
gpu_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *format, ...)
{
   const struct tg_source source = {.name = "draw"};
   va_list args;
   va_start(args, format);
   tg_vdiagnose(diagnostics, TG_SEVERITY_ERROR, code, &source,
                (struct tg_position){0}, NULL, format, args);
   va_end(args);
   return result;
}

enum tg_result
gpu_report(const struct tg_work *work, const struct gpu_fault *fault,
           struct tg_diagnostics *diagnostics)
{
   if (fault->result == TG_OK || fault->result == TG_ERROR_MEMORY)
      return fault->result;
   if (!fault->what)
      return tg_work_diagnose(work, diagnostics,
                              fault->shader ? &fault->shader->source : NULL,
                              fault->position);
   if (!fault->shader)
      return gpu_complain(diagnostics, fault->result, "draw", "%s",
                          fault->what);
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "run", &fault->shader->source,
               fault->position, NULL, "%s", fault->what);
   return fault->result;
}

enum tg_result
gpu_charge(struct tg_work *work, uint64_t cost,
           struct tg_diagnostics *diagnostics)
{
   if (tg_work_pay(work, cost))
      return TG_OK;
   return tg_work_diagnose(work, diagnostics, NULL, (struct tg_position){0});
}
