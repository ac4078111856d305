/* SPDX-License-Identifier: MIT
 *
 * Each texture opcode with each target that it may have, against the reference
 * sampler: linear filters to 1/256 of a step of a weight, all else exactly.
 * The same bits come from each executor, optimised and not.
 *
 *    test_sampling [OPCODE [TARGET [NUMBER]]]    all, or some
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bind.h"
#include "cases.h"

enum { MAX_ATTEMPTS = 40, MIN_JUDGED = 6, MAX_PRINTED = 8 };

/* Faults beyond the first few are counted only. */
static bool
may_print(void)
{
   static unsigned num_printed;

   return num_printed++ < MAX_PRINTED;
}

/* ---- running ------------------------------------------------------------- */

/* The executor that programs are made for, by its name; NULL: the usual one. */
static const char *chosen;

typedef uint32_t lane_words[TG_MAX_LANES][4];

struct session {
   struct tg_diagnostics *diagnostics;
   struct tg_bindings *bindings;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_run *run;
};

static bool
bind(struct session *session, const struct texture_case *c)
{
   return tg_bindings_create(NULL, &session->bindings) == TG_OK &&
          bind_view(session->bindings, c->view_place, &c->subject.view,
                    session->diagnostics) == TG_OK &&
          bind_sampler(session->bindings, c->sampler_place, &c->sampler,
                       session->diagnostics) == TG_OK;
}

static bool
set_inputs(struct session *session, const struct texture_case *c)
{
   for (int lane = 0; lane < TG_MAX_LANES; lane++) {
      for (uint32_t i = 0; i < CASE_SOURCES; i++) {
         if (case_has_input(c, i) &&
             tg_run_set(session->run, TG_RUN_INPUT, 0, i, lane,
                        c->sources[lane][i]) != TG_OK)
            return false;
      }
   }
   return true;
}

static bool
run(struct session *session, const struct texture_case *c, bool optimize,
    lane_words outputs)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   options.optimize = optimize;
   options.executor = chosen;
   if (tg_shader_parse(NULL, "case", c->text, strlen(c->text),
                       c->is_old ? TG_DIALECT_2011 : TG_DIALECT_2019,
                       session->diagnostics, &session->shader) != TG_OK ||
       tg_program_create(NULL, session->shader, &options, session->diagnostics,
                         &session->program) != TG_OK ||
       tg_run_create(session->program, TG_MAX_LANES, &session->run) != TG_OK ||
       !bind(session, c) || !set_inputs(session, c))
      return false;
   tg_run_set_bindings(session->run, session->bindings);
   if (tg_run_execute(session->run, session->diagnostics) != TG_OK)
      return false;
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      if (tg_run_get_output(session->run, 0, 0, lane, outputs[lane]) != TG_OK)
         return false;
   }
   return true;
}

static void
print_diagnostics(struct tg_diagnostics *diagnostics)
{
   char *text = tg_diagnostics_text(diagnostics);

   fputs(text ? text : "out of memory\n", stdout);
   tg_string_free(text);
}

/* False, and says why, when the library does not run it. */
static bool
run_case(const struct texture_case *c, bool optimize, lane_words outputs)
{
   struct session session = {.diagnostics = tg_diagnostics_create(NULL)};
   const bool is_done =
      session.diagnostics && run(&session, c, optimize, outputs);

   if (!is_done && may_print()) {
      case_print(c);
      printf("does not run:\n");
      print_diagnostics(session.diagnostics);
   }
   tg_run_destroy(session.run);
   tg_program_destroy(session.program);
   tg_shader_destroy(session.shader);
   tg_bindings_destroy(session.bindings);
   tg_diagnostics_destroy(session.diagnostics);
   return is_done;
}

/* ---- judging ------------------------------------------------------------- */

static double
as_double(uint32_t word)
{
   float value;

   memcpy(&value, &word, sizeof(value));
   return value;
}

static bool
is_right(const struct judgement *judgement, unsigned c, uint32_t word)
{
   const double expected = judgement->result.value[c];
   const double actual = as_double(word);

   if (judgement->is_integer)
      return word == (uint32_t)(int64_t)expected;
   if (isnan(expected) || isnan(actual))
      return isnan(expected) && isnan(actual);
   if (judgement->result.tolerance[c] == 0)
      return (double)(float)expected == actual;
   return fabs(actual - expected) <= judgement->result.tolerance[c];
}

