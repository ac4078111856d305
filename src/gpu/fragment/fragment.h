/* SPDX-License-Identifier: MIT
 *
 * The fragment stage: interpolation, the shader, depth test and output, run on
 * waves of four quads of one shape.
 */
#ifndef TG_GPU_FRAGMENT_H
#define TG_GPU_FRAGMENT_H

#include <assert.h>
#include <string.h>

#include "gpu/core/counters.h"
#include "gpu/fragment/fragment_kernel.h"
#include "gpu/raster/hiz.h"
#include "gpu/raster/raster.h"
#include "gpu/raster/shape.h"
#include "gpu/state/stage.h"
#include "util/arena.h"

/* Everything that shading the fragments of a draw takes, and of those after it
 * for which nothing of this changes. It belongs to a scene and does not change.
 * It has references on the shader and what is bound, which
 * gpu_fragment_draw_drop() gives back. */
struct gpu_fragment_draw {
   struct tg_gpu_shader *shader;
   /* By the kind of shape; NULL: the draw makes no such shapes. */
   const struct exec_kernel *kernel[GPU_NUM_SHAPE_KINDS];
   struct gpu_raster raster;
   struct resource_snapshot bound;
   uint32_t frame[GPU_FRAME_WORDS];
   struct exec_memory surfaces[GPU_NUM_SURFACE_BINDINGS];
   uint32_t words_per_shape;
   uint8_t num_samples; /* of a pixel that are shaded by themselves, or 1 */
   uint8_t one_color;   /* bit n: colour n has a plane of ONE_COLOR */
   bool tells_samples;  /* see gpu_fragment_tells_samples() */
   struct gpu_hiz_mode hiz;
   struct tg_pixel_counters pixels;
   bool is_sequential;  /* fragments write memory */
   struct check *check; /* or NULL */
   struct gpu_epoch *epoch;
};

/* The kernels of a context's last draw. They are those of the next one unless
 * something has changed that their keys depend on: what is noted here is
 * compared, and who changes the other state clears `is_current`. That is the
 * shaders, blend, rasterizer, depth-stencil-alpha, framebuffer, min_samples. */
struct gpu_fragment_kernels {
   bool is_current;
   bool tells_cost;
   uint8_t num_corners;
   uint8_t one_color;
   struct abi_keys bound;   /* all of it, not what the shader sees */
   uint64_t keys_version;   /* of the bindings */
   const struct exec_kernel *kernel[GPU_NUM_SHAPE_KINDS];
   uint8_t num_samples;
   bool tells_samples;
};

/* What a draw's fragments are made from. */
struct gpu_fragment_source {
   const struct gpu_compiler *compiler;
   const struct gpu_state *state;
   const struct tg_pixel_counters *pixels;
   struct gpu_fragment_kernels *last;
   struct gpu_epoch *epoch;
};

/* Finds the kernels of a draw of primitives with so many corners, and takes a
 * copy of all else that it needs into the arena. Errors as of
 * tg_context_draw(). */
enum tg_result
gpu_fragment_draw_create(const struct gpu_fragment_source *source,
                         const struct gpu_interface *interface,
                         unsigned num_corners, struct tg_arena *arena,
                         struct tg_diagnostics *diagnostics,
                         struct gpu_fragment_draw **draw_out);

/* A copy for another scene, which goes on with the same check. */
enum tg_result
gpu_fragment_draw_copy(const struct gpu_fragment_draw *draw,
                       struct tg_arena *arena,
                       struct gpu_fragment_draw **draw_out);

/* Drops what gpu_fragment_draw_create() made: a function for gpu_scene_keep().
 */
void
gpu_fragment_draw_drop(void *draw);

/* Blocks that are run together at most: their inputs stay in the first cache.
 */
enum { GPU_MAX_ROUNDS = 16 };

/* What each worker has for itself. */
struct gpu_fragment_worker {
   struct gpu_worker *worker;
   const struct gpu_fragment_draw *draw;
   const struct exec_kernel *kernel;
   struct exec_memory constants[GPU_BINDING_VERTEX];
   struct gpu_hiz hiz; /* of the tile that is drawn */

   struct exec_wave wave;
   /* The wave that is being filled, quad by quad. */
   uint32_t num_quads;
   uint32_t live;
   uint32_t input[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   /* Those of whole blocks that wait to be run together. */
   uint32_t num_blocks;
   struct exec_round rounds[GPU_MAX_ROUNDS];
   uint32_t blocks[GPU_MAX_ROUNDS][GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   uint32_t output[GPU_FRAGMENT_OUTPUT_WORDS][LIR_LANES];
};

/* The fragment stage of a worker, made when it is first asked for; NULL, and a
 * fault, when out of memory. */
struct gpu_fragment_worker *
gpu_fragment_worker(struct gpu_worker *worker);

/* Begins a tile. Draws of other scenes are forgotten. */
void
gpu_fragment_begin_tile(struct gpu_fragment_worker *fragments,
                        const struct tg_framebuffer_state *framebuffer,
                        uint32_t x, uint32_t y);

/* Begins the shape that the quads to come belong to, with its constants. They
 * must stay until gpu_fragment_flush(). */
void
gpu_fragment_begin(struct gpu_fragment_worker *fragments,
                   const struct gpu_fragment_draw *draw,
                   const struct gpu_shape *shape, const uint32_t *constants);

/* The coverage of a quad's pixels, 16 bits each. */
static inline uint64_t
gpu_quad_coverage(const uint16_t coverage[GPU_BLOCK_PIXELS], unsigned quad)
{
   uint64_t bits;

   assert(quad < GPU_BLOCK_PIXELS / 4);
   memcpy(&bits, coverage + quad * 4, sizeof(bits));
   return bits;
}

/* Bit i: pixel i of a block is covered. A bit for each pixel of a quad is set
 * where its 16 bits have any, and the product moves the four next to each
 * other. */
static inline uint32_t
gpu_covered_pixels(const uint16_t coverage[GPU_BLOCK_PIXELS])
{
   const uint64_t low = UINT64_C(0x7fff7fff7fff7fff);
   uint32_t covered = 0;

   for (unsigned i = 0; i < GPU_BLOCK_PIXELS / 4; i++) {
      const uint64_t quad = gpu_quad_coverage(coverage, i);
      const uint64_t any = (((quad & low) + low) | quad) & ~low;
      const uint64_t bits = (any >> 15) * UINT64_C(0x0001000200040008) >> 48;

      covered |= (uint32_t)(bits & 0xf) << i * 4;
   }
   return covered;
}

/* A block of the shape. One of which each quad is covered is a wave; the quads
 * of others wait until they are enough for one. `live` is
 * gpu_covered_pixels(). */
void
gpu_fragment_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                   const uint16_t coverage[GPU_BLOCK_PIXELS], uint32_t live);

/* A square of the shape whose pixels all have this coverage, which is not 0.
 * `size` is a multiple of GPU_BLOCK_SIZE. */
void
gpu_fragment_square(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                    int32_t size, uint16_t coverage);

/* Runs what has not run yet. To be called after the quads of a shape. */
void
gpu_fragment_flush(struct gpu_fragment_worker *fragments);

#endif
