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
   ABI_MAX_CONST_BUFFERS = TG_MAX_CONSTANT_BUFFERS,
   ABI_MAX_VIEWS = TG_MAX_VIEWS,
   ABI_MAX_SAMPLERS = TG_MAX_SAMPLERS,
   ABI_MAX_IMAGES = TG_MAX_IMAGES,
   ABI_MAX_BUFFERS = TG_MAX_BUFFERS,
   ABI_MAX_COUNTERS = TG_MAX_COUNTER_BUFFERS, /* buffers of HWATOMIC */
   ABI_MAX_COLORS = TG_MAX_COLOR_BUFFERS,     /* of FBFETCH */
   ABI_MAX_LEVELS = TG_MAX_TEXTURE_LEVELS,    /* of a texture: 16384 to 1 */
};

/* ---- bindings of memory -------------------------------------------------- */

/* Descriptors of views are bound in chunks of as many. */
enum {
   ABI_CHUNK_VIEWS = 16,
   ABI_NUM_VIEW_CHUNKS = ABI_MAX_VIEWS / ABI_CHUNK_VIEWS,
};

/* Of LIR_SPACE_CONST, after the constant buffers 0 to 31. */
enum abi_const_binding {
   ABI_CONST_VIEWS = ABI_MAX_CONST_BUFFERS, /* descriptors, see below */
   ABI_CONST_SAMPLERS = ABI_CONST_VIEWS + ABI_NUM_VIEW_CHUNKS,
   ABI_CONST_IMAGES,
   ABI_CONST_TABLES, /* abi_tables, the same for all shaders */
   ABI_CONST_INPUT,  /* MEMORY, INPUT and RINPUT: arguments of a kernel */
   ABI_NUM_CONST_BINDINGS,
};

/* Of LIR_SPACE_TEXTURE: view v is binding v. Of LIR_SPACE_IMAGE: image i is
 * binding i, and so is a RES[i] that is neither a buffer nor a view of 2011; the
 * surface that FBFETCH reads as colour c is this and c. */
enum abi_image_binding {
   ABI_IMAGE_COLORS = ABI_MAX_IMAGES,
   ABI_NUM_IMAGE_BINDINGS = ABI_IMAGE_COLORS + ABI_MAX_COLORS,
};

/* Of LIR_SPACE_BUFFER: BUFFER[b], and a RES[b] that is RAW and BUFFER, is
 * binding b. */
enum abi_buffer_binding {
   ABI_BUFFER_COUNTERS = ABI_MAX_BUFFERS, /* HWATOMIC[b]: this and b */
   ABI_BUFFER_GLOBAL = ABI_BUFFER_COUNTERS + ABI_MAX_COUNTERS,
   ABI_NUM_BUFFER_BINDINGS,
};

/* Of LIR_SPACE_SHARED: MEMORY, SHARED and RLOCAL are binding 0. MEMORY, PRIVATE
 * and RPRIVATE are a LIR array, memory of each lane. */
enum abi_shared_binding {
   ABI_SHARED_PATCH = 1, /* the outputs of TESS_CTRL */
   ABI_NUM_SHARED_BINDINGS,
};

/* ---- keys ---------------------------------------------------------------- */

/* Keys have no padding: they are hashed and compared as bytes. All zero means
 * that nothing is bound. */

struct abi_view_key {
   uint16_t format;    /* enum tg_format, of the texels as they lie in memory */
   uint8_t target;     /* enum tg_target without SHADOW */
   uint8_t swizzle[4]; /* enum tg_swizzle */
   uint8_t is_depth;   /* a fixed-point depth: references are clamped */
};

_Static_assert(sizeof(struct abi_view_key) == 8, "no padding");

/* The enumerations are those of the public API, and Gallium's. */
enum {
   ABI_NUM_SWIZZLES = TG_SWIZZLE_1 + 1,
   ABI_NUM_WRAPS = TG_WRAP_MIRROR_CLAMP_TO_BORDER + 1,
   ABI_NUM_FILTERS = TG_FILTER_LINEAR + 1,
   ABI_NUM_MIP_FILTERS = TG_MIP_NONE + 1,
   ABI_NUM_COMPARES = TG_COMPARE_ALWAYS + 1,
};

