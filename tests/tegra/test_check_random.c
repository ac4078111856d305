/* SPDX-License-Identifier: MIT
 *
 * The checker against the simulator, over random programs of branches, calls,
 * pushes, conditions and mistakes:
 *
 * - where a vertex aborts, that was said of the instruction
 * - no vertex gets past an instruction of which it was said that it aborts, or
 *   to one that is never executed, or takes a branch that is never taken
 * - what was said to be read unwritten is found unwritten when it is read
 * - exports stay the same when what nothing reads is no longer written
 *
 *    test_check_random PROGRAMS
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tegra/isa/implied.h"
#include "tegra/isa/program.h"

enum {
   MAX_LENGTH = 24, /* instructions of a program */
   NUM_VERTICES = 4,
   MAX_STEPS = 300,
   NUM_WORDS = NUM_VERTICES * TG_TEGRA_NUM_EXPORTS * 4,
};

/* ---- random programs ----------------------------------------------------- */

static uint64_t random_state = 1;

static unsigned
random_below(unsigned limit)
{
   random_state =
      random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (unsigned)((random_state >> 33) % limit);
}

static bool
one_in(unsigned number)
{
   return random_below(number) == 0;
}

static void
add_random_predicate(union tegra_instruction *instruction)
{
   static const uint8_t swizzles[] = {0x00, 0x55, TEGRA_IDENTITY, 0xe4};
   unsigned bits = random_below(8);

   instruction->p_lt = bits & 1;
   instruction->p_eq = bits >> 1 & 1;
   instruction->p_gt = bits >> 2 & 1;
   instruction->p_swz = swizzles[random_below(4)];
   instruction->cr = one_in(4);
}

static void
add_random_source(union tegra_instruction *instruction,
                  enum tegra_source source)
{
   const struct tegra_source_fields *fields = &tegra_source_fields[source];
   unsigned type = 1 + random_below(3);

   instruction->field[fields->type] = (uint16_t)type;
   if (type == TEGRA_TEMPORARY)
      instruction->field[fields->index] = (uint16_t)random_below(4);
   instruction->field[fields->swz] = (uint16_t)random_below(256);
   instruction->field[fields->neg] = one_in(3);
}

/* One or two operations on few registers. */
static void
add_random_operations(union tegra_instruction *instruction)
{
   static const uint8_t vector[] = {
      TEGRA_VECTOR_MOV, TEGRA_VECTOR_ADD, TEGRA_VECTOR_MUL, TEGRA_VECTOR_DP3,
      TEGRA_VECTOR_SLT, TEGRA_VECTOR_ARL, TEGRA_VECTOR_ARA, TEGRA_VECTOR_SFL,
   };
   static const uint8_t scalar[] = {TEGRA_SCALAR_MOV, TEGRA_SCALAR_RCP,
                                    TEGRA_SCALAR_NOP, TEGRA_SCALAR_NOP};

   instruction->v_op = vector[random_below(8)];
   instruction->v_mask = (uint16_t)random_below(16);
   instruction->v_rd = (uint16_t)(one_in(4) ? 63 : random_below(4));
   instruction->s_op = scalar[random_below(4)];
   instruction->s_mask = (uint16_t)random_below(16);
   instruction->s_rd = (uint16_t)(one_in(4) ? 63 : random_below(4));
   add_random_source(instruction, TEGRA_RA);
   add_random_source(instruction, TEGRA_RB);
   add_random_source(instruction, TEGRA_RC);
   instruction->attr_index = (uint16_t)random_below(4);
   instruction->const_index = (uint16_t)random_below(4);
   instruction->const_rel = one_in(6);
   instruction->a_sel = (uint16_t)random_below(4);
   instruction->bit120 = one_in(40);
   instruction->sat = one_in(6);
   if (one_in(2)) {
      instruction->export_index = (uint16_t)random_below(4);
      instruction->export_vec = !one_in(4);
      instruction->export_rel = one_in(12);
   }
   instruction->cs = instruction->cwr = one_in(3);
   instruction->cc = one_in(3);
   if (instruction->cc)
      add_random_predicate(instruction);
}

