/* SPDX-License-Identifier: MIT
 *
 * The command line as data: the rows of subcommands.def and options.def, and
 * what the options of a call came to.
 */
#ifndef TG_CLI_TABLE_COMMANDS_H
#define TG_CLI_TABLE_COMMANDS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Ends of the program, which are promises to scripts. */
enum cli_status {
   CLI_OK = 0,
   CLI_FAILED = 1, /* the input, a file or a test is at fault */
   CLI_USAGE = 2,  /* the command line is */
};

enum { CLI_ANY_NUMBER = INT_MAX };

enum cli_option_id {
#define CLI_OPTION(id, ...) OPTION_##id,
#include "cli/table/options.def"
   CLI_NUM_OPTIONS
};

enum cli_command_id {
#define CLI_COMMAND(name, ...) COMMAND_##name,
#define CLI_GROUP(name, ...) COMMAND_##name,
#include "cli/table/subcommands.def"
   CLI_NUM_COMMANDS
};

enum cli_option_kind {
   CLI_FLAG,
   CLI_CHOICE,
   CLI_STRING,
   CLI_NUMBER,
   CLI_SIZE,
   CLI_LIMIT,
   CLI_LIST,
};

/* The arguments of an option that was given more than once. */
struct cli_list {
   const char **items;
   unsigned count;
};

/* A limit, if one was given: 0 for none. */
struct cli_limit {
   bool is_given;
   double value;
};

/* A field for each option, by kind. */
#define CLI_FIELD_FLAG bool
#define CLI_FIELD_CHOICE unsigned
#define CLI_FIELD_STRING const char *
#define CLI_FIELD_NUMBER uint64_t
#define CLI_FIELD_SIZE uint64_t
#define CLI_FIELD_LIMIT struct cli_limit
#define CLI_FIELD_LIST struct cli_list
struct cli_options {
#define CLI_OPTION(id, letter, name, kind, ...) CLI_FIELD_##kind id;
#include "cli/table/options.def"
};

struct cli_option_info {
   const char *name;
   const char *argument; /* NULL: none */
   const char *help;
   uint64_t least, greatest;
   uint16_t offset; /* of the field in struct cli_options */
   uint8_t kind;    /* enum cli_option_kind */
   char letter;     /* 0: none */
};

/* A row of a command, or of a group, which is called by no handler and has
 * neither options nor an example. */
struct cli_command_info {
   const char *name; /* all words: "run", "tegra run" */
   const char *word; /* the last of them */
   const char *operands;
   const char *summary;
   const char *details;
   const char *example;
   int least, greatest; /* number of operands */
   int group;           /* enum cli_command_id, or CLI_NO_GROUP */
   bool is_group;
   unsigned num_options;
   const enum cli_option_id *options; /* in the order of listings */
};

extern const struct cli_option_info cli_options_info[CLI_NUM_OPTIONS];
extern const struct cli_command_info cli_commands[CLI_NUM_COMMANDS];

enum { CLI_NO_GROUP = -1 }; /* what stands right after `tungsten` */

/* The number of the command of a group that has this last word, or -1. */
int
cli_command_find(int group, const char *word);

/* The next command of a group after `previous` (-1: the first), or -1 after
 * the last. */
int
cli_next_command(int group, int previous);

/* The length of the first word of a CHOICE's argument, and in `*rest` what
 * follows its bar, or NULL after the last word. */
int
cli_first_command_choice(const char *words, const char **rest);

#endif
