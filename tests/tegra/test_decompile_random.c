/* SPDX-License-Identifier: MIT
 *
 * Random programs give what the shaders give that they are decompiled to:
 * straight on, with structure, and with jumps anywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decompiled.h"

static uint32_t
number(struct decompiled_random *random, uint32_t bound)
{
   return decompiled_number(random, bound);
}

static bool
one_in(struct decompiled_random *random, uint32_t count)
{
   return number(random, count) == 0;
}

/* ---- instructions -------------------------------------------------------- */

/* An opcode that has a result, or none. */
static unsigned
random_opcode(struct decompiled_random *random, enum tegra_unit unit)
{
   for (;;) {
      unsigned opcode = number(random, TEGRA_NUM_OPCODES);

      if (tegra_opcodes[unit][opcode].effect == TEGRA_EFFECT_NONE)
         return opcode;
   }
}

static void
random_source(struct decompiled_random *random,
              union tegra_instruction *instruction, enum tegra_source source)
{
   const struct tegra_source_fields *fields = &tegra_source_fields[source];
   uint16_t *field = instruction->field;

   field[fields->type] = (uint16_t)number(random, one_in(random, 8) ? 4 : 3);
   if (!field[fields->type])
      field[fields->type] = TEGRA_CONSTANT;
   field[fields->index] = (uint16_t)number(random, 4);
   field[fields->swz] =
      one_in(random, 2) ? TEGRA_IDENTITY : (uint16_t)number(random, 256);
   field[fields->neg] = one_in(random, 4);
   field[fields->abs] = one_in(random, 4);
}

static union tegra_instruction
nothing(void)
{
   union tegra_instruction instruction = {.export_index = TEGRA_NO_EXPORT};

   instruction.s_rd = instruction.v_rd = TEGRA_NO_REGISTER;
   instruction.ra_type = instruction.rb_type = instruction.rc_type =
      TEGRA_ATTRIBUTE;
   instruction.ra_swz = instruction.rb_swz = instruction.rc_swz =
      instruction.p_swz = TEGRA_IDENTITY;
   instruction.p_lt = instruction.p_eq = instruction.p_gt = 1;
   return instruction;
}

static void
random_predicate(struct decompiled_random *random,
                 union tegra_instruction *instruction)
{
   instruction->p_lt = one_in(random, 2);
   instruction->p_eq = one_in(random, 2);
   instruction->p_gt = one_in(random, 2);
   instruction->p_swz = (uint16_t)number(random, 256);
   if (one_in(random, 2))
      instruction->p_swz = 0x55 * (uint16_t)number(random, 4);
}

static void
random_indices(struct decompiled_random *random,
               union tegra_instruction *instruction)
{
   instruction->attr_index = (uint16_t)number(random, TG_TEGRA_NUM_ATTRIBUTES);
   instruction->const_index = (uint16_t)number(random, 12);
   if (one_in(random, 16))
      instruction->const_index = (uint16_t)(250 + number(random, 12));
   instruction->a_sel = (uint16_t)number(random, 4);
   instruction->const_rel = one_in(random, 6);
   instruction->attr_rel = one_in(random, 6);
   instruction->bit120 = one_in(random, 30);
}

/* Both units compute, on the same few registers. */
static union tegra_instruction
random_instruction(struct decompiled_random *random)
{
   union tegra_instruction instruction = nothing();

   instruction.v_op = (uint16_t)random_opcode(random, TEGRA_VECTOR);
   instruction.s_op = one_in(random, 2)
                         ? TEGRA_SCALAR_NOP
                         : (uint16_t)random_opcode(random, TEGRA_SCALAR);
   for (unsigned s = 0; s < TEGRA_NUM_SOURCES; s++)
      random_source(random, &instruction, s);
   random_indices(random, &instruction);
   instruction.v_mask = (uint16_t)number(random, 16);
   instruction.s_mask = (uint16_t)number(random, 16);
   if (one_in(random, 2))
      instruction.v_mask = TEGRA_MASK_XYZW;
   instruction.v_rd = (uint16_t)number(random, 4);
   instruction.s_rd = (uint16_t)number(random, 4);
   if (one_in(random, 4))
      instruction.v_rd = TEGRA_NO_REGISTER;
   if (one_in(random, 4))
      instruction.s_rd = TEGRA_NO_REGISTER;
   if (one_in(random, 3))
      instruction.export_index = (uint16_t)number(random, 6);
   instruction.export_rel = one_in(random, 30);
   instruction.export_vec = one_in(random, 2);
   instruction.sat = one_in(random, 6);
   instruction.cs = instruction.cwr = one_in(random, 3);
   instruction.cr = one_in(random, 3);
   instruction.cc = one_in(random, 3);
   if (instruction.cc)
      random_predicate(random, &instruction);
   return instruction;
}

