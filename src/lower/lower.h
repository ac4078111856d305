/* SPDX-License-Identifier: MIT
 *
 * TGSI to LIR. lower_shader() appends a whole shader to a module as its entry
 * function and those that it calls. Where inputs come from and outputs go is a
 * matter of the stage around it: by default lane memory, see abi/layout.h, by
 * hooks anything.
 */
#ifndef TG_LOWER_LOWER_H
#define TG_LOWER_LOWER_H

#include "abi/bindings.h"
#include "lir/builder.h"
#include "tgsi/shader/shader.h"

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
   bool trace; /* reports to listeners what is written: ABI_EVENT_WRITE */
   bool check; /* and all other events */
   const struct lower_stage *stage; /* NULL: all defaults */
   const struct abi_keys *keys;     /* what is bound; NULL: nothing */
   /* The BGNSUB to begin with, in a program that is made of subroutines only.
    * 0, where such a program begins, is the first. */
   uint32_t entry;
};

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
