/* SPDX-License-Identifier: MIT
 *
 * The graphics pipeline: state, draws, clears, copies and queries. Names,
 * numbers and meanings are Gallium's; where it leaves something open they are
 * OpenGL 4.6's (compatibility profile).
 *
 * A device has threads and kernels; contexts of it have state, and draw. State
 * is checked when it is set, or when a state object is made of it, and stays
 * until it is set or bound again. A draw takes what is set then. Work of a
 * context is done in the order of its calls, by the device's threads: what a
 * call wrote is seen by the calls after it, and by the caller after
 * tg_context_finish() or a fence. Between contexts there is no order but that
 * of fences: to read in one what another wrote, wait for it.
 *
 * A context and what was made from it are used by one thread at a time, any
 * number of contexts at once. What is set, and what draws use that are not
 * done, holds references: see base.h.
 */
#ifndef TUNGSTEN_GPU_H
#define TUNGSTEN_GPU_H

#include "tungsten/resource.h"
#include "tungsten/run.h"
#include "tungsten/tgsi.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
   TG_MAX_FRAMEBUFFER_SIZE = TG_MAX_TEXTURE_SIZE, /* width and height */
   TG_MAX_VIEWPORTS = 16,
   TG_MAX_WINDOW_RECTANGLES = 8,
   TG_MAX_CLIP_PLANES = 8, /* clip and cull distances, too */
   TG_MAX_VERTEX_BUFFERS = 32,
   TG_MAX_VERTEX_ELEMENTS = 32,
   TG_MAX_STREAM_BUFFERS = 4,
   TG_MAX_STREAMS = 4,         /* of vertices, out of a geometry shader */
   TG_MAX_STREAM_OUTPUTS = 64, /* pieces of a vertex that are written */
   TG_MAX_PATCH_VERTICES = 32,
   TG_MAX_DEVICE_THREADS = TG_MAX_DISPATCH_THREADS,
};

/** Sizes of points, widths of lines: larger ones are held to these. */
#define TG_MAX_POINT_SIZE 2048.0f
#define TG_MAX_LINE_WIDTH 256.0f

/** Scales and translations of viewports: larger ones are held to this. */
#define TG_MAX_VIEWPORT_REACH 1048576.0f

/* ---- devices ------------------------------------------------------------- */

/**
 * What contexts share: threads, compiled kernels and limits. Any number of
 * threads may use a device at the same time, through contexts of their own.
 */
struct tg_device;

struct tg_device_options {
   size_t size;          /* sizeof(struct tg_device_options) */
   unsigned num_threads; /* a caller's included; 0: as many as there are
                          * processors. 1: all is done before a call returns */
   bool check; /* look for mistakes in shaders: see tg_context_draw(); such a
                * device has one thread */
   uint64_t max_memory; /* bytes that all that is made with the device's
                         * allocator may take, contexts and kernels included; 0:
                         * there is no bound. More is TG_ERROR_MEMORY */
   const char *executor; /* a name of tg_executor_name(); NULL: the usual one */
   tg_kernel_function print_kernel; /* is given each kernel; NULL: none is */
   void *print_user;                /* of print_kernel */
   bool verify_each; /* check kernels after each pass: what is wrong then is a
                      * bug of this library, and TG_ERROR_UNSUPPORTED */
   struct tg_code_cache *code_cache; /* where machine code is looked for and
                                      * kept; it must outlive the device. NULL:
                                      * nowhere */
   struct tg_profile *profile; /* that is made of what the device does; it must
                                * outlive the device. NULL: none is */
};

#define TG_DEVICE_OPTIONS_INIT TG_INIT_(tg_device_options, TG_NO_MEMBERS_)

/** `allocator` must be one for many threads unless there is one only, and
 * outlive all that is made from the device; NULL takes the default. `options`
 * NULL takes the defaults. TG_ERROR_INPUT for threads beyond
 * TG_MAX_DEVICE_THREADS and an executor that there is not, TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_device_create(const struct tg_allocator *allocator,
                 const struct tg_device_options *options,
                 struct tg_device **device_out);

/** Adds a reference, and returns the device; NULL gives NULL. Any thread. */
TG_API struct tg_device *
tg_device_ref(struct tg_device *device);

/** Drops a reference. Contexts, shaders and state objects hold some, so a
 * device lives as long as they do. Takes NULL. Any thread. */
TG_API void
tg_device_destroy(struct tg_device *device);

/** The name of its executor, as it was given, or that of the usual one. Any
 * thread. */
TG_API const char *
tg_device_get_executor(const struct tg_device *device);

/** An allocator whose memory counts for the device's max_memory, for resources,
 * bindings and the like: they must be gone before the device. It lives as long
 * as the device. Any thread. */
TG_API const struct tg_allocator *
tg_device_get_allocator(const struct tg_device *device);

/** Bytes that are in use; `*peak_out`, unless it is NULL, becomes the most that
 * were so far. Any thread. */
TG_API uint64_t
tg_device_get_memory(const struct tg_device *device, uint64_t *peak_out);

/** At least 1. Any thread. */
TG_API unsigned
tg_device_num_threads(const struct tg_device *device);

/** The code cache that it was created with, or NULL. Any thread. */
TG_API struct tg_code_cache *
tg_device_get_code_cache(const struct tg_device *device);

/** The profile that it was created with, or NULL. Any thread. */
TG_API struct tg_profile *
tg_device_get_profile(const struct tg_device *device);

/** What became of kernels that a device needed machine code for, which those of
 * executors without any are not. Programs are not among them. */
struct tg_code_statistics {
   size_t size;       /* sizeof(struct tg_code_statistics), set by the caller */
   uint64_t compiled; /* code was generated */
   uint64_t loaded;   /* it was in the code cache */
   uint64_t shared;   /* another kernel of the process has the same */
   double seconds;    /* that this took, of all threads together */
   uint64_t refused;  /* there is no code of LLVM for it: it runs without */
};

#define TG_CODE_STATISTICS_INIT TG_INIT_(tg_code_statistics, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT for a size that is not known, and then nothing is written.
 * Any thread. */
TG_API enum tg_result
tg_device_get_code_statistics(const struct tg_device *device,
                              struct tg_code_statistics *statistics_out);

/* ---- contexts ------------------------------------------------------------ */

struct tg_context;

/** What a context does after a fault: see struct tg_context_fault. */
enum tg_on_fault {
   TG_FAULT_GO_ON, /* with the next call */
   TG_FAULT_RESET, /* it is lost until tg_context_reset() */
};

