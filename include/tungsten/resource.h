/* SPDX-License-Identifier: MIT
 *
 * Memory that shaders read and write: buffers, textures, how they are viewed,
 * and the set of them that a run or a dispatch sees. Names, numbers and
 * meanings are Gallium's.
 *
 * Views and samplers never change, and any threads may use them. Resources may
 * be bound, drawn with and made views of by several threads at once; one that
 * is written by one thread while another reads it holds any of both. A set of
 * bindings is used by one thread at a time, and not changed while something
 * runs that sees it.
 */
#ifndef TUNGSTEN_RESOURCE_H
#define TUNGSTEN_RESOURCE_H

#include <stdbool.h>

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ------------------------------------------------------------- */

/**
 * The number of a pixel format by its name without PIPE_FORMAT_,
 * "R8G8B8A8_UNORM"; case does not matter. 0, which is NONE, if there is none.
 * Numbers are those of Mesa 23.3. Any thread.
 */
TG_API uint32_t
tg_format_number(const char *name);

/** The name of a format's number, or NULL. Any thread. */
TG_API const char *
tg_format_name(uint32_t format);

/** Can a texture have it? Some names are of video formats or planes. */
TG_API bool
tg_format_is_supported(uint32_t format);

struct tg_format_block {
   uint32_t width, height; /* texels: 1 by 1 unless compressed */
   uint32_t bytes;
};

/** Blocks, which a format's texels come in. All 0 for one that is not
 * supported. Any thread. */
TG_API struct tg_format_block
tg_format_get_block(uint32_t format);

/** What a format can be used for; each use is allowed for these formats and
 * refused for all others. */
enum tg_format_use {
   TG_FORMAT_USE_TRANSFER = 1 << 0, /* textures; writes, reads and copies */
   TG_FORMAT_USE_SAMPLED = 1 << 1,  /* views of textures */
   TG_FORMAT_USE_FILTERED = 1 << 2, /* linear filters; else they are nearest */
   TG_FORMAT_USE_TEXEL_BUFFER = 1 << 3, /* views and images of buffers */
   TG_FORMAT_USE_IMAGE = 1 << 4,
   TG_FORMAT_USE_MULTISAMPLE = 1 << 5, /* textures of several samples */
   TG_FORMAT_USE_MIPMAPS = 1 << 6,     /* tg_resource_generate_mipmaps() */
   TG_FORMAT_USE_RENDERED = 1 << 7,    /* colour buffers */
   TG_FORMAT_USE_BLENDED = 1 << 8,     /* else blending is off */
   TG_FORMAT_USE_DEPTH = 1 << 9,       /* depth and stencil buffers */
   TG_FORMAT_USE_STENCIL = 1 << 10,
   TG_FORMAT_USE_VERTEX = 1 << 11, /* vertex elements */
};

/** A set of enum tg_format_use; 0 for a number that is no format or one that is
 * not supported. Any thread. */
TG_API uint32_t
tg_format_get_uses(uint32_t format);

/** How many samples a texel of the format may have: bit n for n, of
 * TG_SAMPLE_COUNTS. 0 for a format that is not supported. Any thread. */
TG_API uint32_t
tg_format_get_sample_counts(uint32_t format);

/* ---- resources ----------------------------------------------------------- */

/** The numbers are Gallium's. */
enum tg_texture_target {
   TG_TEXTURE_BUFFER = 0,
   TG_TEXTURE_1D = 1,
   TG_TEXTURE_2D = 2,
   TG_TEXTURE_3D = 3,
   TG_TEXTURE_CUBE = 4,
   TG_TEXTURE_RECT = 5,
   TG_TEXTURE_1D_ARRAY = 6,
   TG_TEXTURE_2D_ARRAY = 7,
   TG_TEXTURE_CUBE_ARRAY = 8,
};

enum {
   TG_MAX_TEXTURE_SIZE = 16384,  /* width and height */
   TG_MAX_TEXTURE_DEPTH = 2048,  /* also width and height of a 3D texture */
   TG_MAX_TEXTURE_LAYERS = 2048, /* of a cube array in faces: 6 a cube */
   TG_MAX_TEXTURE_LEVELS = 15,
   TG_MAX_TEXTURE_SAMPLES = 16,
   TG_SAMPLE_COUNTS =
      1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16, /* bit n: n */
};

