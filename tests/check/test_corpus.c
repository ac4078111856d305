/* SPDX-License-Identifier: MIT
 *
 * Shaders of real programs, run with a check: nothing may be found but what is
 * listed here, which are mistakes indeed. Inputs and constants hold small
 * numbers, so that control flow goes several ways; compute shaders are
 * dispatched, one block of each.
 *
 *    test_check_corpus FOLDER LEAST-NUMBER-THAT-RUNS
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsi/shader/shader.h"
#include "tungsten/run.h"

/* What is wrong in shaders, and how often. */
static const struct {
   const char *name, *code;
   unsigned count;
} known[] = {
   /* Mesa's compiler moves doubles to xy of a register, and then takes them
    * from zw, which nobody has written: the specification's D2F takes y from
    * there, and operations that write zw do. */
   {"frag-0ea4b2977d9f.tgsi", "undefined-value", 1}, /* D2F OUT[0].y */
   {"frag-d82b2c512970.tgsi", "undefined-value", 1}, /* DADD TEMP[0].zw */
   {"vert-203b3cd048f6.tgsi", "undefined-value", 1}, /* DMUL TEMP[0].zw */
   {"vert-fb40d371a5e0.tgsi", "undefined-value", 1}, /* D2F OUT[1].y */

   /* Nothing writes TEMP[1].x; the loop ends by it, and all the rest depends on
    * it. */
   {"comp-c2ca42938f2b.tgsi", "undefined-value", 5},

   /* Fills registers from shared memory that nobody has written. */
   {"comp-849e38dbae8a.tgsi", "undefined-memory", 64},

   /* Plain reads of words that other threads change by atomic operations, with
    * no barrier between: before a loop of compare-and-swap, or behind a
    * maximum. Both accesses of each. */
   {"comp-64d17966f30d.tgsi", "data-race", 2},
   {"comp-73d78ccc693e.tgsi", "data-race", 2},
   {"comp-bf46b388dde7.tgsi", "data-race", 2},
   {"comp-bf79368f1c37.tgsi", "data-race", 2},
};

enum { NUM_KNOWN = sizeof(known) / sizeof(*known) };

/* The row of a finding, or NUM_KNOWN. */
static unsigned
find_known(const char *path, const struct tg_diagnostic *finding)
{
   unsigned i = 0;

   while (i < NUM_KNOWN && !(strstr(path, known[i].name) &&
                             strcmp(finding->code, known[i].code) == 0))
      i++;
   return i;
}

struct totals {
   unsigned num_shaders, num_run, num_unknown;
   unsigned num_known[NUM_KNOWN];
};

static char *
read_file(const char *path, size_t *length_out)
{
   FILE *file = fopen(path, "rb");
   if (!file)
      return NULL;

   enum { MOST = 1 << 20 };
   char *text = malloc(MOST);
   *length_out = text ? fread(text, 1, MOST, file) : 0;
   fclose(file);
   return text;
}

/* ---- what is bound ------------------------------------------------------- */

enum {
   MAX_RESOURCES = 256,
   BUFFER_SIZE = 65536,
   IMAGE_WIDTH = 2048,
   PLANE_SIZE = 1024,
   IMAGE_SIZE = 16, /* of images with more axes */
};

struct bound {
   struct tg_bindings *bindings;
   struct tg_resource *resources[MAX_RESOURCES];
   unsigned num_resources;
};

static struct tg_resource *
make_resource(struct bound *bound, const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = NULL;

   if (bound->num_resources < MAX_RESOURCES &&
       tg_resource_create(NULL, desc, NULL, &resource) == TG_OK)
      bound->resources[bound->num_resources++] = resource;
   return resource;
}

static void
bind_buffer(struct bound *bound, enum tg_buffer_file file, unsigned place)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = BUFFER_SIZE,
   };
   struct tg_resource *buffer = make_resource(bound, &desc);

   if (buffer)
      tg_bindings_set_buffer(bound->bindings, file, place, buffer, 0,
                             BUFFER_SIZE, NULL);
}

