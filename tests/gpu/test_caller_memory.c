/* SPDX-License-Identifier: MIT
 *
 * Draws to and from memory of the caller: the same pixels, row by row as its
 * stride says; and with another process that writes there meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipe.h"

enum { WIDTH = 70, HEIGHT = 50, STRIDE = 80, NUM_TRIANGLES = 40 };

static const struct pipe_vertex *
vertices(void)
{
   static struct pipe_vertex made[NUM_TRIANGLES * 3];
   uint32_t seed = 5;

   for (unsigned i = 0; i < NUM_TRIANGLES * 3; i++) {
      for (unsigned c = 0; c < 4; c++) {
         seed = seed * 1664525 + 1013904223;
         const float number = (float)(seed >> 8) / 8388608.0f - 1.0f;

         made[i].position[c] = c == 3 ? 1.0f : number;
         made[i].attribute[c] = number;
      }
   }
   return made;
}

/* Keeps it as the pipe's, which destroys it. */
static struct tg_resource *
borrow(struct pipe *pipe, const struct tg_resource_desc *desc, void *address,
       size_t num_bytes, uint64_t row_stride)
{
   const struct tg_resource_memory memory = {
      .size = sizeof(memory),
      .address = address,
      .num_bytes = num_bytes,
      .row_stride = row_stride,
   };
   struct tg_resource **resource = &pipe->resources[pipe->num_resources++];

   assert_int_equal(tg_resource_create_from_memory(NULL, desc, &memory,
                                                   pipe->diagnostics, resource),
                    TG_OK);
   return *resource;
}

static struct tg_resource_desc
buffer_desc(size_t num_bytes)
{
   return (struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc),
      .target = TG_TEXTURE_BUFFER,
      .width = (uint32_t)num_bytes,
   };
}

static void
attachments_may_have_gaps(void **state)
{
   static uint32_t pixels[STRIDE * HEIGHT][4], depths[STRIDE * HEIGHT];
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R32G32B32A32_FLOAT,
      .width = WIDTH,
      .height = HEIGHT,
   };
   struct pipe pipe;
   (void)state;

   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_perspective_shader);
   pipe.state.depth.depth_enabled = pipe.state.depth.depth_writemask = true;
   pipe.state.depth.depth_func = TG_COMPARE_GREATER;
   pipe_set_vertices(&pipe, vertices(), NUM_TRIANGLES * 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, NUM_TRIANGLES * 3),
                    TG_OK);

   memset(pixels, 0xee, sizeof(pixels));
   for (uint32_t y = 0; y < HEIGHT; y++)
      memset(pixels[y * STRIDE], 0, WIDTH * sizeof(*pixels));
   struct tg_resource *color =
      borrow(&pipe, &desc, pixels, sizeof(pixels), STRIDE * sizeof(*pixels));
   desc.format = TG_FORMAT_Z32_FLOAT;
   struct tg_resource *depth =
      borrow(&pipe, &desc, depths, sizeof(depths), STRIDE * sizeof(*depths));
   pipe.state.framebuffer.colors[0] = tg_surface_of(color);
   pipe.state.framebuffer.depth_stencil = tg_surface_of(depth);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, NUM_TRIANGLES * 3),
                    TG_OK);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++)
         assert_memory_equal(pixels[y * STRIDE + x], pipe_pixel(&pipe, x, y),
                             sizeof(*pixels));
      for (uint32_t x = WIDTH; x < STRIDE; x++)
         assert_int_equal(pixels[y * STRIDE + x][0], 0xeeeeeeee);
   }
   pipe_finish(&pipe);
}

/* ---- another process ----------------------------------------------------- */

/* What both see: all that decides what a draw does. */
struct common {
   uint32_t indices[256];
   uint32_t indirect[4][5];
   uint32_t count;
   uint32_t constants[64];
   uint32_t texels[16 * 16];
   struct pipe_vertex vertices[64];
   uint32_t depths[32 * 32];
   uint32_t pixels[32 * 32][4];
};

/* Anything, but counts of vertices and instances that end before long; while
 * the test is there. */
