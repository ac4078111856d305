/* SPDX-License-Identifier: MIT
 *
 * False hazards: textures that are bound and that a draw's shaders do not
 * declare, as clients leave them there for later draws. Nothing waits for them,
 * they make no feedback loop, and they stay compressed. Each test also has a
 * shader that declares them, where all of this is otherwise.
 */
#include "pipe.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../bind.h"
#include "gpu/context/context.h"
#include "resource/resource.h"

enum { SIZE = 8 };

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}};

static const char sampling[] = "FRAG\n"
                               "DCL IN[0], GENERIC[0], CONSTANT\n"
                               "DCL OUT[0], COLOR\n"
                               "DCL SAMP[0]\n"
                               "DCL SVIEW[0], 2D, FLOAT\n"
                               "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                               "END\n";
static const char loading[] =
   "FRAG\n"
   "DCL IN[0], GENERIC[0], CONSTANT\n"
   "DCL OUT[0], COLOR\n"
   "DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT\n"
   "LOAD OUT[0], IMAGE[0], IN[0], 2D\n"
   "END\n";
static const char loading_samples[] =
   "FRAG\n"
   "DCL IN[0], GENERIC[0], CONSTANT\n"
   "DCL OUT[0], COLOR\n"
   "DCL IMAGE[0], 2D_MSAA, PIPE_FORMAT_R32G32B32A32_FLOAT\n"
   "LOAD OUT[0], IMAGE[0], IN[0], 2D_MSAA\n"
   "END\n";
static const char sampling_vertices[] = "VERT\n"
                                        "DCL IN[0]\n"
                                        "DCL OUT[0], POSITION\n"
                                        "DCL OUT[1], GENERIC[0]\n"
                                        "DCL SAMP[0]\n"
                                        "DCL SVIEW[0], 2D, FLOAT\n"
                                        "MOV OUT[0], IN[0]\n"
                                        "TXL OUT[1], IN[0], SAMP[0], 2D\n"
                                        "END\n";

/* Fragments that see nothing, a view, or an image. */
static const struct {
   const char *fragments;
   bool sees;
} shaders[] = {
   {pipe_constant_shader, false},
   {sampling, true},
   {loading, true},
};

static struct pipe pipe;

static void
begin(const char *vertices, const char *fragments)
{
   pipe_init_with(&pipe, 1, NULL, SIZE, SIZE, vertices, fragments);
   pipe_set_vertices(&pipe, whole, 3);
}

static struct tg_resource *
make_texture(void)
{
   return pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
}

/* As view 0 and image 0. */
static void
bind(struct tg_bindings *bindings, struct tg_resource *texture)
{
   const struct tg_view_desc view = tg_view_desc_of(texture);
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   const struct tg_image image = tg_image_of(texture);

   assert_int_equal(bind_view(bindings, 0, &view, pipe.diagnostics), TG_OK);
   assert_int_equal(bind_sampler(bindings, 0, &sampler, pipe.diagnostics),
                    TG_OK);
   assert_int_equal(
      tg_bindings_set_image(bindings, 0, &image, pipe.diagnostics), TG_OK);
}

static void
draw(uint32_t times)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   for (uint32_t i = 0; i < times; i++)
      assert_int_equal(tg_context_draw(pipe.gpu, &info, pipe.diagnostics),
                       TG_OK);
}

static void
end(void)
{
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   pipe_finish(&pipe);
}

/* Draws that read their target have a scene each, and the one tile of others is
 * drawn once. */
static void
targets_that_are_not_read(void **test)
{
   (void)test;
   for (size_t i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
      begin(pipe_vertex_shader, shaders[i].fragments);
      bind(pipe.fragment, pipe.color);
      draw(3);
      assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
      assert_int_equal(pipe_statistics(&pipe).tiles, shaders[i].sees ? 3 : 1);
      end();
   }
}

/* Who writes a texture waits for the draws that read it. */
static void
textures_that_are_not_busy(void **test)
{
   (void)test;
   for (size_t i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
      begin(pipe_vertex_shader, shaders[i].fragments);
      struct tg_resource *texture =
         pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
      bind(pipe.fragment, texture);
      draw(1);
      assert_true(tg_context_is_busy(pipe.gpu, texture, TG_ACCESS_WRITE) ==
                  shaders[i].sees);
      assert_false(tg_context_is_busy(pipe.gpu, texture, TG_ACCESS_READ));
      end();
   }
}

static void *
refuse(void *user, void *memory, size_t old_size, size_t new_size)
{
   (void)user, (void)memory, (void)old_size, (void)new_size;
   return NULL;
}

/* The list of what is read is full, and no memory is there for a longer one. */
static void
textures_without_memory(void **test)
{
   static const struct tg_allocator refusing = {.resize = refuse};
   (void)test;
   for (size_t i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
      const struct tg_draw_range range = {.count = 3};
      struct tg_draw_info info = TG_DRAW_INFO_INIT;

      begin(pipe_vertex_shader, shaders[i].fragments);
      bind(pipe.fragment, make_texture());
      draw(1);
      bind(pipe.fragment, make_texture());
      const struct tg_allocator *allocator = pipe.gpu->allocator;
      struct gpu_use_list *list = &pipe.gpu->busy.read;
      const uint32_t capacity = list->capacity;
      pipe.gpu->allocator = &refusing;
      list->capacity = list->count;
      info.draws = &range;
      assert_int_equal(tg_context_draw(pipe.gpu, &info, pipe.diagnostics),
                       shaders[i].sees ? TG_ERROR_MEMORY : TG_OK);
      pipe.gpu->allocator = allocator;
      list->capacity = capacity;
      end();
   }
}

/* Vertices wait for the draws that write what they sample. */
static void
vertices_that_do_not_wait(void **test)
{
   (void)test;
   for (unsigned sees = 0; sees < 2; sees++) {
      begin(sees ? sampling_vertices : pipe_vertex_shader,
            pipe_constant_shader);
      bind(pipe.vertex, pipe.color);
      draw(3);
      assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
      assert_int_equal(pipe_statistics(&pipe).tiles, sees ? 3 : 1);
      end();
   }
}

/* Pixels of one colour are stored in all samples for who reads these. */
static void
textures_that_stay_compressed(void **test)
{
   static const char *const texts[] = {pipe_constant_shader, sampling,
                                       loading_samples};
   (void)test;
   for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
      begin(pipe_vertex_shader, pipe_constant_shader);
      struct tg_resource_desc desc = pipe.color->desc;
      struct tg_resource **texture = &pipe.resources[pipe.num_resources++];
      desc.samples = 4;
      assert_int_equal(
         tg_resource_create(NULL, &desc, pipe.diagnostics, texture), TG_OK);
      const struct tg_surface single = pipe.state.framebuffer.colors[0];
      pipe.state.framebuffer.colors[0] = tg_surface_of(*texture);
      pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
      draw(1);
      assert_true(resource_is_compressed(*texture));

      pipe.state.framebuffer.colors[0] = single;
      pipe.state.fs = pipe_shader(&pipe, texts[i]);
      bind(pipe.fragment, *texture);
      draw(1);
      assert_true(resource_is_compressed(*texture) == (i == 0));
      end();
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(targets_that_are_not_read),
      cmocka_unit_test(textures_that_are_not_busy),
      cmocka_unit_test(textures_without_memory),
      cmocka_unit_test(vertices_that_do_not_wait),
      cmocka_unit_test(textures_that_stay_compressed),
   };
   return cmocka_run_group_tests_name("gpu: unseen", tests, NULL, NULL);
}
