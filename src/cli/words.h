/* SPDX-License-Identifier: MIT
 *
 * Words as files: little-endian bytes, or hexadecimal text.
 */
#ifndef TG_CLI_WORDS_H
#define TG_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

/* The bytes of a file in a form; to be freed with free(), NULL when out of
 * memory. */
char *
cli_words_to_bytes(const uint32_t *words, size_t num_words, size_t *size_out);
char *
cli_words_to_hex(const uint32_t *words, size_t num_words,
                 unsigned words_per_line, size_t *size_out);

/* Whether the bytes are text and not numbers: no control characters but those
 * of spaces and lines. */
bool
cli_is_text(const char *data, size_t size);

/* Whether the bytes look like text of cli_words_to_hex(): the first word is one
 * to eight digits, with or without 0x, or there is none. */
bool
cli_is_hex(const char *data, size_t size);

/* The words of a file, to be freed with free(). NULL when the bytes are not
 * that, with a complaint that names the file. Between hexadecimal words are
 * spaces, commas and line ends. */
uint32_t *
cli_words_from_bytes(const char *path, const char *data, size_t size,
                     size_t *num_words_out);
uint32_t *
cli_words_from_hex(const char *path, const char *data, size_t size,
                   struct tg_diagnostics *diagnostics, size_t *num_words_out);

#endif
