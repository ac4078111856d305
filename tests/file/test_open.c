/* SPDX-License-Identifier: MIT
 *
 * What a path beneath a folder leads to, whichever way it is looked up.
 */
#include "folder.h"

#include <errno.h>

#include "file/open.h"

enum { NUM_LINKS = 41 };

/* secret
 * tree/a, tree/sub/b, a pipe, and links */
static void
make_tree(void)
{
   char absolute[128], name[16], target[16] = "a";

   snprintf(absolute, sizeof(absolute), "%s/tree/a", folder_path);
   folder_put("secret", "secret");
   assert_int_equal(mkdir("tree", 0777), 0);
   assert_int_equal(chdir("tree"), 0);
   assert_int_equal(mkdir("sub", 0777), 0);
   folder_put("a", "A");
   folder_put("sub/b", "B");
   assert_int_equal(mkfifo("pipe", 0666), 0);
   assert_int_equal(symlink("sub/b", "to-b"), 0);
   assert_int_equal(symlink("sub/", "to-sub"), 0);
   assert_int_equal(symlink("../a", "sub/to-a"), 0);
   assert_int_equal(symlink("../secret", "to-secret"), 0);
   assert_int_equal(symlink("..", "to-above"), 0);
   assert_int_equal(symlink(absolute, "absolute"), 0);
   assert_int_equal(symlink("loop", "loop"), 0);
   assert_int_equal(symlink("nothing", "to-nothing"), 0);
   for (int i = 1; i <= NUM_LINKS; i++) {
      snprintf(name, sizeof(name), "link%d", i);
      assert_int_equal(symlink(target, name), 0);
      memcpy(target, name, sizeof(name));
   }
   assert_int_equal(chdir(".."), 0);
}

static const struct row {
   const char *path;
   char content; /* or */
   int reason;
} rows[] = {
   {"a", 'A', 0},
   {"./a", 'A', 0},
   {"sub/b", 'B', 0},
   {".//sub/.///b", 'B', 0},
   {"sub/../a", 'A', 0},
   {"to-b", 'B', 0},
   {"to-sub/b", 'B', 0},
   {"to-sub/../a", 'A', 0},
   {"sub/to-a", 'A', 0},
   {"link40", 'A', 0},
   {"link41", 0, ELOOP},
   {"../secret", 0, EXDEV},
   {"..", 0, EXDEV},
   {"../tree/a", 0, EXDEV},
   {"sub/../../secret", 0, EXDEV},
   {"to-secret", 0, EXDEV},
   {"to-above/secret", 0, EXDEV},
   {"to-above/tree/a", 0, EXDEV},
   {"absolute", 0, EXDEV},
   {"/etc/passwd", 0, EXDEV},
   {"/", 0, EXDEV},
   {"loop", 0, ELOOP},
   {"to-nothing", 0, ENOENT},
   {"nothing/../a", 0, ENOENT},
   {"", 0, ENOENT},
   {"a/", 0, ENOTDIR},
   {"a/b", 0, ENOTDIR},
   {"to-b/", 0, ENOTDIR},
};

static void
expect(int (*look_up)(int root, const char *path), int root,
       const struct row *row)
{
   char content = 0;
   const int fd = look_up(root, row->path);

   if (fd < 0 && errno == ENOSYS)
      return; /* an old kernel */
   if (row->reason) {
      if (fd >= 0 || errno != row->reason)
         fail_msg("'%s': %d, %s", row->path, fd, strerror(errno));
      return;
   }
   if (fd < 0 || read(fd, &content, 1) != 1 || content != row->content)
      fail_msg("'%s': %d, '%c'", row->path, fd, content);
   close(fd);
}

/* Descriptors that are open. */
static int
count_descriptors(void)
{
   struct dirent **entries;
   const int count = scandir("/proc/self/fd", &entries, NULL, NULL);

   for (int i = 0; i < count; i++)
      free(entries[i]);
   if (count >= 0)
      free(entries);
   return count;
}

