/* SPDX-License-Identifier: MIT
 *
 * Fur: the geometry shader makes two hairs of each of a bunny's 69,666
 * triangles, ribbons of five triangles that bend with gravity and turn to the
 * eye. They fall into the sun's map, too.
 */
#include "scene.h"
#include "sun.h"

/* CONST[0] of fur.geom.tgsi. */
struct hair_constants {
   struct mat4 to_window;
   float eye[3];
   float length;
   float bend[3]; /* at the tip, times the length */
   float half_width;
};

/* CONST[0] of fur.frag.tgsi: the light's colour is of tips. */
struct fur_constants {
   struct sun_light light;
   float root_color[4];
};

struct fur {
   struct tg_gpu_shader *vertex, *hair;
   struct tg_gpu_shader *depth, *skin_fragment, *hair_fragment;
   struct tg_resource *map;
   struct gallery_mesh bunny, floor;
   struct tg_bindings *from_sun, *from_eye; /* of vertices, */
   struct tg_bindings *hair_from_sun, *hair_from_eye;
   struct tg_bindings *floor_colors, *skin_colors, *hair_colors;
};

static const struct vec3 eye = {-1.6f, 1.9f, 3.9f};

/* ---- what there is ------------------------------------------------------- */

static struct mat4
camera(const struct canvas *canvas)
{
   return canvas_camera(canvas, eye, (struct vec3){0, 0.95f, 0}, 0.36f);
}

static struct tg_bindings *
bind_places(struct gallery *gallery, struct mat4 to_window)
{
   const struct mesh_places places = {
      to_window,
      mat4_place((struct vec3){0}, 0.45f, 1),
   };

   return gallery_bindings(gallery, &places, sizeof(places));
}

static struct tg_bindings *
bind_hair(struct gallery *gallery, struct mat4 to_window)
{
   const struct hair_constants constants = {
      .to_window = to_window,
      .eye = {eye.x, eye.y, eye.z},
      .length = 0.085f,
      .bend = {0.12f, -0.5f, 0.05f},
      .half_width = 0.0042f,
   };

   return gallery_bindings(gallery, &constants, sizeof(constants));
}

/* Something plain, or the picture. */
static struct tg_bindings *
bind_colors(struct gallery *gallery, const struct fur *fur,
            struct tg_resource *picture, struct vec3 color, struct vec3 root,
            float shininess)
{
   static const uint32_t white = UINT32_MAX;
   const struct fur_constants constants = {
      sun_light(eye, color, shininess),
      {root.x, root.y, root.z},
   };
   struct tg_bindings *bindings =
      gallery_bindings(gallery, &constants, sizeof(constants));

   if (!picture)
      picture = gallery_picture(gallery, &white, 1, 1);
   gallery_bind(gallery, bindings, 0, picture, &gallery_smooth);
   gallery_bind(gallery, bindings, 1, fur->map, &sun_sampler);
   return bindings;
}

static void *
make(struct gallery *gallery, const struct canvas *canvas)
{
   const struct mat4 to_eye = camera(canvas);
   struct mesh bunny = mesh_read("models/bunny.obj", 2);
   struct mesh ground = mesh_square(80, 40);
   struct tg_resource *wood =
      gallery_read_picture(gallery, "textures/crate-base.png");
   const struct vec3 brown = {0.22f, 0.12f, 0.06f};
   struct fur *fur = gallery_allocate(sizeof(*fur));

   *fur = (struct fur){
      .vertex = gallery_shader(gallery, "mesh.vert.tgsi"),
      .hair = gallery_shader(gallery, "fur.geom.tgsi"),
      .depth = gallery_shader(gallery, "depth.frag.tgsi"),
      .skin_fragment = gallery_shader(gallery, "shadow.frag.tgsi"),
      .hair_fragment = gallery_shader(gallery, "fur.frag.tgsi"),
      .map =
         gallery_target(gallery, "Z32_FLOAT", SUN_MAP_SIZE, SUN_MAP_SIZE, 1),
      .bunny = gallery_mesh(gallery, &bunny),
      .floor = gallery_mesh(gallery, &ground),
      .from_sun = bind_places(gallery, sun_matrix()),
      .from_eye = bind_places(gallery, to_eye),
      .hair_from_sun = bind_hair(gallery, sun_matrix()),
      .hair_from_eye = bind_hair(gallery, to_eye),
   };
   fur->floor_colors = bind_colors(gallery, fur, wood,
                                   (struct vec3){1, 0.9f, 0.75f}, brown, 400);
   fur->skin_colors = bind_colors(gallery, fur, NULL, brown, brown, 20);
   fur->hair_colors = bind_colors(
      gallery, fur, NULL, (struct vec3){0.95f, 0.72f, 0.47f}, brown, 60);
   return fur;
}

/* ---- drawing ------------------------------------------------------------- */

static void
draw_skin(struct gallery *gallery, const struct fur *fur,
          struct tg_gpu_shader *fragment, struct tg_bindings *vertex)
{
   gallery_use(gallery, fur->vertex, fragment);
   gallery_see(gallery, vertex, fur->skin_colors);
   gallery_draw(gallery, &fur->bunny, TG_PRIM_TRIANGLES, 0);
}

static void
draw_hair(struct gallery *gallery, const struct fur *fur,
          struct tg_gpu_shader *fragment, struct tg_bindings *vertex,
          struct tg_bindings *hair)
{
   gallery_use(gallery, fur->vertex, fragment);
   gallery_use_geometry(gallery, fur->hair);
   tg_context_set_bindings(gallery->gpu, TG_GPU_GEOMETRY, hair);
   gallery_see(gallery, vertex, fur->hair_colors);
   gallery_draw(gallery, &fur->bunny, TG_PRIM_TRIANGLES, 0);
}

static void
set_state(struct gallery *gallery)
{
   const struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   gallery_rasterize(gallery, &rasterizer);
   gallery_test_depth(gallery, true);
}

static void
prepare(struct gallery *gallery, const void *scene)
{
   const struct fur *fur = scene;

   set_state(gallery);
   gallery_draw_to(gallery, 0, NULL, fur->map);
   gallery_clear(gallery, sun_sky);
   draw_skin(gallery, fur, fur->depth, fur->from_sun);
   draw_hair(gallery, fur, fur->depth, fur->from_sun, fur->hair_from_sun);
}

static void
draw(struct gallery *gallery, const struct canvas *canvas, const void *scene)
{
   const struct fur *fur = scene;

   set_state(gallery);
   gallery_draw_to(gallery, 1, &canvas->color, canvas->depth);
   gallery_clear(gallery, sun_sky);
   draw_skin(gallery, fur, fur->skin_fragment, fur->from_eye);
   draw_hair(gallery, fur, fur->hair_fragment, fur->from_eye,
             fur->hair_from_eye);
   gallery_use(gallery, fur->vertex, fur->skin_fragment);
   gallery_see(gallery, fur->from_eye, fur->floor_colors);
   gallery_draw(gallery, &fur->floor, TG_PRIM_TRIANGLES, 0);
}

const struct scene fur_scene = {
   .name = "fur",
   .samples = 4,
   .camera = camera,
   .make = make,
   .prepare = prepare,
   .draw = draw,
};
