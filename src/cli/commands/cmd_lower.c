/* SPDX-License-Identifier: MIT
 *
 * tungsten lower FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/shader.h"
#include "cli/io/work.h"
#include "exec/kernel.h"
#include "lir/passes.h"
#include "lower/lower.h"
#include "tungsten/tgsi.h"
#include "util/strbuf.h"
#include "util/work.h"

/* ---- options ------------------------------------------------------------- */

/* Is there a pass of that name? Else a sentence. */
static bool
check_pass(const char *name)
{
   struct tg_strbuf names = {0};

   for (unsigned i = 0; lir_pass_names[i]; i++) {
      if (!name || strcmp(name, lir_pass_names[i]) == 0) {
         tg_strbuf_finish(&names);
         return true;
      }
      tg_strbuf_printf(&names, "%s%s", i ? ", " : "", lir_pass_names[i]);
   }
   cli_complain("there is no pass '%s'; there are %s", name,
                names.data ? names.data : "others");
   tg_strbuf_finish(&names);
   return false;
}

/* Sets what one --stage-key says; false with a sentence. */
static bool
set_member(struct abi_keys *keys, const char *word)
{
   const char *equals = strchr(word, '=');
   char path[64];

   if (!equals || (size_t)(equals - word) >= sizeof(path)) {
      cli_complain("--stage-key wants MEMBER=VALUE, and not '%s'", word);
      return false;
   }
   memcpy(path, word, (size_t)(equals - word));
   path[equals - word] = '\0';
   const char *wrong = tg_members_set(abi_key_members, keys, path, equals + 1);
   if (wrong)
      cli_complain("--stage-key=%s: %s", word, wrong);
   return !wrong;
}

/* Views have their channels in order unless an option says otherwise. */
static bool
read_keys(const struct cli_list *words, struct abi_keys *keys)
{
   static const uint8_t in_order[4] = {TG_SWIZZLE_X, TG_SWIZZLE_Y, TG_SWIZZLE_Z,
                                       TG_SWIZZLE_W};

   *keys = (struct abi_keys){0};
   for (unsigned i = 0; i < ABI_MAX_VIEWS; i++)
      memcpy(keys->views[i].swizzle, in_order, sizeof(in_order));
   for (unsigned i = 0; i < words->count; i++) {
      if (!set_member(keys, words->items[i]))
         return false;
   }
   for (unsigned i = 0; i < ABI_MAX_VIEWS; i++) {
      if (!keys->views[i].format)
         keys->views[i] = (struct abi_view_key){0};
   }
   return true;
}

/* ---- the module ---------------------------------------------------------- */

static enum tg_result
write_kernel(void *user, const void *key, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct lower_options options = {.keys = key};

   return lower_shader(user, &options, module, diagnostics);
}

static int
write_text(const struct cli_options *options, const char *listings,
           const struct lir_module *module)
{
   if (listings)
      return cli_write_file(options->output, listings, strlen(listings))
                ? CLI_OK
                : CLI_FAILED;
   return cli_write_string_file(options->output,
                                options->count ? lir_print_counts(module, "")
                                               : lir_print(module));
}

/* Listings after passes go to memory until all is well. */
static int
lower(struct cli_call *call, struct tg_shader *shader,
      const struct abi_keys *keys)
{
   const struct cli_options *options = &call->options;
   const struct tg_work_options work_options = cli_work_options(options);
   struct exec_compiler compiler = {
      .allocator = tg_default_allocator(),
      .no_optimize = options->no_optimize,
      .verify_each = options->verify_each,
      .after = options->after,
   };
   const struct exec_source source = {
      .key = keys,
      .shader = shader,
      .write = write_kernel,
      .user = shader,
   };
   struct lir_module module;
   struct tg_work work;
   char *listings = NULL;
   size_t size;

   if (options->after || options->after_each) {
      compiler.print_after = open_memstream(&listings, &size);
      if (!compiler.print_after)
         return cli_diagnostics_status(TG_ERROR_MEMORY);
   }
   tg_work_init(&work, &work_options);
   compiler.work = &work;
   lir_module_init(&module, compiler.allocator);
   enum tg_result result =
      exec_write_module(&compiler, &source, &module, call->diagnostics);
   if (compiler.print_after && fclose(compiler.print_after) != 0)
      result = TG_ERROR_MEMORY;
   int status = cli_diagnostics_status(result);
   if (status == CLI_OK)
      status = write_text(options, listings, &module);
   lir_module_finish(&module);
   free(listings);
   return status;
}

int
cmd_lower(struct cli_call *call)
{
   struct abi_keys keys;

   if (!check_pass(call->options.after) ||
       !read_keys(&call->options.stage_key, &keys))
      return CLI_USAGE;
   struct tg_shader *shader = cli_load_shader(call, call->operands[0]);
   if (!shader)
      return CLI_FAILED;
   int status =
      cli_diagnostics_status(tg_shader_validate(shader, call->diagnostics));
   if (status == CLI_OK)
      status = lower(call, shader, &keys);
   tg_shader_destroy(shader);
   return status;
}
