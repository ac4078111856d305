/* SPDX-License-Identifier: MIT
 *
 * Bindings of memory: the part of it that shaders see, and how they sample it.
 * A line of a section, or a command, changes one thing of it.
 */
#ifndef TG_SCRIPT_SECTIONS_BINDING_H
#define TG_SCRIPT_SECTIONS_BINDING_H

#include "script/text/rules.h"
#include "tungsten/resource.h"

/* In place of a number: as the resource has it. */
#define SCRIPT_AS_IS UINT32_MAX

struct script_binding {
   uint32_t target, format;
   uint32_t levels[2], layers[2]; /* first and last */
   uint32_t bytes[2];             /* offset and size, of a buffer */
   uint8_t swizzle[4];
   struct tg_sampler_desc sampler;
};

#define SCRIPT_BINDING_INIT                                                    \
   {                                                                           \
      .target = SCRIPT_AS_IS, .format = SCRIPT_AS_IS,                          \
      .levels = {SCRIPT_AS_IS, SCRIPT_AS_IS},                                  \
      .layers = {SCRIPT_AS_IS, SCRIPT_AS_IS},                                  \
      .bytes = {SCRIPT_AS_IS, SCRIPT_AS_IS},                                   \
      .swizzle = {TG_SWIZZLE_X, TG_SWIZZLE_Y, TG_SWIZZLE_Z, TG_SWIZZLE_W},     \
      .sampler = TG_SAMPLER_DESC_INIT,                                         \
   }

/* Whether the next words begin such a line for a kind of place, and if so
 * reads it: *good_out is false after a complaint. Digits alone in colours are
 * what `plain` says. */
bool
script_accept_binding_change(struct script_cursor *cursor, unsigned kind,
                             enum script_plain plain,
                             struct script_change *change_out, bool *good_out);

/* Is it about the sampler, and not the view? */
bool
script_binding_changes_sampler(const struct script_change *change);

#endif
