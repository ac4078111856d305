/* SPDX-License-Identifier: MIT
 *
 * Register allocation, greedy in the order in which virtual registers first
 * appear: each gets the first real one that does not interfere. That is as few
 * as there can be where there are no branches. Interference is by component:
 * two virtual registers may share a real one even at one time; where that is
 * not enough components are moved to make it so.
 */
#include "tegra/schedule/registers.h"

#include <assert.h>

#include "tegra/mir/liveness.h"
#include "util/length.h"

enum { NUM_ORDERS = 24 };

/* Places of x, y, z, w, two bits each, as swizzles have them. */
static const uint8_t orders[NUM_ORDERS] = {
   0x1b, 0x1e, 0x27, 0x2d, 0x36, 0x39, 0x4b, 0x4e, 0x63, 0x6c, 0x72, 0x78,
   0x87, 0x8d, 0x93, 0x9c, 0xb1, 0xb4, 0xc6, 0xc9, 0xd2, 0xd8, 0xe1, 0xe4,
};

struct value {
   uint8_t components; /* that are read or written */
   bool is_fixed;      /* they must stay in their places */
   bool appears;
   uint8_t home; /* real register */
   uint8_t order;
};

struct registers {
   struct mir *mir;
   struct tg_arena arena;
   struct liveness liveness;
   uint32_t num_values; /* virtual registers */
   struct value *values;
   uint32_t *queue; /* as they appear */
   uint32_t num_queued;
   /* [value][value]: bit 4 * i + j: component i of one and j of the other are
    * in use at once. */
   uint16_t *clashes;
   uint32_t *tenants; /* [home][num_tenants[home]] */
   uint32_t num_tenants[TG_TEGRA_NUM_TEMPORARIES];
};

/* ---- what there is ------------------------------------------------------- */

static void
appear(struct registers *registers, uint32_t value, unsigned components)
{
   assert(value < registers->num_values);
   struct value *it = &registers->values[value];

   if (!it->appears)
      registers->queue[registers->num_queued++] = value;
   it->appears = true;
   it->components |= (uint8_t)components;
}

/* Components can move only if that shows nowhere else. */
static bool
fixes_components(const struct mir_op *op)
{
   return mir_info(op)->result == TEGRA_RESULT_VEC || op->sets_condition ||
          op->export_index != TEGRA_NO_EXPORT;
}

static void
find_values(struct registers *registers)
{
   const struct mir *mir = registers->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         const struct mir_op *op = &mir->blocks[i].ops[j];

         for (unsigned k = 0; k < mir_num_sources(op); k++) {
            if (op->source[k].file == MIR_TEMPORARY)
               appear(registers, op->source[k].index,
                      mir_components_read(op, k));
         }
         if (op->temporary == MIR_NONE)
            continue;
         appear(registers, op->temporary, op->mask);
         registers->values[op->temporary].is_fixed |= fixes_components(op);
      }
   }
}

/* ---- what is in use at once ---------------------------------------------- */

static void
add_clash(struct registers *registers, uint32_t a, unsigned a_components,
          uint32_t b, unsigned b_components)
{
   uint32_t n = registers->num_values;

   for (unsigned i = 0; i < 4; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (!tegra_mask_has(a_components, i) ||
             !tegra_mask_has(b_components, j))
            continue;
         registers->clashes[(size_t)a * n + b] |= (uint16_t)(1u << (4 * i + j));
         registers->clashes[(size_t)b * n + a] |= (uint16_t)(1u << (4 * j + i));
      }
   }
}

/* What an operation writes clashes with all that is live after it. */
static void
add_clashes_of_op(struct registers *registers, const struct mir_op *op,
                  const uint8_t *live)
{
   if (op->temporary == MIR_NONE)
      return;
   for (uint32_t i = 0; i < registers->num_values; i++) {
      if (i != op->temporary && live[i])
         add_clash(registers, op->temporary, op->mask, i, live[i]);
   }
}

static void
add_clashes_of_block(struct registers *registers, uint32_t index, uint8_t *live)
{
   const struct mir *mir = registers->mir;
   assert(index < mir->num_blocks);
   const struct mir_block *block = &mir->blocks[index];

   liveness_at_end(&registers->liveness, mir, index, live);
   for (uint32_t i = block->num_ops; i > 0;) {
      uint32_t size = mir_word_size(block, i - 1);
      const struct mir_op *word = &block->ops[i -= size];

      for (uint32_t j = 0; j < size; j++)
         add_clashes_of_op(registers, &word[j], live);
      /* Two units may not write one register, whichever components. */
      if (size == 2 && word[0].temporary != MIR_NONE &&
          word[1].temporary != MIR_NONE)
         add_clash(registers, word[0].temporary, TEGRA_MASK_XYZW,
                   word[1].temporary, TEGRA_MASK_XYZW);
      liveness_step(mir, word, size, live);
   }
}

/* ---- places -------------------------------------------------------------- */

static bool
can_share(const struct registers *registers, uint32_t a, unsigned a_order,
          uint32_t b)
{
   assert(b < registers->num_values);
   unsigned clash = registers->clashes[(size_t)a * registers->num_values + b];
   unsigned b_order = registers->values[b].order;

   for (; clash; clash &= clash - 1) {
      unsigned bit = (unsigned)__builtin_ctz(clash);

      if (tegra_swizzle_get(a_order, bit / 4) ==
          tegra_swizzle_get(b_order, bit % 4))
         return false;
   }
   return true;
}

