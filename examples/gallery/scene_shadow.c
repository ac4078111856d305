/* SPDX-License-Identifier: MIT
 *
 * Shadows: the sun's view of the scene is drawn to a map of depths first; the
 * fragments of the picture compare theirs with it, through a sampler that does
 * so with four texels and gives their mean, at nine points.
 */
#include "../demo/surface.h"
#include "scene.h"

enum { MAP_SIZE = 2048, NUM_MODELS = 6 };

static const struct vec3 sun = {0.52f, 0.70f, 0.48f};
static const struct vec3 eye = {-0.9f, 2.6f, 6.4f};
static const float sky[4] = {0.60f, 0.72f, 0.86f, 1};

/* CONST[0] of mesh.vert.tgsi. */
struct vertex_constants {
   struct mat4 to_window, to_world;
};

/* CONST[0] of shadow.frag.tgsi. */
struct fragment_constants {
   float way_to_sun[4];
   float sun_light[4];
   float sky_light[4];
   struct mat4 to_map;  /* of the world: texture coordinates and depth */
   float point_step[4]; /* how far the nine points are apart */
   float color[4];      /* in w how sharply it shines */
   float eye[4];
   float haze[4]; /* what is far away fades into; in w how fast, negative */
};

struct model {
   struct gallery_mesh mesh;
   struct tg_bindings *map_vertex, *vertex, *fragment;
};

struct shadow {
   struct tg_gpu_shader *vertex, *depth, *fragment;
   struct tg_resource *map;
   struct model models[NUM_MODELS];
};

/* ---- where things are ---------------------------------------------------- */

static struct mat4
eye_matrix(const struct canvas *canvas)
{
   const float aspect = (float)canvas->width / (float)canvas->height;
   const struct mat4 view = mat4_look_at(eye, (struct vec3){0.3f, 0.95f, 0});

   return mat4_multiply(mat4_perspective(0.36f, aspect, 0.5f, 80), view);
}

/* The sun's window. */
static struct mat4
sun_matrix(void)
{
   const struct mat4 view = mat4_look_at(sun, (struct vec3){0});

   return mat4_multiply(mat4_parallel(10, 60), view);
}

/* From that window to coordinates of the map; the first row is y = 1. Depths
 * move a little towards the sun, so that nothing is in its own shadow. */
static struct mat4
map_matrix(void)
{
   const struct mat4 to_texture = {{
      {0.5f, 0, 0, 0},
      {0, -0.5f, 0, 0},
      {0, 0, 0.5f, 0},
      {0.5f, 0.5f, 0.5f - 0.0005f, 1},
   }};

   return mat4_multiply(to_texture, sun_matrix());
}

/* ---- what there is ------------------------------------------------------- */

static struct vec3
knot_point(float u, float v)
{
   return surface_point(&knot_surface, 1 - u, v);
}

static void
place_model(struct gallery *gallery, const struct canvas *canvas,
            struct model *model, struct mat4 to_world)
{
   const struct vertex_constants from_sun = {sun_matrix(), to_world};
   const struct vertex_constants from_eye = {eye_matrix(canvas), to_world};

   model->map_vertex = gallery_bindings(gallery, &from_sun, sizeof(from_sun));
   model->vertex = gallery_bindings(gallery, &from_eye, sizeof(from_eye));
}

static void
paint_model(struct gallery *gallery, struct shadow *shadow, struct model *model,
            struct tg_resource *picture, struct vec3 color, float shininess)
{
   const struct tg_sampler comparing = {
      .wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_CLAMP_TO_BORDER,
               TG_WRAP_CLAMP_TO_BORDER},
      .border_color = {.f = {1, 1, 1, 1}},
      .min_filter = TG_FILTER_LINEAR,
      .mag_filter = TG_FILTER_LINEAR,
      .mip_filter = TG_MIP_NONE,
      .compares = true,
      .compare_func = TG_COMPARE_LEQUAL,
      .max_lod = 1000,
   };
   const struct fragment_constants constants = {
      .way_to_sun = {sun.x, sun.y, sun.z},
      .sun_light = {1.15f, 1.02f, 0.82f},
      .sky_light = {0.26f, 0.34f, 0.48f},
      .to_map = map_matrix(),
      .point_step = {1.4f / MAP_SIZE},
      .color = {color.x, color.y, color.z, shininess},
      .eye = {eye.x, eye.y, eye.z},
      .haze = {sky[0] * sky[0], sky[1] * sky[1], sky[2] * sky[2], -0.0025f},
   };

   model->fragment = gallery_bindings(gallery, &constants, sizeof(constants));
   gallery_bind(gallery, model->fragment, 0, picture, &gallery_smooth);
   gallery_bind(gallery, model->fragment, 1, shadow->map, &comparing);
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   static const uint32_t white = UINT32_MAX;
   struct shadow *shadow = gallery_allocate(sizeof(*shadow));

   *shadow = (struct shadow){
      .vertex = gallery_shader(gallery, "mesh.vert.tgsi"),
      .depth = gallery_shader(gallery, "depth.frag.tgsi"),
      .fragment = gallery_shader(gallery, "shadow.frag.tgsi"),
      .map = gallery_target(gallery, "Z32_FLOAT", MAP_SIZE, MAP_SIZE, 1),
   };
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
   return shadow;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *scene)
{
   const struct shadow *shadow = scene;
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.cull_face = TG_FACE_BACK;
   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);

   gallery_draw_to(gallery, 0, NULL, shadow->map);
   gallery_clear(gallery, sky);
   gallery_use(gallery, shadow->vertex, shadow->depth);
   for (const struct model *model = shadow->models;
        model < shadow->models + NUM_MODELS; model++) {
      gallery_see(gallery, model->map_vertex, NULL);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }

   gallery_draw_to(gallery, 1, &canvas->color, canvas->depth);
   gallery_clear(gallery, sky);
   gallery_use(gallery, shadow->vertex, shadow->fragment);
   for (const struct model *model = shadow->models;
        model < shadow->models + NUM_MODELS; model++) {
      gallery_see(gallery, model->vertex, model->fragment);
      gallery_draw(gallery, &model->mesh, TG_PRIM_TRIANGLES, 0);
   }
}

const struct scene shadow_scene = {
   .name = "shadow",
   .samples = 4,
   .make = make,
   .draw = draw,
};
