/* SPDX-License-Identifier: MIT
 *
 * Deferred shading: the scene is drawn once to four targets, which say what
 * each pixel is made of; then one triangle over all of the picture reads them
 * and adds up the light of many small lamps.
 */
#include "../demo/surface.h"
#include "scene.h"

enum {
   NUM_LAMPS = 24,
   NUM_TARGETS = 4, /* colour, normal, place in the world, material */
   MAX_MODELS = NUM_LAMPS + 8,
};

/* CONST[0] of gbuffer.frag.tgsi. The material is how much shines off it, and
 * how bright it is by itself. */
struct fragment_constants {
   float color[4];
   float material[4];
};

/* CONST[0] of lights.frag.tgsi. Light falls off as 1 / (0.5 + w * distance
 * squared). */
struct light_constants {
   float eye[3];
   uint32_t last; /* register behind the lamps */
   float sky_light[4];
   struct {
      float position[4];
      float color[4];
   } lamps[NUM_LAMPS];
};

struct model {
   struct gallery_mesh mesh;
   struct tg_bindings *vertex, *fragment;
};

struct deferred {
   struct tg_gpu_shader *vertex, *fragment, *all, *lights;
   struct tg_resource *targets[NUM_TARGETS];
   struct tg_bindings *lamps; /* with the targets */
   struct model models[MAX_MODELS];
   unsigned num_models;
};

static const struct vec3 eye = {0.4f, 3.1f, 7.4f};

/* ---- what there is ------------------------------------------------------- */

static struct mat4
camera(const struct canvas *canvas)
{
   return canvas_camera(canvas, eye, (struct vec3){0, 0.75f, 0}, 0.36f);
}

static struct vec3
knot_point(float u, float v)
{
   return surface_point(&knot_surface, 1 - u, v);
}

static struct vec3
ball_point(float u, float v)
{
   const float pi = 3.14159265f;
   const float radius = 0.07f * sinf(v * pi);

   return (struct vec3){radius * sinf(u * 2 * pi), 0.07f * cosf(v * pi),
                        radius * cosf(u * 2 * pi)};
}

static void
add_model(struct gallery *gallery, const struct canvas *canvas,
          struct deferred *deferred, const struct gallery_mesh *mesh,
          struct tg_resource *picture, struct mat4 to_world,
          const struct fragment_constants *constants)
{
   const struct mesh_places places = {camera(canvas), to_world};
   struct model *model = &deferred->models[deferred->num_models++];

   *model = (struct model){
      .mesh = *mesh,
      .vertex = gallery_bindings(gallery, &places, sizeof(places)),
      .fragment = gallery_bindings(gallery, constants, sizeof(*constants)),
   };
   gallery_bind(gallery, model->fragment, 0, picture, &gallery_smooth);
}

static void
add_things(struct gallery *gallery, const struct canvas *canvas,
           struct deferred *deferred, struct tg_resource *plain)
{
   struct tg_resource *wood =
      gallery_read_picture(gallery, "textures/crate-base.png");
   struct mesh meshes[] = {
      mesh_square(60, 20),
      mesh_read("models/bunny.obj", 1),
      mesh_surface(588, 60, knot_point),
      mesh_cube(1),
   };
   struct gallery_mesh on_gpu[4];
   const struct {
      int mesh;
      struct tg_resource *picture;
      struct vec3 position;
      float turn, scale;
      struct fragment_constants constants;
   } rows[] = {
      {0, wood, {0}, 0.25f, 1, {{0.9f, 0.9f, 0.95f}, {0.5f}}},
      {1, plain, {-2.3f, 0, 0.9f}, 0.3f, 1.3f, {{0.8f, 0.8f, 0.8f}, {0.7f}}},
      {1, plain, {2.2f, 0, 1.3f}, -0.5f, 1.0f, {{0.8f, 0.8f, 0.8f}, {0.2f}}},
      {2, plain, {0, 0, -1.6f}, 0.3f, 0.75f, {{0.85f, 0.85f, 0.85f}, {0.9f}}},
      {3, wood, {0.2f, 0, 1.5f}, 0.5f, 0.8f, {{1, 1, 1}, {0.1f}}},
      {3, wood, {3.3f, 0, -1.6f}, 0.2f, 1.3f, {{1, 1, 1}, {0.1f}}},
      {3, wood, {-3.4f, 0, -1.7f}, -0.3f, 1.2f, {{1, 1, 1}, {0.1f}}},
   };

