/* SPDX-License-Identifier: MIT
 *
 * Which view and sampler an instruction means. An operand names one; or, where
 * its bracket is computed, each lane one of those that the shader declares; or
 * it holds a handle, and then it may be any that is bound. Where lanes may
 * differ there is a call for each that they may mean, which the lanes enter
 * that do.
 */
#include <assert.h>

#include "lower/operands/location.h"
#include "lower/operands/operands.h"
#include "lower/operands/registers.h"
#include "lower/texture/texture.h"

/* ---- what operands name -------------------------------------------------- */

struct unit {
   bool is_computed;
   bool is_handle;
   enum tg_file file;
   int32_t number;  /* unless it is computed */
   lir_value value; /* if it is */
};

/* The number that a handle stands for; one that nothing has if it is none. */
static lir_value
read_handle(struct lower_context *context, unsigned src)
{
   struct lir_builder *builder = &context->builder;
   const lir_value low = lower_src_bare(context, src, 0);
   const lir_value high = lower_src_bare(context, src, 1);
   const lir_value first = lir_const32(builder, ABI_HANDLE_SAMPLER);
   const lir_value none = lir_const32(builder, UINT32_MAX);
   const lir_value number = lir_isub(builder, low, first);
   const lir_value is_other = lir_i2b(builder, high);
   return lir_sel32(builder, is_other, none, number);
}

static struct unit
read_unit(struct lower_context *context, unsigned src)
{
   assert(src < context->instruction->num_src);
   const struct tg_register *reg = &context->instruction->src[src].reg;
   struct unit unit = {
      .file = (enum tg_file)reg->file,
      .number = reg->index.offset,
      .is_handle = !(tg_file_row(reg->file)->access & TG_ACCESS_OBJ),
   };

   unit.is_computed = unit.is_handle || reg->index.indirect;
   if (unit.is_handle)
      unit.value = read_handle(context, src);
   else if (reg->index.indirect)
      unit.value = lower_index_location(context, &reg->index);
   return unit;
}

/* May a lane mean this one? */
static bool
may_be(const struct lower_context *context, const struct unit *unit,
       int32_t number)
{
   if (!unit->is_computed)
      return unit->number == number;
   return unit->is_handle ||
          lower_register_declaration(context, unit->file, number) != NULL;
}

/* Of a computed bracket the lowest view counts that is declared. */
enum tg_target
texture_look_up_target(const struct lower_context *context, unsigned src)
{
   assert(src < context->instruction->num_src);
   const struct tg_register *reg = &context->instruction->src[src].reg;
   const struct tg_declaration *declaration =
      reg->index.indirect
         ? lower_lowest_register_declaration(context, reg->file)
         : lower_register_declaration(context, reg->file, reg->index.offset);

   return declaration
             ? (enum tg_target)tg_target_row(declaration->target)->plain
             : TG_TARGET_UNKNOWN;
}

/* ---- calls --------------------------------------------------------------- */

/* A lookup through units that are not known yet. */
struct search {
   struct lower_context *context;
   const struct texture *texture;
   struct unit view;
   struct unit sampler;
   bool has_sampler; /* one of its own */
};

/* Calls back for each pair of view and sampler that lanes may mean and where
 * there is something to look up. */
static void
for_each_pair(const struct search *search,
              void (*visit)(const struct search *search,
                            const struct sample_kind *kind, void *user),
              void *user)
{
   const int32_t num_samplers = search->has_sampler ? ABI_MAX_SAMPLERS : 1;

   for (int32_t v = 0; v < ABI_MAX_VIEWS; v++) {
      if (!may_be(search->context, &search->view, v))
         continue;
      for (int32_t s = 0; s < num_samplers; s++) {
         struct sample_kind kind = search->texture->kind;
         if (search->has_sampler &&
             !may_be(search->context, &search->sampler, s))
            continue;
         kind.view = (uint8_t)v;
         kind.sampler = (uint8_t)(search->has_sampler ? s : v);
         if (sample_resolve(search->context->samples, &kind))
            visit(search, &kind, user);
      }
   }
}

