/* SPDX-License-Identifier: MIT
 *
 * The fragment stage: interpolation, the shader, depth test and output, run on
 * waves of four quads.
 */
#ifndef TG_GPU_FRAGMENT_H
#define TG_GPU_FRAGMENT_H

#include <assert.h>
#include <string.h>

#include "gpu/core/counters.h"
#include "gpu/fragment/copy.h"
#include "gpu/fragment/fragment_kernel.h"
#include "gpu/fragment/solid.h"
#include "gpu/raster/fast_clear.h"
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
   bool tells_samples;  /* see gpu_fragment_kernel_tells_samples() */
   bool may_be_solid;   /* polygons; see gpu_solid_is_possible(), with: */
   uint8_t solid_colors;
   struct gpu_copy copy; /* of polygons */
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
   struct abi_keys bound; /* all of it, not what the shader sees */
   uint64_t keys_version; /* of the bindings */
   const struct exec_kernel *kernel[GPU_NUM_SHAPE_KINDS];
   uint8_t num_samples;
   bool tells_samples;
   bool may_be_solid;
   uint8_t solid_colors;
   struct gpu_copy copy;
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

enum {
   GPU_MAX_ROUNDS = 16, /* that are run together at most */
   /* Rows of shape words of all of these, for two shapes at the least. */
   GPU_SHAPE_ROWS = 2048,
   GPU_NO_WAVE = GPU_MAX_ROUNDS,
   GPU_TILE_BLOCKS = GPU_TILE_SIZE / GPU_BLOCK_SIZE, /* each way */
};

_Static_assert(GPU_SHAPE_ROWS >= 2 * GPU_MAX_SHAPE_WORDS,
               "a wave of quads and the blocks after it");

/* Blocks of a tile, row by row. */
struct gpu_block_set {
   uint64_t bits[GPU_TILE_BLOCKS * GPU_TILE_BLOCKS / 64];
};

enum { GPU_WAVE_QUADS = LIR_LANES / 4 };

/* So that four can be stored from any one on. */
enum { GPU_QUADS_ROOM = 2 * GPU_WAVE_QUADS - 1 };

/* Quads of a wave: the first pixel of each, bits of the covered ones, the
 * sample where samples are shaded by themselves, and the constants of the
 * shape. */
struct gpu_quads {
   uint32_t x[GPU_QUADS_ROOM], y[GPU_QUADS_ROOM];
   uint32_t live[GPU_QUADS_ROOM], sample[GPU_QUADS_ROOM];
   const uint32_t *constants[GPU_QUADS_ROOM];
};

/* What each worker has for itself. Rows of lanes are aligned as the kernel loads
 * them. */
struct gpu_fragment_worker {
   struct gpu_worker *worker;
   void *block; /* of memory, that all of this is in */
   const struct gpu_fragment_draw *draw;
   const struct exec_kernel *kernel;
   /* First words of the fours of shape words of which the kernel loads some. */
   uint32_t num_fours;
   uint16_t fours[GPU_MAX_SHAPE_WORDS / 4];
   struct exec_memory constants[GPU_BINDING_VERTEX];
   struct gpu_hiz hiz;    /* of the tile that is drawn */
   struct gpu_fast_clears clears; /* likewise */
   const struct tg_framebuffer_state *framebuffer;
   int32_t width, height; /* of the framebuffer */
   bool has_one_sample;   /* the draw's coverage of a pixel is 1, or 0 */
   bool has_all_texels;   /* each lane of a quad of the tile may read its own */
   struct exec_wave wave;

   /* The constants of the shape at work, and the set of rows that has them in
    * all lanes, if there is one. */
   const uint32_t *constants_of_shape;
   uint32_t (*shared_set)[LIR_LANES];

   /* Of the shape at work; see gpu_solid_find(). */
   bool has_asked_for_solid, is_solid;
   struct gpu_solid solid;

