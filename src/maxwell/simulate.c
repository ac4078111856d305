/* SPDX-License-Identifier: MIT
 *
 * tg_maxwell_run(): registers to lookups and texels to registers. What lies
 * between is simulate_kernel.c's.
 *
 * Assumptions where documents are silent: a NaN among float parameters counts
 * as 0; an invalid texture, and one with other dimensions than the instruction
 * asks for, reads as 0; TMML gives the level in units of 1/256, unclamped in R
 * and clamped in G.
 */
#include "maxwell/simulate.h"

#include <string.h>

#include "format/format.h"
#include "lir/eval.h"
#include "maxwell/program.h"
#include "util/bits.h"

struct simulate {
   const struct tg_maxwell_program *program;
   struct tg_maxwell_warp *warp;
   struct maxwell_kernels kernels;
   struct tg_diagnostics *diagnostics;
   tg_maxwell_trace_function trace;
   void *user;

   /* The instruction that is executed. */
   uint32_t index;
   struct maxwell_instruction instruction;
   struct maxwell_group sources[2], results[2];
   struct maxwell_lookup lookup;
   uint32_t texels[4][MAXWELL_THREADS]; /* of the threads that fetch */
};

static void
warn(const struct simulate *simulate, const char *code, const char *note,
     const char *message)
{
   tg_diagnose(simulate->diagnostics, TG_SEVERITY_WARNING, code,
               &simulate->program->source,
               simulate->program->positions[simulate->index], note, "%s",
               message);
}

/* ---- registers ----------------------------------------------------------- */

static uint32_t
read_register(const struct simulate *simulate, unsigned number, unsigned thread)
{
   return number < TG_MAXWELL_NUM_REGISTERS
             ? simulate->warp->registers[number][thread]
             : 0;
}

static void
trace_register(const struct simulate *simulate, unsigned number,
               uint32_t threads, bool is_write)
{
   struct tg_maxwell_access access = {
      .instruction = simulate->index,
      .is_write = is_write,
      .is_half = is_write && maxwell_is_half(&simulate->instruction),
      .number = (uint8_t)number,
      .threads = threads,
   };

   if (!simulate->trace || number >= TG_MAXWELL_NUM_REGISTERS)
      return;
   access.words = simulate->warp->registers[number];
   simulate->trace(simulate->user, &access);
}

static void
trace_groups(const struct simulate *simulate,
             const struct maxwell_group groups[2], uint32_t threads,
             bool is_write)
{
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < groups[i].count && groups[i].base != MAXWELL_RZ;
           j++)
         trace_register(simulate, groups[i].base + j, threads, is_write);
   }
}

/* The threads for which the guard holds. */
static uint32_t
guarded(const struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   uint32_t threads = 0;

   for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
      bool holds = instruction->pred == MAXWELL_PT ||
                   (simulate->warp->predicates[t] >> instruction->pred & 1);

      if (holds != (bool)instruction->pnot)
         threads |= 1u << t;
   }
   return threads & simulate->warp->active;
}

/* ---- parameters ---------------------------------------------------------- */

static uint32_t
sanitized(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000 ? 0 : word;
}

/* `width` bits from `lsb` on, with a sign. */
static uint32_t
signed_field(uint32_t word, unsigned lsb, unsigned width)
{
   uint32_t sign = 1u << (width - 1);
   uint32_t field = word >> lsb & ((1u << width) - 1);

   return (field ^ sign) - sign;
}

static bool
is_gather(const struct maxwell_instruction *instruction)
{
   return instruction->form == MAXWELL_FORM_TLD4 ||
          instruction->form == MAXWELL_FORM_TLD4_B ||
          instruction->form == MAXWELL_FORM_TLD4S;
}

/* Offsets of a gather are six bits in a byte each, two pairs in a register;
 * others four bits each. */
