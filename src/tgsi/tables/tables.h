/* SPDX-License-Identifier: MIT
 *
 * The tables of the language as C: one enumeration and one array of rows for
 * each .def file beside this header, and look-ups by name. Everything that
 * another file wants to know about an opcode, file, semantic, property or
 * target, or of how dialects differ, is a column here; no other file switches
 * over them.
 */
#ifndef TG_TGSI_TABLES_H
#define TG_TGSI_TABLES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/tgsi.h"

/* ---- enumerations -------------------------------------------------------- */

enum tg_opcode {
#define TG_OPCODE(name, number, ...) TG_OPCODE_##name = number,
#include "tgsi/tables/opcodes.def"
   TG_NUM_OPCODES,
   TG_OPCODE_NONE = TG_NUM_OPCODES,
   TG_FIRST_LEGACY_OPCODE = 256, /* below this it is the number in tokens */
};

enum tg_file {
#define TG_FILE(name, number, ...) TG_FILE_##name = number,
#include "tgsi/tables/files.def"
   TG_NUM_FILES
};

/* Files below this have a number in tokens. */
enum { TG_NUM_TOKEN_FILES = TG_FILE_RES };

enum tg_semantic {
#define TG_SEMANTIC(name, number, ...) TG_SEMANTIC_##name = number,
#include "tgsi/tables/semantics.def"
   TG_NUM_SEMANTICS
};

enum tg_property_name {
#define TG_PROPERTY(name, number, ...) TG_PROPERTY_##name = number,
#include "tgsi/tables/properties.def"
   TG_NUM_PROPERTIES
};

enum tg_target {
#define TG_TARGET(name, number, ...) TG_TARGET_##name = number,
#include "tgsi/tables/targets.def"
   TG_NUM_TARGETS
};

enum tg_primitive {
#define TG_PRIMITIVE(name, number, ...) TG_PRIMITIVE_##name = number,
#include "tgsi/tables/primitives.def"
   TG_NUM_PRIMITIVES
};

/* Formats have the numbers of Mesa 23.3. */
enum tg_format {
#define TG_FORMAT(name, number, ...) TG_FORMAT_##name = number,
#include "tgsi/tables/format_names.def"
   TG_NUM_FORMATS
};

enum tg_processor {
#define TG_PROCESSOR(name, number20, number23, short_name) TG_PROCESSOR_##name,
#include "tgsi/tables/small_tables.def"
   TG_NUM_PROCESSORS,
   TG_NUM_STAGES = TG_PROCESSOR_COMP + 1, /* those that a shader can be */
};

enum tg_interpolate {
#define TG_INTERPOLATE(name, number) TG_INTERPOLATE_##name = number,
#include "tgsi/tables/small_tables.def"
   TG_NUM_INTERPOLATES
};

enum tg_location {
#define TG_LOCATION(name, number) TG_LOCATION_##name = number,
#include "tgsi/tables/small_tables.def"
   TG_NUM_LOCATIONS
};

enum tg_return_type {
#define TG_RETURN_TYPE(name, number) TG_RETURN_TYPE_##name = number,
#include "tgsi/tables/small_tables.def"
   TG_NUM_RETURN_TYPES
};

enum tg_imm_type {
#define TG_IMM_TYPE(name, number, words) TG_IMM_TYPE_##name = number,
#include "tgsi/tables/small_tables.def"
   TG_NUM_IMM_TYPES
};

enum tg_memory_type {
#define TG_MEMORY_TYPE(name, number) TG_MEMORY_TYPE_##name = number,
#include "tgsi/tables/small_tables.def"
   TG_NUM_MEMORY_TYPES
};

enum tg_qualifier {
#define TG_QUALIFIER(name, bit) TG_QUALIFIER_##name = bit,
#include "tgsi/tables/small_tables.def"
   TG_ALL_QUALIFIERS = 15
};

/* Registers of RES that are kinds of memory, from 2012 to 2016; nothing
 * declares them. Later they became the file MEMORY. */
enum tg_res_register {
   TG_RES_INPUT = 32764,
   TG_RES_PRIVATE = 32765,
   TG_RES_LOCAL = 32766,
   TG_RES_GLOBAL = 32767,
};

/* Columns of opcodes.def; the legend there explains each word. */

enum tg_type {
   TG_TYPE_NONE,
   TG_TYPE_UNTYPED,
   TG_TYPE_F32,
   TG_TYPE_I32,
   TG_TYPE_U32,
   TG_TYPE_F64,
   TG_TYPE_I64,
   TG_TYPE_U64,
   TG_TYPE_SAMP,
   TG_TYPE_VIEW,
   TG_TYPE_MEM,
   TG_TYPE_IMAGE,
   TG_TYPE_IN,
   TG_TYPE_OUT,
};