struct tg_context_options {
   size_t size; /* sizeof(struct tg_context_options) */
   /* What all that the context does may cost together, in units of
    * tungsten/work.h; 0: there is no bound. */
   uint64_t max_work;
   double max_seconds; /* that may pass from the creation or the last refill of
                        * the context's work on; 0: there is no bound */
   struct tg_work
      *work;            /* that pays instead, and may be shared; it must outlive
                         * the context. NULL: the context has one of its own */
   bool links_strictly; /* refuse draws whose shaders have inputs that nothing
                         * feeds; else these read 0, FOG (0, 0, 0, 1) */
   /* That a draw, a blit or a dispatch may take; 0: there is no bound. What
    * counts is the time during which at least one thread is at work on it, from
    * vertices to the last tile: not that in which it waits for others, not
    * making its kernels, and not the first 2^18 units of work, so that most
    * calls do without a clock. What is left of it then is dropped. */
   double max_call_seconds;
   uint32_t on_fault; /* enum tg_on_fault */
};

#define TG_CONTEXT_OPTIONS_INIT TG_INIT_(tg_context_options, TG_NO_MEMBERS_)

/** A context of a device, on which it holds a reference. Any thread may create
 * one; it is used by one thread at a time. `options` NULL takes the defaults.
 * TG_ERROR_INPUT for seconds that are negative or not finite, or an on_fault
 * that there is not; TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_context_create(struct tg_device *device,
                  const struct tg_context_options *options,
                  struct tg_context **context_out);

/** Finishes, lets go of all that is set, and destroys queries and stream
 * targets that have not been destroyed; shaders stay their owners'. Takes NULL.
 */
TG_API void
tg_context_destroy(struct tg_context *context);

/** No reference is added. Any thread. */
TG_API struct tg_device *
tg_context_get_device(const struct tg_context *context);

/** The work that pays for all that the context does: to be asked what is spent,
 * refilled and cancelled. Never NULL; it lives as long as the context. Any
 * thread. */
TG_API struct tg_work *
tg_context_get_work(const struct tg_context *context);

/** Ends what the context is at work on, and all that it is asked for later,
 * until its work is refilled: tg_work_cancel() of it. Any thread. */
TG_API void
tg_context_cancel(struct tg_context *context);

/* ---- faults -------------------------------------------------------------- */

/** Kinds of calls that do something, whether at once or later. */
enum tg_call_kind {
   TG_CALL_NONE,
   TG_CALL_DRAW,
   TG_CALL_CLEAR, /* of the framebuffer, surfaces, textures, buffers */
   TG_CALL_BLIT,
   TG_CALL_COPY,
   TG_CALL_WRITE, /* tg_context_write(), tg_query_write_result() */
   TG_CALL_READ,
   TG_CALL_DISPATCH,
   TG_CALL_MAP, /* its end, too */
   TG_NUM_CALL_KINDS,
};

/** "draw", "clear"; NULL for a kind that there is not. */
TG_API const char *
tg_call_kind_name(enum tg_call_kind kind);

/** The number of the last of a context's calls of these kinds; they are
 * numbered from 1 on, those that were refused, too. 0: there was none. What
 * goes wrong with one is reported with its kind and number: "draw 17: ...". */
TG_API uint64_t
tg_context_get_call(const struct tg_context *context);

/**
 * A fault is what ends a call, or a part of it, other than by a mistake in the
 * call itself: TG_ERROR_LIMIT, of its loops, its time or the context's work, or
 * TG_ERROR_MEMORY. If a call that waits has one in a tile, what is left of it
 * there is dropped, and other tiles go on with it, unless its time is over. The
 * calls after it are done as ever, but with TG_FAULT_RESET: then the context is
 * lost as soon as the fault is known, which is when tg_context_finish() returns
 * at the latest; until it is reset calls are skipped, with TG_ERROR_LIMIT.
 */
struct tg_context_fault {
   size_t size;        /* sizeof(struct tg_context_fault), set by the caller */
   uint64_t call;      /* its number */
   uint64_t num_calls; /* that had faults or were skipped, this one included */
   int32_t result;     /* enum tg_result; TG_OK: there was no fault */
   uint32_t kind;      /* enum tg_call_kind */
};

#define TG_CONTEXT_FAULT_INIT TG_INIT_(tg_context_fault, TG_NO_MEMBERS_)

/** The first fault that is known since this was asked last, or since the
 * context was made or reset; does not wait. TG_ERROR_INPUT for a size that is
 * not known, and then nothing is written or forgotten. */
TG_API enum tg_result
tg_context_take_fault(struct tg_context *context,
                      struct tg_context_fault *fault_out);

/** Gallium's pipe_reset_status, with its numbers. */
enum tg_reset_status {
   TG_RESET_NONE,     /* the context is not lost */
   TG_RESET_GUILTY,   /* by one of its calls, or by its own limits */
   TG_RESET_INNOCENT, /* it was cancelled */
   TG_RESET_UNKNOWN,  /* out of memory, or of work that it may share */
};

/** Why a context is lost. Does not wait. */
TG_API enum tg_reset_status
tg_context_get_reset_status(struct tg_context *context);

/** Waits for all work so far, forgets its faults, and has a lost context go on.
 * What is set and bound stays, and so does the end of the context's work: that
 * needs a refill. */
TG_API void
tg_context_reset(struct tg_context *context);

/* ---- shaders ------------------------------------------------------------- */

enum tg_gpu_stage {
   TG_GPU_VERTEX,
   TG_GPU_FRAGMENT,
   TG_GPU_GEOMETRY,
   TG_GPU_TESS_CTRL,
   TG_GPU_TESS_EVAL,
   TG_NUM_GPU_STAGES,
};

struct tg_gpu_shader;

/** Words of an output register that go into a buffer. */
struct tg_stream_output {
   uint8_t register_index; /* OUT[register_index] */
   uint8_t start_component;
   uint8_t num_components; /* 1 to 4, up to component 3 */
   uint8_t buffer;         /* below TG_MAX_STREAM_BUFFERS */
   uint8_t stream;         /* below TG_MAX_STREAMS */
   uint16_t dst_offset;    /* words from the start of the vertex */
};

/** What becomes of the vertices that the last shader before fragments makes.
 * A buffer is for one stream. */
struct tg_stream_output_info {
   size_t size; /* sizeof(struct tg_stream_output_info) */
   uint32_t num_outputs;
   struct tg_stream_output outputs[TG_MAX_STREAM_OUTPUTS];
   uint16_t stride[TG_MAX_STREAM_BUFFERS]; /* words */
};

/** Nothing is written. */
#define TG_STREAM_OUTPUT_INFO_INIT                                             \
   TG_INIT_(tg_stream_output_info, TG_NO_MEMBERS_)

/**
 * Makes a shader of any stage but compute ready for draws of any context of the
 * device. `shader` is validated, and it holds a reference on it.
 * `stream_output` may be NULL. TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED,
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_gpu_shader_create(struct tg_device *device, const struct tg_shader *shader,
                     const struct tg_stream_output_info *stream_output,
                     struct tg_diagnostics *diagnostics,
                     struct tg_gpu_shader **shader_out);

/** Adds a reference, and returns the shader; NULL gives NULL. Any thread. */
TG_API struct tg_gpu_shader *
tg_gpu_shader_ref(struct tg_gpu_shader *shader);

/** Drops a reference; the last one frees the shader. Takes NULL. Any thread. */
TG_API void
tg_gpu_shader_destroy(struct tg_gpu_shader *shader);

