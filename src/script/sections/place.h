/* SPDX-License-Identifier: MIT
 *
 * A place where shaders find memory, as a script describes it: what the memory
 * is and holds, and as what it is bound.
 */
#ifndef TG_SCRIPT_SECTIONS_PLACE_H
#define TG_SCRIPT_SECTIONS_PLACE_H

#include "script/sections/binding.h"
#include "script/text/cursor.h"
#include "tungsten/resource.h"

enum script_place_kind {
#define SCRIPT_PLACE(id, ...) SCRIPT_PLACE_##id,
#include "script/sections/places.def"
   SCRIPT_NUM_PLACE_KINDS
};

enum script_holds {
   SCRIPT_HOLDS_NOTHING, /* a sampler */
   SCRIPT_HOLDS_TEXELS,
   SCRIPT_HOLDS_BYTES,
};

struct script_place_rule {
   const char *words;
   uint32_t count;
   uint8_t holds; /* enum script_holds */
   uint8_t file;  /* of bytes: enum tg_buffer_file */
};

extern const struct script_place_rule
   script_place_rules[SCRIPT_NUM_PLACE_KINDS];

enum script_contents {
   SCRIPT_CONTENTS_NONE, /* zero */
   /* given in the script, as parts */
   SCRIPT_CONTENTS_TEXELS, /* 0xrrggbbaa */
   SCRIPT_CONTENTS_VALUES, /* four words each, as format_pack() takes them */
   SCRIPT_CONTENTS_BYTES,  /* as they lie in memory */
   /* made */
   SCRIPT_CONTENTS_CHECKER,
   SCRIPT_CONTENTS_GRADIENT,
   SCRIPT_CONTENTS_NUMBERED,
   SCRIPT_CONTENTS_COORDINATES,
   SCRIPT_CONTENTS_COLOR,
   SCRIPT_CONTENTS_PNG,
};

/* Which of a texel's four words each value of a script gives. */
struct script_components {
   unsigned count;
   uint8_t word[4];
   bool is_stencil[4]; /* an integer in any format */
};

/* Texels of one sample of a level, all its slices. */
struct script_part {
   uint32_t level, sample;
   const void *texels;
};

struct script_memory {
   bool is_undefined;            /* but for `bytes` */
   struct tg_resource_desc desc; /* sizes 0: those of the picture */
   enum script_contents contents;
   bool mipmaps;     /* made from level 0 */
   double color[4];  /* of SCRIPT_CONTENTS_COLOR */
   const char *path; /* of SCRIPT_CONTENTS_PNG, beside the script */
   struct tg_position path_position;
   struct script_components components; /* of SCRIPT_CONTENTS_VALUES */
   struct script_part *parts;
   uint32_t num_parts, part_capacity;
   /* Of a buffer: its first bytes, and the words that fill the rest. */
   uint8_t *bytes;
   uint32_t num_bytes, byte_capacity;
   uint32_t fill;
};

struct script_place {
   uint8_t kind; /* enum script_place_kind */
   uint32_t number;
   uint32_t index;                /* in the script's list */
   struct tg_position position;   /* of the head of its section */
   const struct script_place *of; /* whose memory it shows; NULL: its own */
   struct script_memory memory;
   struct script_binding binding;
};

/* How large a level is, in texels and slices: layers, faces or depth. */
struct script_extent {
   uint32_t width, height, slices;
};
struct script_extent
script_place_level_extent(const struct tg_resource_desc *desc, uint32_t level);

/* Whether integers are what it holds: digits alone are such then. */
bool
script_place_holds_integers(uint32_t format);

#endif
