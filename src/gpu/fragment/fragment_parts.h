/* SPDX-License-Identifier: MIT
 *
 * What the files of the fragment kernel share. Values that are needed twice are
 * written twice: merging them is a pass's work. Only what the tests before
 * the shader found is kept, in values at level 0 of the entry function.
 */
#ifndef TG_GPU_FRAGMENT_PARTS_H
#define TG_GPU_FRAGMENT_PARTS_H

#include "gpu/fragment/fragment_kernel.h"
#include "gpu/raster/shape.h"
#include "gpu/state/shader.h"
#include "lower/fixed_function/texel_units.h"
#include "lower/lower.h"

enum { FRAGMENT_MAX_SAMPLES = TG_MAX_TEXTURE_SAMPLES };

/* When depth and stencil are tested, and written. */
enum fragment_order {
   FRAGMENT_NO_TESTS,
   FRAGMENT_EARLY,        /* both before the shader */
   FRAGMENT_TEST_EARLY,   /* tested before it, written after it: the shader
                           * may discard what passes */
   FRAGMENT_REJECT_EARLY, /* both after it, but what would fail with the
                           * interpolated depth is not shaded */
   FRAGMENT_LATE,         /* both after it */
};

/* How depth and stencil tests of one sample ended. */
struct fragment_test {
   lir_value index; /* of the texel */
   lir_value old[LOWER_MAX_TEXEL_WORDS];
   lir_value depth; /* the fragment's, as bits of the format */
   /* Truths: */
   lir_value is_bounded; /* the depth bounds hold */
   lir_value stencil_passes, depth_passes;
   lir_value passes; /* all three */
};

struct fragment_kernel {
   const struct tg_gpu_shader *shader;
   const struct gpu_interface *interface;
   const struct gpu_fragment_key *key;
   enum fragment_order order;

   /* Of the prologue. */
   lir_value was_live; /* truth: before any test */
   lir_value covered;  /* samples that are left, see fragment_covered() */
   /* Attributes that are interpolated, and variables of their channels. */
   bool is_interpolated[GPU_MAX_ATTRIBUTES];
   uint32_t attribute_var[GPU_MAX_ATTRIBUTES][4];
   struct fragment_test tests[FRAGMENT_MAX_SAMPLES]; /* the last ones */

   /* Of the epilogue: the shader's outputs, see struct lower_stage. */
   const uint32_t (*outputs)[4];
};

/* Has a lane several samples? Else it has one: the pixel's, or its own. */
static inline bool
fragment_has_samples(const struct fragment_kernel *kernel)
{
   return kernel->key->num_samples > 1 && !kernel->key->is_per_sample;
}

/* Is multisampling in effect? Else a pixel is one sample to the shader, however
 * many the framebuffer has. */
static inline bool
fragment_is_multisampled(const struct fragment_kernel *kernel)
{
   return kernel->key->num_samples > 1 && !kernel->key->is_by_pixel;
}

/* A word with a bit for each sample of a pixel. */
static inline uint32_t
fragment_all_samples(const struct fragment_kernel *kernel)
{
   return (UINT32_C(1) << kernel->key->num_samples) - 1;
}

/* ---- interpolate.c ------------------------------------------------------- */

/* Words of INPUT, of the shape, and of FRAME. */
lir_value
fragment_input_word(struct lir_builder *builder, uint32_t word);
lir_value
fragment_shape_word(struct lir_builder *builder, uint32_t word);
lir_value
fragment_frame_word(struct lir_builder *builder, uint32_t word);

/* The lane's pixel, along an axis; and the one whose texels it reads. */
lir_value
fragment_pixel_word(struct lir_builder *builder, unsigned axis);
lir_value
fragment_texel_word(struct lir_builder *builder, unsigned axis);

/* A place in the pixel: how far it is from its upper left corner. */
struct fragment_place {
   lir_value x, y;
};

/* The pixel's centre. */
struct fragment_place
fragment_interpolation_center(struct lir_builder *builder);

/* The place of a sample; the centre when there is no such sample. */
struct fragment_place
fragment_interpolation_sample(struct lir_builder *builder,
                              const struct fragment_kernel *kernel,
                              lir_value number);

/* The place that a lane is shaded at: its sample, or the centre. */
struct fragment_place
fragment_interpolation_place(struct lir_builder *builder,
                             const struct fragment_kernel *kernel);

/* Is a register interpolated there unless the shader says where? */
bool
fragment_is_at_own_place(const struct fragment_kernel *kernel, uint32_t reg);

/* The place of centroid interpolation: the centre if all samples are covered,
 * else the first that is. */
struct fragment_place
fragment_interpolation_centroid(struct lir_builder *builder,
                                const struct fragment_kernel *kernel);

/* Evaluates the plane equation whose coefficients begin at `word` of the shape.
 */
lir_value
fragment_interpolated_plane(struct lir_builder *builder, uint32_t word,
                            const struct fragment_place *place);

/* Interpolates a channel of an attribute, which is not GPU_INTERPOLATE_NOTHING.
 */
lir_value
fragment_interpolated_attribute(struct lir_builder *builder,
                                const struct fragment_kernel *kernel,
                                uint32_t attribute, unsigned channel,
                                const struct fragment_place *place);

/* Interpolates, before the shader, what it reads of PERSPECTIVE attributes at
 * the lanes' own place. Where 1 / w is 1 in all lanes, as in all that is drawn
 * without perspective, nothing is divided. */
void
fragment_interpolate(struct lir_builder *builder,
                     struct fragment_kernel *kernel);

/* The window's z: at the lane's own place, and at a sample of several. Both
 * give the same bits for the same sample. */
lir_value
fragment_interpolated_z(struct lir_builder *builder,
                        const struct fragment_kernel *kernel);
