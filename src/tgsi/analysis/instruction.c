/* SPDX-License-Identifier: MIT
 *
 * Channels read by an instruction: the meaning of the `reads` column of
 * tables/opcodes.def, and of the one opcode that has two rows; and whether its
 * sums of products are fused.
 */
#include "tgsi/analysis/instruction.h"

const struct tg_opcode_info *
tg_instruction_row(const struct tg_shader *shader,
                   const struct tg_instruction *instruction)
{
   if (instruction->opcode == TG_OPCODE_LOAD && instruction->num_src == 2) {
      unsigned file = instruction->src[1].reg.file;

      if (file == TG_FILE_RES ||
          (file == TG_FILE_SVIEW &&
           tg_dialect_row(shader->dialect)->load_fetches))
         return tg_opcode_row(TG_OPCODE_SAMPLE_I);
   }
   return tg_opcode_row(instruction->opcode);
}

bool
tg_instruction_loads_constants(const struct tg_instruction *instruction)
{
   return instruction->opcode == TG_OPCODE_LOAD &&
          instruction->src[0].reg.file == TG_FILE_CONST &&
          instruction->memory_target == TG_TARGET_BUFFER &&
          instruction->memory_format == TG_FORMAT_NONE;
}

static unsigned
first_channels(unsigned count)
{
   return (1u << (count < 4 ? count : 4)) - 1;
}

/* The coordinates that a target has, in the source that holds them. Of an image
 * a cube's faces and layers are one. */
static unsigned
coordinates(const struct tg_instruction *instruction)
{
   unsigned target = TG_TARGET_UNKNOWN;

   if (instruction->has_texture)
      target = instruction->target;
   else if (instruction->has_memory)
      target = instruction->memory_target; /* BUFFER when none is said */
   if (target >= TG_TARGET_UNKNOWN)
      return instruction->has_memory ? TG_MASK_X : TG_MASK_XYZW;

   const struct tg_target_info *info = tg_target_row(target);
   bool is_image_of_cubes =
      instruction->has_memory && target == TG_TARGET_CUBE_ARRAY;
   unsigned mask = first_channels(is_image_of_cubes ? 3 : info->num_coords);
   if (info->reference >= 1 && info->reference <= 4)
      mask |= 1u << (info->reference - 1);
   return mask;
}

/* What w says beside the coordinates, which a buffer has no use for. */
static unsigned
level(const struct tg_instruction *instruction)
{
   return instruction->has_texture && instruction->target == TG_TARGET_BUFFER
             ? 0
             : TG_MASK_W;
}

/* A level or a sample has an operand of its own, the last, or is w. */
static unsigned
coordinates_or_last(const struct tg_instruction *instruction,
                    const struct tg_opcode_info *row)
{
   const unsigned mask = coordinates(instruction);

   if (instruction->num_src < row->num_src)
      return mask | TG_MASK_W;
   return instruction->has_texture && instruction->target < TG_TARGET_UNKNOWN &&
                tg_target_row(instruction->target)->flags & TG_TARGET_FLAG_MSAA
             ? mask & ~TG_MASK_W
             : mask;
}

static bool
has_one_level(const struct tg_instruction *instruction)
{
   return instruction->has_texture && instruction->target < TG_TARGET_UNKNOWN &&
          (instruction->target == TG_TARGET_BUFFER ||
           tg_target_row(instruction->target)->plain == TG_TARGET_RECT ||
           tg_target_row(instruction->target)->flags & TG_TARGET_FLAG_MSAA);
}

/* With a reference among the coordinates. */
static bool
compares(const struct tg_instruction *instruction)
{
   return instruction->has_texture && instruction->target < TG_TARGET_UNKNOWN &&
          tg_target_row(instruction->target)->flags & TG_TARGET_FLAG_SHADOW &&
          tg_target_row(instruction->target)->reference <= 4;
}

/* A bias or level, after the reference where the coordinates have no room for
 * that. */
static unsigned
extra(const struct tg_instruction *instruction)
{
   const bool has_reference = instruction->has_texture &&
                              instruction->target < TG_TARGET_UNKNOWN &&
                              tg_target_row(instruction->target)->reference > 4;

   return has_reference ? TG_MASK_X | TG_MASK_Y : TG_MASK_X;
}

