/* SPDX-License-Identifier: MIT
 *
 * A shader whose interpretation is what the vertex unit has to give to the bit:
 * operations that it does not have are written out in those that it has, and
 * MIN and MAX give NaN if either operand is. Between this shader and the one
 * that it was made of lie all differences that there may be. With exact
 * arithmetic only the last of these is to be written out.
 *
 *    DIV d, a, b     RCP t.c, b.c for each component; MUL d, a, t
 *    SQRT d, a       SQRT t.x, a; RCP t.x, t; RCP d, t.x (RSQ takes |a| in
 * 2010) POW d, a, b     LG2 t.x, a; MUL t.x, t, b; EX2 d, t.x MAX d, a, b MAX
 * t, a, b; where b is NaN: b; where a is NaN: a
 */
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"

struct expansion {
   struct tg_shader *shader;
   uint16_t first_temporary; /* of three that nobody else uses */
   bool exact;               /* quotients, roots and powers stay */
   bool is_good;
};

/* ---- operands ------------------------------------------------------------ */

static struct tg_src
temporary_src(const struct expansion *expansion, unsigned number)
{
   struct tg_src src = {.swizzle = {0, 1, 2, 3}};

   src.reg.file = TG_FILE_TEMP;
   src.reg.index.offset = expansion->first_temporary + (int)number;
   return src;
}

static struct tg_dst
temporary_dst(const struct expansion *expansion, unsigned number, uint8_t mask)
{
   struct tg_dst dst = {.writemask = mask};

   dst.reg = temporary_src(expansion, number).reg;
   return dst;
}

static struct tg_src
component(struct tg_src src, unsigned index)
{
   memset(src.swizzle, src.swizzle[index], sizeof(src.swizzle));
   return src;
}

/* ---- instructions -------------------------------------------------------- */

/* Into a temporary, without the clamp of the instruction that it belongs to. */
static void
emit(struct expansion *expansion, enum tg_opcode opcode, struct tg_dst dst,
     unsigned num_src, struct tg_src a, struct tg_src b, struct tg_src c)
{
   struct tg_instruction_draft draft = {0};

   draft.head.opcode = (uint16_t)opcode;
   draft.head.precise = true;
   draft.head.num_dst = 1;
   draft.head.num_src = (uint8_t)num_src;
   draft.dst[0] = dst;
   draft.src[0] = a;
   draft.src[1] = b;
   draft.src[2] = c;
   expansion->is_good &=
      tg_shader_add_instruction(expansion->shader, &draft) != NULL;
}

/* To where the instruction goes, with its clamp and predicate. */
static void
emit_last(struct expansion *expansion, const struct tg_instruction *from,
          enum tg_opcode opcode, unsigned num_src, struct tg_src a,
          struct tg_src b)
{
   struct tg_instruction_draft draft = {.head = *from};

   draft.head.opcode = (uint16_t)opcode;
   draft.head.num_src = (uint8_t)num_src;
   draft.dst[0] = from->dst[0];
   draft.src[0] = a;
   draft.src[1] = b;
   expansion->is_good &=
      tg_shader_add_instruction(expansion->shader, &draft) != NULL;
}

static void
copy(struct expansion *expansion, const struct tg_instruction *from)
{
   struct tg_instruction_draft draft = {.head = *from};

   for (unsigned i = 0; i < from->num_dst; i++)
      draft.dst[i] = from->dst[i];
   for (unsigned i = 0; i < from->num_src; i++)
      draft.src[i] = from->src[i];
   for (unsigned i = 0; i < from->num_tex_offsets; i++)
      draft.tex_offset[i] = from->tex_offset[i];
   expansion->is_good &=
      tg_shader_add_instruction(expansion->shader, &draft) != NULL;
}

/* ---- expansions ---------------------------------------------------------- */

static void
divide(struct expansion *expansion, const struct tg_instruction *from)
{
   struct tg_src a = from->src[0], b = from->src[1];

   for (unsigned i = 0; i < 4; i++) {
      struct tg_src divisor = component(b, i);
      if (from->dst[0].writemask >> i & 1)
         emit(expansion, TG_OPCODE_RCP,
              temporary_dst(expansion, 0, (uint8_t)(1u << i)), 1, divisor,
              divisor, divisor);
   }
   emit_last(expansion, from, TG_OPCODE_MUL, 2, a, temporary_src(expansion, 0));
}

