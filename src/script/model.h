/* SPDX-License-Identifier: MIT
 *
 * What a .tgsi_test file says, in memory. The parser builds it in one arena;
 * nothing of it changes afterwards.
 */
#ifndef TG_SCRIPT_MODEL_H
#define TG_SCRIPT_MODEL_H

#include "script/compare.h"
#include "script/place.h"
#include "script/script.h"
#include "script/settings.h"
#include "tgsi/tables.h"
#include "tungsten/gpu.h"
#include "tungsten/tgsi.h"
#include "util/arena.h"
#include "util/budget.h"

/* Said of what takes more memory than the limits give. */
#define SCRIPT_BEYOND_BUDGET                                                   \
   "this takes more memory than the %llu bytes that a test may have"

enum {
   SCRIPT_MAX_LENGTH = 64 << 20, /* bytes of a file */
   SCRIPT_MAX_SHADERS = 256,
   SCRIPT_MAX_TESTS = 4096,
   SCRIPT_MAX_COMMANDS = 1 << 20, /* of one test */
   SCRIPT_MAX_NAME = 200,
   SCRIPT_MAX_COLUMNS = TG_MAX_VERTEX_ELEMENTS,
   SCRIPT_MAX_VERTEX_WORDS = 1 << 24,
   SCRIPT_MAX_INDICES = 1 << 24,
   SCRIPT_MAX_SIZE = 4096,   /* pixels each way, of pictures */
   SCRIPT_MAX_PLACES = 1024, /* that hold memory: all there are */
   SCRIPT_MAX_PARTS = TG_MAX_TEXTURE_LEVELS * TG_MAX_TEXTURE_SAMPLES,
   SCRIPT_MAX_BYTES = SCRIPT_MAX_LENGTH, /* of a buffer that is given */
   SCRIPT_MAX_TURNS = 10000000,          /* of the loops of a run */
};

/* Whose constants are set. */
enum script_stage {
   SCRIPT_STAGE_ALONE, /* of the shader that `run` runs */
   SCRIPT_STAGE_VERTEX,
   SCRIPT_STAGE_FRAGMENT,
   SCRIPT_NUM_STAGES,
};

/* The text of a shader; it is parsed when a test wants it, as a test may
 * expect that this fails. */
struct script_shader {
   const char *name; /* "" for [shader] */
   uint32_t line;    /* of the first line of the text */
   const char *text; /* in the source of the script */
   size_t length;
};

enum { SCRIPT_MAX_EMITTED = 65535 };
#define SCRIPT_NO_VERTEX UINT32_MAX

/* What the channels of an output register must hold. */
struct script_expectation {
   uint32_t vertex; /* emitted by the lane; SCRIPT_NO_VERTEX: at the end */
   struct script_register reg;
   unsigned mask; /* bit i: channel i */
   int lane;      /* or SCRIPT_ALL_LANES */
   struct script_values values;
   struct script_tolerance tolerance;
};

/* What a checked run must find: its code, the line in the file, and a part of
 * the message. */
struct script_finding {
   struct script_word code;
   uint32_t line;
   struct script_word text;
};

/* What a draw does; see struct tg_draw_info. */
struct script_draw {
   enum tg_primitive primitive;
   bool indexed;
   uint32_t first, count, num_instances;
};

/* Pixels that must have a colour, or a depth in `color[0]`. */
struct script_probe {
   uint32_t x, y, width, height; /* width 0: to the end */
   double color[4];
   bool is_depth;
   bool has_tolerance;
   double tolerance;
};

/* What a buffer must hold, from a byte on. */
struct script_data {
   uint32_t offset;
   bool is_all; /* one value, up to the end */
   const struct script_type *type;
   struct script_cursor values; /* before the first of them */
   uint32_t count;
   struct script_tolerance tolerance;
};

/* What texels of a level must be. */
struct script_area {
   uint32_t level, sample;
   uint32_t layer; /* or SCRIPT_AS_IS: all, or the first for a part of one */
   uint32_t x, y, width, height; /* width 0: all */
   bool is_stencil, is_integer;
   unsigned num_words;
   uint32_t words[4];
   struct script_tolerance tolerance;
};

/* See struct tg_grid. */
struct script_dispatch {
   uint32_t grid[3];
   uint32_t block[3]; /* 0: as the shader says */
   uint32_t work_dim, entry, shared_size, num_threads;
   const struct script_place *indirect; /* or NULL */
   uint32_t indirect_offset;
};

struct script_command {
   const struct script_command_rule *rule;
   struct tg_position position;
   union {
      uint64_t number; /* one word or a number */
      uint32_t size[2];
      uint32_t shader;
      float color[4];
      struct script_expectation expectation;
      struct script_finding finding;
      struct script_draw draw;
      struct script_probe probe;
      struct {
         struct script_word text; /* of an error that is expected */
         bool is_dispatch;        /* of a dispatch, else of a run */
         struct script_dispatch dispatch;
      };
      struct {
         const struct script_place *place;
         union {
            struct script_change change;
            struct script_data data;
            struct script_area area;
         };
      };
      struct {
         struct script_setting setting;
         enum script_stage stage;
      };
   };
};

struct script_commands {
   struct script_command *items;
   uint32_t count, capacity;
};

struct script_test {
   const char *name;
   uint32_t line;
   struct script_commands commands;
};

/* Columns of [vertex data]: register r is the r-th, of floats. */
struct script_vertex_data {
   uint32_t num_columns;
   uint8_t num_channels[SCRIPT_MAX_COLUMNS];
   uint32_t words_per_vertex;
   uint32_t *words;
   uint32_t num_words, word_capacity;
};

struct script_index_data {
   uint32_t *indices;
   uint32_t count, capacity;
};

struct script {
   struct script_limits limits;
   struct tg_budget budget; /* of the arena */
   struct tg_arena arena;   /* owns everything but the script itself */
   struct tg_source source;
   enum tg_dialect dialect;
   struct script_shader *shaders;
   struct script_test *tests;
   uint32_t num_shaders, shader_capacity;
   uint32_t num_tests, test_capacity;
   struct script_commands state; /* carried out before each test */
   struct script_vertex_data vertices;
   struct script_index_data indices;
   struct script_place **places;
   uint32_t num_places, place_capacity;
};

/* Reads the number of a place behind the words of its kind; NULL after a
 * complaint when there is no such place. */
const struct script_place *
script_read_place_name(struct script_cursor *cursor,
                       const struct script *script, const char *words);

/* script_accept_change() for a place; digits alone are what its format says. */
bool
script_accept_change_of(struct script_cursor *cursor,
                        const struct script_place *place,
                        struct script_change *change_out, bool *good_out);

/* The format in which a place shows its texels. */
uint32_t
script_place_format(const struct script_place *place);

/* The format of the texels that it holds; of a buffer, that in which they are
 * shown. */
uint32_t
script_texel_format(const struct script_place *place);

/* The shader of a name, or NULL. */
const struct script_shader *
script_find_shader(const struct script *script, struct script_word name);

#endif
