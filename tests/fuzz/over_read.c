/* SPDX-License-Identifier: MIT
 *
 * Reads one word past the end of what fuzz_copy() gives. Under AddressSanitizer
 * this ends in a report and a failure, which a test expects.
 */
#include "fuzz_copy.h"

int
main(void)
{
   static const uint8_t data[16];
   volatile size_t size = 12; /* so that the compiler does not know */
   volatile uint32_t *words = fuzz_copy(data, size);

   (void)words[size / sizeof(*words)];
   free((void *)words);
   return 0;
}
