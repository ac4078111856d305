/* SPDX-License-Identifier: MIT
 *
 * The functions that look things up: which there are, how they are called, and
 * what all of them begin and end with.
 */
#include "lower/sample/sample.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "lower/sample/parts.h"
#include "util/length.h"

struct function {
   struct sample_kind kind;
   uint32_t number; /* in the module */
};

struct sample_functions {
   struct lir_builder *builder; /* where they are called */
   struct tg_arena *arena;
   const struct abi_keys *keys;
   struct function *functions;
   uint32_t count, capacity;
   uint32_t variables[SAMPLE_NUM_VARIABLES]; /* UINT32_MAX until one is used */
};

struct sample_functions *
sample_functions_create(struct lir_builder *builder, struct tg_arena *arena,
                        const struct abi_keys *keys)
{
   struct sample_functions *functions =
      tg_arena_alloc(arena, sizeof(*functions));

   if (!functions)
      return NULL;
   functions->builder = builder;
   functions->arena = arena;
   functions->keys = keys;
   for (unsigned i = 0; i < SAMPLE_NUM_VARIABLES; i++)
      functions->variables[i] = UINT32_MAX;
   return functions;
}

/* ---- kinds --------------------------------------------------------------- */

/* Whether a view of one target can be looked up in as if it were of the other:
 * where texels lie alike, and one sample counts as several. */
static bool
is_view_of(enum tg_target view, enum tg_target target)
{
   switch (target) {
   case TG_TARGET_2D:
   case TG_TARGET_RECT: return view == TG_TARGET_2D || view == TG_TARGET_RECT;
   case TG_TARGET_2D_MSAA:
      return view == TG_TARGET_2D_MSAA || view == TG_TARGET_2D ||
             view == TG_TARGET_RECT;
   case TG_TARGET_2D_ARRAY_MSAA:
      return view == TG_TARGET_2D_ARRAY_MSAA || view == TG_TARGET_2D_ARRAY;
   default: return view == target;
   }
}

static bool
is_cube(enum tg_target target)
{
   return target == TG_TARGET_CUBE || target == TG_TARGET_CUBE_ARRAY;
}

static bool
has_sampler(const struct sample_kind *kind)
{
   return kind->operation <= SAMPLE_LOD && kind->operation != SAMPLE_FETCH;
}

/* One filter, one level and one probe are the same at each lod. */
static bool
needs_lod(const struct sample_kind *kind, const struct abi_sampler_key *sampler)
{
   return kind->operation == SAMPLE_LOD || sampler->max_anisotropy > 1 ||
          sampler->mip_filter != TG_MIP_NONE ||
          sampler->min_filter != sampler->mag_filter;
}

bool
sample_resolve(const struct sample_functions *functions,
               struct sample_kind *kind)
{
   const struct abi_keys *keys = functions->keys;

   if (!keys || kind->view >= ABI_MAX_VIEWS ||
       !is_view_of(keys->views[kind->view].target, kind->target) ||
       format_info(keys->views[kind->view].format)->num_units == 0)
      return false;
   if (!has_sampler(kind)) {
      kind->sampler = 0;
      return true;
   }
   if (kind->sampler >= ABI_MAX_SAMPLERS ||
       !keys->samplers[kind->sampler].is_bound)
      return false;
   const struct abi_sampler_key *sampler = &keys->samplers[kind->sampler];
   if (!sampler->compares)
      kind->compares = false;
   if (kind->operation == SAMPLE_GATHER || !needs_lod(kind, sampler))
      kind->lod = SAMPLE_LOD_NONE;
   return true;
}

/* Whether SAMPLE_INDEX says which sample or component is meant. */
static bool
has_index(const struct sample_kind *kind)
{
   switch (kind->operation) {
   case SAMPLE_FETCH:
      return tg_target_row(kind->target)->flags & TG_TARGET_FLAG_MSAA;
   case SAMPLE_GATHER:
      return kind->component == SAMPLE_ANY_COMPONENT && !kind->compares;
   default: return kind->operation == SAMPLE_POSITION;
   }
}

uint32_t
sample_arguments(const struct sample_kind *kind)
{
   assert(kind->target < TG_NUM_TARGETS);
   const struct tg_target_info *target = tg_target_row(kind->target);
   const bool has_place = kind->operation < SAMPLE_SIZE;
   uint32_t arguments = 0;

   for (unsigned i = 0; i < target->num_derivs && has_place; i++) {
      arguments |= 1u << (SAMPLE_COORD + i);
      if (kind->lod >= SAMPLE_LOD_DERIVED)
         arguments |= 1u << (SAMPLE_DX + i) | 1u << (SAMPLE_DY + i);
   }
   for (unsigned i = 0; i < kind->num_offsets * 3u; i++)
      arguments |= 1u << (SAMPLE_OFFSET + i);
   if (has_place &&
       (target->flags & TG_TARGET_FLAG_ARRAY || kind->target == TG_TARGET_CUBE))
      arguments |= 1u << SAMPLE_LAYER;
   if (kind->compares)
      arguments |= 1u << SAMPLE_REFERENCE;
   if (kind->lod == SAMPLE_LOD_GIVEN || kind->lod == SAMPLE_LOD_DERIVED_BIAS)
      arguments |= 1u << SAMPLE_LEVEL;
   if (has_index(kind))
      arguments |= 1u << SAMPLE_INDEX;
   return arguments;
}

