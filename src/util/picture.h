/* SPDX-License-Identifier: MIT
 *
 * Pictures as PNG files: eight bits a channel, red, green, blue, alpha, rows
 * from the top without gaps.
 */
#ifndef TG_UTIL_PICTURE_H
#define TG_UTIL_PICTURE_H

#include <stdint.h>

#include "tungsten/base.h"

enum { TG_PICTURE_MAX_SIZE = 16384 }; /* pixels each way */

/* Writes a picture whole or not at all: beside `path` first, then in its
 * place; but to a pipe or a device directly. `rgba` has width * height * 4
 * bytes. TG_ERROR_INPUT when the size cannot be, TG_ERROR_IO,
 * TG_ERROR_MEMORY. */
enum tg_result
tg_picture_write(const char *path, uint32_t width, uint32_t height,
                 const uint8_t *rgba, struct tg_diagnostics *diagnostics);

/* Reads a picture of any PNG kind. `*rgba_out` is the caller's, to be freed
 * with tg_picture_free(). TG_ERROR_IO, TG_ERROR_INPUT for what is not a PNG or
 * too large, TG_ERROR_MEMORY. */
enum tg_result
tg_picture_read(const struct tg_allocator *allocator, const char *path,
                struct tg_diagnostics *diagnostics, uint32_t *width_out,
                uint32_t *height_out, uint8_t **rgba_out);

/* With the allocator and the size of tg_picture_read(). Takes NULL. */
void
tg_picture_free(const struct tg_allocator *allocator, uint8_t *rgba,
                uint32_t width, uint32_t height);

#endif
