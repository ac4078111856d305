/* SPDX-License-Identifier: MIT
 *
 * A client of a virgl host, for tests: commands are put together by hand, and
 * submitted; lines of the log are kept.
 */
#ifndef TESTS_VIRGL_CLIENT_H
#define TESTS_VIRGL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/gpu.h"
#include "virgl/virgl.h"
#include "virgl/wire/protocol.h"

enum { CLIENT_MAX_LINES = 64 };

struct client {
   struct tg_device *device;
   struct virgl_host *host;
   uint32_t words[1 << 16];
   size_t num_words;                /* that have not been submitted */
   char log[CLIENT_MAX_LINES][200]; /* the first lines */
   unsigned num_lines;
};

void
client_init(struct client *client);

/* As client_init(), with options other than the defaults; log and device are
 * the client's. */
void
client_init_with(struct client *client, struct virgl_host_options options);

void
client_finish(struct client *client);

/* ---- commands ------------------------------------------------------------ */

/* Adds a command of an object with the words that follow. */
void
client_add(struct client *client, uint32_t number, uint32_t object,
           uint32_t count, const uint32_t *words);
#define ADD(client, number, object, ...)                                       \
   client_add(client, number, object, sizeof((uint32_t[]){__VA_ARGS__}) / 4,   \
              (uint32_t[]){__VA_ARGS__})
#define COMMAND(client, NAME, ...) ADD(client, VIRGL_##NAME, 0, __VA_ARGS__)
#define CREATE(client, NAME, ...)                                              \
   ADD(client, VIRGL_CREATE_OBJECT, VIRGL_OBJECT_##NAME, __VA_ARGS__)
#define BIND(client, NAME, handle)                                             \
   ADD(client, VIRGL_BIND_OBJECT, VIRGL_OBJECT_##NAME, handle)

uint32_t
client_float(float value);

/* A shader in pieces of so many words of text, 0: in one. */
void
client_add_shader(struct client *client, uint32_t handle, uint32_t stage,
                  const char *text, uint32_t piece);

/* Submits what was added. */
enum tg_result
client_submit(struct client *client);

/* Submits, which is to be good, and nothing is in the log. */
void
client_run(struct client *client);

/* Does a line of the log have this text? */
bool
client_was_told(const struct client *client, const char *text);

/* ---- resources ----------------------------------------------------------- */

/* One with a level of one slice. `memory` may be NULL. */
void
client_create(struct client *client, uint32_t handle, uint32_t target,
              uint32_t format, uint32_t width, uint32_t height, void *memory);

/* Writes and reads all of one, without gaps. */
void
client_put(struct client *client, uint32_t handle, uint32_t width,
           uint32_t height, const void *data, size_t num_bytes);
void
client_get(struct client *client, uint32_t handle, uint32_t width,
           uint32_t height, void *data, size_t num_bytes);

/* Handles of client_set_up(). */
enum {
   TARGET = 1,        /* a resource, and the surface of it */
   VERTICES = 2,      /* a resource: three corners of three words, (-1, -1, 0),
                       * (3, -1, 0), (-1, 3, 0), so that a triangle is all pixels */
   VERTEX_SHADER = 5, /* POSITION is IN[0], GENERIC[0] its half and a half */
   FREE = 10,         /* and all above */
};

/* A sub-context with a target, and state that draws all of it: no tests, no
 * blending, no culling. What is missing is a fragment shader. */
void
client_set_up(struct client *client, uint32_t format, uint32_t width,
              uint32_t height);

/* The state alone, in the sub-context that is current. */
void
client_set_state(struct client *client, uint32_t format, uint32_t width,
                 uint32_t height);

/* Makes a fragment shader, and binds it. */
void
client_set_fragment_shader(struct client *client, const char *text);

/* Adds a draw of the triangle. */
void
client_draw(struct client *client);

/* For tests of cmocka that have a client each, as their state. */
int
client_begin_test(void **test);
int
client_end_test(void **test);

#define CLIENT_TEST(name)                                                      \
   cmocka_unit_test_setup_teardown(name, client_begin_test, client_end_test)

#endif
