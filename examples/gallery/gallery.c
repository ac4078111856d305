/* SPDX-License-Identifier: MIT
 *
 * What scenes share: making resources, shaders and bindings, setting the usual
 * state, and giving all of it back.
 */
#include "gallery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../picture.h"

enum { MAX_TEXT = 1 << 16 };

void
gallery_check(struct gallery *gallery, enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(gallery->diagnostics);
   fputs(text ? text : "", stderr);
   tg_string_free(text);
   fail("gallery", tg_result_name(result));
}

void
gallery_open(struct gallery *gallery, const char *folder, unsigned num_threads)
{
   gallery_open_on(gallery, folder, num_threads, NULL);
}

void
gallery_open_on(struct gallery *gallery, const char *folder,
                unsigned num_threads, const char *executor)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   options.num_threads = num_threads;
   options.executor = executor;
   *gallery = (struct gallery){
      .diagnostics = tg_diagnostics_create(NULL),
      .folder = folder,
   };
   if (!gallery->diagnostics)
      fail("gallery", "out of memory");
   gallery_check(gallery, tg_device_create(NULL, &options, &gallery->device));
   gallery_check(gallery,
                 tg_context_create(gallery->device, NULL, &gallery->gpu));
}

void
gallery_close(struct gallery *gallery)
{
   for (unsigned i = 0; i < gallery->num_shaders; i++)
      tg_gpu_shader_destroy(gallery->shaders[i]);
   tg_context_destroy(gallery->gpu);
   tg_device_destroy(gallery->device);
   for (unsigned i = 0; i < gallery->num_shaders; i++)
      tg_shader_destroy(gallery->sources[i]);
   for (unsigned i = 0; i < gallery->num_bindings; i++)
      tg_bindings_destroy(gallery->bindings[i]);
   for (unsigned i = 0; i < gallery->num_resources; i++)
      tg_resource_destroy(gallery->resources[i]);
   tg_diagnostics_destroy(gallery->diagnostics);
}

/* ---- objects ------------------------------------------------------------- */

/* The place of one object more. */
static unsigned
next_place(unsigned *count)
{
   if (*count == GALLERY_MAX_OBJECTS)
      fail("gallery", "too many objects");
   return (*count)++;
}

static struct tg_resource *
make_resource(struct gallery *gallery, const struct tg_resource_desc *desc)
{
   struct tg_resource *resource = NULL;

   gallery_check(
      gallery, tg_resource_create(NULL, desc, gallery->diagnostics, &resource));
   gallery->resources[next_place(&gallery->num_resources)] = resource;
   return resource;
}

struct tg_resource *
gallery_buffer(struct gallery *gallery, const void *data, size_t size)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = (uint32_t)size,
   };
   struct tg_resource *buffer = make_resource(gallery, &desc);

   if (data)
      memcpy(tg_resource_map_buffer(buffer), data, size);
   return buffer;
}

struct tg_resource *
gallery_target(struct gallery *gallery, const char *format, uint32_t width,
               uint32_t height, uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number(format),
      .width = width,
      .height = height,
      .samples = samples,
   };

   return make_resource(gallery, &desc);
}

struct tg_resource *
gallery_picture(struct gallery *gallery, const uint32_t *texels, uint32_t width,
                uint32_t height)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = width,
      .height = height,
      .last_level = tg_full_last_level(width, height, 1),
   };
   const struct tg_box box = {.width = width, .height = height, .depth = 1};
   struct tg_resource *picture = make_resource(gallery, &desc);

   gallery_check(gallery, tg_resource_write(picture, 0, 0, &box, texels, 0, 0));
   gallery_check(gallery, tg_resource_generate_mipmaps(picture));
   return picture;
}

struct tg_resource *
gallery_read_picture(struct gallery *gallery, const char *file)
{
   uint32_t width, height;
   uint32_t *texels = read_picture(data_path(file), &width, &height);
   struct tg_resource *picture =
      gallery_picture(gallery, texels, width, height);

   free(texels);
   return picture;
}

struct tg_gpu_shader *
gallery_shader(struct gallery *gallery, const char *file)
{
   static char text[MAX_TEXT];
   const unsigned place = next_place(&gallery->num_shaders);
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", gallery->folder, file);
   FILE *stream = fopen(path, "rb");
   if (!stream)
      fail(path, "cannot be read");
   const size_t length = fread(text, 1, sizeof(text), stream);
   fclose(stream);
   gallery_check(gallery, tg_shader_parse(NULL, path, text, length,
                                          TG_DIALECT_2019, gallery->diagnostics,
                                          &gallery->sources[place]));
   gallery_check(gallery, tg_gpu_shader_create(
                             gallery->device, gallery->sources[place], NULL,
                             gallery->diagnostics, &gallery->shaders[place]));
   return gallery->shaders[place];
}

