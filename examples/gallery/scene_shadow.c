/* SPDX-License-Identifier: MIT
 *
 * Shadows: the sun's view of the scene is drawn to a map of depths first; the
 * fragments of the picture compare theirs with it, through a sampler that does
 * so with four texels and gives their mean, at nine points.
 */
#include "../demo/surface.h"
#include "scene.h"
#include "sun.h"

enum { NUM_MODELS = 6 };

struct model {
   struct gallery_mesh mesh;
   struct tg_bindings *map_vertex, *vertex, *fragment;
};

struct shadow {
   struct tg_gpu_shader *vertex, *depth, *fragment;
   struct tg_resource *map;
   struct model models[NUM_MODELS];
};

static const struct vec3 eye = {-0.9f, 2.6f, 6.4f};

static struct mat4
camera(const struct canvas *canvas)
{
   return canvas_camera(canvas, eye, (struct vec3){0.3f, 0.95f, 0}, 0.36f);
}

static struct vec3
knot_point(float u, float v)
{
   return surface_point(&knot_surface, 1 - u, v);
}

static void
place_model(struct gallery *gallery, const struct canvas *canvas,
            struct model *model, struct mat4 to_world)
{
   const struct mesh_places from_sun = {sun_matrix(), to_world};
   const struct mesh_places from_eye = {camera(canvas), to_world};

   model->map_vertex = gallery_bindings(gallery, &from_sun, sizeof(from_sun));
   model->vertex = gallery_bindings(gallery, &from_eye, sizeof(from_eye));
}

static void
paint_model(struct gallery *gallery, const struct shadow *shadow,
            struct model *model, struct tg_resource *picture, struct vec3 color,
            float shininess)
{
   const struct sun_light constants = sun_light(eye, color, shininess);

   model->fragment = gallery_bindings(gallery, &constants, sizeof(constants));
   gallery_bind(gallery, model->fragment, 0, picture, &gallery_smooth);
   gallery_bind(gallery, model->fragment, 1, shadow->map, &sun_sampler);
}

static void
make_models(struct gallery *gallery, const struct canvas *canvas,
            struct shadow *shadow)
{
   static const uint32_t white = UINT32_MAX;
   struct tg_resource *plain = gallery_picture(gallery, &white, 1, 1);
   struct tg_resource *wood =
      gallery_read_picture(gallery, "textures/crate-base.png");
   struct mesh meshes[] = {
      mesh_square(80, 33),
      mesh_read("models/bunny.obj", 1.9f),
      mesh_surface(588, 60, knot_point),
      mesh_cube(1),
   };
   struct gallery_mesh on_gpu[4];
   for (int i = 0; i < 4; i++)
      on_gpu[i] = gallery_mesh(gallery, &meshes[i]);

   const struct {
      int mesh;
      struct tg_resource *picture;
      struct vec3 position;
      float turn, scale;
      struct vec3 color;
      float shininess;
   } rows[NUM_MODELS] = {
      {0, wood, {0, 0, 0}, 0.3f, 1, {1.0f, 0.86f, 0.70f}, 400},
      {1, plain, {0.35f, 0, 0.5f}, 0.35f, 1, {0.62f, 0.53f, 0.45f}, 30},
      {2, plain, {2.7f, 0.1f, -2.2f}, 0.5f, 0.62f, {0.75f, 0.34f, 0.10f}, 60},
      {3, wood, {-1.9f, 0, -0.5f}, 0.5f, 1.1f, {1.3f, 1.05f, 0.72f}, 400},
      {3, wood, {-1.75f, 1.1f, -0.55f}, 0.1f, 0.7f, {1.3f, 1.05f, 0.72f}, 400},
      {3, wood, {-0.75f, 0, -1.7f}, -0.3f, 0.9f, {1.3f, 1.05f, 0.72f}, 400},
   };
   for (int i = 0; i < NUM_MODELS; i++) {
      struct model *model = &shadow->models[i];

      model->mesh = on_gpu[rows[i].mesh];
      place_model(gallery, canvas, model,
                  mat4_place(rows[i].position, rows[i].turn, rows[i].scale));
      paint_model(gallery, shadow, model, rows[i].picture, rows[i].color,
                  rows[i].shininess);
   }
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   struct shadow *shadow = gallery_allocate(sizeof(*shadow));

   *shadow = (struct shadow){
      .vertex = gallery_shader(gallery, "mesh.vert.tgsi"),
      .depth = gallery_shader(gallery, "depth.frag.tgsi"),
      .fragment = gallery_shader(gallery, "shadow.frag.tgsi"),
      .map =
         gallery_target(gallery, "Z32_FLOAT", SUN_MAP_SIZE, SUN_MAP_SIZE, 1),
   };
   make_models(gallery, canvas, shadow);
   return shadow;
}

/* ---- drawing ------------------------------------------------------------- */

static void
set_state(struct gallery *gallery)
{
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.cull_face = TG_FACE_BACK;
   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);
}

static void
prepare(struct gallery *gallery, const void *scene)
{
   const struct shadow *shadow = scene;

   set_state(gallery);
   gallery_draw_to(gallery, 0, NULL, shadow->map);
   gallery_clear(gallery, sun_sky);
   gallery_use(gallery, shadow->vertex, shadow->depth);
   for (int i = 0; i < NUM_MODELS; i++) {
      gallery_see(gallery, shadow->models[i].map_vertex, NULL);
      gallery_draw(gallery, &shadow->models[i].mesh, TG_PRIM_TRIANGLES, 0);
   }
}

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *scene)
{
   const struct shadow *shadow = scene;

   set_state(gallery);
   gallery_draw_to(gallery, 1, &canvas->color, canvas->depth);
   gallery_clear(gallery, sun_sky);
   gallery_use(gallery, shadow->vertex, shadow->fragment);
   for (int i = 0; i < NUM_MODELS; i++) {
      const struct model *model = &shadow->models[i];

      gallery_see(gallery, model->vertex, model->fragment);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }
}

const struct scene shadow_scene = {
   .name = "shadow",
   .samples = 4,
   .camera = camera,
   .make = make,
   .prepare = prepare,
   .draw = draw,
};
