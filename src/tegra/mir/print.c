/* SPDX-License-Identifier: MIT
 *
 * The printer of the IR.
 */
#include "tegra/mir/mir.h"
#include "util/bits.h"
#include "util/strbuf.h"

static void
print_components(struct tg_strbuf *out, unsigned swizzle)
{
   tg_strbuf_add_char(out, '.');
   for (unsigned i = 0; i < 4; i++)
      tg_strbuf_add_char(out, "xyzw"[tegra_swizzle_get(swizzle, i)]);
}

static void
print_mask(struct tg_strbuf *out, unsigned mask)
{
   tg_strbuf_add_char(out, '.');
   for (unsigned i = 0; i < 4; i++)
      tg_strbuf_add_char(out, tegra_mask_has(mask, i) ? "xyzw"[i] : '*');
}

static void
print_predicate(struct tg_strbuf *out, const struct mir_predicate *predicate)
{
   tg_strbuf_printf(out, "(cr%u", predicate->condition);
   print_components(out, predicate->swizzle);
   tg_strbuf_printf(out, " %s%s%s) ", predicate->less ? "<" : "",
                    predicate->equal ? "=" : "", predicate->greater ? ">" : "");
}

/* Nine digits tell any two floats apart, but not any two NaN. */
static void
print_float(struct tg_strbuf *out, uint32_t bits)
{
   const float value = tg_float_of_bits(bits);

   if (value - value == 0)
      tg_strbuf_double(out, "%.9g", (double)value);
   else
      tg_strbuf_printf(out, "0x%08x", bits);
}

/* Its swizzle is the identity always. */
static void
print_literal(struct tg_strbuf *out, const uint32_t words[4], bool floats)
{
   for (unsigned i = 0; i < 4; i++) {
      tg_strbuf_add_char(out, i ? ' ' : '{');
      if (floats)
         print_float(out, words[i]);
      else
         tg_strbuf_printf(out, "%08x", words[i]);
   }
   tg_strbuf_add_char(out, '}');
}

static void
print_source(struct tg_strbuf *out, const struct mir_source *source,
             unsigned flags)
{
   const bool floats = flags & MIR_PRINT_FLOATS;
   static const char letter[] = {'u', 't', 'a', 'c'};

   tg_strbuf_add(out, source->negate ? "-" : "");
   tg_strbuf_add(out, source->absolute ? "abs(" : "");
   if (source->file == MIR_LITERAL)
      print_literal(out, source->literal, floats);
   else if (source->relative)
      tg_strbuf_printf(out, "%c[A0.%c + %u]", letter[source->file],
                       "xyzw"[source->address], source -> index);
   else
      tg_strbuf_printf(out, "%c%u", letter[source->file], source->index);
   if (source->file != MIR_LITERAL || !floats)
      print_components(out, source->swizzle);
   tg_strbuf_add(out, source->absolute ? ")" : "");
}

static void
print_destinations(struct tg_strbuf *out, const struct mir_op *op)
{
   if (op->temporary != MIR_NONE)
      tg_strbuf_printf(out, " t%u", op->temporary);
   if (op->export_relative)
      tg_strbuf_printf(out, " export[A0.%c + %u]", "xyzw"[op->export_address],
                       op -> export_index);
   else if (op->export_index != TEGRA_NO_EXPORT)
      tg_strbuf_printf(out, " export%u", op->export_index);
   if (op->sets_condition)
      tg_strbuf_printf(out, " cr%u", op->condition);
   if (op->mask)
      print_mask(out, op->mask);
}

static void
print_op(struct tg_strbuf *out, const struct mir_op *op, unsigned flags)
{
   tg_strbuf_add(out, op->paired ? " & " : "   ");
   if (op->predicate.enabled)
      print_predicate(out, &op->predicate);
   tg_strbuf_printf(out, "%s%c%s", mir_info(op)->name,
                    tegra_unit_letter[op->unit], op->saturate ? "_sat" : "");
   print_destinations(out, op);
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      tg_strbuf_add(out, ", ");
      print_source(out, &op->source[i], flags);
   }
   if (op->target != MIR_NONE)
      tg_strbuf_printf(out, " block %u", op->target);
   tg_strbuf_add_char(out, '\n');
}

char *
mir_print(const struct mir *mir, unsigned flags)
{
   struct tg_strbuf out = {.allocator = mir->arena.allocator};

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      tg_strbuf_printf(&out, "block %u%s\n", i,
                       i == mir->end ? ", the end" : "");
      for (uint32_t j = 0; j < block->num_ops; j++)
         print_op(&out, &block->ops[j], flags);
   }
   return tg_strbuf_take(&out);
}