/* The operand names a sampler, view, buffer, image or memory. */
static inline bool
tg_type_is_object(enum tg_type type)
{
   return type >= TG_TYPE_SAMP && type <= TG_TYPE_IMAGE;
}

enum tg_reads {
   TG_READS_NONE,
   TG_READS_MASK,
   TG_READS_X,
   TG_READS_XY,
   TG_READS_XYZ,
   TG_READS_XYZW,
   TG_READS_YZ,
   TG_READS_YW,
   TG_READS_LIT,
   TG_READS_EXP,
   TG_READS_PAIR,
   TG_READS_PAIR_X,
   TG_READS_PAIR_XY,
   TG_READS_NARROW,
   TG_READS_COORD,
   TG_READS_COORD_W,
   TG_READS_COORD_LAST,
   TG_READS_LEVEL,
   TG_READS_COMPONENT,
   TG_READS_EXTRA,
   TG_READS_STORED,
   TG_READS_DERIV,
   TG_READS_OBJECT,
};

enum tg_result_kind {
   TG_RESULT_NONE,
   TG_RESULT_COMP,
   TG_RESULT_REPL,
   TG_RESULT_CHAN,
   TG_RESULT_OTHER,
};

enum tg_opcode_group {
   TG_GROUP_ARITH,
   TG_GROUP_TRANS,
   TG_GROUP_COMPARE,
   TG_GROUP_INT,
   TG_GROUP_BIT,
   TG_GROUP_CONVERT,
   TG_GROUP_PACK,
   TG_GROUP_DOUBLE,
   TG_GROUP_INT64,
   TG_GROUP_ADDRESS,
   TG_GROUP_FLOW,
   TG_GROUP_DISCARD,
   TG_GROUP_DERIV,
   TG_GROUP_INTERP,
   TG_GROUP_SUBGROUP,
   TG_GROUP_SYNC,
   TG_GROUP_GEOMETRY,
   TG_GROUP_TEX,
   TG_GROUP_SAMPLE,
   TG_GROUP_RESOURCE,
   TG_GROUP_ATOMIC,
   TG_GROUP_GAP, /* a number whose opcode was removed: UNK67 and others */
};

enum tg_opcode_flag {
   TG_OPCODE_FLAG_TARGET = 1 << 0,
   TG_OPCODE_FLAG_TEXTOKEN = 1 << 1,
   TG_OPCODE_FLAG_MEMTOKEN = 1 << 2,
   TG_OPCODE_FLAG_MEMARGS = 1 << 3,
   TG_OPCODE_FLAG_LABEL = 1 << 4,
   TG_OPCODE_FLAG_INDENT = 1 << 5,
   TG_OPCODE_FLAG_OUTDENT = 1 << 6,
   TG_OPCODE_FLAG_WRITES_MEM = 1 << 7,
   TG_OPCODE_FLAG_ATOMIC = 1 << 8,
   TG_OPCODE_FLAG_DERIVS = 1 << 9,
   TG_OPCODE_FLAG_KILLS = 1 << 10,
   TG_OPCODE_FLAG_DOUBLE = 1 << 11,
   TG_OPCODE_FLAG_IMMEDIATE = 1 << 12,
   TG_OPCODE_FLAG_FUSES = 1 << 13,
};

enum tg_flow {
   TG_FLOW_NONE,
   TG_FLOW_IF,
   TG_FLOW_ELSE,
   TG_FLOW_ENDIF,
   TG_FLOW_LOOP,
   TG_FLOW_ENDLOOP,
   TG_FLOW_SWITCH,
   TG_FLOW_CASE,
   TG_FLOW_ENDSWITCH,
   TG_FLOW_SUB,
   TG_FLOW_ENDSUB,
   TG_FLOW_BREAK,
   TG_FLOW_CONTINUE,
   TG_FLOW_CALL,
   TG_FLOW_BRANCH,
   TG_FLOW_RETURN,
   TG_FLOW_END,
};

enum tg_spec {
#define TG_DIALECT(name, ...) TG_SPEC_##name = 1 << TG_DIALECT_##name,
#include "tgsi/tables/dialects.def"
};

/* Bits of a set of stages: 1 << enum tg_processor. */
enum tg_stage_bit {
   TG_STAGE_VS = 1 << TG_PROCESSOR_VERT,
   TG_STAGE_FS = 1 << TG_PROCESSOR_FRAG,
   TG_STAGE_GS = 1 << TG_PROCESSOR_GEOM,
   TG_STAGE_TCS = 1 << TG_PROCESSOR_TESS_CTRL,
   TG_STAGE_TES = 1 << TG_PROCESSOR_TESS_EVAL,
   TG_STAGE_CS = 1 << TG_PROCESSOR_COMP,
   TG_STAGE_ANY = (1 << TG_NUM_STAGES) - 1,
};