/** Memory beyond this is refused: 4 GiB - 1 in one resource. */
#define TG_MAX_RESOURCE_SIZE UINT32_MAX

struct tg_resource;

/**
 * What a resource is. A buffer has a width, its size in bytes, and no format.
 * `layers` counts faces: 6 for a cube. `samples` 2, 4, 8 and 16 are for 2D and
 * 2D_ARRAY with one level. Sizes that a target does not have, and samples, are
 * 1; 0 stands for that too.
 */
struct tg_resource_desc {
   size_t size;     /* sizeof(struct tg_resource_desc) */
   uint32_t target; /* enum tg_texture_target */
   uint32_t format;
   uint32_t width, height, depth;
   uint32_t layers;
   uint32_t last_level;
   uint32_t samples;
};

/** A buffer of no bytes. */
#define TG_RESOURCE_DESC_INIT TG_INIT_(tg_resource_desc, TG_NO_MEMBERS_)

/**
 * All contents are zero. The diagnostics say what is wrong with `desc`:
 * TG_ERROR_INPUT when no such resource can be, TG_ERROR_UNSUPPORTED for the
 * format, TG_ERROR_LIMIT beyond TG_MAX_RESOURCE_SIZE. TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_resource_create(const struct tg_allocator *allocator,
                   const struct tg_resource_desc *desc,
                   struct tg_diagnostics *diagnostics,
                   struct tg_resource **resource_out);

/** Memory of the caller, for a resource to live in. */
struct tg_resource_memory {
   size_t size;           /* sizeof(struct tg_resource_memory) */
   void *address;         /* a multiple of 4 */
   uint64_t num_bytes;    /* that there are */
   uint64_t row_stride;   /* bytes from row to row; 0: no gaps */
   uint64_t slice_stride; /* from slice to slice, depth or layer; 0: no gaps */
   /* Called once, by any thread, when nothing uses the memory any more:
    * bindings and draws that are not done, for example. May be NULL. */
   void (*release)(void *user);
   void *user;
};

/** No memory. */
#define TG_RESOURCE_MEMORY_INIT TG_INIT_(tg_resource_memory, TG_NO_MEMBERS_)

/**
 * A resource in memory of the caller, whose contents stay as they are: a
 * buffer, or a texture of one level and one sample whose format is not
 * compressed. Other threads and processes may write there meanwhile: what is
 * then read is any of what was there, and nothing else comes of it.
 *
 * Strides are whole units of the format, 1, 2 or 4 bytes. TG_ERROR_INPUT when
 * the resource cannot be, or does not fit the memory, of which it takes whole
 * words. TG_ERROR_UNSUPPORTED for formats; TG_ERROR_LIMIT, TG_ERROR_MEMORY as
 * above. After an error nothing is released.
 */
TG_API enum tg_result
tg_resource_create_from_memory(const struct tg_allocator *allocator,
                               const struct tg_resource_desc *desc,
                               const struct tg_resource_memory *memory,
                               struct tg_diagnostics *diagnostics,
                               struct tg_resource **resource_out);

/** Adds a reference, and returns the resource; NULL gives NULL. Any thread. */
TG_API struct tg_resource *
tg_resource_ref(struct tg_resource *resource);

/** Drops a reference. The last one frees the resource: what it is bound to, and
 * draws that are not done, hold theirs. Takes NULL. Any thread. */
TG_API void
tg_resource_destroy(struct tg_resource *resource);

/** As it was created, with 1 for each size that may be 0. */
TG_API const struct tg_resource_desc *
tg_resource_get_desc(const struct tg_resource *resource);

/** Bytes that its contents take in memory. */
TG_API uint64_t
tg_resource_get_size(const struct tg_resource *resource);

/** The last level of a full chain: 10 for 1024 by 600 by 1. */
TG_API uint32_t
tg_full_last_level(uint32_t width, uint32_t height, uint32_t depth);