/* The numbers of targets are those of enum tg_texture_target, apart from
 * multisampling. */
static void
bind_image(struct bound *bound, const struct tg_declaration *declaration,
           unsigned place)
{
   static const uint8_t target_of[TG_NUM_TARGETS] = {
      [TG_TARGET_BUFFER] = TG_TEXTURE_BUFFER,
      [TG_TARGET_1D] = TG_TEXTURE_1D,
      [TG_TARGET_2D] = TG_TEXTURE_2D,
      [TG_TARGET_3D] = TG_TEXTURE_3D,
      [TG_TARGET_CUBE] = TG_TEXTURE_CUBE,
      [TG_TARGET_RECT] = TG_TEXTURE_RECT,
      [TG_TARGET_1D_ARRAY] = TG_TEXTURE_1D_ARRAY,
      [TG_TARGET_2D_ARRAY] = TG_TEXTURE_2D_ARRAY,
      [TG_TARGET_CUBE_ARRAY] = TG_TEXTURE_CUBE_ARRAY,
      [TG_TARGET_2D_MSAA] = TG_TEXTURE_2D,
      [TG_TARGET_2D_ARRAY_MSAA] = TG_TEXTURE_2D_ARRAY,
   };
   const unsigned format =
      declaration->format ? declaration->format : TG_FORMAT_R32G32B32A32_FLOAT;
   const unsigned target = target_of[declaration->target];
   const bool is_buffer = target == TG_TEXTURE_BUFFER;
   const bool is_1d =
      is_buffer || target == TG_TEXTURE_1D || target == TG_TEXTURE_1D_ARRAY;
   const bool is_plane = target == TG_TEXTURE_2D || target == TG_TEXTURE_RECT;
   const uint32_t size = is_plane ? PLANE_SIZE : IMAGE_SIZE;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = is_buffer ? 0 : format,
      .width = is_buffer ? BUFFER_SIZE
               : is_1d   ? IMAGE_WIDTH
                         : size,
      .height = is_1d ? 1 : size,
      .depth = target == TG_TEXTURE_3D ? IMAGE_SIZE : 1,
      .layers = target == TG_TEXTURE_CUBE       ? 6
                : target >= TG_TEXTURE_1D_ARRAY ? 12
                                                : 1,
      .samples =
         tg_targets[declaration->target].flags & TG_TARGET_FLAG_MSAA ? 4 : 1,
   };
   struct tg_resource *resource = make_resource(bound, &desc);

   if (resource) {
      struct tg_image image = tg_image_of(resource);

      image.format = format;
      tg_bindings_set_image(bound->bindings, place, &image, NULL);
   }
}

static void
bind(struct bound *bound, const struct tg_shader *shader)
{
   if (tg_bindings_create(NULL, &bound->bindings) != TG_OK)
      return;
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      for (unsigned r = declaration->first; r <= declaration->last; r++) {
         if (declaration->file == TG_FILE_BUFFER)
            bind_buffer(bound, TG_BUFFER_SHADER, r);
         if (declaration->file == TG_FILE_IMAGE)
            bind_image(bound, declaration, r);
      }
      if (declaration->file == TG_FILE_CONST &&
          shader->processor == TG_PROCESSOR_COMP)
         bind_buffer(bound, TG_BUFFER_CONSTANT, declaration->dimension);
      if (declaration->file == TG_FILE_HWATOMIC)
         bind_buffer(bound, TG_BUFFER_COUNTER, declaration->dimension);
   }
}

static void
unbind(struct bound *bound)
{
   tg_bindings_destroy(bound->bindings);
   for (unsigned i = 0; i < bound->num_resources; i++)
      tg_resource_destroy(bound->resources[i]);
}

/* ---- runs ---------------------------------------------------------------- */

