/* SPDX-License-Identifier: MIT
 *
 * The pipeline of passes over operations.
 */
#include "tegra/compile.h"

enum tg_result
compile_optimize(const struct compile *compile, struct mir *mir)
{
   (void)compile;
   (void)mir;
   return TG_OK;
}