/* ---- variables ----------------------------------------------------------- */

static uint32_t
variable(struct sample_functions *functions, unsigned which)
{
   assert(which < TG_LENGTH(functions->variables));
   uint32_t *var = &functions->variables[which];
   char name[16];

   if (*var != UINT32_MAX)
      return *var;
   snprintf(name, sizeof(name), "sample.%u", which);
   *var = lir_module_add_var(functions->builder->module, LIR_TYPE_B32, name);
   if (*var == UINT32_MAX) {
      functions->builder->failed = true;
      return 0;
   }
   return *var;
}

void
sample_get_chosen(struct sample_functions *functions, lir_value result_out[4])
{
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t var = variable(functions, SAMPLE_CHOSEN + c);
      result_out[c] = functions->builder->failed
                         ? (lir_value){0}
                         : lir_getvar(functions->builder, var);
   }
}

void
sample_choose(struct sample_functions *functions, const lir_value result[4])
{
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t var = variable(functions, SAMPLE_CHOSEN + c);
      if (!functions->builder->failed)
         lir_setvar(functions->builder, var, result[c]);
   }
}

/* ---- what the parts share ------------------------------------------------ */

unsigned
sample_view_binding(const struct sample *sample)
{
   return ABI_CONST_VIEWS + sample->kind.view / ABI_CHUNK_VIEWS;
}

unsigned
sample_view_place(const struct sample *sample, unsigned word)
{
   return sample->kind.view % ABI_CHUNK_VIEWS * ABI_VIEW_WORDS + word;
}

static lir_value
load_descriptor(const struct sample *sample, unsigned binding, unsigned word)
{
   assert(binding < ABI_NUM_CONST_BINDINGS);
   const lir_value at = lir_const32(sample->builder, word);
   return lir_load32(sample->builder, LIR_SPACE_CONST, binding, at);
}

lir_value
sample_view_word(const struct sample *sample, unsigned word)
{
   return load_descriptor(sample, sample_view_binding(sample),
                          sample_view_place(sample, word));
}

lir_value
sample_sampler_word(const struct sample *sample, unsigned word)
{
   return load_descriptor(sample, ABI_CONST_SAMPLERS,
                          sample->kind.sampler * ABI_SAMPLER_WORDS + word);
}

lir_value
sample_number(struct lir_builder *builder, lir_value x)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value is_number = lir_feq(builder, x, x);
   return lir_sel32(builder, is_number, x, zero);
}

/* The difference to itself is 0, or NaN. */
lir_value
sample_finite(struct lir_builder *builder, lir_value x)
{
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value difference = lir_fsub(builder, x, x);
   const lir_value is_finite = lir_feq(builder, difference, zero);
   return lir_sel32(builder, is_finite, x, zero);
}

lir_value
sample_blend(struct lir_builder *builder, lir_value a, lir_value b,
             lir_value weight)
{
   return lir_flerp(builder, a, b, weight);
}

/* ---- texels to results --------------------------------------------------- */

void
sample_give(const struct sample *sample, const lir_value result[4])
{
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(sample->builder, sample->variables[SAMPLE_RESULT + c],
                 result[c]);
}

lir_value
sample_swizzle(const struct sample *sample, const lir_value texel[4],
               unsigned channel)
{
   assert(channel < TG_LENGTH(sample->view->swizzle));
   const unsigned swizzle = sample->view->swizzle[channel];

   if (swizzle <= TG_SWIZZLE_W)
      return texel[swizzle];
   if (swizzle == TG_SWIZZLE_1 && !sample->is_integer)
      return lir_constf(sample->builder, 1.0f);
   return lir_const32(sample->builder, swizzle == TG_SWIZZLE_1);
}

void
sample_give_texel(const struct sample *sample, const lir_value texel[4])
{
   lir_value result[4];

   for (unsigned c = 0; c < 4; c++)
      result[c] = sample_swizzle(sample, texel, c);
   sample_give(sample, result);
}

/* ---- functions ----------------------------------------------------------- */

static struct sample
make_sample(struct sample_functions *functions, struct lir_builder *builder,
            const struct sample_kind *kind)
{
   assert(kind->view < ABI_MAX_VIEWS && kind->sampler < ABI_MAX_SAMPLERS);
   const struct tg_target_info *target = tg_target_row(kind->target);
   const struct abi_keys *keys = functions->keys;
   const struct abi_sampler_key *sampler = &keys->samplers[kind->sampler];

   return (struct sample){
      .builder = builder,
      .variables = functions->variables,
      .kind = *kind,
      .view = &keys->views[kind->view],
      .sampler = sampler,
      .num_axes = is_cube(kind->target) ? 2 : target->num_derivs,
      .is_cube = is_cube(kind->target),
      .is_array = target->flags & TG_TARGET_FLAG_ARRAY,
      .is_normalized =
         is_cube(kind->target) ||
         (kind->target != TG_TARGET_RECT && !sampler->unnormalized),
      .is_integer = format_is_integer(keys->views[kind->view].format),
   };
}

