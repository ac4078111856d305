/* SPDX-License-Identifier: MIT
 *
 * Tessellation: a teapot and a floor, in all 1632 patches of 16 control points.
 * The control shader divides edges by how long they are as the eye sees them,
 * the evaluation shader moves what comes of it by a relief. On the right the
 * edges of the triangles are drawn, too.
 */
#include <stdlib.h>

#include "../demo/surface.h"
#include "scene.h"
#include "sun.h"
#include "teapot.h"

enum { NUM_MODELS = 2, RELIEF_SIZE = 512, FLOOR_PATCHES = 40 };

/* CONST[0] of patch.tesc.tgsi. */
struct control_constants {
   float eye[3];
   float parts; /* of an edge that is as long as it is far away */
};

/* CONST[0] of patch.tese.tgsi. */
struct evaluation_constants {
   struct mat4 to_window;
   float height[4]; /* of the relief */
};

/* CONST[0] of patch.frag.tgsi: the light's colour is of what is high. */
struct fragment_constants {
   struct sun_light light;
   float low_color[4];
};

/* CONST[0] of flat.frag.tgsi. */
struct line_constants {
   float color[4];
   float eye[4]; /* in w how fast lines fade, negative */
};

struct model {
   struct gallery_mesh mesh;
   struct tg_bindings *vertex, *fragment;
   struct tg_bindings *from_sun, *from_eye; /* of the evaluation shader */
};

struct tessellation {
   struct tg_gpu_shader *vertex, *control, *evaluation;
   struct tg_gpu_shader *depth, *fragment, *flat;
   struct tg_bindings *edges; /* what is seen by `control`, */
   struct tg_bindings *line;  /* and by `flat` */
   struct tg_resource *map;
   struct model models[NUM_MODELS];
};

static const struct vec3 eye = {-1.5f, 3.6f, 6.6f};

/* ---- reliefs ------------------------------------------------------------- */

struct relief {
   float (*height)(float u, float v);
   float raise;  /* units of the world that 1 is */
   float period; /* units that the picture's width and height are */
};

/* A seventh of the demo's knot: as many scales each way. */
static float
scales(float u, float v)
{
   return knot_surface.relief(u / 7, v);
}

static uint32_t
to_byte(float x)
{
   return (uint32_t)(clampf(x, 0, 1) * 255 + 0.5f);
}

/* Normals, and in alpha the height. */
static struct tg_resource *
make_relief(struct gallery *gallery, const struct relief *relief)
{
   uint32_t *texels =
      gallery_allocate(sizeof(*texels) * RELIEF_SIZE * RELIEF_SIZE);
   const float texel = 1.0f / RELIEF_SIZE;
   const float slope = relief->raise / (relief->period * texel);

   for (uint32_t i = 0; i < RELIEF_SIZE * RELIEF_SIZE; i++) {
      const float u = ((float)(i % RELIEF_SIZE) + 0.5f) * texel;
      const float v = ((float)(i / RELIEF_SIZE) + 0.5f) * texel;
      const float here = relief->height(u, v);
      const struct vec3 normal = vec3_normalize((struct vec3){
         (here - relief->height(u + texel, v)) * slope,
         (here - relief->height(u, v + texel)) * slope,
         1,
      });

      texels[i] = to_byte(normal.x * 0.5f + 0.5f) |
                  to_byte(normal.y * 0.5f + 0.5f) << 8 |
                  to_byte(normal.z * 0.5f + 0.5f) << 16 | to_byte(here) << 24;
   }
   struct tg_resource *picture =
      gallery_picture(gallery, texels, RELIEF_SIZE, RELIEF_SIZE);
   free(texels);
   return picture;
}

/* ---- what there is ------------------------------------------------------- */

struct look {
   struct mat4 to_world;
   struct relief relief;
   struct vec3 high, low;
   float shininess;
};

static struct mat4
camera(const struct canvas *canvas)
{
   return canvas_camera(canvas, eye, (struct vec3){0.2f, 0.9f, 0}, 0.36f);
}

static struct tg_bindings *
bind_evaluation(struct gallery *gallery, struct mat4 to_window, float height,
                struct tg_resource *relief)
{
   const struct evaluation_constants constants = {to_window, {height}};
   struct tg_bindings *bindings =
      gallery_bindings(gallery, &constants, sizeof(constants));

   gallery_bind(gallery, bindings, 0, relief, &gallery_smooth);
   return bindings;
}

static void
make_model(struct gallery *gallery, const struct canvas *canvas,
           const struct tessellation *scene, struct model *model,
           struct mesh *mesh, const struct look *look)
{
   const struct mesh_places places = {.to_world = look->to_world};
   const struct fragment_constants colors = {
      sun_light(eye, look->high, look->shininess),
      {look->low.x, look->low.y, look->low.z},
   };
   struct tg_resource *relief = make_relief(gallery, &look->relief);
   const float height = look->relief.raise;