static void
set_offset(struct simulate *simulate, unsigned first, uint32_t word,
           unsigned thread)
{
   uint32_t(*offset)[3][MAXWELL_THREADS] = simulate->lookup.offset;

   if (!is_gather(&simulate->instruction)) {
      for (unsigned c = 0; c < 3; c++)
         offset[0][c][thread] = signed_field(word, 4 * c, 4);
      return;
   }
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned c = 0; c < 2; c++)
         offset[first + i][c][thread] = signed_field(word, 16 * i + 8 * c, 6);
   }
}

static bool
is_lookup(const struct simulate *simulate)
{
   return simulate->lookup.key.opcode != TG_OPCODE_TXF &&
          simulate->lookup.key.opcode != TG_OPCODE_TXF_LZ;
}

static void
set_layer(struct simulate *simulate, uint32_t word, unsigned thread)
{
   struct maxwell_lookup *lookup = &simulate->lookup;
   const struct tg_target_info *target = &tg_targets[lookup->key.target];
   uint32_t layer = word & 0xffff;

   if (target->flags & TG_TARGET_FLAG_ARRAY)
      lookup->source[0][target->num_coords - 1][thread] =
         is_lookup(simulate) ? tg_bits_of_float((float)layer) : layer;
}

/* Does this opcode read a level or bias from its second operand? */
static bool
has_second_operand(enum tg_opcode opcode)
{
   return opcode == TG_OPCODE_TXL2 || opcode == TG_OPCODE_TXB2;
}

static void
set_level(struct simulate *simulate, uint32_t word, unsigned thread)
{
   struct maxwell_lookup *lookup = &simulate->lookup;

   if (has_second_operand(lookup->key.opcode))
      lookup->source[1][0][thread] = word;
   else if (lookup->key.opcode == TG_OPCODE_TXQ)
      lookup->source[0][0][thread] = word;
   else
      lookup->source[0][3][thread] = word;
}

static void
set_reference(struct simulate *simulate, uint32_t word, unsigned thread)
{
   struct maxwell_lookup *lookup = &simulate->lookup;
   unsigned component = tg_targets[lookup->key.target].reference;

   if (component)
      lookup->source[(component - 1) / 4][(component - 1) % 4][thread] = word;
}

/* Puts the content of a register where the opcode wants it. */
static void
set_parameter(struct simulate *simulate, enum maxwell_operand operand,
              uint32_t word, unsigned thread)
{
   uint32_t(*source)[4][MAXWELL_THREADS] = simulate->lookup.source;

   switch (operand) {
   case MAXWELL_OPERAND_S:
   case MAXWELL_OPERAND_T:
   case MAXWELL_OPERAND_R:
      source[0][operand - MAXWELL_OPERAND_S][thread] = sanitized(word);
      return;
   case MAXWELL_OPERAND_X:
   case MAXWELL_OPERAND_Y:
   case MAXWELL_OPERAND_Z:
      source[0][operand - MAXWELL_OPERAND_X][thread] = word;
      return;
   case MAXWELL_OPERAND_LAYER: set_layer(simulate, word, thread); return;
   case MAXWELL_OPERAND_LOD:
      set_level(simulate, sanitized(word), thread);
      return;
   case MAXWELL_OPERAND_LEVEL: set_level(simulate, word, thread); return;
   case MAXWELL_OPERAND_DC:
      set_reference(simulate, sanitized(word), thread);
      return;
   case MAXWELL_OPERAND_OFFSET: set_offset(simulate, 0, word, thread); return;
   case MAXWELL_OPERAND_OFFSET_2: set_offset(simulate, 2, word, thread); return;
   case MAXWELL_OPERAND_LAYER_OFFSET:
      set_layer(simulate, word, thread);
      set_offset(simulate, 0, word >> 16, thread);
      return;
   case MAXWELL_OPERAND_SAMPLE: source[0][3][thread] = word; return;
   case MAXWELL_OPERAND_DSDX:
   case MAXWELL_OPERAND_DSDY:
   case MAXWELL_OPERAND_DTDX:
   case MAXWELL_OPERAND_DTDY: {
      unsigned place = operand - MAXWELL_OPERAND_DSDX;

      source[1 + place % 2][place / 2][thread] = word;
      return;
   }
   default: return;
   }
}

