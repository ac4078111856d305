/* SPDX-License-Identifier: MIT
 *
 * Reflection: the members of plain structs of unsigned numbers, by name. Keys
 * are printed and set by tables of these.
 */
#ifndef TG_UTIL_MEMBERS_H
#define TG_UTIL_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

struct tg_strbuf;

/* A number, a struct, or an array of them. Tables end with a member without a
 * name. */
struct tg_member {
   const char *name;
   uint16_t offset; /* bytes, as all below */
   uint16_t count;  /* elements of an array; 0: it is none */
   uint16_t stride; /* of elements */
   uint16_t size;   /* of a number: 1, 2, 4 or 8; of a struct 0 */
   uint32_t most;   /* that it may be set to; 0: all that it has bits for */
   const struct tg_member *members; /* of a struct */
   /* Of a number with names, the others being NULL; or NULL. */
   const char *(*name_of)(uint32_t value);
};

#define TG_MEMBER_SIZE_(type, member) sizeof(((struct type *)NULL)->member)
#define TG_MEMBER_COUNT_(type, member)                                         \
   (TG_MEMBER_SIZE_(type, member) / TG_MEMBER_SIZE_(type, member[0]))

/* Rows of a table for `struct type`. */
#define TG_NUMBER(type, member)                                                \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .size = TG_MEMBER_SIZE_(type, member)                                    \
   }
#define TG_NUMBER_TO(type, member, greatest)                                   \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .size = TG_MEMBER_SIZE_(type, member), .most = greatest                  \
   }
#define TG_NAMED(type, member, names)                                          \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .size = TG_MEMBER_SIZE_(type, member), .name_of = names                  \
   }
#define TG_NUMBERS(type, member)                                               \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .count = TG_MEMBER_COUNT_(type, member),                                 \
      .stride = TG_MEMBER_SIZE_(type, member[0]),                              \
      .size = TG_MEMBER_SIZE_(type, member[0])                                 \
   }
#define TG_NUMBERS_TO(type, member, greatest)                                  \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .count = TG_MEMBER_COUNT_(type, member),                                 \
      .stride = TG_MEMBER_SIZE_(type, member[0]),                              \
      .size = TG_MEMBER_SIZE_(type, member[0]), .most = greatest               \
   }
#define TG_NAMEDS(type, member, names)                                         \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .count = TG_MEMBER_COUNT_(type, member),                                 \
      .stride = TG_MEMBER_SIZE_(type, member[0]),                              \
      .size = TG_MEMBER_SIZE_(type, member[0]), .name_of = names               \
   }
#define TG_STRUCT(type, member, rows)                                          \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .members = rows                                                          \
   }
#define TG_STRUCTS(type, member, rows)                                         \
   {                                                                           \
      .name = #member, .offset = offsetof(struct type, member),                \
      .count = TG_MEMBER_COUNT_(type, member),                                 \
      .stride = TG_MEMBER_SIZE_(type, member[0]), .members = rows              \
   }

/* Prints each number that is not 0 as a line like "blend[1].enabled 1", which
 * begins with `indent`. */
void
tg_members_print(struct tg_strbuf *out, const struct tg_member *members,
                 const void *object, const char *indent);

/* Sets a number by its path, as printed, to a value: a number that it may be
 * set to, or one of its names if it has such. NULL, or what is wrong: static
 * text. */
const char *
tg_members_set(const struct tg_member *members, void *object, const char *path,
               const char *value);

#endif
