/* SPDX-License-Identifier: MIT
 *
 * The model of a .tgsi_test file in memory. The parser builds it in one arena;
 * nothing of it changes afterwards.
 */
#ifndef TG_SCRIPT_SECTIONS_MODEL_H
#define TG_SCRIPT_SECTIONS_MODEL_H

#include "script/script.h"
#include "script/sections/place.h"
#include "script/text/compare.h"
#include "script/text/rules.h"
#include "script/text/settings.h"
#include "tungsten/tgsi.h"
#include "util/arena.h"
#include "util/quota.h"

/* Said of what takes more memory than the limits give. */
#define SCRIPT_BEYOND_QUOTA                                                    \
   "this takes more memory than the %llu bytes that a test may have"

enum {
   SCRIPT_MAX_LENGTH = 64 << 20, /* bytes of a file */
   SCRIPT_MAX_SHADERS = 256,
   SCRIPT_MAX_TESTS = 4096,
   SCRIPT_MAX_COMMANDS = 1 << 20, /* of one test */
   SCRIPT_MAX_NAME = 200,
   SCRIPT_MAX_COLUMNS = TG_MAX_VERTEX_ELEMENTS,
   SCRIPT_MAX_VERTEX_BYTES = 1 << 26,
   SCRIPT_MAX_INDICES = 1 << 24,
   SCRIPT_MAX_SIZE = 4096,   /* pixels each way, of pictures */
   SCRIPT_MAX_PLACES = 1024, /* that hold memory: all there are */
   SCRIPT_MAX_PARTS = TG_MAX_TEXTURE_LEVELS * TG_MAX_TEXTURE_SAMPLES,
   SCRIPT_MAX_BYTES = SCRIPT_MAX_LENGTH, /* of a buffer that is given */
   SCRIPT_MAX_TURNS = 10000000,          /* of the loops of a run */
   SCRIPT_MAX_DRAWS = 1 << 16,           /* of one command */
   SCRIPT_MAX_QUERIES = 64,
};

/* Whose constants are set: those of a stage of draws, enum tg_gpu_stage, or of
 * the shader that `run` runs. */
enum { SCRIPT_STAGE_ALONE = TG_NUM_GPU_STAGES, SCRIPT_NUM_STAGES };

/* The name of the shader that draws use for a stage: "tess control". */
extern const char *const script_stage_names[TG_NUM_GPU_STAGES];

/* The stage whose name comes next, which is stepped over; TG_NUM_GPU_STAGES for
 * none. */
unsigned
script_model_accept_stage(struct script_cursor *cursor);

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
#define SCRIPT_NO_SHADER UINT32_MAX

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

/* See struct tg_draw_info. */
struct script_draw {
   uint8_t mode; /* enum tg_prim */
   bool indexed;
   uint32_t num_instances, start_instance, first_draw_id;
   struct script_cursor ranges; /* before the first of them */
   uint32_t num_draws;
   const struct script_place *indirect; /* a buffer, or NULL */
   uint32_t indirect_offset, indirect_stride;
   const struct script_place *count; /* of indirect draws, or NULL */
   uint32_t count_offset;
   const struct script_place *indices; /* or NULL: [index data] */
   uint32_t index_offset;
   unsigned stream_target; /* whose vertices are drawn; or */
};
#define SCRIPT_NO_TARGET UINT32_MAX

/* Attachments of the framebuffer: colours by number, and: */
enum {
   SCRIPT_DEPTH = TG_MAX_COLOR_BUFFERS,
   SCRIPT_NUM_ATTACHMENTS,
   SCRIPT_STENCIL = SCRIPT_NUM_ATTACHMENTS, /* that of the former */
};

/* What an attachment is. */
struct script_attachment {
   unsigned number;
   enum {
      SCRIPT_ATTACH_OWN, /* made for the framebuffer, as the state says */
      SCRIPT_ATTACH_NOTHING,
      SCRIPT_ATTACH_PLACE,
   } kind;
   const struct script_place *place;
   uint32_t format, level; /* format 0: its own */
   uint32_t layers[2];     /* or SCRIPT_AS_IS: all */
};

/* What pixels of an attachment must be; SCRIPT_AS_IS stands for all. */
struct script_probe {
   unsigned target;
   uint32_t layer, sample;
   uint32_t x, y, width, height; /* width 0: to the end */
   double color[4];              /* or depth or stencil, the first */
   struct script_word
      path; /* of a picture in place of a color; or of length 0 */
   bool has_tolerance;
   double tolerance;
};

/* One side of a copy or blit: a place, or an attachment. */
struct script_side {
   const struct script_place *place; /* or NULL */
   unsigned target;
   uint32_t level, format; /* format 0: its own */
   bool has_box;
   int32_t box[6]; /* x, y, z, width, height, depth */
};

struct script_transfer {
   struct script_side dst, src;
   uint8_t mask;   /* enum tg_channel_mask */
   uint8_t filter; /* enum tg_filter */
   bool has_scissor, is_conditional, blends, has_windows;
   uint32_t scissor[4]; /* x, y, width, height */
};

