/* SPDX-License-Identifier: MIT
 *
 * The code cache: machine code of shaders, kept in a folder, so that a program
 * which starts again compiles nothing. Executors that generate code, "jit" and
 * "auto", look there first; others do without.
 *
 * Code is found by the BLAKE3 digest of all that it follows from: the lane IR
 * of the shader with its state, the version of this library and of LLVM, and
 * the processor. What is damaged, cut off or of another name is left alone, and
 * replaced. A folder that is full or cannot be written is no error: then
 * nothing is kept.
 *
 * What is in the folder is run. So it must belong to this user or the
 * superuser, and so must its files, and nobody else may write to them.
 */
#ifndef TUNGSTEN_CODE_CACHE_H
#define TUNGSTEN_CODE_CACHE_H

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Any number of devices, programs and threads may use one; so may several
 * processes use one folder. */
struct tg_code_cache;

struct tg_code_cache_options {
   size_t size;        /* sizeof(struct tg_code_cache_options) */
   const char *folder; /* made if it is not there, for this user alone */
   uint64_t max_bytes; /* that its files may take, in blocks of 4 KiB; those
                        * that were not used for the longest time go first. Each
                        * process counts what it adds and looks what others
                        * added after a sixteenth of the bound. 0:
                        * TG_CODE_CACHE_USUAL_BYTES */
};

#define TG_CODE_CACHE_USUAL_BYTES (UINT64_C(256) << 20)
#define TG_CODE_CACHE_OPTIONS_INIT                                             \
   TG_INIT_(tg_code_cache_options, TG_NO_MEMBERS_)

/** Opens a folder. `allocator` must be one for many threads. TG_ERROR_INPUT
 * without a folder; TG_ERROR_IO when it cannot be opened, or others may write
 * to it, with a diagnostic; TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_code_cache_create(const struct tg_allocator *allocator,
                     const struct tg_code_cache_options *options,
                     struct tg_diagnostics *diagnostics,
                     struct tg_code_cache **cache_out);

/** After all that was made with it. Takes NULL. */
TG_API void
tg_code_cache_destroy(struct tg_code_cache *cache);

/** What became of code that was asked for, since the cache was opened. */
struct tg_code_cache_statistics {
   size_t size;      /* sizeof(struct tg_code_cache_statistics) */
   uint64_t found;   /* files that were good */
   uint64_t missed;  /* that were not there */
   uint64_t refused; /* that were there and not good */
   uint64_t kept;    /* that were written */
   uint64_t lost;    /* that could not be written */
   uint64_t removed; /* to make room */
};

#define TG_CODE_CACHE_STATISTICS_INIT                                          \
   TG_INIT_(tg_code_cache_statistics, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT for a size that is not known, and then nothing is written.
 * Any thread. */
TG_API enum tg_result
tg_code_cache_get_statistics(const struct tg_code_cache *cache,
                             struct tg_code_cache_statistics *statistics_out);

#ifdef __cplusplus
}
#endif

#endif
