/* SPDX-License-Identifier: MIT
 *
 * Files are written whole, with the right modes, in the right order, and
 * nothing else is left in their folder; on file systems that have files without
 * names, and on others.
 */
#include "folder.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "file/pending.h"
#include "file/write.h"

/* ---- what the writer calls ----------------------------------------------- */

static bool has_nameless = true; /* the file system has O_TMPFILE */
static char calls[64];           /* f: fsync, l: linkat, r: rename */

static void
note(char call)
{
   const size_t length = strlen(calls);

   if (length + 1 < sizeof(calls))
      calls[length] = call;
}

int
__real_fsync(int fd);
int
__wrap_fsync(int fd);
int
__wrap_fsync(int fd)
{
   struct stat info;

   note(fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) ? 'd' : 'f');
   return __real_fsync(fd);
}

int
__real_linkat(int from, const char *path, int to, const char *name, int flags);
int
__wrap_linkat(int from, const char *path, int to, const char *name, int flags);
int
__wrap_linkat(int from, const char *path, int to, const char *name, int flags)
{
   const int result = __real_linkat(from, path, to, name, flags);

   if (result == 0)
      note('l');
   return result;
}

int
__real_rename(const char *from, const char *to);
int
__wrap_rename(const char *from, const char *to);
int
__wrap_rename(const char *from, const char *to)
{
   note('r');
   return __real_rename(from, to);
}

bool
__real_file_pending_create(struct file_pending *file);
bool
__wrap_file_pending_create(struct file_pending *file);
bool
__wrap_file_pending_create(struct file_pending *file)
{
   if (has_nameless)
      return __real_file_pending_create(file);
   errno = EOPNOTSUPP;
   return false;
}

static int
with_names(void **test)
{
   has_nameless = false;
   return folder_make(test);
}

static int
without_names(void **test)
{
   has_nameless = true;
   return folder_make(test);
}

/* ---- one file ------------------------------------------------------------ */

static struct file_output
output_of(const char *path, const char *text)
{
   return (struct file_output){
      .path = path,
      .head = text,
      .head_size = strlen(text) / 2,
      .data = text + strlen(text) / 2,
      .size = strlen(text) - strlen(text) / 2,
   };
}

/* 0 or errno. */
static int
put(const char *path, const char *text)
{
   const struct file_output output = output_of(path, text);
   const char *blamed = NULL;

   memset(calls, 0, sizeof(calls));
   if (file_write(&output, 1, &blamed))
      return 0;
   assert_string_equal(blamed, path);
   return errno;
}

static mode_t
mode_of(const char *path)
{
   struct stat info;

   assert_int_equal(lstat(path, &info), 0);
   return info.st_mode & 07777;
}

/* Each has its name when all of it is on the disk. */
static void
writes_in_order(void **test)
{
   (void)test;
   assert_int_equal(put("new", "one"), 0);
   folder_expect("new", "one");
   assert_string_equal(calls, has_nameless ? "fld" : "frd");
   assert_int_equal(put("new", "another"), 0);
   folder_expect("new", "another");
   assert_string_equal(calls, has_nameless ? "flrd" : "frd");
   assert_int_equal(put("new", ""), 0);
   folder_expect("new", "");
   assert_int_equal(folder_count(), 1);
}

static void
keeps_modes(void **test)
{
   (void)test;
   umask(027);
   assert_int_equal(put("new", "1"), 0);
   assert_int_equal(mode_of("new"), 0640);
   umask(0);
   assert_int_equal(put("open", "1"), 0);
   assert_int_equal(mode_of("open"), 0666);
   assert_int_equal(put("new", "2"), 0);
   assert_int_equal(mode_of("new"), 0640);
   assert_int_equal(chmod("new", 0711), 0);
   assert_int_equal(put("new", "3"), 0);
   assert_int_equal(mode_of("new"), 0711);
   /* As a write to it would. */
   assert_int_equal(chmod("new", 06755), 0);
   assert_int_equal(put("new", "4"), 0);
   assert_int_equal(mode_of("new"), 0755);
   assert_int_equal(umask(022), 0);
}