/* What is cleared; of attachments each has a bit. */
struct script_clear {
   uint32_t targets; /* bit i: attachment i; SCRIPT_STENCIL too */
   double color[4];
   double depth;
   uint8_t stencil;
   bool has_scissor;
   uint32_t scissor[4];
   /* Or a box of a texture, with `color` in its format; or bytes of a buffer,
    * the box's x and width, with words. */
   struct script_side side;
   uint32_t words[4];
   uint32_t num_words;
};

struct script_query {
   uint32_t number;
   uint8_t type; /* enum tg_query_type */
   uint32_t stream;
   uint32_t member; /* of union tg_query_result, see commands/query.c */
   enum { SCRIPT_EXACTLY, SCRIPT_AT_LEAST, SCRIPT_AT_MOST } comparison;
   bool is_inverted; /* of a condition */
   uint64_t value;
};

struct script_stream_target {
   uint32_t number;
   const struct script_place *buffer;
   uint32_t offset, size; /* or SCRIPT_AS_IS: to the end */
};

/* An element of the vertex, or where a vertex buffer is. */
struct script_element {
   uint32_t number;
   struct tg_vertex_element element;
   const struct script_place *buffer; /* NULL: [vertex data] */
   bool is_nothing;
   uint32_t offset, stride;
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
   /* Of `expect error`: a part of it, and the command that must have it. */
   struct script_word error;
   const struct script_command_rule *tried;
   union {
      uint64_t number; /* one word or a number */
      struct {
         uint32_t shader; /* SCRIPT_NO_SHADER: none */
         unsigned shader_stage;
      };
      struct script_expectation expectation;
      struct script_finding finding;
      struct script_draw draw;
      struct script_probe probe;
      struct script_dispatch dispatch;
      struct script_attachment attachment;
      struct script_clear clear;
      struct script_transfer transfer;
      struct script_query query;
      struct script_stream_target stream_target;
      struct script_element element;
      struct script_change change;
      struct {
         const struct script_place *place;
         union {
            struct script_change place_change;
            struct script_data data;
            struct script_area area;
         };
      };
      struct {
         struct script_setting setting;
         unsigned stage;
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

/* Columns of [vertex data]: the r-th is IN[r]. */
struct script_vertex_data {
   uint32_t num_columns;
   struct {
      uint32_t format, divisor;
      uint32_t offset; /* bytes from the start of a vertex */
   } columns[SCRIPT_MAX_COLUMNS];
   uint32_t stride;
   uint8_t *bytes;
   uint32_t num_bytes, byte_capacity;
};

struct script_index_data {
   uint32_t *indices;
   uint32_t count, capacity;
};

/* What becomes of the vertices that a shader makes. */
struct script_stream_output {
   uint32_t shader;
   struct tg_stream_output_info info;
};

struct script {
   struct script_limits limits;
   struct tg_quota quota; /* of the arena */
   struct tg_arena arena; /* owns everything but the script itself */
   struct tg_source source;
   enum tg_dialect dialect;
   struct script_shader *shaders;
   struct script_test *tests;
   uint32_t num_shaders, shader_capacity;
   uint32_t num_tests, test_capacity;
   struct script_commands state; /* carried out before each test */
   struct script_vertex_data vertices;
   struct script_index_data indices;
   struct script_stream_output *stream_outputs;
   uint32_t num_stream_outputs, stream_output_capacity;
   struct script_place **places;
   uint32_t num_places, place_capacity;
};

/* Reads the number of a place after the words of its kind; NULL after a
 * complaint when there is no such place. */
const struct script_place *
script_read_place_name(struct script_cursor *cursor,
                       const struct script *script, const char *words);

/* Reads KIND N, a place that has memory: that of the place whose memory it is.
 * NULL after a complaint. */
const struct script_place *
script_read_place_owner(struct script_cursor *cursor,
                        const struct script *script);

/* The same of `buffer N` alone. */
const struct script_place *
script_read_place_buffer(struct script_cursor *cursor,
                         const struct script *script);

/* Reads the name of a file in the folder of the script or below. */
bool
script_texture_read_path(struct script_cursor *cursor,
                         struct script_word *path_out);

/* script_accept_binding_change() for a place; digits alone are what its format
 * says. */
bool
script_accept_place_change(struct script_cursor *cursor,
                           const struct script_place *place,
                           struct script_change *change_out, bool *good_out);

/* The format in which a place shows its texels. */
uint32_t
script_place_format(const struct script_place *place);

/* The format of the texels that it holds; of a buffer, that in which they are
 * shown. */
uint32_t
script_place_texel_format(const struct script_place *place);

/* What becomes of a shader's vertices; NULL: nothing. */
const struct tg_stream_output_info *
script_find_stream_output(const struct script *script, uint32_t shader);

/* Reads the name of a shader: its number. */
bool
script_model_read_shader_name(struct script_cursor *cursor,
                              const struct script *script,
                              uint32_t *shader_out);

/* The shader of a name, or NULL. */
const struct script_shader *
script_model_find_shader(const struct script *script, struct script_word name);

#endif
