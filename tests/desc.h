/* SPDX-License-Identifier: MIT
 *
 * A resource in a line: target, format, width, height, depth, layers, last
 * level, samples.
 */
#ifndef TESTS_DESC_H
#define TESTS_DESC_H

#include "tungsten/resource.h"

#define DESC(...)                                                              \
   {                                                                           \
      sizeof(struct tg_resource_desc), __VA_ARGS__                             \
   }

#endif
