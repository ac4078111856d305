/* SPDX-License-Identifier: MIT
 *
 * Preloaded into an OpenGL program: gives it a steady clock, which goes on by a
 * 60th of a second at each buffer swap, and writes one frame as a picture; then
 * the program ends with status 0. So that the same frame of an animation can be
 * had from several drivers.
 *
 *    LD_PRELOAD=…/libframe_shim.so FRAME_NUMBER=9 FRAME_SIZE=800x600
 *    FRAME_PICTURE=frame.png PROGRAM…
 *
 * Programs that call EGL or GLX themselves are caught by name, those that load
 * the functions by dlsym() and the two functions that ask for addresses. Only
 * the program itself sees the clock: drivers keep their own.
 */
#include <dlfcn.h>
#include <elf.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { GL_RGBA = 0x1908, GL_UNSIGNED_BYTE = 0x1401 };

typedef void
function(void);
typedef function *
get_address(const char *name);
typedef void *
dlsym_function(void *handle, const char *name);

static unsigned frame;

/* ---- the clock ----------------------------------------------------------- */

static bool
is_of_the_program(const void *caller)
{
   Dl_info of_caller, of_entry;

   return dladdr(caller, &of_caller) &&
          dladdr((const void *)getauxval(AT_ENTRY), &of_entry) &&
          of_caller.dli_fbase == of_entry.dli_fbase;
}

static void *
real(const char *name)
{
   static dlsym_function *find;

   if (!find)
      find = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
   if (!find)
      find = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
   return find(RTLD_NEXT, name);
}

EXPORT int
clock_gettime(clockid_t clock, struct timespec *time)
{
   static int (*next)(clockid_t, struct timespec *);
   const uint64_t nanoseconds = (uint64_t)frame * 1000000000 / 60;

   if (!next)
      next = (int (*)(clockid_t, struct timespec *))real("clock_gettime");
   if (!is_of_the_program(__builtin_return_address(0)))
      return next(clock, time);
   time->tv_sec = (time_t)(1000 + nanoseconds / 1000000000);
   time->tv_nsec = (long)(nanoseconds % 1000000000);
   return 0;
}

/* Seeds of random numbers. */
EXPORT time_t
time(time_t *out)
{
   static time_t (*next)(time_t *);

   if (!next)
      next = (time_t(*)(time_t *))real("time");
   if (!is_of_the_program(__builtin_return_address(0)))
      return next(out);
   if (out)
      *out = 1000;
   return 1000;
}

/* ---- the picture --------------------------------------------------------- */

static void
fail(const char *what)
{
   fprintf(stderr, "frame: %s\n", what);
   _exit(1);
}

/* What has been drawn, from the lowest row on as OpenGL has it. */
static void
take_picture(get_address *find)
{
   const char *path = getenv("FRAME_PICTURE"), *size = getenv("FRAME_SIZE");
   void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *) =
      (void (*)(int, int, int, int, unsigned, unsigned, void *))find(
         "glReadPixels");
   unsigned width = 0, height = 0;

   if (!path || !size || sscanf(size, "%ux%u", &width, &height) != 2 ||
       width - 1 >= 16384 || height - 1 >= 16384)
      fail("expected FRAME_PICTURE, and FRAME_SIZE as WIDTHxHEIGHT");
   unsigned char *pixels = calloc((size_t)width * height, 4);
   if (!read_pixels || !pixels)
      fail("cannot read pixels");
   read_pixels(0, 0, (int)width, (int)height, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels);
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = width,
      .height = height,
      .format = PNG_FORMAT_RGBA,
   };
   /* Alpha is whatever was drawn: a picture of a window has none. */
   for (size_t i = 0; i < (size_t)width * height; i++)
      pixels[4 * i + 3] = 255;
   if (!png_image_write_to_file(&image, path, 0, pixels, -(int)(width * 4),
                                NULL))
      fail(image.message);
   _exit(0);
}

/* Before each swap. */
static void
end_frame(get_address *find)
{
   const char *number = getenv("FRAME_NUMBER");

   if (number && frame == strtoul(number, NULL, 10))
      take_picture(find);
   frame++;
}

/* ---- swaps --------------------------------------------------------------- */

/* The next function of a name, or the one that was found by handle. */
static void *hooked[4];

static void *
next_of(unsigned hook, const char *name)
{
   return hooked[hook] ? hooked[hook] : real(name);
}

enum { EGL_SWAP, EGL_GET, GLX_SWAP, GLX_GET };

static get_address *
address_function(unsigned hook)
{
   return (get_address *)next_of(hook, hook == EGL_GET ? "eglGetProcAddress"
                                                       : "glXGetProcAddress");
}

EXPORT unsigned
eglSwapBuffers(void *display, void *surface)
{
   end_frame(address_function(EGL_GET));
   return ((unsigned (*)(void *, void *))next_of(EGL_SWAP, "eglSwapBuffers"))(
      display, surface);
}

EXPORT void
glXSwapBuffers(void *display, unsigned long drawable)
{
   end_frame(address_function(GLX_GET));
   ((void (*)(void *, unsigned long))next_of(GLX_SWAP, "glXSwapBuffers"))(
      display, drawable);
}

static void *
hook_of(const char *name, void *found);

EXPORT function *
eglGetProcAddress(const char *name)
{
   function *found = address_function(EGL_GET)(name);
   return (function *)hook_of(name, (void *)found);
}

EXPORT function *
glXGetProcAddress(const char *name)
{
   function *found = address_function(GLX_GET)(name);
   return (function *)hook_of(name, (void *)found);
}

EXPORT function *
glXGetProcAddressARB(const char *name)
{
   return glXGetProcAddress(name);
}

static const struct hook {
   const char *name;
   unsigned place;
   void *function;
} hooks[] = {
   {"eglSwapBuffers", EGL_SWAP, (void *)eglSwapBuffers},
   {"eglGetProcAddress", EGL_GET, (void *)eglGetProcAddress},
   {"glXSwapBuffers", GLX_SWAP, (void *)glXSwapBuffers},
   {"glXGetProcAddress", GLX_GET, (void *)glXGetProcAddress},
   {"glXGetProcAddressARB", GLX_GET, (void *)glXGetProcAddress},
};

/* Our function of the name, that then calls the one that was found; or that
 * itself. */
static void *
hook_of(const char *name, void *found)
{
   for (size_t i = 0; found && i < sizeof(hooks) / sizeof(hooks[0]); i++) {
      if (strcmp(name, hooks[i].name) != 0)
         continue;
      if (found != hooks[i].function)
         hooked[hooks[i].place] = found;
      return hooks[i].function;
   }
   return found;
}

EXPORT void *
dlsym(void *handle, const char *name)
{
   static dlsym_function *next;

   if (!next)
      next = (dlsym_function *)real("dlsym");
   void *found = next(handle, name);
   return is_of_the_program(__builtin_return_address(0)) ? hook_of(name, found)
                                                         : found;
}