static void
square_root(struct expansion *expansion, const struct tg_instruction *from)
{
   struct tg_src a = from->src[0];
   struct tg_src t = component(temporary_src(expansion, 0), 0);
   struct tg_dst to = temporary_dst(expansion, 0, TG_MASK_X);

   emit(expansion, TG_OPCODE_SQRT, to, 1, a, a, a);
   emit(expansion, TG_OPCODE_RCP, to, 1, t, t, t);
   emit_last(expansion, from, TG_OPCODE_RCP, 1, t, t);
}

static void
power(struct expansion *expansion, const struct tg_instruction *from)
{
   struct tg_src a = from->src[0], b = from->src[1];
   struct tg_src t = component(temporary_src(expansion, 0), 0);
   struct tg_dst to = temporary_dst(expansion, 0, TG_MASK_X);

   emit(expansion, TG_OPCODE_LG2, to, 1, a, a, a);
   emit(expansion, TG_OPCODE_MUL, to, 2, t, component(b, 0), t);
   emit_last(expansion, from, TG_OPCODE_EX2, 1, t, t);
}

static void
reflect(struct expansion *expansion, const struct tg_instruction *from)
{
   struct tg_src axis = from->src[0], direction = from->src[1];
   struct tg_src result = temporary_src(expansion, 1);
   struct tg_src x = component(temporary_src(expansion, 0), 0);
   struct tg_src y = component(temporary_src(expansion, 0), 1);
   struct tg_dst to_x = temporary_dst(expansion, 0, TG_MASK_X);
   struct tg_dst to_y = temporary_dst(expansion, 0, TG_MASK_Y);
   struct tg_src opposite = direction;

   opposite.negate = !opposite.negate;
   emit(expansion, TG_OPCODE_DP3, to_x, 2, axis, direction, x);
   emit(expansion, TG_OPCODE_ADD, to_x, 2, x, x, x);
   emit(expansion, TG_OPCODE_DP3, to_y, 2, axis, axis, x);
   emit(expansion, TG_OPCODE_RCP, to_y, 1, y, y, y);
   emit(expansion, TG_OPCODE_MUL, to_x, 2, x, y, x);
   emit(expansion, TG_OPCODE_STR, temporary_dst(expansion, 1, TG_MASK_W), 0, x,
        x, x);
   emit(expansion, TG_OPCODE_MAD, temporary_dst(expansion, 1, 7), 3, x, axis,
        opposite);
   emit_last(expansion, from, TG_OPCODE_MOV, 1, result, result);
}

/* NRM and NRM4. */
static void
normalise(struct expansion *expansion, const struct tg_instruction *from)
{
   bool is_nrm = from->opcode == TG_OPCODE_NRM;
   struct tg_src a = from->src[0], result = temporary_src(expansion, 1);
   struct tg_src t = component(temporary_src(expansion, 0), 0);
   struct tg_dst to = temporary_dst(expansion, 0, TG_MASK_X);

   emit(expansion, is_nrm ? TG_OPCODE_DP3 : TG_OPCODE_DP4, to, 2, a, a, t);
   emit(expansion, TG_OPCODE_SQRT, to, 1, t, t, t);
   emit(expansion, TG_OPCODE_RCP, to, 1, t, t, t);
   emit(expansion, TG_OPCODE_MUL, temporary_dst(expansion, 1, TG_MASK_XYZW), 2,
        a, t, t);
   if (is_nrm)
      emit(expansion, TG_OPCODE_STR, temporary_dst(expansion, 1, TG_MASK_W), 0,
           t, t, t);
   emit_last(expansion, from, TG_OPCODE_MOV, 1, result, result);
}

/* MIN and MAX. */
static void
extreme(struct expansion *expansion, const struct tg_instruction *from)
{
   uint8_t mask = from->dst[0].writemask;
   struct tg_src value = temporary_src(expansion, 0);
   struct tg_src is_nan = temporary_src(expansion, 1);

   emit(expansion, (enum tg_opcode)from->opcode,
        temporary_dst(expansion, 0, mask), 2, from->src[0], from->src[1],
        value);
   for (unsigned i = 2; i-- > 0;) {
      struct tg_src operand = temporary_src(expansion, 2);
      /* UCMP's operands are bits: their modifiers would be those of integers.
       */
      emit(expansion, TG_OPCODE_MOV, temporary_dst(expansion, 2, mask), 1,
           from->src[i], value, value);
      emit(expansion, TG_OPCODE_FSNE, temporary_dst(expansion, 1, mask), 2,
           operand, operand, value);
      emit(expansion, TG_OPCODE_UCMP, temporary_dst(expansion, 0, mask), 3,
           is_nan, operand, value);
   }
   emit_last(expansion, from, TG_OPCODE_MOV, 1, value, value);
}

