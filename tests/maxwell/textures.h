/* SPDX-License-Identifier: MIT
 *
 * Textures of any target with contents that vary from texel to texel, for tests
 * that run shaders as they come.
 */
#ifndef TESTS_MAXWELL_TEXTURES_H
#define TESTS_MAXWELL_TEXTURES_H

#include "tgsi/tables/tables.h"
#include "tungsten/resource.h"

/* A texture for a shader's target, of floats, depths if `is_compared`, or
 * integers; its contents depend on the seed. The resource is the caller's. */
struct tg_view_desc
texture_make(enum tg_target target, enum tg_return_type type, bool is_compared,
             uint64_t seed);

/* A sampler for the target that filters. */
struct tg_sampler_desc
texture_sampler(enum tg_target target, bool is_compared);

/* The next number of a generator that is good enough to vary things. */
uint32_t
texture_random(uint64_t *state);

#endif