static void
scribble(volatile struct common *common, pid_t parent)
{
   const size_t first = offsetof(struct common, indirect) / 4;
   const size_t end = first + sizeof(common->indirect) / 4;
   volatile uint32_t *words = (volatile uint32_t *)common;
   uint32_t seed = 3;

   while (getppid() == parent) {
      for (size_t i = 0; i < sizeof(*common) / 4; i++) {
         seed = seed * 1664525 + 1013904223;
         const uint32_t word = seed >> (seed & 31);

         if (i < first || i >= end)
            words[i] = word;
         else
            words[i] = word & ((i - first) % 5 == 1 ? 3 : 255);
      }
   }
   _exit(0);
}

static const char hostile_shader[] = "FRAG\n"
                                     "DCL OUT[0], COLOR\n"
                                     "DCL SAMP[0]\n"
                                     "DCL SVIEW[0], 2D, FLOAT\n"
                                     "DCL CONST[0][0..15]\n"
                                     "DCL TEMP[0..1]\n"
                                     "DCL ADDR[0]\n"
                                     "UARL ADDR[0].x, CONST[0][0].xxxx\n"
                                     "MOV TEMP[0], CONST[0][ADDR[0].x]\n"
                                     "TEX TEMP[1], TEMP[0], SAMP[0], 2D\n"
                                     "TXF TEMP[0], TEMP[0], SAMP[0], 2D\n"
                                     "ADD OUT[0], TEMP[0], TEMP[1]\n"
                                     "END\n";

static void
draw_from(struct pipe *pipe, struct common *common)
{
   const struct tg_resource_desc texture = {
      .size = sizeof(texture),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .width = 16,
      .height = 16,
   };
   struct tg_resource_desc target = texture;
   struct tg_resource_desc desc = buffer_desc(sizeof(common->indices));
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.index_size = 4;
   info.index_buffer =
      borrow(pipe, &desc, common->indices, sizeof(common->indices), 0);
   desc = buffer_desc(sizeof(common->indirect));
   info.indirect =
      borrow(pipe, &desc, common->indirect, sizeof(common->indirect), 0);
   desc = buffer_desc(sizeof(common->count));
   info.indirect_count =
      borrow(pipe, &desc, &common->count, sizeof(common->count), 0);
   info.num_draws = 4;
   info.indirect_stride = sizeof(common->indirect[0]);
   desc = buffer_desc(sizeof(common->constants));
   pipe_set_constants(
      pipe, 0,
      borrow(pipe, &desc, common->constants, sizeof(common->constants), 0));
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   pipe_set_texture(
      pipe, 0,
      borrow(pipe, &texture, common->texels, sizeof(common->texels), 0),
      &sampler);
   desc = buffer_desc(sizeof(common->vertices));
   pipe->state.vertices.buffer =
      borrow(pipe, &desc, common->vertices, sizeof(common->vertices), 0);
   target.width = target.height = 32;
   target.format = TG_FORMAT_R32G32B32A32_FLOAT;
   pipe->state.framebuffer.colors[0] = tg_surface_of(
      borrow(pipe, &target, common->pixels, sizeof(common->pixels), 0));
   target.format = TG_FORMAT_Z32_FLOAT;
   pipe->state.framebuffer.depth_stencil = tg_surface_of(
      borrow(pipe, &target, common->depths, sizeof(common->depths), 0));
   pipe->state.depth.depth_enabled = pipe->state.depth.depth_writemask = true;
   pipe->state.depth.depth_func = TG_COMPARE_LEQUAL;
   for (unsigned i = 0; i < 400; i++)
      assert_int_equal(pipe_draw_info(pipe, &info, 0), TG_OK);
}

/* Whatever is there, draws end well and stay in the memory that there is. */
static void
another_process_may_write(void **state)
{
   struct common *common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   struct pipe pipe;
   (void)state;

   assert_ptr_not_equal(common, MAP_FAILED);
   const pid_t parent = getpid(), child = fork();
   assert_true(child >= 0);
   if (child == 0)
      scribble(common, parent);
   const volatile uint32_t *last = &common->pixels[32 * 32 - 1][3];
   while (!*last)
      usleep(100);
   pipe_init(&pipe, 32, 32, pipe_vertex_shader, hostile_shader);
   draw_from(&pipe, common);
   pipe_finish(&pipe);
   assert_int_equal(kill(child, SIGKILL), 0);
   assert_int_equal(waitpid(child, NULL, 0), child);
   munmap(common, sizeof(*common));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(attachments_may_have_gaps),
      cmocka_unit_test(another_process_may_write),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
