/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel's key, from what is set.
 */
#ifndef TG_GPU_FRAGMENT_KEY_H
#define TG_GPU_FRAGMENT_KEY_H

#include "gpu/core/key.h"
#include "gpu/raster/shape.h"
#include "gpu/state/link.h"

extern const struct tg_member gpu_fragment_key_members[];

/* The key for shapes of a kind, but for what is bound and planes of ONE_COLOR.
 * State that makes no difference is left out, so that it makes no other kernel
 * either. */
void
gpu_fragment_make_key(const struct gpu_state *state,
                      const struct gpu_interface *interface,
                      enum gpu_shape_kind kind,
                      struct gpu_fragment_key *key_out);

/* Does what becomes of a fragment not depend on where it is? There is one layer
 * and one sample, no stencil, and nothing else that goes by the place. */
bool
gpu_fragment_key_is_plain(const struct gpu_fragment_key *key);

#endif