static void
add_random_jump(union tegra_instruction *instruction, unsigned length)
{
   static const uint8_t ops[] = {TEGRA_SCALAR_BRA, TEGRA_SCALAR_CAL,
                                 TEGRA_SCALAR_RET};

   instruction->s_op = ops[random_below(3)];
   instruction->rc_swz =
      (uint16_t)(one_in(30) ? random_below(256) : random_below(length));
   if (!one_in(3))
      add_random_predicate(instruction);
}

/* What aborts wherever it is executed. */
static void
add_random_mistake(union tegra_instruction *instruction)
{
   switch (random_below(5)) {
   case 0: instruction->v_rd = (uint16_t)(32 + random_below(31)); break;
   case 1: instruction->rb_index = (uint16_t)(32 + random_below(32)); break;
   case 2: instruction->export_index = (uint16_t)(16 + random_below(15)); break;
   case 3: instruction->v_op = (uint16_t)(28 + random_below(4)); break;
   default: instruction->s_op = (uint16_t)(21 + random_below(11)); break;
   }
}

static union tegra_instruction
random_instruction(unsigned length)
{
   union tegra_instruction instruction = {0};
   unsigned kind = random_below(16);

   tegra_imply(TEGRA_STYLE_NVIDIA, 0, &instruction);
   if (kind < 8)
      add_random_operations(&instruction);
   else if (kind < 12)
      add_random_jump(&instruction, length);
   else if (kind == 12)
      instruction.v_op = TEGRA_VECTOR_PUSHA;
   else if (kind == 13)
      instruction.v_op = TEGRA_VECTOR_POPA;
   else if (kind == 14)
      instruction.s_op = one_in(2) ? TEGRA_SCALAR_PUSHA : TEGRA_SCALAR_POPA;
   if (kind >= 8 && one_in(5))
      instruction.v_op = one_in(2) ? TEGRA_VECTOR_PUSHA : TEGRA_VECTOR_POPA;
   if (one_in(60))
      add_random_mistake(&instruction);
   instruction.end = one_in(8);
   return instruction;
}

struct words {
   uint32_t words[MAX_LENGTH][TG_TEGRA_WORDS];
   size_t length;
};

static struct words
random_program(void)
{
   struct words program = {.length = 1 + random_below(MAX_LENGTH)};

   for (size_t i = 0; i < program.length; i++) {
      union tegra_instruction instruction =
         random_instruction((unsigned)program.length);

      if (i + 1 == program.length && !one_in(6))
         instruction.end = 1;
      tegra_isa_encode(&instruction, program.words[i]);
   }
   return program;
}

/* ---- what was said, and what happened ------------------------------------ */

enum finding {
#define TEGRA_FINDING(id, ...) id,
#include "tegra/check/findings.def"
   NUM_FINDINGS
};

static const char *const codes[NUM_FINDINGS] = {
#define TEGRA_FINDING(id, severity, code, ...) code,
#include "tegra/check/findings.def"
};

_Static_assert(NUM_FINDINGS <= 64, "a set of findings has a bit for each");

#define BIT(id) (UINT64_C(1) << (id))

/* What is said where a program ends so. */
static const uint64_t announced[TG_TEGRA_NUM_ENDS] = {
   [TG_TEGRA_BAD_REGISTER] = BIT(BAD_DESTINATION) | BIT(BAD_SOURCE),
   [TG_TEGRA_BAD_EXPORT] = BIT(BAD_EXPORT) | BIT(RELATIVE_EXPORT),
   [TG_TEGRA_STACK_OVERFLOW] =
      BIT(STACK_OVERFLOW) | BIT(MAY_OVERFLOW) | BIT(RECURSION),
   [TG_TEGRA_STACK_UNDERFLOW] = BIT(STACK_UNDERFLOW) | BIT(MAY_UNDERFLOW),
   [TG_TEGRA_STACK_MISMATCH] = BIT(STACK_MISMATCH) | BIT(MAY_MISMATCH),
   [TG_TEGRA_UNKNOWN_OPCODE] = BIT(UNKNOWN_OPCODE),
   [TG_TEGRA_RAN_OFF] = BIT(RUNS_OFF) | BIT(BAD_TARGET),
};