static void
print_lane(const struct texture_case *c, unsigned lane,
           const struct judgement *judgement, const uint32_t words[4])
{
   printf("lane %u:", lane);
   for (unsigned i = 0; i < CASE_SOURCES; i++) {
      const uint32_t *w = c->sources[lane][i];

      if (!case_has_input(c, i))
         continue;
      printf(" IN[%u] {%08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32
             "} {%.9g %.9g %.9g %.9g}\n",
             i, w[0], w[1], w[2], w[3], as_double(w[0]), as_double(w[1]),
             as_double(w[2]), as_double(w[3]));
   }
   for (unsigned i = 0; i < 4; i++)
      printf("   %c: %.9g (%08" PRIx32 "), expected %.9g, tolerance %.9g%s\n",
             "xyzw"[i],
             judgement -> is_integer ? (double)(int32_t)words[i]
                                     : as_double(words[i]),
             words[i], judgement -> result.value[i],
             judgement->result.tolerance[i],
             is_right(judgement, i, words[i]) ? "" : " WRONG");
}

struct tally {
   unsigned cases, judged, open, wrong;
   double farthest; /* from what is expected, in tolerances */
};

static void
add_tally(struct tally *sum, const struct tally *tally)
{
   sum->cases += tally->cases;
   sum->judged += tally->judged;
   sum->open += tally->open;
   sum->wrong += tally->wrong;
   sum->farthest = fmax(sum->farthest, tally->farthest);
}

static double
get_distance(const struct judgement *judgement, unsigned c, uint32_t word)
{
   const double tolerance = judgement->result.tolerance[c];
   const double distance = fabs(as_double(word) - judgement->result.value[c]);

   return tolerance > 0 ? distance / tolerance : 0;
}

static struct tally
judge_case(const struct texture_case *c, lane_words outputs)
{
   struct tally tally = {.cases = 1};

   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      const struct judgement judgement = case_judge(c, lane);
      bool is_good = true;

      if (judgement.result.is_open) {
         tally.open++;
         continue;
      }
      tally.judged++;
      for (unsigned i = 0; i < 4; i++) {
         is_good &= is_right(&judgement, i, outputs[lane][i]);
         tally.farthest =
            fmax(tally.farthest, get_distance(&judgement, i, outputs[lane][i]));
      }
      if (is_good)
         continue;
      if (tally.wrong++ == 0 && may_print()) {
         case_print(c);
         print_lane(c, lane, &judgement, outputs[lane]);
      }
   }
   return tally;
}

/* The lanes of a quad share one level of detail, whichever the rules allow; on
 * a cube each has that of its face. */
static bool
is_one_level_a_quad(const struct texture_case *c, lane_words outputs)
{
   const enum tg_target plain = tg_targets[c->target].plain;

   if (texture_opcodes[c->opcode].form != FORM_LOD || plain == TG_TARGET_CUBE ||
       plain == TG_TARGET_CUBE_ARRAY)
      return true;
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      if (memcmp(outputs[lane], outputs[lane & ~3u], sizeof(outputs[0])) == 0)
         continue;
      if (may_print()) {
         case_print(c);
         printf("lane %u has another level than its quad\n", lane);
      }
      return false;
   }
   return true;
}

static unsigned
count_judged(const struct texture_case *c)
{
   unsigned count = 0;

   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++)
      count += !case_judge(c, lane).result.is_open;
   return count;
}

/* ---- the same bits ------------------------------------------------------- */

static unsigned
count_executors(void)
{
   unsigned count = 0;

   while (tg_executor_name(count))
      count++;
   return count;
}

/* A JIT takes a thousand times as long as an interpreter to compile. Of a pair
 * of an opcode and a target each second of the first cases runs in it, of the
 * next pair the others. */
static bool
takes_part(const char *executor, const struct texture_case *c, unsigned turn)
{
   enum { JIT_SHARE = 400 };
   const bool compiles =
      strncmp(executor, "jit", 3) == 0 || strcmp(executor, "auto") == 0;
   const unsigned pair = (unsigned)c->opcode + (unsigned)c->target;

   return !compiles || (turn % JIT_SHARE == 0 && (pair + c->number) % 2 == 0);
}

/* The other ways to run a case: each executor, optimised and not. */
static bool
is_same_everywhere(const struct texture_case *c, lane_words expected)
{
   const unsigned count = count_executors();
   bool is_same = true;

   for (unsigned i = 0; i < 2 * count; i++) {
      lane_words words = {{0}};

      /* Each case runs in two of the ways, and all ways get their turn. */
      if (i % count != c->number % count)
         continue;
      chosen = tg_executor_name(i / 2);
      if (!takes_part(chosen, c, c->number / count))
         continue;
      is_same &= run_case(c, i % 2, words);
      if (memcmp(words, expected, sizeof(words)) == 0)
         continue;
      is_same = false;
      if (!may_print())
         continue;
      case_print(c);
      printf("other bits with %s, optimize %u\n", chosen, i % 2);
   }
   chosen = NULL;
   return is_same;
}

