/* SPDX-License-Identifier: MIT
 *
 * Draws a lit, textured mesh, reads the picture back and looks at it; then runs
 * a compute shader over an array and looks at that. A program of a user's,
 * which knows nothing of Tungsten but what is installed:
 *
 *    cc lit_mesh.c $(pkg-config --cflags --libs tungsten) -o lit_mesh
 *
 * The mesh is a book that stands open: its left page faces the light, its right
 * page is turned away by the angle whose cosine is 0.8. A white and red checker
 * of 2 by 2 lies on each page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tungsten/gpu.h>

enum { SIZE = 64, NUM_VERTICES = 8, NUM_INDICES = 12, COUNT = 1000 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0..2]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[0]\n"
                                  "DCL OUT[2], GENERIC[1]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[1]\n"
                                  "MOV OUT[2], IN[2]\n"
                                  "END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                    "DCL IN[1], GENERIC[1], PERSPECTIVE\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL SAMP[0]\n"
                                    "DCL SVIEW[0], 2D, FLOAT\n"
                                    "DCL CONST[0][0]\n" /* to the light */
                                    "DCL TEMP[0..1]\n"
                                    "IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}\n"
                                    "DP3 TEMP[0].x, IN[1], CONST[0][0]\n"
                                    "MAX TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                    "TEX TEMP[1], IN[0], SAMP[0], 2D\n"
                                    "MUL OUT[0].xyz, TEMP[1], TEMP[0].xxxx\n"
                                    "MOV OUT[0].w, IMM[0].yyyy\n"
                                    "END\n";

/* y[i] = a * x[i] + y[i], sixty-four threads a block. */
static const char compute_text[] =
   "COMP\n"
   "PROPERTY CS_FIXED_BLOCK_WIDTH 64\n"
   "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
   "DCL SV[0], THREAD_ID\n"
   "DCL SV[1], BLOCK_ID\n"
   "DCL BUFFER[0]\n"
   "DCL BUFFER[1]\n"
   "DCL CONST[0][0]\n" /* a, and how many */
   "DCL TEMP[0..2]\n"
   "IMM[0] UINT32 {64, 4, 0, 0}\n"
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\n"
   "USLT TEMP[0].y, TEMP[0].xxxx, CONST[0][0].yyyy\n"
   "UIF TEMP[0].yyyy\n"
   "  UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "  LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
   "  LOAD TEMP[2].x, BUFFER[1], TEMP[0].xxxx\n"
   "  MAD TEMP[1].x, TEMP[1].xxxx, CONST[0][0].xxxx, TEMP[2].xxxx\n"
   "  STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
   "ENDIF\n"
   "END\n";

struct vertex {
   float position[4], texcoord[2], normal[3];
};

#define LEFT 0.0f, 0.0f, 1.0f
#define RIGHT 0.6f, 0.0f, 0.8f

static const struct vertex vertices[NUM_VERTICES] = {
   {{-1, -1, 0, 1}, {0, 1}, {LEFT}}, {{0, -1, 0, 1}, {1, 1}, {LEFT}},
   {{0, 1, 0, 1}, {1, 0}, {LEFT}},   {{-1, 1, 0, 1}, {0, 0}, {LEFT}},
   {{0, -1, 0, 1}, {0, 1}, {RIGHT}}, {{1, -1, 0, 1}, {1, 1}, {RIGHT}},
   {{1, 1, 0, 1}, {1, 0}, {RIGHT}},  {{0, 1, 0, 1}, {0, 0}, {RIGHT}},
};

static const uint16_t indices[NUM_INDICES] = {0, 1, 2, 0, 2, 3,
                                              4, 5, 6, 4, 6, 7};

/* White and red, red and white. */
static const uint8_t texels[4][4] = {
   {255, 255, 255, 255},
   {255, 0, 0, 255},
   {255, 0, 0, 255},
   {255, 255, 255, 255},
};

static struct tg_diagnostics *diagnostics;

/* Ends the program if something went wrong. */
static void
check(enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(diagnostics);
   fprintf(stderr, "%s\n%s", tg_result_name(result), text ? text : "");
   tg_string_free(text);
   exit(1);
}

static struct tg_shader *
parse(const char *name, const char *text)
{
   struct tg_shader *shader = NULL;
   check(tg_shader_parse(NULL, name, text, strlen(text), TG_DIALECT_2019,
                         diagnostics, &shader));
   return shader;
}

