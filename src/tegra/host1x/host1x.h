/* SPDX-License-Identifier: MIT
 *
 * Command streams of host1x, by which a program gets to the vertex unit: words
 * that are commands and their data, and what they write to registers.
 */
#ifndef TEGRA_HOST1X_H
#define TEGRA_HOST1X_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host1x_number {
#define HOST1X_COMMAND(name, number, data, register) HOST1X_##name = number,
#include "tegra/host1x/host1x.def"
   HOST1X_NUM_COMMANDS = 16,
};

enum { HOST1X_CLASS_3D = 0x60 };

/* Registers of the 3D class by which programs are uploaded. */
enum host1x_register {
   HOST1X_INSTRUCTION_INDEX = 0x205,
   HOST1X_INSTRUCTION = 0x206, /* of each four words in turn */
   HOST1X_CONSTANT_INDEX = 0x207,
   HOST1X_CONSTANT = 0x208, /* x, y, z and w in turn */
};

static inline enum host1x_number
host1x_number(uint32_t word)
{
   return (enum host1x_number)(word >> 28);
}

/* The name of a command, or NULL where there is no such command. */
const char *
host1x_name(enum host1x_number number);

/* How many words of data follow a command. */
uint32_t
host1x_num_data(uint32_t word);

/* Something written to a register. */
struct host1x_write {
   uint32_t class_id, offset, value;
};

/* Returns false to end the walk. */
typedef bool (*host1x_write_function)(void *user,
                                      const struct host1x_write *write);

/* Where a walk came to its end. */
enum host1x_end {
   HOST1X_ENDED,      /* after the last word */
   HOST1X_STOPPED,    /* by the function */
   HOST1X_NO_COMMAND, /* the word `at` is none */
   HOST1X_CUT,        /* of its words of data some are missing */
};

/* Walks a command stream: calls `write` for each write in order. Streams of a
 * channel of the 3D unit need not set its class, so that it is the first.
 * `*at_out` is the number of the command that the walk came to its end with. */
enum host1x_end
host1x_walk(const uint32_t *words, size_t num_words,
            host1x_write_function write, void *user, size_t *at_out);

#endif