   *model = (struct model){
      .mesh = gallery_mesh(gallery, mesh),
      .vertex = gallery_bindings(gallery, &places, sizeof(places)),
      .fragment = gallery_bindings(gallery, &colors, sizeof(colors)),
      .from_sun = bind_evaluation(gallery, sun_matrix(), height, relief),
      .from_eye = bind_evaluation(gallery, camera(canvas), height, relief),
   };
   gallery_bind(gallery, model->fragment, 0, relief, &gallery_smooth);
   gallery_bind(gallery, model->fragment, 1, scene->map, &sun_sampler);
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   struct tessellation *scene = gallery_allocate(sizeof(*scene));
   const struct control_constants control = {{eye.x, eye.y, eye.z}, 45};
   const struct line_constants line = {
      {0.04f, 0.08f, 0.16f, 0.6f},
      {eye.x, eye.y, eye.z, -0.0025f},
   };
   struct mesh meshes[NUM_MODELS] = {
      mesh_teapot(),
      mesh_floor(52, FLOOR_PATCHES, 2),
   };
   const struct look looks[NUM_MODELS] = {
      {mat4_place((struct vec3){0, 0.02f, 0}, 0.45f, 0.85f),
       {scales, 0.06f, 5.3f},
       {0.95f, 0.50f, 0.16f},
       {0.06f, 0.20f, 0.17f},
       50},
      {mat4_place((struct vec3){0, 0, -12}, 0, 1),
       {floor_surface.relief, 0.14f, 26},
       {0.42f, 0.39f, 0.35f},
       {0.10f, 0.13f, 0.06f},
       300},
   };

   *scene = (struct tessellation){
      .vertex = gallery_shader(gallery, "patch.vert.tgsi"),
      .control = gallery_shader(gallery, "patch.tesc.tgsi"),
      .evaluation = gallery_shader(gallery, "patch.tese.tgsi"),
      .depth = gallery_shader(gallery, "depth.frag.tgsi"),
      .fragment = gallery_shader(gallery, "patch.frag.tgsi"),
      .flat = gallery_shader(gallery, "flat.frag.tgsi"),
      .edges = gallery_bindings(gallery, &control, sizeof(control)),
      .line = gallery_bindings(gallery, &line, sizeof(line)),
      .map =
         gallery_target(gallery, "Z32_FLOAT", SUN_MAP_SIZE, SUN_MAP_SIZE, 1),
   };
   for (int i = 0; i < NUM_MODELS; i++)
      make_model(gallery, canvas, scene, &scene->models[i], &meshes[i],
                 &looks[i]);
   return scene;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_models(struct gallery *gallery, const struct tessellation *scene,
            struct tg_gpu_shader *fragment, bool from_sun)
{
   gallery_use(gallery, scene->vertex, fragment);
   gallery_use_tessellation(gallery, scene->control, scene->evaluation);
   tg_context_set_bindings(gallery->gpu, TG_GPU_TESS_CTRL, scene->edges);
   for (int i = 0; i < NUM_MODELS; i++) {
      const struct model *model = &scene->models[i];

      gallery_see(gallery, model->vertex,
                  fragment == scene->flat ? scene->line : model->fragment);
      tg_context_set_bindings(gallery->gpu, TG_GPU_TESS_EVAL,
                              from_sun ? model->from_sun : model->from_eye);
      gallery_draw(gallery, &model->mesh, TG_PRIM_PATCHES, PATCH_VERTICES);
   }
}

static void
draw_edges(struct gallery *gallery, const struct canvas *canvas,
           const struct tessellation *scene)
{
   const struct tg_scissor right = {
      .min_x = (uint16_t)(canvas->width / 2),
      .max_x = (uint16_t)canvas->width,
      .max_y = (uint16_t)canvas->height,
   };
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.fill_front = rasterizer.fill_back = TG_POLYGON_LINE;
   rasterizer.cull_face = TG_FACE_BACK;
   rasterizer.scissor = true;
   rasterizer.offset_line = true; /* in front of the triangles */
   rasterizer.offset_units = -4;
   rasterizer.offset_scale = -1;
   gallery_check(gallery, tg_context_set_scissors(gallery->gpu, 0, 1, &right,
                                                  gallery->diagnostics));
   gallery_rasterize(gallery, &rasterizer);
   gallery_blend(gallery, true);
   draw_models(gallery, scene, scene->flat, false);
   gallery_blend(gallery, false);
}

static void
set_state(struct gallery *gallery)
{
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.cull_face = TG_FACE_BACK;
   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);
}

static void
prepare(struct gallery *gallery, const void *data)
{
   const struct tessellation *scene = data;

   set_state(gallery);
   gallery_draw_to(gallery, 0, NULL, scene->map);
   gallery_clear(gallery, sun_sky);
   draw_models(gallery, scene, scene->depth, true);
}

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *data)
{
   const struct tessellation *scene = data;

   set_state(gallery);
   gallery_draw_to(gallery, 1, &canvas->color, canvas->depth);
   gallery_clear(gallery, sun_sky);
   draw_models(gallery, scene, scene->fragment, false);
   draw_edges(gallery, canvas, scene);
}

const struct scene tessellation_scene = {
   .name = "tessellation",
   .samples = 4,
   .camera = camera,
   .make = make,
   .prepare = prepare,
   .draw = draw,
};