static void
set_parameters(struct simulate *simulate)
{
   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->sources[i];

      for (unsigned j = 0; j < group->count; j++) {
         for (unsigned t = 0; t < MAXWELL_THREADS; t++)
            set_parameter(simulate, group->content[j],
                          read_register(simulate, group->base + j, t), t);
      }
   }
}

/* ---- which opcode, which target ------------------------------------------ */

/* What TEX is with each level of detail, and what it is where the fourth
 * component is taken. */
static const struct {
   uint16_t opcode, second;
} tex_opcodes[MAXWELL_NUM_LODS] = {
   [MAXWELL_LOD_NONE] = {TG_OPCODE_TEX, TG_OPCODE_TEX},
   [MAXWELL_LOD_LZ] = {TG_OPCODE_TEX_LZ, TG_OPCODE_TEX_LZ},
   [MAXWELL_LOD_LB] = {TG_OPCODE_TXB, TG_OPCODE_TXB2},
   [MAXWELL_LOD_LL] = {TG_OPCODE_TXL, TG_OPCODE_TXL2},
   [MAXWELL_LOD_LBA] = {TG_OPCODE_TXB, TG_OPCODE_TXB2},
   [MAXWELL_LOD_LLA] = {TG_OPCODE_TXL, TG_OPCODE_TXL2},
};

static enum tg_opcode
opcode_of_tex(const struct maxwell_instruction *instruction,
              enum tg_target target)
{
   const struct tg_target_info *info = &tg_targets[target];
   bool is_full = info->num_coords == 4 || info->reference == 4;

   if (info->reference == 5 && instruction->lod == MAXWELL_LOD_NONE)
      return TG_OPCODE_TEX2;
   return is_full ? tex_opcodes[instruction->lod].second
                  : tex_opcodes[instruction->lod].opcode;
}

static enum tg_opcode
opcode_of(const struct maxwell_instruction *instruction, enum tg_target target)
{
   enum { DIMENSION = 1 };

   switch (instruction->form) {
   case MAXWELL_FORM_TEX:
   case MAXWELL_FORM_TEX_B: return opcode_of_tex(instruction, target);
   case MAXWELL_FORM_TLD:
   case MAXWELL_FORM_TLD_B:
      return instruction->ll || instruction->ms ? TG_OPCODE_TXF
                                                : TG_OPCODE_TXF_LZ;
   case MAXWELL_FORM_TLD4:
   case MAXWELL_FORM_TLD4_B: return TG_OPCODE_TG4;
   case MAXWELL_FORM_TXD:
   case MAXWELL_FORM_TXD_B: return TG_OPCODE_TXD;
   case MAXWELL_FORM_TXQ:
   case MAXWELL_FORM_TXQ_B:
      return instruction->query == DIMENSION ? TG_OPCODE_TXQ : TG_OPCODE_TXQS;
   case MAXWELL_FORM_TMML:
   case MAXWELL_FORM_TMML_B: return TG_OPCODE_LODQ;
   default: return maxwell_find_row(instruction)->opcode;
   }
}

/* The targets of views with which an instruction's target goes, and what a
 * lookup of it is. The first that fits is taken; -1 is none. */
