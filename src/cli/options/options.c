/* SPDX-License-Identifier: MIT
 *
 * Option parsing: getopt_long() fed from the rows of table/options.def.
 */
#include "cli/options/options.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "tungsten/base.h"
#include "util/diagnostics.h"
#include "util/number.h"
#include "util/strbuf.h"

enum { FIRST_LONG = 256 }; /* getopt's value of option 0 by its long name */

/* The field of an option, as the kind says. */
static void *
field(struct cli_options *options, const struct cli_option_info *option)
{
   return (char *)options + option->offset;
}

static bool
set_choice(unsigned *choice, const struct cli_option_info *option,
           const char *word)
{
   unsigned number = 0;

   for (const char *rest = option->argument; rest; number++) {
      const char *candidate = rest;
      size_t length = (size_t)cli_first_command_choice(candidate, &rest);

      if (strlen(word) == length && memcmp(word, candidate, length) == 0) {
         *choice = number;
         return true;
      }
   }
   cli_complain("--%s is one of %s, not '%s'", option->name, option->argument,
                word);
   return false;
}

static bool
set_number(uint64_t *number, const struct cli_option_info *option,
           const char *word)
{
   if (tg_number_read(word, strlen(word), number) == TG_NUMBER_GOOD &&
       *number >= option->least && *number <= option->greatest)
      return true;
   cli_complain("--%s is a number from %llu to %llu, not '%s'", option->name,
                (unsigned long long)option->least,
                (unsigned long long)option->greatest, word);
   return false;
}

bool
cli_read_size_option(const char *word, uint64_t greatest, uint64_t *size_out)
{
   static const char units[] = "KMG";
   const size_t length = strlen(word);
   const char *unit = length ? strchr(units, word[length - 1]) : NULL;
   const unsigned shift = unit ? (unsigned)(unit - units + 1) * 10 : 0;

   if (tg_number_read(word, length - (unit != NULL), size_out) !=
          TG_NUMBER_GOOD ||
       *size_out > greatest >> shift)
      return false;
   *size_out <<= shift;
   return true;
}

static bool
set_size(uint64_t *size, const struct cli_option_info *option, const char *word)
{
   if (cli_read_size_option(word, option->greatest, size) &&
       *size >= option->least)
      return true;
   cli_complain("--%s is a number of bytes from %llu to %llu, perhaps with K, "
                "M or G after it, not '%s'",
                option->name, (unsigned long long)option->least,
                (unsigned long long)option->greatest, word);
   return false;
}

static bool
set_limit(struct cli_limit *limit, const struct cli_option_info *option,
          const char *word)
{
   char *end;

   limit->is_given = true;
   limit->value = strtod(word, &end);
   if (*word >= '0' && *word <= '9' && !*end &&
       limit->value <= (double)option->greatest)
      return true;
   cli_complain("--%s is a number up to %llu, 0 for no limit, not '%s'",
                option->name, (unsigned long long)option->greatest, word);
   return false;
}

static bool
append(struct cli_list *list, const char *word)
{
   const char **items =
      reallocarray(list->items, list->count + 1, sizeof(*items));
   if (!items) {
      cli_complain("out of memory");
      return false;
   }
   list->items = items;
   list->items[list->count++] = word;
   return true;
}

static bool
set_option(struct cli_options *options, const struct cli_option_info *option,
           const char *argument)
{
   void *to = field(options, option);

   switch ((enum cli_option_kind)option->kind) {
   case CLI_FLAG: *(bool *)to = true; return true;
   case CLI_CHOICE: return set_choice(to, option, argument);
   case CLI_STRING: *(const char **)to = argument; return true;
   case CLI_NUMBER: return set_number(to, option, argument);
   case CLI_SIZE: return set_size(to, option, argument);
   case CLI_LIMIT: return set_limit(to, option, argument);
   case CLI_LIST: return append(to, argument);
   }
   return false;
}

/* What getopt_long() wants to know about the options of a command. */
struct getopt_tables {
   struct option long_options[CLI_NUM_OPTIONS + 1];
   char letters[2 + CLI_NUM_OPTIONS * 2 + 1];
   int by_letter[128]; /* option, -1 for what is no letter of the command */
};

