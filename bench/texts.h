/* SPDX-License-Identifier: MIT
 *
 * The shaders of a folder, as texts.
 */
#ifndef BENCH_TEXTS_H
#define BENCH_TEXTS_H

#include <stddef.h>

enum { BENCH_MAX_TEXTS = 8192 };

struct bench_text {
   char *name; /* of the file, without the folder */
   char *data;
   size_t length;
};

/* Reads all files of a folder that end in .tgsi into `texts`, which has room
 * for BENCH_MAX_TEXTS of which `num` are taken; returns how many are now. They
 * are never freed. Ends the program when there is no such folder. */
size_t
bench_read_texts(const char *folder, struct bench_text *texts, size_t num);

#endif
