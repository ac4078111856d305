/* SPDX-License-Identifier: MIT
 *
 * Entries of the code cache. The header:
 *   u8   magic[8]
 *   u8   digest[32]
 *   u64  the bytes of the object
 *   u64  XXH64 of the object, seeded with that of the header so far
 * Numbers are those of this machine: no entry is another machine's.
 */
#include "exec/store/entry.h"

#include <string.h>
#define XXH_INLINE_ALL /* and nothing to be linked */
#include <xxhash.h>

static const char magic[] = "tgcode\n\1";

enum {
   DIGEST_AT = sizeof(magic) - 1,
   SIZE_AT = DIGEST_AT + EXEC_DIGEST_BYTES,
   CHECKSUM_AT = SIZE_AT + sizeof(uint64_t),
};

_Static_assert(CHECKSUM_AT + sizeof(uint64_t) == EXEC_ENTRY_HEADER, "no more");

void
exec_entry_header(const struct exec_digest *digest, const void *object,
                  size_t size, unsigned char header[EXEC_ENTRY_HEADER])
{
   const uint64_t num_bytes = size;

   memcpy(header, magic, DIGEST_AT);
   memcpy(header + DIGEST_AT, digest->bytes, EXEC_DIGEST_BYTES);
   memcpy(header + SIZE_AT, &num_bytes, sizeof(num_bytes));
   const uint64_t seed = XXH64(header, CHECKSUM_AT, 0);
   const uint64_t checksum = XXH64(object, size, seed);
   memcpy(header + CHECKSUM_AT, &checksum, sizeof(checksum));
}

bool
exec_entry_is_good(const struct exec_digest *digest, const void *entry,
                   size_t num_bytes)
{
   unsigned char header[EXEC_ENTRY_HEADER];

   if (num_bytes <= EXEC_ENTRY_HEADER ||
       num_bytes - EXEC_ENTRY_HEADER > EXEC_MAX_OBJECT)
      return false;
   exec_entry_header(digest, (const unsigned char *)entry + EXEC_ENTRY_HEADER,
                     num_bytes - EXEC_ENTRY_HEADER, header);
   return memcmp(header, entry, sizeof(header)) == 0;
}
