/* SPDX-License-Identifier: MIT
 *
 * An entry of the code cache as bytes: a header, which names the digest and has
 * a checksum of all, and the object.
 */
#ifndef TG_EXEC_STORE_ENTRY_H
#define TG_EXEC_STORE_ENTRY_H

#include "exec/store.h"

enum { EXEC_ENTRY_HEADER = 56 };

/* The header of an object that is kept under a digest. */
void
exec_entry_header(const struct exec_digest *digest, const void *object,
                  size_t size, unsigned char header[EXEC_ENTRY_HEADER]);

/* Is it a whole entry with this digest? Then its object is what follows the
 * header. The checksum tells of damage, not of malice. */
bool
exec_entry_is_good(const struct exec_digest *digest, const void *entry,
                   size_t num_bytes);

#endif
