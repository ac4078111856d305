/* SPDX-License-Identifier: MIT
 *
 * Texture instructions of Maxwell as data: the rows of forms.def, rows.def and
 * masks.def, an instruction with a member for each field, and which registers
 * it reads and writes.
 *
 *    63   60 59 58 57 56   53 52   50    49   48      36
 *   +-------+--+-----+-------+-------+-------+----------+
 *   | 1101  |32|00/01|  row  | wmask | nodep |  index   |  TEXS and TLDS
 *   +-------+--+-----+-------+-------+-------+----------+
 *    35   28 27    20 19 18  16 15    8 7     0
 *   +-------+--------+--+------+-------+-------+
 *   |  Rd1  |   Rb   |! |  Pg  |  Ra   |  Rd0  |
 *   +-------+--------+--+------+-------+-------+
 *
 * Beside each instruction stand 21 control bits, which control.def names.
 */
#ifndef MAXWELL_ISA_H
#define MAXWELL_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"
#include "tungsten/maxwell.h"

enum {
   MAXWELL_RZ = 255, /* reads 0, and nothing is written to it */
   MAXWELL_PT = 7,   /* the predicate that always holds */
   MAXWELL_MAX_INDEX = 0x1fff,
   MAXWELL_MAX_GROUP = 4, /* registers that stand together */
   MAXWELL_MASK_RGBA = 15,
};

/* ---- forms and fields ---------------------------------------------------- */

enum maxwell_form {
#define MAXWELL_FORM(id, ...) MAXWELL_FORM_##id,
#include "maxwell/isa/forms.def"
   MAXWELL_NUM_FORMS,
   MAXWELL_FORM_NONE = MAXWELL_NUM_FORMS, /* no instruction of ours */
};

/* clang-format off */
/* The fields of all forms, none of which has all of them. */
#define MAXWELL_FIELDS(field)                                                  \
   field(rd0) field(rd1) field(ra) field(rb) field(pred) field(pnot)           \
   field(dpred) field(index) field(nodep) field(row) field(wmask) field(fp32)  \
   field(f16) field(mask) field(dim) field(lod) field(ll) field(lc) field(cl)  \
   field(dc) field(ms) field(ndv) field(aoffi) field(offset) field(comp)       \
   field(query)
/* clang-format on */

enum maxwell_field {
#define MAXWELL_FIELD_ID(name) MAXWELL_FIELD_##name,
   MAXWELL_FIELDS(MAXWELL_FIELD_ID) MAXWELL_NUM_FIELDS
#undef MAXWELL_FIELD_ID
};

extern const char *const maxwell_field_names[MAXWELL_NUM_FIELDS];

/* What TXQ asks for; other numbers have no name. */
struct maxwell_query_info {
   const char *name;
   uint8_t number;
};

enum { MAXWELL_NUM_QUERIES = 7 };
extern const struct maxwell_query_info maxwell_queries[MAXWELL_NUM_QUERIES];

enum maxwell_kind { MAXWELL_KIND_SCALAR, MAXWELL_KIND_FULL };

struct maxwell_form_info {
   const char *name;
   const char *operands; /* in the order of the text; a letter each */
   const char *title;
   uint64_t value, bits;
   uint8_t kind;    /* enum maxwell_kind */
   uint8_t targets; /* of its field dim, 1 << enum maxwell_dim each */
   bool is_bindless;
};

extern const struct maxwell_form_info maxwell_forms[MAXWELL_NUM_FORMS];

/* Where a form has a field, which is nowhere if `width` is 0. */
struct maxwell_bits {
   uint8_t lsb, width;
};

extern const struct maxwell_bits maxwell_fields[MAXWELL_NUM_FORMS]
                                               [MAXWELL_NUM_FIELDS];

/* An instruction. Fields that the form has not are 0. */
struct maxwell_instruction {
   uint8_t form; /* enum maxwell_form */
   union {
      struct {
#define MAXWELL_FIELD_MEMBER(name) uint16_t name;
         MAXWELL_FIELDS(MAXWELL_FIELD_MEMBER)
#undef MAXWELL_FIELD_MEMBER
      };
      uint16_t field[MAXWELL_NUM_FIELDS];
   };
};

