/* SPDX-License-Identifier: MIT
 *
 * Every macro of the public headers, in C and in C++: test_headers.sh compiles
 * this in each of their standards, runs it, and holds the names below against
 * those that the headers define. Status 1, with lines, for what is not as it
 * should be.
 */
#include <stdio.h>

#include "tungsten/caps.h"
#include "tungsten/gpu.h"
#include "tungsten/maxwell.h"
#include "tungsten/tegra.h"

static int failed;

static void
check(const char *macro, const char *claim, bool holds)
{
   if (holds)
      return;
   printf("%s: not so: %s\n", macro, claim);
   failed = 1;
}

#define VALUE(macro, value) check(#macro, #value, (macro) == (value));

/* What starts a struct, outside of functions and inside. `claim` is about `s`,
 * which is zero but for what the claim is about. */
#define STRUCT(macro, type, claim)                                             \
   static const struct type constant_##type = macro;                           \
   static void check_##type(void)                                              \
   {                                                                           \
      struct type s = macro;                                                   \
      check(#macro, "its size", s.size == sizeof(struct type));                \
      check(#macro, "the same as a constant", s.size == constant_##type.size); \
      check(#macro, #claim, claim);                                            \
   }

STRUCT(TG_RESOURCE_DESC_INIT, tg_resource_desc,
       s.target == TG_TEXTURE_BUFFER && !s.format && !s.width && !s.samples)
STRUCT(TG_RESOURCE_MEMORY_INIT, tg_resource_memory,
       !s.address && !s.num_bytes && !s.row_stride && !s.release)
STRUCT(TG_SAMPLER_DESC_INIT, tg_sampler_desc,
       s.mip_filter == TG_MIP_NONE && s.max_lod > 999.5f &&
          s.max_lod < 1000.5f && s.wrap[0] == TG_WRAP_REPEAT && !s.compares &&
          !s.border_color.u[3])
STRUCT(TG_PROGRAM_OPTIONS_INIT, tg_program_options,
       s.optimize && !s.trace && !s.check && !s.executor && !s.print_kernel &&
          !s.verify_each && !s.profile)
STRUCT(TG_GRID_INIT, tg_grid,
       s.grid[0] == 1 && s.grid[1] == 1 && s.grid[2] == 1 && !s.block[0] &&
          !s.progress)
STRUCT(TG_DEVICE_OPTIONS_INIT, tg_device_options,
       !s.num_threads && !s.check && !s.executor && !s.print_kernel &&
          !s.verify_each && !s.profile)
STRUCT(TG_CONTEXT_OPTIONS_INIT, tg_context_options,
       !s.max_work && !s.work && !s.links_strictly &&
          s.max_call_seconds == 0 && s.on_fault == TG_FAULT_GO_ON)
STRUCT(TG_STREAM_OUTPUT_INFO_INIT, tg_stream_output_info,
       !s.num_outputs && !s.stride[0])
STRUCT(TG_BLEND_INIT, tg_blend_state,
       s.targets[0].colormask == TG_CHANNEL_RGBA &&
          !s.targets[0].blend_enable && !s.independent_blend_enable)
STRUCT(TG_RASTERIZER_INIT, tg_rasterizer_state,
       s.front_ccw &&s.half_pixel_center &&s.multisample &&s.depth_clip_near &&s
                .depth_clip_far &&s.point_size > 0.9f &&
          s.line_width > 0.9f && !s.scissor && s.cull_face == TG_FACE_NONE)
STRUCT(TG_DEPTH_STENCIL_ALPHA_INIT, tg_depth_stencil_alpha_state,
       !s.depth_enabled && !s.alpha_enabled && !s.stencil[0].enabled)
STRUCT(TG_FRAMEBUFFER_INIT, tg_framebuffer_state,
       !s.width && !s.height && !s.num_colors && !s.depth_stencil.resource)
STRUCT(TG_DRAW_INFO_INIT, tg_draw_info,
       s.mode == TG_PRIM_TRIANGLES && s.instance_count == 1 &&
          s.num_draws == 1 && !s.draws && !s.index_size)
STRUCT(TG_CLEAR_INIT, tg_clear_info,
       s.buffers == TG_CLEAR_COLOR0 && !s.surface.resource && !s.scissor_enable)
STRUCT(TG_BLIT_INFO_INIT, tg_blit_info,
       s.mask == TG_CHANNEL_RGBA && s.filter == TG_FILTER_NEAREST &&
          !s.dst.resource)
STRUCT(TG_CONTEXT_STATISTICS_INIT, tg_context_statistics,
       !s.draws && !s.hidden_blocks)
STRUCT(TG_CONTEXT_FAULT_INIT, tg_context_fault,
       !s.call && !s.num_calls && s.result == TG_OK)
STRUCT(TG_CAPS_INIT, tg_caps, !s.max_texture_2d_size && !s.logic_op)
STRUCT(TG_PIXEL_COUNTERS_INIT, tg_pixel_counters, !s.width && !s.fragments)
STRUCT(TG_CODE_CACHE_OPTIONS_INIT, tg_code_cache_options,
       !s.folder && !s.max_bytes)
STRUCT(TG_CODE_CACHE_STATISTICS_INIT, tg_code_cache_statistics,
       !s.found && !s.removed)
STRUCT(TG_CODE_STATISTICS_INIT, tg_code_statistics, !s.compiled && !s.shared)
STRUCT(TG_TEGRA_BATCH_INIT, tg_tegra_batch,
       !s.num_vertices && !s.exports && !s.trace)
STRUCT(TG_TEGRA_COMPILE_OPTIONS_INIT, tg_tegra_compile_options,
       s.optimize == 2 && !s.trace && !s.exact)
STRUCT(TG_MAXWELL_WARP_INIT, tg_maxwell_warp,
       s.active == UINT32_MAX && !s.killed && !s.registers &&
          s.version == TG_MAXWELL_ANY)
STRUCT(TG_PROFILE_OPTIONS_INIT, tg_profile_options, !s.max_spans)
STRUCT(TG_PROFILE_TOTAL_INIT, tg_profile_total, !s.spans)
STRUCT(TG_PROFILE_COUNTERS_INIT, tg_profile_counters,
       !s.draws && !s.code_shared)
STRUCT(TG_WORK_OPTIONS_INIT, tg_work_options, !s.max_work && !s.note)
STRUCT(TG_MAXWELL_LOWER_OPTIONS_INIT, tg_maxwell_lower_options,
       s.version == TG_MAXWELL_ANY && !s.half)

static void
check_structs(void)
{
   check_tg_resource_desc();
   check_tg_resource_memory();
   check_tg_sampler_desc();
   check_tg_program_options();
   check_tg_grid();
   check_tg_device_options();
   check_tg_context_options();
   check_tg_stream_output_info();
   check_tg_blend_state();
   check_tg_rasterizer_state();
   check_tg_depth_stencil_alpha_state();
   check_tg_framebuffer_state();
   check_tg_draw_info();
   check_tg_clear_info();
   check_tg_blit_info();
   check_tg_context_statistics();
   check_tg_context_fault();
   check_tg_caps();
   check_tg_pixel_counters();
   check_tg_code_cache_options();
   check_tg_code_cache_statistics();
   check_tg_code_statistics();
   check_tg_tegra_batch();
   check_tg_tegra_compile_options();
   check_tg_maxwell_warp();
   check_tg_profile_options();
   check_tg_profile_total();
   check_tg_profile_counters();
   check_tg_work_options();
   check_tg_maxwell_lower_options();
}

static void
check_values(void)
{
   VALUE(TG_VERSION_MAJOR, 0)
   VALUE(TG_VERSION_MINOR, 1)
   VALUE(TG_VERSION_PATCH, 0)
   VALUE(TG_VERSION, 1000)
   VALUE(TG_MAX_RESOURCE_SIZE, 4294967295u)
   VALUE(TG_QUERY_AVAILABLE, -1)
   VALUE(TG_STREAM_APPEND, 4294967295u)
   VALUE(TG_MAX_DRAWS, 1048576u)
   VALUE(TG_CODE_CACHE_USUAL_BYTES, 268435456u)
   VALUE(TG_PROFILE_USUAL_SPANS, 65536u)
   VALUE(TG_MAX_GRID_SIZE, 4294967296u)
   VALUE(TG_MAX_DRAW_VERTICES, 1073741824u)
   check("TG_MAX_POINT_SIZE", "2048",
         TG_MAX_POINT_SIZE > 2047 && TG_MAX_POINT_SIZE < 2049);
   check("TG_MAX_VIEWPORT_REACH", "2^20",
         TG_MAX_VIEWPORT_REACH > 1048575 && TG_MAX_VIEWPORT_REACH < 1048577);
   check("TG_MAX_LINE_WIDTH", "256",
         TG_MAX_LINE_WIDTH > 255 && TG_MAX_LINE_WIDTH < 257);
}

TG_API int
main(void)
{
   check_structs();
   check_values();
   return failed;
}
