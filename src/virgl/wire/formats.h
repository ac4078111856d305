/* SPDX-License-Identifier: MIT
 *
 * Wire formats.
 */
#ifndef VIRGL_WIRE_FORMATS_H
#define VIRGL_WIRE_FORMATS_H

#include <stdint.h>

enum {
   VIRGL_NUM_FORMATS = 322,
   VIRGL_MAX_BUFFER_TEXELS = 1 << 27, /* of a buffer that a shader sees */
};

/* Gallium's number of a format, which is that of tungsten/resource.h; 0 where
 * there is none. */
uint32_t
virgl_format(uint32_t number);

/* As many bytes of a buffer as are texels, of a format of tungsten/resource.h,
 * that a shader sees: GL's MAX_TEXTURE_BUFFER_SIZE at most. */
uint32_t
virgl_limit_texels(uint64_t num_bytes, uint32_t format);

#endif
