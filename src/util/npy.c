/* SPDX-License-Identifier: MIT
 *
 * Parsing and printing of .npy headers: eight bytes of magic and version, the
 * length of what follows, and that, a dictionary as Python writes it:
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }
 * with spaces and a line end after. Nothing else that Python could read there
 * is taken.
 */
#include "util/npy.h"

#include <string.h>

#include "util/ascii.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC_BYTES = 6, ALIGNMENT = 64 };

/* The text of a dictionary. */
struct reader {
   const char *at, *end;
   struct tg_strbuf *fault;
};

static bool
fail(struct reader *reader, const char *what)
{
   tg_strbuf_add(reader->fault, what);
   return false;
}

/* ---- words --------------------------------------------------------------- */

static void
skip_spaces(struct reader *reader)
{
   while (reader->at < reader->end && *reader->at == ' ')
      reader->at++;
}

/* Steps over a text if it comes next, spaces aside. */
static bool
accept(struct reader *reader, const char *text)
{
   size_t length = strlen(text);

   skip_spaces(reader);
   if ((size_t)(reader->end - reader->at) < length ||
       memcmp(reader->at, text, length) != 0)
      return false;
   reader->at += length;
   return true;
}

static bool
expect(struct reader *reader, const char *text)
{
   if (accept(reader, text))
      return true;
   tg_strbuf_printf(reader->fault,
                    "has a damaged header: there is no %s where "
                    "there should be",
                    text);
   return false;
}

static bool
read_number(struct reader *reader, uint64_t *number_out)
{
   const char *first;
   uint64_t number = 0;

   skip_spaces(reader);
   for (first = reader->at; reader->at < reader->end; reader->at++) {
      unsigned digit = (unsigned)(unsigned char)*reader->at - '0';

      if (digit > 9)
         break;
      if (__builtin_mul_overflow(number, 10, &number) ||
          __builtin_add_overflow(number, digit, &number))
         return fail(reader, "has a side of 2^64 or more");
   }
   *number_out = number;
   return reader->at > first ||
          fail(reader, "has a damaged header: a shape is made of numbers");
}

/* ---- members ------------------------------------------------------------- */

/* It may be quoted on a terminal then. */
static bool
is_printable(const char *text, const char *end)
{
   while (text < end && tg_ascii_is_printable(*text))
      text++;
   return text == end;
}

