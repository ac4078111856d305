/* SPDX-License-Identifier: MIT
 *
 * The compiler's intermediate representation, between TGSI and words:
 * operations of the two units over any number of virtual registers. Selection
 * makes it; passes rewrite it; what is left at the end has one operation a unit
 * in each word.
 *
 * A virtual register is a vector of four words, written any number of times
 * under masks; it is no SSA value, as the hardware's registers are none. An
 * operation is one opcode of one unit. It may write a temporary and an export
 * at once. Which constants and attributes share an operation is not selection's
 * business: the pass that keeps to the ports (schedule/ports.c) makes copies.
 *
 * Blocks stand in the order in which they are emitted. The last operation of a
 * block, and no other, may be a branch, call or return; where it is none, or
 * its predicate fails, or a call has come back, execution goes on in the next
 * block. The block `end` is where the program ends, after its last operation;
 * subroutines stand after it.
 *
 * CR and A0 are the hardware's. Selection keeps to this: CR[0] decides branches
 * and the arms of an if, CR[1] selects within a block. A condition is set in
 * the block where it is used, before its use; only CR[0] lives from the end of
 * a block into its successors.
 */
#ifndef TEGRA_MIR_H
#define TEGRA_MIR_H

#include "tegra/isa/isa.h"
#include "tgsi/shader/shader.h"
#include "util/bits.h"

/* Where a source reads. The first four are those of a word. */
enum mir_file {
   MIR_UNDEFINED = TEGRA_UNDEFINED,
   MIR_TEMPORARY = TEGRA_TEMPORARY, /* a virtual register */
   MIR_ATTRIBUTE = TEGRA_ATTRIBUTE,
   MIR_CONSTANT = TEGRA_CONSTANT, /* c[index] that the caller fills */
   MIR_LITERAL, /* four words of the program's own, whose c[] is found later */
};

struct mir_source {
   uint8_t file; /* enum mir_file */
   bool negate;  /* after `absolute` */
   bool absolute;
   bool relative;       /* attribute or constant: to A0.address */
   uint8_t address;     /* component of A0 */
   uint8_t swizzle;     /* as in a word; of a literal the identity */
   uint32_t index;      /* register, attribute or constant */
   uint32_t literal[4]; /* words of x, y, z, w; others than are read are 0 */
};

#define MIR_NONE UINT32_MAX /* no register, no block */

/* When an operation writes, or a branch is taken. Of a branch all four
 * components of `swizzle` are the same. */
struct mir_predicate {
   bool enabled;
   uint8_t condition; /* condition register */
   uint8_t swizzle;   /* as in a word */
   bool less, equal, greater;
};

struct mir_op {
   uint8_t unit;   /* enum tegra_unit */
   uint8_t opcode; /* of that unit */
   uint8_t mask;   /* as in a word; of ADDR opcodes components of A0 */
   bool saturate;
   uint32_t temporary;   /* that is written, or MIR_NONE */
   uint8_t export_index; /* that is written, or TEGRA_NO_EXPORT */
   bool export_relative; /* to A0.export_address */
   uint8_t export_address;
   bool sets_condition; /* CR[condition], where the mask and predicate say */
   uint8_t condition;
   struct mir_predicate predicate; /* of no branch: not enabled is always */
   /* In the order of the opcode's sources in text: ADD has its second in [1],
    * and a scalar opcode its only one in [0]. */
   struct mir_source source[TEGRA_NUM_SOURCES];
   uint32_t target; /* block, of BRA and CAL; else MIR_NONE */
   uint32_t origin; /* the TGSI instruction that it came from */
   /* A scalar operation that shares a word with the vector operation before it:
    * schedule/schedule.c says so. Both read before either writes. */
   bool paired;
};

struct mir_block {
   struct mir_op *ops;
   uint32_t num_ops, capacity;
};

struct mir {
   struct tg_arena arena;          /* owns all below */
   const struct tg_shader *shader; /* for diagnostics; outlives it */
   struct mir_block *blocks;
   uint32_t num_blocks, block_capacity;
   uint32_t num_temporaries;
   uint32_t end;           /* block */
   bool is_frugal;         /* it was too large: no pass makes it any larger */
   bool has_grown;         /* a pass did */
   bool fused;             /* sums of products are, see enum tg_tegra_mad */
   uint32_t num_constants; /* c[0] to c[num_constants - 1] are the caller's */
   /* What the program itself gives, as in struct tg_tegra_program. */
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint8_t constant_masks[TG_TEGRA_NUM_CONSTANTS];
   /* By enum tg_tegra_name and index; what is NULL has no name. */
   const char *names[TG_TEGRA_UNIFORM + 1][TG_TEGRA_NUM_CONSTANTS];
};

/* ---- building ------------------------------------------------------------ */

void
mir_init(struct mir *mir, const struct tg_allocator *allocator,
         const struct tg_shader *shader);
void
mir_finish(struct mir *mir);

/* The number of a new register. */
uint32_t
mir_add_temporary(struct mir *mir);

/* The number of a new, empty block after all others, or MIR_NONE when out of
 * memory. */