/* What may not be written is not replaced either. */
static void
respects_read_only_files(void **test)
{
   (void)test;
   folder_put("fixed", "as it was");
   assert_int_equal(chmod("fixed", 0444), 0);
   if (geteuid() == 0)
      return; /* who may write anything */
   assert_int_equal(put("fixed", "new"), EACCES);
   folder_expect("fixed", "as it was");
   assert_int_equal(folder_count(), 1);
}

static void
writes_where_links_point(void **test)
{
   struct stat info;

   (void)test;
   assert_int_equal(mkdir("a", 0777), 0);
   assert_int_equal(mkdir("b", 0777), 0);
   folder_put("b/file", "old");
   assert_int_equal(chmod("b/file", 0600), 0);
   assert_int_equal(symlink("a/second", "first"), 0);
   assert_int_equal(symlink("../b/file", "a/second"), 0);
   assert_int_equal(put("first", "new"), 0);
   folder_expect("b/file", "new");
   assert_int_equal(mode_of("b/file"), 0600);
   assert_int_equal(lstat("first", &info), 0);
   assert_true(S_ISLNK(info.st_mode));

   /* One that leads to nothing yet; and one that leads nowhere. */
   assert_int_equal(unlink("b/file"), 0);
   assert_int_equal(put("first", "again"), 0);
   folder_expect("b/file", "again");
   assert_int_equal(symlink("no-folder/file", "lost"), 0);
   assert_int_equal(put("lost", "x"), ENOENT);
   assert_int_equal(symlink("loop", "loop"), 0);
   assert_int_equal(put("loop", "x"), ELOOP);
   assert_int_equal(folder_count(), 5);
}

static void
refuses(void **test)
{
   (void)test;
   assert_int_equal(mkdir("folder", 0777), 0);
   assert_int_equal(put("folder", "x"), EISDIR);
   assert_int_equal(put("no-folder/file", "x"), ENOENT);
   assert_int_equal(put("", "x"), ENOENT);
   assert_int_equal(put("/dev/full", "x"), ENOSPC);
   assert_int_equal(folder_count(), 1);
}

/* A name as long as one can be leaves no room for a longer one. */
static void
writes_to_long_names(void **test)
{
   char name[256];

   (void)test;
   memset(name, 'n', sizeof(name) - 1);
   name[sizeof(name) - 1] = '\0';
   for (int i = 0; i < 2; i++)
      assert_int_equal(put(name, "x"), 0);
   folder_expect(name, "x");
}

/* A pipe gets the bytes and stays a pipe. */
static void
writes_to_pipes(void **test)
{
   struct stat info;
   char bytes[8] = "";

   (void)test;
   assert_int_equal(mkfifo("pipe", 0600), 0);
   const int fd = open("pipe", O_RDONLY | O_NONBLOCK);
   assert_true(fd >= 0);
   assert_int_equal(put("pipe", "bytes"), 0);
   assert_int_equal(read(fd, bytes, sizeof(bytes)), 5);
   assert_string_equal(bytes, "bytes");
   close(fd);
   assert_int_equal(stat("pipe", &info), 0);
   assert_true(S_ISFIFO(info.st_mode));
}

/* ---- several ------------------------------------------------------------- */

static void
writes_all_or_none(void **test)
{
   struct file_output outputs[3];
   const char *blamed = NULL;

   (void)test;
   folder_put("a", "old");
   outputs[0] = output_of("a", "new a");
   outputs[1] = output_of("b", "new b");
   outputs[2] = output_of("no-folder/c", "new c");
   assert_false(file_write(outputs, 3, &blamed));
   assert_string_equal(blamed, "no-folder/c");
   outputs[2].path = "/dev/full";
   assert_false(file_write(outputs, 3, &blamed));
   assert_int_equal(errno, ENOSPC);
   outputs[2].path = ".";
   assert_false(file_write(outputs, 3, &blamed));
   folder_expect("a", "old");
   assert_int_equal(folder_count(), 1);

   outputs[2].path = "c";
   assert_true(file_write(outputs, 3, &blamed));
   folder_expect("a", "new a");
   folder_expect("b", "new b");
   folder_expect("c", "new c");
   assert_int_equal(folder_count(), 3);
   assert_true(file_write(NULL, 0, &blamed));
}

