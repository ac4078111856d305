/* SPDX-License-Identifier: MIT
 *
 * Pictures as PNG files: eight bits a channel, red, green, blue, alpha, rows
 * from the top without gaps.
 */
#ifndef TG_FILE_PICTURE_H
#define TG_FILE_PICTURE_H

#include <stdint.h>

#include "tungsten/base.h"
#include "util/strbuf.h"

enum { FILE_MAX_PICTURE_SIZE = 16384 }; /* pixels each way */

struct tg_work;

/* Adds a picture as a PNG file to the end of `out`, whose allocator gives all
 * memory. `rgba` has width * height * 4 bytes. What it takes is charged to
 * `work`, which may be NULL. TG_ERROR_INPUT, with a sentence in `fault`, when
 * the size cannot be; TG_ERROR_MEMORY; TG_ERROR_LIMIT when the work has an end.
 */
enum tg_result
file_encode_picture(struct tg_work *work, uint32_t width, uint32_t height,
                    const uint8_t *rgba, struct tg_strbuf *out,
                    struct tg_strbuf *fault);

/* Reads a picture of any PNG kind from a descriptor. Its channels are as they
 * are stored, 16 bits rounded to eight, whatever the file says of gamma or
 * colour space. `*rgba_out` is a block of util/block.h. TG_ERROR_INPUT with a
 * sentence, for what is no PNG file or too large; TG_ERROR_MEMORY;
 * TG_ERROR_LIMIT. */
enum tg_result
file_decode_picture(const struct tg_allocator *allocator, struct tg_work *work,
                    int fd, struct tg_strbuf *fault, uint32_t *width_out,
                    uint32_t *height_out, uint8_t **rgba_out);

#endif
