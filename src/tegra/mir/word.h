/* SPDX-License-Identifier: MIT
 *
 * Resource conflicts within a word: what an operation wants of the word that it
 * goes into. Two operations share a word when no bit is wanted both ways, which
 * is most of the rules of dual issue at once: one constant, one attribute, one
 * export, one rC, one predicate.
 */
#ifndef TEGRA_MIR_WORD_H
#define TEGRA_MIR_WORD_H

#include "tegra/mir/mir.h"

struct word_claim {
   uint32_t value[TG_TEGRA_WORDS];
   uint32_t needed[TG_TEGRA_WORDS]; /* bits that must be so */
   uint32_t wanted[TG_TEGRA_WORDS]; /* and those that would look better */
};

/* What an operation needs of an instruction word. Of a branch `target` counts
 * as the number of an instruction. */
void
word_claim(const struct mir_op *op, struct word_claim *claim);

/* Does an operation read one constant and one attribute at most? Literals of
 * one operation can be parts of one constant. */
bool
word_can_hold(const struct mir_op *op);

/* May a vector and a scalar operation, whose claims these are, share a word?
 * That neither needs the other's result is not looked at. */
bool
word_can_pair(const struct mir_op *vector,
              const struct word_claim *vector_claim,
              const struct mir_op *scalar,
              const struct word_claim *scalar_claim);

/* Encodes the instruction word of one or two operations. What they leave open
 * is as NVIDIA's compiler has it; without any it does nothing. */
union tegra_instruction
word_pack(const struct mir_op *ops, uint32_t num_ops);

#endif