/**
 * A part of a level, in texels; z counts slices: depth, or layers and faces.
 * Of a buffer x and width are bytes. Boxes of compressed formats begin at
 * blocks and end at blocks or at the level's edge.
 */
struct tg_box {
   uint32_t x, y, z;
   uint32_t width, height, depth;
};

/**
 * Copies texels, in the format's own bytes, to and from a part of a level and,
 * of a multisampled texture, one sample. Rows of blocks are `row_stride` bytes
 * apart and slices `slice_stride`; 0 stands for no gaps. TG_ERROR_INPUT when
 * there is no such level, sample or box, and then nothing was copied.
 */
TG_API enum tg_result
tg_resource_write(struct tg_resource *resource, uint32_t level, uint32_t sample,
                  const struct tg_box *box, const void *data, size_t row_stride,
                  size_t slice_stride);
TG_API enum tg_result
tg_resource_read(const struct tg_resource *resource, uint32_t level,
                 uint32_t sample, const struct tg_box *box, void *data,
                 size_t row_stride, size_t slice_stride);

/** The bytes of a buffer, good while it lives; NULL for a texture. */
TG_API void *
tg_resource_map_buffer(struct tg_resource *resource);

/**
 * The contents stay as they are and count as never written: a checked program
 * that reads them through a buffer or image gets a diagnostic, until a checked
 * program or tg_resource_write() has written there. To be called before the
 * resource is bound. TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_resource_set_undefined(struct tg_resource *resource);

/**
 * Fills levels 1 to last, each texel the mean of those above it, along each
 * axis of two while there are two; the last of an odd size is left out.
 * TG_ERROR_UNSUPPORTED for buffers, compressed and integer formats. Of a format
 * with depth and stencil the depth; the stencil stays.
 */
TG_API enum tg_result
tg_resource_generate_mipmaps(struct tg_resource *resource);

/* ---- views and samplers -------------------------------------------------- */

enum tg_swizzle {
   TG_SWIZZLE_X,
   TG_SWIZZLE_Y,
   TG_SWIZZLE_Z,
   TG_SWIZZLE_W,
   TG_SWIZZLE_0,
   TG_SWIZZLE_1,
};

/**
 * A texture as shaders sample it.
 *
 * The format is the resource's or has blocks of as many bytes. A stencil is
 * seen through a format that has nothing else, X24S8_UINT of a texture of
 * Z24_UNORM_S8_UINT. A compressed texture can be seen through another
 * compressed format with blocks of the same shape; or one level of it as its
 * blocks, one texel each.
 *
 * The target may be another one of the same kind: 1D and 1D_ARRAY; 2D, RECT,
 * 2D_ARRAY, CUBE and CUBE_ARRAY. Targets without layers have one, a cube six.
 */
struct tg_view_desc {
   struct tg_resource *resource;
   uint32_t target; /* enum tg_texture_target */
   uint32_t format;
   uint32_t first_level, last_level;
   uint32_t first_layer, last_layer;
   uint32_t offset, size; /* of a buffer and nothing else, in bytes; `offset` a
                           * multiple of 4 */
   uint8_t swizzle[4];    /* enum tg_swizzle */
};

/** A view of all of a resource as it is. A buffer is seen as R32_UINT. */
TG_API struct tg_view_desc
tg_view_desc_of(struct tg_resource *resource);

struct tg_view;

/**
 * Makes a view, which never changes and may be bound in any number of places by
 * any threads. It holds a reference on the resource. TG_ERROR_INPUT, with a
 * diagnostic, when the description does not fit the resource, or has none. Of
 * compressed formats decoded texels are kept with the resource from when the
 * first view of them is made: TG_ERROR_LIMIT. TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_view_create(const struct tg_allocator *allocator,
               const struct tg_view_desc *desc,
               struct tg_diagnostics *diagnostics, struct tg_view **view_out);

/** Adds a reference, and returns the view; NULL gives NULL. Any thread. */
TG_API struct tg_view *
tg_view_ref(struct tg_view *view);

/** Drops a reference; the last one frees the view. Takes NULL. Any thread. */
TG_API void
tg_view_destroy(struct tg_view *view);

