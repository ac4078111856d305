/* SPDX-License-Identifier: MIT
 *
 * Capability sets: fields at their places, formats by what they can be used
 * for, and less of all that for lower versions of OpenGL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tungsten/gpu.h"
#include "virgl/virgl.h"
#include "virgl/wire/formats.h"

static unsigned char set[VIRGL_CAPSET2_BYTES];

static void
get_for(unsigned version, unsigned gl_version, bool shares_memory)
{
   struct tg_device *device;
   struct virgl_host *host;

   assert_int_equal(tg_device_create(NULL, NULL, &device), TG_OK);
   const struct virgl_host_options options = {
      .device = device,
      .max_gl_version = gl_version,
   };
   assert_int_equal(virgl_host_create(&options, &host), TG_OK);
   memset(set, 0xee, sizeof(set));
   virgl_host_get_capset(host, version, shares_memory, set);
   virgl_host_destroy(host);
   tg_device_destroy(device);
}

static void
get(unsigned version, unsigned gl_version)
{
   get_for(version, gl_version, true);
}

static uint32_t
word_at(unsigned offset)
{
   return (uint32_t)set[offset] | (uint32_t)set[offset + 1] << 8 |
          (uint32_t)set[offset + 2] << 16 | (uint32_t)set[offset + 3] << 24;
}

static bool
bit_at(unsigned offset, unsigned bit)
{
   return set[offset + bit / 8] >> bit % 8 & 1;
}

/* 67 R8G8B8A8_UNORM, 17 Z32_UNORM, 105 DXT1_RGB, 30 R32G32B32_FLOAT, 307 none.
 */
static void
fields_are_at_their_places(void **state)
{
   (void)state;
   get(2, 0);
   assert_int_equal(word_at(0), 2);
   assert_int_equal(word_at(264), 430);
   assert_int_equal(word_at(280), 8);
   assert_int_equal(word_at(288), 0x7e7f);
   assert_int_equal(word_at(364), (uint32_t)-32);
   assert_int_equal(word_at(368), 31);
   assert_int_equal(word_at(484), 16384);
   assert_int_equal(word_at(488), 2048);
   assert_int_equal(word_at(556), 15);
   /* Memory, markers, programs apart; layers and viewports of vertices,
    * statistics, parameters of draws, votes. */
   const uint32_t bits = 1 << 4 | 1 << 9 | 0x3f << 10;
   assert_int_equal(word_at(688), 1 << 3 | bits);
   assert_int_equal(word_at(308), 0x3f800000);
   assert_int_equal(word_at(312), 0x45000000); /* 2048.0 */
   for (unsigned i = 0; i < 6; i++)
      assert_int_equal(word_at(832 + 4 * i), 65536);
   assert_memory_equal(set + 696, "Tungsten ", 9);
   assert_int_equal(set[759], 0);
   assert_int_equal(word_at(856), 0);
   assert_int_equal(word_at(1372), 65536);
   get_for(2, 0, false);
   assert_int_equal(word_at(688), bits);
}

static void
formats_are_what_they_can_be(void **state)
{
   enum { SAMPLED = 4, RENDERED = 68, DEPTH = 132, VERTEX = 196, MANY = 768 };
   static const struct {
      unsigned format;
      bool sampled, rendered, depth, vertex, many;
   } rows[] = {
      {67, true, true, false, true, true},      /* R8G8B8A8_UNORM */
      {17, true, false, true, false, true},     /* Z32_UNORM */
      {23, true, false, true, false, true},     /* S8_UINT */
      {105, true, false, false, false, false},  /* DXT1_RGB */
      {307, false, false, false, false, false}, /* none */
      {166, false, false, false, false, false}, /* NV12 */
      {24, true, true, false, true, true},      /* R64_FLOAT */
      {124, true, true, false, true, true},     /* R11G11B10_FLOAT */
      {179, false, false, false, true, false},  /* R8G8B8_UINT */
      {187, false, false, false, true, false},  /* R16G16B16_UINT */
      {195, true, true, false, true, true},     /* R32G32B32_UINT */
      {231, true, true, false, true, true},     /* R8G8B8X8_UINT */
   };
   (void)state;

   get(2, 0);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const unsigned format = rows[i].format;

      assert_int_equal(bit_at(SAMPLED, format), rows[i].sampled);
      assert_int_equal(bit_at(RENDERED, format), rows[i].rendered);
      assert_int_equal(bit_at(DEPTH, format), rows[i].depth);
      assert_int_equal(bit_at(VERTEX, format), rows[i].vertex);
      assert_int_equal(bit_at(MANY, format), rows[i].many);
   }
   assert_true(bit_at(MANY, 0));
   assert_false(bit_at(SAMPLED, 0));
   for (unsigned i = VIRGL_NUM_FORMATS; i < 512; i++)
      assert_false(bit_at(SAMPLED, i));
}

