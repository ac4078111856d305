/* SPDX-License-Identifier: MIT
 *
 * Sections of DWARF 4 about one function, which is all of its compile unit.
 * Each is appended to `out`, where it begins at an offset of zero.
 */
#ifndef TG_EXEC_JIT_DWARF_H
#define TG_EXEC_JIT_DWARF_H

#include "exec/jit/debug.h"
#include "util/strbuf.h"

void
jit_dwarf_write_frames(struct tg_strbuf *out,
                       const struct jit_debug_info *info);
void
jit_dwarf_write_abbreviations(struct tg_strbuf *out,
                              const struct jit_debug_info *info);
void
jit_dwarf_write_entries(struct tg_strbuf *out,
                        const struct jit_debug_info *info);
void
jit_dwarf_write_lines(struct tg_strbuf *out, const struct jit_debug_info *info);

#endif
