/* SPDX-License-Identifier: MIT
 *
 * Modifiers: the words after an instruction's name, as properties: what the
 * assembler collects and the disassembler prints. How a property is encoded (a
 * field of its own, the sense of a bit, a row of rows.def) is known here alone.
 */
#ifndef MAXWELL_ISA_MODIFIERS_H
#define MAXWELL_ISA_MODIFIERS_H

#include "maxwell/isa/isa.h"

enum maxwell_property {
   MAXWELL_PROPERTY_BINDLESS,
   MAXWELL_PROPERTY_F16,
   MAXWELL_PROPERTY_COMP, /* of a gather, from 1 */
   MAXWELL_PROPERTY_LOD,  /* enum maxwell_lod */
   MAXWELL_PROPERTY_QUERY,
   MAXWELL_PROPERTY_LC,
   MAXWELL_PROPERTY_CL,
   MAXWELL_PROPERTY_OFFSET, /* 1 one for all, 2 one for each of four texels */
   MAXWELL_PROPERTY_MS,
   MAXWELL_PROPERTY_DC,
   MAXWELL_PROPERTY_NDV,
   MAXWELL_PROPERTY_NODEP,
   MAXWELL_PROPERTY_T, /* a control bit */
   MAXWELL_PROPERTY_P, /* likewise */
   MAXWELL_NUM_PROPERTIES
};

/* Also the target of rows. */
struct maxwell_properties {
   uint8_t value[MAXWELL_NUM_PROPERTIES];
   uint8_t dim; /* enum maxwell_dim */
};

struct maxwell_modifier {
   const char *name;
   uint8_t property; /* enum maxwell_property */
   uint8_t value;
};

enum { MAXWELL_NUM_MODIFIERS = 22 };
extern const struct maxwell_modifier maxwell_modifiers[MAXWELL_NUM_MODIFIERS];

/* Can an instruction of this form have the property at all? */
bool
maxwell_may_have_modifier(enum maxwell_form form,
                          enum maxwell_property property);

/* The modifiers that an instruction with these control bits has. False when one
 * of its fields has a value that no modifier stands for. */
bool
maxwell_get_modifiers(const struct maxwell_instruction *instruction,
                      uint32_t control,
                      struct maxwell_properties *properties_out);

/* Sets the fields and control bits; the form is that of the instruction. False
 * when no row has what is asked for. Properties that the form has not must be
 * 0. */
bool
maxwell_set_modifiers(struct maxwell_instruction *instruction,
                      uint32_t *control,
                      const struct maxwell_properties *properties);

#endif
