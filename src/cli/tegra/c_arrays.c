/* SPDX-License-Identifier: MIT
 *
 * A program of Tegra's vertex unit as arrays in C: its words, the text of each
 * instruction in a comment, and the constants that it gives.
 */
#include "cli/tegra/program.h"
#include "util/strbuf.h"

/* A name inside a comment of C, which it must not end. */
static void
add_name(struct tg_strbuf *out, const char *name)
{
   for (const char *c = name; *c; c++) {
      bool is_mark =
         (c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*');

      tg_strbuf_add_char(out, *c);
      if (is_mark)
         tg_strbuf_add_char(out, ' ');
   }
}

static void
add_names(struct tg_strbuf *out, const struct tg_tegra_program *program)
{
   static const struct {
      const char *file;
      enum tg_tegra_name kind;
      uint32_t count;
   } files[] = {
      {"a", TG_TEGRA_ATTRIBUTE, TG_TEGRA_NUM_ATTRIBUTES},
      {"export", TG_TEGRA_EXPORT, TG_TEGRA_NUM_EXPORTS},
      {"c", TG_TEGRA_UNIFORM, TG_TEGRA_NUM_CONSTANTS},
   };

   for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
      for (uint32_t j = 0; j < files[i].count; j++) {
         const char *name = tg_tegra_name(program, files[i].kind, j);

         if (!name)
            continue;
         tg_strbuf_printf(out, " * %s[%u]: ", files[i].file, j);
         add_name(out, name);
         tg_strbuf_add(out, "\n");
      }
   }
}

static void
add_instructions(struct tg_strbuf *out, const uint32_t *words, uint32_t count,
                 const struct cli_lines *lines)
{
   tg_strbuf_printf(out, "static const uint32_t program[%u][4] = {\n", count);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t *four = words + (size_t)i * TG_TEGRA_WORDS;

      tg_strbuf_printf(out, "   {0x%08x, 0x%08x, 0x%08x, 0x%08x}, /* ", four[0],
                       four[1], four[2], four[3]);
      add_name(out, cli_lines_get(lines, i));
      tg_strbuf_add(out, " */\n");
   }
   tg_strbuf_add(out, "};\n");
}

static void
add_constants(struct tg_strbuf *out, const struct tg_tegra_program *program)
{
   const uint32_t count = cli_tegra_program_num_constants(program);
   uint32_t words[4];

   if (!count)
      return;
   tg_strbuf_printf(out,
                    "\n/* Index, then x, y, z and w. */\n"
                    "static const uint32_t constants[%u][5] = {\n",
                    count);
   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      if (tg_tegra_constant(program, i, words))
         tg_strbuf_printf(out, "   {%u, 0x%08x, 0x%08x, 0x%08x, 0x%08x},\n", i,
                          words[0], words[1], words[2], words[3]);
   }
   tg_strbuf_add(out, "};\n");
}

char *
cli_tegra_to_c(const struct tg_tegra_program *program, const uint32_t *words)
{
   struct cli_lines lines;
   struct tg_strbuf out = {0};

   if (!cli_tegra_program_lines_init(&lines, program))
      return NULL;
   tg_strbuf_add(&out, "/* A program of the vertex unit of Tegra 2 and 3.\n");
   add_names(&out, program);
   tg_strbuf_add(&out, " */\n#include <stdint.h>\n\n");
   add_instructions(&out, words, tg_tegra_num_instructions(program), &lines);
   add_constants(&out, program);
   cli_lines_finish(&lines);
   return tg_strbuf_take(&out);
}
