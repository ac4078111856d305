/* SPDX-License-Identifier: MIT
 *
 * Capabilities: limits and features of a GPU, as a driver reports them to its
 * clients. docs/caps.md lists them with their values.
 */
#ifndef TUNGSTEN_CAPS_H
#define TUNGSTEN_CAPS_H

#include <stdbool.h>

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A member for each row of tungsten/caps.def, of its type and name. */
struct tg_caps {
   size_t size; /* sizeof(struct tg_caps), set by the caller */
#define TG_CAP_(kind, type, name, value, what) type name;
#include "tungsten/caps.def"
};

#define TG_CAPS_INIT TG_INIT_(tg_caps, TG_NO_MEMBERS_)

struct tg_device;

/** The same for the life of the GPU. Any thread. TG_ERROR_INPUT for a size that
 * is not known, and then nothing is written. */
TG_API enum tg_result
tg_device_get_caps(const struct tg_device *device, struct tg_caps *caps_out);

#ifdef __cplusplus
}
#endif

#endif
