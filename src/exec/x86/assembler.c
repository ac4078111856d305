/* SPDX-License-Identifier: MIT
 *
 * Encodes instructions. A distance is four bytes wherever there is one: code is
 * emitted once, from its beginning to its end.
 */
#include "exec/x86/assembler.h"

#include <assert.h>
#include <string.h>

/* Of a label that was not placed. */
#define NOWHERE UINT32_MAX

enum {
   NUM_BUCKETS = 1 << 8,
   CONSTANT_ALIGNMENT = 32,
};

void
x86_asm_init(struct x86_assembler *a, struct tg_arena *arena)
{
   *a = (struct x86_assembler){.arena = arena};
   a->buckets = tg_arena_array(arena, NUM_BUCKETS, sizeof(*a->buckets));
   a->failed = !a->buckets;
}

/* ---- the buffer ---------------------------------------------------------- */

static bool
reserve(struct x86_assembler *a, void **elements, uint32_t *capacity,
        uint32_t count, size_t size)
{
   if (!a->failed)
      a->failed = !tg_arena_reserve(a->arena, elements, capacity, count, size);
   return !a->failed;
}

static bool
grow(struct x86_assembler *a)
{
   void *bytes = a->bytes;

   if (!reserve(a, &bytes, &a->byte_capacity, a->num_bytes, 1))
      return false;
   a->bytes = bytes;
   return true;
}

static void
byte(struct x86_assembler *a, unsigned value)
{
   if (a->num_bytes < a->byte_capacity || grow(a))
      a->bytes[a->num_bytes++] = (uint8_t)value;
}

static void
word(struct x86_assembler *a, uint32_t value)
{
   for (unsigned i = 0; i < 4; i++)
      byte(a, value >> i * 8);
}

/* Four bytes that will be the distance to a label or a constant, from the end
 * of the instruction, `rest` bytes after them. */
static void
distance(struct x86_assembler *a, uint32_t target, bool is_constant,
         unsigned rest)
{
   void *fixups = a->fixups;

   if (!reserve(a, &fixups, &a->fixup_capacity, a->num_fixups,
                sizeof(*a->fixups)))
      return;
   a->fixups = fixups;
   a->fixups[a->num_fixups++] = (struct x86_fixup){
      .place = a->num_bytes,
      .from = a->num_bytes + 4 + rest,
      .target = target,
      .is_constant = is_constant,
   };
   word(a, 0);
}

/* ---- labels and constants ------------------------------------------------ */

uint32_t
x86_asm_label(struct x86_assembler *a)
{
   void *labels = a->labels;

   if (!reserve(a, &labels, &a->label_capacity, a->num_labels,
                sizeof(*a->labels)))
      return 0;
   a->labels = labels;
   a->labels[a->num_labels] = NOWHERE;
   return a->num_labels++;
}

void
x86_asm_place(struct x86_assembler *a, uint32_t label)
{
   if (a->failed)
      return;
   assert(label < a->num_labels);
   assert(a->labels[label] == NOWHERE);
   a->labels[label] = a->num_bytes;
}

static uint32_t
hash(const void *bytes)
{
   uint32_t words[X86_CONSTANT_BYTES / 4], sum = 0;

   memcpy(words, bytes, sizeof(words));
   for (unsigned i = 0; i < X86_CONSTANT_BYTES / 4; i++)
      sum = (sum ^ words[i]) * 0x9e3779b1u + (sum >> 15);
   return sum >> 16;
}

/* The number of a constant. */
static uint32_t
find_constant(struct x86_assembler *a, const void *bytes)
{
   uint32_t place = hash(bytes);
   void *constants = a->constants;

   for (unsigned i = 0; i < NUM_BUCKETS; i++, place++) {
      const uint32_t number = a->buckets[place % NUM_BUCKETS];

      if (!number)
         break;
      if (memcmp(a->constants[number - 1], bytes, X86_CONSTANT_BYTES) == 0)
         return number - 1;
   }
   if (!reserve(a, &constants, &a->constant_capacity, a->num_constants,
                sizeof(*a->constants)))
      return 0;
   a->constants = constants;
   memcpy(a->constants[a->num_constants], bytes, X86_CONSTANT_BYTES);
   if (a->num_constants < NUM_BUCKETS) /* else some are there more than once */
      a->buckets[place % NUM_BUCKETS] = a->num_constants + 1;
   return a->num_constants++;
}

struct x86_operand
x86_asm_constant(struct x86_assembler *a, const void *bytes)
{
   return (struct x86_operand){
      .kind = X86_POOL,
      .constant = a->failed ? 0 : find_constant(a, bytes),
   };
}