static unsigned
derivatives(const struct tg_instruction *instruction)
{
   if (!instruction->has_texture || instruction->target >= TG_TARGET_UNKNOWN)
      return first_channels(3);
   return first_channels(tg_target_row(instruction->target)->num_derivs);
}

/* `low` if a channel of pair 0 is written, `high` if one of pair 1 is. */
static unsigned
by_pair(unsigned written, unsigned low, unsigned high)
{
   return (written & (TG_MASK_X | TG_MASK_Y) ? low : 0) |
          (written & (TG_MASK_Z | TG_MASK_W) ? high : 0);
}

static unsigned
narrow(unsigned written)
{
   return (written & (TG_MASK_X | TG_MASK_Z) ? TG_MASK_X | TG_MASK_Y : 0) |
          (written & (TG_MASK_Y | TG_MASK_W) ? TG_MASK_Z | TG_MASK_W : 0);
}

static unsigned
lit(unsigned written)
{
   if (written & TG_MASK_Z)
      return TG_MASK_X | TG_MASK_Y | TG_MASK_W;
   return written & TG_MASK_Y ? TG_MASK_X : 0;
}

/* What is stored in a texel is converted as a whole, whatever the mask. */
static unsigned
stored(const struct tg_instruction *instruction)
{
   const uint32_t words = 1u << TG_FILE_BUFFER | 1u << TG_FILE_MEMORY;

   return instruction->num_dst && words & 1u << instruction->dst[0].reg.file
             ? instruction->dst[0].writemask
             : TG_MASK_XYZW;
}

/* A register of values in the place of an object holds a handle. */
static unsigned
handle(const struct tg_instruction *instruction, unsigned src)
{
   const bool is_object =
      tg_file_row(instruction->src[src].reg.file)->access & TG_ACCESS_OBJ ||
      (src == 0 && tg_instruction_loads_constants(instruction));

   return is_object ? 0 : TG_MASK_X | TG_MASK_Y;
}

unsigned
tg_instruction_reads(const struct tg_instruction *instruction,
                     const struct tg_opcode_info *row, unsigned src)
{
   unsigned written = 0;

   for (unsigned i = 0; i < instruction->num_dst; i++)
      written |= instruction->dst[i].writemask;
   switch ((enum tg_reads)row->reads[src]) {
   case TG_READS_NONE: return 0;
   case TG_READS_MASK: return written;
   case TG_READS_X: return TG_MASK_X;
   case TG_READS_XY: return TG_MASK_X | TG_MASK_Y;
   case TG_READS_XYZ: return TG_MASK_X | TG_MASK_Y | TG_MASK_Z;
   case TG_READS_XYZW: return TG_MASK_XYZW;
   case TG_READS_YZ: return TG_MASK_Y | TG_MASK_Z;
   case TG_READS_YW: return TG_MASK_Y | TG_MASK_W;
   case TG_READS_LIT: return lit(written);
   case TG_READS_EXP: return written & ~TG_MASK_W ? TG_MASK_X : 0;
   case TG_READS_PAIR:
      return by_pair(written, TG_MASK_X | TG_MASK_Y, TG_MASK_Z | TG_MASK_W);
   case TG_READS_PAIR_X: return by_pair(written, TG_MASK_X, TG_MASK_Z);
   case TG_READS_PAIR_XY: return by_pair(written, TG_MASK_X, TG_MASK_Y);
   case TG_READS_NARROW: return narrow(written);
   case TG_READS_COORD: return coordinates(instruction);
   case TG_READS_COORD_W: return coordinates(instruction) | level(instruction);
   case TG_READS_COORD_LAST: return coordinates_or_last(instruction, row);
   case TG_READS_LEVEL: return has_one_level(instruction) ? 0 : TG_MASK_X;
   case TG_READS_EXTRA: return extra(instruction);
   case TG_READS_COMPONENT: return compares(instruction) ? 0 : TG_MASK_X;
   case TG_READS_STORED: return stored(instruction);
   case TG_READS_DERIV: return derivatives(instruction);
   case TG_READS_OBJECT: return handle(instruction, src);
   }
   return TG_MASK_XYZW;
}

bool
tg_instruction_is_fused(const struct tg_instruction *instruction,
                        const struct tg_opcode_info *row,
                        enum tg_dialect dialect)
{
   return tg_dialect_row(dialect)->fuses && !instruction->precise &&
          row->flags & TG_OPCODE_FLAG_FUSES;
}
