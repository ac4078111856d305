/* SPDX-License-Identifier: MIT
 *
 * The command printer, by the rows of fields.def.
 */
#include "virgl/wire/print.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "tungsten/resource.h"
#include "util/bits.h"
#include "util/length.h"
#include "virgl/wire/formats.h"
#include "virgl/wire/protocol.h"

/* ---- tables -------------------------------------------------------------- */

enum kind {
   KIND_BOOL,
   KIND_UINT,
   KIND_INT,
   KIND_HEX,
   KIND_FLOAT,
   KIND_DOUBLE,
   KIND_FORMAT,
   /* Those of names. */
   KIND_BLEND,
   KIND_FACE,
   KIND_FACTOR,
   KIND_FILL,
   KIND_FILTER,
   KIND_FUNC,
   KIND_LOGIC,
   KIND_MIP,
   KIND_PRIM,
   KIND_QUERY,
   KIND_STAGE,
   KIND_STENCIL,
   KIND_SWIZZLE,
   KIND_TARGET,
   KIND_WRAP,
   NUM_KINDS
};

enum { MAX_NAMES = 32 };

/* Gallium's names, by their numbers. */
static const char *const names[NUM_KINDS][MAX_NAMES] = {
   [KIND_BLEND] = {"ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"},
   [KIND_FACE] = {"NONE", "FRONT", "BACK", "FRONT_AND_BACK"},
   [KIND_FACTOR] = {[0x01] = "ONE",
                    "SRC_COLOR",
                    "SRC_ALPHA",
                    "DST_ALPHA",
                    "DST_COLOR",
                    "SRC_ALPHA_SATURATE",
                    "CONST_COLOR",
                    "CONST_ALPHA",
                    "SRC1_COLOR",
                    "SRC1_ALPHA",
                    [0x11] = "ZERO",
                    "INV_SRC_COLOR",
                    "INV_SRC_ALPHA",
                    "INV_DST_ALPHA",
                    "INV_DST_COLOR",
                    [0x17] = "INV_CONST_COLOR",
                    "INV_CONST_ALPHA",
                    "INV_SRC1_COLOR",
                    "INV_SRC1_ALPHA"},
   [KIND_FILL] = {"FILL", "LINE", "POINT"},
   [KIND_FILTER] = {"NEAREST", "LINEAR"},
   [KIND_FUNC] = {"NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NOTEQUAL",
                  "GEQUAL", "ALWAYS"},
   [KIND_LOGIC] = {"CLEAR", "NOR", "AND_INVERTED", "COPY_INVERTED",
                   "AND_REVERSE", "INVERT", "XOR", "NAND", "AND", "EQUIV",
                   "NOOP", "OR_INVERTED", "COPY", "OR_REVERSE", "OR", "SET"},
   [KIND_MIP] = {"NEAREST", "LINEAR", "NONE"},
   [KIND_PRIM] = {"POINTS", "LINES", "LINE_LOOP", "LINE_STRIP", "TRIANGLES",
                  "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS", "QUAD_STRIP",
                  "POLYGON", "LINES_ADJACENCY", "LINE_STRIP_ADJACENCY",
                  "TRIANGLES_ADJACENCY", "TRIANGLE_STRIP_ADJACENCY", "PATCHES"},
   [KIND_QUERY] = {"OCCLUSION_COUNTER", "OCCLUSION_PREDICATE", "TIMESTAMP",
                   "TIMESTAMP_DISJOINT", "TIME_ELAPSED", "PRIMITIVES_GENERATED",
                   "PRIMITIVES_EMITTED", "SO_STATISTICS",
                   "SO_OVERFLOW_PREDICATE", "GPU_FINISHED",
                   "PIPELINE_STATISTICS", "OCCLUSION_PREDICATE_CONSERVATIVE",
                   "SO_OVERFLOW_ANY_PREDICATE"},
   [KIND_STAGE] = {"VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"},
   [KIND_STENCIL] = {"KEEP", "ZERO", "REPLACE", "INCR", "DECR", "INCR_WRAP",
                     "DECR_WRAP", "INVERT"},
   [KIND_SWIZZLE] = {"X", "Y", "Z", "W", "ZERO", "ONE"},
   [KIND_TARGET] = {"BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "1D_ARRAY",
                    "2D_ARRAY", "CUBE_ARRAY"},
   [KIND_WRAP] = {"REPEAT", "CLAMP", "CLAMP_TO_EDGE", "CLAMP_TO_BORDER",
                  "MIRROR_REPEAT", "MIRROR_CLAMP", "MIRROR_CLAMP_TO_EDGE",
                  "MIRROR_CLAMP_TO_BORDER"},
};

