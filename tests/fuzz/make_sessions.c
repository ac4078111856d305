/* SPDX-License-Identifier: MIT
 *
 * Seeds for fuzz_virgl and fuzz_vtest: recordings as the calls of a host, each
 * a struct fuzz_call and its bytes, and as messages of the vtest protocol.
 *
 *    make_sessions FOLDER OUTPUT-FOLDER-OF-CALLS OUTPUT-FOLDER-OF-MESSAGES
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz_calls.h"
#include "record/reader.h"
#include "vtest/protocol.h"

static FILE *
open_file(const char *folder, const char *name)
{
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *file = fopen(path, "wb");
   if (!file) {
      perror(path);
      exit(1);
   }
   return file;
}

static void
put(FILE *file, const void *bytes, size_t num_bytes)
{
   if (num_bytes && fwrite(bytes, 1, num_bytes, file) != num_bytes) {
      perror("make_sessions");
      exit(1);
   }
}

static void
put_call(FILE *file, const struct record_chunk *chunk)
{
   const struct fuzz_call call = {
      .kind = (uint8_t)chunk->kind,
      .num_bytes = (uint32_t)chunk->num_bytes,
   };

   put(file, &call, sizeof(call));
   put(file, chunk->bytes, chunk->num_bytes);
}

static void
put_message(FILE *file, uint32_t number, uint32_t length, const uint32_t *words,
            uint32_t num_words)
{
   const uint32_t header[2] = {length, number};

   put(file, header, sizeof(header));
   put(file, words, num_words * sizeof(*words));
}

static void
put_create(FILE *file, const struct record_create *create)
{
   uint32_t words[11] = {create->handle};

   memcpy(&words[1], create->desc, sizeof(create->desc));
   words[10] = (uint32_t)create->num_shared_bytes;
   put_message(file, VTEST_RESOURCE_CREATE2, 11, words, 11);
}

static void
put_transfer(FILE *file, uint32_t with_data, uint32_t shared,
             const struct record_transfer *transfer, uint32_t num_bytes)
{
   const uint32_t *box = (const uint32_t *)transfer->box;
   const uint32_t inline_words[11] = {transfer->handle, transfer->level,
                                      transfer->stride, transfer->layer_stride,
                                      box[0],           box[1],
                                      box[2],           box[3],
                                      box[4],           box[5],
                                      num_bytes};
   const uint32_t shared_words[10] = {transfer->handle,
                                      transfer->level,
                                      box[0],
                                      box[1],
                                      box[2],
                                      box[3],
                                      box[4],
                                      box[5],
                                      0,
                                      (uint32_t)transfer->offset};

   if (transfer->flags & RECORD_IS_DATA)
      put_message(file, with_data, 11, inline_words, 11);
   else
      put_message(file, shared, 10, shared_words, 10);
}

/* The messages that make a server call its host so. */
static void
put_messages(FILE *file, const struct record_chunk *chunk)
{
   static const uint32_t wait[2] = {0, VTEST_BUSY_WAIT_WAITS};
   const struct record_transfer *transfer = chunk->bytes;
   const uint32_t num_data =
      (uint32_t)(chunk->num_bytes - sizeof(struct record_transfer));

   switch (chunk->kind) {
   case RECORD_CREATE: put_create(file, chunk->bytes); break;
   case RECORD_DESTROY:
      put_message(file, VTEST_RESOURCE_UNREF, 1, chunk->bytes, 1);
      break;
   case RECORD_PUT:
      put_transfer(file, VTEST_TRANSFER_PUT, VTEST_TRANSFER_PUT2, transfer,
                   num_data);
      put(file, transfer + 1, num_data);
      break;
   case RECORD_GET:
      if (!(transfer->flags & RECORD_IS_COMMAND))
         put_transfer(file, VTEST_TRANSFER_GET, VTEST_TRANSFER_GET2, transfer,
                      (uint32_t)transfer->num_bytes);
      break;
   case RECORD_SUBMIT:
      put_message(file, VTEST_SUBMIT, (uint32_t)(chunk->num_bytes / 4),
                  chunk->bytes, (uint32_t)(chunk->num_bytes / 4));
      break;
   case RECORD_WAIT: put_message(file, VTEST_BUSY_WAIT, 2, wait, 2); break;
   default: break;
   }
}

static void
convert(const char *path, const char *name, char **folders)
{
   FILE *calls = open_file(folders[0], name);
   FILE *messages = open_file(folders[1], name);
   const int file = open(path, O_RDONLY);
   struct record_reader reader;
   struct record_chunk chunk;

   if (file < 0 || !record_reader_init(&reader, file)) {
      fprintf(stderr, "%s: no recording\n", path);
      exit(1);
   }
   while (record_reader_next(&reader, &chunk)) {
      put_call(calls, &chunk);
      put_messages(messages, &chunk);
   }
   record_reader_finish(&reader);
   close(file);
   if (fclose(calls) != 0 || fclose(messages) != 0)
      exit(1);
}

int
main(int argc, char **argv)
{
   DIR *folder = argc == 4 ? opendir(argv[1]) : NULL;

   if (!folder) {
      fprintf(stderr, "usage: make_sessions FOLDER CALLS MESSAGES\n");
      return 2;
   }
   mkdir(argv[2], 0777);
   mkdir(argv[3], 0777);
   for (struct dirent *entry; (entry = readdir(folder));) {
      char path[4096];

      snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
      if (strstr(entry->d_name, ".rec"))
         convert(path, entry->d_name, &argv[2]);
   }
   closedir(folder);
   return 0;
}
