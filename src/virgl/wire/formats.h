/* SPDX-License-Identifier: MIT
 *
 * Wire formats.
 */
#ifndef VIRGL_WIRE_FORMATS_H
#define VIRGL_WIRE_FORMATS_H

#include <stdint.h>

enum { VIRGL_NUM_FORMATS = 322 };

/* Gallium's number of a format, which is that of tungsten/resource.h; 0 where
 * there is none. */
uint32_t
virgl_format(uint32_t number);

#endif
