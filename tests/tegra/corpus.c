/* SPDX-License-Identifier: MIT
 *
 * Layouts follow what include/tungsten/tegra.h says of the compiler and the
 * decompiler, not what these do.
 */
#include "corpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsi/shader/shader.h"
#include "tungsten/run.h"
#include "util/bits.h"

/* ---- reading ------------------------------------------------------------- */

static void
tell(const struct tg_diagnostics *diagnostics)
{
   char *text = tg_diagnostics_text(diagnostics);

   fputs(text ? text : "", stderr);
   tg_string_free(text);
}

struct tg_shader *
corpus_parse(const char *name, const char *text, size_t length,
             enum tg_dialect dialect)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, name ? name : "", text, length, dialect,
                       diagnostics, &shader) != TG_OK ||
       tg_shader_validate(shader, diagnostics) != TG_OK) {
      if (name)
         tell(diagnostics);
      tg_shader_destroy(shader);
      shader = NULL;
   }
   tg_diagnostics_destroy(diagnostics);
   return shader;
}

struct tg_shader *
corpus_read(const char *path)
{
   enum { MOST = 1 << 20 };
   FILE *file = fopen(path, "rb");
   char *text = malloc(MOST);
   struct tg_shader *shader = NULL;

   if (file && text)
      shader =
         corpus_parse(path, text, fread(text, 1, MOST, file), TG_DIALECT_2019);
   else
      fprintf(stderr, "%s: cannot be read\n", path);
   if (file)
      fclose(file);
   free(text);
   return shader;
}

/* ---- what it uses -------------------------------------------------------- */

static unsigned
uses_of_type(enum tg_type type)
{
   switch (type) {
   case TG_TYPE_I32:
   case TG_TYPE_U32:
   case TG_TYPE_I64:
   case TG_TYPE_U64: return CORPUS_INTEGERS;
   case TG_TYPE_F64: return CORPUS_DOUBLES;
   default: return tg_type_is_object(type) ? CORPUS_TEXTURES : 0;
   }
}

/* ARL and ARR make integers, for addresses only. */
static unsigned
uses_of_instruction(const struct tg_instruction *instruction)
{
   const struct tg_opcode_info *info = &tg_opcodes[instruction->opcode];
   bool is_address = instruction->opcode == TG_OPCODE_ARL ||
                     instruction->opcode == TG_OPCODE_ARR;
   unsigned uses = is_address ? 0 : uses_of_type(info->dst_type);

   for (unsigned i = 0; i < instruction->num_src; i++)
      uses |= uses_of_type(info->src_type[i]);
   return uses;
}

static unsigned
uses_of_declaration(const struct tg_declaration *declaration)
{
   switch ((enum tg_file)declaration->file) {
   case TG_FILE_SV: return CORPUS_SYSTEM_VALUES;
   case TG_FILE_SAMP:
   case TG_FILE_SVIEW:
   case TG_FILE_IMAGE:
   case TG_FILE_BUFFER:
   case TG_FILE_MEMORY:
   case TG_FILE_HWATOMIC: return CORPUS_TEXTURES;
   default: return 0;
   }
}

unsigned
corpus_uses(const struct tg_shader *shader)
{
   unsigned uses = 0;

   for (uint32_t i = 0; i < shader->num_declarations; i++)
      uses |= uses_of_declaration(&shader->declarations[i]);
   for (uint32_t i = 0; i < shader->num_instructions; i++)
      uses |= uses_of_instruction(&shader->instructions[i]);
   return uses;
}

/* ---- layouts ------------------------------------------------------------- */

/* Whether a register of a file is declared, and as the position. */
static bool
find_output(const struct tg_shader *shader, unsigned index, bool *is_position)
{
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      if (declaration->file != TG_FILE_OUT || index < declaration->first ||
          index > declaration->last)
         continue;
      *is_position = declaration->has_semantic &&
                     declaration->semantic == TG_SEMANTIC_POSITION &&
                     index == declaration->first;
      return true;
   }
   return false;
}

