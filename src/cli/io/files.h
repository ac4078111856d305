/* SPDX-License-Identifier: MIT
 *
 * Input and output of the subcommands: files read and written whole, sentences
 * on standard error, standard output that must not get lost.
 */
#ifndef TG_CLI_IO_FILES_H
#define TG_CLI_IO_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "file/write.h"
#include "tungsten/base.h"

/* Prints "tungsten: SENTENCE" on standard error. */
void
cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Translates the result of a library function to a status; memory and limits
 * get a sentence, as there is no diagnostic of them. */
int
cli_status_of(enum tg_result result);

/* Does a path, NULL or "-", stand for standard input or output? */
bool
cli_is_stdio(const char *path);

/* Reads a file, "-" being standard input, which can be read once, to its end.
 * Returns its bytes with a NUL after them, to be freed with free(), or NULL
 * with a sentence. */
char *
cli_read(const char *path, size_t *length_out);

/* Writes a file whole or leaves what was there as it was. `path` NULL or "-"
 * is standard output, which gets nothing but text if it is a terminal. False
 * with a sentence. */
bool
cli_write(const char *path, const void *data, size_t size);

/* Writes a string that the library gave away, NULL when memory ran out, and
 * frees it. Returns an enum cli_status. */
int
cli_write_string(const char *path, char *string);

/* cli_write_string() of JSON, with a line end after it. */
int
cli_write_json(const char *path, char *json);

/* Writes files, all or none, no standard output among them. False with a
 * sentence. */
bool
cli_write_files(const struct file_output *outputs, unsigned count);

struct cli_options;

/* Prints what was diagnosed, if anything, on standard error, in colors as the
 * options ask. */
void
cli_print_diagnostics(const struct tg_diagnostics *diagnostics,
                      const struct cli_options *options);

/* Prints and frees a string that the library gave away, NULL when memory ran
 * out; after JSON stands a line end. */
bool
cli_put_string(char *string);
bool
cli_put_json(char *json);

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
