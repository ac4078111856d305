/* SPDX-License-Identifier: MIT
 *
 * Real programs: the shaders of a folder that its index says come from one
 * program draw together, of one thread and of three, and give the same pixels.
 * What a program lacks, since each shader is in the folder once, is made up
 * for. Views that they declare have textures.
 *
 *    test_gpu_corpus FOLDER LEAST [EXECUTOR]
 *
 * LEAST is how many draws there must be. Of three threads EXECUTOR draws, else
 * the usual one; the test is skipped where it is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../context.h"
#include "../state.h"
#include "../views.h"
#include "gpu/context/context.h"

enum {
   MAX_SHADERS = 8192,
   MAX_TEXT = 1 << 20,
   MAX_LINE = 1 << 14,
   SIZE = 16,         /* of the framebuffer */
   NUM_VERTICES = 24, /* that are drawn */
   NUM_GPUS = 2,
   SKIPPED = 77, /* the status of a test that is */
};

/* A line of the index. */
struct entry {
   char hash[16];
   char stage[16];
   char source[256];
};

static struct entry entries[MAX_SHADERS];
static uint32_t num_entries;
static char text[MAX_TEXT + 1];
static const char *folder;
static struct tg_diagnostics *diagnostics;

/* One GPU, and what it draws to. */
struct side {
   struct tg_context *gpu;
   struct tg_resource *color, *depth;
   struct tg_gpu_shader *shader[TG_NUM_GPU_STAGES];
   enum tg_result result;
};
static struct side sides[NUM_GPUS];
static struct tg_resource *vertices;
static struct tg_bindings *bindings[TG_NUM_GPU_STAGES]; /* of the program */

static const char *const stage_names[TG_NUM_GPU_STAGES] = {
   [TG_GPU_VERTEX] = "VERT",         [TG_GPU_FRAGMENT] = "FRAG",
   [TG_GPU_GEOMETRY] = "GEOM",       [TG_GPU_TESS_CTRL] = "TESS_CTRL",
   [TG_GPU_TESS_EVAL] = "TESS_EVAL",
};

/* What stands in for a stage that a program lacks. */
static const char *const stand_ins[TG_NUM_GPU_STAGES] = {
   [TG_GPU_VERTEX] = "VERT\n"
                     "DCL IN[0]\n"
                     "DCL OUT[0], POSITION\n"
                     "MOV OUT[0], IN[0]\n"
                     "END\n",
   [TG_GPU_FRAGMENT] = "FRAG\n"
                       "DCL OUT[0], COLOR\n"
                       "IMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n"
                       "MOV OUT[0], IMM[0]\n"
                       "END\n",
   [TG_GPU_TESS_EVAL] = "TESS_EVAL\n"
                        "PROPERTY TES_PRIM_MODE 4\n"
                        "DCL IN[][0], POSITION\n"
                        "DCL OUT[0], POSITION\n"
                        "MOV OUT[0], IN[0][0]\n"
                        "END\n",
};

/* ---- reading ------------------------------------------------------------- */

static bool
read_index(void)
{
   static char line[MAX_LINE];
   snprintf(line, sizeof(line), "%s/index.tsv", folder);
   FILE *file = fopen(line, "r");
   if (!file)
      return false;
   while (fgets(line, sizeof(line), file) && num_entries < MAX_SHADERS) {
      struct entry *entry = &entries[num_entries];
      if (sscanf(line, "%15[^\t]\t%15[^\t]\t%255[^\t]", entry->hash,
                 entry->stage, entry->source) == 3)
         num_entries++;
   }
   fclose(file);
   return num_entries > 0;
}

static struct tg_shader *
parse(const char *name, const char *source)
{
   struct tg_shader *shader = NULL;
   tg_shader_parse(NULL, name, source, strlen(source), TG_DIALECT_2019,
                   diagnostics, &shader);
   return shader;
}

static struct tg_shader *
read_shader(const struct entry *entry)
{
   char path[1024], stage[16];
   for (size_t i = 0; i < sizeof(stage); i++)
      stage[i] =
         (char)(entry->stage[i] |
                (entry->stage[i] >= 'A' && entry->stage[i] <= 'Z' ? 0x20 : 0));
   snprintf(path, sizeof(path), "%s/%s-%s.tgsi", folder, stage, entry->hash);
   FILE *file = fopen(path, "rb");
   if (!file)
      return NULL;
   text[fread(text, 1, MAX_TEXT, file)] = '\0';
   fclose(file);
   return parse(path, text);
}

/* ---- drawing ------------------------------------------------------------- */

static struct tg_resource *
make_resource(uint32_t target, uint32_t format, uint32_t width, uint32_t height)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = format,
      .width = width,
      .height = height,
   };
   struct tg_resource *resource = NULL;
   if (tg_resource_create(NULL, &desc, diagnostics, &resource) != TG_OK)
      abort();
   return resource;
}

