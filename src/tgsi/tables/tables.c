/* SPDX-License-Identifier: MIT
 *
 * Rows of the .def files, and look-up by name. Opcodes and formats are many, so
 * they are found by binary search over an order of names that the first look-up
 * computes, whichever thread makes it.
 */
#include "tgsi/tables/tables.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "util/ascii.h"

/* ---- rows ---------------------------------------------------------------- */

/* The columns' words without their prefix. */
#define TYPE(word) TG_TYPE_##word
#define TYPES_1(a)                                                             \
   {                                                                           \
      TYPE(a)                                                                  \
   }
#define TYPES_2(a, b)                                                          \
   {                                                                           \
      TYPE(a), TYPE(b)                                                         \
   }
#define TYPES_3(a, b, c)                                                       \
   {                                                                           \
      TYPE(a), TYPE(b), TYPE(c)                                                \
   }
#define TYPES_4(a, b, c, d)                                                    \
   {                                                                           \
      TYPE(a), TYPE(b), TYPE(c), TYPE(d)                                       \
   }
#define TYPES_5(a, b, c, d, e)                                                 \
   {                                                                           \
      TYPE(a), TYPE(b), TYPE(c), TYPE(d), TYPE(e)                              \
   }
#define READ(word) TG_READS_##word
#define READS_1(a)                                                             \
   {                                                                           \
      READ(a)                                                                  \
   }
#define READS_2(a, b)                                                          \
   {                                                                           \
      READ(a), READ(b)                                                         \
   }
#define READS_3(a, b, c)                                                       \
   {                                                                           \
      READ(a), READ(b), READ(c)                                                \
   }
#define READS_4(a, b, c, d)                                                    \
   {                                                                           \
      READ(a), READ(b), READ(c), READ(d)                                       \
   }
#define READS_5(a, b, c, d, e)                                                 \
   {                                                                           \
      READ(a), READ(b), READ(c), READ(d), READ(e)                              \
   }
#define PICK(a, b, c, d, e, name, ...) name
#define TYPES(...)                                                             \
   PICK(__VA_ARGS__, TYPES_5, TYPES_4, TYPES_3, TYPES_2, TYPES_1, )(__VA_ARGS__)
#define READS(...)                                                             \
   PICK(__VA_ARGS__, READS_5, READS_4, READS_3, READS_2, READS_1, )(__VA_ARGS__)

enum {
   TARGET = TG_OPCODE_FLAG_TARGET,
   TEXTOKEN = TG_OPCODE_FLAG_TEXTOKEN,
   MEMTOKEN = TG_OPCODE_FLAG_MEMTOKEN,
   MEMARGS = TG_OPCODE_FLAG_MEMARGS,
   FUSES = TG_OPCODE_FLAG_FUSES,
   LABEL = TG_OPCODE_FLAG_LABEL,
   INDENT = TG_OPCODE_FLAG_INDENT,
   OUTDENT = TG_OPCODE_FLAG_OUTDENT,
   WRITES_MEM = TG_OPCODE_FLAG_WRITES_MEM,
   ATOMIC = TG_OPCODE_FLAG_ATOMIC,
   DERIVS = TG_OPCODE_FLAG_DERIVS,
   KILLS = TG_OPCODE_FLAG_KILLS,
   DOUBLE = TG_OPCODE_FLAG_DOUBLE,
   IMMEDIATE = TG_OPCODE_FLAG_IMMEDIATE,
   S10 = TG_SPEC_2010,
   S11 = TG_SPEC_2011,
   S19 = TG_SPEC_2019,
   VS = TG_STAGE_VS,
   FS = TG_STAGE_FS,
   GS = TG_STAGE_GS,
   TCS = TG_STAGE_TCS,
   TES = TG_STAGE_TES,
   CS = TG_STAGE_CS,
   ANY = TG_STAGE_ANY,
   GFX = VS | FS | GS | TCS | TES,
   PRE = VS | GS | TCS | TES,
   R = TG_ACCESS_R,
   W = TG_ACCESS_W,
   OBJ = TG_ACCESS_OBJ,
   DIM = TG_ACCESS_DIM,
   OLD = TG_ACCESS_OLD,
   MANY = UINT16_MAX,
   NO = 0,
   YES = 1,
   SHADOW = TG_TARGET_FLAG_SHADOW,
   ARRAY = TG_TARGET_FLAG_ARRAY,
   MSAA = TG_TARGET_FLAG_MSAA,
};

const struct tg_opcode_info tg_opcodes[TG_NUM_OPCODES] = {
#define TG_OPCODE(name_, number, dst, min, src, dst_type_, types, reads_,      \
                  result_, group_, flags_, flow_, closer_, specs_, stages_,    \
                  lower, lir, title_)                                          \
   [number] = {                                                                \
      .name = #name_,                                                          \
      .title = title_,                                                         \
      .num_dst = dst,                                                          \
      .min_src = min,                                                          \
      .num_src = src,                                                          \
      .dst_type = TG_TYPE_##dst_type_,                                         \
      .src_type = types,                                                       \
      .reads = reads_,                                                         \
      .result = TG_RESULT_##result_,                                           \
      .group = TG_GROUP_##group_,                                              \
      .flags = flags_,                                                         \
      .flow = TG_FLOW_##flow_,                                                 \
      .closer = TG_OPCODE_##closer_,                                           \
      .specs = specs_,                                                         \
      .stages = stages_,                                                       \
   },
