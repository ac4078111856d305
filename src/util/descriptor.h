/* SPDX-License-Identifier: MIT
 *
 * Whole reads and writes of file descriptors, whatever pieces the kernel makes
 * of them, and whatever signals come.
 */
#ifndef TG_UTIL_DESCRIPTOR_H
#define TG_UTIL_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

/* False at the end of the file, and after an error with its errno. */
bool
tg_descriptor_read_all(int file, void *to, size_t num_bytes);

/* False after an error, with its errno. */
bool
tg_descriptor_write_all(int file, const void *from, size_t num_bytes);

#endif
