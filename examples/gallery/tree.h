/* SPDX-License-Identifier: MIT
 *
 * A tree, grass, and what they look like: pictures with alpha on cards.
 */
#ifndef EXAMPLES_GALLERY_TREE_H
#define EXAMPLES_GALLERY_TREE_H

#include "mesh.h"

enum { FOLIAGE_SIZE = 256 }; /* of the pictures, each way */

struct tree {
   struct mesh wood, leaves;
};

/* Stands on y = 0, about `height` high. */
struct tree
tree_grow(float height);

/* Cards on a round lawn. */
struct mesh
grass_grow(float radius, uint32_t num_cards);

/* Texels 0xAABBGGRR: a twig with leaves, blades, bark, and the ground. */
void
leaf_picture(uint32_t *texels);
void
grass_picture(uint32_t *texels);
void
bark_picture(uint32_t *texels);
void
ground_picture(uint32_t *texels);

#endif
