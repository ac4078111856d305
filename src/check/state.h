/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: the static facts of a shader, and the
 * shadows of the waves that run it.
 */
#ifndef TG_CHECK_STATE_H
#define TG_CHECK_STATE_H

#include "check/check.h"
#include "tgsi/analysis/instruction.h"

enum check_code {
#define CHECK_FINDING(id, code, title) CHECK_##id,
#include "check/findings.def"
   CHECK_NUM_CODES,
};

#define CHECK_NONE UINT32_MAX

/* ---- the shader ---------------------------------------------------------- */

struct check_range {
   uint32_t first, count;
};

struct check_file {
   uint32_t num_registers;     /* one more than the highest declared number:
                                * abi_layout_numbers_in() */
   bool *is_declared;          /* by register; not of CONST */
   struct check_range *arrays; /* by ArrayID */
   uint32_t num_arrays;        /* one more than the highest */
   bool has_shadow;
   uint32_t first_channel; /* number of the shadow of [0].x */
};

/* What an instruction does with its sources. Channels are TG_MASK_* before the
 * swizzle. */
struct check_row {
   const char *use; /* what its sources decide, or NULL */
   uint8_t used[TG_MAX_SRC];
   /* Those that a channel of a destination is computed from. */
   uint8_t reads[TG_MAX_DST][4][TG_MAX_SRC];
};

/* ---- shadows ------------------------------------------------------------- */

/* Where an undefined value comes from: a channel that was never written, and
 * the first instruction that computed with it, if one did. */
struct check_origin {
   uint32_t channel;
   uint32_t reader;
};

/* A channel of a register. Bits are lanes. */
struct check_shadow {
   uint16_t unwritten;         /* since the wave began */
   uint16_t undefined;         /* written, with an undefined value */
   uint32_t origin[LIR_LANES]; /* of `undefined`: origin */
};

/* Undefined lanes of a value, and where they have it from. */
struct check_value {
   uint16_t undefined;
   uint32_t origin[LIR_LANES];
};

enum { CHECK_MAX_OPERANDS = TG_MAX_SRC + TG_MAX_DST };

struct check_wave {
   const struct exec_wave *state;
   unsigned number;
   struct check_shadow *shadows;      /* by channel */
   uint32_t (*out_writer)[LIR_LANES]; /* by channel of OUT: last instruction */

   /* The instruction at hand. */
   uint32_t instruction;
   uint16_t lanes; /* active */
   uint16_t live;  /* and live */
   uint16_t guard[4];
   uint32_t index[CHECK_MAX_OPERANDS][2][LIR_LANES]; /* register, dimension */
   struct check_value result[TG_MAX_DST][4];

   uint16_t *private_written; /* by word: lanes; NULL without such memory */
   /* Of the texel that comes next. */
   unsigned num_coordinates;
   uint32_t coordinate[4][LIR_LANES];
};

struct check_page;

struct check {
   struct tg_arena arena; /* owns everything, the check itself too */
   const struct tg_shader *shader;
   struct abi_layout layout;

   struct check_file files[TG_NUM_FILES];
   uint32_t num_channels;
   struct check_row *rows; /* by instruction */

   struct check_wave *waves;
   unsigned num_waves;

   /* Those below num_channels stand for channels that nothing computed with. */
   struct check_origin *origins;
   uint32_t num_origins;
   uint32_t *origin_table; /* hashes to numbers, CHECK_NONE where empty */

   enum check_lanes lanes; /* what they are called */

   /* Of a dispatch: threads of a block and blocks; which block it is, from 1,
    * and how many barriers it has passed. */
   bool is_dispatch;
   uint32_t block_size[3];
   uint64_t grid[3];
   uint32_t block, epoch;

   struct check_page **pages; /* race.c: a hash table */
   unsigned num_pages;
   bool is_full; /* a page was not to be had, because there are too many */
   bool out_of_memory;

   struct tg_diagnostics *diagnostics;
   size_t first_diagnostic;
   uint32_t num_findings;
   uint16_t *reported; /* by instruction: bits of codes */
};

/* The lanes in which a word is not 0. */
static inline uint16_t
check_lanes_of(const uint32_t value[LIR_LANES])
{
   uint16_t lanes = 0;

   for (unsigned i = 0; i < LIR_LANES; i++)
      lanes |= (uint16_t)((value[i] != 0) << i);
   return lanes;
}

/* The instruction at hand. */
static inline const struct tg_instruction *
check_instruction(const struct check *check, const struct check_wave *wave)
{
   return &check->shader->instructions[wave->instruction];
}

/* ---- plan.c -------------------------------------------------------------- */

/* Works out what is known of the shader before it runs: its files, and a row
 * for each instruction. False when out of memory. */
bool
check_plan(struct check *check);

/* ---- findings.c ---------------------------------------------------------- */

/* True once for each instruction and code: then report it. */
bool
check_finding_is_new(struct check *check, uint32_t instruction,
                     enum check_code code);

/* Adds a finding about the instruction at hand. */
void
check_report_finding(struct check *check, uint32_t instruction,
                     enum check_code code, const char *note, const char *format,
                     ...) __attribute__((format(printf, 5, 6)));

/* "lane 3", "pixel (10, 4)", or as a thread of the block at hand. */
struct check_name {
   char text[128];
};
struct check_name
check_lane_name(const struct check *check, const struct check_wave *wave,
                unsigned lane);

/* "thread (3, 0, 0) of block (1, 0, 0)", the block by its number from 1. */
struct check_name
check_thread_name(const struct check *check, uint32_t block, uint32_t thread);

/* ---- ranges.c ------------------------------------------------------------ */

/* Index detector: checks the bounds of all computed indices of the instruction
 * at hand. */
void
check_ranges(struct check *check, const struct check_wave *wave);

/* ---- memory.c ------------------------------------------------------------ */

/* Memory detector: bounds, undefined contents and races of an ABI_EVENT_ACCESS.
 */
void
check_memory_access(struct check *check, struct check_wave *wave,
                    uint32_t detail, const uint32_t index[LIR_LANES]);

/* ---- race.c -------------------------------------------------------------- */

/* Makes room for the last accesses to each unit of memory. False when out of
 * memory. */
bool
check_races_create(struct check *check);

/* Forgets all accesses. */
void
check_races_begin(struct check *check);

/* ---- registers.c --------------------------------------------------------- */

bool
check_register_origins_create(struct check *check);

void
check_registers_begin(struct check *check, struct check_wave *wave);

/* The instruction at hand begins: looks at what it uses and works out which of
 * its results are undefined. */
void
check_registers_step(struct check *check, struct check_wave *wave);

void
check_registers_choose(struct check *check, struct check_wave *wave,
                       uint32_t detail, uint16_t is_first);
void
check_registers_write(struct check *check, struct check_wave *wave,
                      uint32_t detail, uint16_t lanes);

/* Reports undefined values that leave the shader, in these lanes. */
void
check_registers_leave(struct check *check, struct check_wave *wave,
                      uint16_t lanes);

#endif
