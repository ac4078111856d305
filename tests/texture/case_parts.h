/* SPDX-License-Identifier: MIT
 *
 * What the files that make cases share.
 */
#ifndef TESTS_TEXTURE_CASE_PARTS_H
#define TESTS_TEXTURE_CASE_PARTS_H

#include "cases.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static inline const struct texture_opcode *
get_opcode(const struct texture_case *c)
{
   return &texture_opcodes[c->opcode];
}

static inline enum texture_form
get_form(const struct texture_case *c)
{
   return get_opcode(c)->form;
}

static inline const struct tg_target_info *
get_target(const struct texture_case *c)
{
   return &tg_targets[c->target];
}

static inline bool
is_shadow(const struct texture_case *c)
{
   return tg_opcodes[c->opcode].group == TG_GROUP_SAMPLE
             ? get_opcode(c)->compares
             : get_target(c)->flags & TG_TARGET_FLAG_SHADOW;
}

static inline bool
is_msaa(const struct texture_case *c)
{
   return tg_targets[c->view_target].flags & TG_TARGET_FLAG_MSAA;
}

static inline bool
is_cube(const struct texture_case *c)
{
   return c->view_target == TG_TARGET_CUBE ||
          c->view_target == TG_TARGET_CUBE_ARRAY;
}

static inline bool
is_in_texels(const struct texture_case *c)
{
   return c->view_target == TG_TARGET_RECT || c->sampler.unnormalized_coords;
}

/* Which component of a fetch's address counts slices, or -1. A cube has its
 * faces in z, six a cube: docs/dialects.md. */
static inline int
get_slice_component(const struct texture_case *c)
{
   if (is_cube(c))
      return 2;
   return get_target(c)->flags & TG_TARGET_FLAG_ARRAY
             ? get_target(c)->num_coords - 1
             : -1;
}

/* The source with the bias, the level or what else there is; 0: w of the
 * first. */
static inline unsigned
get_operand_source(const struct texture_case *c)
{
   return c->is_short ? 0 : get_opcode(c)->operand;
}

/* Its component there: of a second source the one after the reference, if that
 * is there too. */
static inline unsigned
get_operand_component(const struct texture_case *c)
{
   const unsigned source = get_operand_source(c);

   if (source == 0)
      return 3;
   return source == 1 && tg_targets[c->target].reference == 5;
}

/* The sampler, which the number decides, then a texture that goes with it, then
 * the operands, then the shader. */
void
case_pick_sampler(struct texture_case *c, struct random_source *random);
struct subject_recipe
case_pick_texture(const struct texture_case *c, struct random_source *random);
void
case_pick_border(struct texture_case *c, struct random_source *random);
void
case_pick_operands(struct texture_case *c, struct random_source *random);
void
case_write_text(struct texture_case *c);

#endif
