/* SPDX-License-Identifier: MIT
 *
 * Shared memory with a client: it has a descriptor, and cannot be made smaller
 * by anybody.
 */
#ifndef VTEST_SHARED_H
#define VTEST_SHARED_H

#include <stdint.h>

#include "virgl/virgl.h"

/* How much one client has, and may have, in bytes. Any thread may release. */
struct vtest_account {
   _Atomic uint64_t used;
   uint64_t most;
};

/* Allocates memory that is shared with a client: zeros, and a descriptor of it,
 * which is the caller's to close; -1 when there is none, or the client has had
 * enough. The account must outlive the memory, which takes as much again once
 * it is made private. */
int
vtest_share(struct vtest_account *account, uint64_t num_bytes,
            struct virgl_memory *memory_out);

#endif
