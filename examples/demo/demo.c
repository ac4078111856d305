/* SPDX-License-Identifier: MIT
 *
 * The demo: draws a torus knot of bronze scales on a floor of slabs, with a
 * pair of shaders that Mesa made of a real program's GLSL, and writes a
 * picture. The vertex shader raises the surfaces by a texture; the fragment
 * shader blends two colours by the same texture, bends the normal by a map and
 * lights it with a point light.
 *
 *    demo OUT.png [TURN]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../picture.h"
#include "surface.h"
#include "tgsi/tables/tables.h"
#include "tungsten/gpu.h"

enum {
   WIDTH = 1280,
   HEIGHT = 720,
   SAMPLES = 2, /* pixels are drawn this much finer each way, then averaged */
};

/* What the shaders' inputs 0 to 3 read. */
struct vertex {
   float position[3];
   float normal[3];
   float tangent[3];
   float uv[2];
};

/* Constants of the two shaders, by register. */
struct vertex_constants {
   struct mat4 model_view;
   struct mat4 normal_matrix;
   struct mat4 projection;
   float relief_scale[4];
   float relief_bias[4];
};

struct fragment_constants {
   float ambient[4];
   float diffuse[4];
   float specular[4];
   float shininess[4];
   float opacity[4];
   float normal_scale[4];
   float repeat[4];
   float offset[4];
   float ambient_light[4];
   struct mat4 view;
   float light_color[4];
   float light_position[4];
   float light_reach[4];
};

/* A surface on the GPU. */
struct model {
   const struct surface *surface;
   struct tg_resource *vertices, *indices;
   struct tg_resource *vertex_constants, *fragment_constants;
   struct tg_resource *vertex_normals, *relief; /* read by vertices */
   struct tg_resource *high, *low, *normals, *gloss;
   struct tg_bindings *bindings[2]; /* of vertices, of fragments */
   uint32_t num_indices;
};

struct demo {
   struct tg_diagnostics *diagnostics;
   struct tg_device *device;
   struct tg_context *gpu;
   struct tg_shader *source[2];
   struct tg_gpu_shader *shader[2];
   struct tg_resource *color, *depth;
   struct model models[2];
   float turn; /* how far the eye has gone around the scene, 1 being once */
};

/* ---- failing ------------------------------------------------------------- */

/* A demo that cannot go on says why and ends. */
static void
check(const struct demo *demo, enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(demo->diagnostics);
   fprintf(stderr, "demo: %s\n%s", tg_result_name(result), text ? text : "");
   exit(EXIT_FAILURE);
}