/**
 * The shader of a stage; NULL for none. A draw needs a vertex shader, and a
 * fragment shader unless rasterizer_discard is set; one with an evaluation
 * shader draws patches, and without a control shader vertices go straight to
 * it. An input reads the output of the stage before that has the same
 * semantic and number, and 0 if there is none, but FOG (0, 0, 0, 1).
 * TG_ERROR_INPUT when the shader is one of another stage or device.
 */
TG_API enum tg_result
tg_context_set_shader(struct tg_context *context, enum tg_gpu_stage stage,
                      struct tg_gpu_shader *shader,
                      struct tg_diagnostics *diagnostics);

/** What a stage sees; NULL: nothing is bound. Each draw takes what is bound
 * then. */
TG_API void
tg_context_set_bindings(struct tg_context *context, enum tg_gpu_stage stage,
                        struct tg_bindings *bindings);

/* ---- state --------------------------------------------------------------- */

/* Functions that set copy what they are given. NULL puts back what was there at
 * first. TG_ERROR_INPUT when a value is not one that there is: a diagnostic
 * names the member, and nothing has changed.
 *
 * State objects are blend, rasterizer, depth-stencil-alpha and vertex elements.
 * Each is made of a description, which is checked then, and does not change. It
 * holds a reference on its device, and may be bound in any number of contexts
 * of that device at once. */

enum tg_blend_factor {
   TG_BLEND_ONE = 1,
   TG_BLEND_SRC_COLOR,
   TG_BLEND_SRC_ALPHA,
   TG_BLEND_DST_ALPHA,
   TG_BLEND_DST_COLOR,
   TG_BLEND_SRC_ALPHA_SATURATE,
   TG_BLEND_CONST_COLOR,
   TG_BLEND_CONST_ALPHA,
   TG_BLEND_SRC1_COLOR,
   TG_BLEND_SRC1_ALPHA,
   TG_BLEND_ZERO = 0x11,
   TG_BLEND_INV_SRC_COLOR,
   TG_BLEND_INV_SRC_ALPHA,
   TG_BLEND_INV_DST_ALPHA,
   TG_BLEND_INV_DST_COLOR,
   TG_BLEND_INV_CONST_COLOR = 0x17,
   TG_BLEND_INV_CONST_ALPHA,
   TG_BLEND_INV_SRC1_COLOR,
   TG_BLEND_INV_SRC1_ALPHA,
};

enum tg_blend_func {
   TG_BLEND_ADD,
   TG_BLEND_SUBTRACT,         /* source - target */
   TG_BLEND_REVERSE_SUBTRACT, /* target - source */
   TG_BLEND_MIN,              /* factors play no part */
   TG_BLEND_MAX,
};

enum tg_logic_op {
   TG_LOGIC_CLEAR,
   TG_LOGIC_NOR,
   TG_LOGIC_AND_INVERTED, /* not source, and target */
   TG_LOGIC_COPY_INVERTED,
   TG_LOGIC_AND_REVERSE, /* source, and not target */
   TG_LOGIC_INVERT,      /* not target */
   TG_LOGIC_XOR,
   TG_LOGIC_NAND,
   TG_LOGIC_AND,
   TG_LOGIC_EQUIV,
   TG_LOGIC_NOOP,
   TG_LOGIC_OR_INVERTED,
   TG_LOGIC_COPY,
   TG_LOGIC_OR_REVERSE,
   TG_LOGIC_OR,
   TG_LOGIC_SET,
};

enum tg_channel_mask {
   TG_CHANNEL_R = 1 << 0,
   TG_CHANNEL_G = 1 << 1,
   TG_CHANNEL_B = 1 << 2,
   TG_CHANNEL_A = 1 << 3,
   TG_CHANNEL_RGBA = 15,
   TG_CHANNEL_Z = 1 << 4, /* of blits */
   TG_CHANNEL_S = 1 << 5,
};

/** Factors of 0 are good where blending is off. */
struct tg_blend_target {
   bool blend_enable;
   uint8_t rgb_func, alpha_func;           /* enum tg_blend_func */
   uint8_t rgb_src_factor, rgb_dst_factor; /* enum tg_blend_factor */
   uint8_t alpha_src_factor, alpha_dst_factor;
   uint8_t colormask; /* enum tg_channel_mask */
};

struct tg_blend_state {
   size_t size;                   /* sizeof(struct tg_blend_state) */
   bool independent_blend_enable; /* else targets[0] is for all */
   bool logicop_enable;           /* instead of blending */
   uint8_t logicop_func;          /* enum tg_logic_op */
   bool dither;
   bool alpha_to_coverage, alpha_to_one; /* where there are samples */
   struct tg_blend_target targets[TG_MAX_COLOR_BUFFERS];
};

/** What is there at first: no blending, all channels are written. */
#define TG_BLEND_INIT TG_INIT_(tg_blend_state, TG_BLEND_MEMBERS_)
#define TG_BLEND_MEMBERS_(SET) SET(targets[0].colormask, TG_CHANNEL_RGBA)

/** What becomes of colours: a state object. */
struct tg_blend;

/** Checks and copies a description; NULL takes the defaults. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. Any thread. */
TG_API enum tg_result
tg_blend_create(struct tg_device *device, const struct tg_blend_state *state,
                struct tg_diagnostics *diagnostics,
                struct tg_blend **blend_out);

/** Adds a reference, and returns the object; NULL gives NULL. Any thread. */
TG_API struct tg_blend *
tg_blend_ref(struct tg_blend *blend);

/** Drops a reference; the last one frees the object. Takes NULL. Any thread. */
TG_API void
tg_blend_destroy(struct tg_blend *blend);

/** Holds a reference; NULL: what is bound at first. TG_ERROR_INPUT for one of
 * another device. */
TG_API enum tg_result
tg_context_bind_blend(struct tg_context *context, struct tg_blend *blend,
                      struct tg_diagnostics *diagnostics);

/** At first 0. */
TG_API void
tg_context_set_blend_color(struct tg_context *context, const float color[4]);

enum tg_face {
   TG_FACE_NONE,
   TG_FACE_FRONT = 1,
   TG_FACE_BACK = 2,
   TG_FACE_FRONT_AND_BACK = 3,
};

enum tg_polygon_mode {
   TG_POLYGON_FILL,
   TG_POLYGON_LINE,
   TG_POLYGON_POINT,
};

enum tg_sprite_origin {
   TG_SPRITE_UPPER_LEFT, /* t is 0 at the smallest row */
   TG_SPRITE_LOWER_LEFT,
};

