/* SPDX-License-Identifier: MIT
 *
 * The vertex unit of Tegra 2 and 3: assemble, disassemble, check and simulate
 * its programs, compile TGSI to them and bring them back to TGSI. Its
 * specification is the "Vertex Shader ISA" page of the grate project; where
 * that is silent the choices are those that docs/tegra.md lists.
 *
 * A tg_tegra_program never changes after it was made, so any number of threads
 * may read it and run it at once.
 */
#ifndef TUNGSTEN_TEGRA_H
#define TUNGSTEN_TEGRA_H

#include "tungsten/tgsi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
   TG_TEGRA_MAX_INSTRUCTIONS = 256,
   TG_TEGRA_WORDS = 4, /* of 32 bits in an instruction */
   TG_TEGRA_NUM_TEMPORARIES = 32,
   TG_TEGRA_NUM_ATTRIBUTES = 16,
   TG_TEGRA_NUM_CONSTANTS = 256,
   TG_TEGRA_NUM_EXPORTS = 16,
   TG_TEGRA_STACK_DEPTH = 8,
};

/**
 * Up to 256 instructions, the constants that come with them, and the names of
 * attributes, exports and uniforms.
 */
struct tg_tegra_program;

/** Takes NULL. */
TG_API void
tg_tegra_program_destroy(struct tg_tegra_program *program);

/** At most TG_TEGRA_MAX_INSTRUCTIONS. */
TG_API uint32_t
tg_tegra_num_instructions(const struct tg_tegra_program *program);

/**
 * The words of all instructions in the order of upload: four an instruction,
 * that with bit 127 first. They belong to the program.
 */
TG_API const uint32_t *
tg_tegra_words(const struct tg_tegra_program *program);

/**
 * The components of c[index] that the program itself gives, bit 0 being x, and
 * their words; what it does not give is 0 in `words`. 0 when `index` is too
 * large.
 */
TG_API unsigned
tg_tegra_constant(const struct tg_tegra_program *program, uint32_t index,
                  uint32_t words[4]);

/** What the program names. */
enum tg_tegra_name {
   TG_TEGRA_ATTRIBUTE, /* a[index] */
   TG_TEGRA_EXPORT,    /* export[index] */
   TG_TEGRA_UNIFORM,   /* c[index], to be given by the caller */
};

/** NULL when it has no name. It belongs to the program. */
TG_API const char *
tg_tegra_name(const struct tg_tegra_program *program, enum tg_tegra_name kind,
              uint32_t index);

/** The exports that instructions name, bit n being export n; all when one is
 * relative. */
TG_API uint32_t
tg_tegra_exports(const struct tg_tegra_program *program);

/* ---- text and words ------------------------------------------------------ */

/** How tg_tegra_assemble() reads; to be or-ed. */
enum tg_tegra_assemble_flags {
   /* What grate's assembler accepts and its hardware does not do as written is
    * an error, not a warning. */
   TG_TEGRA_STRICT = 1 << 0,
   /* The last instruction has the end bit, as grate's loader sets it. The
    * directive .end_last in the text does the same. */
   TG_TEGRA_END_LAST = 1 << 1,
};

/**
 * Reads the assembly language of docs/tegra.md, which contains that of grate's
 * tools. After a mistake it goes on with the next instruction, so that all are
 * reported, up to 1,000 of them; then no program is made. Name and text are
 * copied. On success `*program_out` is the caller's, to be freed with
 * tg_tegra_program_destroy(). TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_assemble(const struct tg_allocator *allocator, const char *name,
                  const char *text, size_t length, unsigned flags,
                  struct tg_diagnostics *diagnostics,
                  struct tg_tegra_program **program_out);

/**
 * Takes `num_words` words in the order of upload. Any four are an instruction;
 * refused are a number of words that is no multiple of four, none, and more
 * than TG_TEGRA_MAX_INSTRUCTIONS instructions. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_decode(const struct tg_allocator *allocator, const char *name,
                const uint32_t *words, size_t num_words,
                struct tg_diagnostics *diagnostics,
                struct tg_tegra_program **program_out);

/* ---- command streams ----------------------------------------------------- */

/* Words in the longest stream of tg_tegra_encode_host1x(). */
enum { TG_TEGRA_MAX_HOST1X_WORDS = 2052 };

/**
 * Takes the program that a command stream of host1x uploads to the 3D unit by
 * its registers 0x205 to 0x208: words that are SETCL, INCR, NONINCR, MASK, IMM
 * and the like with their data. `number` is that of the program, from 1 on, or
 * 0 for the last, with a warning if there are others. Constants are those that
 * were written by the time that another program follows; what is 0 is left
 * out. A GATHER is stepped over. Refused is what is no such stream or uploads
 * no whole program. TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_decode_host1x(const struct tg_allocator *allocator, const char *name,
                       const uint32_t *words, size_t num_words, uint32_t number,
                       struct tg_diagnostics *diagnostics,
                       struct tg_tegra_program **program_out);

/**
 * The same of a stream in a log: of the kernel's debug file of host1x, or of
 * grate's wrapper. Lines without commands are stepped over.
 */
