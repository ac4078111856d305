/* SPDX-License-Identifier: MIT
 *
 * Random primitives.
 */
#include "cases.h"

#include <string.h>

#include "random.h"

/* ---- primitives ---------------------------------------------------------- */

/* Positions are exact in single precision, for any w that is a power of 2. */
static void
place_vertex(const struct style *style, uint64_t *seed, const double start[2],
             struct rig_vertex *v)
{
   const double w = (double)(1 << random_below(seed, 3));
   for (int i = 0; i < 2; i++) {
      double at = start[i] + random_between(seed, -style->reach, style->reach);
      at = (double)(int64_t)(at * (1 << style->fraction_bits)) /
           (1 << style->fraction_bits);
      v->position[i] = (float)((at / (CASE_SIZE / 2) - 1) * w);
   }
   v->position[2] = 0;
   v->position[3] = (float)w;
   if (style->is_cut) {
      v->position[2] = (float)(random_between(seed, -2, 2) * w);
      v->position[3] = (float)(random_once_in(seed, 3) ? -w : w);
   }
   for (int i = 0; i < TG_MAX_CLIP_PLANES; i++)
      v->clip_distance[i] = (float)random_between(seed, -0.25, 1);
   v->point_size = (float)(8 + random_below(seed, 150)) / 16;
   v->edge_flag = 1;
}

uint32_t
style_primitive(const struct style *style, uint64_t *seed,
                struct rig_vertex *vertices)
{
   const uint32_t word = (uint32_t)random_bits(seed);
   double start[2];
   for (int i = 0; i < 2; i++)
      start[i] = random_between(seed, -4, CASE_SIZE + 4);
   for (int i = 0; i < (int)style->kind; i++) {
      place_vertex(style, seed, start, &vertices[i]);
      memcpy(&vertices[i].attribute[0][0], &word, sizeof(word));
   }
   return word;
}

struct ref_setup
style_setup(const struct style *style, int num_samples, uint64_t *seed)
{
   struct ref_setup setup = {
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = tg_viewport_of(CASE_SIZE, CASE_SIZE, false, false),
      .width = CASE_SIZE,
      .height = CASE_SIZE,
      .num_samples = num_samples,
   };
   const uint32_t x = random_below(seed, CASE_SIZE),
                  y = random_below(seed, CASE_SIZE);
   setup.scissor = (struct tg_scissor){(uint16_t)(x / 4), (uint16_t)(y / 4),
                                       (uint16_t)(CASE_SIZE - x / 5),
                                       (uint16_t)(CASE_SIZE - y / 5)};
   for (int i = 0; i < 32; i++)
      setup.stipple[i] = (uint32_t)random_bits(seed);
   if (style->set_state)
      style->set_state(&setup.rasterizer, seed);
   if (style->has_user_planes)
      setup.rasterizer.clip_plane_enable = (uint8_t)random_bits(seed);
   return setup;
}

/* ---- styles -------------------------------------------------------------- */

static void
random_faces(struct tg_rasterizer_state *r, uint64_t *seed)
{
   r->cull_face = (uint8_t)random_below(seed, 3);
   r->front_ccw = random_below(seed, 2);
   r->bottom_edge_rule = random_below(seed, 2);
   r->half_pixel_center = random_below(seed, 2);
   r->scissor = random_below(seed, 2);
   r->poly_stipple_enable = random_below(seed, 2);
   r->multisample = !random_once_in(seed, 4);
}

static void
random_outlines(struct tg_rasterizer_state *r, uint64_t *seed)
{
   random_faces(r, seed);
   r->fill_front = (uint8_t)random_below(seed, 3);
   r->fill_back = (uint8_t)random_below(seed, 3);
   r->point_size = (float)(1 + random_below(seed, 4));
}

static void
old_points(struct tg_rasterizer_state *r, uint64_t *seed)
{
   r->point_size_per_vertex = random_below(seed, 4);
   r->point_size = (float)(16 + random_below(seed, 100)) / 16;
   r->scissor = random_below(seed, 2);
   r->multisample = false;
}

static void
square_points(struct tg_rasterizer_state *r, uint64_t *seed)
{
   old_points(r, seed);
   r->multisample = !random_once_in(seed, 4);
   r->point_quad_rasterization = true;
   r->bottom_edge_rule = random_below(seed, 2);
}

static void
round_points(struct tg_rasterizer_state *r, uint64_t *seed)
{
   old_points(r, seed);
   r->multisample = true;
   r->point_smooth = random_below(seed, 2);
}

static void
thin_lines(struct tg_rasterizer_state *r, uint64_t *seed)
{
   r->bottom_edge_rule = random_below(seed, 2);
   r->scissor = random_below(seed, 2);
   r->multisample = false;
   r->line_last_pixel = random_once_in(seed, 4);
}

static void
wide_lines(struct tg_rasterizer_state *r, uint64_t *seed)
{
   thin_lines(r, seed);
   r->line_width = (float)(4 + random_below(seed, 30)) / 4;
}

static void
stippled_lines(struct tg_rasterizer_state *r, uint64_t *seed)
{
   thin_lines(r, seed);
   r->line_stipple_enable = true;
   r->line_stipple_factor = (uint8_t)random_below(seed, 4);
   r->line_stipple_pattern = (uint16_t)random_bits(seed);
}

static void
rectangular_lines(struct tg_rasterizer_state *r, uint64_t *seed)
{
   wide_lines(r, seed);
   r->line_last_pixel = false;
   r->line_rectangular = true;
   r->multisample = true;
}

const struct style styles[] = {
   {"small triangles", REF_TRIANGLE, 6, 8, NULL},
   {"triangles", REF_TRIANGLE, 24, 10, random_faces},
   {"triangles with ties", REF_TRIANGLE, 8, 1, random_faces},
   {"enormous triangles", REF_TRIANGLE, 4000, 4, random_faces, 100},
   {"cut triangles", REF_TRIANGLE, 40, 8, random_faces, 10, true},
   {"triangles cut by planes", REF_TRIANGLE, 30, 8, random_faces, 5, false,
    true},
   {"outlined triangles", REF_TRIANGLE, 12, 8, random_outlines},
   {"old points", REF_POINT, 4, 8, old_points},
   {"round points", REF_POINT, 4, 8, round_points},
   {"square points", REF_POINT, 4, 8, square_points},
   {"thin lines", REF_LINE, 16, 8, thin_lines},
   {"thin lines with ties", REF_LINE, 16, 1, thin_lines},
   {"wide lines", REF_LINE, 16, 8, wide_lines},
   {"stippled lines", REF_LINE, 16, 8, stippled_lines},
   {"rectangular lines", REF_LINE, 16, 8, rectangular_lines},
};

const int num_styles = sizeof(styles) / sizeof(styles[0]);