static void
formats_have_numbers(void **state)
{
   static const struct {
      unsigned number;
      const char *name;
   } rows[] = {
      {1, "B8G8R8A8_UNORM"},
      {2, "B8G8R8X8_UNORM"},
      {6, "B4G4R4A4_UNORM"},
      {19, "Z24_UNORM_S8_UINT"},
      {20, "S8_UINT_Z24_UNORM"},
      {31, "R32G32B32A32_FLOAT"},
      {64, "R8_UNORM"},
      {67, "R8G8B8A8_UNORM"},
      {94, "R16G16B16A16_FLOAT"},
      {104, "R8G8B8A8_SRGB"},
      {105, "DXT1_RGB"},
      {124, "R11G11B10_FLOAT"},
      {125, "R9G9B9E5_FLOAT"},
      {126, "Z32_FLOAT_S8X24_UINT"},
      {131, "B10G10R10A2_UNORM"},
      {177, "R8_UINT"},
      {200, "R32G32B32A32_SINT"},
      {226, "ETC1_RGB8"},
      {255, "BPTC_RGBA_UNORM"},
      {262, "A1B5G5R5_UNORM"}, /* and not A16L16_UNORM */
      {263, "A1R5G5B5_UNORM"}, /* and not G8R8_UNORM */
      {264, "A2B10G10R10_UNORM"},
      {265, "A2R10G10B10_UNORM"},
      {266, "A4R4G4B4_UNORM"},
      {279, "ASTC_4x4"},
      {306, "ASTC_12x12_SRGB"},
      {321, "R5G6B5_UNORM"},
   };
   unsigned num_named = 0;
   (void)state;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      assert_int_equal(virgl_format(rows[i].number),
                       tg_format_number(rows[i].name));
   for (unsigned i = 0; i < VIRGL_NUM_FORMATS; i++)
      num_named += virgl_format(i) != 0;
   /* 1 to 321 without 9 that nothing has, 10 of planes and video, R1, and the
    * three of alpha before luminance that Gallium has dropped. */
   assert_int_equal(num_named, 321 - 9 - 10 - 1 - 3);
   assert_int_equal(virgl_format(0), 0);
   assert_int_equal(virgl_format(307), 0); /* a hole */
   assert_int_equal(virgl_format(322), 0);
   assert_int_equal(virgl_format(UINT32_MAX), 0);
}

static void
set_1_is_the_beginning(void **state)
{
   unsigned char second[VIRGL_CAPSET1_BYTES];
   (void)state;

   get(2, 330);
   memcpy(second, set, sizeof(second));
   get(1, 330);
   assert_int_equal(word_at(0), 1);
   assert_memory_equal(set + 4, second + 4, sizeof(second) - 4);
   for (unsigned i = VIRGL_CAPSET1_BYTES; i < VIRGL_CAPSET2_BYTES; i++)
      assert_int_equal(set[i], 0xee);
}

static void
lower_versions_have_less(void **state)
{
   (void)state;
   get(2, 330);
   assert_int_equal(word_at(264), 330);
   assert_false(bit_at(260, 24)); /* tessellation */
   assert_false(bit_at(392, 7));  /* compute */
   assert_int_equal(word_at(440), 0);
   assert_true(bit_at(260, 14));
   get(2, 310);
   assert_int_equal(word_at(264), 140);
   get(2, 210);
   assert_int_equal(word_at(264), 120);
   get(2, 460);
   assert_int_equal(word_at(264), 430);
   assert_true(bit_at(260, 24));
}

/* What a device says of its samples, in 16ths of a pixel. */
static void
samples_have_places(void **state)
{
   (void)state;
   get(2, 0);
   for (unsigned s = 0; s < 4; s++) {
      float position[2];

      assert_int_equal(tg_get_sample_position(4, s, position), TG_OK);
      assert_true((float)(set[400 + s] >> 4) / 16 == position[0]);
      assert_true((float)(set[400 + s] & 15) / 16 == position[1]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_are_at_their_places),
      cmocka_unit_test(formats_are_what_they_can_be),
      cmocka_unit_test(formats_have_numbers),
      cmocka_unit_test(set_1_is_the_beginning),
      cmocka_unit_test(lower_versions_have_less),
      cmocka_unit_test(samples_have_places),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
