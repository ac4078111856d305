/* SPDX-License-Identifier: MIT
 *
 * Resources and bindings of a test, made from its places.
 */
#include "script/run/bound.h"

#include <string.h>

#include "resource/resource.h"
#include "script/run/resource.h"
#include "script/run/runner.h"

/* ---- resources ----------------------------------------------------------- */

enum tg_result
script_bound_init(struct script_runner *runner)
{
   const struct script *script = runner->script;
   struct script_bound *bound = &runner->bound;

   bound->places = tg_arena_array(&runner->arena, script->num_places,
                                  sizeof(*bound->places));
   if (!bound->places)
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < script->num_places; i++) {
      bound->places[i].binding = script->places[i]->binding;
      bound->places[i].position = script->places[i]->position;
   }
   return TG_OK;
}

void
script_bound_finish(struct script_runner *runner)
{
   struct script_bound *bound = &runner->bound;

   tg_bindings_destroy(bound->bindings);
   for (uint32_t i = 0; bound->places && i < runner->script->num_places; i++)
      tg_resource_destroy(bound->places[i].resource);
}

/* Whatever a place takes counts against the test's memory. */
static enum tg_result
blame_for_memory(struct script_runner *runner, struct tg_position position)
{
   return runner->quota.refused
             ? script_blame(runner, position, TG_ERROR_LIMIT,
                            SCRIPT_BEYOND_QUOTA,
                            (unsigned long long)runner->limits->memory)
             : TG_ERROR_MEMORY;
}

static bool
has_memory(const struct script_place *place)
{
   return !place->of &&
          script_place_rules[place->kind].holds != SCRIPT_HOLDS_NOTHING;
}

enum tg_result
script_bound_create(struct script_runner *runner)
{
   const struct script *script = runner->script;
   struct script_bound *bound = &runner->bound;

   for (uint32_t i = 0; i < script->num_places; i++) {
      struct tg_resource **resource = &bound->places[i].resource;

      if (*resource || !has_memory(script->places[i]))
         continue;
      enum tg_result result =
         script_create_resource(runner, script->places[i], resource);
      if (result == TG_ERROR_MEMORY)
         return blame_for_memory(runner, script->places[i]->position);
      if (result != TG_OK)
         return result;
   }
   return bound->bindings
             ? TG_OK
             : tg_bindings_create(runner->allocator, &bound->bindings);
}

struct tg_resource *
script_bound_resource(const struct script_runner *runner,
                      const struct script_place *place)
{
   const struct script_place *owner = place->of ? place->of : place;

   return runner->bound.places[owner->index].resource;
}

/* ---- views --------------------------------------------------------------- */

static void
choose(uint32_t *field, uint32_t number)
{
   if (number != SCRIPT_AS_IS)
      *field = number;
}

struct tg_view_desc
script_bound_view(const struct script_runner *runner,
                  const struct script_place *place,
                  const struct script_binding *binding)
{
   struct tg_resource *resource = script_bound_resource(runner, place);
   struct tg_view_desc view = tg_view_desc_of(resource);

   if (tg_resource_get_desc(resource)->target == TG_TEXTURE_BUFFER)
      choose(&view.format, script_place_format(place));
   choose(&view.target, binding->target);
   choose(&view.format, binding->format);
   choose(&view.first_level, binding->levels[0]);
   choose(&view.last_level, binding->levels[1]);
   choose(&view.first_layer, binding->layers[0]);
   choose(&view.last_layer, binding->layers[1]);
   choose(&view.offset, binding->bytes[0]);
   choose(&view.size, binding->bytes[1]);
   memcpy(view.swizzle, binding->swizzle, sizeof(view.swizzle));
   return view;
}

static struct tg_image
make_image(struct tg_resource *resource, const struct script_place *place,
           const struct script_binding *binding)
{
   struct tg_image image = tg_image_of(resource);

   if (tg_resource_get_desc(resource)->target == TG_TEXTURE_BUFFER)
      choose(&image.format, script_place_format(place));
   choose(&image.format, binding->format);
   choose(&image.level, binding->levels[0]);
   image.last_layer =
      script_place_level_extent(tg_resource_get_desc(resource), image.level)
         .slices -
      1;
   choose(&image.first_layer, binding->layers[0]);
   choose(&image.last_layer, binding->layers[1]);
   choose(&image.offset, binding->bytes[0]);
   choose(&image.size, binding->bytes[1]);
   return image;
}

/* ---- binding ------------------------------------------------------------- */

static enum tg_result
bind_view(struct script_runner *runner, const struct script_place *place,
          const struct script_binding *binding, struct tg_diagnostics *errors)
{
   const struct tg_view_desc desc = script_bound_view(runner, place, binding);
   const uint64_t cost =
      resource_decoding_cost(desc.resource, (enum tg_format)desc.format);
   struct tg_view *view = NULL;

   if (!tg_work_pay(&runner->work, cost))
      return tg_work_diagnose(&runner->work, errors, NULL,
                              (struct tg_position){0});
   enum tg_result result =
      tg_view_create(runner->allocator, &desc, errors, &view);

   if (result == TG_OK)
      result = tg_bindings_set_view(runner->bound.bindings, place->number, view,
                                    errors);
   tg_view_destroy(view);
   return result;
}

static enum tg_result
bind_sampler(struct script_runner *runner, const struct script_place *place,
             const struct script_binding *binding,
             struct tg_diagnostics *errors)
{
   struct tg_sampler *sampler = NULL;
   enum tg_result result =
      tg_sampler_create(runner->allocator, &binding->sampler, errors, &sampler);

