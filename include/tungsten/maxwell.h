/* SPDX-License-Identifier: MIT
 *
 * Maxwell's texture instructions: TEXS, whose operands and results are single
 * registers and pairs, and its siblings. Assemble, disassemble, check and
 * simulate them, and turn the texture instructions of a TGSI shader into them.
 * The specification is the page "TEXS: Texture Fetch with scalar/non-vec4
 * source/destinations"; where that is silent the choices are those that
 * docs/maxwell.md lists.
 *
 * A tg_maxwell_program never changes after it was made, so any number of
 * threads may read it and run it at once.
 */
#ifndef TUNGSTEN_MAXWELL_H
#define TUNGSTEN_MAXWELL_H

#include "tungsten/resource.h"
#include "tungsten/tgsi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
   TG_MAXWELL_MAX_INSTRUCTIONS = 1 << 16,
   TG_MAXWELL_NUM_REGISTERS = 255, /* R0 to R254; R255 is RZ */
   TG_MAXWELL_NUM_PREDICATES = 7,  /* P0 to P6; P7 is PT */
   TG_MAXWELL_NUM_THREADS = 32,    /* of a warp; 4n to 4n + 3 are a quad */
};

/** Instructions of 64 bits, each with 21 control bits beside it. */
struct tg_maxwell_program;

/** Takes NULL. */
TG_API void
tg_maxwell_program_destroy(struct tg_maxwell_program *program);

/** At least 1, at most TG_MAXWELL_MAX_INSTRUCTIONS. */
TG_API uint32_t
tg_maxwell_num_instructions(const struct tg_maxwell_program *program);

/** The words, and the control bits of each. They belong to the program. */
TG_API const uint64_t *
tg_maxwell_words(const struct tg_maxwell_program *program);
TG_API const uint32_t *
tg_maxwell_controls(const struct tg_maxwell_program *program);

/* ---- text and words ------------------------------------------------------ */

/**
 * Reads the assembly language of docs/maxwell.md. After a mistake it goes on
 * with the next instruction, so that all are reported; then no program is made.
 * What breaks a rule of the tables but has an encoding is a warning here and an
 * error of tg_maxwell_check(). Name and text are copied. On success
 * `*program_out` is the caller's, to be freed with
 * tg_maxwell_program_destroy(). TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_assemble(const struct tg_allocator *allocator, const char *name,
                    const char *text, size_t length,
                    struct tg_diagnostics *diagnostics,
                    struct tg_maxwell_program **program_out);

/**
 * Takes words as they are, with their control bits or, if `controls` is NULL,
 * 0 for each, which stands for code that is not scheduled. Any word will do:
 * what is no texture instruction is kept and printed as a word. TG_ERROR_INPUT
 * for none, for too many and for control bits beyond 21; TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_decode(const struct tg_allocator *allocator, const char *name,
                  const uint64_t *words, const uint32_t *controls, size_t count,
                  struct tg_diagnostics *diagnostics,
                  struct tg_maxwell_program **program_out);

/**
 * The same from code as it lies in memory: each 32 bytes a word of control bits
 * and three instructions. TG_ERROR_INPUT also when `num_words` is no multiple
 * of four or bit 63 of a control word is set.
 */
TG_API enum tg_result
tg_maxwell_decode_code(const struct tg_allocator *allocator, const char *name,
                       const uint64_t *words, size_t num_words,
                       struct tg_diagnostics *diagnostics,
                       struct tg_maxwell_program **program_out);

/** How many words the code of a program has, as tg_maxwell_encode_code() writes
 * it. */
TG_API size_t
tg_maxwell_num_code_words(const struct tg_maxwell_program *program);

/**
 * Writes the program as code lies in memory. The last bundle is filled up with
 * NOPs that are scheduled and wait for nothing. Control bits are written as
 * they are, 0 where an instruction is not scheduled.
 */
TG_API void
tg_maxwell_encode_code(const struct tg_maxwell_program *program,
                       uint64_t *words_out);