static const struct {
   int8_t dim, view;
   uint8_t target, shadow, multisampled; /* enum tg_target */
} target_rows[] = {
#define NO_TARGET TG_TARGET_UNKNOWN
   {MAXWELL_DIM_1D, TG_TEXTURE_1D, TG_TARGET_1D, TG_TARGET_SHADOW1D, NO_TARGET},
   {MAXWELL_DIM_1D, TG_TEXTURE_BUFFER, TG_TARGET_BUFFER, NO_TARGET, NO_TARGET},
   {MAXWELL_DIM_ARRAY_1D, TG_TEXTURE_1D_ARRAY, TG_TARGET_1D_ARRAY,
    TG_TARGET_SHADOW1D_ARRAY, NO_TARGET},
   {MAXWELL_DIM_2D, TG_TEXTURE_2D, TG_TARGET_2D, TG_TARGET_SHADOW2D,
    TG_TARGET_2D_MSAA},
   {MAXWELL_DIM_2D, TG_TEXTURE_RECT, TG_TARGET_RECT, TG_TARGET_SHADOWRECT,
    NO_TARGET},
   {MAXWELL_DIM_ARRAY_2D, TG_TEXTURE_2D_ARRAY, TG_TARGET_2D_ARRAY,
    TG_TARGET_SHADOW2D_ARRAY, TG_TARGET_2D_ARRAY_MSAA},
   {MAXWELL_DIM_3D, TG_TEXTURE_3D, TG_TARGET_3D, NO_TARGET, NO_TARGET},
   {MAXWELL_DIM_CUBE, TG_TEXTURE_CUBE, TG_TARGET_CUBE, TG_TARGET_SHADOWCUBE,
    NO_TARGET},
   {MAXWELL_DIM_ARRAY_CUBE, TG_TEXTURE_CUBE_ARRAY, TG_TARGET_CUBE_ARRAY,
    TG_TARGET_SHADOWCUBE_ARRAY, NO_TARGET},
#undef NO_TARGET
};

/* A one-layer array does as 2D texture, and a 2D texture as an array. */
static void
adapt_view(enum maxwell_dim dim, struct tg_view *view)
{
   if (dim == MAXWELL_DIM_2D && view->target == TG_TEXTURE_2D_ARRAY &&
       view->first_layer == view->last_layer)
      view->target = TG_TEXTURE_2D;
   else if (dim == MAXWELL_DIM_ARRAY_2D && view->target == TG_TEXTURE_2D)
      view->target = TG_TEXTURE_2D_ARRAY;
}

static bool
is_multisampled(const struct tg_view *view)
{
   return tg_resource_get_desc(view->resource)->samples > 1;
}

static enum tg_target
find_target(enum maxwell_dim dim, bool compares, const struct tg_view *view)
{
   for (size_t i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
      if (target_rows[i].dim == (int)dim &&
          target_rows[i].view == (int)view->target)
         return is_multisampled(view) ? target_rows[i].multisampled
                : compares            ? target_rows[i].shadow
                                      : target_rows[i].target;
   }
   return TG_TARGET_UNKNOWN;
}

/* A query has the target of the view, whatever it is. */
static enum tg_target
target_of_view(const struct tg_view *view)
{
   for (size_t i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
      if (target_rows[i].view == (int)view->target)
         return is_multisampled(view) ? target_rows[i].multisampled
                                      : target_rows[i].target;
   }
   return TG_TARGET_UNKNOWN;
}

static bool
is_query(const struct maxwell_instruction *instruction)
{
   return instruction->form == MAXWELL_FORM_TXQ ||
          instruction->form == MAXWELL_FORM_TXQ_B;
}

static bool
compares(const struct maxwell_instruction *instruction)
{
   const struct maxwell_row *row = maxwell_find_row(instruction);

   return row ? row->extra & MAXWELL_EXTRA_DC : instruction->dc;
}

static enum maxwell_dim
dim_of(const struct maxwell_instruction *instruction)
{
   const struct maxwell_row *row = maxwell_find_row(instruction);

   return row ? row->dim : instruction->dim;
}

static enum tg_return_type
type_of(const struct tg_view *view)
{
   switch (format_info(view->format)->class) {
   case FORMAT_CLASS_UINT: return TG_RETURN_TYPE_UINT;
   case FORMAT_CLASS_SINT: return TG_RETURN_TYPE_SINT;
   default: return TG_RETURN_TYPE_FLOAT;
   }
}

/* ---- lookups ------------------------------------------------------------- */

static unsigned
num_offsets(const struct simulate *simulate)
{
   bool has_one = false, has_second = false;

   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->sources[i];

      for (unsigned j = 0; j < group->count; j++) {
         has_one |= group->content[j] == MAXWELL_OPERAND_OFFSET;
         has_second |= group->content[j] == MAXWELL_OPERAND_OFFSET_2;
      }
   }
   if (simulate->instruction.form == MAXWELL_FORM_TXD ||
       simulate->instruction.form == MAXWELL_FORM_TXD_B)
      has_one = simulate->instruction.aoffi;
   return has_second ? MAXWELL_OFFSETS : has_one;
}

