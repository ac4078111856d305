/* SPDX-License-Identifier: MIT
 *
 * Where the register files of a shader live while it runs.
 *
 * A file whose registers are all named directly lives in LIR variables, one for
 * each channel. Where a single access computes its register, the whole file
 * lives in lane memory, so that direct and indirect accesses agree. Inputs and
 * system values are in the stage's lane memory unless its functions give them.
 */
#ifndef TG_LOWER_OPERANDS_REGISTERS_H
#define TG_LOWER_OPERANDS_REGISTERS_H

#include "abi/layout.h"
#include "lower/operands/context.h"
#include "tgsi/analysis/declared.h"

#define LOWER_NO_VAR UINT32_MAX

enum lower_home {
   LOWER_HOME_NONE, /* files of objects, and CONST */
   LOWER_HOME_VARIABLES,
   LOWER_HOME_IMMEDIATES,
   LOWER_HOME_MEMORY,
};

/* Registers first to last, by their numbers in the file:
 * abi_layout_numbers_in(). */
struct lower_range {
   uint32_t first, last;
};

struct lower_file {
   uint32_t num_registers;     /* one more than the highest that is declared */
   struct lower_range *ranges; /* declared ones: sorted, with gaps between */
   uint32_t num_ranges;
   bool
      is_indirect; /* by the last bracket; a vertex before it makes it memory */

   enum lower_home home;
   uint64_t memory;        /* of MEMORY: lir_mem() */
   uint32_t *vars;         /* of VARIABLES: by register * 4 + channel, made when
                              first used */
   uint8_t *channels_read; /* IN and SV: TG_MASK_* by register */
};

struct lower_registers {
   struct abi_layout layout;
   struct lower_file files[TG_NUM_FILES];
   struct tg_declared declared;
   const struct tg_declaration
      *position; /* of POSITION, not written; or NULL */
   const struct tg_declaration *invocation; /* of INVOCATIONID, or NULL */

   /* Bit p of a file: register p is declared; first bracket p, of files that
    * have one besides (CONST, HWATOMIC). */
   uint64_t places[TG_NUM_FILES];

   bool is_constant_input[ABI_MAX_INPUTS]; /* not interpolated */
   bool is_own_output[ABI_MAX_OUTPUTS];    /* declared, and not of a patch,
                                            * where all lanes share them */
   bool is_vertex_output[ABI_MAX_OUTPUTS]; /* one a vertex of the patch */
};

/* Looks through declarations and operands and decides where each file lives.
 * False when out of memory. */
bool
lower_registers_create(struct lower_context *context,
                       const struct abi_layout *layout);

/* Is the register with this number declared? */
bool
lower_register_is_declared(const struct lower_context *context,
                           enum tg_file file, uint32_t index);

/* Does the register have a vertex as its first bracket? Other files that have
 * none ignore what is written there. */
static inline bool
lower_has_vertex(const struct tg_register *reg)
{
   return reg->has_dimension &&
          (reg->file == TG_FILE_IN || reg->file == TG_FILE_OUT);
}

/* The first of the file's ranges that ends at this number or after it. */
uint32_t
lower_register_range(const struct lower_file *file, uint32_t number);

/* A channel of a register that is declared in IMM or IMMX. */
uint32_t
lower_immediate_register_word(const struct lower_context *context,
                              enum tg_file file, uint32_t index,
                              unsigned channel);

/* The variable of a channel, of a file that has variables. */
uint32_t
lower_register_var(struct lower_context *context, enum tg_file file,
                   uint32_t index, unsigned channel);

/* The declaration of a register, and that of a file's lowest one; or NULL. */
const struct tg_declaration *
lower_register_declaration(const struct lower_context *context,
                           enum tg_file file, int32_t index);
const struct tg_declaration *
lower_lowest_register_declaration(const struct lower_context *context,
                                  enum tg_file file);

/* Does the stage give inputs or system values by a function? */
bool
lower_registers_have_input_function(const struct lower_context *context);
bool
lower_registers_have_sysval_function(const struct lower_context *context);

#endif
