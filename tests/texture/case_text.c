/* SPDX-License-Identifier: MIT
 *
 * A case as text: its shader, and what is printed of it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "case_parts.h"

struct text {
   char *at;
   size_t left;
};

static void __attribute__((format(printf, 2, 3)))
append(struct text *text, const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   const int length = vsnprintf(text->at, text->left, format, arguments);
   va_end(arguments);
   if (length > 0 && (size_t)length < text->left) {
      text->at += length;
      text->left -= (size_t)length;
   }
}

static const char *
get_return_type(const struct texture_case *c)
{
   switch (format_info(c->subject.recipe.view_format)->class) {
   case FORMAT_CLASS_SINT: return "SINT";
   case FORMAT_CLASS_UINT: return "UINT";
   default: return "FLOAT";
   }
}

static unsigned
get_num_sources(const struct texture_case *c)
{
   const struct tg_opcode_info *info = &tg_opcodes[c->opcode];

   /* The number of samples is asked for without an index. */
   return c->is_short || c->opcode == TG_OPCODE_SAMPLE_INFO ? info->min_src
                                                            : info->num_src;
}

/* TG4's first operand behind the coordinates, where that is no reference. */
static bool
has_component(const struct texture_case *c)
{
   return c->opcode == TG_OPCODE_TG4 && get_target(c)->reference != 5;
}

/* LOAD's address is in front of the view; its row has the order of 2019. */
static bool
is_input(const struct texture_case *c, unsigned i)
{
   if (c->opcode == TG_OPCODE_LOAD)
      return i == 0;
   return !tg_type_is_object(tg_opcodes[c->opcode].src_type[i]) &&
          !(i == 1 && has_component(c));
}

static bool
has_sampler(const struct texture_case *c)
{
   for (unsigned i = 0; i < get_num_sources(c); i++) {
      if (tg_opcodes[c->opcode].src_type[i] == TG_TYPE_SAMP)
         return true;
   }
   return false;
}

bool
case_has_input(const struct texture_case *c, unsigned i)
{
   return i == CASE_OFFSETS ? c->varies_offset
                            : i < get_num_sources(c) && is_input(c, i);
}

static void
declare(struct texture_case *c, struct text *text)
{
   const bool is_fragment = c->stage == TG_PROCESSOR_FRAG;
   const char *view = c->is_old ? "RES" : "SVIEW";

   append(text, is_fragment ? "FRAG\n" : "VERT\n");
   for (unsigned i = 0; i < CASE_SOURCES; i++) {
      if (case_has_input(c, i))
         append(text,
                is_fragment ? "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n"
                            : "DCL IN[%u]\n",
                i, i);
   }
   append(text,
          is_fragment ? "DCL OUT[0], COLOR\n" : "DCL OUT[0], GENERIC[0]\n");
   if (c->uses_handle)
      append(text, "DCL TEMP[0]\n");
   if (has_sampler(c))
      append(text, "DCL SAMP[%u]\n", c->sampler_place);
   append(text, "DCL %s[%u], %s, %s\n", view, c->view_place,
          get_target(c)->name, get_return_type(c));
   if (has_component(c))
      append(text, "IMM[0] UINT32 {%d, 0, 0, 0}\n", c->component);
   for (unsigned i = 0; i < c->num_offsets && !c->varies_offset; i++)
      append(text, "IMM[%u] INT32 {%d, %d, %d, 0}\n", i + has_component(c),
             c->offsets[i][0], c->offsets[i][1], c->offsets[i][2]);
}

static void
append_source(const struct texture_case *c, unsigned i, struct text *text)
{
   const enum tg_type type = tg_opcodes[c->opcode].src_type[i];

   append(text, ", ");
   if (type == TG_TYPE_VIEW)
      append(text, "%s[%u].%c%c%c%c", c->is_old ? "RES" : "SVIEW",
             c->view_place, "xyzw"[c->swizzle[0]], "xyzw"[c->swizzle[1]],
             "xyzw"[c->swizzle[2]], "xyzw"[c->swizzle[3]]);
   else if (type == TG_TYPE_SAMP && c->uses_handle)
      append(text, "TEMP[0]");
   else if (type == TG_TYPE_SAMP)
      append(text, "SAMP[%u]", c->sampler_place);
   else if (!is_input(c, i))
      append(text, "IMM[0].xxxx");
   else
      append(text, "IN[%u]", i);
}

static void
append_instruction(const struct texture_case *c, struct text *text)
{
   append(text, "%s OUT[0]", tg_opcodes[c->opcode].name);
   if (c->opcode == TG_OPCODE_LOAD) {
      append(text, ", IN[0], RES[%u]", c->view_place);
   } else {
      for (unsigned i = 0; i < get_num_sources(c); i++)
         append_source(c, i, text);
   }
   if (tg_opcodes[c->opcode].flags & TG_OPCODE_FLAG_TARGET)
      append(text, ", %s", get_target(c)->name);
   for (unsigned i = 0; i < c->num_offsets; i++) {
      if (c->varies_offset)
         append(text, ", IN[%d].xyz", CASE_OFFSETS);
      else
         append(text, ", IMM[%u].xyz", i + has_component(c));
   }
   append(text, "\nEND\n");
}

void
case_write_text(struct texture_case *c)
{
   struct text text = {c->text, sizeof(c->text)};

   declare(c, &text);
   if (c->uses_handle)
      append(&text, "SAMP2HND TEMP[0].xy, SAMP[%u], %s\n", c->sampler_place,
             get_target(c)->name);
   append_instruction(c, &text);
}

void
case_print(const struct texture_case *c)
{
   const struct subject_recipe *recipe = &c->subject.recipe;
   const struct tg_sampler_desc *sampler = &c->sampler;

   printf("%s %s %u (attempt %u)\n%s", tg_opcodes[c->subject_opcode].name,
          get_target(c)->name, c->number, c->attempt, c->text);
   printf("format %s, seen as %s, %d x %d x %d, %d layers, %d levels, %d "
          "samples; levels %d to %d, layers %d to %d, swizzle %d%d%d%d\n",
          tg_formats[recipe->format].name, tg_formats[recipe->view_format].name,
          recipe->width, recipe->height, recipe->depth, recipe->layers,
          recipe->num_levels, recipe->num_samples, recipe->first_level,
          recipe->last_level, recipe->first_layer, recipe->last_layer,
          recipe->swizzle[0], recipe->swizzle[1], recipe->swizzle[2],
          recipe->swizzle[3]);
   printf("wrap %d %d %d, min %d mag %d mip %d, compares %d func %d, "
          "anisotropy %d, unnormalized %d, seamless %d, bias %g, lod %g to "
          "%g, border %g %g %g %g\n",
          sampler->wrap[0], sampler->wrap[1], sampler->wrap[2],
          sampler->min_filter, sampler->mag_filter, sampler->mip_filter,
          sampler->compares, sampler->compare_func, sampler->max_anisotropy,
          sampler->unnormalized_coords, sampler->seamless_cube,
          (double)sampler->lod_bias, (double)sampler->min_lod,
          (double)sampler->max_lod, c->subject.reference.border[0],
          c->subject.reference.border[1], c->subject.reference.border[2],
          c->subject.reference.border[3]);
}
