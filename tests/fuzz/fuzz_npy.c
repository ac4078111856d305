/* SPDX-License-Identifier: MIT
 *
 * Headers of .npy files. Whatever is refused says why; what is read is written
 * as a header that reads as the same array.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "util/npy.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_strbuf fault = {0}, written = {0};
   struct tg_npy npy, again;

   if (!tg_npy_read(data, size, size, &npy, &fault)) {
      if (!fault.length)
         abort();
      tg_strbuf_finish(&fault);
      return 0;
   }
   tg_npy_write(&written, &npy);
   if (!tg_npy_read(written.data, written.length,
                    written.length + npy.data_bytes, &again, &fault) ||
       again.kind != npy.kind || again.item_bytes != npy.item_bytes ||
       again.num_dims != npy.num_dims ||
       memcmp(again.shape, npy.shape, npy.num_dims * sizeof(npy.shape[0])) != 0)
      abort();
   tg_strbuf_finish(&written);
   return 0;
}