static void
expand(struct expansion *expansion, const struct tg_instruction *from)
{
   static const struct {
      uint16_t opcode;
      bool is_exact; /* it is expanded with exact arithmetic, too */
      void (*expand)(struct expansion *expansion,
                     const struct tg_instruction *from);
   } expansions[] = {
      {TG_OPCODE_DIV, false, divide},    {TG_OPCODE_SQRT, false, square_root},
      {TG_OPCODE_POW, false, power},     {TG_OPCODE_RFL, false, reflect},
      {TG_OPCODE_NRM, false, normalise}, {TG_OPCODE_NRM4, false, normalise},
      {TG_OPCODE_MIN, true, extreme},    {TG_OPCODE_MAX, true, extreme},
   };

   for (size_t i = 0; i < sizeof(expansions) / sizeof(expansions[0]); i++) {
      if (expansions[i].opcode == from->opcode &&
          (expansions[i].is_exact || !expansion->exact)) {
         expansions[i].expand(expansion, from);
         return;
      }
   }
   copy(expansion, from);
}

/* ---- the shader ---------------------------------------------------------- */

static void
copy_declarations(struct expansion *expansion, const struct tg_shader *from)
{
   unsigned first = 0;

   for (uint32_t i = 0; i < from->num_declarations; i++) {
      struct tg_declaration *to = tg_shader_add_declaration(expansion->shader);
      if (to)
         *to = from->declarations[i];
      expansion->is_good &= to != NULL;
      if (from->declarations[i].file == TG_FILE_TEMP &&
          from->declarations[i].last >= first)
         first = from->declarations[i].last + 1u;
   }
   struct tg_declaration *temporaries =
      tg_shader_add_declaration(expansion->shader);
   expansion->first_temporary = (uint16_t)first;
   expansion->is_good &= temporaries != NULL;
   if (!temporaries)
      return;
   *temporaries = (struct tg_declaration){.file = TG_FILE_TEMP};
   temporaries->usage_mask = TG_MASK_XYZW;
   temporaries->first = (uint16_t)first;
   temporaries->last = (uint16_t)(first + 2);
}

static void
copy_values(struct expansion *expansion, const struct tg_shader *from)
{
   for (uint32_t i = 0; i < from->num_immediates; i++) {
      struct tg_immediate *to = tg_shader_add_immediate(expansion->shader);
      if (to)
         *to = from->immediates[i];
      expansion->is_good &= to != NULL;
   }
   for (uint32_t i = 0; i < from->num_properties; i++) {
      struct tg_property *to = tg_shader_add_property(expansion->shader);
      if (to)
         *to = from->properties[i];
      expansion->is_good &= to != NULL;
   }
}

/* Calls name the instruction that they go to. */
static void
move_labels(struct tg_shader *shader, const uint32_t *places, uint32_t count)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      struct tg_instruction *instruction = &shader->instructions[i];
      if (instruction->has_label && instruction->label < count)
         instruction->label = places[instruction->label];
   }
}

struct tg_shader *
corpus_expand(const struct tg_shader *shader, bool exact)
{
   uint32_t *places = calloc(shader->num_instructions + 1u, sizeof(*places));
   struct expansion expansion = {.exact = exact, .is_good = places != NULL};

   expansion.shader = tg_shader_create(NULL, shader->processor, shader->dialect,
                                       &shader->source);
   if (!expansion.shader || !places) {
      tg_shader_destroy(expansion.shader);
      free(places);
      return NULL;
   }
   copy_declarations(&expansion, shader);
   copy_values(&expansion, shader);
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      places[i] = expansion.shader->num_instructions;
      expand(&expansion, &shader->instructions[i]);
   }
   move_labels(expansion.shader, places, shader->num_instructions);
   free(places);
   if (expansion.is_good)
      return expansion.shader;
   tg_shader_destroy(expansion.shader);
   return NULL;
}
