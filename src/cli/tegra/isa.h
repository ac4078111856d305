/* SPDX-License-Identifier: MIT
 *
 * The tables of Tegra's vertex unit as words, for listings and for
 * tungsten-tegra-isa(7). The program that makes manual pages at build time has
 * this too.
 */
#ifndef TG_CLI_TEGRA_ISA_H
#define TG_CLI_TEGRA_ISA_H

#include <stdio.h>

#include "tegra/isa/isa.h"

enum cli_tegra_opcode_column {
   CLI_TEGRA_NAME, /* with the letter of its unit */
   CLI_TEGRA_UNIT,
   CLI_TEGRA_NUMBER,
   CLI_TEGRA_ALIAS,
   CLI_TEGRA_OPERANDS,
   CLI_TEGRA_READS,
   CLI_TEGRA_RESULT,
   CLI_TEGRA_EFFECT,
   CLI_TEGRA_FORMULA,
   CLI_TEGRA_NUM_OPCODE_COLUMNS,
};

/* A row of opcodes.def. A cell without a word is NULL. */
struct cli_tegra_opcode {
   const char *cells[CLI_TEGRA_NUM_OPCODE_COLUMNS];
   char name[16], alias[16], number[8]; /* what some of them point to */
};

/* The opcode must have a row. Fills `*row` in place, since cells point into
 * it. */
void
cli_tegra_isa_describe_opcode(enum tegra_unit unit, unsigned number,
                              struct cli_tegra_opcode *row);

enum cli_tegra_field_column {
   CLI_TEGRA_FIELD,
   CLI_TEGRA_LSB,
   CLI_TEGRA_WIDTH,
   CLI_TEGRA_WORDS, /* "W3 2-9", bits in words */
   CLI_TEGRA_TITLE,
   CLI_TEGRA_NUM_FIELD_COLUMNS,
};

/* A row of fields.def. */
struct cli_tegra_field {
   const char *cells[CLI_TEGRA_NUM_FIELD_COLUMNS];
   char lsb[8], width[8], words[32];
};

void
cli_tegra_isa_describe_field(enum tegra_field field,
                             struct cli_tegra_field *row);

/* Prints the manual page of the instruction set: opcodes and fields. */
void
cli_print_tegra_isa(FILE *out);

#endif