lir_value
fragment_interpolated_sample_z(struct lir_builder *builder,
                               const struct fragment_kernel *kernel,
                               unsigned number);

/* Is the shape seen from its front? */
lir_value
fragment_is_front(struct lir_builder *builder);

/* The number of the unit where the lane's texel in a surface begins: that of
 * its own sample, or of the pixel's first. */
lir_value
fragment_texel(struct lir_builder *builder,
               const struct fragment_kernel *kernel, uint32_t binding,
               enum tg_format format);
lir_value
fragment_first_texel(struct lir_builder *builder,
                     const struct fragment_kernel *kernel, uint32_t binding,
                     enum tg_format format);

/* How far it is from there to the next sample. */
lir_value
fragment_texel_sample_pitch(struct lir_builder *builder, uint32_t binding);

/* ---- fragment_input.c ---------------------------------------------------- */

/* Functions of struct lower_stage; `user` is the kernel. */
lir_value
fragment_input(void *user, struct lir_builder *builder, uint32_t reg,
               unsigned channel, enum lower_place place, const lir_value at[2]);
lir_value
fragment_sysval(void *user, struct lir_builder *builder, uint32_t reg,
                unsigned channel);
void
fragment_pixel(void *user, struct lir_builder *builder, lir_value pixel_out[4]);

/* ---- coverage.c ---------------------------------------------------------- */

/* What is covered of a lane: a word of samples where it has several, else a
 * truth. These work on either. Without multisampling bit 0 of `samples` stands
 * for the pixel. */
lir_value
fragment_covered(struct lir_builder *builder,
                 const struct fragment_kernel *kernel);
lir_value
fragment_coverage_and_samples(struct lir_builder *builder,
                              const struct fragment_kernel *kernel,
                              lir_value covered, lir_value samples);
lir_value
fragment_coverage_and_lane(struct lir_builder *builder,
                           const struct fragment_kernel *kernel,
                           lir_value covered, lir_value truth);

/* Truth: is anything left of it; is this sample. */
lir_value
fragment_coverage_any(struct lir_builder *builder,
                      const struct fragment_kernel *kernel, lir_value covered);
lir_value
fragment_coverage_has_sample(struct lir_builder *builder, lir_value covered,
                             unsigned number);

/* As a word of samples; of one it is bit 0. */
lir_value
fragment_coverage_word(struct lir_builder *builder,
                       const struct fragment_kernel *kernel, lir_value covered);

/* Alpha to coverage: the samples that alpha lets through: its share of them,
 * rounded to nearest, those with the lowest numbers. */
lir_value
fragment_alpha_coverage(struct lir_builder *builder,
                        const struct fragment_kernel *kernel, lir_value alpha);

/* How much of the pixel a smooth shape covers, 0 to 1. */
lir_value
fragment_smooth_coverage(struct lir_builder *builder,
                         const struct fragment_kernel *kernel);

/* ---- depth_stencil.c ----------------------------------------------------- */

/* Are there depth, stencil or depth bounds tests? */
bool
fragment_has_depth_stencil_tests(const struct gpu_fragment_key *key);

/* Does a fragment that fails a test write the stencil? */
bool
fragment_depth_stencil_failing_writes(const struct gpu_fragment_key *key);

/* What the shader gives for the tests. */
struct fragment_values {
   bool has_z, has_reference;
   lir_value z, reference;
};

/* Depth, stencil and depth bounds tests: tests the samples that are covered,
 * and gives those that pass. How each test went is kept in `tests`. NULL for
 * the values of the shape. */
lir_value
fragment_depth_stencil_test(struct lir_builder *builder,
                            const struct fragment_kernel *kernel,
                            lir_value covered,
                            const struct fragment_values *values,
                            struct fragment_test tests[FRAGMENT_MAX_SAMPLES]);

/* Depth and stencil writes: what follows from the tests, for the samples of
 * active lanes that are covered; those that failed must be left out unless
 * failing writes. */
void
fragment_depth_stencil_write(
   struct lir_builder *builder, const struct fragment_kernel *kernel,
   lir_value covered, const struct fragment_values *values,
   const struct fragment_test tests[FRAGMENT_MAX_SAMPLES]);

/* ---- output.c ------------------------------------------------------------ */

/* A channel of an output register, 0 where the shader does not write it. */
lir_value
fragment_output(struct lir_builder *builder,
                const struct fragment_kernel *kernel, uint8_t reg,
                unsigned channel);

/* COLOR[0] in a format that is not an integer one has an alpha, which tests and
 * samples may go by. With `is_final` it is what will be blended, 1 after
 * alpha_to_one. */
bool
fragment_output_has_alpha(const struct fragment_kernel *kernel);
lir_value
fragment_output_alpha(struct lir_builder *builder,
                      const struct fragment_kernel *kernel, bool is_final);

/* Blends and writes the colours, for the samples that are covered. */
void
fragment_output_write_colors(struct lir_builder *builder,
                             const struct fragment_kernel *kernel,
                             lir_value covered);

/* Colour buffers that are written, a bit each; and those of them whose texels
 * are not written whole, or not from fragments alone. */
uint8_t
fragment_output_colors(const struct fragment_kernel *kernel,
                       uint8_t *reading_out);

/* Is what a channel of a colour buffer becomes a monotonic function of what it
 * was, and of nothing else that is there? What comes of the least and of the
 * greatest, alike, then comes of all. */
bool
fragment_output_is_monotonic(const struct fragment_kernel *kernel,
                             uint32_t number);

/* Decompresses a pixel, in active lanes: where only the first sample of a
 * colour buffer is stored, stores it as all others. */
void
fragment_output_expand(struct lir_builder *builder,
                       const struct fragment_kernel *kernel, uint32_t color);

#endif
