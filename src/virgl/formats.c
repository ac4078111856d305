/* SPDX-License-Identifier: MIT
 *
 * Translation of wire formats to Gallium's; names are looked up once.
 */
#include "virgl/formats.h"

#include <pthread.h>

#include "tungsten/resource.h"

static const char *const names[VIRGL_NUM_FORMATS] = {
#define VIRGL_FORMAT(number, name) [number] = #name,
#include "virgl/formats.def"
};

static uint32_t numbers[VIRGL_NUM_FORMATS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
find_numbers(void)
{
   for (unsigned i = 0; i < VIRGL_NUM_FORMATS; i++) {
      if (names[i])
         numbers[i] = tg_format_number(names[i]);
   }
}

uint32_t
virgl_format(uint32_t number)
{
   pthread_once(&once, find_numbers);
   return number < VIRGL_NUM_FORMATS ? numbers[number] : 0;
}
