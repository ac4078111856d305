/* SPDX-License-Identifier: MIT
 *
 * Emission of the shader's text: lines in the form that shaders are printed in,
 * and the registers and immediates that they use, which are declared when all
 * lines are known.
 */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tegra/decompile/decompile.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"
#include "util/length.h"

void
decompile_text_clear(struct decompile *decompile)
{
   decompile->out_of_memory |= decompile->body.failed;
   tg_strbuf_finish(&decompile->body);
   decompile->num_lines = 0;
   decompile->nesting = 0;
   decompile->num_immediates = 0;
   memset(decompile->roles, 0, sizeof(decompile->roles));
   memset(decompile->uses_temporary, 0, sizeof(decompile->uses_temporary));
   memset(decompile->uses_attribute, 0, sizeof(decompile->uses_attribute));
   memset(decompile->uses_constant, 0, sizeof(decompile->uses_constant));
   memset(decompile->uses_export, 0, sizeof(decompile->uses_export));
   memset(decompile->uses_address, 0, sizeof(decompile->uses_address));
   decompile->uses_stack_array = false;
   decompile->num_temporaries = decompile->num_registers;
}

/* ---- lines --------------------------------------------------------------- */

struct decompile_text
decompile_text_format(const char *format, ...)
{
   struct decompile_text made;
   va_list args;

   va_start(args, format);
   vsnprintf(made.text, sizeof(made.text), format, args);
   va_end(args);
   return made;
}

static void
add_line(struct decompile *decompile, const char *format, va_list args)
{
   struct tg_strbuf *body = &decompile->body;

   tg_strbuf_printf(body, "%3u: ", (unsigned)decompile->num_lines++);
   for (unsigned i = 0; i < decompile->nesting; i++)
      tg_strbuf_add(body, "  ");
   tg_strbuf_vprintf(body, format, args);
   tg_strbuf_add_char(body, '\n');
}

void
decompile_text_line(struct decompile *decompile, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   add_line(decompile, format, args);
   va_end(args);
}

void
decompile_text_open(struct decompile *decompile, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   add_line(decompile, format, args);
   va_end(args);
   decompile->nesting++;
}

void
decompile_text_close(struct decompile *decompile, const char *text)
{
   decompile->nesting--;
   decompile_text_line(decompile, "%s", text);
}

struct decompile_text
decompile_text_mask(unsigned mask)
{
   struct decompile_text made = {""};
   unsigned length = 0;

   if (mask == TEGRA_MASK_XYZW)
      return made;
   made.text[length++] = '.';
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         made.text[length++] = "xyzw"[i];
   }
   made.text[length] = '\0';
   return made;
}

struct decompile_text
decompile_text_swizzle(unsigned swizzle, unsigned components)
{
   struct decompile_text made = {"."};
   bool is_identity = true;
   int first = -1;

   for (unsigned i = 0; i < 4; i++) {
      unsigned from = tegra_swizzle_get(swizzle, i);

      if (!tegra_mask_has(components, i))
         continue;
      is_identity &= from == i;
      if (first < 0)
         first = (int)from;
   }
   if (is_identity && components != tegra_mask_bit(0))
      return (struct decompile_text){""};

   /* What is not read repeats what is. */
   for (unsigned i = 0; i < 4; i++) {
      unsigned from = tegra_mask_has(components, i)
                         ? tegra_swizzle_get(swizzle, i)
                         : (unsigned)(first < 0 ? 0 : first);

      made.text[1 + i] = "xyzw"[from];
   }
   made.text[5] = '\0';
   return made;
}

/* ---- registers ----------------------------------------------------------- */

struct decompile_text
decompile_text_temporary(struct decompile *decompile, unsigned index)
{
   assert(index < TG_LENGTH(decompile->uses_temporary));
   decompile->uses_temporary[index] = true;
   return decompile_text_format("TEMP[%u]", index);
}

static_assert(TG_TEGRA_NUM_TEMPORARIES + DECOMPILE_NUM_ROLES <=
                 DECOMPILE_MAX_TEMPORARIES,
              "each role has a temporary");

struct decompile_text
decompile_text_role(struct decompile *decompile, unsigned role)
{
   bool is_stack = role >= DECOMPILE_STACK;
   unsigned from = is_stack ? DECOMPILE_STACK : role;
   unsigned count = is_stack ? TG_TEGRA_STACK_DEPTH : 1;

   if (!decompile->roles[from]) {
      unsigned first = decompile->num_temporaries;

      for (unsigned i = 0; i < count; i++)
         decompile->roles[from + i] = (uint8_t)(first + i + 1);
      decompile->num_temporaries = (uint8_t)(first + count);
   }
   return decompile_text_temporary(decompile, decompile->roles[role] - 1u);
}

/* ---- immediates ---------------------------------------------------------- */