TG_API enum tg_result
tg_tegra_decode_host1x_log(const struct tg_allocator *allocator,
                           const char *name, const char *text, size_t length,
                           uint32_t number, struct tg_diagnostics *diagnostics,
                           struct tg_tegra_program **program_out);

/** Are the words such a stream as a whole, and upload a program? Has the text
 * a command in a line? */
TG_API bool
tg_tegra_is_host1x(const uint32_t *words, size_t num_words);
TG_API bool
tg_tegra_is_host1x_log(const char *text, size_t length);

/**
 * Writes the stream that uploads the program and the constants that it gives:
 * of its words as many as `capacity` has room for. Returns how many there are,
 * at most TG_TEGRA_MAX_HOST1X_WORDS. `words` may be NULL if `capacity` is 0.
 */
TG_API size_t
tg_tegra_encode_host1x(const struct tg_tegra_program *program, uint32_t *words,
                       size_t capacity);

/* ---- text ---------------------------------------------------------------- */

/** How tg_tegra_print() writes; to be or-ed. */
enum tg_tegra_print_flags {
   TG_TEGRA_PRINT_LABELS = 1 << 0, /* branch targets as labels, not numbers */
   TG_TEGRA_PRINT_WORDS = 1 << 1,  /* each instruction's words in a comment */
   TG_TEGRA_PRINT_FIELDS = 1 << 2, /* fields that are not 0, in one below */
};

/**
 * The program as text that tg_tegra_assemble() makes the same words of,
 * whatever they are: bits that the text does not imply are written as options
 * with the name of their field. The string is the caller's (tg_string_free());
 * NULL when out of memory.
 */
TG_API char *
tg_tegra_print(const struct tg_tegra_program *program, unsigned flags);

/**
 * Says what will end the program on hardware, or not do what it seems to:
 * errors for what aborts or cannot work, warnings for what is lost. Complaints
 * have the line of the text, or the number of the instruction; what the
 * assembler has left in `diagnostics` of a line is not said twice. TG_OK when
 * there is no error; TG_ERROR_INPUT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_check(const struct tg_tegra_program *program,
               struct tg_diagnostics *diagnostics);

/* ---- running ------------------------------------------------------------- */

/** How a vertex came to its end. After all but the first two the exports are
 * what they were when it happened. */
enum tg_tegra_end {
   TG_TEGRA_ENDED,           /* after an instruction with the end bit */
   TG_TEGRA_OUT_OF_STEPS,    /* max_steps instructions were executed */
   TG_TEGRA_BAD_REGISTER,    /* rD in 32..62, or rA, rB, rC in 32..63 */
   TG_TEGRA_BAD_EXPORT,      /* export number 16..30 */
   TG_TEGRA_STACK_OVERFLOW,  /* a ninth entry */
   TG_TEGRA_STACK_UNDERFLOW, /* an entry of an empty stack */
   TG_TEGRA_STACK_MISMATCH,  /* RET to an address vector, or POPA of an
                                address */
   TG_TEGRA_UNKNOWN_OPCODE,  /* no meaning of it is known */
   TG_TEGRA_RAN_OFF,         /* past the last instruction */
   TG_TEGRA_NUM_ENDS,
};

/** A few lower-case words, "stack overflow"; never NULL. */
TG_API const char *
tg_tegra_end_name(enum tg_tegra_end end);

/** What an instruction changed, in one vertex. */
enum tg_tegra_change_kind {
   TG_TEGRA_CHANGE_STEP,      /* nothing yet: the instruction is next */
   TG_TEGRA_CHANGE_TEMPORARY, /* r[index], words are floats */
   TG_TEGRA_CHANGE_EXPORT,    /* export[index], words are floats */
   TG_TEGRA_CHANGE_ADDRESS,   /* A0, words are signed integers */
   TG_TEGRA_CHANGE_CONDITION, /* CR[index], words are '<' '=' '>' or '?' */
   TG_TEGRA_CHANGE_PUSH,      /* stack[index]: words[0] is an address, or all
                                 are A0; the mask is x or xyzw */
   TG_TEGRA_CHANGE_POP,       /* likewise */
   TG_TEGRA_CHANGE_JUMP,      /* to instruction index */
   TG_TEGRA_CHANGE_END,       /* index is an enum tg_tegra_end */
};

struct tg_tegra_change {
   uint32_t vertex;
   uint32_t instruction; /* its number */
   enum tg_tegra_change_kind kind;
   uint32_t index;
   unsigned mask; /* components that changed, bit 0 being x */
   uint32_t words[4];
};

typedef void (*tg_tegra_trace_function)(void *user,
                                        const struct tg_tegra_change *change);

/** How MAD, DP3, DP4 and DPH round, which no document says: products and sums one
 * by one, or fused multiply-adds from x on. A program that was compiled wants
 * what its shader's dialect has, of any other it is not known. */
