/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out while a test file is read and run: the first allocation
 * fails, the second, ... until none does. Each time that is the result, and
 * all memory is given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sweep.h"
#include "file/picture.h"
#include "file/write.h"
#include "script/script.h"

static const char text[] = "[require]\n"
                           "dialect 2019\n"
                           "[vertex shader]\n"
                           "VERT\n"
                           "DCL IN[0]\n"
                           "DCL OUT[0], POSITION\n"
                           "DCL CONST[0][0]\n"
                           "  0: ADD OUT[0], IN[0], CONST[0][0]\n"
                           "  1: END\n"
                           "[fragment shader]\n"
                           "FRAG\n"
                           "DCL OUT[0], COLOR\n"
                           "DCL SAMP[0]\n"
                           "DCL SVIEW[0], 2D, FLOAT\n"
                           "IMM[0] FLT32 {0.5, 0.5, 0.0, 1.0}\n"
                           "  0: TEX OUT[0], IMM[0], SAMP[0], 2D\n"
                           "  1: END\n"
                           "[vertex data]\n"
                           "IN[0] float 2\n"
                           "-1 -1\n"
                           "1 -1\n"
                           "-1 1\n"
                           "[index data]\n"
                           "0 1 2\n"
                           "[texture 0]\n"
                           "texels 1x1\n"
                           "ff0000ff\n"
                           "mipmaps\n"
                           "[image 0]\n"
                           "target 2D_ARRAY\n"
                           "layers 2\n"
                           "format R32_UINT\n"
                           "values r 1x1\n"
                           "1\n"
                           "2\n"
                           "view layers 1 1\n"
                           "[image 1]\n"
                           "of image 0\n"
                           "[buffer 0]\n"
                           "size 16\n"
                           "fill u32 7\n"
                           "f32 1 2\n"
                           "[shader count]\n"
                           "COMP\n"
                           "DCL BUFFER[0]\n"
                           "DCL CONST[0][0]\n"
                           "DCL TEMP[0]\n"
                           "  0: ATOMUADD TEMP[0].x, BUFFER[0], "
                           "CONST[0][0].xxxx, CONST[0][0].yyyy\n"
                           "  1: END\n"
                           "[state]\n"
                           "size 4x4\n"
                           "[test]\n"
                           "set IN[0] = 1.0, 0, 0, 0\n"
                           "run\n"
                           "expect OUT[0] = 1.0, 0, 0, 0\n"
                           "set vertex CONST[0] = 0, 0, 0, 0\n"
                           "draw indexed triangles 0 3\n"
                           "expect pixel 0 0 rgba 1 0 0 1\n"
                           "expect image 0 layer 1 all rgba 2 0 0 1\n"
                           "shader count\n"
                           "set CONST[0] = 8, 1, 0, 0\n"
                           "dispatch 2 block 16 threads 1\n"
                           "expect buffer 0 at 8 u32 39 7\n";

static const char picture_text[] = "[state]\nsize 1x1\n"
                                   "[test]\nclear color 1 1 1 1\n"
                                   "expect picture black.png\n";

static enum tg_result
read_and_run_text(const struct tg_allocator *allocator, const char *name,
                  const char *script_text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script *script = NULL;
   enum tg_result result =
      script_parse(allocator, NULL, name, script_text, strlen(script_text),
                   diagnostics, &script);

   if (result == TG_OK)
      result = script_run_test(script, 0, diagnostics);
   script_destroy(script);
   tg_diagnostics_destroy(diagnostics);
   return result;
}

static enum tg_result
read_and_run(const struct tg_allocator *allocator)
{
   return read_and_run_text(allocator, "memory", text);
}

static void
test_sweep(void **state)
{
   (void)state;
   sweep(read_and_run);
}

/* In a folder of its own. */
static char script_name[] = "/tmp/tungsten-XXXXXX/memory";

/* A picture that is not as expected, and the difference is written. */
static enum tg_result
read_and_compare(const struct tg_allocator *allocator)
{
   enum tg_result result =
      read_and_run_text(allocator, script_name, picture_text);

   return result == TG_ERROR_INPUT ? TG_OK : result;
}

/* A file of that folder; to be freed. */
static char *
path_of(const char *name)
{
   char *path = NULL;
   const int length = (int)(strrchr(script_name, '/') - script_name);

   assert_true(asprintf(&path, "%.*s/%s", length, script_name, name) > 0);
   return path;
}

static void
remove_beside(const char *name)
{
   char *path = path_of(name);

   assert_int_equal(unlink(path), 0);
   free(path);
}

static void
write_black(const char *path)
{
   static const uint8_t black[4] = {0, 0, 0, 255};
   struct tg_strbuf png = {0}, fault = {0};
   const char *blamed;

   assert_int_equal(file_encode_picture(NULL, 1, 1, black, &png, &fault),
                    TG_OK);
   const struct file_output output = {
      .path = path, .data = png.data, .size = png.length};
   assert_true(file_write(&output, 1, &blamed));
   tg_strbuf_finish(&png);
}

static void
test_picture(void **state)
{
   char *slash = strrchr(script_name, '/');

   (void)state;
   *slash = '\0';
   assert_non_null(mkdtemp(script_name));
   *slash = '/';
   char *picture = path_of("black.png");
   write_black(picture);
   free(picture);

   sweep(read_and_compare);
   remove_beside("black.png");
   remove_beside("black.difference.png");
   *slash = '\0';
   assert_int_equal(rmdir(script_name), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sweep),
      cmocka_unit_test(test_picture),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