static double
seconds(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- resources ----------------------------------------------------------- */

static struct tg_resource *
make_resource(struct demo *demo, const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = NULL;
   check(demo, tg_resource_create(NULL, desc, demo->diagnostics, &resource));
   return resource;
}

static struct tg_resource *
make_buffer(struct demo *demo, const void *data, size_t size)
{
   struct tg_resource *buffer =
      make_resource(demo, &(struct tg_resource_desc){
                             .size = sizeof(struct tg_resource_desc),
                             .target = TG_TEXTURE_BUFFER,
                             .width = (uint32_t)size,
                          });
   memcpy(tg_resource_map_buffer(buffer), data, size);
   return buffer;
}

/* A texel of a texture to be made, at the place of its centre. */
typedef void (*texel_function)(const struct surface *surface, float u, float v,
                               float texel[4]);

static struct tg_resource *
make_texture(struct demo *demo, const struct surface *surface,
             enum tg_format format, uint32_t width, uint32_t height,
             texel_function function)
{
   const bool is_float = format == TG_FORMAT_R32G32B32A32_FLOAT;
   struct tg_resource *texture = make_resource(
      demo,
      &(struct tg_resource_desc){
         .size = sizeof(struct tg_resource_desc),
         .target = TG_TEXTURE_2D,
         .format = format,
         .width = width,
         .height = height,
         .last_level = is_float ? 0 : tg_full_last_level(width, height, 1),
      });
   const struct tg_box level = {.width = width, .height = height, .depth = 1};
   const size_t size = (size_t)width * height * (is_float ? 16 : 4);
   uint32_t *words = calloc(size, 1);
   check(demo, words ? TG_OK : TG_ERROR_MEMORY);
   for (uint32_t i = 0; i < width * height; i++) {
      const float u = ((float)(i % width) + 0.5f) / (float)width;
      const float v = ((float)(i / width) + 0.5f) / (float)height;
      float texel[4] = {0, 0, 0, 1};
      function(surface, u, v, texel);
      if (is_float) {
         memcpy(words + i * 4, texel, sizeof(texel));
         continue;
      }
      for (int c = 0; c < 4; c++)
         words[i] |= (uint32_t)(clampf(texel[c], 0, 1) * 255 + 0.5f) << (c * 8);
   }
   check(demo, tg_resource_write(texture, 0, 0, &level, words, 0, 0));
   check(demo, tg_resource_generate_mipmaps(texture));
   free(words);
   return texture;
}

static void
high_texel(const struct surface *surface, float u, float v, float texel[4])
{
   surface->high_color(u, v, texel);
}

static void
low_texel(const struct surface *surface, float u, float v, float texel[4])
{
   surface->low_color(u, v, texel);
}

static void
gloss_texel(const struct surface *surface, float u, float v, float texel[4])
{
   texel[0] = surface->gloss(u, v);
}

static void
relief_texel(const struct surface *surface, float u, float v, float texel[4])
{
   texel[0] = texel[1] = texel[2] = surface->relief(u, v);
}

static void
store_normal(struct vec3 normal, float texel[4])
{
   texel[0] = normal.x * 0.5f + 0.5f;
   texel[1] = normal.y * 0.5f + 0.5f;
   texel[2] = normal.z * 0.5f + 0.5f;
}

/* The normal of the raised surface, in the surface's own space. */
static void
vertex_normal_texel(const struct surface *surface, float u, float v,
                    float texel[4])
{
   const float du = 0.5f / (float)surface->width;
   const float dv = 0.5f / (float)surface->height_map;
   const struct vec3 along_u = vec3_sub(surface_point(surface, u + du, v),
                                        surface_point(surface, u - du, v));
   const struct vec3 along_v = vec3_sub(surface_point(surface, u, v + dv),
                                        surface_point(surface, u, v - dv));
   struct vec3 normal = vec3_normalize(vec3_cross(along_u, along_v));
   if (vec3_dot(normal, surface->normal(u, v)) < 0)
      normal = vec3_scale(normal, -1);
   store_normal(normal, texel);
}

/* Fine grain, in tangent space. */
static void
grain_texel(const struct surface *surface, float u, float v, float texel[4])
{
   const int period = (int)surface->detail_size / 4;
   const float x = u * (float)period, y = v * (float)period;
   const float here = noise(x, y, period);
   const struct vec3 normal = {
      (here - noise(x + 0.3f, y, period)) * 0.35f,
      (here - noise(x, y + 0.3f, period)) * 0.35f,
      1,
   };
   store_normal(vec3_normalize(normal), texel);
}

/* ---- meshes -------------------------------------------------------------- */

static void
store(float out[3], struct vec3 v)
{
   out[0] = v.x;
   out[1] = v.y;
   out[2] = v.z;
}

static struct vertex
make_vertex(const struct surface *surface, float u, float v)
{
   const struct vec3 position = surface->base(u, v);
   const struct vec3 ahead = surface->base(u + 1e-3f, v);
   struct vertex vertex = {.uv = {u, v}};
   store(vertex.position, position);
   store(vertex.normal, surface->normal(u, v));
   store(vertex.tangent, vec3_normalize(vec3_sub(ahead, position)));
   return vertex;
}

static void
make_vertices(struct demo *demo, struct model *model)
{
   const struct surface *surface = model->surface;
   const uint32_t count = (surface->columns + 1) * (surface->rows + 1);
   struct vertex *vertices = calloc(count, sizeof(*vertices));
   check(demo, vertices ? TG_OK : TG_ERROR_MEMORY);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t column = i % (surface->columns + 1);
      const uint32_t row = i / (surface->columns + 1);
      vertices[i] =
         make_vertex(surface, (float)column / (float)surface->columns,
                     (float)row / (float)surface->rows);
   }
   model->vertices = make_buffer(demo, vertices, count * sizeof(*vertices));
   free(vertices);
}

