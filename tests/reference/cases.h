/* SPDX-License-Identifier: MIT
 *
 * Random primitives of many styles, and state that goes with them.
 */
#ifndef TESTS_REFERENCE_CASES_H
#define TESTS_REFERENCE_CASES_H

#include "rig.h"

enum { CASE_SIZE = 128 /* pixels each way */ };

struct style {
   const char *name;
   enum ref_kind kind;
   double reach;      /* pixels from about where it is to its vertices */
   int fraction_bits; /* of coordinates; few draw many ties */
   void (*set_state)(struct tg_rasterizer_state *rasterizer, uint64_t *seed);
   int share;            /* of as many primitives; 0: all */
   bool is_cut;          /* by the frustum */
   bool has_user_planes; /* by clip distances */
};

extern const struct style styles[];
extern const int num_styles;

/* Random state of a style. */
struct ref_setup
style_setup(const struct style *style, int num_samples, uint64_t *seed);

/* Vertices of a random primitive; all of one attribute is set to a random word,
 * which is returned. */
uint32_t
style_primitive(const struct style *style, uint64_t *seed,
                struct rig_vertex *vertices);

#endif