struct abi_sampler_key {
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

struct abi_image_key {
   uint16_t format;          /* of the view, for instructions that name none */
   uint16_t resource_format; /* of the texels as they lie in memory */
   uint8_t target;           /* enum tg_target */
   uint8_t zero[3];
};

/* All that a shader's code may be specialised for. */
struct abi_keys {
   struct abi_view_key views[ABI_MAX_VIEWS];
   struct abi_sampler_key samplers[ABI_MAX_SAMPLERS];
   struct abi_image_key images[ABI_MAX_IMAGES];
   struct abi_image_key colors[ABI_MAX_COLORS]; /* FBFETCH */
};

/* The members of abi_keys, for kernels as text. */
extern const struct tg_member abi_key_members[];

struct tg_shader;

/* Finds what of the keys a shader's code can depend on: sets the bytes of what
 * a shader can see to 0xff and all others to 0. `uses` is that of its tg_info.
 * Handles see all of a kind. */
void
abi_find_seen_bindings(const struct tg_shader *shader, uint32_t uses,
                       struct abi_keys *seen_out);

/* Can a shader see a view, or an image, in this place? From ABI_IMAGE_COLORS on
 * these are what FBFETCH reads. */
static inline bool
abi_sees_view(const struct abi_keys *seen, unsigned place)
{
   return seen->views[place].target;
}

static inline bool
abi_sees_image(const struct abi_keys *seen, unsigned place)
{
   return place < ABI_IMAGE_COLORS
             ? seen->images[place].target
             : seen->colors[place - ABI_IMAGE_COLORS].target;
}

/* Clears the keys that a shader can not see, so that they make no other
 * variant. */
void
abi_mask_binding_keys(const struct abi_keys *restrict bound,
                      const struct abi_keys *restrict seen,
                      struct abi_keys *restrict keys_out);

/* ---- descriptors --------------------------------------------------------- */

/* Texels are counted in units of their format, 1, 2 or 4 bytes, which load8, 16
 * and 32 read; format/format.h says which. Texel (x, y) of slice z of a level,
 * sample s, begins at unit
 *   offset + z * slice_pitch + y * row_pitch + s * sample_pitch
 *          + x * units of a texel
 * Where a pixel has several samples they are tiled, as resource/layout.h has
 * it: column x adds
 *   ((x & ~3) * 4 + (x & 2) * 2 + (x & 1)) * units
 * and row y
 *   (y & ~3) * row_pitch + ((y & 2) * 4 + (y & 1) * 2) * units
 * A slice is a layer, a face (layer * 6 + face) or a depth. The offset already
 * leads to the view's first layer, and level 0 of the words is the view's first
 * level. */
enum { ABI_MICROTILE = 4 }; /* pixels each way */

enum abi_level_word {
   ABI_LEVEL_OFFSET,
   ABI_LEVEL_ROW_PITCH,
   ABI_LEVEL_SLICE_PITCH,
   ABI_LEVEL_WORDS,
};

/* The words of view v begin at word (v % ABI_CHUNK_VIEWS) * ABI_VIEW_WORDS
 * of CONST_VIEWS + v / ABI_CHUNK_VIEWS. What is missing at the end is not
 * bound, here and below. */
enum abi_view_word {
   ABI_VIEW_WIDTH, /* of the first level; of a BUFFER its elements */
   ABI_VIEW_HEIGHT,
   ABI_VIEW_DEPTH,
   ABI_VIEW_LAYERS,  /* faces count six times; 1 if there are no layers */
   ABI_VIEW_LEVELS,  /* last level - first level + 1 */
   ABI_VIEW_SAMPLES, /* at least 1 */
   ABI_VIEW_SAMPLE_PITCH,
   ABI_VIEW_LEVEL_WORDS, /* ABI_MAX_LEVELS times enum abi_level_word */
   ABI_VIEW_WORDS = ABI_VIEW_LEVEL_WORDS + ABI_MAX_LEVELS * ABI_LEVEL_WORDS,
};

/* Sampler s: word s * ABI_SAMPLER_WORDS of CONST_SAMPLERS. */
enum abi_sampler_word {
   ABI_SAMPLER_LOD_BIAS, /* floats */
   ABI_SAMPLER_MIN_LOD,
   ABI_SAMPLER_MAX_LOD,
   ABI_SAMPLER_BORDER, /* four words: floats, or integers by the view */
   ABI_SAMPLER_WORDS = ABI_SAMPLER_BORDER + 4,
};

/* Image i, or colour c as image ABI_IMAGE_COLORS + c: word i *
 * ABI_IMAGE_WORDS of CONST_IMAGES. Units are those of the key's
 * resource_format; that of a buffer is the format itself. */
enum abi_image_word {
   ABI_IMAGE_WIDTH, /* of the bound level */
   ABI_IMAGE_HEIGHT,
   ABI_IMAGE_DEPTH, /* depth or bound layers, whichever the target has */
   ABI_IMAGE_SAMPLES,
   ABI_IMAGE_OFFSET,
   ABI_IMAGE_ROW_PITCH,
   ABI_IMAGE_SLICE_PITCH,
   ABI_IMAGE_SAMPLE_PITCH,
   ABI_IMAGE_WORDS,
};

/* Where each kind begins in an array that has them all. */
enum abi_descriptor {
   ABI_VIEW_FIRST = 0,
   ABI_SAMPLER_FIRST = ABI_MAX_VIEWS * ABI_VIEW_WORDS,
   ABI_IMAGE_FIRST = ABI_SAMPLER_FIRST + ABI_MAX_SAMPLERS * ABI_SAMPLER_WORDS,
   ABI_DESCRIPTOR_WORDS =
      ABI_IMAGE_FIRST + ABI_NUM_IMAGE_BINDINGS * ABI_IMAGE_WORDS,
};

/* ---- handles ------------------------------------------------------------- */

/* The low word of a bindless handle; the high word is 0. A sampler handle
 * stands for view and sampler of one number. Anything else is unbound. */
enum abi_handle {
   ABI_HANDLE_SAMPLER = 0x10000, /* this and the number */
   ABI_HANDLE_IMAGE = 0x20000,
};

/* ---- tables -------------------------------------------------------------- */

/* Constant words that code looks things up in. */
enum abi_table {
   ABI_TABLE_SRGB = 0, /* format/srgb.h says what lies where */
   /* Where samples are, x and y in sixteenths of a pixel from its upper left:
    * sample i of n is entry n - 1 + i. */
   ABI_TABLE_POSITIONS = ABI_TABLE_SRGB + FORMAT_SRGB_WORDS,
   ABI_TABLE_WORDS = ABI_TABLE_POSITIONS + 31 * 2,
};

extern const uint32_t abi_tables[ABI_TABLE_WORDS];

#endif