static void
fill_tables(const struct cli_command_info *command,
            struct getopt_tables *tables)
{
   struct option *row = tables->long_options;
   char *letter = tables->letters;

   memset(tables->by_letter, -1, sizeof(tables->by_letter));
   if (strncmp(command->operands, "PROGRAM", strlen("PROGRAM")) == 0)
      *letter++ = '+'; /* what follows a program is its own */
   *letter++ = ':';    /* a missing argument is an answer of its own */
   for (unsigned i = 0; i < command->num_options; i++) {
      const enum cli_option_id id = command->options[i];
      const struct cli_option_info *option = &cli_options_info[id];

      *row++ = (struct option){
         .name = option->name,
         .has_arg = option->argument ? required_argument : no_argument,
         .val = FIRST_LONG + (int)id,
      };
      if (!option->letter)
         continue;
      *letter++ = option->letter;
      if (option->argument)
         *letter++ = ':';
      tables->by_letter[(unsigned char)option->letter] = (int)id;
   }
}

/* ---- what getopt_long() cannot read -------------------------------------- */

/* The long names of a command's options. */
static const char *
option_name(const void *user, size_t index)
{
   const struct cli_command_info *command = user;

   assert(index < command->num_options);
   return cli_options_info[command->options[index]].name;
}

/* How many options begin with these letters; they are listed in `*names_out`,
 * up to its size. */
static unsigned
find_beginnings(const struct cli_command_info *command, const char *word,
                size_t length, char *names, size_t size)
{
   unsigned count = 0;
   size_t used = 0;

   for (unsigned i = 0; i < command->num_options; i++) {
      const char *name = option_name(command, i);

      if (strncmp(name, word, length) != 0)
         continue;
      used += (size_t)snprintf(names + used, used < size ? size - used : 0,
                               "%s--%s", count++ ? ", " : "", name);
   }
   return count;
}

/* A word that begins with two dashes, and is no option or that of several. */
static void
complain_of_name(const struct cli_command_info *command, const char *word)
{
   const size_t length = strcspn(word, "=");
   char names[512] = "";

   if (find_beginnings(command, word, length, names, sizeof(names)) > 1) {
      cli_complain("--%.*s is short for several options: %s", (int)length, word,
                   names);
      return;
   }
   const char *meant = tg_did_you_mean_of(word, length, command->num_options,
                                          option_name, command);

   cli_complain("%s has no option --%.*s%s%s%s", command->name, (int)length,
                word, meant ? "; did you mean --" : "", meant ? meant : "",
                meant ? "?" : "");
}

/* The option that getopt_long() was at; NULL: none that there is. */
static const struct cli_option_info *
current_option(const struct getopt_tables *tables)
{
   if (optopt >= FIRST_LONG)
      return &cli_options_info[optopt - FIRST_LONG];
   if (optopt > 0 && optopt < 128 && tables->by_letter[optopt] >= 0)
      return &cli_options_info[tables->by_letter[optopt]];
   return NULL;
}

/* Why getopt_long() returned ? or a colon at this word. */
static void
complain_of_word(const struct cli_command_info *command,
                 const struct getopt_tables *tables, const char *word,
                 bool lacks_argument)
{
   const struct cli_option_info *option = current_option(tables);

   if (lacks_argument)
      cli_complain("--%s wants an argument: --%s=%s", option->name,
                   option->name, option->argument);
   else if (option)
      cli_complain("--%s takes no argument", option->name);
   else if (optopt > ' ' && optopt < 127)
      cli_complain("%s has no option -%c", command->name, optopt);
   else if (optopt)
      cli_complain("an option is - and a letter, or -- and a name");
   else
      complain_of_name(command, word + strspn(word, "-"));
}

static bool
check_operands(const struct cli_command_info *command, int count)
{
   if (count < command->least)
      cli_complain("%s wants %s", command->name, command->operands);
   else if (count > command->greatest)
      cli_complain("%s takes no more than %d operand%s", command->name,
                   command->greatest, command->greatest == 1 ? "" : "s");
   else
      return true;
   return false;
}

