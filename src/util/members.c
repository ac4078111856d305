/* SPDX-License-Identifier: MIT
 *
 * Reflection: members of structs, printed and set by tables. Structs are as
 * deep in each other as their tables are, a few levels.
 */
#include "util/members.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/strbuf.h"

/* ---- numbers ------------------------------------------------------------- */

static uint64_t
read_number(const unsigned char *from, uint16_t size)
{
   uint64_t value = 0;
   uint8_t byte;
   uint16_t half;
   uint32_t word;

   switch (size) {
   case sizeof(byte): memcpy(&byte, from, size); return byte;
   case sizeof(half): memcpy(&half, from, size); return half;
   case sizeof(word): memcpy(&word, from, size); return word;
   default: memcpy(&value, from, sizeof(value)); return value;
   }
}

static void
write_number(unsigned char *to, uint16_t size, uint64_t value)
{
   const uint8_t byte = (uint8_t)value;
   const uint16_t half = (uint16_t)value;
   const uint32_t word = (uint32_t)value;

   switch (size) {
   case sizeof(byte): memcpy(to, &byte, size); break;
   case sizeof(half): memcpy(to, &half, size); break;
   case sizeof(word): memcpy(to, &word, size); break;
   default: memcpy(to, &value, sizeof(value)); break;
   }
}

/* ---- printing ------------------------------------------------------------ */

enum { MAX_PATH = 128 };

/* The path to a member, which grows and shrinks again. */
struct path {
   char text[MAX_PATH];
   size_t length;
};

static void
extend(struct path *path, const char *format, const char *name, unsigned index)
{
   const size_t left = sizeof(path->text) - path->length;
   const int length =
      snprintf(path->text + path->length, left, format, name, index);

   path->length += (size_t)length < left ? (size_t)length : left - 1;
}

static void
print_number(struct tg_strbuf *out, const struct tg_member *member,
             const unsigned char *at, const struct path *path,
             const char *indent)
{
   const uint64_t value = read_number(at, member->size);
   const char *name = member->name_of && value <= UINT32_MAX
                         ? member->name_of((uint32_t)value)
                         : NULL;

   if (value == 0)
      return;
   if (name)
      tg_strbuf_printf(out, "%s%s %s\n", indent, path->text, name);
   else
      tg_strbuf_printf(out, "%s%s %llu\n", indent, path->text,
                       (unsigned long long)value);
}

static void
print_members(struct tg_strbuf *out, const struct tg_member *members,
              const unsigned char *object, struct path *path,
              const char *indent)
{
   const size_t length = path->length;

   for (const struct tg_member *member = members; member->name; member++) {
      for (unsigned i = 0; i == 0 || i < member->count; i++) {
         const unsigned char *at = object + member->offset + i * member->stride;

         extend(path, member->count ? "%s[%u]" : "%s", member->name, i);
         if (member->members) {
            extend(path, "%s", ".", 0);
            print_members(out, member->members, at, path, indent);
         } else {
            print_number(out, member, at, path, indent);
         }
         path->length = length;
         path->text[length] = '\0';
      }
   }
}

void
tg_members_print(struct tg_strbuf *out, const struct tg_member *members,
                 const void *object, const char *indent)
{
   struct path path = {.length = 0};

   print_members(out, members, object, &path, indent);
}

/* ---- setting ------------------------------------------------------------- */

static const struct tg_member *
find_member(const struct tg_member *members, const char *name, size_t length)
{
   for (; members->name; members++) {
      if (strlen(members->name) == length &&
          memcmp(members->name, name, length) == 0)
         return members;
   }
   return NULL;
}

/* Reads "[3]" of an array; moves on. */
static bool
read_index(const char **text, uint16_t count, unsigned *index_out)
{
   char *end;

   if (**text != '[' || !isdigit((unsigned char)(*text)[1]))
      return false;
   const unsigned long index = strtoul(*text + 1, &end, 10);
   if (*end != ']' || index >= count)
      return false;
   *text = end + 1;
   *index_out = (unsigned)index;
   return true;
}

static uint64_t
greatest_value(const struct tg_member *member)
{
   if (member->most)
      return member->most;
   return member->size < 8 ? (UINT64_C(1) << member->size * 8) - 1 : UINT64_MAX;
}

static bool
read_value(const struct tg_member *member, const char *text,
           uint64_t *value_out)
{
   const uint64_t most = greatest_value(member);

   if (isdigit((unsigned char)*text) && !member->name_of) {
      char *end;
      errno = 0;
      *value_out = strtoull(text, &end, 0);
      return *end == '\0' && errno == 0 && *value_out <= most;
   }
   for (uint32_t i = 0; member->name_of && i <= most && i <= UINT16_MAX; i++) {
      const char *name = member->name_of(i);

      *value_out = i;
      if (name && strcmp(name, text) == 0)
         return true;
   }
   return false;
}

const char *
tg_members_set(const struct tg_member *members, void *object, const char *path,
               const char *value)
{
   unsigned char *at = object;

   for (;;) {
      const size_t length = strcspn(path, "[.");
      const struct tg_member *member = find_member(members, path, length);
      unsigned index = 0;
      uint64_t number;

      if (!member)
         return "there is no such member";
      path += length;
      if (member->count && !read_index(&path, member->count, &index))
         return "the index is missing, or too large";
      at += member->offset + index * member->stride;
      if (!member->members) {
         if (*path)
            return "a number has no members";
         if (!read_value(member, value, &number))
            return "that is not a value of it";
         write_number(at, member->size, number);
         return NULL;
      }
      if (*path++ != '.')
         return "a member of it is to be named";
      members = member->members;
   }
}
