/* SPDX-License-Identifier: MIT
 *
 * Memory that is shared with a client: a sealed memfd.
 */
#include "vtest/shared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is to be undone. */
struct share {
   struct vtest_account *account;
   void *address;
   uint64_t num_bytes;
};

static void
unshare_memory(void *user)
{
   struct share *share = user;

   munmap(share->address, (size_t)share->num_bytes);
   share->account->used -= share->num_bytes;
   free(share);
}

/* Of a size that stays. */
static int
open_sealed(uint64_t num_bytes)
{
   const int file = memfd_create("tungsten", MFD_CLOEXEC | MFD_ALLOW_SEALING);

   if (file < 0)
      return -1;
   if (ftruncate(file, (off_t)num_bytes) == 0 &&
       fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
      return file;
   close(file);
   return -1;
}

int
vtest_share(struct vtest_account *account, uint64_t num_bytes,
            struct virgl_memory *memory_out)
{
   if (!num_bytes || num_bytes > account->most - account->used)
      return -1;
   struct share *share = malloc(sizeof(*share));
   const int file = share ? open_sealed(num_bytes) : -1;
   void *address = file < 0 ? MAP_FAILED
                            : mmap(NULL, (size_t)num_bytes,
                                   PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

   if (address == MAP_FAILED) {
      if (file >= 0)
         close(file);
      free(share);
      return -1;
   }
   account->used += num_bytes;
   *share = (struct share){account, address, num_bytes};
   *memory_out = (struct virgl_memory){
      .address = address,
      .num_bytes = num_bytes,
      .release = unshare_memory,
      .user = share,
   };
   return file;
}
