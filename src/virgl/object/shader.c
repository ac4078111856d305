/* SPDX-License-Identifier: MIT
 *
 * Shader creation: the pieces of a text are joined, and the shader is created
 * when the last one has come. Nothing but that text is kept meanwhile.
 */
#include "virgl/object/shader.h"

#include <stdio.h>
#include <string.h>

#include "virgl/core/log.h"
#include "virgl/core/memory.h"
#include "virgl/object/object.h"

/* ---- pieces -------------------------------------------------------------- */

void
virgl_shader_text_finish(struct virgl_context *context)
{
   struct virgl_text *text = &context->text;

   if (text->bytes)
      virgl_free(context->host, text->bytes, text->size);
   *text = (struct virgl_text){0};
}

static void
decode_stream_output(const uint32_t *words, uint32_t count,
                     struct tg_stream_output_info *info)
{
   *info = (struct tg_stream_output_info)TG_STREAM_OUTPUT_INFO_INIT;
   info->num_outputs = count;
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++)
      info->stride[i] = (uint16_t)words[i];
   words += VIRGL_SHADER_STRIDES;
   for (uint32_t i = 0; i < count; i++, words += VIRGL_SHADER_OUTPUT) {
      info->outputs[i] = (struct tg_stream_output){
         .register_index = (uint8_t)virgl_bits(words[0], 0, 8),
         .start_component = (uint8_t)virgl_bits(words[0], 8, 2),
         .num_components = (uint8_t)virgl_bits(words[0], 10, 3),
         .buffer = (uint8_t)virgl_bits(words[0], 13, 3),
         .dst_offset = (uint16_t)virgl_bits(words[0], 16, 16),
         .stream = (uint8_t)virgl_bits(words[1], 0, 2),
      };
   }
}

/* The words of stream output that come before the text; TG_ERROR_INPUT for more
 * than there are or can be. */
static enum tg_result
begin_stream_output(const struct virgl_call *call, uint32_t *num_words_out)
{
   struct virgl_text *text = &call->context->text;
   const uint32_t count =
      text->stage == VIRGL_STAGE_COMPUTE ? 0 : call->words[5];
   const uint32_t num_words =
      VIRGL_SHADER_STRIDES + count * VIRGL_SHADER_OUTPUT;

   *num_words_out = 0;
   if (!count)
      return TG_OK;
   if (count > TG_MAX_STREAM_OUTPUTS ||
       num_words > call->length - VIRGL_SHADER_HEAD)
      return virgl_refuse_call(call, "%u stream outputs in %u words", count,
                               call->length);
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++) {
      if (call->words[6 + i] > UINT16_MAX)
         return virgl_refuse_call(call, "a stream output's vertex of %u words",
                                  call->words[6 + i]);
   }
   text->has_stream_output = true;
   decode_stream_output(&call->words[6], count, &text->stream_output);
   *num_words_out = num_words;
   return TG_OK;
}

/* A shader begins, in place of one that has not come whole. */
static enum tg_result
begin_text(const struct virgl_call *call, uint32_t *num_words_out)
{
   struct virgl_text *text = &call->context->text;
   const uint32_t size = call->words[3];

   virgl_shader_text_finish(call->context);
   if (call->words[2] >= VIRGL_NUM_STAGES)
      return virgl_refuse_call(call, "there is no stage %u", call->words[2]);
   if (!size || size > VIRGL_MAX_SHADER_TEXT)
      return virgl_refuse_call(call, "a shader of %u bytes; there can be %u",
                               size, VIRGL_MAX_SHADER_TEXT);
   text->handle = call->words[1];
   text->stage = call->words[2];
   enum tg_result result = begin_stream_output(call, num_words_out);
   if (result != TG_OK)
      return result;
   text->bytes = virgl_alloc(call->host, size);
   text->size = size;
   return text->bytes ? TG_OK : TG_ERROR_MEMORY;
}

static enum tg_result
check_later_piece(const struct virgl_call *call)
{
   const struct virgl_text *text = &call->context->text;
   const uint32_t offset = call->words[3] & ~VIRGL_SHADER_IS_LATER_PIECE;

   if (!text->bytes || text->handle != call->words[1] ||
       text->stage != call->words[2])
      return virgl_refuse_call(
         call, "a piece of shader %u, which has not begun", call->words[1]);
   if (offset != text->filled)
      return virgl_refuse_call(call, "a piece from byte %u on, after %u bytes",
                               offset, text->filled);
   return TG_OK;
}

static enum tg_result
add_piece(const struct virgl_call *call)
{
   struct virgl_text *text = &call->context->text;
   uint32_t skipped = 0;
   enum tg_result result = call->words[3] & VIRGL_SHADER_IS_LATER_PIECE
                              ? check_later_piece(call)
                              : begin_text(call, &skipped);

   if (result != TG_OK)
      return result;
   const uint32_t head = VIRGL_SHADER_HEAD + skipped;
   const uint32_t there = (call->length - head) * 4;
   const uint32_t wanted = text->size - text->filled;
   const uint32_t added = there < wanted ? there : wanted;
   if (!added)
      return virgl_refuse_call(call, "a piece of a shader without text");
   memcpy(text->bytes + text->filled, &call->words[1 + head], added);
   text->filled += added;
   return TG_OK;
}