struct tg_rasterizer_state {
   size_t size;                   /* sizeof(struct tg_rasterizer_state) */
   bool flatshade;                /* COLOR inputs are constant: of that mode, or
                                   * up to 2011 of that semantic */
   bool flatshade_first;          /* constants come from the first vertex */
   bool light_twoside;            /* back faces have BCOLOR for COLOR */
   bool front_ccw;                /* as one sees memory, with rows downwards */
   uint8_t cull_face;             /* enum tg_face */
   uint8_t fill_front, fill_back; /* enum tg_polygon_mode */
   bool offset_point, offset_line, offset_tri;
   bool offset_units_unscaled; /* units are depths themselves, else two steps
                                * of fixed point, or 2^(e - 23) of floats, e
                                * being the largest depth's exponent */
   float offset_units, offset_scale, offset_clamp;
   bool scissor;
   bool poly_smooth, poly_stipple_enable;
   bool point_smooth;             /* round, with coverage in alpha */
   bool point_quad_rasterization; /* squares and sprites, else GL's points */
   bool point_size_per_vertex;    /* PSIZE, else: */
   float point_size;
   bool point_tri_clip; /* a point is clipped by its square, not its centre */
   uint8_t sprite_coord_mode;    /* enum tg_sprite_origin */
   uint32_t sprite_coord_enable; /* bit i: TEXCOORD[i]; GENERIC[i] too unless
                                  * the shader knows TEXCOORD */
   bool line_smooth, line_stipple_enable, line_last_pixel;
   bool line_rectangular; /* ends are square to the line */
   float line_width; /* above 1, and if it is smooth, a line may reach into the
                      * view from beside it; the viewport cuts all lines */
   uint8_t line_stipple_factor; /* repetitions of a bit, less 1 */
   uint16_t line_stipple_pattern;
   bool multisample; /* else all samples of a pixel are as its centre */
   bool force_persample_interp;
   /* The output SAMPLEMASK counts without multisampling too: its bit 0 decides
    * whether the pixel is drawn. Off, as in OpenGL, it is ignored there. */
   bool sample_mask_without_msaa;
   bool half_pixel_center; /* pixels are covered by their centres */
   bool bottom_edge_rule;  /* ties belong to the edge below, not above */
   bool clip_halfz;        /* z is visible from 0 to w, not from -w to w */
   bool depth_clip_near, depth_clip_far;
   bool depth_clamp;          /* to the viewport's range */
   uint8_t clip_plane_enable; /* bit i: plane or distance i */
   bool rasterizer_discard;   /* nothing after stream output */
   bool clamp_vertex_color, clamp_fragment_color; /* to [0, 1] */
};

/** What is there at first: filled polygons, counter-clockwise ones in front,
 * size and width 1, pixels covered by their centres, samples. */
#define TG_RASTERIZER_INIT TG_INIT_(tg_rasterizer_state, TG_RASTERIZER_MEMBERS_)
#define TG_RASTERIZER_MEMBERS_(SET)                                            \
   SET(front_ccw, true)                                                        \
   SET(half_pixel_center, true)                                                \
   SET(multisample, true)                                                      \
   SET(depth_clip_near, true)                                                  \
   SET(depth_clip_far, true)                                                   \
   SET(point_size, 1.0f)                                                       \
   SET(line_width, 1.0f)

/** How primitives become fragments: a state object. */
struct tg_rasterizer;

/** Checks and copies a description; NULL takes the defaults. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. Any thread. */
TG_API enum tg_result
tg_rasterizer_create(struct tg_device *device,
                     const struct tg_rasterizer_state *state,
                     struct tg_diagnostics *diagnostics,
                     struct tg_rasterizer **rasterizer_out);

/** Adds a reference, and returns the object; NULL gives NULL. Any thread. */
TG_API struct tg_rasterizer *
tg_rasterizer_ref(struct tg_rasterizer *rasterizer);

/** Drops a reference; the last one frees the object. Takes NULL. Any thread. */
TG_API void
tg_rasterizer_destroy(struct tg_rasterizer *rasterizer);

/** Holds a reference; NULL: what is bound at first. TG_ERROR_INPUT for one of
 * another device. */
TG_API enum tg_result
tg_context_bind_rasterizer(struct tg_context *context,
                           struct tg_rasterizer *rasterizer,
                           struct tg_diagnostics *diagnostics);

enum tg_stencil_op {
   TG_STENCIL_KEEP,
   TG_STENCIL_ZERO,
   TG_STENCIL_REPLACE,
   TG_STENCIL_INCR, /* up to 255 */
   TG_STENCIL_DECR, /* down to 0 */
   TG_STENCIL_INCR_WRAP,
   TG_STENCIL_DECR_WRAP,
   TG_STENCIL_INVERT,
};

struct tg_stencil_state {
   bool enabled;
   uint8_t func;     /* enum tg_compare: reference func stencil */
   uint8_t fail_op;  /* enum tg_stencil_op, by how the two tests end: */
   uint8_t zfail_op; /* stencil passes, depth fails */
   uint8_t zpass_op;
   uint8_t valuemask; /* bits that are compared */
   uint8_t writemask; /* bits that are written */
};

struct tg_depth_stencil_alpha_state {
   size_t size; /* sizeof(struct tg_depth_stencil_alpha_state) */
   bool depth_enabled, depth_writemask;
   uint8_t depth_func; /* enum tg_compare: fragment func buffer */
   bool depth_bounds_test;
   float depth_bounds_min, depth_bounds_max; /* of what the buffer holds */
   struct tg_stencil_state stencil[2];       /* the second is for backs, if it
                                              * is enabled */
   bool alpha_enabled;
   uint8_t alpha_func; /* enum tg_compare: COLOR[0].w func reference */
   float alpha_ref_value;
};

/** What is there at first: no tests. */
#define TG_DEPTH_STENCIL_ALPHA_INIT                                            \
   TG_INIT_(tg_depth_stencil_alpha_state, TG_NO_MEMBERS_)

/** The tests of depth, stencil and alpha: a state object. */
struct tg_depth_stencil_alpha;

/** Checks and copies a description; NULL takes the defaults. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. Any thread. */
TG_API enum tg_result
tg_depth_stencil_alpha_create(struct tg_device *device,
                              const struct tg_depth_stencil_alpha_state *state,
                              struct tg_diagnostics *diagnostics,
                              struct tg_depth_stencil_alpha **tests_out);

/** Adds a reference, and returns the object; NULL gives NULL. Any thread. */
TG_API struct tg_depth_stencil_alpha *
tg_depth_stencil_alpha_ref(struct tg_depth_stencil_alpha *tests);

/** Drops a reference; the last one frees the object. Takes NULL. Any thread. */
TG_API void
tg_depth_stencil_alpha_destroy(struct tg_depth_stencil_alpha *tests);

/** Holds a reference; NULL: what is bound at first. TG_ERROR_INPUT for one of
 * another device. */
TG_API enum tg_result
tg_context_bind_depth_stencil_alpha(struct tg_context *context,
                                    struct tg_depth_stencil_alpha *tests,
                                    struct tg_diagnostics *diagnostics);

/** Of fronts and of backs. At first 0. */
TG_API void
tg_context_set_stencil_ref(struct tg_context *context, const uint8_t ref[2]);

/** Bit i: sample i may be covered. At first all. */
TG_API void
tg_context_set_sample_mask(struct tg_context *context, uint32_t mask);

