/* SPDX-License-Identifier: MIT
 *
 * Serialization: a module as bytes, all that code depends on and nothing else.
 * Modules that differ in no byte compile to the same code; names are left out.
 * Numbers are little-endian.
 */
#ifndef LIR_SERIALIZE_H
#define LIR_SERIALIZE_H

#include "lir/lir.h"
#include "util/strbuf.h"

/* Adds the bytes of a module that verifies; see struct tg_strbuf for a lack of
 * memory. */
void
lir_serialize(const struct lir_module *module, struct tg_strbuf *out);

/* Reads a module into an empty one, from bytes that nobody has checked: what
 * comes of them is bounded by their number, and is to be verified. False when
 * they are no module, or out of memory; the caller finishes what there is. */
bool
lir_deserialize(const void *bytes, size_t num_bytes, struct lir_module *module);

#endif
