/* SPDX-License-Identifier: MIT
 *
 * Files that are opened for reading because something names them: regular ones,
 * of a bounded size.
 */
#ifndef TG_FILE_OPEN_H
#define TG_FILE_OPEN_H

/* Opens a regular file. Pipes, devices and folders are refused, and nothing is
 * waited for. Returns a descriptor, or -1 with the rest of a sentence that
 * begins with the file's name. */
int
file_open(const char *path, const char **fault_out);

/* The same for a file that a script names: `path` is of a file in `folder` or
 * below it, "" being the current one, and neither .., nor symbolic links, nor a
 * path from the root lead out of there. It has at most 256 MiB. */
int
file_open_beneath(const char *folder, const char *path, const char **fault_out);

/* The two ways to look up what file_open_beneath() names, of which it takes the
 * first that the system has. `root` is a descriptor of the folder. Return a
 * descriptor of any kind of file, or -1 with errno: EXDEV where the path leads
 * out, ENOSYS where the system has no such call. */
int
file_look_up_beneath_by_kernel(int root, const char *path);
int
file_look_up_beneath_by_hand(int root, const char *path);

#endif