/** At least so many samples of a pixel are shaded by themselves, all if it is
 * more than 1. At first 1. */
TG_API void
tg_context_set_min_samples(struct tg_context *context, unsigned min_samples);

/** Where a sample lies in its pixel, from the top left corner: x and y,
 * multiples of 1/16 below 1. TG_ERROR_INPUT when there is no such number of
 * samples (see TG_SAMPLE_COUNTS) or no such sample, and then nothing is
 * written. Any thread.
 */
TG_API enum tg_result
tg_get_sample_position(unsigned num_samples, unsigned sample,
                       float position_out[2]);

/** Planes in the space of CLIPVERTEX, or else of POSITION. At first 0. */
TG_API void
tg_context_set_clip_planes(struct tg_context *context,
                           const float planes[TG_MAX_CLIP_PLANES][4]);

/** Row i is for rows of the window that are i modulo 32; the highest bit is for
 * the leftmost column. At first all bits. */
TG_API void
tg_context_set_polygon_stipple(struct tg_context *context,
                               const uint32_t rows[32]);

/** window = ndc * scale + translate; y grows downwards in memory. */
struct tg_viewport {
   float scale[3];
   float translate[3];
};

/** The viewport that shows all of [-1, 1] in width by height pixels: with
 * `y_up` y = 1 is the first row. z goes to [0, 1]. */
TG_API struct tg_viewport
tg_viewport_of(uint32_t width, uint32_t height, bool y_up, bool clip_halfz);

/** Viewports first to first + count - 1, at most TG_MAX_VIEWPORTS. At first
 * all 0. Scales and translations beyond TG_MAX_VIEWPORT_REACH, infinite ones
 * too, are held to it; TG_ERROR_INPUT for what is no number. */
TG_API enum tg_result
tg_context_set_viewports(struct tg_context *context, unsigned first,
                         unsigned count, const struct tg_viewport *viewports,
                         struct tg_diagnostics *diagnostics);

/** Pixels from min up to, without, max. */
struct tg_scissor {
   uint16_t min_x, min_y, max_x, max_y;
};

/** Of the viewport with the same number. At first all empty. */
TG_API enum tg_result
tg_context_set_scissors(struct tg_context *context, unsigned first,
                        unsigned count, const struct tg_scissor *scissors,
                        struct tg_diagnostics *diagnostics);

/**
 * Pixels that may change are those within one of `count` rectangles with
 * `include`, or else those within none: of draws, tg_context_clear(), and of
 * blits that ask for it (GL_EXT_window_rectangles). At first all: none is left
 * out. TG_ERROR_INPUT for more than TG_MAX_WINDOW_RECTANGLES.
 */
TG_API enum tg_result
tg_context_set_window_rectangles(struct tg_context *context, bool include,
                                 unsigned count,
                                 const struct tg_scissor *rectangles,
                                 struct tg_diagnostics *diagnostics);

/** What is drawn to: layers of a level of a texture. */
struct tg_surface {
   struct tg_resource *resource; /* NULL: nothing; writes go nowhere */
   uint32_t format;              /* 0: the resource's own */
   uint32_t level;
   uint32_t first_layer, last_layer; /* of 3D its slices */
};

/** All layers of level 0. */
TG_API struct tg_surface
tg_surface_of(struct tg_resource *resource);

/**
 * What fragments are drawn to. Attachments have the framebuffer's size or
 * more, and samples all alike. Layers beyond the fewest that an attachment has
 * are not drawn; where one has a single layer, all that is drawn goes there,
 * whatever LAYER a shader writes. Without attachments there are `samples` and
 * `layers`; 0 stands for 1.
 */
struct tg_framebuffer_state {
   size_t size; /* sizeof(struct tg_framebuffer_state) */
   uint32_t width, height;
   uint32_t layers, samples;
   uint32_t num_colors;
   struct tg_surface colors[TG_MAX_COLOR_BUFFERS];
   struct tg_surface depth_stencil;
};

/** What is there at first: 0 by 0 pixels. */
#define TG_FRAMEBUFFER_INIT TG_INIT_(tg_framebuffer_state, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT also for a format that cannot be drawn to; sizes and samples
 * that do not fit. */
TG_API enum tg_result
tg_context_set_framebuffer(struct tg_context *context,
                           const struct tg_framebuffer_state *framebuffer,
                           struct tg_diagnostics *diagnostics);

/** IN[i] of the vertex shader is element i. Rows beyond the buffer, or that end
 * beyond it, read as 0. */
struct tg_vertex_element {
   uint32_t src_offset;       /* bytes from the start of a vertex */
   uint32_t format;           /* any that is not compressed or of depth */
   uint32_t instance_divisor; /* 0: goes with the vertex */
   uint8_t vertex_buffer_index;
};

/** Elements 0 to count - 1, up to TG_MAX_VERTEX_ELEMENTS: a state object. At
 * first there are none. */
struct tg_vertex_elements;

/** Checks and copies a description; NULL is good if `count` is 0.
 * TG_ERROR_INPUT, TG_ERROR_MEMORY. Any thread. */
TG_API enum tg_result
tg_vertex_elements_create(struct tg_device *device, unsigned count,
                          const struct tg_vertex_element *elements,
                          struct tg_diagnostics *diagnostics,
                          struct tg_vertex_elements **elements_out);

/** Adds a reference, and returns the object; NULL gives NULL. Any thread. */
TG_API struct tg_vertex_elements *
tg_vertex_elements_ref(struct tg_vertex_elements *elements);

/** Drops a reference; the last one frees the object. Takes NULL. Any thread. */
TG_API void
tg_vertex_elements_destroy(struct tg_vertex_elements *elements);

/** Holds a reference; NULL: what is bound at first. TG_ERROR_INPUT for one of
 * another device. */
TG_API enum tg_result
tg_context_bind_vertex_elements(struct tg_context *context,
                                struct tg_vertex_elements *elements,
                                struct tg_diagnostics *diagnostics);

struct tg_vertex_buffer {
   struct tg_resource *buffer; /* NULL: all reads as 0 */
   uint32_t offset, stride;    /* bytes, any */
};

/** Buffers first to first + count - 1. */
TG_API enum tg_result
tg_context_set_vertex_buffers(struct tg_context *context, unsigned first,
                              unsigned count,
                              const struct tg_vertex_buffer *buffers,
                              struct tg_diagnostics *diagnostics);

/** Levels of patches that no control shader makes. At first all 1. */
TG_API void
tg_context_set_tess_levels(struct tg_context *context, const float outer[4],
                           const float inner[2]);

/* ---- stream output ------------------------------------------------------- */

/** A part of a buffer that vertices are written to, and how far it is filled.
 */
struct tg_stream_target;

/** `size` bytes from `offset` on, both multiples of 4. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_stream_target_create(struct tg_context *context, struct tg_resource *buffer,
                        uint32_t offset, uint32_t size,
                        struct tg_diagnostics *diagnostics,
                        struct tg_stream_target **target_out);

/** Takes NULL. */
TG_API void
tg_stream_target_destroy(struct tg_stream_target *target);