/* What aborts wherever it is executed. */
static const uint64_t impassable = BIT(BAD_DESTINATION) | BIT(BAD_SOURCE) |
                                   BIT(BAD_EXPORT) | BIT(UNKNOWN_OPCODE);

/* Of each instruction. */
struct said {
   uint64_t findings[MAX_LENGTH];
   bool is_reached[MAX_LENGTH];
   uint64_t any; /* findings of some instruction */
};

static void
fail(const struct words *words, const char *why, uint32_t number)
{
   printf("%s: instruction %u of\n", why, (unsigned)number);
   for (size_t i = 0; i < words->length; i++)
      printf("%2zu  %08x %08x %08x %08x\n", i, words->words[i][0],
             words->words[i][1], words->words[i][2], words->words[i][3]);
   exit(1);
}

static struct tg_tegra_program *
make_program(const struct words *words)
{
   struct tg_tegra_program *program = NULL;

   if (tg_tegra_decode(NULL, "random", words->words[0],
                       words->length * TG_TEGRA_WORDS, NULL, &program))
      abort();
   return program;
}

/* "instruction 3: never executed, nor is what follows up to instruction 7" */
static void
note_unreachable(struct said *said, uint32_t first, const char *message)
{
   const char *up_to = strstr(message, "up to instruction ");
   uint32_t last =
      up_to ? (uint32_t)strtoul(strrchr(up_to, ' '), NULL, 10) : first;

   for (uint32_t i = first; i <= last; i++)
      said->is_reached[i] = false;
}

/* The instruction that a complaint is about. */
static uint32_t
number_of(const struct tg_diagnostic *diagnostic)
{
   return (uint32_t)strtoul(diagnostic->message + strlen("instruction "), NULL,
                            10);
}

static void
note_diagnostic(struct said *said, const struct tg_diagnostic *diagnostic)
{
   uint32_t number = number_of(diagnostic);

   for (unsigned i = 0; i < NUM_FINDINGS; i++) {
      if (strcmp(diagnostic->code, codes[i]) != 0)
         continue;
      said->findings[number] |= BIT(i);
      said->any |= BIT(i);
      if (i == UNREACHABLE)
         note_unreachable(said, number, diagnostic->message);
   }
}

static struct said
listen(const struct tg_diagnostics *diagnostics)
{
   struct said said = {{0}};

   memset(said.is_reached, true, sizeof(said.is_reached));
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++)
      note_diagnostic(&said, tg_diagnostics_get(diagnostics, i));
   return said;
}

/* ---- running ------------------------------------------------------------- */

struct outcome {
   uint32_t exports[NUM_WORDS];
   uint8_t ends[NUM_VERTICES];
};

struct observer {
   const struct words *words;
   const struct said *said;
   bool is_endless; /* the vertex came to a loop without a way out */
   bool is_executed[MAX_LENGTH]; /* by some vertex, without an abort there */
};

/* How many vertices came to each end, in all programs. */
static uint64_t num_ends[TG_TEGRA_NUM_ENDS];

static void
observe_end(struct observer *observer, uint32_t number, enum tg_tegra_end end)
{
   uint64_t findings = observer->said->findings[number];

   num_ends[end]++;
   if (end != TG_TEGRA_ENDED && end != TG_TEGRA_OUT_OF_STEPS &&
       end != TG_TEGRA_RAN_OFF)
      observer->is_executed[number] = false;
   if (end == TG_TEGRA_RAN_OFF) /* said of a call, and returned from */
      findings |= observer->said->any & announced[end];
   if (announced[end] && !(findings & announced[end]))
      fail(observer->words, tg_tegra_end_name(end), number);
   if ((findings & impassable) && !announced[end])
      fail(observer->words, "has not aborted", number);
   if (observer->is_endless && end == TG_TEGRA_ENDED)
      fail(observer->words, "has ended", number);
}