enum tg_file_access {
   TG_ACCESS_R = 1 << 0,
   TG_ACCESS_W = 1 << 1,
   TG_ACCESS_OBJ = 1 << 2,
   TG_ACCESS_DIM = 1 << 3,
   TG_ACCESS_OLD = 1 << 4,
};

enum tg_property_form {
   TG_FORM_UINT,
   TG_FORM_PRIMITIVE,
   TG_FORM_ORIGIN,
   TG_FORM_CENTER,
   TG_FORM_PROCESSOR,
};

enum tg_target_flag {
   TG_TARGET_FLAG_SHADOW = 1 << 0,
   TG_TARGET_FLAG_ARRAY = 1 << 1,
   TG_TARGET_FLAG_MSAA = 1 << 2,
};

/* ---- rows ---------------------------------------------------------------- */

enum { TG_MAX_DST = 2, TG_MAX_SRC = 5, TG_MAX_TEX_OFFSETS = 4 };

struct tg_opcode_info {
   const char *name; /* NULL: no opcode has this number */
   const char *title;
   uint8_t num_dst, min_src, num_src;
   uint8_t dst_type;             /* enum tg_type */
   uint8_t src_type[TG_MAX_SRC]; /* enum tg_type */
   uint8_t reads[TG_MAX_SRC];    /* enum tg_reads */
   uint8_t result;               /* enum tg_result_kind */
   uint8_t group;                /* enum tg_opcode_group */
   uint16_t flags;               /* enum tg_opcode_flag */
   uint8_t flow;                 /* enum tg_flow */
   uint16_t closer;              /* enum tg_opcode, or TG_OPCODE_NONE */
   uint8_t specs;                /* enum tg_spec */
   uint8_t stages;               /* enum tg_stage_bit */
};

enum {
#define TG_DIALECT(name, ...) TG_DIALECT_ROW_##name,
#include "tgsi/tables/dialects.def"
   TG_NUM_DIALECTS,
};

/* The legend of dialects.def has the meaning of each behaviour. */
#define TG_DIALECT_BEHAVIOURS(BEHAVIOUR)                                       \
   BEHAVIOUR(fuses)                                                            \
   BEHAVIOUR(rsq_magnitude)                                                    \
   BEHAVIOUR(lrp_difference)                                                   \
   BEHAVIOUR(shift_by_x)                                                       \
   BEHAVIOUR(compare_one)                                                      \
   BEHAVIOUR(exponent_double)                                                  \
   BEHAVIOUR(address_float)                                                    \
   BEHAVIOUR(any_register)                                                     \
   BEHAVIOUR(end_nests)                                                        \
   BEHAVIOUR(color_semantic)                                                   \
   BEHAVIOUR(fog_x)                                                            \
   BEHAVIOUR(output_w_one)                                                     \
   BEHAVIOUR(output_any)                                                       \
   BEHAVIOUR(load_fetches)                                                     \
   BEHAVIOUR(samples_zero)                                                     \
   BEHAVIOUR(target_samples)

struct tg_dialect_info {
   const char *name;
#define TG_DIALECT_MEMBER(behaviour) bool behaviour;
   TG_DIALECT_BEHAVIOURS(TG_DIALECT_MEMBER)
#undef TG_DIALECT_MEMBER
};

struct tg_file_info {
   const char *name;
   const char *title;
   uint8_t access; /* enum tg_file_access */
};

/* Channels of a register. */
enum {
   TG_MASK_X = 1,
   TG_MASK_Y = 2,
   TG_MASK_Z = 4,
   TG_MASK_W = 8,
   TG_MASK_XYZW = 15,
};

struct tg_semantic_info {
   const char *name;
   const char *alias; /* may be NULL */
   int16_t number20, number23;
   uint8_t in_stages, out_stages, sv_stages; /* enum tg_stage_bit */
   uint16_t max_index;
   uint8_t fragment_channels; /* TG_MASK_*: what a fragment shader may write */
};

struct tg_property_info {
   const char *name;
   const char *alias; /* may be NULL */
   uint8_t form;      /* enum tg_property_form */
   uint8_t stages;    /* enum tg_stage_bit */
   uint8_t elsewhere; /* enum tg_severity of standing in another stage */
   uint32_t least, greatest;
};

