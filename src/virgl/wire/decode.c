/* SPDX-License-Identifier: MIT
 *
 * Decoding of state objects from the words of their commands, by the rows of
 * state_fields.def.
 */
#include "virgl/wire/decode.h"

#include "util/bits.h"
#include "virgl/wire/protocol.h"

/* A member of a description, from its row of state_fields.def. */
#define GET_BOOL(word, first, bits) virgl_bit(words[word], first)
#define GET_FLOAT(word, first, bits) tg_float_of_bits(words[word])
#define GET_UINT(word, first, bits) virgl_bits(words[word], first, bits)
#define GET_HEX GET_UINT
#define GET_BLEND GET_UINT
#define GET_FACE GET_UINT
#define GET_FACTOR GET_UINT
#define GET_FILL GET_UINT
#define GET_FILTER GET_UINT
#define GET_FUNC GET_UINT
#define GET_LOGIC GET_UINT
#define GET_MIP GET_UINT
#define GET_STENCIL GET_UINT
#define MEMBER(name, word, first, bits, kind)                                  \
   .name = GET_##kind(word, first, bits),

static struct tg_blend_target
decode_blend_target(const uint32_t *words)
{
   return (struct tg_blend_target){
#define VIRGL_BLEND_TARGET_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
   };
}

void
virgl_decode_blend(const uint32_t *words, struct tg_blend_state *blend)
{
   *blend = (struct tg_blend_state){
      .size = sizeof(*blend),
#define VIRGL_BLEND_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
   };
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++)
      blend->targets[i] = decode_blend_target(&words[4 + i]);
}

/* Without depth clipping depths are clamped. */
void
virgl_decode_rasterizer(const uint32_t *words,
                        struct tg_rasterizer_state *rasterizer)
{
   *rasterizer = (struct tg_rasterizer_state){
      .size = sizeof(*rasterizer),
      .depth_clip_near = virgl_bit(words[2], 1),
      .depth_clip_far = virgl_bit(words[2], 1),
      .depth_clamp = !virgl_bit(words[2], 1),
#define VIRGL_RASTERIZER_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
   };
}

static struct tg_stencil_state
decode_stencil(const uint32_t *words)
{
   return (struct tg_stencil_state){
#define VIRGL_STENCIL_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
   };
}

void
virgl_decode_tests(const uint32_t *words,
                   struct tg_depth_stencil_alpha_state *tests)
{
   *tests = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(*tests),
      .stencil = {decode_stencil(&words[3]), decode_stencil(&words[4])},
#define VIRGL_DSA_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
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
      .max_anisotropy =
         (uint8_t)(anisotropy < TG_MAX_ANISOTROPY ? anisotropy
                                                  : TG_MAX_ANISOTROPY),
      .border_color.u = {words[6], words[7], words[8], words[9]},
#define VIRGL_SAMPLER_MEMBER MEMBER
#include "virgl/wire/state_fields.def"
   };
}

struct tg_box
virgl_decode_box(const uint32_t words[6])
{
   return (struct tg_box){words[0], words[1], words[2],
                          words[3], words[4], words[5]};
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