static void
observe(void *user, const struct tg_tegra_change *change)
{
   struct observer *observer = user;
   uint32_t number = change->instruction;

   if (change->kind == TG_TEGRA_CHANGE_END) {
      observe_end(observer, number, (enum tg_tegra_end)change->index);
      observer->is_endless = false;
      return;
   }
   uint64_t findings = observer->said->findings[number];
   if (!observer->said->is_reached[number])
      fail(observer->words, "executed", number);
   if (change->kind != TG_TEGRA_CHANGE_STEP && (findings & impassable))
      fail(observer->words, "has done something", number);
   if (change->kind == TG_TEGRA_CHANGE_JUMP && (findings & BIT(NEVER_TAKEN)))
      fail(observer->words, "has jumped", number);
   observer->is_executed[number] = true;
   observer->is_endless |= (findings & BIT(ENDLESS)) != 0;
}

/* Small numbers of either sign, and what is none. */
static void
fill(uint32_t *words, size_t count)
{
   static const uint32_t values[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
      0x3f000000, 0x41200000, 0xc1200000, 0x7fc00000, 0x7f800000, 0x41a00000,
   };

   for (size_t i = 0; i < count; i++)
      words[i] = values[random_below(sizeof(values) / sizeof(values[0]))];
}

static uint32_t attributes[NUM_VERTICES * TG_TEGRA_NUM_ATTRIBUTES * 4];
static uint32_t constants[TG_TEGRA_NUM_CONSTANTS * 4];

static struct outcome
run(const struct words *words, struct observer *observer,
    struct tg_diagnostics *diagnostics)
{
   struct tg_tegra_program *program = make_program(words);
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   struct outcome outcome;

   batch.num_vertices = NUM_VERTICES;
   batch.attributes = attributes;
   batch.constants = constants;
   batch.exports = outcome.exports;
   batch.ends = outcome.ends;
   batch.max_steps = MAX_STEPS;
   batch.trace = observer ? observe : NULL;
   batch.user = observer;
   if (tg_tegra_run(program, &batch, diagnostics) != TG_OK)
      abort();
   tg_tegra_program_destroy(program);
   return outcome;
}

/* ---- what is lost -------------------------------------------------------- */

/* What a complaint says that nothing reads is no longer written; false when it
 * is of something else. */
static bool
write_less(struct words *words, const struct tg_diagnostic *diagnostic)
{
   unsigned number, index;
   char operation[16], unit;

   if (sscanf(diagnostic->message, "instruction %u: %15s writes", &number,
              operation) != 2)
      return false;

   union tegra_instruction instruction = tegra_isa_decode(words->words[number]);
   const char *place = strstr(diagnostic->message, "writes ") + 7;
   unit = operation[strlen(operation) - 1];
   if (sscanf(place, "r%u.", &index) == 1 && unit == 'v')
      instruction.v_rd = TEGRA_NO_REGISTER;
   else if (sscanf(place, "r%u.", &index) == 1)
      instruction.s_rd = TEGRA_NO_REGISTER;
   else if (sscanf(place, "export[%u].", &index) == 1)
      instruction.export_index = TEGRA_NO_EXPORT;
   else
      instruction.v_mask = 0; /* A0 */
   tegra_isa_encode(&instruction, words->words[number]);
   return true;
}

static bool
set_less(struct words *words, const struct tg_diagnostic *diagnostic)
{
   unsigned number;

   if (sscanf(diagnostic->message, "instruction %u: CR", &number) != 1)
      return false;
   union tegra_instruction instruction = tegra_isa_decode(words->words[number]);
   instruction.cs = 0;
   tegra_isa_encode(&instruction, words->words[number]);
   return true;
}