static const struct conflict {
   enum cli_option_id flag, other;
   unsigned from; /* the least value of `other` that clashes */
} conflicts[] = {
#define CLI_CONFLICT(flag_, other_, from_)                                     \
   {OPTION_##flag_, OPTION_##other_, from_},
#include "cli/table/options.def"
};

/* What a FLAG, a STRING or a CHOICE has: 0 if it was not given. */
static unsigned
number_of(struct cli_options *options, const struct cli_option_info *info)
{
   const void *value = field(options, info);

   switch (info->kind) {
   case CLI_FLAG: return *(const bool *)value;
   case CLI_STRING: return *(const char *const *)value != NULL;
   default: return *(const unsigned *)value;
   }
}

/* Complains if both were given. */
static bool
keep_apart(const struct conflict *conflict, struct cli_options *options)
{
   const struct cli_option_info *flag = &cli_options_info[conflict->flag];
   const struct cli_option_info *other = &cli_options_info[conflict->other];
   const char *word = other->argument, *rest;
   unsigned number = number_of(options, other);

   if (!number_of(options, flag) || number < conflict->from)
      return true;
   if (other->kind != CLI_CHOICE) {
      cli_complain("--%s and --%s do not go together", flag->name, other->name);
      return false;
   }
   while (number--)
      cli_first_command_choice(word, &word);
   cli_complain("--%s and --%s=%.*s do not go together", flag->name,
                other->name, cli_first_command_choice(word, &rest), word);
   return false;
}

static bool
check_conflicts(struct cli_options *options)
{
   for (size_t i = 0; i < sizeof(conflicts) / sizeof(*conflicts); i++) {
      if (!keep_apart(&conflicts[i], options))
         return false;
   }
   return true;
}

/* Is there one of that name? */
static bool
check_executor(const struct cli_options *options)
{
   struct tg_strbuf names = {0};
   const char *name;

   for (unsigned i = 0; (name = tg_executor_name(i)); i++) {
      if (!options->executor || strcmp(options->executor, name) == 0) {
         tg_strbuf_finish(&names);
         return true;
      }
      tg_strbuf_printf(&names, "%s%s", i ? ", " : "", name);
   }
   cli_complain("there is no executor '%s'; there are %s", options->executor,
                names.data ? names.data : "others");
   tg_strbuf_finish(&names);
   return false;
}

bool
cli_parse_options(const struct cli_command_info *command, int argc, char **argv,
                  struct cli_options *options, int *first_operand_out)
{
   struct getopt_tables tables = {0};
   fill_tables(command, &tables);

   *options = (struct cli_options){0};
   optind = 0; /* makes glibc start afresh */
   opterr = 0; /* what is wrong is reported here */
   for (;;) {
      int value =
         getopt_long(argc, argv, tables.letters, tables.long_options, NULL);
      if (value == -1)
         break;
      if (value == '?' || value == ':') {
         complain_of_word(command, &tables, argv[optind - 1], value == ':');
         return false;
      }
      int id =
         value >= FIRST_LONG ? value - FIRST_LONG : tables.by_letter[value];
      if (!set_option(options, &cli_options_info[id], optarg))
         return false;
      if (id == OPTION_help)
         return true;
   }
   *first_operand_out = optind;
   return check_conflicts(options) && check_executor(options) &&
          check_operands(command, argc - optind);
}

void
cli_options_finish(struct cli_options *options)
{
#define CLI_FINISH_FLAG(field)
#define CLI_FINISH_CHOICE(field)
#define CLI_FINISH_STRING(field)
#define CLI_FINISH_NUMBER(field)
#define CLI_FINISH_SIZE(field)
#define CLI_FINISH_LIMIT(field)
#define CLI_FINISH_LIST(field) free(options->field.items);
#define CLI_OPTION(id, letter, name, kind, ...) CLI_FINISH_##kind(id)
#include "cli/table/options.def"
   *options = (struct cli_options){0};
}
