/* SPDX-License-Identifier: MIT
 *
 * Real shaders: each of a folder lowers to a module without fault, runs to its
 * end, and gives the same when optimised. The first buffers and images that it
 * declares are bound, as it declares them; once without textures, and once with
 * textures and samplers of all kinds, of the targets that it asks for. Shaders
 * with what does not execute yet are counted and passed over.
 *
 *    test_lower_corpus FOLDER LEAST
 *
 * LEAST is how many shaders must run.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_TEXT = 1 << 20, LOOP_BUDGET = 100000 };

static struct runner runner;
static struct abi_keys keys;
static char text[MAX_TEXT + 1];

static bool
read_text(const char *path)
{
   FILE *file = fopen(path, "rb");

   if (!file)
      return false;
   size_t length = fread(text, 1, MAX_TEXT, file);
   fclose(file);
   text[length] = '\0';
   return true;
}

/* Small numbers that differ by lane, which are also small as integers: what
 * counts to them ends. */
static void
fill_registers(void)
{
   for (unsigned w = 0; w < RUNNER_WORDS; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         runner.input[w][lane] = runner.sysval[w][lane] = (w + lane) % 7;
   }
   for (unsigned w = 0; w < RUNNER_CONSTANTS; w++) {
      for (unsigned b = 0; b < RUNNER_BUFFERS; b++)
         runner.constants[b][w] = (w + b) % 5;
   }
}

/* ---- memory -------------------------------------------------------------- */

static void
add_memory(enum lir_space space, uint32_t binding, uint32_t num_words)
{
   struct runner_memory *memory = &runner.memories[runner.num_memories++];

   memory->space = space;
   memory->binding = binding;
   memory->num_bytes = num_words * 4;
   for (uint32_t w = 0; w < num_words; w++)
      memory->words[w] = w % 6;
}

/* Four by four texels of two samples and two slices, of 16 bytes, so that any
 * format fits. */
static void
add_image(const struct tg_declaration *declaration, uint32_t place)
{
   static const uint32_t words[ABI_IMAGE_WORDS] = {
      [ABI_IMAGE_WIDTH] = 4,         [ABI_IMAGE_HEIGHT] = 4,
      [ABI_IMAGE_DEPTH] = 2,         [ABI_IMAGE_SAMPLES] = 2,
      [ABI_IMAGE_ROW_PITCH] = 16,    [ABI_IMAGE_SAMPLE_PITCH] = 64,
      [ABI_IMAGE_SLICE_PITCH] = 128,
   };

   keys.images[place] = (struct abi_image_key){
      .format = declaration->format ? declaration->format
                                    : TG_FORMAT_R32G32B32A32_FLOAT,
      .resource_format = TG_FORMAT_R32G32B32A32_FLOAT,
      .target = declaration->target,
   };
   memcpy(&runner.descriptors[ABI_IMAGE_FIRST + place * ABI_IMAGE_WORDS], words,
          sizeof(words));
   add_memory(LIR_SPACE_IMAGE, place, 256);
}

static void
bind_declared(void)
{
   const struct tg_shader *shader = runner.shader;

   memset(&keys, 0, sizeof(keys));
   runner.options.keys = &keys;
   for (uint32_t i = 0; shader && i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      for (uint32_t r = declaration->first; r <= declaration->last; r++) {
         if (runner.num_memories == RUNNER_MEMORIES)
            return;
         if (declaration->file == TG_FILE_IMAGE && r < ABI_MAX_IMAGES)
            add_image(declaration, r);
         if (declaration->file == TG_FILE_BUFFER && r < ABI_MAX_BUFFERS)
            add_memory(LIR_SPACE_BUFFER, r, 64);
         if (declaration->file == TG_FILE_HWATOMIC && r == declaration->first)
            add_memory(LIR_SPACE_BUFFER,
                       ABI_BUFFER_COUNTERS + declaration->dimension, 64);
      }
   }
}

/* ---- textures ------------------------------------------------------------ */

static uint32_t random_state = 1;

static uint8_t
below(unsigned bound)
{
   random_state = random_state * 1103515245 + 12345;
   return (uint8_t)((random_state >> 16) % bound);
}

static struct abi_view_key
random_view(void)
{
   static const uint16_t formats[] = {
      TG_FORMAT_R8G8B8A8_UNORM, TG_FORMAT_R32_FLOAT,     TG_FORMAT_R32G32_SINT,
      TG_FORMAT_Z16_UNORM,      TG_FORMAT_R8G8B8A8_SRGB, TG_FORMAT_L8A8_UNORM,
   };

   return (struct abi_view_key){
      .format = formats[below(sizeof(formats) / sizeof(formats[0]))],
      .target = TG_TARGET_2D,
      .swizzle = {below(6), below(6), below(6), below(6)},
      .is_depth = below(2),
   };
}