/* Absolute levels leave it to the sampler whether there is a comparison, all
 * others force it. */
static void
force_comparison(const struct simulate *simulate, struct tg_sampler *sampler)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   const struct maxwell_row *row = maxwell_find_row(instruction);
   unsigned lod = row ? row->lod : instruction->lod;

   if (compares(instruction) && lod != MAXWELL_LOD_LL && lod != MAXWELL_LOD_LLA)
      sampler->compares = true;
}

/* Prepares the lookup of a texture. False, with a warning, when it can only
 * read as 0. */
static bool
prepare(struct simulate *simulate, const struct tg_view *view,
        const struct tg_sampler *sampler)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   struct maxwell_lookup *lookup = &simulate->lookup;

   memset(lookup, 0, sizeof(*lookup));
   lookup->view = *view;
   lookup->sampler = *sampler;
   force_comparison(simulate, &lookup->sampler);
   adapt_view(dim_of(instruction), &lookup->view);

   enum tg_target target =
      is_query(instruction) ? target_of_view(&lookup->view)
                            : find_target(dim_of(instruction),
                                          compares(instruction), &lookup->view);
   if (target == TG_TARGET_UNKNOWN) {
      warn(simulate, "target",
           "what hardware returns then is not known in all cases; here it is 0",
           "the texture has other dimensions than the instruction asks for");
      return false;
   }
   lookup->key = (struct maxwell_kernel_key){
      .opcode = (uint16_t)opcode_of(instruction, target),
      .target = (uint8_t)target,
      .type = (uint8_t)type_of(view),
      .component = (uint8_t)instruction->comp,
      .num_offsets = (uint8_t)num_offsets(simulate),
      .is_fragment = simulate->warp->is_fragment,
   };
   lookup->threads = simulate->warp->active;
   set_parameters(simulate);
   return true;
}

/* A level in units of 1/256. */
static uint32_t
fixed_level(uint32_t word)
{
   float level = lir_roundf(tg_float_of_bits(word) * 256.0f);

   return (uint32_t)lir_f2i(level) & 0xffff;
}

/* TMML's levels are fixed-point numbers; TXQ has the samples in A. */
static void
convert_result(struct maxwell_lookup *lookup)
{
   for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
      uint32_t x = lookup->result[0][t], y = lookup->result[1][t];

      if (lookup->key.opcode == TG_OPCODE_LODQ) {
         lookup->result[0][t] = fixed_level(y);
         lookup->result[1][t] = fixed_level(x);
      } else if (lookup->key.opcode == TG_OPCODE_TXQS) {
         lookup->result[0][t] = lookup->result[1][t] = lookup->result[2][t] = 0;
         lookup->result[3][t] = x;
      }
   }
}

static enum tg_result
run_lookup(struct simulate *simulate)
{
   enum tg_result result = maxwell_kernels_run(
      &simulate->kernels, &simulate->lookup, simulate->diagnostics);

   if (result == TG_ERROR_UNSUPPORTED)
      tg_diagnose(simulate->diagnostics, TG_SEVERITY_ERROR, "unsupported",
                  &simulate->program->source,
                  simulate->program->positions[simulate->index], NULL,
                  "there is no %s of %s to simulate this with",
                  tg_opcodes[simulate->lookup.key.opcode].name,
                  tg_targets[simulate->lookup.key.target].name);
   if (result == TG_OK)
      convert_result(&simulate->lookup);
   return result;
}

/* ---- handles ------------------------------------------------------------- */

static uint32_t
handle_of(const struct simulate *simulate, unsigned thread)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   const struct tg_maxwell_warp *warp = simulate->warp;

   if (!maxwell_forms[instruction->form].is_bindless)
      return instruction->index < warp->num_constants
                ? warp->constants[instruction->index]
                : 0;
   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->sources[i];

      for (unsigned j = 0; j < group->count; j++) {
         if (group->content[j] == MAXWELL_OPERAND_HANDLE)
            return read_register(simulate, group->base + j, thread);
      }
   }
   return 0;
}

