/* SPDX-License-Identifier: MIT
 *
 * A shader as the pipeline sees it, with its interface.
 */
#ifndef TG_GPU_SHADER_H
#define TG_GPU_SHADER_H

#include "abi/layout.h"
#include "gpu/core/limits.h"
#include "gpu/state/texture_copy.h"
#include "tungsten/gpu.h"
#include "util/refcount.h"

/* What a register of a shader's interface is for. */
struct gpu_semantic {
   bool declared;
   uint8_t name; /* enum tg_semantic */
   uint16_t index;
   /* Inputs of fragments: */
   uint8_t interpolate;    /* enum tg_interpolate */
   bool follows_flatshade; /* `interpolate` counts where it is off */
   uint8_t location;       /* enum tg_location */
   uint8_t cylindrical;    /* TG_MASK_* */
};

struct tg_gpu_shader {
   struct tg_refcount refs;
   struct tg_device *device; /* a reference */
   struct tg_shader *shader; /* a reference */
   uint64_t id; /* never used again in this device, so that keys are stable */
   uint32_t profile_shader; /* in the device's profile, or 0 */
   enum tg_gpu_stage stage;
   bool has_stream_output;
   struct tg_stream_output_info stream_output;
   struct abi_layout layout;
   struct abi_keys seen;   /* see abi_find_seen_bindings() */
   bool fetches_colors;    /* has FBFETCH */
   bool kills;             /* has an opcode that discards */
   bool writes_memory;
   bool early_depth; /* asks for the depth test to come first */
   bool color0_writes_all;
   bool origin_lower_left, center_integer;
   bool post_depth_coverage;
   uint8_t depth_layout; /* FS_DEPTH_LAYOUT */
   struct gpu_texture_copy copy;
   struct gpu_semantic input[ABI_MAX_INPUTS];
   struct gpu_semantic output[ABI_MAX_OUTPUTS];
   struct gpu_semantic sysval[ABI_MAX_SYSVALS];
};

/* The output register with a semantic, or GPU_NO_REGISTER. */
uint8_t
gpu_find_output(const struct tg_gpu_shader *shader, enum tg_semantic name,
                uint32_t index);

/* Finds out all of the above of the shader's declarations, instructions and
 * properties, with `layout` and `seen`. TG_ERROR_INPUT for one of a stage that
 * is not drawn with, or that is not valid, TG_ERROR_MEMORY. */
enum tg_result
gpu_shader_init(struct tg_gpu_shader *shader, const struct tg_shader *source,
                const struct tg_stream_output_info *stream_output,
                struct tg_diagnostics *diagnostics);

/* Does it fit the shader? TG_ERROR_INPUT. */
enum tg_result
gpu_check_stream_output_info(const struct tg_shader *shader,
                             const struct abi_layout *layout,
                             const struct tg_stream_output_info *info,
                             struct tg_diagnostics *diagnostics);

#endif