static void
lay_out_outputs(const struct tg_shader *shader, struct corpus_layout *layout)
{
   unsigned next = 1;
   bool is_position = false;

   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++)
      layout->outputs[i] = -1;
   for (unsigned i = 0; i < 256; i++) {
      if (!find_output(shader, i, &is_position))
         continue;
      if (is_position)
         layout->outputs[0] = (int)i;
      else if (next < TG_TEGRA_NUM_EXPORTS)
         layout->outputs[next++] = (int)i;
   }
}

/* How many registers a constant buffer has. */
static unsigned
count_constants(const struct tg_shader *shader, unsigned dimension)
{
   unsigned count = 0;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      if (declaration->file == TG_FILE_CONST &&
          declaration->dimension == dimension && declaration->last >= count)
         count = declaration->last + 1u;
   }
   return count;
}

void
corpus_lay_out(const struct tg_shader *shader, struct corpus_layout *layout)
{
   memset(layout, 0, sizeof(*layout));
   lay_out_outputs(shader, layout);
   for (unsigned dimension = 0; dimension < 32; dimension++) {
      unsigned count = count_constants(shader, dimension);
      for (unsigned i = 0; i < count; i++) {
         unsigned place = layout->num_constants;
         if (place == TG_TEGRA_NUM_CONSTANTS)
            return;
         layout->constants[place].dimension = (uint16_t)dimension;
         layout->constants[place].index = (uint16_t)i;
         layout->num_constants++;
      }
   }
}

void
corpus_lay_out_decompiled(struct corpus_layout *layout)
{
   memset(layout, 0, sizeof(*layout));
   layout->num_constants = TG_TEGRA_NUM_CONSTANTS;
   for (unsigned i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      layout->constants[i].index = (uint16_t)i;
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++)
      layout->outputs[i] = (int)i;
}

/* ---- values -------------------------------------------------------------- */

uint32_t
corpus_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

static uint32_t
ordinary_word(uint64_t *state)
{
   int32_t number = (int32_t)corpus_random(state);
   float value = (float)number * 0x1p-29f; /* -4 to 4 */

   return tg_bits_of_float(fabsf(value) < 0x1p-6f ? value + 1.0f : value);
}

static uint32_t
random_word(uint64_t *state, enum corpus_values values)
{
   static const float special[] = {
      0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-30f, -1e-30f, 1e-42f, 1e20f, -1e30f,
   };
   if (values == CORPUS_ORDINARY_VALUES)
      return ordinary_word(state);
   uint32_t number = corpus_random(state);
   uint32_t kind = corpus_random(state) % 16;

   if (kind == 0)
      return tg_bits_of_float(
         special[number % (sizeof(special) / sizeof(*special))]);
   if (kind < 4)
      return tg_bits_of_float((float)(number % 9) - 2.0f);
   return ordinary_word(state);
}

void
corpus_fill(struct corpus_inputs *inputs, uint64_t seed,
            enum corpus_values values)
{
   uint32_t *attributes = &inputs->attributes[0][0][0];
   uint32_t *constants = &inputs->constants[0][0];

   for (size_t i = 0; i < sizeof(inputs->attributes) / sizeof(uint32_t); i++)
      attributes[i] = random_word(&seed, values);
   for (size_t i = 0; i < sizeof(inputs->constants) / sizeof(uint32_t); i++)
      constants[i] = random_word(&seed, values);
}

/* ---- running ------------------------------------------------------------- */

/* Registers that the shader does not have are refused, which is well. */
static void
set_inputs(struct tg_run *run, const struct corpus_layout *layout,
           const struct corpus_inputs *inputs, unsigned first, unsigned count)
{
   for (unsigned i = 0; i < layout->num_constants; i++)
      tg_run_set(run, TG_RUN_CONSTANT, layout->constants[i].dimension,
                 layout->constants[i].index, -1, inputs->constants[i]);
   for (unsigned lane = 0; lane < count; lane++) {
      for (unsigned i = 0; i < TG_TEGRA_NUM_ATTRIBUTES; i++)
         tg_run_set(run, TG_RUN_INPUT, 0, i, (int)lane,
                    inputs->attributes[first + lane][i]);
   }
}