static struct abi_sampler_key
random_sampler(void)
{
   return (struct abi_sampler_key){
      .is_bound = true,
      .wrap = {below(ABI_NUM_WRAPS), below(ABI_NUM_WRAPS),
               below(ABI_NUM_WRAPS)},
      .min_filter = below(ABI_NUM_FILTERS),
      .mag_filter = below(ABI_NUM_FILTERS),
      .mip_filter = below(ABI_NUM_MIP_FILTERS),
      .compares = below(2),
      .compare_func = below(ABI_NUM_COMPARES),
      .max_anisotropy = below(3) ? 0 : below(17),
      .unnormalized = below(4) == 0,
      .seamless_cube = below(2),
   };
}

/* Four by four texels of two cubes' faces, with two levels, all of which are
 * the same memory. */
static void
add_texture(uint32_t place)
{
   static const uint32_t words[ABI_VIEW_WORDS] = {
      [ABI_VIEW_WIDTH] = 4,
      [ABI_VIEW_HEIGHT] = 4,
      [ABI_VIEW_DEPTH] = 4,
      [ABI_VIEW_LAYERS] = 12,
      [ABI_VIEW_LEVELS] = 2,
      [ABI_VIEW_SAMPLES] = 2,
      [ABI_VIEW_SAMPLE_PITCH] = 32,
      [ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_ROW_PITCH] = 8,
      [ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_SLICE_PITCH] = 32,
      [ABI_VIEW_LEVEL_WORDS + ABI_LEVEL_WORDS + ABI_LEVEL_ROW_PITCH] = 8,
   };
   static const float range[3] = {0.25f, 0, 1}; /* bias and bounds of the lod */
   uint32_t *sampler =
      &runner.descriptors[ABI_SAMPLER_FIRST + place * ABI_SAMPLER_WORDS];

   keys.views[place] = random_view();
   keys.samplers[place] = random_sampler();
   memcpy(&runner.descriptors[place * ABI_VIEW_WORDS], words, sizeof(words));
   memcpy(sampler, range, sizeof(range));
   if (runner.num_memories < RUNNER_MEMORIES)
      add_memory(LIR_SPACE_TEXTURE, place, 256);
}

/* The unit is of the target that an instruction wants of it; all are if it
 * could be any of them. */
static void
give_target(const struct tg_instruction *instruction)
{
   const struct tg_register *reg =
      &instruction->src[instruction->num_src - 1].reg;

   for (int32_t i = 0; i < ABI_MAX_SAMPLERS; i++) {
      if (reg->file != TG_FILE_SAMP || reg->index.indirect ||
          reg->index.offset == i)
         keys.views[i].target = tg_targets[instruction->target].plain;
   }
}

static void
bind_textures(void)
{
   const struct tg_shader *shader = runner.shader;

   for (unsigned i = 0; i < ABI_MAX_SAMPLERS; i++)
      add_texture(i);
   for (uint32_t i = 0; shader && i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];
      if (instruction->has_texture && instruction->num_src > 0)
         give_target(instruction);
   }
}

/* ---- shaders ------------------------------------------------------------- */

struct counts {
   unsigned num_run, num_unsupported, num_wrong;
};

static void
run_file(const char *path, bool has_textures, struct counts *counts)
{
   const char *why = NULL;

   if (!read_text(path)) {
      perror(path);
      counts->num_wrong++;
      return;
   }
   runner_init(&runner, TG_DIALECT_2019, text);
   runner.loop_budget = LOOP_BUDGET;
   fill_registers();
   bind_declared();
   if (has_textures)
      bind_textures();
   if (runner_try(&runner, &why) && runner.result != TG_OK)
      why = tg_result_name(runner.result);
   if (!why) {
      counts->num_run++;
   } else if (runner.result == TG_ERROR_UNSUPPORTED) {
      counts->num_unsupported++;
   } else {
      char *complaints = tg_diagnostics_text(runner.diagnostics);

      printf("%s: %s (%s)\n%s", path, why,
             runner.fault.what ? runner.fault.what : "",
             complaints ? complaints : "");
      tg_string_free(complaints);
      counts->num_wrong++;
   }
   runner_finish(&runner);
}

int
main(int argc, char **argv)
{
   struct counts counts = {0};
   char path[4096];

   if (argc < 3)
      return 2;
   DIR *folder = opendir(argv[1]);
   if (!folder) {
      perror(argv[1]);
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
      run_file(path, false, &counts);
      run_file(path, true, &counts);
   }
   closedir(folder);
   printf("%u runs of shaders, %u of opcodes that do not execute, %u wrong\n",
          counts.num_run, counts.num_unsupported, counts.num_wrong);
   return counts.num_wrong || counts.num_run < 2 * (unsigned)atoi(argv[2]);
}