/* ---- programs ------------------------------------------------------------ */

static struct tg_tegra_program *
create(void)
{
   struct tg_source source = {.name = "random"};

   return tegra_program_create(NULL, &source);
}

static void
add(struct tg_tegra_program *program,
    const union tegra_instruction *instruction)
{
   tegra_program_add(program, instruction,
                     (struct tg_position){.column = program->num_instructions});
}

static void
end(struct tg_tegra_program *program)
{
   union tegra_instruction last =
      tegra_isa_decode(program->words[program->num_instructions - 1]);

   last.end = 1;
   tegra_isa_encode(&last, program->words[program->num_instructions - 1]);
}

static void
give_constants(struct decompiled_random *random,
               struct tg_tegra_program *program)
{
   for (unsigned i = 0; i < 12; i++) {
      program->constant_masks[i] =
         one_in(random, 3) ? (uint8_t)number(random, 16) : 0;
      for (unsigned c = 0; c < 4; c++) {
         if (program->constant_masks[i] >> c & 1)
            program->constants[i][c] = decompiled_float(random);
      }
   }
}

static void
make_straight(struct decompiled_random *random,
              struct tg_tegra_program *program)
{
   unsigned length = 1 + number(random, 12);

   for (unsigned i = 0; i < length; i++) {
      union tegra_instruction instruction = random_instruction(random);
      add(program, &instruction);
   }
   end(program);
}

/* Jumps, calls, returns, pushes, pops and ends anywhere. */
static void
make_wild(struct decompiled_random *random, struct tg_tegra_program *program)
{
   static const uint8_t flow[] = {
      TEGRA_SCALAR_BRA, TEGRA_SCALAR_BRA,   TEGRA_SCALAR_BRA, TEGRA_SCALAR_CAL,
      TEGRA_SCALAR_RET, TEGRA_SCALAR_PUSHA, TEGRA_SCALAR_POPA};
   unsigned length = 2 + number(random, 14);

   for (unsigned i = 0; i < length; i++) {
      union tegra_instruction instruction = random_instruction(random);

      if (one_in(random, 3)) {
         instruction.s_op = flow[number(random, sizeof(flow))];
         instruction.rc_swz = (uint16_t)number(random, length + 1);
         random_predicate(random, &instruction);
      }
      if (one_in(random, 12))
         instruction.v_op =
            one_in(random, 2) ? TEGRA_VECTOR_PUSHA : TEGRA_VECTOR_POPA;
      instruction.end = one_in(random, 10);
      add(program, &instruction);
   }
   end(program);
}

/* Conditional branches anywhere, mostly forward. */
static void
make_branches(struct decompiled_random *random,
              struct tg_tegra_program *program)
{
   unsigned length = 4 + number(random, 16);

   for (unsigned i = 0; i < length; i++) {
      union tegra_instruction instruction = random_instruction(random);
      bool is_back = one_in(random, 64);

      instruction.export_rel = 0;
      if (i > 0 && i + 1 < length && one_in(random, 2)) {
         instruction.s_op = TEGRA_SCALAR_BRA;
         instruction.rc_swz =
            (uint16_t)(is_back ? number(random, i)
                               : i + 1 + number(random, length - i - 1));
         random_predicate(random, &instruction);
      }
      add(program, &instruction);
   }
   end(program);
}