static struct tg_resource *
make_buffer(const void *data, uint32_t num_bytes)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *buffer = NULL;
   desc.width = num_bytes;
   check(tg_resource_create(NULL, &desc, diagnostics, &buffer));
   memcpy(tg_resource_map_buffer(buffer), data, num_bytes);
   return buffer;
}

static struct tg_resource *
make_texture(const char *format, uint32_t size)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *texture = NULL;
   desc.target = TG_TEXTURE_2D;
   desc.format = tg_format_number(format);
   desc.width = desc.height = size;
   check(tg_resource_create(NULL, &desc, diagnostics, &texture));
   return texture;
}

/* ---- the mesh ------------------------------------------------------------ */

static void
set_inputs(struct tg_context *gpu, struct tg_resource *buffer)
{
   const uint32_t floats[3] = {tg_format_number("R32G32B32A32_FLOAT"),
                               tg_format_number("R32G32_FLOAT"),
                               tg_format_number("R32G32B32_FLOAT")};
   const uint32_t offsets[3] = {offsetof(struct vertex, position),
                                offsetof(struct vertex, texcoord),
                                offsetof(struct vertex, normal)};
   struct tg_vertex_element elements[3] = {{0}};
   for (unsigned i = 0; i < 3; i++) {
      elements[i].format = floats[i];
      elements[i].src_offset = offsets[i];
   }
   const struct tg_vertex_buffer vertex_buffer = {buffer, 0,
                                                  sizeof(struct vertex)};
   struct tg_vertex_elements *inputs;
   check(tg_vertex_elements_create(tg_context_get_device(gpu), 3, elements,
                                   diagnostics, &inputs));
   check(tg_context_bind_vertex_elements(gpu, inputs, diagnostics));
   tg_vertex_elements_destroy(inputs);
   check(tg_context_set_vertex_buffers(gpu, 0, 1, &vertex_buffer, diagnostics));
}

static void
set_state(struct tg_context *gpu, struct tg_resource *color)
{
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, true, true);
   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(color);
   check(tg_context_set_framebuffer(gpu, &framebuffer, diagnostics));
   check(tg_context_set_viewports(gpu, 0, 1, &viewport, diagnostics));
}

static void
draw_mesh(struct tg_context *gpu, struct tg_resource *index_buffer)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   const struct tg_draw_range range = {0, NUM_INDICES, 0};
   info.index_size = sizeof(indices[0]);
   info.index_buffer = index_buffer;
   info.draws = &range;
   check(tg_context_draw(gpu, &info, diagnostics));
   check(tg_context_finish(gpu, diagnostics));
}

/* The middles of the four fields of each page. */
static int
look_at_picture(const uint8_t pixels[SIZE][SIZE][4])
{
   int faults = 0;
   for (unsigned i = 0; i < 8; i++) {
      const unsigned column = i % 4, row = i / 4;
      const unsigned x = 8 + 16 * column, y = 16 + 32 * row;
      const uint8_t light = column < 2 ? 255 : 204; /* 0.8 * 255 */
      const uint8_t other = (column + row) % 2 ? 0 : light;
      const uint8_t wanted[4] = {light, other, other, 255};
      if (memcmp(pixels[y][x], wanted, 4) != 0) {
         printf("pixel %u, %u is %u %u %u %u\n", x, y, pixels[y][x][0],
                pixels[y][x][1], pixels[y][x][2], pixels[y][x][3]);
         faults++;
      }
   }
   return faults;
}