enum tg_wrap {
   TG_WRAP_REPEAT,
   TG_WRAP_CLAMP,
   TG_WRAP_CLAMP_TO_EDGE,
   TG_WRAP_CLAMP_TO_BORDER,
   TG_WRAP_MIRROR_REPEAT,
   TG_WRAP_MIRROR_CLAMP,
   TG_WRAP_MIRROR_CLAMP_TO_EDGE,
   TG_WRAP_MIRROR_CLAMP_TO_BORDER,
};

enum tg_filter { TG_FILTER_NEAREST, TG_FILTER_LINEAR };

enum tg_mip_filter { TG_MIP_NEAREST, TG_MIP_LINEAR, TG_MIP_NONE };

/** The reference stands on the left: LESS is reference < texel. */
enum tg_compare {
   TG_COMPARE_NEVER,
   TG_COMPARE_LESS,
   TG_COMPARE_EQUAL,
   TG_COMPARE_LEQUAL,
   TG_COMPARE_GREATER,
   TG_COMPARE_NOTEQUAL,
   TG_COMPARE_GEQUAL,
   TG_COMPARE_ALWAYS,
};

union tg_color {
   float f[4];
   int32_t i[4];
   uint32_t u[4];
};

struct tg_sampler_desc {
   size_t size;                    /* sizeof(struct tg_sampler_desc) */
   uint8_t wrap[3];                /* s, t, r: enum tg_wrap */
   uint8_t min_filter, mag_filter; /* enum tg_filter */
   uint8_t mip_filter;             /* enum tg_mip_filter */
   bool compares;                  /* shadow targets compare */
   uint8_t compare_func;           /* enum tg_compare */
   uint8_t max_anisotropy;         /* 0 or 1: none; at most 16 */
   bool unnormalized_coords;       /* coordinates count texels */
   bool seamless_cube;             /* filters across the edges of faces */
   float lod_bias, min_lod, max_lod;
   union tg_color border_color; /* integers if the view's format is one */
};

/** Repeating, nearest, one level, no comparison. */
#define TG_SAMPLER_DESC_INIT TG_INIT_(tg_sampler_desc, TG_SAMPLER_DESC_MEMBERS_)
#define TG_SAMPLER_DESC_MEMBERS_(SET)                                          \
   SET(mip_filter, TG_MIP_NONE) SET(max_lod, 1000.0f)

struct tg_sampler;

/** Makes a sampler, which never changes and may be bound in any number of
 * places by any threads; `desc` NULL takes TG_SAMPLER_DESC_INIT.
 * TG_ERROR_INPUT, with a diagnostic, when a value is not one that there is.
 * TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_sampler_create(const struct tg_allocator *allocator,
                  const struct tg_sampler_desc *desc,
                  struct tg_diagnostics *diagnostics,
                  struct tg_sampler **sampler_out);

/** Adds a reference, and returns the sampler; NULL gives NULL. Any thread. */
TG_API struct tg_sampler *
tg_sampler_ref(struct tg_sampler *sampler);

/** Drops a reference; the last one frees the sampler. Takes NULL. Any thread.
 */
TG_API void
tg_sampler_destroy(struct tg_sampler *sampler);

/** Slices of a level of a texture, or a part of a buffer, as an image. */
struct tg_image {
   struct tg_resource *resource;
   uint32_t format; /* blocks of the resource's size; 0: the resource's own */
   uint32_t level;
   uint32_t first_layer, last_layer; /* of 3D its slices */
   uint32_t offset, size;            /* as those of a view */
};

/** All layers of level 0, or all of a buffer, seen as R32_UINT. */
TG_API struct tg_image
tg_image_of(struct tg_resource *resource);

/* ---- bindings ------------------------------------------------------------ */

enum {
   TG_MAX_VIEWS = 128,
   TG_MAX_SAMPLERS = 32,
   TG_MAX_IMAGES = 64,
   TG_MAX_BUFFERS = 32,
   TG_MAX_COUNTER_BUFFERS = 16,
   TG_MAX_CONSTANT_BUFFERS = 32,
   TG_MAX_COLOR_BUFFERS = 8,
   TG_BUFFER_OFFSET_ALIGNMENT = 4, /* bytes, of parts that are bound */
   TG_MAX_ANISOTROPY = 16,
   TG_MAX_INLINE_CONSTANTS = 1 << 20, /* bytes that are copied into bindings */
};

