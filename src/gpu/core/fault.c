/* SPDX-License-Identifier: MIT
 *
 * Faults and complaints as diagnostics.
 */
#include "gpu/core/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "tgsi/shader/shader.h"
#include "util/diagnostics.h"

enum tg_result
gpu_fault_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
                   const char *code, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   tg_vcomplain(diagnostics, result, code, "draw", format, args);
   va_end(args);
   return result;
}

enum { NAME_SIZE = 64 };

/* ---- faults -------------------------------------------------------------- */

/* At a line of a shader the message names the call; else that is the place. */
static void
diagnose(const struct gpu_fault *fault, const char *call, const char *what,
         struct tg_diagnostics *diagnostics)
{
   const struct tg_source nowhere = {.name = call};
   if (fault->shader)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, fault->what ? "run" : "limit",
                  &fault->shader->source, fault->position, NULL, "%s: %s", call,
                  what);
   else
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR,
                  fault->what ? "draw" : "limit", &nowhere, fault->position,
                  NULL, "%s", what);
}

static void
diagnose_late(const struct gpu_fault *fault, const char *call,
              struct tg_diagnostics *diagnostics)
{
   char what[80];
   snprintf(what, sizeof(what), "the limit of %g seconds of a call is reached",
            fault->late);
   diagnose(fault, call, what, diagnostics);
}

static void
diagnose_end(const struct tg_work *work, const struct gpu_fault *fault,
             const char *call, struct tg_diagnostics *diagnostics)
{
   const struct tg_source nowhere = {.name = call};
   if (fault->shader)
      tg_work_diagnose_call(work, diagnostics, &fault->shader->source,
                            fault->position, call);
   else
      tg_work_diagnose(work, diagnostics, &nowhere, fault->position);
}

enum tg_result
gpu_report_fault(const struct tg_work *work, const struct gpu_fault *fault,
                 struct tg_diagnostics *diagnostics)
{
   char call[NAME_SIZE];
   if (fault->result == TG_OK || fault->result == TG_ERROR_MEMORY)
      return fault->result;
   snprintf(call, sizeof(call), "%s %llu", tg_call_kind_name(fault->call.kind),
            (unsigned long long)fault->call.number);
   if (fault->what)
      diagnose(fault, call, fault->what, diagnostics);
   else if (fault->late > 0)
      diagnose_late(fault, call, diagnostics);
   else
      diagnose_end(work, fault, call, diagnostics);
   return fault->result;
}

enum tg_result
gpu_fault_charge(struct tg_work *work, uint64_t cost,
                 struct tg_diagnostics *diagnostics)
{
   if (tg_work_pay(work, cost))
      return TG_OK;
   return tg_work_diagnose(work, diagnostics, NULL, (struct tg_position){0});
}
