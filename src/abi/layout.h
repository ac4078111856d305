/* SPDX-License-Identifier: MIT
 *
 * The layout of lane memory: how much of it a shader needs, and where in it a
 * register is, where the stage around the shader does not decide.
 *
 * In words:
 *   INPUT   (vertex * num_inputs + register) * 4 + channel
 *   OUTPUT  (vertex * num_outputs + register) * 4 + channel
 *   SYSVAL  register * 4 + channel
 * and CONST binding b holds constant buffer b, register * 4 + channel. A
 * register of a per-vertex file has a vertex, all others have vertex 0.
 *
 * The lanes of TESS_CTRL are invocations for one patch and share its outputs:
 * these lie in SHARED binding ABI_SHARED_PATCH, in the order of OUTPUT. Any
 * lane may write any vertex; what several write at once the last lane decides.
 */
#ifndef TG_ABI_LAYOUT_H
#define TG_ABI_LAYOUT_H

#include "abi/bindings.h"
#include "tgsi/shader/shader.h"

enum {
   ABI_MAX_INPUTS = 128,
   ABI_MAX_OUTPUTS = 128,
   ABI_MAX_SYSVALS = 64,
   ABI_MAX_TEMPS = 32768,           /* all that an operand can name */
   ABI_MAX_TEMP_ARRAYS = 256,       /* TEMPX; of ABI_MAX_TEMPS together */
   ABI_MAX_CONST_REGISTERS = 65536, /* of one buffer */
   ABI_MAX_VERTICES = 32,
   ABI_PRIVATE_WORDS = 1024, /* of MEMORY, PRIVATE: 4 KiB for each lane */
};

/* The size of the memory that a shader needs, from its declarations. */
struct abi_layout {
   uint32_t num_inputs, num_input_vertices; /* registers; 1 unless per vertex */
   uint32_t num_outputs, num_output_vertices;
   uint32_t num_sysvals;
   uint32_t num_const_buffers;
   uint32_t num_const_registers[ABI_MAX_CONST_BUFFERS];
   /* Where the arrays of TEMPX begin in one file that has all of them, and
    * after the last where it ends. */
   uint32_t first_of_array[ABI_MAX_TEMP_ARRAYS + 1];
};

/* Works out how much lane memory a shader needs. TG_ERROR_LIMIT, with a
 * diagnostic, when a register is beyond a bound. */
enum tg_result
abi_get_layout(const struct tg_shader *shader,
               struct tg_diagnostics *diagnostics,
               struct abi_layout *layout_out);

/* The numbers that the registers with a certain first bracket have in their
 * file: those of an array of TEMPX follow those of the array before it. In
 * other files a register's number is its index. */
struct abi_numbers {
   uint32_t first, count; /* UINT32_MAX: no matter how many */
};
struct abi_numbers
abi_layout_numbers_in(const struct abi_layout *layout, enum tg_file file,
                      uint32_t dimension);

/* abi_layout_numbers_in() of an operand; none where the array is not known. */
struct abi_numbers
abi_layout_numbers_of(const struct abi_layout *layout,
                      const struct tg_register *reg);

/* "TEMP[3].y": a channel of the register that has a number in its file. */
struct abi_channel_name {
   char text[40];
};
struct abi_channel_name
abi_layout_name_channel(const struct abi_layout *layout, enum tg_file file,
                        uint32_t number, unsigned channel);

#endif