/* More than may be open at a time. */
static void
writes_many(void **test)
{
   enum { COUNT = 200, MAX_OPEN = 90 };
   static char names[COUNT][16];
   struct file_output outputs[COUNT + 1];
   struct rlimit limit;
   const char *blamed = NULL;

   (void)test;
   for (int i = 0; i < COUNT; i++) {
      snprintf(names[i], sizeof(names[i]), "%d", i);
      outputs[i] = output_of(names[i], names[i]);
   }
   outputs[COUNT] = output_of("no-folder/x", "x");
   assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
   const struct rlimit low = {MAX_OPEN, limit.rlim_max};
   assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
   assert_false(file_write(outputs, COUNT + 1, &blamed));
   assert_int_equal(errno, ENOENT);
   assert_int_equal(folder_count(), 0);
   memset(calls, 0, sizeof(calls));
   assert_true(file_write(outputs, COUNT, &blamed));
   assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
   for (int i = 0; i < COUNT; i++)
      folder_expect(names[i], names[i]);
   assert_int_equal(folder_count(), COUNT);
}

/* Files of one folder have it synced once, after all of them. */
static void
syncs_folders_once(void **test)
{
   const struct file_output outputs[] = {
      output_of("a", "1"),
      output_of("b", "2"),
      output_of("folder/c", "3"),
      output_of("folder/d", "4"),
   };
   const char *blamed = NULL;

   (void)test;
   assert_int_equal(mkdir("folder", 0777), 0);
   memset(calls, 0, sizeof(calls));
   assert_true(file_write(outputs, 4, &blamed));
   assert_string_equal(calls, has_nameless ? "fffflllldd" : "ffffrrrrdd");
}

/* The second file is too large. */
static void
cleans_up_when_the_disk_is_full(void **test)
{
   static char large[8192];
   const struct file_output outputs[] = {
      {.path = "small", .data = "small", .size = 5},
      {.path = "large", .data = large, .size = sizeof(large)},
   };
   const struct rlimit limit = {4096, RLIM_INFINITY};
   const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
   const char *blamed = NULL;

   (void)test;
   folder_put("large", "old");
   signal(SIGXFSZ, SIG_IGN);
   assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
   const bool good = file_write(outputs, 2, &blamed);
   const int reason = errno;
   assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
   assert_false(good);
   assert_int_equal(reason, EFBIG);
   assert_string_equal(blamed, "large");
   folder_expect("large", "old");
   assert_int_equal(folder_count(), 1);
}

/* ---- signals ------------------------------------------------------------- */

enum { LARGE = 4 << 20, NUM_KILLS = 40 };

/* Writes a file again and again until a signal comes. */
static void
write_until_killed(int begun)
{
   static char data[LARGE];
   const struct file_output output = {
      .path = "file", .data = data, .size = sizeof(data)};
   const char *blamed;

   for (int i = 0;; i++) {
      memset(data, 'a' + i % 2, sizeof(data));
      if (!file_write(&output, 1, &blamed))
         _exit(1);
      if (i == 0 && write(begun, "", 1) != 1)
         _exit(1);
   }
}

static void
expect_whole(void)
{
   static char data[LARGE];
   const int fd = open("file", O_RDONLY);

   assert_true(fd >= 0);
   assert_int_equal(read(fd, data, sizeof(data)), sizeof(data));
   assert_memory_equal(data, data + 1, sizeof(data) - 1);
   close(fd);
}

