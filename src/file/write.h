/* SPDX-License-Identifier: MIT
 *
 * Atomic writing: files that are written whole, or leave what was there as it
 * was.
 */
#ifndef TG_FILE_WRITE_H
#define TG_FILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* A file to be written: its head, if any, and what follows. */
struct file_output {
   const char *path;
   const void *head;
   size_t head_size;
   const void *data;
   size_t size;
};

/* Writes files, all or none: each is complete and on the disk before the first
 * one gets its name. Whichever signal ends the process, no other name is left
 * after; threads other than the caller's block signals for that.
 * Where there was a file, the new one has its group and its mode, without the
 * bits that change users; a symbolic link stays, and what it points to is
 * written. Pipes and devices are written to as they are, once all else is
 * ready. False with errno and the path at fault. */
bool
file_write(const struct file_output *outputs, unsigned count,
           const char **path_out);

/* Could a file be written now, as far as folder and permissions tell? False
 * with errno: for those who would otherwise work for long and then not know
 * where to put the result. */
bool
file_can_write(const char *path);

/* Would writing one replace the other? Devices and pipes replace nothing.
 * Either may be there or not. */
bool
file_is_same(const char *a, const char *b);

#endif
