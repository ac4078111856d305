/* SPDX-License-Identifier: MIT
 *
 * Token streams as files: little-endian bytes, or hexadecimal text with eight
 * words on a line.
 */
#ifndef TG_CLI_WORDS_H
#define TG_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a file in a form; to be freed with free(), NULL when out of
 * memory. */
char *
cli_words_to_bytes(const uint32_t *words, size_t num_words, size_t *size_out);
char *
cli_words_to_hex(const uint32_t *words, size_t num_words, size_t *size_out);

/* Whether the bytes are text of cli_words_to_hex(): nothing but words of one
 * to eight digits, with or without 0x, spaces, commas and line ends. */
bool
cli_is_hex(const char *data, size_t size);

/* The words of a file, to be freed with free(). NULL with a sentence that
 * names the file when the bytes are not that. */
uint32_t *
cli_words_from_bytes(const char *path, const char *data, size_t size,
                     size_t *num_words_out);
uint32_t *
cli_words_from_hex(const char *path, const char *data, size_t size,
                   size_t *num_words_out);

#endif