struct tg_target_info {
   const char *name;
   const char *alias; /* may be NULL */
   uint8_t num_coords;
   uint8_t reference; /* component from 1; 5: x of the next operand; 0: none */
   uint8_t num_derivs;
   uint8_t num_offsets;
   uint8_t plain; /* enum tg_target without SHADOW */
   uint8_t flags; /* enum tg_target_flag */
};

struct tg_primitive_info {
   const char *name;
   uint8_t num_vertices;
};

struct tg_format_name {
   const char *name; /* without PIPE_FORMAT_ */
   int16_t number20; /* -1: none */
};

struct tg_processor_info {
   const char *name;
   int8_t number20, number23; /* -1: none */
};

extern const struct tg_opcode_info tg_opcodes[TG_NUM_OPCODES];
extern const struct tg_dialect_info tg_dialects[TG_NUM_DIALECTS];
extern const struct tg_file_info tg_files[TG_NUM_FILES];
extern const struct tg_semantic_info tg_semantics[TG_NUM_SEMANTICS];
extern const struct tg_property_info tg_properties[TG_NUM_PROPERTIES];
extern const struct tg_target_info tg_targets[TG_NUM_TARGETS];
extern const struct tg_primitive_info tg_primitives[TG_NUM_PRIMITIVES];
extern const struct tg_format_name tg_formats[TG_NUM_FORMATS];
extern const struct tg_processor_info tg_processors[TG_NUM_PROCESSORS];

/* The row of an opcode, dialect, file, ... by its number, which must be one. */
static inline const struct tg_opcode_info *
tg_opcode_row(uint32_t number)
{
   assert(number < TG_NUM_OPCODES);
   return &tg_opcodes[number];
}
static inline const struct tg_dialect_info *
tg_dialect_row(uint32_t number)
{
   assert(number < TG_NUM_DIALECTS);
   return &tg_dialects[number];
}
static inline const struct tg_file_info *
tg_file_row(uint32_t number)
{
   assert(number < TG_NUM_FILES);
   return &tg_files[number];
}
static inline const struct tg_semantic_info *
tg_semantic_row(uint32_t number)
{
   assert(number < TG_NUM_SEMANTICS);
   return &tg_semantics[number];
}
static inline const struct tg_property_info *
tg_property_row(uint32_t number)
{
   assert(number < TG_NUM_PROPERTIES);
   return &tg_properties[number];
}
static inline const struct tg_target_info *
tg_target_row(uint32_t number)
{
   assert(number < TG_NUM_TARGETS);
   return &tg_targets[number];
}
static inline const struct tg_primitive_info *
tg_primitive_row(uint32_t number)
{
   assert(number < TG_NUM_PRIMITIVES);
   return &tg_primitives[number];
}
static inline const struct tg_format_name *
tg_format_row(uint32_t number)
{
   assert(number < TG_NUM_FORMATS);
   return &tg_formats[number];
}
static inline const struct tg_processor_info *
tg_processor_row(uint32_t number)
{
   assert(number < TG_NUM_PROCESSORS);
   return &tg_processors[number];
}

/* Names alone, by number. */
extern const char *const tg_interpolate_names[TG_NUM_INTERPOLATES];
extern const char *const tg_location_names[TG_NUM_LOCATIONS];
extern const char *const tg_return_type_names[TG_NUM_RETURN_TYPES];
extern const char *const tg_imm_type_names[TG_NUM_IMM_TYPES];
extern const char *const tg_memory_type_names[TG_NUM_MEMORY_TYPES];

/* Words of one value of an immediate: 1 or 2. */
static inline unsigned
tg_imm_type_words(enum tg_imm_type type)
{
   return type >= TG_IMM_TYPE_FLT64 ? 2 : 1;
}

/* ---- look-ups ------------------------------------------------------------ */

/* Each takes a word of `length` bytes, compares without case, knows the other
 * spellings, and returns the number or -1. */
int
tg_opcode_find(const char *word, size_t length);
int
tg_file_find(const char *word, size_t length);
int
tg_semantic_find(const char *word, size_t length);
int
tg_property_find(const char *word, size_t length);
int
tg_target_find(const char *word, size_t length);
int
tg_primitive_find(const char *word, size_t length);
int
tg_processor_find(const char *word, size_t length);
/* The number of a format, whose `word` begins with PIPE_FORMAT_. */
int
tg_format_find(const char *word, size_t length);

/* The number of a name in one of the arrays of names above. */
int
tg_name_find(const char *const *names, size_t num_names, const char *word,
             size_t length);

/* Is the index of a semantic written? 0 is only for the numbered ones. */
bool
tg_semantic_shows_index(enum tg_semantic semantic, unsigned index);

#endif
