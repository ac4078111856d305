/* SPDX-License-Identifier: MIT
 *
 * What each row of tungsten/caps.def promises, tried. Of a MOST row
 * takes_NAME() says whether the API takes so many; of the others holds_NAME()
 * says whether the value is what it does. A row without a function does not
 * link.
 */
#ifndef TESTS_GPU_CAPS_ROWS_H
#define TESTS_GPU_CAPS_ROWS_H

#include "pipe.h"
#include "tungsten/caps.h"

enum { CAPS_WIDTH = 16, CAPS_HEIGHT = 300 }; /* of the pipe */

#define CAPS_MOST(name) bool takes_##name(struct pipe *pipe, uint64_t number);
#define CAPS_HOLDS(name)                                                       \
   bool holds_##name(struct pipe *pipe, const struct tg_caps *caps);
#define CAPS_CLAMP(name) CAPS_HOLDS(name)
#define CAPS_FACT(name) CAPS_HOLDS(name)
#define CAPS_SET(name) CAPS_HOLDS(name)
#define CAPS_FEATURE(name)
#define TG_CAP_(kind, type, name, value, what) CAPS_##kind(name)
#include "tungsten/caps.def"
#undef CAPS_MOST
#undef CAPS_HOLDS
#undef CAPS_CLAMP
#undef CAPS_FACT
#undef CAPS_SET
#undef CAPS_FEATURE

#endif