/* What fields are of: a command, an object or a group. */
enum {
   OBJECTS = 256,
   GROUPS = 512,
};

enum group_number {
#define VIRGL_GROUP(of, group, label, word, unit, count) GROUP_##group,
#include "virgl/wire/fields.def"
   NUM_GROUPS
};

#define OF(of) (VIRGL_OF_##of)
enum {
#define VIRGL_COMMAND(number, NAME, id, least, unit) VIRGL_OF_##NAME = (number),
#include "virgl/wire/commands.def"
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   VIRGL_OF_OBJECT_##NAME = OBJECTS + (number),
#include "virgl/wire/objects.def"
#define VIRGL_GROUP(of, group, label, word, unit, count)                       \
   VIRGL_OF_GROUP_##group = GROUPS + GROUP_##group,
#include "virgl/wire/fields.def"
};

static const struct group {
   const char *label;
   uint16_t of;
   uint8_t word, unit, count;
} groups[NUM_GROUPS] = {
#define VIRGL_GROUP(of, group, label, word, unit, count)                       \
   [GROUP_##group] = {#label, OF(of), word, unit, count},
#include "virgl/wire/fields.def"
};

static const struct field {
   const char *name;
   uint16_t of;
   uint8_t word, first, bits, kind;
} fields[] = {
#define VIRGL_FIELD(of, name, word, first, bits, kind)                         \
   {#name, OF(of), word, first, bits, KIND_##kind},
#include "virgl/wire/fields.def"
};

enum { NUM_FIELDS = sizeof(fields) / sizeof(fields[0]) };

/* ---- values -------------------------------------------------------------- */

static const char *
find_name(enum kind kind, uint32_t value, char room[16])
{
   assert(kind < TG_LENGTH(names));
   if (value < MAX_NAMES && names[kind][value])
      return names[kind][value];
   snprintf(room, 16, "%" PRIu32, value);
   return room;
}

const char *
virgl_print_target(uint32_t target, char room[16])
{
   return find_name(KIND_TARGET, target, room);
}

const char *
virgl_print_stage(uint32_t stage, char room[16])
{
   return find_name(KIND_STAGE, stage, room);
}

const char *
virgl_print_format(uint32_t format, char room[16])
{
   const uint32_t number = virgl_format(format);
   const char *name = number ? tg_format_name(number) : NULL;

   if (name)
      return name;
   snprintf(room, 16, "%" PRIu32, format);
   return room;
}

static void
print_double(const uint32_t words[2], struct tg_strbuf *out)
{
   tg_strbuf_double(out, "%g",
                    tg_double_of_bits(words[0] | (uint64_t)words[1] << 32));
}

/* `words` has those that the field needs. */
static void
print_value(const struct field *field, const uint32_t *words,
            struct tg_strbuf *out)
{
   const uint32_t value =
      virgl_bits(words[field->word], field->first, field->bits);
   char room[16];

   switch (field->kind) {
   case KIND_UINT: tg_strbuf_printf(out, "%" PRIu32, value); break;
   case KIND_INT: tg_strbuf_printf(out, "%" PRId32, (int32_t)value); break;
   case KIND_HEX: tg_strbuf_printf(out, "0x%" PRIx32, value); break;
   case KIND_FLOAT:
      tg_strbuf_double(out, "%g", (double)tg_float_of_bits(value));
      break;
   case KIND_DOUBLE: print_double(&words[field->word], out); break;
   case KIND_FORMAT: tg_strbuf_add(out, virgl_print_format(value, room)); break;
   default:
      tg_strbuf_add(out, find_name((enum kind)field->kind, value, room));
      break;
   }
}

static bool
is_zero(const struct field *field, const uint32_t *words)
{
   if (field->kind == KIND_DOUBLE)
      return !words[field->word] && !words[field->word + 1];
   return !virgl_bits(words[field->word], field->first, field->bits);
}

/* ---- fields -------------------------------------------------------------- */

/* A zero that says more than that nothing was set. */
static bool
has_meaning(const struct field *field)
{
   return field->kind == KIND_STAGE || field->kind == KIND_PRIM;
}

/* Fields that the words reach to and that are not zero. */
static void
print_fields(uint32_t of, const uint32_t *words, uint32_t num_words,
             struct tg_strbuf *out)
{
   for (unsigned i = 0; i < NUM_FIELDS; i++) {
      const struct field *field = &fields[i];
      const uint32_t last = field->word + (field->kind == KIND_DOUBLE);

      if (field->of != of || last >= num_words ||
          (is_zero(field, words) && !has_meaning(field)))
         continue;
      tg_strbuf_printf(out, " %s", field->name);
      if (field->kind == KIND_BOOL)
         continue;
      tg_strbuf_add_char(out, '=');
      print_value(field, words, out);
   }
}

static bool
are_zero(const uint32_t *words, uint32_t count)
{
   while (count && !words[count - 1])
      count--;
   return count == 0;
}

static void
print_group(enum group_number number, const uint32_t *words, uint32_t num_words,
            struct tg_strbuf *out)
{
   assert(number < TG_LENGTH(groups));
   const struct group *group = &groups[number];

   for (uint32_t i = 0; !group->count || i < group->count; i++) {
      const uint32_t first = group->word + i * group->unit;

      if (first >= num_words)
         return;
      const uint32_t left = num_words - first;
      const uint32_t count = left < group->unit ? left : group->unit;
      if (are_zero(&words[first], count))
         continue;
      tg_strbuf_printf(out, " %s[%" PRIu32 "]{", group->label, i);
      print_fields(GROUPS + number, &words[first], count, out);
      tg_strbuf_add(out, " }");
   }
}

static void
print_groups(uint32_t of, const uint32_t *words, uint32_t num_words,
             struct tg_strbuf *out)
{
   for (unsigned i = 0; i < NUM_GROUPS; i++) {
      if (groups[i].of == of)
         print_group((enum group_number)i, words, num_words, out);
   }
}

/* The text of a marker, in quotes. */
static void
print_marker(const uint32_t *words, uint32_t num_words, struct tg_strbuf *out)
{
   const char *text = (const char *)&words[2];
   const size_t room = num_words > 2 ? sizeof(*words) * (num_words - 2) : 0;

   tg_strbuf_add(out, " \"");
   tg_strbuf_add_foreign(out, text, room < words[1] ? room : words[1],
                         TG_CONTROLS_NONE);
   tg_strbuf_add_char(out, '"');
}

void
virgl_print_command(const struct virgl_command *command, struct tg_strbuf *out)
{
   const char *name = virgl_stream_command_name(command->number);
   const char *object = virgl_stream_object_name(command->object);
   const uint32_t num_words = command->length + 1;
   const uint32_t *words = command->words;

   if (name)
      tg_strbuf_add(out, name);
   else
      tg_strbuf_printf(out, "command %" PRIu32, command->number);
   if (object && (command->number == VIRGL_CREATE_OBJECT ||
                  command->number == VIRGL_BIND_OBJECT ||
                  command->number == VIRGL_DESTROY_OBJECT))
      tg_strbuf_printf(out, " %s", object);
   print_fields(command->number, words, num_words, out);
   print_groups(command->number, words, num_words, out);
   if (command->number == VIRGL_CREATE_OBJECT && object) {
      print_fields(OBJECTS + command->object, words, num_words, out);
      print_groups(OBJECTS + command->object, words, num_words, out);
   }
   if (command->number == VIRGL_EMIT_STRING_MARKER && num_words > 1)
      print_marker(words, num_words, out);
}