/* Triangles around the middle, and numbers for whatever else is read. */
static void
make_vertices(void)
{
   float data[NUM_VERTICES][4];
   const struct tg_box box = {.width = sizeof(data), .height = 1, .depth = 1};
   vertices = make_resource(TG_TEXTURE_BUFFER, TG_FORMAT_NONE, sizeof(data), 0);
   for (unsigned v = 0; v < NUM_VERTICES; v++) {
      const float size = 0.25f + 0.125f * (float)(v / 3);
      data[v][0] = v % 3 == 1 ? size : -size;
      data[v][1] = v % 3 == 2 ? size : -size;
      data[v][2] = 0.0625f * (float)(v / 3);
      data[v][3] = 1.0f;
   }
   if (tg_resource_write(vertices, 0, 0, &box, data, 0, 0) != TG_OK)
      abort();
}

/* False where the executor is missing. */
static bool
init_side(struct side *side, unsigned num_threads, const char *executor)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = num_threads;
   options.executor = executor;
   const enum tg_result made = context_alone(NULL, &options, NULL, &side->gpu);
   if (made == TG_ERROR_INPUT && executor)
      return false;
   if (made != TG_OK)
      abort();
   side->color =
      make_resource(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
   side->depth = make_resource(TG_TEXTURE_2D, TG_FORMAT_Z32_FLOAT, SIZE, SIZE);

   const struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = SIZE,
      .height = SIZE,
      .num_colors = 1,
      .colors = {tg_surface_of(side->color)},
      .depth_stencil = tg_surface_of(side->depth),
   };
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
   for (unsigned i = 0; i < TG_MAX_VERTEX_ELEMENTS; i++)
      elements[i] = (struct tg_vertex_element){
         .format = TG_FORMAT_R32G32B32A32_FLOAT,
      };
   const struct tg_vertex_buffer buffer = {.buffer = vertices, .stride = 16};
   if (tg_context_set_framebuffer(side->gpu, &framebuffer, diagnostics) !=
          TG_OK ||
       tg_context_set_viewports(side->gpu, 0, 1, &viewport, diagnostics) !=
          TG_OK ||
       bind_vertex_elements(side->gpu, TG_MAX_VERTEX_ELEMENTS, elements,
                            diagnostics) != TG_OK ||
       tg_context_set_vertex_buffers(side->gpu, 0, 1, &buffer, diagnostics) !=
          TG_OK)
      abort();
   return true;
}

static void
finish_side(struct side *side)
{
   tg_context_destroy(side->gpu);
   tg_resource_destroy(side->color);
   tg_resource_destroy(side->depth);
}

static enum tg_prim
mode_for(struct tg_shader *const source[TG_NUM_GPU_STAGES])
{
   if (source[TG_GPU_TESS_EVAL])
      return TG_PRIM_PATCHES;
   if (source[TG_GPU_GEOMETRY])
      return (enum tg_prim)tg_shader_property(source[TG_GPU_GEOMETRY],
                                              TG_PROPERTY_GS_INPUT_PRIMITIVE,
                                              TG_PRIM_TRIANGLES);
   return TG_PRIM_TRIANGLES;
}

/* A loop budget that is used up is no refusal. */
static bool
draw(struct side *side, struct tg_shader *const source[TG_NUM_GPU_STAGES])
{
   const struct tg_draw_range range = {.count = NUM_VERTICES};
   const union tg_color black = {{0}};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = mode_for(source);
   info.vertices_per_patch = 3;
   info.draws = &range;
   side->result = tg_context_clear(side->gpu, TG_CLEAR_COLOR0 | TG_CLEAR_DEPTH,
                                   NULL, &black, 1.0, 0, diagnostics);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES && side->result == TG_OK; i++) {
      side->shader[i] = NULL;
      if (source[i])
         side->result =
            tg_gpu_shader_create(tg_context_get_device(side->gpu), source[i],
                                 NULL, diagnostics, &side->shader[i]);
      if (side->result == TG_OK)
         side->result =
            tg_context_set_shader(side->gpu, i, side->shader[i], diagnostics);
      tg_context_set_bindings(side->gpu, i, bindings[i]);
   }
   if (side->result == TG_OK)
      side->result = tg_context_draw(side->gpu, &info, diagnostics);
   const enum tg_result finished = tg_context_finish(side->gpu, diagnostics);
   if (side->result == TG_OK)
      side->result = finished;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      tg_gpu_shader_destroy(side->shader[i]);
   return side->result == TG_OK || side->result == TG_ERROR_LIMIT;
}