static void
stays_beneath(void **test)
{
   (void)test;
   make_tree();
   const int root = open("tree", O_PATH);
   const int before = count_descriptors();

   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      expect(file_look_up_beneath_by_kernel, root, &rows[i]);
      expect(file_look_up_beneath_by_hand, root, &rows[i]);
   }
   assert_int_equal(count_descriptors(), before);
   close(root);
}

/* A name that is too long, a path that is, and one too deep. */
static void
bounds_paths(void **test)
{
   char name[300], path[8192];
   const int root = open(".", O_PATH);

   (void)test;
   memset(name, 'x', sizeof(name));
   name[255] = '\0';
   assert_int_equal(file_look_up_beneath_by_hand(root, name), -1);
   assert_int_equal(errno, ENOENT);
   name[255] = 'x';
   name[256] = '\0';
   assert_int_equal(file_look_up_beneath_by_hand(root, name), -1);
   assert_int_equal(errno, ENAMETOOLONG);

   for (int i = 0; i < 4095; i++)
      path[i] = i % 2 ? '/' : '.';
   path[4095] = '\0';
   int fd = file_look_up_beneath_by_hand(root, path);
   assert_true(fd >= 0);
   close(fd);
   memset(path + 4095, '/', 2);
   path[4096] = '\0';
   assert_int_equal(file_look_up_beneath_by_hand(root, path), -1);
   assert_int_equal(errno, ENAMETOOLONG);

   /* The last of 65 folders is opened from the 64th, and not gone into. */
   strcpy(path, ".");
   for (int i = 0; i < 65; i++) {
      strcat(path, "/d");
      assert_int_equal(mkdir(path, 0777), 0);
   }
   fd = file_look_up_beneath_by_hand(root, path + 2);
   assert_true(fd >= 0);
   close(fd);
   strcat(path, "/.");
   assert_int_equal(file_look_up_beneath_by_hand(root, path + 2), -1);
   assert_int_equal(errno, ENAMETOOLONG);
   close(root);
}

static void
expect_fault(const char *path, const char *expected)
{
   const char *fault = NULL;

   assert_int_equal(file_open_beneath("tree", path, &fault), -1);
   assert_string_equal(fault, expected);
}

/* Nothing but a regular file of a bounded size, and no waiting. */
static void
opens_regular_files(void **test)
{
   static const char outside[] = "outside of the folder that may be read";
   const char *fault = "?";

   (void)test;
   make_tree();
   alarm(20);
   int fd = file_open_beneath("tree", "sub/to-a", &fault);
   assert_true(fd >= 0);
   assert_null(fault);
   assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
   close(fd);
   expect_fault("pipe", "not a regular file");
   expect_fault("sub", "not a regular file");
   expect_fault("to-secret", outside);
   expect_fault("../secret", outside);
   expect_fault("absolute", outside);
   expect_fault("nothing", "No such file or directory");

   assert_int_equal(truncate("tree/a", 256 << 20), 0);
   fd = file_open_beneath("tree/", "a", &fault);
   assert_true(fd >= 0);
   close(fd);
   assert_int_equal(truncate("tree/a", (256 << 20) + 1), 0);
   expect_fault("a", "larger than 256 MiB");

   assert_int_equal(file_open("tree/pipe", &fault), -1);
   assert_string_equal(fault, "not a regular file");
   assert_int_equal(file_open("/dev/null", &fault), -1);
   assert_string_equal(fault, "not a regular file");
   fd = file_open("tree/to-secret", &fault);
   assert_true(fd >= 0);
   close(fd);

   assert_int_equal(chdir("tree"), 0);
   fd = file_open_beneath("", "sub/b", &fault);
   assert_true(fd >= 0);
   close(fd);
   assert_int_equal(file_open_beneath("", "to-secret", &fault), -1);
   assert_string_equal(fault, outside);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(stays_beneath, folder_make,
                                      folder_remove),
      cmocka_unit_test_setup_teardown(bounds_paths, folder_make, folder_remove),
      cmocka_unit_test_setup_teardown(opens_regular_files, folder_make,
                                      folder_remove),
   };
   return cmocka_run_group_tests_name("file: open", tests, NULL, NULL);
}