/** How tg_maxwell_print() writes; to be or-ed. */
enum tg_maxwell_print_flags {
   TG_MAXWELL_PRINT_SHORT = 1 << 0,     /* an Rb of RZ is left out */
   TG_MAXWELL_PRINT_PREFIX = 1 << 1,    /* control bits in front, as in
                                           [B--2---:R0:W5:-:S01] */
   TG_MAXWELL_PRINT_WORDS = 1 << 2,     /* each word in a comment */
   TG_MAXWELL_PRINT_ALIGN = 1 << 3,     /* operands in columns */
   TG_MAXWELL_PRINT_REGISTERS = 1 << 4, /* what is read and written, in a
                                           comment as in the specification */
   TG_MAXWELL_PRINT_FIELDS = 1 << 5,    /* fields, in a comment below */
   TG_MAXWELL_PRINT_ADDRESSES = 1 << 6, /* in a comment before, where each
                                           instruction is in code */
};

/**
 * The program as text that tg_maxwell_assemble() makes the same words and
 * control bits of. The string is the caller's (tg_string_free()); NULL when out
 * of memory.
 */
TG_API char *
tg_maxwell_print(const struct tg_maxwell_program *program, unsigned flags);

/** Whose rules count where they differ. */
enum tg_maxwell_version {
   TG_MAXWELL_ANY, /* those of all */
   TG_MAXWELL_SPA_5_0,
   TG_MAXWELL_SPA_5_2,
};

/**
 * Holds every instruction to the rules of the tables, each complaint naming the
 * rule that is broken and what would be legal. TG_OK when there is no error;
 * TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_check(const struct tg_maxwell_program *program,
                 enum tg_maxwell_version version,
                 struct tg_diagnostics *diagnostics);

/* ---- cubins -------------------------------------------------------------- */

/**
 * The code of a cubin, the ELF file of NVIDIA's tools: a program for each of
 * its sections .text and .text.NAME. It never changes after it was read.
 */
struct tg_maxwell_cubin;

/** Do these bytes begin as an ELF file does? */
TG_API bool
tg_maxwell_is_elf(const void *bytes, size_t size);

/**
 * Reads a cubin for sm_50 to sm_62, of which only the names and the code of
 * sections are looked at. Bytes and `name` are copied; complaints of a
 * section's code are about `NAME(SECTION)`. Empty sections are passed over.
 * Whatever is not within the file, overlaps, or is no code is refused, as is a
 * cubin without code, and memory stays in proportion to `size`. On success
 * `*cubin_out` is the caller's, to be freed with tg_maxwell_cubin_destroy().
 * TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_cubin_read(const struct tg_allocator *allocator, const char *name,
                      const void *bytes, size_t size,
                      struct tg_diagnostics *diagnostics,
                      struct tg_maxwell_cubin **cubin_out);

/** Takes NULL. */
TG_API void
tg_maxwell_cubin_destroy(struct tg_maxwell_cubin *cubin);

/** At least 1. Sections are numbered from 0 on, in the order of the file. */
TG_API uint32_t
tg_maxwell_cubin_num_sections(const struct tg_maxwell_cubin *cubin);

/** The name as it is in the file, of printable ASCII characters without spaces,
 * and what the section holds. Both belong to the cubin. */
TG_API const char *
tg_maxwell_cubin_section_name(const struct tg_maxwell_cubin *cubin,
                              uint32_t section);
TG_API const struct tg_maxwell_program *
tg_maxwell_cubin_program(const struct tg_maxwell_cubin *cubin,
                         uint32_t section);

/* ---- running ------------------------------------------------------------- */

/** A warp. What `constants` and the pools hold is not written. */
struct tg_maxwell_warp {
   size_t size; /* sizeof(struct tg_maxwell_warp) */
   /* [TG_MAXWELL_NUM_REGISTERS][TG_MAXWELL_NUM_THREADS] */
   uint32_t (*registers)[TG_MAXWELL_NUM_THREADS];
   uint8_t predicates[TG_MAXWELL_NUM_THREADS]; /* bit n: Pn */
   uint32_t active;                            /* bit per thread: it runs */
   uint32_t killed;  /* of those: it is a helper, discarded or outside */
   bool is_fragment; /* quads have derivatives; else implicit levels are 0 */
   /* The bank of handles: samplerPtr[31:20], headerPtr[19:0]. What is outside
    * reads as 0. */
   const uint32_t *constants;
   uint32_t num_constants; /* words */
   bool via_header;        /* the header's number is the sampler's too */
   /* The pools, by number; NULL entries and numbers beyond are invalid
    * textures, which read as 0. */
   const struct tg_view_desc *const *headers;
   const struct tg_sampler_desc *const *samplers;
   uint32_t num_headers, num_samplers;
   enum tg_maxwell_version version;
};

