/* SPDX-License-Identifier: MIT
 *
 * Shader info: what a shader declares and does, found in one scan: what a
 * driver asks before it compiles, and what `info` prints. "Declared" comes from
 * declarations, whether used or not; the rest from instructions, whether
 * reached or not.
 */
#ifndef TG_TGSI_ANALYSIS_INFO_H
#define TG_TGSI_ANALYSIS_INFO_H

#include "tgsi/shader/shader.h"

enum {
   TG_INFO_MAX_REGISTERS = 80, /* of IN, OUT and SV that are listed each */
   TG_INFO_MAX_OBJECTS = 32,   /* samplers, images, buffers, const buffers */
};

/* Claims about the whole shader: bit TG_USES_<name> and a word for people. */
#define TG_INFO_USES(USE)                                                      \
   USE(KILL, "kill")                                                           \
   USE(DERIVATIVES, "derivatives")                                             \
   USE(DOUBLES, "doubles")                                                     \
   USE(FRAMEBUFFER_FETCH, "framebuffer_fetch")                                 \
   USE(MEMORY_WRITES, "memory_writes")                                         \
   USE(SHARED_MEMORY, "shared_memory")                                         \
   USE(ATOMICS, "atomics")                                                     \
   USE(BARRIER, "barrier")                                                     \
   USE(SUBGROUP, "subgroup")                                                   \
   USE(BINDLESS_SAMPLERS, "bindless_samplers")                                 \
   USE(BINDLESS_IMAGES, "bindless_images")                                     \
   USE(POSITION_Z, "position_z")               /* FRAG reads the depth */      \
   USE(VERTEX_OUTPUTS, "reads_vertex_outputs") /* TESS_CTRL */                 \
   USE(PATCH_OUTPUTS, "reads_patch_outputs")                                   \
   USE(TESS_FACTORS, "reads_tess_factors")                                     \
   USE(MORE_REGISTERS, "more_registers") /* than are listed */

/* clang-format off */
enum tg_info_use_number {
#define TG_INFO_NUMBER(name, word) TG_USES_NUMBER_##name,
   TG_INFO_USES(TG_INFO_NUMBER)
#undef TG_INFO_NUMBER
   TG_NUM_USES
};
enum tg_info_use {
#define TG_INFO_BIT(name, word) TG_USES_##name = 1 << TG_USES_NUMBER_##name,
   TG_INFO_USES(TG_INFO_BIT)
#undef TG_INFO_BIT
};
/* clang-format on */

struct tg_info_file {
   uint32_t count;      /* registers declared; overlaps count twice */
   int32_t max;         /* highest of them, -1: none */
   uint16_t last_array; /* highest number of an ARRAY */
   bool indirect_read, indirect_write, indirect_dimension;
};

/* A register of IN, OUT or SV. */
struct tg_info_register {
   bool is_declared;
   uint8_t semantic; /* enum tg_semantic */
   uint16_t semantic_index;
   uint8_t interpolate; /* enum tg_interpolate */
   uint8_t location;    /* enum tg_location */
   uint8_t declared;    /* TG_MASK_* of all its declarations */
   uint8_t read;        /* TG_MASK_* */
   uint8_t written;     /* TG_MASK_* */
   uint8_t stream[4];
};

/* Registers of a file up to the highest declared one, or as many as fit. */
struct tg_info_registers {
   uint32_t count;
   struct tg_info_register list[TG_INFO_MAX_REGISTERS];
};

/* An object that can be bound. `count` of CONST counts its registers. */
struct tg_info_object {
   bool is_declared;
   bool is_indirect; /* CONST: indexed */
   bool is_loaded, is_stored, is_atomic;
   uint8_t target;      /* enum tg_target; TG_TARGET_UNKNOWN: not known */
   uint8_t return_type; /* SVIEW: enum tg_return_type */
   uint16_t format;     /* IMAGE: enum tg_format */
   uint32_t count;
};

struct tg_info {
   enum tg_processor processor;
   enum tg_dialect dialect;
   uint32_t properties[TG_NUM_PROPERTIES]; /* 0 where nothing was said */
   bool has_property[TG_NUM_PROPERTIES];

   struct tg_info_file files[TG_NUM_FILES];
   struct tg_info_registers inputs, outputs, sysvals;
   struct tg_info_object const_buffers[TG_INFO_MAX_OBJECTS];
   struct tg_info_object samplers[TG_INFO_MAX_OBJECTS]; /* with their views */
   struct tg_info_object images[TG_INFO_MAX_OBJECTS];
   struct tg_info_object buffers[TG_INFO_MAX_OBJECTS];

   uint32_t num_instructions, num_immediates, num_subroutines;
   uint32_t max_depth;            /* constructs in each other */
   uint32_t stream_components[4]; /* output channels that go to each stream */
   uint32_t opcodes[TG_NUM_OPCODES]; /* how often each stands there */
   uint32_t uses;                    /* enum tg_info_use */

   /* Semantics of what is declared, as sets of 1 << enum tg_semantic: what the
    * stage writes and what it asks for. */
   uint64_t in_semantics, out_semantics, sv_semantics;

   /* How inputs that are read other than by INTERP_* are interpolated. */
   bool interpolates[TG_NUM_INTERPOLATES][TG_NUM_LOCATIONS];
};

/* Fills `*info` for a shader that tg_shader_validate() has found good; for
 * another one what it says need not make sense. TG_ERROR_MEMORY. */
enum tg_result
tg_info_scan(const struct tg_shader *shader, struct tg_info *info);

#endif
