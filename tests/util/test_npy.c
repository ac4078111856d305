/* SPDX-License-Identifier: MIT
 *
 * Headers of .npy files: the bytes that NumPy writes, and bytes that it never
 * would.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "util/npy.h"

/* Bytes of a file that end where memory does, so that a read past them is a
 * fault; until the next call. */
static const void *
at_end_of_memory(const void *bytes, size_t size)
{
   enum { MOST = 128 << 10 };
   static char *memory;

   assert_true(size <= MOST);
   if (!memory) {
      memory = mmap(NULL, MOST + (64 << 10), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      assert_ptr_not_equal(memory, MAP_FAILED);
      assert_int_equal(mprotect(memory + MOST, 64 << 10, PROT_NONE), 0);
   }
   return memcpy(memory + MOST - size, bytes, size);
}

/* A version 1 file with this dictionary, as long as it is, and no array. */
static size_t
make_file(unsigned char file[512], const char *text)
{
   size_t length = strlen(text);

   memcpy(file, "\x93NUMPY\x01\x00", 8);
   file[8] = (unsigned char)length;
   file[9] = (unsigned char)(length >> 8);
   memcpy(file + 10, text, length);
   return 10 + length;
}

/* ---- good ones ----------------------------------------------------------- */

/* numpy.save() of numpy.zeros((3, 4)): 128 bytes, then the array. */
static const char numpy_header[] =
   "\x93NUMPY\x01\x00\x76\x00"
   "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"
   "                                                          \n";

static void
test_numpy(void **state)
{
   struct tg_strbuf fault = {0}, written = {0};
   struct tg_npy npy;

   (void)state;
   assert_int_equal(sizeof(numpy_header) - 1, 128);
   assert_true(tg_npy_read(numpy_header, 128, 128 + 96, &npy, &fault));
   assert_int_equal(npy.kind, 'f');
   assert_int_equal(npy.item_bytes, 8);
   assert_int_equal(npy.num_dims, 2);
   assert_int_equal(npy.shape[0], 3);
   assert_int_equal(npy.shape[1], 4);
   assert_int_equal(npy.header_bytes, 128);
   assert_int_equal(npy.data_bytes, 96);

   tg_npy_write(&written, &npy);
   assert_int_equal(written.length, 128);
   assert_memory_equal(written.data, numpy_header, 128);
   tg_strbuf_finish(&written);
}

struct good_row {
   const char *text;
   char kind;
   uint32_t item_bytes, num_dims;
   uint64_t data_bytes;
};

static void
test_good(void **state)
{
   static const struct good_row rows[] = {
      {"{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }", 'u', 1, 1,
       5},
      {"{'shape':(2,3,),'fortran_order':False,'descr':'<i2'}\n", 'i', 2, 2, 12},
      {"{'descr': '|b1', 'fortran_order': False, 'shape': ()}", 'b', 1, 0, 1},
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (0, "
       "18446744073709551615)}",
       'f', 2, 2, 0},
   };
   struct tg_strbuf fault = {0};
   unsigned char file[512];
   struct tg_npy npy;

   (void)state;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      size_t size = make_file(file, rows[i].text);

      assert_true(tg_npy_read(at_end_of_memory(file, size), size,
                              size + rows[i].data_bytes, &npy, &fault));
      assert_int_equal(npy.header_bytes, size);
      assert_int_equal(npy.kind, rows[i].kind);
      assert_int_equal(npy.item_bytes, rows[i].item_bytes);
      assert_int_equal(npy.num_dims, rows[i].num_dims);
      assert_int_equal(npy.data_bytes, rows[i].data_bytes);
   }
}

/* Every number of dimensions comes back, and the array begins at a multiple of
 * 64. */
