/* SPDX-License-Identifier: MIT
 *
 * Pictures in PNG files, and a clock. What goes wrong is said on standard
 * error, and ends the program.
 */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include <stdint.h>

/* A picture as words 0xAABBGGRR, to be freed with free(). */
uint32_t *
read_picture(const char *path, uint32_t *width, uint32_t *height);
void
write_picture(const char *path, const uint32_t *words, uint32_t width,
              uint32_t height);

/* Seconds since some time. */
double
now(void);

/* Says `name: what` and ends the program. */
_Noreturn void
fail(const char *name, const char *what);

#endif
