/* SPDX-License-Identifier: MIT
 *
 * Validation of members and ranges of state.
 */
#include "gpu/state/check.h"

#include <math.h>

#include "gpu/core/fault.h"

enum tg_result
gpu_check_members(const struct gpu_member *members, size_t count,
                  struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < count; i++) {
      if (members[i].value >= members[i].bound)
         return gpu_fault_complain(
            diagnostics, TG_ERROR_INPUT, "state", "%s is %u; it can be 0 to %u",
            members[i].name, members[i].value, members[i].bound - 1);
   }
   return TG_OK;
}

enum tg_result
gpu_check_float(const char *name, float value,
                struct tg_diagnostics *diagnostics)
{
   if (isfinite(value))
      return TG_OK;
   return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "%s is not a finite number", name);
}

enum tg_result
gpu_check_range(const char *name, unsigned first, unsigned count,
                unsigned bound, struct tg_diagnostics *diagnostics)
{
   if (first <= bound && count <= bound - first)
      return TG_OK;
   return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "%u %s from %u on; there are %u", count, name,
                             first, bound);
}