struct tg_bindings *
gallery_bindings(struct gallery *gallery, const void *constants, size_t size)
{
   struct tg_bindings *bindings = NULL;

   gallery_check(gallery, tg_bindings_create(NULL, &bindings));
   gallery->bindings[next_place(&gallery->num_bindings)] = bindings;
   gallery_check(
      gallery, tg_bindings_set_buffer(bindings, TG_BUFFER_CONSTANT, 0,
                                      gallery_buffer(gallery, constants, size),
                                      0, (uint32_t)size, gallery->diagnostics));
   return bindings;
}

const struct tg_sampler_desc gallery_smooth = {
   .size = sizeof(gallery_smooth),
   .min_filter = TG_FILTER_LINEAR,
   .mag_filter = TG_FILTER_LINEAR,
   .mip_filter = TG_MIP_LINEAR,
   .max_lod = 1000,
};

const struct tg_sampler_desc gallery_exact = {
   .size = sizeof(gallery_exact),
   .wrap = {TG_WRAP_CLAMP_TO_EDGE, TG_WRAP_CLAMP_TO_EDGE,
            TG_WRAP_CLAMP_TO_EDGE},
   .mip_filter = TG_MIP_NONE,
   .max_lod = 1000,
};

void
gallery_bind(struct gallery *gallery, struct tg_bindings *bindings,
             unsigned place, struct tg_resource *texture,
             const struct tg_sampler_desc *desc)
{
   const struct tg_view_desc all = tg_view_desc_of(texture);
   struct tg_diagnostics *diagnostics = gallery->diagnostics;
   struct tg_view *view = NULL;
   struct tg_sampler *sampler = NULL;

   gallery_check(gallery, tg_view_create(NULL, &all, diagnostics, &view));
   gallery_check(gallery,
                 tg_bindings_set_view(bindings, place, view, diagnostics));
   gallery_check(gallery, tg_sampler_create(NULL, desc, diagnostics, &sampler));
   gallery_check(
      gallery, tg_bindings_set_sampler(bindings, place, sampler, diagnostics));
   tg_sampler_destroy(sampler);
   tg_view_destroy(view);
}

struct gallery_mesh
gallery_mesh(struct gallery *gallery, struct mesh *mesh)
{
   const struct gallery_mesh out = {
      .vertices = gallery_buffer(gallery, mesh->vertices,
                                 mesh->num_vertices * sizeof(*mesh->vertices)),
      .indices = gallery_buffer(gallery, mesh->indices,
                                mesh->num_indices * sizeof(*mesh->indices)),
      .num_indices = mesh->num_indices,
   };

   mesh_free(mesh);
   return out;
}

/* ---- state and draws ----------------------------------------------------- */

void
gallery_draw_to(struct gallery *gallery, unsigned num_colors,
                struct tg_resource *const *colors, struct tg_resource *depth)
{
   const struct tg_resource_desc *desc =
      tg_resource_get_desc(num_colors ? colors[0] : depth);
   const struct tg_viewport viewport =
      tg_viewport_of(desc->width, desc->height, true, false);
   struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = desc->width,
      .height = desc->height,
      .num_colors = num_colors,
      .depth_stencil = {.resource = depth},
   };

   for (unsigned i = 0; i < num_colors; i++)
      framebuffer.colors[i].resource = colors[i];
   gallery_check(gallery, tg_context_set_framebuffer(gallery->gpu, &framebuffer,
                                                     gallery->diagnostics));
   gallery_check(gallery,
                 tg_context_set_viewports(gallery->gpu, 0, 1, &viewport,
                                          gallery->diagnostics));
}

static void
set_shader(struct gallery *gallery, enum tg_gpu_stage stage,
           struct tg_gpu_shader *shader)
{
   gallery_check(gallery, tg_context_set_shader(gallery->gpu, stage, shader,
                                                gallery->diagnostics));
}

void
gallery_use(struct gallery *gallery, struct tg_gpu_shader *vertex,
            struct tg_gpu_shader *fragment)
{
   set_shader(gallery, TG_GPU_VERTEX, vertex);
   set_shader(gallery, TG_GPU_FRAGMENT, fragment);
   gallery_use_tessellation(gallery, NULL, NULL);
   gallery_use_geometry(gallery, NULL);
}

void
gallery_use_tessellation(struct gallery *gallery, struct tg_gpu_shader *control,
                         struct tg_gpu_shader *evaluation)
{
   set_shader(gallery, TG_GPU_TESS_CTRL, control);
   set_shader(gallery, TG_GPU_TESS_EVAL, evaluation);
}

void
gallery_use_geometry(struct gallery *gallery, struct tg_gpu_shader *geometry)
{
   set_shader(gallery, TG_GPU_GEOMETRY, geometry);
}

void
gallery_see(struct gallery *gallery, struct tg_bindings *vertex,
            struct tg_bindings *fragment)
{
   tg_context_set_bindings(gallery->gpu, TG_GPU_VERTEX, vertex);
   tg_context_set_bindings(gallery->gpu, TG_GPU_FRAGMENT, fragment);
}

void
gallery_test(struct gallery *gallery,
             const struct tg_depth_stencil_alpha_state *state)
{
   struct tg_device *device = tg_context_get_device(gallery->gpu);
   struct tg_depth_stencil_alpha *object;

   gallery_check(gallery, tg_depth_stencil_alpha_create(
                             device, state, gallery->diagnostics, &object));
   gallery_check(gallery, tg_context_bind_depth_stencil_alpha(
                             gallery->gpu, object, gallery->diagnostics));
   tg_depth_stencil_alpha_destroy(object);
}

