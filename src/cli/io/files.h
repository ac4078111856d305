/* SPDX-License-Identifier: MIT
 *
 * Input and output of the subcommands: files read and written whole.
 */
#ifndef TG_CLI_IO_FILES_H
#define TG_CLI_IO_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "file/write.h"
#include "tungsten/base.h"

/* Reads a file, "-" being standard input, which can be read once, to its end.
 * Returns its bytes with a NUL after them, to be freed with free(), or NULL
 * with a sentence. */
char *
cli_read_file(const char *path, size_t *length_out);

/* Writes a file whole or leaves what was there as it was. `path` NULL or "-"
 * is standard output, which gets nothing but text if it is a terminal. False
 * with a sentence. */
bool
cli_write_file(const char *path, const void *data, size_t size);

/* Writes a string that the library gave away, NULL when memory ran out, and
 * frees it. Returns an enum cli_status. */
int
cli_write_string_file(const char *path, char *string);

/* cli_write_string_file() of JSON, with a line end after it. */
int
cli_write_json_file(const char *path, char *json);

/* Writes files, all or none, no standard output among them. False with a
 * sentence. */
bool
cli_write_files(const struct file_output *outputs, unsigned count);

#endif
