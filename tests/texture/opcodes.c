/* SPDX-License-Identifier: MIT
 *
 * What texture opcodes are made of, and with which targets they go.
 */
#include "cases.h"

const struct texture_opcode texture_opcodes[TG_NUM_OPCODES] = {
   [TG_OPCODE_TEX] = {FORM_LOOKUP, LEVEL_QUAD},
   [TG_OPCODE_TEX_LZ] = {FORM_LOOKUP, LEVEL_ZERO},
   [TG_OPCODE_TXP] = {FORM_LOOKUP, LEVEL_QUAD, .divides = true},
   [TG_OPCODE_TXB] = {FORM_LOOKUP, LEVEL_BIAS},
   [TG_OPCODE_TXL] = {FORM_LOOKUP, LEVEL_LOD},
   [TG_OPCODE_TXD] = {FORM_LOOKUP, LEVEL_DERIVATIVES, 1},
   [TG_OPCODE_TEX2] = {FORM_LOOKUP, LEVEL_QUAD},
   [TG_OPCODE_TXB2] = {FORM_LOOKUP, LEVEL_BIAS, 1},
   [TG_OPCODE_TXL2] = {FORM_LOOKUP, LEVEL_LOD, 1},
   [TG_OPCODE_TXF] = {FORM_FETCH, LEVEL_LOD},
   [TG_OPCODE_TXF_LZ] = {FORM_FETCH, LEVEL_ZERO},
   [TG_OPCODE_TXQ] = {FORM_SIZE},
   [TG_OPCODE_TXQS] = {FORM_SAMPLES},
   [TG_OPCODE_TG4] = {FORM_GATHER},
   [TG_OPCODE_LODQ] = {FORM_LOD, LEVEL_QUAD},
   [TG_OPCODE_SAMP2HND] = {FORM_HANDLE},

   [TG_OPCODE_SAMPLE] = {FORM_LOOKUP, LEVEL_QUAD},
   [TG_OPCODE_SAMPLE_B] = {FORM_LOOKUP, LEVEL_BIAS, 3},
   [TG_OPCODE_SAMPLE_L] = {FORM_LOOKUP, LEVEL_LOD, 3},
   [TG_OPCODE_SAMPLE_C] = {FORM_LOOKUP, LEVEL_QUAD, 3, .compares = true},
   [TG_OPCODE_SAMPLE_C_LZ] = {FORM_LOOKUP, LEVEL_ZERO, 3, .compares = true},
   [TG_OPCODE_SAMPLE_D] = {FORM_LOOKUP, LEVEL_DERIVATIVES, 3},
   [TG_OPCODE_SAMPLE_I] = {FORM_FETCH, LEVEL_LOD},
   [TG_OPCODE_SAMPLE_I_MS] = {FORM_FETCH, LEVEL_ZERO, 2},
   [TG_OPCODE_LOAD] = {FORM_FETCH, LEVEL_LOD, .is_old = true},
   [TG_OPCODE_LOAD_MS] = {FORM_FETCH, LEVEL_ZERO, 2, .is_old = true,
                          .finds_samples = true},
   [TG_OPCODE_GATHER4] = {FORM_GATHER},
   [TG_OPCODE_LOD] = {FORM_LOD, LEVEL_QUAD},
   [TG_OPCODE_SVIEWINFO] = {FORM_SIZE, .finds_samples = true},
   [TG_OPCODE_RESINFO] = {FORM_SIZE, .is_old = true, .finds_samples = true},
   [TG_OPCODE_SAMPLE_POS] = {FORM_POSITION, .finds_samples = true},
   [TG_OPCODE_SAMPLE_INFO] = {FORM_SAMPLES, .finds_samples = true},
};

enum { X, o, w, s };

struct rule {
   uint8_t max_offsets;
   uint8_t targets[TG_TARGET_UNKNOWN];
};

static const struct rule rules[TG_NUM_OPCODES] = {
#define TG_TEXTURE_RULE(name, offsets, ...)                                    \
   [TG_OPCODE_##name] = {offsets, {__VA_ARGS__}},
#include "tgsi/validate/texture_rules.def"
};

/* LOAD of a RES, which the table of textures leaves to that of memory, takes
 * what SAMPLE_I takes. */
bool
texture_is_legal(enum tg_opcode opcode, enum tg_target target)
{
   const enum tg_opcode like =
      opcode == TG_OPCODE_LOAD ? TG_OPCODE_SAMPLE_I : opcode;

   return target < TG_TARGET_UNKNOWN && rules[like].targets[target] != X;
}

unsigned
texture_max_offsets(enum tg_opcode opcode)
{
   return rules[opcode].max_offsets;
}

unsigned
texture_num_cases(enum tg_opcode opcode)
{
   static const uint8_t counts[] = {
      [FORM_NONE] = 0,    [FORM_LOOKUP] = 32,  [FORM_GATHER] = 24,
      [FORM_FETCH] = 12,  [FORM_LOD] = 8,      [FORM_SIZE] = 4,
      [FORM_SAMPLES] = 4, [FORM_POSITION] = 4, [FORM_HANDLE] = 2,
   };

   return counts[texture_opcodes[opcode].form];
}