static bool
fits(const struct registers *registers, uint32_t value, unsigned order,
     unsigned home)
{
   assert(home < TG_LENGTH(registers->num_tenants));
   const uint32_t *tenants =
      registers->tenants + (size_t)home * registers->num_values;

   for (uint32_t i = 0; i < registers->num_tenants[home]; i++) {
      if (!can_share(registers, value, order, tenants[i]))
         return false;
   }
   return true;
}

static bool
place(struct registers *registers, uint32_t value, enum registers_how how)
{
   assert(value < registers->num_values);
   struct value *it = &registers->values[value];
   unsigned num_orders =
      how == REGISTERS_PACKED && !it->is_fixed ? NUM_ORDERS : 1;

   for (unsigned home = 0; home < TG_TEGRA_NUM_TEMPORARIES; home++) {
      for (unsigned i = 0; i < num_orders; i++) {
         if (!fits(registers, value, orders[i], home))
            continue;
         it->home = (uint8_t)home;
         it->order = orders[i];
         registers->tenants[(size_t)home * registers->num_values +
                            registers->num_tenants[home]++] = value;
         return true;
      }
   }
   return false;
}

/* ---- rewriting ----------------------------------------------------------- */

static void
rewrite(const struct registers *registers, struct mir_op *op)
{
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      struct mir_source *source = &op->source[i];

      if (source->file != MIR_TEMPORARY)
         continue;
      const struct value *value = &registers->values[source->index];
      source->swizzle =
         (uint8_t)tegra_swizzle_of(source->swizzle, value->order);
      source->index = value->home;
   }
   if (op->temporary == MIR_NONE)
      return;

   const struct value *value = &registers->values[op->temporary];
   op->temporary = value->home;
   mir_permute(op, value->order);
}

static void
rewrite_all(struct registers *registers)
{
   struct mir *mir = registers->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         rewrite(registers, &mir->blocks[i].ops[j]);
   }
   mir->num_temporaries = TG_TEGRA_NUM_TEMPORARIES;
}

/* ---- all ----------------------------------------------------------------- */

static bool
start(struct registers *registers, struct mir *mir)
{
   uint32_t n = mir->num_temporaries;

   *registers = (struct registers){.mir = mir, .num_values = n};
   tg_arena_init(&registers->arena, mir->arena.allocator);
   registers->values =
      tg_arena_array(&registers->arena, n, sizeof(*registers->values));
   registers->queue =
      tg_arena_array(&registers->arena, n, sizeof(*registers->queue));
   registers->clashes = tg_arena_array(&registers->arena, (size_t)n * n,
                                       sizeof(*registers->clashes));
   registers->tenants =
      tg_arena_array(&registers->arena, (size_t)TG_TEGRA_NUM_TEMPORARIES * n,
                     sizeof(*registers->tenants));
   return registers->values && registers->queue && registers->clashes &&
          registers->tenants &&
          liveness_find_between(&registers->liveness, mir, &registers->arena);
}

enum tg_result
registers_assign(struct mir *mir, enum registers_how how, bool *fits_out)
{
   struct registers registers;
   bool started = start(&registers, mir);
   uint8_t *live = started ? tg_arena_alloc(&registers.arena,
                                            registers.liveness.num_locations)
                           : NULL;

   *fits_out = live != NULL;
   if (live) {
      find_values(&registers);
      for (uint32_t i = 0; i < mir->num_blocks; i++)
         add_clashes_of_block(&registers, i, live);
   }
   for (uint32_t i = 0; i < registers.num_queued && *fits_out; i++)
      *fits_out = place(&registers, registers.queue[i], how);
   if (*fits_out)
      rewrite_all(&registers);
   tg_arena_finish(&registers.arena);
   return live ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- too many ------------------------------------------------------------ */

struct pressure {
   uint32_t registers, origin;
};

static uint32_t
count_live(const struct mir *mir, const uint8_t *live)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < mir->num_temporaries; i++)
      count += live[i] != 0;
   return count;
}

static void
measure_block(const struct mir *mir, const struct liveness *liveness,
              uint32_t index, uint8_t *live, struct pressure *worst)
{
   assert(index < mir->num_blocks);
   const struct mir_block *block = &mir->blocks[index];

   liveness_at_end(liveness, mir, index, live);
   for (uint32_t i = block->num_ops; i-- > 0;) {
      uint32_t count = count_live(mir, live);

      if (count > worst->registers)
         *worst = (struct pressure){count, block->ops[i].origin};
      liveness_step(mir, &block->ops[i], 1, live);
   }
}

enum tg_result
registers_complain(const struct compile *compile, struct mir *mir)
{
   struct tg_arena arena;
   tg_arena_init(&arena, mir->arena.allocator);

   struct liveness liveness;
   bool found = liveness_find_between(&liveness, mir, &arena);
   uint8_t *live =
      found ? tg_arena_alloc(&arena, liveness.num_locations) : NULL;
   struct pressure worst = {0, 0};

   for (uint32_t i = 0; i < mir->num_blocks && live; i++)
      measure_block(mir, &liveness, i, live, &worst);
   tg_arena_finish(&arena);
   if (!live)
      return TG_ERROR_MEMORY;
   return mir_limit(compile, mir, worst.origin,
                    "a program has 32 registers of four components",
                    "%u registers are in use after this instruction",
                    worst.registers);
}