static int
draw(void)
{
   static uint8_t pixels[SIZE][SIZE][4];
   const float to_light[4] = {0, 0, 1, 0};
   const struct tg_box picture = {0, 0, 0, SIZE, SIZE, 1},
                       all = {0, 0, 0, 2, 2, 1};
   struct tg_shader *vs = parse("vertex", vertex_text);
   struct tg_shader *fs = parse("fragment", fragment_text);
   struct tg_resource *vertex_buffer = make_buffer(vertices, sizeof(vertices));
   struct tg_resource *index_buffer = make_buffer(indices, sizeof(indices));
   struct tg_resource *light = make_buffer(to_light, sizeof(to_light));
   struct tg_resource *checker = make_texture("R8G8B8A8_UNORM", 2);
   struct tg_resource *color = make_texture("R8G8B8A8_UNORM", SIZE);
   const struct tg_view_desc all_of_checker = tg_view_desc_of(checker);
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;
   struct tg_device *device = NULL;
   struct tg_context *gpu = NULL;
   struct tg_gpu_shader *vertex = NULL, *fragment = NULL;
   struct tg_bindings *bindings = NULL;

   check(tg_resource_write(checker, 0, 0, &all, texels, 0, 0));
   check(tg_device_create(NULL, NULL, &device));
   check(tg_context_create(device, NULL, &gpu));
   check(tg_gpu_shader_create(device, vs, NULL, diagnostics, &vertex));
   check(tg_gpu_shader_create(device, fs, NULL, diagnostics, &fragment));
   check(tg_context_set_shader(gpu, TG_GPU_VERTEX, vertex, diagnostics));
   check(tg_context_set_shader(gpu, TG_GPU_FRAGMENT, fragment, diagnostics));
   check(tg_bindings_create(NULL, &bindings));
   check(tg_view_create(NULL, &all_of_checker, diagnostics, &view));
   check(tg_bindings_set_view(bindings, 0, view, diagnostics));
   check(tg_sampler_create(NULL, NULL, diagnostics, &sampler));
   check(tg_bindings_set_sampler(bindings, 0, sampler, diagnostics));
   check(tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 0, light, 0,
                                sizeof(to_light), diagnostics));
   tg_context_set_bindings(gpu, TG_GPU_FRAGMENT, bindings);
   set_inputs(gpu, vertex_buffer);
   set_state(gpu, color);
   draw_mesh(gpu, index_buffer);
   check(tg_context_read(gpu, color, 0, 0, &picture, pixels, 0, 0));

   tg_context_destroy(gpu);
   tg_gpu_shader_destroy(fragment);
   tg_gpu_shader_destroy(vertex);
   tg_device_destroy(device);
   tg_bindings_destroy(bindings);
   tg_sampler_destroy(sampler);
   tg_view_destroy(view);
   tg_resource_destroy(color);
   tg_resource_destroy(checker);
   tg_resource_destroy(light);
   tg_resource_destroy(index_buffer);
   tg_resource_destroy(vertex_buffer);
   tg_shader_destroy(fs);
   tg_shader_destroy(vs);
   return look_at_picture((const uint8_t(*)[SIZE][4])pixels);
}

/* ---- the array ----------------------------------------------------------- */

static int
compute(void)
{
   static float x[COUNT], y[COUNT];
   struct {
      float a;
      uint32_t count, unused[2];
   } constants = {0.5f, COUNT, {0}};
   for (int i = 0; i < COUNT; i++) {
      x[i] = (float)i;
      y[i] = (float)(COUNT - i);
   }
   struct tg_shader *shader = parse("compute", compute_text);
   struct tg_resource *buffers[3] = {
      make_buffer(x, sizeof(x)), make_buffer(y, sizeof(y)),
      make_buffer(&constants, sizeof(constants))};
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_program *program = NULL;
   struct tg_bindings *bindings = NULL;
   int faults = 0;

   check(tg_program_create(NULL, shader, NULL, diagnostics, &program));
   check(tg_bindings_create(NULL, &bindings));
   for (unsigned i = 0; i < 3; i++)
      check(tg_bindings_set_buffer(
         bindings, i < 2 ? TG_BUFFER_SHADER : TG_BUFFER_CONSTANT, i % 2,
         buffers[i], 0, tg_resource_get_desc(buffers[i])->width, diagnostics));
   grid.grid[0] = (COUNT + 63) / 64;
   check(tg_dispatch(program, bindings, &grid, diagnostics));
   const float *sums = tg_resource_map_buffer(buffers[1]);
   for (int i = 0; i < COUNT; i++)
      faults += sums[i] != (float)(COUNT - i) + 0.5f * (float)i;

   tg_bindings_destroy(bindings);
   tg_program_destroy(program);
   for (unsigned i = 0; i < 3; i++)
      tg_resource_destroy(buffers[i]);
   tg_shader_destroy(shader);
   return faults;
}

int
main(void)
{
   diagnostics = tg_diagnostics_create(NULL);
   const int pixels = draw(), sums = compute();
   printf("%d pixels and %d sums are not as expected\n", pixels, sums);
   tg_diagnostics_destroy(diagnostics);
   return pixels || sums;
}