/* ---- shaders ------------------------------------------------------------- */

/* The text ends at its NUL, or without one. */
static enum tg_result
parse(const struct virgl_call *call, const char *name,
      struct tg_shader **shader_out)
{
   const struct virgl_text *text = &call->context->text;
   struct tg_shader *shader;
   enum tg_result result =
      tg_shader_parse(call->host->allocator, name, text->bytes,
                      strnlen(text->bytes, text->filled), TG_DIALECT_2019,
                      call->diagnostics, &shader);

   if (result != TG_OK)
      return result;
   tg_shader_set_quirks(shader, TG_QUIRKS_OF_VIRGL);
   result = tg_shader_validate(shader, call->diagnostics);
   if (result == TG_OK)
      *shader_out = shader;
   else
      tg_shader_destroy(shader);
   return result;
}

/* The stage that the text says, or VIRGL_NUM_STAGES. */
static uint32_t
stage_of(const struct tg_shader *shader)
{
   static const char *const names[VIRGL_NUM_STAGES] = {
      "VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"};
   uint32_t stage = 0;

   while (stage < VIRGL_NUM_STAGES &&
          strcmp(names[stage], tg_shader_processor_name(shader)))
      stage++;
   return stage;
}

static enum tg_result
make(const struct virgl_call *call, struct virgl_shader *shader)
{
   const struct tg_shader *source = shader->source;
   const struct virgl_text *text = &call->context->text;
   struct tg_device *device = call->host->options.device;
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   if (stage_of(source) != text->stage)
      return virgl_refuse_call(call, "a %s shader comes as one of stage %u",
                               tg_shader_processor_name(source), text->stage);
   options.executor = tg_device_get_executor(device);
   options.code_cache = tg_device_get_code_cache(device);
   options.profile = tg_device_get_profile(device);
   if (text->stage == VIRGL_STAGE_COMPUTE)
      return tg_program_create(call->host->allocator, source, &options,
                               call->diagnostics, &shader->program);
   return tg_gpu_shader_create(
      device, source, text->has_stream_output ? &text->stream_output : NULL,
      call->diagnostics, &shader->shader);
}

/* What is refused is an object all the same, so that its use is diagnosed. */
enum tg_result
virgl_create_shader(const struct virgl_call *call, void **thing_out)
{
   struct virgl_text *text = &call->context->text;
   char name[32];
   enum tg_result result = add_piece(call);

   if (result == TG_OK && text->filled < text->size)
      return TG_OK;
   struct virgl_shader *shader =
      text->bytes ? virgl_alloc(call->host, sizeof(*shader)) : NULL;
   if (!shader) {
      virgl_shader_text_finish(call->context);
      return result == TG_OK ? TG_ERROR_MEMORY : result;
   }
   shader->num_references = 1;
   shader->stage = text->stage;
   *thing_out = shader;
   snprintf(name, sizeof(name), "shader %u", text->handle);
   if (result == TG_OK)
      result = parse(call, name, &shader->source);
   if (result == TG_OK)
      result = make(call, shader);
   if (result != TG_OK)
      virgl_log_failure(call->host, result, "%s", name);
   virgl_shader_text_finish(call->context);
   return TG_OK;
}

void
virgl_shader_unref(struct virgl_host *host, struct virgl_shader *shader)
{
   if (!shader || --shader->num_references)
      return;
   tg_gpu_shader_destroy(shader->shader);
   tg_program_destroy(shader->program);
   tg_shader_destroy(shader->source);
   virgl_free(host, shader, sizeof(*shader));
}

void
virgl_drop_shader(struct virgl_context *context, void *thing)
{
   virgl_shader_unref(context->host, thing);
}

/* ---- binding ------------------------------------------------------------- */

bool
virgl_shaders_are_refused(const struct virgl_context *context)
{
   for (unsigned i = 0; i < VIRGL_STAGE_COMPUTE; i++) {
      if (context->shaders[i] && !context->shaders[i]->shader)
         return true;
   }
   return false;
}

enum tg_result
virgl_do_bind_shader(const struct virgl_call *call)
{
   struct virgl_context *context = call->context;
   const uint32_t handle = call->words[1], stage = call->words[2];
   struct virgl_shader *shader =
      virgl_find_object(context, handle, VIRGL_OBJECT_SHADER);

   if (stage >= VIRGL_NUM_STAGES)
      return virgl_refuse_call(call, "there is no stage %u", stage);
   if (handle && (!shader || shader->stage != stage))
      return virgl_refuse_call(call, "there is no shader %u of stage %u",
                               handle, stage);
   if (shader)
      shader->num_references++;
   virgl_shader_unref(call->host, context->shaders[stage]);
   context->shaders[stage] = shader;
   if (stage == VIRGL_STAGE_COMPUTE)
      return TG_OK;
   return tg_context_set_shader(context->context, (enum tg_gpu_stage)stage,
                                shader ? shader->shader : NULL,
                                call->diagnostics);
}
