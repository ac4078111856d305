/* SPDX-License-Identifier: MIT
 *
 * Parses a shader from a string, runs it on four lanes and prints what it
 * wrote.
 *
 *    cc run_shader.c $(pkg-config --cflags --libs tungsten) -o run_shader
 */
#include <stdio.h>
#include <string.h>

#include <tungsten/run.h>

static const char text[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0], GENERIC[0]\n"
   "DCL CONST[0][0]\n"
   "  0: MAD OUT[0], IN[0], CONST[0][0].xxxx, CONST[0][0].yyyy\n"
   "  1: END\n";

/* Registers hold words; these are floats. */
static void
set_floats(struct tg_run *run, enum tg_run_file file, int lane, float x,
           float y)
{
   const float values[4] = {x, y, 0.0f, 1.0f};
   uint32_t words[4];

   memcpy(words, values, sizeof(words));
   tg_run_set(run, file, 0, 0, lane, words);
}

static void
print_lane(const struct tg_run *run, unsigned lane)
{
   uint32_t words[4];
   float values[4];

   tg_run_get_output(run, 0, 0, lane, words);
   memcpy(values, words, sizeof(values));
   printf("lane %u: %g %g %g %g\n", lane, (double)values[0], (double)values[1],
          (double)values[2], (double)values[3]);
}

/* Everything is destroyed on every way out; destroying NULL does nothing. */
static enum tg_result
parse_and_run(struct tg_diagnostics *diagnostics)
{
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;
   enum tg_result result =
      tg_shader_parse(NULL, "example", text, sizeof(text) - 1, TG_DIALECT_2019,
                      diagnostics, &shader);

   if (result == TG_OK)
      result = tg_program_create(NULL, shader, NULL, diagnostics, &program);
   if (result == TG_OK)
      result = tg_run_create(program, 4, &run);
   if (result != TG_OK)
      goto done;

   set_floats(run, TG_RUN_CONSTANT, -1, 10.0f, 0.5f);
   for (int lane = 0; lane < 4; lane++)
      set_floats(run, TG_RUN_INPUT, lane, (float)lane, 2.0f * (float)lane);
   result = tg_run_execute(run, diagnostics);
   for (unsigned lane = 0; result == TG_OK && lane < 4; lane++)
      print_lane(run, lane);

done:
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

int
main(void)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   if (!diagnostics)
      return 1;

   enum tg_result result = parse_and_run(diagnostics);
   if (result != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);

      fprintf(stderr, "%s%s\n", complaints ? complaints : "",
              tg_result_name(result));
      tg_string_free(complaints);
   }
   tg_diagnostics_destroy(diagnostics);
   return result != TG_OK;
}