void
gallery_test_depth(struct gallery *gallery, bool enabled)
{
   const struct tg_depth_stencil_alpha_state state = {
      .size = sizeof(state),
      .depth_enabled = enabled,
      .depth_writemask = enabled,
      .depth_func = TG_COMPARE_LESS,
   };

   gallery_test(gallery, &state);
}

void
gallery_blend_by(struct gallery *gallery, const struct tg_blend_state *state)
{
   struct tg_device *device = tg_context_get_device(gallery->gpu);
   struct tg_blend *object;

   gallery_check(gallery,
                 tg_blend_create(device, state, gallery->diagnostics, &object));
   gallery_check(gallery, tg_context_bind_blend(gallery->gpu, object,
                                                gallery->diagnostics));
   tg_blend_destroy(object);
}

void
gallery_blend(struct gallery *gallery, bool enabled)
{
   const struct tg_blend_state state = {
      .size = sizeof(state),
      .targets = {{
         .blend_enable = enabled,
         .rgb_src_factor = TG_BLEND_SRC_ALPHA,
         .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_INV_SRC_ALPHA,
         .colormask = TG_CHANNEL_RGBA,
      }},
   };

   gallery_blend_by(gallery, &state);
}

void
gallery_rasterize(struct gallery *gallery,
                  const struct tg_rasterizer_state *rasterizer)
{
   struct tg_device *device = tg_context_get_device(gallery->gpu);
   struct tg_rasterizer *object;

   gallery_check(gallery, tg_rasterizer_create(device, rasterizer,
                                               gallery->diagnostics, &object));
   gallery_check(gallery, tg_context_bind_rasterizer(gallery->gpu, object,
                                                     gallery->diagnostics));
   tg_rasterizer_destroy(object);
}

void
gallery_clear(struct gallery *gallery, const float color[4])
{
   union tg_color value;

   memcpy(value.f, color, sizeof(value.f));
   gallery_check(gallery,
                 tg_context_clear(gallery->gpu, TG_CLEAR_ALL, NULL, &value, 1.0,
                                  0, gallery->diagnostics));
}

static void
set_vertices(struct gallery *gallery, struct tg_resource *vertices)
{
   const uint32_t xyz = tg_format_number("R32G32B32_FLOAT");
   const struct tg_vertex_element elements[] = {
      {.src_offset = offsetof(struct mesh_vertex, position), .format = xyz},
      {.src_offset = offsetof(struct mesh_vertex, normal), .format = xyz},
      {.src_offset = offsetof(struct mesh_vertex, uv),
       .format = tg_format_number("R32G32_FLOAT")},
   };
   const struct tg_vertex_buffer buffer = {
      .buffer = vertices,
      .stride = sizeof(struct mesh_vertex),
   };
   const unsigned num_elements = sizeof(elements) / sizeof(*elements);

   struct tg_device *device = tg_context_get_device(gallery->gpu);
   struct tg_vertex_elements *object;

   gallery_check(gallery,
                 tg_vertex_elements_create(device, num_elements, elements,
                                           gallery->diagnostics, &object));
   gallery_check(gallery, tg_context_bind_vertex_elements(
                             gallery->gpu, object, gallery->diagnostics));
   tg_vertex_elements_destroy(object);
   gallery_check(gallery,
                 tg_context_set_vertex_buffers(gallery->gpu, 0, 1, &buffer,
                                               gallery->diagnostics));
}

void
gallery_draw(struct gallery *gallery, const struct gallery_mesh *mesh,
             enum tg_prim mode, unsigned patch_vertices)
{
   const struct tg_draw_range range = {.count = mesh->num_indices};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.mode = (uint8_t)mode;
   info.vertices_per_patch = (uint8_t)patch_vertices;
   info.index_size = 4;
   info.index_buffer = mesh->indices;
   info.draws = &range;
   set_vertices(gallery, mesh->vertices);
   gallery_check(gallery,
                 tg_context_draw(gallery->gpu, &info, gallery->diagnostics));
}

void
gallery_draw_all(struct gallery *gallery)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   gallery_check(gallery,
                 tg_context_draw(gallery->gpu, &info, gallery->diagnostics));
}

void *
gallery_allocate(size_t size)
{
   void *memory = calloc(1, size);

   if (!memory)
      fail("gallery", "out of memory");
   return memory;
}

uint32_t *
gallery_read(struct gallery *gallery, struct tg_resource *texture)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(texture);
   const struct tg_box box = {
      .width = desc->width,
      .height = desc->height,
      .depth = 1,
   };
   uint32_t *words = gallery_allocate((size_t)desc->width * desc->height * 4);

   gallery_check(gallery,
                 tg_context_finish(gallery->gpu, gallery->diagnostics));
   gallery_check(gallery, tg_resource_read(texture, 0, 0, &box, words, 0, 0));
   return words;
}
