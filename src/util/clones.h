/* SPDX-License-Identifier: MIT
 *
 * Function multiversioning: a static function that works on vectors is compiled
 * for AVX2 and AVX-512 too, with all that it calls in its file, and the loader
 * chooses for this processor. Results are the same, as nothing is contracted.
 * Vectors stay as wide as they are; AVX-512 has twice the registers for them,
 * masks, and any function of three bits as one instruction. Sanitizers are not
 * ready yet when the loader asks, and GCC 11 has no dispatcher for x86-64-v4.
 */
#ifndef TG_UTIL_CLONES_H
#define TG_UTIL_CLONES_H

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&        \
   __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) &&                         \
   !defined(__SANITIZE_THREAD__)
#define TG_CLONES                                                              \
   __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), flatten))
#else
#define TG_CLONES
#endif

#endif