static void
note_call(const struct search *search, const struct sample_kind *kind,
          void *user)
{
   bool *is_called = user;

   (void)search;
   (void)kind;
   *is_called = true;
}

static bool
is_computed(const struct search *search)
{
   return search->view.is_computed ||
          (search->has_sampler && search->sampler.is_computed);
}

/* Opens an if for the lanes that mean this one. */
static void
begin_if_meant(const struct search *search, const struct unit *unit,
               uint32_t number)
{
   struct lir_builder *builder = &search->context->builder;

   if (!unit->is_computed)
      return;
   const lir_value this = lir_const32(builder, number);
   const lir_value is_this = lir_ieq(builder, unit->value, this);
   lir_begin_if(builder, is_this);
}

static void
end_if_meant(const struct search *search, const struct unit *unit)
{
   if (unit->is_computed)
      lir_end(&search->context->builder);
}

/* The one call of a search for known units. */
static void
call(const struct search *search, const struct sample_kind *kind, void *user)
{
   lir_value *result_out = user;

   sample_call(search->context->samples, kind, search->texture->argument,
               result_out);
}

static void
call_if_meant(const struct search *search, const struct sample_kind *kind,
              void *user)
{
   lir_value result[4];

   (void)user;
   begin_if_meant(search, &search->view, kind->view);
   if (search->has_sampler)
      begin_if_meant(search, &search->sampler, kind->sampler);
   sample_call(search->context->samples, kind, search->texture->argument,
               result);
   sample_choose(search->context->samples, result);
   if (search->has_sampler)
      end_if_meant(search, &search->sampler);
   end_if_meant(search, &search->view);
}

/* What is not bound gives 0. */
static void
look_up(const struct search *search, lir_value result_out[4])
{
   struct lower_context *context = search->context;
   bool is_called = false;

   for (unsigned c = 0; c < 4; c++)
      result_out[c] = lir_const32(&context->builder, 0);
   for_each_pair(search, note_call, &is_called);
   if (!is_called)
      return;
   if (!is_computed(search)) {
      for_each_pair(search, call, result_out);
      return;
   }
   sample_choose(context->samples, result_out);
   for_each_pair(search, call_if_meant, NULL);
   sample_get_chosen(context->samples, result_out);
}

void
texture_look_up(struct lower_context *context, const struct texture *texture,
                unsigned src, lir_value result_out[4])
{
   const struct search search = {
      .context = context,
      .texture = texture,
      .view = read_unit(context, src),
   };

   look_up(&search, result_out);
}

void
texture_look_up_view(struct lower_context *context,
                     const struct texture *texture, unsigned view, int sampler,
                     lir_value result_out[4])
{
   struct search search = {
      .context = context,
      .texture = texture,
      .view = read_unit(context, view),
      .has_sampler = sampler >= 0,
   };

   if (search.has_sampler)
      search.sampler = read_unit(context, (unsigned)sampler);
   look_up(&search, result_out);
}

/* ---- handles ------------------------------------------------------------- */

/* Of a sampler that there cannot be the handle is 0, which is none. */
void
lower_op_samp2hnd(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct unit unit = read_unit(context, 0);
   const lir_value zero = lir_const32(builder, 0);
   const lir_value number = unit.is_computed
                               ? unit.value
                               : lir_const32(builder, (uint32_t)unit.number);
   const lir_value count = lir_const32(builder, ABI_MAX_SAMPLERS);
   const lir_value first = lir_const32(builder, ABI_HANDLE_SAMPLER);
   const lir_value exists = lir_ult(builder, number, count);
   const lir_value handle = lir_iadd(builder, number, first);
   const lir_value low = lir_sel32(builder, exists, handle, zero);

   for (unsigned pair = 0; pair < 2; pair++) {
      const lir_value value = lir_pack64(builder, low, zero);
      lower_dst64(context, 0, pair, value);
   }
}