/** The resources that a shader sees. It holds references on them. */
struct tg_bindings;

/** Nothing is bound at first: all reads 0. `allocator` must be one for many
 * threads if it is drawn with by several. TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_bindings_create(const struct tg_allocator *allocator,
                   struct tg_bindings **bindings_out);

/** Adds a reference, and returns the bindings; NULL gives NULL. Any thread. */
TG_API struct tg_bindings *
tg_bindings_ref(struct tg_bindings *bindings);

/** Drops a reference; the last one lets go of what is bound. Takes NULL. Any
 * thread. */
TG_API void
tg_bindings_destroy(struct tg_bindings *bindings);

/**
 * Each binds something in a place; NULL empties the place. Views and samplers
 * are kept, of an image the description is copied and the resource kept. The
 * place u of views is SVIEW[u], and RES[u] that has the types of one, and with
 * the sampler u what opcodes of the TEX kind mean by SAMP[u]; that of images is
 * IMAGE[u], and RES[u] that is neither such a view nor RAW. When there is no
 * such place, or the image does not fit its resource: TG_ERROR_INPUT, with a
 * diagnostic and nothing changed.
 */
TG_API enum tg_result
tg_bindings_set_view(struct tg_bindings *bindings, unsigned place,
                     struct tg_view *view, struct tg_diagnostics *diagnostics);
TG_API enum tg_result
tg_bindings_set_sampler(struct tg_bindings *bindings, unsigned place,
                        struct tg_sampler *sampler,
                        struct tg_diagnostics *diagnostics);
TG_API enum tg_result
tg_bindings_set_image(struct tg_bindings *bindings, unsigned place,
                      const struct tg_image *image,
                      struct tg_diagnostics *diagnostics);

/** What FBFETCH reads as colour `place`. */
TG_API enum tg_result
tg_bindings_set_color(struct tg_bindings *bindings, unsigned place,
                      const struct tg_image *image,
                      struct tg_diagnostics *diagnostics);

/** Which kind of buffer a place is for. */
enum tg_buffer_file {
   TG_BUFFER_SHADER,   /* BUFFER[place], RES[place] that is RAW */
   TG_BUFFER_COUNTER,  /* HWATOMIC[place] */
   TG_BUFFER_CONSTANT, /* CONST[place], before what tg_run_set() gives */
   TG_BUFFER_GLOBAL,   /* MEMORY, GLOBAL and RGLOBAL: place 0 */
   TG_BUFFER_INPUT,    /* MEMORY, INPUT and RINPUT: place 0 */
};

/** `size` bytes from `offset` on, a multiple of 4; a NULL resource empties the
 * place. TG_ERROR_INPUT as above. */
TG_API enum tg_result
tg_bindings_set_buffer(struct tg_bindings *bindings, enum tg_buffer_file file,
                       unsigned place, struct tg_resource *resource,
                       uint32_t offset, uint32_t size,
                       struct tg_diagnostics *diagnostics);

/**
 * Copies `num_bytes` of constants, which CONST[place] is then, instead of a
 * buffer; what is missing of the last word is 0. Draws and dispatches see them
 * as they are at their call. None empties the place. TG_ERROR_INPUT when there
 * is no such place, TG_ERROR_LIMIT beyond TG_MAX_INLINE_CONSTANTS,
 * TG_ERROR_MEMORY; then nothing has changed.
 */
TG_API enum tg_result
tg_bindings_set_constants(struct tg_bindings *bindings, unsigned place,
                          const void *data, uint32_t num_bytes,
                          struct tg_diagnostics *diagnostics);

/** Bindless handles: what SAMP2HND of SAMP[place] and IMG2HND of IMAGE[place]
 * give. Never 0 but for a place that does not exist. */
TG_API uint64_t
tg_sampler_handle(unsigned place);
TG_API uint64_t
tg_image_handle(unsigned place);

#ifdef __cplusplus
}
#endif

#endif
