/* SPDX-License-Identifier: MIT
 *
 * compare EXPECTED.png GOT.png [DIFFERENCE.png]: are two frames the same to the
 * eye? Prints the mean absolute difference of a channel, how many pixels are
 * off by more than 8 of 255, and the largest difference. Status 0 when the mean
 * is under 1 of 255 and under 0.1 % of the pixels are off, else 1, and then
 * there is a picture of the difference, 16 times as bright. Status 2: a picture
 * cannot be read or written, or their sizes differ.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZE = 16384, FAR_OFF = 8 };

struct picture {
   png_image image;
   unsigned char *pixels; /* red, green, blue */
};

static void
fail(const char *path, const char *what)
{
   fprintf(stderr, "compare: %s: %s\n", path, what);
   exit(2);
}

static void
read_picture(const char *path, struct picture *picture)
{
   picture->image = (png_image){.version = PNG_IMAGE_VERSION};
   if (!png_image_begin_read_from_file(&picture->image, path))
      fail(path, picture->image.message);
   if (picture->image.width > MAX_SIZE || picture->image.height > MAX_SIZE)
      fail(path, "too large");
   picture->image.format = PNG_FORMAT_RGB;
   picture->pixels = malloc(PNG_IMAGE_SIZE(picture->image));
   if (!picture->pixels)
      fail(path, "out of memory");
   if (!png_image_finish_read(&picture->image, NULL, picture->pixels, 0, NULL))
      fail(path, picture->image.message);
}

struct difference {
   double mean;    /* of 255 */
   double far_off; /* part of the pixels */
   int largest;
};

/* The difference is left in the pixels of `b`. */
static struct difference
compare(const struct picture *a, struct picture *b)
{
   const size_t num_pixels = (size_t)a->image.width * a->image.height;
   struct difference difference = {0};
   unsigned long long sum = 0, num_far_off = 0;

   for (size_t i = 0; i < num_pixels; i++) {
      int largest = 0;

      for (unsigned c = 0; c < 3; c++) {
         unsigned char *pixel = &b->pixels[3 * i + c];
         const int off = abs((int)a->pixels[3 * i + c] - *pixel);

         sum += (unsigned)off;
         largest = off > largest ? off : largest;
         *pixel = (unsigned char)(off < 16 ? 16 * off : 255);
      }
      num_far_off += largest > FAR_OFF;
      if (largest > difference.largest)
         difference.largest = largest;
   }
   difference.mean = (double)sum / (3.0 * (double)num_pixels);
   difference.far_off = (double)num_far_off / (double)num_pixels;
   return difference;
}

int
main(int argc, char **argv)
{
   struct picture a, b;

   if (argc < 3 || argc > 4) {
      fprintf(stderr, "usage: compare EXPECTED.png GOT.png [DIFFERENCE.png]\n");
      return 2;
   }
   read_picture(argv[1], &a);
   read_picture(argv[2], &b);
   if (a.image.width != b.image.width || a.image.height != b.image.height)
      fail(argv[2], "of another size");
   const struct difference difference = compare(&a, &b);
   const int is_other = difference.mean >= 1.0 || difference.far_off >= 0.001;
   printf("%smean %.4f of 255, %.3f %% off by more than %d, at most %d\n",
          is_other ? "other: " : "same: ", difference.mean,
          100.0 * difference.far_off, FAR_OFF, difference.largest);
   if (is_other && argc == 4 &&
       !png_image_write_to_file(&b.image, argv[3], 0, b.pixels, 0, NULL))
      fail(argv[3], b.image.message);
   free(a.pixels);
   free(b.pixels);
   return is_other;
}
