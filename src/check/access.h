/* SPDX-License-Identifier: MIT
 *
 * A memory access in one lane, decoded from a trace event.
 */
#ifndef TG_CHECK_ACCESS_H
#define TG_CHECK_ACCESS_H

#include "check/state.h"

struct check_access {
   enum abi_access_kind kind;
   unsigned unit, num_units; /* 0 units: nothing is bound that fits */
   enum lir_space space;
   uint32_t binding;
   const struct exec_memory *memory; /* NULL: none, or a lane's own */
   unsigned lane;
   uint32_t index; /* of the first unit */
};

/* The operand that names what is accessed. */
const struct tg_register *
check_memory_object(const struct check *check, const struct check_wave *wave);

/* Is x of the coordinates in an image in bytes? */
bool
check_memory_is_by_bytes(const struct check *check,
                         const struct check_wave *wave,
                         const struct check_access *access);

/* "byte 16 of BUFFER[2]", "texel (3, 4) of IMAGE[0]", "byte (12, 4) of RES[0]".
 */
struct check_place_name {
   char text[96];
};
struct check_place_name
check_place_name(const struct check *check, const struct check_wave *wave,
                 const struct check_access *access);

/* "reads", "writes" or "changes". */
const char *
check_name_verb(enum abi_access_kind kind);

/* Data race detection: notes an access that is inside; in a dispatch, complains
 * about one without order. Whether all its units were written before: in the
 * block, if they are shared memory. */
bool
check_race(struct check *check, const struct check_wave *wave,
           const struct check_access *access);

#endif
