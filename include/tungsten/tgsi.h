/* SPDX-License-Identifier: MIT
 *
 * The language: TGSI as text, as binary tokens, and as an object between them
 * that can be checked and asked about.
 *
 * A tg_shader is made by tg_shader_parse() or tg_shader_decode() and never
 * changes afterwards, so any number of threads may read it.
 */
#ifndef TUNGSTEN_TGSI_H
#define TUNGSTEN_TGSI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The generation of the specification whose meaning counts where generations
 * disagree. All spellings of all generations are read in each.
 */
enum tg_dialect {
   TG_DIALECT_2010,
   TG_DIALECT_2011,
   TG_DIALECT_2019, /* the usual one */
};

/** Whose numbers a token stream has; streams do not say it themselves. */
enum tg_token_layout {
   TG_TOKENS_MESA_20_0, /* 12.0 to 22.2 number most things alike */
   TG_TOKENS_MESA_23_3,
};

struct tg_shader;

/**
 * Reads a shader's text, which need not end in NUL. `name` is what diagnostics
 * call it. Mesa's grammar and the forms of all three specifications are
 * accepted. After a mistake parsing goes on at the next statement, so that all
 * are reported; then no shader is made. Text of more than 64 MiB is refused.
 * Name and text are copied. On success `*shader_out` is the caller's, to be
 * freed with tg_shader_destroy().
 * TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_shader_parse(const struct tg_allocator *allocator, const char *name,
                const char *text, size_t length, enum tg_dialect dialect,
                struct tg_diagnostics *diagnostics,
                struct tg_shader **shader_out);

/**
 * Reads `num_words` words of tokens. What no text could say (an unknown
 * opcode, a file that does not exist, a count that leads past the end) is
 * refused with the number of its word. The name is copied; `*shader_out` is the
 * caller's, to be freed with tg_shader_destroy().
 * TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_shader_decode(const struct tg_allocator *allocator, const char *name,
                 const uint32_t *words, size_t num_words,
                 enum tg_token_layout layout, enum tg_dialect dialect,
                 struct tg_diagnostics *diagnostics,
                 struct tg_shader **shader_out);

/** Adds a reference, and returns the shader; NULL gives NULL. Any thread. A
 * shader never changes, so any number of threads may use it. */
TG_API struct tg_shader *
tg_shader_ref(const struct tg_shader *shader);

/** Drops a reference; the last one frees the shader. Takes NULL. Any thread. */
TG_API void
tg_shader_destroy(struct tg_shader *shader);

/** Where producers of shaders and the specification differ; bits. */
enum tg_quirk {
   /* What 64-bit operations write takes the pairs of their sources in turn, as
    * Mesa's virgl driver counts on: D2F, D2I, D2U, I642F and U642F give the
    * first pair to the first channel that is written, and others to .zw where
    * it is written alone. By the specification .y of D2F and .zw of DADD are of
    * the second pair. */
   TG_QUIRK_PAIRS_IN_TURN = 1 << 0,
   /* BASEVERTEX of draws without indices is 0, as gl_BaseVertex is in OpenGL.
    * By the specification it is their first vertex. */
   TG_QUIRK_BASE_OF_INDICES = 1 << 1,
   /* A counter is the one that the register names, whatever the offset is: that
    * of Mesa's virgl driver repeats it, in bytes of its array. By the
    * specification the offset is added, in counters. */
   TG_QUIRK_COUNTERS_BY_REGISTER = 1 << 2,
   /* FRC and, right after it, MAD, or MUL and ADD, that takes the fraction
    * times -1.0 from the number is FLR, which Mesa's virgl driver writes so:
    * the same to the bit, but that infinities stay. By the specification their
    * fraction is NaN. Not for shaders with BRA, which may lead between them. */
   TG_QUIRK_FLOOR_BY_FRACTION = 1 << 3,
   /* EX2, LG2 and POW, that of LIT too, have the precision that GLSL asks for
    * (4.60, section 4.7.1), with half of the work: powers are 2^(y * log2 x),
    * and the less accurate the larger that product is; what is below 2^-126
    * counts as 0, negative operands of LG2 and POW with it, which are
    * undefined in GLSL. x^0 stays 1 for finite x. By the specification they
    * are C's exp2f(), log2f() and powf(). */
   TG_QUIRK_GLSL_POWERS = 1 << 4,
   /* RSQ and, before any flow control, RCP of what it wrote is SQRT, which
    * Mesa's virgl driver writes so: rounded once. By the specification it is
    * rounded three times. Not where RCP is PRECISE, nor in shaders with BRA. */
   TG_QUIRK_ROOT_BY_RECIPROCALS = 1 << 5,
   /* TXP with CUBE ignores w, as OpenGL ignores q of cube maps (4.2,
    * compatibility profile, section 3.10.10): programs that generate s, t and r
    * may have left it 0. By the specification w divides the direction. */
   TG_QUIRK_CUBES_WITHOUT_Q = 1 << 6,
   /* All that shaders of Mesa's virgl driver, which are OpenGL's, count on. */
   TG_QUIRKS_OF_VIRGL = TG_QUIRK_PAIRS_IN_TURN | TG_QUIRK_BASE_OF_INDICES |
                        TG_QUIRK_COUNTERS_BY_REGISTER |
                        TG_QUIRK_FLOOR_BY_FRACTION | TG_QUIRK_GLSL_POWERS |
                        TG_QUIRK_ROOT_BY_RECIPROCALS |
                        TG_QUIRK_CUBES_WITHOUT_Q,
};