/** Where stream output goes from now on. `offsets` says from which byte of each
 * target; TG_STREAM_APPEND goes on after what is there. */
#define TG_STREAM_APPEND UINT32_MAX
TG_API enum tg_result
tg_context_set_stream_targets(struct tg_context *context, unsigned count,
                              struct tg_stream_target *const *targets,
                              const uint32_t *offsets,
                              struct tg_diagnostics *diagnostics);

/* ---- draws --------------------------------------------------------------- */

/** Of one call: more is TG_ERROR_LIMIT. */
#define TG_MAX_DRAWS (UINT32_C(1) << 20)
#define TG_MAX_DRAW_VERTICES (UINT64_C(1) << 30)

/** The numbers are Gallium's. */
enum tg_prim {
   TG_PRIM_POINTS,
   TG_PRIM_LINES,
   TG_PRIM_LINE_LOOP,
   TG_PRIM_LINE_STRIP,
   TG_PRIM_TRIANGLES,
   TG_PRIM_TRIANGLE_STRIP,
   TG_PRIM_TRIANGLE_FAN,
   TG_PRIM_QUADS,
   TG_PRIM_QUAD_STRIP,
   TG_PRIM_POLYGON,
   TG_PRIM_LINES_ADJACENCY,
   TG_PRIM_LINE_STRIP_ADJACENCY,
   TG_PRIM_TRIANGLES_ADJACENCY,
   TG_PRIM_TRIANGLE_STRIP_ADJACENCY,
   TG_PRIM_PATCHES,
};

struct tg_draw_range {
   uint32_t start, count; /* of vertices, or of indices */
   int32_t index_bias;    /* added to each index, modulo 2^32 */
};

struct tg_draw_info {
   size_t size;        /* sizeof(struct tg_draw_info) */
   uint8_t mode;       /* enum tg_prim */
   uint8_t index_size; /* bytes: 0 for none, 1, 2 or 4 */
   uint8_t vertices_per_patch;
   bool primitive_restart;
   uint32_t restart_index; /* compared before the bias is added */
   struct tg_resource *index_buffer;
   uint32_t index_offset;                   /* bytes */
   uint32_t start_instance, instance_count; /* a count of 0 draws nothing */

   /* Draws in a row: DRAWID counts them from `first_draw_id`. A call may have
    * TG_MAX_DRAWS, with TG_MAX_DRAW_VERTICES times instances in all. */
   const struct tg_draw_range *draws;
   uint32_t num_draws;
   uint32_t first_draw_id;

   /* Instead of `draws` and instances, a buffer that has them: `num_draws`
    * times {count, instance_count, start, start_instance}, or with indices
    * {count, instance_count, start, index_bias, start_instance},
    * `indirect_stride` bytes apart, 0 for no gaps. The number is the word of
    * `indirect_count`, if that is less. */
   struct tg_resource *indirect;
   uint32_t indirect_offset, indirect_stride;
   struct tg_resource *indirect_count;
   uint32_t indirect_count_offset;

   /* Instead of `draws`, the vertices that are in a target's buffer. */
   struct tg_stream_target *count_from_stream_output;
};

/** One draw of one instance, of triangles. */
#define TG_DRAW_INFO_INIT TG_INIT_(tg_draw_info, TG_DRAW_INFO_MEMBERS_)
#define TG_DRAW_INFO_MEMBERS_(SET)                                             \
   SET(mode, TG_PRIM_TRIANGLES) SET(instance_count, 1) SET(num_draws, 1)

/**
 * Draws. When state or shaders do not fit, says why and has drawn nothing:
 * TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT, TG_ERROR_MEMORY.
 *
 * What only shows when shaders run, a loop budget that is used up or the work
 * of the context, is TG_ERROR_LIMIT here if a stage before fragments is
 * concerned, else of tg_context_finish(). Something has been drawn then.
 *
 * With `check` findings are errors among the diagnostics, of a draw that is a
 * success all the same; such a GPU has one thread.
 */
TG_API enum tg_result
tg_context_draw(struct tg_context *context, const struct tg_draw_info *info,
                struct tg_diagnostics *diagnostics);

/** Draws, clears of the framebuffer and dispatches happen from now on only if
 * the query, as it is then, has counted something; with `inverted` if it has
 * not. They wait for its result. One that was not ended lets them, and so does
 * NULL. */
struct tg_query;
TG_API void
tg_context_set_condition(struct tg_context *context, struct tg_query *query,
                         bool inverted);

/* ---- fences -------------------------------------------------------------- */

struct tg_fence;

/** Begins all work so far, which may go on while the caller does. `fence_out`,
 * if not NULL, is signalled when it is done. TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_context_flush(struct tg_context *context, struct tg_fence **fence_out);

/** Takes part in work that was begun, tile by tile, as the device's threads do.
 * Returns when all of it has been begun by some thread, or when `goes_on`, which
 * is asked before each tile, says no: what a caller does who would wait for
 * something else. `goes_on` must not call this context. */
TG_API void
tg_context_help(struct tg_context *context, bool (*goes_on)(void *user),
                void *user);

/** tg_context_flush(), if all work that was begun is done and there are threads
 * to do more: what a caller does now and then who has much to draw. To begin
 * work costs something for each tile, which is lost where threads are busy
 * anyhow. */
TG_API void
tg_context_flush_if_idle(struct tg_context *context);

/** Waits for all work so far. What went wrong with it is returned once, here
 * and nowhere else: TG_ERROR_LIMIT, TG_ERROR_MEMORY. A fence, a query,
 * tg_context_read() and the statistics give what there is, also after a fault;
 * who must know that it is whole calls this first. */
TG_API enum tg_result
tg_context_finish(struct tg_context *context,
                  struct tg_diagnostics *diagnostics);

/** Waits, at most so long; UINT64_MAX: for ever. True: it is signalled. Any
 * thread. */
TG_API bool
tg_fence_wait(struct tg_fence *fence, uint64_t nanoseconds);

/** Adds a reference, and returns the fence; NULL gives NULL. Any thread. */
TG_API struct tg_fence *
tg_fence_ref(struct tg_fence *fence);

/** Drops a reference. A fence may outlive its context. Takes NULL. Any thread.
 */
TG_API void
tg_fence_destroy(struct tg_fence *fence);

/* ---- clears, copies, transfers ------------------------------------------- */

enum tg_clear {
   TG_CLEAR_DEPTH = 1 << 0,
   TG_CLEAR_STENCIL = 1 << 1,
   TG_CLEAR_COLOR0 = 1 << 2, /* and those after it */
   TG_CLEAR_COLORS = 0xff << 2,
   TG_CLEAR_ALL = 0x3ff,
};

/** Clears all layers of attachments of the framebuffer, within `scissor` or,
 * NULL, everywhere, and within the window rectangles. Integers if the format is
 * one. Masks of channels and stencil do not count. */