static void
test_round_trip(void **state)
{
   struct tg_npy npy = {.kind = 'i', .item_bytes = 4, .data_bytes = 4};

   (void)state;
   for (; npy.num_dims <= TG_NPY_MAX_DIMS; npy.num_dims++) {
      struct tg_strbuf file = {0}, fault = {0};
      struct tg_npy read;

      npy.shape[npy.num_dims - (npy.num_dims > 0)] = 1;
      tg_npy_write(&file, &npy);
      assert_int_equal(file.length % 64, 0);
      assert_true(
         tg_npy_read(file.data, file.length, file.length + 4, &read, &fault));
      assert_int_equal(read.num_dims, npy.num_dims);
      assert_memory_equal(read.shape, npy.shape,
                          npy.num_dims * sizeof(npy.shape[0]));
      tg_strbuf_finish(&file);
   }
}

/* ---- bad ones ------------------------------------------------------------ */

static void
expect_fault(const void *file, size_t size, const char *expected)
{
   struct tg_strbuf fault = {0};
   struct tg_npy npy;

   file = at_end_of_memory(file, size);
   assert_false(tg_npy_read(file, size, size, &npy, &fault));
   assert_string_equal(fault.data, expected);
   tg_strbuf_finish(&fault);
}

static void
test_bad(void **state)
{
   static const char members[] = "has a damaged header: its members are descr, "
                                 "fortran_order and shape";
   static const char missing[] = "has a damaged header: a member is missing";
   static const char no_shape[] =
      "has a damaged header: a shape is made of numbers";
   static const char *const rows[][2] = {
      {"  ", "has a damaged header: there is no { where there should be"},
      {"{}", missing},
      {"{'descr': '<f4', 'fortran_order': False}", missing},
      {"{'descr'}",
       "has a damaged header: there is no : where there should be"},
      {"{'descr': '<f4' 'shape'",
       "has a damaged header: there is no } where there should be"},
      {"{'descr': '<f4', 'name': 1}", members},
      {"{'descr': '<f4", "has a damaged header: a type has no end"},
      {"{'shape': (-1,)}", no_shape},
      {"{'shape': (1, 2", "has a damaged header: there is no , where there "
                          "should be"},
      {"{'shape': (1,, 2)}", no_shape},
      {"{'shape': (18446744073709551616,)}", "has a side of 2^64 or more"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
       "has a damaged header: something follows it"},
      {"{'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
       "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)}",
       "has more than 32 dimensions"},
      {"{'descr': '<i3'}", "has elements of type '<i3', which are no integers "
                           "or floats of 1, 2, 4 or 8 bytes"},
      {"{'descr': '|f4'}", "has elements of type '|f4', which are no integers "
                           "or floats of 1, 2, 4 or 8 bytes"},
      {"{'descr': '\x1b[2J'}",
       "has a damaged header: a type is printable ASCII"},
      {"{'descr': '<c16'}",
       "has elements of type '<c16', which are no integers "
       "or floats of 1, 2, 4 or 8 bytes"},
   };
   unsigned char file[512];

   (void)state;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      expect_fault(file, make_file(file, rows[i][0]), rows[i][1]);
}

/* A good file that ends anywhere. */
static void
test_truncated(void **state)
{
   (void)state;
   assert_false(tg_npy_is(at_end_of_memory(numpy_header, 5), 5));
   assert_true(tg_npy_is(at_end_of_memory(numpy_header, 6), 6));
   for (size_t size = 0; size < 128; size++)
      expect_fault(numpy_header, size,
                   size < 6 ? "is no .npy file" : "ends within its header");
   expect_fault(numpy_header, 128,
                "has 0 bytes after its header, and its shape wants 96");
   for (size_t size = 6; size < 12; size++)
      expect_fault("\x93NUMPY\x02\x00\x01\x00\x00\x00", size,
                   "ends within its header");
   expect_fault("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12,
                "has a header of more than 64 KiB");
   expect_fault("\x93NUMPY\x03\x00\x00\x00\x00\x00", 12,
                "is of a version of .npy that is not 1 or 2");
}

