/* SPDX-License-Identifier: MIT
 *
 * The table of formats: each row against the format's name, which says by
 * itself what the channels are, and rows against each other.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/format.h"

static const char *const names[TG_NUM_FORMATS] = {
#define TG_FORMAT(name, number, ...) [number] = #name,
#include "tgsi/tables/format_names.def"
};

/* ---- names --------------------------------------------------------------- */

/* What a name like "B5G6R5_UNORM" says: letters with bits, then a type. */
struct spelling {
   unsigned num_channels;
   char letter[4];
   unsigned bits[4];
   const char *type;
};

static bool
spell(const char *name, struct spelling *out)
{
   *out = (struct spelling){0};
   while (strchr("RGBALIXZS", *name) && isdigit((unsigned char)name[1])) {
      char *end;
      if (out->num_channels == 4)
         return false;
      out->letter[out->num_channels] = *name;
      out->bits[out->num_channels++] = (unsigned)strtoul(name + 1, &end, 10);
      name = end;
   }
   if (!out->num_channels || *name != '_')
      return false;
   out->type = name + 1;
   return true;
}

static enum format_type
type_of(const char *type)
{
   static const struct {
      const char *name;
      enum format_type type;
   } rows[] = {
      {"UNORM", FORMAT_TYPE_UNORM},     {"SNORM", FORMAT_TYPE_SNORM},
      {"SRGB", FORMAT_TYPE_UNORM},      {"FLOAT", FORMAT_TYPE_FLOAT},
      {"UINT", FORMAT_TYPE_UINT},       {"SINT", FORMAT_TYPE_SINT},
      {"USCALED", FORMAT_TYPE_USCALED}, {"SSCALED", FORMAT_TYPE_SSCALED},
      {"FIXED", FORMAT_TYPE_FIXED},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
      if (strcmp(rows[i].name, type) == 0)
         return rows[i].type;
   return FORMAT_TYPE_VOID;
}

/* The channel with one of the letters, as a swizzle, or what is absent. */
static unsigned
find(const struct spelling *spelling, const char *letters, unsigned absent)
{
   for (unsigned i = 0; i < spelling->num_channels; i++)
      if (strchr(letters, spelling->letter[i]))
         return i;
   return absent;
}

static void
check_channels(const struct format_info *info, const struct spelling *spelling)
{
   const enum format_type type = type_of(spelling->type);
   unsigned shift = 0;
   assert_int_equal(info->num_channels, spelling->num_channels);
   for (unsigned i = 0; i < spelling->num_channels; i++) {
      assert_int_equal(info->channel[i].bits, spelling->bits[i]);
      assert_int_equal(info->channel[i].shift, shift);
      assert_int_equal(info->channel[i].type,
                       spelling->letter[i] == 'X' ? FORMAT_TYPE_VOID : type);
      shift += spelling->bits[i];
   }
   assert_int_equal(info->block_bytes * 8, shift);
}

static void
check_swizzle(const struct format_info *info, const struct spelling *spelling)
{
   static const char *const letters[4] = {"RLI", "GLI", "BLI", "AI"};
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(info->swizzle[i],
                       find(spelling, letters[i],
                            i < 3 ? FORMAT_SWIZZLE_0 : FORMAT_SWIZZLE_1));
}

static void
test_names(void **state)
{
   (void)state;
   unsigned num_checked = 0;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      const struct format_info *info = format_info((enum tg_format)i);
      struct spelling spelling;
      if (info->layout == FORMAT_LAYOUT_NONE)
         continue;
      assert_string_equal(info->name, names[i]);
      if (info->layout != FORMAT_LAYOUT_PLAIN ||
          info->colorspace == FORMAT_COLORSPACE_ZS ||
          !spell(info->name, &spelling))
         continue;
      const enum format_type type = type_of(spelling.type);
      assert_int_equal(info->class, type == FORMAT_TYPE_UINT ? FORMAT_CLASS_UINT
                                    : type == FORMAT_TYPE_SINT
                                       ? FORMAT_CLASS_SINT
                                       : FORMAT_CLASS_FLOAT);
      assert_int_equal(info->colorspace, strcmp(spelling.type, "SRGB") == 0
                                            ? FORMAT_COLORSPACE_SRGB
                                            : FORMAT_COLORSPACE_RGB);
      check_channels(info, &spelling);
      check_swizzle(info, &spelling);
      num_checked++;
   }
   assert_true(num_checked >= 260);
}

/* A name that says what its channels are has a row, unless words of a texel
 * cannot hold them. */
static void
test_nothing_is_missing(void **state)
{
   (void)state;
   for (unsigned i = 1; i < TG_NUM_FORMATS; i++) {
      struct spelling spelling;
      if (!names[i] || !spell(names[i], &spelling))
         continue;
      const bool is_wide =
         spelling.bits[0] == 64 && type_of(spelling.type) != FORMAT_TYPE_FLOAT;
      const bool is_known = type_of(spelling.type) != FORMAT_TYPE_VOID;
      if (is_known && !is_wide && strcmp(names[i], "R1_UNORM") != 0 &&
          format_info((enum tg_format)i)->layout == FORMAT_LAYOUT_NONE) {
         printf("%s has no row\n", names[i]);
         fail();
      }
   }
}

/* ---- rows ---------------------------------------------------------------- */