/** Has a shader run with these quirks, enum tg_quirk, and no others; at first
 * there are none. Right after the shader was made: what has been made of it
 * stays as it is. Bits that there are not change nothing. */
TG_API void
tg_shader_set_quirks(struct tg_shader *shader, uint32_t quirks);

/* ---- logs ---------------------------------------------------------------- */

/**
 * The shaders in a log: what a driver prints, one shader after another with
 * other lines between them, or files put together. Each begins with its stage,
 * in capitals and the last word of a line. What stands before the stage may be
 * before every line of the shader, with other numbers (a time, a count). Lines
 * within a shader that do not look like statements are passed over.
 *
 * A log does not change after it was read, so any number of threads may ask it.
 * Indices of shaders are below tg_log_num_shaders().
 */
struct tg_log;

enum { TG_LOG_MAX_SHADERS = 65536 };

/**
 * Finds the shaders, without parsing them; there may be none. Time is in
 * proportion to `length`, memory to the number of shaders. Declarations outside
 * of all shaders get a warning, if there are any shaders. A text of more than 1
 * GiB, and one of more shaders than TG_LOG_MAX_SHADERS, is refused. Name and
 * text are borrowed, and must live and stay as they are until tg_log_destroy()
 * is called with
 * `*log_out`, which is the caller's.
 * TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_log_read(const struct tg_allocator *allocator, const char *name,
            const char *text, size_t length, struct tg_diagnostics *diagnostics,
            struct tg_log **log_out);

/** Takes NULL. */
TG_API void
tg_log_destroy(struct tg_log *log);

/** They are numbered from 0 on, in the order of the log. */
TG_API uint32_t
tg_log_num_shaders(const struct tg_log *log);

/** Is there anything in the text that is of no shader? Blank lines are not, nor
 * are any where the text is no log, as tg_log_parse() says. */
TG_API bool
tg_log_has_others(const struct tg_log *log);

/** The line on which a shader begins, from 1. */
TG_API uint32_t
tg_log_line(const struct tg_log *log, uint32_t index);

/** The stage of a shader: "VERT", as tg_shader_processor_name() has it. */
TG_API const char *
tg_log_processor_name(const struct tg_log *log, uint32_t index);

/**
 * The text of a shader as it was printed, without what else is in its lines or
 * between them. The string is the caller's (tg_string_free()); NULL when out of
 * memory.
 */
TG_API char *
tg_log_text(const struct tg_log *log, uint32_t index);

/**
 * Parses a shader, as tg_shader_parse() does and with the log's allocator.
 * Diagnostics have the lines and columns of the log, and a warning for lines
 * within the shader that are no part of it. A text that begins with a shader
 * and has no other is no log: there every line counts. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_log_parse(const struct tg_log *log, uint32_t index, enum tg_dialect dialect,
             struct tg_diagnostics *diagnostics, struct tg_shader **shader_out);

/* ---- shaders ------------------------------------------------------------- */

/** How tg_shader_print() writes; to be or-ed. */
enum tg_print_flags {
   TG_PRINT_FLOATS_AS_HEX = 1 << 0, /* FLT32 immediates as 0x3f800000 */
};

/**
 * The shader in the form that Mesa's tgsi_dump gives it, to the byte. The
 * string is the caller's (tg_string_free()); NULL when out of memory.
 */
TG_API char *
tg_shader_print(const struct tg_shader *shader, unsigned flags);

/**
 * The shader as tokens, in the byte order of the machine. `*words_out` is the
 * caller's (tg_tokens_free()). TG_ERROR_MEMORY;
 * TG_ERROR_INPUT when the layout has no number for something that the shader
 * uses, or no room for a value; the diagnostics say for what.
 */
TG_API enum tg_result
tg_shader_encode(const struct tg_shader *shader, enum tg_token_layout layout,
                 struct tg_diagnostics *diagnostics, uint32_t **words_out,
                 size_t *num_words_out);

/** Frees what tg_shader_encode() gave. Takes NULL. */
TG_API void
tg_tokens_free(uint32_t *words);

/**
 * Checks every rule of the language. All faults are reported, and warnings for
 * what is legal and odd. TG_OK when there is no error; TG_ERROR_INPUT,
 * TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_shader_validate(const struct tg_shader *shader,
                   struct tg_diagnostics *diagnostics);

/**
 * As tg_shader_validate(), with warnings also for what no specification has and
 * real producers emit: TXB2 and TXL2 of SHADOW2D_ARRAY, which Mesa has.
 */
TG_API enum tg_result
tg_shader_validate_strictly(const struct tg_shader *shader,
                            struct tg_diagnostics *diagnostics);

/**
 * What a validated shader declares and does, as a JSON object: counts, files,
 * inputs, outputs, system values, bound objects, properties, a histogram of
 * opcodes and a list of what it uses. The string is the caller's
 * (tg_string_free()); NULL when out of memory.
 */
TG_API char *
tg_shader_info_json(const struct tg_shader *shader);

/** The same in a few lines for people. */
TG_API char *
tg_shader_info_text(const struct tg_shader *shader);

/** "VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL" or "COMP". */
TG_API const char *
tg_shader_processor_name(const struct tg_shader *shader);

/** The generation that the shader was read as. */
TG_API enum tg_dialect
tg_shader_dialect(const struct tg_shader *shader);

/** Diagnostics and traces count them from 0. */
TG_API uint32_t
tg_shader_num_instructions(const struct tg_shader *shader);

#ifdef __cplusplus
}
#endif

#endif