/* The parameters of a function are the arguments that its kind reads, in their
 * order. */
static void
read_arguments(struct sample *sample)
{
   const uint32_t arguments = sample_arguments(&sample->kind);
   uint32_t param = 0;

   for (unsigned a = 0; a < SAMPLE_NUM_ARGUMENTS; a++) {
      if (arguments >> a & 1)
         sample->argument[a] = lir_param(sample->builder, param++);
   }
}

static void
give_results(const struct sample *sample)
{
   for (unsigned c = 0; c < 4; c++)
      lir_set_result(
         sample->builder, c,
         lir_getvar(sample->builder, sample->variables[SAMPLE_RESULT + c]));
}

/* Works out what all levels and probes share. */
static void
begin_sample(struct sample *sample)
{
   for (unsigned i = 0; i < sample->kind.num_offsets; i++) {
      for (unsigned a = 0; a < 3; a++)
         sample->offset[i][a] = sample->argument[SAMPLE_OFFSET + 3 * i + a];
   }
   if (sample->kind.compares) {
      const lir_value given = sample->argument[SAMPLE_REFERENCE];
      sample->reference = sample_compare_bound(sample, given);
   }
   if (has_sampler(&sample->kind))
      sample_find_border(sample, sample->border);
}

static void
emit_operation(const struct sample *sample)
{
   switch (sample->kind.operation) {
   case SAMPLE_FILTER: sample_emit_levels(sample); break;
   case SAMPLE_GATHER: sample_filter_gather(sample); break;
   case SAMPLE_FETCH: sample_emit_fetch(sample); break;
   case SAMPLE_LOD: sample_emit_lod(sample); break;
   default: sample_emit_query(sample); break;
   }
}

/* UINT32_MAX when it cannot be made. */
static uint32_t
make_function(struct sample_functions *functions,
              const struct sample_kind *kind)
{
   struct lir_module *module = functions->builder->module;
   struct lir_builder builder;
   char name[40];

   for (unsigned i = 0; i < SAMPLE_NUM_VARIABLES; i++)
      variable(functions, i);
   snprintf(name, sizeof(name), "sample view %u sampler %u", kind->view,
            kind->sampler);
   const uint32_t function = lir_module_add_function(module, name);
   if (function == UINT32_MAX || functions->builder->failed)
      return UINT32_MAX;
   lir_set_signature(module, function,
                     (uint32_t)__builtin_popcount(sample_arguments(kind)), 4);
   lir_builder_init(&builder, module, function);
   builder.origin = functions->builder->origin;
   struct sample sample = make_sample(functions, &builder, kind);
   read_arguments(&sample);
   begin_sample(&sample);
   emit_operation(&sample);
   give_results(&sample);
   return builder.failed ? UINT32_MAX : function;
}

static bool
reserve(struct sample_functions *functions)
{
   const uint32_t capacity = functions->capacity ? functions->capacity * 2 : 16;

   if (functions->count < functions->capacity)
      return true;
   struct function *grown =
      tg_arena_array(functions->arena, capacity, sizeof(*grown));
   if (!grown)
      return false;
   if (functions->count)
      memcpy(grown, functions->functions, functions->count * sizeof(*grown));
   functions->functions = grown;
   functions->capacity = capacity;
   return true;
}

static uint32_t
find_function(struct sample_functions *functions,
              const struct sample_kind *kind)
{
   for (uint32_t i = 0; i < functions->count; i++) {
      if (memcmp(&functions->functions[i].kind, kind, sizeof(*kind)) == 0)
         return functions->functions[i].number;
   }
   if (!reserve(functions))
      return UINT32_MAX;
   const uint32_t number = make_function(functions, kind);
   if (number != UINT32_MAX)
      functions->functions[functions->count++] =
         (struct function){*kind, number};
   return number;
}

void
sample_call(struct sample_functions *functions, const struct sample_kind *kind,
            const lir_value argument[SAMPLE_NUM_ARGUMENTS],
            lir_value result_out[4])
{
   const uint32_t function = find_function(functions, kind);
   const uint32_t arguments = sample_arguments(kind);
   lir_value args[SAMPLE_NUM_ARGUMENTS];
   uint32_t num_args = 0;

   for (unsigned a = 0; a < SAMPLE_NUM_ARGUMENTS; a++) {
      if (arguments >> a & 1)
         args[num_args++] = argument[a];
   }
   for (unsigned c = 0; c < 4; c++)
      result_out[c] = (lir_value){0};
   if (function == UINT32_MAX)
      functions->builder->failed = true;
   else
      lir_call_with(functions->builder, function, args, result_out);
}