/** All threads run. */
#define TG_MAXWELL_WARP_INIT TG_INIT_(tg_maxwell_warp, TG_MAXWELL_WARP_MEMBERS_)
#define TG_MAXWELL_WARP_MEMBERS_(SET) SET(active, UINT32_MAX)

/** What an instruction read or wrote: a register of all threads, or the
 * predicate that a fetch writes. */
struct tg_maxwell_access {
   uint32_t instruction;
   bool is_write;
   bool is_half;          /* what was written are two packed halves */
   uint8_t number;        /* of the register or predicate */
   uint32_t threads;      /* that read or wrote it */
   const uint32_t *words; /* [TG_MAXWELL_NUM_THREADS]; of a predicate 0 or 1 */
   bool is_predicate;
};

typedef void (*tg_maxwell_trace_function)(
   void *user, const struct tg_maxwell_access *access);

/**
 * Runs all instructions in their order on a warp, calling `trace`, if not NULL,
 * for each register. The predicate that a fetch writes becomes false: nothing
 * here is not resident. Control bits have no effect on values. Refused, before
 * anything is written, are programs with words that are no texture instruction
 * or have no meaning, but for the NOPs of tg_maxwell_encode_code(), and what
 * the specification leaves unpredictable is a warning. TG_ERROR_INPUT,
 * TG_ERROR_UNSUPPORTED for forms that cannot be simulated, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_run(const struct tg_allocator *allocator,
               const struct tg_maxwell_program *program,
               struct tg_maxwell_warp *warp, tg_maxwell_trace_function trace,
               void *user, struct tg_diagnostics *diagnostics);

/* ---- TGSI ---------------------------------------------------------------- */

struct tg_maxwell_lower_options {
   size_t size; /* sizeof(struct tg_maxwell_lower_options) */
   enum tg_maxwell_version version;
   bool half;      /* .F16 wherever a form has it and the view is of floats */
   bool full_only; /* never a scalar form, for comparisons */
   uint32_t first_index; /* where the handles of textures begin, in words */
};

#define TG_MAXWELL_LOWER_OPTIONS_INIT                                          \
   TG_INIT_(tg_maxwell_lower_options, TG_NO_MEMBERS_)

/** What the texture instructions of a shader became. */
struct tg_maxwell_lowering;

/**
 * Turns each texture instruction of a validated shader into the cheapest form
 * that does its work, gives registers to what it reads and writes, and puts in
 * the moves and conversions that it needs. What no form does is refused with
 * its line. On success `*lowering_out` is the caller's, to be freed with
 * tg_maxwell_lowering_destroy(). The shader must outlive it. TG_ERROR_INPUT,
 * TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT when registers do not suffice or the
 * shader is too large, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_maxwell_lower(const struct tg_allocator *allocator,
                 const struct tg_shader *shader,
                 const struct tg_maxwell_lower_options *options,
                 struct tg_diagnostics *diagnostics,
                 struct tg_maxwell_lowering **lowering_out);

/** Takes NULL. */
TG_API void
tg_maxwell_lowering_destroy(struct tg_maxwell_lowering *lowering);

/** The texture instructions alone, in their order, with control bits. It
 * belongs to the lowering. */
TG_API const struct tg_maxwell_program *
tg_maxwell_lowering_program(const struct tg_maxwell_lowering *lowering);

/** The listing: each TGSI instruction and after it what it became. The string
 * is the caller's (tg_string_free()); NULL when out of memory. */
TG_API char *
tg_maxwell_lowering_print(const struct tg_maxwell_lowering *lowering);

/** The same as a JSON object. */
TG_API char *
tg_maxwell_lowering_json(const struct tg_maxwell_lowering *lowering);

#ifdef __cplusplus
}
#endif

#endif
