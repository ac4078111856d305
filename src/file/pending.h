/* SPDX-License-Identifier: MIT
 *
 * Atomic publication: one file on its way to its name.
 */
#ifndef TG_FILE_PENDING_H
#define TG_FILE_PENDING_H

#include <stdbool.h>
#include <sys/types.h>

struct file_pending {
   char *target;  /* the name that it will get; NULL: a pipe or device */
   char *name;    /* that it has until then, or NULL */
   int fd;        /* open for writing, or -1 */
   bool replaces; /* a file, of which these are: */
   mode_t mode;   /* permissions alone */
   uid_t user;
   gid_t group;
};

/* Finds what will be written for a path. False with errno. */
bool
file_pending_init(struct file_pending *file, const char *path);

/* Do folder and permissions allow it? `path` is that of file_pending_init().
 * False with errno. */
bool
file_pending_is_allowed(const struct file_pending *file, const char *path);

/* Makes the file, without a name. False with errno; not every file system has
 * such files. */
bool
file_pending_create(struct file_pending *file);

/* Makes it with a name that no other file has. Signals are to be held from here
 * until it is finished. */
bool
file_pending_create_named(struct file_pending *file);

/* After all is written: gives it the mode that it will have, and makes it go to
 * the disk. */
bool
file_pending_complete(const struct file_pending *file);

/* Waits until it is on the disk. */
bool
file_pending_sync(const struct file_pending *file);

/* One that has a name need not be open any more. */
void
file_pending_close(struct file_pending *file);

/* Gives it its name, which no other file has any more. Signals are to be held
 * meanwhile. */
bool
file_pending_publish(struct file_pending *file);

/* Waits until the name is on the disk, which is so for all of a folder. */
bool
file_pending_sync_folder(const struct file_pending *file);
bool
file_pending_share_folder(const struct file_pending *a,
                          const struct file_pending *b);

/* Closes it, and removes the name that it had for the meantime, if any. */
void
file_pending_finish(struct file_pending *file);

#endif