/* ---- structure ----------------------------------------------------------- */

struct builder {
   struct decompiled_random *random;
   struct tg_tegra_program *program;
   unsigned calls[8], num_calls;
   unsigned num_loops;
};

static unsigned
place(const struct builder *builder)
{
   return builder->program->num_instructions;
}

static union tegra_instruction
jump(struct builder *builder, enum tegra_scalar_op opcode, bool is_conditional)
{
   union tegra_instruction instruction = nothing();

   if (one_in(builder->random, 3))
      instruction = random_instruction(builder->random);
   instruction.rc_type = TEGRA_UNDEFINED;
   if (instruction.v_op == TEGRA_VECTOR_ADD ||
       instruction.v_op == TEGRA_VECTOR_MAD)
      instruction.v_op = TEGRA_VECTOR_MUL;
   instruction.s_op = opcode;
   if (is_conditional)
      random_predicate(builder->random, &instruction);
   else
      instruction.cc = 0,
      instruction.p_lt = instruction.p_eq = instruction.p_gt = 1;
   return instruction;
}

static void
set_target(struct builder *builder, unsigned at, unsigned target)
{
   union tegra_instruction instruction =
      tegra_isa_decode(builder->program->words[at]);

   instruction.rc_swz = (uint16_t)target;
   tegra_isa_encode(&instruction, builder->program->words[at]);
}

static unsigned
add_jump(struct builder *builder, enum tegra_scalar_op opcode,
         bool is_conditional)
{
   union tegra_instruction instruction = jump(builder, opcode, is_conditional);

   add(builder->program, &instruction);
   return place(builder) - 1;
}

static void
build(struct builder *builder, unsigned depth);

static void
build_if(struct builder *builder, unsigned depth)
{
   unsigned to_else = add_jump(builder, TEGRA_SCALAR_BRA, true);

   build(builder, depth + 1);
   if (one_in(builder->random, 2)) {
      unsigned to_end = add_jump(builder, TEGRA_SCALAR_BRA, false);

      set_target(builder, to_else, place(builder));
      build(builder, depth + 1);
      set_target(builder, to_end, place(builder));
   } else {
      set_target(builder, to_else, place(builder));
   }
}

/* r[8 + n].x counts down from 3 in the condition register 1.w. */
static void
build_loop(struct builder *builder, unsigned depth)
{
   unsigned counter = 8 + builder->num_loops++ % 8;
   union tegra_instruction first = nothing(), step = nothing();

   first.v_op = TEGRA_VECTOR_MOV;
   first.ra_type = TEGRA_CONSTANT;
   first.ra_swz = 0;
   first.const_index = 100;
   first.v_rd = (uint16_t)counter;
   first.v_mask = tegra_mask_bit(3);
   add(builder->program, &first);

   unsigned top = place(builder);
   build(builder, depth + 1);
   unsigned leave = 0;
   if (one_in(builder->random, 2)) {
      leave = add_jump(builder, TEGRA_SCALAR_BRA, true);
      build(builder, depth + 1);
   }
   step.v_op = TEGRA_VECTOR_ADD;
   step.ra_type = TEGRA_TEMPORARY;
   step.ra_index = step.v_rd = (uint16_t)counter;
   step.rc_type = TEGRA_CONSTANT;
   step.rc_swz = 0x55;
   step.const_index = 100;
   step.v_mask = tegra_mask_bit(3);
   step.cs = step.cwr = step.cr = 1;
   add(builder->program, &step);
   union tegra_instruction again = nothing();
   again.s_op = TEGRA_SCALAR_BRA;
   again.p_lt = again.p_eq = 0;
   again.p_swz = 0xff;
   again.cr = 1;
   again.rc_swz = (uint16_t)top;
   add(builder->program, &again);
   if (leave)
      set_target(builder, leave, place(builder));
}

