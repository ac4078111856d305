/* SPDX-License-Identifier: MIT
 *
 * State objects from the words of their commands.
 */
#include "virgl/decode.h"

#include "util/bits.h"
#include "virgl/protocol.h"

static struct tg_blend_target
decode_blend_target(uint32_t word)
{
   return (struct tg_blend_target){
      .blend_enable = virgl_bit(word, 0),
      .rgb_func = (uint8_t)virgl_bits(word, 1, 3),
      .rgb_src_factor = (uint8_t)virgl_bits(word, 4, 5),
      .rgb_dst_factor = (uint8_t)virgl_bits(word, 9, 5),
      .alpha_func = (uint8_t)virgl_bits(word, 14, 3),
      .alpha_src_factor = (uint8_t)virgl_bits(word, 17, 5),
      .alpha_dst_factor = (uint8_t)virgl_bits(word, 22, 5),
      .colormask = (uint8_t)virgl_bits(word, 27, 4),
   };
}

void
virgl_decode_blend(const uint32_t *words, struct tg_blend_state *blend)
{
   *blend = (struct tg_blend_state){
      .size = sizeof(*blend),
      .independent_blend_enable = virgl_bit(words[2], 0),
      .logicop_enable = virgl_bit(words[2], 1),
      .dither = virgl_bit(words[2], 2),
      .alpha_to_coverage = virgl_bit(words[2], 3),
      .alpha_to_one = virgl_bit(words[2], 4),
      .logicop_func = (uint8_t)virgl_bits(words[3], 0, 4),
   };
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++)
      blend->targets[i] = decode_blend_target(words[4 + i]);
}

/* Without depth clipping depths are clamped. */
void
virgl_decode_rasterizer(const uint32_t *words,
                        struct tg_rasterizer_state *rasterizer)
{
   const uint32_t bits = words[2];

   *rasterizer = (struct tg_rasterizer_state){
      .size = sizeof(*rasterizer),
      .flatshade = virgl_bit(bits, 0),
      .depth_clip_near = virgl_bit(bits, 1),
      .depth_clip_far = virgl_bit(bits, 1),
      .depth_clamp = !virgl_bit(bits, 1),
      .clip_halfz = virgl_bit(bits, 2),
      .rasterizer_discard = virgl_bit(bits, 3),
      .flatshade_first = virgl_bit(bits, 4),
      .light_twoside = virgl_bit(bits, 5),
      .sprite_coord_mode = (uint8_t)virgl_bits(bits, 6, 1),
      .point_quad_rasterization = virgl_bit(bits, 7),
      .cull_face = (uint8_t)virgl_bits(bits, 8, 2),
      .fill_front = (uint8_t)virgl_bits(bits, 10, 2),
      .fill_back = (uint8_t)virgl_bits(bits, 12, 2),
      .scissor = virgl_bit(bits, 14),
      .front_ccw = virgl_bit(bits, 15),
      .clamp_vertex_color = virgl_bit(bits, 16),
      .clamp_fragment_color = virgl_bit(bits, 17),
      .offset_line = virgl_bit(bits, 18),
      .offset_point = virgl_bit(bits, 19),
      .offset_tri = virgl_bit(bits, 20),
      .poly_smooth = virgl_bit(bits, 21),
      .poly_stipple_enable = virgl_bit(bits, 22),
      .point_smooth = virgl_bit(bits, 23),
      .point_size_per_vertex = virgl_bit(bits, 24),
      .multisample = virgl_bit(bits, 25),
      .line_smooth = virgl_bit(bits, 26),
      .line_stipple_enable = virgl_bit(bits, 27),
      .line_last_pixel = virgl_bit(bits, 28),
      .half_pixel_center = virgl_bit(bits, 29),
      .bottom_edge_rule = virgl_bit(bits, 30),
      .force_persample_interp = virgl_bit(bits, 31),
      .point_size = tg_float_of_bits(words[3]),
      .sprite_coord_enable = words[4],
      .line_stipple_pattern = (uint16_t)virgl_bits(words[5], 0, 16),
      .line_stipple_factor = (uint8_t)virgl_bits(words[5], 16, 8),
      .clip_plane_enable = (uint8_t)virgl_bits(words[5], 24, 8),
      .line_width = tg_float_of_bits(words[6]),
      .offset_units = tg_float_of_bits(words[7]),
      .offset_scale = tg_float_of_bits(words[8]),
      .offset_clamp = tg_float_of_bits(words[9]),
   };
}

static struct tg_stencil_state
decode_stencil(uint32_t word)
{
   return (struct tg_stencil_state){
      .enabled = virgl_bit(word, 0),
      .func = (uint8_t)virgl_bits(word, 1, 3),
      .fail_op = (uint8_t)virgl_bits(word, 4, 3),
      .zpass_op = (uint8_t)virgl_bits(word, 7, 3),
      .zfail_op = (uint8_t)virgl_bits(word, 10, 3),
      .valuemask = (uint8_t)virgl_bits(word, 13, 8),
      .writemask = (uint8_t)virgl_bits(word, 21, 8),
   };
}

void
virgl_decode_tests(const uint32_t *words,
                   struct tg_depth_stencil_alpha_state *tests)
{
   *tests = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(*tests),
      .depth_enabled = virgl_bit(words[2], 0),
      .depth_writemask = virgl_bit(words[2], 1),
      .depth_func = (uint8_t)virgl_bits(words[2], 2, 3),
      .alpha_enabled = virgl_bit(words[2], 8),
      .alpha_func = (uint8_t)virgl_bits(words[2], 9, 3),
      .stencil = {decode_stencil(words[3]), decode_stencil(words[4])},
      .alpha_ref_value = tg_float_of_bits(words[5]),
   };
}

void
virgl_decode_sampler(const uint32_t *words, struct tg_sampler_desc *sampler)
{
   const uint32_t bits = words[2];
   const uint32_t anisotropy = virgl_bits(bits, 20, 6);

   *sampler = (struct tg_sampler_desc){
      .size = sizeof(*sampler),
      .wrap = {(uint8_t)virgl_bits(bits, 0, 3), (uint8_t)virgl_bits(bits, 3, 3),
               (uint8_t)virgl_bits(bits, 6, 3)},
      .min_filter = (uint8_t)virgl_bits(bits, 9, 2),
      .mip_filter = (uint8_t)virgl_bits(bits, 11, 2),
      .mag_filter = (uint8_t)virgl_bits(bits, 13, 2),
      .compares = virgl_bit(bits, 15),
      .compare_func = (uint8_t)virgl_bits(bits, 16, 3),
      .seamless_cube = virgl_bit(bits, 19),
      .max_anisotropy =
         (uint8_t)(anisotropy < TG_MAX_ANISOTROPY ? anisotropy
                                                  : TG_MAX_ANISOTROPY),
      .lod_bias = tg_float_of_bits(words[3]),
      .min_lod = tg_float_of_bits(words[4]),
      .max_lod = tg_float_of_bits(words[5]),
      .border_color.u = {words[6], words[7], words[8], words[9]},
   };
}

struct tg_scissor
virgl_decode_scissor(const uint32_t words[2])
{
   return (struct tg_scissor){
      .min_x = (uint16_t)virgl_bits(words[0], 0, 16),
      .min_y = (uint16_t)virgl_bits(words[0], 16, 16),
      .max_x = (uint16_t)virgl_bits(words[1], 0, 16),
      .max_y = (uint16_t)virgl_bits(words[1], 16, 16),
   };
}
