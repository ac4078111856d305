/* SPDX-License-Identifier: MIT
 *
 * Indirect addressing by compare and select, of registers that the unit cannot
 * index: TEMP, OUT and IMM. The address is compared with each number that it
 * may be, four at a time, and what is meant is moved where it is equal. No
 * other number moves anything: a read outside gives 0 and a write nothing, as
 * in TGSI.
 */
#include "tegra/select/select.h"

enum { MAX_ELEMENTS = 16 };

struct array {
   unsigned count;
   uint32_t elements[MAX_ELEMENTS]; /* registers of the file */
};

/* ---- what there is to choose from ---------------------------------------- */

static void
add_element(struct array *array, uint32_t element)
{
   if (array->count < MAX_ELEMENTS)
      array->elements[array->count] = element;
   array->count++;
}

/* The registers of the array that the operand names, or of its file. False: it
 * is refused. */
static bool
find_array(struct select *select, const struct tg_register *reg,
           struct array *array)
{
   const struct tg_shader *shader = select->shader;

   *array = (struct array){0};
   for (uint32_t i = 0; reg->file == TG_FILE_IMM &&
                        i < shader->num_immediates && i <= MAX_ELEMENTS;
        i++)
      add_element(array, i);
   for (uint32_t d = 0; d < shader->num_declarations; d++) {
      const struct tg_declaration *declaration = &shader->declarations[d];

      if (declaration->file != reg->file ||
          (reg->index.array_id && declaration->array_id != reg->index.array_id))
         continue;
      for (uint32_t i = declaration->first;
           i <= declaration->last && array->count <= MAX_ELEMENTS; i++)
         add_element(array, i);
   }
   if (array->count > MAX_ELEMENTS)
      select_refuse(select, SELECT_REFUSED_ARRAY);
   return array->count <= MAX_ELEMENTS;
}

static struct tg_register
element_register(const struct tg_register *reg, uint32_t element)
{
   return (struct tg_register){
      .file = reg->file,
      .index = {.offset = (int32_t)element},
   };
}

/* ---- choosing ------------------------------------------------------------ */

/* Sets CR[1] to "greater" in the component of four elements, from `first` on,
 * that is the one meant. */
static void
compare_four(struct select *select, const struct tg_register *reg,
             const struct array *array, unsigned first)
{
   struct mir_source numbers = mir_number(0.0f);
   unsigned mask = 0;

   for (unsigned c = 0; c < 4 && first + c < array->count; c++) {
      numbers.literal[c] = tg_bits_of_float(
         (float)((int32_t)array->elements[first + c] - reg->index.offset));
      mask |= tegra_mask_bit(c);
   }
   select_emit_vector2(select, TEGRA_VECTOR_SEQ,
                       select_condition_place(1, mask),
                       select_address_value(select, &reg->index), numbers);
}

static struct select_place
where_equal(struct select_place place, unsigned element)
{
   unsigned c = element % 4;

   return select_place_where(place, SELECT_GREATER, tegra_swizzle(c, c, c, c));
}

struct mir_source
select_array_read(struct select *select, const struct tg_register *reg)
{
   struct select_place t = select_temporary_place(select, TEGRA_MASK_XYZW);
   struct array array;

   if (!find_array(select, reg, &array))
      return select_value(t);
   select_emit_vector0(select, TEGRA_VECTOR_SFL, t);
   for (unsigned i = 0; i < array.count; i++) {
      struct tg_register element = element_register(reg, array.elements[i]);

      if (i % 4 == 0)
         compare_four(select, reg, &array, i);
      select_emit_vector1(select, TEGRA_VECTOR_MOV, where_equal(t, i),
                          select_register_operand(select, &element));
   }
   return select_value(t);
}

void
select_array_write(struct select *select, const struct tg_register *reg,
                   unsigned mask, struct mir_source value)
{
   struct array array;

   if (!find_array(select, reg, &array))
      return;
   for (unsigned i = 0; i < array.count; i++) {
      struct tg_register element = element_register(reg, array.elements[i]);

      if (i % 4 == 0)
         compare_four(select, reg, &array, i);
      select_emit_vector1(
         select, TEGRA_VECTOR_MOV,
         where_equal(select_operand_place(select, &element, mask), i), value);
   }
}