enum tg_tegra_mad {
   TG_TEGRA_MAD_AS_COMPILED, /* SEPARATE where the program was not compiled */
   TG_TEGRA_MAD_SEPARATE,
   TG_TEGRA_MAD_FUSED,
};

/**
 * Vertices to be run, all from the first instruction. Attributes and exports
 * are 16 vectors of four words for each vertex, one vertex after the other.
 * The arrays are the caller's.
 */
struct tg_tegra_batch {
   size_t size; /* sizeof(struct tg_tegra_batch) */
   uint32_t num_vertices;
   const uint32_t *attributes; /* [num_vertices][16][4]; NULL: all 0 */
   /* [256][4]; NULL: all 0. What the program itself gives goes before. */
   const uint32_t *constants;
   uint32_t *exports;  /* [num_vertices][16][4]; unwritten components are 0 */
   uint8_t *ends;      /* [num_vertices] of enum tg_tegra_end, or NULL */
   uint32_t max_steps; /* instructions for each vertex; 0: 65536 */
   /* DST and DPH as NV_vertex_program has them, not as the specification. */
   bool nv_dst_dph;
   /* Called for each change; vertices in their order, one after the other.
    * NULL calls nothing. */
   tg_tegra_trace_function trace;
   void *user;
   enum tg_tegra_mad mad;
};

#define TG_TEGRA_BATCH_INIT TG_INIT_(tg_tegra_batch, TG_NO_MEMBERS_)

/**
 * Runs all vertices to their ends. Memory comes from the program's allocator,
 * which must be one for many threads if several run the program. Where one did
 * not end well or did what no document defines (read what was never written, or
 * beyond the constants or attributes), a warning names the instruction, the
 * vertex and how many others did too. TG_OK however they ended; TG_ERROR_INPUT
 * for a batch that makes no sense, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_run(const struct tg_tegra_program *program,
             const struct tg_tegra_batch *batch,
             struct tg_diagnostics *diagnostics);

/* ---- TGSI ---------------------------------------------------------------- */

/**
 * The program as a stage of the compiler left it. It is one of operations, each
 * of one unit and over any number of registers until the stage `registers`; in
 * the listing an operation after & shares its instruction with that above.
 */
struct tg_tegra_compile_step {
   const char *stage;         /* "select", or the name of a pass */
   unsigned round;            /* of the passes, from 1; 0: no pass */
   uint32_t num_operations;   /* of both units */
   uint32_t num_instructions; /* that they are */
   const char *listing;
};

/** `step` and what it points to last until the function returns. */
typedef void (*tg_tegra_compile_trace_function)(
   void *user, const struct tg_tegra_compile_step *step);

struct tg_tegra_compile_options {
   size_t size;        /* sizeof(struct tg_tegra_compile_options) */
   unsigned optimize;  /* 0: an operation a word as it comes; 2: all passes */
   bool reduce_angles; /* SIN and COS within [-pi, pi], as hardware wants */
   bool single_issue;  /* never two operations in a word, for comparisons */
   /* Called after each stage, and each pass, that changed the program, also
    * if a later one fails. It begins with "select" again when what passes made
    * larger does not fit. NULL calls nothing. */
   tg_tegra_compile_trace_function trace;
   void *user;
   /* Quotients, roots and powers of TGSI to the bit, for many more
    * instructions; of use where the unit's arithmetic is IEEE's, as here. */
   bool exact;
};

#define TG_TEGRA_COMPILE_OPTIONS_INIT                                          \
   TG_INIT_(tg_tegra_compile_options, TG_TEGRA_COMPILE_OPTIONS_MEMBERS_)
#define TG_TEGRA_COMPILE_OPTIONS_MEMBERS_(SET) SET(optimize, 2)

/**
 * Compiles a validated VERT shader. IN[n] is a[n], POSITION export 0, other
 * outputs exports from 1 on in the order of their registers, CONST[n] is c[n],
 * further constant buffers follow, immediates take what is free; the program's
 * names say which. `options` NULL takes the defaults. What the unit cannot
 * express is refused with its line. TG_ERROR_UNSUPPORTED for that,
 * TG_ERROR_INPUT when the shader does not validate, TG_ERROR_LIMIT when
 * instructions, constants or registers do not suffice, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_compile(const struct tg_allocator *allocator,
                 const struct tg_shader *shader,
                 const struct tg_tegra_compile_options *options,
                 struct tg_diagnostics *diagnostics,
                 struct tg_tegra_program **program_out);

/**
 * The program as the text of a VERT shader that gives the same outputs: export
 * n is OUT[n], a[n] is IN[n], c[n] is CONST[n], and constants that the program
 * gives are immediates. Refused is what aborts. `*text_out` is the caller's
 * (tg_string_free()). TG_ERROR_UNSUPPORTED, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_tegra_decompile(const struct tg_allocator *allocator,
                   const struct tg_tegra_program *program,
                   struct tg_diagnostics *diagnostics, char **text_out);

#ifdef __cplusplus
}
#endif

#endif