/* Numbers from 0 to 3, others in each lane; constants are 0 and 1. */
static void
set_registers(struct tg_run *run, enum tg_run_file file)
{
   enum { MAX_DIMENSIONS = 32, MAX_REGISTERS = 256 };

   for (uint32_t d = 0; d < MAX_DIMENSIONS; d++) {
      for (uint32_t r = 0; r < MAX_REGISTERS; r++) {
         for (int lane = 0; lane < TG_MAX_LANES; lane++) {
            uint32_t words[4];

            for (uint32_t c = 0; c < 4; c++)
               words[c] = file == TG_RUN_CONSTANT
                             ? (r + c) % 2
                             : (r * 4 + c + (uint32_t)lane + d) % 4;
            if (tg_run_set(run, file, d, r, file == TG_RUN_CONSTANT ? -1 : lane,
                           words) != TG_OK)
               break;
         }
      }
   }
}

static enum tg_result
run_lanes(const struct tg_program *program, const struct bound *bound,
          struct tg_diagnostics *diagnostics)
{
   struct tg_run *run;
   enum tg_result result = tg_run_create(program, TG_MAX_LANES, &run);

   if (result != TG_OK)
      return result;
   set_registers(run, TG_RUN_INPUT);
   set_registers(run, TG_RUN_CONSTANT);
   tg_run_set_bindings(run, bound->bindings);
   result = tg_run_execute(run, diagnostics);
   tg_run_destroy(run);
   return result;
}

/* One block. */
static enum tg_result
dispatch(const struct tg_program *program, const struct bound *bound,
         struct tg_diagnostics *diagnostics)
{
   const struct tg_grid grid = TG_GRID_INIT;

   return tg_dispatch(program, bound->bindings, &grid, diagnostics);
}

static void
count_findings(const char *path, const struct tg_diagnostics *diagnostics,
               struct totals *totals)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *finding = tg_diagnostics_get(diagnostics, i);

      if (finding->severity != TG_SEVERITY_ERROR)
         continue;
      unsigned row = find_known(path, finding);
      if (row < NUM_KNOWN) {
         totals->num_known[row]++;
         continue;
      }
      totals->num_unknown++;
      printf("%s:%u: %s\n", path, (unsigned)finding->line, finding->message);
   }
}

static void
run_shader(const char *path, const struct tg_shader *shader,
           struct tg_diagnostics *diagnostics, struct totals *totals)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_program *program = NULL;
   struct bound bound = {0};

   bind(&bound, shader);
   options.check = true;
   if (tg_program_create(NULL, shader, &options, diagnostics, &program) ==
       TG_OK) {
      tg_diagnostics_clear(diagnostics);
      if ((shader->processor == TG_PROCESSOR_COMP ? dispatch : run_lanes)(
             program, &bound, diagnostics) == TG_OK)
         totals->num_run++;
      count_findings(path, diagnostics, totals);
   }
   tg_program_destroy(program);
   unbind(&bound);
}

static void
run_file(const char *path, struct totals *totals)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   size_t length;
   char *text = read_file(path, &length);

   totals->num_shaders++;
   if (text && diagnostics &&
       tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019, diagnostics,
                       &shader) == TG_OK)
      run_shader(path, shader, diagnostics, totals);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   free(text);
}

static int
is_shader(const struct dirent *entry)
{
   const char *dot = strrchr(entry->d_name, '.');

   return dot && strcmp(dot, ".tgsi") == 0;
}

int
main(int argc, char **argv)
{
   struct totals totals = {0};
   struct dirent **names;
   int count = argc > 2 ? scandir(argv[1], &names, is_shader, alphasort) : -1;

   if (count < 0)
      return 2;
   for (int i = 0; i < count; i++) {
      char path[1024];

      snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]->d_name);
      run_file(path, &totals);
      free(names[i]);
   }
   free(names);
   printf("%u shaders, %u run, %u findings that are not known\n",
          totals.num_shaders, totals.num_run, totals.num_unknown);
   for (unsigned i = 0; i < NUM_KNOWN; i++) {
      if (totals.num_known[i] == known[i].count)
         continue;
      printf("%s: %u times %s, and not %u times\n", known[i].name,
             totals.num_known[i], known[i].code, known[i].count);
      totals.num_unknown++;
   }
   return totals.num_unknown || totals.num_run < strtoul(argv[2], NULL, 10);
}