uint32_t
mir_add_block(struct mir *mir);

/* Inserts `count` blocks before block `index`, whose number and those after it
 * become greater, also where branches lead to them. False when out of memory.
 */
bool
mir_insert_blocks(struct mir *mir, uint32_t index, uint32_t count);

/* Appends a copy to a block. False when out of memory. */
bool
mir_append(struct mir *mir, uint32_t block, const struct mir_op *op);

/* An operation that has no sources, writes nothing and is not predicated. */
struct mir_op
mir_op(enum tegra_unit unit, unsigned opcode, uint32_t origin);

static inline const struct tegra_opcode_info *
mir_info(const struct mir_op *op)
{
   return &tegra_opcodes[op->unit][op->opcode];
}

/* The operation that ends a block, or NULL. */
static inline struct mir_op *
mir_last(const struct mir_block *block)
{
   return block->num_ops ? &block->ops[block->num_ops - 1] : NULL;
}

/* How many sources it has. */
static inline unsigned
mir_num_sources(const struct mir_op *op)
{
   return tegra_num_sources(mir_info(op));
}

/* The components of the register itself, not of the swizzled value, that
 * source `index` reads, with the mask that the operation has; bits as in
 * masks. */
unsigned
mir_components_read(const struct mir_op *op, unsigned index);

/* Is it a move, of either unit? */
bool
mir_is_move(const struct mir_op *op);

/* Is it a branch, call or return? */
bool
mir_is_jump(const struct mir_op *op);

/* The negated predicate: what holds where the predicate does not. A condition
 * of NaN passes a test for "not equal" and no other (as the simulator has it),
 * so that this and "equal" alone have an opposite; false of others. Both may be
 * the same predicate. */
bool
mir_opposite(const struct mir_predicate *predicate, struct mir_predicate *out);

/* Inserts a copy at `index` of a block, whose operations from there on move up.
 * False when out of memory. */
bool
mir_insert(struct mir *mir, uint32_t block, uint32_t index,
           const struct mir_op *op);

/* ---- sources ------------------------------------------------------------- */

/* The register, attribute or constant as it is. */
static inline struct mir_source
mir_source_of(enum mir_file file, uint32_t index)
{
   return (struct mir_source){
      .file = (uint8_t)file,
      .swizzle = TEGRA_IDENTITY,
      .index = index,
   };
}

/* A number in all components. */
static inline struct mir_source
mir_number(float number)
{
   struct mir_source source = mir_source_of(MIR_LITERAL, 0);

   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = tg_bits_of_float(number);
   return source;
}

/* The source with its lanes as `swizzle` picks them. */
struct mir_source
mir_swizzle(struct mir_source source, unsigned swizzle);

/* One component, 0 being x, in all. */
static inline struct mir_source
mir_component(struct mir_source source, unsigned component)
{
   return mir_swizzle(
      source, tegra_swizzle(component, component, component, component));
}

/* A source with its sign flipped. */
static inline struct mir_source
mir_negate(struct mir_source source)
{
   source.negate = !source.negate;
   return source;
}

/* The magnitude of a source. */
static inline struct mir_source
mir_absolute(struct mir_source source)
{
   source.absolute = true;
   source.negate = false;
   return source;
}

/* A word of a literal as its modifiers make it. */
uint32_t
mir_literal(const struct mir_source *source, unsigned lane);

/* A literal with its modifiers in its words; anything else as it is. */
static inline struct mir_source
mir_plain(struct mir_source source)
{
   if (source.file != MIR_LITERAL)
      return source;
   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = mir_literal(&source, i);
   source.absolute = source.negate = false;
   return source;
}

/* A word of a constant as its modifiers make it, if it is the program's own. */
bool
mir_known_word(const struct mir *mir, const struct mir_source *source,
               unsigned lane, uint32_t *word_out);

/* Permutes the components of a result: what the operation wrote into component
 * i of its destinations it writes into component i of `order`, which has each
 * once. For results that may be anywhere. */
void
mir_permute(struct mir_op *op, unsigned order);

/* Renumbers registers, without those that no operation has. False when out
 * of memory. */
bool
mir_renumber(struct mir *mir);

/* Is the register, attribute or constant the same? */
bool
mir_same_register(const struct mir_source *a, const struct mir_source *b);

enum { MIR_MAX_SUCCESSORS = 2 };

/* Where execution may go on after a block; returns how many. A return goes on
 * in mir->num_blocks, which stands for the blocks after all calls. */
unsigned
mir_successors(const struct mir *mir, uint32_t block,
               uint32_t successors[MIR_MAX_SUCCESSORS]);

enum mir_print_flags {
   MIR_PRINT_FLOATS = 1 << 0, /* literals to be looked at, not as words */
};

/* A listing, one line an operation, `&` before one that shares a word with the
 * line above; the string is the caller's (tg_string_free()). NULL when out of
 * memory. */
char *
mir_print(const struct mir *mir, unsigned flags);

/* What is wrong with it, or NULL; for assertions. */
const char *
mir_verify(const struct mir *mir);

#endif
