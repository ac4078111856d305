/* SPDX-License-Identifier: MIT
 *
 * Transfers as commands: inline writes, transfers and copy transfers.
 */
#include "virgl/resource/resource.h"

/* Resource, level, usage, strides and box, which all transfers begin with. */
static struct virgl_transfer
decode_transfer(const uint32_t *words)
{
   return (struct virgl_transfer){
      .handle = words[1],
      .level = words[2],
      .stride = words[4],
      .layer_stride = words[5],
      .box = {(int32_t)words[6], (int32_t)words[7], (int32_t)words[8],
              (int32_t)words[9], (int32_t)words[10], (int32_t)words[11]},
   };
}

/* What goes wrong with a transfer is in the log already. */
enum tg_result
virgl_do_transfer(const struct virgl_call *call)
{
   struct virgl_transfer transfer = decode_transfer(call->words);
   const uint32_t direction = call->words[13];

   transfer.offset = call->words[12];
   if (direction == VIRGL_TRANSFER_TO_HOST)
      virgl_transfer_put_shared(call->host, &transfer, NULL);
   else if (direction == VIRGL_TRANSFER_FROM_HOST)
      virgl_transfer_get_shared(call->host, &transfer, NULL);
   else
      return virgl_refuse_call(call, "there is no direction %u", direction);
   return TG_OK;
}

/* From or to the memory of another resource. */
enum tg_result
virgl_do_copy_transfer(const struct virgl_call *call)
{
   struct virgl_transfer transfer = decode_transfer(call->words);
   struct virgl_resource *staging =
      virgl_find_resource(call->host, call->words[12]);

   if (!staging || !staging->memory.address)
      return virgl_refuse_call(call, "resource %u has no memory",
                               call->words[12]);
   if (virgl_resource_leave_shared(call->host, staging) != TG_OK)
      return TG_ERROR_MEMORY;
   transfer.offset = call->words[13];
   if (call->words[14] & VIRGL_COPY_READS_FROM_HOST)
      virgl_transfer_get_shared(call->host, &transfer, &staging->memory);
   else
      virgl_transfer_put_shared(call->host, &transfer, &staging->memory);
   return TG_OK;
}

/* The data are the words that follow. */
enum tg_result
virgl_do_inline_write(const struct virgl_call *call)
{
   const struct virgl_transfer transfer = decode_transfer(call->words);

   virgl_transfer_put_words(call->host, &transfer, &call->words[12],
                            call->length - 11);
   return TG_OK;
}
