/* SPDX-License-Identifier: MIT
 *
 * The kernel of a blit: a lane reads what one texel of the target becomes, out
 * of one texel of the source or several, converts and stores it.
 *
 * It sees:
 *   CONST   ROW      the words of blit_axis.h of its row: of each axis one
 *                    position, the words of axis a from GPU_BLIT_WORDS * a on
 *   CONST   MEAN     where the mean is taken, those of all samples
 *   TEXTURE 0        the source
 *   TEXTURE 1        where its mean is taken, a byte for each pixel: 1 where
 *                    all samples hold what the first does, which alone is
 *                    stored
 *   IMAGE   0        the target
 *   INPUT   word a   where in axis a's words those of the lane's position are
 */
#ifndef TG_GPU_BLIT_KERNEL_H
#define TG_GPU_BLIT_KERNEL_H

#include "lir/lir.h"
#include "tungsten/base.h"
#include "util/members.h"

enum gpu_blit_axis_number {
   GPU_BLIT_X,
   GPU_BLIT_Y,
   GPU_BLIT_Z,
   GPU_BLIT_SAMPLES, /* of the target; or, where the mean is taken, those of
                      * the source */
   GPU_BLIT_AXES,
};

enum {
   GPU_BLIT_BINDING_ROW,
   GPU_BLIT_BINDING_MEAN,
};

struct gpu_blit_key {
   uint16_t to_format, from_format; /* enum tg_format */
   uint8_t mask;                    /* enum tg_channel_mask */
   uint8_t filtered;                /* bit a: axis a is */
   uint8_t num_samples;             /* of which the mean is taken; at least 1 */
   uint8_t has_plane;               /* of pixels of one colour */
   uint8_t alpha_blend;             /* over what is there */
   uint8_t zero[3];
};

_Static_assert(sizeof(struct gpu_blit_key) == 12, "no padding");

extern const struct tg_member gpu_blit_key_members[];

/* Emits the kernel of a blit into an empty module: an exec_writer, whose `key`
 * is a struct gpu_blit_key. TG_ERROR_MEMORY. */
enum tg_result
gpu_blit_write_kernel(void *user, const void *key, struct lir_module *module,
                      struct tg_diagnostics *diagnostics);

#endif
