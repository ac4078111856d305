/* SPDX-License-Identifier: MIT
 *
 * Standard output, which must not get lost.
 */
#ifndef TG_CLI_IO_STANDARD_OUTPUT_H
#define TG_CLI_IO_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Does a path, NULL or "-", stand for standard input or output? */
bool
cli_is_stdio(const char *path);

/* Writes bytes; when some could not be written cli_close_stdout() says so. */
bool
cli_output_bytes(const void *data, size_t size);

/* Prints and frees a string that the library gave away, NULL when memory ran
 * out; after JSON stands a line end. */
bool
cli_output_string(char *string);
bool
cli_output_json(char *json);

/* Ends standard output: false with a sentence when something of what was
 * printed could not be written. */
bool
cli_close_stdout(void);

/* Puts something in the place of standard input and outputs that are closed, so
 * that no file that is opened becomes one of them. They cannot be used then
 * either. */
void
cli_guard_stdio(void);

#endif
