/* SPDX-License-Identifier: MIT
 *
 * What a shader finds outside itself: textures, samplers, images and buffers.
 * Three things are said of each here: the key, which is what code is
 * specialised for; the words that describe it to that code, which are data, so
 * that a texture of another size runs the same code; and the binding of memory
 * in which its texels or bytes lie. Code and data agree through this file: the
 * emitters of src/lower read what src/resource fills in.
 */
#ifndef TG_ABI_BINDINGS_H
#define TG_ABI_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/srgb.h"
#include "tgsi/tables/tables.h"
#include "tungsten/resource.h"
#include "util/members.h"

enum {
   LOWER_MAX_CONST_BUFFERS = TG_MAX_CONSTANT_BUFFERS,
   LOWER_MAX_VIEWS = TG_MAX_VIEWS,
   LOWER_MAX_SAMPLERS = TG_MAX_SAMPLERS,
   LOWER_MAX_IMAGES = TG_MAX_IMAGES,
   LOWER_MAX_BUFFERS = TG_MAX_BUFFERS,
   LOWER_MAX_COUNTERS = TG_MAX_COUNTER_BUFFERS, /* buffers of HWATOMIC */
   LOWER_MAX_COLORS = TG_MAX_COLOR_BUFFERS,     /* of FBFETCH */
   LOWER_MAX_LEVELS = TG_MAX_TEXTURE_LEVELS,    /* of a texture: 16384 to 1 */
};

/* ---- bindings of memory -------------------------------------------------- */

/* Descriptors of views are bound in chunks of as many. */
enum {
   LOWER_CHUNK_VIEWS = 16,
   LOWER_NUM_VIEW_CHUNKS = LOWER_MAX_VIEWS / LOWER_CHUNK_VIEWS,
};

/* Of LIR_SPACE_CONST, after the constant buffers 0 to 31. */
enum lower_const_binding {
   LOWER_CONST_VIEWS = LOWER_MAX_CONST_BUFFERS, /* descriptors, see below */
   LOWER_CONST_SAMPLERS = LOWER_CONST_VIEWS + LOWER_NUM_VIEW_CHUNKS,
   LOWER_CONST_IMAGES,
   LOWER_CONST_TABLES, /* lower_tables, the same for all shaders */
   LOWER_CONST_INPUT,  /* MEMORY, INPUT and RINPUT: arguments of a kernel */
   LOWER_NUM_CONST_BINDINGS,
};

/* Of LIR_SPACE_TEXTURE: view v is binding v. Of LIR_SPACE_IMAGE: image i is
 * binding i, and so is a RES[i] that is neither a buffer nor a view of 2011; the
 * surface that FBFETCH reads as colour c is this and c. */
enum lower_image_binding {
   LOWER_IMAGE_COLORS = LOWER_MAX_IMAGES,
   LOWER_NUM_IMAGE_BINDINGS = LOWER_IMAGE_COLORS + LOWER_MAX_COLORS,
};

/* Of LIR_SPACE_BUFFER: BUFFER[b], and a RES[b] that is RAW and BUFFER, is
 * binding b. */
enum lower_buffer_binding {
   LOWER_BUFFER_COUNTERS = LOWER_MAX_BUFFERS, /* HWATOMIC[b]: this and b */
   LOWER_BUFFER_GLOBAL = LOWER_BUFFER_COUNTERS + LOWER_MAX_COUNTERS,
   LOWER_NUM_BUFFER_BINDINGS,
};

/* Of LIR_SPACE_SHARED: MEMORY, SHARED and RLOCAL are binding 0. MEMORY, PRIVATE
 * and RPRIVATE are a LIR array, memory of each lane. */
enum lower_shared_binding {
   LOWER_SHARED_PATCH = 1, /* the outputs of TESS_CTRL */
   LOWER_NUM_SHARED_BINDINGS,
};

/* ---- keys ---------------------------------------------------------------- */

/* Keys have no padding: they are hashed and compared as bytes. All zero means
 * that nothing is bound. */

struct lower_view_key {
   uint16_t format;    /* enum tg_format, of the texels as they lie in memory */
   uint8_t target;     /* enum tg_target without SHADOW */
   uint8_t swizzle[4]; /* enum tg_swizzle */
   uint8_t is_depth;   /* a fixed-point depth: references are clamped */
};

_Static_assert(sizeof(struct lower_view_key) == 8, "no padding");

/* The enumerations are those of the public API, and Gallium's. */
enum {
   LOWER_NUM_SWIZZLES = TG_SWIZZLE_1 + 1,
   LOWER_NUM_WRAPS = TG_WRAP_MIRROR_CLAMP_TO_BORDER + 1,
   LOWER_NUM_FILTERS = TG_FILTER_LINEAR + 1,
   LOWER_NUM_MIP_FILTERS = TG_MIP_NONE + 1,
   LOWER_NUM_COMPARES = TG_COMPARE_ALWAYS + 1,
};

struct lower_sampler_key {
   uint8_t is_bound;
   uint8_t wrap[3];                /* s, t, r: enum tg_wrap */
   uint8_t min_filter, mag_filter; /* enum tg_filter */
   uint8_t mip_filter;             /* enum tg_mip_filter */
   uint8_t compares;               /* shadow targets compare */
   uint8_t compare_func;           /* enum tg_compare: reference func texel */
   uint8_t max_anisotropy;         /* 0 or 1: none; at most 16 */
   uint8_t unnormalized;           /* coordinates are texels */
   uint8_t seamless_cube;
};

struct lower_image_key {
   uint16_t format;          /* of the view, for instructions that name none */
   uint16_t resource_format; /* of the texels as they lie in memory */
   uint8_t target;           /* enum tg_target */
   uint8_t zero[3];
};