static void
make_indices(struct demo *demo, struct model *model)
{
   const uint32_t columns = model->surface->columns;
   const uint32_t rows = model->surface->rows;
   const uint32_t count = columns * rows * 6;
   uint32_t *indices = calloc(count, sizeof(*indices));
   check(demo, indices ? TG_OK : TG_ERROR_MEMORY);
   for (uint32_t i = 0; i < columns * rows; i++) {
      const uint32_t corner = i / columns * (columns + 1) + i % columns;
      const uint32_t below = corner + columns + 1;
      const uint32_t quad[6] = {corner, corner + 1, below,
                                below,  corner + 1, below + 1};
      memcpy(indices + i * 6, quad, sizeof(quad));
   }
   model->num_indices = count;
   model->indices = make_buffer(demo, indices, count * sizeof(*indices));
   free(indices);
}

/* ---- the scene ----------------------------------------------------------- */

/* Where the eye is: all that moves from one picture to the next, and it does so
 * in the constants alone. */
static struct vec3
eye_position(float turn)
{
   const struct vec3 start = {2.1f, 3.5f, 6.2f};
   const float angle = turn * 6.2831853f;
   const float c = cosf(angle), s = sinf(angle);
   return (struct vec3){start.x * c + start.z * s, start.y,
                        start.z * c - start.x * s};
}

static void
make_constants(struct demo *demo, struct model *model)
{
   const struct surface *surface = model->surface;
   const struct vec3 eye = eye_position(demo->turn), target = {0, 1.75f, 0};
   const struct mat4 view = mat4_look_at(eye, target);
   const struct vertex_constants vertex = {
      .model_view = view,
      .normal_matrix = mat4_without_translation(view),
      .projection = mat4_perspective(0.40f, (float)WIDTH / HEIGHT, 0.5f, 60.0f),
      .relief_scale = {surface->height},
   };
   const struct fragment_constants fragment = {
      .ambient = {1, 1, 1, 1},
      .diffuse = {1, 1, 1, 1},
      .specular = {1, 0.93f, 0.8f, 1},
      .shininess = {38},
      .opacity = {1},
      .normal_scale = {1},
      .repeat = {surface->repeat[0], surface->repeat[1]},
      .ambient_light = {0.19f, 0.23f, 0.31f, 1},
      .view = view,
      .light_color = {1.95f, 1.85f, 1.7f, 1},
      .light_position = {light_position.x, light_position.y, light_position.z,
                         1},
      .light_reach = {15},
   };
   model->vertex_constants = make_buffer(demo, &vertex, sizeof(vertex));
   model->fragment_constants = make_buffer(demo, &fragment, sizeof(fragment));
}

/* ---- bindings ------------------------------------------------------------ */

static void
bind_texture(struct demo *demo, struct tg_bindings *bindings, unsigned place,
             struct tg_resource *texture, enum tg_mip_filter mip_filter)
{
   const struct tg_view_desc all = tg_view_desc_of(texture);
   const struct tg_sampler_desc desc = {
      .size = sizeof(desc),
      .min_filter = TG_FILTER_LINEAR,
      .mag_filter = TG_FILTER_LINEAR,
      .mip_filter = (uint8_t)mip_filter,
      .max_lod = 16,
   };
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;
   check(demo, tg_view_create(NULL, &all, demo->diagnostics, &view));
   check(demo, tg_sampler_create(NULL, &desc, demo->diagnostics, &sampler));
   check(demo, tg_bindings_set_view(bindings, place, view, demo->diagnostics));
   check(demo,
         tg_bindings_set_sampler(bindings, place, sampler, demo->diagnostics));
   tg_sampler_destroy(sampler);
   tg_view_destroy(view);
}