static void
get_outputs(const struct tg_run *run, const struct corpus_layout *layout,
            struct corpus_outputs *outputs, unsigned first, unsigned count)
{
   for (unsigned lane = 0; lane < count; lane++) {
      for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
         if (layout->outputs[i] >= 0)
            tg_run_get_output(run, 0, (uint32_t)layout->outputs[i], lane,
                              outputs->exports[first + lane][i]);
      }
   }
}

static bool
run_lanes(const struct tg_program *program, const struct corpus_layout *layout,
          const struct corpus_inputs *inputs, struct corpus_outputs *outputs,
          unsigned first)
{
   unsigned count = CORPUS_VERTICES - first;
   struct tg_run *run = NULL;

   if (count > TG_MAX_LANES)
      count = TG_MAX_LANES;
   if (tg_run_create(program, count, &run) != TG_OK)
      return false;
   set_inputs(run, layout, inputs, first, count);
   bool ended = tg_run_execute(run, NULL) == TG_OK;
   if (ended)
      get_outputs(run, layout, outputs, first, count);
   tg_run_destroy(run);
   return ended;
}

bool
corpus_interpret(const struct tg_shader *shader,
                 const struct corpus_layout *layout,
                 const struct corpus_inputs *inputs,
                 struct corpus_outputs *outputs)
{
   struct tg_program *program = NULL;
   bool ended = true;

   memset(outputs, 0, sizeof(*outputs));
   if (tg_program_create(NULL, shader, NULL, NULL, &program) != TG_OK)
      return false;
   for (unsigned i = 0; ended && i < CORPUS_VERTICES; i += TG_MAX_LANES)
      ended = run_lanes(program, layout, inputs, outputs, i);
   tg_program_destroy(program);
   return ended;
}

bool
corpus_simulate(const struct tg_tegra_program *program,
                const struct corpus_inputs *inputs,
                struct corpus_outputs *outputs)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   uint8_t ends[CORPUS_VERTICES];

   batch.num_vertices = CORPUS_VERTICES;
   batch.attributes = &inputs->attributes[0][0][0];
   batch.constants = &inputs->constants[0][0];
   batch.exports = &outputs->exports[0][0][0];
   batch.ends = ends;
   if (tg_tegra_run(program, &batch, NULL) != TG_OK)
      return false;
   for (unsigned i = 0; i < CORPUS_VERTICES; i++) {
      if (ends[i] != TG_TEGRA_ENDED)
         return false;
   }
   return true;
}

/* ---- comparing ----------------------------------------------------------- */

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

/* Floats in their order, as integers; both zeros are 0. */
static int64_t
rank(uint32_t word)
{
   return word >> 31 ? -(int64_t)(word & 0x7fffffff) : (int64_t)word;
}

/* Zeros of different signs are one unit apart, all NaNs are alike. */
static uint32_t
distance(uint32_t a, uint32_t b)
{
   if (a == b || (is_nan(a) && is_nan(b)))
      return 0;
   if (is_nan(a) || is_nan(b))
      return UINT32_MAX;
   int64_t apart = llabs(rank(a) - rank(b));
   return apart > 0 ? (uint32_t)apart : 1;
}

void
corpus_compare(const struct corpus_layout *layout,
               const struct corpus_outputs *expected,
               const struct corpus_outputs *got,
               struct corpus_difference *difference)
{
   for (unsigned i = 0; i < CORPUS_VERTICES; i++) {
      for (unsigned j = 0; j < TG_TEGRA_NUM_EXPORTS * 4; j++) {
         unsigned export_index = j / 4, component = j % 4;
         if (layout->outputs[export_index] < 0)
            continue;
         uint32_t apart =
            distance(expected->exports[i][export_index][component],
                     got->exports[i][export_index][component]);
         difference->num_values++;
         difference->num_different += apart > 0;
         if (apart <= difference->greatest)
            continue;
         difference->greatest = apart;
         difference->vertex = i;
         difference->export_index = export_index;
         difference->component = component;
      }
   }
}