/* All that a shader's code may be specialised for. */
struct lower_keys {
   struct lower_view_key views[LOWER_MAX_VIEWS];
   struct lower_sampler_key samplers[LOWER_MAX_SAMPLERS];
   struct lower_image_key images[LOWER_MAX_IMAGES];
   struct lower_image_key colors[LOWER_MAX_COLORS]; /* FBFETCH */
};

/* The members of lower_keys, for kernels as text. */
extern const struct tg_member lower_key_members[];

struct tg_shader;

/* Sets the bytes of what a shader can see to 0xff and all others to 0. `uses`
 * is that of its tg_info. Handles see all of a kind. */
void
lower_find_seen(const struct tg_shader *shader, uint32_t uses,
                struct lower_keys *seen_out);

/* What is bound of what is seen. */
void
lower_mask_keys(const struct lower_keys *bound, const struct lower_keys *seen,
                struct lower_keys *keys_out);

/* ---- descriptors --------------------------------------------------------- */

/* Texels are counted in units of their format, 1, 2 or 4 bytes, which load8, 16
 * and 32 read; format/format.h says which. Texel (x, y) of slice z of a level,
 * sample s, begins at unit
 *   offset + z * slice_pitch + y * row_pitch + s * sample_pitch
 *          + x * units of a texel
 * A slice is a layer, a face (layer * 6 + face) or a depth. The offset already
 * leads to the view's first layer, and level 0 of the words is the view's first
 * level. */
enum lower_level_word {
   LOWER_LEVEL_OFFSET,
   LOWER_LEVEL_ROW_PITCH,
   LOWER_LEVEL_SLICE_PITCH,
   LOWER_LEVEL_WORDS,
};

/* The words of view v begin at word (v % LOWER_CHUNK_VIEWS) * LOWER_VIEW_WORDS
 * of CONST_VIEWS + v / LOWER_CHUNK_VIEWS. What is missing at the end is not
 * bound, here and below. */
enum lower_view_word {
   LOWER_VIEW_WIDTH, /* of the first level; of a BUFFER its elements */
   LOWER_VIEW_HEIGHT,
   LOWER_VIEW_DEPTH,
   LOWER_VIEW_LAYERS,  /* faces count six times; 1 if there are no layers */
   LOWER_VIEW_LEVELS,  /* last level - first level + 1 */
   LOWER_VIEW_SAMPLES, /* at least 1 */
   LOWER_VIEW_SAMPLE_PITCH,
   LOWER_VIEW_LEVEL_WORDS, /* LOWER_MAX_LEVELS times enum lower_level_word */
   LOWER_VIEW_WORDS =
      LOWER_VIEW_LEVEL_WORDS + LOWER_MAX_LEVELS * LOWER_LEVEL_WORDS,
};

/* Sampler s: word s * LOWER_SAMPLER_WORDS of CONST_SAMPLERS. */
enum lower_sampler_word {
   LOWER_SAMPLER_LOD_BIAS, /* floats */
   LOWER_SAMPLER_MIN_LOD,
   LOWER_SAMPLER_MAX_LOD,
   LOWER_SAMPLER_BORDER, /* four words: floats, or integers by the view */
   LOWER_SAMPLER_WORDS = LOWER_SAMPLER_BORDER + 4,
};

/* Image i, or colour c as image LOWER_IMAGE_COLORS + c: word i *
 * LOWER_IMAGE_WORDS of CONST_IMAGES. Units are those of the key's
 * resource_format; that of a buffer is the format itself. */
enum lower_image_word {
   LOWER_IMAGE_WIDTH, /* of the bound level */
   LOWER_IMAGE_HEIGHT,
   LOWER_IMAGE_DEPTH, /* depth or bound layers, whichever the target has */
   LOWER_IMAGE_SAMPLES,
   LOWER_IMAGE_OFFSET,
   LOWER_IMAGE_ROW_PITCH,
   LOWER_IMAGE_SLICE_PITCH,
   LOWER_IMAGE_SAMPLE_PITCH,
   LOWER_IMAGE_WORDS,
};

/* Where each kind begins in an array that has them all. */
enum lower_descriptor {
   LOWER_VIEW_FIRST = 0,
   LOWER_SAMPLER_FIRST = LOWER_MAX_VIEWS * LOWER_VIEW_WORDS,
   LOWER_IMAGE_FIRST =
      LOWER_SAMPLER_FIRST + LOWER_MAX_SAMPLERS * LOWER_SAMPLER_WORDS,
   LOWER_DESCRIPTOR_WORDS =
      LOWER_IMAGE_FIRST + LOWER_NUM_IMAGE_BINDINGS * LOWER_IMAGE_WORDS,
};

/* ---- handles ------------------------------------------------------------- */

/* The low word of a bindless handle; the high word is 0. A sampler handle
 * stands for view and sampler of one number. Anything else is unbound. */
enum lower_handle {
   LOWER_HANDLE_SAMPLER = 0x10000, /* this and the number */
   LOWER_HANDLE_IMAGE = 0x20000,
};

/* ---- tables -------------------------------------------------------------- */

/* Constant words that code looks things up in. */
enum lower_table {
   LOWER_TABLE_SRGB = 0, /* format/srgb.h says what lies where */
   /* Where samples are, x and y in sixteenths of a pixel from its upper left:
    * sample i of n is entry n - 1 + i. */
   LOWER_TABLE_POSITIONS = LOWER_TABLE_SRGB + FORMAT_SRGB_WORDS,
   LOWER_TABLE_WORDS = LOWER_TABLE_POSITIONS + 31 * 2,
};

extern const uint32_t lower_tables[LOWER_TABLE_WORDS];

#endif