/* Where constant 0 is. */
static uint32_t
first_constant(const struct x86_assembler *a)
{
   return (a->num_bytes + CONSTANT_ALIGNMENT - 1) / CONSTANT_ALIGNMENT *
          CONSTANT_ALIGNMENT;
}

static uint32_t
place_of(const struct x86_assembler *a, const struct x86_fixup *fixup)
{
   if (fixup->is_constant)
      return first_constant(a) + fixup->target * X86_CONSTANT_BYTES;
   assert(a->labels[fixup->target] != NOWHERE);
   return a->labels[fixup->target];
}

void
x86_asm_fill_in(struct x86_assembler *a, uint32_t place, uint32_t value)
{
   for (unsigned i = 0; i < 4 && !a->failed; i++)
      a->bytes[place + i] = (uint8_t)(value >> i * 8);
}

uint32_t
x86_asm_size(struct x86_assembler *a)
{
   for (uint32_t i = 0; i < a->num_fixups && !a->failed; i++) {
      const struct x86_fixup *fixup = &a->fixups[i];

      x86_asm_fill_in(a, fixup->place, place_of(a, fixup) - fixup->from);
   }
   return first_constant(a) + a->num_constants * X86_CONSTANT_BYTES;
}

void
x86_asm_copy(const struct x86_assembler *a, void *memory)
{
   unsigned char *to = memory;
   const uint32_t first = first_constant(a);

   memcpy(to, a->bytes, a->num_bytes);
   memset(to + a->num_bytes, 0xcc, first - a->num_bytes); /* int3 */
   if (a->num_constants)
      memcpy(to + first, a->constants,
             (size_t)a->num_constants * X86_CONSTANT_BYTES);
}

/* ---- operands ------------------------------------------------------------ */

/* A byte ModRM is two bits of mode, three of a register or opcode, three of a
 * register or base; after a base of RSP's number there is a byte SIB: two bits
 * of scale, three of index, three of base. Fourth bits of the three are
 * elsewhere, in REX or VEX. */
enum {
   NO_DISPLACEMENT = 0,
   DISPLACEMENT_8 = 1,
   DISPLACEMENT_32 = 2,
   DIRECT = 3
};

static void
three_fields(struct x86_assembler *a, unsigned top, unsigned middle,
             unsigned low)
{
   byte(a, top << 6 | (middle & 7) << 3 | (low & 7));
}

/* A base of RBP's number has a displacement always. */
static unsigned
mode_of(const struct x86_operand *operand)
{
   if (operand->displacement == 0 && (operand->reg & 7) != X86_RBP)
      return NO_DISPLACEMENT;
   return operand->displacement >= -128 && operand->displacement < 128
             ? DISPLACEMENT_8
             : DISPLACEMENT_32;
}

static void
memory_operand(struct x86_assembler *a, unsigned reg,
               const struct x86_operand *operand)
{
   const unsigned mode = mode_of(operand);
   const bool has_index = operand->index != X86_NO_INDEX;

   if (has_index || (operand->reg & 7) == X86_RSP) {
      three_fields(a, mode, reg, X86_RSP);
      three_fields(a, operand->scale, has_index ? operand->index : X86_RSP,
                   operand->reg);
   } else {
      three_fields(a, mode, reg, operand->reg);
   }
   if (mode == DISPLACEMENT_8)
      byte(a, (uint32_t)operand->displacement & 0xff);
   else if (mode == DISPLACEMENT_32)
      word(a, (uint32_t)operand->displacement);
}

/* `rest` bytes of the instruction come after it. */
static void
put_operand(struct x86_assembler *a, unsigned reg,
            const struct x86_operand *operand, unsigned rest)
{
   if (operand->kind == X86_REGISTER) {
      three_fields(a, DIRECT, reg, operand->reg);
   } else if (operand->kind == X86_POOL) {
      three_fields(a, NO_DISPLACEMENT, reg, X86_RBP); /* from the next one */
      distance(a, operand->constant, true, rest);
   } else {
      memory_operand(a, reg, operand);
   }
}

/* The fourth bits of index and base. */
static bool
has_high_index(const struct x86_operand *operand)
{
   return operand->kind == X86_MEMORY && operand->index != X86_NO_INDEX &&
          operand->index & 8;
}

static bool
has_high_base(const struct x86_operand *operand)
{
   return operand->kind != X86_POOL && operand->reg & 8;
}

/* ---- vector instructions ------------------------------------------------- */