/* ---- all of them --------------------------------------------------------- */

/* Draws the operands again when the rules leave too many of them open. */
static bool
make_case(struct texture_case *c, enum tg_opcode opcode, enum tg_target target,
          unsigned number)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   bool is_made = false;

   for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      is_made = case_init(c, opcode, target, number, attempt, diagnostics);
      if (!is_made || count_judged(c) >= MIN_JUDGED)
         break;
      if (attempt + 1 < MAX_ATTEMPTS)
         case_finish(c);
   }
   if (!is_made && may_print()) {
      case_print(c);
      print_diagnostics(diagnostics);
   }
   tg_diagnostics_destroy(diagnostics);
   return is_made;
}

static struct tally
test_case(enum tg_opcode opcode, enum tg_target target, unsigned number)
{
   struct tally tally = {.cases = 1, .wrong = 1};
   static struct texture_case c;
   lane_words words = {{0}};

   if (make_case(&c, opcode, target, number) && run_case(&c, true, words)) {
      tally = judge_case(&c, words);
      tally.wrong += !is_one_level_a_quad(&c, words);
      tally.wrong += !is_same_everywhere(&c, words);
   }
   case_finish(&c);
   return tally;
}

/* Runs the cases of a pair; false when one is wrong, or none could be judged.
 */
static bool
test_pair(enum tg_opcode opcode, enum tg_target target, long only,
          struct tally *all)
{
   struct tally sum = {0};

   for (unsigned n = 0; n < texture_num_cases(opcode); n++) {
      if (only >= 0 && n != only)
         continue;
      const struct tally tally = test_case(opcode, target, n);
      add_tally(&sum, &tally);
   }
   printf("%-12s %-16s %3u cases, %4u lanes judged, %3u open, at most %.3f of "
          "a tolerance off",
          tg_opcodes[opcode].name, tg_targets[target].name, sum.cases,
          sum.judged, sum.open, sum.farthest);
   printf(sum.wrong ? ", %u WRONG\n" : "\n", sum.wrong);
   add_tally(all, &sum);
   return sum.wrong == 0 && sum.judged > 0;
}

/* Every texture opcode has a row, and no other one. */
static bool
is_table_whole(void)
{
   bool is_whole = true;

   for (unsigned i = 0; i < TG_NUM_OPCODES; i++) {
      bool has_target = false;

      for (unsigned t = 0; t < TG_TARGET_UNKNOWN; t++)
         has_target |= texture_is_legal(i, t);
      if (i != TG_OPCODE_LOAD &&
          has_target != (texture_opcodes[i].form != FORM_NONE)) {
         printf("%s: texture_rules.def and this test do not agree\n",
                tg_opcodes[i].name);
         is_whole = false;
      }
   }
   return is_whole;
}

static unsigned
count_all_cases(void)
{
   unsigned count = 0;

   for (unsigned i = 0; i < TG_NUM_OPCODES; i++) {
      for (unsigned t = 0; t < TG_TARGET_UNKNOWN; t++)
         count += texture_is_legal(i, t) ? texture_num_cases(i) : 0;
   }
   return count;
}

/* Is the pair what the arguments ask for? */
static bool
is_chosen(int argc, char **argv, enum tg_opcode opcode, enum tg_target target)
{
   return (argc < 2 || strcmp(argv[1], tg_opcodes[opcode].name) == 0) &&
          (argc < 3 || strcmp(argv[2], tg_targets[target].name) == 0);
}

int
main(int argc, char **argv)
{
   const long number = argc > 3 ? strtol(argv[3], NULL, 10) : -1;
   bool is_good = is_table_whole() && count_all_cases() >= 2000;
   struct tally all = {0};

   for (unsigned i = 0; i < TG_NUM_OPCODES; i++) {
      for (unsigned t = 0; t < TG_TARGET_UNKNOWN; t++) {
         if (texture_is_legal(i, t) && is_chosen(argc, argv, i, t))
            is_good &= test_pair(i, t, number, &all);
      }
   }
   printf("%u cases, %u lanes judged, %u open, %u wrong\n", all.cases,
          all.judged, all.open, all.wrong);
   return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