/* Decodes an instruction word. False when it is none of these forms. What is
 * decoded encodes to the same word; legal it need not be. */
bool
maxwell_isa_decode(uint64_t word, struct maxwell_instruction *instruction_out);

/* Encodes an instruction word. Members that are too large for their fields lose
 * their high bits. */
uint64_t
maxwell_isa_encode(const struct maxwell_instruction *instruction);

static inline bool
maxwell_form_has(enum maxwell_form form, enum maxwell_field field)
{
   return maxwell_fields[form][field].width != 0;
}

/* Are its results packed halves? */
bool
maxwell_isa_is_half(const struct maxwell_instruction *instruction);

/* Does it write a predicate, too? */
bool
maxwell_isa_writes_predicate(const struct maxwell_instruction *instruction);

/* ---- targets, levels of detail ------------------------------------------- */

/* Of full forms as they are numbered in words. */
enum maxwell_dim {
   MAXWELL_DIM_1D,
   MAXWELL_DIM_ARRAY_1D,
   MAXWELL_DIM_2D,
   MAXWELL_DIM_ARRAY_2D,
   MAXWELL_DIM_3D,
   MAXWELL_DIM_ARRAY_3D,
   MAXWELL_DIM_CUBE,
   MAXWELL_DIM_ARRAY_CUBE,
   MAXWELL_NUM_DIMS
};

struct maxwell_dim_info {
   const char *name;
   uint8_t num_coordinates; /* without the layer */
   bool is_array;
};

extern const struct maxwell_dim_info maxwell_dims[MAXWELL_NUM_DIMS];

/* Of TEX as they are numbered in words; 4 and 5 mean nothing known. */
enum maxwell_lod {
   MAXWELL_LOD_NONE = 0,
   MAXWELL_LOD_LZ = 1,
   MAXWELL_LOD_LB = 2,
   MAXWELL_LOD_LL = 3,
   MAXWELL_LOD_LBA = 6,
   MAXWELL_LOD_LLA = 7,
   MAXWELL_NUM_LODS = 8
};

/* Without the point; "" for none, NULL for what means nothing. */
extern const char *const maxwell_lod_names[MAXWELL_NUM_LODS];

/* ---- rows and masks of the scalar forms ---------------------------------- */

/* What a register that is read holds. */
enum maxwell_operand {
   MAXWELL_OPERAND_NONE,
   MAXWELL_OPERAND_S, /* coordinates, floats */
   MAXWELL_OPERAND_T,
   MAXWELL_OPERAND_R,
   MAXWELL_OPERAND_X, /* coordinates, integers */
   MAXWELL_OPERAND_Y,
   MAXWELL_OPERAND_Z,
   MAXWELL_OPERAND_LAYER,        /* an integer of which 16 bits count */
   MAXWELL_OPERAND_LOD,          /* absolute, or a bias; float */
   MAXWELL_OPERAND_LEVEL,        /* integer */
   MAXWELL_OPERAND_DC,           /* what is compared with; float */
   MAXWELL_OPERAND_OFFSET,       /* packed texel offsets */
   MAXWELL_OPERAND_OFFSET_2,     /* the second two of four for TLD4.PTP */
   MAXWELL_OPERAND_LAYER_OFFSET, /* of TXD: layer low, offsets from bit 16 */
   MAXWELL_OPERAND_SAMPLE,       /* integer */
   MAXWELL_OPERAND_HANDLE,       /* of bindless forms */
   MAXWELL_OPERAND_DSDX,
   MAXWELL_OPERAND_DSDY,
   MAXWELL_OPERAND_DTDX,
   MAXWELL_OPERAND_DTDY,
   MAXWELL_NUM_OPERANDS
};

enum maxwell_extra {
   MAXWELL_EXTRA_NONE = 0,
   MAXWELL_EXTRA_DC = 1,
   MAXWELL_EXTRA_AOFFI = 2,
   MAXWELL_EXTRA_MS = 4,
};