   if (result == TG_OK)
      result = tg_bindings_set_sampler(runner->bound.bindings, place->number,
                                       sampler, errors);
   tg_sampler_destroy(sampler);
   return result;
}

static enum tg_result
bind_texture(struct script_runner *runner, const struct script_place *place,
             const struct script_binding *binding,
             struct tg_diagnostics *errors)
{
   enum tg_result result = bind_view(runner, place, binding, errors);

   if (result == TG_OK && place->number < TG_MAX_SAMPLERS)
      result = bind_sampler(runner, place, binding, errors);
   return result;
}

static enum tg_result
bind_buffer(struct script_runner *runner, const struct script_place *place,
            const struct script_binding *binding, struct tg_diagnostics *errors)
{
   struct tg_resource *resource = script_bound_resource(runner, place);
   uint32_t offset = 0;
   uint32_t size = (uint32_t)tg_resource_get_size(resource);

   choose(&offset, binding->bytes[0]);
   choose(&size, binding->bytes[1]);
   return tg_bindings_set_buffer(
      runner->bound.bindings,
      (enum tg_buffer_file)script_place_rules[place->kind].file, place->number,
      resource, offset, size, errors);
}

static enum tg_result
bind_place(struct script_runner *runner, const struct script_place *place,
           const struct script_binding *binding, struct tg_diagnostics *errors)
{
   struct tg_bindings *bindings = runner->bound.bindings;
   struct tg_image image;

   switch (place->kind) {
   case SCRIPT_PLACE_TEXTURE:
      return bind_texture(runner, place, binding, errors);
   case SCRIPT_PLACE_SAMPLER:
      return bind_sampler(runner, place, binding, errors);
   case SCRIPT_PLACE_IMAGE:
      image = make_image(script_bound_resource(runner, place), place, binding);
      return tg_bindings_set_image(bindings, place->number, &image, errors);
   case SCRIPT_PLACE_COLOR:
      image = make_image(script_bound_resource(runner, place), place, binding);
      return tg_bindings_set_color(bindings, place->number, &image, errors);
   default: return bind_buffer(runner, place, binding, errors);
   }
}

enum tg_result
script_bound_update(struct script_runner *runner)
{
   struct script_bound *bound = &runner->bound;
   enum tg_result result =
      bound->is_current ? TG_OK : script_bound_create(runner);

   for (uint32_t i = 0;
        i < runner->script->num_places && result == TG_OK && !bound->is_current;
        i++) {
      struct script_bound_place *place = &bound->places[i];
      struct tg_diagnostics *errors = script_errors(runner);

      if (!errors)
         return TG_ERROR_MEMORY;
      result =
         bind_place(runner, runner->script->places[i], &place->binding, errors);
      if (result == TG_ERROR_MEMORY)
         return blame_for_memory(runner, place->position);
      if (result != TG_OK)
         return script_blame(runner, place->position, result, "%s",
                             script_first_error(runner));
   }
   bound->is_current = result == TG_OK;
   return result;
}

/* ---- constants ----------------------------------------------------------- */

/* Registers that the settings of a buffer reach. */
static uint32_t
count_registers(const struct script_settings *settings, uint32_t buffer)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_register *reg = &settings->items[i].reg;

      if (reg->file == SCRIPT_CONST && reg->dimension == buffer &&
          reg->index >= count)
         count = reg->index + 1;
   }
   return count;
}

static enum tg_result
create_constants(struct script_runner *runner, uint32_t buffer,
                 uint32_t num_registers)
{
   const struct script_settings *settings =
      &runner->settings[SCRIPT_STAGE_ALONE];
   struct tg_resource **resource = &runner->bound.constants[buffer];
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = num_registers * 16,
   };
   enum tg_result result =
      tg_resource_create(runner->allocator, &desc, NULL, resource);
   if (result != TG_OK)
      return result;

   uint8_t *bytes = tg_resource_map_buffer(*resource);
   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_setting *setting = &settings->items[i];

      if (setting->reg.file == SCRIPT_CONST && setting->reg.dimension == buffer)
         memcpy(bytes + (size_t)setting->reg.index * 16, setting->words,
                sizeof(setting->words));
   }
   return tg_bindings_set_buffer(runner->bound.bindings, TG_BUFFER_CONSTANT,
                                 buffer, *resource, 0, num_registers * 16,
                                 NULL);
}

bool
script_bound_has_constants(const struct script *script, uint32_t buffer)
{
   for (uint32_t i = 0; i < script->num_places; i++) {
      if (script->places[i]->kind == SCRIPT_PLACE_CONSTANTS &&
          script->places[i]->number == buffer)
         return true;
   }
   return false;
}

enum tg_result
script_bound_set_constants(struct script_runner *runner)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < TG_MAX_CONSTANT_BUFFERS && result == TG_OK; i++) {
      const uint32_t num_registers =
         count_registers(&runner->settings[SCRIPT_STAGE_ALONE], i);

      if (num_registers && !script_bound_has_constants(runner->script, i))
         result = create_constants(runner, i, num_registers);
   }
   return result;
}

void
script_bound_drop_constants(struct script_runner *runner)
{
   struct script_bound *bound = &runner->bound;

   for (uint32_t i = 0; i < TG_MAX_CONSTANT_BUFFERS; i++) {
      if (!bound->constants[i])
         continue;
      tg_bindings_set_buffer(bound->bindings, TG_BUFFER_CONSTANT, i, NULL, 0, 0,
                             NULL);
      tg_resource_destroy(bound->constants[i]);
      bound->constants[i] = NULL;
   }
}