TG_API enum tg_result
tg_context_clear(struct tg_context *context, uint32_t buffers,
                 const struct tg_scissor *scissor, const union tg_color *color,
                 double depth, uint8_t stencil,
                 struct tg_diagnostics *diagnostics);

/** A clear of a surface that need not be one of the framebuffer's. */
struct tg_clear_info {
   size_t size; /* sizeof(struct tg_clear_info) */
   struct tg_surface surface;
   uint32_t buffers;    /* TG_CLEAR_COLOR0; or depth, stencil or both */
   bool scissor_enable; /* else all of the level */
   struct tg_scissor scissor;
   union tg_color color; /* integers if the format is one */
   double depth;
   uint8_t stencil;
   bool render_condition_enable;
};

/** A colour of zeros. */
#define TG_CLEAR_INIT TG_INIT_(tg_clear_info, TG_CLEAR_MEMBERS_)
#define TG_CLEAR_MEMBERS_(SET) SET(buffers, TG_CLEAR_COLOR0)

/** Clears all layers and samples of a surface, in the order of the calls;
 * window rectangles do not count. TG_ERROR_INPUT for what is no surface, or has
 * a format that cannot be drawn to in this way. */
TG_API enum tg_result
tg_context_clear_surface(struct tg_context *context,
                         const struct tg_clear_info *info,
                         struct tg_diagnostics *diagnostics);

/** Fills a box of a level with one texel, in the format's own bytes; with one
 * block of a compressed format. All samples. */
TG_API enum tg_result
tg_context_clear_texture(struct tg_context *context,
                         struct tg_resource *texture, uint32_t level,
                         const struct tg_box *box, const void *texel,
                         struct tg_diagnostics *diagnostics);

/** Fills bytes of a buffer with a value of 1, 2, 4, 8, 12 or 16 bytes, of which
 * offset and size are multiples. */
TG_API enum tg_result
tg_context_clear_buffer(struct tg_context *context, struct tg_resource *buffer,
                        uint32_t offset, uint32_t size, const void *value,
                        uint32_t value_size,
                        struct tg_diagnostics *diagnostics);

/** Copies texels as they are: blocks of both formats have as many bytes, and
 * samples are alike. The boxes may overlap. Of buffers x and width are bytes.
 */
TG_API enum tg_result
tg_context_copy(struct tg_context *context, struct tg_resource *dst,
                uint32_t dst_level, uint32_t dst_x, uint32_t dst_y,
                uint32_t dst_z, struct tg_resource *src, uint32_t src_level,
                const struct tg_box *src_box,
                struct tg_diagnostics *diagnostics);

/** A box of which width, height or depth may be negative: it is turned over.
 * Parts outside of the level are not drawn. */
struct tg_blit_side {
   struct tg_resource *resource;
   uint32_t format; /* 0: the resource's own */
   uint32_t level;
   int32_t x, y, z, width, height, depth;
};

/** Converts and scales. Several samples to one are resolved: colours become
 * their mean, rounded half up where both formats are the same one of linear
 * unorms; of depth, stencil and integers it is the first. One becomes all.
 * Channels, depth or stencil that one of both has not are left out; integers
 * become those of the same sign only. The boxes may overlap. */
struct tg_blit_info {
   size_t size; /* sizeof(struct tg_blit_info) */
   struct tg_blit_side dst, src;
   uint8_t mask;   /* enum tg_channel_mask */
   uint8_t filter; /* enum tg_filter */
   bool scissor_enable;
   struct tg_scissor scissor;
   bool render_condition_enable;
   bool alpha_blend;
   /* Within the window rectangles of the context. Where source and target
    * overlap, rectangle after rectangle is blitted then. */
   bool window_rectangle_enable;
};

/** Colours, to the nearest texel. */
#define TG_BLIT_INFO_INIT TG_INIT_(tg_blit_info, TG_BLIT_INFO_MEMBERS_)
#define TG_BLIT_INFO_MEMBERS_(SET) SET(mask, TG_CHANNEL_RGBA)

/** Blits, in the order of the calls. TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED,
 * TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_context_blit(struct tg_context *context, const struct tg_blit_info *info,
                struct tg_diagnostics *diagnostics);

/** As tg_resource_write() and tg_resource_read(), in the order of the calls.
 * Both are work; a write is refused with TG_ERROR_LIMIT when that has ended, a
 * read gives what there is. */
TG_API enum tg_result
tg_context_write(struct tg_context *context, struct tg_resource *resource,
                 uint32_t level, uint32_t sample, const struct tg_box *box,
                 const void *data, size_t row_stride, size_t slice_stride);
TG_API enum tg_result
tg_context_read(struct tg_context *context, struct tg_resource *resource,
                uint32_t level, uint32_t sample, const struct tg_box *box,
                void *data, size_t row_stride, size_t slice_stride);

/* ---- maps, and waiting for a resource ------------------------------------ */

enum tg_map_flag {
   TG_MAP_READ = 1 << 0,
   TG_MAP_WRITE = 1 << 1,
   TG_MAP_DISCARD_RANGE = 1 << 2,  /* what is in the box is not needed */
   TG_MAP_DISCARD_WHOLE = 1 << 3,  /* nor what is in all the resource */
   TG_MAP_UNSYNCHRONIZED = 1 << 4, /* waits for nothing: the caller knows that
                                    * what is written is not in use */
   TG_MAP_PERSISTENT = 1 << 5,     /* draws may go on meanwhile, and see what is
                                    * written before their call */
};

/** A part of a resource as memory. */
struct tg_map;

/**
 * Makes a box of a level memory of the caller, until tg_context_unmap(), in the
 * order of the calls: reads see what was drawn before, and calls after the end
 * see what was written. To be ended before the context is destroyed. It holds a
 * reference on the resource, which keeps its place in memory meanwhile.
 *
 * `flags` are enum tg_map_flag, READ or WRITE at least; what is discarded is
 * zero at first. A write that discards all of a buffer, or a range of one, does
 * not wait for draws that use it; others do, and reads wait for those that
 * write. All maps of a box are work.
 *
 * TG_ERROR_INPUT for flags or a box that there cannot be, or discarding what is
 * read; TG_ERROR_UNSUPPORTED for textures with samples, and persistent maps of
 * compressed formats; TG_ERROR_LIMIT, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_context_map(struct tg_context *context, struct tg_resource *resource,
               uint32_t level, const struct tg_box *box, uint32_t flags,
               struct tg_diagnostics *diagnostics, struct tg_map **map_out);

/** The first block of the box, and bytes from a row of blocks and from a slice
 * to the next. Any may be NULL. */
TG_API void *
tg_map_get_data(const struct tg_map *map, size_t *row_stride_out,
                size_t *slice_stride_out);

/** Ends a map, and frees it; takes NULL. TG_ERROR_LIMIT: the context's work has
 * ended, and what was written may be lost. */
TG_API enum tg_result
tg_context_unmap(struct tg_context *context, struct tg_map *map);