#include "tgsi/tables/opcodes.def"
};

const struct tg_dialect_info tg_dialects[TG_NUM_DIALECTS] = {
#define TG_DIALECT(name_, ...) [TG_DIALECT_##name_] = {#name_, __VA_ARGS__},
#include "tgsi/tables/dialects.def"
};

const struct tg_file_info tg_files[TG_NUM_FILES] = {
#define TG_FILE(name_, number, access_, title_)                                \
   [number] = {.name = #name_, .title = title_, .access = access_},
#include "tgsi/tables/files.def"
};

const struct tg_semantic_info tg_semantics[TG_NUM_SEMANTICS] = {
#define TG_SEMANTIC(name_, number, number20_, number23_, in, out, sv, index,   \
                    fragment_mask, alias_)                                     \
   [number] = {                                                                \
      .name = #name_,                                                          \
      .alias = alias_,                                                         \
      .number20 = number20_,                                                   \
      .number23 = number23_,                                                   \
      .in_stages = in,                                                         \
      .out_stages = out,                                                       \
      .sv_stages = sv,                                                         \
      .max_index = index,                                                      \
      .fragment_channels = TG_MASK_##fragment_mask,                            \
   },
#include "tgsi/tables/semantics.def"
};

const struct tg_property_info tg_properties[TG_NUM_PROPERTIES] = {
#define TG_PROPERTY(name_, number, form_, least_, greatest_, stages_,          \
                    elsewhere_, alias_)                                        \
   [number] = {                                                                \
      .name = #name_,                                                          \
      .alias = alias_,                                                         \
      .form = TG_FORM_##form_,                                                 \
      .least = least_,                                                         \
      .greatest = greatest_,                                                   \
      .stages = stages_,                                                       \
      .elsewhere = TG_SEVERITY_##elsewhere_,                                   \
   },
#include "tgsi/tables/properties.def"
};

const struct tg_target_info tg_targets[TG_NUM_TARGETS] = {
#define TG_TARGET(name_, number, text, coords, ref, deriv, offset, flags_,     \
                  plain_, alias_)                                              \
   [number] = {                                                                \
      .name = text,                                                            \
      .alias = alias_,                                                         \
      .num_coords = coords,                                                    \
      .reference = ref,                                                        \
      .num_derivs = deriv,                                                     \
      .plain = TG_TARGET_##plain_,                                             \
      .num_offsets = offset,                                                   \
      .flags = flags_,                                                         \
   },
#include "tgsi/tables/targets.def"
};