static struct decompile_immediate *
add_immediate(struct decompile *decompile)
{
   if (!tg_arena_reserve(&decompile->arena, (void **)&decompile->immediates,
                         &decompile->immediate_capacity,
                         decompile->num_immediates,
                         sizeof(*decompile->immediates))) {
      decompile->out_of_memory = true;
      return NULL;
   }
   struct decompile_immediate *immediate =
      &decompile->immediates[decompile->num_immediates++];
   *immediate = (struct decompile_immediate){0};
   return immediate;
}

/* A component of an immediate that holds a word, found or made. */
static struct decompile_text
scalar(struct decompile *decompile, bool is_integer, uint32_t word)
{
   struct decompile_immediate *immediate = NULL;
   unsigned component = 0;

   for (uint32_t i = 0; i < decompile->num_immediates && !immediate; i++) {
      struct decompile_immediate *candidate = &decompile->immediates[i];

      if (candidate->is_vector || candidate->is_integer != is_integer)
         continue;
      for (component = 0; component < candidate->num_words; component++) {
         if (candidate->words[component] == word)
            break;
      }
      if (component < 4)
         immediate = candidate;
   }
   if (!immediate) {
      immediate = add_immediate(decompile);
      component = 0;
   }
   if (!immediate)
      return (struct decompile_text){""};
   if (component == immediate->num_words) {
      immediate->is_integer = is_integer;
      immediate->words[immediate->num_words++] = word;
   }
   unsigned swizzle = tegra_swizzle(component, component, component, component);
   return decompile_text_format(
      "IMM[%u]%s", (unsigned)(immediate - decompile->immediates),
      decompile_text_swizzle(swizzle, TEGRA_MASK_XYZW).text);
}

struct decompile_text
decompile_text_float(struct decompile *decompile, float value)
{
   return scalar(decompile, false, tg_bits_of_float(value));
}

struct decompile_text
decompile_text_integer(struct decompile *decompile, int32_t value)
{
   return scalar(decompile, true, (uint32_t)value);
}

struct decompile_text
decompile_text_given(struct decompile *decompile, uint32_t index)
{
   uint32_t number = 0;

   if (index > TG_TEGRA_NUM_CONSTANTS)
      index = TG_TEGRA_NUM_CONSTANTS;
   while (number < decompile->num_immediates &&
          !(decompile->immediates[number].is_vector &&
            decompile->immediates[number].constant == index))
      number++;
   if (number == decompile->num_immediates) {
      struct decompile_immediate *immediate = add_immediate(decompile);

      if (!immediate)
         return (struct decompile_text){""};
      immediate->is_vector = true;
      immediate->constant = index;
      immediate->num_words = 4;
      if (index < TG_TEGRA_NUM_CONSTANTS)
         memcpy(immediate->words, decompile->program->constants[index],
                sizeof(immediate->words));
   }
   return decompile_text_format("IMM[%u]", (unsigned)number);
}

/* The shortest of some decimal forms that is read as these bits, or the bits.
 * Whatever point the locale has, here it writes and reads. */
static void
add_float(struct tg_strbuf *out, uint32_t word)
{
   static const char *const formats[] = {"%.1f", "%.6g", "%.9g"};
   float value = tg_float_of_bits(word);
   char digits[32];

   for (unsigned i = fabsf(value) >= 1e6f; isfinite(value) && i < 3; i++) {
      snprintf(digits, sizeof(digits), formats[i], (double)value);
      if (tg_bits_of_float(strtof(digits, NULL)) == word) {
         tg_strbuf_double(out, formats[i], (double)value);
         return;
      }
   }
   tg_strbuf_printf(out, "0x%08x", (unsigned)word);
}

static void
add_immediate_text(struct tg_strbuf *out,
                   const struct decompile_immediate *immediate, uint32_t number)
{
   tg_strbuf_printf(out, "IMM[%u] %s {", (unsigned)number,
                    immediate->is_integer ? "INT32" : "FLT32");
   for (unsigned i = 0; i < 4; i++) {
      tg_strbuf_add(out, i ? ", " : "");
      if (immediate->is_integer)
         tg_strbuf_printf(out, "%d", (int)(int32_t)immediate->words[i]);
      else
         add_float(out, immediate->words[i]);
   }
   tg_strbuf_add(out, "}\n");
}

/* ---- declarations -------------------------------------------------------- */

/* `DCL FILE[first..last]` for each run of registers in use. */
static void
declare_runs(struct tg_strbuf *out, const char *file, const bool *uses,
             unsigned count)
{
   for (unsigned first = 0; first < count; first++) {
      unsigned last = first;

      if (!uses[first])
         continue;
      while (last + 1 < count && uses[last + 1])
         last++;
      if (first == last)
         tg_strbuf_printf(out, "DCL %s[%u]\n", file, first);
      else
         tg_strbuf_printf(out, "DCL %s[%u..%u]\n", file, first, last);
      first = last;
   }
}

