/* SPDX-License-Identifier: MIT
 *
 * Translation of wire formats to Gallium's: the numbers and names of the rows
 * of format/formats.def; names are looked up once.
 */
#include "virgl/wire/formats.h"

#include <assert.h>
#include <pthread.h>

#include "tungsten/resource.h"
#include "util/length.h"

/* 0: the protocol has no number for it. */
static const struct {
   uint16_t number;
   const char *name;
} rows[] = {
#define FORMAT_PLAIN(name, number, ...) {number, #name},
#define FORMAT_ZS(name, number, ...) {number, #name},
#define FORMAT_SHARED(name, number, ...) {number, #name},
#define FORMAT_PAIR(name, number, ...) {number, #name},
#define FORMAT_BLOCK(name, number, ...) {number, #name},
#include "format/formats.def"
};

static uint32_t numbers[VIRGL_NUM_FORMATS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
find_numbers(void)
{
   for (unsigned i = 0; i < TG_LENGTH(rows); i++) {
      assert(rows[i].number < VIRGL_NUM_FORMATS);
      if (rows[i].number)
         numbers[rows[i].number] = tg_format_number(rows[i].name);
   }
}

uint32_t
virgl_format(uint32_t number)
{
   pthread_once(&once, find_numbers);
   return number < VIRGL_NUM_FORMATS ? numbers[number] : 0;
}

uint32_t
virgl_limit_texels(uint64_t num_bytes, uint32_t format)
{
   const uint64_t most =
      (uint64_t)VIRGL_MAX_BUFFER_TEXELS * tg_format_get_block(format).bytes;

   return (uint32_t)(num_bytes < most ? num_bytes : most);
}
