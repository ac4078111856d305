/* SPDX-License-Identifier: MIT
 *
 * Foliage: leaves and grass are pictures with alpha on cards. With several
 * samples alpha becomes coverage; with one there is but the alpha test.
 */
#include "scene.h"
#include "sun.h"
#include "tree.h"

enum { NUM_MODELS = 4 };

struct model {
   struct gallery_mesh mesh;
   struct tg_bindings *map_vertex, *vertex, *fragment;
   bool has_alpha, has_shadow;
};

struct foliage {
   struct tg_gpu_shader *vertex;
   struct tg_gpu_shader *depth, *leaf_depth;
   struct tg_gpu_shader *fragment, *leaf_fragment;
   struct tg_resource *map;
   struct model models[NUM_MODELS];
};

static const struct vec3 eye = {-1.8f, 1.3f, 8.6f};

/* ---- what there is ------------------------------------------------------- */

static struct mat4
camera(const struct canvas *canvas)
{
   return canvas_camera(canvas, eye, (struct vec3){0.35f, 1.95f, 0}, 0.34f);
}

static struct tg_bindings *
bind_places(struct gallery *gallery, struct mat4 to_window)
{
   const struct mesh_places places = {
      to_window,
      mat4_place((struct vec3){0}, 0, 1),
   };

   return gallery_bindings(gallery, &places, sizeof(places));
}

static struct tg_resource *
make_picture(struct gallery *gallery, void (*paint)(uint32_t *texels))
{
   static uint32_t texels[FOLIAGE_SIZE * FOLIAGE_SIZE];

   paint(texels);
   return gallery_picture(gallery, texels, FOLIAGE_SIZE, FOLIAGE_SIZE);
}

static void
make_models(struct gallery *gallery, const struct canvas *canvas,
            struct foliage *foliage)
{
   struct tg_bindings *from_sun = bind_places(gallery, sun_matrix());
   struct tg_bindings *from_eye = bind_places(gallery, camera(canvas));
   struct tree tree = tree_grow(4);
   struct mesh ground = mesh_square(80, 40);
   struct mesh grass = grass_grow(9, 14000);
   const struct {
      struct mesh *mesh;
      void (*picture)(uint32_t *texels);
      bool has_alpha, has_shadow;
      struct vec3 color;
   } rows[NUM_MODELS] = {
      {&ground, ground_picture, false, false, {0.9f, 1.35f, 0.6f}},
      {&tree.wood, bark_picture, false, true, {1, 1, 1}},
      {&tree.leaves, leaf_picture, true, true, {1.5f, 1.5f, 1.5f}},
      {&grass, grass_picture, true, false, {0.6f, 0.6f, 0.6f}},
   };

   for (int i = 0; i < NUM_MODELS; i++) {
      const struct sun_light light = sun_light(eye, rows[i].color, 400);
      struct tg_bindings *fragment =
         gallery_bindings(gallery, &light, sizeof(light));

      gallery_bind(gallery, fragment, 0, make_picture(gallery, rows[i].picture),
                   &gallery_smooth);
      gallery_bind(gallery, fragment, 1, foliage->map, &sun_sampler);
      foliage->models[i] = (struct model){
         .mesh = gallery_mesh(gallery, rows[i].mesh),
         .map_vertex = from_sun,
         .vertex = from_eye,
         .fragment = fragment,
         .has_alpha = rows[i].has_alpha,
         .has_shadow = rows[i].has_shadow,
      };
   }
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   struct foliage *foliage = gallery_allocate(sizeof(*foliage));

   *foliage = (struct foliage){
      .vertex = gallery_shader(gallery, "mesh.vert.tgsi"),
      .depth = gallery_shader(gallery, "depth.frag.tgsi"),
      .leaf_depth = gallery_shader(gallery, "leaf_depth.frag.tgsi"),
      .fragment = gallery_shader(gallery, "shadow.frag.tgsi"),
      .leaf_fragment = gallery_shader(gallery, "leaf.frag.tgsi"),
      .map =
         gallery_target(gallery, "Z32_FLOAT", SUN_MAP_SIZE, SUN_MAP_SIZE, 1),
   };
   make_models(gallery, canvas, foliage);
   return foliage;
}

/* ---- drawing ------------------------------------------------------------- */

/* How cards are cut out. */
static void
set_alpha(struct gallery *gallery, const struct canvas *canvas, bool enabled)
{
   const bool has_samples = canvas->samples > 1;
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .alpha_to_coverage = enabled && has_samples,
      .targets = {{.colormask = TG_CHANNEL_RGBA}},
   };
   const struct tg_depth_stencil_alpha_state test = {
      .size = sizeof(test),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_LESS,
      .alpha_enabled = enabled && !has_samples,
      .alpha_func = TG_COMPARE_GREATER,
      .alpha_ref_value = 0.5f,
   };

   gallery_blend_by(gallery, &blend);
   gallery_test(gallery, &test);
}

static void
prepare(struct gallery *gallery, const void *scene)
{
   const struct foliage *foliage = scene;
   const struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);
   gallery_draw_to(gallery, 0, NULL, foliage->map);
   gallery_clear(gallery, sun_sky);
   for (int i = 0; i < NUM_MODELS; i++) {
      const struct model *model = &foliage->models[i];

      if (!model->has_shadow)
         continue;
      gallery_use(gallery, foliage->vertex,
                  model->has_alpha ? foliage->leaf_depth : foliage->depth);
      gallery_see(gallery, model->map_vertex, model->fragment);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }
}

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *scene)
{
   const struct foliage *foliage = scene;
   const struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   gallery_rasterize(gallery, &rasterizer);
   gallery_draw_to(gallery, 1, &canvas->color, canvas->depth);
   gallery_clear(gallery, sun_sky);
   for (int i = 0; i < NUM_MODELS; i++) {
      const struct model *model = &foliage->models[i];

      set_alpha(gallery, canvas, model->has_alpha);
      gallery_use(gallery, foliage->vertex,
                  model->has_alpha ? foliage->leaf_fragment
                                   : foliage->fragment);
      gallery_see(gallery, model->vertex, model->fragment);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }
   set_alpha(gallery, canvas, false);
}

const struct scene foliage_scene = {
   .name = "foliage",
   .samples = 4,
   .compares_one = true,
   .camera = camera,
   .make = make,
   .prepare = prepare,
   .draw = draw,
};
