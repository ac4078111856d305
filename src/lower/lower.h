/* SPDX-License-Identifier: MIT
 *
 * TGSI to LIR. lower_shader() appends a whole shader to a module as its entry
 * function and those that it calls. Where inputs come from and outputs go is a
 * matter of the stage around it: by default lane memory, by hooks anything.
 *
 * Lane memory of the default stage, in words:
 *   INPUT   (vertex * num_inputs + register) * 4 + channel
 *   OUTPUT  (vertex * num_outputs + register) * 4 + channel
 *   SYSVAL  register * 4 + channel
 * and CONST binding b holds constant buffer b, register * 4 + channel. A
 * register of a per-vertex file has a vertex, all others have vertex 0.
 *
 * The lanes of TESS_CTRL are invocations for one patch and share its outputs:
 * these lie in SHARED binding LOWER_SHARED_PATCH, in the order of OUTPUT. Any
 * lane may write any vertex; what several write at once the last lane decides.
 */
#ifndef TG_LOWER_LOWER_H
#define TG_LOWER_LOWER_H

#include "abi/bindings.h"
#include "lir/builder.h"
#include "tgsi/shader.h"

enum {
   LOWER_MAX_INPUTS = 128,
   LOWER_MAX_OUTPUTS = 128,
   LOWER_MAX_SYSVALS = 64,
   LOWER_MAX_TEMPS = 32768,           /* all that an operand can name */
   LOWER_MAX_TEMP_ARRAYS = 256,       /* TEMPX; of LOWER_MAX_TEMPS together */
   LOWER_MAX_CONST_REGISTERS = 65536, /* of one buffer */
   LOWER_MAX_VERTICES = 32,
   LOWER_PRIVATE_WORDS = 1024, /* of MEMORY, PRIVATE: 4 KiB for each lane */
};

/* The size of the memory that a shader needs, from its declarations. */
struct lower_layout {
   uint32_t num_inputs, num_input_vertices; /* registers; 1 unless per vertex */
   uint32_t num_outputs, num_output_vertices;
   uint32_t num_sysvals;
   uint32_t num_const_buffers;
   uint32_t num_const_registers[LOWER_MAX_CONST_BUFFERS];
   /* Where the arrays of TEMPX begin in one file that has all of them, and
    * after the last where it ends. */
   uint32_t first_of_array[LOWER_MAX_TEMP_ARRAYS + 1];
};

/* TG_ERROR_LIMIT, with a diagnostic, when a register is beyond a bound. */
enum tg_result
lower_get_layout(const struct tg_shader *shader,
                 struct tg_diagnostics *diagnostics,
                 struct lower_layout *layout_out);

/* The numbers that the registers with a certain first bracket have in their
 * file: those of an array of TEMPX follow those of the array before it. In
 * other files a register's number is its index. */
struct lower_numbers {
   uint32_t first, count; /* UINT32_MAX: no matter how many */
};
struct lower_numbers
lower_numbers_in(const struct lower_layout *layout, enum tg_file file,
                 uint32_t dimension);

/* Of an operand; none where the array is not known. */
struct lower_numbers
lower_numbers_of(const struct lower_layout *layout,
                 const struct tg_register *reg);

/* "TEMP[3].y": a channel of the register that has a number in its file. */
struct lower_channel_name {
   char text[40];
};
struct lower_channel_name
lower_name_channel(const struct lower_layout *layout, enum tg_file file,
                   uint32_t number, unsigned channel);

/* Where in the pixel an input is wanted. */
enum lower_place {
   LOWER_PLACE_DECLARED, /* as its declaration says */
   LOWER_PLACE_CENTROID, /* INTERP_CENTROID */
   LOWER_PLACE_SAMPLE,   /* INTERP_SAMPLE: `at[0]` is the sample's number */
   LOWER_PLACE_OFFSET,   /* INTERP_OFFSET: `at` in pixels from the centre */
};

/* The stage around a shader. A NULL function takes the default. Each appends
 * code where the builder stands, in the entry function and at its level 0
 * unless said otherwise. */