/* The program without all that was said to be lost. */
static bool
make_leaner(struct words *words, const struct tg_diagnostics *diagnostics)
{
   bool is_leaner = false;

   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (strcmp(diagnostic->code, codes[NEVER_READ]) == 0)
         is_leaner |= write_less(words, diagnostic);
      else if (strcmp(diagnostic->code, codes[NEVER_TESTED]) == 0)
         is_leaner |= set_less(words, diagnostic);
   }
   return is_leaner;
}

/* Behind an abort exports hold what they happened to. */
static void
compare(const struct words *words, const struct outcome *a,
        const struct outcome *b)
{
   enum { SIZE = NUM_WORDS / NUM_VERTICES };

   for (unsigned i = 0; i < NUM_VERTICES; i++) {
      if (a->ends[i] != b->ends[i])
         fail(words, "comes to another end without what is lost", i);
      if (a->ends[i] == TG_TEGRA_ENDED &&
          memcmp(&a->exports[i * SIZE], &b->exports[i * SIZE],
                 SIZE * sizeof(uint32_t)) != 0)
         fail(words, "gives something else without what is lost", i);
   }
}

/* ---- what was never written ---------------------------------------------- */

static uint64_t num_undefined;

/* The simulator says the same when an instruction is executed; where it is
 * predicated, only of vertices that write. */
static void
compare_undefined(const struct observer *observer,
                  const struct tg_diagnostics *diagnostics)
{
   bool is_undefined[MAX_LENGTH] = {false};

   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (strcmp(diagnostic->code, "undefined-temporary") == 0 ||
          strcmp(diagnostic->code, "undefined-address") == 0)
         is_undefined[number_of(diagnostic)] = true;
   }
   for (uint32_t i = 0; i < observer->words->length; i++) {
      if (!observer->is_executed[i] ||
          tegra_isa_decode(observer->words->words[i]).cc ||
          !(observer->said->findings[i] & BIT(NEVER_WRITTEN)))
         continue;
      if (!is_undefined[i])
         fail(observer->words, "has read nothing undefined", i);
      num_undefined++;
   }
}

/* ---- all of it ----------------------------------------------------------- */

static uint64_t num_leaner;

static void
try_program(const struct words *words)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = make_program(words);
   struct words leaner = *words;

   tg_tegra_check(program, diagnostics);
   struct said said = listen(diagnostics);
   struct observer observer = {.words = words, .said = &said};
   struct tg_diagnostics *run_diagnostics = tg_diagnostics_create(NULL);
   struct outcome outcome = run(words, &observer, run_diagnostics);
   compare_undefined(&observer, run_diagnostics);
   if (make_leaner(&leaner, diagnostics)) {
      struct outcome again = run(&leaner, NULL, NULL);

      num_leaner++;
      compare(words, &outcome, &again);
   }
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(run_diagnostics);
   tg_diagnostics_destroy(diagnostics);
}

int
main(int argc, char **argv)
{
   unsigned long count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

   for (unsigned long i = 0; i < count; i++) {
      struct words words = random_program();

      fill(attributes, sizeof(attributes) / sizeof(attributes[0]));
      fill(constants, sizeof(constants) / sizeof(constants[0]));
      try_program(&words);
   }
   printf("%lu programs, %lu with something lost, %lu instructions that read "
          "what was never written\n",
          count, (unsigned long)num_leaner, (unsigned long)num_undefined);
   for (unsigned i = 0; i < TG_TEGRA_NUM_ENDS; i++) {
      printf("%lu vertices: %s\n", (unsigned long)num_ends[i],
             tg_tegra_end_name((enum tg_tegra_end)i));
      if (num_ends[i] == 0)
         return 1; /* such a program was not among them */
   }
   return num_leaner && num_undefined ? 0 : 1;
}