   /* What waits to be run, in its order: waves, or several of blocks in a row;
    * and sets of rows that they use, of `words_per_shape` each. */
   uint32_t num_rounds;
   bool has_earlier; /* some are of shapes before the one at work */
   uint32_t num_sets, max_sets;
   struct exec_round rounds[GPU_MAX_ROUNDS];
   _Alignas(GPU_LANE_ALIGNMENT)
   uint32_t input[GPU_MAX_ROUNDS][GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   /* The same for waves of whole blocks, which have bases and coverage of their
    * own and else never change. */
   _Alignas(GPU_LANE_ALIGNMENT)
   uint32_t block_input[GPU_MAX_ROUNDS][GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   uint16_t block_coverage[GPU_MAX_ROUNDS];
   _Alignas(GPU_LANE_ALIGNMENT)
   uint32_t output[GPU_MAX_ROUNDS][GPU_FRAGMENT_OUTPUT_WORDS][LIR_LANES];
   uint32_t shape_rows[GPU_SHAPE_ROWS][LIR_LANES];

   /* The one of them that has room for quads, or GPU_NO_WAVE, with these. */
   uint32_t open;
   uint32_t num_quads;
   uint32_t num_others; /* the first ones, of shapes before the one at work */
   struct gpu_quads quads;

   /* Blocks that are waves after it: of the shape at work, and of those before
    * it. */
   bool has_own, has_later; /* else these have no meaning: */
   struct gpu_block_set own, later;
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

/* Goes on with another draw or kind of shapes, or with the next shape of a draw
 * whose fragments write memory: runs what waits. */
void
gpu_fragment_switch(struct gpu_fragment_worker *fragments,
                    const struct gpu_fragment_draw *draw,
                    enum gpu_shape_kind kind);

/* Blocks after the wave that has room are of shapes before the one at work. */
void
gpu_fragment_pass_on(struct gpu_fragment_worker *fragments);

/* Begins the shape that the quads to come belong to, with its constants. They
 * must stay until the next one begins. */
static inline void
gpu_fragment_begin(struct gpu_fragment_worker *fragments,
                   const struct gpu_fragment_draw *draw,
                   const struct gpu_shape *shape, const uint32_t *constants)
{
   const enum gpu_shape_kind kind = (enum gpu_shape_kind)shape->kind;
   if (fragments->draw != draw || draw->is_sequential ||
       fragments->kernel != draw->kernel[kind])
      gpu_fragment_switch(fragments, draw, kind);
   fragments->constants_of_shape = constants;
   fragments->shared_set = NULL;
   fragments->has_asked_for_solid =
      !draw->may_be_solid || kind != GPU_SHAPE_POLYGON;
   fragments->is_solid = false;
   fragments->has_earlier = fragments->num_rounds > 0;
   fragments->num_others = fragments->num_quads;
   if (fragments->has_own)
      gpu_fragment_pass_on(fragments);
}

/* The coverage of a quad's pixels, 16 bits each. */
static inline uint64_t
gpu_quad_coverage(const uint16_t coverage[GPU_BLOCK_PIXELS], unsigned quad)
{
   uint64_t bits;

   assert(quad < GPU_BLOCK_PIXELS / 4);
   memcpy(&bits, coverage + quad * 4, sizeof(bits));
   return bits;
}

/* Bit 4q is set for each quad q of a block that has a pixel of these. */
static inline uint32_t
gpu_quads_with_pixels(uint32_t live)
{
   const uint32_t pairs = live | live >> 1;
   return (pairs | pairs >> 2) & 0x1111;
}

/* How many these are. */
static inline uint32_t
gpu_num_quads(uint32_t live)
{
   return gpu_quads_with_pixels(live) * 0x1111 >> 12 & 0xf;
}

/* Up to GPU_MOST_BLOCKS blocks of the shape, with this coverage where they have
 * none for each pixel. One of which each quad is covered is a wave; the quads of
 * others wait until they are enough for one. No pixel of a shape may be in two
 * blocks. Returns how many quads have some coverage. */
uint32_t
gpu_fragment_blocks(struct gpu_fragment_worker *fragments,
                    const struct gpu_live_block *blocks, uint32_t num_blocks,
                    uint16_t coverage);

/* The same for one block, which may be any four quads. */
uint32_t
gpu_fragment_quads(struct gpu_fragment_worker *fragments,
                   const struct gpu_live_block *block, uint16_t coverage);

/* A rectangle of the shape whose pixels all have this coverage, which is not 0.
 * Its sides are multiples of GPU_BLOCK_SIZE. */
void
gpu_fragment_rectangle(struct gpu_fragment_worker *fragments, int32_t x,
                       int32_t y, int32_t width, int32_t height,
                       uint16_t coverage);

/* Rows of the words of the shape at work, in all lanes; they are there until
 * waves are run. */
uint32_t (*gpu_fragment_share_shape(
   struct gpu_fragment_worker *fragments))[LIR_LANES];

/* Stores what does not change of the input of a wave that is a whole block. */
void
gpu_fragment_init_block(uint32_t input[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES]);

/* Runs what has not run yet. To be called before anything looks at the surfaces
 * or the counters, and before the tile, the draw or the call ends. */
void
gpu_fragment_flush(struct gpu_fragment_worker *fragments);

#endif