struct lower_stage {
   void *user;
   /* Before everything else. May leave the function: lir_br() to level 0. */
   void (*prologue)(void *user, struct lir_builder *builder);
   /* A channel of an input. Called once for each that the shader reads, before
    * the shader's code; for LOWER_PLACE_* others than DECLARED wherever the
    * opcode stands, be it in a subroutine. Never called in stages whose inputs
    * have vertices: those read memory. */
   lir_value (*input)(void *user, struct lir_builder *builder, uint32_t reg,
                      unsigned channel, enum lower_place place,
                      const lir_value at[2]);
   /* lir_mem() of a uniform space where the inputs of a patch are, the same for
    * all its lanes and laid out as in lane memory; 0: they are there. */
   uint64_t patch_inputs;
   lir_value (*sysval)(void *user, struct lir_builder *builder, uint32_t reg,
                       unsigned channel);
   /* After the shader's code. output_var[reg][channel] is the variable that
    * holds the output, UINT32_MAX when the shader has not declared it and in
    * TESS_CTRL. */
   void (*epilogue)(void *user, struct lir_builder *builder,
                    const uint32_t (*output_var)[4], uint32_t num_outputs);
   /* The lane's pixel in the framebuffer, wherever it is read: x, y, layer and
    * sample, as integers. By default see memory/framebuffer.c. */
   void (*pixel)(void *user, struct lir_builder *builder,
                 lir_value pixel_out[4]);
   /* Samples of the render target where multisampling is in effect, else 0 or
    * 1: what SAMPLE_INFO and SAMPLE_POS of a TEMP are about. */
   uint32_t num_target_samples;
   bool is_per_sample; /* lanes are samples of it, not pixels */
};

struct lower_options {
   bool trace; /* reports to listeners what is written: LOWER_EVENT_WRITE */
   bool check; /* and all other events */
   const struct lower_stage *stage; /* NULL: all defaults */
   const struct lower_keys *keys;   /* what is bound; NULL: nothing */
   /* The BGNSUB to begin with, in a program that is made of subroutines only.
    * 0, where such a program begins, is the first. */
   uint32_t entry;
};

/* What the `trace` operations of a shader report: an event of an instruction in
 * the active lanes, with a value. Those of one instruction come in this order,
 * but writes of registers after those of memory. */
enum lower_event {
   /* A bracket of an operand that is computed: its value, offset included.
    * Detail: operand << 1, and 1 for the bracket of the dimension. Operands
    * are sources and, from TG_MAX_SRC on, destinations. */
   LOWER_EVENT_INDEX,
   /* Not 0 where the predicate lets detail, a channel, be written. */
   LOWER_EVENT_GUARD,
   /* The instruction begins; not 0 in live lanes. */
   LOWER_EVENT_STEP,
   /* Which of two sources gives a channel: not 0 where it is the first. Detail:
    * second << 5 | first << 2 | channel. */
   LOWER_EVENT_CHOICE,
   /* A channel of a destination was written with the value. Detail:
    * destination << 2 | channel. */
   LOWER_EVENT_WRITE,
   /* A coordinate, the detail, of the texel that the next event is about. */
   LOWER_EVENT_COORDINATE,
   /* Memory is about to be read or written: the number of the first unit, as
    * the operation of LIR takes it; beyond all memory if the texel is outside.
    * Detail: LOWER_ACCESS(). */
   LOWER_EVENT_ACCESS,
};

enum lower_access_kind {
   LOWER_ACCESS_LOAD,
   LOWER_ACCESS_STORE,
   LOWER_ACCESS_ATOMIC,
};

/* Kind in bits 0 and 1, bytes of a unit in 2 to 4, units in 5 to 9 (0: nothing
 * is bound that fits), space in 10 to 13, binding in 14 to 22. */
#define LOWER_ACCESS(kind, unit, num_units, space, binding)                    \
   ((uint32_t)(kind) | (uint32_t)(unit) << 2 | (uint32_t)(num_units) << 5 |    \
    (uint32_t)(space) << 10 | (uint32_t)(binding) << 14)

/* Tags: event in bits 56 to 63, detail in 32 to 55, instruction in 0 to 31. */
#define LOWER_TAG(event, instruction, detail)                                  \
   ((uint64_t)(event) << 56 | (uint64_t)(detail) << 32 | (instruction))

static inline enum lower_event
lower_tag_event(uint64_t tag)
{
   return (enum lower_event)(tag >> 56);
}
static inline uint32_t
lower_tag_detail(uint64_t tag)
{
   return (uint32_t)(tag >> 32) & 0xffffff;
}
static inline uint32_t
lower_tag_instruction(uint64_t tag)
{
   return (uint32_t)tag;
}

/* Lowers a shader that tg_shader_validate() has found good into an empty
 * module. TG_ERROR_UNSUPPORTED and a diagnostic for each opcode that does not
 * execute; TG_ERROR_INPUT for what only lowering can see (a BRA that leaves
 * its block); TG_ERROR_LIMIT; TG_ERROR_MEMORY. The module is then of no use
 * but to be finished. */
enum tg_result
lower_shader(const struct tg_shader *shader,
             const struct lower_options *options, struct lir_module *module,
             struct tg_diagnostics *diagnostics);

/* Whether an opcode has a lowering: `executes`, else it only `parses`. */
bool
lower_has_opcode(enum tg_opcode opcode);

#endif
