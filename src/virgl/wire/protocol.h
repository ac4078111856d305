/* SPDX-License-Identifier: MIT
 *
 * The wire protocol: numbers and bit fields of virgl's command stream. A
 * command is a header, word 0 here, and the words after it. Enumerations that
 * are Gallium's (blend factors, comparisons, wraps, primitives, ...) have the
 * values of tungsten/gpu.h and tungsten/resource.h and are not named again.
 */
#ifndef VIRGL_WIRE_PROTOCOL_H
#define VIRGL_WIRE_PROTOCOL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- fields of a word ---------------------------------------------------- */

/* `count` bits of a word, 1 to 32, from bit `first` on. */
static inline uint32_t
virgl_bits(uint32_t word, unsigned first, unsigned count)
{
   assert(count > 0 && first + count <= 32);
   return word >> first & UINT32_MAX >> (32 - count);
}

/* A bit of a word. */
static inline bool
virgl_bit(uint32_t word, unsigned number)
{
   assert(number < 32);
   return word >> number & 1;
}

/* The double of two words, the lower one first. */
static inline double
virgl_double(const uint32_t words[2])
{
   double value;

   memcpy(&value, words, sizeof(value));
   return value;
}

/* Copies words as floats. */
static inline void
virgl_floats(const uint32_t *words, unsigned count, float *out)
{
   memcpy(out, words, count * sizeof(*out));
}

/* ---- what a resource is bound as ----------------------------------------- */

enum {
   VIRGL_BIND_RENDER_TARGET = 1 << 1,
   VIRGL_BIND_SAMPLER_VIEW = 1 << 3,
   VIRGL_BIND_DISPLAY_TARGET = 1 << 7,
   VIRGL_BIND_CUSTOM = 1 << 17, /* results of queries, fences */
};

/* ---- commands and objects ------------------------------------------------ */

enum virgl_command_number {
#define VIRGL_COMMAND(number, NAME, id, least, unit) VIRGL_##NAME = (number),
#include "virgl/wire/commands.def"
   VIRGL_NUM_COMMANDS,
};

enum virgl_object_number {
   VIRGL_OBJECT_NULL,
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   VIRGL_OBJECT_##NAME = (number),
#include "virgl/wire/objects.def"
   VIRGL_NUM_OBJECTS,
};

/* ---- stages -------------------------------------------------------------- */

/* As enum tg_gpu_stage, and one more. */
enum { VIRGL_STAGE_COMPUTE = 5, VIRGL_NUM_STAGES };

/* ---- shaders ------------------------------------------------------------- */

/* The word "offlen": the bytes of the whole text, of a first piece; or where a
 * later piece begins. */
#define VIRGL_SHADER_IS_LATER_PIECE (UINT32_C(1) << 31)

enum {
   VIRGL_SHADER_HEAD = 5,    /* words after the header, before outputs */
   VIRGL_SHADER_STRIDES = 4, /* words that precede stream outputs */
   VIRGL_SHADER_OUTPUT = 2,  /* words of a stream output */
};

/* ---- transfers ----------------------------------------------------------- */

enum {
   VIRGL_TRANSFER_TO_HOST = 1,
   VIRGL_TRANSFER_FROM_HOST = 2,
   VIRGL_COPY_READS_FROM_HOST = 1 << 1, /* flags of COPY_TRANSFER3D */
};

/* ---- queries ------------------------------------------------------------- */

/* What the client finds in the memory of a query's resource. */
struct virgl_query_memory {
   uint32_t state;
   uint32_t result_size; /* bytes: 4 or 8 */
   uint64_t result;
};

enum { VIRGL_QUERY_DONE = 1 };

/* What the client finds in that of GET_MEMORY_INFO; KiB. */
struct virgl_memory_info {
   uint32_t total_device, available_device;
   uint32_t total_staging, available_staging;
   uint32_t evicted, num_evictions;
};

#endif