const struct tg_primitive_info tg_primitives[TG_NUM_PRIMITIVES] = {
#define TG_PRIMITIVE(name_, number, vertices)                                  \
   [number] = {.name = #name_, .num_vertices = vertices},
#include "tgsi/tables/primitives.def"
};

const struct tg_format_name tg_formats[TG_NUM_FORMATS] = {
#define TG_FORMAT(name_, number, number20_)                                    \
   [number] = {.name = #name_, .number20 = number20_},
#include "tgsi/tables/format_names.def"
};

const struct tg_processor_info tg_processors[TG_NUM_PROCESSORS] = {
#define TG_PROCESSOR(name_, number20_, number23_, short_name)                  \
   [TG_PROCESSOR_##name_] = {                                                  \
      .name = #name_,                                                          \
      .number20 = number20_,                                                   \
      .number23 = number23_,                                                   \
   },
#include "tgsi/tables/small_tables.def"
};

const char *const tg_interpolate_names[TG_NUM_INTERPOLATES] = {
#define TG_INTERPOLATE(name, number) [number] = #name,
#include "tgsi/tables/small_tables.def"
};

const char *const tg_location_names[TG_NUM_LOCATIONS] = {
#define TG_LOCATION(name, number) [number] = #name,
#include "tgsi/tables/small_tables.def"
};

const char *const tg_return_type_names[TG_NUM_RETURN_TYPES] = {
#define TG_RETURN_TYPE(name, number) [number] = #name,
#include "tgsi/tables/small_tables.def"
};

const char *const tg_imm_type_names[TG_NUM_IMM_TYPES] = {
#define TG_IMM_TYPE(name, number, words) [number] = #name,
#include "tgsi/tables/small_tables.def"
};

const char *const tg_memory_type_names[TG_NUM_MEMORY_TYPES] = {
#define TG_MEMORY_TYPE(name, number) [number] = #name,
#include "tgsi/tables/small_tables.def"
};

/* ---- look-ups ------------------------------------------------------------ */

/* Most words differ in their first byte, which is quick to see: bit 5 is what
 * distinguishes the cases of a letter. */
static bool
same_word(const char *name, const char *word, size_t length)
{
   if (!name || !length || ((name[0] ^ word[0]) & ~0x20))
      return false;
   return strlen(name) == length && tg_ascii_compare(name, word, length) == 0;
}

int
tg_name_find(const char *const *names, size_t num_names, const char *word,
             size_t length)
{
   for (size_t i = 0; i < num_names; i++) {
      if (same_word(names[i], word, length))
         return (int)i;
   }
   return -1;
}

/* The small tables are searched from front to back. */
#define DEFINE_FIND(function, rows, count)                                     \
   int function(const char *word, size_t length)                               \
   {                                                                           \
      for (int i = 0; i < (int)(count); i++) {                                 \
         if (same_word(rows[i].name, word, length) ||                          \
             same_word(rows[i].alias, word, length))                           \
            return i;                                                          \
      }                                                                        \
      return -1;                                                               \
   }

DEFINE_FIND(tg_semantic_find, tg_semantics, TG_NUM_SEMANTICS)
DEFINE_FIND(tg_property_find, tg_properties, TG_NUM_PROPERTIES)
DEFINE_FIND(tg_target_find, tg_targets, TG_NUM_TARGETS)

int
tg_file_find(const char *word, size_t length)
{
   for (int i = 0; i < TG_NUM_FILES; i++) {
      if (same_word(tg_files[i].name, word, length))
         return i;
   }
   return -1;
}

int
tg_primitive_find(const char *word, size_t length)
{
   for (int i = 0; i < TG_NUM_PRIMITIVES; i++) {
      if (same_word(tg_primitives[i].name, word, length))
         return i;
   }
   return -1;
}

int
tg_processor_find(const char *word, size_t length)
{
   for (int i = 0; i < TG_NUM_PROCESSORS; i++) {
      if (same_word(tg_processors[i].name, word, length))
         return i;
   }
   return -1;
}

/* Opcodes and formats in the order of their names, which is that of lower
 * case: an underscore stands before all letters. */
static struct {
   uint16_t opcode[TG_NUM_OPCODES];
   uint16_t format[TG_NUM_FORMATS];
   size_t num_opcodes;
} sorted;
static once_flag sorted_once = ONCE_FLAG_INIT;

static int
compare_opcodes(const void *a, const void *b)
{
   return tg_ascii_compare(tg_opcodes[*(const uint16_t *)a].name,
                           tg_opcodes[*(const uint16_t *)b].name, SIZE_MAX);
}

static int
compare_formats(const void *a, const void *b)
{
   return tg_ascii_compare(tg_formats[*(const uint16_t *)a].name,
                           tg_formats[*(const uint16_t *)b].name, SIZE_MAX);
}

static void
sort_names(void)
{
   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (tg_opcodes[i].name)
         sorted.opcode[sorted.num_opcodes++] = (uint16_t)i;
   }
   for (int i = 0; i < TG_NUM_FORMATS; i++)
      sorted.format[i] = (uint16_t)i;
   qsort(sorted.opcode, sorted.num_opcodes, sizeof(sorted.opcode[0]),
         compare_opcodes);
   qsort(sorted.format, TG_NUM_FORMATS, sizeof(sorted.format[0]),
         compare_formats);
}

/* Like strcmp(word, name), the word not being terminated. */
static int
compare_word(const char *word, size_t length, const char *name)
{
   int order = tg_ascii_compare(word, name, length);

   return order ? order : -(name[length] != '\0');
}

/* Few texts have one, so that they are searched last. */
static int
find_opcode_alias(const char *word, size_t length)
{
   static const struct {
      const char *name;
      uint16_t opcode;
   } aliases[] = {
#define TG_OPCODE_ALIAS(alias, opcode) {#alias, TG_OPCODE_##opcode},
#include "tgsi/tables/small_tables.def"
   };

   for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
      if (same_word(aliases[i].name, word, length))
         return aliases[i].opcode;
   }
   return -1;
}

int
tg_opcode_find(const char *word, size_t length)
{
   call_once(&sorted_once, sort_names);
   for (size_t low = 0, high = sorted.num_opcodes; low < high;) {
      size_t middle = (low + high) / 2;
      int opcode = sorted.opcode[middle];
      int order = compare_word(word, length, tg_opcodes[opcode].name);

      if (order == 0)
         return opcode;
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return find_opcode_alias(word, length);
}

int
tg_format_find(const char *word, size_t length)
{
   static const char prefix[] = "PIPE_FORMAT_";
   const size_t prefix_length = sizeof(prefix) - 1;

   if (length <= prefix_length || tg_ascii_compare(word, prefix, prefix_length))
      return -1;
   word += prefix_length;
   length -= prefix_length;

   call_once(&sorted_once, sort_names);
   for (size_t low = 0, high = TG_NUM_FORMATS; low < high;) {
      size_t middle = (low + high) / 2;
      int format = sorted.format[middle];
      int order = compare_word(word, length, tg_formats[format].name);

      if (order == 0)
         return format;
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return -1;
}

bool
tg_semantic_shows_index(enum tg_semantic semantic, unsigned index)
{
   return index || semantic == TG_SEMANTIC_GENERIC ||
          semantic == TG_SEMANTIC_TEXCOORD;
}