struct maxwell_row {
   uint8_t form;       /* enum maxwell_form */
   uint8_t number;     /* in the word */
   uint8_t dim;        /* enum maxwell_dim */
   uint8_t lod;        /* enum maxwell_lod */
   uint8_t extra;      /* enum maxwell_extra, or-ed */
   uint8_t operand[4]; /* of Ra, Ra + 1, Rb, Rb + 1; enum maxwell_operand */
   uint16_t opcode;    /* enum tg_opcode */
};

extern const struct maxwell_row maxwell_rows[];
extern const unsigned maxwell_num_rows;

/* The row of a scalar instruction, or NULL when its number has none. */
const struct maxwell_row *
maxwell_isa_find_row(const struct maxwell_instruction *instruction);

/* The row of scalar instructions with these properties, or NULL: it cannot be
 * expressed. */
const struct maxwell_row *
maxwell_isa_row_for(enum maxwell_form form, enum maxwell_dim dim,
                    enum maxwell_lod lod, unsigned extra);

struct maxwell_mask {
   const char *name;
   bool has_rd1;
   uint8_t code;
   uint8_t mask;        /* R 1, G 2, B 4, A 8 */
   uint8_t count[2][2]; /* registers of Rd0 and Rd1; [1] with .F16 */
};

enum { MAXWELL_NUM_MASKS = 13 };
extern const struct maxwell_mask maxwell_masks[MAXWELL_NUM_MASKS];

/* The mask of a TEXS or TLDS, or NULL when its code has none. */
const struct maxwell_mask *
maxwell_isa_find_mask(const struct maxwell_instruction *instruction);

/* The row of masks.def with these components, or NULL. */
const struct maxwell_mask *
maxwell_isa_mask_for(unsigned components);

/* ---- registers ----------------------------------------------------------- */

/* Registers that follow each other and are read or written together. */
struct maxwell_group {
   uint8_t base;  /* MAXWELL_RZ where `count` is 0, if it is as it should be */
   uint8_t count; /* of registers; a destination may be RZ all the same */
   /* What each register holds: a source an enum maxwell_operand; a destination
    * components, the first in bits 0 to 2 and of halves the second in bits 4 to
    * 6, each as its number plus one, 0 being none. */
   uint8_t content[MAXWELL_MAX_GROUP * 2];
};

/* Does any document say what the instruction reads? It does not of TXA, nor
 * where .LC and .CL have their operand. */
bool
maxwell_has_known_registers(const struct maxwell_instruction *instruction);

/* The register groups of the sources: what Ra and Rb hold, in this order. False
 * when the instruction has no legal row, target or mode, or none that is known,
 * and then nothing is known of it. */
bool
maxwell_source_registers(const struct maxwell_instruction *instruction,
                         struct maxwell_group groups[2]);

/* The register groups of the results: what is written to Rd0 and Rd1 (Rd of
 * full forms being Rd0). False when the mask has no row. */
bool
maxwell_result_registers(const struct maxwell_instruction *instruction,
                         struct maxwell_group groups[2]);

/* The alignment of the first register of a group with this many. */
unsigned
maxwell_register_alignment(const struct maxwell_instruction *instruction,
                           unsigned count);

/* ---- control bits -------------------------------------------------------- */

/* The 21 bits beside an instruction. */
union maxwell_control {
   struct {
#define MAXWELL_CONTROL(id, lsb, width, none, title) uint8_t id;
#include "maxwell/isa/control.def"
   };
   uint8_t field[8];
};

enum maxwell_control_field {
#define MAXWELL_CONTROL(id, lsb, width, none, title) MAXWELL_CONTROL_##id,
#include "maxwell/isa/control.def"
   MAXWELL_NUM_CONTROLS
};

struct maxwell_control_info {
   const char *name;
   const char *title;
   uint8_t lsb, width;
   uint8_t none; /* the value that asks for nothing */
};

extern const struct maxwell_control_info maxwell_controls[MAXWELL_NUM_CONTROLS];

/* The control bits of an instruction as fields, and back. */
union maxwell_control
maxwell_isa_decode_control(uint32_t bits);
uint32_t
maxwell_isa_encode_control(const union maxwell_control *control);

#endif