/* Does the form look at a sampler at all? */
static bool
needs_sampler(const struct maxwell_instruction *instruction)
{
   return !is_query(instruction) && instruction->form != MAXWELL_FORM_TLD &&
          instruction->form != MAXWELL_FORM_TLD_B &&
          instruction->form != MAXWELL_FORM_TLDS;
}

/* The texture and sampler of a handle. False, with a warning, when they are
 * invalid. */
static bool
find_objects(const struct simulate *simulate, uint32_t handle,
             const struct tg_view **view_out,
             const struct tg_sampler **sampler_out)
{
   static const struct tg_sampler no_sampler = TG_SAMPLER_INIT;
   const struct tg_maxwell_warp *warp = simulate->warp;
   uint32_t header = handle & 0xfffff;
   uint32_t sampler = warp->via_header ? header : handle >> 20;
   bool has_header = header < warp->num_headers && warp->headers[header] &&
                     warp->headers[header]->resource;
   bool has_sampler = sampler < warp->num_samplers && warp->samplers[sampler];

   if (!has_header || (!has_sampler && needs_sampler(&simulate->instruction))) {
      warn(simulate, "invalid-texture",
           "its header or sampler is beyond the pool, or not there",
           "the texture is invalid and reads as 0");
      return false;
   }
   *view_out = warp->headers[header];
   *sampler_out = has_sampler ? warp->samplers[sampler] : &no_sampler;
   return true;
}

/* Texels for threads that have the same handle. */
static enum tg_result
fetch(struct simulate *simulate, uint32_t handle, uint32_t threads)
{
   const struct tg_view *view;
   const struct tg_sampler *sampler;
   enum tg_result result = TG_OK;
   bool is_zero = !find_objects(simulate, handle, &view, &sampler) ||
                  !prepare(simulate, view, sampler);

   if (is_zero)
      simulate->lookup.key.type = TG_RETURN_TYPE_FLOAT;
   else
      result = run_lookup(simulate);
   for (unsigned t = 0; t < MAXWELL_THREADS && result == TG_OK; t++) {
      for (unsigned c = 0; c < 4 && (threads >> t & 1); c++)
         simulate->texels[c][t] = is_zero ? 0 : simulate->lookup.result[c][t];
   }
   return result;
}

static enum tg_result
fetch_all(struct simulate *simulate, uint32_t threads)
{
   enum tg_result result = TG_OK;

   while (threads && result == TG_OK) {
      uint32_t handle = handle_of(simulate, (unsigned)__builtin_ctz(threads));
      uint32_t same = 0;

      for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
         if ((threads >> t & 1) && handle_of(simulate, t) == handle)
            same |= 1u << t;
      }
      result = fetch(simulate, handle, same);
      threads &= ~same;
   }
   return result;
}

/* ---- results ------------------------------------------------------------- */

static uint32_t
half_of(const struct simulate *simulate, unsigned component, unsigned thread)
{
   uint32_t word = component ? simulate->texels[component - 1][thread] : 0;
   bool is_float = simulate->lookup.key.type == TG_RETURN_TYPE_FLOAT;

   return is_float ? lir_f2h(word) : word & 0xffff;
}

/* The word of a register whose content is that of a result's group. */
static uint32_t
packed(const struct simulate *simulate, unsigned content, unsigned thread)
{
   unsigned low = content & 7, high = content >> 4;

   if (!maxwell_is_half(&simulate->instruction))
      return simulate->texels[low - 1][thread];
   return half_of(simulate, low, thread) | half_of(simulate, high, thread)
                                              << 16;
}

static void
write_results(struct simulate *simulate, uint32_t threads)
{
   for (unsigned i = 0; i < 2; i++) {
      const struct maxwell_group *group = &simulate->results[i];

      for (unsigned j = 0; j < group->count && group->base != MAXWELL_RZ; j++) {
         for (unsigned t = 0; t < MAXWELL_THREADS; t++) {
            if (threads >> t & 1)
               simulate->warp->registers[group->base + j][t] =
                  packed(simulate, group->content[j], t);
         }
      }
   }
}

