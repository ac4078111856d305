/* SPDX-License-Identifier: MIT
 *
 * Arrays in files, raw or of NumPy, and the places where a shader finds them.
 */
#ifndef TG_CLI_COMMANDS_ARRAY_H
#define TG_CLI_COMMANDS_ARRAY_H

#include "tungsten/resource.h"
#include "util/npy.h"
#include "util/work.h"

/* What BUFFER[N] and the like name. */
struct cli_place {
   enum tg_buffer_file file;
   uint32_t number;
};

struct cli_array {
   struct cli_place place;
   const char *input;  /* a file, or NULL: zeros */
   const char *output; /* another file for it, or NULL */
   bool is_written;    /* by the shader, perhaps */
   bool is_npy;        /* the input is */
   struct tg_npy npy;
   struct tg_resource *resource;
};

enum { CLI_MAX_ARRAYS = 128 };

/* All that are bound. */
struct cli_arrays {
   struct cli_array list[CLI_MAX_ARRAYS];
   unsigned count;
};

/* Each of the functions prints a sentence, or leaves a diagnostic, and returns
 * TG_ERROR_INPUT or what went wrong otherwise. */

/* Reads PLACE=... and finds what stands after the =. */
enum tg_result
cli_read_array_place(const char *option, const char *argument,
                     struct cli_place *place_out, const char **rest_out);

/* The array of a place, or NULL. */
struct cli_array *
cli_find_array(struct cli_arrays *arrays, struct cli_place place);

/* Adds an array that --buffer or --zeros names, as yet without contents. */
enum tg_result
cli_add_array_file(struct cli_arrays *arrays, const char *argument);
enum tg_result
cli_add_zero_arrays(struct cli_arrays *arrays,
                    const struct tg_allocator *allocator, const char *argument,
                    struct tg_diagnostics *diagnostics);
enum tg_result
cli_add_output_array(struct cli_arrays *arrays, const char *argument);

/* Makes a buffer of zeros for a place that has none. */
enum tg_result
cli_make_array(struct cli_arrays *arrays, const struct tg_allocator *allocator,
               struct cli_place place, uint64_t num_bytes,
               struct tg_diagnostics *diagnostics,
               struct cli_array **array_out);

/* Reads the file of an array, for which `work` pays. */
enum tg_result
cli_load_array(struct cli_array *array, const struct tg_allocator *allocator,
               struct tg_work *work, struct tg_diagnostics *diagnostics);

/* Complains of a file that two arrays would be written to. */
enum tg_result
cli_check_output_arrays(const struct cli_arrays *arrays);

/* Writes the arrays that have an output, and those with a file that may have
 * been written to. */
enum tg_result
cli_save_arrays(const struct cli_arrays *arrays);

void
cli_arrays_finish(struct cli_arrays *arrays);

#endif