/* Each dictionary that is good, cut off anywhere: its own length says where. */
static void
test_cut_dictionaries(void **state)
{
   static const char text[] =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 12), }";
   char cut[sizeof(text)];
   unsigned char file[512];

   (void)state;
   for (size_t length = 0; length < sizeof(text) - 1; length++) {
      struct tg_strbuf fault = {0};
      struct tg_npy npy;

      memcpy(cut, text, length);
      cut[length] = '\0';
      const size_t size = make_file(file, cut);
      assert_false(tg_npy_read(at_end_of_memory(file, size), size, size + 144,
                               &npy, &fault));
      assert_true(fault.length > 0);
      tg_strbuf_finish(&fault);
   }
}

/* A file of a version whose header has `total` bytes, most of them spaces, and
 * an array of one float. NULL or what is wrong with it. */
static const char *
read_padded(unsigned char version, size_t total)
{
   static const char text[] =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
   static unsigned char file[70000];
   static char said[256];
   struct tg_strbuf fault = {0};
   struct tg_npy npy;
   const size_t begin = version == 1 ? 10 : 12;
   const size_t length = total - begin;
   const size_t there = total < TG_NPY_MAX_HEADER ? total : TG_NPY_MAX_HEADER;

   memcpy(file, "\x93NUMPY", 6);
   file[6] = version;
   file[7] = 0;
   for (size_t i = 8; i < begin; i++)
      file[i] = (unsigned char)(length >> (i - 8) * 8);
   memset(file + begin, ' ', length);
   memcpy(file + begin, text, sizeof(text) - 1);
   file[total - 1] = '\n';
   if (tg_npy_read(at_end_of_memory(file, there), there, total + 4, &npy,
                   &fault)) {
      assert_int_equal(npy.header_bytes, total);
      return NULL;
   }
   snprintf(said, sizeof(said), "%s", fault.data);
   tg_strbuf_finish(&fault);
   return said;
}

static void
test_greatest_header(void **state)
{
   static const char too_large[] = "has a header of more than 64 KiB";

   (void)state;
   assert_null(read_padded(1, 128));
   assert_null(read_padded(1, 65536));
   assert_string_equal(read_padded(1, 65537), too_large);
   assert_string_equal(read_padded(1, 65545), too_large);
   assert_null(read_padded(2, 128));
   assert_null(read_padded(2, 65536));
   assert_string_equal(read_padded(2, 65537), too_large);
}

/* The array is as long as the shape says, to the byte. */
static void
test_array_bounds(void **state)
{
   static const struct {
      const char *shape;
      uint64_t there;
      const char *fault;
   } rows[] = {
      {"(2, 3)", 24, NULL},
      {"(2, 3)", 23, "has 23 bytes after its header, and its shape wants 24"},
      {"(2, 3)", 25, "has 25 bytes after its header, and its shape wants 24"},
      {"()", 4, NULL},
      {"()", 0, "has 0 bytes after its header, and its shape wants 4"},
      {"(5, 0)", 0, NULL},
      {"(5, 0)", 1, "has 1 bytes after its header, and its shape wants 0"},
      /* 2^64 - 4 bytes, then 2^64. */
      {"(4611686018427387903,)", 0,
       "has 0 bytes after its header, and its shape wants "
       "18446744073709551612"},
      {"(4611686018427387904,)", 0, "has a shape of 2^64 bytes or more"},
      {"(2147483648, 2147483648)", 0, "has a shape of 2^64 bytes or more"},
      {"(18446744073709551615,)", 0, "has a shape of 2^64 bytes or more"},
   };
   unsigned char file[512];
   char text[256];

   (void)state;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct tg_strbuf fault = {0};
      struct tg_npy npy;

      snprintf(text, sizeof(text),
               "{'descr': '<f4', 'fortran_order': False, 'shape': %s}",
               rows[i].shape);
      const size_t size = make_file(file, text);
      const bool good = tg_npy_read(at_end_of_memory(file, size), size,
                                    size + rows[i].there, &npy, &fault);
      assert_int_equal(good, !rows[i].fault);
      if (!good)
         assert_string_equal(fault.data, rows[i].fault);
      tg_strbuf_finish(&fault);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numpy),
      cmocka_unit_test(test_good),
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_bad),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_cut_dictionaries),
      cmocka_unit_test(test_greatest_header),
      cmocka_unit_test(test_array_bounds),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
