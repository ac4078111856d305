/* SPDX-License-Identifier: MIT
 *
 * A texture twice: as a resource of this library, and as decoded texels for the
 * reference sampler. Its contents are random bits of its format.
 */
#ifndef TESTS_TEXTURE_SUBJECT_H
#define TESTS_TEXTURE_SUBJECT_H

#include "format/format.h"
#include "reference.h"

/* Numbers that look random and are the same each time. */
struct random_source {
   uint64_t state;
};

uint32_t
random_word(struct random_source *random);

/* 0 to bound - 1; -bound to bound. */
int
random_below(struct random_source *random, int bound);
int
random_around(struct random_source *random, int bound);

/* 0 to 1, with 24 bits. */
float
random_part(struct random_source *random);

struct subject_recipe {
   enum tg_target target; /* of the view, without SHADOW */
   enum tg_target resource_target;
   enum tg_format format; /* of the resource */
   enum tg_format view_format;
   int width, height, depth, layers, num_levels, num_samples;
   int first_level, last_level, first_layer, last_layer; /* of the view */
   uint8_t swizzle[4];
};

struct subject {
   struct subject_recipe recipe;
   struct tg_resource *resource;
   struct tg_view_desc view;
   struct reference_texture reference;
};

/* False when the library refuses it, and then the diagnostics say why. */
bool
subject_init(struct subject *subject, const struct subject_recipe *recipe,
             struct random_source *random, struct tg_diagnostics *diagnostics);
void
subject_finish(struct subject *subject);

/* What the border colour of a sampler is as a texel of the subject. */
void
subject_set_border(struct subject *subject,
                   const struct tg_sampler_desc *sampler);

#endif
