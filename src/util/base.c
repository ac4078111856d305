/* SPDX-License-Identifier: MIT
 *
 * The small constants of the public API: version, names of results.
 */
#include "tungsten/base.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch)                                      \
   TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

uint32_t
tg_version(void)
{
   return TG_VERSION;
}

const char *
tg_version_string(void)
{
   return VERSION_TEXT(TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH);
}

const char *
tg_result_name(enum tg_result result)
{
   switch (result) {
   case TG_OK: return "ok";
   case TG_ERROR_INPUT: return "the input is at fault";
   case TG_ERROR_MEMORY: return "out of memory";
   case TG_ERROR_LIMIT: return "a limit was reached";
   case TG_ERROR_IO: return "a file could not be read or written";
   case TG_ERROR_UNSUPPORTED: return "not supported";
   }
   return "unknown result";
}