static bool
is_same_picture(void)
{
   static uint8_t pixels[NUM_GPUS][SIZE * SIZE * 4];
   const struct tg_box box = {.width = SIZE, .height = SIZE, .depth = 1};
   for (unsigned i = 0; i < NUM_GPUS; i++) {
      if (tg_context_read(sides[i].gpu, sides[i].color, 0, 0, &box, pixels[i],
                          0, 0) != TG_OK)
         return false;
   }
   return sides[0].result != TG_OK ||
          memcmp(pixels[0], pixels[1], sizeof(pixels[0])) == 0;
}

static bool
draw_both(struct tg_shader *const source[TG_NUM_GPU_STAGES], const char *name)
{
   bool good = true;
   for (unsigned i = 0; i < NUM_GPUS; i++)
      good = draw(&sides[i], source) && good;
   if (good && sides[0].result != sides[1].result) {
      fprintf(stderr, "%s: ends as %s, and as %s\n", name,
              tg_result_name(sides[0].result), tg_result_name(sides[1].result));
      return false;
   }
   if (good && !is_same_picture()) {
      fprintf(stderr, "%s: the other side gives other pixels\n", name);
      return false;
   }
   return good;
}

/* ---- programs ------------------------------------------------------------ */

/* Shader `number` of a stage, of those that the source has; NULL if none. */
static const struct entry *
find(const char *source, const char *stage, uint32_t number)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < num_entries; i++)
      count += strcmp(entries[i].source, source) == 0 &&
               strcmp(entries[i].stage, stage) == 0;
   if (!count)
      return NULL;
   number %= count;
   for (uint32_t i = 0; i < num_entries; i++) {
      if (strcmp(entries[i].source, source) == 0 &&
          strcmp(entries[i].stage, stage) == 0 && number-- == 0)
         return &entries[i];
   }
   return NULL;
}

static bool
needs_stand_in(struct tg_shader *const source[TG_NUM_GPU_STAGES], unsigned i)
{
   if (i == TG_GPU_TESS_EVAL)
      return source[TG_GPU_TESS_CTRL] && !source[i];
   return stand_ins[i] && !source[i];
}

/* The `number`-th program of a source, as far as its shaders go. */
static bool
draw_program(const char *name, uint32_t number)
{
   struct tg_shader *source[TG_NUM_GPU_STAGES] = {NULL};
   bool good = true;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      const struct entry *entry = find(name, stage_names[i], number);
      if (entry) {
         source[i] = read_shader(entry);
         good = good && source[i];
         bindings[i] = views_bindings_for(text);
      }
   }
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      if (needs_stand_in(source, i))
         source[i] = parse("stand-in", stand_ins[i]);
   }
   good = good && draw_both(source, name);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      tg_shader_destroy(source[i]);
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      tg_bindings_destroy(bindings[i]);
      bindings[i] = NULL;
   }
   if (good)
      return true;

   char *complaints = tg_diagnostics_text(diagnostics);
   fprintf(stderr, "%s:\n%s\n", name, complaints ? complaints : "");
   tg_string_free(complaints);
   return false;
}

/* Draws as many programs of a source as it has shaders of one stage. */
static uint32_t
draw_source(uint32_t first, uint32_t *num_bad)
{
   const char *name = entries[first].source;
   uint32_t most = 0;
   for (uint32_t i = 0; i < first; i++) {
      if (strcmp(entries[i].source, name) == 0)
         return 0;
   }
   for (unsigned stage = 0; stage < TG_NUM_GPU_STAGES; stage++) {
      uint32_t count = 0;
      for (uint32_t i = first; i < num_entries; i++)
         count += strcmp(entries[i].source, name) == 0 &&
                  strcmp(entries[i].stage, stage_names[stage]) == 0;
      most = count > most ? count : most;
   }
   for (uint32_t i = 0; i < most; i++) {
      tg_diagnostics_destroy(diagnostics);
      diagnostics = tg_diagnostics_create(NULL);
      *num_bad += !draw_program(name, i);
   }
   return most;
}

int
main(int argc, char **argv)
{
   uint32_t num_draws = 0, num_bad = 0;
   if (argc < 3 || argc > 4)
      return 2;
   folder = argv[1];
   if (!read_index())
      return 2;
   diagnostics = tg_diagnostics_create(NULL);
   make_vertices();
   if (!init_side(&sides[0], 1, NULL))
      return 2;
   if (!init_side(&sides[1], 3, argc == 4 ? argv[3] : NULL)) {
      finish_side(&sides[0]);
      return SKIPPED;
   }
   for (uint32_t i = 0; i < num_entries; i++)
      num_draws += draw_source(i, &num_bad);
   for (unsigned i = 0; i < NUM_GPUS; i++)
      finish_side(&sides[i]);
   tg_resource_destroy(vertices);
   tg_diagnostics_destroy(diagnostics);
   printf("%u draws, %u bad\n", (unsigned)num_draws, (unsigned)num_bad);
   return num_bad || num_draws < (uint32_t)atoi(argv[2]);
}
