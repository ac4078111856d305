/* SPDX-License-Identifier: MIT
 *
 * Loading and printing of shaders.
 */
#ifndef TG_CLI_IO_SHADER_H
#define TG_CLI_IO_SHADER_H

#include "cli/table/handlers.h"
#include "tungsten/tgsi.h"

/* The generation that --dialect named. */
enum tg_dialect
cli_shader_dialect(const struct cli_options *options);

/* The token layout that --layout named. */
enum tg_token_layout
cli_shader_layout(const struct cli_options *options);

/* What a file holds: a shader as text, those of a log, or the tokens of one. */
struct cli_shader_input {
   const char *path;
   char *data;
   size_t size;
   struct tg_log *log; /* NULL of tokens */
   uint32_t *words;    /* NULL of text */
   size_t num_words;
};

/* Reads a file; finish in any case. False when it can hold no shader: the
 * reason is on standard error or in the diagnostics. */
bool
cli_shader_input_read(struct cli_call *call, const char *path,
                      struct cli_shader_input *input_out);

void
cli_shader_input_finish(struct cli_shader_input *input);

/* How many shaders there are to be parsed, at least one: of a text without any,
 * the parser says so. */
uint32_t
cli_shader_input_count(const struct cli_shader_input *input);

/* Is there, in a log, anything but shaders? */
bool
cli_shader_input_is_mixed(const struct cli_shader_input *input);

/* Parses the shader with a number from 0 on; the caller destroys it. NULL as
 * above. */
struct tg_shader *
cli_shader_input_parse(struct cli_call *call,
                       const struct cli_shader_input *input, uint32_t number);

/* Reads a file of one shader and parses it; the caller destroys it. NULL as
 * above. */
struct tg_shader *
cli_load_shader(struct cli_call *call, const char *path);

/* The text of a shader, as the options ask for it; to be freed with
 * tg_string_free(), NULL when out of memory. */
char *
cli_shader_text(const struct tg_shader *shader,
                const struct cli_options *options);

#endif