static struct tg_bindings *
make_bindings(struct demo *demo, struct tg_resource *constants)
{
   const uint32_t size = tg_resource_get_desc(constants)->width;
   struct tg_bindings *bindings = NULL;
   check(demo, tg_bindings_create(NULL, &bindings));
   check(demo, tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 0,
                                      constants, 0, size, demo->diagnostics));
   return bindings;
}

static void
bind_model(struct demo *demo, struct model *model)
{
   struct tg_bindings *vertex = make_bindings(demo, model->vertex_constants);
   struct tg_bindings *fragment =
      make_bindings(demo, model->fragment_constants);
   struct tg_resource *const mipmapped[] = {model->high, model->low,
                                            model->normals, model->gloss};
   bind_texture(demo, vertex, 0, model->vertex_normals, TG_MIP_NONE);
   bind_texture(demo, vertex, 1, model->relief, TG_MIP_NONE);
   for (unsigned i = 0; i < 4; i++)
      bind_texture(demo, fragment, i, mipmapped[i], TG_MIP_LINEAR);
   bind_texture(demo, fragment, 4, model->relief, TG_MIP_NONE);
   model->bindings[0] = vertex;
   model->bindings[1] = fragment;
}

static void
make_model(struct demo *demo, const struct surface *surface,
           struct model *model)
{
   const uint32_t width = surface->width, height = surface->height_map;
   const uint32_t size = surface->detail_size;
   const enum tg_format floats = TG_FORMAT_R32G32B32A32_FLOAT;
   const enum tg_format bytes = TG_FORMAT_R8G8B8A8_UNORM;
   *model = (struct model){.surface = surface};
   make_vertices(demo, model);
   make_indices(demo, model);
   make_constants(demo, model);
   model->vertex_normals =
      make_texture(demo, surface, floats, width, height, vertex_normal_texel);
   model->relief =
      make_texture(demo, surface, floats, width, height, relief_texel);
   model->high = make_texture(demo, surface, bytes, size, size, high_texel);
   model->low = make_texture(demo, surface, bytes, size, size, low_texel);
   model->normals = make_texture(demo, surface, bytes, size, size, grain_texel);
   model->gloss = make_texture(demo, surface, bytes, size, size, gloss_texel);
   bind_model(demo, model);
}

static void
load_shader(struct demo *demo, unsigned i, const char *path)
{
   static char text[1 << 16];
   FILE *file = fopen(path, "rb");
   if (!file) {
      perror(path);
      exit(EXIT_FAILURE);
   }
   const size_t length = fread(text, 1, sizeof(text), file);
   fclose(file);
   check(demo, tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019,
                               demo->diagnostics, &demo->source[i]));
   check(demo, tg_gpu_shader_create(demo->device, demo->source[i], NULL,
                                    demo->diagnostics, &demo->shader[i]));
}

