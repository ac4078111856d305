/* SPDX-License-Identifier: MIT
 *
 * Words as files: little-endian bytes, or hexadecimal text.
 */
#ifndef TG_CLI_IO_HEX_WORDS_H
#define TG_CLI_IO_HEX_WORDS_H

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

enum { CLI_HEX_DIGITS = 8 /* of a word of 32 bits */ };

/* Whether the bytes look like text of cli_words_to_hex(): after comments the
 * first word is digits, with or without 0x and however many, or there is none.
 */
bool
cli_is_hex(const char *data, size_t size);

/* The first word, if the bytes begin with one after spaces and comments. */
bool
cli_first_hex(const char *at, const char *end, unsigned most_digits,
              uint64_t *word_out);

/* Does a comment begin here, with # or //? It goes to the end of the line. */
bool
cli_is_hex_comment(const char *at, const char *end);

/* The end of a line, or of all. */
const char *
cli_hex_line_end(const char *at, const char *end);

/* Reads a word at `*at`, which is no space, and steps over it. False when it is
 * no such word, or is followed by something else than a space or comma. */
bool
cli_read_hex(const char **at, const char *end, unsigned most_digits,
             uint64_t *word_out);

/* Complains, with the place in the file, that something else was expected. */
void
cli_complain_of_hex(const char *path, const char *data, size_t size,
                    const char *at, const char *expected,
                    struct tg_diagnostics *diagnostics);

/* The words of a file, to be freed with free(). NULL when the bytes are not
 * that, with a complaint that names the file. Between hexadecimal words are
 * spaces, commas, line ends and comments. */
uint32_t *
cli_words_from_bytes(const char *path, const char *data, size_t size,
                     size_t *num_words_out);
uint32_t *
cli_words_from_hex(const char *path, const char *data, size_t size,
                   struct tg_diagnostics *diagnostics, size_t *num_words_out);

#endif
