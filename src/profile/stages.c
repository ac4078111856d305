/* SPDX-License-Identifier: MIT
 *
 * Stages of profiles: what tables and traces say of each.
 */
#include "profile/state.h"

#define CALLER "caller"
#define WORKER "worker"
#define COMPILER "compiler"

/* clang-format off */
const struct profile_stage profile_stages[TG_NUM_PROFILE_STAGES] = {
   /* by number                 name            title                      thread    wait   comp.  call */
   [TG_PROFILE_DECODE]       = {"decode",       "commands of clients",     CALLER,   false, false, false},
   [TG_PROFILE_DRAW]         = {"draw",         "calls of draws",          CALLER,   false, false, false},
   [TG_PROFILE_VERTEX]       = {"vertex",       "vertices",                WORKER,   false, false, false},
   [TG_PROFILE_TESSELLATION] = {"tessellation", "tessellation",            WORKER,   false, false, false},
   [TG_PROFILE_GEOMETRY]     = {"geometry",     "geometry shaders",        WORKER,   false, false, false},
   [TG_PROFILE_SETUP]        = {"setup",        "setup and binning",       WORKER,   false, false, false},
   [TG_PROFILE_TILE]         = {"tile",         "tiles",                   WORKER,   false, false, false},
   [TG_PROFILE_FRAGMENT]     = {"fragment",     "fragments in tiles",      WORKER,   false, false, false},
   [TG_PROFILE_CLEAR]        = {"clear",        "clears",                  CALLER,   false, false, false},
   [TG_PROFILE_BLIT]         = {"blit",         "blits and copies",        CALLER,   false, false, false},
   [TG_PROFILE_COMPUTE]      = {"compute",      "dispatches",              CALLER,   false, false, false},
   [TG_PROFILE_UPLOAD]       = {"upload",       "uploads",                 CALLER,   false, false, false},
   [TG_PROFILE_READ]         = {"read",         "read-backs",              CALLER,   false, false, false},
   [TG_PROFILE_LOWER]        = {"lower",        "compiling: lowering",     CALLER,   false, true,  true},
   [TG_PROFILE_PASSES]       = {"passes",       "compiling: passes",       CALLER,   false, true,  true},
   [TG_PROFILE_INTERPRETER]  = {"interpreter",  "compiling: interpreter",  CALLER,   false, true,  true},
   [TG_PROFILE_CODE_CACHE]   = {"code cache",   "compiling: code cache",   COMPILER, false, true,  true},
   [TG_PROFILE_CODE]         = {"code",         "compiling: machine code", COMPILER, false, true,  true},
   [TG_PROFILE_WAIT]         = {"wait",         "waits for drawing",       CALLER,   true,  false, true},
   [TG_PROFILE_IDLE]         = {"idle",         "waits for a client",      CALLER,   true,  false, false},
};
/* clang-format on */

const char *
tg_profile_stage_name(enum tg_profile_stage stage)
{
   return (unsigned)stage < TG_NUM_PROFILE_STAGES ? profile_stages[stage].name
                                                  : NULL;
}
