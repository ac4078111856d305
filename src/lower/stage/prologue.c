/* SPDX-License-Identifier: MIT
 *
 * What comes before a shader's own code: inputs, immediates, defaults of
 * outputs.
 */
#include "lower/stage/prologue.h"

#include <assert.h>

#include "lower/operands/location.h"
#include "lower/operands/registers.h"
#include "lower/stage/derivative.h"
#include "util/length.h"

typedef lir_value (*given_value)(struct lower_context *context, uint32_t index,
                                 unsigned channel);

static lir_value
given_input(struct lower_context *context, uint32_t index, unsigned channel)
{
   const struct lower_stage *stage = context->options->stage;
   const lir_value nowhere[2] = {{0}, {0}};

   return stage->input(stage->user, &context->builder, index, channel,
                       LOWER_PLACE_DECLARED, nowhere);
}

static lir_value
given_sysval(struct lower_context *context, uint32_t index, unsigned channel)
{
   const struct lower_stage *stage = context->options->stage;

   return stage->sysval(stage->user, &context->builder, index, channel);
}

static lir_value
given_immediate(struct lower_context *context, uint32_t index, unsigned channel)
{
   return lir_const32(
      &context->builder,
      lower_immediate_register_word(context, TG_FILE_IMM, index, channel));
}

static lir_value
given_element(struct lower_context *context, uint32_t index, unsigned channel)
{
   return lir_const32(
      &context->builder,
      lower_immediate_register_word(context, TG_FILE_IMMX, index, channel));
}

/* Where a register of the shader's own is filled, which an immediate is read
 * from where it is named by a computed index alone. */
static struct lower_location
locate_home(struct lower_context *context, enum tg_file file_number, uint32_t r)
{
   const struct lower_file *file = &context->registers->files[file_number];

   if (file->home != LOWER_HOME_MEMORY)
      return lower_locate_direct(context, file_number, r);
   return (struct lower_location){
      .kind = LOWER_LOCATION_MEMORY,
      .memory = file->memory,
      .constant_word = r * 4,
   };
}

/* Puts what the stage, or the shader's list, gives into the registers that are
 * read. In memory all count as read. */
static void
fill_file(struct lower_context *context, enum tg_file file_number,
          given_value get)
{
   assert(file_number < TG_LENGTH(context->registers->files));
   const struct lower_file *file = &context->registers->files[file_number];

   for (uint32_t r = 0; r < file->num_registers; r++) {
      if (!lower_register_is_declared(context, file_number, r))
         continue;

      struct lower_location location = locate_home(context, file_number, r);
      for (unsigned c = 0; c < 4; c++) {
         if (file->home == LOWER_HOME_VARIABLES &&
             !(file->channels_read[r] & 1u << c))
            continue;

         lir_value value = get(context, r, c);
         lower_store_location(context, &location, c, value);
      }
   }
}

/* Registers are 0 until they are written, so that w is all there is to do. */
static void
set_output_defaults(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file != TG_FILE_OUT ||
          !tg_shader_output_has_default_w(shader, declaration))
         continue;
      for (uint32_t r = declaration->first; r <= declaration->last; r++) {
         struct lower_location location =
            lower_locate_direct(context, TG_FILE_OUT, r);

         if (context->registers->is_own_output[r])
            lower_store_location(context, &location, 3,
                                 lir_constf(&context->builder, 1.0f));
      }
   }
}

void
lower_prologue(struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;

   if (stage && stage->prologue)
      stage->prologue(stage->user, &context->builder);
   if (lower_registers_have_input_function(context))
      fill_file(context, TG_FILE_IN, given_input);
   if (lower_registers_have_sysval_function(context))
      fill_file(context, TG_FILE_SV, given_sysval);
   if (context->registers->files[TG_FILE_IMM].is_indirect)
      fill_file(context, TG_FILE_IMM, given_immediate);
   if (context->registers->files[TG_FILE_IMMX].is_indirect)
      fill_file(context, TG_FILE_IMMX, given_element);
   set_output_defaults(context);
   lower_derivative_keep_launched(context);
}