static void
make_demo(struct demo *demo)
{
   demo->diagnostics = tg_diagnostics_create(NULL);
   check(demo, demo->diagnostics ? TG_OK : TG_ERROR_MEMORY);
   check(demo, tg_device_create(NULL, NULL, &demo->device));
   check(demo, tg_context_create(demo->device, NULL, &demo->gpu));
   load_shader(demo, 0, DEMO_FOLDER "/relief.vert.tgsi");
   load_shader(demo, 1, DEMO_FOLDER "/relief.frag.tgsi");
   demo->color = make_resource(demo, &(struct tg_resource_desc){
                                        .size = sizeof(struct tg_resource_desc),
                                        .target = TG_TEXTURE_2D,
                                        .format = TG_FORMAT_R8G8B8A8_UNORM,
                                        .width = WIDTH * SAMPLES,
                                        .height = HEIGHT * SAMPLES,
                                        .last_level = SAMPLES - 1,
                                     });
   demo->depth = make_resource(demo, &(struct tg_resource_desc){
                                        .size = sizeof(struct tg_resource_desc),
                                        .target = TG_TEXTURE_2D,
                                        .format = TG_FORMAT_Z32_FLOAT,
                                        .width = WIDTH * SAMPLES,
                                        .height = HEIGHT * SAMPLES,
                                     });
   surfaces_prepare();
   make_model(demo, &knot_surface, &demo->models[0]);
   make_model(demo, &floor_surface, &demo->models[1]);
}

static void
destroy_demo(struct demo *demo)
{
   for (int i = 0; i < 2; i++) {
      const struct model *model = &demo->models[i];
      tg_bindings_destroy(model->bindings[0]);
      tg_bindings_destroy(model->bindings[1]);
      struct tg_resource *const resources[] = {
         model->vertices,
         model->indices,
         model->vertex_constants,
         model->fragment_constants,
         model->vertex_normals,
         model->relief,
         model->high,
         model->low,
         model->normals,
         model->gloss,
      };
      for (size_t j = 0; j < sizeof(resources) / sizeof(*resources); j++)
         tg_resource_destroy(resources[j]);
      tg_gpu_shader_destroy(demo->shader[i]);
      tg_shader_destroy(demo->source[i]);
   }
   tg_resource_destroy(demo->color);
   tg_resource_destroy(demo->depth);
   tg_context_destroy(demo->gpu);
   tg_device_destroy(demo->device);
   tg_diagnostics_destroy(demo->diagnostics);
}

/* ---- drawing ------------------------------------------------------------- */

/* The state objects that all models are drawn with. */
static void
bind_objects(struct demo *demo)
{
   struct tg_context *gpu = demo->gpu;
   struct tg_device *device = tg_context_get_device(gpu);
   struct tg_rasterizer_state rasterizer_state = TG_RASTERIZER_INIT;
   const struct tg_depth_stencil_alpha_state test = {
      .size = sizeof(test),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_LESS,
   };
   const struct tg_vertex_element elements[4] = {
      {.src_offset = offsetof(struct vertex, position),
       .format = TG_FORMAT_R32G32B32_FLOAT},
      {.src_offset = offsetof(struct vertex, normal),
       .format = TG_FORMAT_R32G32B32_FLOAT},
      {.src_offset = offsetof(struct vertex, tangent),
       .format = TG_FORMAT_R32G32B32_FLOAT},
      {.src_offset = offsetof(struct vertex, uv),
       .format = TG_FORMAT_R32G32_FLOAT},
   };
   struct tg_diagnostics *said = demo->diagnostics;
   struct tg_rasterizer *rasterizer;
   struct tg_depth_stencil_alpha *tests;
   struct tg_vertex_elements *inputs;
   rasterizer_state.cull_face = TG_FACE_BACK;
   rasterizer_state.front_ccw = false;
   check(demo,
         tg_rasterizer_create(device, &rasterizer_state, said, &rasterizer));
   check(demo, tg_depth_stencil_alpha_create(device, &test, said, &tests));
   check(demo, tg_vertex_elements_create(device, 4, elements, said, &inputs));
   check(demo, tg_context_bind_rasterizer(gpu, rasterizer, said));
   check(demo, tg_context_bind_depth_stencil_alpha(gpu, tests, said));
   check(demo, tg_context_bind_vertex_elements(gpu, inputs, said));
   tg_rasterizer_destroy(rasterizer);
   tg_depth_stencil_alpha_destroy(tests);
   tg_vertex_elements_destroy(inputs);
}