   for (int i = 0; i < 4; i++)
      on_gpu[i] = gallery_mesh(gallery, &meshes[i]);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
      add_model(gallery, canvas, deferred, &on_gpu[rows[i].mesh],
                rows[i].picture,
                mat4_place(rows[i].position, rows[i].turn, rows[i].scale),
                &rows[i].constants);
}

/* Lamps in two rings and what they look like. */
static void
add_lamps(struct gallery *gallery, const struct canvas *canvas,
          struct deferred *deferred, struct tg_resource *plain)
{
   struct mesh ball = mesh_surface(16, 12, ball_point);
   const struct gallery_mesh mesh = gallery_mesh(gallery, &ball);
   struct light_constants constants = {
      .eye = {eye.x, eye.y, eye.z},
      .last = 2 + 2 * NUM_LAMPS,
      .sky_light = {0.012f, 0.016f, 0.03f},
   };

   for (unsigned i = 0; i < NUM_LAMPS; i++) {
      const float angle = (float)i * 6.2831853f * 5 / NUM_LAMPS;
      const float radius = i % 2 ? 3.4f : 1.9f;
      const float height = 0.35f + 1.1f * (0.5f + 0.5f * sinf(angle * 2.3f));
      const struct vec3 at = {radius * sinf(angle), height,
                              radius * cosf(angle)};
      const float hue = (float)i * 6.2831853f / NUM_LAMPS;
      const float color[3] = {0.5f + 0.5f * cosf(hue),
                              0.5f + 0.5f * cosf(hue - 2.0943951f),
                              0.5f + 0.5f * cosf(hue + 2.0943951f)};
      const struct fragment_constants glow = {
         {color[0] + 0.15f, color[1] + 0.15f, color[2] + 0.15f},
         {0, 1},
      };

      for (int c = 0; c < 3; c++) {
         constants.lamps[i].color[c] = color[c] * color[c] * 2;
         constants.lamps[i].position[c] = (&at.x)[c];
      }
      constants.lamps[i].position[3] = 2.2f;
      add_model(gallery, canvas, deferred, &mesh, plain, mat4_place(at, 0, 1),
                &glow);
   }
   deferred->lamps = gallery_bindings(gallery, &constants, sizeof(constants));
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   static const char *const formats[NUM_TARGETS] = {
      "R8G8B8A8_UNORM",
      "R32G32B32A32_FLOAT",
      "R32G32B32A32_FLOAT",
      "R8G8B8A8_UNORM",
   };
   static const uint32_t white = UINT32_MAX;
   struct tg_resource *plain = gallery_picture(gallery, &white, 1, 1);
   struct deferred *deferred = gallery_allocate(sizeof(*deferred));

   *deferred = (struct deferred){
      .vertex = gallery_shader(gallery, "mesh.vert.tgsi"),
      .fragment = gallery_shader(gallery, "gbuffer.frag.tgsi"),
      .all = gallery_shader(gallery, "fullscreen.vert.tgsi"),
      .lights = gallery_shader(gallery, "lights.frag.tgsi"),
   };
   add_things(gallery, canvas, deferred, plain);
   add_lamps(gallery, canvas, deferred, plain);
   for (unsigned i = 0; i < NUM_TARGETS; i++) {
      deferred->targets[i] =
         gallery_target(gallery, formats[i], canvas->width, canvas->height, 1);
      gallery_bind(gallery, deferred->lamps, i, deferred->targets[i],
                   &gallery_exact);
   }
   return deferred;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *scene)
{
   static const float nothing[4] = {0};
   const struct deferred *deferred = scene;
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.cull_face = TG_FACE_BACK;
   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);
   gallery_draw_to(gallery, NUM_TARGETS, deferred->targets, canvas->depth);
   gallery_clear(gallery, nothing);
   gallery_use(gallery, deferred->vertex, deferred->fragment);
   for (unsigned i = 0; i < deferred->num_models; i++) {
      const struct model *model = &deferred->models[i];

      gallery_see(gallery, model->vertex, model->fragment);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }

   gallery_test_depth(gallery, false);
   gallery_draw_to(gallery, 1, &canvas->color, NULL);
   gallery_use(gallery, deferred->all, deferred->lights);
   gallery_see(gallery, NULL, deferred->lamps);
   gallery_draw_all(gallery);
}

const struct scene deferred_scene = {
   .name = "deferred",
   .samples = 1,
   .camera = camera,
   .make = make,
   .draw = draw,
};