/* .NODEP leaves out the threads that were killed. Their registers take part in
 * derivatives all the same. */
static enum tg_result
run_instruction(struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;
   uint32_t threads = guarded(simulate);

   if (instruction->nodep)
      threads &= ~simulate->warp->killed;
   maxwell_sources(instruction, simulate->sources);
   maxwell_results(instruction, simulate->results);
   trace_groups(simulate, simulate->sources, threads, false);
   enum tg_result result = fetch_all(simulate, threads);
   if (result != TG_OK)
      return result;
   if (threads && maxwell_is_half(instruction) &&
       simulate->lookup.key.type != TG_RETURN_TYPE_FLOAT)
      warn(simulate, "half-integer", "without .F16 an integer texture is whole",
           "what .F16 returns of an integer texture is unpredictable");
   write_results(simulate, threads);
   trace_groups(simulate, simulate->results, threads, true);
   return TG_OK;
}

/* ---- the program --------------------------------------------------------- */

static enum tg_result
refuse(const struct simulate *simulate, enum tg_result result, const char *code,
       const char *note, const char *message)
{
   tg_diagnose(simulate->diagnostics, TG_SEVERITY_ERROR, code,
               &simulate->program->source,
               simulate->program->positions[simulate->index], note, "%s",
               message);
   return result;
}

/* Is it known what a query answers? Of the type only the samples, in A. */
static bool
is_known_query(const struct maxwell_instruction *instruction)
{
   enum { DIMENSION = 1, TEXTURE_TYPE = 2, ALPHA = 8 };

   return instruction->query == DIMENSION ||
          (instruction->query == TEXTURE_TYPE &&
           (instruction->mask & ~ALPHA) == 0);
}

/* Says why an instruction that is legal cannot be simulated. */
static enum tg_result
check_known(struct simulate *simulate)
{
   const struct maxwell_instruction *instruction = &simulate->instruction;

   if (!maxwell_decode(simulate->program->words[simulate->index],
                       &simulate->instruction))
      return refuse(simulate, TG_ERROR_INPUT, "no-texture-instruction", NULL,
                    "this word is no texture instruction");
   if (instruction->lc || instruction->cl)
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported", NULL,
                    "where .LC and .CL have their operand is not known");
   if (maxwell_form_has(instruction->form, MAXWELL_FIELD_dpred) &&
       instruction->dpred != MAXWELL_PT)
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported", NULL,
                    "what the predicate of a fetch becomes is not known");
   if (is_query(instruction) && !is_known_query(instruction))
      return refuse(simulate, TG_ERROR_UNSUPPORTED, "unsupported",
                    "TEX_HEADER_DIMENSION, and of TEX_HEADER_TEXTURE_TYPE "
                    "component A",
                    "what this query answers is not known");
   return TG_OK;
}

static enum tg_result
check_all(struct simulate *simulate)
{
   enum tg_result result = tg_maxwell_check(
      simulate->program, simulate->warp->version, simulate->diagnostics);

   for (simulate->index = 0;
        result == TG_OK &&
        simulate->index < simulate->program->num_instructions;
        simulate->index++)
      result = check_known(simulate);
   return result;
}

enum tg_result
tg_maxwell_run(const struct tg_allocator *allocator,
               const struct tg_maxwell_program *program,
               struct tg_maxwell_warp *warp, tg_maxwell_trace_function trace,
               void *user, struct tg_diagnostics *diagnostics)
{
   struct simulate simulate = {
      .program = program,
      .warp = warp,
      .diagnostics = diagnostics,
      .trace = trace,
      .user = user,
   };
   enum tg_result result = check_all(&simulate);
   if (result != TG_OK)
      return result;

   maxwell_kernels_init(&simulate.kernels, allocator);
   for (simulate.index = 0;
        result == TG_OK && simulate.index < program->num_instructions;
        simulate.index++) {
      maxwell_decode(program->words[simulate.index], &simulate.instruction);
      result = run_instruction(&simulate);
   }
   maxwell_kernels_finish(&simulate.kernels);
   return result;
}
