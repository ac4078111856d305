/* SPDX-License-Identifier: MIT
 *
 * Capability sets, which a client is sent, made from the device's capabilities.
 * A row of capset.def a field.
 */
#include <stdio.h>
#include <string.h>

#include "virgl/core/host.h"
#include "virgl/wire/formats.h"

enum {
   MOST_GL_VERSION = 430, /* that is advertised unless less is asked for */
   MAX_SAMPLES = 8,
   BUFFER_ALIGNMENT = 16, /* bytes, of parts of buffers */
   NUM_STAGES = 6,
   RENDERER_BYTES = 64,

   /* Places in the set. */
   AT_VERSION = 0,
   AT_GLSL_LEVEL = 264,
   AT_SAMPLE_LOCATIONS = 396,
   AT_RENDERER = 696,
   AT_MULTISAMPLE_FORMATS = 768,
};

/* QUADS and QUAD_STRIP are made triangles by the client. */
#define PRIMITIVES ~(1u << TG_PRIM_QUADS | 1u << TG_PRIM_QUAD_STRIP)

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* ---- fields -------------------------------------------------------------- */

static void
put_word(unsigned char *set, unsigned offset, uint32_t value)
{
   for (unsigned i = 0; i < 4; i++)
      set[offset + i] = (unsigned char)(value >> 8 * i);
}

static void
put_float(unsigned char *set, unsigned offset, float value)
{
   uint32_t word;

   memcpy(&word, &value, sizeof(word));
   put_word(set, offset, word);
}

static void
put_stages(unsigned char *set, unsigned offset, uint32_t value)
{
   for (unsigned i = 0; i < NUM_STAGES; i++)
      put_word(set, offset + 4 * i, value);
}

static void
put_bit(unsigned char *set, unsigned offset, unsigned bit, bool value)
{
   if (value)
      set[offset + bit / 8] |= (unsigned char)(1 << bit % 8);
}

/* Three channels of 8 or 16 bits without padding are not offered for textures:
 * for RGB8UI a client would take 24 bits, and for RGB8 the 32 of R8G8B8X8, but
 * OpenGL copies and views one as the other. */
static uint32_t
uses_of(uint32_t format)
{
   const uint32_t num_bytes = tg_format_get_block(format).bytes;
   const uint32_t uses = tg_format_get_uses(format);

   return num_bytes == 3 || num_bytes == 6 ? uses & TG_FORMAT_USE_VERTEX : uses;
}

static void
put_formats(unsigned char *set, unsigned offset, uint32_t uses)
{
   for (unsigned i = 1; i < VIRGL_NUM_FORMATS; i++)
      put_bit(set, offset, i, (uses_of(virgl_format(i)) & uses) != 0);
}

/* A byte a sample, 16ths of a pixel: x above y. */
static void
put_sample_locations(unsigned char *set)
{
   static const struct {
      unsigned num_samples, offset;
   } places[] = {{2, 0}, {4, 4}, {8, 8}, {16, 16}};

   for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
      for (unsigned s = 0; s < places[i].num_samples; s++) {
         float position[2];

         if (tg_get_sample_position(places[i].num_samples, s, position) ==
             TG_OK)
            set[AT_SAMPLE_LOCATIONS + places[i].offset + s] =
               (unsigned char)((unsigned)(position[0] * 16) << 4 |
                               (unsigned)(position[1] * 16));
      }
   }
}

/* ---- the set ------------------------------------------------------------- */

/* The version of the shading language is that of OpenGL from 3.3 on. */
static uint32_t
glsl_of(unsigned version)
{
   static const struct {
      unsigned version, glsl;
   } rows[] = {{320, 150}, {310, 140}, {300, 130}, {0, 120}};
   unsigned i = 0;

   if (version >= 330)
      return version;
   while (version < rows[i].version)
      i++;
   return rows[i].glsl;
}

static void
fill(unsigned char *set, const struct tg_caps *caps, unsigned version,
     bool shares_memory)
{
#define VIRGL_WORD(offset, since, value)                                       \
   if (version >= since)                                                       \
      put_word(set, offset, value);
#define VIRGL_FLOAT(offset, since, value)                                      \
   if (version >= since)                                                       \
      put_float(set, offset, value);
#define VIRGL_STAGES(offset, since, value)                                     \
   if (version >= since)                                                       \
      put_stages(set, offset, value);
#define VIRGL_BIT(offset, bit, since, value)                                   \
   if (version >= since)                                                       \
      put_bit(set, offset, bit, value);
#define VIRGL_FORMATS(offset, since, uses)                                     \
   if (version >= since)                                                       \
      put_formats(set, offset, uses);
#include "virgl/host/capset.def"
}

void
virgl_host_get_capset(const struct virgl_host *host, unsigned version,
                      bool shares_memory, unsigned char *bytes_out)
{
   unsigned char set[VIRGL_CAPSET2_BYTES] = {0};
   const unsigned asked = host->options.max_gl_version;
   const unsigned most =
      asked && asked < MOST_GL_VERSION ? asked : MOST_GL_VERSION;

   fill(set, &host->caps, most, shares_memory);
   put_word(set, AT_VERSION, version);
   put_word(set, AT_GLSL_LEVEL, glsl_of(most));
   put_sample_locations(set);
   /* Framebuffers without attachments may have samples. */
   put_bit(set, AT_MULTISAMPLE_FORMATS, 0, true);
   snprintf((char *)set + AT_RENDERER, RENDERER_BYTES, "Tungsten %s (%s)",
            tg_version_string(), tg_device_get_executor(host->options.device));
   memcpy(bytes_out, set,
          version == 1 ? VIRGL_CAPSET1_BYTES : VIRGL_CAPSET2_BYTES);
}