/* '<f4', with | or < in front where there is one byte. */
static bool
read_descr(struct reader *reader, struct tg_npy *npy)
{
   if (!accept(reader, "'"))
      return fail(reader, "has elements that are not numbers");

   const char *text = reader->at;
   const char *quote = memchr(text, '\'', (size_t)(reader->end - text));
   if (!quote)
      return fail(reader, "has a damaged header: a type has no end");
   reader->at = quote + 1;
   if (!is_printable(text, quote))
      return fail(reader, "has a damaged header: a type is printable ASCII");

   int length = quote - text > 20 ? 20 : (int)(quote - text);
   char order = length == 3 ? text[0] : '\0';
   char kind = length == 3 ? text[1] : '\0';
   uint32_t bytes = length == 3 ? (uint32_t)(unsigned char)text[2] - '0' : 0;
   bool is_number = (kind == 'i' || kind == 'u') &&
                    (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
   bool is_float = kind == 'f' && (bytes == 2 || bytes == 4 || bytes == 8);
   bool is_known = is_number || is_float || (kind == 'b' && bytes == 1);

   if (order == '>' && is_known && bytes > 1)
      return fail(reader, "has big-endian numbers; they must be little-endian");
   if (!is_known || (order != '<' && !(order == '|' && bytes == 1))) {
      tg_strbuf_printf(reader->fault,
                       "has elements of type '%.*s', which are no integers or "
                       "floats of 1, 2, 4 or 8 bytes",
                       length, text);
      return false;
   }
   npy->kind = kind;
   npy->item_bytes = bytes;
   return true;
}

static bool
read_order(struct reader *reader, struct tg_npy *npy)
{
   (void)npy;
   if (accept(reader, "False"))
      return true;
   if (accept(reader, "True"))
      return fail(reader, "is in Fortran order; numpy.ascontiguousarray() "
                          "makes C order of it");
   return fail(reader, "has a damaged header: fortran_order is True or False");
}

/* (), (3,), (3, 2), (3, 2,) */
static bool
read_shape(struct reader *reader, struct tg_npy *npy)
{
   if (!expect(reader, "("))
      return false;
   while (!accept(reader, ")")) {
      if (npy->num_dims == TG_NPY_MAX_DIMS)
         return fail(reader, "has more than 32 dimensions");
      if (!read_number(reader, &npy->shape[npy->num_dims++]))
         return false;
      if (!accept(reader, ",")) /* as in (3), which is a number */
         return (npy->num_dims > 1 && accept(reader, ")")) ||
                expect(reader, ",");
   }
   return true;
}

static const struct member {
   const char *key;
   bool (*read)(struct reader *reader, struct tg_npy *npy);
} members[] = {
   {"'descr'", read_descr},
   {"'fortran_order'", read_order},
   {"'shape'", read_shape},
};

enum { NUM_MEMBERS = sizeof(members) / sizeof(members[0]) };

static bool
read_member(struct reader *reader, unsigned *seen, struct tg_npy *npy)
{
   for (unsigned i = 0; i < NUM_MEMBERS; i++) {
      if (!accept(reader, members[i].key))
         continue;
      if (*seen & 1u << i)
         return fail(reader, "has a damaged header: a member is there twice");
      *seen |= 1u << i;
      return expect(reader, ":") && members[i].read(reader, npy);
   }
   return fail(reader, "has a damaged header: its members are descr, "
                       "fortran_order and shape");
}

static bool
read_dictionary(struct reader *reader, struct tg_npy *npy)
{
   unsigned seen = 0;

   if (!expect(reader, "{"))
      return false;
   while (!accept(reader, "}")) {
      if (!read_member(reader, &seen, npy))
         return false;
      if (!accept(reader, ",")) {
         if (!expect(reader, "}"))
            return false;
         break;
      }
   }
   if (seen != (1u << NUM_MEMBERS) - 1)
      return fail(reader, "has a damaged header: a member is missing");
   accept(reader, "\n");
   return reader->at == reader->end ||
          fail(reader, "has a damaged header: something follows it");
}

/* ---- the file ------------------------------------------------------------ */

bool
tg_npy_is(const void *data, size_t size)
{
   return size >= MAGIC_BYTES && memcmp(data, magic, MAGIC_BYTES) == 0;
}

/* Fills in where the dictionary is. */
static bool
find_dictionary(struct reader *reader, const unsigned char *bytes, size_t size,
                struct tg_npy *npy)
{
   size_t begin, length;

   if (!tg_npy_is(bytes, size))
      return fail(reader, "is no .npy file");
   if (size < 12)
      return fail(reader, "ends within its header");
   if (bytes[6] != 1 && bytes[6] != 2)
      return fail(reader, "is of a version of .npy that is not 1 or 2");
   begin = bytes[6] == 1 ? 10 : 12;
   length = bytes[8] | (size_t)bytes[9] << 8;
   if (bytes[6] == 2)
      length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
   if (length > TG_NPY_MAX_HEADER - begin)
      return fail(reader, "has a header of more than 64 KiB");
   if (length > size - begin)
      return fail(reader, "ends within its header");

   reader->at = (const char *)bytes + begin;
   reader->end = reader->at + length;
   npy->header_bytes = begin + length;
   return true;
}

/* A shape with a 0 has no elements, whatever its other numbers are. */
static bool
count_bytes(struct tg_npy *npy)
{
   bool is_empty = false;

   for (uint32_t i = 0; i < npy->num_dims; i++)
      is_empty |= npy->shape[i] == 0;
   npy->data_bytes = is_empty ? 0 : npy->item_bytes;
   for (uint32_t i = 0; i < npy->num_dims && !is_empty; i++) {
      if (__builtin_mul_overflow(npy->data_bytes, npy->shape[i],
                                 &npy->data_bytes))
         return false;
   }
   return true;
}

bool
tg_npy_read(const void *data, size_t size, uint64_t file_size,
            struct tg_npy *npy_out, struct tg_strbuf *fault)
{
   struct reader reader = {.fault = fault};
   struct tg_npy npy = {0};

   if (!find_dictionary(&reader, data, size, &npy) ||
       !read_dictionary(&reader, &npy))
      return false;
   if (!count_bytes(&npy))
      return fail(&reader, "has a shape of 2^64 bytes or more");

   uint64_t there = file_size - npy.header_bytes;
   if (npy.data_bytes != there) {
      tg_strbuf_printf(fault,
                       "has %llu bytes after its header, and its shape wants "
                       "%llu",
                       (unsigned long long)there,
                       (unsigned long long)npy.data_bytes);
      return false;
   }
   *npy_out = npy;
   return true;
}

/* ---- writing ------------------------------------------------------------- */

void
tg_npy_write(struct tg_strbuf *out, const struct tg_npy *npy)
{
   struct tg_strbuf text = {.allocator = out->allocator};

   tg_strbuf_printf(&text,
                    "{'descr': '%c%c%u', 'fortran_order': False, "
                    "'shape': (",
                    npy->item_bytes == 1 ? '|' : '<', npy->kind,
                    (unsigned)npy->item_bytes);
   for (uint32_t i = 0; i < npy->num_dims; i++)
      tg_strbuf_printf(&text, "%s%llu", i ? ", " : "",
                       (unsigned long long)npy->shape[i]);
   tg_strbuf_add(&text, npy->num_dims == 1 ? ",), }" : "), }");

   /* The array begins at a multiple of 64. */
   size_t length = text.length + 1;
   size_t padded = (10 + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - 10;
   for (size_t i = length; i < padded; i++)
      tg_strbuf_add_char(&text, ' ');
   tg_strbuf_add_char(&text, '\n');

   tg_strbuf_add_n(out, magic, MAGIC_BYTES);
   tg_strbuf_add_n(out, "\x01\x00", 2);
   tg_strbuf_add_char(out, (char)(padded & 0xff));
   tg_strbuf_add_char(out, (char)(padded >> 8));
   tg_strbuf_add_n(out, text.data, text.length);
   out->failed |= text.failed;
   tg_strbuf_finish(&text);
}