/** What a caller is about to do with a resource. */
enum tg_access {
   TG_ACCESS_READ,
   TG_ACCESS_WRITE,
};

/** Would that wait for work of this context? Work that has not begun counts,
 * and is not begun. */
TG_API bool
tg_context_is_busy(struct tg_context *context,
                   const struct tg_resource *resource, enum tg_access access);

/** Begins all work so far and waits, at most so long, UINT64_MAX: for ever,
 * until that would not wait. True: it would not. */
TG_API bool
tg_context_wait(struct tg_context *context, const struct tg_resource *resource,
                enum tg_access access, uint64_t nanoseconds);

/** As tg_dispatch(), in the order of the calls, by the device's threads. The
 * context's work pays for the blocks instead of the program's. */
TG_API enum tg_result
tg_context_dispatch(struct tg_context *context,
                    const struct tg_program *program,
                    const struct tg_bindings *bindings,
                    const struct tg_grid *grid,
                    struct tg_diagnostics *diagnostics);

/* ---- queries ------------------------------------------------------------- */

enum tg_query_type {
   TG_QUERY_OCCLUSION_COUNTER, /* samples that passed */
   TG_QUERY_OCCLUSION_PREDICATE,
   TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE,
   TG_QUERY_TIMESTAMP, /* nanoseconds; end() alone */
   TG_QUERY_TIMESTAMP_DISJOINT,
   TG_QUERY_TIME_ELAPSED,
   TG_QUERY_PRIMITIVES_GENERATED, /* of a stream */
   TG_QUERY_PRIMITIVES_EMITTED,   /* that buffers had room for */
   TG_QUERY_SO_STATISTICS,        /* both */
   TG_QUERY_SO_OVERFLOW_PREDICATE,
   TG_QUERY_SO_OVERFLOW_ANY_PREDICATE, /* of all streams */
   TG_QUERY_GPU_FINISHED,
   TG_QUERY_PIPELINE_STATISTICS,
};

/** Counters of what the stages did; members are Gallium's. */
struct tg_pipeline_statistics {
   uint64_t ia_vertices, ia_primitives;
   uint64_t vs_invocations;
   uint64_t gs_invocations, gs_primitives;
   uint64_t c_invocations, c_primitives; /* into and out of the clipper */
   uint64_t ps_invocations;
   uint64_t hs_invocations, ds_invocations;
   uint64_t cs_invocations;
};

union tg_query_result {
   bool b;       /* predicates */
   uint64_t u64; /* counters and times */
   struct {
      uint64_t num_primitives_written;
      uint64_t primitives_storage_needed;
   } so_statistics;
   struct {
      uint64_t frequency;
      bool disjoint;
   } timestamp_disjoint;
   struct tg_pipeline_statistics pipeline_statistics;
};

/** `index` is a stream for those that are of one, else 0. TG_ERROR_INPUT,
 * TG_ERROR_MEMORY. */
TG_API enum tg_result
tg_query_create(struct tg_context *context, enum tg_query_type type,
                unsigned index, struct tg_diagnostics *diagnostics,
                struct tg_query **query_out);

/** Takes NULL. */
TG_API void
tg_query_destroy(struct tg_query *query);

/** Counts from 0, until it is ended. TG_ERROR_INPUT when it has begun, its end
 * when it has not; TG_ERROR_MEMORY, and then nothing has changed. */
TG_API enum tg_result
tg_query_begin(struct tg_query *query, struct tg_diagnostics *diagnostics);
TG_API enum tg_result
tg_query_end(struct tg_query *query, struct tg_diagnostics *diagnostics);

/** False when the result is not there yet, and `wait` is not set, or when the
 * query has not been ended. */
TG_API bool
tg_query_get_result(struct tg_query *query, bool wait,
                    union tg_query_result *result_out);

/** What a result is written as; one that is too large is the greatest. */
enum tg_query_value {
   TG_QUERY_VALUE_I32,
   TG_QUERY_VALUE_U32,
   TG_QUERY_VALUE_I64,
   TG_QUERY_VALUE_U64,
};

/** The index that stands for whether there is a result. */
#define TG_QUERY_AVAILABLE (-1)

/**
 * Writes a result to a buffer, `offset` bytes from its start, a multiple of 4,
 * in the order of the calls. `index` counts the members of the result, 0 where
 * there is one; TG_QUERY_AVAILABLE writes 1 or 0. Without `wait` nothing is
 * written of a result that is not there yet. TG_ERROR_INPUT when there is no
 * such member or place, or when the query has not been ended, unless it is this
 * that is asked for; TG_ERROR_LIMIT.
 */
TG_API enum tg_result
tg_query_write_result(struct tg_query *query, bool wait,
                      enum tg_query_value type, int index,
                      struct tg_resource *buffer, uint32_t offset,
                      struct tg_diagnostics *diagnostics);

/* ---- what was done ------------------------------------------------------- */

/** Of all draws since the GPU was made. Work that is not done yet is counted
 * later; draws that were refused, and waves that a fault has ended, never. */
struct tg_context_statistics {
   size_t size; /* sizeof(struct tg_context_statistics), set by the caller */
   struct tg_pipeline_statistics pipeline;
   uint64_t draws, kernels; /* kernels: compiled */
   uint64_t vertex_waves, fragment_waves;
   uint64_t triangles, lines, points; /* that were set up for tiles */
   uint64_t fragments; /* that were shaded; where all of a shape are alike, one
                        * of them for the others */
   uint64_t samples_passed;
   uint64_t tiles;
   uint64_t hidden_blocks; /* culled by hierarchical Z, of 8 by 8 pixels each;
                            * of a small shape all that its bounds touch */
};

#define TG_CONTEXT_STATISTICS_INIT                                             \
   TG_INIT_(tg_context_statistics, TG_NO_MEMBERS_)

/** TG_ERROR_INPUT for a size that is not known, and then nothing is written. */
TG_API enum tg_result
tg_context_get_statistics(const struct tg_context *context,
                          struct tg_context_statistics *statistics_out);

/** What was done for each pixel of all framebuffers: words row by row, `width`
 * a row, to which draws add. Pixels beyond are not counted. */
struct tg_pixel_counters {
   size_t size; /* sizeof(struct tg_pixel_counters) */
   uint32_t width, height;
   uint32_t *fragments;    /* shader runs, of each sample where those are shaded
                            * by themselves; or NULL */
   uint32_t *instructions; /* of LIR, that the waves of these have run; or NULL
                            */
};

#define TG_PIXEL_COUNTERS_INIT TG_INIT_(tg_pixel_counters, TG_NO_MEMBERS_)

/** Counts from now on; the arrays are borrowed until it is set again. NULL:
 * counts no more, as at first. Waits for all work so far. Counting changes no
 * pixel, but recompiles shaders and draws slower. TG_ERROR_INPUT for a size
 * that is not known. */
TG_API enum tg_result
tg_context_set_pixel_counters(struct tg_context *context,
                              const struct tg_pixel_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