static void
build(struct builder *builder, unsigned depth)
{
   unsigned count = 1 + number(builder->random, 3);

   for (unsigned i = 0; i < count && place(builder) < 200; i++) {
      uint32_t kind = number(builder->random, depth < 3 ? 8 : 4);

      if (kind < 4) {
         union tegra_instruction instruction =
            random_instruction(builder->random);
         add(builder->program, &instruction);
      } else if (kind < 6) {
         build_if(builder, depth);
      } else if (kind == 6) {
         build_loop(builder, depth);
      } else if (builder->num_calls < 8) {
         builder->calls[builder->num_calls++] =
            add_jump(builder, TEGRA_SCALAR_CAL, one_in(builder->random, 2));
      }
   }
}

static void
add_nothing(struct builder *builder, bool ends)
{
   union tegra_instruction instruction = nothing();

   instruction.end = ends;
   add(builder->program, &instruction);
}

/* A main part, and one subroutine that all calls of it lead to, which calls
 * another. */
static void
make_structured(struct decompiled_random *random,
                struct tg_tegra_program *program)
{
   struct builder builder = {.random = random, .program = program};

   program->constant_masks[100] = 3;
   program->constants[100][0] = 0x40400000; /* 3 */
   program->constants[100][1] = 0xbf800000; /* -1 */
   build(&builder, 0);
   add_nothing(&builder, true);
   for (unsigned level = 0; level < 2; level++) {
      unsigned begin = place(&builder), num_calls = builder.num_calls;

      for (unsigned i = 0; i < num_calls; i++)
         set_target(&builder, builder.calls[i], begin);
      builder.num_calls = level ? 8 : 0;
      build(&builder, 1);
      add_jump(&builder, TEGRA_SCALAR_RET, false);
      if (level)
         builder.num_calls = 0;
   }
}

/* ---- running them -------------------------------------------------------- */

typedef void (*make_function)(struct decompiled_random *random,
                              struct tg_tegra_program *program);

static const struct kind {
   const char *name;
   make_function make;
   unsigned count;
   unsigned most_refused; /* per cent */
} kinds[] = {
   {"straight", make_straight, 20000, 0},
   {"structured", make_structured, 2000, 0},
   {"branches", make_branches, 2000, 10},
   {"wild", make_wild, 4000, 40},
};

static enum decompiled_result
compare(const struct kind *kind, uint64_t seed, bool shows)
{
   struct decompiled_random random = {seed * 0x9e3779b97f4a7c15u + 1};
   struct tg_tegra_program *program = create();

   if (!program)
      return DECOMPILED_DIFFERS;
   kind->make(&random, program);
   if (one_in(&random, 2))
      give_constants(&random, program);

   enum decompiled_result result = decompiled_compare(program, &random, shows);
   tg_tegra_program_destroy(program);
   if (result == DECOMPILED_DIFFERS)
      printf("%s, seed %llu\n", kind->name, (unsigned long long)seed);
   return result;
}

/* usage: test_decompile_random [FACTOR] [KIND SEED] */
int
main(int argc, char **argv)
{
   unsigned factor = argc > 1 ? (unsigned)atoi(argv[1]) : 1;

   if (argc > 3)
      return compare(&kinds[atoi(argv[2])], (uint64_t)atoll(argv[3]), true) ==
             DECOMPILED_DIFFERS;
   for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      const struct kind *kind = &kinds[k];
      unsigned total = kind->count * factor;
      unsigned counts[DECOMPILED_DIFFERS + 1] = {0};

      for (unsigned i = 0; i < total; i++) {
         enum decompiled_result result = compare(kind, i, false);

         counts[result]++;
         if (result == DECOMPILED_DIFFERS)
            return EXIT_FAILURE;
      }
      printf("%s: %u same, %u refused, %u too long\n", kind->name,
             counts[DECOMPILED_SAME], counts[DECOMPILED_REFUSED],
             counts[DECOMPILED_LONG]);
      if (counts[DECOMPILED_REFUSED] * 100 > kind->most_refused * total)
         return EXIT_FAILURE;
   }
   return EXIT_SUCCESS;
}