/* The state that all models are drawn with. */
static void
set_state(struct demo *demo)
{
   struct tg_context *gpu = demo->gpu;
   const struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = WIDTH * SAMPLES,
      .height = HEIGHT * SAMPLES,
      .num_colors = 1,
      .colors = {{.resource = demo->color}},
      .depth_stencil = {.resource = demo->depth},
   };
   const struct tg_viewport viewport =
      tg_viewport_of(WIDTH * SAMPLES, HEIGHT * SAMPLES, true, false);
   struct tg_diagnostics *said = demo->diagnostics;
   bind_objects(demo);
   check(demo,
         tg_context_set_shader(gpu, TG_GPU_VERTEX, demo->shader[0], said));
   check(demo,
         tg_context_set_shader(gpu, TG_GPU_FRAGMENT, demo->shader[1], said));
   check(demo, tg_context_set_framebuffer(gpu, &framebuffer, said));
   check(demo, tg_context_set_viewports(gpu, 0, 1, &viewport, said));
}

static void
draw_model(struct demo *demo, const struct model *model)
{
   const struct tg_vertex_buffer vertices = {
      .buffer = model->vertices,
      .stride = sizeof(struct vertex),
   };
   const struct tg_draw_range range = {.count = model->num_indices};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.index_size = 4;
   info.index_buffer = model->indices;
   info.draws = &range;
   tg_context_set_bindings(demo->gpu, TG_GPU_VERTEX, model->bindings[0]);
   tg_context_set_bindings(demo->gpu, TG_GPU_FRAGMENT, model->bindings[1]);
   check(demo, tg_context_set_vertex_buffers(demo->gpu, 0, 1, &vertices,
                                             demo->diagnostics));
   check(demo, tg_context_draw(demo->gpu, &info, demo->diagnostics));
}

static void
draw(struct demo *demo)
{
   const union tg_color background = {.f = {0.012f, 0.016f, 0.024f, 1}};
   set_state(demo);
   check(demo, tg_context_clear(demo->gpu, TG_CLEAR_ALL, NULL, &background, 1.0,
                                0, demo->diagnostics));
   for (int i = 0; i < 2; i++)
      draw_model(demo, &demo->models[i]);
   check(demo, tg_context_finish(demo->gpu, demo->diagnostics));
   check(demo, tg_resource_generate_mipmaps(demo->color));
}

int
main(int argc, char **argv)
{
   if (argc != 2 && argc != 3) {
      fprintf(stderr, "usage: demo OUT.png [TURN]\n");
      return 2;
   }
   static struct demo demo;
   demo.turn = argc == 3 ? strtof(argv[2], NULL) : 0;
   const double start = seconds();
   make_demo(&demo);
   const double made = seconds();
   draw(&demo);
   const double drawn = seconds();

   static uint32_t pixels[WIDTH * HEIGHT];
   const struct tg_box picture = {.width = WIDTH, .height = HEIGHT, .depth = 1};
   check(&demo,
         tg_resource_read(demo.color, SAMPLES - 1, 0, &picture, pixels, 0, 0));
   write_picture(argv[1], pixels, WIDTH, HEIGHT);
   struct tg_context_statistics statistics = TG_CONTEXT_STATISTICS_INIT;
   tg_context_get_statistics(demo.gpu, &statistics);
   printf("%s: %u x %u, %u x %u samples a pixel\n", argv[1], (unsigned)WIDTH,
          (unsigned)HEIGHT, (unsigned)SAMPLES, (unsigned)SAMPLES);
   printf("%u triangles, %llu of them seen, %llu vertices, %llu fragments\n",
          (demo.models[0].num_indices + demo.models[1].num_indices) / 3,
          (unsigned long long)statistics.triangles,
          (unsigned long long)statistics.pipeline.vs_invocations,
          (unsigned long long)statistics.fragments);
   printf("scene made in %.2f s, drawn in %.2f s\n", made - start,
          drawn - made);
   destroy_demo(&demo);
   return 0;
}