static void
declare_temporaries(struct tg_strbuf *out, const struct decompile *decompile)
{
   unsigned count = decompile->num_temporaries;

   if (!decompile->uses_stack_array) {
      declare_runs(out, "TEMP", decompile->uses_temporary, count);
      return;
   }
   /* The stack is an array of its own: it is indexed by its depth. */
   bool uses[DECOMPILE_MAX_TEMPORARIES];
   unsigned stack = decompile->roles[DECOMPILE_STACK] - 1u;
   unsigned last = stack + TG_TEGRA_STACK_DEPTH - 1;

   memcpy(uses, decompile->uses_temporary, sizeof(uses));
   memset(uses + stack, 0, TG_TEGRA_STACK_DEPTH * sizeof(*uses));
   declare_runs(out, "TEMP", uses, count);
   tg_strbuf_printf(out, "DCL TEMP[%u..%u], ARRAY(1)\n", stack, last);
}

/* Does the name say a semantic that a vertex shader's output may have? Its
 * index is after it in brackets, or 0. */
static bool
read_semantic(const char *name, unsigned *semantic_out, unsigned *index_out)
{
   size_t length = name ? strcspn(name, "[") : 0;
   int semantic = length ? tg_semantic_find(name, length) : -1;
   int end = 0;

   *index_out = 0;
   if (semantic < 0 ||
       !(tg_semantic_row(semantic)->out_stages & 1u << TG_PROCESSOR_VERT))
      return false;
   *semantic_out = (unsigned)semantic;
   if (!name[length])
      return true;
   return sscanf(name + length, "[%3u]%n", index_out, &end) == 1 &&
          name[length + (unsigned)end] == '\0' && end > 0;
}

struct semantic {
   unsigned name, index;
};

/* What the program calls its exports; else export 0 is the position, and the
 * others go by their numbers, or the next that is free. */
static void
find_semantics(const struct decompile *decompile,
               struct semantic semantics[TG_TEGRA_NUM_EXPORTS])
{
   const char *const *names = decompile->program->names[TG_TEGRA_EXPORT];
   bool is_taken[2 * TG_TEGRA_NUM_EXPORTS] = {false};
   bool is_named[TG_TEGRA_NUM_EXPORTS];
   bool has_position = false;

   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      struct semantic *semantic = &semantics[i];

      is_named[i] = read_semantic(names[i], &semantic->name, &semantic->index);
      if (!is_named[i])
         continue;
      has_position |= semantic->name == TG_SEMANTIC_POSITION;
      if (semantic->name == TG_SEMANTIC_GENERIC &&
          semantic->index < 2 * TG_TEGRA_NUM_EXPORTS)
         is_taken[semantic->index] = true;
   }
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      unsigned index = i;

      if (is_named[i])
         continue;
      if (i == 0 && !has_position) {
         semantics[i] = (struct semantic){TG_SEMANTIC_POSITION, 0};
         continue;
      }
      while (is_taken[index])
         index++;
      is_taken[index] = true;
      semantics[i] = (struct semantic){TG_SEMANTIC_GENERIC, index};
   }
}

static void
declare_exports(struct tg_strbuf *out, const struct decompile *decompile)
{
   struct semantic semantics[TG_TEGRA_NUM_EXPORTS];

   find_semantics(decompile, semantics);
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      const struct semantic *semantic = &semantics[i];

      if (!decompile->uses_export[i])
         continue;
      tg_strbuf_printf(out, "DCL OUT[%u], %s", i,
                       tg_semantic_row(semantic->name)->name);
      if (tg_semantic_shows_index(semantic->name, semantic->index))
         tg_strbuf_printf(out, "[%u]", semantic->index);
      tg_strbuf_add(out, "\n");
   }
}

char *
decompile_text_take(struct decompile *decompile)
{
   struct tg_strbuf out = {.allocator = decompile->arena.allocator};

   tg_strbuf_add(&out, "VERT\n");
   declare_runs(&out, "IN", decompile->uses_attribute, TG_TEGRA_NUM_ATTRIBUTES);
   declare_exports(&out, decompile);
   declare_runs(&out, "CONST", decompile->uses_constant,
                TG_TEGRA_NUM_CONSTANTS);
   declare_temporaries(&out, decompile);
   declare_runs(&out, "ADDR", decompile->uses_address, 2);
   for (uint32_t i = 0; i < decompile->num_immediates; i++)
      add_immediate_text(&out, &decompile->immediates[i], i);
   if (decompile->body.failed || decompile->out_of_memory) {
      tg_strbuf_finish(&out);
      return NULL;
   }
   tg_strbuf_add_n(&out, decompile->body.data, decompile->body.length);
   return tg_strbuf_take(&out);
}