static void
test_units(void **state)
{
   (void)state;
   for (unsigned i = 0; i < TG_NUM_FORMATS; i++) {
      const struct format_info *info = format_info((enum tg_format)i);
      if (info->layout == FORMAT_LAYOUT_NONE)
         continue;
      assert_int_equal(info->unit * info->num_units, info->block_bytes);
      assert_true(info->unit == 1 || info->unit == 2 || info->unit == 4);
      for (unsigned c = 0; c < info->num_channels; c++) {
         const struct format_channel *channel = &info->channel[c];
         const unsigned unit_bits = info->unit * 8u;
         const unsigned first = channel->shift / unit_bits;
         const unsigned last =
            (channel->shift + channel->bits - 1u) / unit_bits;
         if (channel->bits == 64)
            assert_true(info->unit == 4 && channel->shift % 64 == 0);
         else
            assert_int_equal(first, last);
      }
   }
}

static void
test_decoded(void **state)
{
   (void)state;
   for (unsigned i = 0; i < TG_NUM_FORMATS; i++) {
      const enum tg_format format = (enum tg_format)i;
      const struct format_info *info = format_info(format);
      const enum tg_format decoded = format_decoded(format);
      if (info->layout == FORMAT_LAYOUT_NONE) {
         assert_int_equal(decoded, TG_FORMAT_NONE);
         continue;
      }
      if (!format_is_compressed(format)) {
         assert_int_equal(decoded, format);
         continue;
      }
      assert_int_equal(format_info(decoded)->layout, FORMAT_LAYOUT_PLAIN);
      assert_int_equal(format_info(decoded)->colorspace, info->colorspace);
   }
}

static void
test_depth_and_stencil(void **state)
{
   (void)state;
   static const struct {
      enum tg_format format;
      bool depth, stencil;
      unsigned depth_shift, stencil_shift;
   } rows[] = {
      {TG_FORMAT_Z16_UNORM, true, false, 0, 0},
      {TG_FORMAT_Z24X8_UNORM, true, false, 0, 0},
      {TG_FORMAT_X8Z24_UNORM, true, false, 8, 0},
      {TG_FORMAT_Z32_FLOAT, true, false, 0, 0},
      {TG_FORMAT_Z24_UNORM_S8_UINT, true, true, 0, 24},
      {TG_FORMAT_S8_UINT_Z24_UNORM, true, true, 8, 0},
      {TG_FORMAT_Z32_FLOAT_S8X24_UINT, true, true, 0, 32},
      {TG_FORMAT_S8_UINT, false, true, 0, 0},
      {TG_FORMAT_X24S8_UINT, false, true, 0, 24},
      {TG_FORMAT_S8X24_UINT, false, true, 0, 0},
      {TG_FORMAT_X32_S8X24_UINT, false, true, 0, 32},
      {TG_FORMAT_R8G8B8A8_UNORM, false, false, 0, 0},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const struct format_info *info = format_info(rows[i].format);
      assert_int_equal(format_has_depth(rows[i].format), rows[i].depth);
      assert_int_equal(format_has_stencil(rows[i].format), rows[i].stencil);
      if (rows[i].depth)
         assert_int_equal(info->channel[info->depth].shift,
                          rows[i].depth_shift);
      if (rows[i].stencil)
         assert_int_equal(info->channel[info->stencil].shift,
                          rows[i].stencil_shift);
   }
}

static void
test_layouts(void **state)
{
   (void)state;
   static const struct {
      enum tg_format format;
      uint32_t stored; /* bit 0 for x */
      enum format_type type;
      unsigned last_unit, last_shift; /* of the last channel */
      uint64_t greatest;              /* of the first */
   } rows[] = {
      {TG_FORMAT_R8G8B8A8_UNORM, 15, FORMAT_TYPE_UNORM, 0, 24, 255},
      {TG_FORMAT_X8B8G8R8_UNORM, 7, FORMAT_TYPE_UNORM, 0, 24, 255},
      {TG_FORMAT_L8A8_SNORM, 9, FORMAT_TYPE_SNORM, 0, 8, 127},
      {TG_FORMAT_I16_FLOAT, 1, FORMAT_TYPE_FLOAT, 0, 0, 65535},
      {TG_FORMAT_R16G16B16_SINT, 7, FORMAT_TYPE_SINT, 2, 0, 32767},
      {TG_FORMAT_R32G32_FIXED, 3, FORMAT_TYPE_FIXED, 1, 0, INT32_MAX},
      {TG_FORMAT_R64G64_FLOAT, 3, FORMAT_TYPE_FLOAT, 2, 0, UINT64_MAX},
      {TG_FORMAT_R9G9B9E5_FLOAT, 7, FORMAT_TYPE_MANTISSA, 0, 27, 511},
      {TG_FORMAT_Z24_UNORM_S8_UINT, 1, FORMAT_TYPE_UNORM, 0, 24, 0xffffff},
      {TG_FORMAT_X32_S8X24_UINT, 1, FORMAT_TYPE_UINT, 1, 8, UINT32_MAX},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      const struct format_info *info = format_info(rows[i].format);
      const struct format_place last =
         format_place(info, info->num_channels - 1u);
      assert_int_equal(format_stored_words(info), rows[i].stored);
      assert_int_equal(format_color_type(info), rows[i].type);
      assert_int_equal(last.unit, rows[i].last_unit);
      assert_int_equal(last.shift, rows[i].last_shift);
      assert_int_equal(format_greatest(&info->channel[0]), rows[i].greatest);
   }
}

static void
test_numbers_that_are_none(void **state)
{
   (void)state;
   const struct format_info *none = format_info(TG_FORMAT_NONE);
   assert_int_equal(none->layout, FORMAT_LAYOUT_NONE);
   assert_ptr_equal(format_info(TG_NUM_FORMATS), none);
   assert_ptr_equal(format_info((enum tg_format) - 1), none);
   assert_ptr_equal(format_info(TG_FORMAT_NV12), none);
   assert_false(format_is_compressed(TG_FORMAT_NONE));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_nothing_is_missing),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_decoded),
      cmocka_unit_test(test_depth_and_stencil),
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_numbers_that_are_none),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
