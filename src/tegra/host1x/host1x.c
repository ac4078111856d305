/* SPDX-License-Identifier: MIT
 *
 * The parser of command streams. It looks at each word once, and at each bit of
 * a mask.
 */
#include "tegra/host1x/host1x.h"

#include <assert.h>

/* Names as in host1x.def. */
enum data { DATA_NONE, DATA_COUNT, DATA_MASK6, DATA_MASK16, DATA_ADDRESS };
enum target {
   TARGET_NONE,
   TARGET_SAME,
   TARGET_NEXT,
   TARGET_MASK,
   TARGET_OWN,
};

static const struct {
   const char *name;
   enum data data;
   enum target target;
} commands[HOST1X_NUM_COMMANDS] = {
#define HOST1X_COMMAND(name, number, data, register)                           \
   [number] = {#name, DATA_##data, TARGET_##register},
#include "tegra/host1x/host1x.def"
#include "util/length.h"
};

const char *
host1x_name(enum host1x_number number)
{
   assert(number < TG_LENGTH(commands));
   return commands[number].name;
}

/* The bits of a command that say which registers are written. */
static uint32_t
mask_of(uint32_t word)
{
   switch (commands[host1x_number(word)].data) {
   case DATA_MASK6: return word & 0x3f;
   case DATA_MASK16: return word & 0xffff;
   default: return 0;
   }
}

uint32_t
host1x_num_data(uint32_t word)
{
   switch (commands[host1x_number(word)].data) {
   case DATA_NONE: break;
   case DATA_COUNT: return word & 0xffff;
   case DATA_MASK6:
   case DATA_MASK16: return (uint32_t)__builtin_popcount(mask_of(word));
   case DATA_ADDRESS: return 1;
   }
   return 0;
}

struct walk {
   host1x_write_function write;
   void *user;
   uint32_t class_id;
};

static bool
write_register(const struct walk *walk, uint32_t offset, uint32_t value)
{
   const struct host1x_write write = {walk->class_id, offset, value};

   return walk->write(walk->user, &write);
}

/* A command with its words of data, all of which are there. */
static bool
run_command(struct walk *walk, uint32_t word, const uint32_t *data)
{
   const enum target target = commands[host1x_number(word)].target;
   const uint32_t first = word >> 16 & 0xfff;
   const uint32_t num_data = host1x_num_data(word);
   uint32_t mask = mask_of(word);
   bool goes_on = true;

   if (host1x_number(word) == HOST1X_SETCL)
      walk->class_id = word >> 6 & 0x3ff;
   if (target == TARGET_NONE)
      return true;
   if (target == TARGET_OWN)
      return write_register(walk, first, word & 0xffff);
   for (uint32_t i = 0; i < num_data && goes_on; i++) {
      uint32_t offset = first;

      if (target == TARGET_NEXT)
         offset += i;
      else if (target == TARGET_MASK)
         offset += (uint32_t)__builtin_ctz(mask);
      mask &= mask - 1;
      goes_on = write_register(walk, offset, data[i]);
   }
   return goes_on;
}

enum host1x_end
host1x_walk(const uint32_t *words, size_t num_words,
            host1x_write_function write, void *user, size_t *at_out)
{
   struct walk walk = {write, user, HOST1X_CLASS_3D};
   size_t at = 0;

   for (; at < num_words; at += 1 + host1x_num_data(words[at])) {
      *at_out = at;
      if (!host1x_name(host1x_number(words[at])))
         return HOST1X_NO_COMMAND;
      if (host1x_num_data(words[at]) > num_words - at - 1)
         return HOST1X_CUT;
      if (!run_command(&walk, words[at], words + at + 1))
         return HOST1X_STOPPED;
   }
   *at_out = at;
   return HOST1X_ENDED;
}