static void
leaves_nothing_when_killed(void **test)
{
   static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM};
   int status, begun[2];
   char byte;

   (void)test;
   for (unsigned i = 0; i < NUM_KILLS; i++) {
      assert_int_equal(pipe(begun), 0);
      const pid_t child = fork();
      assert_true(child >= 0);
      if (child == 0) {
         signal(signals[i % 4], SIG_DFL); /* which nohup may have changed */
         write_until_killed(begun[1]);
      }
      assert_int_equal(read(begun[0], &byte, 1), 1);
      usleep(i * 499 % 5000);
      kill(child, signals[i % 4]);
      assert_int_equal(waitpid(child, &status, 0), child);
      assert_true(WIFSIGNALED(status));
      assert_int_equal(WTERMSIG(status), signals[i % 4]);
      close(begun[0]);
      close(begun[1]);
      expect_whole();
      assert_int_equal(folder_count(), 1);
   }
}

/* Signals are as they were afterwards. */
static void
gives_signals_back(void **test)
{
   sigset_t before, after;

   (void)test;
   sigemptyset(&before);
   sigaddset(&before, SIGUSR1);
   assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
   assert_int_equal(put("new", "x"), 0);
   assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
   for (int i = 1; i < SIGRTMAX; i++)
      assert_int_equal(sigismember(&after, i), i == SIGUSR1);
   assert_int_equal(put("no-folder/new", "x"), ENOENT);
   sigemptyset(&before);
   assert_int_equal(sigprocmask(SIG_SETMASK, &before, &after), 0);
   assert_true(sigismember(&after, SIGUSR1));
   assert_false(sigismember(&after, SIGTERM));
}

/* ---- names --------------------------------------------------------------- */

static void
knows_the_same_file(void **test)
{
   (void)test;
   folder_put("a", "");
   folder_put("b", "");
   assert_int_equal(symlink("a", "to-a"), 0);
   assert_true(file_is_same("a", "./a"));
   assert_true(file_is_same("a", "to-a"));
   assert_false(file_is_same("a", "b"));
   assert_false(file_is_same("a", "new"));
   assert_true(file_is_same("new", "./new"));
   assert_false(file_is_same("new", "newer"));
   assert_false(file_is_same("/dev/null", "/dev/null"));
}

/* Without making it; and what it says of a path writing it says, too. */
static void
knows_what_can_be_written(void **test)
{
   static const struct {
      const char *path;
      int error;
   } rows[] = {
      {"new", 0},
      {"there", 0},
      {"/dev/null", 0},
      {"to-new", 0},
      {"no-folder/new", ENOENT},
      {"lost", ENOENT},
      {".", EISDIR},
      {"", ENOENT},
      {"there/new", ENOTDIR},
   };

   (void)test;
   folder_put("there", "as it was");
   assert_int_equal(symlink("new", "to-new"), 0);
   assert_int_equal(symlink("no-folder/new", "lost"), 0);
   const int count = folder_count();
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      errno = 0;
      assert_int_equal(file_can_write(rows[i].path), rows[i].error == 0);
      if (rows[i].error)
         assert_int_equal(errno, rows[i].error);
      assert_int_equal(folder_count(), count);
   }
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      assert_int_equal(put(rows[i].path, "x") == 0, rows[i].error == 0);
}

#define BOTH(function)                                                         \
   {#function, function, without_names, folder_remove, NULL},                  \
   {                                                                           \
#function " (names)", function, with_names, folder_remove, NULL          \
   }

int
main(void)
{
   const struct CMUnitTest tests[] = {
      BOTH(writes_in_order),
      BOTH(keeps_modes),
      BOTH(respects_read_only_files),
      BOTH(writes_where_links_point),
      BOTH(refuses),
      BOTH(writes_to_long_names),
      BOTH(writes_to_pipes),
      BOTH(writes_all_or_none),
      BOTH(writes_many),
      BOTH(syncs_folders_once),
      BOTH(cleans_up_when_the_disk_is_full),
      BOTH(leaves_nothing_when_killed),
      BOTH(gives_signals_back),
      BOTH(knows_the_same_file),
      BOTH(knows_what_can_be_written),
   };
   return cmocka_run_group_tests_name("file: write", tests, NULL, NULL);
}
