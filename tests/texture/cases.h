/* SPDX-License-Identifier: MIT
 *
 * Cases of sampling: a texture opcode with a target, a texture, a sampler and
 * 16 lanes of operands, all made from the case's name, so that a case can be
 * made again by itself.
 */
#ifndef TESTS_TEXTURE_CASES_H
#define TESTS_TEXTURE_CASES_H

#include "subject.h"
#include "tungsten/run.h"

/* What an opcode does, as far as operands and results go. */
enum texture_form {
   FORM_NONE,
   FORM_LOOKUP,
   FORM_GATHER,
   FORM_FETCH,
   FORM_LOD,
   FORM_SIZE,
   FORM_SAMPLES,
   FORM_POSITION,
   FORM_HANDLE,
};

/* Where the level of detail comes from. */
enum texture_level {
   LEVEL_QUAD,
   LEVEL_ZERO,
   LEVEL_BIAS,
   LEVEL_LOD,
   LEVEL_DERIVATIVES,
};

struct texture_opcode {
   uint8_t form;    /* enum texture_form */
   uint8_t level;   /* enum texture_level */
   uint8_t operand; /* the source that bias, lod, derivatives or sample begin
                       with; 0: w of the first */
   bool divides;    /* the coordinates by w */
   bool compares;   /* whatever the target is */
   bool is_old;     /* of the dialect of 2011 alone */
   /* Views of 2D and 2DArray may be multisampled. */
   bool finds_samples;
};

/* By enum tg_opcode; FORM_NONE for all that is no texture opcode. */
extern const struct texture_opcode texture_opcodes[TG_NUM_OPCODES];

/* May the opcode be used with the target? */
bool
texture_is_legal(enum tg_opcode opcode, enum tg_target target);

unsigned
texture_max_offsets(enum tg_opcode opcode);

/* How many cases there are of each legal pair. */
unsigned
texture_num_cases(enum tg_opcode opcode);

enum { CASE_SOURCES = 6, CASE_OFFSETS = 5 /* the register of those */ };

struct texture_case {
   enum tg_opcode subject_opcode; /* whom the case is counted for */
   enum tg_opcode opcode;
   enum tg_target target;
   enum tg_target view_target; /* without SHADOW */
   unsigned number, attempt;

   enum tg_processor stage;
   bool is_old;   /* in the dialect of 2011, with RES */
   bool is_short; /* without the operand that may be left out */
   bool uses_handle;
   unsigned view_place, sampler_place;
   int component;        /* of TG4 */
   unsigned num_offsets; /* 0, 1 or 4 */
   bool varies_offset;   /* one a lane, in a register */
   uint8_t swizzle[4];   /* of the operand that is the view: x to w */

   struct subject subject;
   struct tg_sampler_desc sampler;
   int offsets[4][3];
   uint32_t sources[TG_MAX_LANES][CASE_SOURCES][4]; /* IN */
   char text[2048];
};

/* False when the library refuses the texture; the diagnostics say why. */
bool
case_init(struct texture_case *c, enum tg_opcode opcode, enum tg_target target,
          unsigned number, unsigned attempt,
          struct tg_diagnostics *diagnostics);
void
case_finish(struct texture_case *c);

/* Does the shader read IN[i]? */
bool
case_has_input(const struct texture_case *c, unsigned i);

/* What a lane must give. */
struct judgement {
   struct reference_result result;
   bool is_integer;
};
struct judgement
case_judge(const struct texture_case *c, unsigned lane);

/* Everything that is needed to see the case again. */
void
case_print(const struct texture_case *c);

#endif
