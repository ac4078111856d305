/* SPDX-License-Identifier: MIT
 *
 * The number of elements of an array, which must be one and no pointer.
 */
#ifndef TG_UTIL_LENGTH_H
#define TG_UTIL_LENGTH_H

/* Warnings about pointers are silent within assert(), hence the assertion. */
#define TG_LENGTH(array)                                                       \
   (sizeof(array) / sizeof((array)[0]) +                                       \
    0 * sizeof(struct {                                                        \
       _Static_assert(!__builtin_types_compatible_p(__typeof__(array),         \
                                                    __typeof__(&(array)[0])),  \
                      "an array");                                             \
       int word;                                                               \
    }))

#endif