enum { PREFIX_NP, PREFIX_66, PREFIX_F3, PREFIX_F2 };

struct row {
   uint8_t prefix, map, w, opcode, is_wide;
};

static const struct row rows[X86_NUM_INSTRUCTIONS] = {
#define X86_VECTOR(name, prefix, map, w, opcode, bits)                         \
   {PREFIX_##prefix, map, w, opcode, (bits) == 256},
#include "exec/x86/instructions.def"
};

/* VEX in two bytes or three; registers are written with their bits flipped. */
static void
vex(struct x86_assembler *a, const struct row *row, unsigned target,
    unsigned first, const struct x86_operand *second)
{
   const unsigned end =
      (~first & 15u) << 3 | (unsigned)row->is_wide << 2 | row->prefix;
   const unsigned r = target & 8 ? 0 : 0x80;
   const unsigned x = has_high_index(second) ? 0 : 0x40;
   const unsigned b = has_high_base(second) ? 0 : 0x20;

   if (x && b && !row->w && row->map == 1) {
      byte(a, 0xc5);
      byte(a, r | end);
   } else {
      byte(a, 0xc4);
      byte(a, r | x | b | row->map);
      byte(a, (unsigned)row->w << 7 | end);
   }
}

static void
vector(struct x86_assembler *a, enum x86_instruction instruction,
       unsigned target, unsigned first, const struct x86_operand *second,
       unsigned rest)
{
   const struct row *row = &rows[instruction];

   vex(a, row, target, first, second);
   byte(a, row->opcode);
   put_operand(a, target, second, rest);
}

void
x86_asm_vector(struct x86_assembler *a, enum x86_instruction instruction,
               unsigned target, unsigned first, struct x86_operand second)
{
   vector(a, instruction, target, first, &second, 0);
}

void
x86_asm_vector_imm(struct x86_assembler *a, enum x86_instruction instruction,
                   unsigned target, unsigned first, struct x86_operand second,
                   uint8_t immediate)
{
   vector(a, instruction, target, first, &second, 1);
   byte(a, immediate);
}

/* ---- general instructions ------------------------------------------------ */

enum { TWO_BYTES = 0x0f00 }; /* of an opcode that begins with 0F */

static void
opcode_byte(struct x86_assembler *a, unsigned opcode)
{
   if (opcode & TWO_BYTES)
      byte(a, 0x0f);
   byte(a, opcode & 0xff);
}

/* An instruction with a register, or more of its opcode, and an operand.
 * `is_part`: the register is one of 8 bits, which a prefix makes the low ones
 * of any register. */
static void
general(struct x86_assembler *a, unsigned opcode, enum x86_width width,
        unsigned reg, const struct x86_operand *operand, unsigned rest,
        bool is_part)
{
   const unsigned rex = (width == X86_PAIR ? 8u : 0) | (reg & 8 ? 4u : 0) |
                        (has_high_index(operand) ? 2u : 0) |
                        (has_high_base(operand) ? 1u : 0);

   if (rex || is_part)
      byte(a, 0x40 | rex);
   opcode_byte(a, opcode);
   put_operand(a, reg, operand, rest);
}

void
x86_asm_load(struct x86_assembler *a, enum x86_width width, enum x86_general to,
             struct x86_operand from)
{
   general(a, 0x8b, width, to, &from, 0, false);
}

void
x86_asm_store(struct x86_assembler *a, enum x86_width width,
              struct x86_operand to, enum x86_general from)
{
   general(a, 0x89, width, from, &to, 0, false);
}

void
x86_asm_store_imm(struct x86_assembler *a, enum x86_width width,
                  struct x86_operand to, uint32_t value)
{
   general(a, 0xc7, width, 0, &to, 4, false);
   word(a, value);
}

void
x86_asm_load_part(struct x86_assembler *a, unsigned bits, enum x86_general to,
                  struct x86_operand from)
{
   general(a, TWO_BYTES | (bits == 8 ? 0xb6 : 0xb7), X86_WORD, to, &from, 0,
           false);
}

void
x86_asm_store_part(struct x86_assembler *a, unsigned bits,
                   struct x86_operand to, enum x86_general from)
{
   if (bits == 16)
      byte(a, 0x66);
   general(a, bits == 8 ? 0x88 : 0x89, X86_WORD, from, &to, 0, bits == 8);
}

void
x86_asm_set(struct x86_assembler *a, enum x86_general to, uint32_t value)
{
   if (to & 8)
      byte(a, 0x41);
   byte(a, 0xb8 | (to & 7));
   word(a, value);
}

void
x86_asm_lea(struct x86_assembler *a, enum x86_general to,
            struct x86_operand from)
{
   general(a, 0x8d, X86_PAIR, to, &from, 0, false);
}

void
x86_asm_compute(struct x86_assembler *a, enum x86_arithmetic operation,
                enum x86_width width, enum x86_general to,
                struct x86_operand from)
{
   general(a, (unsigned)operation << 3 | 3, width, to, &from, 0, false);
}

void
x86_asm_compute_imm(struct x86_assembler *a, enum x86_arithmetic operation,
                    enum x86_width width, struct x86_operand to, int32_t value)
{
   const bool is_short = value >= -128 && value < 128;

   general(a, is_short ? 0x83 : 0x81, width, operation, &to, is_short ? 1 : 4,
           false);
   if (is_short)
      byte(a, (uint32_t)value & 0xff);
   else
      word(a, (uint32_t)value);
}

uint32_t
x86_asm_take_stack(struct x86_assembler *a)
{
   x86_asm_compute_imm(a, X86_SUB, X86_PAIR, x86_register(X86_RSP), INT32_MAX);
   return a->num_bytes - 4;
}

void
x86_asm_multiply_imm(struct x86_assembler *a, enum x86_general to,
                     struct x86_operand from, int32_t value)
{
   general(a, 0x69, X86_PAIR, to, &from, 4, false);
   word(a, (uint32_t)value);
}

void
x86_asm_shift(struct x86_assembler *a, enum x86_width width,
              enum x86_general to, int count)
{
   const struct x86_operand operand = x86_register(to);

   general(a, 0xc1, width, count < 0 ? 5 : 4, &operand, 1, false);
   byte(a, (unsigned)(count < 0 ? -count : count));
}

void
x86_asm_move_if(struct x86_assembler *a, enum x86_condition condition,
                enum x86_width width, enum x86_general to,
                enum x86_general from)
{
   const struct x86_operand operand = x86_register(from);

   general(a, TWO_BYTES | 0x40 | condition, width, to, &operand, 0, false);
}

static void
count_bits(struct x86_assembler *a, unsigned opcode, enum x86_general to,
           enum x86_general from)
{
   const struct x86_operand operand = x86_register(from);

   byte(a, 0xf3);
   general(a, TWO_BYTES | opcode, X86_WORD, to, &operand, 0, false);
}

void
x86_asm_count_trailing_zeros(struct x86_assembler *a, enum x86_general to,
                             enum x86_general from)
{
   count_bits(a, 0xbc, to, from);
}

void
x86_asm_count_ones(struct x86_assembler *a, enum x86_general to,
                   enum x86_general from)
{
   count_bits(a, 0xb8, to, from);
}

/* Of BMI1: with VEX, its target where others have their first source. */
void
x86_asm_clear_lowest(struct x86_assembler *a, enum x86_general to,
                     enum x86_general from)
{
   const struct row blsr = {PREFIX_NP, 2, 0, 0xf3, 0};
   const struct x86_operand operand = x86_register(from);

   vex(a, &blsr, 1, to, &operand);
   byte(a, blsr.opcode);
   put_operand(a, 1, &operand, 0);
}

void
x86_asm_push(struct x86_assembler *a, enum x86_general reg)
{
   if (reg & 8)
      byte(a, 0x41);
   byte(a, 0x50 | (reg & 7));
}

void
x86_asm_pop(struct x86_assembler *a, enum x86_general reg)
{
   if (reg & 8)
      byte(a, 0x41);
   byte(a, 0x58 | (reg & 7));
}

void
x86_asm_jump(struct x86_assembler *a, uint32_t label)
{
   byte(a, 0xe9);
   distance(a, label, false, 0);
}

void
x86_asm_jump_if(struct x86_assembler *a, enum x86_condition condition,
                uint32_t label)
{
   opcode_byte(a, TWO_BYTES | 0x80 | condition);
   distance(a, label, false, 0);
}

void
x86_asm_call(struct x86_assembler *a, struct x86_operand function)
{
   general(a, 0xff, X86_WORD, 2, &function, 0, false);
}

void
x86_asm_fence(struct x86_assembler *a)
{
   opcode_byte(a, TWO_BYTES | 0xae);
   byte(a, 0xf0);
}

void
x86_asm_forget_upper(struct x86_assembler *a)
{
   byte(a, 0xc5);
   byte(a, 0xf8);
   byte(a, 0x77);
}

void
x86_asm_return(struct x86_assembler *a)
{
   byte(a, 0xc3);
}
