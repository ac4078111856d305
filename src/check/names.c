/* SPDX-License-Identifier: MIT
 *
 * Names of threads, lanes and places of memory in what is reported.
 */
#include <stdio.h>

#include "check/access.h"

struct check_name
check_thread_name(const struct check *check, uint32_t block, uint32_t thread)
{
   const uint32_t *size = check->block_size;
   const uint64_t number = block - 1;
   struct check_name name;

   snprintf(name.text, sizeof(name.text),
            "thread (%u, %u, %u) of block (%llu, %llu, %llu)",
            (unsigned)(thread % size[0]),
            (unsigned)(thread / size[0] % size[1]),
            (unsigned)(thread / size[0] / size[1]),
            (unsigned long long)(number % check->grid[0]),
            (unsigned long long)(number / check->grid[0] % check->grid[1]),
            (unsigned long long)(number / check->grid[0] / check->grid[1]));
   return name;
}

struct check_name
check_lane_name(const struct check *check, const struct check_wave *wave,
                unsigned lane)
{
   struct check_name name;

   if (check->is_dispatch)
      return check_thread_name(check, check->block,
                               wave->number * LIR_LANES + lane);
   if (check->lanes == CHECK_LANES) {
      snprintf(name.text, sizeof(name.text), "lane %u", lane);
      return name;
   }

   uint32_t(*words)[LIR_LANES] = wave->state->input.data;
   if (check->lanes == CHECK_PIXELS)
      snprintf(name.text, sizeof(name.text), "pixel (%d, %d)",
               (int)words[0][lane], (int)words[1][lane]);
   else
      snprintf(name.text, sizeof(name.text), "vertex %u of instance %u",
               (unsigned)words[0][lane], (unsigned)words[1][lane]);
   return name;
}

const char *
check_name_verb(enum abi_access_kind kind)
{
   switch (kind) {
   case ABI_ACCESS_LOAD: return "reads";
   case ABI_ACCESS_STORE: return "writes";
   case ABI_ACCESS_ATOMIC: break;
   }
   return "changes";
}

/* What a binding is called in a shader. */
static void
name_binding(const struct check *check, const struct check_wave *wave,
             const struct check_access *access, char *text, size_t size)
{
   const struct tg_register *reg = check_memory_object(check, wave);
   const char *file = reg->file == TG_FILE_RES ? "RES" : NULL;
   uint32_t binding = access->binding;

   if (access->space == LIR_SPACE_IMAGE) {
      snprintf(text, size, "%s[%u]", file ? file : "IMAGE", (unsigned)binding);
   } else if (access->space == LIR_SPACE_SHARED) {
      snprintf(text, size, "shared memory");
   } else if (access->space == LIR_SPACE_ARRAY) {
      snprintf(text, size, "private memory");
   } else if (access->space == LIR_SPACE_CONST) {
      if (binding == ABI_CONST_INPUT)
         snprintf(text, size, "input memory");
      else
         snprintf(text, size, "CONST[%u]", (unsigned)binding);
   } else if (binding >= ABI_BUFFER_GLOBAL) {
      snprintf(text, size, "global memory");
   } else if (binding >= ABI_BUFFER_COUNTERS) {
      snprintf(text, size, "HWATOMIC[%u]",
               (unsigned)binding - ABI_BUFFER_COUNTERS);
   } else {
      snprintf(text, size, "%s[%u]", file ? file : "BUFFER", (unsigned)binding);
   }
}

struct check_place_name
check_place_name(const struct check *check, const struct check_wave *wave,
                 const struct check_access *access)
{
   struct check_place_name name;
   char binding[32];
   size_t length;

   name_binding(check, wave, access, binding, sizeof(binding));
   if (access->space != LIR_SPACE_IMAGE) {
      snprintf(name.text, sizeof(name.text), "byte %llu of %s",
               (unsigned long long)access->index * access->unit, binding);
      return name;
   }
   length = (size_t)snprintf(
      name.text, sizeof(name.text), "%s (",
      check_memory_is_by_bytes(check, wave, access) ? "byte" : "texel");
   for (unsigned i = 0; i < wave->num_coordinates; i++)
      length += (size_t)snprintf(name.text + length, sizeof(name.text) - length,
                                 "%s%d", i ? ", " : "",
                                 (int)wave->coordinate[i][access->lane]);
   snprintf(name.text + length, sizeof(name.text) - length, ") of %s", binding);
   return name;
}
